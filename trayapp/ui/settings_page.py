"""The settings, a card per topic. A change holds at once; what the core refuses is said and taken back."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from trayapp.consents import TITLES
from trayapp.desktop import start_at_login
from trayapp.model.access import Permission
from trayapp.own_files import OwnFile
from trayapp.say import noted, say, say_n, told
from trayapp.settings import Settings
from trayapp.targets import Question
from trayapp.ui import numbers, tokens
from trayapp.ui.bridge import Bridge
from trayapp.ui.controls import Button, Segmented
from trayapp.ui.keeping import end_of_day
from trayapp.ui.page import Note, Page
from trayapp.ui.question_dialog import QuestionDialog
from trayapp.ui.switch import Switch
from trayapp.ui.tokens import px
from trayapp.ui.topic_card import TopicRow, add_card, one_column, value
from trayapp.wording import THIN_SPACE, duration

INTERVALS_S = (1.0, 2.0, 5.0, 10.0)
IDLE_S = (300.0, 900.0, 1800.0, 3600.0)
KEEP_DAYS = (7, 30, 90, 365)
HELD_GB = (0.0, 8.0, 16.0, 32.0)
HEAP_SHARES = (0.0, 0.75, 0.85, 0.95)
RINGS = {"machine": noted("Agents"), "pressure": noted("Memory in use"), "heap": noted("Fullest heap")}
RING_HELP = {
    "machine": noted("What agents hold of this computer's memory"),
    "pressure": noted("How much of this computer's memory is in use"),
    "heap": noted("How full the fullest heap of a host is"),
}
TONES = {"auto": noted("Automatic"), "light": noted("Light"), "dark": noted("Dark")}
LOOKS = {"system": noted("System"), "light": noted("Light"), "dark": noted("Dark")}
MOTIONS = {"auto": noted("System"), "on": noted("On"), "off": noted("Off")}
LANGUAGES = {"auto": noted("System"), "en": "English", "de": "Deutsch", "zh_CN": "简体中文"}
MEANINGS = {
    "physical-footprint": noted("What this system gets back when a process ends"),
    "pss": noted("A process's own memory, and its part of what it shares"),
    "private-working-set": noted("What a process has for itself alone"),
}
"""What each system's figure for memory is."""

HOUR_S = 3600.0
LOOK_EVERY_MS = 15_000


class SettingsPage(Page):
    """Show and change the settings."""

    # In the UI thread, when the core has taken over changed settings; payload: Settings.
    changed = Signal(object)
    # In the UI thread, when something shall be allowed with a host, which is asked first; payload: the host.
    setup_wanted = Signal(str)
    # In the UI thread, when the policies shall be shown.
    policies_wanted = Signal()

    def __init__(
        self,
        bridge: Bridge,
        login: start_at_login.StartAtLogin | None = None,
        *,
        clock_s: Callable[[], float] = time.time,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(say("Settings"), scrolls=True, parent=parent)
        self._bridge, self._clock_s = bridge, clock_s
        self._login = login if login is not None else start_at_login.for_this_user()
        shown = bridge.backend.settings
        self.login = Switch(say("Start at login"))
        self.language = _choice(_said(LANGUAGES), shown.language)
        self.look = _choice(_said(LOOKS), shown.appearance)
        self.motion = _choice(_said(MOTIONS), shown.motion)
        self.interval = _choice([(str(s), duration(s)) for s in INTERVALS_S], str(shown.interval_s))
        self.idle = _choice([(str(s), duration(s)) for s in IDLE_S], str(shown.idle_after_s))
        self.tone = _choice(_said(TONES), shown.tray_tone)
        self.ring = _choice(_said(RINGS), shown.ring)
        self.held = _choice([(str(gb), _gigabytes(gb)) for gb in HELD_GB], str(shown.alert_memory_gb))
        self.heap = _choice([(str(share), _share(share)) for share in HEAP_SHARES], str(shown.alert_heap_share))
        self.alerts = {
            "alert_waiting": Switch(say("A session waits for me")),
            "alert_pressure": Switch(say("Memory runs short")),
            "alert_orphans": Switch(say("Orphans appear")),
            "alert_policies": Switch(say("A policy acts")),
            "alert_not_held": Switch(say("A release did not hold")),
        }
        self.mute_hour = Button(say("Mute for 1 h"), height=28)
        self.mute_day = Button(say("Mute today"), height=28)
        self.unmute = Button(say("Unmute"), height=28)
        self.record = Button("", height=28, min_width=84)
        self.keep = _choice([(str(d), duration(d * 86400)) for d in KEEP_DAYS], str(shown.keep_days))
        self.delete = Button(say("Delete…"), height=28, min_width=84)
        self.policies = Button(say("Policies…"), height=28)
        self.reset = Button(say("Reset…"), height=28, min_width=84)
        self.consents: dict[tuple[str, Permission], Switch] = {}
        self._withdrawn: set[tuple[str, Permission]] = set()
        self._consents_shown: list[tuple[str, Permission, str, str]] = []
        self._on_disk: int | None = None
        self.note = Note()
        self._beat = QTimer(self)
        self._beat.setInterval(LOOK_EVERY_MS)
        self._lay_out()
        self._connect()
        self.show_settings()

    def _connect(self) -> None:
        self.login.toggled.connect(self._set_login)
        self.record.clicked.connect(lambda: self._change(record=not self._bridge.backend.settings.record))
        self.language.chosen.connect(lambda key: self._change(language=key))
        self.look.chosen.connect(lambda key: self._change(appearance=key))
        self.motion.chosen.connect(lambda key: self._change(motion=key))
        self.interval.chosen.connect(lambda key: self._change(interval_s=float(key)))
        self.idle.chosen.connect(lambda key: self._change(idle_after_s=float(key)))
        self.tone.chosen.connect(lambda key: self._change(tray_tone=key))
        self.ring.chosen.connect(lambda key: self._change(ring=key))
        self.held.chosen.connect(lambda key: self._change(alert_memory_gb=float(key)))
        self.heap.chosen.connect(lambda key: self._change(alert_heap_share=float(key)))
        self.keep.chosen.connect(lambda key: self._change(keep_days=int(key)))
        for name, switch in self.alerts.items():
            switch.toggled.connect(partial(self._set_alert, name))
        self.mute_hour.clicked.connect(lambda: self._mute(self._clock_s() + HOUR_S))
        self.mute_day.clicked.connect(lambda: self._mute(end_of_day(self._clock_s())))
        self.unmute.clicked.connect(lambda: self._mute(0.0))
        self.delete.clicked.connect(self._ask_delete)
        self.reset.clicked.connect(self._ask_reset)
        self.policies.clicked.connect(self.policies_wanted)
        self._beat.timeout.connect(self._show_muted)
        self._bridge.consents_changed.connect(self._show_consents)

    # ---- layout

    def _lay_out(self) -> None:
        column = QVBoxLayout()
        column.addWidget(self.note)
        add_card(
            column,
            say("General"),
            [
                TopicRow(say("Start at login"), "", self.login),
                TopicRow(say("Language"), say("Takes effect at the next start of Agent Ring"), self.language),
                TopicRow(say("Appearance"), "", self.look),
                TopicRow(say("Motion"), say("What moves after an action; nothing moves by itself"), self.motion),
            ],
        )
        self._ring_row = TopicRow(say("Shows"), " ", self.ring)
        self._metric = value()
        self._metric_row = TopicRow(say("Memory figure"), "", self._metric)
        add_card(
            column,
            say("Ring"),
            [
                self._ring_row,
                TopicRow(say("Icon"), say("Automatic follows the bar's colour"), self.tone),
                self._metric_row,
            ],
        )
        add_card(
            column,
            say("Measuring"),
            [
                TopicRow(say("Interval"), say("While a view is open or an agent runs"), self.interval),
                TopicRow(say("Idle after"), say("Without activity for this long"), self.idle),
            ],
        )
        self._automatic = TopicRow(say("Automatic release"), "", self.policies)
        add_card(column, say("Release"), [self._automatic])
        self._lay_out_notices(column)
        self._recording = TopicRow(say("Record"), "", self.record)
        add_card(
            column,
            say("History"),
            [
                self._recording,
                TopicRow(say("Keep for"), say("Older measurements are removed"), self.keep),
                TopicRow(say("Delete history"), say("Settings and the journal stay"), self.delete),
            ],
        )
        self._consent_box = QWidget()
        self._consent_column = QVBoxLayout(self._consent_box)
        self._consent_column.setContentsMargins(0, 0, 0, 0)
        self._consent_column.setSpacing(px(8))
        column.addWidget(self._consent_box)
        self._lay_out_privacy(column)
        add_card(
            column,
            say("Defaults"),
            [
                TopicRow(
                    say("Reset all settings"),
                    say("Policies, what you allow with hosts, the history and the journal stay"),
                    self.reset,
                )
            ],
        )
        column.addStretch(1)
        one_column(self.body, column)

    def _lay_out_notices(self, column: QVBoxLayout) -> None:
        self._muted = TopicRow(say("Notices"), "", self.mute_hour, self.mute_day, self.unmute)
        helps = {
            "alert_waiting": "",
            "alert_pressure": say("When this computer runs out of free memory"),
            "alert_orphans": say("Helpers whose session is gone"),
            "alert_policies": say("Before it releases something, and when it has"),
            "alert_not_held": say("When something starts again what you released"),
        }
        add_card(
            column,
            say("Notices"),
            [
                self._muted,
                *(TopicRow(switch.accessibleName(), helps[name], switch) for name, switch in self.alerts.items()),
                TopicRow(say("Agents hold more than"), say("Together, of this computer's memory"), self.held),
                TopicRow(say("A host's heap is fuller than"), say("Of its own limit"), self.heap),
            ],
        )

    def _lay_out_privacy(self, column: QVBoxLayout) -> None:
        read = say("The table of your own processes, and what each host writes down about its sessions")
        past = say("Message texts are read past, and the files of your projects are not opened")
        kept = say("Figures, titles, folders and ids. No prompts, no command lines, no keys")
        sent = say("Nothing. There is no account, and no server of ours")
        secret = say("A host's token or password is read only where you allow it, and kept in memory only")
        add_card(
            column,
            say("Privacy"),
            [
                TopicRow(say("What is read"), read),
                TopicRow(say("What is never read"), past),
                TopicRow(say("What is kept on this computer"), kept),
                TopicRow(say("What is sent"), sent),
                TopicRow(say("Secrets"), secret),
            ],
        )

    # ---- what is shown

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.show_settings()
        self._beat.start()
        self._bridge.when_done(self._bridge.backend.files(), self._take_files, lambda _sentence: None)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._beat.stop()

    def show_settings(self) -> None:
        """Show what holds now."""
        shown = self._bridge.backend.settings
        self.login.show_on(self._login.is_on())
        for name, switch in self.alerts.items():
            switch.show_on(getattr(shown, name))
        for control, key in (
            (self.language, shown.language),
            (self.look, shown.appearance),
            (self.motion, shown.motion),
            (self.interval, str(shown.interval_s)),
            (self.idle, str(shown.idle_after_s)),
            (self.tone, shown.tray_tone),
            (self.ring, shown.ring),
            (self.held, str(shown.alert_memory_gb)),
            (self.heap, str(shown.alert_heap_share)),
            (self.keep, str(shown.keep_days)),
        ):
            if key in control.keys:
                control.set_current(key)
        self._ring_row.set_help(say(RING_HELP[shown.ring]))
        self._show_metric()
        self._show_automatic()
        self._show_muted()
        self._show_recording()
        self._show_consents()

    def _show_metric(self) -> None:
        snapshot = self._bridge.snapshot
        metric = snapshot.footprint_metric if snapshot is not None else None
        self._metric.setText(numbers.metric_name(snapshot) if snapshot is not None else "–")
        if snapshot is None:
            self._metric_row.set_help(say("Named as soon as something is measured"))
        elif metric in MEANINGS:
            self._metric_row.set_help(say(MEANINGS[metric]))
        else:
            self._metric_row.set_help(say("Resident memory: shared pages count in each process, so sums are too high"))

    def _show_automatic(self) -> None:
        on = sum(policy.on for policy in self._bridge.backend.policies())
        off = say("Off. A policy never touches busy, waiting or unknown sessions")
        some = say_n("{n} policy is on. It takes only what rests", "{n} policies are on. They take only what rests", on)
        self._automatic.set_help(some if on else off)

    def _show_muted(self) -> None:
        until, now = self._bridge.backend.settings.muted_until_epoch_s, self._clock_s()
        muted = until > now
        for button in (self.mute_hour, self.mute_day):
            button.setVisible(not muted)
        self.unmute.setVisible(muted)
        if muted:
            at = numbers.clock_time(datetime.fromtimestamp(until, UTC))
            words = say("Muted until {time}. What is told stands in the popover all the same.", time=at)
        else:
            words = say("As notifications of the desktop, and in the popover")
        self._muted.set_help(words)

    def _show_recording(self) -> None:
        shown = self._bridge.backend.settings
        self.record.setText(say("Pause") if shown.record else say("Go on"))
        self.record.setAccessibleName(say("Pause recording") if shown.record else say("Go on recording"))
        self.record.updateGeometry()
        if not shown.record:
            words = say("Paused: the charts have a gap until you go on")
        elif self._on_disk is None:
            words = say("Measurements stay on this computer")
        else:
            size = numbers.memory(self._on_disk)
            words = say("{size} on disk, kept for {time}", size=size, time=duration(shown.keep_days * 86_400.0))
        self._recording.set_help(words)

    def _take_files(self, files: Sequence[OwnFile]) -> None:
        self._on_disk = next((file.size_bytes for file in files if file.name == "history"), None)
        self._show_recording()

    # ---- hosts

    def _show_consents(self) -> None:
        """Show a switch for all that is allowed with a host, and for what could be."""
        settings, snapshot = self._bridge.backend.settings, self._bridge.snapshot
        allowed = {(host, permission) for host, access in settings.hosts.items() for permission in access.allowed}
        offers = {(o.host, o.permits): o for each in self._bridge.consents.values() for o in each if o.permits}
        rows = []
        for host, permission in sorted(allowed | set(offers) | self._withdrawn):
            offer = offers.get((host, permission))
            label = snapshot.label(host) if snapshot is not None else None
            title = told(offer.title) if offer is not None else say(TITLES[permission])
            rows.append((host, permission, label.title if label is not None else host, title))
        if rows != self._consents_shown:
            self._consents_shown = rows
            self._make_consents(rows)
        for key, switch in self.consents.items():
            switch.show_on(key in allowed)

    def _make_consents(self, rows: Sequence[tuple[str, Permission, str, str]]) -> None:
        while (item := self._consent_column.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self.consents = {}
        shown: list[QWidget] = []
        for host, permission, host_title, title in rows:
            switch = self.consents[host, permission] = Switch(f"{host_title}: {title}")
            switch.toggled.connect(partial(self._set_consent, host, permission))
            shown.append(TopicRow(title, host_title, switch))
        if shown:
            add_card(self._consent_column, say("Allowed with hosts"), shown)
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

    # ---- what is changed

    def _change(self, **values: Any) -> None:
        self._use(replace(self._bridge.backend.settings, **values))

    def _use(self, wanted: Settings) -> None:
        before = self._bridge.backend.settings
        future = self._bridge.backend.update_settings(wanted)

        def changed(_none: None) -> None:
            if wanted.appearance != before.appearance:
                tokens.appearance().choose(wanted.appearance)
            self._changed(wanted)

        self._bridge.when_done(future, changed, self._refused)

    def _changed(self, settings: Settings) -> None:
        self.note.show_words("", "")
        self.show_settings()
        self.changed.emit(settings)

    def _refused(self, sentence: str) -> None:
        self.note.show_words(say("The change could not be kept"), sentence)
        self.show_settings()

    def _set_alert(self, name: str, on: bool) -> None:
        self._change(**{name: on})

    def _mute(self, until_epoch_s: float) -> None:
        self._change(muted_until_epoch_s=until_epoch_s)

    def _set_login(self, on: bool) -> None:
        try:
            if on:
                self._login.turn_on(start_at_login.command_to_run())
            else:
                self._login.turn_off()
        except OSError as error:
            self._refused(say("Start at login: {error}", error=error))

    # ---- what is asked first

    def _ask(self, question: Question, then: Callable[[], None]) -> None:
        dialog = QuestionDialog(question, self.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(then)
        dialog.open()

    def _ask_delete(self) -> None:
        loss = say(
            "The charts begin anew, and what was measured cannot be brought back. Settings and the journal stay."
        )
        self._ask(
            Question(title=say("Delete all measurements?"), loss=loss, verb=say("Delete"), danger=True), self._delete
        )

    def _delete(self) -> None:
        self.delete.setEnabled(False)
        future = self._bridge.backend.delete_history()
        self._bridge.when_done(future, self._deleted, self._not_deleted)

    def _deleted(self, _none: None) -> None:
        self.delete.setText(say("Deleted"))
        self.delete.updateGeometry()
        self._bridge.when_done(self._bridge.backend.files(), self._take_files, lambda _sentence: None)

    def _not_deleted(self, sentence: str) -> None:
        self.delete.setEnabled(True)
        self._refused(sentence)

    def _ask_reset(self) -> None:
        loss = say(
            "Intervals, notices, the ring and all else on this page are as they were at first. Policies, what you"
            " allow with hosts, the history and the journal stay."
        )
        question = Question(title=say("Reset all settings?"), loss=loss, verb=say("Reset"), danger=True)
        self._ask(question, lambda: self._use(self._bridge.backend.settings.reset()))


def _said(table: dict[str, str]) -> list[tuple[str, str]]:
    return [(key, say(words)) for key, words in table.items()]


def _gigabytes(size_gb: float) -> str:
    return f"{size_gb:g}{THIN_SPACE}GB" if size_gb else say("Never")


def _share(share: float) -> str:
    return f"{share * 100:g}{THIN_SPACE}%" if share else say("Never")


def _choice(choices: Sequence[tuple[str, str]], current: str) -> Segmented:
    """Make a control; a value from the file that is none of the choices is shown as one more."""
    keys = [key for key, _ in choices]
    more = [] if current in keys else [(current, _of_file(current, keys[-1]))]
    return Segmented([*choices, *more], current)


def _of_file(key: str, like: str) -> str:
    """Say a value of the file that is none of the choices, in the unit of one of them."""
    if like == str(HELD_GB[-1]):
        return _gigabytes(float(key))
    if like == str(HEAP_SHARES[-1]):
        return _share(float(key))
    return duration(float(key) * (86_400.0 if like == str(KEEP_DAYS[-1]) else 1.0))
