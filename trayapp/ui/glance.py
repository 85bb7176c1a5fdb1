"""A snapshot at a glance: what the tray icon shows of it, and the same in one line."""

from __future__ import annotations

from trayapp.model.process import Pressure
from trayapp.model.session import State
from trayapp.model.snapshot import HeapUse, Snapshot
from trayapp.say import say, say_n
from trayapp.settings import Settings
from trayapp.ui import numbers
from trayapp.ui.fullness import Fullness, fullest, fullness
from trayapp.ui.icon import MIN_DEGREES, IconKey, IconState, Tone, quantised

MACHINE, PRESSURE, HEAP = "machine", "pressure", "heap"
"""What the ring in the tray is of: what agents hold of this computer's memory, all of it that is in use by anybody, or
the heap that is nearest to its limit."""

_PRESSURES = {Pressure.WARNING: Fullness.WARNING, Pressure.CRITICAL: Fullness.CRITICAL}


def ring_of(settings: Settings) -> str:
    """Return what the user wants the ring in the tray to show."""
    return settings.ring


def icon_key(
    snapshot: Snapshot | None,
    *,
    paused: bool,
    tone: Tone,
    loud_tone: Tone = Tone.LIGHT_BAR,
    old: bool = False,
    shows: str = MACHINE,
) -> IconKey:
    """Return the key of what a snapshot looks like in the tray; `shows` is the user's choice.

    A heap that is nearly full is told of whatever was chosen, in its own shape. `loud_tone` is the bar's tone for the
    states whose colour the menu bar of macOS must not choose.
    """
    if snapshot is None or snapshot.machine.memory_total_bytes <= 0:
        return IconKey(state=IconState.NO_DATA, tone=tone)
    heap = fullest(snapshot)
    alarm = fullness(heap) if heap is not None else Fullness.FINE
    pressure = _PRESSURES.get(snapshot.machine.pressure, Fullness.FINE)
    state = _icon_state(snapshot, max(alarm, pressure), paused=paused)
    loud = state is IconState.WARNING
    if tone is Tone.TEMPLATE and (loud or state is IconState.CRITICAL):
        tone = loud_tone
    if state is IconState.CRITICAL:
        return IconKey(state=state, tone=tone, old=old)
    if heap is not None and ((loud and alarm > pressure) or (shows == HEAP and not (loud and pressure > alarm))):
        return _gauge_key(heap, state, tone, old=old)
    total = snapshot.machine.memory_total_bytes
    held = in_use_bytes(snapshot) if shows == PRESSURE else snapshot.totals.held_bytes
    return _ring_key(held / total, snapshot.totals.reclaimable_bytes / total, state, tone, old)


def in_use_bytes(snapshot: Snapshot) -> int:
    """Return how much of this computer's memory is in use, by whomever."""
    return max(0, snapshot.machine.memory_total_bytes - snapshot.machine.memory_available_bytes)


def _ring_key(held: float, free: float, state: IconState, tone: Tone, old: bool, *, gauge: bool = False) -> IconKey:
    whole = quantised(held)
    can_go = min(quantised(free), whole)
    if state in (IconState.NORMAL, IconState.WARNING, IconState.PAUSED):
        return IconKey(state=state, tone=tone, stays=whole, old=old, gauge=gauge)
    stays = whole - can_go
    if stays == 0 and held > free:
        stays = MIN_DEGREES
    return IconKey(state=state, tone=tone, stays=stays, can_go=can_go, old=old, gauge=gauge)


def _gauge_key(heap: HeapUse, state: IconState, tone: Tone, *, old: bool) -> IconKey:
    """Return the key of a heap's gauge; its part that can go shows as on the ring."""
    share = min(1.0, heap.share or 0.0)
    free = heap.releasable_bytes / heap.limit_bytes if heap.limit_bytes else 0.0
    calm = state in (IconState.NORMAL, IconState.RELEASABLE)
    return _ring_key(share, free, IconState.HEAP if calm else state, tone, old, gauge=True)


def _icon_state(snapshot: Snapshot, alarm: Fullness, *, paused: bool) -> IconState:
    if paused:
        return IconState.PAUSED
    if alarm is Fullness.CRITICAL:
        return IconState.CRITICAL
    if alarm is Fullness.WARNING:
        return IconState.WARNING
    if any(g.verdict is not None and g.verdict.state is State.WAITING for g in snapshot.groups):
        return IconState.NEEDS_YOU
    return IconState.RELEASABLE if snapshot.totals.reclaimable_bytes > 0 else IconState.NORMAL


def spoken(snapshot: Snapshot | None, *, paused: bool = False, shows: str = MACHINE) -> str:
    """Return the ring in one line: the tray's tooltip and the accessible name of every ring."""
    if snapshot is None:
        return say("Agent Ring, nothing measured yet")
    held, total = snapshot.totals.held_bytes, snapshot.machine.memory_total_bytes
    words = [say("Agent Ring, paused") if paused else "Agent Ring"]
    if shows == PRESSURE:
        words.append(say("{size} in use", size=numbers.of_total(in_use_bytes(snapshot), total)))
        words.append(say("{size} held by agents", size=numbers.memory(held)))
    else:
        words.append(say("{size} held", size=numbers.of_total(held, total)))
    if snapshot.totals.reclaimable_bytes > 0:
        words.append(say("{size} can be released", size=numbers.memory(snapshot.totals.reclaimable_bytes)))
    heap = fullest(snapshot)
    if heap is not None:
        from trayapp.ui import heap_view  # only where there is one

        words.append(heap_view.spoken(heap, snapshot))
    waiting = sum(1 for g in snapshot.groups if g.verdict is not None and g.verdict.state is State.WAITING)
    if waiting:
        words.append(say_n("{n} session waits for you", "{n} sessions wait for you", waiting))
    return ", ".join(words)
