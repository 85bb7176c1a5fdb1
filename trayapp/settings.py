"""The user's settings: a TOML file, checked on load, written back with its comments kept."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Hold every setting with its default.

    Attributes:
        interval_s: seconds between ticks while a view is open or an agent runs.
        idle_after_s: how long a session must be idle before it counts as releasable.
        keep_days: how long measurements are kept.
        record: write measurements to the history.
        tray_tone: "auto", "light" or "dark" glyph.
        cpu_of_machine: show CPU as share of the whole machine instead of 100 % = one core.
    """

    interval_s: float = 2.0
    idle_after_s: float = 900.0
    keep_days: int = 365
    record: bool = True
    tray_tone: str = "auto"
    cpu_of_machine: bool = False
