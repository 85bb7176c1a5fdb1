"""What hosts tell: which sessions there are, which processes serve them, and what speaks for work or idleness."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from trayapp.model.process import Identity


class Hue(StrEnum):
    """Name the six colours that hosts wear; the UI holds their values for light and dark."""

    RUST = "rust"
    TEAL = "teal"
    BLUE = "blue"
    VIOLET = "violet"
    WINE = "wine"
    OLIVE = "olive"


@dataclass(frozen=True, slots=True, kw_only=True)
class HostLabel:
    """Say how a host is called and marked wherever it is shown; the order on the ring is `rank`, then `host`."""

    host: str
    title: str
    letters: str
    hue: Hue | None = None
    rank: int = 100


@dataclass(frozen=True, slots=True, order=True)
class SessionKey:
    """Name one conversation of one host by the host's own id."""

    host: str
    session_id: str

    def __str__(self) -> str:
        return f"{self.host}:{self.session_id}"


class Role(StrEnum):
    """What a process is for.

    WRAPPER is a thin one that only starts the agent (npx, timeout); LAUNCHER started it too but is a program of its
    own, counted with its agent and never ended. SHELL is an interactive one without a command; UNKNOWN could not be
    read.
    """

    BACKEND = "backend"
    WRAPPER = "wrapper"
    LAUNCHER = "launcher"
    HELPER = "helper"
    WORK = "work"
    SHELL = "shell"
    INFRA = "infra"
    SPARE = "spare"
    CLIENT = "client"
    APP = "app"
    UNKNOWN = "unknown"


class Scope(StrEnum):
    """Say whose installation of its host a program belongs to; UNVERIFIED = its environment could not be read."""

    OWN = "own"
    OTHER = "other"
    UNVERIFIED = "unverified"


class ClaimKind(IntEnum):
    """Rank evidence of ownership; the smaller number wins (DESIGN 4.6)."""

    REGISTRY = 1
    ARGV = 2
    OPEN_FILE = 3
    ENVIRONMENT = 4
    DESCENT = 5
    LINEAGE = 6
    START_AND_CWD = 7
    PROGRAM = 8

    @property
    def word(self) -> str:
        return self.name.lower().replace("_", "-")


class EndsBy(StrEnum):
    """Say how an action on a session may end one of its processes.

    HOST: only by a call of its host, never by a signal. NOT: it stays, its host goes on and would miss it.
    """

    SIGNAL = "signal"
    HOST = "host"
    NOT = "not"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """Say that a process serves a session (or, with `session` None, only that it belongs to a host).

    Attributes:
        source: for people, where it was seen: "session record", "--resume in its arguments".
        serves_many: the process can run several conversations at once; its helpers may serve any of them.
        embedded: another host's agent that `host` runs inside a session of its own; goes before that host's claims.
        scope: whose installation it is; what is not our user's own installation is not ours.
        ends_by: how a release of its session may end it; holds for what it started as well.
        leaked: a helper that nothing can reach any more although the process that started it lives; `session` is then
            the one that it came from.
    """

    identity: Identity
    host: str
    role: Role
    kind: ClaimKind
    source: str
    session: SessionKey | None = None
    serves_many: bool = False
    embedded: bool = False
    scope: Scope = Scope.OWN
    ends_by: EndsBy = EndsBy.SIGNAL
    leaked: bool = False


class State(StrEnum):
    """What a session is doing now."""

    BUSY = "busy"
    WAITING = "waiting"
    IDLE = "idle"
    ENDED = "ended"
    UNKNOWN = "unknown"


class EvidenceKind(StrEnum):
    """What a piece of evidence is about."""

    HOST_STATUS = "host-status"
    TURN = "turn"
    TOOL_CALL = "tool-call"
    WORK_PROCESS = "work-process"
    BACKGROUND_TASK = "background-task"
    SUBAGENT = "subagent"
    WAKEUP = "wakeup"
    QUESTION = "question"
    VIEW = "view"
    TERMINAL_INPUT = "terminal-input"
    RECORD = "record"


class Speaks(StrEnum):
    """What a piece of evidence speaks for.

    PROTECTS: idle or not, a release needs a person who has read why. NOTHING: told only. UNREADABLE: a record that
    should exist could not be read, so nothing follows from its silence.
    """

    BUSY = "busy"
    WAITING = "waiting"
    IDLE = "idle"
    ENDED = "ended"
    PROTECTS = "protects"
    NOTHING = "nothing"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """State one fact about what a session does, and where it comes from.

    Attributes:
        kind, speaks_for: for the rules.
        fact: a sentence without a full stop, for people: "The turn ended".
        source: "session record", "transcript", "process table".
        at_epoch_s: the time that the record itself carries; None = it carries none.
        read_epoch_s: when it was read; None = when its host was asked.
    """

    kind: EvidenceKind
    speaks_for: Speaks
    fact: str
    source: str
    at_epoch_s: float | None = None
    read_epoch_s: float | None = None


class StepKind(StrEnum):
    """How one rung of a release ladder acts."""

    HOST_CALL = "host-call"
    SIGTERM = "sigterm"
    SIGKILL = "sigkill"


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderStep:
    """Describe one rung: what is done, and how long its effect is waited for.

    `call` names a call of the host adapter (StepKind.HOST_CALL only). `label` is shown to people as "The host is
    asked to end the session". `frees_processes` is False where the call only prepares the next rung.
    """

    kind: StepKind
    label: str
    wait_s: float
    call: str | None = None
    frees_processes: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumeTicket:
    """Tell how to get a session back: a command (never through a shell) and the folder to run it in, or its host.

    Attributes:
        call: a call of the host adapter that brings it back, where the host itself does that.
        given: names and values that this call needs; the session may be forgotten by then.
    """

    argv: tuple[str, ...] = ()
    cwd: str | None = None
    note: str | None = None
    call: str | None = None
    given: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """Say that a host's file or reply is not of the shape that its adapter knows: its session is not understood.

    Attributes:
        version: of the host, where it is told.
        where: the file or call, for people.
        field: what is missing or of another shape, such as "status".
    """

    version: str | None
    where: str
    field: str

    @property
    def fact(self) -> str:
        return f"“{self.field}” is missing there or of another shape"

    def problem(self) -> Problem:
        """Return the line of `agentring doctor` about it."""
        of = "" if self.version is None else f" (version {self.version})"
        mend = "Its memory is counted, its state is not known and nothing releases it; update Agent Ring"
        return Problem(where=self.where, what=f"not understood{of}: {self.fact}", mend=mend)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFact:
    """Hold what a host tells of one session. Which processes serve it is told by claims.

    Attributes:
        ladder: release steps in order, gentlest first; empty = the host allows none.
        refusal: a sentence why this session must not be released at all, whatever its state.
        shares_backend: its process runs other sessions too; a row without own processes.
        remnant: nothing of it runs any more, but its host still lists it; a host call of its ladder clears that.
        heap_of: the process in whose heap the session lives; its host can release it there.
        retained_bytes: what that heap would give back then; an estimate.
        tokens: what it used in all, where its host records that: input and output, cached ones too.
        drift: what of it could not be understood; it is counted, its state is unknown, and nothing releases it.
    """

    key: SessionKey
    title: str | None = None
    cwd: str | None = None
    model: str | None = None
    evidence: tuple[Evidence, ...] = ()
    last_activity_epoch_s: float | None = None
    resume: ResumeTicket | None = None
    ladder: tuple[LadderStep, ...] = ()
    refusal: str | None = None
    shares_backend: bool = False
    remnant: bool = False
    heap_of: Identity | None = None
    retained_bytes: int | None = None
    tokens: int | None = None
    drift: Drift | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Heap:
    """Tell how full a host's own heap is.

    Attributes:
        used_bytes, limit_bytes: what lives in it, and where the host aborts; the engine's own figures.
        external_bytes: memory outside of the heap that its objects hold.
        at_epoch_s: when the figures were taken.
    """

    used_bytes: int
    limit_bytes: int | None
    external_bytes: int | None = None
    at_epoch_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HostInstance:
    """Describe one running host (a server, a daemon, an app) or, without a pid, an installation that was found.

    `heap` is what it tells itself; `heap_limit_bytes` what it was started with, where only that is known. `has_heap`
    says that it has one whose figures it could tell; sessions of other hosts that live in one process have no such.
    """

    host: str
    identity: Identity | None = None
    version: str | None = None
    address: str | None = None
    heap: Heap | None = None
    heap_limit_bytes: int | None = None
    has_heap: bool = False
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Say in one line what is wrong and the mend: a broken file, a host that does not answer."""

    where: str
    what: str
    mend: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}. {self.mend}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """Hold all that one host adapter saw at one moment; `read_epoch_s` tells how old it is."""

    host: str
    read_epoch_s: float
    instances: tuple[HostInstance, ...] = ()
    sessions: tuple[SessionFact, ...] = ()
    claims: tuple[Claim, ...] = ()
    problems: tuple[Problem, ...] = ()
