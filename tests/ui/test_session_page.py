"""A session's page tells its life, what was done to it, and leads to its place."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from tests.ui import scene
from tests.ui.conftest import Terminals
from tests.ui.fake_backend import FakeBackend
from tests.ui.screenshots_window import NoLogin
from trayapp.model.life import Life
from trayapp.ui import session_page, tokens
from trayapp.ui.bridge import Bridge
from trayapp.ui.chart_overlay import CPU, RSS
from trayapp.ui.life_card import MOST_ROWS, Sign, events_of
from trayapp.ui.window import MainWindow

THIN = "\u202f"


@pytest.fixture
def window(qtbot: QtBot, backend: FakeBackend, bridge: Bridge) -> MainWindow:
    made = MainWindow(backend, bridge, login=NoLogin())
    qtbot.addWidget(made)
    with qtbot.waitExposed(made):
        made.show()
    return made


def entries(menu: QMenu) -> list[str]:
    found = [action.text() for action in menu.actions() if action.text()]
    menu.close()
    return found


def test_its_life_is_told_over_all_its_processes(qtbot: QtBot, window: MainWindow) -> None:
    window.show_session(scene.REFACTOR)
    card = window.session.life
    qtbot.waitUntil(lambda: card.isVisible() and len(card.row_words) >= 5)
    said = card.row_words
    assert any(f"Resumed, runs for 4{THIN}h 6{THIN}min. Process 41877 and 3 more" in words for words in said)
    assert any(f"Resumed, ran for 3{THIN}h 24{THIN}min. Process 38802 and 2 more" in words for words in said)
    assert any(f"Ran for 3{THIN}h 18{THIN}min. Process 30114 and 1 more" in words for words in said)
    assert any(f"Released, 1.7{THIN}GB came back. You, from the menu bar. 4 processes gone" in words for words in said)
    assert "3 runs since" in card.strip.accessibleName()


def test_the_newest_comes_first_and_another_sessions_receipts_do_not_count() -> None:
    group = scene.scene().group(scene.REFACTOR)
    assert group is not None
    events = events_of(scene.lives()[scene.REFACTOR], scene.receipts(), group, scene.NOW_EPOCH_S)
    assert [event.at_epoch_s for event in events] == sorted((event.at_epoch_s for event in events), reverse=True)
    assert [event.sign for event in events] == [Sign.RELEASED, Sign.RUNS, Sign.RELEASED, Sign.RAN, Sign.RAN]
    busy = scene.scene().group(scene.FIX)
    assert busy is not None
    (refused,) = events_of(Life(), scene.receipts(), busy, scene.NOW_EPOCH_S)
    assert (refused.sign, refused.what) == (Sign.STAYED, "Not released")


def test_many_events_are_counted(qtbot: QtBot, window: MainWindow, backend: FakeBackend) -> None:
    one = scene.lives()[scene.REFACTOR]
    backend.lives = {scene.REFACTOR: replace(one, runs=one.runs * 4)}
    window.show_session(scene.REFACTOR)
    card = window.session.life
    qtbot.waitUntil(lambda: card.isVisible() and bool(card.earlier_words))
    assert len(card.row_words) == MOST_ROWS
    assert card.earlier_words == "6 earlier events"


def test_what_was_never_recorded_has_no_card(qtbot: QtBot, window: MainWindow, backend: FakeBackend) -> None:
    backend.lives, backend.journal = {}, ()
    window.show_session(scene.MIGRATE)
    qtbot.wait(20)
    assert not window.session.life.isVisible()


def test_a_release_shows_up_in_its_life(qtbot: QtBot, window: MainWindow, backend: FakeBackend) -> None:
    window.show_session(scene.REFACTOR)
    card = window.session.life
    qtbot.waitUntil(lambda: card.isVisible())
    before = len(card.row_words)
    window.session.release.click()
    qtbot.waitUntil(lambda: bool(backend.asked))
    backend.journal = (scene.receipt(), *backend.journal)
    backend.finish()
    qtbot.waitUntil(lambda: len(card.row_words) == before + 1)


def test_its_memory_and_its_cpu_have_a_chart_each(qtbot: QtBot, window: MainWindow) -> None:
    window.show_session(scene.FIX)
    chart = window.session.chart
    qtbot.waitUntil(lambda: chart.series is not None)
    assert len(chart.plot_viewports()) == 2
    assert chart.overlay._lower.title == CPU.title


def test_a_session_in_a_heap_has_resident_memory_below_instead(qtbot: QtBot) -> None:
    backend = FakeBackend(scene.heap_scene())
    bridge = Bridge(backend)
    window = MainWindow(backend, bridge, login=NoLogin())
    qtbot.addWidget(window)
    window.show()
    window.show_session(scene.INGEST)
    assert window.session.chart.overlay._lower.title == RSS.title
    window.show_session(scene.REFACTOR)
    assert window.session.chart.overlay._lower.title == CPU.title
    bridge.close()
    bridge.deleteLater()


def test_the_menu_leads_to_its_place(
    qtbot: QtBot,
    window: MainWindow,
    backend: FakeBackend,
    terminals: Terminals,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    group = scene.scene().group(scene.REFACTOR)
    assert group is not None
    backend.publish(scene.with_group(scene.scene(), replace(group, cwd=str(tmp_path))))
    window.show_session(scene.REFACTOR)
    page = window.session
    qtbot.waitUntil(lambda: "Open terminal" in entries(page.menu()))
    said = entries(page.menu())
    assert {"End with a signal…", "Keep this one", "Reveal folder", "Copy resume command", "Copy id"} <= set(said)
    shown: list[Path] = []

    def note(folder: Path) -> str:
        shown.append(folder)
        return ""

    monkeypatch.setattr(session_page, "reveal", note)
    page.folder.click()
    assert shown == [tmp_path]
    menu = page.menu()
    next(action for action in menu.actions() if action.text() == "Open terminal").trigger()
    menu.close()
    assert page.note.words[0].startswith("No terminal was found")
    terminals.there = True
    menu = page.menu()
    next(action for action in menu.actions() if action.text() == "Open terminal").trigger()
    menu.close()
    assert terminals.opened[-1][1] == str(tmp_path)
    assert not page.note.isVisible()


def test_a_change_of_appearance_repaints_its_life(qtbot: QtBot, window: MainWindow) -> None:
    window.show_session(scene.REFACTOR)
    card = window.session.life
    qtbot.waitUntil(lambda: card.strip.isVisible())
    light = card.strip.grab().toImage()
    tokens.appearance().choose("dark")
    assert card.strip.grab().toImage() != light


def test_the_wheel_over_its_chart_scrolls_the_page(qtbot: QtBot, window: MainWindow) -> None:
    window.show_session(scene.REFACTOR)
    page = window.session
    qtbot.waitUntil(lambda: page.chart.series is not None)
    shown = page.chart.visible_range
    viewport = page.chart.plot_viewports()[0]
    at = QPointF(viewport.rect().center())
    down = QWheelEvent(
        at,
        viewport.mapToGlobal(at),
        QPoint(),
        QPoint(0, -240),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(viewport, down)
    assert page.chart.visible_range == shown
    page.chart.zoom(0.5)
    page.chart.pan(-0.5)
    assert page.chart.visible_range == shown


def test_model_and_tokens_stand_in_its_head(qtbot: QtBot, window: MainWindow, backend: FakeBackend) -> None:
    group = scene.scene().group(scene.REFACTOR)
    assert group is not None
    backend.publish(scene.with_group(scene.scene(), replace(group, model="large-2", tokens=1_240_000)))
    window.show_session(scene.REFACTOR)
    qtbot.waitUntil(lambda: f"large-2, 1.2{THIN}M tokens, 4 processes" in window.session._second.text())


def test_its_chart_can_be_read_as_a_table_too(qtbot: QtBot, window: MainWindow) -> None:
    window.show_session(scene.REFACTOR)
    page = window.session
    qtbot.waitUntil(lambda: page.chart.series is not None)
    page.table_button.click()
    assert page.chart_table.isVisible()
    table = page.chart_table.table
    heads = [table.headerData(n, Qt.Orientation.Horizontal) for n in range(table.columnCount())]
    assert heads == ["Time", "In all", "Refactor settings page", "CPU", "What happened"]
    assert table.index(0, 1).data() == f"2.0{THIN}GB", "the most of its newest stretch"
    page.table_button.click()
    assert page.chart.isVisible()
