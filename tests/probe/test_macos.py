"""The macOS probe on packed bytes and on a stand-in for libSystem that answers like the kernel."""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from typing import Any

import psutil
import pytest

from trayapp.model.process import Changes, Identity, Pressure, ProcessStatus, ProcessTable
from trayapp.probe import macos, portable
from trayapp.probe.macos import Kernel, Probe, decode_kinfo_proc, decode_rusage, split_records
from trayapp.probe.portable import Details

BOOT_US = 1_700_000_000_000_000


def kinfo_proc(
    *,
    pid: int,
    ppid: int = 1,
    pgid: int = 0,
    uid: int = 501,
    name: bytes = b"claude",
    status: int = 3,
    start_us: int = BOOT_US + 50_000_000,
    device: int = -1,
) -> bytes:
    """Pack a struct kinfo_proc of 648 bytes; what is not told is filled with 0xAA."""
    raw = bytearray(b"\xaa" * 648)
    struct.pack_into("<qi", raw, 0, start_us // 1_000_000, start_us % 1_000_000)
    raw[36] = status
    struct.pack_into("<i", raw, 40, pid)
    raw[243:260] = name.ljust(17, b"\0")[:17]
    struct.pack_into("<I", raw, 392, uid)
    struct.pack_into("<ii", raw, 560, ppid, pgid or pid)
    struct.pack_into("<i", raw, 572, device)
    return bytes(raw)


def rusage(*, user: int, system: int, resident: int, footprint: int, children: int = 0) -> bytes:
    """Pack a struct rusage_info_v1 of 144 bytes."""
    words = [user, system, 7, 7, 7, 7, resident, footprint, 7, 7, children, 0, 7, 7, 7, 7]
    return b"u" * 16 + struct.pack("<16Q", *words)


class LibSystem:
    """Answer sysctl, sysctlbyname and proc_pid_rusage as the kernel does; `usages` may hold errno numbers."""

    def __init__(self, records: list[bytes], usages: dict[int, bytes | int]) -> None:
        self.records = records
        self.usages = usages
        self.names: dict[bytes, bytes] = {
            b"hw.tbfrequency": struct.pack("<Q", 24_000_000),
            b"kern.boottime": struct.pack("<qi4x", BOOT_US // 1_000_000, 0),
            b"kern.memorystatus_vm_pressure_level": struct.pack("<i", 1),
        }
        self.grows_before_read = 0
        self.lists = 0
        self.asked: list[int] = []

    def sysctl(self, words: Any, count: int, buffer: Any, size: Any, new: None, new_size: int) -> int:
        name = list(words)
        assert count == len(name)
        assert name[:2] == [1, 14]
        records = self.records if name[2] == 0 else [r for r in self.records if decode_kinfo_proc(r).pid == name[3]]
        answer = b"".join(records)
        length = ctypes.cast(size, ctypes.POINTER(ctypes.c_size_t)).contents
        if buffer is None:
            self.lists += name[2] == 0
            length.value = len(answer)
            return 0
        if self.grows_before_read:
            self.grows_before_read -= 1
            self.records += [kinfo_proc(pid=90_000 + len(self.records) + i) for i in range(40)]
            ctypes.set_errno(errno.ENOMEM)
            return -1
        if length.value < len(answer):
            ctypes.set_errno(errno.ENOMEM)
            return -1
        ctypes.memmove(buffer, answer, len(answer))
        length.value = len(answer)
        return 0

    def sysctlbyname(self, name: bytes, buffer: Any, size: Any, new: None, new_size: int) -> int:
        if name not in self.names:
            ctypes.set_errno(errno.ENOENT)
            return -1
        ctypes.memmove(buffer, self.names[name], len(self.names[name]))
        ctypes.cast(size, ctypes.POINTER(ctypes.c_size_t)).contents.value = len(self.names[name])
        return 0

    def proc_pid_rusage(self, pid: int, flavor: int, buffer: Any) -> int:
        assert flavor == 1
        self.asked.append(pid)
        usage = self.usages.get(pid, errno.ESRCH)
        if isinstance(usage, int):
            ctypes.set_errno(usage)
            return -1
        ctypes.memmove(buffer, usage, len(usage))
        return 0


def test_a_record_of_the_list_is_decoded() -> None:
    listed = decode_kinfo_proc(
        kinfo_proc(pid=4711, ppid=4700, pgid=4701, uid=501, name=b"2.1.198", start_us=BOOT_US + 123, device=0x10000003)
    )
    assert (listed.pid, listed.ppid, listed.pgid, listed.uid) == (4711, 4700, 4701, 501)
    assert listed.name == "2.1.198"
    assert listed.status is ProcessStatus.SLEEPING
    assert listed.start_us == BOOT_US + 123
    assert listed.tty_device == 0x10000003


def test_a_usage_is_decoded() -> None:
    usage = decode_rusage(rusage(user=10, system=5, resident=4096, footprint=9000, children=77))
    assert (usage.cpu_ticks, usage.children_cpu_ticks) == (15, 77)
    assert (usage.rss_bytes, usage.footprint_bytes) == (4096, 9000)
    assert len(rusage(user=0, system=0, resident=0, footprint=0)) == macos.RUSAGE_BYTES


def test_ticks_become_seconds_by_the_machines_own_frequency() -> None:
    library = LibSystem([kinfo_proc(pid=os.getpid())], {os.getpid(): rusage(
        user=48_000_000, system=24_000_000, resident=100, footprint=250, children=12_000_000)})  # fmt: skip
    process = Probe(load=lambda: library).scan().processes[os.getpid()]
    assert process.cpu_s == 3.0
    assert process.children_cpu_s == 0.5
    assert process.rss_bytes == 100
    assert process.identity == Identity(os.getpid(), BOOT_US + 50_000_000)
    assert process.start_s == pytest.approx(50.0)
    assert process.unreadable.isdisjoint({"rss_bytes", "cpu_s", "footprint_bytes"})


def test_a_denied_usage_is_unreadable_and_not_zero() -> None:
    library = LibSystem([kinfo_proc(pid=os.getpid(), uid=0)], {os.getpid(): errno.EPERM})
    probe = Probe(load=lambda: library)
    process = probe.scan().processes[os.getpid()]
    assert (process.rss_bytes, process.cpu_s, process.children_cpu_s) == (None, None, None)
    assert {"rss_bytes", "cpu_s", "children_cpu_s", "footprint_bytes"} <= process.unreadable
    assert probe.footprints([process.identity], None) == {}


def test_a_process_that_ended_after_it_was_listed_is_left_out() -> None:
    library = LibSystem([kinfo_proc(pid=os.getpid()), kinfo_proc(pid=4711)], {4711: errno.ESRCH,
        os.getpid(): rusage(user=0, system=0, resident=1, footprint=1)})  # fmt: skip
    assert set(Probe(load=lambda: library).scan().processes) == {os.getpid()}


def test_a_zombie_is_listed_and_not_asked_for_its_usage() -> None:
    library = LibSystem([kinfo_proc(pid=4711, status=5)], {})
    zombie = Probe(load=lambda: library).scan().processes[4711]
    assert zombie.is_zombie
    assert (zombie.argv, zombie.rss_bytes, zombie.unreadable) == (None, None, frozenset())


def test_any_other_fault_of_the_call_is_raised_with_its_name() -> None:
    library = LibSystem([kinfo_proc(pid=os.getpid())], {os.getpid(): errno.EINVAL})
    with pytest.raises(OSError, match="proc_pid_rusage") as caught:
        Kernel(library).usage(os.getpid())
    assert caught.value.errno == errno.EINVAL


def test_a_usage_of_a_process_that_is_gone_says_so() -> None:
    with pytest.raises(psutil.NoSuchProcess):
        Kernel(LibSystem([], {})).usage(4711)


def test_a_list_that_grows_while_it_is_read_is_read_again() -> None:
    library = LibSystem([kinfo_proc(pid=1), kinfo_proc(pid=2)], {})
    library.grows_before_read = 2
    assert len(split_records(Kernel(library).records())) == 82


def test_the_footprint_is_the_physical_one_and_belongs_to_that_very_process() -> None:
    library = LibSystem([kinfo_proc(pid=os.getpid())], {os.getpid(): rusage(
        user=0, system=0, resident=100, footprint=250)})  # fmt: skip
    probe = Probe(load=lambda: library)
    table = probe.scan()
    identity = table.processes[os.getpid()].identity
    assert table.footprint_metric == "physical-footprint"
    assert probe.footprints([identity], None) == {identity: 250}
    assert probe.footprints([Identity(identity.pid, identity.start - 1)], None) == {}


@pytest.mark.parametrize(
    ("level", "expected"),
    [(1, Pressure.NORMAL), (2, Pressure.WARNING), (4, Pressure.CRITICAL), (3, Pressure.UNKNOWN)],
)
def test_the_pressure_is_the_kernels_own_word(level: int, expected: Pressure) -> None:
    library = LibSystem([], {})
    library.names[b"kern.memorystatus_vm_pressure_level"] = struct.pack("<i", level)
    assert Probe(load=lambda: library).machine().pressure is expected


def test_without_that_word_the_pressure_is_unknown() -> None:
    library = LibSystem([], {})
    del library.names[b"kern.memorystatus_vm_pressure_level"]
    assert Probe(load=lambda: library).machine().pressure is Pressure.UNKNOWN


def test_without_a_frequency_ticks_are_nanoseconds() -> None:
    library = LibSystem([], {})
    del library.names[b"hw.tbfrequency"]
    assert Kernel(library).ticks_per_s == 1_000_000_000


def test_records_are_told_apart_by_pid_and_an_incomplete_last_one_is_left() -> None:
    records = [kinfo_proc(pid=7), kinfo_proc(pid=70_000, name=b"node")]
    assert split_records(b"".join(records) + records[0][:647]) == {7: records[0], 70_000: records[1]}
    assert split_records(b"") == {}


class Mac:
    """A Mac with these pids and a probe that looks at it; what psutil would tell of a process is made up."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *pids: int) -> None:
        self.library = LibSystem([], {})
        self.reads: list[int] = []
        self.decoded: list[int] = []
        for pid in pids:
            self.set(pid)
        monkeypatch.setattr(macos.Probe, "_details", self._details)
        monkeypatch.setattr(macos, "decode_kinfo_proc", self._decode)
        monkeypatch.setattr(portable, "SLOW_READS", 0)
        self.probe = Probe(load=lambda: self.library)

    def set(self, pid: int, *, resident: int = 100, **record: Any) -> None:
        """Have a process with this record, and this usage; the newest stands first, as in the kernel's list."""
        self.end(pid)
        self.library.records.insert(0, kinfo_proc(pid=pid, **record))
        self.library.usages[pid] = rusage(user=24_000_000, system=0, resident=resident, footprint=2 * resident)

    def end(self, pid: int) -> None:
        self.library.records = [r for r in self.library.records if decode_kinfo_proc(r).pid != pid]
        self.library.usages.pop(pid, None)

    def look(self, *, whole: bool = False) -> ProcessTable:
        self.library.asked.clear()
        self.library.lists = 0
        self.reads.clear()
        self.decoded.clear()
        return self.probe.scan(whole=whole)

    def _details(self, identity: Identity) -> Details:
        self.reads.append(identity.pid)
        return Details(argv=("claude", str(identity.pid)))

    def _decode(self, raw: bytes) -> macos.Listed:
        listed = decode_kinfo_proc(raw)
        self.decoded.append(listed.pid)
        return listed


def test_a_steady_scan_is_one_list_and_a_usage_for_each_followed_process(monkeypatch: pytest.MonkeyPatch) -> None:
    mac = Mac(monkeypatch, 11, 12, 13, 14)
    first = mac.look(whole=True)
    assert sorted(set(mac.decoded)) == sorted(mac.library.asked) == [11, 12, 13, 14]
    mac.probe.follow([first.processes[12].identity])
    table = mac.look()
    assert (mac.library.lists, mac.library.asked, mac.reads, mac.decoded) == (1, [12], [], [])
    assert table.processes is first.processes
    assert table.changes == Changes(since=first.serial)


def test_the_list_alone_tells_of_any_process_that_it_is_new_gone_renamed_or_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mac = Mac(monkeypatch, 11, 12, 13, 14)
    first = mac.look(whole=True)
    was = {pid: process.identity for pid, process in first.processes.items()}
    mac.set(15)
    mac.end(11)
    mac.set(12, name=b"node")
    mac.set(13, status=5)
    table = mac.look()
    assert table.changes == Changes(
        since=first.serial,
        appeared=frozenset({table.processes[15].identity}),
        gone=frozenset({was[11]}),
        changed=frozenset({was[12], was[13]}),
        moved=frozenset({was[13]}),
    )
    assert table.processes[12].name == "node"
    assert table.processes[13].is_zombie
    assert table.processes[14] is first.processes[14]
    assert sorted(mac.library.asked) == [12, 15]


def test_a_pid_that_is_given_to_another_process_is_one_gone_and_one_appeared(monkeypatch: pytest.MonkeyPatch) -> None:
    mac = Mac(monkeypatch, 11, 12)
    first = mac.look(whole=True)
    mac.set(11, start_us=BOOT_US + 90_000_000)
    table = mac.look()
    assert table.changes == Changes(
        since=first.serial,
        appeared=frozenset({Identity(11, BOOT_US + 90_000_000)}),
        gone=frozenset({first.processes[11].identity}),
    )


def test_figures_of_a_followed_process_move_and_those_of_another_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    mac = Mac(monkeypatch, 11, 12)
    first = mac.look(whole=True)
    mac.probe.follow([first.processes[11].identity])
    for pid in (11, 12):
        mac.library.usages[pid] = rusage(user=48_000_000, system=0, resident=500, footprint=900)
    table = mac.look()
    assert table.changes == Changes(since=first.serial, moved=frozenset({first.processes[11].identity}))
    assert (table.processes[11].rss_bytes, table.processes[12].rss_bytes) == (500, 100)
    assert mac.look(whole=True).processes[12].rss_bytes == 500


def test_others_have_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    mac = Mac(monkeypatch, *range(11, 21))
    mac.look(whole=True)
    monkeypatch.setattr(portable, "SLOW_READS", 4)
    monkeypatch.setattr(portable, "SLOW_BEAT_S", 1e-6)
    asked: list[int] = []
    for _ in range(5):
        mac.look()
        assert len(mac.library.asked) == 4
        asked += mac.library.asked
    assert sorted(asked) == sorted([*range(11, 21), *range(11, 21)])


def test_footprints_come_with_the_figures_and_cost_no_call(monkeypatch: pytest.MonkeyPatch) -> None:
    mac = Mac(monkeypatch, 11, 12)
    identities = [process.identity for process in mac.look(whole=True).processes.values()]
    mac.library.asked.clear()
    told = mac.probe.footprints(identities, 0.0)
    assert told == dict.fromkeys(identities, 200)
    assert mac.probe.footprints(identities, 0.0) is told
    assert mac.library.asked == []
    mac.library.usages[11] = rusage(user=0, system=0, resident=500, footprint=900)
    assert mac.probe.footprints(identities, 0.0)[identities[0]] == 200
    assert mac.probe.footprints(identities, None)[identities[0]] == 900
    mac.probe.close()
    assert mac.probe.footprints(identities, 0.0) == {}


def test_a_clock_that_is_set_makes_no_process_look_different(monkeypatch: pytest.MonkeyPatch) -> None:
    mac = Mac(monkeypatch, 11)
    first = mac.look(whole=True)
    mac.library.names[b"kern.boottime"] = struct.pack("<qi4x", BOOT_US // 1_000_000 + 3600, 0)
    mac.set(11, ppid=12)
    table = mac.look()
    assert table.processes[11].start_s == first.processes[11].start_s == pytest.approx(50.0)


def test_a_terminal_is_asked_once_per_scan_when_a_key_was_pressed(monkeypatch: pytest.MonkeyPatch) -> None:
    mac = Mac(monkeypatch)
    for pid in (11, 12):
        mac.set(pid, device=0x10000003)
    asked: list[str] = []
    monkeypatch.setattr(macos, "_terminals", lambda: {0x10000003: "ttys003"})
    monkeypatch.setattr(macos, "_tty_input_epoch_s", lambda tty: asked.append(tty) or 99.0)  # type: ignore[func-returns-value]
    table = mac.look(whole=True)
    assert asked == ["ttys003"]
    assert {(p.tty, p.tty_input_epoch_s) for p in table.processes.values()} == {("ttys003", 99.0)}
