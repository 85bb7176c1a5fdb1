"""Agent Ring and real Codex runs of their own: idle, in a turn, in a tool, in the background, asking, after a SIGKILL.

One stage, five terminals, each in a folder of its own. The tests run in this order.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.live import codex, proc
from tests.live.codex import ASK, ESCALATED, Codex, Run
from tests.live.proc import SLOW_S, Entry, wait_until
from tests.live.product import Product, check_memory, decision, group_of, pids_of
from tests.live.scene import Scene

pytestmark = [pytest.mark.live, pytest.mark.linux]

HOST = codex.HOST
NOT_HERE = {"a question told as waiting": "no file of it tells a question from a running call"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """The runs, and the ids of their threads by the names of their folders."""

    host: Codex
    product: Product
    runs: dict[str, Run]
    ids: dict[str, str]

    def others(self, *ended: str) -> list[Entry]:
        """Return the processes of all runs but `ended`."""
        return [entry for name, run in self.runs.items() if name not in ended for entry in run.processes()]


@pytest.fixture(scope="module")
def stage(scene: Scene, executable: Path) -> Iterator[Stage]:
    host = Codex(scene, executable)
    runs = {name: host.alone(folder=scene.folder(name)) for name in ("idle", "turn", "tool", "background")}
    runs["asking"] = host.alone(*ASK, folder=scene.folder("asking"))
    runs["idle"].complete_turn()
    runs["turn"].complete_turn()
    runs["turn"].say("QUIET 900")
    runs["tool"].say("SHELL tail -f /dev/null")
    runs["tool"].wait_child("tail")
    runs["background"].complete_turn("BG tail -f /dev/null")
    runs["background"].wait_child("tail")
    runs["asking"].terminal.type(ESCALATED)
    runs["asking"].terminal.wait_for("Would you like to run")
    for run in runs.values():
        run.wait_helpers()
    ids = {name: host.session_id(run.folder) for name, run in runs.items()}
    yield Stage(host=host, product=Product(scene), runs=runs, ids=ids)
    host.close()


# First look


@pytest.mark.check("found with the host's own id")
def test_each_run_is_found_under_the_hosts_own_id(stage: Stage) -> None:
    snapshot = stage.product.snapshot()
    for name, run in stage.runs.items():
        group = group_of(snapshot, stage.ids[name])
        assert (group["kind"], group["host"], group["cwd"]) == ("session", HOST, str(run.folder))
        assert pids_of(group) == {entry.pid for entry in run.processes()}, name


@pytest.mark.check("idle told as idle")
@pytest.mark.check("a turn told as busy")
@pytest.mark.check("a long tool call told as busy")
@pytest.mark.check("a background shell told as busy")
def test_each_state_is_told_rightly(stage: Stage) -> None:
    snapshot = stage.product.snapshot()
    told = {name: group_of(snapshot, session_id)["state"] for name, session_id in stage.ids.items()}
    # an open question is in no file of it, only an open call that no process runs
    assert told == {"idle": "idle", "turn": "busy", "tool": "busy", "background": "busy", "asking": "unknown"}


@pytest.mark.check("model, tokens and title told")
def test_model_and_tokens_are_those_of_its_log(stage: Stage) -> None:
    group = group_of(stage.product.snapshot(), stage.ids["idle"])
    usage = [r["payload"] for r in stage.host.records(stage.runs["idle"].folder) if r["type"] == "token_usage_record"]
    assert (group["model"], group["tokens"]) == ("m1", usage[-1]["thread_token_usage"]["total_tokens"])
    assert group["title"] in ("SAY hello", "A title")


@pytest.mark.check("its helpers are told from its work")
def test_mcp_servers_are_helpers_and_a_tool_is_work(stage: Stage) -> None:
    roles = {p["role"] for p in group_of(stage.product.snapshot(), stage.ids["tool"])["processes"]}
    assert roles == {"backend", "wrapper", "helper", "work"}
    idle = [p["role"] for p in group_of(stage.product.snapshot(), stage.ids["idle"])["processes"]]
    assert sorted(idle) == ["backend", "helper", "helper", "wrapper"]


@pytest.mark.check("memory within 2 % of /proc")
def test_memory_equals_an_independent_sum_over_proc(stage: Stage) -> None:
    check_memory(stage.product, {stage.ids[name]: stage.runs[name].processes() for name in ("idle", "background")})


# Then be refused


@pytest.mark.check("busy refused with the reason", result="refuses rightly")
@pytest.mark.parametrize(
    ("name", "reason"), [("turn", "open-turn"), ("tool", "open-turn"), ("background", "busy-background-task")]
)
def test_what_works_is_refused_with_the_reason(stage: Stage, name: str, reason: str) -> None:
    before = stage.others()
    answer = stage.product.release(stage.ids[name])
    assert answer.code == 1, answer.words
    assert (answer.json["fate"], answer.json["reason"]) == ("refused", reason)
    assert all(map(proc.is_alive, before))


@pytest.mark.check("waiting for permission is not released at once", result="refuses rightly")
def test_a_run_that_waits_for_permission_is_not_released(stage: Stage) -> None:
    assert decision(group_of(stage.product.snapshot(), stage.ids["asking"]), "release")["allowed"] != "allow"
    assert stage.product.release(stage.ids["asking"]).json["fate"] == "refused"
    assert "Would you like to run" in stage.runs["asking"].terminal.screen()


# Then end one after the other


@pytest.mark.check("idle released, stubborn helper gone, others untouched")
def test_an_idle_run_is_released_and_its_stubborn_helper_takes_a_second_answer(stage: Stage) -> None:
    own, others = stage.runs["idle"].processes(), stage.others("idle")
    (mule,) = (entry for entry in own if "--stubborn" in entry.argv)

    answer = stage.product.release(stage.ids["idle"])

    # it ends its servers' input and nothing more: one that ignores that and SIGTERM is left
    assert [survivor["pid"] for survivor in answer.json["survived"]] == [mule.pid], answer.words
    assert [entry.pid for entry in own if proc.is_alive(entry)] == [mule.pid]
    assert stage.product.kill(mule.pid).code == 0
    assert not proc.is_alive(mule)
    assert all(map(proc.is_alive, others))


@pytest.mark.check("resumes by the printed command")
def test_a_released_run_goes_on_by_the_command_in_the_journal(stage: Stage) -> None:
    receipts = stage.product.call("journal", "--json").json["receipts"]
    outcomes = [outcome for receipt in receipts for outcome in receipt["outcomes"]]
    resume = next(o["resume"] for o in outcomes if o["action"] == "release" and o["gone"])
    assert resume["argv"] == ["codex", "resume", stage.ids["idle"]]
    run = stage.host.alone(*resume["argv"][1:], folder=Path(resume["cwd"]))
    run.terminal.wait_for("hello")
    run.complete_turn("SAY here I am again")
    assert stage.host.session_id(run.folder) == stage.ids["idle"]
    stage.runs["idle"] = run


@pytest.mark.check("app-server of an editor: asks first, never a signal to the editor")
def test_a_server_of_an_editor_is_released_after_a_question_and_the_editor_goes_on(stage: Stage) -> None:
    folder = stage.host.scene.folder("edited")
    editor = stage.host.editor(folder)
    session_id = stage.host.session_id(folder)
    group = group_of(stage.product.snapshot(), session_id)
    own = [entry for entry in proc.tree(editor.pid) if entry.pid != editor.pid]
    roles = {process["pid"]: process["role"] for process in group["processes"]}
    assert roles.keys() == {editor.pid, *(entry.pid for entry in own)}
    assert (roles[editor.pid], group["state"]) == ("launcher", "idle")  # counted with its agent, never ended
    release = decision(group, "release")
    assert (release["allowed"], release["reason"]) == ("confirm", "attached-terminal")

    answer = stage.product.release(session_id)

    assert answer.json["fate"] == "released", answer.words
    assert not any(map(proc.is_alive, own))  # the stubborn helper too: a server without a terminal ends it
    editor.wait_for("the server ended")


@pytest.mark.check("a second thread of one run")
def test_a_run_is_the_thread_that_was_used_last(stage: Stage) -> None:
    run, text = stage.runs["idle"], "SAY something else"
    before = set((stage.host.root / "sessions").rglob("rollout-*.jsonl"))
    run.terminal.type("/new")
    wait_until(lambda: "here I am again" not in run.terminal.screen(), "an empty screen", timeout_s=SLOW_S)
    run.terminal.type(text)

    def asked() -> bool:
        """Press Enter until it is taken: while the new thread is set up it is not."""
        if not stage.host.times_asked(text):
            run.terminal.press("Enter")
        return bool(stage.host.times_asked(text))

    wait_until(asked, "a turn in the new thread", timeout_s=SLOW_S, every_s=1.0)
    fresh = wait_until(
        lambda: set((stage.host.root / "sessions").rglob("rollout-*.jsonl")) - before, "its log", timeout_s=SLOW_S
    )
    (path,) = fresh
    wait_until(lambda: "task_complete" in path.read_text(), "the end of the turn", timeout_s=SLOW_S)
    snapshot = stage.product.snapshot()
    group = group_of(snapshot, path.stem[-36:])
    assert run.native.pid in pids_of(group)
    assert group["state"] == "idle"
    assert stage.ids["idle"] not in {each.get("session_id") for each in snapshot["groups"]}


@pytest.mark.check("orphan of a killed session found and ended")
def test_after_a_sigkill_the_stubborn_helper_is_an_orphan_and_can_be_ended(stage: Stage) -> None:
    stage.product.snapshot()  # whose it was is seen while its host lives
    run = stage.runs["turn"]
    native = run.native
    (mule,) = (entry for entry in stage.host.helpers(run.pid) if "--stubborn" in entry.argv)
    os.kill(native.pid, signal.SIGKILL)
    wait_until(lambda: not proc.is_alive(native), "the run gone", timeout_s=SLOW_S)

    groups = stage.product.snapshot()["groups"]

    assert stage.ids["turn"] not in {group.get("session_id") for group in groups if group["processes"]}
    (orphan,) = (group for group in groups if mule.pid in pids_of(group))
    assert orphan["kind"] == "orphan-helper"
    stage.product.end_orphan(mule.pid)
    if proc.is_alive(mule):  # it ignores SIGTERM, and SIGKILL takes a second answer
        stage.product.kill(mule.pid)
    assert not proc.is_alive(mule)


@pytest.mark.check("a turn that was cut off is not taken for one that runs")
def test_a_thread_that_was_killed_in_a_turn_is_idle_when_it_is_resumed(stage: Stage) -> None:
    run = stage.host.alone("resume", stage.ids["turn"], folder=stage.runs["turn"].folder)
    stage.runs["turn"] = run
    wait_until(
        lambda: group_of(stage.product.snapshot(), stage.ids["turn"])["state"] == "idle", "idle", timeout_s=SLOW_S
    )
