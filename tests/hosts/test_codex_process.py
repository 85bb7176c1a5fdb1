"""A Codex daemon as a real process: what the probe sees of it, and what of it is gone when a thread is released."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.hosts.codex_fake import ONE, SOCKET, TWO, rollout, running
from trayapp.attribution import attribute
from trayapp.hosts.base import Surroundings
from trayapp.hosts.codex import Codex
from trayapp.model.process import ProcessTable
from trayapp.model.session import Observation, Role, Speaks
from trayapp.model.snapshot import GroupKind
from trayapp.probe import Probe

pytestmark = [
    pytest.mark.linux,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads the open files of a process from /proc"),
]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    made = tmp_path / "codex-home"
    for thread_id in (ONE, TWO):
        rollout(made, thread_id)
    return made


@pytest.fixture
def probe() -> Iterator[Probe]:
    made = Probe(environment_names=set(Codex.environment_names))
    yield made
    made.close()


class Watch:
    """Look at what belongs to one home."""

    def __init__(self, home: Path, probe: Probe) -> None:
        self.home, self.probe, self.adapter = home, probe, Codex(clock_s=lambda: next(self._seconds))
        self._seconds = iter(range(0, 10_000, 10))
        self.around = Surroundings(home=home.parent, environ={}, now_epoch_s=time.time, processes=probe)

    def look(self) -> tuple[ProcessTable, Observation]:
        table = self.probe.scan(whole=True)
        own = [
            p
            for p in table.processes.values()
            if p.env.get("CODEX_HOME") == str(self.home) or p.env.get("CODEX_THREAD_ID") in (ONE, TWO)
        ]
        claims = [claim for p in own if (claim := self.adapter.recognise(p)) is not None]
        return table, asyncio.run(self.adapter.observe(table, claims, self.around))


def test_a_running_daemon_is_seen_with_its_threads_and_what_is_whose(home: Path, tmp_path: Path, probe: Probe) -> None:
    with running(home, tmp_path, [ONE, TWO]) as daemon:
        table, seen = Watch(home, probe).look()
        assert seen.problems == ()
        assert [(i.identity and i.identity.pid, i.version) for i in seen.instances] == [(daemon.pid, "0.171.0")]
        speaks = {f.key.session_id: {e.speaks_for for e in f.evidence} for f in seen.sessions}
        assert speaks == {ONE: {Speaks.BUSY, Speaks.NOTHING}, TWO: {Speaks.IDLE, Speaks.NOTHING}}

        as_a_stranger = replace(table, own_pid=0)  # what the test itself started is else its own
        places = {i.pid: place for i, place in attribute(as_a_stranger, (seen,), {}).places.items()}
        tool, mcp = places[daemon.started["tool"]], places[daemon.started["mcp"]]
        assert places[daemon.pid].kind is GroupKind.INFRA
        assert (tool.role, tool.session and tool.session.session_id) == (Role.WORK, ONE)
        assert (mcp.role, mcp.kind) == (Role.HELPER, GroupKind.INFRA)


def test_a_released_thread_is_not_held_any_more_and_its_log_is_where_it_was(
    home: Path, tmp_path: Path, probe: Probe
) -> None:
    with running(home, tmp_path, [ONE, TWO]) as daemon:
        watch = Watch(home, probe)
        _, seen = watch.look()
        (fact,) = (f for f in seen.sessions if f.key.session_id == TWO)

        said = asyncio.run(watch.adapter.call("release", fact, watch.around))

        assert said.ok, said.message
        table, after = watch.look()
        assert {f.key.session_id for f in after.sessions} == {ONE}
        held = probe.open_files(table.processes[daemon.pid].identity)
        assert held is not None
        assert {Path(name).stem[-36:] for name in held if "rollout-" in name} == {ONE}
        assert rollout(home, TWO).exists()


def test_without_its_socket_its_open_logs_tell_the_threads(home: Path, tmp_path: Path, probe: Probe) -> None:
    with running(home, tmp_path, [ONE, TWO]):
        (home / SOCKET).unlink()
        _, seen = Watch(home, probe).look()
        assert {f.key.session_id: f.ladder for f in seen.sessions} == {ONE: (), TWO: ()}
        assert all(f.refusal is not None for f in seen.sessions)
