"""OpenCode's database, read only: which sessions there are and whether a turn of theirs is open.

Knows the tables session, message and part of `opencode.db` (SQLite, WAL). It is opened with `mode=ro`; where no program
has it open (no `-wal` beside it) also with `immutable=1`, so that neither `-wal` nor `-shm` is ever made by us. Message
texts are never selected. Every reading has a deadline: a query that takes longer is interrupted.
"""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Collection, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

SESSIONS_LIMIT = 200
_DEADLINE_S = 2.0
_STEPS_BETWEEN_CHECKS = 20_000
_HEADER = b"SQLite format 3\x00"


class DatabaseUnreadable(Exception):
    """The database is not one, damaged or locked; the text says which."""


class DatabaseNotUnderstood(Exception):
    """The database is one, and of a shape that is not known here; `field` is the column that is missing."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSession:
    """One row of the table session; times in seconds since the epoch."""

    session_id: str
    directory: str
    updated_epoch_s: float
    title: str | None = None
    parent_id: str | None = None
    model: str | None = None
    tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTurn:
    """What the newest message of a session says.

    Attributes:
        is_open: no answer yet, or an answer that is not complete.
        at_epoch_s: when the open message began, or when the last one was complete.
        running_tools: tools of the open message that have not finished.
    """

    is_open: bool
    at_epoch_s: float
    running_tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Hold sessions, newest first, and the turns of those that were asked for."""

    sessions: tuple[StoredSession, ...]
    turns: dict[str, StoredTurn]


def read(path: Path, *, since_epoch_s: float, session_ids: Collection[str]) -> Reading | None:
    """Read sessions updated since then, and those named, with their turns; None where there is no database.

    Raises DatabaseUnreadable and DatabaseNotUnderstood. Blocks for at most about two seconds.
    """
    if not path.exists():
        return None
    deadline_s = time.monotonic() + _DEADLINE_S
    try:
        with closing(_open(path)) as connection:
            connection.set_progress_handler(lambda: time.monotonic() > deadline_s, _STEPS_BETWEEN_CHECKS)
            sessions = tuple(_sessions(connection, since_epoch_s, session_ids))
            turns = {s.session_id: turn for s in sessions if (turn := _turn(connection, s.session_id)) is not None}
            return Reading(sessions=sessions, turns=turns)
    except sqlite3.OperationalError as fault:
        what = "it takes too long to read" if "interrupted" in str(fault) else str(fault)
        raise DatabaseUnreadable(what) from fault
    except (sqlite3.DatabaseError, OSError) as fault:
        raise DatabaseUnreadable(str(fault)) from fault


def _open(path: Path) -> sqlite3.Connection:
    if not path.is_file():
        raise DatabaseUnreadable("it is no regular file")
    with path.open("rb") as file:
        if file.read(len(_HEADER)) != _HEADER:
            raise DatabaseUnreadable("it is no SQLite database")
    options = "mode=ro" if path.with_name(path.name + "-wal").exists() else "mode=ro&immutable=1"
    return sqlite3.connect(f"file:{quote(str(path))}?{options}", uri=True, timeout=0.25)


def _columns(connection: sqlite3.Connection, table: str) -> set[str]:
    return {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}


def _sessions(
    connection: sqlite3.Connection, since_epoch_s: float, session_ids: Collection[str]
) -> Iterator[StoredSession]:
    columns = _columns(connection, "session")
    missing = [name for name in ("id", "directory", "time_updated") if name not in columns]
    if missing:
        raise DatabaseNotUnderstood(f"session.{missing[0]}")
    optional = [name if name in columns else f"NULL AS {name}" for name in ("title", "parent_id", "model")]
    counts = sorted(name for name in columns if re.fullmatch(r"tokens_\w+", name))
    optional.append(" + ".join(f"coalesce({name}, 0)" for name in counts) or "NULL")
    named = list(session_ids)[:SESSIONS_LIMIT]
    query = (
        f"SELECT id, directory, time_updated, {', '.join(optional)} FROM session "
        f"WHERE time_updated >= ? OR id IN ({', '.join('?' * len(named))}) ORDER BY time_updated DESC LIMIT ?"
    )
    for row in connection.execute(query, (int(since_epoch_s * 1000), *named, SESSIONS_LIMIT)):
        session_id, directory, updated_ms, title, parent_id, model, tokens = row
        yield StoredSession(
            session_id=str(session_id),
            directory=str(directory),
            updated_epoch_s=float(updated_ms) / 1000,
            title=str(title) if title else None,
            parent_id=str(parent_id) if parent_id else None,
            model=_model(connection, model),
            tokens=int(tokens) if isinstance(tokens, int | float) else None,
        )


def _model(connection: sqlite3.Connection, text: object) -> str | None:
    """Return the model's name from its JSON column, by SQLite itself; None where it is not such a text."""
    if not isinstance(text, str):
        return None
    (name,) = connection.execute(
        "SELECT CASE WHEN json_valid(?1) THEN json_extract(?1, '$.id') END", (text,)
    ).fetchone()
    return name if isinstance(name, str) else None


def _turn(connection: sqlite3.Connection, session_id: str) -> StoredTurn | None:
    """Say whether the newest message still waits for (the rest of) an answer."""
    row = connection.execute(
        "SELECT id, time_created, json_extract(data, '$.role'), json_extract(data, '$.time.completed'), "
        "json_extract(data, '$.finish'), json_extract(data, '$.error.name') FROM message "
        "WHERE session_id = ? ORDER BY time_created DESC, id DESC LIMIT 1",
        (session_id,),
    ).fetchone()
    if row is None:
        return None
    message_id, created_ms, role, completed_ms, finish, error = row
    if role == "assistant" and completed_ms is not None and (error is not None or finish != "tool-calls"):
        return StoredTurn(is_open=False, at_epoch_s=float(completed_ms) / 1000)
    return StoredTurn(
        is_open=True,
        at_epoch_s=float(completed_ms or created_ms) / 1000,
        running_tools=tuple(_running_tools(connection, message_id)),
    )


def _running_tools(connection: sqlite3.Connection, message_id: str) -> Iterator[str]:
    query = (
        "SELECT json_extract(data, '$.tool') FROM part WHERE message_id = ? "
        "AND json_extract(data, '$.type') = 'tool' AND json_extract(data, '$.state.status') IN ('running', 'pending')"
    )
    for (tool,) in connection.execute(query, (message_id,)):
        if isinstance(tool, str):
            yield tool
