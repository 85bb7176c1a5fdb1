"""One look at Codex: which threads its processes serve, and what is said of each. Runs in one worker thread.

Knows how a process is tied to threads, best first: its daemon's own list, the rollouts that it holds open, the id in
its arguments, the session variable of its tools, the one log begun since in its folder. A lock file alone proves
nothing: it stays after a kill. Programs, files and replies are read elsewhere; what a thread is doing is not decided.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trayapp.hosts import codex_rpc
from trayapp.hosts.base import UUID, Surroundings, signal_ladder
from trayapp.hosts.codex_logs import Logs
from trayapp.hosts.codex_programs import (
    ADAPTER,
    HOST,
    claim_of,
    home_of,
    is_self_contained,
    resumed_id,
    version_of,
)
from trayapp.hosts.codex_rollout import SUBAGENT_TOOLS, Rollout, id_of
from trayapp.hosts.codex_rpc import DaemonUnusable, Door, Thread, Told
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
from trayapp.say import noted

RELEASE = "release"
LOCKS = "thread-writer-locks"
_RACE_S = 2.0
_TITLE = 80
_ROLLOUT, _DAEMON = "rollout", "its daemon"

_LADDER = signal_ladder("Codex")
_IN_DAEMON = (
    LadderStep(kind=StepKind.HOST_CALL, label=noted("Its daemon is asked to unload it"), wait_s=3.0, call=RELEASE),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Daemon:
    """One daemon for all terminals, where it is asked, and what it answered; None where it has no socket."""

    process: Process
    claim: Claim
    home: Path
    door: Door
    version: str | None = None
    answer: Told | DaemonUnusable | None = None

    @property
    def identity(self) -> Identity:
        return self.process.identity

    @property
    def told(self) -> Told | None:
        return self.answer if isinstance(self.answer, Told) else None

    @property
    def fault(self) -> DaemonUnusable | None:
        return self.answer if isinstance(self.answer, DaemonUnusable) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Served:
    """One thread that a live process serves.

    Attributes:
        path, log: its log, and what that says; None where there is none, or where it could not be read.
        below: the logs of its sub-agents.
        beside: the logs of threads that a run of its own held before this one.
        thread, threads_below: what its daemon says of it and of its sub-agents.
    """

    process: Process
    claim: Claim
    path: Path | None = None
    log: Rollout | None = None
    below: tuple[Rollout, ...] = ()
    beside: tuple[Rollout, ...] = ()
    thread: Thread | None = None
    threads_below: tuple[Thread, ...] = ()

    @property
    def broken(self) -> bool:
        return self.path is not None and self.log is None and self.thread is None


@dataclass(frozen=True, slots=True, kw_only=True)
class _View:
    """A terminal that shows what a daemon runs, the folder it is in, and the thread that its arguments name."""

    folder: str | None
    home: str
    session_id: str | None


class Look:
    """One observation; `released_by` tells afterwards which daemon can unload which session."""

    def __init__(
        self,
        logs: Logs,
        table: ProcessTable,
        recognised: tuple[Claim, ...],
        around: Surroundings,
        daemons: Sequence[Daemon],
    ) -> None:
        self._logs = logs
        self._table = table
        self._recognised = recognised
        self._around = around
        self._daemons = {daemon.identity: daemon for daemon in daemons}
        self._real_homes: dict[Path, str] = {}
        self._homes_of_daemons = {self._real(daemon.home) for daemon in daemons}
        self._open_files: dict[Identity, tuple[str, ...] | None] = {}
        self._served: dict[SessionKey, list[_Served]] = {}
        self._threads_of: dict[Identity, set[str]] = {}
        self._homes: dict[Identity, Path] = {}
        self._usual_home = home_of(_NOBODY, around.environ, around.home)
        self._views: list[_View] = []
        self._problems: list[Problem] = []
        self.released_by: dict[SessionKey, Daemon] = {}

    def observation(self, read_epoch_s: float) -> Observation:
        """Look, and return what was found."""
        claims: list[Claim] = []
        for claim in self._recognised:
            process = self._table.get(claim.identity)
            daemon = self._daemons.get(claim.identity)
            if process is None:
                claims.append(claim)
            elif daemon is not None and daemon.told is not None:
                claims.extend(self._told(daemon, daemon.told))
            elif claim.role is Role.BACKEND or claim.serves_many or claim.source == ADAPTER:
                claims.extend(self._holding(claim, process))
            else:
                claims.append(claim)
                if claim.role is Role.CLIENT:
                    self._note_view(process)
        claims.extend(self._by_tools())
        taken = {claim.session.session_id for claim in claims if claim.session is not None}
        claims = [self._by_start(claim, taken) for claim in claims]
        claims.extend(self._helpers(claims))
        self._tell_faults()
        sessions = tuple(self._fact(key) for key in self._served)
        return Observation(
            host=HOST,
            read_epoch_s=read_epoch_s,
            instances=self._instances(),
            sessions=sessions,
            claims=tuple(claims),
            problems=(*self._logs.problems, *self._problems),
        )

    # -- which threads a process serves ---------------------------------------------------------------------------

    def _told(self, daemon: Daemon, told: Told) -> list[Claim]:
        """Claim the threads that a daemon lists: those that have begun and are kept on disk.

        What it starts for itself, such as for a title, is not kept; a thread without a prompt holds nothing yet.
        """
        by_id = {thread.id: thread for thread in told.threads}
        below: dict[str, list[Thread]] = {}
        for thread in told.threads:
            root = _root_of(thread.id, by_id)
            if root != thread.id:
                below.setdefault(root, []).append(thread)
        claims = [daemon.claim]
        for thread in told.threads:
            if _root_of(thread.id, by_id) != thread.id or thread.ephemeral:
                continue
            path = self._path(thread, daemon.home)
            log = self._logs.rollout(path) if path is not None else None
            if log is None and thread.field is None and thread.state != codex_rpc.ACTIVE and not thread.preview:
                continue
            served = _Served(
                process=daemon.process,
                claim=daemon.claim,
                path=path,
                log=log,
                thread=thread,
                threads_below=tuple(below.get(thread.id, ())),
            )
            self._note(thread.id, served)
            source = "its daemon's own list"
            claims.append(
                claim_of(daemon.process, daemon.claim.role, ClaimKind.REGISTRY, source, thread.id, serves_many=True)
            )
        return claims

    def _path(self, thread: Thread, home: Path) -> Path | None:
        if thread.path is not None and id_of(thread.path) == thread.id:
            return Path(thread.path)
        return self._logs.path_of(thread.id, home) if thread.field is not None else None

    def _holding(self, claim: Claim, process: Process) -> list[Claim]:
        """Sharpen one claim by the rollouts that the process holds open, and note the threads that these are of."""
        held = self._held(process)
        roots = self._roots(self._logs_of(held or (), self._home(process)))
        if self._is_view(claim, process, held=held, roots=roots):
            self._note_view(process)
            return [
                replace(claim, role=Role.CLIENT, session=None, kind=ClaimKind.PROGRAM, source="a view on the daemon")
            ]
        if claim.source == ADAPTER:
            if not roots:
                return [claim]
            claim = replace(claim, role=Role.BACKEND, serves_many=True)
        found = [claim]
        beside: tuple[Rollout, ...] = ()
        if len(roots) > 1 and not claim.serves_many:
            # a run of its own keeps what it showed before: it is the thread that was used last
            newest = max(roots, key=lambda root: (_last_epoch_s(roots[root]), root))
            beside = tuple(log for root, logs in roots.items() if root != newest for _, log in logs if log is not None)
            roots = {newest: roots[newest]}
        for root, logs in roots.items():
            path, log = next(((path, log) for path, log in logs if id_of(path) == root), logs[0])
            below = tuple(log for path, log in logs if id_of(path) != root and log is not None)
            self._note(root, _Served(process=process, claim=claim, path=path, log=log, below=below, beside=beside))
            source = "its log, which it holds open"
            found.append(
                claim_of(process, claim.role, ClaimKind.OPEN_FILE, source, root, serves_many=claim.serves_many)
            )
        if claim.session is not None and claim.session.session_id not in roots:
            found[0] = self._by_argument(claim, claim.session.session_id, process, others=bool(roots))
        return found

    def _by_argument(self, claim: Claim, session_id: str, process: Process, *, others: bool) -> Claim:
        """Note the thread that is named in arguments; another one that the process holds open is the one it has now."""
        unnamed = replace(claim, session=None, kind=ClaimKind.PROGRAM, source="its program")
        path = self._logs.path_of(session_id, self._home(process))
        if others or (path is None and not UUID.fullmatch(session_id)):
            return unnamed  # `resume` takes a name too, which tells no id
        log = self._logs.rollout(path) if path is not None else None
        self._note(session_id, _Served(process=process, claim=claim, path=path, log=log))
        return claim

    def _held(self, process: Process) -> tuple[str, ...] | None:
        """Return the files that a process holds open, asked for once in a look."""
        if process.identity not in self._open_files:
            self._open_files[process.identity] = self._around.processes.open_files(process.identity)
        return self._open_files[process.identity]

    def _logs_of(self, held: Sequence[str], home: Path) -> list[Path]:
        """Return the logs that are held open, and those of threads whose locks are; a lock is of no log at first."""
        logs = {str(id_of(name)): Path(name) for name in held if id_of(name) is not None}
        for name in held:
            lock = Path(name)
            if lock.suffix == ".lock" and lock.parent.name == LOCKS and UUID.fullmatch(lock.stem):
                path = logs.get(lock.stem) or self._logs.path_of(lock.stem, home)
                if path is not None:
                    logs[lock.stem] = path
        return list(logs.values())

    def _roots(self, paths: Iterable[Path]) -> dict[str, list[tuple[Path, Rollout | None]]]:
        """Return logs by the thread that they belong to: that of a sub-agent belongs to the one that started it."""
        roots: dict[str, list[tuple[Path, Rollout | None]]] = {}
        for path in sorted(paths):
            log = self._logs.rollout(path)
            own = str(id_of(path))
            roots.setdefault((log.session_id if log is not None else None) or own, []).append((path, log))
        return roots

    def _note(self, session_id: str, served: _Served) -> None:
        self._served.setdefault(SessionKey(HOST, session_id), []).append(served)
        self._threads_of.setdefault(served.process.identity, set()).add(session_id)

    def _is_view(self, claim: Claim, process: Process, *, held: object, roots: object) -> bool:
        """Say whether a terminal run only shows what the daemon of its home runs: then it holds no log itself."""
        if (
            claim.serves_many
            or claim.source == ADAPTER
            or roots
            or self._real_home(process) not in self._homes_of_daemons
        ):
            return False
        if is_self_contained(process):
            return False
        return held is not None or (claim.session is not None and self._is_listed(claim.session.session_id))

    def _is_listed(self, session_id: str) -> bool:
        told = (daemon.told for daemon in self._daemons.values())
        return any(thread.id == session_id for each in told if each is not None for thread in each.threads)

    def _note_view(self, process: Process) -> None:
        argv = process.argv or ()
        folder = argv_value(argv, "--cd") or argv_value(argv, "-C") or ""
        self._views.append(
            _View(
                folder=folder if os.path.isabs(folder) else process.cwd,
                home=self._real_home(process),
                session_id=resumed_id(argv),
            )
        )

    def _by_tools(self) -> list[Claim]:
        """Claim the thread whose id the tools below a process carry, where its open files could not tell."""
        found = []
        variables = {c.identity: c.session for c in self._recognised if c.kind is ClaimKind.ENVIRONMENT}
        for claim in self._recognised:
            process = self._table.get(claim.identity)
            if process is None or not (claim.role is Role.BACKEND or claim.serves_many) or self._is_told(claim):
                continue
            carried = {variables.get(child.identity) for child in self._table.children(process.pid)} - {None}
            for session in sorted(session.session_id for session in carried if session is not None):
                path = self._logs.path_of(session, self._home(process))
                log = self._logs.rollout(path) if path is not None else None
                self._note(session, _Served(process=process, claim=claim, path=path, log=log))
                source = "the session variable of its tools"
                found.append(
                    claim_of(process, claim.role, ClaimKind.ENVIRONMENT, source, session, serves_many=claim.serves_many)
                )
        return found

    def _is_told(self, claim: Claim) -> bool:
        daemon = self._daemons.get(claim.identity)
        if daemon is not None and daemon.told is not None:
            return True
        return claim.identity in self._threads_of

    def _by_start(self, claim: Claim, taken: set[str]) -> Claim:
        """Find the one log begun since, in its folder, for a run whose open files cannot be read."""
        process = self._table.get(claim.identity)
        if process is None or claim.role is not Role.BACKEND or claim.serves_many or self._is_told(claim):
            return claim
        if process.cwd is None or self._held(process) is not None:
            return claim
        began_epoch_s = self._start_epoch_s(process) - _RACE_S
        newest = [
            path
            for path in self._logs.begun_since(began_epoch_s, process.cwd, self._home(process))
            if id_of(path) not in taken
        ]
        if len(newest) != 1:
            return claim
        session_id = str(id_of(newest[0]))
        log = self._logs.rollout(newest[0])
        self._note(session_id, _Served(process=process, claim=claim, path=newest[0], log=log))
        return claim_of(
            process, Role.BACKEND, ClaimKind.START_AND_CWD, "the one log begun since, in its folder", session_id
        )

    def _helpers(self, claims: Sequence[Claim]) -> list[Claim]:
        """Claim the MCP servers of every agent: tools carry a session's variable and are in a session of their own.

        Where either cannot be read, nothing is said of the process.
        """
        known = {claim.identity for claim in claims}
        agents = {claim.identity for claim in claims if claim.role is Role.BACKEND or claim.serves_many}
        found = []
        for identity in sorted(agents):
            agent = self._table.get(identity)
            for child in self._table.children(identity.pid) if agent is not None else ():
                if agent is None or child.identity in known or child.sid is None or "env" in child.unreadable:
                    continue
                if child.pgid == child.pid and child.sid == agent.sid and child.pid != child.sid:
                    source = "started in a group of its own, without a session's variable"
                    found.append(claim_of(child, Role.HELPER, ClaimKind.DESCENT, source))
        return found

    def _home(self, process: Process) -> Path:
        if process.identity not in self._homes:
            self._homes[process.identity] = home_of(process, self._around.environ, self._around.home)
        return self._homes[process.identity]

    def _real_home(self, process: Process) -> str:
        return self._real(self._home(process))

    def _real(self, home: Path) -> str:
        """Return a home without links in its path, as one program may name it with and another without."""
        if home not in self._real_homes:
            self._real_homes[home] = os.path.realpath(home)
        return self._real_homes[home]

    def _start_epoch_s(self, process: Process) -> float:
        return self._table.taken_at.timestamp() - self._table.age_s(process)

    # -- facts ----------------------------------------------------------------------------------------------------

    def _fact(self, key: SessionKey) -> SessionFact:
        served = self._served[key]
        newest = max(served, key=lambda each: each.process.identity.start)
        thread, log = newest.thread, newest.log
        home = self._home(newest.process)
        cwd = (thread.cwd if thread is not None else None) or (log.cwd if log is not None else None)
        cwd = cwd or (newest.process.cwd if newest.claim.role is not Role.INFRA else None)
        fact = SessionFact(
            key=key,
            title=self._title(key, newest, home) or (basename(cwd) or cwd if cwd else None),
            cwd=cwd,
            model=(log.model if log is not None else None) or (thread.model if thread is not None else None),
            tokens=log.tokens if log is not None else None,
            last_activity_epoch_s=_activity_epoch_s(newest),
            resume=self._resume(key, home, cwd),
            drift=self._drift(newest),
        )
        daemon = self._daemons.get(newest.process.identity)
        if daemon is not None:
            return self._in_daemon(fact, newest, daemon)
        beside = len(self._threads_of[newest.process.identity]) > 1
        evidence = (*self._from_logs(newest), *self._attached(newest))
        return replace(
            fact,
            evidence=evidence,
            ladder=() if beside else _LADDER,
            shares_backend=beside and newest.claim.serves_many,
        )

    def _in_daemon(self, fact: SessionFact, served: _Served, daemon: Daemon) -> SessionFact:
        """Say of a thread of a daemon that it lives there, and that only the daemon can let go of it."""
        fact = replace(fact, shares_backend=True, heap_of=daemon.identity)
        if served.thread is not None:
            self.released_by[fact.key] = daemon
            evidence = (*self._from_daemon(served, served.thread), *self._views_of(fact, daemon), _UNDIVIDED)
            return replace(fact, evidence=evidence, ladder=_IN_DAEMON)
        fault = daemon.fault
        why = fault.what if fault is not None else noted("it has no socket at {path}").format(path=daemon.door.path)
        refusal = noted("Its daemon cannot be asked to release it: {why}").format(why=why)
        return replace(fact, evidence=(*self._from_logs(served), _UNDIVIDED), refusal=refusal)

    def _title(self, key: SessionKey, served: _Served, home: Path) -> str | None:
        """Return how the thread is called, never its first prompt: titles are stored."""
        thread = served.thread
        named = thread.name if thread is not None and thread.name else self._logs.name_of(home, key.session_id)
        return _first_line(named) if named else None

    def _resume(self, key: SessionKey, home: Path, cwd: str | None) -> ResumeTicket:
        note = None if home == self._usual_home else noted("with CODEX_HOME={home}").format(home=home)
        return ResumeTicket(argv=("codex", "resume", key.session_id), cwd=cwd, note=note)

    def _drift(self, served: _Served) -> Drift | None:
        """Say what of a thread is not understood: its daemon's word, else its log."""
        daemon = self._daemons.get(served.process.identity)
        fault = daemon.fault if daemon is not None else None
        log, thread = served.log, served.thread
        version = (log.version if log is not None else None) or version_of(served.process)
        if daemon is not None and daemon.told is not None and daemon.told.version is not None:
            version = daemon.told.version
        if thread is not None and thread.field is not None:
            return Drift(version=version, where=thread.where, field=thread.field)
        if fault is not None and fault.field is not None:
            return Drift(version=version, where=fault.where or "JSON-RPC", field=fault.field)
        strange = next((each for each in (log, *served.below) if each is not None and each.strange is not None), None)
        if strange is None or strange.strange is None:
            return None
        return Drift(version=version, where=str(served.path), field=strange.strange)

    # -- evidence -------------------------------------------------------------------------------------------------

    def _from_daemon(self, served: _Served, thread: Thread) -> Iterable[Evidence]:
        """Say what a daemon tells of a thread; its word goes before that of the log."""
        log = served.log
        last_epoch_s = log.turn_epoch_s if log is not None and log.turn_open is not None else None
        at = last_epoch_s if last_epoch_s is not None else thread.updated_epoch_s
        if thread.field is not None:
            return
        if thread.state == codex_rpc.FAILED:
            fact = noted("Its daemon says that it has failed")
            yield _said(EvidenceKind.HOST_STATUS, Speaks.UNREADABLE, fact, _DAEMON)
        elif thread.state == codex_rpc.ACTIVE and thread.flags:
            for flag in thread.flags:
                fact = codex_rpc.WAITS_FOR.get(flag, noted("It waits for you"))
                yield _said(EvidenceKind.HOST_STATUS, Speaks.WAITING, fact, _DAEMON, at)
        elif thread.state == codex_rpc.ACTIVE:
            yield _said(
                EvidenceKind.TURN, Speaks.BUSY, noted("A turn is open: its daemon says that it runs"), _DAEMON, at
            )
        if thread.commands:
            fact = noted("A command runs in the background: {command}").format(
                command=codex_rpc.program_in(thread.commands[0])
            )
            yield _said(EvidenceKind.BACKGROUND_TASK, Speaks.BUSY, fact, _DAEMON)
        if any(each.state == codex_rpc.ACTIVE for each in served.threads_below):
            yield _said(EvidenceKind.SUBAGENT, Speaks.BUSY, noted("A subagent is at work"), _DAEMON)
        if thread.state == codex_rpc.IDLE and not thread.commands:
            fact = noted("Its daemon says that it is idle")
            yield _said(EvidenceKind.HOST_STATUS, Speaks.IDLE, fact, _DAEMON, at)

    def _views_of(self, fact: SessionFact, daemon: Daemon) -> Iterable[Evidence]:
        """Say whether a terminal shows a thread: that one loads it again as soon as it is unloaded."""
        views = [view for view in self._views if view.home == self._real(daemon.home)]
        if any(view.session_id == fact.key.session_id for view in views):
            shown = noted("A terminal shows it, which would load it again")
        elif any(view.session_id is None and view.folder == fact.cwd for view in views):
            shown = noted("A terminal is open in its folder; if it shows it, it would load it again")
        else:
            return
        yield _said(EvidenceKind.VIEW, Speaks.PROTECTS, shown, "process table")

    def _attached(self, served: _Served) -> Iterable[Evidence]:
        """Say who speaks to a server for one client: whoever started it would miss it."""
        if not served.claim.serves_many:
            return
        above = next((each for each in self._table.ancestors(served.process) if not self._is_wrapper(each)), None)
        if above is None or above.pid in self._table.reaper_pids:
            return
        fact = noted("{name}, which started it, is attached to it").format(name=above.name or above.pid)
        yield _said(EvidenceKind.VIEW, Speaks.PROTECTS, fact, "process table")

    def _is_wrapper(self, process: Process) -> bool:
        return any(each.identity == process.identity and each.role is Role.WRAPPER for each in self._recognised)

    def _from_logs(self, served: _Served) -> Iterable[Evidence]:
        if served.broken:
            yield _said(EvidenceKind.RECORD, Speaks.UNREADABLE, noted("Its log cannot be read"), _ROLLOUT)
        began_epoch_s = self._start_epoch_s(served.process) - _RACE_S
        if served.log is not None and served.log.strange is None:
            yield from _turn(served.log, began_epoch_s)
        for below in served.below:
            if below.turn_open and (below.turn_epoch_s or 0.0) >= began_epoch_s:
                fact = noted("A subagent is at work")
                yield _said(EvidenceKind.SUBAGENT, Speaks.BUSY, fact, _ROLLOUT, below.turn_epoch_s)
        for beside in served.beside:
            if beside.turn_open and (beside.turn_epoch_s or 0.0) >= began_epoch_s:
                fact = noted("A turn is open in another thread of the same run")
                yield _said(EvidenceKind.TURN, Speaks.BUSY, fact, _ROLLOUT, beside.turn_epoch_s)

    # -- hosts ----------------------------------------------------------------------------------------------------

    def _instances(self) -> tuple[HostInstance, ...]:
        return tuple(self._instance(claim) for claim in self._recognised if claim.serves_many)

    def _instance(self, claim: Claim) -> HostInstance:
        daemon = self._daemons.get(claim.identity)
        if daemon is None:
            return HostInstance(host=HOST, identity=claim.identity)
        version = (daemon.told.version if daemon.told is not None else None) or daemon.version
        error = daemon.fault.what if daemon.fault is not None else None
        return HostInstance(host=HOST, identity=claim.identity, version=version, error=error)

    def _tell_faults(self) -> None:
        """Make problems of what daemons did not answer; what concerns a session is told by its row."""
        for daemon in self._daemons.values():
            fault, told = daemon.fault, daemon.told
            where = str(daemon.door.path)
            if fault is not None:
                self._problems.append(Problem(where=where, what=fault.what, mend=fault.mend))
            elif told is not None and told.unasked > 0:
                what = noted("it holds {count} loaded threads, of which {shown} are shown").format(
                    count=len(told.threads) + told.unasked, shown=len(told.threads)
                )
                self._problems.append(Problem(where=where, what=what, mend=noted("Release some of them")))


_UNDIVIDED = Evidence(
    kind=EvidenceKind.RECORD,
    speaks_for=Speaks.NOTHING,
    fact=noted("What it holds of its daemon's memory cannot be told apart and is counted with the daemon"),
    source=_DAEMON,
)
_NOBODY = Process(identity=Identity(0, 0), ppid=0, name="")
"""A program of which nothing is known: what it would use is the user's own."""


def _root_of(thread_id: str, by_id: Mapping[str, Thread]) -> str:
    """Return the topmost loaded thread above a sub-agent; in a ring the first that was met."""
    seen: set[str] = set()
    while thread_id not in seen:
        seen.add(thread_id)
        above = by_id[thread_id].parent
        if above is None or above not in by_id:
            return thread_id
        thread_id = above
    return min(seen)


def _last_epoch_s(logs: Sequence[tuple[Path, Rollout | None]]) -> float:
    return max((log.last_activity_epoch_s or 0.0 for _, log in logs if log is not None), default=0.0)


def _activity_epoch_s(served: _Served) -> float | None:
    logged = served.log.last_activity_epoch_s if served.log is not None else None
    if logged is None and served.thread is not None:
        return served.thread.updated_epoch_s
    return logged


def _first_line(text: str) -> str:
    line = text.strip().split("\n", 1)[0].strip()
    return line if len(line) <= _TITLE else line[: _TITLE - 1].rstrip() + "…"


def _turn(log: Rollout, began_epoch_s: float) -> Iterable[Evidence]:
    at = log.turn_epoch_s
    if log.turn_open is None:
        return
    if not log.turn_open:
        yield _said(EvidenceKind.TURN, Speaks.IDLE, noted("The turn ended"), _ROLLOUT, at)
    elif at is not None and at < began_epoch_s:
        # a run that was killed leaves its turn open
        fact = noted("The last turn was cut off before this process began")
        yield _said(EvidenceKind.TURN, Speaks.IDLE, fact, _ROLLOUT, at)
    elif log.asks:
        yield _said(EvidenceKind.QUESTION, Speaks.WAITING, noted("It asks you a question"), _ROLLOUT, at)
    elif SUBAGENT_TOOLS & set(log.open_calls.values()):
        fact = noted("A subagent has not answered yet")
        yield _said(EvidenceKind.SUBAGENT, Speaks.BUSY, fact, _ROLLOUT, at)
    elif log.open_calls:
        # busy only together with a work process (PRECEDENCE A10), which is for the verdict to see
        fact = noted("A tool call has no result yet")
        yield _said(EvidenceKind.TOOL_CALL, Speaks.BUSY, fact, _ROLLOUT, at)
    else:
        yield _said(EvidenceKind.TURN, Speaks.BUSY, noted("A turn is open"), _ROLLOUT, at)


def _said(kind: EvidenceKind, speaks_for: Speaks, fact: str, source: str, at_epoch_s: float | None = None) -> Evidence:
    return Evidence(kind=kind, speaks_for=speaks_for, fact=fact, source=source, at_epoch_s=at_epoch_s)
