"""An agent as Codeman starts it: overwrites its own arguments, ignores SIGHUP, has two helpers, and does as it is told.

A program; `codeman_fake` puts a launcher named `claude` in front of it. Needs the standard library only, since it runs
with `python -I -S`. Told what to do by one line of JSON on a socket named after its pid.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import select
import signal
import socket
import sys
import time
from typing import Any

PROMPT = "❯ "
"""The sign by which the server believes an agent to be idle."""
SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
KEPT: list[Any] = []
"""What must not be given back while the agent lives."""

HOLDER = """
import os, sys, time
wanted, page = int(sys.argv[1]) * 1024 * 1024, 4096
held = bytearray()
try:
    has = int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
except OSError:
    has = 9 * 1024 * 1024
held = bytearray(max(0, wanted - has))
for at in range(0, len(held), page):
    held[at] = 1
os.write(1, b"%d\\n" % os.getpid())
os.close(1)
time.sleep(36002)
"""


def main(control: str) -> None:
    """Live until told to exit, or until a signal ends it."""
    if "--resume" in sys.argv and not _transcript(sys.argv[sys.argv.index("--resume") + 1]):
        print("No conversation found with that session ID", flush=True)
        sys.exit(1)
    # a handler, not SIG_IGN: what it starts does not inherit it
    signal.signal(signal.SIGHUP, lambda *_: None)
    # a closed terminal must not end it either
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    told = _told(control)
    if told.get("stubborn"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if told.get("helpers", True):
        _spawn(["sleep", "36000"], setsid=False)
        _spawn(["sleep", "36001"], setsid=True)
    _hold(int(told.get("hold_mb", 0)))
    _set_title("claude")
    with socket.socket(socket.AF_UNIX) as listener:
        path = os.path.join(control, f"{os.getpid()}.sock")
        listener.bind(path + ".fresh")
        listener.listen()
        os.rename(path + ".fresh", path)
        _say(PROMPT)
        _obey(listener)


def _transcript(conversation: str) -> bool:
    projects = os.path.join(os.environ["HOME"], ".claude", "projects")
    folders = os.listdir(projects) if os.path.isdir(projects) else []
    return any(os.path.exists(os.path.join(projects, folder, f"{conversation}.jsonl")) for folder in folders)


def _told(control: str) -> dict[str, Any]:
    try:
        with open(os.path.join(control, "agent.json"), encoding="utf-8") as file:
            told: dict[str, Any] = json.load(file)
    except FileNotFoundError:
        return {}
    return told


def _set_title(title: str) -> None:
    """Overwrite the arguments in memory, zeros behind, as libuv's uv_set_process_title does."""
    try:
        with open("/proc/self/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
    except OSError:
        return  # macOS: the arguments stay as they are
    begin, end = int(fields[45]), int(fields[46])  # proc(5): arg_start is field 48, arg_end 49
    if end > begin:
        ctypes.memset(begin, 0, end - begin)
        text = title.encode()[: end - begin - 1]
        ctypes.memmove(begin, text, len(text))


def _obey(listener: socket.socket) -> None:
    busy, frame = False, 0
    while True:
        ready, _, _ = select.select([listener], [], [], 0.1 if busy else None)
        if not ready:
            frame += 1
            _say(f"\r{SPINNER[frame % len(SPINNER)]} Thinking… ")
            continue
        connection, _ = listener.accept()
        with connection:
            told = json.loads(connection.makefile().readline())
            answer: dict[str, Any] = {"ok": True}
            match told["do"]:
                case "busy":
                    busy = True
                    _say(f"\r{SPINNER[0]} Thinking… ")
                case "idle":
                    busy = False
                    _say(f"\r\n{PROMPT}")
                case "latch":
                    # RUN 0.4.3 and 1.2.2: prompt sign and spinner in one chunk, and it reads busy for ever
                    busy = False
                    _say(f"\r{SPINNER[0]} Thinking… \r\n{PROMPT}")
                case "print":
                    _say(told["text"])
                case "hold":
                    _hold(told["mb"])
                case "grandchild":
                    answer["pids"] = _grandchild(told["mb"])
                case "spawn":
                    answer["pids"] = [_spawn(told["argv"], setsid=told["setsid"], twice=told["twice"])]
                case "stubborn":
                    signal.signal(signal.SIGTERM, signal.SIG_IGN)
                case "exit":
                    connection.sendall(json.dumps(answer).encode() + b"\n")
                    os._exit(told["code"])
                case other:
                    answer = {"ok": False, "error": f"cannot {other}"}
            connection.sendall(json.dumps(answer).encode() + b"\n")


def _say(text: str) -> None:
    with contextlib.suppress(OSError):  # its terminal may be gone
        os.write(1, text.encode())


def _hold(mb: int) -> None:
    held = bytearray(mb * 1024 * 1024)
    for at in range(0, len(held), 4096):
        held[at] = 1
    KEPT.append(held)


def _spawn(argv: list[str], *, setsid: bool, twice: bool = False) -> int:
    """Start a program; `twice` = fork in between, so that init is its parent."""
    if not twice:
        return os.posix_spawnp(argv[0], argv, os.environ, setsid=setsid)
    read, write = os.pipe()
    between = os.fork()
    if between == 0:
        pid = os.posix_spawnp(argv[0], argv, os.environ, setsid=setsid)
        os.write(write, str(pid).encode())
        os._exit(0)
    os.waitpid(between, 0)
    pid = int(os.read(read, 20))
    os.close(read)
    os.close(write)
    return pid


def _grandchild(mb: int) -> list[int]:
    """Start a shell whose child holds memory; return the pids of both."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(write, 1)
        os.execvp("sh", ["sh", "-c", '"$@"; :', "sh", sys.executable, "-I", "-S", "-c", HOLDER, str(mb)])
    os.close(write)
    said = b""
    deadline_s = time.monotonic() + 20
    while not said.endswith(b"\n") and time.monotonic() < deadline_s:
        said += os.read(read, 20)
    os.close(read)
    return [child, int(said)]
