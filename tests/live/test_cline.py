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
from tests.live.product import Json
from tests.live.scene import Scene

pytestmark = [pytest.mark.live, pytest.mark.linux]

HOST = cline.HOST
NOT_HERE = {"a background shell told as busy": "it has none"}


@pytest.fixture(scope="module")
def stage(scene: Scene, executable: Path) -> Iterator[Stage]:
    # the first terminal of a home runs its session itself and starts the hub, in which all later ones run
    with set_up(Cline(scene, executable), "idle", "thinking", "asking") as stage:
        yield stage


@pytest.fixture(scope="module")
def first_look(stage: Stage) -> Json:
    """Return what Agent Ring saw before anything was asked of it."""
    return stage.product.snapshot()


class TestCline(LifeOfATerminal):
    """Cline runs sessions in a hub that all terminals share."""

    STATES: ClassVar = {"idle": "idle", "thinking": "busy", "asking": "waiting"}
    REFUSED: ClassVar = {"thinking": "open-turn"}
