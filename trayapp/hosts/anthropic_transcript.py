"""What the log of one session says: whose turn it is, which calls are open, when something last happened.

Knows the records of `<config>/projects/<folder>/<session id>.jsonl` (and of sub-agent logs beside it), which all hosts
that run this agent share; must not know which host asks. Reads only the end of a file and never its modification time:
programs rewrite logs without anything having happened (cases 062, 064). It tells facts with their times; what follows
from them is not decided here. The text of messages is looked at only for the marks that the host itself puts there,
and never kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec

from trayapp.hosts.files import read_head, read_tail

TAIL_BYTES = 256 * 1024
"""What the host notes of one request for itself can come to 120 kB, behind the record that matters."""
LONGEST_TAIL_BYTES = 4 * 1024 * 1024
"""Read when the usual tail holds no record that tells whose turn it is: one tool result can be megabytes long."""
HEAD_BYTES = 64 * 1024

SUBAGENT_TOOLS = frozenset({"Task", "Agent", "Workflow"})
QUESTION_TOOLS = frozenset({"AskUserQuestion", "ExitPlanMode"})
WAKEUP_TOOLS = frozenset({"ScheduleWakeup", "CronCreate"})
_ENDS_TURN = frozenset({"end_turn", "stop_sequence", "max_tokens", "refusal", "model_context_window_exceeded"})
_INTERRUPTED = "[Request interrupted by user"
_COMMANDS = ("<command-name>", "<command-message>", "<bash-input>")
_COMMAND_RESULTS = ("<local-command-stdout>", "<local-command-stderr>", "<bash-stdout>", "<bash-stderr>")


class Turn(StrEnum):
    """Whose turn it is by the newest record that tells."""

    OPEN = "open"
    CALLING = "calling"
    ENDED = "ended"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """Hold a tool call: `due_epoch_s` is when a wake-up fires, if the record tells."""

    tool: str
    call_id: str | None
    at_epoch_s: float | None
    due_epoch_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """Hold what the end of one log says.

    Attributes:
        turn, turn_epoch_s: None where no record in the part that was read tells.
        open_calls: calls of the newest turn without a result.
        notice, notice_epoch_s: the newest notification, only while nothing newer replaces it.
        wakeups: planned wake-ups, newest last; a later one of the same tool replaces a ScheduleWakeup. Those that were
            refused, called off or have fired for good are left out.
        last_activity_epoch_s: the newest record with a time that is not bookkeeping.
        title: what the user or the host called the session; never a prompt.
        broken_lines: whole lines that are no JSON; a line that is cut at the very end is still being written.
    """

    turn: Turn | None = None
    turn_epoch_s: float | None = None
    open_calls: tuple[Call, ...] = ()
    notice: str | None = None
    notice_epoch_s: float | None = None
    wakeups: tuple[Call, ...] = ()
    last_activity_epoch_s: float | None = None
    title: str | None = None
    cwd: str | None = None
    model: str | None = None
    broken_lines: int = 0


class _Message(msgspec.Struct):
    role: str | None = None
    model: str | None = None
    content: Any = None
    stop_reason: str | None = None


class _Planned(msgspec.Struct, rename="camel"):
    """What a tool answers that plans a wake-up, times in ms; `scheduled_for` is 0 where nothing is planned."""

    scheduled_for: float | None = None
    next_fire_at: float | None = None
    recurring: bool | None = None
    id: str | None = None


class _Record(msgspec.Struct, rename="camel"):
    """Only the fields that are used, in the shapes of several versions."""

    type: str = ""
    subtype: str | None = None
    timestamp: str | float | None = None
    is_meta: bool | None = None
    is_sidechain: bool | None = None
    is_compact_summary: bool | None = None
    is_api_error_message: bool | None = None
    cwd: str | None = None
    message: _Message | None = None
    custom_title: str | None = None
    agent_name: str | None = None
    ai_title: str | None = None
    summary: str | None = None
    stop_reason: str | None = msgspec.field(default=None, name="stop_reason")
    notification_type: str | None = msgspec.field(default=None, name="notification_type")
    hook_event_name: str | None = msgspec.field(default=None, name="hook_event_name")
    tool: str | None = None
    id: str | None = None
    tool_use_id: str | None = msgspec.field(default=None, name="tool_use_id")
    text: str | None = None
    due: str | float | None = None
    turn_origin: str | None = None
    task_id: str | None = None
    task_kind: str | None = None
    tool_use_result: msgspec.Raw = msgspec.Raw()


_DECODER = msgspec.json.Decoder(_Record)
_PLANNED = msgspec.json.Decoder(_Planned)


def read_transcript(path: Path, *, of_subagent: bool = False) -> Transcript:
    """Read the end of a log; OSError where it cannot be opened or is no regular file."""
    limit_bytes = TAIL_BYTES
    while True:
        tail = read_tail(path, limit_bytes=limit_bytes)
        found = parse_transcript(tail.data, cut_at_start=tail.offset > 0, of_subagent=of_subagent)
        if found.turn is not None or tail.offset == 0 or limit_bytes >= LONGEST_TAIL_BYTES:
            return found
        limit_bytes *= 4


def folder_name(cwd: str) -> str:
    """Return the project folder's name for a working directory; long ones carry a hash and are found by search."""
    return re.sub(r"[^A-Za-z0-9]", "-", cwd)[:200]


def first_record_epoch_s(path: Path) -> float | None:
    """Return the time of the first record that carries one; OSError as above."""
    for line in read_head(path, limit_bytes=HEAD_BYTES).split(b"\n"):
        record = _decode(line)
        if record is not None and (at := epoch_s(record.timestamp)) is not None:
            return at
    return None


def parse_transcript(data: bytes, *, cut_at_start: bool = False, of_subagent: bool = False) -> Transcript:
    """Read records from a part of a log; its first line may be cut, and its last still being written.

    Records of a side chain are a subagent's: they say nothing of the turn of a session, and all of a subagent's own.
    """
    lines = data.split(b"\n")
    if cut_at_start:
        lines = lines[1:]
    unfinished = lines.pop() if lines else b""
    reader = _Reader(of_subagent=of_subagent)
    for line in lines:
        if not line.strip():
            continue
        record = _decode(line)
        if record is None:
            reader.broken_lines += 1
        else:
            reader.take(record)
    if unfinished.strip() and (record := _decode(unfinished)) is not None:
        reader.take(record)
    return reader.result()


def epoch_s(value: str | float | None) -> float | None:
    """Return a record's time (RFC 3339 text, seconds or milliseconds) as seconds since the epoch; None without one."""
    if value is None:
        return None
    if isinstance(value, str):
        try:
            parsed = datetime.fromisoformat(value)
        except ValueError:
            return None
        return parsed.timestamp() if parsed.tzinfo is not None else None
    return value / 1000 if value > 1e11 else float(value)


def _decode(line: bytes) -> _Record | None:
    try:
        return _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


class _Reader:
    """Follow the records of one log in their order."""

    def __init__(self, *, of_subagent: bool) -> None:
        self.broken_lines = 0
        self._of_subagent = of_subagent
        self._turn: Turn | None = None
        self._turn_epoch_s: float | None = None
        self._before_command: tuple[Turn | None, float | None] | None = None
        self._calls: dict[str, Call] = {}
        self._notice: str | None = None
        self._notice_epoch_s: float | None = None
        self._wakeups: dict[str, Call] = {}
        self._replaced: Call | None = None
        self._jobs: dict[str, str] = {}
        self._last_activity_epoch_s: float | None = None
        self._titles: dict[str, str] = {}
        self._cwd: str | None = None
        self._model: str | None = None

    def result(self) -> Transcript:
        return Transcript(
            turn=self._turn,
            turn_epoch_s=self._turn_epoch_s,
            open_calls=tuple(self._calls.values()),
            notice=self._notice,
            notice_epoch_s=self._notice_epoch_s,
            wakeups=tuple(self._wakeups.values()),
            last_activity_epoch_s=self._last_activity_epoch_s,
            title=next(
                (self._titles[kind] for kind in ("custom", "agent", "ai", "summary") if kind in self._titles), None
            ),
            cwd=self._cwd,
            model=self._model,
            broken_lines=self.broken_lines,
        )

    def take(self, record: _Record) -> None:
        at = epoch_s(record.timestamp)
        self._cwd = record.cwd or self._cwd
        if record.type == "user":
            self._user(record, at)
        elif record.type == "assistant":
            self._assistant(record, at)
        elif record.type == "tool_use":
            self._call(record.tool or "", record.id, record, {}, at)
        elif record.type == "tool_result":
            self._result_of(record.tool_use_id or record.id, at)
        elif record.type == "system" and record.subtype == "turn_duration":
            self._active(at)
            self._set(Turn.ENDED, at)
        elif record.type == "system" and record.subtype == "scheduled_task_fire":
            self._fired(record, at)
        elif record.notification_type and (
            record.type == "hook:Notification" or record.hook_event_name == "Notification"
        ):
            self._notice, self._notice_epoch_s = record.notification_type, at
        else:
            self._title(record)

    def _title(self, record: _Record) -> None:
        for kind, text in (
            ("custom", record.custom_title),
            ("agent", record.agent_name),
            ("ai", record.ai_title),
            ("summary", record.summary if record.type == "summary" else None),
        ):
            if text:
                self._titles[kind] = text

    def _user(self, record: _Record, at: float | None) -> None:
        # the prompt of a wake-up is a meta record, and starts a turn all the same
        if (record.is_meta and record.turn_origin != "scheduled") or record.is_compact_summary:
            return
        content = record.message.content if record.message is not None else record.text
        results = [block for block in _blocks(content) if block.get("type") == "tool_result"]
        self._active(at)
        if record.is_sidechain and not self._of_subagent:
            return
        if results:
            for block in results:
                call_id = _text_or_none(block.get("tool_use_id"))
                self._planned(call_id, record.tool_use_result, at, failed=block.get("is_error") is True)
                self._result_of(call_id, at)
            return
        text = _first_text(content).lstrip()
        if text.startswith(_INTERRUPTED):
            self._set(Turn.ENDED, at)
        elif text.startswith(_COMMANDS) or text == "/clear":
            # whether a command starts a turn is only told by what follows it
            if self._before_command is None:
                self._before_command = (self._turn, self._turn_epoch_s)
            before = self._before_command
            self._set(Turn.UNCLEAR, at)
            self._before_command = before
        elif text.startswith(_COMMAND_RESULTS):
            if self._before_command is not None:
                turn, turn_epoch_s = self._before_command
                self._set(turn or Turn.UNCLEAR, turn_epoch_s)
        else:
            self._set(Turn.OPEN, at)

    def _assistant(self, record: _Record, at: float | None) -> None:
        self._active(at)
        message = record.message
        if message is not None and message.model and not message.model.startswith("<"):
            self._model = message.model
        if record.is_sidechain and not self._of_subagent:
            return
        stop_reason = (message.stop_reason if message is not None else None) or record.stop_reason
        blocks = _blocks(message.content) if message is not None else []
        calls = [block for block in blocks if block.get("type") == "tool_use"]
        if record.is_api_error_message or stop_reason in _ENDS_TURN:
            self._set(Turn.ENDED, at)
        elif calls or stop_reason == "tool_use":
            self._set(Turn.CALLING, at, keep_calls=True)
        elif stop_reason == "pause_turn":
            self._set(Turn.OPEN, at)
        else:
            self._set(Turn.UNCLEAR, at, keep_calls=True)
        for block in calls:
            given = block.get("input")
            self._call(_text_or_none(block.get("name")) or "", _text_or_none(block.get("id")), record, given, at)

    def _call(self, tool: str, call_id: str | None, record: _Record, given: Any, at: float | None) -> None:
        self._active(at)
        self._set(Turn.CALLING, at, keep_calls=True)
        call = Call(tool=tool, call_id=call_id, at_epoch_s=at, due_epoch_s=_due(record, given, at))
        self._calls[call_id or f"without id {len(self._calls)}"] = call
        if tool == "ScheduleWakeup" and isinstance(given, dict) and given.get("stop") is True:
            self._wakeups.pop(tool, None)
        elif tool in WAKEUP_TOOLS:
            key = _wakeup_key(call) if call_id else f"{tool} {len(self._wakeups)}"
            self._replaced = self._wakeups.pop(key, None)
            self._wakeups[key] = call
        elif tool == "CronDelete":
            job = given.get("id") if isinstance(given, dict) else None
            self._wakeups.pop(self._jobs.get(job, "") if isinstance(job, str) else "", None)

    def _planned(self, call_id: str | None, answer: msgspec.Raw, at: float | None, *, failed: bool) -> None:
        """Take what a tool answered on a wake-up: whether there will be one, and when.

        The answer alone tells enough where the part that was read begins between the two.
        """
        call = self._calls.get(call_id or "")
        if call is not None and call.tool not in WAKEUP_TOOLS:
            return
        planned = _plan_of(answer)
        if call is None:
            if planned is None or not (planned.scheduled_for or planned.next_fire_at):
                return
            tool = "ScheduleWakeup" if planned.scheduled_for else "CronCreate"
            call = Call(tool=tool, call_id=call_id, at_epoch_s=at)
        key = _wakeup_key(call)
        if failed:
            self._wakeups.pop(key, None)
            if self._replaced is not None and _wakeup_key(self._replaced) == key:
                self._wakeups[key] = self._replaced
        elif planned is not None and planned.scheduled_for == 0:
            self._wakeups.pop(key, None)
        elif planned is not None:
            due = planned.scheduled_for or (planned.next_fire_at if planned.recurring is False else None)
            self._wakeups[key] = replace(call, due_epoch_s=epoch_s(due) if due is not None else call.due_epoch_s)
            if planned.id is not None:
                self._jobs[planned.id] = key

    def _fired(self, record: _Record, at: float | None) -> None:
        """Take the record of a wake-up: one that is not known was planned further up and may well come again."""
        self._active(at)
        if record.task_kind == "loop":
            self._wakeups.pop("ScheduleWakeup", None)
        elif record.task_id is not None and record.task_id not in self._jobs:
            call = Call(tool="CronCreate", call_id=record.task_id, at_epoch_s=at)
            self._jobs[record.task_id] = _wakeup_key(call)
            self._wakeups[_wakeup_key(call)] = call

    def _result_of(self, call_id: str | None, at: float | None) -> None:
        self._active(at)
        if call_id in self._calls:
            del self._calls[call_id]
        elif call_id is None:
            self._calls.clear()
        self._set(Turn.CALLING if self._calls else Turn.OPEN, at, keep_calls=True)

    def _set(self, turn: Turn, at: float | None, *, keep_calls: bool = False) -> None:
        self._turn, self._turn_epoch_s = turn, at if at is not None else self._turn_epoch_s
        self._before_command = None
        self._notice = self._notice_epoch_s = None
        if not keep_calls:
            self._calls.clear()

    def _active(self, at: float | None) -> None:
        if at is not None and (self._last_activity_epoch_s is None or at > self._last_activity_epoch_s):
            self._last_activity_epoch_s = at


def _blocks(content: Any) -> list[dict[str, Any]]:
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _first_text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return next((t for block in _blocks(content) if isinstance(t := block.get("text"), str)), "")


def _text_or_none(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _wakeup_key(call: Call) -> str:
    """Return under what a wake-up is kept: one of a loop replaces the one before."""
    return call.tool if call.tool == "ScheduleWakeup" else f"{call.tool} {call.call_id}"


def _plan_of(answer: msgspec.Raw) -> _Planned | None:
    try:
        return _PLANNED.decode(answer)
    except msgspec.DecodeError:
        return None


def _due(record: _Record, given: Any, at: float | None) -> float | None:
    if record.due is not None:
        return epoch_s(record.due)
    if not isinstance(given, dict):
        return None
    due = given.get("due")
    if isinstance(due, str | int | float):
        return epoch_s(due)
    delay_s = given.get("delaySeconds", given.get("delay_seconds"))
    if isinstance(delay_s, int | float) and at is not None:
        return at + float(delay_s)
    return None
