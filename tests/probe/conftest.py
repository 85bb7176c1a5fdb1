"""Real processes for the probes to look at: started here, ended here, and nothing else is ended."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import psutil
import pytest

DEADLINE_S = 60.0


class Start(Protocol):
    """Start a program with a pipe for its standard input; keyword arguments are those of subprocess.Popen."""

    def __call__(self, *argv: str | bytes, **options: Any) -> subprocess.Popen[bytes]: ...


def end_with_descendants(child: subprocess.Popen[bytes]) -> None:
    """End a child and all below it; psutil makes sure that a pid still names the same process."""
    with contextlib.suppress(psutil.NoSuchProcess):
        below = psutil.Process(child.pid).children(recursive=True) if child.poll() is None else []
        child.kill()
        for process in below:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()


@pytest.fixture
def start() -> Iterator[Start]:
    """Start programs that are ended after the test, with all that they started and did not lose."""
    started: list[subprocess.Popen[bytes]] = []

    def run(*argv: str | bytes, **options: Any) -> subprocess.Popen[bytes]:
        child: Any = subprocess.Popen(argv, **({"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL} | options))
        started.append(child)
        return started[-1]

    yield run
    for child in started:
        end_with_descendants(child)
        if child.stdin is not None:
            child.stdin.close()
        child.wait()


@pytest.fixture
def until() -> Callable[[Callable[[], bool]], None]:
    """Ask a question again and again until it is answered by yes; the test fails when the time is over."""

    def ask(question: Callable[[], bool]) -> None:
        deadline_s = time.monotonic() + DEADLINE_S
        while not question():
            assert time.monotonic() < deadline_s, "what was waited for did not happen"
            time.sleep(0.01)

    return ask


@pytest.fixture
def someone_else() -> Callable[[], contextlib.AbstractContextManager[None]]:
    """Become the user "nobody" for a while; only root can."""
    if os.getuid() != 0:
        pytest.skip("only root can become another user")

    @contextlib.contextmanager
    def nobody() -> Iterator[None]:
        os.setresuid(65534, 65534, 0)
        try:
            yield
        finally:
            os.setresuid(0, 0, 0)

    return nobody
