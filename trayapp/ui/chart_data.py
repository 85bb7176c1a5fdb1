"""What a chart shows, as plain numbers: stacked layers, grid steps, time labels, values under the crosshair.

Pure; knows nothing of Qt, numpy or the store. Local time is worked out for every single point, because one offset for a
whole axis is wrong on one side of a clock change (case 110).
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta, tzinfo

from trayapp.model.process import Pressure
from trayapp.model.series import Gap, GapKind, Layer, Mark, Series, Strain
from trayapp.say import noted, say, told
from trayapp.wording import duration

MAX_LAYERS = 60
"""More layers than anybody can tell apart are drawn as one."""

OTHERS_KEY = "others"

THIN_SHARE = 0.012
"""A layer thinner than this share of the axis gets no line of its own."""

RANGES_S: dict[str, float] = {
    noted("15\u202fmin"): 900.0,
    noted("1\u202fh"): 3600.0,
    noted("6\u202fh"): 21600.0,
    noted("24\u202fh"): 86400.0,
    noted("7\u202fd"): 604800.0,
    noted("30\u202fd"): 2592000.0,
}
"""The ranges to choose from; the key is said as it is."""

_DAYS = (
    noted("{day} Jan"),
    noted("{day} Feb"),
    noted("{day} Mar"),
    noted("{day} Apr"),
    noted("{day} May"),
    noted("{day} Jun"),
    noted("{day} Jul"),
    noted("{day} Aug"),
    noted("{day} Sep"),
    noted("{day} Oct"),
    noted("{day} Nov"),
    noted("{day} Dec"),
)

_TITLES = {
    "shared": noted("Shared helpers"),
    "orphans": noted("Orphans"),
    "more": noted("Smaller sessions"),
    "busy": noted("Busy"),
    "waiting": noted("Waiting for you"),
    "idle": noted("Idle"),
    "ended": noted("Ended"),
    "unknown": noted("Cannot tell"),
}
"""Layers that stand for no host and no session of its own, by their key."""

MOST_TABLE_ROWS = 48

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
        title=say("{n} others", n=len(merged)),
        memory_bytes=_added([layer.memory_bytes for layer in merged]),
        cpu_percent=_added([layer.cpu_percent for layer in merged]),
    )
    return (*(layer for layer in series.layers if layer.key not in rest), others)


def title_of(layer: Layer) -> str:
    """Return what a layer is called; a host or a session by its own name."""
    title = _TITLES.get(layer.key)
    if title is not None and layer.host is None:
        return say(title)
    return layer.title if layer.host is not None else told(layer.title)


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
    day = f"{day_words(local)} " if until_epoch_s - since_epoch_s > 1.1 * _DAY_S else ""
    offset = local.isoformat()[-6:] if changes_offset(since_epoch_s, until_epoch_s, zone) else ""
    seconds = ":%S" if until_epoch_s - since_epoch_s <= 900 else ""
    return day + local.strftime("%H:%M" + seconds) + offset


def day_words(day: date) -> str:
    """Say a day without its year: "14 Nov"."""
    return say(_DAYS[day.month - 1], day=day.day)


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
                    found[at] = day_words(local) if of_day == 0 else local.strftime("%H:%M")
    return tuple(Tick(at, label) for at, label in sorted(found.items()))


def _day_ticks(since: float, until: float, step_days: int, zone: tzinfo | None) -> tuple[Tick, ...]:
    ticks = []
    for day in _days(since, until, zone):
        if day.toordinal() % step_days:
            continue
        at = datetime.combine(day, time(), zone).timestamp()
        if since <= at <= until:
            ticks.append(Tick(at, day_words(day)))
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


_GAP_WORDS = {
    GapKind.SLEEP: noted("Asleep {length}"),
    GapKind.PAUSE: noted("Paused {length}"),
    GapKind.NOT_RUNNING: noted("Not running {length}"),
}
_SHORT_GAP_WORDS = {
    GapKind.SLEEP: noted("Asleep"),
    GapKind.PAUSE: noted("Paused"),
    GapKind.NOT_RUNNING: noted("Off"),
}
_STRAIN_WORDS = {
    Pressure.WARNING: noted("Memory ran short"),
    Pressure.CRITICAL: noted("Memory was nearly full"),
}


def gap_words(gap: Gap) -> str:
    """Say a gap: "Asleep 45 min"."""
    return say(_GAP_WORDS[gap.kind], length=duration(gap.until_epoch_s - gap.since_epoch_s))


def short_gap_words(gap: Gap) -> str:
    """Say a gap that has little room: "Asleep"."""
    return say(_SHORT_GAP_WORDS[gap.kind])


def strain_words(pressure: Pressure) -> str:
    """Say that the machine was short of memory; "" for a machine that was not."""
    words = _STRAIN_WORDS.get(pressure)
    return "" if words is None else say(words)


def pressure_at(series: Series, at_epoch_s: float) -> Pressure:
    """Return how short of memory the machine was in the column of a moment; the worst of it counts."""
    half = series.column_s / 2
    there = _strains_between(series.strains, at_epoch_s - half, at_epoch_s + half)
    return max(there, key=_WORSE.index, default=Pressure.NORMAL)


_WORSE = (Pressure.NORMAL, Pressure.WARNING, Pressure.CRITICAL)


def _strains_between(strains: Sequence[Strain], since: float, until: float) -> list[Pressure]:
    found = [s.pressure for s in strains if s.since_epoch_s < until and s.until_epoch_s > since]
    return [pressure for pressure in found if pressure in _WORSE]


def layer_at(reading: Reading, memory_bytes: float) -> Layer | None:
    """Return the layer of a column that lies at a height of the stack; None above all of them."""
    top = 0.0
    for layer, value in reading.values:
        top += value or 0.0
        if 0 <= memory_bytes < top:
            return layer
    return None


# Everything in numbers, for those who cannot see it.


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Hold one row of the table: a stretch of time, the most that each layer held in it, and the mean CPU.

    `happened`: gaps, shortage of memory and events, each as a sentence.
    """

    since_epoch_s: float
    until_epoch_s: float
    memory_bytes: float | None
    layers: tuple[float | None, ...]
    lower: float | None
    happened: tuple[str, ...]


def table_rows(
    series: Series,
    layers: Sequence[Layer],
    say_mark: Callable[[Mark], str],
    *,
    most: int = MOST_TABLE_ROWS,
) -> tuple[Stretch, ...]:
    """Return a series as a table of at most `most` rows, the newest first; peaks are kept."""
    columns = len(series.times_epoch_s)
    if not columns:
        return ()
    step = math.ceil(columns / most)
    rows = []
    for last in range(columns, 0, -step):
        first, half = max(0, last - step), series.column_s / 2
        since, until = series.times_epoch_s[first] - half, series.times_epoch_s[last - 1] + half
        sums = [_sum_known([layer.memory_bytes[at] for layer in layers]) for at in range(first, last)]
        lower = [_sum_known([layer.cpu_percent[at] for layer in layers]) for at in range(first, last)]
        known = [value for value in lower if value is not None]
        rows.append(
            Stretch(
                since_epoch_s=since,
                until_epoch_s=until,
                memory_bytes=max((value for value in sums if value is not None), default=None),
                layers=tuple(
                    max((v for v in layer.memory_bytes[first:last] if v is not None), default=None) for layer in layers
                ),
                lower=sum(known) / len(known) if known else None,
                happened=tuple(_happened(series, since, until, say_mark)),
            )
        )
    return tuple(rows)


def _happened(series: Series, since: float, until: float, say_mark: Callable[[Mark], str]) -> Iterator[str]:
    for gap in series.gaps:
        if gap.since_epoch_s < until and gap.until_epoch_s > since:
            yield gap_words(gap)
    pressures = _strains_between(series.strains, since, until)
    if pressures:
        yield strain_words(max(pressures, key=_WORSE.index))
    for mark in series.marks:
        if since <= mark.at_epoch_s < until:
            yield say_mark(mark)


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
