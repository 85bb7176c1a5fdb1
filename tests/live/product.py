"""Agent Ring as a person meets it on the command line, run in a scene's HOME.

It starts `python -m trayapp` as a process of its own and reads its JSON; nothing of the product is imported.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.live import proc
from tests.live.proc import Entry
from tests.live.scene import Scene

ROOT = Path(__file__).parents[2]
TOLERANCE = 0.02

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a call said: its exit code, its JSON, and its words to people."""

    code: int
    json: Any
    words: str


@dataclass(frozen=True, slots=True)
class Product:
    """The command line of the checkout."""

    scene: Scene

    def call(self, *arguments: str) -> Answer:
        done = subprocess.run(
            [sys.executable, "-m", "trayapp", *arguments],
            cwd=ROOT,
            env=self.scene.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
        )
        said = json.loads(done.stdout) if done.stdout.strip().startswith(("{", "[")) else None
        return Answer(code=done.returncode, json=said, words=done.stdout + done.stderr)

    def snapshot(self) -> Json:
        answer = self.call("snapshot", "--json")
        assert answer.code == 0, answer.words
        found: Json = answer.json
        return found

    def release(self, session_id: str) -> Answer:
        """Ask for a release as a person would who has read the question; idle for a moment is idle enough.

        The question is there because the scene has just typed into the session's terminal. The answer's JSON is the
        one outcome.
        """
        return self._act("release", session_id, "--min-idle", "0s", "--confirm", "--json")

    def end_orphan(self, pid: int) -> Answer:
        return self._act("end-orphans", str(pid), "--confirm", "--json")

    def kill(self, pid: int) -> Answer:
        """End by SIGKILL what has ignored SIGTERM; both questions are answered."""
        return self._act("kill", str(pid), "--force", "--confirm", "--json")

    def _act(self, *arguments: str) -> Answer:
        answer = self.call(*arguments)
        assert answer.json is not None, answer.words
        (outcome,) = answer.json["receipt"]["outcomes"]
        return Answer(code=answer.code, json=outcome, words=answer.words)

    def last_released(self) -> Json:
        """Return the newest outcome in the journal that was a release."""
        answer = self.call("journal", "--json")
        assert answer.code == 0, answer.words
        outcomes = [outcome for receipt in answer.json["receipts"] for outcome in receipt["outcomes"]]
        return next(outcome for outcome in outcomes if outcome["fate"] == "released")


def group_of(snapshot: Json, session_id: str) -> Json:
    """Return the group of a session; fail with what was found instead."""
    groups: list[Json] = snapshot["groups"]
    found = [group for group in groups if group.get("session_id") == session_id]
    known = [(group["kind"], group.get("session_id")) for group in groups]
    assert len(found) == 1, f"{session_id} should be one group; there are {known}"
    return found[0]


def pids_of(group: Json) -> set[int]:
    return {process["pid"] for process in group["processes"]}


def decision(group: Json, action: str) -> Json:
    """Return what the plan says about one action."""
    found: Json = next(each for each in group["actions"] if each["action"] == action)
    return found


def check_memory(product: Product, members: dict[str, Sequence[Entry]]) -> None:
    """Compare each session's processes and bytes with own sums over /proc, taken before and after the snapshot.

    `members` gives the processes by session id, from parent links alone. A host allocates while it is looked at, so the
    product's figure must lie within 2 % of what was there at one of both moments or between them.
    """
    pids = {session_id: {entry.pid for entry in entries} for session_id, entries in members.items()}
    before = {session_id: proc.memory(each) for session_id, each in pids.items()}
    snapshot = product.snapshot()
    after = {session_id: proc.memory(each) for session_id, each in pids.items()}
    for session_id, each in pids.items():
        group = group_of(snapshot, session_id)
        assert pids_of(group) == each, f"{session_id}: {group['processes']}"
        assert group["footprint_metric"] == "pss"
        _check_between(group["rss_bytes"], before[session_id].rss_bytes, after[session_id].rss_bytes, "RSS")
        _check_between(group["footprint_bytes"], before[session_id].pss_bytes, after[session_id].pss_bytes, "PSS")


def _check_between(figure: int, before: int, after: int, name: str) -> None:
    low, high = sorted((before, after))
    assert low * (1 - TOLERANCE) <= figure <= high * (1 + TOLERANCE), f"{name} {figure}, /proc says {before}..{after}"
