"""Codex: terminal runs, app-servers of editors and apps, the daemon that all terminals share.

Knows which rollout files a process holds open, which is how a process tells its threads, and what these say; programs
are told apart in codex_programs.py, logs are read in codex_rollout.py. Must not decide what a session is doing. Threads
of a server are not released here: ending the server would end all of them. `<home>` is `~/.codex` or $CODEX_HOME.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from trayapp.hosts.base import CallResult, Surroundings, signal_ladder
from trayapp.hosts.codex_programs import ENVIRONMENT_NAMES, HOST, LABEL, UUID, claim_of, is_self_contained, recognise
from trayapp.hosts.codex_rollout import SUBAGENT_TOOLS, Rollout, id_of, read_beginning, read_rollout
from trayapp.hosts.files import Stamp, names_in, stamp
from trayapp.model.process import Process, ProcessTable
from trayapp.model.session import (
    Claim,
    ClaimKind,
    Evidence,
    EvidenceKind,
    HostInstance,
    Observation,
    Problem,
    ResumeTicket,
    Role,
    SessionFact,
    SessionKey,
    Speaks,
)
from trayapp.programs import basename

_RACE_S = 2.0
_MISS_KEPT_S = 15.0
_DAYS_LIMIT = 400
_RECENT_DAYS = 3
_NAMES_LIMIT = 20_000
_CANDIDATES_LIMIT = 32

_LADDER = signal_ladder("Codex")


class Codex:
    """The adapter. Keeps what it read between observations; files that did not change are not read again."""

    label = LABEL
    environment_names: tuple[str, ...] = ENVIRONMENT_NAMES

    def __init__(self) -> None:
        self._logs: dict[Path, tuple[Stamp, Rollout]] = {}
        self._paths: dict[str, Path] = {}
        self._missed: dict[str, float] = {}
        self._looking = threading.Lock()

    def recognise(self, process: Process) -> Claim | None:
        """Say what a process is to Codex, by program and arguments. Pure."""
        return recognise(process)

    async def observe(self, table: ProcessTable, recognised: Sequence[Claim], around: Surroundings) -> Observation:
        """Read which rollouts its processes hold open and what their ends say, in one worker thread."""
        return await asyncio.to_thread(self._observe, table, tuple(recognised), around)

    def _observe(self, table: ProcessTable, recognised: tuple[Claim, ...], around: Surroundings) -> Observation:
        if not self._looking.acquire(blocking=False):
            held_up = Problem(
                where=str(around.home / ".codex"),
                what="reading it takes longer than one look",
                mend="Check the disk or network folder it lies on",
            )
            return Observation(host=HOST, read_epoch_s=around.now_epoch_s(), claims=recognised, problems=(held_up,))
        try:
            return _Look(self, table, recognised, around).result()
        finally:
            self._looking.release()

    async def call(self, name: str, session: SessionFact, around: Surroundings) -> CallResult:
        """Offer nothing: a thread of a server cannot be unloaded from here yet."""
        return CallResult(ok=False, message=f"Codex offers no “{name}” for this session")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Thread:
    """One thread that a live process serves, with its log and those of its sub-agents."""

    process: Process
    claim: Claim
    log: Rollout | None
    below: tuple[Rollout, ...] = ()
    broken: bool = False


class _Look:
    """One observation; everything in it runs in one worker thread."""

    def __init__(
        self, adapter: Codex, table: ProcessTable, recognised: tuple[Claim, ...], around: Surroundings
    ) -> None:
        self._adapter = adapter
        self._table = table
        self._recognised = recognised
        self._around = around
        self._now_epoch_s = around.now_epoch_s()
        self._problems: list[Problem] = []
        self._used: set[Path] = set()
        self._has_daemon = any(claim.serves_many and claim.role is Role.INFRA for claim in recognised)

    def result(self) -> Observation:
        claims: list[Claim] = []
        threads: dict[SessionKey, list[_Thread]] = {}
        for claim in self._recognised:
            process = self._table.get(claim.identity)
            if process is None or not (claim.role is Role.BACKEND or claim.serves_many):
                claims.append(claim)
                continue
            claims.extend(self._serve(claim, process, threads))
        claims.extend(self._by_tools(threads))
        taken = {claim.session.session_id for claim in claims if claim.session is not None}
        claims = [self._by_start(claim, taken, threads) for claim in claims]
        self._forget(threads)
        return Observation(
            host=HOST,
            read_epoch_s=self._now_epoch_s,
            instances=self._instances(),
            sessions=tuple(self._fact(key, threads) for key in threads),
            claims=tuple(claims),
            problems=tuple(self._problems),
        )

    # -- which threads a process serves --------------------------------------------------------------------------

    def _serve(self, claim: Claim, process: Process, threads: dict[SessionKey, list[_Thread]]) -> list[Claim]:
        """Sharpen one claim by the rollouts that the process holds open, and note the threads that these are of."""
        held = self._around.processes.open_files(process.identity)
        paths = [Path(name) for name in held or () if id_of(name) is not None]
        roots: dict[str, list[tuple[Path, Rollout | None]]] = {}
        for path in sorted(paths):
            log = self._rollout(path)
            own = str(id_of(path))
            roots.setdefault((log.session_id if log is not None else None) or own, []).append((path, log))
        if held is not None and not roots and self._is_view(claim, process):
            return [replace(claim, role=Role.CLIENT, source="a view on the daemon")]
        found = [claim]
        for root, logs in roots.items():
            log = next((log for path, log in logs if id_of(path) == root), None)
            below = tuple(log for path, log in logs if id_of(path) != root and log is not None)
            self._note(threads, root, _Thread(process=process, claim=claim, log=log, below=below, broken=log is None))
            source = "its log, which it holds open"
            found.append(
                claim_of(process, claim.role, ClaimKind.OPEN_FILE, source, root, serves_many=claim.serves_many)
            )
        if claim.session is not None and claim.session.session_id not in roots:
            named = self._path_of(claim.session.session_id, process)
            if named is None and not UUID.fullmatch(claim.session.session_id):
                # `resume` takes a name too, which tells no id
                found[0] = replace(claim, session=None, kind=ClaimKind.PROGRAM, source="its program")
                return found
            log = self._rollout(named) if named is not None else None
            thread = _Thread(process=process, claim=claim, log=log, broken=named is not None and log is None)
            self._note(threads, claim.session.session_id, thread)
        return found

    def _note(self, threads: dict[SessionKey, list[_Thread]], session_id: str, thread: _Thread) -> None:
        threads.setdefault(SessionKey(HOST, session_id), []).append(thread)

    def _is_view(self, claim: Claim, process: Process) -> bool:
        """Say whether a terminal run without a log only shows what the shared daemon runs."""
        return self._has_daemon and not claim.serves_many and claim.session is None and not is_self_contained(process)

    def _by_tools(self, threads: dict[SessionKey, list[_Thread]]) -> list[Claim]:
        """Claim the thread whose id the tools below a process carry, where its open files could not tell."""
        found = []
        variables = {c.identity: c.session for c in self._recognised if c.kind is ClaimKind.ENVIRONMENT}
        for claim in self._recognised:
            process = self._table.get(claim.identity)
            if (
                process is None
                or not (claim.role is Role.BACKEND or claim.serves_many)
                or self._is_told(claim, threads)
            ):
                continue
            carried = {variables.get(child.identity) for child in self._table.children(process.pid)} - {None}
            for session in sorted(session.session_id for session in carried if session is not None):
                path = self._path_of(session, process)
                log = self._rollout(path) if path is not None else None
                self._note(threads, session, _Thread(process=process, claim=claim, log=log))
                source = "the session variable of its tools"
                found.append(
                    claim_of(process, claim.role, ClaimKind.ENVIRONMENT, source, session, serves_many=claim.serves_many)
                )
        return found

    def _is_told(self, claim: Claim, threads: Mapping[SessionKey, Sequence[_Thread]]) -> bool:
        return any(thread.process.identity == claim.identity for served in threads.values() for thread in served)

    def _by_start(self, claim: Claim, taken: set[str], threads: dict[SessionKey, list[_Thread]]) -> Claim:
        """Find the one log begun since, in its folder, for a run that does not tell its thread otherwise."""
        process = self._table.get(claim.identity)
        told = self._is_told(claim, threads)
        if process is None or claim.role is not Role.BACKEND or claim.serves_many or told or process.cwd is None:
            return claim
        newest = [path for path in self._recent(process) if id_of(path) not in taken]
        if len(newest) != 1:
            return claim
        session_id = str(id_of(newest[0]))
        self._note(threads, session_id, _Thread(process=process, claim=claim, log=self._rollout(newest[0])))
        return claim_of(
            process, Role.BACKEND, ClaimKind.START_AND_CWD, "the one log begun since, in its folder", session_id
        )

    # -- where the logs are --------------------------------------------------------------------------------------

    def _home(self, process: Process) -> Path:
        for home in (process.env.get("CODEX_HOME"), self._around.environ.get("CODEX_HOME")):
            if home and os.path.isabs(home):
                return Path(home)
        return self._around.home / ".codex"

    def _days(self, process: Process) -> Iterable[Path]:
        """Yield the folders of days, newest first."""
        top = self._home(process) / "sessions"
        for year in self._numbers(top):
            for month in self._numbers(year):
                yield from self._numbers(month)

    def _numbers(self, folder: Path) -> list[Path]:
        return [folder / name for name in sorted((n for n in self._names(folder) if n.isdecimal()), reverse=True)]

    def _path_of(self, session_id: str, process: Process) -> Path | None:
        known, missed = self._adapter._paths, self._adapter._missed
        if session_id in known or 0 <= self._now_epoch_s - missed.get(session_id, -_MISS_KEPT_S) < _MISS_KEPT_S:
            return known.get(session_id)
        for day in islice(self._days(process), _DAYS_LIMIT):
            for name in self._names(day):
                if id_of(name) == session_id:
                    known[session_id] = day / name
                    return day / name
        missed[session_id] = self._now_epoch_s
        return None

    def _recent(self, process: Process) -> list[Path]:
        """Return logs of the newest days that began in the process's folder after it did."""
        began_epoch_s = self._start_epoch_s(process) - _RACE_S
        days = list(islice(self._days(process), _RECENT_DAYS))
        names = [day / name for day in days for name in sorted(self._names(day), reverse=True) if id_of(name)]
        found = []
        for path in names[:_CANDIDATES_LIMIT]:
            written = self._stamp(path)
            # a file cannot hold a record newer than its own last change; the change itself proves nothing
            if written is None or written.mtime_ns / 1e9 < began_epoch_s:
                continue
            try:
                first = read_beginning(path)
            except OSError:
                continue
            if first.cwd == process.cwd and (first.began_epoch_s or 0.0) >= began_epoch_s:
                found.append(path)
        return found

    def _rollout(self, path: Path) -> Rollout | None:
        self._used.add(path)
        written = self._stamp(path)
        if written is None:
            return None
        kept = self._adapter._logs.get(path)
        if kept is None or kept[0] != written:
            try:
                kept = (written, read_rollout(path))
            except OSError as fault:
                self._problem(path, f"the log cannot be read ({fault.strerror})", "Check its permissions")
                return None
            self._adapter._logs[path] = kept
        if kept[1].broken_lines:
            self._problem(path, "damaged lines are left out", "The rest is used; nothing needs to be done")
        return kept[1]

    def _stamp(self, path: Path) -> Stamp | None:
        try:
            return stamp(path)
        except OSError as fault:
            self._problem(path, f"cannot be looked at ({fault.strerror})", "Check its permissions")
            return None

    def _names(self, folder: Path) -> list[str]:
        try:
            return names_in(folder, limit=_NAMES_LIMIT)
        except OSError as fault:
            self._problem(folder, f"the folder cannot be read ({fault.strerror})", "Check its permissions")
            return []

    def _problem(self, path: Path, what: str, mend: str) -> None:
        problem = Problem(where=str(path), what=what, mend=mend)
        if problem not in self._problems:
            self._problems.append(problem)

    def _start_epoch_s(self, process: Process) -> float:
        return self._table.taken_at.timestamp() - self._table.age_s(process)

    def _forget(self, threads: dict[SessionKey, list[_Thread]]) -> None:
        adapter = self._adapter
        live = {key.session_id for key in threads}
        adapter._paths = {known: path for known, path in adapter._paths.items() if known in live}
        adapter._missed = {known: at for known, at in adapter._missed.items() if known in live}
        adapter._logs = {path: kept for path, kept in adapter._logs.items() if path in self._used}

    # -- facts ---------------------------------------------------------------------------------------------------

    def _fact(self, key: SessionKey, threads: Mapping[SessionKey, Sequence[_Thread]]) -> SessionFact:
        newest = max(threads[key], key=lambda thread: thread.process.identity.start)
        beside = sum(
            other != key and any(thread.process is newest.process for thread in served)
            for other, served in threads.items()
        )
        log = newest.log
        cwd = (log.cwd if log is not None else None) or newest.process.cwd
        return SessionFact(
            key=key,
            title=basename(cwd) or cwd if cwd else None,
            cwd=cwd,
            model=log.model if log is not None else None,
            evidence=tuple(self._evidence(newest)),
            last_activity_epoch_s=log.last_activity_epoch_s if log is not None else None,
            resume=ResumeTicket(argv=("codex", "resume", key.session_id), cwd=cwd),
            ladder=() if newest.claim.serves_many else _LADDER,
            # a thread of the daemon, or beside others in a server: the process is counted once, not under each
            shares_backend=newest.claim.serves_many and (newest.claim.role is Role.INFRA or beside > 0),
        )

    def _evidence(self, thread: _Thread) -> Iterable[Evidence]:
        if thread.broken:
            yield self._told(EvidenceKind.RECORD, Speaks.UNREADABLE, "Its log cannot be read")
        began_epoch_s = self._start_epoch_s(thread.process) - _RACE_S
        if thread.log is not None:
            yield from self._turn(thread.log, began_epoch_s)
        for below in thread.below:
            if below.turn_open and (below.turn_epoch_s or 0.0) >= began_epoch_s:
                yield self._told(EvidenceKind.SUBAGENT, Speaks.BUSY, "A subagent is at work", below.turn_epoch_s)

    def _turn(self, log: Rollout, began_epoch_s: float) -> Iterable[Evidence]:
        at = log.turn_epoch_s
        if log.turn_open is None:
            return
        if not log.turn_open:
            yield self._told(EvidenceKind.TURN, Speaks.IDLE, "The turn ended", at)
        elif at is not None and at < began_epoch_s:
            # a run that was killed leaves its turn open
            yield self._told(EvidenceKind.TURN, Speaks.IDLE, "The last turn was cut off before this process began", at)
        elif log.asks:
            yield self._told(EvidenceKind.QUESTION, Speaks.WAITING, "It asks you a question", at)
        elif SUBAGENT_TOOLS & set(log.open_calls.values()):
            yield self._told(EvidenceKind.SUBAGENT, Speaks.BUSY, "A subagent has not answered yet", at)
        elif log.open_calls:
            # busy only together with a work process (PRECEDENCE A10), which is for the verdict to see
            yield self._told(EvidenceKind.TOOL_CALL, Speaks.BUSY, "A tool call has no result yet", at)
        else:
            yield self._told(EvidenceKind.TURN, Speaks.BUSY, "A turn is open", at)

    def _told(self, kind: EvidenceKind, speaks_for: Speaks, fact: str, at: float | None = None) -> Evidence:
        return Evidence(
            kind=kind,
            speaks_for=speaks_for,
            fact=fact,
            source="rollout",
            at_epoch_s=at,
            read_epoch_s=self._now_epoch_s,
        )

    def _instances(self) -> tuple[HostInstance, ...]:
        return tuple(
            HostInstance(host=HOST, identity=claim.identity) for claim in self._recognised if claim.serves_many
        )
