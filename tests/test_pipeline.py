"""What one tick leaves for the next: whom a release asked to go, and what it left behind."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from tests.rows import UPTIME_S, claim, fact, idle_evidence, key, observed, process, table
from trayapp.attribution import Lineage
from trayapp.model.plan import Action
from trayapp.model.process import Process
from trayapp.model.receipt import Fate, Outcome, Receipt, Survivor, Target
from trayapp.model.session import Drift, HostLabel, Observation, Role
from trayapp.pipeline import Conclusion, Inputs, Memory, after, conclude
from trayapp.reclaim.plan import Rules

AGENT = process(10, 5, "acme")
SHELL = process(11, 10, "bash", "-i", age_s=50)
NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def tick(
    memory: Memory, *rows: Process, later_s: float = 0.0, seen: bool = True, drift: Drift | None = None
) -> Conclusion:
    at = table(*rows, monotonic_s=UPTIME_S + later_s)
    word: tuple[Observation, ...] = ()
    if seen:
        word = (observed([claim(AGENT)], replace(fact(idle_evidence()), drift=drift)),)
    inputs = Inputs(
        table=at,
        observations=word,
        labels=(HostLabel(host="acme", title="Acme", letters="Ac"),),
        rules=Rules(),
        now_epoch_s=at.taken_at.timestamp(),
    )
    return conclude(inputs, memory, lambda _: {})


def receipt(fate: Fate, *survived: Process, action: Action = Action.RELEASE) -> Receipt:
    target = Target(
        group_key="acme:s1",
        action=action,
        members=(AGENT.identity, SHELL.identity),
        title="s1",
        host="acme",
        expected_bytes=0,
    )
    left = tuple(Survivor(identity=p.identity, name=p.name, note="still runs") for p in survived)
    outcome = Outcome(target=target, fate=fate, sentence="", survived=left)
    return Receipt(
        receipt_id="r1",
        started_at=NOW,
        finished_at=NOW,
        origin="test",
        outcomes=(outcome,),
        available_before_bytes=0,
        available_after_bytes=0,
    )


def test_a_released_process_that_stays_is_told_once_its_time_is_over() -> None:
    memory = after(receipt(Fate.SURVIVED, AGENT), tick(Memory(), AGENT).memory)
    early = tick(memory, AGENT, later_s=29.0)
    late = tick(early.memory, AGENT, later_s=30.0)
    flags = [c.snapshot.groups[0].flags for c in (early, late)]
    assert flags == [(), ("release-failed",)]
    assert tick(late.memory, later_s=40.0, seen=False).memory.asked == {}


def test_a_shell_that_a_released_session_left_stays_in_its_row() -> None:
    memory = after(receipt(Fate.RELEASED), tick(Memory(), AGENT, SHELL).memory)
    past = Lineage(session=key(), host="acme", role=Role.SHELL, parent=AGENT.identity, released=True)
    assert memory.lineage[SHELL.identity] == past
    (row,) = [g for g in tick(memory, replace(SHELL, ppid=1), seen=False).snapshot.groups if g.session == key()]
    assert row.flags == ("leftover",)


def test_what_was_refused_or_ended_leaves_no_mark() -> None:
    memory = tick(Memory(), AGENT, SHELL).memory
    assert after(receipt(Fate.REFUSED, AGENT), memory) == memory
    assert after(receipt(Fate.ENDED, action=Action.KILL), memory) == memory


def test_what_is_not_understood_is_told_once_with_its_field_and_stays_counted() -> None:
    drift = Drift(version="9.0", where="session record", field="status")
    told = tick(Memory(), AGENT, drift=drift).snapshot
    (row,) = [g for g in told.groups if g.session == key()]
    assert row.drift is drift
    assert row.rss_bytes == AGENT.rss_bytes
    assert [str(p) for p in told.problems] == [
        "session record: not understood (version 9.0): “status” is missing there or of another shape. "
        "Its memory is counted, its state is not known and nothing releases it; update Agent Ring"
    ]
