"""The CSV: read back by the standard module, sums to the byte, the same in every locale, whole or not there."""

from __future__ import annotations

import csv
import locale
import sqlite3
import time
from collections import defaultdict
from collections.abc import Collection, Iterator
from contextlib import closing
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.history.snapshots import MB, START_S, group, snapshot
from trayapp.history import csv_export
from trayapp.history.csv_export import (
    HEADER,
    Estimate,
    ExportCancelled,
    estimate,
    export,
    neutral,
    plain,
    rfc3339,
    thousandths,
)
from trayapp.history.schema import HistoryError
from trayapp.history.store import HistoryStore
from trayapp.model.series import Tier
from trayapp.model.session import State
from trayapp.model.snapshot import GroupKind, Snapshot

Rows = list[dict[str, str]]


def stored(path: Path, *snapshots: Snapshot) -> Path:
    history = HistoryStore(path, now_epoch_s=lambda: START_S)
    for taken in snapshots:
        history.append(taken)
    history.close()
    assert history.problems == ()
    return path


def exported(path: Path, *, session: str | Collection[str] | None = None, since: float = 0, until: float = 1e6) -> Rows:
    out = path.parent / "out.csv"
    count = export(
        path,
        out,
        since_epoch_s=START_S + since,
        until_epoch_s=START_S + until,
        session=session,
        progress=lambda done, total: None,
        cancelled=lambda: False,
    )
    with out.open(encoding="utf-8", newline="") as file:
        read = list(csv.DictReader(file, strict=True))
    assert len(read) == count
    return read


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "history.sqlite3"


def test_every_column_stands_where_the_design_put_it(path: Path) -> None:
    stored(
        path,
        snapshot(
            0,
            group("one", rss=1205632 * 1024, footprint=964506 * 1024, title="päätteet", state=State.BUSY, processes=3),
            interval_s=2.001,
        ),
    )
    exported(path)
    assert (path.parent / "out.csv").read_bytes().decode("utf-8").split("\r\n") == [
        "time_utc,machine,host,session_id,title,kind,state,processes,rss_bytes,footprint_bytes,footprint_metric,"
        "cpu_percent,cpu_seconds_total,interval_s,gap",
        "2025-01-07T11:32:00Z,studio,,,,total,,3,1234567168,987654144,pss,8.895,12.345,2.001,0",
        "2025-01-07T11:32:00Z,studio,alpha,,,host,,3,1234567168,987654144,pss,8.895,12.345,2.001,0",
        "2025-01-07T11:32:00Z,studio,alpha,one,päätteet,session,busy,3,1234567168,987654144,pss,8.895,12.345,2.001,0",
        "",
    ]


def test_case_113_numbers_have_a_point_whatever_the_locale() -> None:
    line = ",".join(["shop", thousandths(8920), str(1234567890)])
    assert line == "shop,8.92,1234567890"
    assert len(line.split(",")) == 3
    assert [thousandths(n) for n in (0, 5, 100_000, -1500, None)] == ["0", "0.005", "100", "-1.5", ""]


@pytest.fixture
def helsinki(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "Europe/Helsinki")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("helsinki")
def test_case_115_times_are_utc_sort_as_text_and_letters_survive(path: Path) -> None:
    assert f"{rfc3339(1736249520)},{neutral('päätteet')}" == "2025-01-07T11:32:00Z,päätteet"
    stored(path, *(snapshot(s, group("one", title="päätteet")) for s in range(0, 7200, 600)))
    times = [row["time_utc"] for row in exported(path)]
    assert times == sorted(times)
    assert times[0] == "2025-01-07T11:32:00Z"
    assert "päätteet".encode() in (path.parent / "out.csv").read_bytes()


@pytest.fixture
def german() -> Iterator[None]:
    before = locale.setlocale(locale.LC_ALL)
    try:
        locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
    except locale.Error:
        # not installed here; the next test forces the question without one
        pytest.skip("the locale de_DE.UTF-8 is not installed")
    yield
    locale.setlocale(locale.LC_ALL, before)


def sample_of_everything() -> list[Snapshot]:
    return [
        snapshot(
            2 * n,
            group("one", rss=100 * MB + n, footprint=80 * MB + n, cpu=8.92 + n),
            group(
                "two", host="beta", rss=7 * n, footprint=None if n == 3 else 5 * n, cpu=None if n == 0 else 0.001 * n
            ),
            group("o", kind=GroupKind.ORPHAN_HELPER, rss=11, footprint=10, cpu=None, cpu_s=None),
            group("s", host=None, kind=GroupKind.SHARED_HELPER, rss=13, footprint=12),
            interval_s=2.0 if n else None,
            gap=n == 5,
        )
        for n in range(8)
    ] + [snapshot(16)]


@pytest.mark.usefixtures("german")
def test_a_german_locale_changes_nothing(path: Path) -> None:
    stored(path, *sample_of_everything())
    under_german = exported(path)
    locale.setlocale(locale.LC_ALL, "C")
    assert exported(path) == under_german


def test_no_locale_is_asked_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored(path, *sample_of_everything())
    expected = exported(path)
    monkeypatch.setattr(locale, "localeconv", lambda: {"decimal_point": ",", "thousands_sep": "."})
    monkeypatch.setattr(time, "localtime", lambda *args: pytest.fail("local time was asked for"))
    assert exported(path) == expected


def test_totals_and_hosts_are_the_sums_of_the_sessions_to_the_byte(path: Path) -> None:
    stored(path, *sample_of_everything())
    by_time: dict[str, Rows] = defaultdict(list)
    for row in exported(path):
        by_time[row["time_utc"]].append(row)
    assert len(by_time) == 9
    for rows in by_time.values():
        (total,) = [row for row in rows if row["kind"] == "total"]
        hosts = [row for row in rows if row["kind"] == "host"]
        parts = [row for row in rows if row["kind"] not in ("total", "host")]
        for summed, of in [(total, parts)] + [(h, [p for p in parts if p["host"] == h["host"]]) for h in hosts]:
            for column in ("rss_bytes", "processes"):
                assert int(summed[column]) == sum(int(part[column]) for part in of)
            if all(part["footprint_bytes"] for part in of):
                assert int(summed["footprint_bytes"]) == sum(int(part["footprint_bytes"]) for part in of)
            else:
                assert summed["footprint_bytes"] == summed["footprint_metric"] == ""
            for column in ("cpu_percent", "cpu_seconds_total"):
                present = [Decimal(part[column]) for part in of if part[column]]
                assert summed[column] == "" if not present else Decimal(summed[column]) == sum(present)
        assert [row["host"] for row in hosts] == ["alpha", "beta"] * bool(parts)


def test_absent_is_an_empty_cell_and_a_break_is_marked(path: Path) -> None:
    stored(
        path,
        snapshot(0, group("one", footprint=None, cpu=None, cpu_s=None, state=None), interval_s=None),
        snapshot(900, group("one"), gap=True, slept_s=898),
    )
    first, second = exported(path, session="one")
    for column in ("state", "footprint_bytes", "footprint_metric", "cpu_percent", "cpu_seconds_total", "interval_s"):
        assert first[column] == ""
    assert (first["gap"], second["gap"]) == ("0", "1")


def test_a_moment_without_sessions_has_a_total_of_nothing(path: Path) -> None:
    stored(path, snapshot(0))
    (row,) = exported(path)
    assert (row["kind"], row["rss_bytes"], row["processes"], row["cpu_percent"]) == ("total", "0", "0", "")


def test_one_session_is_exported_alone(path: Path) -> None:
    stored(path, *sample_of_everything())
    for name in ("two", "beta:two"):
        rows = exported(path, session=name)
        assert {row["session_id"] for row in rows} == {"two"}
        assert len(rows) == 8


def test_several_sessions_are_exported_without_the_others_and_without_sums(path: Path) -> None:
    stored(path, *sample_of_everything())
    rows = exported(path, session=("one", "beta:two"))
    assert {row["session_id"] for row in rows} == {"one", "two"}
    assert {row["kind"] for row in rows} == {"session"}
    assert rows == [row for row in exported(path) if row["session_id"] in ("one", "two") and row["kind"] == "session"]


@pytest.mark.parametrize("tier", [Tier.RAW, Tier.MINUTE, Tier.QUARTER])
@pytest.mark.parametrize("session", [None, "one", ("one", "two")])
def test_an_estimate_of_a_steady_history_is_what_is_written(
    path: Path, tier: Tier, session: str | tuple[str, ...] | None
) -> None:
    stored(path, *(snapshot(s, group("one"), group("two"), group("three")) for s in range(0, 3600, 2)))
    out = path.parent / "out.csv"
    about = estimate(path, since_epoch_s=START_S, until_epoch_s=START_S + 1e6, session=session, tier=tier)
    count = export(
        path,
        out,
        since_epoch_s=START_S,
        until_epoch_s=START_S + 1e6,
        session=session,
        tier=tier,
        progress=lambda done, total: None,
        cancelled=lambda: False,
    )
    assert about.tier is tier
    assert about.rows == pytest.approx(count, rel=0.1)
    assert about.size_bytes == pytest.approx(out.stat().st_size, rel=0.1)


def test_an_estimate_says_which_tier_has_all_of_the_range(path: Path) -> None:
    stored(path, *(snapshot(s, group("one")) for s in range(0, 600, 2)))
    found = estimate(path, since_epoch_s=START_S, until_epoch_s=START_S + 600, tier=Tier.AUTO)
    assert (found.tier, found.rows) == (Tier.RAW, 900)


def test_an_estimate_of_nothing_is_nothing(path: Path) -> None:
    nothing = Estimate(rows=0, size_bytes=0, tier=Tier.AUTO)
    assert estimate(path, since_epoch_s=0, until_epoch_s=START_S) == nothing
    stored(path, snapshot(0, group("one")))
    assert estimate(path, since_epoch_s=0, until_epoch_s=10, tier=Tier.RAW).rows == 0
    assert estimate(path, since_epoch_s=0, until_epoch_s=START_S + 9, session="nobody").rows == 0


def test_only_the_asked_range_is_exported(path: Path) -> None:
    stored(path, *(snapshot(s, group("one")) for s in range(0, 100, 2)))
    times = {row["time_utc"] for row in exported(path, since=10, until=12)}
    assert times == {"2025-01-07T11:32:10Z", "2025-01-07T11:32:12Z"}


def test_without_a_history_the_file_holds_its_header(path: Path) -> None:
    assert exported(path) == []
    assert (path.parent / "out.csv").read_text(encoding="utf-8").strip().split(",") == list(HEADER)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    title=st.text(st.characters(codec="utf-8")) | st.from_regex(r"'{0,2}[=+\-@\t\r][\s\S]*", fullmatch=True),
    cwd=st.text(st.characters(codec="utf-8"), max_size=5),
)
@example(title='=HYPERLINK("http://example.com";"x")', cwd="")
@example(title='He said "stop",\r\nthen\nleft', cwd="")
@example(title="'=1+1", cwd="")
@example(title="nul \0 inside", cwd="")
def test_any_title_comes_back_and_none_runs_as_a_formula(
    tmp_path_factory: pytest.TempPathFactory, title: str, cwd: str
) -> None:
    path = stored(
        tmp_path_factory.mktemp("titles") / "history.sqlite3", snapshot(0, group("one", title=title, cwd=cwd))
    )
    rows = exported(path)
    assert [row["kind"] for row in rows] == ["total", "host", "session"]
    cell = rows[2]["title"]
    assert plain(cell) == title
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r"))


def test_a_cancelled_export_leaves_nothing_and_spares_the_file_that_was_there(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_export, "CHUNK", 10)
    stored(path, *(snapshot(s, group("one")) for s in range(0, 100, 2)))
    out = path.parent / "folder" / "out.csv"
    out.parent.mkdir()
    asked: list[int] = []

    def run() -> None:
        export(
            path,
            out,
            since_epoch_s=START_S,
            until_epoch_s=START_S + 1e6,
            progress=lambda done, total: asked.append(done),
            cancelled=lambda: len(asked) >= 2,
        )

    with pytest.raises(ExportCancelled):
        run()
    assert list(out.parent.iterdir()) == []
    out.write_text("what was there")
    asked.clear()
    with pytest.raises(ExportCancelled):
        run()
    assert out.read_text() == "what was there"
    assert list(out.parent.iterdir()) == [out]


def test_an_export_cancelled_at_the_very_end_leaves_nothing_either(path: Path) -> None:
    stored(path, snapshot(0, group("one")))
    out = path.parent / "out.csv"
    answers = iter([True])
    with pytest.raises(ExportCancelled):
        export(
            path,
            out,
            since_epoch_s=START_S,
            until_epoch_s=START_S + 10,
            progress=lambda done, total: None,
            cancelled=lambda: next(answers),
        )
    assert not out.exists()


def test_progress_rises_to_the_whole_and_chunks_split_no_moment(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_export, "CHUNK", 7)
    stored(path, *(snapshot(s, *(group(f"s{n}") for n in range(5))) for s in range(0, 20, 2)))
    told: list[tuple[int, int]] = []
    out = path.parent / "out.csv"
    export(
        path,
        out,
        since_epoch_s=START_S,
        until_epoch_s=START_S + 1e6,
        progress=lambda done, total: told.append((done, total)),
        cancelled=lambda: False,
    )
    assert told == sorted(told)
    assert told[-1] == (70, 70)
    with out.open(encoding="utf-8", newline="") as file:
        totals = [row for row in csv.DictReader(file) if row["kind"] == "total"]
    assert [row["processes"] for row in totals] == ["5"] * 10


def test_an_error_leaves_no_part_of_a_file(path: Path) -> None:
    path.write_bytes(b"nonsense" * 1000)
    out = path.parent / "out.csv"
    with pytest.raises(HistoryError):
        exported(path)
    assert not out.exists()
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("tier", [Tier.RAW, Tier.MINUTE])
def test_memory_is_bounded_because_the_order_of_the_table_is_the_order_of_the_file(path: Path, tier: Tier) -> None:
    stored(path, *sample_of_everything(), *(snapshot(s, group("one")) for s in range(60, 200, 2)))
    asked: list[str] = []
    with closing(sqlite3.connect(path)) as connection:
        connection.set_trace_callback(asked.append)
        list(csv_export._Source(connection, START_S, START_S + 1e6, None, tier).moments())
        connection.set_trace_callback(None)
        plans = [connection.execute(f"EXPLAIN QUERY PLAN {one}").fetchall() for one in asked]
    assert not [step for plan in plans for *_, step in plan if "TEMP B-TREE" in step]
