"""The crossing between the threads: everything arrives in the UI thread, in order, and nothing after the end."""

from __future__ import annotations

import threading
from concurrent.futures import Future

from PySide6.QtCore import QObject, QThread
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from tests.ui import scene
from tests.ui.fake_backend import FakeBackend
from trayapp.model.receipt import Progress
from trayapp.ui.bridge import Bridge


def in_another_thread(call: object, *arguments: object) -> None:
    assert callable(call)
    thread = threading.Thread(target=call, args=arguments)
    thread.start()
    thread.join()


def test_a_snapshot_of_the_worker_arrives_in_the_ui_thread(qtbot: QtBot, bridge: Bridge, backend: FakeBackend) -> None:
    threads: list[QThread] = []
    bridge.snapshot_changed.connect(lambda _snapshot: threads.append(QThread.currentThread()))
    newer = scene.empty()
    with qtbot.waitSignal(bridge.snapshot_changed) as arrived:
        in_another_thread(backend.publish, newer)
        assert bridge.snapshot is not newer
    assert arrived.args == [newer]
    assert bridge.snapshot is newer
    app = QApplication.instance()
    assert app is not None
    assert threads == [app.thread()]


def test_nothing_arrives_after_the_end_and_the_core_is_left_alone(
    qtbot: QtBot, bridge: Bridge, backend: FakeBackend
) -> None:
    told: list[object] = []
    bridge.snapshot_changed.connect(told.append)
    in_another_thread(backend.publish, scene.empty())
    bridge.close()
    bridge.close()
    QApplication.processEvents()
    assert told == []
    assert backend.listeners == []


def test_actions_are_carried_out_one_after_the_other(qtbot: QtBot, bridge: Bridge, backend: FakeBackend) -> None:
    first, second = scene.scene().group(scene.REFACTOR), scene.scene().group(scene.PARSER)
    assert first is not None
    assert second is not None
    bridge.reclaim([scene.target(first)], "menu bar")
    bridge.reclaim([scene.target(second)], "menu bar")
    assert len(backend.asked) == 1
    assert bridge.is_running(scene.REFACTOR)
    assert bridge.is_pending(scene.PARSER)
    assert not bridge.is_running(scene.PARSER)
    with qtbot.waitSignal(bridge.action_finished):
        in_another_thread(backend.finish)
    assert [targets[0].group_key for targets, _ in backend.asked] == [scene.REFACTOR, scene.PARSER]
    with qtbot.waitSignal(bridge.action_finished):
        in_another_thread(backend.finish)
    assert bridge.running == ()
    assert backend.refreshed == 2


def test_progress_arrives_before_the_receipt(qtbot: QtBot, bridge: Bridge, backend: FakeBackend) -> None:
    order: list[str] = []
    bridge.progress_changed.connect(lambda _progress: order.append("progress"))
    bridge.action_finished.connect(lambda _receipt: order.append("receipt"))
    group = scene.scene().group(scene.REFACTOR)
    assert group is not None
    bridge.reclaim([scene.target(group)], "menu bar")
    progress = Progress(done=0, total=1, title="t", label="l", waited_s=1, wait_s=2, came_back_bytes=0)

    def work() -> None:
        backend.report(progress)
        backend.finish()

    with qtbot.waitSignal(bridge.action_finished):
        in_another_thread(work)
    assert order == ["progress", "receipt"]


def test_a_core_that_breaks_off_is_told_in_one_sentence(qtbot: QtBot, bridge: Bridge, backend: FakeBackend) -> None:
    group = scene.scene().group(scene.REFACTOR)
    assert group is not None
    bridge.reclaim([scene.target(group)], "menu bar")
    with qtbot.waitSignal(bridge.failed) as failed:
        in_another_thread(backend.break_off, RuntimeError("the journal cannot be written: disk full"))
    assert failed.args == ["the journal cannot be written: disk full"]
    assert bridge.running == ()


def test_an_answer_for_a_view_that_is_gone_is_dropped(qtbot: QtBot, bridge: Bridge) -> None:
    class View(QObject):
        heard: list[object]

        def hear(self, answer: object) -> None:
            raise AssertionError("a deleted view was called")

    view = View()
    future: Future[int] = Future()
    bridge.when_done(future, view.hear)
    delete(view)
    future.set_result(3)
    QApplication.processEvents()


def test_the_core_reads_closely_while_at_least_one_view_is_open(bridge: Bridge, backend: FakeBackend) -> None:
    one, other = QObject(), QObject()
    bridge.want_detail(one, True)
    bridge.want_detail(other, True)
    bridge.want_detail(one, False)
    assert backend.detail == [True]
    bridge.want_detail(other, False)
    bridge.want_detail(other, False)
    assert backend.detail == [True, False]


def test_pausing_is_passed_on_and_told(qtbot: QtBot, bridge: Bridge, backend: FakeBackend) -> None:
    with qtbot.waitSignal(bridge.paused_changed) as told:
        bridge.set_paused(True)
    assert told.args == [True]
    assert backend.paused
