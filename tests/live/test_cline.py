"""Agent Ring and a real Cline: the life of its terminals.

All sessions stand on one stage, started once, each in a folder of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from tests.live import cline
from tests.live.checks import LifeOfATerminal, Stage, set_up
from tests.live.cline import Cline
from tests.live.proc import SLOW_S, wait_until
from tests.live.product import Json, pids_of
from tests.live.scene import Scene

pytestmark = [pytest.mark.live, pytest.mark.linux]

HOST = cline.HOST
NOT_HERE = {
    "a background shell told as busy": "it has none",
}


@pytest.fixture(scope="module")
def stage(scene: Scene, executable: Path) -> Iterator[Stage]:
    # the first terminal of a home runs its session itself and starts the hub, in which all later ones run
    # a command is ended after 30 s, and with it the long call: it comes last, right before the first look
    with set_up(Cline(scene, executable), "idle", "thinking", "asking", "in_tool") as stage:
        yield stage


@pytest.fixture(scope="module")
def first_look(stage: Stage) -> Json:
    """Return what Agent Ring saw before anything was asked of it."""
    return stage.product.snapshot()


class TestCline(LifeOfATerminal):
    """Cline runs sessions in a hub that all terminals share."""

    STATES: ClassVar = {"idle": "idle", "thinking": "busy", "asking": "waiting", "in_tool": "busy"}
    REFUSED: ClassVar = {"thinking": "open-turn"}
    KILLED = "thinking"

    @pytest.mark.check("its hub is nobody's session, and never ended", result="refuses rightly")
    def test_the_hub_that_open_terminals_start_again_is_never_ended(self, stage: Stage) -> None:
        assert isinstance(stage.host, Cline)
        hub = wait_until(stage.host.hub, "another hub", timeout_s=SLOW_S)
        group = next(each for each in stage.product.snapshot()["groups"] if hub.pid in pids_of(each))
        assert (group["kind"], group["host"]) == ("infra", HOST)
        assert {action["allowed"] for action in group["actions"]} == {"refuse"}
