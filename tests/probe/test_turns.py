"""Footprints are read in turn: within the budget, new ones first, and not again while nothing can have changed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tables import MB, process
from trayapp.model.process import Identity, Process
from trayapp.probe.turns import RESTING_S, UNREAD_S, Turns, active_interval_s, moved_interval_s

GB = 1024 * MB
TICK_S = 2.0
BUDGET_S = 0.005


class Machine:
    """Hold processes whose footprint is half their RSS and costs 12 ms per GB to read, on a clock of its own."""

    def __init__(self, *rss_bytes: int) -> None:
        self.now_s = 1000.0
        self.processes = {p.identity: p for p in (process(10 + n, rss_bytes=rss) for n, rss in enumerate(rss_bytes))}
        self.denied: set[Identity] = set()
        self.reads: list[Identity] = []
        self.turns = Turns(self.read, self.rss_bytes, lambda: self.now_s)

    @property
    def identities(self) -> list[Identity]:
        return list(self.processes)

    def rss_bytes(self, identity: Identity) -> int:
        return self.processes[identity].rss_bytes or 0

    def read(self, identity: Identity) -> int | None:
        self.reads.append(identity)
        self.now_s += 0.00003 + 0.012 * self.rss_bytes(identity) / GB
        return None if identity in self.denied else self.rss_bytes(identity) // 2

    def set(self, identity: Identity, **figures: float) -> Process:
        """Have other figures, as the next scan would tell them."""
        self.processes[identity] = replace(self.processes[identity], **figures)  # type: ignore[arg-type]
        self.turns.note(self.processes[identity])
        return self.processes[identity]

    def tick(self, budget_s: float | None = BUDGET_S) -> list[Identity]:
        """Ask for all footprints and return who was read for that; the next tick is TICK_S later."""
        self.reads.clear()
        self.turns.answer(self.identities, budget_s)
        self.now_s += TICK_S
        return list(self.reads)

    def ticks_until_read(self, identity: Identity, at_most: int = 1000) -> int:
        return next(n for n in range(1, at_most) if identity in self.tick())


def test_all_are_read_once_and_then_rest() -> None:
    machine = Machine(10 * MB, 20 * MB, 30 * MB)
    assert machine.tick() == machine.identities
    assert [machine.tick() for _ in range(100)] == [[]] * 100
    answer = machine.turns.answer(machine.identities, BUDGET_S)
    assert answer == {identity: machine.rss_bytes(identity) // 2 for identity in machine.identities}


def test_the_same_mapping_is_handed_out_while_nothing_changes_and_never_changed_afterwards() -> None:
    machine = Machine(10 * MB, 20 * MB)
    first = machine.identities[0]
    machine.tick()
    told = machine.turns.answer(machine.identities, BUDGET_S)
    assert machine.turns.answer(tuple(machine.identities), BUDGET_S) is told
    kept = dict(told)
    machine.set(first, rss_bytes=40 * MB)
    machine.now_s += 60.0
    later = machine.turns.answer(machine.identities, BUDGET_S)
    assert later[first] == 20 * MB
    assert told == kept


def test_one_of_which_nothing_moved_is_read_again_after_five_minutes() -> None:
    machine = Machine(10 * MB)
    machine.tick()
    assert machine.ticks_until_read(machine.identities[0]) * TICK_S == pytest.approx(RESTING_S, abs=2 * TICK_S)


@pytest.mark.parametrize(
    ("size_mb", "more_bytes", "expected_s"),
    [(10, 3 * MB, 10.0), (500, 3 * MB, 29.3), (4000, 40 * MB, 234.4), (10, 8192, RESTING_S), (1000, MB, RESTING_S)],
)
def test_one_whose_resident_set_moved_comes_round_by_its_size(size_mb: int, more_bytes: int, expected_s: float) -> None:
    machine = Machine(size_mb * MB)
    (identity,) = machine.identities
    began_s = machine.now_s
    machine.tick(1.0)
    machine.set(identity, rss_bytes=size_mb * MB + more_bytes)
    machine.ticks_until_read(identity)
    # a change within what the counters are rough by is none: only the process's being active counts
    expected_s = active_interval_s(size_mb * MB) if expected_s == RESTING_S else expected_s
    assert machine.now_s - began_s == pytest.approx(expected_s, abs=3 * TICK_S)


def test_one_that_holds_nothing_any_more_is_read_at_once() -> None:
    machine = Machine(10 * MB)
    (identity,) = machine.identities
    machine.tick()
    machine.set(identity, rss_bytes=0)
    assert machine.tick() == [identity]
    assert machine.turns.answer([identity], BUDGET_S) == {identity: 0}


def test_one_that_only_uses_cpu_comes_round_between_the_two() -> None:
    machine = Machine(10 * MB)
    (identity,) = machine.identities
    machine.tick()
    machine.set(identity, cpu_s=2.0)
    assert machine.ticks_until_read(identity) * TICK_S == pytest.approx(60.0, abs=2 * TICK_S)


def test_what_was_never_read_comes_before_what_is_due() -> None:
    machine = Machine(300 * MB, 300 * MB, 300 * MB)
    machine.tick(None)
    machine.tick()
    old = machine.identities
    for identity in old:
        machine.set(identity, rss_bytes=400 * MB)
    machine.now_s += 60.0
    new = process(99, rss_bytes=300 * MB)
    machine.processes[new.identity] = new
    assert machine.tick()[0] == new.identity


def test_a_read_dearer_than_the_budget_is_paid_back_by_a_pause() -> None:
    machine = Machine(4 * GB, 100 * MB, 100 * MB, 100 * MB, 100 * MB, 100 * MB)
    reads = [len(machine.tick()) for _ in range(13)]
    # 48 ms at 5 ms a tick: nine ticks pay it back, the tenth has 2 ms left
    assert reads == [1, 0, 0, 0, 0, 0, 0, 0, 0, 2, 3, 0, 0]


def test_no_budget_is_no_limit_and_reads_all_anew() -> None:
    machine = Machine(4 * GB, 4 * GB)
    assert machine.tick(None) == machine.identities
    assert machine.tick(None) == machine.identities
    assert machine.tick() == []
    assert len(machine.turns.answer(machine.identities, BUDGET_S)) == 2


def test_to_ask_for_some_between_two_ticks_does_not_make_the_others_unread() -> None:
    machine = Machine(10 * MB, 20 * MB, 30 * MB)
    machine.tick()
    machine.reads.clear()
    assert set(machine.turns.answer(machine.identities[:1], BUDGET_S)) == set(machine.identities[:1])
    assert set(machine.turns.answer(machine.identities[1:], None)) == set(machine.identities[1:])
    assert machine.reads == machine.identities[1:]
    assert machine.tick() == []
    assert set(machine.turns.answer(machine.identities, BUDGET_S)) == set(machine.identities)


def test_one_that_is_denied_is_missing_and_tried_again() -> None:
    machine = Machine(10 * MB)
    (identity,) = machine.identities
    machine.denied.add(identity)
    machine.tick()
    assert machine.turns.answer([identity], BUDGET_S) == {}
    machine.denied.clear()
    assert machine.ticks_until_read(identity) * TICK_S == pytest.approx(UNREAD_S, abs=2 * TICK_S)
    assert machine.turns.answer([identity], BUDGET_S) == {identity: 5 * MB}


def test_one_that_is_gone_is_forgotten_even_if_nobody_else_is_there() -> None:
    machine = Machine(10 * MB)
    (identity,) = machine.identities
    machine.tick()
    machine.turns.drop(identity)
    assert machine.turns.answer([], BUDGET_S) == {}
    machine.turns.clear()
    assert machine.turns.answer([], BUDGET_S) == {}


@settings(max_examples=60, deadline=None)
@given(
    sizes_mb=st.lists(st.integers(1, 4000), min_size=1, max_size=12),
    moves=st.lists(st.tuples(st.integers(0, 11), st.integers(1, 4000)), min_size=1, max_size=400),
)
def test_the_mean_stays_within_the_budget_whatever_is_held(sizes_mb: list[int], moves: list[tuple[int, int]]) -> None:
    machine = Machine(*[size * MB for size in sizes_mb])
    spent_s, dearest_s = 0.0, 0.0
    for tick, (which, size_mb) in enumerate(moves, start=1):
        machine.set(machine.identities[which % len(sizes_mb)], rss_bytes=size_mb * MB)
        before_s = machine.now_s
        machine.tick()
        cost_s = machine.now_s - before_s - TICK_S
        spent_s, dearest_s = spent_s + cost_s, max(dearest_s, cost_s)
        assert spent_s <= tick * BUDGET_S + dearest_s + 1e-9
    due_s = max(moved_interval_s(machine.rss_bytes(identity)) for identity in machine.identities)
    for _ in range(int((due_s + 60.0 * len(sizes_mb)) / TICK_S)):
        machine.tick()
    answer = machine.turns.answer(machine.identities, BUDGET_S)
    assert answer.keys() == set(machine.identities)
    for identity, size in answer.items():
        assert size == pytest.approx(machine.rss_bytes(identity) / 2, rel=1 / 200, abs=8192)
