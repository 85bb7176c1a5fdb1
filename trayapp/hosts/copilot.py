"""Copilot CLI: terminal, `-p` and server runs.

Knows `~/.copilot/session-state/<id>/` with its lock `inuse.<pid>.lock` (removed at an orderly end), its log
`events.jsonl` and `workspace.yaml`, and `open-sessions-state.json`, which says whether a session works; entries stay
there when a session is over. Programs are told apart in copilot_programs.py. Must not decide what a session is doing.

The folders of dead sessions are never gone through while a lock that is known still stands: a live session is found by
the list of open ones, and only where that does not tell by the folders that were written to since its process began.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import msgspec

from trayapp.hosts import copilot_programs
from trayapp.hosts.agent_log import RACE_S, Follower, Log, Turn, epoch_s
from trayapp.hosts.agent_look import AgentHost, Look, is_fresh, was_written_since
from trayapp.hosts.asleep import Programs
from trayapp.hosts.base import UUID, Surroundings, signal_ladder
from trayapp.hosts.files import Stamp
from trayapp.model.process import Identity, Process, ProcessTable
from trayapp.model.session import (
    Claim,
    ClaimKind,
    Drift,
    Evidence,
    EvidenceKind,
    Role,
    SessionKey,
    Speaks,
)
from trayapp.say import noted

_LADDER = signal_ladder("Copilot CLI")
_NAMES_LIMIT = 10_000
_CANDIDATES_LIMIT = 256
_MISS_KEPT_S = 60.0
_STATE = "open-sessions-state.json"
_LOCK = re.compile(r"inuse\.(?P<pid>\d{1,10})\.lock", re.ASCII)


class _Context(msgspec.Struct):
    cwd: str | None = None


class _Asked(msgspec.Struct, rename="camel"):
    tool_call_id: str
    name: str = ""


class _Usage(msgspec.Struct, rename="camel"):
    input_tokens: int = 0
    """Cached ones are part of these."""
    output_tokens: int = 0


class _Metrics(msgspec.Struct):
    usage: _Usage = msgspec.field(default_factory=_Usage)


class _Accounting(msgspec.Struct, rename="camel"):
    model_metrics: dict[str, _Metrics]


class _Data(msgspec.Struct, rename="camel"):
    session_id: str | None = None
    copilot_version: str | None = None
    selected_model: str | None = None
    new_model: str | None = None
    context: _Context | None = None
    tool_call_id: str | None = None
    tool_name: str | None = None
    request_id: str | None = None
    tool_requests: list[_Asked] = []
    usage: _Usage | None = None
    accounting_snapshot: msgspec.Raw = msgspec.Raw()


class _Record(msgspec.Struct):
    type: str
    timestamp: str | None = None
    data: _Data = msgspec.field(default_factory=_Data)


class CopilotLog(Follower[_Record]):
    """Follow one `events.jsonl`."""

    decoder = msgspec.json.Decoder(_Record)

    def __init__(self) -> None:
        super().__init__()
        self._asked: set[str] = set()
        self._goes_on = False
        """Its last message called tools: the end of that turn is followed by another one."""

    def time_of(self, record: _Record) -> float | None:
        return epoch_s(record.timestamp)

    def skip(self) -> None:
        super().skip()
        self._asked.clear()
        self._goes_on = False

    def take(self, record: _Record) -> bool:
        at, data = self.time_of(record), record.data
        what, _, rest = record.type.rpartition(".")
        match record.type:
            case "session.start" | "session.resume":
                self.session_id = data.session_id or self.session_id
                self.version = data.copilot_version or self.version
                self.model = data.selected_model or self.model
                self.cwd = (data.context.cwd if data.context is not None else None) or self.cwd
                self._over(Turn.NEW, at)
            case "session.model_change":
                self.model = data.new_model or self.model
            case "session.usage_record":
                if data.usage is not None:
                    self.add_tokens(data.usage.input_tokens + data.usage.output_tokens)
            case "session.shutdown":
                self._count(data.accounting_snapshot)
                self._over(Turn.ENDED, at)
            case "abort" | "session.idle":
                self._over(Turn.ENDED, at)
            case "user.message" | "assistant.turn_start":
                self._goes_on = False
                self.note(Turn.OPEN, at)
            case "assistant.message":
                self._goes_on = bool(data.tool_requests)
                self.calls |= {asked.tool_call_id: asked.name for asked in data.tool_requests}
                self.note(self._now(), at)
            case "assistant.turn_end":
                if self._goes_on:
                    self.note(Turn.OPEN, at)
                else:
                    self._over(Turn.ENDED, at)
            case "tool.execution_start" | "tool.execution_complete":
                if data.tool_call_id is None:
                    return self.misses("data.toolCallId")
                if rest == "execution_start":
                    self.calls[data.tool_call_id] = data.tool_name or "?"
                else:
                    self.calls.pop(data.tool_call_id, None)
                self.note(self._now(), at)
            case _ if what in ("permission", "user_input", "elicitation", "exit_plan_mode"):
                if data.request_id is None:
                    return self.misses("data.requestId")
                if rest == "requested":
                    self._asked.add(data.request_id)
                else:
                    self._asked.discard(data.request_id)
                self.note(self._now(), at)
            case _:
                return False
        return True

    def _now(self) -> Turn:
        return Turn.ASKS if self._asked else Turn.CALLING if self.calls else Turn.OPEN

    def _over(self, turn: Turn, at: float | None) -> None:
        self.calls.clear()
        self._asked.clear()
        self._goes_on = False
        self.note(turn, at)

    def _count(self, accounting: msgspec.Raw) -> None:
        """Take the total of all runs of the session, which it writes down when one ends."""
        try:
            metrics = msgspec.json.decode(accounting, type=_Accounting).model_metrics.values() if accounting else ()
        except msgspec.MsgspecError:
            return
        if metrics:
            self.tokens = sum(each.usage.input_tokens + each.usage.output_tokens for each in metrics)


class _Open(msgspec.Struct, rename="camel"):
    """What the list of open sessions says of one."""

    working: bool
    opened_at: str | None = None
    refreshed_at: str | None = None


class Copilot(AgentHost):
    """The adapter. Remembers in which sessions each process holds a lock."""

    programs: ClassVar[Programs] = copilot_programs

    def __init__(self) -> None:
        super().__init__()
        self.held: dict[Identity, tuple[str, ...]] = {}
        self.missed: dict[Identity, tuple[Stamp | None, float]] = {}
        self.locks: dict[str, tuple[Stamp | None, Mapping[int, Stamp]]] = {}

    def look(self, table: ProcessTable, recognised: tuple[Claim, ...], around: Surroundings) -> Look:
        return _CopilotLook(self, table, recognised, around)


class _CopilotLook(Look):
    adapter: Copilot

    def run(self) -> None:
        self.keep_innermost(copilot_programs.told)
        agents = self.agents()
        self._home = _home(self.around)
        self._folder = self._home / "session-state"
        self._open, self._drift = self._read_open()
        self._asked: set[str] = set()
        alive = {process.identity for process, _ in agents}
        for kept in (self.adapter.held, self.adapter.missed):
            for identity in [identity for identity in kept if identity not in alive]:
                kept.pop(identity)
        held = self._held_by(agents)
        self._search([process for process, _ in agents if not held[process.identity]], held)
        for process, claim in agents:
            self._agent(process, claim, held[process.identity])
        self.adapter.locks = {i: found for i, found in self.adapter.locks.items() if i in self._asked}

    # -- which sessions a process holds ----------------------------------------------------------------------------

    def _read_open(self) -> tuple[Mapping[str, _Open], Drift | None]:
        found = self.record(self._home / _STATE, dict[str, _Open])
        return (found, None) if isinstance(found, dict) else ({}, found)

    def _held_by(self, agents: list[tuple[Process, Claim]]) -> dict[Identity, tuple[str, ...]]:
        """Return the sessions in which each process has its lock, as far as they are known without a search."""
        eldest = min((self.began_epoch_s(process) for process, _ in agents), default=0.0)
        opened = [i for i, each in self._open.items() if (epoch_s(each.opened_at) or 0.0) >= eldest - RACE_S]
        known = [i for ids in self.adapter.held.values() for i in ids]
        known += [claim.session.session_id for _, claim in agents if claim.session is not None]
        known += sorted(opened, key=self._refreshed, reverse=True)[:_CANDIDATES_LIMIT]
        return self._holders([process for process, _ in agents], known)

    def _holders(self, processes: Sequence[Process], ids: Iterable[str]) -> dict[Identity, tuple[str, ...]]:
        locks = {i: self._locks(i) for i in dict.fromkeys(ids) if UUID.fullmatch(i)}
        found: dict[Identity, tuple[str, ...]] = {}
        for process in processes:
            began = self.began_epoch_s(process)
            found[process.identity] = tuple(
                i for i, of in locks.items() if was_written_since(of.get(process.pid), began)
            )
        return found

    def _locks(self, session_id: str) -> Mapping[int, Stamp]:
        """Return the locks in a session's folder, by pid; it is listed again only when it changed."""
        folder = self._folder / session_id
        written = self.stamp(folder)
        kept = self.adapter.locks.get(session_id)
        self._asked.add(session_id)
        if kept is None or kept[0] != written or written is None or is_fresh(written, self.now_epoch_s):
            locks: dict[int, Stamp] = {}
            for name in self.names_in(folder, limit=_NAMES_LIMIT) if written is not None else ():
                named = _LOCK.fullmatch(name)
                lock = self.stamp(folder / name) if named is not None else None
                if named is not None and lock is not None:
                    locks[int(named["pid"])] = lock
            kept = self.adapter.locks[session_id] = (written, locks)
        return kept[1]

    def _search(self, processes: list[Process], held: dict[Identity, tuple[str, ...]]) -> None:
        """Look for locks in the folders that were written to since these processes began; not at every look."""
        if not processes:
            return
        folder = self.stamp(self._folder)
        self.until_epoch_s = min(self.until_epoch_s, self.now_epoch_s + _MISS_KEPT_S)
        wanted = []
        for process in processes:
            missed = self.adapter.missed.get(process.identity)
            if missed is None or missed[0] != folder or not 0 <= self.now_epoch_s - missed[1] < _MISS_KEPT_S:
                wanted.append(process)
        if not wanted or folder is None:
            return
        since = min(self.began_epoch_s(process) for process in wanted)
        recent = self.written_since(self._folder, UUID, since)[:_CANDIDATES_LIMIT]
        for identity, found in self._holders(wanted, recent).items():
            held[identity] = found
            if not found:
                self.adapter.missed[identity] = (folder, self.now_epoch_s)

    # -- what each session does ------------------------------------------------------------------------------------

    def _agent(self, process: Process, claim: Claim, ids: tuple[str, ...]) -> None:
        """Tell of the sessions of a process; what it held last is the one that its row stands for."""
        self.adapter.held[process.identity] = ids
        if not ids:
            if claim.session is not None:  # the argument tells what it was started with, no lock that it goes on
                self.claims[process.identity] = replace(claim, session=None, kind=ClaimKind.PROGRAM)
            return
        self.adapter.missed.pop(process.identity, None)
        logs = {i: self.log(self._folder / i / "events.jsonl", CopilotLog) for i in ids}
        main = max(ids, key=lambda i: (self._refreshed(i), (logs[i] or Log()).last_activity_epoch_s or 0.0, i))
        others = [i for i in ids if i != main]
        many = claim.serves_many or bool(others)
        self.claim(process, Role.BACKEND, ClaimKind.REGISTRY, "its lock", main, serves_many=many)
        for session_id in (main, *others):
            self._session(session_id, process, logs[session_id])
        for session_id in others:
            fact = self.facts[SessionKey(self.host, session_id)]
            self.facts[fact.key] = replace(fact, shares_backend=True, ladder=())
            busy = next((e for e in fact.evidence if e.speaks_for in (Speaks.BUSY, Speaks.WAITING)), None)
            if busy is not None:
                row = self.facts[SessionKey(self.host, main)]
                said = noted("Another session in the same process is at work")
                more = replace(busy, kind=EvidenceKind.SUBAGENT, speaks_for=Speaks.BUSY, fact=said)
                self.facts[row.key] = replace(row, evidence=(*row.evidence, more))

    def _session(self, session_id: str, process: Process, log: Log | None) -> None:
        folder = self._folder / session_id
        told = self._workspace(folder / "workspace.yaml")
        self.add_logged(
            session_id,
            process,
            folder / "events.jsonl",
            log,
            ladder=_LADDER,
            resume=("copilot", f"--resume={session_id}"),
            more=self._status(session_id, process, log),
            title=told.get("name") if told.get("user_named") == "true" else None,
            cwd=told.get("cwd"),
        )
        key = SessionKey(self.host, session_id)
        fact = self.facts[key]
        if self._drift is not None and fact.drift is None:
            self.facts[key] = replace(fact, drift=self._drift)
        elif log is not None and any(
            e.kind is EvidenceKind.HOST_STATUS and e.speaks_for is Speaks.IDLE for e in fact.evidence
        ):
            # it says itself that it rests, and later than the log speaks of a turn
            # but not of a question, which it may have asked without working meanwhile
            kept = [replace(e, speaks_for=Speaks.NOTHING) if e.speaks_for is Speaks.BUSY else e for e in fact.evidence]
            self.facts[key] = replace(fact, evidence=tuple(kept))

    def _status(self, session_id: str, process: Process, log: Log | None) -> list[Evidence]:
        """Return what the list of open sessions says of one that this very process opened."""
        told = self._open.get(session_id)
        opened = epoch_s(told.opened_at) if told is not None else None
        if told is None or opened is None or opened < self.began_epoch_s(process) - RACE_S:
            return []
        at = epoch_s(told.refreshed_at)
        turn = log.turn if log is not None else None
        if told.working and turn in (Turn.ENDED, Turn.NEW):
            fact = noted("Its turn ended, and it waits for something in the background")
            return [_said(EvidenceKind.BACKGROUND_TASK, Speaks.BUSY, fact, at)]
        if told.working:
            speaks_for = Speaks.NOTHING if turn is Turn.ASKS else Speaks.BUSY
            return [_said(EvidenceKind.HOST_STATUS, speaks_for, noted("It says that it works"), at)]
        since = log.turn_epoch_s if log is not None else None
        if at is None or (log is not None and log.is_open and since is not None and at < since):
            return []  # the log is the newer word
        return [_said(EvidenceKind.HOST_STATUS, Speaks.IDLE, noted("It says that it does not work"), at)]

    def _refreshed(self, session_id: str) -> float:
        told = self._open.get(session_id)
        return (epoch_s(told.refreshed_at) or 0.0) if told is not None else 0.0

    def _workspace(self, path: Path) -> dict[str, str]:
        """Return the plain lines of the session's own description."""
        if self.stamp(path) is None:
            return {}
        data = self.ask(path, lambda: self.files.read_whole(path, limit_bytes=64 * 1024)) or b""
        lines = (line.partition(": ") for line in data.decode(errors="replace").splitlines())
        return {
            name: value.strip().strip("\"'") for name, _, value in lines if name and not name.startswith((" ", "-"))
        }


def _said(kind: EvidenceKind, speaks_for: Speaks, fact: str, at: float | None) -> Evidence:
    return Evidence(kind=kind, speaks_for=speaks_for, fact=fact, source="list of open sessions", at_epoch_s=at)


def _home(around: Surroundings) -> Path:
    moved = around.environ.get("COPILOT_HOME")
    return Path(moved) if moved and os.path.isabs(moved) else around.home / ".copilot"
