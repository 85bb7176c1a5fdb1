"""Every tier says what the single samples say, whatever comes between: breaks, restarts, jumps of the clock."""

from __future__ import annotations

import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.history.snapshots import START_S, group, heap, snapshot
from tests.history.stored import asking
from trayapp.history import packing, store
from trayapp.history.packing import pack, pack_oldest, packed, unpack
from trayapp.history.rollup import COLUMNS, ID_BITS, ID_MASK, LEVELS, QUARTER, RAW, SIX_HOURS, Level
from trayapp.history.schema import STATE_CODES
from trayapp.history.store import HistoryStore
from trayapp.model.session import State
from trayapp.model.snapshot import Group, GroupKind, HeapUse

DAY_S = 86_400

KEPT = tuple(replace(level, keep_s=None) for level in LEVELS)
"""The tiers as they are, with nothing of them deleted in these tests: the raw rows are what all is compared with."""


@dataclass(frozen=True, slots=True)
class Step:
    """What happens next: the wall clock moves, then this is measured; `restart` the program first, or `flush` after."""

    wall_s: int
    groups: tuple[Group, ...]
    restart: bool
    flush: bool
    heaps: tuple[HeapUse, ...] = ()


PAGE = 4096

groups = st.builds(
    group,
    st.sampled_from(["one", "two", "three"]),
    host=st.sampled_from(["alpha", "beta", None]),
    kind=st.sampled_from([GroupKind.SESSION, GroupKind.SESSION, GroupKind.ORPHAN_WORK]),
    rss=st.integers(0, 50).map(lambda pages: pages * PAGE) | st.integers(0, 2**40),
    footprint=st.none() | st.integers(0, 50).map(lambda pages: pages * PAGE) | st.integers(0, 2**40),
    cpu=st.none() | st.just(0.0) | st.floats(0, 6400),
    cpu_s=st.none() | st.floats(0, 1e7),
    state=st.none() | st.sampled_from(State),
    processes=st.integers(0, 4),
)

heaps = st.builds(
    heap,
    st.integers(0, 2**36),
    limit=st.none() | st.sampled_from([2**32, 2**33]),
    rss=st.none() | st.integers(0, 2**36),
    host=st.sampled_from(["alpha", "beta"]),
    pid=st.sampled_from([41, 42]),
)

steps = st.builds(
    Step,
    st.sampled_from([1, 2, 2, 2, 2, 7, 30, 61, 400, 3_600, 25_000, 0, -1, -90, -7_200]),
    st.lists(groups, max_size=3, unique_by=lambda g: g.key).map(tuple),
    st.sampled_from([False] * 9 + [True]),
    st.sampled_from([False] * 5 + [True]),
    st.just(()) | st.lists(heaps, max_size=2).map(tuple),
)

lives = st.lists(steps, min_size=1, max_size=60)


@contextmanager
def lived(life: list[Step]) -> Iterator[sqlite3.Connection]:
    """Record a life into a new file and open it."""
    with tempfile.TemporaryDirectory() as folder, patch.object(store, "LEVELS", KEPT):
        path = Path(folder) / "history.sqlite"
        history = HistoryStore(path, now_epoch_s=lambda: START_S)
        wall_s = monotonic_s = 0
        interval_s: float | None = None
        for step in life:
            if step.restart:
                history.close()
                history = HistoryStore(path, now_epoch_s=lambda: START_S)
                interval_s = None
            wall_s += step.wall_s
            monotonic_s += max(1, step.wall_s)
            slept_s = wall_s - monotonic_s
            taken = snapshot(wall_s, *step.groups, heaps=step.heaps, interval_s=interval_s, slept_s=slept_s)
            history.append(taken)
            interval_s = 2.0 + len(step.groups) / 8
            if step.flush:
                history.flush()
        history.close()
        assert history.problems == ()
        with asking(path) as connection:
            yield connection


@dataclass(frozen=True, slots=True)
class Sample:
    """One sample of one subject, as it was taken."""

    at_s: int
    id: int
    rss: int
    held: int
    unknown: int
    cpu_used: int | None
    cpu_total: int | None
    processes: int
    state: int | None


def samples(connection: sqlite3.Connection) -> list[Sample]:
    """Take the spans apart into single samples, in order of time."""
    found = connection.execute(
        f"""
        SELECT t.bucket, r.k & {ID_MASK}, rss, rss + held, unknown, cpu_used, cpu_total, processes, state
        FROM raw r JOIN raw_ticks t ON t.bucket BETWEEN r.k >> {ID_BITS} AND (r.k >> {ID_BITS}) + r.lasts ORDER BY 1, 2
        """
    ).fetchall()
    (counted,) = connection.execute("SELECT coalesce(sum(1 + more), 0) FROM raw").fetchone()
    assert counted == len(found)
    return [Sample(*row) for row in found]


def known(figures: list[int | None]) -> int | None:
    there = [figure for figure in figures if figure is not None]
    return sum(there) if there else None


def plainly(level: Level, taken: list[Sample], ticks: list[tuple[int, int | None, int]]) -> dict[int, dict[str, Any]]:
    """Compute the closed buckets of a tier from single samples; absolute figures by key."""
    newest_s = ticks[-1][0]
    times: dict[int, list[int]] = defaultdict(list)
    for at_s, _, _ in ticks:
        times[at_s // level.width_s].append(at_s)
    rows: dict[tuple[int, int], list[Sample]] = defaultdict(list)
    for sample in taken:
        rows[sample.at_s // level.width_s, sample.id].append(sample)
    expected = {}
    for (bucket, subject), own in rows.items():
        if bucket == newest_s // level.width_s:
            continue
        last = own[-1] if own[-1].at_s == times[bucket][-1] else None
        expected[bucket << ID_BITS | subject] = {
            "rss": last.rss if last else 0,
            "rss_min": min(s.rss for s in own),
            "rss_max": max(s.rss for s in own),
            "rss_sum": sum(s.rss for s in own),
            "held": last.held if last else 0,
            "held_min": min(s.held for s in own),
            "held_max": max(s.held for s in own),
            "held_sum": sum(s.held for s in own),
            "unknown": sum(s.unknown for s in own),
            "cpu_used": known([s.cpu_used for s in own]),
            "blind": sum(s.cpu_used is None for s in own),
            "cpu_total": last.cpu_total if last else None,
            "processes": last.processes if last else 0,
            "processes_max": max(s.processes for s in own),
            "state": own[-1].state,
            "absent": len(times[bucket]) - len(own),
        }
    return expected


def stored(connection: sqlite3.Connection, level: Level) -> dict[int, dict[str, Any]]:
    """Return the rows of a tier as absolute figures by key."""
    found = {}
    for values in connection.execute(
        f"SELECT t.samples, r.* FROM {level.table} r JOIN {level.ticks} t ON t.bucket = r.k >> {ID_BITS}"
    ):
        row: dict[str, Any] = dict(zip(COLUMNS, values[1:], strict=True))
        own = values[0] - row["absent"]
        row["rss_min"] += row["rss"]
        row["rss_max"] += row["rss"]
        row["rss_sum"] = row.pop("rss_over") + row["rss"] * own
        row["held"] += row["rss"]
        row["held_min"] += row["held"]
        row["held_max"] += row["held"]
        row["held_sum"] = row.pop("held_over") + row["held"] * own
        row["processes_max"] += row["processes"]
        found[row.pop("k")] = row
    return found


@settings(max_examples=150, deadline=None)
@given(lives)
@example([Step(30, (group("one"),), False, False), *[Step(2, (group("one"),), False, n == 9) for n in range(40)]])
@example([Step(7_000, (group("one"),), n % 3 == 2, n % 2 == 1) for n in range(12)])
def test_every_tier_says_what_the_samples_say(life: list[Step]) -> None:
    with lived(life) as connection:
        taken = samples(connection)
        ticks = connection.execute("SELECT bucket, measured_ms, gap FROM raw_ticks ORDER BY 1").fetchall()
        for level in LEVELS[1:]:
            assert stored(connection, level) == plainly(level, taken, ticks)
            buckets: dict[int, list[tuple[int, int | None, int]]] = defaultdict(list)
            for tick in ticks:
                buckets[tick[0] // level.width_s].append(tick)
            buckets.pop(ticks[-1][0] // level.width_s)
            assert connection.execute(
                f"SELECT bucket, last_s, samples, measured_ms, gap FROM {level.ticks} ORDER BY 1"
            ).fetchall() == [
                (bucket, of[-1][0], len(of), known([ms for _, ms, _ in of]), max(gap for *_, gap in of))
                for bucket, of in sorted(buckets.items())
            ]


NO_PARTS = ("host", "total", "heap")


@settings(max_examples=100, deadline=None)
@given(lives)
def test_hosts_and_total_are_the_sums_of_their_parts_in_every_row(life: list[Step]) -> None:
    with lived(life) as connection:
        who = {number: (kind, host) for number, kind, host in connection.execute("SELECT id, kind, host FROM subjects")}
        for level in LEVELS:
            rows: list[tuple[int, int, dict[str, Any]]]
            names: tuple[str, ...]
            if level is RAW:
                names = ("rss", "held", "cpu_used", "cpu_total", "processes")
                rows = [(s.at_s, s.id, {name: getattr(s, name) for name in names}) for s in samples(connection)]
            else:
                names = ("rss", "rss_sum", "held", "held_sum", "cpu_used", "cpu_total", "processes")
                rows = [(k >> ID_BITS, k & ID_MASK, row) for k, row in stored(connection, level).items()]
            at_once: dict[int, list[tuple[int, dict[str, Any]]]] = defaultdict(list)
            for bucket, number, row in rows:
                at_once[bucket].append((number, row))
            for there in at_once.values():
                parts = [(who[number][1], row) for number, row in there if who[number][0] not in NO_PARTS]
                assert sum(who[number][0] == "total" for number, _ in there) == 1
                for number, row in there:
                    kind, host = who[number]
                    if kind not in ("host", "total"):
                        continue
                    of = [part for part_host, part in parts if kind == "total" or part_host == host]
                    for name in names:
                        expected = known([part[name] for part in of])
                        assert row[name] == (0 if expected is None and not name.startswith("cpu") else expected)


@settings(max_examples=60, deadline=None)
@given(lives)
def test_cpu_adds_up_over_all_tiers(life: list[Step]) -> None:
    """What the finer tier used until a coarse bucket's end is what the coarse one says, to the millisecond."""
    with lived(life) as connection:
        for level in LEVELS[1:]:
            (until,) = connection.execute(f"SELECT max(bucket) + 1 FROM {level.ticks}").fetchone()
            if until is None:
                continue
            used = f"SELECT coalesce(sum(cpu_used), 0) FROM {level.table}"
            single = "SELECT coalesce(sum(cpu_used * (1 + more)), 0) FROM raw WHERE k < ?"
            (expected,) = connection.execute(single, (until * level.width_s << ID_BITS,)).fetchone()
            assert connection.execute(used).fetchone() == (expected,)


RESTING = (
    group("one", cpu=0.0),
    group("two", host="beta", cpu=0.0, footprint=None),
    group("three", cpu=0.0, state=State.BUSY),
    group("three", cpu=None),
    group("three", cpu=50.0, title="Three"),
    group("one", cpu=0.0, rss=7 * 1024**2),
)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.builds(
            Step,
            st.sampled_from([2, 2, 2, 2, 61, 400]),
            st.lists(st.sampled_from(RESTING), max_size=3, unique_by=lambda one: one.key).map(tuple),
            st.sampled_from([False] * 9 + [True]),
            st.booleans(),
        ),
        min_size=1,
        max_size=40,
    )
)
@example([Step(2, RESTING[:there], False, False) for there in (1, 1, 1, 0, 1, 1, 2, 1)])
def test_a_group_that_is_handed_on_as_it_was_is_stored_as_one_that_is_made_anew(life: list[Step]) -> None:
    made_anew = [replace(step, groups=tuple(replace(one) for one in step.groups)) for step in life]
    everything = f"SELECT g.key, g.kind, r.* FROM raw r JOIN subjects g ON g.id = r.k & {ID_MASK} ORDER BY r.k"
    with lived(life) as connection, lived(made_anew) as anew:
        assert connection.execute(everything).fetchall() == anew.execute(everything).fetchall()


def test_the_states_have_room_beside_the_time_in_one_figure() -> None:
    assert all(0 < code < 8 for code in STATE_CODES.values())  # the roll-up takes the last state with `& 7`


# ------------------------------------------------------------------------------------------------------------- packs

figure = st.integers(-(2**40), 2**40)
small = st.integers(0, 50)
row = st.tuples(
    st.builds(lambda bucket, number: bucket << ID_BITS | number, st.integers(0, 10**7), st.integers(1, ID_MASK)),
    *[figure] * 8,
    small,
    st.none() | st.integers(0, 2**50),
    small,
    st.none() | st.integers(0, 2**50),
    small,
    small,
    st.none() | st.integers(1, 5),
    small,
)


@settings(deadline=None)
@given(st.lists(row, min_size=1, max_size=80))
def test_a_pack_holds_its_rows_to_the_last_bit(rows: list[tuple[int | None, ...]]) -> None:
    found = list(zip(*unpack(pack(rows)), strict=True))
    assert sorted(found, key=repr) == sorted(rows, key=repr)
    peaks = unpack(pack(rows), ["held", "k"])
    assert list(zip(*peaks, strict=True)) == [(values[5], values[0]) for values in found]


def rows_of_size(bits: int) -> st.SearchStrategy[list[tuple[int | None, ...]]]:
    either = st.integers(-(1 << bits) + 1, (1 << bits) - 1)
    plain = st.integers(0, (1 << bits) - 1)
    of_some = st.tuples(
        st.builds(lambda bucket, number: bucket << ID_BITS | number, st.integers(0, 20), st.integers(1, 9)),
        *[either] * 8,
        plain,
        st.none() | plain,
        plain,
        st.none() | plain,
        plain,
        plain,
        st.none() | st.integers(1, 5),
        plain,
    )
    return st.lists(of_some, min_size=1, max_size=60, unique_by=lambda one: one[0])


@settings(deadline=None)
@given(st.integers(0, 40).flatmap(rows_of_size), st.frozensets(st.integers(1, 12), max_size=4))
def test_the_rows_of_some_subjects_are_found_in_a_pack_whatever_the_size_of_their_figures(
    rows: list[tuple[int | None, ...]], only: frozenset[int]
) -> None:
    blob = pack(rows)
    wanted = sorted((one for one in rows if one[0] is not None and one[0] & ID_MASK in only), key=repr)
    assert sorted(zip(*unpack(blob, only=only), strict=True), key=repr) == wanted
    assert sorted(zip(*unpack(blob), strict=True), key=repr) == sorted(rows, key=repr)


def test_old_quarters_are_packed_and_found_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "PACK_AFTER_S", DAY_S)
    monkeypatch.setattr(store, "PACK_AFTER_S", DAY_S)
    paths = [tmp_path / "packed.sqlite", tmp_path / "plain.sqlite"]
    for path in paths:
        history = HistoryStore(path, now_epoch_s=lambda: START_S)
        for second in range(0, 3 * DAY_S, 300):
            history.append(snapshot(second, group("one", rss=second * 1024), group("two"), interval_s=300.0))
        history.close()
        monkeypatch.setattr(store, "PACK_AFTER_S", 9 * DAY_S)
    with closing(sqlite3.connect(paths[0])) as connection, closing(sqlite3.connect(paths[1])) as plain:
        expected = plain.execute("SELECT * FROM quarter ORDER BY k").fetchall()
        (oldest,) = connection.execute(f"SELECT min(k) >> {ID_BITS} FROM quarter").fetchone()
        assert oldest * QUARTER.width_s % SIX_HOURS.width_s == 0
        assert 0 <= oldest * QUARTER.width_s - (START_S + 3 * DAY_S - DAY_S) + SIX_HOURS.width_s <= SIX_HOURS.width_s
        blobs = list(packed(connection, 0, oldest))
        found = sorted(values for blob in blobs for values in zip(*unpack(blob), strict=True))
        assert found + connection.execute("SELECT * FROM quarter ORDER BY k").fetchall() == expected
        first = found[0][0]
        assert first is not None
        assert list(packed(connection, first >> ID_BITS, (first >> ID_BITS) + 1)) == blobs[:1]
        assert list(packed(connection, oldest, oldest + 10)) == []
        assert not pack_oldest(connection, before_s=START_S)


def test_a_pack_goes_when_all_of_it_is_too_old(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    history = HistoryStore(path, now_epoch_s=lambda: START_S + 40 * DAY_S, keep_days=10)
    for second in range(0, 40 * DAY_S, 7_000):
        history.append(snapshot(second, group("one"), interval_s=7_000.0))
    history.close()
    with closing(sqlite3.connect(path)) as connection:
        (oldest,) = connection.execute("SELECT min(bucket) FROM quarter_packs").fetchone()
        assert oldest == (START_S + 30 * DAY_S - 7_000) // SIX_HOURS.width_s
