"""Agent Ring and a real Claude Code: found, judged, measured, released, resumed.

All sessions stand on one stage, started once. The tests run in this order: first they look, then they are refused, then
they end one session after the other.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.live import claude_code, proc
from tests.live.claude_code import ClaudeCode, Running
from tests.live.proc import SLOW_S, Entry, wait_until
from tests.live.product import Product, check_memory, decision, group_of, pids_of
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
    asking: Running
    stream: Running
    background: Running
    job: str

    @property
    def sessions(self) -> dict[str, Running]:
        names = ("idle", "thinking", "in_tool", "with_shell", "asking", "stream", "background")
        return {name: getattr(self, name) for name in names}

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
        asking=asking,
        stream=stream,
        background=background,
        job=job,
    )


# First look


@pytest.mark.check("found with the host's own id")
def test_each_session_is_found_under_the_hosts_own_id(stage: Stage) -> None:
    snapshot = stage.product.snapshot()
    for name, running in stage.sessions.items():
        group = group_of(snapshot, running.session_id)
        assert group["kind"] == "session", name
        assert group["host"] == HOST, name
        assert group["cwd"] == str(stage.host.scene.work), name
        assert running.pid in pids_of(group), name
    assert len({running.session_id for running in stage.sessions.values()}) == len(stage.sessions)


@pytest.mark.check("right state")
def test_each_state_is_told_rightly(stage: Stage) -> None:
    snapshot = stage.product.snapshot()
    states = {name: group_of(snapshot, running.session_id)["state"] for name, running in stage.sessions.items()}
    assert states == {
        "idle": "idle",
        "thinking": "busy",
        "in_tool": "busy",
        "with_shell": "busy",
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
    [("thinking", "open-turn"), ("in_tool", "open-turn"), ("with_shell", "busy-background-task")],
)
def test_a_busy_session_is_refused_with_the_reason(stage: Stage, name: str, reason: str) -> None:
    running = stage.sessions[name]
    before = running.processes()
    answer = stage.product.release(running.session_id)
    assert answer.code == 1, answer.words
    assert answer.json["fate"] == "refused"
    assert answer.json["reason"] == reason
    assert all(map(proc.is_alive, before))


@pytest.mark.check("waiting for permission asks first")
def test_a_session_that_waits_for_permission_is_not_released_without_a_question(stage: Stage) -> None:
    group = group_of(stage.product.snapshot(), stage.asking.session_id)
    release = decision(group, "release")
    assert (release["allowed"], release["reason"]) == ("confirm", "waiting-permission")


# Then end one after the other


@pytest.mark.check("idle released, stubborn helper gone, others untouched")
@pytest.mark.parametrize("name", ["idle", "stream"])
def test_an_idle_session_is_released_with_its_stubborn_helper(stage: Stage, name: str) -> None:
    running = stage.sessions[name]
    session_id, own, others = running.session_id, running.processes(), stage.others(running)
    assert any("--stubborn" in entry.argv for entry in own)

    answer = stage.product.release(session_id)

    assert answer.code == 0, answer.words
    outcome = answer.json
    assert outcome["fate"] == "released"
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
