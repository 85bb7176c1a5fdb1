"""Single samples, packed: what one batch has of one minute is one row of `raw_packs`.

As rows of their own they were most of what writing a history costs, and they are kept for two hours only.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Sequence

import msgspec

SPAN_S = 60
"""No span of samples, and so no pack, crosses a multiple of this."""

Figures = tuple[int, int, int, int | None, int | None, int, int | None]
"""What a sample says.

- rss (KiB);
- what is to be added to it for the footprint (KiB), or 0 where that is not known;
- 1 = the footprint (of a sum: that of a part) is not known;
- CPU used in the interval before the sample (ms; None = not known), not in its span;
- CPU that its processes have used in their lives (ms; None = not known);
- processes;
- state (schema.STATES; None for what has none).

Host and total have samples too, the sums of each moment. Of a heap, rss is what it uses, and with what is to be added
what its process has resident; no sum counts it in.
"""

Span = tuple[int, int, int, Figures]
"""Samples of one subject that are equal in every figure: an idle session is one span a batch.

The time of the first and of the last one, how many there are beyond the first, and what they say. The subject is there
in each measurement from the first to the last.
"""

_CHECKED = 4
"""Bytes of the checksum before all else."""

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(tuple[list[int], list[Span]]).decode


def pack_spans(ids: Sequence[int], spans: Sequence[Span]) -> bytes:
    """Pack spans and whose they are (subjects.id); their order is kept. Raises OverflowError beyond 64 bits."""
    data = _encode((ids, spans))
    return zlib.crc32(data).to_bytes(_CHECKED, "little") + data


def unpack_spans(blob: bytes) -> tuple[list[int], list[Span]]:
    """Return the subjects and their spans. Raises the error by which SQLite tells of a damaged page."""
    data = memoryview(blob)[_CHECKED:]
    if zlib.crc32(data) != int.from_bytes(blob[:_CHECKED], "little"):
        # SQLite has no checksum over what a page holds
        damage = sqlite3.DatabaseError("a pack of samples is damaged")
        damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise damage
    return _decode(data)
