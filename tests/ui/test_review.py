"""The review: a frozen list, what stays and why, how far it is, and a receipt that measures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.ui import scene
from tests.ui.conftest import Terminals
from tests.ui.fake_backend import FakeBackend
from trayapp.model.plan import Action, Allowed, Decision, Reason
from trayapp.model.receipt import Fate, Progress, Receipt, Return
from trayapp.model.session import Role
from trayapp.model.snapshot import Snapshot
from trayapp.ui import receipt_words
from trayapp.ui.bridge import Bridge
from trayapp.ui.controls import Button, Text
from trayapp.ui.review import ReceiptPage, ReviewDialog
from trayapp.ui.session_row import QuestionPanel


@pytest.fixture
def dialog(qtbot: QtBot, bridge: Bridge) -> Iterator[ReviewDialog]:
    yield from opened(qtbot, bridge, scene.scene())


def opened(qtbot: QtBot, bridge: Bridge, snapshot: Snapshot, *, orphans_only: bool = False) -> Iterator[ReviewDialog]:
    made = ReviewDialog(bridge, snapshot, orphans_only=orphans_only)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(made)
    made.show()
    QApplication.processEvents()
    yield made
    made.close()


def texts(widget: QWidget) -> list[str]:
    return [text.text() for text in widget.findChildren(Text) if text.isVisible()]


def run(qtbot: QtBot, dialog: ReviewDialog, bridge: Bridge, backend: FakeBackend, receipt: Receipt) -> ReceiptPage:
    """Agree, and let the action end with the outcomes of that receipt."""
    dialog.list_page.agree.click()
    asked = {target.group_key: target for target in backend.asked[-1][0]}
    outcomes = tuple(
        replace(outcome, target=asked[outcome.target.group_key])
        for outcome in receipt.outcomes
        if outcome.target.group_key in asked
    )
    with qtbot.waitSignal(bridge.action_finished):
        backend.finish(replace(receipt, outcomes=outcomes))
    page = dialog.receipt_page
    assert page is not None
    QApplication.processEvents()
    return page


# ---- the list


def test_the_list_is_that_of_the_picture(dialog: ReviewDialog) -> None:
    said = texts(dialog)
    assert said[0] == "Release about 5.1\u202fGB?"
    assert "List as of 16:20:08. Each item is checked again just before it goes." in said
    for expected in (
        "Idle 2\u202fh 14\u202fmin, no work running",
        "4.8\u202fGB",
        "Claude Code, no parent for 3 h 5 min",
        "These stay",
        "it waits for your answer",
        "a turn is running",
        "cannot tell if it is idle",
        "6 of 6 selected",
    ):
        assert expected in said
    assert dialog.list_page.agree.text() == "Release 5.1\u202fGB"


def test_the_sum_follows_the_ticks(dialog: ReviewDialog) -> None:
    dialog.list_page.items[0].box.setChecked(False)
    assert dialog.list_page.agree.text() == "Release 3.2\u202fGB"
    assert "5 of 6 selected" in texts(dialog)
    for item in dialog.list_page.items:
        item.box.setChecked(False)
    assert not dialog.list_page.agree.isEnabled()


def test_only_what_is_ticked_is_asked_for(dialog: ReviewDialog, backend: FakeBackend) -> None:
    dialog.list_page.items[0].box.setChecked(False)
    dialog.list_page.agree.click()
    (asked,) = backend.asked
    keys = [target.group_key for target in asked[0]]
    assert keys == [scene.PARSER, scene.GUIDE, scene.REPORT, scene.LANGUAGE_SERVER, scene.BROWSER_HELPER]
    assert {target.action for target in asked[0]} == {Action.RELEASE, Action.END_ORPHAN}


def test_the_list_stays_as_it_was_when_the_world_moves_on(
    qtbot: QtBot, dialog: ReviewDialog, bridge: Bridge, backend: FakeBackend
) -> None:
    with qtbot.waitSignal(bridge.snapshot_changed):
        backend.publish(scene.empty())
    assert len(dialog.list_page.items) == 6


def test_cancel_asks_for_nothing(dialog: ReviewDialog, backend: FakeBackend) -> None:
    dialog.list_page.cancel.click()
    assert not dialog.isVisible()
    assert backend.asked == []


def confirmable() -> Snapshot:
    refactor = scene.scene().group(scene.REFACTOR)
    assert refactor is not None
    decision = Decision(action=Action.RELEASE, allowed=Allowed.CONFIRM, reason=Reason.ATTACHED_TERMINAL)
    return scene.with_group(scene.scene(), replace(refactor, decisions=(decision,)))


def test_what_may_lose_something_is_listed_unticked_with_the_loss(
    qtbot: QtBot, bridge: Bridge, backend: FakeBackend
) -> None:
    for dialog in opened(qtbot, bridge, confirmable()):
        asking = next(item for item in dialog.list_page.items if item.asks)
        assert not asking.box.isChecked()
        loss = "It is open in a terminal. Its view closes, and what is typed there is lost."
        assert loss in texts(dialog)
        assert dialog.list_page.first_focus() is dialog.list_page.cancel
        asking.box.setChecked(True)
        dialog.list_page.agree.click()
        confirmed = {target.group_key for target in backend.asked[0][0] if target.confirmed}
        assert confirmed == {scene.REFACTOR}


def test_without_such_an_item_the_focus_starts_on_release(dialog: ReviewDialog) -> None:
    assert dialog.list_page.first_focus() is dialog.list_page.agree


def test_orphans_alone_are_ended_not_released(qtbot: QtBot, bridge: Bridge) -> None:
    for dialog in opened(qtbot, bridge, scene.scene(), orphans_only=True):
        assert texts(dialog)[0] == "End 2 orphans?"
        assert dialog.list_page.agree.text() == "End 0.3\u202fGB"
        assert [item.group.key for item in dialog.list_page.items] == [scene.LANGUAGE_SERVER, scene.BROWSER_HELPER]


def test_nothing_is_cut_off_in_either_look(look: str, dialog: ReviewDialog) -> None:
    foot = dialog.list_page.agree
    assert dialog.rect().contains(QRect(foot.mapTo(dialog, QPoint(0, 0)), foot.size()))
    assert dialog.height() <= dialog.screen().availableGeometry().height()


# ---- while it runs


def test_it_tells_how_far_it_is_and_can_be_stopped(
    qtbot: QtBot, dialog: ReviewDialog, bridge: Bridge, backend: FakeBackend
) -> None:
    dialog.list_page.agree.click()
    progress = Progress(
        done=2,
        total=6,
        title="Getting started guide",
        label="Waiting for OpenCode to finish",
        waited_s=4,
        wait_s=10,
        came_back_bytes=round(3.1 * scene.GB),
    )
    with qtbot.waitSignal(bridge.progress_changed):
        backend.report(progress)
    said = texts(dialog)
    assert "Releasing 3 of 6" in said
    assert "3.1\u202fGB came back so far." in said
    assert "Waiting for OpenCode to finish, 4\u202fs of 10\u202fs" in said
    dialog.running_page.stop.click()
    dialog.running_page.stop.click()
    assert backend.stopped_after_current == 1


def test_closing_it_does_not_stop_the_action(dialog: ReviewDialog, bridge: Bridge, backend: FakeBackend) -> None:
    dialog.list_page.agree.click()
    dialog.close()
    assert bridge.running
    assert backend.stopped_after_current == 0


def test_a_core_that_breaks_off_is_told(
    qtbot: QtBot, dialog: ReviewDialog, bridge: Bridge, backend: FakeBackend
) -> None:
    dialog.list_page.agree.click()
    with qtbot.waitSignal(bridge.failed):
        backend.break_off(RuntimeError("disk full"))
    assert "The action broke off" in texts(dialog)
    assert "disk full" in texts(dialog)


def test_the_receipt_of_another_action_is_not_taken_for_its_own(
    qtbot: QtBot, dialog: ReviewDialog, bridge: Bridge, backend: FakeBackend
) -> None:
    other = scene.scene().group(scene.REFACTOR)
    assert other is not None
    bridge.reclaim([scene.target(other)], "window")
    dialog.list_page.agree.click()
    with qtbot.waitSignal(bridge.action_finished):
        backend.finish()
    assert dialog.receipt_page is None


# ---- the receipt


def test_the_receipt_is_that_of_the_picture(
    qtbot: QtBot, dialog: ReviewDialog, bridge: Bridge, backend: FakeBackend
) -> None:
    said = texts(run(qtbot, dialog, bridge, backend, scene.receipt()))
    for expected in (
        "4.7\u202fGB came back",
        "Measured as physical footprint from 16:20:12 to 16:20:23. Expected 5.1\u202fGB.",
        "8.2\u202fGB before, 12.8\u202fGB after",
        "1 backend and 3 helpers gone",
        "1 helper still runs after 10 s. Left: language server (37055).",
        "1 backend gone. Resumes when you open it there",
        "2 orphans",
        "2 processes gone",
        "Resume at any time",
    ):
        assert expected in said


def test_resume_opens_the_session_in_a_terminal(
    qtbot: QtBot, dialog: ReviewDialog, bridge: Bridge, backend: FakeBackend, terminals: Terminals
) -> None:
    terminals.there = True
    page = run(qtbot, dialog, bridge, backend, scene.receipt())
    page.resume_buttons[0].click()
    assert terminals.opened == [(("claude", "--resume", "7f3a19c2"), "~/src/console")]
    assert page.resume_buttons[0].text() == "Opened"


def test_a_session_that_runs_again_is_not_started_twice(
    qtbot: QtBot, dialog: ReviewDialog, bridge: Bridge, backend: FakeBackend, terminals: Terminals
) -> None:
    terminals.there = True
    page = run(qtbot, dialog, bridge, backend, scene.receipt())
    group = scene.scene().group(scene.REFACTOR)
    assert group is not None
    fresh = scene.member(50001, "claude", Role.BACKEND, 0.4, 0.3)
    with qtbot.waitSignal(bridge.snapshot_changed):
        backend.publish(scene.with_group(scene.scene(), replace(group, members=(fresh,))))
    page.resume_buttons[0].click()
    assert terminals.opened == []
    assert page.resume_buttons[0].text() == "Runs again"
    assert "It runs already. Nothing was started." in texts(page)


def test_without_a_terminal_resume_copies_the_command_and_says_so(
    qtbot: QtBot, dialog: ReviewDialog, bridge: Bridge, backend: FakeBackend
) -> None:
    page = run(qtbot, dialog, bridge, backend, scene.receipt())
    assert len(page.resume_buttons) == 2
    page.resume_buttons[0].click()
    said = "No terminal was found. Set TERMINAL to the one that you use. The command was copied instead."
    assert said in texts(page)
    assert QGuiApplication.clipboard().text() == "cd ~/src/console && claude --resume 7f3a19c2"
    assert page.resume_buttons[0].text() == "Copied"


def test_a_survivor_is_ended_only_after_a_second_question(
    qtbot: QtBot, dialog: ReviewDialog, bridge: Bridge, backend: FakeBackend
) -> None:
    page = run(qtbot, dialog, bridge, backend, scene.receipt())
    page.end_buttons[0].click()
    assert len(backend.asked) == 1
    panel = page.findChild(QuestionPanel)
    assert isinstance(panel, QuestionPanel)
    assert panel.accessibleName().startswith("End language server now?")
    qtbot.waitUntil(lambda: not panel.yes.visibleRegion().isEmpty())
    panel.yes.click()
    assert [(t.action, t.force) for t in backend.asked[1][0]] == [(Action.KILL, True)]
    with qtbot.waitSignal(bridge.action_finished):
        backend.finish()
    assert dialog.receipt_page is not page


def test_a_survivor_that_ended_meanwhile_is_said_to_be_gone(
    qtbot: QtBot, dialog: ReviewDialog, bridge: Bridge, backend: FakeBackend
) -> None:
    page = run(qtbot, dialog, bridge, backend, scene.receipt())
    with qtbot.waitSignal(bridge.snapshot_changed):
        backend.publish(scene.empty())
    page.end_buttons[0].click()
    assert page.end_buttons[0].text() == "Gone"
    assert len(backend.asked) == 1


def test_a_refusal_and_an_early_end_give_nothing_back(
    qtbot: QtBot, dialog: ReviewDialog, bridge: Bridge, backend: FakeBackend
) -> None:
    fates = {scene.REFACTOR: Fate.REFUSED, scene.PARSER: Fate.ALREADY_GONE}
    outcomes = tuple(
        replace(o, fate=fates.get(o.target.group_key, Fate.REFUSED), came_back_bytes=0, sentence="Not released: why")
        for o in scene.receipt().outcomes
    )
    page = run(qtbot, dialog, bridge, backend, replace(scene.receipt(), outcomes=outcomes))
    said = texts(page)
    assert "Nothing came back" in said
    assert said.count("–") == 6
    assert not page.resume_buttons


def test_done_closes_and_the_journal_is_one_click_away(
    qtbot: QtBot, dialog: ReviewDialog, bridge: Bridge, backend: FakeBackend
) -> None:
    page = run(qtbot, dialog, bridge, backend, scene.receipt())
    with qtbot.waitSignal(dialog.journal_asked):
        page.journal.click()
    assert not dialog.isVisible()


def test_the_receipt_fits_in_either_look(
    look: str, qtbot: QtBot, dialog: ReviewDialog, bridge: Bridge, backend: FakeBackend
) -> None:
    page = run(qtbot, dialog, bridge, backend, scene.receipt())
    buttons = [button for button in page.findChildren(Button) if button.isVisible()]
    foot = page.close_button
    assert foot in buttons
    assert dialog.rect().contains(QRect(foot.mapTo(dialog, QPoint(0, 0)), foot.size()))
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_the_receipt_tells_later_what_runs_again(
    qtbot: QtBot, dialog: ReviewDialog, bridge: Bridge, backend: FakeBackend
) -> None:
    page = run(qtbot, dialog, bridge, backend, scene.receipt())
    assert page._said[scene.PARSER].text() == "1 backend and 2 helpers gone"
    backend.journal = (replace(page.receipt, returns=(came_back(page.receipt),)),)
    page.look_again()
    said = "1 backend and 2 helpers gone. It runs again, seen 12 s later, started by systemd (1104)."
    qtbot.waitUntil(lambda: page._said[scene.PARSER].text() == said)
    assert page._said[scene.REFACTOR].text() == "1 backend and 3 helpers gone"


def test_what_runs_again_is_not_to_be_resumed(qtbot: QtBot, bridge: Bridge) -> None:
    receipt = replace(scene.receipt(), returns=(came_back(scene.receipt()),))
    page = ReceiptPage(bridge, receipt, scene.scene())
    qtbot.addWidget(page)
    assert [button.accessibleName() for button in page.resume_buttons] == [
        "Resume Refactor settings page, in a terminal"
    ]


def came_back(receipt: Receipt) -> Return:
    """Return that a session of a receipt runs again."""
    return Return(
        receipt_id=receipt.receipt_id,
        group_key=scene.PARSER,
        title="Write parser benchmarks",
        at=receipt.finished_at,
        after_s=12.0,
        by="systemd (1104)",
        members=(),
    )


def test_a_receipt_names_its_figure_and_resident_memory_beside_it(qtbot: QtBot, bridge: Bridge) -> None:
    receipt = scene.receipt()
    outcomes = tuple(replace(o, rss_came_back_bytes=o.came_back_bytes + 100 * scene.MB) for o in receipt.outcomes)
    page = ReceiptPage(bridge, replace(receipt, outcomes=outcomes), scene.scene())
    qtbot.addWidget(page)
    page.show()
    assert "By resident memory (RSS)" in texts(page)
    assert "\u2264\u202f5.3\u202fGB" in texts(page)
    bare = replace(receipt, footprint_metric=None, outcomes=outcomes)
    assert receipt_words.metric(bare) == "RSS"
    assert receipt_words.rss_words(bare) == ""


def test_who_asked_is_said() -> None:
    assert receipt_words.asked_by(scene.receipt()) == "You, from the menu bar"
    assert receipt_words.asked_by(replace(scene.receipt(), origin="policy idle-4h")) == "By the policy “idle-4h”"
