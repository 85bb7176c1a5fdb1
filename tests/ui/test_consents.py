"""What a person allows with a host, and sessions that come back through their host, in every face."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.ui import scene
from tests.ui.fake_backend import FakeBackend, went_well
from tests.ui.screenshots_window import NoLogin
from trayapp.hosts.base import CallResult
from trayapp.model.access import Permission
from trayapp.ui.bridge import Bridge
from trayapp.ui.controls import Text
from trayapp.ui.popover import Popover
from trayapp.ui.process_table import ProcessColumn, ProcessTable
from trayapp.ui.question_dialog import QuestionDialog
from trayapp.ui.resume_button import ResumeButton
from trayapp.ui.review import ReceiptPage, ReviewDialog
from trayapp.ui.session_row import QuestionPanel
from trayapp.ui.setup_dialog import SetupDialog
from trayapp.ui.sidebar import PageName
from trayapp.ui.tree import RowAction, row_action
from trayapp.ui.window import MainWindow

HOST = "craft-agents"
BACK = CallResult(ok=True, message="It is back in the window “support”")
NOT_BACK = CallResult(ok=False, message="craft-agents does not run. Start it, then try again")


@pytest.fixture
def backend() -> FakeBackend:
    made = FakeBackend(scene.hosted_scene())
    made.offers = scene.CONSENTS
    made.journal = (scene.hosted_receipt(), *made.journal)
    return made


@pytest.fixture
def window(qtbot: QtBot, backend: FakeBackend, bridge: Bridge) -> MainWindow:
    made = MainWindow(backend, bridge, login=NoLogin())
    qtbot.addWidget(made)
    made.resize(1200, 1000)
    made.show()
    return made


@pytest.fixture
def popover(qtbot: QtBot, bridge: Bridge) -> Iterator[Popover]:
    made = Popover(bridge)
    qtbot.addWidget(made)
    made.show_at(QRect(1000, 0, 24, 24))
    yield made
    made.hide()


@pytest.fixture
def dialog(qtbot: QtBot, bridge: Bridge) -> SetupDialog:
    made = SetupDialog(bridge, HOST, HOST)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: bool(made.offers))
    return made


def texts(widget: QWidget) -> list[str]:
    return [text.text() for text in widget.findChildren(Text) if not text.isHidden()]


# ---- the question


def test_what_a_consent_means_stands_there_before_it_is_given(dialog: SetupDialog, backend: FakeBackend) -> None:
    said = [text.replace("\u200b", "") for text in texts(dialog)]
    assert f"Allow this with {HOST}?" in said
    for offer in scene.CONSENTS[HOST]:
        assert set(offer.steps) <= set(said)
        assert f"{offer.says[0]}." in said
    assert dialog.agree.text() == "Allow"
    assert backend.settings.hosts == {}


def test_of_several_consents_none_is_ticked_for_the_person(dialog: SetupDialog, backend: FakeBackend) -> None:
    assert not any(offer.box.isChecked() for offer in dialog.offers)
    assert not dialog.agree.isEnabled()


def test_only_what_was_ticked_is_allowed_and_the_way_back_is_told(
    dialog: SetupDialog, backend: FakeBackend, qtbot: QtBot
) -> None:
    dialog.offers[0].box.click()
    dialog.agree.click()
    qtbot.waitUntil(lambda: dialog.cancel.text() == "Done")
    assert backend.settings.access(HOST).allowed == {Permission.READ_SECRET}
    assert dialog.offers[0].undo.text == "agentring hosts forbid craft-agents read-secret"
    assert "Allowed. The settings take it back, and so does:" in texts(dialog)


def test_a_consent_beside_a_plugin_has_to_be_ticked_and_the_button_says_what_it_does(
    qtbot: QtBot, bridge: Bridge, backend: FakeBackend
) -> None:
    consent = replace(scene.CONSENTS[HOST][0], host="dsh")
    backend.offers = {"dsh": (consent,)}
    dialog = SetupDialog(bridge, "dsh", "DSH")
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: len(dialog.offers) == 3)
    assert [shown.box.isChecked() for shown in dialog.offers] == [True, False, False]
    assert dialog.agree.text() == "Install"
    dialog.offers[2].box.click()
    assert dialog.agree.text() == "Agree"
    dialog.offers[0].box.click()
    assert dialog.agree.text() == "Allow"


def test_offers_that_come_while_the_dialog_is_open_are_seen_whole(qtbot: QtBot, backend: FakeBackend) -> None:
    backend.offers = {}
    backend.latest = scene.heap_scene(plugin=False)
    bridge = Bridge(backend)
    dialog = SetupDialog(bridge, "dsh", "DSH")
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: len(dialog.offers) == 2)
    first = dialog.offers[0]
    qtbot.waitUntil(lambda: not first.visibleRegion().isEmpty())
    assert first.visibleRegion().boundingRect().height() == first.height() > 100
    bridge.close()
    bridge.deleteLater()


# ---- where it is offered


def test_the_popover_offers_what_could_be_allowed_with_a_host_that_runs(popover: Popover, qtbot: QtBot) -> None:
    qtbot.waitUntil(popover.consent.isVisible)
    assert popover.consent.title.text() == "Read the token of its server"
    assert popover.consent.second.text().startswith(f"{HOST} needs you to allow that.")
    with qtbot.waitSignal(popover.setup_asked) as asked:
        popover.consent.button.click()
    assert asked.args == [HOST]


def test_not_now_takes_the_offer_away_until_the_program_ends(popover: Popover, qtbot: QtBot) -> None:
    qtbot.waitUntil(popover.consent.isVisible)
    popover.consent.later.click()
    assert popover.consent.isHidden()
    popover.hide()
    popover.show_at(QRect(1000, 0, 24, 24))
    popover.refresh()
    assert popover.consent.isHidden()


def test_the_offer_goes_when_it_was_taken(popover: Popover, bridge: Bridge, backend: FakeBackend, qtbot: QtBot) -> None:
    qtbot.waitUntil(popover.consent.isVisible)
    for offer in scene.CONSENTS[HOST]:
        backend.set_up(offer)
    bridge.ask_consents()
    qtbot.waitUntil(popover.consent.isHidden)


def test_hosts_are_asked_for_offers_again_only_when_others_run(
    popover: Popover, bridge: Bridge, backend: FakeBackend, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: bool(bridge.consents))
    backend.offers = {}
    backend.publish(replace(scene.hosted_scene(), monotonic_s=50_002.0))
    qtbot.wait(0)
    assert HOST in bridge.consents
    seen = scene.hosted_scene()
    backend.publish(replace(seen, instances=tuple(replace(i, error="its token is needed") for i in seen.instances)))
    qtbot.waitUntil(lambda: not bridge.consents)


def test_the_page_of_a_session_offers_it_beside_its_other_buttons(window: MainWindow, qtbot: QtBot) -> None:
    window.show_session(scene.SUPPORT)
    qtbot.waitUntil(window.session.allow.isVisible)
    with qtbot.waitSignal(window.session.setup_wanted) as asked:
        window.session.allow.click()
    assert asked.args == [HOST]
    window.show_session(scene.REFACTOR)
    assert not window.session.allow.isVisible()


def test_a_narrow_page_keeps_it_in_the_menu(window: MainWindow, qtbot: QtBot) -> None:
    window.show_session(scene.SUPPORT)
    qtbot.waitUntil(window.session.allow.isVisible)
    window.resize(880, 700)
    qtbot.waitUntil(window.session.allow.isHidden)
    menu = window.session.menu()
    assert "Allow…" in [action.text() for action in menu.actions()]
    menu.deleteLater()


# ---- the settings


def test_the_settings_take_a_consent_back(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    backend.permit("codex", Permission.READ_SECRET, allowed=True)
    window.show_page(PageName.SETTINGS)
    page = window.settings_page
    switch = page.consents["codex", Permission.READ_SECRET]
    assert switch.isChecked()
    assert "Read its token or password" in texts(page)
    switch.click()
    qtbot.waitUntil(lambda: backend.settings.hosts == {})
    assert not page.consents["codex", Permission.READ_SECRET].isChecked()


def test_a_consent_is_never_given_by_the_switch_alone(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    window.show_page(PageName.SETTINGS)
    page = window.settings_page
    qtbot.waitUntil(lambda: (HOST, Permission.READ_SECRET) in page.consents)
    with qtbot.waitSignal(page.setup_wanted) as asked:
        page.consents[HOST, Permission.READ_SECRET].click()
    assert asked.args == [HOST]
    assert not page.consents[HOST, Permission.READ_SECRET].isChecked()
    assert backend.settings.hosts == {}
    (dialog,) = window.findChildren(SetupDialog)
    qtbot.waitUntil(lambda: bool(dialog.offers))
    dialog.offers[0].box.click()
    dialog.agree.click()
    qtbot.waitUntil(lambda: page.consents[HOST, Permission.READ_SECRET].isChecked())
    dialog.close()


def test_without_anything_to_allow_the_settings_say_nothing_of_it(
    window: MainWindow, bridge: Bridge, backend: FakeBackend, qtbot: QtBot
) -> None:
    backend.offers = {}
    bridge.ask_consents()
    qtbot.waitUntil(lambda: not bridge.consents)
    window.show_page(PageName.SETTINGS)
    assert "Allowed with hosts" not in texts(window.settings_page)


# ---- what comes back


@pytest.fixture
def receipt_page(qtbot: QtBot, bridge: Bridge) -> ReceiptPage:
    page = ReceiptPage(bridge, scene.hosted_receipt(), scene.hosted_scene())
    qtbot.addWidget(page)
    page.show()
    return page


def test_the_host_is_asked_and_its_answer_is_shown(
    receipt_page: ReceiptPage, backend: FakeBackend, qtbot: QtBot
) -> None:
    button, _ = receipt_page.resume_buttons
    button.click()
    assert (button.text(), button.isEnabled()) == ("Resuming", False)
    assert backend.resumed == [(HOST, scene.BACK)]
    with qtbot.waitSignal(receipt_page.grown):
        backend.answer.set_result(BACK)
    assert (button.text(), button.isEnabled()) == ("Resumed", False)
    assert BACK.message in texts(receipt_page)


@pytest.mark.parametrize("fault", [NOT_BACK, RuntimeError("the core has not been started")])
def test_what_went_wrong_is_shown_and_can_be_tried_again(
    receipt_page: ReceiptPage, backend: FakeBackend, qtbot: QtBot, fault: CallResult | Exception
) -> None:
    button, _ = receipt_page.resume_buttons
    button.click()
    if isinstance(fault, Exception):
        backend.answer.set_exception(fault)
    else:
        backend.answer.set_result(fault)
    qtbot.waitUntil(button.isEnabled)
    assert button.text() == "Resume"
    assert (fault.message if isinstance(fault, CallResult) else str(fault)) in texts(receipt_page)
    button.click()
    assert len(backend.resumed) == 2


def test_where_there_is_only_a_command_it_is_copied_as_before(receipt_page: ReceiptPage, backend: FakeBackend) -> None:
    _, button = receipt_page.resume_buttons
    button.click()
    assert QGuiApplication.clipboard().text() == "cd ~/src/parser && codex resume 01jd8q"
    assert button.text() == "Copied"
    assert backend.resumed == []


def test_the_journal_follows_what_was_asked_for_elsewhere(
    window: MainWindow, receipt_page: ReceiptPage, backend: FakeBackend, qtbot: QtBot
) -> None:
    window.show_page(PageName.JOURNAL)
    qtbot.waitUntil(lambda: bool(window.journal.entries))
    entry = window.journal.entries[0]
    entry.head.setChecked(True)
    button = entry.resumes[0]  # type: ignore[union-attr]
    receipt_page.resume_buttons[0].click()
    assert button.text() == "Resuming"
    button.click()
    assert len(backend.resumed) == 1
    backend.answer.set_result(BACK)
    qtbot.waitUntil(lambda: button.text() == "Resumed")
    assert BACK.message in texts(window.journal)


def test_the_row_of_the_popover_resumes_and_shows_the_session_again_when_it_is_back(
    popover: Popover, backend: FakeBackend, qtbot: QtBot
) -> None:
    row = popover.rows.row(scene.SUPPORT)
    row.button.click()
    backend.finish(scene.hosted_receipt())
    backend.publish(scene.scene())
    qtbot.waitUntil(lambda: row.button.text() == "Resume")
    row.button.click()
    assert backend.resumed == [(HOST, scene.BACK)]
    assert row.view.words == "Its host is asked to bring it back"
    backend.answer.set_result(BACK)
    qtbot.waitUntil(lambda: row.view.words == BACK.message)
    backend.publish(scene.hosted_scene())
    qtbot.waitUntil(lambda: popover.rows.row(scene.SUPPORT).button.text() == "Release")


def test_a_row_whose_session_did_not_come_back_says_so_and_offers_it_again(
    popover: Popover, backend: FakeBackend, qtbot: QtBot
) -> None:
    row = popover.rows.row(scene.SUPPORT)
    row.button.click()
    backend.finish(scene.hosted_receipt())
    backend.publish(scene.scene())
    qtbot.waitUntil(lambda: row.button.text() == "Resume")
    row.button.click()
    backend.answer.set_result(NOT_BACK)
    qtbot.waitUntil(lambda: row.view.words == NOT_BACK.message)
    assert row.view.tone == "amber"
    assert row.button.text() == "Resume"


def test_the_page_of_a_session_that_is_gone_brings_it_back(
    window: MainWindow, backend: FakeBackend, qtbot: QtBot
) -> None:
    window.show_session(scene.SUPPORT)
    assert window.session.findChildren(ResumeButton) == []
    backend.publish(scene.scene())
    qtbot.waitUntil(lambda: bool(window.session.findChildren(ResumeButton)))
    (button,) = window.session.findChildren(ResumeButton)
    button.click()
    backend.answer.set_result(NOT_BACK)
    qtbot.waitUntil(lambda: NOT_BACK.message in texts(window.session))
    backend.publish(replace(scene.scene(), monotonic_s=50_002.0))
    qtbot.wait(0)
    assert NOT_BACK.message in texts(window.session)
    backend.publish(scene.hosted_scene())
    qtbot.waitUntil(lambda: window.session.steps.resume is None)


def test_a_new_release_of_the_same_session_can_be_resumed_again(
    bridge: Bridge, backend: FakeBackend, qtbot: QtBot
) -> None:
    bridge.resume(HOST, scene.BACK)
    backend.answer.set_result(BACK)
    qtbot.waitUntil(lambda: bridge.resume_of(scene.BACK) is not None and bool(bridge.resume_of(scene.BACK).ok))  # type: ignore[union-attr]
    bridge.resume(HOST, scene.BACK)
    assert len(backend.resumed) == 1
    bridge.reclaim([scene.target(scene.hosted())], "test")
    backend.finish(scene.hosted_receipt())
    qtbot.waitUntil(lambda: bridge.resume_of(scene.BACK) is None)


# ---- what has ended and is only listed


def test_a_session_that_is_only_listed_holds_nothing_and_is_cleared_after_a_question(
    popover: Popover, backend: FakeBackend, qtbot: QtBot
) -> None:
    row = popover.rows.row(scene.REMNANT)
    assert (row.view.words, row.view.memory, row.button.text()) == ("Ended 14:18", "", "Clear…")
    row.button.click()
    assert backend.asked == []
    (question,) = popover.findChildren(QuestionPanel)
    assert question.yes.text() == "Clear"
    question.yes.click()
    ((target,), _) = backend.asked[0]
    assert (target.group_key, target.confirmed, target.members) == (scene.REMNANT, True, ())


def test_the_row_of_what_was_cleared_says_so_without_a_figure(
    popover: Popover, backend: FakeBackend, qtbot: QtBot
) -> None:
    row = popover.rows.row(scene.REMNANT)
    row.button.click()
    popover.findChildren(QuestionPanel)[0].yes.click()
    gone = replace(went_well(backend.asked[0][0], "test").outcomes[0], sentence="Its host has cleared it")
    backend.finish(replace(scene.hosted_receipt(), outcomes=(gone,)))
    qtbot.waitUntil(lambda: row.view.words == "Its host has cleared it")


def test_the_review_lists_what_can_be_cleared_apart_and_unticked(qtbot: QtBot, bridge: Bridge) -> None:
    dialog = ReviewDialog(bridge, scene.hosted_scene())
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    dialog.show()
    page = dialog.list_page
    (item,) = [item for item in page.items if item.clears]
    assert not item.box.isChecked()
    assert "Ended sessions" in texts(page)
    for other in page.items:
        other.box.setChecked(other is item)
    assert page.agree.text() == "Clear 1"
    assert "Clear 1 ended session?" in texts(page)


def test_the_window_asks_before_it_is_cleared(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    assert row_action(scene.remnant()) is RowAction.CLEAR
    window.show_session(scene.REMNANT)
    assert window.session.release.text() == "Clear…"
    window.session.release.click()
    (dialog,) = window.findChildren(QuestionDialog)
    dialog.accept()
    assert [target.group_key for target in backend.asked[0][0]] == [scene.REMNANT]


# ---- the processes


def cells(table: ProcessTable, column: ProcessColumn) -> dict[int, str]:
    return {table.member(row).process.pid: table.index(row, column).data() for row in range(table.rowCount())}


def test_surplus_backends_are_told_from_the_current_one() -> None:
    table = ProcessTable()
    table.show_group(scene.hosted())
    roles = cells(table, ProcessColumn.ROLE)
    assert [roles[pid] for pid in (36210, 36211, 36212)] == ["Backend, surplus", "Backend, surplus", "Backend, current"]
    assert roles[36310] == "Helper"
    table.show_group(replace(scene.hosted(), flags=()))
    assert set(cells(table, ProcessColumn.ROLE).values()) == {"Backend", "Helper"}


def test_who_closes_or_keeps_a_process_is_said_beside_why_it_belongs_there() -> None:
    table = ProcessTable()
    table.show_group(scene.hosted())
    because = cells(table, ProcessColumn.BECAUSE)
    assert because[36310] == "source “search”, closed by its host"
    assert because[36311] == "started with it, its host keeps it"
    assert because[36212] == "--resume"


def test_the_tree_tells_surplus_backends_too(window: MainWindow) -> None:
    tree = window.overview.tree
    index = tree.index_of_group(scene.SUPPORT)
    window.overview.view.expand(index.parent())
    window.overview.view.expand(index)
    told = [tree.node(tree.index(row, 0, index)).shown.second for row in range(tree.rowCount(index))]
    assert "surplus backend, pid 36210" in told
    assert "current backend, pid 36212" in told
    assert "helper, pid 36310" in told
