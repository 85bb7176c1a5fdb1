"""All of it by keyboard alone: the popover, a release, the review and its receipt, and out again."""

from __future__ import annotations

from tests.trees import Tree, until
from tests.x11.desk import App


def open_popover(app: App) -> None:
    """Open the popover; the pointer then stays out of it, and what follows is keys."""
    app.icon()
    until(lambda: "can be released" in app.tooltip, "nothing is measured")
    app.desk.click(app.icon())
    app.wait_for_window("Popover")
    app.desk.point_away()


def press_until_focus(app: App, key: str, name: str) -> None:
    for _ in range(10):
        if app.focus.startswith(name):
            return
        before = app.focus
        app.desk.press(key)
        until(lambda before=before: app.focus != before, f"{key} does not leave {before!r}")  # type: ignore[misc]
    raise AssertionError(f"{key} does not come to {name!r}")


def test_arrows_find_the_idle_session_r_releases_it_and_escape_closes(app: App, tree: Tree) -> None:
    open_popover(app)
    press_until_focus(app, "Down", "Refactor settings page")
    assert tree.runs("agent")
    app.desk.press("r")
    until(lambda: not tree.runs("agent"), "R released nothing")
    app.wait_for_button("Popover", "Resume Refactor settings page")
    assert tree.running() >= {"terminal", "other", "neighbour"}
    assert tree.signals("other") == []
    app.desk.press("Escape")
    app.wait_until_gone("Popover")


def test_r_on_a_busy_session_does_nothing(app: App, tree: Tree) -> None:
    open_popover(app)
    press_until_focus(app, "Down", "Fix flaky upload tests")
    app.desk.press("r")
    press_until_focus(app, "Up", "Refactor settings page")  # by then the key has been taken
    assert tree.runs("other")
    assert tree.signals("other") == []


def test_enter_on_a_row_opens_its_session_in_the_window(app: App) -> None:
    open_popover(app)
    press_until_focus(app, "Down", "Refactor settings page")
    app.desk.press("Return")
    app.wait_for_window("MainWindow")
    until(lambda: "Refactor settings page" in app.texts("MainWindow"), "the session is not shown")
    app.wait_until_gone("Popover")


def test_review_and_receipt_can_be_gone_through_by_tab_and_enter(app: App, tree: Tree) -> None:
    open_popover(app)
    app.tab_to("Release, about")
    app.desk.press("Return")
    app.wait_for_window("ReviewDialog")
    app.tab_to("Release 1")
    assert tree.runs("agent")
    app.desk.press("Return")
    until(lambda: not tree.runs("agent"), "the idle session still runs")
    app.wait_for_button("ReviewDialog", "Done")
    app.tab_to("Done")
    app.desk.press("Return")
    app.wait_until_gone("ReviewDialog")
    assert tree.runs("other")


def test_escape_leaves_the_review_and_nothing_goes(app: App, tree: Tree) -> None:
    open_popover(app)
    app.tab_to("Release, about")
    app.desk.press("Return")
    app.wait_for_window("ReviewDialog")
    app.wait_for_button("ReviewDialog", "Cancel")
    app.desk.press("Escape")
    app.wait_until_gone("ReviewDialog")
    assert tree.runs("agent")
