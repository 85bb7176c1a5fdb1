"""Processes and memory as Linux tells them, read straight from /proc; psutil would cost six to twenty times as much.

Per tick a known process costs one read of its `stat`; an unchanged line is not even parsed. Who a process is
(arguments, program, folder, chosen variables, namespace) is read once and kept. A fork that has not called exec yet
looks like its parent, so all of it is read again when the name changed or the bottom of the stack moved (each exec
gives a new one: address space randomisation), and once more when the process is YOUNG_S old; until then its arguments
are compared at each scan, for programs that run without that randomisation.

All files of one process are opened relative to a descriptor of its /proc/PID folder. That descriptor belongs to the
process, not to the number: once the process is gone every read through it fails with ESRCH or ENOENT, even when the pid
is in use again. So a check of the start time at the beginning holds to the end.

Sources: proc(5), proc_pid_stat(5), cgroups(7), pid_namespaces(7), Documentation/accounting/psi.rst.
"""

from __future__ import annotations

import os
import socket
import stat as file_mode
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import NamedTuple

from trayapp.model.process import Identity, Machine, Process, ProcessStatus, ProcessTable
from trayapp.probe.pressure import judge_pressure

YOUNG_S = 10.0
"""Until this age a process may still be on its way through fork, exec and more execs; it is read again at each scan."""

CWD_INTERVAL_S = 30.0
"""How often a working directory is read again: a shell's moves, and nothing in `stat` tells."""

ARGV_LIMIT_BYTES = 64 * 1024
"""What is kept of a command line; the argument at the limit is cut there (prompts in arguments reach 128 KiB)."""

_TICKS_PER_S = os.sysconf("SC_CLK_TCK")
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_GONE = (FileNotFoundError, ProcessLookupError, NotADirectoryError)
_FOLDER_FLAGS = os.O_PATH | os.O_DIRECTORY
_PF_KTHREAD = 0x00200000  # include/linux/sched.h

_ENDED = ("Z", "X", "x")
_STATUSES = {
    "R": ProcessStatus.RUNNING,
    "S": ProcessStatus.SLEEPING,
    "I": ProcessStatus.SLEEPING,
    "D": ProcessStatus.UNINTERRUPTIBLE,
    "T": ProcessStatus.STOPPED,
    "t": ProcessStatus.STOPPED,
    "Z": ProcessStatus.ZOMBIE,
}

# Subreapers are not marked in /proc (PR_GET_CHILD_SUBREAPER answers about the caller only), so they go by their name.
_SUBREAPER_PROGRAMS = frozenset({"containerd-shim", "containerd-shim-runc-v2", "conmon"})


class Stat(NamedTuple):
    """Hold what one line of /proc/PID/stat says, in the kernel's units (clock ticks, pages).

    `stack_bottom` is field 28: 0 or 1 where the reader may not trace the process. `flags` holds PF_KTHREAD.
    """

    pid: int
    name: str
    state: str
    ppid: int
    pgid: int
    sid: int
    tty_number: int
    flags: int
    cpu_ticks: int
    children_cpu_ticks: int
    start: int
    rss_pages: int
    stack_bottom: int


def parse_stat(line: bytes) -> Stat:
    """Parse a line of /proc/PID/stat.

    The name stands between the first "(" and the last ")" and may itself hold both, spaces and line ends; what follows
    are numbers. Raises ValueError on anything else.
    """
    opening = line.index(b"(")
    closing = line.rindex(b")")
    fields = line[closing + 2 :].split(None, 26)
    if len(fields) < 26:
        raise ValueError(f"/proc/PID/stat has {len(fields)} fields after the name instead of 26 or more")
    return Stat(
        pid=int(line[:opening]),
        name=line[opening + 1 : closing].decode("utf-8", "replace"),
        state=fields[0].decode("ascii"),
        ppid=int(fields[1]),
        pgid=int(fields[2]),
        sid=int(fields[3]),
        tty_number=int(fields[4]) & 0xFFFFFFFF,
        flags=int(fields[6]),
        cpu_ticks=int(fields[11]) + int(fields[12]),
        children_cpu_ticks=int(fields[13]) + int(fields[14]),
        start=int(fields[19]),
        rss_pages=int(fields[21]),
        stack_bottom=int(fields[25]),
    )


def parse_argv(raw: bytes) -> tuple[str, ...]:
    """Split the content of /proc/PID/cmdline into arguments.

    Bytes that are not UTF-8 become U+FFFD, so that every argument can go into JSON. A text followed by nothing but NULs
    is a title that the program wrote over its arguments: one argument. Not more than ARGV_LIMIT_BYTES are used.
    """
    raw = raw[:ARGV_LIMIT_BYTES]
    if not raw:
        return ()
    title = raw.rstrip(b"\0")
    if b"\0" not in title:
        return (_text(title),)
    return tuple(_text(raw.removesuffix(b"\0")).split("\0"))


def parse_environ(raw: bytes, wanted: Collection[bytes]) -> dict[str, str]:
    """Pick the wanted variables out of the content of /proc/PID/environ; the rest is forgotten at once."""
    chosen: dict[str, str] = {}
    for entry in raw.split(b"\0"):
        name, equals, value = entry.partition(b"=")
        if equals and name in wanted:
            chosen.setdefault(_text(name), _text(value))
    return chosen


def parse_cgroup(text: str) -> str | None:
    """Return the service unit in /proc/PID/cgroup whose own cgroup this is ("ollama.service"), or None."""
    for line in text.splitlines():
        _, controllers, path = line.split(":", 2)
        leaf = path.rsplit("/", 1)[-1]
        if controllers in ("", "name=systemd") and leaf.endswith(".service"):
            return leaf
    return None


def tty_name(number: int) -> str | None:
    """Name the terminal of a device number as in stat's tty_nr: "pts/3", "tty1", "ttyS0"; None for 0.

    Major numbers by Documentation/admin-guide/devices.txt; any other terminal is called "major:minor".
    """
    if number == 0:
        return None
    major, minor = os.major(number), os.minor(number)
    if 136 <= major <= 143:
        return f"pts/{(major - 136) * 256 + minor}"
    if major == 4:
        return f"tty{minor}" if minor < 64 else f"ttyS{minor - 64}"
    if (major, minor) == (5, 1):
        return "console"
    return f"{major}:{minor}"


def read_state(pid: int) -> tuple[int, bool] | None:
    """Return the start (clock ticks since boot) of the process that has this pid now, and if it still runs.

    None = there is none, or it is hidden (proc(5), hidepid). A zombie does not run any more.
    """
    line = _read_stat(pid)
    if line is None:
        return None
    stat = parse_stat(line)
    return stat.start, stat.state not in _ENDED


@dataclass(frozen=True, slots=True, kw_only=True)
class _Details:
    """Hold what is read once per process and again after an exec; `service` is its cgroup's unit."""

    argv: tuple[str, ...] | None = None
    exe: str | None = None
    cwd: str | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    uid: int | None = None
    pid_namespace: int | None = None
    service: str | None = None
    stdio_piped: bool | None = None
    reaps_orphans: bool = False
    unreadable: frozenset[str] = frozenset()


@dataclass(slots=True, kw_only=True)
class _Known:
    """Remember one process between scans; `process` is None where it has to be built anew."""

    identity: Identity
    line: bytes
    stat: Stat
    details: _Details
    read_age_s: float
    cwd_due_s: float
    process: Process | None = None


class Probe:
    """Read this Linux system; see the package for what its methods promise."""

    footprint_metric = "pss"

    def __init__(self, *, environment_names: Collection[str] = ()) -> None:
        self._environment_names = frozenset(os.fsencode(name) for name in environment_names)
        self._known: dict[int, _Known] = {}
        self._footprints: dict[Identity, tuple[float, int | None]] = {}
        self._own_pid = os.getpid()
        self._own_pid_namespace = os.stat("/proc/self/ns/pid").st_ino

    def close(self) -> None:
        """Forget everything."""
        self._known.clear()
        self._footprints.clear()

    def scan(self) -> ProcessTable:
        """Read every process in /proc.

        `uptime_s` is CLOCK_BOOTTIME, on which the kernel also counts starts; `monotonic_s` is CLOCK_MONOTONIC, which
        stands still in suspend (clock_gettime(2)). `tty_input_epoch_s` is as coarse as the terminal's access time: 8 s.
        """
        taken_at = datetime.now(UTC)
        monotonic_s, uptime_s = time.clock_gettime(time.CLOCK_MONOTONIC), time.clock_gettime(time.CLOCK_BOOTTIME)
        seen: dict[int, _Known] = {}
        for entry in os.listdir("/proc"):
            if entry.isdecimal():
                pid = int(entry)
                known = self._known.get(pid)
                known = self._meet(pid, uptime_s) if known is None else self._revisit(known, uptime_s)
                if known is not None:
                    seen[pid] = known
        self._known = seen
        reapers = frozenset(pid for pid, known in seen.items() if known.details.reaps_orphans) | {1}
        return ProcessTable(
            processes=self._build(seen, reapers),
            taken_at=taken_at,
            monotonic_s=monotonic_s,
            uptime_s=uptime_s,
            machine=self.machine(),
            own_pid=self._own_pid,
            own_uid=os.getuid(),
            own_pid_namespace=self._own_pid_namespace,
            reaper_pids=reapers,
            footprint_metric=self.footprint_metric,
        )

    def footprints(self, identities: Collection[Identity], budget_s: float | None) -> Mapping[Identity, int]:
        """Return the proportional set size (PSS) of these processes in bytes.

        Reading costs about 12 ms per resident GB, so the longest unread ones are read first, until `budget_s` (elapsed
        seconds; None = no limit; at least one is read) is used up; the others keep their last value. Processes that are
        gone, unreadable or not read yet are missing. A zombie or kernel thread holds nothing: 0.
        """
        began_s = time.monotonic()
        kept = {identity: self._footprints.get(identity, (0.0, None)) for identity in identities}
        for identity in sorted(kept, key=lambda identity: kept[identity][0]):
            kept[identity] = (time.monotonic(), _read_pss(identity))
            if budget_s is not None and time.monotonic() - began_s >= budget_s:
                break
        self._footprints = {
            identity: entry
            for identity, entry in (self._footprints | kept).items()
            if identity in kept or self._is_known(identity)
        }
        return {identity: pss for identity, (_, pss) in kept.items() if pss is not None}

    def open_files(self, identity: Identity) -> tuple[str, ...] | None:
        """Return the paths of the regular files that it holds open, deleted ones left out; None = gone or denied."""
        try:
            with _process_folder(identity) as folder:
                paths = [_regular_file(folder, number) for number in _descriptors(folder)]
        except (*_GONE, PermissionError):
            return None
        return tuple(sorted({path for path in paths if path is not None}))

    def listening_ports(self, identity: Identity) -> tuple[int, ...] | None:
        """Return the TCP ports on which it listens, in its own network namespace; None = gone or denied."""
        try:
            with _process_folder(identity) as folder:
                links = [_read_link(folder, f"fd/{number}") for number in _descriptors(folder)]
                inodes = {link[8:-1] for link in links if link is not None and link.startswith("socket:[")}
                if not inodes:
                    return ()
                tables = [_text(_read_all(folder, f"net/{name}")) for name in ("tcp", "tcp6")]
        except (*_GONE, PermissionError):
            return None
        return tuple(sorted({port for table in tables for port in parse_listening(table, inodes)}))

    def machine(self) -> Machine:
        """Describe the machine's memory as /proc/meminfo tells it; a container sees its host's figures."""
        sizes = _parse_meminfo(_read_whole("/proc/meminfo"))
        total, available = sizes["MemTotal"], sizes["MemAvailable"]
        some, full = _read_stalls()
        swap = sizes["SwapTotal"] - sizes["SwapFree"] if "SwapTotal" in sizes else None
        return Machine(
            name=socket.gethostname(),
            platform="linux",
            memory_total_bytes=total,
            memory_available_bytes=available,
            pressure=judge_pressure(available_share=available / total, some_avg10=some, full_avg10=full),
            cpu_count=os.cpu_count() or 1,
            swap_used_bytes=swap,
        )

    def forget(self, identities: Collection[Identity]) -> None:
        """Read these anew at the next scan, program and arguments too, however long they have been known."""
        for identity in identities:
            self._known.pop(identity.pid, None)

    def _is_known(self, identity: Identity) -> bool:
        known = self._known.get(identity.pid)
        return known is not None and known.identity == identity

    def _meet(self, pid: int, uptime_s: float) -> _Known | None:
        """Read a process that is not known yet, or known by an older line; None = gone, or hidden (hidepid=1)."""
        try:
            with _folder(pid) as folder:
                line = _read(folder, "stat")
                stat = parse_stat(line)
                details = self._read_details(folder, stat)
        except (*_GONE, PermissionError):
            return None
        if details is None:
            return None
        return _Known(
            identity=Identity(pid, stat.start),
            line=line,
            stat=stat,
            details=details,
            read_age_s=uptime_s - stat.start / _TICKS_PER_S,
            # Spread over the interval, so that not all are due at the same tick.
            cwd_due_s=uptime_s + CWD_INTERVAL_S - pid % CWD_INTERVAL_S,
        )

    def _revisit(self, known: _Known, uptime_s: float) -> _Known | None:
        pid = known.identity.pid
        line = _read_stat(pid)
        if line is None:
            return None
        if known.read_age_s < YOUNG_S and _grew_up_or_changed(known, uptime_s):
            return self._meet(pid, uptime_s)
        if line != known.line:
            stat = parse_stat(line)
            if _may_be_another(known.stat, stat):
                return self._meet(pid, uptime_s)
            known.line, known.stat, known.process = line, stat, None
        if uptime_s >= known.cwd_due_s:
            known.cwd_due_s = uptime_s + CWD_INTERVAL_S
            _refresh_cwd(known)
        return known

    def _read_details(self, folder: int, stat: Stat) -> _Details | None:
        """Read who the process is; None = it has ended and been reaped."""
        if stat.flags & _PF_KTHREAD:
            return _Details(argv=(), uid=0)
        if stat.state in ("X", "x"):
            return None
        status = _read_text(folder, "status")
        uid = _real_uid(status)
        if stat.state == "Z":
            return _Details(uid=uid)
        unreadable: set[str] = set()
        argv = parse_argv(_read(folder, "cmdline", ARGV_LIMIT_BYTES))
        exe = _link_or_unreadable(folder, "exe", "exe", unreadable)
        cwd = _link_or_unreadable(folder, "cwd", "cwd", unreadable)
        namespace = _link_or_unreadable(folder, "ns/pid", "pid_namespace", unreadable)
        return _Details(
            argv=argv,
            exe=exe,
            cwd=cwd,
            env=self._read_environment(folder, unreadable),
            uid=uid,
            pid_namespace=None if namespace is None else int(namespace[5:-1]),
            service=parse_cgroup(_read_text(folder, "cgroup")),
            stdio_piped=_stdio_piped(folder, unreadable),
            reaps_orphans=_reaps_orphans(argv, exe, status),
            unreadable=frozenset(unreadable),
        )

    def _read_environment(self, folder: int, unreadable: set[str]) -> dict[str, str]:
        if not self._environment_names:
            return {}
        try:
            return parse_environ(_read_all(folder, "environ"), self._environment_names)
        except PermissionError:
            unreadable.add("env")
        except _GONE:
            pass  # Just ending: it has given its memory back.
        return {}

    def _build(self, seen: Mapping[int, _Known], reapers: frozenset[int]) -> dict[int, Process]:
        """Turn what is known into values; those that did not change are handed out again."""
        typed_epoch_s: dict[str, float | None] = {}
        processes: dict[int, Process] = {}
        for pid, known in seen.items():
            process = known.process
            if process is None or known.stat.tty_number or known.details.service is not None:
                process = known.process = self._process(known, reapers, typed_epoch_s)
            processes[pid] = process
        return processes

    def _process(self, known: _Known, reapers: frozenset[int], typed_epoch_s: dict[str, float | None]) -> Process:
        stat, details = known.stat, known.details
        tty = tty_name(stat.tty_number)
        tty_input_epoch_s = None
        # A terminal of another namespace can carry the number of one of ours.
        if tty is not None and details.pid_namespace == self._own_pid_namespace:
            if tty not in typed_epoch_s:
                typed_epoch_s[tty] = _tty_input_epoch_s(tty, stat.tty_number)
            tty_input_epoch_s = typed_epoch_s[tty]
        return Process(
            identity=known.identity,
            ppid=stat.ppid,
            name=stat.name,
            exe=details.exe,
            argv=details.argv,
            cwd=details.cwd,
            env=details.env,
            tty=tty,
            tty_input_epoch_s=tty_input_epoch_s,
            uid=details.uid,
            status=_STATUSES.get(stat.state, ProcessStatus.OTHER),
            start_s=stat.start / _TICKS_PER_S,
            pgid=stat.pgid,
            sid=stat.sid,
            pid_namespace=details.pid_namespace,
            unit=_unit(known, reapers),
            rss_bytes=stat.rss_pages * _PAGE_BYTES,
            cpu_s=stat.cpu_ticks / _TICKS_PER_S,
            children_cpu_s=stat.children_cpu_ticks / _TICKS_PER_S,
            stdio_piped=details.stdio_piped,
            unreadable=details.unreadable,
        )


def parse_listening(table: str, inodes: Collection[str]) -> Iterator[int]:
    """Yield the ports of the listening sockets (state 0A) with these inodes in a table of /proc/PID/net/tcp."""
    for line in table.splitlines()[1:]:
        columns = line.split()
        if len(columns) > 9 and columns[3] == "0A" and columns[9] in inodes:
            yield int(columns[1].rsplit(":", 1)[1], 16)


def _may_be_another(before: Stat, now: Stat) -> bool:
    """Tell that what is known of the process no longer holds: other start, ended, renamed, or exec was called."""
    return (
        now.start != before.start
        or now.name != before.name
        or now.stack_bottom != before.stack_bottom
        or (now.state in _ENDED) != (before.state in _ENDED)
    )


def _grew_up_or_changed(known: _Known, uptime_s: float) -> bool:
    """Tell that a process last read while young is not young any more, or has other arguments now."""
    if uptime_s - known.stat.start / _TICKS_PER_S >= YOUNG_S:
        return True
    try:
        raw = _read_at(f"/proc/{known.identity.pid}/cmdline", ARGV_LIMIT_BYTES)
    except (*_GONE, PermissionError):
        return True
    return known.details.argv is not None and parse_argv(raw) != known.details.argv


def _unit(known: _Known, reapers: frozenset[int]) -> str | None:
    """Return the service unit whose main process this is.

    systemd starts main processes as its own children and as session leaders. A daemon that detached itself inside a
    service looks the same: /proc does not tell the two apart.
    """
    stat = known.stat
    return known.details.service if stat.ppid in reapers and stat.sid == stat.pid else None


def _reaps_orphans(argv: tuple[str, ...], exe: str | None, status: str) -> bool:
    """Tell a process that inherits orphans: the first of a PID namespace, `systemd --user`, or a known subreaper."""
    program = os.path.basename(exe or (argv[0] if argv else ""))
    if program == "systemd":
        return "--user" in argv
    return program in _SUBREAPER_PROGRAMS or _pid_inside(status) == 1


def _pid_inside(status: str) -> int | None:
    """Return its pid as its own PID namespace counts (last figure of NSpid)."""
    _, found, rest = status.partition("\nNSpid:")
    return int(rest.split("\n", 1)[0].split()[-1]) if found else None


def _real_uid(status: str) -> int:
    return int(status.partition("\nUid:")[2].split(None, 1)[0])


def _tty_input_epoch_s(tty: str, number: int) -> float | None:
    """Return when the terminal was last read from; None where it is not (any more) that terminal."""
    try:
        entry = os.stat(f"/dev/{tty}")
    except (*_GONE, PermissionError):
        return None
    return entry.st_atime if entry.st_rdev == number else None


def _stdio_piped(folder: int, unreadable: set[str]) -> bool | None:
    """Tell if standard input and output are both pipes or sockets (Node.js gives its children sockets)."""
    try:
        links = [_read_link(folder, f"fd/{number}") for number in (0, 1)]
    except PermissionError:
        unreadable.add("stdio_piped")
        return None
    return all(link is not None and link.startswith(("pipe:[", "socket:[")) for link in links)


def _refresh_cwd(known: _Known) -> None:
    if known.details.cwd is None:
        return
    try:
        with _process_folder(known.identity) as folder:
            cwd = _read_link(folder, "cwd")
    except (*_GONE, PermissionError):
        return
    if cwd is not None and cwd != known.details.cwd:
        known.details = replace(known.details, cwd=cwd)
        known.process = None


def _read_pss(identity: Identity) -> int | None:
    try:
        with _process_folder(identity) as folder:
            # Neither a zombie nor a kernel thread has memory of its own, and smaps_rollup answers ESRCH for both.
            if parse_stat(_read(folder, "stat")).rss_pages == 0:
                return 0
            rollup = _read(folder, "smaps_rollup")
    except (*_GONE, PermissionError):
        return None
    _, found, rest = rollup.partition(b"\nPss:")
    return int(rest.split(None, 1)[0]) * 1024 if found else None


def _read_stalls() -> tuple[float | None, float | None]:
    """Return the `some` and `full` avg10 of /proc/pressure/memory in per cent; None where the kernel keeps none."""
    try:
        text = _read_whole("/proc/pressure/memory").decode("ascii")
    except OSError:  # No such file without CONFIG_PSI; EOPNOTSUPP with psi=0.
        return None, None
    averages: dict[str, float] = {}
    for line in text.splitlines():
        kind, _, rest = line.partition(" avg10=")
        averages[kind] = float(rest.split(" ", 1)[0])
    return averages.get("some"), averages.get("full")


def _parse_meminfo(raw: bytes) -> dict[str, int]:
    """Return the sizes of /proc/meminfo in bytes."""
    sizes: dict[str, int] = {}
    for line in raw.decode("ascii").splitlines():
        name, _, value = line.partition(":")
        if value.endswith(" kB"):
            sizes[name] = int(value[:-3]) * 1024
    return sizes


@contextmanager
def _folder(pid: int) -> Iterator[int]:
    """Open /proc/PID; the descriptor stays with the process that has the pid now."""
    descriptor = os.open(f"/proc/{pid}", _FOLDER_FLAGS)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def _process_folder(identity: Identity) -> Iterator[int]:
    """Open the /proc folder of that very process; raises ProcessLookupError when its pid names another."""
    with _folder(identity.pid) as folder:
        if parse_stat(_read(folder, "stat")).start != identity.start:
            raise ProcessLookupError(f"process {identity} is gone")
        yield folder


def _descriptors(folder: int) -> list[str]:
    descriptor = os.open("fd", os.O_RDONLY | os.O_DIRECTORY, dir_fd=folder)
    try:
        return os.listdir(descriptor)
    finally:
        os.close(descriptor)


def _regular_file(folder: int, number: str) -> str | None:
    """Return the path behind a descriptor if it is a regular file that still has a name."""
    try:
        entry = os.stat(f"fd/{number}", dir_fd=folder)
    except _GONE:
        return None
    return _read_link(folder, f"fd/{number}") if file_mode.S_ISREG(entry.st_mode) and entry.st_nlink else None


def _link_or_unreadable(folder: int, name: str, field_name: str, unreadable: set[str]) -> str | None:
    try:
        return _read_link(folder, name)
    except PermissionError:
        unreadable.add(field_name)
        return None


def _read_link(folder: int, name: str) -> str | None:
    """Return where a link of the process leads, without the kernel's " (deleted)"; None where there is no such link."""
    try:
        target = os.readlink(name.encode("ascii"), dir_fd=folder)
    except _GONE:
        return None
    if target.endswith(b" (deleted)") and not os.path.lexists(target):
        target = target[:-10]
    return _text(target)


def _read_stat(pid: int) -> bytes | None:
    try:
        return _read_at(f"/proc/{pid}/stat", 2048)
    except (*_GONE, PermissionError):
        return None


def _read_at(path: str, limit_bytes: int) -> bytes:
    """Return what one read(2) gives; the files of /proc/PID give all they have at once."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return os.read(descriptor, limit_bytes)
    finally:
        os.close(descriptor)


def _read(folder: int, name: str, limit_bytes: int = 16384) -> bytes:
    """Return what one read(2) gives of a file of the process; what /proc makes up in one piece comes in one piece."""
    descriptor = os.open(name, os.O_RDONLY, dir_fd=folder)
    try:
        return os.read(descriptor, limit_bytes)
    finally:
        os.close(descriptor)


def _read_all(folder: int, name: str) -> bytes:
    descriptor = os.open(name, os.O_RDONLY, dir_fd=folder)
    try:
        parts = []
        while part := os.read(descriptor, 16384):
            parts.append(part)
        return b"".join(parts)
    finally:
        os.close(descriptor)


def _read_text(folder: int, name: str) -> str:
    return _text(_read(folder, name))


def _read_whole(path: str) -> bytes:
    with open(path, "rb", buffering=0) as file:
        return file.read()


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")
