"""How the tree of hosts, sessions and processes looks and is used: rows, head, keys, the button in a row.

Paints whole rows by itself, so that 5,000 rows cost what the visible twenty cost. Keeps selection, scroll position and
what is open over ticks. Asks for actions by a signal; carries nothing out.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QContextMenuEvent,
    QEnterEvent,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from trayapp.model.session import State
from trayapp.model.snapshot import Snapshot
from trayapp.say import say
from trayapp.ui import marks, tokens
from trayapp.ui.branches import Branch, branch_mark
from trayapp.ui.controls import FocusOutline
from trayapp.ui.keeping import paint_kept
from trayapp.ui.scrollbar import SlimScrollBar
from trayapp.ui.sparkline import paint_chevron, paint_sparkline
from trayapp.ui.tokens import MEDIUM, REGULAR, SEMIBOLD, px
from trayapp.ui.tree import ACTING, Column, Index, Level, Node, RowAction, SessionTree, action_words, head_words

ROW = 32
HEAD = 28
INDENT = 20
MARK_SIDE = 18
LEAST_NAME = 180
WIDTHS = {
    Column.STATE: 178,
    Column.IDLE: 92,
    Column.FOLDER: 150,
    Column.MODEL: 124,
    Column.PROCESSES: 78,
    Column.TOKENS: 76,
    Column.MEMORY: 74,
    Column.HEAP: 72,
    Column.RSS: 76,
    Column.CPU: 66,
    Column.LAST_HOUR: 86,
    Column.BUTTON: 88,
}
RSS_FROM = 1000
SPARKLINE_FROM = 920
CPU_BESIDE_HEAP_FROM = 1080
FIGURES = (Column.PROCESSES, Column.TOKENS, Column.MEMORY, Column.HEAP, Column.RSS, Column.CPU)
USUAL = frozenset(
    {Column.NAME, Column.STATE, Column.MEMORY, Column.HEAP, Column.RSS, Column.CPU, Column.LAST_HOUR, Column.BUTTON}
)
ALWAYS = frozenset({Column.NAME, Column.BUTTON})
GIVING_WAY = (
    Column.FOLDER,
    Column.MODEL,
    Column.TOKENS,
    Column.PROCESSES,
    Column.IDLE,
    Column.LAST_HOUR,
    Column.RSS,
    Column.CPU,
)
"""What hides, in this order, until names have room: first of what was not chosen, then of what was."""

Flags = Qt.AlignmentFlag
LEFT, RIGHT = Flags.AlignLeft | Flags.AlignVCenter, Flags.AlignRight | Flags.AlignVCenter
"""Put together once: Python takes longer for that than Qt for the text."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Say what a row was asked for; `action` None = open its page."""

    node: Node
    action: RowAction | None


class _RowHeight(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(px(60), px(ROW))


class HeadTool(QAbstractButton):
    """Show a small sign at the right end of the head: a lens, or three dots."""

    def __init__(self, name: str, *, lens: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self._lens = lens
        side = max(px(24), tokens.MIN_TARGET)
        self.setFixedSize(side, side)
        self.setAccessibleName(name)
        self.setToolTip(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        FocusOutline.show_on(self, event, tokens.RADIUS_BUTTON_SMALL - tokens.FOCUS_OFFSET)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        FocusOutline.hide_on(self)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), tokens.theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.tint)
            painter.drawRoundedRect(self.rect(), tokens.RADIUS_BUTTON_SMALL, tokens.RADIUS_BUTTON_SMALL)
        colour, centre = theme.ink if self.underMouse() else theme.sec, QRectF(self.rect()).center()
        if self._lens:
            paint_lens(painter, centre, colour)
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        for step in (-1, 0, 1):
            painter.drawEllipse(centre + QPointF(step * px(5), 0), px(3) / 2, px(3) / 2)


def paint_lens(painter: QPainter, centre: QPointF, colour: QColor) -> None:
    """Paint the sign of a filter around a point."""
    painter.setPen(QPen(colour, 1.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    at, radius = centre - QPointF(px(1), px(1)), float(px(4))
    painter.drawEllipse(at, radius, radius)
    painter.drawLine(at + QPointF(radius, radius) * 0.72, at + QPointF(px(6), px(6)))


class TreeHead(QHeaderView):
    """Show the column heads; a click sorts, the arrow stands before the word."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setFixedHeight(px(HEAD))
        self.setSectionsClickable(True)
        self.setSectionsMovable(False)
        self.setStretchLastSection(False)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(px(40))
        self.filter_tool = HeadTool(say("Filter"), lens=True, parent=self)
        self.columns_tool = HeadTool(say("Columns"), lens=False, parent=self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        right = self.width() - px(7)
        for tool in (self.columns_tool, self.filter_tool):
            right -= tool.width()
            tool.move(right, (self.height() - tool.height()) // 2)
            right -= px(2)

    def paintSection(self, painter: QPainter, rect: QRect, logical: int) -> None:
        view = self.parent()
        if not isinstance(view, SessionTreeView):
            return
        theme = tokens.theme()
        painter.save()
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        column, tree = Column(logical), view.tree
        is_sorted = tree.sort_column is column
        font = tokens.font(tokens.SMALL, SEMIBOLD if is_sorted else MEDIUM)
        painter.setFont(font)
        painter.setPen(theme.ink if is_sorted else theme.sec)
        inner = QRectF(rect).adjusted(*_cell_padding(column))
        room = int(inner.width()) - (px(14) if is_sorted else 0)
        text = QFontMetrics(font).elidedText(head_words(column), Qt.TextElideMode.ElideRight, max(0, room))
        flags = Flags.AlignRight if column in FIGURES else Flags.AlignLeft
        painter.drawText(inner, flags | Flags.AlignVCenter, text)
        if is_sorted:
            width, side = tokens.text_width(text, font), px(8)
            at_right = column in FIGURES
            left = inner.right() - width - side - px(5) if at_right else inner.left() + width + px(6)
            box = QRectF(left, inner.center().y() - side / 2, side, side)
            paint_chevron(painter, box, theme.ink, degrees=90 if tree.descending else -90)
        painter.restore()

    def paintEvent(self, event: object) -> None:
        super().paintEvent(event)  # type: ignore[arg-type]
        painter = QPainter(self.viewport())
        painter.fillRect(0, self.height() - 1, self.width(), 1, tokens.theme().line)


def _width(column: Column) -> int:
    """Return the width of a column: that of the design, or what its words need in this language."""
    if column is Column.BUTTON:
        return _button_width() + px(16)
    head = tokens.text_width(head_words(column), tokens.font(tokens.SMALL, SEMIBOLD))
    return max(px(WIDTHS[column]), round(head) + px(22))


def _button_width() -> int:
    font = tokens.font(tokens.SECOND, MEDIUM)
    return max(px(72), *(round(tokens.text_width(action_words(action), font)) + px(20) for action in RowAction))


def _cell_padding(column: Column) -> tuple[float, float, float, float]:
    """Return what a cell leaves free left and right."""
    if column is Column.NAME:
        return px(8), 0, -px(8), 0
    if column is Column.LAST_HOUR:
        return px(20), 0, 0, 0
    if column in (Column.IDLE, Column.FOLDER, Column.MODEL):
        return 0, 0, -px(8), 0
    return 0, 0, 0, 0


class SessionTreeView(QTreeView):
    """Show a SessionTree. Enter opens a session's page, R releases, the arrows open and close."""

    # In the UI thread, when a row's button, Enter, R or a double click asks for something; payload: Asked.
    asked = Signal(object)
    # In the UI thread, when a row's menu is asked for by the pointer or a key; payload: Node, QPoint on the screen.
    menu_asked = Signal(object, object)
    # In the UI thread, when another row came under the pointer, or under the keyboard's focus; payload: Node or None.
    pointed = Signal(object)
    # In the UI thread, when the user chose columns, or another order.
    arranged = Signal()

    def __init__(self, tree: SessionTree, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # figures and time run that way everywhere
        self._tree = tree
        self._snapshot: Snapshot | None = None
        self._closed: set[Hashable] = set()
        self._opened: set[Hashable] = set()
        self._hovered = QPersistentModelIndex()
        self._over_button = False
        self._by_keyboard = False
        self._exposed = QRect()
        self._cells: list[tuple[Column, float, float]] = []
        self._chosen: dict[Column, bool] = {}
        self._in_heaps = False
        self._marked: frozenset[str] = frozenset()
        self._pointed: Node | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setModel(tree)
        self.head = TreeHead(self)
        self.setHeader(self.head)
        self.setItemDelegate(_RowHeight(self))
        self.setUniformRowHeights(True)
        self.setIndentation(px(INDENT))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBar(SlimScrollBar())
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setExpandsOnDoubleClick(False)
        self.setMouseTracking(True)
        self.viewport().setAutoFillBackground(False)
        self.setAccessibleName(say("Sessions"))
        self._lay_out_columns()
        head = self.head
        head.sectionClicked.connect(self._sort_by)
        head.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        head.customContextMenuRequested.connect(lambda at: self.column_menu().popup(head.mapToGlobal(at)))
        head.columns_tool.clicked.connect(self._open_columns)
        tree.rowsInserted.connect(self._open_inserted)
        tree.is_open = lambda node: self.isExpanded(tree.index_of(node))
        self.expanded.connect(tree.opened)
        self.expanded.connect(lambda index: self._remember(index, is_open=True))
        self.collapsed.connect(lambda index: self._remember(index, is_open=False))
        self.doubleClicked.connect(self._open_page)
        self._open_inserted(QModelIndex(), 0, tree.rowCount() - 1)

    @property
    def tree(self) -> SessionTree:
        return self._tree

    def show_snapshot(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        in_heaps = any(group.retained_bytes is not None for group in snapshot.groups)
        if self._in_heaps is not in_heaps:
            self._in_heaps = in_heaps
            self._show_columns()
        self._tree.set_snapshot(snapshot)

    def select_group(self, key: str) -> None:
        """Select a group's row and bring it into view."""
        index = self._tree.index_of_group(key)
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)

    def dataChanged(self, first: Index, last: Index, roles: Sequence[int] = ()) -> None:
        """Repaint the cells that changed; Qt would ask the model some sixty questions to find out where these are."""
        if QAccessible.isActive() or first.row() != last.row():
            super().dataChanged(first, last, list(roles))
            return
        row = self.visualRect(first)
        if row.bottom() >= 0 and row.top() < self.viewport().height():
            left = self.columnViewportPosition(first.column())
            right = self._right_of(Column(last.column()))
            self.viewport().update(left, row.top(), right - left, row.height())

    def _right_of(self, column: Column) -> int:
        """Return where a cell ends; the words of a process run on into the column of states."""
        end = Column.STATE if column is Column.NAME else column
        return self.columnViewportPosition(end) + self.columnWidth(end)

    # Columns.

    def _lay_out_columns(self) -> None:
        head = self.header()
        head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head.setSectionResizeMode(Column.NAME, QHeaderView.ResizeMode.Stretch)
        for column in WIDTHS:
            head.resizeSection(column, _width(column))
        self._show_columns()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_columns()

    def _show_columns(self) -> None:
        """Show what the user chose, or what is usual at this width, as long as names have room."""
        shown = {column for column in Column if column in ALWAYS or self._is_wanted(column)}
        room = self.viewport().width()
        for column in sorted(GIVING_WAY, key=lambda each: self._chosen.get(each, False)):
            if room - sum(_width(each) for each in shown if each in WIDTHS) >= px(LEAST_NAME):
                break
            shown.discard(column)
        for column in Column:
            if self.isColumnHidden(column) is (column in shown):
                self.setColumnHidden(column, column not in shown)

    def _is_wanted(self, column: Column) -> bool:
        """Say whether a column is to be seen; sessions in a heap are told apart by that, not by their CPU."""
        if column in self._chosen:
            return self._chosen[column]
        width = self.window().width() / tokens.text_scale()
        match column:
            case Column.HEAP:
                return self._in_heaps
            case Column.RSS:
                return width >= RSS_FROM
            case Column.CPU:
                return not self._in_heaps or width >= CPU_BESIDE_HEAP_FROM
            case Column.LAST_HOUR:
                return width >= SPARKLINE_FROM
            case _:
                return column in USUAL

    @property
    def chosen_columns(self) -> dict[str, bool]:
        """Return which columns the user wants or does not want, by name; what is not in it is as usual."""
        return {column.name.lower(): wanted for column, wanted in self._chosen.items()}

    def choose_columns(self, chosen: Mapping[str, bool]) -> None:
        """Show and hide columns by name; names that are no column, or one that always is there, are passed over."""
        by_name = {column.name.lower(): column for column in Column if column not in ALWAYS}
        self._chosen = {by_name[name]: wanted for name, wanted in chosen.items() if name in by_name}
        self._show_columns()

    def column_menu(self) -> QMenu:
        """Make the menu in which columns are chosen, and the one to sort by."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for column in Column:
            if column not in ALWAYS:
                entry = menu.addAction(head_words(column))
                entry.setCheckable(True)
                entry.setChecked(self._is_wanted(column))
                entry.triggered.connect(lambda wanted, column=column: self._choose_column(column, wanted))
        menu.addSeparator()
        order = menu.addMenu(say("Sort by"))
        for column in Column:
            if column is not Column.BUTTON:
                entry = order.addAction(head_words(column))
                entry.setCheckable(True)
                entry.setChecked(self._tree.sort_column is column)
                entry.triggered.connect(partial(self._sort_by, column))
        usual = menu.addAction(say("Columns as usual"))
        usual.setEnabled(bool(self._chosen))
        usual.triggered.connect(self._forget_columns)
        return menu

    def _open_columns(self) -> None:
        tool = self.head.columns_tool
        self.column_menu().popup(tool.mapToGlobal(tool.rect().bottomLeft()))

    def _choose_column(self, column: Column, wanted: bool) -> None:
        self._chosen[column] = wanted
        self._show_columns()
        self.arranged.emit()

    def _forget_columns(self, _checked: bool = False) -> None:
        self._chosen.clear()
        self._show_columns()
        self.arranged.emit()

    def _sort_by(self, column: int, _checked: bool = False) -> None:
        same = self._tree.sort_column == column
        numbers_first = column in FIGURES or column in (Column.IDLE, Column.LAST_HOUR)
        self.sort_by(Column(column), descending=not self._tree.descending if same else numbers_first)
        self.arranged.emit()

    def sort_by(self, column: Column, *, descending: bool) -> None:
        """Sort by a column."""
        self._tree.sort(column, Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder)
        self.header().viewport().update()

    # What is pointed at.

    def mark(self, keys: Iterable[str]) -> None:
        """Let the rows of these hosts and sessions stand out, until others do."""
        wanted = frozenset(keys)
        if wanted != self._marked:
            self._marked = wanted
            self.viewport().update()

    @property
    def marked(self) -> frozenset[str]:
        return self._marked

    def _point(self, node: Node | None) -> None:
        if node is not self._pointed:
            self._pointed = node
            self.pointed.emit(node)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if self._by_keyboard and self.hasFocus():
            self._point(self._tree.node(current) if current.isValid() else None)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self._point(None)

    # What is open.

    def _key(self, index: Index) -> Hashable:
        node = self._tree.node(index)
        return (node.level, node.key)

    def _remember(self, index: QModelIndex, *, is_open: bool) -> None:
        key = self._key(index)
        (self._opened if is_open else self._closed).add(key)
        (self._closed if is_open else self._opened).discard(key)

    def _open_inserted(self, parent: QModelIndex, first: int, last: int) -> None:
        """Open rows that were open before they went (a filter), and hosts that come for the first time."""
        for row in range(first, last + 1):
            index = self._tree.index(row, 0, parent)
            node = self._tree.node(index)
            is_host = isinstance(node.source, Branch) and node.source.host is not None
            key = self._key(index)
            if key in self._opened or (is_host and key not in self._closed):
                self.expand(index)
                self._open_inserted(index, 0, self._tree.rowCount(index) - 1)

    # Pointer and keys.

    def _button_rect(self, index: Index) -> QRect:
        row = self.visualRect(self._tree.index(index.row(), Column.BUTTON, index.parent()))
        width, height = _button_width(), max(px(24), tokens.MIN_TARGET)
        return QRect(row.right() - width - px(7), row.center().y() - height // 2 + 1, width, height)

    def _button_at(self, point: QPoint) -> Node | None:
        index = self.indexAt(point)
        if not index.isValid() or not self._button_rect(index).contains(point):
            return None
        node = self._tree.node(index)
        return node if node.shown.action is not None else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        point = event.position().toPoint()
        hovered, over = (
            QPersistentModelIndex(self.indexAt(point).siblingAtColumn(0)),
            self._button_at(point) is not None,
        )
        if hovered != self._hovered or over != self._over_button:
            self._hovered, self._over_button = hovered, over
            self.viewport().update()
            self._point(self._tree.node(hovered) if hovered.isValid() else None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._by_keyboard = event.reason() is not Qt.FocusReason.MouseFocusReason
        super().focusInEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._by_keyboard = False
        if event.button() is Qt.MouseButton.LeftButton and self._button_at(event.position().toPoint()) is not None:
            event.accept()
            return
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        node = self._button_at(event.position().toPoint()) if event.button() is Qt.MouseButton.LeftButton else None
        if node is not None:
            self.asked.emit(Asked(node, node.shown.action))
            return
        super().mouseReleaseEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Enter:
            self._tree.hold_order(True)
        elif event.type() is QEvent.Type.Leave:
            self._hovered, self._over_button = QPersistentModelIndex(), False
            self.viewport().update()
            self._point(None)
            self._tree.hold_order(False)
        return super().viewportEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._by_keyboard = True
        index = self.currentIndex()
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if index.isValid() and plain:
            node = self._tree.node(index)
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._open_page(index)
                return
            if event.key() == Qt.Key.Key_R:
                if node.shown.action in ACTING:
                    self.asked.emit(Asked(node, node.shown.action))
                return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the row under the pointer, or of the current one."""
        by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(self.viewport().mapFromGlobal(event.globalPos()))
        if not index.isValid():
            return
        node = self._tree.node(index)
        at = self.viewport().mapToGlobal(self.visualRect(index).bottomLeft()) if by_key else event.globalPos()
        self.menu_asked.emit(node.parent if node.level is Level.PROCESS else node, at)

    def _open_page(self, index: Index) -> None:
        node = self._tree.node(index)
        if node.level is Level.BRANCH:
            self.setExpanded(self._tree.index_of(node), not self.isExpanded(self._tree.index_of(node)))
        elif node.level is Level.PROCESS and node.parent is not None:
            self.asked.emit(Asked(node.parent, None))
        else:
            self.asked.emit(Asked(node, None))

    # Painting.

    def paintEvent(self, event: QPaintEvent) -> None:
        self._exposed = event.rect()
        self._cells = self._exposed_cells()
        super().paintEvent(event)
        if self._snapshot is not None and not self._tree.rowCount() and self._tree.is_filtered:
            painter = QPainter(self.viewport())
            painter.setFont(tokens.font(tokens.BODY))
            painter.setPen(tokens.theme().sec)
            room = self.viewport().rect().adjusted(px(8), px(24), -px(8), 0)
            painter.drawText(room, Flags.AlignHCenter | Flags.AlignTop, say("Nothing matches the filter"))

    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        node, theme = self._tree.node(index), tokens.theme()
        row = QRectF(0, option.rect.top(), self.viewport().width(), option.rect.height())
        painter.save()
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter, row, index, theme)
        if node.children and self._exposed.left() < self._right_of(Column.NAME):
            self._paint_chevron(painter, row, node, self.isExpanded(index), theme)
        for column, left, width in self._cells:
            self._paint_cell(painter, QRectF(left, row.top(), width, row.height()), node, column, index)
        painter.restore()

    def _exposed_cells(self) -> list[tuple[Column, float, float]]:
        """Return the columns that are to be painted, with where their text begins and how wide it may be."""
        found, seen = [], self._exposed
        for column in Column:
            left = self.columnViewportPosition(column)
            if not self.isColumnHidden(column) and self._right_of(column) >= seen.left() and left <= seen.right():
                free_left, _, free_right, _ = _cell_padding(column)
                found.append((column, left + free_left, self.columnWidth(column) - free_left + free_right))
        return found

    def drawBranches(self, painter: QPainter, rect: QRect, index: Index) -> None:
        """Nothing: drawRow paints the chevron."""

    def _paint_ground(self, painter: QPainter, row: QRectF, index: Index, theme: tokens.Theme) -> None:
        chosen = self.selectionModel().isRowSelected(index.row(), index.parent())
        if chosen or self._is_marked(index):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.tint)
            painter.drawRoundedRect(row.adjusted(0, 1, 0, -2), tokens.RADIUS_BUTTON, tokens.RADIUS_BUTTON)
        painter.fillRect(QRectF(px(8), row.bottom() - 1, row.width() - px(16), 1), theme.line)
        is_current = self.currentIndex().siblingAtColumn(0) == self._tree.index(index.row(), 0, index.parent())
        if is_current and self._by_keyboard and self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.ink, tokens.FOCUS_WIDTH))
            painter.drawRoundedRect(row.adjusted(1, 1, -1, -2), tokens.RADIUS_BUTTON, tokens.RADIUS_BUTTON)

    def _is_marked(self, index: Index) -> bool:
        """Say whether a row stands out, for itself or for what is below it while it is closed."""
        if not self._marked:
            return False
        node = self._tree.node(index)
        if node.level is Level.BRANCH and node.key not in self._marked and not self.isExpanded(index):
            return any(child.key in self._marked for child in node.children)
        return node.level is not Level.PROCESS and node.key in self._marked

    def _paint_chevron(self, painter: QPainter, row: QRectF, node: Node, is_open: bool, theme: tokens.Theme) -> None:
        side = px(9)
        centre = px(12) + (node.level - Level.BRANCH) * self.indentation()
        box = QRectF(centre - side / 2, row.center().y() - side / 2, side, side)
        paint_chevron(painter, box, theme.sec, degrees=90 if is_open else 0)

    def _paint_cell(self, painter: QPainter, cell: QRectF, node: Node, column: Column, index: Index) -> None:
        theme = tokens.theme()
        match column:
            case Column.NAME:
                self._paint_name(painter, cell, node, theme)
            case Column.STATE:
                self._paint_state(painter, cell, node, theme)
            case Column.IDLE | Column.FOLDER | Column.MODEL:
                font = tokens.font(tokens.SECOND)
                _paint_elided(painter, cell, self._tree.text(node, column), font, theme.sec)
            case _ if column in FIGURES:
                bold = column is Column.MEMORY and node.level is not Level.PROCESS
                painter.setFont(tokens.font(tokens.BODY if column is Column.MEMORY else tokens.SECOND, _weight(bold)))
                painter.setPen(theme.ink if bold else theme.sec)
                painter.drawText(cell, RIGHT, self._tree.text(node, column))
            case Column.LAST_HOUR:
                box = QRectF(cell.left(), cell.center().y() - px(9), px(56), px(18))
                paint_sparkline(painter, box, self._tree.sparkline(node), theme)
            case Column.BUTTON if node.shown.action is not None:
                hovered = self._over_button and self._hovered == self._tree.index_of(node)
                words = action_words(node.shown.action)
                _paint_button(painter, QRectF(self._button_rect(index)), words, theme, hovered=hovered)

    def _paint_name(self, painter: QPainter, cell: QRectF, node: Node, theme: tokens.Theme) -> None:
        left = cell.left() + px(15) + (node.level - Level.BRANCH) * self.indentation()
        if node.level is Level.BRANCH:
            side = px(MARK_SIDE)
            marks.paint_host_mark(
                painter, QRectF(left, cell.center().y() - side / 2, side, side), self._mark(node), theme
            )
            left += side + px(8)
        weight = SEMIBOLD if node.level is Level.BRANCH else MEDIUM if node.level is Level.GROUP else REGULAR
        colour = theme.sec if node.level is Level.PROCESS else theme.ink
        kept = node.level is Level.GROUP and bool(node.shown.second)
        room = cell.right() - left - (px(17) if kept else 0)
        right = _paint_elided(
            painter,
            QRectF(left, cell.top(), room, cell.height()),
            node.shown.title,
            tokens.font(tokens.BODY, weight),
            colour,
        )
        if kept:
            sign = QRectF(right + px(8), cell.center().y() - px(5), px(7), px(10))
            paint_kept(painter, sign, theme.ink)
            right = sign.right() - px(2)
        if node.shown.second:  # a process has no state: its second words may run on into that column
            end = self.columnViewportPosition(Column.STATE) + self.columnWidth(Column.STATE)
            end = round(cell.right()) - px(6) if kept else end
            rest = QRectF(right + px(8), cell.top(), end - right - px(8), cell.height())
            _paint_elided(painter, rest, node.shown.second, tokens.font(tokens.SECOND), theme.ter)

    def _mark(self, node: Node) -> marks.Mark:
        return marks.SHARED if node.branch is None else branch_mark(node.branch, self._snapshot)

    def _paint_state(self, painter: QPainter, cell: QRectF, node: Node, theme: tokens.Theme) -> None:
        if not node.shown.state_text:
            return
        strong = node.shown.state is State.WAITING
        left = cell.left()
        if node.level is Level.GROUP and node.group is not None:
            side = float(px(8))
            loud = node.shown.state in (State.BUSY, State.WAITING)
            shape = marks.STATE_SHAPES.get(node.shown.state) if node.shown.state is not None else None
            box = QRectF(left, cell.center().y() - side / 2, side, side)
            marks.paint_state_mark(
                painter, box, shape or marks.state_shape(node.group), theme.ink if loud else theme.sec
            )
            left += px(16)
        room = QRectF(left, cell.top(), cell.right() - px(6) - left, cell.height())
        font = tokens.font(tokens.SECOND, _weight(strong))
        _paint_elided(painter, room, node.shown.state_text, font, theme.ink if strong else theme.sec)


def _weight(bold: bool) -> QFont.Weight:
    return SEMIBOLD if bold else REGULAR


def _paint_elided(painter: QPainter, room: QRectF, text: str, font: QFont, colour: QColor) -> float:
    """Paint a text that elides at its end; return where it ended."""
    painter.setFont(font)
    painter.setPen(colour)
    shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, max(0, int(room.width())))
    painter.drawText(room, LEFT, shown)
    return room.left() + tokens.text_width(shown, font)


def _paint_button(painter: QPainter, rect: QRectF, text: str, theme: tokens.Theme, *, hovered: bool) -> None:
    painter.setPen(QPen(theme.line2, 1))
    painter.setBrush(theme.tint if hovered or theme.is_dark else theme.card)
    radius = tokens.RADIUS_BUTTON_SMALL
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
    painter.setFont(tokens.font(tokens.SECOND, MEDIUM))
    painter.setPen(theme.ink)
    painter.drawText(rect, Flags.AlignCenter, text)
