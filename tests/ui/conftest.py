"""One look for every UI test: Fusion style, DejaVu Sans, English numbers, UTC; light and dark by fixture."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui import scene
from tests.ui.fake_backend import FakeBackend
from trayapp.ui import tokens
from trayapp.ui.bridge import Bridge


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
