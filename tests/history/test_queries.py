"""What charts get: few columns, peaks kept, gaps told, layers in their order."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.history.snapshots import MB, START_S, group, receipt, snapshot
from trayapp.history.queries import _buckets, _Wish, series, sparklines
from trayapp.history.rollup import MINUTE
from trayapp.history.schema import HistoryError
from trayapp.history.store import HistoryStore
from trayapp.history.tiers import Section
from trayapp.model.series import GapKind, Layer, SeriesQuery, StackBy
from trayapp.model.session import State
from trayapp.model.snapshot import GroupKind, Snapshot


def stored(path: Path, *snapshots: Snapshot) -> Path:
    history = HistoryStore(path, now_epoch_s=lambda: START_S)
    for taken in snapshots:
        history.append(taken)
    history.close()
    assert history.problems == ()
    return path


def query(
    until: float, *, columns: int = 600, stack_by: StackBy = StackBy.HOST, session: str | None = None, since: float = 0
) -> SeriesQuery:
    return SeriesQuery(
        since_epoch_s=START_S + since,
        until_epoch_s=START_S + until,
        columns=columns,
        stack_by=stack_by,
        session=session,
    )


def known(layer: Layer) -> list[float]:
    return [value for value in layer.memory_bytes if value is not None]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "history.sqlite3"


def test_before_anything_was_recorded_the_answer_is_empty(path: Path) -> None:
    answer = series(path, query(60, columns=10))
    assert (answer.layers, answer.gaps, answer.marks) == ((), (), ())
    assert 0 < len(answer.times_epoch_s) <= 10
    assert sparklines(path, now_epoch_s=START_S, columns=20) == {}


def test_memory_keeps_its_peak_and_cpu_is_a_mean(path: Path) -> None:
    stored(
        path,
        *(
            snapshot(s, group("one", footprint=(900 if s == 50 else 100) * MB, cpu=40.0 if s % 4 else 20.0))
            for s in range(0, 100, 2)
        ),
    )
    answer = series(path, query(98, columns=2))
    (layer,) = answer.layers
    assert max(known(layer)) == 900 * MB
    assert [cpu for cpu in layer.cpu_percent if cpu is not None] == pytest.approx([30.0, 30.0], abs=0.5)


@pytest.mark.parametrize("columns", [1, 2, 7, 100, 600])
def test_there_are_never_more_columns_than_asked_for_and_all_lines_up(path: Path, columns: int) -> None:
    stored(path, *(snapshot(s, group("one"), group("two", host="beta")) for s in range(0, 100, 2)))
    answer = series(path, query(98, columns=columns, since=0.5))
    assert 1 <= len(answer.times_epoch_s) <= columns
    for layer in answer.layers:
        assert len(layer.memory_bytes) == len(layer.cpu_percent) == len(answer.times_epoch_s)
    assert answer.memory_metric == "pss"


def test_columns_do_not_move_when_the_range_moves_by_less_than_one(path: Path) -> None:
    first = series(path, query(10_000, columns=101))
    second = series(path, query(10_037, columns=101, since=37))
    assert set(first.times_epoch_s[1:-1]) <= set(second.times_epoch_s)


def test_layers_come_from_below_shared_hosts_by_rank_orphans(path: Path) -> None:
    stored(
        path,
        snapshot(
            0,
            group("b", host="beta"),
            group("a", host="alpha"),
            group("c", host="newcomer"),
            group("o", kind=GroupKind.ORPHAN_HELPER),
            group("s", host=None, kind=GroupKind.SHARED_HELPER),
            group("i", kind=GroupKind.INFRA),
        ),
    )
    answer = series(path, query(1))
    assert [layer.key for layer in answer.layers] == ["shared", "alpha", "beta", "newcomer", "orphans"]
    assert [layer.title for layer in answer.layers] == ["Shared helpers", "Alpha", "Beta", "newcomer", "Orphans"]
    assert [layer.host for layer in answer.layers] == [None, "alpha", "beta", "newcomer", None]
    assert known(answer.layers[0]) == [80 * MB] * len(known(answer.layers[0]))
    assert known(answer.layers[1]) == [160 * MB] * len(known(answer.layers[1]))  # its session, and its own server


def test_sessions_are_layers_with_their_titles_host_by_host(path: Path) -> None:
    stored(
        path,
        snapshot(0, group("late", host="beta"), group("one", title="Fix flaky upload tests")),
        snapshot(2, group("two"), group("one"), group("o", kind=GroupKind.ORPHAN_WORK)),
    )
    answer = series(path, query(3, stack_by=StackBy.SESSION))
    assert [layer.key for layer in answer.layers] == ["alpha:one", "alpha:two", "beta:late", "orphans"]
    assert [layer.title for layer in answer.layers] == ["Fix flaky upload tests", "two", "late", "Orphans"]


def test_states_are_layers_what_stays_below_what_could_go(path: Path) -> None:
    stored(
        path,
        snapshot(
            0,
            group("1", state=State.IDLE),
            group("2", state=State.BUSY),
            group("3", state=State.WAITING),
            group("4", state=None),
        ),
    )
    answer = series(path, query(1, stack_by=StackBy.STATE))
    assert [layer.key for layer in answer.layers] == ["busy", "waiting", "unknown", "idle"]


def test_rss_stands_in_where_a_footprint_is_missing(path: Path) -> None:
    stored(path, snapshot(0, group("one", rss=100 * MB, footprint=None), group("two", rss=100 * MB, footprint=60 * MB)))
    (layer,) = series(path, query(1)).layers
    assert set(known(layer)) == {160.0 * MB}


def test_a_session_that_is_gone_holds_nothing_and_alone_it_has_no_line_there(path: Path) -> None:
    stored(path, *(snapshot(s, group("one"), *([group("two")] if s < 4 else [])) for s in range(0, 8, 2)))
    one, two = series(path, query(7, columns=8, stack_by=StackBy.SESSION)).layers
    assert two.memory_bytes[-2] == 0.0
    assert one.memory_bytes[-2] == 80 * MB
    for name in ("two", "alpha:two"):
        (alone,) = series(path, query(7, columns=8, session=name)).layers
        assert alone.key == "alpha:two"
        assert alone.memory_bytes[0] == 80 * MB
        assert alone.memory_bytes[-2] is None


def test_cpu_that_could_not_be_read_is_not_zero(path: Path) -> None:
    stored(path, snapshot(0, group("one", cpu=None), interval_s=None))
    (layer,) = series(path, query(1, columns=2)).layers
    assert layer.cpu_percent[0] is None
    assert layer.memory_bytes[0] == 80 * MB


def test_columns_narrower_than_the_beat_hold_the_value_before_them(path: Path) -> None:
    stored(path, *(snapshot(s, group("one", footprint=s * MB), interval_s=10.0) for s in range(10, 60, 10)))
    answer = series(path, query(59, columns=60))
    (layer,) = answer.layers
    assert layer.memory_bytes[:10] == (None,) * 10
    assert layer.memory_bytes[10:20] == (10.0 * MB,) * 10
    assert layer.memory_bytes[-1] is None  # nothing is known after the last measurement


def test_nothing_is_held_across_a_gap(path: Path) -> None:
    stored(
        path,
        snapshot(0, group("one")),
        snapshot(2702, group("one"), gap=True, slept_s=2700),
        snapshot(2704, group("one"), slept_s=2700),
    )
    answer = series(path, query(2704, columns=100))
    (layer,) = answer.layers
    assert layer.memory_bytes[0] == 80 * MB
    assert set(layer.memory_bytes[1:-2]) == {None}
    (gap,) = answer.gaps
    assert (gap.kind, gap.since_epoch_s, gap.until_epoch_s) == (GapKind.SLEEP, START_S, START_S + 2702)


def test_a_time_without_sessions_is_zero_and_not_unknown(path: Path) -> None:
    stored(path, snapshot(0, group("one")), snapshot(2), snapshot(4))
    (layer,) = series(path, query(5, columns=6)).layers
    assert layer.memory_bytes == (80.0 * MB, 80.0 * MB, 0.0, 0.0, 0.0, None)


def test_releases_are_marked(path: Path) -> None:
    history = HistoryStore(path, now_epoch_s=lambda: START_S)
    history.add_receipt(receipt(5, 300 * MB))
    history.close()
    (mark,) = series(path, query(10)).marks
    assert (mark.at_epoch_s, mark.came_back_bytes, mark.receipt_id) == (START_S + 5, 300 * MB, "r1")
    assert mark.title == "Refactor settings page"


def test_a_release_of_several_is_marked_with_all_and_in_one_session_with_its_own_part(path: Path) -> None:
    together = receipt(5, 300 * MB)
    (first,) = together.outcomes
    more = [
        replace(first, target=replace(first.target, group_key=key), came_back_bytes=came_back)
        for key, came_back in (("beta:two", 40 * MB), ("alpha:busy", 0))
    ]
    history = HistoryStore(path, now_epoch_s=lambda: START_S)
    history.append(snapshot(0, group("one", title="One"), group("two", host="beta", title="Two"), group("busy")))
    history.add_receipt(replace(together, outcomes=(first, *more)))
    history.close()
    (mark,) = series(path, query(10)).marks
    assert (mark.title, mark.came_back_bytes) == ("2 targets", 340 * MB)
    assert mark.groups == ("alpha:busy", "alpha:one", "beta:two")
    assert mark.incident_id is None
    for name in ("one", "alpha:one"):
        (mark,) = series(path, query(10, session=name)).marks
        assert (mark.title, mark.came_back_bytes, mark.groups) == ("One", 300 * MB, ("alpha:one",))
    (mark,) = series(path, query(10, session="two")).marks
    assert (mark.came_back_bytes, mark.groups) == (40 * MB, ("beta:two",))
    assert series(path, query(10, session="busy")).marks == ()
    assert series(path, query(4)).marks == ()
    (mark,) = series(path, replace(query(10), branch="host:alpha")).marks
    assert (mark.title, mark.came_back_bytes, mark.groups) == ("2 targets", 300 * MB, ("alpha:busy", "alpha:one"))
    (mark,) = series(path, replace(query(10), branch="host:beta")).marks
    assert (mark.title, mark.came_back_bytes, mark.groups) == ("Two", 40 * MB, ("beta:two",))
    assert series(path, replace(query(10), branch="orphans")).marks == ()


def test_sparklines_are_the_last_hour_of_each_group(path: Path) -> None:
    stored(
        path,
        snapshot(-7200, group("old")),
        *(snapshot(s, group("one", footprint=50 * MB)) for s in range(-1000, 0, 2)),
        snapshot(0, group("one", footprint=70 * MB), group("o", kind=GroupKind.ORPHAN_HELPER)),
    )
    lines = sparklines(path, now_epoch_s=START_S, columns=40)
    assert set(lines) == {"alpha:one", "alpha:o"}
    assert len(lines["alpha:one"]) <= 40
    assert lines["alpha:one"][0] is None
    assert lines["alpha:one"][-1] == 70 * MB
    assert lines["alpha:one"][-2] == 50 * MB
    assert lines["alpha:o"][:-1] == [None] * (len(lines["alpha:o"]) - 1)


def test_a_damaged_history_says_so_and_an_unreadable_one_is_not_empty(path: Path) -> None:
    path.write_bytes(b"nonsense" * 1000)
    with pytest.raises(HistoryError, match="cannot be read"):
        series(path, query(10))
    with pytest.raises(HistoryError):
        sparklines(path, now_epoch_s=START_S, columns=10)


def test_reading_changes_nothing(path: Path) -> None:
    stored(path, snapshot(0, group("one")))
    before = path.read_bytes()
    series(path, query(10))
    assert path.read_bytes() == before


def test_readers_see_whole_batches_while_the_writer_writes(path: Path) -> None:
    history = HistoryStore(path, now_epoch_s=lambda: START_S)
    faults: list[str] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            for layer in series(path, query(4000, columns=4000, stack_by=StackBy.HOST)).layers:
                if not set(known(layer)) <= {20.0 * 80 * MB}:
                    faults.append(f"{layer.key} has {set(known(layer))}")

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    try:
        for number in range(300):
            history.append(snapshot(2 * number, *(group(f"s{n}") for n in range(20))))
            if number % 5 == 0:
                history.flush()
    finally:
        done.set()
        for reader in readers:
            reader.join()
        history.close()
    assert faults == []
    assert history.problems == ()


def test_buckets_are_read_in_the_order_of_the_key_without_sorting(path: Path) -> None:
    stored(path, *(snapshot(s, group("one")) for s in range(0, 200, 2)))
    asked: list[str] = []
    with closing(sqlite3.connect(path)) as connection:
        connection.set_trace_callback(asked.append)
        everything = _Wish(layer_of=lambda subject, state: None)
        list(_buckets(connection, Section(level=MINUTE, first=0, after=1 << 40), everything))
        plan = connection.execute(f"EXPLAIN QUERY PLAN {asked[0]}").fetchall()
    assert not [step for *_, step in plan if "TEMP B-TREE" in step]
