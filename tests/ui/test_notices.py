"""What a policy is about to do is told before, in the popover, the window and by the icon, and can be kept from it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication, QSystemTrayIcon
from pytestqt.qtbot import QtBot

from tests.ui import scene
from tests.ui.fake_backend import FakeBackend
from tests.ui.screenshots_window import NoLogin
from trayapp.model.keep import Keep
from trayapp.model.plan import Action
from trayapp.ui.bridge import Bridge
from trayapp.ui.notice_card import MOST, NoticeCards, headline, reason
from trayapp.ui.notifier import Notifier
from trayapp.ui.popover import Popover
from trayapp.ui.tray import Tray
from trayapp.ui.window import MainWindow

THIN = "\u202f"
ICON = QRect(600, 0, 22, 24)


class Clock:
    """Be a wall clock that stands still until it is told otherwise."""

    def __init__(self) -> None:
        self.now = scene.NOW_EPOCH_S

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def announced(backend: FakeBackend) -> FakeBackend:
    """Announce one release before anything is shown."""
    backend.announced = (scene.notice(),)
    return backend


@pytest.fixture
def cards(qtbot: QtBot, announced: FakeBackend, bridge: Bridge, clock: Clock) -> NoticeCards:
    made = NoticeCards(bridge, "menu bar", clock_s=clock)
    qtbot.addWidget(made)
    made.show_notices()
    QApplication.processEvents()
    return made


@pytest.fixture
def popover(qtbot: QtBot, announced: FakeBackend, bridge: Bridge) -> Iterator[Popover]:
    made = Popover(bridge)
    qtbot.addWidget(made)
    made.show_at(ICON)
    QApplication.processEvents()
    yield made
    made.hide()


def test_it_says_what_goes_when_how_much_and_why() -> None:
    notice = scene.notice()
    assert headline(notice, now_epoch_s=scene.NOW_EPOCH_S) == f"In 48{THIN}s: Write parser benchmarks, 1.3{THIN}GB"
    assert headline(notice, now_epoch_s=notice.due_epoch_s) == f"Now: Write parser benchmarks, 1.3{THIN}GB"
    assert reason(notice) == "Idle for 5 h 40 min, longer than 4 h. By the policy “idle-4h”."


def test_the_seconds_are_counted_down(cards: NoticeCards, clock: Clock) -> None:
    (card,) = cards.cards
    clock.now += 40.4
    cards._tick()
    assert card.title.text() == f"In 8{THIN}s: Write parser benchmarks, 1.3{THIN}GB"


def test_the_count_runs_only_while_it_is_seen(cards: NoticeCards, announced: FakeBackend, bridge: Bridge) -> None:
    assert cards._beat.isActive()
    cards.window().hide()
    assert not cards._beat.isActive()
    cards.window().show()
    announced.announced = ()
    announced.publish(scene.scene())
    QApplication.processEvents()
    assert not cards._beat.isActive()
    assert cards.isHidden()


def test_keep_it_keeps_the_session_and_the_notice_goes(
    qtbot: QtBot, cards: NoticeCards, announced: FakeBackend, bridge: Bridge
) -> None:
    assert cards.cards[0].keep.accessibleName() == "Keep Write parser benchmarks"
    with qtbot.waitSignal(bridge.notices_changed):
        cards.cards[0].keep.click()
    assert announced.kept == (Keep(group_key=scene.PARSER),)
    assert cards.isHidden()
    assert announced.asked == []


def test_release_now_is_a_persons_release(cards: NoticeCards, announced: FakeBackend) -> None:
    cards.cards[0].go.click()
    ((target,), origin) = announced.asked[0]
    assert (target.group_key, target.action, origin) == (scene.PARSER, Action.RELEASE, "menu bar")
    assert not target.unattended
    assert not cards.cards[0].go.isEnabled()


def test_what_may_not_go_at_once_any_more_is_opened_instead(
    qtbot: QtBot, cards: NoticeCards, announced: FakeBackend, bridge: Bridge
) -> None:
    busy = scene.scene().group(scene.FIX)
    parser = scene.scene().group(scene.PARSER)
    assert busy is not None
    assert parser is not None
    with qtbot.waitSignal(bridge.snapshot_changed):
        announced.publish(scene.with_group(scene.scene(), replace(parser, decisions=busy.decisions)))
    with qtbot.waitSignal(cards.opened) as opened:
        cards.cards[0].go.click()
    assert opened.args == [scene.PARSER]
    assert announced.asked == []


def test_many_notices_leave_room_for_the_rest(
    qtbot: QtBot, cards: NoticeCards, announced: FakeBackend, bridge: Bridge
) -> None:
    keys = (scene.PARSER, scene.REFACTOR, scene.GUIDE, scene.REPORT)
    announced.announced = tuple(scene.notice(key) for key in keys)
    with qtbot.waitSignal(cards.resized):
        announced.publish(scene.scene())
    assert len(cards.cards) == MOST
    assert cards._more.text() == "And 1 more, announced in its turn"


def test_the_popover_shows_it_on_top_and_leaves_the_rows_what_is_left(
    qtbot: QtBot, popover: Popover, announced: FakeBackend, bridge: Bridge
) -> None:
    assert popover.notices.isVisible()
    top = popover.notices.mapTo(popover, popover.notices.rect().topLeft()).y()
    assert top < popover.block.mapTo(popover, popover.block.rect().topLeft()).y()
    rows = popover._scroll.minimumHeight()
    announced.announced = ()
    with qtbot.waitSignal(bridge.notices_changed):
        announced.publish(scene.scene())
    qtbot.waitUntil(lambda: popover._scroll.minimumHeight() > rows)
    assert not popover.notices.isVisible()


def test_the_window_shows_it_above_its_pages(qtbot: QtBot, announced: FakeBackend, bridge: Bridge) -> None:
    window = MainWindow(announced, bridge, login=NoLogin())
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    assert window.notices.isVisible()
    window.notices.cards[0].opened.emit(scene.PARSER)
    assert window.page is window.session


# ---- the icon's own message


class Messages:
    """Write down what the icon was told to show."""

    def __init__(self, tray: Tray, monkeypatch: pytest.MonkeyPatch) -> None:
        self.shown: list[tuple[str, str]] = []
        monkeypatch.setattr(tray.icon, "showMessage", lambda title, body, _icon, _ms: self.shown.append((title, body)))


@pytest.fixture
def tray(qtbot: QtBot, bridge: Bridge) -> Iterator[Tray]:
    popover = Popover(bridge)
    qtbot.addWidget(popover)
    made = Tray(is_available=lambda: True, shows_messages=lambda: True)
    made.show()
    made.serve(bridge, lambda: popover)
    Notifier(bridge, made.show_message, parent=made)
    yield made
    popover.hide()
    made.close()
    made.deleteLater()


def test_a_message_of_the_icon_tells_of_it_once(
    qtbot: QtBot, tray: Tray, backend: FakeBackend, bridge: Bridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages = Messages(tray, monkeypatch)
    backend.announced = (scene.notice(due_epoch_s=time.time() + 59.5),)
    with qtbot.waitSignal(bridge.notices_changed):
        backend.publish(scene.scene())
    ((title, body),) = messages.shown
    assert title.endswith(f"{THIN}s: Write parser benchmarks, 1.3{THIN}GB") or title.startswith(f"In 1{THIN}min:")
    assert body == "Idle for 5 h 40 min, longer than 4 h. By the policy “idle-4h”. Click to keep it."
    grown = backend.announced[0]
    backend.announced = (replace(grown, choice=replace(grown.choice, bytes=2 * scene.GB, why="Idle for 5 h 41 min")),)
    with qtbot.waitSignal(bridge.notices_changed):
        backend.publish(scene.scene())
    assert len(messages.shown) == 1
    backend.announced = (*backend.announced, scene.notice(scene.REPORT, due_epoch_s=time.time() + 90))
    with qtbot.waitSignal(bridge.notices_changed):
        backend.publish(scene.scene())
    assert len(messages.shown) == 2
    assert "Weekly report" in messages.shown[1][0]


def test_what_is_called_off_is_not_told(
    qtbot: QtBot, tray: Tray, backend: FakeBackend, bridge: Bridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages = Messages(tray, monkeypatch)
    backend.announced = (scene.notice(due_epoch_s=time.time() + 60),)
    with qtbot.waitSignal(bridge.notices_changed):
        backend.publish(scene.scene())
    backend.announced = ()
    with qtbot.waitSignal(bridge.notices_changed):
        backend.publish(scene.scene())
    assert len(messages.shown) == 1


def test_a_click_on_the_message_opens_the_popover(
    qtbot: QtBot, tray: Tray, backend: FakeBackend, bridge: Bridge
) -> None:
    assert tray._popover_here is not None
    popover = tray._popover_here()
    tray.icon.messageClicked.emit()
    assert popover.isVisible()
    tray.icon.messageClicked.emit()
    assert popover.isVisible()


def test_a_desktop_without_messages_is_not_asked_for_one(
    qtbot: QtBot, bridge: Bridge, backend: FakeBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Tray(is_available=lambda: True, shows_messages=lambda: False)
    made.show()
    messages = Messages(made, monkeypatch)
    made.serve(bridge, lambda: Popover(bridge))
    Notifier(bridge, made.show_message, parent=made)
    backend.announced = (scene.notice(),)
    with qtbot.waitSignal(bridge.notices_changed):
        backend.publish(scene.scene())
    assert messages.shown == []
    assert isinstance(made.icon, QSystemTrayIcon)
    made.close()
    made.deleteLater()
