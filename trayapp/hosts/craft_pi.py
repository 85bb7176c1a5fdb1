"""What the log of a Pi backend says: whose turn it is, which calls are open, when something last happened.

Knows the records of `<session folder>/.pi-sessions/<time>_<id>.jsonl`, which are appended message by message. It tells
facts in the shape that the other agent's log has, so that one set of rules reads both. The text of messages is never
looked at. Tolerant of fields that other versions leave out.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from trayapp.hosts.anthropic_transcript import LONGEST_TAIL_BYTES, TAIL_BYTES, Call, Transcript, Turn, epoch_s
from trayapp.hosts.files import read_tail

FOLDER = ".pi-sessions"
_ENDS_TURN = frozenset({"stop", "length", "error", "aborted"})


class _Message(msgspec.Struct, rename="camel"):
    role: str | None = None
    content: Any = None
    stop_reason: str | None = None
    timestamp: str | float | None = None
    model: str | None = None
    tool_call_id: str | None = None
    tool_name: str | None = None


class _Record(msgspec.Struct):
    type: str = ""
    timestamp: str | float | None = None
    message: _Message | None = None
    cwd: str | None = None


_DECODER = msgspec.json.Decoder(_Record)


def read_pi_log(path: Path) -> Transcript:
    """Read the end of a log; OSError where it cannot be opened or is no regular file."""
    limit_bytes = TAIL_BYTES
    while True:
        tail = read_tail(path, limit_bytes=limit_bytes)
        found = parse_pi_log(tail.data, cut_at_start=tail.offset > 0)
        if found.turn is not None or tail.offset == 0 or limit_bytes >= LONGEST_TAIL_BYTES:
            return found
        limit_bytes *= 4


def parse_pi_log(data: bytes, *, cut_at_start: bool = False) -> Transcript:
    """Read records from a part of a log; its first line may be cut, and its last still being written."""
    lines = data.split(b"\n")
    if cut_at_start:
        lines = lines[1:]
    unfinished = lines.pop() if lines else b""
    turn: Turn | None = None
    turn_epoch_s: float | None = None
    last_epoch_s: float | None = None
    model: str | None = None
    cwd: str | None = None
    calls: dict[str, Call] = {}
    broken = 0
    for line in (*lines, unfinished):
        if not line.strip():
            continue
        record = _decode(line)
        if record is None:
            broken += line is not unfinished
            continue
        cwd = record.cwd or cwd
        message = record.message
        if record.type != "message" or message is None:
            continue
        at = epoch_s(message.timestamp if message.timestamp is not None else record.timestamp)
        if at is not None and (last_epoch_s is None or at > last_epoch_s):
            last_epoch_s = at
        told = _turn_of(message, calls, at)
        if told is not None:
            turn, turn_epoch_s = told, at if at is not None else turn_epoch_s
        model = message.model or model
    return Transcript(
        turn=turn,
        turn_epoch_s=turn_epoch_s,
        open_calls=tuple(calls.values()),
        last_activity_epoch_s=last_epoch_s,
        cwd=cwd,
        model=model,
        broken_lines=broken,
    )


def _turn_of(message: _Message, calls: dict[str, Call], at: float | None) -> Turn | None:
    """Say whose turn it is after a message, and keep the calls that have no result yet."""
    if message.role == "user":
        calls.clear()
        return Turn.OPEN
    if message.role == "toolResult":
        if message.tool_call_id is None:
            calls.clear()
        else:
            calls.pop(message.tool_call_id, None)
        return Turn.CALLING if calls else Turn.OPEN
    if message.role != "assistant":
        return None
    if message.stop_reason in _ENDS_TURN:
        calls.clear()
        return Turn.ENDED
    blocks = message.content if isinstance(message.content, list) else []
    for block in blocks:
        if isinstance(block, dict) and block.get("type") == "toolCall":
            call_id, name = block.get("id"), block.get("name")
            tool = name if isinstance(name, str) else ""
            key = call_id if isinstance(call_id, str) else f"without id {len(calls)}"
            calls[key] = Call(tool=tool, call_id=key, at_epoch_s=at)
    return Turn.CALLING if calls or message.stop_reason == "toolUse" else Turn.UNCLEAR


def _decode(line: bytes) -> _Record | None:
    try:
        return _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
