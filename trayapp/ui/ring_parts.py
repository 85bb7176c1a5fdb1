"""What the large ring is cut into, and where each piece lies: pure functions from a snapshot to segments.

Angles are degrees clockwise from 12 o'clock; the full circle is this computer's memory.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF

from trayapp.model.session import HostLabel
from trayapp.model.snapshot import HeapUse, Snapshot
from trayapp.say import say, say_n
from trayapp.ui import heap_view, numbers
from trayapp.ui.icon import GAUGE_DEGREES
from trayapp.ui.marks import SHARED, Mark, MarkKind, mark_of

SHARED_HEAP = "shared heap"
"""The key of what no session of a heap holds alone."""
SHARED_KEY, ORPHANS_KEY = "Shared helpers", "Orphans"
"""The keys of what belongs to no host; the same in every language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Hold one piece of the ring before it has an angle: a session, the shared helpers, or the orphans.

    `estimated` marks what a session holds in its host's heap.
    """

    key: str
    mark: Mark
    title: str
    size_bytes: int
    releasable: bool
    estimated: bool = False

    @property
    def words(self) -> str:
        return heap_view.estimate(self.size_bytes) if self.estimated else numbers.memory(self.size_bytes)


def look_of(snapshot: Snapshot) -> tuple[object, ...]:
    """Return all that the ring of a snapshot is made of; equal ones look the same."""
    held = (group for group in snapshot.groups if group.counts)
    looks = ((g.key, g.name, g.kind, g.host, g.held_bytes, g.releasable is not None) for g in held)
    return snapshot.machine.memory_total_bytes, snapshot.totals.held_bytes, snapshot.labels, *looks


def parts(snapshot: Snapshot) -> tuple[Part, ...]:
    """Cut a snapshot into parts in ring order: all that stays, then all that can go.

    Each zone has the hosts in their order, then the shared helpers, then the orphans. The sizes add up to
    totals.held_bytes. A part's key is its group's key, or "Shared helpers" and "Orphans".
    """
    made = []
    for group in snapshot.groups:
        if not group.counts or group.held_bytes <= 0:
            continue
        mark = mark_of(group, snapshot)
        own = mark.kind is MarkKind.HOST
        made.append(
            Part(
                key=group.key if own else ORPHANS_KEY if mark.kind is MarkKind.ORPHAN else SHARED_KEY,
                mark=mark,
                title=group.name if own else mark.name,
                size_bytes=group.held_bytes,
                releasable=group.releasable is not None,
            )
        )
    return tuple(_merged(sorted(made, key=ring_order)))


def heap_parts(heap: HeapUse, snapshot: Snapshot) -> tuple[Part, ...]:
    """Cut a heap into parts: what is shared, sessions that stay, then those that can go; sizes add up to what is used.

    Estimates that add up to more than there is are scaled down for the drawing.
    """
    mark = host_mark(heap.host, snapshot)
    held = [group for group in heap_view.of_heap(snapshot, heap.identity) if group.retained_bytes]
    told = heap_view.retained(held)
    scale = min(1.0, heap.used_bytes / told) if told else 1.0
    cut = [
        Part(
            key=group.key,
            mark=mark,
            title=group.name,
            size_bytes=round((group.retained_bytes or 0) * scale),
            releasable=group.releasable is not None,
            estimated=True,
        )
        for group in held
    ]
    rest = max(0, heap.used_bytes - sum(part.size_bytes for part in cut))
    shared = Part(
        key=SHARED_HEAP, mark=SHARED, title=say("Shared"), size_bytes=rest, releasable=False, estimated=bool(cut)
    )
    return (shared, *sorted(cut, key=lambda part: (part.releasable, -part.size_bytes, part.key)))


def host_mark(host: str, snapshot: Snapshot) -> Mark:
    """Return the mark of a host itself."""
    label = snapshot.label(host) or HostLabel(host=host, title=host, letters=host[:2].capitalize())
    return Mark(MarkKind.HOST, label)


def ring_order(part: Part) -> tuple[bool, int, int, str, int, str]:
    """Return the sort key of a part: zone, hosts before helpers before orphans, the host's rank, then size."""
    kind = {MarkKind.HOST: 0, MarkKind.SHARED: 1, MarkKind.ORPHAN: 2}[part.mark.kind]
    label = part.mark.label
    rank, host = (label.rank, label.host) if label is not None else (0, "")
    return part.releasable, kind, rank, host, -part.size_bytes, part.key


def _merged(made: Iterable[Part]) -> list[Part]:
    """Join neighbours without a host into one part each: "Shared helpers" and "Orphans" are one segment per zone."""
    result: list[Part] = []
    for part in made:
        before = result[-1] if result else None
        if before is not None and (before.key, before.releasable) == (part.key, part.releasable):
            result[-1] = _joined(before, part, part.title)
        else:
            result.append(part)
    return result


def _joined(one: Part, other: Part, title: str) -> Part:
    return Part(
        key=one.key,
        mark=one.mark,
        title=title,
        size_bytes=one.size_bytes + other.size_bytes,
        releasable=one.releasable,
        estimated=one.estimated,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """Give a part its angles."""

    part: Part
    start: float
    span: float

    @property
    def end(self) -> float:
        return self.start + self.span


def segments(shown: Sequence[Part], total_bytes: int, *, gauge: bool = False) -> tuple[Segment, ...]:
    """Lay parts around the circle, one after the other; those under 1 degree join into one of their zone.

    A `gauge` begins at the bottom left and is open at the bottom.
    """
    if total_bytes <= 0:
        return ()
    held = sum(part.size_bytes for part in shown)
    per_byte = (GAUGE_DEGREES if gauge else 360.0) / max(total_bytes, held)
    laid: list[Segment] = []
    at = -GAUGE_DEGREES / 2 if gauge else 0.0
    for zone in (False, True):
        in_zone = [part for part in shown if part.releasable is zone]
        wide = [part for part in in_zone if part.size_bytes * per_byte >= 1.0]
        narrow = [part for part in in_zone if part.size_bytes * per_byte < 1.0]
        if narrow:
            small = narrow[0]
            for part in narrow[1:]:
                small = _joined(small, part, say_n("{n} small one", "{n} small ones", len(narrow)))
            wide.append(small)
        for part in wide:
            span = part.size_bytes * per_byte
            laid.append(Segment(part=part, start=at, span=span))
            at += span
    return tuple(laid)


def between(before: Sequence[Segment], after: Sequence[Segment], share: float) -> tuple[Segment, ...]:
    """Return the segments on their way from one look of the ring to the next; `share` is how far, 0 to 1.

    What went shrinks in its place, what came grows; they lie end to end all the way.
    """
    old = {(segment.part.key, segment.part.releasable): segment for segment in before}
    new = {(segment.part.key, segment.part.releasable): segment for segment in after}
    every = {**old, **new}
    laid: list[Segment] = []
    at = 0.0
    for key in sorted(every, key=lambda key: ring_order(every[key].part)):
        first, last = (spans[key].span if key in spans else 0.0 for spans in (old, new))
        span = first + (last - first) * share
        if span > 0:
            laid.append(Segment(part=every[key].part, start=at, span=span))
            at += span
    return tuple(laid)


def segment_at(shown: Sequence[Segment], angle: float) -> Segment | None:
    """Return the segment under an angle."""
    return next((segment for segment in shown if segment.start <= angle < segment.end), None)


def angle_of(point: QPointF, centre: QPointF) -> float:
    """Return the angle of a point as seen from the centre, 0 to 360."""
    return math.degrees(math.atan2(point.x() - centre.x(), centre.y() - point.y())) % 360.0


def segment_name(segment: Segment) -> str:
    """Return what a screen reader says: host, title, memory and whether it can be released."""
    part = segment.part
    words = [part.mark.name] if part.title == part.mark.name else [part.mark.name, part.title]
    words.append(part.words)
    if part.releasable:
        words.append(say("can be released"))
    return ", ".join(words)
