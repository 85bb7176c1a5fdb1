"""What lies over the plots: grid, labels, gaps, release marks, host marks and the crosshair, painted in pixels.

Knows where the plots are and what is shown there; takes no input (the chart moves the crosshair). Time labels are local
for each point by itself (case 110).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from enum import Enum, auto

from PySide6.QtCore import QLineF, QLocale, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from trayapp.model.process import Pressure
from trayapp.model.series import Gap, Layer, Mark, Series, Strain
from trayapp.say import noted, say, told
from trayapp.ui import chart_data, marks, numbers, tokens
from trayapp.ui.chart_data import Reading
from trayapp.wording import MINUS, THIN_SPACE

Flags = Qt.AlignmentFlag
MARK_SIDE = 14
MARKS_APART = 16
PILL_HEIGHT = 19
CARD_WIDTH = 172
CARD_ROWS = 8
MOST_WORDS = 190
BAND = 6
GRID_ALPHA = 0.1


class EventSign(Enum):
    """What stands before the words of an event: nothing, a triangle for what was released, a square for what was ended
    by signal, or that something went wrong.
    """

    NONE = auto()
    BACK = auto()
    ENDED = auto()
    BAD = auto()


_SIGN_ROOM = {EventSign.NONE: 0, EventSign.BACK: 12, EventSign.ENDED: 12, EventSign.BAD: 15}
_DASHES = {EventSign.ENDED: [1.0, 2.0]}

Sign = marks.Mark | marks.StateShape
"""What stands for a layer: a host's mark, or the sign of a state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lower:
    """Say what the lower plot shows: its caption (said when it is painted), what counts as 1, and how a value is said.

    `label` gets a grid value and the top of the axis. An axis that ends before `whole` is said to.
    """

    title: str
    note: str
    unit: float
    height: int
    say: Callable[[float], str]
    label: Callable[[float, float], str]
    whole: float = 0.0


@dataclass(frozen=True, slots=True)
class Scale:
    """Hold the value axis of one plot: grid values from 0 up, and where each layer's edge ends at the right.

    Without any measurement there are no ends.
    """

    grid: tuple[float, ...]
    ends: tuple[float, ...]


class ChartOverlay(QWidget):
    """Paint everything of a chart but its layers."""

    def __init__(self, chart: QWidget, *, zone: tzinfo | None, with_cpu: bool, lower: Lower) -> None:
        super().__init__(chart)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._zone = zone
        self._with_cpu = with_cpu
        self._lower = lower
        self.limit_bytes: float | None = None
        self._marks: dict[str, Sign] = {}
        self._series: Series | None = None
        self._layers: tuple[Layer, ...] = ()
        self._scales: Sequence[Scale] = ()
        self._range = (0.0, 1.0)
        self.memory_rect = QRectF()
        self.cpu_rect: QRectF | None = None
        self.reading: Reading | None = None
        self.notes: tuple[tuple[float, str], ...] = ()
        self.message = ""
        self.outlined = False
        self.highlighted: frozenset[str] = frozenset()

    def set_lower(self, lower: Lower) -> None:
        """Let the lower plot show another figure."""
        self._lower = lower
        self.update()

    # What is shown.

    def place(self, memory: QRectF, cpu: QRectF | None) -> None:
        self.memory_rect, self.cpu_rect = memory, cpu
        self.update()

    def show_data(
        self, series: Series, layers: tuple[Layer, ...], scales: Sequence[Scale], shown: tuple[float, float]
    ) -> None:
        self._series, self._layers, self._scales, self._range = series, layers, scales, shown
        self.update()

    def clear(self) -> None:
        self._series, self._layers, self._scales, self.reading, self.message = None, (), (), None, ""
        self.update()

    def set_range(self, shown: tuple[float, float]) -> None:
        self._range = shown
        self.update()

    def set_mark(self, key: str, mark: Sign | None) -> None:
        """Say which host mark or state sign stands for a layer; None = none does."""
        if mark is None:
            self._marks.pop(key, None)
        else:
            self._marks[key] = mark

    def sign(self, key: str) -> Sign | None:
        """Return what stands for a layer."""
        return self._marks.get(key)

    def show_reading(self, reading: Reading | None) -> None:
        self.reading = reading
        self.update()

    # What it says, in words.

    def time_labels(self) -> tuple[str, ...]:
        return tuple(tick.label for tick in self._ticks())

    def gap_words(self) -> tuple[str, ...]:
        return () if self._series is None else tuple(map(chart_data.gap_words, self._series.gaps))

    def mark_words(self) -> tuple[str, ...]:
        return () if self._series is None else tuple(map(_mark_words, self._series.marks))

    def reading_time(self) -> str:
        return "" if self.reading is None else self.moment(self.reading.at_epoch_s)

    def moment(self, at_epoch_s: float) -> str:
        """Say a moment as the crosshair does."""
        return chart_data.moment_label(at_epoch_s, *self._range, self._zone)

    def reading_words(self) -> str:
        """Say all that the crosshair shows, for a screen reader; "" without one."""
        reading = self.reading
        if reading is None:
            return ""
        rows = [(layer, value) for layer, value in reversed(reading.values) if value]
        parts = [say("{time}: {memory} in all", time=self.reading_time(), memory=_said(reading.memory_bytes))]
        parts += [f"{chart_data.title_of(layer)} {_said(value)}" for layer, value in rows]
        if self._with_cpu and reading.cpu_percent is not None:
            parts.append(f"{say(self._lower.title)} {self._lower.say(reading.cpu_percent)}")
        parts.append(chart_data.strain_words(self._pressure(reading)))
        return ", ".join(part for part in parts if part)

    def _pressure(self, reading: Reading) -> Pressure:
        if self._series is None:
            return Pressure.UNKNOWN
        return chart_data.pressure_at(self._series, reading.at_epoch_s)

    @property
    def memory_top(self) -> float:
        """Return the value at the upper end of the upper plot; 0 while nothing is shown."""
        return self._scales[0].grid[-1] if self._scales else 0.0

    # Geometry.

    def x_of(self, at_epoch_s: float) -> float:
        since, until = self._range
        return self.memory_rect.left() + (at_epoch_s - since) / (until - since) * self.memory_rect.width()

    def _plots(self) -> list[tuple[QRectF, Scale]]:
        rects = [self.memory_rect] + ([self.cpu_rect] if self.cpu_rect is not None else [])
        return list(zip(rects, self._scales, strict=False))

    def _bottom(self) -> float:
        return (self.cpu_rect if self.cpu_rect is not None else self.memory_rect).bottom()

    def _ticks(self) -> tuple[chart_data.Tick, ...]:
        most = max(2, int(self.memory_rect.width() / tokens.px(90)))
        return chart_data.time_ticks(*self._range, most=most, zone=self._zone)

    # Painting.

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        if self._with_cpu:
            self._paint_caption(painter)
        if self._series is None or not self._scales:
            self._paint_message(painter)
            return
        self._paint_grid(painter)
        self._paint_times(painter)
        self._paint_strains(painter, self._series.strains)
        self._paint_gaps(painter, self._series.gaps)
        self._paint_limit(painter)
        self._paint_host_marks(painter)
        if self.reading is not None:
            self._paint_crosshair(painter, self.reading)
        self._paint_events(painter, self._series.marks)
        if not any(scale.ends for scale in self._scales):
            self._paint_message(painter)
        if self.reading is not None:
            self._paint_values(painter, self.reading)
        if self.outlined:
            self._paint_outline(painter)

    def _paint_outline(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(tokens.theme().ink, tokens.FOCUS_WIDTH))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        room = tokens.FOCUS_OFFSET
        painter.drawRoundedRect(self.memory_rect.adjusted(-room, -room, room, room), room, room)

    def _paint_message(self, painter: QPainter) -> None:
        if self.message:
            self._paint_pill(painter, self.message, self.memory_rect.center())

    def _paint_caption(self, painter: QPainter) -> None:
        bottom = self.memory_rect.bottom()
        box = QRectF(0, bottom + tokens.px(5), self.width(), tokens.px(18))
        title = tokens.font(tokens.BODY, tokens.SEMIBOLD)
        painter.setFont(title)
        painter.setPen(tokens.theme().ink)
        caption, note = say(self._lower.title), say(self._lower.note)
        painter.drawText(box, Flags.AlignLeft | Flags.AlignVCenter, caption)
        painter.setFont(tokens.font(tokens.SECOND))
        painter.setPen(tokens.theme().sec)
        rest = box.adjusted(tokens.text_width(caption, title) + tokens.px(6), 0, 0, 0)
        for words in (self._whole_note(note), note):
            if tokens.text_width(words, painter.font()) <= rest.width():  # half an explanation explains nothing
                painter.drawText(rest, Flags.AlignLeft | Flags.AlignVCenter, words)
                break

    def _whole_note(self, note: str) -> str:
        """Return the note of the lower plot; where its axis is cut to less than usual, with where that ends."""
        top = self._scales[-1].grid[-1] if len(self._scales) > 1 else self._lower.whole
        if top >= self._lower.whole:
            return note
        return say("{note}, the axis ends at {top}", note=note, top=self._lower.label(top, top))

    def _paint_grid(self, painter: QPainter) -> None:
        theme = tokens.theme()
        painter.setFont(tokens.font(tokens.SMALL))
        for number, (rect, scale) in enumerate(self._plots()):
            top = scale.grid[-1]
            for value in scale.grid:
                y = round(rect.bottom() - value / top * rect.height()) - 0.5
                painter.setPen(QPen(tokens.with_alpha(theme.ink, GRID_ALPHA), 1))
                painter.drawLine(QLineF(rect.left(), y, rect.right(), y))
                painter.setPen(theme.ter)
                label = memory_label(value, top) if number == 0 else self._lower.label(value, top)
                box = QRectF(0, y - 10, rect.left() - tokens.px(7), 20)
                painter.drawText(box, Flags.AlignRight | Flags.AlignVCenter, label)

    def _paint_times(self, painter: QPainter) -> None:
        painter.setFont(tokens.font(tokens.SMALL))
        painter.setPen(tokens.theme().ter)
        width, right = 100.0, self.memory_rect.right() + tokens.px(20)
        for tick in self._ticks():
            x = self.x_of(tick.at_epoch_s)
            half = tokens.text_width(tick.label, painter.font()) / 2
            if x - half >= self.memory_rect.left() - tokens.px(20) and x + half <= right:
                box = QRectF(x - width / 2, self._bottom() + tokens.px(4), width, tokens.px(14))
                painter.drawText(box, Flags.AlignCenter, tick.label)

    def _paint_strains(self, painter: QPainter, strains: Sequence[Strain]) -> None:
        """Paint a band at the foot of the memory plot while memory was short; a thicker one when it was nearly full."""
        theme, height = tokens.theme(), tokens.px(BAND)
        top = self.memory_rect.bottom() + 1
        for strain in strains:
            left = max(self.x_of(strain.since_epoch_s), self.memory_rect.left())
            right = min(self.x_of(strain.until_epoch_s), self.memory_rect.right())
            if right <= left:
                continue
            bad = strain.pressure is Pressure.CRITICAL
            band = QRectF(left, top, max(2.0, right - left), height)
            painter.fillRect(band, theme.red_bg if bad else theme.amber_bg)
            thick = tokens.px(4 if bad else 2)
            painter.fillRect(band.adjusted(0, 0, 0, thick - height), theme.red if bad else theme.amber)

    def _paint_gaps(self, painter: QPainter, gaps: Sequence[Gap]) -> None:
        theme = tokens.theme()
        for gap in gaps:
            left = max(self.x_of(gap.since_epoch_s), self.memory_rect.left())
            right = min(self.x_of(gap.until_epoch_s), self.memory_rect.right())
            if right - left < 1:
                continue
            for rect, _ in self._plots():
                band = QRectF(left, rect.top(), right - left, rect.height())
                painter.fillRect(band, theme.tint)
                _hatch(painter, band, theme.line2)
            words = chart_data.gap_words(gap)
            if right - left < self._pill_width(words) - tokens.px(24):
                words = chart_data.short_gap_words(gap)
            if right - left >= tokens.px(16):
                at = QPointF((left + right) / 2, self.memory_rect.center().y() + tokens.px(8))
                self._paint_pill(painter, words, at)

    def _paint_limit(self, painter: QPainter) -> None:
        """Draw the line at which the upper plot's figure meets its limit."""
        if self.limit_bytes is None:
            return
        rect, top = self.memory_rect, self._scales[0].grid[-1]
        y = round(rect.bottom() - min(1.0, self.limit_bytes / top) * rect.height()) + 0.5
        painter.setPen(QPen(tokens.theme().ink, 1))
        painter.drawLine(QLineF(rect.left(), y, rect.right(), y))
        painter.setFont(tokens.font(tokens.SMALL, tokens.MEDIUM))
        box = QRectF(rect.left() + tokens.px(6), y + tokens.px(2), rect.width(), tokens.px(14))
        words = say("limit {size}", size=numbers.memory(round(self.limit_bytes)))
        painter.drawText(box, Flags.AlignLeft | Flags.AlignVCenter, words)

    def _paint_events(self, painter: QPainter, releases: Sequence[Mark]) -> None:
        """Draw a line for every event, and the pills that fit: notes, then incidents, then releases from the left."""
        ordered = sorted(releases, key=lambda mark: mark.at_epoch_s)
        signs = [(mark, sign_of(mark)) for mark in ordered]
        signs.sort(key=lambda pair: pair[1] is not EventSign.BAD)
        events = [(at, words, EventSign.NONE) for at, words in self.notes]
        events += [(mark.at_epoch_s, self._event_words(mark), sign) for mark, sign in signs]
        shown = []
        for at_epoch_s, words, sign in events:
            x = round(self.x_of(at_epoch_s)) + 0.5
            if self.memory_rect.left() <= x <= self.memory_rect.right():
                self._paint_dashed(painter, x, sign)
                shown.append((x, words, sign))
        taken: list[tuple[float, float]] = []
        for x, words, sign in shown:
            half = self._pill_width(words, sign=sign) / 2
            centre = min(max(x, half + 2), self.width() - half - 2)
            if all(centre + half < left or centre - half > right for left, right in taken):
                taken.append((centre - half - 2, centre + half + 2))
                at = QPointF(centre, self.memory_rect.top() + 2)
                self._paint_pill(painter, words, at, sign=sign)

    def _event_words(self, mark: Mark) -> str:
        """Return the words of a mark; an incident's sentence gives way."""
        words = _mark_words(mark)
        metrics = QFontMetrics(tokens.font(tokens.SMALL, tokens.MEDIUM))
        return metrics.elidedText(words, Qt.TextElideMode.ElideRight, tokens.px(MOST_WORDS))

    def _paint_dashed(self, painter: QPainter, x: float, sign: EventSign) -> None:
        pen = QPen(tokens.theme().amber if sign is EventSign.BAD else tokens.theme().sec, 1)
        pen.setDashPattern(_DASHES.get(sign, [3.0, 2.0]))
        painter.setPen(pen)
        for rect, _ in self._plots():
            painter.drawLine(QLineF(x, rect.bottom(), x, rect.top()))

    def _paint_host_marks(self, painter: QPainter) -> None:
        """Put each mark at the right end of its layers, in the middle of their last known thickness."""
        _, scale = self._plots()[0]
        if not scale.ends or not self._marks:
            return
        rect, top = self.memory_rect, scale.grid[-1]
        wanted: list[tuple[Sign, float, float]] = []
        below = 0.0
        for layer, end in zip(self._layers, scale.ends, strict=True):
            mark = self._marks.get(layer.key)
            if mark is not None and end > below:
                joins = bool(wanted) and wanted[-1][0] == mark and wanted[-1][2] == below
                first = wanted.pop()[1] if joins else below
                wanted.append((mark, first, end))
            below = end
        side = tokens.px(MARK_SIDE)
        ends = [(low + high) / 2 / top * rect.height() - rect.bottom() for _, low, high in wanted]
        placed = chart_data.spread(
            ends, apart=tokens.px(MARKS_APART), low=-(rect.bottom() - side / 2), high=-(rect.top() + side / 2)
        )
        for (mark, _, _), y in zip(wanted, placed, strict=True):
            box = QRectF(rect.right() + tokens.px(7), -y - side / 2, side, side)
            _paint_sign(painter, box, mark)

    # The crosshair.

    def _paint_crosshair(self, painter: QPainter, reading: Reading) -> None:
        theme = tokens.theme()
        x = round(self.x_of(reading.at_epoch_s)) + 0.5
        if not self.memory_rect.left() - 1 <= x <= self.memory_rect.right() + 1:
            return
        painter.setPen(QPen(theme.ink, 1))
        for rect, _ in self._plots():
            painter.drawLine(QLineF(x, rect.top(), x, rect.bottom()))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        values = (reading.memory_bytes, reading.cpu_percent)
        for (rect, scale), value in zip(self._plots(), values, strict=False):
            if value is not None:
                y = rect.bottom() - min(value / scale.grid[-1], 1.0) * rect.height()
                painter.setPen(QPen(theme.card, 1.5))
                painter.setBrush(theme.ink)
                painter.drawEllipse(QPointF(x, y), tokens.px(4), tokens.px(4))

    def _paint_values(self, painter: QPainter, reading: Reading) -> None:
        x = round(self.x_of(reading.at_epoch_s)) + 0.5
        if not self.memory_rect.left() - 1 <= x <= self.memory_rect.right() + 1:
            return
        self._paint_card(painter, reading, x)
        if self.cpu_rect is not None and reading.cpu_percent is not None:
            words = self._lower.say(reading.cpu_percent)
            half = self._pill_width(words) / 2
            side = -1 if x + 2 * half + 12 > self.width() else 1
            self._paint_pill(painter, words, QPointF(x + side * (half + 8), self.cpu_rect.top() + tokens.px(22)))

    def _paint_card(self, painter: QPainter, reading: Reading, x: float) -> None:
        theme = tokens.theme()
        rows = [(layer, value) for layer, value in reversed(reading.values) if value]
        hidden = max(0, len(rows) - CARD_ROWS) if len(rows) > CARD_ROWS + 1 else 0
        if hidden:
            largest = sorted(rows, key=lambda row: -(row[1] or 0))[:CARD_ROWS]
            rows = [row for row in rows if row in largest]
        bold = tokens.font(tokens.SECOND, tokens.SEMIBOLD)
        head = (self.reading_time(), numbers.memory(_whole(reading.memory_bytes)))
        needed = round(sum(tokens.text_width(words, bold) for words in head)) + tokens.px(24 + 10)
        short = self._pressure(reading)
        warning = chart_data.strain_words(short)
        step, width = tokens.px(19), max(tokens.px(CARD_WIDTH), needed, self._warning_width(warning))
        height = tokens.px(36) + step * (len(rows) + (1 if hidden else 0) + (1 if warning else 0))
        left_third = x < self.memory_rect.left() + self.memory_rect.width() / 3
        left = x + tokens.px(10) if left_third else x - tokens.px(10) - width
        top = max(2.0, min(self.memory_rect.top() + tokens.px(20), self.height() - height - 2))
        card = QRectF(left, top, width, height)
        painter.setPen(QPen(theme.line2, 1))
        painter.setBrush(theme.card)
        painter.drawRoundedRect(card, tokens.RADIUS_PART, tokens.RADIUS_PART)
        inner = card.adjusted(tokens.px(12), 0, -tokens.px(12), 0)
        line = QRectF(inner.left(), card.top() + tokens.px(8), inner.width(), step)
        _text_pair(painter, line, *head, bold, theme.ink)
        plain = tokens.font(tokens.SMALL)
        for layer, value in rows:
            line.translate(0, step)
            self._paint_card_row(painter, line, layer, value, plain)
        if hidden:
            line.translate(0, step)
            painter.setFont(plain)
            painter.setPen(theme.sec)
            painter.drawText(line.adjusted(tokens.px(20), 0, 0, 0), Flags.AlignVCenter, say("{n} more", n=hidden))
        if warning:
            line.translate(0, step)
            self._paint_warning(painter, line, warning, bad=short is Pressure.CRITICAL)

    def _warning_width(self, words: str) -> int:
        return round(tokens.text_width(words, tokens.font(tokens.SMALL, tokens.MEDIUM))) + tokens.px(46) if words else 0

    def _paint_warning(self, painter: QPainter, line: QRectF, words: str, *, bad: bool) -> None:
        theme, side = tokens.theme(), tokens.px(12)
        colour = theme.red if bad else theme.amber
        box = QRectF(line.left(), line.center().y() - side / 2, side, side)
        (marks.paint_critical if bad else marks.paint_warning)(painter, box, colour, theme.card)
        painter.setFont(tokens.font(tokens.SMALL, tokens.MEDIUM))
        painter.setPen(colour)
        painter.drawText(line.adjusted(tokens.px(20), 0, 0, 0), Flags.AlignLeft | Flags.AlignVCenter, words)

    def _paint_card_row(self, painter: QPainter, line: QRectF, layer: Layer, value: float | None, font: QFont) -> None:
        mark = self._marks.get(layer.key)
        side = tokens.px(12)
        if mark is not None:
            box = QRectF(line.left(), line.center().y() - side / 2, side, side)
            _paint_sign(painter, box, mark)
        indent = tokens.px(20) if mark is not None else 0
        if layer.key in self.highlighted:
            font = tokens.font(tokens.SMALL, tokens.SEMIBOLD)
        title = chart_data.title_of(layer)
        _text_pair(painter, line.adjusted(indent, 0, 0, 0), title, _said(value), font, tokens.theme().ink)

    # Pills.

    def _pill_width(self, words: str, *, sign: EventSign = EventSign.NONE) -> float:
        text = tokens.text_width(words, tokens.font(tokens.SMALL, tokens.MEDIUM))
        return text + tokens.px(14) + tokens.px(_SIGN_ROOM[sign])

    def _paint_pill(self, painter: QPainter, words: str, centre: QPointF, *, sign: EventSign = EventSign.NONE) -> None:
        theme = tokens.theme()
        width, height = self._pill_width(words, sign=sign), float(tokens.px(PILL_HEIGHT))
        pill = QRectF(centre.x() - width / 2, centre.y() - height / 2, width, height)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.line2, 1))
        painter.setBrush(theme.card)
        painter.drawRoundedRect(pill, height / 2, height / 2)
        painter.setFont(tokens.font(tokens.SMALL, tokens.MEDIUM))
        painter.setPen(theme.amber if sign is EventSign.BAD else theme.ink)
        text = pill.adjusted(tokens.px(_SIGN_ROOM[sign]), 0, 0, 0)
        painter.drawText(text, Flags.AlignCenter, words)
        if sign is EventSign.BAD:
            side = tokens.px(11)
            box = QRectF(pill.left() + tokens.px(6), pill.center().y() - side / 2 - 0.5, side, side)
            marks.paint_warning(painter, box, theme.amber, theme.card)
        elif sign is EventSign.BACK:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.ink)
            at = QPointF(pill.left() + tokens.px(12), pill.center().y() + 0.5)
            wide, deep = tokens.px(3.5), tokens.px(3)
            corners = [QPointF(-wide, -deep), QPointF(wide, -deep), QPointF(0, deep)]
            painter.drawPolygon(QPolygonF([at + corner for corner in corners]))
        elif sign is EventSign.ENDED:
            side = tokens.px(6)
            painter.fillRect(QRectF(pill.left() + tokens.px(9), pill.center().y() - side / 2, side, side), theme.ink)
        painter.restore()


def _paint_sign(painter: QPainter, box: QRectF, sign: Sign) -> None:
    theme = tokens.theme()
    if isinstance(sign, marks.Mark):
        marks.paint_host_mark(painter, box, sign, theme)
    else:
        small = QRectF(box.center().x() - 4, box.center().y() - 4, 8, 8)
        marks.paint_state_mark(painter, small, sign, theme.ink)


def _hatch(painter: QPainter, band: QRectF, colour: QColor) -> None:
    painter.save()
    painter.setClipRect(band)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour, 0.8))
    step, height = 4.0, band.height()
    start = band.left() - height + (band.left() % step)
    lines = []
    while start < band.right():
        lines.append(QLineF(start, band.bottom(), start + height, band.top()))
        start += step
    painter.drawLines(lines)
    painter.restore()


def _text_pair(painter: QPainter, line: QRectF, left: str, right: str, font: QFont, colour: QColor) -> None:
    """Paint a title and its figure; the title gives way."""
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(line, Flags.AlignRight | Flags.AlignVCenter, right)
    room = line.width() - tokens.text_width(right, font) - tokens.px(8)
    elided = painter.fontMetrics().elidedText(left, Qt.TextElideMode.ElideRight, int(room))
    painter.drawText(line, Flags.AlignLeft | Flags.AlignVCenter, elided)


def _said(value: float | None) -> str:
    return numbers.memory(_whole(value))


def _whole(value: float | None) -> int | None:
    return None if value is None else round(value)


def _mark_words(mark: Mark) -> str:
    """Say a mark: what came back, that something went although nothing did, or an incident up to its first clause."""
    if mark.incident_id is not None:
        return told(mark.title.partition(";")[0])
    if mark.came_back_bytes:
        return MINUS + numbers.memory(mark.came_back_bytes)
    return say("Ended") if mark.ended else say("Released")


def sign_of(mark: Mark) -> EventSign:
    """Return the sign of an event."""
    if mark.incident_id is not None:
        return EventSign.BAD
    return EventSign.ENDED if mark.ended else EventSign.BACK


def mark_sentence(mark: Mark) -> str:
    """Say an event in full."""
    if mark.incident_id is not None:
        return told(mark.title)
    size = numbers.memory(mark.came_back_bytes)
    if mark.ended:
        return say("Ended, {size} came back", size=size)
    return say("Released, {size} came back", size=size)


def memory_label(value: float, top: float) -> str:
    """Say a grid value in the unit of the axis: "10 GB", "0.5 GB", "0 GB"."""
    size = value / 1024**3
    digits = 0 if top / 1024**3 >= 3 or size == int(size) else 1
    return f"{size:.{digits}f}".replace(".", QLocale().decimalPoint()) + THIN_SPACE + "GB"


def percent_label(value: float, top: float) -> str:
    """Say a grid value of the CPU axis: "100 %", "0.5 %"."""
    digits = 0 if top > 1 or value == int(value) else 1
    return f"{value:.{digits}f}".replace(".", QLocale().decimalPoint()) + THIN_SPACE + "%"


CPU = Lower(
    title=noted("CPU"),
    note=noted("100\u202f% is one core"),
    unit=1.0,
    height=96,
    say=numbers.percent,
    label=percent_label,
    whole=100.0,
)
RSS = Lower(
    title=noted("Resident memory"),
    note=noted("follows late, is never added to it"),
    unit=1024.0**3,
    height=150,
    say=lambda value: numbers.memory(round(value)),
    label=memory_label,
)
