"""The words and number formats that every face shares."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from trayapp import wording
from trayapp.model.plan import Action, Allowed, Decision, Reason
from trayapp.model.session import SessionKey, State
from trayapp.model.snapshot import Group, GroupKind, Verdict

GB = 1024**3
MB = 1024**2
NOW = 1_764_500_000.0


def session(verdict: Verdict | None, *, kind: GroupKind = GroupKind.SESSION, flags: tuple[str, ...] = ()) -> Group:
    return Group(key="h:1", kind=kind, host="h", members=(), session=SessionKey("h", "1"), verdict=verdict, flags=flags)


@pytest.mark.parametrize(
    ("size", "said"),
    [
        (int(1.2 * GB), "1.2\u202fGB"),
        (58 * MB, "58\u202fMB"),
        (512 * MB, "0.5\u202fGB"),
        (int(99.94 * GB), "99.9\u202fGB"),
        (int(99.96 * GB), "100\u202fGB"),
        (128 * GB, "128\u202fGB"),
        (-int(2.6 * GB), "\u22122.6\u202fGB"),
        (1000, "<1\u202fMB"),
        (0, "0\u202fMB"),
        (None, "–"),
    ],
)
def test_memory_is_said_in_the_formats_of_the_design(size: int | None, said: str) -> None:
    assert wording.memory(size) == said


def test_a_face_with_a_locale_hands_in_its_decimal_point() -> None:
    assert wording.memory(int(1.2 * GB), decimal_point=",") == "1,2\u202fGB"
    assert wording.percent(8.92, decimal_point=",") == "8,9\u202f%"


@pytest.mark.parametrize(
    ("cpu", "said"),
    [(84.42, "84.4\u202f%"), (0.3, "0.3\u202f%"), (99.97, "100\u202f%"), (240.4, "240\u202f%"), (None, "–")],
)
def test_cpu_has_one_decimal_below_a_whole_core(cpu: float | None, said: str) -> None:
    assert wording.percent(cpu) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (40.9, "40\u202fs"),
        (12 * 60 + 5, "12\u202fmin"),
        (2 * 3600 + 14 * 60 + 59, "2\u202fh 14\u202fmin"),
        (27 * 3600, "1\u202fd 3\u202fh"),
        (7200, "2\u202fh"),
        (-3, "0\u202fs"),
        (None, "–"),
    ],
)
def test_durations_have_their_two_largest_units(seconds: float | None, said: str) -> None:
    assert wording.duration(seconds) == said


def test_a_moment_of_today_has_no_date() -> None:
    moment = time.mktime((2026, 11, 30, 14, 6, 0, 0, 0, -1))
    assert wording.clock_time(moment, now_epoch_s=moment + 60) == "14:06"
    assert wording.clock_time(moment, now_epoch_s=moment + 86400) == "2026-11-30 14:06"


@pytest.mark.parametrize(
    ("group", "said"),
    [
        (session(Verdict(state=State.BUSY, since_epoch_s=NOW - 720)), "Busy, turn of 12\u202fmin"),
        (session(Verdict(state=State.BUSY)), "Busy"),
        (session(Verdict(state=State.WAITING, since_epoch_s=NOW - 360)), "Waiting for you, 6\u202fmin"),
        (session(Verdict(state=State.IDLE, idle_s=8040)), "Idle 2\u202fh 14\u202fmin"),
        (session(Verdict(state=State.UNKNOWN)), "Cannot tell"),
        (session(Verdict(state=State.IDLE, idle_s=900, stale_s=40)), "Cannot tell, last seen idle"),
        (session(None, kind=GroupKind.ORPHAN_HELPER), "Its session is gone"),
        (session(None, kind=GroupKind.ORPHAN_HELPER, flags=("leftover",)), "Left over from an earlier run"),
        (session(None, kind=GroupKind.ORPHAN_WORK), "A job its session left running"),
    ],
)
def test_states_are_said_as_their_rows_show_them(group: Group, said: str) -> None:
    assert wording.state_words(group, now_epoch_s=NOW) == said


def test_an_ended_session_says_when() -> None:
    ended = session(Verdict(state=State.ENDED, since_epoch_s=NOW - 60))
    assert wording.state_words(ended, now_epoch_s=NOW) == f"Ended {wording.clock_time(NOW - 60, now_epoch_s=NOW)}"


def test_every_kind_of_group_has_words() -> None:
    for kind in GroupKind:
        assert wording.state_words(session(None, kind=kind), now_epoch_s=NOW)


def test_a_decision_that_time_alone_will_change_says_when() -> None:
    short = Decision(
        action=Action.RELEASE,
        allowed=Allowed.CONFIRM,
        reason=Reason.IDLE_CONFIRMED,
        detail="Idle for a short time only",
        eligible_in_s=240.0,
    )
    assert wording.decision_words(short) == "Idle for a short time only, can be judged in 4\u202fmin"
    assert wording.decision_words(replace(short, eligible_in_s=None)) == "Idle for a short time only"
