"""The writer of the history: nothing lost that was flushed, nothing stopped by a bad disk."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.history.snapshots import MB, START_S, group, receipt, snapshot
from tests.history.stored import asking, rows
from trayapp.history import schema, store
from trayapp.history.rollup import ID_BITS, ID_MASK
from trayapp.history.schema import HistoryError, reading
from trayapp.history.store import HistoryStore
from trayapp.model.process import Identity, Process
from trayapp.model.session import Role, State
from trayapp.model.snapshot import GroupKind, Member, Verdict

RAW_OF = f"raw JOIN subjects g ON g.id = k & {ID_MASK}"


def opened(path: Path, *, keep_days: int = 365) -> HistoryStore:
    return HistoryStore(path, now_epoch_s=lambda: START_S, keep_days=keep_days)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "history.sqlite3"


def test_a_snapshot_comes_back_to_the_page(path: Path) -> None:
    history = opened(path)
    history.append(
        snapshot(0, group("one", rss=123_456_788_480, footprint=77_836_288, cpu=8.92, cpu_s=12.345, state=State.BUSY))
    )
    history.close()
    figures = "rss, rss + held, unknown, cpu_used, cpu_total, processes, state"
    of_all = (120_563_270, 76_012, 0, 178, 12_345, 1)  # 8.92 % of 2 s
    assert rows(path, f"SELECT key, kind, k >> {ID_BITS}, lasts, more, {figures} FROM {RAW_OF} ORDER BY kind") == [
        ("alpha", "host", START_S, 0, 0, *of_all, None),
        ("alpha:one", "session", START_S, 0, 0, *of_all, schema.STATE_CODES[State.BUSY]),
        ("total", "total", START_S, 0, 0, *of_all, None),
    ]
    known = "key, host, session_id, cwd, first_seen_s, last_seen_s, peak_rss, peak_held"
    assert rows(path, f"SELECT {known} FROM subjects WHERE kind = 'session'") == [
        ("alpha:one", "alpha", "one", "/home/alex/shop", START_S, START_S, 120_563_270, 76_012)
    ]
    assert history.problems == ()


def test_what_is_absent_is_stored_as_absent(path: Path) -> None:
    history = opened(path)
    history.append(snapshot(0, group("one", footprint=None, cpu=None, cpu_s=None, state=None), interval_s=None))
    history.close()
    assert (
        rows(path, f"SELECT held, unknown, cpu_used, cpu_total, state FROM {RAW_OF}") == [(0, 1, None, None, None)] * 3
    )
    assert rows(path, "SELECT measured_ms, gap FROM raw_ticks") == [(None, 0)]


def test_only_groups_that_count_are_recorded_and_no_argument_ever(path: Path) -> None:
    history = opened(path)
    kinds = [group(kind.value, kind=kind) for kind in GroupKind]
    history.append(snapshot(0, *kinds))
    history.close()
    recorded = {kind for (kind,) in rows(path, "SELECT kind FROM subjects")}
    assert recorded - {"host", "total"} == {g.kind.value for g in kinds if g.counts}
    assert b"sk-secret" not in path.read_bytes()


def test_samples_wait_in_memory_and_are_written_every_30_s(path: Path) -> None:
    history = opened(path)
    for second in range(0, 30, 2):
        history.append(snapshot(second, group("one")))
    assert rows(path, "SELECT count(*) FROM raw_ticks") == [(0,)]
    history.append(snapshot(30, group("one")))
    assert rows(path, "SELECT count(*) FROM raw_ticks") == [(16,)]
    # what did not change is one row
    assert rows(path, f"SELECT lasts, more FROM {RAW_OF}") == [(30, 15)] * 3
    history.close()


def test_a_moment_without_any_session_is_stored_too(path: Path) -> None:
    history = opened(path)
    history.append(snapshot(0))
    history.close()
    assert rows(path, "SELECT bucket FROM raw_ticks") == [(START_S,)]
    assert rows(path, f"SELECT key, rss, processes, cpu_used FROM {RAW_OF}") == [("total", 0, 0, None)]


def test_a_session_keeps_its_newest_title_its_first_sight_and_its_peak(path: Path) -> None:
    history = opened(path)
    history.append(snapshot(0, group("one", rss=50 * MB, footprint=None, title=None)))
    history.append(snapshot(2, group("one", rss=90 * MB, footprint=40 * MB, title="First")))
    history.flush()
    history.append(snapshot(4, group("one", rss=70 * MB, footprint=None, title="Second")))
    history.flush()
    history.append(snapshot(6, group("one", rss=60 * MB, footprint=30 * MB, title=None)))  # its host is silent
    history.close()
    assert rows(
        path, "SELECT title, first_seen_s, last_seen_s, peak_rss, peak_held FROM subjects WHERE kind = 'session'"
    ) == [("Second", START_S, START_S + 6, 90 * 1024, 70 * 1024)]


@pytest.mark.parametrize(
    ("second", "kind"),
    [
        (snapshot(2702, group("one"), gap=True, slept_s=2700), "sleep"),
        (snapshot(60, group("one"), gap=True, interval_s=60.0), "pause"),
        (snapshot(600, group("one"), gap=False, interval_s=2.0), "pause"),
    ],
)
def test_a_break_is_a_gap_with_its_reason(path: Path, second: Any, kind: str) -> None:
    history = opened(path)
    history.append(snapshot(0, group("one")))
    history.append(second)
    history.close()
    until = int(second.taken_at.timestamp())
    assert rows(path, "SELECT since_s, until_s, kind FROM gaps") == [(START_S, until, kind)]
    assert rows(path, "SELECT gap FROM raw_ticks ORDER BY bucket") == [(0,), (1,)]


def test_a_slow_beat_is_no_gap(path: Path) -> None:
    history = opened(path)
    history.append(snapshot(0, group("one")))
    history.append(snapshot(30, group("one"), interval_s=30.0))
    history.close()
    assert rows(path, "SELECT * FROM gaps") == []


def test_time_without_the_program_is_a_gap(path: Path) -> None:
    first = opened(path)
    first.append(snapshot(0, group("one")))
    first.close()
    second = opened(path)
    second.append(snapshot(900, group("one"), interval_s=None))
    second.close()
    assert rows(path, "SELECT since_s, until_s, kind FROM gaps") == [(START_S, START_S + 900, "not-running")]


def test_a_clock_set_back_never_overwrites_and_catches_up(path: Path) -> None:
    history = opened(path)
    history.append(snapshot(100, group("one", rss=1024)))
    for number in range(60):
        history.append(snapshot(50 + 2 * number, group("one", rss=(2 + number) * 1024)))
    history.close()
    stored = rows(path, f"SELECT (k >> {ID_BITS}) - {START_S}, rss FROM {RAW_OF} WHERE kind = 'session' ORDER BY k")
    assert [rss for _, rss in stored] == list(range(1, 62))  # all of them, in the order they were taken
    assert stored[1][0] == 101
    assert stored[-1][0] == 50 + 2 * 59  # the wall clock's own time again


def test_a_clock_set_back_by_days_begins_a_new_file_and_keeps_the_old_one(path: Path) -> None:
    history = opened(path)
    history.append(snapshot(10 * 86_400, group("one", rss=1024)))
    history.append(snapshot(0, group("one", rss=2048)))
    history.close()
    assert rows(path, "SELECT DISTINCT rss FROM raw") == [(2,)]
    (aside,) = path.parent.glob("*set-aside*")
    assert rows(aside, "SELECT DISTINCT rss FROM raw") == [(1,)]
    (problem,) = history.problems
    assert aside.name in problem.what


def test_two_snapshots_within_one_second_are_one_sample(path: Path) -> None:
    history = opened(path)
    history.append(snapshot(0.1, group("one", rss=1024)))
    history.append(snapshot(0.9, group("one", rss=2048)))
    history.close()
    assert rows(path, "SELECT DISTINCT rss FROM raw") == [(1,)]


def test_old_measurements_are_deleted_with_the_next_batch(path: Path) -> None:
    history = HistoryStore(path, now_epoch_s=lambda: START_S + 10 * 86_400, keep_days=7)
    history.append(snapshot(0, group("old")))
    history.append(snapshot(9 * 86_400, group("new")))
    history.close()
    assert rows(path, "SELECT key FROM subjects WHERE kind = 'session'") == [("alpha:new",)]
    assert rows(path, "SELECT bucket FROM raw_ticks") == [(START_S + 9 * 86_400,)]
    assert rows(path, f"SELECT k >> {ID_BITS} FROM {RAW_OF} WHERE kind = 'session'") == [(START_S + 9 * 86_400,)]


def test_a_release_leaves_a_mark_at_once_and_one_that_gave_nothing_none(path: Path) -> None:
    history = opened(path)
    history.add_receipt(receipt(5, 300 * MB))
    history.add_receipt(receipt(6, 0, receipt_id="r2"))
    assert rows(path, "SELECT * FROM marks") == [("r1", START_S + 5, 300 * MB, "Refactor settings page", 0)]
    history.close()


def test_text_that_utf8_cannot_hold_does_not_stop_recording(path: Path) -> None:
    history = opened(path)
    history.append(snapshot(0, group("one", title="half \ud83d pair", cwd="/home/\udcff")))
    history.close()
    assert rows(path, "SELECT title, cwd FROM subjects WHERE kind = 'session'") == [("half ? pair", "/home/?")]
    assert history.problems == ()


def test_writing_can_be_handed_to_another_thread_and_is_asked_for_once(path: Path) -> None:
    handed: list[Callable[[], None]] = []
    history = HistoryStore(path, now_epoch_s=lambda: START_S, hand_over=handed.append)
    for second in range(0, 122, 2):
        history.append(snapshot(second, group("one")))
    assert len(handed) == 1  # four batches are due, the first call takes them all
    assert rows(path, "SELECT count(*) FROM raw_ticks") == [(0,)]
    writer = threading.Thread(target=handed[0])
    writer.start()
    writer.join()
    assert rows(path, "SELECT count(*) FROM raw_ticks") == [(61,)]
    for second in range(122, 160, 2):
        history.append(snapshot(second, group("one")))
    assert len(handed) == 2
    history.close()


def test_a_group_that_is_handed_on_from_tick_to_tick_is_one_span_until_it_works(path: Path) -> None:
    history = opened(path)
    rests, works = group("one", cpu=0.0, cpu_s=1.0), group("two", cpu=50.0)
    for second, interval_s in ((0, None), (2, 2.0), (4, 2.002), (6, 1.998)):
        history.append(snapshot(second, rests, works, interval_s=interval_s))
    history.append(snapshot(8, replace(rests, cpu_percent=10.0, cpu_s_total=1.2), works))
    history.append(snapshot(10, replace(rests, verdict=Verdict(state=State.BUSY)), works))
    history.close()
    stored = f"SELECT (k >> {ID_BITS}) - {START_S}, lasts, more, cpu_used, state FROM {RAW_OF} WHERE key = 'alpha:%s'"
    idle, busy = schema.STATE_CODES[State.IDLE], schema.STATE_CODES[State.BUSY]
    assert rows(path, stored % "one") == [
        (0, 0, 0, None, idle),
        (2, 4, 2, 0, idle),
        (8, 0, 0, 200, idle),
        (10, 0, 0, 0, busy),
    ]
    assert [used for *_, used, _ in rows(path, stored % "two")] == [None, 1000, 1001, 999, 1000]


def test_a_key_that_comes_twice_in_a_snapshot_is_counted_once_also_in_the_sums(path: Path) -> None:
    history = opened(path)
    history.append(snapshot(0, group("one", rss=10 * MB), group("one", rss=20 * MB)))
    history.close()
    assert history.problems == ()
    assert rows(path, "SELECT DISTINCT rss FROM raw") == [(10 * 1024,)]


def test_a_subject_has_an_end_with_its_last_state_and_none_when_it_comes_back(path: Path) -> None:
    history = opened(path)
    ends = "SELECT ended_s, last_state FROM subjects WHERE key = 'alpha:two'"
    history.append(snapshot(0, group("one"), group("two", state=State.BUSY)))
    history.append(snapshot(2, group("one"), group("two", state=State.ENDED)))
    history.append(snapshot(4, group("one")))
    history.flush()
    assert rows(path, ends) == [(START_S + 2, schema.STATE_CODES[State.ENDED])]
    assert rows(path, "SELECT ended_s FROM subjects WHERE key = 'alpha:one'") == [(None,)]
    history.append(snapshot(6, group("one"), group("two", state=State.IDLE)))
    history.close()
    assert rows(path, ends) == [(None, schema.STATE_CODES[State.IDLE])]
    # what ended while the program did not run ended when it was last seen
    history = opened(path)
    history.append(snapshot(100, group("one"), interval_s=None))
    history.close()
    assert rows(path, ends) == [(START_S + 6, schema.STATE_CODES[State.IDLE])]


def member_of(pid: int) -> Member:
    process = Process(identity=Identity(pid, 7), ppid=1, name="node")
    return Member(process=process, role=Role.HELPER, claim=None)


def test_the_processes_of_a_life_are_remembered_with_their_times(path: Path) -> None:
    history = opened(path)
    pids = {0: [1, 2], 60: [1, 2], 120: [1, 3], 700: [1, 3], 1400: [1, 3], 1460: []}
    for second, there in pids.items():
        members = tuple(member_of(pid) for pid in there)
        history.append(snapshot(second, replace(group("one"), members=members)))
        history.flush()
    history.close()
    assert rows(path, "SELECT identity, first_seen_s, last_seen_s FROM lives ORDER BY 1") == [
        ("1:7", START_S, START_S + 1400),
        ("2:7", START_S, START_S + 60),
        ("3:7", START_S + 120, START_S + 1400),
    ]


def test_of_a_group_with_very_many_processes_the_newest_are_remembered(path: Path) -> None:
    history = opened(path)
    for number in range(40):
        members = tuple(member_of(10 * number + n) for n in range(10))
        history.append(snapshot(60 * number, replace(group("one"), members=members)))
        history.flush()
    history.close()
    ((count, oldest),) = rows(path, "SELECT count(*), min(first_seen_s) FROM lives")
    assert schema.MOST_LIVES <= count <= schema.MOST_LIVES * 5 // 4
    assert oldest > START_S


def test_the_same_processes_found_anew_are_the_same_lives(path: Path) -> None:
    history = opened(path)
    for second in range(0, 500, 60):
        history.append(snapshot(second, replace(group("one"), members=(member_of(7), member_of(8)))))
        history.flush()
    history.append(snapshot(500, group("two")))
    history.close()
    assert rows(path, "SELECT identity, first_seen_s FROM lives WHERE identity <> '100:1' ORDER BY identity") == [
        (str(member_of(7).process.identity), START_S),
        (str(member_of(8).process.identity), START_S),
    ]


def test_a_receipt_is_linked_to_what_it_was_about(path: Path) -> None:
    history = opened(path)
    history.append(snapshot(0, group("one")))
    history.add_receipt(receipt(5, 300 * MB))
    history.close()
    assert rows(
        path,
        "SELECT m.receipt_id, g.kind, r.action, r.fate, r.came_back FROM marks m JOIN receipts r USING (receipt_id)"
        " JOIN subjects g ON g.key = r.group_key",
    ) == [("r1", "session", "release", "released", 300 * MB)]


def test_every_moment_that_is_kept_has_what_was_there_then(path: Path) -> None:
    now_s = START_S + 0
    history = HistoryStore(path, now_epoch_s=lambda: now_s)
    oldest = set()
    for second in range(0, 7_500, 2):
        now_s = START_S + second
        history.append(snapshot(second, group("quiet", cpu=0.0)))
        if second > 7_300 and second % 6 == 0:
            history.flush()
            with asking(path) as connection:
                (first_s,) = connection.execute("SELECT min(bucket) FROM raw_ticks").fetchone()
                ticks, samples = connection.execute(
                    "SELECT (SELECT count(*) FROM raw_ticks), (SELECT sum(1 + more) FROM raw)"
                ).fetchone()
            assert first_s % 60 == 0
            assert samples == 3 * ticks  # the session, its host and the total
            oldest.add(first_s)
    history.close()
    assert len(oldest) > 2
    assert min(oldest) > START_S


def test_deleting_what_is_too_old_is_spread_over_batches(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_PRUNED", 30)
    history = HistoryStore(path, now_epoch_s=lambda: START_S + 10**9)
    for second in range(0, 600, 2):
        history.append(snapshot(second, group("one", rss=second * MB)))
    history.flush()
    before = rows(path, "SELECT count(*) FROM raw")[0][0]
    history.append(snapshot(86_400, group("one")))
    history.flush()
    after = rows(path, "SELECT count(*) FROM raw")[0][0]
    assert before - 100 < after < before  # whole minutes, of 90 rows each
    for second in range(86_402, 87_600, 2):
        history.append(snapshot(second, group("one")))
    history.close()
    assert rows(path, f"SELECT min(k) >> {ID_BITS} FROM raw") == [(START_S + 86_400,)]


def test_room_is_given_back_when_far_less_is_to_be_kept(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_FREE_PAGES", 20)
    history = HistoryStore(path, now_epoch_s=lambda: START_S + 10**9)
    for second in range(0, 4000, 2):
        history.append(snapshot(second, *(group(f"s{n}", rss=second * n * 4096) for n in range(20))))
    history.flush()
    (pages,) = rows(path, "PRAGMA page_count")[0]
    for number in range(30):
        history.append(snapshot(8_000 + 1_000 * number, group("one"), interval_s=1_000.0))
        history.flush()
    history.close()
    assert rows(path, "PRAGMA page_count")[0][0] < pages * 3 // 4


# ---------------------------------------------------------------------------------------------------- bad files


@pytest.mark.parametrize("content", [b"this is not a database at all, " * 40, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_file_is_set_aside_whole_and_a_new_one_begun(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    history = opened(path)
    history.append(snapshot(0, group("one")))
    history.close()
    (aside,) = path.parent.glob("history.20250107T113200Z.set-aside.sqlite3")
    assert aside.read_bytes() == content
    (problem,) = history.problems
    assert str(path) in problem.where
    assert aside.name in problem.what
    assert rows(path, "SELECT count(*) FROM raw_ticks") == [(1,)]


def test_a_database_of_another_program_is_not_written_to(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE cookies (name TEXT)")
        other.commit()
    before = path.read_bytes()
    history = opened(path)
    history.close()
    (aside,) = path.parent.glob("*.set-aside.sqlite3")
    assert aside.read_bytes() == before
    assert "another program" in history.problems[0].what


def test_a_second_file_set_aside_in_the_same_second_does_not_replace_the_first(path: Path) -> None:
    path.parent.mkdir()
    for content in (b"first" * 100, b"second" * 100):
        path.write_bytes(content)
        opened(path).close()
    assert sorted(p.read_bytes()[:5] for p in path.parent.glob("*.set-aside*.sqlite3")) == [b"first", b"secon"]


def test_a_file_damaged_while_it_is_used_is_set_aside_and_the_batch_kept(path: Path) -> None:
    history = opened(path)
    for second in range(0, 2000, 2):
        history.append(snapshot(second, group("one"), group("two")))
    history.flush()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * (size - 4096))
    history.append(snapshot(2000, group("one", rss=77 * 1024)))
    history.flush()
    history.close()
    assert rows(path, "SELECT DISTINCT rss FROM raw") == [(77,)]
    assert len(list(path.parent.glob("*.set-aside.sqlite3"))) == 1


def test_the_history_of_a_newer_program_is_left_alone(path: Path) -> None:
    opened(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    history = opened(path)
    history.append(snapshot(0, group("one")))
    history.close()
    assert rows(path, "SELECT count(*) FROM raw_ticks") == [(0,)]
    (problem,) = history.problems
    assert "newer" in problem.what
    with pytest.raises(HistoryError), reading(path):
        pass


def test_an_older_file_is_lifted_step_by_step(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    history = opened(path)
    history.append(snapshot(0, group("one")))
    history.close()

    def lift(connection: sqlite3.Connection) -> None:
        connection.execute("ALTER TABLE raw_ticks ADD COLUMN swap INTEGER")

    monkeypatch.setattr(schema, "UPGRADES", (*schema.UPGRADES, lift))
    monkeypatch.setattr(schema, "VERSION", schema.VERSION + 1)
    with pytest.raises(HistoryError, match="lifts the file"), reading(path):
        pass
    opened(path).close()
    assert rows(path, "PRAGMA user_version") == [(schema.VERSION,)]
    assert rows(path, "SELECT bucket, swap FROM raw_ticks") == [(START_S, None)]


def test_a_folder_that_cannot_be_written_stops_recording_but_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    history = opened(tmp_path / "file" / "history.sqlite3")  # the folder's place is taken by a file
    history.append(snapshot(0, group("one")))
    history.flush()
    (problem,) = history.problems
    assert "cannot be recorded" in problem.what
    (tmp_path / "file").unlink()
    history.append(snapshot(2, group("one")))
    history.flush()
    history.close()
    assert history.problems == ()
    assert rows(tmp_path / "file" / "history.sqlite3", "SELECT count(*) FROM raw_ticks") == [(2,)]


def test_a_full_disk_stops_recording_and_it_goes_on_when_there_is_room(path: Path) -> None:
    history = opened(path)
    connection = history._connection
    assert connection is not None
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages}")  # how SQLite itself lets a test meet SQLITE_FULL
    for second in range(0, 32, 2):
        history.append(snapshot(second, *(group(f"s{n}", rss=second * MB) for n in range(100))))
    assert any("full" in problem.what for problem in history.problems)
    history.flush()  # the file is opened anew, without the limit
    assert history.problems == ()
    assert rows(path, "SELECT count(*) FROM raw_ticks") == [(16,)]
    history.close()


def test_memory_is_bounded_while_nothing_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MAX_PENDING", 40)
    (tmp_path / "file").write_text("")
    path = tmp_path / "file" / "history.sqlite3"
    history = opened(path)
    for second in range(0, 200, 2):
        history.append(snapshot(second, group("one")))
    history.flush()
    (tmp_path / "file").unlink()
    history.flush()
    history.close()
    assert rows(path, "SELECT count(*), min(bucket) FROM raw_ticks") == [(39, START_S + 122)]
    assert rows(path, "SELECT since_s, until_s, kind FROM gaps") == [(START_S, START_S + 122, "pause")]


def test_another_writer_that_holds_the_file_is_waited_for_later(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "BUSY_TIMEOUT_S", 0.01)
    history = opened(path)
    history.append(snapshot(0, group("one")))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        history.flush()
        assert "locked" in history.problems[0].what
        other.execute("COMMIT")
    history.flush()
    assert history.problems == ()
    history.close()
    assert rows(path, "SELECT count(*) FROM raw_ticks") == [(1,)]


def test_deleting_the_history_leaves_nothing_behind(path: Path) -> None:
    history = opened(path)
    history.append(snapshot(0, group("one", title="Refactor settings page")))
    history.flush()
    history.append(snapshot(2, group("one", title="Refactor settings page")))
    history.delete_all()
    assert b"Refactor" not in path.read_bytes()
    history.append(snapshot(4, group("two")))
    history.close()
    assert rows(path, "SELECT key FROM subjects WHERE kind = 'session'") == [("alpha:two",)]


def test_a_history_that_cannot_be_deleted_says_so(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "BUSY_TIMEOUT_S", 0.01)
    history = opened(path)
    history.append(snapshot(0, group("one")))
    history.flush()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        history.delete_all()
        assert "locked" in history.problems[0].what
        other.execute("COMMIT")
    history.delete_all()
    assert history.problems == ()
    history.close()
    assert rows(path, "SELECT count(*) FROM raw_ticks") == [(0,)]


def test_without_a_file_there_is_nothing_to_delete(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    history = opened(tmp_path / "file" / "history.sqlite3")
    history.delete_all()
    assert "cannot be recorded" in history.problems[0].what
    history.close()


def test_a_damaged_file_that_cannot_be_renamed_is_left_as_it_is(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.parent.mkdir()
    path.write_bytes(b"nonsense" * 1000)

    def refuse(self: Path, target: Path) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "rename", refuse)
    history = opened(path)
    history.append(snapshot(0, group("one")))
    history.close()
    assert "Permission denied" in history.problems[0].what
    assert path.read_bytes() == b"nonsense" * 1000


def test_a_file_that_is_locked_at_the_start_is_opened_later(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "BUSY_TIMEOUT_S", 0.01)
    path.parent.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        history = opened(path)
        assert "locked" in history.problems[0].what
        other.execute("ROLLBACK")
    history.append(snapshot(0, group("one")))
    history.close()
    assert history.problems == ()
    assert rows(path, "SELECT count(*) FROM raw_ticks") == [(1,)]


def test_a_history_that_cannot_be_opened_is_told_apart_from_a_damaged_one(path: Path) -> None:
    path.mkdir(parents=True)  # a folder in the place of the file
    with pytest.raises(HistoryError, match="cannot be read now"), reading(path):
        pass
    history = opened(path)
    history.close()
    assert "cannot be recorded" in history.problems[0].what
    assert path.is_dir()


def test_after_closing_nothing_is_taken_in(path: Path) -> None:
    history = opened(path)
    history.close()
    history.append(snapshot(0, group("one")))
    history.add_receipt(receipt(0, MB))
    history.close()
    assert rows(path, "SELECT count(*) FROM raw_ticks") == [(0,)]
