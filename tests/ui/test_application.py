"""The application: what opens what, no way in without a way out, and everything taken down in order."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import nullcontext

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QSystemTrayIcon
from pytestqt.qtbot import QtBot

from tests.ui import scene
from tests.ui.fake_backend import FakeBackend
from trayapp.desktop.single_instance import SingleInstance
from trayapp.ui import application
from trayapp.ui.application import TrayApplication
from trayapp.ui.controls import Text


@pytest.fixture
def pieces(qtbot: QtBot, qapp: QApplication, backend: FakeBackend) -> Iterator[TrayApplication]:
    made = TrayApplication(qapp, backend)
    yield made
    made.close()
    made.deleteLater()


def test_without_a_tray_the_window_opens_once_with_a_notice_and_closing_it_quits(
    qtbot: QtBot, qapp: QApplication, pieces: TrayApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: False)
    monkeypatch.setattr(pieces.tray, "_is_available", lambda: False)
    pieces.start()
    assert qapp.quitOnLastWindowClosed()
    assert pieces.main_window().isVisible()
    assert pieces.main_window().notice.isVisible()
    monkeypatch.setattr(pieces.tray, "_is_available", lambda: True)
    pieces.tray._look_for_tray()
    assert not qapp.quitOnLastWindowClosed()


def test_with_a_tray_no_window_opens(
    qtbot: QtBot, qapp: QApplication, pieces: TrayApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pieces.tray, "_is_available", lambda: True)
    pieces.start()
    assert not qapp.quitOnLastWindowClosed()
    assert pieces.window is None
    assert pieces.tray.is_shown


def test_the_first_snapshot_makes_the_rows_before_the_first_click(
    qtbot: QtBot, pieces: TrayApplication, backend: FakeBackend
) -> None:
    pieces.start()
    assert pieces.popover.rows.keys == []
    for snapshot in (scene.scene(), scene.empty()):
        with qtbot.waitSignal(pieces.bridge.snapshot_changed):
            backend.publish(snapshot)
    assert len(pieces.popover.rows.keys) == 8
    assert not pieces.popover.isVisible()


def test_a_session_opens_in_the_window(pieces: TrayApplication) -> None:
    pieces.popover.session_asked.emit(scene.UPGRADE)
    assert pieces.main_window().isVisible()
    assert pieces.main_window().page is pieces.main_window().session


def test_the_review_opens_once(pieces: TrayApplication) -> None:
    pieces.popover.review_asked.emit(False)
    first = pieces.review
    assert first is not None
    pieces.tray.review_asked.emit()
    assert pieces.review is first
    first.reject()
    assert pieces.review is None


def test_what_is_looked_for_is_listed_with_the_mend(look: str, qtbot: QtBot, pieces: TrayApplication) -> None:
    pieces.popover.findings_asked.emit()
    qtbot.waitUntil(lambda: pieces.findings is not None)
    dialog = pieces.findings
    assert dialog is not None
    said = [text.text() for text in dialog.findChildren(Text)]
    assert "does not run now" in said
    assert "Their resident size is shown instead, as an upper bound." in said
    assert not dialog.grab().isNull()
    dialog.done_button.click()


def test_settings_open_at_their_page(pieces: TrayApplication) -> None:
    pieces.popover.settings_asked.emit()
    assert pieces.main_window().page is pieces.main_window().settings_page


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give the app a socket of its own."""
    name = str(tmp_path_factory.mktemp("s") / "ring")
    monkeypatch.setattr("trayapp.desktop.single_instance.own_socket_name", lambda: name)
    return name


def test_the_app_runs_until_it_is_told_to_quit(
    qtbot: QtBot, qapp: QApplication, backend: FakeBackend, alone: str
) -> None:
    QTimer.singleShot(50, qapp, qapp.quit)
    assert application.run(lambda: nullcontext(backend)) == 0
    assert backend.listeners == []


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM to catch")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_quits_at_once(
    number: signal.Signals, qtbot: QtBot, qapp: QApplication, backend: FakeBackend, alone: str
) -> None:
    before = signal.getsignal(number)
    sender = threading.Timer(0.1, os.kill, (os.getpid(), number))
    sender.start()
    assert application.run(lambda: nullcontext(backend)) == 0
    sender.join()
    assert signal.getsignal(number) is before


def test_a_second_start_asks_the_first_and_ends(
    qtbot: QtBot, qapp: QApplication, backend: FakeBackend, alone: str
) -> None:
    first = SingleInstance(alone)
    assert first.claim()
    with qtbot.waitSignal(first.open_asked):
        assert application.run(lambda: nullcontext(backend)) == 0
    first.close()


def test_the_self_test_shows_everything_once(qtbot: QtBot, qapp: QApplication, backend: FakeBackend) -> None:
    seen = application.self_test(backend)
    assert seen["tray_icon_px"] == 22
    assert seen["tray_state"] == "needs-you"
    assert seen["charts_loaded"] is True
    assert backend.listeners == []
