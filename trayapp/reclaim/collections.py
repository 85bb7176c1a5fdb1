"""Wait until the heaps in which sessions were released have been collected, and tell what came back.

A garbage-collected heap gives back what was released when it is next collected as a whole, not at once, and an idle
host may not collect by itself. So it is asked to, once, when it has not done so after a few seconds. Where the host
counts its full collections the next one is awaited, else the bytes that were expected.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from trayapp.model.process import Identity
from trayapp.model.receipt import HeapChange
from trayapp.model.session import Heap
from trayapp.model.snapshot import HeapUse

WAIT_S = 60.0
AGAIN_S = 2.0
ASK_AFTER_S = 6.0
"""So long a collection of the host's own is waited for."""
COLLECTED_SHARE = 0.7
"""So much of what was expected has to come back where nobody counts collections; the rest may be estimate."""

Ask = Callable[[str, Identity], Awaitable[tuple[Heap, int | None] | None]]
"""Return how full the heap of a host's process is now and how many full collections it has seen; None = no answer."""


Collect = Callable[[str, Identity], Awaitable[bool]]
"""Ask a host to collect the heap of its process; False = it does not do it now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """Say what a heap held before anything was released in it, and what was expected to come back."""

    before: HeapUse
    expected_bytes: int


async def await_collections(
    expected: Mapping[Identity, Expected],
    ask: Ask,
    collect: Collect,
    *,
    clock_s: Callable[[], float],
    sleep: Callable[[float], Awaitable[None]],
    waiting: Callable[[float], bool],
) -> tuple[HeapChange, ...]:
    """Return what became of each heap, when all have been collected or the time is over.

    `waiting` is told how long it has taken and answers whether to go on. A heap of which nothing can be heard any more
    (its host ended) is left out.
    """
    began_s = clock_s()
    seen_before: dict[Identity, int | None] = {}
    asked: set[Identity] = set()
    changes: dict[Identity, HeapChange] = {}
    open_ones = dict(expected)
    while open_ones:
        waited_s = clock_s() - began_s
        for identity, what in list(open_ones.items()):
            done = False
            if waited_s >= ASK_AFTER_S and identity not in asked:
                asked.add(identity)
                done = await collect(what.before.host, identity)
            answer = await ask(what.before.host, identity)
            if answer is None:
                del open_ones[identity]
                continue
            heap, collections = answer
            first = seen_before.setdefault(identity, collections)
            if collections is None or first is None:
                came_back = what.before.used_bytes - heap.used_bytes
                collected = came_back >= COLLECTED_SHARE * what.expected_bytes
            else:
                collected = collections > first
            collected = collected or done
            changes[identity] = _change(what, identity, heap, waited_s, collected)
            if collected:
                del open_ones[identity]
        if open_ones and (waited_s >= WAIT_S or not waiting(waited_s)):
            break
        if open_ones:
            await sleep(AGAIN_S)
    return tuple(change for _, change in sorted(changes.items()))


def _change(what: Expected, identity: Identity, now: Heap, awaited_s: float, collected: bool) -> HeapChange:
    return HeapChange(
        host=what.before.host,
        identity=identity,
        before_bytes=what.before.used_bytes,
        after_bytes=now.used_bytes,
        limit_bytes=now.limit_bytes,
        expected_bytes=what.expected_bytes,
        awaited_s=awaited_s,
        collected=collected,
    )
