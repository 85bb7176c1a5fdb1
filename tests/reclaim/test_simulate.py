"""A policy replayed over the past: what it would have freed, and whom it would have touched wrongly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.history.snapshots import MB, START_S, group, heap, snapshot
from trayapp.history.store import HistoryStore
from trayapp.history.timeline import Past, Spell, Track
from trayapp.model.policy import Match, Policy, QuietHours, Trigger
from trayapp.model.series import Gap, GapKind
from trayapp.model.session import State
from trayapp.model.snapshot import Group, GroupKind, HeapUse, Snapshot
from trayapp.reclaim.simulate import (
    THRESHOLDS_S,
    Came,
    Release,
    Simulation,
    Sweep,
    Terms,
    simulate,
    simulate_history,
    sweep,
    sweep_history,
)

MIN_S = 60
HOUR_S = 3600
GB = 1024**3

STATES = {
    "busy": State.BUSY,
    "waiting": State.WAITING,
    "idle": State.IDLE,
    "ended": State.ENDED,
    "unknown": State.UNKNOWN,
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "history.sqlite"


def minutes(script: str) -> list[str]:
    """Return minute by minute what "busy 10, idle 180, gone 5" says."""
    found: list[str] = []
    for part in script.split(","):
        word, length = part.split()
        found += [word] * int(length)
    return found


def seen(name: str, word: str, *, size: int = GB, **more: Any) -> tuple[Group, ...]:
    if word == "gone":
        return ()
    return (group(name, state=STATES[word], footprint=size, rss=2 * size, cpu=50.0 if word == "busy" else 0.2, **more),)


def looks(
    scripts: Mapping[str, str], *, sleeps: Mapping[int, int] | None = None, heaps: tuple[HeapUse, ...] = ()
) -> Iterator[Snapshot]:
    """Yield a look a minute; before minute n the machine sleeps for sleeps[n] minutes."""
    told = {name: minutes(script) for name, script in scripts.items()}
    slept = 0
    for minute in range(max(len(words) for words in told.values())):
        nap = (sleeps or {}).get(minute, 0)
        slept += nap
        groups = [g for name, words in told.items() if minute < len(words) for g in seen(name, words[minute])]
        yield snapshot(
            (minute + slept) * MIN_S,
            *groups,
            interval_s=60.0,
            gap=nap > 0,
            slept_s=float(slept * MIN_S),
            heaps=heaps,
        )


def write(path: Path, taken: Iterator[Snapshot]) -> float:
    """Write what was seen, by the store itself on the clock of the snapshots; return when it ends."""
    now_s = float(START_S)
    store = HistoryStore(path, now_epoch_s=lambda: now_s)
    for each in taken:
        now_s = each.taken_at.timestamp()
        store.append(each)
    store.close()
    assert store.problems == ()
    return now_s


def idle(after_s: float, **more: Any) -> Policy:
    return replace(Policy(name="idle", trigger=Trigger.IDLE, after_s=after_s, most_an_hour=60), **more)


def run(path: Path, policy: Policy, scripts: Mapping[str, str], terms: Terms | None = None, **more: Any) -> Simulation:
    until_s = write(path, looks(scripts, **more))
    (found,) = simulate_history(path, START_S, until_s, [policy], terms or Terms())
    return found


def minute_of(release: Release) -> float:
    return (release.at_epoch_s - START_S) / MIN_S


# ---- the session that is idle for three hours and works again


def test_a_session_idle_for_three_hours_is_released_after_two_and_that_was_right(path: Path) -> None:
    found = run(path, idle(2 * HOUR_S), {"one": "busy 10, idle 180, busy 20"})
    (release,) = found.releases
    # noticed when two hours are over, gone a minute later
    assert minute_of(release) == pytest.approx(10 + 120 + 1, abs=2)
    assert release.came is Came.LATER
    assert release.worked_again_s == pytest.approx(59 * MIN_S, abs=120)
    assert (release.bytes, release.session_id, release.host, release.kind) == (GB, "one", "alpha", GroupKind.SESSION)
    assert release.freed_byte_hours == pytest.approx(59 / 60 * GB, rel=0.04)
    assert found.freed_byte_hours == release.freed_byte_hours
    assert found.peak_freed_bytes == GB
    assert found.wrong == ()
    assert found.touched == 1
    assert found.covered_s == pytest.approx(210 * MIN_S, abs=90)


def test_it_was_wrong_where_the_work_came_soon_after(path: Path) -> None:
    scripts = {"one": "busy 10, idle 180, busy 20"}
    found = run(path, idle(2 * HOUR_S), scripts, Terms(soon_s=HOUR_S))
    assert [release.came for release in found.wrong] == [Came.WRONG]
    (late,) = simulate_history(path, START_S, START_S + 210 * MIN_S, [idle(2.8 * HOUR_S)])
    assert [release.came for release in late.releases] == [Came.WRONG]
    (never,) = simulate_history(path, START_S, START_S + 210 * MIN_S, [idle(4 * HOUR_S)])
    assert never.releases == ()


@pytest.mark.parametrize("work", ["busy", "waiting"])
def test_a_turn_and_a_question_to_the_user_both_are_work(path: Path, work: str) -> None:
    found = run(path, idle(HOUR_S), {"one": f"idle 70, {work} 5, idle 50, {work} 5, idle 70"})
    assert [release.came for release in found.releases] == [Came.WRONG, Came.UNDECIDED]


def test_what_it_works_on_after_it_was_resumed_lets_it_be_released_again(path: Path) -> None:
    found = run(path, idle(HOUR_S), {"one": "busy 5, idle 120, busy 5, idle 200"})
    assert [release.came for release in found.releases] == [Came.LATER, Came.RESTED]
    assert found.touched == 1


def test_a_release_near_the_end_of_the_record_is_not_decided(path: Path) -> None:
    found = run(path, idle(HOUR_S), {"one": "busy 5, idle 80"})
    assert [release.came for release in found.releases] == [Came.UNDECIDED]
    assert found.releases[0].worked_again_s is None


# ---- what is not idle


@pytest.mark.parametrize("word", ["busy", "waiting", "unknown", "ended"])
def test_nothing_but_what_is_idle_is_released(path: Path, word: str) -> None:
    assert run(path, idle(HOUR_S), {"one": f"{word} 300"}).releases == ()


def test_what_is_unknown_for_a_while_is_not_released_then_and_stays_idle(path: Path) -> None:
    found = run(path, idle(HOUR_S), {"one": "busy 5, idle 50, unknown 30, idle 50"})
    # its record would say so: nothing tells that it worked
    assert minute_of(found.releases[0]) == pytest.approx(86, abs=2)


def test_what_has_ended_was_not_idle_before(path: Path) -> None:
    found = run(path, idle(HOUR_S), {"one": "idle 50, ended 5, idle 40, gone 5, idle 10"})
    assert found.releases == ()


def test_sleep_is_not_idleness(path: Path) -> None:
    found = run(path, idle(2 * HOUR_S), {"one": "busy 10, idle 100"}, sleeps={50: 600})
    assert found.releases == ()
    assert found.covered_s == pytest.approx(110 * MIN_S, abs=130)


def test_sleep_counts_neither_as_freed_nor_as_time_until_the_work(path: Path) -> None:
    found = run(path, idle(HOUR_S), {"one": "busy 10, idle 80, busy 10"}, sleeps={80: 600})
    (release,) = found.releases
    assert release.came is Came.WRONG
    assert release.worked_again_s == pytest.approx(19 * MIN_S, abs=180)
    assert release.freed_byte_hours == pytest.approx(19 / 60 * GB, rel=0.15)


def test_after_a_time_that_nobody_saw_idleness_begins_anew(path: Path) -> None:
    write(path, looks({"one": "busy 5, idle 50"}))
    later = [
        replace(each, taken_at=datetime.fromtimestamp(each.taken_at.timestamp() + 9000, each.taken_at.tzinfo))
        for each in looks({"one": "idle 55"})
    ]
    until_s = write(path, iter(later))
    (found,) = simulate_history(path, START_S, until_s, [idle(HOUR_S)])
    assert found.releases == ()
    (found,) = simulate_history(path, START_S, until_s, [idle(HOUR_S / 2)])
    assert [minute_of(release) for release in found.releases] == pytest.approx([36], abs=2)


def test_a_short_pause_lets_idleness_go_on() -> None:
    gaps = (Gap(kind=GapKind.PAUSE, since_epoch_s=START_S + 1800.0, until_epoch_s=START_S + 1900.0),)
    past = made(
        {"one": "busy 5, idle 90"},
        gaps=gaps,
        measured=((START_S, START_S + 1800.0), (START_S + 1900.0, START_S + 5700.0)),
    )
    assert len(simulate(past, idle(HOUR_S)).releases) == 1


def test_what_was_idle_before_the_range_counts(path: Path) -> None:
    until_s = write(path, looks({"one": "busy 5, idle 300"}))
    (found,) = simulate_history(path, START_S + 200 * MIN_S, until_s, [idle(HOUR_S)])
    (release,) = found.releases
    assert minute_of(release) == pytest.approx(201, abs=2)
    assert found.covered_s == pytest.approx(105 * MIN_S, abs=90)


# ---- deaths and returns


def test_what_ends_by_itself_frees_nothing_more_and_its_return_is_no_wrong_touch(path: Path) -> None:
    found = run(path, idle(HOUR_S), {"one": "busy 5, idle 75, gone 5, busy 10, idle 30"})
    (release,) = found.releases
    assert release.came is Came.ENDED
    assert release.freed_byte_hours == pytest.approx(14 / 60 * GB, rel=0.15)


def test_a_session_that_was_resumed_under_new_pids_is_the_same_one(path: Path) -> None:
    # what a host calls by the same id has the same row, whatever its processes are
    found = run(path, idle(HOUR_S), {"one": "busy 5, idle 75, busy 5, gone 20, busy 2, idle 120"})
    assert [release.came for release in found.releases] == [Came.WRONG, Came.RESTED]
    assert {release.key for release in found.releases} == {"alpha:one"}


def test_a_short_turn_inside_a_minute_is_seen_by_its_cpu() -> None:
    def past(cpu: float, *, samples_since_s: float = float("inf")) -> Past:
        spells = [
            (0, 40, State.IDLE, GB, 0.5),
            (40, 41, State.IDLE, GB, cpu),
            (41, 90, State.IDLE, GB, 0.5),
        ]
        return past_of([track("one", spells)], 90, samples_since_s=samples_since_s)

    assert len(simulate(past(3.0), idle(HOUR_S)).releases) == 1
    assert simulate(past(30.0), idle(HOUR_S)).releases == ()
    # of a single sample the state is known
    assert len(simulate(past(30.0, samples_since_s=0.0), idle(HOUR_S)).releases) == 1


def test_what_burns_cpu_while_idle_is_idle_all_the_same() -> None:
    spells = [(at, at + 10, State.IDLE, GB, 20.0 + at / 100) for at in range(0, 200, 10)]
    assert len(simulate(past_of([track("one", spells)], 200), idle(HOUR_S)).releases) == 1


def test_what_has_only_just_begun_or_come_back_is_not_released() -> None:
    past = past_of([track("one", [(0, 50, State.IDLE, GB, 0.0), (60, 100, State.IDLE, GB, 0.0)])], 100)
    found = simulate(past, idle(1.0, grace_s=10.0), Terms(idle_after_s=0.0))
    # two minutes old, and the next look after the grace
    assert [minute_of(release) for release in found.releases] == [3, 63]


# ---- the other triggers


def test_no_host_keeps_more_idle_sessions_than_the_policy_leaves(path: Path) -> None:
    scripts = {"a": "busy 5, idle 100", "b": "busy 15, idle 90", "c": "busy 25, idle 80"}
    most = Policy(name="most", trigger=Trigger.MOST, at_most=1)
    found = run(path, most, scripts)
    # the least recently used first; each when it has been idle for 15 min and another one is idle too
    assert [(release.session_id, round(minute_of(release))) for release in found.releases] == [("a", 21), ("b", 31)]


def test_exceptions_take_no_place_among_those_that_stay(path: Path) -> None:
    scripts = {"a": "idle 100", "b": "idle 100"}
    most = Policy(name="most", trigger=Trigger.MOST, at_most=1, never=(Match(session="a"),))
    assert run(path, most, scripts).releases == ()


def test_what_holds_together_too_much_goes_until_it_does_not(path: Path) -> None:
    scripts = {name: f"busy {5 + at}, idle 100" for at, name in enumerate("abcd")}
    total = Policy(name="total", trigger=Trigger.TOTAL, over_bytes=2 * GB + 1)
    found = run(path, total, scripts)
    assert [release.session_id for release in found.releases] == ["a", "b"]
    share = replace(total, over_bytes=None, over_share=0.5)
    until_s = START_S + 110 * MIN_S
    (of_share,) = simulate_history(path, START_S, until_s, [share], Terms(memory_total_bytes=2 * GB))
    assert [release.session_id for release in of_share.releases] == ["a", "b", "c"]
    (unknown,) = simulate_history(path, START_S, until_s, [share])
    assert unknown.releases == ()
    assert "How much memory the machine has" in unknown.not_simulated[0]


def test_under_a_total_orphans_go_first_and_what_holds_nothing_stays() -> None:
    tracks = [
        track("one", [(5, 100, State.IDLE, GB, 0.0)]),
        track("empty", [(0, 100, State.IDLE, 0, 0.0)]),
        track("lost", [(0, 100, None, GB, 0.0)], kind=GroupKind.ORPHAN_HELPER),
        track("server", [(0, 100, None, GB, 0.0)], kind=GroupKind.INFRA),
    ]
    total = Policy(name="total", trigger=Trigger.TOTAL, over_bytes=GB)
    found = simulate(past_of(tracks, 100), total)
    assert [release.key for release in found.releases] == ["alpha:lost", "alpha:one"]


def test_orphans_go_when_they_are_old_and_nobody_misses_them() -> None:
    tracks = [
        track("lost", [(10, 200, None, GB, 0.0)], kind=GroupKind.ORPHAN_HELPER),
        track("gone soon", [(10, 100, None, GB, 0.0)], kind=GroupKind.ORPHAN_HELPER),
        track("work", [(10, 200, None, GB, 0.0)], kind=GroupKind.ORPHAN_WORK),
    ]
    found = simulate(past_of(tracks, 200), Policy(name="o", trigger=Trigger.ORPHANS, after_s=HOUR_S))
    assert [(release.key, release.came) for release in found.releases] == [
        ("alpha:gone soon", Came.ENDED),
        ("alpha:lost", Came.RESTED),
    ]
    assert minute_of(found.releases[0]) == pytest.approx(71, abs=2)


@pytest.mark.parametrize(
    ("policy", "word"),
    [
        (Policy(name="x", trigger=Trigger.PRESSURE), "memory pressure"),
        (Policy(name="x", trigger=Trigger.HEAP, over_share=0.8), "heap"),
        (Policy(name="x", trigger=Trigger.DUPLICATES), "surplus"),
    ],
)
def test_what_the_history_does_not_hold_is_said_and_not_guessed(policy: Policy, word: str) -> None:
    found = simulate(past_of([track("one", [(0, 300, State.IDLE, GB, 0.0)])], 300), policy)
    assert found.releases == ()
    assert word in found.not_simulated[0]
    assert found.not_simulated[0].startswith("The history does not hold")
    assert not found.replayed


def test_of_a_heap_it_is_told_how_long_it_was_full(path: Path) -> None:
    policy = Policy(name="x", trigger=Trigger.HEAP, over_share=0.8)
    full = run(path, policy, {"one": "idle 60"}, heaps=(heap(900 * MB, limit=1000 * MB), heap(1, pid=42)))
    assert full.not_simulated[-1].startswith("Heaps were fuller than 80% of their limit for ")
    (quiet,) = simulate_history(path, START_S, START_S + HOUR_S, [replace(policy, over_share=0.95)])
    assert quiet.not_simulated[-1] == "No heap was fuller than 95% of its limit."


def test_a_policy_that_does_not_hold_together_does_nothing_and_says_why() -> None:
    past = past_of([track("one", [(0, 300, State.IDLE, GB, 0.0)])], 300)
    for trigger in Trigger:
        broken = Policy(name="", trigger=trigger)
        found = simulate(past, broken)
        assert found.releases == ()
        assert found.not_simulated[0].startswith("It does nothing: ")


def test_what_is_assumed_is_said(path: Path) -> None:
    policy = idle(HOUR_S, only_under_pressure=True, never=(Match(program="vim"),))
    told = " ".join(run(path, policy, {"one": "idle 200"}).not_simulated)
    assert "as if there had always been some" in told
    assert "programs" in told
    assert "attached view" in told
    assert "within one minute" in told


# ---- limits


def test_no_more_go_in_an_hour_than_the_policy_may(path: Path) -> None:
    scripts = {f"s{number}": "idle 300" for number in range(10)}
    found = run(path, idle(HOUR_S, most_an_hour=3), scripts)
    times = [release.at_epoch_s for release in found.releases]
    assert len(times) == 10
    for at in times:
        assert sum(at - HOUR_S < other <= at for other in times) <= 3


def test_of_what_is_idle_for_as_long_the_largest_goes_first() -> None:
    tracks = [track(name, [(0, 200, State.IDLE, size * GB, 0.0)]) for name, size in (("a", 1), ("b", 3), ("c", 2))]
    found = simulate(past_of(tracks, 200), idle(HOUR_S, most_an_hour=1))
    assert [release.session_id for release in found.releases] == ["b", "c", "a"]


def test_nothing_goes_in_quiet_hours_and_it_goes_after_them(path: Path) -> None:
    local = datetime.fromtimestamp(START_S)
    began = local.hour * 60 + local.minute
    quiet = QuietHours(since_min=(began + 30) % 1440, until_min=(began + 150) % 1440)
    found = run(path, idle(HOUR_S, quiet=(quiet,)), {"one": "idle 300"})
    assert [minute_of(release) for release in found.releases] == pytest.approx([151], abs=2)


def test_who_works_within_the_grace_is_not_released(path: Path) -> None:
    found = run(path, idle(HOUR_S, grace_s=600.0), {"one": "idle 65, busy 5, idle 100", "two": "idle 100"})
    # and its next notice is a new one
    assert [release.session_id for release in found.releases] == ["two", "one"]
    assert [minute_of(release) for release in found.releases] == pytest.approx([70, 140], abs=2)


def test_an_announcement_lapses_when_the_session_works_though_others_wait() -> None:
    scripts = {"a": "idle 65, busy 5, idle 110"} | dict.fromkeys("bcd", "idle 180")
    found = simulate(made(scripts), idle(HOUR_S, grace_s=600.0, most_an_hour=2))
    # c took the place of a, d waits for an hour, and a is announced anew when there is room again
    assert [(release.session_id, minute_of(release)) for release in found.releases] == [
        ("b", 70.0),
        ("c", 75.0),
        ("d", 140.0),
        ("a", 145.0),
    ]


def test_the_grace_begins_anew_after_sleep(path: Path) -> None:
    found = run(path, idle(HOUR_S, grace_s=600.0), {"one": "idle 100"}, sleeps={65: 600})
    # announced after 60 min, and again when the machine woke after 65
    assert [minute_of(release) - 600 for release in found.releases] == pytest.approx([76], abs=2)


@pytest.mark.parametrize(
    "match",
    [
        Match(session="one"),
        Match(session="alpha:one"),
        Match(host="ALPHA"),
        Match(folder="/home/alex"),
        Match(folder="/home/alex/shop"),
    ],
)
def test_exceptions_hold_by_session_host_and_folder(match: Match) -> None:
    spells = [(0, 100, State.IDLE, GB, 0.0)]
    past = past_of([track("one", spells), track("two", spells, host="beta", folder="/srv")], 100)
    spared = simulate(past, idle(HOUR_S, never=(match,))).releases
    assert [release.key for release in spared] == ["beta:two"]
    alone = simulate(past, idle(HOUR_S, only=(match,))).releases
    assert [release.key for release in alone] == ["alpha:one"]


def test_whose_folder_is_not_known_is_spared_where_a_folder_is() -> None:
    past = past_of([track("one", [(0, 100, State.IDLE, GB, 0.0)], folder=None)], 100)
    assert simulate(past, idle(HOUR_S, never=(Match(folder="/srv"),))).releases == ()
    assert simulate(past, idle(HOUR_S, only=(Match(folder="/srv"),))).releases == ()


def test_nothing_is_released_that_is_idle_for_less_than_the_settings_say(path: Path) -> None:
    found = run(path, idle(300.0), {"one": "busy 5, idle 60"})
    assert minute_of(found.releases[0]) == pytest.approx(5 + 15 + 1, abs=2)


# ---- sums


def test_the_peak_is_what_was_free_at_one_moment(path: Path) -> None:
    scripts = {"a": "idle 200", "b": "busy 30, idle 170", "c": "idle 70, gone 130"}
    found = run(path, idle(HOUR_S), scripts)
    assert found.peak_freed_bytes == 2 * GB
    assert len(found.releases) == 3


def test_the_peak_follows_what_a_released_session_held_in_the_record() -> None:
    spells = [(0, 100, State.IDLE, GB, 0.0), (100, 200, State.IDLE, 3 * GB, 0.0), (200, 300, State.IDLE, 2 * GB, 0.0)]
    found = simulate(past_of([track("one", spells)], 300), idle(HOUR_S))
    assert found.releases[0].bytes == GB
    assert found.peak_freed_bytes == 3 * GB
    assert found.freed_byte_hours == pytest.approx((39 * 1 + 100 * 3 + 100 * 2) / 60 * GB, rel=0.01)


def test_days_are_those_of_the_calendar_and_add_up(path: Path) -> None:
    scripts = {"one": "busy 10, idle 1500, busy 10, idle 700", "two": "busy 2000, idle 80, busy 140"}
    found = run(path, idle(HOUR_S), scripts)
    assert len(found.days) == 2 or len(found.days) == 3
    assert sum(day.freed_byte_hours for day in found.days) == pytest.approx(found.freed_byte_hours)
    assert sum(day.releases for day in found.days) == len(found.releases) == 3
    assert sum(day.wrong for day in found.days) == len(found.wrong) == 1
    assert [day.day for day in found.days] == sorted(day.day for day in found.days)


def test_what_is_free_over_midnight_counts_to_both_days() -> None:
    local = datetime.fromtimestamp(START_S)
    to_midnight = 24 * 60 - local.hour * 60 - local.minute
    to_midnight += 1440 if to_midnight < 120 else 0
    length = to_midnight + 300
    found = simulate(past_of([track("one", [(0, length, State.IDLE, GB, 0.0)])], length), idle(HOUR_S))
    before, after = found.days[-2:]
    assert before.freed_byte_hours == pytest.approx(min(to_midnight - 61, 1440) / 60 * GB, rel=0.01)
    assert after.freed_byte_hours == pytest.approx(5 * GB, rel=0.01)
    assert (sum(day.releases for day in found.days), after.releases) == (1, 0)


def test_an_empty_history_gives_an_empty_answer(path: Path) -> None:
    (found,) = simulate_history(path, START_S, START_S + HOUR_S, [idle(HOUR_S)])
    assert (found.releases, found.days, found.covered_s, found.peak_freed_bytes) == ((), (), 0.0, 0)
    swept = sweep_history(path, START_S, START_S + HOUR_S, idle(HOUR_S))
    assert [point.touched for point in swept.points] == [0] * len(THRESHOLDS_S)


# ---- many thresholds


def test_a_longer_wait_frees_less_and_touches_less_wrongly(path: Path) -> None:
    scripts = {f"s{n}": f"busy 10, idle {20 + 40 * n}, busy 10, idle 300" for n in range(8)}
    until_s = write(path, looks(scripts))
    swept = sweep_history(path, START_S, until_s, idle(2 * HOUR_S), Terms(idle_after_s=0.0))
    assert [point.threshold_s for point in swept.points] == list(THRESHOLDS_S)
    freed = [point.freed_byte_hours for point in swept.points]
    assert freed == sorted(freed, reverse=True)
    assert swept.points[0].touched == 8
    assert swept.points[0].releases >= swept.points[0].wrong_releases >= swept.points[0].wrong > 0
    assert swept.points[-1].touched == 0


def test_each_point_is_what_the_policy_alone_would_have_done(path: Path) -> None:
    scripts = {f"s{n}": f"busy {10 + n}, idle {20 + 40 * n}, busy 10, idle 100" for n in range(6)}
    until_s = write(path, looks(scripts))
    swept = sweep_history(path, START_S, until_s, idle(1.0, most_an_hour=2), thresholds_s=(7200.0, 900.0))
    assert [point.threshold_s for point in swept.points] == [900.0, 7200.0]
    for point in swept.points:
        (alone,) = simulate_history(path, START_S, until_s, [idle(point.threshold_s, most_an_hour=2)])
        assert point.freed_byte_hours == pytest.approx(alone.freed_byte_hours)
        assert (point.releases, point.wrong_releases) == (len(alone.releases), len(alone.wrong))
        assert (point.touched, point.peak_freed_bytes) == (alone.touched, alone.peak_freed_bytes)


def test_a_policy_without_a_time_of_its_own_is_swept_by_that_of_the_settings(path: Path) -> None:
    until_s = write(path, looks({"a": "idle 100", "b": "idle 100"}))
    most = Policy(name="most", trigger=Trigger.MOST, at_most=1)
    swept = sweep_history(path, START_S, until_s, most, thresholds_s=(600.0, 86_400.0))
    assert [point.releases for point in swept.points] == [1, 0]
    assert swept.policy == most


def test_that_the_settings_want_more_is_said_beside_the_sweep(path: Path) -> None:
    past = past_of([track("one", [(0, 100, State.IDLE, GB, 0.0)])], 100)
    assert "idle_after_s is 15" in sweep(past, idle(HOUR_S)).not_simulated[-1]
    assert isinstance(sweep(past, idle(HOUR_S), ()), Sweep)


# ---- pasts that are made up


def track(
    name: str,
    spells: Sequence[tuple[int, int, State | None, int, float]],
    *,
    host: str = "alpha",
    kind: GroupKind = GroupKind.SESSION,
    folder: str | None = "/home/alex/shop",
) -> Track:
    """Make a track of spells given in minutes."""
    codes = {None: 0, State.BUSY: 1, State.WAITING: 2, State.IDLE: 3, State.ENDED: 4, State.UNKNOWN: 5}
    of_session = kind is GroupKind.SESSION
    made = Track(
        key=f"{host}:{name}", kind=kind, host=host, session_id=name if of_session else None, title=name, folder=folder
    )
    for since, until, state, held, cpu in spells:
        since_s, until_s = START_S + since * MIN_S, START_S + until * MIN_S
        made.add(since_s, until_s, codes[state], held >> 10, cpu, joins=False, by_size=True)
    return made


def past_of(tracks: list[Track], length_min: int, **more: Any) -> Past:
    until_s = float(START_S + length_min * MIN_S)
    whole = Past(
        since_epoch_s=float(START_S), until_epoch_s=until_s, measured=((float(START_S), until_s),), tracks=tuple(tracks)
    )
    return replace(whole, **more)


def made(scripts: Mapping[str, str], **more: Any) -> Past:
    """Make a past of scripts, without a file."""
    tracks = []
    length = 0
    for name, script in scripts.items():
        spells: list[tuple[int, int, State | None, int, float]] = []
        at = 0
        for part in script.split(","):
            word, count = part.split()
            if word != "gone":
                spells.append((at, at + int(count), STATES[word], GB, 0.0))
            at += int(count)
        tracks.append(track(name, spells))
        length = max(length, at)
    return past_of(tracks, length, **more)


LENGTH_MIN = 600


@st.composite
def pasts(draw: st.DrawFn) -> Past:
    """Draw ten hours of up to five sessions, with sleep in between."""
    tracks = []
    for number in range(draw(st.integers(1, 5))):
        at = 0
        spells: list[tuple[int, int, State | None, int, float]] = []
        while at < LENGTH_MIN:
            length = draw(st.integers(1, 150))
            state = draw(st.sampled_from([*STATES.values(), State.IDLE, State.IDLE, None]))
            if draw(st.integers(0, 9)) > 0:
                held = draw(st.integers(0, 4096)) << 20
                spells.append((at, min(LENGTH_MIN, at + length), state, held, draw(st.sampled_from([0.1, 2.0, 40.0]))))
            at += length
        tracks.append(track(f"s{number}", spells, host=draw(st.sampled_from(["alpha", "beta"]))))
    measured: list[tuple[float, float]] = []
    gaps: list[Gap] = []
    at = 0
    while at < LENGTH_MIN:
        until = min(LENGTH_MIN, at + draw(st.integers(30, 400)))
        measured.append((START_S + at * 60.0, START_S + until * 60.0))
        at = until + draw(st.integers(1, 60))
        gaps.append(
            Gap(
                kind=draw(st.sampled_from(GapKind)),
                since_epoch_s=START_S + until * 60.0,
                until_epoch_s=START_S + at * 60.0,
            )
        )
    return past_of(
        [one for one in tracks if len(one)],
        LENGTH_MIN,
        measured=tuple(measured),
        gaps=tuple(gaps[:-1]),
        samples_since_s=draw(st.sampled_from([float("inf"), START_S + 18_000.0])),
    )


POLICIES = st.builds(
    Policy,
    name=st.just("p"),
    trigger=st.just(Trigger.IDLE),
    after_s=st.sampled_from([60.0, 1800.0, 7200.0]),
    most_an_hour=st.integers(1, 5),
    grace_s=st.sampled_from([10.0, 60.0, 900.0]),
    quiet=st.sampled_from(
        [(), (QuietHours(since_min=720, until_min=900),), (QuietHours(since_min=1200, until_min=60),)]
    ),
) | st.sampled_from(
    [
        Policy(name="p", trigger=Trigger.MOST, at_most=0),
        Policy(name="p", trigger=Trigger.MOST, at_most=1, most_an_hour=1),
        Policy(name="p", trigger=Trigger.TOTAL, over_bytes=GB),
    ]
)


def at(track_: Track, epoch_s: float) -> Spell | None:
    return next((spell for spell in track_.spells if spell.since_s <= epoch_s < spell.until_s), None)


def measured_between(past: Past, since_s: float, until_s: float) -> float:
    return sum(max(0.0, min(b, until_s) - max(a, since_s)) for a, b in past.measured)


@settings(max_examples=60, deadline=None)
@given(
    past=pasts(),
    policy=POLICIES,
    terms=st.builds(Terms, soon_s=st.just(1800.0), idle_after_s=st.sampled_from([0.0, 900.0])),
)
def test_whatever_happened_the_replay_keeps_to_the_record_and_to_the_limits(
    past: Past, policy: Policy, terms: Terms
) -> None:
    found = simulate(past, policy, terms)
    by_key = {track_.key: track_ for track_ in past.tracks}
    held_byte_s = sum(
        spell.held_bytes * measured_between(past, spell.since_s, spell.until_s)
        for track_ in past.tracks
        for spell in track_.spells
    )
    most = sum(max(spell.held_bytes for spell in track_.spells) for track_ in past.tracks)
    assert 0 <= found.freed_byte_hours * HOUR_S <= held_byte_s * (1 + 1e-9)
    assert found.peak_freed_bytes <= most
    assert sum(day.freed_byte_hours for day in found.days) == pytest.approx(found.freed_byte_hours)
    times = sorted(release.at_epoch_s for release in found.releases)
    for release in found.releases:
        # idle at that moment: the end of a stretch belongs to the spell before it
        spell = at(by_key[release.key], release.at_epoch_s) or at(by_key[release.key], release.at_epoch_s - 1)
        assert spell is not None
        assert spell.state is State.IDLE
        assert release.bytes == spell.held_bytes
        assert any(a <= release.at_epoch_s <= b for a, b in past.measured)
        assert sum(release.at_epoch_s - HOUR_S < other <= release.at_epoch_s for other in times) <= policy.most_an_hour
        least_s = max(policy.after_s or 0.0, terms.idle_after_s)
        for before in by_key[release.key].spells:
            if before.state in (State.BUSY, State.WAITING) and before.until_s <= release.at_epoch_s:
                assert measured_between(past, before.until_s, release.at_epoch_s) >= least_s - 1e-6
        for quiet in policy.quiet:
            local = datetime.fromtimestamp(release.at_epoch_s)
            minute = local.hour * 60 + local.minute
            inside = quiet.since_min <= minute < quiet.until_min
            if quiet.since_min > quiet.until_min:
                inside = minute >= quiet.since_min or minute < quiet.until_min
            assert not inside
        if release.came in (Came.WRONG, Came.LATER):
            assert release.worked_again_s is not None
            assert (release.worked_again_s <= terms.soon_s) is (release.came is Came.WRONG)


def naive(words: Mapping[str, list[str]], after_min: int, most_an_hour: int) -> list[tuple[str, int, int | None]]:
    """Say minute by minute, as plainly as can be, who is released when and works again when; grace is a minute."""
    length = len(next(iter(words.values())))
    idle_since: dict[str, int] = {}
    out: dict[str, tuple[int, int]] = {}
    due: dict[str, int] = {}
    done: list[tuple[str, int, int | None]] = []
    for minute in range(length + 1):
        for name, told in words.items():
            word = told[min(minute, length - 1)]
            if word in ("busy", "waiting", "gone", "ended"):
                idle_since.pop(name, None)
            elif word == "idle":
                idle_since.setdefault(name, minute)
            if name in out and word in ("busy", "waiting", "gone"):
                number, at_minute = out.pop(name)
                done[number] = (name, at_minute, minute if word != "gone" else None)
        if minute == 0:
            continue
        wanted = [
            name
            for since, name in sorted((since, name) for name, since in idle_since.items())
            if minute - since >= after_min and name not in out and words[name][min(minute, length - 1)] == "idle"
        ]
        due = {name: at_minute for name, at_minute in due.items() if name in wanted}
        for name in wanted:
            lately = sum(minute - 60 < at_minute for _, at_minute, _ in done)
            if name not in due and lately + len(due) >= most_an_hour:
                continue
            if due.setdefault(name, minute + 1) <= minute:
                del due[name]
                out[name] = (len(done), minute)
                done.append((name, minute, None))
    return sorted(done, key=lambda one: (one[1], one[0]))


@settings(max_examples=60, deadline=None)
@given(
    scripts=st.lists(
        st.lists(
            st.tuples(st.sampled_from([*STATES, "gone", "idle", "idle"]), st.integers(1, 200)), min_size=8, max_size=8
        ),
        min_size=1,
        max_size=6,
    ),
    after_min=st.sampled_from([5, 30, 90]),
    most_an_hour=st.integers(1, 4),
)
def test_it_agrees_with_a_plain_replay_minute_by_minute(
    scripts: list[list[tuple[str, int]]], after_min: int, most_an_hour: int
) -> None:
    length = min(sum(count for _, count in script) for script in scripts)
    words: dict[str, list[str]] = {}
    for number, script in enumerate(scripts):
        words[f"s{number}"] = [word for word, count in script for _ in range(count)][:length]
    past = made({name: ", ".join(f"{word} 1" for word in told) for name, told in words.items()})
    policy = idle(after_min * 60.0, most_an_hour=most_an_hour)
    found = simulate(past, policy, Terms(idle_after_s=0.0))
    told = [
        (
            release.title,
            round(minute_of(release)),
            None if release.worked_again_s is None else round(minute_of(release) + release.worked_again_s / MIN_S),
        )
        for release in found.releases
    ]
    assert told == naive(words, after_min, most_an_hour)
