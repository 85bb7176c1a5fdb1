"""When the machine was short of memory is kept as stretches, and asked for with every range."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.history.snapshots import START_S, group, snapshot
from trayapp.history.queries import series
from trayapp.history.store import HistoryStore
from trayapp.model.process import Pressure
from trayapp.model.series import SeriesQuery, Strain
from trayapp.model.snapshot import Snapshot

NORMAL, WARNING, CRITICAL = Pressure.NORMAL, Pressure.WARNING, Pressure.CRITICAL


def at(second: int, pressure: Pressure, *, gap: bool = False) -> Snapshot:
    return snapshot(second, group("one"), pressure=pressure, gap=gap, interval_s=2.0)


def kept(path: Path, *taken: Snapshot, keep_days: int = 365, now_s: int = START_S) -> list[tuple[str, int, int]]:
    """Store snapshots, and return the strains of the two days around them, in seconds since START_S."""
    history = HistoryStore(path, now_epoch_s=lambda: now_s, keep_days=keep_days)
    for one in taken:
        history.append(one)
        history.flush()
    history.close()
    assert history.problems == ()
    return [_relative(strain) for strain in series(path, asked(-86_400, 86_400)).strains]


def asked(since_s: int, until_s: int) -> SeriesQuery:
    return SeriesQuery(since_epoch_s=START_S + since_s, until_epoch_s=START_S + until_s)


def _relative(strain: Strain) -> tuple[str, int, int]:
    return strain.pressure.value, int(strain.since_epoch_s) - START_S, int(strain.until_epoch_s) - START_S


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "history.sqlite"


def test_a_machine_with_enough_memory_leaves_nothing(path: Path) -> None:
    assert kept(path, at(0, NORMAL), at(2, NORMAL), at(4, Pressure.UNKNOWN)) == []


def test_measurements_in_a_row_are_one_stretch_from_where_the_first_interval_began(path: Path) -> None:
    taken = [at(0, NORMAL), *(at(s, WARNING) for s in (10, 12, 14)), at(16, NORMAL), at(18, WARNING)]
    assert kept(path, *taken) == [("warning", 8, 14), ("warning", 16, 18)]


def test_another_pressure_is_another_stretch(path: Path) -> None:
    assert kept(path, at(2, WARNING), at(4, CRITICAL), at(6, CRITICAL), at(8, WARNING)) == [
        ("warning", 0, 2),
        ("critical", 2, 6),
        ("warning", 6, 8),
    ]


def test_nothing_is_drawn_over_a_sleep_or_over_time_in_which_nobody_looked(path: Path) -> None:
    taken = [at(2, WARNING), at(4, WARNING), at(3600, WARNING, gap=True), at(7200, WARNING)]
    assert kept(path, *taken) == [("warning", 0, 4), ("warning", 3598, 3600), ("warning", 7198, 7200)]


def test_a_stretch_goes_on_over_batches_and_within_one(path: Path) -> None:
    history = HistoryStore(path, now_epoch_s=lambda: START_S)
    for second in (2, 4):
        history.append(at(second, WARNING))
    history.flush()
    for second in (6, 8):
        history.append(at(second, WARNING))
    history.close()
    assert [_relative(s) for s in series(path, asked(0, 60)).strains] == [("warning", 0, 8)]


def test_only_what_overlaps_a_range_is_told(path: Path) -> None:
    kept(path, at(100, WARNING), at(1000, CRITICAL))
    assert [_relative(s)[0] for s in series(path, asked(500, 1200)).strains] == ["critical"]
    assert series(path, asked(101, 900)).strains == ()


def test_what_is_too_old_is_deleted_with_the_rest(path: Path) -> None:
    day_s = 86_400
    kept(path, at(2, WARNING), at(3 * day_s, WARNING), keep_days=1, now_s=START_S + 3 * day_s)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT since_s FROM strains").fetchall() == [(START_S + 3 * day_s - 2,)]


def test_a_moment_with_enough_memory_ends_a_stretch_within_one_batch(path: Path) -> None:
    history = HistoryStore(path, now_epoch_s=lambda: START_S)
    for second, pressure in ((2, WARNING), (4, WARNING), (5, NORMAL), (6, WARNING)):
        history.append(snapshot(second, group("one"), pressure=pressure, interval_s=1.0))
    history.close()
    assert [_relative(s) for s in series(path, asked(0, 60)).strains] == [("warning", 1, 4), ("warning", 5, 6)]
