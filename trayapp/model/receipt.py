"""What was asked for, how far it is, and what it really did."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from trayapp.model.plan import Action, Reason
from trayapp.model.process import Identity, Process
from trayapp.model.session import ResumeTicket


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Freeze one thing that a person asked to end, as it stood on the list that they saw.

    Attributes:
        members: exactly the processes that were shown; besides them only what runs below them is ever touched.
        programs: what each member ran when it was shown, by `program_mark`, in that order; empty = not told.
        expected_bytes: the figure that was shown.
        confirmed: the person answered the question that names the consequence.
        asked: why that question was asked; another reason by now is another question. None = whatever the reason.
        force: SIGKILL is allowed as the last rung (a second question was answered).
        heap_of: the process in whose heap the session lives, where it is released inside of it.
        expected_heap_bytes: what was shown to come back there, by estimate.
        unattended: no person asked for it, a policy did: only what the plan allows without one is done.
    """

    group_key: str
    action: Action
    members: tuple[Identity, ...]
    title: str
    host: str | None
    expected_bytes: int
    confirmed: bool = False
    asked: Reason | None = None
    force: bool = False
    programs: tuple[str, ...] = ()
    heap_of: Identity | None = None
    expected_heap_bytes: int = 0
    unattended: bool = False


def program_mark(process: Process) -> str:
    """Return a short digest of the program that a process runs, to be compared only.

    Its executable and arguments count; arguments that the program wrote over (a title is one argument) do not.
    """
    from hashlib import blake2b  # brings OpenSSL along (4 MB); only an action asks for it

    argv = process.argv if process.argv is not None and len(process.argv) > 1 else ()
    return blake2b("\0".join((process.exe or "", *argv)).encode("utf-8", "replace"), digest_size=8).hexdigest()


class Fate(StrEnum):
    """What became of a target."""

    RELEASED = "released"
    ENDED = "ended"
    REFUSED = "refused"
    SURVIVED = "survived"
    ALREADY_GONE = "already-gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Survivor:
    """Name a process that was still there when the time was over."""

    identity: Identity
    name: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Tell what really happened to one target.

    Attributes:
        sentence: one line for people: "4 processes gone", "Not released: a turn has started".
        gone: processes that were watched until they were gone.
        came_back_bytes: footprint (RSS where there is none) of what is gone, as measured just before.
        steps: what was done, in order: "asked the host to stop", "SIGTERM to 4711".
    """

    target: Target
    fate: Fate
    sentence: str
    reason: Reason | None = None
    gone: tuple[Identity, ...] = ()
    survived: tuple[Survivor, ...] = ()
    came_back_bytes: int = 0
    rss_came_back_bytes: int = 0
    took_s: float = 0.0
    steps: tuple[str, ...] = ()
    resume: ResumeTicket | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HeapChange:
    """Tell how full a host's heap was before an action and after it.

    A heap gives back at its next full collection, which is awaited; `collected` says that what was released is gone,
    False that the time was over first. `expected_bytes` is the estimate.
    """

    host: str
    identity: Identity
    before_bytes: int
    after_bytes: int
    limit_bytes: int | None
    expected_bytes: int
    awaited_s: float
    collected: bool

    @property
    def came_back_bytes(self) -> int:
        return max(0, self.before_bytes - self.after_bytes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Return:
    """Tell that something that an action ended runs again shortly afterwards.

    Attributes:
        receipt_id: of that action.
        at: when it was seen; `after_s` seconds after the action was over.
        by: the program that started it, with its pid, where that can be seen.
        members: the new processes.
    """

    receipt_id: str
    group_key: str
    title: str
    at: datetime
    after_s: float
    by: str | None
    members: tuple[Identity, ...]

    @property
    def sentence(self) -> str:
        if self.by is None:
            return f"It runs again, seen {self.after_s:.0f} s later"
        return f"It runs again, seen {self.after_s:.0f} s later, started by {self.by}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """Tell what one click (or call, or policy) did.

    `origin` says who asked and from where: "menu bar", "window", "command line". `heaps` tells of hosts that released
    sessions inside their own process. `returns` tells what did not stay gone; it is seen after the receipt was written.
    """

    receipt_id: str
    started_at: datetime
    finished_at: datetime
    origin: str
    outcomes: tuple[Outcome, ...]
    available_before_bytes: int
    available_after_bytes: int
    footprint_metric: str | None = None
    heaps: tuple[HeapChange, ...] = ()
    returns: tuple[Return, ...] = ()

    def returned(self, outcome: Outcome) -> Return | None:
        """Return what became of an outcome later, if it did not stay gone."""
        return next((r for r in self.returns if r.group_key == outcome.target.group_key), None)

    @property
    def came_back_bytes(self) -> int:
        return sum(outcome.came_back_bytes for outcome in self.outcomes)

    @property
    def expected_bytes(self) -> int:
        return sum(o.target.expected_bytes for o in self.outcomes if o.fate is not Fate.REFUSED)

    @property
    def complete(self) -> bool:
        return all(o.fate not in (Fate.REFUSED, Fate.SURVIVED) for o in self.outcomes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """Tell how far an action is; `waited_s` of `wait_s` belong to the rung that is being waited for."""

    done: int
    total: int
    title: str
    label: str
    waited_s: float
    wait_s: float
    came_back_bytes: int
