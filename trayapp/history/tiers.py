"""Say where the past stands: which tier holds a range of time; and unfold what is not stored as plain rows.

A tier is pruned from its old end, and ends with the last bucket that is over; what came after that stands in the finer
ones. So a range is read from one tier, and its newest end from those below it.
"""

from __future__ import annotations

import sqlite3
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from typing import Any, cast

from trayapp.history.packing import packed, unpack
from trayapp.history.rollup import ID_BITS, ID_MASK, LEVELS, QUARTER, RAW, Level, packs
from trayapp.history.spans import SPAN_S


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Name the buckets `first` to before `after` of one tier."""

    level: Level
    first: int
    after: int

    @property
    def keys(self) -> tuple[int, int]:
        """Return the smallest key of the tier's rows and the one after the largest."""
        return self.first << ID_BITS, self.after << ID_BITS


def covers(connection: sqlite3.Connection, level: Level, since_s: float, until_s: float) -> bool:
    """Tell whether a tier has all of a range: no coarser one holds a whole bucket of it that is lost here."""
    (oldest,) = connection.execute(f"SELECT min(bucket) FROM {level.ticks}").fetchone()
    for coarser in LEVELS[LEVELS.index(level) + 1 :]:
        (found,) = connection.execute(
            f"SELECT min(bucket) FROM {coarser.ticks} WHERE bucket BETWEEN ? AND ?",
            (-(-since_s // coarser.width_s), until_s // coarser.width_s),
        ).fetchone()
        if found is not None and (oldest is None or (found + 1) * coarser.width_s <= oldest * level.width_s):
            return False
    return True


def finest(connection: sqlite3.Connection, since_s: float, until_s: float, among: Iterable[Level]) -> Level:
    """Return the first of some tiers (finest first) that has all of a range; the last of them if none has."""
    for level in among:
        if covers(connection, level, since_s, until_s):
            break
    return level


def sections(connection: sqlite3.Connection, level: Level, since_s: float, until_s: float) -> list[Section]:
    """Return where the buckets that overlap a range stand: in `level` as far as it goes, then in the finer tiers."""
    found: list[Section] = []
    at_s = int(since_s // level.width_s) * level.width_s
    for tier in reversed(LEVELS[: LEVELS.index(level) + 1]):
        (newest,) = connection.execute(f"SELECT max(bucket) FROM {tier.ticks}").fetchone()
        if newest is None:
            continue
        first, after = at_s // tier.width_s, min(newest, int(until_s // tier.width_s)) + 1
        if first < after:
            found.append(Section(level=tier, first=first, after=after))
            at_s = after * tier.width_s
    return found


def among(subjects: Iterable[int] | None, key: str = "k") -> str:
    """Return the SQL that keeps the rows of some subjects, to be put behind another condition; None keeps all."""
    return "" if subjects is None else f"AND {key} & {ID_MASK} IN ({', '.join(map(str, sorted(subjects)))})"


def packed_rows(connection: sqlite3.Connection, section: Section, only: frozenset[int] | None = None) -> int:
    """Return how many rows the packs hold that a section has something of, of some subjects or of all."""
    if section.level is RAW:
        if only is None:
            (found,) = connection.execute(
                f"SELECT coalesce(sum(samples), 0) FROM {RAW.table} WHERE k >= ? AND k < ?",
                (section.first // SPAN_S * SPAN_S << ID_BITS, section.after << ID_BITS),
            ).fetchone()
            return int(found)
        minutes = packs(connection, section.first, section.after)
        spans = chain.from_iterable(zip(*pack, strict=True) for _, together in minutes for pack in together)
        return sum(1 + more for number, (_, _, more, _) in spans if number in only)
    if section.level is not QUARTER:
        return 0
    return sum(len(unpack(blob, ("k",), only=only)[0]) for blob in packed(connection, section.first, section.after))


def unpacked(
    connection: sqlite3.Connection,
    section: Section,
    columns: Sequence[str],
    *,
    of_tick: str,
    only: frozenset[int] | None = None,
) -> Iterator[tuple[tuple[Any, ...], list[list[Any]]]]:
    """Yield each packed bucket of a section: its tick (bucket, then `of_tick`), the ids of its rows, then `columns`."""
    if section.level is not QUARTER:
        return
    for blob in packed(connection, section.first, section.after):
        stored, *cells = unpack(blob, ("k", *columns), only=only)
        keys = cast(list[int], stored)
        places = sorted(range(len(keys)), key=keys.__getitem__)  # by time, then by id
        if len(places) > 1:
            pick = itemgetter(*places)
            keys, cells = list(pick(keys)), [list(pick(column)) for column in cells]
        ids = [key & ID_MASK for key in keys]
        ticks = connection.execute(
            f"SELECT bucket, {of_tick} FROM {section.level.ticks} WHERE bucket >= ? AND bucket < ? ORDER BY bucket",
            (max(section.first, keys[0] >> ID_BITS), min(section.after, (keys[-1] >> ID_BITS) + 1)) if keys else (0, 0),
        )
        for tick in ticks:
            here = slice(*(bisect_left(keys, edge << ID_BITS) for edge in (tick[0], tick[0] + 1)))
            if ids[here]:
                yield tick, [ids[here], *(column[here] for column in cells)]


def samples(
    connection: sqlite3.Connection,
    section: Section,
    shape: Callable[..., tuple[Any, ...]],
    *,
    of_tick: str,
    only: frozenset[int] | None = None,
) -> Iterator[tuple[tuple[Any, ...], list[tuple[Any, ...]]]]:
    """Yield each measurement of the finest tier: its tick (time, then `of_tick`) and the spans that it is in.

    A span is its first and last time, the id, then what `shape` makes of its figures; they come in the order of ids.
    """
    # a span that reaches into the section may begin before it, but not before its minute
    for since_s, together in packs(connection, section.first, section.after):
        ticks = connection.execute(
            f"SELECT bucket, {of_tick} FROM raw_ticks WHERE bucket >= ? AND bucket < ? ORDER BY bucket",
            (since_s, min(since_s + SPAN_S, section.after)),
        ).fetchall()
        shaped = [
            (first_s, last_s, who, *shape(*figures))
            for who, (first_s, last_s, _, figures) in chain.from_iterable(zip(*pack, strict=True) for pack in together)
            if first_s < section.after and (only is None or who in only)
        ]
        there: list[list[tuple[Any, ...]]] = [[] for _ in ticks]
        _unfold(sorted(shaped, key=itemgetter(2)), ticks, there)
        yield from (pair for pair in zip(ticks, there, strict=True) if pair[0][0] >= section.first)


def _unfold(
    spans: Iterable[tuple[Any, ...]], ticks: Iterable[tuple[Any, ...]], there: list[list[tuple[Any, ...]]]
) -> None:
    """Put each span to the ticks from its first to its last."""
    place = {tick[0]: at for at, tick in enumerate(ticks)}
    newest = len(place) - 1  # the section may end before a span does
    for span in spans:
        first = place[span[0]]
        if span[0] == span[1]:
            there[first].append(span)
        else:
            for at in range(first, place.get(span[1], newest) + 1):
                there[at].append(span)
