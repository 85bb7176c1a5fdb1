"""The chart makes its items once, draws nothing through a gap, and can be read with the keyboard."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from dataclasses import replace
from itertools import count, pairwise
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QGraphicsView
from pytestqt.qtbot import QtBot

from tests.ui import scene
from tests.ui.fake_backend import FakeBackend
from trayapp.model.series import Gap, GapKind, Layer, Mark, Series, SeriesQuery, StackBy
from trayapp.ui import chart_stack, tokens
from trayapp.ui.bridge import Bridge
from trayapp.ui.chart import Chart
from trayapp.ui.chart_card import ChartCard
from trayapp.ui.chart_overlay import EventSign, mark_sentence, percent_label, sign_of
from trayapp.ui.marks import SHARED, StateShape

SINCE, UNTIL = scene.NOW_EPOCH_S - 21600, scene.NOW_EPOCH_S


def six_hours(columns: int = 600) -> Series:
    return scene.series(SeriesQuery(since_epoch_s=SINCE, until_epoch_s=UNTIL, columns=columns))


def red(_layer: Layer) -> QColor:
    return QColor("#C00000")


@pytest.fixture
def chart(qtbot: QtBot) -> Chart:
    made = Chart(red)
    qtbot.addWidget(made)
    made.resize(860, 320)
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_nothing_of_pyqtgraph_or_numpy_is_loaded_before_a_chart_is_shown() -> None:
    program = (
        "import sys; from PySide6.QtWidgets import QApplication; app = QApplication([]);"
        "import trayapp.ui.window; from trayapp.ui.chart import Chart; chart = Chart(lambda layer: None);"
        "print([name for name in ('pyqtgraph', 'numpy') if name in sys.modules])"
    )
    environ = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environ, check=True)
    assert done.stdout.strip() == "[]"


def item_count(chart: Chart) -> int:
    """Count what pyqtgraph has to draw, in all plots."""
    views = [viewport.parent() for viewport in chart.plot_viewports()]
    return sum(len(view.scene().items()) for view in views if isinstance(view, QGraphicsView))


def test_items_are_made_once_and_then_only_fed(chart: Chart) -> None:
    chart.show_series(six_hours(), SINCE, UNTIL)
    made = item_count(chart)
    for columns in (300, 600, 20, 300, 600):
        chart.show_series(six_hours(columns), SINCE, UNTIL)
    assert item_count(chart) == made > 0


@pytest.mark.parametrize(
    ("peak", "top", "ends"),
    [(0.4, 1.0, "1"), (0.0, 100.0, ""), (3.0, 6.0, "6"), (20.0, 30.0, "30"), (80.0, 100.0, ""), (130.0, 150.0, "")],
)
def test_the_axis_of_a_quiet_cpu_comes_down_in_steps_and_says_so(
    chart: Chart, peak: float, top: float, ends: str
) -> None:
    made = six_hours(60)
    (first, *_) = made.layers
    quiet = replace(first, cpu_percent=(peak,) * 60)
    chart.show_series(replace(made, layers=(quiet,), gaps=()), SINCE, UNTIL)
    overlay = chart.overlay
    assert overlay._scales[1].grid[-1] == top
    said = overlay._whole_note("100 % is one core")
    assert said == (f"100 % is one core, the axis ends at {ends}\u202f%" if ends else "100 % is one core")


def test_small_shares_of_a_core_keep_their_decimal() -> None:
    assert [percent_label(value, 1.0) for value in (0.0, 0.5, 1.0)] == ["0\u202f%", "0.5\u202f%", "1\u202f%"]


def test_what_was_drawn_goes_with_its_data(chart: Chart) -> None:
    def filled() -> bool:
        at = chart.overlay.memory_rect
        below = QPoint(int(at.left() + at.width() / 3), int(at.bottom() - 4))
        return bool(chart.grab().toImage().pixelColor(below).saturation() > 40)

    chart.show_series(six_hours(), SINCE, UNTIL)
    made = item_count(chart)
    assert filled()
    chart.show_series(Series(times_epoch_s=(), column_s=36.0, layers=()), SINCE, UNTIL)
    assert not filled()
    chart.show_series(six_hours(), SINCE, UNTIL)
    assert filled()
    chart.clear()
    assert not filled()
    assert item_count(chart) == made


def test_a_pan_moves_the_picture_and_a_zoom_draws_it_anew(chart: Chart, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[None] = []

    def counted(*asked: Any) -> Any:
        drawn.append(None)
        return stacked(*asked)

    stacked = chart_stack.stacked_pixels
    monkeypatch.setattr(chart_stack, "stacked_pixels", counted)
    chart.show_series(six_hours(), SINCE, UNTIL)
    before = chart.grab().toImage()
    drawn.clear()
    view = chart._plots[0].view
    for moved_s in (-600.0, -1200.0, -3600.0, 0.0):
        view.setXRange(moved_s, moved_s + UNTIL - SINCE, padding=0)
        shown = chart.grab().toImage()
    assert drawn == []
    assert shown == before
    chart.zoom(0.5)
    chart.grab()
    assert len(drawn) == 2


def test_nothing_is_drawn_through_a_gap(chart: Chart) -> None:
    asleep = (SINCE + 9000, SINCE + 12600)
    values = tuple(None if asleep[0] <= SINCE + 36 * n <= asleep[1] else 4.0 * scene.GB for n in range(600))
    layer = Layer(key="a", host="a", title="a", memory_bytes=values, cpu_percent=values)
    gap = Gap(kind=GapKind.SLEEP, since_epoch_s=asleep[0], until_epoch_s=asleep[1])
    times = tuple(SINCE + 36.0 * n for n in range(600))
    chart.show_series(Series(times_epoch_s=times, column_s=36.0, layers=(layer,), gaps=(gap,)), SINCE, UNTIL)
    image = chart.grab().toImage()
    overlay, height = chart.overlay, chart.overlay.memory_rect.bottom() - 10
    inside = image.pixelColor(QPoint(int(overlay.x_of(sum(asleep) / 2)), int(height)))
    beside = image.pixelColor(QPoint(int(overlay.x_of(SINCE + 3000)), int(height)))
    assert beside.red() > beside.green() + 40
    assert abs(inside.red() - inside.green()) < 12
    assert overlay.gap_words() == ("Asleep 1\u202fh",)


def test_the_time_axis_has_local_times(chart: Chart) -> None:
    chart.show_series(six_hours(), SINCE, UNTIL)
    assert chart.overlay.time_labels() == ("11:00", "12:00", "13:00", "14:00", "15:00", "16:00")


def test_releases_are_marked_with_what_came_back(chart: Chart) -> None:
    chart.show_series(six_hours(), SINCE, UNTIL)
    assert chart.overlay.mark_words() == ("−2.6\u202fGB", "−1.4\u202fGB")


def test_arrow_keys_move_the_crosshair_and_home_and_end_jump(qtbot: QtBot, chart: Chart) -> None:
    chart.show_series(six_hours(), SINCE, UNTIL)
    QTest.keyClick(chart, Qt.Key.Key_End)
    assert chart.overlay.reading is not None
    assert chart.overlay.reading.index == 599
    assert chart.overlay.reading_time() == "16:20"
    QTest.keyClick(chart, Qt.Key.Key_Left)
    assert chart.overlay.reading.index == 598
    QTest.keyClick(chart, Qt.Key.Key_Home)
    assert chart.overlay.reading.index == 0
    assert chart.overlay.reading_time() == "10:20"


def test_the_crosshair_steps_over_a_gap(chart: Chart) -> None:
    made = six_hours()
    chart.show_series(made, SINCE, UNTIL)
    known = [n for n, value in enumerate(made.layers[0].memory_bytes) if value is not None]
    before = next(n for n, following in pairwise(known) if following > n + 1)
    chart.show_crosshair(made.times_epoch_s[before])
    QTest.keyClick(chart, Qt.Key.Key_Right)
    assert chart.overlay.reading is not None
    assert chart.overlay.reading.index == known[known.index(before) + 1]


def test_escape_takes_the_crosshair_away(chart: Chart) -> None:
    chart.show_series(six_hours(), SINCE, UNTIL)
    chart.show_crosshair(UNTIL - 600)
    QTest.keyClick(chart, Qt.Key.Key_Escape)
    assert chart.overlay.reading is None


def test_the_crosshair_stays_at_its_moment_when_new_data_come(chart: Chart) -> None:
    chart.show_series(six_hours(), SINCE, UNTIL)
    chart.show_crosshair(UNTIL - 3600)
    chart.show_series(six_hours(300), SINCE + 60, UNTIL + 60)
    assert chart.overlay.reading is not None
    assert abs(chart.overlay.reading.at_epoch_s - (UNTIL - 3600)) <= 80


def test_zoom_keeps_both_plots_together_and_tells_the_new_range_once_it_settles(qtbot: QtBot, chart: Chart) -> None:
    chart.show_series(six_hours(), SINCE, UNTIL)
    chart.show_crosshair(UNTIL - 3600)
    with qtbot.waitSignal(chart.range_moved) as moved:
        QTest.keyClick(chart, Qt.Key.Key_Plus)
        QTest.keyClick(chart, Qt.Key.Key_Plus)
    assert moved.args is not None
    since, until = moved.args
    assert until - since == pytest.approx(21600 / 4, rel=0.01)
    assert since < UNTIL - 3600 < until


def test_dragging_pans(qtbot: QtBot, chart: Chart) -> None:
    chart.show_series(six_hours(), SINCE, UNTIL)
    with qtbot.waitSignal(chart.range_moved):
        chart.zoom(0.25)
    before = chart.visible_range
    viewport = chart.plot_viewports()[0]
    start, left = QPoint(300, 60), Qt.MouseButton.LeftButton
    QTest.mousePress(viewport, left, Qt.KeyboardModifier.NoModifier, start)
    steps = count(start.x(), 5)

    def has_moved() -> bool:
        _move(viewport, QPoint(min(next(steps), 500), 60))  # pyqtgraph drops moves that come faster than 100 a second
        return chart.visible_range[0] < before[0]

    with qtbot.waitSignal(chart.range_moved):
        qtbot.waitUntil(has_moved)
        QTest.mouseRelease(viewport, left, Qt.KeyboardModifier.NoModifier, QPoint(500, 60))
    assert chart.visible_range[0] < before[0]
    assert chart.visible_range[1] - chart.visible_range[0] == pytest.approx(before[1] - before[0], rel=0.01)


def _move(viewport: object, at: QPoint) -> None:
    from PySide6.QtCore import QCoreApplication, QEvent
    from PySide6.QtGui import QMouseEvent
    from PySide6.QtWidgets import QWidget

    assert isinstance(viewport, QWidget)
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    where = QPointF(at)
    event = QMouseEvent(QEvent.Type.MouseMove, where, viewport.mapToGlobal(where), left, left, none)
    QCoreApplication.sendEvent(viewport, event)


def test_a_change_of_appearance_recolours_at_once(chart: Chart) -> None:
    chart.show_series(six_hours(), SINCE, UNTIL)
    tokens.appearance().choose("dark")
    image = chart.grab().toImage()
    at = chart.overlay.memory_rect
    filled = image.pixelColor(QPoint(int(at.left() + 60), int(at.bottom() - 8)))
    assert filled.lightnessF() < 0.5


@pytest.mark.linux
def test_updates_do_not_make_memory_grow(qtbot: QtBot, chart: Chart) -> None:  # case 112, shortened; see tests/bench
    if not sys.platform.startswith("linux"):
        pytest.skip("reads its own resident set from /proc")
    grown = grow_by_updates(chart, updates=40, warm_up=15)
    assert grown < 10 * scene.MB


def grow_by_updates(chart: Chart, *, updates: int, warm_up: int) -> int:
    """Return by how many bytes the own resident set grew over updates of 30 curves of 720 points."""
    steps = [_thirty_layers(offset) for offset in range(4)]
    for number in range(warm_up):
        chart.show_series(steps[number % 4], SINCE, UNTIL)
        chart.grab()
    gc.collect()
    before = _rss_bytes()
    for number in range(updates):
        chart.show_series(steps[number % 4], SINCE, UNTIL)
        if number % 10 == 0:
            chart.grab()
    gc.collect()
    return _rss_bytes() - before


def _thirty_layers(offset: int) -> Series:
    times = tuple(SINCE + 30.0 * n for n in range(720))
    layers = tuple(
        Layer(
            key=f"s{number}",
            host=None,
            title=f"s{number}",
            memory_bytes=tuple(float((n + offset + number) % 50) * scene.MB for n in range(720)),
            cpu_percent=tuple(float((n + offset) % 9) for n in range(720)),
        )
        for number in range(30)
    )
    mark = Mark(at_epoch_s=SINCE + 60, came_back_bytes=1, title="", receipt_id="r")
    return Series(times_epoch_s=times, column_s=30.0, layers=layers, marks=(mark,))


def _rss_bytes() -> int:
    with open("/proc/self/statm", encoding="ascii") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


# The card that feeds it.


@pytest.fixture
def card(qtbot: QtBot, backend: FakeBackend, bridge: Bridge) -> ChartCard:
    made = ChartCard(bridge, 21600.0)
    qtbot.addWidget(made)
    made.resize(872, 362)
    made.show_snapshot(scene.scene())
    with qtbot.waitExposed(made):
        made.show()
    qtbot.waitUntil(lambda: made.chart.series is not None)
    return made


def test_the_card_asks_for_at_most_600_columns_of_the_shown_range(card: ChartCard, backend: FakeBackend) -> None:
    assert backend.queries[-1].columns == 600
    assert backend.queries[-1].until_epoch_s == scene.NOW_EPOCH_S
    assert backend.queries[-1].until_epoch_s - backend.queries[-1].since_epoch_s == 21600


def test_a_tick_that_shows_nothing_new_asks_nothing(card: ChartCard, backend: FakeBackend) -> None:
    asked = len(backend.queries)
    card.show_snapshot(scene.scene())
    assert len(backend.queries) == asked


def test_choosing_a_stack_asks_anew(qtbot: QtBot, card: ChartCard, backend: FakeBackend) -> None:
    card.stack.chosen.emit("session")
    assert backend.queries[-1].stack_by is StackBy.SESSION
    qtbot.waitUntil(lambda: card.chart.series is not None and len(card.chart.series.layers) > 6)


def test_states_have_their_signs_and_no_host_colour(card: ChartCard) -> None:
    card.stack_by("state")
    busy = Layer(key="busy", host=None, title="Busy", memory_bytes=(1.0,), cpu_percent=(1.0,))
    shared = Layer(key="shared", host=None, title="Shared helpers", memory_bytes=(1.0,), cpu_percent=(1.0,))
    one = Series(times_epoch_s=(UNTIL,), column_s=36.0, layers=(shared, busy))
    card.chart.show_series(one, SINCE, UNTIL)
    assert card.chart.overlay.sign("busy") is StateShape.BUSY
    assert card.chart.overlay.sign("shared") == SHARED


def test_a_moved_range_is_kept_over_ticks_and_a_chosen_range_follows_again(
    qtbot: QtBot, card: ChartCard, backend: FakeBackend
) -> None:
    card.chart.range_moved.emit(SINCE, SINCE + 3600)
    asked = len(backend.queries)
    card.show_snapshot(scene.scene())
    assert len(backend.queries) == asked
    assert card.back_to_now.isVisible()
    card.back_to_now.click()
    assert backend.queries[-1].since_epoch_s == scene.NOW_EPOCH_S - 21600
    assert not card.back_to_now.isVisible()
    card.set_span(900.0)
    assert backend.queries[-1].since_epoch_s == scene.NOW_EPOCH_S - 900


def test_a_hidden_card_asks_nothing(card: ChartCard, backend: FakeBackend) -> None:
    card.hide()
    asked = len(backend.queries)
    card.set_span(900.0)
    assert len(backend.queries) == asked


def press(chart: Chart, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(chart, key, modifier)


def test_keys_move_the_range_and_never_beyond_now(chart: Chart) -> None:
    chart.show_series(six_hours(), SINCE, UNTIL)
    since, until = chart.visible_range
    length = until - since
    press(chart, Qt.Key.Key_PageUp)
    assert chart.visible_range == pytest.approx((since - length / 2, until - length / 2))
    press(chart, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert chart.visible_range == pytest.approx((since - length * 0.4, until - length * 0.4))
    press(chart, Qt.Key.Key_PageDown)
    assert chart.visible_range == pytest.approx((since, until))
    asked: list[bool] = []
    chart.now_asked.connect(lambda: asked.append(True))
    press(chart, Qt.Key.Key_0)
    assert asked == [True]


def test_the_crosshair_is_told_in_words_when_keys_move_it(chart: Chart) -> None:
    chart.show_series(six_hours(), SINCE, UNTIL)
    press(chart, Qt.Key.Key_End)
    said = chart.accessibleDescription()
    assert said.startswith("16:20: 12.")
    assert "in all, Orphans 0.3\u202fGB, craft-agents 0.7\u202fGB" in said
    assert ", CPU " in said
    press(chart, Qt.Key.Key_Escape)
    assert chart.accessibleDescription() == ""


def test_an_end_by_signal_has_another_sign_than_a_release(chart: Chart) -> None:
    series = six_hours()
    first, *others = series.marks
    ended = replace(first, ended=True)
    assert [sign_of(mark) for mark in (first, ended, replace(first, incident_id="i-1"))] == [
        EventSign.BACK,
        EventSign.ENDED,
        EventSign.BAD,
    ]
    assert mark_sentence(ended) == "Ended, 2.6\u202fGB came back"
    chart.show_series(series, SINCE, UNTIL)
    before = chart.grab().toImage()
    chart.show_series(replace(series, marks=(ended, *others)), SINCE, UNTIL)
    assert chart.grab().toImage() != before


def test_what_stands_out_still_does_when_new_data_come(chart: Chart) -> None:
    chart.highlight({"codex", "no such layer"})
    chart.show_series(six_hours(), SINCE, UNTIL)
    assert chart.highlighted == {"codex", "no such layer"}
    marked = chart.grab().toImage()
    chart.highlight(())
    assert chart.grab().toImage() != marked
    plain = chart.grab().toImage()
    chart.highlight({"no such layer"})
    assert chart.grab().toImage() == plain, "nothing is faint for what is not there"
