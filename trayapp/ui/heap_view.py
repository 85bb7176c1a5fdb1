"""Heaps as the faces show them: how full one is, what it is cut into, and the words for it.

Pure; loaded with the first snapshot, so it brings no widget along. What sessions hold in a heap is estimated and never
added to resident memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLocale

from trayapp import targets, wording
from trayapp.model.process import Identity
from trayapp.model.receipt import Fate, HeapChange, Outcome, Progress, Receipt
from trayapp.model.snapshot import Group, HeapUse, Snapshot
from trayapp.say import say
from trayapp.ui import numbers
from trayapp.ui.fullness import Fullness, fullness


def title_of(host: str, snapshot: Snapshot | None) -> str:
    """Return how a host is called."""
    label = snapshot.label(host) if snapshot is not None else None
    return label.title if label is not None else host


# -------------------------------------------------------------------------------------------------- sessions in heaps


def in_heap(group: Group) -> bool:
    """Say whether a release of the group happens inside its host's process."""
    return group.heap_of is not None


def has_heap(group: Group, snapshot: Snapshot) -> bool:
    """Say whether the process that a group lives in has a heap that can be told of; else it is just in there."""
    return any(heap.identity == group.heap_of for heap in snapshot.heaps) or any(
        instance.has_heap and instance.identity == group.heap_of for instance in snapshot.instances
    )


def of_heap(snapshot: Snapshot, identity: Identity) -> tuple[Group, ...]:
    """Return the sessions that live in one heap, the largest first."""
    return tuple(group for group in targets.sessions(snapshot) if group.heap_of == identity)


def releasable_in(snapshot: Snapshot, identity: Identity) -> tuple[Group, ...]:
    """Return what can be released now in one heap."""
    return tuple(group for group in of_heap(snapshot, identity) if group.releasable is not None)


def retained(groups: Sequence[Group]) -> int:
    """Return what groups hold in heaps, by estimate."""
    return sum(group.retained_bytes or 0 for group in groups if group.heap_of is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Silent:
    """Name a host whose sessions live in a heap of which nothing is told but, it may be, its limit."""

    host: str
    identity: Identity
    count: int
    rss_bytes: int | None = None
    limit_bytes: int | None = None


def silent_heaps(snapshot: Snapshot) -> tuple[Silent, ...]:
    """Return the heaps of which only the sessions in them are known, as long as nothing of ours tells more."""
    told = {heap.identity for heap in snapshot.heaps}
    silent = {instance.identity for instance in snapshot.instances if instance.has_heap} - told
    found: dict[Identity, list[Group]] = {}
    for group in snapshot.groups:
        if group.heap_of is not None and group.heap_of in silent and group.host is not None:
            found.setdefault(group.heap_of, []).append(group)
    rss = {m.process.identity: m.process.rss_bytes for group in snapshot.groups for m in group.members}
    limits = {instance.identity: instance.heap_limit_bytes for instance in snapshot.instances}
    return tuple(
        Silent(
            host=groups[0].host or "",
            identity=identity,
            count=len(groups),
            rss_bytes=rss.get(identity),
            limit_bytes=limits.get(identity),
        )
        for identity, groups in sorted(found.items())
    )


# -------------------------------------------------------------------------------------------------------------- words


def _point() -> str:
    return QLocale().decimalPoint()


def estimate(size_bytes: int) -> str:
    """Say an estimate: "≈3.2 GB"."""
    return wording.ABOUT + numbers.memory(size_bytes)


def used_words(heap: HeapUse) -> str:
    """Say how full it is: "6.3 GB of 8.2 GB (77 %)"."""
    return wording.heap_words(heap, decimal_point=_point())


def content_words(heap: HeapUse) -> str:
    """Say what is in it, by estimate."""
    return wording.heap_content_words(heap, decimal_point=_point())


def growth_words(heap: HeapUse) -> str:
    """Say how fast it fills and when it is full; "" where that is not known."""
    return wording.heap_growth_words(heap, decimal_point=_point()) or ""


def change_words(change: HeapChange) -> str:
    """Say what a release did to a heap."""
    return wording.heap_change_words(change, decimal_point=_point())


def held_words(group: Group) -> str:
    """Say what a group holds: "1.9 GB", "≈120 MB heap", or both; "–" where only its host could tell."""
    bounded = group.held_is_upper_bound and len(group.members) > 1
    own = f"≤{wording.THIN_SPACE}{numbers.memory(group.held_bytes)}" if bounded else numbers.memory(group.held_bytes)
    if group.heap_of is None:
        return own
    held = wording.held_in_heap(group, decimal_point=_point())
    if held is None:
        return own if group.members else wording.ABSENT
    if group.members:
        return say("{memory} + {heap} heap", memory=own, heap=held)
    return say("{heap} heap", heap=held)


def silent_words(silent: Silent) -> str:
    """Say what is known of such a heap from outside: "7.1 GB of RSS, at most 8.2 GB of heap"."""
    parts = [say("{size} of RSS", size=numbers.memory(silent.rss_bytes))] if silent.rss_bytes is not None else []
    if silent.limit_bytes is not None:
        parts.append(say("at most {size} of heap", size=numbers.memory(silent.limit_bytes)))
    return ", ".join(parts)


def spoken(heap: HeapUse, snapshot: Snapshot) -> str:
    """Say a heap in one line, for tooltips and screen readers."""
    parts = [say("heap of {host} {use}", host=title_of(heap.host, snapshot), use=used_words(heap))]
    if fullness(heap) is not Fullness.FINE and heap.full_in_s is not None:
        parts.append(say("full in {time}", time=wording.duration(heap.full_in_s)))
    return ", ".join(parts)


def both_words(memory_bytes: int, heap_bytes: int) -> str:
    """Say what is expected back, memory and heap apart: "5.1 GB and ≈3.2 GB of heap"."""
    if not heap_bytes:
        return numbers.memory(memory_bytes)
    if not memory_bytes:
        return say("{size} of heap", size=estimate(heap_bytes))
    return say("{memory} and {heap} of heap", memory=numbers.memory(memory_bytes), heap=estimate(heap_bytes))


# ------------------------------------------------------------------------------------------------ actions and receipts


def is_collecting(progress: Progress) -> bool:
    """Say whether all is done but the heap's next full collection, which is awaited."""
    return progress.total > 0 and progress.done >= progress.total and progress.wait_s > 0


def inside(outcome: Outcome) -> bool:
    """Say whether a target was released inside its host's process, so that no process ended."""
    return outcome.target.heap_of is not None and outcome.came_back_bytes == 0


def heap_came_back(receipt: Receipt) -> int:
    """Return by how much heaps are smaller, as their hosts told it."""
    return sum(change.came_back_bytes for change in receipt.heaps)


def heap_expected(receipt: Receipt) -> int:
    """Return what was shown to come back in heaps, of what was done."""
    return sum(o.target.expected_heap_bytes for o in receipt.outcomes if o.fate is not Fate.REFUSED)


def came_back_words(receipt: Receipt) -> str:
    """Say what came back, memory and heap apart: "4.7 GB and 3.1 GB of heap came back"."""
    heap_bytes = heap_came_back(receipt)
    memory, heap = numbers.memory(receipt.came_back_bytes), numbers.memory(heap_bytes)
    if receipt.came_back_bytes and heap_bytes:
        return say("{memory} and {heap} of heap came back", memory=memory, heap=heap)
    if heap_bytes:
        return say("{size} of heap came back", size=heap)
    if receipt.came_back_bytes:
        return say("{size} came back", size=memory)
    released = any(inside(o) and o.fate is Fate.RELEASED for o in receipt.outcomes)
    return say("Released") if released else say("Nothing came back")


def expected_words(receipt: Receipt) -> str:
    """Say what was expected: "5.1 GB and ≈3.2 GB of heap"; "" where nothing was."""
    if not receipt.expected_bytes and not heap_expected(receipt):
        return ""
    return both_words(receipt.expected_bytes, heap_expected(receipt))


def share_back(receipt: Receipt) -> float:
    """Return how much of what was expected came back, 0 to 1; of memory, or of heap where no process ended."""
    if receipt.expected_bytes:
        return receipt.came_back_bytes / receipt.expected_bytes
    expected = heap_expected(receipt)
    return heap_came_back(receipt) / expected if expected else 0.0


def outcome_size(outcome: Outcome) -> str:
    """Say what one target gave back; inside a heap that is known by estimate only."""
    if outcome.fate in (Fate.REFUSED, Fate.ALREADY_GONE):
        return wording.ABSENT
    if inside(outcome):
        expected = outcome.target.expected_heap_bytes
        return estimate(expected) if outcome.fate is Fate.RELEASED and expected else wording.ABSENT
    return numbers.memory(outcome.came_back_bytes)
