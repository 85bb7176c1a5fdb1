"""Panels that show icons by D-Bus (StatusNotifierItem): what they are told, what a click does, and Xfce's for real."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.trees import Tree, until
from tests.x11.desk import SCREEN, App, Desk, app_on, colours, session_bus
from tests.x11.status_notifier import StatusPanel, status_panel
from tests.x11.xfce import PANEL_HEIGHT, put_settings, xfce_panel
from trayapp.ui.icon import ICON_SIZES

BELOW = (SCREEN[0] - 120, PANEL_HEIGHT + 4, 110, 100)
"""Where the menu of an icon in the corner comes down."""


@pytest.fixture
def panel(dbus_desk: Desk) -> Iterator[StatusPanel]:
    with status_panel(dbus_desk.bus) as made:
        yield made


@pytest.fixture
def dbus_app(dbus_desk: Desk, panel: StatusPanel, tree: Tree) -> Iterator[App]:
    """Start the application at a desk whose panel speaks D-Bus."""
    dbus_desk.point_away()
    with app_on(dbus_desk, tree.root) as running:
        panel.wait_for_item()
        until(lambda: "can be released" in panel.tooltip, "nothing is measured")
        yield running


def test_the_panel_is_told_name_figures_and_every_size_of_the_icon(dbus_app: App, panel: StatusPanel) -> None:
    assert panel.read("Title") == "Agent Ring"
    until(lambda: panel.tooltip == dbus_app.tooltip, "the panel is told something else than Qt")
    assert set(panel.pixmaps()) == {(size, size) for size in ICON_SIZES}
    assert panel.read("ItemIsMenu") is False
    assert dbus_app.window("MainWindow") is None


def test_activating_the_icon_opens_the_popover_and_once_more_closes_it(dbus_app: App, panel: StatusPanel) -> None:
    panel.activate(1200, 10)
    dbus_app.wait_for_window("Popover")
    panel.activate(1200, 10)
    dbus_app.wait_until_gone("Popover")


def test_the_menu_is_the_plain_one_and_its_entries_work(dbus_app: App, panel: StatusPanel) -> None:
    assert [entry.text for entry in panel.open_menu()] == ["Open", "Pause", "Release idle…", "Quit"]
    assert all(entry.enabled for entry in panel.open_menu())
    panel.choose("Pause")
    until(lambda: "paused" in panel.tooltip.lower(), f"not paused: {panel.tooltip}")
    assert "Measure again" in [entry.text for entry in panel.open_menu()]
    panel.choose("Open")
    dbus_app.wait_for_window("MainWindow")
    panel.choose("Quit")
    assert dbus_app.exit_code() == 0


def test_what_is_told_unasked_is_shown_by_the_desktop_and_a_click_on_it_opens_the_popover(
    dbus_desk: Desk, panel: StatusPanel, tree: Tree
) -> None:
    (tree.root / "settings.toml").write_text("interval_s = 0.5\nwelcomed = true\nalert_memory_gb = 0.2\n")
    with app_on(dbus_desk, tree.root) as app:
        until(lambda: bool(panel.shown), "nothing was told")
        told = panel.shown[0]
        assert told.program == "Agent Ring"
        assert "0.2" in told.sentence
        panel.click_notification(told)
        app.wait_for_window("Popover")
        until(lambda: told.title in app.texts("Popover"), f"not in the popover: {app.texts('Popover')}")


def test_a_panel_that_dies_and_comes_back_shows_the_icon_again(dbus_desk: Desk, tree: Tree) -> None:
    with status_panel(dbus_desk.bus) as first:
        running = app_on(dbus_desk, tree.root)
        app = running.__enter__()
        first.wait_for_item()
    try:
        with status_panel(dbus_desk.bus) as second:
            second.wait_for_item()
            until(lambda: "can be released" in second.tooltip, "nothing is measured")
            second.activate(1200, 10)
            app.wait_for_window("Popover")
    finally:
        running.__exit__(None, None, None)


@pytest.mark.skipif(shutil.which("xfce4-panel") is None, reason="needs xfce4-panel; scripts/set_up.py installs it")
def test_in_the_panel_of_xfce_the_ring_stands_and_its_clicks_open_popover_and_menu(
    bare_desk: Desk, tree: Tree, tmp_path: Path
) -> None:
    home = tmp_path / "xfce"
    put_settings(home)
    with session_bus(home) as address:
        desk = replace(bare_desk, bus=address)
        with xfce_panel(desk, home), app_on(desk, tree.root) as app:
            until(lambda: "can be released" in app.tooltip, "nothing is measured")
            icon = (SCREEN[0] - PANEL_HEIGHT, 0, PANEL_HEIGHT, PANEL_HEIGHT)
            until(lambda: len(colours(desk.picture(tmp_path / "s.png"), icon)) > 3, "nothing is painted in the panel")
            desk.click(icon)
            left, top, width, _height = app.wait_for_window("Popover")
            assert top >= PANEL_HEIGHT, "the popover covers the panel"
            assert left + width <= SCREEN[0]
            desk.press("Escape")
            app.wait_until_gone("Popover")
            before = colours(desk.picture(tmp_path / "s.png"), BELOW)
            desk.click(icon, button=3)  # the menu is drawn by the panel
            until(lambda: colours(desk.picture(tmp_path / "s.png"), BELOW) != before, "no menu is shown")
            desk.press("Up", "Return")
            assert app.exit_code() == 0, "the last entry quits"
