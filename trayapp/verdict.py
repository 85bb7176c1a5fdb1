"""What a session is doing: evidence in, busy / waiting / idle / ended / unknown out.

Pure. Every rule names the case that taught it. What never counts: CPU, output bytes, file modification times (cases
024, 026, 062, 076).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trayapp.model.session import Evidence, EvidenceKind, Role, SessionFact, Speaks, State
from trayapp.model.snapshot import Member, Verdict

PROCESS_TABLE = "process table"
CONFIRMATIONS_WANTED = 2
TYPED_RECENTLY_S = 30.0
"""The access time of a terminal is as coarse as 8 s."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sleep:
    """Mark a stretch of wall-clock time in which the machine slept or nothing was measured."""

    since_epoch_s: float
    until_epoch_s: float

    @property
    def length_s(self) -> float:
        return max(0.0, self.until_epoch_s - self.since_epoch_s)


def judge(
    fact: SessionFact | None,
    members: Sequence[Member],
    *,
    now_epoch_s: float,
    before: Verdict | None = None,
    sleeps: Sequence[Sleep] = (),
    nested_agents: Sequence[str] = (),
    foreign_work: Sequence[str] = (),
    stale_s: float | None = None,
    told_epoch_s: float | None = None,
) -> Verdict:
    """Judge one session.

    `told_epoch_s` is when `fact` was told. `nested_agents` names sessions whose processes run below this one's,
    `foreign_work` jobs of others there. `stale_s` is the age of the host's last answer when it stopped answering: its
    states then prove nothing any more.
    """
    told = fact.evidence if fact is not None else ()
    evidence = (
        *told,
        *_from_drift(fact),
        *_from_processes(members, now_epoch_s),
        *_from_terminals(members, now_epoch_s),
        *_from_below(nested_agents, foreign_work, now_epoch_s),
    )
    understood = stale_s is None and (fact is None or fact.drift is None)
    state = _state(fact, members, evidence) if understood else _stale_state(members, evidence)
    since = _since(state, fact, evidence)
    idle_s = _idle_s(since, now_epoch_s, sleeps) if state in (State.IDLE, State.ENDED) else None
    return Verdict(
        state=state,
        evidence=evidence,
        since_epoch_s=since,
        idle_s=idle_s,
        confirmations=_confirmations(state, since, _newest_read(evidence, told_epoch_s), before),
        stale_s=stale_s,
        told_epoch_s=told_epoch_s,
    )


def renewed(
    verdict: Verdict, fact: SessionFact, *, now_epoch_s: float, sleeps: Sequence[Sleep], told_epoch_s: float | None
) -> Verdict:
    """Return a verdict that still stands because all was read again and says the same, with the ages of now."""
    told = len(fact.evidence)
    return Verdict(
        state=verdict.state,
        evidence=(*fact.evidence, *[_seen_again(evidence, now_epoch_s) for evidence in verdict.evidence[told:]]),
        since_epoch_s=verdict.since_epoch_s,
        idle_s=None if verdict.idle_s is None else _idle_s(verdict.since_epoch_s, now_epoch_s, sleeps),
        confirmations=verdict.confirmations,
        stale_s=verdict.stale_s,
        told_epoch_s=told_epoch_s,
    )


def _seen_again(evidence: Evidence, now_epoch_s: float) -> Evidence:
    return Evidence(
        kind=evidence.kind,
        speaks_for=evidence.speaks_for,
        fact=evidence.fact,
        source=evidence.source,
        at_epoch_s=evidence.at_epoch_s,
        read_epoch_s=now_epoch_s,
    )


def _from_drift(fact: SessionFact | None) -> tuple[Evidence, ...]:
    """Say that a host speaks in a way that is not known here: nothing follows from what it does not seem to say."""
    if fact is None or fact.drift is None:
        return ()
    drift = fact.drift
    return (Evidence(kind=EvidenceKind.RECORD, speaks_for=Speaks.UNREADABLE, fact=drift.fact, source=drift.where),)


def _from_processes(members: Sequence[Member], now_epoch_s: float) -> tuple[Evidence, ...]:
    """Say what the process table itself speaks for: live work protects, helpers do not (cases 017, 024)."""
    work = [m for m in members if m.role is Role.WORK and not m.process.is_zombie]
    unread = [m for m in members if m.role is Role.UNKNOWN]
    helpers = sum(m.role is Role.HELPER for m in members)
    backends = sum(m.role is Role.BACKEND for m in members)
    found: list[Evidence] = []
    if work:
        names = ", ".join(sorted({m.process.name for m in work})[:3])
        fact = "A work process runs" if len(work) == 1 else f"{len(work)} work processes run"
        found.append(_seen(EvidenceKind.WORK_PROCESS, Speaks.BUSY, f"{fact}: {names}", now_epoch_s))
    if unread:
        fact = "1 process could not be read" if len(unread) == 1 else f"{len(unread)} processes could not be read"
        found.append(_seen(EvidenceKind.WORK_PROCESS, Speaks.UNREADABLE, fact, now_epoch_s))
    if backends and not work and not unread:
        backend = "1 backend" if backends == 1 else f"{backends} backends"
        helper = "1 helper" if helpers == 1 else f"{helpers} helpers"
        source = f"{PROCESS_TABLE}: {backend}, {helper}"
        found.append(
            _seen(EvidenceKind.WORK_PROCESS, Speaks.NOTHING, "No work process runs", now_epoch_s, source=source)
        )
    return tuple(found)


def _from_terminals(members: Sequence[Member], now_epoch_s: float) -> tuple[Evidence, ...]:
    """Say whether somebody types in the session's terminal: then it is not ours to end without a word."""
    typed_epoch_s = max(
        (
            m.process.tty_input_epoch_s
            for m in members
            if m.role is Role.BACKEND and m.process.tty_input_epoch_s is not None
        ),
        default=None,
    )
    if typed_epoch_s is None or now_epoch_s - typed_epoch_s >= TYPED_RECENTLY_S:
        return ()
    fact = "Somebody typed in its terminal just now"
    return (
        Evidence(
            kind=EvidenceKind.TERMINAL_INPUT,
            speaks_for=Speaks.PROTECTS,
            fact=fact,
            source="terminal",
            at_epoch_s=min(typed_epoch_s, now_epoch_s),
            read_epoch_s=now_epoch_s,
        ),
    )


def _from_below(agents: Sequence[str], work: Sequence[str], now_epoch_s: float) -> tuple[Evidence, ...]:
    nested = [(EvidenceKind.SUBAGENT, Speaks.BUSY, f"Another session runs below it: {name}") for name in agents]
    jobs = [
        (EvidenceKind.BACKGROUND_TASK, Speaks.PROTECTS, f"Work of another session runs below it: {name}")
        for name in work
    ]
    return tuple(_seen(*each, now_epoch_s) for each in (*nested, *jobs))


def _seen(
    kind: EvidenceKind, speaks_for: Speaks, fact: str, now_epoch_s: float, *, source: str = PROCESS_TABLE
) -> Evidence:
    return Evidence(
        kind=kind, speaks_for=speaks_for, fact=fact, source=source, at_epoch_s=None, read_epoch_s=now_epoch_s
    )


def _state(fact: SessionFact | None, members: Sequence[Member], evidence: Sequence[Evidence]) -> State:
    if not _lives(members) and not (fact is not None and fact.shares_backend):
        return State.ENDED
    if _waits(evidence):
        return State.WAITING
    if _is_busy(evidence):
        return State.BUSY
    if any(e.speaks_for is Speaks.UNREADABLE for e in evidence):
        return State.UNKNOWN
    if _has_unproved_call(evidence):
        return State.UNKNOWN
    # Idle needs a record that carries a time (PRECEDENCE rule 6); a silent log is no such record.
    if any(e.speaks_for is Speaks.IDLE and e.at_epoch_s is not None for e in evidence):
        return State.IDLE
    if any(e.speaks_for is Speaks.ENDED for e in evidence):
        return State.ENDED
    return State.UNKNOWN


def _stale_state(members: Sequence[Member], evidence: Sequence[Evidence]) -> State:
    """Judge without the host's word: only live work still proves something."""
    if not _lives(members):
        return State.ENDED
    work = any(e.speaks_for is Speaks.BUSY and e.source.startswith(PROCESS_TABLE) for e in evidence)
    return State.BUSY if work else State.UNKNOWN


def _lives(members: Sequence[Member]) -> bool:
    """Say whether anything of the session runs: not a zombie, not a bare shell that it left (cases 090, 119)."""
    return any(not m.process.is_zombie and m.role not in (Role.SHELL, Role.LAUNCHER) for m in members)


def _waits(evidence: Sequence[Evidence]) -> bool:
    """Say whether the session waits for the user: its host says so now, or a question is the newest thing it recorded.

    A question from a log is answered as soon as work runs (case 029); later records replace it (case 031), which is the
    adapter's to see.
    """
    asked = [e for e in evidence if e.speaks_for is Speaks.WAITING]
    if any(e.kind is EvidenceKind.HOST_STATUS for e in asked):
        return True
    return bool(asked) and not _works(evidence)


def _works(evidence: Sequence[Evidence]) -> bool:
    return any(e.kind is EvidenceKind.WORK_PROCESS and e.speaks_for is Speaks.BUSY for e in evidence)


def _is_busy(evidence: Sequence[Evidence]) -> bool:
    return any(
        e.speaks_for is Speaks.BUSY and (e.kind is not EvidenceKind.TOOL_CALL or _works(evidence)) for e in evidence
    )


def _has_unproved_call(evidence: Sequence[Evidence]) -> bool:
    """An open tool call without a process that runs it may be thinking, a prompt or a crash (case 040, A10)."""
    return any(e.kind is EvidenceKind.TOOL_CALL and e.speaks_for is Speaks.BUSY for e in evidence)


def _since(state: State, fact: SessionFact | None, evidence: Sequence[Evidence]) -> float | None:
    """Return when the present state began, as far as a record tells: the newest one for idle, else the oldest."""
    if state is State.IDLE:
        times = [e.at_epoch_s for e in evidence if e.speaks_for is Speaks.IDLE and e.at_epoch_s is not None]
        if fact is not None and fact.last_activity_epoch_s is not None:
            times.append(fact.last_activity_epoch_s)
        return max(times, default=None)
    wanted = {State.BUSY: Speaks.BUSY, State.WAITING: Speaks.WAITING, State.ENDED: Speaks.ENDED}.get(state)
    return min((e.at_epoch_s for e in evidence if e.speaks_for is wanted and e.at_epoch_s is not None), default=None)


def _idle_s(since: float | None, now_epoch_s: float, sleeps: Sequence[Sleep]) -> float | None:
    """Return seconds since `since` in which the machine was awake (case 066)."""
    if since is None:
        return None
    asleep = sum(max(0.0, min(sleep.until_epoch_s, now_epoch_s) - max(sleep.since_epoch_s, since)) for sleep in sleeps)
    return max(0.0, now_epoch_s - since - asleep)


def _confirmations(
    state: State, since_epoch_s: float | None, read_epoch_s: float | None, before: Verdict | None
) -> int:
    """Count observations in a row that said idle; the same reading twice is one."""
    if state is not State.IDLE:
        return 0
    if before is None or before.state is not State.IDLE or before.since_epoch_s != since_epoch_s:
        return 1
    return before.confirmations + (1 if read_epoch_s != _newest_read(before.evidence, before.told_epoch_s) else 0)


def _newest_read(evidence: Sequence[Evidence], told_epoch_s: float | None) -> float | None:
    """Return when anything that speaks for idleness was read last."""
    times = [
        told_epoch_s if e.read_epoch_s is None else e.read_epoch_s for e in evidence if e.speaks_for is Speaks.IDLE
    ]
    return max((time for time in times if time is not None), default=None)
