"""What a look at the machine costs, next to a plain psutil pass over the same processes in the same run.

CPU time (user + system) of this process, median over rounds in which the ways take turns. The ratios count; the
milliseconds belong to the machine and to what else runs on it.
"""

from __future__ import annotations

import os
import shutil
import signal
import statistics
import sys
import time
from collections.abc import Callable, Iterator

import psutil
import pytest

from trayapp.model.process import Identity
from trayapp.probe.linux import YOUNG_S, Probe

OTHERS = 500
TRACKED = 50
ROUNDS = 9
BUDGET_S = 0.005

pytestmark = [pytest.mark.bench, pytest.mark.linux]


@pytest.fixture(scope="module")
def dummies() -> Iterator[list[int]]:
    """Start sleeping processes, wait until they count as settled, and end exactly those."""
    sleep = shutil.which("sleep") or pytest.fail("no program called sleep")
    pids = [os.posix_spawn(sleep, ["sleep", "600"], {"AGENT_RING_SESSION": "bench"}) for _ in range(OTHERS + TRACKED)]
    settled_s = time.monotonic() + YOUNG_S + 0.5
    while time.monotonic() < settled_s:
        time.sleep(0.1)
    yield pids
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    for pid in pids:
        os.waitpid(pid, 0)


def psutil_pass() -> None:
    for process in psutil.process_iter(["pid", "name", "cmdline", "cpu_times", "memory_info"]):
        _ = process.info


def cpu_ms(way: Callable[[], object]) -> float:
    began_s = time.process_time()
    way()
    return (time.process_time() - began_s) * 1000


def test_a_scan_costs_a_fraction_of_a_psutil_pass(dummies: list[int], capsys: pytest.CaptureFixture[str]) -> None:
    probe = Probe(environment_names=("AGENT_RING_SESSION",))
    first_ms = cpu_ms(probe.scan)
    table = probe.scan()  # what was young at the first scan is settled now
    assert {table.processes[pid].env["AGENT_RING_SESSION"] for pid in dummies} == {"bench"}
    tracked: list[Identity] = [table.processes[pid].identity for pid in dummies[:TRACKED]]
    ways: dict[str, Callable[[], object]] = {
        "psutil.process_iter, 5 attributes": psutil_pass,
        "Probe.scan": probe.scan,
        f"Probe.footprints, {TRACKED} tracked, all": lambda: probe.footprints(tracked, None),
        f"Probe.footprints, {TRACKED} tracked, 5 ms": lambda: probe.footprints(tracked, BUDGET_S),
    }
    psutil.process_iter.cache_clear()
    first_psutil_ms = cpu_ms(psutil_pass)
    rounds = [{name: cpu_ms(way) for name, way in ways.items()} for _ in range(ROUNDS)]
    medians = {name: statistics.median(each[name] for each in rounds) for name in ways}
    reference = medians["psutil.process_iter, 5 attributes"]

    lines = [f"{len(table.processes)} processes, {len(dummies)} of them dummies; CPU ms, median of {ROUNDS}"]
    lines += [f"  {name:<42} {value:8.2f} ms   {value / reference:6.3f} x psutil" for name, value in medians.items()]
    lines += [
        f"  {'first psutil pass':<42} {first_psutil_ms:8.2f} ms",
        f"  {'first Probe.scan (reads more)':<42} {first_ms:8.2f} ms   {first_ms / first_psutil_ms:6.3f} x that",
    ]
    with capsys.disabled():
        sys.stdout.write("\n" + "\n".join(lines) + "\n")

    assert medians["Probe.scan"] < 0.35 * reference
    assert first_ms < 2.0 * first_psutil_ms
