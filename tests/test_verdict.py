"""What a session is doing: one test for each rule, with the evidence that decides it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.rows import NOW_EPOCH_S, evidence, fact, idle_evidence, member, process
from trayapp.model.process import ProcessStatus
from trayapp.model.session import Drift, Evidence, EvidenceKind, Role, SessionFact, Speaks, State
from trayapp.model.snapshot import Member, Verdict
from trayapp.verdict import Sleep, judge

BACKEND = member(process(10, 5, "acme"))
WORK = member(process(11, 10, "pytest"), Role.WORK)
HELPER = member(process(12, 10, "index-mcp"), Role.HELPER)


def verdict(told: SessionFact | None, *members: Member, **given: object) -> Verdict:
    return judge(told, members or (BACKEND,), now_epoch_s=NOW_EPOCH_S, **given)  # type: ignore[arg-type]


def state(*told: Evidence, members: tuple[Member, ...] = (BACKEND,)) -> State:
    return verdict(fact(*told), *members).state


def test_idle_needs_a_record_that_carries_a_time() -> None:
    assert state(idle_evidence(3600)) is State.IDLE
    assert state(evidence(EvidenceKind.TURN, Speaks.IDLE)) is State.UNKNOWN
    assert state() is State.UNKNOWN
    assert verdict(None).state is State.UNKNOWN


def test_helpers_are_not_work() -> None:
    assert state(idle_evidence(), members=(BACKEND, HELPER)) is State.IDLE


def test_a_live_work_process_makes_busy_whatever_the_record_says() -> None:
    found = verdict(fact(idle_evidence()), BACKEND, WORK)
    assert found.state is State.BUSY
    assert "A work process runs: pytest" in [e.fact for e in found.evidence]


def test_several_work_processes_are_counted_and_named() -> None:
    more = tuple(member(process(20 + i, 10, name), Role.WORK) for i, name in enumerate(("make", "cc1", "cc1", "ld")))
    facts = [e.fact for e in verdict(fact(), BACKEND, *more).evidence]
    assert "4 work processes run: cc1, ld, make" in facts


def test_a_finished_work_process_that_nobody_collected_is_no_work() -> None:
    zombie = member(process(11, 10, "make", status=ProcessStatus.ZOMBIE), Role.WORK)
    assert state(idle_evidence(), members=(BACKEND, zombie)) is State.IDLE


@pytest.mark.parametrize("kind", [EvidenceKind.TURN, EvidenceKind.SUBAGENT, EvidenceKind.BACKGROUND_TASK])
def test_any_evidence_of_work_makes_busy(kind: EvidenceKind) -> None:
    assert state(idle_evidence(), evidence(kind, Speaks.BUSY, age_s=30)) is State.BUSY


def test_an_open_call_without_a_process_that_runs_it_proves_nothing() -> None:
    call = evidence(EvidenceKind.TOOL_CALL, Speaks.BUSY, age_s=30)
    assert state(call) is State.UNKNOWN
    assert state(call, members=(BACKEND, WORK)) is State.BUSY


def test_waiting_by_the_hosts_own_word_holds_beside_running_work() -> None:
    asked = evidence(EvidenceKind.HOST_STATUS, Speaks.WAITING, age_s=5)
    assert state(asked, members=(BACKEND, WORK)) is State.WAITING


def test_a_question_from_a_log_is_answered_once_work_runs() -> None:
    asked = evidence(EvidenceKind.QUESTION, Speaks.WAITING, age_s=5)
    assert state(asked) is State.WAITING
    assert state(asked, members=(BACKEND, WORK)) is State.BUSY


def test_what_could_not_be_read_leaves_unknown() -> None:
    assert state(idle_evidence(), evidence(EvidenceKind.RECORD, Speaks.UNREADABLE)) is State.UNKNOWN
    unread = (member(process(11, 10), Role.UNKNOWN), member(process(12, 10), Role.UNKNOWN))
    found = verdict(fact(idle_evidence()), BACKEND, *unread)
    assert found.state is State.UNKNOWN
    assert "2 processes could not be read" in [e.fact for e in found.evidence]
    assert "1 process could not be read" in [e.fact for e in verdict(fact(), BACKEND, unread[0]).evidence]


def test_a_session_without_a_live_process_has_ended() -> None:
    assert judge(fact(idle_evidence()), (), now_epoch_s=NOW_EPOCH_S).state is State.ENDED
    shell = member(process(11, 800, "bash"), Role.SHELL)
    assert verdict(fact(), shell).state is State.ENDED
    ended = evidence(EvidenceKind.HOST_STATUS, Speaks.ENDED, age_s=60)
    assert state(ended) is State.ENDED
    assert verdict(fact(ended)).since_epoch_s == NOW_EPOCH_S - 60


def test_a_row_that_shares_its_process_is_judged_by_its_record() -> None:
    shared = fact(idle_evidence(), shares_backend=True)
    assert judge(shared, (), now_epoch_s=NOW_EPOCH_S).state is State.IDLE


def test_idle_counts_from_the_newest_record() -> None:
    found = verdict(fact(idle_evidence(7200), last_activity_epoch_s=NOW_EPOCH_S - 3600))
    assert (found.since_epoch_s, found.idle_s) == (NOW_EPOCH_S - 3600, 3600)


def test_sleep_is_not_idleness() -> None:
    # case 066: 605 s by the clock, 519 s of them asleep
    slept = Sleep(since_epoch_s=NOW_EPOCH_S - 560, until_epoch_s=NOW_EPOCH_S - 41)
    before = Sleep(since_epoch_s=NOW_EPOCH_S - 9000, until_epoch_s=NOW_EPOCH_S - 8000)
    assert slept.length_s == 519
    assert verdict(fact(idle_evidence(605)), sleeps=(before, slept)).idle_s == 86


def test_busy_counts_from_when_the_turn_began() -> None:
    found = verdict(fact(evidence(EvidenceKind.TURN, Speaks.BUSY, age_s=720)))
    assert (found.since_epoch_s, found.idle_s) == (NOW_EPOCH_S - 720, None)


def test_idle_is_confirmed_by_a_second_reading_not_by_the_same_one() -> None:
    first = verdict(fact(idle_evidence(3600, read_s=0)))
    same = verdict(fact(idle_evidence(3600, read_s=0)), before=first)
    second = verdict(fact(idle_evidence(3600, read_s=2)), before=first)
    assert [v.confirmations for v in (first, same, second)] == [1, 1, 2]


def test_a_new_record_or_work_in_between_begins_the_count_again() -> None:
    first = verdict(fact(idle_evidence(3600)))
    later = verdict(fact(idle_evidence(10, read_s=2)), before=first)
    busy = verdict(fact(idle_evidence(3600)), BACKEND, WORK, before=first)
    after = verdict(fact(idle_evidence(3600, read_s=4)), before=busy)
    assert [v.confirmations for v in (later, busy, after)] == [1, 0, 1]


def test_a_host_that_stopped_answering_proves_nothing_any_more() -> None:
    assert verdict(fact(idle_evidence()), stale_s=40.0).state is State.UNKNOWN
    assert verdict(fact(idle_evidence()), BACKEND, WORK, stale_s=40.0).state is State.BUSY
    assert judge(fact(), (), now_epoch_s=NOW_EPOCH_S, stale_s=40.0).state is State.ENDED
    assert verdict(fact(), stale_s=40.0).stale_s == 40.0


def test_an_agent_below_it_makes_a_session_busy() -> None:
    found = verdict(fact(idle_evidence()), nested_agents=("Review",))
    assert found.state is State.BUSY
    assert "Another session runs below it: Review" in [e.fact for e in found.evidence]


def test_work_of_another_session_below_it_protects_without_making_it_busy() -> None:
    found = verdict(fact(idle_evidence()), foreign_work=("pnpm",))
    assert found.state is State.IDLE
    assert [e.kind for e in found.evidence if e.speaks_for is Speaks.PROTECTS] == [EvidenceKind.BACKGROUND_TASK]


def test_somebody_who_types_in_the_terminal_protects() -> None:
    def typed(idle_s: float) -> list[EvidenceKind]:
        found = verdict(
            fact(idle_evidence()), member(process(10, 5, "acme", tty="pts/1", tty_input_epoch_s=NOW_EPOCH_S - idle_s))
        )
        return [e.kind for e in found.evidence if e.speaks_for is Speaks.PROTECTS]

    assert typed(29.9) == [EvidenceKind.TERMINAL_INPUT]
    assert typed(30.0) == []


# -- what no slip of the hand may change (make mutants) ---------------------------------------------------------------


def facts(found: Verdict) -> list[str]:
    return [e.fact for e in found.evidence]


def test_an_idle_record_does_not_outweigh_an_open_call() -> None:
    call = evidence(EvidenceKind.TOOL_CALL, Speaks.BUSY, age_s=30)
    assert state(idle_evidence(), call) is State.UNKNOWN


def test_that_no_work_runs_is_told_with_what_was_counted() -> None:
    def seen(*members: Member) -> list[tuple[str, str, EvidenceKind]]:
        found = verdict(fact(), *members).evidence
        return [(e.fact, e.source, e.kind) for e in found if e.speaks_for is Speaks.NOTHING]

    quiet, kind = "No work process runs", EvidenceKind.WORK_PROCESS
    assert seen(BACKEND) == [(quiet, "process table: 1 backend, 0 helpers", kind)]
    assert seen(BACKEND, HELPER) == [(quiet, "process table: 1 backend, 1 helper", kind)]
    assert seen(BACKEND, BACKEND, HELPER, HELPER) == [(quiet, "process table: 2 backends, 2 helpers", kind)]
    unread = member(process(13, 10), Role.UNKNOWN)
    assert seen(BACKEND, WORK) == seen(BACKEND, unread) == seen(HELPER) == []


def test_of_many_jobs_three_are_named() -> None:
    jobs = tuple(member(process(20 + i, 10, name), Role.WORK) for i, name in enumerate("abcd"))
    assert "4 work processes run: a, b, c" in facts(verdict(fact(), BACKEND, *jobs))


def test_what_could_not_be_read_is_a_matter_of_processes() -> None:
    unread = member(process(13, 10), Role.UNKNOWN)
    (told,) = (e for e in verdict(fact(), BACKEND, unread).evidence if e.speaks_for is Speaks.UNREADABLE)
    assert told.kind is EvidenceKind.WORK_PROCESS


def test_the_latest_key_press_in_a_terminal_of_an_agent_counts() -> None:
    def agent(pid: int, idle_s: float | None, role: Role = Role.BACKEND) -> Member:
        typed_epoch_s = None if idle_s is None else NOW_EPOCH_S - idle_s
        return member(process(pid, 5, "acme", tty_input_epoch_s=typed_epoch_s), role)

    def typed(*members: Member) -> list[tuple[str, float | None]]:
        found = verdict(fact(idle_evidence()), *members).evidence
        return [(e.source, e.at_epoch_s) for e in found if e.kind is EvidenceKind.TERMINAL_INPUT]

    assert typed(agent(10, 500.0), agent(11, 4.0), agent(12, None)) == [("terminal", NOW_EPOCH_S - 4)]
    assert typed(agent(10, 500.0), agent(11, 4.0, Role.HELPER)) == []


def test_an_agent_below_speaks_as_a_subagent() -> None:
    found = verdict(fact(idle_evidence()), nested_agents=("Review",))
    assert [e.kind for e in found.evidence if e.speaks_for is Speaks.BUSY] == [EvidenceKind.SUBAGENT]


def test_without_processes_and_facts_a_session_has_ended() -> None:
    assert judge(None, (), now_epoch_s=NOW_EPOCH_S).state is State.ENDED
    ended = judge(fact(evidence(EvidenceKind.TURN, Speaks.ENDED, age_s=60)), (), now_epoch_s=NOW_EPOCH_S)
    assert (ended.state, ended.idle_s) == (State.ENDED, 60)


def test_what_a_silent_host_said_of_work_proves_nothing_either() -> None:
    turn = evidence(EvidenceKind.TURN, Speaks.BUSY, age_s=30)
    assert verdict(fact(turn), stale_s=40.0).state is State.UNKNOWN


def test_zombies_launchers_and_bare_shells_keep_no_session_alive() -> None:
    dead = member(process(10, 5, "acme", status=ProcessStatus.ZOMBIE))
    launcher = member(process(11, 5, "start"), Role.LAUNCHER)
    assert state(idle_evidence(), members=(dead, launcher)) is State.ENDED
    assert state(idle_evidence(), members=(HELPER,)) is State.IDLE


def test_a_call_that_ended_leaves_no_doubt() -> None:
    assert state(idle_evidence(), evidence(EvidenceKind.TOOL_CALL, Speaks.NOTHING, age_s=30)) is State.IDLE


def test_idle_counts_from_dated_records_of_idleness_only() -> None:
    told = (idle_evidence(3600), evidence(EvidenceKind.TURN, Speaks.IDLE), evidence(EvidenceKind.VIEW, Speaks.NOTHING))
    newer = evidence(EvidenceKind.RECORD, Speaks.NOTHING, age_s=5)
    assert verdict(fact(*told, newer)).idle_s == 3600


def test_waiting_and_busy_count_from_the_oldest_record_of_their_own() -> None:
    older = evidence(EvidenceKind.RECORD, Speaks.NOTHING, age_s=9000)
    for kind, speaks_for in ((EvidenceKind.HOST_STATUS, Speaks.WAITING), (EvidenceKind.TURN, Speaks.BUSY)):
        told = [evidence(kind, speaks_for, age_s=age_s) for age_s in (700, 60, None)]
        found = verdict(fact(*told, older))
        assert (found.state.value, found.since_epoch_s) == (speaks_for.value, NOW_EPOCH_S - 700)


def test_idle_without_a_single_second_awake_is_zero_seconds() -> None:
    slept = Sleep(since_epoch_s=NOW_EPOCH_S - 600, until_epoch_s=NOW_EPOCH_S + 5)
    assert verdict(fact(idle_evidence(600)), sleeps=(slept,)).idle_s == 0
    assert verdict(fact(idle_evidence(600)), sleeps=(slept, slept)).idle_s == 0
    earlier = Sleep(since_epoch_s=NOW_EPOCH_S - 900, until_epoch_s=NOW_EPOCH_S - 700)
    assert verdict(fact(idle_evidence(600)), sleeps=(earlier,)).idle_s == 600
    assert Sleep(since_epoch_s=10.0, until_epoch_s=5.0).length_s == 0


def test_only_an_idle_look_before_counts_towards_idle() -> None:
    since = NOW_EPOCH_S - 3600
    for other in (State.BUSY, State.WAITING, State.ENDED, State.UNKNOWN):
        looked = Verdict(state=other, since_epoch_s=since, confirmations=5)
        assert verdict(fact(idle_evidence(3600)), before=looked).confirmations == 1


def test_readings_of_other_things_confirm_no_idleness() -> None:
    first = verdict(fact(idle_evidence(3600), evidence(EvidenceKind.VIEW, Speaks.NOTHING, read_s=0)))
    again = verdict(fact(idle_evidence(3600), evidence(EvidenceKind.VIEW, Speaks.NOTHING, read_s=9)), before=first)
    assert again.confirmations == 1


def test_the_newest_reading_of_several_idle_records_confirms() -> None:
    def idle(read_s: float) -> SessionFact:
        untold = Evidence(kind=EvidenceKind.RECORD, speaks_for=Speaks.IDLE, fact="Quiet", source="log")
        return fact(idle_evidence(3600), idle_evidence(3600, read_s=read_s), untold)

    assert verdict(idle(4), before=verdict(idle(2))).confirmations == 2


def test_a_host_that_speaks_in_an_unknown_way_proves_nothing_but_what_runs_is_seen() -> None:
    drifted = replace(fact(idle_evidence()), drift=Drift(version="9.0", where="session record", field="status"))
    found = verdict(drifted)
    assert found.state is State.UNKNOWN
    assert [(e.speaks_for, e.fact, e.source) for e in found.evidence][1] == (
        Speaks.UNREADABLE,
        "“status” is missing there or of another shape",
        "session record",
    )
    assert verdict(drifted, BACKEND, WORK).state is State.BUSY
