"""Codeman: a web server that runs other hosts' agents in tmux.

Finds its servers by what they hand down to agents, by command line and by listening socket, and asks them on this
computer only. What its processes are is told in codeman_programs.py, whose they are in codeman_owners.py, what its
server says in codeman_api.py and codeman_servers.py, tmux in codeman_tmux.py and the disk in codeman_disk.py; sessions
are put together in codeman_look.py, and what speaks for what is said in codeman_judge.py. All of that is loaded with
the first process of Codeman's (codeman_watch.py). Must not decide what a session is doing.

The server reports the wrong pid, a status that is a guess, and success while an agent lives on, so none of the three is
believed: agents are told by their environment and pane, idleness by two sources with times, and an end by what is seen
gone. With the server down its sessions live on in tmux and are found all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from trayapp.hosts.base import CallResult, SetUpFailed, Surroundings
from trayapp.hosts.codeman_programs import ENVIRONMENT_NAMES, HOST, LABEL, WORDS, recognise
from trayapp.model.finding import Finding
from trayapp.model.process import Process, ProcessTable
from trayapp.model.session import Claim, Observation, ResumeTicket, SessionFact
from trayapp.model.setup import HostSetup

if TYPE_CHECKING:
    from trayapp.hosts.codeman_watch import Watch


class Codeman:
    """The adapter. Watches while something of Codeman's runs, and keeps nothing otherwise."""

    label = LABEL
    environment_names: tuple[str, ...] = ENVIRONMENT_NAMES
    words = WORDS

    def __init__(self) -> None:
        self._watch: Watch | None = None

    def recognise(self, process: Process) -> Claim | None:
        """Say what a process is to Codeman, by its arguments and variables. Pure."""
        return recognise(process)

    async def observe(self, table: ProcessTable, recognised: Sequence[Claim], around: Surroundings) -> Observation:
        """Ask servers and tmux, read what the disk says, and tell whose processes are whose.

        Where nothing of Codeman's runs, nothing is read at all.
        """
        if not recognised:
            self._watch = None
            return Observation(host=HOST, read_epoch_s=around.now_epoch_s())
        return await self._watching().observe(table, recognised, around)

    async def call(self, name: str, session: SessionFact, around: Surroundings) -> CallResult:
        """Carry out "delete": the server ends the agent and closes the session, unless it works by now."""
        return await self._watching().call(name, session, around)

    async def resume(self, ticket: ResumeTicket, around: Surroundings) -> CallResult:
        """Have Codeman make a session with the conversation of a released one, and start its agent."""
        return await self._watching().resume(ticket, around)

    def setups(self, around: Surroundings) -> Sequence[HostSetup]:
        """Offer to read the password of servers that ask for one, while it would help; writes nothing."""
        return self._watch.setups(around) if self._watch is not None else ()

    def set_up(self, offer: HostSetup, around: Surroundings) -> None:
        """Do nothing besides what is kept in the settings: the offer is a consent. Raises SetUpFailed for another."""
        if offer.permits is None:
            raise SetUpFailed("That is not offered any more. Look again")

    def findings(self, around: Surroundings) -> Sequence[Finding]:
        """Tell which servers were found, in which dialect, how Agent Ring is signed in, and what is not known."""
        return self._watch.findings() if self._watch is not None else ()

    def _watching(self) -> Watch:
        if self._watch is None:
            from trayapp.hosts.codeman_watch import Watch  # 0.6 MB, only where Codeman runs

            self._watch = Watch()
        return self._watch
