"""The one door through which a signal leaves this program.

A signal goes to one verified process at a time, never to a process group. Before each batch every target's handle is
opened (on Linux a pidfd: it can never come to mean another process), then its identity, program and owner are read
again from the system, then the protections are checked on that fresh table, then the signal goes through the handle.
What does not pass is not signalled, and the reason is told.

What remains open where the system has no pidfd (macOS, Windows): the moment between re-reading the start time and the
call. An exec between the fresh read and the signal cannot be seen anywhere.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from trayapp.bystanders import Bystander, bystander
from trayapp.model.plan import Reason
from trayapp.model.process import Identity, Process, ProcessTable
from trayapp.probe.signals import ProcessHandle, SendResult, open_process
from trayapp.reclaim.plan import recheck


class TableReader(Protocol):
    """Read processes anew; a Probe is one."""

    def scan(self) -> ProcessTable: ...

    def forget(self, identities: Collection[Identity]) -> None:
        """Read program and arguments of these again at the next scan, whatever was kept of them."""
        ...


class Delivery(StrEnum):
    """What became of one signal."""

    SENT = "sent"
    GONE = "gone"
    REFUSED = "refused"
    DENIED = "denied"


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivered:
    """Tell what became of one signal to one process; `reason` is set where it was refused."""

    process: Process
    delivery: Delivery
    reason: Reason | None = None


class Guard:
    """Send signals, and tell who is still there. Used from the worker thread only."""

    def __init__(
        self,
        reader: TableReader,
        *,
        open_handle: Callable[[Identity], ProcessHandle | None] = open_process,
        caller_pid: int | None = None,
    ) -> None:
        self._reader = reader
        self._open = open_handle
        self._caller_pid = caller_pid

    def send(self, targets: Sequence[Process], which: signal.Signals) -> tuple[Delivered, ...]:
        """Send one signal to each of the targets in the order given.

        A target is the process as the decision saw it; one that runs another program by now is refused.
        """
        if not targets:
            return ()
        with ExitStack() as opened:
            handles: dict[Identity, ProcessHandle | None] = {}
            for target in targets:
                handle = handles[target.identity] = self._open(target.identity)
                if handle is not None:
                    opened.enter_context(handle)
            self.doubt(target.identity for target in targets)
            table = self._reader.scan()
            own_line = table.own_line(self._caller_pid)
            return tuple(self._deliver(target, handles[target.identity], table, own_line, which) for target in targets)

    def doubt(self, identities: Iterable[Identity]) -> None:
        """Have program and arguments of these read anew by the next scan, whatever was kept of them."""
        self._reader.forget(tuple(identities))

    def alive(self, identities: Iterable[Identity]) -> frozenset[Identity]:
        """Return those that still run; a zombie does not (case 090)."""
        return frozenset(identity for identity in identities if self._is_alive(identity))

    def _is_alive(self, identity: Identity) -> bool:
        handle = self._open(identity)
        if handle is None:
            return False
        with handle:
            return handle.is_alive()

    def _deliver(
        self,
        target: Process,
        handle: ProcessHandle | None,
        table: ProcessTable,
        own_line: Collection[int],
        which: signal.Signals,
    ) -> Delivered:
        now = table.processes.get(target.pid)
        changed = recheck(target, now)
        if changed is Reason.ALREADY_ENDED or now is None:
            return Delivered(process=target, delivery=Delivery.GONE)
        reason = changed or _refusal(target, now, table, own_line)
        if reason is not None:
            return Delivered(process=target, delivery=Delivery.REFUSED, reason=reason)
        if handle is None:
            return Delivered(process=target, delivery=Delivery.GONE)
        results = {SendResult.SENT: Delivery.SENT, SendResult.GONE: Delivery.GONE, SendResult.DENIED: Delivery.DENIED}
        return Delivered(process=target, delivery=results[handle.send(which)])


def _refusal(target: Process, now: Process, table: ProcessTable, own_line: Collection[int]) -> Reason | None:
    """Say why this process must not be signalled; None = it may."""
    if now.pid in own_line:
        return Reason.SELF_OR_ANCESTOR
    if now.pid <= 1 or now.pid in table.reaper_pids:
        return Reason.PROTECTED_APP
    if table.own_uid is not None and now.uid != table.own_uid:
        return Reason.NOT_OURS
    if table.is_in_other_namespace(now):
        return Reason.OTHER_PID_NAMESPACE
    if now.unit is not None:
        return Reason.LEGIT_DAEMON
    if bystander(now) not in (None, Bystander.EDITOR):
        # An editor can be a job in an agent's own terminal; as an app of its own it is never a member of a group.
        return Reason.PROTECTED_APP
    if now.argv != target.argv and now.argv is not None and len(now.argv) > 1:
        # An interpreter that runs another script keeps its executable and name. A title, which a program may write over
        # its arguments at any time, is one argument.
        return Reason.IDENTITY_CHANGED
    return None
