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
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import TypeVar

import psutil

from trayapp.model.process import Identity, Machine, Pressure, Process, ProcessStatus, ProcessTable
from trayapp.probe.pressure import judge_pressure

T = TypeVar("T")

YOUNG_S = 10.0
"""Until this age a process may still be on its way through fork and exec; it is read again at each scan."""

CWD_INTERVAL_S = 30.0
"""How often a working directory is read again."""

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
    """Hold what changes from scan to scan; `unreadable` names what was refused."""

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
    cpu_s: float | None = None
    children_cpu_s: float | None = None
    unreadable: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """Hold what is read once per process, and again while it is young or when its name changed."""

    argv: tuple[str, ...] | None = None
    exe: str | None = None
    cwd: str | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    unreadable: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    name: str
    details: Details
    read_age_s: float
    due_s: float


class Probe:
    """Read this system through psutil; see the package for what its methods promise.

    The footprint is the private part of the working set ("unique set size" to psutil): what Windows gives back when the
    process ends. psutil counts it page by page, so it is read within a budget like PSS on Linux.
    """

    footprint_metric = "private-working-set"
    reaper_pids: frozenset[int] = frozenset() if sys.platform == "win32" else frozenset({1})

    def __init__(self, *, environment_names: Collection[str] = ()) -> None:
        self._environment_names = tuple(environment_names)
        self._known: dict[Identity, _Known] = {}
        self._footprints: dict[Identity, tuple[float, int | None]] = {}

    def close(self) -> None:
        """Forget everything."""
        self._known.clear()
        self._footprints.clear()

    def scan(self) -> ProcessTable:
        """Read every process. `uptime_s` and starts rest on the wall clock here; only their difference counts."""
        taken_at = datetime.now(UTC)
        monotonic_s, uptime_s = self._monotonic_s(), self._uptime_s()
        known: dict[Identity, _Known] = {}
        processes: dict[int, Process] = {}
        for reading in self._readings():
            entry = self._know(reading, uptime_s)
            if entry is not None:
                known[reading.identity] = entry
                processes[reading.identity.pid] = _process(reading, entry.details)
        self._known = known
        return ProcessTable(
            processes=processes,
            taken_at=taken_at,
            monotonic_s=monotonic_s,
            uptime_s=uptime_s,
            machine=self.machine(),
            own_pid=os.getpid(),
            own_uid=_own_uid(),
            reaper_pids=self.reaper_pids,
            footprint_metric=self.footprint_metric,
        )

    def footprints(self, identities: Collection[Identity], budget_s: float | None) -> Mapping[Identity, int]:
        """Return the footprints in bytes, the longest unread ones read first until the budget is used up.

        `budget_s` is in elapsed seconds, None = no limit; at least one is read, the others keep their last value.
        Processes that are gone, unreadable or not read yet are missing.
        """
        began_s = time.monotonic()
        kept = {identity: self._footprints.get(identity, (0.0, None)) for identity in identities}
        for identity in sorted(kept, key=lambda identity: kept[identity][0]):
            kept[identity] = (time.monotonic(), self._same(identity, partial(self._footprint, identity.pid)))
            if budget_s is not None and time.monotonic() - began_s >= budget_s:
                break
        self._footprints = {
            identity: entry
            for identity, entry in (self._footprints | kept).items()
            if identity in kept or identity in self._known
        }
        return {identity: size for identity, (_, size) in kept.items() if size is not None}

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

    def forget(self, identities: Collection[Identity]) -> None:
        """Read these anew at the next scan, program and arguments too, however long they have been known."""
        for identity in identities:
            self._known.pop(identity, None)

    def machine(self) -> Machine:
        """Describe the machine's memory."""
        memory = psutil.virtual_memory()
        return Machine(
            name=socket.gethostname(),
            platform={"win32": "windows", "darwin": "macos"}.get(sys.platform, sys.platform),
            memory_total_bytes=memory.total,
            memory_available_bytes=memory.available,
            pressure=self._pressure(memory.available / memory.total),
            cpu_count=os.cpu_count() or 1,
            swap_used_bytes=psutil.swap_memory().used,
        )

    # What a system may know better. psutil.Error may leave these; it is caught above.

    def _readings(self) -> Iterator[Reading]:
        for process in psutil.process_iter():
            try:
                yield _read(process)
            except psutil.Error:  # Gone; or refused to tell its start, and without it there is no identity.
                continue

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

    def _know(self, reading: Reading, uptime_s: float) -> _Known | None:
        """Return what is kept of the process, read (again) where that is due; None = it has just gone."""
        identity = reading.identity
        if reading.status is ProcessStatus.ZOMBIE:
            return _Known(name=reading.name, details=Details(), read_age_s=0.0, due_s=0.0)
        entry = self._known.get(identity)
        if entry is not None and entry.name == reading.name and entry.read_age_s >= YOUNG_S and uptime_s < entry.due_s:
            return entry
        details = self._same(identity, lambda: self._details(identity))
        if details is None:
            return None
        return _Known(
            name=reading.name,
            details=details,
            read_age_s=uptime_s - reading.start_s,
            due_s=uptime_s + CWD_INTERVAL_S,
        )

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
