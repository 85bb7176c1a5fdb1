"""Which footprint is read when: dear reads in turn, within a budget, and none that cannot have changed much.

What a read costs grows with what the process holds (12 ms of CPU per resident GB for PSS on Linux), so how often a
process comes round goes by its size and by whether it moved since: RESTING_S if nothing of it did, sooner if it used
CPU, soonest if its RSS is another. A read that took longer than the budget is paid back by the calls after it, so that
the mean stays within the budget whatever the processes hold.
"""

from __future__ import annotations

import heapq
import itertools
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from trayapp.model.process import Identity, Process

RESTING_S = 300.0
"""Until a process is read again of which nothing moved: what it shares can change without it."""

UNREAD_S = 10.0
"""Until a process is tried again that could not be read: in the middle of an exec it has no memory to tell of."""

_GB = 1024**3
_STEADY_BYTES = 8192
"""A change of RSS up to this, or up to 1/256 of it, is none: counters are kept per CPU and told roughly."""


def moved_interval_s(rss_bytes: int) -> float:
    """Return how long a footprint holds once RSS is another; a process that holds nothing is read at once."""
    return min(RESTING_S, max(10.0, 60.0 * rss_bytes / _GB)) if rss_bytes else 0.0


def active_interval_s(rss_bytes: int) -> float:
    """Return how long a footprint holds while the process runs but keeps its RSS (it may share more, or less)."""
    return min(RESTING_S, max(60.0, 240.0 * rss_bytes / _GB))


@dataclass(slots=True)
class _Entry:
    """Remember one process: its footprint (None = gone, denied or not read yet), and what it was read at."""

    size_bytes: int | None = None
    read_s: float = 0.0
    rss_bytes: int = 0
    due_s: float = float("-inf")
    asked: bool = False


class Turns:
    """Read footprints in turn. `read` returns bytes or None = gone or denied; `rss_bytes` the RSS as last seen."""

    def __init__(
        self,
        read: Callable[[Identity], int | None],
        rss_bytes: Callable[[Identity], int],
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._read = read
        self._rss_bytes = rss_bytes
        self._clock_s = clock_s
        self._entries: dict[Identity, _Entry] = {}
        self._asked: tuple[Identity, ...] | None = None
        self._answer: dict[Identity, int] = {}
        self._due: list[tuple[float, int, Identity, _Entry]] = []
        self._order = itertools.count()
        self._debt_s = 0.0

    def answer(self, identities: Collection[Identity], budget_s: float | None) -> Mapping[Identity, int]:
        """Return the footprints that are known of these, after reading those that are due within the budget.

        `budget_s` is in elapsed seconds; None = read all of these now. What was never read comes first. The mapping is
        never changed later; it is the same object for as long as the same is asked and nothing in it is different.
        """
        asked = tuple(identities)
        if budget_s is None:
            return self._read_all(asked)
        if asked != self._asked:
            self._ask(asked)
        allowed_s = budget_s - self._debt_s
        if allowed_s <= 0.0:
            self._debt_s = -allowed_s
            return self._answer
        self._debt_s = 0.0
        now_s = self._clock_s()
        if self._due and self._due[0][0] <= now_s:
            self._debt_s = max(0.0, self._read_due(now_s, allowed_s) - allowed_s)
        return self._answer

    def note(self, process: Process) -> None:
        """Take in that something of a process is another than at the last scan."""
        entry = self._entries.get(process.identity)
        if entry is None or entry.size_bytes is None:
            return
        rss_bytes = process.rss_bytes or 0
        steady = abs(rss_bytes - entry.rss_bytes) <= max(_STEADY_BYTES, entry.rss_bytes // 256)
        interval_s = active_interval_s(rss_bytes) if steady else moved_interval_s(rss_bytes)
        if entry.read_s + interval_s < entry.due_s:
            self._plan(process.identity, entry, entry.read_s + interval_s)

    def drop(self, identity: Identity) -> None:
        """Forget a process that is gone."""
        if self._entries.pop(identity, None) is not None:
            self._asked = None

    def clear(self) -> None:
        """Forget everything."""
        self._entries.clear()
        self._ask(())

    def _ask(self, asked: tuple[Identity, ...]) -> None:
        self._asked = asked
        for entry in self._entries.values():
            entry.asked = False
        entries = {identity: self._entries.setdefault(identity, _Entry()) for identity in asked}
        for entry in entries.values():
            entry.asked = True
        self._due = [(entry.due_s, next(self._order), identity, entry) for identity, entry in entries.items()]
        heapq.heapify(self._due)
        answer = {i: entry.size_bytes for i, entry in entries.items() if entry.size_bytes is not None}
        if answer != self._answer:
            self._answer = answer

    def _read_due(self, now_s: float, allowed_s: float) -> float:
        """Read what is due until the time is used up, at least one; return how long it took."""
        began_s, spent_s = now_s, 0.0
        news: dict[Identity, int | None] = {}
        while spent_s < allowed_s and self._due and self._due[0][0] <= now_s:
            due_s, _, identity, entry = heapq.heappop(self._due)
            if due_s != entry.due_s:
                continue  # It was put forward, and has been read at that place.
            before = entry.size_bytes
            self._take(identity, entry)
            if entry.size_bytes != before:
                news[identity] = entry.size_bytes
            spent_s = self._clock_s() - began_s
        self._tell(news)
        return spent_s

    def _read_all(self, asked: tuple[Identity, ...]) -> Mapping[Identity, int]:
        entries = {identity: self._entries.get(identity) or _Entry() for identity in asked}
        for identity, entry in entries.items():
            self._take(identity, entry)
        found = {identity: entry for identity, entry in entries.items() if entry.size_bytes is not None}
        self._entries |= found
        self._tell({identity: entry.size_bytes for identity, entry in entries.items() if entry.asked})
        return {identity: entry.size_bytes for identity, entry in found.items() if entry.size_bytes is not None}

    def _take(self, identity: Identity, entry: _Entry) -> None:
        entry.size_bytes = self._read(identity)
        entry.read_s = self._clock_s()
        entry.rss_bytes = self._rss_bytes(identity)
        self._plan(identity, entry, entry.read_s + (RESTING_S if entry.size_bytes is not None else UNREAD_S))

    def _plan(self, identity: Identity, entry: _Entry, due_s: float) -> None:
        entry.due_s = due_s
        if entry.asked:
            heapq.heappush(self._due, (due_s, next(self._order), identity, entry))

    def _tell(self, news: Mapping[Identity, int | None]) -> None:
        """Hand out another mapping from now on if a footprint is another, and leave the one handed out as it is."""
        if any(self._answer.get(identity) != size for identity, size in news.items()):
            told = {**self._answer, **news}
            self._answer = {identity: size for identity, size in told.items() if size is not None}
