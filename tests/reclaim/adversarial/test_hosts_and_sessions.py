"""Hosts that lie, hang and say no; sessions that come back, are kept, shared or doubled; clocks that jump."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from datetime import timedelta

import pytest

from tests.reclaim.adversarial.conftest import Play
from tests.reclaim.adversarial.host import CALL_STEP, KILL_STEP, TERM_STEP, StageHost
from tests.reclaim.adversarial.product import once
from tests.reclaim.adversarial.stage import AGENT, ENV_S1, MCP, S1, Part, Stage
from trayapp.hosts.base import CallResult
from trayapp.model.plan import Action, Allowed, Reason
from trayapp.model.process import Process, ProcessTable
from trayapp.model.receipt import Fate
from trayapp.model.session import ClaimKind, EndsBy, Role, SessionFact
from trayapp.model.snapshot import GroupKind
from trayapp.reclaim import executor

pytestmark = pytest.mark.linux

LONELY = Part(program=AGENT, session="s1")
DEAD = {"FAKE_AGENT_SESSION": "dead"}


def calling(answer: CallResult | None, *, then_signals: bool = True) -> StageHost:
    """Return a host that is called first and answers so; None = it never does."""
    host = StageHost(ladder=(CALL_STEP, TERM_STEP, KILL_STEP) if then_signals else (CALL_STEP,))

    async def call(_session: SessionFact) -> CallResult:
        if answer is None:
            await asyncio.Event().wait()
        assert answer is not None
        return answer

    host.answers(call)
    return host


# -- what hosts answer -------------------------------------------------------------------------------------------------


def test_a_host_that_says_ok_and_lies_has_nobody_signalled_in_its_place(play: Play) -> None:
    with play(calling(CallResult(ok=True, message="ended"), then_signals=False), agent=LONELY) as stage:
        stage.bystanders.add("agent")
        outcome = stage.release(confirmed=False, force=True)
        assert (outcome.fate, outcome.came_back_bytes) == (Fate.SURVIVED, 0)


def test_a_host_that_says_ok_and_lies_is_followed_by_the_next_rung_on_the_listed_alone(play: Play) -> None:
    with play(calling(CallResult(ok=True, message="ended")), agent=LONELY) as stage:
        stage.intends(agent="TERM")
        assert stage.release(confirmed=False).fate is Fate.RELEASED


def test_a_host_that_hangs_is_followed_by_the_next_rung_on_the_listed_alone(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executor, "CALL_TIMEOUT_S", 0.1)
    with play(calling(None), agent=LONELY) as stage:
        stage.intends(agent="TERM")
        assert stage.release(confirmed=False).fate is Fate.RELEASED


def test_a_host_that_says_no_is_followed_by_the_next_rung_on_the_listed_alone(play: Play) -> None:
    with play(calling(CallResult(ok=False, message="no such session")), agent=LONELY) as stage:
        stage.intends(agent="TERM")
        assert stage.release(confirmed=False).fate is Fate.RELEASED


def test_a_host_that_says_no_and_has_no_other_way_leaves_everything(play: Play) -> None:
    with play(calling(CallResult(ok=False, message="not now"), then_signals=False), agent=LONELY) as stage:
        stage.bystanders.add("agent")
        assert stage.release(confirmed=True, force=True).fate is Fate.SURVIVED


def test_a_session_that_works_while_its_host_hangs_is_left_alone(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executor, "CALL_TIMEOUT_S", 0.1)
    host = StageHost(ladder=(CALL_STEP, TERM_STEP, KILL_STEP))
    with play(host, agent=LONELY) as stage:

        async def begin_a_turn(_session: SessionFact) -> CallResult:
            stage.record("agent", status="busy", quiet_s=0.0)
            await asyncio.Event().wait()
            raise AssertionError("never")

        host.answers(begin_a_turn)
        stage.bystanders.add("agent")
        assert stage.release(force=True).reason is Reason.OPEN_TURN


@pytest.mark.logs
def test_a_host_that_fails_when_it_is_asked_at_the_click_has_nothing_released(play: Play) -> None:
    with play(agent=LONELY) as stage:
        target = stage.target(Action.RELEASE, force=True)

        def fail(_number: int) -> None:
            raise RuntimeError("the file is torn")

        stage.product.host.during_observe = fail
        stage.bystanders.add("agent")
        assert stage.act(target).fate is Fate.REFUSED


def test_a_session_whose_record_vanished_is_not_released(play: Play) -> None:
    with play(agent=LONELY) as stage:
        target = stage.target(Action.RELEASE, force=True)
        next((stage.root / "home").rglob("agent.json")).unlink()
        stage.bystanders.add("agent")
        assert stage.act(target).fate is Fate.REFUSED


@pytest.mark.parametrize("whom", ["terminal", "multiplexer", "editor"])
def test_a_record_that_names_a_persons_own_program_as_the_agent_has_nothing_signalled(play: Play, whom: str) -> None:
    with play() as stage:
        stage.product.host.vouch(stage.identity(whom), session="s9", role=Role.BACKEND)
        if stage.is_shown(whom):
            key = stage.key_of(whom)
            for target in [stage.target(action, key, force=True) for action in (Action.KILL, Action.RELEASE)]:
                stage.act(target)


def test_a_record_of_a_pid_that_another_has_by_now_claims_nobody(play: Play) -> None:
    with play(agent=LONELY) as stage:
        innocent = stage.identity("neighbour")
        stage.product.host.vouch(innocent._replace(start=innocent.start - 1), session="s1", role=Role.BACKEND)
        stage.intends(agent="TERM")
        stage.kill(force=True)


# -- sessions that come back -------------------------------------------------------------------------------------------


def test_a_session_resumed_after_the_list_is_not_released_by_it(play: Play) -> None:
    with play(agent=LONELY, again=replace(LONELY, later=True)) as stage:
        target = stage.target(Action.RELEASE, force=True)
        stage.begin("again", below="shell")
        stage.bystanders |= {"agent", "again"}
        assert stage.act(target).reason is Reason.IDENTITY_CHANGED


@pytest.mark.parametrize("ends_first", [False, True])
def test_a_session_resumed_while_its_host_ends_it_keeps_its_new_backend(play: Play, ends_first: bool) -> None:
    host = StageHost(ladder=(CALL_STEP, TERM_STEP, KILL_STEP))
    with play(host, agent=LONELY, again=replace(LONELY, later=True, stays=True)) as stage:

        async def resume(_session: SessionFact) -> CallResult:
            if ends_first:
                stage.end("agent")
            stage.begin("again", below="shell")
            return CallResult(ok=True, message="ended")

        host.answers(resume)
        stage.bystanders.add("again")
        stage.allows(agent="TERM")
        stage.release(force=True)


def test_a_session_resumed_after_the_click_keeps_its_new_backend(play: Play) -> None:
    with play(agent=replace(LONELY, stays=True), again=replace(LONELY, later=True, stays=True)) as stage:
        target = stage.target(Action.KILL, force=True)
        stage.product.after_the_click = lambda: stage.begin("again", below="shell")
        stage.bystanders.add("again")
        stage.allows(agent="TERM KILL")
        stage.act(target)


def test_the_backend_that_a_registry_names_outlives_the_end_of_the_doubled_one(play: Play) -> None:
    old, new = replace(LONELY, children=("old-helper",)), replace(LONELY, stays=True)
    with play(old=old, old_helper=Part(program=MCP, ends_with_input=True), new=new) as stage:
        stage.bystanders.add("new")
        names = {i: n for i, n in stage.names().items() if n in ("old", "new")}
        surplus = [names[m.process.identity] for m in stage.look().group(S1).surplus]  # type: ignore[union-attr]
        if surplus == ["new"]:  # they began in one tick of the clock, and both are on record
            pytest.skip("which of both began first cannot be told")
        stage.intends(old="TERM")
        assert stage.act(stage.target(Action.END_DUPLICATE, confirmed=True)).fate is Fate.ENDED


@pytest.mark.parametrize("above", ["old", "new"])
def test_a_doubled_session_with_work_below_either_backend_loses_neither(play: Play, above: str) -> None:
    work = Part(program="bin/make", argv=("make", "-j"), stays=True)
    parts = {name: replace(LONELY, stays=True) for name in ("old", "new")}
    parts[above] = replace(parts[above], children=("work",))
    with play(**parts, work=work) as stage:
        stage.bystanders |= {"old", "new", "work"}
        outcome = stage.act(stage.target(Action.END_DUPLICATE, force=True))
        assert (outcome.fate, outcome.reason) == (Fate.REFUSED, Reason.BUSY_BACKGROUND_TASK)


def test_work_that_began_below_a_doubled_backend_after_the_list_saves_it(play: Play) -> None:
    parts = {name: replace(LONELY, stays=True) for name in ("old", "new")}
    work = Part(program="bin/make", argv=("make", "-j"), stays=True, later=True)
    with play(**parts, work=work) as stage:
        target = stage.target(Action.END_DUPLICATE, force=True)
        stage.begin("work", below="old")
        stage.bystanders |= {"old", "new", "work"}
        assert stage.act(target).reason is Reason.BUSY_BACKGROUND_TASK


def test_a_wrapper_that_brings_its_agent_back_after_the_last_rung_goes_on_with_the_new_one(play: Play) -> None:
    wrapper = Part(program="bin/npx", argv=("npx", "agent"), children=("agent",), on_child="again", stays=True)
    with play(
        StageHost(ladder=(TERM_STEP,)), wrapper=wrapper, agent=LONELY, again=replace(LONELY, later=True, stays=True)
    ) as stage:
        target = stage.target(Action.RELEASE, force=True)
        assert stage.identity("wrapper") in target.members

        def resumed(_identity: object, _which: object) -> None:
            stage.wait_for("again")
            stage.record("again")

        stage.product.after_a_signal = resumed
        stage.bystanders |= {"wrapper", "again"}
        stage.intends(agent="TERM")
        stage.act(target)


@pytest.mark.parametrize(
    "what",
    [
        "waits",
        "is kept",
        "is typed to",
    ],
)
def test_a_session_that_changes_while_its_host_says_no_is_judged_anew_before_the_next_rung(
    play: Play, what: str
) -> None:
    """What the click would have refused by then, the next rung does not do either."""
    host = StageHost(ladder=(CALL_STEP, TERM_STEP, KILL_STEP))
    with play(host, agent=LONELY) as stage:
        identity = stage.identity("agent")

        async def change(_session: SessionFact) -> CallResult:
            if what == "waits":
                stage.record("agent", status="waiting", quiet_s=0.0)
            elif what == "is kept":
                stage.product.kept = frozenset({S1})
            else:
                stage.product.show(typed)
                stage.record("agent", quiet_s=1.0)
            return CallResult(ok=False, message="not now")

        def typed(process: Process) -> Process:
            if process.identity != identity:
                return process
            return replace(process, tty="pts/7", tty_input_epoch_s=time.time())

        host.answers(change)
        stage.bystanders.add("agent")
        stage.release(confirmed=False, force=True)


# -- helpers of many kinds ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ends_by", [EndsBy.NOT, EndsBy.HOST])
@pytest.mark.parametrize("action", [Action.KILL, Action.RELEASE])
def test_a_helper_that_its_host_keeps_and_all_below_it_get_nothing(play: Play, ends_by: EndsBy, action: Action) -> None:
    host = Part(program="bin/serve", alone=True, stays=True, children=("kept",))
    kept = Part(program=MCP, stays=True, children=("below",))
    with play(agent=LONELY, host=host, kept=kept, below=Part(program="bin/below", stays=True)) as stage:
        stage.product.host.vouch(stage.identity("host"), session=None, role=Role.INFRA)
        stage.product.host.keep(stage.identity("kept"), session="s1", ends_by=ends_by)
        assert stage.roles()["kept"] is Role.HELPER
        stage.bystanders |= {"host", "kept", "below"}
        stage.intends(agent="TERM")
        stage.act(stage.target(action, force=True))


@pytest.mark.parametrize("ends_by", [EndsBy.NOT, EndsBy.HOST])
def test_what_a_kept_helper_started_gets_nothing_though_it_carries_the_sessions_variable(
    play: Play, ends_by: EndsBy
) -> None:
    host = Part(program="bin/serve", alone=True, stays=True, children=("kept",))
    kept = Part(program=MCP, stays=True, environment=ENV_S1, children=("below",))
    with play(agent=LONELY, host=host, kept=kept, below=Part(program="bin/below", stays=True)) as stage:
        stage.product.host.vouch(stage.identity("host"), session=None, role=Role.INFRA)
        stage.product.host.keep(stage.identity("kept"), session="s1", ends_by=ends_by)
        stage.bystanders |= {"host", "kept", "below"}
        stage.intends(agent="TERM")
        stage.kill(force=True)


@pytest.mark.parametrize("ends_by", [EndsBy.NOT, EndsBy.HOST])
def test_a_helper_that_its_host_keeps_gets_nothing_though_its_session_is_not_on_record(
    play: Play, ends_by: EndsBy
) -> None:
    agent = Part(program=AGENT, children=("kept",))
    with play(agent=agent, kept=Part(program=MCP, stays=True)) as stage:
        stage.product.host.keep(stage.identity("kept"), session="s1", ends_by=ends_by)
        stage.bystanders.add("kept")
        stage.intends(agent="TERM")
        stage.act(stage.target(Action.KILL, stage.key_of("agent"), force=True))


def test_a_leaked_helper_is_ended_and_the_server_that_leaked_it_goes_on(play: Play) -> None:
    server = Part(program="bin/serve", alone=True, stays=True, children=("leaked", "used"))
    with play(server=server, leaked=Part(program=MCP), used=Part(program="mcp-git/server", stays=True)) as stage:
        host = stage.product.host
        host.vouch(stage.identity("server"), session=None, role=Role.INFRA)
        host.vouch(stage.identity("leaked"), session="dead", leaked=True)
        stage.bystanders |= {"server", "used"}
        stage.intends(leaked="TERM")
        key = stage.key_of("leaked")
        assert stage.act(stage.target(Action.END_ORPHAN, key, confirmed=False)).fate is Fate.ENDED


def test_a_helper_that_is_reached_again_after_the_list_is_not_ended_as_leaked(play: Play) -> None:
    server = Part(program="bin/serve", alone=True, stays=True, children=("leaked",))
    with play(server=server, leaked=Part(program=MCP, stays=True)) as stage:
        host = stage.product.host
        host.vouch(stage.identity("server"), session=None, role=Role.INFRA)
        host.vouch(stage.identity("leaked"), session="dead", leaked=True)
        target = stage.target(Action.END_ORPHAN, stage.key_of("leaked"), confirmed=True)
        host.claims.pop()
        host.vouch(stage.identity("leaked"), session="s2", kind=ClaimKind.ENVIRONMENT)
        stage.bystanders |= {"server", "leaked"}
        assert stage.act(target).fate is Fate.REFUSED


def test_a_helper_that_two_sessions_share_over_a_socket_outlives_either(play: Play) -> None:
    shared = Part(program=MCP, alone=True, stays=True)
    with play(agent=LONELY, shared=shared) as stage:
        clients = (stage.pid("agent"), stage.pid("other"))
        identity = stage.identity("shared")

        def connected(process: Process) -> Process:
            return replace(process, client_pids=clients) if process.identity == identity else process

        stage.product.show(connected)
        stage.bystanders.add("shared")
        stage.intends(agent="TERM")
        stage.kill(force=True)
        group = stage.group_of("shared")
        decision = group.decision(Action.END_ORPHAN)
        assert decision is None or decision.allowed is not Allowed.ALLOW


def test_a_helper_that_two_sessions_claim_is_no_sessions(play: Play) -> None:
    server = Part(program="bin/serve", alone=True, stays=True, children=("between",))
    with play(agent=LONELY, server=server, between=Part(program=MCP, stays=True)) as stage:
        host = stage.product.host
        host.vouch(stage.identity("server"), session=None, role=Role.INFRA)
        for session in ("s1", "s2"):
            host.vouch(stage.identity("between"), session=session)
        stage.bystanders |= {"server", "between"}
        stage.intends(agent="TERM")
        stage.kill(force=True)


# -- orphans -----------------------------------------------------------------------------------------------------------

ORPHAN = Part(program=MCP, environment=DEAD, alone=True, new_session=True)


def test_an_orphan_is_ended_and_the_one_that_was_not_shown_is_not(play: Play) -> None:
    newer = replace(ORPHAN, later=True, stays=True)
    with play(orphan=ORPHAN, newer=newer) as stage:
        target = stage.target(Action.END_ORPHAN, stage.key_of("orphan"), confirmed=False)
        stage.start_alone("newer")
        stage.wait_for("newer")
        stage.bystanders.add("newer")
        stage.intends(orphan="TERM")
        assert stage.act(target).fate is Fate.ENDED


@pytest.mark.parametrize("action", [Action.END_ORPHAN, Action.KILL])
def test_an_orphan_whose_owner_came_back_is_not_ended(play: Play, action: Action) -> None:
    owner = Part(program=AGENT, session="dead", later=True, stays=True)
    with play(orphan=replace(ORPHAN, stays=True), owner=owner) as stage:
        target = stage.target(action, stage.key_of("orphan"), force=True)
        stage.begin("owner", below="shell")
        stage.bystanders |= {"owner", "orphan"}
        assert stage.act(target).fate is Fate.REFUSED


def test_an_orphan_whose_owner_comes_back_after_the_click_takes_nobody_along(play: Play) -> None:
    owner = Part(program=AGENT, session="dead", later=True, stays=True)
    with play(orphan=ORPHAN, owner=owner) as stage:
        target = stage.target(Action.END_ORPHAN, stage.key_of("orphan"))
        stage.product.after_the_click = lambda: stage.begin("owner", below="shell")
        stage.bystanders.add("owner")
        stage.intends(orphan="TERM")
        stage.act(target)


def test_an_orphan_that_serves_a_live_session_is_not_ended_without_a_question(play: Play) -> None:
    with play(orphan=replace(ORPHAN, stays=True)) as stage:
        target = stage.target(Action.END_ORPHAN, stage.key_of("orphan"), confirmed=False)
        identity, client = stage.identity("orphan"), stage.pid("other")

        def connected(process: Process) -> Process:
            return replace(process, client_pids=(client,)) if process.identity == identity else process

        stage.product.show(connected)
        stage.bystanders.add("orphan")
        assert stage.act(target).fate is Fate.REFUSED


def test_an_orphaned_job_is_not_ended_without_a_question(play: Play) -> None:
    job = Part(program="bin/make", argv=("make", "-j"), environment=DEAD, alone=True, stays=True)
    with play(job=job) as stage:
        stage.bystanders.add("job")
        key = stage.key_of("job")
        assert stage.group_of("job").kind is GroupKind.ORPHAN_WORK
        outcome = stage.act(stage.target(Action.END_ORPHAN, key, confirmed=False))
        assert (outcome.fate, outcome.reason) == (Fate.REFUSED, Reason.ORPHAN_WORK)


def test_an_orphan_whose_owner_comes_back_after_it_was_asked_is_not_ended_at_once(play: Play) -> None:
    owner = Part(program=AGENT, session="dead", later=True, stays=True)
    with play(orphan=replace(ORPHAN, stays=True), owner=owner) as stage:
        target = stage.target(Action.END_ORPHAN, stage.key_of("orphan"), force=True)
        back = once(lambda: stage.begin("owner", below="shell"))
        stage.product.after_a_signal = lambda _identity, _which: back()
        stage.bystanders |= {"owner", "orphan"}
        stage.intends(orphan="TERM")
        stage.act(target)


def test_a_helper_that_its_host_gives_to_another_session_after_it_was_asked_is_not_ended_at_once(play: Play) -> None:
    server = Part(program="bin/serve", alone=True, stays=True, children=("helper",))
    with play(agent=LONELY, server=server, helper=Part(program=MCP, stays=True)) as stage:
        host = stage.product.host
        host.vouch(stage.identity("server"), session=None, role=Role.INFRA)
        host.vouch(stage.identity("helper"), session="s1")
        target = stage.target(Action.KILL, force=True)
        assert stage.identity("helper") in target.members

        def hand_over() -> None:
            host.claims.pop()
            host.vouch(stage.identity("helper"), session="s2")

        handed = once(hand_over)
        stage.product.after_a_signal = lambda _identity, _which: handed()
        stage.bystanders |= {"server", "helper"}
        stage.allows(helper="TERM")
        stage.intends(agent="TERM")
        stage.act(target)


def test_a_helper_that_its_host_begins_to_keep_after_the_click_gets_no_second_signal(play: Play) -> None:
    agent = replace(LONELY, children=("helper",))
    with play(agent=agent, helper=Part(program=MCP, stays=True)) as stage:
        target = stage.target(Action.KILL, force=True)
        kept = once(lambda: stage.product.host.keep(stage.identity("helper"), session="s1", ends_by=EndsBy.NOT))
        stage.product.after_a_signal = lambda _identity, _which: kept()
        stage.bystanders.add("helper")
        stage.intends(agent="TERM", helper="TERM")
        stage.act(target)


# -- variables that lie ------------------------------------------------------------------------------------------------


def test_a_job_of_the_users_shell_with_a_forged_variable_keeps_that_session_from_being_released(play: Play) -> None:
    forged = Part(program="bin/make", argv=("make", "-j"), environment=ENV_S1, stays=True)
    with play(agent=LONELY, forged=forged) as stage:
        stage.bystanders |= {"agent", "forged"}
        assert stage.release(force=True).reason is Reason.BUSY_BACKGROUND_TASK


@pytest.mark.parametrize("program", ["bin/kitty", "bin/tmux", "bin/sshd-session", "bin/vim"])
def test_a_persons_program_with_a_forged_variable_gets_nothing(play: Play, program: str) -> None:
    forged = Part(program=program, environment=ENV_S1, alone=True, stays=True)
    with play(agent=LONELY, forged=forged) as stage:
        stage.bystanders.add("forged")
        stage.intends(agent="TERM")
        stage.kill(force=True)


def test_a_forged_variable_makes_no_agent_of_another_session_part_of_this_one(play: Play) -> None:
    forged = Part(program=AGENT, session="s3", environment=ENV_S1, stays=True)
    with play(agent=LONELY, forged=forged) as stage:
        stage.bystanders.add("forged")
        stage.intends(agent="TERM")
        assert stage.kill(force=True).fate is Fate.ENDED


def test_a_session_with_a_hostile_name_is_no_other_session(play: Play) -> None:
    """Keys are compared as they are: neither a prefix nor a separator in a name reaches further."""
    names = ("s1 ", "s1:s2", "../s1", "S1")
    parts = {f"odd-{n}": Part(program=AGENT, session=name, stays=True) for n, name in enumerate(names)}
    with play(agent=LONELY, **parts) as stage:
        stage.bystanders |= set(parts)
        stage.intends(agent="TERM")
        assert stage.kill(force=True).fate is Fate.ENDED


# -- keep, policies, questions -----------------------------------------------------------------------------------------


def test_a_session_that_the_user_keeps_since_the_list_is_not_released_unasked(play: Play) -> None:
    with play(agent=LONELY) as stage:
        target = stage.target(Action.RELEASE, confirmed=False, force=True)
        stage.product.kept = frozenset({S1})
        stage.bystanders.add("agent")
        assert stage.act(target).reason is Reason.KEPT


def test_a_yes_to_another_question_is_no_yes_to_ending_what_is_kept(play: Play) -> None:
    with play(agent=LONELY) as stage:
        target = stage.target(Action.RELEASE, asked=Reason.IDLE_CONFIRMED)
        stage.product.kept = frozenset({S1})
        stage.bystanders.add("agent")
        assert stage.act(target).reason is Reason.KEPT


def test_kept_orphans_are_not_ended_unasked(play: Play) -> None:
    with play(orphan=replace(ORPHAN, stays=True)) as stage:
        target = stage.target(Action.END_ORPHAN, stage.key_of("orphan"), confirmed=False)
        stage.product.kept = frozenset({target.group_key})
        stage.bystanders.add("orphan")
        assert stage.act(target).reason is Reason.KEPT


@pytest.mark.parametrize("action", [Action.RELEASE, Action.KILL, Action.SIGTERM, Action.SIGKILL, Action.AUTO_CLEAN])
def test_a_policy_that_calls_itself_confirmed_gets_nothing_that_needs_a_person(play: Play, action: Action) -> None:
    """Everything on this stage is younger than two minutes, and nothing young is a policy's to end."""
    with play(agent=LONELY) as stage:
        stage.bystanders.add("agent")
        assert stage.act(stage.target(action, confirmed=True, force=True, unattended=True)).fate is Fate.REFUSED


def test_a_policy_ends_no_young_orphan(play: Play) -> None:
    with play(orphan=replace(ORPHAN, stays=True)) as stage:
        target = stage.target(Action.END_ORPHAN, stage.key_of("orphan"))
        stage.bystanders.add("orphan")
        assert stage.act(replace(target, unattended=True)).reason is Reason.TOO_YOUNG


def aged(stage: Stage) -> None:
    """Have everything look half an hour old, so that age alone saves nobody."""
    stage.product.show(lambda process: replace(process, start_s=process.start_s - 1800.0))


def test_a_policy_may_release_what_is_idle_for_long_and_old_and_asks_it_once(play: Play) -> None:
    with play(agent=LONELY) as stage:
        aged(stage)
        stage.intends(agent="TERM")
        assert stage.act(stage.target(Action.RELEASE, unattended=True, confirmed=False)).fate is Fate.RELEASED


@pytest.mark.parametrize("why", ["it is kept", "it works", "it waits", "it was in use", "it has work"])
def test_a_policy_releases_nothing_that_changed_since_its_list(play: Play, why: str) -> None:
    work = Part(program="bin/make", argv=("make", "-j"), stays=True, later=True)
    with play(agent=LONELY, work=work) as stage:
        aged(stage)
        target = stage.target(Action.RELEASE, unattended=True, confirmed=True, force=True)
        if why == "it is kept":
            stage.product.kept = frozenset({S1})
        elif why == "it has work":
            stage.begin("work", below="agent")
            stage.bystanders.add("work")
        else:
            status = {"it works": "busy", "it waits": "waiting"}.get(why, "idle")
            stage.record("agent", status=status, quiet_s=0.0)
        stage.bystanders.add("agent")
        assert stage.act(target).fate is Fate.REFUSED


@pytest.mark.parametrize("action", [Action.KILL, Action.SIGTERM, Action.SIGKILL, Action.END_DUPLICATE])
def test_a_policy_cannot_end_by_force_even_what_is_old(play: Play, action: Action) -> None:
    with play(agent=LONELY) as stage:
        aged(stage)
        stage.bystanders.add("agent")
        target = stage.target(action, unattended=True, confirmed=True, force=True)
        assert stage.act(target).fate is Fate.REFUSED


@pytest.mark.parametrize("status", ["busy", "waiting", "nonsense"])
def test_what_works_waits_or_says_nothing_is_not_released_by_a_yes_to_idle(play: Play, status: str) -> None:
    with play(agent=replace(LONELY, stays=True)) as stage:
        target = stage.target(Action.RELEASE, force=True, confirmed=True, asked=Reason.IDLE_CONFIRMED)
        stage.record("agent", status=status, quiet_s=0.0)
        stage.bystanders.add("agent")
        assert stage.act(target).fate is Fate.REFUSED


def test_a_kill_that_nobody_confirmed_signals_nobody(play: Play) -> None:
    with play(agent=LONELY) as stage:
        stage.bystanders.add("agent")
        assert stage.kill(confirmed=False, force=True).fate is Fate.REFUSED


# -- clocks ------------------------------------------------------------------------------------------------------------


def jump(stage: Stage, by_s: float) -> None:
    """Set the wall clock, for hosts and for what the probe tells alike; the monotonic clock goes on as it was."""

    def jumped(table: ProcessTable) -> ProcessTable:
        return replace(table, taken_at=table.taken_at + timedelta(seconds=by_s), changes=None)

    stage.product.probe.shows = jumped
    stage.product.now_s = lambda: time.time() + by_s


@pytest.mark.parametrize("by_s", [36_000.0, -36_000.0])
def test_a_clock_that_jumps_makes_no_session_idle_for_long(play: Play, by_s: float) -> None:
    with play(agent=replace(LONELY, quiet_s=30.0)) as stage:
        stage.look()
        jump(stage, by_s)
        stage.bystanders.add("agent")
        assert stage.release(confirmed=False).fate is Fate.REFUSED


def test_a_clock_that_jumps_between_the_list_and_the_click_releases_nobody_early(play: Play) -> None:
    with play(agent=replace(LONELY, quiet_s=30.0)) as stage:
        target = stage.target(Action.RELEASE, confirmed=False)
        jump(stage, 36_000.0)
        stage.bystanders.add("agent")
        assert stage.act(target).fate is Fate.REFUSED
