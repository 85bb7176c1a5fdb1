"""The journal in a small window, as a file, and when there is nothing in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.ui import scene
from tests.ui.fake_backend import FakeBackend
from trayapp.ui.bridge import Bridge
from trayapp.ui.controls import Text
from trayapp.ui.journal_page import Entry, JournalPage, Kept
from trayapp.ui.page import Command

MakePage = Callable[[], JournalPage]


@pytest.fixture
def page(qtbot: QtBot, bridge: Bridge) -> JournalPage:
    made = JournalPage(bridge)
    qtbot.addWidget(made)
    made.resize(920, 800)
    with qtbot.waitExposed(made):
        made.show()
    return made


def opened(qtbot: QtBot, page: JournalPage) -> Entry:
    qtbot.waitUntil(lambda: bool(page.entries))
    entry = page.entries[0]
    assert isinstance(entry, Entry)
    entry.head.setChecked(True)
    return entry


def commands(widget: QWidget) -> list[Command]:
    return [command for command in widget.findChildren(Command) if command.isVisibleTo(widget)]


def test_commands_give_way_to_titles_in_a_small_window_and_can_still_be_copied(qtbot: QtBot, page: JournalPage) -> None:
    entry = opened(qtbot, page)
    assert len(commands(entry)) == 3
    page.resize(680, 600)
    qtbot.waitUntil(lambda: commands(entry) == [])
    titles = [text for text in entry.findChildren(Text) if text.text() == "Write parser benchmarks"]
    qtbot.waitUntil(lambda: not titles[0].toolTip())  # nothing of it is cut off
    assert "codex resume 01jd8q" in entry.copies[1].toolTip()
    page.resize(920, 800)
    qtbot.waitUntil(lambda: len(commands(entry)) == 3)


def test_what_is_shown_of_the_journal_is_written_as_one_file(
    qtbot: QtBot, page: JournalPage, backend: FakeBackend, tmp_path: Path
) -> None:
    opened(qtbot, page)
    wanted = tmp_path / "journal.json"
    page.choose_file = lambda _name: str(wanted)
    page.export.click()
    written = json.loads(wanted.read_text(encoding="utf-8"))
    assert [each["receipt_id"] for each in written] == [each.receipt_id for each in backend.journal]
    assert page.export.text() == "Exported"
    page.filter.set_current(Kept.REFUSED)
    page.filter.chosen.emit(Kept.REFUSED)
    page.export.click()
    assert len(json.loads(wanted.read_text(encoding="utf-8"))) == 1


def test_a_place_that_cannot_be_written_is_said_and_nothing_is_left(
    qtbot: QtBot, page: JournalPage, tmp_path: Path
) -> None:
    opened(qtbot, page)
    page.choose_file = lambda _name: str(tmp_path / "missing" / "journal.json")
    page.export.click()
    assert page.note.words[0] == "The journal could not be exported"
    assert str(tmp_path / "missing") in page.note.words[1]
    assert list(tmp_path.iterdir()) == []


def test_no_file_chosen_writes_nothing(qtbot: QtBot, page: JournalPage, tmp_path: Path) -> None:
    opened(qtbot, page)
    page.choose_file = lambda _name: ""
    page.export.click()
    assert page.export.text() == "Export…"


@pytest.mark.parametrize(
    ("wanted", "title"),
    [
        (Kept.ALL, "Nothing was released or ended yet"),
        (Kept.RELEASED, "Nothing was released yet"),
        (Kept.ENDED, "Nothing was ended yet"),
        (Kept.REFUSED, "Nothing was refused"),
        (Kept.INCIDENTS, "No incident is kept"),
    ],
)
def test_an_empty_journal_says_what_will_stand_there(qtbot: QtBot, wanted: Kept, title: str) -> None:
    backend = FakeBackend(scene.empty())
    backend.journal = ()
    bridge = Bridge(backend)
    page = JournalPage(bridge)
    qtbot.addWidget(page)
    page.show()
    page.filter.set_current(wanted)
    page.filter.chosen.emit(wanted)
    qtbot.waitUntil(lambda: page.empty.words[0] == title)
    assert page.empty.words[1]
    assert not page.export.isEnabled()
    bridge.close()
    bridge.deleteLater()
