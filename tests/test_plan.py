"""What may be done, and why not: the order of the questions, and every answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.rows import (
    MB,
    OWN_PID,
    claim,
    evidence,
    fact,
    group,
    idle_evidence,
    key,
    member,
    process,
    renamed,
    table,
)
from trayapp.model.plan import SENTENCES, Action, Allowed, Decision, Reason
from trayapp.model.process import Identity, Process, ProcessStatus
from trayapp.model.session import ClaimKind, Drift, EndsBy, Evidence, EvidenceKind, Role, SessionFact, Speaks, State
from trayapp.model.snapshot import Group, GroupKind, Member, Verdict
from trayapp.reclaim.plan import Rules, decide, part_of, plan, recheck

AGENT = process(10, 5, "acme")
RULES = Rules(idle_after_s=900.0)


def verdict(state: State, *told: Evidence, idle_s: float = 3600.0, confirmations: int = 2) -> Verdict:
    idle = idle_s if state is State.IDLE else None
    return Verdict(state=state, evidence=told, idle_s=idle, confirmations=confirmations)


def answer(
    action: Action,
    judged: Verdict | None = None,
    *,
    members: Sequence[Member] = (member(AGENT),),
    told: SessionFact | None = None,
    rules: Rules = RULES,
    rows: Sequence[Process] = (AGENT,),
    **fields: object,
) -> tuple[str, str]:
    asked = group(*members, verdict=judged, **fields)  # type: ignore[arg-type]
    decision = decide(action, asked, table(*rows), fact=told or fact(), rules=rules)
    return decision.allowed.value, decision.reason.value


IDLE = verdict(State.IDLE, idle_evidence())


def test_an_idle_session_may_go_when_two_looks_said_so() -> None:
    assert answer(Action.RELEASE, IDLE) == ("allow", "idle-confirmed")
    assert answer(Action.RELEASE, verdict(State.IDLE, idle_evidence(), confirmations=1)) == ("refuse", "unknown-state")


def test_one_look_more_will_tell() -> None:
    once = group(member(AGENT), verdict=verdict(State.IDLE, confirmations=1))
    decision = decide(Action.RELEASE, once, table(AGENT), fact=fact(), rules=RULES)
    assert (decision.eligible_in_s, decision.sentence) == (2.0, "Idle, not yet confirmed by a second look")


def test_idle_for_a_short_time_asks_first_and_says_when_it_will_not() -> None:
    short = group(member(AGENT), verdict=verdict(State.IDLE, idle_s=300.0))
    decision = decide(Action.RELEASE, short, table(AGENT), fact=fact(), rules=RULES)
    assert (decision.allowed, decision.reason, decision.eligible_in_s) == (
        Allowed.CONFIRM,
        Reason.IDLE_CONFIRMED,
        600.0,
    )
    exactly = group(member(AGENT), verdict=verdict(State.IDLE, idle_s=900.0))
    assert decide(Action.RELEASE, exactly, table(AGENT), fact=fact(), rules=RULES).allowed is Allowed.ALLOW


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (EvidenceKind.SUBAGENT, "busy-subagent"),
        (EvidenceKind.TURN, "open-turn"),
        (EvidenceKind.HOST_STATUS, "open-turn"),
        (EvidenceKind.TOOL_CALL, "open-turn"),
        (EvidenceKind.BACKGROUND_TASK, "busy-background-task"),
        (EvidenceKind.WORK_PROCESS, "busy-background-task"),
        (EvidenceKind.RECORD, "open-turn"),
    ],
)
def test_a_busy_session_is_refused_with_what_keeps_it_busy(kind: EvidenceKind, reason: str) -> None:
    busy = verdict(State.BUSY, evidence(kind, Speaks.BUSY, age_s=5))
    assert answer(Action.RELEASE, busy) == ("refuse", reason)
    assert answer(Action.END_DUPLICATE, busy) == ("refuse", reason)
    assert answer(Action.AUTO_CLEAN, busy) == ("refuse", reason)
    assert answer(Action.KILL, busy) == ("confirm", reason)


def test_a_refusal_for_background_work_names_it() -> None:
    busy = verdict(State.BUSY, evidence(EvidenceKind.WORK_PROCESS, Speaks.BUSY))
    working = group(member(AGENT), member(process(11, 10, "vitest"), Role.WORK), verdict=busy)
    decision = decide(Action.RELEASE, working, table(AGENT), fact=fact(), rules=RULES)
    assert decision.sentence == "A background task is running: vitest"


def test_a_background_task_protects_a_session_that_waits() -> None:
    both = verdict(State.WAITING, evidence(EvidenceKind.BACKGROUND_TASK, Speaks.BUSY))
    assert answer(Action.RELEASE, both) == ("refuse", "busy-background-task")


def test_a_question_and_a_wake_up_need_a_person() -> None:
    assert answer(Action.RELEASE, verdict(State.WAITING)) == ("confirm", "waiting-permission")
    wakes = verdict(State.IDLE, evidence(EvidenceKind.WAKEUP, Speaks.PROTECTS))
    assert answer(Action.RELEASE, wakes) == ("confirm", "pending-wakeup")
    assert answer(Action.AUTO_CLEAN, wakes) == ("refuse", "pending-wakeup")


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (EvidenceKind.VIEW, "attached-terminal"),
        (EvidenceKind.TERMINAL_INPUT, "attached-terminal"),
        (EvidenceKind.BACKGROUND_TASK, "busy-background-task"),
    ],
)
def test_what_protects_an_idle_session_asks_first(kind: EvidenceKind, reason: str) -> None:
    protected = verdict(State.IDLE, idle_evidence(), evidence(kind, Speaks.PROTECTS))
    assert answer(Action.RELEASE, protected) == ("confirm", reason)


@pytest.mark.parametrize("judged", [None, verdict(State.UNKNOWN), verdict(State.ENDED)])
def test_unknown_is_never_released(judged: Verdict | None) -> None:
    assert answer(Action.RELEASE, judged) == ("refuse", "unknown-state")
    assert answer(Action.AUTO_CLEAN, judged) == ("refuse", "unknown-state")
    assert answer(Action.KILL, judged) == ("confirm", "unknown-state")


def test_an_ambiguous_process_is_nobodys_to_release() -> None:
    assert answer(Action.RELEASE, IDLE, flags=("ambiguous",)) == ("refuse", "unknown-state")


def test_a_host_without_an_orderly_end_is_not_released() -> None:
    assert answer(Action.RELEASE, IDLE, told=fact(ladder=())) == ("refuse", "unknown-state")
    asked = group(member(AGENT), verdict=IDLE)
    assert decide(Action.RELEASE, asked, table(AGENT), fact=None, rules=RULES).reason is Reason.UNKNOWN_STATE


def test_a_host_that_forbids_it_is_obeyed_for_every_action() -> None:
    told = fact(refusal="Only the desktop app may end it")
    asked = group(member(AGENT), verdict=IDLE)
    for action in (Action.RELEASE, Action.KILL, Action.AUTO_CLEAN):
        decision = decide(action, asked, table(AGENT), fact=told, rules=RULES)
        assert (decision.reason, decision.sentence) == (Reason.PROTECTED_APP, "Only the desktop app may end it")


def test_a_backend_of_several_conversations_asks_first() -> None:
    assert answer(Action.RELEASE, IDLE, flags=("shared-backend",)) == ("confirm", "shared-backend")
    assert answer(Action.KILL, IDLE, flags=("shared-backend",)) == ("confirm", "shared-backend")


def test_a_row_that_shares_its_process_cannot_be_ended_by_itself() -> None:
    row = group(flags=("shared-backend",), verdict=IDLE)
    for action in (Action.RELEASE, Action.KILL):
        decision = decide(action, row, table(), fact=fact(), rules=RULES)
        assert (decision.allowed, decision.reason) == (Allowed.REFUSE, Reason.SHARED_BACKEND)


def test_a_session_without_processes_has_ended() -> None:
    assert answer(Action.RELEASE, IDLE, members=()) == ("refuse", "already-ended")


def test_the_monitor_its_ancestors_and_its_caller_are_never_touched() -> None:
    own = process(OWN_PID, 11, "agentring", age_s=10)
    rows = (AGENT, process(11, 10, "bash", "-c", "agentring", age_s=20), own)
    assert answer(Action.RELEASE, IDLE, rows=rows) == ("refuse", "self-or-ancestor")
    asks = Rules(caller_pid=11)
    assert answer(Action.KILL, IDLE, rows=(AGENT, rows[1]), rules=asks) == ("refuse", "self-or-ancestor")
    gone = Rules(caller_pid=4711)
    assert answer(Action.RELEASE, IDLE, rules=gone) == ("allow", "idle-confirmed")


def test_another_pid_namespace_is_shown_and_left_alone() -> None:
    inside = renamed(AGENT, pid_namespace=2)
    assert answer(Action.KILL, IDLE, members=(member(inside),)) == ("refuse", "other-pid-namespace")
    same = renamed(AGENT, pid_namespace=1)
    assert answer(Action.RELEASE, IDLE, members=(member(same),)) == ("allow", "idle-confirmed")


@pytest.mark.parametrize(
    ("kind", "row", "role", "reason"),
    [
        (GroupKind.MONITOR, process(11, 99, "sh"), Role.HELPER, "self-or-ancestor"),
        (GroupKind.INFRA, process(11, 1, "acme-server"), Role.INFRA, "protected-app"),
        (GroupKind.INFRA, process(11, 1, "acme"), Role.SPARE, "infra-spare"),
        (GroupKind.NOT_OURS, process(11, 1, "kitty"), Role.UNKNOWN, "protected-app"),
        (GroupKind.UNRELATED, process(11, 1, "systemd", "--user"), Role.UNKNOWN, "protected-app"),
        (GroupKind.NOT_OURS, process(11, 1, "nginx"), Role.UNKNOWN, "not-ours"),
        (GroupKind.UNRELATED, process(11, 1, "nginx"), Role.UNKNOWN, "not-ours"),
        (GroupKind.ZOMBIE, process(11, 1, "x", status=ProcessStatus.ZOMBIE), Role.UNKNOWN, "zombie-cannot-be-killed"),
        (GroupKind.SESSION, process(11, 1, "acme", unit="acme.service"), Role.BACKEND, "legit-daemon"),
    ],
)
def test_what_is_protected_is_refused_whatever_is_asked(kind: GroupKind, row: Process, role: Role, reason: str) -> None:
    for action in Action:
        assert answer(action, IDLE, members=(member(row, role),), kind=kind) == ("refuse", reason)


def test_an_orphaned_helper_may_go_and_orphaned_work_asks_first() -> None:
    helper = (member(process(11, 1, "index-mcp"), Role.HELPER),)
    work = (member(process(11, 1, "grep"), Role.WORK),)
    assert answer(Action.END_ORPHAN, members=helper, kind=GroupKind.ORPHAN_HELPER) == ("allow", "orphan-confirmed")
    assert answer(Action.KILL, members=helper, kind=GroupKind.ORPHAN_HELPER) == ("confirm", "orphan-confirmed")
    assert answer(Action.AUTO_CLEAN, members=helper, kind=GroupKind.ORPHAN_HELPER) == ("allow", "orphan-confirmed")
    assert answer(Action.END_ORPHAN, members=work, kind=GroupKind.ORPHAN_WORK) == ("confirm", "orphan-work")
    assert answer(Action.KILL, members=work, kind=GroupKind.ORPHAN_WORK) == ("confirm", "orphan-work")
    assert answer(Action.AUTO_CLEAN, members=work, kind=GroupKind.ORPHAN_WORK) == ("refuse", "orphan-work")


def test_an_orphan_that_still_serves_sessions_asks_first() -> None:
    helper = (member(process(11, 1, "index-mcp"), Role.HELPER),)
    flags = ("serves-live-sessions",)
    asked = answer(Action.END_ORPHAN, members=helper, kind=GroupKind.ORPHAN_HELPER, flags=flags)
    assert asked == ("confirm", "shared-helper")


def test_an_orphaned_agent_asks_first() -> None:
    assert answer(Action.RELEASE, IDLE, kind=GroupKind.ORPHAN_AGENT) == ("confirm", "orphan-confirmed")
    assert answer(Action.END_ORPHAN, IDLE, kind=GroupKind.ORPHAN_AGENT) == ("confirm", "orphan-confirmed")
    assert answer(Action.KILL, None, kind=GroupKind.ORPHAN_AGENT) == ("confirm", "orphan-confirmed")


def test_a_shared_helper_is_no_orphan_and_no_session() -> None:
    helper = (member(process(11, 1, "indexd"), Role.HELPER),)
    assert answer(Action.END_ORPHAN, members=helper, kind=GroupKind.SHARED_HELPER) == ("refuse", "shared-helper")
    assert answer(Action.KILL, members=helper, kind=GroupKind.SHARED_HELPER) == ("confirm", "shared-helper")
    assert answer(Action.RELEASE, members=helper, kind=GroupKind.SHARED_HELPER) == ("refuse", "unknown-state")


def test_a_process_of_a_live_session_is_no_orphan() -> None:
    assert answer(Action.END_ORPHAN, IDLE) == ("refuse", "live-parent")


def test_what_a_released_session_left_asks_first() -> None:
    shell = (member(process(11, 800, "bash"), Role.SHELL),)
    assert answer(Action.END_ORPHAN, verdict(State.ENDED), members=shell, flags=("leftover",)) == (
        "confirm",
        "left-over",
    )


def test_a_surplus_backend_may_go_when_its_session_is_idle() -> None:
    assert answer(Action.END_DUPLICATE, IDLE) == ("allow", "duplicate-backend")
    assert answer(Action.END_DUPLICATE, verdict(State.UNKNOWN)) == ("confirm", "duplicate-backend")


def test_signals_ask_first_by_the_state_and_sigkill_after_a_verified_look() -> None:
    assert answer(Action.SIGTERM, IDLE) == ("confirm", "idle-confirmed")
    assert answer(Action.KILL, verdict(State.WAITING)) == ("confirm", "waiting-permission")
    assert answer(Action.SIGKILL, IDLE) == ("confirm", "identity-verified")


def test_nothing_young_goes_without_a_person() -> None:
    young = (member(process(10, 5, "acme", age_s=119.0)),)
    old = (member(process(10, 5, "acme", age_s=120.0)),)
    assert answer(Action.AUTO_CLEAN, IDLE, members=young) == ("refuse", "too-young")
    assert answer(Action.AUTO_CLEAN, IDLE, members=old) == ("allow", "idle-confirmed")
    assert answer(Action.RELEASE, IDLE, members=young) == ("allow", "idle-confirmed")


def offered(**fields: object) -> list[Action]:
    asked = group(member(AGENT), **fields)  # type: ignore[arg-type]
    return [d.action for d in plan(asked, table(AGENT), {key(): fact()}, RULES).decisions]


def test_only_actions_that_make_sense_are_offered() -> None:
    assert offered(verdict=IDLE) == [Action.RELEASE, Action.KILL, Action.AUTO_CLEAN]
    surplus = offered(verdict=IDLE, flags=("duplicates",))
    assert surplus == [Action.RELEASE, Action.KILL, Action.END_DUPLICATE, Action.AUTO_CLEAN]
    assert offered(flags=("leftover",)) == [Action.END_ORPHAN]
    assert offered(kind=GroupKind.ORPHAN_HELPER, session=None) == [Action.END_ORPHAN, Action.KILL, Action.AUTO_CLEAN]
    assert offered(kind=GroupKind.SHARED_HELPER) == [Action.END_ORPHAN, Action.KILL, Action.AUTO_CLEAN]
    assert offered(kind=GroupKind.INFRA) == [Action.KILL]


def test_one_process_can_be_asked_about_alone() -> None:
    both: Group = group(member(AGENT), member(process(11, 10, "index-mcp"), Role.HELPER))
    assert [m.process.pid for m in part_of(both, 11).members] == [11]


def test_a_process_is_the_one_that_was_seen_only_by_start_and_program() -> None:
    seen = renamed(AGENT, exe="/usr/bin/acme")
    assert recheck(seen, seen) is None
    assert recheck(seen, None) is Reason.ALREADY_ENDED
    assert recheck(seen, renamed(seen, status=ProcessStatus.ZOMBIE)) is Reason.ALREADY_ENDED
    assert recheck(seen, renamed(seen, identity=Identity(10, 1))) is Reason.IDENTITY_CHANGED
    assert recheck(seen, renamed(seen, exe="/usr/bin/vim", argv=("vim",))) is Reason.IDENTITY_CHANGED
    assert recheck(seen, renamed(seen, exe=None, argv=None)) is Reason.IDENTITY_UNVERIFIED


def test_a_program_that_rewrites_its_own_arguments_is_still_itself() -> None:
    seen = renamed(AGENT, exe="/usr/bin/acme")
    assert recheck(seen, renamed(seen, argv=("acme: idle",))) is None
    assert recheck(renamed(seen, exe=None), renamed(seen, exe=None, argv=("other",))) is Reason.IDENTITY_CHANGED


def test_every_reason_has_a_sentence() -> None:
    assert set(SENTENCES) == set(Reason)
    plain = Decision(action=Action.KILL, allowed=Allowed.REFUSE, reason=Reason.NOT_OURS)
    assert plain.sentence == "Not an agent's process"


# -- shared, foreign and first ----------------------------------------------------------------------------------------


def test_a_helper_below_a_backend_of_many_has_a_living_parent() -> None:
    shared: dict[str, Any] = {"kind": GroupKind.SHARED_HELPER}
    assert answer(Action.END_ORPHAN, **shared) == ("refuse", "shared-helper")
    assert answer(Action.END_ORPHAN, flags=("per-conversation",), **shared) == ("refuse", "live-parent")
    assert answer(Action.AUTO_CLEAN, flags=("per-conversation",), **shared) == ("refuse", "live-parent")
    assert answer(Action.AUTO_CLEAN, **shared) == ("refuse", "shared-helper")
    young = process(10, 5, "notes-mcp", age_s=60)
    told = answer(Action.AUTO_CLEAN, members=(member(young),), rows=(young,), flags=("per-conversation",), **shared)
    assert told == ("refuse", "too-young")


def test_a_helper_agent_is_refused_as_what_it_is() -> None:
    fields: dict[str, Any] = {"kind": GroupKind.SHARED_HELPER, "flags": ("helper-agent",)}
    assert [answer(action, **fields) for action in (Action.RELEASE, Action.END_DUPLICATE, Action.AUTO_CLEAN)] == [
        ("refuse", "helper-agent")
    ] * 3
    assert answer(Action.KILL, **fields) == ("confirm", "helper-agent")
    assert answer(Action.END_ORPHAN, **fields) == ("refuse", "shared-helper")


def test_another_installation_is_refused() -> None:
    assert answer(Action.KILL, kind=GroupKind.NOT_OURS) == ("refuse", "not-ours")
    unverified = answer(Action.KILL, kind=GroupKind.NOT_OURS, flags=("unverified",))
    assert unverified == ("refuse", "identity-unverified")
    app = answer(Action.KILL, kind=GroupKind.NOT_OURS, members=(member(AGENT, Role.APP),))
    assert app == ("refuse", "protected-app")


def test_another_users_session_is_not_ours_to_release() -> None:
    theirs = renamed(AGENT, uid=0)
    assert answer(Action.RELEASE, IDLE, members=(member(theirs),), rows=(theirs,)) == ("refuse", "not-ours")


def test_ending_the_first_process_of_a_container_ends_all_that_runs_there() -> None:
    first = process(1, 0, "acme")
    assert answer(Action.KILL, IDLE, members=(member(first),), rows=(first,)) == ("confirm", "shared-backend")


def test_a_single_process_is_killed_after_a_question_that_names_what_it_shares() -> None:
    assert answer(Action.KILL, IDLE, flags=("shared-backend",)) == ("confirm", "shared-backend")


@pytest.mark.parametrize("kind", list(EvidenceKind))
def test_whatever_protects_an_idle_session_asks_for_a_person(kind: EvidenceKind) -> None:
    told = verdict(State.IDLE, idle_evidence(), evidence(kind, Speaks.PROTECTS))
    assert answer(Action.RELEASE, told)[0] == "confirm"


# -- what no slip of the hand may change (make mutants) ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (EvidenceKind.WAKEUP, "pending-wakeup"),
        (EvidenceKind.SUBAGENT, "busy-subagent"),
        (EvidenceKind.WORK_PROCESS, "busy-background-task"),
        (EvidenceKind.QUESTION, "waiting-permission"),
        (EvidenceKind.TURN, "open-turn"),
        (EvidenceKind.TOOL_CALL, "open-turn"),
        (EvidenceKind.HOST_STATUS, "open-turn"),
        (EvidenceKind.RECORD, "open-turn"),
    ],
)
def test_what_protects_is_told_by_its_own_reason(kind: EvidenceKind, reason: str) -> None:
    protected = verdict(State.IDLE, idle_evidence(), evidence(kind, Speaks.PROTECTS))
    assert answer(Action.RELEASE, protected) == ("confirm", reason)


def test_a_wake_up_asks_a_person_also_where_idleness_is_not_known() -> None:
    unsure = verdict(State.UNKNOWN, evidence(EvidenceKind.WAKEUP, Speaks.PROTECTS))
    assert answer(Action.RELEASE, unsure) == ("confirm", "pending-wakeup")
    told_only = verdict(State.UNKNOWN, evidence(EvidenceKind.WAKEUP, Speaks.NOTHING))
    assert answer(Action.RELEASE, told_only) == ("refuse", "unknown-state")


@pytest.mark.parametrize("kind", [GroupKind.ORPHAN_HELPER, GroupKind.ORPHAN_WORK, GroupKind.SHARED_HELPER])
def test_only_sessions_are_released_though_the_rest_looks_idle(kind: GroupKind) -> None:
    asked = group(member(AGENT), verdict=IDLE, kind=kind)
    decision = decide(Action.RELEASE, asked, table(AGENT), fact=fact(), rules=RULES)
    assert (decision.action, decision.allowed, decision.sentence) == (
        Action.RELEASE,
        Allowed.REFUSE,
        "Only a session can be released",
    )


def test_the_monitor_itself_is_never_touched_whatever_group_it_came_into() -> None:
    own = process(OWN_PID, 90, "agentring")
    for action in Action:
        assert answer(action, IDLE, members=(member(own),), rows=(own,)) == ("refuse", "self-or-ancestor")


def test_a_system_that_does_not_tell_users_or_namespaces_protects_nothing_by_them() -> None:
    asked = group(member(renamed(AGENT, uid=0, pid_namespace=2)), verdict=IDLE)
    dark = table(AGENT, own_uid=None, own_pid_namespace=None)
    assert decide(Action.RELEASE, asked, dark, fact=fact(), rules=RULES).allowed is Allowed.ALLOW
    untold = renamed(AGENT, uid=None, pid_namespace=None)
    assert answer(Action.RELEASE, IDLE, members=(member(untold),)) == ("allow", "idle-confirmed")


def test_an_overhead_group_is_spare_only_as_a_whole() -> None:
    server, spare = member(process(11, 1, "acme-server"), Role.INFRA), member(process(12, 1, "acme"), Role.SPARE)
    assert answer(Action.KILL, members=(server, spare), kind=GroupKind.INFRA) == ("refuse", "protected-app")
    row = group(kind=GroupKind.INFRA, flags=("shared-backend",))
    assert decide(Action.KILL, row, table(), rules=RULES).reason is Reason.PROTECTED_APP


def test_an_editor_that_an_agent_opened_leaves_with_its_session() -> None:
    editor = member(process(11, 10, "vim"), Role.SHELL)
    assert answer(Action.RELEASE, IDLE, members=(member(AGENT), editor)) == ("allow", "idle-confirmed")


def test_idle_without_a_length_has_not_been_idle_for_long() -> None:
    untimed = Verdict(state=State.IDLE, evidence=(idle_evidence(),), confirmations=2)
    asked = group(member(AGENT), verdict=untimed)
    decision = decide(Action.RELEASE, asked, table(AGENT), fact=fact(), rules=RULES)
    assert (decision.allowed, decision.eligible_in_s) == (Allowed.CONFIRM, 900.0)


def test_sessions_are_idle_for_a_quarter_of_an_hour_unless_said_otherwise() -> None:
    assert Rules().idle_after_s == 900.0


def test_only_background_work_names_processes() -> None:
    busy = verdict(State.BUSY, evidence(EvidenceKind.SUBAGENT, Speaks.BUSY))
    asked = group(member(AGENT), member(process(11, 10, "vitest"), Role.WORK), verdict=busy)
    assert decide(Action.RELEASE, asked, table(AGENT), fact=fact(), rules=RULES).sentence == "A subagent is working"


def test_a_hosts_refusal_is_looked_up_by_the_session_of_the_group() -> None:
    forbids = {key(): fact(refusal="Only the desktop app may end it")}
    decisions = plan(group(member(AGENT), verdict=IDLE), table(AGENT), forbids, RULES).decisions
    assert {(d.allowed, d.reason) for d in decisions} == {(Allowed.REFUSE, Reason.PROTECTED_APP)}
    nobodys = plan(group(member(AGENT), verdict=IDLE, session=None), table(AGENT), forbids, RULES).decisions
    assert Reason.PROTECTED_APP not in {d.reason for d in nobodys}


def test_an_orphaned_agent_is_offered_what_a_session_is() -> None:
    assert offered(kind=GroupKind.ORPHAN_AGENT) == [Action.RELEASE, Action.KILL, Action.AUTO_CLEAN]
    assert offered(kind=GroupKind.ORPHAN_WORK) == [Action.END_ORPHAN, Action.KILL, Action.AUTO_CLEAN]


def test_a_process_is_the_same_by_all_that_can_be_read_of_it() -> None:
    seen = renamed(AGENT, exe="/usr/bin/acme")
    assert recheck(seen, renamed(seen, argv=None)) is None
    assert recheck(seen, renamed(seen, name="acme-2")) is None
    assert recheck(seen, renamed(seen, name="sh", argv=("sh",))) is Reason.IDENTITY_CHANGED
    unnamed = renamed(seen, exe=None)
    assert recheck(unnamed, unnamed) is None
    assert recheck(seen, unnamed) is Reason.IDENTITY_CHANGED
    recycled = renamed(seen, identity=Identity(10, 1), status=ProcessStatus.ZOMBIE)
    assert recheck(seen, recycled) is Reason.IDENTITY_CHANGED


def cleaned(*members: Member, **fields: Any) -> Decision:
    told = fields.pop("told", fact())
    return decide(Action.AUTO_CLEAN, group(*members, **fields), table(AGENT), fact=told, rules=RULES)


def test_a_group_is_as_young_as_its_youngest_process() -> None:
    young = member(process(11, 10, "acme", age_s=30.0))
    decision = cleaned(member(AGENT), young, verdict=IDLE)
    assert (decision.action, decision.reason, decision.eligible_in_s) == (Action.AUTO_CLEAN, Reason.TOO_YOUNG, 90.0)


@pytest.mark.parametrize("kind", [GroupKind.ORPHAN_HELPER, GroupKind.SHARED_HELPER])
def test_no_young_helper_goes_without_a_person(kind: GroupKind) -> None:
    young = member(process(11, 1, "index-mcp", age_s=119.0), Role.HELPER)
    assert cleaned(young, kind=kind).reason is Reason.TOO_YOUNG


def test_young_tells_of_waiting_only_where_waiting_may_change_the_answer() -> None:
    young = member(process(10, 5, "acme", age_s=60.0))
    assert cleaned(young, verdict=verdict(State.UNKNOWN)).reason is Reason.TOO_YOUNG
    busy = verdict(State.BUSY, evidence(EvidenceKind.TURN, Speaks.BUSY))
    assert cleaned(young, verdict=busy).reason is Reason.OPEN_TURN


def test_what_was_decided_without_a_person_says_so() -> None:
    assert cleaned(member(AGENT), verdict=IDLE).action is Action.AUTO_CLEAN
    row = cleaned(flags=("shared-backend",), verdict=IDLE)
    assert (row.reason, row.eligible_in_s) == (Reason.SHARED_BACKEND, None)
    unsure = cleaned(flags=("shared-backend",), kind=GroupKind.SHARED_HELPER)
    assert unsure.eligible_in_s == 120.0


@pytest.mark.parametrize("kind", [EvidenceKind.TURN, EvidenceKind.TOOL_CALL, EvidenceKind.HOST_STATUS])
def test_an_open_turn_goes_before_background_work(kind: EvidenceKind) -> None:
    both = (evidence(kind, Speaks.BUSY), evidence(EvidenceKind.BACKGROUND_TASK, Speaks.BUSY))
    assert answer(Action.RELEASE, verdict(State.BUSY, *both)) == ("refuse", "open-turn")
    assert answer(Action.RELEASE, verdict(State.WAITING, *both)) == ("refuse", "busy-background-task")


def test_a_question_of_a_turn_that_runs_is_the_persons_to_answer() -> None:
    asks = verdict(State.WAITING, evidence(EvidenceKind.TURN, Speaks.BUSY))
    assert answer(Action.RELEASE, asks) == ("confirm", "waiting-permission")


def test_a_duplicate_of_an_unjudged_session_asks_first() -> None:
    assert answer(Action.END_DUPLICATE, None) == ("confirm", "duplicate-backend")


def test_what_protects_is_told_in_its_own_words() -> None:
    wakes = evidence(EvidenceKind.WAKEUP, Speaks.PROTECTS)
    around = (evidence(EvidenceKind.WAKEUP, Speaks.NOTHING), evidence(EvidenceKind.VIEW, Speaks.PROTECTS), wakes)
    asked = group(member(AGENT), verdict=verdict(State.IDLE, *around))
    assert decide(Action.RELEASE, asked, table(AGENT), fact=fact(), rules=RULES).sentence == wakes.fact


def test_work_that_has_ended_is_not_named() -> None:
    busy = verdict(State.BUSY, evidence(EvidenceKind.WORK_PROCESS, Speaks.BUSY))
    dead = member(process(11, 10, "make", status=ProcessStatus.ZOMBIE), Role.WORK)
    asked = group(member(AGENT), dead, verdict=busy)
    sentence = decide(Action.RELEASE, asked, table(AGENT), fact=fact(), rules=RULES).sentence
    assert sentence == "A background task is running"


def test_ending_what_nobody_judged_says_that_its_state_is_unknown() -> None:
    assert answer(Action.KILL, None) == ("confirm", "unknown-state")


def test_a_refusal_says_in_words_whose_it_is() -> None:
    theirs = group(member(renamed(AGENT, uid=0)), verdict=IDLE)
    assert decide(Action.KILL, theirs, table(AGENT), rules=RULES).sentence == "Another user's process"
    unverified = group(member(AGENT), kind=GroupKind.NOT_OURS, flags=("unverified",))
    sentence = decide(Action.KILL, unverified, table(AGENT), rules=RULES).sentence
    assert sentence == "Cannot tell whose installation it belongs to"


def test_one_bystander_among_strangers_is_told_of_all() -> None:
    strangers = (member(process(11, 1, "nginx"), Role.UNKNOWN), member(process(12, 1, "kitty"), Role.UNKNOWN))
    assert answer(Action.KILL, members=strangers, kind=GroupKind.NOT_OURS) == ("refuse", "protected-app")


def kept(of: Process, ends_by: EndsBy) -> Member:
    """Return a helper that its host's server holds."""
    told = claim(of, role=Role.HELPER, kind=ClaimKind.ENVIRONMENT)
    return Member(process=of, role=Role.HELPER, claim=replace(told, ends_by=ends_by))


HELPER = process(11, 5, "node", "mcp.js")


def test_what_its_host_holds_and_would_miss_is_left() -> None:
    only = [kept(HELPER, EndsBy.NOT)]
    assert answer(Action.RELEASE, IDLE, members=only) == ("refuse", "live-parent")
    assert answer(Action.KILL, IDLE, members=only) == ("refuse", "live-parent")
    assert answer(Action.RELEASE, IDLE, members=[member(AGENT), *only]) == ("allow", "idle-confirmed")


def test_what_only_its_host_may_end_goes_by_a_release_and_not_by_a_signal() -> None:
    only = [kept(HELPER, EndsBy.HOST)]
    assert answer(Action.RELEASE, IDLE, members=only) == ("allow", "idle-confirmed")
    assert answer(Action.KILL, IDLE, members=only) == ("refuse", "live-parent")


def test_what_stays_is_not_promised() -> None:
    row = group(member(AGENT), kept(HELPER, EndsBy.NOT), rss_bytes=200 * MB)
    assert [m.process.pid for m in row.leaving] == [10]
    assert row.leaving_bytes == 100 * MB


def test_a_session_of_which_nothing_runs_is_cleared_after_a_question() -> None:
    ended = verdict(State.ENDED)
    told = fact(remnant=True)
    assert answer(Action.RELEASE, ended, members=(), told=told, flags=("remnant",)) == ("confirm", "already-ended")
    without = fact(remnant=True, ladder=())
    assert answer(Action.RELEASE, ended, members=(), told=without, flags=("remnant",)) == ("refuse", "already-ended")
    assert offered(flags=("remnant",)) == [Action.RELEASE]


def test_what_the_user_keeps_goes_only_when_the_user_says_so_again() -> None:
    keeping = Rules(idle_after_s=900.0, kept=frozenset({"acme:s1"}))
    assert answer(Action.RELEASE, IDLE, rules=keeping) == ("confirm", "kept")
    assert answer(Action.END_DUPLICATE, IDLE, rules=keeping) == ("confirm", "kept")
    assert answer(Action.AUTO_CLEAN, IDLE, rules=keeping) == ("refuse", "kept")
    others = Rules(idle_after_s=900.0, kept=frozenset({"acme:s2"}))
    assert answer(Action.RELEASE, IDLE, rules=others) == ("allow", "idle-confirmed")


@pytest.mark.parametrize(("name", "reason"), [("supervisord", "legit-daemon"), ("bash", "idle-confirmed")])
def test_what_a_supervisor_would_start_again_asks_first(name: str, reason: str) -> None:
    above = process(5, 1, name)
    allowed, told = answer(Action.RELEASE, IDLE, rows=(above, AGENT))
    assert (allowed, told) == ("confirm" if reason == "legit-daemon" else "allow", reason)
    assert answer(Action.AUTO_CLEAN, IDLE, rows=(above, AGENT))[0] == (
        "refuse" if reason == "legit-daemon" else "allow"
    )


def test_the_supervisor_is_named() -> None:
    above = process(5, 1, "node", name="PM2 v5.3.0: God")
    asked = group(member(AGENT), verdict=IDLE)
    decision = decide(Action.RELEASE, asked, table(above, AGENT), fact=fact(), rules=RULES)
    assert decision.sentence == "PM2 v5.3.0: God (5) would start it again; stop it there"


def test_a_helper_that_may_serve_either_of_two_sessions_is_not_ended() -> None:
    either = answer(Action.END_ORPHAN, kind=GroupKind.SHARED_HELPER, flags=("ambiguous",))
    assert either == ("refuse", "shared-helper")


def test_what_is_not_understood_is_never_released_and_ended_only_after_a_question() -> None:
    drift = Drift(version="9.0", where="session record", field="status")
    unknown = verdict(State.UNKNOWN)
    answers = [answer(action, unknown, drift=drift) for action in (Action.RELEASE, Action.AUTO_CLEAN, Action.KILL)]
    assert answers == [("refuse", "unknown-state"), ("refuse", "unknown-state"), ("confirm", "unknown-state")]
    assert answer(Action.RELEASE, verdict(State.WAITING), drift=drift) == ("refuse", "unknown-state")
    assert answer(Action.END_DUPLICATE, IDLE, drift=drift) == ("refuse", "unknown-state")
    decision = decide(Action.RELEASE, group(member(AGENT), verdict=unknown, drift=drift), table(AGENT), rules=RULES)
    assert decision.sentence.startswith("Recognised, not understood")
