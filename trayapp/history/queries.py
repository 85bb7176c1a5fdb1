"""Read the history for charts: few columns, peaks kept, gaps told.

Every call opens its own connection and changes nothing, so that any thread may ask while the writer writes. What the
writer still holds in memory is not seen: flush it before asking for the present.
"""

from __future__ import annotations

import sqlite3
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from math import floor
from operator import add, itemgetter
from pathlib import Path
from typing import Any

import msgspec

from trayapp.history.rollup import ID_BITS, ID_MASK, LEVELS, MINUTE, RAW, SIX_HOURS, Level
from trayapp.history.schema import STATES, reading
from trayapp.history.tiers import Section, among, finest, samples, sections, unpacked
from trayapp.model.process import Pressure
from trayapp.model.receipt import Fate
from trayapp.model.series import Gap, GapKind, Layer, Mark, Series, SeriesQuery, StackBy, Strain
from trayapp.model.session import State
from trayapp.model.snapshot import ORPHAN_KINDS, GroupKind

SHARED_KEY = "shared"
ORPHANS_KEY = "orphans"
MORE_KEY = "more"
TOTAL_KEY = "total"

HEAP_METRIC = "heap"

SPARKLINE_S = 3600.0

MOST_BUCKETS = 3_000
"""A range with more buckets than this is read from a coarser tier."""

MOST_SESSIONS = 200
"""Sessions with a layer of their own; a year may have thousands. The smallest share one."""

_STATE_ORDER = (State.BUSY, State.WAITING, State.UNKNOWN, State.ENDED, State.IDLE)
"""From below: what stays, then what could go, as on the ring."""

_STATE_TITLES: dict[State, str] = {
    State.BUSY: "Busy",
    State.WAITING: "Waiting for you",
    State.IDLE: "Idle",
    State.ENDED: "Ended",
    State.UNKNOWN: "Cannot tell",
}

_Cells = tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class _Columns:
    """Cut time into columns that start at whole multiples of their width, so that a moving view does not flicker."""

    width_s: float
    first: int
    count: int

    @classmethod
    def over(cls, since_s: float, until_s: float, most: int, *, least_s: float = 1.0) -> _Columns:
        # n columns of this width cover n - 1 widths wherever the range begins
        width_s = max(least_s, (until_s - since_s) / max(1, most - 1))
        first = floor(since_s / width_s)
        return cls(width_s, first, min(most, floor(until_s / width_s) - first + 1))

    def at(self, epoch_s: float) -> int:
        """Return the column of a time; a bucket that begins before the range counts to the first."""
        return min(self.count - 1, max(0, floor(epoch_s / self.width_s) - self.first))

    @property
    def centres_s(self) -> tuple[float, ...]:
        return tuple((self.first + index + 0.5) * self.width_s for index in range(self.count))


@dataclass(frozen=True, slots=True)
class _Held:
    """Say for each column which one's values it shows: its own, those held on from before it, or none (None)."""

    source: tuple[int | None, ...]

    def spread(self, values: Sequence[float | None]) -> _Cells:
        return tuple([None if at is None else values[at] for at in self.source])


def _branch_of(kind: str, host: str | None) -> str:
    """Return the head under which a group is counted."""
    if host is not None and kind in (GroupKind.SESSION, GroupKind.INFRA):
        return f"host:{host}"
    return ORPHANS_KEY if kind in _ORPHANS else SHARED_KEY


@dataclass(frozen=True, slots=True)
class _Subject:
    """Hold what a chart needs to know of one subject."""

    key: str
    kind: str
    host: str | None
    title: str
    session_id: str | None
    first_seen_s: int
    peak: int

    @property
    def is_sum(self) -> bool:
        return self.kind in ("host", TOTAL_KEY)

    @property
    def apart(self) -> str | None:
        """Return the layer of what is no session."""
        if self.kind == GroupKind.SESSION or self.is_sum:
            return None
        return ORPHANS_KEY if self.kind in _ORPHANS else SHARED_KEY

    @property
    def branch(self) -> str | None:
        """Return the head under which it is counted; None = it is the total."""
        if self.kind == TOTAL_KEY:
            return None
        return f"host:{self.key}" if self.kind == "host" else _branch_of(self.kind, self.host)

    @property
    def beside_hosts(self) -> str | None:
        """Return the layer of what belongs to no host: a host's own processes are that host's."""
        return None if self.kind == GroupKind.INFRA and self.host is not None else self.apart


_ORPHANS = frozenset(kind.value for kind in ORPHAN_KINDS)

_Subjects = dict[int, _Subject]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wish:
    """Say what is to be read: `layer_of` names the layer of a row by its subject and state, None = it is in none.

    Attributes:
        only: the subjects to be read; None = all.
        detail: smallest and mean are asked for.
        by_state: the states are asked for.
        net: host rows hold all that a host has; take off what has a layer of its own.
    """

    layer_of: Callable[[_Subject, int | None], str | None]
    only: frozenset[int] | None = None
    detail: bool = False
    by_state: bool = False
    net: bool = False


@dataclass(slots=True)
class _Bucket:
    """Hold the rows of one bucket: lists that line up with `ids`; sizes in KiB, None in `cpu` = not known.

    `low`, `held` (the sum over `own` samples) and `states` are there when they were asked for.
    """

    at_s: int
    measured_ms: int | None
    ids: Sequence[int]
    peak: Sequence[float]
    cpu: Sequence[float | None]
    low: Sequence[float] = ()
    held: Sequence[float] = ()
    own: Sequence[float] = ()
    states: Sequence[int | None] = ()


class _Names(dict[tuple[int, int | None], tuple[str | None, str | None]]):
    """Know of subjects and their states which layer a row is in, and which host's row it is to be taken off."""

    def __init__(self, subjects: _Subjects, wish: _Wish) -> None:
        super().__init__()
        self._subjects, self._wish = subjects, wish

    def __missing__(self, row: tuple[int, int | None]) -> tuple[str | None, str | None]:
        subject = self._subjects.get(row[0])
        layer = None if subject is None else self._wish.layer_of(subject, row[1])
        off = subject.host if subject is not None and self._wish.net and subject.beside_hosts is not None else None
        found = self[row] = (layer, off)
        return found


class _Plan:
    """Know for one set of rows which of them make up which layer; most often it is the same for many buckets.

    Attributes:
        layers: what the folded values stand for: first those of one row, then those that are sums of several.
    """

    def __init__(self, bucket: _Bucket, names: _Names) -> None:
        self._ids, self._states = bucket.ids, bucket.states
        parts: dict[str, list[int]] = {}
        off: dict[str, list[int]] = {}
        states = bucket.states or (None,) * len(bucket.ids)
        for place, row in enumerate(zip(bucket.ids, states, strict=True)):
            layer, off_host = names[row]
            if layer is not None:
                parts.setdefault(layer, []).append(place)
            if off_host is not None:
                off.setdefault(off_host, []).append(place)
        single = {layer: places[0] for layer, places in parts.items() if len(places) == 1}
        self._several = [places for places in parts.values() if len(places) > 1]
        self._pick = _picker(list(single.values()))
        self.layers = (*single, *(layer for layer, places in parts.items() if len(places) > 1))
        self._off = [(self.layers.index(host), off[host]) for host in off if host in single]

    def serves(self, bucket: _Bucket) -> bool:
        return bool(bucket.ids == self._ids and bucket.states == self._states)

    def fold(self, values: Sequence[float]) -> list[float]:
        folded = list(self._pick(values))
        for places in self._several:
            folded.append(sum([values[at] for at in places]))
        return folded

    def fold_known(self, values: Sequence[float | None]) -> list[float | None]:
        return [*self._pick(values), *(_sum_known([values[at] for at in places]) for places in self._several)]

    def take_off(self, column: _Column, bucket: _Bucket) -> None:
        """Leave in each host's row what is left of it when the rows with a layer of their own are taken off.

        A host's peak less what those held on average is its sessions' peak: exact for rows that do not move.
        """
        for place, others in self._off:
            mean = sum(bucket.held[at] / bucket.own[at] for at in others)
            column.peak[place] = max(0.0, column.peak[place] - mean)
            column.low[place] = max(0.0, column.low[place] - mean)
            column.held[place] = max(0.0, column.held[place] - sum(bucket.held[at] for at in others))
            used = column.cpu[place]
            column.cpu[place] = None if used is None else used - (_sum_known([bucket.cpu[at] for at in others]) or 0.0)


def _picker(places: list[int]) -> Callable[[Sequence[Any]], tuple[Any, ...]]:
    if len(places) > 1:
        return itemgetter(*places)
    return lambda values: tuple([values[at] for at in places])


@dataclass(slots=True)
class _Column:
    """Hold what buckets of the same layers come to; the lists line up with the plan's layers."""

    peak: list[float]
    cpu: list[float | None]
    low: list[float]
    held: list[float]
    own: list[float]

    @classmethod
    def of(cls, bucket: _Bucket, plan: _Plan) -> _Column:
        made = cls(
            plan.fold(bucket.peak),
            plan.fold_known(bucket.cpu) if None in bucket.cpu else plan.fold(bucket.cpu),  # type: ignore[arg-type]
            *(plan.fold(values) if values else [] for values in (bucket.low, bucket.held, bucket.own)),
        )
        plan.take_off(made, bucket)
        return made

    def join(self, later: _Column) -> None:
        """Take in a bucket of the same layers."""
        self.peak = list(map(max, self.peak, later.peak))
        if None in self.cpu or None in later.cpu:
            self.cpu = [_sum_known(both) for both in zip(self.cpu, later.cpu, strict=True)]
        else:
            self.cpu = list(map(add, self.cpu, later.cpu))
        self.low = list(map(min, self.low, later.low))
        self.held = list(map(add, self.held, later.held))
        self.own = list(map(add, self.own, later.own))


def _known(values: Iterable[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def _sum_known(values: Iterable[float | None]) -> float | None:
    known = _known(values)
    return sum(known) if known else None


@dataclass(slots=True)
class _Line:
    """Hold the values of one layer by column, None where it was not there; sizes in KiB."""

    peak: list[float | None]
    cpu: list[float | None]
    low: list[float | None]
    held: list[float | None]
    own: list[float | None]

    @classmethod
    def of(cls, columns: int) -> _Line:
        nothing: list[float | None] = [None] * columns
        return cls(nothing[:], nothing[:], nothing[:], nothing[:], nothing[:])


class _Rows:
    """Gather the values of all layers by column.

    Attributes:
        measured: the columns in which something was measured.
        lines: by layer.
    """

    def __init__(self, columns: _Columns, *, detail: bool) -> None:
        self.measured: set[int] = set()
        self.lines: dict[str, _Line] = {}
        self._columns = columns
        self._detail = detail
        self._ms = [0] * columns.count

    def take(self, buckets: Iterable[_Bucket], subjects: _Subjects, wish: _Wish) -> None:
        names = _Names(subjects, wish)
        plan: _Plan | None = None
        at, column = -1, None
        for bucket in buckets:
            index = self._columns.at(bucket.at_s)
            self.measured.add(index)
            if plan is None or not plan.serves(bucket):
                if plan is not None and column is not None:
                    self._put(at, plan, column)
                plan, column = _Plan(bucket, names), None
            made = _Column.of(bucket, plan)
            if plan.layers and bucket.measured_ms is not None:
                self._ms[index] += bucket.measured_ms
            if column is not None and index == at:
                column.join(made)
                continue
            if column is not None:
                self._put(at, plan, column)
            at, column = index, made
        if plan is not None and column is not None:
            self._put(at, plan, column)

    def _put(self, index: int, plan: _Plan, column: _Column) -> None:
        for layer in plan.layers:
            if layer not in self.lines:
                self.lines[layer] = _Line.of(self._columns.count)
        lines = [self.lines[layer] for layer in plan.layers]
        if any(line.peak[index] is not None for line in lines):
            self._put_again(index, lines, column)
            return
        for line, peak, cpu in zip(lines, column.peak, column.cpu, strict=True):
            line.peak[index] = peak
            line.cpu[index] = cpu
        if self._detail:
            for line, low, held, own in zip(lines, column.low, column.held, column.own, strict=True):
                line.low[index], line.held[index], line.own[index] = low, held, own

    def _put_again(self, index: int, lines: list[_Line], column: _Column) -> None:
        """Join a column that came in pieces, because its layers were not the same all the time."""
        lists = (column.peak, column.cpu, column.low, column.held, column.own)
        rows = zip(*(values or [None] * len(lines) for values in lists), strict=True)
        for line, (peak, cpu, low, held, own) in zip(lines, rows, strict=True):
            line.peak[index] = max(peak, line.peak[index] or 0.0)
            line.cpu[index] = _sum_known((cpu, line.cpu[index]))
            line.low[index] = min(known) if (known := _known((low, line.low[index]))) else None
            line.held[index] = _sum_known((held, line.held[index]))
            line.own[index] = _sum_known((own, line.own[index]))

    def holds(self, layer: str) -> bool:
        """Tell whether a layer ever has anything: a host whose helpers alone are there has nothing of its own."""
        return layer in self.lines and (any(self.lines[layer].peak) or any(self.lines[layer].cpu))

    def layer(self, called: _Called, held: _Held, otherwise: float | None) -> Layer:
        """Return a layer in bytes and percent, with `otherwise` in columns where it was not there."""
        line = self.lines[called.key]
        cpu = [
            otherwise if peak is None else None if used is None or not ms else max(0.0, 100 * used / ms)
            for peak, used, ms in zip(line.peak, line.cpu, self._ms, strict=True)
        ]
        mean = [
            total / own if total is not None and own else None for total, own in zip(line.held, line.own, strict=True)
        ]
        return Layer(
            key=called.key,
            host=called.host,
            title=called.title,
            memory_bytes=held.spread(_bytes(line.peak, otherwise)),
            cpu_percent=held.spread(cpu),
            memory_min_bytes=held.spread(_bytes(line.low, otherwise)) if self._detail else (),
            memory_mean_bytes=held.spread(_bytes(mean, otherwise)) if self._detail else (),
        )


def _bytes(sizes_kib: Iterable[float | None], otherwise: float | None) -> list[float | None]:
    return [otherwise if size is None else size * 1024.0 for size in sizes_kib]


@dataclass(frozen=True, slots=True)
class _Called:
    """Say what a layer is called."""

    key: str
    host: str | None
    title: str


def series(path: Path, query: SeriesQuery) -> Series:
    """Answer a query: per column the largest memory and the mean CPU of each layer.

    A layer that was not there while others were measured has 0; a column in which nothing was measured has None. With
    `query.session` (a group's key, or the host's own id of a session) there is that one layer, and None where it was
    not there. Raises HistoryError.
    """
    since_s, until_s = query.since_epoch_s, query.until_epoch_s
    with reading(path) as connection:
        if connection is None:
            columns = _Columns.over(since_s, until_s, query.columns)
            return Series(times_epoch_s=columns.centres_s, column_s=columns.width_s, layers=())
        connection.execute("BEGIN")  # one view of the history from the first statement to the last
        level = _level(connection, since_s, until_s)
        columns = _Columns.over(since_s, until_s, query.columns, least_s=level.width_s)
        subjects = _subjects(connection, since_s, until_s)
        wish = _within(query.branch, _wish(query, subjects))
        rows = _read(connection, sections(connection, level, since_s, until_s), columns, subjects, wish)
        gaps = gaps_between(connection, since_s, until_s)
        held = _held(rows.measured, columns, gaps)
        alone = query.session is not None
        return Series(
            times_epoch_s=columns.centres_s,
            column_s=columns.width_s,
            layers=tuple(
                rows.layer(called, held, None if alone else 0.0)
                for called in _in_order(connection, query, subjects, rows)
            ),
            gaps=tuple(gap for gap in gaps if gap.until_epoch_s - gap.since_epoch_s >= columns.width_s / 2),
            marks=_marks(connection, query) if query.branch is None else _marks_of_branch(connection, query),
            strains=_strains(connection, since_s, until_s),
            memory_metric=_metric(connection, since_s, until_s),
            total=rows.layer(_Called(TOTAL_KEY, None, "Total"), held, 0.0) if TOTAL_KEY in rows.lines else None,
        )


def sparklines(path: Path, *, now_epoch_s: float, columns: int) -> dict[str, list[float | None]]:
    """Return the largest memory per column over the last hour, by group key; None where it was not there.

    Raises HistoryError.
    """
    since_s = now_epoch_s - SPARKLINE_S
    cut = _Columns.over(since_s, now_epoch_s, columns)
    level = MINUTE if cut.width_s >= MINUTE.width_s else RAW
    with reading(path) as connection:
        if connection is None:
            return {}
        connection.execute("BEGIN")
        subjects = _subjects(connection, since_s, now_epoch_s)
        wish = _Wish(layer_of=lambda subject, _: None if subject.is_sum else subject.key)
        rows = _read(connection, sections(connection, level, since_s, now_epoch_s), cut, subjects, wish)
        held = _held(rows.measured, cut, gaps_between(connection, since_s, now_epoch_s))
        return {key: list(held.spread(_bytes(line.peak, None))) for key, line in rows.lines.items()}


def heap_series(path: Path, query: SeriesQuery) -> Series:
    """Return the heaps of hosts over time, the one that came nearest to its limit in the range first.

    Each has three layers, in this order: "heap:<pid>:<start>" is what it uses, "limit:<pid>:<start>" how large it may
    grow, "rss:<pid>:<start>" what its process has resident, which lies around the heap and is not to be added to it.
    All are None where the process was not there. Only the range and the columns of the query count; marks are of what
    came back inside of heaps. Raises HistoryError.
    """
    since_s, until_s = query.since_epoch_s, query.until_epoch_s
    with reading(path) as connection:
        if connection is None:
            columns = _Columns.over(since_s, until_s, query.columns)
            return Series(times_epoch_s=columns.centres_s, column_s=columns.width_s, layers=())
        connection.execute("BEGIN")
        level = _level(connection, since_s, until_s)
        columns = _Columns.over(since_s, until_s, query.columns, least_s=level.width_s)
        heaps = _heaps(connection, since_s, until_s)
        rows = _Rows(columns, detail=True)
        for part in sections(connection, level, since_s, until_s):
            rows.take(_heap_buckets(connection, part, heaps), heaps.layers, _Wish(layer_of=lambda layer, _: layer.key))
        gaps = gaps_between(connection, since_s, until_s)
        held = _held(rows.measured, columns, gaps)
        found: list[tuple[float, float, tuple[Layer, ...]]] = []
        for number, used, rss in heaps.pairs():
            if used.key not in rows.lines:
                continue
            line = rows.lines[used.key]
            steps = heaps.limits.get(number, [])
            limit = _Line.of(columns.count)
            limit.peak = [None if there is None else _limit(steps, columns, at) for at, there in enumerate(line.peak)]
            rows.lines.setdefault(rss.key, _Line.of(columns.count))
            rows.lines[f"limit:{rss.session_id}"] = limit
            shares = [size / most for size, most in zip(line.peak, limit.peak, strict=True) if size and most]
            called = (
                _Called(used.key, used.host, f"Heap of {used.title}"),
                _Called(f"limit:{used.session_id}", used.host, f"Limit of {used.title}"),
                _Called(rss.key, used.host, f"RSS of {used.title}"),
            )
            layers = tuple(rows.layer(one, held, None) for one in called)
            found.append((max(shares, default=0.0), max(_known(line.peak)), layers))
        found.sort(key=lambda one: one[:2], reverse=True)
        return Series(
            times_epoch_s=columns.centres_s,
            column_s=columns.width_s,
            layers=tuple(layer for *_, layers in found for layer in layers),
            gaps=tuple(gap for gap in gaps if gap.until_epoch_s - gap.since_epoch_s >= columns.width_s / 2),
            marks=_heap_marks(connection, query),
            memory_metric=HEAP_METRIC,
        )


# ------------------------------------------------------------------------------------------------------ what to read


def _level(connection: sqlite3.Connection, since_s: float, until_s: float) -> Level:
    """Return the finest tier that holds the whole range in not too many buckets."""
    small = [level for level in LEVELS if _count(level, until_s - since_s) <= MOST_BUCKETS] or [LEVELS[-1]]
    return finest(connection, since_s, until_s, small)


def _count(level: Level, length_s: float) -> float:
    """Return how many buckets a range has; of samples there are fewer than seconds, and never more than are kept."""
    return 0 if level is RAW else length_s / level.width_s


def _subjects(connection: sqlite3.Connection, since_s: float, until_s: float) -> _Subjects:
    """Return what was counted at some time of a range."""
    slack_s = SIX_HOURS.width_s  # a bucket may begin before the range
    return {
        number: _Subject(*row)
        for number, *row in connection.execute(
            """
            SELECT id, key, kind, host, coalesce(title, session_id, key), session_id, first_seen_s, peak_held
            FROM subjects WHERE last_seen_s >= ? AND first_seen_s <= ? AND kind <> 'heap'
            """,
            (since_s - slack_s, until_s),
        )
    }


def _wish(query: SeriesQuery, subjects: _Subjects) -> _Wish:
    if query.session is not None:
        wanted = {n for n, s in subjects.items() if not s.is_sum and query.session in (s.key, s.session_id)}
        keys = {subjects[number].key for number in wanted}
        return _Wish(
            layer_of=lambda subject, _: subject.key if subject.key in keys and not subject.is_sum else None,
            # the total is there in every bucket, and so tells in which something was measured
            only=frozenset(wanted | {number for number, subject in subjects.items() if subject.kind == TOTAL_KEY}),
            detail=True,
        )
    if query.stack_by is StackBy.HOST:
        return _Wish(
            layer_of=lambda subject, _: subject.key if subject.is_sum else subject.beside_hosts,
            only=frozenset(number for number, subject in subjects.items() if subject.is_sum or subject.beside_hosts),
            detail=True,
            net=True,
        )
    if query.stack_by is StackBy.STATE:
        return _Wish(layer_of=_by_state, by_state=True)
    sessions = [subject for subject in subjects.values() if subject.kind == GroupKind.SESSION]
    large = {s.key for s in sorted(sessions, key=lambda s: s.peak, reverse=True)[:MOST_SESSIONS]}

    def by_session(subject: _Subject, _: int | None) -> str | None:
        if subject.kind == GroupKind.SESSION:
            return subject.key if subject.key in large else MORE_KEY
        return _total_or_apart(subject)

    return _Wish(layer_of=by_session)


def _within(branch: str | None, wish: _Wish) -> _Wish:
    """Keep the layers of one head only, and the total, which tells in which bucket something was measured."""
    if branch is None:
        return wish
    layer_of = wish.layer_of
    return replace(wish, layer_of=lambda s, state: layer_of(s, state) if s.branch in (None, branch) else None)


def _by_state(subject: _Subject, state: int | None) -> str | None:
    if subject.kind == GroupKind.SESSION:
        return STATES[5 if state is None else state].value
    return _total_or_apart(subject)


def _total_or_apart(subject: _Subject) -> str | None:
    return TOTAL_KEY if subject.kind == TOTAL_KEY else subject.apart


def _in_order(
    connection: sqlite3.Connection, query: SeriesQuery, subjects: _Subjects, rows: _Rows
) -> Iterator[_Called]:
    """Return what the layers that were found are called, from below."""
    labels = {host: (rank, title) for host, title, rank in connection.execute("SELECT host, title, rank FROM hosts")}

    def rank(host: str | None) -> tuple[int, str]:
        return (labels[host][0] if host in labels else 100), host or ""

    middle: list[_Called]
    if query.session is None and query.stack_by is StackBy.STATE:
        middle = [_Called(state.value, None, _STATE_TITLES[state]) for state in _STATE_ORDER]
    elif query.session is None and query.stack_by is StackBy.HOST:
        hosts = sorted((s.key for s in subjects.values() if s.kind == "host"), key=rank)
        middle = [
            _Called(host, host, labels[host][1] if host in labels else host) for host in hosts if rows.holds(host)
        ]
    else:
        called = {s.key: s for s in sorted(subjects.values(), key=lambda s: -s.first_seen_s) if not s.is_sum}
        inside = sorted(called.values(), key=lambda s: (rank(s.host), s.first_seen_s, s.key))
        middle = [_Called(subject.key, subject.host, subject.title) for subject in inside]
    ordered = [
        _Called(SHARED_KEY, None, "Shared helpers"),
        *middle,
        _Called(MORE_KEY, None, "Smaller sessions"),
        _Called(ORPHANS_KEY, None, "Orphans"),
    ]
    return (entry for entry in ordered if entry.key in rows.lines)


# ------------------------------------------------------------------------------------------------------------ reading


def _read(
    connection: sqlite3.Connection,
    parts: Iterable[Section],
    columns: _Columns,
    subjects: _Subjects,
    wish: _Wish,
) -> _Rows:
    rows = _Rows(columns, detail=wish.detail)
    for part in parts:
        for read in (_samples,) if part.level is RAW else (_packs, _buckets):
            rows.take(read(connection, part, wish), subjects, wish)
    return rows


def _buckets(connection: sqlite3.Connection, part: Section, wish: _Wish) -> Iterator[_Bucket]:
    """Read the buckets of a tier, all rows of one as a few lists: making a tuple of each row takes twice as long."""
    level = part.level
    lists = [f"r.k & {ID_MASK}", "r.rss + r.held + r.held_max", "r.cpu_used"]
    if wish.detail:
        own = "t.samples - r.absent"
        lists += ["r.rss + r.held + r.held_min", f"(r.rss + r.held) * ({own}) + r.held_over", own]
    if wish.by_state:
        lists += ["r.state"]
    decode, decode_some = msgspec.json.Decoder(list[int]).decode, msgspec.json.Decoder(list[int | None]).decode
    ids_text, ids = "", list[int]()
    for bucket, measured_ms, those, peak, cpu, *more in connection.execute(
        f"""
        SELECT t.bucket, t.measured_ms, {", ".join(f"json_group_array({one})" for one in lists)}
        FROM {level.ticks} t CROSS JOIN {level.table} r
            ON r.k >= t.bucket << {ID_BITS} AND r.k < (t.bucket + 1) << {ID_BITS} {among(wish.only, "r.k")}
        WHERE t.bucket >= ? AND t.bucket < ? GROUP BY t.bucket
        """,
        (part.first, part.after),
    ):
        if those != ids_text:
            ids_text, ids = those, decode(those)
        made = _Bucket(bucket * level.width_s, measured_ms, ids, decode(peak), decode_some(cpu))
        if wish.detail:
            made.low, made.held, made.own = map(decode, more)
        if wish.by_state:
            made.states = decode_some(*more)
        yield made


def _packs(connection: sqlite3.Connection, part: Section, wish: _Wish) -> Iterator[_Bucket]:
    """Read the buckets that are packed, the oldest of a tier."""
    columns = ("rss", "held", "held_max", "cpu_used")
    more = ("held_min", "held_over", "absent") if wish.detail else ("state",) if wish.by_state else ()
    for (bucket, measured_ms, count), cells in unpacked(
        connection, part, (*columns, *more), of_tick="measured_ms, samples", only=wish.only
    ):
        ids, rss, held, above, cpu, *rest = cells
        last = list(map(add, rss, held))
        made = _Bucket(bucket * part.level.width_s, measured_ms, ids, list(map(add, last, above)), cpu)
        if wish.detail:
            below, over, absent = rest
            made.low = list(map(add, last, below))
            made.own = [count - missing for missing in absent]
            made.held = [size * own + rest for size, own, rest in zip(last, made.own, over, strict=True)]
        if wish.by_state:
            (made.states,) = rest
        yield made


def _samples(connection: sqlite3.Connection, part: Section, wish: _Wish) -> Iterator[_Bucket]:
    """Read single samples, which are their own smallest and mean."""
    for (at_s, measured_ms), rows in samples(
        connection,
        part,
        lambda rss, less, dark, used, total, processes, state: (rss + less, used, state),
        of_tick="measured_ms",
        only=wish.only,
    ):
        _, _, ids, held, cpu, states = zip(*rows, strict=True) if rows else ((),) * 6
        bucket = _Bucket(at_s, measured_ms, ids, held, cpu, states=states if wish.by_state else ())
        if wish.detail:
            bucket.low, bucket.held, bucket.own = held, held, (1,) * len(held)
        yield bucket


@dataclass(frozen=True, slots=True, kw_only=True)
class _Heaps:
    """Hold the heaps of a range: a row of one makes two layers, what it uses and what its process has resident.

    Attributes:
        total: the subject that is there whenever something was measured.
        layers: by the subject's id what it uses, and by its complement the resident size.
        limits: by the subject's id the steps of its limit, when and KiB, in order of time.
    """

    total: int | None
    layers: _Subjects
    limits: dict[int, list[tuple[int, int | None]]]

    def pairs(self) -> Iterator[tuple[int, _Subject, _Subject]]:
        return ((number, self.layers[number], self.layers[~number]) for number in self.layers if number >= 0)

    @property
    def read(self) -> frozenset[int]:
        """Return the subjects of which rows are read."""
        heaps = {number for number in self.layers if number >= 0}
        return frozenset(heaps if self.total is None else heaps | {self.total})


def _heaps(connection: sqlite3.Connection, since_s: float, until_s: float) -> _Heaps:
    layers: _Subjects = {}
    for number, key, host, title, first_seen_s, peak in connection.execute(
        """
        SELECT g.id, g.key, g.host, coalesce(h.title, g.host), g.first_seen_s, g.peak_rss
        FROM subjects g LEFT JOIN hosts h USING (host)
        WHERE g.kind = 'heap' AND g.last_seen_s >= ? AND g.first_seen_s <= ? ORDER BY g.id
        """,
        (since_s - SIX_HOURS.width_s, until_s),
    ):
        identity = ":".join(key.rsplit(":", 2)[1:])
        for of, layer in ((number, "heap"), (~number, "rss")):
            layers[of] = _Subject(f"{layer}:{identity}", "heap", host, title, identity, first_seen_s, peak)
    limits: dict[int, list[tuple[int, int | None]]] = {}
    for number, at_s, size in connection.execute("SELECT id, since_s, size FROM limits ORDER BY id, since_s"):
        limits.setdefault(number, []).append((at_s, size))
    total = connection.execute("SELECT id FROM subjects WHERE kind = 'total'").fetchone()
    return _Heaps(total=None if total is None else total[0], layers=layers, limits=limits)


def _limit(steps: list[tuple[int, int | None]], columns: _Columns, index: int) -> float | None:
    """Return the largest limit that a heap had in a column; before it was first told of, the first one."""
    since_s, until_s = ((columns.first + index + more) * columns.width_s for more in (0, 1))
    after = max(1, bisect_left(steps, until_s, key=itemgetter(0)))
    first = max(0, bisect_right(steps, since_s, key=itemgetter(0)) - 1)
    return max(_known(size for _, size in steps[first:after]), default=None)


_HeapRow = tuple[int, int, int, int, int, int, int, int, int]
"""Subject, samples, samples whose resident size is not known; of what is used and of what is resident, in KiB, the
largest, the smallest, and the sum over the samples."""


def _heap_buckets(connection: sqlite3.Connection, part: Section, heaps: _Heaps) -> Iterator[_Bucket]:
    found: Iterator[tuple[int, int | None, list[_HeapRow]]]
    found = chain.from_iterable(
        read(connection, part, heaps.read)
        for read in ((_heap_samples,) if part.level is RAW else (_heap_packs, _heap_rows))
    )
    for at_s, measured_ms, rows in found:
        # what stands in for a resident size that is not known is no reading
        told = [(row[0], row[1], row[3:6]) for row in rows if row[0] in heaps.layers]
        told += [(~row[0], row[1], row[6:9]) for row in rows if row[0] in heaps.layers and not row[2]]
        yield _Bucket(
            at_s,
            measured_ms,
            ids=[of for of, *_ in told],
            peak=[peak for *_, (peak, _, _) in told],
            cpu=[None] * len(told),
            low=[low for *_, (_, low, _) in told],
            held=[summed for *_, (_, _, summed) in told],
            own=[own for _, own, _ in told],
        )


def _heap_samples(
    connection: sqlite3.Connection, part: Section, only: frozenset[int]
) -> Iterator[tuple[int, int | None, list[_HeapRow]]]:
    for (at_s, measured_ms), rows in samples(
        connection,
        part,
        lambda rss, less, dark, *_: (1, dark, *[rss] * 3, *[rss + less] * 3),
        of_tick="measured_ms",
        only=only,
    ):
        yield at_s, measured_ms, [row[2:] for row in rows]


def _heap_rows(
    connection: sqlite3.Connection, part: Section, only: frozenset[int]
) -> Iterator[tuple[int, int | None, list[_HeapRow]]]:
    level = part.level
    own = "(t.samples - r.absent)"
    # few rows of a bucket are wanted, and each is found by its key
    rows = connection.execute(
        f"""
        SELECT t.bucket, t.measured_ms, w.value, {own}, r.unknown,
               r.rss + r.rss_max, r.rss + r.rss_min, r.rss * {own} + r.rss_over,
               r.rss + r.held + r.held_max, r.rss + r.held + r.held_min, (r.rss + r.held) * {own} + r.held_over
        FROM {level.ticks} t CROSS JOIN json_each(?) w
            CROSS JOIN {level.table} r ON r.k = t.bucket << {ID_BITS} | w.value
        WHERE t.bucket >= ? AND t.bucket < ? ORDER BY t.bucket
        """,
        (msgspec.json.encode(sorted(only)).decode(), part.first, part.after),
    )
    for (bucket, measured_ms), together in groupby(rows, key=itemgetter(0, 1)):
        yield bucket * level.width_s, measured_ms, [row[2:] for row in together]


def _heap_packs(
    connection: sqlite3.Connection, part: Section, only: frozenset[int]
) -> Iterator[tuple[int, int | None, list[_HeapRow]]]:
    columns = (
        "rss",
        "rss_max",
        "rss_min",
        "rss_over",
        "held",
        "held_max",
        "held_min",
        "held_over",
        "unknown",
        "absent",
    )
    for (bucket, measured_ms, count), (ids, *cells) in unpacked(
        connection, part, columns, of_tick="measured_ms, samples", only=only
    ):
        yield (
            bucket * part.level.width_s,
            measured_ms,
            [
                (
                    number,
                    count - absent,
                    unknown,
                    rss + above,
                    rss + below,
                    rss * (count - absent) + over,
                    rss + held + held_above,
                    rss + held + held_below,
                    (rss + held) * (count - absent) + held_over,
                )
                for number, rss, above, below, over, held, held_above, held_below, held_over, unknown, absent in zip(
                    ids, *cells, strict=True
                )
            ],
        )


def _held(measured: set[int], columns: _Columns, gaps: Iterable[Gap]) -> _Held:
    """Find what each column shows; those between two measured ones, outside of gaps, are narrower than the beat."""
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


def gaps_between(connection: sqlite3.Connection, since_s: float, until_s: float) -> tuple[Gap, ...]:
    """Return the gaps that overlap a range, by time."""
    rows = connection.execute(
        "SELECT kind, since_s, until_s FROM gaps WHERE until_s > ? AND since_s < ? ORDER BY since_s", (since_s, until_s)
    )
    return tuple(
        Gap(kind=GapKind(kind), since_epoch_s=float(since), until_epoch_s=float(until)) for kind, since, until in rows
    )


def _strains(connection: sqlite3.Connection, since_s: float, until_s: float) -> tuple[Strain, ...]:
    """Return when memory was short within a range, by time."""
    rows = connection.execute(
        "SELECT pressure, since_s, until_s FROM strains WHERE until_s > ? AND since_s < ? ORDER BY since_s",
        (since_s, until_s),
    )
    return tuple(
        Strain(pressure=Pressure(pressure), since_epoch_s=float(since), until_epoch_s=float(until))
        for pressure, since, until in rows
    )


def _marks(connection: sqlite3.Connection, query: SeriesQuery) -> tuple[Mark, ...]:
    """Return the actions that gave memory back; for one session those that it gave, and how much of it."""
    if query.session is None:
        rows = connection.execute(
            """
            SELECT m.at_s, m.came_back, m.title, m.receipt_id,
                   (SELECT json_group_array(DISTINCT group_key) FROM receipts r WHERE r.receipt_id = m.receipt_id),
                   (SELECT json_group_array(DISTINCT fate) FROM receipts r WHERE r.receipt_id = m.receipt_id)
            FROM marks m WHERE m.at_s BETWEEN ? AND ? AND m.came_back > 0 ORDER BY m.at_s
            """,
            (query.since_epoch_s, query.until_epoch_s),
        )
    else:
        rows = connection.execute(
            """
            SELECT m.at_s, sum(r.came_back), coalesce(max(g.title), m.title), m.receipt_id,
                   json_group_array(DISTINCT r.group_key), json_group_array(DISTINCT r.fate)
            FROM receipts r JOIN marks m USING (receipt_id)
                JOIN (SELECT key, max(title) AS title FROM subjects
                      WHERE key = :session OR session_id = :session GROUP BY key) g ON g.key = r.group_key
            WHERE m.at_s BETWEEN :since AND :until GROUP BY m.receipt_id HAVING sum(r.came_back) > 0 ORDER BY m.at_s
            """,
            {"since": query.since_epoch_s, "until": query.until_epoch_s, "session": query.session},
        )
    return _marks_of(rows)


def _marks_of_branch(connection: sqlite3.Connection, query: SeriesQuery) -> tuple[Mark, ...]:
    """Return the actions that gave memory back under one head, with that head's part of it.

    A group counts under the head that it had when it was last seen before the action.
    """
    found: dict[str, Mark] = {}
    fates: dict[str, set[str]] = {}
    for at_s, came_back, title, receipt_id, key, fate, kind, host, name in connection.execute(
        """
        SELECT m.at_s, r.came_back, m.title, m.receipt_id, r.group_key, r.fate, g.kind, g.host, g.title
        FROM marks m JOIN receipts r USING (receipt_id) JOIN subjects g ON g.id = (
            SELECT s.id FROM subjects s WHERE s.key = r.group_key AND s.first_seen_s <= m.at_s
            ORDER BY s.first_seen_s DESC LIMIT 1
        )
        WHERE m.at_s BETWEEN ? AND ? ORDER BY m.at_s, m.receipt_id, r.group_key
        """,
        (query.since_epoch_s, query.until_epoch_s),
    ):
        if _branch_of(kind, host) != query.branch:
            continue
        before = found.get(receipt_id)
        fates.setdefault(receipt_id, set()).add(fate)
        found[receipt_id] = Mark(
            at_epoch_s=float(at_s),
            came_back_bytes=came_back + (before.came_back_bytes if before is not None else 0),
            title=title if before is not None else name or title,
            receipt_id=receipt_id,
            groups=tuple(sorted({key, *(before.groups if before is not None else ())})),
            ended=_are_ended(fates[receipt_id]),
        )
    return tuple(mark for mark in found.values() if mark.came_back_bytes > 0)


def _heap_marks(connection: sqlite3.Connection, query: SeriesQuery) -> tuple[Mark, ...]:
    """Return the actions that gave memory back inside of heaps."""
    return _marks_of(
        connection.execute(
            """
            SELECT m.at_s, m.heap, m.title, m.receipt_id,
                   (SELECT json_group_array(DISTINCT group_key) FROM receipts r WHERE r.receipt_id = m.receipt_id),
                   (SELECT json_group_array(DISTINCT fate) FROM receipts r WHERE r.receipt_id = m.receipt_id)
            FROM marks m WHERE m.at_s BETWEEN ? AND ? AND m.heap > 0 ORDER BY m.at_s
            """,
            (query.since_epoch_s, query.until_epoch_s),
        )
    )


def _marks_of(rows: Iterable[tuple[int, int, str, str, str, str]]) -> tuple[Mark, ...]:
    return tuple(
        Mark(
            at_epoch_s=float(at_s),
            came_back_bytes=came_back,
            title=title,
            receipt_id=receipt_id,
            groups=tuple(sorted(msgspec.json.decode(keys, type=list[str]))),
            ended=_are_ended(msgspec.json.decode(fates, type=list[str])),
        )
        for at_s, came_back, title, receipt_id, keys, fates in rows
    )


def _are_ended(fates: Collection[str]) -> bool:
    return Fate.ENDED in fates and Fate.RELEASED not in fates


def _metric(connection: sqlite3.Connection, since_s: float, until_s: float) -> str | None:
    """Return what the footprint of the newest measurement of the range is."""
    for level in LEVELS:
        row = connection.execute(
            f"""
            SELECT r.footprint_metric FROM {level.ticks} t JOIN runs r USING (run_id)
            WHERE t.bucket BETWEEN ? AND ? ORDER BY t.bucket DESC LIMIT 1
            """,
            (since_s // level.width_s, until_s // level.width_s),
        ).fetchone()
        if row is not None:
            return None if row[0] is None else str(row[0])
    return None
