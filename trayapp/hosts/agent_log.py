"""The log that an agent writes line by line, followed as it grows: whose turn it is, which calls are open, since when.

Shared by the hosts whose agents are single programs with a log of JSON lines; each says in a `Follower` what its
records mean. Must not know any of these hosts. A log is read whole once where it is short, else at both ends, and after
that only what was added. No modification time ever counts as activity, and texts of messages are not decoded.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from trayapp.hosts.files import Stamp, Witness, read_head, read_tail
from trayapp.model.session import Evidence, EvidenceKind, Speaks
from trayapp.say import noted

WHOLE_BYTES = 4 * 1024 * 1024
TAIL_BYTES = 128 * 1024
HEAD_BYTES = 64 * 1024
RACE_S = 2.0
"""Times that a host and the kernel give for the same moment differ by less than this."""
_TELLING = 8
"""So many records of unknown kinds, and none of a turn, are not the beginning of a log but another kind of log."""
_LATEST_S = 4e9
_MILLISECONDS_FROM = 1e11


class Turn(Enum):
    """Whose turn it is, as the end of a log says."""

    NEW = "no turn has begun yet"
    OPEN = "the agent's"
    CALLING = "a tool's: its call has no result yet"
    ASKS = "the user's: it asked something"
    ENDED = "the user's"


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """Hold what one log says.

    Attributes:
        turn: None where no record in the part that was read tells.
        turn_epoch_s: the time of the record that told it; of an open turn, of its newest record.
        calls: names of tools without a result.
        began_epoch_s: the time that the first record gives.
        tokens: what was used in all; None where that is not in the part that was read.
        strange: the field that is missing or of another shape than is known; then nothing else of it counts.
        damaged_lines: whole lines that are no JSON.
    """

    session_id: str | None = None
    title: str | None = None
    cwd: str | None = None
    model: str | None = None
    version: str | None = None
    tokens: int | None = None
    turn: Turn | None = None
    turn_epoch_s: float | None = None
    calls: tuple[str, ...] = ()
    began_epoch_s: float | None = None
    last_activity_epoch_s: float | None = None
    strange: str | None = None
    damaged_lines: int = 0

    @property
    def is_open(self) -> bool:
        """Say whether a turn runs or a question stands, as far as the log goes."""
        return self.turn in (Turn.OPEN, Turn.CALLING, Turn.ASKS) and self.strange is None


R = TypeVar("R", bound=msgspec.Struct)


class Follower(ABC, Generic[R]):
    """Follow the records of one log in their order; a host's own one says in `take` what a record means.

    Attributes:
        tokens: None once a part of the log was not read and no record tells a total.
    """

    decoder: ClassVar[msgspec.json.Decoder[Any]]

    def __init__(self) -> None:
        self.session_id: str | None = None
        self.title: str | None = None
        self.cwd: str | None = None
        self.model: str | None = None
        self.version: str | None = None
        self.tokens: int | None = 0
        self.turn: Turn | None = None
        self.turn_epoch_s: float | None = None
        self.calls: dict[str, str] = {}
        self.began_epoch_s: float | None = None
        self.last_activity_epoch_s: float | None = None
        self._records = self._timed = self._known = self._damaged = 0
        self._tells_turns = False
        self._misfit: str | None = None

    @abstractmethod
    def take(self, record: R) -> bool:
        """Take one record; say whether it is of a kind that is known."""

    @abstractmethod
    def time_of(self, record: R) -> float | None:
        """Return the time that a record carries, in seconds since the epoch."""

    def line(self, line: bytes) -> None:
        """Take one whole line."""
        if not line.strip():
            return
        try:
            record = self.decoder.decode(line)
        except msgspec.ValidationError as fault:
            self._misfit = lacking_field(fault)
            return
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            self._damaged += 1
            return
        self._records += 1
        at = self.time_of(record)
        self._timed += at is not None
        if self.began_epoch_s is None:
            self.began_epoch_s = at
        self._known += self.take(record)

    def misses(self, name: str) -> bool:
        """Note that a record lacks a field or has it in another shape; for `take` to return."""
        self._misfit = name
        return False

    def skip(self) -> None:
        """Forget what the first record of a long log said of turns and totals: what follows it is not read."""
        self.turn = self.turn_epoch_s = self.last_activity_epoch_s = self.tokens = None
        self.calls.clear()

    def note(self, turn: Turn | None, at: float | None) -> None:
        """Note whose turn it is from now on, or with None that it goes on as it is."""
        if turn is not None:
            self.turn, self._misfit = turn, None
            self._tells_turns |= turn is not Turn.NEW
        if at is not None:
            self.turn_epoch_s = at
            self.last_activity_epoch_s = max(at, self.last_activity_epoch_s or at)

    def add_tokens(self, count: int) -> None:
        """Count what one call of the model used."""
        if self.tokens is not None:
            self.tokens += max(0, count)

    def log(self) -> Log:
        """Return what was understood so far."""
        return Log(
            session_id=self.session_id,
            title=one_line(self.title),
            cwd=self.cwd,
            model=one_line(self.model),
            version=one_line(self.version),
            tokens=self.tokens,
            turn=self.turn,
            turn_epoch_s=self.turn_epoch_s,
            calls=tuple(sorted(set(self.calls.values()))),
            began_epoch_s=self.began_epoch_s,
            last_activity_epoch_s=self.last_activity_epoch_s,
            strange=self._strange(),
            damaged_lines=self._damaged,
        )

    def _strange(self) -> str | None:
        if self._misfit is not None:
            return self._misfit
        if self._records == 0:
            return "JSON lines" if self._damaged > 1 else None
        if self._timed == 0:
            return "timestamp"
        unknown = self._records - self._known
        if not self._tells_turns and unknown >= _TELLING:
            return "type"
        return None


def lacking_field(fault: msgspec.ValidationError) -> str:
    """Return the field that a fault is about: what is in quotes after "missing", else the path in the record."""
    text = str(fault)
    what, _, path = text.partition(" - at `$")
    parts = [part for part in path.rstrip("`").strip(".").split(".") if part]
    if "missing required field" in what:
        parts.append(what.rpartition("field ")[2].strip("`"))
    return ".".join(parts) or "type"


@dataclass(slots=True)
class _Kept:
    """A log that was read up to a byte, and who followed it there."""

    stamp: Stamp
    offset: int
    follower: Follower[Any]
    log: Log
    used: bool = True


@dataclass(slots=True)
class Logs:
    """Keep the logs that were read, so that nothing is read twice."""

    _kept: dict[Path, _Kept] = field(default_factory=dict)

    def read(self, path: Path, make: Callable[[], Follower[Any]], files: Witness) -> Log | None:
        """Return what a log says now; None where there is none. Raises OSError where it cannot be read."""
        stamp = files.stamp(path)
        if stamp is None:
            self._kept.pop(path, None)
            return None
        kept = self._kept.get(path)
        if kept is None or not self._grown(path, kept, stamp):
            kept = self._kept[path] = _from_its_beginning(path, make, stamp)
        kept.used = True
        return kept.log

    def forget_unused(self) -> None:
        """Drop what was not asked for since the last call."""
        self._kept = {path: kept for path, kept in self._kept.items() if kept.used}
        for kept in self._kept.values():
            kept.used = False

    def _grown(self, path: Path, kept: _Kept, stamp: Stamp) -> bool:
        """Read what was added; False where the file has to be read anew."""
        if kept.stamp == stamp:
            return True
        if kept.stamp.inode != stamp.inode or not kept.offset <= stamp.size_bytes <= kept.offset + WHOLE_BYTES:
            return False
        if stamp.size_bytes == kept.stamp.size_bytes:
            return False  # written over
        tail = read_tail(path, limit_bytes=stamp.size_bytes - kept.offset)
        if tail.offset != kept.offset:  # it grew once more meanwhile
            tail = read_tail(path, limit_bytes=tail.size_bytes - kept.offset)
            if tail.offset != kept.offset:
                return False
        kept.offset += _feed(kept.follower, tail.data)
        kept.stamp, kept.log = stamp, kept.follower.log()
        return True


def _from_its_beginning(path: Path, make: Callable[[], Follower[Any]], stamp: Stamp) -> _Kept:
    limit_bytes = WHOLE_BYTES if stamp.size_bytes <= WHOLE_BYTES else TAIL_BYTES
    while True:
        tail = read_tail(path, limit_bytes=limit_bytes)
        follower, data, offset = make(), tail.data, tail.offset
        if tail.offset > 0:
            follower.line(read_head(path, limit_bytes=HEAD_BYTES).split(b"\n", 1)[0])
            follower.skip()
            cut = data.find(b"\n") + 1 or len(data)
            data, offset = data[cut:], offset + cut
        offset += _feed(follower, data)
        if follower.turn is not None or tail.offset == 0 or limit_bytes >= WHOLE_BYTES:
            return _Kept(stamp, offset, follower, follower.log())
        limit_bytes *= 4


def _feed(follower: Follower[Any], data: bytes) -> int:
    """Hand on whole lines, and a last one that is whole but for its end; return how many bytes these were."""
    lines = data.split(b"\n")
    for line in lines[:-1]:
        follower.line(line)
    last = lines[-1]
    if last.strip():
        try:
            msgspec.json.decode(last)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return len(data) - len(last)
        follower.line(last)
    return len(data)


def evidence_of(log: Log, *, began_epoch_s: float, source: str = "log") -> list[Evidence]:
    """Say what a log speaks for; `began_epoch_s` is the start of the process that serves the session now."""
    if log.strange is not None or log.turn is None:
        return []
    at = log.turn_epoch_s

    def told(speaks_for: Speaks, fact: str, kind: EvidenceKind = EvidenceKind.TURN) -> list[Evidence]:
        return [Evidence(kind=kind, speaks_for=speaks_for, fact=fact, source=source, at_epoch_s=at)]

    if log.turn is Turn.NEW:
        return told(Speaks.IDLE, noted("No turn has begun yet"))
    if log.turn is Turn.ENDED:
        return told(Speaks.IDLE, noted("The turn ended"))
    if at is not None and at < began_epoch_s - RACE_S:
        return told(Speaks.IDLE, noted("The last turn was cut off before this process began"))
    if log.turn is Turn.ASKS:
        return told(Speaks.WAITING, noted("It waits for your answer"), EvidenceKind.QUESTION)
    if log.turn is Turn.CALLING:
        names = ", ".join(name[:40] for name in log.calls[:3])
        fact = noted("A tool call has no result yet")
        if names:
            fact = noted("A tool call has no result yet: {names}").format(names=names)
        return told(Speaks.BUSY, fact, EvidenceKind.TOOL_CALL)
    return told(Speaks.BUSY, noted("A turn runs"))


def epoch_s(value: object) -> float | None:
    """Return seconds since the epoch from RFC 3339 with a zone, or from a number of seconds or milliseconds."""
    if isinstance(value, str):
        try:
            parsed = datetime.fromisoformat(value)
        except ValueError:
            return None
        seconds = parsed.timestamp() if parsed.tzinfo is not None else 0.0
    elif isinstance(value, int | float) and not isinstance(value, bool):
        seconds = value / 1000 if value >= _MILLISECONDS_FROM else float(value)
    else:
        return None
    return seconds if 0 < seconds < _LATEST_S else None


def one_line(text: str | None) -> str | None:
    """Return a text as one line of signs that can be shown, cut at 200."""
    if text is None:
        return None
    return "".join(sign for sign in " ".join(text[:500].split())[:200] if sign.isprintable()) or None
