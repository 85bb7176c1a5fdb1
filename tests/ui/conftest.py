"""One look for every UI test: Fusion style, DejaVu Sans, English numbers, UTC; light and dark by fixture."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence

import pytest
from PySide6.QtCore import QLocale, QPoint
from PySide6.QtGui import QCursor, QFont
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui import scene
from tests.ui.fake_backend import FakeBackend
from trayapp.desktop import terminal
from trayapp.ui import tokens
from trayapp.ui.bridge import Bridge

AWAY = QPoint(0, 0)


def pin_look(app: QApplication) -> None:
    """Make pictures the same on every machine."""
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom))
    app.setStyle("Fusion")
    font = QFont("DejaVu Sans")
    font.setPixelSize(13)
    app.setFont(font)
    app.setApplicationName("Agent Ring")
    tokens.appearance().choose("light")


@pytest.fixture(autouse=True)
def _pinned(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    if hasattr(time, "tzset"):
        time.tzset()
    pin_look(qapp)
    # where the test before left the pointer, a face that opens there would take it for the user's
    QCursor.setPos(AWAY)
    qapp.processEvents()
    yield
    tokens.appearance().choose("light")
    monkeypatch.undo()
    if hasattr(time, "tzset"):
        time.tzset()


@pytest.fixture(params=["light", "dark"])
def look(request: pytest.FixtureRequest, qapp: QApplication) -> str:
    """Run a test in both appearances."""
    tokens.appearance().choose(request.param)
    return str(request.param)


class Terminals:
    """Stand in for the user's terminals; without one a command is copied.

    Attributes:
        opened: each command with its folder.
        there: one is installed.
    """

    def __init__(self) -> None:
        self.opened: list[tuple[tuple[str, ...], str | None]] = []
        self.there = False

    def open(self, argv: Sequence[str], cwd: str | None) -> str:
        if not self.there:
            raise terminal.CannotOpen("No terminal was found. Set TERMINAL to the one that you use")
        self.opened.append((tuple(argv), cwd))
        return "xterm"


@pytest.fixture(autouse=True)
def terminals(monkeypatch: pytest.MonkeyPatch) -> Terminals:
    """Open no real terminal."""
    made = Terminals()
    monkeypatch.setattr(terminal, "open_in_terminal", made.open)
    return made


@pytest.fixture
def backend() -> FakeBackend:
    """Return a scripted core that has published the scene of the pictures."""
    return FakeBackend(scene.scene())


@pytest.fixture
def bridge(qtbot: QtBot, backend: FakeBackend) -> Iterator[Bridge]:
    made = Bridge(backend)
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture(scope="session")
def qapp_args() -> list[str]:
    return ["agentring-tests", "-platform", os.environ.get("QT_QPA_PLATFORM", "offscreen")]
