"""One action at a time on this computer, whichever program carries it out: the tray, a command, a second user session.

A lock on a file beside the journal (file_lock.py), waited for without holding up the worker's loop.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from trayapp.file_lock import try_to_lock

POLL_S = 0.1
PATIENCE_S = 60.0
"""How long one action waits for another program's."""


class NotNow(Exception):
    """Another program has been acting for too long."""


def turn_file(journal: Path) -> Path:
    """Return the file that is locked by whoever acts by this journal."""
    return journal.with_name(f"{journal.name}.lock")


@asynccontextmanager
async def turn(
    path: Path, *, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep, patience_s: float = PATIENCE_S
) -> AsyncIterator[None]:
    """Wait until nobody else acts, and keep it so. Raises NotNow when that takes too long, OSError for the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        waited_s = 0.0
        while not try_to_lock(descriptor):
            if waited_s >= patience_s:
                raise NotNow
            await sleep(POLL_S)
            waited_s += POLL_S
        yield
    finally:
        os.close(descriptor)
