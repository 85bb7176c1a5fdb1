"""Agent Ring and a real Claude Code: found, judged, measured, released, resumed.

All sessions stand on one stage, started once. The tests run in this order: first they look, then they are refused, then
they end one session after the other.
"""

from __future__ import annotations

import os
import re
import signal
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

import pytest

from tests.live import claude_code, proc
from tests.live.claude_code import ClaudeCode, Running
from tests.live.proc import SLOW_S, Entry, wait_until
from tests.live.product import Json, Product, check_memory, decision, group_of, pids_of
from tests.live.scene import Scene

pytestmark = [pytest.mark.live, pytest.mark.linux]

HOST = claude_code.HOST


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """The sessions, each in the state that its name tells."""

    host: ClaudeCode
    product: Product
    idle: Running
    thinking: Running
    in_tool: Running
    with_shell: Running
    with_agent: Running
    awaiting_agent: Running
    in_loop: Running
    with_job: Running
    asking: Running
    stream: Running
    background: Running
    job: str

    @property
    def sessions(self) -> dict[str, Running]:
        return {field.name: each for field in fields(self) if isinstance(each := getattr(self, field.name), Running)}

    def others(self, *ended: Running) -> list[Entry]:
        """Return the processes of all sessions but `ended` that run now."""
        alive = [each for each in self.sessions.values() if each not in ended and proc.tree(each.pid)]
        return [entry for each in alive for entry in each.processes()]


@pytest.fixture(scope="module")
def stage(scene: Scene, executable: Path) -> Iterator[Stage]:
    host = ClaudeCode(scene, executable)
    try:
        yield _set(host)
    finally:
        host.close()


def _set(host: ClaudeCode) -> Stage:
    idle = host.terminal()
    idle.complete_turn()
    thinking = host.terminal()
    thinking.say("QUIET 900")
    thinking.wait_status("busy")
    in_tool = host.terminal()
    in_tool.say("SHELL tail -f /dev/null")  # a long sleep in the foreground is refused by the host itself
    in_tool.wait_child("tail")
    with_shell = host.terminal()
    with_shell.say("BG sleep 900")
    with_shell.wait_status("shell")
    with_agent = host.terminal()
    with_agent.say(_agent_that("QUIET 901"))
    with_agent.wait_agent("QUIET 901")
    awaiting_agent = host.terminal(waits_for_agents=True)
    awaiting_agent.say(_agent_that("QUIET 902"))
    awaiting_agent.wait_agent("QUIET 902")
    in_loop = host.terminal()
    in_loop.complete_turn(
        'TOOL ScheduleWakeup {"delaySeconds": 3000, "reason": "look", "prompt": "SAY up", "noop": true}'
    )
    with_job = host.terminal()
    with_job.complete_turn('TOOL CronCreate {"cron": "7 3 * * *", "prompt": "SAY up"}')
    asking = host.terminal(asks=True)
    asking.say("SHELL python3 -c 1")
    asking.wait_status("waiting")
    stream = host.stream()
    stream.complete_turn("SAY hello from a pipe")
    job, background = host.background("SAY hello from behind")
    return Stage(
        host=host,
        product=Product(host.scene),
        idle=idle,
        thinking=thinking,
        in_tool=in_tool,
        with_shell=with_shell,
        with_agent=with_agent,
        awaiting_agent=awaiting_agent,
        in_loop=in_loop,
        with_job=with_job,
        asking=asking,
        stream=stream,
        background=background,
        job=job,
    )


@pytest.fixture(scope="module")
def first_look(stage: Stage) -> Json:
    """Return what Agent Ring saw before anything was asked of it."""
    return stage.product.snapshot()


def _agent_that(prompt: str) -> str:
    return f'TOOL Agent {{"description": "look around", "prompt": "{prompt}"}}'


# First look


@pytest.mark.check("found with the host's own id")
def test_each_session_is_found_under_the_hosts_own_id(stage: Stage, first_look: Json) -> None:
    for name, running in stage.sessions.items():
        group = group_of(first_look, running.session_id)
        assert group["kind"] == "session", name
        assert group["host"] == HOST, name
        assert group["cwd"] == str(stage.host.scene.work), name
        assert running.pid in pids_of(group), name
    assert len({running.session_id for running in stage.sessions.values()}) == len(stage.sessions)


@pytest.mark.check("idle told as idle")
@pytest.mark.check("a turn told as busy")
@pytest.mark.check("a long tool call told as busy")
@pytest.mark.check("a background shell told as busy")
@pytest.mark.check("a question told as waiting")
def test_each_state_is_told_rightly(stage: Stage, first_look: Json) -> None:
    states = {name: group_of(first_look, running.session_id)["state"] for name, running in stage.sessions.items()}
    assert states == {
        "idle": "idle",
        "thinking": "busy",
        "in_tool": "busy",
        "with_shell": "busy",
        "with_agent": "busy",
        "awaiting_agent": "busy",
        "in_loop": "idle",
        "with_job": "idle",
        "asking": "waiting",
        "stream": "idle",
        "background": "idle",
    }


@pytest.mark.check("memory within 2 % of /proc")
def test_memory_equals_an_independent_sum_over_proc(stage: Stage) -> None:
    check_memory(stage.product, {each.session_id: each.processes() for each in stage.sessions.values()})


# Then be refused


@pytest.mark.check("busy refused with the reason", result="refuses rightly")
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("thinking", "open-turn"),
        ("in_tool", "open-turn"),
        ("with_shell", "busy-background-task"),
        ("with_agent", "busy-subagent"),
        ("awaiting_agent", "busy-subagent"),
    ],
)
def test_a_busy_session_is_refused_with_the_reason(stage: Stage, name: str, reason: str) -> None:
    running = stage.sessions[name]
    before = running.processes()
    answer = stage.product.release(running.session_id)
    assert answer.code == 1, answer.words
    assert answer.json["fate"] == "refused"
    assert answer.json["reason"] == reason
    assert all(map(proc.is_alive, before))


@pytest.mark.check("subagents are known by their logs")
@pytest.mark.parametrize(("name", "prompt"), [("with_agent", "QUIET 901"), ("awaiting_agent", "QUIET 902")])
def test_a_subagent_is_known_by_a_log_of_its_own_beside_the_sessions(
    stage: Stage, first_look: Json, name: str, prompt: str
) -> None:
    running = stage.sessions[name]
    log = running.wait_agent(prompt)
    assert all(record["isSidechain"] for record in log if record["type"] in ("user", "assistant"))
    group = group_of(first_look, running.session_id)
    facts = {told["fact"] for told in group["evidence"] if told["kind"] == "subagent" and told["speaks_for"] == "busy"}
    awaited = {"A subagent has not answered yet"} if name == "awaiting_agent" else set()
    assert facts == {"A subagent is at work", *awaited}


@pytest.mark.check("planned wake-up asks first, never without a person")
@pytest.mark.parametrize(("name", "due"), [("in_loop", True), ("with_job", False)])
def test_a_session_that_will_wake_up_by_itself_is_not_released_without_a_question(
    stage: Stage, first_look: Json, name: str, due: bool
) -> None:
    running = stage.sessions[name]
    group = group_of(first_look, running.session_id)
    release, unattended = decision(group, "release"), decision(group, "auto-clean")
    assert (release["allowed"], release["reason"]) == ("confirm", "pending-wakeup")
    assert (unattended["allowed"], unattended["reason"]) == ("refuse", "pending-wakeup")
    (told,) = [evidence["fact"] for evidence in group["evidence"] if evidence["kind"] == "wakeup"]
    assert re.fullmatch("It will wake up by itself" + (" at [0-9]{2}:[0-9]{2}" if due else ""), told)


@pytest.mark.check("waiting for permission is not released at once")
def test_a_session_that_waits_for_permission_is_not_released_without_a_question(stage: Stage, first_look: Json) -> None:
    group = group_of(first_look, stage.asking.session_id)
    release = decision(group, "release")
    assert (release["allowed"], release["reason"]) == ("confirm", "waiting-permission")


@pytest.mark.check("refusals told in plain words")
def test_each_refusal_is_told_in_words(stage: Stage) -> None:
    """The list is agreed to; nobody is there to answer the questions that name a loss, so that those are refused."""
    refused = ("thinking", "in_tool", "with_shell", "with_agent", "awaiting_agent", "in_loop", "with_job", "asking")
    before = [entry for name in refused for entry in stage.sessions[name].processes()]
    ids = [stage.sessions[name].session_id for name in refused]
    answer = stage.product.call("release", *ids, "--min-idle", "0s", "--yes")
    assert answer.code == 1, answer.words
    words = re.sub(r"[0-9]{2}:[0-9]{2}", "HH:MM", answer.words)
    words = words.replace("sleep, zsh", "bash, sleep")  # the host takes the user's zsh where there is one
    assert Counter(re.findall("work: Not released: (.*)", words)) == {
        "a turn is running": 2,
        "a background task is running: bash, sleep": 1,
        "a subagent is working": 2,
        "it will wake up by itself at HH:MM": 1,
        "it will wake up by itself": 1,
        "it waits for your answer": 1,
    }
    assert all(map(proc.is_alive, before))


# Then end one after the other


@pytest.mark.check("a wake-up that was called off protects no longer")
def test_a_loop_that_was_stopped_is_idle_like_any_other(stage: Stage) -> None:
    stage.in_loop.complete_turn('TOOL ScheduleWakeup {"stop": true}')
    group = group_of(stage.product.snapshot(), stage.in_loop.session_id)
    assert "wakeup" not in {evidence["kind"] for evidence in group["evidence"]}
    assert decision(group, "release")["reason"] != "pending-wakeup"


@pytest.mark.check("idle released, stubborn helper gone, others untouched")
@pytest.mark.parametrize("name", ["idle", "stream"])
def test_an_idle_session_is_released_with_its_stubborn_helper(stage: Stage, name: str) -> None:
    running = stage.sessions[name]
    session_id, own, others = running.session_id, running.processes(), stage.others(running)
    assert any("--stubborn" in entry.argv for entry in own)

    answer = stage.product.release(session_id)

    outcome = answer.json
    if outcome["fate"] == "survived":
        # under load the host sometimes ends before it has ended a helper that ignores SIGTERM (1 of 34 releases)
        (left,) = outcome["survived"]
        assert "--stubborn" in next(entry for entry in own if entry.pid == left["pid"]).argv
        answer = stage.product.kill(left["pid"])
    else:
        assert outcome["fate"] == "released"
    assert answer.code == 0, answer.words
    assert not any(map(proc.is_alive, own))
    assert all(map(proc.is_alive, others))
    assert outcome["came_back_bytes"] > 100e6
    assert running.record() == {}, "the host has taken its record away itself"


@pytest.mark.check("resumes by the printed command")
def test_a_released_session_goes_on_by_the_command_in_the_journal(stage: Stage) -> None:
    resume = stage.product.last_released()["resume"]
    session_id = stage.host.resume(resume["argv"], "SAY here I am again")
    assert session_id == resume["argv"][-1]
    asked = stage.host.scene.server.log.matching(lambda a: a.prompt.endswith("SAY here I am again"))
    assert asked, "the model was asked"


@pytest.mark.check("a job protects the resumed session again")
def test_a_session_with_a_job_has_it_again_when_it_is_resumed(stage: Stage) -> None:
    session_id = stage.with_job.session_id
    answer = stage.product.release(session_id)
    assert answer.code == 0, answer.words

    again = stage.host.terminal("--resume", session_id)
    group = group_of(stage.product.snapshot(), session_id)
    assert again.pid in pids_of(group)
    assert decision(group, "release")["reason"] == "pending-wakeup"
    again.complete_turn("TOOL CronList {}")
    assert [job["cron"] for job in again.last_answer()["jobs"]] == ["7 3 * * *"]


@pytest.mark.check("background session ended by the host's own command")
def test_a_background_session_is_ended_by_claude_stop_and_stays_ended(stage: Stage) -> None:
    own, others = stage.background.processes(), stage.others(stage.background)
    daemon = [entry for entry in stage.host.scene.processes() if "daemon" in entry.argv]
    assert len(daemon) == 1

    answer = stage.product.release(stage.background.session_id)

    assert answer.code == 0, answer.words
    outcome = answer.json
    assert not any("SIG" in step for step in outcome["steps"]), "its daemon would start it again after a signal"
    assert not any(map(proc.is_alive, own))
    assert all(map(proc.is_alive, [*others, *daemon]))
    job = next(job for job in stage.host.jobs() if job.get("id") == stage.job)
    assert job["state"] == "stopped"


@pytest.mark.check("orphan of a killed session found and ended")
def test_a_helper_that_outlives_its_killed_session_is_an_orphan_and_can_be_ended(stage: Stage) -> None:
    own, others = stage.thinking.processes(), stage.others(stage.thinking)
    session = next(entry for entry in own if entry.pid == stage.thinking.pid)
    mule = next(entry for entry in own if "--stubborn" in entry.argv)
    os.kill(session.pid, signal.SIGKILL)
    wait_until(lambda: not proc.is_alive(session), "the killed session gone", timeout_s=SLOW_S)
    assert proc.is_alive(mule)

    groups = stage.product.snapshot()["groups"]
    orphan = next(group for group in groups if mule.pid in pids_of(group))
    assert orphan["kind"] == "orphan-helper"
    assert decision(orphan, "end-orphan")["allowed"] == "allow"

    asked = stage.product.end_orphan(mule.pid)
    assert asked.code == 1, "it ignores SIGTERM, and nothing stronger was agreed to"
    assert [survivor["pid"] for survivor in asked.json["survived"]] == [mule.pid]

    killed = stage.product.kill(mule.pid)
    assert killed.code == 0, killed.words
    assert killed.json["fate"] == "ended"
    assert not proc.is_alive(mule)
    assert all(map(proc.is_alive, others))
