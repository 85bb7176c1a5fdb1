"""Qwen Code: each terminal or `-p` run is a chain of three node processes with one session.

Knows `~/.qwen/sessions/<pid>.json` of the innermost one (pid, start, id; it stays behind after a signal) and the log
`projects/<folder>/chats/<id>.jsonl`. Programs are told apart in qwen_programs.py. Must not decide what a session is
doing. A record holds a token for its socket, which is never decoded.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import msgspec

from trayapp.hosts import qwen_programs
from trayapp.hosts.agent_log import RACE_S, Follower, Turn, epoch_s
from trayapp.hosts.agent_look import AgentHost, Look
from trayapp.hosts.asleep import Programs
from trayapp.hosts.base import UUID, Surroundings, signal_ladder
from trayapp.model.process import Process, ProcessTable
from trayapp.model.session import (
    Claim,
    ClaimKind,
    Drift,
    Evidence,
    EvidenceKind,
    HostInstance,
    Role,
    SessionFact,
    SessionKey,
    Speaks,
)
from trayapp.say import noted

_LADDER = signal_ladder("Qwen Code")
_START = re.compile(r"[^:]*:(?P<ticks>\d+)", re.ASCII)
_SUBAGENT_TOOLS = frozenset({"task", "agent"})
_ASKING_TOOLS = frozenset({"ask_user_question"})


class _Usage(msgspec.Struct, rename="camel"):
    total_token_count: int = 0


class _Call(msgspec.Struct):
    id: str = ""
    name: str = ""


class _Part(msgspec.Struct, rename="camel"):
    function_call: _Call | None = None
    function_response: _Call | None = None


class _Message(msgspec.Struct):
    parts: list[_Part] = []


class _Payload(msgspec.Struct, rename="camel"):
    custom_title: str | None = None


class _Record(msgspec.Struct, rename="camel"):
    type: str
    timestamp: str | None = None
    subtype: str | None = None
    session_id: str | None = None
    cwd: str | None = None
    version: str | None = None
    model: str | None = None
    message: _Message | None = None
    usage_metadata: _Usage | None = None
    system_payload: msgspec.Raw = msgspec.Raw()


class QwenLog(Follower[_Record]):
    """Follow one log."""

    decoder = msgspec.json.Decoder(_Record)

    def time_of(self, record: _Record) -> float | None:
        return epoch_s(record.timestamp)

    def take(self, record: _Record) -> bool:
        at = self.time_of(record)
        self.session_id = record.session_id or self.session_id
        self.cwd, self.version = record.cwd or self.cwd, record.version or self.version
        if record.type == "system":
            return self._take_system(record, at)
        if record.type not in ("user", "assistant", "tool_result"):
            return False
        if record.message is None:
            return self.misses("message")
        parts = record.message.parts
        if record.type == "user":
            self.calls.clear()
            self.note(Turn.OPEN, at)
        elif record.type == "assistant":
            if not parts:
                return self.misses("message.parts")  # an answer without any says nothing of what it calls
            self.model = record.model or self.model
            self.add_tokens(record.usage_metadata.total_token_count if record.usage_metadata is not None else 0)
            calls = [part.function_call for part in parts if part.function_call is not None]
            self.calls |= {call.id: call.name for call in calls}
            self.note(Turn.CALLING if self.calls else Turn.ENDED, at)
        else:
            for part in parts:
                if part.function_response is not None:
                    self.calls.pop(part.function_response.id, None)
            self.note(Turn.CALLING if self.calls else Turn.OPEN, at)
        if self.turn is Turn.CALLING and _ASKING_TOOLS & set(self.calls.values()):
            self.note(Turn.ASKS, at)
        return True

    def _take_system(self, record: _Record, at: float | None) -> bool:
        if record.subtype == "custom_title":
            try:
                self.title = msgspec.json.decode(record.system_payload, type=_Payload).custom_title or self.title
            except msgspec.MsgspecError:
                return False
        elif record.subtype == "turn_result":
            self.calls.clear()
            self.note(Turn.ENDED, at)
        return True


class _Session(msgspec.Struct, rename="camel"):
    """What is used of `sessions/<pid>.json`."""

    pid: int
    session_id: str
    proc_start: str | None = None
    cwd: str | None = None
    name: str | None = None
    started_at: float | None = None
    qwen_version: str | None = None


class Qwen(AgentHost):
    """The adapter."""

    programs: ClassVar[Programs] = qwen_programs

    def look(self, table: ProcessTable, recognised: tuple[Claim, ...], around: Surroundings) -> Look:
        return _QwenLook(self, table, recognised, around)


class _QwenLook(Look):
    def run(self) -> None:
        self._home = _home(self.around)
        self.keep_innermost(qwen_programs.told)
        versions: dict[str, None] = {}
        for process, claim in self.agents():
            path = self._home / "sessions" / f"{process.pid}.json"
            record = self.record(path, _Session)
            if isinstance(record, Drift):
                self._not_understood(process, claim, record)
            elif record is not None and self._is_about(record, process):
                many = claim.serves_many
                source = "its session record"
                self.claim(process, Role.BACKEND, ClaimKind.REGISTRY, source, record.session_id, serves_many=many)
                self._session(record.session_id, process, record.cwd or process.cwd, record)
                versions.setdefault(record.qwen_version or "")
            elif claim.session is not None:
                self._session(claim.session.session_id, process, process.cwd, None)
        self.instances = [HostInstance(host=self.host, version=version) for version in versions if version]

    def _is_about(self, record: _Session, process: Process) -> bool:
        """Say whether a record is about this very process: records stay behind when a session is killed."""
        if record.pid != process.pid or not UUID.fullmatch(record.session_id):
            return False
        started = _START.fullmatch(record.proc_start or "")
        if started is not None and self.table.machine.platform.lower().startswith("linux"):
            return int(started["ticks"]) == process.identity.start
        at = epoch_s(record.started_at)
        return at is not None and at >= self.began_epoch_s(process) - RACE_S

    def _not_understood(self, process: Process, claim: Claim, drift: Drift) -> None:
        if claim.session is not None:
            key = claim.session
            self.add(SessionFact(key=key, cwd=process.cwd, drift=drift, ladder=_LADDER))

    def _session(self, session_id: str, process: Process, cwd: str | None, record: _Session | None) -> None:
        path = self._home / "projects" / _folder_name(cwd or "") / "chats" / f"{session_id}.jsonl"
        log = self.log(path, QwenLog)
        more: list[Evidence] = []
        if log is None and record is not None and self.stamp(path) is None:
            # the log begins with the first prompt
            fact, at = noted("No turn has begun yet"), epoch_s(record.started_at)
            more = [
                Evidence(
                    kind=EvidenceKind.TURN, speaks_for=Speaks.IDLE, fact=fact, source="session record", at_epoch_s=at
                )
            ]
        self.add_logged(
            session_id,
            process,
            path,
            log,
            ladder=_LADDER,
            resume=("qwen", "--resume", session_id),
            more=more,
            cwd=cwd,
        )
        key = SessionKey(self.host, session_id)
        if log is not None and log.turn is Turn.CALLING and _SUBAGENT_TOOLS & set(log.calls):
            fact, at = noted("A subagent is at work"), log.turn_epoch_s
            said = Evidence(kind=EvidenceKind.SUBAGENT, speaks_for=Speaks.BUSY, fact=fact, source="log", at_epoch_s=at)
            if at is not None and at >= self.began_epoch_s(process) - RACE_S:
                self.facts[key] = replace(self.facts[key], evidence=(*self.facts[key].evidence, said))


def _home(around: Surroundings) -> Path:
    moved = around.environ.get("QWEN_HOME")
    return Path(moved) if moved and os.path.isabs(moved) else around.home / ".qwen"


def _folder_name(cwd: str) -> str:
    lowered = cwd.lower() if os.name == "nt" else cwd
    return re.sub(r"[^a-zA-Z0-9]", "-", lowered)
