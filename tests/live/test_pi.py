"""Agent Ring and a real pi: the life of its terminals.

All sessions stand on one stage, started once, each in a folder of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from tests.live import pi
from tests.live.checks import LifeOfATerminal, Stage, set_up
from tests.live.pi import Pi
from tests.live.product import Json, pids_of
from tests.live.scene import Scene

pytestmark = [pytest.mark.live, pytest.mark.linux]

HOST = pi.HOST
CALLED = {"idle released, stubborn helper gone, others untouched": "idle released, others untouched"}
NOT_HERE = {
    "a background shell told as busy": "it has none",
    "a question told as waiting": "it never asks",
    "waiting for permission is not released at once": "it never asks",
    "idle released, stubborn helper gone, others untouched": "it has no MCP helpers",
}


@pytest.fixture(scope="module")
def stage(scene: Scene, executable: Path) -> Iterator[Stage]:
    with set_up(Pi(scene, executable), "idle", "thinking", "in_tool") as stage:
        yield stage


@pytest.fixture(scope="module")
def first_look(stage: Stage) -> Json:
    """Return what Agent Ring saw before anything was asked of it."""
    return stage.product.snapshot()


class TestPi(LifeOfATerminal):
    """pi has no helpers, asks for nothing and has no background; a command outlives it when it is killed."""

    STATES: ClassVar = {"idle": "idle", "thinking": "busy", "in_tool": "busy"}
    REFUSED: ClassVar = {"thinking": "open-turn", "in_tool": "open-turn"}
    HEAVY_BYTES = 50e6
    ORPHAN = ("tail", "orphan-work")

    @pytest.mark.check("without a record it is shown, and not released", result="refuses rightly")
    def test_a_session_whose_record_is_not_written_yet_is_shown_and_not_released(self, stage: Stage) -> None:
        """Its file comes with the first answer."""
        fresh = stage.host.terminal(folder=stage.host.scene.folder("fresh"))
        fresh.begin_turn("QUIET 900")
        group = next(each for each in stage.product.snapshot()["groups"] if fresh.pid in pids_of(each))
        assert (group["host"], group.get("session_id")) == (HOST, None)
        release = [action for action in group["actions"] if action["action"] in ("release", "auto-clean")]
        assert {action["allowed"] for action in release} <= {"confirm", "refuse"}, group
