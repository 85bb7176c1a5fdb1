"""Every face can be used by keyboard and by ear: names, roles, order, targets that can be hit, a focus that shows."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QApplication, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.ui import faces, scene, walking
from trayapp.ui import access
from trayapp.ui.controls import Button, CheckBox, Segmented
from trayapp.ui.marks import HostMark, Mark, MarkKind
from trayapp.ui.ring import POPOVER, RingWidget


@pytest.fixture(autouse=True)
def _roles(qapp: QApplication) -> None:
    access.install()


@pytest.mark.qt_log_ignore("does not support grabbing the keyboard")
def test_every_control_has_a_name_a_role_its_place_in_the_order_and_can_be_hit(qapp: QApplication) -> None:
    found = {name: faults for name, face in faces.every_face() if (faults := walking.faults_of(face))}
    assert found == {}


@pytest.mark.qt_log_ignore("does not support grabbing the keyboard")
def test_every_control_shows_that_it_has_the_focus(qtbot: QtBot) -> None:
    found = {}
    seen: set[str] = set()
    for name, face in faces.every_face():
        face.activateWindow()
        faces.come_to_rest()
        qtbot.waitUntil(face.isActiveWindow)
        if faults := walking.focus_faults_of(face, seen):
            found[name] = faults
    assert found == {}


def test_what_paints_itself_tells_its_role(qtbot: QtBot) -> None:
    for widget, role in (
        (RingWidget(POPOVER), QAccessible.Role.Chart),
        (HostMark(Mark(MarkKind.HOST, scene.CLAUDE), 22), QAccessible.Role.Graphic),
        (Button("Release"), QAccessible.Role.Button),
        (CheckBox("Refactor settings page"), QAccessible.Role.CheckBox),
    ):
        qtbot.addWidget(widget)
        assert walking.role(widget) is role


def test_a_segment_of_a_choice_is_one_of_several(qtbot: QtBot) -> None:
    control = Segmented((("1h", "1 h"), ("6h", "6 h")), "6h")
    qtbot.addWidget(control)
    segments = [b for b in control.findChildren(QAbstractButton) if not isinstance(b, QPushButton)]
    assert {walking.role(segment) for segment in segments} == {QAccessible.Role.RadioButton}
    assert [walking.name(segment) for segment in segments] == ["1 h", "6 h"]


class _Faulty(QWidget):
    """Hold one of each fault."""

    def __init__(self) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        self.nameless, self.low = QPushButton(""), QPushButton("Low")
        self.low.setFixedHeight(12)
        self.skipped = QPushButton("Skipped")
        self.skipped.setFocusPolicy(self.focusPolicy())
        self.bare = QWidget()
        self.bare.setFocusPolicy(self.nameless.focusPolicy())
        self.bare.setAccessibleName("Bare")
        self.bare.setMinimumHeight(30)
        for widget in (self.nameless, self.low, self.skipped, self.bare):
            column.addWidget(widget)


def test_a_walk_finds_what_is_missing(qtbot: QtBot) -> None:
    face = _Faulty()
    qtbot.addWidget(face)
    for button in (face.nameless, face.skipped):
        button.setMinimumHeight(30)
    with qtbot.waitActive(face):
        face.show()
        face.activateWindow()
    assert walking.faults_of(face) == [
        "QPushButton in _Faulty has no accessible name",
        "QPushButton in _Faulty ('Low') is 12 high",
        "QPushButton in _Faulty ('Skipped') is not reached by Tab",
        "QWidget in _Faulty ('Bare') has the role Client",
    ]
    hidden = walking.focus_faults_of(face)
    assert "QWidget in _Faulty ('Bare') does not show that it has the focus" in hidden
    assert not any("'Low'" in fault for fault in hidden)
