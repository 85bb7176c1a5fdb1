"""The tiers of the history, and how a finer one is summed up into the next.

A bucket is always computed from what is stored, once a measurement after its end is stored too: a kill or a restart in
the middle of a bucket loses nothing, and an open bucket is read from the finer tier. All sums are exact.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, groupby, pairwise
from operator import add, mul
from types import MappingProxyType

from trayapp.history.spans import SPAN_S, Figures, Span, unpack_spans

ID_BITS = 20
"""A row's key is its bucket times 2**20 plus the subject's id: time leads, and one integer is the whole key."""

ID_MASK = (1 << ID_BITS) - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """Name one tier: `table` has its rows, `ticks` its buckets; a bucket starts at a whole multiple of `width_s`.

    Attributes:
        keep_s: how long it is kept; None = as long as the user's setting says.
    """

    table: str
    ticks: str
    width_s: int
    keep_s: int | None


RAW = Level(table="raw_packs", ticks="raw_ticks", width_s=1, keep_s=7_200)
MINUTE = Level(table="minute", ticks="minute_ticks", width_s=60, keep_s=7 * 86_400)
QUARTER = Level(table="quarter", ticks="quarter_ticks", width_s=900, keep_s=None)
SIX_HOURS = Level(table="six_hours", ticks="six_hours_ticks", width_s=21_600, keep_s=None)

LEVELS = (RAW, MINUTE, QUARTER, SIX_HOURS)
"""From the finest to the coarsest; each is made from the one before it."""

COLUMNS = (
    "k",
    "rss",
    "rss_min",
    "rss_max",
    "rss_over",
    "held",
    "held_min",
    "held_max",
    "held_over",
    "unknown",
    "cpu_used",
    "blind",
    "cpu_total",
    "processes",
    "processes_max",
    "state",
    "absent",
)
"""The columns of a tier that is rolled up, in the order of its table; `schema` says what each of them is."""

# `n` is how many samples a finer row stands for, `e` is 1 where it reaches the bucket's last moment. LIMIT -1 keeps
# SQLite from merging the inner query into the outer one, where it would compute each of these again for every sum that
# uses it (twice the work in all)
_INSERT_SUMS = f"""
    INSERT INTO {{table}} ({", ".join(COLUMNS)})
    SELECT k, rss, rss_lo - rss, rss_hi - rss, rss_sum - rss * own,
           held - rss, held_lo - held, held_hi - held, held_sum - held * own,
           unknown, cpu_used, blind, cpu_total, processes, processes_hi - processes, nullif(state & 7, 0), samples - own
    FROM ({{summed}})
"""

Packed = tuple[list[int], list[Span]]
"""The subjects of a pack, and their spans."""

_INSERT_ROW = f"INSERT INTO {MINUTE.table} ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"

_SUM_TIER = f"""
    SELECT k, samples, sum(n) AS own,
           sum(rss * e) AS rss, min(rss + rss_min) AS rss_lo, max(rss + rss_max) AS rss_hi,
           sum(rss * n + rss_over) AS rss_sum,
           sum(held * e) AS held, min(held + held_min) AS held_lo, max(held + held_max) AS held_hi,
           sum(held * n + held_over) AS held_sum,
           sum(unknown) AS unknown, sum(cpu_used) AS cpu_used, sum(blind) AS blind,
           max(CASE WHEN e THEN cpu_total END) AS cpu_total,
           sum(processes * e) AS processes, max(processes + processes_max) AS processes_hi, max(state) AS state
    FROM (
        SELECT t.bucket << {ID_BITS} | (r.k & {ID_MASK}) AS k, t.samples AS samples, f.samples - r.absent AS n,
               f.last_s = t.last_s AS e,
               r.rss AS rss, r.rss_min AS rss_min, r.rss_max AS rss_max, r.rss_over AS rss_over,
               r.rss + r.held AS held, r.held_min AS held_min, r.held_max AS held_max, r.held_over AS held_over,
               r.unknown AS unknown, r.cpu_used AS cpu_used, r.blind AS blind, r.cpu_total AS cpu_total,
               r.processes AS processes, r.processes_max AS processes_max, f.bucket * 8 + coalesce(r.state, 0) AS state
        FROM {{ticks}} t
            CROSS JOIN {{finer_ticks}} f ON f.bucket >= t.bucket * {{factor}} AND f.bucket < (t.bucket + 1) * {{factor}}
            CROSS JOIN {{finer}} r ON r.k >= f.bucket << {ID_BITS} AND r.k < (f.bucket + 1) << {ID_BITS}
        WHERE t.bucket >= :first AND t.bucket < :until LIMIT -1
    ) GROUP BY k
"""


def roll_up(connection: sqlite3.Connection, at_hand: Mapping[int, Packed] = MappingProxyType({})) -> None:
    """Compute every bucket that is over and not yet stored, tier by tier; runs inside the caller's transaction.

    `at_hand` has by their keys the packs that were stored just now: they need not be read again.
    """
    (newest_s,) = connection.execute("SELECT max(bucket) FROM raw_ticks").fetchone()
    if newest_s is None:
        return
    for finer, tier in pairwise(LEVELS):
        (stored,) = connection.execute(f"SELECT max(bucket) FROM {tier.ticks}").fetchone()
        # what ended before the newest measurement can get no more of them: stored times only rise
        span = {"first": 0 if stored is None else stored + 1, "until": newest_s // tier.width_s}
        if span["first"] >= span["until"]:
            return
        connection.execute(_ticks_sql(finer, tier), span)
        if finer is RAW:
            _sum_samples(connection, at_hand, **span)
        else:
            connection.execute(_rows_sql(finer, tier), span)


def _ticks_sql(finer: Level, tier: Level) -> str:
    factor = tier.width_s // finer.width_s
    counted, last = ("count(*)", "max(bucket)") if finer is RAW else ("sum(samples)", "max(last_s)")
    # run_id is that of the row with the largest time (https://www.sqlite.org/lang_select.html#bareagg)
    return f"""
        INSERT INTO {tier.ticks} (bucket, last_s, run_id, samples, measured_ms, gap)
        SELECT bucket / {factor}, {last}, run_id, {counted}, sum(measured_ms), sum(gap) > 0 FROM {finer.ticks}
        WHERE bucket >= :first * {factor} AND bucket < :until * {factor} GROUP BY 1
    """


def _rows_sql(finer: Level, tier: Level) -> str:
    summed = _SUM_TIER.format(
        ticks=tier.ticks, finer=finer.table, finer_ticks=finer.ticks, factor=tier.width_s // finer.width_s
    )
    return _INSERT_SUMS.format(table=tier.table, summed=summed)


def packs(connection: sqlite3.Connection, since_s: int, until_s: int) -> Iterator[tuple[int, list[Packed]]]:
    """Yield each minute of which there are samples from one time to before another: when it begins, and its packs.

    The first minute comes whole.
    """
    found = connection.execute(
        f"SELECT k, pack FROM {RAW.table} WHERE k >= ? AND k < ? ORDER BY k",
        (since_s // SPAN_S * SPAN_S << ID_BITS, until_s << ID_BITS),
    )
    for minute, together in groupby(found, key=lambda row: (row[0] >> ID_BITS) // SPAN_S):
        yield minute * SPAN_S, [unpack_spans(blob) for _, blob in together]


def _sum_samples(connection: sqlite3.Connection, at_hand: Mapping[int, Packed], *, first: int, until: int) -> None:
    """Compute the rows of the minutes from `first` to before `until`, whose ticks are stored."""
    for bucket, last_s, count in connection.execute(
        f"SELECT bucket, last_s, samples FROM {MINUTE.ticks} WHERE bucket >= ? AND bucket < ?", (first, until)
    ).fetchall():
        since_s = bucket * MINUTE.width_s
        keys = connection.execute(
            f"SELECT k FROM {RAW.table} WHERE k >= ? AND k < ? ORDER BY k",
            (since_s << ID_BITS, since_s + MINUTE.width_s << ID_BITS),
        ).fetchall()
        packed = [at_hand[k] if k in at_hand else _pack(connection, k) for (k,) in keys]
        rows = minute_rows(packed, bucket << ID_BITS, last_s=last_s, count=count)
        connection.executemany(_INSERT_ROW, list(rows))


def _pack(connection: sqlite3.Connection, key: int) -> Packed:
    (blob,) = connection.execute(f"SELECT pack FROM {RAW.table} WHERE k = ?", (key,)).fetchone()
    return unpack_spans(blob)


_Row = tuple[int | None, ...]
"""The values of COLUMNS."""


def minute_rows(packed: Iterable[Packed], key: int, *, last_s: int, count: int) -> Iterator[_Row]:
    """Yield the rows of one minute: of all its samples, `count` in number, of which the last is of time `last_s`."""
    subjects: dict[int, list[Span]] = {}
    for number, span in chain.from_iterable(zip(*pack, strict=True) for pack in packed):
        if number in subjects:
            subjects[number].append(span)
        else:
            subjects[number] = [span]
    for number in sorted(subjects):
        _, last_of, more, figures = zip(*subjects[number], strict=True)
        own = len(more) + sum(more)
        there = last_of[-1] == last_s
        if figures[0] == figures[-1] and figures.count(figures[0]) == len(figures):
            yield _resting(key | number, figures[0], own, there, count)
            continue
        rss, less, unknown, used, total, processes, state = zip(*figures, strict=True)
        held = list(map(add, rss, less))
        times = None if own == len(more) else [1 + one for one in more]
        used_ms, blind = _known(used, times)
        last, last_held, last_processes = (rss[-1], held[-1], processes[-1]) if there else (0, 0, 0)
        yield (
            key | number,
            last,
            min(rss) - last,
            max(rss) - last,
            _sum(rss, times) - last * own,
            last_held - last,
            min(held) - last_held,
            max(held) - last_held,
            _sum(held, times) - last_held * own,
            _sum(unknown, times),
            used_ms,
            blind,
            total[-1] if there else None,
            last_processes,
            max(processes) - last_processes,
            state[-1],
            count - own,
        )


def _resting(key: int, figures: Figures, own: int, there: bool, count: int) -> _Row:
    """Return the row of a subject of which all samples are equal."""
    rss, less, unknown, used, total, processes, state = figures
    used_ms, blind = (None, own) if used is None else (used * own, 0)
    rest = (unknown * own, used_ms, blind)
    if there:
        return key, rss, 0, 0, 0, less, 0, 0, 0, *rest, total, processes, 0, state, count - own
    held = rss + less
    sizes = (0, rss, rss, rss * own, 0, held, held, held * own)
    return key, *sizes, *rest, None, 0, processes, state, count - own


def _sum(figures: Iterable[int], times: list[int] | None) -> int:
    return sum(figures) if times is None else sum(map(mul, figures, times))


def _known(figures: tuple[int | None, ...], times: list[int] | None) -> tuple[int | None, int]:
    """Return the sum of what is known, None = nothing is, and how many samples are not."""
    try:
        # to add up is the cheapest way to learn that a figure is missing: None has no sum
        return _sum(figures, times), 0  # type: ignore[arg-type]
    except TypeError:
        pass
    times = times or [1] * len(figures)
    known = [(one, many) for one, many in zip(figures, times, strict=True) if one is not None]
    blind = sum(times) - sum(many for _, many in known)
    return (sum(one * many for one, many in known) if known else None), blind
