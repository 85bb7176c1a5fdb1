"""What would be released next, in order, with the reason for each; and what is not offered, and why not.

The order is that of reclaim/order.py, which policies follow too; orphans, which go before all else, stand in a section
of their own below it. Knows what is kept and whether a policy is on; carries nothing out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from trayapp import targets
from trayapp.model.plan import Action
from trayapp.model.policy import Policy
from trayapp.model.snapshot import Group, GroupKind, Snapshot
from trayapp.reclaim.order import Next, next_to_go
from trayapp.say import noted, say, say_n, told
from trayapp.ui import heap_view, keeping, numbers, tokens
from trayapp.ui.bridge import Bridge
from trayapp.ui.controls import Button, Hairline, Kind, Panel, Text
from trayapp.ui.marks import SHARED, HostMark, Mark, StateShape, mark_of, paint_state_mark, state_shape
from trayapp.ui.overview_page import show_release
from trayapp.ui.page import ColumnHead, EmptyState, Page
from trayapp.ui.tokens import MEDIUM, SEMIBOLD, px
from trayapp.ui.tree import RowAction, action_words, row_action
from trayapp.wording import decision_words, duration

LEAD = 36
WHY = 224
WHY_NARROW = 136
NARROW = 760
SIZE = 84
BUTTON = 80
LATER = 92
LATER_NARROW = 40
NOT_NOW = noted("Not now")
MORE = "•••"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Hold what one row shows.

    Attributes:
        lead: its place in the order, or the sign of its state.
        why, then: the reason for it, and the rest of that.
        word: on the button, "" = it has none.
        later: on the quiet button beside it, "" = it has none.
    """

    key: str
    lead: str | StateShape
    mark: Mark
    title: str
    second: str
    why: str
    size: str
    word: str
    then: str = ""
    later: str = ""


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


def button_width() -> int:
    """Return the room for the button of a row, in points: the longest of its words is whole."""
    return max(BUTTON, _width_of([action_words(action) for action in RowAction]) + 22)


def later_width() -> int:
    """Return the room for the quiet button of a row, in points."""
    return max(LATER, _width_of([say(NOT_NOW), say(keeping.LET_GO)]) + 18)


def _buttons_width(*, narrow: bool) -> int:
    return button_width() + tokens.MARK_GAP + (LATER_NARROW if narrow else later_width())


def _width_of(words: Sequence[str]) -> int:
    font = tokens.font(tokens.SECOND, MEDIUM)
    return math.ceil(max(tokens.text_width(each, font) for each in words) / tokens.text_scale())


class _Row(QWidget):
    """Show one line; the buttons tell which line they were pressed for."""

    pressed = Signal(str)
    # Payload: the line's key, QPoint below the button on the screen.
    later_pressed = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._key = ""
        self._lead = _Lead()
        self._mark = HostMark(SHARED, 22)
        self._title = Text("", weight=MEDIUM)
        self._second = Text("", size=tokens.SECOND, tone="sec")
        self._why = Text("", size=tokens.SECOND, wrap=True)
        self._then = Text("", size=tokens.SECOND, tone="sec", wrap=True)
        self._size = Text("", weight=SEMIBOLD, align=Qt.AlignmentFlag.AlignRight)
        self._size.setFixedWidth(px(SIZE))
        self.button = Button("", height=25, min_width=76)
        self.later = Button("", Kind.QUIET, height=25)
        self._reason = _pair(self._why, self._then)
        self._reason.setFixedWidth(px(WHY))
        self._later_room = _at_right(self.later, later_width())
        self._later_word = ""
        self._narrow = False
        words = _pair(self._title, self._second)
        row = QHBoxLayout()
        row.setContentsMargins(px(tokens.TABLE_PADDING), 0, px(tokens.TABLE_PADDING), 0)
        row.setSpacing(px(tokens.MARK_GAP))
        row.addWidget(self._lead)
        row.addWidget(self._mark)
        row.addWidget(words, 1)
        for widget in (self._reason, self._size, self._later_room, _at_right(self.button, button_width())):
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
        self.later.clicked.connect(lambda: self.later_pressed.emit(self._key, self._below_later()))

    def _below_later(self) -> QPoint:
        return self.later.mapToGlobal(self.later.rect().bottomLeft())

    def set_narrow(self, narrow: bool) -> None:
        """Leave the title more room."""
        self._narrow = narrow
        self._reason.setFixedWidth(px(WHY_NARROW if narrow else WHY))
        self._later_room.setFixedWidth(px(LATER_NARROW if narrow else later_width()))
        self._show_second()
        self._name_later()

    def _show_second(self) -> None:
        self._second.setVisible(bool(self._second.text()) and not self._narrow)

    def _name_later(self) -> None:
        self.later.setText(MORE if self._narrow else self._later_word)
        self.later.updateGeometry()

    def show_line(self, line: Line, *, last: bool) -> None:
        self._key = line.key
        self.setFixedHeight(px(56 if line.second else 44))
        self._lead.show_lead(line.lead)
        self._mark.set_mark(line.mark)
        self._mark.update()
        self._title.setText(line.title)
        self._second.setText(line.second)
        self._show_second()
        self._why.setText(line.why)
        self._why.set_tone("ink" if line.then else "sec")
        self._then.setText(line.then)
        self._then.setVisible(bool(line.then))
        self._size.setText(line.size)
        self.button.setVisible(bool(line.word))
        self.later.setVisible(bool(line.later))
        self.hairline.setVisible(not last)
        place = line.lead if isinstance(line.lead, str) else ""
        parts = (place, line.title, line.second, line.why, line.then, line.size)
        self.setAccessibleName(", ".join(part for part in parts if part))
        if line.word:
            self.button.setText(line.word)
            self.button.setAccessibleName(f"{line.word.rstrip('…')} {line.title}, {line.size}")
        self._later_word = line.later
        self._name_later()
        if line.later:
            self.later.setAccessibleName(say("{verb}: {name}", verb=line.later, name=line.title))


def _pair(first: Text, second: Text) -> QWidget:
    """Put two lines above each other, in the middle of the row."""
    pair = QWidget()
    column = QVBoxLayout(pair)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addStretch(1)
    column.addWidget(first)
    column.addWidget(second)
    column.addStretch(1)
    return pair


def _at_right(button: Button, width: int) -> QWidget:
    room = QWidget()
    room.setFixedWidth(px(width))
    row = QHBoxLayout(room)
    row.setContentsMargins(0, 0, 0, 0)
    row.addStretch(1)
    row.addWidget(button)
    return room


class Section(Panel):
    """Show a list under a head; rows are kept and refilled, so that a tick moves nothing."""

    # In the UI thread, when a row's button was pressed; payload: the line's key.
    pressed = Signal(str)
    # In the UI thread, when a row's quiet button was pressed; payload: the line's key, QPoint on the screen.
    later_pressed = Signal(str, object)

    def __init__(self, head: ColumnHead, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._head = head
        self.narrow = False
        self._rows: list[_Row] = []
        self._lines: tuple[Line, ...] = ()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(1, px(2), 1, px(2))
        self._column.setSpacing(0)
        self._column.addWidget(head)
        self._column.addWidget(Hairline())
        self.hide()

    def set_narrow(self, narrow: bool) -> None:
        """Give the titles more room, and the rest less."""
        if narrow == self.narrow:
            return
        self.narrow = narrow
        for row in self._rows:
            row.set_narrow(narrow)
        self._head.set_width(say("Why now"), WHY_NARROW if narrow else WHY)
        self._head.set_width("", _buttons_width(narrow=narrow))

    @property
    def lines(self) -> tuple[Line, ...]:
        return self._lines

    def show_lines(self, lines: Sequence[Line]) -> None:
        if tuple(lines) == self._lines:
            return
        self._lines = tuple(lines)
        while len(self._rows) < len(lines):
            row = _Row()
            row.set_narrow(self.narrow)
            row.pressed.connect(self.pressed)
            row.later_pressed.connect(self.later_pressed)
            self._rows.append(row)
            self._column.addWidget(row)
        for at, (row, line) in enumerate(zip(self._rows, lines, strict=False)):
            row.show_line(line, last=at == len(lines) - 1)
        for at, row in enumerate(self._rows):
            row.setVisible(at < len(lines))
        self.setVisible(bool(lines))

    def button(self, key: str) -> Button:
        """Return the button of a line."""
        return self._rows[[line.key for line in self._lines].index(key)].button

    def later(self, key: str) -> Button:
        """Return the quiet button of a line."""
        return self._rows[[line.key for line in self._lines].index(key)].later


class NextPage(Page):
    """List what can go in the order in which it would go; keys of what can go are made by `line_key`."""

    # In the UI thread, when a line that is not offered was pressed; payload: the group's key.
    pressed = Signal(str)
    # In the UI thread, when something of the order shall go; payload: Group, Decision.
    act_wanted = Signal(object, object)
    # In the UI thread, when the policies shall be shown.
    policies_wanted = Signal()

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(say("Next to go"), scrolls=True, parent=parent)
        self._bridge = bridge
        self._order: dict[str, Next] = {}
        self._next: Next | None = None
        self.release_next = Button(say("Release next"), height=32)
        self.release = Button(say("Release…"), Kind.PRIMARY, height=32)
        self.head.addWidget(self.release_next)
        self.head.addWidget(self.release)
        self.policies = PolicyLine()
        self.body.addWidget(self.policies)
        left, right = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
        heads = [
            (say("Order"), LEAD, left),
            (say("Session"), 0, left),
            (say("Why now"), WHY, left),
            (say("Gives back"), SIZE, right),
        ]
        self.order = Section(ColumnHead([*heads, ("", _buttons_width(narrow=False), left)]))
        self.orphans = Section(ColumnHead([(say("Orphans, ended by signal"), 0, left)]))
        self.staying = Section(ColumnHead([(say("Not offered"), 0, left)]))
        self._nothing = EmptyState()
        self.body.addWidget(self._nothing)
        for section in self._sections:
            section.later_pressed.connect(self._later)
            self.body.addWidget(section)
        self.body.addStretch(1)
        self.order.pressed.connect(self._go)
        self.orphans.pressed.connect(self._go)
        self.staying.pressed.connect(self.pressed)
        self.release_next.clicked.connect(self._press_next)
        self.policies.button.clicked.connect(self.policies_wanted)

    @property
    def _sections(self) -> tuple[Section, ...]:
        return self.order, self.orphans, self.staying

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for section in self._sections:
            section.set_narrow(self.width() < px(NARROW))

    def show_snapshot(self, snapshot: Snapshot) -> None:
        now_epoch_s = snapshot.taken_at.timestamp()
        kept = keeping.all_keep_words(self._bridge.keeps, now_epoch_s=now_epoch_s)
        self._order = {line_key(each.group.key, each.decision.action): each for each in next_to_go(snapshot)}
        shown = {each.group.key for each in self._order.values()}
        rest = [group for group in snapshot.groups if group.key not in shown and _is_listed(group)]
        rest.sort(key=targets.weight, reverse=True)
        ordered = {key: each for key, each in self._order.items() if not targets.is_orphan(each.group)}
        orphans = {key: each for key, each in self._order.items() if key not in ordered}
        self._next = next(iter((*ordered.values(), *orphans.values())), None)
        self.order.show_lines([_line(str(n), key, ordered[key], snapshot) for n, key in enumerate(ordered, 1)])
        self.orphans.show_lines([_line("", key, each, snapshot) for key, each in orphans.items()])
        self.staying.show_lines([_staying_line(group, snapshot, kept) for group in rest])
        self._nothing.setVisible(not shown)
        if not shown:
            self._nothing.show_words(*_nothing_words(rest))
        self._name_next()
        self.policies.show_policies(self._bridge.backend.policies())
        show_release(self.release, snapshot)

    def _name_next(self) -> None:
        """Let the button say if the first one is released, or is asked about as it ends by signal."""
        first = self._next
        asks = first is not None and first.decision.action is not Action.RELEASE
        words = say("End next…") if asks else say("Release next")
        if words != self.release_next.text():
            self.release_next.setText(words)
            self.release_next.updateGeometry()
        self.release_next.setEnabled(first is not None)
        name = words
        if first is not None:
            values = {"name": first.group.name, "size": numbers.memory(first.bytes)}
            name = say("{verb}: {name}, {size}", verb=words.rstrip("…"), **values)
        self.release_next.setAccessibleName(name)

    def _press_next(self) -> None:
        if self._next is not None:
            self.act_wanted.emit(self._next.group, self._next.decision)

    def _go(self, key: str) -> None:
        if (found := self._order.get(key)) is not None:
            self.act_wanted.emit(found.group, found.decision)

    # What stays for now.

    def menu_of(self, key: str) -> QMenu:
        """Make the menu of a line's quiet button."""
        found = self._order.get(key)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        keeping.add_entries(menu, self._bridge, found.group.key if found is not None else key)
        return menu

    def _later(self, key: str, at: QPoint) -> None:
        if key in self._order or self.staying.narrow:
            self.menu_of(key).popup(at)
        else:
            self._bridge.unkeep(key)


def line_key(group_key: str, action: Action = Action.RELEASE) -> str:
    """Return the key of a line: a group may be in the order twice, once for its surplus."""
    return f"{group_key} {action}"


class PolicyLine(Panel):
    """Say whether anything goes by itself, and lead to the policies."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.title = Text("", weight=SEMIBOLD)
        self.second = Text("", size=tokens.SECOND, tone="sec", wrap=True)
        self.button = Button(say("Policies…"), height=32)
        row = QHBoxLayout(self)
        row.setContentsMargins(px(20), px(10), px(20), px(10))
        row.setSpacing(px(16))
        row.addWidget(_pair(self.title, self.second), 1)
        row.addWidget(self.button)
        self.show_policies(())

    def show_policies(self, policies: Sequence[Policy]) -> None:
        on = [policy for policy in policies if policy.on]
        if not on:
            self.title.setText(say("Automatic release is off"))
            self.second.setText(say("This is the order it would follow. Nothing goes until you say so."))
            return
        names = ", ".join(policy.name for policy in on)
        self.title.setText(say_n("{n} policy on: {names}", "{n} policies on: {names}", len(on), names=names))
        soonest = duration(min(policy.grace_s for policy in on))
        words = say("This is the order that is followed. You are told {time} before, and can keep it.", time=soonest)
        self.second.setText(words)


def _is_listed(group: Group) -> bool:
    return group.kind is GroupKind.SESSION or targets.is_orphan(group)


def _nothing_words(rest: Sequence[Group]) -> tuple[str, str]:
    """Say that nothing can go, and what that means."""
    if rest:
        return say("Nothing can be released now"), say("What works, waits for you or cannot be told stays.")
    return (
        say("No agent session is running"),
        say("As soon as one rests for a while, it stands here with what it would give back."),
    )


_WORDS = {Action.RELEASE: noted("Release"), Action.END_ORPHAN: noted("End…"), Action.END_DUPLICATE: noted("End…")}


def _line(lead: str, key: str, each: Next, snapshot: Snapshot) -> Line:
    group, action = each.group, each.decision.action
    label = snapshot.label(group.host)
    host = label.title if label is not None else group.host
    parts = (group.owner_hint,) if targets.is_orphan(group) and group.owner_hint else (host, group.cwd)
    reason = decision_words(each.decision) if targets.is_orphan(group) else told(each.why)
    why, _, then = reason.partition("; ")
    in_heap = action is Action.RELEASE and heap_view.in_heap(group)
    return Line(
        key=key,
        lead=lead,
        mark=mark_of(group, snapshot),
        title=group.name,
        second=", ".join(part for part in parts if part),
        why=why,
        then=then[:1].upper() + then[1:],
        size=heap_view.held_words(group) if in_heap else numbers.memory(each.bytes),
        word=say(_WORDS[action]),
        later=say(NOT_NOW) if keeping.can_be_kept(group) else "",
    )


def _staying_line(group: Group, snapshot: Snapshot, kept: Mapping[str, str]) -> Line:
    reason = kept.get(group.key) or targets.reason_to_stay(group)
    action = row_action(group)
    return Line(
        key=group.key,
        lead=state_shape(group),
        mark=mark_of(group, snapshot),
        title=group.name,
        second="",
        why=reason[:1].upper() + reason[1:],
        size=heap_view.held_words(group),
        word="" if action is None else action_words(action),
        later=say(keeping.LET_GO) if group.key in kept else "",
    )
