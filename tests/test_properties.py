"""What must hold for every process table and every claim, whoever writes them down."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tables import BOOTED, OWN_NAMESPACE, OWN_PID, OWN_UID, process, table
from trayapp.assess import Circumstances, assess
from trayapp.attribution import Lineage, Ownership, attribute, remember
from trayapp.bystanders import bystander
from trayapp.measure import gather, totals
from trayapp.model.plan import Action, Allowed, Reason
from trayapp.model.process import Identity, Process, ProcessStatus, ProcessTable
from trayapp.model.session import (
    Claim,
    ClaimKind,
    Evidence,
    EvidenceKind,
    LadderStep,
    Observation,
    Role,
    SessionFact,
    SessionKey,
    Speaks,
    State,
    StepKind,
)
from trayapp.model.snapshot import Group, GroupKind, Member, Verdict
from trayapp.reclaim.plan import Rules, decide
from trayapp.verdict import judge

NOW_EPOCH_S = BOOTED.timestamp() + 1000.0
LADDER = (LadderStep(kind=StepKind.SIGTERM, label="Asked to end", wait_s=5.0),)
HOSTS = ("alpha", "beta")
SESSIONS = tuple(SessionKey(host, name) for host in HOSTS for name in ("s1", "s2", "s3"))

PROGRAMS: tuple[tuple[str, ...], ...] = (
    ("/opt/alpha", "--resume", "s1"),
    ("/opt/beta",),
    ("node", "/srv/mcp-server-files/index.js"),
    ("npx", "-y", "mcp-server-files"),
    ("npm exec mcp-server-files",),
    ("node", "/opt/launch.js", "/opt/alpha"),
    ("typescript-language-server", "--stdio"),
    ("bash",),
    ("bash", "-c", "make -j"),
    ("sh", "-c", "mcp-server-files"),
    ("make", "-j"),
    ("vim", "notes.txt"),
    ("tmux",),
    ("kitty",),
    ("systemd", "--user"),
    ("python3", "report.py"),
)

T = TypeVar("T")

many = settings(max_examples=500, deadline=None)


@dataclass(frozen=True)
class World:
    """Hold a machine, what its hosts say, and what was remembered of it."""

    table: ProcessTable
    observations: tuple[Observation, ...]
    lineage: Mapping[Identity, Lineage]

    def attribute(self) -> Ownership:
        return attribute(self.table, self.observations, self.lineage)

    def groups(self, ownership: Ownership | None = None) -> tuple[Group, ...]:
        """Return all groups as a tick makes them, the ones that are not shown as well."""
        owned = ownership or self.attribute()
        before = {str(key): idle_once() for key in SESSIONS}
        told = {o.host: o.read_epoch_s for o in self.observations}
        around = Circumstances(
            table=self.table, ownership=owned, rules=Rules(), now_epoch_s=NOW_EPOCH_S, told_epoch_s=told
        )
        return assess(gather(self.table, owned, {}, {}), around, before=before)


def idle_once() -> Verdict:
    """Say that the look before this one saw an idle session, so that one more confirms it."""
    return Verdict(state=State.IDLE, since_epoch_s=NOW_EPOCH_S - 7200, confirmations=1)


def some_process(chance: Random, number: int, size: int) -> Process:
    pid = 100 + number
    ppid = chance.choice([0, 1, 1, 77, OWN_PID, *(100 + n for n in range(size))])
    values: dict[str, Any] = {
        "argv": chance.choice(PROGRAMS),
        "uid": chance.choice([OWN_UID] * 6 + [1001, None]),
        "status": chance.choice([ProcessStatus.SLEEPING] * 6 + [ProcessStatus.ZOMBIE]),
        "tty": chance.choice([None, None, "pts/1"]),
        "unit": chance.choice([None] * 8 + ["cron.service"]),
        "pid_namespace": chance.choice([OWN_NAMESPACE] * 8 + [1, None]),
        "rss_bytes": chance.choice([None, 0, chance.randrange(1 << 34)]),
        # Clients are older here: two that are each other's clients are a test of their own.
        "client_pids": chance.choice([None, tuple(range(100, pid))[-2:]]),
    }
    written = process(pid, ppid, **values)
    dark = chance.random() < 0.1
    return replace(written, argv=None, exe=None, unreadable=frozenset({"argv", "exe"})) if dark else written


def some_claim(chance: Random, present: Sequence[Process], host: str) -> Claim:
    seen = chance.choice(present)
    identity = seen.identity if chance.random() < 0.9 else Identity(seen.pid, seen.identity.start + 1)
    kinds = [kind for kind in ClaimKind if kind not in (ClaimKind.DESCENT, ClaimKind.LINEAGE)]
    return Claim(
        identity=identity,
        host=host,
        role=chance.choice([Role.BACKEND] * 8 + [Role.HELPER, Role.WORK, Role.UNKNOWN, *Role]),
        kind=chance.choice(kinds),
        source=chance.choice(["a", "b"]),
        session=chance.choice([None, *(key for key in SESSIONS if key.host == host)]),
    )


def some_evidence(chance: Random) -> Evidence:
    return Evidence(
        kind=chance.choice(list(EvidenceKind)),
        speaks_for=chance.choice([Speaks.IDLE] * 4 + list(Speaks)),
        fact="It says so",
        source=chance.choice(["session record", "transcript"]),
        at_epoch_s=chance.choice([None, NOW_EPOCH_S - 7200, NOW_EPOCH_S - 7200, NOW_EPOCH_S - 5]),
        read_epoch_s=NOW_EPOCH_S,
    )


def some_fact(chance: Random, key: SessionKey) -> SessionFact:
    return SessionFact(
        key=key,
        evidence=tuple(some_evidence(chance) for _ in range(chance.randrange(4))),
        ladder=chance.choice([LADDER, LADDER, ()]),
        refusal=chance.choice([None, None, None, "Its host says no"]),
        shares_backend=chance.random() < 0.2,
    )


def make_world(seed: int, size: int) -> World:
    """Make up a world of that many processes; by a seed, which is some twenty times quicker than draw by draw."""
    chance = Random(seed)
    present = [some_process(chance, number, size) for number in range(size)]
    monitor = process(OWN_PID, chance.choice([1, *(p.pid for p in present)]), argv=("agentring",))
    observations = tuple(
        Observation(
            host=host,
            read_epoch_s=NOW_EPOCH_S,
            sessions=tuple(some_fact(chance, key) for key in SESSIONS if key.host == host and chance.random() < 0.7),
            claims=tuple(some_claim(chance, present, host) for _ in range(chance.randrange(9) if present else 0)),
        )
        for host in HOSTS
    )
    lineage = {
        p.identity: Lineage(
            session=chance.choice([None, *SESSIONS]),
            host=chance.choice(HOSTS),
            role=chance.choice([Role.HELPER, Role.WORK, Role.BACKEND]),
            released=chance.random() < 0.5,
        )
        for p in present
        if chance.random() < 0.2
    }
    return World(table(*present, monitor), observations, lineage)


def worlds() -> st.SearchStrategy[World]:
    return st.builds(make_world, seed=st.integers(0, 1 << 32), size=st.integers(0, 14))


@st.composite
def evidence(draw: st.DrawFn) -> Evidence:
    return Evidence(
        kind=draw(st.sampled_from(EvidenceKind)),
        speaks_for=draw(st.sampled_from([Speaks.IDLE, Speaks.IDLE, *Speaks])),
        fact="It says so",
        source=draw(st.sampled_from(["session record", "transcript"])),
        at_epoch_s=draw(st.sampled_from([None, NOW_EPOCH_S - 7200, NOW_EPOCH_S - 5])),
        read_epoch_s=NOW_EPOCH_S,
    )


# -- every process once -----------------------------------------------------------------------------------------------


@many
@given(world=worlds())
def test_every_process_is_in_exactly_one_place_and_one_group(world: World) -> None:
    ownership = world.attribute()
    assert ownership.places.keys() == {p.identity for p in world.table.processes.values()}
    members = [m.process.identity for group in world.groups(ownership) for m in group.members]
    assert sorted(members) == sorted(ownership.places)
    keys = [group.key for group in world.groups(ownership)]
    assert len(keys) == len(set(keys))


@many
@given(world=worlds())
def test_group_sums_add_up_to_the_whole_and_the_counted_ones_to_the_total(world: World) -> None:
    groups = world.groups()
    assert sum(g.rss_bytes for g in groups) == sum(p.rss_bytes or 0 for p in world.table.processes.values())
    assert totals(groups).rss_bytes == sum(g.rss_bytes for g in groups if g.counts)
    assert totals(groups).processes == sum(len(g.members) for g in groups if g.counts)
    assert totals(groups).reclaimable_bytes <= totals(groups).held_bytes


@many
@given(world=worlds(), seed=st.integers(0, 1 << 32))
def test_the_order_of_processes_hosts_and_claims_does_not_matter(world: World, seed: int) -> None:
    order = Random(seed)

    def mixed(things: Iterable[T]) -> list[T]:
        found = list(things)
        order.shuffle(found)
        return found

    shuffled_table = replace(world.table, processes=dict(mixed(world.table.processes.items())))
    observations = [
        replace(o, claims=tuple(mixed(o.claims)), sessions=tuple(mixed(o.sessions))) for o in mixed(world.observations)
    ]
    lineage = dict(mixed(world.lineage.items()))
    assert attribute(shuffled_table, observations, lineage).places == world.attribute().places


@many
@given(world=worlds())
def test_a_process_that_has_nothing_to_do_with_agents_changes_nothing_else(world: World) -> None:
    stranger = process(8000, 1, start=99_000, argv=("python3", "report.py"))
    crowded = replace(world.table, processes={**world.table.processes, 8000: stranger})
    places = dict(attribute(crowded, world.observations, world.lineage).places)
    assert places.pop(stranger.identity).kind is GroupKind.UNRELATED
    assert places == world.attribute().places


@many
@given(world=worlds())
def test_what_is_remembered_is_only_of_processes_that_run(world: World) -> None:
    remembered = remember(world.attribute(), world.lineage, world.table)
    assert remembered.keys() <= {p.identity for p in world.table.processes.values()}


# -- nobody else's ----------------------------------------------------------------------------------------------------


def asked(world: World) -> list[tuple[Group, Action, Allowed]]:
    """Return the answers to all actions on all groups, also on those that no face offers."""
    ownership = world.attribute()
    answers = []
    for group in world.groups(ownership):
        fact = ownership.facts.get(group.session) if group.session is not None else None
        for action in Action:
            answers.append((group, action, decide(action, group, world.table, fact=fact, rules=Rules()).allowed))
    return answers


@many
@given(world=worlds())
def test_the_monitor_what_it_runs_in_and_its_children_are_never_ended(world: World) -> None:
    own = world.table.processes[OWN_PID]
    protected = {
        own.pid,
        *(p.pid for p in world.table.ancestors(own)),
        *(p.pid for p in world.table.descendants(own.pid)),
    }
    for group, action, allowed in asked(world):
        if protected & {m.process.pid for m in group.members}:
            assert allowed is Allowed.REFUSE, (group.key, action)


@many
@given(world=worlds())
def test_hosts_services_strangers_and_containers_are_never_ended(world: World) -> None:
    refused_kinds = {GroupKind.INFRA, GroupKind.NOT_OURS, GroupKind.UNRELATED, GroupKind.MONITOR, GroupKind.ZOMBIE}
    for group, action, allowed in asked(world):
        members = [m.process for m in group.members]
        outside = any(p.unit is not None or p.pid_namespace not in (OWN_NAMESPACE, None) for p in members)
        if group.kind in refused_kinds or outside:
            assert allowed is Allowed.REFUSE, (group.key, action)


@many
@given(world=worlds())
def test_terminals_editors_and_multiplexers_may_be_ended_only_where_an_agent_started_them(world: World) -> None:
    ownership = world.attribute()
    claimed = {claim.identity for o in world.observations for claim in o.claims}
    strangers = {GroupKind.UNRELATED, GroupKind.NOT_OURS, GroupKind.ZOMBIE}
    for group, action, allowed in asked(world):
        for member in group.members if allowed is not Allowed.REFUSE else ():
            if bystander(member.process) is None or member.process.identity in claimed:
                continue
            above = world.table.parent(member.process)
            assert above is not None, (group.key, action)
            assert ownership.places[above.identity].kind not in strangers, (group.key, action)


@many
@given(world=worlds())
def test_processes_of_other_users_are_never_ended(world: World) -> None:
    for group, action, allowed in asked(world):
        if any(m.process.uid not in (OWN_UID, None) for m in group.members):
            assert allowed is Allowed.REFUSE, (group.key, action)


def test_two_helpers_that_are_each_others_clients_have_a_place() -> None:
    one = process(100, 1, argv=("index-server",), client_pids=(101,))
    other = process(101, 1, argv=("embed-server",), client_pids=(100,))
    ownership = attribute(table(one, other), (), {})
    assert ownership.places.keys() >= {one.identity, other.identity}


def test_a_helper_taken_by_a_reaper_that_is_not_known_as_one_keeps_its_owner() -> None:
    reaper = process(100, 1, argv=("my-session-manager",))
    agent = process(200, 1, argv=("/opt/alpha",))
    helper = process(300, 100, argv=("node", "indexer.js"))
    claim = Claim(
        identity=agent.identity,
        host="alpha",
        role=Role.BACKEND,
        kind=ClaimKind.REGISTRY,
        source="registry",
        session=SESSIONS[0],
    )
    said = Observation(host="alpha", read_epoch_s=NOW_EPOCH_S, claims=(claim,))
    seen_before = {helper.identity: Lineage(session=SESSIONS[0], host="alpha", role=Role.HELPER)}
    place = attribute(table(reaper, agent, helper), (said,), seen_before).places[helper.identity]
    assert place.session == SESSIONS[0]


# -- unknown is not idle ----------------------------------------------------------------------------------------------


@many
@given(world=worlds())
def test_only_a_session_that_is_idle_by_a_dated_record_is_released_without_a_question(world: World) -> None:
    for group in world.groups():
        decision = group.decision(Action.RELEASE)
        if decision is None or decision.allowed is not Allowed.ALLOW:
            continue
        assert group.kind is GroupKind.SESSION
        assert group.verdict is not None
        assert group.verdict.state is State.IDLE
        assert group.verdict.confirmations >= 2
        assert any(e.speaks_for is Speaks.IDLE and e.at_epoch_s is not None for e in group.verdict.evidence)
        assert not any(e.speaks_for is Speaks.UNREADABLE for e in group.verdict.evidence)
        assert not any(m.role in (Role.WORK, Role.UNKNOWN) and not m.process.is_zombie for m in group.members)


@many
@given(world=worlds())
def test_unknown_never_becomes_allow(world: World) -> None:
    for group, action, allowed in asked(world):
        if group.verdict is not None and group.verdict.state in (State.UNKNOWN, State.BUSY, State.WAITING):
            assert allowed is not Allowed.ALLOW, (group.key, action)


BACKEND = Member(process=process(200, 100, argv=("/opt/alpha",)), role=Role.BACKEND, claim=None)
WORKER = Member(process=process(201, 200, argv=("make",)), role=Role.WORK, claim=None)
KEY = SESSIONS[0]


def judged(told: Sequence[Evidence], members: Sequence[Member], *, stale_s: float | None = None) -> Verdict:
    fact = SessionFact(key=KEY, evidence=tuple(told), ladder=LADDER)
    return judge(fact, members, now_epoch_s=NOW_EPOCH_S, before=idle_once(), stale_s=stale_s)


def releasable(verdict: Verdict, members: Sequence[Member]) -> bool:
    group = Group(
        key=str(KEY), kind=GroupKind.SESSION, host=KEY.host, session=KEY, members=tuple(members), verdict=verdict
    )
    fact = SessionFact(key=KEY, ladder=LADDER)
    return decide(Action.RELEASE, group, table(), fact=fact, rules=Rules()).allowed is Allowed.ALLOW


@many
@given(told=st.lists(evidence(), max_size=5), works=st.booleans())
def test_no_evidence_that_is_lost_turns_a_session_idle_unless_a_dated_record_says_so(
    told: list[Evidence], works: bool
) -> None:
    members = [BACKEND, WORKER] if works else [BACKEND]
    if releasable(judged(told, members), members):
        return
    for lost in range(len(told)):
        rest = told[:lost] + told[lost + 1 :]
        verdict = judged(rest, members)
        if verdict.state is State.IDLE:
            assert any(e.speaks_for is Speaks.IDLE and e.at_epoch_s is not None for e in rest)
        unreadable = replace(told[lost], speaks_for=Speaks.UNREADABLE)
        assert not releasable(judged([*rest, unreadable], members), members)
    assert not releasable(judged([], members), members)


@many
@given(told=st.lists(evidence(), max_size=5), works=st.booleans())
def test_a_host_that_stopped_answering_releases_nothing(told: list[Evidence], works: bool) -> None:
    members = [BACKEND, WORKER] if works else [BACKEND]
    verdict = judged(told, members, stale_s=30.0)
    assert verdict.state in (State.BUSY, State.UNKNOWN)
    assert not releasable(verdict, members)


AGAINST = [
    (kind, speaks_for)
    for kind in EvidenceKind
    for speaks_for in (Speaks.BUSY, Speaks.WAITING, Speaks.UNREADABLE, Speaks.PROTECTS)
]


@pytest.mark.parametrize(
    ("kind", "speaks_for"),
    AGAINST,
)
def test_one_piece_of_evidence_against_it_keeps_an_idle_session(kind: EvidenceKind, speaks_for: Speaks) -> None:
    idle = Evidence(
        kind=EvidenceKind.HOST_STATUS,
        speaks_for=Speaks.IDLE,
        fact="It is idle",
        source="session record",
        at_epoch_s=NOW_EPOCH_S - 7200,
        read_epoch_s=NOW_EPOCH_S,
    )
    assert releasable(judged([idle], [BACKEND]), [BACKEND])
    against = replace(idle, kind=kind, speaks_for=speaks_for)
    assert not releasable(judged([idle, against], [BACKEND]), [BACKEND])


@many
@given(told=st.lists(evidence(), max_size=5))
def test_live_work_is_always_busy_or_waits(told: list[Evidence]) -> None:
    assert judged(told, [BACKEND, WORKER]).state in (State.BUSY, State.WAITING)


def test_the_worlds_are_rich_enough_to_show_each_kind_of_group() -> None:
    """A property that never meets a releasable session proves nothing."""
    seen: set[GroupKind] = set()
    allowed: set[tuple[Action, Allowed]] = set()
    reasons: set[Reason] = set()

    @settings(max_examples=1000, deadline=None, database=None, derandomize=True)
    @given(world=worlds())
    def look(world: World) -> None:
        for group in world.groups():
            seen.add(group.kind)
            allowed.update((d.action, d.allowed) for d in group.decisions)
            reasons.update(d.reason for d in group.decisions)

    look()
    assert seen == set(GroupKind)
    assert (Action.RELEASE, Allowed.ALLOW) in allowed
    assert (Action.END_ORPHAN, Allowed.ALLOW) in allowed
    assert Reason.BUSY_BACKGROUND_TASK in reasons
