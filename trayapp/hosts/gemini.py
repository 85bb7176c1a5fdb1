"""Gemini CLI: each terminal or `-p` run is a pair of node processes with one log at a time.

Knows `~/.gemini/projects.json`, which names a folder's project, and `tmp/<project>/chats/session-<time>-<id>.jsonl`,
with the logs of subagents in a folder of the session's id beside it. Programs are told apart in gemini_programs.py. No
file names a process: a session is told by `--resume` or by its folder and by when its log began.

The log is weak: an answer is written before the tools that it calls run, and these only when all are done. Nothing is
written while a tool works or waits for a permission, so an answer with words in it may be the end of a turn or not.
What a tool runs is seen in the process table; that it may be asking protects the session where it was not told to ask
nothing.
"""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar

import msgspec

from trayapp.hosts import gemini_programs
from trayapp.hosts.agent_folder import Owners, Run, open_elsewhere
from trayapp.hosts.agent_log import RACE_S, Follower, Log, Turn, epoch_s
from trayapp.hosts.agent_look import AgentHost, Look, was_written_since
from trayapp.hosts.asleep import Programs
from trayapp.hosts.base import Surroundings, signal_ladder
from trayapp.hosts.gemini_programs import asks_nothing
from trayapp.model.process import Process, ProcessTable
from trayapp.model.session import Claim, ClaimKind, Evidence, EvidenceKind, Role, Speaks
from trayapp.say import noted

_LADDER = signal_ladder("Gemini CLI")
_NAME = re.compile(r"session-(?P<time>\d{4}-\d\d-\d\dT\d\d-\d\d)-(?P<id>[\w-]{1,8})\.jsonl", re.ASCII)
_NAMES_LIMIT = 50_000
_KEPT = 512
_SUBAGENTS_LIMIT = 8
_NOTHING = (b"", b"null", b'""', b"[]")


class _Tokens(msgspec.Struct):
    total: int = 0


class _Call(msgspec.Struct):
    name: str = ""
    status: str = ""


class _Record(msgspec.Struct, rename="camel"):
    session_id: str | None = None
    start_time: str | None = None
    id: str | None = None
    timestamp: str | None = None
    type: str | None = None
    content: msgspec.Raw = msgspec.Raw()
    tool_calls: list[_Call] | None = None
    tokens: _Tokens | None = None
    model: str | None = None
    changes: msgspec.Raw = msgspec.field(name="$set", default=msgspec.Raw())


class GeminiLog(Follower[_Record]):
    """Follow one log."""

    decoder = msgspec.json.Decoder(_Record)

    def __init__(self) -> None:
        super().__init__()
        self._counted: tuple[str | None, int] = (None, 0)

    def time_of(self, record: _Record) -> float | None:
        return epoch_s(record.timestamp or record.start_time)

    def take(self, record: _Record) -> bool:
        at = self.time_of(record)
        if record.changes:
            return True  # what changed in the head of the conversation
        if record.type is None:
            if record.session_id is None:
                return self.misses("type")
            self.session_id = record.session_id
            self.note(Turn.NEW if self.turn is None else None, at)
            return True
        if at is None:
            return self.misses("timestamp")
        if record.type == "user":
            self.note(Turn.OPEN, at)
        elif record.type == "gemini":
            self.model = record.model or self.model
            self._count(record)
            self.note(_after(record), at)
        elif record.type == "error":
            self.note(Turn.ENDED, at)
        else:
            return record.type in ("info", "warning")
        return True

    def _count(self, record: _Record) -> None:
        """Count a message once: it is written again when its tools are done."""
        count = record.tokens.total if record.tokens is not None else 0
        last_id, last = self._counted
        self.add_tokens(count - last if record.id == last_id and record.id is not None else count)
        self._counted = record.id, max(count, last) if record.id == last_id else count


def _after(record: _Record) -> Turn:
    if record.tool_calls:
        cancelled = all(call.status == "cancelled" for call in record.tool_calls)
        return Turn.ENDED if cancelled else Turn.OPEN
    return Turn.CALLING if bytes(record.content).strip() in _NOTHING else Turn.ENDED


class _Projects(msgspec.Struct):
    projects: dict[str, str]


class Gemini(AgentHost):
    """The adapter."""

    programs: ClassVar[Programs] = gemini_programs

    def __init__(self) -> None:
        super().__init__()
        self.owners = Owners()
        self.given: dict[str, Path] = {}

    def look(self, table: ProcessTable, recognised: tuple[Claim, ...], around: Surroundings) -> Look:
        return _GeminiLook(self, table, recognised, around)


class _GeminiLook(Look):
    adapter: Gemini

    def run(self) -> None:
        self.name_left_behind()
        self.keep_innermost(gemini_programs.told)
        agents = self.agents()
        self._tmp = _home(self.around) / "tmp"
        folders: dict[str, list[tuple[Process, Claim]]] = {}
        for process, claim in agents:
            if process.cwd is not None:
                folders.setdefault(process.cwd, []).append((process, claim))
        names = self._projects() if folders else {}
        for cwd, runs in folders.items():
            name = names.get(cwd)
            if name is not None and name not in (".", "..") and not set("/\\") & set(name):
                self._folder(cwd, self._tmp / name / "chats", runs)
        self.adapter.owners.keep({process.identity for process, _ in agents})
        named = {claim.session.session_id for _, claim in agents if claim.session is not None}
        self.adapter.given = {i: path for i, path in self.adapter.given.items() if i in named}

    def _projects(self) -> dict[str, str]:
        found = self.record(_home(self.around) / "projects.json", _Projects)
        return found.projects if isinstance(found, _Projects) else {}

    def _folder(self, cwd: str, chats: Path, agents: list[tuple[Process, Claim]]) -> None:
        runs = [Run(identity=p.identity, began_epoch_s=self.began_epoch_s(p)) for p, _ in agents]
        given = {p.identity: c.session.session_id for p, c in agents if c.session is not None}
        logs = self._logs(chats, min(run.began_epoch_s for run in runs), set(given.values()))
        paths = {log.session_id: path for path, log in logs.items()}
        for identity, named in given.items():
            if named in paths:
                self.adapter.owners.begin_with(identity, paths[named])
        own = self.adapter.owners.settle(runs, logs, self.now_epoch_s)
        for (process, claim), run in zip(agents, runs, strict=True):
            path = own.get(process.identity)
            session_id = logs[path].session_id if path is not None else None
            if path is None or session_id is None:
                continue
            if given.get(process.identity) != session_id:
                source = "the log that was written in its folder since it began"
                many = claim.serves_many
                self.claim(process, Role.BACKEND, ClaimKind.START_AND_CWD, source, session_id, serves_many=many)
            self.add_logged(
                session_id,
                process,
                path,
                logs[path],
                ladder=_LADDER,
                resume=("gemini", "--resume", session_id),
                more=(
                    *open_elsewhere(logs, set(own.values()), run.began_epoch_s),
                    *self._subagents(chats / session_id, run.began_epoch_s),
                    *_may_ask(process, logs[path], has_helpers=bool(self.table.children(process.pid))),
                ),
                cwd=cwd,
            )

    def _logs(self, chats: Path, began_epoch_s: float, given: set[str]) -> dict[Path, Log]:
        """Return what was written in a folder since then, and the sessions that arguments name."""
        names = self.newest_names(chats, _NAME, keep=_KEPT)
        first = datetime.fromtimestamp(began_epoch_s - RACE_S, UTC).strftime("session-%Y-%m-%dT%H-%M")
        logs = self.logs_since(chats, names, first, began_epoch_s, GeminiLog)
        for session_id in given:
            path = self._given(chats, session_id)
            if path is not None and path not in logs:
                log = self.log(path, GeminiLog)
                if log is not None:
                    logs[path] = log
        return logs

    def _given(self, chats: Path, session_id: str) -> Path | None:
        """Return the log of a session that arguments name, which may be an old one."""
        known = self.adapter.given.get(session_id)
        if known is None or self.stamp(known) is None:
            end = f"-{session_id[:8]}.jsonl"
            found = max((n for n in self.names_in(chats, limit=_NAMES_LIMIT) if n.endswith(end)), default=None)
            if found is None:
                return None
            known = self.adapter.given[session_id] = chats / found
        return known

    def _subagents(self, folder: Path, began_epoch_s: float) -> list[Evidence]:
        """Say whether a subagent's log speaks of a turn that runs: the session's own is silent meanwhile."""
        written = {}
        for name in self.names_in(folder, limit=_NAMES_LIMIT):
            found = self.stamp(folder / name) if name.endswith(".jsonl") else None
            if found is not None and was_written_since(found, began_epoch_s):
                written[folder / name] = found.mtime_ns
        for path in sorted(written, key=written.__getitem__, reverse=True)[:_SUBAGENTS_LIMIT]:
            log = self.log(path, GeminiLog)
            if log is not None and log.is_open and (log.turn_epoch_s or 0.0) >= began_epoch_s - RACE_S:
                fact, at = noted("A subagent is at work"), log.turn_epoch_s
                kind = EvidenceKind.SUBAGENT
                return [Evidence(kind=kind, speaks_for=Speaks.BUSY, fact=fact, source="subagent's log", at_epoch_s=at)]
        return []


def _may_ask(process: Process, log: Log, *, has_helpers: bool) -> list[Evidence]:
    """Say that an answer may have called a tool that waits for a permission or runs in a helper: the log does not tell.

    What a helper does is not work that can be seen, so a session that has one is not released without a question.
    """
    if log.turn is not Turn.ENDED:
        return []
    if not asks_nothing(process):
        fact = noted("Its log does not tell whether a tool waits for your permission")
        return [Evidence(kind=EvidenceKind.QUESTION, speaks_for=Speaks.PROTECTS, fact=fact, source="log")]
    if has_helpers:
        fact = noted("Its log does not tell whether a helper still works for it")
        return [Evidence(kind=EvidenceKind.TOOL_CALL, speaks_for=Speaks.PROTECTS, fact=fact, source="log")]
    return []


def _home(around: Surroundings) -> Path:
    moved = around.environ.get("GEMINI_CLI_HOME")
    return (Path(moved) if moved and os.path.isabs(moved) else around.home) / ".gemini"
