"""Captures that users sent, each with its right answer: `NNN-slug.agentring.gz` in captures/, the `.yaml` beside it.

docs/reporting.md says how one gets here. What is asked is what the last look shows, or the look of that number.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from trayapp.model.snapshot import Group, Snapshot
from trayapp.recording import replay

FOLDER = Path(__file__).parent / "captures"
CASES = sorted(FOLDER.glob("[0-9]*.yaml"))


def test_every_capture_has_its_answer_and_every_answer_its_capture() -> None:
    assert {path.stem for path in CASES} == {p.name.removesuffix(".agentring.gz") for p in FOLDER.glob("*.gz")}
    assert CASES


@pytest.mark.parametrize("path", CASES, ids=[path.stem for path in CASES])
def test_a_capture_has_its_right_answer(path: Path) -> None:
    case = yaml.safe_load(path.read_text(encoding="utf-8"))
    looks = list(replay(path.with_suffix(".agentring.gz")))
    for expected in case["expected"]:
        snapshot = looks[expected.get("look", 0) - 1]  # counted from 1; without a number, the last
        for wanted in expected["groups"]:
            assert _told(_group_of(snapshot, wanted["pids"][0]), wanted) == wanted, (
                f"look {expected.get('look', 'last')}"
            )


def _group_of(snapshot: Snapshot, pid: int) -> Group:
    return next(g for g in snapshot.groups if any(m.process.pid == pid for m in g.members))


def _told(group: Group, wanted: dict[str, Any]) -> dict[str, Any]:
    """Return what the product says of all that is asked of a group."""
    told: dict[str, Any] = {
        "pids": sorted(m.process.pid for m in group.members),
        "kind": group.kind.value,
        "host": group.host,
        "state": group.verdict.state.value if group.verdict is not None else None,
        "flags": list(group.flags),
        "actions": {d.action.value: [d.allowed.value, d.reason.value] for d in group.decisions},
    }
    told["actions"] = {name: told["actions"].get(name) for name in wanted.get("actions", {})}
    return {name: told[name] for name in wanted}
