"""What the history file looks like, how older ones are lifted, and how a file is opened.

Times are whole seconds since the epoch (UTC); sizes are bytes; CPU is thousandths of a percent and milliseconds, so
that every figure is an integer and sums are exact. A missing figure is NULL, never 0. Only sessions are stored: host
and total rows are sums made when reading, so that they cannot disagree.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from trayapp.model.session import Problem, State

APPLICATION_ID = 0x41475231
"""Marks a history file among other SQLite files (pragma application_id, "AGR1")."""

UPGRADES: tuple[str, ...] = (
    # 0 -> 1: the first form
    """
    CREATE TABLE runs (
        -- one row for each start of the writer; also begun anew when the machine's name or the metric changes
        run_id INTEGER PRIMARY KEY,
        machine TEXT NOT NULL,
        footprint_metric TEXT
    );
    CREATE TABLE ticks (
        -- every measurement, also when no session was there
        at_s INTEGER PRIMARY KEY,
        run_id INTEGER NOT NULL,
        interval_ms INTEGER,
        gap INTEGER NOT NULL
    );
    CREATE TABLE hosts (
        host TEXT PRIMARY KEY,
        title TEXT NOT NULL,
        rank INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE sessions (
        -- each group that was ever counted, with its newest title and folder
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL,
        kind TEXT NOT NULL,
        host TEXT,
        session_id TEXT,
        title TEXT,
        cwd TEXT,
        first_seen_s INTEGER NOT NULL,
        last_seen_s INTEGER NOT NULL,
        peak_rss INTEGER NOT NULL,
        peak_footprint INTEGER,
        UNIQUE (key, kind)
    );
    CREATE TABLE samples (
        -- time leads the key: a batch appends to the last page instead of touching one page a session
        at_s INTEGER NOT NULL,
        id INTEGER NOT NULL,
        rss INTEGER NOT NULL,
        footprint INTEGER,
        cpu_ms INTEGER,
        cpu_millipercent INTEGER,
        processes INTEGER NOT NULL,
        state INTEGER,
        PRIMARY KEY (at_s, id)
    ) WITHOUT ROWID;
    CREATE TABLE gaps (
        since_s INTEGER PRIMARY KEY,
        until_s INTEGER NOT NULL,
        kind TEXT NOT NULL
    );
    CREATE TABLE marks (
        receipt_id TEXT PRIMARY KEY,
        at_s INTEGER NOT NULL,
        came_back INTEGER NOT NULL,
        title TEXT NOT NULL
    ) WITHOUT ROWID;
    """,
)
"""The script at n lifts a file from version n to n + 1; a new file goes through all of them."""

VERSION = len(UPGRADES)

STATE_CODES: dict[State, int] = {State.BUSY: 1, State.WAITING: 2, State.IDLE: 3, State.ENDED: 4, State.UNKNOWN: 5}
"""Stored numbers of the states; a number is never given to another state."""

STATES: dict[int, State] = {code: state for state, code in STATE_CODES.items()}

BUSY_TIMEOUT_S = 5.0


class HistoryError(Exception):
    """Say why the history cannot be used; `problem` is the line for the user."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


class NotAHistory(HistoryError):
    """The file is damaged or something else, as `why` says; it can be set aside and a new one begun."""

    def __init__(self, path: Path, why: object) -> None:
        super().__init__(
            Problem(
                where=str(path),
                what=f"the history cannot be read ({why})",
                mend="Restart Agent Ring; it sets a damaged file aside and begins a new one",
            )
        )
        self.why = str(why)


def is_damage(error: sqlite3.Error) -> bool:
    """Tell a damaged file from a full disk, a lock or a missing right."""
    # the low byte is the primary code (https://www.sqlite.org/rescode.html)
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def open_for_writing(path: Path) -> tuple[sqlite3.Connection, int | None]:
    """Open or create the file and lift it to the present version; return it with the newest time that it holds.

    The connection may be used from several threads under a lock. Raises NotAHistory when it is no history,
    HistoryError when a newer program made it, sqlite3.Error for all else.
    """
    connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)
    try:
        _lift(connection, path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        (newest_s,) = connection.execute("SELECT max(at_s) FROM ticks").fetchone()
    except sqlite3.Error as error:
        connection.close()
        if is_damage(error):
            raise NotAHistory(path, error) from error
        raise
    except HistoryError:
        connection.close()
        raise
    return connection, newest_s


def _lift(connection: sqlite3.Connection, path: Path) -> None:
    version = _version(connection, path)
    if version == VERSION:
        return
    steps = "".join(UPGRADES[version:])
    # one transaction: a kill in the middle leaves the old form
    connection.executescript(
        f"BEGIN IMMEDIATE; {steps} PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION}; COMMIT;"
    )


def _version(connection: sqlite3.Connection, path: Path) -> int:
    """Return the version of the file, 0 for an empty one."""
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if tables == 0:
        return 0
    if application != APPLICATION_ID or version < 1:
        raise NotAHistory(path, "it is a database of another program")
    if version > VERSION:
        raise HistoryError(
            Problem(
                where=str(path),
                what=f"a newer Agent Ring made the history (version {version}, this one knows {VERSION})",
                mend="Update Agent Ring, or move the file away; nothing is recorded until then",
            )
        )
    return int(version)


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection | None]:
    """Open the file so that nothing can be changed, and close it again; None when there is none as yet.

    Every thread opens its own; readers never block the writer (WAL). Raises HistoryError, also for errors inside.
    """
    if not path.exists():
        yield None
        return
    try:
        # not mode=ro: that cannot recover the write-ahead log that a killed writer left
        with closing(sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None)) as connection:
            connection.execute("PRAGMA query_only = ON")
            version = _version(connection, path)
            if version not in (0, VERSION):
                raise HistoryError(
                    Problem(
                        where=str(path),
                        what=f"the history is of version {version}, this Agent Ring reads {VERSION}",
                        mend="Start the tray app once; it lifts the file by itself",
                    )
                )
            yield connection if version else None
    except sqlite3.Error as error:
        if is_damage(error):
            raise NotAHistory(path, error) from error
        raise HistoryError(
            Problem(where=str(path), what=f"the history cannot be read now ({error})", mend="Try again in a moment")
        ) from error
