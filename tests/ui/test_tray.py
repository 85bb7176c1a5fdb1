"""The tray: redrawn only when it looks different, clicks that do what is meant, a plain menu with four entries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QCursor, QGuiApplication
from PySide6.QtWidgets import QMenu, QSystemTrayIcon
from pytestqt.qtbot import QtBot

from tests.ui import scene
from tests.ui.fake_backend import FakeBackend
from trayapp.model.process import Pressure
from trayapp.settings import Settings
from trayapp.ui import tokens
from trayapp.ui import tray as module
from trayapp.ui.bridge import Bridge
from trayapp.ui.fit import place
from trayapp.ui.icon import IconKey, IconState, Tone, quantised
from trayapp.ui.popover import Popover
from trayapp.ui.tray import Tray

Reason = QSystemTrayIcon.ActivationReason


class Clock:
    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr("trayapp.ui.popover.time.monotonic", made)
    return made


@pytest.fixture
def popover(qtbot: QtBot, bridge: Bridge) -> Iterator[Popover]:
    made = Popover(bridge)
    qtbot.addWidget(made)
    yield made
    made.hide()


@pytest.fixture
def tray(bridge: Bridge, popover: Popover, clock: Clock) -> Iterator[Tray]:
    yield from make(bridge, popover, clock, "linux")


@pytest.fixture
def mac_tray(bridge: Bridge, popover: Popover, clock: Clock) -> Iterator[Tray]:
    yield from make(bridge, popover, clock, "darwin")


def make(bridge: Bridge, popover: Popover, clock: Clock, platform: str) -> Iterator[Tray]:
    made = Tray(platform=platform, is_available=lambda: True, clock_s=clock)
    made.serve(bridge, lambda: popover)
    yield made
    made.close()


def click(tray: Tray, reason: QSystemTrayIcon.ActivationReason) -> None:
    tray.icon.activated.emit(reason)


# ---- looks


def test_the_icon_is_set_only_when_it_would_look_different(
    qtbot: QtBot, tray: Tray, bridge: Bridge, backend: FakeBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_icons: list[object] = []
    monkeypatch.setattr(tray.icon, "setIcon", set_icons.append)
    fix = scene.scene().group(scene.FIX)
    assert fix is not None
    for grown_mb in range(1, 40):
        grown = replace(fix, footprint_bytes=fix.held_bytes + grown_mb * scene.MB)
        with qtbot.waitSignal(bridge.snapshot_changed):
            backend.publish(scene.with_group(scene.scene(), grown))
    assert set_icons == []
    with qtbot.waitSignal(bridge.snapshot_changed):
        backend.publish(scene.empty())
    assert len(set_icons) == 1


def test_pausing_changes_the_icon_at_once(tray: Tray, bridge: Bridge) -> None:
    bridge.set_paused(True)
    assert tray.key.state is IconState.PAUSED
    assert "paused" in tray.icon.toolTip()


def test_the_tooltip_is_one_line(tray: Tray) -> None:
    said = "Agent Ring, 12.4 of 32\u202fGB held, 5.1\u202fGB can be released, 1 session waits for you"
    assert tray.icon.toolTip() == said


@pytest.mark.parametrize(
    ("setting", "platform", "is_dark", "tone"),
    [
        ("auto", "linux", False, Tone.LIGHT_BAR),
        ("auto", "linux", True, Tone.DARK_BAR),
        ("auto", "darwin", True, Tone.TEMPLATE),
        ("light", "linux", False, Tone.DARK_BAR),
        ("dark", "win32", True, Tone.LIGHT_BAR),
    ],
)
def test_the_glyph_follows_the_setting_or_the_bar(setting: str, platform: str, is_dark: bool, tone: Tone) -> None:
    assert module.tone_of(setting, platform=platform, is_dark=is_dark) is tone


def test_the_glyph_turns_with_the_look(tray: Tray) -> None:
    tones = []
    for look in ("light", "dark"):
        tokens.appearance().choose(look)
        tones.append(tray.key.tone)
    assert tones == [Tone.LIGHT_BAR, Tone.DARK_BAR]


def test_the_glyph_of_the_settings_counts(tray: Tray, backend: FakeBackend) -> None:
    backend.settings = Settings(tray_tone="light")
    tray.refresh()
    assert tray.key.tone is Tone.DARK_BAR


def test_on_macos_the_normal_icon_is_a_mask(mac_tray: Tray) -> None:
    assert mac_tray.icon.icon().isMask()


def test_a_loud_icon_takes_its_colour_from_the_bar_itself_on_macos(
    qtbot: QtBot, mac_tray: Tray, bridge: Bridge, backend: FakeBackend
) -> None:
    for look, tone in (("light", Tone.LIGHT_BAR), ("dark", Tone.DARK_BAR)):
        tokens.appearance().choose(look)
        with qtbot.waitSignal(bridge.snapshot_changed):
            backend.publish(scene.scene(pressure=Pressure.WARNING))
        assert (mac_tray.key.state, mac_tray.key.tone) == (IconState.WARNING, tone)
        assert not mac_tray.icon.icon().isMask()
        with qtbot.waitSignal(bridge.snapshot_changed):
            backend.publish(scene.scene())
        assert mac_tray.key.tone is Tone.TEMPLATE


def test_the_ring_can_show_all_memory_that_is_in_use(tray: Tray, backend: FakeBackend) -> None:
    held = tray.key.stays + tray.key.can_go
    backend.settings = Settings(ring="pressure")
    tray.refresh()
    assert tray.key.stays + tray.key.can_go == quantised((32 - 8.2) / 32) > held
    assert tray.key.can_go == quantised(5.1 / 32)
    assert tray.icon.toolTip().startswith(
        "Agent Ring, 23.8 of 32\u202fGB in use, 12.4\u202fGB held by agents, 5.1\u202fGB can be released"
    )


# ---- clicks


@pytest.mark.parametrize("reason", [Reason.Trigger, Reason.Unknown, Reason.DoubleClick])
def test_a_left_click_toggles_the_popover_by_whatever_name(
    reason: QSystemTrayIcon.ActivationReason, tray: Tray, popover: Popover, clock: Clock
) -> None:
    click(tray, reason)
    assert popover.isVisible()
    clock.now_s += 2
    click(tray, reason)
    assert not popover.isVisible()


def test_a_double_click_leaves_it_open(tray: Tray, popover: Popover, clock: Clock) -> None:
    click(tray, Reason.Trigger)
    clock.now_s += 0.1
    click(tray, Reason.DoubleClick)
    assert popover.isVisible()


def test_the_click_that_closed_it_by_taking_the_focus_does_not_open_it_again(
    tray: Tray, popover: Popover, clock: Clock
) -> None:
    click(tray, Reason.Trigger)
    popover.hide()
    clock.now_s += 0.2
    click(tray, Reason.Trigger)
    assert not popover.isVisible()
    clock.now_s += 0.1
    click(tray, Reason.Trigger)
    assert popover.isVisible()


def test_a_middle_click_does_nothing(tray: Tray, popover: Popover) -> None:
    click(tray, Reason.MiddleClick)
    assert not popover.isVisible()


def test_without_a_place_for_the_icon_the_popover_comes_to_the_pointer(qtbot: QtBot) -> None:
    QCursor.setPos(QPoint(200, 150))
    assert module.anchor_of(QRect()).center() == QPoint(199, 149)
    assert module.anchor_of(QRect(1, 2, 3, 4)) == QRect(1, 2, 3, 4)


@pytest.mark.parametrize(
    ("pointer", "edge"),
    [((1266, 20), "top"), ((1250, 885), "bottom"), ((12, 400), "left"), ((1262, 400), "right")],
)
def test_a_pointer_in_a_panel_keeps_the_popover_out_of_it(pointer: tuple[int, int], edge: str) -> None:
    screen = QRect(0, 0, 1280, 900)
    anchor = module.likely_icon(QPoint(*pointer), screen)
    popover = QRect(place(anchor, QSize(420, 450), screen), QSize(420, 450))
    panels = {
        "top": QRect(0, 0, 1280, 34),
        "bottom": QRect(0, 866, 1280, 34),
        "left": QRect(0, 0, 26, 900),
        "right": QRect(1254, 0, 26, 900),
    }
    assert not popover.intersects(panels[edge])
    assert screen.contains(popover)


# ---- menu (case 108)


def texts(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions()]


def test_the_menu_is_plain_and_has_four_entries(tray: Tray) -> None:
    assert type(tray.menu) is QMenu
    assert texts(tray.menu) == ["Open", "Pause", "Release idle…", "Quit"]


def test_the_host_draws_the_menu_but_on_macos_there_is_no_native_one(tray: Tray, mac_tray: Tray) -> None:
    assert tray.icon.contextMenu() is tray.menu
    assert mac_tray.icon.contextMenu() is None


@pytest.mark.qt_log_ignore("does not support grabbing the keyboard")
def test_on_macos_a_right_click_pops_the_menu_at_the_pointer(mac_tray: Tray, popover: Popover, qtbot: QtBot) -> None:
    click(mac_tray, Reason.Context)
    qtbot.waitUntil(mac_tray.menu.isVisible)
    assert not popover.isVisible()
    mac_tray.menu.close()


def test_the_entries_do_what_they_say(qtbot: QtBot, tray: Tray, backend: FakeBackend) -> None:
    opened, pause, release, leave = tray.menu.actions()
    for action, signal in ((opened, tray.window_asked), (release, tray.review_asked), (leave, tray.quit_asked)):
        with qtbot.waitSignal(signal):
            action.trigger()
    pause.trigger()
    assert backend.paused
    tray.menu.aboutToShow.emit()
    assert pause.text() == "Measure again"
    pause.trigger()
    assert not backend.paused


def test_release_is_offered_only_when_something_can_go(
    qtbot: QtBot, tray: Tray, bridge: Bridge, backend: FakeBackend
) -> None:
    tray.menu.aboutToShow.emit()
    assert tray.menu.actions()[2].isEnabled()
    with qtbot.waitSignal(bridge.snapshot_changed):
        backend.publish(scene.empty())
    tray.menu.aboutToShow.emit()
    assert not tray.menu.actions()[2].isEnabled()


# ---- being there


def test_a_tray_that_appears_later_is_moved_to(
    qtbot: QtBot, bridge: Bridge, popover: Popover, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LOOK_FOR_TRAY_MS", 5)
    there = [False]
    tray = Tray(platform="linux", is_available=lambda: there[0])
    tray.serve(bridge, lambda: popover)
    assert not tray.show()
    with qtbot.waitSignal(tray.appeared):
        there[0] = True
    assert tray.is_shown
    tray.close()


def test_an_icon_that_lies_on_no_screen_is_parked() -> None:
    screens = [QRect(0, 0, 1440, 900)]
    assert module.is_parked(QRect(1200, 900, 30, 24), screens)
    assert not module.is_parked(QRect(1200, 0, 30, 24), screens)
    assert not module.is_parked(QRect(), screens)


def test_a_hidden_icon_is_explained(qtbot: QtBot, mac_tray: Tray, monkeypatch: pytest.MonkeyPatch) -> None:
    below = QGuiApplication.primaryScreen().geometry().translated(0, 5000)
    monkeypatch.setattr(mac_tray.icon, "geometry", lambda: below)
    monkeypatch.setattr(module, "PARKED_AFTER_MS", 1)
    with qtbot.waitSignal(mac_tray.hidden_by_system) as told:
        mac_tray.show()
    assert "Menu Bar" in told.args[0]


# ---- before there is a core


def test_before_the_core_it_shows_the_empty_ring_and_remembers_a_click(
    qtbot: QtBot, bridge: Bridge, popover: Popover, clock: Clock
) -> None:
    tray = Tray(platform="linux", is_available=lambda: True, clock_s=clock)
    assert tray.show()
    assert tray.key.state is IconState.NO_DATA
    click(tray, Reason.Trigger)
    tray.menu.aboutToShow.emit()
    assert [action.isEnabled() for action in tray.menu.actions()] == [False, False, False, True]
    tray.serve(bridge, lambda: popover)
    qtbot.waitUntil(popover.isVisible)
    tray.close()


def test_what_the_last_run_showed_stays_until_the_first_look(
    qtbot: QtBot, popover: Popover, backend: FakeBackend
) -> None:
    last = IconKey(state=IconState.RELEASABLE, tone=Tone.DARK_BAR, stays=90, can_go=36, old=True)
    tray = Tray(last=last, platform="linux", is_available=lambda: True)
    backend.latest = None
    unmeasured = Bridge(backend)
    tray.serve(unmeasured, lambda: popover)
    assert tray.key == last
    with qtbot.waitSignal(unmeasured.snapshot_changed):
        backend.publish(scene.scene())
    assert tray.key.state is IconState.NEEDS_YOU
    assert not tray.key.old
    tray.close()
    unmeasured.close()


def test_the_popover_is_made_by_the_first_click(qtbot: QtBot, bridge: Bridge, popover: Popover, clock: Clock) -> None:
    made: list[Popover] = []

    def make_it() -> Popover:
        made.append(popover)
        return popover

    tray = Tray(platform="linux", is_available=lambda: True, clock_s=clock)
    tray.serve(bridge, make_it)
    tray.show()
    assert made == []
    click(tray, Reason.Trigger)
    assert made == [popover]
    tray.close()
