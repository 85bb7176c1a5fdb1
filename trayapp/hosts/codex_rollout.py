"""What the log of one Codex thread says: whose turn it is, which calls are open, when something last happened.

Knows the records of `sessions/Y/M/D/rollout-<time>-<id>.jsonl` and the names of threads in `session_index.jsonl`. Reads
only the ends of a file and never its modification time; the text of messages and the arguments of calls are not
decoded. A log whose records are not of the shape that is known says which field is not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import msgspec

from trayapp.hosts.files import read_head, read_tail

TAIL_BYTES = 128 * 1024
LONGEST_TAIL_BYTES = 4 * 1024 * 1024
HEAD_BYTES = 256 * 1024
INDEX_BYTES = 512 * 1024
INDEX = "session_index.jsonl"

_NAME = re.compile(r"rollout-(?:\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-)?(?P<id>[\w.-]+)\.jsonl", re.ASCII)
_ENDS_TURN = frozenset({"task_complete", "turn_complete", "turn_aborted"})
_BEGINS_TURN = frozenset({"task_started", "turn_started"})
_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
_OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output", "local_shell_call_output"})
_QUESTIONS = frozenset(
    {"exec_approval_request", "apply_patch_approval_request", "request_user_input", "elicitation_request"}
)
_BOOKKEEPING = frozenset({"token_count", "thread_settings_applied", "thread_name_updated"})
_OF_TURNS = frozenset({"event_msg", "response_item"})
_TELLING = 8
"""So many records without one of a turn are not the beginning of a log but another kind of log."""
SUBAGENT_TOOLS = frozenset({"spawn_agent", "wait_agent", "wait"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Rollout:
    """Hold what the ends of one log say.

    Attributes:
        session_id: the thread that it belongs to where it is a sub-agent's, else its own id; None where not told.
        turn_open: None where no record in the part that was read tells.
        turn_epoch_s: when the turn began, or ended; for an open turn the newest record of it that carries a time.
        open_calls: names of calls without an output, by call id.
        asks: it asked the user something and nothing came after.
        tokens: what the thread used in all, as the newest record of it says.
        version: of the Codex that began the log.
        strange: the field that is missing or of another shape than is known; then nothing else of it counts.
    """

    session_id: str | None = None
    cwd: str | None = None
    model: str | None = None
    began_epoch_s: float | None = None
    turn_open: bool | None = None
    turn_epoch_s: float | None = None
    open_calls: dict[str, str] = field(default_factory=dict)
    asks: bool = False
    last_activity_epoch_s: float | None = None
    broken_lines: int = 0
    tokens: int | None = None
    version: str | None = None
    strange: str | None = None


class _Usage(msgspec.Struct):
    total_tokens: int


class _Info(msgspec.Struct):
    total_token_usage: _Usage


class _Payload(msgspec.Struct):
    type: str = ""
    id: str | None = None
    cli_version: str | None = None
    info: msgspec.Raw = msgspec.Raw()
    thread_token_usage: msgspec.Raw = msgspec.Raw()
    session_id: str | None = None
    cwd: str | None = None
    model: str | None = None
    name: str | None = None
    call_id: str | None = None


class _Record(msgspec.Struct):
    type: str = ""
    timestamp: str | None = None
    payload: _Payload | None = None


class _Named(msgspec.Struct):
    id: str
    thread_name: str | None = None


_DECODER = msgspec.json.Decoder(_Record)
_NAMED = msgspec.json.Decoder(_Named)


def id_of(path: Path | str) -> str | None:
    """Return the id in a rollout's file name; None for any other file."""
    found = _NAME.fullmatch(re.split(r"[/\\]", str(path))[-1])
    return found["id"] if found is not None else None


def read_rollout(path: Path) -> Rollout:
    """Read the ends of a log; OSError where it cannot be opened or is no regular file."""
    limit_bytes = TAIL_BYTES
    while True:
        tail = read_tail(path, limit_bytes=limit_bytes)
        reader = _Reader()
        lines = tail.data.split(b"\n")
        if tail.offset > 0:
            reader.take_first_line(read_head(path, limit_bytes=HEAD_BYTES).split(b"\n", 1)[0], is_whole=False)
            reader.forget_turn()
        else:
            reader.take_first_line(lines[0], is_whole=len(lines) > 1)
        for line in lines[1:-1]:
            reader.take_line(line)
        if len(lines) > 1:
            reader.take_line(lines[-1], is_whole=False)
        found = reader.result()
        if found.turn_open is not None or tail.offset == 0 or limit_bytes >= LONGEST_TAIL_BYTES:
            return found
        limit_bytes *= 4


def read_beginning(path: Path) -> Rollout:
    """Read only what the first record says: id, folder, start; OSError as above."""
    reader = _Reader()
    reader.take_line(read_head(path, limit_bytes=HEAD_BYTES).split(b"\n", 1)[0], is_whole=False)
    return reader.result()


def read_names(path: Path) -> dict[str, str]:
    """Return the names of threads by their ids, as the end of an index tells them; OSError as above."""
    names: dict[str, str] = {}
    for line in read_tail(path, limit_bytes=INDEX_BYTES).data.split(b"\n"):
        try:
            named = _NAMED.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue  # the first of the part that was read is cut, the last may be half written
        if named.thread_name:
            names[named.id] = named.thread_name
    return names


def epoch_s(text: str | None) -> float | None:
    """Return a record's time as seconds since the epoch; None without one that names its zone."""
    if text is None:
        return None
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        return None
    return parsed.timestamp() if parsed.tzinfo is not None else None


class _Reader:
    """Follow the records of one log in their order."""

    def __init__(self) -> None:
        self._session_id: str | None = None
        self._cwd: str | None = None
        self._model: str | None = None
        self._began_epoch_s: float | None = None
        self._turn_open: bool | None = None
        self._turn_epoch_s: float | None = None
        self._calls: dict[str, str] = {}
        self._asks = False
        self._last_activity_epoch_s: float | None = None
        self._broken_lines = 0
        self._version: str | None = None
        self._usage: tuple[msgspec.Raw, bool] | None = None
        self._records = self._of_turns = self._timed = self._typed = 0
        self._meta: str | None = None
        self._misfit: str | None = None

    def result(self) -> Rollout:
        return Rollout(
            tokens=self._tokens(),
            version=self._version,
            strange=self._strange(),
            session_id=self._session_id,
            cwd=self._cwd,
            model=self._model,
            began_epoch_s=self._began_epoch_s,
            turn_open=self._turn_open,
            turn_epoch_s=self._turn_epoch_s,
            open_calls=dict(self._calls),
            asks=self._asks,
            last_activity_epoch_s=self._last_activity_epoch_s,
            broken_lines=self._broken_lines,
        )

    def _tokens(self) -> int | None:
        if self._usage is None:
            return None
        raw, is_info = self._usage
        try:
            if is_info:
                return msgspec.json.decode(raw, type=_Info).total_token_usage.total_tokens
            return msgspec.json.decode(raw, type=_Usage).total_tokens
        except msgspec.MsgspecError:
            return None

    def _strange(self) -> str | None:
        """Return the field that is not as it is known, where that holds for the whole of what was read."""
        if self._meta is not None:
            return self._meta
        if self._records == 0:
            return self._misfit
        if self._timed == 0:
            return "timestamp"
        if self._of_turns == 0 and self._records >= _TELLING:
            return "type"
        if self._of_turns >= _TELLING and self._typed == 0:
            return "payload.type"
        return None

    def take_first_line(self, line: bytes, *, is_whole: bool) -> None:
        """Take the line that says whose log it is."""
        self.take_line(line, is_whole=is_whole)
        if self._records and not self._of_turns and self._session_id is None and self._cwd is None:
            self._meta = "session_meta"

    def forget_turn(self) -> None:
        """Drop what the first record of a long file said about turns and activity: it is not the newest."""
        self._turn_open = self._turn_epoch_s = self._last_activity_epoch_s = None
        self._calls.clear()

    def take_line(self, line: bytes, *, is_whole: bool = True) -> None:
        if not line.strip():
            return
        try:
            record = _DECODER.decode(line)
        except msgspec.ValidationError as fault:
            self._misfit = str(fault).rpartition("`$.")[2].rstrip("`") or "type"
            self._broken_lines += is_whole
            return
        except (msgspec.DecodeError, UnicodeDecodeError):
            self._broken_lines += is_whole
            return
        at = epoch_s(record.timestamp)
        self._records += 1
        self._timed += at is not None
        self._of_turns += record.type in _OF_TURNS
        if self._began_epoch_s is None:
            self._began_epoch_s = at
        payload = record.payload or _Payload()
        if record.type == "session_meta":
            self._session_id, self._cwd = payload.session_id or payload.id, payload.cwd
            self._version = payload.cli_version
        elif record.type == "token_usage_record":
            if payload.thread_token_usage:
                self._usage = payload.thread_token_usage, False
        elif record.type == "turn_context":
            self._cwd, self._model = payload.cwd or self._cwd, payload.model or self._model
        elif record.type in _OF_TURNS:
            self._typed += bool(payload.type)
            if payload.type == "token_count" and payload.info:
                self._usage = payload.info, True
            self._take(payload, at)

    def _take(self, payload: _Payload, at: float | None) -> None:
        kind = payload.type
        if kind in _BOOKKEEPING:
            return
        if at is not None:
            self._last_activity_epoch_s = max(at, self._last_activity_epoch_s or at)
        if kind in _BEGINS_TURN or kind in _ENDS_TURN:
            self._turn_open, self._turn_epoch_s, self._asks = kind in _BEGINS_TURN, at, False
            self._calls.clear()
            return
        if kind in _CALLS:
            self._calls[payload.call_id or payload.id or ""] = payload.name or kind
            self._turn_open = True
        elif kind in _OUTPUTS:
            self._calls.pop(payload.call_id or payload.id or "", None)
            self._turn_open = True
        if self._turn_open:
            self._asks = kind in _QUESTIONS
            self._turn_epoch_s = at if at is not None else self._turn_epoch_s
