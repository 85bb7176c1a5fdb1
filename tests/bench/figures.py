"""Named figures, the bars that they are held to, and how they are taken.

A figure of cost is measured against its reference in the same run, the ways taking turns, by CPU time (user + system);
what is told is the median with the least and the most. Ratios hold everywhere; absolute figures belong to the machine.

A subject is a module of this folder with a function `measure(effort) -> Iterator[Figure]`.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

CHECKOUT = Path(__file__).resolve().parents[2]
BUILD = CHECKOUT / "build" / "bench"
MB = 1e6
MIB = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """Hold one result.

    Attributes:
        value: None where it could not be measured; `note` then says why.
        unit: "ratio", "share", "ms", "s", "MB", ...
        low, high: over the rounds.
        note: how it was taken, where its name does not tell.
    """

    name: str
    value: float | None
    unit: str
    low: float | None = None
    high: float | None = None
    rounds: int = 1
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """Say what a figure is held to, and in words what it is."""

    limit: float
    what: str
    at_least: bool = False

    def holds(self, value: float) -> bool:
        return value >= self.limit if self.at_least else value <= self.limit


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """Say how much time a subject may take; `say` tells the person at the terminal what goes on."""

    quick: bool
    say: Callable[[str], None]

    def pick(self, full: int, quick: int) -> int:
        return quick if self.quick else full


BARS = {
    "probe_cpu_vs_psutil_500": Bar(
        limit=0.04, what="a steady scan, 50 tracked of 500 processes, over a pass of kept psutil objects over all"
    ),
    "tick_cpu_vs_psutil_500": Bar(
        limit=0.08, what="a whole steady tick (scan, observe, attribute, judge, plan, publish, store) over the same"
    ),
    "tick_cpu_vs_c_scan_500": Bar(limit=0.6, what="a whole steady tick over a scan of all stat files in C"),
    "tick_growth_5000_over_500": Bar(limit=6, what="a whole steady tick among 5,000 processes over one among 500"),
    "minute_cpu_vs_btop": Bar(limit=0.4, what="the tray app with closed popover over btop, 500 + 50 x 4 processes"),
    "minute_cpu_vs_top": Bar(limit=0.4, what="the same over `top -d 2`"),
    "minute_cpu_window_open_vs_btop": Bar(limit=1.0, what="the app with its window open, 50 sessions drawn, over btop"),
    "short_command_credit": Bar(
        limit=0.85,
        at_least=True,
        what="CPU of commands of 0.2 to 3 s that their session is credited with, at the worst",
    ),
    "tray_private_dirty_over_bare_tray": Bar(
        limit=1.6, what="private dirty memory of the app, popover never opened, over a bare PySide6 tray"
    ),
    "tray_resident_over_bare_tray": Bar(limit=1.25, what="resident memory, the same"),
    "rss_growth_10k_ticks": Bar(limit=1.0, what="MB more resident after 10,000 ticks than after 1,000"),
    "start_to_tray_over_bare_tray": Bar(limit=2.0, what="time from exec to the icon in the tray, over a bare tray"),
    "day_bytes_50_sessions": Bar(limit=8 * MB, what="the history of one day of 50 sessions at 2 s"),
    "year_bytes_50_sessions": Bar(limit=90 * MB, what="the history of one year of 50 sessions"),
    "day_write_cpu_s": Bar(limit=6.0, what="CPU for writing one day at 2 s"),
    "query_24h_all_ms": Bar(limit=100, what="24 h of all sessions out of a year of history"),
    "query_7d_all_ms": Bar(limit=60, what="7 days of all sessions"),
    "query_1y_all_ms": Bar(limit=150, what="1 year of all sessions"),
    "export_cpu_s_per_million_rows": Bar(limit=2.0, what="CPU for exporting a million rows as CSV"),
    "export_extra_mb": Bar(limit=12.0, what="more resident memory while exporting"),
    "chart_growth_10k_updates": Bar(limit=10.0, what="MiB more resident after 10,000 updates of the chart"),
    "face_popover_open_ms": Bar(limit=100, what="CPU ms from a click to the popover's first paint, 50 sessions"),
    "face_scroll_500_sessions_ms": Bar(limit=16.7, what="CPU ms for a frame while 500 sessions scroll"),
    "frame_pan_24h_50_over_bare_pyqtgraph": Bar(
        limit=1.3, what="a panned frame of our chart, 24 h of 50 sessions, over bare pyqtgraph with the same columns"
    ),
}


def figure(name: str, values: Sequence[float], unit: str, note: str = "") -> Figure:
    """Tell the median of some rounds with its spread."""
    return Figure(
        name=name,
        value=statistics.median(values),
        unit=unit,
        low=min(values),
        high=max(values),
        rounds=len(values),
        note=note,
    )


def ratio(name: str, ours: Sequence[float], reference: Sequence[float], note: str = "") -> Figure:
    """Tell the median of ours over the median of the reference; the spread is that of the rounds, pair by pair."""
    pairs = [mine / other for mine, other in zip(ours, reference, strict=True)]
    return Figure(
        name=name,
        value=statistics.median(ours) / statistics.median(reference),
        unit="ratio",
        low=min(pairs),
        high=max(pairs),
        rounds=len(pairs),
        note=note,
    )


def missing(name: str, unit: str, why: str) -> Figure:
    """Say that a figure could not be measured; it is never left out in silence."""
    return Figure(name=name, value=None, unit=unit, rounds=0, note=why)


def lacking(*programs: str) -> str:
    """Return why a figure is missing when any of these programs is not installed, else ""."""
    absent = [program for program in programs if shutil.which(program) is None]
    return f"{', '.join(absent)} not installed" if absent else ""


def compiled(source: str) -> Path:
    """Compile a C file of this folder, unless that has been done; returns the program."""
    BUILD.mkdir(parents=True, exist_ok=True)
    here, program = Path(__file__).parent / source, BUILD / Path(source).stem
    if not program.exists() or program.stat().st_mtime < here.stat().st_mtime:
        part = program.with_suffix(".part")
        subprocess.run(["cc", "-O2", "-Wall", "-o", str(part), str(here)], check=True)
        part.replace(program)
    return program


@contextmanager
def scratch() -> Iterator[Path]:
    """Yield a folder that is gone afterwards."""
    with TemporaryDirectory(prefix="agentring-bench-") as folder:
        yield Path(folder)
