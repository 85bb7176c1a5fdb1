"""What the window does with 500 sessions: a tick of its tree; memory over 10,000 updates of the chart (case 112)."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from tests.bench.figures import MIB, Effort, Figure, figure

ROUNDS = 15


def measure(effort: Effort) -> Iterator[Figure]:
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    # only here, so that no other subject has Qt in its memory
    from PySide6.QtWidgets import QApplication

    from tests.ui.conftest import pin_look
    from tests.ui.test_chart import grow_by_updates, red
    from tests.ui.test_tree import many
    from trayapp.ui import application
    from trayapp.ui.chart import Chart
    from trayapp.ui.tree import SessionTree
    from trayapp.ui.tree_view import SessionTreeView

    app = application.make_application()
    pin_look(app)
    tree = SessionTree()
    view = SessionTreeView(tree)
    view.resize(900, 600)
    view.show()
    ticks = [many(500, 10), many(500, 10, heavier_ones=frozenset({3, 77, 200, 311, 499}))]
    view.show_snapshot(ticks[0])
    view.expandAll()

    def tick(turn: int) -> float:
        began_s = time.process_time()
        view.show_snapshot(ticks[turn % 2])
        QApplication.processEvents()
        return (time.process_time() - began_s) * 1000

    spent = [tick(turn) for turn in range(1, ROUNDS + 3)][2:]
    if tree.rowCount(tree.index(0, 0)) != 500:
        raise AssertionError("the tree does not show 500 sessions")
    yield figure("window_tick_500_sessions_ms", spent, "ms", "the tree of 500 sessions with 5,000 processes, 5 changed")
    view.close()
    view.deleteLater()

    updates = effort.pick(10_000, 1_000)
    chart = Chart(red)
    chart.resize(860, 320)
    chart.show()
    app.processEvents()
    grown = grow_by_updates(chart, updates=updates, warm_up=60) / MIB
    yield Figure(
        name="chart_growth_10k_updates", value=grown, unit="MiB", note=f"{updates} updates of 30 curves of 720"
    )
    chart.close()
    chart.deleteLater()
    app.processEvents()
