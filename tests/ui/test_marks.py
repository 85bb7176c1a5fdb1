"""Marks can be told apart by shape, and every group wears the right one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap
from pytestqt.qtbot import QtBot

from tests.ui import scene
from trayapp.model.session import HostLabel
from trayapp.model.snapshot import Group, GroupKind
from trayapp.ui import marks
from trayapp.ui.marks import HostMark, Mark, MarkKind, StateShape
from trayapp.ui.tokens import LIGHT, theme

OUTSIDER = HostLabel(host="zed-agents", title="Zed", letters="Ze")


def found(key: str) -> Group:
    group = scene.scene().group(key)
    assert group is not None
    return group


def painted(shape: StateShape) -> tuple[int, ...]:
    pixmap = QPixmap(24, 24)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    marks.paint_state_mark(painter, QRectF(4, 4, 16, 16), shape, QColor("#000000"))
    painter.end()
    image = pixmap.toImage()
    return tuple(image.pixelColor(x, y).alpha() for x in range(24) for y in range(24))


def test_every_state_has_a_shape_of_its_own(qtbot: QtBot) -> None:
    assert len({painted(shape) for shape in StateShape}) == len(StateShape)


def test_what_is_a_hosts_wears_its_mark_orphans_the_broken_line_the_rest_three_dots() -> None:
    snapshot = scene.scene()
    assert marks.mark_of(found(scene.FIX), snapshot) == Mark(MarkKind.HOST, scene.CLAUDE)
    assert marks.mark_of(found(scene.LANGUAGE_SERVER), snapshot) == marks.ORPHAN
    assert marks.mark_of(found(scene.SHARED), snapshot) == marks.SHARED
    server = replace(found(scene.FIX), kind=GroupKind.INFRA)
    assert marks.mark_of(server, snapshot) == Mark(MarkKind.HOST, scene.CLAUDE)
    assert marks.mark_of(replace(server, host=None), snapshot) == marks.SHARED


def test_a_host_without_a_label_is_named_by_its_id() -> None:
    foreign = replace(found(scene.FIX), host="newagent")
    mark = marks.mark_of(foreign, scene.scene())
    assert mark.name == "newagent"
    assert mark.label is not None
    assert mark.label.letters == "Ne"


def test_a_session_without_a_verdict_is_unknown() -> None:
    assert marks.state_shape(replace(found(scene.FIX), verdict=None)) is StateShape.UNKNOWN
    assert marks.state_shape(found(scene.FIX)) is StateShape.BUSY
    assert marks.state_shape(found(scene.LANGUAGE_SERVER)) is StateShape.GONE


@pytest.mark.parametrize("size", [14, 18, 22, 32])
def test_a_mark_fills_its_square_and_speaks_its_hosts_name(size: int, look: str, qtbot: QtBot) -> None:
    mark = HostMark(Mark(MarkKind.HOST, scene.CODEX), size)
    qtbot.addWidget(mark)
    assert (mark.width(), mark.height()) == (size, size)
    assert mark.accessibleName() == "Codex"
    image = mark.grab().toImage()
    assert image.pixelColor(size // 2, 1) == theme().host(scene.CODEX).fill


def test_the_mark_of_a_host_from_outside_is_hollow(qtbot: QtBot) -> None:
    mark = HostMark(Mark(MarkKind.HOST, OUTSIDER), 32)
    qtbot.addWidget(mark)
    image = mark.grab().toImage()
    outline, ground = image.pixelColor(16, 0), image.pixelColor(16, 4)
    assert outline != ground
    assert ground == LIGHT.card
