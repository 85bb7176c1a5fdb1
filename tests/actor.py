"""A program that plays any part of a process tree; copied to the path by which it is to be recognised.

Run as `python -I -S SCRIPT NAME`; what NAME does stands in ../parts/NAME.json beside the script (see tests/trees.py,
class Part). Needs the standard library only and nothing of the project.
"""

from __future__ import annotations

import ctypes
import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h
KEPT: list[Any] = []
"""What must not be given back while the program runs: memory, pipes to children."""


def main() -> None:
    name = sys.argv[1]
    root = Path(sys.argv[0]).resolve().parents[1]
    part = json.loads((root / "parts" / f"{name}.json").read_text())
    if part["detached"]:
        _detach(new_session=part["setsid"])
    elif part["setsid"]:
        os.setsid()
    if part["subreaper"]:
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    _listen(part, root, name)
    KEPT.append(b"x" * part["holds_bytes"])
    controls = [_control(root, name)] + ([0] if part["ends_with_its_input"] else [])
    if part["session_id"] is not None:
        _tell_of_session(root, name, part)
    for child in part["children"]:
        started = _spawn(root, child)
        if part["ends_with_its_child"]:
            controls.append(os.pidfd_open(started.pid))
    if part["leaves_zombie"]:
        _leave_zombie(root, name)
    _enrol(root, name, os.getpid())
    if part["uid"] is not None:
        os.setresuid(part["uid"], part["uid"], part["uid"])
    if part["burns"]:
        os.nice(19)
        while True:
            pass
    while True:
        ready, _, _ = select.select(controls, [], [])
        if part["ends_with_its_child"] and set(ready) & set(controls[1:]):
            return
        if 0 in ready and not os.read(0, 4096):
            return
        if controls[0] in ready and _obey(os.read(controls[0], 4096).decode().split(), root) == "stop":
            return


def _detach(*, new_session: bool) -> None:
    """Let the parent go: fork, let the first half end, and belong to whoever takes orphans."""
    first_half = os.getpid()
    if os.fork():
        os._exit(0)
    if new_session:
        os.setsid()
    while os.getppid() == first_half:
        time.sleep(0.001)


def _state(pid: int) -> tuple[str, int]:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return fields[0], int(fields[19])


def _listen(part: dict[str, Any], root: Path, name: str) -> None:
    """Record or ignore signals, as the part says."""
    if part["records_signals"]:
        book = os.open(root / "signals" / name, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD}:
            signal.signal(
                number, lambda which, _frame: void(os.write(book, f"{signal.Signals(which).name}\n".encode()))
            )
    elif part["ignores_term"]:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)


def void(_value: object) -> None:
    """Give nothing back, as a signal handler must."""


def _control(root: Path, name: str) -> int:
    """Open the pipe through which the part is told what to do; both ends, so that it never ends."""
    path = root / "control" / name
    os.mkfifo(path, 0o600)
    return os.open(path, os.O_RDWR | os.O_CLOEXEC)


def _obey(words: list[str], root: Path) -> str:
    if words[0] == "spawn":
        _spawn(root, words[1])
    if words[0] == "become":
        program = str(root / words[1])
        os.execv(sys.executable, [sys.executable, "-I", "-S", program, words[2]])
    if words[0] == "retitle":
        _write_over_arguments(" ".join(words[1:]).encode())
    return words[0]


def _write_over_arguments(title: bytes) -> None:
    """Do what setproctitle does, without C: write into the memory that /proc/PID/cmdline shows."""
    fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
    begin, end = int(fields[45]), int(fields[46])  # arg_start and arg_end, proc(5)
    with Path("/proc/self/mem").open("r+b", buffering=0) as memory:
        memory.seek(begin)
        memory.write(title[: end - begin - 1].ljust(end - begin, b"\0"))


def _spawn(root: Path, name: str) -> subprocess.Popen[bytes]:
    part = json.loads((root / "parts" / f"{name}.json").read_text())
    argv = part["command"] or [sys.executable, "-I", "-S", str(root / part["program"]), name, *part["arguments"]]
    child = subprocess.Popen(
        argv,
        stdin=subprocess.PIPE if part["ends_with_its_input"] else subprocess.DEVNULL,
        stdout=None,
        env={**os.environ, **part["environment"]},
        cwd=part["cwd"],
    )
    KEPT.append(child)
    if part["command"]:
        _enrol(root, name, child.pid)
    if part["detached"]:
        child.wait()
    return child


def _leave_zombie(root: Path, name: str) -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    while _state(pid)[0] != "Z":
        time.sleep(0.001)
    _enrol(root, f"{name}-zombie", pid)


def _tell_of_session(root: Path, name: str, part: dict[str, Any]) -> None:
    """Write the host's record of a session, as hosts do: whole or not at all."""
    folder = root / "home" / ".fake-agent" / "sessions"
    record = {
        "session_id": part["session_id"],
        "pid": os.getpid(),
        "start": _state(os.getpid())[1],
        "status": part["status"],
        "since_epoch_s": time.time() - part["quiet_s"],
        "title": part["title"],
        "control": str(root / "control" / name),
    }
    written = folder / f".{name}"
    written.write_text(json.dumps(record))
    written.rename(folder / f"{name}.json")


def _enrol(root: Path, name: str, pid: int) -> None:
    """Say that the part plays, and who it is."""
    written = root / "roll" / f".{name}"
    written.write_text(f"{pid} {_state(pid)[1]}")
    written.rename(root / "roll" / name)


if __name__ == "__main__":
    main()
