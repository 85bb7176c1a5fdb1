"""The founding scene: 15 sessions, 23 backends, 20 helpers; what is idle goes, what works stays, and all come back."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.hosts.craft_demo import Figures, run

pytestmark = [
    pytest.mark.linux,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the fake host runs on Linux"),
]


def seen_and_released(figures: Figures) -> None:
    """State what holds of every release of this scene."""
    assert (figures.sessions, figures.backends, figures.surplus, figures.working) == (15, 23, 8, 1)
    assert (figures.helpers, figures.helpers_with_owner, figures.helpers_leaked) == (20, 14, 6)
    assert (figures.surplus_are_the_right_ones, figures.owners_that_are_right) == (True, 14)
    assert figures.idle_cpu_percent > 0
    assert figures.idle_bytes > figures.proc_bytes * 0.95
    assert (figures.released, figures.backends_ended, figures.ended_by_sigterm_only) == (14, 22, True)
    assert figures.receipt_off_percent <= 2.0
    assert (figures.working_backend_lives, figures.server_lives) == (True, True)
    assert (figures.leaked_ended, figures.others_ended) == (6, 0)
    assert figures.sessions_that_answer_again == 15


def test_all_idle_backends_go_and_of_the_helpers_exactly_the_leaked_ones(tmp_path: Path) -> None:
    figures = run(tmp_path)
    seen_and_released(figures)
    # ended by a signal, a helper of a live session would be missed until its server restarts
    assert (figures.helpers_listed_after, figures.helpers_closed_by_server, figures.helpers_left) == (20, 0, 14)


def test_the_server_closes_the_helpers_of_what_is_released_where_that_is_allowed(tmp_path: Path) -> None:
    figures = run(tmp_path, close_helpers=True)
    seen_and_released(figures)
    assert (figures.helpers_listed_after, figures.helpers_closed_by_server, figures.helpers_left) == (7, 13, 1)
