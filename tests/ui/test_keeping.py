"""What the user keeps is asked for from a row's menu, shown with a sign and its words, and let go again."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QMenu
from pytestqt.qtbot import QtBot

from tests.ui import scene
from tests.ui.conftest import Terminals
from tests.ui.fake_backend import FakeBackend
from tests.ui.screenshots_window import NoLogin
from trayapp.model.keep import Keep
from trayapp.model.plan import Allowed, Reason
from trayapp.targets import Offer
from trayapp.ui import keeping
from trayapp.ui.bridge import Bridge
from trayapp.ui.next_page import line_key
from trayapp.ui.popover import Popover
from trayapp.ui.question_dialog import QuestionDialog
from trayapp.ui.session_row import QuestionPanel
from trayapp.ui.sidebar import PageName
from trayapp.ui.tree import Column
from trayapp.ui.window import MainWindow

THIN = "\u202f"
ICON = QRect(600, 0, 22, 24)
AT_18 = datetime(2026, 11, 30, 18, 0, tzinfo=UTC).timestamp()


@pytest.fixture
def kept_backend(backend: FakeBackend) -> FakeBackend:
    """Let two sessions be kept before anything is shown."""
    backend.latest, backend.kept = scene.kept_scene(), scene.KEEPS
    return backend


@pytest.fixture
def popover(qtbot: QtBot, bridge: Bridge) -> Iterator[Popover]:
    made = Popover(bridge)
    qtbot.addWidget(made)
    made.show_at(ICON)
    QApplication.processEvents()
    yield made
    made.hide()


@pytest.fixture
def window(qtbot: QtBot, backend: FakeBackend, bridge: Bridge) -> MainWindow:
    made = MainWindow(backend, bridge, login=NoLogin())
    qtbot.addWidget(made)
    with qtbot.waitExposed(made):
        made.show()
    return made


def choose(menu: QMenu, words: str) -> None:
    next(action for action in menu.actions() if action.text() == words).trigger()
    menu.close()


def entries(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions() if not action.isSeparator()]


# ---- words


@pytest.mark.parametrize(
    ("until", "words"),
    [
        (None, "kept"),
        (AT_18, "kept until 18:00"),
        (datetime(2026, 12, 1, tzinfo=UTC).timestamp(), "kept for today"),
        (datetime(2026, 12, 2, 9, 30, tzinfo=UTC).timestamp(), "kept until 2026-12-02 09:30"),
    ],
)
def test_it_is_said_until_when(until: float | None, words: str) -> None:
    keep = Keep(group_key=scene.GUIDE, until_epoch_s=until)
    assert keeping.keep_words(keep, now_epoch_s=scene.NOW_EPOCH_S) == words
    assert keeping.keep_words(None, now_epoch_s=scene.NOW_EPOCH_S) == ""


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the time zone of a process is changed here")
@pytest.mark.parametrize(("month", "day", "hours"), [(3, 29, 23), (10, 25, 25), (6, 1, 24)])
def test_today_ends_with_the_local_day_however_long_it_is(
    monkeypatch: pytest.MonkeyPatch, month: int, day: int, hours: int
) -> None:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    begins = datetime(2026, month, day).timestamp()
    assert keeping.end_of_day(begins) - begins == hours * 3600
    assert keeping.end_of_day(begins + 3600 * 12) == begins + hours * 3600


# ---- the popover


def test_the_menu_of_a_row_keeps_a_session_and_lets_it_go(
    qtbot: QtBot, popover: Popover, backend: FakeBackend, bridge: Bridge
) -> None:
    menu = popover.rows.menu_of(scene.PARSER)
    assert entries(menu) == [
        "Show in window",
        "Copy resume command",
        "Keep this one",
        f"Not now, for 1{THIN}h",
        "Not now, for today",
        "End it now…",
    ]
    with qtbot.waitSignal(bridge.keeps_changed):
        choose(menu, "Keep this one")
    assert backend.kept == (Keep(group_key=scene.PARSER),)
    row = popover.rows.row(scene.PARSER)
    assert row.said == f"Idle 5{THIN}h 40{THIN}min, kept"
    said = f"Write parser benchmarks, Codex, Idle 5{THIN}h 40{THIN}min, kept, 1.3{THIN}GB, 0.2{THIN}% CPU"
    assert row.accessibleName() == said
    menu = popover.rows.menu_of(scene.PARSER)
    assert "Keep this one" not in entries(menu)
    with qtbot.waitSignal(bridge.keeps_changed):
        choose(menu, "Do not keep")
    assert list(backend.keeps()) == []
    assert row.said == f"Idle 5{THIN}h 40{THIN}min"


@pytest.mark.parametrize(
    ("words", "least_s", "most_s"), [(f"Not now, for 1{THIN}h", 3590, 3610), ("Not now, for today", 0, 90_001)]
)
def test_not_now_holds_for_a_while(
    popover: Popover, backend: FakeBackend, words: str, least_s: float, most_s: float
) -> None:
    choose(popover.rows.menu_of(scene.PARSER), words)
    (keep,) = backend.kept
    assert keep.until_epoch_s is not None
    assert least_s < keep.until_epoch_s - time.time() < most_s


def test_what_is_kept_for_a_while_can_be_kept_for_good(
    qtbot: QtBot, kept_backend: FakeBackend, popover: Popover, bridge: Bridge
) -> None:
    assert entries(popover.rows.menu_of(scene.GUIDE))[2:-1] == ["Keep this one", "Do not keep"]
    with qtbot.waitSignal(bridge.keeps_changed):
        choose(popover.rows.menu_of(scene.GUIDE), "Keep this one")
    assert Keep(group_key=scene.GUIDE) in kept_backend.kept
    assert entries(popover.rows.menu_of(scene.GUIDE))[2:-1] == ["Do not keep"]


def test_a_release_of_what_is_kept_asks_first(kept_backend: FakeBackend, popover: Popover) -> None:
    row = popover.rows.row(scene.REFACTOR)
    assert row.view.offer is Offer.ASK
    row.button.click()
    (panel,) = popover.findChildren(QuestionPanel)
    assert panel.accessibleName() == "Release Refactor settings page? You want to keep it. It can be resumed."
    assert kept_backend.asked == []
    panel.yes.click()
    ((target,), _) = kept_backend.asked[0]
    assert target.confirmed
    assert target.asked is Reason.KEPT


def test_a_row_shows_the_way_to_its_menu_only_while_it_is_pointed_at(popover: Popover) -> None:
    row = popover.rows.row(scene.PARSER)
    assert row.more.isHidden()
    row.setFocus(Qt.FocusReason.TabFocusReason)
    assert not row.more.isHidden()
    assert row.more.accessibleName() == "More for Write parser benchmarks"
    assert row.more.geometry().right() < row.button.geometry().left()
    popover.rows.row(scene.GUIDE).setFocus(Qt.FocusReason.TabFocusReason)
    assert row.more.isHidden()


def test_the_menu_key_asks_for_the_menu_of_a_row(qtbot: QtBot, popover: Popover) -> None:
    row = popover.rows.row(scene.PARSER)
    row.menu_asked.disconnect()
    with qtbot.waitSignal(row.menu_asked) as asked:
        event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(1, 1), QPoint(1, 1))
        QApplication.sendEvent(row, event)
    assert asked.args[0] == scene.PARSER


def test_the_orphans_row_has_no_menu(popover: Popover) -> None:
    assert not popover.rows.row("Orphans").view.has_menu


def test_the_menu_copies_the_command_of_a_session_that_was_not_resumed(popover: Popover, terminals: Terminals) -> None:
    choose(popover.rows.menu_of(scene.PARSER), "Copy resume command")
    assert QGuiApplication.clipboard().text() == "cd ~/src/parser && codex resume 01jd8q"
    assert terminals.opened == []


# ---- the window


def test_the_tree_shows_what_is_kept_beside_its_title(
    qtbot: QtBot, kept_backend: FakeBackend, window: MainWindow, bridge: Bridge
) -> None:
    tree = window.overview.tree
    node = tree.node(tree.index_of_group(scene.GUIDE))
    assert node.shown.second == "kept until 18:00"
    assert "kept until 18:00" in str(tree.data(tree.index_of_group(scene.GUIDE), Qt.ItemDataRole.AccessibleTextRole))
    with qtbot.waitSignal(bridge.keeps_changed):
        choose(window.overview.menu_of(node), "Do not keep")
    assert tree.node(tree.index_of_group(scene.GUIDE)).shown.second == ""


def test_the_menu_of_a_row_of_the_tree_opens_and_releases_too(window: MainWindow, backend: FakeBackend) -> None:
    tree = window.overview.tree
    node = tree.node(tree.index_of_group(scene.PARSER))
    assert entries(window.overview.menu_of(node))[:3] == ["Open", "Release", "Copy resume command"]
    choose(window.overview.menu_of(node), "Release")
    assert [target.group_key for target in backend.asked[0][0]] == [scene.PARSER]
    choose(window.overview.menu_of(node), "Open")
    assert window.page is window.session


def test_a_right_click_on_a_process_is_about_its_session(qtbot: QtBot, window: MainWindow) -> None:
    view, tree = window.overview.view, window.overview.tree
    view.menu_asked.disconnect()
    view.expandAll()
    session = tree.index_of_group(scene.REFACTOR)
    process = tree.index(0, Column.NAME, session)
    view.scrollTo(process)
    at = view.viewport().mapToGlobal(view.visualRect(process).center())
    with qtbot.waitSignal(view.menu_asked) as asked:
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, view.viewport().mapFromGlobal(at), at)
        QApplication.sendEvent(view.viewport(), event)
    assert asked.args[0] is tree.node(session)


def test_the_page_of_a_session_says_that_it_is_kept(
    qtbot: QtBot, kept_backend: FakeBackend, window: MainWindow, bridge: Bridge
) -> None:
    window.show_session(scene.GUIDE)
    kept = window.session._kept
    assert kept.isVisible()
    assert kept.text() == "Kept until 18:00."
    with qtbot.waitSignal(bridge.keeps_changed):
        choose(window.session.menu(), "Do not keep")
    assert not kept.isVisible()


def test_what_is_kept_is_not_offered_next_and_can_be_let_go_there(
    qtbot: QtBot, kept_backend: FakeBackend, window: MainWindow, bridge: Bridge
) -> None:
    window.show_page(PageName.NEXT)
    page = window.next_page
    assert {line.title: (line.why, line.later) for line in page.staying.lines}["Getting started guide"] == (
        "Kept until 18:00",
        "Do not keep",
    )
    with qtbot.waitSignal(bridge.keeps_changed):
        page.staying.later(scene.GUIDE).click()
    assert scene.GUIDE not in {keep.group_key for keep in kept_backend.kept}


def test_not_now_of_a_line_offers_for_how_long(window: MainWindow, backend: FakeBackend) -> None:
    window.show_page(PageName.NEXT)
    page = window.next_page
    assert page.order.later(line_key(scene.PARSER)).accessibleName() == "Not now: Write parser benchmarks"
    choose(page.menu_of(line_key(scene.PARSER)), "Not now, for today")
    assert [keep.group_key for keep in backend.kept] == [scene.PARSER]


def test_the_window_asks_too_before_it_releases_what_is_kept(kept_backend: FakeBackend, window: MainWindow) -> None:
    window.show_session(scene.REFACTOR)
    assert window.session.release.text().endswith("…")
    window.session.release.click()
    question = window.findChild(QuestionDialog)
    assert isinstance(question, QDialog)
    question.reject()
    assert kept_backend.asked == []


def test_a_keep_that_ran_out_is_not_shown_any_more(
    qtbot: QtBot, kept_backend: FakeBackend, popover: Popover, bridge: Bridge
) -> None:
    assert popover.rows.row(scene.GUIDE).view.kept
    kept_backend.kept = ()
    decided = scene.kept_scene().group(scene.GUIDE)
    assert decided is not None
    assert decided.decisions[0].allowed is Allowed.CONFIRM
    with qtbot.waitSignal(bridge.keeps_changed):
        kept_backend.publish(replace(scene.scene()))
    assert popover.rows.row(scene.GUIDE).view.kept == ""
