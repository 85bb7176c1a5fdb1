"""Chart and tree show the same things: what is pointed at, filtered, looked back at, and read out as a table."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QFont, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.ui import scene
from tests.ui.fake_backend import FakeBackend
from tests.ui.screenshots_window import NoLogin
from trayapp.model.process import Pressure
from trayapp.model.series import Layer, Series, SeriesQuery, StackBy, Strain
from trayapp.ui import chart_data, pointing, tokens
from trayapp.ui.branches import ORPHANS_KEY, SHARED_KEY, branches, host_key
from trayapp.ui.bridge import Bridge
from trayapp.ui.chart_card import layer_mark
from trayapp.ui.controls import Text
from trayapp.ui.marks import MarkKind
from trayapp.ui.overview_page import LOOK_BACK
from trayapp.ui.window import MainWindow

THIN = "\u202f"
CODEX = host_key("codex")


@pytest.fixture
def window(qtbot: QtBot, backend: FakeBackend, bridge: Bridge) -> MainWindow:
    made = MainWindow(backend, bridge, login=NoLogin())
    qtbot.addWidget(made)
    with qtbot.waitExposed(made):
        made.show()
    qtbot.waitUntil(lambda: made.overview.chart.chart.series is not None)
    return made


def move_over(window: MainWindow, share_x: float, height_bytes: float) -> None:
    """Move the pointer over the memory plot, to where the stack is so high."""
    chart = window.overview.chart.chart
    plot, viewport = chart.overlay.memory_rect, chart.plot_viewports()[0]
    y = plot.height() * (1 - height_bytes / chart.overlay.memory_top)
    at = QPointF(plot.width() * share_x, y)
    none = Qt.MouseButton.NoButton
    event = QMouseEvent(QEvent.Type.MouseMove, at, viewport.mapToGlobal(at), none, none, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(viewport, event)
    QTest.qWait(20)  # pyqtgraph passes on moves at most 100 times a second


# What is pointed at.


def test_a_layer_under_the_pointer_stands_out_with_its_host_in_the_tree(window: MainWindow) -> None:
    page = window.overview
    move_over(window, 0.95, 3 * scene.GB)
    assert page.chart.chart.highlighted == {"claude-code"}
    assert page.view.marked == {host_key("claude-code")}
    move_over(window, 0.95, 14.5 * scene.GB)
    assert page.chart.chart.highlighted == frozenset()
    assert page.view.marked == frozenset()


def test_a_row_under_the_pointer_lets_its_layer_stand_out(qtbot: QtBot, window: MainWindow) -> None:
    page = window.overview
    stack = page.chart.chart._plots[0].stack
    page.chart.chart.grab()
    before = page.chart.chart.grab().toImage()
    row = page.view.visualRect(page.tree.index_of_group(scene.FIX)).center()
    QTest.mouseMove(page.view.viewport(), QPoint(row.x(), row.y() + 1))
    qtbot.waitUntil(lambda: page.chart.chart.highlighted == {"claude-code"})
    picture = stack._picture
    assert page.chart.chart.grab().toImage() != before, "the others are faint"
    assert stack._picture is picture, "only its colours are other ones"
    QApplication.sendEvent(page.view.viewport(), QEvent(QEvent.Type.Leave))
    assert page.chart.chart.highlighted == frozenset()
    assert page.chart.chart.grab().toImage() == before


@pytest.mark.parametrize("stack_by", list(StackBy))
def test_layers_lead_to_rows_and_back(stack_by: StackBy) -> None:
    snapshot = scene.scene()
    for group in snapshot.groups:
        for layer in pointing.layers_of_group(group, stack_by):
            rows = pointing.rows_of(layer, stack_by, snapshot)
            branch = next(b for b in branches(snapshot) if group in b.groups)
            assert group.key in rows or branch.key in rows
            assert layer in pointing.layers_of_branch(branch, stack_by)
    assert pointing.rows_of("", stack_by, snapshot) == frozenset()
    assert pointing.rows_of(SHARED_KEY, stack_by, snapshot) == {SHARED_KEY}
    assert pointing.rows_of(ORPHANS_KEY, stack_by, None) == frozenset()


# The filter of the sidebar.


def test_a_host_of_the_sidebar_filters_the_chart_too(window: MainWindow, backend: FakeBackend) -> None:
    item = window.sidebar.host_items[CODEX]
    assert item.accessibleDescription() == "Show only this in chart and tree; again to show all"
    item.click()
    assert [query.branch for query in backend.queries][-1] == CODEX
    assert item.accessibleDescription() == "Only this is shown; again to show all"
    assert "only Codex" in window.overview.chart._metric.text()
    item.click()
    assert [query.branch for query in backend.queries][-1] is None
    assert window.overview.chart._metric.text() == "physical footprint"


def test_what_a_host_runs_beside_its_sessions_bears_its_name_where_it_is_shown_alone(window: MainWindow) -> None:
    feed = window.overview.chart._memory_feed
    beside = Layer(key=SHARED_KEY, host=None, title="Shared helpers", memory_bytes=(1.0,), cpu_percent=(None,))
    found = Series(times_epoch_s=(1.0,), column_s=1.0, layers=(beside,))
    feed.branch = CODEX
    (shown,) = feed._shown(found).layers
    assert chart_data.title_of(shown) == "Codex, its own processes"
    assert layer_mark(shown, scene.scene()).kind is MarkKind.HOST
    feed.branch = SHARED_KEY
    assert feed._shown(found) is found


# The filter of the tree.


def test_the_lens_in_the_head_starts_the_filter(window: MainWindow) -> None:
    window.overview.view.head.filter_tool.click()
    assert window.overview.filter.isVisible()
    QTest.keyClicks(window.overview.filter, "41902")
    assert window.overview.tree.rowCount() == 1


# The table.


def test_the_chart_can_be_read_as_a_table(window: MainWindow) -> None:
    card = window.overview.chart
    assert card.table_button.accessibleName() == "Show as table"
    card.table_button.click()
    assert card.table.isVisible()
    assert not card.chart.isVisible()
    assert card.table_button.accessibleName() == "Show as chart"
    table = card.table.table
    heads = [table.headerData(n, Qt.Orientation.Horizontal) for n in range(table.columnCount())]
    assert heads[:3] == ["Time", "In all", "Orphans"]
    assert heads[-2:] == ["CPU", "What happened"]
    assert 2 <= table.rowCount() <= chart_data.MOST_TABLE_ROWS
    rows = [[table.index(row, n).data() for n in range(table.columnCount())] for row in range(table.rowCount())]
    assert rows[0][0].endswith("16:20"), "the newest first"
    happened = "; ".join(row[-1] for row in rows)
    assert f"Asleep 45{THIN}min" in happened
    assert f"Released, 2.6{THIN}GB came back" in happened
    asleep = next(row for row in rows if row[-1].startswith("Asleep") and row[1] == "–")
    assert asleep[1:-1] == ["–"] * (len(heads) - 2), "nothing measured is no zero"
    card.table_button.click()
    assert card.chart.isVisible()


def test_the_table_follows_what_the_chart_is_fed(qtbot: QtBot, window: MainWindow) -> None:
    card = window.overview.chart
    card.show_as_table(True)
    card.stack_by("session")
    qtbot.waitUntil(lambda: "Fix flaky upload tests" in _heads(window))
    window.overview.ranges.chosen.emit(f"15{THIN}min")
    qtbot.waitUntil(lambda: card.chart.visible_range[1] - card.chart.visible_range[0] == 900)
    assert card.table.table.index(0, 0).data().count(":") == 4, "seconds in the shortest range"


def _heads(window: MainWindow) -> list[object]:
    table = window.overview.chart.table.table
    return [table.headerData(n, Qt.Orientation.Horizontal) for n in range(table.columnCount())]


# Nothing runs.


def empty_before(since_epoch_s: float) -> FakeBackend:
    """Return a core that held nothing in ranges that begin later than that."""

    class Quiet(FakeBackend):
        def series(self, query: SeriesQuery) -> Future[Series]:
            self.queries.append(query)
            found = scene.series(query)
            if query.since_epoch_s > since_epoch_s:
                found = replace(found, layers=())
            done: Future[Series] = Future()
            done.set_result(found)
            return done

    return Quiet(scene.empty())


@pytest.mark.parametrize(
    ("before_h", "words", "then"),
    [(10, LOOK_BACK[0], "the last 24"), (100, LOOK_BACK[1], "the last 7"), (1000, LOOK_BACK[1], "Start one in")],
)
def test_while_nothing_runs_it_shows_what_was_held_lately(qtbot: QtBot, before_h: float, words: str, then: str) -> None:
    backend = empty_before(scene.NOW_EPOCH_S - before_h * 3600)
    bridge = Bridge(backend)
    window = MainWindow(backend, bridge, login=NoLogin())
    qtbot.addWidget(window)
    window.show()
    qtbot.waitUntil(lambda: window.overview.ranges.current == words)
    qtbot.waitUntil(lambda: then in window.overview.empty.words[1])
    assert window.overview.empty.words[0] == "No agent session is running"
    if before_h < 1000:
        backend.publish(scene.scene())
        qtbot.waitUntil(lambda: window.overview.ranges.current == f"6{THIN}h")
    bridge.close()
    bridge.deleteLater()


def test_a_range_that_the_user_chose_stays_although_it_holds_nothing(qtbot: QtBot) -> None:
    backend = empty_before(scene.NOW_EPOCH_S - 10 * 3600)
    bridge = Bridge(backend)
    window = MainWindow(backend, bridge, login=NoLogin())
    qtbot.addWidget(window)
    window.show()
    qtbot.waitUntil(lambda: window.overview.ranges.current == LOOK_BACK[0])
    window.overview.ranges.set_current(f"15{THIN}min")
    window.overview.ranges.chosen.emit(f"15{THIN}min")
    qtbot.waitUntil(lambda: backend.queries[-1].until_epoch_s - backend.queries[-1].since_epoch_s == 900)
    QApplication.processEvents()
    assert window.overview.ranges.current == f"15{THIN}min"
    bridge.close()
    bridge.deleteLater()


# Shortage of memory.


def test_a_shortage_of_memory_is_a_band_and_is_named_at_the_crosshair(window: MainWindow, look: str) -> None:
    chart = window.overview.chart.chart
    since, until = chart.visible_range
    series = scene.series(SeriesQuery(since_epoch_s=since, until_epoch_s=until))
    chart.show_series(series, since, until)
    plain = chart.grab().toImage()
    at = until - 1800
    short = replace(
        series,
        strains=(
            Strain(pressure=Pressure.WARNING, since_epoch_s=at - 600, until_epoch_s=at),
            Strain(pressure=Pressure.CRITICAL, since_epoch_s=at, until_epoch_s=at + 300),
        ),
    )
    chart.show_series(short, since, until)
    assert chart.grab().toImage() != plain
    chart.show_crosshair(at - 300)
    assert chart.overlay.reading_words().endswith("Memory ran short")
    chart.show_crosshair(at + 150)
    assert chart.overlay.reading_words().endswith("Memory was nearly full")
    assert not chart.grab().isNull()
    chart.show_crosshair(since + 60)
    assert "Memory ran" not in chart.overlay.reading_words()


# Order by Tab.


def test_tab_goes_through_the_page_as_it_is_read(window: MainWindow) -> None:
    page = window.overview
    page.filter.show()
    wanted: list[QWidget] = [
        window.sidebar.pages[next(iter(window.sidebar.pages))],
        page.export,
        page.release,
        page.chart.table_button,
        page.chart.chart,
        page.filter,
        page.view.head.filter_tool,
        page.view.head.columns_tool,
        page.view,
    ]
    chain: list[QWidget] = []
    at: QWidget | None = window.nextInFocusChain()
    while at is not None and at is not window and len(chain) < 2000:
        chain.append(at)
        at = at.nextInFocusChain()
    places = [chain.index(widget) for widget in wanted]
    assert places == sorted(places)


# Room.


def test_segments_become_a_menu_where_they_have_no_room(window: MainWindow) -> None:
    page = window.overview
    assert page.ranges.width() == page.ranges.sizeHint().width()
    assert page.chart.stack.width() == page.chart.stack.sizeHint().width()
    window.resize(window.minimumSize())
    QApplication.processEvents()
    assert page.ranges.width() < page.ranges.sizeHint().width()
    page.release.setText("Release what is idle, and that is a long word…")
    page.release.updateGeometry()
    window.resize(1120, 812)
    QApplication.processEvents()
    page._fit_head()
    shown = [widget.geometry() for widget in (page.title, page.ranges, page.export, page.release)]
    assert all(left.right() < right.left() for left, right in pairwise(shown)), "none lies over another"


@pytest.mark.parametrize("pixels", [13, 21])
def test_large_text_needs_no_more_than_a_larger_window(qtbot: QtBot, qapp: QApplication, pixels: int) -> None:
    before = qapp.font()
    larger = QFont(before)
    larger.setPixelSize(pixels)
    qapp.setFont(larger)
    backend = FakeBackend(scene.scene())
    bridge = Bridge(backend)
    window = MainWindow(backend, bridge, login=NoLogin())
    qtbot.addWidget(window)
    window.resize(window.minimumSize())
    window.show()
    for name in ("overview", "session"):
        if name == "session":
            window.show_session(scene.REFACTOR)
        for _ in range(4):
            QApplication.processEvents()
        names = {group.name for group in scene.scene().groups}
        page = window.page
        assert page is not None
        cut = [
            text.text()
            for text in page.findChildren(Text)
            if text.isVisible()
            and not text.wordWrap()
            and tokens.text_width(text.text(), text.font()) > text.width() + 1
            and text.text() not in names
        ]
        assert cut == []
    bridge.close()
    bridge.deleteLater()
    qapp.setFont(before)
