"""The popover shows the scene as drawn, does what its buttons say, and keeps still under the pointer."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, QSize, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QEnterEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui import scene
from tests.ui.conftest import Terminals
from tests.ui.fake_backend import FakeBackend, went_well
from trayapp.model.plan import Action, Allowed, Decision, Reason
from trayapp.model.process import Pressure
from trayapp.model.receipt import Fate, Outcome, Progress, Receipt, Survivor
from trayapp.model.series import Layer, Series, SeriesQuery
from trayapp.model.session import Claim, ClaimKind, Role
from trayapp.model.snapshot import Snapshot
from trayapp.say import speak
from trayapp.targets import Offer
from trayapp.ui import popover as module
from trayapp.ui.bridge import Bridge
from trayapp.ui.controls import Button
from trayapp.ui.fit import place
from trayapp.ui.marks import StateShape
from trayapp.ui.popover import Popover
from trayapp.ui.row_list import AT_ONCE
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


def test_a_session_that_is_gone_before_its_receipt_is_here_keeps_its_row(
    qtbot: QtBot, popover: Popover, bridge: Bridge, backend: FakeBackend, publish: Callable[[Snapshot], None]
) -> None:
    row(popover, scene.PARSER).button.click()
    publish(scene.without(scene.scene(), scene.PARSER))
    assert row(popover, scene.PARSER).view.words.startswith("Releasing")
    finish(qtbot, bridge, backend, outcome(scene.PARSER, Fate.RELEASED, came_back_bytes=round(1.2 * scene.GB)))
    assert row(popover, scene.PARSER).view.words == "Released, 1.2\u202fGB came back"
    assert row(popover, scene.PARSER).view.offer is Offer.RESUME


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


# ---- what the history adds


def told(query: SeriesQuery, memory_gb: Sequence[float | None], metric: str = "physical-footprint") -> Future[Series]:
    """Answer a query with figures of the total, spread evenly over its range."""
    step = (query.until_epoch_s - query.since_epoch_s) / len(memory_gb)
    total = Layer(
        key="total",
        host=None,
        title="Total",
        memory_bytes=tuple(None if size is None else size * scene.GB for size in memory_gb),
        cpu_percent=(None,) * len(memory_gb),
    )
    answer: Future[Series] = Future()
    answer.set_result(
        Series(
            times_epoch_s=tuple(query.since_epoch_s + (at + 0.5) * step for at in range(len(memory_gb))),
            column_s=step,
            layers=(),
            total=total,
            memory_metric=metric,
        )
    )
    return answer


@pytest.mark.parametrize(
    ("hour_ago_gb", "metric", "words"),
    [
        ((None, 11.8, None), "physical-footprint", "Physical footprint, +0.6\u202fGB in 1\u202fh"),
        ((None, 13.9, None), "physical-footprint", "Physical footprint, \u22121.5\u202fGB in 1\u202fh"),
        ((None, 12.4, None), "physical-footprint", "Physical footprint, as 1\u202fh ago"),
        ((None, None, None), "physical-footprint", "Memory is physical footprint"),
        ((None, 11.8, None), "pss", "Memory is physical footprint"),
    ],
)
def test_the_caption_tells_the_change_in_an_hour_where_it_was_measured(
    hour_ago_gb: Sequence[float | None],
    metric: str,
    words: str,
    qtbot: QtBot,
    popover: Popover,
    backend: FakeBackend,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[SeriesQuery] = []

    def series(query: SeriesQuery) -> Future[Series]:
        asked.append(query)
        return told(query, hour_ago_gb, metric)

    monkeypatch.setattr(backend, "series", series)
    popover._ask_history()
    QApplication.processEvents()
    assert popover.figure_name.text() == words
    assert asked[0].since_epoch_s < scene.NOW_EPOCH_S - 3600 < asked[0].until_epoch_s


@pytest.mark.parametrize(
    ("figures", "words"),
    [
        ((None, 8.25, None, None), "Yesterday they held up to 8.2\u202fGB, at "),
        ((None, None, None, 3.0), "Earlier today they held up to 3.0\u202fGB, at "),
        ((None, None, None, None), ""),
    ],
)
def test_where_nothing_runs_it_tells_what_agents_held_before(
    figures: Sequence[float | None],
    words: str,
    qtbot: QtBot,
    popover: Popover,
    publish: Callable[[Snapshot], None],
    backend: FakeBackend,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(backend, "series", lambda query: told(query, figures))
    publish(scene.empty())
    popover._ask_history()
    QApplication.processEvents()
    assert popover.empty.before.text().startswith(words)
    assert popover.empty.before.isVisible() is bool(words)


# ---- waiting, the menu, orphans


def test_open_shows_the_session_that_waits(qtbot: QtBot, popover: Popover) -> None:
    assert row(popover, scene.MIGRATE).button.text() == "Open"
    assert row(popover, scene.MIGRATE).button.accessibleName() == "Open Migrate billing to v2"
    with qtbot.waitSignal(popover.session_asked) as asked:
        row(popover, scene.MIGRATE).button.click()
    assert asked.args == [scene.MIGRATE]


def test_why_says_why(popover: Popover) -> None:
    why = row(popover, scene.UPGRADE).button
    assert (why.text(), why.toolTip()) == ("Why?", "Cannot tell if it is idle")
    assert why.accessibleDescription() == "Cannot tell if it is idle"


def choose(popover: Popover, key: str, words: str) -> None:
    menu = popover.rows.menu_of(key)
    next(action for action in menu.actions() if action.text() == words).trigger()


def test_the_menu_ends_a_session_at_once_only_after_a_question_that_names_the_loss(
    popover: Popover, backend: FakeBackend
) -> None:
    choose(popover, scene.FIX, "End it now…")
    assert backend.asked == []
    panel = question(popover)
    assert panel.accessibleName() == "End Fix flaky upload tests now? A turn is running. The running turn is lost."
    panel.yes.click()
    ((target,), origin) = backend.asked[0]
    assert (target.action, target.force, target.confirmed, origin) == (Action.KILL, True, True, "menu bar")


def test_what_is_never_ended_has_no_entry_for_it(popover: Popover, publish: Callable[[Snapshot], None]) -> None:
    fix = scene.scene().group(scene.FIX)
    assert fix is not None
    refused = Decision(action=Action.KILL, allowed=Allowed.REFUSE, reason=Reason.SELF_OR_ANCESTOR)
    publish(scene.with_group(scene.scene(), replace(fix, decisions=(refused,))))
    assert "End it now…" not in [action.text() for action in popover.rows.menu_of(scene.FIX).actions()]


def test_the_menu_leads_to_the_folder_and_a_terminal_there(
    popover: Popover,
    publish: Callable[[Snapshot], None],
    terminals: Terminals,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fix = scene.scene().group(scene.FIX)
    assert fix is not None
    publish(scene.with_group(scene.scene(), replace(fix, cwd=str(tmp_path))))
    terminals.there = True
    choose(popover, scene.FIX, "Open terminal")
    ((argv, folder),) = terminals.opened
    assert (len(argv), folder) == (1, str(tmp_path))
    opened: list[str] = []

    def open_url(url: QUrl) -> bool:
        opened.append(url.toLocalFile())
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    choose(popover, scene.FIX, "Reveal folder")
    assert opened == [tmp_path.as_posix()]
    terminals.there = False
    choose(popover, scene.FIX, "Open terminal")
    assert row(popover, scene.FIX).said == "No terminal was found. Set TERMINAL to the one that you use"


def test_a_folder_that_is_gone_is_not_offered(popover: Popover, publish: Callable[[Snapshot], None]) -> None:
    fix = scene.scene().group(scene.FIX)
    assert fix is not None
    publish(scene.with_group(scene.scene(), replace(fix, cwd="/nowhere/at/all")))
    assert "Reveal folder" not in [action.text() for action in popover.rows.menu_of(scene.FIX).actions()]


def test_orphans_have_a_section_of_their_own_below_the_sessions(
    popover: Popover, publish: Callable[[Snapshot], None]
) -> None:
    heading, orphans = popover.rows._heading, row(popover, ORPHANS_KEY)
    assert heading.isVisible()
    assert row(popover, scene.REPORT).y() < heading.y() < orphans.y()
    assert orphans.button.text() == "End 2 orphans…"
    publish(scene.without(scene.scene(), scene.LANGUAGE_SERVER))
    assert orphans.button.text() == "End 1 orphan…"
    assert (orphans.view.title, orphans.view.words) == ("Browser helper", "Its session is gone")
    publish(scene.without(scene.scene(), scene.LANGUAGE_SERVER, scene.BROWSER_HELPER))
    assert not heading.isVisible()


def test_leaked_helpers_are_told_apart_from_those_without_a_session(
    popover: Popover, publish: Callable[[Snapshot], None]
) -> None:
    helper = scene.scene().group(scene.BROWSER_HELPER)
    assert helper is not None
    (member,) = helper.members
    claim = Claim(
        identity=member.process.identity,
        host="codex",
        role=Role.HELPER,
        kind=ClaimKind.DESCENT,
        source="its server",
        leaked=True,
    )
    leaked = replace(helper, members=(replace(member, claim=claim),))
    publish(scene.with_group(scene.scene(), leaked))
    assert row(popover, ORPHANS_KEY).view.words == "1 without a session, 1 that nothing can reach"
    publish(scene.without(scene.with_group(scene.scene(), leaked), scene.LANGUAGE_SERVER))
    assert row(popover, ORPHANS_KEY).view.words == "Nothing can reach it any more"


def test_waiting_for_a_heap_can_be_stopped(
    qtbot: QtBot, popover: Popover, bridge: Bridge, backend: FakeBackend
) -> None:
    row(popover, scene.REFACTOR).button.click()
    collecting = Progress(done=1, total=1, title="t", label="l", waited_s=3, wait_s=60, came_back_bytes=0)
    with qtbot.waitSignal(bridge.progress_changed):
        backend.report(collecting)
    refactor = row(popover, scene.REFACTOR)
    assert refactor.view.words == "Heap is awaited, 3\u202fs of 1\u202fmin"
    assert refactor.button.text() == "Stop waiting"
    refactor.button.click()
    assert backend.stopped_after_current == 1
    assert not refactor.button.isEnabled()


def test_what_a_policy_did_turns_its_row_into_a_receipt(
    popover: Popover, bridge: Bridge, publish: Callable[[Snapshot], None]
) -> None:
    parser = scene.scene().group(scene.PARSER)
    assert parser is not None
    bridge.policy_acted.emit(went_well((scene.target(parser),), "policy idle-4h"))
    publish(scene.without(scene.scene(), scene.PARSER))
    assert row(popover, scene.PARSER).view.words == "Released by “idle-4h”, 1.3\u202fGB"


def test_the_menu_is_reached_by_tab_and_opened_by_key(qtbot: QtBot, popover: Popover) -> None:
    popover.activateWindow()
    qtbot.waitUntil(popover.isActiveWindow)
    parser = row(popover, scene.PARSER)
    parser.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(parser, Qt.Key.Key_Tab)
    assert parser.more.hasFocus()
    assert parser.more.isVisible()
    parser.menu_asked.disconnect()
    with qtbot.waitSignal(parser.menu_asked):
        QTest.keyClick(parser.more, Qt.Key.Key_Return)
    QTest.keyClick(parser.more, Qt.Key.Key_Tab)
    assert parser.button.hasFocus()
    QTest.keyClick(parser.button, Qt.Key.Key_Down)
    assert row(popover, scene.UPGRADE).hasFocus()
    assert not parser.more.isVisible()


def test_what_is_cut_is_told_in_full_by_a_tooltip(popover: Popover, publish: Callable[[Snapshot], None]) -> None:
    fix = scene.scene().group(scene.FIX)
    assert fix is not None
    long = "Fix the flaky upload tests of the northern region and of all the other ones"
    publish(scene.with_group(scene.scene(), replace(fix, title=long)))
    assert row(popover, scene.FIX).cut_text() == long
    assert row(popover, scene.UPGRADE).cut_text() == ""


def test_the_buttons_of_rows_are_made_when_they_are_needed(popover: Popover) -> None:
    assert row(popover, scene.FIX).findChildren(Button) == []
    assert [button.text() for button in row(popover, scene.REFACTOR).findChildren(Button)] == ["Release"]


def test_opening_it_loads_no_charts() -> None:
    script = (
        "import sys; from PySide6.QtWidgets import QApplication; from trayapp.ui import popover;"
        "print(sorted({'numpy', 'pyqtgraph'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


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
        (QRect(4, 400, 24, 22), QRect(40, 0, 1240, 800), QPoint(48, 110)),
        (QRect(1252, 400, 24, 22), QRect(0, 0, 1240, 800), QPoint(812, 110)),
        (QRect(2, 400, 24, 22), QRect(0, 0, 1280, 800), QPoint(34, 110)),
        (QRect(4, 770, 24, 22), QRect(40, 0, 1240, 800), QPoint(48, 192)),
    ],
)
def test_it_stands_beside_the_icon_on_any_edge_and_whole(icon: QRect, screen: QRect, expected: QPoint) -> None:
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


def test_of_many_sessions_those_that_are_seen_come_first_and_the_rest_at_once_after(
    qtbot: QtBot, popover: Popover, publish: Callable[[Snapshot], None]
) -> None:
    report = scene.scene().group(scene.REPORT)
    assert report is not None
    many = tuple(replace(report, key=f"craft-agents:{n:03}", title=f"Report {n}") for n in range(100))
    snapshot = scene.snapshot_of(scene.scene().groups + many)
    popover.rows.show_snapshot(snapshot)
    assert AT_ONCE <= len(popover.rows.keys) < 2 * AT_ONCE
    assert popover.rows.keys[0] == scene.MIGRATE
    qtbot.waitUntil(lambda: len(popover.rows.keys) == 108)
    assert popover.rows.keys[-1] == ORPHANS_KEY
    publish(snapshot)
    assert len(popover.rows.keys) == 108


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


def test_longer_words_wrap_and_the_popover_grows_with_them(qtbot: QtBot, bridge: Bridge) -> None:
    speak(
        lambda text, _number: text.replace(
            "can be released now", "kann jetzt " + 4 * "sofort wieder " + "freigegeben werden"
        )
    )
    try:
        popover = Popover(bridge)
        qtbot.addWidget(popover)
        popover.show_at(ICON)
        QApplication.processEvents()
        assert popover.block.height() > 60
        assert popover.height() == popover._wanted_height()
        assert popover.quit_button.width() >= popover.quit_button.sizeHint().width()
        popover.hide()
    finally:
        speak(None)


def test_beside_long_words_the_footer_tells_the_figures_alone(popover: Popover) -> None:
    assert popover._cost.text() == "Agent Ring itself: 58\u202fMB, 0.3\u202f%"
    popover.settings_button.setText("Einstellungen und alles Weitere")
    popover.refresh()
    assert popover._cost.text() == "58\u202fMB, 0.3\u202f%"
    assert popover._cost.toolTip() == popover._cost.accessibleName() == "Agent Ring itself: 58\u202fMB, 0.3\u202f%"
