"""A short soak: what an hour of it must not show in the large (python -m tests.soak) does not show in the small."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
SECONDS = 12


@pytest.fixture(scope="module")
def seen() -> dict[str, Any]:
    if not Path("/proc/self/statm").exists():
        pytest.skip("the resident size is read as Linux tells it")
    command = [sys.executable, "-m", "tests.soak", "--seconds", str(SECONDS)]
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(command, cwd=CHECKOUT, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_sessions_came_and_went_while_every_view_was_used(seen: dict[str, Any]) -> None:
    assert seen["ticks"] >= 20
    assert seen["sessions_that_came"] > 60


def test_qt_has_nothing_to_complain_about(seen: dict[str, Any]) -> None:
    assert seen["warnings"] == []


def test_no_window_dialog_menu_or_row_is_left_behind(seen: dict[str, Any]) -> None:
    left = {"ReviewDialog", "ReceiptPage", "QuestionDialog", "QMenu", "Popover", "MainWindow", "SessionRow", "Chart"}
    assert {name: n for name, n in seen["objects_more"].items() if name in left} == {}


def test_no_more_objects_are_kept_than_pages_grow_by_at_their_first_use(seen: dict[str, Any]) -> None:
    assert sum(seen["objects_more"].values()) < 0.05 * seen["objects"]
