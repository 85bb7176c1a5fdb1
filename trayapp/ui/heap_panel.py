"""What an action did to a heap, as a quiet block of a receipt."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from trayapp import wording
from trayapp.model.receipt import HeapChange
from trayapp.model.snapshot import Snapshot
from trayapp.say import continued, say
from trayapp.ui import heap_view, tokens
from trayapp.ui.controls import Panel, Text
from trayapp.ui.marks import SHARED, HostMark, Mark, MarkKind
from trayapp.ui.tokens import SEMIBOLD, px


class HeapPanel(Panel):
    """Tell what a release did to one heap: before and after, what was expected, and that RSS follows late."""

    def __init__(self, change: HeapChange, snapshot: Snapshot | None, parent: QWidget | None = None) -> None:
        super().__init__("tint", outline=None, parent=parent)
        title = heap_view.title_of(change.host, snapshot)
        words = heap_view.change_words(change)
        self.title = Text(say("{host}: {what}", host=title, what=continued(words)), weight=SEMIBOLD, wrap=True)
        notes = []
        if change.expected_bytes:
            notes.append(say("{size} was expected", size=heap_view.estimate(change.expected_bytes)))
        if change.collected:
            notes.append(say("collected after {time}", time=wording.duration(change.awaited_s)))
        said = ", ".join(notes)
        late = say("Its resident memory follows late, when the engine hands pages back.")
        self.second = Text(f"{said}. {late}" if said else late, size=tokens.SECOND, tone="sec", wrap=True)
        column = QVBoxLayout()
        column.setSpacing(px(2))
        column.addWidget(self.title)
        column.addWidget(self.second)
        line = QHBoxLayout(self)
        line.setContentsMargins(px(12), px(10), px(14), px(10))
        line.setSpacing(px(10))
        label = snapshot.label(change.host) if snapshot is not None else None
        mark = Mark(MarkKind.HOST, label) if label is not None else SHARED
        line.addWidget(HostMark(mark, 22), 0, Qt.AlignmentFlag.AlignTop)
        line.addLayout(column, 1)
        self.setAccessibleName(f"{self.title.text()}. {self.second.text()}")
