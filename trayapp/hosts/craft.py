"""Craft Agents: its servers and desktop apps, the backends and helpers of their sessions, and how these are released.

A server never lets go of a session's backend, and helpers are the server's own children, which outlive everything. So a
session is released by ending its backend, which its next message starts again; its helpers stay with the server, which
would miss them for ever, unless the user allowed that the server be asked to close them. Only a helper that its server
cannot reach any more is ended by signal.

Programs are told apart in craft_programs.py; what looks after them, craft_watch.py, is loaded once one of them runs.
All works from processes and disk alone where there is no token, which is normal for the desktop app.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from trayapp.hosts.base import CallResult, SetUpFailed, Surroundings
from trayapp.hosts.craft_programs import ENVIRONMENT_NAMES, HOST, SESSION_DIR, WORDS, recognise
from trayapp.model.finding import Finding
from trayapp.model.process import Process, ProcessTable
from trayapp.model.session import Claim, HostLabel, Hue, Observation, SessionFact
from trayapp.model.setup import HostSetup

if TYPE_CHECKING:
    from trayapp.hosts.craft_watch import Watch


class CraftAgents:
    """The adapter; `watch` is there once something of this host was seen."""

    label = HostLabel(host=HOST, title="craft-agents", letters="Cr", hue=Hue.VIOLET, rank=4)
    environment_names: tuple[str, ...] = ENVIRONMENT_NAMES
    words = WORDS

    def __init__(self) -> None:
        self.watch: Watch | None = None

    def recognise(self, process: Process) -> Claim | None:
        """Say what a process is by its program, arguments and variables. Pure."""
        return recognise(process)

    async def observe(self, table: ProcessTable, recognised: Sequence[Claim], around: Surroundings) -> Observation:
        """Read the disk, ask those servers whose token is known, and say whose each process is."""
        if self.watch is None:
            if not recognised and not any(SESSION_DIR in process.env for process in table.processes.values()):
                return Observation(host=HOST, read_epoch_s=around.now_epoch_s())
            from trayapp.hosts.craft_watch import Watch

            self.watch = Watch()
        return await self.watch.observe(table, recognised, around)

    async def call(self, name: str, session: SessionFact, around: Surroundings) -> CallResult:
        """Carry out "close-helpers" or "release" by the session's server, if the session still rests."""
        if self.watch is None:
            return CallResult(ok=False, message=f"Craft Agents offers no “{name}” for this session")
        return await self.watch.call(name, session, around)

    def findings(self, around: Surroundings) -> Sequence[Finding]:
        """Tell of each server its version, whether it is asked, and what would keep it smaller."""
        return self.watch.findings(around) if self.watch is not None else ()

    def setups(self, around: Surroundings) -> Sequence[HostSetup]:
        """Offer the consents that would help with what runs now; writes nothing."""
        return self.watch.setups(around) if self.watch is not None else ()

    def set_up(self, offer: HostSetup, around: Surroundings) -> None:
        """Do nothing: these offers are consents, which the settings keep. Raises SetUpFailed for any other."""
        if offer.permits is None:
            raise SetUpFailed("Nothing is put into Craft Agents. Look again before you agree")
