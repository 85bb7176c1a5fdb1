"""docs/safety.md says what the code does: its figures are the code's."""

from __future__ import annotations

from pathlib import Path

import pytest

from trayapp.reclaim import aftermath, collections, executor, plan, turn

PAGE = " ".join((Path(__file__).parents[1] / "docs" / "safety.md").read_text(encoding="utf-8").split())


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (executor._TERM.wait_s, "SIGTERM, 5 seconds, and SIGKILL, 3 seconds"),
        (executor._KILL.wait_s, "SIGTERM, 5 seconds, and SIGKILL, 3 seconds"),
        (executor._GRACE.wait_s, "get 2 seconds to end by themselves"),
        (executor.CALL_TIMEOUT_S, "has not answered within 15 seconds"),
        (aftermath.LOOK_AFTER_S, "**20 seconds later**"),
    ],
)
def test_its_seconds_are_those_of_the_code(seconds: float, said: str) -> None:
    assert said in PAGE
    assert f"{seconds:.0f} seconds" in said


def test_its_minutes_are_those_of_the_code() -> None:
    assert turn.PATIENCE_S == 60.0
    assert "who waits longer than a minute gives up" in PAGE
    assert plan.MIN_AGE_S == 120.0
    assert "none of its processes is younger than 2 minutes" in PAGE
    assert collections.WAIT_S == 60.0
    assert "which is awaited for a minute at most" in PAGE
