"""The one immutable value that a tick publishes; every face and file shows numbers from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from trayapp.model.plan import Action, Allowed, Decision
from trayapp.model.process import Identity, Machine, Process, ProcessTable
from trayapp.model.session import (
    Claim,
    ClaimKind,
    Drift,
    EndsBy,
    Evidence,
    HostInstance,
    HostLabel,
    LadderStep,
    Problem,
    ResumeTicket,
    Role,
    SessionFact,
    SessionKey,
    State,
)

SCHEMA = 1


class GroupKind(StrEnum):
    """What a process is counted under."""

    SESSION = "session"
    ORPHAN_HELPER = "orphan-helper"
    ORPHAN_AGENT = "orphan-agent"
    ORPHAN_WORK = "orphan-work"
    SHARED_HELPER = "shared-helper"
    INFRA = "infra"
    NOT_OURS = "not-ours"
    UNRELATED = "unrelated"
    ZOMBIE = "zombie"
    MONITOR = "monitor"


ORPHAN_KINDS = frozenset({GroupKind.ORPHAN_HELPER, GroupKind.ORPHAN_AGENT, GroupKind.ORPHAN_WORK})
HELD_KINDS = frozenset({GroupKind.SESSION, GroupKind.SHARED_HELPER, GroupKind.INFRA, GroupKind.ZOMBIE} | ORPHAN_KINDS)
"""Kinds that add up to the total: what agents hold. The monitor's own cost is told apart, in Snapshot.own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Say what a session is doing, since when, and by which evidence.

    Attributes:
        idle_s: seconds without activity, sleep of the machine left out; None unless idle or ended.
        since_epoch_s: when the present state began, if a record tells.
        confirmations: how many observations in a row said idle; release wants two.
        stale_s: how old the host's last answer is when it stopped answering.
        told_epoch_s: when its host said all that; evidence that was read at another moment says so itself.
    """

    state: State
    evidence: tuple[Evidence, ...] = ()
    since_epoch_s: float | None = None
    idle_s: float | None = None
    confirmations: int = 0
    stale_s: float | None = None
    told_epoch_s: float | None = None

    def read_epoch_s(self, evidence: Evidence) -> float | None:
        """Return when a piece of its evidence was read."""
        return self.told_epoch_s if evidence.read_epoch_s is None else evidence.read_epoch_s


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """Hold one process of a group with the claim that put it there.

    `cpu_percent` is None at first sight, across a sleep gap and where unreadable; 100 = one core.
    """

    process: Process
    role: Role
    claim: Claim | None
    cpu_percent: float | None = None

    @property
    def ends_by(self) -> EndsBy:
        return self.claim.ends_by if self.claim is not None else EndsBy.SIGNAL

    @property
    def stays(self) -> bool:
        """Say whether an action on its group leaves it: a program of its own that started the agent, or its host's."""
        return self.role is Role.LAUNCHER or (self.claim is not None and self.claim.ends_by is EndsBy.NOT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Hold the processes that are counted together, what is known of them and what may be done.

    Attributes:
        key: stable over ticks; "<host>:<session id>" for sessions.
        flags: fixed words for the UI and JSON: "ambiguous", "duplicates", "shared-backend", "hot", "stale", "leftover",
            "per-conversation" (copies of a helper below a backend that lives), "helper-agent", "unverified",
            "remnant" (nothing of it runs, its host still lists it).
        rss_bytes: sum; an upper bound, shared pages count more than once.
        footprint_bytes: sum by `footprint_metric`; None unless every member's could be read.
        owner_hint: the session that orphans came from.
        tokens: what the session used in all, where its host records that.
        drift: what its host says in a shape that is not known; its state is unknown then, and nothing releases it.
        heap_of: the process in whose heap the session lives, where its host can release it there.
        retained_bytes: what that heap would give back then, by estimate.
    """

    key: str
    kind: GroupKind
    host: str | None
    members: tuple[Member, ...]
    session: SessionKey | None = None
    title: str | None = None
    cwd: str | None = None
    model: str | None = None
    tokens: int | None = None
    drift: Drift | None = None
    verdict: Verdict | None = None
    flags: tuple[str, ...] = ()
    rss_bytes: int = 0
    footprint_bytes: int | None = None
    footprint_metric: str | None = None
    cpu_percent: float | None = None
    cpu_s_total: float | None = None
    decisions: tuple[Decision, ...] = ()
    resume: ResumeTicket | None = None
    ladder: tuple[LadderStep, ...] = ()
    owner_hint: str | None = None
    heap_of: Identity | None = None
    retained_bytes: int | None = None

    @property
    def held_bytes(self) -> int:
        """Return what is shown as its memory: the footprint where all of it could be read, else RSS."""
        return self.rss_bytes if self.footprint_bytes is None else self.footprint_bytes

    @property
    def leaving(self) -> tuple[Member, ...]:
        """Return the members that an action on the whole group ends."""
        return tuple([member for member in self.members if not member.stays])

    @property
    def surplus(self) -> tuple[Member, ...]:
        """Return all backends but the current one: the one that a live registry names, else the newest."""
        if "duplicates" not in self.flags:
            return ()

        def order(member: Member) -> tuple[bool, int]:
            registered = member.claim is not None and member.claim.kind is ClaimKind.REGISTRY
            return registered, member.process.identity.start

        return tuple(sorted((m for m in self.members if m.role is Role.BACKEND), key=order)[:-1])

    @property
    def leaving_bytes(self) -> int:
        """Return what an action on the whole group is expected to give back."""
        bounded, leaving = self.footprint_bytes is None, self.held_bytes
        for member in self.members:
            if member.stays:
                process = member.process
                leaving -= (process.rss_bytes if bounded else process.footprint_bytes) or 0
        return leaving

    @property
    def held_is_upper_bound(self) -> bool:
        return self.footprint_bytes is None

    @property
    def counts(self) -> bool:
        return self.kind in HELD_KINDS

    @property
    def name(self) -> str:
        """Return a title that is never empty."""
        if self.title:
            return self.title
        if self.session is not None:
            return self.session.session_id
        return self.members[0].process.name if self.members else self.key

    def decision(self, action: Action) -> Decision | None:
        return next((d for d in self.decisions if d.action is action), None)

    @property
    def releasable(self) -> Decision | None:
        """Return the decision that makes this group count as "can be released now", if there is one."""
        for decision in self.decisions:
            if decision.allowed is Allowed.ALLOW and decision.action in (Action.RELEASE, Action.END_ORPHAN):
                return decision
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """Sum up the groups that count (HELD_KINDS)."""

    processes: int
    sessions: int
    rss_bytes: int
    footprint_bytes: int | None
    held_bytes: int
    cpu_percent: float | None
    reclaimable_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnCost:
    """Tell what Agent Ring itself costs; `tick_ms` is the CPU time of the last tick."""

    rss_bytes: int | None
    footprint_bytes: int | None
    cpu_percent: float | None
    tick_ms: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HeapUse:
    """Tell how full the heap of one host is, by the engine's own figures, and what it is full of.

    What its sessions hold there is estimated; resident memory follows the heap late, and the two are never added up.

    Attributes:
        used_bytes, limit_bytes, external_bytes, at_epoch_s: as the host told them (model.session.Heap).
        rss_bytes: resident set of the process, from the process table.
        sessions_bytes: what live sessions hold, by estimate; the rest is shared.
        releasable_bytes: the part of it that could be released now without a question.
        growth_bytes_per_h: how fast what survives collections has grown of late; None = not long enough to tell.
        full_in_s: when it would reach the limit at that rate; None = it does not grow, or there is no limit.
    """

    host: str
    identity: Identity
    used_bytes: int
    limit_bytes: int | None
    external_bytes: int | None = None
    at_epoch_s: float | None = None
    rss_bytes: int | None = None
    sessions_bytes: int = 0
    releasable_bytes: int = 0
    growth_bytes_per_h: float | None = None
    full_in_s: float | None = None

    @property
    def share(self) -> float | None:
        """Return how full it is, 0 to 1; None without a limit."""
        return self.used_bytes / self.limit_bytes if self.limit_bytes else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """Hold everything one tick found out.

    Attributes:
        taken_at: wall clock, UTC.
        interval_s: monotonic seconds since the snapshot before; None for the first.
        gap: True when the machine slept or measuring was paused since the snapshot before.
        groups: those that matter to a person, without `unrelated` and `not-ours` (unless a session holds them).
        labels: how each host is called and marked.
        heaps: of those hosts that tell how full their heap is.
        footprint_metric: the name of the figure in `footprint_bytes`.
        uptime_s: seconds since boot at `taken_at`, same base as Process.start_s.
    """

    taken_at: datetime
    monotonic_s: float
    interval_s: float | None
    gap: bool
    machine: Machine
    instances: tuple[HostInstance, ...]
    labels: tuple[HostLabel, ...]
    groups: tuple[Group, ...]
    totals: Totals
    own: OwnCost
    problems: tuple[Problem, ...] = ()
    heaps: tuple[HeapUse, ...] = ()
    footprint_metric: str | None = None
    uptime_s: float | None = None

    def group(self, key: str) -> Group | None:
        return next((g for g in self.groups if g.key == key), None)

    def label(self, host: str | None) -> HostLabel | None:
        return next((label for label in self.labels if label.host == host), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """Hold a snapshot with what stands behind it: what an action is decided by."""

    snapshot: Snapshot
    table: ProcessTable
    facts: Mapping[SessionKey, SessionFact]
