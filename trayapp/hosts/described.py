"""A host that a file describes: its programs, its sessions and what its records and logs say, all as that file tells.

What the form is stands in described_form.py, what a process is in described_match.py, what files say in
described_files.py. Must not decide what a session is doing, and must not read what is not described. Where no log and
no record tells whether a turn is open, nothing is said, and a session stays unknown.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from trayapp.bystanders import bystander
from trayapp.hosts import described_files as read
from trayapp.hosts.base import CallResult, Surroundings, claim_on, signal_ladder
from trayapp.hosts.described_files import Told
from trayapp.hosts.described_form import ADAPTER, Description, Fields
from trayapp.hosts.described_match import claim_of, is_id, program_of, recognise
from trayapp.hosts.files import Stamp, Witness, stamp
from trayapp.hosts.scope import scope_of
from trayapp.model.process import Identity, Process, ProcessTable
from trayapp.model.session import (
    Claim,
    ClaimKind,
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
from trayapp.programs import basename, looks_like_helper

COMMAND = "command"
COMMAND_S = 15.0
_RACE_S = 2.0
_MISS_KEPT_S = 15.0
_CANDIDATES_LIMIT = 32
_SERVER_FILE_BYTES = 64 * 1024

T = TypeVar("T")


class Described:
    """The adapter of one description. Keeps what it read between observations."""

    def __init__(self, description: Description) -> None:
        self.description = description
        self.label = description.label
        self.environment_names = description.environment_names
        self.words = description.words
        self._looking = threading.Lock()
        self._last: _Seen | None = None
        self._logs: dict[Path, tuple[Stamp, Told]] = {}
        self._paths: dict[str, Path] = {}
        self._commands: dict[SessionKey, tuple[tuple[str, ...], Mapping[str, str]]] = {}

    def recognise(self, process: Process) -> Claim | None:
        """Say what a process is to the host. Pure."""
        return recognise(self.description, process)

    async def observe(self, table: ProcessTable, recognised: Sequence[Claim], around: Surroundings) -> Observation:
        """Read the described files of what runs, in one worker thread; nothing is read while nothing of it runs."""
        if not recognised:
            self._last = None
            return Observation(host=self.label.host, read_epoch_s=around.now_epoch_s())
        form = self.description
        if form.record is None and form.log is None and form.server_file is None:
            return self._observe(table, tuple(recognised), around)
        return await asyncio.to_thread(self._observe, table, tuple(recognised), around)

    def _observe(self, table: ProcessTable, recognised: tuple[Claim, ...], around: Surroundings) -> Observation:
        now_epoch_s = around.now_epoch_s()
        if not self._looking.acquire(blocking=False):
            held_up = Problem(
                where=self.label.title,
                what="reading its files takes longer than one look",
                mend="Check the disk or network folder that they lie on",
            )
            host = self.label.host
            return Observation(host=host, read_epoch_s=now_epoch_s, claims=recognised, problems=(held_up,))
        try:
            if self._last is None or not self._last.stands(self.description, table, recognised, around):
                look = _Look(self, table, recognised, around)
                self._last = look.seen()
                self._commands = look.commands
            return replace(self._last.observation, read_epoch_s=now_epoch_s)
        finally:
            self._looking.release()

    async def call(self, name: str, session: SessionFact, around: Surroundings) -> CallResult:
        """Carry out "command": the described command for that session, never through a shell."""
        found = self._commands.get(session.key)
        if name != COMMAND or found is None:
            return CallResult(ok=False, message=f"{self.label.title} offers no “{name}” for this session")
        argv, variables = found
        return await _run(argv, {**around.environ, "HOME": str(around.home), **variables})


def _family_of(description: Description, table: ProcessTable, pid: int) -> tuple[object, ...]:
    """Return what an observation uses of what stands below a process."""
    if any(program.below for program in description.programs):
        below = list(table.descendants(pid))
    else:
        below = list(table.children(pid))
    return tuple((p.identity, p.name, p.exe, p.argv, p.is_zombie) for p in below)


def _look_of(process: Process | None) -> tuple[object, ...] | None:
    if process is None:
        return None
    return process.ppid, process.exe, process.argv, process.cwd, process.env, process.unreadable, process.is_zombie


def _looks(
    description: Description, table: ProcessTable, claims: Sequence[Claim], around: Surroundings
) -> tuple[object, ...]:
    looks = [
        (_look_of(table.get(claim.identity)), _family_of(description, table, claim.identity.pid)) for claim in claims
    ]
    return around.home, around.environ.get(description.home_variable or ""), *looks


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """Hold an observation with what it rests on; while that is the same, looking again would say the same."""

    observation: Observation
    recognised: tuple[Claim, ...]
    looks: tuple[object, ...]
    files: Witness
    server: Identity | None
    until_epoch_s: float

    def stands(
        self, description: Description, table: ProcessTable, recognised: tuple[Claim, ...], around: Surroundings
    ) -> bool:
        """Say whether looking again would tell nothing else."""
        return (
            recognised == self.recognised
            and around.now_epoch_s() < self.until_epoch_s
            and (self.server is None or table.get(self.server) is not None)
            and _looks(description, table, recognised, around) == self.looks
            and self.files.stands()
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """One agent that runs, and what is told of its session."""

    process: Process
    claim: Claim
    record: Told | None = None
    log: Told | None = None
    broken: bool = False


class _Look:
    """One observation; everything in it runs in one worker thread."""

    def __init__(
        self, adapter: Described, table: ProcessTable, recognised: tuple[Claim, ...], around: Surroundings
    ) -> None:
        self._adapter = adapter
        self._form = adapter.description
        self._host = adapter.label.host
        self._table = table
        self._recognised = recognised
        self._around = around
        self._now_epoch_s = around.now_epoch_s()
        self._files = Witness()
        self._problems: list[Problem] = []
        self._used: set[Path] = set()
        self._until_epoch_s = float("inf")
        self._server: Identity | None = None
        self._listed: dict[str, list[tuple[int, Path]]] = {}
        self._instances: list[HostInstance] = []
        self._claims = {claim.identity: claim for claim in recognised if table.get(claim.identity) is not None}
        self.commands: dict[SessionKey, tuple[tuple[str, ...], Mapping[str, str]]] = {}

    def seen(self) -> _Seen:
        self._below()
        self._pairs()
        self._adapters()
        self._read_server()
        self._agents_of_others()
        runs = self._runs()
        if self._form.home_variable is not None:
            self._claims = {i: self._scoped(claim) for i, claim in self._claims.items()}
        facts = tuple(self._fact(key, of) for key, of in self._by_session(runs).items())
        self._forget()
        observation = Observation(
            host=self._host,
            read_epoch_s=self._now_epoch_s,
            instances=tuple(self._instances),
            sessions=facts,
            claims=tuple(self._claims.values()),
            problems=tuple(dict.fromkeys(self._problems)),
        )
        return _Seen(
            observation=observation,
            recognised=self._recognised,
            looks=_looks(self._form, self._table, self._recognised, self._around),
            files=self._files,
            server=self._server,
            until_epoch_s=self._until_epoch_s,
        )

    # -- what the processes are ------------------------------------------------------------------------------------

    def _of_role(self, role: Role) -> list[tuple[Process, Claim]]:
        found = [(self._table.get(claim.identity), claim) for claim in self._claims.values() if claim.role is role]
        return [(process, claim) for process, claim in found if process is not None]

    def _below(self) -> None:
        """Claim the programs that count only below another one of the host."""
        if not any(program.below for program in self._form.programs):
            return
        for process, _ in self._of_role(Role.BACKEND):
            for below in self._table.descendants(process.pid):
                program = program_of(self._form, below, below=True) if not below.is_zombie else None
                if program is not None and below.identity not in self._claims:
                    self._claims[below.identity] = claim_of(self._form, program, below)

    def _pairs(self) -> None:
        """Make of a chain of the same program one agent and its wrappers."""
        if self._form.release.pair is None:
            return
        agents = {process.identity for process, _ in self._of_role(Role.BACKEND)}
        for process, claim in self._of_role(Role.BACKEND):
            if self._form.release.pair == "inner":
                is_other = any(child.identity in agents for child in self._table.children(process.pid))
            else:
                parent = self._table.parent(process)
                is_other = parent is not None and parent.identity in agents
            if is_other:
                source = "starts its program" if self._form.release.pair == "inner" else "a part of its program"
                self._claims[process.identity] = replace(claim, role=Role.WRAPPER, source=source)

    def _adapters(self) -> None:
        """Count what leads to several agents, or to none any more, as the host's; with one it is part of that."""
        if not any(program.role == ADAPTER for program in self._form.programs):
            return
        for process, claim in self._of_role(Role.WRAPPER):
            program = program_of(self._form, process)
            if program is None or program.role != ADAPTER:
                continue
            served = [child for child in self._table.children(process.pid) if not looks_like_helper(child)]
            if len(served) != 1:
                self._claims[process.identity] = replace(claim, role=Role.INFRA, source="leads to agents")

    def _read_server(self) -> None:
        """Claim the process that the host's own file names as its server."""
        if self._form.server_file is None:
            return
        path = Path(self._place(self._form.server_file, {}))
        text = self._ask(path, lambda: self._files.read_whole(path, limit_bytes=_SERVER_FILE_BYTES))
        if text is None:
            return
        pid = read.pid_in(text, self._form.server_pid)
        written = self._stamp(path)
        process = self._table.processes.get(pid) if pid is not None else None
        if pid is None:
            self._problem(path, "names no process", "It is not used; its host writes it again when it starts")
        if process is None or written is None or process.is_zombie or bystander(process) is not None:
            return
        # a file that was not written since the process began is about an earlier one of that number
        if written.mtime_ns / 1e9 < self._start_epoch_s(process) - _RACE_S or self._table.is_anothers(process):
            return
        self._server = process.identity
        if process.identity not in self._claims:
            self._claims[process.identity] = self._claim(process, Role.INFRA, ClaimKind.REGISTRY, "its server's file")

    def _agents_of_others(self) -> None:
        """Claim the agents of other hosts that the server runs: what carries the variable right below it."""
        if not self._form.child_agents:
            return
        servers = {process.pid for process, _ in self._of_role(Role.INFRA)}
        if self._server is not None:  # its workers run the agents
            servers |= {self._server.pid, *(child.pid for child in self._table.children(self._server.pid))}
        for claim in list(self._claims.values()):
            process = self._table.get(claim.identity)
            if process is None or claim.kind is not ClaimKind.ENVIRONMENT or claim.role is Role.BACKEND:
                continue
            # what an agent starts carries it as well, and its own host's variable, which tells more
            del self._claims[process.identity]
            if process.ppid in servers and process.pid not in servers and not looks_like_helper(process):
                source = "the variable that it was started with"
                self._claims[process.identity] = replace(claim, role=Role.BACKEND, source=source, embedded=True)

    def _claim(
        self, process: Process, role: Role, kind: ClaimKind, source: str, session_id: str | None = None
    ) -> Claim:
        return claim_on(process, role, kind, source, session_id, host=self._host)

    def _scoped(self, claim: Claim) -> Claim:
        process = self._table.get(claim.identity)
        if process is None or self._form.home_variable is None:
            return claim
        scope = scope_of(process, self._form.home_variable, self._around.environ)
        return claim if scope is claim.scope else replace(claim, scope=scope)

    # -- which session each agent runs -----------------------------------------------------------------------------

    def _runs(self) -> list[_Run]:
        found = []
        for process, claim in self._of_role(Role.BACKEND):
            run = self._with_record(process, claim)
            if run.claim.session is None and self._form.log is not None and self._form.log.newest:
                run = replace(run, claim=self._by_start(process, run.claim))
            if self._form.log is not None and run.claim.session is not None:
                run = self._with_log(run, self._form.log)
            self._claims[process.identity] = run.claim
            found.append(run)
        return found

    def _with_record(self, process: Process, claim: Claim) -> _Run:
        fields = self._form.record
        values = self._values(process, claim)
        if fields is None or ("{session}" in fields.path and claim.session is None):
            return _Run(process=process, claim=claim)
        path = self._found(fields, values)
        if path is None:
            return _Run(process=process, claim=claim)
        failed = object()
        told = self._ask(path, lambda: read.read_record(path, fields, self._files), failed)
        if told is failed:
            return _Run(process=process, claim=claim, broken=True)
        if not isinstance(told, Told) or ("{pid}" in fields.path and self._is_stale(path, told, process)):
            return _Run(process=process, claim=claim)
        if fields.session is not None and is_id(self._form, told.session_id) and "{pid}" in fields.path:
            many = claim.serves_many
            claim = self._claim(process, Role.BACKEND, ClaimKind.REGISTRY, "its session record", told.session_id)
            claim = replace(claim, serves_many=many)
        if claim.session is None and told.drift is not None:
            self._problems.append(told.drift.problem())
        return _Run(process=process, claim=claim, record=told)

    def _is_stale(self, path: Path, told: Told, process: Process) -> bool:
        """Say whether a record is about an earlier process of that number: it was begun, or last written, before."""
        began_epoch_s = self._start_epoch_s(process) - _RACE_S
        written = self._stamp(path)
        if written is None or written.mtime_ns / 1e9 < began_epoch_s:
            return True
        return told.began_epoch_s is not None and told.began_epoch_s < began_epoch_s

    def _with_log(self, run: _Run, fields: Fields) -> _Run:
        path = self._found(fields, self._values(run.process, run.claim, run.record))
        if path is None:
            return run
        self._used.add(path)
        written = self._stamp(path)
        if written is None:
            return run
        kept = self._adapter._logs.get(path)
        if kept is None or kept[0] != written:
            told = self._ask(path, lambda: read.read_log(path, fields))
            if told is None:
                return replace(run, broken=True)
            kept = self._adapter._logs[path] = (written, told)
        return replace(run, log=kept[1])

    def _by_start(self, process: Process, claim: Claim) -> Claim:
        """Give an agent the one log that began in its folder after it did; of several none is guessed."""
        fields = self._form.log
        others = [other for other, _ in self._of_role(Role.BACKEND) if other is not process]
        if fields is None or process.cwd is None or any(other.cwd == process.cwd for other in others):
            return claim
        began_epoch_s = self._start_epoch_s(process) - _RACE_S
        own_folder = any(f"{{{name}}}" in fields.path for name in read.words_of_cwd(process.cwd))
        found: list[str] = []
        for path in self._candidates(fields, process, claim, began_epoch_s):
            first = self._ask(path, partial(read.read_beginning, path, fields))
            if first is None or (first.began_epoch_s or 0.0) < began_epoch_s:
                continue
            if not own_folder and first.cwd != process.cwd:
                continue
            session_id = first.session_id or read.id_in_path(path, fields.path)
            if session_id is not None and is_id(self._form, session_id):
                found.append(session_id)
        if len(found) != 1:
            return claim
        source = "the log that began in its folder after it"
        return self._claim(process, Role.BACKEND, ClaimKind.START_AND_CWD, source, found[0])

    def _candidates(self, fields: Fields, process: Process, claim: Claim, began_epoch_s: float) -> list[Path]:
        """Return the logs that were written since the process began; a log cannot hold a record newer than that."""
        pattern = self._place(fields.path, self._values(process, claim))
        written = self._listed.get(pattern)
        if written is None:  # one look at a large folder, however many agents ask
            written = []
            for path in self._ask(Path(pattern), lambda: list(read.find(pattern, self._files))) or []:
                stamped = self._ask(path, partial(stamp, path))
                if stamped is not None:
                    written.append((stamped.mtime_ns, path))
            written.sort(reverse=True)
            self._listed[pattern] = written
        return [path for at, path in written[:_CANDIDATES_LIMIT] if at / 1e9 >= began_epoch_s]

    def _found(self, fields: Fields, values: Mapping[str, str]) -> Path | None:
        """Return the one file that a path names; where it must be searched for, it is remembered while it is there."""
        named = self._place(fields.path, values)
        if "*" not in named:
            return Path(named)
        known = self._adapter._paths.get(named)
        if known is not None and self._stamp(known) is not None:
            return known
        for path in self._ask(Path(named), lambda: list(read.find(named, self._files))) or []:
            if self._ask(path, partial(stamp, path)) is not None:
                self._adapter._paths[named] = path
                return path
        self._until_epoch_s = min(self._until_epoch_s, self._now_epoch_s + _MISS_KEPT_S)
        return None

    def _values(self, process: Process, claim: Claim, record: Told | None = None) -> dict[str, str]:
        cwd = (record.cwd if record is not None else None) or process.cwd
        values = {"pid": str(process.pid), **read.words_of_cwd(cwd)}
        if claim.session is not None:
            values["session"] = claim.session.session_id
        home = process.env.get(self._form.home_variable or "")
        if home and Path(home).is_absolute():
            values["home"] = home
        return values

    def _place(self, path: str, values: Mapping[str, str]) -> str:
        return read.place(path, {"user": str(self._around.home), "home": self._home(), **values}).replace(
            "~/", f"{self._around.home}/", 1 if path.startswith("~/") else 0
        )

    def _home(self) -> str:
        return home_of(self._form, self._around)

    def _by_session(self, runs: Sequence[_Run]) -> dict[SessionKey, list[_Run]]:
        found: dict[SessionKey, list[_Run]] = {}
        for run in runs:
            if run.claim.session is not None:
                found.setdefault(run.claim.session, []).append(run)
        return found

    # -- facts -----------------------------------------------------------------------------------------------------

    def _fact(self, key: SessionKey, runs: Sequence[_Run]) -> SessionFact:
        run = max(runs, key=lambda each: each.process.identity.start)
        told = [each for each in (run.record, run.log) if each is not None]
        cwd = _first(told, lambda each: each.cwd) or run.process.cwd
        activity = [each.last_activity_epoch_s for each in told if each.last_activity_epoch_s is not None]
        return SessionFact(
            key=key,
            title=_first(told, lambda each: each.title) or (basename(cwd) or cwd if cwd else None),
            cwd=cwd,
            model=_first(told, lambda each: each.model),
            tokens=_first(told, lambda each: each.tokens),
            evidence=self._evidence(run),
            last_activity_epoch_s=max(activity, default=None),
            resume=self._resume(key, run, cwd),
            ladder=self._ladder(key, run, cwd),
            refusal=self._form.release.refuse,
            drift=_first(told, lambda each: each.drift),
        )

    def _evidence(self, run: _Run) -> tuple[Evidence, ...]:
        found = []
        if run.broken:
            found.append(_told(EvidenceKind.RECORD, Speaks.UNREADABLE, "Its log or record cannot be read", "log"))
        for told, source in ((run.record, "session record"), (run.log, "log")):
            if told is None or told.speaks_for is None or told.drift is not None:
                continue
            began_epoch_s = self._start_epoch_s(run.process) - _RACE_S
            at = told.state_epoch_s
            if told.speaks_for is not Speaks.IDLE and (at is None or at < began_epoch_s):
                # a run that was killed leaves its turn open
                fact = "The last turn was cut off before this process began"
                found.append(_told(EvidenceKind.TURN, Speaks.IDLE, fact, source, at))
            else:
                found.append(_told(told.kind, told.speaks_for, _FACTS[told.speaks_for], source, at))
            break  # the record is the nearer word
        return tuple(found)

    def _resume(self, key: SessionKey, run: _Run, cwd: str | None) -> ResumeTicket | None:
        form = self._form
        if not form.resume:
            return None
        argv = self._filled(form.resume, key, run, cwd)
        return ResumeTicket(argv=argv, cwd=cwd, note=form.resume_note) if argv is not None else None

    def _ladder(self, key: SessionKey, run: _Run, cwd: str | None) -> tuple[LadderStep, ...]:
        release, title = self._form.release, self._adapter.label.title
        if release.refuse is not None:
            return ()
        steps: list[LadderStep] = []
        if release.command:
            argv = self._filled(release.command, key, run, cwd)
            if argv is not None:
                name = self._form.home_variable
                variables = {name: run.process.env[name]} if name is not None and name in run.process.env else {}
                self.commands[key] = (argv, variables)
                label = f"{title} is asked to end the session"
                steps.append(LadderStep(kind=StepKind.HOST_CALL, label=label, wait_s=release.wait_s, call=COMMAND))
        if release.signal:
            term, kill = signal_ladder(title)
            steps += [replace(term, wait_s=release.wait_s), kill]
        return tuple(steps)

    def _filled(self, command: Sequence[str], key: SessionKey, run: _Run, cwd: str | None) -> tuple[str, ...] | None:
        """Return a command with its words filled in; None where one of them is not known."""
        values = {"session": key.session_id, "pid": str(run.process.pid), "home": self._home()}
        if cwd is not None:
            values["cwd"] = cwd
        argv = tuple(read.place(word, values) for word in command)
        is_whole = all("*" not in given or "*" in word for word, given in zip(command, argv, strict=True))
        return argv if is_whole else None

    # -- files -----------------------------------------------------------------------------------------------------

    def _ask(self, path: Path, question: Callable[[], T], failed: T | None = None) -> T | None:
        """Return what a look at a file says; one that cannot be read is a problem, one that is gone is nothing."""
        try:
            return question()
        except FileNotFoundError:
            return None
        except OSError as fault:
            where = Path(fault.filename) if isinstance(fault.filename, str) else path
            self._problem(where, f"cannot be read ({fault.strerror})", "Check what it is, its size and its permissions")
            return failed

    def _stamp(self, path: Path) -> Stamp | None:
        return self._ask(path, lambda: self._files.stamp(path))

    def _problem(self, path: Path, what: str, mend: str) -> None:
        self._problems.append(Problem(where=str(path), what=what, mend=mend))

    def _start_epoch_s(self, process: Process) -> float:
        return self._table.taken_at.timestamp() - self._table.age_s(process)

    def _forget(self) -> None:
        adapter = self._adapter
        adapter._logs = {path: kept for path, kept in adapter._logs.items() if path in self._used}
        if len(adapter._paths) > 4 * len(self._recognised) + 16:
            adapter._paths = {}


_FACTS = {
    Speaks.IDLE: "The turn ended",
    Speaks.BUSY: "A turn is open",
    Speaks.WAITING: "It asks you a question",
}


def _told(kind: EvidenceKind, speaks_for: Speaks, fact: str, source: str, at_epoch_s: float | None = None) -> Evidence:
    return Evidence(kind=kind, speaks_for=speaks_for, fact=fact, source=source, at_epoch_s=at_epoch_s)


def _first(told: Sequence[Told], of: Callable[[Told], T | None]) -> T | None:
    return next((value for each in told if (value := of(each)) is not None), None)


def home_of(description: Description, around: Surroundings) -> str:
    """Return where the user's own installation keeps its data."""
    given = around.environ.get(description.home_variable or "")
    if given and Path(given).is_absolute():
        return given
    folder = description.home_folder or "~/"
    text = read.place(folder, {"user": str(around.home)})
    return str(around.home / text[2:]) if text.startswith("~/") else text


async def _run(argv: Sequence[str], environ: Mapping[str, str]) -> CallResult:
    """Run a command of the host, never through a shell; it is ended when the time is over."""
    try:
        process = await asyncio.create_subprocess_exec(
            *argv,
            env=environ,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
    except (OSError, ValueError) as fault:
        why = fault.strerror if isinstance(fault, OSError) and fault.strerror else str(fault)
        return CallResult(ok=False, message=f"{argv[0]} could not be started: {why}")
    try:
        output, _ = await asyncio.wait_for(process.communicate(), COMMAND_S)
    except TimeoutError:
        return CallResult(ok=False, message=f"{basename(argv[0])} did not answer within {COMMAND_S:.0f} s")
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    lines = output.decode(errors="replace").strip().splitlines()
    message = lines[-1][:200] if lines else f"exit {process.returncode}"
    return CallResult(ok=process.returncode == 0, message=message)
