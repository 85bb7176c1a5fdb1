"""One message for each crossing: limits with slack, a sustain time, a cooldown, and no time counted that was slept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from trayapp.alerts import (
    CALM_S,
    COOLDOWN_S,
    ORPHAN_AGE_S,
    SUSTAIN_S,
    Alert,
    AlertKind,
    Watch,
)
from trayapp.model.plan import Action
from trayapp.model.policy import Choice, Notice
from trayapp.model.process import Identity, Machine, Pressure
from trayapp.model.receipt import Fate, Outcome, Receipt, Return, Target
from trayapp.model.session import HostLabel
from trayapp.model.snapshot import Group, GroupKind, HeapUse, OwnCost, Snapshot, Totals
from trayapp.settings import Settings

GB = 1024**3
BEGIN = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
SETTINGS = Settings(alert_memory_gb=10.0, alert_heap_share=0.85)


class Machineroom:
    """Make snapshots: the clocks go on by what is asked, the figures are those of the last call."""

    def __init__(self, settings: Settings = SETTINGS) -> None:
        self.watch = Watch()
        self.settings = settings
        self.monotonic_s = 5000.0
        self.wall = BEGIN
        self.told: list[Alert] = []

    def look(
        self,
        after_s: float = 2.0,
        *,
        held_gb: float = 1.0,
        pressure: Pressure = Pressure.NORMAL,
        heap: float | None = None,
        orphans: Sequence[str] = (),
        slept_s: float = 0.0,
    ) -> list[AlertKind]:
        """Take one look after so many seconds, `slept_s` of which only the wall clock counts."""
        self.monotonic_s += after_s
        self.wall += timedelta(seconds=after_s + slept_s)
        alerts = self.watch.take(self._snapshot(held_gb, pressure, heap, orphans, gap=slept_s > 0), self.settings)
        self.told += alerts
        return [alert.kind for alert in alerts]

    def hold(self, seconds: float, **figures: object) -> list[AlertKind]:
        """Take a look every two seconds for so long."""
        return [kind for _ in range(round(seconds / 2)) for kind in self.look(2.0, **figures)]  # type: ignore[arg-type]

    def _snapshot(
        self, held_gb: float, pressure: Pressure, heap: float | None, orphans: Sequence[str], *, gap: bool
    ) -> Snapshot:
        held = round(held_gb * GB)
        groups = tuple(
            Group(key=key, kind=GroupKind.ORPHAN_HELPER, host=None, members=(), title=key, rss_bytes=100 << 20)
            for key in orphans
        )
        heaps = (
            (HeapUse(host="one", identity=Identity(7, 70), used_bytes=round(heap * 8 * GB), limit_bytes=8 * GB),)
            if heap is not None
            else ()
        )
        return Snapshot(
            taken_at=self.wall,
            monotonic_s=self.monotonic_s,
            interval_s=2.0,
            gap=gap,
            machine=Machine(
                name="desk",
                platform="linux",
                memory_total_bytes=32 * GB,
                memory_available_bytes=8 * GB,
                pressure=pressure,
                cpu_count=8,
            ),
            instances=(),
            labels=(HostLabel(host="one", title="Host One", letters="On"),),
            groups=groups,
            totals=Totals(
                processes=1,
                sessions=1,
                rss_bytes=held,
                footprint_bytes=held,
                held_bytes=held,
                cpu_percent=None,
                reclaimable_bytes=GB,
            ),
            own=OwnCost(rss_bytes=1, footprint_bytes=1, cpu_percent=None),
            heaps=heaps,
        )


@pytest.fixture
def room() -> Machineroom:
    return Machineroom()


# ---- a limit


def test_a_limit_is_told_once_when_it_has_been_crossed_for_a_while(room: Machineroom) -> None:
    room.look()
    assert room.hold(SUSTAIN_S, held_gb=11) == []
    assert room.hold(600, held_gb=11) == [AlertKind.MEMORY]
    assert (room.told[0].size_bytes, room.told[0].limit_bytes) == (11 * GB, 10 * GB)
    assert room.watch.lasting == {AlertKind.MEMORY}


def test_exactly_the_limit_is_not_over_it(room: Machineroom) -> None:
    assert room.hold(60, held_gb=10) == []


def test_a_short_peak_is_not_told(room: Machineroom) -> None:
    for _ in range(20):
        assert room.hold(SUSTAIN_S - 2, held_gb=12) == []
        assert room.look(held_gb=9.9) == []


def test_a_figure_that_swings_around_the_limit_is_told_once(room: Machineroom) -> None:
    told = [kind for n in range(400) for kind in room.hold(12 if n % 2 else 4, held_gb=10.1 if n % 2 else 9.9)]
    assert told == [AlertKind.MEMORY]


def test_after_it_was_well_below_and_the_cooldown_is_over_it_is_told_again(room: Machineroom) -> None:
    assert room.hold(20, held_gb=11) == [AlertKind.MEMORY]
    assert room.hold(CALM_S + 4, held_gb=8) == []
    assert room.watch.lasting == frozenset()
    assert room.hold(COOLDOWN_S, held_gb=8) == []
    assert room.hold(20, held_gb=11) == [AlertKind.MEMORY]


def test_just_below_the_limit_is_not_left_however_long(room: Machineroom) -> None:
    assert room.hold(20, held_gb=11) == [AlertKind.MEMORY]
    assert room.hold(2 * COOLDOWN_S, held_gb=9.5) == []
    assert room.hold(60, held_gb=11) == []


def test_a_condition_that_begins_again_within_the_cooldown_waits_for_its_end(room: Machineroom) -> None:
    assert room.hold(20, held_gb=11) == [AlertKind.MEMORY]
    told_s = room.monotonic_s - 8
    assert room.hold(CALM_S + 4, held_gb=8) == []
    kinds: list[AlertKind] = []
    while not kinds:
        kinds = room.look(held_gb=11)
    assert kinds == [AlertKind.MEMORY]
    assert COOLDOWN_S <= room.monotonic_s - told_s < COOLDOWN_S + 4


def test_a_condition_that_ended_within_the_cooldown_is_not_told_afterwards(room: Machineroom) -> None:
    assert room.hold(20, held_gb=11) == [AlertKind.MEMORY]
    room.hold(CALM_S + 4, held_gb=8)
    room.hold(30, held_gb=11)
    assert room.hold(2 * COOLDOWN_S, held_gb=8) == []


def test_another_limit_is_another_condition(room: Machineroom) -> None:
    assert room.hold(20, held_gb=11) == [AlertKind.MEMORY]
    room.settings = replace(SETTINGS, alert_memory_gb=5.0)
    assert room.hold(20, held_gb=11) == [AlertKind.MEMORY]
    room.settings = replace(SETTINGS, alert_memory_gb=0.0)
    assert room.hold(20, held_gb=30) == []
    assert room.watch.lasting == frozenset()


# ---- sleep


def test_slept_time_is_not_time_over_the_limit(room: Machineroom) -> None:
    room.look()
    assert room.look(held_gb=11) == []
    assert room.look(held_gb=11, slept_s=28_800) == []
    assert room.hold(SUSTAIN_S - 2, held_gb=11) == []
    assert room.look(held_gb=11) == [AlertKind.MEMORY]


def test_slept_time_is_not_calm_time_but_ends_the_cooldown(room: Machineroom) -> None:
    assert room.hold(20, held_gb=11) == [AlertKind.MEMORY]
    room.look(held_gb=8)
    room.look(held_gb=8, slept_s=28_800)
    assert room.watch.lasting == {AlertKind.MEMORY}
    room.hold(CALM_S + 2, held_gb=8)
    assert room.hold(20, held_gb=11) == [AlertKind.MEMORY]


def test_a_clock_that_was_set_back_does_not_silence_for_ever(room: Machineroom) -> None:
    assert room.hold(20, held_gb=11) == [AlertKind.MEMORY]
    room.wall -= timedelta(days=30)
    room.hold(COOLDOWN_S, held_gb=8)
    assert room.hold(20, held_gb=11) == [AlertKind.MEMORY]


# ---- pressure


def test_pressure_is_told_once_and_once_more_when_it_gets_worse(room: Machineroom) -> None:
    assert room.hold(60, pressure=Pressure.WARNING) == [AlertKind.PRESSURE]
    assert room.hold(60, pressure=Pressure.CRITICAL) == [AlertKind.CRITICAL]
    assert room.hold(60, pressure=Pressure.WARNING) == []
    assert [alert.key for alert in room.told] == [AlertKind.PRESSURE, AlertKind.PRESSURE]


def test_what_is_critical_at_once_is_told_once(room: Machineroom) -> None:
    assert room.hold(120, pressure=Pressure.CRITICAL) == [AlertKind.CRITICAL]


def test_pressure_that_is_not_known_says_nothing(room: Machineroom) -> None:
    assert room.hold(60, pressure=Pressure.WARNING) == [AlertKind.PRESSURE]
    assert room.hold(2 * CALM_S, pressure=Pressure.UNKNOWN) == []
    assert AlertKind.PRESSURE in room.watch.lasting
    room.settings = replace(SETTINGS, alert_pressure=False)
    assert room.hold(60, pressure=Pressure.CRITICAL) == []


# ---- heaps


def test_a_heap_over_its_share_is_told_by_its_hosts_name(room: Machineroom) -> None:
    assert room.hold(60, heap=0.86) == [AlertKind.HEAP]
    assert (room.told[0].name, room.told[0].limit_bytes) == ("Host One", 8 * GB)
    assert room.hold(2 * COOLDOWN_S, heap=0.81) == []
    room.hold(CALM_S + 4, heap=0.79)
    assert room.watch.lasting == frozenset()


def test_a_heap_whose_host_ended_is_forgotten(room: Machineroom) -> None:
    room.hold(60, heap=0.9)
    room.look()
    assert room.watch.lasting == frozenset()


# ---- orphans


def test_orphans_that_were_there_at_the_start_are_not_told(room: Machineroom) -> None:
    assert room.hold(600, orphans=["old"]) == []
    assert room.watch.lasting == frozenset()


def test_orphans_that_stay_are_told_together_and_once(room: Machineroom) -> None:
    room.look(orphans=["old"])
    room.look(orphans=["old", "a", "b"])
    assert room.hold(ORPHAN_AGE_S - 2, orphans=["old", "a", "b"]) == []
    assert room.hold(600, orphans=["old", "a", "b"]) == [AlertKind.ORPHANS]
    assert (room.told[0].count, room.told[0].name) == (2, "a, b")
    assert room.watch.lasting == {AlertKind.ORPHANS}
    room.look(orphans=["old"])
    assert room.watch.lasting == frozenset()


def test_helpers_that_outlive_their_session_by_a_moment_are_not_told(room: Machineroom) -> None:
    room.look()
    for n in range(40):
        assert room.hold(ORPHAN_AGE_S - 10, orphans=[f"helper-{n}"]) == []


def test_orphans_of_the_cooldown_are_told_when_it_is_over(room: Machineroom) -> None:
    room.look()
    room.hold(ORPHAN_AGE_S + 4, orphans=["a"])
    kinds = room.hold(COOLDOWN_S - ORPHAN_AGE_S - 10, orphans=["a", "b", "c"])
    assert kinds == []
    assert room.hold(120, orphans=["a", "b", "c"]) == [AlertKind.ORPHANS]
    assert room.told[-1].name == "b, c"


def test_who_does_not_want_to_hear_of_orphans_hears_of_none_that_were_there_meanwhile(room: Machineroom) -> None:
    room.settings = replace(SETTINGS, alert_orphans=False)
    room.look()
    assert room.hold(300, orphans=["a"]) == []
    room.settings = SETTINGS
    assert room.hold(300, orphans=["a"]) == []


# ---- policies, returns, mute


def notice(policy: str = "idle", key: str = "one:1", why: str = "Idle") -> Notice:
    choice = Choice(policy=policy, group_key=key, action=Action.RELEASE, title="T", host="one", bytes=GB, why=why)
    return Notice(choice=choice, due_epoch_s=1.0)


def test_each_announcement_is_told_once_while_it_stands(room: Machineroom) -> None:
    assert room.watch.take_notices([notice()], SETTINGS) == (notice(),)
    assert room.watch.take_notices([notice(why="Idle for longer")], SETTINGS) == ()
    assert room.watch.take_notices([notice(), notice(key="one:2")], SETTINGS) == (notice(key="one:2"),)
    room.watch.take_notices([], SETTINGS)
    assert room.watch.take_notices([notice()], SETTINGS) == (notice(),)
    assert room.watch.take_notices([notice(key="one:3")], replace(SETTINGS, alert_policies=False)) == ()


def receipt(origin: str) -> Receipt:
    target = Target(group_key="one:1", action=Action.RELEASE, members=(), title="T", host="one", expected_bytes=GB)
    outcome = Outcome(target=target, fate=Fate.RELEASED, sentence="gone", came_back_bytes=GB)
    return Receipt(
        receipt_id="r-7",
        started_at=BEGIN,
        finished_at=BEGIN,
        origin=origin,
        outcomes=(outcome,),
        available_before_bytes=0,
        available_after_bytes=0,
    )


def test_what_a_policy_did_is_told_once_and_what_a_person_did_never(room: Machineroom) -> None:
    assert room.watch.take_receipt(receipt("window"), SETTINGS) is None
    told = room.watch.take_receipt(receipt("policy idle"), SETTINGS)
    assert told is not None
    assert (told.kind, told.name, told.sentence, told.size_bytes) == (AlertKind.POLICY_DONE, "T", "idle", GB)
    assert room.watch.take_receipt(receipt("policy idle"), SETTINGS) is None


def test_what_runs_again_is_told_once(room: Machineroom) -> None:
    back = Return(receipt_id="r-7", group_key="one:1", title="T", at=BEGIN, after_s=20, by=None, members=())
    told = room.watch.take_return(back, SETTINGS)
    assert told is not None
    assert (told.kind, told.sentence) == (AlertKind.CAME_BACK, "It runs again, seen 20 s later")
    assert room.watch.take_return(back, SETTINGS) is None
    other = replace(back, receipt_id="r-8")
    assert room.watch.take_return(other, replace(SETTINGS, alert_not_held=False)) is None
