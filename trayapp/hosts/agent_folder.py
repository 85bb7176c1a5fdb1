"""Which of the logs in a folder is whose, where a host names no process: told by when programs and logs began.

Must not know any host. Nothing is guessed: what can be another's as well is nobody's, and an open turn in a log that
nobody owns speaks against ending anybody in its folder.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from trayapp.hosts.agent_log import RACE_S, Log
from trayapp.model.process import Identity
from trayapp.model.session import Evidence, EvidenceKind, Speaks
from trayapp.say import noted


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One agent that runs in the folder."""

    identity: Identity
    began_epoch_s: float


@dataclass(slots=True)
class Owners:
    """Remember which log each agent had, so that it is followed when it goes on to another one."""

    _own: dict[Identity, Path] = field(default_factory=dict)
    _alone_epoch_s: dict[Identity, float] = field(default_factory=dict)
    """When an agent was last seen to be the only one in its folder."""

    def begin_with(self, identity: Identity, path: Path) -> None:
        """Say which log an agent was started with; it may have gone on to another one since."""
        self._own.setdefault(identity, path)

    def settle(self, runs: Sequence[Run], logs: Mapping[Path, Log], now_epoch_s: float) -> dict[Identity, Path]:
        """Return the log of each agent of one folder that can be told; `logs` were written since the eldest began."""
        own = {run.identity: path for run in runs if (path := self._own.get(run.identity)) in logs and path is not None}
        if len(runs) == 1:
            path = self._of_one(runs[0], logs, own.get(runs[0].identity))
            own = {} if path is None else {runs[0].identity: path}
            self._alone_epoch_s[runs[0].identity] = now_epoch_s
        else:
            for run in runs:
                self._alone_epoch_s.pop(run.identity, None)
            own |= _of_several([run for run in runs if run.identity not in own], logs, set(own.values()))
        for run in runs:
            self._own.pop(run.identity, None)
        self._own.update(own)
        return own

    def keep(self, alive: Collection[Identity]) -> None:
        """Forget the agents that are gone."""
        for kept in (self._own, self._alone_epoch_s):
            for identity in [identity for identity in kept if identity not in alive]:
                del kept[identity]

    def _of_one(self, run: Run, logs: Mapping[Path, Log], own: Path | None) -> Path | None:
        if own is None:
            begun = [path for path, log in logs.items() if _is_since(log.began_epoch_s, run.began_epoch_s)]
            written = [path for path, log in logs.items() if _is_since(log.last_activity_epoch_s, run.began_epoch_s)]
            found = begun or written
            return found[0] if len(found) == 1 else None
        since = self._alone_epoch_s.get(run.identity)
        if since is None:
            return own
        moved = [p for p, log in logs.items() if p != own and (log.last_activity_epoch_s or 0.0) > since]
        return moved[0] if len(moved) == 1 else own


def _of_several(runs: Sequence[Run], logs: Mapping[Path, Log], taken: Collection[Path]) -> dict[Identity, Path]:
    """Give each agent the one log that began between its start and the next one's; all of them, or none."""
    left = {path: log for path, log in logs.items() if path not in taken}
    begun = {p: log.began_epoch_s for p, log in left.items() if log.began_epoch_s is not None}
    if not runs or len(begun) != len(left) or len(left) != len(runs):
        return {}
    eldest_first = sorted(runs, key=lambda run: run.began_epoch_s)
    found: dict[Identity, Path] = {}
    ends = [*(run.began_epoch_s for run in eldest_first[1:]), float("inf")]
    for run, until in zip(eldest_first, ends, strict=True):
        own = [p for p, at in begun.items() if run.began_epoch_s - RACE_S <= at < until - RACE_S]
        if len(own) != 1:
            return {}
        found[run.identity] = own[0]
    return found


def _is_since(at: float | None, began_epoch_s: float) -> bool:
    return at is not None and at >= began_epoch_s - RACE_S


def open_elsewhere(logs: Mapping[Path, Log], owned: Collection[Path], began_epoch_s: float) -> list[Evidence]:
    """Say that a turn is open in a log of the folder that may be an agent's own: it can go on to another one unseen."""
    turns = [
        log.turn_epoch_s
        for path, log in logs.items()
        if path not in owned and log.is_open and _is_since(log.turn_epoch_s, began_epoch_s)
    ]
    if not turns:
        return []
    fact = noted("A turn is open in another log of its folder, which may be its own")
    at = max(turn for turn in turns if turn is not None)
    return [Evidence(kind=EvidenceKind.TURN, speaks_for=Speaks.BUSY, fact=fact, source="log", at_epoch_s=at)]
