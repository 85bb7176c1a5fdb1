"""One way of looking at the machine, in a process of its own: `python -m tests.bench.worker WAY ARGUMENTS`.

For each line on standard input it goes once, and answers with a line of JSON: the CPU seconds (user + system) that this
took, with all that other threads of this process did since the last answer, but without reading the line and writing
the answer. Nothing of one way lies in the memory of another.
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import psutil

from tests.bench.figures import CHECKOUT, compiled
from trayapp.history.store import HistoryStore
from trayapp.hosts.base import Surroundings
from trayapp.hosts.registry import load_hosts
from trayapp.model.snapshot import GroupKind, Snapshot
from trayapp.monitor import Monitor
from trayapp.probe import Probe
from trayapp.reclaim.plan import Rules

Answer = dict[str, Any]
Way = Callable[[str], Callable[[], Answer]]
"""Goes once; what it returns tells, without being counted, what was seen."""


@dataclass(frozen=True, slots=True)
class Worker:
    """Speak to a way in another process."""

    process: subprocess.Popen[str]

    def go(self, word: str = "go") -> Answer:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.process.args!r} ended")
        answer: Answer = json.loads(line)
        return answer


def check_recognised(answer: Answer, session_ids: Sequence[str], each: int) -> None:
    """Raise AssertionError unless the app saw all of the crowd's sessions with all of their processes."""
    seen = {name: answer["members"].get(name) for name in session_ids}
    if set(seen.values()) != {each}:
        raise AssertionError(f"sessions of {each} processes were to be seen, and the app saw {seen}")


@contextmanager
def working(way: str, arguments: Mapping[str, Any] | None = None) -> Iterator[Worker]:
    """Start a way; it has ended afterwards. "c_scan" is the one that is compiled."""
    command = [str(compiled("scan.c"))] if way == "c_scan" else [sys.executable, "-m", "tests.bench.worker", way]
    if arguments is not None:
        command.append(json.dumps(arguments))
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=CHECKOUT)
    try:
        yield Worker(process)
    finally:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        process.wait(20)
        process.stdout.close()


# ---- the ways


@contextmanager
def psutil_pass() -> Iterator[Way]:
    """Keep psutil's objects and ask each, in one go, for CPU times and memory: the frugal way to use psutil."""
    kept: dict[int, psutil.Process] = {}

    def go(_word: str) -> Callable[[], Answer]:
        seen = 0
        for pid in psutil.pids():
            try:
                process = kept.get(pid) or kept.setdefault(pid, psutil.Process(pid))
                with process.oneshot():
                    process.cpu_times()
                    process.memory_info()
                seen += 1
            except psutil.NoSuchProcess:
                kept.pop(pid, None)
        return lambda: {"processes": seen}

    yield go


@contextmanager
def probe_scan(tracked: Sequence[int]) -> Iterator[Way]:
    """Scan as a tick does, with these processes followed."""
    probe = Probe(environment_names={name for host in load_hosts()[0] for name in host.environment_names})
    table = probe.scan()
    follow = getattr(probe, "follow", None)
    if follow is not None:
        follow({table.processes[pid].identity for pid in tracked})

    def go(_word: str) -> Callable[[], Answer]:
        table = probe.scan(whole=False) if follow is not None else probe.scan()
        return lambda: {"processes": len(table.processes)}

    try:
        yield go
    finally:
        probe.close()


@contextmanager
def monitor_tick(home: str, folder: str) -> Iterator[Way]:
    """Tick as the tray app does, with all hosts and the history; one tick for each line.

    "fast N" takes N ticks at once, 2 s apart for the history, and adds what is resident then.
    """
    hosts, _ = load_hosts()
    probe = Probe(environment_names={name for host in hosts for name in host.environment_names})
    around = Surroundings(home=Path(home), environ={}, now_epoch_s=time.time, processes=probe)
    ahead_s = 0.0
    store = HistoryStore(Path(folder) / "history.sqlite", now_epoch_s=lambda: time.time() + ahead_s)

    def keep(snapshot: Snapshot) -> None:
        ahead = timedelta(seconds=ahead_s)
        taken_at, monotonic_s = snapshot.taken_at + ahead, snapshot.monotonic_s + ahead_s
        store.append(replace(snapshot, taken_at=taken_at, monotonic_s=monotonic_s) if ahead_s else snapshot)

    monitor = Monitor(probe=probe, hosts=hosts, around=around, rules=Rules(), on_snapshot=keep)

    def go(word: str) -> Callable[[], Answer]:
        nonlocal ahead_s
        fast = int(word.split()[1]) if word.startswith("fast") else 0
        for _ in range(fast):
            ahead_s += 2.0
            monitor.submit(monitor.tick).result(60)
        if not fast:
            monitor.submit(monitor.tick).result(60)
        return lambda: tell(is_fast=fast > 0)

    def tell(*, is_fast: bool) -> Answer:
        snapshot = monitor.latest
        assert snapshot is not None
        if not is_fast:
            return told(snapshot)
        gc.collect()
        return told(snapshot) | {"rss_bytes": psutil.Process().memory_info().rss}

    monitor.start(ticking=False)
    try:
        yield go
    finally:
        monitor.stop()
        store.close()


def told(snapshot: Snapshot) -> Answer:
    """Tell how many processes each session has, and what CPU it used since the tick before."""
    sessions = [group for group in snapshot.groups if group.kind is GroupKind.SESSION]
    interval_s = snapshot.interval_s or 0.0
    return {
        "members": {group.session.session_id: len(group.members) for group in sessions if group.session},
        "tick_ms": snapshot.own.tick_ms,
        "used_s": {g.session.session_id: (g.cpu_percent or 0.0) / 100 * interval_s for g in sessions if g.session},
    }


WAYS: dict[str, Callable[..., Any]] = {"psutil": psutil_pass, "scan": probe_scan, "tick": monitor_tick}


def main() -> None:
    arguments = json.loads(sys.argv[2]) if len(sys.argv) > 2 else {}
    with WAYS[sys.argv[1]](**arguments) as way:
        gc.collect()
        before_s, own_before_s = time.process_time(), time.thread_time()
        for line in sys.stdin:
            aside_s = time.thread_time() - own_before_s
            tell = way(line.strip())
            spent_s = time.process_time() - before_s - aside_s
            sys.stdout.write(json.dumps({"cpu_s": spent_s} | tell()) + "\n")
            sys.stdout.flush()
            before_s, own_before_s = time.process_time(), time.thread_time()


if __name__ == "__main__":
    main()
