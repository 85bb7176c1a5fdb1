"""Processes as the operating system tells of them, before anyone is said to own them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple


class Identity(NamedTuple):
    """Name one process for as long as the machine is up.

    `start` is the kernel's own raw start value and only ever compared: clock ticks since boot on Linux (proc(5), field
    22 of stat), microseconds as stored at fork on macOS (p_starttime), 100 ns units on Windows. It never passes through
    the wall clock, so a stepped clock or another time zone cannot change who a process is.
    """

    pid: int
    start: int

    def __str__(self) -> str:
        return f"{self.pid}:{self.start}"


class ProcessStatus(StrEnum):
    """What the scheduler says a process is doing."""

    RUNNING = "running"
    SLEEPING = "sleeping"
    UNINTERRUPTIBLE = "uninterruptible"
    STOPPED = "stopped"
    ZOMBIE = "zombie"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """Describe one process at one moment.

    A field that could not be read is None (or missing from `env`) and named in `unreadable`; absent is never zero.

    Attributes:
        identity: who it is.
        ppid: the parent's pid as recorded; it may be gone or reused (ProcessTable.parent checks).
        name: the kernel's name for it; may be cut at 15 bytes, rewritten, or a version number.
        exe: resolved executable path.
        argv: arguments as a list; may be rewritten by the program.
        cwd: working directory.
        env: only the variables that the host adapters asked for by name.
        tty: terminal name such as "pts/3"; None = no terminal.
        tty_input_epoch_s: wall clock of the last key press in that terminal (access time of the tty, as w(1) shows).
        uid: real user id.
        status: scheduler state.
        start_s: start in seconds since boot, same base as ProcessTable.uptime_s.
        pgid, sid: process group and session.
        pid_namespace: inode of the PID namespace; None where the system has none or does not tell.
        unit: the service manager's own unit whose main process this is.
        rss_bytes: resident set; shared pages count in every process that maps them.
        footprint_bytes: what ending it would give back, by ProcessTable.footprint_metric.
        cpu_s: user + system CPU seconds of its own.
        children_cpu_s: CPU seconds of children that it has already reaped.
        client_pids: processes connected to its sockets; None = not asked.
        stdio_piped: standard input and output are both pipes or sockets (how stdio servers are run).
        unreadable: names of the fields that the system refused to tell.
    """

    identity: Identity
    ppid: int
    name: str
    exe: str | None = None
    argv: tuple[str, ...] | None = None
    cwd: str | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    tty: str | None = None
    tty_input_epoch_s: float | None = None
    uid: int | None = None
    status: ProcessStatus = ProcessStatus.SLEEPING
    start_s: float = 0.0
    pgid: int | None = None
    sid: int | None = None
    pid_namespace: int | None = None
    unit: str | None = None
    rss_bytes: int | None = None
    footprint_bytes: int | None = None
    cpu_s: float | None = None
    children_cpu_s: float | None = None
    client_pids: tuple[int, ...] | None = None
    stdio_piped: bool | None = None
    unreadable: frozenset[str] = frozenset()

    @property
    def pid(self) -> int:
        return self.identity.pid

    @property
    def is_zombie(self) -> bool:
        return self.status is ProcessStatus.ZOMBIE


class Pressure(StrEnum):
    """How short of memory the machine says it is."""

    NORMAL = "normal"
    WARNING = "warning"
    CRITICAL = "critical"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """Describe the whole machine at one moment."""

    name: str
    platform: str
    memory_total_bytes: int
    memory_available_bytes: int
    pressure: Pressure
    cpu_count: int
    swap_used_bytes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """Say what is different in a table from an earlier one of the same probe, but for figures.

    Figures are memory, CPU time, the scheduler state of what runs, and key presses; all else counts: parent, program,
    arguments, folder, variables, terminal, becoming a zombie.

    Attributes:
        since: the `serial` of that earlier table.
        appeared, gone: who came and who went; a pid in use again is one of each.
        changed: who is still there and looks different.
        moved: who has another figure now; all others are the very same objects as before.
    """

    since: int
    appeared: frozenset[Identity] = frozenset()
    gone: frozenset[Identity] = frozenset()
    changed: frozenset[Identity] = frozenset()
    moved: frozenset[Identity] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.appeared or self.gone or self.changed)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessTable:
    """Hold every process of one scan.

    Attributes:
        processes: by pid.
        taken_at: wall clock, UTC.
        monotonic_s: clock that stops while the machine sleeps; only differences count.
        uptime_s: seconds since boot, same base as Process.start_s.
        machine: the machine at that moment.
        own_pid, own_uid, own_pid_namespace: this program.
        reaper_pids: processes that inherit orphans (PID 1, `systemd --user`, other subreapers); being their child says
            nothing about who owns a process.
        absent_pids: parents known to be gone although a pid of that number may be named.
        complete: False for a table that is a cut (a capture, a report); a parent outside it then lives and is no agent.
        footprint_metric: "physical-footprint", "pss", "private-working-set", or None where there is none.
        serial: number of the scan, unique per probe; `changes` refers to it.
        changes: what is different since an earlier scan; None = not known, everything may be.
    """

    processes: Mapping[int, Process]
    taken_at: datetime
    monotonic_s: float
    uptime_s: float
    machine: Machine
    own_pid: int
    own_uid: int | None
    own_pid_namespace: int | None = None
    reaper_pids: frozenset[int] = frozenset({1})
    absent_pids: frozenset[int] = frozenset()
    complete: bool = True
    footprint_metric: str | None = None
    serial: int = field(default=0, compare=False)
    changes: Changes | None = field(default=None, compare=False)
    _family: list[dict[int, tuple[int, ...]]] = field(init=False, default_factory=list, repr=False, compare=False)
    """The children of each pid, once somebody asked; shared by tables in which nobody came, went or changed."""
    _lines: dict[int | None, frozenset[int]] = field(init=False, default_factory=dict, repr=False, compare=False)

    def get(self, identity: Identity) -> Process | None:
        """Return that very process, or None when it is gone or its pid now names another."""
        process = self.processes.get(identity.pid)
        return process if process is not None and process.identity == identity else None

    def age_s(self, process: Process) -> float:
        return max(0.0, self.uptime_s - process.start_s)

    def parent(self, process: Process) -> Process | None:
        """Return the true parent; a parent younger than its child is another process with a reused pid (case 053)."""
        parent = self.processes.get(process.ppid)
        if parent is None or parent.pid == process.pid or parent.start_s > process.start_s:
            return None
        return parent

    def followed_by(self, processes: Mapping[int, Process], changes: Changes, **values: Any) -> ProcessTable:
        """Return the table of the next scan of the same probe; what does not change with time is taken over."""
        table = replace(self, processes=processes, changes=changes, **values)
        if not changes:
            object.__setattr__(table, "_family", self._family)
            object.__setattr__(table, "_lines", self._lines)
        return table

    def children(self, pid: int) -> tuple[Process, ...]:
        if not self._family:
            self._family.append(self._children())
        return tuple([self.processes[child] for child in self._family[0].get(pid, ())])

    def _children(self) -> dict[int, tuple[int, ...]]:
        children: dict[int, list[int]] = {}
        for process in self.processes.values():
            if self.parent(process) is not None:
                children.setdefault(process.ppid, []).append(process.pid)
        return {pid: tuple(sorted(pids)) for pid, pids in children.items()}

    def ancestors(self, process: Process) -> Iterator[Process]:
        """Yield the parent, its parent and so on; ends at a reused pid, a gone parent or a loop."""
        seen = {process.pid}
        current = self.parent(process)
        while current is not None and current.pid not in seen:
            seen.add(current.pid)
            yield current
            current = self.parent(current)

    def own_line(self, caller_pid: int | None = None) -> frozenset[int]:
        """Return the pids of this program, of the caller where that is another, and of all their ancestors."""
        if caller_pid not in self._lines:
            known = (self.processes.get(pid) for pid in (self.own_pid, caller_pid) if pid is not None)
            line = (each for process in known if process is not None for each in (process, *self.ancestors(process)))
            self._lines[caller_pid] = frozenset(process.pid for process in line)
        return self._lines[caller_pid]

    def is_anothers(self, process: Process) -> bool:
        """Say whether a process is known to be another user's."""
        return self.own_uid is not None and process.uid is not None and process.uid != self.own_uid

    def is_in_other_namespace(self, process: Process) -> bool:
        """Say whether a process is known to run in another PID namespace."""
        own = self.own_pid_namespace
        return own is not None and process.pid_namespace is not None and process.pid_namespace != own

    def descendants(self, pid: int) -> Iterator[Process]:
        """Yield all processes below `pid`, parents before children."""
        queue = list(self.children(pid))
        while queue:
            process = queue.pop(0)
            yield process
            queue.extend(self.children(process.pid))
