"""The processes of one session: what each is for, why it belongs here, and what it holds."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from operator import itemgetter
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFocusEvent, QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from trayapp.model.process import Identity
from trayapp.model.session import EndsBy, Role
from trayapp.model.snapshot import Group, Member
from trayapp.say import noted, say, told
from trayapp.ui import numbers, tokens
from trayapp.ui.controls import FocusOutline
from trayapp.ui.sparkline import paint_chevron
from trayapp.ui.tokens import MEDIUM, REGULAR, SEMIBOLD, px
from trayapp.ui.tree import Index

ROW = 32
HEAD = 28
Flags = Qt.AlignmentFlag


class ProcessColumn(IntEnum):
    """Name the columns, left to right."""

    PROCESS = 0
    ROLE = 1
    BECAUSE = 2
    MEMORY = 3
    RSS = 4
    CPU = 5


HEADS = (
    noted("Process"),
    noted("Role"),
    noted("Belongs here because"),
    noted("Memory"),
    noted("RSS"),
    noted("CPU"),
)
WIDTHS = {
    ProcessColumn.ROLE: 128,
    ProcessColumn.BECAUSE: 250,
    ProcessColumn.MEMORY: 86,
    ProcessColumn.RSS: 86,
    ProcessColumn.CPU: 76,
}
NARROW = 700
NARROW_WIDTHS = {
    ProcessColumn.ROLE: 126,
    ProcessColumn.BECAUSE: 190,
    ProcessColumn.MEMORY: 74,
    ProcessColumn.CPU: 60,
}
NOTES = {EndsBy.NOT: noted("its host keeps it"), EndsBy.HOST: noted("closed by its host")}
_ROLES = {
    Role.BACKEND: noted("Backend"),
    Role.WRAPPER: noted("Wrapper"),
    Role.LAUNCHER: noted("Launcher"),
    Role.HELPER: noted("Helper"),
    Role.WORK: noted("Work"),
    Role.SHELL: noted("Shell"),
    Role.INFRA: noted("Infra"),
    Role.SPARE: noted("Spare"),
    Role.CLIENT: noted("Client"),
    Role.APP: noted("App"),
    Role.UNKNOWN: noted("Unknown"),
}
FIGURES = (ProcessColumn.MEMORY, ProcessColumn.RSS, ProcessColumn.CPU)


class ProcessTable(QAbstractTableModel):
    """Hold the members of a group, sorted; rows are matched by identity, so that a tick resets nothing."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Member] = []
        self._surplus: frozenset[Identity] = frozenset()
        self.sort_column = ProcessColumn.MEMORY
        self.descending = True

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(ProcessColumn)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        is_text = role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole)
        return say(HEADS[section]) if is_text and orientation is Qt.Orientation.Horizontal else None

    def member(self, row: int) -> Member:
        return self._rows[row]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        member = self._rows[index.row()]
        match ProcessColumn(index.column()):
            case ProcessColumn.PROCESS:
                return f"{member.process.name} {member.process.pid}"
            case ProcessColumn.ROLE:
                return self.role_words(member)
            case ProcessColumn.BECAUSE:
                note = NOTES.get(member.ends_by)
                return because(member) if note is None else f"{because(member)}, {say(note)}"
            case ProcessColumn.MEMORY:
                return numbers.memory(_memory(member))
            case ProcessColumn.RSS:
                return numbers.memory(member.process.rss_bytes)
            case ProcessColumn.CPU:
                return numbers.percent(member.cpu_percent)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self.sort_column, self.descending = ProcessColumn(column), order is Qt.SortOrder.DescendingOrder
        self._put(self._rows)

    def role_words(self, member: Member) -> str:
        """Return its role; of several backends also which one is the current one."""
        if self._surplus and member.role is Role.BACKEND:
            surplus = member.process.identity in self._surplus
            return say("Backend, surplus") if surplus else say("Backend, current")
        return say(_ROLES[member.role])

    def show_group(self, group: Group) -> None:
        surplus = frozenset(member.process.identity for member in group.surplus)
        changed, self._surplus = surplus != self._surplus, surplus
        self._put(list(group.members))
        if changed and self._rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, len(ProcessColumn) - 1))

    def _put(self, members: list[Member]) -> None:
        rows = self._sorted(members)
        kept = min(len(rows), len(self._rows))
        before, self._rows[:kept] = self._rows[:kept], rows[:kept]
        for row in range(kept):
            if before[row] != rows[row]:
                self.dataChanged.emit(self.index(row, 0), self.index(row, len(ProcessColumn) - 1))
        if len(rows) > kept:
            self.beginInsertRows(QModelIndex(), kept, len(rows) - 1)
            self._rows += rows[kept:]
            self.endInsertRows()
        elif len(self._rows) > kept:
            self.beginRemoveRows(QModelIndex(), kept, len(self._rows) - 1)
            del self._rows[kept:]
            self.endRemoveRows()

    def _sorted(self, members: list[Member]) -> list[Member]:
        known: list[tuple[Any, Identity, Member]] = []
        absent: list[tuple[Any, Identity, Member]] = []
        for member in members:
            value = self._sort_value(member)
            (absent if value is None else known).append((value, member.process.identity, member))
        known.sort(key=itemgetter(1))
        known.sort(key=itemgetter(0), reverse=self.descending)
        absent.sort(key=itemgetter(1))
        return [member for _, _, member in known + absent]

    def _sort_value(self, member: Member) -> float | str | None:
        match self.sort_column:
            case ProcessColumn.PROCESS:
                return member.process.name.casefold()
            case ProcessColumn.ROLE:
                return str(member.role)
            case ProcessColumn.BECAUSE:
                return member.claim.source if member.claim is not None else None
            case ProcessColumn.MEMORY:
                return _memory(member)
            case ProcessColumn.RSS:
                return member.process.rss_bytes
            case ProcessColumn.CPU:
                return member.cpu_percent


def because(member: Member) -> str:
    """Return why a process belongs here."""
    return told(member.claim.source) if member.claim is not None else say("not known")


def _memory(member: Member) -> int | None:
    process = member.process
    return process.rss_bytes if process.footprint_bytes is None else process.footprint_bytes


class _Cell(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(px(60), px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model, theme = index.model(), tokens.theme()
        if not isinstance(model, ProcessTable):
            return
        rect: QRect = option.rect
        painter.save()
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.line)
        column, member = ProcessColumn(index.column()), model.member(index.row())
        cell = QRectF(rect).adjusted(px(8), 0, -px(8) if column is not ProcessColumn.CPU else 0, 0)
        if column is ProcessColumn.PROCESS:
            _paint_process(painter, cell, member, theme)
        else:
            bold = column is ProcessColumn.MEMORY
            painter.setFont(tokens.font(tokens.BODY if bold else tokens.SECOND, SEMIBOLD if bold else REGULAR))
            painter.setPen(theme.ink if bold else theme.sec)
            if column is ProcessColumn.BECAUSE and member.ends_by in NOTES:
                cell = _paint_note(painter, cell, member, theme)
            flag = Flags.AlignRight if column in FIGURES else Flags.AlignLeft
            words = because(member) if column is ProcessColumn.BECAUSE else str(index.data())
            shown = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, max(0, int(cell.width())))
            painter.drawText(cell, flag | Flags.AlignVCenter, shown)
        painter.restore()


def _paint_note(painter: QPainter, cell: QRectF, member: Member, theme: tokens.Theme) -> QRectF:
    """Write how it may be ended after why it belongs here, in full; return what is left for that."""
    note = say(NOTES[member.ends_by])
    metrics = painter.fontMetrics()
    room = max(0.0, cell.width() - metrics.horizontalAdvance(note) - px(8))
    reason = min(room, float(metrics.horizontalAdvance(because(member)) + 1))
    painter.save()
    painter.setPen(theme.ink)
    left = cell.left() + (reason + px(8) if reason else 0)
    shown = metrics.elidedText(note, Qt.TextElideMode.ElideRight, max(0, int(cell.right() - left)))
    painter.drawText(QRectF(cell).adjusted(left - cell.left(), 0, 0, 0), Flags.AlignLeft | Flags.AlignVCenter, shown)
    painter.restore()
    return QRectF(cell.left(), cell.top(), reason, cell.height())


def _paint_process(painter: QPainter, cell: QRectF, member: Member, theme: tokens.Theme) -> None:
    cell.setLeft(cell.left() - px(8))
    font = tokens.font(tokens.BODY, MEDIUM)
    pid, plain = str(member.process.pid), tokens.font(tokens.SECOND)
    room = cell.width() - tokens.text_width(pid, plain) - px(8)
    name = QFontMetrics(font).elidedText(member.process.name, Qt.TextElideMode.ElideRight, max(0, int(room)))
    painter.setFont(font)
    painter.setPen(theme.ink)
    painter.drawText(cell, Flags.AlignLeft | Flags.AlignVCenter, name)
    painter.setFont(plain)
    painter.setPen(theme.sec)
    rest = cell.adjusted(tokens.text_width(name, font) + px(8), 0, 0, 0)
    painter.drawText(rest, Flags.AlignLeft | Flags.AlignVCenter, pid)


class _Head(QHeaderView):
    def __init__(self, table: ProcessTable, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._table = table
        self.setFixedHeight(px(HEAD))
        self.setSectionsClickable(True)
        self.setStretchLastSection(False)

    def paintSection(self, painter: QPainter, rect: QRect, logical: int) -> None:
        theme, column = tokens.theme(), ProcessColumn(logical)
        chosen = self._table.sort_column is column
        painter.save()
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        font = tokens.font(tokens.SMALL, SEMIBOLD if chosen else MEDIUM)
        painter.setFont(font)
        painter.setPen(theme.ink if chosen else theme.sec)
        left = 0 if column is ProcessColumn.PROCESS else px(8)
        cell = QRectF(rect).adjusted(left, 0, -px(8) if column is not ProcessColumn.CPU else 0, 0)
        figure = column in FIGURES
        words = say(HEADS[logical])
        painter.drawText(cell, (Flags.AlignRight if figure else Flags.AlignLeft) | Flags.AlignVCenter, words)
        if chosen:
            width, side = tokens.text_width(words, font), px(8)
            at = cell.right() - width - side - px(5) if figure else cell.left() + width + px(6)
            box = QRectF(at, cell.center().y() - side / 2, side, side)
            paint_chevron(painter, box, theme.ink, degrees=90 if self._table.descending else -90)
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.line)
        painter.restore()


class ProcessTableView(QTreeView):
    """Show a ProcessTable, as high as its rows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # figures and time run that way everywhere
        self.table = ProcessTable(self)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setModel(self.table)
        self.setHeader(_Head(self.table, self))
        self.setItemDelegate(_Cell(self))
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.setAccessibleName(say("Processes of this session"))
        head = self.header()
        head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head.setSectionResizeMode(ProcessColumn.PROCESS, QHeaderView.ResizeMode.Stretch)
        self._set_widths(WIDTHS)
        head.sectionClicked.connect(self._sort_by)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < px(NARROW)
        self.setColumnHidden(ProcessColumn.RSS, narrow)
        self._set_widths(NARROW_WIDTHS if narrow else WIDTHS)

    def _set_widths(self, widths: Mapping[ProcessColumn, int]) -> None:
        """Give columns the width of the design; figures more where their head needs it in this language."""
        font = tokens.font(tokens.SMALL, SEMIBOLD)
        for column, width in widths.items():
            head = round(tokens.text_width(say(HEADS[column]), font)) + px(26) if column in FIGURES else 0
            self.header().resizeSection(column, max(px(width), head))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        FocusOutline.show_on(self, event, tokens.RADIUS_BUTTON_SMALL)
        if not self.currentIndex().isValid():
            self.setCurrentIndex(self.table.index(0, 0))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        FocusOutline.hide_on(self)

    def show_group(self, group: Group) -> None:
        self.table.show_group(group)
        self.setFixedHeight(px(HEAD) + max(1, self.table.rowCount()) * px(ROW) + 1)

    def _sort_by(self, column: int) -> None:
        same = self.table.sort_column == column
        descending = not self.table.descending if same else column in FIGURES
        self.table.sort(column, Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder)
        self.header().viewport().update()
