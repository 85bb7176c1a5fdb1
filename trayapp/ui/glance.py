"""A snapshot at a glance: what the tray icon shows of it, and the same in one line."""

from __future__ import annotations

from trayapp.model.process import Pressure
from trayapp.model.session import State
from trayapp.model.snapshot import Snapshot
from trayapp.ui import numbers
from trayapp.ui.icon import MIN_DEGREES, IconKey, IconState, Tone, quantised


def icon_key(snapshot: Snapshot | None, *, paused: bool, tone: Tone, old: bool = False) -> IconKey:
    """Return the key of what a snapshot looks like in the tray."""
    if snapshot is None or snapshot.machine.memory_total_bytes <= 0:
        return IconKey(state=IconState.NO_DATA, tone=tone)
    total = snapshot.machine.memory_total_bytes
    held, free = snapshot.totals.held_bytes, snapshot.totals.reclaimable_bytes
    whole = quantised(held / total)
    can_go = min(quantised(free / total), whole)
    state = _icon_state(snapshot, paused=paused)
    if state is IconState.CRITICAL:
        return IconKey(state=state, tone=tone, old=old)
    if state in (IconState.NORMAL, IconState.WARNING, IconState.PAUSED):
        return IconKey(state=state, tone=tone, stays=whole, old=old)
    stays = whole - can_go
    if stays == 0 and held > free:
        stays = MIN_DEGREES
    return IconKey(state=state, tone=tone, stays=stays, can_go=can_go, old=old)


def _icon_state(snapshot: Snapshot, *, paused: bool) -> IconState:
    if paused:
        return IconState.PAUSED
    if snapshot.machine.pressure is Pressure.CRITICAL:
        return IconState.CRITICAL
    if snapshot.machine.pressure is Pressure.WARNING:
        return IconState.WARNING
    if any(g.verdict is not None and g.verdict.state is State.WAITING for g in snapshot.groups):
        return IconState.NEEDS_YOU
    return IconState.RELEASABLE if snapshot.totals.reclaimable_bytes > 0 else IconState.NORMAL


def spoken(snapshot: Snapshot | None, *, paused: bool = False) -> str:
    """Return the ring in one line: the tray's tooltip and the accessible name of every ring."""
    if snapshot is None:
        return "Agent Ring, nothing measured yet"
    words = ["Agent Ring"]
    if paused:
        words.append("paused")
    words.append(f"{numbers.of_total(snapshot.totals.held_bytes, snapshot.machine.memory_total_bytes)} held")
    if snapshot.totals.reclaimable_bytes > 0:
        words.append(f"{numbers.memory(snapshot.totals.reclaimable_bytes)} can be released")
    waiting = sum(1 for g in snapshot.groups if g.verdict is not None and g.verdict.state is State.WAITING)
    if waiting:
        words.append(f"{numbers.count(waiting, 'session')} {'waits' if waiting == 1 else 'wait'} for you")
    return ", ".join(words)
