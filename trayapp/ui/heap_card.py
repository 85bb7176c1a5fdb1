"""A host's heap in the popover: its gauge, what is in it, how fast it fills, and the release of what can go.

Where a host tells nothing of its heap the card says what is missing, and offers to put it in place.
"""

from __future__ import annotations

from collections.abc import Hashable

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from trayapp.model.process import Identity
from trayapp.model.snapshot import HeapUse, Snapshot
from trayapp.say import say, say_n
from trayapp.ui import heap_view, ring, tokens
from trayapp.ui.controls import Button, Panel, Text
from trayapp.ui.fullness import Fullness, fullness
from trayapp.ui.heap_view import Silent
from trayapp.ui.marks import HostMark, paint_critical, paint_warning
from trayapp.ui.tokens import SEMIBOLD, px, theme

MOST_CARDS = 2
_GROUNDS = {Fullness.FINE: "tint", Fullness.WARNING: "amber_bg", Fullness.CRITICAL: "red_bg"}
_TONES = {Fullness.FINE: "ink", Fullness.WARNING: "amber", Fullness.CRITICAL: "red"}


class HeapCard(Panel):
    """Show one heap. Its segments are the sessions in it, by estimate."""

    # In the UI thread, on a click or Enter on a segment; payload: the session's key.
    opened = Signal(str)
    # In the UI thread; payload: key of the segment under the pointer or focus, or "".
    pointed = Signal(str)
    # In the UI thread, on the button; payload: Identity of the host.
    release_asked = Signal(object)

    def __init__(self, identity: Identity, parent: QWidget | None = None) -> None:
        super().__init__("tint", outline=None, parent=parent)
        self._identity = identity
        self._fullness = Fullness.FINE
        self.gauge = ring.RingWidget(ring.HEAP)
        self.title = Text(weight=SEMIBOLD)
        self.used = Text(size=tokens.SECOND, tone="sec", wrap=True)
        self.content = Text(size=tokens.SECOND, tone="sec", wrap=True)
        self.growth = Text(size=tokens.SECOND, tone="sec", wrap=True)
        self.button = Button("", height=25)
        words = QVBoxLayout()
        words.setSpacing(px(1))
        words.addStretch()
        for text in (self.title, self.used, self.content, self.growth):
            words.addWidget(text)
        words.addSpacing(px(5))
        foot = QHBoxLayout()
        foot.addWidget(self.button)
        foot.addStretch()
        words.addLayout(foot)
        words.addStretch()
        line = QHBoxLayout(self)
        line.setContentsMargins(px(9), px(9), px(12), px(9))
        line.setSpacing(px(11))
        line.addWidget(self.gauge, 0, Qt.AlignmentFlag.AlignVCenter)
        line.addLayout(words, 1)
        self.gauge.chosen.connect(self._choose)
        self.gauge.pointed.connect(self.pointed)
        self.button.clicked.connect(lambda: self.release_asked.emit(self._identity))

    def show_heap(self, heap: HeapUse, snapshot: Snapshot) -> None:
        self._identity = heap.identity
        self._fullness = fullness(heap)
        title = heap_view.title_of(heap.host, snapshot)
        can_go = heap_view.releasable_in(snapshot, heap.identity)
        growth = heap_view.growth_words(heap)
        self.gauge.show_heap(heap, snapshot)
        heads = {
            Fullness.FINE: say("Heap of {host}", host=title),
            Fullness.WARNING: say("The heap of {host} fills up", host=title),
            Fullness.CRITICAL: say("The heap of {host} is nearly full", host=title),
        }
        self.title.setText(heads[self._fullness])
        self.title.set_tone(_TONES[self._fullness])
        self.used.setText(heap_view.used_words(heap))
        self.content.setText(heap_view.content_words(heap))
        self.growth.setText(growth[:1].upper() + growth[1:])
        self.growth.setVisible(bool(growth))
        for text in (self.used, self.content, self.growth):
            text.set_tone("sec" if self._fullness is Fullness.FINE else "ink")
        self.button.setVisible(bool(can_go))
        size = heap_view.estimate(heap_view.retained(can_go))
        self.button.setText(
            say_n("Release {n} session, {size} heap…", "Release {n} sessions, {size} heap…", len(can_go), size=size)
        )
        self.button.setAccessibleName(
            say_n(
                "Release {n} session of {host}, about {size}",
                "Release {n} sessions of {host}, about {size}",
                len(can_go),
                host=title,
                size=size[1:],
            )
        )
        self.button.updateGeometry()
        parts = (self.title.text(), self.used.text(), self.content.text(), self.growth.text())
        self.setAccessibleName(". ".join(part for part in parts if part))
        self.set_ground(_GROUNDS[self._fullness])
        self.update()

    def mark(self, key: str) -> None:
        """Mark a session's segment, as when its row is under the pointer."""
        self.gauge.mark(key)

    def _choose(self, key: str) -> None:
        if key != ring.SHARED_HEAP:
            self.opened.emit(key)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._fullness is Fullness.FINE:
            return
        shown, side = theme(), px(15)
        centre = self.title.geometry().center().y()
        box = QRectF(self.width() - px(12) - side, centre - side / 2, side, side)
        if self._fullness is Fullness.WARNING:
            paint_warning(QPainter(self), box, shown.amber, shown.amber_bg)
        else:
            paint_critical(QPainter(self), box, shown.red, shown.red_bg)


class SilentCard(Panel):
    """Say that a host's sessions live in a heap of which nothing is told, and offer to change that."""

    # In the UI thread, on the button; payload: the host.
    setup_asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("tint", outline=None, parent=parent)
        self._host = ""
        self._mark: HostMark | None = None
        self.title = Text(weight=SEMIBOLD, wrap=True)
        self.second = Text(size=tokens.SECOND, tone="sec", wrap=True)
        self.button = Button(say("Install…"), height=25)
        words = QVBoxLayout()
        words.setSpacing(px(2))
        words.addWidget(self.title)
        words.addWidget(self.second)
        self._line = QHBoxLayout(self)
        self._line.setContentsMargins(px(12), px(10), px(12), px(10))
        self._line.setSpacing(px(tokens.MARK_GAP))
        self._line.addLayout(words, 1)
        self._line.addWidget(self.button, 0, Qt.AlignmentFlag.AlignVCenter)
        self.button.clicked.connect(lambda: self.setup_asked.emit(self._host))

    def show_silent(self, silent: Silent, snapshot: Snapshot) -> None:
        self._host = silent.host
        title = heap_view.title_of(silent.host, snapshot)
        if self._mark is None:
            self._mark = HostMark(ring.host_mark(silent.host, snapshot), 22)
            self._line.insertWidget(0, self._mark, 0, Qt.AlignmentFlag.AlignTop)
        self.title.setText(
            say_n("{n} session in the heap of {host}", "{n} sessions in the heap of {host}", silent.count, host=title)
        )
        known = heap_view.silent_words(silent)
        needs = say("How full it is and what each holds tells only a plugin in it. Releasing one needs it too.")
        self.second.setText(f"{known}. {needs}" if known else needs)
        self.button.setAccessibleName(say("Install the plugin for {host}", host=title))
        self.setAccessibleName(f"{self.title.text()}. {self.second.text()}")


class HeapCards(QWidget):
    """Show a card per heap, the fullest first; more than two are counted in a line."""

    opened = Signal(str)
    pointed = Signal(str)
    release_asked = Signal(object)
    setup_asked = Signal(str)
    # In the UI thread when cards came or went.
    resized = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cards: list[HeapCard] = []
        self.silent: list[SilentCard] = []
        self._shape: tuple[Hashable, ...] = ()
        self._more = Text(size=tokens.SECOND, tone="sec", parent=self)
        self._more.hide()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, px(8))
        self._column.setSpacing(px(8))

    def show_snapshot(self, snapshot: Snapshot) -> None:
        heaps = sorted(snapshot.heaps, key=lambda heap: (fullness(heap), heap.share or 0.0), reverse=True)
        silent = heap_view.silent_heaps(snapshot)
        shown = heaps[:MOST_CARDS]
        shown_silent = silent[: MOST_CARDS - len(shown)]
        more = len(heaps) + len(silent) - len(shown) - len(shown_silent)
        shape = (len(shown), len(shown_silent), more)
        if shape != self._shape:
            self._rebuild(len(shown), len(shown_silent), more)
            self._shape = shape
        for card, heap in zip(self.cards, shown, strict=True):
            card.show_heap(heap, snapshot)
        for blank, told in zip(self.silent, shown_silent, strict=True):
            blank.show_silent(told, snapshot)
        self._more.setText(say_n("{n} more heap, in the window", "{n} more heaps, in the window", more))
        self.setVisible(bool(shape[0] or shape[1]))

    def mark(self, key: str) -> None:
        for card in self.cards:
            card.mark(key)

    def _rebuild(self, heaps: int, silent: int, more: int) -> None:
        while (item := self._column.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None and widget is not self._more:
                widget.hide()
                widget.deleteLater()
        self.cards = [self._card() for _ in range(heaps)]
        self.silent = [self._silent() for _ in range(silent)]
        self._column.addWidget(self._more)
        self._more.setVisible(more > 0)
        for card in (*self.cards, *self.silent):
            card.show()  # a layout would do so only after the popover has taken its height
        self.resized.emit()

    def _card(self) -> HeapCard:
        card = HeapCard(Identity(0, 0))
        for mine, theirs in (
            (self.opened, card.opened),
            (self.pointed, card.pointed),
            (self.release_asked, card.release_asked),
        ):
            theirs.connect(mine)
        self._column.addWidget(card)
        return card

    def _silent(self) -> SilentCard:
        card = SilentCard()
        card.setup_asked.connect(self.setup_asked)
        self._column.addWidget(card)
        return card
