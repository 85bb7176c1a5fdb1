"""CPU is a difference, a sum is the sum of its parts, and what is not known is not zero."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tables import INIT, MB, OWN, process, table
from trayapp.attribution import Ownership, Place
from trayapp.measure import cpu_percents, gather, interval, totals
from trayapp.model.plan import Action, Allowed, Decision, Reason
from trayapp.model.process import Identity, Process, ProcessStatus, ProcessTable
from trayapp.model.session import Role, SessionFact, SessionKey
from trayapp.model.snapshot import GroupKind

AGENT = process(3000, 900, argv=("agent",))


def percents(before: ProcessTable, after: ProcessTable) -> dict[Identity, float]:
    return cpu_percents(before, after, interval(before, after))


def later(process: Process, *, cpu_s: float | None, children_cpu_s: float | None = 0.0) -> Process:
    return replace(process, cpu_s=cpu_s, children_cpu_s=children_cpu_s)


# -- time -------------------------------------------------------------------------------------------------------------


def test_there_is_no_interval_before_the_second_look() -> None:
    assert interval(None, table()) is None
    assert cpu_percents(None, table(), None) == {}


def test_an_interval_is_monotonic_time() -> None:
    over = interval(table(at_s=100.0), table(at_s=102.0))
    assert over is not None
    assert (over.length_s, over.slept_s, over.gap) == (2.0, 0.0, False)


def test_wall_clock_ahead_of_monotonic_time_is_sleep_and_gives_no_rates() -> None:
    """Case 066: 519 s of sleep between two samples are no hang and no CPU figure."""
    before = table(AGENT, at_s=100.0)
    after = table(later(AGENT, cpu_s=2.0), at_s=102.0, wall_s=621.0)
    over = interval(before, after)
    assert over is not None
    assert over.gap
    assert over.slept_s == pytest.approx(519.0)
    assert percents(before, after) == {}


@pytest.mark.parametrize("step_s", [-3600.0, -1.0, 0.0, 4.9])
def test_a_clock_set_back_or_a_little_forward_is_no_sleep(step_s: float) -> None:
    over = interval(table(at_s=100.0), table(at_s=102.0, wall_s=102.0 + step_s))
    assert over is not None
    assert not over.gap


def test_the_same_moment_twice_gives_no_rates() -> None:
    over = interval(table(at_s=100.0), table(at_s=100.0))
    assert over is not None
    assert over.gap


def test_a_longer_pause_than_allowed_is_a_gap() -> None:
    over = interval(table(at_s=100.0), table(at_s=200.0), longest_s=60.0)
    assert over is not None
    assert over.gap


# -- CPU --------------------------------------------------------------------------------------------------------------


def test_cpu_is_cpu_time_over_monotonic_time_and_one_core_is_100() -> None:
    before, after = table(AGENT, at_s=100.0), table(later(AGENT, cpu_s=2.5), at_s=102.0)
    assert percents(before, after)[AGENT.identity] == pytest.approx(75.0)


def test_a_process_seen_for_the_first_time_has_no_figure() -> None:
    assert AGENT.identity not in percents(table(at_s=100.0), table(AGENT, at_s=102.0))


def test_a_process_with_a_reused_pid_is_seen_for_the_first_time() -> None:
    another = process(3000, 900, start=4711, cpu_s=50.0)
    assert another.identity not in percents(table(AGENT, at_s=100.0), table(another, at_s=102.0))


@pytest.mark.parametrize(("before_s", "after_s"), [(None, 2.0), (1.0, None)])
def test_a_counter_that_could_not_be_read_gives_no_figure(before_s: float | None, after_s: float | None) -> None:
    before = table(later(AGENT, cpu_s=before_s), at_s=100.0)
    after = table(later(AGENT, cpu_s=after_s), at_s=102.0)
    assert AGENT.identity not in percents(before, after)


def test_a_counter_that_goes_back_is_no_negative_figure() -> None:
    before, after = table(AGENT, at_s=100.0), table(later(AGENT, cpu_s=0.5), at_s=102.0)
    assert percents(before, after)[AGENT.identity] == 0.0


def test_case_078_own_and_childrens_cpu_with_one_child_that_cannot_be_read() -> None:
    parts = {
        3000: (900, 100.0, 100.2),
        3100: (3000, 1.0, 1.0),
        3101: (3100, 1.0, 1.0),
        3102: (3101, 0.0, 4.0),
        3103: (3101, None, None),
    }
    before = table(*(process(pid, ppid, cpu_s=c0, children_cpu_s=None) for pid, (ppid, c0, _) in parts.items()), at_s=0)
    after = table(*(process(pid, ppid, cpu_s=c1, children_cpu_s=None) for pid, (ppid, _, c1) in parts.items()), at_s=5)
    found = {identity.pid: value for identity, value in percents(before, after).items()}
    assert found[3000] == pytest.approx(4.0)
    assert sum(found[pid] for pid in (3100, 3101, 3102)) == pytest.approx(80.0)
    assert 3103 not in found


def test_children_that_came_and_went_between_two_looks_are_counted_at_their_parent() -> None:
    before = table(AGENT, at_s=100.0)
    after = table(later(AGENT, cpu_s=1.0, children_cpu_s=3.0), at_s=105.0)
    assert percents(before, after)[AGENT.identity] == pytest.approx(60.0)


def test_what_a_child_used_while_it_was_seen_is_not_counted_again_when_it_is_reaped() -> None:
    """The child had used 40 s when it was last seen and 1 s more until it ended: 1 s belongs to this interval."""
    child = process(3100, 3000, cpu_s=40.0)
    before = table(AGENT, child, at_s=100.0)
    after = table(later(AGENT, cpu_s=1.0, children_cpu_s=41.0), at_s=102.0)
    assert percents(before, after)[AGENT.identity] == pytest.approx(50.0)


def test_a_whole_tree_that_ends_between_two_looks_is_counted_once() -> None:
    """A build ends: make reaps its compiler, the shell reaps make, the agent reaps the shell, all in one interval."""
    shell = process(3100, 3000, cpu_s=1.0)
    make = process(3101, 3100, cpu_s=2.0, children_cpu_s=100.0)
    compiler = process(3102, 3101, cpu_s=30.0)
    before = table(AGENT, shell, make, compiler, at_s=100.0)
    after = table(later(AGENT, cpu_s=1.0, children_cpu_s=134.0), at_s=102.0)
    assert percents(before, after)[AGENT.identity] == pytest.approx(50.0)


def test_a_gone_process_that_could_never_be_read_takes_nothing_from_its_parent() -> None:
    dark = process(3100, 3000, cpu_s=None)
    before = table(AGENT, dark, at_s=100.0)
    after = table(later(AGENT, cpu_s=1.0, children_cpu_s=1.0), at_s=102.0)
    assert percents(before, after)[AGENT.identity] == pytest.approx(50.0)


# -- groups -----------------------------------------------------------------------------------------------------------

KEY = SessionKey("fake", "s1")


def ownership(of: ProcessTable, places: Mapping[int, Place], *facts: SessionFact) -> Ownership:
    rest = Place(key="unrelated", kind=GroupKind.UNRELATED, role=Role.UNKNOWN)
    return Ownership(
        places={p.identity: places.get(p.pid, rest) for p in of.processes.values()},
        facts={fact.key: fact for fact in facts},
    )


def in_session(role: Role = Role.WORK, key: SessionKey = KEY) -> Place:
    return Place(key=str(key), kind=GroupKind.SESSION, role=role, host=key.host, session=key)


def test_a_footprint_with_a_hole_is_not_told() -> None:
    helper = process(3001, 3000)
    now = table(AGENT, helper)
    places = {3000: in_session(Role.BACKEND), 3001: in_session(Role.HELPER)}
    (group,) = [g for g in gather(now, ownership(now, places), {}, {AGENT.identity: 5 * MB}) if g.session == KEY]
    assert group.footprint_bytes is None
    assert group.held_bytes == group.rss_bytes == 20 * MB
    assert group.held_is_upper_bound
    full = {AGENT.identity: 5 * MB, helper.identity: 2 * MB}
    (group,) = [g for g in gather(now, ownership(now, places), {}, full) if g.session == KEY]
    assert group.footprint_bytes == group.held_bytes == 7 * MB


def test_a_zombie_holds_nothing_and_makes_no_hole() -> None:
    zombie = process(3001, 3000, status=ProcessStatus.ZOMBIE, rss_bytes=0)
    now = table(AGENT, zombie)
    places = {3000: in_session(Role.BACKEND), 3001: in_session()}
    (group,) = [g for g in gather(now, ownership(now, places), {}, {AGENT.identity: 5 * MB}) if g.session == KEY]
    assert group.footprint_bytes == 5 * MB


def test_the_cpu_of_a_group_adds_up_what_is_known_and_is_absent_where_nothing_is() -> None:
    now = table(AGENT, process(3001, 3000))
    places = {3000: in_session(Role.BACKEND), 3001: in_session()}
    (group,) = [g for g in gather(now, ownership(now, places), {}, {}) if g.session == KEY]
    assert group.cpu_percent is None
    (group,) = [g for g in gather(now, ownership(now, places), {AGENT.identity: 30.0}, {}) if g.session == KEY]
    assert group.cpu_percent == 30.0


def test_two_backends_of_one_session_are_flagged_and_the_first_member_is_a_backend() -> None:
    now = table(AGENT, process(3001, 3000), process(3002, 900))
    places = {3000: in_session(Role.BACKEND), 3001: in_session(Role.HELPER), 3002: in_session(Role.BACKEND)}
    (group,) = [g for g in gather(now, ownership(now, places), {}, {}) if g.session == KEY]
    assert "duplicates" in group.flags
    assert [m.process.pid for m in group.members] == [3000, 3002, 3001]


def test_a_session_in_a_shared_backend_has_a_row_without_bytes_of_its_own() -> None:
    now = table(AGENT)
    fact = SessionFact(key=KEY, title="Shared", shares_backend=True)
    (group,) = [g for g in gather(now, ownership(now, {}, fact), {}, {}) if g.session == KEY]
    assert (group.members, group.rss_bytes, group.flags) == ((), 0, ("shared-backend",))


def test_totals_count_what_agents_hold_and_nothing_else() -> None:
    now = table(AGENT, process(3001))
    monitor = Place(key="monitor", kind=GroupKind.MONITOR, role=Role.INFRA)
    groups = gather(now, ownership(now, {3000: in_session(Role.BACKEND), OWN.pid: monitor}), {}, {})
    summed = totals(groups)
    assert (summed.processes, summed.sessions, summed.rss_bytes) == (1, 1, 10 * MB)
    assert summed.cpu_percent is None
    assert summed.footprint_bytes is None


def test_reclaimable_is_what_may_go_without_a_question() -> None:
    now = table(AGENT)
    (group,) = [g for g in gather(now, ownership(now, {3000: in_session(Role.BACKEND)}), {}, {}) if g.session == KEY]
    for allowed, expected in ((Allowed.ALLOW, 10 * MB), (Allowed.CONFIRM, 0), (Allowed.REFUSE, 0)):
        decision = Decision(action=Action.RELEASE, allowed=allowed, reason=Reason.IDLE_CONFIRMED)
        assert totals([replace(group, decisions=(decision,))]).reclaimable_bytes == expected


PLACES = st.sampled_from(
    [
        in_session(Role.BACKEND),
        in_session(Role.HELPER),
        in_session(Role.WORK, SessionKey("fake", "s2")),
        Place(key="infra:fake", kind=GroupKind.INFRA, role=Role.INFRA, host="fake"),
        Place(key="orphan-helper:", kind=GroupKind.ORPHAN_HELPER, role=Role.HELPER),
        Place(key="unrelated", kind=GroupKind.UNRELATED, role=Role.UNKNOWN),
        Place(key="monitor", kind=GroupKind.MONITOR, role=Role.INFRA),
    ]
)
SIZES = st.one_of(st.none(), st.integers(min_value=0, max_value=1 << 40))


@settings(max_examples=300, deadline=None)
@given(
    placed=st.lists(st.tuples(PLACES, SIZES, SIZES, st.one_of(st.none(), st.floats(0, 800))), max_size=25),
    order=st.randoms(use_true_random=False),
)
def test_sums_over_groups_are_the_sums_over_processes_in_any_order(
    placed: list[tuple[Place, int | None, int | None, float | None]], order: Random
) -> None:
    rows = [(process(100 + number, rss_bytes=row[1]), *row) for number, row in enumerate(placed)]
    now = table(*(row[0] for row in rows))
    places = {row[0].identity: row[1] for row in rows} | {
        p.identity: Place(key="unrelated", kind=GroupKind.UNRELATED, role=Role.UNKNOWN) for p in (INIT, OWN)
    }
    footprints = {row[0].identity: row[3] for row in rows if row[3] is not None}
    cpu = {row[0].identity: row[4] for row in rows if row[4] is not None}
    groups = gather(now, Ownership(places=places, facts={}), cpu, footprints)

    assert sorted(m.process.pid for g in groups for m in g.members) == sorted(now.processes)
    assert sum(g.rss_bytes for g in groups) == sum(p.rss_bytes or 0 for p in now.processes.values())
    assert totals(groups).rss_bytes == sum(g.rss_bytes for g in groups if g.counts)
    assert totals(groups).held_bytes == sum(g.held_bytes for g in groups if g.counts)

    shuffled = list(places.items())
    order.shuffle(shuffled)
    assert gather(now, Ownership(places=dict(shuffled), facts={}), cpu, footprints) == groups
