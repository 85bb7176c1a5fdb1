"""What the window costs: a tick of 500 sessions, and memory over 10,000 updates of the chart (case 112)."""

from __future__ import annotations

import os
import sys

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication
from pytest_benchmark.fixture import BenchmarkFixture
from pytestqt.qtbot import QtBot

from tests.ui import scene
from tests.ui.test_chart import grow_by_updates, red
from tests.ui.test_tree import many
from trayapp.ui.chart import Chart
from trayapp.ui.tree import SessionTree
from trayapp.ui.tree_view import SessionTreeView

pytestmark = pytest.mark.bench

FIVE = frozenset({3, 77, 200, 311, 499})


@pytest.fixture(autouse=True)
def _english(qapp: QApplication) -> None:
    qapp.setStyle("Fusion")
    QLocale.setDefault(QLocale(QLocale.Language.English))


def test_a_tick_of_500_sessions_with_5000_processes(qtbot: QtBot, benchmark: BenchmarkFixture) -> None:
    tree = SessionTree()
    view = SessionTreeView(tree)
    qtbot.addWidget(view)
    view.resize(900, 600)
    view.show()
    ticks = [many(500, 10), many(500, 10, heavier_ones=FIVE)]
    view.show_snapshot(ticks[0])
    view.expandAll()
    turn = 0

    def tick() -> None:
        nonlocal turn
        turn += 1
        view.show_snapshot(ticks[turn % 2])
        QApplication.processEvents()

    benchmark(tick)
    assert tree.rowCount(tree.index(0, 0)) == 500


@pytest.mark.linux
def test_ten_thousand_updates_of_30_curves_keep_memory_in_bounds(qtbot: QtBot) -> None:  # case 112
    if not sys.platform.startswith("linux"):
        pytest.skip("reads its own resident set from /proc")
    updates = int(os.environ.get("AGENTRING_BENCH_UPDATES", "10000"))
    chart = Chart(red)
    qtbot.addWidget(chart)
    chart.resize(860, 320)
    with qtbot.waitExposed(chart):
        chart.show()
    grown = grow_by_updates(chart, updates=updates, warm_up=60)
    print(f"{updates} updates of 30 curves: {grown / scene.MB:+.1f} MiB, {chart.curve_count} curves made")
    assert chart.curve_count == 2 * 2 * 30
    assert grown < 10 * scene.MB
