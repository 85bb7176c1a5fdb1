"""How full the heaps of hosts are, how fast they fill, and when they would be full.

Pure. A garbage-collected heap goes up and down like a saw: only what is left after a collection has really grown. So
the rate is measured between the lowest points of the first and the last third of the past that is remembered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from trayapp.model.process import Identity, ProcessTable
from trayapp.model.session import HostInstance
from trayapp.model.snapshot import Group, HeapUse

KEPT_S = 3600.0
SAMPLE_S = 30.0
"""At most one sample in so long is kept."""
TELLING_S = 600.0
"""A shorter past tells nothing about a rate."""

Past = tuple[tuple[float, int], ...]
"""Monotonic seconds and used bytes, oldest first."""


def remember(past: Mapping[Identity, Past], instances: Iterable[HostInstance], now_s: float) -> dict[Identity, Past]:
    """Return the past of all heaps that are told of now, with the newest figures added."""
    kept: dict[Identity, Past] = {}
    for instance in instances:
        if instance.heap is None or instance.identity is None:
            continue
        known = past.get(instance.identity, ())
        if not known or now_s - known[-1][0] >= SAMPLE_S:
            known = (*(point for point in known if now_s - point[0] <= KEPT_S), (now_s, instance.heap.used_bytes))
        kept[instance.identity] = known
    return kept


def growth_bytes_per_h(past: Past) -> float | None:
    """Return how fast what survives collections grows; None where the past is too short to tell."""
    if not past or past[-1][0] - past[0][0] < TELLING_S:
        return None
    third = (past[-1][0] - past[0][0]) / 3
    early = min((p for p in past if p[0] <= past[0][0] + third), key=lambda p: (p[1], p[0]))
    late = min((p for p in past if p[0] >= past[-1][0] - third), key=lambda p: (p[1], -p[0]))
    return (late[1] - early[1]) / (late[0] - early[0]) * 3600


def heap_uses(
    instances: Iterable[HostInstance],
    groups: Sequence[Group],
    table: ProcessTable,
    past: Mapping[Identity, Past],
) -> tuple[HeapUse, ...]:
    """Return how full each heap is, the fullest first; cut by what live sessions hold in it, by estimate."""
    held: dict[Identity, tuple[int, int]] = {}
    for group in groups:
        if group.heap_of is not None and group.retained_bytes is not None:
            sessions, releasable = held.get(group.heap_of, (0, 0))
            can_go = group.retained_bytes if group.releasable is not None else 0
            held[group.heap_of] = (sessions + group.retained_bytes, releasable + can_go)
    uses = [
        _use(instance, instance.identity, table, held.get(instance.identity, (0, 0)), past.get(instance.identity, ()))
        for instance in instances
        if instance.identity is not None and instance.heap is not None
    ]
    return tuple(sorted(uses, key=lambda use: (-(use.share or 0.0), use.host, use.identity)))


def _use(instance: HostInstance, identity: Identity, table: ProcessTable, held: tuple[int, int], past: Past) -> HeapUse:
    heap = instance.heap
    assert heap is not None
    process = table.get(identity)
    growth = growth_bytes_per_h(past)
    full_in_s = None
    if growth is not None and growth > 0 and heap.limit_bytes:
        full_in_s = max(0.0, (heap.limit_bytes - heap.used_bytes) / growth * 3600)
    return HeapUse(
        host=instance.host,
        identity=identity,
        used_bytes=heap.used_bytes,
        limit_bytes=heap.limit_bytes,
        external_bytes=heap.external_bytes,
        at_epoch_s=heap.at_epoch_s,
        rss_bytes=process.rss_bytes if process is not None else None,
        # estimates may add up to more than there is
        sessions_bytes=min(held[0], heap.used_bytes),
        releasable_bytes=min(held[1], heap.used_bytes),
        growth_bytes_per_h=growth,
        full_in_s=full_in_s,
    )
