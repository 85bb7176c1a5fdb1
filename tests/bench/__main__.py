"""Measure what Agent Ring costs, each figure beside its reference: `python -m tests.bench [--quick] [SUBJECT ...]`.

Writes build/bench.json: figures, bars, the machine, versions. A run of some subjects replaces those in the file and
keeps the others. A full run (no --quick), or --docs, also writes the table of docs/performance.md. The exit status is 1
when a bar is not held or a figure with a bar could not be measured.
"""

from __future__ import annotations

import argparse
import fcntl
import importlib
import logging
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

from tests.bench import report
from tests.bench.figures import BARS, BUILD, Effort, Figure, missing

log = logging.getLogger("tests.bench")

SUBJECTS = {
    "tick": "a tick against psutil and C, and its growth with the number of processes",
    "minute": "CPU of a minute of the tray app and of its window, against top, htop and btop",
    "short_commands": "CPU of short commands that their session is credited with",
    "tray": "memory and start of the tray app, against a bare tray",
    "growth": "memory over 10,000 ticks",
    "dead_sessions": "looks at 60 live sessions of five hosts among 20,000 that are over",
    "history": "bytes and CPU of a day and a year of history",
    "queries_and_export": "questions to a year of history, and the export",
    "frames": "frames of chart, popover and sparklines",
    "face": "opening popover and window, their tick, and scrolling 5,000 processes, against bare Qt",
    "window": "the tree of 500 sessions, and memory over 10,000 updates of the chart",
}

ANYWHERE = frozenset({"dead_sessions", "history", "queries_and_export", "frames", "face", "window"})
"""Subjects that need nothing of Linux."""


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="make bench", description="Subjects: " + ", ".join(SUBJECTS))
    parser.add_argument("subjects", nargs="*", metavar="SUBJECT", help="measure these only")
    parser.add_argument("--quick", action="store_true", help="shorter windows and fewer rounds: minutes, less exact")
    parser.add_argument("--docs", action="store_true", help="write the table of docs/performance.md whatever was run")
    chosen = parser.parse_args(argv)
    unknown = [name for name in chosen.subjects if name not in SUBJECTS]
    if unknown:
        parser.error(f"no subject is called {', '.join(unknown)}; there are {', '.join(SUBJECTS)}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that everything that was started ends as well
    names = chosen.subjects or list(SUBJECTS)
    with _alone():
        measured = {name: measure(name, Effort(quick=chosen.quick, say=say)) for name in names}
    bench = report.merged(report.load(BUILD.parent / "bench.json"), measured)
    report.save(BUILD.parent / "bench.json", bench)
    say(report.as_text(bench, names))
    if chosen.docs or not (chosen.quick or chosen.subjects):
        report.write_docs(bench)
    broken = [f for name in names for f in measured[name].figures if f.name in BARS and not report.holds(f)]
    for figure in broken:
        told, bar = report.number(figure.value, figure.unit), report.limit(BARS[figure.name], figure.unit)
        say(f"bar not held: {figure.name} is {told}, {bar}")
    return 1 if broken or any(part.failure for part in measured.values()) else 0


@contextmanager
def _alone() -> Iterator[None]:
    """Wait until no other bench of this user runs: two would look at each other's crowds."""
    with (Path(tempfile.gettempdir()) / f"agentring-bench-{os.getuid()}.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another bench runs; this one begins when it has ended")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def measure(name: str, effort: Effort) -> report.Part:
    """Measure one subject; what it told before it failed is kept."""
    began_s, began = time.monotonic(), datetime.now(UTC)
    figures: list[Figure] = []
    failure = ""
    say(f"{name}: {SUBJECTS[name]}")
    try:
        for figure in _subject(name).measure(effort):
            figures.append(figure)
            say(f"  {report.line(figure)}")
    except Exception as error:
        log.exception("measuring %s failed", name)
        failure = f"{type(error).__name__}: {error}"
    if failure:
        figures.append(missing(f"{name} (the rest)", "", failure))
    return report.Part(
        at=began.isoformat(timespec="seconds"),
        took_s=round(time.monotonic() - began_s, 1),
        quick=effort.quick,
        figures=tuple(figures),
        failure=failure,
    )


def _subject(name: str) -> ModuleType:
    if sys.platform != "linux" and name not in ANYWHERE:
        raise NotImplementedError("measured on Linux only")
    return importlib.import_module(f"tests.bench.{name}")


def say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
