"""The settings, a card per topic. A change holds at once; what the core refuses is said and taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QVBoxLayout, QWidget

from trayapp.consents import TITLES
from trayapp.desktop import start_at_login
from trayapp.model.access import Permission
from trayapp.settings import Settings
from trayapp.targets import Question
from trayapp.ui import glance, tokens
from trayapp.ui.bridge import Bridge
from trayapp.ui.controls import Button, FocusOutline, Hairline, Panel, Segmented, Text
from trayapp.ui.page import Note, Page
from trayapp.ui.question_dialog import QuestionDialog
from trayapp.ui.tokens import MEDIUM, SEMIBOLD, px
from trayapp.wording import duration

WIDTH = 640
INTERVALS_S = (1.0, 2.0, 5.0, 10.0)
IDLE_S = (300.0, 900.0, 1800.0, 3600.0)
KEEP_DAYS = (7, 30, 90, 365)
SHOWS = ((glance.MACHINE, "This computer"), (glance.HEAP, "Fullest heap"))
TONES = (("auto", "Automatic"), ("light", "Light"), ("dark", "Dark"))

DELETE = Question(
    title="Delete all measurements?",
    loss="The charts begin anew, and what was measured cannot be brought back. Settings and the journal stay.",
    verb="Delete",
)


class Switch(QAbstractButton):
    """Switch something on or off; solid is on."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setAccessibleName(name)
        self.setFixedSize(px(32), max(px(24), tokens.MIN_TARGET))

    def sizeHint(self) -> QSize:
        return self.size()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        FocusOutline.show_on(self, event, 12)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        FocusOutline.hide_on(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), tokens.theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        height = px(18)
        track = QRectF(0, (self.height() - height) / 2, self.width(), height)
        radius, knob = height / 2, height - px(6)
        if self.isChecked():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.ink)
            painter.drawRoundedRect(track, radius, radius)
        else:
            painter.setPen(QPen(theme.ter, 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(track.adjusted(0.75, 0.75, -0.75, -0.75), radius, radius)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.on_ink if self.isChecked() else theme.ter)
        left = track.right() - px(3) - knob if self.isChecked() else track.left() + px(3)
        painter.drawEllipse(QRectF(left, track.top() + px(3), knob, knob))


class SettingsPage(Page):
    """Show and change the settings."""

    # In the UI thread, when the core has taken over changed settings; payload: Settings.
    changed = Signal(object)
    # In the UI thread, when something shall be allowed with a host, which is asked first; payload: the host.
    setup_wanted = Signal(str)
    # In the UI thread, when the policies shall be shown.
    policies_wanted = Signal()

    def __init__(
        self, bridge: Bridge, login: start_at_login.StartAtLogin | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__("Settings", scrolls=True, parent=parent)
        self._bridge = bridge
        self._login = login if login is not None else start_at_login.for_this_user()
        shown = bridge.backend.settings
        self.login = Switch("Start at login")
        self.interval = _choice([(str(s), duration(s)) for s in INTERVALS_S], str(shown.interval_s))
        self.idle = _choice([(str(s), duration(s)) for s in IDLE_S], str(shown.idle_after_s))
        self.tone = _choice(TONES, shown.tray_tone)
        self.ring = _choice(SHOWS, glance.ring_of(shown))
        self.record = Switch("Record measurements")
        self.keep = _choice([(str(d), duration(d * 86400)) for d in KEEP_DAYS], str(shown.keep_days))
        self.delete = Button("Delete…", height=28)
        self.policies = Button("Policies…", height=28)
        self.consents: dict[tuple[str, Permission], Switch] = {}
        self._withdrawn: set[tuple[str, Permission]] = set()
        self._consents_shown: list[tuple[str, Permission, str, str]] = []
        self.note = Note()
        self._lay_out()
        self.login.toggled.connect(self._set_login)
        self.record.toggled.connect(lambda on: self._change(record=on))
        self.interval.chosen.connect(lambda key: self._change(interval_s=float(key)))
        self.idle.chosen.connect(lambda key: self._change(idle_after_s=float(key)))
        self.tone.chosen.connect(lambda key: self._change(tray_tone=key))
        self.ring.chosen.connect(lambda key: self._change(ring=key))
        self.keep.chosen.connect(lambda key: self._change(keep_days=int(key)))
        self.delete.clicked.connect(self._ask_delete)
        self.policies.clicked.connect(self.policies_wanted)
        bridge.consents_changed.connect(self._show_consents)
        self.show_settings()

    def _lay_out(self) -> None:
        column = QVBoxLayout()
        column.setSpacing(px(8))
        column.addWidget(self.note)
        _add_card(column, "General", [("Start at login", "", self.login)])
        _add_card(
            column,
            "Ring",
            [
                ("Icon", "Automatic follows the bar's colour", self.tone),
                ("Shows", "What the ring in the tray is of", self.ring),
            ],
        )
        _add_card(
            column,
            "Measuring",
            [
                ("Interval", "While a view is open or an agent runs", self.interval),
                ("Idle after", "Without activity for this long", self.idle),
            ],
        )
        _add_card(
            column,
            "Release",
            [("Automatic release", "Off unless you switch a policy on; it never takes what is busy", self.policies)],
        )
        _add_card(
            column,
            "History",
            [
                ("Record", "Measurements stay on this computer", self.record),
                ("Keep for", "Older measurements are removed", self.keep),
                ("Delete history", "Settings and the journal stay", self.delete),
            ],
        )
        self._consent_box = QWidget()
        self._consent_column = QVBoxLayout(self._consent_box)
        self._consent_column.setContentsMargins(0, 0, 0, 0)
        self._consent_column.setSpacing(px(8))
        column.addWidget(self._consent_box)
        column.addStretch(1)
        box = QWidget()
        box.setMaximumWidth(px(WIDTH))
        column.setContentsMargins(0, 0, 0, 0)
        box.setLayout(column)
        row = QHBoxLayout()
        row.addWidget(box, WIDTH)
        row.addStretch(1)
        self.body.addLayout(row)
        self.body.addStretch(1)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.show_settings()

    def show_settings(self) -> None:
        """Show what holds now."""
        shown = self._bridge.backend.settings
        for switch, is_on in ((self.record, shown.record), (self.login, self._login.is_on())):
            blocked = switch.blockSignals(True)
            switch.setChecked(is_on)
            switch.blockSignals(blocked)
            switch.update()
        for control, key in (
            (self.interval, str(shown.interval_s)),
            (self.idle, str(shown.idle_after_s)),
            (self.tone, shown.tray_tone),
            (self.ring, glance.ring_of(shown)),
            (self.keep, str(shown.keep_days)),
        ):
            _show_choice(control, key)
        self._show_consents()

    def _show_consents(self) -> None:
        """Show a switch for all that is allowed with a host, and for what could be."""
        settings, snapshot = self._bridge.backend.settings, self._bridge.snapshot
        allowed = {(host, permission) for host, access in settings.hosts.items() for permission in access.allowed}
        offers = {(o.host, o.permits): o for each in self._bridge.consents.values() for o in each if o.permits}
        rows = []
        for host, permission in sorted(allowed | set(offers) | self._withdrawn):
            offer = offers.get((host, permission))
            label = snapshot.label(host) if snapshot is not None else None
            title = offer.title if offer is not None else TITLES[permission]
            rows.append((host, permission, label.title if label is not None else host, title))
        if rows != self._consents_shown:
            self._consents_shown = rows
            self._make_consents(rows)
        for key, switch in self.consents.items():
            blocked = switch.blockSignals(True)
            switch.setChecked(key in allowed)
            switch.blockSignals(blocked)
            switch.update()

    def _make_consents(self, rows: Sequence[tuple[str, Permission, str, str]]) -> None:
        while (item := self._consent_column.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self.consents = {}
        shown: list[tuple[str, str, QWidget]] = []
        for host, permission, host_title, title in rows:
            switch = self.consents[host, permission] = Switch(f"{host_title}: {title}")
            switch.toggled.connect(partial(self._set_consent, host, permission))
            shown.append((title, host_title, switch))
        if shown:
            _add_card(self._consent_column, "Allowed with hosts", shown)
        self._consent_box.setVisible(bool(shown))

    def _set_consent(self, host: str, permission: Permission, on: bool) -> None:
        if on:
            self._show_consents()  # it is off until it was asked what it means
            self.setup_wanted.emit(host)
            return
        self._withdrawn.add((host, permission))  # it stays in sight, to be switched on again
        future = self._bridge.backend.permit(host, permission, allowed=False)
        self._bridge.when_done(future, self._taken_back, self._refused)

    def _taken_back(self, _none: None) -> None:
        self._changed(self._bridge.backend.settings)
        self._bridge.ask_consents()

    def _change(self, **values: Any) -> None:
        wanted = replace(self._bridge.backend.settings, **values)
        future = self._bridge.backend.update_settings(wanted)
        self._bridge.when_done(future, lambda _none: self._changed(wanted), self._refused)

    def _changed(self, settings: Settings) -> None:
        self.note.show_words("", "")
        self.changed.emit(settings)

    def _refused(self, sentence: str) -> None:
        self.note.show_words("The change could not be kept", sentence)
        self.show_settings()

    def _set_login(self, on: bool) -> None:
        try:
            if on:
                self._login.turn_on(start_at_login.command_to_run())
            else:
                self._login.turn_off()
        except OSError as error:
            self._refused(f"Start at login: {error}")

    def _ask_delete(self) -> None:
        dialog = QuestionDialog(DELETE, self.window(), danger=True)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(self._delete)
        dialog.open()

    def _delete(self) -> None:
        self.delete.setEnabled(False)
        future = self._bridge.backend.delete_history()
        self._bridge.when_done(future, lambda _none: self._deleted("Deleted"), self._not_deleted)

    def _deleted(self, word: str) -> None:
        self.delete.setText(word)

    def _not_deleted(self, sentence: str) -> None:
        self.delete.setEnabled(True)
        self._refused(sentence)


def _choice(choices: Sequence[tuple[str, str]], current: str) -> Segmented:
    """Make a control; a value from the file that is none of the choices is shown as one more."""
    keys = [key for key, _ in choices]
    more = [] if current in keys else [(current, _said(current))]
    return Segmented([*choices, *more], current)


def _said(key: str) -> str:
    try:
        return duration(float(key))
    except ValueError:
        return key


def _show_choice(control: Segmented, key: str) -> None:
    if key in control.keys:
        control.set_current(key)


def _add_card(column: QVBoxLayout, title: str, rows: Sequence[tuple[str, str, QWidget]]) -> None:
    heading = Text(title, weight=SEMIBOLD)
    column.addWidget(heading)
    card = Panel()
    inner = QVBoxLayout(card)
    inner.setContentsMargins(px(20), px(4), px(20), px(4))
    inner.setSpacing(0)
    for number, (label, helped, control) in enumerate(rows):
        if number:
            inner.addWidget(Hairline())
        inner.addWidget(_setting(label, helped, control))
        if not control.accessibleName():
            control.setAccessibleName(label)
    column.addWidget(card)
    column.addSpacing(px(10))


def _setting(label: str, helped: str, control: QWidget) -> QWidget:
    row = QWidget()
    line = QHBoxLayout(row)
    line.setContentsMargins(0, px(8), 0, px(8))
    line.setSpacing(px(16))
    words = QVBoxLayout()
    words.setSpacing(0)
    words.addWidget(Text(label, weight=MEDIUM))
    if helped:
        words.addWidget(Text(helped, size=tokens.SECOND, tone="sec", wrap=True))
    line.addLayout(words, 1)
    line.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter)
    return row
