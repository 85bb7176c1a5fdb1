"""The tree of hosts, sessions and processes as a Qt item model.

Changes its rows in place on every snapshot (dataChanged, insertRows, removeRows, one layout change when the order did
change), so that selection, scroll position and expansion hold. Processes of a closed row wait until it is opened. Sorts
and filters by itself: a proxy would ask Python for every comparison. Knows nothing of how a row is painted;
tree_view.py does that.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from itertools import count

from PySide6.QtCore import QAbstractItemModel, QLocale, QModelIndex, QObject, QPersistentModelIndex, Qt

from trayapp.model.process import Identity
from trayapp.model.session import Role, State
from trayapp.model.snapshot import Group, GroupKind, Member, Snapshot
from trayapp.say import noted, say, say_n
from trayapp.targets import Offer, is_orphan, offer_of
from trayapp.ui import heap_view, numbers
from trayapp.ui.branches import ORPHANS_KEY, SHARED_KEY, Branch, branches
from trayapp.wording import ABSENT, THIN_SPACE, duration, state_words

Index = QModelIndex | QPersistentModelIndex

SORT_ROLE = int(Qt.ItemDataRole.UserRole) + 1
"""Numbers (or folded text) to sort by; None = absent, last in either order."""


class Column(IntEnum):
    """Name the columns, left to right."""

    NAME = 0
    STATE = 1
    IDLE = 2
    FOLDER = 3
    MODEL = 4
    PROCESSES = 5
    TOKENS = 6
    MEMORY = 7
    HEAP = 8
    RSS = 9
    CPU = 10
    LAST_HOUR = 11
    BUTTON = 12


COLUMNS = len(Column)
HEADS = {
    Column.NAME: noted("Name"),
    Column.STATE: noted("State"),
    Column.IDLE: noted("Idle for"),
    Column.FOLDER: noted("Folder"),
    Column.MODEL: noted("Model"),
    Column.PROCESSES: noted("Processes"),
    Column.TOKENS: noted("Tokens"),
    Column.MEMORY: noted("Memory"),
    Column.HEAP: noted("Heap"),
    Column.RSS: noted("RSS"),
    Column.CPU: noted("CPU"),
    Column.LAST_HOUR: noted("Last hour"),
}
WORDY = frozenset({Column.NAME, Column.STATE, Column.IDLE, Column.FOLDER, Column.MODEL})
"""Columns whose text may be cut, and is told whole by its tooltip."""


def head_words(column: Column) -> str:
    """Return the head of a column; "" for that of the buttons."""
    return say(HEADS[column]) if column in HEADS else ""


class Level(IntEnum):
    """Say what a row stands for."""

    ROOT = 0
    BRANCH = 1
    GROUP = 2
    PROCESS = 3


def at_most(size_bytes: int | None, *, bounded: bool) -> str:
    """Say a size, with "≤" where shared pages may be counted more than once."""
    said = numbers.memory(size_bytes)
    return f"≤{THIN_SPACE}{said}" if bounded and size_bytes is not None else said


class RowAction(StrEnum):
    """What the button of a row does; the value is its word in English."""

    RELEASE = "Release"
    RELEASE_ASK = "Release…"
    END_ORPHAN = "End…"
    CLEAR = "Clear…"
    OPEN = "Open"
    WHY = "Why?"


_ACTION_WORDS = {
    RowAction.RELEASE: noted("Release"),
    RowAction.RELEASE_ASK: noted("Release…"),
    RowAction.END_ORPHAN: noted("End…"),
    RowAction.CLEAR: noted("Clear…"),
    RowAction.OPEN: noted("Open"),
    RowAction.WHY: noted("Why?"),
}
_SPOKEN_ACTIONS = {
    RowAction.END_ORPHAN: noted("End {title}…"),
    RowAction.CLEAR: noted("Clear {title}…"),
    RowAction.OPEN: noted("Open {title}"),
    RowAction.WHY: noted("Why does {title} stay?"),
}


def action_words(action: RowAction) -> str:
    """Return the word on the button."""
    return say(_ACTION_WORDS[action])


ACTING = frozenset({RowAction.RELEASE, RowAction.RELEASE_ASK, RowAction.END_ORPHAN, RowAction.CLEAR})
"""What does something, at once or after a question; the others open the row."""

_ACTIONS = {
    Offer.RELEASE: RowAction.RELEASE,
    Offer.ASK: RowAction.RELEASE_ASK,
    Offer.END: RowAction.END_ORPHAN,
    Offer.CLEAR: RowAction.CLEAR,
    Offer.WHY: RowAction.WHY,
}

_SORTABLE = frozenset(Column) - {Column.BUTTON}
_STATE_ORDER = {State.WAITING: 0, State.BUSY: 1, State.UNKNOWN: 2, State.IDLE: 3, State.ENDED: 4}


@dataclass(frozen=True, slots=True)
class Shown:
    """Hold what a row shows; a cell is repainted only when its text differs.

    `second` is what a process is for; of a session, that it is kept.
    """

    title: str
    second: str = ""
    state_text: str = ""
    state: State | None = None
    memory_bytes: int | None = None
    memory_bounded: bool = False
    heap_bytes: int | None = None
    rss_bytes: int | None = None
    rss_is_sum: bool = False
    cpu_percent: float | None = None
    action: RowAction | None = None
    idle_s: float | None = None
    folder: str = ""
    model: str = ""
    processes: int | None = None
    tokens: int | None = None


def count_words(number: int | None) -> str:
    """Say a large count shortly: "840", "12.4 k", "3.1 M"; "" where none is known."""
    if number is None:
        return ""
    if number < 1000:
        return str(number)
    short, unit = (number / 1e6, "M") if number >= 999_950 else (number / 1e3, "k")
    digits = 0 if short >= 99.95 else 1
    return f"{short:.{digits}f}".replace(".", QLocale().decimalPoint()) + THIN_SPACE + unit


def text_of(shown: Shown, column: Column) -> str:
    """Return what a cell shows."""
    match column:
        case Column.NAME:
            return shown.title
        case Column.STATE:
            return shown.state_text
        case Column.MEMORY:
            return at_most(shown.memory_bytes, bounded=shown.memory_bounded)
        case Column.HEAP:
            return "" if shown.heap_bytes is None else heap_view.estimate(shown.heap_bytes)
        case Column.RSS:
            return at_most(shown.rss_bytes, bounded=shown.rss_is_sum)
        case Column.CPU:
            return numbers.percent(shown.cpu_percent)
        case Column.LAST_HOUR:
            return ""
        case Column.BUTTON:
            return "" if shown.action is None else action_words(shown.action)
        case Column.IDLE:
            return "" if shown.idle_s is None else duration(shown.idle_s)
        case Column.FOLDER:
            return shown.folder
        case Column.MODEL:
            return shown.model
        case Column.PROCESSES:
            return "" if shown.processes is None else str(shown.processes)
        case Column.TOKENS:
            return count_words(shown.tokens)


def different_cells(one: Shown, other: Shown) -> list[Column]:
    """Return the columns in which two rows look different, left to right: a figure may change and read the same."""
    found = []
    if (one.title, one.second) != (other.title, other.second):
        found.append(Column.NAME)
    if (one.state_text, one.state) != (other.state_text, other.state):
        found.append(Column.STATE)
    figures = (
        (Column.IDLE, one.idle_s != other.idle_s),
        (Column.FOLDER, one.folder != other.folder),
        (Column.MODEL, one.model != other.model),
        (Column.PROCESSES, one.processes != other.processes),
        (Column.TOKENS, one.tokens != other.tokens),
        (Column.MEMORY, one.memory_bytes != other.memory_bytes or one.memory_bounded != other.memory_bounded),
        (Column.HEAP, one.heap_bytes != other.heap_bytes),
        (Column.RSS, one.rss_bytes != other.rss_bytes or one.rss_is_sum != other.rss_is_sum),
        (Column.CPU, one.cpu_percent != other.cpu_percent),
    )
    found += [column for column, moved in figures if moved and text_of(one, column) != text_of(other, column)]
    if one.action is not other.action:
        found.append(Column.BUTTON)
    return found


class Node:
    """One row. `row` is kept right by the model, so that parent() costs nothing."""

    __slots__ = ("children", "key", "level", "node_id", "parent", "row", "shown", "source")

    def __init__(self, node_id: int, level: Level, key: Hashable, source: object, parent: Node | None) -> None:
        self.node_id = node_id
        self.level = level
        self.key = key
        self.source = source
        self.parent = parent
        self.row = 0
        self.children: list[Node] = []
        self.shown = Shown("")

    @property
    def group(self) -> Group | None:
        """Return the group that this row shows or that its process belongs to."""
        if isinstance(self.source, Group):
            return self.source
        return self.parent.group if self.level is Level.PROCESS and self.parent is not None else None

    @property
    def branch(self) -> Branch | None:
        if isinstance(self.source, Branch):
            return self.source
        return self.parent.branch if self.parent is not None else None

    @property
    def member(self) -> Member | None:
        return self.source if isinstance(self.source, Member) else None


@dataclass(frozen=True, slots=True)
class _Wanted:
    key: Hashable
    level: Level
    source: Branch | Group | Member
    shown: Shown
    below: tuple[_Wanted, ...] = ()

    def children(self) -> tuple[_Wanted, ...]:
        """Return what belongs below it; processes are made here, when they are asked for."""
        if isinstance(self.source, Group):
            return _want_members(self.source)
        return self.below


def row_action(group: Group) -> RowAction | None:
    """Return the button of a group's row; None = it has none."""
    if group.kind is not GroupKind.SESSION and not is_orphan(group):
        return None
    verdict = group.verdict
    if verdict is not None and verdict.state is State.WAITING and verdict.stale_s is None:
        return RowAction.OPEN
    return _ACTIONS.get(offer_of(group))


def _branch_state(branch: Branch) -> str:
    if branch.key in (SHARED_KEY, ORPHANS_KEY):
        return say_n("{n} process", "{n} processes", branch.processes)
    sessions = sum(group.kind is GroupKind.SESSION for group in branch.groups)
    return say_n("{n} session", "{n} sessions", sessions)


def _want_members(group: Group) -> tuple[_Wanted, ...]:
    surplus = {member.process.identity for member in group.surplus}
    if not surplus:
        return tuple([_want_member(member, member.role) for member in group.members])
    return tuple(
        [
            _want_member(member, _rank(member, surplus) if member.role is Role.BACKEND else member.role)
            for member in group.members
        ]
    )


def _rank(member: Member, surplus: set[Identity]) -> str:
    return "surplus" if member.process.identity in surplus else "current"


_ROLES: dict[str, str] = {
    Role.BACKEND: noted("backend, pid {pid}"),
    Role.HELPER: noted("helper, pid {pid}"),
    Role.WORK: noted("work, pid {pid}"),
    Role.WRAPPER: noted("wrapper, pid {pid}"),
    Role.LAUNCHER: noted("launcher, pid {pid}"),
    Role.INFRA: noted("infra, pid {pid}"),
    Role.SHELL: noted("shell, pid {pid}"),
    Role.SPARE: noted("spare, pid {pid}"),
    Role.CLIENT: noted("client, pid {pid}"),
    Role.APP: noted("app, pid {pid}"),
    Role.UNKNOWN: noted("unknown, pid {pid}"),
    "surplus": noted("surplus backend, pid {pid}"),
    "current": noted("current backend, pid {pid}"),
}


def _want_member(member: Member, what: str) -> _Wanted:
    process = member.process
    shown = Shown(
        process.name,
        say(_ROLES[what], pid=process.pid),
        "",
        None,
        process.rss_bytes if process.footprint_bytes is None else process.footprint_bytes,
        False,
        None,
        process.rss_bytes,
        False,
        member.cpu_percent,
    )
    return _Wanted((process.pid, process.identity.start), Level.PROCESS, member, shown)  # hashes in C


def _want_group(group: Group, now_epoch_s: float, snapshot: Snapshot, kept: str) -> _Wanted:
    label = snapshot.label(group.host) if group.kind is GroupKind.INFRA else None
    verdict = group.verdict
    shown = Shown(
        title=group.name if label is None else say("{host} itself", host=label.title),
        second=kept,
        state_text=state_words(group, now_epoch_s=now_epoch_s),
        state=None if verdict is None else State.UNKNOWN if verdict.stale_s is not None else verdict.state,
        # without own processes its memory is counted elsewhere
        memory_bytes=group.held_bytes if group.members else None,
        memory_bounded=group.held_is_upper_bound and len(group.members) > 1,
        heap_bytes=group.retained_bytes if group.heap_of is not None else None,
        rss_bytes=group.rss_bytes if group.members else None,
        rss_is_sum=len(group.members) > 1,
        cpu_percent=group.cpu_percent,
        action=row_action(group),
        idle_s=verdict.idle_s if verdict is not None and verdict.state is State.IDLE else None,
        folder=group.cwd or "",
        model=group.model or "",
        processes=len(group.members),
        tokens=group.tokens,
    )
    return _Wanted(group.key, Level.GROUP, group, shown)


def _want_branch(branch: Branch, groups: Sequence[_Wanted]) -> _Wanted:
    shown = Shown(
        title=branch.title,
        state_text=_branch_state(branch),
        memory_bytes=branch.held_bytes,
        memory_bounded=branch.held_is_upper_bound,
        heap_bytes=heap_view.retained(branch.groups) or None,
        rss_bytes=branch.rss_bytes,
        rss_is_sum=branch.processes > 1,
        cpu_percent=branch.cpu_percent,
        processes=branch.processes,
    )
    return _Wanted(branch.key, Level.BRANCH, branch, shown, tuple(groups))


class SessionTree(QAbstractItemModel):
    """Hold the rows of the newest snapshot.

    `hold_order(True)` freezes the order (the pointer is over the rows); new rows then come last until it is let go.

    Attributes:
        is_open: says whether what is below a row is seen; a view that sets it calls `opened` when one is opened.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ids = count(1)
        self._root = Node(0, Level.ROOT, None, None, None)
        self._nodes: dict[int, Node] = {0: self._root}
        self._groups: dict[str, Node] = {}
        self._snapshot: Snapshot | None = None
        self._kept: Mapping[str, str] = {}
        self._sparks: dict[str, tuple[float | None, ...]] = {}
        self._branch_filter: str | None = None
        self._text_filter = ""
        self._sort_column = Column.MEMORY
        self._descending = True
        self._held = False
        self._settled = True
        self._wanted_before: dict[str, _Wanted] = {}
        self.is_open: Callable[[Node], bool] = lambda _node: True

    # What the view asks.

    def node(self, index: Index) -> Node:
        """Return the node of an index; the root for an invalid one."""
        return self._nodes[index.internalId()] if index.isValid() else self._root

    def index_of(self, node: Node, column: int = 0) -> QModelIndex:
        return QModelIndex() if node is self._root else self.createIndex(node.row, column, node.node_id)

    def index_of_group(self, key: str) -> QModelIndex:
        """Return the index of a group's row, invalid when it is not there (or filtered away)."""
        node = self._groups.get(key)
        return QModelIndex() if node is None else self.index_of(node)

    def sparkline(self, node: Node) -> tuple[float | None, ...]:
        return self._sparks.get(str(node.key), ()) if node.level is Level.GROUP else ()

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        children = self.node(parent).children if parent.column() <= 0 else []
        if not (0 <= row < len(children) and 0 <= column < COLUMNS):
            return QModelIndex()
        return self.createIndex(row, column, children[row].node_id)

    def parent(self, child: Index = QModelIndex()) -> QModelIndex:  # type: ignore[override]  # noqa: B008
        node = self.node(child).parent
        return QModelIndex() if node is None else self.index_of(node)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.column() > 0 else len(self.node(parent).children)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return COLUMNS

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < COLUMNS:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return head_words(Column(section))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return head_words(Column(section)) or say("Action")
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        node = self.node(index)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self.text(node, Column(index.column()))
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._spoken(node, Column(index.column()))
            case Qt.ItemDataRole.ToolTipRole if index.column() in WORDY:
                return self.text(node, Column(index.column())) or None
            case _ if role == SORT_ROLE:
                return self._sort_value(node, Column(index.column()))
        return None

    def text(self, node: Node, column: Column) -> str:
        """Return what a cell shows."""
        return text_of(node.shown, column)

    def _spoken(self, node: Node, column: Column) -> str:
        shown = node.shown
        if column is Column.NAME:
            branch = node.branch
            host = branch.title if branch is not None and node.level is Level.GROUP else shown.second
            memory = at_most(shown.memory_bytes, bounded=shown.memory_bounded)
            if shown.heap_bytes is not None:
                heap = say("{size} of heap", size=heap_view.estimate(shown.heap_bytes))
                memory = heap if shown.memory_bytes is None else f"{memory}, {heap}"
            kept = shown.second if node.level is Level.GROUP else ""
            return ", ".join(part for part in (shown.title, host, shown.state_text, kept, memory) if part)
        if column is Column.BUTTON and shown.action in (RowAction.RELEASE, RowAction.RELEASE_ASK):
            size = heap_view.both_words(shown.memory_bytes or 0, shown.heap_bytes or 0)
            return say("Release {title}, about {size}", title=shown.title, size=size)
        if column is Column.BUTTON and shown.action is not None:
            return say(_SPOKEN_ACTIONS[shown.action], title=shown.title)
        text = self.text(node, column)
        if text in ("", ABSENT) or column is Column.STATE:
            return text
        return f"{head_words(column)}: {text}"  # a figure alone says nothing

    def _sort_value(self, node: Node, column: Column) -> float | int | str | None:
        shown = node.shown
        match column:
            case Column.NAME:
                return shown.title.casefold()
            case Column.STATE:
                if node.level is not Level.GROUP:
                    return shown.state_text.casefold() if node.level is Level.BRANCH else shown.second.casefold()
                return 9 if shown.state is None else _STATE_ORDER[shown.state]
            case Column.HEAP:
                return shown.heap_bytes
            case Column.RSS:
                return shown.rss_bytes
            case Column.CPU:
                return shown.cpu_percent
            case Column.IDLE:
                return shown.idle_s
            case Column.FOLDER:
                return shown.folder.casefold() or None
            case Column.MODEL:
                return shown.model.casefold() or None
            case Column.PROCESSES:
                return shown.processes
            case Column.TOKENS:
                return shown.tokens
            case Column.LAST_HOUR:
                return self._growth(node)
            case _ if node.level is Level.GROUP and shown.heap_bytes is not None:
                return (shown.memory_bytes or 0) + shown.heap_bytes  # an order only, never shown
            case _:
                return shown.memory_bytes

    def _growth(self, node: Node) -> float | None:
        """Return what a group gained over the last hour."""
        known = [value for value in self.sparkline(node) if value is not None]
        return known[-1] - known[0] if known else None

    # Sorting and filtering.

    @property
    def sort_column(self) -> Column:
        return self._sort_column

    @property
    def descending(self) -> bool:
        return self._descending

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if column not in _SORTABLE:
            return
        self._sort_column, self._descending = Column(column), order is Qt.SortOrder.DescendingOrder
        self._settled = False
        self._settle_order()

    def hold_order(self, held: bool) -> None:
        self._held = held
        if not held:
            self._settle_order()

    def set_filter(self, *, branch: str | None = None, text: str = "") -> None:
        """Show one branch only (None = all), and only groups whose title, host or folder holds `text`.

        A number is looked for at the beginning of pids too.
        """
        self._branch_filter, self._text_filter = branch, text.strip().casefold()
        if self._snapshot is not None:
            self.set_snapshot(self._snapshot)

    @property
    def is_filtered(self) -> bool:
        return bool(self._text_filter) or self._branch_filter is not None

    def _sorted(self, children: Iterable[Node]) -> list[Node]:
        column, known, absent = self._sort_column, [], []
        for node in children:
            value = self._sort_value(node, column)
            if value is None:
                absent.append(node)
            else:
                known.append((value, node))
        known.sort(key=lambda pair: str(pair[1].key))
        known.sort(key=lambda pair: pair[0], reverse=self._descending)
        absent.sort(key=lambda node: str(node.key))
        return [node for _, node in known] + absent

    def _settle_order(self) -> None:
        """Bring every level into order, in one layout change, and only if something moves."""
        if self._settled:
            return
        self._settled = True
        branches = self._root.children
        groups = (group for branch in branches for group in branch.children)
        open_groups = (group for group in groups if len(group.children) > 1 and self.is_open(group))
        self._reorder((self._root, *branches, *open_groups))

    def _reorder(self, nodes: Iterable[Node]) -> None:
        """Sort what is below these rows."""
        moved = []
        for node in nodes:
            if len(node.children) > 1:
                ordered = self._sorted(node.children)
                if ordered != node.children:
                    moved.append((node, ordered))
        if not moved:
            return
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        for node, ordered in moved:
            node.children = ordered
            _number(node)
        after = [self.index_of(self.node(index), index.column()) for index in before]
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()

    # What the tick brings.

    def set_snapshot(self, snapshot: Snapshot) -> None:
        """Take over a snapshot, row by row."""
        self._snapshot = snapshot
        self._match(self._root, self._wanted(snapshot))
        if not self._held:
            self._settle_order()

    def set_kept(self, words: Mapping[str, str]) -> None:
        """Say of which groups, by key, that they are kept, and in which words; shown with the next snapshot."""
        self._kept = words

    def opened(self, index: Index) -> None:
        """Bring what is below a row up to date, which it was not kept while it was closed."""
        node = self.node(index)
        if node.level is Level.GROUP and node.group is not None:
            self._match(node, _want_members(node.group))
            if self._held:
                self._settled = False  # its order was not kept either
            else:
                self._reorder((node,))

    def set_sparklines(self, sparks: Mapping[str, Sequence[float | None]]) -> None:
        """Take over memory of the last hour by group key; only rows that changed are repainted."""
        before, self._sparks = self._sparks, {key: tuple(values) for key, values in sparks.items()}
        if self._sort_column is Column.LAST_HOUR:
            self._settled = False
            if not self._held:
                self._settle_order()
        for key, node in self._groups.items():
            if before.get(key) != self._sparks.get(key):
                index = self.index_of(node, Column.LAST_HOUR)
                self.dataChanged.emit(index, index)

    def _wanted(self, snapshot: Snapshot) -> tuple[_Wanted, ...]:
        now_epoch_s = snapshot.taken_at.timestamp()
        wanted = []
        before, self._wanted_before = self._wanted_before, {}
        for branch in branches(snapshot):
            if self._branch_filter not in (None, branch.key):
                continue
            groups = [
                self._want(group, before.get(group.key), now_epoch_s, snapshot)
                for group in branch.groups
                if self._passes(group, branch)
            ]
            if groups:
                wanted.append(_want_branch(branch, groups))
        return tuple(wanted)

    def _want(self, group: Group, before: _Wanted | None, now_epoch_s: float, snapshot: Snapshot) -> _Wanted:
        """Return what is wanted of a group's row: the same as before where the group is and its age reads the same."""
        kept = self._kept.get(group.key, "")
        same = before is not None and before.source is group and before.shown.second == kept
        if before is None or not same or before.shown.state_text != state_words(group, now_epoch_s=now_epoch_s):
            before = _want_group(group, now_epoch_s, snapshot, kept)
        self._wanted_before[group.key] = before
        return before

    def _passes(self, group: Group, branch: Branch) -> bool:
        text = self._text_filter
        if not text or any(text in words.casefold() for words in (group.name, branch.title, group.cwd or "")):
            return True
        return text.isdecimal() and any(str(member.process.pid).startswith(text) for member in group.members)

    def _match(self, parent: Node, wanted: Sequence[_Wanted]) -> None:
        by_key = {item.key: item for item in wanted}
        self._remove_missing(parent, by_key)
        for node in parent.children:
            item = by_key[node.key]
            same, node.source = _has_same_members(node.source, item.source), item.source
            if node.shown is not item.shown and node.shown != item.shown:
                self._show(node, item.shown)
            if isinstance(item.source, Member):
                continue
            if not isinstance(item.source, Group):
                self._match(node, item.below)
            elif bool(node.children) != bool(item.source.members) or (
                not same and node.children and self.is_open(node)
            ):
                self._match(node, item.children())
        if len(by_key) > len(parent.children):
            present = {node.key for node in parent.children}
            fresh = [item for item in wanted if item.key not in present]
            first = len(parent.children)
            self.beginInsertRows(self.index_of(parent), first, first + len(fresh) - 1)
            parent.children += self._sorted([self._grow(parent, item) for item in fresh])
            _number(parent)
            self.endInsertRows()
            self._settled = False

    def _show(self, node: Node, shown: Shown) -> None:
        """Let a row show something else; only cells that read different are told of."""
        before, rank = node.shown, self._sort_value(node, self._sort_column)
        node.shown = shown
        if self._sort_value(node, self._sort_column) != rank:
            self._settled = False
        for column in different_cells(before, shown):
            index = self.index_of(node, column)
            self.dataChanged.emit(index, index)

    def _remove_missing(self, parent: Node, by_key: Mapping[Hashable, _Wanted]) -> None:
        last = len(parent.children) - 1
        while last >= 0:
            if parent.children[last].key in by_key:
                last -= 1
                continue
            first = last
            while first > 0 and parent.children[first - 1].key not in by_key:
                first -= 1
            self.beginRemoveRows(self.index_of(parent), first, last)
            for node in parent.children[first : last + 1]:
                self._forget(node)
            del parent.children[first : last + 1]
            _number(parent)
            self.endRemoveRows()
            last = first - 1

    def _grow(self, parent: Node, item: _Wanted) -> Node:
        node = Node(next(self._ids), item.level, item.key, item.source, parent)
        node.shown = item.shown
        self._nodes[node.node_id] = node
        if item.level is Level.GROUP:
            self._groups[str(item.key)] = node
        node.children = self._sorted([self._grow(node, child) for child in item.children()])
        _number(node)
        return node

    def _forget(self, node: Node) -> None:
        for child in node.children:
            self._forget(child)
        del self._nodes[node.node_id]
        if self._groups.get(str(node.key)) is node:  # a group that moved to another branch is there already
            del self._groups[str(node.key)]


def _has_same_members(one: object, other: object) -> bool:
    """Say whether what is below two groups is the very same; a group is made anew when only its age is another."""
    return one is other or (isinstance(one, Group) and isinstance(other, Group) and one.members is other.members)


def _number(parent: Node) -> None:
    for row, node in enumerate(parent.children):
        node.row = row
