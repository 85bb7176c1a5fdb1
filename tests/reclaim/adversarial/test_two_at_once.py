"""Two who act at once, on one thing or on two: everything is done once, and by nobody's mistake twice."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from tests.reclaim.adversarial.conftest import Play
from tests.reclaim.adversarial.host import CALL_STEP, TERM_STEP, StageHost
from tests.reclaim.adversarial.product import Product, once
from tests.reclaim.adversarial.stage import AGENT, DEADLINE_S, MCP, S1, Part, Stage
from tests.trees import target_of, until
from trayapp.hosts.base import CallResult
from trayapp.model.plan import Action
from trayapp.model.receipt import Fate, Progress, Receipt
from trayapp.model.session import SessionFact

pytestmark = pytest.mark.linux

LONELY = Part(program=AGENT, session="s1")
THIRD = Part(program=AGENT, session="s3")
S3 = "fake-agent:s3"


@contextmanager
def another(stage: Stage) -> Iterator[Product]:
    """Yield a second Agent Ring that shares settings and journal with the first."""
    second = Product(stage.root, StageHost())
    second.start()
    try:
        yield second
    finally:
        second.stop()


def fates(*receipts: Receipt) -> list[Fate]:
    return sorted(outcome.fate for receipt in receipts for outcome in receipt.outcomes)


@pytest.mark.parametrize("action", [Action.RELEASE, Action.KILL])
def test_two_clicks_on_one_target_signal_it_once(play: Play, action: Action) -> None:
    with play(agent=LONELY) as stage:
        target = stage.target(action)
        both = [stage.product.begin([target]) for _ in range(2)]
        stage.intends(agent="TERM")
        done = Fate.RELEASED if action is Action.RELEASE else Fate.ENDED
        assert fates(*(each.result(60) for each in both)) == sorted([done, Fate.ALREADY_GONE])


@pytest.mark.parametrize("action", [Action.RELEASE, Action.KILL])
def test_two_executors_with_one_target_signal_it_once(play: Play, action: Action) -> None:
    with play(agent=LONELY) as stage, another(stage) as second:
        target = stage.target(action)
        second.look()
        both = [product.begin([target]) for product in (stage.product, second)]
        stage.intends(agent="TERM")
        done = Fate.RELEASED if action is Action.RELEASE else Fate.ENDED
        assert fates(*(each.result(60) for each in both)) == sorted([done, Fate.ALREADY_GONE])


def test_two_executors_force_a_stubborn_target_once(play: Play) -> None:
    with play(agent=replace(LONELY, stays=True)) as stage, another(stage) as second:
        target = stage.target(Action.KILL, force=True)
        both = [product.begin([target]) for product in (stage.product, second)]
        stage.intends(agent="TERM KILL")
        assert fates(*(each.result(60) for each in both)) == sorted([Fate.ENDED, Fate.ALREADY_GONE])


def test_two_executors_with_two_targets_end_each_its_own(play: Play) -> None:
    with play(agent=LONELY, third=THIRD) as stage, another(stage) as second:
        first = stage.product.begin([stage.target(Action.KILL)])
        other = second.begin([target_of(second.look(), S3, Action.KILL, confirmed=True)])
        stage.intends(agent="TERM", third="TERM")
        assert fates(first.result(60), other.result(60)) == [Fate.ENDED, Fate.ENDED]


def test_a_release_and_a_kill_at_once_ask_everybody_once(play: Play) -> None:
    agent = replace(LONELY, children=("helper",))
    with play(agent=agent, helper=Part(program=MCP, ends_with_input=True)) as stage, another(stage) as second:
        release = stage.target(Action.RELEASE, confirmed=False)
        kill = target_of(second.look(), S1, Action.KILL, confirmed=True)
        stage.allows(helper="TERM")
        stage.intends(agent="TERM")
        both = (stage.product.begin([release]), second.begin([kill]))
        assert Fate.REFUSED not in fates(*(each.result(60) for each in both))


def test_who_comes_second_waits_until_the_first_is_through(play: Play) -> None:
    with play(agent=replace(LONELY, stays=True)) as stage, another(stage) as second:
        target = stage.target(Action.KILL, force=True)
        waiting, go_on = threading.Event(), threading.Event()

        def pause(_progress: Progress) -> None:
            waiting.set()
            go_on.wait(DEADLINE_S)

        stage.product.during_progress = pause
        first = stage.product.begin([target])
        assert waiting.wait(DEADLINE_S)
        other = second.begin([target])
        until(lambda: stage.received() == {"agent": ["TERM"]}, "it is not asked")
        go_on.set()
        stage.intends(agent="TERM KILL")
        assert fates(first.result(60), other.result(60)) == sorted([Fate.ENDED, Fate.ALREADY_GONE])


def test_another_program_with_the_same_target_asks_it_no_second_time(play: Play, others: subprocess.Popen[str]) -> None:
    with play(agent=replace(LONELY, on_term="stop")) as stage:
        target = stage.target(Action.KILL)
        assert others.stdin is not None
        assert others.stdout is not None
        others.stdin.write(f"{stage.root}\tnever\trelease\n")
        others.stdin.flush()
        assert others.stdout.readline() == "ready\n"
        stage.act(target)
        assert others.stdout.readline() == "0\n"
        told = stage.received()["agent"]
        assert set(told) == {"TERM"}
        stage.allows(agent=" ".join(told))


def test_what_is_stopped_between_two_targets_leaves_the_second(play: Play) -> None:
    with play(agent=LONELY, third=replace(THIRD, stays=True)) as stage:
        first, second = stage.target(Action.KILL), stage.target(Action.KILL, S3, force=True)

        def stop(_progress: Progress) -> None:
            stage.product.executor.stop_after_current = True

        stage.product.during_progress = stop
        stage.bystanders.add("third")
        stage.intends(agent="TERM")
        assert [outcome.fate for outcome in stage.receipt(first, second).outcomes] == [Fate.ENDED, Fate.REFUSED]


def test_the_same_target_twice_in_one_action_is_signalled_once(play: Play) -> None:
    with play(agent=LONELY) as stage:
        target = stage.target(Action.KILL)
        stage.intends(agent="TERM")
        assert fates(stage.receipt(target, target)) == sorted([Fate.ENDED, Fate.ALREADY_GONE])


def test_a_second_action_while_the_host_is_asked_does_not_cut_in(play: Play) -> None:
    host = StageHost(ladder=(CALL_STEP, TERM_STEP))
    with play(host, agent=LONELY) as stage, another(stage) as second:
        kill = target_of(second.look(), S1, Action.KILL, confirmed=True, force=True)
        begun = []

        async def meanwhile(_session: SessionFact) -> CallResult:
            begun.append(second.begin([kill]))
            stage.end("agent")
            return CallResult(ok=True, message="ended")

        host.answers(meanwhile)
        assert stage.release(confirmed=False).fate is Fate.RELEASED
        assert fates(begun[0].result(60)) == [Fate.ALREADY_GONE]


@pytest.mark.logs
def test_an_action_whose_journal_cannot_be_written_signals_nobody(play: Play) -> None:
    with play(agent=LONELY) as stage:
        target = stage.target(Action.KILL, force=True)
        stage.bystanders.add("agent")
        stage.product.journal.path.mkdir()
        assert stage.act(target).fate is Fate.REFUSED


def test_nothing_of_this_is_left_to_the_second_look(play: Play) -> None:
    """Whoever began below the target between two clicks is no part of the first list."""
    with play(agent=LONELY, books=Part(later=True, stays=True)) as stage, another(stage) as second:
        target = stage.target(Action.KILL)
        second.after_the_click = once(lambda: stage.become("agent", "books"))
        stage.bystanders.add("books")
        assert second.begin([target]).result(60).outcomes[0].fate is Fate.SURVIVED
        assert stage.act(target).fate is Fate.REFUSED
