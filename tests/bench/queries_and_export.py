"""What asking a year of 50 sessions costs, and exporting it: CPU time of each, and the memory that an export takes."""

from __future__ import annotations

import json
import resource
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psutil

from tests.bench import days
from tests.bench.figures import CHECKOUT, MB, Effort, Figure, figure, ratio, scratch
from trayapp.history.csv_export import export
from trayapp.history.queries import series, sparklines
from trayapp.history.rollup import ID_BITS
from trayapp.model.series import SeriesQuery, StackBy, Tier

END_S = days.START_S + days.DAY_S

RANGES = {"24h": 1, "7d": 7, "30d": 30, "1y": 365}


def measure(effort: Effort) -> Iterator[Figure]:
    with scratch() as root:
        effort.say("  a year of history is made up")
        path = root / "year.sqlite"
        days.write_day(path)
        days.repeat_day(path, days=365)
        yield from queries(path, effort)
        yield from exports(path, root, effort)


def queries(path: Path, effort: Effort) -> Iterator[Figure]:
    """Measure every range in 600 columns."""
    rounds = effort.pick(9, 3)
    for name, length in RANGES.items():
        for by in (StackBy.SESSION, StackBy.HOST):
            asked = SeriesQuery(since_epoch_s=END_S - length * days.DAY_S, until_epoch_s=END_S, stack_by=by)
            whose = "all" if by is StackBy.SESSION else "hosts"
            took = [_cpu_ms(lambda query=asked: series(path, query)) for _ in range(rounds)]  # type: ignore[misc]
            yield figure(f"query_{name}_{whose}_ms", took, "ms", "in 600 columns")
    took = [_cpu_ms(lambda: sparklines(path, now_epoch_s=END_S, columns=40)) for _ in range(rounds)]
    yield figure("sparklines_ms", took, "ms", "the last hour of every session")


def exports(path: Path, root: Path, effort: Effort) -> Iterator[Figure]:
    """Measure an export of every minute that is kept, in a process of its own, and one of a year of quarters."""
    rounds = effort.pick(3, 1)
    minutes, plain = [], []
    for number in range(rounds):
        effort.say(f"  a week of minutes is exported ({number + 1} of {rounds})")
        minutes.append(_in_a_process(path, root / "minutes.csv", Tier.MINUTE, 7))
        plain.append(_plain_join_s(path))
    per_million = [took["cpu_s"] * 1e6 / took["rows"] for took in minutes]
    yield figure("export_cpu_s_per_million_rows", per_million, "CPU-s", f"{minutes[0]['rows']:.0f} rows of a minute")
    yield figure("export_extra_mb", [took["extra_mb"] for took in minutes], "MB", "more at its peak than before")
    note = "five integers of each stored row, joined by % and written nowhere: what this machine can do"
    yield ratio("export_cpu_over_plain_join", per_million, plain, note)
    year = _in_a_process(path, root / "quarters.csv", Tier.QUARTER, 365)
    note = f"{year['rows']:.0f} rows of a quarter of an hour, most of them packed"
    yield figure("export_year_cpu_s_per_million_rows", [year["cpu_s"] * 1e6 / year["rows"]], "CPU-s", note)


def _cpu_ms(work: Callable[[], object]) -> float:
    began_s = time.process_time()
    work()
    return (time.process_time() - began_s) * 1000


def _plain_join_s(path: Path) -> float:
    """Return CPU seconds a million rows for what shared measurements took as the reference of an export."""
    rows = 0
    began_s = time.process_time()
    with closing(sqlite3.connect(path)) as connection:
        cursor = connection.execute(
            "SELECT k, rss, held, cpu_used, processes FROM minute WHERE k >= ?",
            ((END_S - 3 * days.DAY_S) // 60 << ID_BITS,),
        )
        while found := cursor.fetchmany(10_000):
            rows += len(found)
            "\n".join(["%d,%d,%d,%d,%d" % row for row in found])  # noqa: UP031 - the reference, as it was taken
    return (time.process_time() - began_s) * 1e6 / rows


def _in_a_process(path: Path, out: Path, tier: Tier, length: int) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-m", __name__, str(path), str(out), tier.value, str(length)],
        cwd=CHECKOUT,
        check=True,
        capture_output=True,
        text=True,
    )
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def _export(path: Path, out: Path, tier: Tier, length: int) -> dict[str, float]:
    def run(hours: float) -> int:
        return export(
            path,
            out,
            since_epoch_s=END_S - hours * 3600,
            until_epoch_s=END_S,
            tier=tier,
            progress=lambda done, total: None,
            cancelled=lambda: False,
        )

    run(0.1)  # what is loaded once is not the export's
    before_mb, began_s = psutil.Process().memory_info().rss / MB, time.process_time()
    rows = run(24.0 * length)
    return {"rows": rows, "cpu_s": time.process_time() - began_s, "extra_mb": _peak_mb() - before_mb}


def _peak_mb() -> float:
    status = Path("/proc/self/status")
    if status.exists():  # on Linux ru_maxrss begins with what the parent had when it started this process
        return int(status.read_text(encoding="ascii").partition("VmHWM:")[2].split()[0]) * 1024 / MB
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / MB if sys.platform == "darwin" else peak * 1024 / MB


if __name__ == "__main__":
    given = sys.argv[1:]
    print(json.dumps(_export(Path(given[0]), Path(given[1]), Tier(given[2]), int(given[3]))))
