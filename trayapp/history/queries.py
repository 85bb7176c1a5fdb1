"""Read the history for charts: few columns, peaks kept, gaps told.

Every call opens its own connection and changes nothing, so that any thread may ask while the writer writes. What the
writer still holds in memory is not seen: flush it before asking for the present.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from math import floor
from pathlib import Path

from trayapp.history.schema import STATES, reading
from trayapp.model.series import Gap, GapKind, Layer, Mark, Series, SeriesQuery, StackBy
from trayapp.model.session import State
from trayapp.model.snapshot import ORPHAN_KINDS, GroupKind

SHARED_KEY = "shared"
ORPHANS_KEY = "orphans"

SPARKLINE_S = 3600.0

_ORPHAN_LIST = ", ".join(f"'{kind.value}'" for kind in sorted(ORPHAN_KINDS))

_LAYER_OF = f"""CASE WHEN g.kind = '{GroupKind.SESSION.value}' THEN %s
                     WHEN g.kind IN ({_ORPHAN_LIST}) THEN '{ORPHANS_KEY}' ELSE '{SHARED_KEY}' END"""

_LAYER_BY: dict[StackBy, str] = {
    StackBy.HOST: _LAYER_OF % "g.host",
    StackBy.SESSION: _LAYER_OF % "g.key",
    StackBy.STATE: _LAYER_OF % "coalesce(s.state, 5)",
}

_STATE_ORDER = (State.BUSY, State.WAITING, State.UNKNOWN, State.ENDED, State.IDLE)
"""From below: what stays, then what could go, as on the ring."""

_STATE_TITLES: dict[State, str] = {
    State.BUSY: "Busy",
    State.WAITING: "Waiting for you",
    State.IDLE: "Idle",
    State.ENDED: "Ended",
    State.UNKNOWN: "Cannot tell",
}


@dataclass(frozen=True, slots=True)
class _Columns:
    """Cut time into columns that start at whole multiples of their width, so that a moving view does not flicker."""

    width_s: float
    first: int
    count: int

    @classmethod
    def over(cls, since_s: float, until_s: float, most: int) -> _Columns:
        # n columns of this width cover n - 1 widths wherever the range begins
        width_s = max(1.0, (until_s - since_s) / max(1, most - 1))
        first = floor(since_s / width_s)
        return cls(width_s, first, min(most, floor(until_s / width_s) - first + 1))

    @property
    def centres_s(self) -> tuple[float, ...]:
        return tuple((self.first + index + 0.5) * self.width_s for index in range(self.count))


@dataclass(frozen=True, slots=True)
class _Held:
    """Say for each column which one's values it shows: its own, those held on from before it, or none (None)."""

    source: tuple[int | None, ...]

    def spread(self, values: dict[int, float | None], otherwise: float | None) -> tuple[float | None, ...]:
        return tuple(None if at is None else values.get(at, otherwise) for at in self.source)


def series(path: Path, query: SeriesQuery) -> Series:
    """Answer a query: per column the largest memory and the mean CPU of each layer.

    A layer that was not there while others were measured has 0; a column in which nothing was measured has None. With
    `query.session` (a group's key, or the host's own id of a session) there is that one layer, and None where it was
    not there. Raises HistoryError.
    """
    columns = _Columns.over(query.since_epoch_s, query.until_epoch_s, query.columns)
    with reading(path) as connection:
        if connection is None:
            return Series(times_epoch_s=columns.centres_s, column_s=columns.width_s, layers=())
        gaps = _gaps(connection, query)
        held = _held(connection, query.since_epoch_s, query.until_epoch_s, columns, gaps)
        return Series(
            times_epoch_s=columns.centres_s,
            column_s=columns.width_s,
            layers=_layers(connection, query, columns, held),
            gaps=gaps,
            marks=_marks(connection, query),
            memory_metric=_metric(connection, query),
        )


def sparklines(path: Path, *, now_epoch_s: float, columns: int) -> dict[str, list[float | None]]:
    """Return the largest memory per column over the last hour, by group key; None where it was not there.

    Raises HistoryError.
    """
    since_s = now_epoch_s - SPARKLINE_S
    cut = _Columns.over(since_s, now_epoch_s, columns)
    with reading(path) as connection:
        if connection is None:
            return {}
        gaps = _gaps(connection, SeriesQuery(since_epoch_s=since_s, until_epoch_s=now_epoch_s))
        held = _held(connection, since_s, now_epoch_s, cut, gaps)
        rows = connection.execute(
            """
            SELECT g.key, CAST(s.at_s / ? AS INTEGER) - ? AS col, max(coalesce(s.footprint, s.rss))
            FROM samples s JOIN sessions g USING (id)
            WHERE s.at_s BETWEEN ? AND ? GROUP BY g.key, col
            """,
            (cut.width_s, cut.first, since_s, now_epoch_s),
        )
        by_key: dict[str, dict[int, float | None]] = {}
        for key, column, memory in rows:
            by_key.setdefault(key, {})[column] = float(memory)
        return {key: list(held.spread(values, None)) for key, values in by_key.items()}


def _held(
    connection: sqlite3.Connection, since_s: float, until_s: float, columns: _Columns, gaps: Iterable[Gap]
) -> _Held:
    """Find the columns with measurements; those between two of them, outside of gaps, are narrower than the beat."""
    measured = {
        int(column)
        for (column,) in connection.execute(
            "SELECT DISTINCT CAST(at_s / ? AS INTEGER) - ? FROM ticks WHERE at_s BETWEEN ? AND ?",
            (columns.width_s, columns.first, since_s, until_s),
        )
    }
    in_gaps: set[int] = set()
    for gap in gaps:
        first = floor(gap.since_epoch_s / columns.width_s) - columns.first
        last = floor(gap.until_epoch_s / columns.width_s) - columns.first
        in_gaps.update(range(max(0, first), min(columns.count, last + 1)))
    source: list[int | None] = []
    current: int | None = None
    newest = max(measured, default=-1)
    for index in range(columns.count):
        if index in measured:
            current = index
        elif index in in_gaps or index > newest:
            current = None
        source.append(current)
    return _Held(tuple(source))


def _layers(connection: sqlite3.Connection, query: SeriesQuery, columns: _Columns, held: _Held) -> tuple[Layer, ...]:
    layer_of = "g.key" if query.session is not None else _LAYER_BY[query.stack_by]
    only = "AND (g.key = :session OR g.session_id = :session)" if query.session is not None else ""
    rows = connection.execute(
        f"""
        WITH moments AS (
            SELECT s.at_s, {layer_of} AS layer,
                   sum(coalesce(s.footprint, s.rss)) AS memory, sum(s.cpu_millipercent) AS cpu
            FROM samples s JOIN sessions g USING (id)
            WHERE s.at_s BETWEEN :since AND :until {only} GROUP BY s.at_s, layer)
        SELECT layer, CAST(at_s / :width AS INTEGER) - :first AS col, max(memory), avg(cpu)
        FROM moments GROUP BY layer, col
        """,
        {
            "since": query.since_epoch_s,
            "until": query.until_epoch_s,
            "session": query.session,
            "width": columns.width_s,
            "first": columns.first,
        },
    )
    memory: dict[str, dict[int, float | None]] = {}
    cpu: dict[str, dict[int, float | None]] = {}
    for layer, column, peak, mean in rows:
        memory.setdefault(str(layer), {})[column] = float(peak)
        cpu.setdefault(str(layer), {})[column] = None if mean is None else mean / 1000
    otherwise = None if query.session is not None else 0.0
    return tuple(
        Layer(
            key=key,
            host=host,
            title=title,
            memory_bytes=held.spread(memory[stored], otherwise),
            cpu_percent=held.spread(cpu[stored], otherwise),
        )
        for stored, key, host, title in _in_order(connection, query, memory)
    )


def _in_order(
    connection: sqlite3.Connection, query: SeriesQuery, found: Iterable[str]
) -> Iterable[tuple[str, str, str | None, str]]:
    """Return what each layer is called, from below: as found, key, host, title."""
    wanted = set(found)
    if query.session is None and query.stack_by is StackBy.STATE:
        codes = {state: str(code) for code, state in STATES.items()}
        middle = [(codes[state], state.value, None, _STATE_TITLES[state]) for state in _STATE_ORDER]
    elif query.session is None and query.stack_by is StackBy.HOST:
        middle = [
            (host, host, host, title)
            for host, title in connection.execute(
                """
                SELECT DISTINCT g.host, coalesce(h.title, g.host) FROM sessions g LEFT JOIN hosts h USING (host)
                WHERE g.host IS NOT NULL ORDER BY coalesce(h.rank, 100), g.host
                """
            )
        ]
    else:
        middle = [
            (key, key, host, title)
            for key, host, title in connection.execute(
                """
                SELECT g.key, g.host, coalesce(g.title, g.session_id, g.key)
                FROM sessions g LEFT JOIN hosts h USING (host)
                GROUP BY g.key ORDER BY coalesce(h.rank, 100), g.host, min(g.first_seen_s), g.key
                """
            )
        ]
    ordered = [
        (SHARED_KEY, SHARED_KEY, None, "Shared helpers"),
        *middle,
        (ORPHANS_KEY, ORPHANS_KEY, None, "Orphans"),
    ]
    return [entry for entry in ordered if entry[0] in wanted]


def _gaps(connection: sqlite3.Connection, query: SeriesQuery) -> tuple[Gap, ...]:
    rows = connection.execute(
        "SELECT kind, since_s, until_s FROM gaps WHERE until_s > ? AND since_s < ? ORDER BY since_s",
        (query.since_epoch_s, query.until_epoch_s),
    )
    return tuple(
        Gap(kind=GapKind(kind), since_epoch_s=float(since_s), until_epoch_s=float(until_s))
        for kind, since_s, until_s in rows
    )


def _marks(connection: sqlite3.Connection, query: SeriesQuery) -> tuple[Mark, ...]:
    rows = connection.execute(
        "SELECT at_s, came_back, title, receipt_id FROM marks WHERE at_s BETWEEN ? AND ? ORDER BY at_s",
        (query.since_epoch_s, query.until_epoch_s),
    )
    return tuple(
        Mark(at_epoch_s=float(at_s), came_back_bytes=came_back, title=title, receipt_id=receipt_id)
        for at_s, came_back, title, receipt_id in rows
    )


def _metric(connection: sqlite3.Connection, query: SeriesQuery) -> str | None:
    row = connection.execute(
        """
        SELECT r.footprint_metric FROM ticks t JOIN runs r USING (run_id)
        WHERE t.at_s BETWEEN ? AND ? ORDER BY t.at_s DESC LIMIT 1
        """,
        (query.since_epoch_s, query.until_epoch_s),
    ).fetchone()
    return None if row is None else row[0]
