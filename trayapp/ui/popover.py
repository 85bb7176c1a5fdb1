"""The popover: the ring, what can be released, the sessions, each with its button.

Shows one snapshot at a time and asks the core through the bridge. Knows where it may stand on the screen; knows nothing
of the tray icon itself.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QEvent, QMargins, QObject, QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QEnterEvent,
    QGuiApplication,
    QHideEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QShowEvent,
)
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLayout, QMenu, QVBoxLayout, QWidget

from trayapp import targets
from trayapp.model.process import Pressure
from trayapp.model.receipt import Outcome, Progress, Receipt, Target
from trayapp.model.session import ResumeTicket
from trayapp.model.snapshot import Group, Snapshot
from trayapp.targets import Offer, Question
from trayapp.ui import heap_view, keeping, numbers, ring, session_row, tokens
from trayapp.ui.bridge import Bridge
from trayapp.ui.consent_card import ConsentCard
from trayapp.ui.controls import Button, Hairline, Kind, Panel, Scroll, ScrollBar, Text
from trayapp.ui.heap_card import HeapCards
from trayapp.ui.marks import (
    HostMark,
    Mark,
    paint_critical,
    paint_releasable,
    paint_warning,
)
from trayapp.ui.notice_card import NoticeCards
from trayapp.ui.resume_button import COPY, Known, by_host, copy_command, open_session
from trayapp.ui.session_row import ORPHANS_KEY, QuestionPanel, RowView, SessionRow
from trayapp.ui.tokens import SEMIBOLD, px, theme

WIDTH = 420
PADDING = 20
RESULT_S = 60.0
SPARK_COLUMNS = 40
SPARK_EVERY_MS = 60_000
MAX_KEY_ROWS = 6
SCREEN_SHARE = 0.8
ORIGIN = "menu bar"


def place(anchor: QRect, size: QSize, screen: QRect, *, margin: int = 8) -> QPoint:
    """Return where the popover stands: centred under (or over) the icon, whole on the screen."""
    below = anchor.center().y() < screen.center().y()
    left = anchor.center().x() - size.width() // 2
    top = anchor.bottom() + 1 + margin if below else anchor.top() - margin - size.height()
    most_left, most_top = screen.right() + 1 - margin - size.width(), screen.bottom() + 1 - margin - size.height()
    return QPoint(max(screen.left() + margin, min(left, most_left)), max(screen.top() + margin, min(top, most_top)))


def height_of(layout: QLayout, width: int) -> int:
    """Return the height that a layout wants at that width."""
    return layout.totalHeightForWidth(width) if layout.hasHeightForWidth() else layout.totalSizeHint().height()


def blends() -> bool:
    """Say whether this platform can show a window with round corners."""
    return QGuiApplication.platformName() not in ("xcb", "vnc", "linuxfb")


class KeyList(QWidget):
    """Show what each host holds, at most six rows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[tuple[Mark, int], ...] | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._figures: list[Text] = []

    def show_parts(self, parts: Sequence[ring.Part]) -> None:
        sums: dict[Mark, int] = {}
        for part in sorted(parts, key=lambda part: (ring.ring_order(part)[1:4], part.mark.name)):
            sums[part.mark] = sums.get(part.mark, 0) + part.size_bytes
        shown = tuple(sums.items())
        if shown == self._shown:
            return
        same_marks = self._shown is not None and [m for m, _ in shown] == [m for m, _ in self._shown]
        self._shown = shown
        if same_marks and len(shown) <= MAX_KEY_ROWS:
            for figure, (_, size) in zip(self._figures, shown, strict=True):
                figure.setText(numbers.memory(size))
        else:
            self._rebuild(shown)

    def _rebuild(self, shown: Sequence[tuple[Mark, int]]) -> None:
        while (item := self._column.takeAt(0)) is not None:
            if (row := item.widget()) is not None:
                row.deleteLater()
        self._figures = []
        most = MAX_KEY_ROWS if len(shown) <= MAX_KEY_ROWS else MAX_KEY_ROWS - 1
        for mark, size in shown[:most]:
            self._column.addWidget(self._row(mark, size))
        if len(shown) > most:
            more = Text(f"{len(shown) - most} more", tone="sec")
            more.setToolTip("\n".join(f"{mark.name} {numbers.memory(size)}" for mark, size in shown[most:]))
            more.setContentsMargins(px(18) + 9, 0, 0, 0)
            more.setFixedHeight(px(25))
            self._column.addWidget(more)

    def _row(self, mark: Mark, size: int) -> QWidget:
        row = QWidget(self)
        row.setFixedHeight(px(25))
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(px(9))
        line.addWidget(HostMark(mark, 18))
        line.addWidget(Text(mark.name), 1)
        figure = Text(numbers.memory(size), tone="sec", align=Qt.AlignmentFlag.AlignRight)
        self._figures.append(figure)
        line.addWidget(figure)
        return row


class ReleaseBlock(Panel):
    """Say what can be released now, and offer it; its ground tells when memory runs short."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("tint", outline=None, parent=parent)
        self._pressure = Pressure.NORMAL
        self._can_go = False
        self.setFixedHeight(px(60))
        line = QHBoxLayout(self)
        line.setContentsMargins(px(40), 0, px(12), 0)
        line.setSpacing(px(12))
        words = QVBoxLayout()
        words.setSpacing(px(1))
        self.title = Text(weight=SEMIBOLD)
        self.second = Text(size=tokens.SECOND, tone="sec")
        words.addStretch()
        words.addWidget(self.title)
        words.addWidget(self.second)
        words.addStretch()
        line.addLayout(words, 1)
        self.button = Button("Release…", Kind.PRIMARY, height=32, min_width=84)
        line.addWidget(self.button)

    def show_snapshot(self, snapshot: Snapshot, *, paused: bool) -> None:
        every = targets.reclaimable(snapshot)
        # what is released in a heap ends no process, and has its own card
        can_go = [group for group in every if not heap_view.in_heap(group) or group.held_bytes > 0]
        size = numbers.memory(targets.total_bytes(can_go))
        self._pressure, self._can_go = snapshot.machine.pressure, bool(every)
        short = self._pressure in (Pressure.WARNING, Pressure.CRITICAL)
        offer = f"{size} can be released now" if can_go else "Nothing to release"
        heap_bytes = heap_view.retained(every)
        if not can_go and heap_bytes:
            offer = f"{heap_view.estimate(heap_bytes)} of heap can be released now"
        self.button.setVisible(bool(every))
        self.button.setAccessibleName(f"Release, about {heap_view.both_words(targets.total_bytes(can_go), heap_bytes)}")
        if short:
            self.title.setText("Memory runs short" if self._pressure is Pressure.WARNING else "Memory is nearly full")
            self.second.setText(offer)
        else:
            self.title.setText(offer)
            self.second.setText(_what_can_go(can_go or every))
        if paused:
            self.second.setText(f"Measuring is paused since {numbers.clock_time(snapshot.taken_at)}")
        self.second.setVisible(bool(self.second.text()))
        tones = {Pressure.WARNING: ("amber_bg", "amber"), Pressure.CRITICAL: ("red_bg", "red")}
        ground, tone = tones.get(self._pressure, ("tint", "ink"))
        self.set_ground(ground)
        self.title.set_tone(tone)
        self.second.set_tone("ink" if short else "sec")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        shown = theme()
        title = self.title.geometry().center().y()
        if self._pressure is Pressure.WARNING:
            paint_warning(painter, QRectF(px(14), title - px(8), px(16), px(16)), shown.amber, shown.amber_bg)
        elif self._pressure is Pressure.CRITICAL:
            paint_critical(painter, QRectF(px(14), title - px(8), px(16), px(16)), shown.red, shown.red_bg)
        elif self._can_go:
            paint_releasable(painter, QRectF(px(14), title - px(4.5), px(18), px(11)), shown)


def _what_can_go(can_go: Sequence[Group]) -> str:
    orphans = sum(targets.is_orphan(group) for group in can_go)
    sessions = len(can_go) - orphans
    words = [numbers.count(sessions, "idle session")] if sessions else []
    if orphans:
        words.append(numbers.count(orphans, "orphan"))
    return " and ".join(words)


class Notice(Panel):
    """Say in amber what is wrong and the mend."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("amber_bg", outline=None, parent=parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(40), px(10), px(14), px(10))
        column.setSpacing(px(2))
        self.title = Text(weight=SEMIBOLD, wrap=True)
        self.second = Text(size=tokens.SECOND, tone="sec", wrap=True)
        column.addWidget(self.title)
        column.addWidget(self.second)
        self.hide()

    def tell(self, title: str, second: str = "") -> None:
        self.title.setText(title)
        self.second.setText(second)
        self.second.setVisible(bool(second))
        self.setAccessibleName(f"{title}. {second}")
        self.setVisible(bool(title))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        top = self.title.geometry().top() + px(1)
        rect = QRectF(px(14), top, px(16), px(16))
        paint_warning(QPainter(self), rect, theme().amber, theme().amber_bg)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Result:
    """Keep what became of a row's release, with the row as it was before."""

    before: RowView
    outcome: Outcome
    until_s: float


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

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._snapshot: Snapshot | None = None
        self._rows: dict[str, SessionRow] = {}
        self._results: dict[str, _Result] = {}
        self._progress: Progress | None = None
        self._sparks: Mapping[str, Sequence[float | None]] = {}
        self._question: tuple[str, QuestionPanel] | None = None
        self._pointer_inside = False
        self._column = QVBoxLayout(self)
        self._column.setSpacing(0)
        self.leave_room(0)
        self._expire = QTimer(self)
        self._expire.setSingleShot(True)
        self._expire.timeout.connect(self.refresh)
        bridge.progress_changed.connect(self._take_progress)
        bridge.action_started.connect(self._take_start)
        bridge.action_finished.connect(self._take_receipt)
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
                views[key] = session_row.gone_view(self._rows[key].view)
            order = [*self._rows, *(key for key in order if key not in self._rows)]
        self._arrange(order, views)

    def _views(self, snapshot: Snapshot) -> list[RowView]:
        views = []
        kept = keeping.all_keep_words(self._bridge.keeps, now_epoch_s=snapshot.taken_at.timestamp())
        for group in targets.sessions(snapshot):
            if group.members:
                self._forget_resumed(group.key)
            view = session_row.session_view(group, snapshot)
            views.append(self._now(replace(view, kept=kept.get(group.key, ""), has_menu=True)))
        present = {view.key for view in views}
        for key, result in self._results.items():
            if key not in present and key != ORPHANS_KEY:
                views.append(self._after(result.before, result.outcome))
        if orphans := targets.orphans(snapshot):
            views.append(self._now(session_row.orphans_view(orphans)))
        return views

    def _now(self, view: RowView) -> RowView:
        if self._bridge.is_pending(view.key):
            current = self._bridge.is_running(view.key)
            return session_row.releasing_view(view, self._progress if current else None)
        if view.key in self._results:
            return self._after(view, self._results[view.key].outcome)
        return replace(view, spark=tuple(self._sparks.get(view.key, ())))

    def _forget_resumed(self, key: str) -> None:
        """Show a session that is back as it is."""
        result = self._results.get(key)
        resume = self._bridge.resume_of(result.outcome.resume) if result is not None else None
        if resume is not None and resume.ok:
            del self._results[key]

    def _after(self, view: RowView, outcome: Outcome) -> RowView:
        after = session_row.outcome_view(view, outcome, self._bridge.resume_of(outcome.resume))
        return replace(after, has_menu=after.offer is Offer.RESUME)

    def _arrange(self, order: Sequence[str], views: Mapping[str, RowView]) -> None:
        gone = [key for key in self._rows if key not in views]
        for key in gone:
            row = self._rows.pop(key)
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        changed = bool(gone) or list(self._rows) != list(order)
        rows = {}
        for at, key in enumerate(order):
            rows[key] = self._rows.get(key) or self._make_row(views[key])
            rows[key].show_view(views[key])
            rows[key].set_last(at == len(order) - 1)
        self._rows = rows
        if changed:
            self._lay_out()
        if self._question is not None and self._question[0] not in self._rows:
            self.close_question()

    def _make_row(self, view: RowView) -> SessionRow:
        row = SessionRow(view, self)
        row.opened.connect(self._open)
        row.pressed.connect(self._press)
        row.menu_asked.connect(self._open_menu)
        row.pointed.connect(self.pointed)
        return row

    def _lay_out(self) -> None:
        for at, row in enumerate(self._rows.values()):
            self._column.insertWidget(at, row)
            row.show()
            if at:
                QWidget.setTabOrder(list(self._rows.values())[at - 1].button, row)
            QWidget.setTabOrder(row, row.button)
        if self._question is not None:
            key, panel = self._question
            if key in self._rows:
                self._column.insertWidget(list(self._rows).index(key) + 1, panel)
        self.resized.emit()

    def leave_room(self, for_scroll_bar: int) -> None:
        """Keep the rows' right edge where it is when a scroll bar stands beside them."""
        side = px(PADDING) - session_row.SIDE
        room = QMargins(side, 0, side - for_scroll_bar, 0)
        if room != self._column.contentsMargins():
            self._column.setContentsMargins(room)

    def wanted_height(self) -> int:
        """Return the height of all rows and the open question."""
        self._column.invalidate()
        self._column.activate()
        return height_of(self._column, px(WIDTH))

    # ---- what the buttons do

    def menu_of(self, key: str) -> QMenu:
        """Make the menu of a row."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Open").triggered.connect(lambda _checked=False: self._open(key))
        group = self._snapshot.group(key) if self._snapshot is not None else None
        ticket = self._ticket_of(key)
        if targets.resume_command(ticket) is not None:
            menu.addAction(COPY).triggered.connect(lambda _checked=False: copy_command(ticket))
        if keeping.can_be_kept(group):
            menu.addSeparator()
            keeping.add_entries(menu, self._bridge, key)
        return menu

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
        elif view.offer is Offer.WHY:
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
        self._column.insertWidget(list(self._rows).index(key) + 1, panel)
        panel.show()
        self.resized.emit()
        panel.no.setFocus(Qt.FocusReason.OtherFocusReason)

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
        for outcome in receipt.outcomes:
            key = outcome.target.group_key
            if key in self._rows:
                before = self._rows[key].view
                group = self._snapshot.group(key) if self._snapshot is not None else None
                if group is not None and self._snapshot is not None:
                    before = session_row.session_view(group, self._snapshot)
                self._results[key] = _Result(before=before, outcome=outcome, until_s=until)
        self._progress = None
        self.refresh()

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
        now = next((at for at, row in enumerate(rows) if row.hasFocus() or row.button.hasFocus()), None)
        at = (0 if step > 0 else len(rows) - 1) if now is None else max(0, min(len(rows) - 1, now + step))
        rows[at].setFocus(Qt.FocusReason.TabFocusReason)
        self.focus_moved.emit(rows[at])


class Popover(QWidget):
    """Show everything at a glance, under the tray icon.

    Attributes:
        hidden_at_s: monotonic time of the last hide, for the click that would open it again at once.
    """

    # Emitted in the UI thread; the application opens what is asked for. Payload of session_asked: its key.
    window_asked = Signal()
    settings_asked = Signal()
    quit_asked = Signal()
    findings_asked = Signal()
    session_asked = Signal(str)
    # Emitted in the UI thread; payload: True = the orphans only.
    review_asked = Signal(bool)
    # Emitted in the UI thread; payload: Identity of the host in whose heap sessions shall be released.
    heap_review_asked = Signal(object)
    # Emitted in the UI thread; payload: the host into which something shall be put.
    setup_asked = Signal(str)

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(
            None,
            Qt.WindowType.Tool | Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnTopHint,
        )
        self._bridge = bridge
        self.hidden_at_s = float("-inf")
        self._anchor = QRect()
        self._columns: list[QVBoxLayout] = []
        self.setWindowTitle("Agent Ring")
        self.setAttribute(Qt.WidgetAttribute.WA_MacAlwaysShowToolWindow)
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        if blends():
            self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setFixedWidth(px(WIDTH))
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.ring = ring.RingWidget(ring.POPOVER)
        self.key_list = KeyList()
        self.notices = NoticeCards(bridge, ORIGIN)
        self.notice = Notice()
        self.block = ReleaseBlock()
        self.heaps = HeapCards()
        self.consent = ConsentCard(bridge)
        self.rows = RowList(bridge)
        self._metric = Text(size=tokens.SECOND, tone="sec", align=Qt.AlignmentFlag.AlignRight)
        self._cost = Text(size=tokens.SMALL, tone="ter", align=Qt.AlignmentFlag.AlignRight)
        self._build()
        self._connect()
        self._sparks = QTimer(self)
        self._sparks.setInterval(SPARK_EVERY_MS)
        self._sparks.timeout.connect(self._ask_sparks)

    # ---- building

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)
        self._full = self._build_full()
        self._empty = self._build_empty()
        column.addWidget(self._full)
        column.addWidget(self._empty)
        column.addWidget(Hairline())
        column.addWidget(self._build_footer())
        self._columns.append(column)

    def _build_full(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, px(PADDING) - 5, 0, px(6))
        column.setSpacing(0)
        head = QHBoxLayout()
        head.setContentsMargins(px(PADDING) - 5, 0, px(PADDING), 0)
        head.setSpacing(px(WIDTH - 224 - 152 - 20 - 5))
        head.addWidget(self.ring, 0, Qt.AlignmentFlag.AlignTop)
        keys = QVBoxLayout()
        keys.setContentsMargins(0, 5 + px(1), 0, 0)
        keys.addWidget(self.key_list)
        keys.addStretch()
        head.addLayout(keys, 1)
        column.addLayout(head)
        column.addSpacing(px(15))
        for panel in (self.notices, self.notice, self.block, self.heaps, self.consent):
            line = QHBoxLayout()
            below = px(5) if panel is self.consent else px(8) if panel in (self.notice, self.block) else 0
            line.setContentsMargins(px(PADDING), 0, px(PADDING), px(8) if panel is self.consent else 0)
            line.addWidget(panel)
            column.addLayout(line)
            column.addSpacing(below)
        heading = QHBoxLayout()
        heading.setContentsMargins(px(PADDING), 0, px(PADDING), 0)
        heading.addWidget(Text("Sessions", size=tokens.SECOND, weight=SEMIBOLD, tone="sec"))
        heading.addWidget(self._metric, 1)
        column.addLayout(heading)
        column.addSpacing(px(3))
        self._scroll = Scroll(self.rows)
        self._scroll.setFixedHeight(px(SessionRow.HEIGHT))
        column.addWidget(self._scroll)
        self._columns.append(column)
        return page

    def _build_empty(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(px(PADDING), px(36), px(PADDING), px(28))
        column.setSpacing(0)
        middle = Qt.AlignmentFlag.AlignHCenter
        self.empty_ring = ring.RingWidget(ring.POPOVER)
        self.empty_title = Text(size=tokens.TITLE_CARD, weight=SEMIBOLD, align=middle)
        self._empty_second = Text(tone="sec", wrap=True, align=middle)
        self.findings = Button("What is looked for", height=32)
        column.addWidget(self.empty_ring, 0, middle)
        column.addSpacing(px(22))
        column.addWidget(self.empty_title)
        column.addSpacing(px(4))
        line = QHBoxLayout()
        line.setContentsMargins(px(28), 0, px(28), 0)
        line.addWidget(self._empty_second)
        column.addLayout(line)
        column.addSpacing(px(18))
        column.addWidget(self.findings, 0, middle)
        self._columns.append(column)
        return page

    def _build_footer(self) -> QWidget:
        footer = QFrame()
        footer.setFixedHeight(px(44))
        line = QHBoxLayout(footer)
        line.setContentsMargins(px(PADDING) - 8, 0, px(PADDING), 0)
        line.setSpacing(0)
        self.open_button = Button("Open window", Kind.QUIET, height=28)
        self.settings_button = Button("Settings", Kind.QUIET, height=28)
        self.quit_button = Button("Quit", Kind.QUIET, height=28)
        for button in (self.open_button, self.settings_button, self.quit_button):
            line.addWidget(button)
        line.addWidget(self._cost, 1)
        return footer

    def _connect(self) -> None:
        self.open_button.clicked.connect(self.window_asked)
        self.settings_button.clicked.connect(self.settings_asked)
        self.quit_button.clicked.connect(self.quit_asked)
        self.findings.clicked.connect(self.findings_asked)
        self.block.button.clicked.connect(lambda: self.review_asked.emit(False))
        self.rows.orphans_asked.connect(lambda: self.review_asked.emit(True))
        self.rows.opened.connect(self.session_asked)
        self.rows.resized.connect(self._fit_later)
        self.rows.pointed.connect(self.ring.mark)
        self.rows.pointed.connect(self.heaps.mark)
        self.heaps.opened.connect(self.session_asked)
        self.heaps.pointed.connect(self._mark_row)
        self.heaps.release_asked.connect(self.heap_review_asked)
        self.heaps.setup_asked.connect(self.setup_asked)
        self.heaps.resized.connect(self._fit_later)
        self.notices.opened.connect(self.session_asked)
        self.notices.resized.connect(self._fit_later)
        self.consent.setup_asked.connect(self.setup_asked)
        self.consent.resized.connect(self._fit_later)
        self.rows.focus_moved.connect(lambda row: self._scroll.ensureWidgetVisible(row, 0, 0))
        self.ring.pointed.connect(self._mark_row)
        self.ring.chosen.connect(self._choose_segment)
        self._bridge.snapshot_changed.connect(self._take_snapshot)
        self._bridge.paused_changed.connect(lambda _paused: self.refresh())
        self._bridge.failed.connect(lambda sentence: self.notice.tell("The last action broke off", sentence))
        tokens.appearance().changed.connect(self.update)

    # ---- what is shown

    def _take_snapshot(self, _snapshot: Snapshot) -> None:
        if self.isVisible():
            self.refresh()

    def refresh(self) -> None:
        """Show the newest snapshot."""
        snapshot = self._bridge.snapshot
        listed = snapshot is not None and any(group.counts for group in snapshot.groups)
        self._full.setVisible(listed)
        self._empty.setVisible(not listed)
        if snapshot is not None and listed:
            self.ring.show_snapshot(snapshot)
            self.key_list.show_parts(ring.parts(snapshot))
            self.block.show_snapshot(snapshot, paused=self._bridge.backend.paused)
            self.heaps.show_snapshot(snapshot)
            self.notices.show_notices()
            self.consent.show_offers()
            self._metric.setText(f"Memory is {numbers.metric_name(snapshot)}")
            self._tell_problems(snapshot)
            self.rows.show_snapshot(snapshot)
        else:
            self._show_empty(snapshot)
        if snapshot is not None:
            own = snapshot.own
            size = own.footprint_bytes if own.footprint_bytes is not None else own.rss_bytes
            self._cost.setText(f"Agent Ring itself: {numbers.memory(size)}, {numbers.percent(own.cpu_percent)}")
        self._fit()

    def _show_empty(self, snapshot: Snapshot | None) -> None:
        self.empty_ring.show_snapshot(snapshot)
        if snapshot is None:
            self.empty_title.setText("Nothing measured yet")
            self._empty_second.setText("The first figures are on their way.")
            return
        hosts = [label.title for label in sorted(snapshot.labels, key=lambda label: label.rank)[:3]]
        within = numbers.count(max(1, round(self._bridge.backend.settings.interval_s)), "second")
        self.empty_title.setText("No agent session is running")
        names = ", ".join(hosts)
        start = f"Start one in {names} or another host." if hosts else "No host of agents is known here."
        self._empty_second.setText(f"{start} It shows up here within {within}.")

    def _tell_problems(self, snapshot: Snapshot) -> None:
        if not snapshot.problems:
            self.notice.tell("")
            return
        first, more = snapshot.problems[0], len(snapshot.problems) - 1
        rest = f" And {more} more, in the window." if more else ""
        self.notice.tell(f"{first.where}: {first.what}", first.mend + rest)

    def _ask_sparks(self) -> None:
        self._bridge.when_done(self._bridge.backend.sparklines(SPARK_COLUMNS), self.rows.show_sparks, self._no_sparks)

    def _no_sparks(self, _sentence: str) -> None:
        self.rows.show_sparks({})

    def _mark_row(self, key: str) -> None:
        for row_key in self.rows.keys:
            self.rows.row(row_key).mark(row_key == key)

    def _choose_segment(self, key: str) -> None:
        snapshot = self._bridge.snapshot
        if key == ORPHANS_KEY:
            self.review_asked.emit(True)
        elif snapshot is not None and snapshot.group(key) is not None:
            self.session_asked.emit(key)
        else:
            self.window_asked.emit()

    # ---- size and place

    def _fit_later(self) -> None:
        if self.isVisible():
            QTimer.singleShot(0, self, self._fit)

    def _fit(self) -> None:
        """Take the height that the content wants, at most 80 % of the screen; then the rows scroll.

        The list gets its height once, as each one lays all its rows out anew.
        """
        wanted = self.rows.wanted_height()
        most = int(self._screen_area().height() * SCREEN_SHARE)
        listed = self._full.isVisibleTo(self)
        height = self._wanted_height() + (wanted - self._scroll.minimumHeight() if listed else 0)
        scrolls = listed and height > most
        shown = max(px(SessionRow.HEIGHT), wanted - (height - most)) if scrolls else wanted
        self.rows.leave_room(ScrollBar.WIDTH if scrolls else 0)
        if shown != self._scroll.minimumHeight():
            self._scroll.setFixedHeight(shown)
        height += shown - wanted if listed else 0
        if height != self.height():
            self.setFixedHeight(height)
            if self.isVisible():
                self.move(place(self._anchor, self.size(), self._screen_area()))

    def _wanted_height(self) -> int:
        for column in self._columns:
            column.invalidate()
            column.activate()
        return height_of(self._columns[-1], self.width())

    def _screen_area(self) -> QRect:
        return self.screen().availableGeometry()

    def show_at(self, anchor: QRect) -> None:
        """Show the popover under (or over) that rectangle of the screen."""
        screen = QGuiApplication.screenAt(anchor.center()) or QGuiApplication.primaryScreen()
        self._anchor = anchor
        self.setScreen(screen)
        self.refresh()
        self.move(place(anchor, self.size(), screen.availableGeometry()))
        self.show()
        self.raise_()
        self.activateWindow()
        self.setFocus(Qt.FocusReason.PopupFocusReason)

    # ---- events

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._bridge.want_detail(self, True)
        self._bridge.backend.refresh()
        self._ask_sparks()
        self._sparks.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.hidden_at_s = time.monotonic()
        self._sparks.stop()
        self.rows.let_go()
        self.rows.close_question()
        self._bridge.want_detail(self, False)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.WindowDeactivate and self.isVisible():
            QTimer.singleShot(0, self, self._hide_when_left)
        return super().event(event)

    def _hide_when_left(self) -> None:
        if QApplication.activePopupWidget() is not None:
            return  # a menu of ours is open
        if not self.isActiveWindow() and QGuiApplication.focusObject() not in self._own_objects():
            self.hide()

    def _own_objects(self) -> Sequence[QObject]:
        return [self, *self.findChildren(QObject)]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key == Qt.Key.Key_Escape:
            if not self.rows.close_question():
                self.hide()
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.rows.move_focus(1 if key == Qt.Key.Key_Down else -1)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        radius = tokens.RADIUS_POPOVER if blends() else 0
        painter.setPen(QPen(theme().line2, 1))
        painter.setBrush(theme().card)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
