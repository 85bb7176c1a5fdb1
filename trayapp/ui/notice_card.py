"""What policies are about to do, with the seconds that are left to keep it.

Counts down by the clock of this computer while it is seen. Keeps and releases through the bridge.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from trayapp import targets
from trayapp.model.plan import Action, Allowed
from trayapp.model.policy import Notice
from trayapp.say import say, say_n, told
from trayapp.ui import numbers, tokens
from trayapp.ui.bridge import Bridge
from trayapp.ui.controls import Button, Panel, Text
from trayapp.ui.tokens import SEMIBOLD, px
from trayapp.wording import duration

MOST = 3
EVERY_MS = 1000


def headline(notice: Notice, *, now_epoch_s: float) -> str:
    """Say what goes and when: "In 60 s: Fix flaky upload tests, 1.2 GB"."""
    left_s = math.ceil(notice.due_epoch_s - now_epoch_s)
    what = notice.choice.title
    if notice.choice.bytes:
        what = say("{title}, {size}", title=what, size=numbers.memory(notice.choice.bytes))
    if left_s <= 0:
        return say("Now: {what}", what=what)
    return say("In {time}: {what}", time=duration(left_s), what=what)


def reason(notice: Notice) -> str:
    """Say why it goes, and by which policy."""
    why = told(notice.choice.why).rstrip(".。")
    return say("{why}. By the policy “{policy}”.", why=why, policy=notice.choice.policy)


class NoticeCard(Panel):
    """Announce one thing, and let it be kept or released at once."""

    # Emitted in the UI thread; payload: the group's key.
    opened = Signal(str)

    def __init__(
        self,
        bridge: Bridge,
        origin: str,
        clock_s: Callable[[], float],
        *,
        wide: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        """With `wide` the buttons stand beside the words."""
        super().__init__("tint", outline="ter", parent=parent)
        self._bridge, self._origin, self._clock_s = bridge, origin, clock_s
        self.notice: Notice | None = None
        self.title = Text("", weight=SEMIBOLD)
        self.why = Text("", size=tokens.SECOND, tone="sec", wrap=True)
        self.keep = Button(say("Keep it"), height=28)
        self.go = Button(say("Release now"), height=28)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(0, 0 if wide else px(6), 0, 0)
        buttons.setSpacing(px(8))
        buttons.addWidget(self.keep)
        buttons.addWidget(self.go)
        words = QVBoxLayout()
        words.setSpacing(px(2))
        words.addWidget(self.title)
        words.addWidget(self.why)
        whole = QBoxLayout(QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom, self)
        whole.setContentsMargins(px(14), px(10), px(14), px(12))
        whole.setSpacing(px(16) if wide else px(2))
        whole.addLayout(words, 1)
        whole.addLayout(buttons)
        if not wide:
            buttons.addStretch(1)
        self.keep.clicked.connect(self._keep)
        self.go.clicked.connect(self._release)

    def show_notice(self, notice: Notice) -> None:
        if notice != self.notice:
            self.notice = notice
            self.why.setText(reason(notice))
            ends = notice.choice.action is not Action.RELEASE
            self.go.setText(say("End now") if ends else say("Release now"))
            self.keep.setEnabled(True)
            self.keep.setAccessibleName(say("Keep {title}", title=notice.choice.title))
            self.go.setAccessibleName(f"{self.go.text()}: {notice.choice.title}")
            self.setAccessibleName(f"{headline(notice, now_epoch_s=self._clock_s())}. {self.why.text()}")
        self.tick()

    def tick(self) -> None:
        """Bring the seconds up to date."""
        if self.notice is not None:
            self.title.setText(headline(self.notice, now_epoch_s=self._clock_s()))
            self.go.setEnabled(not self._bridge.is_pending(self.notice.choice.group_key))

    def _keep(self) -> None:
        if self.notice is not None:
            self.keep.setEnabled(False)
            self._bridge.keep(self.notice.choice.group_key, None)

    def _release(self) -> None:
        """Release it on the person's word; what may not be released at once by now is opened instead."""
        snapshot, notice = self._bridge.snapshot, self.notice
        if snapshot is None or notice is None:
            return
        group = snapshot.group(notice.choice.group_key)
        decision = group.decision(notice.choice.action) if group is not None else None
        if group is None or decision is None or decision.allowed is not Allowed.ALLOW:
            self.opened.emit(notice.choice.group_key)
            return
        self.go.setEnabled(False)
        self._bridge.reclaim((targets.target_of(group, decision),), self._origin)


class NoticeCards(QWidget):
    """Show what is announced, the soonest first; hidden while nothing is."""

    # Emitted in the UI thread; payload: the group's key.
    opened = Signal(str)
    # Emitted in the UI thread when cards came or went.
    resized = Signal()

    def __init__(
        self,
        bridge: Bridge,
        origin: str,
        *,
        wide: bool = False,
        above: int = 0,
        clock_s: Callable[[], float] = time.time,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._bridge, self._origin, self._clock_s, self._wide = bridge, origin, clock_s, wide
        self.cards: list[NoticeCard] = []
        self._more = Text("", size=tokens.SECOND, tone="sec")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, px(above), 0, 0)
        self._column.setSpacing(px(8))
        self._column.addWidget(self._more)
        self._beat = QTimer(self)
        self._beat.setInterval(EVERY_MS)
        self._beat.timeout.connect(self._tick)
        bridge.notices_changed.connect(self.show_notices)
        self.hide()

    def show_notices(self) -> None:
        """Show what is announced now."""
        notices = self._bridge.notices
        before = [card.notice for card in self.cards if not card.isHidden()]
        while len(self.cards) < min(MOST, len(notices)):
            card = NoticeCard(self._bridge, self._origin, self._clock_s, wide=self._wide)
            card.opened.connect(self.opened)
            self.cards.append(card)
            self._column.insertWidget(len(self.cards) - 1, card)
        for card, notice in zip(self.cards, notices, strict=False):
            card.show_notice(notice)
        for at, card in enumerate(self.cards):
            card.setVisible(at < len(notices))
        more = len(notices) - MOST
        said = say_n("And {n} more, announced in its turn", "And {n} more, each is announced in its turn", more)
        self._more.setText(said if more > 0 else "")
        self._more.setVisible(more > 0)
        self.setVisible(bool(notices))
        self._beat_while_seen()
        if before != list(notices[:MOST]):
            self.resized.emit()

    def _tick(self) -> None:
        for card in self.cards:
            card.tick()

    def _beat_while_seen(self) -> None:
        if self.isVisible() and self._bridge.notices:
            self._beat.start()
        else:
            self._beat.stop()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._tick()
        self._beat_while_seen()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._beat.stop()
