"""How an action is carried out, with a clock, a host and processes that a test holds in its hand."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.reclaim.test_guard import Handle, System
from tests.tables import MB, ScriptedProbe, process, table
from trayapp.hosts.base import CallResult, Surroundings
from trayapp.model.plan import Action, Allowed, Decision, Reason
from trayapp.model.process import Identity, Process, ProcessStatus, ProcessTable
from trayapp.model.receipt import Fate, Outcome, Progress, Receipt, Target, program_mark
from trayapp.model.session import (
    Claim,
    ClaimKind,
    EndsBy,
    Heap,
    HostInstance,
    HostLabel,
    LadderStep,
    Observation,
    ResumeTicket,
    Role,
    SessionFact,
    SessionKey,
    State,
    StepKind,
)
from trayapp.model.snapshot import Group, GroupKind, HeapUse, Look, Member, OwnCost, Snapshot, Totals, Verdict
from trayapp.probe.signals import SendResult
from trayapp.reclaim import executor as executor_module
from trayapp.reclaim.executor import Executor
from trayapp.reclaim.guard import Guard
from trayapp.reclaim.journal import Intent, Journal
from trayapp.reclaim.turn import turn, turn_file

KEY = SessionKey("fake", "s1")
WRAPPER = process(200, 100, argv=("npx", "agent"))
AGENT = process(201, 200, argv=("/opt/agent", "--resume", "s1"), rss_bytes=500 * MB)
HELPER = process(202, 201, argv=("node", "mcp-server.js"), rss_bytes=100 * MB)
LAUNCHER = process(150, 100, argv=("python", "bot.py"), rss_bytes=70 * MB)
WORK = process(203, 201, argv=("make", "-j"), rss_bytes=50 * MB)
SHELL = process(100, argv=("bash",))

CALL = LadderStep(kind=StepKind.HOST_CALL, label="The host ends it", wait_s=3.0, call="stop")
PREPARE = replace(CALL, label="The host saves it", call="save", frees_processes=False, wait_s=2.0)
TERM = LadderStep(kind=StepKind.SIGTERM, label="It is asked to end", wait_s=4.0)
KILL = LadderStep(kind=StepKind.SIGKILL, label="It is ended at once", wait_s=2.0)

ROLES = {
    LAUNCHER.pid: Role.LAUNCHER,
    WRAPPER.pid: Role.WRAPPER,
    AGENT.pid: Role.BACKEND,
    HELPER.pid: Role.HELPER,
    WORK.pid: Role.WORK,
}


class Clock:
    """Go on only when somebody waits."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.at: list[tuple[float, Callable[[], None]]] = []

    def __call__(self) -> float:
        return self.now_s

    def later(self, delay_s: float, happens: Callable[[], None]) -> None:
        self.at.append((self.now_s + delay_s, happens))

    async def sleep(self, length_s: float) -> None:
        await asyncio.sleep(0)
        self.now_s += length_s
        due = [entry for entry in self.at if entry[0] <= self.now_s]
        self.at = [entry for entry in self.at if entry[0] > self.now_s]
        for _, happens in due:
            happens()


class FakeHost:
    """Answer calls as a test says; what it does to processes is the test's as well."""

    label = HostLabel(host="fake", title="Fake", letters="FK")
    environment_names: tuple[str, ...] = ()

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.does: Callable[[], Coroutine[Any, Any, CallResult]] | None = None

    def recognise(self, _process: Process) -> Claim | None:
        return None

    async def observe(self, table: ProcessTable, recognised: Sequence[Claim], around: Surroundings) -> Observation:
        return Observation(host="fake", read_epoch_s=0.0)

    async def call(self, name: str, session: SessionFact, around: Surroundings) -> CallResult:
        self.calls.append(name)
        return await self.does() if self.does is not None else CallResult(ok=True, message="yes")


@dataclass
class Stage:
    """Hold one session, what it does when it is asked to end, and everything that an executor needs."""

    tmp_path: Path
    clock: Clock = field(default_factory=Clock)
    host: FakeHost = field(default_factory=FakeHost)
    ladder: tuple[LadderStep, ...] = (TERM,)
    ignores: set[int] = field(default_factory=set)
    """Pids that SIGTERM does not end."""
    decisions: dict[Action, Decision] = field(default_factory=dict)
    states: list[State] = field(default_factory=list)
    """What each further look says of the session; the last one stays."""
    progress: list[Progress] = field(default_factory=list)
    registered: set[int] = field(default_factory=set)
    """Pids that a live registry names."""
    held: dict[int, EndsBy] = field(default_factory=dict)
    """Helpers that their host's server holds, and who may end them."""

    def __post_init__(self) -> None:
        self.system = System(table(SHELL, WRAPPER, AGENT, HELPER))
        self.probe: ScriptedProbe = self.system.probe
        self.journal = Journal(self.tmp_path / "journal.jsonl")
        self.looks = 0
        for action in Action:
            self.decisions.setdefault(action, allow(action))

    async def look(self) -> Look:
        self.looks += 1
        state = self.states.pop(0) if len(self.states) > 1 else (self.states or [State.IDLE])[0]
        group = self.group(state)
        if state is State.BUSY:
            refused = Decision(action=Action.RELEASE, allowed=Allowed.REFUSE, reason=Reason.OPEN_TURN)
            group = replace(group, decisions=(*(d for d in group.decisions if d.action is not Action.RELEASE), refused))
        snapshot = Snapshot(
            taken_at=self.probe.table.taken_at,
            monotonic_s=0.0,
            interval_s=None,
            gap=False,
            machine=self.probe.table.machine,
            instances=(),
            labels=(),
            groups=(group,) if group.members else (),
            totals=Totals(
                processes=0,
                sessions=1,
                rss_bytes=0,
                footprint_bytes=None,
                held_bytes=0,
                cpu_percent=None,
                reclaimable_bytes=0,
            ),
            own=OwnCost(rss_bytes=None, footprint_bytes=None, cpu_percent=None),
            footprint_metric="pss",
        )
        return Look(snapshot=snapshot, table=self.probe.table, facts={KEY: SessionFact(key=KEY, ladder=self.ladder)})

    def group(self, state: State = State.IDLE) -> Group:
        found = [p for p in self.probe.table.processes.values() if p.pid in ROLES]
        backends = [p for p in found if ROLES[p.pid] is Role.BACKEND]
        return Group(
            key=str(KEY),
            kind=GroupKind.SESSION,
            host="fake",
            session=KEY,
            members=tuple(Member(process=p, role=ROLES[p.pid], claim=self.claim(p)) for p in found),
            flags=("duplicates",) if len(backends) > 1 else (),
            verdict=Verdict(state=state),
            decisions=tuple(self.decisions.values()),
            ladder=self.ladder,
            resume=ResumeTicket(argv=("agent", "--resume", "s1")),
        )

    def claim(self, process: Process) -> Claim | None:
        if process.pid in self.held:
            return Claim(
                identity=process.identity,
                host="fake",
                role=Role.HELPER,
                kind=ClaimKind.ENVIRONMENT,
                source="its variable",
                session=KEY,
                ends_by=self.held[process.pid],
            )
        if process.pid not in self.registered:
            return None
        return Claim(
            identity=process.identity,
            host="fake",
            role=Role.BACKEND,
            kind=ClaimKind.REGISTRY,
            source="registry",
            session=KEY,
        )

    def open(self, identity: Identity) -> Handle | None:
        handle = self.system.open(identity)
        if handle is None:
            return None
        stage = self

        class Dying(Handle):
            def send(self, sig: signal.Signals) -> SendResult:
                if sig is signal.SIGKILL or self.identity.pid not in stage.ignores:
                    stage.clock.later(0.2, lambda: stage.probe.gone(self.identity))
                return super().send(sig)

        return Dying(identity, self.system)

    def executor(self) -> Executor:
        return Executor(
            look=self.look,
            guard=Guard(self.probe, open_handle=self.open),
            measures=self.probe,
            journal=self.journal,
            hosts={"fake": self.host},
            around=Surroundings(home=self.tmp_path, environ={}, now_epoch_s=lambda: 0.0, processes=self.probe),
            clock_s=self.clock,
            sleep=self.clock.sleep,
        )

    def target(self, action: Action = Action.RELEASE, **more: Any) -> Target:
        members = tuple(m.process for m in self.group().members)
        values: dict[str, Any] = {
            "members": tuple(p.identity for p in members),
            "programs": tuple(program_mark(p) for p in members),
            "expected_bytes": 0,
        }
        return Target(group_key=str(KEY), action=action, title="First", host="fake", **(values | more))

    def carry_out(self, *targets: Target) -> Receipt:
        return asyncio.run(self.executor().carry_out(targets, "test", self.progress.append))

    def release(self, **more: Any) -> Outcome:
        return self.carry_out(self.target(Action.RELEASE, **more)).outcomes[0]

    def kill(self, **more: Any) -> Outcome:
        return self.carry_out(self.target(Action.KILL, confirmed=True, **more)).outcomes[0]

    @property
    def sent(self) -> list[tuple[int, str]]:
        return [(pid, sig.name) for pid, sig in self.system.sent]


def allow(action: Action) -> Decision:
    return Decision(action=action, allowed=Allowed.ALLOW, reason=Reason.IDLE_CONFIRMED)


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


# -- release ----------------------------------------------------------------------------------------------------------


def test_a_release_asks_the_backend_first_and_then_what_it_left_behind(stage: Stage) -> None:
    outcome = stage.release()
    assert stage.sent[0] == (201, "SIGTERM")
    assert sorted(stage.sent[1:]) == [(200, "SIGTERM"), (202, "SIGTERM")]
    assert outcome.fate is Fate.RELEASED
    assert outcome.sentence == "3 processes gone"
    assert outcome.resume is not None


def test_what_came_back_is_the_footprint_measured_just_before(stage: Stage) -> None:
    stage.probe.unreadable.add(HELPER.identity)
    outcome = stage.release()
    assert outcome.came_back_bytes == (500 + 10) * MB // 2 + 100 * MB  # RSS where there is no footprint
    assert outcome.rss_came_back_bytes == 610 * MB
    assert stage.probe.budgets == [None]


def test_the_receipt_names_its_metric_and_is_in_the_journal(stage: Stage) -> None:
    receipt = stage.carry_out(stage.target())
    assert receipt.footprint_metric == "pss"
    assert stage.journal.receipts(1) == (receipt,)


def test_helpers_that_end_by_themselves_get_no_signal(stage: Stage) -> None:
    stage.host.does = None
    stage.clock.later(0.5, lambda: stage.probe.gone(HELPER.identity, WRAPPER.identity))
    outcome = stage.release()
    assert stage.sent == [(201, "SIGTERM")]
    assert outcome.fate is Fate.RELEASED


def test_work_is_never_ended_by_a_release(stage: Stage) -> None:
    stage.probe.table = table(SHELL, WRAPPER, AGENT, HELPER, WORK)
    outcome = stage.release(force=True)
    assert WORK.pid not in {pid for pid, _ in stage.sent}
    assert outcome.fate is Fate.SURVIVED
    assert [survivor.name for survivor in outcome.survived] == ["make"]


@pytest.mark.parametrize("action", [Action.RELEASE, Action.KILL])
def test_a_launcher_that_is_a_program_of_its_own_is_never_ended(stage: Stage, action: Action) -> None:
    stage.probe.table = table(SHELL, LAUNCHER, replace(WRAPPER, ppid=LAUNCHER.pid), AGENT, HELPER)
    outcome = stage.carry_out(stage.target(action, confirmed=True, force=True)).outcomes[0]
    assert LAUNCHER.pid not in {pid for pid, _ in stage.sent}
    assert (outcome.fate, outcome.survived) == (Fate.RELEASED if action is Action.RELEASE else Fate.ENDED, ())


def test_a_host_call_that_ends_the_session_needs_no_signal(stage: Stage) -> None:
    async def end_all() -> CallResult:
        stage.probe.gone(WRAPPER.identity, AGENT.identity, HELPER.identity)
        return CallResult(ok=True, message="stopped")

    stage.ladder, stage.host.does = (CALL, TERM), end_all
    outcome = stage.release()
    assert stage.sent == []
    assert outcome.fate is Fate.RELEASED
    assert outcome.steps == ("The host ends it: done, stopped",)


def test_ok_from_a_host_whose_process_lives_on_means_survived(stage: Stage) -> None:
    stage.ladder = (CALL,)
    outcome = stage.release()
    assert outcome.fate is Fate.SURVIVED
    assert len(outcome.survived) == 3
    assert outcome.came_back_bytes == 0
    assert stage.clock.now_s == pytest.approx(CALL.wait_s, abs=0.1)


def test_a_call_that_only_prepares_is_given_its_time(stage: Stage) -> None:
    stage.ladder = (PREPARE, TERM)
    assert stage.release().fate is Fate.RELEASED
    assert stage.host.calls == ["save"]
    assert [p.label for p in stage.progress][:1] == ["The host saves it"]
    assert max(p.waited_s for p in stage.progress if p.label == PREPARE.label) == pytest.approx(2.0, abs=0.1)


def test_a_call_that_only_prepares_is_over_when_the_helpers_are_gone(stage: Stage) -> None:
    async def dispose() -> CallResult:
        left = {pid: p for pid, p in stage.probe.table.processes.items() if p != HELPER}
        stage.probe.table = replace(stage.probe.table, processes=left)
        return CallResult(ok=True, message="disposed")

    stage.ladder, stage.host.does = (PREPARE, TERM), dispose
    assert stage.release().fate is Fate.RELEASED
    assert [p.waited_s for p in stage.progress if p.label == PREPARE.label] == [0.0, 0.0]


def test_a_host_that_hangs_gets_its_time_and_then_the_next_rung_comes(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def hang() -> CallResult:
        await asyncio.Event().wait()
        raise AssertionError("never")

    monkeypatch.setattr(executor_module, "CALL_TIMEOUT_S", 0.01)
    stage.ladder, stage.host.does = (CALL, TERM), hang
    outcome = stage.release()
    assert outcome.fate is Fate.RELEASED
    assert outcome.steps[0] == "The host ends it: failed, no answer within 0 s"
    assert outcome.steps[1].startswith("SIGTERM to agent")


def test_a_host_that_says_no_is_followed_by_the_next_rung(stage: Stage) -> None:
    async def refuse() -> CallResult:
        return CallResult(ok=False, message="no such session")

    stage.ladder, stage.host.does = (CALL, TERM), refuse
    outcome = stage.release()
    assert outcome.steps[0] == "The host ends it: failed, no such session"
    assert outcome.fate is Fate.RELEASED


@pytest.mark.logs
def test_an_adapter_that_fails_is_told_and_the_action_still_ends_in_a_receipt(stage: Stage) -> None:
    async def fail() -> CallResult:
        raise KeyError("session")

    stage.ladder, stage.host.does = (CALL, TERM), fail
    outcome = stage.release()
    assert "its adapter failed: KeyError" in outcome.steps[0]
    assert outcome.fate is Fate.RELEASED


def test_a_session_that_begins_to_work_between_two_rungs_is_left_alone(stage: Stage) -> None:
    async def refuse() -> CallResult:
        return CallResult(ok=False, message="busy")

    stage.ladder, stage.host.does = (CALL, TERM), refuse
    stage.states = [State.IDLE, State.BUSY]
    outcome = stage.release()
    assert stage.sent == []
    assert (outcome.fate, outcome.reason) == (Fate.REFUSED, Reason.OPEN_TURN)
    assert outcome.sentence.startswith("Not released: a turn is running")


def test_without_force_no_rung_is_sigkill(stage: Stage) -> None:
    stage.ladder, stage.ignores = (TERM, KILL), {201}
    outcome = stage.release()
    assert {name for _, name in stage.sent} == {"SIGTERM"}
    assert outcome.fate is Fate.SURVIVED
    assert 201 in {survivor.identity.pid for survivor in outcome.survived}


def test_with_force_everyone_is_asked_before_it_is_ended(stage: Stage) -> None:
    stage.ladder, stage.ignores = (TERM, KILL), {201, 202}
    outcome = stage.release(force=True)
    assert outcome.fate is Fate.RELEASED
    for pid in (201, 202):
        assert [name for who, name in stage.sent if who == pid] == ["SIGTERM", "SIGKILL"]


def test_a_release_without_a_ladder_of_its_own_asks_the_backend_to_end(stage: Stage) -> None:
    stage.ladder = ()
    assert stage.release().fate is Fate.RELEASED
    assert stage.sent[0] == (201, "SIGTERM")


def test_a_host_that_is_not_known_any_more_is_told_and_the_next_rung_comes(stage: Stage) -> None:
    stage.ladder = (replace(CALL, call=None), TERM)
    outcome = stage.release()
    assert outcome.steps[0] == "The host ends it: not possible, the host is not known any more"
    assert outcome.fate is Fate.RELEASED


def test_a_backend_without_helpers_is_released_without_a_wait_for_any(stage: Stage) -> None:
    stage.probe.table = table(SHELL, replace(AGENT, ppid=100))
    assert stage.release().fate is Fate.RELEASED
    assert stage.clock.now_s < 1.0


def test_a_signal_that_the_system_forbids_is_told(stage: Stage) -> None:
    stage.system.answer = SendResult.DENIED
    stage.ignores = {200, 201, 202}
    outcome = stage.kill()
    assert "SIGTERM to agent (201) not permitted by the system" in outcome.steps
    assert outcome.fate is Fate.SURVIVED
    assert stage.clock.now_s == 0.0  # nothing was sent, so nothing is waited for


# -- kill -------------------------------------------------------------------------------------------------------------


def test_a_kill_goes_from_the_leaves_to_the_root(stage: Stage) -> None:
    outcome = stage.kill()
    assert stage.sent == [(202, "SIGTERM"), (201, "SIGTERM"), (200, "SIGTERM")]
    assert outcome.fate is Fate.ENDED


def test_a_forced_kill_sends_sigkill_only_to_what_did_not_end_when_asked(stage: Stage) -> None:
    stage.ignores = {202}
    outcome = stage.kill(force=True)
    assert [entry for entry in stage.sent if entry[1] == "SIGKILL"] == [(202, "SIGKILL")]
    assert outcome.fate is Fate.ENDED


def test_a_survivor_is_named_with_what_it_does(stage: Stage) -> None:
    stage.ignores = {202}
    stopped = replace(HELPER, status=ProcessStatus.STOPPED)
    stage.probe.table = table(SHELL, WRAPPER, AGENT, stopped)
    outcome = stage.kill()
    assert outcome.sentence == "1 still runs, 2 processes gone"
    assert [(s.name, s.note) for s in outcome.survived] == [("node", "stopped, does not react until it is continued")]


@pytest.fixture
def older() -> Iterator[Process]:
    """Yield a second backend of the session, started before the first."""
    ROLES[150] = Role.BACKEND
    yield process(150, 100, argv=("/opt/agent",))
    del ROLES[150]


def test_a_surplus_backend_goes_alone_and_the_newest_stays(stage: Stage, older: Process) -> None:
    stage.probe.table = table(SHELL, WRAPPER, AGENT, HELPER, older)
    outcome = stage.carry_out(stage.target(Action.END_DUPLICATE)).outcomes[0]
    assert stage.sent == [(150, "SIGTERM")]
    assert outcome.gone == (older.identity,)
    assert outcome.fate is Fate.ENDED


def test_the_backend_that_a_live_registry_names_stays_even_if_it_is_not_the_newest(
    stage: Stage, older: Process
) -> None:
    stage.probe.table = table(SHELL, WRAPPER, AGENT, HELPER, older)
    stage.registered = {150}
    outcome = stage.carry_out(stage.target(Action.END_DUPLICATE)).outcomes[0]
    assert stage.sent == [(201, "SIGTERM")]
    assert outcome.gone == (AGENT.identity,)


def test_a_process_that_the_guard_withholds_is_told_and_survives(stage: Stage) -> None:
    theirs = replace(HELPER, uid=1001)
    stage.probe.table = table(SHELL, WRAPPER, AGENT, theirs)
    outcome = stage.kill(force=True)
    assert 202 not in {pid for pid, _ in stage.sent}
    assert outcome.fate is Fate.SURVIVED
    assert "SIGTERM to node (202) withheld: Not an agent's process" in outcome.steps


# -- may it still be done? --------------------------------------------------------------------------------------------


def test_the_members_are_read_anew_before_the_look(stage: Stage) -> None:
    stage.release()
    assert stage.probe.doubted[:3] == [p.identity for p in (WRAPPER, AGENT, HELPER)]


def test_only_what_was_shown_and_what_runs_below_it_is_touched(stage: Stage) -> None:
    """A target made of survivors only (the second question) must not take the rest of the group along."""
    outcome = stage.kill(members=(HELPER.identity,), programs=())
    assert stage.sent == [(202, "SIGTERM")]
    assert outcome.gone == (HELPER.identity,)


def test_a_child_that_appeared_since_the_list_goes_with_its_parent(stage: Stage) -> None:
    target = stage.target(Action.KILL, confirmed=True)
    stage.probe.table = table(SHELL, WRAPPER, AGENT, HELPER, WORK)
    outcome = stage.carry_out(target).outcomes[0]
    assert WORK.identity in outcome.gone


def test_what_was_shown_and_is_gone_is_counted_as_skipped(stage: Stage) -> None:
    target = stage.target(Action.KILL, confirmed=True)
    stage.probe.gone(HELPER.identity)
    outcome = stage.carry_out(target).outcomes[0]
    assert outcome.sentence == "2 processes gone, 1 of those shown had ended before or belongs elsewhere now"


def test_all_gone_is_told_as_already_gone(stage: Stage) -> None:
    target = stage.target()
    stage.probe.gone(WRAPPER.identity, AGENT.identity, HELPER.identity)
    outcome = stage.carry_out(target).outcomes[0]
    assert (outcome.fate, outcome.reason) == (Fate.ALREADY_GONE, Reason.ALREADY_ENDED)


def test_processes_that_belong_elsewhere_now_are_refused(stage: Stage) -> None:
    shell = stage.target(members=(SHELL.identity,), programs=())
    outcome = stage.carry_out(shell).outcomes[0]
    assert (outcome.fate, outcome.reason) == (Fate.REFUSED, Reason.IDENTITY_CHANGED)


def test_a_member_that_runs_another_program_since_the_list_is_refused(stage: Stage) -> None:
    target = stage.target(Action.KILL, confirmed=True)
    accounting = replace(AGENT, argv=("/opt/accounting", "--post"), exe="/opt/accounting")
    stage.probe.table = table(SHELL, WRAPPER, accounting, HELPER)
    outcome = stage.carry_out(target).outcomes[0]
    assert (outcome.fate, outcome.reason) == (Fate.REFUSED, Reason.IDENTITY_CHANGED)
    assert stage.sent == []


def test_a_session_that_runs_in_a_new_backend_is_refused(stage: Stage) -> None:
    target = stage.target(members=(WRAPPER.identity, HELPER.identity), programs=())
    outcome = stage.carry_out(target).outcomes[0]
    assert (outcome.fate, outcome.reason) == (Fate.REFUSED, Reason.IDENTITY_CHANGED)


@pytest.mark.parametrize(
    ("allowed", "confirmed", "fate"),
    [
        (Allowed.REFUSE, True, Fate.REFUSED),
        (Allowed.CONFIRM, False, Fate.REFUSED),
        (Allowed.CONFIRM, True, Fate.RELEASED),
        (Allowed.ALLOW, False, Fate.RELEASED),
    ],
)
def test_the_plan_of_the_fresh_look_decides(stage: Stage, allowed: Allowed, confirmed: bool, fate: Fate) -> None:
    stage.decisions[Action.RELEASE] = Decision(action=Action.RELEASE, allowed=allowed, reason=Reason.ATTACHED_TERMINAL)
    outcome = stage.release(confirmed=confirmed)
    assert outcome.fate is fate
    assert (outcome.reason is Reason.ATTACHED_TERMINAL) == (fate is Fate.REFUSED)
    assert (stage.sent == []) == (fate is Fate.REFUSED)


def test_an_answer_to_another_question_does_not_count(stage: Stage) -> None:
    stage.decisions[Action.KILL] = Decision(action=Action.KILL, allowed=Allowed.CONFIRM, reason=Reason.OPEN_TURN)
    outcome = stage.kill(asked=Reason.IDLE_CONFIRMED)
    assert (outcome.fate, outcome.reason, stage.sent) == (Fate.REFUSED, Reason.OPEN_TURN, [])
    assert outcome.sentence == "Not ended: a turn is running, which you were not asked about"
    assert stage.kill(asked=Reason.OPEN_TURN).fate is Fate.ENDED


def test_what_cannot_be_asked_of_a_group_is_refused(stage: Stage) -> None:
    del stage.decisions[Action.END_ORPHAN]
    outcome = stage.carry_out(stage.target(Action.END_ORPHAN)).outcomes[0]
    assert (outcome.fate, outcome.reason) == (Fate.REFUSED, Reason.NOT_OURS)


def test_a_session_without_own_processes_is_refused_by_the_plan_and_not_called_gone(stage: Stage) -> None:
    stage.decisions[Action.RELEASE] = Decision(
        action=Action.RELEASE, allowed=Allowed.REFUSE, reason=Reason.SHARED_BACKEND
    )
    outcome = stage.release(members=(), programs=())
    assert (outcome.fate, outcome.reason) == (Fate.REFUSED, Reason.SHARED_BACKEND)


# -- several, progress, journal ---------------------------------------------------------------------------------------


def test_stop_after_current_begins_no_further_target(stage: Stage) -> None:
    executor = stage.executor()

    def stop_at_once(_progress: Progress) -> None:
        executor.stop_after_current = True

    targets = [stage.target(), stage.target(), stage.target()]
    receipt = asyncio.run(executor.carry_out(targets, "test", stop_at_once))
    assert [o.fate for o in receipt.outcomes] == [Fate.RELEASED, Fate.REFUSED, Fate.REFUSED]
    assert receipt.outcomes[1].sentence == "Not begun: stopped by you"
    assert stage.looks == 2  # before the first one's rungs, and before its helpers


def test_two_actions_at_once_do_it_once(stage: Stage) -> None:
    async def both() -> list[Receipt]:
        executor = stage.executor()
        target = stage.target()
        return await asyncio.gather(*(executor.carry_out([target], who, stage.progress.append) for who in ("a", "b")))

    fates = [receipt.outcomes[0].fate for receipt in asyncio.run(both())]
    assert fates == [Fate.RELEASED, Fate.ALREADY_GONE]
    assert [pid for pid, _ in stage.sent].count(201) == 1


def test_progress_tells_which_target_which_rung_and_what_came_back_so_far(stage: Stage) -> None:
    first = stage.target()
    stage.ladder = (TERM,)
    stage.carry_out(first, first)
    assert {(p.done, p.total) for p in stage.progress} == {(0, 2)}  # the second was gone and needed no rung
    labels = list(dict.fromkeys(p.label for p in stage.progress))
    assert labels == ["It is asked to end", "Waiting for its helpers", "Its helpers are asked to end"]
    assert all(0 <= p.waited_s < p.wait_s for p in stage.progress)


def test_the_intent_is_written_before_the_first_signal(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[bool] = []
    write_intent = stage.journal.write_intent

    def note(intent: Intent) -> None:
        written.append(stage.sent == [])
        write_intent(intent)

    monkeypatch.setattr(stage.journal, "write_intent", note)
    stage.release()
    assert written == [True]


def test_without_a_journal_nothing_is_done(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_intent: Intent) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(stage.journal, "write_intent", full)
    outcome = stage.release()
    assert outcome.fate is Fate.REFUSED
    assert outcome.sentence == "Not begun: the journal cannot be written (No space left on device)"
    assert stage.sent == []
    assert stage.looks == 0


@pytest.mark.logs
def test_a_receipt_that_cannot_be_written_is_still_returned(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_receipt: Receipt) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(stage.journal, "write_receipt", full)
    assert stage.release().fate is Fate.RELEASED
    assert len(stage.journal.open_intents()) == 1


# -- a host that releases inside of its own process -------------------------------------------------------------------

GB = 1024**3
RELEASE = LadderStep(kind=StepKind.HOST_CALL, label="The host is asked to release it", wait_s=5.0, call="release")


@dataclass
class HeapStage(Stage):
    """Hold a session in the heap of a host, which is collected some time after a release."""

    ladder: tuple[LadderStep, ...] = (RELEASE,)
    live: bool = True
    used_bytes: int = 6 * GB
    heap_of: Identity = AGENT.identity

    async def look(self) -> Look:
        self.looks += 1
        group = Group(
            key=str(KEY),
            kind=GroupKind.SESSION,
            host="fake",
            session=KEY,
            members=(),
            flags=("shared-backend",),
            verdict=Verdict(state=State.IDLE),
            decisions=tuple(self.decisions.values()),
            ladder=self.ladder,
            heap_of=self.heap_of,
            retained_bytes=GB,
        )
        heap = HeapUse(host="fake", identity=self.heap_of, used_bytes=self.used_bytes, limit_bytes=8 * GB)
        told = Heap(used_bytes=self.used_bytes, limit_bytes=8 * GB)
        instance = HostInstance(host="fake", identity=self.heap_of, heap=told)
        seen = (await super().look()).snapshot
        snapshot = replace(seen, groups=(group,) if self.live else (), heaps=(heap,), instances=(instance,))
        return Look(snapshot=snapshot, table=self.probe.table, facts={KEY: SessionFact(key=KEY, ladder=self.ladder)})

    def in_heap(self, **more: Any) -> Target:
        values: dict[str, Any] = {"members": (), "programs": (), "heap_of": AGENT.identity, "expected_heap_bytes": GB}
        return self.target(Action.RELEASE, **(values | more))

    async def give_up(self) -> CallResult:
        self.live = False
        self.clock.later(20.0, lambda: setattr(self, "used_bytes", self.used_bytes - GB))
        return CallResult(ok=True, message="released")


@pytest.fixture
def heap(tmp_path: Path) -> HeapStage:
    stage = HeapStage(tmp_path)
    stage.host.does = stage.give_up
    return stage


def test_a_session_is_released_inside_its_host_and_nobody_is_signalled(heap: HeapStage) -> None:
    receipt = heap.carry_out(heap.in_heap())
    (outcome,) = receipt.outcomes
    assert (outcome.fate, outcome.sentence) == (Fate.RELEASED, "Released inside its host, which goes on")
    assert heap.sent == []
    assert outcome.came_back_bytes == 0
    (change,) = receipt.heaps
    assert (change.before_bytes, change.after_bytes, change.came_back_bytes) == (6 * GB, 5 * GB, GB)
    assert change.collected
    assert 20.0 <= change.awaited_s < 24.0
    assert heap.progress[-1].label == "Waiting for the heap's next full collection"
    assert heap.journal.receipts(1) == (receipt,)


def test_a_collection_that_does_not_come_within_a_minute_is_told(heap: HeapStage) -> None:
    async def released() -> CallResult:
        heap.live = False
        return CallResult(ok=True, message="released")

    heap.host.does = released
    (change,) = heap.carry_out(heap.in_heap()).heaps
    assert not change.collected
    assert change.after_bytes == change.before_bytes
    assert 60.0 <= change.awaited_s < 63.0


def test_waiting_for_the_collection_can_be_stopped(heap: HeapStage) -> None:
    executor = heap.executor()

    def stop(progress: Progress) -> None:
        executor.stop_after_current = progress.label.startswith("Waiting for the heap")

    receipt = asyncio.run(executor.carry_out([heap.in_heap()], "test", stop))
    (change,) = receipt.heaps
    assert change.awaited_s < 5.0
    assert receipt.outcomes[0].fate is Fate.RELEASED


def test_the_hosts_no_is_a_refusal_in_its_own_words(heap: HeapStage) -> None:
    async def refuse() -> CallResult:
        return CallResult(ok=False, message="a turn is running")

    heap.host.does = refuse
    receipt = heap.carry_out(heap.in_heap())
    (outcome,) = receipt.outcomes
    assert (outcome.fate, outcome.sentence) == (Fate.REFUSED, "Not released: a turn is running")
    assert receipt.heaps == ()
    assert heap.sent == []


def test_released_is_what_is_not_live_any_more_whatever_the_host_says(heap: HeapStage) -> None:
    async def lie() -> CallResult:
        return CallResult(ok=True, message="released")

    heap.host.does = lie
    (outcome,) = heap.carry_out(heap.in_heap()).outcomes
    assert outcome.fate is Fate.SURVIVED
    assert outcome.sentence == "Its host says that it is released, but still holds it"


def test_a_session_that_left_the_heap_meanwhile_is_already_gone(heap: HeapStage) -> None:
    heap.live = False
    (outcome,) = heap.carry_out(heap.in_heap()).outcomes
    assert outcome.fate is Fate.ALREADY_GONE
    assert heap.host.calls == []


def test_a_host_that_was_started_anew_is_not_asked_for_what_was_seen_in_the_old_one(heap: HeapStage) -> None:
    heap.heap_of = HELPER.identity
    (outcome,) = heap.carry_out(heap.in_heap()).outcomes
    assert (outcome.fate, outcome.reason) == (Fate.REFUSED, Reason.IDENTITY_CHANGED)
    assert heap.host.calls == []


def test_a_host_without_a_release_is_not_asked(heap: HeapStage) -> None:
    heap.ladder = (TERM,)
    (outcome,) = heap.carry_out(heap.in_heap()).outcomes
    assert (outcome.fate, outcome.sentence) == (Fate.REFUSED, "Not released: its host offers no release")
    assert heap.sent == []


class CountingHost(FakeHost):
    """Count full collections, as V8 does; `answers` are what it says of its heap, one after the other."""

    def __init__(self, *answers: tuple[int, int] | None) -> None:
        super().__init__()
        self.answers = list(answers)
        self.collects = False

    async def heap(self, host: Identity, around: Surroundings) -> tuple[Heap, int | None] | None:
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if answer is None:
            return None
        used_gb, collections = answer
        return Heap(used_bytes=used_gb * GB, limit_bytes=8 * GB), collections

    async def collect(self, host: Identity, around: Surroundings) -> bool:
        self.calls.append("collect")
        return self.collects


@pytest.fixture
def counted(tmp_path: Path) -> Callable[..., HeapStage]:
    def make(*answers: tuple[int, int] | None) -> HeapStage:
        host = CountingHost(*answers)
        stage = HeapStage(tmp_path, host=host)
        host.does = stage.give_up
        return stage

    return make


def test_garbage_that_goes_before_the_full_collection_is_not_taken_for_it(counted: Callable[..., HeapStage]) -> None:
    stage = counted((5, 7), (4, 7), (4, 7), (2, 8))
    (change,) = stage.carry_out(stage.in_heap()).heaps
    assert (change.collected, change.after_bytes, change.awaited_s) == (True, 2 * GB, 6.0)


def test_an_idle_host_that_does_not_collect_by_itself_is_asked_to_once(counted: Callable[..., HeapStage]) -> None:
    stage = counted((5, 7), (5, 7), (5, 7), (2, 7))  # its answer may not count what it has just done
    assert isinstance(stage.host, CountingHost)
    stage.host.collects = True
    (change,) = stage.carry_out(stage.in_heap()).heaps
    assert (change.collected, change.after_bytes, change.awaited_s) == (True, 2 * GB, 6.0)
    assert stage.host.calls == ["release", "collect"]


def test_a_host_at_work_is_not_asked_again(counted: Callable[..., HeapStage]) -> None:
    stage = counted((5, 7))
    (change,) = stage.carry_out(stage.in_heap()).heaps
    assert not change.collected
    assert stage.host.calls == ["release", "collect"]


def test_a_host_that_ends_while_its_heap_is_awaited_is_left_out(counted: Callable[..., HeapStage]) -> None:
    stage = counted(None)
    receipt = stage.carry_out(stage.in_heap())
    assert receipt.heaps == ()
    assert receipt.outcomes[0].fate is Fate.RELEASED


def test_two_sessions_of_one_heap_are_awaited_once(counted: Callable[..., HeapStage]) -> None:
    stage = counted((5, 7), (3, 8))

    async def released() -> CallResult:
        return await stage.give_up()

    stage.host.does = released
    first = stage.in_heap()
    other = replace(stage.in_heap(), title="Other")
    receipt = stage.carry_out(first, other)
    assert [o.fate for o in receipt.outcomes] == [Fate.RELEASED, Fate.ALREADY_GONE]
    (change,) = receipt.heaps
    assert change.expected_bytes == GB


# -- what a host holds -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ends_by", [EndsBy.NOT, EndsBy.HOST])
@pytest.mark.parametrize("action", [Action.RELEASE, Action.KILL])
def test_a_helper_that_its_host_holds_gets_no_signal(stage: Stage, ends_by: EndsBy, action: Action) -> None:
    stage.held[HELPER.pid] = ends_by
    outcome = stage.carry_out(stage.target(action, confirmed=True)).outcomes[0]
    assert HELPER.pid not in {pid for pid, _ in stage.sent}
    assert (201, "SIGTERM") in stage.sent
    survived = [survivor.identity for survivor in outcome.survived]
    # What stays was never part of it; what its host should have closed and did not is told.
    assert survived == ([HELPER.identity] if ends_by is EndsBy.HOST else [])


def test_a_host_that_closes_the_helpers_it_holds_is_all_that_is_needed(stage: Stage) -> None:
    stage.held[HELPER.pid] = EndsBy.HOST
    call = LadderStep(
        kind=StepKind.HOST_CALL, label="Its helpers are closed", wait_s=5.0, call="close", frees_processes=False
    )
    stage.ladder = (call, TERM)

    async def close() -> CallResult:
        stage.clock.later(0.3, lambda: stage.probe.gone(HELPER.identity))
        return CallResult(ok=True, message="closed")

    stage.host.does = close
    outcome = stage.release()
    assert (outcome.fate, outcome.sentence) == (Fate.RELEASED, "3 processes gone")
    assert stage.host.calls == ["close"]
    assert HELPER.pid not in {pid for pid, _ in stage.sent}


@dataclass
class RemnantStage(HeapStage):
    """Hold a session of which nothing runs, that its host still lists."""

    async def look(self) -> Look:
        seen = await super().look()
        groups = tuple(replace(g, flags=("remnant",), heap_of=None) for g in seen.snapshot.groups)
        return replace(seen, snapshot=replace(seen.snapshot, groups=groups))

    async def forget(self) -> CallResult:
        self.clock.later(0.5, lambda: setattr(self, "live", False))
        return CallResult(ok=True, message="deleted")


@pytest.fixture
def remnant(tmp_path: Path) -> RemnantStage:
    stage = RemnantStage(tmp_path)
    stage.host.does = stage.forget
    return stage


def test_what_its_host_still_lists_is_cleared_by_the_host(remnant: RemnantStage) -> None:
    (outcome,) = remnant.carry_out(remnant.target(members=(), programs=())).outcomes
    assert (outcome.fate, outcome.sentence) == (Fate.RELEASED, "Cleared; nothing of it ran")
    assert remnant.sent == []


def test_a_host_that_says_cleared_and_still_lists_it_is_not_believed(remnant: RemnantStage) -> None:
    remnant.host.does = None
    (outcome,) = remnant.carry_out(remnant.target(members=(), programs=())).outcomes
    assert outcome.fate is Fate.SURVIVED
    assert outcome.sentence == "Its host says that it is cleared, but still lists it"


def test_what_is_cleared_already_is_told_so(remnant: RemnantStage) -> None:
    remnant.live = False
    (outcome,) = remnant.carry_out(remnant.target(members=(), programs=())).outcomes
    assert outcome.fate is Fate.ALREADY_GONE
    assert remnant.host.calls == []


# -- without a person -------------------------------------------------------------------------------------------------


def test_a_policy_does_only_what_the_plan_allows_without_a_person(stage: Stage) -> None:
    young = Decision(action=Action.AUTO_CLEAN, allowed=Allowed.REFUSE, reason=Reason.TOO_YOUNG)
    stage.decisions[Action.AUTO_CLEAN] = young
    outcome = stage.release(unattended=True)
    assert (outcome.fate, outcome.reason, stage.sent) == (Fate.REFUSED, Reason.TOO_YOUNG, [])
    stage.decisions[Action.AUTO_CLEAN] = allow(Action.AUTO_CLEAN)
    assert stage.release(unattended=True).fate is Fate.RELEASED


def test_a_confirmation_is_worth_nothing_without_a_person(stage: Stage) -> None:
    asks = Decision(action=Action.RELEASE, allowed=Allowed.CONFIRM, reason=Reason.PENDING_WAKEUP)
    stage.decisions[Action.RELEASE] = asks
    outcome = stage.release(unattended=True, confirmed=True)
    assert (outcome.fate, outcome.reason, stage.sent) == (Fate.REFUSED, Reason.PENDING_WAKEUP, [])


# -- what begins meanwhile, and who else acts --------------------------------------------------------------------------


def test_a_child_that_begins_during_a_forced_kill_goes_too(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    child = process(210, 201, argv=("late-child",))
    stage.ignores.add(AGENT.pid)
    monkeypatch.setitem(ROLES, child.pid, Role.WORK)
    stage.clock.later(1.0, lambda: stage.probe.add(child))
    outcome = stage.kill(force=True)
    assert (child.pid, "SIGKILL") in stage.sent
    assert outcome.fate is Fate.ENDED
    assert child.identity in outcome.gone


def test_what_began_meanwhile_and_stays_is_told(stage: Stage) -> None:
    child = process(210, 201, argv=("late-child",))
    stage.clock.later(0.1, lambda: stage.probe.add(child))
    stage.ignores.add(AGENT.pid)
    outcome = stage.kill()
    notes = {survivor.identity: survivor.note for survivor in outcome.survived}
    assert notes[child.identity] == "began meanwhile"
    assert child.pid not in {pid for pid, _ in stage.sent}
    assert outcome.fate is Fate.SURVIVED


def test_an_action_waits_for_that_of_another_program(stage: Stage) -> None:
    async def both() -> tuple[Receipt, list[str]]:
        order: list[str] = []
        async with turn(turn_file(stage.journal.path)):
            acting = asyncio.ensure_future(stage.executor().carry_out([stage.target()], "test", stage.progress.append))
            for _ in range(50):
                await asyncio.sleep(0)
            order.append(f"{len(stage.sent)} signals while another one acts")
        return await acting, order

    receipt, order = asyncio.run(both())
    assert order == ["0 signals while another one acts"]
    assert receipt.outcomes[0].fate is Fate.RELEASED


def test_an_action_does_not_wait_for_ever(stage: Stage) -> None:
    async def one() -> Receipt:
        async with turn(turn_file(stage.journal.path)):
            return await stage.executor().carry_out([stage.target()], "test", stage.progress.append)

    (outcome,) = asyncio.run(one()).outcomes
    assert outcome.sentence == "Not begun: another Agent Ring on this computer has been acting for a minute"
    assert stage.sent == []
    assert stage.clock.now_s >= 60.0


def abandoned(stage: Stage, actor: Identity | None) -> Intent:
    started_at = datetime(2026, 11, 30, 12, tzinfo=UTC)
    return Intent(receipt_id="left", started_at=started_at, origin="window", targets=(stage.target(),), actor=actor)


def test_an_action_whose_program_ended_is_resolved_by_looking(stage: Stage) -> None:
    stage.journal.write_intent(abandoned(stage, Identity(77, 7)))
    stage.probe.gone(HELPER.identity)
    (receipt,) = stage.executor().resolve_abandoned()
    (outcome,) = receipt.outcomes
    assert (outcome.fate, outcome.gone) == (Fate.SURVIVED, (HELPER.identity,))
    assert {s.identity for s in outcome.survived} == {AGENT.identity, WRAPPER.identity}
    assert outcome.sentence == "2 still run, 1 gone"
    assert stage.journal.open_intents() == ()
    assert stage.journal.receipts(1) == (receipt,)
    assert stage.sent == []


def test_an_action_that_another_program_carries_out_now_is_left_alone(stage: Stage) -> None:
    stage.journal.write_intent(abandoned(stage, SHELL.identity))
    assert stage.executor().resolve_abandoned() == ()
    assert [intent.receipt_id for intent in stage.journal.open_intents()] == ["left"]


def test_the_next_action_resolves_what_was_left_open_first(stage: Stage) -> None:
    stage.journal.write_intent(abandoned(stage, None))
    stage.release()
    assert [receipt.receipt_id == "left" for receipt in stage.journal.receipts(2)] == [False, True]
