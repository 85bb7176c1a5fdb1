"""Kills for lack of memory: in a recorded kernel log, in counters, and a real one where that is allowed."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from trayapp.model.process import Identity
from trayapp.probe.kernel_log import Entry, KernelLog, SystemWitnesses, entries

pytestmark = [
    pytest.mark.linux,
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a kernel log that can be read"),
]

# a kill by the limit of a control group, as a kernel 6.8 wrote it; then one for the whole machine, and three faults
RECORDED = """\
6,1180,5310042113,-;node invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
4,1181,5310042190,-;memory: usage 8388608kB, limit 8388608kB, failcnt 1337
6,1182,5310042201,-;oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/user.slice,\
task_memcg=/user.slice/app.scope,task=node,pid=4711,uid=1000
3,1183,5310042240,-;Memory cgroup out of memory: Killed process 4711 (node) total-vm:23068672kB, anon-rss:8192000kB, \
file-rss:4096kB, shmem-rss:512kB, UID:1000 pgtables:18432kB oom_score_adj:0
 SUBSYSTEM=memory
6,1184,5310099001,-;oom_reaper: reaped process 4711 (node), now anon-rss:0kB, file-rss:0kB, shmem-rss:0kB
3,1185,5400000000,-;Out of memory: Killed process 4801 (dev (main) x) total-vm:1000kB, anon-rss:900kB, UID:1000 \
pgtables:18432kB oom_score_adj:0
3,1186,5400000001,-;Killed process 4802 (old), UID 1000, total-vm:10kB, anon-rss:9kB, file-rss:1kB
11,1187,5400000002,-;Out of memory: Killed process 9999 (node) total-vm:1kB, anon-rss:1kB, UID:1000
6,1188,5400000003,-;node[4803]: segfault at 0 ip 00007f75aa57e503 sp 00007ffed938a5a0 error 4 in node[400000+813000]
6,1189,5400000004,-;traps: node[4804] trap invalid opcode ip:1b2c3d sp:7ffe5d0 error:0 in node[400000+2d7b000]
6,1190,5400000005,-;traps: my tool[4805] general protection fault ip:1b2c3d sp:7ffe5d0 error:0
6,1191,5400000006,-;usb 1-1: new high-speed USB device number 4 using xhci_hcd
"""


def test_a_recorded_log_names_kills_and_faults_and_nothing_that_a_program_wrote_into_it() -> None:
    kib = 1024
    assert list(entries(RECORDED)) == [
        Entry(4711, of_group=True, resident_bytes=(8192000 + 4096 + 512) * kib),
        Entry(4801, resident_bytes=900 * kib),
        Entry(4802, resident_bytes=10 * kib),
        Entry(4803, fault="segfault"),
        Entry(4804, fault="trap invalid opcode"),
        Entry(4805, fault="general protection fault"),
    ]


@pytest.fixture
def places(tmp_path: Path) -> Path:
    """Make a log, a /proc with process 4711 and control groups of both versions, all writable."""
    (tmp_path / "kmsg").write_text("6,1,5,-;Out of memory: Killed process 4711 (old) total-vm:1kB, anon-rss:1kB\n")
    (tmp_path / "proc/self/ns").mkdir(parents=True)
    (tmp_path / "proc/self/ns/pid").symlink_to("pid:[4026531836]")
    (tmp_path / "proc/4711").mkdir()
    (tmp_path / "proc/4711/cgroup").write_text("0::/user.slice/app.scope\n")
    (tmp_path / "proc/vmstat").write_text("pgfault 12\noom_kill 3\n")
    (tmp_path / "cgroup/user.slice/app.scope").mkdir(parents=True)
    (tmp_path / "cgroup/user.slice/app.scope/memory.events").write_text("low 0\noom 2\noom_kill 2\noom_group_kill 0\n")
    return tmp_path


IN_CONTAINER = "it knows processes by other numbers than they have in this container"
HOST, OTHER = Identity(4711, 7), Identity(4801, 9)


@pytest.fixture
def witnesses(places: Path) -> Iterator[SystemWitnesses]:
    log = KernelLog(places / "kmsg", places / "proc")
    made = SystemWitnesses(log=log, proc=places / "proc", cgroups=places / "cgroup")
    yield made
    made.close()


def add(places: Path, text: str) -> None:
    with (places / "kmsg").open("a") as file:
        file.write(text)


def test_a_kill_is_told_of_who_was_watched_under_that_number(places: Path, witnesses: SystemWitnesses) -> None:
    witnesses.watch([HOST])
    trace = witnesses.tell_of(HOST)
    assert trace.oom_kill is None, "what stood there before does not count"
    assert trace.unread is None
    add(places, RECORDED)
    trace = witnesses.tell_of(HOST)
    assert trace.oom_kill is not None
    assert trace.oom_kill.identity == HOST
    assert trace.oom_kill.of_group
    assert trace.oom_kill.resident_bytes == (8192000 + 4096 + 512) * 1024
    assert witnesses.tell_of(OTHER).oom_kill is None, "nobody had been watched under its number when it was read"
    witnesses.watch([Identity(4711, 8)])
    assert witnesses.tell_of(Identity(4711, 8)).oom_kill is None, "another process with that number"


def test_what_was_read_while_it_still_ran_is_kept_for_when_it_is_asked_for(
    places: Path, witnesses: SystemWitnesses
) -> None:
    witnesses.watch([HOST, Identity(4803, 1)])
    add(places, RECORDED)
    witnesses.watch([HOST, Identity(4803, 1)])
    assert witnesses.tell_of(HOST).oom_kill is not None
    assert witnesses.tell_of(Identity(4803, 1)).fault == "segfault"
    witnesses.watch([])
    assert witnesses.tell_of(HOST).oom_kill is None


def test_counters_say_how_many_were_killed_since_it_was_last_watched(places: Path, witnesses: SystemWitnesses) -> None:
    witnesses.watch([HOST])
    assert (witnesses.tell_of(HOST).group_kills, witnesses.tell_of(HOST).machine_kills) == (0, 0)
    (places / "cgroup/user.slice/app.scope/memory.events").write_text("oom 3\noom_kill 3\n")
    (places / "proc/vmstat").write_text("oom_kill 5\n")
    assert (witnesses.tell_of(HOST).group_kills, witnesses.tell_of(HOST).machine_kills) == (1, 2)
    witnesses.watch([HOST])
    assert witnesses.tell_of(HOST).group_kills == 0


def test_a_group_that_went_with_its_process_tells_nothing(places: Path, witnesses: SystemWitnesses) -> None:
    witnesses.watch([HOST])
    (places / "cgroup/user.slice/app.scope/memory.events").unlink()
    assert witnesses.tell_of(HOST).group_kills is None


def test_the_older_kind_of_control_group_counts_too(places: Path, witnesses: SystemWitnesses) -> None:
    (places / "proc/4711/cgroup").write_text("9:name=systemd:/\n4:cpu,memory:/app\n0::/\n")
    counter = places / "cgroup/memory/app/memory.oom_control"
    counter.parent.mkdir(parents=True)
    counter.write_text("oom_kill_disable 0\nunder_oom 0\noom_kill 0\n")
    witnesses.watch([HOST])
    counter.write_text("oom_kill_disable 0\nunder_oom 0\noom_kill 1\n")
    assert witnesses.tell_of(HOST).group_kills == 1


def test_a_process_that_is_gone_already_has_no_group_to_count(witnesses: SystemWitnesses) -> None:
    witnesses.watch([OTHER])
    assert witnesses.tell_of(OTHER).group_kills is None


def test_a_log_that_is_not_there_says_so(places: Path) -> None:
    (places / "kmsg").unlink()
    log = KernelLog(places / "kmsg", places / "proc")
    assert log.unread == "No such file or directory"
    assert log.new_entries() == ()


def test_a_closed_log_says_so(
    places: Path, someone_else: Callable[[], contextlib.AbstractContextManager[None]]
) -> None:
    with someone_else():
        assert KernelLog(places / "kmsg").unread in ("Permission denied", IN_CONTAINER)


def test_in_a_container_the_log_is_not_read_for_its_numbers_are_others(places: Path) -> None:
    link = places / "proc/self/ns/pid"
    link.unlink()
    link.symlink_to("pid:[4026532281]")
    log = KernelLog(places / "kmsg", places / "proc")
    assert log.unread == IN_CONTAINER
    assert log.new_entries() == ()


def test_records_that_were_overwritten_are_passed_over_and_a_broken_log_is_told(
    places: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = KernelLog(places / "kmsg", places / "proc")
    kill = b"3,9,9,-;Out of memory: Killed process 4711 (node) total-vm:1kB, anon-rss:1kB\n"
    answers: list[bytes | OSError] = [BrokenPipeError(32, "Broken pipe"), kill, BlockingIOError(11, "again")]
    answers += [OSError(5, "Input/output error")]

    def read(_descriptor: int, _size: int) -> bytes:
        answer = answers.pop(0)
        if isinstance(answer, OSError):
            raise answer
        return answer

    with monkeypatch.context() as patched:
        patched.setattr("trayapp.probe.kernel_log.os.read", read)
        assert log.new_entries() == (Entry(4711, resident_bytes=1024),)
        unread = [log.unread]
        log.new_entries()
        assert [*unread, log.unread] == [None, "Input/output error"]
        assert log.new_entries() == ()
    log.close()


def test_the_log_of_this_computer_is_read_or_says_why_not() -> None:
    log = KernelLog()
    began_s = time.monotonic()
    found = log.new_entries()
    log.close()
    assert isinstance(found, tuple)
    assert time.monotonic() - began_s < 10, "it never waits for a record"
    assert log.unread is None or log.unread[0].isupper() or log.unread.startswith("it knows")


# -- a real kill ------------------------------------------------------------------------------------------------------

CGROUPS = Path("/sys/fs/cgroup")
HUNGRY = """
import sys
sys.stdin.readline()
kept = []
while True:
    kept.append(bytearray(b"x") * 1048576)
"""


@pytest.fixture
def small_group() -> Iterator[Path]:
    """Make a control group with 32 MB of memory, of the version that is there."""
    if os.getuid() != 0:
        pytest.skip("only root can make a control group here")
    if Path("/proc/sys/vm/panic_on_oom").read_text().strip() != "0":
        pytest.skip("this kernel would panic")
    v1 = (CGROUPS / "memory" / "memory.limit_in_bytes").exists()
    limit = "memory.limit_in_bytes" if v1 else "memory.max"
    group = (CGROUPS / "memory" if v1 else CGROUPS) / f"agentring-test-{os.getpid()}"
    try:
        group.mkdir()
    except OSError as error:
        pytest.skip(f"no control group can be made here: {error.strerror}")
    try:
        try:
            (group / limit).write_text("33554432")
            swap = group / ("memory.swappiness" if v1 else "memory.swap.max")
            if swap.exists():
                swap.write_text("0")
        except OSError as error:
            pytest.skip(f"memory cannot be limited here: {error.strerror}")
        yield group
    finally:
        group.rmdir()


def test_a_real_kill_for_lack_of_memory_is_named_by_the_log_and_counted(small_group: Path) -> None:
    child = subprocess.Popen([sys.executable, "-I", "-S", "-c", HUNGRY], stdin=subprocess.PIPE)
    assert child.stdin is not None
    witnesses = SystemWitnesses()
    closed = SystemWitnesses(log=KernelLog(Path("/no/such/log")))
    try:
        (small_group / "cgroup.procs").write_text(str(child.pid))
        start = int(Path(f"/proc/{child.pid}/stat").read_text().rpartition(")")[2].split()[19])
        identity = Identity(child.pid, start)
        assert witnesses.still_runs(identity)
        witnesses.watch([identity])
        closed.watch([identity])
        child.stdin.write(b"eat\n")
        child.stdin.flush()
        assert child.wait(60) == -signal.SIGKILL
        assert not witnesses.still_runs(identity)
        trace, counted = witnesses.tell_of(identity), closed.tell_of(identity)
    finally:
        child.kill()
        child.wait()
        child.stdin.close()
        witnesses.close()
    assert counted.unread == "No such file or directory"
    assert counted.oom_kill is None
    assert counted.group_kills == 1
    assert (counted.machine_kills or 0) >= 1
    if trace.unread is None:
        assert trace.oom_kill is not None
        assert trace.oom_kill.identity == identity
        assert trace.oom_kill.of_group
        assert trace.oom_kill.resident_bytes is not None
        assert 16 * 1024**2 < trace.oom_kill.resident_bytes < 64 * 1024**2
