"""Measurements over time, as the charts draw them: few columns, peaks kept, gaps told."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


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
    """Ask for a range of wall-clock time (seconds since the epoch, UTC) in at most `columns` columns."""

    since_epoch_s: float
    until_epoch_s: float
    columns: int = 600
    stack_by: StackBy = StackBy.HOST
    session: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """Hold one layer; values line up with Series.times_epoch_s, None = nothing known there (never 0)."""

    key: str
    host: str | None
    title: str
    memory_bytes: tuple[float | None, ...]
    cpu_percent: tuple[float | None, ...]


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
class Mark:
    """Mark the moment when an action gave memory back."""

    at_epoch_s: float
    came_back_bytes: int
    title: str
    receipt_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """Answer a SeriesQuery. `column_s` is the width of one column; layers come in drawing order, lowest first."""

    times_epoch_s: tuple[float, ...]
    column_s: float
    layers: tuple[Layer, ...]
    gaps: tuple[Gap, ...] = ()
    marks: tuple[Mark, ...] = ()
    memory_metric: str | None = None
