"""The first page: memory and CPU over time, and below it the tree of what holds it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QHideEvent, QKeyEvent, QKeySequence, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLineEdit, QMenu, QStackedLayout, QVBoxLayout, QWidget

from trayapp import targets
from trayapp.model.snapshot import Snapshot
from trayapp.ui import heap_view, keeping, tokens
from trayapp.ui.bridge import Bridge
from trayapp.ui.chart_card import ChartCard
from trayapp.ui.chart_data import RANGES_S
from trayapp.ui.controls import Button, Kind, Panel, Segmented
from trayapp.ui.page import EmptyState, Note, Page
from trayapp.ui.resume_button import COPY, copy_command
from trayapp.ui.tokens import px
from trayapp.ui.tree import ACTING, Node, SessionTree
from trayapp.ui.tree_view import Asked, SessionTreeView
from trayapp.wording import duration

FIRST_RANGE = tuple(RANGES_S)[2]
LEAST_TREE = 236
NARROW = 760
SPARK_COLUMNS = 60
SPARKS_EVERY_MS = 60_000


class FilterField(QLineEdit):
    """Let rows be filtered by a part of their title or folder; Esc empties and leaves it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText("Filter by title or folder")
        self.setAccessibleName("Filter sessions by title or folder")
        self.setFont(tokens.font(tokens.BODY))
        self.setFrame(False)
        self.setClearButtonEnabled(False)
        self.setFixedHeight(px(32))
        self.setTextMargins(px(16), 0, px(16), 0)
        self.hide()

    def event(self, event: QEvent) -> bool:
        asks = event.type() is QEvent.Type.ShortcutOverride
        if asks and isinstance(event, QKeyEvent) and event.matches(QKeySequence.StandardKey.Cancel):
            event.accept()  # before the window's own Esc
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Cancel):
            self.clear()
            self.hide()
            return
        super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if not self.text():
            self.hide()


class OverviewPage(Page):
    """Show the chart and the tree; forwards what rows and buttons ask for."""

    # In the UI thread, when a row asks for something; payload: tree_view.Asked.
    asked = Signal(object)

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__("Overview", scrolls=False, parent=parent)
        self._bridge = bridge
        self.ranges = Segmented([(words, words) for words in RANGES_S], FIRST_RANGE)
        self.ranges.setAccessibleName("Time range")
        self.export = Button("Export CSV…", height=32)
        self.release = Button("Release…", Kind.PRIMARY, height=32)
        for widget in (self.ranges, self.export, self.release):
            self.head.addWidget(widget)
        self.chart = ChartCard(bridge, RANGES_S[FIRST_RANGE])
        self.note = Note()
        self.tree = SessionTree(self)
        self.view = SessionTreeView(self.tree)
        self.filter = FilterField()
        self.empty = EmptyState()
        self.body.setSpacing(px(tokens.CARD_GAP))
        self.body.addWidget(self.chart)
        self.body.addWidget(self.note)
        self.body.addWidget(self._tree_card(), 1)
        self._branch = ""
        self._spark_timer = QTimer(self, interval=SPARKS_EVERY_MS)
        self._spark_timer.timeout.connect(self._ask_sparklines)
        self.ranges.chosen.connect(lambda words: self.chart.set_span(RANGES_S[words]))
        self.filter.textChanged.connect(lambda _text: self._apply_filter())
        self.view.asked.connect(self.asked)
        self.view.menu_asked.connect(self._open_menu)

    def _tree_card(self) -> Panel:
        card = Panel()
        listed = QWidget()
        column = QVBoxLayout(listed)
        column.setContentsMargins(px(8), 1, 1, 1)
        column.setSpacing(0)
        column.addWidget(self.filter)
        column.addWidget(self.view, 1)
        self._stack = QStackedLayout(card)
        self._stack.addWidget(listed)
        self._stack.addWidget(self.empty)
        card.setMinimumHeight(px(LEAST_TREE))
        return card

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        if snapshot is None:
            self._stack.setCurrentIndex(1)
            every = duration(max(1.0, self._bridge.backend.settings.interval_s))
            self.empty.show_words("Measuring", f"The first figures are here in about {every}.")
            self.release.setEnabled(False)
            return
        self.chart.show_snapshot(snapshot)
        self.show_kept()
        self.view.show_snapshot(snapshot)
        self._stack.setCurrentIndex(0 if snapshot.totals.processes else 1)
        if not snapshot.totals.processes:
            self._say_that_nothing_runs(snapshot)
        problem = snapshot.problems[0] if snapshot.problems else None
        more = f" And {len(snapshot.problems) - 1} more." if len(snapshot.problems) > 1 else ""
        self.note.show_words(
            f"{problem.where}: {problem.what}" if problem else "", f"{problem.mend}{more}" if problem else ""
        )
        show_release(self.release, snapshot)

    def show_kept(self) -> None:
        """Tell the tree what is kept; it shows that with the next snapshot."""
        snapshot = self._bridge.snapshot
        now_epoch_s = snapshot.taken_at.timestamp() if snapshot is not None else 0.0
        self.tree.set_kept(keeping.all_keep_words(self._bridge.keeps, now_epoch_s=now_epoch_s))

    def menu_of(self, node: Node) -> QMenu:
        """Make the menu of a row."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        group = node.group
        if group is None:
            return menu
        menu.addAction("Open").triggered.connect(lambda _checked=False: self.asked.emit(Asked(node, None)))
        action = node.shown.action
        if action in ACTING:
            menu.addAction(str(action)).triggered.connect(lambda _checked=False: self.asked.emit(Asked(node, action)))
        if targets.resume_command(group.resume) is not None:
            menu.addAction(COPY).triggered.connect(lambda _checked=False: copy_command(group.resume))
        if keeping.can_be_kept(group):
            menu.addSeparator()
            keeping.add_entries(menu, self._bridge, group.key)
        return menu

    def _open_menu(self, node: Node, at: QPoint) -> None:
        menu = self.menu_of(node)
        if menu.isEmpty():
            menu.deleteLater()
        else:
            menu.popup(at)

    def _say_that_nothing_runs(self, snapshot: Snapshot) -> None:
        hosts = [label.title for label in snapshot.labels]
        named = f"{', '.join(hosts)} or another host" if hosts else "an agent host"
        every = duration(max(1.0, self._bridge.backend.settings.interval_s))
        self.empty.show_words("No agent session is running", f"Start one in {named}. It shows up here within {every}.")

    def set_branch_filter(self, key: str) -> None:
        """Show only this branch of the tree; "" shows all."""
        self._branch = key
        self._apply_filter()

    def start_filter(self) -> None:
        """Show the filter field and put the cursor into it."""
        self.filter.show()
        self.filter.setFocus()
        self.filter.selectAll()

    def _apply_filter(self) -> None:
        self.tree.set_filter(branch=self._branch or None, text=self.filter.text())

    def refresh(self) -> None:
        self.chart.refresh()
        self._ask_sparklines()

    def _ask_sparklines(self) -> None:
        self._bridge.when_done(self._bridge.backend.sparklines(SPARK_COLUMNS), self.tree.set_sparklines)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < px(NARROW)
        self.ranges.setFixedWidth(px(96) if narrow else self.ranges.sizeHint().width())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ask_sparklines()
        self._spark_timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._spark_timer.stop()


def show_release(button: Button, snapshot: Snapshot) -> None:
    """Let the primary button name what can be released; with nothing to release it rests."""
    size = snapshot.totals.reclaimable_bytes
    heap_bytes = heap_view.retained(targets.reclaimable(snapshot))
    button.setEnabled(size > 0 or heap_bytes > 0)
    words = heap_view.both_words(size, 0 if size else heap_bytes)
    shown = f"Release {words}…" if button.isEnabled() else "Nothing to release"
    if shown != button.text():  # or the whole page would be laid out anew at every tick
        button.setText(shown)
        button.updateGeometry()
