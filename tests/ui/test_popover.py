"""The popover shows the scene as drawn, does what its buttons say, and keeps still under the pointer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QEnterEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui import scene
from tests.ui.conftest import Terminals
from tests.ui.fake_backend import FakeBackend
from trayapp.model.plan import Action, Allowed, Decision, Reason
from trayapp.model.process import Pressure
from trayapp.model.receipt import Fate, Outcome, Progress, Receipt, Survivor
from trayapp.model.snapshot import Snapshot
from trayapp.targets import Offer
from trayapp.ui import popover as module
from trayapp.ui.bridge import Bridge
from trayapp.ui.fit import place
from trayapp.ui.marks import StateShape
from trayapp.ui.popover import Popover
from trayapp.ui.row_view import ORPHANS_KEY
from trayapp.ui.session_row import QuestionPanel, SessionRow

ICON = QRect(600, 0, 22, 24)


@pytest.fixture
def popover(qtbot: QtBot, bridge: Bridge) -> Iterator[Popover]:
    made = Popover(bridge)
    qtbot.addWidget(made)
    made.show_at(ICON)
    QApplication.processEvents()
    yield made
    made.hide()


@pytest.fixture
def publish(qtbot: QtBot, bridge: Bridge, backend: FakeBackend) -> Callable[[Snapshot], None]:
    def send(snapshot: Snapshot) -> None:
        with qtbot.waitSignal(bridge.snapshot_changed):
            backend.publish(snapshot)

    return send


def outcome(key: str, fate: Fate, sentence: str = "", **more: object) -> Outcome:
    group = scene.scene().group(key)
    assert group is not None
    made = Outcome(target=scene.target(group), fate=fate, sentence=sentence, resume=group.resume)
    return replace(made, **more)  # type: ignore[arg-type]


def receipt(*outcomes: Outcome) -> Receipt:
    return replace(scene.receipt(), outcomes=outcomes)


def finish(qtbot: QtBot, bridge: Bridge, backend: FakeBackend, *outcomes: Outcome) -> None:
    with qtbot.waitSignal(bridge.action_finished):
        backend.finish(receipt(*outcomes))


def row(popover: Popover, key: str) -> SessionRow:
    return popover.rows.row(key)


# ---- what it shows


def test_the_rows_are_those_of_the_picture(popover: Popover) -> None:
    shown = [
        (r.view.title, r.view.words, r.view.memory, r.view.offer) for r in map(popover.rows.row, popover.rows.keys)
    ]
    assert shown == [
        ("Migrate billing to v2", "Waiting for you, 6\u202fmin", "1.6\u202fGB", Offer.OPEN),
        ("Fix flaky upload tests", "Busy, turn of 12\u202fmin", "2.3\u202fGB", Offer.NONE),
        ("Refactor settings page", "Idle 2\u202fh 14\u202fmin", "1.9\u202fGB", Offer.RELEASE),
        ("Write parser benchmarks", "Idle 5\u202fh 40\u202fmin", "1.3\u202fGB", Offer.RELEASE),
        ("Upgrade to Qt 6.11", "Cannot tell", "1.2\u202fGB", Offer.WHY),
        ("Getting started guide", "Idle 48\u202fmin", "0.9\u202fGB", Offer.RELEASE),
        ("Weekly report", "Idle 1\u202fd 3\u202fh", "0.7\u202fGB", Offer.RELEASE),
        ("Language server, Browser helper", "Their sessions are gone", "0.3\u202fGB", Offer.END),
    ]


def test_the_block_says_what_can_go(popover: Popover) -> None:
    assert popover.block.title.text() == "5.1\u202fGB can be released now"
    assert popover.block.second.text() == "4 idle sessions and 2 orphans"


@pytest.mark.parametrize(
    ("pressure", "title"),
    [(Pressure.WARNING, "Memory runs short"), (Pressure.CRITICAL, "Memory is nearly full")],
)
def test_when_memory_runs_short_the_block_says_so_first(
    pressure: Pressure, title: str, popover: Popover, publish: Callable[[Snapshot], None]
) -> None:
    publish(scene.scene(pressure=pressure))
    assert popover.block.title.text() == title
    assert popover.block.second.text() == "5.1\u202fGB can be released now"


def test_with_nothing_to_release_there_is_no_button(popover: Popover, publish: Callable[[Snapshot], None]) -> None:
    publish(scene.snapshot_of(tuple(replace(g, decisions=()) for g in scene.scene().groups)))
    assert popover.block.title.text() == "Nothing to release"
    assert not popover.block.button.isVisible()


def test_without_a_session_it_says_what_to_do(popover: Popover, publish: Callable[[Snapshot], None]) -> None:
    publish(scene.empty())
    assert popover.empty.title.isVisible()
    assert popover.empty.title.text() == "No agent session is running"
    assert popover.empty.findings.isVisible()
    assert not popover.block.isVisible()


def test_a_host_that_does_not_answer_is_named_with_the_mend(
    popover: Popover, publish: Callable[[Snapshot], None]
) -> None:
    publish(scene.stale())
    assert popover.notice.isVisible()
    assert popover.notice.title.text() == "OpenCode: has not answered for 40 s"
    assert row(popover, scene.GUIDE).view.words == "Cannot tell, last seen idle"
    assert row(popover, scene.GUIDE).view.shape is StateShape.UNKNOWN
    assert row(popover, scene.GUIDE).view.offer is Offer.WHY


def test_a_sum_of_resident_sizes_is_marked_as_an_upper_bound(
    popover: Popover, publish: Callable[[Snapshot], None]
) -> None:
    refactor = scene.scene().group(scene.REFACTOR)
    assert refactor is not None
    publish(scene.with_group(scene.scene(), replace(refactor, footprint_bytes=None)))
    assert row(popover, scene.REFACTOR).view.memory.startswith("≤\u202f")


def test_rows_can_be_heard(popover: Popover) -> None:
    refactor = row(popover, scene.REFACTOR)
    said = "Refactor settings page, Claude Code, Idle 2\u202fh 14\u202fmin, 1.9\u202fGB, 0.1\u202f% CPU"
    assert refactor.accessibleName() == said
    assert refactor.button.accessibleName() == "Release Refactor settings page, about 1.9\u202fGB"


def test_the_first_hour_is_drawn_for_every_session(popover: Popover) -> None:
    assert len(row(popover, scene.FIX).view.spark) == module.SPARK_COLUMNS
    assert row(popover, ORPHANS_KEY).view.spark == ()


def test_it_looks_the_same_when_nothing_changed(popover: Popover, publish: Callable[[Snapshot], None]) -> None:
    before = popover.grab().toImage()
    publish(scene.scene())
    QApplication.processEvents()
    assert popover.grab().toImage() == before


def test_nothing_is_cut_off_in_either_look(look: str, popover: Popover, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SCREEN_SHARE", 2.0)
    popover.refresh()
    QApplication.processEvents()
    for key in popover.rows.keys:
        shown = row(popover, key)
        assert popover.rect().contains(QRect(shown.mapTo(popover, QPoint(0, 0)), shown.size()))
        assert shown.rect().contains(shown.button.geometry())


# ---- what its buttons do


def test_release_is_asked_of_the_core_with_exactly_what_was_shown(popover: Popover, backend: FakeBackend) -> None:
    QTest.mouseClick(row(popover, scene.REFACTOR).button, Qt.MouseButton.LeftButton)
    (asked,) = backend.asked
    group = scene.scene().group(scene.REFACTOR)
    assert group is not None
    assert asked == ((scene.target(group),), "menu bar")


def test_a_row_tells_how_far_its_release_is(
    qtbot: QtBot, popover: Popover, bridge: Bridge, backend: FakeBackend
) -> None:
    row(popover, scene.REFACTOR).button.click()
    row(popover, scene.PARSER).button.click()
    progress = Progress(done=0, total=1, title="t", label="l", waited_s=4.2, wait_s=10, came_back_bytes=0)
    with qtbot.waitSignal(bridge.progress_changed):
        backend.report(progress)
    assert row(popover, scene.REFACTOR).view.words == "Releasing, 4\u202fs of 10\u202fs"
    assert row(popover, scene.REFACTOR).view.share == pytest.approx(0.42)
    assert row(popover, scene.PARSER).view.words == "Releasing, waits for the one before it"
    assert not row(popover, scene.REFACTOR).button.isVisible()


def test_a_released_row_stays_for_60_s_with_what_came_back_and_resume(
    qtbot: QtBot,
    popover: Popover,
    bridge: Bridge,
    backend: FakeBackend,
    publish: Callable[[Snapshot], None],
    monkeypatch: pytest.MonkeyPatch,
    terminals: Terminals,
) -> None:
    now = [1000.0]
    monkeypatch.setattr("trayapp.ui.row_list.time.monotonic", lambda: now[0])
    row(popover, scene.PARSER).button.click()
    finish(qtbot, bridge, backend, outcome(scene.PARSER, Fate.RELEASED, came_back_bytes=round(1.2 * scene.GB)))
    publish(scene.without(scene.scene(), scene.PARSER))
    assert row(popover, scene.PARSER).view.words == "Released, 1.2\u202fGB came back"
    row(popover, scene.PARSER).button.click()
    assert QGuiApplication.clipboard().text() == "cd ~/src/parser && codex resume 01jd8q"
    assert row(popover, scene.PARSER).button.text() == "Copied"
    assert row(popover, scene.PARSER).said.startswith("No terminal was found.")
    terminals.there = True
    row(popover, scene.PARSER).button.click()
    assert terminals.opened == [(("codex", "resume", "01jd8q"), "~/src/parser")]
    assert row(popover, scene.PARSER).button.text() == "Opened"
    now[0] += 61
    publish(scene.without(scene.scene(), scene.PARSER))
    assert scene.PARSER not in popover.rows.keys


def test_a_refusal_is_told_in_the_row(qtbot: QtBot, popover: Popover, bridge: Bridge, backend: FakeBackend) -> None:
    row(popover, scene.REFACTOR).button.click()
    finish(qtbot, bridge, backend, outcome(scene.REFACTOR, Fate.REFUSED, "Not released: a turn has started"))
    assert row(popover, scene.REFACTOR).view.words == "Not released: a turn has started"
    assert row(popover, scene.REFACTOR).view.strong


def test_what_survived_is_amber_and_is_ended_only_after_a_second_question(
    qtbot: QtBot, popover: Popover, bridge: Bridge, backend: FakeBackend
) -> None:
    row(popover, scene.GUIDE).button.click()
    identity = scene.receipt().outcomes[2].survived[0].identity
    survivor = Survivor(identity=identity, name="language server", note="still runs")
    finish(qtbot, bridge, backend, outcome(scene.GUIDE, Fate.SURVIVED, "1 helper still runs", survived=(survivor,)))
    assert row(popover, scene.GUIDE).view.tone == "amber"
    assert row(popover, scene.GUIDE).button.text() == "End it…"
    row(popover, scene.GUIDE).button.click()
    assert len(backend.asked) == 1
    question(popover).yes.click()
    assert [target.force for target in backend.asked[1][0]] == [True]
    assert [identity.pid for identity in backend.asked[1][0][0].members] == [37055]


def question(popover: Popover) -> QuestionPanel:
    panels = [p for p in popover.findChildren(QuestionPanel) if p.isVisible()]
    assert len(panels) == 1
    panel = panels[0]
    assert isinstance(panel, QuestionPanel)
    return panel


@pytest.fixture
def asking(popover: Popover, publish: Callable[[Snapshot], None]) -> Popover:
    refactor = scene.scene().group(scene.REFACTOR)
    assert refactor is not None
    decision = Decision(action=Action.RELEASE, allowed=Allowed.CONFIRM, reason=Reason.ATTACHED_TERMINAL)
    publish(scene.with_group(scene.scene(), replace(refactor, decisions=(decision,))))
    assert row(popover, scene.REFACTOR).button.text() == "Release…"
    row(popover, scene.REFACTOR).button.click()
    return popover


def test_a_release_that_may_lose_something_asks_one_question_in_place(asking: Popover, backend: FakeBackend) -> None:
    assert backend.asked == []
    assert question(asking).accessibleName().startswith("Release Refactor settings page? It is open in a terminal.")
    question(asking).yes.click()
    assert [target.confirmed for target in backend.asked[0][0]] == [True]


def test_escape_takes_the_question_away_first_and_then_the_popover(asking: Popover, backend: FakeBackend) -> None:
    QTest.keyClick(asking, Qt.Key.Key_Escape)
    assert asking.isVisible()
    assert not [p for p in asking.findChildren(QuestionPanel) if p.isVisible()]
    QTest.keyClick(asking, Qt.Key.Key_Escape)
    assert not asking.isVisible()
    assert backend.asked == []


def test_cancel_does_nothing(asking: Popover, backend: FakeBackend) -> None:
    question(asking).no.click()
    assert backend.asked == []


def test_a_core_that_breaks_off_is_told(qtbot: QtBot, popover: Popover, bridge: Bridge, backend: FakeBackend) -> None:
    row(popover, scene.REFACTOR).button.click()
    with qtbot.waitSignal(bridge.failed):
        backend.break_off(RuntimeError("the journal cannot be written"))
    assert popover.notice.second.text() == "the journal cannot be written"
    assert row(popover, scene.REFACTOR).view.offer is Offer.RELEASE


@pytest.mark.parametrize(("key", "signal"), [(scene.UPGRADE, "session_asked"), (ORPHANS_KEY, "review_asked")])
def test_why_and_end_lead_on(key: str, signal: str, qtbot: QtBot, popover: Popover) -> None:
    with qtbot.waitSignal(getattr(popover, signal)) as asked:
        row(popover, key).button.click()
    assert asked.args == [True if key == ORPHANS_KEY else key]


def test_the_footer_leads_on(qtbot: QtBot, popover: Popover) -> None:
    buttons = {
        popover.open_button: popover.window_asked,
        popover.settings_button: popover.settings_asked,
        popover.quit_button: popover.quit_asked,
        popover.empty.findings: popover.findings_asked,
        popover.block.button: popover.review_asked,
    }
    for button, signal in buttons.items():
        with qtbot.waitSignal(signal):
            button.click()


# ---- order and pointer


def point_inside(popover: Popover, inside: bool) -> None:
    if inside:
        at = QPointF(10, 10)
        QApplication.sendEvent(popover.rows, QEnterEvent(at, at, at))
    else:
        popover.rows.leaveEvent(QEnterEvent(QPointF(), QPointF(), QPointF()))


def test_rows_do_not_change_places_under_the_pointer(popover: Popover, publish: Callable[[Snapshot], None]) -> None:
    before = list(popover.rows.keys)
    point_inside(popover, True)
    report = scene.scene().group(scene.REPORT)
    assert report is not None
    grown = scene.with_group(scene.scene(), replace(report, footprint_bytes=20 * scene.GB))
    publish(scene.without(grown, scene.FIX))
    assert popover.rows.keys == before
    assert row(popover, scene.FIX).view.words == "Ended"
    point_inside(popover, False)
    assert popover.rows.keys[:2] == [scene.MIGRATE, scene.REPORT]
    assert scene.FIX not in popover.rows.keys


def test_segment_and_row_point_at_each_other(popover: Popover) -> None:
    popover.ring.pointed.emit(scene.REFACTOR)
    assert row(popover, scene.REFACTOR)._marked
    row(popover, scene.FIX).pointed.emit(scene.FIX)
    assert popover.ring.marked == scene.FIX


# ---- keys


def test_arrows_move_over_the_rows_enter_opens_and_r_releases(
    qtbot: QtBot, popover: Popover, backend: FakeBackend
) -> None:
    popover.activateWindow()
    qtbot.waitUntil(popover.isActiveWindow)
    for _ in range(3):
        focused = QApplication.focusWidget()
        assert focused is not None
        QTest.keyClick(focused, Qt.Key.Key_Down)
    refactor = row(popover, scene.REFACTOR)
    assert refactor.hasFocus()
    with qtbot.waitSignal(popover.session_asked) as opened:
        QTest.keyClick(refactor, Qt.Key.Key_Return)
    assert opened.args == [scene.REFACTOR]
    QTest.keyClick(refactor, Qt.Key.Key_R)
    assert len(backend.asked) == 1
    QTest.keyClick(refactor, Qt.Key.Key_Up)
    assert row(popover, scene.FIX).hasFocus()
    QTest.keyClick(row(popover, scene.FIX), Qt.Key.Key_R)
    assert len(backend.asked) == 1


def test_escape_closes(popover: Popover) -> None:
    QTest.keyClick(popover, Qt.Key.Key_Escape)
    assert not popover.isVisible()


# ---- size and place


@pytest.mark.parametrize(
    ("icon", "screen", "expected"),
    [
        (QRect(600, 0, 22, 24), QRect(0, 0, 1280, 800), QPoint(400, 32)),
        (QRect(1257, 1, 22, 26), QRect(0, 0, 1280, 800), QPoint(852, 35)),
        (QRect(2, 0, 22, 24), QRect(0, 0, 1280, 800), QPoint(8, 32)),
        (QRect(1200, 776, 22, 24), QRect(0, 0, 1280, 776), QPoint(852, 168)),
        (QRect(-1000, 1000, 22, 24), QRect(-1280, 224, 1280, 800), QPoint(-1199, 392)),
    ],
)
def test_it_stands_under_or_over_the_icon_whole_on_the_screen(icon: QRect, screen: QRect, expected: QPoint) -> None:
    assert place(icon, QSize(420, 600), screen) == expected


def test_with_many_sessions_the_rows_scroll_and_the_rest_stays(
    popover: Popover, publish: Callable[[Snapshot], None]
) -> None:
    report = scene.scene().group(scene.REPORT)
    assert report is not None
    many = tuple(replace(report, key=f"craft-agents:{n}", title=f"Report {n}") for n in range(60))
    publish(scene.snapshot_of(scene.scene().groups + many))
    assert popover.height() <= 0.8 * popover.screen().availableGeometry().height() or popover.height() < 400
    assert popover.rect().contains(popover.quit_button.mapTo(popover, popover.quit_button.rect().bottomRight()))


def test_the_core_reads_closely_only_while_it_is_open(popover: Popover, backend: FakeBackend) -> None:
    assert backend.detail == [True]
    popover.hide()
    assert backend.detail == [True, False]


def test_while_it_is_hidden_a_snapshot_costs_nothing(
    popover: Popover, publish: Callable[[Snapshot], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    popover.hide()
    refreshed: list[bool] = []
    monkeypatch.setattr(popover, "refresh", lambda: refreshed.append(True))
    publish(scene.scene())
    assert not refreshed
