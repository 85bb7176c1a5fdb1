"""Agent Ring and a real OpenCode: `serve` over its API, the terminal UI from its database.

One stage, three hosts: a server with one idle session, a server whose sessions work and wait, and a terminal. Each runs
in a folder of its own, as nothing else tells whose session a terminal shows. The tests run in this order.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.live import opencode, proc
from tests.live.opencode import ASKED_FOR, OpenCode, Server
from tests.live.proc import SLOW_S, Entry, wait_until
from tests.live.product import Product, check_memory, decision, group_of, pids_of
from tests.live.scene import Scene, Terminal

pytestmark = [pytest.mark.live, pytest.mark.linux]

HOST = opencode.HOST
NOT_HERE = {"a background shell told as busy": "it has none"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """The three hosts and the ids of their sessions."""

    host: OpenCode
    product: Product
    quiet: Server
    idle: str
    loud: Server
    working: str
    asking: str
    terminal: Terminal
    typed: str

    def others(self, *ended: int) -> list[Entry]:
        """Return the processes of all hosts but `ended` that run now."""
        return [
            entry
            for pid in (self.quiet.pid, self.loud.pid, self.terminal.pid)
            if pid not in ended
            for entry in proc.tree(pid)
        ]


@pytest.fixture(scope="module")
def stage(scene: Scene, executable: Path) -> Stage:
    host = OpenCode(scene, executable)
    quiet = host.serve(scene.folder("quiet"))
    idle = quiet.new_session()
    quiet.complete_turn(idle)

    loud = host.serve(scene.folder("loud"))
    working = loud.new_session()
    loud.prompt(working, "SHELL tail -f /dev/null")
    asking = loud.new_session()
    loud.prompt(asking, f"SHELL {ASKED_FOR} something")
    wait_until(loud.permissions, "a question for permission", timeout_s=SLOW_S)
    _wait_child(loud.pid, "tail")

    terminal = host.terminal(folder=scene.folder("typed"))
    terminal.type("SHELL tail -f /dev/null")
    terminal.wait_for("esc interrupt")
    _wait_child(terminal.pid, "tail")
    (typed,) = host.sessions(scene.folder("typed"))
    host.wait_settled(3)
    return Stage(
        host=host,
        product=Product(scene),
        quiet=quiet,
        idle=idle,
        loud=loud,
        working=working,
        asking=asking,
        terminal=terminal,
        typed=typed,
    )


def _wait_child(pid: int, program: str) -> Entry:
    return wait_until(
        lambda: next((e for e in proc.tree(pid) if e.argv and Path(e.argv[0]).name == program), None),
        f"{program} below {pid}",
        timeout_s=SLOW_S,
    )


# First look


@pytest.mark.check("found with the host's own id")
def test_each_session_is_found_under_the_hosts_own_id(stage: Stage) -> None:
    snapshot = stage.product.snapshot()
    for session_id in (stage.idle, stage.working, stage.asking, stage.typed):
        group = group_of(snapshot, session_id)
        assert group["kind"] == "session"
        assert group["host"] == HOST
    assert stage.quiet.pid in pids_of(group_of(snapshot, stage.idle))
    assert stage.terminal.pid in pids_of(group_of(snapshot, stage.typed))


@pytest.mark.check("idle told as idle")
@pytest.mark.check("a long tool call told as busy")
@pytest.mark.check("a question told as waiting")
def test_each_state_is_told_rightly(stage: Stage) -> None:
    snapshot = stage.product.snapshot()
    told = {name: group_of(snapshot, getattr(stage, name))["state"] for name in ("idle", "working", "asking", "typed")}
    assert told == {"idle": "idle", "working": "busy", "asking": "waiting", "typed": "busy"}


@pytest.mark.check("memory within 2 % of /proc")
def test_memory_equals_an_independent_sum_over_proc(stage: Stage) -> None:
    check_memory(stage.product, {stage.idle: proc.tree(stage.quiet.pid), stage.typed: proc.tree(stage.terminal.pid)})


# Then be refused


@pytest.mark.check("busy refused with the reason", result="refuses rightly")
def test_a_busy_terminal_is_refused_with_the_reason(stage: Stage) -> None:
    before = proc.tree(stage.terminal.pid)
    answer = stage.product.release(stage.typed)
    assert answer.code == 1, answer.words
    assert answer.json["fate"] == "refused"
    assert answer.json["reason"] == "open-turn"
    assert all(map(proc.is_alive, before))


@pytest.mark.check("session on a server that works is refused", result="refuses rightly")
def test_a_busy_session_of_a_server_is_refused_and_the_server_stays(stage: Stage) -> None:
    before = proc.tree(stage.loud.pid)
    answer = stage.product.release(stage.working)
    assert answer.code == 1, answer.words
    assert answer.json["fate"] == "refused"
    assert all(map(proc.is_alive, before))
    assert stage.loud.status()[stage.working]["type"] == "busy"


@pytest.mark.check("waiting for permission is not released at once")
def test_a_session_that_waits_for_permission_is_not_released_at_once(stage: Stage) -> None:
    release = decision(group_of(stage.product.snapshot(), stage.asking), "release")
    assert release["allowed"] != "allow"
    assert [each["sessionID"] for each in stage.loud.permissions()] == [stage.asking]


# Then end one after the other


@pytest.mark.check("idle released, stubborn helper gone, others untouched")
def test_an_idle_server_is_released_with_its_stubborn_helper(stage: Stage) -> None:
    own, others = proc.tree(stage.quiet.pid), stage.others(stage.quiet.pid)
    assert any("--stubborn" in entry.argv for entry in own)

    answer = stage.product.release(stage.idle)

    assert answer.code == 0, answer.words
    assert answer.json["fate"] == "released"
    assert not any(map(proc.is_alive, own))
    assert all(map(proc.is_alive, others))
    assert answer.json["came_back_bytes"] > 300e6


@pytest.mark.check("resumes by the printed command")
def test_a_released_session_goes_on_by_the_command_in_the_journal(stage: Stage) -> None:
    resume = stage.product.last_released()["resume"]
    events = stage.host.resume(resume["argv"], "SAY here I am again", cwd=Path(resume["cwd"]))
    assert {event["sessionID"] for event in events} == {stage.idle}
    assert any(event["type"] == "text" for event in events)


@pytest.mark.check("terminal with an interrupted turn released")
def test_a_terminal_whose_turn_was_interrupted_is_idle_and_released(stage: Stage) -> None:
    tool = next(entry for entry in proc.tree(stage.terminal.pid) if "tail" in entry.argv)
    stage.terminal.press("Escape")
    stage.terminal.wait_for("again to interrupt")
    stage.terminal.press("Escape")
    wait_until(lambda: not proc.is_alive(tool), "the interrupted command gone", timeout_s=SLOW_S)
    own, others = proc.tree(stage.terminal.pid), stage.others(stage.terminal.pid)

    answer = stage.product.release(stage.typed)

    if answer.json["fate"] == "survived":
        # On a slow machine the host gives its stubborn helper up before it has ended it: told, and ended by a second
        # answer alone.
        (mule,) = (entry for entry in own if "--stubborn" in entry.argv)
        assert [survivor["pid"] for survivor in answer.json["survived"]] == [mule.pid]
        assert answer.code == 1
        answer = stage.product.kill(mule.pid)
    assert answer.code == 0, answer.words
    assert not any(map(proc.is_alive, own))
    assert all(map(proc.is_alive, others))
