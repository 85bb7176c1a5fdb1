"""What a chart shows, as plain numbers: stacked layers, grid steps, time labels, values under the crosshair.

Pure; knows nothing of Qt, numpy or the store. Local time is worked out for every single point, because one offset for a
whole axis is wrong on one side of a clock change (case 110).
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta, tzinfo

from trayapp.model.series import Gap, GapKind, Layer, Series
from trayapp.wording import THIN_SPACE, duration

MAX_LAYERS = 60
"""More layers than anybody can tell apart are drawn as one."""

OTHERS_KEY = "others"

THIN_SHARE = 0.012
"""A layer thinner than this share of the axis gets no line of its own."""

RANGES_S: dict[str, float] = {
    f"15{THIN_SPACE}min": 900.0,
    f"1{THIN_SPACE}h": 3600.0,
    f"6{THIN_SPACE}h": 21600.0,
    f"24{THIN_SPACE}h": 86400.0,
    f"7{THIN_SPACE}d": 604800.0,
    f"30{THIN_SPACE}d": 2592000.0,
}

_STEPS_S = (60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200)
_STEPS_DAYS = (1, 2, 7, 14)
_DAY_S = 86400


@dataclass(frozen=True, slots=True)
class Reading:
    """Hold the values of one column; `values` comes in drawing order, None = nothing known."""

    index: int
    at_epoch_s: float
    values: tuple[tuple[Layer, float | None], ...]
    memory_bytes: float | None
    cpu_percent: float | None


@dataclass(frozen=True, slots=True)
class Tick:
    """Mark one moment on the time axis."""

    at_epoch_s: float
    label: str


def limited(series: Series, most: int = MAX_LAYERS) -> tuple[Layer, ...]:
    """Return the layers to draw: all, or the largest with the rest added up as one at the top."""
    if len(series.layers) <= most:
        return series.layers
    by_peak = sorted(series.layers, key=lambda layer: max((v or 0.0 for v in layer.memory_bytes), default=0.0))
    rest = {layer.key for layer in by_peak[: len(by_peak) - most + 1]}
    merged = [layer for layer in series.layers if layer.key in rest]
    others = Layer(
        key=OTHERS_KEY,
        host=None,
        title=f"{len(merged)} others",
        memory_bytes=_added([layer.memory_bytes for layer in merged]),
        cpu_percent=_added([layer.cpu_percent for layer in merged]),
    )
    return (*(layer for layer in series.layers if layer.key not in rest), others)


def _added(rows: Sequence[Sequence[float | None]]) -> tuple[float | None, ...]:
    return tuple(_sum_known(column) for column in zip(*rows, strict=True))


def _sum_known(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def heap_over_rss(series: Series) -> Series:
    """Return heaps as layers with the resident memory of their process where others have CPU: two plots, two axes.

    A host that was started anew goes on in the same layer; in the column of the change the larger one counts.
    """
    by_key = {layer.key: layer for layer in series.layers}
    nothing: tuple[float | None, ...] = (None,) * len(series.times_epoch_s)
    layers = []
    for chain in _successions(series):
        found = [by_key.get("rss:" + layer.key.partition(":")[2]) for layer in chain]
        rss = [nothing if layer is None else layer.memory_bytes for layer in found]
        memory = _largest([layer.memory_bytes for layer in chain])
        layers.append(replace(chain[-1], memory_bytes=memory, cpu_percent=_largest(rss)))
    return replace(series, layers=tuple(layers), total=None)


def _successions(series: Series) -> list[list[Layer]]:
    """Put heaps together that followed each other in one host, oldest first; the rest stand alone."""
    heaps = [(_span(layer), layer) for layer in series.layers if layer.key.startswith("heap:")]
    chains: list[list[Layer]] = []
    for (first, _), layer in sorted(heaps, key=lambda heap: heap[0]):
        # the last column of one may be the first of the next
        before = next((c for c in chains if c[-1].host == layer.host and _span(c[-1])[1] <= first), None)
        if before is None:
            chains.append([layer])
        else:
            before.append(layer)
    return chains


def _span(layer: Layer) -> tuple[int, int]:
    """Return the first and the last column in which a layer is known."""
    known = [column for column, value in enumerate(layer.memory_bytes) if value is not None]
    return (known[0], known[-1]) if known else (0, -1)


def _largest(rows: Sequence[Sequence[float | None]]) -> tuple[float | None, ...]:
    columns = ([value for value in column if value is not None] for column in zip(*rows, strict=True))
    return tuple(max(known) if known else None for known in columns)


def of_process(series: Series, pid: int, start: int) -> Series:
    """Return the layers of one process of a series of heaps."""
    process = f"{pid}:{start}"
    return replace(series, layers=tuple(layer for layer in series.layers if layer.key.partition(":")[2] == process))


def heap_limit(series: Series) -> float | None:
    """Return the limit to draw, the highest where it was changed; None where heaps stand on each other."""
    heaps = [layer.memory_bytes for layer in heap_over_rss(series).layers]
    if any(sum(value is not None for value in column) > 1 for column in zip(*heaps, strict=True)):
        return None
    limits = [value for layer in series.layers if layer.key.startswith("limit:") for value in layer.memory_bytes]
    return max((value for value in limits if value is not None), default=None)


def segments(series: Series, rows: Sequence[Sequence[float | None]]) -> tuple[tuple[int, int], ...]:
    """Return the stretches of columns [first, after last) to draw through: measured, and not across a gap."""
    times = series.times_epoch_s
    breaks = _breaks(series)
    found: list[tuple[int, int]] = []
    first: int | None = None
    for column in range(len(times)):
        known = any(row[column] is not None for row in rows)
        if first is not None and (not known or column in breaks):
            found.append((first, column))
            first = None
        if known and first is None:
            first = column
    if first is not None:
        found.append((first, len(times)))
    return tuple(found)


def _breaks(series: Series) -> frozenset[int]:
    """Return the columns that begin anew: a gap lies before them, or columns are missing."""
    times = series.times_epoch_s
    jumps = {i for i in range(1, len(times)) if times[i] - times[i - 1] > 2.5 * series.column_s}
    after_gaps = {bisect_left(times, gap.until_epoch_s - series.column_s / 2) for gap in series.gaps}
    inside = {bisect_left(times, gap.since_epoch_s) for gap in series.gaps}
    return frozenset(jumps | after_gaps | inside)


def grid(largest: float, *, unit: float, least: float) -> tuple[float, ...]:
    """Return at most four grid values from 0 to a round figure at or above `largest`; steps are 1, 2 or 5 units.

    `unit` is what counts as round (1 GB, 1 %), `least` the smallest top that the axis may have.
    """
    wanted = max(largest, least) / unit
    magnitude = 10.0 ** math.floor(math.log10(wanted / 3))
    step = next(m * magnitude for m in (1, 2, 5, 10) if math.ceil(wanted / (m * magnitude) - 1e-9) <= 3)
    count = max(1, math.ceil(wanted / step - 1e-9))
    return tuple(step * number * unit for number in range(count + 1))


def local_time(at_epoch_s: float, zone: tzinfo | None = None) -> datetime:
    """Return local time with the offset that holds at that very moment; `zone` None = this computer's."""
    local = datetime.fromtimestamp(at_epoch_s, zone)
    return local.astimezone() if zone is None else local


def time_with_offset(at_epoch_s: float, zone: tzinfo | None = None) -> str:
    """Say a moment so that it cannot be mistaken: "2026-10-25 02:30+02:00"."""
    return local_time(at_epoch_s, zone).isoformat(" ", "minutes")


def changes_offset(since_epoch_s: float, until_epoch_s: float, zone: tzinfo | None = None) -> bool:
    """Say whether the clock changes inside the range, so that a bare time would be ambiguous."""
    return local_time(since_epoch_s, zone).utcoffset() != local_time(until_epoch_s, zone).utcoffset()


def moment_label(at_epoch_s: float, since_epoch_s: float, until_epoch_s: float, zone: tzinfo | None = None) -> str:
    """Say the time of a crosshair: with its date in ranges over a day, with its offset where the clock changes."""
    local = local_time(at_epoch_s, zone)
    day = f"{local.day} {local:%b} " if until_epoch_s - since_epoch_s > 1.1 * _DAY_S else ""
    offset = local.isoformat()[-6:] if changes_offset(since_epoch_s, until_epoch_s, zone) else ""
    seconds = ":%S" if until_epoch_s - since_epoch_s <= 900 else ""
    return day + local.strftime("%H:%M" + seconds) + offset


def time_ticks(
    since_epoch_s: float, until_epoch_s: float, *, most: int, zone: tzinfo | None = None
) -> tuple[Tick, ...]:
    """Return at most `most` ticks at round local times, each labelled with its own offset in mind."""
    span = until_epoch_s - since_epoch_s
    if span <= 0 or most < 1:
        return ()
    for step in _STEPS_S:
        if span / step <= most:
            return _clock_ticks(since_epoch_s, until_epoch_s, step, zone)
    days = next((d for d in _STEPS_DAYS if span / (d * _DAY_S) <= most), math.ceil(span / _DAY_S / most))
    return _day_ticks(since_epoch_s, until_epoch_s, days, zone)


def _days(since_epoch_s: float, until_epoch_s: float, zone: tzinfo | None) -> Iterator[date]:
    day, last = local_time(since_epoch_s, zone).date(), local_time(until_epoch_s, zone).date()
    while day <= last:
        yield day
        day += timedelta(days=1)


def _clock_ticks(since: float, until: float, step_s: int, zone: tzinfo | None) -> tuple[Tick, ...]:
    found: dict[float, str] = {}
    near = timedelta(hours=3)  # more than any clock change
    first, last = (local_time(at, zone).replace(tzinfo=None) for at in (since, until))
    for day in _days(since, until, zone):
        for of_day in range(0, _DAY_S, step_s):
            wall = datetime.combine(day, time(of_day // 3600, of_day % 3600 // 60), zone)
            if not first - near <= wall.replace(tzinfo=None) <= last + near:
                continue
            for fold in (0, 1):  # an hour that comes twice gets both ticks
                at = wall.replace(fold=fold).timestamp()
                local = local_time(at, zone)
                exists = local.replace(tzinfo=None) == wall.replace(tzinfo=None)
                if exists and since <= at <= until:
                    found[at] = f"{local.day} {local:%b}" if of_day == 0 else local.strftime("%H:%M")
    return tuple(Tick(at, label) for at, label in sorted(found.items()))


def _day_ticks(since: float, until: float, step_days: int, zone: tzinfo | None) -> tuple[Tick, ...]:
    ticks = []
    for day in _days(since, until, zone):
        if day.toordinal() % step_days:
            continue
        at = datetime.combine(day, time(), zone).timestamp()
        if since <= at <= until:
            ticks.append(Tick(at, f"{day.day} {day:%b}"))
    return tuple(ticks)


def reading_at(series: Series, layers: Sequence[Layer], index: int) -> Reading:
    """Return the values of one column."""
    values = tuple((layer, layer.memory_bytes[index]) for layer in layers)
    return Reading(
        index,
        series.times_epoch_s[index],
        values,
        _sum_known([value for _, value in values]),
        _sum_known([layer.cpu_percent[index] for layer in layers]),
    )


def nearest_column(series: Series, at_epoch_s: float) -> int | None:
    """Return the column nearest to a moment; None when there is no column."""
    times = series.times_epoch_s
    if not times:
        return None
    right = bisect_left(times, at_epoch_s)
    if right == 0:
        return 0
    if right == len(times):
        return right - 1
    return right if times[right] - at_epoch_s < at_epoch_s - times[right - 1] else right - 1


_GAP_WORDS = {GapKind.SLEEP: "Asleep", GapKind.PAUSE: "Paused", GapKind.NOT_RUNNING: "Not running"}


def gap_words(gap: Gap) -> str:
    """Say a gap: "Asleep 45 min"."""
    return f"{_GAP_WORDS[gap.kind]} {duration(gap.until_epoch_s - gap.since_epoch_s)}"


def spread(positions: Sequence[float], *, apart: float, low: float, high: float) -> tuple[float, ...]:
    """Move positions, given in rising order, at least `apart` from each other and keep them inside where they fit."""
    moved: list[float] = []
    for position in positions:
        moved.append(max(position, low if not moved else moved[-1] + apart))
    limit = high
    for number in range(len(moved) - 1, -1, -1):
        moved[number] = min(moved[number], limit)
        limit = moved[number] - apart
    return tuple(moved)
