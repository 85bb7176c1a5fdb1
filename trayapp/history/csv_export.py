"""Write the history as CSV (RFC 4180), one row for each session and sample; docs/csv.md describes it.

Total and host rows are added up here from the session rows of the same time, as whole numbers, so that they agree to
the byte. No figure depends on a locale or a time zone. The file appears whole or not at all.
"""

from __future__ import annotations

import csv
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from trayapp.history.schema import STATES, reading

HEADER = (
    "time_utc",
    "machine",
    "host",
    "session_id",
    "title",
    "kind",
    "state",
    "processes",
    "rss_bytes",
    "footprint_bytes",
    "footprint_metric",
    "cpu_percent",
    "cpu_seconds_total",
    "interval_s",
    "gap",
)

CHUNK = 10_000

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


_STATE_WORDS: dict[int | None, str] = {None: "", **{code: state.value for code, state in STATES.items()}}

_Line = tuple[str | int, ...]


class ExportCancelled(Exception):
    """The export was stopped on request; no file was written."""


class _Row(NamedTuple):
    """One stored sample with the measurement it belongs to; `kind` is None when nothing was there to be sampled."""

    at_s: int
    machine: str
    metric: str | None
    interval_ms: int | None
    gap: int
    rank: int
    host: str | None
    session_id: str | None
    title: str | None
    kind: str | None
    state: int | None
    processes: int
    rss: int
    footprint: int | None
    cpu_millipercent: int | None
    cpu_ms: int | None


@dataclass(frozen=True, slots=True)
class _Sums:
    """Hold the figures of a row that is a sum; a footprint with a part missing is missing, as on screen."""

    processes: int
    rss: int
    footprint: int | None
    cpu_millipercent: int | None
    cpu_ms: int | None


def export(
    path: Path,
    out: Path,
    *,
    since_epoch_s: float,
    until_epoch_s: float,
    session: str | None = None,
    progress: Callable[[int, int], None],
    cancelled: Callable[[], bool],
) -> int:
    """Write the samples of a time range to `out` and return the number of rows below the header.

    `session` (a group's key or the host's own id) selects one session, without total and host rows. `progress` gets
    stored samples done and in all; both callables are asked every 10,000 samples. Memory is bounded by one chunk.
    Raises ExportCancelled, HistoryError, OSError.
    """
    descriptor, name = tempfile.mkstemp(dir=out.parent, prefix=f".{out.name}.", suffix=".part")
    part = Path(name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\r\n")
            writer.writerow(HEADER)
            written = 0
            with reading(path) as connection:
                if connection is not None:
                    selection = {"since": since_epoch_s, "until": until_epoch_s, "session": session}
                    for rows in _chunks(connection, selection, progress, cancelled):
                        lines = _session_lines(rows) if session is not None else _all_lines(rows)
                        writer.writerows(lines)
                        written += len(lines)
            file.flush()
            os.fsync(file.fileno())
        part.replace(out)
    finally:
        part.unlink(missing_ok=True)
    return written


def _chunks(
    connection: sqlite3.Connection,
    selection: dict[str, float | str | None],
    progress: Callable[[int, int], None],
    cancelled: Callable[[], bool],
) -> Iterator[list[_Row]]:
    """Yield the rows in order of time, never splitting a time over two chunks."""
    one = selection["session"] is not None
    source = f"""
        FROM ticks t JOIN runs r USING (run_id) {"" if one else "LEFT"} JOIN samples s USING (at_s)
        {"" if one else "LEFT"} JOIN sessions g USING (id) LEFT JOIN hosts h USING (host)
        WHERE t.at_s BETWEEN :since AND :until {"AND (g.key = :session OR g.session_id = :session)" if one else ""}
    """
    connection.execute("BEGIN")  # one view of the history from the count to the last row
    (total,) = connection.execute(f"SELECT count(*) {source}", selection).fetchone()
    cursor = connection.execute(
        f"""
        SELECT t.at_s, r.machine, r.footprint_metric, t.interval_ms, t.gap, coalesce(h.rank, 100), g.host, g.session_id,
               g.title, g.kind, s.state, s.processes, s.rss, s.footprint, s.cpu_millipercent, s.cpu_ms
        {source} ORDER BY t.at_s, s.id
        """,
        selection,
    )
    done, kept = 0, list[_Row]()
    while fetched := cursor.fetchmany(CHUNK):
        if cancelled():
            raise ExportCancelled
        kept.extend(map(_Row._make, fetched))
        whole = next((i for i in range(len(kept), 0, -1) if kept[i - 1].at_s != kept[-1].at_s), 0)
        yield kept[:whole]
        del kept[:whole]
        done += len(fetched)
        progress(done, total)
    yield kept
    if cancelled():
        raise ExportCancelled
    progress(total, total)


def _session_lines(rows: Iterable[_Row]) -> list[_Line]:
    return [
        _line(row, (neutral(row.host), neutral(row.session_id), neutral(row.title), row.kind or ""), row.state, row)
        for row in rows
    ]


def _all_lines(rows: Iterable[_Row]) -> list[_Line]:
    """Return for every time the total, the hosts in their fixed order, then the sessions."""
    lines: list[_Line] = []
    for _, moment in groupby(rows, key=attrgetter("at_s")):
        at_once = list(moment)
        parts = [row for row in at_once if row.kind is not None]
        lines.append(_line(at_once[0], ("", "", "", "total"), None, _added(parts)))
        by_host = sorted((row for row in parts if row.host is not None), key=attrgetter("rank", "host"))
        for host, of_host in groupby(by_host, key=attrgetter("host")):
            lines.append(_line(at_once[0], (neutral(host), "", "", "host"), None, _added(list(of_host))))
        lines.extend(_session_lines(parts))
    return lines


def _added(rows: list[_Row]) -> _Sums:
    footprints = [row.footprint for row in rows if row.footprint is not None]
    percents = [row.cpu_millipercent for row in rows if row.cpu_millipercent is not None]
    times = [row.cpu_ms for row in rows if row.cpu_ms is not None]
    return _Sums(
        processes=sum(row.processes for row in rows),
        rss=sum(row.rss for row in rows),
        footprint=sum(footprints) if len(footprints) == len(rows) else None,
        cpu_millipercent=sum(percents) if percents else None,
        cpu_ms=sum(times) if times else None,
    )


def _line(moment: _Row, who: tuple[str, str, str, str], state: int | None, figures: _Row | _Sums) -> _Line:
    return (
        rfc3339(moment.at_s),
        neutral(moment.machine),
        *who,
        _STATE_WORDS[state],
        figures.processes,
        figures.rss,
        "" if figures.footprint is None else figures.footprint,
        "" if figures.footprint is None else neutral(moment.metric),
        thousandths(figures.cpu_millipercent),
        thousandths(figures.cpu_ms),
        thousandths(moment.interval_ms),
        moment.gap,
    )


@lru_cache(maxsize=16)
def rfc3339(epoch_s: int) -> str:
    """Return a time as "2025-01-07T11:32:00Z" (RFC 3339, UTC): it sorts as text and needs no zone (case 115)."""
    return datetime.fromtimestamp(epoch_s, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@lru_cache(maxsize=8192)
def thousandths(number: int | None) -> str:
    """Return a number of thousandths as a decimal: 8920 is "8.92" in every locale (case 113); None is an empty cell."""
    if number is None:
        return ""
    sign, number = ("-", -number) if number < 0 else ("", number)
    whole, rest = divmod(number, 1000)
    return f"{sign}{whole}.{rest:03d}".rstrip("0").rstrip(".")


@lru_cache(maxsize=1024)
def neutral(text: str | None) -> str:
    """Return text that no spreadsheet runs as a formula: an apostrophe is put before = + - @, tab and CR.

    Also before such text that already begins with apostrophes, so that `plain` always finds the way back.
    """
    if text is None:
        return ""
    return f"'{text}" if text.lstrip("'").startswith(_FORMULA_STARTS) else text


def plain(cell: str) -> str:
    """Undo `neutral`: what a reader of the file does to get the very text."""
    return cell[1:] if cell.startswith("'") and cell.lstrip("'").startswith(_FORMULA_STARTS) else cell
