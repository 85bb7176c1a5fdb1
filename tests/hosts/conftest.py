"""Nothing that the tests of this folder start may still run when they are over."""

from __future__ import annotations

import os
import sys
import uuid
from collections.abc import Iterator

import pytest

from tests.hosts.leftovers import RUN_MARK, left_over


@pytest.fixture(scope="session", autouse=True)
def _no_process_left_behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Fail the run that leaves a process of its own on the machine, and name it."""
    mark = os.environ[RUN_MARK] = str(uuid.uuid4())
    yield
    del os.environ[RUN_MARK]
    if sys.platform == "linux":
        left = left_over(mark, tmp_path_factory.getbasetemp())
        if left:
            pytest.fail("still running: " + "; ".join(left))
