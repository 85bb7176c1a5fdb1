"""What recording 50 sessions every two seconds costs: CPU of a day, bytes of a day, a month and a year."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator

from tests.bench import days
from tests.bench.figures import Effort, Figure, figure, scratch


def measure(effort: Effort) -> Iterator[Figure]:
    rounds = effort.pick(2, 1)
    with scratch() as root:
        costs = []
        for number in range(rounds):
            effort.say(f"  a day, written tick by tick ({number + 1} of {rounds})")
            costs.append(days.write_day(root / f"day-{number}.sqlite", clock=time.process_time))
        yield figure(
            "day_write_cpu_s", [cost.cpu_s for cost in costs], "CPU-s", f"{costs[0].ticks} ticks of 50 sessions"
        )
        yield figure("day_bytes_50_sessions", [cost.file_bytes for cost in costs], "bytes", "with log and index files")
        for name, length in (("month", 30), ("year", 365)):
            path = root / f"{name}.sqlite"
            shutil.copy(root / "day-0.sqlite", path)
            made = days.repeat_day(path, days=length)
            yield Figure(name=f"{name}_bytes_50_sessions", value=made.file_bytes, unit="bytes", note="as days go by")
