"""What would be released next, in order, with the reason for each; and what is not offered, and why not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from trayapp import targets
from trayapp.model.snapshot import Group, GroupKind, Snapshot
from trayapp.ui import heap_view, tokens
from trayapp.ui.controls import Button, Hairline, Kind, Panel, Text
from trayapp.ui.marks import SHARED, HostMark, Mark, StateShape, mark_of, paint_state_mark, state_shape
from trayapp.ui.overview_page import show_release
from trayapp.ui.page import ColumnHead, Page
from trayapp.ui.tokens import MEDIUM, SEMIBOLD, px
from trayapp.ui.tree import RowAction, row_action
from trayapp.wording import decision_words, state_words

LEAD = 36
WHY = 250
WHY_NARROW = 136
NARROW = 760
SIZE = 104
BUTTON = 88


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Hold what one row shows; `lead` is its place in the order, or the sign of its state."""

    key: str
    lead: str | StateShape
    mark: Mark
    title: str
    second: str
    why: str
    size: str
    action: RowAction | None


class _Lead(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: str | StateShape = ""
        self.setFixedSize(px(LEAD), px(20))

    def show_lead(self, shown: str | StateShape) -> None:
        self._shown = shown
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), tokens.theme()
        if isinstance(self._shown, StateShape):
            loud = self._shown in (StateShape.BUSY, StateShape.WAITING)
            box = QRectF(px(6), (self.height() - 8) / 2, 8, 8)
            paint_state_mark(painter, box, self._shown, theme.ink if loud else theme.sec)
            return
        painter.setFont(tokens.font(tokens.TITLE_CARD, SEMIBOLD))
        painter.setPen(theme.ink if self._shown == "1" else theme.sec)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, f" {self._shown}")


class _Row(QWidget):
    """Show one line; the button tells which group it was pressed for."""

    pressed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._key = ""
        self._lead = _Lead()
        self._mark = HostMark(SHARED, 22)
        self._title = Text("", weight=MEDIUM)
        self._second = Text("", size=tokens.SECOND, tone="sec", wrap=True)
        self._why = Text("", size=tokens.SECOND, tone="sec", wrap=True)
        self._why.setFixedWidth(px(WHY))
        self._size = Text("", weight=SEMIBOLD, align=Qt.AlignmentFlag.AlignRight)
        self._size.setFixedWidth(px(SIZE))
        self.button = Button("", height=25, min_width=76)
        self._room = QWidget()
        self._room.setFixedWidth(px(BUTTON))
        room = QHBoxLayout(self._room)
        room.setContentsMargins(0, 0, 0, 0)
        room.addStretch(1)
        room.addWidget(self.button)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addStretch(1)
        words.addWidget(self._title)
        words.addWidget(self._second)
        words.addStretch(1)
        row = QHBoxLayout()
        row.setContentsMargins(px(tokens.TABLE_PADDING), 0, px(tokens.TABLE_PADDING), 0)
        row.setSpacing(px(tokens.MARK_GAP))
        row.addWidget(self._lead)
        row.addWidget(self._mark)
        row.addLayout(words, 1)
        for widget in (self._why, self._size, self._room):
            row.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row, 1)
        self._foot = QHBoxLayout()
        self._foot.setContentsMargins(px(16 + LEAD + 12), 0, px(16), 0)
        self.hairline = Hairline()
        self._foot.addWidget(self.hairline)
        column.addLayout(self._foot)
        self.button.clicked.connect(lambda: self.pressed.emit(self._key))

    def set_why_width(self, width: int) -> None:
        self._why.setFixedWidth(px(width))

    def show_line(self, line: Line, *, last: bool) -> None:
        self._key = line.key
        self.setFixedHeight(px(56 if line.second else 44))
        self._lead.show_lead(line.lead)
        self._mark.set_mark(line.mark)
        self._mark.update()
        self._title.setText(line.title)
        self._second.setText(line.second)
        self._second.setVisible(bool(line.second))
        self._why.setText(line.why)
        self._size.setText(line.size)
        self.button.setVisible(line.action is not None)
        self.hairline.setVisible(not last)
        spoken = ", ".join(part for part in (line.title, line.second, line.why, line.size) if part)
        self.setAccessibleName(spoken)
        if line.action is not None:
            self.button.setText(str(line.action))
            self.button.setAccessibleName(f"{str(line.action).rstrip('…')} {line.title}, {line.size}")


class Section(Panel):
    """Show a list under a head; rows are kept and refilled, so that a tick moves nothing."""

    # In the UI thread, when a row's button was pressed; payload: the group's key.
    pressed = Signal(str)

    def __init__(self, head: ColumnHead, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._head = head
        self._why_width = WHY
        self._rows: list[_Row] = []
        self._lines: tuple[Line, ...] = ()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(1, px(2), 1, px(2))
        self._column.setSpacing(0)
        self._column.addWidget(head)
        self._column.addWidget(Hairline())
        self.hide()

    def set_why_width(self, width: int) -> None:
        """Give the reasons that much room; the titles take the rest."""
        self._why_width = width
        for row in self._rows:
            row.set_why_width(width)
        self._head.set_width("Why now", width)

    @property
    def lines(self) -> tuple[Line, ...]:
        return self._lines

    def show_lines(self, lines: Sequence[Line]) -> None:
        if tuple(lines) == self._lines:
            return
        self._lines = tuple(lines)
        while len(self._rows) < len(lines):
            row = _Row()
            row.set_why_width(self._why_width)
            row.pressed.connect(self.pressed)
            self._rows.append(row)
            self._column.addWidget(row)
        for at, (row, line) in enumerate(zip(self._rows, lines, strict=False)):
            row.show_line(line, last=at == len(lines) - 1)
        for at, row in enumerate(self._rows):
            row.setVisible(at < len(lines))
        self.setVisible(bool(lines))

    def button(self, key: str) -> Button:
        """Return the button of a group's row."""
        return self._rows[[line.key for line in self._lines].index(key)].button


class NextPage(Page):
    """List what can go in the order of what it gives back."""

    # In the UI thread, when a row's button was pressed; payload: the group's key.
    pressed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Next to go", scrolls=True, parent=parent)
        self.release_next = Button("Release next", height=32)
        self.release = Button("Release…", Kind.PRIMARY, height=32)
        self.head.addWidget(self.release_next)
        self.head.addWidget(self.release)
        self.body.addWidget(_policy_line())
        left, right = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
        heads = [("Order", LEAD, left), ("Session", 0, left), ("Why now", WHY, left), ("Gives back", SIZE, right)]
        self.sessions = Section(ColumnHead([*heads, ("", BUTTON, left)]))
        self.orphans = Section(ColumnHead([("Orphans, ended by signal", 0, left)]))
        self.staying = Section(ColumnHead([("Not offered", 0, left)]))
        self._nothing = Text("Nothing can be released now.", tone="sec")
        self.body.addWidget(self._nothing)
        for section in (self.sessions, self.orphans, self.staying):
            section.pressed.connect(self.pressed)
            self.body.addWidget(section)
        self.body.addStretch(1)
        self.release_next.clicked.connect(self._press_next)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for section in (self.sessions, self.orphans, self.staying):
            section.set_why_width(WHY_NARROW if self.width() < px(NARROW) else WHY)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        now_epoch_s = snapshot.taken_at.timestamp()
        can_go = targets.reclaimable(snapshot)
        sessions = [group for group in can_go if not targets.is_orphan(group)]
        orphans = [group for group in targets.orphans(snapshot) if row_action(group) is not None]
        shown = {group.key for group in (*sessions, *orphans)}
        rest = [group for group in snapshot.groups if group.key not in shown and _is_listed(group)]
        rest.sort(key=targets.weight, reverse=True)
        self.sessions.show_lines([_session_line(n, g, snapshot, now_epoch_s) for n, g in enumerate(sessions, 1)])
        self.orphans.show_lines([_orphan_line(group, snapshot) for group in orphans])
        self.staying.show_lines([_staying_line(group, snapshot) for group in rest])
        self._nothing.setVisible(not shown)
        self.release_next.setEnabled(bool(sessions))
        show_release(self.release, snapshot)

    def _press_next(self) -> None:
        if self.sessions.lines:
            self.pressed.emit(self.sessions.lines[0].key)


def _policy_line() -> Panel:
    panel = Panel()
    column = QVBoxLayout(panel)
    column.setContentsMargins(px(20), px(10), px(20), px(10))
    column.setSpacing(0)
    column.addWidget(Text("Automatic release is off", weight=SEMIBOLD))
    column.addWidget(
        Text("This is the order it would follow. Nothing goes until you say so.", size=tokens.SECOND, tone="sec")
    )
    return panel


def _is_listed(group: Group) -> bool:
    return group.kind is GroupKind.SESSION or targets.is_orphan(group)


def _session_line(number: int, group: Group, snapshot: Snapshot, now_epoch_s: float) -> Line:
    label = snapshot.label(group.host)
    parts = (label.title if label is not None else group.host, group.cwd)
    why = state_words(group, now_epoch_s=now_epoch_s)
    return Line(
        key=group.key,
        lead=str(number),
        mark=mark_of(group, snapshot),
        title=group.name,
        second=", ".join(part for part in parts if part),
        why=f"{why}, and the largest" if number == 1 else why,
        size=heap_view.held_words(group),
        action=row_action(group),
    )


def _orphan_line(group: Group, snapshot: Snapshot) -> Line:
    decision = targets.decision_of(group)
    return Line(
        key=group.key,
        lead="",
        mark=mark_of(group, snapshot),
        title=group.name,
        second=group.owner_hint or "",
        why="" if decision is None else decision_words(decision),
        size=heap_view.held_words(group),
        action=row_action(group),
    )


def _staying_line(group: Group, snapshot: Snapshot) -> Line:
    reason = targets.reason_to_stay(group)
    return Line(
        key=group.key,
        lead=state_shape(group),
        mark=mark_of(group, snapshot),
        title=group.name,
        second="",
        why=reason[:1].upper() + reason[1:],
        size=heap_view.held_words(group),
        action=row_action(group),
    )
