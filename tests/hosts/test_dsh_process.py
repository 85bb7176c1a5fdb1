"""DSH as real processes: what the probe sees of a host, whose its children are, what is left when it is killed."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.hosts import dsh_fake as fake
from tests.hosts.dsh_fake import FakeHost, running
from trayapp.attribution import attribute
from trayapp.hosts.base import Surroundings
from trayapp.hosts.dsh import Dsh
from trayapp.model.process import ProcessTable
from trayapp.model.session import Observation, Role
from trayapp.model.snapshot import GroupKind
from trayapp.probe import Probe

pytestmark = [
    pytest.mark.linux,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads the locks of a process from /proc"),
]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    made = fake.make_home(tmp_path / "dsh-home")
    for session_id in (fake.WITH_JOB, fake.AT_REST):
        fake.lock(made, session_id)
        fake.cache(made, session_id, fake.CACHED[fake.IDLE])
    return made


@pytest.fixture
def probe() -> Iterator[Probe]:
    made = Probe(environment_names=set(Dsh.environment_names))
    yield made
    made.close()


def look(adapter: Dsh, probe: Probe, tmp_path: Path) -> tuple[ProcessTable, Observation]:
    """Scan this machine and observe what belongs to this test's home."""
    around = Surroundings(home=tmp_path, environ={}, now_epoch_s=time.time, processes=probe)
    seen = probe.scan(whole=True)
    below = [p for p in seen.processes.values() if p.env.get("DSH_HOME", "").startswith(str(tmp_path))]
    claims = [claim for p in below if (claim := adapter.recognise(p)) is not None]
    return seen, asyncio.run(adapter.observe(seen, claims, around))


def test_a_running_host_is_seen_with_its_sessions_its_heap_and_its_children(
    home: Path, tmp_path: Path, probe: Probe
) -> None:
    with running(home, tmp_path) as host:
        table, seen = look(Dsh(), probe, tmp_path)
        (instance,) = seen.instances
        assert instance.identity is not None
        assert (instance.identity.pid, instance.version, instance.error) == (host.pid, "0.2.1-rc.2", None)
        assert instance.address is not None
        assert instance.heap is not None
        assert seen.problems == ()
        assert {fact.key.session_id for fact in seen.sessions} == {
            fake.WITH_TURN,
            fake.WITH_JOB,
            fake.WITH_SUBAGENT,
            fake.AT_REST,
        }
        claims = {c.identity.pid: c for c in seen.claims if c.identity.pid != host.pid}
        children = host.children()
        job = claims[children["job"]]
        assert job.session is not None
        assert (job.role, job.session.session_id) == (Role.WORK, fake.WITH_JOB)
        assert (claims[children["mcp"]].role, claims[children["mcp"]].session) == (Role.HELPER, None)
        places = attribute(replace(table, own_pid=0), [seen], {}).places  # below this test, it would be the monitor's
        place, mcp = places[job.identity], places[claims[children["mcp"]].identity]
        assert (place.kind, place.key) == (GroupKind.SESSION, f"dsh:{fake.WITH_JOB}")
        assert (mcp.kind, mcp.key) == (GroupKind.INFRA, "infra:dsh")


def test_without_the_plugin_the_locks_tell_what_is_live(home: Path, tmp_path: Path, probe: Probe) -> None:
    fake.lock(home, "session-without-a-record")
    with running(home, tmp_path, plugin=False):
        fake.lock(home, "session-made-since")
        _, seen = look(Dsh(), probe, tmp_path)
    live = {fact.key.session_id for fact in seen.sessions}
    assert live == {fake.WITH_JOB, fake.AT_REST, "session-without-a-record"}
    assert {fact.title for fact in seen.sessions} == {"ok", None}


def test_a_release_reaches_the_host_and_the_next_look_misses_the_session(
    home: Path, tmp_path: Path, probe: Probe
) -> None:
    with running(home, tmp_path):
        adapter = Dsh()
        _, seen = look(adapter, probe, tmp_path)
        (fact,) = [f for f in seen.sessions if f.key.session_id == fake.AT_REST]
        around = Surroundings(home=tmp_path, environ={}, now_epoch_s=time.time, processes=probe)
        answer = asyncio.run(adapter.call("release", fact, around))
        assert answer.ok, answer.message
        _, after = look(adapter, probe, tmp_path)
        assert fake.AT_REST not in {f.key.session_id for f in after.sessions}


def test_what_a_killed_host_leaves_is_an_orphan_that_names_its_session(
    home: Path, tmp_path: Path, probe: Probe
) -> None:
    def orphaned(host: FakeHost) -> None:
        job = host.children()["job"]
        table, seen = look(Dsh(), probe, tmp_path)
        place = attribute(table, [seen], {}).places[table.processes[job].identity]
        assert place.kind is GroupKind.ORPHAN_WORK
        assert place.owner_hint == fake.WITH_JOB

    with running(home, tmp_path) as host:
        host.end(signal.SIGKILL)
        assert (home / "agentring" / f"{host.pid}.json").exists()
        os.kill(host.children()["job"], 0)
        orphaned(host)


def test_a_host_that_ends_in_order_leaves_nothing(home: Path, tmp_path: Path, probe: Probe) -> None:
    with running(home, tmp_path) as host:
        children = host.children()
        host.end(signal.SIGTERM)
        assert host.process.returncode == 0
        assert not list((home / "agentring").iterdir())
        for pid in children.values():
            with pytest.raises(ProcessLookupError):
                os.kill(pid, 0)


def test_the_token_of_a_host_that_was_killed_is_sent_to_nobody(home: Path, tmp_path: Path, probe: Probe) -> None:
    with running(home, tmp_path) as first:
        first.end(signal.SIGKILL)
        stale = home / "agentring" / f"{first.pid}.json"
        with running(home, tmp_path, plugin=False) as second:
            stale.rename(home / "agentring" / f"{second.pid}.json")
            text = (home / "agentring" / f"{second.pid}.json").read_text(encoding="utf-8")
            (home / "agentring" / f"{second.pid}.json").write_text(
                text.replace(f'"pid": {first.pid}', f'"pid": {second.pid}'), encoding="utf-8"
            )
            _, seen = look(Dsh(), probe, tmp_path)
    (problem,) = seen.problems
    assert "left over from an earlier process" in problem.what
    assert len(seen.sessions) == 2
