"""What may be done with a group, and why not: the fixed words and their sentences."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from trayapp.say import noted, say, told


class Action(StrEnum):
    """What can be asked for."""

    RELEASE = "release"
    END_ORPHAN = "end-orphan"
    END_DUPLICATE = "end-duplicate"
    KILL = "kill"
    SIGTERM = "sigterm"
    SIGKILL = "sigkill"
    AUTO_CLEAN = "auto-clean"


class Allowed(StrEnum):
    """The answer: at once, only after a question that names the consequence, or not at all."""

    ALLOW = "allow"
    CONFIRM = "confirm"
    REFUSE = "refuse"


class Reason(StrEnum):
    """Why; the same words as in tests/cases."""

    ORPHAN_CONFIRMED = "orphan-confirmed"
    IDLE_CONFIRMED = "idle-confirmed"
    DUPLICATE_BACKEND = "duplicate-backend"
    IDENTITY_VERIFIED = "identity-verified"
    LIVE_PARENT = "live-parent"
    SHARED_HELPER = "shared-helper"
    ORPHAN_WORK = "orphan-work"
    PROTECTED_APP = "protected-app"
    ATTACHED_TERMINAL = "attached-terminal"
    BUSY_BACKGROUND_TASK = "busy-background-task"
    BUSY_SUBAGENT = "busy-subagent"
    OPEN_TURN = "open-turn"
    PENDING_WAKEUP = "pending-wakeup"
    WAITING_PERMISSION = "waiting-permission"
    UNKNOWN_STATE = "unknown-state"
    HELPER_AGENT = "helper-agent"
    SHARED_BACKEND = "shared-backend"
    NOT_OURS = "not-ours"
    IDENTITY_UNVERIFIED = "identity-unverified"
    IDENTITY_CHANGED = "identity-changed"
    ALREADY_ENDED = "already-ended"
    LEGIT_DAEMON = "legit-daemon"
    OTHER_PID_NAMESPACE = "other-pid-namespace"
    SELF_OR_ANCESTOR = "self-or-ancestor"
    ZOMBIE = "zombie-cannot-be-killed"
    TOO_YOUNG = "too-young"
    INFRA_SPARE = "infra-spare"
    LEFT_OVER = "left-over"
    KEPT = "kept"


SENTENCES: dict[Reason, str] = {
    Reason.IDLE_CONFIRMED: noted("Idle, confirmed twice"),
    Reason.DUPLICATE_BACKEND: noted("A surplus backend; the session keeps its newest one"),
    Reason.ORPHAN_CONFIRMED: noted("Its session is gone"),
    Reason.ORPHAN_WORK: noted("A job its session left running"),
    Reason.LEFT_OVER: noted("Left over from an earlier run"),
    Reason.OPEN_TURN: noted("A turn is running"),
    Reason.BUSY_BACKGROUND_TASK: noted("A background task is running"),
    Reason.BUSY_SUBAGENT: noted("A subagent is working"),
    Reason.WAITING_PERMISSION: noted("It waits for your answer"),
    Reason.PENDING_WAKEUP: noted("It will wake up by itself"),
    Reason.ATTACHED_TERMINAL: noted("It is open in a terminal"),
    Reason.UNKNOWN_STATE: noted("Cannot tell if it is idle"),
    Reason.TOO_YOUNG: noted("Too young to be judged"),
    Reason.LIVE_PARENT: noted("Its session still runs"),
    Reason.SHARED_HELPER: noted("Other sessions use it too"),
    Reason.SHARED_BACKEND: noted("Its backend serves other sessions"),
    Reason.HELPER_AGENT: noted("It belongs to another session"),
    Reason.IDENTITY_VERIFIED: noted("Checked again just before"),
    Reason.IDENTITY_CHANGED: noted("Another process has this number now"),
    Reason.IDENTITY_UNVERIFIED: noted("Cannot be sure it is the same process"),
    Reason.ALREADY_ENDED: noted("Already gone"),
    Reason.PROTECTED_APP: noted("This app is never ended"),
    Reason.LEGIT_DAEMON: noted("A service that runs on purpose"),
    Reason.INFRA_SPARE: noted("Kept ready by its host"),
    Reason.NOT_OURS: noted("Not an agent's process"),
    Reason.OTHER_PID_NAMESPACE: noted("Runs in a container"),
    Reason.SELF_OR_ANCESTOR: noted("Agent Ring runs inside it"),
    Reason.ZOMBIE: noted("Already ended, its parent has not noticed"),
    Reason.KEPT: noted("You want to keep it"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Answer one action on one group; `eligible_in_s` is set where waiting alone will change the answer."""

    action: Action
    allowed: Allowed
    reason: Reason
    detail: str | None = None
    eligible_in_s: float | None = None

    @property
    def sentence(self) -> str:
        return told(self.detail) if self.detail else say(SENTENCES[self.reason])
