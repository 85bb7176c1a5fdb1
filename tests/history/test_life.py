"""A session's life is told over all its processes, and a chart of one host holds that host alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.history.snapshots import MB, START_S, group, receipt, snapshot
from trayapp.history.life import read_life
from trayapp.history.queries import series
from trayapp.history.store import HistoryStore
from trayapp.model.life import Life
from trayapp.model.process import Identity
from trayapp.model.receipt import Fate
from trayapp.model.series import SeriesQuery, StackBy
from trayapp.model.session import State
from trayapp.model.snapshot import Group, GroupKind, Snapshot


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "history.sqlite3"


def stored(path: Path, *snapshots: Snapshot) -> None:
    history = HistoryStore(path, now_epoch_s=lambda: START_S)
    for taken in snapshots:
        history.append(taken)
        history.flush()
    history.close()


def run_by(made_from: Group, *pids: int) -> Group:
    """Let a group be run by these processes."""
    (member, *_) = made_from.members
    processes = [replace(member.process, identity=Identity(pid, 1)) for pid in pids]
    return replace(made_from, members=tuple(replace(member, process=process) for process in processes))


def test_a_resume_begins_another_run(path: Path) -> None:
    one = group("one")
    stored(
        path,
        snapshot(0, run_by(one, 10)),
        snapshot(100, run_by(one, 10, 11)),
        snapshot(200, run_by(one, 10)),
        snapshot(210),
        snapshot(300, run_by(one, 40)),
        snapshot(400, run_by(one, 40)),
    )
    life = read_life(path, one.key)
    assert (life.first_seen_epoch_s, life.last_seen_epoch_s) == (START_S, START_S + 400)
    assert life.peak_bytes is not None
    runs = [(run.since_epoch_s - START_S, run.until_epoch_s - START_S, run.processes) for run in life.runs]
    assert runs == [(0, 200, (Identity(10, 1), Identity(11, 1))), (300, 400, (Identity(40, 1),))]


def test_what_was_never_seen_has_no_life(path: Path) -> None:
    assert read_life(path, "alpha:one") == Life()
    stored(path, snapshot(0, group("one")))
    assert read_life(path, "alpha:other") == Life()


@pytest.mark.parametrize("stack_by", list(StackBy))
def test_one_head_alone_can_be_asked_for(path: Path, stack_by: StackBy) -> None:
    mine = group("one", rss=80 * MB, footprint=80 * MB)
    theirs = group("two", host="beta", rss=50 * MB, footprint=50 * MB, state=State.BUSY)
    orphan = group("gone", kind=GroupKind.ORPHAN_HELPER, rss=7 * MB, footprint=7 * MB)
    stored(path, snapshot(0, mine, theirs, orphan), snapshot(2, mine, theirs, orphan))

    def held(branch: str | None) -> float:
        asked = SeriesQuery(since_epoch_s=START_S, until_epoch_s=START_S + 3, stack_by=stack_by, branch=branch)
        return sum(layer.memory_bytes[0] or 0 for layer in series(path, asked).layers)

    assert [held(branch) / MB for branch in (None, "host:alpha", "host:beta", "orphans", "shared")] == [
        137,
        80,
        50,
        7,
        0,
    ]


def test_a_mark_tells_a_release_from_an_end_by_signal(path: Path) -> None:
    released = receipt(5, 300 * MB)
    (outcome,) = released.outcomes
    history = HistoryStore(path, now_epoch_s=lambda: START_S)
    history.append(snapshot(0, group("one")))
    history.add_receipt(released)
    ended = replace(outcome, fate=Fate.ENDED)
    history.add_receipt(replace(receipt(6, 9 * MB, receipt_id="r2"), outcomes=(ended,)))
    history.close()
    asked = SeriesQuery(since_epoch_s=START_S, until_epoch_s=START_S + 10)
    assert [mark.ended for mark in series(path, asked).marks] == [False, True]
    assert [mark.ended for mark in series(path, replace(asked, session="one")).marks] == [False, True]


def test_a_session_without_processes_of_its_own_has_a_life_without_runs(path: Path) -> None:
    inside = replace(group("one"), members=())
    stored(path, snapshot(0, inside), snapshot(100, inside))
    life = read_life(path, inside.key)
    assert (life.last_seen_epoch_s, life.runs) == (START_S + 100, ())
