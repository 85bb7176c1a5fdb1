"""What a row offers, what its question says, and what a click freezes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.rows import MB, group, member, process
from tests.ui import scene
from trayapp import targets
from trayapp.model.plan import Action, Allowed, Decision, Reason
from trayapp.model.process import Identity
from trayapp.model.receipt import Fate, Outcome, Survivor
from trayapp.model.session import ResumeTicket, Role
from trayapp.model.snapshot import Group
from trayapp.targets import Offer


def found(key: str) -> Group:
    group = scene.scene().group(key)
    assert group is not None
    return group


def decided(key: str, allowed: Allowed, reason: Reason) -> Group:
    return replace(found(key), decisions=(Decision(action=Action.RELEASE, allowed=allowed, reason=reason),))


@pytest.mark.parametrize(
    ("key", "offer"),
    [
        (scene.MIGRATE, Offer.NONE),
        (scene.FIX, Offer.NONE),
        (scene.REFACTOR, Offer.RELEASE),
        (scene.UPGRADE, Offer.WHY),
        (scene.LANGUAGE_SERVER, Offer.END),
    ],
)
def test_the_button_follows_the_decision(key: str, offer: Offer) -> None:
    assert targets.offer_of(found(key)) is offer


def test_what_has_to_be_confirmed_is_asked_for() -> None:
    assert targets.offer_of(decided(scene.REFACTOR, Allowed.CONFIRM, Reason.ATTACHED_TERMINAL)) is Offer.ASK


def test_an_idle_session_that_may_not_go_is_explained() -> None:
    assert targets.offer_of(decided(scene.REFACTOR, Allowed.REFUSE, Reason.SHARED_BACKEND)) is Offer.WHY
    assert targets.offer_of(replace(found(scene.REFACTOR), decisions=())) is Offer.WHY


@pytest.mark.parametrize("reason", list(Reason))
def test_every_question_names_session_and_reason(reason: Reason) -> None:
    group = decided(scene.REFACTOR, Allowed.CONFIRM, reason)
    question = targets.question_of(group, group.decisions[0])
    assert question.title == "Release Refactor settings page?"
    assert question.loss.startswith(group.decisions[0].sentence)
    assert question.loss.endswith(".")


def test_a_question_names_the_loss() -> None:
    group = decided(scene.FIX, Allowed.CONFIRM, Reason.OPEN_TURN)
    assert targets.question_of(group, group.decisions[0]).loss == "A turn is running. The running turn is lost."


def test_ending_at_once_is_asked_in_red_with_its_own_verb() -> None:
    now = Decision(action=Action.KILL, allowed=Allowed.CONFIRM, reason=Reason.OPEN_TURN)
    question = targets.question_of(found(scene.FIX), now)
    assert (question.title, question.verb, question.danger) == ("End Fix flaky upload tests now?", "End it now", True)
    asked = targets.question_of(found(scene.LANGUAGE_SERVER), found(scene.LANGUAGE_SERVER).decisions[0])
    assert (asked.verb, asked.danger) == ("End", False)


def test_a_target_is_exactly_what_was_shown() -> None:
    group = found(scene.REFACTOR)
    decision = targets.decision_of(group)
    assert decision is not None
    target = targets.target_of(group, decision)
    assert target.members == tuple(m.process.identity for m in group.members)
    assert (target.expected_bytes, target.confirmed, target.force) == (group.held_bytes, False, False)


def test_what_can_go_is_sessions_then_orphans_the_largest_first() -> None:
    keys = [group.key for group in targets.reclaimable(scene.scene())]
    assert keys == [
        scene.REFACTOR,
        scene.PARSER,
        scene.GUIDE,
        scene.REPORT,
        scene.LANGUAGE_SERVER,
        scene.BROWSER_HELPER,
    ]


def test_sessions_that_wait_come_first_then_memory_decides() -> None:
    keys = [group.key for group in targets.sessions(scene.scene())]
    assert keys[:3] == [scene.MIGRATE, scene.FIX, scene.REFACTOR]


def outcome_with_survivor(pid: int, start: int) -> Outcome:
    group = found(scene.GUIDE)
    survivor = Survivor(identity=Identity(pid, start), name="n", note="")
    return Outcome(target=scene.target(group), fate=Fate.SURVIVED, sentence="", survived=(survivor,))


def test_a_survivor_is_ended_where_it_is_counted_now_and_nothing_beside_it() -> None:
    found_it = targets.survivors_target(outcome_with_survivor(37055, 937_055), scene.scene())
    assert found_it is not None
    target, question = found_it
    assert (target.action, target.confirmed, target.force) == (Action.KILL, True, True)
    assert [identity.pid for identity in target.members] == [37055]
    assert question.title == "End language server now?"
    assert "lost" in question.loss


def test_a_survivor_that_is_gone_or_whose_number_another_has_is_not_ended() -> None:
    assert targets.survivors_target(outcome_with_survivor(37055, 1), scene.scene()) is None
    assert targets.survivors_target(outcome_with_survivor(37055, 937_055), None) is None


@pytest.mark.parametrize(
    ("ticket", "line"),
    [
        (None, None),
        (ResumeTicket(argv=(), note="Resumes when you open it there"), None),
        (ResumeTicket(argv=("claude", "--resume", "7f3a")), "claude --resume 7f3a"),
        (ResumeTicket(argv=("codex", "resume", "x y"), cwd="/src/my app"), "cd '/src/my app' && codex resume 'x y'"),
        (ResumeTicket(argv=("a",), cwd="~/src/my app"), "cd ~/'src/my app' && a"),
        (ResumeTicket(argv=("a",), cwd="~"), "cd ~ && a"),
        (ResumeTicket(argv=("a; rm -rf /",), cwd="$(boom)"), "cd '$(boom)' && 'a; rm -rf /'"),
    ],
)
def test_the_resume_line_can_be_pasted_and_runs_nothing_else(ticket: ResumeTicket | None, line: str | None) -> None:
    assert targets.resume_command(ticket) == line


def test_a_launcher_is_never_on_the_list_of_what_goes() -> None:
    agent = member(process(10, 5, "acme", rss_bytes=300 * MB, footprint_bytes=200 * MB))
    bot = member(process(5, 1, "python", "bot.py", rss_bytes=90 * MB, footprint_bytes=50 * MB), Role.LAUNCHER)
    decision = Decision(action=Action.RELEASE, allowed=Allowed.ALLOW, reason=Reason.IDLE_CONFIRMED)
    whole = group(agent, bot, rss_bytes=390 * MB, footprint_bytes=250 * MB, decisions=(decision,))
    target = targets.target_of(whole, decision)
    assert (target.members, target.expected_bytes) == ((agent.process.identity,), 200 * MB)
    assert replace(whole, footprint_bytes=None).leaving_bytes == 300 * MB
