"""The application: what opens what, no way in without a way out, and everything taken down in order."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QSystemTrayIcon
from pytestqt.qtbot import QtBot

from tests.ui import scene
from tests.ui.fake_backend import FakeBackend
from trayapp.desktop.single_instance import SingleInstance
from trayapp.ui import application, icon, tokens
from trayapp.ui.application import TrayApplication
from trayapp.ui.controls import Text
from trayapp.ui.first_run import FirstRun
from trayapp.ui.tray import Tray


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


def test_neither_popover_nor_window_is_made_before_it_is_asked_for(
    qtbot: QtBot, pieces: TrayApplication, backend: FakeBackend
) -> None:
    pieces.start()
    before = set(QApplication.topLevelWidgets())
    for snapshot in (scene.scene(), scene.empty()):
        with qtbot.waitSignal(pieces.bridge.snapshot_changed):
            backend.publish(snapshot)
    assert set(QApplication.topLevelWidgets()) == before
    assert pieces.popover.rows.keys == []
    assert set(QApplication.topLevelWidgets()) > before


def test_a_session_opens_in_the_window(pieces: TrayApplication) -> None:
    pieces.popover.session_asked.emit(scene.UPGRADE)
    assert pieces.main_window().isVisible()
    assert pieces.main_window().page is pieces.main_window().session


def test_the_review_of_a_heap_opens_with_its_sessions_only(
    qtbot: QtBot, pieces: TrayApplication, backend: FakeBackend
) -> None:
    with qtbot.waitSignal(pieces.bridge.snapshot_changed):
        backend.publish(scene.heap_scene())
    pieces.popover.heap_review_asked.emit(scene.DSH_HOST)
    assert pieces.review is not None
    assert {item.group.heap_of for item in pieces.review.list_page.items} == {scene.DSH_HOST}
    pieces.review.reject()


def test_what_can_be_put_into_a_host_is_asked_about_in_a_window_of_its_own(
    qtbot: QtBot, pieces: TrayApplication
) -> None:
    pieces.popover.setup_asked.emit("dsh")
    assert pieces.setup is not None
    qtbot.waitUntil(lambda: pieces.setup is not None and bool(pieces.setup.offers))
    pieces.setup.reject()


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


def quit_after(wait_ms: int, app: QApplication) -> None:
    """Quit, and quit again if the loop had not begun: that would be lost."""
    timer = QTimer(app)
    timer.timeout.connect(app.quit)
    app.aboutToQuit.connect(timer.stop)
    app.aboutToQuit.connect(timer.deleteLater)
    timer.start(wait_ms)


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give the app a socket of its own."""
    name = str(tmp_path_factory.mktemp("s") / "ring")
    monkeypatch.setattr("trayapp.desktop.single_instance.own_socket_name", lambda: name)
    return name


def test_the_app_runs_until_it_is_told_to_quit(
    qtbot: QtBot, qapp: QApplication, backend: FakeBackend, alone: str
) -> None:
    quit_after(50, qapp)
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


def test_the_icon_is_there_while_the_core_is_still_being_opened(
    qtbot: QtBot, qapp: QApplication, backend: FakeBackend, alone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = threading.Event()
    monkeypatch.setattr(QSystemTrayIcon, "show", lambda _icon: shown.set())
    monkeypatch.setattr(Tray, "show", Tray._show_icon)  # as where there is a tray
    seen: list[bool] = []

    @contextmanager
    def opened() -> Iterator[FakeBackend]:
        seen.append(shown.is_set())
        seen.append(threading.current_thread() is threading.main_thread())
        yield backend
        seen.append(threading.current_thread() is threading.main_thread())

    quit_after(200, qapp)
    assert application.run(opened) == 0
    assert seen == [True, False, True]


def test_a_core_that_cannot_be_opened_ends_the_app_with_its_fault(qtbot: QtBot, qapp: QApplication, alone: str) -> None:
    def broken() -> AbstractContextManager[FakeBackend]:
        raise OSError("no memory left on this computer")

    with pytest.raises(OSError, match="no memory left"):
        application.run(broken)


def test_quitting_before_the_core_is_open_closes_it_all_the_same(
    qtbot: QtBot, qapp: QApplication, backend: FakeBackend, alone: str
) -> None:
    quitting, closed = threading.Event(), []

    @contextmanager
    def slow() -> Iterator[FakeBackend]:
        assert quitting.wait(10)
        yield backend
        closed.append(True)

    def leave() -> None:
        qapp.quit()
        quitting.set()

    QTimer.singleShot(20, qapp, leave)
    assert application.run(slow) == 0
    assert closed == [True]


@pytest.mark.parametrize("welcomed", [False, True])
def test_the_first_start_alone_welcomes(
    welcomed: bool, qtbot: QtBot, qapp: QApplication, backend: FakeBackend, alone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend.settings = replace(backend.settings, welcomed=welcomed)
    shown: list[bool] = []

    def look() -> None:
        shown.extend(isinstance(widget, FirstRun) and widget.isVisible() for widget in qapp.topLevelWidgets())
        qapp.quit()

    QTimer.singleShot(200, qapp, look)
    assert application.run(lambda: nullcontext(backend)) == 0
    assert any(shown) is not welcomed
    assert backend.settings.welcomed


def test_the_welcome_leads_into_the_window(qtbot: QtBot, pieces: TrayApplication) -> None:
    pieces.open_first_run()
    assert pieces.welcome is not None
    pieces.welcome.settings.click()
    assert pieces.main_window().page is pieces.main_window().settings_page


@pytest.mark.parametrize(("appearance", "dark"), [("dark", True), ("light", False)])
def test_the_app_looks_as_it_was_chosen(
    appearance: str, dark: bool, qtbot: QtBot, qapp: QApplication, backend: FakeBackend, alone: str
) -> None:
    backend.settings = replace(backend.settings, appearance=appearance, welcomed=True)
    quit_after(100, qapp)
    assert application.run(lambda: nullcontext(backend)) == 0
    assert tokens.theme().is_dark is dark


def test_the_icon_is_kept_for_the_next_start(
    qtbot: QtBot, qapp: QApplication, backend: FakeBackend, alone: str, tmp_path: Path
) -> None:
    kept = tmp_path / "cache" / "icon.txt"
    assert icon.read_key(kept) is None
    quit_after(200, qapp)
    assert application.run(lambda: nullcontext(backend), icon_file=kept) == 0
    read = icon.read_key(kept)
    assert read is not None
    assert (read.state, read.old) == (icon.IconState.NEEDS_YOU, True)
    for broken in (b"", b"[]", b'{"state": "gone"}', b'{"state": "normal", "tone": "blue", "stays": 1, "can_go": 1}'):
        kept.write_bytes(broken)
        assert icon.read_key(kept) is None


def test_the_self_test_shows_everything_once(qtbot: QtBot, qapp: QApplication, backend: FakeBackend) -> None:
    seen = application.self_test(backend)
    assert seen["tray_icon_px"] == 22
    assert seen["tray_state"] == "needs-you"
    assert seen["charts_loaded"] is True
    assert backend.listeners == []
