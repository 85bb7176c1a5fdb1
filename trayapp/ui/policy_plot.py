"""How much memory a policy would have freed for each idle time, and how often it would have been wrong.

Painted by hand: x is the idle time from 5 min to 24 h, spaced evenly by its logarithm; the line is memory times hours
that would have been free, the dots below count sessions that worked again soon after. Knows no store: it is handed the
points, and says so while there are none.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QLocale, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from trayapp.model.policy import Policy
from trayapp.reclaim.simulate import Sweep, SweepPoint
from trayapp.say import say, say_n, told
from trayapp.ui import tokens
from trayapp.ui.bridge import Bridge
from trayapp.ui.controls import Button, FocusOutline, Text, paint_pill
from trayapp.ui.tokens import MEDIUM, SEMIBOLD, px
from trayapp.wording import THIN_SPACE, duration

LEAST_S, MOST_S = 300.0, 86_400.0
TICKS_S = (300.0, 900.0, 3600.0, 14_400.0, 86_400.0)
SPAN_S = 7 * 86_400.0
ENOUGH_S = 86_400.0
HEIGHT = 200
INSET = 10
GB = 1024**3


def byte_hours(value: float) -> str:
    """Say memory times hours: "38 GB·h", "0.4 GB·h"."""
    gb_hours = value / GB
    digits = 0 if gb_hours >= 9.95 or gb_hours == 0 else 1
    number = QLocale().toString(gb_hours, "f", digits)
    return f"{number}{THIN_SPACE}GB·h"


def point_words(point: SweepPoint) -> str:
    """Say what one threshold would have done."""
    idle = duration(point.threshold_s)
    if not point.touched:
        return say("Idle for {time}: nothing would have been released.", time=idle)
    touched = say_n("{n} session", "{n} sessions", point.touched)
    values = {"time": idle, "freed": byte_hours(point.freed_byte_hours), "sessions": touched}
    if not point.wrong:
        return say(
            "Idle for {time}: {freed} would have been free, of {sessions}; none of them worked again soon after.",
            **values,
        )
    return say(
        "Idle for {time}: {freed} would have been free, of {sessions}; {wrong} of them worked again soon after.",
        wrong=point.wrong,
        **values,
    )


class PolicyPlot(QWidget):
    """Paint the points; a click or the arrow keys choose one."""

    # In the UI thread, when another point was chosen; payload: its SweepPoint.
    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # figures and time run that way everywhere
        self._points: tuple[SweepPoint, ...] = ()
        self._threshold_s: float | None = None
        self._at: int | None = None
        self.setFixedHeight(px(HEIGHT))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    @property
    def point(self) -> SweepPoint | None:
        """Return the point that is chosen."""
        return self._points[self._at] if self._at is not None and self._at < len(self._points) else None

    def show_points(self, points: Sequence[SweepPoint], threshold_s: float | None) -> None:
        """Show points by rising threshold, and mark the threshold that the policy has."""
        self._points, self._threshold_s = tuple(points), threshold_s
        self._at = self._nearest(threshold_s) if threshold_s is not None and points else None
        self._tell()

    def _nearest(self, threshold_s: float) -> int:
        away = [abs(math.log(point.threshold_s / threshold_s)) for point in self._points]
        return away.index(min(away))

    def _tell(self) -> None:
        name = say("Memory freed by idle time.")
        self.setAccessibleName(f"{name} {point_words(self.point)}" if self.point else name)
        self.setAccessibleDescription(" ".join(map(point_words, self._points)))
        self.update()

    def _choose(self, at: int) -> None:
        at = max(0, min(len(self._points) - 1, at))
        if self._points and at != self._at:
            self._at = at
            self._tell()
            self.chosen.emit(self._points[at])

    # ---- geometry

    def _plot(self) -> QRectF:
        left = self._axis() + px(8)
        return QRectF(left, px(22), self.width() - left - px(16), self.height() - px(22 + 72))

    def _axis(self) -> int:
        """Return the room for what stands left of the plot."""
        return max(px(44), math.ceil(tokens.text_width(say("Wrong"), tokens.font(tokens.SMALL))) + 2)

    def x_of(self, threshold_s: float) -> float:
        """Return where a threshold stands."""
        plot = self._plot()
        share = math.log(threshold_s / LEAST_S) / math.log(MOST_S / LEAST_S)
        return plot.left() + px(INSET) + (plot.width() - 2 * px(INSET)) * min(1.0, max(0.0, share))

    # ---- events

    def sizeHint(self) -> QSize:
        return QSize(px(480), px(HEIGHT))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._points and event.button() is Qt.MouseButton.LeftButton:
            away = [abs(self.x_of(point.threshold_s) - event.position().x()) for point in self._points]
            self._choose(away.index(min(away)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        last = len(self._points) - 1
        now = self._at if self._at is not None else 0
        steps = {Qt.Key.Key_Left: now - 1, Qt.Key.Key_Right: now + 1, Qt.Key.Key_Home: 0, Qt.Key.Key_End: last}
        if event.key() in steps:
            self._choose(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        FocusOutline.show_on(self, event, tokens.RADIUS_PART)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        FocusOutline.hide_on(self)

    # ---- paint

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        top = _round_up(max((point.freed_byte_hours for point in self._points), default=0.0))
        self._paint_grid(painter, top)
        self._paint_line(painter, top)
        self._paint_wrong(painter)
        self._paint_marks(painter, top)

    def _y_of(self, value: float, top: float) -> float:
        plot = self._plot()
        return plot.bottom() - plot.height() * (value / top if top else 0.0)

    def _paint_grid(self, painter: QPainter, top: float) -> None:
        plot, theme = self._plot(), tokens.theme()
        painter.setFont(tokens.font(tokens.SMALL))
        middle = Qt.AlignmentFlag.AlignVCenter
        for share in (0.0, 0.5, 1.0):
            y = plot.bottom() - plot.height() * share
            painter.fillRect(QRectF(plot.left(), round(y), plot.width(), 1), theme.line)
            if top or not share:
                painter.setPen(theme.ter)
                label = QLocale().toString(top * share / GB, "g", 3)
                painter.drawText(
                    QRectF(0, y - px(8), self._axis(), px(16)), Qt.AlignmentFlag.AlignRight | middle, label
                )
        painter.setPen(theme.ter)
        painter.drawText(QRectF(0, 0, self.width() / 2, px(14)), Qt.AlignmentFlag.AlignLeft | middle, say("GB·h freed"))
        foot = self.height() - px(18)
        for tick_s in TICKS_S:
            box = QRectF(self.x_of(tick_s) - px(40), foot, px(80), px(16))
            side = Qt.AlignmentFlag.AlignHCenter
            if tick_s == MOST_S:
                box.moveRight(plot.right() + px(4))
                side = Qt.AlignmentFlag.AlignRight
            text = duration(tick_s) if tick_s < MOST_S else f"24{THIN_SPACE}h"
            painter.drawText(box, side | middle, text)

    def _paint_line(self, painter: QPainter, top: float) -> None:
        plot, theme = self._plot(), tokens.theme()
        line = [QPointF(self.x_of(p.threshold_s), self._y_of(p.freed_byte_hours, top)) for p in self._points]
        if not line:
            return
        area = [QPointF(line[0].x(), plot.bottom()), *line, QPointF(line[-1].x(), plot.bottom())]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tokens.with_alpha(theme.ink, 0.12))
        painter.drawPolygon(QPolygonF(area))
        painter.setPen(QPen(theme.ink, 1.4))
        painter.drawPolyline(QPolygonF(line))

    def _paint_wrong(self, painter: QPainter) -> None:
        """Paint below the plot how often each threshold would have been wrong: the more, the larger."""
        plot, theme = self._plot(), tokens.theme()
        y = plot.bottom() + px(20)
        painter.setFont(tokens.font(tokens.SMALL))
        painter.setPen(theme.ter)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(0, y - px(8), self._axis(), px(16)), Qt.AlignmentFlag.AlignRight | middle, say("Wrong"))
        most = max((point.wrong for point in self._points), default=0)
        for point in self._points:
            x = self.x_of(point.threshold_s)
            if not point.wrong:
                painter.setPen(QPen(theme.ter, 1.2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawEllipse(QPointF(x, y), px(2), px(2))
                continue
            radius = px(3) + px(5) * math.sqrt(point.wrong / most)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.amber)
            painter.drawEllipse(QPointF(x, y), radius, radius)
            painter.setPen(theme.ter)
            below = QRectF(x - px(20), y + px(9), px(40), px(14))
            painter.drawText(below, Qt.AlignmentFlag.AlignCenter, str(point.wrong))

    def _paint_marks(self, painter: QPainter, top: float) -> None:
        plot, theme = self._plot(), tokens.theme()
        if self._threshold_s is not None:
            x = self.x_of(self._threshold_s)
            pen = QPen(theme.sec, 1)
            pen.setDashPattern([3, 3])
            painter.setPen(pen)
            painter.drawLine(QPointF(x, px(20)), QPointF(x, plot.bottom() + px(12)))
            painter.setFont(tokens.font(tokens.SMALL, MEDIUM))
            words = say("Now {time}", time=duration(self._threshold_s))
            wide = tokens.text_width(words, painter.font()) + px(16)
            left = min(max(x - wide / 2, plot.left()), plot.right() - wide)
            paint_pill(painter, QRectF(left, 0, wide, px(19)), words)
        if (point := self.point) is not None:
            centre = QPointF(self.x_of(point.threshold_s), self._y_of(point.freed_byte_hours, top))
            painter.setPen(QPen(theme.card, 2))
            painter.setBrush(theme.ink)
            painter.drawEllipse(centre, px(5), px(5))


def _round_up(value: float) -> float:
    """Return a round figure of GB·h that is not less."""
    gb_hours = value / GB
    if gb_hours <= 0:
        return 0.0
    step = 10 ** math.floor(math.log10(gb_hours))
    return float(next(m for m in (1, 2, 4, 6, 8, 10, 20) if m * step >= gb_hours) * step * GB)


class TrialPanel(QWidget):
    """Run a policy over the recorded days when asked to, and show what came of it."""

    # In the UI thread, when a chosen idle time shall be the policy's; payload: seconds.
    threshold_wanted = Signal(float)
    # In the UI thread, when it needs another height.
    resized = Signal()

    def __init__(
        self, bridge: Bridge, *, clock_s: Callable[[], float] = time.time, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._bridge, self._clock_s = bridge, clock_s
        self._policy: Policy | None = None
        self._shown: Sweep | None = None
        self._asked_at_s: float | None = None
        self._asked_for: Policy | None = None
        self.title = Text(say("On your own days"), size=tokens.SECOND, weight=SEMIBOLD, tone="sec")
        self.ask = Button(say("Try it on the last 7 days"), height=28)
        self.words = Text("", size=tokens.SECOND, tone="sec", wrap=True)
        self.caveat = Text("", size=tokens.SECOND, tone="ter", wrap=True)
        self.plot = PolicyPlot()
        self.use = Button("", height=28)
        line = QHBoxLayout()
        line.setSpacing(px(12))
        line.addWidget(self.words, 1)
        line.addWidget(self.use, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(self.ask, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(6))
        column.addWidget(self.title)
        column.addWidget(self.plot)
        column.addLayout(line)
        column.addWidget(self.caveat)
        self._beat = QTimer(self)
        self._beat.setInterval(1000)
        self._beat.timeout.connect(self._count)
        self.ask.clicked.connect(self.begin)
        self.use.clicked.connect(self._use)
        self.plot.chosen.connect(lambda _point: self._show_point())
        self.plot.hide()
        self.use.hide()
        self._invite()

    def _invite(self) -> None:
        self.caveat.hide()
        self.words.setText(say("What this policy would have freed, and how often it would have been wrong."))

    def show_policy(self, policy: Policy) -> None:
        """Follow the policy; a plot of another one goes."""
        same = self._policy is not None and _but_threshold(policy) == _but_threshold(self._policy)
        before, self._policy = self._policy, policy
        if not same:
            self.plot.hide()
            self.use.hide()
            self.ask.show()
            self._invite()
        elif self._shown is not None and before != policy and not self.plot.isHidden():
            self.plot.show_points(self._shown.points, policy.after_s)
            self._show_point()

    # ---- asking

    def begin(self) -> None:
        """Ask the core; that may take seconds, which are counted."""
        if self._policy is None or self._asked_at_s is not None:
            return
        self._asked_at_s, self._asked_for = self._clock_s(), self._policy
        self.ask.setEnabled(False)
        self._beat.start()
        self._count()
        future = self._bridge.backend.sweep(self._policy, self._clock_s() - SPAN_S)
        self._bridge.when_done(future, self._take, self._failed)

    def _count(self) -> None:
        if self._asked_at_s is not None:
            waited = self._clock_s() - self._asked_at_s
            looking, time = say("Looking through the history"), duration(waited)
            self.words.setText(say("Looking through the history, {time}", time=time) if waited >= 1 else looking)

    def _rest(self) -> bool:
        """End the wait; say whether the answer is still of the policy that is shown."""
        self._beat.stop()
        self.ask.setEnabled(True)
        asked_for, self._asked_for, self._asked_at_s = self._asked_for, None, None
        if self._policy is None or asked_for is None:
            return False
        return _but_threshold(self._policy) == _but_threshold(asked_for)

    def _failed(self, sentence: str) -> None:
        self._rest()
        self.words.setText(say("The history could not be looked through: {why}", why=sentence))
        self.resized.emit()

    def _take(self, sweep: Sweep) -> None:
        if not self._rest() or self._policy is None:
            self._invite()
            return
        self._shown = sweep
        left_out = " ".join(f"{told(sentence).rstrip('.')}." for sentence in sweep.not_simulated)
        self.caveat.setText(left_out)
        self.caveat.setVisible(bool(left_out))
        held = duration(sweep.covered_s)
        if not sweep.points or not any(point.touched for point in sweep.points):
            none = say("The history holds {time} so far: no session was idle for 5 min in it.", time=held)
            later = say(
                "The history holds {time} so far. Let Agent Ring record for a day or more, then try again.", time=held
            )
            self.plot.hide()
            self.use.hide()
            self.words.setText(none if sweep.covered_s >= ENOUGH_S else later)
        else:
            self.title.setText(say("On your own days: the last {time}", time=held))
            self.ask.hide()
            self.plot.show_points(sweep.points, self._policy.after_s)
            self.plot.show()
            self._show_point()
        self.resized.emit()

    def _show_point(self) -> None:
        point = self.plot.point
        if point is None or self._policy is None or self._shown is None:
            return
        hint = say("The history holds {time} so far.", time=duration(self._shown.covered_s))
        words = point_words(point)
        self.words.setText(f"{words} {hint}" if self._shown.covered_s < ENOUGH_S else words)
        other = self._policy.after_s is None or abs(point.threshold_s - self._policy.after_s) >= 1
        self.use.setVisible(other)
        time = duration(point.threshold_s)
        self.use.setText(say("Use {time}", time=time))
        self.use.setAccessibleName(say("Use {time} for {name}", time=time, name=self._policy.name))
        self.use.updateGeometry()

    def _use(self) -> None:
        if (point := self.plot.point) is not None:
            self.threshold_wanted.emit(point.threshold_s)


def _but_threshold(policy: Policy) -> Policy:
    """Return what a trial depends on: it looks at every threshold anyway."""
    return replace(policy, after_s=None, on=False)
