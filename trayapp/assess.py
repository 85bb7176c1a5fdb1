"""From groups of processes to rows that can be believed: each judged, each with what may be done.

Pure. Joins verdict.py and reclaim/plan.py over one table; the monitor, a replay and the recorded reports all go through
here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from trayapp.attribution import Ownership
from trayapp.model.process import ProcessTable
from trayapp.model.session import Role
from trayapp.model.snapshot import Group, GroupKind, Verdict
from trayapp.reclaim.plan import Rules, plan
from trayapp.verdict import Sleep, judge


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
) -> tuple[Group, ...]:
    """Return the groups with verdicts (sessions and agents) and decisions (all).

    `before` holds the verdicts of the look before by group key; `stale_s` the age of the last word of those hosts that
    stopped answering.
    """
    judged: list[Group] = []
    for group in groups:
        if group.kind in (GroupKind.SESSION, GroupKind.ORPHAN_AGENT):
            age_s = stale_s.get(group.host or "")
            verdict = judge(
                ownership.facts.get(group.session) if group.session is not None else None,
                group.members,
                now_epoch_s=now_epoch_s,
                before=before.get(group.key),
                sleeps=sleeps,
                nested_agents=_nested(group, table, ownership),
                stale_s=age_s,
            )
            flags = group.flags if age_s is None else (*group.flags, "stale")
            judged.append(replace(group, verdict=verdict, flags=flags))
        else:
            judged.append(group)
    return tuple(plan(group, table, ownership.facts, rules) for group in judged)


def is_shown(group: Group, groups: Sequence[Group]) -> bool:
    """Leave out what has nothing to do with agents; zombies are shown where an agent or its host left them."""
    if group.kind in (GroupKind.UNRELATED, GroupKind.NOT_OURS):
        return False
    if group.kind is not GroupKind.ZOMBIE:
        return True
    parents = {member.process.ppid for member in group.members}
    return any(m.process.pid in parents for g in groups if g.counts and g is not group for m in g.members)


def _nested(group: Group, table: ProcessTable, ownership: Ownership) -> tuple[str, ...]:
    """Name the sessions that run below this one's processes: an agent that an agent started is its own session."""
    names: set[str] = set()
    for member in group.members:
        if member.role is not Role.BACKEND:
            continue
        for process in table.descendants(member.process.pid):
            place = ownership.places[process.identity]
            if place.role is Role.BACKEND and place.key != group.key:
                fact = ownership.facts.get(place.session) if place.session is not None else None
                names.add(fact.title if fact is not None and fact.title else str(place.session or place.key))
    return tuple(sorted(names))
