"""The scenes' own proof: a signal to anybody is written down, and nobody ends unnoticed."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.reclaim.adversarial.conftest import Play
from tests.reclaim.adversarial.stage import AGENT, Part, Stage
from tests.trees import until

pytestmark = pytest.mark.linux


@pytest.mark.parametrize("which", ["HUP", "INT", "TERM", "USR1", "CONT", "WINCH", "PIPE", "RTMIN"])
def test_every_signal_to_a_bystander_is_noticed(play: Play, which: str) -> None:
    def send(stage: Stage) -> None:
        os.kill(stage.pid("neighbour"), signal.Signals[f"SIG{which}"])

    assert "neighbour" in failure(play, send)


@pytest.mark.parametrize("which", ["KILL", "STOP"])
def test_a_bystander_that_is_ended_or_stopped_is_noticed(play: Play, which: str) -> None:
    def send(stage: Stage) -> None:
        os.kill(stage.pid("editor"), signal.Signals[f"SIG{which}"])
        until(lambda: stage.state("editor") in ("", "Z", "T"), "no effect")

    assert "editor" in failure(play, send)


def test_a_signal_that_was_meant_and_not_sent_is_noticed(play: Play) -> None:
    assert "agent" in failure(play, lambda stage: stage.intends(agent="TERM"))


def test_nobody_is_left_when_a_scene_is_over(play: Play, tmp_path: Path) -> None:
    with play(agent=Part(program=AGENT, session="s1", ignores=True)) as stage:
        assert stage.runs("agent")
    assert not [name for name in stage.names().values() if stage.runs(name)]


def failure(play: Play, happens: Callable[[Stage], None]) -> str:
    with pytest.raises(AssertionError) as failed, play(agent=Part(program=AGENT, session="s1")) as stage:
        happens(stage)
    return str(failed.value)
