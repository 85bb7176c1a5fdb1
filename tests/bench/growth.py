"""Memory over 10,000 ticks at full speed, with history: five and a half hours at two seconds, as history sees it."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.crowd import crowd
from tests.bench.figures import MB, Effort, Figure, scratch
from tests.bench.worker import check_recognised, working

SESSIONS, EACH, OTHERS = 10, 5, 50


def measure(effort: Effort) -> Iterator[Figure]:
    first, all_of_them = effort.pick(1_000, 500), effort.pick(10_000, 2_000)
    with scratch() as root, crowd(root, others=OTHERS, sessions=SESSIONS, each=EACH) as made:
        arguments = {"home": str(made.home), "folder": str(root)}
        with working("tick", arguments) as worker:
            early = worker.go(f"fast {first}")
            late = worker.go(f"fast {all_of_them - first}")
    check_recognised(late, made.session_ids, EACH)
    yield Figure(
        name="rss_growth_10k_ticks",
        value=(late["rss_bytes"] - early["rss_bytes"]) / MB,
        unit="MB",
        note=f"after {all_of_them} ticks ({late['rss_bytes'] / MB:.1f} MB) over after {first}",
    )
    spent_s = late["cpu_s"] / (all_of_them - first)
    yield Figure(name="tick_at_full_speed_ms", value=spent_s * 1000, unit="ms", note="100 processes, warm caches")
