"""Ends that nobody asked for: who is missed, when it is told, and which cause has evidence."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.rows import MACHINE, MB, NOW_EPOCH_S, UPTIME_S, claim, evidence, key, process
from tests.trees import AGENT as AGENT_PROGRAM
from tests.trees import SESSION_VARIABLE, Part, core_for, planted, target_of, until
from trayapp.incidents import EASED_SHARE, FULL_SHARE, RESTART_S, SETTLE_S, Watcher
from trayapp.model.incident import Account, Cause, IncidentKind, OomKill, Trace
from trayapp.model.plan import Action
from trayapp.model.process import Identity, Pressure, Process
from trayapp.model.receipt import Fate, Outcome, Receipt, Target
from trayapp.model.session import EvidenceKind, Heap, HostInstance, HostLabel, Role, Speaks, State
from trayapp.model.snapshot import Group, GroupKind, HeapUse, Member, OwnCost, Snapshot, Totals, Verdict
from trayapp.probe import Probe
from trayapp.probe.kernel_log import SystemWitnesses
from trayapp.reclaim.journal import Intent
from trayapp.settings import Settings

GB = 1024**3
SERVER = process(41, 1, "/usr/bin/acme", "serve", "--port", "4096", age_s=7200.0, cwd="/home/alex/shop")


@dataclass
class Told:
    """Say what is handed in: who still runs, and what the kernel tells."""

    runs: set[Identity] = field(default_factory=set)
    trace: dict[Identity, Trace] = field(default_factory=dict)
    watched: list[frozenset[Identity]] = field(default_factory=list)
    done: list[Receipt] = field(default_factory=list)
    begun: list[Intent] = field(default_factory=list)
    broken: bool = False

    def still_runs(self, identity: Identity) -> bool:
        return identity in self.runs

    def watch(self, identities: Collection[Identity]) -> None:
        self.watched.append(frozenset(identities))

    def tell_of(self, identity: Identity) -> Trace:
        return self.trace.get(identity, Trace())

    def receipts(self, limit: int) -> Sequence[Receipt]:
        if self.broken:
            raise PermissionError(13, "Permission denied")
        return self.done[:limit]

    def open_intents(self) -> Sequence[Intent]:
        return self.begun


class Scene:
    """Run a watcher over snapshots at a beat of 2 s."""

    def __init__(self) -> None:
        self.told = Told()
        self.watcher = Watcher(self.told, self.told)
        self.now_s = 0.0
        self.slept_s = 0.0
        self.found: list[Account] = []

    def look(
        self,
        *groups: Group,
        instances: Sequence[HostInstance] = (),
        heaps: Sequence[HeapUse] = (),
        gap: bool = False,
        pressure: Pressure = Pressure.NORMAL,
        after_s: float = 2.0,
    ) -> list[Account]:
        """Take one look and return what is told."""
        self.now_s += after_s
        found = self.watcher.take(
            snapshot(
                *groups,
                at_s=self.now_s,
                slept_s=self.slept_s,
                instances=instances,
                heaps=heaps,
                gap=gap,
                pressure=pressure,
            )
        )
        self.found += found
        return list(found)

    def go_on(self, seconds: float, *groups: Group, **given: Any) -> list[Account]:
        """Look every 2 s for so long and return all that is told."""
        return [account for _ in range(round(seconds / 2)) for account in self.look(*groups, **given)]


@pytest.fixture
def scene() -> Scene:
    return Scene()


def snapshot(
    *groups: Group,
    at_s: float,
    slept_s: float = 0.0,
    instances: Sequence[HostInstance] = (),
    heaps: Sequence[HeapUse] = (),
    gap: bool = False,
    pressure: Pressure = Pressure.NORMAL,
) -> Snapshot:
    return Snapshot(
        taken_at=datetime.fromtimestamp(NOW_EPOCH_S + at_s + slept_s, UTC),
        monotonic_s=UPTIME_S + at_s,
        interval_s=2.0,
        gap=gap,
        machine=replace(MACHINE, pressure=pressure),
        instances=tuple(instances),
        labels=(HostLabel(host="acme", title="Acme", letters="Ac"),),
        groups=groups,
        totals=Totals(
            processes=0, sessions=0, rss_bytes=0, footprint_bytes=0, held_bytes=0, cpu_percent=None, reclaimable_bytes=0
        ),
        own=OwnCost(rss_bytes=None, footprint_bytes=None, cpu_percent=None),
        heaps=tuple(heaps),
        footprint_metric="pss",
        uptime_s=UPTIME_S + at_s + slept_s,
    )


def host(of: Process = SERVER, **fields: Any) -> Group:
    member = Member(process=of, role=Role.INFRA, claim=claim(of, None, role=Role.INFRA), cpu_percent=3.5)
    return Group(key="infra:acme", kind=GroupKind.INFRA, host="acme", members=(member,), rss_bytes=100 * MB, **fields)


def told(of: Process = SERVER, **fields: Any) -> HostInstance:
    return HostInstance(host="acme", identity=of.identity, **({"address": "http://127.0.0.1:4096"} | fields))


def session(
    name: str, state: State = State.IDLE, *, on: Process | None = None, role: Role = Role.BACKEND, **fields: Any
) -> Group:
    """Make a session's row: of its own process, else inside of its host's."""
    turn = (evidence(EvidenceKind.TURN, Speaks.BUSY, age_s=30.0),) if state is State.BUSY else ()
    members = (Member(process=on, role=role, claim=claim(on, name), cpu_percent=40.0),) if on is not None else ()
    given: dict[str, Any] = {"title": f"Title of {name}", "verdict": Verdict(state=state, evidence=turn)} | fields
    return Group(
        key=f"acme:{name}",
        kind=GroupKind.SESSION,
        host="acme",
        session=key(name),
        members=members,
        rss_bytes=50 * MB,
        **given,
    )


def receipt(*gone: Process, at_s: float = 0.0, fate: Fate = Fate.ENDED) -> Receipt:
    members = tuple(each.identity for each in gone)
    target = Target(
        group_key="infra:acme", action=Action.KILL, members=members, title="Acme", host="acme", expected_bytes=1
    )
    at = datetime.fromtimestamp(NOW_EPOCH_S + at_s, UTC)
    return Receipt(
        receipt_id="r1",
        started_at=at,
        finished_at=at,
        origin="window",
        outcomes=(Outcome(target=target, fate=fate, sentence="1 process gone", gone=members),),
        available_before_bytes=1,
        available_after_bytes=2,
    )


# -- hosts ------------------------------------------------------------------------------------------------------------


def test_a_host_that_is_gone_is_an_incident_with_its_last_hour_and_its_sessions(scene: Scene) -> None:
    rows = (host(), session("a", State.BUSY, retained_bytes=900 * MB), session("b", retained_bytes=300 * MB))
    scene.go_on(120, *rows, instances=[told(version="2.1")])
    assert scene.go_on(SETTLE_S) == []
    (account,) = scene.go_on(4)
    incident = account.incident
    assert (incident.kind, incident.cause) == (IncidentKind.HOST_ENDED, Cause.EXITED)
    assert incident.sentence == "Acme ended, in the middle of a turn; nothing tells why"
    assert (incident.identity, incident.version, incident.address) == (SERVER.identity, "2.1", "http://127.0.0.1:4096")
    assert incident.last_seen_epoch_s == NOW_EPOCH_S + 120
    assert incident.missed_epoch_s == NOW_EPOCH_S + 122
    assert [(s.session, s.open_turn, s.title) for s in incident.sessions] == [
        (key("a"), True, "Title of a"),
        (key("b"), False, "Title of b"),
    ]
    assert incident.lost_turns == 1
    assert incident.groups == ("acme:a", "acme:b")
    times = [sample.at_epoch_s - NOW_EPOCH_S for sample in account.samples]
    assert times == [2, *range(12, 120, 10), 120]
    last = account.samples[-1]
    assert (last.rss_bytes, last.cpu_percent, last.sessions) == (100 * MB, 3.5, 2)
    assert (last.retained_bytes, last.available_bytes) == (1200 * MB, 16 * GB)
    assert (last.heap_used_bytes, last.footprint_bytes) == (None, None)
    assert scene.go_on(200) == [], "told once"


def test_a_host_that_only_left_our_sight_is_none(scene: Scene) -> None:
    scene.told.runs.add(SERVER.identity)
    scene.go_on(20, host(), instances=[told()])
    assert scene.go_on(100) == []
    scene.told.runs.clear()
    assert [account.incident.cause for account in scene.go_on(30)] == [Cause.EXITED]


def test_one_that_waits_to_be_reaped_is_gone(scene: Scene) -> None:
    scene.go_on(20, host(), instances=[told()])
    zombie = replace(host(), key="zombie", kind=GroupKind.ZOMBIE)
    # its adapter still tells of it, from a look that is some seconds old
    assert len(scene.go_on(30, zombie, instances=[told()])) == 1


def test_a_host_without_instances_counts_from_its_first_session_on(scene: Scene) -> None:
    scene.go_on(20, host())
    assert scene.go_on(80) == []
    other = process(42, 1, "/usr/bin/acme", "serve")
    child = process(50, 42, "/usr/bin/acme-worker")
    scene.go_on(20, host(other), session("a", on=child))
    (account,) = scene.go_on(30)
    assert account.incident.identity == other.identity
    assert [s.session for s in account.incident.sessions] == [key("a")]


def test_what_ended_before_the_first_look_is_none(scene: Scene) -> None:
    """Neither what ended while we did not run nor what the last start of the machine ended."""
    assert scene.go_on(100, instances=[told()]) == []


def test_sessions_belong_to_the_host_above_them_or_whose_heap_they_are_in(scene: Scene) -> None:
    second = process(42, 1, "/usr/bin/acme", "serve", "--port", "1")
    between = process(60, 42, "sh")
    below = process(61, 60, "/usr/bin/acme-worker")
    rows = (
        replace(host(), members=(*host().members, *host(second).members)),
        session("heap", heap_of=SERVER.identity),
        session("below", on=below),
        session("nobodys"),
        Group(
            key="infra:sh",
            kind=GroupKind.INFRA,
            host="acme",
            members=(Member(process=between, role=Role.HELPER, claim=None),),
        ),
    )
    scene.go_on(20, *rows, instances=[told(), told(second)])
    found = {a.incident.identity: a.incident.groups for a in scene.go_on(100)}
    assert found == {SERVER.identity: ("acme:heap",), second.identity: ("acme:below",)}


def test_sessions_that_the_adapter_lost_within_the_last_look_are_still_told(scene: Scene) -> None:
    scene.go_on(20, host(), session("a", State.BUSY), instances=[told()])
    scene.look(host(), instances=[told()])
    (account,) = scene.go_on(30)
    assert account.incident.groups == ("acme:a",)


# -- causes -----------------------------------------------------------------------------------------------------------


def test_a_receipt_of_ours_is_the_cause_however_late_it_is_written(scene: Scene) -> None:
    scene.go_on(20, host(), instances=[told()])
    target = receipt(SERVER).outcomes[0].target
    at = datetime.fromtimestamp(NOW_EPOCH_S + 20, UTC)
    scene.told.begun = [Intent(receipt_id="r1", started_at=at, origin="window", targets=(target,))]
    assert scene.go_on(120) == []
    scene.told.begun, scene.told.done = [], [receipt(SERVER, at_s=140)]
    (account,) = scene.go_on(10)
    assert account.incident.cause is Cause.ENDED_BY_AGENT_RING
    assert account.incident.sentence == "Acme was ended by Agent Ring"
    assert account.incident.evidence[0] == "A receipt names it; it was asked for from the window"


def test_an_intent_that_never_became_a_receipt_is_not_waited_for_forever(scene: Scene) -> None:
    scene.go_on(20, host(), instances=[told()])
    target = receipt(SERVER).outcomes[0].target
    at = datetime.fromtimestamp(NOW_EPOCH_S + 20, UTC)
    scene.told.begun = [Intent(receipt_id="r1", started_at=at, origin="window", targets=(target,))]
    (account,) = scene.go_on(700)
    assert account.incident.cause is Cause.EXITED


@pytest.mark.parametrize(
    "other",
    [
        receipt(SERVER, fate=Fate.REFUSED),
        receipt(process(77, 1, "other")),
        receipt(SERVER, at_s=-2 * 3600),
    ],
    ids=["refused", "another process", "long ago"],
)
def test_a_receipt_that_does_not_speak_of_this_end_is_no_cause(scene: Scene, other: Receipt) -> None:
    refused = other.outcomes[0].fate is Fate.REFUSED
    outcomes = tuple(replace(o, gone=()) for o in other.outcomes) if refused else other.outcomes
    scene.told.done = [replace(other, outcomes=outcomes)]
    scene.go_on(20, host(), instances=[told()])
    assert [a.incident.cause for a in scene.go_on(30)] == [Cause.EXITED]


def test_a_journal_that_cannot_be_read_hides_no_incident(scene: Scene) -> None:
    scene.told.broken = True
    scene.go_on(20, host(), instances=[told()])
    assert len(scene.go_on(30)) == 1


def test_a_kill_in_the_kernel_log_is_told_at_once(scene: Scene) -> None:
    kill = OomKill(identity=SERVER.identity, of_group=False, resident_bytes=8 * GB)
    scene.told.trace[SERVER.identity] = Trace(oom_kill=kill, group_kills=1)
    scene.go_on(20, host(), instances=[told()], pressure=Pressure.CRITICAL)
    (account,) = scene.look()
    assert account.incident.cause is Cause.OOM_KILL
    assert account.incident.sentence == "Acme was killed by the kernel for lack of memory"
    assert account.incident.evidence == (
        "The kernel log says that it was killed, with 8.0\u202fGB resident: the machine was out of memory",
        "The machine was short of memory when it was last seen (critical): 16.0\u202fGB available",
    )


@pytest.mark.parametrize(
    ("trace", "cause", "words"),
    [
        (
            Trace(group_kills=1, unread="Operation not permitted"),
            Cause.OOM_KILL,
            "The kernel counted 1 kill for lack of memory in its control group meanwhile",
        ),
        (
            Trace(group_kills=0, machine_kills=2, unread="Operation not permitted"),
            Cause.EXITED,
            "The kernel counted 2 kills for lack of memory on the machine meanwhile, of unknown processes",
        ),
        (Trace(group_kills=1), Cause.EXITED, "The kernel log was read and does not name it"),
        (Trace(fault="segfault"), Cause.CRASHED, "The kernel log tells of a fault of its own: segfault"),
        (
            Trace(unread="Operation not permitted"),
            Cause.EXITED,
            "The kernel log cannot be read: Operation not permitted",
        ),
    ],
)
def test_what_the_kernel_tells_decides_only_where_it_is_about_this_process(
    scene: Scene, trace: Trace, cause: Cause, words: str
) -> None:
    scene.told.trace[SERVER.identity] = trace
    scene.go_on(20, host(), instances=[told()])
    (account,) = scene.go_on(20)
    assert account.incident.cause is cause
    assert words in account.incident.evidence


def test_a_heap_at_its_limit_is_the_cause_even_if_the_host_had_stopped_answering(scene: Scene) -> None:
    at_the_wall = Heap(used_bytes=7900 * MB, limit_bytes=8192 * MB, at_epoch_s=NOW_EPOCH_S + 20)
    scene.go_on(20, host(), instances=[told(heap=at_the_wall)])
    assert [a.incident.kind for a in scene.found] == [IncidentKind.HEAP_FULL]
    scene.go_on(40, host(), instances=[told(error="no answer within 8 s")])
    (account,) = scene.look()
    assert account.incident.cause is Cause.HEAP_CAP
    assert account.incident.sentence == "Acme ended with its heap at 96\u202f% of its limit"
    assert (
        "Its heap held 7.7\u202fGB of 8.0\u202fGB, as told 40\u202fs before it was last seen"
        in account.incident.evidence
    )
    used = [sample.heap_used_bytes for sample in account.samples]
    assert used[0] == 7900 * MB
    assert used[-1] is None


def test_an_old_figure_of_the_heap_is_no_cause(scene: Scene) -> None:
    heap = Heap(used_bytes=7900 * MB, limit_bytes=8192 * MB)
    scene.go_on(20, host(), instances=[told(heap=heap)])
    scene.go_on(400, host(), instances=[told()])
    assert [a.incident.cause for a in scene.go_on(20)] == [Cause.EXITED]


def test_a_new_instance_at_the_same_address_is_a_restart(scene: Scene) -> None:
    scene.go_on(20, host(), session("a"), instances=[told(version="1")])
    scene.go_on(4)
    after = process(90, 1, "/usr/bin/acme", "serve", "--port", "4096", "--again", age_s=1.0)
    (account,) = scene.look(host(after), instances=[told(after, version="2")])
    incident = account.incident
    assert incident.cause is Cause.RESTARTED
    assert incident.successor is not None
    assert (incident.successor.identity, incident.successor.after_s) == (after.identity, 6.0)
    assert f"Another process of the same host took its place within 6\u202fs: {after.pid}" in incident.evidence
    assert "It is of another version" in incident.evidence
    assert scene.go_on(100, host(after), instances=[told(after)]) == []


def test_the_same_program_in_the_same_folder_is_a_restart_whatever_port_it_got(scene: Scene) -> None:
    scene.go_on(20, host(), instances=[told(address="http://127.0.0.1:1111")])
    again = replace(SERVER, identity=Identity(90, 99_999_999))
    (account,) = scene.look(host(again), instances=[told(again, address="http://127.0.0.1:2222")])
    assert account.incident.cause is Cause.RESTARTED


@pytest.mark.parametrize("late", [False, True])
def test_another_program_or_a_late_one_is_no_successor(scene: Scene, late: bool) -> None:
    scene.go_on(20, host(), instances=[told()])
    found = scene.go_on(RESTART_S + 4 if late else 4)
    other = process(90, 1, "/usr/bin/acme", "mcp") if not late else replace(SERVER, identity=Identity(90, 99_999_999))
    address = "http://127.0.0.1:4096" if late else "http://127.0.0.1:9"
    found += scene.go_on(100, host(other), instances=[told(other, address=address)])
    assert [a.incident.cause for a in found] == [Cause.EXITED]


def test_one_that_was_there_before_is_no_successor(scene: Scene) -> None:
    twin = replace(SERVER, identity=Identity(90, 99_999_999))
    both = replace(host(), members=(*host().members, *host(twin).members))
    scene.go_on(20, both, instances=[told(), told(twin)])
    found = scene.go_on(100, host(twin), instances=[told(twin)])
    assert [(a.incident.identity, a.incident.cause) for a in found] == [(SERVER.identity, Cause.EXITED)]


def test_a_successor_that_comes_after_it_was_told_replaces_it_under_the_same_id(scene: Scene) -> None:
    scene.go_on(20, host(), instances=[told()])
    (first,) = scene.go_on(30)
    after = replace(SERVER, identity=Identity(90, 99_999_999))
    (second,) = scene.go_on(20, host(after), instances=[told(after)])
    assert (first.incident.cause, second.incident.cause) == (Cause.EXITED, Cause.RESTARTED)
    assert first.incident.incident_id == second.incident.incident_id


def test_a_host_at_its_cap_that_is_started_again_keeps_the_cap_as_its_cause(scene: Scene) -> None:
    heap = Heap(used_bytes=7900 * MB, limit_bytes=8192 * MB)
    scene.go_on(20, host(), instances=[told(heap=heap)])
    after = replace(SERVER, identity=Identity(90, 99_999_999))
    (account,) = scene.look(host(after), instances=[told(after)])
    assert account.incident.cause is Cause.HEAP_CAP
    assert account.incident.successor is not None


def test_what_is_gone_after_a_sleep_ended_at_an_unknown_time_within_it(scene: Scene) -> None:
    scene.go_on(20, host(), instances=[told()])
    scene.slept_s = 3 * 3600.0
    after = replace(SERVER, identity=Identity(90, 99_999_999))
    (account,) = scene.look(host(after), instances=[told(after)], gap=True)
    incident = account.incident
    assert incident.gap
    assert incident.successor is not None
    assert incident.successor.after_s is None
    assert (
        "The machine slept or measuring was paused meanwhile: it ended at an unknown time within 3\u202fh"
        in incident.evidence
    )


def test_the_first_sample_after_a_gap_says_so(scene: Scene) -> None:
    scene.go_on(40, host(), instances=[told()])
    scene.slept_s = 600.0
    scene.look(host(), instances=[told()], gap=True)
    scene.go_on(40, host(), instances=[told()])
    (account,) = scene.go_on(20)
    marked = [sample.at_epoch_s - NOW_EPOCH_S for sample in account.samples if sample.gap]
    assert marked == [642.0]


# -- heaps ------------------------------------------------------------------------------------------------------------


def test_a_full_heap_is_told_once_per_climb(scene: Scene) -> None:
    limit = 8192 * MB

    def at(share: float) -> list[Account]:
        heap = Heap(used_bytes=math.ceil(share * limit), limit_bytes=limit)
        use = HeapUse(
            host="acme",
            identity=SERVER.identity,
            used_bytes=heap.used_bytes,
            limit_bytes=limit,
            growth_bytes_per_h=400.0 * MB,
            full_in_s=3000.0,
            releasable_bytes=2 * GB,
        )
        inside = session("a", State.BUSY, heap_of=SERVER.identity, retained_bytes=GB)
        return scene.look(host(), inside, instances=[told(heap=heap)], heaps=[use])

    assert at(FULL_SHARE - 0.01) == []
    (account,) = at(FULL_SHARE)
    incident = account.incident
    assert (incident.kind, incident.cause) == (IncidentKind.HEAP_FULL, Cause.HEAP_CAP)
    assert incident.sentence == "The heap of Acme is at 95\u202f% of its limit"
    assert incident.evidence == (
        "Its heap holds 7.6\u202fGB of 8.0\u202fGB",
        "It grew by 0.4\u202fGB an hour; so it would be full in 50\u202fmin",
        "About 2.0\u202fGB of it could be released",
    )
    assert incident.groups == ("acme:a",)
    assert incident.lost_turns == 0
    assert account.samples[-1].heap_used_bytes == math.ceil(FULL_SHARE * limit)
    assert at(0.99) == []
    assert at(EASED_SHARE) == []
    assert at(0.97) == []
    assert at(EASED_SHARE - 0.01) == []
    assert len(at(0.95)) == 1


def test_a_heap_without_a_limit_is_never_full(scene: Scene) -> None:
    heap = Heap(used_bytes=60 * GB, limit_bytes=None)
    assert scene.go_on(20, host(), instances=[told(heap=heap)]) == []


# -- sessions ---------------------------------------------------------------------------------------------------------

AGENT = process(70, 1, "/usr/bin/agent")


def test_a_session_that_vanishes_in_a_turn_after_it_was_at_rest_is_lost(scene: Scene) -> None:
    scene.go_on(40, session("a", State.WAITING, on=AGENT))
    scene.go_on(40, session("a", State.BUSY, on=AGENT))
    assert scene.go_on(SETTLE_S) == []
    (account,) = scene.go_on(4)
    incident = account.incident
    assert (incident.kind, incident.cause) == (IncidentKind.SESSION_LOST, Cause.EXITED)
    assert incident.sentence == "A session of Acme ended, in the middle of a turn; nothing tells why"
    assert incident.session == key("a")
    assert [sample.at_epoch_s - NOW_EPOCH_S for sample in account.samples] == [2, 32, 62, 80]
    assert scene.go_on(200) == []


def test_a_run_that_was_busy_from_first_to_last_may_just_be_done(scene: Scene) -> None:
    scene.go_on(40, session("a", State.BUSY, on=AGENT))
    assert scene.go_on(100) == []


def test_such_a_run_is_lost_if_the_kernel_killed_it_or_it_left_processes_behind(scene: Scene) -> None:
    kill = OomKill(identity=AGENT.identity, of_group=True)
    scene.told.trace[AGENT.identity] = Trace(oom_kill=kill)
    scene.go_on(40, session("a", State.BUSY, on=AGENT))
    (account,) = scene.go_on(30)
    assert account.incident.cause is Cause.OOM_KILL
    other = process(71, 1, "/usr/bin/agent")
    scene.go_on(40, session("b", State.BUSY, on=other))
    left = Member(process=process(72, 1, "make"), role=Role.WORK, claim=None)
    orphan = Group(key="orphan-work:b", kind=GroupKind.ORPHAN_WORK, host="acme", members=(left,), owner_hint="b")
    (account,) = scene.go_on(30, orphan)
    assert account.incident.session == key("b")


@pytest.mark.parametrize("state", [State.IDLE, State.WAITING, State.UNKNOWN])
def test_a_session_that_ends_between_turns_is_not_lost(scene: Scene, state: State) -> None:
    scene.go_on(40, session("a", State.BUSY, on=AGENT))
    scene.go_on(40, session("a", state, on=AGENT))
    assert scene.go_on(100) == []


def test_a_session_that_we_ended_or_that_runs_on_or_that_its_host_calls_ended_is_not_lost(scene: Scene) -> None:
    for then in (
        [session("a", State.BUSY, on=process(73, 1, "/usr/bin/agent"))],
        [session("a", State.ENDED)],
        [session("a", State.IDLE)],
    ):
        scene.go_on(40, session("a", State.IDLE, on=AGENT))
        scene.go_on(40, session("a", State.BUSY, on=AGENT))
        assert scene.go_on(40, *then) == []
        scene.go_on(40)
    scene.go_on(40, session("a", State.IDLE, on=AGENT))
    scene.go_on(40, session("a", State.BUSY, on=AGENT))
    scene.told.done = [receipt(AGENT, at_s=scene.now_s)]
    assert scene.go_on(40) == []


def test_a_session_that_ends_with_its_host_is_part_of_that_incident(scene: Scene) -> None:
    child = process(74, SERVER.pid, "/usr/bin/agent")
    scene.go_on(40, host(), session("a", State.IDLE, on=child), instances=[told()])
    scene.go_on(40, host(), session("a", State.BUSY, on=child), instances=[told()])
    (account,) = scene.go_on(100)
    assert account.incident.kind is IncidentKind.HOST_ENDED
    assert account.incident.groups == ("acme:a",)


def test_a_helper_that_ends_is_nobodys_incident(scene: Scene) -> None:
    helper = Member(process=process(75, 70, "some-mcp"), role=Role.HELPER, claim=None)
    busy = session("a", State.BUSY, on=AGENT)
    scene.go_on(40, session("a", on=AGENT))
    scene.go_on(40, replace(busy, members=(*busy.members, helper)))
    assert scene.go_on(100, busy) == []


# -- bounds -----------------------------------------------------------------------------------------------------------


def test_what_is_remembered_stays_bounded_over_10_000_looks_and_coming_and_going_processes(scene: Scene) -> None:
    rows = [session(f"s{n}", on=process(200 + n, 1, "/usr/bin/agent")) for n in range(5)]
    for number in range(10_000):
        passing = process(1000 + number, 1, "/usr/bin/agent")
        scene.look(host(), *rows, session("passing", State.BUSY, on=passing), instances=[told()])
    watcher = scene.watcher
    assert scene.found == []
    assert len(watcher._tracks) == 7
    assert len(watcher._deaths) <= SETTLE_S / 2 + RESTART_S / 2 + 2
    held = {track.identity.pid: len(track.ring) for track in watcher._tracks.values()}
    assert held[SERVER.pid] == 379
    assert held[200] == 127
    assert scene.told.watched[-1] >= {SERVER.identity, rows[0].members[0].process.identity}
    (account,) = [a for a in scene.go_on(30) if a.incident.kind is IncidentKind.HOST_ENDED]
    span_s = account.samples[-1].at_epoch_s - account.samples[0].at_epoch_s
    assert 3600 <= span_s <= 3800


# -- a real process ---------------------------------------------------------------------------------------------------


@contextmanager
def running() -> Iterator[subprocess.Popen[bytes]]:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        yield child
    finally:
        child.kill()
        child.wait()
        assert child.stdin is not None
        child.stdin.close()


def test_a_real_process_that_is_killed_is_seen_as_ended(scene: Scene) -> None:
    probe, witnesses = Probe(environment_names=set()), SystemWitnesses()
    watcher = Watcher(witnesses, scene.told)
    with running() as child:
        found = probe.scan().processes[child.pid]
        assert witnesses.still_runs(found.identity)
        rows = (host(found), session("a", State.BUSY))
        looks = iter(range(2, 1000, 2))
        watcher.take(snapshot(*rows, at_s=next(looks), instances=[told(found)]))
        # its adapter loses it, but it is there
        assert watcher.take(snapshot(at_s=next(looks))) == ()
        watcher.take(snapshot(*rows, at_s=next(looks), instances=[told(found)]))
        child.kill()
        deadline_s = time.monotonic() + 20
        while witnesses.still_runs(found.identity):
            assert time.monotonic() < deadline_s
            time.sleep(0.005)
        told_of = [a for _ in range(12) for a in watcher.take(snapshot(at_s=next(looks), instances=[told(found)]))]
    probe.close()
    witnesses.close()
    (account,) = told_of
    assert account.incident.cause is Cause.EXITED
    assert account.incident.identity == found.identity
    assert account.incident.identity.pid != os.getpid()
    assert account.samples[-1].rss_bytes == found.rss_bytes
    assert account.incident.lost_turns == 1


# -- in the product ---------------------------------------------------------------------------------------------------


@pytest.mark.linux
@pytest.mark.skipif(sys.platform != "linux", reason="the trees of tests/trees.py need Linux")
def test_a_real_session_that_is_killed_in_its_turn_is_kept_as_a_file_by_the_tray_and_one_we_ended_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trayapp.incidents.SETTLE_S", 1.0)
    job = Part(program="bin/job.py", environment={SESSION_VARIABLE: "s1"})
    busy = Part(program=AGENT_PROGRAM, session_id="s1", status="busy", detached=True, children=("job",), title="T")
    with planted(tmp_path / "tree", job=job, victim=busy, ended=replace(busy, session_id="s2", children=())) as tree:
        tree.start("victim")
        tree.start("ended")
        core = core_for(tree.root, settings=Settings(interval_s=0.5))
        core.set_detail(True)
        core.start(ticking=True)
        try:
            until(lambda: both_are_busy(core.latest), "the sessions are not seen")
            latest = core.latest
            assert latest is not None
            target = target_of(latest, "fake-agent:s2", Action.KILL, confirmed=True)
            core.reclaim([target], "window", lambda _progress: None).result(30)
            victim = tree.identity("victim")
            os.kill(victim.pid, signal.SIGKILL)
            until(lambda: bool(core.incidents(5).result(10)), "no incident is kept")
            (incident,) = core.incidents(5).result(10)
            account = core.incident(incident.incident_id).result(10)
        finally:
            core.stop()
    assert (incident.kind, incident.identity) == (IncidentKind.SESSION_LOST, victim)
    assert str(incident.session) == "fake-agent:s1"
    assert incident.sessions[0].title == "T"
    assert account is not None
    assert account.samples[-1].rss_bytes


def both_are_busy(latest: Snapshot | None) -> bool:
    rows = [latest.group(f"fake-agent:{name}") for name in ("s1", "s2")] if latest is not None else []
    return bool(rows) and all(
        row is not None and row.verdict is not None and row.verdict.state is State.BUSY for row in rows
    )
