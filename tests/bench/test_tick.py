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
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import psutil
import pytest

from trayapp.hosts.base import CallResult, Surroundings
from trayapp.hosts.registry import load_hosts
from trayapp.model.process import Identity, Process, ProcessTable
from trayapp.model.session import (
    Claim,
    ClaimKind,
    Evidence,
    EvidenceKind,
    HostLabel,
    Observation,
    Role,
    SessionFact,
    SessionKey,
    Speaks,
)
from trayapp.model.snapshot import GroupKind
from trayapp.monitor import Monitor
from trayapp.probe.linux import YOUNG_S, Probe
from trayapp.reclaim.plan import Rules

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


class BenchHost:
    """Claim the tracked processes: sessions of one backend and four helpers each, all idle."""

    label = HostLabel(host="bench", title="Bench", letters="BE")
    environment_names: tuple[str, ...] = ()
    helpers_each = 4

    def __init__(self, tracked: Sequence[int]) -> None:
        each = self.helpers_each + 1
        self.sessions = {pid: SessionKey("bench", f"s{number // each}") for number, pid in enumerate(tracked)}
        self.backends = frozenset(tracked[::each])

    def recognise(self, process: Process) -> Claim | None:
        session = self.sessions.get(process.pid)
        if session is None:
            return None
        backend = process.pid in self.backends
        return Claim(
            identity=process.identity,
            host="bench",
            role=Role.BACKEND if backend else Role.HELPER,
            kind=ClaimKind.REGISTRY if backend else ClaimKind.ENVIRONMENT,
            source="bench",
            session=session,
        )

    async def observe(self, table: ProcessTable, recognised: Sequence[Claim], around: Surroundings) -> Observation:
        now_s = around.now_epoch_s()
        idle = Evidence(
            kind=EvidenceKind.HOST_STATUS,
            speaks_for=Speaks.IDLE,
            fact="It is idle",
            source="bench",
            at_epoch_s=1.0,
            read_epoch_s=now_s,
        )
        facts = tuple(SessionFact(key=key, evidence=(idle,)) for key in dict.fromkeys(self.sessions.values()))
        return Observation(host="bench", read_epoch_s=now_s, sessions=facts, claims=tuple(recognised))

    async def call(self, name: str, session: SessionFact, around: Surroundings) -> CallResult:
        raise NotImplementedError


def test_a_whole_tick_costs_less_than_a_psutil_pass(
    dummies: list[int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Scan, recognise (all hosts), observe, attribute, judge, plan, publish: what the tray does every two seconds."""
    hosts = (*load_hosts()[0], BenchHost(dummies[:TRACKED]))
    probe = Probe(environment_names={name for host in hosts for name in host.environment_names})
    probe._own_pid = dummies[-1]  # the dummies stand below this program, which would make all of them its own
    around = Surroundings(home=tmp_path, environ={}, now_epoch_s=time.time, processes=probe)
    monitor = Monitor(probe=probe, hosts=hosts, around=around, rules=Rules())
    monitor.start(ticking=False)
    try:
        first_ms = cpu_ms(lambda: monitor.submit(monitor.tick).result(60))
        monitor.submit(monitor.tick).result(60)
        ways: dict[str, Callable[[], object]] = {
            "psutil.process_iter, 5 attributes": psutil_pass,
            "Monitor.tick": lambda: monitor.submit(monitor.tick).result(60),
        }
        rounds = [{name: cpu_ms(way) for name, way in ways.items()} for _ in range(ROUNDS)]
        snapshot = monitor.latest
    finally:
        monitor.stop()
    assert snapshot is not None
    mine = [g for g in snapshot.groups if g.host == "bench" and g.kind is GroupKind.SESSION]
    assert sum(len(g.members) for g in mine) == TRACKED
    medians = {name: statistics.median(each[name] for each in rounds) for name in ways}
    reference = medians["psutil.process_iter, 5 attributes"]
    lines = [f"{OTHERS} other and {TRACKED} tracked processes in {len(mine)} sessions; CPU ms, median of {ROUNDS}"]
    lines += [f"  {name:<42} {value:8.2f} ms   {value / reference:6.3f} x psutil" for name, value in medians.items()]
    lines += [f"  {'first Monitor.tick (reads more)':<42} {first_ms:8.2f} ms"]
    with capsys.disabled():
        sys.stdout.write("\n" + "\n".join(lines) + "\n")
    assert medians["Monitor.tick"] < reference
