"""What was done and refused: an append-only file of JSON lines that survives a crash at any moment.

The intent of an action is on the disk before its first signal, the receipt after its last. Holds no arguments and no
environment of any process.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import msgspec

from trayapp.model.process import Identity
from trayapp.model.receipt import Receipt, Return, Target
from trayapp.model.session import Problem

SCHEMA = 3
"""3: who acts, what came back, what no person asked for. 2: heaps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """Say that an action is about to begin; `actor` is the program that carries it out."""

    receipt_id: str
    started_at: datetime
    origin: str
    targets: tuple[Target, ...]
    actor: Identity | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    schema: int
    intent: Intent | None = None
    receipt: Receipt | None = None
    returned: Return | None = None


class Journal:
    """Append to and read the journal. Every call opens the file anew, so that several programs can share it.

    Callable from any thread. `problems` tells what the last write and the last read met.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._unwritten: Problem | None = None
        self._unread: tuple[Problem, ...] = ()

    @property
    def problems(self) -> tuple[Problem, ...]:
        return self._unread if self._unwritten is None else (self._unwritten, *self._unread)

    def write_intent(self, intent: Intent) -> None:
        self._append(_Line(schema=SCHEMA, intent=intent))

    def write_receipt(self, receipt: Receipt) -> None:
        self._append(_Line(schema=SCHEMA, receipt=receipt))

    def write_return(self, returned: Return) -> None:
        self._append(_Line(schema=SCHEMA, returned=returned))

    def receipts(self, limit: int) -> tuple[Receipt, ...]:
        """Return the newest receipts, newest first, each with what did not stay gone."""
        found: list[Receipt] = []
        returns: dict[str, tuple[Return, ...]] = {}
        for line in self._lines():
            if line.receipt is not None:
                found.append(line.receipt)
            if line.returned is not None:
                known = returns.get(line.returned.receipt_id, ())
                returns[line.returned.receipt_id] = (*known, line.returned)
        newest = reversed(found[-limit:]) if limit > 0 else ()
        return tuple(replace(receipt, returns=returns.get(receipt.receipt_id, ())) for receipt in newest)

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
        try:
            self._write(msgspec.json.encode(line) + b"\n")
        except OSError as error:
            what = f"it could not be written ({error.strerror or error})"
            mend = "Nothing is released or ended until it can be: make room, or let this user write there."
            self._unwritten = Problem(where=str(self.path), what=what, mend=mend)
            raise
        self._unwritten = None

    def _write(self, data: bytes) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            if self._is_cut(descriptor):
                data = b"\n" + data
            while data:
                data = data[os.write(descriptor, data) :]
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

    def _lines(self) -> list[_Line]:
        """Read all lines that hold; those that do not become problems."""
        lines: list[_Line] = []
        unread: list[Problem] = []
        for number, data in enumerate(self._read().split(b"\n"), start=1):
            if not data.strip():
                continue
            try:
                line = msgspec.json.decode(data, type=_Line)
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                unread.append(self._passed_over(number, f"cannot be read ({error})"))
                continue
            if line.schema > SCHEMA:
                unread.append(self._passed_over(number, f"was written by a newer version (schema {line.schema})"))
            else:
                lines.append(line)
        self._unread = tuple(unread)
        return lines

    def _read(self) -> bytes:
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            return b""

    def _passed_over(self, number: int, what: str) -> Problem:
        mend = "It is left as it is and passed over; the other entries hold."
        return Problem(where=str(self.path), what=f"line {number} {what}", mend=mend)
