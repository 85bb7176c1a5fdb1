"""Homes of agents that write logs, at the time at which their recordings were made."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from itertools import count
from pathlib import Path

from tests.hosts.homes import observe_on, process, recorded, surroundings, table
from trayapp.hosts.base import Host, Surroundings
from trayapp.model.process import Process
from trayapp.model.session import Evidence, Observation, Role, SessionFact

NOW_EPOCH_S = datetime.fromisoformat("2026-12-01T01:30:00Z").timestamp()


def at(text: str) -> float:
    """Return the age of a time of that day."""
    return NOW_EPOCH_S - datetime.fromisoformat(f"2026-12-01T{text}Z").timestamp()


_written = count()


def put(path: Path, text: str) -> Path:
    """Write a file as if that had happened a minute ago, each a little later than the one before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return touch(path)


def touch(path: Path) -> Path:
    """Give a file, and the folder that it lies in, the time of a write."""
    at_s = NOW_EPOCH_S - 60 + next(_written) * 1e-5
    for each in (path, path.parent):
        os.utime(each, (at_s, at_s))
    return path


def put_recorded(path: Path, name: str) -> Path:
    return put(path, recorded(name))


def around(home: Path, **more: str) -> Surroundings:
    return replace(surroundings(home, environ=more), now_epoch_s=lambda: NOW_EPOCH_S)


def look(host: Host, processes: Iterable[Process], surrounded: Surroundings) -> Observation:
    return asyncio.run(observe_on(host, table(processes, now_epoch_s=NOW_EPOCH_S), surrounded))


def roles(observation: Observation) -> dict[int, tuple[Role, str | None]]:
    """Return what each claimed process is, and of which session."""
    return {
        claim.identity.pid: (claim.role, claim.session.session_id if claim.session is not None else None)
        for claim in observation.claims
    }


def said(fact: SessionFact) -> list[tuple[str, str]]:
    return [(evidence.kind.value, evidence.speaks_for.value) for evidence in fact.evidence]


def only(observation: Observation) -> SessionFact:
    (fact,) = observation.sessions
    return fact


def newest(fact: SessionFact) -> Evidence:
    return max(fact.evidence, key=lambda evidence: evidence.at_epoch_s or 0.0)


__all__ = [
    "NOW_EPOCH_S",
    "around",
    "at",
    "look",
    "newest",
    "only",
    "process",
    "put",
    "put_recorded",
    "roles",
    "said",
    "touch",
]
