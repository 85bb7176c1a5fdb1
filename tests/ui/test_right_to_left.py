"""Where one reads from right to left the faces are the other way round; rings, charts and tables of figures are not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtWidgets import QApplication, QWidget

from tests.ui import faces, scene
from tests.ui.fake_backend import FakeBackend
from tests.ui.screenshots_window import NoLogin
from trayapp.ui import tokens
from trayapp.ui.bridge import Bridge
from trayapp.ui.controls import Button
from trayapp.ui.popover import Popover
from trayapp.ui.ring import RingWidget
from trayapp.ui.session_row import SessionRow
from trayapp.ui.window import MainWindow

RTL = Qt.LayoutDirection.RightToLeft


@pytest.fixture(params=[Qt.LayoutDirection.LeftToRight, RTL], ids=["left to right", "right to left"])
def direction(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[Qt.LayoutDirection]:
    qapp.setLayoutDirection(request.param)
    yield request.param
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def middle(widget: QWidget, face: QWidget) -> float:
    """Return where a widget stands in its face, as a share of the width."""
    return (widget.mapTo(face, widget.rect().center()).x()) / face.width()


@pytest.fixture
def popover(direction: Qt.LayoutDirection, bridge: Bridge) -> Iterator[Popover]:
    made = Popover(bridge)
    made.show_at(faces.ANCHOR)
    faces.come_to_rest()
    yield made
    made.hide()
    made.deleteLater()


def test_the_popovers_ring_stands_where_reading_begins_and_stays_clockwise(
    direction: Qt.LayoutDirection, popover: Popover, qapp: QApplication
) -> None:
    ring = popover.findChild(RingWidget)
    assert isinstance(ring, RingWidget)
    assert (middle(ring, popover) > 0.5) is (direction is RTL)
    shown = ring.grab().toImage()
    right, left = (
        sum(shown.pixelColor(x, y).saturation() > 90 for x in columns for y in range(0, shown.height(), 4))
        for columns in (range(shown.width() // 2, shown.width()), range(shown.width() // 2))
    )
    assert right > left  # what is held begins at 12 o'clock and goes to the right


def test_a_row_has_its_button_where_reading_ends(direction: Qt.LayoutDirection, popover: Popover) -> None:
    row = popover.rows.row(scene.REFACTOR)
    assert isinstance(row, SessionRow)
    button = next(b for b in row.findChildren(Button) if b.isVisible())
    assert (middle(button, row) < 0.5) is (direction is RTL)
    words = QRectF(tokens.mirrored(QRectF(40, 0, 100, 10), row))
    assert not words.intersects(QRectF(button.geometry()))


def test_the_sidebar_stands_where_reading_begins_and_figures_run_as_everywhere(
    direction: Qt.LayoutDirection, bridge: Bridge
) -> None:
    backend = bridge.backend
    assert isinstance(backend, FakeBackend)
    window = MainWindow(backend, bridge, login=NoLogin())
    try:
        window.show()
        faces.come_to_rest()
        assert (middle(window.sidebar, window) > 0.5) is (direction is RTL)
        assert window.overview.view.layoutDirection() is Qt.LayoutDirection.LeftToRight
        assert window.overview.chart.chart.layoutDirection() is Qt.LayoutDirection.LeftToRight
    finally:
        window.close()
        window.deleteLater()
        faces.come_to_rest()
