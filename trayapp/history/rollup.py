"""The tiers of the history, and how a finer one is summed up into the next by SQL.

A bucket is always computed from what is stored, once a measurement after its end is stored too: a kill or a restart in
the middle of a bucket loses nothing, and an open bucket is read from the finer tier. All sums are exact.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from itertools import pairwise

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


RAW = Level(table="raw", ticks="raw_ticks", width_s=1, keep_s=7_200)
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
_INSERT = f"""
    INSERT INTO {{table}} ({", ".join(COLUMNS)})
    SELECT k, rss, rss_lo - rss, rss_hi - rss, rss_sum - rss * own,
           held - rss, held_lo - held, held_hi - held, held_sum - held * own,
           unknown, cpu_used, blind, cpu_total, processes, processes_hi - processes, nullif(state & 7, 0), samples - own
    FROM ({{summed}})
"""

# what is "last" is looked up in the last span of each, which is cheaper than to ask every span whether it is the last
_SUM_RAW = f"""
    SELECT g.k AS k, samples, own,
           l.rss * e AS rss, rss_lo, rss_hi, rss_sum,
           (l.rss + l.held) * e AS held, held_lo, held_hi, held_sum,
           g.unknown AS unknown, g.cpu_used AS cpu_used, blind,
           CASE WHEN e THEN l.cpu_total END AS cpu_total,
           l.processes * e AS processes, processes_hi, coalesce(l.state, 0) AS state
    FROM (
        SELECT k, samples, max(until_s) = last_s AS e, sum(n) AS own, max(span) AS span,
               min(rss) AS rss_lo, max(rss) AS rss_hi, sum(rss * n) AS rss_sum,
               min(held) AS held_lo, max(held) AS held_hi, sum(held * n) AS held_sum,
               sum(unknown * n) AS unknown, sum(cpu_used * n) AS cpu_used, sum((cpu_used IS NULL) * n) AS blind,
               max(processes) AS processes_hi
        FROM (
            SELECT t.bucket << {ID_BITS} | (r.k & {ID_MASK}) AS k, t.samples AS samples, t.last_s AS last_s,
                   r.k AS span, (r.k >> {ID_BITS}) + r.lasts AS until_s, 1 + r.more AS n,
                   r.rss AS rss, r.rss + r.held AS held, r.unknown AS unknown, r.cpu_used AS cpu_used,
                   r.processes AS processes
            FROM {{ticks}} t CROSS JOIN {{finer}} r
                ON r.k >= (t.bucket * {{factor}}) << {ID_BITS} AND r.k < ((t.bucket + 1) * {{factor}}) << {ID_BITS}
            WHERE t.bucket >= :first AND t.bucket < :until LIMIT -1
        ) GROUP BY k
    ) g CROSS JOIN {{finer}} l ON l.k = g.span
"""

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


def roll_up(connection: sqlite3.Connection) -> None:
    """Compute every bucket that is over and not yet stored, tier by tier; runs inside the caller's transaction."""
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
    summed = (_SUM_RAW if finer is RAW else _SUM_TIER).format(
        ticks=tier.ticks, finer=finer.table, finer_ticks=finer.ticks, factor=tier.width_s // finer.width_s
    )
    return _INSERT.format(table=tier.table, summed=summed)
