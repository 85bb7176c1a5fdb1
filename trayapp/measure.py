"""Numbers from process tables: CPU as a difference, gaps, and groups whose sums add up.

Pure. CPU is CPU time over monotonic time between two tables; 100 % is one core. No figure at first sight, across a gap,
or where a counter could not be read: absent is not zero (cases 066, 074, 078).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from trayapp.attribution import Ownership, Place
from trayapp.model.process import Identity, Process, ProcessTable
from trayapp.model.session import Role, SessionFact
from trayapp.model.snapshot import Group, GroupKind, Member, Totals

GAP_S = 5.0
"""Wall clock ahead of the monotonic clock by more than this between two ticks: the machine slept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Describe the time between two tables.

    Attributes:
        length_s: monotonic seconds, without sleep.
        slept_s: wall-clock seconds that the monotonic clock did not see.
        gap: no rate may be computed over this interval.
    """

    length_s: float
    slept_s: float
    gap: bool


def interval(before: ProcessTable | None, after: ProcessTable, *, longest_s: float = float("inf")) -> Interval | None:
    """Measure the time between two tables; None when there is none before. A pause over `longest_s` is a gap too."""
    if before is None:
        return None
    length_s = after.monotonic_s - before.monotonic_s
    slept_s = max(0.0, (after.taken_at - before.taken_at).total_seconds() - length_s)
    return Interval(length_s=length_s, slept_s=slept_s, gap=slept_s > GAP_S or length_s > longest_s or length_s <= 0)


def cpu_percents(
    before: ProcessTable | None,
    after: ProcessTable,
    over: Interval | None,
    among: Iterable[Identity] | None = None,
) -> dict[Identity, float]:
    """Return the CPU of every process (or of those `among` them) whose use over the interval is known.

    That is who was there in both tables and could be read in both, and who began in between: all that it has used, it
    used since. Children that exited in between count to the parent that reaped them (fields cutime and cstime of
    proc(5) stat), less what was already seen while they lived.
    """
    if before is None or over is None or over.gap:
        return {}
    seen_live = _reaped_but_seen(before, after)
    percents: dict[Identity, float] = {}
    for identity in among if among is not None else [process.identity for process in after.processes.values()]:
        process = after.processes[identity.pid]
        if process.cpu_s is None:
            continue
        earlier = before.processes.get(identity.pid)
        if earlier is process and not seen_live:
            percents[identity] = 0.0
        elif earlier is None or earlier.identity != identity:
            if process.start_s > before.uptime_s:
                percents[identity] = 100.0 * (process.cpu_s + (process.children_cpu_s or 0.0)) / over.length_s
        elif earlier.cpu_s is not None:
            used_s = process.cpu_s - earlier.cpu_s
            if process.children_cpu_s is not None and earlier.children_cpu_s is not None:
                used_s += max(0.0, process.children_cpu_s - earlier.children_cpu_s - seen_live.get(identity, 0.0))
            percents[identity] = max(0.0, 100.0 * used_s / over.length_s)
    return percents


def _reaped_but_seen(before: ProcessTable, after: ProcessTable) -> dict[Identity, float]:
    """Return the CPU seconds of gone processes that had been counted while they lived, by who has them now.

    That is the nearest ancestor which still runs: where a tree ends at once, each reaps its own before it is reaped.
    """
    seen: dict[Identity, float] = {}
    for process in _gone(before, after):
        heir = next((a for a in before.ancestors(process) if after.get(a.identity) is not None), None)
        if heir is not None and process.cpu_s is not None:
            already_s = process.cpu_s + (process.children_cpu_s or 0.0)
            seen[heir.identity] = seen.get(heir.identity, 0.0) + already_s
    return seen


def _gone(before: ProcessTable, after: ProcessTable) -> list[Process]:
    """Return the processes of the earlier table that are not there any more."""
    if after.changes is not None and after.changes.since == before.serial:
        return [before.processes[identity.pid] for identity in after.changes.gone]
    return [process for process in before.processes.values() if after.get(process.identity) is None]


_Part = tuple[Process, Place, float | None, int | None]
"""A process with its place, its CPU in percent and its footprint in bytes."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """Keep a group with all that it was made of; while that is the same, so is the group."""

    parts: list[_Part]
    told: tuple[Any, ...]
    group: Group


def gather(
    table: ProcessTable,
    ownership: Ownership,
    percents: Mapping[Identity, float],
    footprints: Mapping[Identity, int],
) -> tuple[Group, ...]:
    """Build the groups of a table: every process in exactly one, each sum made of its members' bytes."""
    return in_order(kept.group for kept in gather_again(table, ownership, percents, footprints, {}, ()).values())


def gather_again(
    table: ProcessTable,
    ownership: Ownership,
    percents: Mapping[Identity, float],
    footprints: Mapping[Identity, int],
    before: Mapping[str, Gathered],
    without: Collection[GroupKind],
) -> dict[str, Gathered]:
    """Build the groups by their keys, but for those of kinds `without`; one whose parts are the same is handed on."""
    processes, places = table.processes, ownership.places
    gathered: dict[str, Gathered] = {}
    for key, members in ownership.groups.items():
        if places[members[0]].kind in without:
            continue
        parts = [(processes[i.pid], places[i], percents.get(i), footprints.get(i)) for i in members]
        told = _told(ownership, key)
        kept = before.get(key)
        if kept is None or kept.parts != parts or kept.told != told:
            kept = Gathered(parts, told, _group(table, ownership, key, [(part[1], _member(part)) for part in parts]))
        gathered[key] = kept
    for session, fact in ownership.facts.items():
        key = str(session)
        if (fact.shares_backend or fact.remnant) and key not in gathered:
            kept, told = before.get(key), _words(fact)
            if kept is None or kept.parts or kept.told != told:
                kept = Gathered([], told, _row_without_processes(fact))
            gathered[key] = kept
    return gathered


def in_order(groups: Iterable[Group]) -> tuple[Group, ...]:
    """Return the groups sorted by what they hold, largest first."""
    return tuple(sorted(groups, key=lambda g: (-g.held_bytes, g.key)))


def _told(ownership: Ownership, key: str) -> tuple[Any, ...]:
    session = ownership.places[ownership.groups[key][0]].session
    fact = ownership.facts.get(session) if session is not None else None
    return () if fact is None else _words(fact)


def _words(fact: SessionFact) -> tuple[Any, ...]:
    """Return what a row shows of its host's word, besides the verdict."""
    shown = fact.title, fact.cwd, fact.model, fact.resume, fact.ladder
    return *shown, fact.heap_of, fact.retained_bytes, fact.remnant, fact.tokens, fact.drift


def _member(part: _Part) -> Member:
    process, place, percent, footprint = part
    if footprint is not None:
        process = replace(process, footprint_bytes=footprint)
    return Member(process=process, role=place.role, claim=place.claim, cpu_percent=percent)


_LEADING = (Role.BACKEND, Role.WRAPPER, Role.LAUNCHER, Role.INFRA, Role.APP)
_ROLE_ORDER = {role: order for order, role in enumerate(_LEADING)}


def _group(table: ProcessTable, ownership: Ownership, key: str, placed: list[tuple[Place, Member]]) -> Group:
    members = tuple(
        m
        for _, m in sorted(
            placed, key=lambda pm: (_ROLE_ORDER.get(pm[1].role, 9), pm[1].process.start_s, pm[1].process.pid)
        )
    )
    lead = min((place for place, _ in placed), key=lambda p: _ROLE_ORDER.get(p.role, 9))
    flags = sorted({flag for place, _ in placed for flag in place.flags} | _duplicate_flag(lead, members))
    fact = ownership.facts.get(lead.session) if lead.session is not None else None
    return Group(
        key=key,
        kind=lead.kind,
        host=lead.host,
        session=lead.session,
        title=fact.title if fact else None,
        cwd=(fact.cwd if fact else None) or (members[0].process.cwd if lead.kind is GroupKind.SESSION else None),
        model=fact.model if fact else None,
        tokens=fact.tokens if fact else None,
        drift=fact.drift if fact else None,
        members=members,
        flags=tuple(flags),
        owner_hint=lead.owner_hint,
        resume=fact.resume if fact else None,
        ladder=fact.ladder if fact else (),
        heap_of=fact.heap_of if fact else None,
        retained_bytes=fact.retained_bytes if fact else None,
        rss_bytes=sum(m.process.rss_bytes or 0 for m in members),
        footprint_bytes=_sum_or_none(_footprint(m.process) for m in members),
        footprint_metric=table.footprint_metric,
        cpu_percent=_known_sum(m.cpu_percent for m in members),
        cpu_s_total=_known_sum(m.process.cpu_s for m in members),
    )


def _row_without_processes(fact: SessionFact) -> Group:
    """Return the row of a session whose process is counted elsewhere because it serves several, or that has none."""
    return Group(
        key=str(fact.key),
        kind=GroupKind.SESSION,
        host=fact.key.host,
        session=fact.key,
        title=fact.title,
        cwd=fact.cwd,
        model=fact.model,
        tokens=fact.tokens,
        drift=fact.drift,
        members=(),
        flags=("remnant" if fact.remnant else "shared-backend",),
        footprint_bytes=0,
        resume=fact.resume,
        ladder=fact.ladder,
        heap_of=fact.heap_of,
        retained_bytes=fact.retained_bytes,
    )


def _duplicate_flag(lead: Place, members: tuple[Member, ...]) -> set[str]:
    backends = [m for m in members if m.role is Role.BACKEND]
    return {"duplicates"} if lead.session is not None and len(backends) > 1 else set()


def _footprint(process: Process) -> int | None:
    return 0 if process.is_zombie else process.footprint_bytes


def _sum_or_none(values: Iterable[int | None]) -> int | None:
    """Add up only what is complete: a sum with a hole would look smaller than it is."""
    total = 0
    for value in values:
        if value is None:
            return None
        total += value
    return total


def _known_sum(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def totals(groups: Iterable[Group]) -> Totals:
    """Add up the groups that count."""
    counted = [group for group in groups if group.counts]
    return Totals(
        processes=sum(len(g.members) for g in counted),
        sessions=sum(g.kind is GroupKind.SESSION for g in counted),
        rss_bytes=sum(g.rss_bytes for g in counted),
        footprint_bytes=_sum_or_none(g.footprint_bytes for g in counted),
        held_bytes=sum(g.held_bytes for g in counted),
        cpu_percent=_known_sum(g.cpu_percent for g in counted),
        reclaimable_bytes=sum(g.leaving_bytes for g in counted if g.releasable is not None),
    )
