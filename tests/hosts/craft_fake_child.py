"""A program that a fake craft-agents server starts: a Pi backend, a claude, or an MCP helper.

Copied to where the real program lies and run as `python -IS COPY`, with the bytes of its command line already as many
as the real ones have; it writes the real ones over them (`become`). Small on purpose, 9 MB and 15 ms: 44 of them make
the founding scene. Needs the standard library only and nothing of the project.

It is told what it is by the first line of its input, a Python literal, and what to do by each further line: a tuple,
the word first. It answers with one word a line: "ready", "done" (the turn is over), "tool PID".
"""

from __future__ import annotations

import os
import select
import sys
import time

TYPE_CHECKING = False  # typing costs as much time and memory as all the rest
if TYPE_CHECKING:
    from typing import Any

KEPT: list[Any] = []


def become(argv: list[str]) -> None:
    """Show this command line from now on: write over the memory that /proc/PID/cmdline shows, as setproctitle does."""
    shown = b"".join(os.fsencode(argument) + b"\0" for argument in argv)
    with open("/proc/self/stat", "rb") as stat:
        fields = stat.read().rpartition(b")")[2].split()
    begin, end = int(fields[45]), int(fields[46])  # arg_start and arg_end, proc(5)
    assert end - begin == len(shown), "started with another number of bytes"
    with open("/proc/self/mem", "r+b", buffering=0) as memory:
        memory.seek(begin)
        memory.write(shown)


def opening(argv: list[str], script: str) -> list[str]:
    """Return the command line to start Python on this script with, of as many bytes as `argv` has."""
    if argv[1:2] == [script]:
        return argv  # it is one that Python understands
    first = [argv[0], "-IS", script]
    room = sum(len(os.fsencode(a)) + 1 for a in argv) - sum(len(os.fsencode(a)) + 1 for a in first)
    assert room >= 0, f"{argv} is too short to start {script} in its place"
    return [argv[0], "-IS" + "B" * room, script]


class Child:
    """Play one part.

    Attributes of `told`: argv, role ("pi", "claude", "helper"), memory_bytes, cpu_share (of one core, while idle),
    once (ends with its first turn), stays (ignores the end of its input), deaf (ignores SIGTERM), patience_s (how long
    an open turn goes on after the end of input).
    """

    def __init__(self, told: dict[str, Any]) -> None:
        self.told = told
        self.turn_ends_s: float | None = None
        self.last: list[tuple[str, str]] = []
        self.closed = False

    def play(self) -> None:
        if self.told["memory_bytes"]:
            KEPT.append(b"x" * self.told["memory_bytes"])
        self._listen_to_signals()
        self._say("ready")
        pending = b""
        while True:
            watched = [] if self.closed else [0]
            if select.select(watched, [], [], self._patience_s())[0]:
                got = os.read(0, 65536)
                self.closed = not got
                *lines, pending = (pending + got).split(b"\n")
                for line in lines:
                    self._obey(*eval(line))
                if self.closed:
                    self._input_ended()
            elif self.told["cpu_share"] and not self.turn_ends_s:
                end_s = time.process_time() + self.told["cpu_share"] / 4
                while time.process_time() < end_s:
                    pass
            if self.turn_ends_s is not None and time.monotonic() >= self.turn_ends_s:
                self._end_turn()

    def _patience_s(self) -> float | None:
        if self.turn_ends_s is not None and self.turn_ends_s != float("inf"):
            return max(0.0, self.turn_ends_s - time.monotonic())
        return 0.25 if self.told["cpu_share"] else None

    def _listen_to_signals(self) -> None:
        if self.told["deaf"]:
            import signal

            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        elif self.told["role"] == "claude":
            import signal

            signal.signal(signal.SIGTERM, lambda *_: os._exit(143))

    def _input_ended(self) -> None:
        if self.told["stays"]:
            return
        if self.told["role"] != "claude" or self.turn_ends_s is None:
            os._exit(0)
        # a claude in a turn finishes it first
        self.turn_ends_s = min(self.turn_ends_s, time.monotonic() + self.told["patience_s"])

    def _obey(self, word: str, *said: Any) -> None:
        if word == "begin":
            seconds, now, self.last = said
            append(now)
            self.turn_ends_s = time.monotonic() + seconds
        elif word == "end":
            self.turn_ends_s = time.monotonic()
        elif word == "write":
            append(said[0])
        elif word == "tool":
            self._start_tool(*said)

    def _start_tool(self, argv: list[str], script: str | None) -> None:
        """Start a program below this one; with a script, one that plays a program of that command line."""
        inner, outer = os.pipe()  # what is written to a tool that is played, which stays open as long as this one lives
        if script is not None:
            told = {**self.told, "argv": argv, "role": "tool", "memory_bytes": 0, "cpu_share": 0}
            os.write(outer, repr(told).encode() + b"\n")
        pid = os.fork()
        if pid == 0:
            os.dup2(inner, 0)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.execv(argv[0], argv if script is None else opening(argv, script))
        os.close(inner)
        self._say(f"tool {pid}")

    def _end_turn(self) -> None:
        append(self.last)
        self.turn_ends_s = None
        self._say("done")
        if self.told["once"] or self.closed:
            os._exit(0)

    def _say(self, word: str) -> None:
        try:
            os.write(1, f"{word}\n".encode())
        except OSError:
            return  # the server is gone


def append(lines: list[tuple[str, str]]) -> None:
    """Append lines to files; @NOW@ in them is the time in UTC, to the millisecond."""
    for path, line in lines:
        now_s = time.time()
        now = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now_s)) + f".{int(now_s % 1 * 1000):03d}Z"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "a", encoding="utf-8") as log:
            log.write(line.replace("@NOW@", now) + "\n")


def main() -> None:
    first = b""
    while not first.endswith(b"\n"):
        first += os.read(0, 1) or sys.exit("no word from the server")
    told = eval(first)
    become(told["argv"])
    Child(told).play()


if __name__ == "__main__":
    main()
