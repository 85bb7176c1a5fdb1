"""Agent Ring ends by SIGKILL at each step of an action: nothing wrong was signalled, and the next one finds out."""

from __future__ import annotations

import signal
import subprocess
from dataclasses import replace

import pytest

from tests.reclaim.adversarial.conftest import Play
from tests.reclaim.adversarial.cut_short import STEPS
from tests.reclaim.adversarial.stage import AGENT, MCP, Part, Stage
from tests.trees import until
from trayapp.model.plan import Action
from trayapp.model.receipt import Fate

pytestmark = pytest.mark.linux

LONELY = Part(program=AGENT, session="s1")
ASKED = ("after the signal", "while it waits", "before the second signal", "before the receipt", "after the receipt")
"""By these steps the agent was asked to end."""
UNWRITTEN = ("before the intent", "after the receipt")
"""At these steps nothing is left open in the journal."""


def cut_short(stage: Stage, others: subprocess.Popen[str], step: str) -> None:
    assert others.stdin is not None
    assert others.stdout is not None
    others.stdin.write(f"{stage.root}\t{step}\trelease\n")
    others.stdin.flush()
    assert [others.stdout.readline() for _ in range(2)] == ["ready\n", f"{-signal.SIGKILL}\n"]


@pytest.mark.parametrize("step", STEPS)
def test_an_action_that_was_cut_short(play: Play, others: subprocess.Popen[str], step: str) -> None:
    """Only the listed agent was asked, the journal tells what was begun, and the next program acts as if alone."""
    stubborn = step == "before the second signal"
    agent = replace(LONELY, stays=stubborn)
    with play(agent=agent, helper=Part(program=MCP, stays=True)) as stage:
        stage.bystanders.add("helper")
        cut_short(stage, others, step)
        journal = stage.product.journal
        opened = journal.open_intents()
        assert len(opened) == (0 if step in UNWRITTEN else 1)
        if step in ASKED:
            until(lambda: stubborn or not stage.runs("agent"), "it does not end")
        assert stage.received() == ({"agent": ["TERM"]} if step in ASKED else {})

        found = stage.product.executor.resolve_abandoned()

        assert journal.open_intents() == ()
        assert [receipt.receipt_id for receipt in found] == [intent.receipt_id for intent in opened]
        assert stage.received() == ({"agent": ["TERM"]} if step in ASKED else {}), "looking signals nobody"
        for receipt in found:
            (outcome,) = receipt.outcomes
            runs = stage.runs("agent")
            assert outcome.fate is (Fate.SURVIVED if runs else Fate.RELEASED)
            assert (stage.identity("agent") in outcome.gone) is not runs
        if stage.runs("agent"):
            assert stage.kill(force=True).fate is Fate.ENDED
        stage.intends(agent="TERM TERM KILL" if stubborn else "TERM")


def test_a_half_written_line_is_no_action_and_stops_none(play: Play, others: subprocess.Popen[str]) -> None:
    with play(agent=LONELY) as stage:
        cut_short(stage, others, "after the intent")
        path = stage.product.journal.path
        path.write_bytes(path.read_bytes()[:-20])
        assert stage.product.journal.open_intents() == ()
        stage.intends(agent="TERM")
        assert stage.kill().fate is Fate.ENDED
        assert len(stage.product.journal.receipts(10)) == 1


def test_an_action_of_a_program_that_still_runs_is_not_taken_for_abandoned(play: Play) -> None:
    with play(agent=LONELY) as stage:
        seen: list[int] = []

        def look_meanwhile(where: str) -> None:
            if where == "after the intent":
                seen.append(len(stage.product.executor.resolve_abandoned()))

        stage.product.journal.happens = look_meanwhile
        stage.intends(agent="TERM")
        assert stage.act(stage.target(Action.KILL)).fate is Fate.ENDED
        assert seen == [0]
