"""What goes wrong on real machines: kills, full and read-only disks, damage, two programs, clocks that jump."""

from __future__ import annotations

import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.history.snapshots import MB, START_S, group, snapshot
from tests.history.stored import rows
from trayapp.history import schema, store
from trayapp.history.packing import pack
from trayapp.history.rollup import ID_BITS, ID_MASK, LEVELS
from trayapp.history.schema import NotAHistory, check, reading
from trayapp.history.store import HistoryStore
from trayapp.model.snapshot import Snapshot

HOUR_S = 3_600
DAY_S = 86_400

SESSIONS = 10
BATCH = 5


def opened(path: Path) -> HistoryStore:
    return HistoryStore(path, now_epoch_s=lambda: START_S)


def told(history: HistoryStore) -> list[str]:
    return [str(problem) for problem in history.problems]


def moving(second: int) -> Snapshot:
    """Make a snapshot in which every figure of every session has moved."""
    return snapshot(second, *(group(f"s{n}", rss=(n + 1) * MB + second * 4096) for n in range(SESSIONS)))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "history.sqlite3"


# ------------------------------------------------------------------------------------------------------------- kills


@contextmanager
def another_program(work: Callable[[], None]) -> Iterator[int]:
    """Run `work` in a process of its own, which is killed without a word at the end."""
    pid = os.fork()
    if pid == 0:
        try:
            work()
        finally:
            os._exit(1)
    try:
        yield pid
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork, to begin a hundred writers in a few seconds")
def test_kills_at_a_hundred_moments_lose_no_batch_that_was_written(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "FLUSH_S", float("inf"))  # only the batches that are told of below
    chance = random.Random(115)
    next_number = in_the_middle = 0
    for round_number in range(100):
        heard, ready = os.pipe()

        def write(ready: int = ready, first: int = next_number) -> None:
            history = HistoryStore(path, now_epoch_s=lambda: START_S + 10**9)
            for number in range(first, 10_000_000):
                history.append(moving(10 * number))
                if number % BATCH == BATCH - 1:
                    history.flush()
                    os.write(ready, b".")

        with another_program(write):
            os.close(ready)
            # from before the file is open until well into writing, rolling up, pruning and moving the log into the file
            batches = len(os.read(heard, 1)) if round_number % 2 else 0
            time.sleep(chance.uniform(0.0, 0.08))
        batches += len(os.read(heard, 1_000_000))
        os.close(heard)
        acknowledged = next_number + batches * BATCH - 1
        history = opened(path)
        assert told(history) == []
        history.close()
        assert rows(path, "PRAGMA integrity_check") == [("ok",)]
        ((newest,),) = rows(path, "SELECT max(bucket) FROM raw_ticks")
        stored = next_number - 1 if newest is None else (newest - START_S) // 10
        assert acknowledged <= stored <= acknowledged + BATCH  # all that was told of, and at most one batch more
        assert (stored + 1) % BATCH == 0  # only whole batches
        in_the_middle += batches > 0
        next_number = stored + 1
    assert in_the_middle >= 50
    counts = rows(path, f"SELECT DISTINCT count(*) FROM raw GROUP BY k >> {ID_BITS}")
    assert counts == [(SESSIONS + 2,)]  # with the host and the total
    for level in LEVELS[1:]:
        # buckets in the middle of which the writer was killed are whole
        wanted = [(level.width_s // 10,)] if level.width_s < next_number * 5 else []
        found = rows(path, f"SELECT DISTINCT samples FROM {level.ticks} WHERE bucket > {START_S // level.width_s}")
        assert found == wanted or level.width_s > 900


# ------------------------------------------------------------------------------------------------- disks without room


def mounted(*arguments: str) -> None:
    subprocess.run(["mount", *arguments], check=True, capture_output=True)


needs_mounts = pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0,
    reason="only root may mount; RLIMIT_FSIZE and permissions stand in for it in the tests beside this one",
)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "small"
    folder.mkdir()
    try:
        mounted("-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder))
    except subprocess.CalledProcessError as error:
        pytest.skip(f"mount is not allowed here, not even for root: {error.stderr.decode().strip()}")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def goes_on_after(path: Path, make_room: Callable[[], None]) -> None:
    """Record until there is no room, some minutes longer, and on when there is room again; nothing must be missing."""
    history = opened(path)
    second, full_at = 0, None
    while full_at is None or second < full_at + 300:
        history.append(moving(second))
        if not history.problems:
            full_at = None
        elif full_at is None:
            full_at = second
        second += 2
        assert second < 20_000
    assert full_at > 0
    (problem,) = told(history)
    assert str(path) in problem
    assert "cannot be recorded" in problem
    assert "Make room" in problem
    make_room()
    history.append(moving(second))
    history.close()
    assert told(history) == []
    assert rows(path, "PRAGMA integrity_check") == [("ok",)]
    assert rows(path, "SELECT max(bucket), count(*) FROM raw_ticks") == [(START_S + second, second // 2 + 1)]


@needs_mounts
def test_a_full_disk_stops_recording_with_a_message_and_all_goes_on_when_there_is_room(small_disk: Path) -> None:
    goes_on_after(small_disk / "history.sqlite", lambda: mounted("-o", "remount,size=32m", "tmpfs", str(small_disk)))


def test_a_limit_on_the_size_of_files_is_met_like_a_full_disk(path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, hard))
    try:
        goes_on_after(path, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard)))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Take the right to write away; from root too, whom permissions do not bind."""
    if os.geteuid() != 0:
        folder.chmod(0o555)
        for part in folder.iterdir():
            part.chmod(0o444)
        try:
            yield
        finally:
            folder.chmod(0o755)
            for part in folder.iterdir():
                part.chmod(0o644)
        return
    try:
        mounted("--bind", str(folder), str(folder))
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"root is bound by no permission, and mount is not allowed here: {error}")
    try:
        mounted("-o", "remount,bind,ro", str(folder))
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.mark.parametrize("already_there", [False, True])
def test_a_read_only_folder_stops_recording_and_nothing_in_it_changes(path: Path, *, already_there: bool) -> None:
    path.parent.mkdir()
    if already_there:
        history = opened(path)
        history.append(moving(0))
        history.close()
    before = {part.name: part.read_bytes() for part in path.parent.iterdir()}
    with read_only(path.parent):
        history = opened(path)
        history.append(moving(10))
        history.flush()
        (problem,) = told(history)
        assert "cannot be recorded" in problem
        history.close()
    assert {part.name: part.read_bytes() for part in path.parent.iterdir()} == before
    history = opened(path)
    history.append(moving(20))
    history.close()
    assert told(history) == []
    assert rows(path, "SELECT max(bucket) FROM raw_ticks") == [(START_S + 20,)]


def test_recording_goes_on_by_itself_when_the_folder_can_be_written_again(path: Path) -> None:
    path.parent.mkdir()
    with read_only(path.parent):
        history = opened(path)
        for second in range(0, 120, 2):
            history.append(moving(second))
    assert len(history.problems) == 1
    history.append(moving(120))
    history.flush()
    assert told(history) == []
    history.close()
    assert rows(path, "SELECT count(*) FROM raw_ticks") == [(61,)]


def test_a_disk_that_fills_while_room_is_given_back_costs_no_sample_and_doubles_none(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_connection: sqlite3.Connection) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    history = opened(path)
    history.append(moving(0))
    with monkeypatch.context() as patched:
        patched.setattr(store, "_give_room_back", fail)
        history.flush()
    assert "full" in told(history)[0]
    history.append(moving(2))
    history.close()
    assert told(history) == []
    assert rows(path, "SELECT count(*) FROM raw_ticks") == [(2,)]


def test_a_batch_that_came_to_the_disk_although_that_was_told_to_have_failed_is_not_written_again(path: Path) -> None:
    class Liar:
        """A connection whose first COMMIT is carried out and told to have failed."""

        def __init__(self, connection: sqlite3.Connection) -> None:
            self._connection = connection

        def __getattr__(self, name: str) -> Any:
            return getattr(self._connection, name)

        def execute(self, sql: str, *arguments: Any) -> sqlite3.Cursor:
            cursor = self._connection.execute(sql, *arguments)
            if sql == "COMMIT":
                raise sqlite3.OperationalError("disk I/O error")
            return cursor

    history = opened(path)
    history.append(moving(0))
    assert history._connection is not None
    history._connection = Liar(history._connection)  # type: ignore[assignment]
    history.flush()
    assert "I/O" in told(history)[0]
    history.append(moving(2))
    history.close()
    assert told(history) == []
    assert rows(path, "SELECT count(*) FROM raw_ticks") == [(2,)]


# ------------------------------------------------------------------------------------------------------------- damage


def damage_pages_of(path: Path, table: str) -> bytes:
    """Overwrite a page of a table in the middle of the file, as a bad disk does; return the whole file."""
    with closing(sqlite3.connect(path)) as connection:
        pages = [page for (page,) in connection.execute("SELECT pageno FROM dbstat WHERE name = ?", (table,))]
    content = bytearray(path.read_bytes())
    page = pages[len(pages) // 2]
    content[(page - 1) * 4096 : page * 4096] = b"\xa5" * 4096
    path.write_bytes(content)
    return bytes(content)


def of_an_hour(path: Path) -> None:
    history = opened(path)
    for second in range(0, HOUR_S, 2):
        history.append(moving(second))
    history.close()
    assert told(history) == []


def test_a_damaged_page_is_told_by_who_reads_it_and_the_file_is_set_aside_whole(path: Path) -> None:
    of_an_hour(path)
    content = damage_pages_of(path, "raw_packs")
    history = opened(path)  # it is not met as yet
    assert told(history) == []
    other = opened(path.with_name("other"))
    assert not other.set_aside_if_damaged()
    other.close()

    def read_all() -> None:
        with reading(path) as connection:
            assert connection is not None
            connection.execute("SELECT max(pack) FROM raw_packs").fetchone()

    with pytest.raises(NotAHistory):
        read_all()
    assert history.set_aside_if_damaged()
    history.append(moving(HOUR_S + 10))
    history.close()
    (aside,) = path.parent.glob("history*.set-aside.sqlite3")
    assert aside.read_bytes() == content
    (problem,) = told(history)
    assert aside.name in problem
    assert rows(path, "SELECT count(*) FROM raw_ticks") == [(1,)]


def test_a_damaged_lock_is_made_anew_and_the_history_is_gone_on_with(path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    path.with_name(f"{path.name}-writer").write_bytes(b"nonsense" * 1000)
    history = HistoryStore(path, now_epoch_s=lambda: START_S)
    history.append(snapshot(0, group("one")))
    history.flush()
    (problem,) = history.problems
    assert "its lock cannot be taken" in problem.what
    history.append(snapshot(2, group("one")))
    history.close()
    assert history.problems == ()
    assert rows(path, "SELECT count(*) FROM raw_ticks") == [(2,)]
    assert {part.name for part in path.parent.iterdir()} == {path.name, f"{path.name}-writer"}


def test_a_lock_that_cannot_be_opened_is_tried_again_and_left_alone(path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    lock = path.with_name(f"{path.name}-writer")
    lock.touch()
    in_the_way = path.with_name(f"{lock.name}-journal")
    in_the_way.mkdir()
    history = HistoryStore(path, now_epoch_s=lambda: START_S)
    history.append(snapshot(0, group("one")))
    history.flush()
    assert "its lock cannot be taken" in history.problems[0].what
    assert lock.exists()
    in_the_way.rmdir()
    history.append(snapshot(2, group("one")))
    history.close()
    assert rows(path, "SELECT count(*) FROM raw_ticks") == [(2,)]


def test_a_damaged_page_that_the_writer_meets_loses_nothing_of_what_is_in_memory(path: Path) -> None:
    of_an_hour(path)
    damage_pages_of(path, "minute_ticks")
    damage_pages_of(path, "subjects")
    history = opened(path)
    for second in range(HOUR_S, HOUR_S + 120, 2):
        history.append(moving(second))
    history.close()
    assert len(list(path.parent.glob("*.set-aside.sqlite3"))) == 1
    assert rows(path, "SELECT count(*) FROM raw_ticks") == [(60,)]


def test_a_damaged_pack_is_found(path: Path) -> None:
    of_an_hour(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        blob = bytearray(pack(connection.execute("SELECT * FROM quarter").fetchall()))
        connection.execute("INSERT INTO quarter_packs VALUES (1, ?)", (bytes(blob),))
        check(connection)
        blob[len(blob) // 2] ^= 255
        connection.execute("UPDATE quarter_packs SET pack = ?", (bytes(blob),))
    history = opened(path)
    assert history.set_aside_if_damaged()
    assert "pack" in told(history)[0]
    history.close()
    assert not history.set_aside_if_damaged()


def test_the_history_of_a_newer_program_is_refused_and_not_touched(path: Path) -> None:
    of_an_hour(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    before = path.read_bytes()
    history = opened(path)
    for second in range(HOUR_S, HOUR_S + 120, 2):
        history.append(moving(second))
    history.delete_all()
    assert not history.set_aside_if_damaged()
    (problem,) = told(history)
    assert "newer Agent Ring" in problem
    history.close()
    assert path.read_bytes() == before
    assert {part.name for part in path.parent.iterdir()} <= {path.name, f"{path.name}-writer"}


# ------------------------------------------------------------------------------------------------------- two programs


def test_of_two_programs_one_records_and_the_other_says_so_and_takes_over(path: Path) -> None:
    first, second = opened(path), opened(path)
    for at in range(0, 300, 2):
        first.append(moving(at))
        second.append(moving(at))
    first.flush()
    second.flush()
    assert first.problems == ()
    (problem,) = told(second)
    assert "another Agent Ring records" in problem
    assert rows(path, "SELECT count(*) FROM raw_ticks") == [(150,)]
    first.close()
    for at in range(300, 400, 2):
        second.append(moving(at))
    second.close()
    assert second.problems == ()
    assert rows(path, "SELECT count(*) FROM raw_ticks") == [(200,)]
    assert rows(path, f"SELECT DISTINCT count(*) FROM raw GROUP BY k >> {ID_BITS}") == [(SESSIONS + 2,)]
    assert rows(path, "SELECT count(*) FROM subjects") == [(SESSIONS + 2,)]
    assert rows(path, "PRAGMA integrity_check") == [("ok",)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_when_the_program_that_records_is_killed_the_other_goes_on_at_once(path: Path) -> None:
    heard, ready = os.pipe()

    def write() -> None:
        history = opened(path)
        for second in range(0, 60, 2):
            history.append(moving(second))
            if second == 38:
                history.flush()
        os.write(ready, b".")
        time.sleep(60)

    with another_program(write):
        assert os.read(heard, 1) == b"."
        waiting = opened(path)
        for second in range(40, 100, 2):
            waiting.append(moving(second))
        waiting.flush()
        assert "another Agent Ring" in told(waiting)[0]
        assert rows(path, "SELECT count(*) FROM raw_ticks") == [(20,)]
    waiting.append(moving(100))
    waiting.close()
    assert waiting.problems == ()
    os.close(ready)
    os.close(heard)
    # what both measured is there once; what the one that was killed never wrote, the other had kept
    times = [at for (at,) in rows(path, f"SELECT bucket - {START_S} FROM raw_ticks ORDER BY 1")]
    assert times == list(range(0, 102, 2))


def test_who_takes_over_writes_nothing_that_is_there_already_and_marks_what_is_missing(path: Path) -> None:
    first, second = opened(path), opened(path)
    for at in range(0, 50, 2):
        first.append(moving(at))
        second.append(moving(at))
    first.close()
    second.flush()
    assert rows(path, "SELECT count(*), max(bucket) FROM raw_ticks") == [(25, START_S + 48)]
    third = opened(path)
    for at in range(100, 200, 2):
        third.append(moving(at))
    assert "another" in told(third)[0]
    second.close()
    third.close()  # it had kept its last two batches
    assert rows(path, "SELECT kind, since_s, until_s FROM gaps") == [("pause", START_S + 48, START_S + 132)]


def test_a_command_that_deletes_the_history_while_the_tray_records_confuses_nobody(path: Path) -> None:
    tray, command = opened(path), opened(path)
    tray.append(moving(0))
    tray.flush()
    command.delete_all()
    assert command.problems == ()
    command.close()
    tray.append(moving(2))
    tray.close()
    assert tray.problems == ()
    assert rows(path, "SELECT count(*) FROM subjects") == [(SESSIONS + 2,)]
    assert rows(path, "SELECT count(*) FROM runs JOIN raw_ticks USING (run_id)") == [(1,)]


# ------------------------------------------------------------------------------------------------------------- clocks


def recorded(path: Path, *walls: int) -> HistoryStore:
    history = opened(path)
    for number, wall in enumerate(walls):
        taken = snapshot(wall, group("one", rss=(number + 1) * 1024), slept_s=wall - 2 * number)
        history.append(taken)
    history.close()
    return history


def values(path: Path) -> list[int]:
    sql = f"""
        SELECT rss FROM raw r JOIN subjects g ON g.id = r.k & {ID_MASK} AND g.kind = 'session'
        JOIN raw_ticks t ON t.bucket BETWEEN r.k >> {ID_BITS} AND (r.k >> {ID_BITS}) + r.lasts ORDER BY t.bucket
    """
    return [rss for (rss,) in rows(path, sql)]


@pytest.mark.parametrize("step_s", [-1, -HOUR_S, -10 * HOUR_S, HOUR_S, 10 * HOUR_S])
def test_a_clock_set_by_hours_and_back_loses_no_sample(
    path: Path, step_s: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "LEVELS", ())  # nothing is too old
    walls = [2 * n + (step_s if 50 <= n < 100 else 0) for n in range(150)]
    history = recorded(path, *walls)
    assert told(history) == []
    assert values(path) == list(range(1, 151))
    times = [at for (at,) in rows(path, "SELECT bucket FROM raw_ticks ORDER BY 1")]
    assert len(set(times)) == 150


def test_a_clock_that_is_a_month_ahead_for_a_minute_deletes_nothing_that_is_to_be_kept(path: Path) -> None:
    history = HistoryStore(path, now_epoch_s=lambda: START_S, keep_days=7)
    for second in range(0, 2 * HOUR_S, 30):
        history.append(snapshot(second, group("one"), interval_s=30.0))
    for second in range(30 * DAY_S, 30 * DAY_S + 60, 30):
        history.append(snapshot(second, group("one"), interval_s=30.0, gap=True, slept_s=30 * DAY_S))
    history.flush()
    assert rows(path, f"SELECT count(*) FROM quarter_ticks WHERE bucket < {(START_S + DAY_S) // 900}") == [(9,)]
    history.append(snapshot(2 * HOUR_S, group("one"), interval_s=30.0))
    history.close()
    (aside,) = path.parent.glob("*set-aside*")
    assert rows(aside, f"SELECT count(*) FROM quarter_ticks WHERE bucket < {(START_S + DAY_S) // 900}") == [(9,)]
    assert rows(path, "SELECT count(*) FROM raw_ticks") == [(1,)]


def test_a_year_of_gaps_is_a_small_file_and_every_gap_is_told(path: Path) -> None:
    now_s = START_S
    history = HistoryStore(path, now_epoch_s=lambda: now_s)
    for day in range(365):
        for tick in range(5):
            now_s = START_S + day * DAY_S + 2 * tick
            history.append(snapshot(now_s - START_S, group("one"), gap=tick == 0 < day, slept_s=day * (DAY_S - 10)))
        history.flush()
    history.close()
    assert told(history) == []
    assert rows(path, "SELECT count(*), min(until_s - since_s), max(until_s - since_s) FROM gaps") == [
        (364, DAY_S - 8, DAY_S - 8)
    ]
    assert rows(path, "SELECT DISTINCT kind FROM gaps") == [("sleep",)]
    assert rows(path, "SELECT count(*), sum(samples), sum(gap) FROM six_hours_ticks") == [(364, 364 * 5, 363)]
    assert path.stat().st_size < 500_000


def test_after_a_kill_it_is_known_to_the_batch_who_was_there_and_until_when(path: Path) -> None:
    history = opened(path)
    for second in range(0, 100, 2):
        history.append(snapshot(second, group("one"), group("two") if second < 70 else group("three")))
    history.flush()
    # what a kill leaves: nothing is closed
    with closing(sqlite3.connect(path)) as connection, closing(sqlite3.connect(path.with_name("k.sqlite3"))) as copy:
        connection.backup(copy)
    history.close()
    left = opened(path.with_name("k.sqlite3"))
    left.append(snapshot(500, group("three"), interval_s=None))
    left.close()
    seen = "SELECT last_seen_s - {}, ended_s - {} FROM subjects WHERE key LIKE 'alpha:%' ORDER BY key"
    assert rows(path.with_name("k.sqlite3"), seen.format(START_S, START_S)) == [(98, 98), (500, None), (68, 68)]
