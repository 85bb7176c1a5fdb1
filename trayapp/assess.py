"""From groups of processes to rows that can be believed: each judged, each with what may be done.

Pure. Joins verdict.py and reclaim/plan.py over one table; the monitor, a replay and the recorded reports all go through
here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from trayapp.attribution import Ownership
from trayapp.model.process import Identity, ProcessTable
from trayapp.model.session import EvidenceKind, Role, SessionFact, Speaks, State
from trayapp.model.snapshot import Group, GroupKind, Verdict
from trayapp.reclaim.plan import Rules, plan
from trayapp.verdict import CONFIRMATIONS_WANTED, Sleep, judge, renewed

HOT_PERCENT = 90.0
OVERSIZE_SHARE = 0.5
QUIET_S = 600.0
RELEASE_LIMIT_S = 30.0
LAG_S = 10.0
MOST_OWN_CHILDREN = 2
_JUDGED = frozenset({GroupKind.SESSION, GroupKind.ORPHAN_AGENT, GroupKind.ORPHAN_WORK})


class _Below(NamedTuple):
    """Name what runs below a group's backends and is counted elsewhere.

    `agents` are sessions: an agent that an agent started is its own. `work` is that of other sessions, which would end
    with this one's (case 045).
    """

    agents: tuple[str, ...] = ()
    work: tuple[str, ...] = ()


_NOTHING = _Below()


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """Hold what an assessment depends on besides the group.

    Attributes:
        told_epoch_s: when each host said what it last said.
        sleeps: when the machine slept.
        stale_s: age of the last word of those hosts that stopped answering.
        asked_to_go_s: how long ago a release asked each of these processes to end.
        changed: processes that look different than at the look before; None = not known.
        lag_s: how far lengths of time may lag behind (idle for, can be judged in), so that a row of which nothing is
            new is not made anew.
    """

    table: ProcessTable
    ownership: Ownership
    rules: Rules
    now_epoch_s: float
    told_epoch_s: Mapping[str, float]
    sleeps: Sequence[Sleep] = ()
    stale_s: Mapping[str, float] = field(default_factory=dict)
    asked_to_go_s: Mapping[Identity, float] = field(default_factory=dict)
    changed: frozenset[Identity] | None = None
    lag_s: float = LAG_S

    @property
    def own_line(self) -> frozenset[int]:
        return self.table.own_line(self.rules.caller_pid)

    def fact(self, group: Group) -> SessionFact | None:
        return self.ownership.facts.get(group.session) if group.session is not None else None


@dataclass(frozen=True, slots=True)
class Assessed:
    """Keep a group as it was gathered, what was known of it besides, and what that came to."""

    gathered: Group
    fact: SessionFact | None
    below: _Below
    own_line: frozenset[int]
    group: Group
    due_s: float
    """When (monotonic) time alone changes the answers, or how long that still takes has to be told anew."""


def assess(groups: Iterable[Group], around: Circumstances, *, before: Mapping[str, Verdict]) -> tuple[Group, ...]:
    """Return the groups with verdicts (sessions and agents) and decisions (all).

    `before` holds the verdicts of the look before by group key.
    """
    return tuple(_assess(g, _below(g, around), around, before=before.get(g.key)) for g in groups)


def assess_again(
    groups: Iterable[Group], around: Circumstances, *, before: Mapping[str, Assessed], thorough: bool, same_places: bool
) -> dict[str, Assessed]:
    """Assess the groups, by their keys; unless `thorough`, those of which nothing new is known keep their answers.

    With `same_places` every process is counted where it was at the look before.
    """
    found: dict[str, Assessed] = {}
    for group in groups:
        kept, fact = before.get(group.key), around.fact(group)
        below = kept.below if kept is not None and same_places else _below(group, around)
        done = None
        if kept is not None and not thorough and kept.below == below and group.host not in around.stale_s:
            done = _holding(kept, group, fact, around)
        if done is None:
            done = _assess(group, below, around, before=kept.group.verdict if kept is not None else None)
        if kept is None or kept.group is not done or kept.fact is not fact or kept.gathered is not group:
            kept = Assessed(group, fact, below, around.own_line, done, _due_s(done, kept, around))
        found[group.key] = kept
    return found


def _assess(group: Group, below: _Below, around: Circumstances, *, before: Verdict | None) -> Group:
    verdict = None
    if group.kind in _JUDGED:
        age_s = around.stale_s.get(group.host or "")
        verdict = judge(
            around.fact(group),
            group.members,
            now_epoch_s=around.now_epoch_s,
            before=before,
            sleeps=around.sleeps,
            nested_agents=below.agents,
            foreign_work=below.work,
            stale_s=age_s,
            told_epoch_s=around.told_epoch_s.get(group.host or ""),
        )
        if age_s is not None:
            group = replace(group, flags=(*group.flags, "stale"))
    flags = _flags(group, verdict, around)
    if verdict is not None or flags:
        group = replace(group, verdict=verdict, flags=(*group.flags, *flags))
    return plan(group, around.table, around.ownership.facts, around.rules)


def _holding(kept: Assessed, group: Group, fact: SessionFact | None, around: Circumstances) -> Group | None:
    """Return the group with the answers of a look shortly before, if it is made of the same and nothing new is said.

    None = it has to be judged: it has other processes, its host says something else, or time alone changes the answer.
    """
    if kept.own_line != around.own_line or any(m.process.identity in around.asked_to_go_s for m in group.members):
        return None
    if around.table.monotonic_s >= kept.due_s:
        return None
    verdict = kept.group.verdict
    told_epoch_s = around.told_epoch_s.get(group.host or "")
    nothing_said = kept.fact is fact and (verdict is None or _is_as_old(kept.group, verdict, told_epoch_s, around))
    if not nothing_said and not (_is_settled(kept.group) and _says_the_same(kept.fact, fact)):
        return None
    if kept.gathered is not group and not _is_made_of_the_same(kept.gathered, group, around.changed):
        return None
    if nothing_said and kept.gathered is group:
        return kept.group
    if verdict is not None and fact is not None and not nothing_said:
        verdict = renewed(
            verdict, fact, now_epoch_s=around.now_epoch_s, sleeps=around.sleeps, told_epoch_s=told_epoch_s
        )
    flags = (*group.flags, *_flags(group, verdict, around))
    return replace(group, verdict=verdict, decisions=kept.group.decisions, flags=flags)


def _due_s(group: Group, kept: Assessed | None, around: Circumstances) -> float:
    if kept is not None and group.decisions is kept.group.decisions:
        return kept.due_s
    waits = [d.eligible_in_s for d in group.decisions if d.eligible_in_s is not None]
    return around.table.monotonic_s + min(*waits, around.lag_s) if waits else float("inf")


def _is_as_old(group: Group, verdict: Verdict, told_epoch_s: float | None, around: Circumstances) -> bool:
    """Say whether the ages in a verdict may stand although its host has just said the same again."""
    before_epoch_s = verdict.told_epoch_s
    if before_epoch_s == told_epoch_s or before_epoch_s is None or told_epoch_s is None:
        return before_epoch_s == told_epoch_s
    if not 0 <= told_epoch_s - before_epoch_s < around.lag_s:
        return False
    typed = any(e.kind is EvidenceKind.TERMINAL_INPUT for e in verdict.evidence)
    return _is_settled(group) or (verdict.state is State.BUSY and verdict.stale_s is None and not typed)


def _is_made_of_the_same(before: Group, now: Group, changed: frozenset[Identity] | None) -> bool:
    """Say whether a group has the same processes in the same roles, different in figures at most."""
    if changed is None or any(member.process.identity in changed for member in now.members):
        return False
    line_up, before_it = ([(m.process.identity, m.role) for m in group.members] for group in (now, before))
    return line_up == before_it and (now.kind, now.flags) == (before.kind, before.flags)


def _is_settled(group: Group) -> bool:
    """Say whether time alone does not change what is said of a group, but for how long it has been idle."""
    verdict = group.verdict
    if verdict is None or verdict.state is State.BUSY or verdict.stale_s is not None:
        return verdict is None
    if any(e.kind is EvidenceKind.TERMINAL_INPUT for e in verdict.evidence):
        return False
    return verdict.state is not State.IDLE or verdict.confirmations >= CONFIRMATIONS_WANTED


def _says_the_same(before: SessionFact | None, now: SessionFact | None) -> bool:
    """Say whether a host's word is the same, but for when it was read."""
    if before is now:
        return True
    if before is None or now is None or len(before.evidence) != len(now.evidence):
        return False
    if any(
        replace(was, read_epoch_s=told.read_epoch_s) != told
        for was, told in zip(before.evidence, now.evidence, strict=True)
    ):
        return False
    return replace(before, evidence=now.evidence) == now


def _flags(group: Group, verdict: Verdict | None, around: Circumstances) -> tuple[str, ...]:
    """Say what a person should look at first."""
    waited_s = max((around.asked_to_go_s.get(m.process.identity, 0.0) for m in group.members), default=0.0)
    state = verdict.state if verdict is not None else None
    evidence = verdict.evidence if verdict is not None else ()
    hot = (group.cpu_percent or 0.0) >= HOT_PERCENT
    newest = max((e.at_epoch_s for e in evidence if e.at_epoch_s is not None), default=None)
    flags = {
        # PRECEDENCE B11: what works may be hot, what does not should not be.
        "hot": hot and state is not State.BUSY and group.kind not in (GroupKind.ORPHAN_WORK, GroupKind.NOT_OURS),
        "oversize": group.held_bytes > OVERSIZE_SHARE * around.table.machine.memory_total_bytes and group.counts,
        "pending-wakeup": any(e.kind is EvidenceKind.WAKEUP and e.speaks_for is Speaks.PROTECTS for e in evidence),
        "quiet": state is State.BUSY and newest is not None and around.now_epoch_s - newest >= QUIET_S,
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


def _below(group: Group, around: Circumstances) -> _Below:
    """Return what runs below this group's backends and is counted under another group."""
    if group.kind not in _JUDGED:
        return _NOTHING
    places, facts = around.ownership.places, around.ownership.facts
    agents: set[str] = set()
    work: set[str] = set()
    for member in group.members:
        for process in around.table.descendants(member.process.pid) if member.role is Role.BACKEND else ():
            place = places[process.identity]
            if place.key == group.key:
                continue
            if place.role is Role.BACKEND:
                fact = facts.get(place.session) if place.session is not None else None
                agents.add(fact.title if fact is not None and fact.title else str(place.session or place.key))
            elif place.role is Role.WORK:
                work.add(process.name)
    return _Below(tuple(sorted(agents)), tuple(sorted(work))) if agents or work else _NOTHING
