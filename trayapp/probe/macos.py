"""Processes and memory on macOS, without root: three calls of libSystem through ctypes, psutil for the rest.

One sysctl per scan lists every process of the machine (struct kinfo_proc: pid, parent, user, name, start, terminal).
The records are compared as bytes with those of the last scan and only what differs is decoded, so a new name, parent or
zombie is seen of any process at once. `proc_pid_rusage` tells CPU time, that of reaped children, RSS and the physical
footprint, which is what Activity Monitor and the kernel's memory killer go by; idle agents read twice as much by
footprint as by RSS, because RSS leaves compressed pages out. It is one call per process, so it is asked about those
that are due. Flavor 1 is asked for: 0 already has the footprint, 1 adds the CPU time of reaped children, the later ones
only disk and energy. It answers for the own user's processes only (EPERM for others). Arguments, environment and folder
come from psutil.

Not run on a Mac yet: layouts and decoders are tested on packed bytes, the calls on a stand-in for the library. Sources:
xnu bsd/sys/sysctl.h, bsd/sys/proc.h, bsd/sys/resource.h (struct kinfo_proc is 648 bytes on 64-bit machines).
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import psutil

from trayapp.model.process import Identity, Pressure, ProcessStatus
from trayapp.probe import portable
from trayapp.probe.portable import Reading

KINFO_PROC_BYTES = 648
RUSAGE_BYTES = 144

_PID_OF_RECORD = f"<40xi{KINFO_PROC_BYTES - 44}x"
_CTL_KERN, _KERN_PROC, _KERN_PROC_ALL, _KERN_PROC_PID = 1, 14, 0, 1
_RUSAGE_INFO_V1 = 1

_STATUSES = {
    2: ProcessStatus.RUNNING,
    3: ProcessStatus.SLEEPING,
    4: ProcessStatus.STOPPED,
    5: ProcessStatus.ZOMBIE,
}

_USAGE_FIELDS = frozenset({"rss_bytes", "cpu_s", "children_cpu_s", "footprint_bytes"})

_PRESSURES = {1: Pressure.NORMAL, 2: Pressure.WARNING, 4: Pressure.CRITICAL}


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """Hold what the process list says of one process; `start_us` is p_starttime in microseconds."""

    pid: int
    ppid: int
    pgid: int
    uid: int
    name: str
    status: ProcessStatus
    start_us: int
    tty_device: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Hold what proc_pid_rusage says of one process; CPU times are in Mach ticks."""

    cpu_ticks: int
    children_cpu_ticks: int
    rss_bytes: int
    footprint_bytes: int


def decode_kinfo_proc(raw: bytes) -> Listed:
    """Decode one struct kinfo_proc.

    Offsets: p_starttime 0 (two 64-bit words, seconds and microseconds), p_stat 36, p_pid 40, p_comm 243 (17 bytes),
    p_ruid 392, e_ppid 560, e_pgid 564, e_tdev 572 (-1 = none).
    """
    seconds, microseconds = struct.unpack_from("<qi", raw, 0)
    ppid, pgid = struct.unpack_from("<ii", raw, 560)
    return Listed(
        pid=struct.unpack_from("<i", raw, 40)[0],
        ppid=ppid,
        pgid=pgid,
        uid=struct.unpack_from("<I", raw, 392)[0],
        name=raw[243:260].partition(b"\0")[0].decode("utf-8", "replace"),
        status=_STATUSES.get(raw[36], ProcessStatus.OTHER),
        start_us=seconds * 1_000_000 + microseconds,
        tty_device=struct.unpack_from("<i", raw, 572)[0],
    )


def split_records(raw: bytes) -> dict[int, bytes]:
    """Return the records of a process list by pid, without decoding more than that; an incomplete last one is left."""
    whole = len(raw) // KINFO_PROC_BYTES * KINFO_PROC_BYTES
    pids = struct.iter_unpack(_PID_OF_RECORD, memoryview(raw)[:whole])
    starts = range(0, whole, KINFO_PROC_BYTES)
    return {pid: raw[at : at + KINFO_PROC_BYTES] for (pid,), at in zip(pids, starts, strict=True)}


def decode_rusage(raw: bytes) -> Usage:
    """Decode a struct rusage_info_v1.

    A uuid of 16 bytes, then 64-bit words: user 16, system 24, resident 64, phys_footprint 72 (the same in all
    versions); user and system time of reaped children 96 and 104.
    """
    user, system = struct.unpack_from("<QQ", raw, 16)
    rss_bytes, footprint_bytes = struct.unpack_from("<QQ", raw, 64)
    child_user, child_system = struct.unpack_from("<QQ", raw, 96)
    return Usage(
        cpu_ticks=user + system,
        children_cpu_ticks=child_user + child_system,
        rss_bytes=rss_bytes,
        footprint_bytes=footprint_bytes,
    )


def load_libsystem() -> Any:
    """Load the C library of macOS."""
    library = ctypes.CDLL("/usr/lib/libSystem.B.dylib", use_errno=True)
    library.proc_pid_rusage.argtypes = (ctypes.c_int, ctypes.c_int, ctypes.c_void_p)
    library.sysctl.argtypes = (
        ctypes.POINTER(ctypes.c_int),
        ctypes.c_uint,
        ctypes.c_void_p,
        ctypes.POINTER(ctypes.c_size_t),
        ctypes.c_void_p,
        ctypes.c_size_t,
    )
    library.sysctlbyname.argtypes = (
        ctypes.c_char_p,
        ctypes.c_void_p,
        ctypes.POINTER(ctypes.c_size_t),
        ctypes.c_void_p,
        ctypes.c_size_t,
    )
    return library


class Kernel:
    """Ask the kernel through libSystem.

    `library` needs the functions sysctl, sysctlbyname and proc_pid_rusage, which set ctypes' errno.
    """

    def __init__(self, library: Any) -> None:
        self._library = library
        self._usage = ctypes.create_string_buffer(RUSAGE_BYTES)
        frequency = self.number(b"hw.tbfrequency", width_bytes=8)
        # Without it (never seen) ticks would be nanoseconds, as they are on Intel.
        self.ticks_per_s = frequency or 1_000_000_000

    def records(self) -> bytes:
        """List every process of the machine: one struct kinfo_proc after the other."""
        return self._process_records((_CTL_KERN, _KERN_PROC, _KERN_PROC_ALL))

    def process(self, pid: int) -> Listed | None:
        """Return the list's record of the process that has this pid now."""
        raw = self._process_records((_CTL_KERN, _KERN_PROC, _KERN_PROC_PID, pid))
        return decode_kinfo_proc(raw) if len(raw) == KINFO_PROC_BYTES else None

    def usage(self, pid: int) -> Usage | None:
        """Return its usage; None = denied (EPERM). Raises psutil.NoSuchProcess."""
        if self._library.proc_pid_rusage(pid, _RUSAGE_INFO_V1, self._usage) == 0:
            return decode_rusage(self._usage.raw)
        number = ctypes.get_errno()
        if number == errno.EPERM:
            return None
        if number == errno.ESRCH:
            raise psutil.NoSuchProcess(pid)
        raise OSError(number, f"proc_pid_rusage({pid}): {os.strerror(number)}")

    def number(self, name: bytes, *, width_bytes: int) -> int | None:
        """Return a whole number by its sysctl name; None where there is no such name or the width differs."""
        buffer = ctypes.create_string_buffer(width_bytes)
        size = ctypes.c_size_t(width_bytes)
        if self._library.sysctlbyname(name, buffer, ctypes.byref(size), None, 0) != 0 or size.value != width_bytes:
            return None
        return int.from_bytes(buffer.raw, "little")

    def boot_epoch_s(self) -> float | None:
        """Return the wall time of the boot (kern.boottime); the kernel moves it when the clock is set."""
        raw = self.number(b"kern.boottime", width_bytes=16)
        if raw is None:
            return None
        seconds, microseconds = (int(word) for word in struct.unpack_from("<qi", raw.to_bytes(16, "little")))
        return seconds + microseconds / 1e6

    def _process_records(self, name: tuple[int, ...]) -> bytes:
        """Return the records of a process sysctl; a list that grew between the two calls is asked for again."""
        words = (ctypes.c_int * len(name))(*name)
        size = ctypes.c_size_t(0)
        while True:
            self._sysctl(words, None, size)
            size.value += 16 * KINFO_PROC_BYTES
            buffer = ctypes.create_string_buffer(size.value)
            if self._sysctl(words, buffer, size):
                return buffer.raw[: size.value]

    def _sysctl(self, words: Any, buffer: Any, size: ctypes.c_size_t) -> bool:
        """Call sysctl(3); False = the buffer was too small."""
        if self._library.sysctl(words, len(words), buffer, ctypes.byref(size), None, 0) == 0:
            return True
        number = ctypes.get_errno()
        if number == errno.ENOMEM:
            return False
        raise OSError(number, f"sysctl KERN_PROC: {os.strerror(number)}")


def read_state(pid: int) -> tuple[int, bool] | None:
    """Return the start of the process that has this pid now, and if it still runs; None = there is none."""
    listed = Kernel(load_libsystem()).process(pid)
    return None if listed is None else (listed.start_us, listed.status is not ProcessStatus.ZOMBIE)


class Probe(portable.Probe):
    """Read this Mac; see the package for what its methods promise. Starts in identities are in microseconds."""

    footprint_metric = "physical-footprint"

    def __init__(self, *, environment_names: Collection[str] = (), load: Callable[[], Any] = load_libsystem) -> None:
        super().__init__(environment_names=environment_names)
        self._kernel = Kernel(load())
        self._ttys: dict[int, str] = {}
        self._raw = b""
        self._records: dict[int, bytes] = {}
        self._listed: dict[int, Listed] = {}
        self._typed_epoch_s: dict[str, float | None] = {}
        self._booted_epoch_s = 0.0
        self._told: dict[Identity, int] = {}

    def close(self) -> None:
        super().close()
        self._raw = b""
        for kept in (self._records, self._listed, self._told):
            kept.clear()

    def footprints(self, identities: Collection[Identity], budget_s: float | None) -> Mapping[Identity, int]:
        """Return the physical footprints in bytes as the last scan read them; it costs nothing, so no budget is used.

        With None all of them are read now. Processes that are gone, unreadable or not read yet are missing.
        """
        if budget_s is None:
            now = {identity: self._footprint_now(identity) for identity in identities}
            return {identity: size for identity, size in now.items() if size is not None}
        told: dict[Identity, int] = {}
        for identity in identities:
            known = self._known.get(identity.pid)
            if known is not None and known.identity == identity and known.reading.footprint_bytes is not None:
                told[identity] = known.reading.footprint_bytes
        if told != self._told:
            self._told = told
        return self._told

    def _list(self) -> tuple[set[int], set[int]]:
        """Return the pids there are, and those whose record is another than at the last scan."""
        self._typed_epoch_s = {}
        self._booted_epoch_s = self._boot_epoch_s()
        raw = self._kernel.records()
        if raw == self._raw:
            return set(self._records), set()
        before, records = self._records, split_records(raw)
        stirred = {pid for pid, record in records.items() if before.get(pid) != record}
        self._listed = {pid: listed for pid, listed in self._listed.items() if pid in records and pid not in stirred}
        self._raw, self._records = raw, records
        return set(records), stirred

    def _reading(self, pid: int) -> Reading:
        listed = self._listed.get(pid)
        if listed is None:
            listed = self._listed[pid] = decode_kinfo_proc(self._records[pid])
        zombie = listed.status is ProcessStatus.ZOMBIE
        usage = None if zombie else self._kernel.usage(pid)
        tty = self._tty(listed.tty_device)
        reading = Reading(
            identity=Identity(pid, listed.start_us),
            start_s=listed.start_us / 1e6 - self._booted_epoch_s,
            ppid=listed.ppid,
            name=listed.name,
            status=listed.status,
            uid=listed.uid,
            pgid=listed.pgid,
            sid=_session(pid),
            tty=tty,
            tty_input_epoch_s=None if tty is None else self._typed(tty),
            unreadable=frozenset() if zombie else _USAGE_FIELDS,
        )
        if usage is None:
            return reading
        return replace(
            reading,
            rss_bytes=usage.rss_bytes,
            footprint_bytes=usage.footprint_bytes,
            cpu_s=usage.cpu_ticks / self._kernel.ticks_per_s,
            children_cpu_s=usage.children_cpu_ticks / self._kernel.ticks_per_s,
            unreadable=frozenset(),
        )

    def _typed(self, tty: str) -> float | None:
        """Return when the terminal was last read from; asked once per scan."""
        if tty not in self._typed_epoch_s:
            self._typed_epoch_s[tty] = _tty_input_epoch_s(tty)
        return self._typed_epoch_s[tty]

    def _start_now(self, pid: int) -> int | None:
        listed = self._kernel.process(pid)
        return None if listed is None else listed.start_us

    def _footprint(self, pid: int) -> int | None:
        usage = self._kernel.usage(pid)
        return None if usage is None else usage.footprint_bytes

    def _pressure(self, available_share: float) -> Pressure:
        """Return the kernel's own word (kern.memorystatus_vm_pressure_level)."""
        level = self._kernel.number(b"kern.memorystatus_vm_pressure_level", width_bytes=4)
        return Pressure.UNKNOWN if level is None else _PRESSURES.get(level, Pressure.UNKNOWN)

    def _uptime_s(self) -> float:
        return time.time() - self._boot_epoch_s()

    def _boot_epoch_s(self) -> float:
        boot_epoch_s = self._kernel.boot_epoch_s()
        if boot_epoch_s is None:
            raise OSError(
                "macOS does not tell when it was booted (sysctl kern.boottime). Report this with your version."
            )
        return boot_epoch_s

    def _tty(self, device: int) -> str | None:
        """Name a terminal by its device number as /dev does; the folder is read again when one is new."""
        if device == -1:
            return None
        if device not in self._ttys:
            self._ttys = {device: f"{(device >> 24) & 0xFF}:{device & 0xFFFFFF}"} | _terminals()
        return self._ttys[device]


def _terminals() -> dict[int, str]:
    """Return the names in /dev of the terminals there are, by device number."""
    found: dict[int, str] = {}
    for entry in os.scandir("/dev"):
        if entry.name.startswith("tty") or entry.name == "console":
            try:
                found[os.stat(entry.path).st_rdev] = entry.name
            except FileNotFoundError:
                continue
    return found


def _tty_input_epoch_s(tty: str) -> float | None:
    try:
        return os.stat(f"/dev/{tty}").st_atime
    except (FileNotFoundError, PermissionError):
        return None


def _session(pid: int) -> int | None:
    try:
        return os.getsid(pid)
    except (ProcessLookupError, PermissionError):
        return None
