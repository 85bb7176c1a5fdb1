"""Captures: what the pipeline read over a number of ticks, in a small file without names, and the same said again.

A capture is gzip-compressed JSON lines. The first is the head (schema, what was remembered), then one for each tick,
then one that says how many there were, so that a cut file is known for one. A tick tells what changed since the one
before: fields of processes, and for each host the values that are new (a value is written once and then named by its
number). Only what redaction.py lets through is written. docs/reporting.md describes it for users.
"""

from __future__ import annotations

import contextlib
import gzip
import os
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, TypeVar, cast

import msgspec

from trayapp import __version__
from trayapp.attribution import Lineage
from trayapp.model.process import Identity, Machine, Process, ProcessTable
from trayapp.model.session import Claim, HostInstance, HostLabel, Observation, Problem, SessionFact
from trayapp.model.snapshot import Snapshot
from trayapp.pipeline import Footprints, Inputs, Memory, conclude
from trayapp.reclaim.plan import Rules
from trayapp.redaction import MIB, Redactor

SCHEMA = 2
LONGEST_LINE_BYTES = 256 * MIB
"""A longer line is no capture; it would only fill the memory."""

_NAME_ANOTHER = "Name a file of `agentring record`"

T = TypeVar("T")
_JSON = dict[str, Any]


class CaptureUnreadable(Exception):
    """The file is no whole capture of this schema; the message names the file, the fault and the mend."""

    def __init__(self, path: Path, what: str, mend: str = "Record it again") -> None:
        super().__init__(f"{path}: {what}. {mend}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """Tell what was written."""

    path: Path
    ticks: int
    size_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """Hold one tick of a capture."""

    inputs: Inputs
    footprints: Footprints

    def measure(self, _wanted: Collection[Identity]) -> Footprints:
        """Answer as the probe did."""
        return self.footprints


class _Head(msgspec.Struct, omit_defaults=True):
    capture: int
    program: str
    lineage: list[tuple[Identity, Lineage]] = []


class _Frame(msgspec.Struct, omit_defaults=True):
    """What hardly ever changes: the fields of a table beside its processes, the rules, how hosts are called."""

    own_pid: int
    own_uid: int | None
    own_pid_namespace: int | None
    reaper_pids: list[int]
    absent_pids: list[int]
    complete: bool
    footprint_metric: str | None
    machine: Machine
    rules: Rules
    labels: list[HostLabel]


class _Told(msgspec.Struct, omit_defaults=True):
    """What one host told: numbers of values. None = as in the tick before; `at` is when it was read."""

    host: str
    at: float
    instances: list[int] | None = None
    sessions: list[int] | None = None
    claims: list[int] | None = None
    problems: list[int] | None = None


class _Tick(msgspec.Struct, omit_defaults=True):
    at: datetime
    mono: float
    up: float
    now: float
    free: int
    frame: _Frame | None = None
    values: list[Any] = []
    changed: dict[str, _JSON] = {}
    gone: list[int] = []
    sizes: dict[str, int | None] = {}
    told: list[_Told] = []
    stale: dict[str, float | None] = {}
    silent: list[HostInstance] = []
    problems: list[Problem] = []
    paused: bool = False


class _End(msgspec.Struct):
    end: int


# -- writing ----------------------------------------------------------------------------------------------------------


class Writer:
    """Write a capture. The file appears whole when the `with` block ends without an error, or not at all.

    `write` may be called from another thread than the rest, one call at a time. Raises OSError.
    """

    def __init__(self, path: Path, redactor: Redactor) -> None:
        self.path = path
        self.ticks = 0
        self._redactor = redactor
        self._part = path.with_name(f".{path.name}.{os.getpid()}.part")
        self._encoder = _Encoder()
        self._raw: BinaryIO | None = None
        self._file: gzip.GzipFile | None = None

    def __enter__(self) -> Writer:
        descriptor = os.open(self._part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        self._raw = os.fdopen(descriptor, "wb")
        # neither a name nor a time of this computer in the header
        self._file = gzip.GzipFile(filename="", mode="wb", fileobj=self._raw, mtime=0)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._line(_End(end=self.ticks))
            self._close()
            if kind is None:
                self._part.replace(self.path)
        finally:
            with contextlib.suppress(OSError):  # what failed before is what is told
                self._close()
            self._part.unlink(missing_ok=True)

    def write(self, inputs: Inputs, footprints: Footprints, memory: Memory) -> None:
        """Append one tick; the first one's memory is what the capture begins with."""
        redacted = self._redactor.inputs(inputs)
        if self.ticks == 0:
            lineage = self._redactor.lineage(memory.lineage)
            self._line(_Head(capture=SCHEMA, program=__version__, lineage=list(lineage.items())))
        self._line(self._encoder.tick(redacted, self._redactor.footprints(footprints)))
        self.ticks += 1

    @property
    def recorded(self) -> Recorded:
        return Recorded(path=self.path, ticks=self.ticks, size_bytes=self.path.stat().st_size)

    def _line(self, line: msgspec.Struct) -> None:
        assert self._file is not None
        self._file.write(msgspec.json.encode(line) + b"\n")

    def _close(self) -> None:
        file, raw, self._file, self._raw = self._file, self._raw, None, None
        try:
            if file is not None:
                file.close()
        finally:
            if raw is not None:
                raw.close()


class _Encoder:
    """Turn ticks into what changed since the one before."""

    def __init__(self) -> None:
        self._frame: _Frame | None = None
        self._processes: Mapping[int, Process] = {}
        self._fields: dict[int, _JSON] = {}
        self._sizes: Mapping[int, int] = {}
        self._numbers: dict[bytes, int] = {}
        self._told: dict[str, _Told] = {}

    def tick(self, inputs: Inputs, footprints: Footprints) -> _Tick:
        table = inputs.table
        frame = _frame(inputs)
        sizes = {identity.pid: size for identity, size in footprints.items()}
        values: list[Any] = []
        tick = _Tick(
            at=table.taken_at,
            mono=table.monotonic_s,
            up=table.uptime_s,
            now=inputs.now_epoch_s,
            free=table.machine.memory_available_bytes // MIB,
            frame=frame if frame != self._frame else None,
            gone=[pid for pid in self._processes if pid not in table.processes],
            changed=self._changed(table),
            sizes=_difference(self._sizes, sizes),
            told=[self._tell(observation, values) for observation in inputs.observations],
            values=values,
            stale={host: None if age_s == float("inf") else age_s for host, age_s in inputs.stale_s.items()},
            silent=list(inputs.silent),
            problems=list(inputs.problems),
            paused=inputs.paused,
        )
        self._frame, self._processes, self._sizes = frame, table.processes, sizes
        return tick

    def _changed(self, table: ProcessTable) -> dict[str, _JSON]:
        changed: dict[str, _JSON] = {}
        self._fields = {pid: fields for pid, fields in self._fields.items() if pid in table.processes}
        for pid, process in table.processes.items():
            if self._processes.get(pid) == process:
                continue
            fields = _known(msgspec.to_builtins(process))
            before = self._fields.get(pid, {})
            if before != fields:
                gone = dict.fromkeys(before.keys() - fields.keys())
                changed[str(pid)] = {n: v for n, v in fields.items() if before.get(n) != v} | gone
                self._fields[pid] = fields
        return changed

    def _tell(self, seen: Observation, values: list[Any]) -> _Told:
        numbers: dict[str, list[int]] = {
            "instances": [self._number(instance, seen, values) for instance in seen.instances],
            "sessions": [self._number(fact, seen, values) for fact in seen.sessions],
            "claims": [self._number(claim, seen, values) for claim in seen.claims],
            "problems": [self._number(problem, seen, values) for problem in seen.problems],
        }
        now = _Told(host=seen.host, at=seen.read_epoch_s, **numbers)
        before = self._told.get(seen.host)
        self._told[seen.host] = now
        if before is None:
            return now
        news = {name: value for name, value in numbers.items() if getattr(before, name) != value}
        return _Told(host=seen.host, at=seen.read_epoch_s, **news)

    def _number(self, value: object, seen: Observation, values: list[Any]) -> int:
        """Return the number of a value, which is written if it is new."""
        fields = _known(msgspec.to_builtins(value))
        for evidence in fields.get("evidence", ()):
            # read anew at each look, and then a new value each time
            if evidence.get("read_epoch_s") == seen.read_epoch_s:
                evidence["read_epoch_s"] = -1
        encoded = msgspec.json.encode(fields)
        number = self._numbers.get(encoded)
        if number is None:
            number = self._numbers[encoded] = len(self._numbers)
            values.append(fields)
        return number


def _frame(inputs: Inputs) -> _Frame:
    table = inputs.table
    return _Frame(
        own_pid=table.own_pid,
        own_uid=table.own_uid,
        own_pid_namespace=table.own_pid_namespace,
        reaper_pids=sorted(table.reaper_pids),
        absent_pids=sorted(table.absent_pids),
        complete=table.complete,
        footprint_metric=table.footprint_metric,
        machine=replace(table.machine, memory_available_bytes=0),
        rules=inputs.rules,
        labels=list(inputs.labels),
    )


def _known(value: Any) -> Any:
    """Leave out, at every depth, what is None: it is what a missing field is read as."""
    if isinstance(value, dict):
        return {name: _known(each) for name, each in value.items() if each is not None}
    if isinstance(value, (list, tuple)):
        return [_known(each) for each in value]
    return value


def _difference(before: Mapping[int, int], now: Mapping[int, int]) -> dict[str, int | None]:
    changed: dict[str, int | None] = {str(pid): size for pid, size in now.items() if before.get(pid) != size}
    return changed | {str(pid): None for pid in before if pid not in now}


# -- reading ----------------------------------------------------------------------------------------------------------


class Capture:
    """Read a capture; `ticks` can be gone through once. Both raise CaptureUnreadable.

    Attributes:
        lineage: what was remembered when it began.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lines = _lines(path)
        first = next(self._lines, None)
        if first is None:
            raise CaptureUnreadable(path, "it is empty")
        self._refuse_other_schemas(first)
        head = self._decoded(first, _Head, 1)
        self.lineage = dict(head.lineage)

    def _refuse_other_schemas(self, first: bytes) -> None:
        try:
            schema = msgspec.json.decode(first, type=dict[str, msgspec.Raw]).get("capture")
        except (msgspec.MsgspecError, UnicodeDecodeError):
            schema = None
        if schema is None:
            raise CaptureUnreadable(self.path, "it is not a capture of Agent Ring", _NAME_ANOTHER)
        if bytes(schema) != str(SCHEMA).encode():
            what = f"its schema is {bytes(schema)[:20].decode(errors='replace')}, this Agent Ring reads {SCHEMA}"
            raise CaptureUnreadable(
                self.path, what, "Record it again" if bytes(schema) == b"1" else "Update Agent Ring"
            )

    def ticks(self) -> Iterator[Tick]:
        decoder = _Decoder()
        number = 1
        for count, line in enumerate(self._lines):
            number = count + 2
            if line.startswith(b'{"end":'):
                if self._decoded(line, _End, number).end != count or next(self._lines, None) is not None:
                    raise CaptureUnreadable(self.path, f"line {number} counts other looks than there are")
                return
            tick = self._decoded(line, _Tick, number)
            try:
                decoded = decoder.tick(tick)
            except (msgspec.MsgspecError, KeyError, IndexError, ValueError, TypeError) as error:
                raise CaptureUnreadable(self.path, f"line {number} does not fit those before it ({error})") from error
            yield decoded
        raise CaptureUnreadable(self.path, f"it is cut off after line {number}")

    def _decoded(self, line: bytes, kind: type[T], number: int) -> T:
        try:
            return msgspec.json.decode(line, type=kind)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise CaptureUnreadable(self.path, f"line {number} cannot be read ({error})") from error


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with gzip.open(path) as file:
            while line := file.readline(LONGEST_LINE_BYTES):
                if not line.endswith(b"\n"):
                    raise CaptureUnreadable(path, "it is cut off or damaged")
                yield line
    except (OSError, EOFError, zlib.error) as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: Exception) -> CaptureUnreadable:
    if isinstance(error, gzip.BadGzipFile):
        return CaptureUnreadable(path, f"it is not a capture, or a damaged one ({error})", _NAME_ANOTHER)
    if isinstance(error, OSError):
        return CaptureUnreadable(path, f"it cannot be read ({error.strerror or error})", _NAME_ANOTHER)
    return CaptureUnreadable(path, "it is cut off or damaged")


class _Decoder:
    """Put ticks together again from what changed."""

    def __init__(self) -> None:
        self._frame: _Frame | None = None
        self._processes: dict[int, _JSON] = {}
        self._sizes: dict[int, int] = {}
        self._values: list[_JSON] = []
        self._told: dict[str, _Told] = {}

    def tick(self, tick: _Tick) -> Tick:
        self._frame = tick.frame or self._frame
        if self._frame is None:
            raise ValueError("nothing is told of the machine")
        for pid in tick.gone:
            del self._processes[pid]
        for text, fields in tick.changed.items():
            known = self._processes.get(int(text), {}) | fields
            self._processes[int(text)] = {name: value for name, value in known.items() if value is not None}
        for text, size in tick.sizes.items():
            if size is None:
                del self._sizes[int(text)]
            else:
                self._sizes[int(text)] = size
        self._values.extend(tick.values)
        table = self._table(tick, self._frame)
        inputs = Inputs(
            table=table,
            observations=tuple(self._observation(told) for told in tick.told),
            labels=tuple(self._frame.labels),
            rules=self._frame.rules,
            now_epoch_s=tick.now,
            stale_s={host: float("inf") if age_s is None else age_s for host, age_s in tick.stale.items()},
            silent=tuple(tick.silent),
            problems=tuple(tick.problems),
            paused=tick.paused,
        )
        footprints = {table.processes[pid].identity: size for pid, size in self._sizes.items()}
        return Tick(inputs=inputs, footprints=footprints)

    def _table(self, tick: _Tick, frame: _Frame) -> ProcessTable:
        return ProcessTable(
            processes={pid: self._process(fields, tick) for pid, fields in sorted(self._processes.items())},
            taken_at=tick.at,
            monotonic_s=tick.mono,
            uptime_s=tick.up,
            machine=replace(frame.machine, memory_available_bytes=tick.free * MIB),
            own_pid=frame.own_pid,
            own_uid=frame.own_uid,
            own_pid_namespace=frame.own_pid_namespace,
            reaper_pids=frozenset(frame.reaper_pids),
            absent_pids=frozenset(frame.absent_pids),
            complete=frame.complete,
            footprint_metric=frame.footprint_metric,
        )

    def _process(self, fields: _JSON, tick: _Tick) -> Process:
        return msgspec.convert(fields, Process)

    def _observation(self, told: _Told) -> Observation:
        before = self._told.get(told.host)
        if before is not None:
            known = {n: v for n in ("instances", "sessions", "claims", "problems") if (v := getattr(before, n))}
            news = {
                n: v for n in ("instances", "sessions", "claims", "problems") if (v := getattr(told, n)) is not None
            }
            told = _Told(host=told.host, at=told.at, **cast("dict[str, list[int]]", known | news))
        self._told[told.host] = told
        return Observation(
            host=told.host,
            read_epoch_s=told.at,
            instances=self._of(told.instances, HostInstance, told),
            sessions=self._of(told.sessions, SessionFact, told),
            claims=self._of(told.claims, Claim, told),
            problems=self._of(told.problems, Problem, told),
        )

    def _of(self, numbers: Sequence[int] | None, kind: type[T], told: _Told) -> tuple[T, ...]:
        return tuple(msgspec.convert(_read_at(self._values[number], told.at), kind) for number in numbers or ())


def _read_at(fields: _JSON, at_epoch_s: float) -> _JSON:
    if "evidence" not in fields:
        return fields
    evidence = [e | {"read_epoch_s": at_epoch_s} if e.get("read_epoch_s") == -1 else e for e in fields["evidence"]]
    return fields | {"evidence": evidence}


# -- saying it again --------------------------------------------------------------------------------------------------


def replay(path: Path) -> Iterator[Snapshot]:
    """Run the pipeline over a capture: the snapshots that were seen, as they were seen. Raises CaptureUnreadable."""
    capture = Capture(path)
    memory = Memory(lineage=capture.lineage)
    for tick in capture.ticks():
        concluded = conclude(tick.inputs, memory, tick.measure)
        memory = concluded.memory
        yield concluded.snapshot
