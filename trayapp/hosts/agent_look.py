"""What adapters have in common whose hosts run each agent as a program of its own and tell of it in files.

Keeps what a look saw while everything that it rested on is the same, reads files with care, and makes facts of logs.
Must not know any host, and must not decide what a session is doing.
"""

from __future__ import annotations

import asyncio
import os
import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import msgspec

from trayapp.hosts.agent_log import RACE_S, Follower, Log, Logs, evidence_of, lacking_field
from trayapp.hosts.asleep import Programs
from trayapp.hosts.base import CallResult, Surroundings, claim_on, handing_on
from trayapp.hosts.files import Stamp, Witness, stamp
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
)
from trayapp.programs import basename, elements
from trayapp.say import noted

_T = TypeVar("_T")

RECORD_BYTES = 4 * 1024 * 1024
_NAMES_LIMIT = 100_000
_ENDED = "ended"
"""What stands for the session of something whose session is over and not known."""
_OLDER_LIMIT = 64
_OLDER_EVERY_S = 20.0
"""Less than the 30 s for which a key press in its terminal protects a session."""
KEPT_S = 60.0
"""All is looked at again at least that often, whatever a network folder says of its files."""


class AgentHost(ABC):
    """An adapter that reads files in one worker thread; a host's own one says how its `Look` looks."""

    programs: ClassVar[Programs]

    def __init__(self) -> None:
        self.label = self.programs.LABEL
        self.environment_names = self.programs.ENVIRONMENT_NAMES
        self.words = self.programs.WORDS
        self.logs = Logs()
        self.broken_once: set[Path] = set()
        self.listed: dict[Path, tuple[Stamp, list[str]]] = {}
        self.older: dict[Path, tuple[float, list[str]]] = {}
        self._looking = threading.Lock()
        self._last: _Seen | None = None

    @abstractmethod
    def look(self, table: ProcessTable, recognised: tuple[Claim, ...], around: Surroundings) -> Look:
        """Make the look at what runs now; nothing is read yet."""

    def recognise(self, process: Process) -> Claim | None:
        """Say what a process is to the host. Pure."""
        return self.programs.recognise(process)

    async def observe(self, table: ProcessTable, recognised: Sequence[Claim], around: Surroundings) -> Observation:
        """Read the files of what runs, in one worker thread; nothing is read while nothing of the host runs."""
        if not recognised:
            self._last, self.logs = None, Logs()
            self.listed.clear()
            self.older.clear()
            return Observation(host=self.label.host, read_epoch_s=around.now_epoch_s())
        return await asyncio.to_thread(self._observe, table, tuple(recognised), around)

    def _observe(self, table: ProcessTable, recognised: tuple[Claim, ...], around: Surroundings) -> Observation:
        now_epoch_s, host = around.now_epoch_s(), self.label.host
        if not self._looking.acquire(blocking=False):
            held_up = Problem(
                where=self.label.title,
                what=noted("reading its files takes longer than one look"),
                mend=noted("Check the disk or network folder that they lie on"),
            )
            return Observation(host=host, read_epoch_s=now_epoch_s, claims=recognised, problems=(held_up,))
        try:
            last = self._last
            if last is None or not last.stands(table, recognised, around, now_epoch_s):
                seen = self.look(table, recognised, around).seen()
                self.logs.forget_unused()
                if last is not None:
                    seen = replace(seen, observation=handing_on(last.observation, seen.observation))
                self._last = last = seen
            return replace(last.observation, read_epoch_s=now_epoch_s)
        finally:
            self._looking.release()

    async def call(self, name: str, session: SessionFact, around: Surroundings) -> CallResult:
        """Refuse: these hosts offer no call."""
        message = noted("{host} offers no “{name}” for this session").format(host=self.label.title, name=name)
        return CallResult(ok=False, message=message)


def _look_of(process: Process | None) -> tuple[object, ...] | None:
    """Return what a look uses of a process."""
    if process is None:
        return None
    return process.ppid, process.exe, process.argv, process.cwd, process.env, process.unreadable, process.is_zombie


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """Hold an observation with all that it rests on; while that is the same, looking again would say the same."""

    observation: Observation
    recognised: tuple[Claim, ...]
    places: tuple[object, ...]
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


class Look(ABC):
    """One observation; everything in it runs in one worker thread.

    Attributes:
        claims: by process; at first those that were recognised.
        facts: what is told of each session.
        until_epoch_s: from then on time alone changes something.
    """

    def __init__(
        self, adapter: AgentHost, table: ProcessTable, recognised: tuple[Claim, ...], around: Surroundings
    ) -> None:
        self.adapter = adapter
        self.host = adapter.label.host
        self.table = table
        self.around = around
        self.now_epoch_s = around.now_epoch_s()
        self.until_epoch_s = self.now_epoch_s + KEPT_S
        self.files = Witness()
        self.recognised = recognised
        self.claims = {claim.identity: claim for claim in recognised if table.get(claim.identity) is not None}
        self.facts: dict[SessionKey, SessionFact] = {}
        self.instances: list[HostInstance] = []
        self.problems: dict[Problem, None] = {}

    @abstractmethod
    def run(self) -> None:
        """Look, and fill in claims, facts and instances."""

    def seen(self) -> _Seen:
        """Look, and return what was found with what it rests on."""
        self.run()
        observation = Observation(
            host=self.host,
            read_epoch_s=self.now_epoch_s,
            instances=tuple(self.instances),
            sessions=tuple(self.facts.values()),
            claims=tuple(self.claims.values()),
            problems=tuple(self.problems),
        )
        concerned = dict.fromkeys([*(claim.identity for claim in self.recognised), *self.claims])
        return _Seen(
            observation=observation,
            recognised=self.recognised,
            places=(self.around.home, self.around.environ),
            processes=tuple((identity, _look_of(self.table.get(identity))) for identity in concerned),
            files=self.files,
            since_epoch_s=self.now_epoch_s,
            until_epoch_s=self.now_epoch_s if self.adapter.broken_once else self.until_epoch_s,
        )

    # -- processes -------------------------------------------------------------------------------------------------

    def agents(self) -> list[tuple[Process, Claim]]:
        """Return the host's agents, the eldest first."""
        found = [
            (process, claim)
            for claim in self.claims.values()
            if claim.role is Role.BACKEND and (process := self.table.get(claim.identity)) is not None
        ]
        return sorted(found, key=lambda each: (each[0].start_s, each[0].pid))

    def claim(
        self, process: Process, role: Role, kind: ClaimKind, source: str, session_id: str | None = None, **more: Any
    ) -> None:
        """Claim a process, instead of what was claimed on it before."""
        self.claims[process.identity] = claim_on(process, role, kind, source, session_id, host=self.host, **more)

    def keep_innermost(self, told: Callable[[Process], Sequence[str] | None]) -> None:
        """Make wrappers of those agents that started themselves once more: the innermost does the work.

        `told` returns what an agent's program was told. An agent that was told something else is one that the agent
        above it started as a tool.
        """
        agents = {process.identity: told(process) for process, _ in self.agents()}
        for process, claim in self.agents():
            of_each = [agents.get(child.identity) for child in self.table.children(process.pid)]
            if any(of_one is not None and of_one == agents[process.identity] for of_one in of_each):
                self.claims[process.identity] = replace(
                    claim, role=Role.WRAPPER, kind=ClaimKind.PROGRAM, source="starts its program", session=None
                )

    def name_left_behind(self) -> None:
        """Name what outlived the one that started it, where its variable tells the host and no session.

        Below a living one descent tells whose it is. What one that lives may have begun and handed on is left alone:
        something that is younger and works in its folder.
        """
        living = [claim.identity for claim in self.claims.values() if claim.kind is not ClaimKind.ENVIRONMENT]
        programs = [process for identity in living if (process := self.table.get(identity)) is not None]
        for identity, claim in list(self.claims.items()):
            process = self.table.get(identity)
            if process is None or claim.kind is not ClaimKind.ENVIRONMENT:
                continue
            above = self.table.parent(process)
            is_alone = above is None or above.pid in self.table.reaper_pids
            if is_alone and not any(_may_have_begun(program, process) for program in programs):
                self.claims[identity] = replace(claim, session=SessionKey(self.host, _ENDED))
            else:
                del self.claims[identity]

    def began_epoch_s(self, process: Process) -> float:
        """Return when a process began, by the wall clock."""
        return self.table.taken_at.timestamp() - self.table.age_s(process)

    # -- files -----------------------------------------------------------------------------------------------------

    def stamp(self, path: Path) -> Stamp | None:
        """Return a file's version; a file that cannot be looked at becomes a Problem."""
        return self.ask(path, lambda: self.files.stamp(path))

    def names_in(self, folder: Path, *, limit: int) -> list[str]:
        """Return names of a folder, in no order; one that cannot be listed becomes a Problem."""
        return self.ask(folder, lambda: self.files.names_in(folder, limit=limit)) or []

    def newest_names(self, folder: Path, pattern: re.Pattern[str], *, keep: int) -> list[str]:
        """Return the greatest names of a folder that have a form, the greatest first.

        It is listed only when it changed: it can hold thousands of sessions that are over.
        """
        written = self.stamp(folder)
        kept = self.adapter.listed.get(folder)
        if kept is not None and kept[0] == written and written is not None:
            return kept[1]
        found = [name for name in self.names_in(folder, limit=_NAMES_LIMIT) if pattern.fullmatch(name)]
        names = sorted(found, reverse=True)[:keep]
        # a folder that has just changed may change once more without a trace
        if written is not None and not is_fresh(written, self.now_epoch_s):
            self.adapter.listed[folder] = written, names
        else:
            self.adapter.listed.pop(folder, None)
        return names

    def logs_since(
        self, folder: Path, names: Sequence[str], first: str, began_epoch_s: float, make: Callable[[], Follower[Any]]
    ) -> dict[Path, Log]:
        """Return the logs of a folder that were written since an agent began; `names` has the newest first.

        Those that are not less than `first` began since then as well. It may go on with an older one, which is looked
        for more rarely, and sooner than what somebody typed to do so is forgotten.
        """
        at, older = self.adapter.older.get(folder, (float("-inf"), []))
        if not 0 <= self.now_epoch_s - at < _OLDER_EVERY_S:
            before = [name for name in names if name < first][:_OLDER_LIMIT]
            stamps = ((name, self.ask(folder / name, partial(stamp, folder / name))) for name in before)
            older = [name for name, written in stamps if was_written_since(written, began_epoch_s)]
            at = self.now_epoch_s
            self.adapter.older[folder] = at, older
        self.until_epoch_s = min(self.until_epoch_s, at + _OLDER_EVERY_S)
        logs: dict[Path, Log] = {}
        for name in (*(name for name in names if name >= first), *older):
            if was_written_since(self.stamp(folder / name), began_epoch_s):
                log = self.log(folder / name, make)
                if log is not None:
                    logs[folder / name] = log
        return logs

    def written_since(self, folder: Path, pattern: re.Pattern[str], since_epoch_s: float) -> list[str]:
        """Return the entries of a folder that were written to since then, the newest first; for rare searches.

        One look at each of thousands of entries takes some 50 ms.
        """
        recent: list[tuple[float, str]] = []
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if pattern.fullmatch(entry.name):
                        at = _mtime_s(entry)
                        if at >= since_epoch_s - RACE_S:
                            recent.append((at, entry.name))
        except (FileNotFoundError, NotADirectoryError):
            pass
        except OSError as fault:
            self._cannot_be_read(folder, fault)
        return [name for _, name in sorted(recent, reverse=True)]

    def record(self, path: Path, kind: type[_T]) -> _T | Drift | None:
        """Return a file of one JSON value; a Drift where it has another shape, None where it cannot be read.

        A file that is no JSON may be half written: it is tried once more at the next look before that counts.
        """
        if self.stamp(path) is None:
            self.adapter.broken_once.discard(path)
            return None
        data = self.ask(path, lambda: self.files.read_whole(path, limit_bytes=RECORD_BYTES))
        if data is None:
            return None
        try:
            found = msgspec.json.decode(data, type=kind)
        except msgspec.ValidationError as fault:
            return self.drift(path, lacking_field(fault))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            if path in self.adapter.broken_once:
                self.adapter.broken_once.discard(path)
                return self.drift(path, "JSON")
            self.adapter.broken_once.add(path)
            return None
        self.adapter.broken_once.discard(path)
        return found

    def log(self, path: Path, make: Callable[[], Follower[Any]]) -> Log | None:
        """Return what a log says; one that cannot be read becomes a Problem."""
        found = self.ask(path, lambda: self.adapter.logs.read(path, make, self.files))
        if found is not None and found.damaged_lines:
            lines = found.damaged_lines
            what = noted("lines that are cut or damaged are left out: {lines}").format(lines=lines)
            self.problem(path, what, noted("The rest is used; nothing needs to be done"))
        return found

    def drift(self, path: Path, lacking: str, version: str | None = None) -> Drift:
        """Say what of a file is not of the shape that is known, and tell the doctor."""
        found = Drift(version=version, where=str(path), field=lacking)
        self.problems[found.problem()] = None
        return found

    def problem(self, path: Path, what: str, mend: str) -> None:
        self.problems[Problem(where=str(path), what=what, mend=mend)] = None

    def ask(self, path: Path, ask: Callable[[], _T]) -> _T | None:
        try:
            return ask()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as fault:
            self._cannot_be_read(path, fault)
            return None

    def _cannot_be_read(self, path: Path, fault: OSError) -> None:
        what = noted("cannot be read ({error})").format(error=fault.strerror or type(fault).__name__)
        self.problem(path, what, noted("Check what it is and its permissions"))

    # -- facts -----------------------------------------------------------------------------------------------------

    def add_logged(
        self,
        session_id: str,
        process: Process,
        path: Path,
        log: Log | None,
        *,
        ladder: tuple[LadderStep, ...],
        resume: Sequence[str],
        more: Iterable[Evidence] = (),
        title: str | None = None,
        cwd: str | None = None,
    ) -> None:
        """Add what the log of a session tells, with `more` evidence; without a log nothing is known of its state."""
        evidence, drift, cwd = list(more), None, cwd or process.cwd
        if log is not None:
            evidence = [*evidence_of(log, began_epoch_s=self.began_epoch_s(process)), *evidence]
            drift = self.drift(path, log.strange, log.version) if log.strange is not None else None
            cwd = log.cwd or cwd
        elif self.stamp(path) is not None:
            evidence.append(unread("log"))
        self.add(
            SessionFact(
                key=SessionKey(self.host, session_id),
                title=title_of((log.title if log is not None else None) or title, cwd),
                cwd=cwd,
                model=log.model if log is not None else None,
                tokens=log.tokens if log is not None else None,
                evidence=tuple(evidence),
                last_activity_epoch_s=log.last_activity_epoch_s if log is not None else None,
                resume=ResumeTicket(argv=tuple(resume), cwd=cwd),
                ladder=ladder,
                drift=drift,
            )
        )

    def add(self, fact: SessionFact) -> None:
        """Keep one fact for each session; two processes with the same one add what they know."""
        before = self.facts.get(fact.key)
        if before is not None:
            more = tuple(each for each in before.evidence if each not in fact.evidence)
            fact = replace(fact, evidence=(*fact.evidence, *more))
        self.facts[fact.key] = fact


def unread(source: str) -> Evidence:
    """Say that a record which should tell what a session does could not be read."""
    return Evidence(
        kind=EvidenceKind.RECORD,
        speaks_for=Speaks.UNREADABLE,
        fact=noted("It is there and cannot be read"),
        source=source,
    )


def title_of(title: str | None, cwd: str | None) -> str | None:
    """Return the name that was given to a session, else its folder's."""
    return title or (basename(cwd) or cwd if cwd else None)


def newest(times: Iterable[float | None]) -> float | None:
    """Return the newest of the times that are told."""
    return max((at for at in times if at is not None), default=None)


def _may_have_begun(agent: Process, process: Process) -> bool:
    if agent.identity.start > process.identity.start:
        return False
    if agent.cwd is None or process.cwd is None:
        return True
    here, there = elements(agent.cwd), elements(process.cwd)
    return there[: len(here)] == here


def is_fresh(stamp: Stamp, now_epoch_s: float) -> bool:
    """Say whether a file has just been written: then it may be written once more without a trace."""
    return now_epoch_s - stamp.mtime_ns / 1e9 <= RACE_S


def _mtime_s(entry: os.DirEntry[str]) -> float:
    try:
        return entry.stat().st_mtime
    except OSError:  # gone since, or a loop
        return 0.0


def was_written_since(stamp: Stamp | None, began_epoch_s: float) -> bool:
    """Say whether a file can be about a process at all: what was last written before it began is about another."""
    return stamp is not None and stamp.mtime_ns / 1e9 >= began_epoch_s - RACE_S
