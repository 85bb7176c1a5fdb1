"""Incidents on disk: one JSON file each, which only this user can read; the newest are kept.

A file appears whole or not at all. One that cannot be read is set aside under another name and told of, one of a newer
version is left where it is and told of; neither hides the others. Titles of sessions stand in the files; what may leave
this computer is trayapp.incident_report's to say.
"""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path
from typing import TypeVar

import msgspec

from trayapp.model.incident import Account, Incident, Sample
from trayapp.model.session import Problem

SCHEMA = 1
MOST = 100
MOST_BYTES = 50_000_000
MOST_SET_ASIDE = 10

_ID = re.compile(r"\d{8}T\d{6}Z-[a-z0-9-]{1,120}", re.ASCII)
_SUFFIX, _ASIDE = ".json", ".set-aside"

T = TypeVar("T")


class _Version(msgspec.Struct):
    schema: int


class _Head(msgspec.Struct):
    """What a list needs; the samples, most of a file, are passed over."""

    schema: int
    incident: Incident


class _File(msgspec.Struct):
    schema: int
    incident: Incident
    samples: tuple[Sample, ...]


class IncidentStore:
    """Write, list and read incidents. Callable from any thread; `problems` tells what the last write and list met."""

    def __init__(self, folder: Path, *, most: int = MOST, most_bytes: int = MOST_BYTES) -> None:
        self.folder = folder
        self._most, self._most_bytes = most, most_bytes
        self._unwritten: Problem | None = None
        self._unread: dict[Path, Problem] = {}

    @property
    def problems(self) -> tuple[Problem, ...]:
        unread = tuple(self._unread.values())
        return unread if self._unwritten is None else (self._unwritten, *unread)

    def save(self, account: Account) -> None:
        """Write an incident, or write it anew under its id, and delete what is too much; what fails is a problem."""
        incident = account.incident
        data = msgspec.json.encode(_File(schema=SCHEMA, incident=incident, samples=account.samples))
        try:
            self._replace(self._path(incident.incident_id), data)
            self._prune()
        except OSError as error:
            what = f"an incident could not be written ({error.strerror or error})"
            mend = "Make room, or let this user write there; what is kept already stays"
            self._unwritten = Problem(where=str(self.folder), what=what, mend=mend)
        else:
            self._unwritten = None

    def newest(self, limit: int) -> tuple[Incident, ...]:
        """Return the newest incidents, newest first, without their samples."""
        found: list[Incident] = []
        for path in self._paths():
            if len(found) >= limit:
                break
            head = self._read(path, _Head)
            if head is not None:
                found.append(head.incident)
        return tuple(found)

    def ids(self) -> tuple[str, ...]:
        """Return all ids, newest first."""
        return tuple(path.stem for path in self._paths())

    def account(self, incident_id: str) -> Account | None:
        """Return one incident with its samples; None when there is none of that id that can be read."""
        if _ID.fullmatch(incident_id) is None:
            return None
        file = self._read(self._path(incident_id), _File)
        return None if file is None else Account(incident=file.incident, samples=file.samples)

    def delete_all(self) -> None:
        """Delete all incidents, and what was set aside; raises OSError."""
        for path in [*self._paths(), *self.folder.glob(f"*{_ASIDE}")]:
            path.unlink(missing_ok=True)
        self._unread.clear()

    def _path(self, incident_id: str) -> Path:
        if _ID.fullmatch(incident_id) is None:
            raise ValueError(f"{incident_id!r} is no id of an incident")
        return self.folder / (incident_id + _SUFFIX)

    def _paths(self) -> list[Path]:
        """Return the files, newest first: names begin with the time."""
        try:
            paths = [path for path in self.folder.iterdir() if path.suffix == _SUFFIX and _ID.fullmatch(path.stem)]
        except FileNotFoundError:
            return []
        return sorted(paths, reverse=True)

    def _read(self, path: Path, kind: type[T]) -> T | None:
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            self._unread.pop(path, None)
            return None
        except OSError as error:
            what = f"it cannot be read ({error.strerror or error})"
            self._unread[path] = Problem(where=str(path), what=what, mend="Allow this user to read it")
            return None
        try:
            version = msgspec.json.decode(data, type=_Version).schema
            if version > SCHEMA:
                what = f"it was written by a newer version (schema {version})"
                mend = "It is left as it is and passed over; the other incidents hold"
                self._unread[path] = Problem(where=str(path), what=what, mend=mend)
                return None
            read = msgspec.json.decode(data, type=kind)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            self._set_aside(path, str(error))
            return None
        self._unread.pop(path, None)
        return read

    def _set_aside(self, path: Path, why: str) -> None:
        aside = path.with_suffix(_ASIDE)
        what = f"it is damaged ({why}); it was set aside as {aside.name}"
        mend = "The other incidents hold; nothing needs to be done"
        try:
            path.replace(aside)
        except OSError as error:
            what = f"it is damaged ({why}) and cannot be set aside ({error.strerror or error})"
            mend = "Delete it; the other incidents hold"
        self._unread[path] = Problem(where=str(path), what=what, mend=mend)

    def _prune(self) -> None:
        """Delete the oldest beyond the number or the size, and all but the newest that were set aside."""
        held = 0
        for number, path in enumerate(self._paths()):
            held += path.stat().st_size
            # the newest always stays
            if number >= self._most or (number and held > self._most_bytes):
                path.unlink(missing_ok=True)
        for path in sorted(self.folder.glob(f"*{_ASIDE}"), reverse=True)[MOST_SET_ASIDE:]:
            path.unlink(missing_ok=True)

    def _replace(self, path: Path, data: bytes) -> None:
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor, name = tempfile.mkstemp(dir=self.folder, prefix=".", suffix=".part")
        part = Path(name)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
