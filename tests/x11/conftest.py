"""Desks for the tests with a real X server: one with a tray for all of them, one without, one with a session bus."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.trees import Part, Tree, planted
from tests.x11.desk import App, Desk, app_on, desk_with, session_bus

WANTED = ("Xvfb", "trayer", "xdotool", "import", "dbus-daemon")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    missing = [program for program in WANTED if shutil.which(program) is None]
    for item in items:
        if here not in item.path.parents:
            continue
        item.add_marker(pytest.mark.x11)
        item.add_marker(pytest.mark.linux)
        if sys.platform != "linux" or missing:
            item.add_marker(pytest.mark.skip(reason=f"needs Linux with {', '.join(WANTED)}; missing: {missing}"))


@pytest.fixture(scope="session")
def desk() -> Iterator[Desk]:
    with desk_with(tray=True) as made:
        yield made


@pytest.fixture(scope="session")
def bare_desk() -> Iterator[Desk]:
    """Return a desk without a tray."""
    with desk_with(tray=False) as made:
        yield made


@pytest.fixture(scope="session")
def dbus_desk(bare_desk: Desk, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """Return the desk without a tray, with a session bus."""
    with session_bus(tmp_path_factory.mktemp("home")) as address:
        yield replace(bare_desk, bus=address)


PARTS = {
    "terminal": Part(program="bin/shell.py", detached=True, setsid=True, children=("agent", "other", "neighbour")),
    "agent": Part(
        program="fake-agent/agent.py",
        session_id="s1",
        title="Refactor settings page",
        holds_bytes=300 << 20,
        children=("helper",),
    ),
    "helper": Part(program="mcp-server-files/server.py", ends_with_its_input=True, holds_bytes=40 << 20),
    "other": Part(
        program="fake-agent/agent.py",
        session_id="s2",
        title="Fix flaky upload tests",
        status="busy",
        quiet_s=720.0,
        holds_bytes=200 << 20,
        records_signals=True,
    ),
    "neighbour": Part(program="bin/editor.py", records_signals=True),
}


@pytest.fixture
def tree(tmp_path: Path) -> Iterator[Tree]:
    """Plant an idle agent with a helper, a busy agent and a neighbour that has nothing to do with them."""
    with planted(tmp_path / "t", **PARTS) as made:
        made.start("terminal")
        yield made


@pytest.fixture
def app(desk: Desk, tree: Tree) -> Iterator[App]:
    """Start the application at the desk with a tray."""
    desk.point_away()
    with app_on(desk, tree.root) as running:
        yield running
