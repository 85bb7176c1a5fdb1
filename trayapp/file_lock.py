"""A lock between programs of one user, so that two of them change a file one after the other.

The lock is the system's and held on a file beside the one that is changed: it ends with the program that holds it, also
when that crashes. The file of the lock stays and is empty.
"""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

WAIT_S = 5.0
"""Somebody who holds it for longer than this hangs: a change takes milliseconds."""

POLL_S = 0.01

if sys.platform == "win32":
    import msvcrt

    def try_to_lock(descriptor: int) -> bool:
        """Take the lock if nobody else has it."""
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

else:
    import fcntl

    def try_to_lock(descriptor: int) -> bool:
        """Take the lock if nobody else has it."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


@contextmanager
def locked(
    path: Path,
    *,
    wait_s: float = WAIT_S,
    clock_s: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[None]:
    """Hold the lock of `path` (a file of its own, made where it is missing); blocks, from any thread.

    Raises TimeoutError, which is an OSError, when another program does not let it go within `wait_s`.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        end_s = clock_s() + wait_s
        while not try_to_lock(descriptor):
            if clock_s() >= end_s:
                raise TimeoutError(errno.ETIMEDOUT, f"another program holds it for longer than {wait_s:g} s", str(path))
            sleep(POLL_S)
        yield
    finally:
        os.close(descriptor)
