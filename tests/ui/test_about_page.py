"""The page says what Agent Ring is, what it costs, and where its files lie; what is copied names nobody."""

from __future__ import annotations

import platform
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.ui import scene
from tests.ui.fake_backend import FakeBackend
from trayapp import __version__
from trayapp.model.snapshot import OwnCost
from trayapp.ui import about_page
from trayapp.ui.about_page import AboutPage, cost_words, details, short_path
from trayapp.ui.bridge import Bridge
from trayapp.ui.controls import Text

THIN = "\u202f"


@pytest.fixture
def page(qtbot: QtBot, bridge: Bridge) -> AboutPage:
    made = AboutPage(bridge)
    qtbot.addWidget(made)
    made.resize(900, 1100)
    with qtbot.waitExposed(made):
        made.show()
    qtbot.waitUntil(lambda: bool(made.reveals))
    return made


def words(widget: QWidget) -> list[str]:
    return [text.text() for text in widget.findChildren(Text)]


def test_versions_and_the_figure_are_shown(page: AboutPage) -> None:
    shown = words(page)
    for version in (__version__, platform.python_version(), qVersion(), sqlite3.sqlite_version, "physical footprint"):
        assert version in shown


def test_its_own_cost_follows_the_snapshots(qtbot: QtBot, page: AboutPage, backend: FakeBackend) -> None:
    cost = OwnCost(rss_bytes=90 * scene.MB, footprint_bytes=61 * scene.MB, cpu_percent=0.4, tick_ms=7.26)
    backend.publish(replace(scene.scene(), own=cost))
    qtbot.waitUntil(lambda: f"61{THIN}MB" in words(page))
    assert {f"0.4{THIN}%", f"7.3{THIN}ms"} <= set(words(page))


def test_without_a_look_there_is_no_figure() -> None:
    assert cost_words(None) == ("–", "–", "–")
    assert cost_words(OwnCost(rss_bytes=1, footprint_bytes=None, cpu_percent=None))[1:] == ("–", "–")


def test_each_file_is_shown_with_its_size_and_can_be_revealed(page: AboutPage, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Path] = []
    monkeypatch.setattr(about_page, "reveal", opened.append)
    assert list(page.reveals) == ["settings", "history", "journal", "keeps"]
    assert f"21{THIN}MB" in words(page)
    assert "None yet" in words(page)
    page.reveals["journal"].click()
    assert [path.name for path in opened] == ["journal.jsonl"]
    assert page.reveals["history"].accessibleName() == "Reveal History in its folder"


def test_what_is_copied_is_enough_for_a_report_and_names_nobody(page: AboutPage) -> None:
    page.copy.click()
    copied = QGuiApplication.clipboard().text()
    assert f"Agent Ring {__version__}\n" in copied
    assert "memory measured as physical-footprint\n" in copied
    assert "host claude-code" in copied
    assert "history: ~/.local/share/agentring/history.sqlite, 22020096 bytes\n" in copied
    assert str(Path.home()) not in copied
    for group in scene.scene().groups:
        assert not group.title or group.title not in copied
        assert not group.cwd or group.cwd not in copied
    assert page.copy.text() == "Copied"


def test_details_can_be_copied_before_the_first_look() -> None:
    assert "own cost: –, CPU –, last look –" in details(None, ())


def test_a_path_outside_the_home_stays_whole() -> None:
    assert short_path(Path("/var/lib/agentring")) == "/var/lib/agentring"
    assert short_path(Path.home() / "a" / "b") == "~/a/b"
