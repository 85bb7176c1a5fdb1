"""Short ways to write down process tables, claims and groups for tests."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from trayapp.model.process import Identity, Machine, Pressure, Process, ProcessTable
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
    StepKind,
)
from trayapp.model.snapshot import Group, GroupKind, Member

NOW_EPOCH_S = 1_796_000_000.0
UPTIME_S = 1_000_000.0
OWN_PID = 99
MB = 1024**2

MACHINE = Machine(
    name="desk",
    platform="linux",
    memory_total_bytes=32 * 1024**3,
    memory_available_bytes=16 * 1024**3,
    pressure=Pressure.NORMAL,
    cpu_count=8,
)
SIGTERM_LADDER = (LadderStep(kind=StepKind.SIGTERM, label="The host is asked to end", wait_s=5.0),)


def process(pid: int, ppid: int, *argv: str, age_s: float = 1000.0, **fields: Any) -> Process:
    """Make a process that began `age_s` before the table was taken; its name is the base of its first argument."""
    start_s = UPTIME_S - age_s
    given: dict[str, Any] = {
        "name": argv[0].rsplit("/", 1)[-1] if argv else "",
        "argv": argv,
        "uid": 1000,
        "rss_bytes": 100 * MB,
        "cpu_s": 1.0,
    }
    return Process(identity=Identity(pid, int(start_s * 100)), ppid=ppid, start_s=start_s, **(given | fields))


def table(*processes: Process, **fields: Any) -> ProcessTable:
    """Make a complete Linux table of user 1000, with this program as pid 99 below the user's shell unless given."""
    rows = {p.pid: p for p in processes}
    rows.setdefault(OWN_PID, process(OWN_PID, 90, "agentring"))
    given: dict[str, Any] = {
        "taken_at": datetime.fromtimestamp(NOW_EPOCH_S, UTC),
        "monotonic_s": UPTIME_S,
        "uptime_s": UPTIME_S,
        "machine": MACHINE,
        "own_pid": OWN_PID,
        "own_uid": 1000,
        "own_pid_namespace": 1,
        "footprint_metric": "pss",
    }
    return ProcessTable(processes=rows, **(given | fields))


def key(session_id: str = "s1", host: str = "acme") -> SessionKey:
    return SessionKey(host, session_id)


def claim(
    on: Process,
    session: str | None = "s1",
    *,
    role: Role = Role.BACKEND,
    kind: ClaimKind = ClaimKind.REGISTRY,
    host: str = "acme",
) -> Claim:
    named = SessionKey(host, session) if session is not None else None
    return Claim(identity=on.identity, host=host, role=role, kind=kind, source=kind.word, session=named)


def observed(claims: Iterable[Claim], *facts: SessionFact, host: str = "acme") -> Observation:
    return Observation(host=host, read_epoch_s=NOW_EPOCH_S, claims=tuple(claims), sessions=facts)


def evidence(kind: EvidenceKind, speaks_for: Speaks, *, age_s: float | None = None, read_s: float = 0.0) -> Evidence:
    """Make evidence whose record is `age_s` old (None = the record carries no time)."""
    at = None if age_s is None else NOW_EPOCH_S - age_s
    fact = f"{kind.value} speaks for {speaks_for.value}"
    return Evidence(
        kind=kind, speaks_for=speaks_for, fact=fact, source="record", at_epoch_s=at, read_epoch_s=NOW_EPOCH_S + read_s
    )


def idle_evidence(age_s: float = 3600.0, *, read_s: float = 0.0) -> Evidence:
    return evidence(EvidenceKind.TURN, Speaks.IDLE, age_s=age_s, read_s=read_s)


def fact(*told: Evidence, session_id: str = "s1", **fields: Any) -> SessionFact:
    given: dict[str, Any] = {"ladder": SIGTERM_LADDER}
    return SessionFact(key=key(session_id), evidence=told, **(given | fields))


def member(of: Process, role: Role = Role.BACKEND) -> Member:
    return Member(process=of, role=role, claim=None)


def group(*members: Member, kind: GroupKind = GroupKind.SESSION, **fields: Any) -> Group:
    given: dict[str, Any] = {"key": "acme:s1", "host": "acme", "session": key()}
    return Group(kind=kind, members=members, **(given | fields))


def renamed(of: Process, **fields: Any) -> Process:
    return replace(of, **fields)
