"""One look after the other at what runs of Craft Agents: servers, the backends and helpers of their sessions.

Servers are found in craft_servers.py and asked in craft_lines.py and craft_rpc.py, the disk is read in craft_disk.py
and craft_logs.py; whose a process is, is worked out in craft_attribution.py, and what a session does in
craft_evidence.py. Here these are put together, and what the next look needs is kept. Loaded only where this host runs.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trayapp.hosts.base import CallResult, Surroundings, signal_ladder
from trayapp.hosts.craft_attribution import Attributed, Attributor, Origin, Server, Times, with_keys
from trayapp.hosts.craft_disk import Disk, Stored, is_gone, plain_path
from trayapp.hosts.craft_evidence import Signs, evidence_of
from trayapp.hosts.craft_findings import findings_of, offers_of, version_of
from trayapp.hosts.craft_lines import Line, Lines
from trayapp.hosts.craft_logs import Logs
from trayapp.hosts.craft_programs import (
    CONFIG_DIR,
    HOST,
    SESSION_DIR,
    claim_of,
    is_agent,
)
from trayapp.hosts.craft_rpc import RpcUnusable, Told
from trayapp.hosts.craft_servers import Finder, Running, Seen
from trayapp.model.access import Permission
from trayapp.model.finding import Finding
from trayapp.model.process import Identity, Process, ProcessTable
from trayapp.model.session import (
    Claim,
    ClaimKind,
    EndsBy,
    HostInstance,
    LadderStep,
    Observation,
    Problem,
    ResumeTicket,
    Role,
    Scope,
    SessionFact,
    SessionKey,
    StepKind,
)
from trayapp.model.setup import HostSetup
from trayapp.programs import basename

_STAYS_S = 60.0
"""An agent that is still there so long after its last message is kept between turns."""
_BY_SIGNAL = signal_ladder("The session's backend")
_BY_SERVER = LadderStep(
    kind=StepKind.HOST_CALL, label="Its server is asked to let go of it", wait_s=5.0, call="release"
)
_CLOSE_HELPERS = LadderStep(
    kind=StepKind.HOST_CALL,
    label="Its server is asked to close its helpers",
    wait_s=5.0,
    call="close-helpers",
    frees_processes=False,
)
_COMES_BACK = "Its next message starts it again, with its history"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Where:
    """Say which server has a session, and under which id; `sources` are those whose helpers it would close."""

    server: Identity
    session_id: str
    folder: str
    sources: tuple[str, ...] = ()


class Watch:
    """Keep records, logs, connections and the origins of helpers between looks."""

    def __init__(self) -> None:
        self._disk = Disk()
        self._finder = Finder(self._disk)
        self._logs = Logs()
        self._lines = Lines()
        self._looking = threading.Lock()
        self._origins: dict[Identity, Origin] = {}
        self._keys: dict[str, str] = {}
        self._live: frozenset[str] = frozenset()
        self._where: dict[str, _Where] = {}
        self._seen = Seen()
        self._keeping: frozenset[int] = frozenset()
        self._claims: tuple[Claim, ...] = ()

    async def observe(self, table: ProcessTable, recognised: Sequence[Claim], around: Surroundings) -> Observation:
        """Read the disk, ask those servers whose token is known, and say whose each process is."""
        seen = await asyncio.to_thread(self._see, table, recognised, around)
        if seen is None:
            return _held_up(recognised, around)
        await self._lines.keep_only(frozenset(running.process.identity for running in seen.running))
        asked = [running for running in seen.running if not running.is_another]
        await asyncio.gather(*(self._lines.ask(running, around, now_s=table.monotonic_s) for running in asked))
        observation = await asyncio.to_thread(self._put_together, seen, table, recognised, around)
        return observation if observation is not None else _held_up(recognised, around)

    async def call(self, name: str, session: SessionFact, around: Surroundings) -> CallResult:
        """Carry out "close-helpers" or "release" by the session's server, if the session still rests."""
        where = self._where.get(session.key.session_id)
        link = self._lines.of(where.server).link if where is not None else None
        if where is None or link is None or not link.is_usable or name not in ("close-helpers", "release"):
            return CallResult(ok=False, message="its server cannot be asked now")
        if name == "close-helpers" and Permission.CLOSE_HELPERS not in around.access(HOST).allowed:
            return CallResult(ok=False, message="closing helpers is not allowed any more")
        try:
            refusal = _why_not_now(await link.sessions(), where, session)
            if refusal is not None:
                return CallResult(ok=False, message=refusal)
            if name == "close-helpers":
                await link.close_helpers(where.session_id)
                return CallResult(ok=True, message=f"its sources are switched off: {', '.join(where.sources)}")
            if link.release_channel is None:
                return CallResult(ok=False, message="its server offers no release any more")
            await link.release(link.release_channel, where.session_id)
            return CallResult(ok=True, message=f"let go by {link.release_channel}")
        except RpcUnusable as fault:
            return CallResult(ok=False, message=f"{fault.what}. {fault.mend}")

    def findings(self, around: Surroundings) -> Sequence[Finding]:
        """Tell of each server its version, whether it is asked, and what would keep it smaller."""
        return list(findings_of(self._servers(), around.access(HOST), keeping=self._keeping))

    def setups(self, around: Surroundings) -> Sequence[HostSetup]:
        """Offer the consents that would help with what runs now; writes nothing."""
        return list(offers_of(self._servers(), around.access(HOST)))

    def _servers(self) -> list[tuple[Running, Line]]:
        return [(r, self._lines.of(r.process.identity)) for r in self._seen.running if not r.is_another]

    # -- in a worker thread -----------------------------------------------------------------------------------------

    def _see(self, table: ProcessTable, recognised: Sequence[Claim], around: Surroundings) -> Seen | None:
        """Return what runs and what the disk says; None while an earlier look still reads."""
        if not self._looking.acquire(blocking=False):
            return None
        try:
            own_folder = around.environ.get(CONFIG_DIR)
            return self._finder.find(table, recognised, home=around.home, own_folder=own_folder, live=self._live)
        finally:
            self._looking.release()

    def _put_together(
        self, seen: Seen, table: ProcessTable, recognised: Sequence[Claim], around: Surroundings
    ) -> Observation | None:
        if not self._looking.acquire(blocking=False):
            return None
        try:
            look = _Look(self, seen, table, around)
            observation = look.result(recognised)
            self._seen = seen
            return observation
        finally:
            self._looking.release()


class _Look:
    """Put one observation together from what was seen."""

    def __init__(self, adapter: Watch, seen: Seen, table: ProcessTable, around: Surroundings) -> None:
        self._adapter = adapter
        self._seen = seen
        self._table = table
        self._around = around
        self._now_epoch_s = around.now_epoch_s()
        self._problems: list[Problem] = [problem for shelf in seen.shelves for problem in shelf.problems]
        self._sessions: dict[str, Stored] = {}
        self._server_of: dict[str, Running] = {}
        self._told: dict[str, tuple[Told, float | None]] = {}
        self._by_host: set[Identity] = set()

    def result(self, recognised: Sequence[Claim]) -> Observation:
        """Return the observation, and keep with the adapter what the next one needs."""
        adapter = self._adapter
        adapter._logs.begin()
        self._collect()
        if adapter._keys.keys() != self._sessions.keys():
            adapter._keys = with_keys(self._sessions.values(), adapter._keys)
        servers = [self._server(running) for running in self._seen.running if not running.is_another]
        attributed = Attributor(
            self._table,
            servers,
            keys=adapter._keys,
            times=Times(first_record=self._first_record, messages=self._messages),
            known=adapter._origins,
            is_gone=is_gone,
        ).run(self._sessions.values(), (source for shelf in self._seen.shelves for source in shelf.sources))
        self._by_host = {claim.identity for claim in attributed.claims if claim.ends_by is EndsBy.HOST}
        facts = self._facts(attributed)
        claims = self._claims(attributed, recognised)
        self._keep(attributed, facts)
        return Observation(
            host=HOST,
            read_epoch_s=self._now_epoch_s,
            instances=tuple(self._instance(running) for running in self._seen.running if not running.is_another),
            sessions=facts,
            claims=claims,
            problems=tuple(self._problems),
        )

    def _collect(self) -> None:
        """Take in the sessions of all config folders, and those that only a process names."""
        disk = self._adapter._disk
        for shelf in self._seen.shelves:
            self._sessions.update(shelf.sessions)
        known = {plain_path(path) for path in self._sessions}
        for running in self._seen.running:
            if running.is_another:
                continue
            for path in running.shelf.sessions:
                self._server_of.setdefault(path, running)
            for child in self._table.children(running.process.pid):
                path = child.env.get(SESSION_DIR, "")
                if path and plain_path(path) not in known:
                    stored = disk.outside(path, home=self._around.home, now_s=self._table.monotonic_s)
                    if stored is not None:
                        self._sessions[path] = stored
                        self._server_of[path] = running
            line = self._adapter._lines.of(running.process.identity)
            self._told.update({folder: (told, line.told_epoch_s) for folder, told in line.told.items()})

    def _server(self, running: Running) -> Server:
        sessions = {path: s for path, s in self._sessions.items() if self._server_of.get(path) is running}
        line = self._adapter._lines.of(running.process.identity)
        may_close = line.in_use and Permission.CLOSE_HELPERS in self._around.access(HOST).allowed
        ids = [told.id for told in line.told.values()]
        # the command takes an id alone, which two workspaces can share
        unique = {folder for folder, told in line.told.items() if ids.count(told.id) == 1} if may_close else set()
        closes = frozenset(path for path in sessions if plain_path(path) in unique)
        return Server(process=running.process, sessions=sessions, sources=running.shelf.sources, closes=closes)

    # -- claims -----------------------------------------------------------------------------------------------------

    def _claims(self, attributed: Attributed, recognised: Sequence[Claim]) -> tuple[Claim, ...]:
        """Return what was found out, and what was recognised of all other processes."""
        named = {claim.identity for claim in attributed.claims}
        others = {r.process.identity for r in self._seen.running if r.is_another}
        unnamed = {r.process.identity for r in self._seen.running} - others
        claims = list(attributed.claims)
        for claim in recognised:
            if claim.identity in others:
                claims.append(replace(claim, scope=Scope.OTHER, source="a script of that name in another project"))
            elif claim.identity in unnamed or claim.identity not in named:
                unnamed.discard(claim.identity)
                claims.append(claim)
        for identity in sorted(unnamed):
            process = self._table.processes[identity.pid]
            source = "it started backends, or its lock says so"
            claims.append(claim_of(process, Role.INFRA, ClaimKind.DESCENT, source))
        told = tuple(claims)
        if told == self._adapter._claims:
            return self._adapter._claims
        self._adapter._claims = told
        return told

    # -- sessions ---------------------------------------------------------------------------------------------------

    def _facts(self, attributed: Attributed) -> tuple[SessionFact, ...]:
        """Return the sessions of which a process runs; the many others of a workspace are not listed."""
        folders = {key: folder for folder, key in self._adapter._keys.items()}
        keys = sorted({*attributed.backends, *attributed.helpers})
        where: dict[str, _Where] = {}
        facts = []
        for key in keys:
            fact = self._fact(key, folders.get(key), attributed, where)
            facts.append(fact)
        self._adapter._where = where
        return tuple(facts)

    def _fact(self, key: str, folder: str | None, attributed: Attributed, where: dict[str, _Where]) -> SessionFact:
        stored = self._sessions.get(folder) if folder is not None else None
        backends = attributed.backends.get(key, ())
        newest = max(backends, key=lambda process: process.identity.start, default=None)
        signs = self._signs(key, stored, newest)
        if stored is not None and stored.fault is not None:
            self._problems.append(
                Problem(
                    where=f"{stored.folder}/session.jsonl",
                    what=f"the session's record {stored.fault}",
                    mend="Nothing is released of it; check the file",
                )
            )
        line, sources = self._line_of(folder), self._closable(key, stored, attributed)
        if folder is not None and line is not None and (told := signs.told) is not None:
            server = self._server_of[folder].process.identity
            where[key] = _Where(server=server, session_id=told.id, folder=folder, sources=sources)
        log = signs.log
        cwd = (stored.working_folder or stored.cwd if stored is not None else None) or (
            newest.cwd if newest is not None else None
        )
        cwd = cwd or (log.cwd if log is not None else None)
        return SessionFact(
            key=SessionKey(HOST, key),
            title=(stored.title if stored is not None else None)
            or (log.title if log is not None else None)
            or (basename(cwd) if cwd else None),
            cwd=cwd,
            model=(stored.model if stored is not None else None) or (log.model if log is not None else None),
            evidence=evidence_of(signs, now_epoch_s=self._now_epoch_s),
            last_activity_epoch_s=signs.last_activity_epoch_s,
            resume=_resume(sources) if stored is not None else None,
            ladder=self._ladder(key in where and line is not None and line.in_use, line, sources),
        )

    def _ladder(self, asked: bool, line: Line | None, sources: Sequence[str]) -> tuple[LadderStep, ...]:
        """Return the rungs: helpers first, where the user allowed that; then the server's own way, if it has one."""
        by_server = asked and line is not None and line.link is not None and line.link.release_channel is not None
        return (
            *((_CLOSE_HELPERS,) if asked and sources else ()),
            *((_BY_SERVER,) if by_server else ()),
            *_BY_SIGNAL,
        )

    def _line_of(self, folder: str | None) -> Line | None:
        running = self._server_of.get(folder) if folder is not None else None
        return self._adapter._lines.of(running.process.identity) if running is not None else None

    def _closable(self, key: str, stored: Stored | None, attributed: Attributed) -> tuple[str, ...]:
        """Return the sources that the server would switch off with this session, to close its helpers: all it has."""
        slugs = {
            slug for process, slug in attributed.helpers.get(key, ()) if slug and process.identity in self._by_host
        }
        if not slugs or stored is None:
            return ()
        told, _ = self._told.get(plain_path(stored.folder), (None, None))
        enabled = told.enabled_source_slugs if told is not None else None
        return tuple(sorted(slugs | set(enabled if enabled is not None else stored.sources)))

    def _signs(self, key: str, stored: Stored | None, newest: Process | None) -> Signs:
        told, told_epoch_s = (
            self._told.get(plain_path(stored.folder), (None, None)) if stored is not None else (None, None)
        )
        began_epoch_s = self._table.taken_at.timestamp() - self._table.age_s(newest) if newest is not None else None
        signs = Signs(
            stored=stored,
            gone=stored is None and newest is not None and not is_agent(newest),
            told=told,
            told_epoch_s=told_epoch_s,
            began_epoch_s=began_epoch_s,
            wants_log=stored is not None and newest is not None and is_agent(newest),
        )
        logs = self._adapter._logs
        try:
            if stored is not None and (stored.is_pi or (newest is not None and not is_agent(newest))):
                return replace(signs, log=logs.read_pi(stored))
            path = self._log_path(stored, key, newest)
            if path is None:
                return signs
            log = logs.read(path)
        except OSError as fault:
            why = fault.strerror or type(fault).__name__
            self._problems.append(
                Problem(where=f"the log of {key}", what=f"cannot be read ({why})", mend="Check its permissions")
            )
            return replace(signs, log_fault=why)
        subagents = logs.subagents(path, began_epoch_s=began_epoch_s) if began_epoch_s is not None else ()
        return replace(signs, log=log, subagents=subagents)

    # -- times that only files tell -----------------------------------------------------------------------------------

    def _first_record(self, stored: Stored) -> float | None:
        path = self._log_path(stored, None, None)
        return self._adapter._logs.born_epoch_s(path) if path is not None else None

    def _messages(self, stored: Stored) -> Sequence[float]:
        return self._adapter._disk.message_times_s(stored.folder)

    def _log_path(self, stored: Stored | None, key: str | None, process: Process | None) -> Path | None:
        sdk_id = key
        if stored is not None:
            told, _ = self._told.get(plain_path(stored.folder), (None, None))
            sdk_id = stored.sdk_id or (told.sdk_session_id if told is not None else None)
        if sdk_id is None:
            return None
        cwd = (stored.cwd if stored is not None else None) or (process.cwd if process is not None else None)
        return self._adapter._logs.path_of(
            sdk_id,
            cwd,
            process,
            home=self._around.home,
            environ=self._around.environ,
            now_s=self._table.monotonic_s,
        )

    # -- what is kept -------------------------------------------------------------------------------------------------

    def _keep(self, attributed: Attributed, facts: Sequence[SessionFact]) -> None:
        adapter = self._adapter
        adapter._logs.end()
        folders = {key: folder for folder, key in adapter._keys.items()}
        adapter._live = frozenset(f for fact in facts if (f := folders.get(fact.key.session_id)) is not None)
        alive = {p.identity for p in self._table.processes.values()}
        adapter._origins = {i: o for i, o in (adapter._origins | attributed.origins).items() if i in alive}
        adapter._disk.forget_all_but(self._sessions)
        adapter._keeping = self._keeping(attributed)

    def _keeping(self, attributed: Attributed) -> frozenset[int]:
        """Return the servers whose agents of the other kind are still there long after their last message."""
        folders = {key: folder for folder, key in self._adapter._keys.items()}
        found: set[int] = set()
        for key, backends in attributed.backends.items():
            stored = self._sessions.get(folders.get(key, ""))
            last = stored.last_message_epoch_s if stored is not None else None
            rests = last is not None and self._now_epoch_s - last >= _STAYS_S
            told = self._told.get(plain_path(stored.folder)) if stored is not None else None
            if rests and not (told is not None and told[0].is_processing):
                old = [p for p in backends if is_agent(p) and self._table.age_s(p) >= _STAYS_S]
                found.update(p.ppid for p in old)
        return frozenset(found)

    def _instance(self, running: Running) -> HostInstance:
        line = self._adapter._lines.of(running.process.identity)
        problem = line.problem(running)
        if problem is not None:
            self._problems.append(problem)
        return HostInstance(
            host=HOST,
            identity=running.process.identity,
            version=version_of(running, line),
            address=line.link.address.url if line.link is not None else None,
            error=line.fault.what if line.fault is not None else None,
        )


def _why_not_now(sessions: Iterable[Told], where: _Where, seen: SessionFact) -> str | None:
    """Say why a session is let be by now: it works, something happened since it was seen, or it is not the only one."""
    named = [told for told in sessions if told.id == where.session_id]
    if len(named) != 1 or plain_path(named[0].session_folder_path or "") != plain_path(where.folder):
        return "its server does not know it under its id alone"
    if named[0].is_processing:
        return "a turn runs in it by now"
    last, known = named[0].last_message_epoch_s, seen.last_activity_epoch_s
    if last is not None and known is not None and last > known + 1.0:
        return "it got a message just now"
    return None


def _resume(closed: Sequence[str]) -> ResumeTicket:
    if not closed:
        return ResumeTicket(note=_COMES_BACK)
    return ResumeTicket(note=f"{_COMES_BACK}; its sources have to be switched on again: {', '.join(closed)}")


def _held_up(recognised: Sequence[Claim], around: Surroundings) -> Observation:
    problem = Problem(
        where=str(around.home / ".craft-agent"),
        what="reading it takes longer than one look",
        mend="Check the disk or network folder it lies on",
    )
    return Observation(host=HOST, read_epoch_s=around.now_epoch_s(), claims=tuple(recognised), problems=(problem,))
