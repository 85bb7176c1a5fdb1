"""The popover: the ring, what can be released, the sessions, each with its button.

Shows one snapshot at a time and asks the core through the bridge. Its parts are in popover_head, row_list and
popover_empty; here is what they are to each other, and where it all stands on the screen. Knows nothing of the tray
icon itself.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeyEvent, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from trayapp.say import say, say_n, told
from trayapp.ui import motion, numbers, ring, tokens
from trayapp.ui.alert_card import AlertCards
from trayapp.ui.consent_card import ConsentCard
from trayapp.ui.controls import Button, Hairline, Kind, Scroll, ScrollBar, Text
from trayapp.ui.fit import blends, place
from trayapp.ui.fit import height_of as height_of
from trayapp.ui.heap_card import HeapCards
from trayapp.ui.notice_card import NoticeCards
from trayapp.ui.popover_empty import EmptyPage
from trayapp.ui.popover_head import KeyList, Notice, ReleaseBlock
from trayapp.ui.row_list import ORIGIN, RowList
from trayapp.ui.row_view import ORPHANS_KEY
from trayapp.ui.session_row import SessionRow
from trayapp.ui.tokens import SEMIBOLD, px, theme
from trayapp.wording import MINUS, THIN_SPACE

if TYPE_CHECKING:
    from trayapp.model.series import Series
    from trayapp.model.snapshot import Snapshot
    from trayapp.ui.bridge import Bridge
    from trayapp.ui.notifier import Notifier

WIDTH = 420
PADDING = 20
SPARK_COLUMNS = 40
SPARK_EVERY_MS = 60_000
SCREEN_SHARE = 0.8
HOUR_S = 3600.0
NEAR_S = 120.0
"""How far from an hour ago a figure may be that is told as that of an hour ago."""
AFTER_ACTION_S = 3.0
"""How long after an action the ring may move to what came of it."""


def then_bytes(series: Series, at_epoch_s: float, metric: str | None) -> int | None:
    """Return what was held at a moment, by the same figure as now; None where nobody measured near it."""
    if series.total is None or series.memory_metric != metric:
        return None
    near = [
        (abs(at - at_epoch_s), size)
        for at, size in zip(series.times_epoch_s, series.total.memory_bytes, strict=True)
        if size is not None and abs(at - at_epoch_s) <= NEAR_S
    ]
    return round(min(near)[1]) if near else None


def delta_words(now_bytes: int, before_bytes: int) -> str:
    """Say by how much it grew or shrank in an hour: "+0.6 GB in 1 h"."""
    delta = now_bytes - before_bytes
    size = numbers.memory(abs(delta))
    hour = f"1{THIN_SPACE}h"
    if abs(delta) < 50 * 1024**2:
        return say("as {time} ago", time=hour)
    return say("{change} in {time}", change=f"{MINUS if delta < 0 else '+'}{size}", time=hour)


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

    def __init__(self, bridge: Bridge, notifier: Notifier | None = None) -> None:
        super().__init__(
            None,
            Qt.WindowType.Tool | Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnTopHint,
        )
        self._bridge = bridge
        self.hidden_at_s = float("-inf")
        self._anchor = QRect()
        self._columns: list[QVBoxLayout] = []
        self._hour_ago: int | None = None
        self._acted_at_s = float("-inf")
        self.setWindowTitle("Agent Ring")
        self.setAttribute(Qt.WidgetAttribute.WA_MacAlwaysShowToolWindow)
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        if blends():
            self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setFixedWidth(px(WIDTH))
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.ring = ring.RingWidget(ring.POPOVER)
        self.key_list = KeyList()
        self.alerts, self.empty_alerts = (AlertCards(notifier, px(WIDTH - 2 * PADDING)) for _ in range(2))
        self.notices = NoticeCards(bridge, ORIGIN)
        self.notice = Notice()
        self.block = ReleaseBlock()
        self.heaps = HeapCards()
        self.consent = ConsentCard(bridge)
        self.rows = RowList(bridge, WIDTH, PADDING)
        self.figure_name = Text(size=tokens.SECOND, tone="sec", align=Qt.AlignmentFlag.AlignRight)
        self._cost = Text(size=tokens.SMALL, tone="ter", align=Qt.AlignmentFlag.AlignRight)
        self._build()
        self._connect()
        self._sparks = QTimer(self)
        self._sparks.setInterval(SPARK_EVERY_MS)
        self._sparks.timeout.connect(self._ask_history)

    # ---- building

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)
        self._full = self._build_full()
        self.empty = EmptyPage(self._bridge, PADDING, self.empty_alerts)
        self._columns.append(self.empty.column)
        column.addWidget(self._full)
        column.addWidget(self.empty)
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
        for panel, below in (
            (self.alerts, 0),
            (self.notices, 0),
            (self.notice, 8),
            (self.block, 8),
            (self.heaps, 0),
            (self.consent, 5),
        ):
            line = QHBoxLayout()
            inside = px(8) if panel in (self.consent, self.alerts) else 0
            line.setContentsMargins(px(PADDING), 0, px(PADDING), inside)
            line.addWidget(panel)
            column.addLayout(line)
            column.addSpacing(px(below))
        heading = QHBoxLayout()
        heading.setContentsMargins(px(PADDING), 0, px(PADDING), 0)
        heading.addWidget(Text(say("Sessions"), size=tokens.SECOND, weight=SEMIBOLD, tone="sec"))
        heading.addWidget(self.figure_name, 1)
        column.addLayout(heading)
        column.addSpacing(px(3))
        self._scroll = Scroll(self.rows)
        self._scroll.setFixedHeight(px(SessionRow.HEIGHT))
        column.addWidget(self._scroll)
        self._columns.append(column)
        return page

    def _build_footer(self) -> QWidget:
        footer = QFrame()
        footer.setFixedHeight(px(44))
        line = QHBoxLayout(footer)
        line.setContentsMargins(px(PADDING) - 8, 0, px(PADDING), 0)
        line.setSpacing(0)
        self.open_button = Button(say("Open window"), Kind.QUIET, height=28)
        self.settings_button = Button(say("Settings"), Kind.QUIET, height=28)
        self.quit_button = Button(say("Quit"), Kind.QUIET, height=28)
        for button in (self.open_button, self.settings_button, self.quit_button):
            line.addWidget(button)
        line.addWidget(self._cost, 1)
        return footer

    def _connect(self) -> None:
        self.open_button.clicked.connect(self.window_asked)
        self.settings_button.clicked.connect(self.settings_asked)
        self.quit_button.clicked.connect(self.quit_asked)
        self.empty.findings.clicked.connect(self.findings_asked)
        self.empty.resized.connect(self._fit_later)
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
        for alerts in (self.alerts, self.empty_alerts):
            alerts.session_asked.connect(self._open_told)
            alerts.window_asked.connect(self.window_asked)
            alerts.orphans_asked.connect(lambda: self.review_asked.emit(True))
        self.notices.opened.connect(self.session_asked)
        self.consent.setup_asked.connect(self.setup_asked)
        for cards in (self.heaps, self.alerts, self.empty_alerts, self.notices, self.consent):
            cards.resized.connect(self._fit_later)
        self.rows.focus_moved.connect(lambda row: self._scroll.ensureWidgetVisible(row, 0, 0))
        self.ring.pointed.connect(self._mark_row)
        self.ring.chosen.connect(self._choose_segment)
        bridge = self._bridge
        bridge.snapshot_changed.connect(self._take_snapshot)
        bridge.paused_changed.connect(lambda _paused: self.refresh())
        bridge.action_finished.connect(lambda _receipt: self._take_action())
        bridge.policy_acted.connect(lambda _receipt: self._take_action())
        bridge.failed.connect(lambda sentence: self.notice.tell(say("The last action broke off"), sentence))
        tokens.appearance().changed.connect(self.update)

    # ---- what is shown

    def _take_snapshot(self, _snapshot: Snapshot) -> None:
        if self.isVisible():
            self.refresh()

    def _take_action(self) -> None:
        self._acted_at_s = time.monotonic()

    def refresh(self) -> None:
        """Show the newest snapshot."""
        snapshot = self._bridge.snapshot
        listed = snapshot is not None and any(group.counts for group in snapshot.groups)
        self._full.setVisible(listed)
        self.empty.setVisible(not listed)
        if snapshot is not None and listed:
            moves = time.monotonic() - self._acted_at_s < AFTER_ACTION_S and self._may_move()
            self.ring.show_snapshot(snapshot, moves=moves)
            self.key_list.show_parts(ring.parts(snapshot))
            self.block.show_snapshot(snapshot, paused=self._bridge.backend.paused)
            self.heaps.show_snapshot(snapshot)
            self.alerts.show_alerts()
            self.notices.show_notices()
            self.consent.show_offers()
            self._tell_metric(snapshot)
            self._tell_problems(snapshot)
            self.rows.show_snapshot(snapshot)
        else:
            self.empty.show_snapshot(snapshot)
            self.empty_alerts.show_alerts()
        if snapshot is not None:
            own = snapshot.own
            size = numbers.memory(own.footprint_bytes if own.footprint_bytes is not None else own.rss_bytes)
            self._tell_cost(size, numbers.percent(own.cpu_percent))
        self._fit()

    def _tell_cost(self, size: str, share: str) -> None:
        """Tell what Agent Ring costs itself; beside long words the figures alone, the sentence as their tooltip."""
        whole, short = say("Agent Ring itself: {size}, {share}", size=size, share=share), f"{size}, {share}"
        buttons = (self.open_button, self.settings_button, self.quit_button)
        room = px(WIDTH) - 2 * px(PADDING) + 8 - sum(button.sizeHint().width() for button in buttons)
        fits = tokens.text_width(whole, self._cost.font()) <= room
        self._cost.setText(whole if fits else short)
        self._cost.setToolTip("" if fits else whole)
        self._cost.setAccessibleName(whole)

    def _may_move(self) -> bool:
        return self.isVisible() and motion.wanted(self._bridge.backend.settings.motion)

    def _tell_metric(self, snapshot: Snapshot) -> None:
        metric = numbers.metric_name(snapshot)
        words = say("Memory is {metric}", metric=metric)
        if self._hour_ago is not None:
            delta = delta_words(snapshot.totals.held_bytes, self._hour_ago)
            words = say("{metric}, {change}", metric=metric[:1].upper() + metric[1:], change=delta)
        self.figure_name.setText(words)

    def _tell_problems(self, snapshot: Snapshot) -> None:
        if not snapshot.problems:
            self.notice.tell("")
            return
        first, more = snapshot.problems[0], len(snapshot.problems) - 1
        mend = told(first.mend)
        if more:
            rest = say_n("And {n} more, in the window.", "And {n} more, in the window.", more)
            mend = f"{mend.rstrip('.')}. {rest}" if mend else rest
        self.notice.tell(f"{first.where}: {told(first.what)}", mend)

    # ---- what the history tells

    def _ask_history(self) -> None:
        backend, snapshot = self._bridge.backend, self._bridge.snapshot
        if snapshot is None:
            return
        now_s = snapshot.taken_at.timestamp()
        if self.empty.isVisible():
            self.empty.ask_history(now_s)
            return
        from trayapp.model.series import SeriesQuery

        self._bridge.when_done(backend.sparklines(SPARK_COLUMNS), self.rows.show_sparks, self._no_sparks)
        then_s = now_s - HOUR_S
        query = SeriesQuery(since_epoch_s=then_s - NEAR_S, until_epoch_s=then_s + NEAR_S, columns=9)
        took = partial(self._take_hour_ago, then_s, snapshot.footprint_metric)
        self._bridge.when_done(backend.series(query), took, self._no_hour_ago)

    def _no_sparks(self, _sentence: str) -> None:
        self.rows.show_sparks({})

    def _take_hour_ago(self, then_epoch_s: float, metric: str | None, series: Series) -> None:
        self._hour_ago = then_bytes(series, then_epoch_s, metric)
        if self._bridge.snapshot is not None:
            self._tell_metric(self._bridge.snapshot)

    def _no_hour_ago(self, _sentence: str) -> None:
        self._hour_ago = None

    # ---- what points at what

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

    def _open_told(self, key: str) -> None:
        """Open the session that something was told of, or the window where it is gone."""
        snapshot = self._bridge.snapshot
        if snapshot is not None and snapshot.group(key) is not None:
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
        """Show the popover beside that rectangle of the screen."""
        screen = QGuiApplication.screenAt(anchor.center()) or QGuiApplication.primaryScreen()
        self._anchor = anchor
        self.setScreen(screen)
        self.refresh()
        self.move(place(anchor, self.size(), screen.availableGeometry()))
        motion.fade_in(self, moves=motion.wanted(self._bridge.backend.settings.motion))
        self.show()
        self._fit()  # only now do words that wrap know their width
        self.raise_()
        self.activateWindow()
        self.setFocus(Qt.FocusReason.PopupFocusReason)

    # ---- events

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._bridge.want_detail(self, True)
        self._bridge.backend.refresh()
        QTimer.singleShot(0, self, self._ask_history)
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
