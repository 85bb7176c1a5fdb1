"""Processes and memory as Linux tells them, read straight from /proc; psutil would cost six to twenty times as much.

Per tick a followed process costs one pread of its `stat` through a descriptor that is kept; an unchanged line is not
even parsed. Who comes and goes is seen in one listing of /proc, and between two listings by the pids that the kernel
has given out since, where those are few. All others take turns, so that each is read again about every SLOW_BEAT_S. Who
a process is (arguments, program, folder, chosen variables, namespace) is read once and kept. A fork that has not called
exec yet looks like its parent, so all of it is read again when the name changed or the bottom of the stack moved (each
exec gives a new one: address space randomisation), and once more when the process is YOUNG_S old; until then it is
read, and its arguments are compared, at each scan, for programs that run without that randomisation.

A kept `stat` never shows another process: once its own is gone it answers ESRCH (trayapp.probe.linux_files). What
`smaps_rollup` tells is of the memory at the time of opening, which an exec changes, so it is opened for each read.

RSS (field 24 of `stat`) is not exact: the kernel sums counters that each CPU hands in now and then. On a kernel 6.18 it
was seen to differ from the pages counted one by one by up to 0.75 %.
"""

from __future__ import annotations

import errno
import os
import resource
import socket
import time
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from trayapp.model.process import Identity, Machine, Process, ProcessStatus, ProcessTable
from trayapp.probe.difference import first_table, next_table
from trayapp.probe.linux_files import (
    FOLDER_FLAGS,
    GONE,
    clean_link,
    descriptor_numbers,
    link_or_unreadable,
    process_folder,
    read,
    read_all,
    read_at,
    read_link,
    read_stat,
    read_text,
    regular_file,
)
from trayapp.probe.linux_lines import (
    ARGV_LIMIT_BYTES,
    Stat,
    environment_pattern,
    is_thread,
    meminfo_bytes,
    parse_argv,
    parse_cgroup,
    parse_environ,
    parse_listening,
    parse_stalls,
    parse_stat,
    pid_inside_namespace,
    real_uid,
    text_of,
    tty_name,
    variable_of,
)
from trayapp.probe.pressure import judge_pressure
from trayapp.probe.rota import Rota
from trayapp.probe.turns import Turns

YOUNG_S = 10.0
"""Until this age a process may still be on its way through fork, exec and more execs; it is read again at each scan."""

LISTING_REST_S = 10.0
"""How long /proc is not listed again while few pids are given out; that long another can be gone unseen."""

LINE_REST_S = 20.0
"""How long the line of a followed process may stand while it does not run: others can take its pages or its parent."""

CWD_INTERVAL_S = 30.0
"""How often a working directory is read again: a shell's moves, and nothing in `stat` tells."""

CWD_REST_S = 300.0
"""How much longer it may stand when a process that is not followed has its turn: a fifth of what that costs."""

SLOW_BEAT_S = 60.0
"""Within about this a process that is not followed is read again by scans that are not of the whole."""

SLOW_READS = 64
"""How many of them one scan reads at most; with more than that allows (960 at a tick of 2 s) a turn takes longer."""

KERNEL_BEAT_S = 300.0
"""The same for kernel threads, often half of all: they call no exec and hold nothing."""

KEPT_DESCRIPTORS = 1024
"""How many descriptors are kept at most; fewer where the limit of this program is low: half of it is left to others."""

_TICKS_PER_S = os.sysconf("SC_CLK_TCK")
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_PF_KTHREAD = 0x00200000  # include/linux/sched.h
_LINE_BYTES = 1024  # a whole line of stat; the fields that count end by byte 650
_ABSENT = -1

_ENDED = ("Z", "X", "x")
_ENDED_BYTES = (b"Z", b"X", b"x")
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


def read_state(pid: int) -> tuple[int, bool] | None:
    """Return the start (clock ticks since boot) of the process that has this pid now, and if it still runs.

    None = there is none, or it is hidden (proc(5), hidepid). A zombie does not run any more.
    """
    line = read_stat(pid)
    if line is None:
        return None
    stat = parse_stat(line)
    return stat.start, stat.state not in _ENDED


@dataclass(frozen=True, slots=True, kw_only=True)
class _Details:
    """Hold what is read once per process and again after an exec."""

    argv: tuple[str, ...] | None = None
    exe: str | None = None
    cwd: str | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    uid: int | None = None
    pid_namespace: int | None = None
    stdio_piped: bool | None = None
    reaps_orphans: bool = False
    unreadable: frozenset[str] = frozenset()


@dataclass(slots=True, kw_only=True, eq=False)
class _Known:
    """Remember one process between scans.

    Attributes:
        path: of its stat.
        head, closing: what its line begins with up to the state ("4711 (name) "), and where the name's bracket closes.
        family: ppid, process group, session and terminal as in the line.
        kernel_thread: it is one; its name says what it does just now ("kworker/1:1-events"), so only the first counts.
        state, times, rss: the fields of the line that make figures.
        start, stack_bottom: those that tell another process or program.
        descriptor: the kept one of its stat.
        clock: the id of the clock of its CPU time; `ran_ns` is what it told before the line was read.
        line_due_s: when its line is read again although it did not run.
        ran: it did since its folder was read, which nobody else can change.
        read_serial: the scan that read it last.
        young: it is read at each scan, arguments too.
        waiting: it takes turns with others (trayapp.probe.rota).
        service: its cgroup's unit; None where it has none or nobody needed to know.
    """

    identity: Identity
    path: str
    line: bytes = b""
    head: bytes = b""
    closing: int = 0
    family: list[bytes] = field(default_factory=list)
    state: bytes = b""
    times: list[bytes] = field(default_factory=list)
    rss: bytes = b""
    start: bytes = b""
    stack_bottom: bytes = b""
    process: Process
    details: _Details
    tty_number: int = 0
    typed_epoch_s: float | None = None
    read_age_s: float = 0.0
    cwd_due_s: float = 0.0
    read_serial: int = 0
    descriptor: int | None = None
    clock: int
    ran_ns: int | None = None
    line_due_s: float = 0.0
    ran: bool = True
    young: bool = False
    waiting: bool = False
    kernel_thread: bool = False
    service: str | None = None


class Probe:
    """Read this Linux system; see the package for what its methods promise."""

    footprint_metric = "pss"

    def __init__(self, *, environment_names: Collection[str] = ()) -> None:
        self._variables = environment_pattern(environment_names)
        self._own_pid = os.getpid()
        self._own_pid_namespace = os.stat("/proc/self/ns/pid").st_ino
        self._known: dict[int, _Known] = {}
        self._followed: dict[int, _Known] = {}
        self._young: dict[int, _Known] = {}
        self._others: Rota[_Known] = Rota(self._has_turns)
        self._kernel_threads: Rota[_Known] = Rota(self._has_turns)
        self._wanted: frozenset[Identity] = frozenset()
        self._forgotten: set[int] = set()
        self._unmet: set[int] = set()
        self._hidden: set[int] = set()
        self._hidden_due_s = 0.0
        self._listing: list[str] = []
        self._names: set[str] = set()
        self._given: tuple[int | None, int | None] = (None, None)
        self._listed_s = 0.0
        self._reapers = frozenset({1})
        self._kept = 0
        self._keep_at_most = 0
        self._table: ProcessTable | None = None
        self._serial = 0
        self._monotonic_s = self._uptime_s = 0.0
        self._read: dict[int, Process] = {}
        self._gone: set[int] = set()
        self._typed_epoch_s: dict[int, float | None] = {}
        self._turns = Turns(_read_pss, self._rss_bytes)
        self._sources = _MachineSources()

    def close(self) -> None:
        """Forget everything, and give all descriptors back."""
        for known in self._known.values():
            self._release(known)
        self._sources.close()
        self._turns.clear()
        self._table = None
        self._wanted = frozenset()
        self._listing, self._names, self._given = [], set(), (None, None)
        for kept in (self._known, self._followed, self._young, self._unmet, self._hidden):
            kept.clear()
        for rota in (self._others, self._kernel_threads):
            rota.clear()

    def follow(self, identities: Collection[Identity]) -> None:
        """Read these at every scan from now on, and no others."""
        self._wanted = frozenset(identities)
        for known in [known for known in self._followed.values() if known.identity not in self._wanted]:
            del self._followed[known.identity.pid]
            self._release(known)
            self._others.add(known)
        self._keep_at_most = self._room_for_descriptors()
        for identity in self._wanted:
            follower = self._known.get(identity.pid)
            if follower is not None and follower.identity == identity:
                self._followed[identity.pid] = follower

    def scan(self, *, whole: bool = True) -> ProcessTable:
        """Read every process in /proc; without `whole` those that are followed, new or young, and some in turn.

        `uptime_s` is CLOCK_BOOTTIME, on which the kernel also counts starts; `monotonic_s` is CLOCK_MONOTONIC, which
        stands still in suspend (clock_gettime(2)). `tty_input_epoch_s` is as coarse as the terminal's access time: 8 s.

        Of a process that is neither followed nor young an exec, or that its pid was given to another between two
        listings, is seen when its turn comes. For a followed one both are seen at once.
        """
        taken_at = datetime.now(UTC)
        monotonic_s = time.clock_gettime(time.CLOCK_MONOTONIC)
        self._uptime_s = time.clock_gettime(time.CLOCK_BOOTTIME)
        since_s, self._monotonic_s = monotonic_s - self._monotonic_s, monotonic_s
        self._serial += 1
        self._read, self._gone, self._typed_epoch_s = {}, set(), {}
        self._meet_new(whole=whole)
        if whole:
            for known in tuple(self._known.values()):
                self._revisit(known)
        else:
            self._read_followed()
            for known in tuple(self._young.values()):
                self._revisit(known)
            for known in self._others.due(since_s, beat_s=SLOW_BEAT_S, at_most=SLOW_READS):
                self._revisit(known, CWD_REST_S)
            for known in self._kernel_threads.due(since_s, beat_s=KERNEL_BEAT_S, at_most=SLOW_READS):
                self._revisit(known)
        self._set_units()
        self._note_footprints()
        self._table = self._next_table(taken_at)
        return self._table

    def footprints(self, identities: Collection[Identity], budget_s: float | None) -> Mapping[Identity, int]:
        """Return the proportional set size (PSS) of these processes in bytes.

        Reading costs about 12 ms per resident GB, so it is done in turn (trayapp.probe.turns) within `budget_s`
        (elapsed seconds, on average over the calls; None = read all of them now); the others keep their last value.
        Processes that are gone, unreadable or not read yet are missing. A zombie or kernel thread holds nothing: 0.
        """
        return self._turns.answer(identities, budget_s)

    def open_files(self, identity: Identity) -> tuple[str, ...] | None:
        """Return the paths of the regular files that it holds open, deleted ones left out; None = gone or denied."""
        try:
            with process_folder(identity) as folder:
                paths = [regular_file(folder, number) for number in descriptor_numbers(folder)]
        except (*GONE, PermissionError):
            return None
        return tuple(sorted({path for path in paths if path is not None}))

    def listening_ports(self, identity: Identity) -> tuple[int, ...] | None:
        """Return the TCP ports on which it listens, in its own network namespace; None = gone or denied."""
        try:
            with process_folder(identity) as folder:
                links = [read_link(folder, f"fd/{number}") for number in descriptor_numbers(folder)]
                inodes = {link[8:-1] for link in links if link is not None and link.startswith("socket:[")}
                if not inodes:
                    return ()
                tables = [text_of(read_all(folder, f"net/{name}")) for name in ("tcp", "tcp6")]
        except (*GONE, PermissionError):
            return None
        return tuple(sorted({port for table in tables for port in parse_listening(table, inodes)}))

    def variable(self, identity: Identity, name: str) -> str | None:
        """Return one variable of the environment that it was started with, "" where it is not set.

        None = gone or denied. It is read now and kept nowhere.
        """
        try:
            with process_folder(identity) as folder:
                raw = read_all(folder, "environ")
                # one that has ended but was not waited for has an empty environment, which says nothing
                ended = parse_stat(read(folder, "stat")).state in "ZX"
        except (*GONE, PermissionError):
            return None
        return None if ended else variable_of(raw, name)

    def machine(self) -> Machine:
        """Describe the machine's memory as /proc/meminfo tells it; a container sees its host's figures."""
        return self._sources.machine()

    def forget(self, identities: Collection[Identity]) -> None:
        """Read these anew at the next scan, program and arguments too, however long they have been known."""
        self._forgotten.update(identity.pid for identity in identities)

    # -- who is there ---------------------------------------------------------------------------------------------

    def _meet_new(self, *, whole: bool) -> None:
        """Take in who came and who went since the last scan."""
        given = self._given_since(whole=whole)
        if given is None:
            self._list()
        else:
            for pid in given:
                self._meet_given(pid)
        if self._hidden and (whole or self._uptime_s >= self._hidden_due_s):
            self._hidden_due_s = self._uptime_s + SLOW_BEAT_S
            self._unmet |= self._hidden
            self._hidden.clear()
        doubted = self._forgotten & self._known.keys()
        self._forgotten = set()
        if self._unmet or doubted:
            again, self._unmet = sorted(self._unmet | doubted), set()
            for pid in again:
                self._meet(pid)

    def _given_since(self, *, whole: bool) -> range | None:
        """Return the pids that were given out since the scan before the last; None = list /proc instead.

        They are given out in order, until they begin anew at the lowest. Since the scan before the last, because that
        is done some microseconds before the process can be seen. A look at so few costs less than a listing, which
        gets three times as dear (1.1 us per process) when somebody has ended since the one before.
        """
        last_pid = self._sources.last_pid()
        since, self._given = self._given[0], (self._given[1], last_pid)
        rested_s = self._monotonic_s - self._listed_s
        if whole or since is None or last_pid is None or not 0.0 <= rested_s < LISTING_REST_S:
            return None
        return range(since + 1, last_pid + 1) if 0 <= last_pid - since <= len(self._known) // 8 + 8 else None

    def _list(self) -> None:
        """Take in the listing of /proc."""
        self._listed_s = self._monotonic_s
        listing = os.listdir("/proc")
        if listing == self._listing:
            return
        names = set(listing)
        for pid in _pids(self._names - names):
            self._hidden.discard(pid)
            self._unmet.discard(pid)
            known = self._known.get(pid)
            if known is not None:
                self._lose(known)
        self._unmet.update(_pids(names - self._names) - self._known.keys())
        self._listing, self._names = listing, names

    def _meet_given(self, pid: int) -> None:
        """Meet who was given this pid, if it is a process, and still there."""
        known = self._known.get(pid)
        if known is not None:
            self._revisit(known)
            return
        line = read_stat(pid)
        if line is not None and not is_thread(line):
            # As if it had been listed, so that the next listing tells when it is gone.
            self._names.add(str(pid))
            self._listing = []
            self._meet(pid)

    def _meet(self, pid: int) -> None:
        """Read who has this pid now, all of it."""
        known, found = self._known.get(pid), self._read_anew(pid)
        if known is not None and (found is None or known.identity.start != found[1].start):
            self._lose(known)
            known = None
        if found is None:
            return
        line, stat, details, service = found
        identity = known.identity if known is not None else Identity(pid, stat.start)
        process = self._process(identity, stat, details, unit=known.process.unit if known is not None else None)
        if known is None:
            known = _Known(
                identity=identity, path=f"/proc/{pid}/stat", process=process, details=details, clock=_cpu_clock(pid)
            )
            self._known[pid] = known
            if identity in self._wanted:
                self._followed[pid] = known
            else:
                (self._kernel_threads if stat.flags & _PF_KTHREAD else self._others).add(known)
        known.details, known.service = details, service
        known.kernel_thread = bool(stat.flags & _PF_KTHREAD)
        _keep_line(known, line)
        self._set(known, process)
        known.read_serial = self._serial
        known.read_age_s = self._uptime_s - process.start_s
        # Spread over the interval, so that not all are due at the same tick.
        known.cwd_due_s = self._uptime_s + CWD_INTERVAL_S - pid % CWD_INTERVAL_S
        known.young = known.read_age_s < YOUNG_S and not process.is_zombie and not known.kernel_thread
        if known.young:
            self._young[pid] = known
        else:
            self._young.pop(pid, None)

    def _read_anew(self, pid: int) -> tuple[bytes, Stat, _Details, str | None] | None:
        """Return line, details and unit of who has this pid now; None = nobody, or hidden (hidepid=1)."""
        try:
            folder = os.open(f"/proc/{pid}", FOLDER_FLAGS)
            try:
                line = read(folder, "stat", _LINE_BYTES)
                stat = parse_stat(line)
                details = self._read_details(folder, stat)
                if details is not None:
                    return line, stat, details, self._read_service(folder, stat)
            finally:
                os.close(folder)
        except PermissionError:
            self._hidden.add(pid)
            return None
        except GONE:
            pass
        if str(pid) in self._names:
            self._unmet.add(pid)  # Another may have the pid by the next listing, which then looks the same.
        return None

    def _lose(self, known: _Known) -> None:
        """Take out a process that is gone."""
        pid = known.identity.pid
        del self._known[pid]
        self._followed.pop(pid, None)
        self._young.pop(pid, None)
        self._read.pop(pid, None)
        self._gone.add(pid)
        self._release(known)
        self._turns.drop(known.identity)

    def _has_turns(self, known: _Known) -> bool:
        pid = known.identity.pid
        return self._known.get(pid) is known and pid not in self._followed

    def _set(self, known: _Known, process: Process) -> None:
        """Have this value in the next table; one that is equal to the last is not another."""
        if process is not known.process and process != known.process:
            known.process = process
        # A terminal of another namespace can carry the number of one of ours.
        own = known.details.pid_namespace == self._own_pid_namespace
        known.tty_number = int(known.family[3]) & 0xFFFFFFFF if own else 0
        known.typed_epoch_s = known.process.tty_input_epoch_s
        self._read[known.identity.pid] = known.process

    # -- those that are known -------------------------------------------------------------------------------------

    def _read_followed(self) -> None:
        """Read those that are followed, and of those that did not run since their line was read only that.

        What a line tells changes when its process runs, but for what others do to it: take its pages (so it is read
        again after LINE_REST_S), or leave it without its parent.
        """
        uptime_s, clock_ns, bereft = self._uptime_s, time.clock_gettime_ns, self._bereft()
        for known in tuple(self._followed.values()):
            if known.descriptor is None or known.young:
                self._revisit(known)
                continue
            try:
                ran_ns = clock_ns(known.clock)
            except OSError:
                ran_ns = None  # it is gone, or this kernel does not tell
            if ran_ns is None or ran_ns != known.ran_ns:
                known.ran_ns, known.ran = ran_ns, True
            elif uptime_s < known.line_due_s and known.process.ppid not in bereft:
                if known.tty_number and self._typed(known.tty_number) != known.typed_epoch_s:
                    self._set(known, self._with_figures(known))
                continue
            known.line_due_s = uptime_s + LINE_REST_S
            if uptime_s >= known.cwd_due_s:
                if not known.ran:
                    known.cwd_due_s = uptime_s + CWD_INTERVAL_S
                known.ran = False
            self._revisit(known)

    def _bereft(self) -> set[int]:
        """Return the pids of parents of followed processes that are gone since the last scan."""
        parents = {known.process.ppid for known in self._followed.values()} - self._followed.keys()
        return {pid for pid in parents if pid > 1 and (pid in self._gone or not _exists(pid))}

    def _revisit(self, known: _Known, cwd_rest_s: float = 0.0) -> None:
        """Read a known process again, once per scan; its folder may stand `cwd_rest_s` longer than it should."""
        if known.read_serial == self._serial:
            return
        known.read_serial = self._serial
        cwd_due = self._uptime_s >= known.cwd_due_s + cwd_rest_s
        # Before the line, whose start then tells that both are that process's.
        cwd = _refreshed_cwd(known) if cwd_due else None
        try:
            if known.descriptor is not None:
                line = os.pread(known.descriptor, _LINE_BYTES, 0)
            elif known.identity.pid in self._followed and self._kept < self._keep_at_most:
                line = self._keep_open(known)
            else:
                line = read_at(known.path, _LINE_BYTES)
        except (*GONE, PermissionError):
            self._meet(known.identity.pid)
            return
        if (known.young and self._grew_up_or_changed(known)) or (
            line != known.line and not self._take_line(known, line)
        ):
            self._meet(known.identity.pid)
            return
        if cwd_due:
            known.cwd_due_s = self._uptime_s + CWD_INTERVAL_S
            if cwd is not None and cwd != known.process.cwd:
                known.details = replace(known.details, cwd=cwd)
                self._set(known, replace(known.process, cwd=cwd))
        if known.tty_number and self._typed(known.tty_number) != known.typed_epoch_s:
            self._set(known, self._with_figures(known))

    def _take_line(self, known: _Known, line: bytes) -> bool:
        """Take in a line that differs from the last; False = it may be another process or another program."""
        if not line.startswith(known.head) or line.rfind(b")") != known.closing:
            if not known.kernel_thread:
                return False
            known.closing = line.rindex(b")")
            known.head = line[: known.closing + 2]
        fields = line[known.closing + 2 :].split(None, 26)
        if len(fields) < 26 or _may_be_another(known, fields):
            return False
        if known.kernel_thread and not int(fields[6]) & _PF_KTHREAD:
            return False  # one that the kernel began to run a program, and now it does
        if fields[1:5] != known.family:
            _keep_line(known, line)
            self._set(known, self._process(known.identity, parse_stat(line), known.details, unit=known.process.unit))
            return True
        known.line = line
        state, times, rss = fields[0], fields[11:15], fields[21]
        if rss != known.rss or times != known.times or state != known.state:
            known.state, known.times, known.rss = state, times, rss
            self._set(known, self._with_figures(known))
        return True

    def _grew_up_or_changed(self, known: _Known) -> bool:
        """Tell that a process last read while young is not young any more, or has other arguments now."""
        if self._uptime_s - known.process.start_s >= YOUNG_S:
            return True
        try:
            raw = read_at(f"/proc/{known.identity.pid}/cmdline", ARGV_LIMIT_BYTES)
        except (*GONE, PermissionError):
            return True
        return parse_argv(raw) != known.details.argv

    # -- descriptors ----------------------------------------------------------------------------------------------

    def _room_for_descriptors(self) -> int:
        """Return how many descriptors may be kept: half of this program's limit less what others have open."""
        limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if limit == resource.RLIM_INFINITY:
            return KEPT_DESCRIPTORS
        others = len(os.listdir("/proc/self/fd")) - self._kept
        return max(0, min(KEPT_DESCRIPTORS, limit // 2 - others))

    def _keep_open(self, known: _Known) -> bytes:
        """Open the stat of a followed process for good and return its line."""
        try:
            descriptor = os.open(known.path, os.O_RDONLY)
        except OSError as error:
            if error.errno not in (errno.EMFILE, errno.ENFILE):
                raise
            # The rest of the program needs more than half: what is kept goes back, the next scans open and close.
            self._keep_at_most = 0
            for each in self._followed.values():
                self._release(each)
            return read_at(known.path, _LINE_BYTES)
        known.descriptor = descriptor
        self._kept += 1
        return os.pread(descriptor, _LINE_BYTES, 0)

    def _release(self, known: _Known) -> None:
        if known.descriptor is not None:
            os.close(known.descriptor)
            known.descriptor = None
            self._kept -= 1

    # -- what is made of it ---------------------------------------------------------------------------------------

    def _next_table(self, taken_at: datetime) -> ProcessTable:
        moments = {
            "taken_at": taken_at,
            "monotonic_s": self._monotonic_s,
            "uptime_s": self._uptime_s,
            "machine": self.machine(),
            "reaper_pids": self._reapers,
            "serial": self._serial,
        }
        if self._table is not None:
            return next_table(self._table, self._read, self._gone, **moments)
        return first_table(
            {pid: known.process for pid, known in self._known.items()},
            own_pid=self._own_pid,
            own_uid=os.getuid(),
            own_pid_namespace=self._own_pid_namespace,
            footprint_metric=self.footprint_metric,
            **moments,
        )

    def _note_footprints(self) -> None:
        """Tell those who read footprints in turn whose figures moved."""
        last = self._table.processes if self._table is not None else {}
        for pid, process in self._read.items():
            if last.get(pid) is not process:
                self._turns.note(process)

    def _rss_bytes(self, identity: Identity) -> int:
        known = self._known.get(identity.pid)
        return (known.process.rss_bytes or 0) if known is not None and known.identity == identity else 0

    def _set_units(self) -> None:
        """Find out who inherits orphans now, and whose unit that settles."""
        if not self._read and not self._gone:
            return
        changed = [self._known[pid] for pid in self._read]
        before = self._reapers
        reapers = {pid for pid in before if pid in self._known and self._known[pid].details.reaps_orphans}
        reapers.update(known.identity.pid for known in changed if known.details.reaps_orphans)
        self._reapers = before if reapers | {1} == before else frozenset(reapers | {1})
        for known in changed if self._reapers is before else tuple(self._known.values()):
            unit = self._unit(known)
            if unit != known.process.unit:
                self._set(known, replace(known.process, unit=unit))

    def _unit(self, known: _Known) -> str | None:
        """Return the service unit whose main process this is.

        systemd starts main processes as its own children and as session leaders. A daemon that detached itself inside a
        service looks the same: /proc does not tell the two apart.
        """
        process = known.process
        if process.is_zombie or process.ppid not in self._reapers or process.sid != process.pid:
            return None
        if known.service is None:
            with suppress(*GONE, PermissionError), process_folder(known.identity) as folder:
                known.service = parse_cgroup(read_text(folder, "cgroup")) or ""
        return known.service or None

    def _read_service(self, folder: int, stat: Stat) -> str | None:
        """Return the unit of its cgroup, "" if that is none, where it can be a main process; None = not asked."""
        if stat.ppid not in self._reapers or stat.sid != stat.pid or stat.state in _ENDED:
            return None
        return parse_cgroup(read_text(folder, "cgroup")) or ""

    def _read_details(self, folder: int, stat: Stat) -> _Details | None:
        """Read who the process is; None = it has ended and been reaped."""
        if stat.flags & _PF_KTHREAD:
            return _Details(argv=(), uid=0)
        if stat.state in ("X", "x"):
            return None
        status = read(folder, "status")
        uid = real_uid(status)
        if stat.state == "Z":
            return _Details(uid=uid)
        unreadable: set[str] = set()
        argv = parse_argv(read(folder, "cmdline", ARGV_LIMIT_BYTES))
        exe = link_or_unreadable(folder, "exe", "exe", unreadable)
        cwd = link_or_unreadable(folder, "cwd", "cwd", unreadable)
        link = link_or_unreadable(folder, "ns/pid", "pid_namespace", unreadable)
        namespace = None if link is None else int(link[5:-1])
        pid_inside = pid_inside_namespace(status) if namespace != self._own_pid_namespace else stat.pid
        return _Details(
            argv=argv,
            exe=exe,
            cwd=cwd,
            env=self._read_environment(folder, unreadable),
            uid=uid,
            pid_namespace=namespace,
            stdio_piped=_stdio_piped(folder, unreadable),
            reaps_orphans=_reaps_orphans(argv, exe, pid_inside),
            unreadable=frozenset(unreadable),
        )

    def _read_environment(self, folder: int, unreadable: set[str]) -> dict[str, str]:
        if self._variables is None:
            return {}
        try:
            return parse_environ(read_all(folder, "environ"), self._variables)
        except PermissionError:
            unreadable.add("env")
        except GONE:
            pass  # Just ending: it has given its memory back.
        return {}

    def _typed(self, tty_number: int) -> float | None:
        """Return when the terminal was last read from; asked once per scan."""
        if tty_number not in self._typed_epoch_s:
            self._typed_epoch_s[tty_number] = _tty_input_epoch_s(tty_name(tty_number) or "", tty_number)
        return self._typed_epoch_s[tty_number]

    def _process(self, identity: Identity, stat: Stat, details: _Details, *, unit: str | None = None) -> Process:
        own = details.pid_namespace == self._own_pid_namespace
        return Process(
            identity=identity,
            ppid=stat.ppid,
            name=stat.name,
            exe=details.exe,
            argv=details.argv,
            cwd=details.cwd,
            env=details.env,
            tty=tty_name(stat.tty_number),
            tty_input_epoch_s=self._typed(stat.tty_number) if stat.tty_number and own else None,
            uid=details.uid,
            status=_STATUSES.get(stat.state, ProcessStatus.OTHER),
            start_s=stat.start / _TICKS_PER_S,
            pgid=stat.pgid,
            sid=stat.sid,
            pid_namespace=details.pid_namespace,
            unit=unit,
            rss_bytes=stat.rss_pages * _PAGE_BYTES,
            cpu_s=stat.cpu_ticks / _TICKS_PER_S,
            children_cpu_s=stat.children_cpu_ticks / _TICKS_PER_S,
            stdio_piped=details.stdio_piped,
            unreadable=details.unreadable,
        )

    def _with_figures(self, known: _Known) -> Process:
        """Return the process with the figures of its line; written out, for replace() takes three times as long."""
        before, times = known.process, known.times
        return Process(
            identity=before.identity,
            ppid=before.ppid,
            name=before.name,
            exe=before.exe,
            argv=before.argv,
            cwd=before.cwd,
            env=before.env,
            tty=before.tty,
            tty_input_epoch_s=self._typed(known.tty_number) if known.tty_number else None,
            uid=before.uid,
            status=_STATUSES.get(known.state.decode("ascii"), ProcessStatus.OTHER),
            start_s=before.start_s,
            pgid=before.pgid,
            sid=before.sid,
            pid_namespace=before.pid_namespace,
            unit=before.unit,
            rss_bytes=int(known.rss) * _PAGE_BYTES,
            cpu_s=(int(times[0]) + int(times[1])) / _TICKS_PER_S,
            children_cpu_s=(int(times[2]) + int(times[3])) / _TICKS_PER_S,
            stdio_piped=before.stdio_piped,
            unreadable=before.unreadable,
        )


class _MachineSources:
    """Read what is not of one process through descriptors that are kept; name and number of CPUs are asked once."""

    def __init__(self) -> None:
        self._name = socket.gethostname()
        self._cpu_count = os.cpu_count() or 1
        self._descriptors: dict[str, int] = {}
        self._raw: tuple[bytes, bytes] | None = None
        self._machine: Machine | None = None
        self._loadavg_is_genuine: bool | None = None

    def machine(self) -> Machine:
        """Return the machine; the same object for as long as no figure moved."""
        raw = (self._pread("/proc/meminfo"), self._pread("/proc/pressure/memory", optional=True))
        if self._machine is None or raw != self._raw:
            machine = self._describe(*raw)
            self._raw = raw
            if machine != self._machine:
                self._machine = machine
        assert self._machine is not None
        return self._machine

    def last_pid(self) -> int | None:
        """Return the pid given out last in the PID namespace of /proc, as its loadavg has it; None where it does not.

        It moves with each process and thread. lxcfs lays a file of its own over it, which is refreshed now and then;
        and it is that of the reader's namespace, even in a /proc of another one.
        """
        if self._loadavg_is_genuine is None:
            of_proc = os.stat("/proc/loadavg").st_dev == os.stat("/proc/self/stat").st_dev
            self._loadavg_is_genuine = of_proc and os.readlink("/proc/self") == str(os.getpid())
        return int(self._pread("/proc/loadavg").rpartition(b" ")[2]) if self._loadavg_is_genuine else None

    def close(self) -> None:
        """Give the descriptors back."""
        for descriptor in self._descriptors.values():
            if descriptor != _ABSENT:
                os.close(descriptor)
        self._descriptors.clear()

    def _describe(self, meminfo: bytes, stalls: bytes) -> Machine:
        total, available = meminfo_bytes(meminfo, b"MemTotal:"), meminfo_bytes(meminfo, b"MemAvailable:")
        swap, free_swap = meminfo_bytes(meminfo, b"SwapTotal:"), meminfo_bytes(meminfo, b"SwapFree:")
        if total is None or available is None:
            raise OSError("/proc/meminfo does not tell MemTotal and MemAvailable. Is that Linux's own /proc?")
        some, full = parse_stalls(stalls)
        return Machine(
            name=self._name,
            platform="linux",
            memory_total_bytes=total,
            memory_available_bytes=available,
            pressure=judge_pressure(available_share=available / total, some_avg10=some, full_avg10=full),
            cpu_count=self._cpu_count,
            swap_used_bytes=swap - free_swap if swap is not None and free_swap is not None else None,
        )

    def _pread(self, path: str, *, optional: bool = False) -> bytes:
        """Return the content of a file of /proc; nothing where the kernel has none of it."""
        descriptor = self._descriptors.get(path)
        if descriptor is None:
            try:
                descriptor = os.open(path, os.O_RDONLY)
            except OSError as error:
                # No pressure without CONFIG_PSI (no such file), or with psi=0 (not supported).
                if not optional or error.errno in (errno.EMFILE, errno.ENFILE):
                    raise
                descriptor = _ABSENT
            self._descriptors[path] = descriptor
        return b"" if descriptor == _ABSENT else os.pread(descriptor, 2048, 0)


def _cpu_clock(pid: int) -> int:
    """Return the clock of the CPU time of all threads of a process (MAKE_PROCESS_CPUCLOCK, linux/posix-timers_types.h).

    Anybody may read it, it moves whenever one of them runs, and it costs a fifth of a line of stat.
    """
    return ~pid << 3 | 2  # CPUCLOCK_SCHED


def _exists(pid: int) -> bool:
    try:
        time.clock_gettime_ns(_cpu_clock(pid))
    except OSError:
        return False
    return True


def _keep_line(known: _Known, line: bytes) -> None:
    """Keep a line with its fields as they are in it, to compare the next one with."""
    closing = line.rindex(b")")
    fields = line[closing + 2 :].split(None, 26)
    known.line, known.closing, known.head = line, closing, line[: closing + 2]
    known.family, known.times = fields[1:5], fields[11:15]
    known.state, known.start, known.rss, known.stack_bottom = fields[0], fields[19], fields[21], fields[25]


def _may_be_another(known: _Known, fields: list[bytes]) -> bool:
    """Tell that what is known of the process no longer holds: other start, exec was called, or it ended."""
    return (
        fields[25] != known.stack_bottom
        or fields[19] != known.start
        or (fields[0] != known.state and (fields[0] in _ENDED_BYTES) != (known.state in _ENDED_BYTES))
    )


def _pids(names: Collection[str]) -> set[int]:
    return {int(name) for name in names if name.isdecimal()}


def _refreshed_cwd(known: _Known) -> str | None:
    if known.process.cwd is None:
        return None
    try:
        return clean_link(os.readlink(f"/proc/{known.identity.pid}/cwd".encode("ascii")))
    except (*GONE, PermissionError):
        return None


def _reaps_orphans(argv: tuple[str, ...], exe: str | None, pid_inside: int | None) -> bool:
    """Tell a process that inherits orphans: the first of a PID namespace, `systemd --user`, or a known subreaper."""
    program = (exe or (argv[0] if argv else "")).rpartition("/")[2]
    if program == "systemd":
        return "--user" in argv
    return program in _SUBREAPER_PROGRAMS or pid_inside == 1


def _tty_input_epoch_s(tty: str, number: int) -> float | None:
    """Return when the terminal was last read from; None where it is not (any more) that terminal."""
    try:
        entry = os.stat(f"/dev/{tty}")
    except (*GONE, PermissionError):
        return None
    return entry.st_atime if entry.st_rdev == number else None


def _stdio_piped(folder: int, unreadable: set[str]) -> bool | None:
    """Tell if standard input and output are both pipes or sockets (Node.js gives its children sockets)."""
    try:
        return _is_pipe(read_link(folder, "fd/0")) and _is_pipe(read_link(folder, "fd/1"))
    except PermissionError:
        unreadable.add("stdio_piped")
        return None


def _is_pipe(link: str | None) -> bool:
    return link is not None and link.startswith(("pipe:[", "socket:["))


def _read_pss(identity: Identity) -> int | None:
    try:
        with process_folder(identity) as folder:
            # Neither a zombie nor a kernel thread has memory of its own, and smaps_rollup answers ESRCH for both.
            if parse_stat(read(folder, "stat")).rss_pages == 0:
                return 0
            rollup = read(folder, "smaps_rollup")
    except (*GONE, PermissionError):
        return None
    _, found, rest = rollup.partition(b"\nPss:")
    return int(rest.split(None, 1)[0]) * 1024 if found else None
