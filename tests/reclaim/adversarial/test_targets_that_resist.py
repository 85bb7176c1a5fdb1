"""Who does not end when asked, forks, stops or has ended already: told as it is, and nobody else pays for it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.reclaim.adversarial.conftest import Play
from tests.reclaim.adversarial.host import CALL_STEP, KILL_STEP, TERM_STEP, StageHost
from tests.reclaim.adversarial.stage import AGENT, ENV_S1, MCP, Part
from tests.trees import until
from trayapp.hosts.base import CallResult
from trayapp.model.plan import Action, Reason
from trayapp.model.process import Process, ProcessStatus
from trayapp.model.receipt import Fate
from trayapp.model.session import Role, SessionFact
from trayapp.model.snapshot import GroupKind

pytestmark = pytest.mark.linux

LONELY = Part(program=AGENT, session="s1")
PLAIN = Part(stays=True)


# -- deaf and stubborn -------------------------------------------------------------------------------------------------


def test_a_stubborn_target_is_asked_once_and_told_as_survivor(play: Play) -> None:
    with play(agent=replace(LONELY, stays=True)) as stage:
        stage.intends(agent="TERM")
        stage.bystanders.add("agent")
        outcome = stage.kill()
        assert (outcome.fate, [s.note for s in outcome.survived]) == (Fate.SURVIVED, ["still runs"])


def test_a_stubborn_target_is_ended_at_once_only_after_it_was_asked_and_with_force(play: Play) -> None:
    with play(agent=replace(LONELY, stays=True)) as stage:
        stage.intends(agent="TERM KILL")
        assert stage.kill(force=True).fate is Fate.ENDED


def test_a_target_that_ignores_sigterm_is_not_ended_at_once_without_force(play: Play) -> None:
    with play(agent=replace(LONELY, ignores=True)) as stage:
        stage.bystanders.add("agent")
        assert stage.release(confirmed=False).fate is Fate.SURVIVED


def test_a_release_never_uses_force_that_was_not_given(play: Play) -> None:
    host = StageHost(ladder=(TERM_STEP, KILL_STEP))
    with play(host, agent=replace(LONELY, stays=True)) as stage:
        stage.intends(agent="TERM")
        stage.bystanders.add("agent")
        outcome = stage.release(confirmed=True, force=False)
        assert outcome.fate is Fate.SURVIVED
        assert not any("SIGKILL" in step for step in outcome.steps)


def test_a_stubborn_helper_costs_nobody_else_anything(play: Play) -> None:
    agent = replace(LONELY, children=("deaf", "good"))
    with play(agent=agent, deaf=Part(program=MCP, stays=True), good=Part(program="mcp-git/server")) as stage:
        stage.intends(agent="TERM", deaf="TERM KILL", good="TERM")
        assert stage.kill(force=True).fate is Fate.ENDED


# -- forks -------------------------------------------------------------------------------------------------------------


def test_what_a_target_starts_as_its_last_deed_gets_no_signal(play: Play) -> None:
    with play(agent=replace(LONELY, on_term="start heir"), heir=replace(PLAIN, later=True)) as stage:
        stage.intends(agent="TERM")
        stage.bystanders.add("heir")
        stage.kill(force=True)


def test_what_a_released_agent_leaves_behind_detached_gets_no_signal(play: Play) -> None:
    heir = Part(program="bin/build", environment=ENV_S1, later=True, detached=True, new_session=True, stays=True)
    with play(agent=replace(LONELY, on_term="start heir"), heir=heir) as stage:
        stage.intends(agent="TERM")
        stage.bystanders.add("heir")
        stage.release(force=True)
        assert stage.runs("heir")


def test_a_target_that_forks_and_lingers_is_ended_with_what_it_forked_only_by_force(play: Play) -> None:
    agent = replace(LONELY, on_term="linger heir")
    with play(agent=agent, heir=replace(PLAIN, later=True)) as stage:
        stage.intends(agent="TERM")
        stage.bystanders |= {"agent", "heir"}
        outcome = stage.kill()
        assert outcome.fate is Fate.SURVIVED


def test_work_that_an_agent_forks_when_asked_to_go_stops_a_release(play: Play) -> None:
    """A rung later there is a job below it: it works, so the ladder ends there, force or not."""
    agent = replace(LONELY, on_term="linger job")
    job = Part(program="bin/make", environment=ENV_S1, stays=True, later=True)
    with play(agent=agent, job=job) as stage:
        stage.intends(agent="TERM")
        stage.bystanders |= {"agent", "job"}
        outcome = stage.release(force=True)
        assert outcome.reason is Reason.BUSY_BACKGROUND_TASK


def test_a_session_that_its_wrapper_brings_back_in_the_middle_of_a_release_is_left_alone(play: Play) -> None:
    """The new backend is not what was listed, though it hangs below a wrapper that was; both go on."""
    wrapper = Part(program="bin/npx", argv=("npx", "agent"), children=("agent",), on_child="again", stays=True)
    host = StageHost(ladder=(CALL_STEP, TERM_STEP, KILL_STEP))
    with play(host, wrapper=wrapper, agent=LONELY, again=replace(LONELY, later=True, stays=True)) as stage:

        async def end_and_come_back(_session: SessionFact) -> CallResult:
            stage.end("agent")
            stage.wait_for("again")
            stage.record("again")
            return CallResult(ok=True, message="stopped")

        host.answers(end_and_come_back)
        target = stage.target(Action.RELEASE, force=True)
        assert set(target.members) == {stage.identity("agent"), stage.identity("wrapper")}
        stage.bystanders |= {"again", "wrapper"}
        stage.act(target)


# -- stopped, zombie, uninterruptible ----------------------------------------------------------------------------------


def test_a_stopped_target_is_told_as_stopped_and_nobody_else_is_asked_for_it(play: Play) -> None:
    with play(agent=LONELY) as stage:
        target = stage.target(Action.KILL)
        stage.stop("agent")
        outcome = stage.act(target)
        assert [s.note for s in outcome.survived] == ["stopped, does not react until it is continued"]
        assert stage.received().get("agent") is None


def test_a_stopped_target_ends_with_force_alone(play: Play) -> None:
    with play(agent=LONELY) as stage:
        target = stage.target(Action.KILL, force=True)
        stage.stop("agent")
        stage.intends(agent="KILL")
        assert stage.act(target).fate is Fate.ENDED


def test_a_target_that_stops_itself_when_asked_is_told_as_stopped(play: Play) -> None:
    with play(agent=replace(LONELY, on_term="stop")) as stage:
        stage.intends(agent="TERM")
        outcome = stage.kill()
        assert [s.note for s in outcome.survived] == ["stopped, does not react until it is continued"]


def test_a_zombie_counts_as_gone_and_its_parent_gets_nothing(play: Play) -> None:
    with play(agent=replace(LONELY, children=("nanny",)), nanny=Part(program=MCP, keeps_zombies=True)) as stage:
        stage.tell("nanny", "zombie ghost")
        stage.wait_for("ghost")
        zombies = stage.group_of("ghost")
        assert zombies.kind is GroupKind.ZOMBIE
        outcome = stage.act(stage.target(Action.KILL, zombies.key, force=True))
        assert outcome.fate is Fate.ALREADY_GONE


def test_a_target_that_became_a_zombie_since_the_list_is_already_gone(play: Play) -> None:
    keeper = Part(program="bin/npx", argv=("npx", "agent"), keeps_zombies=True, stays=True, children=("agent",))
    with play(keeper=keeper, agent=LONELY) as stage:
        target = stage.target(Action.KILL, force=True)
        only_agent = replace(target, members=(stage.identity("agent"),), programs=())
        stage.tell("agent", "die")
        until(lambda: stage.state("agent") == "Z", "no zombie")
        stage.bystanders.add("keeper")
        assert stage.act(only_agent).fate is Fate.ALREADY_GONE


def test_an_uninterruptible_target_is_told_and_nobody_is_asked_in_its_place(play: Play) -> None:
    with play(agent=LONELY) as stage:
        identity = stage.identity("agent")

        def asleep(process: Process) -> Process:
            return replace(process, status=ProcessStatus.UNINTERRUPTIBLE) if process.identity == identity else process

        stage.product.show(asleep)
        stage.product.swallows = lambda which: which == identity
        stage.bystanders.add("agent")
        outcome = stage.kill(force=True)
        assert [s.note for s in outcome.survived] == ["waits for the system and cannot react"]


# -- families ----------------------------------------------------------------------------------------------------------


def test_a_parent_that_dies_in_the_middle_takes_nobody_elses_children_along(play: Play) -> None:
    agent = replace(LONELY, children=("middle",))
    middle = Part(program=MCP, children=("leaf",))
    with play(agent=agent, middle=middle, leaf=Part(program="bin/leaf")) as stage:
        target = stage.target(Action.KILL)
        stage.product.after_the_click = lambda: stage.end("middle")
        stage.intends(agent="TERM", leaf="TERM")
        assert stage.act(target).fate is Fate.ENDED


def test_a_listed_child_that_let_its_parent_go_is_still_the_one_that_was_listed(play: Play) -> None:
    away = Part(program=MCP, detached=True, new_session=True, environment=ENV_S1)
    with play(agent=replace(LONELY, children=("away",)), away=away) as stage:
        assert stage.roles()["away"] is Role.HELPER
        stage.intends(agent="TERM", away="TERM")
        assert stage.kill().fate is Fate.ENDED


def test_one_that_lets_its_parent_go_and_names_no_session_is_nobodys(play: Play) -> None:
    away = Part(program="bin/daemon", detached=True, new_session=True, stays=True)
    with play(agent=replace(LONELY, children=("away",)), away=away) as stage:
        stage.intends(agent="TERM")
        stage.bystanders.add("away")
        assert stage.kill(force=True).fate is Fate.ENDED


def test_two_hundred_children_are_ended_and_the_two_hundred_of_the_other_session_are_not(play: Play) -> None:
    mine = {f"mine-{n}": Part(program=MCP) for n in range(200)}
    theirs = {f"theirs-{n}": Part(program=MCP, stays=True) for n in range(200)}
    agent, other = replace(LONELY, children=tuple(mine)), Part(session="s3", program=AGENT, children=tuple(theirs))
    with play(agent=agent, **mine, third=replace(other, stays=True), **theirs) as stage:
        stage.bystanders |= {*theirs, "third"}
        stage.intended = {name: ["TERM"] for name in ("agent", *mine)}
        assert stage.kill().fate is Fate.ENDED


def test_a_chain_sixty_deep_is_ended_from_its_end(play: Play) -> None:
    depth = 60
    chain = {f"link-{n}": Part(program=MCP, children=(f"link-{n + 1}",)) for n in range(depth)}
    with play(agent=replace(LONELY, children=("link-0",)), **chain, **{f"link-{depth}": Part()}) as stage:
        stage.intended = {name: ["TERM"] for name in ("agent", *chain, f"link-{depth}")}
        outcome = stage.kill()
        pids = [int(step.rpartition("(")[2].rstrip(")")) for step in outcome.steps]
        assert pids == [stage.pid(f"link-{n}") for n in range(depth, -1, -1)] + [stage.pid("agent")]


# -- work that began just now ------------------------------------------------------------------------------------------

TESTS = Part(program="bin/pytest", argv=("pytest", "-q"), later=True, stays=True)


def test_a_test_run_that_began_after_the_list_stops_a_release(play: Play) -> None:
    with play(agent=LONELY, tests=TESTS) as stage:
        target = stage.target(Action.RELEASE, force=True)
        stage.begin("tests", below="agent")
        stage.bystanders |= {"tests", "agent"}
        assert stage.act(target).reason is Reason.BUSY_BACKGROUND_TASK


def test_a_test_run_that_began_a_moment_after_the_click_stops_a_release(play: Play) -> None:
    """Nothing was signalled yet, and the look before the signal shows it."""
    with play(agent=LONELY, tests=TESTS) as stage:
        target = stage.target(Action.RELEASE)
        stage.product.after_the_click = lambda: stage.begin("tests", below="agent")
        stage.bystanders |= {"tests", "agent"}
        assert stage.act(target).fate is Fate.REFUSED


def test_a_test_run_that_began_while_the_host_was_asked_stops_the_next_rung(play: Play) -> None:
    host = StageHost(ladder=(CALL_STEP, TERM_STEP, KILL_STEP))
    with play(host, agent=LONELY, tests=TESTS) as stage:

        async def busy_now(_session: SessionFact) -> CallResult:
            stage.begin("tests", below="agent")
            return CallResult(ok=True, message="stopped")

        host.answers(busy_now)
        stage.bystanders |= {"tests", "agent"}
        assert stage.release(force=True).reason is Reason.BUSY_BACKGROUND_TASK


def test_a_test_run_below_a_helper_stops_a_release_too(play: Play) -> None:
    agent = replace(LONELY, children=("helper",))
    with play(agent=agent, helper=Part(program=MCP), tests=replace(TESTS, environment=ENV_S1)) as stage:
        target = stage.target(Action.RELEASE, force=True)
        stage.begin("tests", below="helper")
        stage.bystanders |= {"agent", "helper", "tests"}
        assert stage.act(target).fate is Fate.REFUSED
