"""A scripted core for the UI: publishes the snapshots that it is told to, and answers with written-down values.

An action runs until the test ends it, listeners are called in the thread that publishes, and every question is noted.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TypeVar

from tests.ui import scene
from trayapp.history.csv_export import Estimate
from trayapp.hosts.base import CallResult
from trayapp.model.access import Permission
from trayapp.model.finding import Finding, Standing
from trayapp.model.incident import Account, Incident
from trayapp.model.keep import Keep
from trayapp.model.life import Life
from trayapp.model.policy import DryRun, Notice, Policy
from trayapp.model.receipt import Fate, Outcome, Progress, Receipt, Target
from trayapp.model.series import Series, SeriesQuery, Tier
from trayapp.model.session import ResumeTicket
from trayapp.model.setup import HostSetup
from trayapp.model.snapshot import Snapshot
from trayapp.own_files import OwnFile
from trayapp.reclaim.simulate import Sweep
from trayapp.settings import Settings

T = TypeVar("T")


class FakeBackend:
    """Stand in for the core.

    Attributes:
        asked: every reclaim() as (targets, origin).
        at_once: an action ends at once in a receipt in which everything went as expected.
        detail: what set_detail() was called with, in order.
        journal: what receipts() answers.
        accounts: what incidents() and incident() answer from.
        resumed: what resume() was called with; `answer` is what its host will say to the last of them.
        offers: what host_setups() answers besides what the scene offers, by host.
        set_ups: what was put into hosts, by key.
        lives: what life() answers, by group key.
        kept: what keeps() answers; keep() and unkeep() change it.
        announced: what notices() answers.
        rules: what policies() answers; `why_off` is why one of them has switched itself off.
        tried: what dry_runs() answers.
        refuses: the sentence with which update_policies() fails, None = it does not.
        estimates: what estimate_csv() was asked; `estimated` is what it answers.
        own_files: what files() answers.
        sweeps: what sweep() was asked; `swept` is what the last of them will be told.
    """

    def __init__(self, snapshot: Snapshot | None = None, *, at_once: bool = False) -> None:
        self.latest = snapshot
        self.paused = False
        self.settings = Settings()
        self.at_once = at_once
        self.asked: list[tuple[tuple[Target, ...], str]] = []
        self.detail: list[bool] = []
        self.journal: tuple[Receipt, ...] = scene.receipts()
        self.accounts: tuple[Account, ...] = ()
        self.lives: Mapping[str, Life] = scene.lives()
        self.queries: list[SeriesQuery] = []
        self.heap_queries: list[SeriesQuery] = []
        self.offers: Mapping[str, Sequence[HostSetup]] = {}
        self.set_ups: list[str] = []
        self.resumed: list[tuple[str, ResumeTicket]] = []
        self.answer: Future[CallResult] = Future()
        self.kept: tuple[Keep, ...] = ()
        self.announced: tuple[Notice, ...] = ()
        self.rules: tuple[Policy, ...] = ()
        self.why_off: Mapping[str, str] = {}
        self.tried: Sequence[DryRun] = ()
        self.sweeps: list[tuple[Policy, float]] = []
        self.swept: Future[Sweep] = Future()
        self.refuses: str | None = None
        self.incident_files: list[tuple[str, Path]] = []
        self.exports: list[tuple[Path, float, float, str | Collection[str] | None, Tier]] = []
        self.estimates: list[tuple[float, float, str | Collection[str] | None, Tier]] = []
        self.estimated = Estimate(rows=4_320, size_bytes=691_200, tier=Tier.MINUTE)
        self.own_files: tuple[OwnFile, ...] = scene.OWN_FILES
        self.refreshed = 0
        self.stopped_after_current = 0
        self.deleted = 0
        self.listeners: list[Callable[[Snapshot], None]] = []
        self._running: Future[Receipt] | None = None
        self._progress: Callable[[Progress], None] | None = None

    # ---- for the test

    def publish(self, snapshot: Snapshot) -> None:
        """Send a snapshot to the listeners, in the calling thread."""
        self.latest = snapshot
        for listener in tuple(self.listeners):
            listener(snapshot)

    def report(self, progress: Progress) -> None:
        assert self._progress is not None, "no action runs"
        self._progress(progress)

    def finish(self, receipt: Receipt | None = None) -> None:
        """End the running action; without a receipt everything went as expected."""
        assert self._running is not None, "no action runs"
        running, self._running = self._running, None
        running.set_result(receipt or went_well(self.asked[-1][0], self.asked[-1][1]))

    def break_off(self, fault: Exception) -> None:
        assert self._running is not None, "no action runs"
        running, self._running = self._running, None
        running.set_exception(fault)

    # ---- Backend

    def subscribe(self, listener: Callable[[Snapshot], None]) -> Callable[[], None]:
        self.listeners.append(listener)
        return lambda: self.listeners.remove(listener)

    def set_detail(self, wanted: bool) -> None:
        self.detail.append(wanted)

    def set_paused(self, paused: bool) -> None:
        self.paused = paused

    def refresh(self) -> None:
        self.refreshed += 1

    def reclaim(self, targets: Sequence[Target], origin: str, progress: Callable[[Progress], None]) -> Future[Receipt]:
        self.asked.append((tuple(targets), origin))
        self._running, self._progress = Future(), progress
        future = self._running
        if self.at_once:
            self.finish()
        return future

    def stop_after_current(self) -> None:
        self.stopped_after_current += 1

    def findings(self) -> Future[Sequence[Finding]]:
        return _done(
            (
                Finding(topic="Claude Code", standing=Standing.GOOD, what="found 2.1.20, 3 sessions"),
                Finding(topic="OpenCode", standing=Standing.ABSENT, what="does not run now"),
                Finding(
                    topic="memory",
                    standing=Standing.TROUBLE,
                    what="the pss of 1 of 9 groups could not be read",
                    mend="Their resident size is shown instead, as an upper bound.",
                ),
            )
        )

    def series(self, query: SeriesQuery) -> Future[Series]:
        self.queries.append(query)
        return _done(scene.series(query))

    def heap_series(self, query: SeriesQuery) -> Future[Series]:
        self.heap_queries.append(query)
        return _done(scene.heap_series(query))

    def incidents(self, limit: int) -> Future[Sequence[Incident]]:
        return _done([account.incident for account in self.accounts[:limit]])

    def incident(self, incident_id: str) -> Future[Account | None]:
        return _done(next((a for a in self.accounts if a.incident.incident_id == incident_id), None))

    def export_incident(self, incident_id: str, path: Path) -> Future[None]:
        self.incident_files.append((incident_id, path))
        return _done(None)

    def host_setups(self, host: str) -> Future[Sequence[HostSetup]]:
        there = self.settings.access(host).allowed
        offers = (*scene.host_setups(host), *self.offers.get(host, ()))
        return _done(tuple(offer for offer in offers if offer.permits not in there))

    def set_up(self, offer: HostSetup) -> Future[None]:
        self.set_ups.append(offer.key)
        if offer.permits is not None:
            return self.permit(offer.host, offer.permits, allowed=True)
        return _done(None)

    def permit(self, host: str, permission: Permission, *, allowed: bool) -> Future[None]:
        self.settings = self.settings.with_permission(host, permission, allowed)
        return _done(None)

    def resume(self, host: str, ticket: ResumeTicket) -> Future[CallResult]:
        self.resumed.append((host, ticket))
        self.answer = Future()
        return self.answer

    def sparklines(self, columns: int) -> Future[Mapping[str, Sequence[float | None]]]:
        return _done(scene.sparklines(columns))

    def life(self, group_key: str) -> Future[Life]:
        return _done(self.lives.get(group_key, Life()))

    def receipts(self, limit: int) -> Future[Sequence[Receipt]]:
        return _done(self.journal[:limit])

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
        self.exports.append((path, since_epoch_s, until_epoch_s, session, tier))
        progress(50, 100)
        if cancelled():
            return _done(0)
        path.write_text("time_utc\n", encoding="utf-8")
        progress(100, 100)
        return _done(100)

    def estimate_csv(
        self, *, since_epoch_s: float, until_epoch_s: float, session: str | Collection[str] | None, tier: Tier
    ) -> Future[Estimate]:
        self.estimates.append((since_epoch_s, until_epoch_s, session, tier))
        return _done(self.estimated)

    def files(self) -> Future[Sequence[OwnFile]]:
        return _done(self.own_files)

    def update_settings(self, settings: Settings) -> Future[None]:
        self.settings = settings
        return _done(None)

    def delete_history(self) -> Future[None]:
        self.deleted += 1
        return _done(None)

    def keeps(self) -> tuple[Keep, ...]:
        return self.kept

    def keep(self, group_key: str, until_epoch_s: float | None) -> Future[None]:
        others = tuple(keep for keep in self.kept if keep.group_key != group_key)
        self.kept = (*others, Keep(group_key=group_key, until_epoch_s=until_epoch_s))
        self.announced = tuple(n for n in self.announced if n.choice.group_key != group_key)
        return _done(None)

    def unkeep(self, group_key: str) -> Future[None]:
        self.kept = tuple(keep for keep in self.kept if keep.group_key != group_key)
        return _done(None)

    def notices(self) -> tuple[Notice, ...]:
        return self.announced

    def policies(self) -> tuple[Policy, ...]:
        return self.rules

    def switched_off(self) -> Mapping[str, str]:
        return self.why_off

    def update_policies(self, policies: tuple[Policy, ...]) -> Future[None]:
        if self.refuses is not None:
            future: Future[None] = Future()
            future.set_exception(ValueError(self.refuses))
            return future
        self.rules = policies
        return _done(None)

    def dry_runs(self) -> Future[Sequence[DryRun]]:
        return _done(self.tried)

    def sweep(self, policy: Policy, since_epoch_s: float) -> Future[Sweep]:
        self.sweeps.append((policy, since_epoch_s))
        self.swept = Future()
        return self.swept


def went_well(targets: Sequence[Target], origin: str) -> Receipt:
    """Return the receipt of an action in which every target gave back what was expected."""
    outcomes = tuple(
        Outcome(
            target=target,
            fate=Fate.RELEASED,
            sentence="All processes gone",
            gone=target.members,
            came_back_bytes=target.expected_bytes,
        )
        for target in targets
    )
    back = sum(target.expected_bytes for target in targets)
    return Receipt(
        receipt_id="r-1",
        started_at=scene.NOW,
        finished_at=scene.NOW,
        origin=origin,
        outcomes=outcomes,
        available_before_bytes=8 * scene.GB,
        available_after_bytes=8 * scene.GB + back,
    )


def _done(value: T) -> Future[T]:
    future: Future[T] = Future()
    future.set_result(value)
    return future
