"""What the files of a described host say: where they lie, what one record or the end of one log tells.

Knows nothing of processes but what is handed in. Reads the ends of logs only, and never a modification time as
evidence; of records only the described fields are kept.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import msgspec

from trayapp.hosts.described_form import Condition, Fields
from trayapp.hosts.files import Witness, read_head, read_tail
from trayapp.model.session import Drift, EvidenceKind, Speaks

RECORD_BYTES = 1024 * 1024
TAIL_BYTES = 128 * 1024
LONGEST_TAIL_BYTES = 4 * 1024 * 1024
HEAD_BYTES = 64 * 1024
NAMES_LIMIT = 20_000
PATHS_LIMIT = 20_000
_MILLISECONDS_FROM = 1e11
"""As seconds that would be in the year 5138."""
_LATEST_S = 4e9


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """Hold what a record or a log says of its session.

    Attributes:
        speaks_for, kind: BUSY = a turn is open, IDLE = it has ended, WAITING = it asks; None = no record tells.
        state_epoch_s: the time of the record that told that.
        began_epoch_s: the time of the first record of a log, or what a record gives as its start.
        drift: what is not of the described shape.
    """

    session_id: str | None = None
    title: str | None = None
    cwd: str | None = None
    model: str | None = None
    version: str | None = None
    tokens: int | None = None
    speaks_for: Speaks | None = None
    kind: EvidenceKind = EvidenceKind.TURN
    state_epoch_s: float | None = None
    last_activity_epoch_s: float | None = None
    began_epoch_s: float | None = None
    drift: Drift | None = None


def place(path: str, values: Mapping[str, str]) -> str:
    """Fill the words in braces of a path; one that is not told becomes "*"."""
    return re.sub(r"\{([^{}]*)\}", lambda found: values.get(found[1], "*"), path)


def words_of_cwd(cwd: str | None) -> dict[str, str]:
    """Return the names that hosts make of a working folder."""
    if not cwd or any(sign in cwd for sign in "*?[\0"):
        return {}
    trimmed = cwd.strip("/\\")
    return {
        "cwd-dashes": re.sub(r"[^A-Za-z0-9]", "-", cwd),
        "cwd-slug": re.sub(r"[/\\]+", "-", trimmed) or "root",
        "cwd-md5": hashlib.md5(cwd.encode("utf-8", "replace"), usedforsecurity=False).hexdigest(),
    }


def find(path: str, files: Witness) -> Iterator[Path]:
    """Yield the files that a path with "*" in its elements names, at most PATHS_LIMIT; OSError for unreadable folders.

    Only folders are noted by `files`: a file that is taken is noted when it is read.
    """
    parts = Path(path).parts
    fixed = next((i for i, part in enumerate(parts) if "*" in part), len(parts))
    yield from _below(Path(*parts[:fixed]), parts[fixed:], files, [PATHS_LIMIT])


def _below(folder: Path, parts: Sequence[str], files: Witness, left: list[int]) -> Iterator[Path]:
    if not parts:
        yield folder
        return
    if "*" not in parts[0]:
        yield from _below(folder / parts[0], parts[1:], files, left)
        return
    for name in sorted(files.names_in(folder, limit=NAMES_LIMIT)):
        if left[0] <= 0:
            return
        if fnmatchcase(name, parts[0]) and not (name.startswith(".") and not parts[0].startswith(".")):
            left[0] -= 1
            yield from _below(folder / name, parts[1:], files, left)


def id_in_path(path: Path, pattern: str) -> str | None:
    """Return what stands in a file's path where the pattern has {session}."""
    parts, wanted = path.parts, Path(pattern).parts
    for back in range(1, min(len(parts), len(wanted)) + 1):
        if "{session}" in wanted[-back]:
            form = re.escape(wanted[-back]).replace(re.escape("{session}"), "(?P<id>.+)", 1)
            form = re.sub(r"\\\{[^{}]*\\\}|\\\*", ".*", form)
            found = re.fullmatch(form, parts[-back])
            return found["id"] if found is not None else None
    return None


def read_record(path: Path, fields: Fields, files: Witness) -> Told | None:
    """Read a file of one JSON record; None where there is none. Raises OSError where it cannot be read."""
    if files.stamp(path) is None:
        return None
    try:
        record = msgspec.json.decode(files.read_whole(path, limit_bytes=RECORD_BYTES))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return Told(drift=Drift(version=None, where=str(path), field="JSON"))
    return told_of_record(record, fields, str(path))


def told_of_record(record: Any, fields: Fields, where: str) -> Told:
    """Return what one record says, with what is missing in it."""
    version = text_at(record, fields.version)
    at = time_at(record, fields.time)
    state = state_of(record, fields)
    lacking: str | None = None
    if not isinstance(record, dict):
        lacking = "JSON object"
    elif fields.session is not None and text_at(record, fields.session) is None:
        lacking = ".".join(fields.session)
    elif fields.tells_state and state is None:
        told = next((field for group in (fields.finished, fields.open) for one in group for field, _ in one), None)
        lacking = ".".join(told or ("state",))
    elif fields.tells_state and at is None:
        lacking = ".".join(fields.time or ("time",))
    speaks_for, kind = state or (None, EvidenceKind.HOST_STATUS)
    return Told(
        session_id=text_at(record, fields.session),
        title=text_at(record, fields.title),
        cwd=text_at(record, fields.cwd),
        model=text_at(record, fields.model),
        version=version,
        tokens=tokens_at(record, fields.tokens),
        speaks_for=speaks_for,
        kind=EvidenceKind.HOST_STATUS if kind is EvidenceKind.TURN else kind,
        state_epoch_s=at,
        last_activity_epoch_s=at,
        began_epoch_s=time_at(record, fields.started),
        drift=Drift(version=version, where=where, field=lacking) if lacking is not None else None,
    )


def read_log(path: Path, fields: Fields) -> Told:
    """Read the beginning and the end of a log of JSON lines. Raises OSError where it cannot be read."""
    limit_bytes = TAIL_BYTES
    while True:
        tail = read_tail(path, limit_bytes=limit_bytes)
        reader = _Lines(fields, str(path))
        if tail.offset > 0:
            head = read_head(path, limit_bytes=HEAD_BYTES).split(b"\n", 1)[0]
            reader.take(head, is_whole=False)
            reader.forget_state()
        lines = tail.data.split(b"\n")
        for line in lines[1 if tail.offset > 0 else 0 : -1]:
            reader.take(line)
        reader.take(lines[-1], is_whole=False)
        found = reader.result()
        if found.speaks_for is not None or tail.offset == 0 or limit_bytes >= LONGEST_TAIL_BYTES:
            return found
        limit_bytes *= 4


def read_beginning(path: Path, fields: Fields) -> Told:
    """Read only the first record of a log. Raises OSError where it cannot be read."""
    reader = _Lines(fields, str(path))
    reader.take(read_head(path, limit_bytes=HEAD_BYTES).split(b"\n", 1)[0], is_whole=False)
    return reader.result()


class _Lines:
    """Follow the records of one log in their order."""

    def __init__(self, fields: Fields, where: str) -> None:
        self._fields = fields
        self._where = where
        self._told: dict[str, Any] = {}
        self._whole = self._records = self._timed = 0

    def take(self, line: bytes, *, is_whole: bool = True) -> None:
        if not line.strip():
            return
        try:
            record = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            self._whole += is_whole
            return
        self._whole += 1
        if not isinstance(record, dict):
            return
        fields, told = self._fields, self._told
        self._records += 1
        at = time_at(record, fields.time)
        if at is not None:
            self._timed += 1
            told.setdefault("began_epoch_s", at)
            told["last_activity_epoch_s"] = max(at, told.get("last_activity_epoch_s", at))
        for name, where in (
            ("title", fields.title),
            ("cwd", fields.cwd),
            ("model", fields.model),
            ("version", fields.version),
            ("session_id", fields.session),
        ):
            value = text_at(record, where)
            if value is not None:
                told[name] = value
        tokens = tokens_at(record, fields.tokens)
        if tokens is not None:
            told["tokens"] = tokens
        state = state_of(record, fields)
        if state is not None and at is not None:
            told["speaks_for"], told["kind"] = state
            told["state_epoch_s"] = at
        elif at is not None and told.get("speaks_for") is Speaks.BUSY:
            told["state_epoch_s"] = at  # the newest record of a turn that is still open

    def forget_state(self) -> None:
        """Drop what the first record of a long log said of turns and activity: it is not the newest."""
        for name in ("speaks_for", "kind", "state_epoch_s", "last_activity_epoch_s"):
            self._told.pop(name, None)

    def result(self) -> Told:
        lacking: str | None = None
        if self._whole and not self._records:
            lacking = "JSON lines"
        elif self._records and not self._timed and self._fields.time is not None:
            lacking = ".".join(self._fields.time)
        version = self._told.get("version")
        drift = Drift(version=version, where=self._where, field=lacking) if lacking is not None else None
        return Told(**self._told, drift=drift)


# ---------------------------------------------------------------------------------------------------------- fields


def at_field(record: Any, field: Sequence[str] | None) -> Any:
    """Return what stands at a path into a record; None where nothing does."""
    if field is None:
        return None
    for name in field:
        if not isinstance(record, dict):
            return None
        record = record.get(name)
    return record


def text_at(record: Any, field: Sequence[str] | None) -> str | None:
    """Return a text of one line, cut at 500 signs; numbers count as text."""
    value = at_field(record, field)
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    text = " ".join(str(value).split())[:500]
    return "".join(sign for sign in text if sign.isprintable()) or None


def time_at(record: Any, field: Sequence[str] | None) -> float | None:
    """Return seconds since the epoch from RFC 3339 with a zone, or from a number of seconds or milliseconds."""
    value = at_field(record, field)
    if isinstance(value, str):
        try:
            parsed = datetime.fromisoformat(value)
        except ValueError:
            return None
        return parsed.timestamp() if parsed.tzinfo is not None else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if not -_MILLISECONDS_FROM * 1000 < value < _MILLISECONDS_FROM * 1000:
        return None
    seconds = value / 1000 if value >= _MILLISECONDS_FROM else float(value)
    return seconds if 0 < seconds < _LATEST_S else None


def tokens_at(record: Any, fields: Sequence[Sequence[str]]) -> int | None:
    """Return the sum of the counts that stand in these fields; None where none does."""
    counts = [value for field in fields if isinstance(value := at_field(record, field), int) and value is not True]
    return sum(max(0, count) for count in counts) if counts else None


def state_of(record: Any, fields: Fields) -> tuple[Speaks, EvidenceKind] | None:
    """Return what a record means for the turn; a question goes before all else."""
    if _is_any(record, fields.waiting):
        return Speaks.WAITING, EvidenceKind.QUESTION
    if _is_any(record, fields.finished):
        return Speaks.IDLE, EvidenceKind.TURN
    if _is_any(record, fields.open):
        return Speaks.BUSY, EvidenceKind.TURN
    return None


def _is_any(record: Any, conditions: Sequence[Condition]) -> bool:
    return any(all(_is_one(at_field(record, field), values) for field, values in one) for one in conditions)


def _is_one(value: Any, wanted: Sequence[Any]) -> bool:
    return any(type(value) is type(each) and value == each for each in wanted)


def pid_in(text: bytes, field: Sequence[str] | None) -> int | None:
    """Return the process that a server's file names: a bare number, or what stands in a field of its JSON."""
    if field is None:
        stripped = text.strip()[:20]
        return int(stripped) if stripped.isdigit() else None
    try:
        value = at_field(msgspec.json.decode(text), field)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return value if isinstance(value, int) and value is not True and 0 < value < 2**31 else None
