"""Processes and memory through psutil: the whole of Windows, and what macOS has no better call for.

It runs on Linux too, so that the contract test holds it to the same promises as the others. A system that knows a
better way for one question overrides one of the methods under "What a system may know better".

The start in an Identity is the creation time in 100 ns units, as Windows keeps it (FILETIME; psutil hands it over as
seconds, always the same number for the same process). Every psutil exception ends here.
"""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar

import psutil

from trayapp.model.process import Identity, Machine, Pressure, Process, ProcessStatus, ProcessTable
from trayapp.probe.difference import first_table, next_table
from trayapp.probe.pressure import judge_pressure
from trayapp.probe.rota import Rota
from trayapp.probe.turns import Turns

T = TypeVar("T")

YOUNG_S = 10.0
"""Until this age a process may still be on its way through fork and exec; it is read again at each scan."""

CWD_INTERVAL_S = 30.0
"""How often folder, program and arguments of a followed process are read again."""

REST_INTERVAL_S = 300.0
"""How often those of another are, at its turn."""

SLOW_BEAT_S = 60.0
"""Within about this a process that is not followed is read again by scans that are not of the whole."""

SLOW_READS = 32
"""How many of them one scan reads at most; half as many as on Linux, for psutil takes ten times as long."""

_START_UNITS_PER_S = 10_000_000

_STATUSES = {
    psutil.STATUS_RUNNING: ProcessStatus.RUNNING,
    psutil.STATUS_SLEEPING: ProcessStatus.SLEEPING,
    psutil.STATUS_IDLE: ProcessStatus.SLEEPING,
    psutil.STATUS_DISK_SLEEP: ProcessStatus.UNINTERRUPTIBLE,
    psutil.STATUS_STOPPED: ProcessStatus.STOPPED,
    psutil.STATUS_TRACING_STOP: ProcessStatus.STOPPED,
    psutil.STATUS_ZOMBIE: ProcessStatus.ZOMBIE,
}


def read_state(pid: int) -> tuple[int, bool] | None:
    """Return the start of the process that has this pid now, and if it still runs; None = there is none.

    A process that refuses to tell its state runs; one that refuses to tell its start cannot be told from another: None.
    """
    try:
        process = psutil.Process(pid)
        return _start(process), _ask(process.status, "status", set()) != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Hold what changes from scan to scan; `unreadable` names what was refused.

    `footprint_bytes` is only set where it comes with the other figures for nothing.
    """

    identity: Identity
    start_s: float
    ppid: int
    name: str
    status: ProcessStatus
    uid: int | None = None
    pgid: int | None = None
    sid: int | None = None
    tty: str | None = None
    tty_input_epoch_s: float | None = None
    rss_bytes: int | None = None
    footprint_bytes: int | None = None
    cpu_s: float | None = None
    children_cpu_s: float | None = None
    unreadable: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """Hold what is read once per process, and again while it is young, when its name changed, and now and then."""

    argv: tuple[str, ...] | None = None
    exe: str | None = None
    cwd: str | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    unreadable: frozenset[str] = frozenset()


@dataclass(slots=True, kw_only=True, eq=False)
class _Known:
    """Remember one process between scans; `waiting`: it takes turns with others (trayapp.probe.rota)."""

    process: Process
    reading: Reading
    details: Details
    read_age_s: float
    due_s: float
    read_serial: int
    waiting: bool = False

    @property
    def identity(self) -> Identity:
        return self.reading.identity


class Probe:
    """Read this system through psutil; see the package for what its methods promise.

    The footprint is the private part of the working set ("unique set size" to psutil): what Windows gives back when the
    process ends. psutil counts it page by page, so it is read within a budget like PSS on Linux.
    """

    footprint_metric = "private-working-set"
    reaper_pids: frozenset[int] = frozenset() if sys.platform == "win32" else frozenset({1})

    def __init__(self, *, environment_names: Collection[str] = ()) -> None:
        self._environment_names = tuple(environment_names)
        self._known: dict[int, _Known] = {}
        self._wanted: frozenset[Identity] = frozenset()
        self._young: set[int] = set()
        self._forgotten: set[int] = set()
        self._others: Rota[_Known] = Rota(self._has_turns)
        self._table: ProcessTable | None = None
        self._machine: Machine | None = None
        self._serial = 0
        self._scanned_s = self._now_s = 0.0
        self._read: dict[int, Process] = {}
        self._gone: set[int] = set()
        self._turns = Turns(self._footprint_now, self._rss_bytes)

    def close(self) -> None:
        """Forget everything."""
        self._table = None
        self._wanted = frozenset()
        self._turns.clear()
        for kept in (self._known, self._young, self._forgotten):
            kept.clear()
        self._others.clear()

    def follow(self, identities: Collection[Identity]) -> None:
        """Read these at every scan from now on, and no others."""
        for identity in self._wanted.difference(identities):
            known = self._known.get(identity.pid)
            if known is not None:
                self._others.add(known)
        self._wanted = frozenset(identities)
        for identity in self._wanted:
            known = self._known.get(identity.pid)
            if known is not None:
                known.due_s = min(known.due_s, self._now_s + CWD_INTERVAL_S)

    def scan(self, *, whole: bool = True) -> ProcessTable:
        """Read every process; without `whole` those that are followed, new or young, and some in turn.

        `uptime_s` and starts rest on the wall clock here; only their difference counts.
        """
        taken_at = datetime.now(UTC)
        monotonic_s, uptime_s = self._monotonic_s(), self._uptime_s()
        since_s, self._scanned_s, self._now_s = monotonic_s - self._scanned_s, monotonic_s, uptime_s
        self._serial += 1
        self._read, self._gone = {}, set()
        pids, stirred = self._list()
        for known in [known for pid, known in self._known.items() if pid not in pids]:
            self._lose(known)
        again, self._forgotten = self._forgotten & self._known.keys(), set()
        for pid in again:
            self._known[pid].due_s = float("-inf")
        if whole:
            due = set(pids)
        else:
            followed = {identity.pid for identity in self._wanted} & self._known.keys()
            due = (pids - self._known.keys()) | followed | self._young | again | (stirred & pids)
        for pid in sorted(due):
            self._look_at(pid)
        if not whole:
            for known in self._others.due(since_s, beat_s=SLOW_BEAT_S, at_most=SLOW_READS):
                self._look_at(known.identity.pid)
        self._table = self._next_table(taken_at=taken_at, monotonic_s=monotonic_s, uptime_s=uptime_s)
        return self._table

    def footprints(self, identities: Collection[Identity], budget_s: float | None) -> Mapping[Identity, int]:
        """Return the footprints in bytes, read in turn (trayapp.probe.turns) within the budget.

        `budget_s` is in elapsed seconds, on average over the calls; None = read all of them now. Processes that are
        gone, unreadable or not read yet are missing.
        """
        return self._turns.answer(identities, budget_s)

    def open_files(self, identity: Identity) -> tuple[str, ...] | None:
        """Return the paths of the regular files that it holds open; None = gone or denied."""
        return self._same(
            identity, lambda: tuple(sorted({file.path for file in psutil.Process(identity.pid).open_files()}))
        )

    def listening_ports(self, identity: Identity) -> tuple[int, ...] | None:
        """Return the TCP ports on which it listens; None = gone or denied."""

        def ports() -> tuple[int, ...]:
            connections = psutil.Process(identity.pid).net_connections(kind="tcp")
            return tuple(sorted({c.laddr.port for c in connections if c.status == psutil.CONN_LISTEN}))

        return self._same(identity, ports)

    def variable(self, identity: Identity, name: str) -> str | None:
        """Return one variable of its environment, "" where it is not set; None = gone or denied. Kept nowhere."""
        return self._same(identity, lambda: _clean(psutil.Process(identity.pid).environ().get(name, "")))

    def forget(self, identities: Collection[Identity]) -> None:
        """Read these anew at the next scan, program and arguments too, however long they have been known."""
        self._forgotten.update(identity.pid for identity in identities)

    def machine(self) -> Machine:
        """Describe the machine's memory; the same object for as long as no figure moved."""
        memory = psutil.virtual_memory()
        machine = Machine(
            name=socket.gethostname(),
            platform={"win32": "windows", "darwin": "macos"}.get(sys.platform, sys.platform),
            memory_total_bytes=memory.total,
            memory_available_bytes=memory.available,
            pressure=self._pressure(memory.available / memory.total),
            cpu_count=os.cpu_count() or 1,
            swap_used_bytes=psutil.swap_memory().used,
        )
        if self._machine is None or machine != self._machine:
            self._machine = machine
        return self._machine

    # What a system may know better. psutil.Error may leave these; it is caught above.

    def _list(self) -> tuple[set[int], set[int]]:
        """Return the pids there are, and those of which the listing alone tells that something is different."""
        return set(psutil.pids()), set()

    def _reading(self, pid: int) -> Reading:
        """Read what changes; psutil.Error = gone, or its start was refused, and without it there is no identity."""
        return _read(psutil.Process(pid))

    def _details(self, identity: Identity) -> Details:
        process = psutil.Process(identity.pid)
        unreadable: set[str] = set()

        def ask(question: Callable[[], T], field_name: str) -> T | None:
            # psutil calls a Linux kernel thread gone when asked for its environment; `_same` knows better.
            with suppress(psutil.NoSuchProcess):
                return _ask(question, field_name, unreadable)
            return None

        argv = ask(process.cmdline, "argv")
        environment = (ask(process.environ, "env") if self._environment_names else None) or {}
        return Details(
            argv=None if argv is None else tuple(_clean(argument) for argument in argv),
            exe=_path(ask(process.exe, "exe")),
            cwd=_path(ask(process.cwd, "cwd")),
            env={name: _clean(environment[name]) for name in self._environment_names if name in environment},
            unreadable=frozenset(unreadable),
        )

    def _start_now(self, pid: int) -> int | None:
        state = read_state(pid)
        return None if state is None else state[0]

    def _footprint(self, pid: int) -> int | None:
        size: int = psutil.Process(pid).memory_full_info().uss
        return size

    def _pressure(self, available_share: float) -> Pressure:
        return judge_pressure(available_share=available_share)

    def _monotonic_s(self) -> float:
        return time.monotonic()

    def _uptime_s(self) -> float:
        return time.time() - psutil.boot_time()

    # What is made of it.

    def _look_at(self, pid: int) -> None:
        """Read one process, once per scan."""
        known = self._known.get(pid)
        if known is not None and known.read_serial == self._serial:
            return
        try:
            reading: Reading | None = self._reading(pid)
        except psutil.Error:
            reading = None
        if known is not None and (reading is None or reading.identity != known.identity):
            self._lose(known)
            known = None
        if reading is None:
            return
        if known is not None and reading.start_s != known.reading.start_s:
            # The wall time of the boot moves when the clock is set; how long after it a process began does not.
            reading = replace(reading, identity=known.identity, start_s=known.reading.start_s)
        details, read_age_s, due_s = self._details_due(known, reading)
        if details is None:
            if known is not None:
                self._lose(known)
            return
        if known is None:
            process = _process(reading, details)
            known = _Known(process=process, reading=reading, details=details, read_age_s=0, due_s=0, read_serial=0)
            self._known[pid] = known
            if known.identity not in self._wanted:
                self._others.add(known)
        elif reading != known.reading or details != known.details:
            process = _process(reading, details)
            known.process = process if process != known.process else known.process
        known.reading, known.details, known.read_serial = reading, details, self._serial
        known.read_age_s, known.due_s = read_age_s, due_s
        self._read[pid] = known.process
        if read_age_s < YOUNG_S and reading.status is not ProcessStatus.ZOMBIE:
            self._young.add(pid)
        else:
            self._young.discard(pid)

    def _details_due(self, known: _Known | None, reading: Reading) -> tuple[Details | None, float, float]:
        """Return who the process is, read (again) where that is due, its age then, and when that is due next.

        None instead of details = it has just gone.
        """
        if reading.status is ProcessStatus.ZOMBIE:
            return Details(), YOUNG_S, float("inf")
        if known is not None and known.reading.status is not ProcessStatus.ZOMBIE:
            settled = known.read_age_s >= YOUNG_S and known.reading.name == reading.name
            if settled and self._now_s < known.due_s:
                return known.details, known.read_age_s, known.due_s
        details = self._same(reading.identity, lambda: self._details(reading.identity))
        interval_s = CWD_INTERVAL_S if reading.identity in self._wanted else REST_INTERVAL_S
        return details, self._now_s - reading.start_s, self._now_s + interval_s

    def _lose(self, known: _Known) -> None:
        """Take out a process that is gone."""
        pid = known.identity.pid
        del self._known[pid]
        self._young.discard(pid)
        self._read.pop(pid, None)
        self._gone.add(pid)
        self._turns.drop(known.identity)

    def _has_turns(self, known: _Known) -> bool:
        return self._known.get(known.identity.pid) is known and known.identity not in self._wanted

    def _next_table(self, **moment: Any) -> ProcessTable:
        moment |= {"machine": self.machine(), "serial": self._serial}
        last = self._table
        for pid, process in self._read.items():
            if last is None or last.processes.get(pid) is not process:
                self._turns.note(process)
        if last is not None:
            return next_table(last, self._read, self._gone, **moment)
        return first_table(
            {pid: known.process for pid, known in self._known.items()},
            own_pid=os.getpid(),
            own_uid=_own_uid(),
            reaper_pids=self.reaper_pids,
            footprint_metric=self.footprint_metric,
            **moment,
        )

    def _footprint_now(self, identity: Identity) -> int | None:
        return self._same(identity, partial(self._footprint, identity.pid))

    def _rss_bytes(self, identity: Identity) -> int:
        known = self._known.get(identity.pid)
        return (known.process.rss_bytes or 0) if known is not None and known.identity == identity else 0

    def _same(self, identity: Identity, read: Callable[[], T]) -> T | None:
        """Return what `read` finds, if the pid meant that very process before and after; None = gone or denied."""
        try:
            if self._start_now(identity.pid) != identity.start:
                return None
            found = read()
            return found if self._start_now(identity.pid) == identity.start else None
        except psutil.Error:
            return None


def _start(process: psutil.Process) -> int:
    return round(process.create_time() * _START_UNITS_PER_S)


def _read(process: psutil.Process) -> Reading:
    """Read what changes; a process that is gone raises psutil.NoSuchProcess."""
    unreadable: set[str] = set()
    with process.oneshot():
        created_s = process.create_time()
        memory = _ask(process.memory_info, "rss_bytes", unreadable)
        times = _ask(process.cpu_times, "cpu_s", unreadable)
        status = _ask(process.status, "status", unreadable)
        uid, pgid, sid = _posix_ids(process, unreadable)
        return Reading(
            identity=Identity(process.pid, round(created_s * _START_UNITS_PER_S)),
            start_s=created_s - psutil.boot_time(),
            ppid=process.ppid(),
            name=_clean(_ask(process.name, "name", unreadable) or ""),
            status=_STATUSES.get(status or "", ProcessStatus.OTHER),
            uid=uid,
            pgid=pgid,
            sid=sid,
            rss_bytes=None if memory is None else memory.rss,
            cpu_s=None if times is None else times.user + times.system,
            # psutil fills these in on Linux only; elsewhere they are always 0.
            children_cpu_s=times.children_user + times.children_system
            if times is not None and sys.platform == "linux"
            else None,
            unreadable=frozenset(unreadable),
        )


def _process(reading: Reading, details: Details) -> Process:
    return Process(
        identity=reading.identity,
        ppid=reading.ppid,
        name=reading.name,
        exe=details.exe,
        argv=details.argv,
        cwd=details.cwd,
        env=details.env,
        tty=reading.tty,
        tty_input_epoch_s=reading.tty_input_epoch_s,
        uid=reading.uid,
        status=reading.status,
        start_s=reading.start_s,
        pgid=reading.pgid,
        sid=reading.sid,
        rss_bytes=reading.rss_bytes,
        cpu_s=reading.cpu_s,
        children_cpu_s=reading.children_cpu_s,
        unreadable=reading.unreadable | details.unreadable,
    )


def _ask(question: Callable[[], T], field_name: str, unreadable: set[str]) -> T | None:
    """Ask psutil; None = refused (and named in `unreadable`), or a zombie, which has nothing to tell."""
    try:
        return question()
    except psutil.AccessDenied:
        unreadable.add(field_name)
        return None
    except psutil.ZombieProcess:
        return None


def _own_uid() -> int | None:
    if sys.platform == "win32":
        return None
    else:
        return os.getuid()


def _posix_ids(process: psutil.Process, unreadable: set[str]) -> tuple[int | None, int | None, int | None]:
    """Return its real user, process group and session; Windows has none of them."""
    if sys.platform == "win32":
        return None, None, None
    else:
        uids = _ask(process.uids, "uid", unreadable)
        try:
            return None if uids is None else uids.real, os.getpgid(process.pid), os.getsid(process.pid)
        except ProcessLookupError:
            raise psutil.NoSuchProcess(process.pid) from None


def _path(path: str | None) -> str | None:
    return _clean(path) if path else None


def _clean(text: str) -> str:
    """Replace what was not UTF-8 (psutil keeps it as lone surrogates), so that it can go into JSON."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace") if not text.isascii() else text
