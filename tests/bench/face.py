"""What opening and using the face costs beside bare Qt: popover, window, the tick, and scrolling a long tree.

Offscreen in one process, by CPU time, the ways taking turns; the reference is a bare PySide6 window with a list, or
a bare QTreeView on a QStandardItemModel of the same rows. Panning the chart is a figure of `frames`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator

from tests.bench.figures import Effort, Figure, figure, ratio

SESSIONS, EACH, OPENED = 500, 10, 50
STEP_ROWS = 3


def measure(effort: Effort) -> Iterator[Figure]:
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    # only here, so that no other subject has Qt in its memory
    from PySide6.QtCore import QRect
    from PySide6.QtGui import QStandardItem, QStandardItemModel
    from PySide6.QtWidgets import QApplication, QListWidget, QTreeView, QVBoxLayout, QWidget

    from tests.ui.conftest import pin_look
    from tests.ui.fake_backend import FakeBackend
    from tests.ui.test_tree import many
    from trayapp.ui import application
    from trayapp.ui.tree import SessionTree
    from trayapp.ui.tree_view import SessionTreeView

    app = application.make_application()
    pin_look(app)
    rounds = effort.pick(20, 6)
    snapshots = [many(OPENED, 4), many(OPENED, 4, heavier_ones=frozenset({3, 11, 27, 38, 49}))]
    core = FakeBackend(snapshots[0])
    pieces = application.TrayApplication(app, core)

    def bare_window() -> QWidget:
        made = QWidget()
        column = QVBoxLayout(made)
        listed = QListWidget()
        listed.addItems([f"Session {number:04}" for number in range(OPENED)])
        column.addWidget(listed)
        return made

    def spent_ms(call: Callable[[], object]) -> float:
        began_s = time.process_time()
        call()
        QApplication.processEvents()
        return (time.process_time() - began_s) * 1000

    def open_bare() -> None:
        made = bare_window()
        made.show()
        made.grab()
        made.deleteLater()

    def open_popover() -> None:
        pieces.popover.show_at(QRect(1000, 0, 24, 24))
        pieces.popover.grab()

    def open_window() -> None:
        pieces.open_window()
        pieces.main_window().grab()

    yield figure("face_popover_first_open_ms", [spent_ms(open_popover)], "ms", "made and drawn, 50 sessions")
    yield figure("face_window_first_open_ms", [spent_ms(open_window)], "ms", "made, charts loaded, and drawn")
    popover, window, bare = [], [], []
    for _ in range(rounds):
        pieces.popover.hide()
        popover.append(spent_ms(open_popover))
        pieces.main_window().hide()
        window.append(spent_ms(open_window))
        bare.append(spent_ms(open_bare))
    yield figure("face_popover_open_ms", popover, "ms", "50 sessions; the bar of the design is 100 ms")
    yield ratio("face_popover_open_over_bare_window", popover, bare, "over a bare window with a list of 50")
    yield figure("face_window_open_ms", window, "ms", "overview with 50 sessions, made already")
    yield ratio("face_window_open_over_bare_window", window, bare)

    open_popover()
    ticks = [spent_ms(lambda turn=turn: core.publish(snapshots[turn % 2])) for turn in range(rounds)]  # type: ignore[misc]
    yield figure("face_tick_both_open_ms", ticks, "ms", "popover and window open, 5 of 50 sessions changed")
    pieces.popover.hide()
    pieces.main_window().hide()
    ticks = [spent_ms(lambda turn=turn: core.publish(snapshots[turn % 2])) for turn in range(rounds)]  # type: ignore[misc]
    yield figure("face_tick_all_closed_ms", ticks, "ms", "nothing open: the icon and the notices")
    pieces.close()

    tree = SessionTree()
    ours = SessionTreeView(tree)
    ours.show_snapshot(many(SESSIONS, EACH))
    ours.expandAll()
    model = QStandardItemModel(0, 6)
    for number in range(SESSIONS):
        row = [QStandardItem(f"Session {number:04}"), *(QStandardItem("0.1 GB") for _ in range(5))]
        for at in range(EACH):
            row[0].appendRow([QStandardItem(f"node {at}"), *(QStandardItem("0.1 GB") for _ in range(5))])
        model.appendRow(row)
    plain = QTreeView()
    plain.setModel(model)
    plain.setUniformRowHeights(True)
    plain.expandAll()
    frames: dict[str, list[float]] = {"ours": [], "plain": []}
    for view in (ours, plain):
        view.resize(900, 600)
        view.show()
    QApplication.processEvents()
    for turn in range(rounds * 5):
        for name, view in (("ours", ours), ("plain", plain)):
            bar = view.verticalScrollBar()
            step = bar.singleStep() if view.verticalScrollMode() == view.ScrollMode.ScrollPerPixel else 1
            frames[name].append(spent_ms(lambda bar=bar, at=(turn + 1) * STEP_ROWS * step: bar.setValue(at)))  # type: ignore[misc]
    yield figure("face_scroll_500_sessions_ms", frames["ours"], "ms", "5,000 processes, all open; 16.7 is 60 a second")
    yield ratio("face_scroll_over_bare_tree", frames["ours"], frames["plain"], "over a bare QTreeView of the same rows")
    for view in (ours, plain):
        view.close()
        view.deleteLater()
    QApplication.processEvents()
