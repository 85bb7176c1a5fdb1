"""What the UI needs from the core: no widget knows anything else of it.

All methods may be called from the UI thread and return at once. Futures and listeners complete in the worker thread:
hand their results to the UI thread by a queued signal (see bridge.py).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from trayapp.history.csv_export import Estimate
    from trayapp.hosts.base import CallResult
    from trayapp.model.access import Permission
    from trayapp.model.finding import Finding
    from trayapp.model.incident import Account, Incident
    from trayapp.model.keep import Keep
    from trayapp.model.life import Life
    from trayapp.model.policy import DryRun, Notice, Policy
    from trayapp.model.receipt import Progress, Receipt, Target
    from trayapp.model.series import Series, SeriesQuery, Tier
    from trayapp.model.session import ResumeTicket
    from trayapp.model.setup import HostSetup
    from trayapp.model.snapshot import Snapshot
    from trayapp.own_files import OwnFile
    from trayapp.reclaim.simulate import Sweep
    from trayapp.settings import Settings


class Backend(Protocol):
    """Stand for the core; `trayapp.core.Core` is the real one, `tests/ui/fake_backend.py` a scripted one."""

    @property
    def latest(self) -> Snapshot | None: ...

    @property
    def paused(self) -> bool: ...

    @property
    def settings(self) -> Settings: ...

    def subscribe(self, listener: Callable[[Snapshot], None]) -> Callable[[], None]:
        """Call `listener` in the worker thread with every new snapshot; the returned function ends that."""
        ...

    def set_detail(self, wanted: bool) -> None:
        """Say whether a view is open; without one, dear readings are taken at a slower beat."""
        ...

    def set_paused(self, paused: bool) -> None: ...

    def refresh(self) -> None:
        """Ask for a tick now."""
        ...

    def reclaim(self, targets: Sequence[Target], origin: str, progress: Callable[[Progress], None]) -> Future[Receipt]:
        """Carry the targets out, one after the other; the future always ends in a receipt."""
        ...

    def stop_after_current(self) -> None:
        """Do not begin further targets of the running action."""
        ...

    def findings(self) -> Future[Sequence[Finding]]:
        """Tell what is looked for, what was found and what was not."""
        ...

    def series(self, query: SeriesQuery) -> Future[Series]: ...

    def heap_series(self, query: SeriesQuery) -> Future[Series]:
        """Return heaps over time, never added up with resident memory.

        For each process with a heap there are the layers "heap:<pid>:<start>", "limit:<pid>:<start>" and
        "rss:<pid>:<start>" in that order, the fullest heap first; `stack_by` and `session` have no effect.
        """
        ...

    def incidents(self, limit: int) -> Future[Sequence[Incident]]:
        """Return the newest incidents, newest first."""
        ...

    def incident(self, incident_id: str) -> Future[Account | None]:
        """Return one incident with the hour before it; None when there is none that can be read."""
        ...

    def export_incident(self, incident_id: str, path: Path) -> Future[None]:
        """Write an incident as one redacted file, to hand on."""
        ...

    def host_setups(self, host: str) -> Future[Sequence[HostSetup]]:
        """Return what of ours can be put into a host; writes nothing."""
        ...

    def set_up(self, offer: HostSetup) -> Future[None]:
        """Carry out what a person agreed to; refused when it would now write something else.

        An offer that is only a consent is kept in the settings.
        """
        ...

    def permit(self, host: str, permission: Permission, *, allowed: bool) -> Future[None]:
        """Allow something with a host, or forbid it again; holds at once and is kept in the settings."""
        ...

    def resume(self, host: str, ticket: ResumeTicket) -> Future[CallResult]:
        """Have a host bring a session back; what went wrong is an answer too."""
        ...

    def sparklines(self, columns: int) -> Future[Mapping[str, Sequence[float | None]]]:
        """Return memory over the last hour by group key."""
        ...

    def life(self, group_key: str) -> Future[Life]:
        """Return what is recorded of a session over all its processes."""
        ...

    def receipts(self, limit: int) -> Future[Sequence[Receipt]]:
        """Return the newest receipts of the journal, newest first."""
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
        """Write the CSV; the future holds the number of rows. The file appears whole or not at all."""
        ...

    def estimate_csv(
        self, *, since_epoch_s: float, until_epoch_s: float, session: str | Collection[str] | None, tier: Tier
    ) -> Future[Estimate]:
        """Return about how much `export_csv` would write."""
        ...

    def files(self) -> Future[Sequence[OwnFile]]:
        """Return the files that Agent Ring keeps, with what they take on disk."""
        ...

    def update_settings(self, settings: Settings) -> Future[None]: ...

    def delete_history(self) -> Future[None]:
        """Delete all measurements; settings and the journal stay."""
        ...

    # ---- what stays, and what may go by itself

    def keeps(self) -> tuple[Keep, ...]:
        """Return what the user wants to keep for now; those whose time is over are left out."""
        ...

    def keep(self, group_key: str, until_epoch_s: float | None) -> Future[None]:
        """Keep a session until then, or until it is taken back; what a policy announced for it is called off."""
        ...

    def unkeep(self, group_key: str) -> Future[None]: ...

    def notices(self) -> tuple[Notice, ...]:
        """Return what policies are about to do, the soonest first."""
        ...

    def policies(self) -> tuple[Policy, ...]:
        """Return the user's policies as they stand in the settings."""
        ...

    def switched_off(self) -> Mapping[str, str]:
        """Return by name why a policy has switched itself off, in a sentence."""
        ...

    def update_policies(self, policies: tuple[Policy, ...]) -> Future[None]:
        """Put these in place of the user's policies; refused with a sentence when one cannot hold."""
        ...

    def dry_runs(self) -> Future[Sequence[DryRun]]:
        """Tell what each of the user's policies, and each suggested one, would do now if it were on."""
        ...

    def sweep(self, policy: Policy, since_epoch_s: float) -> Future[Sweep]:
        """Run a policy over the recorded history with several thresholds; may take seconds."""
        ...
