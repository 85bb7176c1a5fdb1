"""What a host adapter is: the one place that knows one agent host.

An adapter finds its host's processes and sessions, tells what speaks for work or idleness, and declares how a session
is released. It never signals a process and never decides what may be done. It may read files, open sockets and take its
time: the monitor runs it on a task of its own with a timeout and keeps its last observation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from trayapp.model.access import HostAccess
from trayapp.model.process import Identity, Process, ProcessTable
from trayapp.model.session import (
    Claim,
    ClaimKind,
    EndsBy,
    Heap,
    HostLabel,
    LadderStep,
    Observation,
    ResumeTicket,
    Role,
    SessionFact,
    SessionKey,
    StepKind,
)
from trayapp.programs import is_shell, looks_like_helper, shell_command

if TYPE_CHECKING:
    from trayapp.model.finding import Finding
    from trayapp.model.setup import HostSetup


class ProcessReads(Protocol):
    """Answer questions about one process that are too dear for every scan; None = could not be read."""

    def open_files(self, identity: Identity) -> tuple[str, ...] | None:
        """Return the paths of the regular files that it holds open."""
        ...

    def listening_ports(self, identity: Identity) -> tuple[int, ...] | None:
        """Return the TCP ports on which it listens."""
        ...

    def variable(self, identity: Identity, name: str) -> str | None:
        """Return one variable of its environment, "" where it is not set.

        For what `environment_names` must not hold: a secret, after the user agreed. Never kept by who answers.
        """
        ...


UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
"""The form of the ids that many hosts give their sessions."""


def _nothing_allowed(_host: str) -> HostAccess:
    return HostAccess()


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Hold everything that an adapter may look at, so that tests can hand in another home and another clock.

    Attributes:
        home: the user's home folder.
        environ: this program's own environment.
        now_epoch_s: wall clock.
        processes: dear reads about single processes.
        access: what the user allowed with a host, by its name; asked anew whenever it is needed.
    """

    home: Path
    environ: Mapping[str, str]
    now_epoch_s: Callable[[], float]
    processes: ProcessReads
    access: Callable[[str], HostAccess] = _nothing_allowed


@dataclass(frozen=True, slots=True, kw_only=True)
class CallResult:
    """Tell what a host answered. "ok" is not proof: what counts is what is seen gone afterwards."""

    ok: bool
    message: str


def words_of(host: object) -> frozenset[str]:
    """Return the words by which an adapter recognises its programs, where it tells them in an attribute `words`.

    A capture keeps these words; without them the adapter does not recognise its programs in one, and all else holds.
    """
    return frozenset(getattr(host, "words", ()))


def claim_on(
    process: Process,
    role: Role,
    kind: ClaimKind,
    source: str,
    session_id: str | None = None,
    *,
    host: str,
    serves_many: bool = False,
    embedded: bool = False,
    ends_by: EndsBy = EndsBy.SIGNAL,
    leaked: bool = False,
) -> Claim:
    """Make one claim of a host on a process; an adapter binds `host` to its own name."""
    return Claim(
        identity=process.identity,
        host=host,
        role=role,
        kind=kind,
        source=source,
        session=SessionKey(host, session_id) if session_id is not None else None,
        serves_many=serves_many,
        embedded=embedded,
        ends_by=ends_by,
        leaked=leaked,
    )


def role_of_child(process: Process) -> Role:
    """Say what something is that an agent started, by itself: a helper, a shell that waits for commands, else work."""
    if looks_like_helper(process):
        return Role.HELPER
    return Role.SHELL if is_shell(process) and shell_command(process) is None else Role.WORK


def handing_on(before: Observation, now: Observation) -> Observation:
    """Return what is seen now, made of the very objects of the look before where nothing is new."""
    facts = {fact.key: fact for fact in before.sessions}
    sessions = tuple([facts[f.key] if facts.get(f.key) == f else f for f in now.sessions])
    return replace(
        now,
        instances=before.instances if before.instances == now.instances else now.instances,
        sessions=before.sessions if before.sessions == sessions else sessions,
        claims=before.claims if before.claims == now.claims else now.claims,
        problems=before.problems if before.problems == now.problems else now.problems,
    )


def signal_ladder(who: str) -> tuple[LadderStep, ...]:
    """Return the rungs for a host that ends in order on SIGTERM; SIGKILL is only climbed after a second question."""
    return (
        LadderStep(kind=StepKind.SIGTERM, label=f"{who} is asked to end", wait_s=5.0),
        LadderStep(kind=StepKind.SIGKILL, label=f"{who} is ended at once", wait_s=2.0),
    )


class SetUpFailed(Exception):
    """Something could not be put into a host; the text is one line with what is wrong and the mend."""


@runtime_checkable
class Examined(Protocol):
    """What an adapter may have besides: more to tell to somebody who asks what is found and what is not."""

    def findings(self, around: Surroundings) -> Sequence[Finding]:
        """Return what `agentring doctor` shows of it; may read files."""
        ...


@runtime_checkable
class Heaped(Protocol):
    """What an adapter may have besides: the heap of its host, asked for now."""

    async def heap(self, host: Identity, around: Surroundings) -> tuple[Heap, int | None] | None:
        """Return how full it is and how many full collections it has seen (None = not told); None = cannot be told.

        What a release freed shows after the next full collection.
        """
        ...

    async def collect(self, host: Identity, around: Surroundings) -> bool:
        """Ask for a full collection; False where the host does not do it now. It may stop for a moment."""
        ...


@runtime_checkable
class Resuming(Protocol):
    """What an adapter may have besides: a way to bring a released session back through its host."""

    async def resume(self, ticket: ResumeTicket, around: Surroundings) -> CallResult:
        """Carry out a ticket that names a call; the message says where the session is now, or the mend."""
        ...


@runtime_checkable
class Extensible(Protocol):
    """What an adapter may have besides: something of ours that can be put into its host."""

    def setups(self, around: Surroundings) -> Sequence[HostSetup]:
        """Return what can be put where, and what is there already; writes nothing."""
        ...

    def set_up(self, offer: HostSetup, around: Surroundings) -> None:
        """Carry out what a person agreed to; raises SetUpFailed, also when it would now write something else."""
        ...


class Host(Protocol):
    """Know one host. Everything is called from the worker thread's asyncio loop."""

    label: HostLabel
    environment_names: tuple[str, ...]
    """Variables to read from processes; nothing else of an environment is ever looked at."""

    def recognise(self, process: Process) -> Claim | None:
        """Say by program, script and arguments what this process is to the host, or None. Pure and quick."""
        ...

    async def observe(self, table: ProcessTable, recognised: Sequence[Claim], around: Surroundings) -> Observation:
        """Look at registries, logs and APIs. `recognised` holds the claims that recognise() made on this table.

        The observation's claims contain the recognised ones (sharpened or as they came). A fault in one file or one
        host instance becomes a Problem or an instance's error, never an exception.
        """
        ...

    async def call(self, name: str, session: SessionFact, around: Surroundings) -> CallResult:
        """Carry out the ladder step `name` for that session."""
        ...
