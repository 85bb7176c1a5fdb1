"""Every setting has a control, holds at once, and goes back to what it was when the core refuses it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import replace
from datetime import datetime

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.ui import scene
from tests.ui.fake_backend import FakeBackend
from tests.ui.screenshots_window import NoLogin
from trayapp.model.access import Permission
from trayapp.settings import Settings
from trayapp.ui import tokens
from trayapp.ui.bridge import Bridge
from trayapp.ui.controls import Button, Segmented, Text
from trayapp.ui.question_dialog import QuestionDialog
from trayapp.ui.settings_page import SettingsPage

THIN = "\u202f"
NOON_S = datetime(2026, 11, 30, 12).timestamp()


class FailingLogin:
    """A start at login whose folder cannot be written."""

    def is_on(self) -> bool:
        return False

    def turn_on(self, command: Sequence[str]) -> None:
        raise PermissionError(13, "Permission denied", "autostart")

    def turn_off(self) -> None:
        """Nothing."""


@pytest.fixture
def page(qtbot: QtBot, bridge: Bridge) -> Iterator[SettingsPage]:
    made = SettingsPage(bridge, NoLogin(), clock_s=lambda: NOON_S)
    qtbot.addWidget(made)
    made.resize(900, 1800)
    with qtbot.waitExposed(made):
        made.show()
    yield made
    tokens.appearance().choose("light")


def choose(choices: Segmented, key: str) -> None:
    choices.set_current(key)
    choices.chosen.emit(key)


def words(widget: QWidget) -> list[str]:
    return [text.text() for text in widget.findChildren(Text) if text.isVisibleTo(widget)]


@pytest.mark.parametrize(
    ("control", "key", "wanted"),
    [
        ("language", "de", {"language": "de"}),
        ("motion", "off", {"motion": "off"}),
        ("interval", "5.0", {"interval_s": 5.0}),
        ("idle", "1800.0", {"idle_after_s": 1800.0}),
        ("tone", "dark", {"tray_tone": "dark"}),
        ("ring", "pressure", {"ring": "pressure"}),
        ("held", "16.0", {"alert_memory_gb": 16.0}),
        ("heap", "0.0", {"alert_heap_share": 0.0}),
        ("keep", "30", {"keep_days": 30}),
    ],
)
def test_a_choice_holds_at_once(
    qtbot: QtBot, page: SettingsPage, backend: FakeBackend, control: str, key: str, wanted: dict[str, object]
) -> None:
    with qtbot.waitSignal(page.changed) as told:
        choose(getattr(page, control), key)
    assert backend.settings == replace(Settings(), **wanted)  # type: ignore[arg-type]
    assert told.args == [backend.settings]


@pytest.mark.parametrize(
    "name", ["alert_waiting", "alert_pressure", "alert_orphans", "alert_policies", "alert_not_held"]
)
def test_each_notice_has_a_switch(qtbot: QtBot, page: SettingsPage, backend: FakeBackend, name: str) -> None:
    before = getattr(backend.settings, name)
    assert page.alerts[name].isChecked() is before
    with qtbot.waitSignal(page.changed):
        page.alerts[name].click()
    assert getattr(backend.settings, name) is not before


def test_light_and_dark_are_followed_at_once(qtbot: QtBot, page: SettingsPage, backend: FakeBackend) -> None:
    with qtbot.waitSignal(page.changed):
        choose(page.look, "dark")
    assert backend.settings.appearance == "dark"
    assert tokens.theme().is_dark


def test_notices_are_muted_for_an_hour_and_heard_again(qtbot: QtBot, page: SettingsPage, backend: FakeBackend) -> None:
    assert not page.unmute.isVisible()
    with qtbot.waitSignal(page.changed):
        page.mute_hour.click()
    assert backend.settings.muted_until_epoch_s == NOON_S + 3600
    assert "Muted until 13:00. What is told stands in the popover all the same." in words(page)
    assert not page.mute_hour.isVisible()
    with qtbot.waitSignal(page.changed):
        page.unmute.click()
    assert backend.settings.muted_until_epoch_s == 0.0
    assert page.mute_day.isVisible()


def test_muted_today_means_until_the_local_day_ends(qtbot: QtBot, page: SettingsPage, backend: FakeBackend) -> None:
    with qtbot.waitSignal(page.changed):
        page.mute_day.click()
    assert datetime.fromtimestamp(backend.settings.muted_until_epoch_s) == datetime(2026, 12, 1)


def test_a_mute_that_is_over_is_not_told(qtbot: QtBot, bridge: Bridge, backend: FakeBackend) -> None:
    backend.settings = Settings(muted_until_epoch_s=NOON_S - 1)
    page = SettingsPage(bridge, NoLogin(), clock_s=lambda: NOON_S)
    qtbot.addWidget(page)
    assert page.unmute.isHidden()


def test_recording_is_paused_and_goes_on(qtbot: QtBot, page: SettingsPage, backend: FakeBackend) -> None:
    assert page.record.text() == "Pause"
    qtbot.waitUntil(lambda: f"21{THIN}MB on disk, kept for 365{THIN}d" in words(page))
    with qtbot.waitSignal(page.changed):
        page.record.click()
    assert not backend.settings.record
    assert (page.record.text(), page.record.accessibleName()) == ("Go on", "Go on recording")
    assert "Paused: the charts have a gap until you go on" in words(page)
    with qtbot.waitSignal(page.changed):
        page.record.click()
    assert backend.settings.record


def test_the_figure_for_memory_is_named_and_explained(page: SettingsPage) -> None:
    assert {"physical footprint", "What this system gets back when a process ends"} <= set(words(page))


def test_where_there_is_resident_memory_only_that_is_said(qtbot: QtBot) -> None:
    backend = FakeBackend(replace(scene.scene(), footprint_metric=None))
    bridge = Bridge(backend)
    page = SettingsPage(bridge, NoLogin())
    qtbot.addWidget(page)
    assert "Resident memory: shared pages count in each process, so sums are too high" in words(page)
    bridge.close()
    bridge.deleteLater()


def test_automatic_release_says_whether_a_policy_is_on(qtbot: QtBot, page: SettingsPage, backend: FakeBackend) -> None:
    assert "Off. A policy never touches busy, waiting or unknown sessions" in words(page)
    backend.rules = (replace(scene.IDLE_POLICY, on=True),)
    page.show_settings()
    assert "1 policy is on. It takes only what rests" in words(page)
    with qtbot.waitSignal(page.policies_wanted):
        page.policies.click()


def test_what_cannot_be_kept_is_said_and_taken_back(
    qtbot: QtBot, page: SettingsPage, backend: FakeBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused: Future[None] = Future()
    refused.set_exception(OSError("the disk is full"))
    monkeypatch.setattr(backend, "update_settings", lambda _settings: refused)
    choose(page.interval, "10.0")
    qtbot.waitUntil(lambda: page.note.words[0] == "The change could not be kept")
    assert page.interval.current == "2.0"


def test_a_start_at_login_that_cannot_be_set_stays_off(qtbot: QtBot, bridge: Bridge) -> None:
    page = SettingsPage(bridge, FailingLogin())
    qtbot.addWidget(page)
    page.login.click()
    assert not page.login.isChecked()
    assert "Permission denied" in page.note.words[1]


def test_all_is_reset_after_a_question_and_what_is_allowed_stays(
    qtbot: QtBot, page: SettingsPage, backend: FakeBackend
) -> None:
    backend.settings = replace(
        Settings(interval_s=10.0, alert_memory_gb=8.0, welcomed=True, policies=(scene.IDLE_POLICY,)),
        hosts=Settings().with_permission("codex", Permission.READ_SECRET, allowed=True).hosts,
    )
    before = backend.settings
    page.reset.click()
    asked = page.window().findChild(QuestionDialog)
    assert isinstance(asked, QuestionDialog)
    assert backend.settings == before
    with qtbot.waitSignal(page.changed):
        asked.yes.click()
    after = backend.settings
    assert (after.interval_s, after.alert_memory_gb) == (2.0, 0.0)
    assert (after.welcomed, after.policies, after.hosts) == (True, before.policies, before.hosts)
    assert page.interval.current == "2.0"


@pytest.mark.parametrize(
    ("settings", "control", "said"),
    [
        (Settings(alert_memory_gb=12.0), "held", f"12{THIN}GB"),
        (Settings(alert_heap_share=0.6), "heap", f"60{THIN}%"),
        (Settings(keep_days=45), "keep", f"45{THIN}d"),
        (Settings(interval_s=3.0), "interval", f"3{THIN}s"),
    ],
)
def test_a_figure_of_the_file_that_is_no_choice_is_shown_in_its_unit(
    qtbot: QtBot, bridge: Bridge, backend: FakeBackend, settings: Settings, control: str, said: str
) -> None:
    backend.settings = settings
    page = SettingsPage(bridge, NoLogin())
    qtbot.addWidget(page)
    assert said in [button.text() for button in getattr(page, control).findChildren(QWidget) if hasattr(button, "key")]


def test_every_control_has_a_name(page: SettingsPage) -> None:
    for control in (*page.findChildren(Button), *page.alerts.values(), page.login):
        assert control.accessibleName() or control.text()
    for choices in page.findChildren(Segmented):
        assert choices.accessibleName()
