"""What is told unasked: natively where the desktop can, and as a quiet notice in the popover always.

Follows the snapshots by the rules of `trayapp.alerts`, and the journal for what policies did and what came back. Words
are loaded with the first message.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from trayapp.model.process import Pressure

if TYPE_CHECKING:
    from trayapp.alerts import Alert, Watch
    from trayapp.model.receipt import Receipt
    from trayapp.model.session import Problem
    from trayapp.model.snapshot import Snapshot
    from trayapp.ui.bridge import Bridge

MOST_KEPT = 4
KEPT_S = 3600.0
"""How long it is told in the popover that something happened."""
SHOWN_MS = 10_000
LOOK_EVERY_S = 5.0
LOOK_FOR_S = 60.0
MOST_RECEIPTS = 20


class Notifier(QObject):
    """Tell each thing once.

    `show_message` shows a title and a sentence for so many milliseconds; None where the desktop cannot.

    Attributes:
        alerts: what the popover shows, the newest first.
    """

    # Emitted in the UI thread when the popover's notices are others, or are muted or not any more.
    changed = Signal()

    def __init__(
        self,
        bridge: Bridge,
        show_message: Callable[[str, str, int], None] | None,
        *,
        clock_s: Callable[[], float] = time.time,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bridge, self._show_message, self._clock_s = bridge, show_message, clock_s
        self._watches = False
        self._began_epoch_s = clock_s()
        self._problems: tuple[Problem, ...] = ()
        self._looks_until_s = 0.0
        self._next_look_s = 0.0
        self._was_muted = self.is_muted
        self.alerts: tuple[Alert, ...] = ()
        bridge.snapshot_changed.connect(self._take_snapshot)
        bridge.notices_changed.connect(self._take_notices)
        bridge.policy_acted.connect(self._take_receipt)

    @cached_property
    def _watch(self) -> Watch:
        from trayapp.alerts import Watch

        return Watch()

    # ---- what comes in

    def _take_snapshot(self, snapshot: Snapshot) -> None:
        settings = self._bridge.backend.settings
        # the rules are loaded with the first thing that they could tell of
        if snapshot.totals.processes or snapshot.machine.pressure is not Pressure.NORMAL:
            self._watches = True
        for alert in self._watch.take(snapshot, settings) if self._watches else ():
            self._tell(alert)
        self._forget()
        if snapshot.problems != self._problems:
            self._problems = snapshot.problems  # what runs again is told among them
            self._look_at_journal_soon()
        now_s = self._clock_s()
        if self._next_look_s <= now_s < self._looks_until_s:
            self._next_look_s = now_s + LOOK_EVERY_S
            receipts = self._bridge.backend.receipts(MOST_RECEIPTS)
            self._bridge.when_done(receipts, self._take_journal, self._no_journal)

    def _take_notices(self) -> None:
        """Tell of what policies announce; when something is not announced any more it may have been done."""
        fresh = self._watch.take_notices(self._bridge.notices, self._bridge.backend.settings)
        self._look_at_journal_soon()
        if not fresh or self.is_muted or self._show_message is None:
            return
        from trayapp.ui import alert_words

        now_s = self._clock_s()
        left_ms = round(max(1.0, fresh[0].due_epoch_s - now_s) * 1000)
        self._show_message(*alert_words.announcement(fresh, now_epoch_s=now_s), left_ms)

    def _look_at_journal_soon(self) -> None:
        self._looks_until_s = self._clock_s() + LOOK_FOR_S

    def _take_journal(self, receipts: Sequence[Receipt]) -> None:
        settings = self._bridge.backend.settings
        for receipt in reversed(receipts):
            if receipt.finished_at.timestamp() >= self._began_epoch_s and self._watch.is_new(receipt):
                self._bridge.policy_acted.emit(receipt)
            for back in receipt.returns:
                if back.at.timestamp() >= self._began_epoch_s and (told := self._watch.take_return(back, settings)):
                    self._tell(told)

    def _no_journal(self, _sentence: str) -> None:
        """Tell nothing: that it cannot be read is a problem of the snapshot."""

    def _take_receipt(self, receipt: Receipt) -> None:
        alert = self._watch.take_receipt(receipt, self._bridge.backend.settings)
        if alert is not None:
            self._tell(alert)

    # ---- what goes out

    def _tell(self, alert: Alert) -> None:
        others = tuple(other for other in self.alerts if other.key != alert.key)
        self.alerts = (alert, *others)[:MOST_KEPT]
        self.changed.emit()
        if self._show_message is not None and not self.is_muted:
            from trayapp.ui import alert_words

            self._show_message(*alert_words.told(alert), SHOWN_MS)

    def _forget(self) -> None:
        """Take away what is over: a condition that has ended, a moment that is long past, a mute that ran out."""
        left = tuple(alert for alert in self.alerts if self._still_holds(alert)) if self.alerts else ()
        if left != self.alerts or self.is_muted is not self._was_muted:
            self.alerts, self._was_muted = left, self.is_muted
            self.changed.emit()

    def _still_holds(self, alert: Alert) -> bool:
        from trayapp.alerts import LASTING, AlertKind

        if alert.kind not in LASTING:
            return self._clock_s() - alert.at_epoch_s < KEPT_S
        holds = self._watch.lasting
        return alert.key in holds and (alert.kind is not AlertKind.CRITICAL or AlertKind.CRITICAL in holds)

    def put_away(self, key: str) -> None:
        """Show a notice no more."""
        self.alerts = tuple(alert for alert in self.alerts if alert.key != key)
        self.changed.emit()

    # ---- mute

    @property
    def is_muted(self) -> bool:
        return self._clock_s() < self._bridge.backend.settings.muted_until_epoch_s

    @property
    def muted_until_epoch_s(self) -> float:
        return self._bridge.backend.settings.muted_until_epoch_s

    def mute(self, until_epoch_s: float) -> None:
        """Let the desktop tell nothing until then; 0 = tell again."""
        backend = self._bridge.backend
        backend.update_settings(replace(backend.settings, muted_until_epoch_s=until_epoch_s))
        self._was_muted = self.is_muted
        self.changed.emit()
