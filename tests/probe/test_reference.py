"""The Linux probe against psutil: every field of every live process, of the whole and of many looks after it."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from trayapp.model.process import Identity, Process
from trayapp.probe import linux, portable
from trayapp.probe.linux import Probe
from trayapp.probe.linux_lines import ARGV_LIMIT_BYTES

if TYPE_CHECKING:
    from tests.probe.conftest import Start

pytestmark = pytest.mark.linux

NAMES = ("AGENT_RING_SESSION", "HOME", "PATH")
TICK_S = 0.01
RSS_SHARE = 0.01
"""How far RSS of stat may lie from that of statm: 0.75 % was seen, for the kernel sums rough counters for the one."""
RSS_PER_CPU_BYTES = 64 * 4096 * 3
"""And in small processes: what a CPU may keep back of each of the three counters before it hands it in."""


def said(process: Process, name: str) -> object:
    """Return a field as both can say it."""
    value = getattr(process, name)
    if name == "argv" and value is not None:
        # psutil cuts a rewritten title at its spaces
        return " ".join(value).split()
    if name == "name":
        # psutil makes up what the kernel cut off from the arguments
        return value[:15]
    if name == "start_s":
        return round(value, 2)
    if name == "status":
        return process.is_zombie
    return value


SAME = ("ppid", "name", "exe", "argv", "cwd", "env", "uid", "status", "start_s", "pgid", "sid")


def differences(before: Process, reference: Process, after: Process) -> list[str]:
    """Compare a process with what psutil said of it between two scans of the probe."""
    found = []
    for name in SAME:
        if name in ("cwd", "name") and before.argv == () and before.exe is None:
            continue  # kernel threads stand in "/", which is not read, and tell what they do just now by their name
        theirs, ours = said(reference, name), (said(before, name), said(after, name))
        if name == "argv" and len("\0".join(reference.argv or ())) >= ARGV_LIMIT_BYTES - 1:
            continue  # cut at the limit
        if theirs not in ours:
            found.append(f"{name}: {ours} but {theirs}")
    for name in ("cpu_s", "children_cpu_s"):
        low, theirs, high = (getattr(each, name) for each in (before, reference, after))
        if not low - TICK_S <= theirs <= high + TICK_S:
            found.append(f"{name}: {low} to {high} but {theirs}")
    sizes = [before.rss_bytes or 0, after.rss_bytes or 0]
    slack = RSS_SHARE * max(sizes) + RSS_PER_CPU_BYTES * (os.cpu_count() or 1)
    if not min(sizes) - slack <= (reference.rss_bytes or 0) <= max(sizes) + slack:
        found.append(f"rss_bytes: {sizes} but {reference.rss_bytes}")
    missing = {"exe", "cwd", "env", "argv"} & (before.unreadable ^ reference.unreadable)
    if missing and before.unreadable == after.unreadable and not before.is_zombie:
        found.append(f"unreadable: {before.unreadable} but {reference.unreadable}")
    return found


@pytest.mark.parametrize("beat", ["whole", "fast"])
def test_every_live_process_is_told_field_by_field_as_psutil_tells_it(
    beat: str, start: Start, until: Callable[[Callable[[], bool]], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linux, "CWD_INTERVAL_S", 0.001)
    monkeypatch.setattr(portable, "REST_INTERVAL_S", 0.0)
    started = [start("sleep", "100", env={"AGENT_RING_SESSION": str(n)}) for n in range(25)]
    started += [start("sh", "-c", "read line", "two words", cwd="/") for _ in range(5)]
    ours, theirs = Probe(environment_names=NAMES), portable.Probe(environment_names=NAMES)
    compared: set[int] = set()
    skipped = 0
    wrong: dict[Identity, list[list[str]]] = {}
    try:
        table = ours.scan()
        until(lambda: all(ours.scan().processes[child.pid].name in ("sleep", "sh") for child in started))
        if beat == "fast":
            ours.follow([process.identity for process in table.processes.values()])
            for _ in range(20):
                ours.scan(whole=False)
        for _ in range(3):
            before = ours.scan(whole=beat == "whole")
            reference = theirs.scan()
            after = ours.scan(whole=beat == "whole")
            for pid, process in before.processes.items():
                seen, later = reference.processes.get(pid), after.get(process.identity)
                if seen is None or later is None or round(seen.start_s, 2) != round(process.start_s, 2):
                    skipped += 1  # it ended meanwhile
                    continue
                compared.add(pid)
                if found := differences(process, seen, later):
                    wrong.setdefault(process.identity, []).append(found)
            # whom psutil saw and no scan did lived for less than the time between two
            skipped += len(reference.processes.keys() - before.processes.keys() - after.processes.keys())
    finally:
        ours.close()
        theirs.close()
    # One that changes twice between two scans can look wrong once; what is told wrongly is so every time.
    assert [(identity, found) for identity, found in wrong.items() if len(found) > 1] == []
    assert not wrong.keys() & {table.processes[child.pid].identity for child in started}
    assert {child.pid for child in started} <= compared
    assert len(compared) >= 30
    assert skipped < len(compared)
