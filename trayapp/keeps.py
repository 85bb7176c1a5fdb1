"""What the user keeps (model/keep.py), on disk: one small JSON file that the tray app and the command line share.

Written whole, under a lock, so that what another program keeps meanwhile is not lost; read again when it is another
file. One that cannot be read never means that nothing is kept: what was known before still holds, and it is told.
Holds keys of groups and times, no titles.
"""

from __future__ import annotations

import math
import os
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import msgspec

from trayapp.file_lock import locked
from trayapp.model.keep import Keep
from trayapp.model.session import Problem
from trayapp.say import noted

SCHEMA = 1

_Seen = tuple[int, int, int]


class KeepError(Exception):
    """What is kept could not be changed; `problem` says why, and the mend."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


class _Version(msgspec.Struct):
    schema: int


class _File(msgspec.Struct):
    schema: int
    keeps: tuple[Keep, ...]


class KeepFile:
    """Read and change what is kept; every method may be called from any thread.

    `problem` tells why the file could not be read, as it was met last. While there is one, more may be kept than is
    known here: whoever acts without a person must not act then.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._until: Mapping[str, float | None] = {}
        self._seen: _Seen | None = None
        self._written_ns = 0
        """When the last good file that was read here was written."""
        self._set_aside = False
        self._problem: Problem | None = None
        self._told: frozenset[str] = frozenset()

    @property
    def problem(self) -> Problem | None:
        return self._problem

    def kept(self, now_epoch_s: float) -> frozenset[str]:
        """Return the keys of the groups that are kept at that time; one look at the file, cheap enough for a tick.

        The very same object is returned while nothing changed.
        """
        told = frozenset(keep.group_key for keep in self.all(now_epoch_s))
        with self._lock:
            if told != self._told:
                self._told = told
            return self._told

    def all(self, now_epoch_s: float) -> tuple[Keep, ...]:
        """Return what is kept at that time, what ends first in front, what has no end last."""
        with self._lock:
            self._read()
            return _in_order(_standing(self._until, now_epoch_s))

    def keep(self, group_key: str, until_epoch_s: float | None, *, now_epoch_s: float) -> None:
        """Keep a group, or keep it for another time than before; None = until it is taken back. Raises KeepError."""
        if not group_key or (until_epoch_s is not None and not math.isfinite(until_epoch_s)):
            raise ValueError(f"cannot keep {group_key!r} until {until_epoch_s!r}")
        with self._changing():
            self._write(_standing(self._until, now_epoch_s) | {group_key: until_epoch_s})

    def unkeep(self, group_key: str, *, now_epoch_s: float) -> bool:
        """Keep it no more, and say whether it was kept. Raises KeepError."""
        with self._changing():
            standing = _standing(self._until, now_epoch_s)
            if group_key not in standing:
                return False
            del standing[group_key]
            self._write(standing)
            return True

    # -- the file -------------------------------------------------------------------------------------------------

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Hold the file alone, as it is now; turn what the system refuses into a KeepError."""
        try:
            with self._lock, self._alone():
                self._read(alone=True)
                if self._problem is not None and not self._set_aside:
                    raise KeepError(self._problem)  # what cannot be read must not be written over
                yield
        except OSError as error:
            what = noted("what you keep could not be written ({why})").format(why=error.strerror or error)
            mend = noted("Make room, or let this user write there, and try again")
            raise KeepError(Problem(where=str(self.path), what=what, mend=mend)) from error

    def _alone(self) -> AbstractContextManager[None]:
        """Keep other programs from changing the file; raises OSError."""
        return locked(self.path.with_name(f".{self.path.name}.lock"))

    def _read(self, *, alone: bool = False) -> None:
        """Take over what the file says if it is another one than before."""
        try:
            seen = self._look()
            if seen is not None and seen == self._seen:
                return
            data = self.path.read_bytes() if seen is not None else None
        except FileNotFoundError:
            seen, data = None, None
        except OSError as error:
            what = noted("it cannot be read ({why})").format(why=error.strerror or error)
            mend = noted("Allow this user to read it. What was known before still holds, and no policy acts till then")
            self._seen, self._problem = None, self._told_of(what, mend)
            return
        self._seen = seen
        if data is not None:
            self._take(data, alone=alone)
        elif not self._set_aside:
            self._take_nothing()

    def _take_nothing(self) -> None:
        """Know that nothing is kept: the user deleted the file, if no program set a damaged one aside."""
        aside = self._newest_aside()
        if aside is not None and self._until:
            self._tell_aside(aside, noted("it was damaged; it was set aside as {file}"))
        else:
            self._until, self._problem = {}, None

    def _newest_aside(self) -> Path | None:
        """Return a file that was set aside and is newer than what was read here last; renaming leaves its time."""
        try:
            found = [(path.stat().st_mtime_ns, path) for path in self.path.parent.glob(self._aside_name("*"))]
        except OSError:  # somebody tidies up there this very moment
            return None
        newest_ns, newest = max(found, default=(0, None))
        return newest if newest_ns >= self._written_ns else None

    def _take(self, data: bytes, *, alone: bool) -> None:
        try:
            version = msgspec.json.decode(data, type=_Version).schema
            if version > SCHEMA:
                what = noted("it was written by a newer version (schema {schema})").format(schema=version)
                mend = noted(
                    "It is left as it is: use that version, or delete it to keep anew. No policy acts till then"
                )
                self._problem = self._told_of(what, mend)
                self._set_aside = False
                return
            keeps = msgspec.json.decode(data, type=_File).keeps
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            self._put_aside(str(error), alone=alone)
            return
        self._until = {keep.group_key: keep.until_epoch_s for keep in keeps}
        self._problem, self._set_aside = None, False
        self._written_ns = self._seen[2] if self._seen is not None else 0

    def _put_aside(self, why: str, *, alone: bool) -> None:
        """Give a damaged file another name; another program may have written a good one since it was read."""
        try:
            if not alone:
                with self._alone():
                    self._seen = None
                    self._read(alone=True)
                return
            aside = self._free_name()
            self.path.replace(aside)
        except OSError as error:
            what = noted("it is damaged ({damage}) and cannot be set aside ({why})")
            mend = noted("Delete it and keep again what you want to keep. No policy acts till then")
            self._problem = self._told_of(what.format(damage=why, why=error.strerror or error), mend)
            return
        self._tell_aside(aside, noted("it is damaged ({damage}); it was set aside as {file}"), damage=why)

    def _tell_aside(self, aside: Path, what: str, **values: str) -> None:
        mend = noted("Keep again what you want to keep (`agentring keep`). No policy acts till then, or till a restart")
        self._problem = self._told_of(what.format(file=aside.name, **values), mend)
        self._seen, self._set_aside = None, True

    def _free_name(self) -> Path:
        path, number = self.path.with_name(self._aside_name()), 1
        while path.exists():
            number += 1
            path = self.path.with_name(self._aside_name(f"-{number}"))
        return path

    def _aside_name(self, number: str = "") -> str:
        return f"{self.path.stem}.set-aside{number}{self.path.suffix}"

    def _write(self, until: Mapping[str, float | None]) -> None:
        """Let the file appear whole; raises OSError, and then all is as before."""
        data = msgspec.json.format(msgspec.json.encode(_File(schema=SCHEMA, keeps=_in_order(until)))) + b"\n"
        descriptor, name = tempfile.mkstemp(dir=self.path.parent, prefix=f".{self.path.name}.", suffix=".part")
        part = Path(name)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            part.replace(self.path)
        finally:
            part.unlink(missing_ok=True)
        self._until, self._problem, self._set_aside = dict(until), None, False
        self._seen = self._look()
        self._written_ns = self._seen[2] if self._seen is not None else 0

    def _look(self) -> _Seen | None:
        """Return what tells one file from another; None where there is none. Raises OSError."""
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns

    def _told_of(self, what: str, mend: str) -> Problem:
        return Problem(where=str(self.path), what=what, mend=mend)


def _standing(until: Mapping[str, float | None], now_epoch_s: float) -> dict[str, float | None]:
    """Return what is not over."""
    return {key: end_s for key, end_s in until.items() if end_s is None or end_s > now_epoch_s}


def _in_order(until: Mapping[str, float | None]) -> tuple[Keep, ...]:
    def order(item: tuple[str, float | None]) -> tuple[float, str]:
        return (math.inf if item[1] is None else item[1]), item[0]

    return tuple(Keep(group_key=key, until_epoch_s=end_s) for key, end_s in sorted(until.items(), key=order))
