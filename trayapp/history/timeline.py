"""Read what each group was like over a range, to replay a policy over it: its states, what it held, and when.

The newest part comes from single samples, what is older from minutes, then from quarters of an hour. A bucket says
which state a session had at its end, so a turn that began and ended within one is seen by its CPU alone. As all
readers, it opens its own connection and changes nothing; a range of days takes seconds, so not on a face's own thread.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from math import inf
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from trayapp.history.queries import gaps_between
from trayapp.history.rollup import ID_BITS, ID_MASK, MINUTE, QUARTER, RAW, Level
from trayapp.history.schema import STATES, reading
from trayapp.history.tiers import Section, covers, samples, sections, unpacked
from trayapp.model.series import Gap
from trayapp.model.session import State
from trayapp.model.snapshot import HELD_KINDS, GroupKind

WORKED_PERCENT = 5.0
"""Buckets on either side of this much CPU (100 = one core) are told apart: so a short turn can leave its trace."""

MOST_SPELLS = 400_000
"""Beyond so many, what a group holds is averaged over each spell of one state: 30 bytes each are enough."""

_SAME_KIB = 1024
_SAME_SHARE = 64
"""Sizes count as the same within 1 MB or a 64th."""


class Spell(NamedTuple):
    """Say what a group was like from one time to another (seconds since the epoch).

    Attributes:
        state: None for what has none.
        held_bytes: the mean; footprint, and the RSS where that is not known.
        cpu_percent: the mean; None = not known.
    """

    since_s: int
    until_s: int
    state: State | None
    held_bytes: int
    cpu_percent: float | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Track:
    """Hold one group over a range; where it was not there, it has no spell.

    A spell goes on over a gap where the group was there before and after it.
    """

    key: str
    kind: GroupKind
    host: str | None
    session_id: str | None
    title: str
    folder: str | None
    _since: array[int] = field(default_factory=lambda: array("q"))
    _until: array[int] = field(default_factory=lambda: array("q"))
    _states: array[int] = field(default_factory=lambda: array("b"))
    _held_kib: array[int] = field(default_factory=lambda: array("q"))
    _cpu: array[float] = field(default_factory=lambda: array("f"))

    def __len__(self) -> int:
        return len(self._since)

    @property
    def spells(self) -> Iterator[Spell]:
        """Yield the spells by time."""
        for since_s, until_s, code, held, cpu in zip(
            self._since, self._until, self._states, self._held_kib, self._cpu, strict=True
        ):
            yield Spell(since_s, until_s, STATES.get(code), held << 10, None if cpu < 0 else cpu)

    def goes_on(self, since_s: int) -> None:
        """Say that it is still there at the next measurement."""
        self._until[-1] = since_s

    def add(
        self, since_s: int, until_s: int, code: int, held_kib: int, cpu: float, *, joins: bool, by_size: bool
    ) -> bool:
        """Add what was measured (`cpu` < 0 = not known); True when that is a spell of its own.

        `joins`: it was there just before, and may be the same spell; `by_size`: not if it holds another size.
        """
        if joins and self._is_same(code, held_kib, cpu, by_size=by_size):
            before_s, now_s = self._until[-1] - self._since[-1], until_s - since_s
            both_s = before_s + now_s
            self._until[-1] = until_s
            self._held_kib[-1] = (self._held_kib[-1] * before_s + held_kib * now_s) // both_s
            if cpu >= 0 and self._cpu[-1] >= 0:
                self._cpu[-1] = (self._cpu[-1] * before_s + cpu * now_s) / both_s
            return False
        self._since.append(since_s)
        self._until.append(until_s)
        self._states.append(code)
        self._held_kib.append(held_kib)
        self._cpu.append(cpu)
        return True

    def _is_same(self, code: int, held_kib: int, cpu: float, *, by_size: bool) -> bool:
        if self._states[-1] != code or (self._cpu[-1] >= WORKED_PERCENT) != (cpu >= WORKED_PERCENT):
            return False
        before = self._held_kib[-1]
        return not by_size or abs(held_kib - before) <= max(_SAME_KIB, before // _SAME_SHARE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """Hold a range of the history.

    Attributes:
        since_epoch_s, until_epoch_s: what was asked for.
        measured: from when to when something was measured, by time: all but the gaps.
        gaps: between these, and what kind they are.
        tracks: of all groups that count, sessions and others.
        minutes_since_s: what is older stands in quarters of an hour.
        samples_since_s: what is newer stands in single samples.
    """

    since_epoch_s: float
    until_epoch_s: float
    measured: tuple[tuple[float, float], ...] = ()
    gaps: tuple[Gap, ...] = ()
    tracks: tuple[Track, ...] = ()
    minutes_since_s: float = inf
    samples_since_s: float = inf


def read_past(path: Path, since_epoch_s: float, until_epoch_s: float) -> Past:
    """Return what the history holds of a range; empty without one. Raises HistoryError."""
    with reading(path) as connection:
        if connection is None:
            return Past(since_epoch_s=since_epoch_s, until_epoch_s=until_epoch_s)
        connection.execute("BEGIN")  # one view of the history from the first statement to the last
        parts = _parts(connection, since_epoch_s, until_epoch_s)
        reader = _Reader(_tracks(connection))
        for part in parts:
            reader.take(connection, part)
        gaps = gaps_between(connection, since_epoch_s, until_epoch_s)
    return Past(
        since_epoch_s=since_epoch_s,
        until_epoch_s=until_epoch_s,
        measured=_measured(reader, gaps),
        gaps=gaps,
        tracks=tuple(track for track in reader.tracks.values() if len(track)),
        minutes_since_s=_begin(parts, QUARTER),
        samples_since_s=_begin(parts, QUARTER, MINUTE),
    )


def _begin(parts: Iterable[Section], *coarser: Level) -> float:
    """Return when those parts begin that are finer than these."""
    return min((part.first * part.level.width_s for part in parts if part.level not in coarser), default=inf)


def _parts(connection: sqlite3.Connection, since_s: float, until_s: float) -> list[Section]:
    """Return where a range stands at its finest, by time: quarters, then minutes, then samples."""
    found: list[Section] = []
    at_s = since_s
    for level, finer in ((QUARTER, MINUTE), (MINUTE, RAW)):
        if covers(connection, finer, at_s, until_s):
            continue
        (oldest,) = connection.execute(f"SELECT min(bucket) FROM {finer.ticks}").fetchone()
        # the first whole bucket of which the finer tier has all
        edge_s = until_s + 1 if oldest is None else -(-oldest * finer.width_s // level.width_s) * level.width_s
        found += sections(connection, level, at_s, min(until_s, edge_s - 1))
        at_s = edge_s
    if at_s <= until_s:
        found += sections(connection, RAW, at_s, until_s)
    return found


def _tracks(connection: sqlite3.Connection) -> dict[int, Track]:
    kinds = sorted(HELD_KINDS)
    rows = connection.execute(
        "SELECT id, key, kind, host, session_id, coalesce(title, session_id, key), cwd FROM subjects"
        f" WHERE kind IN ({', '.join('?' * len(kinds))})",
        kinds,
    )
    return {
        number: Track(key=key, kind=GroupKind(kind), host=host, session_id=session_id, title=title, folder=cwd)
        for number, key, kind, host, session_id, title, cwd in rows
    }


_Row = tuple[int, int, float, int]
"""Subject, mean size (KiB), mean CPU (percent; -1 = not known), state."""

_Bucket = tuple[int, int, Sequence[_Row]]
"""From when to when, and what was there."""


class _Reader:
    """Put bucket after bucket to the tracks.

    Attributes:
        first_s, last_s: when the first bucket begins and the last one ends.
    """

    def __init__(self, tracks: dict[int, Track]) -> None:
        self.tracks = tracks
        self.first_s: int | None = None
        self.last_s = 0
        self._bucket = 0
        self._seen: dict[int, int] = {}
        self._spells = 0

    def take(self, connection: sqlite3.Connection, part: Section) -> None:
        for read in (_samples,) if part.level is RAW else (_packs, _buckets):
            for since_s, until_s, rows in read(connection, part):
                self._put(since_s, until_s, rows)

    def _put(self, since_s: int, until_s: int, rows: Iterable[_Row]) -> None:
        before, self._bucket = self._bucket, self._bucket + 1
        self.first_s = since_s if self.first_s is None else self.first_s
        self.last_s = until_s
        for number, held_kib, cpu, code in rows:
            track = self.tracks.get(number)
            if track is None:
                continue  # the sum of a host, or of all
            joins = self._seen.get(number) == before
            self._seen[number] = self._bucket
            if joins:
                track.goes_on(since_s)
            self._spells += track.add(
                since_s, until_s, code, held_kib, cpu, joins=joins, by_size=self._spells < MOST_SPELLS
            )


def _buckets(connection: sqlite3.Connection, part: Section) -> Iterator[_Bucket]:
    level = part.level
    rows = connection.execute(
        f"""
        SELECT t.bucket * {level.width_s}, r.k & {ID_MASK},
               ((r.rss + r.held) * (t.samples - r.absent) + r.held_over) / t.samples,
               coalesce(100.0 * r.cpu_used * t.samples / (t.measured_ms * (t.samples - r.absent - r.blind)), -1),
               coalesce(r.state, 0)
        FROM {level.ticks} t CROSS JOIN {level.table} r
            ON r.k >= t.bucket << {ID_BITS} AND r.k < (t.bucket + 1) << {ID_BITS}
        WHERE t.bucket >= ? AND t.bucket < ? ORDER BY t.bucket
        """,
        (part.first, part.after),
    )
    for since_s, together in groupby(rows, key=itemgetter(0)):
        yield since_s, since_s + level.width_s, [row[1:] for row in together]


def _packs(connection: sqlite3.Connection, part: Section) -> Iterator[_Bucket]:
    columns = ("rss", "held", "held_over", "absent", "blind", "cpu_used", "state")
    for (bucket, measured_ms, count), rows in unpacked(connection, part, columns, of_tick="measured_ms, samples"):
        since_s = bucket * part.level.width_s
        yield (
            since_s,
            since_s + part.level.width_s,
            [
                (
                    number,
                    ((rss + held) * (count - absent) + over) // count,
                    _percent(used, (measured_ms or 0) * (count - absent - blind) / count),
                    state or 0,
                )
                for number, rss, held, over, absent, blind, used, state in zip(*rows, strict=True)
            ],
        )


def _samples(connection: sqlite3.Connection, part: Section) -> Iterator[_Bucket]:
    """Yield single samples; each stands until the next one, so that a mean over several is one over time."""
    found: _Bucket | None = None
    for (at_s, measured_ms), rows in samples(
        connection,
        part,
        lambda rss, less, dark, used, total, processes, state: (rss + less, used, state or 0),
        of_tick="measured_ms",
    ):
        if found is not None:
            yield found[0], at_s, found[2]
        those = [(number, held, _percent(used, measured_ms or 0), state) for _, _, number, held, used, state in rows]
        found = (at_s, at_s + 1, those)
    if found is not None:
        yield found


def _percent(used_ms: int | None, measured_ms: float) -> float:
    return -1.0 if used_ms is None or measured_ms <= 0 else 100.0 * used_ms / measured_ms


def _measured(reader: _Reader, gaps: Iterable[Gap]) -> tuple[tuple[float, float], ...]:
    """Return the stretches from the first bucket to the last one that lie between the gaps."""
    if reader.first_s is None:
        return ()
    found: list[tuple[float, float]] = []
    at_s = float(reader.first_s)
    for gap in gaps:
        if gap.since_epoch_s > at_s:
            found.append((at_s, min(gap.since_epoch_s, float(reader.last_s))))
        at_s = max(at_s, gap.until_epoch_s)
    if at_s < reader.last_s:
        found.append((at_s, float(reader.last_s)))
    return tuple(found)
