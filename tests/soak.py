"""An hour of the face at ten times its speed: 60 sessions come and go while every view is used.

    python -m tests.soak [--seconds 360]

Offscreen, with the real pieces on a scripted core: a tick every 0.2 s (2 s at ten times the speed), the popover opened
and closed, the window's pages changed, rows opened, reviews gone through. Prints JSON: the resident size after a tenth
and at the end, the QObjects by type that are there at the end and were not when the first round was over, and every
warning of Qt.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trayapp.model.snapshot import Group, Snapshot
    from trayapp.ui.application import TrayApplication

SESSIONS, TICK_S, COME_AND_GO = 60, 0.2, 0.02
HOUR_AT_TEN_S = 360.0
RESULT_S = 1.0
"""How long the popover keeps what was released; a minute in life, and shorter than the rest before the count."""
MIB = 1024 * 1024


def resident_mib() -> float:
    """Return what this process holds; Linux only."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / MIB


class World:
    """Let sessions come and go; who has come keeps its place until it goes."""

    def __init__(self) -> None:
        from tests.ui import scene
        from trayapp.model.snapshot import GroupKind

        self._chance = random.Random(8)
        self._models = [group for group in scene.scene().groups if group.kind is GroupKind.SESSION]
        self._rest = tuple(group for group in scene.scene().groups if group.kind is not GroupKind.SESSION)
        self._born = 0
        self.here: dict[str, Group] = {}
        self.first = self._full()

    def _full(self) -> Snapshot:
        from tests.ui import scene

        while len(self.here) < SESSIONS:
            self._come()
        return scene.snapshot_of((*self.here.values(), *self._rest))

    def most(self, *, releasable: bool) -> Snapshot:
        """Return as many sessions of one kind as there can be: pages keep their rows for later."""
        from tests.ui import scene

        model = next(group for group in self._models if (group.releasable is not None) is releasable)
        all_alike = (replace(model, key=f"{model.host}:alike-{n}", title=f"Session {n}") for n in range(SESSIONS))
        return scene.snapshot_of((*all_alike, *self._rest))

    def _come(self) -> None:
        model = self._models[self._born % len(self._models)]
        key = f"{model.host}:{self._born:06}"
        self.here[key] = replace(model, key=key, title=f"Session {self._born}")
        self._born += 1

    def tick(self, released: Sequence[str]) -> Snapshot:
        """Return the next snapshot; those that were released are gone."""
        from tests.ui import scene

        for key in [key for key in self.here if key in released or self._chance.random() < COME_AND_GO]:
            del self.here[key]
        while len(self.here) < SESSIONS and self._chance.random() < 0.7:
            self._come()
        for key in self._chance.sample(list(self.here), min(5, len(self.here))):
            group = self.here[key]
            more = round((group.footprint_bytes or 0) * self._chance.uniform(0.97, 1.03))
            self.here[key] = replace(group, footprint_bytes=more)
        return scene.snapshot_of((*self.here.values(), *self._rest))


def objects() -> Counter[str]:
    """Count the QObjects that are alive, by type: below the application, below every window, and held by Python."""
    from PySide6.QtCore import QCoreApplication, QEvent, QObject
    from PySide6.QtWidgets import QApplication
    from shiboken6 import getCppPointer, isValid

    for _ in range(3):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        QApplication.processEvents()
        gc.collect()
    app = QApplication.instance()
    assert app is not None
    tops: list[QObject] = [app, *QApplication.topLevelWidgets()]
    found = {getCppPointer(o)[0]: o for top in tops for o in (top, *top.findChildren(QObject))}
    held = [thing for thing in gc.get_objects() if isinstance(thing, QObject) and isValid(thing)]
    found |= {getCppPointer(thing)[0]: thing for thing in held}
    return Counter(type(each).__name__ for each in found.values())


def use(pieces: TrayApplication, turn: int, keys: Sequence[str]) -> None:
    """Do what a person does, one thing each turn."""
    from PySide6.QtCore import QRect

    from trayapp.ui.sidebar import PageName

    window = pieces.main_window()
    pages = list(PageName)
    acts: list[Callable[[], object]] = [
        lambda: pieces.popover.show_at(QRect(1000, 0, 24, 24)),
        lambda: pieces.popover.rows.move_focus(1),
        lambda: pieces.popover.hide(),
        lambda: pieces.open_window(pages[turn // 10 % len(pages)]),
        lambda: pieces.open_session(keys[turn % len(keys)]),
        lambda: window.go_back(),
        lambda: window.overview.view.select_group(keys[turn % len(keys)]),
        lambda: window.overview.view.expandAll() if turn % 20 < 10 else window.overview.view.collapseAll(),
        lambda: pieces.open_review(False),
        lambda: finish_review(pieces, turn),
    ]
    acts[turn % len(acts)]()


def finish_review(pieces: TrayApplication, turn: int) -> None:
    """Leave the open review: every second one by releasing what it lists."""
    review = pieces.review
    if review is None:
        return
    if turn % 20 >= 10 and review.list_page.agree.isEnabled():
        review.list_page.agree.click()
    review.close()
    review.deleteLater()


def soak(seconds: float) -> dict[str, object]:
    """Let it all run and tell what was seen."""
    from PySide6.QtCore import QtMsgType, qInstallMessageHandler
    from PySide6.QtTest import QTest

    from tests.ui.conftest import pin_look
    from tests.ui.fake_backend import FakeBackend
    from trayapp.ui import application, row_list

    row_list.RESULT_S = RESULT_S
    warnings: list[str] = []

    def take(kind: QtMsgType, _context: object, message: str) -> None:
        if kind is not QtMsgType.QtDebugMsg and "This plugin does not support" not in message:
            warnings.append(message)

    qInstallMessageHandler(take)
    world = World()

    class Core(FakeBackend):
        def sparklines(self, columns: int) -> Future[Mapping[str, Sequence[float | None]]]:
            future: Future[Mapping[str, Sequence[float | None]]] = Future()
            future.set_result({key: tuple(float(at) for at in range(columns)) for key in world.here})
            return future

        def forget(self) -> None:
            """Let go of what a test would ask about: it is no cost of the face."""
            for noted in (self.asked, self.detail, self.queries, self.heap_queries, self.estimates):
                noted.clear()

    app = application.make_application()
    pin_look(app)
    core = Core(world.first, at_once=True)
    pieces = application.TrayApplication(app, core)
    pieces.start()
    began_s = time.monotonic()
    before, at_tenth, turn, ticks = Counter[str](), 0.0, 0, 0
    while (left_s := began_s + seconds - time.monotonic()) > 0:
        released = {target.group_key for targets, _ in core.asked for target in targets}
        core.forget()
        core.publish(world.tick(sorted(released)))
        use(pieces, turn, list(world.here))
        turn, ticks = turn + 1, ticks + 1
        QTest.qWait(round(TICK_S * 1000))
        if not at_tenth and left_s <= seconds * 0.9:
            at_tenth = resident_mib()
            before = at_rest(pieces, core, world)
    after = at_rest(pieces, core, world)
    seen: dict[str, object] = {
        "seconds": round(time.monotonic() - began_s, 1),
        "ticks": ticks,
        "sessions_that_came": world._born,
        "mib_after_a_tenth": round(at_tenth, 1),
        "mib_at_the_end": round(resident_mib(), 1),
        "objects": after.total(),
        "objects_more": {name: n - before[name] for name, n in sorted(after.items()) if n > before[name]},
        "warnings": warnings,
    }
    pieces.close()
    app.processEvents()
    qInstallMessageHandler(None)
    return seen


def at_rest(pieces: TrayApplication, core: object, world: World) -> Counter[str]:
    """Bring every face to the same snapshot and page, close them, and count."""
    from PySide6.QtCore import QRect
    from PySide6.QtTest import QTest

    from tests.ui.fake_backend import FakeBackend
    from trayapp.ui.sidebar import PageName

    assert isinstance(core, FakeBackend)
    if pieces.review is not None:
        pieces.review.close()
    first = world.first
    for snapshot in (world.most(releasable=True), world.most(releasable=False), first):
        core.publish(snapshot)
        for page in PageName:
            pieces.open_window(page)
            QTest.qWait(50)
    pieces.open_session(first.groups[0].key)
    QTest.qWait(50)
    pieces.open_window("overview")
    pieces.main_window().overview.view.collapseAll()
    pieces.popover.show_at(QRect(1000, 0, 24, 24))
    QTest.qWait(round(1200 * RESULT_S))
    core.publish(first)
    QTest.qWait(200)
    pieces.popover.hide()
    pieces.main_window().hide()
    QTest.qWait(100)
    return objects()


def main(arguments: Sequence[str]) -> int:
    """Print what was seen; 1 when something was left behind or Qt complained."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak")
    parser.add_argument("--seconds", type=float, default=HOUR_AT_TEN_S)
    chosen = parser.parse_args(arguments)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    seen = soak(chosen.seconds)
    sys.stdout.write(json.dumps(seen, indent=2) + "\n")
    return 1 if seen["warnings"] or seen["objects_more"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
