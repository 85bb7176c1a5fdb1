"""Quarters of an hour that are older than a week, packed: as rows they would be two thirds of a year's file.

One pack holds all rows of the table `quarter` within one bucket of six hours. Its figures are the same to the last bit,
and reading it costs less than reading the rows did; what it cannot do is to be asked by SQL.
"""

from __future__ import annotations

import sqlite3
import zlib
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, pairwise
from typing import Literal, cast

from trayapp.history.rollup import COLUMNS, ID_BITS, ID_MASK, QUARTER, SIX_HOURS

PACK_AFTER_S = 8 * 86_400
"""The views of up to a week read plain rows."""

_PER_PACK = SIX_HOURS.width_s // QUARTER.width_s

# None is stored as 0, and a figure as one more than itself, where there may be none
_MAY_BE_NONE = frozenset({"cpu_used", "cpu_total", "state"})

# of these the difference from the row before is stored: rows are in the order of subjects, then of time
_RISING = frozenset({"k", "rss", "cpu_total"})

_WIDTH = 8

_TYPES: dict[int, Literal["H", "I", "Q"]] = {2: "H", 4: "I", 8: "Q"}

_OF_ONE_BYTE = tuple(value >> 1 ^ -(value & 1) for value in range(256))


def pack(rows: Sequence[tuple[int | None, ...]]) -> bytes:
    """Pack rows of a tier that have all of COLUMNS; their order is not kept."""
    ordered = sorted(rows, key=lambda row: (row[0] & ID_MASK, row[0]) if row[0] is not None else (0, 0))
    columns = [_planes(name, column) for name, column in zip(COLUMNS, zip(*ordered, strict=True), strict=True)]
    data = bytes(map(len, columns)) + b"".join(chain.from_iterable(columns))
    return len(ordered).to_bytes(4, "little") + zlib.compress(data, 6)


def unpack(
    blob: bytes, columns: Iterable[str] = COLUMNS, *, only: frozenset[int] | None = None
) -> list[list[int | None]]:
    """Return the columns asked for, each with a value for every row, in the order of subjects, then of time.

    With `only` there are the rows of these subjects; the others cost next to nothing. Raises the error by which SQLite
    tells of a damaged page.
    """
    count = int.from_bytes(blob[:4], "little")
    try:
        data = zlib.decompress(blob[4:])
    except zlib.error as error:
        # SQLite has no checksum over what a page holds; zlib has
        damage = sqlite3.DatabaseError(f"a pack is damaged: {error}")
        damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise damage from error
    # of each column where its planes begin
    starts = [len(COLUMNS) + count * before for before in accumulate(data[: len(COLUMNS)], initial=0)]
    planes = {
        name: [data[at : at + count] for at in range(start, end, count)]
        for name, (start, end) in zip(COLUMNS, pairwise(starts), strict=True)
    }
    parts = None if only is None else _parts(_column("k", planes["k"], count, None), only)
    return [_column(name, planes[name], count, parts) for name in columns]


def _parts(keys: Sequence[int | None], only: frozenset[int]) -> list[slice]:
    """Return where the rows of some subjects stand: those of one stand together."""
    ids = [key & ID_MASK for key in cast(Sequence[int], keys)]
    edges = ((bisect_left(ids, number), bisect_right(ids, number)) for number in sorted(only))
    return [slice(first, after) for first, after in edges if first < after]


def _planes(name: str, values: Sequence[int | None]) -> list[bytes]:
    """Return the first bytes of all figures, then their second bytes, and so on; what is nothing but 0 is left out."""
    figures = [0 if v is None else v + 1 for v in values] if name in _MAY_BE_NONE else [v or 0 for v in values]
    if name in _RISING:
        figures = [value - before for before, value in zip([0, *figures], figures, strict=False)]
    # small figures of either sign have high bytes of 0
    packed = array("Q", [value << 1 ^ value >> 63 for value in figures])
    raw, width = packed.tobytes(), (max(packed).bit_length() + 7) // 8
    return [raw[place::_WIDTH] for place in range(width)]


def _column(name: str, planes: list[bytes], count: int, parts: list[slice] | None) -> list[int | None]:
    if name in _RISING:
        figures = list(accumulate(_figures(planes, count)))
        if parts is not None:
            figures = list(chain.from_iterable(figures[part] for part in parts))
    elif parts is None:
        figures = _figures(planes, count)
    else:
        planes = [b"".join([plane[part] for part in parts]) for plane in planes]
        figures = _figures(planes, sum(part.stop - part.start for part in parts))
    if name in _MAY_BE_NONE:
        return [value - 1 if value else None for value in figures]
    return cast(list[int | None], figures)


def _figures(planes: list[bytes], count: int) -> list[int]:
    """Put figures together from their planes."""
    if not planes:
        return [0] * count
    if len(planes) == 1:
        return list(map(_OF_ONE_BYTE.__getitem__, planes[0]))
    width = 2 if len(planes) == 2 else 4 if len(planes) <= 4 else _WIDTH
    raw = bytearray(count * width)
    for place, plane in enumerate(planes):
        raw[place::width] = plane
    packed = array(_TYPES[width])
    packed.frombytes(raw)
    return [value >> 1 ^ -(value & 1) for value in packed]


def packed(connection: sqlite3.Connection, first: int, until: int) -> Iterator[bytes]:
    """Yield the packs that may hold rows of the quarters from `first` to before `until` (buckets), in order of time.

    A quarter is either packed or in the table, never both; a pack may hold rows outside of the range too.
    """
    for (blob,) in connection.execute(
        "SELECT pack FROM quarter_packs WHERE bucket >= ? AND bucket * ? < ? ORDER BY bucket",
        (first // _PER_PACK, _PER_PACK, until),
    ):
        yield blob


def pack_oldest(connection: sqlite3.Connection, *, before_s: int) -> bool:
    """Pack the oldest six hours of plain quarters if they end before a time; runs inside the caller's transaction."""
    (oldest,) = connection.execute(f"SELECT min(k) >> {ID_BITS} FROM quarter").fetchone()
    if oldest is None or (oldest // _PER_PACK + 1) * SIX_HOURS.width_s > before_s:
        return False
    bucket = oldest // _PER_PACK
    span = (bucket * _PER_PACK << ID_BITS, (bucket + 1) * _PER_PACK << ID_BITS)
    rows = connection.execute(f"SELECT {', '.join(COLUMNS)} FROM quarter WHERE k >= ? AND k < ?", span).fetchall()
    connection.execute("INSERT INTO quarter_packs (bucket, pack) VALUES (?, ?)", (bucket, pack(rows)))
    connection.execute("DELETE FROM quarter WHERE k >= ? AND k < ?", span)
    return True
