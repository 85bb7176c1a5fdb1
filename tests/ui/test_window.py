"""The window leads to its pages, shows the newest snapshot in place, and asks before anything is lost."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QMenu, QWidget
from pytestqt.qtbot import QtBot

from tests.ui import scene
from tests.ui.fake_backend import FakeBackend
from tests.ui.screenshots_window import NoLogin
from trayapp.model.plan import Action, Allowed, Decision, Reason
from trayapp.model.receipt import Fate, Outcome, Progress, Return
from trayapp.model.series import StackBy
from trayapp.model.session import Evidence, EvidenceKind, Speaks, State
from trayapp.settings import Settings
from trayapp.ui import tokens
from trayapp.ui.branches import host_key
from trayapp.ui.bridge import Bridge
from trayapp.ui.controls import Kind, Text
from trayapp.ui.journal_page import Entry, Kept, day_words, headline, kept
from trayapp.ui.next_page import line_key
from trayapp.ui.question_dialog import QuestionDialog
from trayapp.ui.review import ReviewDialog
from trayapp.ui.session_page import members_in_words
from trayapp.ui.sidebar import PageName
from trayapp.ui.tree import Column
from trayapp.ui.window import MainWindow
from trayapp.why import Bearing, bearing

THIN = "\u202f"


class RememberedLogin(NoLogin):
    """Remember whether the start at login is on."""

    def __init__(self) -> None:
        self.on = False

    def is_on(self) -> bool:
        return self.on

    def turn_on(self, command: object) -> None:
        self.on = True

    def turn_off(self) -> None:
        self.on = False


@pytest.fixture
def login() -> RememberedLogin:
    return RememberedLogin()


@pytest.fixture
def window(qtbot: QtBot, backend: FakeBackend, bridge: Bridge, login: RememberedLogin) -> MainWindow:
    made = MainWindow(backend, bridge, login=login)
    qtbot.addWidget(made)
    with qtbot.waitExposed(made):
        made.show()
    return made


def settle(qtbot: QtBot) -> None:
    """Let queued signals arrive."""
    for _ in range(4):
        QApplication.processEvents()


def entry(menu: QMenu, words: str) -> QAction:
    """Return the entry of a menu with these words."""
    return next(action for action in menu.actions() if action.text() == words)


def texts(widget: QWidget) -> list[str]:
    return [text.text() for text in widget.findChildren(Text) if text.isVisible()]


def dialog(window: MainWindow, kind: type[QDialog]) -> QDialog:
    found = [each for each in window.findChildren(kind) if each.isVisible()]
    assert len(found) == 1
    return found[0]


# The window itself.


def test_it_has_the_size_of_the_design_and_can_shrink_to_its_least(window: MainWindow) -> None:
    assert (window.width(), window.height()) == (1120, 812)
    assert window.minimumSize() == QSize(880, 600)


def test_it_reads_closely_only_while_it_is_shown(window: MainWindow, backend: FakeBackend) -> None:
    window.hide()
    assert backend.detail == [True, False]


@pytest.mark.parametrize("name", list(PageName))
def test_each_page_can_be_reached_by_its_name_and_by_its_line(window: MainWindow, name: PageName) -> None:
    window.show_page(str(name))
    shown = window.page
    window.show_page(PageName.OVERVIEW)
    window.sidebar.pages[name].click()
    assert window.page is shown
    assert [each for each, item in window.sidebar.pages.items() if item.isChecked()] == [name]


def test_a_session_opens_and_the_way_leads_back_where_it_came_from(window: MainWindow) -> None:
    window.show_page(PageName.NEXT)
    window.show_session(scene.REFACTOR)
    assert window.page is window.session
    assert window.session.back_link.text() == "Next to go"
    window.session.back_link.click()
    assert window.next_page.isVisible()


def test_keys_refresh_filter_and_go_back(qtbot: QtBot, window: MainWindow, backend: FakeBackend) -> None:
    def press(keys: QKeySequence) -> None:
        """Activate as Qt does; the offscreen platform activates no window."""
        found = [each for each in window.findChildren(QShortcut) if each.key() == keys]
        assert len(found) == 1, "two of the same would be ambiguous, and none would work"
        found[0].activated.emit()

    press(QKeySequence(Qt.Key.Key_F5))
    assert backend.refreshed == 1
    window.show_session(scene.FIX)
    press(QKeySequence(Qt.Key.Key_Escape))
    assert window.page is window.overview
    press(QKeySequence(QKeySequence.StandardKey.Find))
    assert window.overview.filter.isVisible()
    window.overview.filter.setText("billing")
    assert window.overview.tree.rowCount() == 1
    QTest.keyClick(window.overview.filter, Qt.Key.Key_Escape)
    assert window.overview.tree.rowCount() == 6


def test_a_host_of_the_sidebar_filters_the_tree_and_a_second_click_shows_all(window: MainWindow) -> None:
    item = window.sidebar.host_items[host_key("codex")]
    item.click()
    assert window.overview.tree.rowCount() == 1
    item.click()
    assert window.overview.tree.rowCount() == 6


def test_the_sidebar_adds_up_to_the_total(window: MainWindow) -> None:
    shown = {item.text(): item.figure for item in window.sidebar.host_items.values()}
    assert shown == {
        "Claude Code": "5.8",
        "Codex": "2.5",
        "OpenCode": "0.9",
        "craft-agents": "0.7",
        "Shared helpers": "2.2",
        "Orphans": "0.3",
    }
    said = texts(window.sidebar)
    assert f"12.4 of 32{THIN}GB" in said
    assert "12.4" in said
    assert f"Recording, every 2{THIN}s" in said
    assert f"Agent Ring: 58{THIN}MB, 0.3{THIN}%" in said


def test_a_new_snapshot_changes_the_window_in_place(qtbot: QtBot, window: MainWindow, backend: FakeBackend) -> None:
    view = window.overview.view
    view.select_group(scene.MIGRATE)
    view.expand(window.overview.tree.index_of_group(scene.REFACTOR))
    backend.publish(scene.without(scene.scene(), scene.REPORT))
    qtbot.waitUntil(lambda: "craft-agents" not in [i.text() for i in window.sidebar.host_items.values()])
    assert view.currentIndex().data() == "Migrate billing to v2"
    assert view.isExpanded(window.overview.tree.index_of_group(scene.REFACTOR))


def test_a_change_of_appearance_holds_at_once(window: MainWindow) -> None:
    light = window.grab().toImage().pixelColor(210, 800)
    tokens.appearance().choose("dark")
    dark = window.grab().toImage().pixelColor(210, 800)
    assert (light.name(), dark.name()) == (tokens.LIGHT.win.name(), tokens.DARK.win.name())


def test_before_the_first_snapshot_it_says_that_it_measures(qtbot: QtBot, login: RememberedLogin) -> None:
    backend = FakeBackend(None)
    bridge = Bridge(backend)
    window = MainWindow(backend, bridge, login=login)
    qtbot.addWidget(window)
    window.show()
    assert window.overview.empty.words[0] == "Measuring"
    assert window.open_review() is None
    bridge.close()
    bridge.deleteLater()


def test_without_a_session_it_says_what_to_do(qtbot: QtBot, window: MainWindow, backend: FakeBackend) -> None:
    backend.publish(scene.empty())
    qtbot.waitUntil(lambda: window.overview.empty.isVisible())
    assert window.overview.empty.words[0] == "No agent session is running"
    assert "Start one in Claude Code, Codex, OpenCode, craft-agents or another host." in window.overview.empty.words[1]


def test_of_many_hosts_only_the_first_are_named_where_nothing_runs(
    qtbot: QtBot, window: MainWindow, backend: FakeBackend
) -> None:
    more = [replace(scene.CODEX, host=f"other-{n}", title=f"Other {n}", rank=90 + n) for n in range(1, 6)]
    backend.publish(replace(scene.empty(), labels=(*reversed(more), *scene.empty().labels)))
    qtbot.waitUntil(lambda: window.overview.empty.isVisible())
    named = "Start one in Claude Code, Codex, OpenCode, craft-agents, Other 1, Other 2 and 3 more."
    assert named in window.overview.empty.words[1]
    assert not window.overview.release.isEnabled()
    assert window.overview.release.text() == "Nothing to release"


def test_a_host_that_does_not_answer_is_named(qtbot: QtBot, window: MainWindow, backend: FakeBackend) -> None:
    backend.publish(scene.stale())
    qtbot.waitUntil(lambda: window.overview.note.isVisible())
    assert window.overview.note.words[0] == "OpenCode: has not answered for 40 s"


def test_a_notice_stands_above_all_pages(window: MainWindow) -> None:
    window.show_notice("This desktop shows no tray. Closing the window quits.")
    assert window.notice.words == ("This desktop shows no tray", "Closing the window quits.")
    assert window.notice.isVisible()


@pytest.mark.parametrize("name", [*PageName, "session"])
def test_only_titles_are_cut_off_in_the_smallest_window(qtbot: QtBot, window: MainWindow, name: str) -> None:
    window.resize(880, 600)
    if name == "session":
        window.show_session(scene.REFACTOR)
    else:
        window.show_page(name)
    settle(qtbot)
    if name == PageName.JOURNAL:
        window.journal.entries[0].head.setChecked(True)
    settle(qtbot)
    window.grab()
    names = {group.name for group in scene.scene().groups}
    page = window.page
    assert page is not None
    cut = [
        text.text()
        for text in [*page.findChildren(Text), *window.sidebar.findChildren(Text)]
        if text.isVisible()
        and not text.wordWrap()
        and tokens.text_width(text.text(), text.font()) > text.width() + 1
        and text.text() not in names
    ]
    assert cut == []


# From a click to the core.


def test_release_in_a_row_asks_the_core_at_once(window: MainWindow, backend: FakeBackend) -> None:
    view = window.overview.view
    index = window.overview.tree.index_of_group(scene.REFACTOR).siblingAtColumn(Column.BUTTON)
    at = view.visualRect(index).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    (targets, origin), *others = backend.asked
    assert not others
    assert origin == "window"
    assert [target.group_key for target in targets] == [scene.REFACTOR]
    assert len(targets[0].members) == 4
    assert not targets[0].confirmed


def test_ending_an_orphan_asks_first(qtbot: QtBot, window: MainWindow, backend: FakeBackend) -> None:
    window.show_page(PageName.NEXT)
    window.next_page.orphans.button(line_key(scene.LANGUAGE_SERVER, Action.END_ORPHAN)).click()
    question = dialog(window, QuestionDialog)
    assert isinstance(question, QuestionDialog)
    assert backend.asked == []
    question.no.click()
    assert backend.asked == []
    window.show_page(PageName.NEXT)
    window.next_page.orphans.button(line_key(scene.LANGUAGE_SERVER, Action.END_ORPHAN)).click()
    question = dialog(window, QuestionDialog)
    assert isinstance(question, QuestionDialog)
    question.yes.click()
    assert backend.asked[0][0][0].confirmed
    assert backend.asked[0][0][0].action is Action.END_ORPHAN


def test_a_release_that_needs_a_yes_names_what_is_lost(qtbot: QtBot, window: MainWindow, backend: FakeBackend) -> None:
    group = scene.scene().group(scene.REFACTOR)
    assert group is not None
    ask = Decision(action=Action.RELEASE, allowed=Allowed.CONFIRM, reason=Reason.ATTACHED_TERMINAL)
    window.act(replace(group, decisions=(ask,)), ask)
    question = dialog(window, QuestionDialog)
    assert question.accessibleName() == (
        "Release Refactor settings page? It is open in a terminal. Its view closes, and what is typed there is lost."
    )
    question.reject()
    assert backend.asked == []


def test_why_and_open_lead_to_the_page_of_the_session(window: MainWindow, backend: FakeBackend) -> None:
    for key in (scene.UPGRADE, scene.MIGRATE):
        window.show_page(PageName.NEXT)
        window.next_page.staying.button(key).click()
        assert window.page is window.session
        assert window.session.key == key
    assert backend.asked == []


def test_ending_a_busy_session_is_red_and_names_the_running_turn(window: MainWindow, backend: FakeBackend) -> None:
    window.show_session(scene.FIX)
    menu = window.session.menu()
    end = menu.actions()[0]
    assert end.text() == "End with a signal…"
    end.trigger()
    menu.close()
    question = dialog(window, QuestionDialog)
    assert isinstance(question, QuestionDialog)
    assert "The running turn is lost." in question.accessibleName()
    assert (question.yes.text(), question.yes._kind) == ("End it now", Kind.DANGER)
    question.yes.click()
    assert backend.asked[0][0][0].action is Action.KILL


def test_the_primary_button_opens_the_review(qtbot: QtBot, window: MainWindow) -> None:
    assert window.overview.release.text() == f"Release 5.1{THIN}GB…"
    window.overview.release.click()
    review = dialog(window, ReviewDialog)
    review.reject()


def test_the_bar_tells_progress_and_what_came_back(qtbot: QtBot, window: MainWindow, backend: FakeBackend) -> None:
    window.show_page(PageName.NEXT)
    window.next_page.order.button(line_key(scene.REFACTOR)).click()
    settle(qtbot)
    assert window.bar.words[0] == "Releasing Refactor settings page"
    backend.report(
        Progress(
            done=0,
            total=1,
            title="Refactor settings page",
            label="Waiting for Claude Code to finish",
            waited_s=4.0,
            wait_s=10.0,
            came_back_bytes=0,
        )
    )
    qtbot.waitUntil(lambda: window.bar.words[1] == f"Waiting for Claude Code to finish, 4{THIN}s of 10{THIN}s")
    backend.finish()
    qtbot.waitUntil(lambda: window.bar.words[0] == f"1.9{THIN}GB came back")
    assert window.bar.isVisible()
    window.bar.done.click()
    assert not window.bar.isVisible()


def test_a_refusal_of_the_core_is_told(qtbot: QtBot, window: MainWindow, backend: FakeBackend) -> None:
    window.show_page(PageName.NEXT)
    window.next_page.order.button(line_key(scene.REFACTOR)).click()
    refused = Outcome(
        target=backend.asked[0][0][0], fate=Fate.REFUSED, sentence="A turn has started", reason=Reason.OPEN_TURN
    )
    backend.finish(replace(scene.receipt(), outcomes=(refused,)))
    qtbot.waitUntil(lambda: window.bar.words == ("Not released: Refactor settings page", "A turn has started"))
    window.bar.put_away()


def test_a_broken_action_is_told(qtbot: QtBot, window: MainWindow, backend: FakeBackend) -> None:
    window.show_page(PageName.NEXT)
    window.next_page.order.button(line_key(scene.REFACTOR)).click()
    backend.break_off(OSError("The journal cannot be written: disk full"))
    qtbot.waitUntil(lambda: window.bar.words[1] == "The journal cannot be written: disk full")


# What is not seen costs nothing.


def test_a_hidden_window_takes_no_snapshot_and_is_up_to_date_when_shown_again(
    qtbot: QtBot, window: MainWindow, bridge: Bridge, backend: FakeBackend
) -> None:
    window.hide()
    told: list[object] = []
    window.overview.tree.rowsRemoved.connect(lambda *rows: told.append(rows))
    asked = len(backend.queries)
    with qtbot.waitSignal(bridge.snapshot_changed):
        backend.publish(scene.empty())
    assert told == []
    assert len(backend.queries) == asked
    window.show()
    assert told != []
    assert window.overview.tree.rowCount() == 0


def test_only_the_page_that_is_shown_follows(
    qtbot: QtBot, window: MainWindow, bridge: Bridge, backend: FakeBackend
) -> None:
    def releasable() -> int:
        return len(window.next_page.order.lines)

    assert releasable() == 0
    window.show_page(PageName.NEXT)
    assert releasable() == 4
    with qtbot.waitSignal(bridge.snapshot_changed):
        backend.publish(scene.empty())
    assert releasable() == 0
    assert window.overview.tree.rowCount() > 0
    window.show_page(PageName.OVERVIEW)
    assert window.overview.tree.rowCount() == 0


# Next to go.


def test_the_order_is_the_one_of_policies_with_the_reason_for_each_place(window: MainWindow) -> None:
    window.show_page(PageName.NEXT)
    lines = window.next_page.order.lines
    assert [(line.lead, line.title, line.size) for line in lines] == [
        ("1", "Weekly report", f"0.7{THIN}GB"),
        ("2", "Write parser benchmarks", f"1.3{THIN}GB"),
        ("3", "Refactor settings page", f"1.9{THIN}GB"),
        ("4", "Getting started guide", f"0.9{THIN}GB"),
    ]
    assert (lines[0].why, lines[0].then) == (f"Idle for 1{THIN}d 3{THIN}h", "The longest goes first")
    assert {line.title: line.why for line in window.next_page.staying.lines} == {
        "Fix flaky upload tests": "A turn is running",
        "Migrate billing to v2": "It waits for your answer",
        "Upgrade to Qt 6.11": "Cannot tell if it is idle",
    }


def test_orphans_stand_below_the_sessions_without_a_place_among_them(window: MainWindow) -> None:
    window.show_page(PageName.NEXT)
    page = window.next_page
    assert [(line.lead, line.title, line.size) for line in page.orphans.lines] == [
        ("", "Language server", f"0.2{THIN}GB"),
        ("", "Browser helper", f"0.1{THIN}GB"),
    ]
    assert page.order.y() < page.orphans.y() < page.staying.y()
    assert {line.why for line in page.orphans.lines} == {"Its session is gone"}


def test_release_next_takes_the_first_of_the_sessions(window: MainWindow, backend: FakeBackend) -> None:
    window.show_page(PageName.NEXT)
    assert window.next_page.release_next.text() == "Release next"
    window.next_page.release_next.click()
    assert [target.group_key for target in backend.asked[0][0]] == [scene.REPORT]


def test_where_only_orphans_can_go_the_next_one_is_asked_about_first(
    qtbot: QtBot, window: MainWindow, bridge: Bridge, backend: FakeBackend
) -> None:
    rest = scene.without(scene.scene(), scene.REPORT, scene.PARSER, scene.REFACTOR, scene.GUIDE)
    with qtbot.waitSignal(bridge.snapshot_changed):
        backend.publish(rest)
    window.show_page(PageName.NEXT)
    assert window.next_page.release_next.text() == "End next…"
    window.next_page.release_next.click()
    question = dialog(window, QuestionDialog)
    assert isinstance(question, QuestionDialog)
    assert question.accessibleName().startswith("End Language server?")
    question.reject()
    assert backend.asked == []


def test_of_a_session_with_surplus_backends_only_these_are_ended(
    qtbot: QtBot, window: MainWindow, bridge: Bridge, backend: FakeBackend
) -> None:
    group = scene.hosted()
    end = Decision(action=Action.END_DUPLICATE, allowed=Allowed.ALLOW, reason=Reason.DUPLICATE_BACKEND)
    twice = replace(group, decisions=(*group.decisions, end))
    with qtbot.waitSignal(bridge.snapshot_changed):
        backend.publish(scene.with_group(scene.hosted_scene(), twice))
    window.show_page(PageName.NEXT)
    line = next(line for line in window.next_page.order.lines if line.key == line_key(group.key, Action.END_DUPLICATE))
    assert (line.why, line.then) == ("2 surplus backends", "The session keeps its current one")
    window.next_page.order.button(line.key).click()
    question = dialog(window, QuestionDialog)
    assert isinstance(question, QuestionDialog)
    question.yes.click()
    (target,) = backend.asked[0][0]
    assert target.members == tuple(member.process.identity for member in group.surplus)
    assert target.expected_bytes == sum(member.process.footprint_bytes or 0 for member in group.surplus)
    assert line_key(group.key) in [each.key for each in window.next_page.order.lines]


# One session.


def test_the_evidence_of_an_idle_session_is_listed_with_its_age(window: MainWindow) -> None:
    window.show_session(scene.REFACTOR)
    card = window.session.evidence
    assert card.words == ("Why is this idle?", f"Idle 2{THIN}h 14{THIN}min, confirmed twice")
    assert len(card.row_words) == 6
    assert card.row_words[0] == f"The turn ended, speaks for it, Host's session record, 14:05, 4{THIN}s ago"
    assert ", told only, " in card.row_words[-1]


@pytest.mark.parametrize(
    ("speaks_for", "state", "wanted"),
    [
        (Speaks.IDLE, State.IDLE, Bearing.FOR),
        (Speaks.IDLE, State.BUSY, Bearing.AGAINST),
        (Speaks.PROTECTS, State.IDLE, Bearing.AGAINST),
        (Speaks.UNREADABLE, State.UNKNOWN, Bearing.UNREADABLE),
        (Speaks.NOTHING, State.IDLE, Bearing.TOLD),
        (Speaks.IDLE, State.UNKNOWN, Bearing.TOLD),
        (Speaks.WAITING, State.WAITING, Bearing.FOR),
    ],
)
def test_each_piece_of_evidence_says_how_it_bears(speaks_for: Speaks, state: State, wanted: Bearing) -> None:
    evidence = Evidence(kind=EvidenceKind.RECORD, speaks_for=speaks_for, fact="A fact", source="a file")
    assert bearing(evidence, state) is wanted


def test_what_a_release_does_is_told_step_by_step_with_the_way_back(window: MainWindow) -> None:
    window.show_session(scene.REFACTOR)
    assert window.session.steps.step_words == (
        "Claude Code is asked to end the session.",
        "What is left is ended by SIGTERM.",
        "1 backend and 3 helpers go. Nothing else is touched.",
        f"About 1.9{THIN}GB comes back.",
    )
    assert window.session.steps.command.text == "claude --resume 7f3a19c2"
    window.session.steps.copy.click()
    assert QGuiApplication.clipboard().text() == "cd ~/src/console && claude --resume 7f3a19c2"
    assert window.session.steps.copy.text() == "Copied"


def test_a_busy_session_has_no_release_button_but_the_reason(window: MainWindow) -> None:
    window.show_session(scene.FIX)
    assert not window.session.release.isVisible()
    assert window.session.steps.refusal == "Not offered now: a turn is running."


def test_members_are_counted_by_what_they_are_for() -> None:
    group = scene.scene().group(scene.FIX)
    assert group is not None
    assert members_in_words(group) == "1 backend and 1 work process go"


def test_the_processes_say_why_they_belong_here(window: MainWindow) -> None:
    window.show_session(scene.REFACTOR)
    table = window.session.table.table
    rows = [[str(table.index(row, column).data()) for column in range(6)] for row in range(table.rowCount())]
    assert rows[0] == [
        "typescript server 41902",
        "Helper",
        "child of 41877",
        f"0.9{THIN}GB",
        f"0.7{THIN}GB",
        f"0.0{THIN}%",
    ]
    assert rows[1][2] == "session id in its arguments"
    table.sort(0, Qt.SortOrder.AscendingOrder)
    assert table.index(0, 0).data() == "browser bridge 42310"


def test_a_session_that_is_gone_stays_to_be_read(qtbot: QtBot, window: MainWindow, backend: FakeBackend) -> None:
    window.show_session(scene.REFACTOR)
    backend.publish(scene.without(scene.scene(), scene.REFACTOR))
    qtbot.waitUntil(lambda: window.session.note.isVisible())
    assert window.session.note.words[0] == "This session holds nothing any more"
    assert not window.session.release.isVisible()
    assert window.session.evidence.words[0] == "Why is this idle?"


def test_the_chart_of_a_session_asks_for_that_session_only(window: MainWindow, backend: FakeBackend) -> None:
    window.show_session(scene.REFACTOR)
    assert backend.queries[-1].session == scene.REFACTOR
    assert backend.queries[-1].stack_by is StackBy.SESSION


def test_the_id_can_be_copied(window: MainWindow) -> None:
    window.show_session(scene.REFACTOR)
    menu = window.session.menu()
    entry(menu, "Copy id").trigger()
    menu.close()
    assert QGuiApplication.clipboard().text() == "7f3a19c2"


# The journal.


def test_the_journal_goes_by_day_with_what_came_back(qtbot: QtBot, window: MainWindow) -> None:
    window.show_page(PageName.JOURNAL)
    qtbot.waitUntil(lambda: len(window.journal.entries) == 5)
    assert window.journal.entries[0].head.words == (
        "Released 4 sessions, ended 2 orphans",
        "You, from the menu bar. 1 process survived.",
        f"4.7{THIN}GB",
        f"of 5.1{THIN}GB expected",
    )
    wanted = {"Today", "Yesterday", f"3 actions, 8.7{THIN}GB came back"}
    qtbot.waitUntil(lambda: wanted <= set(texts(window.journal)))


def test_an_open_entry_tells_each_fate_and_gives_the_command(qtbot: QtBot, window: MainWindow) -> None:
    window.show_page(PageName.JOURNAL)
    qtbot.waitUntil(lambda: len(window.journal.entries) == 5)
    entry = window.journal.entries[0]
    assert isinstance(entry, Entry)
    entry.head.click()
    qtbot.waitUntil(lambda: "1 helper still runs after 10 s. Left: language server (37055)." in texts(entry))
    said = texts(entry)
    assert "claude --resume 7f3a19c2" in said
    assert "Resumes when you open it there" in said
    entry.copies[0].click()
    assert QGuiApplication.clipboard().text() == "cd ~/src/console && claude --resume 7f3a19c2"


def test_an_entry_of_the_journal_says_which_policy_acted_and_what_runs_again(
    qtbot: QtBot, window: MainWindow, backend: FakeBackend
) -> None:
    made = scene.receipt()
    again = Return(
        receipt_id=made.receipt_id,
        group_key=scene.PARSER,
        title="Write parser benchmarks",
        at=made.finished_at,
        after_s=12.0,
        by=None,
        members=(),
    )
    backend.journal = (replace(made, origin="policy idle-4h", returns=(again,)),)
    window.show_page(PageName.JOURNAL)
    qtbot.waitUntil(lambda: len(window.journal.entries) == 1)
    (entry_,) = window.journal.entries
    assert isinstance(entry_, Entry)
    assert entry_.head.words[1] == "By the policy “idle-4h”. 1 process survived, 1 runs again."
    entry_.head.click()
    assert "1 backend and 2 helpers gone. It runs again, seen 12 s later." in texts(entry_)
    assert any(
        words.startswith("Measured as physical footprint. Free on this computer: 8.2") for words in texts(entry_)
    )
    assert "Resume Write parser benchmarks, in a terminal" not in [b.accessibleName() for b in entry_.resumes]


def test_an_entry_that_did_not_change_stays_open_when_the_journal_is_read_again(
    qtbot: QtBot, window: MainWindow, backend: FakeBackend
) -> None:
    made = scene.receipt()
    backend.journal = (made,)
    window.show_page(PageName.JOURNAL)
    qtbot.waitUntil(lambda: len(window.journal.entries) == 1)
    (entry,) = window.journal.entries
    entry.head.click()
    backend.journal = (replace(made, receipt_id="later"), made)
    window.journal.refresh()
    qtbot.waitUntil(lambda: len(window.journal.entries) == 2)
    assert entry in window.journal.entries
    assert entry.isVisible()
    assert entry.head.isChecked()


def test_a_page_is_made_when_it_is_asked_for(window: MainWindow) -> None:
    pages = {"next_page", "policies", "journal", "settings_page", "about", "session"}
    assert not pages & set(vars(window))
    window.show_page(PageName.NEXT)
    window.show_page(PageName.OVERVIEW)
    assert pages & set(vars(window)) == {"next_page"}


def test_refusals_are_entries_and_can_be_picked_out(qtbot: QtBot, window: MainWindow) -> None:
    window.show_page(PageName.JOURNAL)
    qtbot.waitUntil(lambda: len(window.journal.entries) == 5)
    window.journal.filter.set_current(Kept.REFUSED)
    window.journal.filter.chosen.emit(Kept.REFUSED)
    (entry,) = window.journal.entries
    assert entry.head.words[0] == "Refused: Fix flaky upload tests"
    assert entry.head.words[2] == "Nothing done"
    assert len(kept(scene.receipts(), Kept.ENDED)) == 2


def test_an_empty_journal_says_so(qtbot: QtBot, window: MainWindow, backend: FakeBackend) -> None:
    backend.journal = ()
    window.show_page(PageName.JOURNAL)
    qtbot.waitUntil(lambda: window.journal.empty.isVisible())
    assert window.journal.empty.words[0] == "Nothing was released or ended yet"


def test_an_action_shows_up_in_the_open_journal(qtbot: QtBot, window: MainWindow, backend: FakeBackend) -> None:
    window.show_page(PageName.JOURNAL)
    qtbot.waitUntil(lambda: len(window.journal.entries) == 5)
    window.show_page(PageName.NEXT)
    window.next_page.order.button(line_key(scene.REFACTOR)).click()
    window.show_page(PageName.JOURNAL)
    backend.journal = (replace(scene.receipt(), receipt_id="new"), *backend.journal)
    backend.finish()
    qtbot.waitUntil(lambda: len(window.journal.entries) == 6)


def test_days_and_headlines_are_said_shortly() -> None:
    today = scene.NOW.date()
    assert day_words(today, today) == "Today"
    assert headline(scene.receipts()[1]) == "Released Port the build"
    assert "2026" in day_words(today.replace(day=2), today)


# Settings.


def test_a_setting_holds_at_once(qtbot: QtBot, window: MainWindow, backend: FakeBackend) -> None:
    with qtbot.waitSignal(window.settings_changed):
        window.settings_page.interval.chosen.emit("5.0")
    assert backend.settings == Settings(interval_s=5.0)
    assert f"Recording, every 5{THIN}s" in texts(window.sidebar)
    window.settings_page.record.click()
    qtbot.waitUntil(lambda: f"Not recording, every 5{THIN}s" in texts(window.sidebar))
    assert not backend.settings.record


def test_a_value_of_the_file_that_is_no_choice_is_shown(qtbot: QtBot, login: RememberedLogin) -> None:
    backend = FakeBackend(scene.scene())
    backend.settings = Settings(interval_s=3.0)
    bridge = Bridge(backend)
    window = MainWindow(backend, bridge, login=login)
    qtbot.addWidget(window)
    assert window.settings_page.interval.current == "3.0"
    bridge.close()
    bridge.deleteLater()


def test_start_at_login_is_switched(window: MainWindow, login: RememberedLogin) -> None:
    window.settings_page.login.click()
    assert login.on
    window.settings_page.login.click()
    assert not login.on


def test_the_settings_lead_to_the_policies(window: MainWindow) -> None:
    window.show_page(PageName.SETTINGS)
    window.settings_page.policies.click()
    assert window.page is window.policies


def test_history_is_deleted_only_after_a_question(qtbot: QtBot, window: MainWindow, backend: FakeBackend) -> None:
    window.show_page(PageName.SETTINGS)
    window.settings_page.delete.click()
    assert backend.deleted == 0
    question = dialog(window, QuestionDialog)
    assert isinstance(question, QuestionDialog)
    question.yes.click()
    assert backend.deleted == 1
    qtbot.waitUntil(lambda: window.settings_page.delete.text() == "Deleted")


# Export.


def test_an_export_begins_with_the_range_that_is_shown(window: MainWindow) -> None:
    export = window.open_export()
    assert export.ranges.current == window.overview.ranges.current == f"6{THIN}h"
    export.reject()


def test_each_page_has_a_number_for_the_keyboard(window: MainWindow) -> None:
    for number, name in enumerate(window.sidebar.pages, 1):
        found = [each for each in window.findChildren(QShortcut) if each.key() == QKeySequence(f"Ctrl+{number}")]
        assert len(found) == 1
        found[0].activated.emit()
        assert window.sidebar.pages[name].isChecked()


def test_a_minimised_window_comes_back_to_the_front(window: MainWindow) -> None:
    window.showMinimized()
    window.bring_to_front()
    assert not window.isMinimized()
    assert window.isVisible()
