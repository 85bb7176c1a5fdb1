"""What the Linux probe sees of real processes beyond the contract: forks, odd names, terminals, namespaces."""

from __future__ import annotations

import os
import pty
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from trayapp.model.process import Process, ProcessStatus
from trayapp.probe import linux
from trayapp.probe.linux import Probe
from trayapp.probe.linux_files import read_at
from trayapp.probe.linux_lines import ARGV_LIMIT_BYTES, pid_inside_namespace

if TYPE_CHECKING:
    from tests.probe.conftest import Start

Until = Callable[[Callable[[], bool]], None]

pytestmark = pytest.mark.linux


@pytest.fixture
def probe() -> Iterator[Probe]:
    made = Probe(environment_names=("AGENT_RING_SESSION",))
    yield made
    made.close()


@pytest.fixture
def grown_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every process for settled at first sight."""
    monkeypatch.setattr(linux, "YOUNG_S", -1.0)


def look(probe: Probe, child: subprocess.Popen[bytes]) -> Process:
    return probe.scan().processes[child.pid]


def argv(probe: Probe, child: subprocess.Popen[bytes]) -> tuple[str, ...] | None:
    return look(probe, child).argv


def say(child: subprocess.Popen[bytes], line: bytes) -> None:
    assert child.stdin is not None
    child.stdin.write(line)
    child.stdin.flush()


def forked(probe: Probe, parent: subprocess.Popen[bytes]) -> Process | None:
    return next(iter(probe.scan().children(parent.pid)), None)


def start_fork(start: Start, tmp_path: Path, then: str) -> subprocess.Popen[bytes]:
    """Start a shell whose fork waits for a line in the fifo before it goes on to `then`."""
    os.mkfifo(tmp_path / "go")
    os.mkfifo(tmp_path / "stay")
    return start("bash", "-c", f"(read line < {tmp_path}/go; {then}) & read line", "--resume", "4711")


def test_a_fork_that_has_not_called_exec_is_read_again_afterwards(
    probe: Probe, start: Start, until: Until, tmp_path: Path
) -> None:
    parent = start_fork(start, tmp_path, "exec sleep 100")
    until(lambda: forked(probe, parent) is not None)
    child = forked(probe, parent)
    assert child is not None
    assert child.argv == argv(probe, parent)
    assert child.argv is not None
    assert child.argv[-2:] == ("--resume", "4711")
    (tmp_path / "go").write_text("now\n")
    until(lambda: probe.scan().processes[child.pid].argv == ("sleep", "100"))
    assert probe.scan().processes[child.pid].identity == child.identity


@pytest.mark.usefixtures("grown_up")
def test_an_exec_of_a_program_of_the_same_name_is_noticed_at_any_age(
    probe: Probe, start: Start, until: Until, tmp_path: Path
) -> None:
    parent = start_fork(start, tmp_path, f"exec bash -c 'read other < {tmp_path}/stay' other-work")
    until(lambda: forked(probe, parent) is not None)
    child = forked(probe, parent)
    assert child is not None
    (tmp_path / "go").write_text("now\n")
    until(lambda: (probe.scan().processes[child.pid].argv or ("",))[-1] == "other-work")
    assert probe.scan().processes[child.pid].name == child.name == "bash"


def test_an_exec_is_noticed_without_address_space_randomisation_too(
    probe: Probe, start: Start, until: Until, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linux, "_may_be_another", lambda before, now: False)
    parent = start_fork(start, tmp_path, f"exec bash -c 'read other < {tmp_path}/stay' other-work")
    until(lambda: forked(probe, parent) is not None)
    child = forked(probe, parent)
    assert child is not None
    (tmp_path / "go").write_text("now\n")
    until(lambda: (probe.scan().processes[child.pid].argv or ("",))[-1] == "other-work")


@pytest.mark.usefixtures("grown_up")
def test_what_did_not_change_is_the_same_value(probe: Probe, start: Start, until: Until) -> None:
    child = start("sleep", "100")
    until(lambda: look(probe, child).status is ProcessStatus.SLEEPING)
    assert look(probe, child) is look(probe, child)


@pytest.mark.usefixtures("grown_up")
def test_a_shell_that_changes_its_folder_is_followed_at_the_slower_beat(
    probe: Probe, start: Start, until: Until, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linux, "CWD_INTERVAL_S", 0.01)
    child = start("bash", "-c", f"read line; cd {tmp_path}; read line", cwd="/")
    until(lambda: look(probe, child).cwd == "/" and look(probe, child).name == "bash")
    say(child, b"go\n")
    until(lambda: look(probe, child).cwd == str(tmp_path))


def test_a_folder_that_was_deleted_keeps_its_name(probe: Probe, start: Start, until: Until, tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    child = start("sleep", "100", cwd=folder)
    until(lambda: argv(probe, child) == ("sleep", "100"))
    folder.rmdir()
    assert look(Probe(), child).cwd == str(folder)


def test_a_name_given_by_exec_a_is_only_an_argument(probe: Probe, start: Start, until: Until) -> None:
    child = start("bash", "-c", "exec -a 'claude --resume' sleep 100")
    until(lambda: argv(probe, child) == ("claude --resume", "100"))
    process = look(probe, child)
    assert process.name == "sleep"
    assert process.exe == os.path.realpath(shutil.which("sleep") or "")


def test_a_name_with_brackets_spaces_and_a_line_end_is_told_as_it_is(
    probe: Probe, start: Start, until: Until, tmp_path: Path
) -> None:
    program = tmp_path / "a) S (b\n1"
    shutil.copy(shutil.which("sleep") or "", program)
    child = start(str(program), "100")
    until(lambda: look(probe, child).name == "a) S (b\n1")
    process = look(probe, child)
    assert process.argv == (str(program), "100")
    assert process.ppid == os.getpid()


def test_a_line_end_in_an_argument_is_kept(probe: Probe, start: Start, until: Until) -> None:
    child = start("sh", "-c", "read line", "two\nlines", "")
    until(lambda: argv(probe, child) == ("sh", "-c", "read line", "two\nlines", ""))


def test_a_very_long_argument_is_cut_at_the_limit(probe: Probe, start: Start, until: Until) -> None:
    child = start("sh", "-c", "read line", "x" * 131_071, "after it")
    until(lambda: len(argv(probe, child) or ()) == 4)
    read = argv(probe, child)
    assert read is not None
    assert read[:3] == ("sh", "-c", "read line")
    assert set(read[3]) == {"x"}
    assert len("\0".join(read)) == ARGV_LIMIT_BYTES


def test_piped_standard_input_and_output_are_told_apart_from_others(probe: Probe, start: Start, until: Until) -> None:
    piped = start("sleep", "100", stdout=subprocess.PIPE)
    half = start("sleep", "100")
    until(lambda: argv(probe, piped) == argv(probe, half) == ("sleep", "100"))
    assert look(probe, piped).stdio_piped is True
    assert look(probe, half).stdio_piped is False
    assert piped.stdout is not None
    piped.stdout.close()


def test_a_terminal_tells_when_a_key_was_last_pressed(probe: Probe, start: Start, until: Until) -> None:
    master, slave = pty.openpty()
    path = os.ttyname(slave)
    try:
        child = start("bash", "-c", f"exec < {path}; read line", start_new_session=True)
        until(lambda: look(probe, child).tty == path.removeprefix("/dev/"))
        typed_epoch_s = round(time.time()) - 100.0
        os.utime(path, (typed_epoch_s, time.time()))
        assert look(probe, child).tty_input_epoch_s == typed_epoch_s
        assert probe.scan().processes[os.getpid()].tty != look(probe, child).tty
    finally:
        os.close(master)
        os.close(slave)


def test_kernel_threads_are_told_by_empty_arguments_and_hold_nothing(probe: Probe) -> None:
    table = probe.scan()
    if 2 not in table.processes or table.processes[2].name != "kthreadd":
        pytest.skip("no kernel threads in this PID namespace")
    thread = table.processes[2]
    assert thread.argv == ()
    assert (thread.exe, thread.cwd, thread.rss_bytes, thread.unreadable) == (None, None, 0, frozenset())
    assert probe.footprints([thread.identity], None) == {thread.identity: 0}


@pytest.mark.usefixtures("grown_up")
def test_a_kernel_thread_that_tells_what_it_does_in_its_name_does_not_look_different(
    probe: Probe, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = probe.scan()
    threads = [process for process in table.processes.values() if process.name.startswith("kworker/")]
    if not threads:
        pytest.skip("no kernel threads in this PID namespace")
    thread, really = threads[0], read_at
    name = ["kworker/1:1-events"]

    def renamed(path: str, limit_bytes: int) -> bytes:
        raw = really(path, limit_bytes)
        if path == f"/proc/{thread.pid}/stat":
            return raw[: raw.index(b"(") + 1] + name[0].encode() + raw[raw.rindex(b")") :]
        return raw

    monkeypatch.setattr(linux, "read_at", renamed)
    for name[0] in ("kworker/1:1-events", "kworker/1:1+mm_percpu_wq", "kworker/1:1"):
        table = probe.scan()
        assert table.changes is not None
        assert thread.identity not in table.changes.changed
        assert table.processes[thread.pid].name == thread.name


def test_a_zombie_counts_as_zero_in_a_sum_of_footprints(probe: Probe, start: Start, until: Until) -> None:
    child = start("true")
    until(lambda: look(probe, child).is_zombie)
    identity = look(probe, child).identity
    assert probe.footprints([identity], None) == {identity: 0}


def test_a_container_has_another_namespace_and_its_own_reaper(probe: Probe, start: Start, until: Until) -> None:
    unshare = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
    if shutil.which("unshare") is None or subprocess.run([*unshare, "true"], capture_output=True).returncode != 0:
        pytest.skip("no right to make a PID namespace")
    outside = start(*unshare, "bash", "-c", "sleep 100 & wait")

    def inside() -> list[Process]:
        return [process for process in probe.scan().descendants(outside.pid) if process.name in ("bash", "sleep")]

    until(lambda: {process.argv for process in inside()} >= {("sleep", "100")})
    table = probe.scan()
    assert table.own_pid_namespace == table.processes[os.getpid()].pid_namespace
    shell, sleeper = sorted(inside(), key=lambda process: process.name)
    assert shell.pid_namespace == sleeper.pid_namespace != table.own_pid_namespace
    assert shell.pid in table.reaper_pids
    assert sleeper.pid not in table.reaper_pids


def test_a_refused_field_is_named_and_nothing_else(
    probe: Probe, start: Start, until: Until, someone_else: Callable[[], object]
) -> None:
    child = start("sleep", "100")
    until(lambda: argv(probe, child) == ("sleep", "100"))
    stranger = Probe(environment_names=("AGENT_RING_SESSION",))
    with someone_else():  # type: ignore[attr-defined]
        process = look(stranger, child)
    assert process.unreadable == {"exe", "cwd", "env", "pid_namespace", "stdio_piped"}
    assert process.pid_namespace is None
    assert process.stdio_piped is None


@pytest.mark.parametrize(
    ("arguments", "exe", "pid_inside", "reaps"),
    [
        (("/usr/lib/systemd/systemd", "--user"), "/usr/lib/systemd/systemd", 900, True),
        (("/usr/lib/systemd/systemd", "--user"), None, 900, True),
        (("systemd", "--deserialize=40"), "/usr/lib/systemd/systemd", 900, False),
        (("/usr/bin/containerd-shim-runc-v2", "-id", "a"), None, 900, True),
        (("tini", "--", "claude"), "/usr/bin/tini", 1, True),
        (("grep", "systemd", "--user"), "/usr/bin/grep", 900, False),
        ((), None, None, False),
    ],
)
def test_who_inherits_orphans_is_told_by_namespace_or_name(
    arguments: tuple[str, ...], exe: str | None, pid_inside: int | None, reaps: bool
) -> None:
    assert linux._reaps_orphans(arguments, exe, pid_inside) is reaps


@pytest.mark.parametrize(
    ("status", "pid_inside"), [(b"\nNSpid:\t900\n", 900), (b"\nNSpid:\t900\t1\nNSpgid:\t900\t1\n", 1), (b"", None)]
)
def test_the_pid_inside_a_namespace_is_the_last_of_those_told(status: bytes, pid_inside: int | None) -> None:
    assert pid_inside_namespace(status) == pid_inside


def test_a_service_unit_is_told_of_the_service_managers_own_child_only(
    probe: Probe, start: Start, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linux, "parse_cgroup", lambda text: "ollama.service")
    child = start("sh", "-c", "setsid sleep 100 & echo $!; read line", stdout=subprocess.PIPE)
    assert child.stdout is not None
    daemon = int(child.stdout.readline())
    child.stdout.close()
    try:
        until(lambda: probe.scan().processes[daemon].argv == ("sleep", "100"))
        assert probe.scan().processes[daemon].unit is None
        assert look(probe, child).unit is None
        say(child, b"end\n")
        until(lambda: probe.scan().processes[daemon].ppid in probe.scan().reaper_pids)
        assert probe.scan().processes[daemon].unit == "ollama.service"
    finally:
        os.kill(daemon, signal.SIGKILL)


HIDDEN = """
import os, sys
from trayapp.probe.linux import Probe, read_state
probe = Probe()
before = set(probe.scan().processes)
os.setgroups([])  # group 0 may look behind hidepid
os.setresgid(65534, 65534, 0)
os.setresuid(65534, 65534, 0)
table = probe.scan()
stranger = int(sys.argv[1])
print(stranger in before, stranger in table.processes, read_state(stranger), os.listdir("/proc").count(str(stranger)))
print(stranger in probe.scan(whole=False).processes, os.getpid() in probe.scan(whole=False).processes)
os.setresuid(0, 0, 0)
os.setresgid(0, 0, 0)
print(stranger in probe.scan(whole=False).processes, stranger in probe.scan().processes)
"""


def test_a_proc_that_hides_the_processes_of_others_leaves_them_out(start: Start) -> None:
    unshare = ["unshare", "--mount"]
    mount = "mount -t proc -o hidepid=1 proc /proc"
    if shutil.which("unshare") is None or subprocess.run([*unshare, "sh", "-c", mount], capture_output=True).returncode:
        pytest.skip("no right to mount another /proc")
    child = start("sleep", "100")
    seen = subprocess.run(
        [*unshare, "sh", "-c", f'{mount} && exec "$0" -c "$1" "$2"', sys.executable, HIDDEN, str(child.pid)],
        check=True,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    # hidden ones are tried again by the next look at the whole, or after half a minute
    assert seen.stdout == "True False None 1\nFalse True\nFalse True\n"


def test_the_last_pid_is_that_of_the_listing_or_unknown() -> None:
    told = [sys.executable, "-c", "from trayapp.probe.linux import _MachineSources as M; print(M().last_pid())"]
    here = Path(__file__).parents[2]
    assert subprocess.run(told, check=True, capture_output=True, cwd=here).stdout.strip().isdigit()
    # a PID namespace of its own, but the /proc of the one outside
    unshare = ["unshare", "--pid", "--fork", "--kill-child"]
    if shutil.which("unshare") is None or subprocess.run([*unshare, "true"], capture_output=True).returncode != 0:
        pytest.skip("no right to make a PID namespace")
    assert subprocess.run([*unshare, *told], check=True, capture_output=True, cwd=here).stdout == b"None\n"
