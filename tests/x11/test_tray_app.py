"""What a user sees and does, with a real X server, a real tray, real clicks and real processes."""

from __future__ import annotations

from pathlib import Path

from tests.trees import Tree, until
from tests.x11.desk import SCREEN, App, Desk, Rect, app_on, colours


def inside_screen(at: Rect) -> bool:
    return at[0] >= 0 and at[1] >= 0 and at[0] + at[2] <= SCREEN[0] and at[1] + at[3] <= SCREEN[1]


def open_popover(app: App) -> Rect:
    at = app.icon()
    # with the first figures the popover grows, and a button would not be where it was seen
    until(lambda: "held" in str(app.faces()["tray"][0]["tooltip"]), "nothing is measured")
    app.desk.click(at)
    return app.wait_for_window("Popover")


def test_a_click_before_the_first_figures_opens_the_popover_all_the_same(app: App) -> None:
    app.desk.click(app.icon())
    assert inside_screen(app.wait_for_window("Popover"))


def test_the_ring_stands_in_the_tray_and_says_what_is_held(app: App, tmp_path: Path) -> None:
    at = app.icon()
    assert inside_screen(at)
    until(lambda: "held" in str(app.faces()["tray"][0]["tooltip"]), "the tooltip tells nothing")
    until(lambda: len(colours(app.desk.picture(tmp_path / "s.png"), at)) > 3, "nothing is painted in the tray")


def test_a_left_click_opens_the_popover_inside_the_screen_and_a_second_one_closes_it(app: App) -> None:
    assert inside_screen(open_popover(app))
    left, top, width, height = app.icon()
    app.desk.click((left, top, width // 4, height))  # beside the first one, or it would be a double click
    app.wait_until_gone("Popover")


def test_escape_closes_the_popover(app: App) -> None:
    open_popover(app)
    app.desk.press("Escape")
    app.wait_until_gone("Popover")


def test_release_in_the_popover_ends_the_idle_session_and_nothing_else(app: App, tree: Tree) -> None:
    open_popover(app)
    app.desk.click(app.wait_for_button("Popover", "Release Refactor settings page"))
    until(lambda: not tree.runs("agent") and not tree.runs("helper"), f"still running: {tree.running()}")
    app.wait_for_button("Popover", "Resume Refactor settings page")
    assert tree.running() >= {"terminal", "other", "neighbour"}
    assert tree.signals("other") == []
    assert tree.signals("neighbour") == []


def test_release_of_all_shows_the_list_first_and_then_the_receipt(app: App, tree: Tree) -> None:
    open_popover(app)
    app.desk.click(app.wait_for_button("Popover", "Release, about"))
    assert inside_screen(app.wait_for_window("ReviewDialog"))
    assert tree.runs("agent")
    app.desk.click(app.wait_for_button("ReviewDialog", "Release 1, about"))
    until(lambda: not tree.runs("agent"), "the idle session still runs")
    app.desk.click(app.wait_for_button("ReviewDialog", "Done"))
    app.wait_until_gone("ReviewDialog")
    assert tree.runs("other")


def test_a_right_click_opens_the_menu_and_quit_ends_the_app(app: App) -> None:
    app.desk.click(app.icon(), button=3)
    app.wait_for_window("QMenu")
    texts = [entry["text"] for entry in app.faces()["entries"]]
    assert texts == ["Open", "Pause", "Release idle…", "Quit"]
    app.desk.click(app.entry("Quit"))
    assert app.exit_code() == 0


def test_quit_in_the_popover_ends_the_app(app: App) -> None:
    open_popover(app)
    app.desk.click(app.wait_for_button("Popover", "Quit"))
    assert app.exit_code() == 0


def test_a_second_start_opens_the_window_of_the_first(app: App) -> None:
    app.icon()
    assert app.start_again() == 0
    assert inside_screen(app.wait_for_window("MainWindow"))
    assert app.process.poll() is None


def test_without_a_tray_the_window_opens_and_closing_it_quits(bare_desk: Desk, tree: Tree) -> None:
    with app_on(bare_desk, tree.root) as app:
        assert inside_screen(app.wait_for_window("MainWindow"))
        bare_desk.close_window("Agent Ring")
        assert app.exit_code() == 0


def test_ctrl_q_in_the_window_quits(bare_desk: Desk, tree: Tree) -> None:
    with app_on(bare_desk, tree.root) as app:
        app.wait_for_window("MainWindow")
        bare_desk.press("ctrl+q")
        assert app.exit_code() == 0
