"""The bar that tells of a running action and of its end, whichever face it was started from.

Shows progress while it runs, what came back when it is over, and a failure until it is put away.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from trayapp.model.receipt import Fate, Progress, Receipt, Target
from trayapp.say import say, told
from trayapp.ui import heap_view, tokens
from trayapp.ui.bridge import Bridge
from trayapp.ui.controls import Button, Panel, Text
from trayapp.ui.controls import Progress as ProgressBar
from trayapp.ui.tokens import SEMIBOLD, px
from trayapp.wording import duration

SHOWN_AFTER_S = 60


def _waited(now: Progress) -> str:
    """Say what is waited for, and how long by now."""
    waited, wait = duration(now.waited_s), duration(now.wait_s)
    return say("{what}, {waited} of {wait}", what=told(now.label), waited=waited, wait=wait)


class ActionBar(Panel):
    """Show one action at a time; gone 60 s after a good end, kept after a bad one until "Done"."""

    # In the UI thread, on "Open journal".
    journal_wanted = Signal()

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__("card", parent=parent)
        self._bridge = bridge
        self._muted = False
        self._awaits_heap = False
        self._title = Text("", weight=SEMIBOLD)
        self._line = Text("", size=tokens.SECOND, tone="sec")
        self._bar = ProgressBar(height=2)
        self.stop = Button(say("Stop after this one"), height=28)
        self.journal = Button(say("Open journal"), height=28)
        self.done = Button(say("Done"), height=28)
        words = QVBoxLayout()
        words.setSpacing(px(1))
        words.addWidget(self._title)
        words.addWidget(self._line)
        row = QHBoxLayout()
        row.setSpacing(px(8))
        row.addLayout(words, 1)
        for button in (self.stop, self.journal, self.done):
            row.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(16), px(8), px(12), px(8))
        column.setSpacing(px(6))
        column.addLayout(row)
        column.addWidget(self._bar)
        self._away = QTimer(self, singleShot=True, interval=SHOWN_AFTER_S * 1000)
        self._away.timeout.connect(self.hide)
        self.stop.clicked.connect(self._stop)
        self.journal.clicked.connect(self.journal_wanted)
        self.done.clicked.connect(self.put_away)
        bridge.action_started.connect(self._begin)
        bridge.progress_changed.connect(self._progress)
        bridge.action_finished.connect(self._finish)
        bridge.failed.connect(self._fail)
        self.hide()

    @property
    def words(self) -> tuple[str, str]:
        return self._title.text(), self._line.text()

    def put_away(self) -> None:
        self._away.stop()
        self.hide()

    def set_muted(self, muted: bool) -> None:
        """Keep quiet while another view tells of the action."""
        self._muted = muted
        if muted:
            self.put_away()

    def _say(self, title: str, line: str, *, tone: str = "ink") -> None:
        self._title.set_tone(tone)
        self._title.setText(title)
        self._line.setText(line)
        self._line.setVisible(bool(line))
        self.setAccessibleName(f"{title}. {line}")

    def _set_running(self, running: bool, *, several: bool = False) -> None:
        self._bar.setVisible(running)
        self.stop.setVisible(running and several)
        self.stop.setEnabled(True)
        self.journal.setVisible(not running)
        self.done.setVisible(not running)
        self.setVisible(not self._muted)

    def _begin(self, wanted: Sequence[Target]) -> None:
        self._away.stop()
        title = say("Releasing {title}", title=wanted[0].title)
        if len(wanted) > 1:
            title = say("Releasing {number} of {n}", number=1, n=len(wanted))
        self._say(title, say("Each process is checked again just before"))
        self._bar.set_share(0)
        self._awaits_heap = False
        self.stop.setText(say("Stop after this one"))
        self._set_running(True, several=len(wanted) > 1)

    def _progress(self, now: Progress) -> None:
        if heap_view.is_collecting(now):
            self._say(say("Released, the heap follows"), _waited(now))
            self._bar.set_share(now.waited_s / now.wait_s)
            if not self._awaits_heap:
                self._awaits_heap = True
                self.stop.setText(say("Stop waiting"))
                self.stop.updateGeometry()
                self.stop.setVisible(True)
                self.stop.setEnabled(True)
            return
        title = say("Releasing {title}", title=now.title)
        if now.total != 1:
            number = min(now.done + 1, now.total)
            title = say("Releasing {number} of {n}: {title}", number=number, n=now.total, title=now.title)
        self._say(title, _waited(now) if now.wait_s else told(now.label))
        part = min(1.0, now.waited_s / now.wait_s) if now.wait_s else 0.0
        self._bar.set_share((now.done + part) / max(1, now.total))

    def _stop(self) -> None:
        self._bridge.backend.stop_after_current()
        self.stop.setEnabled(False)

    def _finish(self, receipt: Receipt) -> None:
        refused = [o for o in receipt.outcomes if o.fate is Fate.REFUSED]
        survived = [o for o in receipt.outcomes if o.fate is Fate.SURVIVED]
        back = heap_view.came_back_words(receipt)
        if len(refused) == len(receipt.outcomes) and refused:
            self._say(
                say("Not released: {title}", title=refused[0].target.title), told(refused[0].sentence), tone="amber"
            )
        elif survived or refused:
            said = (survived or refused)[0]
            self._say(back, f"{said.target.title}: {told(said.sentence)}", tone="amber")
        else:
            expected = heap_view.expected_words(receipt)
            names = receipt.outcomes[0].target.title if len(receipt.outcomes) == 1 else ""
            wanted = say("{size} expected", size=expected) if expected else ""
            parts = (names, wanted, *map(heap_view.change_words, receipt.heaps))
            self._say(back, ", ".join(part for part in parts if part))
            self._away.start()
        self._set_running(False)

    def _fail(self, sentence: str) -> None:
        self._say(say("That did not work"), sentence, tone="amber")
        self._set_running(False)
