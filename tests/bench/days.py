"""Days of many sessions, made up, to see what recording them costs.

Sessions alternate between idle spells, in which nothing but a page now and then changes, and busy ones, in which every
figure moves in every tick. A day is really appended tick by tick; a month and a year are that day's own rows set again
and again under later times (their CPU totals grow on), since only the tiers count by then.
"""

from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from trayapp.history.packing import PACK_AFTER_S, pack_oldest
from trayapp.history.rollup import ID_BITS, MINUTE, QUARTER, RAW, SIX_HOURS, Level
from trayapp.history.store import HistoryStore
from trayapp.model.process import Identity, Machine, Pressure, Process
from trayapp.model.session import HostLabel, Role, SessionKey, State
from trayapp.model.snapshot import Group, GroupKind, Member, OwnCost, Snapshot, Totals, Verdict

DAY_S = 86_400
BEAT_S = 2
START_S = 1_736_208_000
"""2025-01-07T00:00:00Z: the simulated day is whole in every tier."""

_LABELS = tuple(
    HostLabel(host=name, title=name.title(), letters=name[:2]) for name in ("alpha", "beta", "gamma", "delta")
)

_MACHINE = Machine(
    name="studio",
    platform="linux",
    memory_total_bytes=32 << 30,
    memory_available_bytes=16 << 30,
    pressure=Pressure.NORMAL,
    cpu_count=8,
)
_TOTALS = Totals(
    processes=0, sessions=0, rss_bytes=0, footprint_bytes=None, held_bytes=0, cpu_percent=None, reclaimable_bytes=0
)
_OWN = OwnCost(rss_bytes=None, footprint_bytes=None, cpu_percent=None)
_IDLE, _BUSY = Verdict(state=State.IDLE), Verdict(state=State.BUSY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Say what recording took: CPU seconds in the store alone, bytes of the file, bytes handed to the disk."""

    cpu_s: float
    file_bytes: int
    ticks: int


class _Session:
    """One session that works and rests; sizes in KiB, CPU in ms."""

    def __init__(self, number: int, chance: random.Random, *, idle_s: float, busy_s: float) -> None:
        self._chance = chance
        self._spells = (idle_s, busy_s)
        self._busy = chance.random() < busy_s / (idle_s + busy_s)
        self._left = 0
        host = _LABELS[number % len(_LABELS)].host
        self._key = SessionKey(host, f"0f3c{number:04x}-7c1e-4b7a-9d52-{number:012x}")
        self._members = tuple(
            Member(
                process=Process(identity=Identity(1000 + number * 20 + n, 1), ppid=1, name="node"),
                role=Role.HELPER,
                claim=None,
            )
            for n in range(16)
        )
        self._rss = 80_000 + chance.randrange(1_000_000)
        self._shared = self._rss // 4
        self._processes = 4
        self._cpu_ms = chance.randrange(10_000_000)
        self._group = self._seen(0)

    def _seen(self, used_ms: int) -> Group:
        return Group(
            key=str(self._key),
            kind=GroupKind.SESSION,
            host=self._key.host,
            members=self._members[: self._processes],
            session=self._key,
            title="Refactor the settings page",
            cwd="/home/alex/shop",
            verdict=_BUSY if self._busy else _IDLE,
            rss_bytes=self._rss * 1024,
            footprint_bytes=(self._rss - self._shared) * 1024,
            footprint_metric="pss",
            cpu_percent=used_ms / (BEAT_S * 10),
            cpu_s_total=self._cpu_ms / 1000,
        )

    def tick(self) -> Group:
        chance = self._chance
        if self._left <= 0:
            self._busy = not self._busy
            self._left = int(chance.expovariate(1 / self._spells[self._busy]) / BEAT_S) + 1
            self._group = self._seen(0)
        self._left -= 1
        if self._busy:
            used_ms = int(chance.gammavariate(2, 300))
            self._cpu_ms += used_ms
            self._rss = abs(self._rss - 80_000 + int(chance.gauss(0, 900))) % 1_500_000 + 80_000
            # read in turn, so it does not move with the resident size
            self._shared = min(self._rss, abs(self._shared + int(chance.gauss(0, 300))))
            self._processes = 1 + abs(self._processes - 1 + chance.randrange(-1, 2)) % 15
            self._group = self._seen(used_ms)
        elif chance.random() < 0.02:
            self._rss += chance.choice((-4, 4))
            self._group = self._seen(0)
        return self._group


def snapshots(
    *, seconds: int = DAY_S, sessions: int = 50, since_s: int = START_S, idle_s: float = 1200.0, busy_s: float = 300.0
) -> Iterator[Snapshot]:
    """Yield what would be measured every 2 s; mean lengths of the spells are handed in."""
    chance = random.Random(7)
    people = [_Session(number, chance, idle_s=idle_s, busy_s=busy_s) for number in range(sessions)]
    for at_s in range(since_s, since_s + seconds, BEAT_S):
        yield Snapshot(
            taken_at=datetime.fromtimestamp(at_s, UTC),
            monotonic_s=float(at_s),
            interval_s=BEAT_S + chance.uniform(-0.002, 0.002),
            gap=False,
            machine=_MACHINE,
            instances=(),
            labels=_LABELS,
            groups=tuple([session.tick() for session in people]),
            totals=_TOTALS,
            own=_OWN,
            footprint_metric="pss",
        )


def write_day(
    path: Path, *, taken: Iterator[Snapshot] | None = None, clock: Callable[[], float] = time.process_time
) -> Cost:
    """Append a day (or what is handed in) tick by tick; `clock` measures the store's own work."""
    now_s = float(START_S)
    cpu_s, ticks = 0.0, 0
    history = HistoryStore(path, now_epoch_s=lambda: now_s)
    for snapshot in taken or snapshots():
        now_s = snapshot.monotonic_s
        began_s = clock()
        history.append(snapshot)
        cpu_s += clock() - began_s
        ticks += 1
    began_s = clock()
    history.close()
    cpu_s += clock() - began_s
    assert history.problems == (), history.problems
    return Cost(cpu_s=cpu_s, file_bytes=_size(path), ticks=ticks)


def repeat_day(path: Path, *, days: int) -> Cost:
    """Make a file of one day into one of so many, which ends with it; what is older than a tier keeps is left out."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        began_s = time.process_time()
        connection.execute("BEGIN")
        for level in (MINUTE, QUARTER, SIX_HOURS):
            kept = days if level.keep_s is None else min(days, level.keep_s // DAY_S)
            for back in range(kept - 1, 0, -1):
                _set_again(connection, level, back)
        while pack_oldest(connection, before_s=START_S + DAY_S - PACK_AFTER_S):
            pass
        since_s = START_S - (days - 1) * DAY_S
        connection.execute("UPDATE subjects SET first_seen_s = ?", (since_s,))
        connection.execute("COMMIT")
        # the writer sets its rows in order of time, so that pages are full
        connection.execute("VACUUM")
        cpu_s = time.process_time() - began_s
    return Cost(cpu_s=cpu_s, file_bytes=_size(path), ticks=0)


def _set_again(connection: sqlite3.Connection, level: Level, back: int) -> None:
    buckets = DAY_S // level.width_s
    day = (START_S // level.width_s, START_S // level.width_s + buckets)
    columns = [
        name
        for _, name, *_ in connection.execute(f"PRAGMA table_info({level.table})")
        if name not in ("k", "cpu_total")
    ]
    listed = ", ".join(columns)
    connection.execute(
        f"INSERT INTO {level.table} (k, cpu_total, {listed})"
        f" SELECT k - ({back * buckets} << {ID_BITS}), max(0, cpu_total - {back} * 1000000), {listed}"
        f" FROM {level.table} WHERE k >= ? << {ID_BITS} AND k < ? << {ID_BITS}",
        day,
    )
    connection.execute(
        f"INSERT INTO {level.ticks}"
        f" SELECT bucket - {back * buckets}, last_s - {back * DAY_S}, run_id, samples, measured_ms, gap"
        f" FROM {level.ticks} WHERE bucket >= ? AND bucket < ?",
        day,
    )


def sizes(path: Path) -> dict[str, tuple[int, int]]:
    """Return rows and bytes of each table of a file."""
    with closing(sqlite3.connect(path)) as connection:
        found = {}
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            (rows,) = connection.execute(f"SELECT count(*) FROM {name}").fetchone()
            found[name] = (rows, 0)
        return found


def _size(path: Path) -> int:
    return sum(part.stat().st_size for part in path.parent.glob(path.name + "*"))


__all__ = ["RAW", "Cost", "repeat_day", "sizes", "snapshots", "write_day"]
