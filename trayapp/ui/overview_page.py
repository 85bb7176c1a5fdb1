"""The first page: memory and CPU over time, and below it the tree of what holds it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHideEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QLineEdit, QMenu, QStackedLayout, QVBoxLayout, QWidget

from trayapp import targets
from trayapp.model.series import StackBy
from trayapp.model.snapshot import Snapshot
from trayapp.say import noted, say, told
from trayapp.ui import heap_view, keeping, pointing, tokens
from trayapp.ui.bridge import Bridge
from trayapp.ui.chart_card import ChartCard, fit_segments
from trayapp.ui.chart_data import RANGES_S
from trayapp.ui.controls import Button, Kind, Panel, Segmented
from trayapp.ui.page import EmptyState, Note, Page
from trayapp.ui.resume_button import COPY, copy_command
from trayapp.ui.tokens import px
from trayapp.ui.tree import ACTING, Column, Node, SessionTree, action_words
from trayapp.ui.tree_view import Asked, SessionTreeView, paint_lens
from trayapp.ui.ui_state import UiStateFile
from trayapp.wording import duration

FIRST_RANGE = tuple(RANGES_S)[2]
LEAST_TREE = 236
SPARK_COLUMNS = 60
LOOKED_FOR = 6
"""So many hosts are named where nothing runs."""
SPARKS_EVERY_MS = 60_000
LOOK_BACK = (tuple(RANGES_S)[3], tuple(RANGES_S)[4])
"""What is looked at when nothing runs and the range that was chosen holds nothing."""
_HELD_THEN = {
    LOOK_BACK[0]: noted("Above is what they held in the last 24\u202fh."),
    LOOK_BACK[1]: noted("Above is what they held in the last 7\u202fd."),
}


class FilterField(QLineEdit):
    """Let rows be filtered by title, host, folder or pid; Esc empties and leaves it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(say("Filter by title, host, folder or pid"))
        self.setAccessibleName(say("Filter sessions by title, host, folder or pid"))
        self.setFont(tokens.font(tokens.BODY))
        self.setFrame(False)
        self.setClearButtonEnabled(False)
        self.setFixedHeight(px(34))
        self.setTextMargins(px(28), 0, px(16), 0)
        palette = QPalette()
        palette.setColor(QPalette.ColorRole.Base, Qt.GlobalColor.transparent)
        self.setPalette(palette)  # or it would cover the corners of its card
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_lens(painter, QPointF(px(17), self.height() / 2), tokens.theme().sec)
        painter.fillRect(px(8), self.height() - 1, self.width() - px(16), 1, tokens.theme().line)

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

    def __init__(self, bridge: Bridge, *, state: UiStateFile | None = None, parent: QWidget | None = None) -> None:
        super().__init__(say("Overview"), scrolls=False, parent=parent)
        self._bridge = bridge
        self._state = state or UiStateFile()
        known = {seconds: words for words, seconds in RANGES_S.items()}
        first = known.get(self._state.now.range_s or 0.0, FIRST_RANGE)
        self.ranges = Segmented([(words, say(words)) for words in RANGES_S], first)
        self.ranges.setAccessibleName(say("Time range"))
        self.export = Button(say("Export CSV…"), height=32)
        self.release = Button(say("Release…"), Kind.PRIMARY, height=32)
        for widget in (self.ranges, self.export, self.release):
            self.head.addWidget(widget)
        self.chart = ChartCard(bridge, RANGES_S[first])
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
        self._looked_back = ""
        self._was_chosen = False
        self._spark_timer = QTimer(self, interval=SPARKS_EVERY_MS)
        self._spark_timer.timeout.connect(self._ask_sparklines)
        self._use_state()
        self.ranges.chosen.connect(self._choose_range)
        self.chart.stack.chosen.connect(lambda key: self._state.remember(stack_by=str(key)))
        self.view.arranged.connect(self._remember_columns)
        self.view.head.filter_tool.clicked.connect(self.start_filter)
        self.view.pointed.connect(self._highlight)
        self.chart.layer_pointed.connect(self._mark)
        self.chart.chart.series_changed.connect(self._look_back)
        self.filter.textChanged.connect(lambda _text: self._apply_filter())
        self.view.asked.connect(self.asked)
        self.view.menu_asked.connect(self._open_menu)

    # What is remembered.

    def _use_state(self) -> None:
        """Arrange the page as it was left."""
        found = self._state.now
        self.view.choose_columns(found.columns)
        by_name = {column.name.lower(): column for column in Column}
        if found.sort in by_name:
            self.view.sort_by(by_name[found.sort], descending=found.descending)
        if found.stack_by in tuple(StackBy):
            self.chart.stack_by(found.stack_by)

    def _remember_columns(self) -> None:
        self._state.remember(
            columns=self.view.chosen_columns,
            sort=self.tree.sort_column.name.lower(),
            descending=self.tree.descending,
        )

    def _choose_range(self, words: str) -> None:
        self._looked_back, self._was_chosen = "", True
        self.chart.set_span(RANGES_S[words])
        self._state.remember(range_s=RANGES_S[words])

    # What is pointed at.

    def _highlight(self, node: Node | None) -> None:
        """Let the layers of a row stand out."""
        layers: frozenset[str] = frozenset()
        if node is not None and node.group is not None:
            layers = pointing.layers_of_group(node.group, self.chart.stacked_by)
        elif node is not None and node.branch is not None:
            layers = pointing.layers_of_branch(node.branch, self.chart.stacked_by)
        self.chart.chart.highlight(layers)

    def _mark(self, layer: str) -> None:
        """Let a layer and its rows stand out."""
        self.chart.chart.highlight({layer} if layer else ())
        self.view.mark(pointing.rows_of(layer, self.chart.stacked_by, self._bridge.snapshot))

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
        QWidget.setTabOrder(self.filter, self.view.head.filter_tool)
        QWidget.setTabOrder(self.view.head.filter_tool, self.view.head.columns_tool)
        QWidget.setTabOrder(self.view.head.columns_tool, self.view)
        card.setMinimumHeight(px(LEAST_TREE))
        return card

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        if snapshot is None:
            self._stack.setCurrentIndex(1)
            every = duration(max(1.0, self._bridge.backend.settings.interval_s))
            self.empty.show_words(say("Measuring"), say("The first figures are here in about {every}.", every=every))
            self.release.setEnabled(False)
            return
        self.chart.show_snapshot(snapshot)
        self.show_kept()
        self.view.show_snapshot(snapshot)
        self._stack.setCurrentIndex(0 if snapshot.totals.processes else 1)
        if not snapshot.totals.processes:
            self._say_that_nothing_runs(snapshot)
        elif self._looked_back:
            self._stop_looking_back()
        problem = snapshot.problems[0] if snapshot.problems else None
        more = len(snapshot.problems) - 1
        mend = told(problem.mend) if problem is not None else ""
        if more > 0:
            mend = say("{mend} And {n} more.", mend=mend, n=more)
        self.note.show_words(f"{problem.where}: {told(problem.what)}" if problem else "", mend)
        show_release(self.release, snapshot)
        self._fit_head()

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
        menu.addAction(say("Open")).triggered.connect(lambda _checked=False: self.asked.emit(Asked(node, None)))
        action = node.shown.action
        if action is not None and action in ACTING:
            acts = menu.addAction(action_words(action))
            acts.triggered.connect(lambda _checked=False: self.asked.emit(Asked(node, action)))
        if targets.resume_command(group.resume) is not None:
            menu.addAction(say(COPY)).triggered.connect(lambda _checked=False: copy_command(group.resume))
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
        names = [label.title for label in sorted(snapshot.labels, key=lambda label: (label.rank, label.host))]
        hosts, more = ", ".join(names[:LOOKED_FOR]), len(names) - LOOKED_FOR
        every = duration(max(1.0, self._bridge.backend.settings.interval_s))
        if more > 0:
            line = say(
                "Start one in {hosts} and {n} more. It shows up here within {every}.", hosts=hosts, n=more, every=every
            )
        elif hosts:
            line = say(
                "Start one in {hosts} or another host. It shows up here within {every}.", hosts=hosts, every=every
            )
        else:
            line = say("Start one in an agent host. It shows up here within {every}.", every=every)
        if self._looked_back and self.chart.holds_something:
            line = f"{say(_HELD_THEN[self._looked_back])} {line}"
        self.empty.show_words(say("No agent session is running"), line)

    def _look_back(self) -> None:
        """While nothing runs, show what was held lately: of a range that holds nothing the next longer one."""
        snapshot = self._bridge.snapshot
        if snapshot is None or snapshot.totals.processes:
            return
        if not self.chart.holds_something and self.chart.is_following and not self._was_chosen:
            span_s = self.chart.span_s
            longer = next((words for words in LOOK_BACK if RANGES_S[words] > span_s), None)
            if longer is not None:
                self._looked_back = longer
                self.ranges.set_current(longer)
                self.chart.set_span(RANGES_S[longer])
                return
        elif not self._looked_back and self.chart.is_following:
            self._looked_back = next((w for w in LOOK_BACK if RANGES_S[w] == self.chart.span_s), "")
        self._say_that_nothing_runs(snapshot)

    def _stop_looking_back(self) -> None:
        """Something runs again: show the range that was chosen."""
        known = {seconds: words for words, seconds in RANGES_S.items()}
        words = known.get(self._state.now.range_s or 0.0, FIRST_RANGE)
        self._looked_back = ""
        self.ranges.set_current(words)
        self.chart.set_span(RANGES_S[words])

    def set_branch_filter(self, key: str) -> None:
        """Show only this branch, in the tree and in the chart; "" shows all."""
        self._branch = key
        self._apply_filter()
        self.chart.set_branch(key)

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
        self._fit_head()

    def _fit_head(self) -> None:
        """Show all ranges side by side where they have room beside title and buttons, else as a menu."""
        others = sum(widget.sizeHint().width() for widget in (self.export, self.release))
        room = self.width() - self.title.minimumWidth() - others - 2 * px(tokens.PAGE_PADDING) - px(48)
        fit_segments(self.ranges, room)

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
    shown = say("Release {size}…", size=words) if button.isEnabled() else say("Nothing to release")
    if shown != button.text():  # or the whole page would be laid out anew at every tick
        button.setText(shown)
        button.updateGeometry()
