"""The tick: what a slow, hanging, failing or silent host costs, and that the worker always stops."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.tables import BOOTED, MB, OWN_PID, ScriptedProbe, process, table
from trayapp import monitor as monitor_module
from trayapp.hosts.base import CallResult, Surroundings
from trayapp.model.plan import Action, Allowed, Reason
from trayapp.model.process import Process, ProcessTable
from trayapp.model.session import (
    Claim,
    ClaimKind,
    Evidence,
    EvidenceKind,
    HostLabel,
    LadderStep,
    Observation,
    Problem,
    Role,
    SessionFact,
    SessionKey,
    Speaks,
    State,
    StepKind,
)
from trayapp.model.snapshot import Group, GroupKind, Look, Snapshot
from trayapp.monitor import Monitor
from trayapp.reclaim.plan import Rules

TERM = LadderStep(kind=StepKind.SIGTERM, label="Asked to end", wait_s=5.0)
SHELL = process(100, argv=("bash",))
AGENT = process(200, 100, argv=("/opt/alpha-agent",), rss_bytes=100 * MB)
OTHER = process(300, 100, argv=("/opt/beta-agent",))


class StagedHost:
    """Know one agent by its program; what an observation does is the test's to say."""

    environment_names: tuple[str, ...] = ()

    def __init__(self, name: str, agent: Process, before_answer: Callable[[], Awaitable[None]] | None = None) -> None:
        self.label = HostLabel(host=name, title=name.title(), letters=name[:2].upper())
        self.agent = agent
        self.before_answer = before_answer
        self.observed = 0
        self.asked: list[int] = []
        self.speaks = Speaks.IDLE
        self.since_epoch_s = BOOTED.timestamp() - 7200

    @property
    def key(self) -> SessionKey:
        return SessionKey(self.label.host, "s1")

    def recognise(self, process: Process) -> Claim | None:
        self.asked.append(process.pid)
        return self.claim(ClaimKind.PROGRAM) if process.exe == self.agent.exe else None

    def claim(self, kind: ClaimKind) -> Claim:
        session = self.key if kind is ClaimKind.REGISTRY else None
        return Claim(
            identity=self.agent.identity,
            host=self.label.host,
            role=Role.BACKEND,
            kind=kind,
            source="test",
            session=session,
        )

    async def observe(self, table: ProcessTable, recognised: Sequence[Claim], around: Surroundings) -> Observation:
        self.observed += 1
        if self.before_answer is not None:
            await self.before_answer()
        told = Evidence(
            kind=EvidenceKind.HOST_STATUS,
            speaks_for=self.speaks,
            fact="It says so",
            source="test",
            at_epoch_s=self.since_epoch_s,
            read_epoch_s=around.now_epoch_s(),
        )
        fact = SessionFact(key=self.key, evidence=(told,), last_activity_epoch_s=self.since_epoch_s, ladder=(TERM,))
        return Observation(
            host=self.label.host,
            read_epoch_s=around.now_epoch_s(),
            sessions=(fact,),
            claims=(*recognised, self.claim(ClaimKind.REGISTRY)),
        )

    async def call(self, name: str, session: SessionFact, around: Surroundings) -> CallResult:
        return CallResult(ok=False, message="not here")


class Bench:
    """Hold a monitor with two hosts and a clock; each look is taken when the test says."""

    def __init__(self, *, alpha: StagedHost | None = None, beta: StagedHost | None = None) -> None:
        self.alpha = alpha or StagedHost("alpha", AGENT)
        self.beta = beta or StagedHost("beta", OTHER)
        self.probe = ScriptedProbe(table(SHELL, AGENT, OTHER, at_s=1000.0))
        self.now_epoch_s = BOOTED.timestamp() + 1000.0
        self.published: list[Snapshot] = []
        self.monitor = Monitor(
            probe=self.probe,
            hosts=(self.alpha, self.beta),
            around=Surroundings(
                home=Path("/nowhere"), environ={}, now_epoch_s=lambda: self.now_epoch_s, processes=self.probe
            ),
            rules=Rules(),
            interval_s=0.01,
            on_snapshot=self.published.append,
        )
        self.monitor.detail = True

    def later(self, seconds: float, *, slept_s: float = 0.0) -> None:
        """Let time pass; `slept_s` of it with the machine asleep."""
        self.now_epoch_s += seconds + slept_s
        now = self.probe.table
        wall_s = now.taken_at.timestamp() - BOOTED.timestamp() + seconds + slept_s
        self.probe.table = table(*now.processes.values(), at_s=now.monotonic_s + seconds, wall_s=wall_s)

    def tick(self) -> Snapshot:
        return self.monitor.submit(self.monitor.tick).result(20)

    def look(self) -> Look:
        return self.monitor.submit(self.monitor.look).result(20)


@contextmanager
def started(bench: Bench, *, ticking: bool = False) -> Iterator[Bench]:
    bench.monitor.start(ticking=ticking)
    try:
        yield bench
    finally:
        assert bench.monitor.stop()


@pytest.fixture
def bench() -> Iterator[Bench]:
    with started(Bench()) as running:
        yield running


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait in real time only as long as a test can bear."""
    monkeypatch.setattr(monitor_module, "PATIENCE_S", 0.05)


async def forever() -> None:
    await asyncio.Event().wait()


async def broken() -> None:
    raise ValueError("a field is missing")


def group(snapshot: Snapshot, host: str) -> Group:
    found = snapshot.group(f"{host}:s1")
    assert found is not None
    return found


def state(snapshot: Snapshot, host: str) -> State:
    verdict = group(snapshot, host).verdict
    assert verdict is not None
    return verdict.state


def errors(snapshot: Snapshot) -> dict[str, str]:
    return {instance.host: instance.error for instance in snapshot.instances if instance.error is not None}


# -- one tick ---------------------------------------------------------------------------------------------------------


def test_a_tick_publishes_one_snapshot_with_sessions_of_all_hosts(bench: Bench) -> None:
    snapshot = bench.tick()
    assert bench.published == [snapshot]
    assert bench.monitor.latest is snapshot
    assert {g.key for g in snapshot.groups if g.kind is GroupKind.SESSION} == {"alpha:s1", "beta:s1"}
    assert group(snapshot, "alpha").rss_bytes == 100 * MB
    assert [label.host for label in snapshot.labels] == ["alpha", "beta"]


def test_the_first_snapshot_has_no_interval_and_no_cpu(bench: Bench) -> None:
    snapshot = bench.tick()
    assert snapshot.interval_s is None
    assert all(member.cpu_percent is None for g in snapshot.groups for member in g.members)
    bench.later(2.0)
    assert bench.tick().interval_s == 2.0


def test_idle_needs_two_observations(bench: Bench) -> None:
    first = group(bench.tick(), "alpha").decision(Action.RELEASE)
    assert first is not None
    assert (first.allowed, first.reason, first.eligible_in_s) == (Allowed.REFUSE, Reason.UNKNOWN_STATE, 2.0)
    bench.later(2.0)
    second = group(bench.tick(), "alpha").decision(Action.RELEASE)
    assert second is not None
    assert (second.allowed, second.reason) == (Allowed.ALLOW, Reason.IDLE_CONFIRMED)


def test_two_looks_at_one_observation_are_one(impatient: None) -> None:
    bench = Bench()
    with started(bench):
        bench.tick()
        bench.alpha.before_answer = forever
        bench.later(2.0)
        again = group(bench.tick(), "alpha").verdict
        assert again is not None
        assert again.confirmations == 1


def test_processes_are_recognised_once_and_again_when_they_look_different(bench: Bench) -> None:
    bench.tick()
    bench.alpha.asked.clear()
    bench.later(2.0)
    bench.tick()
    assert bench.alpha.asked == []
    bench.probe.table = table(SHELL, replace(AGENT, argv=("/opt/alpha-agent", "--now")), OTHER, at_s=1010.0)
    bench.tick()
    assert bench.alpha.asked == [AGENT.pid]


def test_footprints_have_a_budget_but_for_the_first_look_and_for_actions(bench: Bench) -> None:
    bench.monitor.detail = False
    bench.tick()
    bench.tick()
    bench.monitor.detail = True
    bench.tick()
    bench.look()
    assert bench.probe.budgets == [
        None,
        monitor_module.FOOTPRINT_BUDGET_S,
        monitor_module.FOOTPRINT_BUDGET_OPEN_S,
        None,
    ]


# -- no view is open --------------------------------------------------------------------------------------------------


@pytest.fixture
def closed(bench: Bench) -> Bench:
    bench.monitor.detail = False
    bench.tick()
    bench.later(2.0)
    bench.tick()  # the second word, which confirms that they are idle
    return bench


def test_hosts_are_asked_at_a_slower_beat_and_figures_are_read_at_each(closed: Bench) -> None:
    asked = closed.beta.observed
    for seconds in range(1, 6):
        closed.later(2.0)
        busier = replace(AGENT, cpu_s=1.0 + seconds / 10, rss_bytes=(50 + seconds) * MB)
        closed.probe.table = replace(closed.probe.table, processes={**closed.probe.table.processes, AGENT.pid: busier})
        snapshot = closed.tick()
        assert group(snapshot, "alpha").members[0].process.rss_bytes == (50 + seconds) * MB
        assert state(snapshot, "alpha") is State.IDLE
    assert (closed.alpha.observed, closed.beta.observed) == (asked + 1, asked)  # nothing works at the other one


def test_a_host_at_rest_is_asked_every_half_minute(closed: Bench) -> None:
    asked = closed.beta.observed
    for _ in range(3):
        closed.later(10.0)
        closed.tick()
    assert closed.beta.observed == asked + 1


def test_hosts_are_asked_at_once_when_an_agent_comes_or_goes(closed: Bench) -> None:
    asked = closed.alpha.observed
    closed.later(2.0)
    closed.probe.gone(OTHER.identity)
    closed.tick()
    assert closed.alpha.observed == asked + 1


def test_what_a_host_says_anew_is_judged_in_the_tick_that_hears_it(closed: Bench) -> None:
    closed.alpha.speaks = Speaks.BUSY
    closed.later(2.0)
    assert state(closed.tick(), "alpha") is State.IDLE
    closed.later(28.0)
    assert state(closed.tick(), "alpha") is State.BUSY
    closed.alpha.speaks = Speaks.IDLE
    closed.later(10.0)
    assert state(closed.tick(), "alpha") is State.IDLE  # what works is asked more often


class AbsentHost(StagedHost):
    """Have nothing to tell."""

    def recognise(self, process: Process) -> Claim | None:
        return None

    async def observe(self, table: ProcessTable, recognised: Sequence[Claim], around: Surroundings) -> Observation:
        self.observed += 1
        return Observation(host=self.label.host, read_epoch_s=around.now_epoch_s())


def test_a_host_of_which_nothing_runs_is_asked_once_a_minute_and_for_an_action() -> None:
    bench = Bench(beta=AbsentHost("beta", OTHER))
    with started(bench):
        bench.monitor.detail = False
        for _ in range(6):
            bench.tick()
            bench.later(10.0)
        assert (bench.alpha.observed, bench.beta.observed) == (3, 1)
        bench.tick()
        assert bench.beta.observed == 2
        bench.look()
        assert bench.beta.observed == 3


def test_an_idle_time_is_never_older_than_the_hosts_word(closed: Bench) -> None:
    verdict = group(closed.tick(), "alpha").verdict
    assert verdict is not None
    assert verdict.idle_s is not None
    closed.later(30.0)
    again = group(closed.tick(), "alpha").verdict
    assert again is not None
    assert again.idle_s == verdict.idle_s + 30.0
    assert again.confirmations >= verdict.confirmations


def test_opening_a_view_asks_and_judges_anew(closed: Bench) -> None:
    asked = closed.alpha.observed
    closed.monitor.detail = True
    closed.later(0.5)
    verdict = group(closed.tick(), "alpha").verdict
    assert verdict is not None
    assert closed.alpha.observed == asked + 1
    assert {e.read_epoch_s for e in verdict.evidence} == {closed.now_epoch_s}


def test_the_probe_is_told_whose_figures_count(closed: Bench) -> None:
    assert {identity.pid for identity in closed.probe.followed} == {AGENT.pid, OTHER.pid, OWN_PID}
    closed.probe.gone(OTHER.identity)
    closed.tick()
    assert {identity.pid for identity in closed.probe.followed} == {AGENT.pid, OWN_PID}


# -- hosts that do not behave -----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("impatient")
def test_a_slow_host_costs_one_tick_a_little_patience_and_later_ones_nothing() -> None:
    bench = Bench(alpha=StagedHost("alpha", AGENT, forever))
    with started(bench):
        snapshot = bench.tick()
        assert state(snapshot, "beta") is State.IDLE
        (row,) = [g for g in snapshot.groups if g.host == "alpha"]  # recognised, and not known better
        assert row.verdict is not None
        assert row.verdict.state is State.UNKNOWN
        began_s = time.monotonic()
        for _ in range(20):
            bench.later(0.1)
            bench.tick()
        assert time.monotonic() - began_s < 20 * 0.05
        assert bench.alpha.observed == 1
        assert bench.beta.observed == 2  # a second word that it is idle, and then it is let rest


def test_with_a_view_open_what_works_is_asked_at_each_tick_and_what_rests_every_six_seconds(bench: Bench) -> None:
    bench.tick()
    bench.later(2.0)
    bench.tick()
    asked = bench.beta.observed
    for seconds in range(1, 4):
        bench.later(2.0)
        busier = replace(AGENT, cpu_s=1.0 + seconds)
        bench.probe.table = replace(bench.probe.table, processes={**bench.probe.table.processes, AGENT.pid: busier})
        bench.tick()
    assert (bench.alpha.observed, bench.beta.observed) == (asked + 2, asked + 1)


@pytest.mark.usefixtures("impatient")
def test_a_host_that_hangs_makes_its_own_rows_stale_and_no_others() -> None:
    bench = Bench()
    with started(bench):
        bench.tick()
        bench.alpha.before_answer = forever
        bench.later(2.0)
        assert state(bench.tick(), "alpha") is State.IDLE  # its last word is two seconds old
        bench.later(8.0)
        snapshot = bench.tick()
        assert errors(snapshot) == {"alpha": "no answer within 8 s"}
        stale = group(snapshot, "alpha")
        assert "stale" in stale.flags
        assert stale.verdict is not None
        assert (stale.verdict.state, stale.verdict.stale_s) == (State.UNKNOWN, 10.0)
        decision = stale.decision(Action.RELEASE)
        assert decision is not None
        assert decision.allowed is Allowed.REFUSE
        assert state(snapshot, "beta") is State.IDLE
        assert "stale" not in group(snapshot, "beta").flags


@pytest.mark.usefixtures("impatient")
def test_a_host_that_answers_again_is_believed_again() -> None:
    bench = Bench()
    with started(bench):
        bench.tick()
        bench.alpha.before_answer = forever
        for _ in range(2):
            bench.later(8.0)
            bench.tick()
        bench.alpha.before_answer = None
        for _ in range(2):
            bench.later(2.0)
            snapshot = bench.tick()
        assert errors(snapshot) == {}
        assert state(snapshot, "alpha") is State.IDLE


@pytest.mark.usefixtures("impatient")
def test_an_observation_that_does_not_let_itself_be_cancelled_is_never_doubled() -> None:
    obeys = threading.Event()

    async def stubborn() -> None:
        while True:
            try:
                await forever()
            except asyncio.CancelledError:
                if obeys.is_set():
                    raise

    bench = Bench(alpha=StagedHost("alpha", AGENT, stubborn))
    with started(bench):
        for _ in range(5):
            bench.later(8.0)
            snapshot = bench.tick()
        assert bench.alpha.observed == 1
        assert errors(snapshot) == {"alpha": "no answer within 8 s"}
        obeys.set()


@pytest.mark.logs
def test_a_host_whose_adapter_fails_is_told_and_the_others_go_on() -> None:
    bench = Bench(alpha=StagedHost("alpha", AGENT, broken))
    with started(bench):
        snapshot = bench.tick()
        told = errors(snapshot)["alpha"] or ""
        assert re.fullmatch(r"its adapter failed: ValueError in test_monitor\.py, line \d+", told)  # not its words
        assert state(snapshot, "beta") is State.IDLE


class CannotRecognise(StagedHost):
    def recognise(self, process: Process) -> Claim | None:
        if process.argv == ("bash",):
            raise IndexError("tuple index out of range")
        return super().recognise(process)


@pytest.mark.logs
def test_an_adapter_that_fails_to_recognise_a_process_is_told_and_nothing_else_is_lost(
    caplog: pytest.LogCaptureFixture,
) -> None:
    bench = Bench(alpha=CannotRecognise("alpha", AGENT))
    with started(bench):
        bench.tick()
        bench.later(2.0)
        snapshot = bench.tick()
        told = errors(snapshot)["alpha"] or ""
        assert re.fullmatch(r"its adapter failed: IndexError in test_monitor\.py, line \d+", told)  # not its words
        assert state(snapshot, "alpha") is State.IDLE
        assert state(snapshot, "beta") is State.IDLE
    assert sum("failed on process" in record.message for record in caplog.records) == 1


def test_a_look_for_an_action_asks_every_host_anew(bench: Bench) -> None:
    bench.tick()
    bench.alpha.speaks = Speaks.BUSY
    assert state(bench.look().snapshot, "alpha") is State.BUSY


def test_a_look_for_an_action_waits_for_a_word_that_began_after_it() -> None:
    """What is under way when the look begins may have read the session before its turn began."""
    gate = threading.Event()

    async def slowly() -> None:
        while not gate.is_set():
            await asyncio.sleep(0.005)

    bench = Bench(alpha=StagedHost("alpha", AGENT, slowly))
    with started(bench):
        bench.tick()
        asked = bench.monitor.submit(bench.monitor.look)
        gate.set()
        asked.result(20)
        assert bench.alpha.observed == 2


@pytest.mark.usefixtures("impatient")
def test_a_host_that_does_not_answer_a_look_for_an_action_is_stale_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monitor_module, "OBSERVE_TIMEOUT_S", 0.2)
    bench = Bench()
    with started(bench):
        bench.tick()
        bench.alpha.before_answer = forever
        bench.later(0.1)
        snapshot = bench.look().snapshot
        assert state(snapshot, "alpha") is State.UNKNOWN
        assert state(snapshot, "beta") is State.IDLE
        began_s = time.monotonic()
        bench.later(0.1)
        bench.look()  # it has failed before, and is not waited for again
        assert time.monotonic() - began_s < 0.2


# -- time -------------------------------------------------------------------------------------------------------------


def test_sleep_breaks_the_interval_and_does_not_count_as_idleness(bench: Bench) -> None:
    bench.alpha.since_epoch_s = bench.now_epoch_s - 60.0
    bench.tick()
    bench.later(2.0, slept_s=3600.0)
    snapshot = bench.tick()
    assert snapshot.gap
    verdict = group(snapshot, "alpha").verdict
    assert verdict is not None
    assert verdict.idle_s == pytest.approx(62.0)
    assert all(member.cpu_percent is None for g in snapshot.groups for member in g.members)
    bench.later(2.0)
    after = bench.tick()
    assert not after.gap
    verdict = group(after, "alpha").verdict
    assert verdict is not None
    assert verdict.idle_s == pytest.approx(64.0)


def test_a_pause_is_a_gap_even_if_nothing_was_looked_at_in_it(bench: Bench) -> None:
    bench.tick()
    bench.monitor.paused = True
    bench.later(600.0)
    bench.monitor.paused = False
    assert bench.tick().gap
    bench.later(2.0)
    assert not bench.tick().gap


def test_a_pause_is_awake_time_and_counts_as_idleness(bench: Bench) -> None:
    bench.alpha.since_epoch_s = bench.now_epoch_s - 60.0
    bench.tick()
    bench.monitor.paused = True
    bench.later(600.0)
    bench.monitor.paused = False
    verdict = group(bench.tick(), "alpha").verdict
    assert verdict is not None
    assert verdict.idle_s == pytest.approx(660.0)


# -- the worker -------------------------------------------------------------------------------------------------------


def wait_for(holds: Callable[[], bool]) -> None:
    end_s = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < end_s
        time.sleep(0.002)


def test_a_ticking_monitor_ticks_and_a_paused_one_only_when_asked() -> None:
    bench = Bench()
    with started(bench, ticking=True):
        wait_for(lambda: len(bench.published) >= 3)
        bench.monitor.paused = True
        bench.monitor.submit(lambda: asyncio.sleep(0.02)).result(5)  # what was begun ends
        scans = bench.probe.scans
        bench.monitor.submit(lambda: asyncio.sleep(0.1)).result(5)
        assert bench.probe.scans == scans
        bench.monitor.wake()
        wait_for(lambda: bench.probe.scans > scans)


@pytest.mark.logs
def test_a_fault_in_one_tick_does_not_end_the_ticks_and_is_told() -> None:
    bench = Bench()
    scan = bench.probe.scan
    faults = [OSError(24, "Too many open files")]

    def scan_or_fail(*, whole: bool = True) -> ProcessTable:
        if faults and bench.published:
            raise faults.pop()
        return scan(whole=whole)

    bench.probe.scan = scan_or_fail  # type: ignore[method-assign]
    with started(bench, ticking=True):
        wait_for(lambda: any(s.problems for s in bench.published))
        (problem,) = next(s.problems for s in bench.published if s.problems)
        assert "Too many open files" in problem.what
        seen = len(bench.published)
        wait_for(lambda: len(bench.published) > seen)
        assert bench.published[-1].problems == ()


@pytest.mark.parametrize("hang", [None, forever], ids=["quiet", "a host hangs"])
@pytest.mark.parametrize("ticks", [0, 1, 3])
def test_the_worker_stops_within_a_second_at_any_moment(hang: Callable[[], Awaitable[None]] | None, ticks: int) -> None:
    bench = Bench(alpha=StagedHost("alpha", AGENT, hang))
    bench.monitor.start(ticking=True)
    if ticks:
        wait_for(lambda: len(bench.published) >= ticks)
    began_s = time.monotonic()
    assert bench.monitor.stop()
    assert time.monotonic() - began_s < 1.0
    assert bench.probe.closed


@pytest.mark.parametrize("turns", range(8))
def test_a_wake_at_the_moment_of_the_stop_does_not_keep_the_worker(turns: int) -> None:
    """In Python 3.11 wait_for swallows a cancellation that comes in the same turn of the loop as what it waits for."""
    bench = Bench()
    bench.monitor.interval_s = 60.0
    bench.monitor.start(ticking=True)
    wait_for(lambda: bool(bench.published))

    async def wake_some_turns_later() -> None:
        for _ in range(turns):
            await asyncio.sleep(0)
        bench.monitor.wake()

    async def stop_and_wake() -> None:
        assert bench.monitor._stop is not None
        bench.monitor._stop.set()
        await wake_some_turns_later()

    woken = bench.monitor.submit(stop_and_wake)
    began_s = time.monotonic()
    assert bench.monitor.stop()
    assert time.monotonic() - began_s < 0.4  # less than is granted to tasks that do not end
    assert woken.done()


def test_the_worker_stops_while_an_action_waits_for_a_hanging_host() -> None:
    bench = Bench(alpha=StagedHost("alpha", AGENT, forever))
    bench.monitor.start(ticking=False)
    asked = bench.monitor.submit(bench.monitor.look)
    wait_for(lambda: bench.alpha.observed == 1)
    began_s = time.monotonic()
    assert bench.monitor.stop()
    assert time.monotonic() - began_s < 1.0
    assert asked.cancelled()


def test_a_stopped_monitor_can_be_stopped_again_and_refuses_work() -> None:
    bench = Bench()
    bench.monitor.start(ticking=False)
    assert bench.monitor.stop()
    assert bench.monitor.stop()
    bench.monitor.wake()
    with pytest.raises(RuntimeError, match="not been started"):
        bench.monitor.submit(bench.monitor.tick)


def test_a_monitor_can_be_started_again() -> None:
    bench = Bench()
    for _ in range(3):
        with started(bench):
            bench.tick()
    assert len(bench.published) == 3


def test_problems_of_hosts_files_and_settings_are_all_in_the_snapshot() -> None:
    bad_settings = Problem(where="settings.toml", what="line 3 is no number", mend="The default holds.")
    bad_store = Problem(where="history.sqlite", what="is no database", mend="It was set aside.")
    bench = Bench()
    bench.monitor = Monitor(
        probe=bench.probe,
        hosts=(bench.alpha,),
        around=Surroundings(home=Path("/nowhere"), environ={}, now_epoch_s=lambda: 0.0, processes=bench.probe),
        rules=Rules(),
        problems=(bad_settings,),
        own_problems=lambda: (bad_store,),
    )
    with started(bench):
        assert bench.tick().problems == (bad_settings, bad_store)
