"""What the window was like comes back, and a file that cannot be used is told of and never lost silently."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.fake_backend import FakeBackend
from tests.ui.screenshots_window import NoLogin
from trayapp.ui.bridge import Bridge
from trayapp.ui.tree import Column
from trayapp.ui.ui_state import UiState, UiStateFile
from trayapp.ui.window import MainWindow


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "window.json"


def test_what_is_remembered_is_there_at_the_next_start(path: Path) -> None:
    UiStateFile(path).remember(columns={"model": True}, sort="cpu", descending=False, place=(1, 2, 900, 700))
    again = UiStateFile(path)
    assert again.now == UiState(columns={"model": True}, sort="cpu", descending=False, place=(1, 2, 900, 700))
    assert again.fault == ""


def test_nothing_is_written_before_something_is_changed(path: Path) -> None:
    UiStateFile(path).remember(sort="")
    assert not path.parent.exists()


def test_a_broken_file_is_named_and_replaced_at_the_next_change(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("{", encoding="utf-8")
    broken = UiStateFile(path)
    assert broken.now == UiState()
    assert broken.fault.startswith(f"{path} cannot be read: ")
    broken.remember(sort="cpu")
    assert UiStateFile(path).now.sort == "cpu"


def test_a_file_of_a_newer_version_is_left_as_it_is(path: Path) -> None:
    path.parent.mkdir()
    written = '{"version": 99, "sort": "cpu"}'
    path.write_text(written, encoding="utf-8")
    found = UiStateFile(path)
    assert "newer Agent Ring" in found.fault
    found.remember(sort="rss")
    assert found.now.sort == "rss"
    assert path.read_text(encoding="utf-8") == written


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    state = UiStateFile(tmp_path / "file" / "window.json")
    state.remember(sort="cpu")
    assert "cannot be" in state.fault


def window_of(qtbot: QtBot, backend: FakeBackend, bridge: Bridge, path: Path) -> MainWindow:
    made = MainWindow(backend, bridge, login=NoLogin(), state=UiStateFile(path))
    qtbot.addWidget(made)
    made.show()
    QApplication.processEvents()
    return made


def test_a_window_comes_back_as_it_was_left(qtbot: QtBot, backend: FakeBackend, bridge: Bridge, path: Path) -> None:
    first = window_of(qtbot, backend, bridge, path)
    screen = QGuiApplication.primaryScreen().availableGeometry()
    wanted = QRect(screen.left() + 10, screen.top() + 10, 900, 620)
    first.setGeometry(wanted)
    menu = first.overview.view.column_menu()
    entries = {action.text(): action for action in menu.actions()}
    entries["CPU"].trigger()
    menu.close()
    first.overview.view.header().sectionClicked.emit(int(Column.NAME))
    first.overview.ranges.chosen.emit("24\u202fh")
    first.overview.chart.stack.chosen.emit("session")
    first.close()
    second = window_of(qtbot, backend, bridge, path)
    assert second.geometry() == wanted
    assert second.overview.view.isColumnHidden(Column.CPU)
    assert (second.overview.tree.sort_column, second.overview.tree.descending) == (Column.NAME, False)
    assert (second.overview.ranges.current, second.overview.chart.span_s) == ("24\u202fh", 86400.0)
    assert second.overview.chart.stack.current == "session"


def test_a_place_on_a_screen_that_is_gone_is_not_taken(
    qtbot: QtBot, backend: FakeBackend, bridge: Bridge, path: Path
) -> None:
    UiStateFile(path).remember(place=(90_000, 90_000, 900, 700))
    window = window_of(qtbot, backend, bridge, path)
    assert QGuiApplication.primaryScreen().geometry().intersects(window.geometry())
    assert (window.width(), window.height()) == (1120, 812)


def test_a_file_that_cannot_be_used_is_told_above_the_pages(
    qtbot: QtBot, backend: FakeBackend, bridge: Bridge, path: Path
) -> None:
    path.parent.mkdir()
    path.write_text("[]", encoding="utf-8")
    window = window_of(qtbot, backend, bridge, path)
    assert "window.json" in window.notice.words[0]
