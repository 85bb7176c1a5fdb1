"""What a run of the bench leaves: build/bench.json, a text for the terminal, the table of docs/performance.md."""

from __future__ import annotations

import os
import platform
import sqlite3
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

import msgspec

from tests.bench.figures import BARS, CHECKOUT, Bar, Figure

SCHEMA = 1
DOCS = CHECKOUT / "docs" / "performance.md"
BEGIN, END = "<!-- bench: begin -->", "<!-- bench: end -->"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Hold what one subject gave, and when; `failure` says why it is not whole."""

    at: str
    took_s: float
    quick: bool
    figures: tuple[Figure, ...]
    failure: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """Say of one figure whether its bar holds."""

    value: float | None
    limit: float
    at_least: bool
    holds: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """Hold everything of build/bench.json.

    Attributes:
        figures: by name, so that a script finds them at once; `parts` says how and when they were taken.
    """

    schema: int = SCHEMA
    machine: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    figures: dict[str, float | None] = field(default_factory=dict)
    bars: dict[str, Judged] = field(default_factory=dict)
    parts: dict[str, Part] = field(default_factory=dict)


def holds(figure: Figure) -> bool:
    return figure.value is not None and BARS[figure.name].holds(figure.value)


def limit(bar: Bar, unit: str = "") -> str:
    return f"{'at least' if bar.at_least else 'at most'} {number(bar.limit, unit)}"


def merged(before: Bench, measured: Mapping[str, Part]) -> Bench:
    """Put new parts in the place of old ones."""
    parts = {**before.parts, **measured}
    figures = {figure.name: figure for part in parts.values() for figure in part.figures}
    bars = {
        name: Judged(
            value=figures[name].value if name in figures else None,
            limit=bar.limit,
            at_least=bar.at_least,
            holds=name in figures and holds(figures[name]),
        )
        for name, bar in BARS.items()
    }
    return Bench(
        machine=_machine(),
        versions=_versions(),
        figures={name: figure.value for name, figure in figures.items()},
        bars=bars,
        parts=parts,
    )


def load(path: Path) -> Bench:
    """Read an earlier run; one of another version, or a broken one, counts as none."""
    try:
        bench = msgspec.json.decode(path.read_bytes(), type=Bench)
    except (FileNotFoundError, msgspec.DecodeError):
        return Bench()
    return bench if bench.schema == SCHEMA else Bench()


def save(path: Path, bench: Bench) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(bench), indent=2) + b"\n")


def _machine() -> dict[str, str]:
    told = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    models = [line.partition(":")[2].strip() for line in told if line.startswith("model name")]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "processor": models[0] if models else platform.processor(),
        "cores": str(os.cpu_count()),
        "memory": f"{memory:.0f} GiB",
        "system": f"{platform.system()} {platform.release()}",
        "load": " ".join(f"{load:.1f}" for load in os.getloadavg()),
    }


def _versions() -> dict[str, str]:
    names = ("psutil", "PySide6-Essentials", "pyqtgraph", "numpy")
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=CHECKOUT, capture_output=True, text=True, check=False
    )
    return {
        "agentring": f"{version('agentring')} {commit.stdout.strip()}".strip(),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        **{name: version(name) for name in names},
    }


# ---- words


def number(value: float | None, unit: str) -> str:
    if value is None:
        return "missing"
    if unit == "bytes":
        return f"{value / 1e6:.1f} MB"
    if unit in ("ratio", "share"):
        return f"{value:.3f}"
    return (f"{value:.3g} {unit}" if abs(value) < 1000 else f"{value:,.0f} {unit}").strip()


def spread(figure: Figure) -> str:
    if figure.low is None or figure.high is None or figure.rounds < 2:
        return ""
    return f"{number(figure.low, figure.unit).split()[0]} to {number(figure.high, figure.unit).split()[0]}"


def line(figure: Figure) -> str:
    """Return one line for the terminal."""
    bar = BARS.get(figure.name)
    judged = "" if bar is None else f"  {'ok' if holds(figure) else 'NOT HELD'}, {limit(bar, figure.unit)}"
    between = f" [{spread(figure)}]" if spread(figure) else ""
    note = f"  ({figure.note})" if figure.note else ""
    return f"{figure.name:<42} {number(figure.value, figure.unit):>14}{between}{judged}{note}"


def as_text(bench: Bench, names: Sequence[str]) -> str:
    """Return the bars of what was measured."""
    shown = [figure for name in names for figure in bench.parts[name].figures if figure.name in BARS]
    return "\n".join(["", *(line(figure) for figure in shown)])


def as_table(bench: Bench) -> str:
    """Return what stands between the marks in docs/performance.md."""
    figures = {figure.name: figure for part in bench.parts.values() for figure in part.figures}
    machine, versions = bench.machine, bench.versions
    rows = [
        f"Taken on {machine['processor']}, {machine['cores']} cores, {machine['memory']}, {machine['system']}; "
        f"Python {versions['python']}, PySide6 {versions['PySide6-Essentials']}, psutil {versions['psutil']}, "
        f"pyqtgraph {versions['pyqtgraph']}, SQLite {versions['sqlite']}.",
        "",
        "| figure | value | spread | bar | held |",
        "| --- | --- | --- | --- | --- |",
        *(_bar_row(name, bar, figures.get(name)) for name, bar in BARS.items()),
        "",
        "| more figures | value | spread | how |",
        "| --- | --- | --- | --- |",
        *_more_rows(figure for figure in figures.values() if figure.name not in BARS),
    ]
    return "\n".join(rows)


def _bar_row(name: str, bar: Bar, found: Figure | None) -> str:
    figure = found or Figure(name=name, value=None, unit="")
    told = number(figure.value, figure.unit)
    bound = f"{'≥' if bar.at_least else '≤'} {number(bar.limit, figure.unit)}" if found else limit(bar)
    return f"| `{name}`: {bar.what} | {told} | {spread(figure)} | {bound} | {'yes' if holds(figure) else '**no**'} |"


def _more_rows(figures: Iterable[Figure]) -> Iterable[str]:
    for figure in figures:
        yield f"| `{figure.name}` | {number(figure.value, figure.unit)} | {spread(figure)} | {figure.note} |"


def write_docs(bench: Bench, path: Path = DOCS) -> None:
    """Put the table between its marks; the rest of the page stays."""
    page = path.read_text(encoding="utf-8")
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"{path} has no place for the table: {BEGIN} and {END} are missing")
    path.write_text(f"{before}{BEGIN}\n{as_table(bench)}\n{END}{after}", encoding="utf-8")
