"""Policies at work: a notice first, a second look after it, one thing at a time, and a stop at the first doubt."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from tests.reclaim.policy_desk import Desk, receipt
from tests.reclaim.policy_scenes import GB, HOUR, busy, orphan, scene, session
from tests.rows import NOW_EPOCH_S
from trayapp.model.plan import Action
from trayapp.model.policy import Match, Policy, QuietHours, Trigger
from trayapp.model.process import Pressure
from trayapp.model.receipt import Fate
from trayapp.targets import target_of

IDLE = Policy(name="idle", trigger=Trigger.IDLE, after_s=4 * HOUR, on=True, grace_s=60.0, most_an_hour=4)
OLD = session("a", idle_s=9 * HOUR)
OLDER = session("b", idle_s=10 * HOUR)


def test_it_announces_waits_looks_again_and_then_acts() -> None:
    desk = Desk(IDLE)
    desk.see(OLD)
    (notice,) = desk.keeper.notices()
    assert (notice.choice.group_key, notice.choice.policy, notice.due_epoch_s) == ("acme:a", "idle", NOW_EPOCH_S + 60)
    desk.watch(OLD, for_s=58)
    assert (desk.begun, desk.keeper.notices()[0].due_epoch_s) == ([], NOW_EPOCH_S + 60)
    desk.watch(OLD, for_s=2)
    assert desk.announced == []
    desk.act()
    ((target, origin),) = desk.asked
    assert origin == "policy idle"
    assert (target.group_key, target.action, target.unattended) == ("acme:a", Action.RELEASE, True)
    assert (target.confirmed, target.force, target.expected_bytes) == (False, False, GB)
    assert target.members == tuple(member.process.identity for member in OLD.members)
    assert desk.keeper.problems == ()


def test_a_policy_that_says_so_may_end_with_sigkill() -> None:
    desk = Desk(replace(IDLE, sigkill=True))
    desk.see(OLD)
    desk.watch(OLD, for_s=60)
    desk.act()
    assert desk.asked[0][0].force


def test_a_policy_that_is_off_announces_nothing_but_tells_what_it_would_do() -> None:
    desk = Desk(replace(IDLE, on=False))
    seen = desk.see(OLD)
    desk.watch(OLD, for_s=300)
    assert (desk.announced, desk.begun) == ([], [])
    (run,) = desk.keeper.dry_runs(seen)
    assert [choice.group_key for choice in run.choices] == ["acme:a"]


def test_what_changes_in_the_grace_is_withdrawn_and_begins_anew() -> None:
    desk = Desk(IDLE)
    desk.see(OLD)
    desk.watch(OLD, for_s=50)
    desk.see(busy("a"))
    assert desk.announced == []
    desk.pass_(2)
    desk.see(OLD)
    assert desk.keeper.notices()[0].due_epoch_s == NOW_EPOCH_S + 52 + 60
    desk.watch(OLD, for_s=58)
    assert desk.begun == []


def test_what_a_person_keeps_is_withdrawn_at_once_and_left_for_an_hour() -> None:
    desk = Desk(IDLE)
    desk.see(OLD)
    desk.watch(OLD, for_s=59, every_s=1)
    assert desk.keeper.keep("acme:a")
    assert desk.announced == []
    desk.watch(OLD, for_s=HOUR - 60, every_s=20)
    assert (desk.announced, desk.begun) == ([], [])
    desk.watch(OLD, for_s=100, every_s=20)
    assert desk.announced == ["a"]


def test_keeping_for_today_holds_as_long_as_said() -> None:
    desk = Desk(IDLE)
    desk.see(OLD)
    desk.keeper.keep("acme:a", for_s=8 * HOUR)
    desk.watch(OLD, for_s=8 * HOUR - 20, every_s=60)
    assert desk.announced == []


def test_what_has_begun_cannot_be_kept_any_more_and_says_so() -> None:
    desk = Desk(IDLE)
    desk.see(OLD)
    desk.watch(OLD, for_s=60)
    assert not desk.keeper.keep("acme:a")
    desk.act()
    assert desk.keeper.keep("acme:a")


def test_what_the_user_keeps_by_the_plan_is_withdrawn() -> None:
    desk = Desk(IDLE)
    desk.see(OLD)
    desk.watch(OLD, for_s=59, every_s=1)
    desk.pass_(1)
    desk.see(OLD, kept=frozenset({"acme:a"}))
    assert (desk.announced, desk.begun) == ([], [])


def test_one_thing_is_done_at_a_time() -> None:
    desk = Desk(IDLE)
    desk.see(OLD, OLDER)
    desk.watch(OLD, OLDER, for_s=80)
    assert len(desk.begun) == 1
    desk.act()
    assert desk.released == ["b"]
    desk.watch(OLD, for_s=2)
    desk.act()
    assert desk.released == ["b", "a"]


@pytest.mark.parametrize("how", ["sleep", "gap", "long between", "clock set", "old snapshot", "clock backwards"])
def test_after_anything_unseen_every_grace_begins_anew(how: str) -> None:
    desk = Desk(IDLE)
    desk.see(OLD)
    desk.watch(OLD, for_s=58)
    if how == "sleep":
        desk.pass_(3600, asleep=True)
    elif how == "long between":
        desk.pass_(151)
    elif how == "clock set":
        desk.epoch_s += 31
    elif how == "clock backwards":
        desk.epoch_s -= 3600
    desk.pass_(2)
    if how == "old snapshot":
        seen = desk.see()
        desk.keeper.take(replace(scene(OLD, now_epoch_s=desk.epoch_s - 31, monotonic_s=desk.monotonic_s), gap=False))
        assert seen is not None
    else:
        desk.see(OLD, gap=how == "gap")
    assert (desk.begun, desk.announced) == ([], ["a"])
    assert desk.keeper.notices()[0].due_epoch_s == desk.epoch_s + 60
    desk.watch(OLD, for_s=58)
    assert desk.begun == []
    desk.watch(OLD, for_s=4)
    assert len(desk.begun) == 1


def test_quiet_hours_that_begin_in_the_grace_withdraw_it() -> None:
    desk = Desk(replace(IDLE, quiet=(QuietHours(since_min=22 * 60, until_min=7 * 60),)))
    evening = desk.local(NOW_EPOCH_S).replace(hour=21, minute=59, second=30)
    desk.local = lambda epoch_s: evening + (desk_time(epoch_s) - desk_time(NOW_EPOCH_S))
    desk_time = Desk(IDLE).local
    desk.see(OLD)
    assert desk.announced == ["a"]
    desk.watch(OLD, for_s=120)
    assert (desk.announced, desk.begun) == ([], [])


# ---- how often


def test_no_more_than_so_many_an_hour_are_done_also_over_a_restart() -> None:
    many = [session(str(n), idle_s=(20 - n) * HOUR) for n in range(6)]
    desk = Desk(replace(IDLE, most_an_hour=2))
    desk.see(*many)
    for _ in range(50):
        desk.watch(*(g for g in many if g.key.partition(":")[2] not in desk.released), for_s=60, every_s=20)
        desk.act()
    assert desk.released == ["0", "1"]
    desk.another()
    left = [g for g in many if g.key.partition(":")[2] not in desk.released]
    desk.see(*left)
    desk.watch(*left, for_s=300, every_s=20)
    assert (desk.announced, desk.begun) == ([], [])
    desk.watch(*left, for_s=600, every_s=20)
    desk.act()
    assert desk.released == ["0", "1", "2"]


def test_what_could_not_be_written_down_counts_as_well() -> None:
    many = [session(str(n), idle_s=(20 - n) * HOUR) for n in range(4)]
    desk = Desk(replace(IDLE, most_an_hour=1))
    desk.written = False
    desk.see(*many)
    for _ in range(10):
        desk.watch(*many, for_s=60, every_s=20)
        desk.act()
    assert desk.released == ["0"]


def test_what_another_program_did_under_the_same_policy_counts() -> None:
    desk = Desk(replace(IDLE, most_an_hour=1))
    desk.see(OLD)
    desk.watch(OLD, for_s=58)
    decision = scene(OLDER).groups[0].decision(Action.RELEASE)
    assert decision is not None
    target = target_of(OLDER, decision)
    desk.journal.append(receipt(target, origin="policy idle", fate=Fate.RELEASED, at_epoch_s=desk.epoch_s, number=99))
    desk.watch(OLD, for_s=20)
    assert (desk.begun, desk.announced) == ([], [])


def test_under_pressure_each_gets_a_notice_of_its_own_and_a_minute_between() -> None:
    desk = Desk(Policy(name="p", trigger=Trigger.PRESSURE, on=True, grace_s=10.0))
    desk.see(OLD, OLDER, pressure=Pressure.CRITICAL)
    assert desk.announced == ["b"]
    desk.watch(OLD, OLDER, for_s=10, pressure=Pressure.CRITICAL)
    desk.act()
    desk.watch(OLD, for_s=58, pressure=Pressure.CRITICAL)
    assert (desk.announced, desk.released) == ([], ["b"])
    desk.watch(OLD, for_s=4, pressure=Pressure.CRITICAL)
    assert desk.announced == ["a"]
    desk.watch(OLD, for_s=4)
    assert desk.announced == []


# ---- two policies


def test_what_two_policies_choose_is_announced_once_and_stays_with_the_first_that_did() -> None:
    later = Policy(name="later", trigger=Trigger.IDLE, after_s=9.5 * HOUR, on=True, grace_s=60.0)
    desk = Desk(later, IDLE)
    desk.see(OLD)
    assert [n.choice.policy for n in desk.keeper.notices()] == ["idle"]
    older = session("a", idle_s=9.6 * HOUR, members=OLD.members)
    desk.watch(older, for_s=60)
    desk.act()
    assert [origin for _, origin in desk.asked] == ["policy idle"]
    desk.see(OLDER)
    assert [n.choice.policy for n in desk.keeper.notices()] == ["later"]


def test_a_policy_that_is_changed_begins_anew() -> None:
    desk = Desk(IDLE)
    desk.see(OLD)
    desk.watch(OLD, for_s=58)
    desk.settings = desk.settings.with_policies((replace(IDLE, after_s=5 * HOUR),))
    desk.watch(OLD, for_s=58)
    assert (desk.begun, desk.announced) == ([], ["a"])
    desk.settings = desk.settings.with_policies((replace(IDLE, on=False),))
    desk.watch(OLD, for_s=2)
    assert desk.announced == []
    desk.settings = desk.settings.with_policies(())
    desk.watch(OLD, for_s=2)
    assert (desk.announced, desk.keeper.dry_runs(desk.see(OLD))) == ([], ())


# ---- it switches itself off


def test_a_policy_whose_action_survived_switches_itself_off_until_the_user_switches_it_on() -> None:
    desk = Desk(IDLE)
    desk.fate = Fate.SURVIVED
    desk.see(OLD)
    desk.watch(OLD, for_s=60)
    desk.act()
    assert [policy.on for policy in desk.settings.policies] == [False]
    because = "It has switched itself off: what it released is still there (Title of a: 1 still runs)"
    assert dict(desk.keeper.switched_off()) == {"idle": because}
    assert desk.told == f"policy idle: {because}. Switch it on again, or `agentring policies on idle`"
    desk.watch(OLD, for_s=300)
    assert (desk.announced, desk.released) == ([], ["a"])
    desk.settings = desk.settings.with_policies((IDLE,))
    assert desk.told == ""
    desk.watch(OLD, for_s=2)
    assert desk.announced == ["a"]


def test_it_stays_off_where_that_cannot_be_written() -> None:
    desk = Desk(IDLE)
    desk.keeper._update = lambda _settings: None
    desk.fate = Fate.SURVIVED
    desk.see(OLD)
    desk.watch(OLD, for_s=60)
    desk.act()
    desk.watch(OLD, for_s=300)
    assert (desk.announced, desk.released, list(desk.keeper.switched_off())) == ([], ["a"], ["idle"])


def test_a_policy_whose_session_came_back_switches_itself_off() -> None:
    desk = Desk(IDLE)
    desk.see(OLD, OLDER)
    desk.watch(OLD, OLDER, for_s=60)
    desk.act()
    desk.keeper.note_return("acme:b", "idle")
    assert "what it released came back (Title of b)" in desk.told
    desk.watch(OLD, OLDER, for_s=300)
    assert (desk.announced, desk.released) == ([], ["b"])
    desk.keeper.note_return("acme:b", "is not there any more")
    assert desk.updates == 1


def test_what_was_found_to_have_survived_a_crash_of_ours_switches_it_off() -> None:
    desk = Desk(IDLE)
    desk.see(OLD)
    desk.watch(OLD, for_s=60)
    desk.act()
    crashed = replace(
        desk.journal[-1], outcomes=tuple(replace(o, fate=Fate.SURVIVED) for o in desk.journal[-1].outcomes)
    )
    desk.journal = [crashed]
    desk.another()
    desk.see(OLD)
    assert desk.announced == []
    assert [policy.on for policy in desk.settings.policies] == [False]


def test_only_how_a_policy_ended_last_counts_after_a_restart() -> None:
    desk = Desk(IDLE)
    desk.fate = Fate.SURVIVED
    desk.see(OLD)
    desk.watch(OLD, for_s=60)
    desk.act()
    desk.settings = desk.settings.with_policies((IDLE,))
    desk.fate = Fate.RELEASED
    desk.watch(OLD, for_s=64)
    desk.act()
    assert desk.released == ["a", "a"]
    desk.another()
    desk.see(OLDER)
    assert (desk.announced, desk.told) == (["b"], "")


def test_what_is_refused_at_the_last_moment_is_left_for_a_while() -> None:
    desk = Desk(IDLE)
    desk.fate = Fate.REFUSED
    desk.see(OLD)
    desk.watch(OLD, for_s=60)
    desk.act()
    desk.watch(OLD, for_s=590, every_s=10)
    assert (desk.announced, desk.told) == ([], "")
    desk.watch(OLD, for_s=20, every_s=10)
    assert desk.announced == ["a"]


# ---- it fails closed


def test_while_it_is_held_back_nothing_is_announced_or_done() -> None:
    desk = Desk(IDLE)
    desk.see(OLD)
    desk.watch(OLD, for_s=58)
    desk.held_back = "Another program measures here"
    desk.watch(OLD, for_s=10)
    assert (desk.announced, desk.begun) == ([], [])
    desk.held_back = None
    desk.watch(OLD, for_s=60)
    assert desk.begun == []


@pytest.mark.logs
def test_any_fault_of_its_own_ends_all_policies_for_this_run_and_is_told() -> None:
    desk = Desk(IDLE, replace(IDLE, name="other"))
    desk.see(OLD)
    desk.watch(OLD, for_s=58)
    desk.keeper._held_back = lambda: 1 // 0  # type: ignore[assignment,return-value]
    desk.watch(OLD, for_s=10)
    assert (desk.announced, desk.begun) == ([], [])
    assert "working them out failed (ZeroDivisionError); none of them does anything until the next start" in desk.told
    desk.keeper._held_back = lambda: None
    desk.watch(OLD, for_s=300)
    assert (desk.announced, desk.begun) == ([], [])
    assert desk.settings.policies[0].on


@pytest.mark.logs
@pytest.mark.parametrize("what", ["the action", "the journal", "the settings"])
def test_a_fault_in_an_action_the_journal_or_the_settings_does_so_too(what: str) -> None:
    desk = Desk(IDLE)

    def fails(*_: object) -> list[object]:
        raise OSError(5, "cannot be read")

    if what == "the action":
        desk.fate = RuntimeError("no")
    elif what == "the journal":
        desk.keeper._receipts = fails  # type: ignore[assignment]
    else:
        desk.fate = Fate.SURVIVED
        desk.keeper._update = fails
    desk.see(OLD)
    desk.watch(OLD, for_s=60)
    desk.act()
    desk.watch(OLD, for_s=300)
    assert (desk.announced, desk.begun) == ([], [])
    assert "none of them does anything until the next start" in desk.told


@pytest.mark.logs
def test_a_dry_run_that_fails_says_so() -> None:
    desk = Desk(IDLE)
    desk.local = lambda _: 1 // 0  # type: ignore[assignment,return-value]
    (run,) = desk.keeper.dry_runs(scene(OLD))
    assert (run.triggered, run.why) == (
        False,
        "It does nothing: what it would do could not be worked out (ZeroDivisionError)",
    )


# ---- what it remembers


def test_an_orphan_is_as_old_as_it_was_watched() -> None:
    policy = Policy(name="orphans", trigger=Trigger.ORPHANS, after_s=HOUR, on=True)
    desk = Desk(policy)
    left = orphan("o", age_s=99 * HOUR)
    seen = scene(left)
    assert [c.group_key for c in desk.keeper.dry_runs(seen)[0].choices] == ["orphan-helper:o"]  # nobody watched yet
    desk.see(left)
    assert desk.announced == []
    desk.watch(left, for_s=HOUR - 2, every_s=30)
    assert desk.announced == []
    desk.watch(left, for_s=2)
    assert desk.announced == ["o"]
    desk.watch(for_s=2)
    desk.watch(left, for_s=HOUR - 2, every_s=30)
    assert desk.announced == []


def test_what_it_keeps_in_mind_is_let_go() -> None:
    desk = Desk(IDLE, Policy(name="orphans", trigger=Trigger.ORPHANS, after_s=HOUR, on=True))
    for round_ in range(40):
        group, left = session(f"s{round_}", idle_s=9 * HOUR), orphan(f"o{round_}")
        desk.see(group, left)
        desk.keeper.keep(f"acme:s{round_}", for_s=60)
        desk.watch(group, left, for_s=124)
        desk.act()
    desk.watch(for_s=2 * HOUR, every_s=60)
    keeper = desk.keeper
    kept = (keeper._announced, keeper._not_now, keeper._deeds, keeper._learned, keeper._orphans, keeper._stopped)
    assert len(desk.released) > 5
    assert [len(each or ()) for each in kept[:2]] == [0, 0]
    assert [len(each or ()) for each in kept[4:]] == [0, 0]
    desk.see(OLD)
    desk.watch(OLD, for_s=60)
    desk.act()
    assert (len(keeper._deeds or ()), len(keeper._learned)) == (1, 1)


def test_the_exception_of_a_folder_holds_where_its_links_lead(tmp_path: Path) -> None:
    (tmp_path / "real" / "project").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    policy = replace(IDLE, never=(Match(folder=str(tmp_path / "link")),))
    desk = Desk(policy)
    inside = session("a", idle_s=9 * HOUR, cwd=str(tmp_path / "real" / "project"))
    seen = desk.see(inside, OLDER)
    assert desk.announced == ["b"]
    ((key, why),) = desk.keeper.dry_runs(seen)[0].spared
    assert (key, why) == ("acme:a", f"The policy leaves the folder {tmp_path / 'real'} alone")


def test_why_it_is_off_is_told_from_the_settings_after_a_restart() -> None:
    desk = Desk(replace(IDLE, on=False))
    desk.settings = replace(desk.settings, stopped=MappingProxyType({"idle": "It came back", "gone": "Long ago"}))
    desk.another()
    assert desk.told == "policy idle: It came back. Switch it on again, or `agentring policies on idle`"
