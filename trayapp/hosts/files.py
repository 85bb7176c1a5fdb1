"""Read the files of other programs without being held up by them.

Every read is bounded and never waits for a FIFO or a device to be filled: files are opened without blocking and only
read when they are regular ones. Expected trouble (gone, denied, a loop of links) is an OSError for the caller to name.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from dataclasses import dataclass
from pathlib import Path

_RACY_NS = 1_000_000_000
"""File systems count in steps of up to a second: two changes within one look alike."""
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tail:
    """Hold the end of a file: `data` begins at byte `offset` of `size_bytes`."""

    data: bytes
    offset: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Stamp:
    """Tell whether a file is still the one that was read; never used as evidence of activity."""

    inode: int
    size_bytes: int
    mtime_ns: int


class Witness:
    """Note which files and folders a look rested on, so that the next one can tell that all of them are still the same.

    What is asked through it is answered as by the functions of this module. A file that was written in the moment
    before it was read may change once more without a trace, so it counts as changed the next time.
    """

    def __init__(self) -> None:
        self._seen: dict[Path, tuple[int, int, int] | None] = {}
        self._is_fresh = False

    def stamp(self, path: Path) -> Stamp | None:
        """Return what tells one version of a file from another; None where there is no such file."""
        seen = self._note(path)
        return None if seen is None else Stamp(*seen)

    def names_in(self, folder: Path, *, limit: int) -> list[str]:
        """Return at most `limit` names of a folder, in no order; empty where there is no such folder."""
        return [] if self._note(folder) is None else names_in(folder, limit=limit)

    def read_whole(self, path: Path, *, limit_bytes: int) -> bytes:
        """Return a small file; OSError (EFBIG) when it is larger than `limit_bytes`."""
        self._note(path)
        return read_whole(path, limit_bytes=limit_bytes)

    def stands(self) -> bool:
        """Say whether everything that was looked at is as it was then."""
        if self._is_fresh:
            return False
        try:
            return all(_look_at(path) == seen for path, seen in self._seen.items())
        except OSError:
            return False

    def _note(self, path: Path) -> tuple[int, int, int] | None:
        """Look before the content is read: what is written in between is then seen the next time."""
        seen = _look_at(path)
        self._seen.setdefault(path, seen)
        if seen is not None and time.time_ns() - seen[2] < _RACY_NS:
            self._is_fresh = True
        return seen


def read_whole(path: Path, *, limit_bytes: int) -> bytes:
    """Return a small file; OSError (EFBIG) when it is larger than `limit_bytes`."""
    descriptor, size_bytes = _open_regular(path)
    try:
        if size_bytes > limit_bytes:
            raise OSError(errno.EFBIG, f"larger than {limit_bytes} bytes", str(path))
        return _read(descriptor, limit_bytes)
    finally:
        os.close(descriptor)


def read_head(path: Path, *, limit_bytes: int) -> bytes:
    """Return the first bytes of a file."""
    descriptor, _ = _open_regular(path)
    try:
        return _read(descriptor, limit_bytes)
    finally:
        os.close(descriptor)


def read_tail(path: Path, *, limit_bytes: int) -> Tail:
    """Return the last bytes of a file."""
    descriptor, size_bytes = _open_regular(path)
    try:
        offset = max(0, size_bytes - limit_bytes)
        os.lseek(descriptor, offset, os.SEEK_SET)
        return Tail(data=_read(descriptor, limit_bytes), offset=offset, size_bytes=size_bytes)
    finally:
        os.close(descriptor)


def stamp(path: Path) -> Stamp | None:
    """Return what tells one version of a file from another; None where there is no such file."""
    found = _look_at(path)
    return None if found is None else Stamp(*found)


def names_in(folder: Path, *, limit: int) -> list[str]:
    """Return at most `limit` names of a folder, in no order; empty where there is no such folder."""
    names: list[str] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                names.append(entry.name)
                if len(names) >= limit:
                    break
    except (FileNotFoundError, NotADirectoryError):
        return []
    return names


def _look_at(path: Path) -> tuple[int, int, int] | None:
    try:
        found = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _open_regular(path: Path) -> tuple[int, int]:
    """Return a descriptor and the size; OSError for whatever is not a regular file."""
    descriptor = os.open(path, _FLAGS)
    found = os.fstat(descriptor)
    if stat.S_ISREG(found.st_mode):
        return descriptor, found.st_size
    os.close(descriptor)
    raise OSError(errno.EINVAL, "not a regular file", str(path))


def _read(descriptor: int, limit_bytes: int) -> bytes:
    parts: list[bytes] = []
    left = limit_bytes
    while left > 0:
        part = os.read(descriptor, left)
        if not part:
            break
        parts.append(part)
        left -= len(part)
    return b"".join(parts)
