"""The core behind every face: monitor, executor, journal and history under one roof, callable from any thread.

The tray, the window and the command line speak to nothing else, so all of them show the same numbers and act by the
same plan. Knows no Qt and no host by name.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from trayapp.acting import Acting
from trayapp.faults import kind_and_place, without_words
from trayapp.history.schema import NotAHistory
from trayapp.history.store import HistoryStore
from trayapp.hosts.base import CallResult, Extensible, Host, Resuming, Surroundings, words_of
from trayapp.incident_keeper import IncidentKeeper
from trayapp.keeps import KeepFile
from trayapp.lineage import LineageFile
from trayapp.model.access import HostAccess, Permission
from trayapp.model.receipt import Progress, Receipt, Target
from trayapp.model.series import Mark, Series, SeriesQuery, Tier
from trayapp.model.session import HostLabel, Problem, ResumeTicket
from trayapp.model.snapshot import Snapshot
from trayapp.monitor import Monitor
from trayapp.probe import Probe
from trayapp.probe.boot import boot_id
from trayapp.reclaim.journal import Journal
from trayapp.reclaim.plan import Rules
from trayapp.settings import Settings
from trayapp.settings_keeper import SettingsKeeper

if TYPE_CHECKING:
    # what only an action, a question or a command needs is loaded with the first of them
    from trayapp.history.csv_export import Estimate
    from trayapp.model.finding import Finding
    from trayapp.model.incident import Account, Incident
    from trayapp.model.keep import Keep
    from trayapp.model.life import Life
    from trayapp.model.policy import DryRun, Notice, Policy
    from trayapp.model.setup import HostSetup
    from trayapp.own_files import OwnFile
    from trayapp.reclaim.journal import Intent
    from trayapp.reclaim.simulate import Simulation, Sweep, Terms
    from trayapp.recording import Recorded

log = logging.getLogger(__name__)

T = TypeVar("T")

RESUME_S = 60.0
"""How long a host is waited for that brings a session back."""

MOST_INCIDENTS = 100
"""Marked in a chart at most, the newest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Say where files lie: settings, history, journal, and who owned which process (None = not kept on disk).

    `window` is the window's own: nothing here reads or writes it.
    """

    settings: Path
    history: Path
    journal: Path
    lineage: Path | None = None
    incidents: Path | None = None
    keeps: Path | None = None
    window: Path | None = None


class Core:
    """Do everything that a face may ask for.

    Ticks and actions run on the monitor's worker thread; questions to history and journal in a small pool beside it.
    """

    def __init__(
        self,
        *,
        probe: Probe,
        hosts: Sequence[Host],
        around: Surroundings,
        places: Places,
        settings: Settings,
        problems: Sequence[Problem] = (),
        settings_problems: Sequence[Problem] = (),
    ) -> None:
        self._hosts = tuple(hosts)
        self._around = around = replace(around, access=self.access)
        self._places = places
        self._settings = SettingsKeeper(
            places.settings, settings, problems=settings_problems, on_reload=self._use_reloaded
        )
        self._listeners: dict[int, Callable[[Snapshot], None]] = {}
        self._listeners_lock = threading.Lock()
        self._next_listener = 0
        self._ticking = False
        self._recording = False
        self._store: HistoryStore | None = None
        self._pool = ThreadPoolExecutor(max_workers=2, thread_name_prefix="agentring-ask")
        self.journal = Journal(places.journal)
        self._incidents = IncidentKeeper(
            places.incidents, deeds=self.journal, wanted=lambda: self._recording, hand_over=self._pool.submit
        )
        self._keeps = KeepFile(places.keeps) if places.keeps is not None else None
        self._acting = Acting(
            probe=probe,
            hosts=hosts,
            around=around,
            journal=self.journal,
            keeps=self._keeps,
            mark=self._mark,
            settings=lambda: self.settings,
            update_settings=lambda settings: self.update_settings(settings),
        )
        self._lineage = LineageFile(places.lineage, boot_id=boot_id()) if places.lineage is not None else None
        self._monitor = Monitor(
            probe=probe,
            hosts=hosts,
            around=around,
            rules=Rules(idle_after_s=settings.idle_after_s, interval_s=settings.interval_s),
            interval_s=settings.interval_s,
            problems=problems,
            on_snapshot=self._publish,
            own_problems=self._own_problems,
            lineage=self._lineage.load() if self._lineage is not None else None,
            kept=self._acting.kept,
        )
        self._acting.serve(self._monitor)

    # -- life -----------------------------------------------------------------------------------------------------

    def start(self, *, ticking: bool = False) -> None:
        """Start the worker. With `ticking` it measures and records by itself, as the tray app and the service do."""
        self._ticking = self._acting.stays = ticking
        self._record(self.settings.record)
        if ticking:
            self.subscribe(self._incidents.take)
            self.subscribe(self._acting.take)
        self._monitor.start(ticking=ticking)
        if ticking:
            self._monitor.submit(self._acting.resolve_abandoned)

    def stop(self) -> None:
        """End the worker and close the files; what was measured is written."""
        if not self._monitor.stop():
            log.info("the worker did not end within a second and is left behind")
        else:
            self._incidents.close()
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._remember(at_once=True)
        if self._store is not None:
            self._store.close()
            self._store = None

    def _remember(self, *, at_once: bool = False) -> None:
        """Keep who owned which process over a restart; only a core that measures by itself does."""
        if self._lineage is None or not self._ticking:
            return
        lineage, now_s = self._monitor.lineage, time.monotonic()
        if at_once or self._lineage.is_due(lineage, now_s=now_s):
            self._lineage.save(lineage, now_s=now_s)

    def _record(self, wanted: bool) -> None:
        """Record from now on, or not; only a core that measures by itself records."""
        self._recording = wanted and self._ticking
        if self._recording and self._store is None:
            self._store = self._open_store()

    def _open_store(self) -> HistoryStore:
        return HistoryStore(
            self._places.history,
            now_epoch_s=self._around.now_epoch_s,
            keep_days=self.settings.keep_days,
            hand_over=self._pool.submit,
        )

    # -- snapshots ------------------------------------------------------------------------------------------------

    @property
    def latest(self) -> Snapshot | None:
        return self._monitor.latest

    @property
    def paused(self) -> bool:
        return self._monitor.paused

    @property
    def settings(self) -> Settings:
        return self._settings.now

    @property
    def host_labels(self) -> tuple[HostLabel, ...]:
        """Return the hosts that are looked for, running or not."""
        return tuple(host.label for host in self._hosts)

    def subscribe(self, listener: Callable[[Snapshot], None]) -> Callable[[], None]:
        """Call `listener` in the worker thread with every new snapshot; the returned function ends that."""
        with self._listeners_lock:
            number = self._next_listener
            self._next_listener += 1
            self._listeners[number] = listener

        def unsubscribe() -> None:
            with self._listeners_lock:
                self._listeners.pop(number, None)

        return unsubscribe

    def set_detail(self, wanted: bool) -> None:
        """Say whether a view is open."""
        self._monitor.detail = wanted
        if wanted:
            self._monitor.wake()

    def set_paused(self, paused: bool) -> None:
        """Stop measuring, or go on; what is asked for (refresh, an action) still looks."""
        self._monitor.paused = paused
        if not paused:
            self._monitor.wake()

    def refresh(self) -> None:
        """Ask for a tick now."""
        self._monitor.wake()

    def look(self, seconds: float = 1.0, *, idle_after_s: float | None = None) -> Snapshot:
        """Take two looks that far apart and return the second; blocks.

        Two, because CPU is a difference and idleness needs two observations. `idle_after_s` replaces the setting for
        this core from then on.
        """
        if idle_after_s is not None:
            self._monitor.rules = replace(self._monitor.rules, idle_after_s=idle_after_s)

        async def twice() -> Snapshot:
            await self._monitor.look()
            await asyncio.sleep(seconds)
            return (await self._monitor.look()).snapshot

        return self._monitor.submit(twice).result()

    def record(
        self, path: Path, *, for_s: float, every_s: float, progress: Callable[[int], None] = lambda _ticks: None
    ) -> Recorded:
        """Write a redacted capture of what is seen from now on; blocks. Ctrl-C ends it early, what was seen is kept.

        `progress` gets the number of looks so far. Raises OSError.
        """
        from trayapp.recording import Writer
        from trayapp.redaction import Redactor

        redactor = Redactor(names=self._private_names(), words={w for host in self._hosts for w in words_of(host)})
        detail, self._monitor.detail = self._monitor.detail, True
        with Writer(path, redactor) as writer:
            self._monitor.on_inputs = writer.write
            try:
                self._look_at_a_beat(for_s, every_s, lambda: progress(writer.ticks))
            finally:
                self._monitor.on_inputs, self._monitor.detail = None, detail
        return writer.recorded

    def _look_at_a_beat(self, for_s: float, every_s: float, after_each: Callable[[], None]) -> None:
        """Look now and then until the time is over or Ctrl-C; a look under way is waited for."""
        next_s = time.monotonic()
        end_s = next_s + for_s
        while True:
            looking = self._monitor.submit(self._monitor.tick)
            try:
                looking.result()
                after_each()
                next_s = max(next_s + every_s, time.monotonic())
                if next_s > end_s:
                    return
                time.sleep(max(0.0, next_s - time.monotonic()))
            except KeyboardInterrupt:
                looking.result()
                return

    def _private_names(self) -> set[str]:
        """Return how the user and the machine are called."""
        variables = ("USER", "LOGNAME", "USERNAME", "HOSTNAME", "COMPUTERNAME")
        import platform

        return {self._around.home.name, platform.node(), *(self._around.environ.get(name, "") for name in variables)}

    def _publish(self, snapshot: Snapshot) -> None:
        if self._recording and self._store is not None:
            self._store.append(snapshot)
        self._remember()
        with self._listeners_lock:
            listeners = tuple(self._listeners.values())
        for listener in listeners:
            try:
                listener(snapshot)
            except Exception:
                # A face that fails must not stop measuring, nor keep the others from being told.
                log.exception("a listener failed")

    def _own_problems(self) -> tuple[Problem, ...]:
        settings = self._settings.now  # every tick looks if the file is another one
        stored = self._store.problems if self._store is not None else ()
        forgot = self._lineage.problem if self._lineage is not None else None
        told = (*self._acting.problems, *self._incidents.problems, *self._settings.problems)
        return (*stored, *told, *self._about_unknown_hosts(settings), *((forgot,) if forgot is not None else ()))

    def _about_unknown_hosts(self, settings: Settings) -> tuple[Problem, ...]:
        known = [label.host for label in self.host_labels]
        unknown = [name for name in settings.hosts if name not in known]
        if not unknown:
            return ()
        what = f"hosts that are not known: {', '.join(map(ascii, unknown))}"
        mend = f"They are kept and have no effect; the hosts are {', '.join(known)}"
        return (Problem(where=str(self._places.settings), what=what, mend=mend),)

    # -- actions --------------------------------------------------------------------------------------------------

    def reclaim(self, targets: Sequence[Target], origin: str, progress: Callable[[Progress], None]) -> Future[Receipt]:
        """Carry the targets out, one after the other; the future always ends in a receipt."""

        return self._monitor.submit(lambda: self._acting.reclaim(targets, origin, progress))

    def _mark(self, receipt: Receipt) -> None:
        """Mark the action in the history, also where another program (the tray beside a command) records."""
        if self._store is not None:
            self._store.add_receipt(receipt)
        elif self.settings.record and self._places.history.exists():
            store = self._open_store()
            store.add_receipt(receipt)
            store.close()

    def stop_after_current(self) -> None:
        """Do not begin further targets of the running action."""
        self._acting.stop_after_current()

    # -- history and journal --------------------------------------------------------------------------------------

    def series(self, query: SeriesQuery) -> Future[Series]:
        from trayapp.history import queries

        return self._ask_history(lambda: self._with_incidents(queries.series(self._places.history, query), query))

    def heap_series(self, query: SeriesQuery) -> Future[Series]:
        """Return the heaps of hosts over time; only the range and the columns of the query count."""
        from trayapp.history import queries

        of_all = replace(query, session=None)
        return self._ask_history(
            lambda: self._with_incidents(queries.heap_series(self._places.history, of_all), of_all)
        )

    def _with_incidents(self, found: Series, query: SeriesQuery) -> Series:
        """Mark what happened to hosts too, in the series of one session what it was in."""
        more = tuple(
            Mark(
                at_epoch_s=incident.at_epoch_s,
                came_back_bytes=0,
                title=incident.sentence,
                receipt_id="",
                groups=incident.groups,
                incident_id=incident.incident_id,
            )
            for incident in self._incidents.newest(MOST_INCIDENTS)
            if query.since_epoch_s <= incident.at_epoch_s <= query.until_epoch_s
            and query.branch in (None, f"host:{incident.host}")
            and (
                query.session is None
                or any(query.session in (then.group, then.session.session_id) for then in incident.sessions)
            )
        )
        return replace(found, marks=tuple(sorted((*found.marks, *more), key=lambda mark: mark.at_epoch_s)))

    def sparklines(self, columns: int) -> Future[Mapping[str, Sequence[float | None]]]:
        """Return memory over the last hour by group key."""
        from trayapp.history import queries

        return self._ask_history(
            lambda: queries.sparklines(self._places.history, now_epoch_s=self._around.now_epoch_s(), columns=columns)
        )

    def life(self, group_key: str) -> Future[Life]:
        """Return what is recorded of a session over all its processes."""
        from trayapp.history.life import read_life

        return self._ask_history(lambda: read_life(self._places.history, group_key))

    def receipts(self, limit: int) -> Future[Sequence[Receipt]]:
        """Return the newest receipts of the journal, newest first."""
        return self._ask(lambda: self.journal.receipts(limit))

    def open_intents(self) -> Future[Sequence[Intent]]:
        """Return the actions that were begun and have no receipt: under way, or a program ended in their middle."""
        return self._ask(self.journal.open_intents)

    def incidents(self, limit: int) -> Future[Sequence[Incident]]:
        """Return the newest incidents, newest first."""
        return self._ask(lambda: self._incidents.newest(limit))

    def incident(self, incident_id: str) -> Future[Account | None]:
        """Return one incident with the hour before it; None when there is none that can be read."""
        return self._ask(lambda: self._incidents.account(incident_id))

    def export_csv(
        self,
        path: Path,
        *,
        since_epoch_s: float,
        until_epoch_s: float,
        session: str | Collection[str] | None,
        progress: Callable[[int, int], None],
        cancelled: Callable[[], bool],
        tier: Tier = Tier.AUTO,
    ) -> Future[int]:
        """Write the CSV; the future holds the number of rows. The file appears whole or not at all."""
        from trayapp.history import csv_export

        return self._ask_history(
            lambda: csv_export.export(
                self._places.history,
                path,
                since_epoch_s=since_epoch_s,
                until_epoch_s=until_epoch_s,
                session=session,
                tier=tier,
                progress=progress,
                cancelled=cancelled,
            )
        )

    def estimate_csv(
        self, *, since_epoch_s: float, until_epoch_s: float, session: str | Collection[str] | None, tier: Tier
    ) -> Future[Estimate]:
        """Return about how much `export_csv` would write."""
        from trayapp.history import csv_export

        return self._ask_history(
            lambda: csv_export.estimate(
                self._places.history,
                since_epoch_s=since_epoch_s,
                until_epoch_s=until_epoch_s,
                session=session,
                tier=tier,
            )
        )

    def files(self) -> Future[Sequence[OwnFile]]:
        """Return the files that Agent Ring keeps, with what they take on disk."""

        def look() -> Sequence[OwnFile]:
            from trayapp.own_files import own_files

            return own_files({each.name: getattr(self._places, each.name) for each in fields(self._places)})

        return self._ask(look)

    def update_settings(self, settings: Settings) -> Future[None]:
        """Use the settings from now on and write them to their file."""
        before = self._settings.now
        self._settings.use(settings)
        self._use(before, settings)

        def use_and_save() -> None:
            self._use_in_store(settings)
            self._settings.save(settings)
            self._monitor.wake()

        return self._ask(use_and_save)

    def _use(self, before: Settings, settings: Settings) -> None:
        self._monitor.interval_s = settings.interval_s
        rules = replace(self._monitor.rules, interval_s=settings.interval_s)
        if settings.idle_after_s != before.idle_after_s:  # `look` may have set it for this core alone
            rules = replace(rules, idle_after_s=settings.idle_after_s)
        self._monitor.rules = rules
        if self._ticking and settings.hosts != before.hosts:
            self._monitor.submit(self._monitor.look)  # asks every host anew

    def _use_in_store(self, settings: Settings) -> None:
        self._record(settings.record)
        if self._store is not None:
            self._store.keep_days = settings.keep_days

    def _use_reloaded(self, before: Settings, settings: Settings) -> None:
        """Use what somebody else wrote into the file; called in any thread."""
        self._use(before, settings)
        if (before.record, before.keep_days) != (settings.record, settings.keep_days):
            self._ask(lambda: self._use_in_store(settings))

    def delete_history(self) -> Future[None]:
        """Delete all measurements, and incidents, which hold some; the journal stays."""

        def delete() -> None:
            store = self._store or self._open_store()
            store.delete_all()
            self._incidents.delete_all()
            if store is not self._store:
                store.close()

        return self._ask(delete)

    # -- what stays, and what may go by itself --------------------------------------------------------------------

    def keeps(self) -> tuple[Keep, ...]:
        """Return what the user wants to keep for now."""
        return self._keeps.all(self._around.now_epoch_s()) if self._keeps is not None else ()

    def keep(self, group_key: str, until_epoch_s: float | None) -> Future[None]:
        """Keep a group until then, or until it is taken back; the future raises KeepError where that cannot be kept."""

        def keep() -> None:
            if self._keeps is None:
                raise RuntimeError("this core has no place for what is kept")
            self._keeps.keep(group_key, until_epoch_s, now_epoch_s=self._around.now_epoch_s())
            self._acting.keep_off(group_key)
            self._monitor.wake()

        return self._ask(keep)

    def unkeep(self, group_key: str) -> Future[None]:
        """Keep a group no more; the future raises KeepError."""

        def unkeep() -> None:
            if self._keeps is not None:
                self._keeps.unkeep(group_key, now_epoch_s=self._around.now_epoch_s())
            self._monitor.wake()

        return self._ask(unkeep)

    def notices(self) -> tuple[Notice, ...]:
        """Return what policies are about to do."""
        return self._acting.notices

    def policies(self) -> tuple[Policy, ...]:
        """Return the user's policies."""
        return self.settings.policies

    def switched_off(self) -> Mapping[str, str]:
        """Return by name why a policy has switched itself off."""
        return self._acting.policies.switched_off() if self.settings.policies else {}

    def update_policies(self, policies: tuple[Policy, ...]) -> Future[None]:
        """Use these policies from now on; they are kept in the settings."""

        def use() -> None:
            self.update_settings(self.settings.with_policies(policies))

        return self._ask(use)

    def dry_runs(self) -> Future[Sequence[DryRun]]:
        """Return what each of the user's policies would do now, on or off."""

        def ask() -> Sequence[DryRun]:
            snapshot = self._monitor.latest
            return self._acting.policies.dry_runs(snapshot) if snapshot is not None else ()

        return self._ask(ask)

    def simulate(
        self, policies: Sequence[Policy], since_epoch_s: float, until_epoch_s: float, terms: Terms
    ) -> Future[Sequence[Simulation]]:
        """Return what each of some policies alone would have done; takes seconds."""
        from trayapp.reclaim import simulate

        return self._ask_history(
            lambda: simulate.simulate_history(self._places.history, since_epoch_s, until_epoch_s, policies, terms)
        )

    def sweep(self, policy: Policy, since_epoch_s: float, terms: Terms | None = None) -> Future[Sweep]:
        """Return what a policy would have freed since then, and touched wrongly, with each of several idle times."""
        from trayapp.reclaim import simulate

        now_epoch_s, seen = self._around.now_epoch_s(), self.latest
        by_settings = simulate.Terms(
            idle_after_s=self.settings.idle_after_s,
            memory_total_bytes=None if seen is None else seen.machine.memory_total_bytes,
        )
        return self._ask_history(
            lambda: simulate.sweep_history(
                self._places.history, since_epoch_s, now_epoch_s, policy, terms or by_settings
            )
        )

    def _ask_history(self, question: Callable[[], T]) -> Future[T]:
        """Ask the history when all that was measured until now is written."""

        def ask() -> T:
            if self._store is not None:
                self._store.flush()
            try:
                return question()
            except NotAHistory:
                if self._store is not None:
                    self._store.set_aside_if_damaged()
                raise

        return self._ask(ask)

    def _ask(self, question: Callable[[], T]) -> Future[T]:
        return self._pool.submit(question)

    # -- doctor ---------------------------------------------------------------------------------------------------

    def findings(self) -> Future[Sequence[Finding]]:
        """Ask for what doctor() tells, without blocking."""
        return self._ask(self.doctor)

    def doctor(self) -> Sequence[Finding]:
        """Tell what is found, what is not and why, what cannot be read here, versions, own cost; blocks."""
        from trayapp import doctor

        began_s = time.monotonic()
        snapshot = self.look()
        return doctor.examine(
            snapshot,
            hosts=self._hosts,
            around=self._around,
            took_s=time.monotonic() - began_s,
            files={"settings": self._places.settings, "history": self._places.history, "journal": self._places.journal},
            unfinished=self.journal.open_intents(),
        )

    def export_incident(self, incident_id: str, path: Path) -> Future[None]:
        """Write an incident as one redacted file, to hand on; nothing when there is none that can be read."""

        def write_it() -> None:
            from trayapp import incident_report

            account = self._incidents.account(incident_id)
            if account is not None:
                incident_report.write(path, account)

        return self._ask(write_it)

    # -- what can be put into hosts -------------------------------------------------------------------------------

    def host_setups(self, host: str) -> Future[Sequence[HostSetup]]:
        """Return what of ours can be put into a host; writes nothing."""
        return self._ask(lambda: [offer for one in self._extensible(host) for offer in one.setups(self._around)])

    def set_up(self, offer: HostSetup) -> Future[None]:
        """Carry out what a person agreed to; the future raises SetUpFailed where it could not be done.

        An offer that is only a consent is kept in the settings.
        """
        if offer.permits is not None:
            return self.permit(offer.host, offer.permits, allowed=True)

        def carry_out() -> None:
            for host in self._extensible(offer.host):
                host.set_up(offer, self._around)
            self._monitor.wake()

        return self._ask(carry_out)

    def _extensible(self, host: str) -> list[Extensible]:
        return [one for one in self._hosts if one.label.host == host and isinstance(one, Extensible)]

    # -- what a person allows with a host, and what its host brings back ------------------------------------------

    def access(self, host: str) -> HostAccess:
        """Return what the settings say about a host now."""
        return self._settings.now.access(host)

    def permit(self, host: str, permission: Permission, *, allowed: bool) -> Future[None]:
        """Allow something with a host, or forbid it again: it holds at once and is kept in the settings."""
        return self.update_settings(self.settings.with_permission(host, permission, allowed))

    def resume(self, host: str, ticket: ResumeTicket) -> Future[CallResult]:
        """Have a host bring a session back; what went wrong is an answer too."""

        async def ask() -> CallResult:
            adapter = next((one for one in self._hosts if one.label.host == host), None)
            if ticket.call is None or adapter is None or not isinstance(adapter, Resuming):
                return CallResult(ok=False, message="Its host cannot be asked to bring it back")
            if self._monitor.latest is None:  # an adapter knows its servers from what it saw
                await self._monitor.look()
            if self._runs(host, ticket):
                return CallResult(ok=True, message="It runs already; nothing to bring back")
            answer = await _answer_of(adapter, ticket, self._around, title=adapter.label.title)
            self._monitor.wake()
            return answer

        return self._monitor.submit(ask)

    def _runs(self, host: str, ticket: ResumeTicket) -> bool:
        """Say whether the session that a ticket would bring back runs."""
        groups = self._monitor.latest.groups if self._monitor.latest is not None else ()
        alive = [group for group in groups if group.members or group.heap_of is not None]
        return any(group.host == host and group.resume == ticket for group in alive)


async def _answer_of(adapter: Resuming, ticket: ResumeTicket, around: Surroundings, *, title: str) -> CallResult:
    """Return what an adapter answers; one that fails or hangs is an answer too."""
    task = asyncio.ensure_future(adapter.resume(ticket, around))
    try:
        await asyncio.wait({task}, timeout=RESUME_S)
    finally:
        task.cancel()
    if not task.done():
        message = f"{title} did not answer within {RESUME_S:.0f} s. Look there whether the session is back"
        return CallResult(ok=False, message=message)
    fault = task.exception()
    if fault is not None:
        log.error("the adapter of %s failed to resume: %s", title, without_words(fault))
        return CallResult(ok=False, message=f"Its adapter failed: {kind_and_place(fault)}")
    return task.result()
