"""What was done and refused: an append-only file of JSON lines that survives a crash at any moment.

The intent of an action is on the disk before its first signal, the receipt after its last. Holds no arguments and no
environment of any process.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import msgspec

from trayapp.model.receipt import Receipt, Target
from trayapp.model.session import Problem

SCHEMA = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """Say that an action is about to begin."""

    receipt_id: str
    started_at: datetime
    origin: str
    targets: tuple[Target, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    schema: int
    intent: Intent | None = None
    receipt: Receipt | None = None


class Journal:
    """Append to and read the journal. Every call opens the file anew, so that several programs can share it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problems: list[Problem] = []

    def write_intent(self, intent: Intent) -> None:
        self._append(_Line(schema=SCHEMA, intent=intent))

    def write_receipt(self, receipt: Receipt) -> None:
        self._append(_Line(schema=SCHEMA, receipt=receipt))

    def receipts(self, limit: int) -> tuple[Receipt, ...]:
        """Return the newest receipts, newest first."""
        found = [line.receipt for line in self._lines() if line.receipt is not None]
        return tuple(reversed(found[-limit:])) if limit > 0 else ()

    def open_intents(self) -> tuple[Intent, ...]:
        """Return the intents that no receipt closed: this program ended in the middle of them."""
        opened: dict[str, Intent] = {}
        for line in self._lines():
            if line.intent is not None:
                opened[line.intent.receipt_id] = line.intent
            if line.receipt is not None:
                opened.pop(line.receipt.receipt_id, None)
        return tuple(opened.values())

    def _append(self, line: _Line) -> None:
        """Write one line and wait until it is on the disk; raises OSError when it cannot be."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        data = msgspec.json.encode(line) + b"\n"
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            if self._is_cut(descriptor):
                data = b"\n" + data
            os.write(descriptor, data)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def _is_cut(self, descriptor: int) -> bool:
        """Say whether the last line was left unfinished by a crash; it then must not swallow the next one."""
        size = os.fstat(descriptor).st_size
        if size == 0:
            return False
        with self.path.open("rb") as file:
            file.seek(size - 1)
            return file.read(1) != b"\n"

    def _lines(self) -> Iterator[_Line]:
        self.problems = []
        try:
            raw: Sequence[bytes] = self.path.read_bytes().split(b"\n")
        except FileNotFoundError:
            return
        for number, data in enumerate(raw, start=1):
            if not data.strip():
                continue
            try:
                yield msgspec.json.decode(data, type=_Line)
            except msgspec.MsgspecError as error:
                what = f"line {number} cannot be read ({error})"
                mend = "It is left as it is and passed over; the other entries hold."
                self.problems.append(Problem(where=str(self.path), what=what, mend=mend))
