"""How much CPU of short commands is credited to the session that ran them, at a look every two seconds.

A session's shell runs commands that burn a given CPU time, one after another with a rest of half that time. What they
really took is what the kernel told their parent (getrusage(2)).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench.crowd import Burn, crowd
from tests.bench.figures import Effort, Figure, scratch
from tests.bench.worker import working

BEAT_S = 2.0
PAIRS_S = ((0.2, 3.0), (0.5, 1.0))
"""CPU of each command; two sessions at once, for the two cores that any machine has."""


def measure(effort: Effort) -> Iterator[Figure]:
    shares: dict[float, float] = {}
    for pair in PAIRS_S:
        shares |= _credited(pair, all_s=effort.pick(30, 12))
    worst = min(shares, key=lambda command_s: shares[command_s])
    yield Figure(
        name="short_command_credit",
        value=shares[worst],
        unit="share",
        low=shares[worst],
        high=max(shares.values()),
        rounds=len(shares),
        note=f"the worst, at {worst} s",
    )
    for command_s, share in sorted(shares.items()):
        yield Figure(name=f"short_command_credit_{command_s:g}_s", value=share, unit="share")


def _credited(commands_s: tuple[float, ...], *, all_s: int) -> dict[float, float]:
    with scratch() as root:
        (root / "crowd").mkdir()
        burns = tuple(Burn(command_s=each, all_s=all_s, told=root / f"burn-{each}") for each in commands_s)
        with (
            crowd(root / "crowd", others=20, sessions=len(burns), burns=burns) as made,
            working("tick", {"home": str(made.home), "folder": str(root)}) as worker,
        ):
            for _ in range(2):
                worker.go()
                time.sleep(BEAT_S)
            worker.go()
            for burn in burns:
                burn.begin()
            used_s = _watch(worker.go, [burn.told for burn in burns], made.session_ids)
            true_s = [burn.true_cpu_s() for burn in burns]
    credited = zip(commands_s, true_s, made.session_ids, strict=True)
    return {command_s: used_s[name] / true for command_s, true, name in credited if true is not None}


def _watch(look: object, told: list[Path], names: tuple[str, ...]) -> dict[str, float]:
    """Look every two seconds until all commands are over and have been seen; return what each session used."""
    assert callable(look)
    used_s = dict.fromkeys(names, 0.0)
    next_s = time.monotonic()
    last = False
    while not last:
        last = all(path.exists() for path in told)
        next_s += BEAT_S
        time.sleep(max(0.0, next_s - time.monotonic()))
        for name, seconds in look()["used_s"].items():
            if name in used_s:
                used_s[name] += seconds
    return used_s
