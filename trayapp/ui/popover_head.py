"""The upper part of the popover: what each host holds, what can be released now, and what is wrong.

Shows values; asks nothing of the core.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from trayapp import targets
from trayapp.model.process import Pressure
from trayapp.model.snapshot import Group, Snapshot
from trayapp.say import say, say_n
from trayapp.ui import heap_view, numbers, ring, tokens
from trayapp.ui.controls import Button, Kind, Panel, Text
from trayapp.ui.marks import HostMark, Mark, paint_critical, paint_releasable, paint_warning
from trayapp.ui.tokens import SEMIBOLD, px, theme

MAX_KEY_ROWS = 6


class KeyList(QWidget):
    """Show what each host holds, at most six rows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[tuple[Mark, int], ...] | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._figures: list[Text] = []

    def show_parts(self, parts: Sequence[ring.Part]) -> None:
        sums: dict[Mark, int] = {}
        for part in sorted(parts, key=lambda part: (ring.ring_order(part)[1:4], part.mark.name)):
            sums[part.mark] = sums.get(part.mark, 0) + part.size_bytes
        shown = tuple(sums.items())
        if shown == self._shown:
            return
        same_marks = self._shown is not None and [m for m, _ in shown] == [m for m, _ in self._shown]
        self._shown = shown
        if same_marks and len(shown) <= MAX_KEY_ROWS:
            for figure, (_, size) in zip(self._figures, shown, strict=True):
                figure.setText(numbers.memory(size))
        else:
            self._rebuild(shown)

    def _rebuild(self, shown: Sequence[tuple[Mark, int]]) -> None:
        while (item := self._column.takeAt(0)) is not None:
            if (row := item.widget()) is not None:
                row.deleteLater()
        self._figures = []
        most = MAX_KEY_ROWS if len(shown) <= MAX_KEY_ROWS else MAX_KEY_ROWS - 1
        for mark, size in shown[:most]:
            self._column.addWidget(self._row(mark, size))
        if len(shown) > most:
            more = Text(say("{n} more", n=len(shown) - most), tone="sec")
            more.setToolTip("\n".join(f"{mark.name} {numbers.memory(size)}" for mark, size in shown[most:]))
            more.setContentsMargins(px(18) + 9, 0, 0, 0)
            more.setFixedHeight(px(25))
            self._column.addWidget(more)

    def _row(self, mark: Mark, size: int) -> QWidget:
        row = QWidget(self)
        row.setFixedHeight(px(25))
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(px(9))
        line.addWidget(HostMark(mark, 18))
        line.addWidget(Text(mark.name), 1)
        figure = Text(numbers.memory(size), tone="sec", align=Qt.AlignmentFlag.AlignRight)
        self._figures.append(figure)
        line.addWidget(figure)
        return row


class ReleaseBlock(Panel):
    """Say what can be released now, and offer it; its ground tells when memory runs short."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("tint", outline=None, parent=parent)
        self._pressure = Pressure.NORMAL
        self._can_go = False
        self.setMinimumHeight(px(60))  # more only where longer words wrap
        line = QHBoxLayout(self)
        tokens.set_margins(line, px(40), px(6), px(12), px(6))
        line.setSpacing(px(12))
        words = QVBoxLayout()
        words.setSpacing(px(1))
        self.title = Text(weight=SEMIBOLD, wrap=True)
        self.second = Text(size=tokens.SECOND, tone="sec", wrap=True)
        words.addStretch()
        words.addWidget(self.title)
        words.addWidget(self.second)
        words.addStretch()
        line.addLayout(words, 1)
        self.button = Button(say("Release…"), Kind.PRIMARY, height=32, min_width=84)
        line.addWidget(self.button)

    def show_snapshot(self, snapshot: Snapshot, *, paused: bool) -> None:
        every = targets.reclaimable(snapshot)
        # what is released in a heap ends no process, and has its own card
        can_go = [group for group in every if not heap_view.in_heap(group) or group.held_bytes > 0]
        size = numbers.memory(targets.total_bytes(can_go))
        self._pressure, self._can_go = snapshot.machine.pressure, bool(every)
        short = self._pressure in (Pressure.WARNING, Pressure.CRITICAL)
        offer = say("{size} can be released now", size=size) if can_go else say("Nothing to release")
        heap_bytes = heap_view.retained(every)
        if not can_go and heap_bytes:
            offer = say("{size} of heap can be released now", size=heap_view.estimate(heap_bytes))
        self.button.setVisible(bool(every))
        about = heap_view.both_words(targets.total_bytes(can_go), heap_bytes)
        self.button.setAccessibleName(say("Release, about {size}", size=about))
        if short:
            warns = self._pressure is Pressure.WARNING
            self.title.setText(say("Memory runs short") if warns else say("Memory is nearly full"))
            self.second.setText(offer)
        else:
            self.title.setText(offer)
            self.second.setText(_what_can_go(can_go or every))
        if paused:
            since = numbers.clock_time(snapshot.taken_at)
            self.second.setText(say("Measuring is paused since {time}", time=since))
        self.second.setVisible(bool(self.second.text()))
        tones = {Pressure.WARNING: ("amber_bg", "amber"), Pressure.CRITICAL: ("red_bg", "red")}
        ground, tone = tones.get(self._pressure, ("tint", "ink"))
        self.set_ground(ground)
        self.title.set_tone(tone)
        self.second.set_tone("ink" if short else "sec")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        shown = theme()
        title = self.title.geometry().top() + min(self.title.height(), px(18)) / 2
        sign = tokens.mirrored(QRectF(px(14), title - px(8), px(16), px(16)), self)
        if self._pressure is Pressure.WARNING:
            paint_warning(painter, sign, shown.amber, shown.amber_bg)
        elif self._pressure is Pressure.CRITICAL:
            paint_critical(painter, sign, shown.red, shown.red_bg)
        elif self._can_go:
            bar = QRectF(px(14), title - px(4.5), px(18), px(11))
            paint_releasable(painter, tokens.mirrored(bar, self), shown)


def _what_can_go(can_go: Sequence[Group]) -> str:
    orphans = sum(targets.is_orphan(group) for group in can_go)
    sessions = len(can_go) - orphans
    idle = say_n("{n} idle session", "{n} idle sessions", sessions) if sessions else ""
    without = say_n("{n} orphan", "{n} orphans", orphans) if orphans else ""
    if idle and without:
        return say("{sessions} and {orphans}", sessions=idle, orphans=without)
    return idle or without


class Notice(Panel):
    """Say in amber what is wrong and the mend."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("amber_bg", outline=None, parent=parent)
        column = QVBoxLayout(self)
        tokens.set_margins(column, px(40), px(10), px(14), px(10))
        column.setSpacing(px(2))
        self.title = Text(weight=SEMIBOLD, wrap=True)
        self.second = Text(size=tokens.SECOND, tone="sec", wrap=True)
        column.addWidget(self.title)
        column.addWidget(self.second)
        self.hide()

    def tell(self, title: str, second: str = "") -> None:
        self.title.setText(title)
        self.second.setText(second)
        self.second.setVisible(bool(second))
        self.setAccessibleName(f"{title}. {second}")
        self.setVisible(bool(title))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        top = self.title.geometry().top() + px(1)
        rect = QRectF(px(14), top, px(16), px(16))
        paint_warning(QPainter(self), rect, theme().amber, theme().amber_bg)
