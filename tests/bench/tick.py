"""What a tick costs: against psutil, against C, and by the number of processes.

The ways look in turns, one beat every two seconds, as in the tray: caches are as cold, and what happens every few beats
or seconds (a batch of the history, a slower look at all others) happens as often. So a tick's cost is the mean over a
window of beats, and a figure the median over the windows.
"""

from __future__ import annotations

import statistics
import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass

from tests.bench.crowd import crowd, settle
from tests.bench.figures import Effort, Figure, figure, ratio, scratch
from tests.bench.worker import Answer, Worker, check_recognised, working

BEAT_S = 2.0
WINDOW = 15
"""Beats: half a minute, in which everything that recurs has happened."""
WARM_UP = 6
"""Beats before the first that counts, and after others have started or ended many processes."""
RESTLESS = 15
PATIENCE = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class _Costs:
    """Hold CPU milliseconds of each way, one value for each window."""

    ms: Mapping[str, tuple[float, ...]]
    seen: str


def measure(effort: Effort) -> Iterator[Figure]:
    at_500 = _costs(effort, processes=500, sessions=10, each=5, windows=effort.pick(3, 1))
    ms, seen = at_500.ms, at_500.seen
    yield ratio("probe_cpu_vs_psutil_500", ms["scan"], ms["psutil"], f"{seen}; over oneshot cpu_times + memory_info")
    yield ratio("tick_cpu_vs_psutil_500", ms["tick"], ms["psutil"], "the same")
    yield ratio("tick_cpu_vs_c_scan_500", ms["tick"], ms["c_scan"], "the same processes, read and parsed by C")
    yield figure("psutil_pass_500_ms", ms["psutil"], "ms")
    yield figure("c_scan_500_ms", ms["c_scan"], "ms")
    yield figure("probe_scan_500_ms", ms["scan"], "ms")
    yield figure("tick_500_ms", ms["tick"], "ms", seen)
    growth = {}
    for processes in (5000,) if effort.quick else (100, 2000, 5000):
        costs = _costs(effort, processes=processes, sessions=10, each=5, windows=1)
        growth[processes] = costs.ms["tick"]
        yield figure(f"tick_{processes}_ms", costs.ms["tick"], "ms", costs.seen)
        yield ratio(f"tick_cpu_vs_psutil_{processes}", costs.ms["tick"], costs.ms["psutil"])
        yield ratio(f"tick_cpu_vs_c_scan_{processes}", costs.ms["tick"], costs.ms["c_scan"])
    yield Figure(
        name="tick_growth_5000_over_500",
        value=statistics.median(growth[5000]) / statistics.median(ms["tick"]),
        unit="ratio",
    )
    many = _costs(effort, processes=500, sessions=50, each=4, windows=1)
    yield figure("tick_500_50_sessions_ms", many.ms["tick"], "ms", many.seen)
    yield ratio("tick_cpu_vs_psutil_500_50_sessions", many.ms["tick"], many.ms["psutil"], many.seen)
    yield ratio("tick_cpu_vs_c_scan_500_50_sessions", many.ms["tick"], many.ms["c_scan"])
    if not effort.quick:
        heavy = _costs(effort, processes=500, sessions=10, each=5, windows=1, holds_mb=200)
        seen = "the 10 sessions hold 2 GB, of which PSS costs 12 ms a GB to read; else as tick_500_ms"
        yield figure("tick_500_holding_2gb_ms", heavy.ms["tick"], "ms", seen)


def _costs(effort: Effort, *, processes: int, sessions: int, each: int, windows: int, holds_mb: int = 0) -> _Costs:
    """Let the ways take turns among so many dummies, `sessions` x `each` of them tracked."""
    began_s = time.monotonic()
    with scratch() as root, ExitStack() as stack:
        others = processes - sessions * each
        started = stack.enter_context(crowd(root, others=others, sessions=sessions, each=each, holds_mb=holds_mb))
        effort.say(f"{processes} processes, {sessions} sessions of {each}")
        settle(time.monotonic())
        arguments: dict[str, dict[str, object]] = {
            "psutil": {},
            "c_scan": {},
            "scan": {"tracked": started.tracked()},
            "tick": {"home": str(started.home), "folder": str(root)},
        }
        workers = {way: stack.enter_context(working(way, given or None)) for way, given in arguments.items()}
        rows, last = _turns(effort, workers, wanted=windows * WINDOW)
    check_recognised(last["tick"], started.session_ids, each)
    effort.say(f"  took {time.monotonic() - began_s:.0f} s")
    means = {
        name: tuple(statistics.mean(row[n : n + WINDOW]) for n in range(0, len(row), WINDOW))
        for name, row in rows.items()
    }
    seen = f"{last['c_scan']['processes']} processes in all, {sessions * each} of {sessions} sessions tracked"
    foreign = sum(last["tick"]["members"].values()) - sessions * each
    return _Costs(ms=means, seen=f"{seen}, and {foreign} of sessions that are not the bench's" if foreign else seen)


def _turns(
    effort: Effort, workers: Mapping[str, Worker], *, wanted: int
) -> tuple[dict[str, list[float]], dict[str, Answer]]:
    """Let the ways take turns until there are so many quiet beats; return their milliseconds, and the last answers.

    What others do on this machine costs the app too: it reads the processes that they start, several times while those
    are young. Such beats are left out; if there is no end of them, what was measured last counts.
    """
    names = list(workers)
    rows: dict[str, list[float]] = {name: [] for name in names}
    counts: deque[int] = deque(maxlen=WARM_UP)
    last: dict[str, Answer] = {}
    next_s = time.monotonic()
    beats = 0
    while len(rows[names[0]]) < wanted:
        turn = beats % len(names)
        for name in names[turn:] + names[:turn]:
            last[name] = workers[name].go()
        counts.append(last["c_scan"]["processes"])
        beats += 1
        is_quiet = len(counts) == WARM_UP and max(counts) - min(counts) <= RESTLESS
        if is_quiet or beats > WARM_UP + PATIENCE * wanted:
            for name in names:
                rows[name].append(last[name]["cpu_s"] * 1000)
        next_s = max(next_s + BEAT_S, time.monotonic())
        time.sleep(max(0.0, next_s - time.monotonic()))
    if beats > WARM_UP - 1 + wanted:
        effort.say(f"  others started or ended processes during {beats - WARM_UP + 1 - wanted} beats more")
    return rows, last
