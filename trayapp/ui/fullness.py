"""How near hosts' heaps are to their limits; what the tray icon needs of them at every tick, and no more."""

from __future__ import annotations

from enum import IntEnum

from trayapp.model.snapshot import HeapUse, Snapshot

WARNING_SHARE = 0.85
CRITICAL_SHARE = 0.95
SOON_S = 3600.0


class Fullness(IntEnum):
    """How near a heap is to its limit, where its host aborts."""

    FINE = 0
    WARNING = 1
    CRITICAL = 2


def fullness(heap: HeapUse) -> Fullness:
    """Say how near a heap is to its limit, by its share or by the time that is left."""
    share = heap.share or 0.0
    if share >= CRITICAL_SHARE:
        return Fullness.CRITICAL
    soon = heap.full_in_s is not None and heap.full_in_s < SOON_S
    return Fullness.WARNING if soon or share >= WARNING_SHARE else Fullness.FINE


def fullest(snapshot: Snapshot) -> HeapUse | None:
    """Return the heap that is nearest to its limit; None where no host tells of one with a limit."""
    limited = [heap for heap in snapshot.heaps if heap.share is not None]
    return max(limited, key=lambda heap: (fullness(heap), heap.share or 0.0), default=None)
