"""The one door to a process: open exactly the process that was seen, ask if it lives, send it a signal.

Only reclaim/guard.py may import this; it decides what may be sent, here is only made sure that it reaches that process
and no other. On Linux a pidfd holds the process (pidfd_open(2)): opened first, then the start time is read and
compared, and from then on the descriptor cannot come to mean another process. Elsewhere, and on kernels or in sandboxes
without pidfds, the start time is read again immediately before each signal; some microseconds remain in which the pid
could be given to another process.
"""

from __future__ import annotations

import errno
import os
import select
import signal
import sys
from collections.abc import Callable
from enum import StrEnum
from types import TracebackType
from typing import Protocol, Self

from trayapp.model.process import Identity

if sys.platform == "linux":
    from trayapp.probe.linux import read_state
elif sys.platform == "darwin":
    from trayapp.probe.macos import read_state
else:
    from trayapp.probe.portable import read_state


class SendResult(StrEnum):
    """What became of a signal. SENT says that the system took it, not that the process ended."""

    SENT = "sent"
    GONE = "gone"
    DENIED = "denied"


class ProcessHandle(Protocol):
    """Hold one process. Use as a context manager, or close it."""

    identity: Identity

    def is_alive(self) -> bool:
        """Tell if it still runs; a zombie counts as gone."""
        ...

    def send(self, sig: signal.Signals) -> SendResult:
        """Send a signal to it, and to nothing else. Other faults of the system call are raised as OSError."""
        ...

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def open_process(identity: Identity) -> ProcessHandle | None:
    """Open that very process; None = it is gone (a zombie too), or its pid names another now."""
    handle: ProcessHandle | None = None
    if sys.platform == "linux":
        handle = _open_pidfd(identity)
    if handle is None:
        handle = RecheckedProcess(identity)
    state = read_state(identity.pid)
    if state is not None and state[0] == identity.start and handle.is_alive():
        return handle
    handle.close()
    return None


def sigterm_is_orderly() -> bool:
    """Tell if SIGTERM lets a process tidy up. On Windows it does not: os.kill() ends the process at once."""
    return sys.platform != "win32"


class _Closing:
    """Make a handle a context manager."""

    def close(self) -> None:
        """Hold nothing that needs closing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class RecheckedProcess(_Closing):
    """Hold a process by pid and start time; both are compared immediately before each signal."""

    def __init__(self, identity: Identity, kill: Callable[[int, int], None] = os.kill) -> None:
        self.identity = identity
        self._kill = kill

    def is_alive(self) -> bool:
        return read_state(self.identity.pid) == (self.identity.start, True)

    def send(self, sig: signal.Signals) -> SendResult:
        if not self.is_alive():
            return SendResult.GONE
        return _result_of(lambda: self._kill(self.identity.pid, sig))


if sys.platform == "linux":

    class PidfdProcess(_Closing):
        """Hold a process by its pidfd."""

        def __init__(self, identity: Identity, descriptor: int) -> None:
            self.identity = identity
            self._descriptor: int | None = descriptor
            self._poll = select.poll()
            self._poll.register(descriptor, select.POLLIN)

        def is_alive(self) -> bool:
            # Readable = every thread has exited; that includes a zombie that waits for its parent (pidfd_open(2)).
            return self._descriptor is not None and not self._poll.poll(0)

        def send(self, sig: signal.Signals) -> SendResult:
            descriptor = self._descriptor
            if descriptor is None or not self.is_alive():
                return SendResult.GONE
            return _result_of(lambda: signal.pidfd_send_signal(descriptor, sig))

        def close(self) -> None:
            if self._descriptor is not None:
                self._poll.unregister(self._descriptor)
                os.close(self._descriptor)
                self._descriptor = None

    def _open_pidfd(identity: Identity) -> ProcessHandle | None:
        """Open a pidfd; None = no such process (the caller finds out again), or no pidfds here."""
        if not hasattr(os, "pidfd_open"):
            return None
        try:
            return PidfdProcess(identity, os.pidfd_open(identity.pid))
        except OSError as error:
            # EINVAL, ENOENT: the number is a thread's. ENOSYS: before Linux 5.3. EPERM: a seccomp filter.
            if error.errno in (errno.ESRCH, errno.EINVAL, errno.ENOENT, errno.ENOSYS, errno.EPERM):
                return None
            raise


def _result_of(send: Callable[[], None]) -> SendResult:
    try:
        send()
    except ProcessLookupError:
        return SendResult.GONE
    except PermissionError:
        return SendResult.DENIED
    return SendResult.SENT
