"""Everything that ends something, behind the core: actions, their journal, what the user keeps, what did not stay gone.

Lives on the monitor's worker loop. One program acts at a time (reclaim/turn.py), and every action goes through the one
executor, whoever asks: a person, a command, a policy.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from trayapp.hosts.base import Host, Surroundings
from trayapp.keeps import KeepFile
from trayapp.model.receipt import Progress, Receipt, Return, Target
from trayapp.model.session import Problem
from trayapp.model.snapshot import Snapshot
from trayapp.monitor import Monitor
from trayapp.probe import Probe
from trayapp.reclaim.journal import Journal
from trayapp.settings import Settings

if TYPE_CHECKING:
    # loaded with the first action, and with the first policy
    from trayapp.model.policy import Notice
    from trayapp.policy_keeper import PolicyKeeper
    from trayapp.reclaim.executor import Executor

log = logging.getLogger(__name__)

TOLD_FOR_S = 600.0
"""How long it is told that something runs again."""


class Acting:
    """Carry out actions and follow up on them; made by the core, used on the worker's loop.

    Attributes:
        stays: the program goes on after an action, so that it can look again later.
    """

    def __init__(
        self,
        *,
        probe: Probe,
        hosts: Sequence[Host],
        around: Surroundings,
        journal: Journal,
        keeps: KeepFile | None,
        mark: Callable[[Receipt], None],
        settings: Callable[[], Settings],
        update_settings: Callable[[Settings], object],
    ) -> None:
        self._probe, self._hosts, self._around = probe, tuple(hosts), around
        self._journal, self._keeps, self._mark = journal, keeps, mark
        self._monitor: Monitor | None = None
        self._settings, self._update_settings = settings, update_settings
        self._policies: PolicyKeeper | None = None
        self._executor: Executor | None = None
        self._following: set[asyncio.Task[None]] = set()
        self._returned: tuple[Return, ...] = ()
        self._is_resolved = False
        self._making = threading.Lock()
        self.stays = False

    def serve(self, monitor: Monitor) -> None:
        """Act by the looks of this monitor."""
        self._monitor = monitor

    # -- actions --------------------------------------------------------------------------------------------------

    async def reclaim(self, targets: Sequence[Target], origin: str, progress: Callable[[Progress], None]) -> Receipt:
        """Carry the targets out, one after the other, and look afterwards."""
        monitor = self._looks
        receipt = await self._executor_here().carry_out(targets, origin, progress)
        monitor.note(receipt)
        self._mark(receipt)
        if self.stays and any(outcome.gone for outcome in receipt.outcomes):
            following = asyncio.ensure_future(self._follow_up(receipt))
            self._following.add(following)
            following.add_done_callback(self._following.discard)
        await monitor.tick()
        return receipt

    def stop_after_current(self) -> None:
        """Do not begin further targets of the running action."""
        if self._executor is not None:
            self._executor.stop_after_current = True

    async def resolve_abandoned(self) -> None:
        """Once: find out what became of actions in the middle of which a program ended."""
        try:
            if not self._is_resolved and self._journal.open_intents():
                for receipt in self._executor_here().resolve_abandoned():
                    self._mark(receipt)
            self._is_resolved = True
        except OSError as error:
            log.warning("what was left open could not be closed in %s: %s", self._journal.path, error)

    async def _follow_up(self, receipt: Receipt) -> None:
        """Look again when a supervisor would have acted, and tell what runs again."""
        from trayapp.reclaim.aftermath import LOOK_AFTER_S, returns
        from trayapp.reclaim.policy import ORIGIN

        await asyncio.sleep(LOOK_AFTER_S)
        look = await self._looks.look()
        for each in returns(receipt, look.snapshot, look.table, now=datetime.now(UTC)):
            self._returned = (*self._returned, each)
            if receipt.origin.startswith(ORIGIN):
                self.policies.note_return(each.group_key, receipt.origin.removeprefix(ORIGIN))
            try:
                self._journal.write_return(each)
            except OSError as error:
                log.warning("a return could not be written to %s: %s", self._journal.path, error)

    @property
    def _looks(self) -> Monitor:
        if self._monitor is None:
            raise RuntimeError("nothing looks yet")
        return self._monitor

    def _executor_here(self) -> Executor:
        """Return the one executor; made on the worker's loop, where it lives."""
        if self._executor is None:
            from trayapp.reclaim.executor import Executor
            from trayapp.reclaim.guard import Guard

            self._executor = Executor(
                look=self._looks.look,
                guard=Guard(self._probe),
                measures=self._probe,
                journal=self._journal,
                hosts=self._hosts_by_name(),
                around=self._around,
            )
        return self._executor

    def _hosts_by_name(self) -> Mapping[str, Host]:
        return {host.label.host: host for host in self._hosts}

    # -- what may go without a person -----------------------------------------------------------------------------

    @property
    def policies(self) -> PolicyKeeper:
        """Return who carries out policies; made when there is the first one, or somebody asks."""
        from trayapp.policy_keeper import PolicyKeeper

        with self._making:
            self._policies = self._policies or PolicyKeeper(
                settings=self._settings,
                update=self._update_settings,
                reclaim=lambda targets, origin: self.reclaim(targets, origin, lambda _progress: None),
                submit=lambda work: self._looks.submit(work),
                receipts=self._journal.receipts,
                now_epoch_s=self._around.now_epoch_s,
                held_back=self._held_back,
            )
        return self._policies

    def take(self, snapshot: Snapshot) -> None:
        """Let policies see what was found; only in a core that ticks by itself."""
        if self._policies is not None or self._settings().policies:
            self.policies.take(snapshot)

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Return what policies are about to do."""
        return self._policies.notices() if self._policies is not None else ()

    def keep_off(self, group_key: str) -> None:
        """Let policies leave a group alone that was announced."""
        if self._policies is not None:
            self._policies.keep(group_key)

    def _held_back(self) -> str | None:
        """Say why no policy must act now."""
        if self._keeps is not None and self._keeps.problem is not None:
            return "what is kept cannot be read"
        if self._looks.paused:
            return "measuring is paused"
        if not self._is_resolved:
            return "what an earlier run left open has not been looked at"
        return None

    # -- what is told ---------------------------------------------------------------------------------------------

    def kept(self) -> frozenset[str]:
        """Return the keys of the groups that the user keeps now."""
        return self._keeps.kept(self._around.now_epoch_s()) if self._keeps is not None else frozenset()

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Return what a person should know: what did not stay gone, what cannot be read or written."""
        now_epoch_s = self._around.now_epoch_s()
        self._returned = tuple(r for r in self._returned if now_epoch_s - r.at.timestamp() < TOLD_FOR_S)
        unread = self._keeps.problem if self._keeps is not None else None
        return (
            *self._journal.problems,
            *((unread,) if unread is not None else ()),
            *(_told(each) for each in self._returned),
            *(self._policies.problems if self._policies is not None else ()),
        )


def _told(returned: Return) -> Problem:
    mend = "End it there, or it comes back each time" if returned.by else "See the session for what it does"
    return Problem(where=returned.title, what=returned.sentence, mend=mend)
