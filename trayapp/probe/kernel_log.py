"""What the system still tells of a process that is gone: kills for lack of memory, and faults.

Two sources on Linux, neither of which needs another program. The kernel log (/dev/kmsg, kernel.org
Documentation/ABI/testing/dev-kmsg) names whom the kernel killed; it is read from where it stands at the beginning, and
only records of the kernel itself count, since programs write there too. Where it is closed to this user, the kernel's
counters of such kills are compared: `memory.events` (cgroup v2) or `memory.oom_control` (v1) of the process's control
group, and `oom_kill` in /proc/vmstat for the machine.

The log names processes by their number, so a kill counts for the process that was watched under that number when it was
read, and in a PID namespace of our own, where numbers are others, the log counts as not readable. Other systems have
nothing of the kind that can be read.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from trayapp.model.incident import OomKill, Trace
from trayapp.model.process import Identity

if sys.platform == "linux":
    from trayapp.probe.linux import read_state
elif sys.platform == "darwin":
    from trayapp.probe.macos import read_state
else:
    from trayapp.probe.portable import read_state

KMSG = Path("/dev/kmsg")
PROC = Path("/proc")
CGROUPS = Path("/sys/fs/cgroup")
RECORD_BYTES = 8192
"""More than any record has; a shorter read fails."""
MOST_RECORDS = 20_000
"""Read at once; the rest waits for the next time."""

_FIRST_PID_NAMESPACE = "pid:[4026531836]"  # PROC_PID_INIT_INO of include/uapi/linux/nsfs.h
_KILLED = re.compile(r"\bKilled process (\d+) \(.*\),? (?:UID|total-vm)")
_RESIDENT = re.compile(r"\b(anon|file|shmem)-rss:(\d+)kB")
_FAULT = re.compile(
    r"(?:traps: )?.{1,64}?\[(\d+)\]:? (segfault|trap [a-z0-9 ]+?|general protection(?: fault)?)(?= at| ip)"
)
_OOM_COUNT = re.compile(r"^oom_kill (\d+)$", re.MULTILINE)


def still_runs(identity: Identity) -> bool:
    """Say whether that very process is there and no zombie."""
    return read_state(identity.pid) == (identity.start, True)


@dataclass(frozen=True, slots=True)
class Entry:
    """Hold one record of the log that matters: a kill, or the word for a fault."""

    pid: int
    fault: str | None = None
    of_group: bool = False
    resident_bytes: int | None = None


def entries(text: str) -> Iterator[Entry]:
    """Yield the kills and faults in records as /dev/kmsg gives them, oldest first.

    A record is "level and facility,number,microseconds,flags;message" and lines that begin with a space.
    """
    for line in text.splitlines():
        head, separator, message = line.partition(";")
        facility = head.partition(",")[0]
        if line.startswith(" ") or not separator or not facility.isdecimal() or int(facility) >> 3:
            continue
        kill = _KILLED.search(message)
        fault = None if kill is not None else _FAULT.match(message)
        if kill is not None:
            parts = [int(size) * 1024 for _, size in _RESIDENT.findall(message)]
            of_group = message.startswith("Memory cgroup")
            yield Entry(int(kill[1]), of_group=of_group, resident_bytes=sum(parts) if parts else None)
        elif fault is not None:
            yield Entry(int(fault[1]), fault=fault[2])


class KernelLog:
    """Read the log from now on; `unread` says why that is not possible, as the end of a sentence."""

    def __init__(self, path: Path = KMSG, proc: Path = PROC) -> None:
        self.unread: str | None = None
        self._descriptor: int | None = None
        if sys.platform != "linux":
            self.unread = "this system keeps none that can be read"
            return
        try:
            if os.readlink(proc / "self" / "ns" / "pid") != _FIRST_PID_NAMESPACE:
                self.unread = "it knows processes by other numbers than they have in this container"
                return
            self._descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            os.lseek(self._descriptor, 0, os.SEEK_END)
        except OSError as error:
            self.unread = error.strerror or str(error)
            self.close()

    def new_entries(self) -> tuple[Entry, ...]:
        """Return what came since the last time; never waits."""
        return tuple(entries(b"".join(self._records()).decode("utf-8", "replace")))

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _records(self) -> Iterator[bytes]:
        for _ in range(MOST_RECORDS):
            if self._descriptor is None:
                return
            try:
                record = os.read(self._descriptor, RECORD_BYTES)
            except BlockingIOError:
                return
            except OSError as error:
                if error.errno in (errno.EPIPE, errno.EINVAL):
                    continue  # records were overwritten before they were read, or one is too long: the next one is read
                self.unread = error.strerror or str(error)
                self.close()
                return
            if not record:
                return
            yield record


class SystemWitnesses:
    """Answer what the watcher of incidents asks (trayapp.incidents.Witnesses). One thread at a time."""

    def __init__(self, *, log: KernelLog | None = None, proc: Path = PROC, cgroups: Path = CGROUPS) -> None:
        self._log = log if log is not None else KernelLog(proc=proc)
        self._proc, self._cgroups = proc, cgroups
        self._watched: dict[int, Identity] = {}
        self._entries: dict[Identity, list[Entry]] = {}
        self._counter_of: dict[Identity, Path | None] = {}
        self._counts: dict[Path, int | None] = {}

    def still_runs(self, identity: Identity) -> bool:
        return still_runs(identity)

    def watch(self, identities: Collection[Identity]) -> None:
        """Read the log and the counters; what was known of others is forgotten."""
        self._read()
        self._watched = {identity.pid: identity for identity in identities}
        self._entries = {identity: found for identity, found in self._entries.items() if identity in identities}
        known = self._counter_of
        self._counter_of = {i: known[i] if i in known else self._counter(i) for i in identities}
        paths = {path for path in self._counter_of.values() if path is not None}
        self._counts = {path: _count(path) for path in (*paths, self._proc / "vmstat")}

    def tell_of(self, identity: Identity) -> Trace:
        """Return what came to light of a process since it was last watched."""
        self._watched.setdefault(identity.pid, identity)
        self._read()
        found = self._entries.get(identity, [])
        kill = next((entry for entry in found if entry.fault is None), None)
        return Trace(
            oom_kill=OomKill(identity=identity, of_group=kill.of_group, resident_bytes=kill.resident_bytes)
            if kill is not None
            else None,
            fault=next((entry.fault for entry in found if entry.fault is not None), None),
            group_kills=self._since(self._counter_of.get(identity)),
            machine_kills=self._since(self._proc / "vmstat"),
            unread=self._log.unread,
        )

    def close(self) -> None:
        self._log.close()

    def _read(self) -> None:
        for entry in self._log.new_entries():
            identity = self._watched.get(entry.pid)
            if identity is not None:
                self._entries.setdefault(identity, []).append(entry)

    def _since(self, path: Path | None) -> int | None:
        before = self._counts.get(path) if path is not None else None
        now = _count(path) if path is not None and before is not None else None
        return now - before if now is not None and before is not None and now >= before else None

    def _counter(self, identity: Identity) -> Path | None:
        """Return the file that counts the kills in the control group of a process (cgroups(7))."""
        try:
            lines = (self._proc / str(identity.pid) / "cgroup").read_text("utf-8", "replace").splitlines()
        except OSError:
            return None
        groups = dict(line.partition(":")[2].split(":", 1) for line in lines if line.count(":") >= 2)
        v1 = next((path for names, path in groups.items() if "memory" in names.split(",")), None)
        if v1 is not None:
            return self._cgroups / "memory" / v1.lstrip("/") / "memory.oom_control"
        if "" not in groups:
            return None
        return self._cgroups / groups[""].lstrip("/") / "memory.events"


def _count(path: Path) -> int | None:
    """Return the number of kills that a counter file tells; None where it is gone, closed, or tells none."""
    try:
        found = _OOM_COUNT.search(path.read_text("utf-8", "replace"))
    except OSError:
        return None
    return int(found[1]) if found is not None else None
