"""Rows that can be believed: verdict, flags and decisions joined over one table."""

from __future__ import annotations

from dataclasses import replace

from tests.rows import NOW_EPOCH_S, claim, evidence, fact, idle_evidence, key, observed, process, table
from trayapp.assess import Circumstances, assess, is_shown
from trayapp.attribution import Ownership, attribute
from trayapp.measure import gather
from trayapp.model.process import Process, ProcessStatus, ProcessTable
from trayapp.model.session import ClaimKind, EvidenceKind, Role, SessionFact, Speaks, State
from trayapp.model.snapshot import Group, GroupKind
from trayapp.reclaim.plan import Rules

AGENT = process(10, 5, "acme")


def rows(
    *processes: Process, told: SessionFact | None = None, percent: float | None = None, **given: object
) -> dict[str, Group]:
    at = table(*processes)
    claims = [claim(p, f"s{n}") for n, p in enumerate((p for p in processes if p.name == "acme"), start=1)]
    facts = [told or fact(idle_evidence()), fact(idle_evidence(), session_id="s2", title="Review")]
    ownership = attribute(at, [observed(claims, *facts)], {})
    percents = {AGENT.identity: percent} if percent is not None else {}
    around = replace(circumstances(at, ownership), **given)  # type: ignore[arg-type]
    return {group.key: group for group in assess(gather(at, ownership, percents, {}), around, before={})}


def circumstances(at: ProcessTable, ownership: Ownership) -> Circumstances:
    return Circumstances(table=at, ownership=ownership, rules=Rules(), now_epoch_s=NOW_EPOCH_S, told_epoch_s={})


def test_a_session_gets_its_verdict_and_its_decisions() -> None:
    row = rows(AGENT)["acme:s1"]
    assert row.verdict is not None
    assert row.verdict.state is State.IDLE
    assert [d.action.value for d in row.decisions] == ["release", "kill", "auto-clean"]


def test_an_agent_below_an_agent_keeps_the_upper_one_busy() -> None:
    row = rows(AGENT, process(11, 10, "acme", age_s=50))["acme:s1"]
    assert row.verdict is not None
    assert row.verdict.state is State.BUSY
    assert any(e.fact == "Another session runs below it: Review" for e in row.verdict.evidence)


def test_stale_hosts_mark_their_rows() -> None:
    row = rows(AGENT, stale_s={"acme": 40.0})["acme:s1"]
    assert row.flags == ("stale",)
    assert row.verdict is not None
    assert row.verdict.state is State.UNKNOWN


def test_idle_but_hot_is_flagged_and_busy_and_hot_is_not() -> None:
    assert rows(AGENT, percent=90.0)["acme:s1"].flags == ("hot",)
    busy = fact(evidence(EvidenceKind.TURN, Speaks.BUSY, age_s=5))
    assert rows(AGENT, told=busy, percent=400.0)["acme:s1"].flags == ()


def test_a_long_silence_in_an_open_turn_is_told() -> None:
    quiet = fact(evidence(EvidenceKind.TURN, Speaks.BUSY, age_s=600))
    assert rows(AGENT, told=quiet)["acme:s1"].flags == ("quiet",)


def test_more_than_half_of_the_machine_in_one_session_is_told() -> None:
    assert rows(process(10, 5, "acme", rss_bytes=17 * 1024**3))["acme:s1"].flags == ("oversize",)


def test_a_released_process_that_lives_on_is_told_after_its_time() -> None:
    asked = {AGENT.identity: 30.0}
    assert rows(AGENT, asked_to_go_s=asked)["acme:s1"].flags == ("release-failed",)
    assert rows(AGENT, asked_to_go_s={AGENT.identity: 29.0})["acme:s1"].flags == ()


def test_zombies_are_shown_where_an_agent_left_them() -> None:
    dead = process(11, 10, age_s=50, status=ProcessStatus.ZOMBIE, rss_bytes=0)
    strangers = process(21, 20, age_s=50, status=ProcessStatus.ZOMBIE, rss_bytes=0)
    found = rows(AGENT, dead, process(20, 1, "chrome"), strangers)
    shown = {key for key, row in found.items() if is_shown(row, tuple(found.values()))}
    assert shown == {"acme:s1", "zombie:10", "monitor"}


def test_orphaned_work_is_busy() -> None:
    job = process(30, 1, "make")
    variable = claim(job, "gone", role=Role.WORK, kind=ClaimKind.ENVIRONMENT)
    at = table(job)
    ownership = attribute(at, [observed([variable])], {})
    (row,) = (
        group
        for group in assess(gather(at, ownership, {}, {}), circumstances(at, ownership), before={})
        if group.kind is GroupKind.ORPHAN_WORK
    )
    assert row.verdict is not None
    assert (row.verdict.state, row.owner_hint) == (State.BUSY, "gone")
    assert key("gone").session_id == row.owner_hint


def test_work_of_an_ended_session_below_another_is_told_there() -> None:
    job = process(11, 10, "pnpm", "dev", age_s=50)
    variable = claim(job, "ended", role=Role.WORK, kind=ClaimKind.ENVIRONMENT)
    at = table(AGENT, job)
    ownership = attribute(at, [observed([claim(AGENT), variable], fact(idle_evidence()))], {})
    found = assess(gather(at, ownership, {}, {}), circumstances(at, ownership), before={})
    row = next(group for group in found if group.key == "acme:s1")
    assert row.verdict is not None
    assert any(e.fact == "Work of another session runs below it: pnpm" for e in row.verdict.evidence)
