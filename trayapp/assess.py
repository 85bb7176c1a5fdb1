"""From groups of processes to rows that can be believed: each judged, each with what may be done.

Pure. Joins verdict.py and reclaim/plan.py over one table; the monitor, a replay and the recorded reports all go through
here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from trayapp.attribution import Ownership, Place
from trayapp.model.process import Identity, Process, ProcessTable
from trayapp.model.session import EvidenceKind, Role, Speaks, State
from trayapp.model.snapshot import Group, GroupKind, Verdict
from trayapp.reclaim.plan import Rules, plan
from trayapp.verdict import Sleep, judge

HOT_PERCENT = 90.0
OVERSIZE_SHARE = 0.5
QUIET_S = 600.0
RELEASE_LIMIT_S = 30.0
MOST_OWN_CHILDREN = 2
_JUDGED = frozenset({GroupKind.SESSION, GroupKind.ORPHAN_AGENT, GroupKind.ORPHAN_WORK})


def assess(
    groups: Sequence[Group],
    table: ProcessTable,
    ownership: Ownership,
    rules: Rules,
    *,
    now_epoch_s: float,
    before: Mapping[str, Verdict],
    sleeps: Sequence[Sleep] = (),
    stale_s: Mapping[str, float],
    asked_to_go_s: Mapping[Identity, float] | None = None,
) -> tuple[Group, ...]:
    """Return the groups with verdicts (sessions and agents) and decisions (all).

    `before` holds the verdicts of the look before by group key; `stale_s` the age of the last word of those hosts that
    stopped answering; `asked_to_go_s` how long ago a release asked each of these processes to end.
    """
    judged: list[Group] = []
    for group in groups:
        if group.kind in _JUDGED:
            age_s = stale_s.get(group.host or "")
            below = _below(group, table, ownership)
            verdict = judge(
                ownership.facts.get(group.session) if group.session is not None else None,
                group.members,
                now_epoch_s=now_epoch_s,
                before=before.get(group.key),
                sleeps=sleeps,
                nested_agents=_nested(below, ownership),
                foreign_work=_foreign_work(below),
                stale_s=age_s,
            )
            flags = group.flags if age_s is None else (*group.flags, "stale")
            judged.append(replace(group, verdict=verdict, flags=flags))
        else:
            judged.append(group)
    asked = asked_to_go_s or {}
    flagged = (replace(g, flags=(*g.flags, *_flags(g, table, now_epoch_s, asked))) for g in judged)
    return tuple(plan(group, table, ownership.facts, rules) for group in flagged)


def _flags(
    group: Group, table: ProcessTable, now_epoch_s: float, asked_to_go_s: Mapping[Identity, float]
) -> tuple[str, ...]:
    """Say what a person should look at first."""
    waited_s = max((asked_to_go_s.get(m.process.identity, 0.0) for m in group.members), default=0.0)
    state = group.verdict.state if group.verdict is not None else None
    evidence = group.verdict.evidence if group.verdict is not None else ()
    hot = (group.cpu_percent or 0.0) >= HOT_PERCENT
    newest = max((e.at_epoch_s for e in evidence if e.at_epoch_s is not None), default=None)
    flags = {
        # PRECEDENCE B11: what works may be hot, what does not should not be.
        "hot": hot and state is not State.BUSY and group.kind not in (GroupKind.ORPHAN_WORK, GroupKind.NOT_OURS),
        "oversize": group.held_bytes > OVERSIZE_SHARE * table.machine.memory_total_bytes and group.counts,
        "pending-wakeup": any(e.kind is EvidenceKind.WAKEUP and e.speaks_for is Speaks.PROTECTS for e in evidence),
        "quiet": state is State.BUSY and newest is not None and now_epoch_s - newest >= QUIET_S,
        # a host that says "closed" proves nothing while the process lives (case 117)
        "release-failed": waited_s >= RELEASE_LIMIT_S,
        "self-leak": group.kind is GroupKind.MONITOR and len(group.members) > MOST_OWN_CHILDREN,
    }
    return tuple(flag for flag, holds in flags.items() if holds)


def is_shown(group: Group, groups: Sequence[Group]) -> bool:
    """Leave out what has nothing to do with agents; zombies are shown where an agent or its host left them."""
    if group.kind in (GroupKind.UNRELATED, GroupKind.NOT_OURS):
        return False
    if group.kind is not GroupKind.ZOMBIE:
        return True
    parents = {member.process.ppid for member in group.members}
    return any(m.process.pid in parents for g in groups if g.counts and g is not group for m in g.members)


def _below(group: Group, table: ProcessTable, ownership: Ownership) -> list[tuple[Process, Place]]:
    """Return what runs below this group's backends and is counted under another group."""
    return [
        (process, place)
        for member in group.members
        if member.role is Role.BACKEND
        for process in table.descendants(member.process.pid)
        if (place := ownership.places[process.identity]).key != group.key
    ]


def _nested(below: Sequence[tuple[Process, Place]], ownership: Ownership) -> tuple[str, ...]:
    """Name the sessions that run below a group's processes: an agent that an agent started is its own session."""
    names: set[str] = set()
    for _, place in below:
        if place.role is Role.BACKEND:
            fact = ownership.facts.get(place.session) if place.session is not None else None
            names.add(fact.title if fact is not None and fact.title else str(place.session or place.key))
    return tuple(sorted(names))


def _foreign_work(below: Sequence[tuple[Process, Place]]) -> tuple[str, ...]:
    """Name the work of other sessions that runs below a group's processes and would end with them (case 045)."""
    return tuple(sorted({process.name for process, place in below if place.role is Role.WORK}))
