"""No text is cut off: every face, in every language, at one and two pixels a point, and with larger text.

What is measured, and how, stands in tests/ui/fitting.py. Where no font here has Chinese characters, letters as wide
stand for them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.ui import fitting
from trayapp.ui.controls import Button, Text
from trayapp.ui.language import LANGUAGES

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.qt_log_ignore("does not support grabbing the keyboard")


@pytest.mark.parametrize("scale", [1.0, 1.5], ids=["usual text", "large text"])
@pytest.mark.parametrize("code", LANGUAGES)
def test_no_text_is_cut_off(code: str, scale: float, qapp: QApplication) -> None:
    assert fitting.all_faults(code, scale) == {}


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_text_is_cut_off_at_two_pixels_a_point(code: str) -> None:
    screen = os.environ | {"QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": "2", "TZ": "UTC"}
    command = [sys.executable, "-m", "tests.ui.fitting", code, "1"]
    done = subprocess.run(command, cwd=ROOT, env=screen, capture_output=True, text=True, check=False, timeout=300)
    assert json.loads(done.stdout or "{}") == {}, done.stderr
    assert done.returncode == 0, done.stderr


# ---- the measure itself


class _Painted(QWidget):
    """Paint a text into a room that is too small for it."""

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).drawText(self.rect(), 0, "Refactor settings page")


def faults(qtbot: QtBot, widget: QWidget, width: int, height: int = 30) -> list[str]:
    face = QWidget()
    room = QHBoxLayout(face)
    room.setContentsMargins(0, 0, 0, 0)
    room.addWidget(widget)
    widget.setFixedSize(width, height)
    qtbot.addWidget(face)
    face.show()
    return fitting.faults_of(face)


def test_a_painted_text_that_is_wider_than_its_room_is_found(qtbot: QtBot) -> None:
    assert "needs" in faults(qtbot, _Painted(), 60)[0]
    assert faults(qtbot, _Painted(), 260) == []


def test_a_shortened_text_is_whole_where_a_tooltip_tells_it(qtbot: QtBot) -> None:
    assert faults(qtbot, Text("Refactor settings page"), 80, 18) == []
    mute = Text("Refactor settings page")
    mute.setToolTip = lambda text: None  # type: ignore[method-assign]
    assert "no tooltip tells" in faults(qtbot, mute, 80, 18)[0]


def test_a_wrapped_text_that_is_too_high_is_found(qtbot: QtBot) -> None:
    words = "What works, waits for you or cannot be told stays."
    assert "needs" in faults(qtbot, Text(words, wrap=True), 120, 18)[0]
    assert faults(qtbot, Text(words, wrap=True), 120, 90) == []


@pytest.mark.parametrize("kind", [QPushButton, Button, QLabel])
def test_what_is_narrower_than_it_wants_to_be_is_found(kind: Callable[[str], QWidget], qtbot: QtBot) -> None:
    assert "needs" in faults(qtbot, kind("Untätige Sitzungen freigeben"), 60)[0]
    assert faults(qtbot, kind("Untätige Sitzungen freigeben"), 320) == []


def test_what_reaches_out_of_its_place_is_found(qtbot: QtBot) -> None:
    face, place = QWidget(), QWidget()
    QVBoxLayout(face).addWidget(place)
    QLabel("Released", place).setGeometry(0, 0, 200, 20)
    place.setFixedSize(40, 20)
    qtbot.addWidget(face)
    face.show()
    assert "reaches out" in fitting.faults_of(face)[0]
