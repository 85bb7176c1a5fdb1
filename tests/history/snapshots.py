"""Snapshots to be stored, made from the few figures that the history keeps."""

from __future__ import annotations

from datetime import UTC, datetime

from trayapp.model.plan import Action
from trayapp.model.process import Identity, Machine, Pressure, Process
from trayapp.model.receipt import Fate, Outcome, Receipt, Target
from trayapp.model.session import HostLabel, Role, SessionKey, State
from trayapp.model.snapshot import Group, GroupKind, HeapUse, Member, OwnCost, Snapshot, Totals, Verdict

MB = 1024**2
START_S = 1_736_249_520
"""2025-01-07T11:32:00Z, the moment of case 115."""

LABELS = (
    HostLabel(host="beta", title="Beta", letters="Be", rank=2),
    HostLabel(host="alpha", title="Alpha", letters="Al", rank=1),
)


def group(
    session: str,
    *,
    host: str | None = "alpha",
    kind: GroupKind = GroupKind.SESSION,
    rss: int = 100 * MB,
    footprint: int | None = 80 * MB,
    cpu: float | None = 8.92,
    cpu_s: float | None = 12.345,
    state: State | None = State.IDLE,
    title: str | None = None,
    cwd: str | None = "/home/alex/shop",
    processes: int = 1,
) -> Group:
    of_session = kind is GroupKind.SESSION
    members = tuple(
        Member(
            process=Process(identity=Identity(100 + n, 1), ppid=1, name="node", argv=("node", "--key", "sk-secret")),
            role=Role.BACKEND,
            claim=None,
        )
        for n in range(processes)
    )
    return Group(
        key=f"{host}:{session}",
        kind=kind,
        host=host,
        members=members,
        session=SessionKey(host, session) if of_session and host else None,
        title=title,
        cwd=cwd,
        verdict=Verdict(state=state) if of_session and state else None,
        rss_bytes=rss,
        footprint_bytes=footprint,
        cpu_percent=cpu,
        cpu_s_total=cpu_s,
    )


def snapshot(
    after_s: float,
    *groups: Group,
    interval_s: float | None = 2.0,
    gap: bool = False,
    slept_s: float = 0.0,
    machine: str = "studio",
    metric: str | None = "pss",
    heaps: tuple[HeapUse, ...] = (),
    pressure: Pressure = Pressure.NORMAL,
) -> Snapshot:
    """Make the snapshot taken `after_s` seconds after START_S; `slept_s` of them the monotonic clock did not see."""
    return Snapshot(
        taken_at=datetime.fromtimestamp(START_S + after_s, UTC),
        monotonic_s=5000.0 + after_s - slept_s,
        interval_s=interval_s,
        gap=gap,
        machine=Machine(
            name=machine,
            platform="linux",
            memory_total_bytes=32 * 1024 * MB,
            memory_available_bytes=16 * 1024 * MB,
            pressure=pressure,
            cpu_count=8,
        ),
        instances=(),
        labels=LABELS,
        groups=groups,
        totals=Totals(
            processes=0,
            sessions=0,
            rss_bytes=0,
            footprint_bytes=None,
            held_bytes=0,
            cpu_percent=None,
            reclaimable_bytes=0,
        ),
        own=OwnCost(rss_bytes=None, footprint_bytes=None, cpu_percent=None),
        footprint_metric=metric,
        heaps=heaps,
    )


def heap(
    used: int, *, limit: int | None = 1024 * MB, rss: int | None = 700 * MB, host: str = "alpha", pid: int = 41
) -> HeapUse:
    """Return how full a heap of 1 GB is; its process has 700 MB resident."""
    return HeapUse(host=host, identity=Identity(pid, 7), used_bytes=used, limit_bytes=limit, rss_bytes=rss)


def receipt(after_s: float, came_back: int, *, receipt_id: str = "r1") -> Receipt:
    target = Target(
        group_key="alpha:one",
        action=Action.RELEASE,
        members=(Identity(100, 1),),
        title="Refactor settings page",
        host="alpha",
        expected_bytes=came_back,
    )
    moment = datetime.fromtimestamp(START_S + after_s, UTC)
    return Receipt(
        receipt_id=receipt_id,
        started_at=moment,
        finished_at=moment,
        origin="window",
        outcomes=(
            Outcome(
                target=target,
                fate=Fate.RELEASED,
                sentence="1 process gone",
                came_back_bytes=came_back,
                gone=target.members,
            ),
        ),
        available_before_bytes=0,
        available_after_bytes=0,
    )
