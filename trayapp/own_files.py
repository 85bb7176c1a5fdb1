"""The files that Agent Ring keeps: where each of them lies, and what it takes on disk.

Reads sizes only. What cannot be looked at counts as not there.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

_BESIDE = ("-wal", "-shm")
"""What SQLite keeps beside a database; it belongs to its size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnFile:
    """Name a file or folder; `size_bytes` is None where there is none yet.

    `name` is one of "settings", "history", "journal", "keeps", "lineage", "incidents", "window".
    """

    name: str
    path: Path
    size_bytes: int | None


def own_files(places: Mapping[str, Path | None]) -> tuple[OwnFile, ...]:
    """Look at each place that is kept on disk, by its name."""
    return tuple(
        OwnFile(name=name, path=path, size_bytes=_size(path)) for name, path in places.items() if path is not None
    )


def _size(path: Path) -> int | None:
    sizes = [_bytes_of(each) for each in _parts(path)]
    return None if sizes[0] is None else sum(size or 0 for size in sizes)


def _parts(path: Path) -> Iterator[Path]:
    yield path
    yield from (path.with_name(path.name + end) for end in _BESIDE)
    try:
        yield from [Path(found.path) for found in os.scandir(path) if found.is_file()]
    except OSError:  # no folder
        return


def _bytes_of(path: Path) -> int | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return 0 if path.is_dir() else found.st_size
