"""What is told unasked: by the desktop unless it is muted, in the popover always, and put away when it is over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui import scene
from tests.ui.fake_backend import FakeBackend, went_well
from trayapp.alerts import Alert, AlertKind
from trayapp.model.process import Pressure
from trayapp.model.receipt import Receipt, Return
from trayapp.model.session import Problem
from trayapp.model.snapshot import Snapshot
from trayapp.say import say
from trayapp.settings import Settings
from trayapp.ui import alert_words, keeping
from trayapp.ui.alert_card import AlertCards
from trayapp.ui.bridge import Bridge
from trayapp.ui.notifier import KEPT_S, Notifier
from trayapp.ui.popover import Popover

THIN = "\u202f"
GB = scene.GB


class Desk:
    """Hold a notifier with a clock that goes on with the snapshots that are published."""

    def __init__(self, qtbot: QtBot, bridge: Bridge, backend: FakeBackend) -> None:
        self.qtbot, self.bridge, self.backend = qtbot, bridge, backend
        self.passed_s = 0.0
        self.messages: list[tuple[str, str]] = []
        self.notifier = Notifier(bridge, self._show, clock_s=lambda: scene.NOW_EPOCH_S + self.passed_s)

    def _show(self, title: str, sentence: str, _shown_ms: int) -> None:
        self.messages.append((title, sentence))

    def publish(self, snapshot: Snapshot, after_s: float = 2.0) -> None:
        self.passed_s += after_s
        moved = replace(
            snapshot,
            taken_at=snapshot.taken_at + timedelta(seconds=self.passed_s),
            monotonic_s=snapshot.monotonic_s + self.passed_s,
        )
        with self.qtbot.waitSignal(self.bridge.snapshot_changed):
            self.backend.publish(moved)

    def hold(self, snapshot: Snapshot, seconds: float) -> None:
        for _ in range(round(seconds / 4)):
            self.publish(snapshot, 4.0)


@pytest.fixture
def desk(qtbot: QtBot, bridge: Bridge, backend: FakeBackend) -> Iterator[Desk]:
    backend.journal = ()
    backend.settings = Settings(alert_memory_gb=10.0, alert_heap_share=0.0)
    made = Desk(qtbot, bridge, backend)
    yield made
    made.notifier.deleteLater()


def test_a_limit_that_is_crossed_is_told_by_the_desktop_and_stays_in_the_popover_while_it_holds(desk: Desk) -> None:
    desk.hold(scene.scene(), 20)
    assert desk.messages == [(f"Agents hold 12.4{THIN}GB", f"More than the 10{THIN}GB that you set.")]
    assert [alert.kind for alert in desk.notifier.alerts] == [AlertKind.MEMORY]
    desk.hold(scene.without(scene.scene(), scene.FIX, scene.REFACTOR, scene.PARSER), 120)
    assert desk.notifier.alerts == ()
    assert len(desk.messages) == 1


def test_while_it_is_muted_only_the_popover_tells(desk: Desk) -> None:
    desk.notifier.mute(scene.NOW_EPOCH_S + 60)
    desk.hold(scene.scene(pressure=Pressure.WARNING), 40)
    assert desk.messages == []
    assert {alert.kind for alert in desk.notifier.alerts} == {AlertKind.MEMORY, AlertKind.PRESSURE}
    assert desk.backend.settings.muted_until_epoch_s == scene.NOW_EPOCH_S + 60
    desk.hold(scene.scene(pressure=Pressure.WARNING), 60)
    assert not desk.notifier.is_muted
    assert desk.messages == []
    desk.hold(scene.scene(pressure=Pressure.CRITICAL), 20)
    assert [title for title, _ in desk.messages] == ["Memory is nearly full"]


def test_the_end_of_a_mute_is_told_to_the_popover(qtbot: QtBot, desk: Desk) -> None:
    desk.notifier.mute(scene.NOW_EPOCH_S + 10)
    with qtbot.waitSignal(desk.notifier.changed):
        desk.hold(scene.empty(), 16)


def test_a_desktop_without_messages_leaves_it_to_the_popover(bridge: Bridge, backend: FakeBackend, desk: Desk) -> None:
    quiet = Notifier(bridge, None, clock_s=lambda: scene.NOW_EPOCH_S)
    desk.hold(scene.scene(), 20)
    assert [alert.kind for alert in quiet.alerts] == [AlertKind.MEMORY]
    quiet.deleteLater()


# ---- policies and what came back


def policy_receipt(at_s: float) -> Receipt:
    group = scene.scene().group(scene.PARSER)
    assert group is not None
    done = went_well((scene.target(group),), "policy idle-4h")
    return replace(done, receipt_id="r-99", finished_at=scene.NOW + timedelta(seconds=at_s))


def test_what_a_policy_did_is_told_when_the_journal_has_it(qtbot: QtBot, desk: Desk) -> None:
    desk.backend.settings = Settings()
    desk.backend.announced = (scene.notice(),)
    desk.publish(scene.scene())
    desk.backend.announced = ()
    desk.publish(scene.scene())
    desk.backend.journal = (policy_receipt(5), policy_receipt(-600))
    with qtbot.waitSignal(desk.bridge.policy_acted) as acted:
        desk.publish(scene.without(scene.scene(), scene.PARSER), 6.0)
    assert acted.args[0].receipt_id == "r-99"
    assert desk.messages[-1] == (f"Write parser benchmarks: 1.3{THIN}GB came back", "By the policy “idle-4h”.")
    count = len(desk.messages)
    desk.publish(scene.scene(), 6.0)
    assert len(desk.messages) == count


def test_without_a_reason_the_journal_is_not_read(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(desk.backend, "receipts", asked.append)
    desk.hold(scene.empty(), 40)
    assert asked == []


def test_what_runs_again_is_told_by_its_session(qtbot: QtBot, desk: Desk) -> None:
    desk.backend.settings = Settings()
    problem = Problem(where="Write parser benchmarks", what="It runs again", mend="")
    back = Return(
        receipt_id="r-99",
        group_key=scene.PARSER,
        title="Write parser benchmarks",
        at=scene.NOW + timedelta(seconds=30),
        after_s=20,
        by="launchd (1)",
        members=(),
    )
    desk.backend.journal = (replace(policy_receipt(-60), origin="window", returns=(back,)),)
    with qtbot.waitSignal(desk.notifier.changed):
        desk.publish(replace(scene.scene(), problems=(problem,)))
    (alert,) = desk.notifier.alerts
    assert (alert.kind, alert.group_key) == (AlertKind.CAME_BACK, scene.PARSER)
    assert desk.messages[-1][0] == "Write parser benchmarks did not stay released"
    desk.passed_s += KEPT_S + 60
    desk.publish(scene.scene())
    assert desk.notifier.alerts == ()


# ---- in the popover


def alert(kind: AlertKind = AlertKind.MEMORY, key: str = "memory", **more: object) -> Alert:
    made = Alert(kind=kind, key=key, at_epoch_s=scene.NOW_EPOCH_S, size_bytes=12 * GB, limit_bytes=10 * GB)
    return replace(made, **more)  # type: ignore[arg-type]


@pytest.fixture
def cards(qtbot: QtBot, desk: Desk) -> AlertCards:
    desk.notifier.alerts = (alert(), alert(AlertKind.ORPHANS, "orphans", count=2, name="a, b"))
    made = AlertCards(desk.notifier, 380, clock_s=lambda: scene.NOW_EPOCH_S + desk.passed_s)
    qtbot.addWidget(made)
    made.show_alerts()
    made.show()
    return made


def test_the_newest_is_shown_and_how_many_more_there_are(cards: AlertCards) -> None:
    (card,) = cards.cards
    assert card.title.text() == f"Agents hold 12.0{THIN}GB"
    assert card.accessibleName() == f"Agents hold 12.0{THIN}GB. More than the 10{THIN}GB that you set."
    assert cards._more.text() == "And 1 more"


def test_an_hour_and_a_day_of_quiet_are_one_click_away_and_can_be_taken_back(cards: AlertCards, desk: Desk) -> None:
    (card,) = cards.cards
    card.hour.click()
    assert desk.backend.settings.muted_until_epoch_s == scene.NOW_EPOCH_S + 3600
    assert cards._muted.text() == "Messages are muted until 17:20"
    assert card.hour.isHidden()
    cards.again.click()
    assert desk.backend.settings.muted_until_epoch_s == 0
    assert cards._muted.isHidden() or not cards._quiet.isVisible()
    card.today.click()
    assert desk.backend.settings.muted_until_epoch_s == keeping.end_of_day(scene.NOW_EPOCH_S)
    assert cards._muted.text() == "Messages are muted until midnight"


def test_put_away_is_gone_and_the_next_one_comes(cards: AlertCards) -> None:
    cards.cards[0].close_button.click()
    assert cards.cards[0].title.text() == f"2 orphans appeared, 12.0{THIN}GB"
    cards.cards[0].close_button.click()
    assert cards.isHidden()


@pytest.mark.parametrize(
    ("shown", "signal", "arguments"),
    [
        (alert(), "window_asked", []),
        (alert(AlertKind.ORPHANS, "o", count=1), "orphans_asked", []),
        (alert(AlertKind.CAME_BACK, "c", group_key=scene.PARSER), "session_asked", [scene.PARSER]),
    ],
)
def test_open_leads_to_what_it_is_about(
    qtbot: QtBot, cards: AlertCards, desk: Desk, shown: Alert, signal: str, arguments: list[str]
) -> None:
    desk.notifier.alerts = (shown,)
    cards.show_alerts()
    with qtbot.waitSignal(getattr(cards, signal)) as asked:
        cards.cards[0].open_button.click()
    assert asked.args == arguments


def test_the_popover_grows_with_what_is_told(qtbot: QtBot, desk: Desk) -> None:
    popover = Popover(desk.bridge, desk.notifier)
    qtbot.addWidget(popover)
    popover.show_at(QRect(600, 0, 22, 24))
    assert popover.alerts.isHidden()
    desk.hold(scene.scene(), 20)
    QApplication.processEvents()
    assert popover.alerts.isVisible()
    top = popover.alerts.mapTo(popover, popover.alerts.rect().topLeft()).y()
    assert top < popover.block.mapTo(popover, popover.block.rect().topLeft()).y()
    with qtbot.waitSignal(popover.window_asked):
        popover.alerts.cards[0].open_button.click()
    popover.hide()


def test_it_is_told_where_the_last_session_has_gone_too(qtbot: QtBot, desk: Desk) -> None:
    popover = Popover(desk.bridge, desk.notifier)
    qtbot.addWidget(popover)
    desk.publish(scene.empty())
    popover.show_at(QRect(600, 0, 22, 24))
    QApplication.processEvents()
    before = popover.height()
    desk.notifier.alerts = (alert(AlertKind.POLICY_DONE, "p", name="Weekly report", sentence="idle-4h", count=1),)
    desk.notifier.changed.emit()
    qtbot.waitUntil(lambda: popover.height() > before)
    assert popover.empty_alerts.isVisible()
    assert popover.empty_alerts.cards[0].second.text() == "By the policy “idle-4h”."
    popover.hide()


def test_every_kind_has_its_words() -> None:
    for kind in AlertKind:
        title, _ = alert_words.told(alert(kind, "k", name="Name", sentence="Sentence.", count=1))
        assert title
        assert "{" not in title
    assert say("Memory runs short") == alert_words.told(alert(AlertKind.PRESSURE))[0]
