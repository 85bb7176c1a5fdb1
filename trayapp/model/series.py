"""Measurements over time, as the charts draw them: few columns, peaks kept, gaps told."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from trayapp.model.process import Pressure


class StackBy(StrEnum):
    """What one layer of a chart stands for."""

    HOST = "host"
    SESSION = "session"
    STATE = "state"


class Tier(StrEnum):
    """How finely the past is asked for; AUTO is the finest tier that still holds the whole range."""

    AUTO = "auto"
    RAW = "raw"
    MINUTE = "minute"
    QUARTER = "quarter"


STEP_S: dict[Tier, float] = {Tier.MINUTE: 60.0, Tier.QUARTER: 900.0}
"""Seconds between the rows of a tier that is rolled up."""

KEPT_S: dict[Tier, float] = {Tier.RAW: 7200.0, Tier.MINUTE: 604_800.0}
"""Seconds that a tier is kept; quarters are kept as long as the settings say (`keep_days`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesQuery:
    """Ask for a range of wall-clock time (seconds since the epoch, UTC) in at most `columns` columns.

    `branch` asks for what is counted under one head only: "host:<host>", "shared" or "orphans"; None = for all.
    """

    since_epoch_s: float
    until_epoch_s: float
    columns: int = 600
    stack_by: StackBy = StackBy.HOST
    session: str | None = None
    branch: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """Hold one layer; values line up with Series.times_epoch_s, None = nothing known there (never 0).

    Attributes:
        memory_bytes: the largest of each column: peaks are kept. Of several sessions in one layer it is the largest
            sum of what they held at one time, or, in a range that is only kept rolled up, of their peaks in one bucket.
        cpu_percent: CPU used over the time that was measured in the column.
        memory_min_bytes, memory_mean_bytes: smallest and mean of each column while it was there, for a band below the
            line; empty where they were not worked out (several sessions or states at once).
    """

    key: str
    host: str | None
    title: str
    memory_bytes: tuple[float | None, ...]
    cpu_percent: tuple[float | None, ...]
    memory_min_bytes: tuple[float | None, ...] = ()
    memory_mean_bytes: tuple[float | None, ...] = ()


class GapKind(StrEnum):
    """Why nothing was measured."""

    SLEEP = "sleep"
    PAUSE = "pause"
    NOT_RUNNING = "not-running"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Mark a stretch without measurements."""

    kind: GapKind
    since_epoch_s: float
    until_epoch_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Strain:
    """Mark a stretch in which the machine was short of memory: Pressure.WARNING or CRITICAL."""

    pressure: Pressure
    since_epoch_s: float
    until_epoch_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """Mark the moment when an action gave memory back, or when something happened to a host (`incident_id`).

    Attributes:
        came_back_bytes: in the series of one session its own part; in that of heaps what came back inside of them.
        receipt_id: empty for an incident.
        groups: the keys of what gave it, or of the sessions that an incident concerns, where that is known.
        ended: nothing was released for it, all of it was ended by signal.
    """

    at_epoch_s: float
    came_back_bytes: int
    title: str
    receipt_id: str
    groups: tuple[str, ...] = ()
    incident_id: str | None = None
    ended: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """Answer a SeriesQuery.

    Attributes:
        times_epoch_s: the middle of each column.
        column_s: the width of one column.
        layers: in drawing order, lowest first.
        gaps: those that are at least half a column long; a shorter one cannot be seen.
        strains: when the machine was short of memory; empty where nobody looked.
        total: all that was counted, with the true peak of the sum, which is less than the sum of the layers' peaks.
    """

    times_epoch_s: tuple[float, ...]
    column_s: float
    layers: tuple[Layer, ...]
    gaps: tuple[Gap, ...] = ()
    marks: tuple[Mark, ...] = ()
    strains: tuple[Strain, ...] = ()
    memory_metric: str | None = None
    total: Layer | None = None
