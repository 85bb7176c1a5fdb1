"""The card that says what could be allowed with a host that runs; what it means is asked in the setup dialog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from trayapp.say import say, say_n, told
from trayapp.ui import heap_view, ring, tokens
from trayapp.ui.controls import Button, Kind, Panel, Text
from trayapp.ui.marks import SHARED, HostMark
from trayapp.ui.tokens import SEMIBOLD, px

if TYPE_CHECKING:
    from trayapp.ui.bridge import Bridge


class ConsentCard(Panel):
    """Offer the first of the hosts with which something could be allowed; "Not now" holds until the program ends."""

    # In the UI thread, on the button; payload: the host.
    setup_asked = Signal(str)
    # In the UI thread when it came, went or says something else.
    resized = Signal()

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__("tint", outline=None, parent=parent)
        self._bridge = bridge
        self._host = ""
        self._later: set[str] = set()
        self._mark = HostMark(SHARED, 22)
        self.title = Text(weight=SEMIBOLD, wrap=True)
        self.second = Text(size=tokens.SECOND, tone="sec", wrap=True)
        self.later = Button(say("Not now"), Kind.QUIET, height=25)
        self.button = Button(say("Allow…"), height=25)
        words = QVBoxLayout()
        words.setSpacing(px(2))
        words.addWidget(self.title)
        words.addWidget(self.second)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(0, px(4), 0, 0)
        buttons.setSpacing(px(tokens.MARK_GAP))
        buttons.addStretch(1)
        buttons.addWidget(self.later)
        buttons.addWidget(self.button)
        words.addLayout(buttons)
        line = QHBoxLayout(self)
        line.setContentsMargins(px(12), px(10), px(12), px(8))
        line.setSpacing(px(tokens.MARK_GAP))
        line.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        line.addLayout(words, 1)
        self.hide()
        self.button.clicked.connect(lambda: self.setup_asked.emit(self._host))
        self.later.clicked.connect(self._not_now)
        bridge.consents_changed.connect(self.show_offers)

    def show_offers(self) -> None:
        """Show what could be allowed now, or nothing."""
        snapshot = self._bridge.snapshot
        hosts = [host for host in self._bridge.consents if host not in self._later]
        shown = bool(hosts) and snapshot is not None
        before = (self.isHidden(), self.title.text(), self.second.text())
        if hosts and snapshot is not None:
            self._host = host = min(hosts)
            offers = self._bridge.consents[host]
            title = heap_view.title_of(host, snapshot)
            self._mark.set_mark(ring.host_mark(host, snapshot))
            self.title.setText(told(offers[0].title))
            more = len(offers) + sum(len(self._bridge.consents[other]) for other in hosts if other != host) - 1
            means = say("{host} needs you to allow that. What it means is shown first.", host=title)
            rest = say_n("There is {n} more offer.", "There are {n} more offers.", more) if more else ""
            self.second.setText(" ".join(part for part in (means, rest) if part))
            self.button.setAccessibleName(say("Allow with {host}: {what}", host=title, what=told(offers[0].title)))
            self.setAccessibleName(f"{self.title.text()}. {self.second.text()}")
        self.setVisible(shown)
        if before != (self.isHidden(), self.title.text(), self.second.text()):
            self.resized.emit()

    def _not_now(self) -> None:
        self._later.add(self._host)
        self.show_offers()
