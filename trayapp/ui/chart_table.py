"""What a chart shows as a table: a row per stretch of time, for screen readers and for exact figures."""

from __future__ import annotations

from datetime import tzinfo

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from trayapp.model.series import Layer, Series
from trayapp.say import say
from trayapp.ui import chart_data, numbers, tokens
from trayapp.ui.chart_data import Stretch
from trayapp.ui.chart_overlay import CPU, Lower, mark_sentence
from trayapp.ui.scrollbar import SlimScrollBar
from trayapp.ui.tokens import MEDIUM, REGULAR, SEMIBOLD, px

Index = QModelIndex | QPersistentModelIndex
TIME, TOTAL = 0, 1
ROW, HEAD, SIDE = 26, 28, 8
Flags = Qt.AlignmentFlag


class ChartTable(QAbstractTableModel):
    """Hold one series: time, the sum, each layer from above, the lower plot's figure, and what happened."""

    def __init__(self, parent: QObject | None = None, *, zone: tzinfo | None = None) -> None:
        super().__init__(parent)
        self._zone = zone
        self._rows: tuple[Stretch, ...] = ()
        self._layers: tuple[Layer, ...] = ()
        self._range = (0.0, 1.0)
        self._lower = CPU

    def show_series(
        self, series: Series, layers: tuple[Layer, ...], shown: tuple[float, float], lower: Lower = CPU
    ) -> None:
        """Show a series; the rows that stay in number are changed in place."""
        rows = chart_data.table_rows(series, layers, mark_sentence)
        same_shape = len(rows) == len(self._rows) and len(layers) == len(self._layers)
        if not same_shape:
            self.beginResetModel()
        self._rows, self._layers, self._range, self._lower = rows, layers, shown, lower
        if not same_shape:
            self.endResetModel()
            return
        if rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, self.columnCount() - 1))
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self.columnCount() - 1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._layers) + 4

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._head(section)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(section)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(self._rows[index.row()], index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(index.column())
        if role == Qt.ItemDataRole.ToolTipRole and index.column() == self.columnCount() - 1:
            return self._text(self._rows[index.row()], index.column()) or None
        return None

    def _head(self, section: int) -> str:
        last = self.columnCount() - 1
        if section == TIME:
            return say("Time")
        if section == TOTAL:
            return say("In all")
        if section == last:
            return say("What happened")
        return say(self._lower.title) if section == last - 1 else chart_data.title_of(self._layers[-(section - 1)])

    def _text(self, row: Stretch, column: int) -> str:
        last = self.columnCount() - 1
        if column == TIME:
            since, until = (
                chart_data.moment_label(at, *self._range, self._zone) for at in (row.since_epoch_s, row.until_epoch_s)
            )
            return say("{since} to {until}", since=since, until=until)
        if column == TOTAL:
            return _size(row.memory_bytes)
        if column == last:
            return "; ".join(row.happened)
        if column == last - 1:
            return numbers.memory(None) if row.lower is None else self._lower.say(row.lower)
        return _size(row.layers[-(column - 1)])

    def _alignment(self, column: int) -> int:
        left = column in (TIME, self.columnCount() - 1)
        return int((Flags.AlignLeft if left else Flags.AlignRight) | Flags.AlignVCenter)


def _size(size_bytes: float | None) -> str:
    return numbers.memory(None if size_bytes is None else round(size_bytes))


class _Cell(QStyledItemDelegate):
    """Paint a cell with room at both sides, and a hairline below."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        width = tokens.text_width(str(index.data()), tokens.font(tokens.SECOND, SEMIBOLD))
        return QSize(round(width) + 2 * px(SIDE) + 2, px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, rect = tokens.theme(), option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.tint)
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.line)
        is_total = index.column() == TOTAL
        painter.setFont(tokens.font(tokens.SECOND, SEMIBOLD if is_total else REGULAR))
        painter.setPen(theme.ink if is_total else theme.sec)
        cell = rect.adjusted(px(SIDE), 0, -px(SIDE), 0)
        shown = painter.fontMetrics().elidedText(str(index.data()), Qt.TextElideMode.ElideRight, cell.width())
        painter.drawText(cell, int(index.data(Qt.ItemDataRole.TextAlignmentRole)), shown)


class _Head(QHeaderView):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setFixedHeight(px(HEAD))
        self.setHighlightSections(False)

    def sectionSizeFromContents(self, logical: int) -> QSize:
        words = str(self.model().headerData(logical, Qt.Orientation.Horizontal))
        return QSize(round(tokens.text_width(words, tokens.font(tokens.SMALL, MEDIUM))) + 2 * px(SIDE) + 2, px(HEAD))

    def paintSection(self, painter: QPainter, rect: QRect, logical: int) -> None:
        model, theme = self.model(), tokens.theme()
        painter.save()
        painter.setFont(tokens.font(tokens.SMALL, MEDIUM))
        painter.setPen(theme.sec)
        cell = rect.adjusted(px(SIDE), 0, -px(SIDE), 0)
        flags = model.headerData(logical, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole)
        painter.drawText(cell, int(flags), str(model.headerData(logical, Qt.Orientation.Horizontal)))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.line)
        painter.restore()


class ChartTableView(QTableView):
    """Show a ChartTable; cells are reached by the arrow keys, Tab leaves it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = ChartTable(self)
        self._outlined = False
        self.setHorizontalHeader(_Head(self))
        self.setModel(self.table)
        self.setItemDelegate(_Cell(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollBar(SlimScrollBar())
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(px(ROW))
        self.setAccessibleName(say("Memory and CPU over time, as a table"))
        self._fit_columns()
        self.table.modelReset.connect(self._fit_columns)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._outlined = event.reason() is not Qt.FocusReason.MouseFocusReason
        self.viewport().update()
        if not self.currentIndex().isValid():
            self.setCurrentIndex(self.table.index(0, 0))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._outlined = False
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._outlined:  # inside: it fills what it stands in
            painter = QPainter(self.viewport())
            painter.setPen(QPen(tokens.theme().ink, tokens.FOCUS_WIDTH))
            painter.drawRect(self.viewport().rect().adjusted(1, 1, -1, -1))

    def _fit_columns(self) -> None:
        """Give figures what they need, and what happened the rest."""
        head, last = self.horizontalHeader(), self.table.columnCount() - 1
        for column in range(last):
            head.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(last, QHeaderView.ResizeMode.Stretch)
        head.setMinimumSectionSize(px(40))
