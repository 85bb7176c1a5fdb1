"""What a chart shows as numbers: stacking, gaps, grids, and times that are right across a clock change."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayapp.model.process import Pressure
from trayapp.model.series import Gap, GapKind, Layer, Mark, Series, Strain
from trayapp.ui import chart_data

GB = 1024.0**3
BERLIN = ZoneInfo("Europe/Berlin")


def epoch(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


def layer(key: str, *values: float | None) -> Layer:
    return Layer(key=key, host=key, title=key, memory_bytes=values, cpu_percent=values)


def series(times: tuple[float, ...], *layers: Layer, gaps: tuple[Gap, ...] = (), column_s: float = 10.0) -> Series:
    return Series(times_epoch_s=times, column_s=column_s, layers=layers, gaps=gaps)


def test_no_piece_leads_through_a_column_without_measurement() -> None:
    made = series((0.0, 10.0, 20.0, 30.0), layer("a", 1.0, None, 3.0, 4.0))
    assert chart_data.segments(made, [made.layers[0].memory_bytes]) == ((0, 1), (2, 4))


def test_no_piece_leads_through_a_sleep_even_when_no_column_lies_in_it() -> None:
    gap = Gap(kind=GapKind.SLEEP, since_epoch_s=12.0, until_epoch_s=18.0)
    made = series((0.0, 10.0, 20.0, 30.0), layer("a", 1.0, 2.0, 3.0, 4.0), gaps=(gap,))
    assert chart_data.segments(made, [made.layers[0].memory_bytes]) == ((0, 2), (2, 4))


def test_missing_columns_break_the_line() -> None:
    made = series((0.0, 10.0, 200.0, 210.0), layer("a", 1.0, 2.0, 3.0, 4.0))
    assert chart_data.segments(made, [made.layers[0].memory_bytes]) == ((0, 2), (2, 4))


@given(st.floats(min_value=0, max_value=1e13, allow_nan=False))
def test_a_grid_has_at_most_four_lines_and_covers_the_largest_value(largest: float) -> None:
    grid = chart_data.grid(largest, unit=GB, least=GB)
    assert grid[0] == 0.0
    assert 2 <= len(grid) <= 4
    assert grid[-1] >= largest * (1 - 1e-6)


def test_grids_are_round() -> None:
    assert [value / GB for value in chart_data.grid(12.4 * GB, unit=GB, least=GB)] == [0, 5, 10, 15]
    assert chart_data.grid(190.0, unit=1.0, least=100.0) == (0, 100, 200)


@pytest.mark.parametrize(
    ("at", "label"),
    [
        ("2026-07-01T10:00:00", "2026-07-01 12:00+02:00"),
        ("2026-10-25T00:30:00", "2026-10-25 02:30+02:00"),
        ("2026-10-25T01:30:00", "2026-10-25 02:30+01:00"),
    ],
)
def test_each_moment_has_its_own_offset(at: str, label: str) -> None:  # case 110
    assert chart_data.time_with_offset(epoch(at), BERLIN) == label


def test_ticks_across_a_clock_change_are_right_on_both_sides() -> None:  # case 110
    since, until = epoch("2026-10-24T22:00:00"), epoch("2026-10-25T04:00:00")
    ticks = chart_data.time_ticks(since, until, most=8, zone=BERLIN)
    assert [(tick.at_epoch_s, tick.label) for tick in ticks] == [
        (epoch("2026-10-24T22:00:00"), "25 Oct"),
        (epoch("2026-10-24T23:00:00"), "01:00"),
        (epoch("2026-10-25T00:00:00"), "02:00"),
        (epoch("2026-10-25T01:00:00"), "02:00"),
        (epoch("2026-10-25T02:00:00"), "03:00"),
        (epoch("2026-10-25T03:00:00"), "04:00"),
        (epoch("2026-10-25T04:00:00"), "05:00"),
    ]


def test_the_hour_that_spring_leaves_out_has_no_tick() -> None:
    ticks = chart_data.time_ticks(epoch("2026-03-29T00:00:00"), epoch("2026-03-29T03:00:00"), most=6, zone=BERLIN)
    assert "02:00" not in [tick.label for tick in ticks]
    assert [tick.label for tick in ticks] == ["01:00", "01:30", "03:00", "03:30", "04:00", "04:30", "05:00"]


def test_day_ticks_stand_at_local_midnight_on_both_sides_of_a_clock_change() -> None:
    ticks = chart_data.time_ticks(epoch("2026-10-22T00:00:00"), epoch("2026-10-29T00:00:00"), most=8, zone=BERLIN)
    assert [tick.at_epoch_s for tick in ticks if tick.label == "25 Oct"] == [epoch("2026-10-24T22:00:00")]
    assert [tick.at_epoch_s for tick in ticks if tick.label == "26 Oct"] == [epoch("2026-10-25T23:00:00")]


def test_without_a_zone_the_computers_own_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    if not hasattr(time, "tzset"):
        pytest.skip("the zone of this system cannot be changed for one process")
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    assert chart_data.time_with_offset(epoch("2026-10-25T00:30:00")) == "2026-10-25 02:30+02:00"
    since, until = epoch("2026-10-25T00:00:00"), epoch("2026-10-25T02:00:00")
    labels = [tick.label for tick in chart_data.time_ticks(since, until, most=3)]
    assert labels == ["02:00", "02:00", "03:00"]


def test_the_crosshair_tells_the_offset_only_where_it_is_needed() -> None:
    since, until = epoch("2026-10-24T22:00:00"), epoch("2026-10-25T04:00:00")
    assert chart_data.moment_label(epoch("2026-10-25T01:30:00"), since, until, BERLIN) == "02:30+01:00"
    day = (epoch("2026-07-01T06:00:00"), epoch("2026-07-01T12:00:00"))
    assert chart_data.moment_label(epoch("2026-07-01T10:00:00"), *day, BERLIN) == "12:00"
    week = (epoch("2026-07-01T06:00:00"), epoch("2026-07-08T06:00:00"))
    assert chart_data.moment_label(epoch("2026-07-03T10:00:00"), *week, BERLIN) == "3 Jul 12:00"


@given(
    since=st.floats(min_value=1.5e9, max_value=2e9),
    span=st.floats(min_value=60, max_value=2_700_000),
    most=st.integers(min_value=2, max_value=14),
)
def test_ticks_lie_inside_in_order_and_are_not_too_many(since: float, span: float, most: int) -> None:
    ticks = chart_data.time_ticks(since, since + span, most=most, zone=BERLIN)
    times = [tick.at_epoch_s for tick in ticks]
    assert times == sorted(set(times))
    assert all(since <= at <= since + span for at in times)
    assert len(times) <= most + 3  # the hour that comes twice


def test_the_nearest_column_is_found() -> None:
    made = series((0.0, 10.0, 20.0), layer("a", 1.0, 2.0, 3.0))
    assert [chart_data.nearest_column(made, at) for at in (-5.0, 4.0, 6.0, 16.0, 99.0)] == [0, 0, 1, 2, 2]
    assert chart_data.nearest_column(series(()), 1.0) is None


def test_a_reading_adds_up_what_is_known() -> None:
    made = series((0.0, 10.0), layer("a", 1.0, None), layer("b", 2.0, None))
    first, second = (chart_data.reading_at(made, made.layers, index) for index in (0, 1))
    assert (first.memory_bytes, second.memory_bytes) == (3.0, None)


def test_too_many_layers_become_one_that_keeps_the_sum() -> None:
    many = tuple(layer(f"s{number}", float(number), None) for number in range(50))
    shown = chart_data.limited(series((0.0, 10.0), *many), most=10)
    assert len(shown) == 10
    assert shown[-1].title == "41 others"
    assert sum(one.memory_bytes[0] or 0.0 for one in shown) == sum(range(50))
    assert shown[-1].memory_bytes[1] is None


def test_marks_at_the_right_end_keep_apart() -> None:
    placed = chart_data.spread([0.0, 2.0, 50.0, 51.0], apart=16.0, low=0.0, high=60.0)
    assert all(later - earlier >= 16.0 for earlier, later in pairwise(placed))
    assert placed[-1] <= 60.0


def test_gaps_say_what_happened() -> None:
    asleep = Gap(kind=GapKind.SLEEP, since_epoch_s=0.0, until_epoch_s=2700.0)
    assert chart_data.gap_words(asleep) == "Asleep 45\u202fmin"


def test_the_layer_at_a_height_is_found() -> None:
    layers = (layer("low", 2), layer("mid", None), layer("top", 3))
    reading = chart_data.reading_at(series((0.0,), *layers), layers, 0)
    found = [chart_data.layer_at(reading, height) for height in (0, 1.9, 2, 4.9, 5, -1)]
    assert [None if one is None else one.key for one in found] == ["low", "low", "top", "top", None, None]


def test_a_table_keeps_peaks_adds_up_and_says_what_happened() -> None:
    times = tuple(float(at) for at in range(0, 100, 10))
    rising = layer("a", *range(10))
    gap = Gap(kind=GapKind.SLEEP, since_epoch_s=10, until_epoch_s=130)
    strain = Strain(pressure=Pressure.CRITICAL, since_epoch_s=80, until_epoch_s=90)
    made = replace(series(times, rising, layer("b", *[5.0] * 10), gaps=(gap,)), strains=(strain,))
    mark = Mark(at_epoch_s=91.0, came_back_bytes=1, title="", receipt_id="r")
    rows = chart_data.table_rows(replace(made, marks=(mark,)), made.layers, lambda _mark: "released", most=3)
    assert len(rows) == 3
    assert [row.layers for row in rows] == [(9.0, 5.0), (5.0, 5.0), (1.0, 5.0)], "the newest first"
    assert [row.memory_bytes for row in rows] == [14.0, 10.0, 6.0]
    assert rows[0].happened == ("Asleep 2\u202fmin", "Memory was nearly full", "released")
    assert chart_data.table_rows(replace(made, times_epoch_s=()), (), lambda _mark: "") == ()


def test_the_worst_shortage_of_a_column_counts() -> None:
    strains = (
        Strain(pressure=Pressure.CRITICAL, since_epoch_s=10, until_epoch_s=12),
        Strain(pressure=Pressure.WARNING, since_epoch_s=8, until_epoch_s=30),
    )
    made = replace(series((0.0, 10.0, 20.0, 40.0), layer("a", 1, 1, 1, 1)), strains=strains)
    found = [chart_data.pressure_at(made, at) for at in made.times_epoch_s]
    assert found == [Pressure.NORMAL, Pressure.CRITICAL, Pressure.WARNING, Pressure.NORMAL]
    assert chart_data.strain_words(Pressure.NORMAL) == ""
