"""The one writer of the history: gathers samples in memory and writes them in batches.

Knows what is kept of a snapshot. Measuring never depends on it: a full disk, a folder without the right to write or a
damaged file stops recording with one Problem, and recording goes on as soon as it can.

Stored times only ever rise. When the wall clock is set back, samples follow each other one second apart until it has
caught up; when it is set back by more than a day, the file is set aside and a new one begun.
"""

from __future__ import annotations

import sqlite3
import threading
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import gmtime, strftime
from typing import NamedTuple

from trayapp.history.packing import PACK_AFTER_S, pack_oldest
from trayapp.history.rollup import ID_BITS, LEVELS, SIX_HOURS, Level, Packed, roll_up
from trayapp.history.schema import (
    MOST_LIVES,
    STATE_CODES,
    HistoryError,
    NotAHistory,
    WriterLock,
    check,
    is_damage,
    open_for_writing,
    write_spans,
)
from trayapp.history.spans import SPAN_S, Figures, Span
from trayapp.model.process import Identity, Pressure
from trayapp.model.receipt import Fate, Receipt
from trayapp.model.series import Gap, GapKind
from trayapp.model.session import HostLabel, Problem, State
from trayapp.model.snapshot import Group, GroupKind, HeapUse, Member, Snapshot

FLUSH_S = 30.0
"""At most this much is lost when the program is killed."""

MISSING_S = 5.0
"""More wall-clock time than this between two samples, beyond the measured interval, is a gap."""

MAX_PENDING = 900
"""Samples kept in memory while the file cannot be written: half an hour at 2 s. Older ones are given up."""

MAX_STEP_BACK_S = 86_400

_SHORT = frozenset({Pressure.WARNING, Pressure.CRITICAL})

MOST_PRUNED = 20_000
"""Rows of a tier that one batch deletes at most: a shorter time to keep, or a clock gone wild, takes its time."""

PRUNE_S = 900
"""How often what is too old is deleted from all but the single samples, of which every batch deletes some."""

MOST_FREE_PAGES = 1_000
"""Pages that are kept for the next batches, and that are given back at most at once."""

LOOK_S = 60
"""How often the processes of all groups are looked through; one that lived shorter may not be remembered."""

LIVES_S = 600
"""How often the time is noted at which a process that stays was last seen."""

_ROWS_OF_PACK = 100
"""About so many rows of their own what a pack of samples holds would be."""

_DAY_S = 86_400

_NOTHING: Figures = (0, 0, 0, None, None, 0, None)


@dataclass(slots=True, eq=False)
class _Subject:
    """Hold what is known of one row of `subjects` and the span of equal samples that is open for it.

    Attributes:
        counts: it is recorded at all.
        sum: where its figures are added up.
        resting: the group that `figures` are of, if none of it works: the very same again has the same figures.
        counted: what of it is in that sum now.
        span: the figures of the open span; None = none is open.
        born_s: when it was first seen since it was last gone; peaks count from then on.
        members: as last seen, to be looked through when the batch is written.
        row: what is stored of it; for the one who writes only.
    """

    key: str
    kind: GroupKind | None
    kind_word: str
    sum: _Sum
    host: str | None = None
    session_id: str | None = None
    counts: bool = True
    title: str | None = None
    cwd: str | None = None
    state: State | None = None
    resting: Group | None = None
    figures: Figures = _NOTHING
    counted: Figures | None = None
    span: Figures | None = None
    first_s: int = 0
    last_s: int = -1
    more: int = 0
    born_s: int = -1
    peak_rss: int = -1
    peak_held: int = -1
    members: tuple[Member, ...] = ()
    row: _Row | None = None


class _Sum:
    """Add up what a host holds, by what changes from moment to moment; `subject` is whose sum it is, if a host's.

    Attributes:
        seen: how many parts were there at this moment.
        counted: how many are in the sum; when that differs, one is gone.
    """

    def __init__(self, kind_word: str = "", key: str = "", host: str | None = None) -> None:
        self.subject = _Subject(key=key, kind=None, kind_word=kind_word, host=host, sum=self) if kind_word else None
        self.seen = 0
        self.clear()

    def clear(self) -> None:
        """Begin at nothing."""
        self.counted = 0
        self._rss = self._held = self._unknown = self._processes = 0
        self._used = self._used_known = self._total = self._total_known = 0
        self._figures: Figures | None = None

    def put(self, figures: Figures, sign: int) -> None:
        """Add a part, or take it off with a sign of -1; of CPU only what is known counts."""
        rss, held, unknown, used, total, processes, _ = figures
        self.counted += sign
        self._rss += sign * rss
        self._held += sign * held
        self._unknown += sign * unknown
        self._processes += sign * processes
        if used is not None:
            self._used += sign * used
            self._used_known += sign
        if total is not None:
            self._total += sign * total
            self._total_known += sign
        self._figures = None

    def change(self, before: Figures, now: Figures) -> None:
        """Put a part in the place of what it was."""
        rss_then, held_then, unknown_then, used_then, total_then, processes_then, _ = before
        rss, held, unknown, used, total, processes, _ = now
        if used is None or used_then is None or total is None or total_then is None:
            self.put(before, -1)
            self.put(now, 1)
            return
        self._rss += rss - rss_then
        self._held += held - held_then
        self._unknown += unknown - unknown_then
        self._processes += processes - processes_then
        self._used += used - used_then
        self._total += total - total_then
        self._figures = None

    def figures(self) -> Figures:
        """Return the sum; the same object while nothing changed."""
        if self._figures is None:
            self._figures = (
                self._rss,
                self._held,
                int(self._unknown > 0),
                self._used if self._used_known else None,
                self._total if self._total_known else None,
                self._processes,
                None,
            )
        return self._figures


@dataclass(frozen=True, slots=True)
class _Tick:
    """Hold one measurement as a whole."""

    at_s: int
    machine: str
    footprint_metric: str | None
    interval_ms: int | None
    gap: Gap | None
    pressure: Pressure

    @property
    def since_s(self) -> int:
        """Return where its interval began."""
        return self.at_s - round((self.interval_ms or 0) / 1000)


class _Glimpse(NamedTuple):
    """What a subject was like when a batch ended, or when it was last seen in it."""

    subject: _Subject
    last_s: int
    state: int | None
    peak_rss: int
    peak_held: int
    title: str | None
    cwd: str | None


@dataclass(slots=True)
class _Batch:
    """Gather what one transaction writes."""

    ticks: list[_Tick] = field(default_factory=list)
    whose: list[_Subject] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    seen: list[_Glimpse] = field(default_factory=list)
    sightings: list[tuple[_Subject, int, tuple[Member, ...]]] = field(default_factory=list)
    limits: list[tuple[_Subject, int, int | None]] = field(default_factory=list)
    labels: tuple[HostLabel, ...] = ()


class HistoryStore:
    """Write snapshots and receipts to the file at `path`; every method may be called from any thread.

    Taking a snapshot in never waits for the disk when `hand_over` runs what it gets on another thread.

    Attributes:
        keep_days: older measurements are deleted with the next batches; may be set at any time.
    """

    def __init__(
        self,
        path: Path,
        *,
        now_epoch_s: Callable[[], float],
        keep_days: int = 365,
        hand_over: Callable[[Callable[[], None]], object] = lambda write: write(),
    ) -> None:
        self.keep_days = keep_days
        self._path = path
        self._now_epoch_s = now_epoch_s
        self._hand_over = hand_over
        # who holds both took the first one first; `_lock` is never held while the disk is waited for
        self._writing = threading.RLock()
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._writer_lock = WriterLock(path)
        self._handed = False
        self._batch = _Batch()
        self._batches: list[_Batch] = []
        self._receipts: list[Receipt] = []
        self._subjects: dict[str, _Subject] = {}
        self._sums: dict[str | None, _Sum] = {None: _Sum()}
        self._all = _Subject(key="total", kind=None, kind_word="total", sum=self._sums[None])
        self._heaps: dict[tuple[str, Identity], _Subject] = {}
        self._limits: dict[_Subject, int | None] = {}
        self._open: list[_Subject] = []
        self._there: dict[_Subject, None] = {}
        self._last_s: int | None = None
        self._last_wall_s: int | None = None
        self._measured_before = False
        self._flushed_monotonic_s: float | None = None
        self._rows: dict[tuple[str, str], _Row] = {}
        self._lives: dict[int, _Lives] = {}
        self._packs: dict[int, Packed] = {}
        self._labels: tuple[HostLabel, ...] = ()
        self._run: tuple[int, str, str | None] | None = None
        self._data_version: int | None = None
        self._pruned_s: int | None = None
        self._looked_s: int | None = None
        self._noted_s: int | None = None
        self._notes: list[Problem] = []
        self._trouble: Problem | None = None
        self._closed = False
        with self._writing:
            self._connect()

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Return what is wrong now, and which files were set aside since the start."""
        with self._lock:
            return (*self._notes, *((self._trouble,) if self._trouble else ()))

    def append(self, snapshot: Snapshot) -> None:
        """Take one snapshot in; of those within one second the first is kept."""
        wall_s = int(snapshot.taken_at.timestamp())
        if self._last_s is not None and wall_s < self._last_s - MAX_STEP_BACK_S:
            self._begin_anew("the clock was set back by more than a day")
        with self._lock:
            if self._closed or wall_s == self._last_wall_s:
                return
            self._last_wall_s = wall_s
            last_s = self._last_s
            at_s = wall_s if last_s is None else max(wall_s, last_s + 1)
            if last_s is not None and at_s // SPAN_S != last_s // SPAN_S:
                self._end_spans()
            interval_ms = None if snapshot.interval_s is None else round(snapshot.interval_s * 1000)
            self._batch.ticks.append(
                _Tick(
                    at_s,
                    snapshot.machine.name,
                    snapshot.footprint_metric,
                    interval_ms,
                    self._gap(snapshot, last_s, at_s),
                    snapshot.machine.pressure,
                )
            )
            self._batch.labels = snapshot.labels
            self._take_groups(snapshot.groups, at_s, self._last_s or -1, snapshot.interval_s)
            self._take_heaps(snapshot.heaps, at_s, self._last_s or -1)
            self._last_s = at_s
            self._measured_before = True
            if self._flushed_monotonic_s is None:
                self._flushed_monotonic_s = snapshot.monotonic_s
            if snapshot.monotonic_s - self._flushed_monotonic_s < FLUSH_S:
                return
            self._flushed_monotonic_s = snapshot.monotonic_s
            self._cut()
            if self._handed:
                return
            self._handed = True
        self._hand_over(self.flush)

    def add_receipt(self, receipt: Receipt) -> None:
        """Mark the moment when an action gave memory back, be it inside of a heap; written at once."""
        with self._lock:
            if self._closed or (receipt.came_back_bytes <= 0 and _came_back_in_heaps(receipt) == 0):
                return
            self._receipts.append(receipt)
        self.flush()

    def flush(self) -> None:
        """Write what is in memory, in one transaction; what cannot be written is kept for the next time."""
        self._flush(closing=False)

    def _flush(self, *, closing: bool) -> None:
        with self._writing:
            with self._lock:
                self._handed = False
                self._cut()
                batches, receipts = tuple(self._batches), tuple(self._receipts)
            last = closing and bool(self._rows)
            if self._closed or not (batches or receipts or last) or (self._connection is None and not self._connect()):
                self._give_up_oldest()
                return
            assert self._connection is not None
            try:
                if batches and not self._take_the_lead(self._connection):
                    batches = ()
                self._connection.execute("BEGIN IMMEDIATE")
                self._write(self._connection, tuple(self._batches) if batches else (), receipts)
                if last:
                    _note_last_seen(self._connection)
                self._connection.execute("COMMIT")
            except sqlite3.Error as error:
                self._failed(error)
                return
            with self._lock:
                if batches:
                    del self._batches[: len(batches)]
                    self._trouble = None
                del self._receipts[: len(receipts)]
            try:
                _give_room_back(self._connection)
            except sqlite3.Error as error:
                self._failed(error)

    def close(self) -> None:
        """Write what is in memory and let go of the file."""
        with self._writing:
            self._flush(closing=True)
            with self._lock:
                self._closed = True
            self._disconnect()
            self._writer_lock.release()

    def delete_all(self) -> None:
        """Delete every measurement and mark, and give the space back; `problems` says when that was not possible.

        Files that were set aside stay: they may be all that is left of something.
        """
        with self._writing:
            with self._lock:
                self._cut()
                self._batches.clear()
                self._receipts.clear()
            if self._connection is None and not self._connect():
                return
            assert self._connection is not None
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                for (table,) in self._connection.execute(
                    "SELECT name FROM sqlite_master WHERE type = 'table'"
                ).fetchall():
                    self._connection.execute(f"DELETE FROM {table}")
                self._connection.execute("COMMIT")
                self._connection.execute("VACUUM")
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            except sqlite3.Error as error:
                self._failed(error)
                return
            self._forget()
            with self._lock:
                self._trouble = None

    def set_aside_if_damaged(self) -> bool:
        """Look through the whole file, when a reader met damage; a damaged one is set aside and a new one begun."""
        with self._writing:
            if self._closed or (self._connection is None and not self._connect()):
                return False
            assert self._connection is not None
            try:
                check(self._connection)
            except sqlite3.Error as error:
                self._failed(error)
                return is_damage(error)
            return False

    # ------------------------------------------------------------------------------------------------- taking in

    def _gap(self, snapshot: Snapshot, last_s: int | None, at_s: int) -> Gap | None:
        """Say what stretch before this sample was not measured, and why."""
        if last_s is None:
            return None
        measured_s = snapshot.interval_s or 0.0
        missing_s = at_s - last_s - measured_s
        if not self._measured_before:
            kind = GapKind.NOT_RUNNING
        elif snapshot.gap and missing_s > MISSING_S:
            kind = GapKind.SLEEP
        elif snapshot.gap or missing_s > MISSING_S:
            kind = GapKind.PAUSE
        else:
            return None
        return Gap(kind=kind, since_epoch_s=float(last_s), until_epoch_s=float(at_s))

    def _take_groups(self, groups: Iterable[Group], at_s: int, before_s: int, interval_s: float | None) -> None:
        """Pull the figures out of the groups that count, and add them up by host and in all; runs in every tick."""
        subjects = self._subjects
        # percent to ms of the interval
        factor = None if interval_s is None else interval_s * 10
        for group in groups:
            subject = subjects.get(group.key)
            if (
                subject is not None
                and group is subject.resting
                and subject.last_s == before_s
                and subject.span is not None
                and factor is not None
            ):
                # most groups rest most of the time; their span goes on
                subject.more += 1
                subject.last_s = at_s
                subject.sum.seen += 1
                continue
            if subject is None or subject.kind is not group.kind:
                subject = subjects[group.key] = self._subject(group)
            if not subject.counts or subject.last_s == at_s:
                continue
            members, percent, verdict = group.members, group.cpu_percent, group.verdict
            state = None if verdict is None else verdict.state
            figures = subject.figures
            if (
                members is not subject.members
                or percent != 0
                or figures[3] != 0
                or factor is None
                or state is not subject.state
            ):
                # the very same members carry the same figures; only where none of them works is their CPU the same too
                subject.state = state
                subject.members = members
                now = _figures(group, None if percent is None or factor is None else round(percent * factor), state)
                if now != figures:
                    figures = subject.figures = now
            if figures == subject.span and subject.last_s == before_s:
                subject.more += 1
                subject.last_s = at_s
            else:
                self._begin_span(subject, figures, at_s)
            if group.title is not subject.title:
                subject.title = group.title or subject.title
            if group.cwd is not subject.cwd:
                subject.cwd = group.cwd or subject.cwd
            total = subject.sum
            total.seen += 1
            if figures is not subject.counted:
                if subject.counted is None:
                    total.put(figures, 1)
                else:
                    total.change(subject.counted, figures)
                subject.counted = figures
            subject.resting = group if percent == 0 and figures[3] == 0 else None
        everything: list[Figures] = []
        for total in self._sums.values():
            if total.seen != total.counted:
                self._count_again(total, at_s)
            if total.seen:
                total.seen = 0
                figures = total.figures()
                everything.append(figures)
                if total.subject is not None:
                    self._extend(total.subject, figures, at_s, before_s)
        self._extend(self._all, _added(everything), at_s, before_s)

    def _take_heaps(self, heaps: Iterable[HeapUse], at_s: int, before_s: int) -> None:
        """Take in what heaps hold; no sum counts it, since it lies inside of what their processes hold."""
        for heap in heaps:
            subject = self._heaps.get((heap.host, heap.identity))
            if subject is None:
                host = _text(heap.host)
                subject = self._heaps[heap.host, heap.identity] = _Subject(
                    key=f"heap:{host}:{heap.identity}", kind=None, kind_word="heap", sum=self._sums[None], host=host
                )
            elif subject.last_s == at_s:
                continue
            used = (heap.used_bytes + 512) >> 10
            resident = used if heap.rss_bytes is None else (heap.rss_bytes + 512) >> 10
            figures = (used, resident - used, int(heap.rss_bytes is None), None, None, 0, None)
            self._extend(subject, figures, at_s, before_s)
            limit = None if heap.limit_bytes is None else (heap.limit_bytes + 512) >> 10
            if subject not in self._limits or self._limits[subject] != limit:
                self._limits[subject] = limit
                self._batch.limits.append((subject, at_s, limit))

    def _count_again(self, total: _Sum, at_s: int) -> None:
        """Add up anew when one of the parts is gone."""
        total.clear()
        for subject in self._subjects.values():
            if subject.sum is not total or not subject.counts:
                continue
            if subject.last_s == at_s:
                total.put(subject.figures, 1)
            else:
                subject.counted = None

    def _subject(self, group: Group) -> _Subject:
        host = None if group.host is None else _text(group.host)
        total = self._sums.get(host)
        if total is None:
            total = self._sums[host] = _Sum("host", host or "", host)
        return _Subject(
            key=_text(group.key),
            kind=group.kind,
            kind_word=group.kind.value,
            sum=total,
            host=host,
            session_id=_text(group.session.session_id) if group.session else None,
            counts=group.counts,
        )

    def _extend(self, subject: _Subject, figures: Figures, at_s: int, before_s: int) -> None:
        if figures == subject.span and subject.last_s == before_s:
            subject.more += 1
            subject.last_s = at_s
        else:
            self._begin_span(subject, figures, at_s)

    def _begin_span(self, subject: _Subject, figures: Figures, at_s: int) -> None:
        if subject.span is None:
            self._open.append(subject)
            self._there[subject] = None
            if subject.born_s < 0:
                subject.born_s = at_s
        else:
            self._batch.whose.append(subject)
            self._batch.spans.append((subject.first_s, subject.last_s, subject.more, subject.span))
        if figures[0] > subject.peak_rss:
            subject.peak_rss = figures[0]
        if figures[0] + figures[1] > subject.peak_held:
            subject.peak_held = figures[0] + figures[1]
        subject.span = figures
        subject.first_s = subject.last_s = at_s
        subject.more = 0

    def _end_spans(self) -> None:
        self._batch.whose.extend(self._open)
        for subject in self._open:
            assert subject.span is not None
            self._batch.spans.append((subject.first_s, subject.last_s, subject.more, subject.span))
            subject.span = None
        self._open.clear()

    def _cut(self) -> None:
        """Make a batch of what was taken in; forget the subjects that are gone."""
        batch = self._batch
        if not batch.ticks:
            return
        # before the spans are ended, which hold the last figures
        batch.seen = [_Glimpse(s, s.last_s, s.figures[6], s.peak_rss, s.peak_held, s.title, s.cwd) for s in self._there]
        self._end_spans()
        until_s = batch.ticks[-1].at_s
        if self._looked_s is None or until_s - self._looked_s >= LOOK_S:
            self._looked_s = until_s
            batch.sightings = [(s, s.last_s, s.members) for s in self._there if s.members]
        self._batches.append(batch)
        self._batch = _Batch()
        self._subjects = {key: s for key, s in self._subjects.items() if s in self._there}
        self._heaps = {of: s for of, s in self._heaps.items() if s in self._there}
        self._there = {}
        # every batch tells the limits anew: the one before may never be written
        self._limits = {}

    # --------------------------------------------------------------------------------------------------- writing

    def _take_the_lead(self, connection: sqlite3.Connection) -> bool:
        """Tell whether this is the one that writes measurements: there is one writer of a file at a time."""
        if self._writer_lock.held:
            return True
        if not self._writer_lock.take():
            with self._lock:
                # enough to go on without a break when the other one ends
                del self._batches[:-2]
                self._trouble = Problem(
                    where=str(self._path),
                    what="another Agent Ring records into this history",
                    mend="Nothing is lost, its measurements are shown here too; end one of the two",
                )
            return False
        (newest_s,) = connection.execute("SELECT max(bucket) FROM raw_ticks").fetchone()
        if newest_s is not None:
            with self._lock:
                self._go_on_after(newest_s)
        return True

    def _go_on_after(self, newest_s: int) -> None:
        """Leave out the batches that another writer has already covered; say where something is missing between."""
        self._last_s = max(newest_s, self._last_s or 0)
        self._batches = [batch for batch in self._batches if batch.ticks[0].at_s > newest_s]
        if not self._batches:
            return
        first = self._batches[0].ticks[0]
        if first.gap is not None and first.gap.since_epoch_s == newest_s:
            return
        missing_s = first.at_s - newest_s - (first.interval_ms or 0) / 1000
        gap = Gap(
            kind=GapKind.PAUSE if first.gap is None else first.gap.kind,
            since_epoch_s=float(newest_s),
            until_epoch_s=float(first.at_s),
        )
        self._batches[0].ticks[0] = replace(first, gap=gap if missing_s > MISSING_S else None)

    def _write(self, connection: sqlite3.Connection, batches: Iterable[_Batch], receipts: Iterable[Receipt]) -> None:
        (data_version,) = connection.execute("PRAGMA data_version").fetchone()
        if data_version != self._data_version:
            # another connection changed the file: a command that deletes the history
            self._forget()
            self._data_version = data_version
        for batch in batches:
            self._write_ticks(connection, batch.ticks)
            _write_strains(connection, batch.ticks)
            self._write_hosts(connection, batch.labels)
            self._write_subjects(connection, batch)
            self._write_spans(connection, batch)
            self._write_lives(connection, batch)
            _write_limits(connection, batch.limits)
            roll_up(connection, self._packs)
            newest = batch.ticks[-1].at_s // SPAN_S * SPAN_S << ID_BITS
            self._packs = {key: pack for key, pack in self._packs.items() if key >= newest}
            pack_oldest(connection, before_s=batch.ticks[-1].at_s - PACK_AFTER_S)
            self._prune(connection, batch.ticks[-1].at_s)
        for receipt in receipts:
            _write_receipt(connection, receipt)

    def _write_ticks(self, connection: sqlite3.Connection, ticks: Iterable[_Tick]) -> None:
        rows = []
        for tick in ticks:
            run = (tick.machine, tick.footprint_metric)
            if self._run is None or self._run[1:] != run:
                self._run = (_run_id(connection, _text(tick.machine), tick.footprint_metric), *run)
            rows.append((tick.at_s, self._run[0], tick.interval_ms, int(tick.gap is not None)))
            if tick.gap is not None:
                _write_gap(connection, tick.gap)
        connection.executemany("INSERT INTO raw_ticks (bucket, run_id, measured_ms, gap) VALUES (?, ?, ?, ?)", rows)

    def _write_hosts(self, connection: sqlite3.Connection, labels: tuple[HostLabel, ...]) -> None:
        if labels == self._labels:
            return
        self._labels = labels
        connection.executemany(
            "INSERT INTO hosts (host, title, rank) VALUES (?, ?, ?)"
            " ON CONFLICT (host) DO UPDATE SET title = excluded.title, rank = excluded.rank",
            [(_text(label.host), _text(label.title), label.rank) for label in labels],
        )

    def _write_subjects(self, connection: sqlite3.Connection, batch: _Batch) -> None:
        """Bring the table of subjects up to date for this batch."""
        if not self._rows:
            _see_again(connection, batch.ticks[0].at_s)
        rows: dict[tuple[str, str], _Row] = {}
        changed: list[_Row] = []
        until_s = batch.ticks[-1].at_s
        for glimpse in batch.seen:
            subject = glimpse.subject
            name = (subject.key, subject.kind_word)
            row = self._rows.pop(name, None)
            if row is None or not row.there:
                row = _Row(_subject_id(connection, subject))
            rows[name] = subject.row = row
            row.there = glimpse.last_s == until_s
            if row.follow(glimpse) or not row.there:
                changed.append(row)
        # those that are left were there in the batch before, and in none of the measurements of this one
        connection.executemany(
            "UPDATE subjects SET last_seen_s = ?1, ended_s = ?1 WHERE id = ?2",
            [(row.last_s, row.id) for row in self._rows.values() if row.there],
        )
        connection.executemany(
            "UPDATE subjects SET title = coalesce(?, title), cwd = coalesce(?, cwd), last_state = ?,"
            " peak_rss = max(peak_rss, ?), peak_held = max(peak_held, ?), last_seen_s = ?, ended_s = ? WHERE id = ?",
            [
                (r.title, r.cwd, r.state, r.peak_rss, r.peak_held, r.last_s, None if r.there else r.last_s, r.id)
                for r in changed
            ],
        )
        self._rows = rows
        if self._noted_s is None or until_s - self._noted_s >= LOOK_S:
            self._noted_s = until_s
            _note_last_seen(connection)

    def _write_spans(self, connection: sqlite3.Connection, batch: _Batch) -> None:
        # those of a batch all have a row by now
        ids, spans = [subject.row.id for subject in batch.whose], batch.spans  # type: ignore[union-attr]
        at = 0
        while at < len(spans):
            # they come minute by minute
            after = bisect_right(spans, spans[at][0] // SPAN_S, at, key=lambda span: span[0] // SPAN_S)
            pack = (ids[at:after], spans[at:after])
            self._packs[write_spans(connection, *pack)] = pack
            at = after

    def _write_lives(self, connection: sqlite3.Connection, batch: _Batch) -> None:
        if not batch.sightings:
            return
        there: dict[int, _Lives] = {}
        notes: list[tuple[int, str, int]] = []
        for subject, at_s, members in batch.sightings:
            subject_id = _id_of(subject)
            lives = there[subject_id] = self._lives.get(subject_id) or there.get(subject_id) or _Lives()
            notes.extend([(subject_id, str(who), seen_s) for who, seen_s in lives.see(at_s, members)])
        self._lives = there
        connection.executemany(
            "INSERT INTO lives (id, identity, first_seen_s, last_seen_s) VALUES (?1, ?2, ?3, ?3)"
            " ON CONFLICT DO UPDATE SET last_seen_s = max(last_seen_s, excluded.last_seen_s)",
            notes,
        )
        for subject_id, lives in there.items():
            if lives.are_many():
                connection.execute(
                    "DELETE FROM lives WHERE id = ?1 AND identity IN"
                    " (SELECT identity FROM lives WHERE id = ?1 ORDER BY last_seen_s DESC LIMIT -1 OFFSET ?2)",
                    (subject_id, MOST_LIVES),
                )

    def _prune(self, connection: sqlite3.Connection, newest_s: int) -> None:
        # a clock that stands wrong for a while must not delete: the earlier of both times counts
        now_s = min(int(self._now_epoch_s()), newest_s)
        due = self._pruned_s is None or abs(now_s - self._pruned_s) >= PRUNE_S
        for level in LEVELS if due else LEVELS[:1]:
            _prune_level(connection, level, now_s - (self.keep_days * _DAY_S if level.keep_s is None else level.keep_s))
        if not due:
            return
        self._pruned_s = now_s
        before_s = now_s - self.keep_days * _DAY_S
        connection.execute("DELETE FROM quarter_packs WHERE bucket < ?", (before_s // SIX_HOURS.width_s,))
        connection.execute("DELETE FROM gaps WHERE until_s < ?", (before_s,))
        connection.execute("DELETE FROM strains WHERE until_s < ?", (before_s,))
        connection.execute("DELETE FROM marks WHERE at_s < ?", (before_s,))
        connection.execute("DELETE FROM receipts WHERE receipt_id NOT IN (SELECT receipt_id FROM marks)")
        # a pack goes when all of it is too old
        gone = connection.execute("DELETE FROM subjects WHERE last_seen_s < ?", (before_s - SIX_HOURS.width_s,))
        if gone.rowcount:
            self._forget()
        connection.execute("DELETE FROM lives WHERE id NOT IN (SELECT id FROM subjects)")
        connection.execute("DELETE FROM limits WHERE id NOT IN (SELECT id FROM subjects)")

    # --------------------------------------------------------------------------------------------------- trouble

    def _forget(self) -> None:
        """Forget what the file was known to hold."""
        self._rows = {}
        self._lives = {}
        self._packs = {}
        self._labels = ()
        self._run = None

    def _connect(self) -> bool:
        """Open the file, setting a damaged one aside; say in `_trouble` when that is not possible."""
        trouble: Problem | None = None
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._connection, stored_s = open_for_writing(self._path)
        except NotAHistory as error:
            self._set_aside(error.why)
            return self._connection is not None
        except HistoryError as error:
            trouble = error.problem
        except (sqlite3.Error, OSError) as error:
            trouble = self._cannot_write(error)
        with self._lock:
            self._trouble = trouble
            if trouble is None and stored_s is not None:
                self._last_s = max(stored_s, self._last_s or 0)
                if self._writer_lock.held:
                    # a batch may have come to the disk although its writing was told to have failed
                    self._go_on_after(stored_s)
        return trouble is None

    def _disconnect(self) -> None:
        self._forget()
        self._data_version = None
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _failed(self, error: sqlite3.Error) -> None:
        """Keep the batch; open the file anew next time, or begin a new one now if it is damaged."""
        self._disconnect()
        if is_damage(error):
            self._set_aside(str(error))
        else:
            with self._lock:
                self._trouble = self._cannot_write(error)
        self._give_up_oldest()

    def _give_up_oldest(self) -> None:
        with self._lock:
            given_up: list[_Batch] = []
            while len(self._batches) > 1 and sum(len(batch.ticks) for batch in self._batches) > MAX_PENDING:
                given_up.append(self._batches.pop(0))
            if not given_up:
                return
            oldest, first = given_up[0].ticks[0], self._batches[0].ticks[0]
            since_s = oldest.gap.since_epoch_s if oldest.gap else float(oldest.at_s)
            gap = Gap(kind=GapKind.PAUSE, since_epoch_s=since_s, until_epoch_s=float(first.at_s))
            self._batches[0].ticks[0] = replace(first, gap=gap)

    def _begin_anew(self, why: str) -> None:
        with self._writing:
            self.flush()
            with self._lock:
                self._batches.clear()
                self._batch = _Batch()
            self._set_aside(why)

    def _set_aside(self, why: str) -> None:
        """Rename the file, with the two that belong to it, and begin a new one."""
        self._disconnect()
        stamp = strftime("%Y%m%dT%H%M%SZ", gmtime(self._now_epoch_s()))
        aside = _free_name(self._path.with_name(f"{self._path.stem}.{stamp}.set-aside{self._path.suffix}"))
        try:
            for ending in ("-wal", "-shm", ""):
                part = self._path.with_name(self._path.name + ending)
                if part.exists():
                    part.rename(aside.with_name(aside.name + ending))
        except OSError as error:
            with self._lock:
                self._trouble = self._cannot_write(error)
            return
        with self._lock:
            self._last_s = self._batches[-1].ticks[-1].at_s if self._batches else None
            self._notes.append(
                Problem(
                    where=str(self._path),
                    what=f"the history could not be continued ({why}) and was set aside as {aside.name}",
                    mend="A new one was begun; delete the old file when you do not need it",
                )
            )
        self._connect()

    def _cannot_write(self, error: Exception) -> Problem:
        return Problem(
            where=str(self._path),
            what=f"measurements cannot be recorded ({error})",
            mend="Make room or allow writing there; recording goes on by itself, measuring never stopped",
        )


class _Row:
    """Know what a row of `subjects` holds, so that only what changed is written."""

    def __init__(self, row_id: int) -> None:
        self.id = row_id
        self.title: str | None = None
        self.cwd: str | None = None
        self.state: int | None = None
        self.peak_rss = self.peak_held = -1
        self.last_s = 0
        self.there = True
        self._glimpse: tuple[object, ...] = ()

    def follow(self, glimpse: _Glimpse) -> bool:
        """Take over what a batch saw; tell whether anything but the time is new."""
        new = glimpse[2:] != self._glimpse
        if new:
            self._glimpse = glimpse[2:]
            self.title = glimpse.title and _text(glimpse.title)
            self.cwd = glimpse.cwd and _text(glimpse.cwd)
            self.state, self.peak_rss, self.peak_held = glimpse.state, glimpse.peak_rss, glimpse.peak_held
        self.last_s = glimpse.last_s
        return new


class _Lives:
    """Know which processes of one group are stored, and until when."""

    def __init__(self) -> None:
        self._noted_s: dict[Identity, int] = {}
        self._present: list[Identity] = []
        self._members: tuple[Member, ...] = ()
        self._looked_s = 0
        self._seen_s = 0
        self._grown = MOST_LIVES

    def see(self, at_s: int, members: tuple[Member, ...]) -> list[tuple[Identity, int]]:
        """Say what is to be stored: who is there at a moment, and of those who are no more when they were last seen."""
        lately = at_s - self._looked_s < LIVES_S
        if lately and members is self._members:
            self._seen_s = at_s
            return []
        self._members = members
        present = [member.process.identity for member in members]
        if lately and present == self._present:
            self._seen_s = at_s
            return []
        self._present, self._looked_s = present, at_s
        there = set(present)
        noted_s = self._noted_s
        notes = [(who, at_s) for who in there if at_s - noted_s.get(who, -LIVES_S) >= LIVES_S]
        gone = noted_s.keys() - there
        self._grown += len(there - noted_s.keys())
        noted_s.update(notes)
        for who in gone:
            last_noted_s = noted_s.pop(who)
            if self._seen_s > last_noted_s:
                notes.append((who, self._seen_s))
        self._seen_s = at_s
        return notes

    def are_many(self) -> bool:
        """Tell whether so many were stored since it was last asked that the oldest are to be forgotten."""
        many = self._grown > MOST_LIVES // 4
        if many:
            self._grown = 0
        return many


def _figures(group: Group, cpu_used_ms: int | None, state: State | None) -> Figures:
    """Return what is stored of a group's sample."""
    rss, processes = (group.rss_bytes + 512) >> 10, len(group.members)
    footprint, cpu_s = group.footprint_bytes, group.cpu_s_total
    if footprint is not None:
        held, unknown = ((footprint + 512) >> 10) - rss, 0
    elif processes:
        held, unknown = 0, 1
    else:
        # its backend is counted elsewhere: it holds nothing for certain
        held, unknown = -rss, 0
    return (
        rss,
        held,
        unknown,
        cpu_used_ms,
        None if cpu_s is None else round(cpu_s * 1000),
        processes,
        None if state is None else STATE_CODES[state],
    )


def _added(parts: list[Figures]) -> Figures:
    if not parts:
        return _NOTHING
    rss, held, unknown, used, total, processes, _ = zip(*parts, strict=True)
    return sum(rss), sum(held), max(unknown), _sum_of_known(used), _sum_of_known(total), sum(processes), None


def _sum_of_known(figures: tuple[int | None, ...]) -> int | None:
    if None not in figures:
        return sum(figures)  # type: ignore[arg-type]
    known = [figure for figure in figures if figure is not None]
    return sum(known) if known else None


def _prune_level(connection: sqlite3.Connection, level: Level, before_s: int) -> None:
    # a pack of samples is deleted by its first one, so samples go by whole minutes, which no pack crosses
    whole = max(1, SPAN_S // level.width_s)
    bucket = before_s // level.width_s // whole * whole
    most = MOST_PRUNED if whole == 1 else MOST_PRUNED // _ROWS_OF_PACK
    too_many = connection.execute(
        f"SELECT k >> {ID_BITS} FROM {level.table} WHERE k < ? ORDER BY k LIMIT 1 OFFSET ?", (bucket << ID_BITS, most)
    ).fetchone()
    if too_many is not None:
        bucket = min(bucket, (too_many[0] // whole + 1) * whole)
    connection.execute(f"DELETE FROM {level.table} WHERE k < ?", (bucket << ID_BITS,))
    connection.execute(f"DELETE FROM {level.ticks} WHERE bucket < ?", (bucket,))


def _give_room_back(connection: sqlite3.Connection) -> None:
    """Shorten a file that holds much more free room than the next batches use again; outside of a transaction."""
    (free,) = connection.execute("PRAGMA freelist_count").fetchone()
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    if free > max(MOST_FREE_PAGES, pages // 4):
        # a script, because `execute` asks for the first page only
        connection.executescript(f"PRAGMA incremental_vacuum({MOST_FREE_PAGES})")


def _run_id(connection: sqlite3.Connection, machine: str, footprint_metric: str | None) -> int:
    found = connection.execute(
        "SELECT max(run_id) FROM runs WHERE machine = ? AND footprint_metric IS ?", (machine, footprint_metric)
    ).fetchone()
    if found[0] is not None:
        return int(found[0])
    cursor = connection.execute(
        "INSERT INTO runs (machine, footprint_metric) VALUES (?, ?)", (machine, footprint_metric)
    )
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def _id_of(subject: _Subject) -> int:
    assert subject.row is not None
    return subject.row.id


def _see_again(connection: sqlite3.Connection, before_s: int) -> None:
    """Note when those were last seen that were there when the last batch was written, whoever wrote it."""
    connection.execute(
        "UPDATE subjects SET last_seen_s = max(last_seen_s, (SELECT max(bucket) FROM raw_ticks WHERE bucket < ?1))"
        " WHERE ended_s IS NULL AND EXISTS (SELECT * FROM raw_ticks WHERE bucket < ?1)",
        (before_s,),
    )
    connection.execute("UPDATE subjects SET ended_s = last_seen_s WHERE ended_s IS NULL")


def _note_last_seen(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE subjects SET last_seen_s = (SELECT max(bucket) FROM raw_ticks) WHERE ended_s IS NULL")


def _subject_id(connection: sqlite3.Connection, subject: _Subject) -> int:
    connection.execute(
        """
        INSERT INTO subjects (key, kind, host, session_id, first_seen_s, last_seen_s, peak_rss, peak_held)
        VALUES (?1, ?2, ?3, ?4, ?5, ?5, 0, 0) ON CONFLICT (key, kind) DO NOTHING
        """,
        (subject.key, subject.kind_word, subject.host, subject.session_id, subject.born_s),
    )
    (found,) = connection.execute(
        "SELECT id FROM subjects WHERE key = ? AND kind = ?", (subject.key, subject.kind_word)
    ).fetchone()
    return int(found)


def _write_limits(connection: sqlite3.Connection, limits: Iterable[tuple[_Subject, int, int | None]]) -> None:
    # no row at all says the same as a row of NULL
    connection.executemany(
        "INSERT INTO limits (id, since_s, size) SELECT ?1, ?2, ?3"
        " WHERE ?3 IS NOT (SELECT size FROM limits WHERE id = ?1 ORDER BY since_s DESC LIMIT 1)",
        [(_id_of(subject), at_s, limit) for subject, at_s, limit in limits],
    )


def _came_back_in_heaps(receipt: Receipt) -> int:
    return sum(heap.came_back_bytes for heap in receipt.heaps)


def _write_receipt(connection: sqlite3.Connection, receipt: Receipt) -> None:
    gave = [
        outcome
        for outcome in receipt.outcomes
        if outcome.came_back_bytes > 0 or (outcome.target.heap_of is not None and outcome.fate is Fate.RELEASED)
    ]
    title = gave[0].target.title if len(gave) == 1 else f"{len(gave)} targets"
    connection.execute(
        "INSERT OR IGNORE INTO marks (receipt_id, at_s, came_back, title, heap) VALUES (?, ?, ?, ?, ?)",
        (
            receipt.receipt_id,
            int(receipt.finished_at.timestamp()),
            receipt.came_back_bytes,
            _text(title),
            _came_back_in_heaps(receipt),
        ),
    )
    connection.executemany(
        "INSERT OR IGNORE INTO receipts (receipt_id, group_key, action, fate, came_back) VALUES (?, ?, ?, ?, ?)",
        [
            (
                receipt.receipt_id,
                _text(outcome.target.group_key),
                outcome.target.action.value,
                outcome.fate.value,
                outcome.came_back_bytes,
            )
            for outcome in receipt.outcomes
        ],
    )


def _write_gap(connection: sqlite3.Connection, gap: Gap) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO gaps (since_s, until_s, kind) VALUES (?, ?, ?)",
        (int(gap.since_epoch_s), int(gap.until_epoch_s), gap.kind.value),
    )


def _write_strains(connection: sqlite3.Connection, ticks: Sequence[_Tick]) -> None:
    """Note when memory was short; a stretch goes on as long as nothing else was measured in between."""
    if not any(tick.pressure in _SHORT for tick in ticks):
        return
    newest = connection.execute("SELECT since_s, until_s, pressure FROM strains ORDER BY since_s DESC LIMIT 1")
    since_s, until_s, pressure = newest.fetchone() or (0, -1, "")
    rows: dict[int, tuple[int, int, str]] = {}
    for tick in ticks:
        if tick.pressure not in _SHORT:
            pressure = ""
            continue
        goes_on = tick.pressure.value == pressure and tick.gap is None and tick.since_s <= until_s + 1
        since_s, until_s, pressure = since_s if goes_on else tick.since_s, tick.at_s, tick.pressure.value
        rows[since_s] = (since_s, until_s, pressure)
    connection.executemany(
        "INSERT OR REPLACE INTO strains (since_s, until_s, pressure) VALUES (?, ?, ?)", rows.values()
    )


def _text(text: str) -> str:
    """Return text that UTF-8 can hold: half a surrogate pair (JSON) or a byte of a file name may not be."""
    return text.encode("utf-8", "replace").decode()


def _free_name(wanted: Path) -> Path:
    """Return a path that does not exist: the one wanted, or one with a number."""
    path, number = wanted, 1
    while path.exists():
        number += 1
        path = wanted.with_stem(f"{wanted.stem}-{number}")
    return path
