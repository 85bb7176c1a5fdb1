"""The `agentring` command: the same plan and guards as the buttons, told in text or JSON.

Says what the command line needs of the core; the commands themselves are in commands.py, which is loaded only when
there is one to run.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from concurrent.futures import Future

    from trayapp.hosts.base import CallResult
    from trayapp.model.access import Permission
    from trayapp.model.finding import Finding
    from trayapp.model.incident import Account, Incident
    from trayapp.model.keep import Keep
    from trayapp.model.policy import DryRun, Policy
    from trayapp.model.receipt import Progress, Receipt, Target
    from trayapp.model.series import Tier
    from trayapp.model.session import HostLabel, ResumeTicket
    from trayapp.model.setup import HostSetup
    from trayapp.model.snapshot import Snapshot
    from trayapp.reclaim.journal import Intent
    from trayapp.recording import Recorded
    from trayapp.settings import Settings


class Core(Protocol):
    """What the command line needs; `trayapp.core.Core` is the real one. All of it is called from the main thread."""

    @property
    def settings(self) -> Settings: ...

    @property
    def host_labels(self) -> Sequence[HostLabel]:
        """Return the hosts that are looked for, running or not."""
        ...

    def start(self) -> None:
        """Begin to work (worker thread, hosts); no tray, no recording of what `look` sees."""
        ...

    def stop(self) -> None:
        """End all of it; called once, also after an error."""
        ...

    def look(self, seconds: float = 1.0, *, idle_after_s: float | None = None) -> Snapshot:
        """Take two ticks that far apart and return the second.

        `idle_after_s`, where given, replaces the setting of that name for this core from then on: the plans of the
        snapshot and the check before a release go by it.
        """
        ...

    def reclaim(self, targets: Sequence[Target], origin: str, progress: Callable[[Progress], None]) -> Future[Receipt]:
        """Carry the targets out, one after the other; as ui.backend.Backend."""
        ...

    def receipts(self, limit: int) -> Future[Sequence[Receipt]]:
        """Return the newest receipts of the journal, newest first; as ui.backend.Backend."""
        ...

    def open_intents(self) -> Future[Sequence[Intent]]:
        """Return the actions that were begun and have no receipt: under way, or a program ended in their middle."""
        ...

    def keeps(self) -> Sequence[Keep]:
        """Return what the user wants to keep for now; those whose time is over are left out."""
        ...

    def keep(self, group_key: str, until_epoch_s: float | None) -> Future[None]:
        """Keep a session until then, or until it is taken back; the future can hold a KeepError."""
        ...

    def unkeep(self, group_key: str) -> Future[None]:
        """Keep it no more; the future can hold a KeepError."""
        ...

    def policies(self) -> tuple[Policy, ...]:
        """Return the user's policies that hold together."""
        ...

    def switched_off(self) -> Mapping[str, str]:
        """Return by name why a policy has switched itself off."""
        ...

    def update_policies(self, policies: tuple[Policy, ...]) -> Future[None]:
        """Write other policies into the settings; a ValueError, there or in the future, says which does not hold."""
        ...

    def dry_runs(self) -> Future[Sequence[DryRun]]:
        """Return what each policy would do now, by the latest snapshot."""
        ...

    def incidents(self, limit: int) -> Future[Sequence[Incident]]:
        """Return the newest incidents, newest first."""
        ...

    def incident(self, incident_id: str) -> Future[Account | None]:
        """Return one incident with the hour before it; None when there is none that can be read."""
        ...

    def host_setups(self, host: str) -> Future[Sequence[HostSetup]]:
        """Return what of ours can be put into a host, and what could be allowed there; writes nothing."""
        ...

    def set_up(self, offer: HostSetup) -> Future[None]:
        """Carry out what a person agreed to; an offer that is only a consent is kept in the settings."""
        ...

    def permit(self, host: str, permission: Permission, *, allowed: bool) -> Future[None]:
        """Allow something with a host, or forbid it again; kept in the settings."""
        ...

    def resume(self, host: str, ticket: ResumeTicket) -> Future[CallResult]:
        """Have a host bring a session back; what went wrong is an answer too."""
        ...

    def export_csv(
        self,
        path: Path,
        *,
        since_epoch_s: float,
        until_epoch_s: float,
        session: str | Collection[str] | None,
        tier: Tier,
        progress: Callable[[int, int], None],
        cancelled: Callable[[], bool],
    ) -> Future[int]:
        """Write the CSV; as ui.backend.Backend."""
        ...

    def record(self, path: Path, *, for_s: float, every_s: float, progress: Callable[[int], None]) -> Recorded:
        """Write a redacted capture of what is seen from now on, `progress` with the number of looks so far.

        Ctrl-C ends it early and keeps what was seen. Raises OSError.
        """
        ...

    def doctor(self) -> Sequence[Finding]:
        """Tell what is found, what is not and why, what cannot be read here, versions, own cost."""
        ...


def main(argv: Sequence[str] | None = None, *, make_core: Callable[[], Core], run_tray: Callable[[], int]) -> int:
    """Run one call of the command line and return its exit code: 0 done, 1 not all of it, 2 bad call."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments:
        return run_tray()
    from trayapp import commands  # what parses and prints is not loaded for the tray

    return commands.run(arguments, make_core)
