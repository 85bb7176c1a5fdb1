"""What is read out of every tier, packed or open, against a plain computation from what was measured."""

from __future__ import annotations

import csv
import random
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from math import floor
from pathlib import Path

import pytest

from tests.history.snapshots import MB, START_S, group, snapshot
from trayapp.history.csv_export import export, rfc3339, thousandths
from trayapp.history.queries import series, sparklines
from trayapp.history.store import HistoryStore
from trayapp.model.series import SeriesQuery, StackBy, Tier
from trayapp.model.session import State
from trayapp.model.snapshot import Group, GroupKind, Snapshot

DAY_S = 86_400
KIB = 1024


@dataclass(frozen=True)
class Past:
    """Say how a history is filled, and how wide the buckets are that a chart of all of it is read from."""

    every_s: int
    length_s: int
    width_s: int


PASTS = {
    "raw": Past(2, 600, 1),
    "minute": Past(20, 5 * 3600 + 130, 60),
    "quarter, most of it packed": Past(400, 12 * DAY_S + 4000, 900),
    "six hours": Past(5000, 70 * DAY_S + 9000, 21_600),
}


@cache
def measured(name: str) -> tuple[Snapshot, ...]:
    """Make up what was seen: sessions of two hosts that come and go, a helper of one, one that all share, an orphan."""
    past = PASTS[name]
    chance = random.Random(name)
    made = []
    for at in range(0, past.length_s, past.every_s):
        groups = [
            group(
                f"s{number}",
                host="alpha" if number % 2 else "beta",
                rss=(100 * MB + chance.randrange(90 * MB)) // KIB * KIB,
                footprint=(50 * MB + chance.randrange(50 * MB)) // KIB * KIB,
                cpu=chance.choice((0.0, 50.0, 12.5)),
                cpu_s=float(100 * number + at),
                state=chance.choice((State.BUSY, State.IDLE)),
                processes=1 + number,
            )
            for number in range(4)
            if number < 2 or (at * 7 // past.length_s) % 2 == number % 2
        ]
        if at // 3600 % 2:
            groups.append(group("blink", rss=20 * MB, footprint=20 * MB))
        groups.append(group("helper", host=None, kind=GroupKind.SHARED_HELPER, rss=3 * MB, footprint=2 * MB, cpu=0.0))
        groups.append(group("server", host="alpha", kind=GroupKind.INFRA, rss=9 * MB, footprint=8 * MB, cpu=0.0))
        groups.append(group("lost", host="beta", kind=GroupKind.ORPHAN_HELPER, rss=7 * MB, footprint=6 * MB, cpu=0.0))
        made.append(snapshot(at, *groups, interval_s=float(past.every_s)))
    return tuple(made)


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return the file of a past, written once."""

    @cache
    def written(name: str) -> Path:
        path = tmp_path_factory.mktemp("past") / "history.sqlite3"
        store = HistoryStore(path, now_epoch_s=lambda: 4e9, keep_days=365)
        for seen in measured(name):
            store.append(seen)
        store.close()
        assert store.problems == ()
        return path

    return written


def whole_range(name: str, **more: object) -> SeriesQuery:
    until_s = measured(name)[-1].taken_at.timestamp()
    return SeriesQuery(since_epoch_s=START_S, until_epoch_s=until_s, **more)  # type: ignore[arg-type]


def by_column(name: str, column_s: float, first_s: float) -> dict[int, list[Snapshot]]:
    """Sort what was seen into the columns that the buckets of the tier fall into, but for the bucket still open."""
    past = PASTS[name]
    found: dict[int, list[Snapshot]] = defaultdict(list)
    open_s = int(measured(name)[-1].taken_at.timestamp()) // past.width_s * past.width_s
    for seen in measured(name):
        bucket_s = int(seen.taken_at.timestamp()) // past.width_s * past.width_s
        found[max(0, floor(bucket_s / column_s) - floor(first_s / column_s))].append(seen)
    # the open bucket is read from finer tiers, and so may lie in two columns
    del found[max(found)]
    found.pop(floor(open_s / column_s) - floor(first_s / column_s), None)
    return found


def held(groups: Iterable[Group]) -> float:
    return float(sum(one.held_bytes for one in groups))


def of_host(seen: Snapshot, host: str) -> list[Group]:
    """Return its sessions and its own processes."""
    kinds = (GroupKind.SESSION, GroupKind.INFRA)
    return [one for one in seen.groups if one.kind in kinds and one.host == host]


@pytest.mark.parametrize("name", PASTS)
def test_the_peaks_of_the_total_of_hosts_and_of_sessions_are_what_was_measured(
    history: Callable[[str], Path], name: str
) -> None:
    path = history(name)
    answer = series(path, whole_range(name, stack_by=StackBy.HOST))
    looks = by_column(name, answer.column_s, START_S)
    assert answer.total is not None
    hosts = {layer.key: layer for layer in answer.layers}
    assert list(hosts) == ["shared", "alpha", "beta", "orphans"]
    sessions = {layer.key: layer for layer in series(path, whole_range(name, stack_by=StackBy.SESSION)).layers}
    assert len(looks) > 3
    for column, seen in looks.items():
        assert answer.total.memory_bytes[column] == max(held(look.groups) for look in seen)
        assert answer.total.memory_min_bytes[column] == min(held(look.groups) for look in seen)
        mean = sum(held(look.groups) for look in seen) / len(seen)
        assert answer.total.memory_mean_bytes[column] == pytest.approx(mean)
        cpu = sum(one.cpu_percent or 0 for look in seen for one in look.groups) / len(seen)
        assert answer.total.cpu_percent[column] == pytest.approx(cpu, abs=0.1)
        for host in ("alpha", "beta"):
            # what has a layer of its own does not move here, so that the rest is exact
            assert hosts[host].memory_bytes[column] == max(held(of_host(look, host)) for look in seen)
        assert hosts["shared"].memory_bytes[column] == 2 * MB
        assert hosts["orphans"].memory_bytes[column] == 6 * MB
        for layer in sessions.values():
            there = [one for look in seen for one in look.groups if one.key == layer.key]
            if layer.key.startswith(("alpha:s", "beta:s")):
                assert layer.memory_bytes[column] == max((one.held_bytes for one in there), default=0)


@pytest.mark.parametrize("name", PASTS)
def test_one_session_has_its_band_where_it_was_and_nothing_where_it_was_not(
    history: Callable[[str], Path], name: str
) -> None:
    answer = series(history(name), whole_range(name, session="s3"))
    (layer,) = answer.layers
    for column, seen in by_column(name, answer.column_s, START_S).items():
        there = [one.held_bytes for look in seen for one in look.groups if one.key == "alpha:s3"]
        assert layer.memory_bytes[column] == max(there, default=None)
        assert layer.memory_min_bytes[column] == min(there, default=None)
        mean = layer.memory_mean_bytes[column]
        assert mean == (pytest.approx(sum(there) / len(there)) if there else None)


@pytest.mark.parametrize("name", PASTS)
def test_states_hold_at_least_what_was_held_at_any_moment_of_a_column(
    history: Callable[[str], Path], name: str
) -> None:
    answer = series(history(name), whole_range(name, stack_by=StackBy.STATE))
    assert [layer.key for layer in answer.layers] == ["shared", "busy", "idle", "orphans"]
    for column, seen in by_column(name, answer.column_s, START_S).items():
        together = sum(layer.memory_bytes[column] or 0.0 for layer in answer.layers)
        assert together >= max(held(look.groups) for look in seen)


def test_the_newest_look_is_in_every_answer(history: Callable[[str], Path]) -> None:
    for name in PASTS:
        newest = measured(name)[-1]
        answer = series(history(name), whole_range(name))
        assert answer.total is not None
        assert (answer.total.memory_bytes[-1] or 0.0) >= held(newest.groups)
        lines = sparklines(history(name), now_epoch_s=newest.taken_at.timestamp(), columns=40)
        assert {key for key, line in lines.items() if line[-1] is not None} >= {one.key for one in newest.groups[:2]}


def test_a_range_that_the_finer_tiers_have_lost_is_read_from_a_coarser_one(history: Callable[[str], Path]) -> None:
    path = history("six hours")
    answer = series(path, SeriesQuery(since_epoch_s=START_S + DAY_S, until_epoch_s=START_S + DAY_S + 7200))
    assert answer.column_s == 900
    assert answer.total is not None
    assert any(answer.total.memory_bytes)


def test_sessions_beyond_the_most_share_a_layer(
    history: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trayapp.history.queries.MOST_SESSIONS", 2)
    layers = series(history("minute"), whole_range("minute", stack_by=StackBy.SESSION)).layers
    assert [layer.key for layer in layers][-2:] == ["more", "orphans"]
    assert len(layers) == 5


# ------------------------------------------------------------------------------------------------------------ the CSV

Rows = list[dict[str, str]]


def exported(path: Path, tier: Tier, *, since: float = 0, until: float = 1e9, session: str | None = None) -> Rows:
    out = path.with_suffix(".csv")
    told: list[tuple[int, int]] = []
    count = export(
        path,
        out,
        since_epoch_s=START_S + since,
        until_epoch_s=START_S + until,
        session=session,
        tier=tier,
        progress=lambda done, total: told.append((done, total)),
        cancelled=lambda: False,
    )
    with out.open(encoding="utf-8", newline="") as file:
        read = list(csv.DictReader(file, strict=True))
    assert len(read) == count
    assert told[-1][0] == told[-1][1] >= count
    return read


TIERS = [("minute", Tier.MINUTE, 60), ("minute", Tier.QUARTER, 900), ("quarter, most of it packed", Tier.QUARTER, 900)]


@pytest.mark.parametrize(("name", "tier", "width_s"), TIERS)
def test_rows_of_a_tier_are_means_sums_and_last_figures_of_their_bucket(
    history: Callable[[str], Path], name: str, tier: Tier, width_s: int
) -> None:
    buckets: dict[str, list[Snapshot]] = defaultdict(list)
    for seen in measured(name):
        start_s = int(seen.taken_at.timestamp()) // width_s * width_s
        buckets[seen.taken_at.fromtimestamp(start_s, seen.taken_at.tzinfo).strftime("%Y-%m-%dT%H:%M:%SZ")].append(seen)
    rows = exported(history(name), tier)
    assert [*dict.fromkeys(row["time_utc"] for row in rows)] == list(buckets)
    for row in rows:
        if row["kind"] != "session":
            continue
        looks = buckets[row["time_utc"]]
        there = [one for look in looks for one in look.groups if one.key == f"{row['host']}:{row['session_id']}"]
        at_end = [one for one in looks[-1].groups if one.key == f"{row['host']}:{row['session_id']}"]
        assert int(row["rss_bytes"]) == sum(one.rss_bytes for one in there) // len(looks)
        assert int(row["footprint_bytes"]) == sum(one.footprint_bytes or 0 for one in there) // len(looks)
        assert row["state"] == (there[-1].verdict.state.value if there[-1].verdict else "")
        assert int(row["processes"]) == (len(at_end[0].members) if at_end else 0)
        assert row["cpu_seconds_total"] == (thousandths(round(1000 * (at_end[0].cpu_s_total or 0))) if at_end else "")
        measured_s = sum(look.interval_s or 0 for look in looks)
        assert float(row["interval_s"]) == measured_s
        used_s = sum((one.cpu_percent or 0) / 100 * PASTS[name].every_s for one in there)
        assert float(row["cpu_percent"]) == pytest.approx(100 * used_s / measured_s, abs=0.002)


@pytest.mark.parametrize("name", PASTS)
@pytest.mark.parametrize("tier", list(Tier))
def test_in_every_tier_totals_and_hosts_are_the_sums_of_the_rows(
    history: Callable[[str], Path], name: str, tier: Tier
) -> None:
    by_time: dict[str, Rows] = defaultdict(list)
    for row in exported(history(name), tier):
        by_time[row["time_utc"]].append(row)
    assert by_time
    for rows in by_time.values():
        parts = [row for row in rows if row["kind"] not in ("total", "host")]
        assert [row["kind"] for row in rows[:3]] == ["total", "host", "host"]
        for summed in rows[:3]:
            of = [part for part in parts if summed["kind"] == "total" or part["host"] == summed["host"]]
            for column in ("processes", "rss_bytes", "footprint_bytes"):
                assert int(summed[column]) == sum(int(part[column]) for part in of)
            for column in ("cpu_percent", "cpu_seconds_total"):
                added = sum(round(1000 * float(part[column] or 0)) for part in of)
                assert summed[column] == thousandths(added)


@pytest.mark.parametrize(
    ("name", "since", "step_s"),
    [
        ("raw", 0, 2),
        ("minute", 0, 60),
        ("minute", 5 * 3600 - 3000, 20),
        ("quarter, most of it packed", 0, 900),
    ],
)
def test_auto_is_the_finest_tier_that_has_all_of_the_range(
    history: Callable[[str], Path], name: str, since: float, step_s: int
) -> None:
    times = [*dict.fromkeys(row["time_utc"] for row in exported(history(name), Tier.AUTO, since=since))]
    first, second = (int(time[-6:-4]) * 60 + int(time[-3:-1]) for time in times[3:5])
    assert (second - first) % 3600 == (step_s if step_s != 900 else 900)


def test_one_session_of_a_packed_year_is_exported_alone(history: Callable[[str], Path]) -> None:
    rows = exported(history("quarter, most of it packed"), Tier.QUARTER, session="s1")
    assert {row["session_id"] for row in rows} == {"s1"}
    assert len(rows) == len({row["time_utc"] for row in rows}) > 1000
    blinks = exported(history("quarter, most of it packed"), Tier.QUARTER, session="blink")
    assert len(rows) / 3 < len(blinks) < len(rows) * 2 / 3
    assert exported(history("quarter, most of it packed"), Tier.QUARTER, session="nobody") == []


def test_a_range_inside_the_packs_gives_the_buckets_that_overlap_it(history: Callable[[str], Path]) -> None:
    path = history("quarter, most of it packed")
    with closing(sqlite3.connect(path)) as connection:
        (packs,) = connection.execute("SELECT count(*) FROM quarter_packs").fetchone()
    assert packs > 8
    rows = exported(path, Tier.QUARTER, since=DAY_S + 100, until=DAY_S + 1000, session="s1")
    assert [row["time_utc"] for row in rows] == ["2025-01-08T11:30:00Z", "2025-01-08T11:45:00Z"]


@pytest.mark.parametrize("session", [None, "s1"])
@pytest.mark.parametrize(
    ("since", "until"), [(0, 7), (3, 41), (32, 33), (33, 95), (59, 61), (60, 60), (61, 119), (118, 247), (590, 700)]
)
def test_any_part_of_the_samples_is_what_the_whole_has_of_it(
    history: Callable[[str], Path], since: int, until: int, session: str | None
) -> None:
    path = history("raw")
    whole = exported(path, Tier.RAW, session=session)
    times = [row["time_utc"] for row in whole]
    first, last = (rfc3339(START_S + second) for second in (since, until))
    wanted = [row for row, time in zip(whole, times, strict=True) if first <= time <= last]
    assert exported(path, Tier.RAW, since=since, until=until, session=session) == wanted


def test_a_footprint_is_told_where_at_most_a_tenth_of_its_samples_had_none(tmp_path: Path) -> None:
    store = HistoryStore(tmp_path / "history.sqlite3", now_epoch_s=lambda: 4e9)
    for at in range(0, 180, 2):
        blind = at in (0, 10, 20) or at in range(60, 68)
        store.append(snapshot(at, group("one", rss=100 * MB, footprint=None if blind else 80 * MB)))
    store.close()
    first, second, third = exported(tmp_path / "history.sqlite3", Tier.MINUTE, session="one")
    assert int(first["footprint_bytes"]) == (27 * 80 + 3 * 100) * MB // 30
    assert (second["footprint_bytes"], second["footprint_metric"]) == ("", "")
    assert int(third["footprint_bytes"]) == 80 * MB


def test_a_session_that_was_gone_by_the_end_of_a_bucket_has_its_share_of_it(tmp_path: Path) -> None:
    store = HistoryStore(tmp_path / "history.sqlite3", now_epoch_s=lambda: 4e9)
    for at in range(0, 62, 2):
        store.append(snapshot(at, *([group("one", rss=100 * MB)] if at < 30 else [])))
    store.close()
    for tier in (Tier.MINUTE, Tier.QUARTER):
        row = exported(tmp_path / "history.sqlite3", tier, session="one")[0]
        assert (row["processes"], row["cpu_seconds_total"], row["state"]) == ("0", "", "idle")
        assert 0 < int(row["rss_bytes"]) < 51 * MB


def test_buckets_that_are_not_rolled_up_yet_are_added_up_when_read(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite3"
    store = HistoryStore(path, now_epoch_s=lambda: 4e9)
    for at in range(0, 400, 2):
        store.append(snapshot(at, group("one", rss=(100 + at) * MB), interval_s=2.0 if at else None))
    store.close()
    rolled_up = exported(path, Tier.MINUTE)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM minute_ticks")
        connection.execute("DELETE FROM minute")
    assert exported(path, Tier.MINUTE) == rolled_up
    assert len({row["time_utc"] for row in rolled_up}) == 7


def test_what_nobody_holds_any_more_is_read_from_what_there_is(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite3"
    store = HistoryStore(path, now_epoch_s=lambda: 4e9)
    for at in range(0, 3 * 21_600, 600):
        store.append(snapshot(at, group("one"), interval_s=600.0))
    store.close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM minute_ticks WHERE bucket < (SELECT max(bucket) FROM minute_ticks)")
        connection.execute("DELETE FROM quarter_ticks WHERE bucket < (SELECT max(bucket) FROM quarter_ticks)")
    # the coarsest that a person can ask for, although a coarser one has more
    assert {row["time_utc"][-6:-4] for row in exported(path, Tier.AUTO)} <= {"00", "15", "30", "45"}


def test_more_subjects_than_are_remembered_are_asked_for_again(
    history: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = exported(history("minute"), Tier.MINUTE)
    monkeypatch.setattr("trayapp.history.csv_export._KEPT_SUBJECTS", 3)
    assert exported(history("minute"), Tier.MINUTE) == expected


def test_cpu_is_what_is_known_to_have_been_used_over_the_time_that_was_measured(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite3"
    store = HistoryStore(path, now_epoch_s=lambda: 4e9)
    for at in range(0, 20, 2):
        store.append(snapshot(at, group("one", cpu=50.0 if at >= 10 else None), group("two", cpu=None)))
    store.close()
    answer = series(
        path, SeriesQuery(since_epoch_s=START_S, until_epoch_s=START_S + 19, columns=1, stack_by=StackBy.SESSION)
    )
    one, two = answer.layers
    assert [*one.cpu_percent, *two.cpu_percent] == [pytest.approx(25.0), None]


def test_a_disk_that_is_full_leaves_nothing(history: Callable[[str], Path], tmp_path: Path) -> None:
    resource = pytest.importorskip("resource", reason="the size of files cannot be limited here")
    path = history("quarter, most of it packed")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    out = tmp_path / "out.csv"
    out.write_text("what was there")
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, before[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            export(
                path,
                out,
                since_epoch_s=START_S,
                until_epoch_s=START_S + 1e9,
                tier=Tier.QUARTER,
                progress=lambda done, total: None,
                cancelled=lambda: False,
            )
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert out.read_text() == "what was there"
    assert list(tmp_path.iterdir()) == [out]
