"""What a tick takes over from the one before: always what it would have found out anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rows import (
    NOW_EPOCH_S,
    SIGTERM_LADDER,
    UPTIME_S,
    claim,
    evidence,
    fact,
    idle_evidence,
    key,
    observed,
    process,
    table,
)
from tests.test_properties import make_world, some_fact, some_process
from trayapp.attribution import attribute, attribute_again
from trayapp.measure import cpu_percents, interval
from trayapp.model.process import Changes, Identity, Process, ProcessTable
from trayapp.model.session import EvidenceKind, HostLabel, Observation, SessionFact, Speaks, State
from trayapp.model.snapshot import Group
from trayapp.pipeline import Conclusion, Inputs, Memory, conclude
from trayapp.reclaim.plan import Rules

FIGURES = ("cpu_s", "children_cpu_s", "rss_bytes", "tty_input_epoch_s")


def after(before: ProcessTable, processes: Mapping[int, Process], **values: Any) -> ProcessTable:
    """Return the next table of a probe, with the changes as they are."""
    old = {p.identity: p for p in before.processes.values()}
    new = {p.identity: p for p in processes.values()}
    other = {i for i in old.keys() & new.keys() if new[i] != old[i]}
    changed = {i for i in other if replace(new[i], **{f: getattr(old[i], f) for f in FIGURES}) != old[i]}
    changes = Changes(
        since=before.serial,
        appeared=frozenset(new.keys() - old.keys()),
        gone=frozenset(old.keys() - new.keys()),
        changed=frozenset(changed),
        moved=frozenset(other - changed),
    )
    return before.followed_by(processes, changes, serial=before.serial + 1, **values)


def evolve(chance: Random, before: ProcessTable, size: int) -> ProcessTable:
    """Let two seconds pass in which processes come, go, change or only work."""
    processes = dict(before.processes)
    for pid in chance.sample(sorted(processes), k=min(len(processes), chance.choice([0, 0, 1, 2]))):
        now = processes[pid]
        what = chance.choice(["go", "work", "work", "change"]) if pid not in (1, before.own_pid) else "work"
        if what == "go":
            del processes[pid]
        elif what == "work":
            processes[pid] = replace(now, cpu_s=(now.cpu_s or 0.0) + 0.5, rss_bytes=(now.rss_bytes or 0) + 4096)
        else:
            other = some_process(chance, pid - 100, size)
            processes[pid] = replace(other, identity=now.identity, start_s=now.start_s)
    for _ in range(chance.choice([0, 0, 1])):
        new = some_process(chance, size + chance.randrange(50), size)
        started = round(before.uptime_s * 100) + 1
        processes[new.pid] = replace(new, identity=Identity(new.pid, started), start_s=started / 100)
    return after(
        before,
        processes,
        monotonic_s=before.monotonic_s + 2.0,
        uptime_s=before.uptime_s + 2.0,
        taken_at=before.taken_at,
    )


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 2**32), size=st.integers(0, 14))
def test_places_that_are_taken_over_are_those_that_attribution_gives(seed: int, size: int) -> None:
    chance = Random(seed)
    world = make_world(seed, size)
    at, lineage, standing = world.table, world.lineage, None
    for _ in range(6):
        standing = attribute_again(at, world.observations, lineage, standing)
        anew = attribute(at, world.observations, lineage)
        assert standing.ownership == anew
        assert {k: set(v) for k, v in standing.ownership.groups.items()} == {k: set(v) for k, v in anew.groups.items()}
        lineage = standing.lineage
        at = evolve(chance, at, size)


def inputs_of(at: ProcessTable, told: tuple[Observation, ...], *, thorough: bool, now_epoch_s: float) -> Inputs:
    return Inputs(
        table=at,
        observations=told,
        labels=(HostLabel(host="alpha", title="Alpha", letters="Al"),),
        rules=Rules(),
        now_epoch_s=now_epoch_s,
        thorough=thorough,
    )


def timeless(group: Group) -> Group:
    """Leave out what may lag behind while nobody looks: when it was read, and what follows from it."""
    verdict = group.verdict
    if verdict is not None:
        told = tuple(replace(e, read_epoch_s=None) for e in verdict.evidence)
        confirmed = min(verdict.confirmations, 2)
        verdict = replace(verdict, evidence=told, idle_s=None, confirmations=confirmed, told_epoch_s=None)
    decisions = tuple(replace(decision, eligible_in_s=None) for decision in group.decisions)
    return replace(group, verdict=verdict, decisions=decisions, flags=tuple(sorted(group.flags)))


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 2**32), size=st.integers(0, 14), thorough=st.booleans())
def test_a_tick_that_takes_over_shows_what_one_that_does_not_shows(seed: int, size: int, thorough: bool) -> None:
    chance = Random(seed)
    world = make_world(seed, size)
    at, told, memory, now_epoch_s = world.table, world.observations, Memory(lineage=world.lineage), NOW_EPOCH_S
    sizes = {p.identity: (p.rss_bytes or 0) // 2 for p in at.processes.values()}
    for _ in range(6):
        concluded = conclude(inputs_of(at, told, thorough=thorough, now_epoch_s=now_epoch_s), memory, lambda _: sizes)
        # the same look without anything to take over: no standing, nothing gathered, no changes told
        forgetful = replace(memory, standing=None, gathered={})
        anew = conclude(
            inputs_of(replace(at, changes=None), told, thorough=True, now_epoch_s=now_epoch_s),
            forgetful,
            lambda _: sizes,
        )
        mine, theirs = concluded.snapshot, anew.snapshot
        if thorough:
            assert mine == theirs
        assert [timeless(g) for g in mine.groups] == [timeless(g) for g in theirs.groups]
        assert mine.totals == theirs.totals
        assert concluded.memory.lineage == anew.memory.lineage
        memory, now_epoch_s = concluded.memory, now_epoch_s + 2.0
        at = evolve(chance, at, size)
        if chance.random() < 0.5:  # the hosts are heard again: the same, or something new
            told = tuple(heard_again(chance, observation, now_epoch_s) for observation in told)


def heard_again(chance: Random, told: Observation, now_epoch_s: float) -> Observation:
    """Return what a host says the next time: the very same word, the same read anew, or another one."""
    told = replace(told, read_epoch_s=now_epoch_s)
    if chance.random() < 0.3:
        return told
    return replace(told, sessions=tuple(said_again(chance, fact, now_epoch_s) for fact in told.sessions))


def said_again(chance: Random, told: SessionFact, now_epoch_s: float) -> SessionFact:
    if chance.random() < 0.2:
        new = some_fact(chance, told.key)
        unread = tuple(replace(e, read_epoch_s=None) for e in new.evidence)
        return replace(new, evidence=unread) if chance.random() < 0.5 else new
    read = tuple(replace(e, read_epoch_s=now_epoch_s) for e in told.evidence)
    return replace(told, evidence=read)


AGENT = process(10, 5, "acme")
HELPER = process(11, 10, "files-mcp", age_s=900)


def first_look(*processes: Process, told: Observation) -> Conclusion:
    at = replace(table(*processes), serial=1)
    memory = Memory()
    for later_s in (0.0, 2.0):
        told = replace(told, sessions=tuple(said_again(Random(3), f, NOW_EPOCH_S + later_s) for f in told.sessions))
        memory = conclude(inputs_of(at, (told,), thorough=True, now_epoch_s=NOW_EPOCH_S), memory, lambda _: {}).memory
        at = replace(at, monotonic_s=at.monotonic_s + 2.0)
    return conclude(inputs_of(at, (told,), thorough=True, now_epoch_s=NOW_EPOCH_S), memory, lambda _: {})


def test_a_quiet_tick_hands_out_the_very_same_groups() -> None:
    told = observed([claim(AGENT)], fact(idle_evidence()))
    before = first_look(AGENT, HELPER, told=told)
    at = before.memory.table
    assert at is not None
    for seconds in (2.0, 4.0):  # the first has CPU figures, which the look before had as well
        at = after(at, at.processes, monotonic_s=UPTIME_S + 10 + seconds)
        now = conclude(
            inputs_of(at, (told,), thorough=False, now_epoch_s=NOW_EPOCH_S + seconds), before.memory, lambda _: {}
        )
        before, last = now, before
    assert now.memory.standing is not None
    assert last.memory.standing is not None
    assert now.memory.standing.ownership is last.memory.standing.ownership
    assert [g is w for g, w in zip(now.snapshot.groups, last.snapshot.groups, strict=True)] == [True, True]


def test_a_stranger_that_comes_and_goes_costs_no_new_attribution() -> None:
    told = observed([claim(AGENT)], fact(idle_evidence()))
    before = first_look(AGENT, HELPER, told=told).memory
    assert before.table is not None
    assert before.standing is not None
    stranger = process(900, 1, "cron-job", age_s=-1)
    at = after(before.table, {**before.table.processes, 900: stranger})
    standing = attribute_again(at, (told,), before.lineage, before.standing)
    assert standing.concerned is before.standing.concerned
    assert standing.ownership.places[stranger.identity].key == "unrelated"


def test_a_job_below_an_agent_is_work_in_the_tick_that_sees_it() -> None:
    told = observed([claim(AGENT)], fact(idle_evidence()))
    before = first_look(AGENT, told=told).memory
    assert before.table is not None
    at = after(before.table, {**before.table.processes, 12: process(12, 10, "make", age_s=-1)})
    now = conclude(inputs_of(at, (told,), thorough=False, now_epoch_s=NOW_EPOCH_S), before, lambda _: {})
    group = now.snapshot.group(str(key()))
    assert group is not None
    assert group.verdict is not None
    assert group.verdict.state is State.BUSY


def test_a_host_that_says_busy_is_heard_at_once() -> None:
    idle = observed([claim(AGENT)], fact(idle_evidence()))
    before = first_look(AGENT, told=idle).memory
    assert before.table is not None
    busy = observed([claim(AGENT)], fact(evidence(EvidenceKind.TURN, Speaks.BUSY)))
    at = after(before.table, before.table.processes)
    now = conclude(inputs_of(at, (busy,), thorough=False, now_epoch_s=NOW_EPOCH_S), before, lambda _: {})
    (group,) = [g for g in now.snapshot.groups if g.session == key()]
    assert group.verdict is not None
    assert group.verdict.state is State.BUSY


def test_what_a_new_process_has_used_it_has_used_since_it_began() -> None:
    before = replace(table(AGENT), serial=1)
    job = replace(process(12, 10, "make"), identity=Identity(12, 1), start_s=before.uptime_s + 0.5, cpu_s=0.8)
    old = replace(process(13, 10, "late"), start_s=before.uptime_s - 50.0, cpu_s=30.0)
    at = after(
        before,
        {**before.processes, 12: job, 13: old},
        monotonic_s=before.monotonic_s + 2.0,
        uptime_s=before.uptime_s + 2.0,
    )
    percents = cpu_percents(before, at, interval(before, at))
    assert percents[job.identity] == 40.0
    assert old.identity not in percents  # it was not seen, but it was there


def test_the_same_word_said_twice_confirms_idleness() -> None:
    unread = replace(idle_evidence(), read_epoch_s=None)
    told = observed([claim(AGENT)], fact(unread))
    memory, at, seen = Memory(), replace(table(AGENT), serial=1), []
    for asked_epoch_s in (NOW_EPOCH_S, NOW_EPOCH_S, NOW_EPOCH_S + 10, NOW_EPOCH_S + 20):
        said = replace(told, read_epoch_s=asked_epoch_s)
        concluded = conclude(inputs_of(at, (said,), thorough=False, now_epoch_s=asked_epoch_s), memory, lambda _: {})
        memory, at = concluded.memory, after(at, at.processes, monotonic_s=at.monotonic_s + 2.0)
        (group,) = [g for g in concluded.snapshot.groups if g.session == key()]
        assert group.verdict is not None
        assert group.verdict.read_epoch_s(unread) == asked_epoch_s
        seen.append(group.verdict.confirmations)
    assert seen == [1, 1, 2, 2]


def test_idleness_grows_although_its_host_has_nothing_new_to_say() -> None:
    told = observed([claim(AGENT)], fact(replace(idle_evidence(), read_epoch_s=None)))
    memory, at, seen = Memory(), replace(table(AGENT), serial=1), []
    for later_s in (0.0, 10.0, 70.0):
        said = replace(told, read_epoch_s=NOW_EPOCH_S + later_s)
        look = inputs_of(at, (said,), thorough=False, now_epoch_s=NOW_EPOCH_S + later_s)
        concluded = conclude(look, memory, lambda _: {})
        memory, at = concluded.memory, after(at, at.processes, monotonic_s=at.monotonic_s + 2.0)
        seen += [g.verdict.idle_s for g in concluded.snapshot.groups if g.session == key() and g.verdict is not None]
    assert seen == [3600.0, 3610.0, 3670.0]


def test_a_host_that_says_the_same_every_two_seconds_makes_no_new_rows() -> None:
    told = observed([claim(AGENT)], fact(replace(idle_evidence(), read_epoch_s=None)))
    memory, at, rows = Memory(), replace(table(AGENT), serial=1), []
    for later_s in (0.0, 2.0, 4.0, 6.0, 8.0, 14.0):
        said = replace(told, read_epoch_s=NOW_EPOCH_S + later_s)
        look = inputs_of(at, (said,), thorough=False, now_epoch_s=NOW_EPOCH_S + later_s)
        concluded = conclude(look, memory, lambda _: {})
        memory, at = concluded.memory, after(at, at.processes, monotonic_s=at.monotonic_s + 2.0)
        rows.append(next(g for g in concluded.snapshot.groups if g.session == key()))
    assert rows[1] is not rows[0]  # the second look has confirmed it
    assert rows[4] is rows[2]
    assert rows[5].verdict is not None
    assert rows[5].verdict.idle_s == 3614.0


def test_lengths_of_time_may_lag_further_while_nobody_sees_them_but_no_answer_comes_late() -> None:
    short = replace(idle_evidence(), read_epoch_s=None, at_epoch_s=NOW_EPOCH_S - 870.0)
    told = observed([claim(AGENT)], replace(fact(short), ladder=SIGTERM_LADDER))
    memory, at, rows = Memory(), replace(table(AGENT), serial=1), []
    for later_s in (0.0, 2.0, 12.0, 22.0, 32.0):
        said = replace(told, read_epoch_s=NOW_EPOCH_S + later_s)
        look = inputs_of(at, (said,), thorough=False, now_epoch_s=NOW_EPOCH_S + later_s)
        concluded = conclude(replace(look, lag_s=60.0), memory, lambda _: {})
        memory, at = concluded.memory, after(at, at.processes, monotonic_s=at.monotonic_s + (10.0 if later_s else 2.0))
        rows.append(next(g for g in concluded.snapshot.groups if g.session == key()))
    assert rows[2] is rows[1]
    assert rows[3] is rows[1]
    assert rows[1].releasable is None
    assert rows[4].releasable is not None  # idle for 15 minutes since two seconds
