"""What is kept when a host ends, fills its heap, or a session is lost in the middle of a turn."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from trayapp.model.process import Identity, Pressure
from trayapp.model.session import SessionKey, State


class IncidentKind(StrEnum):
    """What happened. HEAP_FULL is a warning: the host still runs."""

    HOST_ENDED = "host-ended"
    HEAP_FULL = "heap-full"
    SESSION_LOST = "session-lost"


class Cause(StrEnum):
    """What ended it, as far as can be known; the strongest that there is evidence for, in this order."""

    ENDED_BY_AGENT_RING = "ended-by-agent-ring"
    OOM_KILL = "oom-kill"
    HEAP_CAP = "heap-cap"
    CRASHED = "crashed"
    RESTARTED = "restarted"
    EXITED = "exited"


@dataclass(frozen=True, slots=True, kw_only=True)
class OomKill:
    """Hold what the kernel wrote when it ended a process for lack of memory.

    `of_group` says that the limit of its control group was met, not that of the machine.
    """

    identity: Identity
    of_group: bool
    resident_bytes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """Hold what the system still tells of a process that is gone.

    Attributes:
        oom_kill: the kernel log names it.
        fault: the word of the kernel log for a fault of its own, such as "segfault".
        group_kills, machine_kills: how many processes of its control group, or of the machine, the kernel ended for
            lack of memory since it was last watched; None = not counted or not readable.
        unread: why the kernel log could not be read, as the end of a sentence; None = it was read.
    """

    oom_kill: OomKill | None = None
    fault: str | None = None
    group_kills: int | None = None
    machine_kills: int | None = None
    unread: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Hold the figures of one moment; what was not known is None.

    Memory and CPU are those of the process itself. `sessions` counts the live ones, `retained_bytes` is what they hold
    in its heap, by estimate. `gap` says that the machine slept or measuring was paused since the sample before.
    """

    at_epoch_s: float
    gap: bool
    heap_used_bytes: int | None
    heap_limit_bytes: int | None
    heap_external_bytes: int | None
    rss_bytes: int | None
    footprint_bytes: int | None
    cpu_percent: float | None
    sessions: int | None
    retained_bytes: int | None
    available_bytes: int
    pressure: Pressure


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionThen:
    """Tell of one session as it was when its host was last seen; `group` is the key of its row."""

    group: str
    session: SessionKey
    title: str | None
    state: State
    open_turn: bool
    held_bytes: int
    retained_bytes: int | None = None
    since_epoch_s: float | None = None
    idle_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Successor:
    """Name the process that took the place of one that ended.

    `after_s` is from the last sight of one to the first sight of the other; None when a gap lies between.
    """

    identity: Identity
    version: str | None
    after_s: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Incident:
    """Tell what happened to one process, and by which evidence.

    Attributes:
        incident_id: names the file too; begins with the time, so ids sort by it.
        sentence: one line for people, without title, path or id.
        evidence: further sentences of that kind, the strongest first.
        host_title, process_name, version, address: as the host and the system told.
        started_epoch_s: when the process began, where that is known.
        last_seen_epoch_s, missed_epoch_s: it ended between the two; for HEAP_FULL both are the moment of the warning.
        gap: the machine slept, or measuring was paused, between the two.
        session: the one that was lost (SESSION_LOST only).
        sessions: those that were live at last sight, the largest first.
        footprint_metric: what `footprint_bytes` and `held_bytes` were measured as.
    """

    incident_id: str
    kind: IncidentKind
    cause: Cause
    sentence: str
    evidence: tuple[str, ...]
    host: str
    host_title: str
    identity: Identity
    last_seen_epoch_s: float
    missed_epoch_s: float
    platform: str
    memory_total_bytes: int
    gap: bool = False
    process_name: str | None = None
    version: str | None = None
    address: str | None = None
    started_epoch_s: float | None = None
    successor: Successor | None = None
    session: SessionKey | None = None
    sessions: tuple[SessionThen, ...] = ()
    footprint_metric: str | None = None

    @property
    def at_epoch_s(self) -> float:
        """Return where its mark stands: the first moment at which it was known."""
        return self.missed_epoch_s

    @property
    def groups(self) -> tuple[str, ...]:
        """Return the keys of the rows that it concerns."""
        return tuple(session.group for session in self.sessions)

    @property
    def lost_turns(self) -> int:
        """Return how many turns were open when it ended; a warning loses none."""
        return 0 if self.kind is IncidentKind.HEAP_FULL else sum(session.open_turn for session in self.sessions)


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Hold an incident with the hour before it, oldest first."""

    incident: Incident
    samples: tuple[Sample, ...]
