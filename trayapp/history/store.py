"""The one writer of the history: gathers samples in memory and writes them in batches.

Knows what is kept of a snapshot. Measuring never depends on it: a full disk, a folder without the right to write or a
damaged file stops recording with one Problem, and recording goes on as soon as it can.

Stored times only ever rise. When the wall clock is set back, samples follow each other one second apart until it has
caught up; when it is set back by more than a day, the file is set aside and a new one begun.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from time import gmtime, strftime

from trayapp.history.schema import STATE_CODES, HistoryError, NotAHistory, is_damage, open_for_writing
from trayapp.model.receipt import Receipt
from trayapp.model.series import Gap, GapKind
from trayapp.model.session import HostLabel, Problem
from trayapp.model.snapshot import Group, Snapshot

FLUSH_S = 30.0
"""At most this much is lost when the program is killed."""

MISSING_S = 5.0
"""More wall-clock time than this between two samples, beyond the measured interval, is a gap."""

MAX_PENDING = 900
"""Samples kept in memory while the file cannot be written: half an hour at 2 s. Older ones are given up."""

MAX_STEP_BACK_S = 86_400

_DAY_S = 86_400


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tick:
    """Hold what is stored of one snapshot."""

    at_s: int
    machine: str
    footprint_metric: str | None
    interval_ms: int | None
    gap: Gap | None
    groups: tuple[Group, ...]
    labels: tuple[HostLabel, ...]


class HistoryStore:
    """Write snapshots and receipts to the file at `path`; every method may be called from any thread.

    Attributes:
        keep_days: older measurements are deleted with the next batch; may be set at any time.
    """

    def __init__(self, path: Path, *, now_epoch_s: Callable[[], float], keep_days: int = 30) -> None:
        self.keep_days = keep_days
        self._path = path
        self._now_epoch_s = now_epoch_s
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._run: tuple[int, str, str | None] | None = None
        self._last_s: int | None = None
        self._last_wall_s: int | None = None
        self._measured_before = False
        self._ticks: list[_Tick] = []
        self._receipts: list[Receipt] = []
        self._flushed_monotonic_s: float | None = None
        self._notes: list[Problem] = []
        self._trouble: Problem | None = None
        self._closed = False
        with self._lock:
            self._connect()

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Return what is wrong now, and which files were set aside since the start."""
        with self._lock:
            return (*self._notes, *((self._trouble,) if self._trouble else ()))

    def append(self, snapshot: Snapshot) -> None:
        """Take one snapshot in; of those within one second the first is kept."""
        with self._lock:
            if self._closed:
                return
            wall_s = int(snapshot.taken_at.timestamp())
            if self._last_s is not None and wall_s < self._last_s - MAX_STEP_BACK_S:
                self.flush()
                self._ticks.clear()
                self._set_aside("the clock was set back by more than a day")
            if wall_s == self._last_wall_s:
                return
            self._last_wall_s = wall_s
            last_s = self._last_s
            at_s = wall_s if last_s is None else max(wall_s, last_s + 1)
            self._ticks.append(
                _Tick(
                    at_s=at_s,
                    machine=_text(snapshot.machine.name),
                    footprint_metric=snapshot.footprint_metric,
                    interval_ms=None if snapshot.interval_s is None else round(snapshot.interval_s * 1000),
                    gap=self._gap(snapshot, last_s, at_s),
                    groups=tuple(group for group in snapshot.groups if group.counts),
                    labels=snapshot.labels,
                )
            )
            self._last_s = at_s
            self._measured_before = True
            self._flush_when_due(snapshot.monotonic_s)

    def _gap(self, snapshot: Snapshot, last_s: int | None, at_s: int) -> Gap | None:
        """Say what stretch before this sample was not measured, and why."""
        if last_s is None:
            return None
        measured_s = snapshot.interval_s or 0.0
        missing_s = at_s - last_s - measured_s
        if not self._measured_before:
            kind = GapKind.NOT_RUNNING
        elif snapshot.gap and missing_s > MISSING_S:
            kind = GapKind.SLEEP
        elif snapshot.gap or missing_s > MISSING_S:
            kind = GapKind.PAUSE
        else:
            return None
        return Gap(kind=kind, since_epoch_s=float(last_s), until_epoch_s=float(at_s))

    def add_receipt(self, receipt: Receipt) -> None:
        """Mark the moment when an action gave memory back; written at once."""
        with self._lock:
            if self._closed or receipt.came_back_bytes <= 0:
                return
            self._receipts.append(receipt)
            self.flush()

    def flush(self) -> None:
        """Write what is in memory, in one transaction; what cannot be written is kept for the next time."""
        with self._lock:
            if (
                self._closed
                or not (self._ticks or self._receipts)
                or (self._connection is None and not self._connect())
            ):
                self._give_up_oldest()
                return
            assert self._connection is not None
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                self._write(self._connection)
                self._connection.execute("COMMIT")
            except sqlite3.Error as error:
                self._failed(error)
                return
            self._ticks.clear()
            self._receipts.clear()
            self._trouble = None

    def close(self) -> None:
        """Write what is in memory and let go of the file."""
        with self._lock:
            self.flush()
            self._closed = True
            self._disconnect()

    def delete_all(self) -> None:
        """Delete every measurement and mark, and give the space back; `problems` says when that was not possible.

        Files that were set aside stay: they may be all that is left of something.
        """
        with self._lock:
            self._ticks.clear()
            self._receipts.clear()
            if self._connection is None and not self._connect():
                return
            assert self._connection is not None
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                for table in ("samples", "ticks", "sessions", "gaps", "marks", "hosts", "runs"):
                    self._connection.execute(f"DELETE FROM {table}")
                self._connection.execute("COMMIT")
                self._connection.execute("VACUUM")
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            except sqlite3.Error as error:
                self._failed(error)
                return
            self._run = None
            self._trouble = None

    # ------------------------------------------------------------------------------------------------ writing

    def _flush_when_due(self, monotonic_s: float) -> None:
        if self._flushed_monotonic_s is None:
            self._flushed_monotonic_s = monotonic_s
        elif monotonic_s - self._flushed_monotonic_s >= FLUSH_S:
            self._flushed_monotonic_s = monotonic_s
            self.flush()

    def _write(self, connection: sqlite3.Connection) -> None:
        for tick in self._ticks:
            if self._run is None or self._run[1:] != (tick.machine, tick.footprint_metric):
                self._begin_run(connection, tick)
            assert self._run is not None
            connection.execute(
                "INSERT INTO ticks (at_s, run_id, interval_ms, gap) VALUES (?, ?, ?, ?)",
                (tick.at_s, self._run[0], tick.interval_ms, int(tick.gap is not None)),
            )
            if tick.gap is not None:
                _write_gap(connection, tick.gap)
        ids = self._write_sessions(connection)
        connection.executemany(
            "INSERT INTO samples (at_s, id, rss, footprint, cpu_ms, cpu_millipercent, processes, state)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (_sample(tick, group, ids) for tick in self._ticks for group in tick.groups),
        )
        connection.executemany(
            "INSERT OR IGNORE INTO marks (receipt_id, at_s, came_back, title) VALUES (?, ?, ?, ?)",
            [_mark(receipt) for receipt in self._receipts],
        )
        self._prune(connection)

    def _begin_run(self, connection: sqlite3.Connection, tick: _Tick) -> None:
        cursor = connection.execute(
            "INSERT INTO runs (machine, footprint_metric) VALUES (?, ?)", (tick.machine, tick.footprint_metric)
        )
        assert cursor.lastrowid is not None
        self._run = (cursor.lastrowid, tick.machine, tick.footprint_metric)

    def _write_sessions(self, connection: sqlite3.Connection) -> dict[tuple[str, str], int]:
        """Bring the table of sessions up to date for this batch; return their row ids by key and kind."""
        connection.executemany(
            "INSERT INTO hosts (host, title, rank) VALUES (?, ?, ?)"
            " ON CONFLICT (host) DO UPDATE SET title = excluded.title, rank = excluded.rank",
            [(_text(label.host), _text(label.title), label.rank) for label in self._ticks[-1].labels]
            if self._ticks
            else [],
        )
        ids: dict[tuple[str, str], int] = {}
        for key, seen in _seen(self._ticks).items():
            newest = seen[-1][1]
            footprints = [f for _, group in seen if (f := _footprint(group)) is not None]
            connection.execute(
                """
                INSERT INTO sessions (key, kind, host, session_id, title, cwd,
                                      first_seen_s, last_seen_s, peak_rss, peak_footprint)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (key, kind) DO UPDATE SET
                    title = coalesce(excluded.title, title), cwd = coalesce(excluded.cwd, cwd),
                    last_seen_s = excluded.last_seen_s, peak_rss = max(peak_rss, excluded.peak_rss),
                    peak_footprint = max(coalesce(peak_footprint, excluded.peak_footprint),
                                         coalesce(excluded.peak_footprint, peak_footprint))
                """,
                (
                    _text(key[0]),
                    key[1],
                    None if newest.host is None else _text(newest.host),
                    _text(newest.session.session_id) if newest.session else None,
                    _newest_text(group.title for _, group in reversed(seen)),
                    _newest_text(group.cwd for _, group in reversed(seen)),
                    seen[0][0],
                    seen[-1][0],
                    max(group.rss_bytes for _, group in seen),
                    max(footprints, default=None),
                ),
            )
            (ids[key],) = connection.execute(
                "SELECT id FROM sessions WHERE key = ? AND kind = ?", (_text(key[0]), key[1])
            ).fetchone()
        return ids

    def _prune(self, connection: sqlite3.Connection) -> None:
        before_s = int(self._now_epoch_s()) - self.keep_days * _DAY_S
        connection.execute("DELETE FROM samples WHERE at_s < ?", (before_s,))
        connection.execute("DELETE FROM ticks WHERE at_s < ?", (before_s,))
        connection.execute("DELETE FROM gaps WHERE until_s < ?", (before_s,))
        connection.execute("DELETE FROM marks WHERE at_s < ?", (before_s,))
        connection.execute("DELETE FROM sessions WHERE last_seen_s < ?", (before_s,))

    # ------------------------------------------------------------------------------------------------ trouble

    def _connect(self) -> bool:
        """Open the file, setting a damaged one aside; say in `_trouble` when that is not possible."""
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._connection, stored_s = open_for_writing(self._path)
        except NotAHistory as error:
            self._set_aside(error.why)
            return self._connection is not None
        except HistoryError as error:
            self._trouble = error.problem
            return False
        except (sqlite3.Error, OSError) as error:
            self._trouble = self._cannot_write(error)
            return False
        if stored_s is not None and (self._last_s is None or stored_s > self._last_s):
            self._last_s = stored_s
        self._trouble = None
        return True

    def _disconnect(self) -> None:
        self._run = None
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _failed(self, error: sqlite3.Error) -> None:
        """Keep the batch; open the file anew next time, or begin a new one now if it is damaged."""
        self._disconnect()
        if is_damage(error):
            self._set_aside(str(error))
        else:
            self._trouble = self._cannot_write(error)
        self._give_up_oldest()

    def _give_up_oldest(self) -> None:
        if len(self._ticks) <= MAX_PENDING:
            return
        oldest, kept = self._ticks[0], self._ticks[-MAX_PENDING:]
        since_s = oldest.gap.since_epoch_s if oldest.gap else float(oldest.at_s)
        gap = Gap(kind=GapKind.PAUSE, since_epoch_s=since_s, until_epoch_s=float(kept[0].at_s))
        self._ticks = [replace(kept[0], gap=gap), *kept[1:]]

    def _set_aside(self, why: str) -> None:
        """Rename the file, with the two that belong to it, and begin a new one."""
        self._disconnect()
        stamp = strftime("%Y%m%dT%H%M%SZ", gmtime(self._now_epoch_s()))
        aside = _free_name(self._path.with_name(f"{self._path.stem}.{stamp}.set-aside{self._path.suffix}"))
        try:
            for ending in ("-wal", "-shm", ""):
                part = self._path.with_name(self._path.name + ending)
                if part.exists():
                    part.rename(aside.with_name(aside.name + ending))
        except OSError as error:
            self._trouble = self._cannot_write(error)
            return
        self._last_s = self._ticks[-1].at_s if self._ticks else None
        self._notes.append(
            Problem(
                where=str(self._path),
                what=f"the history could not be continued ({why}) and was set aside as {aside.name}",
                mend="A new one was begun; delete the old file when you do not need it",
            )
        )
        self._connect()

    def _cannot_write(self, error: Exception) -> Problem:
        return Problem(
            where=str(self._path),
            what=f"measurements cannot be recorded ({error})",
            mend="Make room or allow writing there; recording goes on by itself, measuring never stopped",
        )


def _seen(ticks: Iterable[_Tick]) -> dict[tuple[str, str], list[tuple[int, Group]]]:
    """Return, by key and kind, when each group was seen in this batch, oldest first."""
    seen: dict[tuple[str, str], list[tuple[int, Group]]] = {}
    for tick in ticks:
        for group in tick.groups:
            seen.setdefault(_key(group), []).append((tick.at_s, group))
    return seen


def _key(group: Group) -> tuple[str, str]:
    return group.key, group.kind.value


def _sample(tick: _Tick, group: Group, ids: dict[tuple[str, str], int]) -> tuple[int | None, ...]:
    return (
        tick.at_s,
        ids[_key(group)],
        group.rss_bytes,
        _footprint(group),
        None if group.cpu_s_total is None else round(group.cpu_s_total * 1000),
        None if group.cpu_percent is None else round(group.cpu_percent * 1000),
        len(group.members),
        None if group.verdict is None else STATE_CODES[group.verdict.state],
    )


def _footprint(group: Group) -> int | None:
    """Return the footprint; a row without processes (its backend is counted elsewhere) holds nothing for certain."""
    return group.footprint_bytes if group.members else 0


def _mark(receipt: Receipt) -> tuple[str, int, int, str]:
    gave = [outcome.target.title for outcome in receipt.outcomes if outcome.came_back_bytes > 0]
    title = gave[0] if len(gave) == 1 else f"{len(gave)} targets"
    return receipt.receipt_id, int(receipt.finished_at.timestamp()), receipt.came_back_bytes, _text(title)


def _write_gap(connection: sqlite3.Connection, gap: Gap) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO gaps (since_s, until_s, kind) VALUES (?, ?, ?)",
        (int(gap.since_epoch_s), int(gap.until_epoch_s), gap.kind.value),
    )


def _text(text: str) -> str:
    """Return text that UTF-8 can hold: half a surrogate pair (JSON) or a byte of a file name may not be."""
    return text.encode("utf-8", "replace").decode()


def _newest_text(texts: Iterable[str | None]) -> str | None:
    """Return the first text that is known; a host that is silent for a moment takes no title away."""
    return next((_text(text) for text in texts if text), None)


def _free_name(wanted: Path) -> Path:
    """Return a path that does not exist: the one wanted, or one with a number."""
    path, number = wanted, 1
    while path.exists():
        number += 1
        path = wanted.with_stem(f"{wanted.stem}-{number}")
    return path
