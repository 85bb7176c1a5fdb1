"""What /proc says, read by this folder's own code so that the product's figures are checked against something else.

It must not import the product.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

SLOW_S = 180.0
"""How long hosts may take for anything: a deadline for a machine under load, not a measure."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One process: `start` is field 22 of /proc/<pid>/stat, ticks since boot."""

    pid: int
    ppid: int
    start: int
    zombie: bool
    argv: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """Sums over processes, in bytes."""

    rss_bytes: int
    pss_bytes: int


def read(pid: int) -> Entry | None:
    """Return the process, or None when it is gone."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
        argv = Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return None
    # The name stands in parentheses and may itself hold spaces and parentheses.
    fields = stat[stat.rindex(")") + 2 :].split()
    words = tuple(os.fsdecode(word) for word in argv.split(b"\0")[:-1])
    return Entry(pid=pid, ppid=int(fields[1]), start=int(fields[19]), zombie=fields[0] in "ZX", argv=words)


def table() -> dict[int, Entry]:
    """Return every process by pid."""
    entries = (read(int(name)) for name in os.listdir("/proc") if name.isdigit())
    return {entry.pid: entry for entry in entries if entry is not None}


def tree(root: int) -> list[Entry]:
    """Return `root` and everything below it, without zombies."""
    everyone = {pid: entry for pid, entry in table().items() if not entry.zombie}
    found = [everyone[root]] if root in everyone else []
    for entry in found:
        found.extend(child for child in everyone.values() if child.ppid == entry.pid)
    return found


def environ(pid: int) -> dict[str, str]:
    """Return the environment that a process was started with; empty when it is gone or a zombie."""
    try:
        raw = Path(f"/proc/{pid}/environ").read_bytes()
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return {}
    pairs = (os.fsdecode(item).partition("=") for item in raw.split(b"\0") if item)
    return {name: value for name, _, value in pairs}


def living_in(home: Path) -> list[Entry]:
    """Return the processes that were started with HOME set to `home`: every child of a scene inherits it."""
    return [entry for entry in table().values() if not entry.zombie and environ(entry.pid).get("HOME") == str(home)]


def is_alive(entry: Entry) -> bool:
    """Say whether that very process still runs; a zombie does not."""
    now = read(entry.pid)
    return now is not None and now.start == entry.start and not now.zombie


def memory(pids: Collection[int]) -> Memory:
    """Sum resident pages (statm, field 2) and proportional shares (smaps_rollup) of `pids`."""
    return Memory(rss_bytes=sum(map(_rss_bytes, pids)), pss_bytes=sum(map(_pss_bytes, pids)))


def _rss_bytes(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _pss_bytes(pid: int) -> int:
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return next(int(line.split()[1]) * 1024 for line in rollup.splitlines() if line.startswith("Pss:"))


def wait_until(look: Callable[[], T | None], what: str, *, timeout_s: float, every_s: float = 0.1) -> T:
    """Call `look` until it returns something true and return that; raise TimeoutError naming `what`."""
    deadline = time.monotonic() + timeout_s
    while True:
        seen = look()
        if seen:
            return seen
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what}: not seen within {timeout_s} s")
        time.sleep(every_s)
