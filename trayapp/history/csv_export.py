"""Write the history as CSV (RFC 4180), one row for each session and time of a tier; docs/csv.md describes it.

Total and host rows are added up here from the rows of the same time, as whole numbers, so that they agree to the byte.
No figure depends on a locale or a time zone. The file appears whole or not at all.
"""

from __future__ import annotations

import csv
import io
import os
import sqlite3
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import Any, BinaryIO, cast

import msgspec

from trayapp.history.rollup import ID_BITS, ID_MASK, MINUTE, QUARTER, RAW, Level
from trayapp.history.schema import STATES, reading
from trayapp.history.tiers import Section, among, finest, packed_rows, samples, sections, unpacked
from trayapp.model.series import Tier

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
"""Rows between two looks at `progress` and `cancelled`."""

UNKNOWN_SHARE = 10
"""A footprint is told where it was not known in at most this part (one in so many) of the samples of a row."""

STATE_BIT = 20

_PROCESSES = (1 << STATE_BIT) - 1

_NOW = f"ifnull(state, 0) << {STATE_BIT} | processes"

_LEVELS: dict[Tier, Level] = {Tier.RAW: RAW, Tier.MINUTE: MINUTE, Tier.QUARTER: QUARTER}

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")

_STATE_WORDS: dict[int | None, str] = {None: "", **{code: state.value for code, state in STATES.items()}}

_BUCKETS_AT_ONCE = 64

_KEPT_SUBJECTS = 5_000
"""Subjects remembered at one time."""

_NO_PARTS = ("host", "total", "heap")
"""Kinds of which no row is written as it is stored: sums are made anew, and heaps lie inside of what is counted."""


_LOOKED_AT = 64
"""Times whose rows are really made for an estimate."""


class ExportCancelled(Exception):
    """The export was stopped on request; no file was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """Tell about how many rows and bytes an export would have, and in which tier; 0 rows = nothing was measured."""

    rows: int
    size_bytes: int
    tier: Tier


@dataclass(slots=True, kw_only=True)
class _Moment:
    """Hold the rows of one time: lists that line up with `ids`; None = not known.

    Sizes are bytes, `percent` thousandths of a percent, `cpu` milliseconds; `now` is the number of processes, and above
    its STATE_BIT the state (0 = none): one figure less to be read for each row, and still one that adds up.
    """

    at_s: int
    run: int
    measured_ms: int | None
    gap: int
    ids: Sequence[int]
    now: Sequence[int]
    rss: Sequence[int]
    footprint: Sequence[int | None]
    percent: Sequence[int | None]
    cpu: Sequence[int | None]


@dataclass(slots=True)
class _Sum:
    """Add up what one subject had in an open bucket, as the tiers do when it is over; sizes in KiB times samples."""

    own: int = 0
    rss: int = 0
    held: int = 0
    unknown: int = 0
    used: int | None = None
    at_s: int = 0
    cpu: int | None = None
    processes: int = 0
    state: int | None = None

    def take(
        self,
        at_s: int,
        own: int,
        rss: int,
        held: int,
        unknown: int,
        used: int | None,
        cpu: int | None,
        processes: int,
        state: int | None,
    ) -> None:
        self.own += own
        self.rss += rss
        self.held += held
        self.unknown += unknown
        self.used = used if self.used is None else self.used + (used or 0)
        self.at_s, self.cpu, self.processes = at_s, cpu, processes
        self.state = self.state if state is None else state


@dataclass(slots=True)
class _Open:
    """Gather a bucket that is not over."""

    bucket: int
    run: int = 0
    last_s: int = 0
    samples: int = 0
    measured_ms: int | None = None
    gap: int = 0
    sums: dict[int, _Sum] = field(default_factory=dict)


def export(
    path: Path,
    out: Path,
    *,
    since_epoch_s: float,
    until_epoch_s: float,
    session: str | Collection[str] | None = None,
    tier: Tier = Tier.AUTO,
    progress: Callable[[int, int], None],
    cancelled: Callable[[], bool],
) -> int:
    """Write the measurements of a time range to `out` and return the number of rows below the header.

    `session` (a group's key or the host's own id, or several) selects sessions, without total and host rows. `tier`
    says how finely; AUTO is the finest that has all of the range. `progress` gets rows done and in all; both
    callables are asked every 10,000 rows. Memory is bounded by that. Raises ExportCancelled, HistoryError, OSError.
    """
    descriptor, name = tempfile.mkstemp(dir=out.parent, prefix=f".{out.name}.", suffix=".part")
    part = Path(name)
    try:
        with os.fdopen(descriptor, "wb", 1 << 18) as file:
            file.write(",".join(HEADER).encode() + b"\r\n")
            written = 0
            with reading(path) as connection:
                if connection is not None:
                    connection.execute("BEGIN")  # one view of the history from the count to the last row
                    source = _Source(connection, since_epoch_s, until_epoch_s, session, tier)
                    written = _write(file, source, _Lines(connection, sums=session is None), progress, cancelled)
            file.flush()
            os.fsync(file.fileno())
        part.replace(out)
    finally:
        part.unlink(missing_ok=True)
    return written


def estimate(
    path: Path,
    *,
    since_epoch_s: float,
    until_epoch_s: float,
    session: str | Collection[str] | None = None,
    tier: Tier = Tier.AUTO,
) -> Estimate:
    """Return about what `export` would write with the same arguments. Raises HistoryError.

    What is stored is counted; how many host and total rows come to it, and how long a row is, the first of them tell.
    """
    with reading(path) as connection:
        if connection is None:
            return Estimate(rows=0, size_bytes=0, tier=tier)
        connection.execute("BEGIN")
        source = _Source(connection, since_epoch_s, until_epoch_s, session, tier)
        lines = _Lines(connection, sums=session is None)
        stored, rows, size = _made(lines, islice(source.stored(), _LOOKED_AT))
        if stored:
            share = max(1.0, source.count(of_open=False) / stored)
            rows, size = round(rows * share), round(size * share)
        _, more_rows, more_size = _made(lines, source.open())
        head = len(",".join(HEADER)) + 2
        whole = head + size + more_size if rows + more_rows else 0
        return Estimate(rows=rows + more_rows, size_bytes=whole, tier=source.tier)


def _made(lines: _Lines, moments: Iterable[_Moment]) -> tuple[int, int, int]:
    """Return how many stored rows these times have, how many rows come of them, and how long those are."""
    stored = rows = size = 0
    for moment in moments:
        text, count = lines.of(moment)
        stored, rows, size = stored + len(moment.ids), rows + count, size + len(text)
    return stored, rows, size


def _write(
    file: BinaryIO,
    source: _Source,
    lines: _Lines,
    progress: Callable[[int, int], None],
    cancelled: Callable[[], bool],
) -> int:
    total = source.count()
    done = told = written = 0
    for moment in source.moments():
        text, count = lines.of(moment)
        file.write(text)
        written += count
        done += len(moment.ids)
        if done - told >= CHUNK:
            told = done
            if cancelled():
                raise ExportCancelled
            progress(min(done, total), total)
    if cancelled():
        raise ExportCancelled
    progress(total, total)
    return written


# ------------------------------------------------------------------------------------------------------------ reading


class _Source:
    """Read the rows of a range in order of time."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        since_s: float,
        until_s: float,
        session: str | Collection[str] | None,
        tier: Tier,
    ) -> None:
        self._connection = connection
        levels = _LEVELS.values()
        self._level = finest(connection, since_s, until_s, levels) if tier is Tier.AUTO else _LEVELS[tier]
        self._parts = sections(connection, self._level, since_s, until_s)
        self._only: frozenset[int] | None = None
        if session is not None:
            names = (session,) if isinstance(session, str) else tuple(session)
            there = ", ".join("?" * len(names))
            ids = connection.execute(
                f"SELECT id FROM subjects WHERE (key IN ({there}) OR session_id IN ({there}))"
                f" AND kind NOT IN {_NO_PARTS}",
                (*names, *names),
            )
            self._only = frozenset(number for (number,) in ids)

    @property
    def tier(self) -> Tier:
        """Return the tier that is read."""
        return next(tier for tier, level in _LEVELS.items() if level is self._level)

    def count(self, *, of_open: bool = True) -> int:
        """Return about how many rows there are: those of an open bucket are counted as they are stored, or not."""
        found = 0
        for part in self._parts if of_open else self._parts[: self._has_closed]:
            found += packed_rows(self._connection, part, self._only)
            if part.level is not RAW:
                (count,) = self._connection.execute(
                    f"SELECT count(*) FROM {part.level.table} WHERE k >= ? AND k < ? {among(self._only)}", part.keys
                ).fetchone()
                found += count
        return found

    @property
    def _has_closed(self) -> bool:
        return bool(self._parts) and self._parts[0].level is self._level

    def moments(self) -> Iterator[_Moment]:
        yield from self.stored()
        yield from self.open()

    def stored(self) -> Iterator[_Moment]:
        """Read what stands there as it is written."""
        for part in self._parts[: self._has_closed]:
            if self._level is RAW:
                yield from self._raw(part)
            else:
                yield from self._packed(part)
                yield from self._closed(part)

    def open(self) -> Iterator[_Moment]:
        """Read what is still to be added up: the last bucket, or the last few."""
        yield from self._open(self._parts[self._has_closed :])

    def _raw(self, part: Section) -> Iterator[_Moment]:
        for (at_s, run, measured_ms, gap), rows in samples(
            self._connection, part, _plainly, of_tick="run_id, measured_ms, gap", only=self._only
        ):
            if not rows:
                continue
            _, _, ids, now, rss, footprint, used, cpu = zip(*rows, strict=True)
            yield _Moment(
                at_s=at_s,
                run=run,
                measured_ms=measured_ms,
                gap=gap,
                ids=ids,
                now=now,
                rss=rss,
                footprint=footprint,
                percent=_percents(used, measured_ms),
                cpu=cpu,
            )

    def _closed(self, part: Section) -> Iterator[_Moment]:
        """Read the buckets of a tier, the rows of each as a few lists: a tuple for every row takes twice as long."""
        level = part.level
        own = "(t.samples - absent)"
        rss, held = "rss * {own} + rss_over << 10", "(rss + held) * {own} + held_over << 10"
        # first what nearly every row is like: it was there all the time, and all of it is known
        lists = (
            f"k & {ID_MASK}",
            _NOW,
            f"CASE absent WHEN 0 THEN ({rss.format(own='t.samples')}) / t.samples"
            f" ELSE ({rss.format(own=own)}) / t.samples END",
            f"CASE WHEN unknown = 0 AND absent = 0 THEN ({held.format(own='t.samples')}) / t.samples"
            f" WHEN unknown * {UNKNOWN_SHARE} <= {own} THEN ({held.format(own=own)}) / t.samples END",
            "cpu_used * 100000 / t.measured_ms",  # by 0, where nothing was measured, it is NULL
            "cpu_total",
        )
        read = ", ".join(f"json_group_array({one})" for one in lists)
        whole, some = msgspec.json.Decoder(list[int]).decode, msgspec.json.Decoder(list[int | None]).decode
        ids_text, ids = "", list[int]()
        sql = f"""
            SELECT t.bucket, t.run_id, t.measured_ms, t.gap, {read}
            FROM {level.ticks} t CROSS JOIN {level.table}
                ON k >= t.bucket << {ID_BITS} AND k < (t.bucket + 1) << {ID_BITS} {among(self._only)}
            WHERE t.bucket >= ? AND t.bucket < ? GROUP BY t.bucket
        """
        buckets = self._connection.execute(sql, (part.first, part.after))
        for bucket, run, measured_ms, gap, those, now, rss, footprint, percent, cpu in _some_at_once(buckets):
            if those != ids_text:
                ids_text, ids = those, whole(those)
            yield _Moment(
                at_s=bucket * level.width_s,
                run=run,
                measured_ms=measured_ms,
                gap=gap,
                ids=ids,
                now=whole(now),
                rss=whole(rss),
                footprint=some(footprint),
                percent=some(percent),
                cpu=some(cpu),
            )

    def _packed(self, part: Section) -> Iterator[_Moment]:
        """Read the buckets that are packed, the oldest of a tier."""
        columns = ("rss", "rss_over", "held", "held_over", "unknown", "absent")
        for (bucket, run, measured_ms, gap, count), cells in unpacked(
            self._connection,
            part,
            (*columns, "state", "processes", "cpu_used", "cpu_total"),
            of_tick="run_id, measured_ms, gap, samples",
            only=self._only,
        ):
            ids, rss, over, held, held_over, unknown, absent, states, processes, used, cpu = cells
            own = [count - missing for missing in absent]
            yield _Moment(
                at_s=bucket * part.level.width_s,
                run=run,
                measured_ms=measured_ms,
                gap=gap,
                ids=ids,
                now=[(state or 0) << STATE_BIT | many for state, many in zip(states, processes, strict=True)],
                rss=[(size * there + more << 10) // count for size, there, more in zip(rss, own, over, strict=True)],
                footprint=[
                    ((size + less) * there + more << 10) // count if dark * UNKNOWN_SHARE <= there else None
                    for size, less, there, more, dark in zip(rss, held, own, held_over, unknown, strict=True)
                ],
                percent=_percents(used, measured_ms),
                cpu=cpu,
            )

    def _open(self, parts: Iterable[Section]) -> Iterator[_Moment]:
        """Add up what came after the last bucket that is over, from the finer tiers."""
        gathered: _Open | None = None
        for part in parts:
            for at_s, tick, rows in self._raw_rows(part) if part.level is RAW else self._tier_rows(part):
                bucket = at_s // self._level.width_s
                if gathered is None or gathered.bucket != bucket:
                    if gathered is not None:
                        yield _closing(gathered, self._level)
                    gathered = _Open(bucket)
                gathered.run, gathered.last_s, count, measured_ms, gap = tick
                gathered.samples += count
                gathered.gap |= gap
                if measured_ms is not None:
                    gathered.measured_ms = (gathered.measured_ms or 0) + measured_ms
                for number, *figures in rows:
                    gathered.sums.setdefault(number, _Sum()).take(gathered.last_s, *figures)
        if gathered is not None:
            yield _closing(gathered, self._level)

    def _raw_rows(self, part: Section) -> Iterator[tuple[int, tuple[Any, ...], Iterable[tuple[Any, ...]]]]:
        for (at_s, *tick), rows in samples(
            self._connection,
            part,
            lambda rss, less, *rest: (1, rss, rss + less, *rest),
            of_tick="run_id, bucket, 1, measured_ms, gap",
            only=self._only,
        ):
            yield at_s, tuple(tick), (row[2:] for row in rows)

    def _tier_rows(self, part: Section) -> Iterator[tuple[int, tuple[Any, ...], Iterable[tuple[Any, ...]]]]:
        level = part.level
        ticks = self._connection.execute(
            f"""
            SELECT bucket, run_id, last_s, samples, measured_ms, gap FROM {level.ticks}
            WHERE bucket >= ? AND bucket < ? ORDER BY bucket
            """,
            (part.first, part.after),
        )
        for bucket, *tick in ticks:
            rows = self._connection.execute(
                f"""
                SELECT k & {ID_MASK}, :samples - absent, rss * (:samples - absent) + rss_over,
                       (rss + held) * (:samples - absent) + held_over, unknown, cpu_used, cpu_total, processes, state
                FROM {level.table} WHERE k >= :low AND k < :high {among(self._only)} ORDER BY k
                """,
                {"samples": tick[2], "low": bucket << ID_BITS, "high": (bucket + 1) << ID_BITS},
            )
            yield bucket * level.width_s, tuple(tick), rows


def _plainly(
    rss: int, less: int, dark: int, used: int | None, total: int | None, processes: int, state: int | None
) -> tuple[int | None, ...]:
    """Return what is written of a sample: state and processes, sizes in bytes, CPU used and in all."""
    return (state or 0) << STATE_BIT | processes, rss << 10, None if dark else rss + less << 10, used, total


def _some_at_once(buckets: sqlite3.Cursor) -> Iterator[tuple[Any, ...]]:
    # to go from SQLite to here and back for each of them costs the processor's caches
    while found := buckets.fetchmany(_BUCKETS_AT_ONCE):
        yield from found


def _closing(gathered: _Open, level: Level) -> _Moment:
    """Return the rows of an open bucket as they would be if it was over now."""
    sums = sorted(gathered.sums.items())
    count = gathered.samples
    return _Moment(
        at_s=gathered.bucket * level.width_s,
        run=gathered.run,
        measured_ms=gathered.measured_ms,
        gap=gathered.gap,
        ids=[number for number, _ in sums],
        now=[(one.state or 0) << STATE_BIT | (one.processes if one.at_s == gathered.last_s else 0) for _, one in sums],
        rss=[(one.rss << 10) // count for _, one in sums],
        footprint=[(one.held << 10) // count if one.unknown * UNKNOWN_SHARE <= one.own else None for _, one in sums],
        percent=_percents([one.used for _, one in sums], gathered.measured_ms),
        cpu=[one.cpu if one.at_s == gathered.last_s else None for _, one in sums],
    )


def _percents(used_ms: Sequence[int | None], measured_ms: int | None) -> list[int | None]:
    """Return thousandths of a percent of one core."""
    if not measured_ms:
        return [None] * len(used_ms)
    return [None if used is None else used * 100_000 // measured_ms for used in used_ms]


# ------------------------------------------------------------------------------------------------------------ writing


def _cell(text: str) -> msgspec.Raw:
    return msgspec.Raw(text.encode())


_NOTHING = _cell("")


_CELLS = 8
"""Cells of a row, by what is put together here."""


class _NowCells(dict[int, msgspec.Raw]):
    """Know the cells of state and processes."""

    def __missing__(self, now: int) -> msgspec.Raw:
        cells = self[now] = _cell(f"{_STATE_WORDS[now >> STATE_BIT or None]},{now & _PROCESSES}")
        return cells


def _decimals(figures: Sequence[int | None], *, known: bool) -> list[float | msgspec.Raw]:
    """Return thousandths as what is written as a decimal of at most three places, as `thousandths` would."""
    # a quotient of 1000 that needs at most 15 digits is written with just these; 0, what most rest at, is itself
    if known:
        return [f and (f / 1000 if f % 1000 else f // 1000) for f in cast(Sequence[int], figures)]
    return [_NOTHING if f is None else f / 1000 if f % 1000 else f // 1000 for f in figures]


class _Layout:
    """Know for one set of subjects in what order their rows stand; most often it is the same for many times.

    Attributes:
        parts: picks the rows of groups out of a list, host by host.
        sums: which of the parts each host's sum adds up; None = no sums are made, neither of hosts nor of all.
        count: how many rows there are, the sums first.
        cells: the cells of all rows, to be written over but for the first of each row: how it begins.
    """

    def __init__(self, ids: Sequence[int], subjects: _Subjects, *, sums: bool) -> None:
        self.ids = ids
        places = [place for place, number in enumerate(ids) if subjects[number].kind not in _NO_PARTS]
        places.sort(key=lambda place: subjects[ids[place]].order)
        known = [subjects[ids[place]] for place in places]
        self.parts = itemgetter(*places) if len(places) > 1 else lambda values: tuple(values[at] for at in places)
        who = [subject.cells for subject in known]
        self.sums: list[slice] | None = None
        if sums:
            hosts = [subject.host for subject in known]
            found = [host for host in dict.fromkeys(hosts) if host is not None]
            ends = [len(hosts) - hosts[::-1].index(host) for host in found]
            self.sums = [slice(hosts.index(host), end) for host, end in zip(found, ends, strict=True)]
            who = [_cell(",,,total"), *(_cell(f"{_cells(host)},,,host") for host in found), *who]
        self.count = len(who)
        self.cells: list[int | float | msgspec.Raw | None] = [None] * (_CELLS * self.count)
        self.cells[::_CELLS] = who


@dataclass(frozen=True, slots=True)
class _Subject:
    """Hold what the rows of one subject begin with: the cells of host, session id, title and kind."""

    kind: str
    host: str | None
    order: tuple[int, str, int]
    cells: msgspec.Raw


class _Subjects(dict[int, _Subject]):
    """Look subjects up as they occur; a year may have thousands, and few at one time."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__()
        self._connection = connection

    def __missing__(self, number: int) -> _Subject:
        if len(self) >= _KEPT_SUBJECTS:
            self.clear()
        kind, host, rank, session_id, title = self._connection.execute(
            """
            SELECT g.kind, g.host, coalesce(h.rank, 100), g.session_id, g.title
            FROM subjects g LEFT JOIN hosts h USING (host) WHERE g.id = ?
            """,
            (number,),
        ).fetchone()
        found = self[number] = _Subject(
            kind, host, (rank, host or "", number), _cell(_cells(host, session_id, title, kind))
        )
        return found


class _Lines:
    """Make lines of moments; `sums` are wanted or not."""

    def __init__(self, connection: sqlite3.Connection, *, sums: bool) -> None:
        self._sums = sums
        self._subjects = _Subjects(connection)
        self._layout = _Layout((), self._subjects, sums=False)
        self._now = _NowCells()
        self._encode = msgspec.json.Encoder().encode
        self._runs = {
            run: (_cells(machine), _cell(_cells(metric)))
            for run, machine, metric in connection.execute("SELECT run_id, machine, footprint_metric FROM runs")
        }

    def of(self, moment: _Moment) -> tuple[bytes, int]:
        """Return the lines of one time, and how many they are: the total, the hosts in their order, then the parts."""
        layout = self._layout
        if moment.ids is not layout.ids and moment.ids != layout.ids:
            layout = self._layout = _Layout(moment.ids, self._subjects, sums=self._sums)
        count = layout.count
        if not count:
            return b"", 0
        now, _ = _summed(moment.now, layout, all_of_it=True)
        rss, _ = _summed(moment.rss, layout, all_of_it=True)
        sizes, sizes_known = _summed(moment.footprint, layout, all_of_it=True)
        percent, percent_known = _summed(moment.percent, layout, all_of_it=False)
        cpu, cpu_known = _summed(moment.cpu, layout, all_of_it=False)
        if layout.sums is not None:
            # a sum has processes, and no state
            sums = slice(1 + len(layout.sums))
            now[sums] = [one & _PROCESSES for one in now[sums]]
        machine, metric = self._runs[moment.run]
        head = f"{rfc3339(moment.at_s)},{machine}".encode()
        tail = f"{thousandths(moment.measured_ms)},{moment.gap}\r\n".encode()
        metrics = [metric] * count
        if not sizes_known:
            metrics = [_NOTHING if size is None else metric for size in sizes]
            sizes = [_NOTHING if size is None else size for size in sizes]
        # one call that puts commas between all cells; the end of a line and the begin of the next are one "cell"
        cells = layout.cells
        cells[1::_CELLS] = map(self._now.__getitem__, now)
        cells[2::_CELLS] = rss
        cells[3::_CELLS] = sizes
        cells[4::_CELLS] = metrics
        cells[5::_CELLS] = _decimals(percent, known=percent_known)
        cells[6::_CELLS] = _decimals(cpu, known=cpu_known)
        cells[7::_CELLS] = [msgspec.Raw(tail + head)] * count
        written = self._encode(cells)
        return b"%b,%b" % (head, written[1 : -1 - len(head)]), count


def _summed(column: Sequence[int | None], layout: _Layout, *, all_of_it: bool) -> tuple[list[Any], bool]:
    """Return the cells of a column, the sums first, and whether all are known.

    A sum is of what is known; or `all_of_it`: a sum with a part missing is missing.
    """
    parts = layout.parts(column)
    try:
        # to add up is the cheapest way to learn that a figure is missing: None has no sum
        everything = sum(parts)
        if parts:
            return (
                list(parts)
                if layout.sums is None
                else [everything, *[sum(parts[mine]) for mine in layout.sums], *parts]
            ), True
    except TypeError:
        pass
    sums: list[int | None] = []
    for mine in () if layout.sums is None else (slice(None), *layout.sums):
        there = [cell for cell in parts[mine] if cell is not None]
        whole = len(there) == len(parts[mine]) if all_of_it else bool(there)
        sums.append(sum(there) if whole else None)
    return [*sums, *parts], False


def _cells(*texts: str | None) -> str:
    """Return cells by the rules of the csv module, quoted where they need it; none runs as a formula."""
    line = io.StringIO()
    csv.writer(line, lineterminator="\r\n").writerow([neutral(text) for text in texts])
    # a single empty cell is quoted, because a line without anything would be no row
    return line.getvalue()[:-2] if any(texts) or len(texts) > 1 else ""


def rfc3339(epoch_s: int) -> str:
    """Return a time as "2025-01-07T11:32:00Z" (RFC 3339, UTC): it sorts as text and needs no zone (case 115)."""
    return f"{datetime.fromtimestamp(epoch_s, UTC).isoformat()[:19]}Z"


_FRACTIONS = tuple(f".{number:03d}".rstrip("0").rstrip(".") for number in range(1000))


def thousandths(number: int | None) -> str:
    """Return a number of thousandths as a decimal: 8920 is "8.92" in every locale (case 113); None is an empty cell."""
    if number is None:
        return ""
    if number < 0:
        return f"-{thousandths(-number)}"
    return f"{number // 1000}{_FRACTIONS[number % 1000]}"


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
