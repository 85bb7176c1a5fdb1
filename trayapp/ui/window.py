"""The window: sidebar, pages, and the way from a click to the core.

Shows the newest snapshot of the bridge on the page that is seen, and costs nothing while none is. Every action goes
through the bridge, every doubtful one through a question that names the loss.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import TypeVar

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QGuiApplication,
    QHideEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from trayapp import targets
from trayapp.desktop.start_at_login import StartAtLogin
from trayapp.model.plan import Action, Allowed, Decision
from trayapp.model.snapshot import Group, Snapshot
from trayapp.ui import tokens
from trayapp.ui.about_page import AboutPage
from trayapp.ui.action_bar import ActionBar
from trayapp.ui.backend import Backend
from trayapp.ui.bridge import Bridge
from trayapp.ui.export_dialog import ExportDialog
from trayapp.ui.journal_page import JournalPage
from trayapp.ui.next_page import NextPage
from trayapp.ui.notice_card import NoticeCards
from trayapp.ui.overview_page import OverviewPage
from trayapp.ui.page import Note
from trayapp.ui.policies_page import PoliciesPage
from trayapp.ui.question_dialog import QuestionDialog
from trayapp.ui.review import ReviewDialog
from trayapp.ui.session_page import SessionPage
from trayapp.ui.settings_page import SettingsPage
from trayapp.ui.setup_dialog import SetupDialog
from trayapp.ui.sidebar import PageName, Sidebar
from trayapp.ui.tokens import px
from trayapp.ui.tree import ACTING
from trayapp.ui.tree_view import Asked
from trayapp.ui.ui_state import UiStateFile

ORIGIN = "window"
AnyPage = TypeVar("AnyPage", bound=QWidget)
SIZE = (1120, 812)
LEAST = (880, 600)


class _Ground(QWidget):
    """Paint the window's own ground behind the pages."""

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), tokens.theme().win)


class MainWindow(QMainWindow):
    """Show everything that is more than a glance.

    Closing hides it; whoever made it decides when the app ends. `state` remembers its place, columns and range.
    """

    # In the UI thread, when the user changed settings here; payload: Settings.
    settings_changed = Signal(object)
    # In the UI thread, when the window was closed (without a tray that ends the app).
    closed = Signal()

    def __init__(
        self,
        backend: Backend,
        bridge: Bridge,
        *,
        login: StartAtLogin | None = None,
        state: UiStateFile | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._backend = backend
        self._bridge = bridge
        self._state = state or UiStateFile()
        self.setWindowTitle("Agent Ring")
        self.setMinimumSize(px(LEAST[0]), px(LEAST[1]))
        self._take_place()
        self.overview = OverviewPage(bridge, state=self._state)
        self._login = login
        self.bar = ActionBar(bridge)
        self.notice = Note()
        self.notices = NoticeCards(bridge, ORIGIN, wide=True, above=tokens.CARD_GAP)
        self._stack = QStackedWidget()
        self._pages: dict[PageName, QWidget] = {PageName.OVERVIEW: self.overview}
        self.sidebar = Sidebar(bridge)
        self._stack.addWidget(self.overview)
        self._before_session = PageName.OVERVIEW
        self._lay_out()
        self._connect()
        self._make_shortcuts()
        self.show_page(PageName.OVERVIEW)
        if self._state.fault:
            self.show_notice(self._state.fault)

    def _take_place(self) -> None:
        """Stand where it was left, if that still is on a screen."""
        self.resize(px(SIZE[0]), px(SIZE[1]))
        place = self._state.now.place
        if place is None:
            return
        x, y, width, height = place
        there = QRect(x, y, max(width, self.minimumWidth()), max(height, self.minimumHeight()))
        if any(screen.availableGeometry().contains(there.center()) for screen in QGuiApplication.screens()):
            self.setGeometry(there)
        if self._state.now.maximized:
            self.setWindowState(Qt.WindowState.WindowMaximized)

    def _remember_place(self) -> None:
        at = self.normalGeometry()
        self._state.remember(place=(at.x(), at.y(), at.width(), at.height()), maximized=self.isMaximized())

    def _lay_out(self) -> None:
        ground = _Ground()
        row = QHBoxLayout(ground)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.sidebar)
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addLayout(_padded(self.notice))
        column.addLayout(_padded(self.notices))
        column.addWidget(self._stack, 1)
        column.addLayout(_padded(self.bar))
        row.addLayout(column, 1)
        self.setCentralWidget(ground)

    def _connect(self) -> None:
        self._bridge.snapshot_changed.connect(self._take)
        self._bridge.keeps_changed.connect(self._take_keeps)
        self.sidebar.page_chosen.connect(self.show_page)
        self.sidebar.filter_chosen.connect(self._filter)
        self.overview.asked.connect(self._asked)
        self.overview.export.clicked.connect(self.open_export)
        self.overview.release.clicked.connect(self.open_review)
        self.notices.opened.connect(self.show_session)
        self.bar.journal_wanted.connect(lambda: self.show_page(PageName.JOURNAL))

    def _make_shortcuts(self) -> None:
        calls: dict[str, Callable[[], object]] = {
            QKeySequence(QKeySequence.StandardKey.Refresh).toString(): self.refresh,
            QKeySequence(Qt.Key.Key_F5).toString(): self.refresh,  # the same one on most systems: twice would be none
            QKeySequence(QKeySequence.StandardKey.Find).toString(): self._start_filter,
            QKeySequence(Qt.Key.Key_Escape).toString(): self.go_back,
        }
        calls |= {
            QKeySequence(f"Ctrl+{number}").toString(): partial(self.show_page, name)
            for number, name in enumerate(PageName, 1)
        }
        for keys, call in calls.items():
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setAutoRepeat(False)
            shortcut.activated.connect(call)

    def bring_to_front(self) -> None:
        """Show the window before all others, also when it was minimised."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    # Pages. All but the first are made when they are asked for: most windows are opened for one of them.

    @cached_property
    def next_page(self) -> NextPage:
        page = NextPage(self._bridge)
        page.release.clicked.connect(self.open_review)
        page.pressed.connect(self._pressed)
        page.act_wanted.connect(self.act)
        page.policies_wanted.connect(lambda: self.show_page(PageName.POLICIES))
        return self._add(PageName.NEXT, page)

    @cached_property
    def policies(self) -> PoliciesPage:
        return self._add(PageName.POLICIES, PoliciesPage(self._bridge))

    @cached_property
    def journal(self) -> JournalPage:
        return self._add(PageName.JOURNAL, JournalPage(self._bridge))

    @cached_property
    def settings_page(self) -> SettingsPage:
        page = SettingsPage(self._bridge, self._login)
        page.changed.connect(self._settings_changed)
        page.setup_wanted.connect(self.open_setup)
        page.policies_wanted.connect(lambda: self.show_page(PageName.POLICIES))
        return self._add(PageName.SETTINGS, page)

    @cached_property
    def about(self) -> AboutPage:
        return self._add(PageName.ABOUT, AboutPage(self._bridge))

    @cached_property
    def session(self) -> SessionPage:
        page = SessionPage(self._bridge)
        page.back.connect(self.go_back)
        page.action_wanted.connect(self.act)
        page.setup_wanted.connect(self.open_setup)
        self._stack.addWidget(page)
        return page

    def _add(self, name: PageName, page: AnyPage) -> AnyPage:
        self._pages[name] = page
        self._stack.addWidget(page)
        return page

    def _page(self, name: PageName) -> QWidget:
        match name:
            case PageName.OVERVIEW:
                return self.overview
            case PageName.NEXT:
                return self.next_page
            case PageName.POLICIES:
                return self.policies
            case PageName.JOURNAL:
                return self.journal
            case PageName.SETTINGS:
                return self.settings_page
            case PageName.ABOUT:
                return self.about

    def show_page(self, name: PageName | str) -> None:
        """Show a page by name: "overview", "next", "policies", "journal", "settings" or "about"."""
        page = PageName(name)
        self._stack.setCurrentWidget(self._page(page))
        self._show_newest()
        self.sidebar.show_page(page)

    def show_session(self, key: str) -> None:
        """Show the page of one group of the snapshot."""
        current = self._stack.currentWidget()
        self._before_session = next((n for n, p in self._pages.items() if p is current), self._before_session)
        self.session.back_link.lead_to(self._before_session.words)
        self._stack.setCurrentWidget(self.session)
        self.session.show_session(key)
        self._show_newest()
        self.sidebar.show_page(self._before_session)

    @property
    def page(self) -> QWidget | None:
        """Return the page that is shown."""
        return self._stack.currentWidget()

    def show_notice(self, sentence: str) -> None:
        """Say something about the app itself above all pages, until the next notice."""
        first, _, rest = sentence.partition(". ")
        self.notice.show_words(first, rest)

    def go_back(self) -> None:
        """Leave a session's page; elsewhere nothing."""
        if isinstance(self.page, SessionPage):
            self.show_page(self._before_session)

    def refresh(self) -> None:
        """Ask for a tick now, and for the shown range anew."""
        self._backend.refresh()
        self.overview.refresh()

    def _start_filter(self) -> None:
        self.show_page(PageName.OVERVIEW)
        self.overview.start_filter()

    def _filter(self, key: str) -> None:
        self.show_page(PageName.OVERVIEW)
        self.overview.set_branch_filter(key)

    # What the tick brings.

    @property
    def _is_seen(self) -> bool:
        return self.isVisible() and not self.isMinimized()

    def _take(self, _snapshot: Snapshot) -> None:
        if self._is_seen:
            self._show_newest()

    def _take_keeps(self) -> None:
        if self._is_seen:
            self._show_newest()

    def _show_newest(self) -> None:
        """Bring the sidebar and the page that is shown up to date; the other pages wait until they are shown."""
        snapshot, page = self._bridge.snapshot, self._stack.currentWidget()
        if snapshot is not None:
            self.sidebar.show_snapshot(snapshot)
        if page is self.overview:
            self.overview.show_snapshot(snapshot)
        elif snapshot is not None and isinstance(page, (NextPage, SessionPage)):
            page.show_snapshot(snapshot)

    def _settings_changed(self, settings: object) -> None:
        self.sidebar.show_recording()
        self.settings_changed.emit(settings)

    # What is asked for.

    def _asked(self, asked: Asked) -> None:
        group = asked.node.group
        if group is None:
            return
        if asked.action in ACTING:
            self._act_on(group)
        else:
            self.show_session(group.key)

    def _pressed(self, key: str) -> None:
        """Follow a button of the list: what may go is asked for, anything else is explained."""
        group = self._bridge.snapshot.group(key) if self._bridge.snapshot is not None else None
        if group is None:
            return
        offer = targets.offer_of(group)
        if offer in (targets.Offer.RELEASE, targets.Offer.ASK, targets.Offer.END, targets.Offer.CLEAR):
            self._act_on(group)
        else:
            self.show_session(key)

    def _act_on(self, group: Group) -> None:
        decision = targets.decision_of(group)
        if decision is not None:
            self.act(group, decision)

    def act(self, group: Group, decision: Decision) -> None:
        """Carry out one decision: a plain release at once, anything else after its question."""
        if decision.allowed is Allowed.REFUSE:
            self.show_session(group.key)
            return
        if decision.allowed is Allowed.ALLOW and decision.action is Action.RELEASE:
            self._bridge.reclaim([targets.target_of(group, decision)], ORIGIN)
            return
        dialog = QuestionDialog(targets.question_of(group, decision), self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        target = targets.target_of(group, decision, confirmed=True)
        dialog.accepted.connect(lambda: self._bridge.reclaim([target], ORIGIN))
        dialog.open()

    def open_review(self) -> ReviewDialog | None:
        """Open the review of everything that can go; None before the first snapshot."""
        snapshot = self._bridge.snapshot
        if snapshot is None:
            return None
        dialog = ReviewDialog(self._bridge, snapshot, origin=ORIGIN, parent=self)
        dialog.journal_asked.connect(lambda: self.show_page(PageName.JOURNAL))
        self.bar.set_muted(True)  # the dialog tells it all itself
        dialog.finished.connect(lambda _result: self.bar.set_muted(False))
        dialog.open()
        return dialog

    def open_setup(self, host: str) -> SetupDialog:
        """Ask whether something of ours shall be put into a host."""
        snapshot = self._bridge.snapshot
        label = snapshot.label(host) if snapshot is not None else None
        dialog = SetupDialog(self._bridge, host, label.title if label is not None else host, self)
        dialog.open()
        return dialog

    def open_export(self) -> ExportDialog:
        """Open the export of measurements for the range that is shown."""
        dialog = ExportDialog(self._bridge, self._bridge.snapshot, self.overview.ranges.current, self)
        dialog.open()
        return dialog

    # The window itself.

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.notices.show_notices()
        self._show_newest()
        self._bridge.want_detail(self, self._is_seen)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._remember_place()
        self._bridge.want_detail(self, False)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.WindowStateChange:
            if self._is_seen:
                self._show_newest()
            self._bridge.want_detail(self, self._is_seen)

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()


def _padded(widget: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setContentsMargins(px(tokens.PAGE_PADDING), 0, px(tokens.PAGE_PADDING), 0)
    row.addWidget(widget)
    return row
