"""A history of sessions as the app itself would have written it, for views that need a past to show."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.ui import scene
from trayapp.history.store import HistoryStore
from trayapp.model.session import Role, SessionKey
from trayapp.model.snapshot import Group, GroupKind

HOST = "claude-code"


def write_past(path: Path, session_ids: Sequence[str], *, hours: float, every_s: float = 30.0) -> None:
    """Write the last hours of these sessions: plateaus, steps, a little noise, and a spike of work now and then."""
    path.parent.mkdir(parents=True, exist_ok=True)
    chance = random.Random(1)
    now = datetime.now(UTC)
    ticks = round(hours * 3600 / every_s)
    levels = [chance.uniform(0.15, 0.9) for _ in session_ids]
    store = HistoryStore(path, now_epoch_s=lambda: now.timestamp())
    for tick in range(ticks):
        groups = []
        for number, session_id in enumerate(session_ids):
            if chance.random() < 0.01:
                levels[number] = chance.uniform(0.15, 0.9)
            works = chance.random() < 0.05
            held_gb = levels[number] + abs(chance.gauss(0, 0.002)) + (0.4 if works else 0.0)
            groups.append(_group(number, session_id, held_gb, chance.uniform(20, 120) if works else 0.5))
        snapshot = replace(
            scene.snapshot_of(tuple(groups)),
            taken_at=now - timedelta(seconds=every_s * (ticks - tick)),
            monotonic_s=every_s * tick,
            interval_s=every_s,
        )
        store.append(snapshot)
    store.close()


def _group(number: int, session_id: str, held_gb: float, cpu_percent: float) -> Group:
    member = scene.member(10_000 + number, "claude", Role.BACKEND, held_gb, held_gb * 1.3, cpu_percent)
    key = SessionKey(HOST, session_id)
    return scene.group(str(key), GroupKind.SESSION, (member,), session=key, title=f"Task {number}")
