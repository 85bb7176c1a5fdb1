"""Agent Ring and a real Qwen Code: the life of its terminals.

All sessions stand on one stage, started once, each in a folder of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from tests.live import qwen
from tests.live.checks import LifeOfATerminal, Stage, set_up
from tests.live.product import Json
from tests.live.qwen import Qwen
from tests.live.scene import Scene

pytestmark = [pytest.mark.live, pytest.mark.linux]

HOST = qwen.HOST
NOT_HERE = {"a question told as waiting": "nothing that it writes tells a question from a running call"}


@pytest.fixture(scope="module")
def stage(scene: Scene, executable: Path) -> Iterator[Stage]:
    with set_up(Qwen(scene, executable), "idle", "thinking", "in_tool", "with_shell", "asking") as stage:
        yield stage


@pytest.fixture(scope="module")
def first_look(stage: Stage) -> Json:
    """Return what Agent Ring saw before anything was asked of it."""
    return stage.product.snapshot()


class TestQwen(LifeOfATerminal):
    """Qwen runs each session two processes below the one that was started."""

    STATES: ClassVar = LifeOfATerminal.STATES | {"asking": "unknown"}
    ASKS = ("refuse", "unknown-state")
