"""pi: each terminal or `-p` run is one node process with one log.

Knows `~/.pi/agent/sessions/--<folder>--/<time>_<id>.jsonl`; programs are told apart in pi_programs.py. No file names a
process, and the arguments are written over, so a session is told by its folder and by when it began. The log is there
after the first answer only: until then nothing is known of a session, and nothing releases it.
"""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar

import msgspec

from trayapp.hosts import pi_programs
from trayapp.hosts.agent_folder import Owners, Run, open_elsewhere
from trayapp.hosts.agent_log import RACE_S, Follower, Log, Turn, epoch_s
from trayapp.hosts.agent_look import AgentHost, Look
from trayapp.hosts.asleep import Programs
from trayapp.hosts.base import Surroundings, signal_ladder
from trayapp.model.process import Process, ProcessTable
from trayapp.model.session import Claim, ClaimKind, Role

_LADDER = signal_ladder("pi")
_NAME = re.compile(r"(?P<time>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)-\d{3}Z_(?P<id>[\w-]+)\.jsonl", re.ASCII)
_KEPT = 512


class _Usage(msgspec.Struct, rename="camel"):
    total_tokens: int = 0


class _Part(msgspec.Struct):
    type: str = ""
    id: str = ""
    name: str = ""


class _Message(msgspec.Struct, rename="camel"):
    role: str
    content: msgspec.Raw = msgspec.Raw()
    model: str | None = None
    usage: _Usage | None = None
    stop_reason: str | None = None
    tool_call_id: str | None = None


class _Record(msgspec.Struct, rename="camel"):
    type: str
    id: str | None = None
    timestamp: str | None = None
    cwd: str | None = None
    name: str | None = None
    model_id: str | None = None
    message: _Message | None = None


_PARTS = msgspec.json.Decoder(list[_Part])


class PiLog(Follower[_Record]):
    """Follow one log."""

    decoder = msgspec.json.Decoder(_Record)

    def time_of(self, record: _Record) -> float | None:
        return epoch_s(record.timestamp)

    def take(self, record: _Record) -> bool:
        at = self.time_of(record)
        match record.type:
            case "session":
                self.session_id, self.cwd = record.id, record.cwd
                self.note(Turn.NEW if self.turn is None else None, at)
            case "model_change":
                self.model = record.model_id or self.model
            case "session_info":
                self.title = record.name or self.title
            case "message" if record.message is not None:
                return self._take_message(record.message, at)
            case "message":
                return self.misses("message")
            case _:
                return False
        return True

    def _take_message(self, message: _Message, at: float | None) -> bool:
        if message.role == "user":
            self.calls.clear()
            self.note(Turn.OPEN, at)
        elif message.role == "toolResult":
            self.calls.pop(message.tool_call_id or "", None)
            self.note(Turn.CALLING if self.calls else Turn.OPEN, at)
        elif message.role == "assistant":
            self.model = message.model or self.model
            self.add_tokens(message.usage.total_tokens if message.usage is not None else 0)
            if message.stop_reason is None:
                return self.misses("message.stopReason")
            try:
                parts = _PARTS.decode(message.content) if message.stop_reason == "toolUse" else []
            except msgspec.MsgspecError:
                return self.misses("message.content")
            self.calls = {part.id: part.name for part in parts if part.type == "toolCall"}
            if message.stop_reason == "toolUse" and not self.calls:
                return self.misses("message.content")  # it calls a tool in a way that is not known
            self.note(Turn.CALLING if self.calls else Turn.ENDED, at)
        else:
            return False  # a command that the user ran, a summary
        return True


class Pi(AgentHost):
    """The adapter."""

    programs: ClassVar[Programs] = pi_programs

    def __init__(self) -> None:
        super().__init__()
        self.owners = Owners()

    def look(self, table: ProcessTable, recognised: tuple[Claim, ...], around: Surroundings) -> Look:
        return _PiLook(self, table, recognised, around)


class _PiLook(Look):
    adapter: Pi

    def run(self) -> None:
        self.name_left_behind()
        folders: dict[str, list[Process]] = {}
        for process, _ in self.agents():
            if process.cwd is not None:
                folders.setdefault(process.cwd, []).append(process)
        for cwd, processes in folders.items():
            self._folder(cwd, processes)
        self.adapter.owners.keep({process.identity for process, _ in self.agents()})

    def _folder(self, cwd: str, processes: list[Process]) -> None:
        runs = [Run(identity=p.identity, began_epoch_s=self.began_epoch_s(p)) for p in processes]
        logs = self._logs(_home(self.around) / "sessions" / _folder_name(cwd), min(r.began_epoch_s for r in runs))
        own = self.adapter.owners.settle(runs, logs, self.now_epoch_s)
        for process, run in zip(processes, runs, strict=True):
            path = own.get(process.identity)
            found = _NAME.fullmatch(path.name) if path is not None else None
            if path is None or found is None:
                continue
            source = "the log that was written in its folder since it began"
            self.claim(process, Role.BACKEND, ClaimKind.START_AND_CWD, source, found["id"])
            self.add_logged(
                found["id"],
                process,
                path,
                logs[path],
                ladder=_LADDER,
                resume=("pi", "--session", found["id"]),
                more=open_elsewhere(logs, set(own.values()), run.began_epoch_s),
                cwd=cwd,
            )

    def _logs(self, folder: Path, began_epoch_s: float) -> dict[Path, Log]:
        """Return what was written in a folder since then; names begin with the time at which a log began."""
        names = self.newest_names(folder, _NAME, keep=_KEPT)
        first = datetime.fromtimestamp(began_epoch_s - RACE_S, UTC).strftime("%Y-%m-%dT%H-%M-%S")
        return self.logs_since(folder, names, first, began_epoch_s, PiLog)


def _home(around: Surroundings) -> Path:
    moved = around.environ.get("PI_CODING_AGENT_DIR")
    return Path(moved) if moved and os.path.isabs(moved) else around.home / ".pi" / "agent"


def _folder_name(cwd: str) -> str:
    return f"--{re.sub(r'[/:]', '-', re.sub(r'^/', '', cwd.replace(chr(92), '/')))}--"
