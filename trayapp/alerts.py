"""When the user is told something unasked: one message for each time that a limit is crossed, and no flapping.

Pure: snapshots, notices and receipts in, alerts out; every clock is that of what is handed in. Runs at every snapshot
in the tray, so it brings nothing along that the first snapshot has not loaded. Knows no words and no Qt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from trayapp.model.process import Pressure
from trayapp.model.session import State
from trayapp.model.snapshot import ORPHAN_KINDS, Group, Snapshot

if TYPE_CHECKING:
    from trayapp.model.policy import Notice
    from trayapp.model.receipt import Receipt, Return
    from trayapp.settings import Settings

COOLDOWN_S = 900.0
"""Nothing is said twice within this time, however often its condition ends and begins again."""
SUSTAIN_S = 10.0
"""How long a limit must be crossed before it is told, without a gap."""
CALM_S = 60.0
"""How long a condition must be over before it can begin again."""
WAITING_AGE_S = 10.0
"""Who sits before a session answers at once; one that still waits after this is told."""
ORPHAN_AGE_S = 60.0
"""Helpers outlive their session by a moment; one that is still there after this is told."""
MEMORY_SLACK = 0.9
HEAP_SLACK = 0.05
"""A limit counts as left at 90 % of the memory, or 5 points below the share of a heap."""
POLICY_ORIGIN = "policy "
_GB = 1024**3


class AlertKind(StrEnum):
    """What is told."""

    MEMORY = "memory"
    PRESSURE = "pressure"
    CRITICAL = "critical"
    HEAP = "heap"
    ORPHANS = "orphans"
    POLICY_SOON = "policy-soon"
    POLICY_DONE = "policy-done"
    CAME_BACK = "came-back"
    WAITING = "waiting"


LASTING = frozenset(
    {
        AlertKind.MEMORY,
        AlertKind.PRESSURE,
        AlertKind.CRITICAL,
        AlertKind.HEAP,
        AlertKind.ORPHANS,
        AlertKind.WAITING,
    }
)
"""Kinds whose notice stays as long as their condition does; the others tell of a moment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """Hold one thing to be told.

    Attributes:
        key: what it is about; a newer alert with the same key takes its place.
        group_key: the session that "Open" shows, "" = the window, or the review for orphans.
        name: of the session, the host or the policy.
        size_bytes, limit_bytes, count: what its words need.
        sentence: what happened, in words, where they are made elsewhere.
    """

    kind: AlertKind
    key: str
    at_epoch_s: float
    group_key: str = ""
    name: str = ""
    size_bytes: int = 0
    limit_bytes: int = 0
    count: int = 0
    sentence: str = ""


class _Condition:
    """Follow one condition through its edges.

    It begins when it has held for a while, and ends when it has been over for a while; in between it keeps its word.
    """

    __slots__ = ("_calm_since_s", "_held_since_s", "_told_epoch_s", "_told_s", "is_on", "limit", "was_told")

    def __init__(self, limit: object) -> None:
        self.limit = limit
        self.is_on = False
        self.was_told = False
        self._held_since_s: float | None = None
        self._calm_since_s: float | None = None
        self._told_s: float | None = None
        self._told_epoch_s = 0.0

    def begin_anew(self) -> None:
        """Count no time that was not seen."""
        self._held_since_s = self._calm_since_s = None

    def look(self, *, crossed: bool, left: bool, now_s: float, now_epoch_s: float) -> bool:
        """Take in one look; True when it is to be told now."""
        if not self.is_on:
            self._held_since_s = (now_s if self._held_since_s is None else self._held_since_s) if crossed else None
            self.is_on = self._held_since_s is not None and now_s - self._held_since_s >= SUSTAIN_S
            self._calm_since_s = None
        else:
            self._calm_since_s = (now_s if self._calm_since_s is None else self._calm_since_s) if left else None
            if self._calm_since_s is not None and now_s - self._calm_since_s >= CALM_S:
                self.is_on = self.was_told = False
                self._held_since_s = None
        if not self.is_on or self.was_told or left or self._is_cooling(now_s, now_epoch_s):
            return False
        self.was_told, self._told_s, self._told_epoch_s = True, now_s, now_epoch_s
        return True

    def _is_cooling(self, now_s: float, now_epoch_s: float) -> bool:
        """Say whether it was told a short while ago, by the clock that went further: one stops in sleep, one is set."""
        if self._told_s is None:
            return False
        return max(now_s - self._told_s, now_epoch_s - self._told_epoch_s) < COOLDOWN_S


class Watch:
    """Follow all conditions over the snapshots of one run.

    Attributes:
        lasting: keys of the conditions that hold now; what was told of the others is over.
    """

    def __init__(self) -> None:
        self._conditions: dict[str, _Condition] = {}
        self._orphans: dict[str, float] | None = None
        self._told_orphans: set[str] = set()
        self._orphans_told: tuple[float, float] | None = None
        self._waiting: dict[str, float] | None = None
        self._told_waiting: set[str] = set()
        self._announced: set[tuple[str, str, str]] = set()
        self._receipts: set[str] = set()
        self._returns: set[tuple[str, str]] = set()
        self.lasting: frozenset[str] = frozenset()

    def take(self, snapshot: Snapshot, settings: Settings) -> tuple[Alert, ...]:
        """Take in the next snapshot; returns what is to be told now."""
        if snapshot.gap:
            for condition in self._conditions.values():
                condition.begin_anew()
        told = (
            *self._about_memory(snapshot, settings),
            *self._about_pressure(snapshot, settings),
            *self._about_heaps(snapshot, settings),
            *self._about_orphans(snapshot, settings),
            *self._about_waiting(snapshot, settings),
        )
        on = {key for key, condition in self._conditions.items() if condition.is_on}
        waits = {_waits(key) for key in self._told_waiting}
        self.lasting = frozenset(on | waits | ({AlertKind.ORPHANS} if self._told_orphans else set()))
        return told

    def _look(self, key: str, limit: object, snapshot: Snapshot, *, crossed: bool, left: bool) -> bool:
        condition = self._conditions.get(key)
        if condition is None or condition.limit != limit:  # another limit is another condition
            if not crossed and condition is None:
                return False
            condition = self._conditions[key] = _Condition(limit)
        epoch_s = snapshot.taken_at.timestamp()
        return condition.look(crossed=crossed, left=left, now_s=snapshot.monotonic_s, now_epoch_s=epoch_s)

    def _about_memory(self, snapshot: Snapshot, settings: Settings) -> Iterator[Alert]:
        limit = round(settings.alert_memory_gb * _GB)
        if limit <= 0:
            self._conditions.pop(AlertKind.MEMORY, None)
            return
        held = snapshot.totals.held_bytes
        if self._look(AlertKind.MEMORY, limit, snapshot, crossed=held > limit, left=held < limit * MEMORY_SLACK):
            yield _alert(AlertKind.MEMORY, snapshot, size_bytes=held, limit_bytes=limit)

    def _about_pressure(self, snapshot: Snapshot, settings: Settings) -> Iterator[Alert]:
        pressure = snapshot.machine.pressure
        if not settings.alert_pressure or pressure is Pressure.UNKNOWN:
            if not settings.alert_pressure:
                self._conditions.pop(AlertKind.PRESSURE, None)
                self._conditions.pop(AlertKind.CRITICAL, None)
            return
        critical, short = pressure is Pressure.CRITICAL, pressure is not Pressure.NORMAL
        worse = self._look(AlertKind.CRITICAL, None, snapshot, crossed=critical, left=not critical)
        short_now = self._look(AlertKind.PRESSURE, None, snapshot, crossed=short, left=not short)
        if worse or short_now:
            kind = AlertKind.CRITICAL if worse else AlertKind.PRESSURE
            yield _alert(
                kind,
                snapshot,
                key=AlertKind.PRESSURE,
                size_bytes=snapshot.totals.reclaimable_bytes,
                limit_bytes=snapshot.machine.memory_available_bytes,
            )

    def _about_heaps(self, snapshot: Snapshot, settings: Settings) -> Iterator[Alert]:
        limit = settings.alert_heap_share
        there = set()
        for heap in snapshot.heaps:
            if limit <= 0 or heap.share is None:
                continue
            key = f"{AlertKind.HEAP}:{heap.identity}"
            there.add(key)
            left = heap.share < limit - HEAP_SLACK
            if self._look(key, limit, snapshot, crossed=heap.share > limit, left=left):
                label = snapshot.label(heap.host)
                yield _alert(
                    AlertKind.HEAP,
                    snapshot,
                    key=key,
                    name=label.title if label is not None else heap.host,
                    size_bytes=heap.used_bytes,
                    limit_bytes=heap.limit_bytes or 0,
                )
        for key in [key for key in self._conditions if key.startswith(f"{AlertKind.HEAP}:") and key not in there]:
            del self._conditions[key]  # its host has ended

    def _about_orphans(self, snapshot: Snapshot, settings: Settings) -> Iterator[Alert]:
        """Tell of orphans that were not there at the start and stay; several that come together are told together."""
        now_s, epoch_s = snapshot.monotonic_s, snapshot.taken_at.timestamp()
        there = {group.key: group for group in snapshot.groups if group.kind in ORPHAN_KINDS}
        if self._orphans is None:
            self._orphans = dict.fromkeys(there, float("-inf"))
            return
        since = {key: self._orphans.get(key, now_s) for key in there}
        if snapshot.gap:
            since = {key: at if at == float("-inf") else now_s for key, at in since.items()}
        self._orphans = since
        self._told_orphans &= set(there)
        if not settings.alert_orphans:
            self._told_orphans.clear()
            self._orphans = dict.fromkeys(there, float("-inf"))
            return
        fresh = [
            group
            for key, group in there.items()
            if key not in self._told_orphans and since[key] != float("-inf") and now_s - since[key] >= ORPHAN_AGE_S
        ]
        if not fresh or self._orphans_cool(now_s, epoch_s):
            return
        self._orphans_told = (now_s, epoch_s)
        self._told_orphans |= {group.key for group in fresh}
        yield _alert(AlertKind.ORPHANS, snapshot, name=_names(fresh), size_bytes=_held(fresh), count=len(fresh))

    def _orphans_cool(self, now_s: float, epoch_s: float) -> bool:
        if self._orphans_told is None:
            return False
        return max(now_s - self._orphans_told[0], epoch_s - self._orphans_told[1]) < COOLDOWN_S

    def _about_waiting(self, snapshot: Snapshot, settings: Settings) -> Iterator[Alert]:
        """Tell of each session that begins to wait for the user and still does a moment later, once."""
        there = {
            group.key: group
            for group in snapshot.groups
            if group.verdict is not None and group.verdict.state is State.WAITING
        }
        first = self._waiting is None or not settings.alert_waiting
        before = self._waiting or {}
        new = float("-inf") if first else snapshot.monotonic_s  # who waits already, or unasked for, is not told
        self._waiting = since = {key: before.get(key, new) for key in there}
        self._told_waiting &= set(there)
        if not settings.alert_waiting:
            return
        for key, group in there.items():
            if key in self._told_waiting or since[key] == float("-inf"):
                continue
            if snapshot.monotonic_s - since[key] >= WAITING_AGE_S:
                self._told_waiting.add(key)
                label = snapshot.label(group.host)
                host = label.title if label is not None else group.host or ""
                made = _alert(AlertKind.WAITING, snapshot, key=_waits(key), name=group.name)
                yield replace(made, group_key=key, sentence=host)

    # ---- what policies do, and what does not hold

    def take_notices(self, notices: Iterable[Notice], settings: Settings) -> tuple[Notice, ...]:
        """Take in what is announced now; returns what is new, each thing once while it is announced."""
        now = {(each.choice.policy, each.choice.group_key, str(each.choice.action)): each for each in notices}
        fresh = tuple(each for what, each in now.items() if what not in self._announced)
        self._announced = set(now)
        return fresh if settings.alert_policies else ()

    def is_new(self, receipt: Receipt) -> bool:
        """Say whether a policy did that and nobody has been told."""
        return receipt.origin.startswith(POLICY_ORIGIN) and receipt.receipt_id not in self._receipts

    def take_receipt(self, receipt: Receipt, settings: Settings) -> Alert | None:
        """Take in what a policy has done; None where it is known, or a person's, or nothing is to be told."""
        if not self.is_new(receipt):
            return None
        self._receipts.add(receipt.receipt_id)
        if not settings.alert_policies or not receipt.outcomes:
            return None
        first = receipt.outcomes[0]
        return Alert(
            kind=AlertKind.POLICY_DONE,
            key=f"{AlertKind.POLICY_DONE}:{receipt.receipt_id}",
            at_epoch_s=receipt.finished_at.timestamp(),
            group_key=first.target.group_key,
            name=first.target.title,
            size_bytes=receipt.came_back_bytes,
            count=len(receipt.outcomes),
            sentence=receipt.origin.removeprefix(POLICY_ORIGIN),
        )

    def take_return(self, back: Return, settings: Settings) -> Alert | None:
        """Take in that something which was released runs again; None where it is known or not to be told."""
        what = (back.receipt_id, back.group_key)
        if what in self._returns:
            return None
        self._returns.add(what)
        if not settings.alert_not_held:
            return None
        return Alert(
            kind=AlertKind.CAME_BACK,
            key=f"{AlertKind.CAME_BACK}:{back.group_key}",
            at_epoch_s=back.at.timestamp(),
            group_key=back.group_key,
            name=back.title,
            sentence=back.sentence,
        )


def _alert(
    kind: AlertKind,
    snapshot: Snapshot,
    *,
    key: str = "",
    name: str = "",
    size_bytes: int = 0,
    limit_bytes: int = 0,
    count: int = 0,
) -> Alert:
    return Alert(
        kind=kind,
        key=key or kind,
        at_epoch_s=snapshot.taken_at.timestamp(),
        name=name,
        size_bytes=size_bytes,
        limit_bytes=limit_bytes,
        count=count,
    )


def _waits(key: str) -> str:
    return f"{AlertKind.WAITING}:{key}"


def _names(groups: Iterable[Group]) -> str:
    return ", ".join(dict.fromkeys(group.name for group in groups))


def _held(groups: Iterable[Group]) -> int:
    return sum(group.held_bytes for group in groups)
