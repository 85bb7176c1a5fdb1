"""Quarters of an hour that are older than a week, packed: as rows they would be two thirds of a year's file.

One pack holds all rows of the table `quarter` within one bucket of six hours. Its figures are the same to the last bit,
and reading it costs less than reading the rows did; what it cannot do is to be asked by SQL.
"""

from __future__ import annotations

import sqlite3
import zlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from trayapp.history.rollup import COLUMNS, ID_BITS, ID_MASK, QUARTER, SIX_HOURS

PACK_AFTER_S = 8 * 86_400
"""The views of up to a week read plain rows."""

_PER_PACK = SIX_HOURS.width_s // QUARTER.width_s

# None is stored as 0, and a figure as one more than itself, where there may be none
_MAY_BE_NONE = frozenset({"cpu_used", "cpu_total", "state"})

# of these the difference from the row before is stored: rows are in the order of subjects, then of time
_RISING = frozenset({"k", "rss", "cpu_total"})

_WIDTH = 8


def pack(rows: Sequence[tuple[int | None, ...]]) -> bytes:
    """Pack rows of a tier that have all of COLUMNS; their order is not kept."""
    ordered = sorted(rows, key=lambda row: (row[0] & ID_MASK, row[0]) if row[0] is not None else (0, 0))
    planes = [_plane(name, column) for name, column in zip(COLUMNS, zip(*ordered, strict=True), strict=True)]
    return len(ordered).to_bytes(4, "little") + zlib.compress(b"".join(planes), 6)


def unpack(blob: bytes, columns: Iterable[str] = COLUMNS) -> list[list[int | None]]:
    """Return the columns asked for, each with a value for every row, in the order of subjects, then of time.

    Raises the error by which SQLite tells of a damaged page.
    """
    count = int.from_bytes(blob[:4], "little")
    try:
        data = zlib.decompress(blob[4:])
    except zlib.error as error:
        # SQLite has no checksum over what a page holds; zlib has
        damage = sqlite3.DatabaseError(f"a pack is damaged: {error}")
        damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise damage from error
    return [_column(name, data, COLUMNS.index(name) * count * _WIDTH, count) for name in columns]


def _plane(name: str, values: Sequence[int | None]) -> bytes:
    figures = [0 if v is None else v + 1 for v in values] if name in _MAY_BE_NONE else [v or 0 for v in values]
    if name in _RISING:
        figures = [value - before for before, value in zip([0, *figures], figures, strict=False)]
    # small figures of either sign have high bytes of 0; all first bytes, then all second bytes: long runs of the same
    packed = array("Q", [value << 1 ^ value >> 63 for value in figures])
    raw = packed.tobytes()
    return b"".join([raw[place::_WIDTH] for place in range(_WIDTH)])


def _column(name: str, data: bytes, start: int, count: int) -> list[int | None]:
    raw = bytearray(count * _WIDTH)
    for place in range(_WIDTH):
        raw[place::_WIDTH] = data[start + place * count : start + (place + 1) * count]
    packed = array("Q")
    packed.frombytes(raw)
    figures = [value >> 1 ^ -(value & 1) for value in packed]
    if name in _RISING:
        figures = list(accumulate(figures))
    if name in _MAY_BE_NONE:
        return [value - 1 if value else None for value in figures]
    return list(figures)


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
