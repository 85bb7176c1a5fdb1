"""What DSH keeps on disk about sessions: the lock of each live one, and the projection cache.

Knows both layouts of the cache (one file a session, or one file for all in older builds) and reads of a record only
what a monitor needs; no message text is kept. The cache may be a few seconds behind the session, never ahead. Logs are
never read. All reads are bounded, and what did not change is not read again.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from trayapp.hosts.dsh_programs import Kind, Program
from trayapp.hosts.files import Stamp, names_in, read_whole, stamp
from trayapp.model.process import Process

_RECORD_LIMIT_BYTES = 4 * 1024 * 1024
_OLD_CACHE_LIMIT_BYTES = 32 * 1024 * 1024
"""Larger ones were seen (497 MB), which would take longer to read than what they tell is worth."""
_READS_LIMIT = 200
_CHILDREN_LIMIT = 500
_NAMES_LIMIT = 5000
_FOLDERS_LIMIT = 8
_LAST_WITHOUT_LOCKS, _FIRST_WITH_LOCKS = (0, 1, 4), (0, 2, 0)
_LOCK = re.compile(r"(.*)[/\\]sessions[/\\][^/\\]+[/\\]([^/\\]+)[/\\]session\.lock")
_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)(?:[-.]?(?:rc)\.?(\d+))?")
_RUNTIME_METADATA = re.compile(r"deepseek_harness_runtime_bin-(.+)\.dist-info")


class _Row(msgspec.Struct):
    val: Any = None


class _Identity(msgspec.Struct):
    created_at: float | None = msgspec.field(default=None, name="createdAt")
    cwd: str | None = None


class _Record(msgspec.Struct):
    identity: _Identity = msgspec.field(default_factory=_Identity)
    rows: dict[str, _Row] = {}


class _File(msgspec.Struct):
    record: _Record


class _OldTables(msgspec.Struct):
    sessions: dict[str, _Record] = {}


class _OldFile(msgspec.Struct):
    tables: _OldTables


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Hold what the cache tells of one session.

    Attributes:
        last_epoch_s: the newest time that the record itself carries: a prompt, a message, at least the beginning.
        turn_open: it was in a turn when this was written.
        asks: it waited for an answer of the user.
        children: ids of the subagents that it has started.
    """

    title: str | None = None
    cwd: str | None = None
    model: str | None = None
    blank: bool = False
    last_prompt_epoch_s: float | None = None
    last_epoch_s: float | None = None
    turn_open: bool = False
    asks: bool = False
    children: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """Name a session that a process holds open, and the home that it lies in."""

    home: str
    session_id: str


def locks_in(open_files: Sequence[str]) -> tuple[Lock, ...]:
    """Return the live sessions among the files that a host holds open."""
    found = (_LOCK.fullmatch(path) for path in open_files if path.endswith("session.lock"))
    return tuple(Lock(home=match[1], session_id=match[2]) for match in found if match is not None)


def holds_no_locks(home: Path, version: str | None) -> bool:
    """Say whether a host without any lock may have live sessions all the same: builds of before did not lock.

    Told by the version, else by session folders in which no lock was ever made.
    """
    number = _VERSION.match(version or "")
    if number is not None:
        parts = tuple(map(int, number.groups()[:3]))
        if parts <= _LAST_WITHOUT_LOCKS or parts >= _FIRST_WITH_LOCKS:
            return parts <= _LAST_WITHOUT_LOCKS
    folders = [home / "sessions" / name for name in names_in(home / "sessions", limit=_FOLDERS_LIMIT)]
    sessions = [folder / name for folder in folders for name in names_in(folder, limit=_FOLDERS_LIMIT)]
    return bool(sessions) and all(stamp(session / "session.lock") is None for session in sessions)


def version_of(program: Program, process: Process) -> str | None:
    """Return the version that the installation of a program carries; reads one small file or one folder."""
    try:
        if program.kind is Kind.RUNTIME:
            packages = Path((process.argv or ("",))[0]).parent.parent.parent
            names = map(_RUNTIME_METADATA.fullmatch, names_in(packages, limit=_NAMES_LIMIT))
            return next((_as_released(match[1]) for match in names if match is not None), None)
        if program.script is None or not Path(program.script).is_absolute():
            return None
        package = Path(program.script).resolve().parent.parent / "package.json"
        said = msgspec.json.decode(read_whole(package, limit_bytes=1024 * 1024))
        version = said.get("version") if isinstance(said, dict) else None
        return version if isinstance(version, str) else None
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None


def _as_released(version: str) -> str:
    """Write a Python version as the host writes its own: 0.2.1rc2 is 0.2.1-rc.2."""
    match = _VERSION.fullmatch(version)
    return version if match is None or match[4] is None else f"{match[1]}.{match[2]}.{match[3]}-rc.{match[4]}"


@dataclass(slots=True)
class Cache:
    """Read records of sessions and keep them until their files change; one instance lives as long as its adapter."""

    _records: dict[Path, tuple[Stamp, Record | None]] = field(default_factory=dict)
    _old: dict[Path, tuple[Stamp, Mapping[str, Record]]] = field(default_factory=dict)

    def read(self, home: Path, session_ids: Collection[str]) -> dict[str, Record]:
        """Return what is known of these sessions. What cannot be read is missing.

        No more than a few hundred files are read at once; the others follow with the next calls.
        """
        folder = home / "storages" / "session_projcache" / "sessions"
        old_file = home / "storages" / "session_projcache.json"
        found: dict[str, Record] = {}
        left = _READS_LIMIT
        for session_id in session_ids:
            path = folder / f"{session_id}.json"
            now = _stamp(path)
            kept = self._records.get(path)
            if now is None:
                self._records.pop(path, None)
                continue
            if (kept is None or kept[0] != now) and left > 0:
                left -= 1
                kept = self._records[path] = (now, _read_record(path))
            if kept is not None and kept[1] is not None:
                found[session_id] = kept[1]
        missing = [session_id for session_id in session_ids if session_id not in found]
        if missing:
            old = self._read_old(old_file)
            found |= {session_id: old[session_id] for session_id in missing if session_id in old}
        return found

    def forget_all_but(self, session_ids: Collection[str]) -> None:
        """Drop records of sessions that no host holds any more."""
        for path in [path for path in self._records if path.stem not in session_ids]:
            del self._records[path]

    def _read_old(self, path: Path) -> Mapping[str, Record]:
        now = _stamp(path)
        if now is None:
            self._old.pop(path, None)
            return {}
        kept = self._old.get(path)
        if kept is None or kept[0] != now:
            kept = self._old[path] = (now, _read_old_file(path))
        return kept[1]


def _stamp(path: Path) -> Stamp | None:
    try:
        return stamp(path)
    except OSError:
        return None


def _read_record(path: Path) -> Record | None:
    try:
        return _record(msgspec.json.decode(read_whole(path, limit_bytes=_RECORD_LIMIT_BYTES), type=_File).record)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None


def _read_old_file(path: Path) -> Mapping[str, Record]:
    try:
        data = read_whole(path, limit_bytes=_OLD_CACHE_LIMIT_BYTES)
        sessions = msgspec.json.decode(data, type=_OldFile).tables.sessions
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return {}
    return {session_id: _record(record) for session_id, record in sessions.items()}


def _record(stored: _Record) -> Record:
    """Take out what is needed; every row is optional, as a build may have others."""
    rows = stored.rows
    listed, times = _row(rows, "sessionListMetadata"), _row(rows, "timeContext")
    created_s, prompt_s = _seconds(stored.identity.created_at), _seconds(listed.get("lastPromptAt"))
    known = [s for s in (created_s, prompt_s, _seconds(times.get("lastMessageTime"))) if s is not None]
    title = rows["title"].val if "title" in rows else None
    questions = _row(rows, "userQuestions")
    nested = questions.get("questions")
    active = (nested if isinstance(nested, dict) else questions).get("active")
    model = _row(rows, "modelSelection").get("lastUsed")
    name = model.get("model") if isinstance(model, dict) else None
    return Record(
        title=title if isinstance(title, str) and title else None,
        cwd=stored.identity.cwd,
        model=name if isinstance(name, str) else None,
        blank=listed.get("blank") is True,
        last_prompt_epoch_s=prompt_s,
        last_epoch_s=max(known, default=None),
        turn_open=_row(rows, "turnBoundary").get("openTurnStartSeq") is not None,
        asks=bool(active),
        children=tuple(dict.fromkeys(_child_ids(_row(rows, "subagentCatalog"))))[:_CHILDREN_LIMIT],
    )


def _row(rows: Mapping[str, _Row], key: str) -> dict[str, Any]:
    val = rows[key].val if key in rows else None
    return val if isinstance(val, dict) else {}


def _seconds(milliseconds: Any) -> float | None:
    return milliseconds / 1000 if isinstance(milliseconds, int | float) else None


def _child_ids(catalog: Any) -> Iterator[str]:
    """Yield the ids of started subagents, wherever the catalog's version keeps them."""
    queue = [catalog]
    while queue:
        part = queue.pop()
        if isinstance(part, dict):
            child = part.get("childId")
            if isinstance(child, str):
                yield child
            queue.extend(part.values())
        elif isinstance(part, list):
            queue.extend(part)
