"""The rows of the popover: their order, which stands still under the pointer, and what their buttons do.

Asks the core through the bridge. A row that something was done with tells for a minute what became of it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMargins, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QEnterEvent, QKeyEvent
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from trayapp import targets
from trayapp.model.receipt import Outcome, Progress, Receipt, Target
from trayapp.say import say
from trayapp.targets import Offer, Question
from trayapp.ui import keeping, motion, row_view, session_row, tokens
from trayapp.ui.controls import Text
from trayapp.ui.fit import height_of
from trayapp.ui.resume_button import Known, by_host, open_session
from trayapp.ui.row_view import ORPHANS_KEY, RowView
from trayapp.ui.session_row import QuestionPanel, SessionRow
from trayapp.ui.tokens import SEMIBOLD, px

if TYPE_CHECKING:
    from trayapp.model.plan import Decision
    from trayapp.model.session import ResumeTicket
    from trayapp.model.snapshot import Group, Snapshot
    from trayapp.ui.bridge import Bridge

RESULT_S = 60.0
AT_ONCE = 24
"""Rows that are made before the first frame: more than a popover shows at most screens."""
ORIGIN = "menu bar"
POLICY_ORIGIN = "policy "


@dataclass(frozen=True, slots=True, kw_only=True)
class _Result:
    """Keep what became of a row's release, with the row as it was before; `policy` is who did it, "" = a person."""

    before: RowView
    outcome: Outcome
    until_s: float
    policy: str = ""


class RowList(QWidget):
    """Hold the rows, keep their order while the pointer is inside, and do what their buttons say."""

    # Emitted in the UI thread; payload: a session's key.
    opened = Signal(str)
    # Emitted in the UI thread when the orphans' button asks for the review.
    orphans_asked = Signal()
    # Emitted in the UI thread when rows came, went or grew.
    resized = Signal()
    # Emitted in the UI thread; payload: key under the pointer or focus, or "".
    pointed = Signal(str)
    # Emitted in the UI thread when the arrow keys moved the focus; payload: the row.
    focus_moved = Signal(object)

    def __init__(self, bridge: Bridge, width: int, padding: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bridge, self._wide, self._padding = bridge, width, padding
        self._snapshot: Snapshot | None = None
        self._rows: dict[str, SessionRow] = {}
        self._results: dict[str, _Result] = {}
        self._done: set[str] = set()
        self._progress: Progress | None = None
        self._sparks: Mapping[str, Sequence[float | None]] = {}
        self._question: tuple[str, QuestionPanel] | None = None
        self._pointer_inside = False
        self._at_once = AT_ONCE
        self._column = QVBoxLayout(self)
        self._column.setSpacing(0)
        self._heading = QWidget(self)
        line = QVBoxLayout(self._heading)
        line.setContentsMargins(session_row.SIDE, px(14), 0, px(1))
        line.addWidget(Text(say("Orphans and leaked helpers"), size=tokens.SECOND, weight=SEMIBOLD, tone="sec"))
        self._heading.hide()
        self.leave_room(0)
        self._expire = QTimer(self)
        self._expire.setSingleShot(True)
        self._expire.timeout.connect(self.refresh)
        bridge.progress_changed.connect(self._take_progress)
        bridge.action_started.connect(self._take_start)
        bridge.action_finished.connect(self._take_receipt)
        bridge.policy_acted.connect(self._take_receipt)
        bridge.resume_changed.connect(self._take_resume)
        bridge.keeps_changed.connect(self.refresh)
        bridge.failed.connect(self._broke_off)

    # ---- what is shown

    @property
    def keys(self) -> list[str]:
        return list(self._rows)

    def row(self, key: str) -> SessionRow:
        return self._rows[key]

    def show_snapshot(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self.refresh()

    def show_sparks(self, sparks: Mapping[str, Sequence[float | None]]) -> None:
        self._sparks = sparks
        self.refresh()

    def refresh(self) -> None:
        """Bring every row up to date; rows do not change places under the pointer."""
        if self._snapshot is None:
            return
        self._forget_old_results()
        views = {view.key: view for view in self._views(self._snapshot)}
        order = list(views)
        if self._pointer_inside and self._rows:
            for key in [key for key in self._rows if key not in views]:
                views[key] = row_view.gone_view(self._rows[key].view)
            order = [*self._rows, *(key for key in order if key not in self._rows)]
            if ORPHANS_KEY in order:  # its section stays below the sessions
                order = [*(key for key in order if key != ORPHANS_KEY), ORPHANS_KEY]
        self._arrange(order, views)

    def _views(self, snapshot: Snapshot) -> list[RowView]:
        views = []
        kept = keeping.all_keep_words(self._bridge.keeps, now_epoch_s=snapshot.taken_at.timestamp())
        for group in targets.sessions(snapshot):
            if group.members:
                self._forget_resumed(group.key)
            view = row_view.session_view(group, snapshot)
            views.append(self._now(replace(view, kept=kept.get(group.key, ""), has_menu=True)))
        present = {view.key for view in views}
        for key, result in self._results.items():
            if key not in present and key != ORPHANS_KEY:
                views.append(self._after(result.before, result))
        for key, row in self._rows.items():
            if key not in present and key not in self._results and self._bridge.is_pending(key):
                views.append(self._now(row.view))  # it is gone, and its receipt on the way
        if orphans := targets.orphans(snapshot):
            views.append(self._now(row_view.orphans_view(orphans)))
        return views

    def _now(self, view: RowView) -> RowView:
        if self._bridge.is_pending(view.key):
            current = self._bridge.is_running(view.key)
            return row_view.releasing_view(view, self._progress if current else None)
        if view.key in self._results:
            return self._after(view, self._results[view.key])
        return replace(view, spark=tuple(self._sparks.get(view.key, ())))

    def _forget_resumed(self, key: str) -> None:
        """Show a session that is back as it is."""
        result = self._results.get(key)
        resume = self._bridge.resume_of(result.outcome.resume) if result is not None else None
        if resume is not None and resume.ok:
            del self._results[key]

    def _after(self, view: RowView, result: _Result) -> RowView:
        resume = self._bridge.resume_of(result.outcome.resume)
        after = row_view.outcome_view(view, result.outcome, resume, policy=result.policy)
        return replace(after, has_menu=after.offer is Offer.RESUME)

    def _arrange(self, order: Sequence[str], views: Mapping[str, RowView]) -> None:
        gone = [key for key in self._rows if key not in views]
        for key in gone:
            self._take_away(self._rows.pop(key), moves=key in self._done and self._may_move())
            self._done.discard(key)
        changed = bool(gone) or list(self._rows) != list(order)
        sessions = [key for key in order if key != ORPHANS_KEY]
        rows: dict[str, SessionRow] = {}
        for key in order:
            row = self._rows.get(key)
            if row is None and len(rows) >= self._at_once:
                continue
            rows[key] = row or self._make_row(views[key])
            rows[key].show_view(views[key])
            rows[key].set_last(key == ORPHANS_KEY or key == (sessions[-1] if sessions else ""))
        self._rows = rows
        if changed:
            self._lay_out()
        if len(rows) < len(order):
            QTimer.singleShot(0, self, self._make_the_rest)
        if self._question is not None and self._question[0] not in self._rows:
            self.close_question()

    def _make_the_rest(self) -> None:
        """Make the rows below those that are seen at first, once these are on the screen."""
        at_once, self._at_once = self._at_once, len(self._rows) + AT_ONCE
        self.refresh()
        self._at_once = at_once

    def _take_away(self, row: SessionRow, *, moves: bool) -> None:
        """Take a row out of the list; what an action took away closes its gap slowly."""

        def away() -> None:
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
            self.resized.emit()

        if not moves:
            away()
            return
        row.setEnabled(False)
        full = row.height()

        def step(share: float) -> None:
            row.setFixedHeight(round(full * (1 - share)))
            self.resized.emit()

        motion.run(row, step, away)

    def _may_move(self) -> bool:
        return self.isVisible() and motion.wanted(self._bridge.backend.settings.motion)

    def _make_row(self, view: RowView) -> SessionRow:
        row = SessionRow(view, self)
        row.opened.connect(self._open)
        row.pressed.connect(self._press)
        row.menu_asked.connect(self._open_menu)
        row.pointed.connect(self.pointed)
        return row

    def _lay_out(self) -> None:
        before: SessionRow | None = None
        for at, row in enumerate(self._rows.values()):
            if self._column.indexOf(row) != at:
                self._column.insertWidget(at, row)
            row.show()
            if before is not None:
                row.tab_after(before.last_in_tab_order)
            before = row
        self._column.removeWidget(self._heading)
        self._heading.setVisible(ORPHANS_KEY in self._rows)
        if ORPHANS_KEY in self._rows:
            self._column.insertWidget(list(self._rows).index(ORPHANS_KEY), self._heading)
        if self._question is not None:
            key, panel = self._question
            if key in self._rows:
                self._column.insertWidget(self._column.indexOf(self._rows[key]) + 1, panel)
        self.resized.emit()

    def leave_room(self, for_scroll_bar: int) -> None:
        """Keep the rows' right edge where it is when a scroll bar stands beside them."""
        side = px(self._padding) - session_row.SIDE
        room = QMargins(side, 0, side - for_scroll_bar, 0)
        if room != self._column.contentsMargins():
            self._column.setContentsMargins(room)

    def wanted_height(self) -> int:
        """Return the height of all rows and the open question."""
        self._column.invalidate()
        self._column.activate()
        return height_of(self._column, px(self._wide))

    # ---- what the buttons do

    def menu_of(self, key: str) -> QMenu:
        """Make the menu of a row."""
        from trayapp.ui import row_menu

        menu = row_menu.make(
            self,
            self._bridge,
            key,
            self._snapshot.group(key) if self._snapshot is not None else None,
            self._ticket_of(key),
            show=lambda: self._open(key),
            tell=lambda sentence: self._tell(key, sentence),
            end=lambda group, decision: self._ask_to_end_now(group, decision),
        )
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        return menu

    def _tell(self, key: str, sentence: str) -> None:
        if sentence and key in self._rows:
            self._rows[key].confirm("", sentence)

    def _ticket_of(self, key: str) -> ResumeTicket | None:
        if key in self._results:
            return self._results[key].outcome.resume
        group = self._snapshot.group(key) if self._snapshot is not None else None
        return group.resume if group is not None else None

    def _open_menu(self, key: str, at: QPoint) -> None:
        self.menu_of(key).popup(at)

    def _open(self, key: str) -> None:
        if key == ORPHANS_KEY:
            self.orphans_asked.emit()
        else:
            self.opened.emit(key)

    def _press(self, key: str) -> None:
        view = self._rows[key].view
        group = self._snapshot.group(key) if self._snapshot is not None else None
        if view.offer is Offer.RESUME:
            self._resume(key)
        elif view.offer is Offer.END_IT:
            self._ask_to_end_survivor(key)
        elif view.offer is Offer.END:
            self.orphans_asked.emit()
        elif view.offer is Offer.STOP:
            self._rows[key].button.setEnabled(False)
            self._bridge.backend.stop_after_current()
        elif view.offer in (Offer.WHY, Offer.OPEN):
            self.opened.emit(key)
        elif group is not None:
            self._release(group)

    def _release(self, group: Group) -> None:
        decision = targets.decision_of(group)
        if decision is None:
            return
        if targets.offer_of(group) in (Offer.ASK, Offer.CLEAR):
            target = targets.target_of(group, decision, confirmed=True)
            self._ask(group.key, targets.question_of(group, decision), target)
        else:
            self._begin(targets.target_of(group, decision))

    def _begin(self, target: Target) -> None:
        self._results.pop(target.group_key, None)
        self._bridge.reclaim((target,), ORIGIN)
        self.refresh()

    def _ask(self, key: str, question: Question, target: Target) -> None:
        self.close_question()
        panel = QuestionPanel(question, self)
        panel.answered.connect(lambda yes: self._answer(target, yes))
        self._question = (key, panel)
        self._column.insertWidget(self._column.indexOf(self._rows[key]) + 1, panel)
        panel.show()
        self.resized.emit()
        panel.no.setFocus(Qt.FocusReason.OtherFocusReason)
        self.focus_moved.emit(panel)

    def _answer(self, target: Target, yes: bool) -> None:
        self.close_question()
        if yes:
            self._begin(target)

    def close_question(self) -> bool:
        """Take the open question away; False when there is none."""
        if self._question is None:
            return False
        key, panel = self._question
        self._question = None
        self._column.removeWidget(panel)
        panel.hide()
        panel.deleteLater()
        if key in self._rows:
            self._rows[key].setFocus(Qt.FocusReason.OtherFocusReason)
        self.resized.emit()
        return True

    def _ask_to_end_now(self, group: Group, decision: Decision) -> None:
        if group.key in self._rows:
            target = targets.target_of(group, decision, confirmed=True, force=True)
            self._ask(group.key, targets.question_of(group, decision), target)

    def _ask_to_end_survivor(self, key: str) -> None:
        outcome = self._results[key].outcome
        found = targets.survivors_target(outcome, self._snapshot)
        if found is None:
            self._results.pop(key)
            self.refresh()
            return
        target, question = found
        self._ask(key, question, target)

    def _resume(self, key: str) -> None:
        ticket, host = self._results[key].outcome.resume, self._results[key].outcome.target.host
        if ticket is not None and host is not None and by_host(ticket, host):
            self._bridge.resume(host, ticket)
        elif ticket is not None:
            known = Known(group_key=key, gone=self._results[key].outcome.gone)
            opened = open_session(self._bridge, ticket, known)
            self._rows[key].confirm(opened.word, opened.sentence)

    # ---- what comes back

    def _take_start(self, _targets: Sequence[Target]) -> None:
        self._progress = None
        self.refresh()

    def _take_progress(self, progress: Progress) -> None:
        self._progress = progress
        self.refresh()

    def _take_receipt(self, receipt: Receipt) -> None:
        until = time.monotonic() + RESULT_S
        policy = receipt.origin.removeprefix(POLICY_ORIGIN) if receipt.origin.startswith(POLICY_ORIGIN) else ""
        for outcome in receipt.outcomes:
            key = outcome.target.group_key
            if key in self._rows:
                before = self._rows[key].view
                group = self._snapshot.group(key) if self._snapshot is not None else None
                if group is not None and self._snapshot is not None:
                    before = row_view.session_view(group, self._snapshot)
                self._results[key] = _Result(before=before, outcome=outcome, until_s=until, policy=policy)
                self._done.add(key)
        self._progress = None
        self.refresh()
        self._announce(receipt)

    def _announce(self, receipt: Receipt) -> None:
        """Let a screen reader tell once what became of an action."""
        from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

        told = [f"{self._rows[key].view.title}. {self._rows[key].said}" for key in self._keys_of(receipt)]
        if told and self.isVisible() and QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, " ".join(told)))

    def _keys_of(self, receipt: Receipt) -> list[str]:
        return [o.target.group_key for o in receipt.outcomes if o.target.group_key in self._rows]

    def _broke_off(self, _sentence: str) -> None:
        self._progress = None
        self.refresh()

    def _take_resume(self, ticket: ResumeTicket) -> None:
        """Keep the row of a session that is brought back until its host has answered, and for a while after."""
        until = time.monotonic() + 2 * RESULT_S
        for key, result in self._results.items():
            if result.outcome.resume == ticket:
                self._results[key] = replace(result, until_s=until)
        self.refresh()

    def _forget_old_results(self) -> None:
        now = time.monotonic()
        self._results = {key: result for key, result in self._results.items() if result.until_s > now}
        if self._results:
            soonest = min(result.until_s for result in self._results.values())
            self._expire.start(max(1, round((soonest - now) * 1000)))

    # ---- pointer and keys

    def event(self, event: QEvent) -> bool:
        """Tell in a tooltip what a row had to cut; the rows themselves leave their events to C++."""
        if event.type() is not QEvent.Type.ToolTip:
            return super().event(event)
        from PySide6.QtGui import QHelpEvent
        from PySide6.QtWidgets import QToolTip

        if isinstance(event, QHelpEvent):
            row = self.childAt(event.pos())
            while row is not None and not isinstance(row, SessionRow) and row is not self:
                row = row.parentWidget()
            QToolTip.showText(event.globalPos(), row.cut_text() if isinstance(row, SessionRow) else "", self)
        return True

    def enterEvent(self, event: QEnterEvent) -> None:
        self._pointer_inside = True
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._pointer_inside = False
        self.refresh()
        super().leaveEvent(event)

    def let_go(self) -> None:
        """Forget that the pointer is inside, as when the popover hides under it."""
        self._pointer_inside = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):  # the scroll area around would take them
            self.move_focus(1 if event.key() == Qt.Key.Key_Down else -1)
        else:
            super().keyPressEvent(event)

    def move_focus(self, step: int) -> None:
        """Move the focus by one row, into the list when it is outside."""
        rows = list(self._rows.values())
        if not rows:
            return
        now = next((at for at, row in enumerate(rows) if row.has_focus_inside), None)
        at = (0 if step > 0 else len(rows) - 1) if now is None else max(0, min(len(rows) - 1, now + step))
        rows[at].setFocus(Qt.FocusReason.TabFocusReason)
        self.focus_moved.emit(rows[at])
