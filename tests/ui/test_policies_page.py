"""Policies are off until switched on, say what they would do, and can be tried on the recorded days."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from tests.ui import scene
from tests.ui.fake_backend import FakeBackend
from tests.ui.screenshots_window import NoLogin
from trayapp.model.policy import Match, Policy, QuietHours, Trigger
from trayapp.policy_words import fault_of
from trayapp.reclaim.policy import suggested
from trayapp.ui import policy_plot, tokens
from trayapp.ui.bridge import Bridge
from trayapp.ui.controls import Text
from trayapp.ui.policies_page import PoliciesPage
from trayapp.ui.policy_card import PolicyCard, limits
from trayapp.ui.policy_editor import FIRST, TITLES, PolicyEditor
from trayapp.ui.policy_plot import PolicyPlot, TrialPanel, byte_hours, point_words
from trayapp.ui.question_dialog import QuestionDialog
from trayapp.ui.sidebar import PageName
from trayapp.ui.window import MainWindow

THIN = "\u202f"
IDLE = scene.IDLE_POLICY
ORPHANS = scene.ORPHAN_POLICY


def texts(widget: QWidget) -> list[str]:
    return [text.text() for text in widget.findChildren(Text) if text.isVisible()]


@pytest.fixture
def window(qtbot: QtBot, backend: FakeBackend, bridge: Bridge) -> MainWindow:
    backend.rules, backend.tried = (IDLE, ORPHANS), scene.dry_runs()
    made = MainWindow(backend, bridge, login=NoLogin())
    qtbot.addWidget(made)
    with qtbot.waitExposed(made):
        made.show()
    made.show_page(PageName.POLICIES)
    QApplication.processEvents()
    return made


@pytest.fixture
def page(window: MainWindow, qtbot: QtBot) -> PoliciesPage:
    qtbot.waitUntil(lambda: window.policies.own["idle-4h"].now.text() == "2 would go now")
    return window.policies


@pytest.fixture
def trial(page: PoliciesPage) -> TrialPanel:
    card = page.own["idle-4h"]
    card.more.click()
    assert card.trial is not None
    return card.trial


# ---- what is shown


def test_above_all_it_says_that_nothing_goes_by_itself(page: PoliciesPage) -> None:
    assert page.promise.text() == "Nothing is released by itself unless you switch it on"
    assert page.promise.isVisible()


def test_the_policies_of_the_user_come_first_then_those_to_begin_with(page: PoliciesPage) -> None:
    assert list(page.own) == ["idle-4h", "orphans-1h"]
    assert list(page.suggestions) == [p.name for p in suggested() if p.name not in page.own]
    assert not any(card.switch.isChecked() for card in page.suggestions.values())


def test_a_card_says_what_it_does_what_holds_it_back_and_what_it_would_do(page: PoliciesPage) -> None:
    card = page.own["idle-4h"]
    assert card.does.text() == (
        f"Releases sessions that are idle for longer than 4{THIN}h."
        f" At most 4 an hour, 1{THIN}min notice before each, not 22:00-07:00, never the folder ~/src/billing."
    )
    assert card.figure.text() == f"2.0{THIN}GB"
    card.more.click()
    assert card.more.accessibleName() == "Hide details of idle-4h"
    said = texts(card)
    for words in (
        "2 sessions are idle for longer than 4 h.",
        "Weekly report",
        "Idle for 1 d 3 h, longer than 4 h",
        "These stay",
        "Migrate billing to v2",
        "It waits for your answer",
    ):
        assert words in said
    card.more.click()
    assert not card.is_open
    assert card.more.text() == "Details"


def test_sigkill_is_named_in_words(page: PoliciesPage) -> None:
    assert limits(replace(ORPHANS, sigkill=True)).endswith("ends by SIGKILL what does not end when asked")


def test_a_policy_that_switched_itself_off_says_why(qtbot: QtBot, page: PoliciesPage, backend: FakeBackend) -> None:
    backend.why_off = {"orphans-1h": "Language server came back 12 s later"}
    page.show_policies()
    card = page.own["orphans-1h"]
    assert card.off.text() == "It switched itself off: Language server came back 12 s later"
    assert card.off.isVisible()
    card.switch.click()
    qtbot.waitUntil(lambda: card.switch.isChecked())
    assert not card.off.isVisible()


def test_what_a_suggested_one_would_do_is_told_by_the_same_rules(
    qtbot: QtBot, page: PoliciesPage, backend: FakeBackend
) -> None:
    card = page.suggestions["pressure"]
    qtbot.waitUntil(lambda: card.now.text() == "Nothing now")
    card.more.click()
    assert any(re.search("memory", words, re.IGNORECASE) for words in texts(card))


def test_it_looks_again_only_while_it_is_seen(page: PoliciesPage, window: MainWindow) -> None:
    assert page._look.isActive()
    window.show_page(PageName.JOURNAL)
    assert not page._look.isActive()


@pytest.mark.parametrize("width", [880, 1120])
def test_nothing_but_titles_is_cut_off(qtbot: QtBot, page: PoliciesPage, window: MainWindow, width: int) -> None:
    window.resize(width, 812)
    page.own["idle-4h"].more.click()
    QApplication.processEvents()
    window.grab()
    names = {group.name for group in scene.scene().groups}
    cut = [
        text.text()
        for text in page.findChildren(Text)
        if text.isVisible()
        and not text.wordWrap()
        and tokens.text_width(text.text(), text.font()) > text.width() + 1
        and text.text() not in names
    ]
    assert cut == []


# ---- what is changed


def test_a_switch_holds_at_once(qtbot: QtBot, page: PoliciesPage, backend: FakeBackend) -> None:
    page.own["idle-4h"].switch.click()
    qtbot.waitUntil(lambda: not page.own["idle-4h"].switch.isChecked())
    assert backend.rules == (replace(IDLE, on=False), ORPHANS)


def test_switching_a_suggested_one_on_makes_it_the_users(
    qtbot: QtBot, page: PoliciesPage, backend: FakeBackend
) -> None:
    page.suggestions["pressure"].switch.click()
    qtbot.waitUntil(lambda: "pressure" in page.own)
    assert page.own["pressure"].switch.isChecked()
    assert "pressure" not in page.suggestions
    assert backend.rules[-1] == replace(next(p for p in suggested() if p.name == "pressure"), on=True)


def test_what_cannot_be_kept_is_said_and_the_switch_stays(
    qtbot: QtBot, page: PoliciesPage, backend: FakeBackend
) -> None:
    backend.refuses = "The settings cannot be written: disk full"
    page.own["idle-4h"].switch.click()
    qtbot.waitUntil(lambda: page.note.words[1] == backend.refuses)
    assert page.own["idle-4h"].switch.isChecked()


def test_a_policy_is_deleted_only_after_a_question(
    qtbot: QtBot, page: PoliciesPage, window: MainWindow, backend: FakeBackend
) -> None:
    card = page.own["orphans-1h"]
    card.more.click()
    assert card.delete is not None
    card.delete.click()
    question = window.findChild(QuestionDialog)
    assert question is not None
    assert question.accessibleName().startswith("Delete the policy “orphans-1h”?")
    question.yes.click()
    qtbot.waitUntil(lambda: "orphans-1h" in page.suggestions)
    assert backend.rules == (IDLE,)
    assert page.suggestions["orphans-1h"].delete is None


@pytest.mark.parametrize("trigger", Trigger)
def test_a_new_policy_of_each_kind_begins_off_and_holds(trigger: Trigger) -> None:
    assert TITLES[trigger]
    assert fault_of(FIRST[trigger]) is None
    assert not FIRST[trigger].on


def test_a_new_policy_gets_a_name_of_its_own(qtbot: QtBot, page: PoliciesPage, backend: FakeBackend) -> None:
    backend.rules = (*backend.rules, FIRST[Trigger.PRESSURE])
    menu = page.new_menu()
    assert [action.text() for action in menu.actions()] == list(TITLES.values())
    trigger(menu, TITLES[Trigger.PRESSURE])
    editor = page.editor
    assert editor is not None
    assert editor.name.text() == "Memory runs short 2"
    editor.save.click()
    qtbot.waitUntil(lambda: page.editor is None)
    assert backend.rules[-1] == replace(FIRST[Trigger.PRESSURE], name="Memory runs short 2")


def trigger(menu: QMenu, words: str) -> None:
    next(action for action in menu.actions() if action.text() == words).trigger()
    menu.close()


def test_the_next_page_tells_that_a_policy_is_on_and_leads_here(page: PoliciesPage, window: MainWindow) -> None:
    window.show_page(PageName.NEXT)
    line = window.next_page.policies
    assert line.title.text() == "1 policy on: idle-4h"
    assert line.second.text() == (
        f"This is the order that is followed. You are told 1{THIN}min before, and can keep it."
    )
    line.button.click()
    assert window.page is page


def test_without_one_that_is_on_the_next_page_says_so(window: MainWindow, backend: FakeBackend) -> None:
    backend.rules = (replace(IDLE, on=False),)
    window.show_page(PageName.NEXT)
    assert window.next_page.policies.title.text() == "Automatic release is off"


# ---- the form


@pytest.fixture
def edit(qtbot: QtBot) -> Callable[[Policy], PolicyEditor]:
    def open_editor(policy: Policy) -> PolicyEditor:
        editor = PolicyEditor(policy, taken=("taken",))
        editor.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        qtbot.addWidget(editor)
        editor.show()
        return editor

    return open_editor


FULL = replace(
    IDLE,
    only_under_pressure=True,
    only=(Match(host="codex"),),
    never=(Match(folder="~/src/billing"), Match(session="7f3a"), Match(program="pytest")),
    quiet=(QuietHours(since_min=1320, until_min=420), QuietHours(since_min=0, until_min=60)),
    most_an_hour=9,
    grace_s=90.0,
    typed_s=0.0,
    sigkill=True,
)


@pytest.mark.parametrize(
    "policy", [FULL, ORPHANS, *FIRST.values(), replace(FIRST[Trigger.TOTAL], over_bytes=8 * 1024**3)]
)
def test_what_the_form_shows_is_what_it_gives_back(policy: Policy, edit: Callable[[Policy], PolicyEditor]) -> None:
    assert edit(policy).policy() == policy


def test_every_figure_can_be_changed(qtbot: QtBot, edit: Callable[[Policy], PolicyEditor]) -> None:
    editor = edit(IDLE)
    editor.name.setText("evening")
    editor.figure("Idle for longer than").setText("1h 30m")
    editor.most.setText("2")
    editor.grace.setText("2m")
    editor.typed.setText("1h")
    editor.quiet.setText("22:00-07:00, 12:00-13:00")
    editor.never.rows[0].remove.click()
    editor.only.add.click()
    row = editor.only.rows[0]
    trigger(row.kind.menu_here(), "Program")
    row.field.setText("node")
    with qtbot.waitSignal(editor.agreed) as agreed:
        editor.save.click()
    assert agreed.args == [
        replace(
            IDLE,
            name="evening",
            after_s=5400.0,
            most_an_hour=2,
            grace_s=120.0,
            typed_s=3600.0,
            quiet=(QuietHours(since_min=1320, until_min=420), QuietHours(since_min=720, until_min=780)),
            never=(),
            only=(Match(program="node"),),
        )
    ]


@pytest.mark.parametrize(
    ("label", "text", "sentence"),
    [
        (
            "Idle for longer than",
            "soon",
            "Idle for longer than: 'soon' is no length of time. Write it as 90s, 30m, 4h or 1d.",
        ),
        ("At most in an hour", "few", "At most in an hour: 'few' is no whole number."),
        ("Quiet hours", "22-7", "Quiet hours: '22-7' is no part of a day. Write it as 22:00-07:00."),
        ("Name", "taken", "Another policy is called “taken”. Give this one a name of its own."),
        ("Name", " ", "It has no name that can be shown."),
        ("Notice before", "1s", "grace has to be 10s or longer, so that somebody can keep the session."),
    ],
)
def test_what_cannot_hold_is_said_in_a_sentence_and_the_form_stays(
    qtbot: QtBot, edit: Callable[[Policy], PolicyEditor], label: str, text: str, sentence: str
) -> None:
    editor = edit(IDLE)
    fields = {field.accessibleName(): field for field in (editor.name, editor.most, editor.quiet, editor.grace)}
    field = fields.get(label) or editor.figure(label)
    field.setText(text)
    told: list[object] = []
    editor.agreed.connect(told.append)
    editor.save.click()
    assert editor.wrong.text() == sentence
    assert editor.wrong.isVisible()
    assert told == []
    assert editor.isVisible()


def test_an_empty_exception_is_named_and_marked(edit: Callable[[Policy], PolicyEditor]) -> None:
    editor = edit(IDLE)
    editor.never.add.click()
    editor.save.click()
    assert editor.wrong.text() == "An exception is empty. Name what it holds for, or remove it."
    assert editor.never.rows[1].field.is_wrong
    QTest.keyClicks(editor.never.rows[1].field, "x")
    assert not editor.never.rows[1].field.is_wrong


def test_what_the_core_refuses_stands_in_the_form(qtbot: QtBot, page: PoliciesPage, backend: FakeBackend) -> None:
    backend.refuses = "The settings cannot be written: disk full"
    editor = page.edit(IDLE)
    editor.save.click()
    qtbot.waitUntil(lambda: editor.wrong.text() == backend.refuses)
    assert editor.isVisible()
    assert editor.save.isEnabled()
    editor.reject()


def test_a_changed_name_does_not_make_a_second_policy(qtbot: QtBot, page: PoliciesPage, backend: FakeBackend) -> None:
    editor = page.edit(IDLE)
    editor.name.setText("long-idle")
    editor.save.click()
    qtbot.waitUntil(lambda: list(page.own) == ["long-idle", "orphans-1h"])
    assert backend.rules == (replace(IDLE, name="long-idle"), ORPHANS)


# ---- on the recorded days


def test_the_history_is_looked_through_only_when_asked(trial: TrialPanel, backend: FakeBackend) -> None:
    assert backend.sweeps == []
    assert trial.plot.isHidden()
    trial.ask.click()
    ((policy, since_epoch_s),) = backend.sweeps
    assert policy == IDLE
    assert not trial.ask.isEnabled()
    assert trial.words.text() == "Looking through the history"
    assert trial._clock_s() - since_epoch_s == pytest.approx(policy_plot.SPAN_S, abs=60)
    trial.ask.click()
    assert len(backend.sweeps) == 1


def test_a_long_look_counts_its_seconds(qtbot: QtBot, bridge: Bridge) -> None:
    now = [1000.0]
    made = TrialPanel(bridge, clock_s=lambda: now[0])
    qtbot.addWidget(made)
    made.show_policy(IDLE)
    made.begin()
    now[0] += 12.5
    made._count()
    assert made.words.text() == f"Looking through the history, 12{THIN}s"


def test_the_plot_begins_at_the_policys_own_time(qtbot: QtBot, trial: TrialPanel, backend: FakeBackend) -> None:
    trial.ask.click()
    backend.swept.set_result(scene.sweep())
    qtbot.waitUntil(trial.plot.isVisible)
    assert trial.title.text() == f"On your own days: the last 6{THIN}d 9{THIN}h"
    assert trial.words.text() == (
        f"Idle for 4{THIN}h: 121{THIN}GB·h would have been free, of 22 sessions; 1 of them worked again soon after."
    )
    assert trial.use.isHidden()
    assert trial.plot.accessibleName() == f"Memory freed by idle time. {trial.words.text()}"
    assert trial.plot.accessibleDescription().count("Idle for") == 8


def test_another_time_is_chosen_by_key_or_click_and_taken_over(
    qtbot: QtBot, trial: TrialPanel, page: PoliciesPage, backend: FakeBackend
) -> None:
    trial.ask.click()
    backend.swept.set_result(scene.sweep())
    qtbot.waitUntil(trial.plot.isVisible)
    QTest.keyClick(trial.plot, Qt.Key.Key_Right)
    assert trial.use.text() == f"Use 8{THIN}h"
    QTest.keyClick(trial.plot, Qt.Key.Key_Home)
    assert trial.use.text() == f"Use 5{THIN}min"
    at = QPoint(round(trial.plot.x_of(3600.0)), trial.plot.height() // 2)
    QTest.mouseClick(trial.plot, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    assert trial.words.text().startswith(f"Idle for 1{THIN}h: 268{THIN}GB·h")
    assert trial.use.text() == f"Use 1{THIN}h"
    trial.use.click()
    qtbot.waitUntil(lambda: backend.rules[0].after_s == 3600.0)
    qtbot.waitUntil(trial.use.isHidden)
    assert page.own["idle-4h"].does.text().startswith(f"Releases sessions that are idle for longer than 1{THIN}h.")
    assert trial.plot.isVisible()


@pytest.mark.parametrize(
    ("covered_s", "words"),
    [
        (10_800.0, f"The history holds 3{THIN}h so far. Let Agent Ring record for a day or more, then try again."),
        (3 * 86_400.0, f"The history holds 3{THIN}d so far: no session was idle for 5 min in it."),
    ],
)
def test_a_history_that_tells_nothing_says_how_much_it_holds(
    qtbot: QtBot, trial: TrialPanel, backend: FakeBackend, covered_s: float, words: str
) -> None:
    trial.ask.click()
    backend.swept.set_result(scene.sweep(covered_s=covered_s, points=0))
    qtbot.waitUntil(lambda: trial.words.text() == words)
    assert trial.plot.isHidden()
    assert trial.ask.isEnabled()


def test_a_short_history_is_plotted_and_said_to_be_short(qtbot: QtBot, trial: TrialPanel, backend: FakeBackend) -> None:
    trial.ask.click()
    backend.swept.set_result(scene.sweep(covered_s=10_800.0))
    qtbot.waitUntil(trial.plot.isVisible)
    assert trial.words.text().endswith(f"The history holds 3{THIN}h so far.")


def test_what_the_history_cannot_tell_is_said(qtbot: QtBot, trial: TrialPanel, backend: FakeBackend) -> None:
    trial.ask.click()
    backend.swept.set_result(replace(scene.sweep(), not_simulated=("Who typed in a terminal is not recorded",)))
    qtbot.waitUntil(trial.plot.isVisible)
    assert trial.caveat.text() == "Who typed in a terminal is not recorded."
    assert trial.caveat.isVisible()


def test_a_history_that_cannot_be_read_is_said(qtbot: QtBot, trial: TrialPanel, backend: FakeBackend) -> None:
    trial.ask.click()
    backend.swept.set_exception(OSError("database is locked"))
    qtbot.waitUntil(lambda: trial.words.text() == "The history could not be looked through: database is locked")
    assert trial.ask.isEnabled()


def test_a_plot_of_a_policy_that_was_changed_meanwhile_is_not_shown(
    qtbot: QtBot, trial: TrialPanel, backend: FakeBackend
) -> None:
    trial.ask.click()
    trial.show_policy(replace(IDLE, never=()))
    backend.swept.set_result(scene.sweep())
    qtbot.waitUntil(trial.ask.isEnabled)
    assert trial.plot.isHidden()


def test_points_are_said_with_what_they_cost() -> None:
    first, *_, last = scene.sweep().points
    assert point_words(first).endswith("of 61 sessions; 38 of them worked again soon after.")
    assert point_words(last).endswith("of 3 sessions; none of them worked again soon after.")
    assert point_words(replace(last, touched=0)) == f"Idle for 1{THIN}d: nothing would have been released."
    assert [byte_hours(value * scene.GB) for value in (0.0, 0.44, 9.94, 38.2)] == [
        f"0{THIN}GB·h",
        f"0.4{THIN}GB·h",
        f"9.9{THIN}GB·h",
        f"38{THIN}GB·h",
    ]


def test_the_axis_is_even_by_the_logarithm(qtbot: QtBot) -> None:
    plot = PolicyPlot()
    qtbot.addWidget(plot)
    plot.resize(600, plot.height())
    steps = [plot.x_of(s) for s in (300.0, 1800.0, 10_800.0)]
    assert steps[1] - steps[0] == pytest.approx(steps[2] - steps[1])
    assert plot.x_of(1.0) == plot.x_of(300.0)
    assert plot.x_of(1e9) == plot.x_of(86_400.0) < plot.width()


@pytest.mark.parametrize("points", [0, 1, 8])
def test_a_plot_paints_any_number_of_points(qtbot: QtBot, look: str, points: int) -> None:
    plot = PolicyPlot()
    qtbot.addWidget(plot)
    plot.resize(600, plot.height())
    plot.show_points(scene.sweep(points=points).points, 14_400.0)
    image = plot.grab().toImage()
    colours = {image.pixelColor(x, y).name() for x in range(0, image.width(), 2) for y in range(0, image.height(), 2)}
    amber = tokens.theme().amber.name()
    assert (amber in colours) is (points > 0)


def test_only_idle_policies_can_be_tried(page: PoliciesPage) -> None:
    card: PolicyCard = page.own["orphans-1h"]
    card.more.click()
    assert card.trial is None
