"""What may be released without a person, when, and how much of it; off unless the user switched it on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from trayapp.model.plan import Action


class Trigger(StrEnum):
    """What a policy waits for, and with that what it releases.

    IDLE: sessions idle for longer than `after_s`. MOST: of each host the sessions beyond `at_most` live idle ones, the
    least recently used first. TOTAL: while agents together hold more than `over_bytes` or `over_share` of memory.
    PRESSURE: while the machine is under memory pressure. HEAP: sessions in a host's heap that is fuller than
    `over_share` of its cap. ORPHANS: orphans older than `after_s`. DUPLICATES: surplus backends of idle sessions.
    """

    IDLE = "idle"
    MOST = "most"
    TOTAL = "total"
    PRESSURE = "pressure"
    HEAP = "heap"
    ORPHANS = "orphans"
    DUPLICATES = "duplicates"


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """Name what an exception holds for; exactly one of these is set.

    Attributes:
        session: a session's id, or the key of its group.
        folder: the folder that a session works in, and all below it.
        host: a host by its name.
        program: the name of a process in the group.
    """

    session: str | None = None
    folder: str | None = None
    host: str | None = None
    program: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuietHours:
    """Name a part of each day, local wall clock, in minutes since midnight; it may go over midnight."""

    since_min: int
    until_min: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Hold one rule of the user's.

    Attributes:
        name: unique among the user's policies.
        after_s, at_most, over_bytes, over_share: what its trigger needs; the others are None.
        only: nothing but these, where there are any; never: not these. `never` wins.
        most_an_hour: actions in any 60 minutes, of this policy.
        quiet: nothing is done in these hours.
        grace_s: between the notice and the action; somebody may keep the session meanwhile.
        sigkill: SIGKILL may be the last rung. Off: what does not end when asked stays.
        typed_s: nothing in whose terminal somebody typed that recently.
    """

    name: str
    trigger: Trigger
    on: bool = False
    after_s: float | None = None
    at_most: int | None = None
    over_bytes: int | None = None
    over_share: float | None = None
    only_under_pressure: bool = False
    only: tuple[Match, ...] = ()
    never: tuple[Match, ...] = ()
    most_an_hour: int = 4
    quiet: tuple[QuietHours, ...] = ()
    grace_s: float = 60.0
    sigkill: bool = False
    typed_s: float = 900.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Say what a policy would release now, and why."""

    policy: str
    group_key: str
    action: Action
    title: str
    host: str | None
    bytes: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DryRun:
    """Tell what a policy would do now.

    Attributes:
        triggered: its trigger applies.
        why: in a sentence, why it applies or not.
        choices: in the order in which they would go.
        spared: what it would take but must not, by group key, each with the reason in a sentence.
    """

    policy: str
    triggered: bool
    why: str
    choices: tuple[Choice, ...] = ()
    spared: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Announce what a policy is about to do; until `due_epoch_s` somebody may keep it."""

    choice: Choice
    due_epoch_s: float
