"""The first start welcomes once, and the whole face speaks the language of the settings."""

from __future__ import annotations

from tests.trees import Tree, until
from tests.x11.desk import App, Desk, app_on


def write_settings(tree: Tree, lines: str) -> None:
    (tree.root / "settings.toml").write_text(f"interval_s = 0.5\n{lines}")


def test_the_first_start_welcomes_and_the_second_one_does_not(desk: Desk, tree: Tree) -> None:
    write_settings(tree, "")
    with app_on(desk, tree.root) as app:
        app.wait_for_window("FirstRun")
        until(lambda: "Fake Agent" in app.texts("FirstRun"), "what is found is not shown")
        app.desk.press("Escape")
        app.wait_until_gone("FirstRun")
        until(lambda: "welcomed = true" in (tree.root / "settings.toml").read_text(), "it is not remembered")
    with app_on(desk, tree.root) as app:
        until(lambda: "held" in app.tooltip, "nothing is measured")
        desk.click(app.icon())
        app.wait_for_window("Popover")
        assert app.window("FirstRun") is None
    assert not (tree.root / "home" / ".config" / "autostart").exists()


def test_in_german_tray_menu_popover_review_and_receipt_speak_german(desk: Desk, tree: Tree) -> None:
    write_settings(tree, 'welcomed = true\nlanguage = "de"\n')
    with app_on(desk, tree.root) as app:
        until(lambda: "0,3" in app.tooltip and "freigebbar" in app.tooltip, "no German tooltip")
        desk.click(app.icon(), button=3)
        app.wait_for_window("QMenu")
        assert [entry["text"] for entry in app.faces()["entries"]] == GERMAN_MENU
        desk.press("Escape")
        app.wait_until_gone("QMenu")
        release_all_in_german(app, tree)


GERMAN_MENU = ["Öffnen", "Pausieren", "Untätige freigeben…", "Beenden"]


def release_all_in_german(app: App, tree: Tree) -> None:
    app.desk.click(app.icon())
    app.wait_for_window("Popover")
    until(lambda: "Sitzungen" in app.texts("Popover"), f"{app.texts('Popover')}")
    app.desk.click(app.wait_for_button("Popover", "Freigeben, etwa"))
    app.wait_for_window("ReviewDialog")
    app.desk.click(app.wait_for_button("ReviewDialog", "1 freigeben"))
    until(lambda: not tree.runs("agent"), "the idle session still runs")
    app.wait_for_button("ReviewDialog", "Fertig")
    english = {"Released", "Done", "Release", "Cancel", "Idle"} & set(app.texts("ReviewDialog"))
    assert not english
