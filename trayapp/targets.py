"""From a click to what is asked of the core: which action a row offers, what its question says, what is frozen.

Pure. Knows the plan's decisions and the words for them; the core looks again before it does anything.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto

from trayapp.model.plan import SENTENCES, Action, Allowed, Decision, Reason
from trayapp.model.process import Process
from trayapp.model.receipt import Outcome, Target, program_mark
from trayapp.model.session import ResumeTicket, State
from trayapp.model.snapshot import ORPHAN_KINDS, Group, GroupKind, Snapshot
from trayapp.say import continued, noted, say
from trayapp.wording import decision_words


class Offer(Enum):
    """What a row's button does; the word on it is Offer.word."""

    NONE = auto()
    RELEASE = auto()
    ASK = auto()
    END = auto()
    WHY = auto()
    RESUME = auto()
    END_IT = auto()
    CLEAR = auto()
    OPEN = auto()
    STOP = auto()

    @property
    def word(self) -> str:
        return say(_WORDS[self]) if self is not Offer.NONE else ""


_WORDS = {
    Offer.NONE: "",
    Offer.RELEASE: noted("Release"),
    Offer.ASK: noted("Release…"),
    Offer.END: noted("End…"),
    Offer.WHY: noted("Why?"),
    Offer.RESUME: noted("Resume"),
    Offer.END_IT: noted("End it…"),
    Offer.CLEAR: noted("Clear…"),
    Offer.OPEN: noted("Open"),
    Offer.STOP: noted("Stop waiting"),
}

_LOSSES: dict[Reason, str] = {
    Reason.OPEN_TURN: noted("The running turn is lost."),
    Reason.BUSY_BACKGROUND_TASK: noted("What runs in the background is lost."),
    Reason.BUSY_SUBAGENT: noted("The subagent's work is lost."),
    Reason.WAITING_PERMISSION: noted("Its question stays unanswered."),
    Reason.PENDING_WAKEUP: noted("It will not wake up by itself any more."),
    Reason.ATTACHED_TERMINAL: noted("Its view closes, and what is typed there is lost."),
    Reason.UNKNOWN_STATE: noted("If a turn is running, it is lost."),
    Reason.SHARED_BACKEND: noted("The other sessions of its backend end as well."),
    Reason.SHARED_HELPER: noted("The sessions that use it lose it."),
    Reason.ORPHAN_WORK: noted("What it has not finished is lost."),
    Reason.ORPHAN_CONFIRMED: noted("What it has not finished is lost."),
    Reason.LEFT_OVER: noted("What it has not finished is lost."),
    Reason.IDLE_CONFIRMED: noted("It can be resumed."),
    Reason.KEPT: noted("It can be resumed."),
    Reason.LEGIT_DAEMON: noted("Otherwise it comes back at once."),
    Reason.ALREADY_ENDED: noted("Its entry goes; the conversation stays and can be resumed."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Hold the one question before an action that may lose something: what is asked, what is lost, the answer.

    `danger` = the answer ends something at once.
    """

    title: str
    loss: str
    verb: str
    danger: bool = False


def is_orphan(group: Group) -> bool:
    """Say whether a group belongs to the orphans of the list."""
    return group.kind in ORPHAN_KINDS


def decision_of(group: Group) -> Decision | None:
    """Return the decision that the group's button follows."""
    if is_orphan(group):
        return group.decision(Action.END_ORPHAN) or group.decision(Action.RELEASE)
    return group.decision(Action.RELEASE)


def offer_of(group: Group) -> Offer:
    """Return what the button of a group's row offers; nothing while it is busy or waits for the user."""
    decision = decision_of(group)
    if is_orphan(group):
        return Offer.NONE if decision is None or decision.allowed is Allowed.REFUSE else Offer.END
    if "remnant" in group.flags:
        return Offer.WHY if decision is None or decision.allowed is Allowed.REFUSE else Offer.CLEAR
    state = group.verdict.state if group.verdict is not None else State.UNKNOWN
    if state in (State.BUSY, State.WAITING):
        return Offer.NONE
    if decision is None or decision.allowed is Allowed.REFUSE:
        return Offer.WHY
    return Offer.RELEASE if decision.allowed is Allowed.ALLOW else Offer.ASK


def question_of(group: Group, decision: Decision) -> Question:
    """Return the question for a decision that has to be confirmed; it names the reason and the loss."""
    danger = decision.action in (Action.KILL, Action.SIGKILL)
    if "remnant" in group.flags:
        verb, title = say("Clear"), say("Clear {name}?", name=group.name)
    elif decision.action is Action.RELEASE:
        verb, title = say("Release"), say("Release {name}?", name=group.name)
    elif decision.action is Action.END_DUPLICATE:
        verb, title = say("End"), say("End the surplus of {name}?", name=group.name)
    elif danger:
        verb, title = say("End it now"), say("End {name} now?", name=group.name)
    else:
        verb, title = say("End"), say("End {name}?", name=group.name)
    loss = say("{sentence}.", sentence=decision.sentence)
    if decision.reason in _LOSSES:
        loss = say("{sentence} {loss}", sentence=loss, loss=say(_LOSSES[decision.reason]))
    return Question(title=title, loss=loss, verb=verb, danger=danger)


def target_of(group: Group, decision: Decision, *, confirmed: bool = False, force: bool = False) -> Target:
    """Freeze what was shown."""
    surplus = decision.action is Action.END_DUPLICATE
    leaving = [member.process for member in (group.surplus if surplus else group.leaving)]
    return Target(
        group_key=group.key,
        action=decision.action,
        members=tuple(process.identity for process in leaving),
        programs=tuple(program_mark(process) for process in leaving),
        title=group.name,
        host=group.host,
        expected_bytes=sum(map(_held_bytes, leaving)) if surplus else group.leaving_bytes,
        confirmed=confirmed,
        asked=decision.reason if confirmed else None,
        force=force,
        heap_of=group.heap_of if decision.action is Action.RELEASE else None,
        expected_heap_bytes=(group.retained_bytes or 0) if decision.action is Action.RELEASE else 0,
    )


def _held_bytes(process: Process) -> int:
    return process.footprint_bytes or process.rss_bytes or 0


def weight(group: Group) -> int:
    """Return by what a row is sorted: what it holds, here and in its host's heap; never shown as a sum."""
    return group.held_bytes + (group.retained_bytes or 0)


def reclaimable(snapshot: Snapshot) -> tuple[Group, ...]:
    """Return what can be released now without a question: sessions and orphans, the heaviest first of each."""
    can_go = [group for group in snapshot.groups if group.counts and group.releasable is not None]
    return tuple(sorted(can_go, key=lambda group: (is_orphan(group), -weight(group), group.key)))


def orphans(snapshot: Snapshot) -> tuple[Group, ...]:
    """Return the groups of the orphans' row."""
    return tuple(sorted((g for g in snapshot.groups if is_orphan(g)), key=lambda g: (-g.held_bytes, g.key)))


def sessions(snapshot: Snapshot) -> tuple[Group, ...]:
    """Return the session groups in list order: those that wait for the user first, then by weight."""

    def order(group: Group) -> tuple[bool, int, str]:
        waits = group.verdict is not None and group.verdict.state is State.WAITING
        return not waits, -weight(group), group.key

    return tuple(sorted((g for g in snapshot.groups if g.kind is GroupKind.SESSION), key=order))


def survivors_target(outcome: Outcome, snapshot: Snapshot | None) -> tuple[Target, Question] | None:
    """Return how to end what survived, and the second question; None when it is gone or may not be ended.

    A survivor may be counted elsewhere by now, as an orphan for one; the newest snapshot tells where.
    """
    alive = {survivor.identity for survivor in outcome.survived}
    for group in snapshot.groups if snapshot is not None else ():
        members = [m.process for m in group.members if m.process.identity in alive]
        decision = group.decision(Action.KILL)
        if not members or decision is None or decision.allowed is Allowed.REFUSE:
            continue
        names = ", ".join(sorted({process.name for process in members}))
        target = Target(
            group_key=group.key,
            action=Action.KILL,
            members=tuple(process.identity for process in members),
            programs=tuple(program_mark(process) for process in members),
            title=outcome.target.title,
            host=group.host,
            expected_bytes=sum(map(_held_bytes, members)),
            confirmed=True,
            force=True,
        )
        loss = say("It did not end when asked. It is ended at once; what it is doing is lost.")
        return target, Question(
            title=say("End {name} now?", name=names), loss=loss, verb=say("End it now"), danger=True
        )
    return None


def reason_to_stay(group: Group) -> str:
    """Return why a session is not offered, as the end of a line: "a turn is running"."""
    decision = decision_of(group)
    sentence = decision_words(decision) if decision is not None else say(SENTENCES[Reason.UNKNOWN_STATE])
    return continued(sentence)


def total_bytes(groups: Iterable[Group]) -> int:
    """Return what a list of groups holds."""
    return sum(group.held_bytes for group in groups)


def resume_command(ticket: ResumeTicket | None) -> str | None:
    """Return the line to paste into a terminal; None where the host resumes by itself or not at all."""
    if ticket is None or not ticket.argv:
        return None
    command = shlex.join(ticket.argv)
    return command if ticket.cwd is None else f"cd {_folder(ticket.cwd)} && {command}"


def _folder(path: str) -> str:
    """Quote a folder, but leave a leading ~ to the shell."""
    if path == "~" or not path.startswith("~/"):
        return path if path == "~" else shlex.quote(path)
    return "~/" + shlex.quote(path[2:]) if path != "~/" else path
