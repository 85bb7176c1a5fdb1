"""What a chart shows as a table: a row per stretch of time, for screen readers and for exact figures."""

from __future__ import annotations

from datetime import tzinfo

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from trayapp.model.series import Layer, Series
from trayapp.say import say
from trayapp.ui import chart_data, numbers, tokens
from trayapp.ui.chart_data import Stretch
from trayapp.ui.chart_overlay import CPU, Lower, mark_sentence
from trayapp.ui.scrollbar import SlimScrollBar
from trayapp.ui.tokens import MEDIUM, px

Index = QModelIndex | QPersistentModelIndex
TIME, TOTAL = 0, 1
ROW = 26
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


class ChartTableView(QTableView):
    """Show a ChartTable; cells are reached by the arrow keys, Tab leaves it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = ChartTable(self)
        self.setModel(self.table)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setFont(tokens.font(tokens.SECOND))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollBar(SlimScrollBar())
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(px(ROW))
        head = self.horizontalHeader()
        head.setFont(tokens.font(tokens.SMALL, MEDIUM))
        head.setHighlightSections(False)
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setStretchLastSection(True)
        self.setAccessibleName(say("Memory and CPU over time, as a table"))
