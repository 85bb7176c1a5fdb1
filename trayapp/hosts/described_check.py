"""What a description would do with what runs now: whom it claims and as what, what it finds, what is missing.

Pure but for what the described host itself reads. Nothing of an argument is told but the program's name: an argument
can hold a key or a prompt.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from trayapp.bystanders import bystander
from trayapp.hosts.base import Host, Surroundings
from trayapp.hosts.described import Described
from trayapp.hosts.described_form import Description, Program
from trayapp.hosts.described_match import program_of
from trayapp.hosts.described_programs import marks_of
from trayapp.model.process import Process, ProcessTable
from trayapp.model.session import Claim, ClaimKind, Observation, Role, SessionFact, Speaks
from trayapp.programs import program


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """Tell of one process that the description claims; `seen_by` is where that was seen."""

    pid: int
    name: str
    role: str
    session: str | None
    seen_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Tell of one session what is known of it; `state` is a sentence, `lacks` what could not be told."""

    session: str
    title: str | None
    state: str
    at_epoch_s: float | None
    lacks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Hold what came of a check.

    Attributes:
        refused: why it must not be used as it is; each names a process.
        lacks: what it could not tell, for the whole host.
        unseen: programs of it of which none runs now.
        near: processes that have a name of it and are not claimed.
        problems: files that could not be read or understood.
    """

    claimed: tuple[Claimed, ...]
    sessions: tuple[Found, ...]
    refused: tuple[str, ...]
    lacks: tuple[str, ...]
    unseen: tuple[str, ...]
    near: tuple[str, ...]
    problems: tuple[str, ...]


async def check(description: Description, table: ProcessTable, others: Sequence[Host], around: Surroundings) -> Report:
    """Look at what runs now with a description. `others` are the hosts that there are."""
    host = Described(description)
    recognised = [claim for process in table.processes.values() if (claim := host.recognise(process)) is not None]
    seen = await host.observe(table, recognised, around)
    claims = sorted(seen.claims, key=lambda claim: claim.identity)
    return Report(
        claimed=tuple(_claimed(claim, process) for claim, process in _with_process(claims, table)),
        sessions=tuple(_found(fact, description) for fact in seen.sessions),
        refused=(*_bystanders(description, table), *_refusals(claims, table, others)),
        lacks=tuple(_lacks(description, seen)),
        unseen=tuple(_unseen(description, table)),
        near=tuple(_near(description, table, {claim.identity.pid for claim in claims})),
        problems=tuple(str(problem) for problem in seen.problems),
    )


def _with_process(claims: Iterable[Claim], table: ProcessTable) -> Iterator[tuple[Claim, Process]]:
    for claim in claims:
        process = table.get(claim.identity)
        if process is not None:
            yield claim, process


def _claimed(claim: Claim, process: Process) -> Claimed:
    session = claim.session.session_id if claim.session is not None else None
    name = program(process) or process.name
    return Claimed(pid=process.pid, name=name, role=claim.role.value, session=session, seen_by=claim.source)


def _bystanders(description: Description, table: ProcessTable) -> Iterator[str]:
    """Say which terminals, editors and the like it means; they are never claimed, whatever it says."""
    for process in table.processes.values():
        kind = bystander(process)
        if kind is not None and not process.is_zombie and program_of(description, process) is not None:
            who = f"process {process.pid} ({program(process) or process.name})"
            what = kind.value.replace("-", " ")
            yield f"too wide: it means {who}, which is {'an' if what[0] in 'aeiou' else 'a'} {what}"


def _refusals(claims: Sequence[Claim], table: ProcessTable, others: Sequence[Host]) -> Iterator[str]:
    """Say which processes it must not have: those of other hosts, and this program."""
    for claim, process in _with_process(claims, table):
        who = f"process {process.pid} ({program(process) or process.name})"
        if process.pid == table.own_pid:
            yield f"too wide: it claims {who}, which is Agent Ring itself"
        if claim.embedded or claim.kind is ClaimKind.ENVIRONMENT:
            continue  # tools and embedded agents carry what several hosts hand down
        for other in others:
            theirs = other.recognise(process)
            if theirs is not None and theirs.kind is not ClaimKind.ENVIRONMENT:
                yield f"too wide: it claims {who}, which {other.label.title} knows as its own"


def _found(fact: SessionFact, description: Description) -> Found:
    lacks = []
    telling = [evidence for evidence in fact.evidence if evidence.speaks_for is not Speaks.NOTHING]
    if fact.drift is not None:
        state, at = f"not understood: in {fact.drift.where}, {fact.drift.fact}", None
    elif telling:
        state, at = f"{telling[0].fact} ({telling[0].source})", telling[0].at_epoch_s
    else:
        state, at = "unknown: no record tells whether a turn is open", None
    for name, value, fields in (
        ("a model", fact.model, [f.model for f in (description.record, description.log) if f is not None]),
        ("tokens", fact.tokens, [f.tokens for f in (description.record, description.log) if f is not None]),
        ("a title", fact.title, [f.title for f in (description.record, description.log) if f is not None]),
    ):
        if value is None and any(fields):
            lacks.append(f"{name} is described and was not found")
    if description.resume and fact.resume is None:
        lacks.append("the resume command needs something that is not known of it")
    return Found(session=fact.key.session_id, title=fact.title, state=state, at_epoch_s=at, lacks=tuple(lacks))


def _lacks(description: Description, seen: Observation) -> Iterator[str]:
    agents = [claim for claim in seen.claims if claim.role is Role.BACKEND]
    unnamed = sum(claim.session is None for claim in agents)
    if not agents:
        yield "no agent of it runs now, so nothing could be tried; start one and check again"
    elif unnamed:
        yield f"of {len(agents)} agents {unnamed} have no session: [session], [record] or newest = true would name it"
    if not any(fields is not None and fields.tells_state for fields in (description.record, description.log)):
        yield "no record tells whether a turn is open: its sessions stay unknown and are never released by themselves"
    release = description.release
    if not (release.signal or release.command or release.refuse):
        yield "no [release]: its sessions can only be ended by a person, not released"
    if not description.resume and agents:
        yield "no [resume]: a receipt cannot tell how to go on"


def _unseen(description: Description, table: ProcessTable) -> Iterator[str]:
    running = [process for process in table.processes.values() if not process.is_zombie]
    met = {
        id(found)
        for process in running
        if (found := program_of(description, process, below=False) or program_of(description, process, below=True))
    }
    for number, each in enumerate(description.programs, start=1):
        if id(each) not in met:
            yield f"program {number} ({_said(each)})"


def _said(each: Program) -> str:
    told = [*each.names, *("/".join(parts) for parts in (*each.scripts, *each.packages))]
    words = f" {' or '.join(word or 'nothing' for word in each.words)}" if each.words is not None else ""
    return f"{each.role}: {', '.join(told)}{words}"


def _near(description: Description, table: ProcessTable, claimed: Collection[int]) -> Iterator[str]:
    for process in table.processes.values():
        if process.pid not in claimed and not process.is_zombie and description.wakes & set(marks_of(process)):
            yield f"process {process.pid} ({program(process) or process.name})"
