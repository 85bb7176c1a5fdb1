"""What one tick read, to the snapshot that it means: the same for the live monitor and for a replayed capture.

Pure but for `measure`, which is asked once for the footprints of those processes that turn out to belong to agents.
Knows no host, no clock and no file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from trayapp import heaps
from trayapp.assess import LAG_S, Assessed, Circumstances, assess_again, is_shown
from trayapp.attribution import NOBODYS, Lineage, Standing, attribute_again
from trayapp.measure import GAP_S, Gathered, Interval, cpu_percents, gather_again, in_order, interval, totals
from trayapp.model.plan import Action
from trayapp.model.process import Identity, ProcessTable
from trayapp.model.receipt import Fate, Receipt
from trayapp.model.session import HostInstance, HostLabel, Observation, Problem, SessionFact, SessionKey
from trayapp.model.snapshot import Group, GroupKind, HeapUse, OwnCost, Snapshot
from trayapp.reclaim.plan import Rules
from trayapp.verdict import Sleep

MAX_SLEEPS = 1000

Footprints = Mapping[Identity, int]
Measure = Callable[[Collection[Identity]], Footprints]
"""Return the footprints of these processes, in bytes; those that are not known are missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """Hold everything that one tick read, but for footprints.

    Attributes:
        observations: the last word of each host.
        now_epoch_s: wall clock at the time of judging.
        stale_s: age of the last word of those hosts that stopped answering; infinite where there never was one.
        silent: those hosts, each with what is wrong.
        paused: measuring was paused since the tick before.
        thorough: judge every group anew; otherwise those of which nothing new is known keep their answers.
        lag_s: how far lengths of time in those may lag behind.
    """

    table: ProcessTable
    observations: tuple[Observation, ...]
    labels: tuple[HostLabel, ...]
    rules: Rules
    now_epoch_s: float
    stale_s: Mapping[str, float] = field(default_factory=dict)
    silent: tuple[HostInstance, ...] = ()
    problems: tuple[Problem, ...] = ()
    paused: bool = False
    thorough: bool = True
    lag_s: float = LAG_S


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """Hold what one tick leaves for the next."""

    table: ProcessTable | None = None
    rules: Rules | None = None
    lineage: Mapping[Identity, Lineage] = field(default_factory=dict)
    standing: Standing | None = None
    gathered: Mapping[str, Gathered] = field(default_factory=dict)
    assessed: Mapping[str, Assessed] = field(default_factory=dict)
    sleeps: tuple[Sleep, ...] = ()
    heaps: Mapping[Identity, heaps.Past] = field(default_factory=dict)
    asked: Mapping[Identity, float] = field(default_factory=dict)
    """When (monotonic seconds) a release asked a process to go that stayed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """Hold what a tick means, and what stands behind it.

    `followed` names the processes whose figures count, `footprints` is what `measure` answered about them.
    """

    snapshot: Snapshot
    memory: Memory
    facts: Mapping[SessionKey, SessionFact]
    followed: Collection[Identity]
    footprints: Footprints


def conclude(inputs: Inputs, memory: Memory, measure: Measure) -> Conclusion:
    """Attribute, gather, judge and plan one tick."""
    table = inputs.table
    over = interval(memory.table, table)
    if over is not None and inputs.paused:
        over = replace(over, gap=True)
    sleeps = _with_sleep(memory.sleeps, table, over)
    standing = attribute_again(table, inputs.observations, memory.lineage, memory.standing)
    ownership, followed = standing.ownership, standing.followed
    footprints = measure(followed)
    percents = cpu_percents(memory.table, table, over, followed)
    gathered = gather_again(table, ownership, percents, footprints, memory.gathered, NOBODYS)
    assessed = assess_again(
        (kept.group for kept in gathered.values()),
        Circumstances(
            table=table,
            ownership=ownership,
            rules=inputs.rules,
            now_epoch_s=inputs.now_epoch_s,
            sleeps=sleeps,
            stale_s=inputs.stale_s,
            asked_to_go_s={identity: table.monotonic_s - at_s for identity, at_s in memory.asked.items()},
            changed=_changed(memory.table, table),
            told_epoch_s={o.host: o.read_epoch_s for o in inputs.observations},
            lag_s=inputs.lag_s,
        ),
        before=memory.assessed,
        thorough=inputs.thorough or inputs.rules != memory.rules or over is None or over.gap,
        same_places=memory.standing is not None and memory.standing.ownership.places is ownership.places,
    )
    groups = in_order(kept.group for kept in assessed.values())
    shown = tuple([group for group in groups if is_shown(group, groups)])
    instances = tuple(instance for observation in inputs.observations for instance in observation.instances)
    past = heaps.remember(memory.heaps, instances, table.monotonic_s)
    return Conclusion(
        snapshot=_snapshot(inputs, over, shown, heaps.heap_uses(instances, shown, table, past)),
        memory=Memory(
            table=table,
            rules=inputs.rules,
            lineage=standing.lineage,
            standing=standing,
            gathered=gathered,
            assessed=assessed,
            sleeps=sleeps,
            heaps=past,
            asked={identity: at_s for identity, at_s in memory.asked.items() if table.get(identity) is not None},
        ),
        facts=ownership.facts,
        followed=followed,
        footprints=footprints,
    )


def after(receipt: Receipt, memory: Memory) -> Memory:
    """Remember whom a release asked to go, so that what stays is told (cases 117 and 119)."""
    released = [
        outcome
        for outcome in receipt.outcomes
        if outcome.target.action is Action.RELEASE and outcome.fate in (Fate.RELEASED, Fate.SURVIVED)
    ]
    members = {identity for outcome in released for identity in outcome.target.members}
    sessions = {memory.lineage[identity].session for identity in members if identity in memory.lineage}
    at_s = memory.table.monotonic_s if memory.table is not None else 0.0
    return replace(
        memory,
        lineage={
            identity: replace(past, released=past.released or past.session in sessions)
            for identity, past in memory.lineage.items()
        },
        asked={**memory.asked, **{s.identity: at_s for outcome in released for s in outcome.survived}},
    )


def _snapshot(inputs: Inputs, over: Interval | None, groups: tuple[Group, ...], full: tuple[HeapUse, ...]) -> Snapshot:
    table, observations = inputs.table, inputs.observations
    return Snapshot(
        taken_at=table.taken_at,
        monotonic_s=table.monotonic_s,
        interval_s=over.length_s if over is not None else None,
        gap=over.gap if over is not None else False,
        machine=table.machine,
        instances=(*(i for o in observations for i in o.instances), *inputs.silent),
        labels=inputs.labels,
        groups=groups,
        totals=totals(groups),
        own=_own_cost(groups),
        problems=(*inputs.problems, *(p for o in observations for p in o.problems), *_not_understood(groups)),
        heaps=full,
        footprint_metric=table.footprint_metric,
        uptime_s=table.uptime_s,
    )


def _not_understood(groups: tuple[Group, ...]) -> tuple[Problem, ...]:
    """Say once of each field that is not known, however many sessions it concerns."""
    drifts = [group.drift for group in groups if group.drift is not None]
    return tuple(dict.fromkeys(drift.problem() for drift in drifts))


def _with_sleep(sleeps: tuple[Sleep, ...], now: ProcessTable, over: Interval | None) -> tuple[Sleep, ...]:
    if over is None or over.slept_s <= GAP_S:
        return sleeps
    until = now.taken_at.timestamp()
    return (*sleeps, Sleep(since_epoch_s=until - over.slept_s, until_epoch_s=until))[-MAX_SLEEPS:]


def _changed(before: ProcessTable | None, now: ProcessTable) -> frozenset[Identity] | None:
    """Return which processes look different than in the table before; None = not known."""
    if before is None or now.changes is None or now.changes.since != before.serial:
        return None
    return now.changes.changed


def _own_cost(groups: Sequence[Group]) -> OwnCost:
    own = [group for group in groups if group.kind is GroupKind.MONITOR]
    cpu = [group.cpu_percent for group in own if group.cpu_percent is not None]
    footprints = [group.footprint_bytes for group in own]
    return OwnCost(
        rss_bytes=sum(group.rss_bytes for group in own) if own else None,
        footprint_bytes=sum(f for f in footprints if f is not None) if own and None not in footprints else None,
        cpu_percent=sum(cpu) if cpu else None,
    )
