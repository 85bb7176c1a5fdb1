"""What must hold for every agent in a terminal, whichever host it is: found, judged, measured, released, resumed.

A test module of a host gives a stage with sessions in the states that their names tell, and derives its class from
`LifeOfATerminal`. The tests run in this order: first they look, then they are refused, then they end one session after
the other. What a host does otherwise stands in its own class.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

from tests.live import proc
from tests.live.proc import SLOW_S, Entry, wait_until
from tests.live.product import Answer, Json, Product, check_memory, decision, group_of, pids_of
from tests.live.terminal_host import Running, TerminalHost

SHELL = "tail -f /dev/null"
"""A command that runs until somebody ends it; hosts refuse a long sleep in the foreground."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """Running sessions by the state that they were put into."""

    host: TerminalHost
    product: Product
    sessions: Mapping[str, Running]

    def __getitem__(self, name: str) -> Running:
        return self.sessions[name]

    def others(self, *ended: Running) -> list[Entry]:
        """Return what runs of all sessions but `ended` now and should go on doing so."""
        return [entry for each in self.sessions.values() if each not in ended for entry in each.lasting()]


@contextmanager
def set_up(host: TerminalHost, *names: str) -> Iterator[Stage]:
    """Start a session for each name and put it into that state; end by the host's own commands what it leaves."""
    try:
        sessions = {name: _put(host, name) for name in names}
        yield Stage(host=host, product=Product(host.scene), sessions=sessions)
    finally:
        host.close()


def _put(host: TerminalHost, name: str) -> Running:
    running = host.terminal(folder=host.scene.folder(name), asks=name == "asking")
    if name == "fresh":
        return running
    if name != "asking":
        running.complete_turn(f"SAY hello from {name}")
    match name:
        case "thinking":
            running.begin_turn("QUIET 900")
        case "in_tool":
            running.begin_turn(f"SHELL {SHELL}")
            running.wait_child("tail")
        case "with_shell":
            running.begin_turn(f"BG {SHELL}")
            running.wait_child("tail")
            running.wait_rest()
        case "asking":
            running.begin_turn("SHELL python3 -c 1")
            running.terminal.wait_for(host.QUESTION)
    return running


class LifeOfATerminal:
    """Check one host.

    Attributes:
        STATES: the state of each session on the stage.
        REFUSED: the reason with which each of them that works is refused.
        ASKS: what is said of a release of a session that waits for permission, and why.
        HEAVY_BYTES: what a released session gives back at least.
        KILLED: the session that is killed.
        ORPHAN: a word of the command that outlives a killed session, and what it is then.
    """

    STATES: ClassVar[dict[str, str]] = {
        "idle": "idle",
        "thinking": "busy",
        "in_tool": "busy",
        "with_shell": "busy",
        "asking": "waiting",
    }
    REFUSED: ClassVar[dict[str, str]] = {
        "thinking": "open-turn",
        "in_tool": "open-turn",
        "with_shell": "busy-background-task",
    }
    ASKS: ClassVar[tuple[str, str]] = ("confirm", "waiting-permission")
    HEAVY_BYTES: ClassVar[float] = 100e6
    KILLED: ClassVar[str] = "in_tool"
    ORPHAN: ClassVar[tuple[str, str]] = ("--stubborn", "orphan-helper")

    # First look

    @pytest.mark.check("found with the host's own id")
    def test_each_session_is_found_under_the_hosts_own_id(self, stage: Stage, first_look: Json) -> None:
        for name, running in stage.sessions.items():
            group = group_of(first_look, running.session_id)
            assert group["kind"] == "session", name
            assert group["host"] == stage.host.HOST, name
            assert group["cwd"] == str(running.folder), name
            assert running.pid in pids_of(group), name

    @pytest.mark.check("idle told as idle")
    def test_a_session_at_rest_is_told_as_idle(self, stage: Stage, first_look: Json) -> None:
        self.check_state(stage, first_look, "idle")

    @pytest.mark.check("a turn told as busy")
    def test_a_session_in_a_turn_is_told_as_busy(self, stage: Stage, first_look: Json) -> None:
        self.check_state(stage, first_look, "thinking")

    @pytest.mark.check("a long tool call told as busy")
    def test_a_session_in_a_long_tool_call_is_told_as_busy(self, stage: Stage, first_look: Json) -> None:
        self.check_state(stage, first_look, "in_tool")

    @pytest.mark.check("a background shell told as busy")
    def test_a_session_with_a_background_shell_is_told_as_busy(self, stage: Stage, first_look: Json) -> None:
        self.check_state(stage, first_look, "with_shell")

    @pytest.mark.check("a question told as waiting")
    def test_a_session_that_asks_is_told_as_waiting(self, stage: Stage, first_look: Json) -> None:
        self.check_state(stage, first_look, "asking")

    def check_state(self, stage: Stage, snapshot: Json, name: str) -> None:
        group = group_of(snapshot, stage[name].session_id)
        assert group["state"] == self.STATES[name], group["evidence"]

    @pytest.mark.check("memory within 2 % of /proc")
    def test_memory_equals_an_independent_sum_over_proc(self, stage: Stage) -> None:
        check_memory(stage.product, {each.session_id: each.processes() for each in stage.sessions.values()})

    # Then be refused

    @pytest.mark.check("busy refused with the reason", result="refuses rightly")
    def test_a_session_that_works_is_refused_with_the_reason(self, stage: Stage) -> None:
        before = stage.others()
        keys = {group_of(stage.product.snapshot(), stage[name].session_id)["key"]: name for name in self.REFUSED}
        answer = stage.product.call("release", *keys, "--min-idle", "0s", "--confirm", "--json")
        assert answer.code == 1, answer.words
        outcomes = {keys[outcome["key"]]: outcome for outcome in answer.json["receipt"]["outcomes"]}
        assert {name: outcome["reason"] for name, outcome in outcomes.items()} == self.REFUSED
        assert {outcome["fate"] for outcome in outcomes.values()} == {"refused"}
        assert all(map(proc.is_alive, before))

    @pytest.mark.check("waiting for permission is not released at once")
    def test_a_session_that_waits_for_permission_is_not_released_without_a_question(
        self, stage: Stage, first_look: Json
    ) -> None:
        release = decision(group_of(first_look, stage["asking"].session_id), "release")
        assert (release["allowed"], release["reason"]) == self.ASKS

    # Then end one after the other

    @pytest.mark.check("idle released, stubborn helper gone, others untouched")
    def test_an_idle_session_is_released_with_its_stubborn_helper(self, stage: Stage) -> None:
        running = stage["idle"]
        own, others = running.processes(), stage.others(running)
        answer = stage.product.release(running.session_id)
        outcome = answer.json
        answer = end_what_ignored_sigterm(stage.product, answer, own)
        assert answer.code == 0, answer.words
        assert not any(map(proc.is_alive, own))
        assert all(map(proc.is_alive, others))
        assert outcome["came_back_bytes"] > self.HEAVY_BYTES

    @pytest.mark.check("resumes by the printed command")
    def test_a_released_session_goes_on_by_the_command_in_the_journal(self, stage: Stage) -> None:
        outcome = next(each for each in outcomes_of(stage.product) if each["gone"] and each.get("resume"))
        resume = outcome["resume"]
        assert resume["cwd"] == str(stage["idle"].folder)
        again = stage.host.resume(resume["argv"], folder=Path(resume["cwd"]))
        again.complete_turn("SAY here I am again")
        session_id = stage.host.resumed_id(resume["argv"])

        def at_rest() -> Json | None:
            group = group_of(stage.product.snapshot(), session_id)
            return group if group["state"] == "idle" else None  # its log may come after the screen

        group = wait_until(at_rest, f"{session_id} at rest", timeout_s=SLOW_S)
        assert again.pid in pids_of(group)

    @pytest.mark.check("orphan of a killed session found and ended")
    def test_what_outlives_a_killed_session_is_an_orphan_and_can_be_ended(self, stage: Stage) -> None:
        killed = stage[self.KILLED]
        session_id, own, others = killed.session_id, stage.host.children(killed), stage.others(killed)
        word, kind = self.ORPHAN
        left = next(entry for entry in own if word in entry.argv)
        kill_agents(killed)

        snapshot = stage.product.snapshot()
        orphan = next(group for group in snapshot["groups"] if left.pid in pids_of(group))
        assert orphan["kind"] == kind
        assert_not_live(snapshot, session_id)

        ended = stage.product.end_orphan(left.pid)
        if word == "--stubborn":
            assert ended.code == 1, "it ignores SIGTERM, and nothing stronger was agreed to"
            assert left.pid in {survivor["pid"] for survivor in ended.json["survived"]}
            ended = stage.product.kill(left.pid)
        assert ended.code == 0, ended.words
        assert not proc.is_alive(left)
        assert all(map(proc.is_alive, others))


def kill_agents(running: Running) -> None:
    """End the programs of one session at once, the innermost first, and leave alone what they started."""
    agents = running.agents()
    for entry in reversed(agents):
        if proc.is_alive(entry):
            os.kill(entry.pid, signal.SIGKILL)
    wait_until(lambda: not any(map(proc.is_alive, agents)), "the killed session gone", timeout_s=SLOW_S)


def assert_not_live(snapshot: Json, session_id: str) -> None:
    """The record that a killed session left behind must not be taken for one that lives."""
    groups = [group for group in snapshot["groups"] if group.get("session_id") == session_id]
    live = [group for group in groups if group["kind"] == "session" and group.get("state") != "ended"]
    assert not live, live


def end_what_ignored_sigterm(product: Product, answer: Answer, own: Sequence[Entry]) -> Answer:
    """Return the answer to a release; what survived may only be a stubborn helper, ended after a second question."""
    if answer.json["fate"] != "survived":
        assert answer.json["fate"] == "released", answer.words
        return answer
    (left,) = answer.json["survived"]
    assert "--stubborn" in next(entry for entry in own if entry.pid == left["pid"]).argv
    return product.kill(left["pid"])


def outcomes_of(product: Product) -> list[Json]:
    """Return the outcomes in the journal, newest first."""
    answer = product.call("journal", "--json")
    assert answer.code == 0, answer.words
    return [outcome for receipt in answer.json["receipts"] for outcome in receipt["outcomes"]]
