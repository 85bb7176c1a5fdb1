"""The page of the first start: useful at once, everything off until it is turned on, and shown once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.ui import scene
from tests.ui.fake_backend import FakeBackend
from trayapp.model.snapshot import Snapshot
from trayapp.settings import Settings
from trayapp.ui.bridge import Bridge
from trayapp.ui.controls import Text
from trayapp.ui.first_run import FirstRun, found_hosts


class Login:
    """A start at login that is remembered; `fails` as one whose folder cannot be written."""

    def __init__(self) -> None:
        self.on = False
        self.fails = False

    def is_on(self) -> bool:
        return self.on

    def turn_on(self, command: Sequence[str]) -> None:
        if self.fails:
            raise PermissionError(13, "Permission denied", "autostart")
        self.on = True

    def turn_off(self) -> None:
        self.on = False


@pytest.fixture
def login() -> Login:
    return Login()


@pytest.fixture
def made(qtbot: QtBot, login: Login) -> Iterator[list[tuple[FirstRun, FakeBackend, Bridge]]]:
    """Hold what the tests make, and take it down."""
    all_of_them: list[tuple[FirstRun, FakeBackend, Bridge]] = []
    yield all_of_them
    for _, _, bridge in all_of_them:
        bridge.close()
        bridge.deleteLater()


@pytest.fixture
def welcome(
    qtbot: QtBot, login: Login, made: list[tuple[FirstRun, FakeBackend, Bridge]]
) -> Callable[[Snapshot | None], tuple[FirstRun, FakeBackend]]:
    def make(snapshot: Snapshot | None) -> tuple[FirstRun, FakeBackend]:
        backend = FakeBackend(snapshot)
        bridge = Bridge(backend)
        page = FirstRun(bridge, login)
        page.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        qtbot.addWidget(page)
        with qtbot.waitExposed(page):
            page.show()
        made.append((page, backend, bridge))
        return page, backend

    return make


Welcome = Callable[[Snapshot | None], tuple[FirstRun, FakeBackend]]


def words(widget: QWidget) -> list[str]:
    return [text.text() for text in widget.findChildren(Text) if text.isVisibleTo(widget)]


def test_it_shows_what_is_found_and_what_each_host_allows(welcome: Welcome) -> None:
    page, _ = welcome(scene.scene())
    assert [(host.title, host.sessions) for host in page.hosts] == [
        ("Claude Code", "3 sessions"),
        ("Codex", "2 sessions"),
        ("OpenCode", "1 session"),
        ("craft-agents", "1 session"),
    ]
    assert {host.allows for host in page.hosts} == {"Releases idle sessions itself when asked"}
    assert (page.width(), page.height()) == (760, 520)


def test_all_switches_are_off_until_they_are_turned_on(welcome: Welcome, login: Login) -> None:
    page, backend = welcome(scene.scene())
    assert not any(switch.isChecked() for switch in (page.login, page.waiting, page.automatic))
    page.login.click()
    page.waiting.click()
    assert login.on
    assert backend.settings.alert_waiting
    page.login.click()
    assert not login.on


def test_automatic_release_leads_to_the_policies_and_switches_nothing_on(qtbot: QtBot, welcome: Welcome) -> None:
    page, backend = welcome(scene.scene())
    with qtbot.waitSignal(page.page_wanted) as told:
        page.automatic.click()
    assert told.args == ["policies"]
    assert not backend.rules
    assert backend.settings.welcomed


def test_it_fills_itself_with_the_first_look(qtbot: QtBot, welcome: Welcome) -> None:
    page, backend = welcome(None)
    assert "Looking at what runs. That takes a second or two." in words(page)
    assert backend.detail[-1] is True
    backend.publish(scene.scene())
    qtbot.waitUntil(lambda: len(page.hosts) == 4)
    assert not page.words.isVisible()


def test_without_an_agent_it_says_what_is_looked_for(welcome: Welcome) -> None:
    page, _ = welcome(replace(scene.empty(), instances=(), groups=()))
    assert page.words.text() == (
        "No agent runs now. Start one: it appears here and in the ring within seconds."
        " Looked for are Claude Code, Codex, OpenCode, craft-agents."
    )


def test_more_hosts_than_rows_are_named(welcome: Welcome) -> None:
    snapshot = scene.scene()
    first = snapshot.instances[0] if snapshot.instances else None
    assert first is not None
    others = tuple(replace(first, host=name) for name in ("one", "two"))
    page, _ = welcome(replace(snapshot, instances=(*snapshot.instances, *others)))
    assert len(page.hosts) == 6
    assert "And craft-agents, one, two" in words(page)


def test_a_host_with_which_more_could_be_allowed_says_so() -> None:
    found = {host.host: host.allows for host in found_hosts(scene.scene(), frozenset({"codex"}))}
    assert found["codex"] == "Shows more once you allow it, see Settings"


@pytest.mark.parametrize(("button", "page_name"), [("sessions", "overview"), ("settings", "settings")])
def test_its_buttons_lead_on_and_it_is_not_shown_again(
    qtbot: QtBot, welcome: Welcome, button: str, page_name: str
) -> None:
    page, backend = welcome(scene.scene())
    with qtbot.waitSignal(page.page_wanted) as told:
        getattr(page, button).click()
    assert told.args == [page_name]
    assert backend.settings == Settings(welcomed=True)
    assert backend.detail[-1] is False


def test_closed_without_a_word_it_is_not_shown_again_either(welcome: Welcome) -> None:
    page, backend = welcome(scene.scene())
    page.close()
    assert backend.settings.welcomed


def test_a_start_at_login_that_cannot_be_set_is_said(welcome: Welcome, login: Login) -> None:
    login.fails = True
    page, _ = welcome(scene.scene())
    page.login.click()
    assert not page.login.isChecked()
    assert "Permission denied" in page.wrong.text()
