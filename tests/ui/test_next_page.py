"""Next to go, when nothing can go: it says so, and what that means."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from tests.ui import scene
from tests.ui.fake_backend import FakeBackend
from trayapp.model.snapshot import Snapshot
from trayapp.ui.bridge import Bridge
from trayapp.ui.next_page import NextPage


def only_busy() -> Snapshot:
    made = scene.scene()
    return replace(made, groups=tuple(group for group in made.groups if group.key == scene.FIX))


@pytest.mark.parametrize(
    ("snapshot", "words"),
    [
        (
            scene.empty(),
            (
                "No agent session is running",
                "As soon as one rests for a while, it stands here with what it would give back.",
            ),
        ),
        (
            only_busy(),
            ("Nothing can be released now", "What works, waits for you or cannot be told stays."),
        ),
    ],
)
def test_where_nothing_can_go_that_is_said(qtbot: QtBot, snapshot: Snapshot, words: tuple[str, str]) -> None:
    bridge = Bridge(FakeBackend(snapshot))
    page = NextPage(bridge)
    qtbot.addWidget(page)
    page.show()
    page.show_snapshot(snapshot)
    assert page._nothing.isVisible()
    assert page._nothing.words == words
    assert not page.release_next.isEnabled()
    page.show_snapshot(scene.scene())
    assert not page._nothing.isVisible()
    bridge.close()
    bridge.deleteLater()
