"""OpenCode: servers (`serve`, `web`), the terminal UI, `run` and `acp`.

Knows the programs, the variable OPENCODE_PID that every child carries, the servers' HTTP (opencode_server.py) and the
database (opencode_database.py). Must not decide what a session is doing, and keeps no message text. There is no live
registry: a server is asked, and what a terminal UI has open is concluded from its arguments, else from its folder and
start, and only where a single candidate is left.

One server runs many sessions in one process, and nothing tells which part of its memory is whose. So the server and its
helpers are counted once: as the session's own group while exactly one session was used since the server began, else as
one row of the host with the sessions as rows without processes of their own (`shares_backend`). Releasing one of those
ends the helpers of its folder only; ending the server frees it all.

All OpenCode processes share one database, so a server also lists what others have open. A session is taken for the
process that names it in its arguments, else for the process that runs in the session's folder, else for a server.

A server that asks for a password is shown as not readable: the password (an environment variable of the server) is a
secret of the user's, and is not read.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trayapp.hosts import opencode_database, opencode_server
from trayapp.hosts.base import CallResult, Surroundings
from trayapp.hosts.mcp_servers import ConfigFiles, Configured, source_of
from trayapp.hosts.opencode_database import (
    DatabaseNotUnderstood,
    DatabaseUnreadable,
    Reading,
    StoredSession,
    StoredTurn,
)
from trayapp.hosts.opencode_programs import (
    ENVIRONMENT_NAMES,
    HOST,
    LABEL,
    SERVERS,
    claim_of,
    recognise,
    session_in_argv,
    subcommand,
)
from trayapp.hosts.opencode_server import ServerReading, ServerSession, ServerUnreadable
from trayapp.model.process import Identity, Process, ProcessTable
from trayapp.model.session import (
    Claim,
    ClaimKind,
    Drift,
    Evidence,
    EvidenceKind,
    HostInstance,
    LadderStep,
    Observation,
    Problem,
    ResumeTicket,
    Role,
    SessionFact,
    SessionKey,
    Speaks,
    StepKind,
)
from trayapp.programs import argv_value, basename

_START_SLACK_S = 2.0
_SERVERS_LIMIT = 8
_TURN_TOOLS = {
    "task": (EvidenceKind.SUBAGENT, Speaks.BUSY, "A subagent is at work"),
    "question": (EvidenceKind.QUESTION, Speaks.WAITING, "It asks you a question"),
}

# A terminal UI takes up to 5 s to end its helpers, longer on a busy machine; asked again meanwhile it goes at once and
# leaves them behind.
_SIGTERM = LadderStep(kind=StepKind.SIGTERM, label="OpenCode is asked to end", wait_s=12.0)
# While it installs its plugin package (its first start in a home), a SIGTERM ends only the install.
_SIGTERM_AGAIN = LadderStep(kind=StepKind.SIGTERM, label="OpenCode is asked once more to end", wait_s=12.0)
_SIGKILL = LadderStep(kind=StepKind.SIGKILL, label="OpenCode is ended at once", wait_s=2.0)
_SERVER_LADDER = (
    # SIGTERM alone is immediate and leaves a stubborn helper behind; dispose takes 4 to 5 s for such a one
    LadderStep(
        kind=StepKind.HOST_CALL,
        label="OpenCode is asked to end its helpers",
        wait_s=7.0,
        call="dispose",
        frees_processes=False,
    ),
    _SIGTERM,
    _SIGTERM_AGAIN,
    _SIGKILL,
)
_SHARED_LADDER = (
    LadderStep(
        kind=StepKind.HOST_CALL,
        label="OpenCode is asked to end this folder's helpers",
        wait_s=5.0,
        call="dispose-folder",
    ),
)
_TERMINAL_LADDER = (_SIGTERM, _SIGTERM_AGAIN, _SIGKILL)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Called:
    """Where the server of a session is, and which folder is the session's."""

    address: str
    directory: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """What came of asking one server now; `reading` is the last good one."""

    process: Process
    reading: ServerReading | None
    fault: str | None


class OpenCode:
    """The adapter. Keeps the last good answer of each server, so that a slow one does not lose its session's row."""

    label = LABEL
    environment_names: tuple[str, ...] = ENVIRONMENT_NAMES

    def __init__(self) -> None:
        self._answers: dict[Identity, ServerReading] = {}
        self._called: dict[SessionKey, _Called] = {}
        self._config_files = ConfigFiles("mcp")
        self._reading = threading.Lock()

    def recognise(self, process: Process) -> Claim | None:
        """Say what a process is to OpenCode. Pure."""
        return recognise(process)

    async def observe(self, table: ProcessTable, recognised: Sequence[Claim], around: Surroundings) -> Observation:
        """Ask each server and read the database, side by side; both are bounded to a few seconds."""
        processes = [(claim, p) for claim in recognised if (p := table.get(claim.identity)) is not None]
        servers = [p for claim, p in processes if claim.role is Role.INFRA and subcommand(p.argv or ()) in SERVERS]
        terminals = [p for claim, p in processes if claim.role is Role.BACKEND]
        answers, (readings, configured, problems) = await asyncio.gather(
            asyncio.gather(*(self._ask(p, [*servers, *terminals], table, around) for p in servers[:_SERVERS_LIMIT])),
            asyncio.to_thread(self._read_files, [*servers, *terminals], terminals, table, around),
        )
        self._answers = {a.process.identity: a.reading for a in answers if a.reading is not None}
        look = _Look(table, recognised, around, answers, readings, configured)
        observation = look.result(problems)
        self._called = look.called
        return observation

    async def call(self, name: str, session: SessionFact, around: Surroundings) -> CallResult:
        """Carry out "dispose" (all helpers of the server) or "dispose-folder" (those of the session's folder)."""
        called = self._called.get(session.key)
        if called is None or name not in ("dispose", "dispose-folder"):
            return CallResult(ok=False, message=f"OpenCode offers no “{name}” for this session")
        directory = called.directory if name == "dispose-folder" else None
        try:
            return CallResult(ok=True, message=await opencode_server.dispose(called.address, directory=directory))
        except ServerUnreadable as fault:
            return CallResult(ok=False, message=str(fault))

    async def _ask(
        self, process: Process, all_of_them: Sequence[Process], table: ProcessTable, around: Surroundings
    ) -> _Answer:
        last = self._answers.get(process.identity)
        ports = await asyncio.to_thread(_ports, process, around)
        others = [other for other in all_of_them if other is not process]
        try:
            reading = await opencode_server.look(
                ports,
                since_epoch_s=_start_epoch_s(table, process) - _START_SLACK_S,
                not_ids={i for other in others if (i := session_in_argv(other)) is not None},
                not_folders={other.cwd for other in others if other.cwd is not None} - {process.cwd or ""},
            )
        except ServerUnreadable as fault:
            return _Answer(process=process, reading=last, fault=str(fault))
        return _Answer(process=process, reading=reading, fault=None)

    def _read_files(
        self, agents: Sequence[Process], terminals: Sequence[Process], table: ProcessTable, around: Surroundings
    ) -> tuple[Mapping[Path, Reading | Drift], Configured, tuple[Problem, ...]]:
        """Read configurations, and the databases of running terminal UIs; nothing is read while nothing runs."""
        wanted: dict[Path, list[Process]] = {}
        for process in terminals:
            wanted.setdefault(_database_path(process, around), []).append(process)
        readings: dict[Path, Reading | Drift] = {}
        if not self._reading.acquire(blocking=False):
            held_up = tuple(_database_problem(path, "an earlier look still reads it") for path in wanted)
            return readings, Configured(), held_up
        try:
            configured, unread = self._config_files.read(_configurations(agents, around))
            problems = list(unread)
            for path, processes in wanted.items():
                since = min(_start_epoch_s(table, process) for process in processes) - _START_SLACK_S
                try:
                    reading = opencode_database.read(
                        path,
                        since_epoch_s=since,
                        session_ids=[i for p in processes if (i := session_in_argv(p)) is not None],
                    )
                except DatabaseUnreadable as fault:
                    problems.append(_database_problem(path, str(fault)))
                except DatabaseNotUnderstood as fault:
                    readings[path] = Drift(version=None, where=str(path), field=fault.field)
                else:
                    if reading is not None:
                        readings[path] = reading
        finally:
            self._reading.release()
        return readings, configured, tuple(problems)


class _Look:
    """Put one observation together from what was read; no input or output in here."""

    def __init__(
        self,
        table: ProcessTable,
        recognised: Sequence[Claim],
        around: Surroundings,
        answers: Sequence[_Answer],
        readings: Mapping[Path, Reading | Drift],
        configured: Configured,
    ) -> None:
        self._configured = configured
        self._table = table
        self._around = around
        self._answers = answers
        self._readings = readings
        self._now_epoch_s = around.now_epoch_s()
        self._claims = {claim.identity: claim for claim in recognised}
        self._facts: dict[SessionKey, SessionFact] = {}
        self.called: dict[SessionKey, _Called] = {}

    def result(self, problems: tuple[Problem, ...]) -> Observation:
        terminals = [
            process
            for claim in list(self._claims.values())
            if claim.role is Role.BACKEND and (process := self._table.get(claim.identity)) is not None
        ]
        for process in terminals:
            self._terminal(process, terminals)
        owned = {claim.session.session_id for claim in self._claims.values() if claim.session is not None}
        for answer in self._answers:
            self._server(answer, owned)
        self._children()
        return Observation(
            host=HOST,
            read_epoch_s=self._now_epoch_s,
            instances=tuple(self._instance(answer) for answer in self._answers),
            sessions=tuple(self._facts.values()),
            claims=tuple(self._claims.values()),
            problems=problems,
        )

    # -------------------------------------------------------------------------------- terminal UIs

    def _terminal(self, process: Process, terminals: Sequence[Process]) -> None:
        """Find what a terminal UI (or run, or acp) has open, and what speaks for work in it.

        A terminal can go on to another session without its arguments showing it, so an open turn in any session of its
        folder that nobody else can own speaks for it as well.
        """
        path = _database_path(process, self._around)
        reading = self._readings.get(path)
        given = session_in_argv(process)
        if isinstance(reading, Drift):
            self._not_understood(process, given or f"process {process.pid}", reading)
            return
        if reading is None:
            if given is not None and path.exists():
                unread = self._evidence(
                    EvidenceKind.RECORD, Speaks.UNREADABLE, "Its database cannot be read", str(path)
                )
                self._add(self._fact(given, None, process, (unread,)))
            return
        began_epoch_s = _start_epoch_s(self._table, process) - _START_SLACK_S
        others = {i for other in terminals if other is not process and (i := session_in_argv(other)) is not None}
        candidates = [
            session
            for session in reading.sessions
            if session.directory == process.cwd
            and session.updated_epoch_s >= began_epoch_s
            and session.session_id not in others
        ]
        roots = [session for session in candidates if session.parent_id is None and session.session_id != given]
        session_id = given or (roots[0].session_id if roots and self._is_alone(process, terminals) else None)
        if session_id is None:
            return
        if given is None:
            self._claims[process.identity] = claim_of(
                process,
                Role.BACKEND,
                ClaimKind.START_AND_CWD,
                "the session last used in its folder since it began",
                session_id,
            )
        stored = next((s for s in reading.sessions if s.session_id == session_id), None)
        tracked = [s for s in (stored, *candidates) if s is not None]
        evidence = self._stored_evidence(tracked, reading.turns, began_epoch_s, session_id)
        self._add(
            self._fact(session_id, stored, process, evidence, max((s.updated_epoch_s for s in tracked), default=None))
        )

    def _not_understood(self, process: Process, session_id: str, drift: Drift) -> None:
        """Give a terminal whose database is of another shape a row that says so."""
        claim = self._claims[process.identity]
        if claim.session is None:
            source = "its database, which is not understood"
            claim = claim_of(process, Role.BACKEND, ClaimKind.START_AND_CWD, source, session_id)
            self._claims[process.identity] = claim
        self._add(replace(self._fact(session_id, None, process, ()), drift=drift))

    def _is_alone(self, process: Process, terminals: Sequence[Process]) -> bool:
        """Say whether no other OpenCode process could own a session of this folder: else none is guessed."""
        rivals = [other for other in terminals if other is not process] + [answer.process for answer in self._answers]
        return process.cwd is not None and all(rival.cwd != process.cwd for rival in rivals)

    def _stored_evidence(
        self,
        sessions: Sequence[StoredSession],
        turns: Mapping[str, StoredTurn],
        began_epoch_s: float,
        session_id: str,
    ) -> tuple[Evidence, ...]:
        found: dict[str, tuple[Evidence, ...]] = {}
        for session in sessions:
            turn = turns.get(session.session_id)
            if turn is None or session.session_id in found:
                continue
            told = tuple(self._turn_evidence(turn, began_epoch_s))
            if session.session_id != session_id:
                told = tuple(e for e in told if e.speaks_for in (Speaks.BUSY, Speaks.WAITING))
            found[session.session_id] = told
        return tuple(evidence for told in found.values() for evidence in told)

    def _turn_evidence(self, turn: StoredTurn, began_epoch_s: float) -> Sequence[Evidence]:
        def told(kind: EvidenceKind, speaks_for: Speaks, fact: str) -> Evidence:
            return self._evidence(kind, speaks_for, fact, "its database", turn.at_epoch_s)

        if not turn.is_open:
            return [told(EvidenceKind.TURN, Speaks.IDLE, "The turn ended")]
        if turn.at_epoch_s < began_epoch_s:
            # a hard kill leaves messages and tools open for ever
            return [told(EvidenceKind.TURN, Speaks.IDLE, "The last turn was cut off before this process began")]
        for tool in turn.running_tools:
            if tool in _TURN_TOOLS:
                return [told(*_TURN_TOOLS[tool])]
        return [told(EvidenceKind.TURN, Speaks.BUSY, "A turn is open: its answer is not complete")]

    def _fact(
        self,
        session_id: str,
        stored: StoredSession | None,
        process: Process,
        evidence: tuple[Evidence, ...],
        last_activity_epoch_s: float | None = None,
    ) -> SessionFact:
        cwd = stored.directory if stored is not None else process.cwd
        return SessionFact(
            key=SessionKey(HOST, session_id),
            title=_title(stored.title if stored is not None else None, cwd),
            cwd=cwd,
            model=stored.model if stored is not None else None,
            tokens=stored.tokens if stored is not None else None,
            evidence=evidence,
            last_activity_epoch_s=last_activity_epoch_s,
            resume=ResumeTicket(argv=("opencode", "-s", session_id), cwd=cwd),
            ladder=_TERMINAL_LADDER,
        )

    # -------------------------------------------------------------------------------- servers

    def _server(self, answer: _Answer, owned: Collection[str]) -> None:
        if answer.reading is None:
            return
        by_id = {session.session_id: session for session in answer.reading.sessions}
        roots = [
            session
            for session in answer.reading.sessions
            if session.session_id not in owned and (session.parent_id is None or session.parent_id not in by_id)
        ]
        shared = len(roots) > 1
        for root in roots:
            below = [s for s in answer.reading.sessions if _root_of(s, by_id) == root.session_id and s is not root]
            fact = self._server_fact(answer, root, below, shared=shared)
            self._add(fact)
            self.called[fact.key] = _Called(address=answer.reading.address, directory=root.directory or None)
        if len(roots) == 1:
            self._claims[answer.process.identity] = claim_of(
                answer.process,
                Role.BACKEND,
                ClaimKind.REGISTRY,
                "the only session that its server used since it began",
                roots[0].session_id,
            )

    def _server_fact(
        self, answer: _Answer, root: ServerSession, below: Sequence[ServerSession], *, shared: bool
    ) -> SessionFact:
        at = max(session.updated_epoch_s for session in (root, *below))
        if answer.fault is not None:
            fact = f"OpenCode cannot be asked: {answer.fault}"
            evidence = [self._evidence(EvidenceKind.HOST_STATUS, Speaks.UNREADABLE, fact, "its server")]
        else:
            evidence = self._server_evidence(root, below)
        return SessionFact(
            key=SessionKey(HOST, root.session_id),
            title=_title(root.title, root.directory),
            cwd=root.directory or answer.process.cwd,
            model=root.model,
            evidence=tuple(evidence),
            last_activity_epoch_s=at,
            resume=ResumeTicket(argv=("opencode", "-s", root.session_id), cwd=root.directory or answer.process.cwd),
            ladder=_SHARED_LADDER if shared else _SERVER_LADDER,
            shares_backend=shared,
        )

    def _server_evidence(self, root: ServerSession, below: Sequence[ServerSession]) -> list[Evidence]:
        source = "its server"
        asks = next((session.asks for session in (root, *below) if session.asks is not None), None)
        if asks is not None:
            fact = "It waits for a permission" if asks == "permission" else "It asks you a question"
            return [self._evidence(EvidenceKind.HOST_STATUS, Speaks.WAITING, fact, source)]
        found: list[Evidence] = []
        if root.status is not None:
            fact = f"Its server says that a turn runs: {root.status[:20]}"
            found.append(self._evidence(EvidenceKind.TURN, Speaks.BUSY, fact, source))
        if any(session.status is not None for session in below):
            found.append(self._evidence(EvidenceKind.SUBAGENT, Speaks.BUSY, "A subagent is at work", source))
        if not found:
            at = max(session.updated_epoch_s for session in (root, *below))
            found.append(
                self._evidence(EvidenceKind.HOST_STATUS, Speaks.IDLE, "Its server lists no running turn", source, at)
            )
        return found

    def _instance(self, answer: _Answer) -> HostInstance:
        reading = answer.reading
        return HostInstance(
            host=HOST,
            identity=answer.process.identity,
            version=reading.version if reading is not None else None,
            address=reading.address if reading is not None else None,
            error=answer.fault,
        )

    # -------------------------------------------------------------------------------- children

    def _children(self) -> None:
        """Give what carries OPENCODE_PID to that process's session; parents come before their children."""
        children = [c for c in self._claims.values() if c.kind is ClaimKind.ENVIRONMENT]
        for claim in sorted(children, key=lambda c: c.identity.start):
            process = self._table.get(claim.identity)
            if process is None:
                continue
            above = self._table.parent(process)
            leader = self._claims.get(above.identity) if above is not None else None
            if leader is not None and leader.role is Role.HELPER and leader.kind is ClaimKind.ENVIRONMENT:
                claim = replace(claim, role=Role.HELPER)
            elif (server := self._configured.find(process)) is not None:
                claim = replace(claim, role=Role.HELPER, source=source_of(server))
            owner_pid = process.env.get("OPENCODE_PID", "")
            owner = self._owner(owner_pid, process)
            if owner is None:
                claim = replace(claim, session=SessionKey(HOST, f"process-{owner_pid}"))
            elif owner.role is Role.BACKEND:
                claim = replace(claim, session=owner.session)
            self._claims[process.identity] = claim

    def _owner(self, owner_pid: str, child: Process) -> Claim | None:
        """Return the claim on the process that a child names, unless its pid belongs to a younger one by now."""
        owner = self._table.processes.get(int(owner_pid)) if owner_pid.isdigit() else None
        if owner is None or owner.identity.start > child.identity.start or owner.is_zombie:
            return None
        claim = self._claims.get(owner.identity)
        return claim if claim is not None and claim.kind is not ClaimKind.ENVIRONMENT else None

    # -------------------------------------------------------------------------------- small things

    def _add(self, fact: SessionFact) -> None:
        """Keep one fact for each session; two processes with the same one add what they know."""
        before = self._facts.get(fact.key)
        if before is not None:
            fact = replace(fact, evidence=(*before.evidence, *fact.evidence))
        self._facts[fact.key] = fact

    def _evidence(
        self, kind: EvidenceKind, speaks_for: Speaks, fact: str, source: str, at_epoch_s: float | None = None
    ) -> Evidence:
        return Evidence(
            kind=kind,
            speaks_for=speaks_for,
            fact=fact,
            source=source,
            at_epoch_s=at_epoch_s,
            read_epoch_s=self._now_epoch_s,
        )


# -------------------------------------------------------------------------------------------------- places and times


def _ports(process: Process, around: Surroundings) -> tuple[int, ...]:
    """Return where a server listens; `--port` only where the system does not tell."""
    found = around.processes.listening_ports(process.identity)
    if found:
        return found
    given = argv_value(process.argv or (), "--port") or ""
    return (int(given),) if given.isdigit() and 0 < int(given) < 65536 else ()


def _configurations(agents: Sequence[Process], around: Surroundings) -> list[Path]:
    """Return where OpenCode may be told which MCP servers to start: for the user, and in the folder of each agent."""
    own = around.environ.get("XDG_CONFIG_HOME")
    user = Path(own) if own and os.path.isabs(own) else around.home / ".config"
    folders = [user / "opencode", *(Path(process.cwd) for process in agents if process.cwd is not None)]
    return [folder / name for folder in folders for name in ("opencode.json", "opencode.jsonc")]


def _database_path(process: Process, around: Surroundings) -> Path:
    data = process.env.get("XDG_DATA_HOME") or around.environ.get("XDG_DATA_HOME")
    folder = Path(data) if data and os.path.isabs(data) else around.home / ".local" / "share"
    return folder / "opencode" / "opencode.db"


def _database_problem(path: Path, what: str) -> Problem:
    return Problem(
        where=str(path), what=f"the database cannot be read: {what}", mend="Sessions of terminals are shown as unknown"
    )


def _start_epoch_s(table: ProcessTable, process: Process) -> float:
    return table.taken_at.timestamp() - table.age_s(process)


def _root_of(session: ServerSession, by_id: Mapping[str, ServerSession]) -> str:
    seen: set[str] = set()
    above: ServerSession | None = session
    while above is not None and above.session_id not in seen:
        session = above
        seen.add(session.session_id)
        above = by_id.get(session.parent_id or "")
    return session.session_id


def _title(title: str | None, cwd: str | None) -> str | None:
    """Return the session's title, or its folder where it has only the one that every new session gets."""
    if title and not title.startswith("New session - "):
        return title
    return basename(cwd) or cwd if cwd else title
