"""What a policy chooses, in which order, how much of it, and what it leaves alone; each with the sentence it gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.reclaim.policy_scenes import (
    DAY,
    GB,
    HOUR,
    MIN,
    NOON,
    backend,
    busy,
    in_heap,
    orphan,
    scene,
    session,
    waiting,
)
from tests.rows import NOW_EPOCH_S, evidence
from trayapp.model.plan import Action
from trayapp.model.policy import DryRun, Match, Policy, QuietHours, Trigger
from trayapp.model.process import Identity, Pressure
from trayapp.model.receipt import Fate, Outcome, Receipt, Target
from trayapp.model.session import EvidenceKind, Role, Speaks, State
from trayapp.model.snapshot import GroupKind, HeapUse, Snapshot
from trayapp.reclaim.policy import Deed, deeds_of, dry_run, suggested
from trayapp.wording import THIN_SPACE

IDLE_4H = Policy(name="idle", trigger=Trigger.IDLE, after_s=4 * HOUR)
HEAP_PID = Identity(500, 5)


def tried(policy: Policy, seen: Snapshot, *, local: datetime = NOON, **given: Any) -> DryRun:
    return dry_run(policy, seen, now_epoch_s=NOW_EPOCH_S, local=local, **given)


def keys(run: DryRun) -> list[str]:
    return [choice.group_key.partition(":")[2] for choice in run.choices]


def spared(run: DryRun) -> dict[str, str]:
    return {key.partition(":")[2]: why.replace(THIN_SPACE, " ") for key, why in run.spared}


def words(text: str) -> str:
    return text.replace(THIN_SPACE, " ")


def deeds(*minutes_ago: float, policy: str = "idle", host: str = "acme") -> list[Deed]:
    return [Deed(at_epoch_s=NOW_EPOCH_S - m * MIN, policy=policy, group_key="acme:x", host=host) for m in minutes_ago]


# ---- idle


def test_what_is_idle_for_longer_goes_the_longest_first_and_says_why() -> None:
    run = tried(
        IDLE_4H, scene(session("a", idle_s=5 * HOUR), session("b", idle_s=9 * HOUR), session("c", idle_s=3 * HOUR))
    )
    assert keys(run) == ["b", "a"]
    first = run.choices[0]
    assert (first.action, first.bytes, first.title, first.host) == (Action.RELEASE, GB, "Title of b", "acme")
    assert words(first.why) == "Idle for 9 h, longer than 4 h"
    assert words(run.why) == "2 sessions idle for longer than 4 h"
    assert run.spared == ()


def test_nothing_is_chosen_before_its_time() -> None:
    run = tried(IDLE_4H, scene(session("a", idle_s=4 * HOUR - 1)))
    assert (run.triggered, run.choices, words(run.why)) == (False, (), "No session is idle for longer than 4 h")


@pytest.mark.parametrize("make", [busy, waiting])
def test_what_works_or_waits_is_not_idle(make: Any) -> None:
    assert tried(IDLE_4H, scene(make("a"))).choices == ()


@pytest.mark.parametrize("state", [State.UNKNOWN, State.ENDED])
def test_what_is_not_known_is_not_idle(state: State) -> None:
    assert tried(IDLE_4H, scene(session("a", state=state))).choices == ()


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"confirmations": 1}, "Idle, not yet confirmed by a second look"),
        ({"age_s": 60.0}, "Too young to be judged"),
        ({"told": (evidence(EvidenceKind.VIEW, Speaks.PROTECTS),)}, "view speaks for protects"),
        ({"told": (evidence(EvidenceKind.WAKEUP, Speaks.PROTECTS),)}, "wakeup speaks for protects"),
        ({"flags": ("stale",)}, "What is known of it is old or not certain"),
        ({"flags": ("ambiguous",)}, "Two sessions claim this process"),
        ({"unit": "agent.service"}, "A service that runs on purpose"),
        ({"uid": 0}, "Another user's process"),
    ],
)
def test_what_the_plan_does_not_allow_alone_is_spared_with_its_reason(fields: dict[str, Any], why: str) -> None:
    run = tried(IDLE_4H, scene(session("a", **fields)))
    assert (keys(run), spared(run)) == ([], {"a": why})


def test_a_host_that_stopped_answering_is_left_alone() -> None:
    quiet = session("a")
    assert quiet.verdict is not None
    seen = scene(replace(quiet, verdict=replace(quiet.verdict, stale_s=40.0)))
    assert spared(tried(IDLE_4H, seen)) == {"a": "It is not known to be idle"}


def test_what_the_user_keeps_is_spared() -> None:
    run = tried(IDLE_4H, scene(session("a"), session("b"), kept=frozenset({"acme:a"})))
    assert (keys(run), spared(run)) == (["b"], {"a": "You want to keep it"})


def test_the_idle_time_of_the_settings_is_the_least() -> None:
    policy = Policy(name="soon", trigger=Trigger.IDLE, after_s=5 * MIN)
    run = tried(policy, scene(session("a", idle_s=10 * MIN)))
    assert spared(run) == {"a": "Idle for a short time only"}


# ---- somebody types


def test_nothing_goes_in_whose_terminal_somebody_typed_lately() -> None:
    at = scene(session("a", tty="pts/3", tty_input_epoch_s=NOW_EPOCH_S - 10 * MIN))
    assert spared(tried(IDLE_4H, at)) == {"a": "Somebody typed in its terminal 10 min ago"}
    assert keys(tried(replace(IDLE_4H, typed_s=9 * MIN), at)) == ["a"]


def test_a_terminal_that_cannot_be_read_and_one_of_the_future_protect() -> None:
    unread = scene(session("a", tty="pts/3"))
    assert spared(tried(IDLE_4H, unread)) == {"a": "Cannot tell when somebody typed in its terminal last"}
    future = scene(session("a", tty="pts/3", tty_input_epoch_s=NOW_EPOCH_S + HOUR))
    assert keys(tried(IDLE_4H, future)) == []
    assert keys(tried(replace(IDLE_4H, typed_s=0.0), unread)) == ["a"]


# ---- at most


MOST_2 = Policy(name="most", trigger=Trigger.MOST, at_most=2)


def test_of_each_host_the_most_recently_used_stay() -> None:
    seen = scene(
        *(session(name, idle_s=hours * HOUR) for name, hours in (("a", 1), ("b", 4), ("c", 2), ("d", 3))),
        *(session(name, host="beta", idle_s=hours * HOUR) for name, hours in (("x", 1), ("y", 2), ("z", 8))),
        busy("w"),
    )
    run = tried(MOST_2, seen)
    assert keys(run) == ["z", "b", "d"]
    assert words(run.choices[1].why) == "4 sessions of its host are idle, 2 stay; this one was last used 4 h ago"
    assert run.why == "3 sessions beyond the 2 of each host that stay"


def test_within_the_number_nothing_goes() -> None:
    run = tried(MOST_2, scene(session("a"), session("b"), busy("c"), busy("d")))
    assert (run.choices, run.why) == ((), "No host has more than 2 idle sessions; the most are 2")


def test_what_is_kept_takes_no_place_and_nothing_else_goes_for_it() -> None:
    four = [session(name, idle_s=hours * HOUR) for name, hours in (("a", 1), ("b", 2), ("c", 3), ("d", 4))]
    run = tried(MOST_2, scene(*four, kept=frozenset({"acme:d", "acme:c"})))
    assert (keys(run), spared(run)) == ([], {"c": "You want to keep it", "d": "You want to keep it"})
    run = tried(replace(MOST_2, never=(Match(session="d"),)), scene(*four))
    assert (keys(run), spared(run)) == (["c"], {"d": "The policy leaves the session d alone"})


# ---- together


def test_only_as_many_go_as_are_needed() -> None:
    seen = scene(*(session(name, idle_s=hours * HOUR, gigabytes=2.0) for name, hours in (("a", 1), ("b", 2), ("c", 3))))
    run = tried(Policy(name="total", trigger=Trigger.TOTAL, over_bytes=5 * GB), seen)
    assert (keys(run), words(run.why)) == (["c"], "Agents hold 6.0 GB, more than 5.0 GB")
    run = tried(Policy(name="total", trigger=Trigger.TOTAL, over_bytes=4 * GB - 1), seen)
    assert keys(run) == ["c", "b"]
    run = tried(Policy(name="total", trigger=Trigger.TOTAL, over_bytes=6 * GB), seen)
    assert (run.triggered, words(run.why)) == (False, "Agents hold 6.0 GB, not more than 6.0 GB")


def test_a_share_is_of_the_memory_of_the_machine_and_of_two_marks_the_lower_counts() -> None:
    seen = scene(session("a", gigabytes=10.0), session("b", gigabytes=10.0, idle_s=HOUR))
    policy = Policy(name="total", trigger=Trigger.TOTAL, over_share=0.5)  # of 32 GB
    assert keys(tried(policy, seen)) == ["a"]
    assert keys(tried(replace(policy, over_bytes=9 * GB), seen)) == ["a", "b"]
    assert keys(tried(replace(policy, over_bytes=30 * GB), seen)) == ["a"]
    unknown = replace(seen, machine=replace(seen.machine, memory_total_bytes=0))
    assert tried(policy, unknown).why == "This system does not tell how much memory it has"


def test_orphans_go_before_surplus_backends_before_sessions() -> None:
    doubled = session("a", members=(backend(), backend(age_s=DAY)), flags=("duplicates",))
    seen = scene(session("b", idle_s=9 * HOUR), doubled, orphan("o"))
    run = tried(Policy(name="total", trigger=Trigger.TOTAL, over_bytes=1), seen)
    assert [(c.action, c.bytes) for c in run.choices] == [
        (Action.END_ORPHAN, GB),
        (Action.END_DUPLICATE, GB),
        (Action.RELEASE, GB),
    ]
    assert keys(run) == ["o", "a", "b"]


def test_what_would_not_lower_the_total_does_not_go_for_it() -> None:
    seen = scene(in_heap("a", HEAP_PID, 3 * GB), session("b", idle_s=HOUR, gigabytes=2.0))
    run = tried(Policy(name="total", trigger=Trigger.TOTAL, over_bytes=GB), seen)
    assert keys(run) == ["b"]


# ---- pressure

PRESSURE = Policy(name="pressure", trigger=Trigger.PRESSURE)


@pytest.mark.parametrize("pressure", [Pressure.WARNING, Pressure.CRITICAL])
def test_under_pressure_one_goes_and_what_stays_says_why(pressure: Pressure) -> None:
    run = tried(PRESSURE, scene(session("a"), session("b", idle_s=9 * HOUR), busy("c"), pressure=pressure))
    assert (keys(run), spared(run)) == (["b"], {"c": "A turn is running"})
    assert run.why == f"Memory is short ({pressure})"


@pytest.mark.parametrize(
    ("pressure", "why"),
    [(Pressure.NORMAL, "Memory is not short"), (Pressure.UNKNOWN, "This system does not tell if memory is short")],
)
def test_without_pressure_nothing_goes(pressure: Pressure, why: str) -> None:
    assert tried(PRESSURE, scene(session("a"), pressure=pressure)).why == why
    gated = replace(IDLE_4H, only_under_pressure=True)
    run = tried(gated, scene(session("a"), pressure=pressure))
    assert (run.choices, run.why) == ((), why)
    assert keys(tried(gated, scene(session("a"), pressure=Pressure.WARNING))) == ["a"]


def test_after_any_policys_action_pressure_gets_time_to_fall() -> None:
    seen = scene(session("a"), pressure=Pressure.CRITICAL)
    run = tried(PRESSURE, seen, past=deeds(0.5, policy="another"))
    assert words(run.why) == "Memory is short; it waits 1 min to see what the last release brought"
    assert keys(tried(PRESSURE, seen, past=deeds(1.0, policy="another"))) == ["a"]


# ---- heap

HEAP_80 = Policy(name="heap", trigger=Trigger.HEAP, over_share=0.8)


def heap(used: float, limit: float | None = 10.0, host: str = "acme") -> HeapUse:
    limit_bytes = None if limit is None else int(limit * GB)
    return HeapUse(host=host, identity=HEAP_PID, used_bytes=int(used * GB), limit_bytes=limit_bytes)


def test_of_a_full_heap_as_many_go_as_are_expected_to_be_needed() -> None:
    inside = [in_heap(name, HEAP_PID, GB, idle_s=hours * HOUR) for name, hours in (("a", 1), ("b", 2), ("c", 3))]
    elsewhere = in_heap("d", Identity(501, 5), 5 * GB)
    run = tried(HEAP_80, scene(*inside, elsewhere, session("e"), heaps=(heap(9.5),)))
    assert keys(run) == ["c", "b"]
    assert words(run.why) == "The heap of acme is at 95 %, more than 80 %"
    assert run.choices[0].bytes == GB


def test_of_what_nobody_can_estimate_one_goes_and_then_it_waits_for_a_collection() -> None:
    seen = scene(
        *(in_heap(name, HEAP_PID, None, idle_s=hours * HOUR) for name, hours in (("a", 1), ("b", 2))),
        heaps=(heap(9.5),),
    )
    assert keys(tried(HEAP_80, seen)) == ["b"]
    run = tried(HEAP_80, seen, past=deeds(9, policy="heap"))
    assert run.choices == ()
    assert "waits for its next full collection" in run.why
    assert keys(tried(HEAP_80, seen, past=deeds(11, policy="heap"))) == ["b"]
    assert keys(tried(HEAP_80, seen, past=deeds(9, host="beta"))) == ["b"]


@pytest.mark.parametrize(
    ("heaps", "why"),
    [
        ((), "No host tells how full its heap is"),
        ((heap(9.5, None),), "No host tells how full its heap is"),
        ((heap(7.9),), "No heap is fuller than 80 %; the fullest is at 79 %"),
    ],
)
def test_without_a_full_heap_nothing_goes(heaps: tuple[HeapUse, ...], why: str) -> None:
    assert words(tried(HEAP_80, scene(in_heap("a", HEAP_PID, GB), heaps=heaps)).why) == why


# ---- orphans

ORPHANS_1H = Policy(name="orphans", trigger=Trigger.ORPHANS, after_s=HOUR)


def test_an_orphan_goes_when_it_was_seen_as_one_for_long_enough() -> None:
    old = orphan("o", age_s=DAY)
    identity = old.members[0].process.identity
    run = tried(ORPHANS_1H, scene(old), orphaned_s={identity: HOUR})
    assert words(run.choices[0].why) == "Its session is gone for 1 h, longer than 1 h"
    assert run.choices[0].action is Action.END_ORPHAN
    for not_long in ({identity: HOUR - 1}, {}):
        assert words(tried(ORPHANS_1H, scene(old), orphaned_s=not_long).why) == "No orphan is older than 1 h"


def test_where_nobody_watched_its_age_counts() -> None:
    run = tried(ORPHANS_1H, scene(orphan("o", age_s=2 * HOUR), orphan("p", age_s=HOUR - 1)))
    assert keys(run) == ["o"]
    assert words(run.choices[0].why) == "It is an orphan and 2 h old, older than 1 h"
    assert tried(ORPHANS_1H, scene(session("a"))).why == "There are no orphans"
    unknown = replace(scene(orphan("o")), uptime_s=None)
    assert tried(ORPHANS_1H, unknown).choices == ()


def test_what_an_orphan_still_works_on_needs_a_person() -> None:
    run = tried(ORPHANS_1H, scene(orphan("o", kind=GroupKind.ORPHAN_WORK), orphan("p", kind=GroupKind.ORPHAN_AGENT)))
    assert keys(run) == []
    assert spared(run) == {"o": "A job its session left running", "p": "Nothing of the kind is done without a person"}


# ---- duplicates

DUPLICATES = Policy(name="duplicates", trigger=Trigger.DUPLICATES)


def test_surplus_backends_of_idle_sessions_go() -> None:
    doubled = session("a", members=(backend(), backend(age_s=DAY)), flags=("duplicates",))
    works = busy("b", members=(backend(), backend(age_s=DAY)), flags=("duplicates",))
    run = tried(DUPLICATES, scene(doubled, works, session("c")))
    assert (keys(run), spared(run)) == (["a"], {"b": "A turn is running"})
    assert run.choices[0].action is Action.END_DUPLICATE
    assert run.choices[0].why == "1 surplus backend; the session keeps its current one"
    assert tried(DUPLICATES, scene(session("c"))).why == "No session has a surplus backend"


# ---- exceptions


@pytest.mark.parametrize(
    ("match", "words_of_it"),
    [
        (Match(session="a"), "the session a"),
        (Match(session="acme:a"), "the session acme:a"),
        (Match(folder="/home/ada/shop"), "the folder /home/ada/shop"),
        (Match(folder="/home/ada/"), "the folder /home/ada/"),
        (Match(host="Acme"), "the host Acme"),
        (Match(program="agent"), "the program agent"),
    ],
)
def test_exceptions_hold_both_ways_and_never_wins(match: Match, words_of_it: str) -> None:
    other = session("b", host="beta", cwd="/srv/other", exe="/usr/bin/tool", name="tool", argv=("tool",))
    seen = scene(session("a"), other)
    run = tried(replace(IDLE_4H, never=(match,)), seen)
    assert (keys(run), spared(run)) == (["b"], {"a": f"The policy leaves {words_of_it} alone"})
    run = tried(replace(IDLE_4H, only=(match,)), seen)
    assert (keys(run), spared(run)) == (["a"], {})
    assert keys(tried(replace(IDLE_4H, only=(match,), never=(match,)), seen)) == []


@pytest.mark.parametrize(
    "match",
    [
        Match(session="A2"),
        Match(folder="/home/ada/shopping"),
        Match(folder="/home/ada/shop/deep"),
        Match(folder="shop"),
        Match(host="ac"),
        Match(program="agen"),
        Match(program="agent-ring"),
    ],
)
def test_what_an_exception_does_not_name_is_not_excepted(match: Match) -> None:
    assert keys(tried(replace(IDLE_4H, never=(match,)), scene(session("a")))) == ["a"]


@pytest.mark.parametrize("match", [Match(folder="/Home/Ada"), Match(program="Agent")])
def test_what_is_to_be_left_alone_is_known_in_any_case_and_what_is_to_go_is_not(match: Match) -> None:
    assert keys(tried(replace(IDLE_4H, never=(match,)), scene(session("a")))) == []
    assert keys(tried(replace(IDLE_4H, only=(match,)), scene(session("a")))) == []


def test_a_folder_counts_by_where_the_processes_really_are_too() -> None:
    seen = scene(session("a", cwd="/data/link", members=(backend(cwd="/home/ada/work/x"),)))
    assert keys(tried(replace(IDLE_4H, never=(Match(folder="/home/ada/work"),)), seen)) == []
    assert keys(tried(replace(IDLE_4H, never=(Match(folder="/data"),)), seen)) == []


def test_where_the_folder_is_not_known_and_one_is_excepted_nothing_goes() -> None:
    seen = scene(session("a", cwd=None))
    run = tried(replace(IDLE_4H, never=(Match(folder="/home/ada/work"),)), seen)
    assert spared(run) == {"a": "Its folder is not known, and the policy leaves a folder alone"}
    assert keys(tried(replace(IDLE_4H, only=(Match(folder="/home/ada/work"),)), seen)) == []


def test_a_name_that_the_kernel_cut_and_a_script_are_known() -> None:
    cut = session("a", name="a-program-with-", exe=None, argv=None)
    assert keys(tried(replace(IDLE_4H, never=(Match(program="a-program-with-long-name"),)), scene(cut))) == []
    assert keys(tried(replace(IDLE_4H, only=(Match(program="a-program-with-long-name"),)), scene(cut))) == []
    script = session("a", name="node", exe="/usr/bin/node", argv=("node", "/opt/agent/serve.js"))
    assert keys(tried(replace(IDLE_4H, never=(Match(program="serve.js"),)), scene(script))) == []


def test_an_exception_for_a_session_holds_for_what_it_left_behind() -> None:
    policy = replace(ORPHANS_1H, never=(Match(session="o"),))
    assert spared(tried(policy, scene(orphan("o")))) == {"o": "The policy leaves the session o alone"}


# ---- limits


def five() -> Snapshot:
    return scene(*(session(name, idle_s=(9 - n) * HOUR) for n, name in enumerate("abcde")))


def test_at_most_so_many_an_hour_are_done_and_the_rest_waits() -> None:
    run = tried(IDLE_4H, five(), past=deeds(10, 50, 59.9))
    assert (keys(run), spared(run)["b"]) == (["a"], "At most 4 an hour; they come later")
    run = tried(IDLE_4H, five(), past=deeds(10, 20, 30, 50))
    assert (keys(run), spared(run)["a"]) == ([], "At most 4 an hour; the next in 10 min")
    assert keys(tried(IDLE_4H, five(), past=deeds(10, 20, 30, 60))) == ["a"]


def test_what_other_policies_did_does_not_count_to_its_limit() -> None:
    assert keys(tried(IDLE_4H, five(), past=deeds(1, 2, 3, 4, policy="another"))) == list("abcd")


def test_a_clock_that_was_set_back_gives_no_more_actions() -> None:
    assert keys(tried(IDLE_4H, five(), past=deeds(-90, -80, -70, -60))) == []


@pytest.mark.parametrize(
    ("quiet", "clock", "is_quiet"),
    [
        ((22 * 60, 7 * 60), "21:59", False),
        ((22 * 60, 7 * 60), "22:00", True),
        ((22 * 60, 7 * 60), "00:00", True),
        ((22 * 60, 7 * 60), "06:59", True),
        ((22 * 60, 7 * 60), "07:00", False),
        ((9 * 60, 17 * 60 + 30), "08:59", False),
        ((9 * 60, 17 * 60 + 30), "17:29", True),
        ((9 * 60, 17 * 60 + 30), "17:30", False),
        ((0, 24 * 60), "23:59", True),
        ((22 * 60, 24 * 60), "23:59", True),
        ((22 * 60, 24 * 60), "00:00", False),
    ],
)
def test_in_quiet_hours_nothing_is_done_and_it_says_until_when(
    quiet: tuple[int, int], clock: str, is_quiet: bool
) -> None:
    policy = replace(
        IDLE_4H, quiet=(QuietHours(since_min=1, until_min=2), QuietHours(since_min=quiet[0], until_min=quiet[1]))
    )
    local = datetime.strptime(f"2026-11-30 {clock}", "%Y-%m-%d %H:%M")
    run = tried(policy, scene(session("a")), local=local)
    assert run.triggered
    if is_quiet:
        until = f"{quiet[1] % 1440 // 60:02}:{quiet[1] % 60:02}"
        assert (keys(run), spared(run)) == ([], {"a": f"Quiet hours until {until}"})
    else:
        assert keys(run) == ["a"]


@pytest.mark.parametrize(
    "policy",
    [
        Policy(name="idle", trigger=Trigger.IDLE),
        Policy(name="most", trigger=Trigger.MOST),
        Policy(name="total", trigger=Trigger.TOTAL),
        Policy(name="heap", trigger=Trigger.HEAP),
        Policy(name="heap", trigger=Trigger.HEAP, over_bytes=GB),
        Policy(name="orphans", trigger=Trigger.ORPHANS),
        Policy(name="idle", trigger=Trigger.IDLE, after_s=float("nan")),
        replace(PRESSURE, over_bytes=GB),
        replace(IDLE_4H, grace_s=1.0),
        replace(IDLE_4H, never=(Match(session="a", host="acme"),)),
    ],
)
def test_a_policy_that_does_not_hold_together_does_nothing(policy: Policy) -> None:
    run = tried(policy, scene(session("a", idle_s=99 * DAY), orphan("o"), pressure=Pressure.CRITICAL))
    assert (run.triggered, run.choices) == (False, ())
    assert run.why.startswith("It does nothing: ")


def test_what_has_ended_and_is_only_listed_is_nothing_for_a_policy() -> None:
    assert tried(IDLE_4H, scene(session("a", members=(), flags=("remnant",)))).choices == ()


# ---- what is offered, what was done


def test_six_policies_are_offered_all_off_and_all_hold_together() -> None:
    offers = suggested()
    assert [policy.trigger for policy in offers] == [
        Trigger.IDLE,
        Trigger.MOST,
        Trigger.ORPHANS,
        Trigger.DUPLICATES,
        Trigger.PRESSURE,
        Trigger.HEAP,
    ]
    assert not any(policy.on or policy.sigkill for policy in offers)
    assert not any(tried(policy, scene()).why.startswith("It does nothing") for policy in offers)
    assert len({policy.name for policy in offers}) == len(offers)


def test_deeds_are_what_policies_did_also_what_was_refused_and_nobody_elses() -> None:
    def receipt(origin: str, fates: Sequence[Fate]) -> Receipt:
        at = datetime.fromtimestamp(NOW_EPOCH_S, UTC)
        target = Target(group_key="acme:a", action=Action.RELEASE, members=(), title="A", host="acme", expected_bytes=1)
        outcomes = tuple(Outcome(target=target, fate=fate, sentence="Done") for fate in fates)
        return Receipt(
            receipt_id="r1",
            started_at=at,
            finished_at=at,
            origin=origin,
            outcomes=outcomes,
            available_before_bytes=1,
            available_after_bytes=1,
        )

    found = deeds_of([receipt("window", [Fate.RELEASED]), receipt("policy my own", [Fate.RELEASED, Fate.REFUSED])])
    wanted = Deed(at_epoch_s=NOW_EPOCH_S, policy="my own", group_key="acme:a", host="acme", receipt_id="r1")
    assert found == (wanted, wanted)


def test_a_policy_looks_at_helpers_terminals_too() -> None:
    helper = backend(role=Role.HELPER, tty="pts/1", tty_input_epoch_s=NOW_EPOCH_S - 1)
    run = tried(IDLE_4H, scene(session("a", members=(backend(), helper))))
    assert spared(run) == {"a": "Somebody typed in its terminal 1 s ago"}
