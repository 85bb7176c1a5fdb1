"""The actor of all scenes, compiled once, and short waits."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.hosts.leftovers import left_over
from tests.reclaim.adversarial.host import StageHost
from tests.reclaim.adversarial.stage import DEADLINE_S, HERE, Part, Stage, staged
from tests.trees import CHECKOUT
from trayapp.reclaim import executor

Play = Callable[..., AbstractContextManager[Stage]]


@pytest.fixture(scope="session")
def actor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the compiled actor."""
    if sys.platform != "linux":
        pytest.skip("starts processes by the rules of Linux")
    if shutil.which("cc") is None:
        pytest.skip("no C compiler to make the actors with")
    program = tmp_path_factory.mktemp("actor") / "actor"
    subprocess.run(["cc", "-O1", "-Wall", "-Wextra", "-Werror", "-o", program, HERE / "actor.c"], check=True)
    return program


def shorten_waits(set_attribute: Callable[[object, str, object], None]) -> None:
    """Have the executor wait for moments only."""
    for name, wait_s in (("_TERM", 0.4), ("_LEFT_OVER", 0.4), ("_GRACE", 0.2), ("_KILL", 0.8)):
        set_attribute(executor, name, replace(getattr(executor, name), wait_s=wait_s))


@pytest.fixture(scope="session")
def others() -> Iterator[subprocess.Popen[str]]:
    """Yield the program that acts beside a test, in children of its own (cut_short.py)."""
    beside = subprocess.Popen(
        [sys.executable, "-m", "tests.reclaim.adversarial.cut_short"],
        cwd=CHECKOUT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    yield beside
    beside.communicate(timeout=DEADLINE_S)


@pytest.fixture
def play(tmp_path: Path, actor: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Play]:
    """Return what stages one scene in this test's folder."""
    shorten_waits(monkeypatch.setattr)

    def staged_here(host: StageHost | None = None, /, **parts: Part) -> AbstractContextManager[Stage]:
        return staged(tmp_path / "scene", actor, host, **parts)

    yield staged_here
    assert left_over("nobody's", tmp_path) == []
