"""Process tables written down for tests, and a probe that tells them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from trayapp.model.process import Identity, Machine, Pressure, Process, ProcessTable

OWN_UID = 1000
OWN_NAMESPACE = 4026531836
OWN_PID = 9000
BOOTED = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
MB = 1024**2

MACHINE = Machine(
    name="box",
    platform="linux",
    memory_total_bytes=16 << 30,
    memory_available_bytes=8 << 30,
    pressure=Pressure.NORMAL,
    cpu_count=8,
)


def process(
    pid: int, ppid: int = 1, *, start: int | None = None, argv: Iterable[str] = ("prog",), **more: Any
) -> Process:
    """Write down a process of the user's own; it started when its pid says, in hundredths of a second after boot."""
    began = start if start is not None else pid
    values: dict[str, Any] = {
        "name": next(iter(argv)).rpartition("/")[2][:15],
        "exe": f"/usr/bin/{next(iter(argv)).rpartition('/')[2]}",
        "uid": OWN_UID,
        "start_s": began / 100,
        "pid_namespace": OWN_NAMESPACE,
        "rss_bytes": 10 * MB,
        "cpu_s": 1.0,
        "children_cpu_s": 0.0,
    }
    return Process(identity=Identity(pid, began), ppid=ppid, argv=tuple(argv), **(values | more))


INIT = process(1, 0, start=0, argv=("/sbin/init",), uid=0)
OWN = process(OWN_PID, argv=("agentring",))


def table(*processes: Process, at_s: float = 1000.0, wall_s: float | None = None, **more: Any) -> ProcessTable:
    """Make a table of these, init and the monitor; `wall_s` where the wall clock says something else."""
    values: dict[str, Any] = {
        "taken_at": BOOTED + timedelta(seconds=wall_s if wall_s is not None else at_s),
        "monotonic_s": at_s,
        "uptime_s": at_s,
        "machine": MACHINE,
        "own_pid": OWN_PID,
        "own_uid": OWN_UID,
        "own_pid_namespace": OWN_NAMESPACE,
        "footprint_metric": "pss",
    }
    by_pid = {p.pid: p for p in (INIT, OWN, *processes)}
    return ProcessTable(processes=by_pid, **(values | more))


class ScriptedProbe:
    """Tell the tables of a test; `table` is what the next scan says, `scans` counts them."""

    def __init__(self, first: ProcessTable) -> None:
        self.table = first
        self.scans = 0
        self.doubted: list[Identity] = []
        self.budgets: list[float | None] = []
        self.unreadable: set[Identity] = set()
        self.closed = False
        self.followed: Collection[Identity] = ()

    def scan(self, *, whole: bool = True) -> ProcessTable:
        self.scans += 1
        return self.table

    def follow(self, identities: Collection[Identity]) -> None:
        self.followed = identities

    def forget(self, identities: Collection[Identity]) -> None:
        self.doubted.extend(identities)

    def footprints(self, identities: Collection[Identity], budget_s: float | None) -> Mapping[Identity, int]:
        self.budgets.append(budget_s)
        known = [p for p in (self.table.get(i) for i in identities) if p is not None]
        return {p.identity: (p.rss_bytes or 0) // 2 for p in known if p.identity not in self.unreadable}

    def machine(self) -> Machine:
        return self.table.machine

    def open_files(self, _identity: Identity) -> tuple[str, ...] | None:
        return None

    def listening_ports(self, _identity: Identity) -> tuple[int, ...] | None:
        return None

    def variable(self, _identity: Identity, _name: str) -> str | None:
        return None

    def close(self) -> None:
        self.closed = True

    def add(self, *processes: Process) -> None:
        """Let processes appear."""
        self.table = replace(self.table, processes={**self.table.processes, **{p.pid: p for p in processes}})

    def gone(self, *identities: Identity) -> None:
        """Take processes out of the table; their children go to init."""
        left = [p for p in self.table.processes.values() if p.identity not in identities]
        pids = {identity.pid for identity in identities}
        left = [replace(p, ppid=1) if p.ppid in pids else p for p in left]
        self.table = replace(self.table, processes={p.pid: p for p in left})
