"""What happened to hosts and sessions that end unasked: snapshots in, incidents out.

Knows no host by name, no file and no system call; what else tells of a process that is gone (the kernel log, the
journal of what we ended ourselves) is handed in and only asked when a process is missed.

A host is every HostInstance with an identity, and every topmost INFRA process of a host that tells of no such instance,
from the moment that it has served a session. When it is gone, its end is kept as an incident; the cause is the
strongest that there is evidence for, in the order of `Cause`, and "exited" where there is none. It is told at once when
the cause is beyond doubt, else after SETTLE_S, so that ends at the shutdown of the machine, which ends us too, are no
incidents; what is learnt later (a receipt, a successor) replaces it under the same id.

A heap that reaches FULL_SHARE is an incident too, once per climb: not again before it was below EASED_SHARE.

A session process is no host. It is lost ("session-lost") if it is gone although a turn was open at last sight, and
- Agent Ring did not end it, its host did not end with it, and SETTLE_S later its session neither runs in another
  process nor is said by its host to be at rest or ended, and
- something speaks against a run that simply was finished: the kernel log names the process, or it left processes
  behind, or it had been at rest between two turns before. A process that was busy from its first to its last sight may
  be one that answers a single prompt and exits.

No incident: what ended while Agent Ring was not running or before the machine started anew (a watcher begins with
nothing and misses only what it has seen), and a process that is only out of sight. What is gone after a sleep or a
pause ended at an unknown time within it, and is told so.
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol

from trayapp.model.incident import (
    Account,
    Cause,
    Incident,
    IncidentKind,
    Sample,
    SessionThen,
    Successor,
    Trace,
)
from trayapp.model.process import Identity, Pressure, Process
from trayapp.model.receipt import Fate, Receipt, program_mark
from trayapp.model.session import EvidenceKind, Heap, HostInstance, Role, Speaks, State
from trayapp.model.snapshot import ORPHAN_KINDS, Group, GroupKind, Member, Snapshot
from trayapp.reclaim.journal import Intent
from trayapp.wording import THIN_SPACE, duration, memory

SAMPLE_S = 9.5
"""At least so long between two samples of a host: every fifth tick of 2 s."""
SESSION_BEATS = 3
"""Sessions are sampled with every third sample of hosts."""
KEPT_S = 3600.0
SETTLE_S = 15.0
RESTART_S = 60.0
"""A successor that comes later is a new start, not a restart."""
FULL_SHARE = 0.95
EASED_SHARE = 0.85
ACTION_S = 600.0
"""How long the receipt of an action under way is waited for."""
ASK_AGAIN_S = 5.0
RECEIPTS = 50
"""So many of the newest receipts can name what was just missed."""

HEAP_TELLS_S = 300.0
"""A host at the wall is busy collecting and may not have answered for a while; an older figure tells nothing."""
RECEIPT_S = 3600.0

_OURS = frozenset({Fate.RELEASED, Fate.ENDED, Fate.SURVIVED})
_NEVER = frozenset({Role.HELPER, Role.WORK, Role.SHELL, Role.WRAPPER})
"""Roles whose processes are neither a host nor run a session; most processes have one of them."""
_NONE = float("nan")
_PRESSURES = tuple(Pressure)
_HOST_FIGURES, _SESSION_FIGURES = 12, 7
_DEEPEST = 16
"""How far up a session's processes are followed to the host above them."""


class Witnesses(Protocol):
    """Tell what the system knows of processes (trayapp.probe.kernel_log)."""

    def still_runs(self, identity: Identity) -> bool: ...

    def watch(self, identities: Collection[Identity]) -> None:
        """Remember the counters of these, all that matter from now on; called with every sample."""
        ...

    def tell_of(self, identity: Identity) -> Trace: ...


class Deeds(Protocol):
    """Tell what Agent Ring did and is doing; reclaim.journal.Journal is the real one."""

    def receipts(self, limit: int) -> Sequence[Receipt]: ...

    def open_intents(self) -> Sequence[Intent]: ...


class _Ring:
    """Keep the newest rows of figures in a few KB; NaN stands for what is not known."""

    def __init__(self, width: int, most: int) -> None:
        self._width, self._most = width, most
        self._figures = array("d")

    def add(self, row: Sequence[float]) -> None:
        self._figures.extend(row[: self._width])
        if len(self._figures) > self._most * self._width:
            del self._figures[: self._width]

    def __len__(self) -> int:
        return len(self._figures) // self._width

    def samples(self, last: Sequence[float]) -> tuple[Sample, ...]:
        """Return all rows, and the one at last sight where it is newer."""
        rows = [self._figures[i : i + self._width].tolist() for i in range(0, len(self._figures), self._width)]
        if not rows or rows[-1][0] < last[0]:
            rows.append(list(last[: self._width]))
        return tuple(_sample(row + [_NONE] * (_HOST_FIGURES - len(row))) for row in rows)


@dataclass(slots=True)
class _Track:
    """Follow one process while it is there.

    Attributes:
        is_told: its host names it as an instance; other hosts count from their first session on.
        group, member: its row and its place in it at the last look; None when it was not in sight.
        rested: the session was seen idle or waiting.
        climbed: its heap was told to be full and has not eased since.
        gap: there was a gap since its last sample.
        heap, heap_s: the last figures that were told, and when (monotonic).
        then: its sessions at the last sample.
    """

    identity: Identity
    host: str
    is_host: bool
    is_told: bool
    first_s: float
    ring: _Ring
    instance: HostInstance | None = None
    group: Group | None = None
    member: Member | None = None
    process: Process | None = None
    served: bool = False
    rested: bool = False
    climbed: bool = False
    gap: bool = False
    heap: Heap | None = None
    heap_s: float = -math.inf
    then: tuple[SessionThen, ...] = ()

    def see(self, group: Group, member: Member) -> None:
        """Note where it stands now."""
        self.group, self.member, self.process = group, member, member.process
        if not self.is_host and group.verdict is not None:
            self.rested |= group.verdict.state in (State.IDLE, State.WAITING)


@dataclass(slots=True, kw_only=True)
class _Death:
    """Hold one that is gone until all that can be learnt of it is known."""

    track: _Track
    before: Snapshot
    missed: Snapshot
    trace: Trace
    sessions: tuple[SessionThen, ...]
    samples: tuple[Sample, ...]
    ask_s: float = -math.inf
    by_whom: str | None = None
    successor: Successor | None = None
    is_told: bool = False
    told_successor: Successor | None = None

    @property
    def missed_s(self) -> float:
        return self.missed.monotonic_s

    @property
    def heap_age_s(self) -> float:
        """Return how old the last figures of the heap were at last sight."""
        heap = self.track.heap
        if heap is None or heap.at_epoch_s is None:
            return self.before.monotonic_s - self.track.heap_s
        return max(0.0, self.before.taken_at.timestamp() - heap.at_epoch_s)

    @property
    def cause(self) -> Cause:
        """Return the strongest cause that there is evidence for."""
        trace = self.trace
        if self.by_whom is not None:
            return Cause.ENDED_BY_AGENT_RING
        # a count of its group only stands for it where the log, which would name it, is closed
        if trace.oom_kill is not None or (trace.unread is not None and trace.group_kills):
            return Cause.OOM_KILL
        if (_share(self.track.heap) or 0.0) >= FULL_SHARE and self.heap_age_s <= HEAP_TELLS_S:
            return Cause.HEAP_CAP
        if trace.fault is not None:
            return Cause.CRASHED
        return Cause.RESTARTED if self.successor is not None else Cause.EXITED


@dataclass(slots=True)
class Watcher:
    """Watch snapshots. One thread at a time; a row costs `take` a microsecond, and a few where it is different."""

    witnesses: Witnesses
    deeds: Deeds
    _tracks: dict[Identity, _Track] = field(default_factory=dict)
    _deaths: list[_Death] = field(default_factory=list)
    _before: Snapshot | None = None
    _earlier: Snapshot | None = None
    _rows: Mapping[str, Group] = field(default_factory=dict)
    _new: list[_Track] = field(default_factory=list)
    _sampled_s: float = -math.inf
    _beats: int = -1

    def take(self, snapshot: Snapshot) -> tuple[Account, ...]:
        """Take in the next snapshot; return what is told now, new or better known than before."""
        rows = {group.key: group for group in snapshot.groups}
        if self._before is not None:
            self._miss(self._before, snapshot, rows)
        self._meet(snapshot)
        found = (*self._warn(snapshot), *self._settle(snapshot))
        self._sample(snapshot)
        self._earlier, self._before, self._rows = self._before, snapshot, rows
        return found

    # -- who is there ---------------------------------------------------------------------------------------------

    def _meet(self, snapshot: Snapshot) -> None:
        """Follow who is new, and take in what hosts tell of their instances."""
        now_s = snapshot.monotonic_s
        for instance in snapshot.instances:
            identity = instance.identity
            if identity is None:
                continue
            track = self._tracks.get(identity)
            # an observation may be some seconds older than the process table
            if track is None and not self._is_in(snapshot, identity) and not self.witnesses.still_runs(identity):
                continue
            if track is None or not track.is_host:
                track = self._follow(identity, instance.host, now_s, is_host=True)
                self._find(track, snapshot.groups)
            track.instance, track.is_told = instance, True
            if instance.heap is not None:
                track.heap, track.heap_s = instance.heap, now_s
        told = {instance.host for instance in snapshot.instances if instance.identity is not None}
        for group in snapshot.groups:
            # a row in which nothing is different is the very same object
            if group.kind is GroupKind.ZOMBIE or group is self._rows.get(group.key):
                continue
            for member in group.members:
                if member.role in _NEVER:
                    continue
                track = self._tracks.get(member.process.identity)
                if track is None and group.host is not None and self._matters(group, member, told):
                    is_host = member.role is Role.INFRA
                    track = self._follow(member.process.identity, group.host, now_s, is_host=is_host)
                if track is not None and track.group is not group:
                    track.see(group, member)

    def _is_in(self, snapshot: Snapshot, identity: Identity) -> bool:
        return any(
            member.process.identity == identity
            for group in snapshot.groups
            if group.kind is not GroupKind.ZOMBIE
            for member in group.members
        )

    def _find(self, track: _Track, groups: Iterable[Group]) -> bool:
        """Look for a process in rows, and note where it stands."""
        for group in groups:
            if group.kind is GroupKind.ZOMBIE:
                continue
            for member in group.members:
                if member.process.identity == track.identity:
                    track.see(group, member)
                    return True
        return False

    def _matters(self, group: Group, member: Member, told: Collection[str]) -> bool:
        if group.kind is GroupKind.SESSION:
            return member.role is Role.BACKEND
        if group.kind is not GroupKind.INFRA or member.role is not Role.INFRA or group.host in told:
            return False
        return all(other.process.pid != member.process.ppid for other in group.members)

    def _follow(self, identity: Identity, host: str, now_s: float, *, is_host: bool) -> _Track:
        most = math.ceil(KEPT_S / SAMPLE_S)
        ring = _Ring(_HOST_FIGURES, most) if is_host else _Ring(_SESSION_FIGURES, math.ceil(most / SESSION_BEATS))
        track = _Track(identity, host, is_host=is_host, is_told=False, first_s=now_s, ring=ring)
        self._tracks[identity] = track
        self._new.append(track)
        return track

    def _sample(self, snapshot: Snapshot) -> None:
        """Keep the figures of who is due; those of new ones at once."""
        if snapshot.gap:
            for track in self._tracks.values():
                track.gap = True
        due, self._new = self._new, []
        if snapshot.monotonic_s - self._sampled_s >= SAMPLE_S:
            self._sampled_s, self._beats = snapshot.monotonic_s, self._beats + 1
            with_sessions = self._beats % SESSION_BEATS == 0
            early = set(map(id, due))
            due += [t for t in self._tracks.values() if (t.is_host or with_sessions) and id(t) not in early]
        elif not due:
            return
        links = self._links(snapshot) if any(track.is_host for track in due) else {}
        for track in due:
            if track.is_host:
                track.then = links.get(track.identity, ())
                track.served |= bool(track.then)
            track.ring.add(_row(track, snapshot, gap=track.gap))
            track.gap = False
        self.witnesses.watch(self._tracks)

    def _links(self, snapshot: Snapshot) -> dict[Identity, tuple[SessionThen, ...]]:
        """Return the live sessions of each host: in its heap, below it, or without a process of their own.

        Of the last kind only where there is a single instance of their host.
        """
        hosts = {identity: track for identity, track in self._tracks.items() if track.is_host}
        if not hosts:
            return {}
        parents = {
            member.process.pid: member.process.ppid
            for group in snapshot.groups
            if group.kind is not GroupKind.ZOMBIE
            for member in group.members
        }
        by_pid = {identity.pid: track for identity, track in hosts.items()}
        single: dict[str, Identity | None] = {}
        for identity, track in hosts.items():
            single[track.host] = None if track.host in single else identity
        found: dict[Identity, list[SessionThen]] = {}
        for group in snapshot.groups:
            if group.session is None or group.kind is not GroupKind.SESSION:
                continue
            of = group.heap_of if group.heap_of in hosts else _above(group, parents, by_pid)
            if of is None and not group.members and group.host is not None:
                of = single.get(group.host)
            if of is not None:
                found.setdefault(of, []).append(_then(group))
        return {
            identity: tuple(sorted(sessions, key=lambda s: -(s.retained_bytes or s.held_bytes)))
            for identity, sessions in found.items()
        }

    # -- who is gone ----------------------------------------------------------------------------------------------

    def _is_there(self, track: _Track, rows: Mapping[str, Group]) -> bool:
        """Say whether a process is there, and note where; the system is asked only for what is out of sight."""
        group = rows.get(track.group.key) if track.group is not None else None
        if group is not None and (group is track.group or self._find(track, (group,))):
            return True
        if not self.witnesses.still_runs(track.identity):
            return False
        track.group = track.member = None
        return True

    def _miss(self, before: Snapshot, snapshot: Snapshot, rows: Mapping[str, Group]) -> None:
        """Begin to ask about those that are gone, and stop following them."""
        gone = [track for track in self._tracks.values() if not self._is_there(track, rows)]
        links = self._links(before) if gone else {}
        # the adapter may have noticed the end within the very look that still saw the process
        earlier = self._links(self._earlier) if gone and self._earlier is not None else {}
        for track in gone:
            del self._tracks[track.identity]
            if track.is_host:
                sessions = links.get(track.identity) or earlier.get(track.identity, ())
                matters = track.is_told or track.served or bool(sessions)
            else:
                last = track.group
                sessions = (_then(last),) if last is not None and last.session is not None else ()
                matters = any(session.open_turn for session in sessions)
            if matters:
                death = _Death(
                    track=track,
                    before=before,
                    missed=snapshot,
                    trace=self.witnesses.tell_of(track.identity),
                    sessions=sessions,
                    samples=track.ring.samples(_row(track, before, gap=track.gap)),
                )
                self._deaths.append(death)

    def _settle(self, snapshot: Snapshot) -> Iterator[Account]:
        """Yield what can be told now of those that are gone, and let go of what will not be known better."""
        staying = []
        for death in self._deaths:
            age_s = snapshot.monotonic_s - death.missed_s
            if death.track.is_host and death.successor is None and age_s <= RESTART_S:
                death.successor = self._successor(death, snapshot)
            if self._is_due(death, snapshot.monotonic_s):
                death.by_whom, under_way = self._deed(death.track.identity, snapshot)
                if under_way and age_s < ACTION_S:
                    death.ask_s = snapshot.monotonic_s + ASK_AGAIN_S
                else:
                    death.is_told, death.told_successor = True, death.successor
                    if death.track.is_host or self._is_lost(death, snapshot):
                        yield _account(death)
            if not death.is_told or age_s <= RESTART_S:
                staying.append(death)
        self._deaths = staying

    def _is_due(self, death: _Death, now_s: float) -> bool:
        if death.is_told:
            return death.successor is not death.told_successor
        sure = death.track.is_host and death.cause is not Cause.EXITED and death.cause is not Cause.CRASHED
        return now_s >= death.ask_s and (sure or now_s - death.missed_s >= SETTLE_S)

    def _successor(self, death: _Death, snapshot: Snapshot) -> Successor | None:
        """Find a new process of the same host at the same address, or of the same program, arguments and folder."""
        for track in self._tracks.values():
            after_s = track.first_s - death.before.monotonic_s
            if track.host != death.track.host or not track.is_host:
                continue
            if after_s <= 0 or track.first_s - death.missed_s > RESTART_S:
                continue
            if _has_same_address(track, death.track) or _is_same_program(track, death.track):
                version = track.instance.version if track.instance is not None else None
                return Successor(
                    identity=track.identity,
                    version=version,
                    after_s=None if death.missed.gap else after_s,
                )
        return None

    def _deed(self, identity: Identity, snapshot: Snapshot) -> tuple[str | None, bool]:
        """Say from where Agent Ring was asked to end a process, and whether it is at it now."""
        try:
            receipts, intents = self.deeds.receipts(RECEIPTS), self.deeds.open_intents()
        except OSError:
            return None, False  # an unreadable journal is one of the core's own problems; nothing of it is known here
        now = snapshot.taken_at
        for receipt in receipts:
            if abs((now - receipt.finished_at).total_seconds()) > RECEIPT_S:
                continue
            for outcome in receipt.outcomes:
                if identity in outcome.gone or (outcome.fate in _OURS and identity in outcome.target.members):
                    return receipt.origin, False
        recent = (intent for intent in intents if abs((now - intent.started_at).total_seconds()) < ACTION_S)
        return None, any(identity in target.members for intent in recent for target in intent.targets)

    def _is_lost(self, death: _Death, snapshot: Snapshot) -> bool:
        """Say whether a session was lost with its process; the rule stands at the head of this module."""
        then = death.sessions[0]
        if death.by_whom is not None:
            return False
        if any(other.track.is_host and then.group in _groups(other) for other in self._deaths):
            return False
        now = snapshot.group(then.group)
        if now is not None:
            state = now.verdict.state if now.verdict is not None else State.UNKNOWN
            if any(m.role is Role.BACKEND for m in now.members) or state in (State.IDLE, State.WAITING, State.ENDED):
                return False
        left = [
            group
            for group in snapshot.groups
            if group.kind in ORPHAN_KINDS
            and group.host == then.session.host
            and group.owner_hint == then.session.session_id
        ]
        return death.cause is not Cause.EXITED or death.track.rested or bool(left) or bool(now and now.members)

    # -- heaps ----------------------------------------------------------------------------------------------------

    def _warn(self, snapshot: Snapshot) -> Iterator[Account]:
        """Yield the heaps that have just become full."""
        for track in self._tracks.values():
            share = _share(track.heap)
            if share is None:
                continue
            if share < EASED_SHARE:
                track.climbed = False
            elif share >= FULL_SHARE and not track.climbed:
                track.climbed = True
                sessions = self._links(snapshot).get(track.identity, ())
                row = _row(track, snapshot, gap=snapshot.gap)
                yield _warning(track, snapshot, sessions, track.ring.samples(row))


# ------------------------------------------------------------------------------------------------------ from snapshots


def _above(group: Group, parents: Mapping[int, int], hosts: Mapping[int, _Track]) -> Identity | None:
    """Return the nearest host process of its own host that a session runs in or below."""
    pid = group.members[0].process.pid if group.members else None
    for _ in range(_DEEPEST):
        if pid is None:
            return None
        track = hosts.get(pid)
        if track is not None and track.host == group.host:
            return track.identity
        pid = parents.get(pid)
    return None


def _then(group: Group) -> SessionThen:
    assert group.session is not None
    verdict = group.verdict
    state = verdict.state if verdict is not None else State.UNKNOWN
    return SessionThen(
        group=group.key,
        session=group.session,
        title=group.title,
        state=state,
        open_turn=state is State.BUSY
        or any(
            evidence.kind is EvidenceKind.TURN and evidence.speaks_for is Speaks.BUSY
            for evidence in (verdict.evidence if verdict is not None else ())
        ),
        held_bytes=group.held_bytes,
        retained_bytes=group.retained_bytes,
        since_epoch_s=verdict.since_epoch_s if verdict is not None else None,
        idle_s=verdict.idle_s if verdict is not None else None,
    )


def _row(track: _Track, snapshot: Snapshot, *, gap: bool) -> tuple[float, ...]:
    """Return the figures of one moment, those that sessions have too first (`_SESSION_FIGURES`)."""
    process, member = (track.process if track.member is not None else None), track.member
    heap = track.heap if track.heap_s == snapshot.monotonic_s else None
    retained = [s.retained_bytes for s in track.then if s.retained_bytes is not None]
    return (
        snapshot.taken_at.timestamp(),
        float(gap),
        _figure(process.rss_bytes if process is not None else None),
        _figure(process.footprint_bytes if process is not None else None),
        _figure(member.cpu_percent if member is not None else None),
        float(snapshot.machine.memory_available_bytes),
        float(_PRESSURES.index(snapshot.machine.pressure)),
        _figure(heap.used_bytes if heap is not None else None),
        _figure(heap.limit_bytes if heap is not None else None),
        _figure(heap.external_bytes if heap is not None else None),
        float(len(track.then)) if track.is_host else _NONE,
        float(sum(retained)) if retained else _NONE,
    )


def _figure(value: float | None) -> float:
    return _NONE if value is None else float(value)


def _sample(row: Sequence[float]) -> Sample:
    at_epoch_s, gap, rss, footprint, cpu, available, pressure, used, limit, external, sessions, retained = row
    return Sample(
        at_epoch_s=at_epoch_s,
        gap=bool(gap),
        heap_used_bytes=_whole(used),
        heap_limit_bytes=_whole(limit),
        heap_external_bytes=_whole(external),
        rss_bytes=_whole(rss),
        footprint_bytes=_whole(footprint),
        cpu_percent=None if math.isnan(cpu) else round(cpu, 3),
        sessions=_whole(sessions),
        retained_bytes=_whole(retained),
        available_bytes=int(available),
        pressure=_PRESSURES[int(pressure)],
    )


def _whole(value: float) -> int | None:
    return None if math.isnan(value) else int(value)


def _share(heap: Heap | None) -> float | None:
    return heap.used_bytes / heap.limit_bytes if heap is not None and heap.limit_bytes else None


def _groups(death: _Death) -> tuple[str, ...]:
    return tuple(session.group for session in death.sessions)


def _address(track: _Track) -> str | None:
    return track.instance.address if track.instance is not None else None


def _has_same_address(one: _Track, other: _Track) -> bool:
    return _address(one) is not None and _address(one) == _address(other)


def _is_same_program(one: _Track, other: _Track) -> bool:
    if one.process is None or other.process is None:
        return False
    return one.process.cwd == other.process.cwd and program_mark(one.process) == program_mark(other.process)


# ------------------------------------------------------------------------------------------------------------ in words


def _account(death: _Death) -> Account:
    track, before, missed = death.track, death.before, death.missed
    kind = IncidentKind.HOST_ENDED if track.is_host else IncidentKind.SESSION_LOST
    incident = Incident(
        incident_id=_id(missed.taken_at, track, kind),
        kind=kind,
        cause=death.cause,
        sentence=_sentence(death),
        evidence=tuple(_evidence(death)),
        host=track.host,
        host_title=_title(track, before),
        identity=track.identity,
        last_seen_epoch_s=before.taken_at.timestamp(),
        missed_epoch_s=missed.taken_at.timestamp(),
        platform=before.machine.platform,
        memory_total_bytes=before.machine.memory_total_bytes,
        gap=missed.gap,
        process_name=track.process.name if track.process is not None else None,
        version=track.instance.version if track.instance is not None else None,
        address=_address(track),
        started_epoch_s=_started_epoch_s(track, before),
        successor=death.successor,
        session=None if track.is_host else death.sessions[0].session,
        sessions=death.sessions,
        footprint_metric=before.footprint_metric,
    )
    return Account(incident=incident, samples=death.samples)


def _warning(
    track: _Track, snapshot: Snapshot, sessions: tuple[SessionThen, ...], samples: tuple[Sample, ...]
) -> Account:
    heap, at_epoch_s = track.heap, snapshot.taken_at.timestamp()
    assert heap is not None
    title = _title(track, snapshot)
    use = next((use for use in snapshot.heaps if use.identity == track.identity), None)
    evidence = [f"Its heap holds {memory(heap.used_bytes)} of {memory(heap.limit_bytes)}"]
    if use is not None and use.growth_bytes_per_h is not None and use.full_in_s is not None:
        left = duration(use.full_in_s)
        evidence.append(f"It grew by {memory(round(use.growth_bytes_per_h))} an hour; so it would be full in {left}")
    if use is not None and use.releasable_bytes:
        evidence.append(f"About {memory(use.releasable_bytes)} of it could be released")
    incident = Incident(
        incident_id=_id(snapshot.taken_at, track, IncidentKind.HEAP_FULL),
        kind=IncidentKind.HEAP_FULL,
        cause=Cause.HEAP_CAP,
        sentence=f"The heap of {title} is at {_percent(_share(heap))} of its limit",
        evidence=tuple(evidence),
        host=track.host,
        host_title=title,
        identity=track.identity,
        last_seen_epoch_s=at_epoch_s,
        missed_epoch_s=at_epoch_s,
        platform=snapshot.machine.platform,
        memory_total_bytes=snapshot.machine.memory_total_bytes,
        process_name=track.process.name if track.process is not None else None,
        version=track.instance.version if track.instance is not None else None,
        address=_address(track),
        started_epoch_s=_started_epoch_s(track, snapshot),
        sessions=sessions,
        footprint_metric=snapshot.footprint_metric,
    )
    return Account(incident=incident, samples=samples)


def _id(at: datetime, track: _Track, kind: IncidentKind) -> str:
    host = re.sub(r"[^a-z0-9]+", "-", track.host.lower()).strip("-") or "host"
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}-{host}-{track.identity.pid}-{kind.value}"


def _title(track: _Track, snapshot: Snapshot) -> str:
    label = snapshot.label(track.host)
    return label.title if label is not None else track.host


def _started_epoch_s(track: _Track, snapshot: Snapshot) -> float | None:
    if track.process is None or snapshot.uptime_s is None:
        return None
    return snapshot.taken_at.timestamp() - snapshot.uptime_s + track.process.start_s


def _percent(share: float | None) -> str:
    return f"{100 * (share or 0.0):.0f}{THIN_SPACE}%"


def _sentence(death: _Death) -> str:
    title = _title(death.track, death.before)
    who = title if death.track.is_host else f"A session of {title}"
    turns = sum(session.open_turn for session in death.sessions)
    within = "" if not turns else ", in the middle of a turn" if turns == 1 else f", in the middle of {turns} turns"
    match death.cause:
        case Cause.ENDED_BY_AGENT_RING:
            return f"{who} was ended by Agent Ring{within}"
        case Cause.OOM_KILL:
            return f"{who} was killed by the kernel for lack of memory{within}"
        case Cause.HEAP_CAP:
            return f"{who} ended with its heap at {_percent(_share(death.track.heap))} of its limit{within}"
        case Cause.CRASHED:
            return f"{who} crashed ({death.trace.fault}){within}"
        case Cause.RESTARTED:
            return f"{who} was restarted{within}"
        case Cause.EXITED:
            return f"{who} ended{within}; nothing tells why"


def _evidence(death: _Death) -> Iterator[str]:
    """Yield what speaks for the cause and what else is known, the strongest first."""
    if death.by_whom is not None:
        yield f"A receipt names it; it was asked for from the {death.by_whom}"
    yield from _of_the_kernel(death.trace)
    heap, before = death.track.heap, death.before
    if heap is not None and heap.limit_bytes:
        age_s = death.heap_age_s
        told = "" if age_s < 1 else f", as told {duration(age_s)} before it was last seen"
        yield f"Its heap held {memory(heap.used_bytes)} of {memory(heap.limit_bytes)}{told}"
    yield from _of_the_successor(death)
    if death.missed.gap:
        away = duration((death.missed.taken_at - before.taken_at).total_seconds())
        yield f"The machine slept or measuring was paused meanwhile: it ended at an unknown time within {away}"
    if before.machine.pressure in (Pressure.WARNING, Pressure.CRITICAL):
        free = memory(before.machine.memory_available_bytes)
        yield f"The machine was short of memory when it was last seen ({before.machine.pressure}): {free} available"


def _of_the_successor(death: _Death) -> Iterator[str]:
    after = death.successor
    if after is None:
        return
    when = f"within {duration(max(1.0, after.after_s))}" if after.after_s is not None else "within the gap"
    yield f"Another process of the same host took its place {when}: {after.identity.pid}"
    version = death.track.instance.version if death.track.instance is not None else None
    if version is not None and after.version is not None and version != after.version:
        yield "It is of another version"


def _of_the_kernel(trace: Trace) -> Iterator[str]:
    kill, kills, unread = trace.oom_kill, trace.machine_kills, trace.unread
    if kill is not None:
        limit = "the limit of its control group was met" if kill.of_group else "the machine was out of memory"
        held = f", with {memory(kill.resident_bytes)} resident" if kill.resident_bytes is not None else ""
        yield f"The kernel log says that it was killed{held}: {limit}"
        return
    if trace.fault is not None:
        yield f"The kernel log tells of a fault of its own: {trace.fault}"
    if unread is None:
        if trace.fault is None:
            yield "The kernel log was read and does not name it"
        return
    yield f"The kernel log cannot be read: {unread}"
    if trace.group_kills:
        yield f"The kernel counted {_kills(trace.group_kills)} for lack of memory in its control group meanwhile"
    elif kills:
        yield f"The kernel counted {_kills(kills)} for lack of memory on the machine meanwhile, of unknown processes"


def _kills(number: int) -> str:
    return "1 kill" if number == 1 else f"{number} kills"
