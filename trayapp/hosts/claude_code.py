"""Claude Code: terminal, editor, desktop, SDK and background sessions.

Knows the live registry `<config>/sessions/<pid>.json` (pid, start, id, status), the daemon's roster and the shells that
it handed over (`jobs/<id>/adopt.json`); programs are told apart in claude_code_programs.py, logs are read in
anthropic_transcript.py. Must not decide what a session is doing, must not open a `.key` file and keeps no token: of
every record only the fields named in the structs below are decoded. `<config>` is `~/.claude` or $CLAUDE_CONFIG_DIR.

Two processes can serve one session id, and argv keeps the old id after `/clear` or never shows one (a worker made from
a spare), so a record counts only for the very process (pid and start) that it names. A record is rewritten only when
the status changes: its age says nothing.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from trayapp.hosts.anthropic_evidence import RACE_S, is_superseded, log_evidence
from trayapp.hosts.anthropic_transcript import (
    Transcript,
    Turn,
    first_record_epoch_s,
    folder_name,
    read_transcript,
)
from trayapp.hosts.base import UUID, CallResult, Surroundings, signal_ladder
from trayapp.hosts.claude_code_programs import (
    ENVIRONMENT_NAMES,
    HOST,
    LABEL,
    WORDS,
    claim_of,
    is_pty_host,
    is_spare,
    recognise,
    subcommand,
)
from trayapp.hosts.files import Stamp, Witness
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

_T = TypeVar("_T")

_RECORD_LIMIT_BYTES = 256 * 1024
_JOB_LIMIT_BYTES = 1024 * 1024
_NAMES_LIMIT = 50_000
_FOLDERS_LIMIT = 5_000
_CONFIGS_LIMIT = 16
_JOBS_LIMIT = 512
_SUBAGENTS_LIMIT = 8
_CANDIDATES_LIMIT = 32
_MISS_KEPT_S = 15.0
_LOOK_KEPT_S = 60.0
"""All is read again at least that often, whatever a network folder says of its files."""
_LISTING_SETTLES_S = 2.0
"""Two changes of a folder within a second can look alike."""
_START_SLACK_S = 5.0
"""A session's start is written a moment after its process began; wall clock and boot clock differ a little."""

_SESSION_ID = re.compile(r"[\w.@ -]{1,200}", re.ASCII)

_SIGNAL_LADDER = signal_ladder("Claude Code")
_DAEMON_LADDER = (
    # SIGTERM to a background worker: its daemon had it back within 15 s
    LadderStep(kind=StepKind.HOST_CALL, label="Claude Code is asked to stop the session", wait_s=10.0, call="stop"),
)


_STATUSES = {
    "idle": (EvidenceKind.HOST_STATUS, Speaks.IDLE, "Claude Code says it is idle"),
    "busy": (EvidenceKind.TURN, Speaks.BUSY, "Claude Code says a turn is running"),
    "waiting": (EvidenceKind.HOST_STATUS, Speaks.WAITING, "Claude Code says it waits for you"),
    "shell": (EvidenceKind.BACKGROUND_TASK, Speaks.BUSY, "Claude Code says a background shell still runs"),
}


class _Record(msgspec.Struct, rename="camel"):
    """What is used of `sessions/<pid>.json`."""

    pid: int
    session_id: str
    cwd: str | None = None
    started_at: float | None = None
    proc_start: str | int | float | None = None
    version: str | None = None
    kind: str | None = None
    name: str | None = None
    name_source: str | None = None
    status: str | None = None
    waiting_for: str | None = None
    status_updated_at: float | None = None
    job_id: str | None = None
    spare: bool | None = None


class _Remains(msgspec.Struct, rename="camel"):
    """What is used of a record that has another shape."""

    version: Any = None


class _Worker(msgspec.Struct, rename="camel"):
    session_id: str
    pid: int | None = None
    proc_start: str | int | None = None
    repl_pid: int | None = None
    repl_proc_start: str | int | None = None


class _Roster(msgspec.Struct, rename="camel"):
    workers: dict[str, _Worker] = {}


class _Job(msgspec.Struct, rename="camel"):
    session_id: str


class _Shell(msgspec.Struct, rename="camel"):
    pid: int
    proc_start: str | int | None = None
    start_time_ticks: int | None = None


class _Adopted(msgspec.Struct, rename="camel"):
    shells: list[_Shell] = []


@dataclass(frozen=True, slots=True, kw_only=True)
class _Live:
    """One live process of a session, with all that was read about it."""

    process: Process
    claim: Claim
    config: Path
    record: _Record | None = None
    record_broken: bool = False
    drift: Drift | None = None
    job_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mate:
    """A team-mate: an agent with a record of its own that works for the session of its lead."""

    process: Process
    record: _Record | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stop:
    """How to call the host for one background session."""

    argv: tuple[str, ...]
    config: Path


@dataclass(frozen=True, slots=True)
class _Log:
    """A log with the version of the file that was read."""

    stamp: Stamp
    transcript: Transcript


class ClaudeCode:
    """The adapter. Keeps what it read between observations; files that did not change are not read again."""

    label = LABEL
    words = WORDS
    environment_names: tuple[str, ...] = ENVIRONMENT_NAMES

    def __init__(self) -> None:
        self._logs: dict[Path, _Log] = {}
        self._log_paths: dict[str, Path] = {}
        self._log_misses: dict[str, float] = {}
        self._first_records: dict[Path, float | None] = {}
        self._registries: dict[Path, tuple[Stamp, frozenset[int]]] = {}
        self._failed_once: set[Path] = set()
        self._good_records: dict[Identity, _Record] = {}
        self._stops: dict[SessionKey, _Stop] = {}
        self._last: _Seen | None = None
        self._looking = threading.Lock()

    # ------------------------------------------------------------------------------------------------ programs

    def recognise(self, process: Process) -> Claim | None:
        """Say what a process is to Claude Code. Pure.

        Its own programs are told by argv[0], executable or script path, never by the process's name (a bare version on
        macOS). Any other program is claimed only by the session variable that Claude Code hands down.
        """
        return recognise(process)

    # ------------------------------------------------------------------------------------------------ observation

    async def observe(self, table: ProcessTable, recognised: Sequence[Claim], around: Surroundings) -> Observation:
        """Read registry, roster, handed-over shells and logs of live sessions, in one worker thread."""
        return await asyncio.to_thread(self._observe, table, tuple(recognised), around)

    def _observe(self, table: ProcessTable, recognised: tuple[Claim, ...], around: Surroundings) -> Observation:
        now_epoch_s = around.now_epoch_s()
        if not self._looking.acquire(blocking=False):
            held_up = Problem(
                where=str(around.home / ".claude"),
                what="reading it takes longer than one look",
                mend="Check the disk or network folder it lies on",
            )
            return Observation(host=HOST, read_epoch_s=now_epoch_s, claims=recognised, problems=(held_up,))
        try:
            if self._last is None or not self._last.stands(table, recognised, around, now_epoch_s):
                self._last = _Look(self, table, recognised, around, now_epoch_s).seen()
            return replace(self._last.observation, read_epoch_s=now_epoch_s)
        finally:
            self._looking.release()

    # ------------------------------------------------------------------------------------------------ calls

    async def call(self, name: str, session: SessionFact, around: Surroundings) -> CallResult:
        """Carry out "stop": `claude stop <8 hex digits>`, which ends a background session and keeps its log."""
        stop = self._stops.get(session.key)
        if name != "stop" or stop is None:
            return CallResult(ok=False, message=f"Claude Code offers no “{name}” for this session")
        environ = {**around.environ, "HOME": str(around.home)}
        if stop.config != around.home / ".claude":
            environ["CLAUDE_CONFIG_DIR"] = str(stop.config)
        return await _run(stop.argv, environ)


def _look_of(process: Process | None) -> tuple[object, ...] | None:
    """Return what an observation uses of a process."""
    if process is None:
        return None
    return process.ppid, process.name, process.exe, process.argv, process.cwd, process.env, process.is_zombie


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """Hold an observation with all that it rests on; while that is the same, looking again would say the same.

    Attributes:
        until_epoch_s: from then on time alone changes something: a wake-up is over, a miss is tried again.
    """

    observation: Observation
    recognised: tuple[Claim, ...]
    places: tuple[Path, Mapping[str, str]]
    processes: tuple[tuple[Identity, tuple[object, ...] | None], ...]
    files: Witness
    since_epoch_s: float
    until_epoch_s: float

    def stands(
        self, table: ProcessTable, recognised: tuple[Claim, ...], around: Surroundings, now_epoch_s: float
    ) -> bool:
        return (
            self.since_epoch_s <= now_epoch_s < self.until_epoch_s
            and recognised == self.recognised
            and (around.home, around.environ) == self.places
            and all(_look_of(table.get(identity)) == seen for identity, seen in self.processes)
            and self.files.stands()
        )


class _Look:
    """One observation; everything in it runs in one worker thread."""

    def __init__(
        self,
        adapter: ClaudeCode,
        table: ProcessTable,
        recognised: tuple[Claim, ...],
        around: Surroundings,
        now_epoch_s: float,
    ) -> None:
        self._adapter = adapter
        self._table = table
        self._around = around
        self._now_epoch_s = now_epoch_s
        self._recognised = {claim.identity: claim for claim in recognised}
        self._problems: list[Problem] = []
        self._configs = self._find_configs()
        self._records: dict[Identity, tuple[_Record | None, Path]] = {}
        self._drifts: dict[Identity, Drift] = {}
        self._mates: dict[SessionKey, list[_Mate]] = {}
        self._claims: dict[Identity, Claim] = dict(self._recognised)
        self._jobs: dict[Identity, str] = {}
        self._versions: dict[Path, str] = {}
        self._used: set[Path] = set()
        self._files = Witness()
        self._until_epoch_s = now_epoch_s + _LOOK_KEPT_S

    def seen(self) -> _Seen:
        """Look, and return what was found with what it rests on."""
        observation = self._observation()
        concerned = {claim.identity: None for claim in observation.claims}
        for identity in tuple(concerned):
            process = self._table.get(identity)
            above = self._table.ancestors(process) if process is not None else ()
            concerned.update((ancestor.identity, None) for ancestor in above)
        is_in_doubt = bool(self._problems or self._adapter._failed_once)
        misses = self._adapter._log_misses.values()
        until_epoch_s = min((self._until_epoch_s, *(missed + _MISS_KEPT_S for missed in misses)))
        return _Seen(
            observation=observation,
            recognised=tuple(self._recognised.values()),
            places=(self._around.home, self._around.environ),
            processes=tuple((identity, _look_of(self._table.get(identity))) for identity in concerned),
            files=self._files,
            until_epoch_s=self._now_epoch_s if is_in_doubt else until_epoch_s,
            since_epoch_s=self._now_epoch_s,
        )

    def _observation(self) -> Observation:
        for config in self._configs:
            self._read_registry(config)
            self._read_roster(config)
            self._read_adopted(config)
        self._settle_names_and_lost_ids()
        self._join_team_mates()
        self._claim_by_descent()
        live = self._live_by_session()
        sessions = tuple(self._fact(key, processes) for key, processes in live.items())
        self._forget(live)
        return Observation(
            host=HOST,
            read_epoch_s=self._now_epoch_s,
            instances=self._instances(),
            sessions=sessions,
            claims=tuple(self._claims.values()),
            problems=tuple(self._problems),
        )

    # -------------------------------------------------------------------------------- where the files are

    def _find_configs(self) -> tuple[Path, ...]:
        found: dict[Path, None] = {self._around.home / ".claude": None}
        given = [self._around.environ.get("CLAUDE_CONFIG_DIR")]
        for identity in self._recognised:
            process = self._table.get(identity)
            given.append(process.env.get("CLAUDE_CONFIG_DIR") if process is not None else None)
        for folder in given:
            if folder and os.path.isabs(folder) and len(found) < _CONFIGS_LIMIT:
                found[Path(folder)] = None
        return tuple(found)

    def _config_of(self, process: Process) -> Path:
        record = self._records.get(process.identity)
        if record is not None:
            return record[1]
        own = process.env.get("CLAUDE_CONFIG_DIR")
        return Path(own) if own and Path(own) in self._configs else self._configs[0]

    # -------------------------------------------------------------------------------- registry

    def _read_registry(self, config: Path) -> None:
        """Read the records of live processes only: a folder can hold thousands of dead ones."""
        folder = config / "sessions"
        for pid in sorted(self._pids_with_records(folder) & self._table.processes.keys()):
            process = self._table.processes[pid]
            if not process.is_zombie and process.identity not in self._records:
                self._read_record(config, folder / f"{pid}.json", process)

    def _pids_with_records(self, folder: Path) -> frozenset[int]:
        """Return whose records lie in a folder; listed again only when it has changed, for most of them are dead."""
        changed = self._stamp(folder)
        kept = self._adapter._registries.get(folder)
        if kept is not None and kept[0] == changed and changed is not None:
            return kept[1]
        names = self._names(folder)
        pids = frozenset(int(n[:-5]) for n in names if n.endswith(".json") and n[:-5].isdecimal() and n[0] != "0")
        self._adapter._registries.pop(folder, None)
        if changed is not None and self._now_epoch_s - changed.mtime_ns / 1e9 > _LISTING_SETTLES_S:
            self._adapter._registries[folder] = (changed, pids)
        return pids

    def _read_record(self, config: Path, path: Path, process: Process) -> None:
        recognised = self._recognised.get(process.identity)
        ours = recognised is not None and recognised.role in (Role.BACKEND, Role.SPARE)
        if recognised is not None and not ours:
            return
        record = self._decode_record(path, process if ours else None)
        if record is None:
            if ours:
                last = self._adapter._good_records.get(process.identity)
                self._records[process.identity] = (None, config)
                if process.identity in self._drifts:
                    self._name_what_is_not_understood(process, last)
                elif last is not None:
                    self._claims[process.identity] = claim_of(
                        process, Role.BACKEND, ClaimKind.REGISTRY, "its session record, read earlier", last.session_id
                    )
            return
        if not self._names_process(record, path, process, trusted=ours):
            return
        self._adapter._good_records[process.identity] = record
        self._records[process.identity] = (record, config)
        if record.version:
            self._versions[config] = max(self._versions.get(config, ""), record.version)
        if record.job_id:
            self._jobs[process.identity] = record.job_id
        if record.spare and recognised is not None and recognised.role is Role.SPARE:
            return
        self._claims[process.identity] = claim_of(
            process, Role.BACKEND, ClaimKind.REGISTRY, "its session record", record.session_id
        )

    def _decode_record(self, path: Path, process: Process | None) -> _Record | None:
        """Return the record; a half-written one is tried again at the next look before it becomes a Problem."""
        failed_once = self._adapter._failed_once
        try:
            record = msgspec.json.decode(self._files.read_whole(path, limit_bytes=_RECORD_LIMIT_BYTES), type=_Record)
        except FileNotFoundError:
            return None
        except msgspec.ValidationError as fault:
            if process is not None:
                self._drifts[process.identity] = self._drift(path, process, fault)
            return None
        except (msgspec.MsgspecError, UnicodeDecodeError, OSError) as fault:
            if process is not None and (path in failed_once or isinstance(fault, OSError)):
                self._problem(path, f"the session record cannot be read ({_short(fault)})", "Restart that session")
            failed_once.add(path)
            return None
        failed_once.discard(path)
        return record

    def _drift(self, path: Path, process: Process, fault: msgspec.ValidationError) -> Drift:
        """Say which field of a whole record is not as it should be."""
        data = self._files.read_whole(path, limit_bytes=_RECORD_LIMIT_BYTES)
        try:
            version = msgspec.json.decode(data, type=_Remains).version
        except msgspec.MsgspecError:  # it is no object at all
            version = None
        named = re.search(r"`\$\.([\w.\[\]]+)`|field `(\w+)`", str(fault))
        field = (named[1] or named[2]) if named is not None else "session record"
        return Drift(
            version=version if isinstance(version, str) else None, where=_source_of_record(process), field=field
        )

    def _name_what_is_not_understood(self, process: Process, last: _Record | None) -> None:
        """Give a process whose record is not understood a session of its own, where nothing else tells which it is."""
        claim = self._claims[process.identity]
        if claim.session is None:
            session_id = last.session_id if last is not None else f"process {process.pid}"
            source = "its session record, which is not understood"
            self._claims[process.identity] = claim_of(process, Role.BACKEND, ClaimKind.REGISTRY, source, session_id)

    def _names_process(self, record: _Record, path: Path, process: Process, *, trusted: bool) -> bool:
        """Say whether a record is about this very process and not about an earlier one with its pid."""
        if record.pid != process.pid:
            return False
        same = self._same_start(process, record.proc_start)
        if same is not None:
            return same
        if not trusted:
            return False
        if record.started_at is not None:
            return self._start_epoch_s(process) <= record.started_at / 1000 + _START_SLACK_S
        written = self._files.stamp(path)
        return written is not None and self._start_epoch_s(process) <= written.mtime_ns / 1e9 + _START_SLACK_S

    def _same_start(self, process: Process, start: str | float | None) -> bool | None:
        """Compare a written start with the process's; None where the record has none or its form is not known."""
        if start is None or start == "":
            return None
        try:
            number = float(start)
        except ValueError:
            return self._same_start_text(process, str(start))
        if int(number) == process.identity.start:
            return True
        if self._table.machine.platform.lower().startswith("linux"):
            return False
        began_epoch_s = self._start_epoch_s(process)
        seconds = number / 1e6 if number > 1e14 else number / 1e3 if number > 1e11 else number
        return abs(seconds - began_epoch_s) <= _START_SLACK_S

    def _same_start_text(self, process: Process, start: str) -> bool | None:
        """Compare with the form of `ps -o lstart`, local time."""
        try:
            began = time.mktime(time.strptime(" ".join(start.split()), "%a %b %d %H:%M:%S %Y"))
        except ValueError:
            return None
        return abs(began - self._start_epoch_s(process)) <= _START_SLACK_S

    def _start_epoch_s(self, process: Process) -> float:
        return self._table.taken_at.timestamp() - self._table.age_s(process)

    # -------------------------------------------------------------------------------- daemon and handed-over shells

    def _read_roster(self, config: Path) -> None:
        roster = self._decode(config / "daemon" / "roster.json", _Roster)
        for short, worker in roster.workers.items() if roster is not None else ():
            backend = self._process(worker.repl_pid, worker.repl_proc_start)
            if backend is None or not self._is_ours(backend):
                continue
            self._jobs.setdefault(backend.identity, short)
            if self._claims[backend.identity].kind is not ClaimKind.REGISTRY:
                self._claims[backend.identity] = claim_of(
                    backend, Role.BACKEND, ClaimKind.REGISTRY, "the daemon's roster", worker.session_id
                )
            session = self._claims[backend.identity].session
            host = self._process(worker.pid, worker.proc_start)
            if host is not None and host.identity in self._recognised and session is not None:
                self._claims[host.identity] = claim_of(
                    host, Role.WRAPPER, ClaimKind.REGISTRY, "the daemon's roster", session.session_id
                )

    def _read_adopted(self, config: Path) -> None:
        """Claim the shells that went on when their background session ended."""
        for name in self._names(config / "jobs")[:_JOBS_LIMIT]:
            adopted = self._decode(config / "jobs" / name / "adopt.json", _Adopted)
            alive = [
                process
                for shell in (adopted.shells if adopted is not None else ())
                if (process := self._process(shell.pid, shell.start_time_ticks or shell.proc_start)) is not None
            ]
            if not alive:
                continue
            job = self._decode(config / "jobs" / name / "state.json", _Job)
            for process in alive:
                if job is not None:
                    self._claims[process.identity] = claim_of(
                        process, Role.WORK, ClaimKind.REGISTRY, "handed over by a background session", job.session_id
                    )

    def _process(self, pid: int | None, start: str | int | None) -> Process | None:
        process = self._table.processes.get(pid) if pid is not None else None
        if process is None or process.is_zombie or not self._same_start(process, start):
            return None
        return process

    def _is_ours(self, process: Process) -> bool:
        claim = self._recognised.get(process.identity)
        return claim is not None and claim.role in (Role.BACKEND, Role.SPARE)

    # -------------------------------------------------------------------------------- ids that are not in the registry

    def _settle_names_and_lost_ids(self) -> None:
        """Find the session of backends whose record does not tell it (any more)."""
        for identity, claim in list(self._claims.items()):
            process = self._table.get(identity)
            if process is None or claim.role is not Role.BACKEND:
                continue
            record = self._records.get(identity)
            if claim.kind is ClaimKind.REGISTRY and claim.session is not None:
                if record is not None and record[0] is not None and record[0].status is None:
                    self._follow_clear(process, record[0])
            elif claim.session is not None:
                self._settle_name(process, claim)
            elif record is None:
                newest = self._logs_begun_by(process, process.cwd, newer_than_epoch_s=None)
                if len(newest) == 1:
                    self._claims[identity] = claim_of(
                        process,
                        Role.BACKEND,
                        ClaimKind.START_AND_CWD,
                        "the one log begun since, in its folder",
                        newest[0].stem,
                    )

    def _settle_name(self, process: Process, claim: Claim) -> None:
        """Keep an id from the arguments only where it is an id: `--resume` also takes a session's name."""
        assert claim.session is not None
        session_id = claim.session.session_id
        if not UUID.fullmatch(session_id) and self._log_path(session_id, process, process.cwd) is None:
            self._claims[process.identity] = replace(claim, session=None, kind=ClaimKind.PROGRAM, source="its program")

    def _follow_clear(self, process: Process, record: _Record) -> None:
        """Follow `/clear` where the record is an old one, written at the start only (case 047).

        A record with a status follows `/clear` by itself; a newer log beside it is another run's.
        """
        path = self._log_path(record.session_id, process, record.cwd or process.cwd)
        registered = self._transcript(path) if path is not None else None
        last = registered.last_activity_epoch_s if registered is not None else None
        if last is None:
            return
        newer = self._logs_begun_by(process, record.cwd or process.cwd, newer_than_epoch_s=last)
        if len(newer) == 1:
            self._claims[process.identity] = claim_of(
                process, Role.BACKEND, ClaimKind.REGISTRY, "its session record, and its newer log", newer[0].stem
            )
        elif newer:
            self._claims[process.identity] = claim_of(
                process, Role.BACKEND, ClaimKind.PROGRAM, "its program; two newer logs could be its own"
            )

    def _logs_begun_by(self, process: Process, cwd: str | None, *, newer_than_epoch_s: float | None) -> list[Path]:
        """Return logs in the folder of `cwd` that began after the process did and that no other live process owns."""
        if cwd is None:
            return []
        folder = self._config_of(process) / "projects" / folder_name(cwd)
        began_epoch_s = self._start_epoch_s(process) - RACE_S
        owned = {claim.session.session_id for claim in self._claims.values() if claim.session is not None}
        floor_epoch_s = max(began_epoch_s, newer_than_epoch_s or 0.0)
        candidates: list[tuple[int, Path]] = []
        for name in self._names(folder):
            if not name.endswith(".jsonl") or name[: -len(".jsonl")] in owned:
                continue
            written = self._stamp(folder / name)
            # a file cannot hold a record newer than its own last change; the change itself proves nothing
            if written is not None and written.mtime_ns / 1e9 >= floor_epoch_s:
                candidates.append((written.mtime_ns, folder / name))
        candidates.sort(reverse=True)
        return [
            path
            for _, path in candidates[:_CANDIDATES_LIMIT]
            if self._begins_after(path, began_epoch_s, newer_than_epoch_s)
        ]

    def _begins_after(self, path: Path, began_epoch_s: float, newer_than_epoch_s: float | None) -> bool:
        firsts = self._adapter._first_records
        self._used.add(path)
        if path not in firsts:
            try:
                firsts[path] = first_record_epoch_s(path)
            except OSError:
                return False
        first = firsts[path]
        if first is None:
            del firsts[path]
            return False
        if first < began_epoch_s:
            return False
        if newer_than_epoch_s is None:
            return True
        transcript = self._transcript(path)
        last = transcript.last_activity_epoch_s if transcript is not None else None
        return last is not None and last > newer_than_epoch_s

    def _join_team_mates(self) -> None:
        """Count the agents of a team with the session that leads it, for as long as that lives.

        They stand in terminals of their own, often of a hidden tmux server, and name their lead in their arguments.
        """
        leads = {claim.session for claim in self._claims.values() if claim.role is Role.BACKEND}
        led: dict[SessionKey, SessionKey] = {}
        for identity, claim in list(self._claims.items()):
            process = self._table.get(identity)
            if process is None or claim.role is not Role.BACKEND:
                continue
            lead = argv_value(process.argv or (), "--parent-session-id")
            key = SessionKey(HOST, lead) if lead is not None else None
            if key is None or key not in leads or key == claim.session:
                continue
            record, _ = self._records.get(identity, (None, None))
            self._mates.setdefault(key, []).append(_Mate(process=process, record=record))
            self._claims[identity] = claim_of(process, Role.HELPER, ClaimKind.ARGV, "a team-mate of the session", lead)
            if claim.session is not None:
                led[claim.session] = key
        for identity, claim in list(self._claims.items()) if led else ():
            if claim.session is not None and claim.session in led:
                self._claims[identity] = replace(claim, session=led[claim.session])

    def _claim_by_descent(self) -> None:
        """Give pty hosts, wrappers and live helpers to the session of the backend that they belong to."""
        for identity, claim in list(self._claims.items()):
            process = self._table.get(identity)
            if process is None:
                continue
            if claim.session is None and (
                claim.role is Role.WRAPPER or (claim.role is Role.INFRA and is_pty_host(process))
            ):
                served = {
                    served.session
                    for child in self._table.children(process.pid)
                    if (served := self._claims.get(child.identity)) is not None
                    and served.role is Role.BACKEND
                    and served.session is not None
                }
                if len(served) == 1:
                    self._claims[identity] = replace(
                        claim,
                        role=Role.WRAPPER,
                        kind=ClaimKind.DESCENT,
                        source="runs the session",
                        session=served.pop(),
                    )
            elif claim.role is Role.HELPER and claim.kind is ClaimKind.ENVIRONMENT:
                self._keep_helper_with_its_process(process, claim)

    def _keep_helper_with_its_process(self, process: Process, claim: Claim) -> None:
        """Count a helper with the session that its process runs now: its variable is the id from before `/clear`."""
        for ancestor in self._table.ancestors(process):
            above = self._claims.get(ancestor.identity)
            if above is None or above.role is not Role.BACKEND:
                continue
            if above.session is not None and above.session != claim.session:
                self._claims[process.identity] = replace(
                    claim, kind=ClaimKind.DESCENT, source="started by the session's process", session=above.session
                )
            return

    # -------------------------------------------------------------------------------- facts

    def _live_by_session(self) -> dict[SessionKey, list[_Live]]:
        live: dict[SessionKey, list[_Live]] = {}
        for identity, claim in self._claims.items():
            process = self._table.get(identity)
            if process is None or claim.role is not Role.BACKEND or claim.session is None:
                continue
            record, config = self._records.get(identity, (None, self._config_of(process)))
            live.setdefault(claim.session, []).append(
                _Live(
                    process=process,
                    claim=claim,
                    config=config,
                    record=record,
                    record_broken=identity in self._records and record is None,
                    drift=self._drift_of(identity, record),
                    job_id=self._jobs.get(identity),
                )
            )
        for processes in live.values():
            processes.sort(key=lambda one: one.process.identity.start, reverse=True)
        return live

    def _drift_of(self, identity: Identity, record: _Record | None) -> Drift | None:
        """Say what of a session record is not understood: its shape, or a status that is not known here."""
        if record is None or record.status is None or record.status in _STATUSES:
            return self._drifts.get(identity)
        process = self._table.processes[identity.pid]
        return Drift(version=record.version, where=_source_of_record(process), field="status")

    def _fact(self, key: SessionKey, processes: Sequence[_Live]) -> SessionFact:
        newest = processes[0]
        record = next((one.record for one in processes if one.record is not None), None)
        cwd = (record.cwd if record is not None else None) or newest.process.cwd
        path = self._log_path(key.session_id, newest.process, cwd)
        transcript = self._transcript(path) if path is not None else None
        cwd = cwd or (transcript.cwd if transcript is not None else None)
        evidence = [e for one in processes for e in self._status_evidence(one)]
        evidence.extend(self._team_evidence(key))
        drift = next((one.drift for one in processes if one.drift is not None), None)
        if path is not None and transcript is None:
            evidence.append(
                self._evidence(EvidenceKind.RECORD, Speaks.UNREADABLE, "Its log cannot be read", "transcript")
            )
        elif path is not None and transcript is not None:
            evidence.extend(
                log_evidence(
                    transcript,
                    began_epoch_s=self._start_epoch_s(newest.process),
                    now_epoch_s=self._now_epoch_s,
                    status_epoch_s=_status_epoch_s(processes),
                    status_is_busy=_status_is_busy(processes),
                )
            )
            evidence.extend(self._subagent_evidence(path, processes))
            due = [call.due_epoch_s + RACE_S for call in transcript.wakeups if call.due_epoch_s is not None]
            self._until_epoch_s = min((self._until_epoch_s, *(at for at in due if at > self._now_epoch_s)))
        background = any(self._is_background(one) for one in processes)
        if background:
            self._adapter._stops[key] = self._stop(key, newest)
        return SessionFact(
            key=key,
            title=_title(record, transcript, cwd),
            cwd=cwd,
            model=transcript.model if transcript is not None else None,
            evidence=tuple(evidence),
            last_activity_epoch_s=_last_activity(processes, transcript),
            resume=self._resume(key, newest.config, cwd),
            ladder=_DAEMON_LADDER if background else _SIGNAL_LADDER,
            drift=drift,
        )

    def _team_evidence(self, key: SessionKey) -> Iterator[Evidence]:
        """Tell what the session's team-mates do: one that rests speaks for nothing."""
        for mate in self._mates.get(key, ()):
            name = argv_value(mate.process.argv or (), "--agent-name") or str(mate.process.pid)
            status = mate.record.status if mate.record is not None else None
            if status == "idle":
                continue
            source, at = _source_of_record(mate.process), None
            if mate.record is not None and mate.record.status_updated_at is not None:
                at = mate.record.status_updated_at / 1000
            if status == "waiting":
                fact = f"The team-mate {name} waits for you"
                yield self._evidence(EvidenceKind.HOST_STATUS, Speaks.WAITING, fact, source, at)
            elif status in _STATUSES:
                yield self._evidence(EvidenceKind.SUBAGENT, Speaks.BUSY, f"The team-mate {name} works", source, at)
            else:
                fact = f"What the team-mate {name} does cannot be told"
                yield self._evidence(EvidenceKind.SUBAGENT, Speaks.UNREADABLE, fact, source)

    def _resume(self, key: SessionKey, config: Path, cwd: str | None) -> ResumeTicket:
        note = None if config == self._configs[0] else f"with CLAUDE_CONFIG_DIR={config}"
        return ResumeTicket(argv=("claude", "--resume", key.session_id), cwd=cwd, note=note)

    def _is_background(self, live: _Live) -> bool:
        """Say whether the daemon owns the session: it starts a worker again that is ended by a signal."""
        if live.job_id is not None or (live.record is not None and live.record.kind == "bg"):
            return True
        parent = self._table.parent(live.process)
        return is_spare(live.process) or (parent is not None and is_pty_host(parent))

    def _stop(self, key: SessionKey, live: _Live) -> _Stop:
        short = (live.job_id or key.session_id)[:8]
        return _Stop(argv=(*_executable(live.process, self._around.environ), "stop", short), config=live.config)

    def _status_evidence(self, live: _Live) -> list[Evidence]:
        source = _source_of_record(live.process)
        if live.drift is not None:
            return []
        if live.record_broken:
            return [
                self._evidence(EvidenceKind.HOST_STATUS, Speaks.UNREADABLE, "Its session record cannot be read", source)
            ]
        record = live.record
        if record is None or record.status is None:
            return []
        at = record.status_updated_at / 1000 if record.status_updated_at is not None else None
        kind, speaks_for, fact = _STATUSES[record.status]
        if speaks_for is Speaks.WAITING and record.waiting_for:
            fact = f"Claude Code says it waits for you: {record.waiting_for}"
        return [self._evidence(kind, speaks_for, fact, source, at)]

    def _subagent_evidence(self, log: Path, processes: Sequence[_Live]) -> list[Evidence]:
        """Tell of sub-agents that work inside the process: their logs have an open turn (case 019)."""
        folder = log.with_suffix("") / "subagents"
        began_epoch_s = self._start_epoch_s(processes[0].process) - RACE_S
        status_epoch_s, is_busy = _status_epoch_s(processes), _status_is_busy(processes)
        candidates: list[tuple[int, Path]] = []
        for name in self._names(folder):
            if (
                name.startswith("agent-")
                and name.endswith(".jsonl")
                and (written := self._stamp(folder / name)) is not None
            ) and written.mtime_ns / 1e9 >= began_epoch_s:
                candidates.append((written.mtime_ns, folder / name))
        found: list[Evidence] = []
        for _, path in sorted(candidates, reverse=True)[:_SUBAGENTS_LIMIT]:
            agent = self._transcript(path, of_subagent=True)
            at = agent.last_activity_epoch_s if agent is not None else None
            if agent is None or at is None or agent.turn in (Turn.ENDED, None) or at < began_epoch_s:
                continue
            superseded = is_superseded(at, status_epoch_s, agrees=is_busy)
            speaks_for = Speaks.NOTHING if superseded else Speaks.BUSY
            found.append(self._evidence(EvidenceKind.SUBAGENT, speaks_for, "A subagent is at work", "subagent log", at))
        return found

    # -------------------------------------------------------------------------------- logs

    def _log_path(self, session_id: str, process: Process, cwd: str | None) -> Path | None:
        """Find the log of a session: in the folder of its cwd, else in any project folder."""
        if not _SESSION_ID.fullmatch(session_id):
            return None
        known = self._adapter._log_paths.get(session_id)
        if known is not None and self._stamp(known) is not None:
            return known
        first = self._config_of(process)
        for config in (first, *(c for c in self._configs if c != first)):
            path = config / "projects" / folder_name(cwd) / f"{session_id}.jsonl" if cwd is not None else None
            if path is not None and self._stamp(path) is not None:
                self._adapter._log_paths[session_id] = path
                return path
        missed = self._adapter._log_misses.get(session_id)
        if missed is not None and 0 <= self._now_epoch_s - missed < _MISS_KEPT_S:
            return None
        for config in (first, *(c for c in self._configs if c != first)):
            for folder in self._names(config / "projects")[:_FOLDERS_LIMIT]:
                path = config / "projects" / folder / f"{session_id}.jsonl"
                if self._stamp(path) is not None:
                    self._adapter._log_paths[session_id] = path
                    return path
        self._adapter._log_misses[session_id] = self._now_epoch_s
        return None

    def _transcript(self, path: Path, *, of_subagent: bool = False) -> Transcript | None:
        """Read a log, or take it from the last look when the file is the same; None where it cannot be read."""
        logs = self._adapter._logs
        self._used.add(path)
        written = self._stamp(path)
        if written is None:
            return None
        log = logs.get(path)
        if log is None or log.stamp != written:
            try:
                log = _Log(written, read_transcript(path, of_subagent=of_subagent))
            except OSError as fault:
                self._problem(path, f"the log cannot be read ({_short(fault)})", "Check its permissions")
                return None
            logs[path] = log
        if log.transcript.broken_lines:
            count = log.transcript.broken_lines
            lines = "1 line is" if count == 1 else f"{count} lines are"
            self._problem(path, f"{lines} cut or damaged and left out", "The rest is used; nothing needs to be done")
        return log.transcript

    # -------------------------------------------------------------------------------- reading with care

    def _names(self, folder: Path) -> list[str]:
        try:
            return self._files.names_in(folder, limit=_NAMES_LIMIT)
        except OSError as fault:
            self._problem(folder, f"the folder cannot be read ({_short(fault)})", "Check its permissions")
            return []

    def _stamp(self, path: Path) -> Stamp | None:
        try:
            return self._files.stamp(path)
        except OSError as fault:
            self._problem(path, f"cannot be looked at ({_short(fault)})", "Check its permissions")
            return None

    def _decode(self, path: Path, kind: type[_T]) -> _T | None:
        try:
            return msgspec.json.decode(self._files.read_whole(path, limit_bytes=_JOB_LIMIT_BYTES), type=kind)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (msgspec.MsgspecError, UnicodeDecodeError, OSError) as fault:
            if path in self._adapter._failed_once:
                self._problem(
                    path, f"cannot be read ({_short(fault)})", "Background sessions may be shown incompletely"
                )
            self._adapter._failed_once.add(path)
            return None

    def _problem(self, path: Path, what: str, mend: str) -> None:
        problem = Problem(where=str(path), what=what, mend=mend)
        if problem not in self._problems:
            self._problems.append(problem)

    def _evidence(
        self, kind: EvidenceKind, speaks_for: Speaks, fact: str, source: str, at_epoch_s: float | None = None
    ) -> Evidence:
        return Evidence(
            kind=kind,
            speaks_for=speaks_for,
            fact=fact,
            source=source,
            at_epoch_s=at_epoch_s,
        )

    # -------------------------------------------------------------------------------- the host itself

    def _instances(self) -> tuple[HostInstance, ...]:
        """Name the daemons that run, and else each installation with a live session."""
        found = [
            HostInstance(host=HOST, identity=process.identity, version=self._versions.get(self._config_of(process)))
            for claim in self._claims.values()
            if claim.role is Role.INFRA and (process := self._table.get(claim.identity)) is not None
            if subcommand(process.argv or ()) == "daemon"
        ]
        return tuple(found) or tuple(HostInstance(host=HOST, version=version) for version in self._versions.values())

    def _forget(self, live: Mapping[SessionKey, object]) -> None:
        """Drop what was kept for sessions and processes that are gone."""
        adapter = self._adapter
        ids = {key.session_id for key in live}
        adapter._stops = {key: stop for key, stop in adapter._stops.items() if key in live}
        adapter._log_paths = {known: path for known, path in adapter._log_paths.items() if known in ids}
        adapter._log_misses = {known: at for known, at in adapter._log_misses.items() if known in ids}
        adapter._good_records = {
            identity: record
            for identity, record in adapter._good_records.items()
            if self._table.get(identity) is not None
        }
        for kept in (adapter._logs, adapter._first_records):
            for path in [path for path in kept if path not in self._used]:
                del kept[path]


# -------------------------------------------------------------------------------------------------- facts


def _title(record: _Record | None, log: Transcript | None, cwd: str | None) -> str | None:
    """Return the session's name as user or host gave it, else its folder's; never a prompt: titles are stored."""
    if record is not None and record.name and record.name_source in ("user", "auto"):
        return record.name
    if log is not None and log.title:
        return log.title
    return basename(cwd) or cwd if cwd else None


def _source_of_record(process: Process) -> str:
    return f"session record of process {process.pid}"


def _status_epoch_s(processes: Sequence[_Live]) -> float | None:
    """Return since when the live records give the present status; None where none has one."""
    times = [
        one.record.status_updated_at / 1000
        for one in processes
        if one.record is not None and one.record.status is not None and one.record.status_updated_at is not None
    ]
    return max(times) if times and len(times) == len(processes) else None


def _status_is_busy(processes: Sequence[_Live]) -> bool:
    return any(one.record is not None and one.record.status == "busy" for one in processes)


def _last_activity(processes: Sequence[_Live], log: Transcript | None) -> float | None:
    """Return the newest of the last record's time and the last change of status; never a file's own time."""
    times = [log.last_activity_epoch_s if log is not None else None, _status_epoch_s(processes)]
    if log is None:
        times += [one.record.started_at / 1000 for one in processes if one.record is not None and one.record.started_at]
    return max((at for at in times if at is not None), default=None)


def _short(fault: Exception) -> str:
    return (fault.strerror or type(fault).__name__) if isinstance(fault, OSError) else "no complete JSON record"


# -------------------------------------------------------------------------------------------------- calls


def _executable(process: Process, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return how to start the same program again: its own executable (and script), else `claude` on the PATH."""
    argv = process.argv or ()
    if argv and basename(argv[0]) in ("node", "bun", "deno"):
        script = next((argument for argument in argv[1:] if not argument.startswith("-")), "")
        if process.exe and os.path.isfile(process.exe) and os.path.isfile(script):
            return process.exe, script
    for path in (process.exe, argv[0] if argv else None):
        if path and os.path.isabs(path) and os.access(path, os.X_OK):
            return (path,)
    return (shutil.which("claude", path=environ.get("PATH")) or "claude",)


async def _run(argv: Sequence[str], environ: Mapping[str, str], *, timeout_s: float = 15.0) -> CallResult:
    """Run a short command of the host, never through a shell; it is ended when the time is over."""
    try:
        process = await asyncio.create_subprocess_exec(
            *argv,
            env=environ,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
    except OSError as fault:
        return CallResult(ok=False, message=f"{argv[0]} could not be started: {_short(fault)}")
    try:
        output, _ = await asyncio.wait_for(process.communicate(), timeout_s)
    except TimeoutError:
        return CallResult(ok=False, message=f"{basename(argv[0])} {argv[-2]} did not answer within {timeout_s:.0f} s")
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    lines = output.decode(errors="replace").strip().splitlines()
    message = lines[-1][:200] if lines else f"exit {process.returncode}"
    return CallResult(ok=process.returncode == 0, message=message)
