"""What a range was like, group by group: from the finest tier that holds each part, with gaps as gaps."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from math import inf
from pathlib import Path

import pytest

from tests.history.snapshots import MB, START_S, group, snapshot
from trayapp.history import timeline
from trayapp.history.schema import HistoryError
from trayapp.history.store import HistoryStore
from trayapp.history.timeline import Past, Spell, Track, read_past
from trayapp.model.series import GapKind
from trayapp.model.session import State
from trayapp.model.snapshot import Group, GroupKind, Snapshot

HOUR_S = 3600
DAY_S = 86_400


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "history.sqlite"


def write(path: Path, taken: Iterable[Snapshot]) -> None:
    """Write what was seen, by the store itself; its clock is that of the snapshots."""
    now_s = float(START_S)
    store = HistoryStore(path, now_epoch_s=lambda: now_s, keep_days=3650)
    for seen in taken:
        now_s = seen.taken_at.timestamp()
        store.append(seen)
    store.close()
    assert store.problems == ()


def every(beat_s: int, length_s: int, groups: Callable[[int], tuple[Group, ...]]) -> Iterable[Snapshot]:
    return (snapshot(at, *groups(at), interval_s=float(beat_s)) for at in range(0, length_s, beat_s))


def track(past: Past, key: str) -> Track:
    return next(track for track in past.tracks if track.key == key)


def states(past: Past, key: str) -> list[tuple[int, int, State | None]]:
    """Return from when to when (seconds after START_S) a group was in which state."""
    found: list[tuple[int, int, State | None]] = []
    for spell in track(past, key).spells:
        if found and found[-1][1:] == (spell.since_s - START_S, spell.state):
            found[-1] = (found[-1][0], spell.until_s - START_S, spell.state)
        else:
            found.append((spell.since_s - START_S, spell.until_s - START_S, spell.state))
    return found


def test_without_a_history_the_past_is_empty(path: Path) -> None:
    assert read_past(path, 0.0, 100.0) == Past(since_epoch_s=0.0, until_epoch_s=100.0)


def test_a_history_in_which_nothing_was_measured_is_empty(path: Path) -> None:
    write(path, [])
    past = read_past(path, START_S, START_S + 100.0)
    assert (past.measured, past.tracks, past.samples_since_s) == ((), (), inf)


def test_a_damaged_file_is_told_as_such(path: Path) -> None:
    path.write_bytes(b"no history" * 1000)
    with pytest.raises(HistoryError):
        read_past(path, 0.0, 100.0)


def test_single_samples_tell_states_to_the_second(path: Path) -> None:
    def groups(at: int) -> tuple[Group, ...]:
        state = State.BUSY if 20 <= at < 30 else State.IDLE
        return (group("one", state=state, title="Fix login", cpu=50.0 if state is State.BUSY else 0.5),)

    write(path, every(2, 100, groups))
    past = read_past(path, START_S, START_S + 1000)
    assert states(past, "alpha:one") == [(0, 20, State.IDLE), (20, 30, State.BUSY), (30, 99, State.IDLE)]
    one = track(past, "alpha:one")
    assert (one.kind, one.host, one.session_id, one.title) == (GroupKind.SESSION, "alpha", "one", "Fix login")
    assert one.folder == "/home/alex/shop"
    first, busy, _ = one.spells
    assert first == Spell(START_S, START_S + 20, State.IDLE, 80 * MB, 0.5)
    assert busy.cpu_percent == pytest.approx(50.0)
    assert past.samples_since_s == START_S
    assert past.measured == ((float(START_S), START_S + 99.0),)


def test_what_is_older_than_the_samples_comes_from_minutes_then_from_quarters(path: Path) -> None:
    write(path, every(180, 9 * DAY_S, lambda at: (group("one", cpu=0.1, state=State.IDLE),)))
    until_s = START_S + 9 * DAY_S
    past = read_past(path, START_S, until_s)
    assert until_s - 7 * DAY_S - 900 <= past.minutes_since_s <= until_s - 7 * DAY_S + 900
    assert abs(past.samples_since_s - (until_s - 2 * HOUR_S)) <= 240
    # one spell over all tiers, without a seam
    (spell,) = track(past, "alpha:one").spells
    assert spell.since_s == START_S // 900 * 900
    assert spell.until_s == until_s - 180 + 1
    # of the first quarter a part was not measured: its mean counts what was
    assert spell.held_bytes == 80 * MB


def test_old_quarters_are_read_out_of_their_packs(path: Path) -> None:
    def groups(at: int) -> tuple[Group, ...]:
        busy = at // (6 * HOUR_S) % 2
        return (
            group("one", state=State.BUSY if busy else State.IDLE, cpu=40.0 if busy else None),
            group("helper", host=None, kind=GroupKind.SHARED_HELPER, footprint=5 * MB),
        )

    write(path, every(300, 12 * DAY_S, groups))
    with closing(sqlite3.connect(path)) as connection:
        (packs,) = connection.execute("SELECT count(*) FROM quarter_packs").fetchone()
    assert packs > 4
    past = read_past(path, START_S, START_S + DAY_S - 3600)
    told = states(past, "alpha:one")
    assert [state for *_, state in told] == [State.IDLE, State.BUSY, State.IDLE, State.BUSY]
    # times are those of quarters
    assert all(abs(since_s - number * 6 * HOUR_S) <= 900 for number, (since_s, *_) in enumerate(told))
    spells = list(track(past, "alpha:one").spells)
    assert spells[0].cpu_percent is None
    assert spells[-1].cpu_percent == pytest.approx(40.0, abs=0.1)
    assert states(past, "None:helper")[0][2] is None
    assert {track.key for track in past.tracks} == {"alpha:one", "None:helper"}  # no host, no total


def test_a_group_that_is_gone_has_no_spell_until_it_is_back(path: Path) -> None:
    def groups(at: int) -> tuple[Group, ...]:
        return () if 600 <= at < 1200 else (group("one", processes=1 + at // 1000),)

    write(path, every(60, 1800, groups))
    past = read_past(path, START_S, START_S + 1800)
    assert states(past, "alpha:one") == [(0, 600, State.IDLE), (1200, 1741, State.IDLE)]


def test_sleep_is_a_gap_that_a_spell_goes_over(path: Path) -> None:
    taken = [snapshot(at, group("one")) for at in range(0, 20, 2)]
    taken.append(snapshot(5000, group("one"), gap=True, slept_s=4980))
    taken += [snapshot(at, group("one"), slept_s=4980) for at in range(5002, 5020, 2)]
    write(path, taken)
    past = read_past(path, START_S, START_S + 6000)
    assert [gap.kind for gap in past.gaps] == [GapKind.SLEEP]
    assert past.measured == ((float(START_S), START_S + 18.0), (START_S + 5000.0, START_S + 5019.0))
    assert states(past, "alpha:one") == [(0, 5019, State.IDLE)]


def test_a_range_that_ends_within_a_gap_is_measured_up_to_it(path: Path) -> None:
    write(path, [snapshot(at, group("one")) for at in range(0, 20, 2)])
    write(path, [snapshot(at, group("one")) for at in range(9000, 9020, 2)])
    past = read_past(path, START_S, START_S + 4000)
    assert [gap.kind for gap in past.gaps] == [GapKind.NOT_RUNNING]
    assert past.measured == ((float(START_S), START_S + 18.0),)
    # and one that begins in it is measured from its end on
    late = read_past(path, START_S + 4000, START_S + 9500)
    assert late.measured == ((START_S + 9000.0, START_S + 9019.0),)


def test_of_a_young_history_no_part_is_coarse(path: Path) -> None:
    write(path, every(2, 400, lambda at: (group("one", state=State.BUSY if at % 40 < 4 else State.IDLE),)))
    past = read_past(path, START_S - 30 * DAY_S, START_S + 400)
    assert past.samples_since_s <= START_S
    assert sum(state is State.BUSY for *_, state in states(past, "alpha:one")) == 10


def test_sizes_make_a_spell_of_their_own_only_when_they_differ(path: Path) -> None:
    sizes = [80 * MB, 80 * MB + 4096, 81 * MB, 81 * MB, 200 * MB, 200 * MB]
    write(path, [snapshot(60 * at, group("one", footprint=size, cpu=None)) for at, size in enumerate(sizes)])
    spells = list(track(read_past(path, START_S, START_S + 400), "alpha:one").spells)
    assert [spell.until_s - spell.since_s for spell in spells] == [240, 61]
    assert spells[0].held_bytes == pytest.approx(80.5 * MB, rel=0.02)
    assert spells[1].held_bytes == 200 * MB


def test_a_spell_with_work_in_it_is_told_from_a_quiet_one(path: Path) -> None:
    cpu = (0.5, 0.7, 30.0, 0.5, None)
    write(path, [snapshot(60 * at, group("one", cpu=used), interval_s=60.0) for at, used in enumerate(cpu)])
    spells = list(track(read_past(path, START_S, START_S + 400), "alpha:one").spells)
    assert [spell.cpu_percent for spell in spells] == pytest.approx([0.6, 30.0, 0.5], abs=0.01)


def test_beyond_many_spells_sizes_are_averaged(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(1)
    taken = list(every(60, 3000, lambda at: (group("one", footprint=chance.randrange(100, 9000) * MB, rss=9000 * MB),)))
    write(path, taken)
    everything = track(read_past(path, START_S, START_S + 3000), "alpha:one")
    monkeypatch.setattr(timeline, "MOST_SPELLS", 10)
    bounded = track(read_past(path, START_S, START_S + 3000), "alpha:one")
    assert len(everything) == 50
    assert len(bounded) == 10
    held = [
        sum(spell.held_bytes * (spell.until_s - spell.since_s) for spell in t.spells) for t in (everything, bounded)
    ]
    assert held[0] == pytest.approx(held[1], rel=0.001)


def test_reading_changes_nothing(path: Path) -> None:
    write(path, every(60, 3 * HOUR_S, lambda at: (group("one"),)))
    before = path.read_bytes()
    read_past(path, START_S, START_S + 4 * HOUR_S)
    assert path.read_bytes() == before


def test_bytes_add_up_to_what_was_measured(path: Path) -> None:
    """The mean over a spell, times its length, is what was held: merging loses nothing."""
    chance = random.Random(3)
    sizes = [chance.randrange(100, 120) * MB for _ in range(8 * 60)]
    write(path, every(60, 8 * HOUR_S, lambda at: (group("one", footprint=sizes[at // 60]),)))
    past = read_past(path, START_S, START_S + 8 * HOUR_S)
    held = sum(s.held_bytes * (s.until_s - s.since_s) for s in track(past, "alpha:one").spells)
    assert held == pytest.approx(60 * sum(sizes) - 59 * sizes[-1], rel=0.001)  # of the last one only a moment is known
