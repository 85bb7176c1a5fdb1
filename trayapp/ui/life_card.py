"""The life of a session over its processes: when it ran, when it was released and resumed, and what came back.

Puts what the history knows (runs) beside what the journal knows (receipts); both are asked for, never waited for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from trayapp.model.life import Life, Run
from trayapp.model.receipt import Fate, Outcome, Receipt
from trayapp.model.snapshot import Group
from trayapp.say import say, say_n
from trayapp.ui import chart_data, marks, numbers, receipt_words, tokens
from trayapp.ui.controls import Hairline, Panel, Text
from trayapp.ui.tokens import MEDIUM, SEMIBOLD, px
from trayapp.wording import duration

MOST_ROWS = 8
ROW = 44
STRIP = 40


class Sign(Enum):
    """What stands before a row: that it runs, ran, was released, was ended by signal, or that it did not go."""

    RUNS = auto()
    RAN = auto()
    RELEASED = auto()
    ENDED = auto()
    STAYED = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Hold one row: what happened, what is to be known of it, and when."""

    at_epoch_s: float
    sign: Sign
    what: str
    more: str
    when: str


def moment_words(at_epoch_s: float, now_epoch_s: float) -> str:
    """Say a moment in local time, with its day when that is not today."""
    local, today = chart_data.local_time(at_epoch_s), chart_data.local_time(now_epoch_s)
    clock = numbers.clock_time(local)
    return clock if local.date() == today.date() else f"{chart_data.day_words(local)} {clock}"


def events_of(life: Life, receipts: Sequence[Receipt], group: Group, now_epoch_s: float) -> tuple[Event, ...]:
    """Return what is known of a session's life, the newest first."""
    there = {member.process.identity for member in group.members}
    found = [
        _of_run(run, number, now_epoch_s, runs=any(who in there for who in run.processes))
        for number, run in enumerate(life.runs)
    ]
    for receipt in receipts:
        found += [
            _of_outcome(receipt, outcome, now_epoch_s)
            for outcome in receipt.outcomes
            if outcome.target.group_key == group.key
        ]
    return tuple(sorted(found, key=lambda event: -event.at_epoch_s))


def _of_run(run: Run, number: int, now_epoch_s: float, *, runs: bool) -> Event:
    since = moment_words(run.since_epoch_s, now_epoch_s)
    length = duration((now_epoch_s if runs else run.until_epoch_s) - run.since_epoch_s)
    if runs:
        what = say("Resumed, runs for {length}", length=length) if number else say("Runs for {length}", length=length)
    else:
        what = say("Resumed, ran for {length}", length=length) if number else say("Ran for {length}", length=length)
    pid, others = run.processes[0].pid, len(run.processes) - 1
    more = (
        say_n("Process {pid} and {n} more", "Process {pid} and {n} more", others, pid=pid)
        if others
        else say("Process {pid}", pid=pid)
    )
    return Event(at_epoch_s=run.since_epoch_s, sign=Sign.RUNS if runs else Sign.RAN, what=what, more=more, when=since)


def _of_outcome(receipt: Receipt, outcome: Outcome, now_epoch_s: float) -> Event:
    at_epoch_s = receipt.started_at.timestamp()
    size = numbers.memory(outcome.came_back_bytes)
    words = {
        Fate.RELEASED: say("Released, {size} came back", size=size),
        Fate.ENDED: say("Ended, {size} came back", size=size),
        Fate.ALREADY_GONE: say("Was gone already"),
        Fate.SURVIVED: say("Something of it stayed"),
        Fate.REFUSED: say("Not released"),
    }
    signs = {Fate.RELEASED: Sign.RELEASED, Fate.ENDED: Sign.ENDED, Fate.ALREADY_GONE: Sign.RAN}
    return Event(
        at_epoch_s=at_epoch_s,
        sign=signs.get(outcome.fate, Sign.STAYED),
        what=words[outcome.fate],
        more=f"{receipt_words.asked_by(receipt)}. {receipt_words.outcome_words(receipt, outcome)}",
        when=moment_words(at_epoch_s, now_epoch_s),
    )


class LifeStrip(QWidget):
    """Show the runs as blocks on one line of time, from the first to now, with a sign for what was released."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(px(STRIP))
        self._life = Life()
        self._events: tuple[Event, ...] = ()
        self._now_epoch_s = 0.0
        self._colour = QColor()

    def show_life(self, life: Life, events: tuple[Event, ...], now_epoch_s: float, colour: QColor) -> None:
        self._life, self._events, self._now_epoch_s, self._colour = life, events, now_epoch_s, colour
        runs = say_n("{n} run", "{n} runs", len(life.runs))
        first = life.first_seen_epoch_s
        since = "" if first is None else moment_words(first, now_epoch_s)
        self.setAccessibleName(say("Line of time: {runs} since {since}", runs=runs, since=since))
        self.update()

    def _x(self, at_epoch_s: float, since: float) -> float:
        length = max(1.0, self._now_epoch_s - since)
        return (at_epoch_s - since) / length * (self.width() - 1)

    def paintEvent(self, event: QPaintEvent) -> None:
        since = self._life.first_seen_epoch_s
        if since is None:
            return
        painter, theme = QPainter(self), tokens.theme()
        top, height = px(9), px(12)
        middle = top + height / 2
        painter.fillRect(QRectF(0, middle - 0.5, self.width(), 1), theme.line2)
        fill = tokens.blend(theme.card, self._colour, theme.layer_fill)
        for run in self._life.runs:
            left = self._x(run.since_epoch_s, since)
            block = QRectF(round(left), top, max(3.0, round(self._x(run.until_epoch_s, since) - left)), height)
            painter.fillRect(block, fill)
            painter.setPen(QPen(self._colour, 1))
            painter.drawRect(block.adjusted(0.5, 0.5, -0.5, -0.5))
        for one in self._events:
            if one.sign in (Sign.RELEASED, Sign.ENDED):
                at = QPointF(min(max(self._x(one.at_epoch_s, since), px(4)), self.width() - px(4)), px(4))
                paint_sign(painter, at, one.sign, theme)
        painter.setFont(tokens.font(tokens.SMALL))
        painter.setPen(theme.ter)
        below = QRectF(0, top + height + px(3), self.width(), px(14))
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft, moment_words(since, self._now_epoch_s))
        painter.drawText(below, Qt.AlignmentFlag.AlignRight, say("now"))


def paint_sign(painter: QPainter, at: QPointF, sign: Sign, theme: tokens.Theme) -> None:
    """Paint a sign around a point."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.ink)
    match sign:
        case Sign.RELEASED:
            wide, deep = px(4), px(3.5)
            corners = [QPointF(-wide, -deep), QPointF(wide, -deep), QPointF(0, deep)]
            painter.drawPolygon(QPolygonF([at + corner for corner in corners]))
        case Sign.ENDED:
            painter.drawRect(QRectF(at.x() - px(3), at.y() - px(3), px(6), px(6)))
        case Sign.STAYED:
            box = QRectF(at.x() - px(6), at.y() - px(6), px(12), px(12))
            marks.paint_warning(painter, box, theme.amber, theme.card)
        case Sign.RUNS:
            box = QRectF(at.x() - px(4), at.y() - px(4), px(8), px(8))
            marks.paint_state_mark(painter, box, marks.StateShape.BUSY, theme.ink)
        case Sign.RAN:
            box = QRectF(at.x() - px(4), at.y() - px(4), px(8), px(8))
            marks.paint_state_mark(painter, box, marks.StateShape.GONE, theme.sec)
    painter.restore()


class _SignMark(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sign = Sign.RAN
        self.setFixedSize(px(16), px(16))

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_sign(QPainter(self), QRectF(self.rect()).center(), self.sign, tokens.theme())


class _Row(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(px(ROW))
        self._sign = _SignMark()
        self._what = Text("", weight=MEDIUM)
        self._more = Text("", size=tokens.SECOND, tone="sec")
        self._when = Text("", size=tokens.SECOND, tone="sec", align=Qt.AlignmentFlag.AlignRight)
        words = QVBoxLayout()
        words.setContentsMargins(0, px(4), 0, px(4))
        words.setSpacing(0)
        words.addWidget(self._what)
        words.addWidget(self._more)
        words.addStretch(1)
        when = QVBoxLayout()
        when.setContentsMargins(0, px(4), 0, px(4))
        when.addWidget(self._when)
        when.addStretch(1)
        line = QHBoxLayout()
        line.addLayout(words, 1)
        line.addLayout(when)
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addWidget(Hairline())
        right.addLayout(line, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(px(12))
        row.addWidget(self._sign)
        row.addLayout(right, 1)

    def show_event(self, event: Event) -> None:
        self._sign.sign = event.sign
        self._sign.update()
        self._what.setText(event.what)
        self._more.setText(event.more)
        self._when.setText(event.when)
        self.setAccessibleName(f"{event.when}: {event.what}. {event.more}")


class LifeCard(Panel):
    """Show the line of time and the newest events; rows are kept and refilled. Hidden while nothing is known."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._title = Text(say("What happened to it"), size=tokens.TITLE_CARD, weight=SEMIBOLD)
        self._peak = Text("", size=tokens.SECOND, tone="sec", align=Qt.AlignmentFlag.AlignRight)
        self.strip = LifeStrip()
        self._rows: list[_Row] = []
        self._list = QVBoxLayout()
        self._list.setSpacing(0)
        self._earlier = Text("", size=tokens.SECOND, tone="sec")
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(self._peak)
        column = QVBoxLayout(self)
        padding = px(tokens.CARD_PADDING)
        column.setContentsMargins(padding, px(16), padding, px(12))
        column.setSpacing(px(8))
        column.addLayout(head)
        column.addWidget(self.strip)
        column.addLayout(self._list)
        column.addWidget(self._earlier)
        self.hide()

    @property
    def row_words(self) -> tuple[str, ...]:
        return tuple(row.accessibleName() for row in self._rows if not row.isHidden())

    @property
    def earlier_words(self) -> str:
        return "" if self._earlier.isHidden() else self._earlier.text()

    def show_life(
        self, life: Life, receipts: Sequence[Receipt], group: Group, now_epoch_s: float, colour: QColor
    ) -> None:
        events = events_of(life, receipts, group, now_epoch_s)
        self.strip.setVisible(life.first_seen_epoch_s is not None and bool(life.runs))
        self.strip.show_life(life, events, now_epoch_s, colour)
        self._peak.setText(
            "" if not life.peak_bytes else say("at most {size} at a time", size=numbers.memory(life.peak_bytes))
        )
        shown = events[:MOST_ROWS]
        while len(self._rows) < len(shown):
            self._rows.append(_Row())
            self._list.addWidget(self._rows[-1])
        for row, event in zip(self._rows, shown, strict=False):
            row.show_event(event)
        for number, row in enumerate(self._rows):
            row.setVisible(number < len(shown))
        earlier = len(events) - len(shown)
        self._earlier.setText(say_n("{n} earlier event", "{n} earlier events", earlier) if earlier else "")
        self._earlier.setVisible(earlier > 0)
        self.setVisible(bool(events))
