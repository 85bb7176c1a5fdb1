"""Homes and process tables as the hosts leave them, built from recorded samples."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from trayapp.hosts.base import Host, Surroundings
from trayapp.model.access import HostAccess
from trayapp.model.process import Identity, Machine, Pressure, Process, ProcessTable
from trayapp.model.session import Claim, Evidence, Observation, SessionFact, Speaks

RECORDED = Path(__file__).parent / "recorded"
NOW_EPOCH_S = 1_796_041_200.0
UPTIME_S = 10_000.0


def recorded(name: str) -> str:
    return (RECORDED / name).read_text(encoding="utf-8")


def recorded_lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in recorded(name).splitlines()]


def process(pid: int, *argv: str, ppid: int = 900, age_s: float = 3600.0, **fields: Any) -> Process:
    """Make a process; its start in ticks follows from its age, as on Linux."""
    start_s = UPTIME_S - age_s
    given: dict[str, Any] = {"name": argv[0].rsplit("/", 1)[-1][:15] if argv else "", "argv": argv}
    return Process(identity=Identity(pid, round(start_s * 100)), ppid=ppid, start_s=start_s, **(given | fields))


def table(processes: Iterable[Process], *, platform: str = "linux", now_epoch_s: float = NOW_EPOCH_S) -> ProcessTable:
    return ProcessTable(
        processes={p.pid: p for p in processes},
        taken_at=datetime.fromtimestamp(now_epoch_s, UTC),
        monotonic_s=UPTIME_S,
        uptime_s=UPTIME_S,
        machine=Machine(
            name="desk",
            platform=platform,
            memory_total_bytes=32 * 1024**3,
            memory_available_bytes=16 * 1024**3,
            pressure=Pressure.NORMAL,
            cpu_count=8,
        ),
        own_pid=99,
        own_uid=1000,
    )


@dataclass(slots=True)
class Reads:
    """Answer dear questions from what a test wrote down."""

    ports: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    files: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    variables: Mapping[int, Mapping[str, str]] = field(default_factory=dict)

    def open_files(self, identity: Identity) -> tuple[str, ...] | None:
        return self.files.get(identity.pid)

    def listening_ports(self, identity: Identity) -> tuple[int, ...] | None:
        return self.ports.get(identity.pid)

    def variable(self, identity: Identity, name: str) -> str | None:
        given = self.variables.get(identity.pid)
        return None if given is None else given.get(name, "")


def surroundings(
    home: Path,
    *,
    ports: Mapping[int, tuple[int, ...]] | None = None,
    files: Mapping[int, tuple[str, ...]] | None = None,
    environ: Mapping[str, str] | None = None,
    variables: Mapping[int, Mapping[str, str]] | None = None,
    access: HostAccess | None = None,
) -> Surroundings:
    reads = Reads(ports or {}, files or {}, variables or {})
    allowed = access or HostAccess()
    return Surroundings(
        home=home,
        environ=environ or {},
        now_epoch_s=lambda: NOW_EPOCH_S,
        processes=reads,
        access=lambda _host: allowed,
    )


def observe(host: Host, processes: Iterable[Process], around: Surroundings, *, platform: str = "linux") -> Observation:
    """Recognise and observe once, as a tick does."""
    return asyncio.run(observe_on(host, table(processes, platform=platform), around))


async def observe_on(host: Host, of: ProcessTable, around: Surroundings) -> Observation:
    claims = [claim for p in of.processes.values() if (claim := host.recognise(p)) is not None]
    return await host.observe(of, claims, around)


def claim_on(observation: Observation, process: Process) -> Claim:
    (claim,) = [c for c in observation.claims if c.identity == process.identity]
    return claim


def fact_of(observation: Observation, session_id: str) -> SessionFact:
    (fact,) = [fact for fact in observation.sessions if fact.key.session_id == session_id]
    return fact


def telling(fact: SessionFact) -> list[Evidence]:
    """Return the evidence that speaks for something."""
    return [evidence for evidence in fact.evidence if evidence.speaks_for is not Speaks.NOTHING]


def iso(age_s: float) -> str:
    return datetime.fromtimestamp(NOW_EPOCH_S - age_s, UTC).isoformat().replace("+00:00", "Z")
