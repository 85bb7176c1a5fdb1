"""What a probe tells between two looks at the whole: who is followed, who takes turns, and what exactly changed."""

from __future__ import annotations

import errno
import os
import random
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from trayapp.model.process import Changes, Identity, Process, ProcessStatus, ProcessTable
from trayapp.probe import linux, portable

if TYPE_CHECKING:
    from tests.probe.conftest import Start

AnyProbe = linux.Probe | portable.Probe
Until = Callable[[Callable[[], bool]], None]

pytestmark = pytest.mark.linux

ANIMAL = r"""
echo ready
while read -r word rest; do
    case $word in
        rename) printf %s "$rest" > /proc/$$/comm ;;
        folder) cd "$rest" ;;
        fork) sleep 20 & ;;
        orphan) (sleep 20 &) ;;
        exec) exec bash "$0" "$rest" ;;
        work) for ((i = 0; i < 30000; i++)); do :; done ;;
    esac
    echo done
done
"""


@pytest.fixture(params=[linux.Probe, portable.Probe], ids=["linux", "portable"])
def probe(request: pytest.FixtureRequest) -> Iterator[AnyProbe]:
    made: AnyProbe = request.param(environment_names=("AGENT_RING_SESSION",))
    yield made
    made.close()


@pytest.fixture
def grown_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every process for settled at first sight."""
    for module in (linux, portable):
        monkeypatch.setattr(module, "YOUNG_S", -1.0)


@pytest.fixture
def no_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read nobody in turn."""
    for module in (linux, portable):
        monkeypatch.setattr(module, "SLOW_READS", 0)


class Animal:
    """A shell that does as it is told, one thing at a time."""

    def __init__(self, start: Start, folder: Path) -> None:
        script = folder / "animal.sh"
        if not script.exists():
            script.write_text(ANIMAL)
        self.child = start("bash", str(script), "young", stdout=subprocess.PIPE, bufsize=0)
        self._hear(b"ready\n")

    @property
    def pid(self) -> int:
        return self.child.pid

    def tell(self, *words: str) -> None:
        assert self.child.stdin is not None
        self.child.stdin.write((" ".join(words) + "\n").encode())
        self._hear(b"ready\n" if words[0] == "exec" else b"done\n")

    def end(self, *, reap: bool = True) -> None:
        self.child.kill()
        if reap:
            self.child.wait()

    def _hear(self, expected: bytes) -> None:
        assert self.child.stdout is not None
        assert self.child.stdout.readline() == expected


@pytest.fixture
def born(start: Start, tmp_path: Path) -> Iterator[Callable[[], Animal]]:
    born: list[Animal] = []

    def bear() -> Animal:
        born.append(Animal(start, tmp_path))
        return born[-1]

    yield bear
    for animal in born:
        if animal.child.stdout is not None:
            animal.child.stdout.close()


class Watch:
    """Scan, and hold what each table says of its changes against a plain comparison with the one before."""

    def __init__(self, probe: AnyProbe) -> None:
        self.probe = probe
        self.table = probe.scan()
        assert self.table.changes is None
        self.compared = 0

    def look(self, *, whole: bool = False) -> ProcessTable:
        before, self.table = self.table, self.probe.scan(whole=whole)
        after = self.table
        assert after.serial > before.serial
        expected = plainly_compared(before, after)
        assert after.changes == expected
        for identity in after.changes.changed | after.changes.moved | after.changes.appeared:
            assert after.get(identity) is not None
        for process in after.processes.values():
            if process.identity not in expected.appeared | expected.changed | expected.moved:
                assert before.get(process.identity) is process
        assert list(after.processes) == sorted(after.processes)
        self.compared += 1
        return after

    @property
    def changes(self) -> Changes:
        assert self.table.changes is not None
        return self.table.changes

    def process(self, pid: int, *, whole: bool = False) -> Process:
        return self.look(whole=whole).processes[pid]

    def follow(self, *pids: int) -> None:
        self.probe.follow([self.table.processes[pid].identity for pid in pids])


def plainly_compared(before: ProcessTable, after: ProcessTable) -> Changes:
    old = {process.identity: process for process in before.processes.values()}
    new = {process.identity: process for process in after.processes.values()}
    both = old.keys() & new.keys()
    return Changes(
        since=before.serial,
        appeared=frozenset(new.keys() - old.keys()),
        gone=frozenset(old.keys() - new.keys()),
        changed=frozenset(i for i in both if without_figures(old[i]) != without_figures(new[i])),
        moved=frozenset(i for i in both if figures(old[i]) != figures(new[i])),
    )


def without_figures(process: Process) -> Process:
    status = ProcessStatus.ZOMBIE if process.is_zombie else ProcessStatus.SLEEPING
    return replace(
        process, rss_bytes=0, footprint_bytes=0, cpu_s=0, children_cpu_s=0, tty_input_epoch_s=0, status=status
    )


def figures(process: Process) -> tuple[object, ...]:
    memory = (process.rss_bytes, process.footprint_bytes)
    return (*memory, process.cpu_s, process.children_cpu_s, process.tty_input_epoch_s, process.status)


@pytest.mark.parametrize("young", [True, False], ids=["young", "settled"])
@pytest.mark.parametrize("seed", range(2))
def test_every_table_says_exactly_what_changed_since_the_last(
    probe: AnyProbe, born: Callable[[], Animal], monkeypatch: pytest.MonkeyPatch, seed: int, young: bool, tmp_path: Path
) -> None:
    if not young:
        for module in (linux, portable):
            monkeypatch.setattr(module, "YOUNG_S", -1.0)
    chance = random.Random(seed)
    animals, dead = [born() for _ in range(5)], list[Animal]()
    watch = Watch(probe)
    steps = 60 if isinstance(probe, linux.Probe) else 15
    for step in range(steps):
        deed = chance.choice(("born", "killed", "zombie", "reap", "stop", "rename", "exec", "fork", "orphan", "work"))
        animal = chance.choice(animals)
        match deed:
            case "born" if len(animals) < 12:
                animals.append(born())
            case "killed" | "zombie" if len(animals) > 2:
                animals.remove(animal)
                animal.end(reap=deed == "killed")
                dead.append(animal)
            case "reap":
                for each in dead:
                    each.child.wait()
            case "rename" | "exec":
                animal.tell(deed, f"{deed}-{step}")
            case "fork" | "orphan" | "work":
                animal.tell(deed)
            case _:
                animal.tell("folder", str(tmp_path))
        if chance.random() < 0.3:
            probe.follow([watch.table.processes[a.pid].identity for a in animals if a.pid in watch.table.processes][:4])
        if chance.random() < 0.1:
            probe.forget([watch.table.processes[os.getpid()].identity])
        watch.look(whole=chance.random() < 0.2)
    assert watch.compared == steps
    whole = watch.look(whole=True)
    fresh = type(probe)(environment_names=("AGENT_RING_SESSION",)).scan()
    # At its slower beat a probe sees another folder, and through psutil also another script of the same interpreter.
    unseen: dict[str, Any] = {"cwd": ""} if isinstance(probe, linux.Probe) or young else {"cwd": "", "argv": ()}
    for animal in animals:
        kept, true = whole.processes[animal.pid], fresh.processes[animal.pid]
        assert replace(without_figures(kept), **unseen) == replace(without_figures(true), **unseen)


@pytest.mark.usefixtures("grown_up")
def test_all_that_happens_to_a_followed_process_is_seen_at_once(
    probe: AnyProbe, born: Callable[[], Animal], until: Until
) -> None:
    animal, watch = born(), Watch(probe)
    identity = watch.table.processes[animal.pid].identity
    watch.follow(animal.pid)

    def changed() -> bool:
        return identity in watch.changes.changed

    animal.tell("rename", "worn) name")
    assert watch.process(animal.pid).name == "worn) name"
    assert changed()
    animal.tell("exec", "grown")
    assert (watch.process(animal.pid).argv or ())[-1] == "grown"
    assert changed()
    before = watch.process(animal.pid)
    animal.tell("work")
    until(lambda: (watch.process(animal.pid).cpu_s or 0.0) > (before.cpu_s or 0.0))
    assert identity in watch.changes.moved
    assert not changed()
    animal.end(reap=False)
    until(lambda: watch.process(animal.pid).is_zombie)
    assert changed()
    animal.child.wait()
    assert animal.pid not in watch.look().processes
    assert identity in watch.changes.gone


@pytest.mark.usefixtures("grown_up")
def test_a_followed_child_that_loses_its_parent_is_seen_with_its_new_one(
    probe: AnyProbe, born: Callable[[], Animal]
) -> None:
    animal = born()
    animal.tell("fork")
    watch = Watch(probe)
    (sleeper,) = watch.table.children(animal.pid)
    watch.follow(sleeper.pid)
    animal.end()
    assert watch.process(sleeper.pid).ppid != animal.pid
    assert sleeper.identity in watch.changes.changed


@pytest.mark.usefixtures("grown_up")
def test_a_followed_program_that_writes_a_title_over_its_arguments_is_seen(
    probe: AnyProbe, start: Start, until: Until
) -> None:
    if shutil.which("perl") is None:
        pytest.skip("no program here that rewrites its title")
    child = start("perl", "-e", "<STDIN>; $0 = 'worker 3'; <STDIN>")
    watch = Watch(probe)
    until(lambda: watch.process(child.pid, whole=True).name == "perl")
    watch.follow(child.pid)
    assert child.stdin is not None
    child.stdin.write(b"go\n")
    child.stdin.flush()
    until(lambda: " ".join(watch.process(child.pid).argv or ()) == "worker 3")


def test_who_is_new_is_in_the_next_table_and_read_at_each_scan_while_young(
    probe: AnyProbe, born: Callable[[], Animal]
) -> None:
    watch = Watch(probe)
    watch.follow(os.getpid())
    animal = born()
    assert (watch.process(animal.pid).argv or ())[-1] == "young"
    animal.tell("exec", "grown")
    assert (watch.process(animal.pid).argv or ())[-1] == "grown"


@pytest.mark.usefixtures("grown_up", "no_turns")
def test_who_is_not_followed_is_not_read_before_its_turn_unless_the_whole_is(
    probe: AnyProbe, born: Callable[[], Animal]
) -> None:
    animals, watch = [born() for _ in range(3)], Watch(probe)
    watch.look()
    followed, other, third = animals
    watch.follow(followed.pid)
    for animal in animals:
        animal.tell("rename", "grown")
    table = watch.look()
    assert [table.processes[a.pid].name for a in animals] == ["grown", "bash", "bash"]
    assert watch.process(other.pid, whole=True).name == "grown"
    third.end()
    assert third.pid not in watch.look(whole=True).processes


class Clock:
    """Stand in for the module time: the clocks go on by themselves, and by what a test adds."""

    CLOCK_MONOTONIC, CLOCK_BOOTTIME = time.CLOCK_MONOTONIC, time.CLOCK_BOOTTIME

    def __init__(self) -> None:
        self.added_s = 0.0

    def clock_gettime(self, clock: int) -> float:
        return time.clock_gettime(clock) + self.added_s

    @staticmethod
    def clock_gettime_ns(clock: int) -> int:
        return time.clock_gettime_ns(clock)


class NoClocks(Clock):
    """Stand in for a kernel that tells nothing of the CPU time of others."""

    @staticmethod
    def clock_gettime_ns(clock: int) -> int:
        raise OSError(errno.EINVAL, f"no clock {clock}")


@pytest.mark.usefixtures("grown_up", "no_turns")
@pytest.mark.parametrize("kernel", [Clock, NoClocks])
def test_work_is_seen_at_once_whether_or_not_the_kernel_tells_who_ran(
    kernel: type[Clock], born: Callable[[], Animal], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linux, "time", kernel())
    monkeypatch.setattr(linux, "CWD_INTERVAL_S", 1e9)
    animal, probe = born(), linux.Probe()
    before = probe.scan().processes[animal.pid]
    probe.follow([before.identity])
    for _ in range(3):
        before = probe.scan(whole=False).processes[animal.pid]
    animal.tell("work")
    after = probe.scan(whole=False).processes[animal.pid]
    assert (after.cpu_s or 0.0) > (before.cpu_s or 0.0)
    animal.end()
    assert animal.pid not in probe.scan(whole=False).processes
    probe.close()


@pytest.mark.usefixtures("grown_up", "no_turns")
def test_what_others_did_to_a_process_at_rest_is_seen_after_a_while(
    born: Callable[[], Animal], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr(linux, "time", clock)
    monkeypatch.setattr(linux, "CWD_INTERVAL_S", 1e9)
    animal, probe = born(), linux.Probe()
    probe.follow([probe.scan().processes[animal.pid].identity])
    for _ in range(3):
        probe.scan(whole=False)
    known = probe._followed[animal.pid]
    really = known.line
    known.line = really.replace(b" S ", b" D ", 1)  # as if it had been another when it was read
    clock.added_s += linux.LINE_REST_S / 2
    probe.scan(whole=False)
    assert known.line != really
    clock.added_s += linux.LINE_REST_S
    probe.scan(whole=False)
    assert known.line == really
    probe.close()


@pytest.mark.usefixtures("grown_up")
def test_every_process_has_its_turn_within_the_slow_beat(
    born: Callable[[], Animal], monkeypatch: pytest.MonkeyPatch
) -> None:
    probe, clock = linux.Probe(), Clock()
    animals = [born() for _ in range(4)]
    probe.scan()
    monkeypatch.setattr(linux, "time", clock)
    probe.scan(whole=False)
    for animal in animals:
        animal.tell("exec", "grown")
    for _ in range(int(linux.SLOW_BEAT_S / 2.0) + 2):
        clock.added_s += 2.0
        table = probe.scan(whole=False)
    assert {(table.processes[a.pid].argv or ())[-1] for a in animals} == {"grown"}
    probe.close()


RECYCLE = """
import os, subprocess, sys, time
from trayapp.probe.linux import Probe

probe = Probe()
followed, whole = sys.argv[1] == "followed", sys.argv[2] == "whole"
first = subprocess.Popen(["sleep", "600"])
before = probe.scan().processes[first.pid]
if followed:
    probe.follow([before.identity])
    probe.scan(whole=False)
first.kill()
first.wait()
while os.sysconf("SC_CLK_TCK") * time.clock_gettime(time.CLOCK_BOOTTIME) < before.identity.start + 2:
    pass
with open("/proc/sys/kernel/ns_last_pid", "w") as last:
    last.write(str(first.pid - 1))
second = subprocess.Popen(["sleep", "601"])
while not open(f"/proc/{second.pid}/cmdline").read():
    pass  # still in the middle of its exec
try:
    table = probe.scan(whole=whole)
    after = table.processes[second.pid]
    print(
        after.pid == before.pid,
        after.identity == before.identity,
        table.changes.gone == {before.identity},
        table.changes.appeared == {after.identity},
        after.identity in (table.changes.changed | table.changes.moved),
        after.argv[-1],
        probe._kept,
    )
finally:
    second.kill()
    second.wait()
    probe.close()
"""


@pytest.mark.parametrize(("followed", "whole"), [("followed", "fast"), ("followed", "whole"), ("other", "whole")])
def test_a_pid_that_is_given_to_another_process_is_one_gone_and_one_appeared(followed: str, whole: str) -> None:
    unshare = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
    if shutil.which("unshare") is None or subprocess.run([*unshare, "true"], capture_output=True).returncode != 0:
        pytest.skip("no right to make a PID namespace")
    told = subprocess.run(
        [*unshare, sys.executable, "-c", RECYCLE, followed, whole],
        check=True,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert told.stdout == "True False True True False 601 0\n"


@pytest.mark.usefixtures("grown_up", "no_turns")
def test_what_nobody_touched_is_the_very_same_mapping(probe: AnyProbe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "listdir", lambda *_: ["self", "1"])
    monkeypatch.setattr(psutil, "pids", lambda: [1])
    first = probe.scan()
    second = probe.scan(whole=False)
    assert second.processes is first.processes
    assert second.changes == Changes(since=first.serial)
    assert not second.changes


def test_a_probe_that_was_closed_begins_anew(probe: AnyProbe) -> None:
    first = probe.scan()
    probe.follow([first.processes[os.getpid()].identity])
    probe.scan(whole=False)
    probe.close()
    again = probe.scan(whole=False)
    assert again.changes is None
    assert again.serial > first.serial
    assert os.getpid() in again.processes


def test_to_follow_whom_nobody_knows_harms_nothing(probe: AnyProbe, born: Callable[[], Animal]) -> None:
    animal = born()
    own = linux.read_state(animal.pid)
    assert own is not None
    probe.follow([Identity(animal.pid, own[0]), Identity(2**22 + 1, 5), Identity(os.getpid(), 1)])
    watch = Watch(probe)
    animal.end()
    assert animal.pid not in watch.look().processes
    assert os.getpid() in watch.table.processes


def test_one_that_could_not_be_met_is_tried_again_although_the_listing_is_the_same(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pid can be given to another process between the listing and the read, and then both listings look the same."""
    child = start("sleep", "100")
    listing, really_open = os.listdir("/proc"), os.open
    monkeypatch.setattr(os, "listdir", lambda *_: listing)
    gone = [child.pid]

    def open_or_gone(path: str, *arguments: Any, **options: Any) -> int:
        if path == f"/proc/{child.pid}" and gone:
            gone.pop()
            raise FileNotFoundError(path)
        return really_open(path, *arguments, **options)

    monkeypatch.setattr(os, "open", open_or_gone)
    probe = linux.Probe()
    assert child.pid not in probe.scan().processes
    table = probe.scan(whole=False)
    assert table.changes is not None
    assert table.processes[child.pid].identity in table.changes.appeared
    probe.close()


class Kernel:
    """Stand in for what gives out pids: `last_pid` is what /proc/loadavg says, `listings` counts those of /proc."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.last_pid: int | None = 2**22
        self.listings = 0
        self.clock = Clock()
        really = os.listdir

        def listdir(path: str) -> list[str]:
            self.listings += path == "/proc"
            return really(path)

        monkeypatch.setattr(os, "listdir", listdir)
        monkeypatch.setattr(linux._MachineSources, "last_pid", lambda _: self.last_pid)
        monkeypatch.setattr(linux, "time", self.clock)


def test_while_few_pids_are_given_out_the_listing_is_left_out_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel, probe = Kernel(monkeypatch), linux.Probe()

    def listed(*, whole: bool = False) -> bool:
        before = kernel.listings
        kernel.clock.added_s += 2.0
        probe.scan(whole=whole)
        return kernel.listings > before

    # twice: a pid is given out shortly before its process can be seen
    assert [listed() for _ in range(9)] == [True, True, False, False, False, False, True, False, False]
    kernel.last_pid = 2**22 + 5
    assert [listed() for _ in range(3)] == [False, False, True]
    kernel.last_pid = 2**22 + 5 + 10_000
    assert [listed() for _ in range(4)] == [True, True, False, False]
    kernel.last_pid = 300
    assert [listed() for _ in range(4)] == [True, True, False, False]
    assert listed(whole=True)
    kernel.last_pid = None
    assert [listed() for _ in range(4)] == [True] * 4
    probe.close()


def test_whoever_is_new_is_in_the_next_table_however_rarely_the_listing_is_taken(
    born: Callable[[], Animal], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linux, "LISTING_REST_S", 1e9)
    watch = Watch(linux.Probe())
    for _ in range(5):
        for _ in range(3):
            watch.look()
        assert born().pid in watch.look().processes
    watch.probe.close()


@pytest.mark.usefixtures("grown_up", "no_turns")
def test_that_one_who_is_not_followed_is_gone_is_seen_after_the_rest_of_the_listing(
    born: Callable[[], Animal], monkeypatch: pytest.MonkeyPatch
) -> None:
    animal, kernel = born(), Kernel(monkeypatch)
    watch = Watch(linux.Probe())
    for _ in range(3):
        watch.look()
    animal.end()
    assert animal.pid in watch.look().processes
    kernel.clock.added_s += linux.LISTING_REST_S
    assert animal.pid not in watch.look().processes
    watch.probe.close()


def test_one_who_came_between_two_listings_is_gone_at_the_next(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """It must count as listed, or the next listing would look as if it had never been there."""
    probe, clock = linux.Probe(), Clock()
    monkeypatch.setattr(linux, "time", clock)
    watch = Watch(probe)
    for _ in range(3):
        watch.look()
    child = start("sleep", "100")
    assert child.pid in watch.look().processes
    monkeypatch.setattr(linux, "YOUNG_S", -1.0)
    monkeypatch.setattr(linux, "SLOW_READS", 0)
    probe.forget([watch.table.processes[child.pid].identity])
    watch.look()
    child.kill()
    child.wait()
    clock.added_s += linux.LISTING_REST_S
    assert child.pid not in watch.look().processes
    probe.close()


def test_threads_are_no_processes_although_they_are_given_pids(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linux, "LISTING_REST_S", 1e9)
    probe, stop = linux.Probe(), threading.Event()
    watch = Watch(probe)
    for _ in range(3):
        watch.look()
    threads = [threading.Thread(target=stop.wait) for _ in range(5)]
    try:
        for thread in threads:
            thread.start()
        for _ in range(3):
            assert {thread.native_id for thread in threads}.isdisjoint(watch.look().processes)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
        probe.close()


@pytest.mark.parametrize("listed", ["rarely", "as it comes"])
def test_nobody_who_is_there_is_missing_from_a_table_while_others_come_and_go(
    start: Start, monkeypatch: pytest.MonkeyPatch, listed: str
) -> None:
    if listed == "rarely":
        monkeypatch.setattr(linux, "LISTING_REST_S", 1e9)
    for _ in range(2):
        start("bash", "-c", "while sleep 0.01; do sleep 0.2 & (:); done")
    probe = linux.Probe()
    watch = Watch(probe)
    for turn in range(150):
        before = set(os.listdir("/proc"))
        table = watch.look()
        after = set(os.listdir("/proc"))
        assert {int(name) for name in before & after if name.isdecimal()} <= table.processes.keys()
        time.sleep(0.003 * (turn % 5))
    probe.close()
