"""Who stands above, beside and below an agent without being part of its session gets no signal."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace

import pytest

from tests.reclaim.adversarial.conftest import Play
from tests.reclaim.adversarial.stage import AGENT, ENV_S1, MCP, S1, S2, Part, Stage
from tests.trees import CHECKOUT, until
from trayapp.model.plan import Action, Reason
from trayapp.model.process import Process
from trayapp.model.receipt import Fate
from trayapp.model.session import Role
from trayapp.model.snapshot import GroupKind

pytestmark = pytest.mark.linux

LONELY = Part(program=AGENT, session="s1")
STAYS = Part(stays=True)
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can start a process of another user")
NOBODY = 65534


def kills_the_agent_alone(stage: Stage, *bystanders: str) -> None:
    stage.bystanders |= set(bystanders)
    stage.intends(agent="TERM")
    assert not stage.received()
    stage.kill(force=True)
    assert not stage.runs("agent")


# -- above -------------------------------------------------------------------------------------------------------------


def test_all_that_share_the_agents_process_group_go_on(play: Play) -> None:
    with play(agent=LONELY) as stage:
        groups = {os.getpgid(stage.pid(name)) for name in ("terminal", "shell", "agent", "neighbour", "other")}
        assert len(groups) == 1
        kills_the_agent_alone(stage)


def test_an_agent_that_leads_the_process_group_of_others_takes_none_of_them_along(play: Play) -> None:
    agent = replace(LONELY, new_group=True, children=("away",))
    away = Part(program="bin/watcher", detached=True, stays=True)
    with play(agent=agent, away=away) as stage:
        assert os.getpgid(stage.pid("away")) == stage.pid("agent")
        kills_the_agent_alone(stage, "away")


def test_a_session_leader_ends_without_its_terminal(play: Play) -> None:
    with play(agent=replace(LONELY, new_session=True)) as stage:
        kills_the_agent_alone(stage)


def test_a_login_shell_and_its_server_stay(play: Play) -> None:
    sshd = Part(program="bin/sshd-session", alone=True, new_session=True, stays=True, children=("login",))
    login = Part(program="bin/zsh", argv=("-zsh",), stays=True, children=("agent",))
    with play(sshd=sshd, login=login, agent=LONELY) as stage:
        kills_the_agent_alone(stage, "sshd", "login")


def test_a_multiplexer_and_the_shell_in_its_pane_stay(play: Play) -> None:
    server = Part(program="bin/tmux", alone=True, new_session=True, stays=True, children=("window", "beside"))
    window = Part(program="bin/bash", argv=("-bash",), stays=True, children=("agent",))
    with play(server=server, window=window, beside=Part(program="bin/bash", stays=True), agent=LONELY) as stage:
        kills_the_agent_alone(stage, "server", "window", "beside")


def test_an_editor_whose_terminal_runs_the_agent_stays(play: Play) -> None:
    code = Part(program="bin/code", alone=True, new_session=True, stays=True, children=("bash", "extension"))
    bash = Part(program="bin/bash", stays=True, children=("agent",))
    with play(code=code, bash=bash, extension=Part(program="bin/node", stays=True), agent=LONELY) as stage:
        kills_the_agent_alone(stage, "code", "bash", "extension")


@pytest.mark.parametrize("action", [Action.RELEASE, Action.KILL])
def test_a_program_of_its_own_that_started_the_agent_stays(play: Play, action: Action) -> None:
    bot = Part(program="bin/python3", argv=("python3", "bot.py"), alone=True, stays=True, children=("agent", "web"))
    with play(bot=bot, agent=LONELY, web=Part(program="bin/gunicorn", stays=True)) as stage:
        stage.bystanders |= {"bot", "web"}
        stage.intends(agent="TERM")
        stage.act(stage.target(action, force=True))


def test_a_program_that_drives_two_agents_loses_the_listed_one_alone(play: Play) -> None:
    driver = Part(program="bin/conductor", alone=True, stays=True, children=("agent", "second"))
    with play(driver=driver, agent=LONELY, second=Part(program=AGENT, session="s3", stays=True)) as stage:
        kills_the_agent_alone(stage, "driver", "second")


def test_a_thin_wrapper_ends_with_its_agent_but_the_shell_above_it_does_not(play: Play) -> None:
    wrapper = Part(program="bin/npx", argv=("npx", "agent"), ends_with_child=True, children=("agent",))
    with play(wrapper=wrapper, agent=LONELY) as stage:
        stage.intends(agent="TERM")
        assert stage.release(confirmed=False).fate is Fate.RELEASED


def test_a_script_that_runs_more_after_its_agent_is_not_thin(play: Play) -> None:
    script = Part(program="bin/sh", argv=("sh", "-c", "agent; make deploy"), stays=True, children=("agent", "deploy"))
    with play(script=script, agent=LONELY, deploy=Part(program="bin/make", stays=True)) as stage:
        stage.bystanders.add("deploy")
        stage.intends(agent="TERM")
        stage.release(force=True)
        if "script" in stage.received():
            pytest.fail("the script that goes on after its agent was signalled")


# -- below -------------------------------------------------------------------------------------------------------------


def test_a_terminal_that_an_agent_opened_and_the_users_shell_in_it_stay(play: Play) -> None:
    """The variable of the session is inherited by all that the user starts there."""
    opened = Part(program="bin/alacritty", environment=ENV_S1, stays=True, children=("mine",))
    mine = Part(program="bin/zsh", stays=True, children=("job",))
    job = Part(program="bin/notes", stays=True)
    with play(agent=replace(LONELY, children=("opened",)), opened=opened, mine=mine, job=job) as stage:
        kills_the_agent_alone(stage, "opened", "mine", "job")


def test_a_multiplexer_that_an_agent_started_and_the_panes_of_others_in_it_stay(play: Play) -> None:
    """Its server keeps the environment of whoever started it, so that every later pane carries that session's id."""
    server = Part(
        program="bin/tmux", environment=ENV_S1, detached=True, new_session=True, stays=True, children=("mine",)
    )
    mine = Part(program="bin/zsh", argv=("-zsh",), stays=True, children=("job",))
    job = Part(program="bin/notes", stays=True)
    with play(agent=replace(LONELY, children=("server",)), server=server, mine=mine, job=job) as stage:
        kills_the_agent_alone(stage, "server", "mine", "job")


@pytest.mark.parametrize("program", ["bin/code", "bin/tmux", "bin/kitty"])
def test_the_users_language_server_is_no_orphan_of_the_session_that_opened_the_editor(play: Play, program: str) -> None:
    opened = Part(
        program=program, environment=ENV_S1, detached=True, new_session=True, stays=True, children=("server",)
    )
    server = Part(program="bin/gopls", stays=True)
    with play(agent=replace(LONELY, children=("opened",)), opened=opened, server=server) as stage:
        stage.end("agent")
        stage.bystanders |= {"opened", "server"}
        if stage.is_shown("server"):
            stage.act(stage.target(Action.END_ORPHAN, stage.key_of("server"), confirmed=False))


def test_an_editor_that_an_agent_opened_for_the_user_stays(play: Play) -> None:
    editor = Part(program="bin/code", environment=ENV_S1, detached=True, new_session=True, stays=True)
    with play(agent=replace(LONELY, children=("opened",)), opened=editor) as stage:
        kills_the_agent_alone(stage, "opened")


def test_a_nested_agent_of_another_session_is_not_the_listed_one(play: Play) -> None:
    """An agent that a session's tool started is a session of its own, with a row of its own."""
    nested = Part(program=AGENT, session="s3", environment=ENV_S1, stays=True)
    with play(agent=replace(LONELY, children=("nested",)), nested=nested) as stage:
        kills_the_agent_alone(stage, "nested")


# -- beside ------------------------------------------------------------------------------------------------------------


def test_the_other_session_and_its_helper_outlive_every_action_on_the_first(play: Play) -> None:
    with play(agent=LONELY) as stage:
        stage.intends(agent="TERM")
        for action in Action:
            stage.act(stage.target(action, force=True) if stage.runs("agent") else stage.target(Action.KILL, S2))
            if not stage.runs("agent"):
                break


def test_a_program_of_the_same_name_that_is_no_agent_of_this_host_stays(play: Play) -> None:
    with play(agent=LONELY, twin=Part(program="bin/agent", stays=True)) as stage:
        kills_the_agent_alone(stage, "twin")


def test_a_service_of_the_system_is_nobodys_to_end(play: Play) -> None:
    with play(agent=replace(LONELY, stays=True)) as stage:
        identity = stage.identity("agent")

        def as_a_service(process: Process) -> Process:
            return replace(process, unit="agent.service") if process.identity == identity else process

        stage.product.show(as_a_service)
        stage.bystanders.add("agent")
        assert stage.kill(force=True).reason is Reason.LEGIT_DAEMON


def test_one_that_turns_out_to_be_a_service_after_the_click_gets_nothing(play: Play) -> None:
    with play(agent=replace(LONELY, stays=True)) as stage:
        identity, known = stage.identity("agent"), [False]

        def as_a_service(process: Process) -> Process:
            return replace(process, unit="agent.service") if known[0] and process.identity == identity else process

        stage.product.show(as_a_service)
        target = stage.target(Action.KILL, force=True)
        stage.product.after_the_click = lambda: known.__setitem__(0, True)
        stage.bystanders.add("agent")
        assert stage.act(target).fate is Fate.SURVIVED


@pytest.mark.parametrize("late", [False, True])
def test_what_runs_in_a_container_gets_nothing(play: Play, late: bool) -> None:
    agent = replace(LONELY, children=("inside",))
    with play(agent=agent, inside=Part(program=MCP, stays=True)) as stage:
        identity, known = stage.identity("inside"), [not late]

        def elsewhere(process: Process) -> Process:
            return replace(process, pid_namespace=1) if known[0] and process.identity == identity else process

        stage.product.show(elsewhere)
        target = stage.target(Action.KILL, force=True)
        stage.product.after_the_click = lambda: known.__setitem__(0, True)
        stage.bystanders.add("inside")
        if late:
            stage.intends(agent="TERM")
        assert stage.act(target).fate is (Fate.SURVIVED if late else Fate.REFUSED)


# -- another user ------------------------------------------------------------------------------------------------------


@as_root
def test_another_users_helper_below_our_agent_gets_nothing(play: Play) -> None:
    agent = replace(LONELY, stays=True, children=("theirs",))
    with play(agent=agent, theirs=Part(program=MCP, uid=NOBODY, stays=True)) as stage:
        stage.bystanders |= {"theirs", "agent"}
        outcome = stage.kill(force=True)
        assert (outcome.fate, outcome.reason) == (Fate.REFUSED, Reason.NOT_OURS)


@as_root
def test_another_users_agent_is_not_ours_to_end(play: Play) -> None:
    with play(agent=Part(program=AGENT, session="s1", uid=NOBODY, stays=True)) as stage:
        stage.bystanders.add("agent")
        group = stage.look().group(S1)
        if group is not None:
            assert stage.kill(force=True).reason is Reason.NOT_OURS


@as_root
def test_another_users_process_with_our_sessions_variable_gets_nothing(play: Play) -> None:
    theirs = Part(program="bin/report", uid=NOBODY, environment=ENV_S1, stays=True, alone=True)
    with play(agent=LONELY, theirs=theirs) as stage:
        stage.bystanders.add("theirs")
        stage.allows(agent="TERM")
        stage.kill(force=True)


# -- the product's own line --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", [Action.RELEASE, Action.KILL])
def test_the_agent_in_which_the_product_runs_is_never_ended(play: Play, action: Action) -> None:
    agent = replace(LONELY, stays=True, children=("helper", "tool"))
    tool = Part(program="bin/bash", argv=("bash", "-c", "python inside.py"), stays=True, children=("inside",))
    inside = Part(
        program=sys.executable,
        argv=(sys.executable, "-m", "tests.reclaim.adversarial.inside", "ROOT", action),
        environment={"PYTHONPATH": os.pathsep.join([str(CHECKOUT), *sys.path]), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=str(CHECKOUT),
    )
    with play(agent=agent, helper=Part(program=MCP, stays=True), tool=tool, inside=inside) as stage:
        stage.bystanders |= {"agent", "helper", "tool"}
        until((stage.root / "answer.json").exists, "the product inside does not answer", 60.0)
        answer = json.loads((stage.root / "answer.json").read_text())
        assert answer == {"fate": "refused", "reason": "self-or-ancestor", "steps": []}


def test_the_products_own_children_are_nobodys_to_end(play: Play) -> None:
    with play(agent=LONELY) as stage:
        child = subprocess.Popen(
            ["sleep", "600"], env={**os.environ, **ENV_S1, "PWD": str(stage.root)}, stdin=subprocess.DEVNULL
        )
        try:
            kills_the_agent_alone(stage)
            assert child.poll() is None
        finally:
            child.kill()
            child.wait()


def test_roles_above_and_below_are_what_these_scenes_think(play: Play) -> None:
    below = {
        "helper": Part(program=MCP),
        "job": Part(program="bin/make", argv=("make", "-j")),
        "sh": Part(program="bin/sh"),
    }
    with play(agent=replace(LONELY, children=tuple(below)), **below) as stage:
        assert stage.roles() == {"agent": Role.BACKEND, "helper": Role.HELPER, "job": Role.WORK, "sh": Role.SHELL}
        assert stage.group_of("other").kind is GroupKind.SESSION
        assert not any(stage.is_shown(name) for name in ("terminal", "shell", "editor", "neighbour"))
