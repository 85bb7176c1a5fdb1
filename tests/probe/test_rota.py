"""All have their turn within the beat, nobody is kept for ever, and nobody has two at once."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayapp.probe import rota
from trayapp.probe.rota import Rota


@dataclass(eq=False)
class One:
    number: int
    waiting: bool = False
    here: bool = True


def of(count: int) -> tuple[Rota[One], list[One]]:
    made: Rota[One] = Rota(lambda one: one.here)
    ones = [One(number) for number in range(count)]
    for one in ones:
        made.add(one)
    return made, ones


@given(count=st.integers(1, 300), tick_s=st.floats(0.05, 10.0))
def test_each_has_its_turn_within_the_beat(count: int, tick_s: float) -> None:
    made, _ = of(count)
    seen: list[int] = []
    elapsed_s = 0.0
    while elapsed_s < 30.0:
        turns = [one.number for one in made.due(tick_s, beat_s=30.0, at_most=1000)]
        assert len(turns) <= count * tick_s / 30.0 + 1
        assert len(turns) == len(set(turns))
        seen += turns
        elapsed_s += tick_s
    assert set(seen) == set(range(count))


def test_no_more_have_their_turn_than_the_bound_says() -> None:
    made, _ = of(100)
    turns = [[one.number for one in made.due(1000.0, beat_s=30.0, at_most=40)] for _ in range(3)]
    assert turns == [list(range(40)), list(range(40, 80)), [*range(80, 100), *range(20)]]
    assert list(made.due(1000.0, beat_s=30.0, at_most=0)) == []


def test_one_that_left_has_no_turn_and_one_that_comes_back_has_one() -> None:
    made, ones = of(3)
    ones[1].here = False
    assert [one.number for one in made.due(30.0, beat_s=30.0, at_most=9)] == [0, 2]
    assert len(made) == 2
    ones[1].here = True
    for one in ones:
        made.add(one)
    assert len(made) == 3
    assert [one.number for one in made.due(30.0, beat_s=30.0, at_most=9)] == [0, 2, 1]


def test_those_that_left_are_forgotten_even_if_nobody_has_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rota, "SLACK", 20)
    made, ones = of(5)
    for number in range(1000):
        one = One(number)
        made.add(one)
        one.here = False
        assert len(made) <= 2 * (len(ones) + 1) + 20
    assert {one.number for one in made.due(30.0, beat_s=30.0, at_most=10_000)} == {0, 1, 2, 3, 4}


def test_after_it_was_cleared_all_can_come_again() -> None:
    made, ones = of(3)
    made.clear()
    assert len(made) == 0
    made.add(ones[2])
    assert [one.number for one in made.due(30.0, beat_s=30.0, at_most=9)] == [2]
