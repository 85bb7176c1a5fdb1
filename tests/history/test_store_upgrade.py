"""A history of an older version is lifted whole: what it held is found again in the tiers of the present one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.history.snapshots import MB, START_S, group, receipt, snapshot
from tests.history.stored import asking, lay_out
from trayapp.history import schema
from trayapp.history.rollup import ID_BITS, ID_MASK, LEVELS
from trayapp.history.schema import HistoryError, open_for_writing, reading
from trayapp.history.store import HistoryStore
from trayapp.model.process import Pressure
from trayapp.model.snapshot import GroupKind, Snapshot

DAY_S = 86_400


def of_version_1(path: Path, snapshots: Iterable[Snapshot]) -> None:
    """Write a file as the first version of the program did."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(schema._VERSION_1)
        connection.execute("INSERT INTO runs VALUES (1, 'studio', 'pss')")
        connection.execute("INSERT INTO hosts VALUES ('alpha', 'Alpha', 1)")
        connection.execute("INSERT INTO gaps VALUES (?, ?, 'sleep')", (START_S, START_S + 10))
        connection.execute("INSERT INTO marks VALUES ('r1', ?, ?, 'Refactor settings page')", (START_S, 300 * MB))
        ids: dict[str, int] = {}
        for taken in snapshots:
            at_s = int(taken.taken_at.timestamp())
            interval_ms = None if taken.interval_s is None else round(taken.interval_s * 1000)
            connection.execute("INSERT INTO ticks VALUES (?, 1, ?, ?)", (at_s, interval_ms, int(taken.gap)))
            for seen in taken.groups:
                number = ids.setdefault(seen.key, len(ids) + 1)
                session_id = seen.session.session_id if seen.session else None
                connection.execute(
                    "INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                    " ON CONFLICT DO UPDATE SET last_seen_s = excluded.last_seen_s,"
                    " peak_rss = max(peak_rss, excluded.peak_rss),"
                    " peak_footprint = max(peak_footprint, excluded.peak_footprint)",
                    (number, seen.key, seen.kind.value, seen.host, session_id, seen.title, seen.cwd, at_s, at_s)
                    + (seen.rss_bytes, seen.footprint_bytes),
                )
                connection.execute(
                    "INSERT INTO samples VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    (at_s, number, seen.rss_bytes, seen.footprint_bytes)
                    + (None if seen.cpu_s_total is None else round(seen.cpu_s_total * 1000),)
                    + (None if seen.cpu_percent is None else round(seen.cpu_percent * 1000), len(seen.members))
                    + (None if seen.verdict is None else schema.STATE_CODES[seen.verdict.state],),
                )
        connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 1")
        connection.commit()


def life() -> list[Snapshot]:
    """Three hours at 10 s: one that moves, one that comes and goes, one of no host, and a time of nothing."""
    taken = [
        snapshot(
            second,
            group("one", rss=(100 + second // 60 % 9) * MB, footprint=(80 + second // 70 % 9) * MB, cpu=12.5),
            *([group("two", host="beta", footprint=None, cpu=None, title="Two")] if second % 1000 < 500 else []),
            *([group("s", host=None, kind=GroupKind.SHARED_HELPER, cpu_s=None)] if second > 5000 else []),
            interval_s=10.0 if second else None,
        )
        for second in range(0, 3 * 3600, 10)
    ]
    return [*taken, snapshot(3 * 3600, interval_s=10.0)]


def named(path: Path, table: str) -> set[tuple[Any, ...]]:
    """Return the rows of a tier with names in the place of ids; spans of equal samples are taken apart."""
    with asking(path) as connection:
        if table == "raw_packs":
            sql = f"""
                SELECT t.bucket, g.key, g.kind, r.* FROM raw r JOIN subjects g ON g.id = r.k & {ID_MASK}
                JOIN raw_ticks t ON t.bucket BETWEEN r.k >> {ID_BITS} AND (r.k >> {ID_BITS}) + r.lasts
            """
            return {row[:3] + row[6:] for row in connection.execute(sql)}
        sql = f"SELECT k >> {ID_BITS}, g.key, g.kind, r.* FROM {table} r JOIN subjects g ON g.id = r.k & {ID_MASK}"
        return {row[:3] + row[4:] for row in connection.execute(sql)}


def test_a_file_of_version_1_is_lifted_to_what_the_present_program_would_have_stored(tmp_path: Path) -> None:
    old, new = tmp_path / "old.sqlite", tmp_path / "new.sqlite"
    of_version_1(old, life())
    history = HistoryStore(new, now_epoch_s=lambda: START_S + 3 * 3600)
    for taken in life():
        history.append(taken)
    history.close()
    with pytest.raises(HistoryError, match="lifts the file"), reading(old):
        pass
    lifted = HistoryStore(old, now_epoch_s=lambda: START_S)
    assert lifted.problems == ()
    lifted.close()
    for level in LEVELS:
        expected = named(new, level.table)
        assert len(expected) > 3 or level.table == "six_hours"
        assert named(old, level.table) == expected
    wanted = "SELECT key, kind, host, session_id, cwd, first_seen_s, last_seen_s, peak_rss, peak_held, ended_s"
    with closing(sqlite3.connect(old)) as lifted_file, closing(sqlite3.connect(new)) as new_file:
        subjects = lifted_file.execute(f"{wanted} FROM subjects ORDER BY key, kind").fetchall()
        assert len(subjects) == 6
        assert [row[:8] for row in subjects] == [
            row[:8] for row in new_file.execute(f"{wanted} FROM subjects ORDER BY key, kind")
        ]
        assert lifted_file.execute("SELECT * FROM marks").fetchone()[0] == "r1"
        assert lifted_file.execute("SELECT kind FROM gaps").fetchall() == [("sleep",)]
        assert lifted_file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert lifted_file.execute("PRAGMA auto_vacuum").fetchone() == (2,)
        names = {name for (name,) in lifted_file.execute("SELECT name FROM sqlite_master")}
        assert names == {name for (name,) in new_file.execute("SELECT name FROM sqlite_master")}


def test_a_lifted_file_is_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    of_version_1(path, life())
    history = HistoryStore(path, now_epoch_s=lambda: START_S)
    history.append(snapshot(4 * 3600, group("one"), interval_s=None))
    history.add_receipt(receipt(4 * 3600, 5, receipt_id="r2"))
    history.close()
    assert history.problems == ()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT max(bucket), gap FROM raw_ticks").fetchone() == (START_S + 4 * 3600, 1)
        assert connection.execute("SELECT ended_s FROM subjects WHERE key = 'alpha:one'").fetchone() == (None,)
        assert connection.execute("SELECT ended_s FROM subjects WHERE key = 'beta:two'").fetchone() != (None,)
        # the bucket that was open when the old program ended is closed by the first measurement after it
        assert connection.execute("SELECT count(*) FROM quarter_ticks").fetchone() == (13,)


def test_four_days_of_version_1_keeps_its_peaks_and_takes_far_less_room(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    peak = 2 * DAY_S + 300
    of_version_1(
        path,
        (
            snapshot(s, group("one", rss=(900 if s == peak else 100) * MB + s % 9 * 4096), interval_s=10.0)
            for s in range(0, 4 * DAY_S, 10)
        ),
    )
    size = path.stat().st_size
    HistoryStore(path, now_epoch_s=lambda: START_S).close()
    assert path.stat().st_size < size
    with closing(sqlite3.connect(path)) as connection:
        (oldest,) = connection.execute("SELECT min(bucket) * 900 FROM quarter_ticks").fetchone()
        assert oldest <= START_S
        (highest,) = connection.execute("SELECT max(rss + rss_max) FROM quarter").fetchone()
        assert highest // 1024 == 900
        (oldest,) = connection.execute("SELECT min(bucket) FROM raw_ticks").fetchone()
        assert oldest >= START_S + 4 * DAY_S - 7200 - 10


def test_an_empty_file_of_version_1_is_lifted_too(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    of_version_1(path, [])
    HistoryStore(path, now_epoch_s=lambda: START_S).close()
    with reading(path) as connection:
        assert connection is not None
        assert connection.execute("SELECT count(*) FROM subjects").fetchone() == (0,)


def test_a_lift_that_does_not_end_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "history.sqlite"
    of_version_1(path, life())

    def break_off(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE half (done)")
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(schema, "UPGRADES", (*schema.UPGRADES[:1], break_off))
    with pytest.raises(sqlite3.OperationalError):
        open_for_writing(path)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
        assert connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'half'").fetchone() == (0,)
        assert connection.execute("SELECT count(*) FROM ticks").fetchone() == (len(life()),)


# ----------------------------------------------------------------------------------------------------------- version 2


def as_version_2(path: Path) -> None:
    """Turn a file of the present version into what the program before it would have left."""
    with closing(sqlite3.connect(path)) as connection:
        lay_out(connection)
        connection.execute("DROP TABLE raw_packs")
        connection.execute("DROP TABLE strains")
        connection.execute("PRAGMA user_version = 2")
        connection.commit()


def everything(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of all tables, the samples as one row for each span."""
    with asking(path) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        assert "raw" not in tables
        tables.remove("raw_packs")
        return {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in ("raw", *tables)}


def test_a_file_of_version_2_is_lifted_to_the_same_samples_and_tiers(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    history = HistoryStore(path, now_epoch_s=lambda: START_S + 3 * 3600)
    for taken in life():
        history.append(taken)
    history.add_receipt(receipt(3 * 3600, 5))
    history.close()
    before = everything(path)
    assert len(before["raw"]) > 700
    as_version_2(path)
    with pytest.raises(HistoryError, match="lifts the file"), reading(path):
        pass
    lifted = HistoryStore(path, now_epoch_s=lambda: START_S + 3 * 3600)
    assert lifted.problems == ()
    lifted.close()
    assert everything(path) == before
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA auto_vacuum").fetchone() == (2,)


def test_a_lifted_file_of_version_2_goes_on_as_if_nothing_had_been(tmp_path: Path) -> None:
    paths = [tmp_path / "lifted.sqlite", tmp_path / "plain.sqlite"]
    for path in paths:
        for part in (life()[:400], life()[400:]):
            history = HistoryStore(path, now_epoch_s=lambda: START_S + 3 * 3600)
            for taken in part:
                history.append(taken)
            history.close()
            assert history.problems == ()
            if path == paths[0] and part[0] == life()[0]:
                # in the middle of a minute, of which the samples are to be found again
                as_version_2(path)
    assert everything(paths[0]) == everything(paths[1])


def test_an_empty_file_of_version_2_is_lifted_too(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    HistoryStore(path, now_epoch_s=lambda: START_S).close()
    as_version_2(path)
    HistoryStore(path, now_epoch_s=lambda: START_S).close()
    assert everything(path)["raw"] == []


# ----------------------------------------------------------------------------------------------------------- version 3


def test_a_file_of_version_3_is_lifted_and_notes_from_then_on_when_memory_was_short(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    history = HistoryStore(path, now_epoch_s=lambda: START_S)
    history.append(snapshot(0, group("one"), interval_s=None))
    history.close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE strains")
        connection.execute("PRAGMA user_version = 3")
        connection.commit()
    lifted = HistoryStore(path, now_epoch_s=lambda: START_S)
    lifted.append(snapshot(4, group("one"), pressure=Pressure.WARNING))
    lifted.close()
    assert lifted.problems == ()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT * FROM strains").fetchall() == [(START_S + 2, START_S + 4, "warning")]
        assert connection.execute("SELECT count(*) FROM raw_ticks").fetchone() == (2,)
