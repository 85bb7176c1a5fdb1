"""A host of which nothing runs: recognised by a little, its adapter loaded with the first process that is one of it.

The adapters, with all that they read and ask, take 3 MB; most people use one or two of the hosts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from trayapp.hosts.base import CallResult, Host, Surroundings
from trayapp.model.process import Process, ProcessTable
from trayapp.model.session import Claim, HostLabel, Observation, SessionFact


class Programs(Protocol):
    """What a host's own module of programs tells about it, without its adapter."""

    @property
    def LABEL(self) -> HostLabel: ...
    @property
    def ENVIRONMENT_NAMES(self) -> tuple[str, ...]: ...
    @property
    def WORDS(self) -> frozenset[str]: ...

    def recognise(self, process: Process, /) -> Claim | None: ...


class Asleep:
    """Stand for an adapter, which is made with the first process of its host, or when anything else is asked of it."""

    def __init__(self, programs: Programs, make: Callable[[], Host]) -> None:
        self.label = programs.LABEL
        self.environment_names = programs.ENVIRONMENT_NAMES
        self.words = programs.WORDS
        self._recognise = programs.recognise
        self._make = make
        self._adapter: Host | None = None

    @property
    def is_awake(self) -> bool:
        """Say whether the adapter has been loaded."""
        return self._adapter is not None

    @property
    def adapter(self) -> Host:
        """Return the adapter; makes it at the first call."""
        if self._adapter is None:
            self._adapter = self._make()
        return self._adapter

    def recognise(self, process: Process) -> Claim | None:
        """Say what a process is to the host. Pure."""
        return self._recognise(process)

    async def observe(self, table: ProcessTable, recognised: Sequence[Claim], around: Surroundings) -> Observation:
        """Ask the adapter; while nothing of the host has run there is nothing to ask about."""
        if self._adapter is None and not recognised:
            return Observation(host=self.label.host, read_epoch_s=around.now_epoch_s())
        return await self.adapter.observe(table, recognised, around)

    async def call(self, name: str, session: SessionFact, around: Surroundings) -> CallResult:
        """Carry out a step of the adapter."""
        return await self.adapter.call(name, session, around)

    def __getattr__(self, name: str) -> Any:
        """Find what only some adapters have: findings, setups, a heap."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.adapter, name)
