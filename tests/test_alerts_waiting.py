"""A session that begins to wait for the user is told once, where that is wanted."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.ui import scene
from trayapp.alerts import WAITING_AGE_S, Alert, AlertKind, Watch
from trayapp.model.session import State
from trayapp.model.snapshot import Snapshot
from trayapp.settings import Settings
from trayapp.ui.alert_words import told

ON = Settings(alert_waiting=True)


class Desk:
    """Take looks at sessions that wait, or not, two seconds apart."""

    def __init__(self) -> None:
        self.watch, self.settings, self.at_s = Watch(), ON, 0.0

    def look(self, *waiting: str, times: int = 1) -> list[Alert]:
        alerts: list[Alert] = []
        for _ in range(times):
            self.at_s += 2.0
            alerts += self.watch.take(self._snapshot(waiting), self.settings)
        return alerts

    def _snapshot(self, waiting: tuple[str, ...]) -> Snapshot:
        made = scene.scene()
        groups = []
        for group in made.groups:
            verdict = group.verdict
            if verdict is not None:
                state = State.WAITING if group.key in waiting else State.BUSY
                verdict = replace(verdict, state=state)
            groups.append(replace(group, verdict=verdict))
        return replace(
            made,
            groups=tuple(groups),
            monotonic_s=self.at_s,
            taken_at=made.taken_at + timedelta(seconds=self.at_s),
        )


@pytest.fixture
def desk() -> Desk:
    return Desk()


LONG = round(WAITING_AGE_S / 2) + 1


def test_a_session_that_goes_on_waiting_is_told_once(desk: Desk) -> None:
    desk.look()
    assert desk.look(scene.PARSER, times=LONG - 1) == []
    (alert,) = desk.look(scene.PARSER, times=600)
    assert (alert.kind, alert.group_key) == (AlertKind.WAITING, scene.PARSER)
    assert told(alert) == ("Write parser benchmarks waits for you", "It is a session of Codex.")
    assert alert.key in desk.watch.lasting


def test_what_is_answered_at_once_is_not_told(desk: Desk) -> None:
    desk.look()
    assert desk.look(scene.PARSER, times=LONG - 1) == []
    assert desk.look() == []
    assert desk.look(scene.PARSER, times=LONG - 1) == []


def test_what_waited_before_the_start_is_not_told_and_the_next_time_is(desk: Desk) -> None:
    assert desk.look(scene.PARSER, times=30) == []
    desk.look()
    assert len(desk.look(scene.PARSER, times=LONG)) == 1


def test_an_answer_ends_the_notice_and_a_new_question_is_told_again(desk: Desk) -> None:
    desk.look()
    desk.look(scene.PARSER, times=LONG)
    desk.look()
    assert desk.watch.lasting == frozenset()
    assert len(desk.look(scene.PARSER, times=LONG)) == 1


def test_two_that_wait_are_told_each(desk: Desk) -> None:
    desk.look()
    alerts = desk.look(scene.PARSER, scene.GUIDE, times=LONG)
    assert {alert.group_key for alert in alerts} == {scene.PARSER, scene.GUIDE}


def test_nobody_is_told_who_did_not_ask_to_be(desk: Desk) -> None:
    desk.settings = Settings()
    desk.look()
    assert desk.look(scene.PARSER, times=60) == []
    desk.settings = ON
    assert desk.look(scene.PARSER, times=60) == []  # it is no news
