"""Incidents while the tray app runs: the watcher, what testifies, and the files, under one roof.

What they need is loaded when an agent runs: the tray's icon does not wait for it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trayapp.incident_store import IncidentStore
    from trayapp.incidents import Deeds, Watcher
    from trayapp.model.incident import Account, Incident
    from trayapp.model.session import Problem
    from trayapp.model.snapshot import Snapshot
    from trayapp.probe.kernel_log import SystemWitnesses


class IncidentKeeper:
    """Keep incidents in a folder; without one (None) nothing is watched.

    `take` belongs to the thread that publishes snapshots; files are written where `hand_over` carries them, and only
    while `wanted` says so.
    """

    def __init__(
        self,
        folder: Path | None,
        *,
        deeds: Deeds,
        wanted: Callable[[], bool],
        hand_over: Callable[[Callable[[Account], None], Account], Any],
    ) -> None:
        self._folder, self._deeds, self._wanted, self._hand_over = folder, deeds, wanted, hand_over
        self._made: IncidentStore | None = None
        self._witnesses: SystemWitnesses | None = None
        self._watcher: Watcher | None = None
        self._first: Snapshot | None = None

    @property
    def problems(self) -> tuple[Problem, ...]:
        return self._made.problems if self._made is not None else ()

    def take(self, snapshot: Snapshot) -> None:
        """Take in the next snapshot."""
        if self._folder is None:
            return
        if self._watcher is None:
            first, self._first = self._first, snapshot
            if first is None or not snapshot.totals.processes:
                return
            self._watcher = self._watcher_of(first)
        for account in self._watcher.take(snapshot):
            if self._wanted():
                self._hand_over(self._store(self._folder).save, account)

    def newest(self, limit: int) -> tuple[Incident, ...]:
        """Return the newest incidents, newest first."""
        return self._store(self._folder).newest(limit) if self._folder is not None else ()

    def account(self, incident_id: str) -> Account | None:
        """Return one incident with its samples."""
        return self._store(self._folder).account(incident_id) if self._folder is not None else None

    def delete_all(self) -> None:
        """Delete all incidents; raises OSError."""
        if self._folder is not None:
            self._store(self._folder).delete_all()

    def close(self) -> None:
        """Let go of the kernel log; called when no snapshot comes any more."""
        if self._witnesses is not None:
            self._witnesses.close()

    def _store(self, folder: Path) -> IncidentStore:
        from trayapp.incident_store import IncidentStore

        if self._made is None:
            self._made = IncidentStore(folder)
        return self._made

    def _watcher_of(self, first: Snapshot) -> Watcher:
        from trayapp.incidents import Watcher
        from trayapp.probe.kernel_log import SystemWitnesses

        self._witnesses = SystemWitnesses()
        watcher = Watcher(self._witnesses, self._deeds)
        watcher.take(first)
        return watcher
