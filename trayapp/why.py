"""Why a group stands as it stands: its question, its verdict in a line, and what each piece of evidence does to it.

Pure; the window and the command line say it in the same words.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from trayapp import targets
from trayapp.model.session import Evidence, Speaks, State
from trayapp.model.snapshot import Group, GroupKind
from trayapp.say import noted, say, told
from trayapp.wording import clock_time, duration, state_words


class Bearing(Enum):
    """Say what a piece of evidence does to the verdict."""

    FOR = auto()
    TOLD = auto()
    UNREADABLE = auto()
    AGAINST = auto()

    @property
    def spoken(self) -> str:
        return {
            Bearing.FOR: say("speaks for it"),
            Bearing.TOLD: say("told only"),
            Bearing.UNREADABLE: say("could not be read"),
            Bearing.AGAINST: say("speaks against it"),
        }[self]


@dataclass(frozen=True, slots=True)
class Line:
    """Hold one piece of evidence in words; `source` tells when it was recorded, `age` how old the look is."""

    bearing: Bearing
    fact: str
    source: str
    age: str


_STATE_OF = {Speaks.BUSY: State.BUSY, Speaks.WAITING: State.WAITING, Speaks.IDLE: State.IDLE, Speaks.ENDED: State.ENDED}

_QUESTIONS = {
    State.BUSY: noted("Why is this busy?"),
    State.WAITING: noted("Why does this wait for you?"),
    State.IDLE: noted("Why is this idle?"),
    State.ENDED: noted("Why has this ended?"),
    State.UNKNOWN: noted("Why can its state not be told?"),
}


def bearing(evidence: Evidence, state: State) -> Bearing:
    """Say how a piece of evidence bears on a verdict."""
    if evidence.speaks_for is Speaks.UNREADABLE:
        return Bearing.UNREADABLE
    if evidence.speaks_for is Speaks.NOTHING or (state is State.UNKNOWN and evidence.speaks_for is not Speaks.PROTECTS):
        return Bearing.TOLD
    return Bearing.FOR if _STATE_OF.get(evidence.speaks_for) is state else Bearing.AGAINST


def question(group: Group) -> str:
    """Return the title of the card."""
    if group.kind is GroupKind.SESSION:
        return say(_QUESTIONS[State.UNKNOWN if group.verdict is None else group.verdict.state])
    return say("Why is this an orphan?") if targets.is_orphan(group) else say("Why is this counted here?")


def verdict_words(group: Group, now_epoch_s: float) -> str:
    """Return the verdict in one line."""
    said = state_words(group, now_epoch_s=now_epoch_s)
    twice = group.verdict is not None and group.verdict.state is State.IDLE and group.verdict.confirmations >= 2
    return say("{state}, confirmed twice", state=said) if twice else said


def lines(group: Group, now_epoch_s: float) -> list[Line]:
    """Return the evidence on a group, or where a group without a verdict comes from."""
    return _evidence(group, now_epoch_s) or _ownership(group)


def _evidence(group: Group, now_epoch_s: float) -> list[Line]:
    found = []
    verdict = group.verdict
    for one in verdict.evidence if verdict is not None else ():
        at = "" if one.at_epoch_s is None else clock_time(one.at_epoch_s, now_epoch_s=now_epoch_s)
        source = told(one.source) if not at or at in one.fact + one.source else f"{told(one.source)}, {at}"
        read_epoch_s = verdict.read_epoch_s(one) if verdict is not None else None
        age = "" if read_epoch_s is None else say("{time} ago", time=duration(now_epoch_s - read_epoch_s))
        state = verdict.state if verdict is not None else State.UNKNOWN
        found.append(Line(bearing(one, state), told(one.fact), source, age))
    return found


def _ownership(group: Group) -> list[Line]:
    found = []
    if group.owner_hint:
        found.append(Line(Bearing.FOR, say("Where it comes from"), told(group.owner_hint), ""))
    decision = targets.decision_of(group)
    if decision is not None:
        found.append(Line(Bearing.FOR, decision.sentence, say("from the process table"), ""))
    return found
