"""Sessions and orphans written down for policies; what may be done with each is decided by the real plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from typing import Any

from tests.rows import MACHINE, NOW_EPOCH_S, UPTIME_S, evidence, member, process, table
from trayapp.model.process import Identity, Pressure, ProcessTable
from trayapp.model.session import (
    Evidence,
    EvidenceKind,
    LadderStep,
    Role,
    SessionFact,
    SessionKey,
    Speaks,
    State,
    StepKind,
)
from trayapp.model.snapshot import Group, GroupKind, HeapUse, Member, OwnCost, Snapshot, Totals, Verdict
from trayapp.reclaim.plan import Rules, plan

GB = 1024**3
MIN, HOUR, DAY = 60.0, 3600.0, 86400.0
LADDER = (LadderStep(kind=StepKind.SIGTERM, label="The host is asked to end", wait_s=5.0),)
NOON = datetime(2026, 11, 30, 12, 0)
_pids = count(1000)


def backend(
    *, pid: int | None = None, age_s: float = 3 * DAY, gigabytes: float = 1.0, role: Role = Role.BACKEND, **fields: Any
) -> Member:
    number = next(_pids) if pid is None else pid
    given: dict[str, Any] = {
        "exe": "/usr/bin/agent",
        "rss_bytes": int(gigabytes * GB),
        "footprint_bytes": int(gigabytes * GB),
    }
    return member(process(number, 90, "agent", age_s=age_s, **(given | fields)), role)


def session(
    name: str,
    /,
    *,
    idle_s: float | None = 5 * HOUR,
    state: State = State.IDLE,
    host: str = "acme",
    cwd: str | None = "/home/ada/shop",
    gigabytes: float = 1.0,
    confirmations: int = 2,
    told: tuple[Evidence, ...] = (),
    members: tuple[Member, ...] | None = None,
    flags: tuple[str, ...] = (),
    **of_backend: Any,
) -> Group:
    """Make a session as attribution and verdict leave it; `members` replaces its one backend."""
    if members is None:
        members = (backend(gigabytes=gigabytes, **({"cwd": cwd} | of_backend)),)
    verdict = Verdict(
        state=state, evidence=told, idle_s=idle_s if state is State.IDLE else None, confirmations=confirmations
    )
    return _weighed(
        Group(
            key=f"{host}:{name}",
            kind=GroupKind.SESSION,
            host=host,
            members=members,
            session=SessionKey(host, name),
            title=f"Title of {name}",
            cwd=cwd,
            verdict=verdict,
            flags=flags,
        )
    )


def busy(name: str, /, **fields: Any) -> Group:
    return session(name, state=State.BUSY, told=(evidence(EvidenceKind.TURN, Speaks.BUSY),), **fields)


def waiting(name: str, /, **fields: Any) -> Group:
    return session(name, state=State.WAITING, told=(evidence(EvidenceKind.QUESTION, Speaks.WAITING),), **fields)


def orphan(name: str, /, *, age_s: float = 2 * HOUR, kind: GroupKind = GroupKind.ORPHAN_HELPER, **fields: Any) -> Group:
    return _weighed(
        Group(
            key=f"{kind.value}:{name}",
            kind=kind,
            host="acme",
            members=(backend(age_s=age_s, role=Role.HELPER, **fields),),
            owner_hint=name,
        )
    )


def in_heap(name: str, heap_of: Identity, retained_bytes: int | None, **fields: Any) -> Group:
    """Make a session that lives in its host's own process."""
    told = session(name, members=(), flags=("shared-backend",), **fields)
    return replace(told, heap_of=heap_of, retained_bytes=retained_bytes)


def _planned(group: Group, seen: ProcessTable, facts: Mapping[SessionKey, SessionFact], rules: Rules) -> Group:
    """Plan a group; one that lives in a heap as if it had an old process of its own, so that only its state decides."""
    if group.members or group.heap_of is None:
        return plan(group, seen, facts, rules)
    return replace(plan(replace(group, members=(backend(),)), seen, facts, rules), members=())


def _weighed(group: Group) -> Group:
    return replace(
        group,
        rss_bytes=sum(m.process.rss_bytes or 0 for m in group.members),
        footprint_bytes=sum(m.process.footprint_bytes or 0 for m in group.members),
        footprint_metric="pss",
    )


def scene(
    *groups: Group,
    kept: frozenset[str] = frozenset(),
    pressure: Pressure = Pressure.NORMAL,
    heaps: tuple[HeapUse, ...] = (),
    now_epoch_s: float = NOW_EPOCH_S,
    monotonic_s: float = UPTIME_S,
    uptime_s: float = UPTIME_S,
    gap: bool = False,
    idle_after_s: float = 900.0,
) -> Snapshot:
    """Take a snapshot of these, with what the plan decides on each."""
    seen = table(*(m.process for group in groups for m in group.members), uptime_s=uptime_s)
    facts = {
        group.session: SessionFact(key=group.session, ladder=LADDER) for group in groups if group.session is not None
    }
    rules = Rules(idle_after_s=idle_after_s, kept=kept)
    planned = tuple(_planned(group, seen, facts, rules) for group in groups)
    held = sum(group.held_bytes for group in planned if group.counts)
    return Snapshot(
        taken_at=datetime.fromtimestamp(now_epoch_s, UTC),
        monotonic_s=monotonic_s,
        interval_s=2.0,
        gap=gap,
        machine=replace(MACHINE, pressure=pressure),
        instances=(),
        labels=(),
        groups=planned,
        totals=Totals(
            processes=len(planned),
            sessions=len(planned),
            rss_bytes=held,
            footprint_bytes=held,
            held_bytes=held,
            cpu_percent=None,
            reclaimable_bytes=0,
        ),
        own=OwnCost(rss_bytes=None, footprint_bytes=None, cpu_percent=None),
        heaps=heaps,
        uptime_s=uptime_s,
    )
