"""The one crossing between the worker thread and the UI thread.

Turns the core's callbacks and futures into signals that arrive in the UI thread. Knows no widget; widgets never see a
callback that runs in another thread.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot
from shiboken6 import isValid

from trayapp.model.receipt import Progress, Receipt, Target
from trayapp.model.snapshot import Snapshot
from trayapp.ui.backend import Backend

if TYPE_CHECKING:
    from trayapp.hosts.base import CallResult
    from trayapp.model.keep import Keep
    from trayapp.model.policy import Notice
    from trayapp.model.session import ResumeTicket
    from trayapp.model.setup import HostSetup

T = TypeVar("T")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resume:
    """Tell how far it is that a host brings a session back; `ok` is None until it has answered."""

    ok: bool | None
    message: str


def _hosts_of(snapshot: Snapshot) -> Hashable:
    """Return what decides if something else could be allowed now: who runs, and what is wrong with it."""
    return tuple((instance.host, instance.identity, instance.error) for instance in snapshot.instances)


class Bridge(QObject):
    """Receive what the core says and pass it on in the UI thread.

    Attributes:
        backend: the core.
        snapshot: the newest snapshot that has arrived in the UI thread.
        consents: what could be allowed with hosts that run, by host; asked for while a view is open.
        keeps: what the user wants to keep for now, by group key.
        notices: what policies are about to do, the soonest first.
        running: targets of the action that runs now, empty when none does; further ones wait for their turn.
    """

    # Emitted in the UI thread for every snapshot; payload: Snapshot.
    snapshot_changed = Signal(object)
    # Emitted in the UI thread when an action begins; payload: tuple of Target.
    action_started = Signal(object)
    # Emitted in the UI thread while an action runs; payload: Progress.
    progress_changed = Signal(object)
    # Emitted in the UI thread when an action is over; payload: Receipt.
    action_finished = Signal(object)
    # Emitted in the UI thread when the core broke off an action or a question; payload: one sentence.
    failed = Signal(str)
    # Emitted in the UI thread when measuring was paused or resumed here; payload: bool.
    paused_changed = Signal(bool)
    # Emitted in the UI thread when a session is being brought back, is back, or is not; payload: its ResumeTicket.
    resume_changed = Signal(object)
    # Emitted in the UI thread when there is more or less to be allowed with hosts.
    consents_changed = Signal()
    # Emitted in the UI thread when something is kept, or not any more.
    keeps_changed = Signal()
    # Emitted in the UI thread when policies announced something, or what they announced is done or called off.
    notices_changed = Signal()
    # Emitted in the UI thread when the journal tells what a policy has done (see notifier.py); payload: Receipt.
    policy_acted = Signal(object)
    # Emitted in the UI thread when something that was released runs again; payload: Return.
    came_again = Signal(object)
    # Emitted in the UI thread when the first view opened (True) or the last one closed.
    detail_changed = Signal(bool)

    # Emitted in the worker thread; payload: Snapshot, Progress, or (callable, result) of a future.
    _snapshot_arrived = Signal(object)
    _progress_arrived = Signal(object)
    _result_arrived = Signal(object, object)

    def __init__(self, backend: Backend, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.backend = backend
        self.snapshot: Snapshot | None = backend.latest
        self.running: tuple[Target, ...] = ()
        self.consents: Mapping[str, tuple[HostSetup, ...]] = {}
        self.keeps: Mapping[str, Keep] = {keep.group_key: keep for keep in backend.keeps()}
        self.notices: tuple[Notice, ...] = backend.notices()
        self._resumes: dict[ResumeTicket, Resume] = {}
        self._asked_of: Hashable = None
        self._collecting = False
        self._waiting: deque[tuple[tuple[Target, ...], str]] = deque()
        self._details: set[int] = set()
        self._closed = False
        queued = Qt.ConnectionType.QueuedConnection
        self._snapshot_arrived.connect(self._take_snapshot, queued)
        self._progress_arrived.connect(self._take_progress, queued)
        self._result_arrived.connect(self._take_result, queued)
        self._unsubscribe = backend.subscribe(self._snapshot_arrived.emit)

    def close(self) -> None:
        """End the subscription; what is still on its way is dropped. May be called twice."""
        if not self._closed:
            self._closed = True
            self._unsubscribe()

    # ---- asking the core

    def reclaim(self, targets: Sequence[Target], origin: str) -> None:
        """Carry the targets out, after those asked for before. Ends in action_finished or failed."""
        if targets:
            self._waiting.append((tuple(targets), origin))
            self._go_on()
            self._begin_next()

    def is_running(self, group_key: str) -> bool:
        """Say whether the running action has that group among its targets."""
        return any(target.group_key == group_key for target in self.running)

    def is_pending(self, group_key: str) -> bool:
        """Say whether that group is being released or waits for its turn."""
        waiting = (target for targets, _ in self._waiting for target in targets)
        return self.is_running(group_key) or any(target.group_key == group_key for target in waiting)

    def _go_on(self) -> None:
        """Leave a heap to its host when another action waits: what was to be released is, only its receipt is not."""
        if self._collecting and self._waiting:
            self._collecting = False
            self.backend.stop_after_current()

    def _begin_next(self) -> None:
        if self.running or not self._waiting:
            return
        self._collecting = False
        self.running, origin = self._waiting.popleft()
        self.action_started.emit(self.running)
        future = self.backend.reclaim(self.running, origin, self._progress_arrived.emit)
        self.when_done(future, self._finish, self._broke_off)

    def resume(self, host: str, ticket: ResumeTicket) -> None:
        """Have a host bring a session back; one that is being brought back is not asked for twice."""
        if (known := self._resumes.get(ticket)) is not None and known.ok is not False:
            return
        self._resumes[ticket] = Resume(ok=None, message="")
        self.resume_changed.emit(ticket)
        future = self.backend.resume(host, ticket)
        self.when_done(future, partial(self._resumed, ticket), partial(self._not_resumed, ticket))

    def resume_of(self, ticket: ResumeTicket | None) -> Resume | None:
        """Return how far it is, None where it was not asked for since the session was released."""
        return self._resumes.get(ticket) if ticket is not None else None

    def ask_consents(self) -> None:
        """Ask anew what could be allowed with the hosts that run."""
        snapshot = self.snapshot
        if snapshot is None:
            return
        self._asked_of = _hosts_of(snapshot)
        for host in sorted({instance.host for instance in snapshot.instances} | set(self.consents)):
            self.when_done(self.backend.host_setups(host), partial(self._take_offers, host), lambda _sentence: None)

    def keep(self, group_key: str, until_epoch_s: float | None) -> None:
        """Keep a session until then, or until it is taken back."""
        self.when_done(self.backend.keep(group_key, until_epoch_s), self._look_again)

    def unkeep(self, group_key: str) -> None:
        """Do not keep a session any longer."""
        self.when_done(self.backend.unkeep(group_key), self._look_again)

    def _look_again(self, _none: None) -> None:
        self._look_at_keeps()
        self.backend.refresh()

    def _look_at_keeps(self) -> None:
        """See what is kept and announced by now; both are small and there already."""
        keeps = {keep.group_key: keep for keep in self.backend.keeps()}
        if keeps != self.keeps:
            self.keeps = keeps
            self.keeps_changed.emit()
        if (notices := self.backend.notices()) != self.notices:
            self.notices = notices
            self.notices_changed.emit()

    def set_paused(self, paused: bool) -> None:
        """Pause or resume measuring."""
        self.backend.set_paused(paused)
        self.paused_changed.emit(paused)

    def want_detail(self, view: QObject, wanted: bool) -> None:
        """Say that a view is open or closed; the core reads closely while at least one is."""
        before = bool(self._details)
        (self._details.add if wanted else self._details.discard)(id(view))
        if bool(self._details) != before:
            self.backend.set_detail(wanted)
            self.detail_changed.emit(wanted)
            if wanted:
                self.ask_consents()

    def when_done(
        self, future: Future[T], done: Callable[[T], None], failed: Callable[[str], None] | None = None
    ) -> None:
        """Call `done` in the UI thread with the result of a future, or `failed` (else the signal) with a sentence.

        Methods of a view that Qt has deleted meanwhile are not called.
        """
        report = failed if failed is not None else self.failed.emit

        def hand_over(finished: Future[T]) -> None:
            if finished.cancelled():
                return
            fault = finished.exception()
            if fault is not None:
                log.info("The core broke off", exc_info=fault)
                self._result_arrived.emit(report, str(fault) or type(fault).__name__)
            else:
                self._result_arrived.emit(done, finished.result())

        future.add_done_callback(hand_over)

    # ---- in the UI thread

    @Slot(object)
    def _take_snapshot(self, snapshot: Snapshot) -> None:
        if not self._closed:
            self.snapshot = snapshot
            self._look_at_keeps()
            self.snapshot_changed.emit(snapshot)
            if self._details and _hosts_of(snapshot) != self._asked_of:
                self.ask_consents()

    @Slot(object)
    def _take_progress(self, progress: Progress) -> None:
        if not self._closed and self.running:
            from trayapp.ui.heap_view import is_collecting

            self._collecting = is_collecting(progress)
            self._go_on()
            self.progress_changed.emit(progress)

    @Slot(object, object)
    def _take_result(self, call: Callable[[Any], None], result: object) -> None:
        owner = getattr(call.func if isinstance(call, partial) else call, "__self__", None)
        gone = isinstance(owner, QObject) and not isValid(owner)
        if not self._closed and not gone:
            call(result)

    def _take_offers(self, host: str, offers: Sequence[HostSetup]) -> None:
        found = tuple(offer for offer in offers if offer.permits is not None and offer.steps)
        if found != self.consents.get(host, ()):
            others = {name: each for name, each in self.consents.items() if name != host}
            self.consents = {**others, host: found} if found else others
            self.consents_changed.emit()

    def _resumed(self, ticket: ResumeTicket, answer: CallResult) -> None:
        self._resumes[ticket] = Resume(ok=answer.ok, message=answer.message)
        self.resume_changed.emit(ticket)
        self.backend.refresh()

    def _not_resumed(self, ticket: ResumeTicket, sentence: str) -> None:
        self._resumes[ticket] = Resume(ok=False, message=sentence)
        self.resume_changed.emit(ticket)

    def _finish(self, receipt: Receipt) -> None:
        self.running = ()
        for outcome in receipt.outcomes:
            if outcome.resume is not None:
                self._resumes.pop(outcome.resume, None)
        self.action_finished.emit(receipt)
        self.backend.refresh()
        self._begin_next()

    def _broke_off(self, sentence: str) -> None:
        self.running = ()
        self.failed.emit(sentence)
        self._begin_next()
