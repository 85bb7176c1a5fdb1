"""What every probe promises, asked of the Linux one and of the one through psutil that Windows and macOS build on."""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest

from trayapp.model.process import Identity, Machine, Pressure, Process, ProcessStatus, ProcessTable
from trayapp.probe import linux, portable, windows

if TYPE_CHECKING:
    from tests.probe.conftest import Start

AnyProbe = linux.Probe | portable.Probe
Until = Callable[[Callable[[], bool]], None]
SomeoneElse = Callable[[], contextlib.AbstractContextManager[None]]

pytestmark = pytest.mark.linux


@pytest.fixture(params=[linux.Probe, portable.Probe], ids=["linux", "portable"])
def probe(request: pytest.FixtureRequest) -> Iterator[AnyProbe]:
    made: AnyProbe = request.param(environment_names=("AGENT_RING_SESSION", "AGENT_RING_ABSENT"))
    yield made
    made.close()


def look(probe: AnyProbe, child: subprocess.Popen[bytes]) -> Process:
    return probe.scan().processes[child.pid]


def settle(until: Until, *children: subprocess.Popen[bytes]) -> None:
    """Wait until the children have arguments of their own, not those of this program."""
    for child in children:
        assert isinstance(child.args, tuple)
        expected = b"".join(os.fsencode(argument) + b"\0" for argument in child.args)
        until(partial(_has_arguments, child.pid, expected))


def _has_arguments(pid: int, expected: bytes) -> bool:
    return Path(f"/proc/{pid}/cmdline").read_bytes() == expected


def test_finds_the_own_process(probe: AnyProbe) -> None:
    table = probe.scan()
    own = table.processes[os.getpid()]
    assert table.own_pid == own.pid
    assert own.ppid == os.getppid()
    assert own.cwd == os.getcwd()
    assert own.uid == table.own_uid == os.getuid()
    assert own.argv == tuple(sys.orig_argv)
    assert own.exe == os.path.realpath(sys.executable)
    assert (own.pgid, own.sid) == (os.getpgrp(), os.getsid(0))
    assert own.unreadable == frozenset()


def test_tells_the_same_as_psutil_of_every_process_it_started(probe: AnyProbe, start: Start, until: Until) -> None:
    children = [
        start("sleep", "100"),
        start("sh", "-c", "read line", cwd="/"),
        start("sh", "-c", "while :; do :; done"),
    ]
    settle(until, *children)
    table = probe.scan()
    for child in children:
        ours, theirs = table.processes[child.pid], psutil.Process(child.pid)
        assert ours.ppid == theirs.ppid() == os.getpid()
        assert ours.name == theirs.name()
        assert list(ours.argv or ()) == theirs.cmdline()
        assert ours.exe == theirs.exe()
        assert ours.cwd == theirs.cwd()
        assert ours.uid == theirs.uids().real
        assert ours.rss_bytes == pytest.approx(theirs.memory_info().rss, rel=0.2)
        assert ours.cpu_s is not None
        later_s = theirs.cpu_times().user + theirs.cpu_times().system
        assert ours.cpu_s <= later_s + 0.001
        assert later_s - ours.cpu_s <= time.monotonic() - table.monotonic_s + 0.05
        assert table.age_s(ours) == pytest.approx(table.taken_at.timestamp() - theirs.create_time(), abs=1.1)


def test_every_field_of_every_process_has_its_type(probe: AnyProbe) -> None:
    for process in probe.scan().processes.values():
        assert type(process.identity.pid) is int
        assert type(process.identity.start) is int
        assert type(process.ppid) is int
        assert type(process.name) is str
        assert isinstance(process.status, ProcessStatus)
        assert process.argv is None or all(type(argument) is str for argument in process.argv)
        for text in (process.exe, process.cwd, process.tty, process.unit):
            assert text is None or type(text) is str
        for size in (process.uid, process.pgid, process.sid, process.pid_namespace, process.rss_bytes):
            assert size is None or (type(size) is int and size >= 0)
        for seconds in (process.tty_input_epoch_s, process.cpu_s, process.children_cpu_s):
            assert seconds is None or (type(seconds) is float and seconds >= 0)
        for name in process.unreadable - {"env"}:
            assert getattr(process, name) is None, name


def test_a_table_can_be_written_as_json(probe: AnyProbe, start: Start, until: Until) -> None:
    child = start(b"sh", b"-c", b"read line", b"caf\xe9 \xff")
    settle(until, child)
    process = look(probe, child)
    assert process.argv == ("sh", "-c", "read line", "caf\ufffd \ufffd")
    for each in probe.scan().processes.values():
        json.dumps(asdict(each), default=list, ensure_ascii=False).encode("utf-8")


def test_every_process_of_the_machine_is_readable_or_gone_or_denied(probe: AnyProbe) -> None:
    before = set(psutil.pids())
    table = probe.scan()
    after = set(psutil.pids())
    assert before & after <= set(table.processes)
    probe.footprints([process.identity for process in table.processes.values()], None)
    for process in table.processes.values():
        probe.open_files(process.identity)
        probe.listening_ports(process.identity)
        probe.variable(process.identity, "PATH")
        assert process.rss_bytes is not None or process.is_zombie or "rss_bytes" in process.unreadable


def test_processes_that_come_and_go_during_the_scan_harm_nothing(probe: AnyProbe, start: Start) -> None:
    start("sh", "-c", "while :; do /bin/true; done")
    for _ in range(5):
        table = probe.scan()
        assert table.processes[os.getpid()].ppid == os.getppid()


def test_cpu_time_only_grows(probe: AnyProbe, until: Until) -> None:
    seen = [probe.scan().processes[os.getpid()].cpu_s or 0.0]

    def grew() -> bool:
        seen.append(probe.scan().processes[os.getpid()].cpu_s or 0.0)
        return seen[-1] >= seen[0] + 0.05

    until(grew)
    assert seen == sorted(seen)
    assert seen[-1] == pytest.approx(sum(os.times()[:2]), abs=0.5)


def test_children_count_in_once_they_are_reaped(probe: AnyProbe) -> None:
    before = probe.scan().processes[os.getpid()].children_cpu_s
    subprocess.run([sys.executable, "-c", "while __import__('time').process_time() < 0.2: pass"], check=True)
    after = probe.scan().processes[os.getpid()].children_cpu_s
    assert before is not None
    assert after is not None
    # counters of the system move in steps of 10 ms, and differences of floats fall short of them
    assert after - before >= 0.15


def test_the_clocks_go_on_between_two_scans(probe: AnyProbe) -> None:
    first, second = probe.scan(), probe.scan()
    assert second.monotonic_s > first.monotonic_s
    # psutil tells the time of the boot in whole seconds
    rounding_s = 0.01 if isinstance(probe, linux.Probe) else 1.01
    assert second.uptime_s - first.uptime_s == pytest.approx(second.monotonic_s - first.monotonic_s, abs=rounding_s)
    assert second.taken_at >= first.taken_at
    assert first.taken_at.utcoffset() is not None
    own = second.processes[os.getpid()]
    assert second.age_s(own) == pytest.approx(second.taken_at.timestamp() - psutil.Process().create_time(), abs=1.1)


def test_the_identity_of_a_process_never_changes(probe: AnyProbe, start: Start) -> None:
    child = start("sleep", "100")
    assert look(probe, child).identity == look(probe, child).identity


def test_only_variables_that_were_asked_for_are_ever_kept(probe: AnyProbe, start: Start, until: Until) -> None:
    child = start(
        "sleep", "100", env={"AGENT_RING_SESSION": "s=1", "API_TOKEN": "hunter2-secret", "PATH": "/bin:/usr/bin"}
    )
    settle(until, child)
    table = probe.scan()
    assert table.processes[child.pid].env == {"AGENT_RING_SESSION": "s=1"}
    assert "hunter2-secret" not in repr(table)
    assert "hunter2-secret" not in repr(vars(probe))


def test_a_stopped_child_is_stopped(probe: AnyProbe, start: Start, until: Until) -> None:
    child = start("sleep", "100")
    child.send_signal(signal.SIGSTOP)
    until(lambda: look(probe, child).status is ProcessStatus.STOPPED)


def test_a_zombie_says_so_and_holds_nothing(probe: AnyProbe, start: Start, until: Until) -> None:
    child = start("sleep", "100")
    settle(until, child)
    alive = look(probe, child)
    assert alive.argv == ("sleep", "100")
    child.kill()
    until(lambda: look(probe, child).is_zombie)
    zombie = look(probe, child)
    assert zombie.identity == alive.identity
    assert zombie.name == "sleep"
    assert zombie.ppid == os.getpid()
    assert zombie.argv is None
    assert not zombie.rss_bytes
    assert zombie.unreadable == frozenset()


def test_a_child_in_a_session_of_its_own_keeps_its_parent(probe: AnyProbe, start: Start, until: Until) -> None:
    child = start("sleep", "100", start_new_session=True)
    until(lambda: look(probe, child).sid == child.pid)
    assert look(probe, child).pgid == child.pid
    assert look(probe, child).ppid == os.getpid()


def test_what_is_forgotten_is_read_anew(probe: AnyProbe, start: Start, until: Until) -> None:
    child = start("sleep", "100")
    settle(until, child)
    known = look(probe, child)
    probe.forget([known.identity])
    again = look(probe, child)
    assert again.identity == known.identity
    assert again.argv == ("sleep", "100")


def test_an_ended_process_is_in_nothing(probe: AnyProbe, start: Start) -> None:
    child = start("sleep", "100")
    identity = look(probe, child).identity
    child.kill()
    child.wait()
    assert child.pid not in probe.scan().processes
    assert probe.footprints([identity], None) == {}
    assert probe.open_files(identity) is None
    assert probe.listening_ports(identity) is None
    assert probe.variable(identity, "PATH") is None


def test_an_ended_process_that_nobody_waited_for_has_no_environment_to_tell(
    probe: AnyProbe, start: Start, until: Until
) -> None:
    child = start("sleep", "100", env={"AGENT_RING_SECRET": "s3cret"})
    identity = look(probe, child).identity
    child.kill()
    until(lambda: look(probe, child).is_zombie)
    assert probe.variable(identity, "AGENT_RING_SECRET") is None


def test_another_process_with_the_same_pid_is_never_read(probe: AnyProbe) -> None:
    own = probe.scan().processes[os.getpid()].identity
    other = Identity(own.pid, own.start - 1)
    assert probe.footprints([other], None) == {}
    assert probe.open_files(other) is None
    assert probe.listening_ports(other) is None
    assert probe.variable(own, "PATH") == os.environ["PATH"]
    assert probe.variable(other, "PATH") is None


def test_one_variable_is_read_when_asked_and_is_in_no_table(probe: AnyProbe, start: Start, until: Until) -> None:
    child = start("sleep", "100", env={"AGENT_RING_SECRETS": "no", "AGENT_RING_SECRET": "a=b ü", "AGENT_RING_NIL": ""})
    settle(until, child)
    process = look(probe, child)
    assert probe.variable(process.identity, "AGENT_RING_SECRET") == "a=b ü"
    assert probe.variable(process.identity, "AGENT_RING_NIL") == ""
    assert probe.variable(process.identity, "AGENT_RING_SECRE") == ""
    assert "a=b" not in repr(look(probe, child))


def test_a_footprint_is_a_part_of_the_resident_set(probe: AnyProbe) -> None:
    own = probe.scan().processes[os.getpid()]
    footprint = probe.footprints([own.identity], None)[own.identity]
    rss_bytes = probe.scan().processes[os.getpid()].rss_bytes
    assert rss_bytes is not None
    assert 1_000_000 < footprint <= rss_bytes * 1.1


def test_a_footprint_grows_with_what_is_held(probe: AnyProbe) -> None:
    own = probe.scan().processes[os.getpid()].identity
    before = probe.footprints([own], None)[own]
    with mmap.mmap(-1, 30_000_000) as held:
        for _ in range(30_000):
            held.write(b"x" * 1000)
        after = probe.footprints([own], None)[own]
    assert after - before == pytest.approx(30_000_000, rel=0.2)


def test_a_small_budget_reads_one_after_the_other_and_keeps_what_was_read(
    probe: AnyProbe, start: Start, until: Until
) -> None:
    children = [start("sleep", "100") for _ in range(3)]
    settle(until, *children)
    table = probe.scan()
    identities = [table.processes[child.pid].identity for child in children]
    counts = [0]
    while counts[-1] < 3 and len(counts) < 1_000_000:
        counts.append(len(probe.footprints(identities, 1e-6)))
    assert sorted(set(counts)) == [0, 1, 2, 3]
    assert counts == sorted(counts)
    told = probe.footprints(identities, 1e-6)
    assert probe.footprints(list(identities), 1e-6) is told
    assert probe.footprints(identities[:2], 1e-6).keys() == set(identities[:2])


def test_tells_the_files_and_ports_that_a_process_holds(probe: AnyProbe, tmp_path: Path) -> None:
    own = probe.scan().processes[os.getpid()].identity
    with (
        open(tmp_path / "transcript.jsonl", "w") as file,
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_server(("::1", 0), family=socket.AF_INET6) as server6,
    ):
        files, ports = probe.open_files(own), probe.listening_ports(own)
        assert files is not None
        assert ports is not None
        assert file.name in files
        assert not any(path.startswith(("socket:", "pipe:", "/dev/")) for path in files)
        assert {server.getsockname()[1], server6.getsockname()[1]} <= set(ports)
    assert file.name not in (probe.open_files(own) or ())


def test_what_belongs_to_another_user_is_named_as_unreadable(
    probe: AnyProbe, start: Start, until: Until, someone_else: SomeoneElse
) -> None:
    child = start("sleep", "100")
    settle(until, child)
    with someone_else():
        process = look(probe, child)
        footprints = probe.footprints([process.identity], None)
        files, ports = probe.open_files(process.identity), probe.listening_ports(process.identity)
        path = probe.variable(process.identity, "PATH")
    assert path is None
    assert process.argv == ("sleep", "100")
    assert process.uid == 0
    assert process.rss_bytes is not None
    assert {"exe", "cwd", "env"} <= process.unreadable
    assert (process.exe, process.cwd, process.env) == (None, None, {})
    assert footprints == {}
    assert files is None
    assert ports is None


def test_describes_the_machine(probe: AnyProbe) -> None:
    machine: Machine = probe.machine()
    assert machine.name == socket.gethostname()
    assert machine.cpu_count == os.cpu_count()
    assert machine.memory_total_bytes == psutil.virtual_memory().total
    assert machine.memory_available_bytes == pytest.approx(psutil.virtual_memory().available, rel=0.2)
    assert machine.swap_used_bytes == pytest.approx(psutil.swap_memory().used, rel=0.2)
    assert machine.pressure in (Pressure.NORMAL, Pressure.WARNING, Pressure.CRITICAL)


def test_names_who_inherits_orphans_and_the_figure_it_reads(probe: AnyProbe) -> None:
    table: ProcessTable = probe.scan()
    assert 1 in table.reaper_pids
    assert table.footprint_metric == ("pss" if isinstance(probe, linux.Probe) else "private-working-set")


def test_the_windows_probe_differs_in_its_clock_only() -> None:
    table = windows.Probe().scan()
    assert table.processes[os.getpid()].identity == portable.Probe().scan().processes[os.getpid()].identity
    assert table.footprint_metric == "private-working-set"
    assert table.monotonic_s == pytest.approx(time.monotonic(), abs=30.0)
