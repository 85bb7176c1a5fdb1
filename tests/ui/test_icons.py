"""Every icon of the design is there as a file, and is painted in the colour that is asked for."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from trayapp import resources
from trayapp.ui import icons


def painted(name: str, colour: str, *, turned: int = 0) -> QImage:
    image = QImage(32, 32, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    try:
        icons.paint(painter, QRectF(0, 0, 32, 32), name, QColor(colour), turned=turned)
    finally:
        painter.end()
    return image


def strongest(image: QImage) -> QColor:
    pixels = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
    return max(pixels, key=QColor.alpha)


@pytest.mark.parametrize("name", icons.NAMES)
def test_an_icon_is_painted_in_its_colour(qapp: QApplication, name: str) -> None:
    seen = strongest(painted(name, "#8F5200"))
    assert seen.alpha() == 255
    assert seen.name() == "#8f5200"


@pytest.mark.parametrize("name", icons.NAMES)
def test_an_icon_has_one_colour_round_ends_and_the_grid_of_16(name: str) -> None:
    text = resources.path("icons", f"{name}.svg").read_text(encoding="utf-8")
    assert 'viewBox="0 0 16 16"' in text
    assert set(re.findall(r'(?:stroke|fill)="([^"]+)"', text)) <= {"currentColor", "none"}
    assert 'stroke-width="1.5"' in text
    assert 'stroke-linecap="round"' in text


def test_there_is_no_icon_that_nobody_can_ask_for() -> None:
    files = {path.stem for path in resources.path("icons").glob("*.svg")}
    assert files == {*icons.NAMES, "agentring"}


def test_a_chevron_can_point_down(qapp: QApplication) -> None:
    assert painted("chevron", "#000000") != painted("chevron", "#000000", turned=90)


def test_an_unknown_icon_is_refused(qapp: QApplication) -> None:
    with pytest.raises(KeyError, match="skull"):
        painted("skull", "#000000")
