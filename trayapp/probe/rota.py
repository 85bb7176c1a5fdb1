"""Who is read when among those that are not read at every scan: each in turn, so many per scan as a beat asks for."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator
from typing import Generic, Protocol, TypeVar

SLACK = 1000
"""How many that have left may stand in the queue, besides as many as were there when it was cleared of such."""


class Waiting(Protocol):
    """Something that takes turns; `waiting` is the rota's own note that it stands in the queue."""

    waiting: bool


W = TypeVar("W", bound=Waiting)


class Rota(Generic[W]):
    """Let those take turns of whom `belongs` says yes; the others leave it when their turn comes."""

    def __init__(self, belongs: Callable[[W], bool]) -> None:
        self._belongs = belongs
        self._queue: deque[W] = deque()
        self._clear_at = SLACK

    def __len__(self) -> int:
        return len(self._queue)

    def add(self, one: W) -> None:
        """Let it have its turn after all the others, if it does not stand in the queue already."""
        if one.waiting:
            return
        one.waiting = True
        self._queue.append(one)
        # Without turns, as while all are read at each scan, nobody would ever leave.
        if len(self._queue) > self._clear_at:
            self._queue = deque(each for each in self._queue if self._belongs(each))
            self._clear_at = 2 * len(self._queue) + SLACK

    def due(self, since_s: float, *, beat_s: float, at_most: int) -> Iterator[W]:
        """Yield those whose turn it is when all have one in `beat_s` and the last were `since_s` ago."""
        left = min(at_most, math.ceil(len(self._queue) * since_s / beat_s))
        for _ in range(len(self._queue)):
            if left <= 0:
                return
            one = self._queue.popleft()
            if not self._belongs(one):
                one.waiting = False
                continue
            self._queue.append(one)
            left -= 1
            yield one

    def clear(self) -> None:
        """Let nobody wait any more."""
        for one in self._queue:
            one.waiting = False
        self._queue.clear()
