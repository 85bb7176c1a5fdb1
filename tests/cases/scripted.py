"""Agents that a report tells of and no adapter knows: recognised by their script, their sessions are unknown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from trayapp.hosts.base import CallResult, Surroundings
from trayapp.model.process import Process, ProcessTable
from trayapp.model.session import Claim, ClaimKind, HostLabel, Observation, Role, SessionFact
from trayapp.programs import elements


class ScriptedHost:
    """A host whose agent is one script (or program), as a plug-in could bring it."""

    environment_names: tuple[str, ...] = ()

    def __init__(self, host: str, scripts: Iterable[str]) -> None:
        self.label = HostLabel(host=host, title=host, letters=host[:2].title())
        self._scripts = [elements(script) for script in scripts]

    def recognise(self, process: Process) -> Claim | None:
        argv = process.argv or ()
        words = (argv[:1], tuple(argument for argument in argv[1:] if not argument.startswith("-"))[:1])
        paths = [elements(word) for group in words for word in group]
        if not any(path[-len(script) :] == script for path in paths for script in self._scripts if script):
            return None
        return Claim(
            identity=process.identity,
            host=self.label.host,
            role=Role.BACKEND,
            kind=ClaimKind.PROGRAM,
            source="its script",
        )

    async def observe(self, table: ProcessTable, recognised: Sequence[Claim], around: Surroundings) -> Observation:
        return Observation(host=self.label.host, read_epoch_s=around.now_epoch_s(), claims=tuple(recognised))

    async def call(self, name: str, session: SessionFact, around: Surroundings) -> CallResult:
        return CallResult(ok=False, message="It offers nothing")


def scripted_hosts(known: Any) -> tuple[ScriptedHost, ...]:
    """Make the hosts of a report's `known_agents`: host by script, as a mapping or as a list of pairs by name."""
    pairs = known.items() if isinstance(known, Mapping) else ((each.get("script"), each.get("host")) for each in known)
    by_host: dict[str, list[str]] = {}
    for script, host in pairs:
        by_host.setdefault(str(host), []).append(str(script))
    return tuple(ScriptedHost(host, scripts) for host, scripts in by_host.items())
