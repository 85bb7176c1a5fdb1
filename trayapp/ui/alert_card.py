"""What was told unasked, as a quiet notice of the popover, with the way to it and the way to hear less."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from trayapp.alerts import Alert, AlertKind
from trayapp.say import say
from trayapp.ui import alert_words, tokens
from trayapp.ui.controls import Button, Kind, Panel, Text
from trayapp.ui.keeping import HOUR_S, end_of_day
from trayapp.ui.tokens import SEMIBOLD, px
from trayapp.wording import THIN_SPACE, clock_time

if TYPE_CHECKING:
    from trayapp.ui.notifier import Notifier

MOST = 1


class AlertCard(Panel):
    """Show one alert."""

    # Emitted in the UI thread; payload: the Alert.
    opened = Signal(object)
    put_away = Signal(object)
    # Emitted in the UI thread; payload: True = for today, False = for an hour.
    mute_asked = Signal(bool)

    def __init__(self, width: int, parent: QWidget | None = None) -> None:
        super().__init__("tint", outline=None, parent=parent)
        self._wide = width
        self.alert: Alert | None = None
        self.title = Text(weight=SEMIBOLD, wrap=True)
        self.second = Text(size=tokens.SECOND, tone="sec", wrap=True)
        self.close_button = Button("×", Kind.QUIET, height=24)
        self.open_button = Button(say("Open"), height=25)
        self.hour = Button(say("Mute for {time}", time=f"1{THIN_SPACE}h"), Kind.QUIET, height=25)
        self.today = Button(say("Mute today"), Kind.QUIET, height=25)
        head = QHBoxLayout()
        head.setSpacing(px(4))
        head.addWidget(self.title, 1)
        head.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        buttons = (self.open_button, self.hour, self.today)
        wide = sum(button.sizeHint().width() for button in buttons) + px(8) * 2
        fits = wide <= width - px(14 + 8)
        foot = QBoxLayout(QBoxLayout.Direction.LeftToRight if fits else QBoxLayout.Direction.TopToBottom)
        foot.setContentsMargins(0, px(5), 0, 0)
        foot.setSpacing(px(8 if fits else 4))
        for button in buttons:
            foot.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        if fits:
            foot.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(14), px(9), px(8), px(10))
        column.setSpacing(px(1))
        column.addLayout(head)
        column.addWidget(self.second)
        column.addLayout(foot)
        self.open_button.clicked.connect(lambda: self.opened.emit(self.alert))
        self.close_button.clicked.connect(lambda: self.put_away.emit(self.alert))
        self.hour.clicked.connect(lambda: self.mute_asked.emit(False))
        self.today.clicked.connect(lambda: self.mute_asked.emit(True))

    def show_alert(self, alert: Alert, *, muted: bool) -> None:
        title, second = alert_words.told(alert)
        self.alert = alert
        self.title.setText(title)
        self.second.setText(second)
        self.second.setVisible(bool(second))
        self.hour.setVisible(not muted)
        self.today.setVisible(not muted)
        self.setAccessibleName(f"{title}. {second}")
        self.open_button.setAccessibleName(say("Open: {title}", title=title))
        self.close_button.setAccessibleName(say("Put away: {title}", title=title))


class AlertCards(QWidget):
    """Show the newest alerts, and until when the desktop is told nothing; hidden while there is neither."""

    # Emitted in the UI thread; payload: a session's key.
    session_asked = Signal(str)
    # Emitted in the UI thread on "Open" of what is about no session: the window, or the review of orphans.
    window_asked = Signal()
    orphans_asked = Signal()
    # Emitted in the UI thread when cards came, went or grew.
    resized = Signal()

    def __init__(
        self,
        notifier: Notifier | None,
        width: int,
        *,
        clock_s: Callable[[], float] = time.time,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._notifier, self._wide, self._clock_s = notifier, width, clock_s
        self._shown: object = None
        self.cards: list[AlertCard] = []
        self._more = Text(size=tokens.SECOND, tone="sec")
        self._muted = Text(size=tokens.SECOND, tone="sec")
        self.again = Button(say("Tell me again"), Kind.QUIET, height=25)
        self._quiet = QWidget()
        line = QHBoxLayout(self._quiet)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self._muted, 1)
        line.addWidget(self.again)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(px(8))
        self._column.addWidget(self._more)
        self._column.addWidget(self._quiet)
        self.again.clicked.connect(lambda: notifier.mute(0.0) if notifier is not None else None)
        self.hide()
        if notifier is not None:
            notifier.changed.connect(self.show_alerts)

    def set_clock(self, clock_s: Callable[[], float]) -> None:
        """Tell times by another clock, for pictures."""
        self._clock_s = clock_s

    def show_alerts(self) -> None:
        """Show what was told and still holds."""
        if self._notifier is None:
            return
        alerts, muted = self._notifier.alerts, self._notifier.is_muted
        until = self._notifier.muted_until_epoch_s if muted else 0.0
        shown = (alerts, until)
        if shown == self._shown:
            return
        self._shown = shown
        while len(self.cards) < min(MOST, len(alerts)):
            self.cards.append(self._card())
        for card, alert in zip(self.cards, alerts, strict=False):
            card.show_alert(alert, muted=muted)
        for at, card in enumerate(self.cards):
            card.setVisible(at < len(alerts))
        more = max(0, len(alerts) - MOST)
        self._more.setText(say("And {n} more", n=more))
        self._more.setVisible(more > 0)
        now = self._clock_s()
        self._muted.setText(say("Messages are muted until {time}", time=_until(until, now)) if muted else "")
        self._quiet.setVisible(muted)
        self.setVisible(bool(alerts) or muted)
        self.resized.emit()

    def _card(self) -> AlertCard:
        card = AlertCard(self._wide)
        card.opened.connect(self._open)
        card.put_away.connect(self._put_away)
        card.mute_asked.connect(self._mute)
        self._column.insertWidget(len(self.cards), card)
        return card

    def _open(self, alert: Alert) -> None:
        if alert.kind is AlertKind.ORPHANS:
            self.orphans_asked.emit()
        elif alert.group_key:
            self.session_asked.emit(alert.group_key)
        else:
            self.window_asked.emit()

    def _put_away(self, alert: Alert) -> None:
        if self._notifier is not None:
            self._notifier.put_away(alert.key)

    def _mute(self, today: bool) -> None:
        now = self._clock_s()
        if self._notifier is not None:
            self._notifier.mute(end_of_day(now) if today else now + HOUR_S)


def _until(epoch_s: float, now_epoch_s: float) -> str:
    """Say until when: midnight belongs to the day that it ends."""
    if epoch_s == end_of_day(now_epoch_s):
        return say("midnight")
    return clock_time(epoch_s, now_epoch_s=now_epoch_s)
