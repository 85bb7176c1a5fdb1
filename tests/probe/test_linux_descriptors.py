"""What a scan of the Linux probe asks of the system: few calls, no program, and descriptors limited and given back."""

from __future__ import annotations

import errno
import math
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from trayapp.model.process import Identity, ProcessTable
from trayapp.probe import linux, linux_files
from trayapp.probe.linux import Probe

if TYPE_CHECKING:
    from tests.probe.conftest import Start

Until = Callable[[Callable[[], bool]], None]

pytestmark = pytest.mark.linux


@pytest.fixture(autouse=True)
def grown_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every process for settled at first sight."""
    monkeypatch.setattr(linux, "YOUNG_S", -1.0)


@pytest.fixture
def probe() -> Iterator[Probe]:
    made = Probe()
    yield made
    made.close()


def kept_open() -> list[str]:
    """Return which stat files this program holds open."""
    links = []
    for number in os.listdir("/proc/self/fd"):
        try:
            links.append(os.readlink(f"/proc/self/fd/{number}"))
        except FileNotFoundError:
            continue  # the one of the listing itself
    return [link for link in links if link.startswith("/proc/") and link.endswith("/stat")]


def identities(table: ProcessTable, *children: subprocess.Popen[bytes]) -> list[Identity]:
    return [table.processes[child.pid].identity for child in children]


def test_a_descriptor_is_kept_of_each_followed_process_and_given_back(probe: Probe, start: Start) -> None:
    children = [start("sleep", "100") for _ in range(4)]
    before = len(os.listdir("/proc/self/fd"))
    table = probe.scan()
    assert kept_open() == []
    probe.follow(identities(table, *children))
    probe.scan(whole=False)
    probe.scan(whole=False)
    assert sorted(kept_open()) == sorted(f"/proc/{child.pid}/stat" for child in children)
    probe.follow(identities(table, *children[1:]))
    assert sorted(kept_open()) == sorted(f"/proc/{child.pid}/stat" for child in children[1:])
    children[1].kill()
    children[1].wait()
    probe.scan(whole=False)
    assert len(kept_open()) == 2
    probe.forget(identities(table, *children[2:]))
    probe.scan()
    assert len(kept_open()) == 2
    probe.close()
    assert kept_open() == []
    assert len(os.listdir("/proc/self/fd")) == before


def test_no_more_than_the_limit_are_kept_and_all_are_read_all_the_same(
    probe: Probe, start: Start, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linux, "KEPT_DESCRIPTORS", 2)
    monkeypatch.setattr(linux, "SLOW_READS", 0)
    children = [start("bash", "-c", "read line; exec sleep 100") for _ in range(5)]
    table = probe.scan()
    probe.follow(identities(table, *children))
    probe.scan(whole=False)
    assert len(kept_open()) == 2
    for child in children:
        assert child.stdin is not None
        child.stdin.write(b"go\n")
        child.stdin.flush()
    until(lambda: {probe.scan(whole=False).processes[child.pid].name for child in children} == {"sleep"})
    assert len(kept_open()) == 2
    kept = {int(path.split("/")[2]) for path in kept_open()}
    for child in children:
        if child.pid in kept:
            child.kill()
            child.wait()
    probe.scan(whole=False)
    probe.scan(whole=False)
    assert len(kept_open()) == 2
    assert kept.isdisjoint(int(path.split("/")[2]) for path in kept_open())


FEW = """
import os, resource, subprocess
from trayapp.probe import linux, linux_files
from trayapp.probe.linux import Probe

resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
linux.YOUNG_S = -1.0
children = [subprocess.Popen(["sleep", "600"]) for _ in range(150)]
try:
    probe = Probe()
    table = probe.scan()
    probe.follow([table.processes[child.pid].identity for child in children])
    table = probe.scan(whole=False)
    kept = [n for n in os.listdir("/proc/self/fd") if int(n) > 2]
    print(100 < len(kept) <= 128, all(child.pid in table.processes for child in children))
    others = [os.open("/dev/null", os.O_RDONLY) for _ in range(120)]
    everyone = [process.identity for process in probe.scan().processes.values()]
    print(len(everyone) >= 150, len(probe.footprints(everyone, 1.0)) > 0)
    probe.close()
    print(len(os.listdir("/proc/self/fd")) - len(others) <= 5)
finally:
    for child in children:
        child.kill()
    for child in children:
        child.wait()
"""


def test_under_a_low_limit_half_of_it_is_left_to_the_rest_of_the_program() -> None:
    told = subprocess.run(
        [sys.executable, "-c", FEW], check=True, capture_output=True, text=True, cwd=Path(__file__).parents[2]
    )
    assert told.stdout.split() == ["True"] * 5


def test_when_descriptors_run_out_those_that_were_kept_go_back_and_the_scan_goes_on(
    probe: Probe, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    children = [start("sleep", "100") for _ in range(3)]
    table = probe.scan()
    probe.follow(identities(table, children[0]))
    probe.scan(whole=False)
    assert len(kept_open()) == 1
    really_open = os.open

    stats = {f"/proc/{child.pid}/stat" for child in children}  # other processes come and go meanwhile

    def scarce(path: str, flags: int, **options: Any) -> int:
        if path in stats and len(kept_open()) == 1:
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        return really_open(path, flags, **options)

    probe.follow(identities(table, *children))
    monkeypatch.setattr(os, "open", scarce)
    table = probe.scan(whole=False)
    monkeypatch.undo()
    assert kept_open() == []
    assert {child.pid for child in children} <= table.processes.keys()


class CountedOs:
    """Stand in for the module os in the probe and count what is called of it."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()

    def __getattr__(self, name: str) -> Any:
        value = getattr(os, name)
        if not callable(value) or name in ("fsencode", "major", "minor"):
            return value

        def counted(*arguments: Any, **options: Any) -> Any:
            self.calls[name] += 1
            return value(*arguments, **options)

        return counted


class SteadyTime:
    """Stand in for the module time: each scan is 2 s after the last."""

    CLOCK_MONOTONIC, CLOCK_BOOTTIME = time.CLOCK_MONOTONIC, time.CLOCK_BOOTTIME

    def __init__(self) -> None:
        self.added_s = 0.0

    def clock_gettime(self, clock: int) -> float:
        self.added_s += 1.0
        return time.clock_gettime(clock) + self.added_s

    @staticmethod
    def clock_gettime_ns(clock: int) -> int:
        return time.clock_gettime_ns(clock)


def test_a_steady_scan_reads_no_followed_process_that_did_not_run_and_a_few_others_in_turn(
    probe: Probe, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    children = [start("sleep", "100") for _ in range(30)]
    counted = CountedOs()
    monkeypatch.setattr(linux, "time", SteadyTime())
    monkeypatch.setattr(linux, "CWD_INTERVAL_S", 1e9)
    monkeypatch.setattr(linux, "LINE_REST_S", 1e9)
    table = probe.scan()
    probe.follow(identities(table, *children))
    for _ in range(2):
        table = probe.scan(whole=False)
    for module in (linux, linux_files):
        monkeypatch.setattr(module, "os", counted)
    steady = False
    for _ in range(200):
        counted.calls.clear()
        before, table = table, probe.scan(whole=False)
        changes = table.changes
        assert changes is not None
        if not changes and counted.calls["readlink"] == 0:  # nobody came, went or called exec on this machine
            steady = True
            break
    assert steady, "the machine was never at rest"
    # those that ended meanwhile stand in the queue until their turn comes
    in_turn = math.ceil((len(probe._others) + len(probe._kernel_threads)) * 2.5 / linux.SLOW_BEAT_S) + 1
    sources = 3 if os.path.exists("/proc/pressure/memory") else 2
    assert counted.calls["listdir"] <= 1
    assert counted.calls["pread"] == sources
    assert 0 < counted.calls["open"] <= in_turn
    assert counted.calls["read"] == counted.calls["close"] == counted.calls["open"]
    terminals = {p.tty for p in table.processes.values() if p.tty is not None}
    assert counted.calls["stat"] <= len(terminals)
    assert counted.calls.keys() <= {"listdir", "pread", "open", "read", "close", "stat", "readlink"}
    assert before.processes.keys() == table.processes.keys()


def test_with_many_processes_the_reads_in_turn_are_bounded(
    probe: Probe, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(8):
        start("sleep", "100")
    monkeypatch.setattr(linux, "SLOW_READS", 3)
    monkeypatch.setattr(linux, "SLOW_BEAT_S", 1e-6)
    monkeypatch.setattr(linux, "KERNEL_BEAT_S", 1e-6)
    revisited: list[int] = []
    really = Probe._revisit

    def revisit(self: Probe, known: Any, cwd_rest_s: float = 0.0) -> None:
        if not known.young:  # others of this machine may come at any time
            revisited.append(known.identity.pid)
        really(self, known, cwd_rest_s)

    monkeypatch.setattr(Probe, "_revisit", revisit)
    probe.scan()
    counts = []
    for _ in range(20):
        revisited.clear()
        probe.scan(whole=False)
        counts.append(len(revisited))
    threads = sum(1 for process in probe.scan().processes.values() if process.argv == () and process.exe is None)
    assert set(counts) == {3 + min(3, threads)}


AUDITED = """
import os, subprocess, sys
from trayapp.probe.linux import Probe

child = subprocess.Popen(["sleep", "600"])
seen = []
started = ("subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system", "os.exec")
sys.addaudithook(lambda event, _: seen.append(event) if event in started else None)
try:
    probe = Probe(environment_names=("HOME",))
    table = probe.scan()
    probe.follow([table.processes[child.pid].identity])
    for _ in range(50):
        probe.scan(whole=False)
        probe.footprints([p.identity for p in table.processes.values()], 0.005)
    probe.scan()
    print(seen)
finally:
    child.kill()
    child.wait()
"""


def test_no_program_is_started_by_any_scan() -> None:
    told = subprocess.run(
        [sys.executable, "-c", AUDITED], check=True, capture_output=True, text=True, cwd=Path(__file__).parents[2]
    )
    assert told.stdout == "[]\n"


def test_the_kernels_answers_about_the_machine_are_read_through_descriptors_that_are_kept(
    probe: Probe, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = probe.machine()
    counted = CountedOs()
    monkeypatch.setattr(linux, "os", counted)
    second = probe.machine()
    assert counted.calls.keys() == {"pread"}
    assert (second is first) == (second == first)


def test_a_kernel_without_figures_of_waiting_still_tells_the_pressure(
    probe: Probe, monkeypatch: pytest.MonkeyPatch
) -> None:
    really_open = os.open

    def without_psi(path: str, flags: int, **options: Any) -> int:
        if path == "/proc/pressure/memory":
            raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))
        return really_open(path, flags, **options)

    monkeypatch.setattr(os, "open", without_psi)
    assert probe.machine().memory_total_bytes > 0
    assert probe.machine().pressure is not None
