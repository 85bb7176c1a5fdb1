"""Trays stand at any edge, die, come back, and come late: the icon and the popover follow."""

from __future__ import annotations

from tests.trees import Tree, until
from tests.x11.desk import SCREEN, App, Desk, Rect, app_on, trayer

GAP = 8
"""What the popover leaves between itself and the icon, and the edges of the screen."""
OPPOSITE = {"top": "bottom", "bottom": "top", "left": "right", "right": "left"}


def open_at_icon(app: App) -> tuple[Rect, Rect]:
    """Click the icon; return where it and the popover stand."""
    icon = app.icon()
    app.desk.click(icon)
    return icon, app.wait_for_window("Popover")


def gaps(icon: Rect, popover: Rect) -> dict[str, int]:
    """Return how far the popover is from the icon on each of its sides; negative = it reaches over that side."""
    return {
        "top": icon[1] - (popover[1] + popover[3]),
        "bottom": popover[1] - (icon[1] + icon[3]),
        "left": icon[0] - (popover[0] + popover[2]),
        "right": popover[0] - (icon[0] + icon[2]),
    }


def test_the_popover_stands_beside_the_icon_at_each_edge_that_the_tray_moves_to(bare_desk: Desk, tree: Tree) -> None:
    with trayer(bare_desk):
        running = app_on(bare_desk, tree.root)
        app = running.__enter__()
        until(lambda: "can be released" in app.tooltip, "nothing is measured")
    try:
        for edge, align in (("top", "left"), ("bottom", "right"), ("left", "center"), ("right", "center")):
            until(lambda: not app.is_in_tray(), "the icon is still in the tray that is gone")
            with trayer(bare_desk, edge=edge, align=align):
                icon, popover = open_at_icon(app)
                assert gaps(icon, popover)[OPPOSITE[edge]] == GAP, f"{edge}: icon {icon}, popover {popover}"
                assert popover[0] >= GAP, f"{edge}: {popover}"
                assert popover[1] >= GAP, f"{edge}: {popover}"
                assert popover[0] + popover[2] <= SCREEN[0] - GAP, f"{edge}: {popover}"
                assert popover[1] + popover[3] <= SCREEN[1] - GAP, f"{edge}: {popover}"
                app.desk.press("Escape")
                app.wait_until_gone("Popover")
    finally:
        running.__exit__(None, None, None)


def test_when_the_tray_dies_the_app_lives_on_and_a_second_start_still_finds_it(bare_desk: Desk, tree: Tree) -> None:
    with trayer(bare_desk):
        running = app_on(bare_desk, tree.root)
        app = running.__enter__()
        app.icon()
    try:
        until(lambda: not app.is_in_tray(), "the icon is still in the tray that is gone")
        assert app.process.poll() is None
        assert app.start_again() == 0
        app.wait_for_window("MainWindow")
        with trayer(bare_desk):
            app.icon()
    finally:
        running.__exit__(None, None, None)


def test_a_tray_that_comes_later_takes_the_icon_in_and_the_window_may_be_closed(bare_desk: Desk, tree: Tree) -> None:
    with app_on(bare_desk, tree.root) as app:
        app.wait_for_window("MainWindow")
        assert any("This desktop shows no tray" in text for text in app.texts("MainWindow"))
        with trayer(bare_desk):
            app.icon()
            bare_desk.close_window("Agent Ring")
            app.wait_until_gone("MainWindow")
            assert app.process.poll() is None
            open_at_icon(app)


def test_a_popover_that_is_open_while_the_tray_dies_stays_where_it_is(bare_desk: Desk, tree: Tree) -> None:
    with trayer(bare_desk, edge="bottom"):
        running = app_on(bare_desk, tree.root)
        app = running.__enter__()
        until(lambda: "can be released" in app.tooltip, "nothing is measured")
        _icon, popover = open_at_icon(app)
    try:
        until(lambda: not app.is_in_tray(), "the icon is still in the tray that is gone")
        assert app.window("Popover") == popover
        bare_desk.press("Escape")
        app.wait_until_gone("Popover")
    finally:
        running.__exit__(None, None, None)
