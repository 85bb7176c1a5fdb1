"""The picture of stacked layers: every pixel shows the layer that is there, and its upper edge where it has one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy  # noqa: TID253  only the app itself has to do without
from hypothesis import given
from hypothesis import strategies as st

from trayapp.ui.chart_stack import _EDGE, _Content, _Scale, stacked_pixels

HEIGHT = 40


def picture(
    rows: Sequence[Sequence[float]],
    *,
    pieces: tuple[tuple[int, int], ...] | None = None,
    width: int = 10,
    thin: float = 0.0,
    per_column: float = 1.0,
) -> list[list[int]]:
    """Draw columns `per_column` pixels apart; a value of 1 is a pixel high, 0 is at the foot."""
    tops = numpy.cumsum(numpy.array(rows, dtype=float), axis=0)
    times = numpy.arange(tops.shape[1], dtype=float)
    content = _Content(times, tops, pieces or ((0, tops.shape[1]),), thin)
    drawn = stacked_pixels(content, _Scale(per_column, -1.0, float(HEIGHT), HEIGHT), 0, width)
    return [[int(value) for value in line] for line in drawn]


def column(drawn: list[list[int]], x: int) -> list[int]:
    """Return the pixels of one column from the foot upwards, without their edges."""
    return [line[x] & ~_EDGE for line in reversed(drawn)]


def test_layers_stack_from_below() -> None:
    drawn = picture([[4.0] * 10, [0.0] * 10, [6.0] * 10])
    assert column(drawn, 5) == [3] * 4 + [1] * 6 + [0] * 30


def test_the_uppermost_pixel_of_a_layer_is_its_edge() -> None:
    drawn = picture([[4.0] * 10, [6.0] * 10])
    foot_up = [line[5] for line in reversed(drawn)]
    assert [height for height, value in enumerate(foot_up) if value & _EDGE] == [3, 9]


def test_a_layer_thinner_than_asked_has_no_edge() -> None:
    drawn = picture([[4.0] * 10, [2.0] * 10], thin=3.0)
    foot_up = [line[5] for line in reversed(drawn)]
    assert [height for height, value in enumerate(foot_up) if value & _EDGE] == [3]


def test_a_sliver_leaves_its_pixels_to_the_layer_below_and_the_sum_stays() -> None:
    drawn = picture([[4.4] * 10, [0.3] * 10, [0.3] * 10])
    assert column(drawn, 5) == [3] * 5 + [0] * 35


def test_a_steep_edge_has_no_hole() -> None:
    drawn = picture([[2.0] * 5 + [30.0] * 5])
    edges = {height for line in (4, 5) for height, row in enumerate(reversed(drawn)) if row[line] & _EDGE}
    assert edges >= set(range(2, 30))


def test_nothing_is_drawn_between_two_pieces_and_their_sides_are_no_edges() -> None:
    drawn = picture([[8.0] * 10], pieces=((0, 4), (7, 10)))
    assert [max(column(drawn, x)) for x in range(10)] == [1, 1, 1, 1, 0, 0, 0, 1, 1, 1]
    assert not any(drawn[HEIGHT - 3][x] & _EDGE for x in range(10))


def test_a_column_alone_is_a_pixel_wide() -> None:
    drawn = picture([[8.0] * 10], pieces=((4, 5),))
    assert [max(column(drawn, x)) for x in range(10)] == [0, 0, 0, 0, 1, 0, 0, 0, 0, 0]


def test_between_two_columns_the_top_runs_straight() -> None:
    drawn = picture([[0.0, 20.0]], per_column=10.0)
    heights = [sum(1 for value in column(drawn, x) if value) for x in range(10)]
    assert heights == [1, 3, 5, 7, 9, 11, 13, 15, 17, 19]


@given(st.integers(0, 59))
def test_where_columns_are_narrower_than_pixels_no_peak_is_lost(peak: int) -> None:
    sizes = [5.0] * 60
    sizes[peak] = 30.0
    drawn = picture([[1.0] * 60, sizes], per_column=1 / 6)
    assert max(sum(1 for value in column(drawn, x) if value) for x in range(10)) == 31


@given(st.lists(st.lists(st.floats(0, 9), min_size=10, max_size=10), min_size=1, max_size=4))
def test_every_pixel_below_the_top_belongs_to_the_layer_that_is_there(rows: list[list[float]]) -> None:
    drawn = picture(rows)
    tops = numpy.cumsum(numpy.array(rows), axis=0)
    foot_up = column(drawn, 0)
    assert all(below >= above for below, above in pairwise(foot_up))
    middle = tops[:, 0] + (tops[:, 1] - tops[:, 0]) * 0.5
    assert abs(sum(1 for value in foot_up if value) - middle[-1]) <= 1
