"""Heaps over time: kept in every tier beside what is counted, and never counted themselves."""

from __future__ import annotations

import csv
import random
import sqlite3
import tempfile
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from math import floor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.history.snapshots import MB, START_S, group, heap, receipt, snapshot
from trayapp.history.csv_export import export
from trayapp.history.queries import heap_series, series, sparklines
from trayapp.history.schema import HistoryError
from trayapp.history.store import HistoryStore
from trayapp.model.process import Identity
from trayapp.model.receipt import HeapChange
from trayapp.model.series import GapKind, Layer, Series, SeriesQuery, StackBy, Tier
from trayapp.model.snapshot import HeapUse, Snapshot

DAY_S = 86_400


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "history.sqlite3"


def stored(path: Path, *snapshots: Snapshot) -> Path:
    history = HistoryStore(path, now_epoch_s=lambda: 4e9)
    for taken in snapshots:
        history.append(taken)
    history.close()
    assert history.problems == ()
    return path


def asked(path: Path, length_s: float, *, since_s: float = 0, columns: int = 600) -> Series:
    return heap_series(
        path,
        SeriesQuery(since_epoch_s=START_S + since_s, until_epoch_s=START_S + length_s, columns=columns),
    )


def rows(path: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


def by_key(answer: Series) -> dict[str, Layer]:
    return {layer.key: layer for layer in answer.layers}


def known(layer: Layer) -> list[float]:
    return [value for value in layer.memory_bytes if value is not None]


# ------------------------------------------------------------------------------------------------- what is answered


def test_a_heap_has_its_line_its_limit_and_the_resident_size_of_its_process(path: Path) -> None:
    stored(path, *(snapshot(s, heaps=(heap((300 + s) * MB, rss=(700 + s) * MB),)) for s in range(0, 10, 2)))
    answer = asked(path, 9, columns=10)
    used, limit, rss = answer.layers
    assert [used.key, limit.key, rss.key] == ["heap:41:7", "limit:41:7", "rss:41:7"]
    assert [used.title, limit.title, rss.title] == ["Heap of Alpha", "Limit of Alpha", "RSS of Alpha"]
    assert {layer.host for layer in answer.layers} == {"alpha"}
    assert used.memory_bytes == (*(n * MB for n in (300, 300, 302, 302, 304, 304, 306, 306, 308)), None)
    assert rss.memory_bytes == (*(n * MB for n in (700, 700, 702, 702, 704, 704, 706, 706, 708)), None)
    assert limit.memory_bytes == (*[1024.0 * MB] * 9, None)
    assert set(used.cpu_percent) == {None}
    assert answer.memory_metric == "heap"
    assert answer.total is None


def test_a_column_has_the_peak_the_floor_and_the_mean_of_the_saw(path: Path) -> None:
    saw = [500, 600, 400, 300, 700]
    stored(path, *(snapshot(2 * n, heaps=(heap(size * MB, rss=None),)) for n, size in enumerate(saw)))
    used, _, rss = asked(path, 9, columns=2).layers
    assert max(known(used)) == 700 * MB
    assert min(size for size in used.memory_min_bytes if size is not None) == 300 * MB
    assert used.memory_mean_bytes[0] == pytest.approx(500 * MB)
    assert set(rss.memory_bytes) == {None}


def test_the_heap_that_came_nearest_to_its_limit_is_first_and_one_without_a_limit_last(path: Path) -> None:
    roomy = heap(900 * MB, limit=4096 * MB, pid=50)
    tight = heap(200 * MB, limit=256 * MB, pid=60, host="beta")
    free = heap(9000 * MB, limit=None, pid=70, host="gamma", rss=9900 * MB)
    stored(path, snapshot(0, heaps=(free, roomy, tight)), snapshot(2, heaps=(free, roomy, tight)))
    layers = by_key(asked(path, 1))
    assert [key for key in layers if key.startswith("heap")] == ["heap:60:7", "heap:50:7", "heap:70:7"]
    assert set(layers["limit:70:7"].memory_bytes) == {None}
    assert layers["rss:70:7"].title == "RSS of gamma"


def test_a_host_that_came_up_again_has_lines_of_its_own_and_none_where_it_was_not(path: Path) -> None:
    before, after = heap(900 * MB, pid=50), heap(100 * MB, pid=51)
    stored(path, *(snapshot(s, group("one"), heaps=(before if s < 6 else after,)) for s in range(0, 12, 2)))
    layers = by_key(asked(path, 11, columns=12))
    assert layers["heap:50:7"].memory_bytes == (*[900.0 * MB] * 6, *[None] * 6)
    assert layers["limit:50:7"].memory_bytes == (*[1024.0 * MB] * 6, *[None] * 6)
    assert layers["heap:51:7"].memory_bytes == (*[None] * 6, *[100.0 * MB] * 5, None)


def test_a_heap_that_was_gone_before_the_range_is_not_in_it(path: Path) -> None:
    stored(path, *(snapshot(s, heaps=(heap(MB),) if s < 600 else ()) for s in range(0, 4000, 20)))
    assert asked(path, 4000, since_s=1000).layers == ()
    assert len(asked(path, 4000, since_s=500).layers) == 3


def test_a_gap_is_a_gap(path: Path) -> None:
    stored(
        path,
        snapshot(0, heaps=(heap(300 * MB),)),
        snapshot(2702, heaps=(heap(300 * MB),), gap=True, slept_s=2700),
        snapshot(2704, heaps=(heap(300 * MB),), slept_s=2700),
    )
    answer = asked(path, 2704, columns=100)
    assert answer.layers[0].memory_bytes[0] == 300 * MB
    assert set(answer.layers[0].memory_bytes[1:-2]) == {None}
    assert [gap.kind for gap in answer.gaps] == [GapKind.SLEEP]


def test_a_limit_that_changes_is_a_step_and_one_that_is_lifted_ends(path: Path) -> None:
    limits = [512 * MB] * 5 + [768 * MB] * 5 + [None] * 5 + [512 * MB] * 5
    stored(path, *(snapshot(2 * n, heaps=(heap(MB, limit=limit),)) for n, limit in enumerate(limits)))
    limit = asked(path, 39, columns=40).layers[1].memory_bytes
    assert limit[:-1] == (*[512.0 * MB] * 10, *[768.0 * MB] * 10, *[None] * 10, *[512.0 * MB] * 9)
    assert rows(path, "SELECT since_s, size FROM limits") == [
        (START_S, 512 * 1024),
        (START_S + 10, 768 * 1024),
        (START_S + 20, None),
        (START_S + 30, 512 * 1024),
    ]


def test_a_limit_is_written_once_however_often_the_program_is_started(path: Path) -> None:
    for start in range(3):
        stored(path, *(snapshot(100 * start + s, heaps=(heap(MB), heap(MB, limit=None, pid=9))) for s in range(40)))
    assert rows(path, "SELECT count(*) FROM limits") == [(1,)]


def test_a_limit_is_known_again_after_the_history_was_deleted_by_a_command(path: Path) -> None:
    history = HistoryStore(path, now_epoch_s=lambda: START_S)
    history.append(snapshot(0, heaps=(heap(MB),)))
    history.flush()
    command = HistoryStore(path, now_epoch_s=lambda: START_S)
    command.delete_all()
    command.close()
    assert asked(path, 10).layers == ()
    history.append(snapshot(2, heaps=(heap(MB),)))
    history.close()
    assert set(known(asked(path, 3, columns=4).layers[1])) == {1024.0 * MB}


def test_where_the_resident_size_was_not_known_it_has_no_value(path: Path) -> None:
    stored(path, *(snapshot(s, heaps=(heap(800 * MB, rss=None if s < 4 else 700 * MB),)) for s in range(0, 8, 2)))
    used, _, rss = asked(path, 7, columns=8).layers
    assert used.memory_bytes[:7] == (800.0 * MB,) * 7
    assert rss.memory_bytes == (*[None] * 4, *[700.0 * MB] * 3, None)


def test_what_came_back_inside_of_a_heap_is_marked_there_and_nowhere_else(path: Path) -> None:
    released = receipt(5, 0, receipt_id="heap")
    target = replace(released.outcomes[0].target, heap_of=Identity(41, 7))
    change = HeapChange(
        host="alpha",
        identity=Identity(41, 7),
        before_bytes=900 * MB,
        after_bytes=300 * MB,
        limit_bytes=None,
        expected_bytes=500 * MB,
        awaited_s=4.0,
        collected=True,
    )
    history = HistoryStore(path, now_epoch_s=lambda: START_S)
    history.append(snapshot(0, heaps=(heap(MB),)))
    history.add_receipt(replace(released, outcomes=(replace(released.outcomes[0], target=target),), heaps=(change,)))
    history.add_receipt(receipt(7, 3 * MB, receipt_id="process"))
    history.add_receipt(receipt(9, 0, receipt_id="nothing"))
    history.close()
    (mark,) = asked(path, 10).marks
    assert (mark.receipt_id, mark.came_back_bytes, mark.groups) == ("heap", 600 * MB, ("alpha:one",))
    assert mark.title == "Refactor settings page"
    query = SeriesQuery(since_epoch_s=START_S, until_epoch_s=START_S + 10)
    assert [mark.receipt_id for mark in series(path, query).marks] == ["process"]
    assert rows(path, "SELECT count(*) FROM marks") == [(2,)]


def test_one_heap_that_is_told_of_twice_is_one(path: Path) -> None:
    stored(path, snapshot(0, heaps=(heap(300 * MB), heap(400 * MB))), snapshot(2, heaps=(heap(300 * MB),)))
    assert set(known(asked(path, 1).layers[0])) == {300.0 * MB}


def test_without_a_history_without_heaps_and_with_a_damaged_one(path: Path) -> None:
    assert asked(path, 10).layers == ()
    assert len(asked(path, 10, columns=5).times_epoch_s) == 5
    stored(path, snapshot(0, group("one")), snapshot(2, group("one")))
    assert asked(path, 10).layers == ()
    HistoryStore(path, now_epoch_s=lambda: START_S).delete_all()
    assert asked(path, 10).layers == ()
    path.write_bytes(b"nonsense" * 1000)
    with pytest.raises(HistoryError, match="cannot be read"):
        asked(path, 10)


# --------------------------------------------------------------------------------------------------- never counted


def test_nothing_else_knows_of_heaps(tmp_path: Path) -> None:
    def lived(*heaps: HeapUse) -> Iterable[Snapshot]:
        return (
            snapshot(s, group("one", footprint=(50 + s % 7) * MB), group("two", host="beta"), heaps=heaps)
            for s in range(0, 4000, 20)
        )

    plain = stored(tmp_path / "plain.sqlite3", *lived())
    full = stored(tmp_path / "full.sqlite3", *lived(heap(900 * MB), heap(9 * MB, host="gamma", pid=42)))
    assert asked(full, 4000).layers != ()
    for more in ({}, {"stack_by": StackBy.SESSION}, {"stack_by": StackBy.STATE}, {"session": "one"}):
        for length_s in (4000, 40 * DAY_S):
            query = SeriesQuery(since_epoch_s=START_S, until_epoch_s=START_S + length_s, **more)
            assert series(full, query) == series(plain, query)
    now_s = START_S + 4000.0
    assert sparklines(full, now_epoch_s=now_s, columns=40) == sparklines(plain, now_epoch_s=now_s, columns=40)
    for session in ("heap:alpha:41:7", "heap:41:7"):
        query = SeriesQuery(since_epoch_s=START_S, until_epoch_s=now_s, session=session)
        assert series(full, query).layers == ()
    for tier in (Tier.RAW, Tier.MINUTE, Tier.QUARTER):
        assert as_csv(full, tier) == as_csv(plain, tier)
        assert len(as_csv(full, tier)) > 10
    assert as_csv(full, Tier.MINUTE, session="heap:alpha:41:7") == []


def as_csv(path: Path, tier: Tier, session: str | None = None) -> list[dict[str, str]]:
    out = path.with_suffix(".csv")
    export(
        path,
        out,
        since_epoch_s=START_S,
        until_epoch_s=START_S + DAY_S,
        session=session,
        tier=tier,
        progress=lambda done, total: None,
        cancelled=lambda: False,
    )
    with out.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


# -------------------------------------------------------------------------------------------------------- tiers


@pytest.mark.parametrize(
    ("every_s", "length_s", "width_s"),
    [(2, 600, 1), (20, 5 * 3600 + 130, 60), (400, 12 * DAY_S + 4000, 900), (5000, 70 * DAY_S + 9000, 21_600)],
    ids=["raw", "minute", "quarter, most of it packed", "six hours"],
)
def test_every_tier_has_the_peaks_floors_and_means_that_were_told(
    path: Path, every_s: int, length_s: int, width_s: int
) -> None:
    chance = random.Random(length_s)
    taken = [
        snapshot(
            at,
            group("one"),
            heaps=(
                *([heap(chance.randrange(900) * MB, rss=chance.randrange(900, 2000) * MB)] if at % 7000 else []),
                *([heap(chance.randrange(900) * MB, pid=42, host="beta")] if at * 3 // length_s == 1 else []),
            ),
            interval_s=float(every_s),
        )
        for at in range(0, length_s, every_s)
    ]
    stored(path, *taken)
    answer = asked(path, length_s)
    assert answer.column_s >= width_s
    layers = by_key(answer)
    columns: dict[int, list[Snapshot]] = {}
    for look in taken:
        bucket_s = int(look.taken_at.timestamp()) // width_s * width_s
        column = floor(bucket_s / answer.column_s) - floor(START_S / answer.column_s)
        columns.setdefault(max(0, column), []).append(look)
    # of the open bucket the finer tiers tell, so it may lie in two columns
    for column in sorted(columns)[-2:]:
        del columns[column]
    assert len(columns) > 3
    for column, looks in columns.items():
        for pid in (41, 42):
            told = [one for look in looks for one in look.heaps if one.identity.pid == pid]
            for name, sizes in (
                ("heap", [one.used_bytes for one in told]),
                ("rss", [one.rss_bytes or 0 for one in told]),
            ):
                layer = layers[f"{name}:{pid}:7"]
                assert layer.memory_bytes[column] == max(sizes, default=None)
                assert layer.memory_min_bytes[column] == min(sizes, default=None)
                mean = layer.memory_mean_bytes[column]
                assert mean == (pytest.approx(sum(sizes) / len(sizes)) if sizes else None)
            assert layers[f"limit:{pid}:7"].memory_bytes[column] == (1024 * MB if told else None)


def test_the_newest_look_is_in_the_answer_of_every_range(path: Path) -> None:
    stored(path, *(snapshot(s, heaps=(heap((100 if s < 9990 else 999) * MB),)) for s in range(0, 10_000, 10)))
    for since_s in (9000, 0, -6 * DAY_S, -30 * DAY_S, -300 * DAY_S):
        used = asked(path, 9_990, since_s=since_s).layers[0]
        assert max(known(used)) == 999 * MB


sizes = st.integers(0, 900).map(lambda kib: kib * 1024)
heaps = st.builds(
    heap,
    sizes,
    limit=st.none() | st.sampled_from([MB, 2 * MB]),
    rss=st.none() | sizes,
    pid=st.sampled_from([41, 42, 43]),
)
told = st.tuples(
    st.sampled_from([1, 2, 2, 2, 7, 61, 400]),
    st.lists(heaps, max_size=3, unique_by=lambda one: one.identity).map(tuple),
    st.booleans(),
)


@settings(max_examples=80, deadline=None)
@given(st.lists(told, min_size=2, max_size=40))
def test_whatever_was_told_no_peak_is_lost_and_none_is_made_up(
    life: list[tuple[int, tuple[HeapUse, ...], bool]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        history = HistoryStore(Path(folder) / "history.sqlite3", now_epoch_s=lambda: START_S)
        at_s = 0
        for step_s, those, flush in life:
            at_s += step_s
            history.append(snapshot(at_s, heaps=those, interval_s=float(step_s)))
            if flush:
                history.flush()
        history.close()
        # the first is read from samples, the other from minutes and what came after them
        for length_s in (7_000, 100_000):
            layers = by_key(asked(Path(folder) / "history.sqlite3", length_s))
            for pid in (41, 42, 43):
                seen = [one for _, those, _ in life for one in those if one.identity.pid == pid]
                if not seen:
                    assert f"heap:{pid}:7" not in layers
                    continue
                used, limit, rss = (layers[f"{name}:{pid}:7"] for name in ("heap", "limit", "rss"))
                assert max(known(used)) == max(one.used_bytes for one in seen)
                assert set(known(limit)) <= {one.limit_bytes for one in seen}
                if any(one.limit_bytes for one in seen):
                    assert max(known(limit)) == max(one.limit_bytes for one in seen if one.limit_bytes)
                resident = [one.rss_bytes for one in seen if one.rss_bytes is not None]
                assert set(known(rss)) <= set(resident)
                if len(resident) == len(seen) and resident:
                    assert max(known(rss)) == max(resident)


# ------------------------------------------------------------------------------------------------------ how it ends


def test_a_heap_that_is_gone_ends_and_is_deleted_with_its_limit_when_it_is_too_old(path: Path) -> None:
    now_s = START_S + 0.0
    history = HistoryStore(path, now_epoch_s=lambda: now_s, keep_days=1)
    for second in range(0, 3600, 60):
        history.append(snapshot(second, heaps=(heap(MB), *([heap(MB, pid=42)] if second < 1800 else []))))
    history.flush()
    assert rows(path, "SELECT key, ended_s FROM subjects WHERE kind = 'heap' ORDER BY key") == [
        ("heap:alpha:41:7", None),
        ("heap:alpha:42:7", START_S + 1740),
    ]
    assert rows(path, "SELECT count(*) FROM limits") == [(2,)]
    assert rows(path, "SELECT count(*) FROM lives") == [(0,)]
    for day in (1, 2, 3):
        now_s = START_S + float(day * DAY_S)
        history.append(snapshot(day * DAY_S, heaps=(heap(MB, pid=43),)))
        history.flush()
    history.close()
    assert rows(path, "SELECT key FROM subjects WHERE kind = 'heap'") == [("heap:alpha:43:7",)]
    assert rows(path, "SELECT count(*) FROM limits") == [(1,)]
