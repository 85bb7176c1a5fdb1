"""What holds for every test: no screen, no log line unasked for, and nothing left behind.

The screen is Qt's offscreen platform unless QT_QPA_PLATFORM says otherwise (tests/x11 sets its own for the programs
that it starts). Fonts and palette are pinned in tests/ui/conftest.py.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import threading
import time
import traceback
import weakref
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

# before anything imports Qt
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["QT_SCALE_FACTOR"] = "1"
# English, whatever the developer's own language is
os.environ["LC_ALL"] = "C.UTF-8"
os.environ.pop("LANGUAGE", None)
os.environ.setdefault("QT_LOGGING_RULES", "qt.qpa.fonts.warning=false")

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

OUR_LOGGERS = ("trayapp", "asyncio")
"""asyncio's own errors are ours: "Task was destroyed but it is pending", "exception was never retrieved"."""

THREAD_DEADLINE_S = 2.0

_births: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()
"""Where each asyncio task, QTimer and QThread of the running tests was started."""


def _birthplace() -> str:
    """Return the innermost frame that belongs to this project."""
    for frame in reversed(traceback.extract_stack()):
        if ("trayapp" in frame.filename or "tests" in frame.filename) and "conftest" not in frame.filename:
            return f"{os.path.relpath(frame.filename)}:{frame.lineno}"
    return "an unknown place"


def _remember_births_of_tasks() -> None:
    create_task = asyncio.BaseEventLoop.create_task

    def remembering(self: asyncio.BaseEventLoop, *args: Any, **kwargs: Any) -> Any:
        task = create_task(self, *args, **kwargs)
        _births[task] = _birthplace()
        return task

    asyncio.BaseEventLoop.create_task = remembering  # type: ignore[method-assign]


def _remember_births_of_qt_objects() -> None:
    from PySide6.QtCore import QThread, QTimer

    def patch(kind: type[QObject]) -> None:
        start: Callable[..., None] = kind.start  # type: ignore[attr-defined]

        def remembering(self: QObject, *args: Any, **kwargs: Any) -> None:
            _births[self] = _birthplace()
            start(self, *args, **kwargs)

        kind.start = remembering  # type: ignore[attr-defined]

    patch(QTimer)
    patch(QThread)


def pytest_configure() -> None:
    _remember_births_of_tasks()
    _remember_births_of_qt_objects()


@pytest.fixture(autouse=True)
def _no_log_unasked_for(request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail a test that makes our loggers warn; `@pytest.mark.logs` says that it means to."""
    yield
    if request.node.get_closest_marker("logs") is not None:
        return
    lines = [
        f"{record.levelname} {record.name}: {record.getMessage()}"
        for phase in ("setup", "call")
        for record in caplog.get_records(phase)
        if record.levelno >= logging.WARNING and record.name.split(".")[0] in OUR_LOGGERS
    ]
    if lines:
        pytest.fail("logged without @pytest.mark.logs:\n" + "\n".join(lines))


@pytest.fixture(autouse=True)
def _nothing_left_behind(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves threads, asyncio tasks, QTimers, QThreads or top-level widgets of its own."""
    uses_qt = bool({"qapp", "qtbot"} & set(request.fixturenames))
    threads_before = set(threading.enumerate())
    born_before = weakref.WeakSet(_births)
    widgets_before = _top_level_widgets() if uses_qt else set()
    yield
    if request.node.get_closest_marker("leaves") is not None:
        return
    left = _threads_left(threads_before)
    if uses_qt:
        left += _widgets_left(widgets_before)
    left += _tasks_timers_and_threads_left(born_before)
    if left:
        pytest.fail("left behind: " + "; ".join(left))


def _threads_left(before: set[threading.Thread]) -> list[str]:
    deadline = time.monotonic() + THREAD_DEADLINE_S
    left = []
    for thread in set(threading.enumerate()) - before:
        if thread.daemon or thread is threading.current_thread():
            continue
        thread.join(max(0.0, deadline - time.monotonic()))
        if thread.is_alive():
            left.append(f"thread {thread.name}")
    return left


def _tasks_timers_and_threads_left(born_before: weakref.WeakSet[Any]) -> list[str]:
    born = [thing for thing in list(_births) if thing not in born_before]
    return [f"{type(thing).__name__} started at {_births[thing]}" for thing in born if _is_active(thing)]


def _is_active(thing: Any) -> bool:
    if isinstance(thing, asyncio.Future):
        return not thing.done()
    from PySide6.QtCore import QThread, QTimer
    from shiboken6 import isValid

    if not isValid(thing):
        return False
    if isinstance(thing, QThread):
        return not thing.isFinished() and not thing.wait(int(THREAD_DEADLINE_S * 1000))
    return isinstance(thing, QTimer) and thing.isActive()


def _top_level_widgets() -> set[int]:
    from PySide6.QtWidgets import QApplication
    from shiboken6 import getCppPointer

    return {getCppPointer(widget)[0] for widget in QApplication.topLevelWidgets()}


def _widgets_left(before: set[int]) -> list[str]:
    from PySide6.QtCore import QCoreApplication, QEvent
    from PySide6.QtWidgets import QApplication
    from shiboken6 import getCppPointer

    def new() -> list[str]:
        return [
            f"{type(widget).__name__} {widget.objectName() or widget.windowTitle()}".rstrip()
            for widget in QApplication.topLevelWidgets()
            if getCppPointer(widget)[0] not in before
        ]

    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    if new():  # a cycle of Python objects may hold it
        gc.collect()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    return new()
