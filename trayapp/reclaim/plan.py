"""What may be done with a group, and why not.

Pure. `decide` answers for every face; the order of its questions is fixed (cases/PRECEDENCE B7): who is it, is it
protected, is it busy, does it wait, is it known, is it idle for long enough.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from trayapp.bystanders import Bystander, bystander
from trayapp.model.plan import SENTENCES, Action, Allowed, Decision, Reason
from trayapp.model.process import Process, ProcessTable
from trayapp.model.session import EndsBy, EvidenceKind, Role, SessionFact, SessionKey, Speaks, State
from trayapp.model.snapshot import ORPHAN_KINDS, Group, GroupKind, Verdict
from trayapp.verdict import CONFIRMATIONS_WANTED

MIN_AGE_S = 120.0
"""Younger processes are never ended without a person (case 102)."""
_PROTECTING = {
    EvidenceKind.WAKEUP: Reason.PENDING_WAKEUP,
    EvidenceKind.VIEW: Reason.ATTACHED_TERMINAL,
    EvidenceKind.BACKGROUND_TASK: Reason.BUSY_BACKGROUND_TASK,
    EvidenceKind.TERMINAL_INPUT: Reason.ATTACHED_TERMINAL,
    EvidenceKind.SUBAGENT: Reason.BUSY_SUBAGENT,
    EvidenceKind.WORK_PROCESS: Reason.BUSY_BACKGROUND_TASK,
    EvidenceKind.QUESTION: Reason.WAITING_PERMISSION,
    EvidenceKind.TURN: Reason.OPEN_TURN,
    EvidenceKind.TOOL_CALL: Reason.OPEN_TURN,
    EvidenceKind.HOST_STATUS: Reason.OPEN_TURN,
    EvidenceKind.RECORD: Reason.OPEN_TURN,
}
"""What protects an idle session, first that applies: with any of these a release needs a person (PRECEDENCE A12)."""
_BY_SIGNAL = frozenset({Action.KILL, Action.SIGTERM, Action.SIGKILL})
KEPT_BY_HOST = "Its host holds what is left of it and would miss it"
NOT_UNDERSTOOD = "Recognised, not understood: its host speaks in another way than this version knows"
FIRST_PID = 1
"""The first process of a container: all others there end with it (PRECEDENCE B10)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Hold what a decision depends on besides the group.

    Attributes:
        idle_after_s: how long a session must be idle to be released without a question.
        caller_pid: who asks, where that is not this program (it and its ancestors are never touched).
        interval_s: seconds until the next look, for "confirmed in 2 s".
        kept: keys of the groups that the user wants to keep now.
    """

    idle_after_s: float = 900.0
    caller_pid: int | None = None
    interval_s: float = 2.0
    kept: frozenset[str] = frozenset()


def plan(group: Group, table: ProcessTable, facts: Mapping[SessionKey, SessionFact], rules: Rules) -> Group:
    """Return the group with the decisions on all actions that make sense for its kind."""
    fact = facts.get(group.session) if group.session is not None else None
    decisions: dict[Action, Decision] = {}
    for action in _offered(group):
        person = decisions.get(_by_person(group)) if action is Action.AUTO_CLEAN else None
        decisions[action] = (
            decide(action, group, table, fact=fact, rules=rules) if person is None else _auto(group, table, person)
        )
    return replace(group, decisions=tuple(decisions.values()))


def recheck(seen: Process, now: Process | None) -> Reason | None:
    """Say why a process is not the one that was seen any more; None = it is (PRECEDENCE A15, cases 054, 056).

    A program may rewrite its own arguments; another program under the same identity is an exec in between.
    """
    if now is None or (now.identity == seen.identity and now.is_zombie):
        return Reason.ALREADY_ENDED
    if now.identity != seen.identity:
        return Reason.IDENTITY_CHANGED
    if now.exe is None and now.argv is None:
        return Reason.IDENTITY_UNVERIFIED
    same_program = now.exe is not None and now.exe == seen.exe and now.name == seen.name
    if not same_program and (now.exe, now.argv) != (seen.exe, seen.argv):
        return Reason.IDENTITY_CHANGED
    return None


def part_of(group: Group, pid: int) -> Group:
    """Return the group with that process as its only member, to ask about it alone."""
    return replace(group, members=tuple(member for member in group.members if member.process.pid == pid))


def _offered(group: Group) -> tuple[Action, ...]:
    if "leftover" in group.flags:
        return (Action.END_ORPHAN,)
    if "remnant" in group.flags:
        return (Action.RELEASE,)
    if group.kind in (GroupKind.SESSION, GroupKind.ORPHAN_AGENT):
        surplus = (Action.END_DUPLICATE,) if "duplicates" in group.flags else ()
        return (Action.RELEASE, Action.KILL, *surplus, Action.AUTO_CLEAN)
    if group.kind in ORPHAN_KINDS or group.kind is GroupKind.SHARED_HELPER:
        return (Action.END_ORPHAN, Action.KILL, Action.AUTO_CLEAN)
    return (Action.KILL,)


def decide(
    action: Action, group: Group, table: ProcessTable, *, fact: SessionFact | None = None, rules: Rules
) -> Decision:
    """Answer one action on one group."""
    refusal = _who_is_it(group, table, rules) or _protected(action, group, table, fact)
    if refusal is not None:
        return _refuse(action, *refusal)
    if action is Action.AUTO_CLEAN:
        return _auto(group, table, decide(_by_person(group), group, table, fact=fact, rules=rules))
    if action in (Action.KILL, Action.SIGTERM, Action.SIGKILL):
        return _by_signal(action, group)
    if action is Action.RELEASE:
        return _release(group, fact, table, rules)
    decision = _end_orphan(group) if action is Action.END_ORPHAN else _end_duplicate(group)
    kept = group.key in rules.kept and decision.allowed is Allowed.ALLOW
    return _confirm(action, Reason.KEPT) if kept else decision


def _who_is_it(group: Group, table: ProcessTable, rules: Rules) -> tuple[Reason, str | None] | None:
    processes = [member.process for member in group.members]
    own_line = table.own_line(rules.caller_pid)
    if any(process.pid in own_line for process in processes):
        return Reason.SELF_OR_ANCESTOR, None
    if not processes and {"shared-backend", "remnant"}.isdisjoint(group.flags):
        return Reason.ALREADY_ENDED, None
    if any(table.is_in_other_namespace(process) for process in processes):
        return Reason.OTHER_PID_NAMESPACE, None
    if "unverified" in group.flags:
        return Reason.IDENTITY_UNVERIFIED, "Cannot tell whose installation it belongs to"
    if group.kind is GroupKind.ZOMBIE:
        return Reason.ZOMBIE, None
    return None


def _protected(
    action: Action, group: Group, table: ProcessTable, fact: SessionFact | None
) -> tuple[Reason, str | None] | None:
    if group.kind in (GroupKind.MONITOR,):
        return Reason.SELF_OR_ANCESTOR, None
    if group.kind is GroupKind.INFRA:
        spares = group.members and all(member.role is Role.SPARE for member in group.members)
        return (Reason.INFRA_SPARE if spares else Reason.PROTECTED_APP), None
    if any(m.process.unit is not None for m in group.members):
        return Reason.LEGIT_DAEMON, None
    if group.kind in (GroupKind.NOT_OURS, GroupKind.UNRELATED) and any(
        m.role is Role.APP or bystander(m.process) is not None for m in group.members
    ):
        return Reason.PROTECTED_APP, None
    if group.kind in (GroupKind.NOT_OURS, GroupKind.UNRELATED):
        return Reason.NOT_OURS, None
    if any(table.is_anothers(m.process) for m in group.members):
        return Reason.NOT_OURS, "Another user's process"
    # What its host does not unload has processes of its own all the same, which can be ended.
    if fact is not None and fact.refusal is not None and not (fact.heap_of is not None and action in _BY_SIGNAL):
        return Reason.PROTECTED_APP, fact.refusal
    return None


def _release(group: Group, fact: SessionFact | None, table: ProcessTable, rules: Rules) -> Decision:
    action = Action.RELEASE
    if "helper-agent" in group.flags:
        return _refuse(action, Reason.HELPER_AGENT)
    if group.kind in (GroupKind.ORPHAN_HELPER, GroupKind.ORPHAN_WORK, GroupKind.SHARED_HELPER):
        return _refuse(action, Reason.UNKNOWN_STATE, "Only a session can be released")
    busy = _busy_reason(group.verdict)
    if busy is not None:
        return _refuse(action, busy, _work_names(group) if busy is Reason.BUSY_BACKGROUND_TASK else None)
    verdict = group.verdict
    if group.drift is not None:
        return _refuse(action, Reason.UNKNOWN_STATE, NOT_UNDERSTOOD)
    if verdict is not None and verdict.state is State.WAITING:
        return _confirm(action, Reason.WAITING_PERMISSION)
    if verdict is not None and _speaks(verdict, EvidenceKind.WAKEUP, Speaks.PROTECTS):
        return _confirm(action, Reason.PENDING_WAKEUP, _fact_of(verdict, EvidenceKind.WAKEUP))
    if group.kind is GroupKind.ORPHAN_AGENT:
        return _confirm(action, Reason.ORPHAN_CONFIRMED)
    if "ambiguous" in group.flags:
        return _refuse(action, Reason.UNKNOWN_STATE, "Two sessions claim this process")
    if "remnant" in group.flags:
        return _clear(fact)
    if not group.members and group.heap_of is None:
        return _refuse(action, Reason.SHARED_BACKEND)
    if group.members and not group.leaving:
        return _refuse(action, Reason.LIVE_PARENT, KEPT_BY_HOST)
    if verdict is None or verdict.state is not State.IDLE:
        return _refuse(action, Reason.UNKNOWN_STATE)
    return _release_idle(group, verdict, fact, table, rules)


def _clear(fact: SessionFact | None) -> Decision:
    """Have a host forget a session of which nothing runs: a person may want to see how it ended first."""
    if fact is None or not fact.ladder:
        return _refuse(Action.RELEASE, Reason.ALREADY_ENDED)
    return _confirm(Action.RELEASE, Reason.ALREADY_ENDED, "Its agent has ended, its host still lists it")


def _supervisor(group: Group, table: ProcessTable) -> str | None:
    """Say who would start the agent again: a service manager right above it, which is not where orphans end up."""
    for member in group.leaving:
        parent = table.parent(member.process) if member.role is Role.BACKEND else None
        if parent is None or parent.pid in table.reaper_pids or parent.pid == FIRST_PID:
            continue
        if bystander(parent) is Bystander.SERVICE_MANAGER:
            return f"{parent.name} ({parent.pid}) would start it again; stop it there"
    return None


def _release_idle(
    group: Group, verdict: Verdict, fact: SessionFact | None, table: ProcessTable, rules: Rules
) -> Decision:
    action = Action.RELEASE
    if verdict.confirmations < CONFIRMATIONS_WANTED:
        once = "Idle, not yet confirmed by a second look"
        return replace(_refuse(action, Reason.UNKNOWN_STATE, once), eligible_in_s=rules.interval_s)
    if fact is None or not fact.ladder:
        return _refuse(action, Reason.UNKNOWN_STATE, "Its host offers no orderly end")
    for kind, reason in _PROTECTING.items():
        if _speaks(verdict, kind, Speaks.PROTECTS):
            return _confirm(action, reason, _fact_of(verdict, kind))
    if "shared-backend" in group.flags and group.heap_of is None:
        return _confirm(action, Reason.SHARED_BACKEND)
    if group.key in rules.kept:
        return _confirm(action, Reason.KEPT)
    supervisor = _supervisor(group, table)
    if supervisor is not None:
        return _confirm(action, Reason.LEGIT_DAEMON, supervisor)
    idle_s = verdict.idle_s or 0.0
    if idle_s < rules.idle_after_s:
        return replace(
            _confirm(action, Reason.IDLE_CONFIRMED, "Idle for a short time only"),
            eligible_in_s=rules.idle_after_s - idle_s,
        )
    return Decision(action=action, allowed=Allowed.ALLOW, reason=Reason.IDLE_CONFIRMED)


def _by_signal(action: Action, group: Group) -> Decision:
    """Ending by signal may lose the running turn: possible, never without a question that says what is lost."""
    if group.members and all(m.stays or m.ends_by is EndsBy.HOST for m in group.members):
        return _refuse(action, Reason.LIVE_PARENT, KEPT_BY_HOST)
    if action is Action.SIGKILL:
        return _confirm(action, Reason.IDENTITY_VERIFIED)
    if any(member.process.pid == FIRST_PID for member in group.members):
        return _confirm(action, Reason.SHARED_BACKEND, "Ending it ends its container and all that runs there")
    if "helper-agent" in group.flags:
        return _confirm(action, Reason.HELPER_AGENT)
    if group.kind is GroupKind.SHARED_HELPER:
        return _confirm(action, Reason.SHARED_HELPER)
    if "shared-backend" in group.flags:
        return _confirm(action, Reason.SHARED_BACKEND) if group.members else _refuse(action, Reason.SHARED_BACKEND)
    if group.kind is GroupKind.ORPHAN_WORK:
        return _confirm(action, Reason.ORPHAN_WORK)
    if group.kind in ORPHAN_KINDS:
        return _confirm(action, Reason.ORPHAN_CONFIRMED)
    busy = _busy_reason(group.verdict)
    if busy is not None:
        return _confirm(action, busy)
    state = group.verdict.state if group.verdict is not None else State.UNKNOWN
    reasons = {State.WAITING: Reason.WAITING_PERMISSION, State.IDLE: Reason.IDLE_CONFIRMED}
    return _confirm(action, reasons.get(state, Reason.UNKNOWN_STATE))


def _end_orphan(group: Group) -> Decision:
    action = Action.END_ORPHAN
    if "leftover" in group.flags:
        return _confirm(action, Reason.LEFT_OVER)
    if group.kind is GroupKind.SHARED_HELPER:
        if "ambiguous" in group.flags:
            return _refuse(action, Reason.SHARED_HELPER, "Cannot tell which of its host's sessions it serves")
        lives = "per-conversation" in group.flags
        return _refuse(action, Reason.LIVE_PARENT if lives else Reason.SHARED_HELPER)
    if group.kind is GroupKind.ORPHAN_WORK:
        return _confirm(action, Reason.ORPHAN_WORK)
    if group.kind is GroupKind.ORPHAN_AGENT:
        return _confirm(action, Reason.ORPHAN_CONFIRMED)
    if group.kind is GroupKind.ORPHAN_HELPER:
        if "serves-live-sessions" in group.flags:
            return _confirm(action, Reason.SHARED_HELPER)
        return Decision(action=action, allowed=Allowed.ALLOW, reason=Reason.ORPHAN_CONFIRMED)
    return _refuse(action, Reason.LIVE_PARENT)


def _end_duplicate(group: Group) -> Decision:
    action = Action.END_DUPLICATE
    if "helper-agent" in group.flags:
        return _refuse(action, Reason.HELPER_AGENT)
    busy = _busy_reason(group.verdict)
    if busy is not None:
        return _refuse(action, busy)
    if group.drift is not None:
        return _refuse(action, Reason.UNKNOWN_STATE, NOT_UNDERSTOOD)
    if group.verdict is not None and group.verdict.state is State.IDLE:
        return Decision(action=action, allowed=Allowed.ALLOW, reason=Reason.DUPLICATE_BACKEND)
    return _confirm(action, Reason.DUPLICATE_BACKEND)


def _by_person(group: Group) -> Action:
    """Return what a person would ask for where a policy cleans."""
    ends = group.kind in ORPHAN_KINDS or (group.kind is GroupKind.SHARED_HELPER and "helper-agent" not in group.flags)
    return Action.END_ORPHAN if ends else Action.RELEASE


def _auto(group: Group, table: ProcessTable, person: Decision) -> Decision:
    """Without a person only what a person could do without a question (PRECEDENCE A13), and nothing young."""
    action = Action.AUTO_CLEAN
    in_heap = group.heap_of is not None and not group.members
    youngest_s = min((table.age_s(m.process) for m in group.members), default=float("inf") if in_heap else 0.0)
    if youngest_s < MIN_AGE_S and person.reason in (
        Reason.UNKNOWN_STATE,
        Reason.IDLE_CONFIRMED,
        Reason.ORPHAN_CONFIRMED,
        Reason.LIVE_PARENT,
        Reason.SHARED_HELPER,
    ):
        return replace(_refuse(action, Reason.TOO_YOUNG), eligible_in_s=MIN_AGE_S - youngest_s)
    if person.allowed is not Allowed.ALLOW:
        return _refuse(action, person.reason, person.detail)
    return replace(person, action=action)


def _busy_reason(verdict: Verdict | None) -> Reason | None:
    """Say which work protects: a subagent before an open turn before a background task (PRECEDENCE A11)."""
    if verdict is None:
        return None
    if _speaks(verdict, EvidenceKind.SUBAGENT, Speaks.BUSY):
        return Reason.BUSY_SUBAGENT
    if verdict.state is State.BUSY and any(
        _speaks(verdict, kind, Speaks.BUSY)
        for kind in (EvidenceKind.TURN, EvidenceKind.TOOL_CALL, EvidenceKind.HOST_STATUS)
    ):
        return Reason.OPEN_TURN
    if any(_speaks(verdict, kind, Speaks.BUSY) for kind in (EvidenceKind.BACKGROUND_TASK, EvidenceKind.WORK_PROCESS)):
        return Reason.BUSY_BACKGROUND_TASK
    return Reason.OPEN_TURN if verdict.state is State.BUSY else None


def _speaks(verdict: Verdict, kind: EvidenceKind, speaks_for: Speaks) -> bool:
    return any(e.kind is kind and e.speaks_for is speaks_for for e in verdict.evidence)


def _fact_of(verdict: Verdict, kind: EvidenceKind) -> str:
    return next(e.fact for e in verdict.evidence if e.kind is kind and e.speaks_for is Speaks.PROTECTS)


def _work_names(group: Group) -> str | None:
    names = sorted({m.process.name for m in group.members if m.role is Role.WORK and not m.process.is_zombie})
    return f"{SENTENCES[Reason.BUSY_BACKGROUND_TASK]}: {', '.join(names[:3])}" if names else None


def _refuse(action: Action, reason: Reason, detail: str | None = None) -> Decision:
    return Decision(action=action, allowed=Allowed.REFUSE, reason=reason, detail=detail)


def _confirm(action: Action, reason: Reason, detail: str | None = None) -> Decision:
    return Decision(action=action, allowed=Allowed.CONFIRM, reason=reason, detail=detail)
