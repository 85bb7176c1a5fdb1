"""The page of the first start: the ring with its key, what is found here, and three switches that are off.

Shown once (`settings.welcomed`) and loaded for that alone. Fills itself as soon as something is measured; asks for no
account and sends nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from trayapp.desktop import start_at_login
from trayapp.model.plan import Action
from trayapp.model.session import StepKind
from trayapp.model.snapshot import Group, GroupKind, Snapshot
from trayapp.say import say, say_n
from trayapp.ui import tokens
from trayapp.ui.bridge import Bridge
from trayapp.ui.controls import Button, Hairline, Kind, Text
from trayapp.ui.marks import SHARED, HostMark, Mark
from trayapp.ui.ring import FIRST_RUN, RingWidget, host_mark
from trayapp.ui.switch import Switch
from trayapp.ui.tokens import MEDIUM, SEMIBOLD, px

SIZE = (760, 520)
SIDE = 40
LEFT = 280
MOST = 4
LOOKED_FOR = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundHost:
    """Hold what one row says of a host; `allows` is what can be done with it."""

    host: str
    mark: Mark
    title: str
    allows: str
    sessions: str


def found_hosts(snapshot: Snapshot, more: frozenset[str] = frozenset()) -> tuple[FoundHost, ...]:
    """Return the hosts that run here, in their order; `more` names those with which more could be allowed."""
    sessions: dict[str, list[Group]] = {instance.host: [] for instance in snapshot.instances}
    for group in snapshot.groups:
        if group.kind is GroupKind.SESSION and group.host is not None:
            sessions.setdefault(group.host, []).append(group)
    order = {label.host: (label.rank, label.host) for label in snapshot.labels}
    hosts = sorted(sessions, key=lambda host: order.get(host, (sys.maxsize, host)))
    return tuple(_found(host, sessions[host], snapshot, can_more=host in more) for host in hosts)


def _found(host: str, groups: Sequence[Group], snapshot: Snapshot, *, can_more: bool) -> FoundHost:
    label = snapshot.label(host)
    return FoundHost(
        host=host,
        mark=host_mark(host, snapshot),
        title=label.title if label is not None else host,
        allows=say("Shows more once you allow it, see Settings") if can_more else _allows(groups),
        sessions=say_n("{n} session", "{n} sessions", len(groups)) if groups else say("No session"),
    )


def _allows(groups: Sequence[Group]) -> str:
    """Say how sessions of a host are released."""
    steps = {step.kind for group in groups for step in group.ladder}
    if StepKind.HOST_CALL in steps:
        return say("Releases idle sessions itself when asked")
    if any(decision.action is Action.RELEASE for group in groups for decision in group.decisions):
        return say("Idle sessions are released by signal, and resumed there")
    return say("What it holds is shown")


class _Swatch(Enum):
    SOLID = auto()
    OUTLINED = auto()
    LINE = auto()


class _KeySign(QWidget):
    """Show how a part of the ring is drawn."""

    def __init__(self, swatch: _Swatch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._swatch = swatch
        self.setFixedSize(px(18), px(18))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), tokens.theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(0, (self.height() - px(10)) / 2, self.width(), px(10))
        painter.setPen(Qt.PenStyle.NoPen)
        if self._swatch is _Swatch.LINE:
            painter.setBrush(theme.track)
            painter.drawRoundedRect(QRectF(0, self.height() / 2 - 1.5, self.width(), 3), 1.5, 1.5)
        elif self._swatch is _Swatch.SOLID:
            painter.setBrush(theme.ink)
            painter.drawRoundedRect(box, 2.5, 2.5)
        else:
            painter.setPen(QPen(theme.ink, 1.6))
            painter.setBrush(tokens.with_alpha(theme.ink, theme.zone_fill))
            painter.drawRoundedRect(box.adjusted(0.8, 0.8, -0.8, -0.8), 2.5, 2.5)


class FirstRun(QDialog):
    """Welcome, once. Whatever it is left by, it is not shown again."""

    # In the UI thread, when it was left for a page; payload: "overview", "settings" or "policies".
    page_wanted = Signal(str)

    def __init__(
        self, bridge: Bridge, login: start_at_login.StartAtLogin | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._login = login if login is not None else start_at_login.for_this_user()
        self._shown: tuple[FoundHost, ...] | None = None
        self.setWindowTitle("Agent Ring")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self.setFixedWidth(px(SIZE[0]))
        self.ring = RingWidget(FIRST_RUN)
        self.words = Text("", tone="sec", wrap=True)
        self.login = Switch(say("Start at login"))
        self.waiting = Switch(say("Tell me when a session waits for me"))
        self.automatic = Switch(say("Automatic release"))
        self.automatic.setAccessibleDescription(say("Off until you choose a policy"))
        self.wrong = Text("", size=tokens.SECOND, tone="amber", wrap=True)
        self.settings = Button(say("Settings…"))
        self.sessions = Button(say("Show sessions"), Kind.PRIMARY)
        self._hosts = QVBoxLayout()
        self._hosts.setSpacing(0)
        self._rows: QWidget | None = None
        self._lay_out()
        self._show_switches()
        self.login.clicked.connect(self._set_login)
        self.waiting.clicked.connect(self._set_waiting)
        self.automatic.clicked.connect(self._choose_policy)
        self.settings.clicked.connect(lambda: self._leave("settings"))
        self.sessions.clicked.connect(lambda: self._leave("overview"))
        self.finished.connect(self._remember)
        bridge.snapshot_changed.connect(self.show_snapshot)
        bridge.consents_changed.connect(lambda: self.show_snapshot(bridge.snapshot))
        self.show_snapshot(bridge.snapshot)
        self.sessions.setFocus(Qt.FocusReason.PopupFocusReason)

    # ---- layout

    def _lay_out(self) -> None:
        body = QHBoxLayout()
        body.setContentsMargins(px(SIDE), px(40), px(SIDE), px(16))
        body.setSpacing(px(24))
        body.addLayout(self._left())
        body.addLayout(self._right(), 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(body, 1)
        column.addWidget(Hairline())
        column.addLayout(self._foot())

    def _left(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(px(6))
        column.addStretch(1)
        column.addWidget(self.ring, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(px(28))
        for swatch, name, meaning in (
            (_Swatch.SOLID, say("Solid"), say("in use, or kept")),
            (_Swatch.OUTLINED, say("Outlined"), say("can be released now")),
            (_Swatch.LINE, say("Thin line"), say("the rest of this computer")),
        ):
            line = QHBoxLayout()
            line.setSpacing(px(8))
            line.addWidget(_KeySign(swatch))
            word = Text(name, size=tokens.SECOND, weight=SEMIBOLD)
            word.setFixedWidth(round(tokens.text_width(name, word.font())) + 2)
            line.addWidget(word)
            line.addWidget(Text(meaning, size=tokens.SECOND, tone="sec", wrap=True), 1)
            column.addLayout(line)
        column.addStretch(1)
        holder = QWidget()
        holder.setFixedWidth(px(LEFT))
        holder.setLayout(column)
        whole = QVBoxLayout()
        whole.addWidget(holder, 1)
        return whole

    def _right(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(0)
        title = Text(say("Agent Ring is running"), size=tokens.TITLE_FIRST_RUN, weight=SEMIBOLD, tracked=True)
        column.addWidget(title)
        column.addSpacing(px(6))
        where = (
            say("The ring in your menu bar shows what AI agents hold of this computer's memory. Click it to see them.")
            if sys.platform == "darwin"
            else say("The ring in your tray shows what AI agents hold of this computer's memory. Click it to see them.")
        )
        column.addWidget(Text(where, tone="sec", wrap=True))
        column.addSpacing(px(14))
        self._heading = Text(say("Found on this computer"), size=tokens.SECOND, weight=SEMIBOLD, tone="sec")
        column.addWidget(self._heading)
        column.addSpacing(px(4))
        column.addWidget(self.words)
        column.addLayout(self._hosts)
        column.addStretch(1)
        column.addSpacing(px(8))
        for switch, help_words in (
            (self.login, ""),
            (self.waiting, ""),
            (self.automatic, say("Off until you choose a policy")),
        ):
            column.addLayout(_switch_line(switch, help_words))
        column.addWidget(self.wrong)
        self.wrong.hide()
        return column

    def _foot(self) -> QHBoxLayout:
        foot = QHBoxLayout()
        foot.setContentsMargins(px(SIDE), px(14), px(SIDE), px(14))
        foot.setSpacing(px(8))
        words = QVBoxLayout()
        words.setSpacing(0)
        for sentence in (
            say("Reads process tables and session files, never what you wrote."),
            say("Sends nothing, and needs no account."),
        ):
            words.addWidget(Text(sentence, size=tokens.SECOND, tone="sec", wrap=True))
        foot.addLayout(words, 1)
        foot.addWidget(self.settings)
        foot.addWidget(self.sessions)
        return foot

    # ---- what is shown

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._bridge.want_detail(self, True)
        self._bridge.ask_consents()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._bridge.want_detail(self, False)

    @property
    def hosts(self) -> tuple[FoundHost, ...]:
        """Return the hosts that are shown."""
        return self._shown or ()

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        """Show what was found by now."""
        self.ring.show_snapshot(snapshot)
        if snapshot is None:
            self.words.setText(say("Looking at what runs. That takes a second or two."))
            self._fit()
            return
        found = found_hosts(snapshot, frozenset(self._bridge.consents))
        if found == self._shown:
            return
        self._shown = found
        self.words.setVisible(not found)
        self.words.setText("" if found else _nothing(snapshot))
        self._show_rows(found)
        self._fit()

    def _show_rows(self, found: Sequence[FoundHost]) -> None:
        if self._rows is not None:
            self._hosts.removeWidget(self._rows)
            self._rows.hide()
            self._rows.deleteLater()
        self._rows = rows = QWidget()
        column = QVBoxLayout(rows)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        shown = found if len(found) <= MOST else found[: MOST - 1]
        for host in shown:
            column.addWidget(_host_row(host))
            line = QHBoxLayout()
            tokens.set_margins(line, px(32), 0, 0, 0)
            line.addWidget(Hairline())
            column.addLayout(line)
        if len(found) > len(shown):
            rest = found[len(shown) :]
            more = say("And {names}", names=", ".join(host.title for host in rest))
            column.addSpacing(px(6))
            column.addWidget(Text(more, size=tokens.SECOND, tone="sec"))
        self._hosts.addWidget(rows)
        rows.show()  # at once: what is not shown yet has no height

    def _fit(self) -> None:
        layout = self.layout()
        wanted = layout.totalHeightForWidth(self.width()) if layout is not None else 0
        self.setFixedHeight(max(px(SIZE[1]), wanted))

    def _show_switches(self) -> None:
        self.login.show_on(self._login.is_on())
        self.waiting.show_on(self._bridge.backend.settings.alert_waiting)
        self.automatic.show_on(any(policy.on for policy in self._bridge.backend.policies()))

    # ---- what is asked for

    def _set_login(self) -> None:
        try:
            if self.login.isChecked():
                self._login.turn_on(start_at_login.command_to_run())
            else:
                self._login.turn_off()
        except OSError as error:
            self._refused(say("Start at login: {error}", error=error))

    def _set_waiting(self) -> None:
        wanted = replace(self._bridge.backend.settings, alert_waiting=self.waiting.isChecked())
        self._bridge.when_done(self._bridge.backend.update_settings(wanted), lambda _none: None, self._refused)

    def _refused(self, sentence: str) -> None:
        self.wrong.setText(sentence)
        self.wrong.show()
        self._show_switches()
        self._fit()

    def _choose_policy(self) -> None:
        """Lead to the policies: one of them is switched on there, with what it would do in sight."""
        self._show_switches()
        self._leave("policies")

    def _leave(self, page: str) -> None:
        self.accept()
        self.page_wanted.emit(page)

    def _remember(self, _result: int) -> None:
        settings = self._bridge.backend.settings
        if not settings.welcomed:
            future = self._bridge.backend.update_settings(replace(settings, welcomed=True))
            self._bridge.when_done(future, lambda _none: None, lambda _sentence: None)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), tokens.theme().card)


def _nothing(snapshot: Snapshot) -> str:
    """Say that no agent runs, and what is looked for."""
    names = [label.title for label in sorted(snapshot.labels, key=lambda label: label.rank)]
    nothing = say("No agent runs now. Start one: it appears here and in the ring within seconds.")
    if not names:
        return nothing
    looked_for = ", ".join(names[:LOOKED_FOR])
    more = len(names) - LOOKED_FOR
    if more > 0:
        return say("{nothing} Looked for are {names} and {n} more.", nothing=nothing, names=looked_for, n=more)
    return say("{nothing} Looked for are {names}.", nothing=nothing, names=looked_for)


def _host_row(host: FoundHost) -> QWidget:
    row = QWidget()
    row.setMinimumHeight(px(40))
    line = QHBoxLayout(row)
    line.setContentsMargins(0, px(2), 0, px(2))
    line.setSpacing(px(tokens.MARK_GAP))
    mark = HostMark(SHARED, 20)
    mark.set_mark(host.mark)
    line.addWidget(mark)
    words = QVBoxLayout()
    words.setSpacing(0)
    words.addStretch(1)
    words.addWidget(Text(host.title, weight=MEDIUM))
    words.addWidget(Text(host.allows, size=tokens.SECOND, tone="sec"))
    words.addStretch(1)
    line.addLayout(words, 1)
    line.addWidget(Text(host.sessions, tone="sec", align=Qt.AlignmentFlag.AlignRight))
    row.setAccessibleName(f"{host.title}, {host.sessions}. {host.allows}")
    return row


def _switch_line(switch: Switch, help_words: str) -> QHBoxLayout:
    words = QVBoxLayout()
    words.setSpacing(0)
    words.addWidget(Text(switch.accessibleName(), weight=MEDIUM))
    if help_words:
        words.addWidget(Text(help_words, size=tokens.SECOND, tone="sec"))
    line = QHBoxLayout()
    line.setContentsMargins(0, px(4), 0, px(4))
    line.addLayout(words, 1)
    line.addWidget(switch, 0, Qt.AlignmentFlag.AlignTop)
    return line
