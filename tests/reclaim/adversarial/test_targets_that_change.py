"""Whoever became another between the list and the signal gets none."""

from __future__ import annotations

import os
import signal
from dataclasses import replace

import pytest

from tests.reclaim.adversarial.conftest import Play
from tests.reclaim.adversarial.host import CALL_STEP, KILL_STEP, TERM_STEP, StageHost
from tests.reclaim.adversarial.product import once
from tests.reclaim.adversarial.stage import AGENT, MCP, S1, Part, Stage
from tests.trees import target_of, until
from trayapp.hosts.base import CallResult
from trayapp.model.plan import Action, Reason
from trayapp.model.process import Identity, Process
from trayapp.model.receipt import Fate
from trayapp.model.session import SessionFact
from trayapp.reclaim.guard import Delivery

pytestmark = pytest.mark.linux

LONELY = Part(program=AGENT, session="s1")
IDLE = Part(program=AGENT, session="s1", children=("helper",))
HELPER = Part(program=MCP, ends_with_input=True)
BOOKS = Part(program="bin/post-the-books", stays=True, later=True)
"""An innocent program: from the moment on that a process runs it, that process must not be touched."""


def becomes_books(stage: Stage, who: str = "agent") -> None:
    stage.become(who, "books")
    stage.bystanders.add("books")


# -- the ordinary case, so that the others mean something ------------------------------------------------------------


def test_a_release_of_an_idle_session_signals_its_backend_alone(play: Play) -> None:
    with play(agent=IDLE, helper=HELPER) as stage:
        stage.intends(agent="TERM")
        assert stage.release(confirmed=False).fate is Fate.RELEASED


def test_a_kill_signals_leaves_before_roots_and_nobody_else(play: Play) -> None:
    with play(agent=IDLE, helper=Part(program=MCP, children=("leaf",)), leaf=Part(program="bin/leaf")) as stage:
        stage.intends(agent="TERM", helper="TERM", leaf="TERM")
        outcome = stage.kill()
        assert outcome.fate is Fate.ENDED
        told = [int(step.rpartition("(")[2].rstrip(")")) for step in outcome.steps]
        assert told == [stage.pid("leaf"), stage.pid("helper"), stage.pid("agent")]


# -- another program under the same pid --------------------------------------------------------------------------------


@pytest.mark.parametrize("action", [Action.RELEASE, Action.KILL])
def test_an_agent_that_became_another_program_after_the_list_gets_nothing(play: Play, action: Action) -> None:
    with play(agent=LONELY, books=BOOKS) as stage:
        target = stage.target(action, force=True)
        becomes_books(stage)
        outcome = stage.act(target)
        assert (outcome.fate, outcome.reason) == (Fate.REFUSED, Reason.IDENTITY_CHANGED)


@pytest.mark.parametrize("action", [Action.RELEASE, Action.KILL])
def test_an_agent_that_becomes_another_program_after_the_click_gets_nothing(play: Play, action: Action) -> None:
    with play(agent=LONELY, books=BOOKS) as stage:
        target = stage.target(action, force=True)
        stage.product.after_the_click = lambda: becomes_books(stage)
        assert stage.act(target).fate is Fate.SURVIVED


def test_an_agent_that_becomes_another_program_while_it_is_held_open_gets_nothing(play: Play) -> None:
    with play(agent=LONELY, books=BOOKS) as stage:
        target = stage.target(Action.KILL, force=True)
        stage.product.before_the_guard_looks = once(lambda: becomes_books(stage))
        outcome = stage.act(target)
        assert outcome.fate is Fate.SURVIVED
        assert any("withheld" in step for step in outcome.steps)


def test_a_helper_that_becomes_another_program_while_others_are_ended_gets_nothing(play: Play) -> None:
    with play(agent=IDLE, helper=Part(program=MCP), books=BOOKS) as stage:
        target = stage.target(Action.KILL, force=True)
        stage.product.after_the_click = lambda: becomes_books(stage, "helper")
        stage.intends(agent="TERM")
        outcome = stage.act(target)
        assert outcome.fate is Fate.SURVIVED
        assert [s.identity for s in outcome.survived] == [stage.identity("helper")]


def test_an_agent_that_becomes_another_program_while_its_host_is_asked_gets_nothing(play: Play) -> None:
    host = StageHost(ladder=(CALL_STEP, TERM_STEP, KILL_STEP))
    with play(host, agent=LONELY, books=BOOKS) as stage:

        async def exec_instead(_session: SessionFact) -> CallResult:
            becomes_books(stage)
            return CallResult(ok=True, message="stopped")

        host.answers(exec_instead)
        assert stage.release(force=True).fate is Fate.SURVIVED


def test_an_agent_that_becomes_another_program_when_asked_to_end_is_not_ended_at_once(play: Play) -> None:
    with play(agent=replace(LONELY, on_term="become books"), books=BOOKS) as stage:
        stage.intends(agent="TERM")
        stage.bystanders.add("books")
        assert stage.kill(force=True).fate is Fate.SURVIVED


def test_another_script_in_the_same_interpreter_gets_nothing(play: Play) -> None:
    agent = replace(LONELY, program="bin/python3", argv=("python3", "fake-agent/agent.py"))
    books = replace(BOOKS, program="bin/python3", argv=("python3", "post_the_books.py"))
    with play(agent=agent, books=books) as stage:
        target = stage.target(Action.KILL, force=True)
        stage.product.after_the_click = lambda: becomes_books(stage)
        assert stage.act(target).fate is Fate.SURVIVED


def test_the_same_program_with_other_arguments_gets_nothing(play: Play) -> None:
    agent = replace(LONELY, argv=("fake-agent/agent", "--session", "1"))
    books = replace(BOOKS, program=AGENT, argv=("fake-agent/agent", "--migrate", "the books"))
    with play(agent=agent, books=books) as stage:
        target = stage.target(Action.KILL, force=True)
        becomes_books(stage)
        assert stage.act(target).fate is Fate.REFUSED


def test_a_program_that_is_replaced_on_disk_is_ended_by_the_next_list_only(play: Play) -> None:
    with play(agent=LONELY) as stage:
        target = stage.target(Action.KILL)
        (stage.root / AGENT).unlink()
        assert stage.act(target).fate in (Fate.REFUSED, Fate.ENDED)
        if stage.runs("agent"):
            assert stage.kill().fate is Fate.ENDED
        stage.intends(agent="TERM")


# -- names -------------------------------------------------------------------------------------------------------------


def test_a_target_that_renames_itself_is_still_ended_and_alone(play: Play) -> None:
    with play(agent=LONELY) as stage:
        target = stage.target(Action.KILL)
        stage.tell("agent", "rename thinking")
        until(lambda: "thinking" in stage.proc("agent", "stat"), "it is not renamed")
        stage.intends(agent="TERM")
        assert stage.act(target).fate is Fate.ENDED


def test_a_helper_that_takes_a_multiplexers_name_gets_nothing(play: Play) -> None:
    with play(agent=IDLE, helper=Part(program=MCP, stays=True)) as stage:
        target = stage.target(Action.KILL, force=True)
        stage.tell("helper", "rename tmux: server")
        until(lambda: "tmux: server" in stage.proc("helper", "stat"), "it is not renamed")
        stage.intends(agent="TERM")
        stage.bystanders.add("helper")
        assert stage.act(target).fate is not Fate.REFUSED


def test_arguments_rewritten_like_another_sessions_draw_nobody_into_it(play: Play) -> None:
    worker = Part(program="bin/worker", stays=True, argv=("worker", "--with", "room for a title of that length"))
    agent = replace(LONELY, session="s3", stays=True, children=("worker",))
    with play(agent=agent, worker=worker, victim=LONELY) as stage:
        stage.look()
        stage.tell("worker", "retitle fake-agent --resume s1")
        until(lambda: "--resume s1" in stage.proc("worker", "cmdline"), "no new title")
        stage.bystanders |= {"worker", "agent"}
        stage.intends(victim="TERM")
        assert stage.kill(force=True).fate is Fate.ENDED


def test_a_neighbour_that_writes_an_agents_arguments_is_no_agent(play: Play) -> None:
    stray = Part(program="bin/stray", argv=("fake-agent", "--resume", "s1"), stays=True)
    with play(agent=LONELY, stray=stray) as stage:
        stage.bystanders.add("stray")
        stage.intends(agent="TERM")
        assert stage.kill(force=True).fate is Fate.ENDED


def test_a_deleted_working_folder_confuses_nobody(play: Play, tmp_path_factory: pytest.TempPathFactory) -> None:
    gone = tmp_path_factory.mktemp("gone")
    with play(agent=replace(LONELY, cwd=str(gone))) as stage:
        gone.rmdir()
        stage.intends(agent="TERM")
        assert stage.release(confirmed=False).fate is Fate.RELEASED


# -- one pid, two processes, by an injected clock of identities --------------------------------------------------------


def test_a_listed_pid_that_names_a_younger_process_by_now_gets_nothing(play: Play) -> None:
    with play(agent=LONELY) as stage:
        target = stage.target(Action.KILL, force=True)
        innocent = stage.identity("neighbour")
        stale = replace(target, members=(Identity(innocent.pid, innocent.start - 1),))
        assert stage.act(stale).fate is Fate.ALREADY_GONE


def test_a_pid_that_is_reused_after_the_click_gets_nothing(play: Play) -> None:
    """Up to the click's look the pid is the agent's helper; then, as the system says, it is the neighbour's."""
    with play(agent=LONELY) as stage:
        innocent, agent = stage.identity("neighbour"), stage.identity("agent")
        another = innocent._replace(start=innocent.start + 100)
        earlier = [True]

        def as_it_was(process: Process) -> Process:
            if not earlier or process.identity != innocent:
                return process
            return replace(
                process,
                identity=another,
                start_s=process.start_s + 1.0,
                ppid=agent.pid,
                name="server",
                exe="/opt/mcp-server-files/server",
                argv=("/opt/mcp-server-files/server",),
            )

        stage.product.show(as_it_was)
        target = stage.target(Action.KILL, force=True)
        assert another in target.members
        stage.product.after_the_click = earlier.clear
        stage.intends(agent="TERM")
        assert stage.act(target).fate is Fate.ENDED


def test_a_pid_that_is_reused_while_the_table_still_tells_the_old_one_gets_nothing(play: Play) -> None:
    """Even a table that is wrong about who has the pid cannot make the handle mean another process."""
    with play(agent=LONELY) as stage:
        innocent, agent = stage.identity("neighbour"), stage.identity("agent")
        another = innocent._replace(start=innocent.start + 100)

        def always_old(process: Process) -> Process:
            if process.identity != innocent:
                return process
            return replace(
                process,
                identity=another,
                start_s=process.start_s + 1.0,
                ppid=agent.pid,
                exe="/opt/mcp-server-files/server",
                argv=("/opt/mcp-server-files/server",),
            )

        stage.product.show(always_old)
        target = stage.target(Action.KILL, force=True)
        stage.intends(agent="TERM")
        stage.act(target)


def test_the_guard_itself_sends_nothing_to_a_pid_with_another_start(play: Play) -> None:
    with play() as stage:
        seen = stage.product.probe.scan().processes[stage.pid("neighbour")]
        stale = replace(seen, identity=Identity(seen.pid, seen.identity.start - 1))
        (told,) = stage.product.guard.send([stale], signal.SIGKILL)
        assert told.delivery in (Delivery.REFUSED, Delivery.GONE)


# -- another user in between -------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_a_helper_that_becomes_another_users_after_the_click_gets_nothing(play: Play) -> None:
    with play(agent=IDLE, helper=Part(program=MCP, stays=True)) as stage:
        target = stage.target(Action.KILL, force=True)

        def another_user() -> None:
            stage.tell("helper", "setuid 65534")
            until(lambda: stage.uid("helper") == 65534, "it does not become another user")

        stage.product.after_the_click = another_user
        stage.bystanders.add("helper")
        stage.intends(agent="TERM")
        outcome = stage.act(target)
        assert outcome.fate is Fate.SURVIVED


# -- who else could be meant -------------------------------------------------------------------------------------------


def test_a_target_that_lists_the_users_shell_and_terminal_reaches_neither(play: Play) -> None:
    with play(agent=LONELY) as stage:
        target = stage.target(Action.KILL, force=True)
        more = tuple(stage.identity(name) for name in ("terminal", "shell", "neighbour", "editor"))
        stage.intends(agent="TERM")
        stage.act(replace(target, members=(*more, *target.members), programs=()))


def test_a_target_whose_members_belong_to_another_session_does_nothing(play: Play) -> None:
    with play(agent=LONELY) as stage:
        others = target_of(stage.look(), "fake-agent:s2", Action.KILL)
        target = stage.target(Action.KILL, S1, force=True)
        outcome = stage.act(replace(target, members=others.members, programs=others.programs))
        assert (outcome.fate, outcome.reason) == (Fate.REFUSED, Reason.IDENTITY_CHANGED)


def test_a_target_without_members_signals_nobody(play: Play) -> None:
    with play(agent=LONELY) as stage:
        for action in (Action.KILL, Action.RELEASE):
            stage.act(replace(stage.target(action, force=True), members=(), programs=()))
        assert stage.runs("agent")
