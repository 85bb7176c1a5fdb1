"""What the history file looks like, how older ones are lifted, and how a file is opened.

Times are whole seconds since the epoch (UTC); sizes are whole KiB (every system counts memory in pages); CPU is
milliseconds. So every figure is an integer and sums are exact. A missing figure is NULL, never 0.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import groupby
from pathlib import Path

from trayapp.history.packing import unpack
from trayapp.history.rollup import ID_BITS, ID_MASK, LEVELS, MINUTE, RAW, roll_up
from trayapp.history.spans import SPAN_S, Span, pack_spans, unpack_spans
from trayapp.model.session import Problem, State

APPLICATION_ID = 0x41475231
"""Marks a history file among other SQLite files (pragma application_id, "AGR1")."""

Step = Callable[[sqlite3.Connection], None]

_VERSION_1 = """
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
"""

_SUBJECTS = """
    CREATE TABLE subjects (
        -- whatever has measurements: each group that was ever counted, each host (kind 'host', its key is the host's
        -- name), the total of all (kind 'total', key 'total'), and each heap that a host told of (kind 'heap', key
        -- "heap:<host>:<pid>:<start>"). Of groups the newest title and folder
        id INTEGER PRIMARY KEY CHECK (id < 1048576),
        key TEXT NOT NULL,            -- Group.key; the same key may come back as another kind
        kind TEXT NOT NULL,           -- GroupKind, 'host', 'total' or 'heap'
        host TEXT,
        session_id TEXT,              -- the host's own id; sessions only
        title TEXT,
        cwd TEXT,
        first_seen_s INTEGER NOT NULL,
        last_seen_s INTEGER NOT NULL, -- while it is there, noted once a minute; the newest measurement has seen it
        peak_rss INTEGER NOT NULL,    -- KiB, over its whole life
        peak_held INTEGER NOT NULL,   -- KiB, over its whole life
        ended_s INTEGER,              -- when it was last seen before it was found gone; NULL = it was there at the end
        last_state INTEGER,           -- its state when it was last seen (STATES); with ended_s, how it ended
        UNIQUE (key, kind)
    );
    CREATE INDEX subjects_present ON subjects (kind) WHERE ended_s IS NULL;
    CREATE TABLE lives (
        -- the processes of a group's life; the newest MOST_LIVES of each. A shorter life than a minute may be missing
        id INTEGER NOT NULL,          -- subjects.id
        identity TEXT NOT NULL,       -- "pid:start"
        first_seen_s INTEGER NOT NULL,
        last_seen_s INTEGER NOT NULL,
        PRIMARY KEY (id, identity)
    ) WITHOUT ROWID;
    CREATE TABLE receipts (
        -- what an action gave back of one target; marks has the action as a whole
        receipt_id TEXT NOT NULL,     -- marks.receipt_id
        group_key TEXT NOT NULL,      -- subjects.key of the target
        action TEXT NOT NULL,         -- model.plan.Action
        fate TEXT NOT NULL,           -- model.receipt.Fate
        came_back INTEGER NOT NULL,   -- bytes
        PRIMARY KEY (receipt_id, group_key, action)
    ) WITHOUT ROWID;
    CREATE INDEX receipts_of ON receipts (group_key);
    CREATE TABLE limits (
        -- how large a heap may grow, from a time on; a row only where that changed
        id INTEGER NOT NULL,          -- subjects.id, of kind 'heap'
        since_s INTEGER NOT NULL,
        size INTEGER,                 -- KiB; NULL = it has no limit any more
        PRIMARY KEY (id, since_s)
    ) WITHOUT ROWID;
"""

_TICKS_TABLE = """
    CREATE TABLE {level.ticks} (
        -- every bucket of {level.width_s} s in which something was measured, also when no group was there.
        -- It starts at bucket * {level.width_s} seconds since the epoch
        bucket INTEGER PRIMARY KEY,
        last_s INTEGER NOT NULL,      -- time of its last measurement
        run_id INTEGER NOT NULL,      -- of its last measurement: machine and metric
        samples INTEGER NOT NULL,     -- measurements in it
        measured_ms INTEGER,          -- their intervals added up; NULL = none is known (the first after a start)
        gap INTEGER NOT NULL          -- 1 = one of them follows a break
    );
"""

_RAW_TICKS_TABLE = """
    CREATE TABLE raw_ticks (
        -- every measurement, also when no group was there
        bucket INTEGER PRIMARY KEY,   -- its time; one second is one bucket
        run_id INTEGER NOT NULL,
        measured_ms INTEGER,          -- its interval; NULL = not known (the first after a start)
        gap INTEGER NOT NULL          -- 1 = it follows a break
    );
"""

_RAW_PACKS_TABLE = f"""
    CREATE TABLE raw_packs (
        -- what a batch has of the samples of one minute; read it with rollup.packs and spans.unpack_spans. Each subject
        -- is there in each raw_ticks.bucket from the first to the last time of each of its spans
        k INTEGER PRIMARY KEY,        -- time of the first sample << {ID_BITS}, as in the other tiers
        samples INTEGER NOT NULL,     -- single samples in it
        pack BLOB NOT NULL
    );
"""

_VERSION_2_RAW = """
    CREATE TABLE raw (
        -- each span of equal samples as a row: see spans.Span
        k INTEGER PRIMARY KEY,        -- time of the first sample << 20 | subjects.id
        lasts INTEGER NOT NULL,
        more INTEGER NOT NULL,
        rss INTEGER NOT NULL,
        held INTEGER NOT NULL,
        unknown INTEGER NOT NULL,
        cpu_used INTEGER,
        cpu_total INTEGER,
        processes INTEGER NOT NULL,
        state INTEGER
    );
"""

_ROWS_TABLE = """
    CREATE TABLE {level.table} (
        -- one row for each subject that was there at some moment of the bucket. What is called "last" is of the
        -- bucket's last measurement, and 0 (cpu_total NULL) when it was gone by then. So rss, rss's sum, held,
        -- held's sum, cpu_used, cpu_total and processes of hosts and total are the sums of their parts in each row,
        -- and their min and max are those of the sum at each moment
        k INTEGER PRIMARY KEY,        -- bucket << 20 | subjects.id
        rss INTEGER NOT NULL,         -- KiB, last
        rss_min INTEGER NOT NULL,     -- smallest while it was there, less rss
        rss_max INTEGER NOT NULL,     -- largest, less rss
        rss_over INTEGER NOT NULL,    -- sum over its samples of (sample - rss), so that its mean while it was there
                                      -- is rss + rss_over / own; own = samples of the bucket - absent
        held INTEGER NOT NULL,        -- footprint, rss where it is not known: last, less rss
        held_min INTEGER NOT NULL,    -- smallest, less (rss + held)
        held_max INTEGER NOT NULL,    -- largest, less (rss + held): the peak is rss + held + held_max
        held_over INTEGER NOT NULL,   -- as rss_over, of held
        unknown INTEGER NOT NULL,     -- samples of its own whose footprint is not known (for a sum: of any part)
        cpu_used INTEGER,             -- ms in all intervals; NULL = known for none
        blind INTEGER NOT NULL,       -- samples of its own whose cpu_used is not known
        cpu_total INTEGER,            -- ms, last
        processes INTEGER NOT NULL,   -- last
        processes_max INTEGER NOT NULL,  -- largest, less processes
        state INTEGER,                -- its own last one
        absent INTEGER NOT NULL       -- samples of the bucket in which it was not there; 0 for the total
    );
"""

_PACKS_TABLE = """
    CREATE TABLE quarter_packs (
        -- the rows of `quarter` that are older than packing.PACK_AFTER_S, six hours together and compressed; read them
        -- with packing.packed and packing.unpack. quarter_ticks has their buckets
        bucket INTEGER PRIMARY KEY,   -- as in six_hours_ticks
        pack BLOB NOT NULL
    );
"""

# Mean CPU of a row in percent: 100 * cpu_used / (measured_ms * (samples - absent - blind) / samples), with samples and
# measured_ms of its bucket.

MOST_LIVES = 200
"""Processes that are remembered of one group."""


def _to_version_1(connection: sqlite3.Connection) -> None:
    _run(connection, _VERSION_1)


def _to_version_2(connection: sqlite3.Connection) -> None:
    """Prepare the tiers; sizes become KiB, percents become milliseconds of the interval."""
    _run(connection, _SUBJECTS)
    _run(connection, _RAW_TICKS_TABLE + _VERSION_2_RAW)
    for level in LEVELS[1:]:
        _run(connection, _TICKS_TABLE.format(level=level) + _ROWS_TABLE.format(level=level))
    _run(connection, _PACKS_TABLE)
    _run(connection, _FROM_VERSION_1)
    # bytes that an action gave back inside of heaps; came_back is what it gave back to the machine
    connection.execute("ALTER TABLE marks ADD COLUMN heap INTEGER NOT NULL DEFAULT 0")


def _to_version_3(connection: sqlite3.Connection) -> None:
    """Pack single samples, and sum up what is not yet in the tiers: all, if the file was of version 1."""
    _run(connection, _RAW_PACKS_TABLE)
    rows = connection.execute(
        f"""
        SELECT k & {ID_MASK}, k >> {ID_BITS}, (k >> {ID_BITS}) + lasts, more,
               rss, held, unknown, cpu_used, cpu_total, processes, state
        FROM raw ORDER BY k
        """
    )
    for _, together in groupby(rows, key=lambda row: row[1] // SPAN_S):
        found = list(together)
        write_spans(connection, [row[0] for row in found], [(*row[1:4], row[4:]) for row in found])
    connection.execute("DROP TABLE raw")
    roll_up(connection)
    (newest_s,) = connection.execute("SELECT max(bucket) FROM raw_ticks").fetchone()
    for level in (RAW, MINUTE):
        assert level.keep_s is not None
        before = ((newest_s or 0) - level.keep_s) // level.width_s
        connection.execute(f"DELETE FROM {level.ticks} WHERE bucket < ?", (before,))
        connection.execute(f"DELETE FROM {level.table} WHERE k < ?", (before << ID_BITS,))


def _to_version_4(connection: sqlite3.Connection) -> None:
    """Make room for when the machine was short of memory; of the time before nothing is known."""
    _run(connection, _STRAINS_TABLE)


_STRAINS_TABLE = """
    CREATE TABLE strains (
        -- a stretch in which every measurement found the machine short of memory in the same way
        since_s INTEGER PRIMARY KEY,  -- where the interval of its first measurement began
        until_s INTEGER NOT NULL,     -- time of its last measurement
        pressure TEXT NOT NULL        -- model.process.Pressure: 'warning' or 'critical'
    );
"""

_FROM_VERSION_1 = f"""
    INSERT INTO subjects (id, key, kind, host, session_id, title, cwd,
                          first_seen_s, last_seen_s, peak_rss, peak_held, ended_s)
    SELECT id, key, kind, host, session_id, title, cwd, first_seen_s, last_seen_s,
           (peak_rss + 512) >> 10, (coalesce(peak_footprint, peak_rss) + 512) >> 10,
           nullif(last_seen_s, (SELECT max(at_s) FROM samples))
    FROM sessions;
    INSERT INTO subjects (key, kind, host, first_seen_s, last_seen_s, peak_rss, peak_held)
    SELECT host, 'host', host, min(first_seen_s), max(last_seen_s), 0, 0 FROM sessions
    WHERE host IS NOT NULL GROUP BY host;
    INSERT INTO subjects (key, kind, first_seen_s, last_seen_s, peak_rss, peak_held)
    SELECT 'total', 'total', min(at_s), max(at_s), 0, 0 FROM ticks GROUP BY NULL;
    INSERT INTO raw_ticks (bucket, run_id, measured_ms, gap) SELECT at_s, run_id, interval_ms, gap FROM ticks;
    INSERT INTO raw (k, lasts, more, rss, held, unknown, cpu_used, cpu_total, processes, state)
    SELECT at_s << {ID_BITS} | id, 0, 0, (rss + 512) >> 10,
           coalesce(((footprint + 512) >> 10) - ((rss + 512) >> 10), 0), footprint IS NULL,
           CAST(round(cpu_millipercent * interval_ms / 100000.0) AS INTEGER), cpu_ms, processes, state
    FROM samples JOIN ticks USING (at_s);
    INSERT INTO raw (k, lasts, more, rss, held, unknown, cpu_used, cpu_total, processes)
    SELECT r.k >> {ID_BITS} << {ID_BITS} | h.id, 0, 0, sum(rss), sum(held), max(unknown),
           sum(cpu_used), sum(cpu_total), sum(processes)
    FROM raw r JOIN subjects g ON g.id = r.k & {ID_MASK} JOIN subjects h ON h.kind = 'host' AND h.key = g.host
    GROUP BY 1;
    INSERT INTO raw (k, lasts, more, rss, held, unknown, cpu_used, cpu_total, processes)
    SELECT t.bucket << {ID_BITS} | a.id, 0, 0, coalesce(sum(rss), 0), coalesce(sum(held), 0), coalesce(max(unknown), 0),
           sum(cpu_used), sum(cpu_total), coalesce(sum(processes), 0)
    FROM subjects a CROSS JOIN raw_ticks t LEFT JOIN raw r
        ON r.k >= t.bucket << {ID_BITS} AND r.k < (t.bucket + 1) << {ID_BITS}
        AND r.k & {ID_MASK} NOT IN (SELECT id FROM subjects WHERE kind = 'host')
    WHERE a.kind = 'total' GROUP BY t.bucket;
    UPDATE subjects SET peak_rss = m.rss, peak_held = m.held
    FROM (SELECT k & {ID_MASK} AS id, max(rss) AS rss, max(rss + held) AS held FROM raw GROUP BY 1) AS m
    WHERE m.id = subjects.id AND subjects.kind IN ('host', 'total');
    DROP TABLE samples;
    DROP TABLE ticks;
    DROP TABLE sessions;
"""


def write_spans(connection: sqlite3.Connection, ids: Sequence[int], spans: Sequence[Span]) -> int:
    """Store spans of samples of one minute as a pack; return its key."""
    key = min([span[0] for span in spans]) << ID_BITS
    connection.execute(
        f"INSERT INTO {RAW.table} (k, samples, pack) VALUES (?, ?, ?)",
        (key, len(spans) + sum([span[2] for span in spans]), pack_spans(ids, spans)),
    )
    return key


def _run(connection: sqlite3.Connection, script: str) -> None:
    """Execute the statements of a script inside the transaction that is open (executescript would end it)."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            connection.execute(statement)
            statement = ""


UPGRADES: tuple[Step, ...] = (_to_version_1, _to_version_2, _to_version_3, _to_version_4)
"""The step at n lifts a file from version n to n + 1; a new file goes through all of them."""

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
        if connection.execute("PRAGMA page_count").fetchone() == (0,):
            # a file that is no longer empty takes it with VACUUM only; asking for it would write into any file
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        if _lift(connection, path) > 0:
            # the older form held far more; without this its pages would stay in the file
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            connection.execute("VACUUM")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        # some systems build SQLite so that it writes every page anew that it lets go of; who deletes the history gets a
        # file without them by VACUUM
        connection.execute("PRAGMA secure_delete = FAST")
        (newest_s,) = connection.execute("SELECT max(bucket) FROM raw_ticks").fetchone()
    except sqlite3.Error as error:
        connection.close()
        if is_damage(error):
            raise NotAHistory(path, error) from error
        raise
    except HistoryError:
        connection.close()
        raise
    return connection, newest_s


def _lift(connection: sqlite3.Connection, path: Path) -> int:
    """Bring the file to the present version; return the version that it had, 0 if it needed nothing or is new."""
    version = _version(connection, path)
    if version == VERSION:
        return 0
    # one transaction: a kill in the middle leaves the old form
    connection.execute("BEGIN IMMEDIATE")
    for step in UPGRADES[version:]:
        step(connection)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")
    return version


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


def check(connection: sqlite3.Connection) -> None:
    """Look through the whole file. Raises sqlite3.Error where it is damaged."""
    faults = connection.execute("PRAGMA quick_check(1)").fetchall()
    if faults != [("ok",)]:
        damage = sqlite3.DatabaseError(faults[0][0])
        damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise damage
    for (blob,) in connection.execute("SELECT pack FROM quarter_packs"):
        unpack(blob, ())
    for (blob,) in connection.execute(f"SELECT pack FROM {RAW.table}"):
        unpack_spans(blob)


class WriterLock:
    """Let one writer of a history exist at a time, over processes; the system lets go of it when its holder dies.

    It is a lock of SQLite's on an empty file beside the history, so that it works wherever SQLite does and neither
    readers nor the deleting of a history ever meet it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path.with_name(f"{path.name}-writer")
        self._connection: sqlite3.Connection | None = None

    @property
    def held(self) -> bool:
        return self._connection is not None

    def take(self) -> bool:
        """Try to become the writer; False when there is another one. Raises sqlite3.Error for all else."""
        connection = sqlite3.connect(self._path, timeout=0, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            connection.close()
            if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY:
                return False
            if is_damage(error):
                # nothing is ever kept in it
                self._path.unlink(missing_ok=True)
            # another error than its own: a damaged lock says nothing of the history
            raise sqlite3.OperationalError(f"its lock cannot be taken: {error}") from error
        self._connection = connection
        return True

    def release(self) -> None:
        """Let the next one write."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


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
