"""The tree changes in place, keeps what the user did to it, sorts by numbers and adds up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPersistentModelIndex, QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from tests.ui import scene
from trayapp.model.plan import Action, Allowed, Decision, Reason
from trayapp.model.process import Identity
from trayapp.model.session import Role
from trayapp.model.snapshot import Group, GroupKind, Member, Snapshot
from trayapp.ui.branches import ORPHANS_KEY, SHARED_KEY, branches, host_key
from trayapp.ui.tree import SORT_ROLE, Column, Level, Node, RowAction, SessionTree, count_words, row_action
from trayapp.ui.tree_view import Asked, SessionTreeView

CLAUDE = host_key("claude-code")


@pytest.fixture
def tree(qtbot: QtBot) -> SessionTree:
    made = SessionTree()
    QAbstractItemModelTester(made, QAbstractItemModelTester.FailureReportingMode.Fatal, made)
    made.set_snapshot(scene.scene())
    return made


def titles(tree: SessionTree, parent: QModelIndex | None = None) -> list[str]:
    under = parent if parent is not None else QModelIndex()
    return [str(tree.index(row, 0, under).data()) for row in range(tree.rowCount(under))]


def branch(tree: SessionTree, title: str) -> QModelIndex:
    return tree.index(titles(tree).index(title), 0)


def heavier(snapshot: Snapshot, key: str, by_gb: float) -> Snapshot:
    group = snapshot.group(key)
    assert group is not None
    member = group.members[0]
    grown = replace(member.process, footprint_bytes=(member.process.footprint_bytes or 0) + round(by_gb * scene.GB))
    members = (replace(member, process=grown), *group.members[1:])
    held = sum(m.process.footprint_bytes or 0 for m in members)
    return scene.with_group(snapshot, replace(group, members=members, footprint_bytes=held))


def changed_rows(tree: SessionTree) -> list[str]:
    """Return a list that from now on collects the title of every row told as changed."""
    seen: list[str] = []

    def note(top: QModelIndex, bottom: QModelIndex, _roles: object) -> None:
        seen.extend(str(tree.index(row, 0, top.parent()).data()) for row in range(top.row(), bottom.row() + 1))

    tree.dataChanged.connect(note)
    return seen


def test_hosts_helpers_and_orphans_come_by_what_they_hold(tree: SessionTree) -> None:
    assert titles(tree) == ["Claude Code", "Codex", "Shared helpers", "OpenCode", "craft-agents", "Orphans"]
    assert titles(tree, branch(tree, "Claude Code")) == [
        "Fix flaky upload tests",
        "Refactor settings page",
        "Migrate billing to v2",
    ]


def test_branches_add_up_to_the_total() -> None:
    snapshot = scene.scene()
    assert sum(one.held_bytes for one in branches(snapshot)) == snapshot.totals.held_bytes
    assert sum(one.rss_bytes for one in branches(snapshot)) == snapshot.totals.rss_bytes
    assert sum(one.processes for one in branches(snapshot)) == snapshot.totals.processes


def test_the_monitor_itself_is_no_branch() -> None:
    own = scene.group("monitor", GroupKind.MONITOR, (scene.member(1, "agentring", Role.APP, 0.1, 0.1),), host=None)
    snapshot = scene.snapshot_of((*scene.scene().groups, own))
    assert {one.key for one in branches(snapshot)} >= {CLAUDE, SHARED_KEY, ORPHANS_KEY}
    assert all(group.kind is not GroupKind.MONITOR for one in branches(snapshot) for group in one.groups)


def test_cells_show_what_the_picture_shows(tree: SessionTree) -> None:
    row = tree.index_of_group(scene.REFACTOR)
    cells = [str(row.siblingAtColumn(column).data()) for column in Column]
    assert cells == [
        "Refactor settings page",
        "Idle 2\u202fh 14\u202fmin",
        "2\u202fh 14\u202fmin",
        "~/src/console",
        "",
        "4",
        "",
        "1.9\u202fGB",
        "",
        "≤\u202f1.1\u202fGB",
        "0.1\u202f%",
        "",
        "Release",
    ]


def test_one_process_has_no_upper_bound_sign(tree: SessionTree) -> None:
    row = tree.index_of_group(scene.MIGRATE)
    assert row.siblingAtColumn(Column.RSS).data() == "1.9\u202fGB"


def test_memory_known_as_rss_only_is_marked_as_a_bound(tree: SessionTree) -> None:
    group = scene.scene().group(scene.REFACTOR)
    assert group is not None
    tree.set_snapshot(scene.with_group(scene.scene(), replace(group, footprint_bytes=None)))
    row = tree.index_of_group(scene.REFACTOR)
    assert str(row.siblingAtColumn(Column.MEMORY).data()).startswith("≤")


def test_absent_cpu_is_a_dash_and_sorts_last_in_both_directions(tree: SessionTree) -> None:
    group = scene.scene().group(scene.FIX)
    assert group is not None
    tree.set_snapshot(scene.with_group(scene.scene(), replace(group, cpu_percent=None)))
    assert tree.index_of_group(scene.FIX).siblingAtColumn(Column.CPU).data() == "–"
    for order in Qt.SortOrder:
        tree.sort(Column.CPU, order)
        assert titles(tree, branch(tree, "Claude Code"))[-1] == "Fix flaky upload tests"


def test_a_session_without_processes_of_its_own_shows_no_figure(tree: SessionTree) -> None:
    group = scene.scene().group(scene.GUIDE)
    assert group is not None
    shared = replace(group, members=(), rss_bytes=0, footprint_bytes=0, flags=("shared-backend",))
    tree.set_snapshot(scene.with_group(scene.scene(), shared))
    row = tree.index_of_group(scene.GUIDE)
    assert [row.siblingAtColumn(column).data() for column in (Column.MEMORY, Column.RSS)] == ["–", "–"]


def test_sorting_goes_by_numbers_not_by_their_words(tree: SessionTree) -> None:
    tree.sort(Column.MEMORY, Qt.SortOrder.AscendingOrder)
    values = [tree.index(row, Column.MEMORY).data(SORT_ROLE) for row in range(tree.rowCount())]
    assert values == sorted(values)
    tree.sort(Column.NAME, Qt.SortOrder.AscendingOrder)
    assert titles(tree) == ["Claude Code", "Codex", "craft-agents", "OpenCode", "Orphans", "Shared helpers"]


def test_an_unchanged_snapshot_changes_nothing(tree: SessionTree) -> None:
    seen = changed_rows(tree)
    tree.layoutChanged.connect(lambda *_: seen.append("layout"))
    tree.set_snapshot(scene.scene())
    assert seen == []


def test_only_rows_that_show_something_else_are_told(tree: SessionTree) -> None:
    seen = changed_rows(tree)
    tree.set_snapshot(heavier(scene.scene(), scene.GUIDE, 0.3))
    assert sorted(seen) == ["Getting started guide", "OpenCode", "opencode"]


def test_no_tick_resets_the_model(tree: SessionTree) -> None:
    resets: list[int] = []
    tree.modelReset.connect(lambda: resets.append(1))
    tree.set_snapshot(scene.without(scene.scene(), scene.REFACTOR, scene.LANGUAGE_SERVER, scene.BROWSER_HELPER))
    assert "Orphans" not in titles(tree)
    tree.set_snapshot(scene.scene())
    assert "Orphans" in titles(tree)
    assert resets == []


def test_a_persistent_index_follows_its_session_through_a_new_order(tree: SessionTree) -> None:
    kept = QPersistentModelIndex(tree.index_of_group(scene.MIGRATE))
    assert kept.row() == 2
    tree.set_snapshot(heavier(scene.scene(), scene.MIGRATE, 5))
    assert kept.data() == "Migrate billing to v2"
    assert kept.row() == 0


def test_rows_do_not_jump_while_the_order_is_held(tree: SessionTree) -> None:
    tree.hold_order(True)
    tree.set_snapshot(heavier(scene.scene(), scene.MIGRATE, 5))
    assert titles(tree, branch(tree, "Claude Code"))[-1] == "Migrate billing to v2"
    tree.hold_order(False)
    assert titles(tree, branch(tree, "Claude Code"))[0] == "Migrate billing to v2"


def test_a_filter_shows_one_host_and_matching_titles(tree: SessionTree) -> None:
    tree.set_filter(branch=CLAUDE)
    assert titles(tree) == ["Claude Code"]
    tree.set_filter(text="BILLING")
    assert titles(tree, branch(tree, "Claude Code")) == ["Migrate billing to v2"]
    tree.set_filter()
    assert len(titles(tree)) == 6


def test_a_session_that_becomes_an_orphan_moves_with_its_key(tree: SessionTree) -> None:
    group = scene.scene().group(scene.REFACTOR)
    assert group is not None
    tree.set_snapshot(scene.with_group(scene.scene(), replace(group, kind=GroupKind.ORPHAN_AGENT)))
    assert tree.index_of_group(scene.REFACTOR).parent().data() == "Orphans"
    tree.set_snapshot(scene.scene())
    assert tree.index_of_group(scene.REFACTOR).parent().data() == "Claude Code"


def test_buttons_follow_what_may_be_done() -> None:
    snapshot = scene.scene()
    shown = {group.key: row_action(group) for group in snapshot.groups}
    assert shown[scene.REFACTOR] is RowAction.RELEASE
    assert shown[scene.MIGRATE] is RowAction.OPEN
    assert shown[scene.FIX] is None
    assert shown[scene.UPGRADE] is RowAction.WHY
    assert shown[scene.LANGUAGE_SERVER] is RowAction.END_ORPHAN
    group = snapshot.group(scene.REFACTOR)
    assert group is not None
    ask = Decision(action=Action.RELEASE, allowed=Allowed.CONFIRM, reason=Reason.ATTACHED_TERMINAL)
    assert row_action(replace(group, decisions=(ask,))) is RowAction.RELEASE_ASK
    stale = scene.stale().group(scene.GUIDE)
    assert stale is not None
    assert row_action(stale) is RowAction.WHY


def test_a_screen_reader_hears_title_host_state_and_memory(tree: SessionTree) -> None:
    row = tree.index_of_group(scene.REFACTOR)
    spoken = row.data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Refactor settings page, Claude Code, Idle 2\u202fh 14\u202fmin, 1.9\u202fGB"
    button = row.siblingAtColumn(Column.BUTTON).data(Qt.ItemDataRole.AccessibleTextRole)
    assert button == "Release Refactor settings page, about 1.9\u202fGB"


def many(sessions: int, each: int, *, heavier_ones: frozenset[int] = frozenset(), by_bytes: int = scene.GB) -> Snapshot:
    groups = []
    for number in range(sessions):
        members = tuple(
            Member(
                process=replace(
                    scene.member(number * each + at + 2, "node", Role.HELPER, 0.1, 0.1).process,
                    identity=Identity(number * each + at + 2, 7),
                ),
                role=Role.HELPER,
                claim=None,
                cpu_percent=0.0,
            )
            for at in range(each)
        )
        extra = by_bytes if number in heavier_ones else 0
        group: Group = scene.group(f"claude-code:{number:04}", GroupKind.SESSION, members, title=f"Session {number:04}")
        groups.append(replace(group, footprint_bytes=(group.footprint_bytes or 0) + extra))
    return scene.snapshot_of(tuple(groups))


def test_the_processes_of_a_closed_row_wait_until_it_is_opened(qtbot: QtBot) -> None:
    tree = SessionTree()
    view = SessionTreeView(tree)
    qtbot.addWidget(view)
    view.show_snapshot(many(2, 3))
    closed = tree.index_of_group("claude-code:0001")
    told: list[str] = []
    tree.rowsRemoved.connect(lambda parent, *_rows: told.append(str(parent.data())))
    view.show_snapshot(many(2, 2))
    assert told == []
    view.expand(closed)
    assert told == ["Session 0001"]
    assert tree.rowCount(closed) == 2
    view.show_snapshot(many(2, 1))
    assert tree.rowCount(closed) == 1


def test_a_tick_that_changes_five_sessions_of_500_tells_five_and_their_host(qtbot: QtBot) -> None:
    tree = SessionTree()
    tree.set_snapshot(many(500, 10))
    assert tree.rowCount(tree.index(0, 0)) == 500
    emitted: list[tuple[str, int, int]] = []
    tree.dataChanged.connect(
        lambda top, bottom, _roles: emitted.append((str(top.siblingAtColumn(0).data()), top.column(), bottom.column()))
    )
    tree.set_snapshot(many(500, 10, heavier_ones=frozenset({3, 77, 200, 311, 499})))
    heavier = ["Claude Code", *(f"Session {n:04}" for n in (3, 77, 200, 311, 499))]
    assert sorted(emitted) == [(title, Column.MEMORY, Column.MEMORY) for title in heavier]


def test_a_figure_that_changes_and_reads_the_same_tells_nothing_but_is_sorted_by(qtbot: QtBot) -> None:
    tree = SessionTree()
    tree.set_snapshot(many(3, 2))
    told: list[object] = []
    tree.dataChanged.connect(lambda *cells: told.append(cells))
    tree.set_snapshot(many(3, 2, heavier_ones=frozenset({2}), by_bytes=1000))
    assert told == []
    branch = tree.index(0, 0)
    assert [tree.index(row, 0, branch).data() for row in range(3)] == ["Session 0002", "Session 0000", "Session 0001"]


# The view.


@pytest.fixture
def view(qtbot: QtBot, tree: SessionTree) -> SessionTreeView:
    made = SessionTreeView(tree)
    qtbot.addWidget(made)
    made.resize(1000, 500)
    made.show_snapshot(scene.scene())
    with qtbot.waitExposed(made):
        made.show()
    return made


def click(view: SessionTreeView, at: QPoint) -> None:
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)


def test_selection_expansion_and_scroll_hold_over_ticks(qtbot: QtBot, view: SessionTreeView) -> None:
    tree = view.tree
    view.resize(1000, 200)
    for key in (scene.FIX, scene.REFACTOR):
        view.expand(tree.index_of_group(key))
    view.select_group(scene.MIGRATE)
    scrolled = view.verticalScrollBar().value()
    assert scrolled > 0
    grown = heavier(scene.without(scene.scene(), scene.REPORT), scene.REFACTOR, 0.1)
    view.show_snapshot(grown)
    assert view.currentIndex().data() == "Migrate billing to v2"
    assert view.isExpanded(tree.index_of_group(scene.REFACTOR))
    assert view.verticalScrollBar().value() == scrolled


def test_rows_that_a_filter_hid_come_back_as_open_as_they_were(view: SessionTreeView) -> None:
    tree = view.tree
    view.expand(tree.index_of_group(scene.REFACTOR))
    tree.set_filter(branch=host_key("codex"))
    tree.set_filter()
    assert view.isExpanded(tree.index_of_group(scene.REFACTOR))
    assert not view.isExpanded(tree.index_of_group(scene.FIX))


def test_a_click_on_the_button_of_a_row_asks_and_does_not_select(qtbot: QtBot, view: SessionTreeView) -> None:
    index = view.tree.index_of_group(scene.REFACTOR).siblingAtColumn(Column.BUTTON)
    with qtbot.waitSignal(view.asked) as asked:
        click(view, view.visualRect(index).center())
    assert asked.args is not None
    assert isinstance(asked.args[0], Asked)
    assert asked.args[0].action is RowAction.RELEASE
    assert asked.args[0].node.key == scene.REFACTOR
    assert not view.selectionModel().hasSelection()


def test_a_click_beside_a_button_only_selects(qtbot: QtBot, view: SessionTreeView) -> None:
    index = view.tree.index_of_group(scene.FIX).siblingAtColumn(Column.BUTTON)
    with qtbot.assertNotEmitted(view.asked):
        click(view, view.visualRect(index).center() + QPoint(1, 0))
    assert view.currentIndex().siblingAtColumn(0).data() == "Fix flaky upload tests"


def test_enter_opens_the_page_and_r_releases(qtbot: QtBot, view: SessionTreeView) -> None:
    index = view.tree.index_of_group(scene.REFACTOR)
    view.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
    with qtbot.waitSignal(view.asked) as opened:
        QTest.keyClick(view, Qt.Key.Key_Return)
    with qtbot.waitSignal(view.asked) as released:
        QTest.keyClick(view, Qt.Key.Key_R)
    assert opened.args is not None
    assert released.args is not None
    assert opened.args[0].action is None
    assert released.args[0].action is RowAction.RELEASE


def test_r_does_nothing_where_a_release_is_refused(qtbot: QtBot, view: SessionTreeView) -> None:
    view.select_group(scene.FIX)
    with qtbot.assertNotEmitted(view.asked):
        QTest.keyClick(view, Qt.Key.Key_R)


def test_narrow_windows_lose_rss_then_the_sparkline(view: SessionTreeView) -> None:
    view.resize(990, 400)
    assert view.isColumnHidden(Column.RSS)
    assert not view.isColumnHidden(Column.LAST_HOUR)
    view.resize(900, 400)
    assert view.isColumnHidden(Column.LAST_HOUR)
    view.resize(1000, 400)
    assert not view.isColumnHidden(Column.RSS)


def test_processes_are_the_third_level(tree: SessionTree) -> None:
    index = tree.index(0, 0, tree.index_of_group(scene.REFACTOR))
    node = tree.node(index)
    assert node.level is Level.PROCESS
    assert (node.shown.title, node.shown.second) == ("typescript server", "helper, pid 41902")


def test_the_view_paints_in_both_appearances(view: SessionTreeView, look: str) -> None:
    image = view.grab().toImage()
    colours = {image.pixelColor(x, y).name() for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)}
    assert len(colours) > 8


# Filtering, sorting and columns.


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("billing", ["Migrate billing to v2"]),
        ("src/console", ["Refactor settings page"]),
        ("OPENCODE", ["Getting started guide"]),
        ("41902", ["Refactor settings page"]),
        ("nothing like it", []),
    ],
)
def test_the_filter_looks_at_title_folder_host_and_pid(tree: SessionTree, text: str, found: list[str]) -> None:
    tree.set_filter(text=text)
    rows = [tree.index(row, 0) for row in range(tree.rowCount())]
    assert [title for row in rows for title in titles(tree, row)] == found


@pytest.mark.parametrize("column", sorted(set(Column) - {Column.BUTTON}))
@pytest.mark.parametrize("order", [Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder])
def test_each_column_sorts_and_what_is_absent_comes_last(
    tree: SessionTree, column: Column, order: Qt.SortOrder
) -> None:
    tree.set_sparklines(scene.sparklines(20))
    tree.sort(column, order)
    assert (tree.sort_column, tree.descending) == (column, order is Qt.SortOrder.DescendingOrder)
    for row in range(tree.rowCount()):
        parent = tree.index(row, 0)
        values = [tree.index(n, column, parent).data(SORT_ROLE) for n in range(tree.rowCount(parent))]
        known = [value for value in values if value is not None]
        assert values == known + [None] * (len(values) - len(known))
        assert known == sorted(known, reverse=tree.descending)


def test_counts_of_tokens_are_said_shortly() -> None:
    said = [count_words(number) for number in (None, 840, 12_400, 123_456, 999_949, 3_100_000)]
    assert said == ["", "840", "12.4\u202fk", "123\u202fk", "1000\u202fk", "3.1\u202fM"]


def test_columns_are_chosen_in_the_menu_of_the_head(view: SessionTreeView) -> None:
    assert view.isColumnHidden(Column.MODEL)
    menu = view.column_menu()
    chosen = {action.text(): action for action in menu.actions() if action.isCheckable()}
    assert "Name" not in chosen, "names are always there"
    with_signal = []
    view.arranged.connect(lambda: with_signal.append(view.chosen_columns))
    chosen["Processes"].trigger()
    chosen["CPU"].trigger()
    menu.close()
    assert not view.isColumnHidden(Column.PROCESSES)
    assert view.isColumnHidden(Column.CPU)
    assert with_signal[-1] == {"processes": True, "cpu": False}
    again = view.column_menu()
    next(action for action in again.actions() if action.text() == "Columns as usual").trigger()
    again.close()
    assert view.isColumnHidden(Column.PROCESSES)
    assert not view.isColumnHidden(Column.CPU)


def test_the_order_can_be_chosen_by_the_keyboard_too(view: SessionTreeView) -> None:
    menu = view.column_menu()
    order = next(action.menu() for action in menu.actions() if action.text() == "Sort by")
    assert isinstance(order, QMenu)
    next(action for action in order.actions() if action.text() == "Name").trigger()
    menu.close()
    assert (view.tree.sort_column, view.tree.descending) == (Column.NAME, False)


def test_chosen_columns_give_way_until_names_have_room(qtbot: QtBot, view: SessionTreeView) -> None:
    view.choose_columns({column.name.lower(): True for column in Column} | {"no such column": True})
    view.resize(1400, 400)
    assert not view.isColumnHidden(Column.FOLDER)
    view.resize(700, 400)
    assert view.isColumnHidden(Column.FOLDER)
    assert not view.isColumnHidden(Column.MEMORY)
    assert view.columnWidth(Column.NAME) >= 180


def test_a_marked_session_marks_its_closed_host(view: SessionTreeView) -> None:
    view.collapseAll()
    before = view.grab().toImage()
    view.mark({scene.PARSER})
    host = branch(view.tree, "Codex")
    rect = view.visualRect(host)
    at = QPoint(rect.center().x(), rect.top() + view.header().height() + 4)
    assert view.grab().toImage().pixelColor(at) != before.pixelColor(at)
    view.mark(())
    assert view.grab().toImage() == before


def test_the_row_under_the_pointer_or_the_focus_is_told(qtbot: QtBot, view: SessionTreeView) -> None:
    told: list[Node | None] = []
    view.pointed.connect(told.append)
    row = view.visualRect(view.tree.index_of_group(scene.FIX)).center()
    QTest.mouseMove(view.viewport(), QPoint(row.x(), row.y() + 1))
    qtbot.waitUntil(lambda: bool(told))
    assert told[-1] is not None
    assert told[-1].key == scene.FIX
    QApplication.sendEvent(view.viewport(), QEvent(QEvent.Type.Leave))
    assert told[-1] is None


def test_a_filter_that_nothing_matches_says_so(view: SessionTreeView) -> None:
    empty = view.grab().toImage()
    view.tree.set_filter(text="nothing like it")
    assert view.tree.is_filtered
    assert view.tree.rowCount() == 0
    assert view.grab().toImage() != empty


def test_500_sessions_with_5000_processes_cost_what_is_seen(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """A paint touches the rows in view and no others; a tick that changes nothing tells nothing."""
    snapshot = many(500, 10)
    made = SessionTree()
    shown = SessionTreeView(made)
    qtbot.addWidget(shown)
    shown.resize(1100, 640)
    shown.show_snapshot(snapshot)
    shown.expandAll()
    shown.show()
    painted: list[object] = []
    original = SessionTreeView.drawRow

    def counted(self: SessionTreeView, *given: object) -> None:
        painted.append(given)
        original(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(SessionTreeView, "drawRow", counted)
    bar = shown.verticalScrollBar()
    for share in (0.2, 0.5, 0.9):
        painted.clear()
        bar.setValue(round(bar.maximum() * share))
        shown.viewport().grab()
        assert 0 < len(painted) <= 640 // 32 + 2
    told = changed_rows(made)
    resets: list[bool] = []
    made.modelReset.connect(lambda: resets.append(True))
    at = bar.value()
    shown.show_snapshot(replace(snapshot, monotonic_s=snapshot.monotonic_s + 2))
    shown.show_snapshot(many(500, 10, heavier_ones=frozenset({7}), by_bytes=scene.GB))
    assert len(set(told)) <= 3
    assert resets == []
    assert bar.value() == at


def test_opening_one_row_sorts_what_is_below_it_only(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    made = SessionTree()
    shown = SessionTreeView(made)
    qtbot.addWidget(shown)
    shown.show_snapshot(many(50, 3))
    sorted_at: list[int] = []
    original = SessionTree._sorted

    def counted(self: SessionTree, children: Iterable[Node]) -> list[Node]:
        below = list(children)
        sorted_at.append(len(below))
        return original(self, below)

    monkeypatch.setattr(SessionTree, "_sorted", counted)
    shown.expandAll()
    assert sum(sorted_at) <= 50 * 3 * 2, "or opening them all would take the square of their number"
