"""The small icons of the design, from their SVG files: the one way in which a widget gets one.

They are drawn in one colour on a grid of 16, so each is painted in the colour and at the size that is asked for. Qt's
SVG reader is loaded with the first one; the tray, the ring and the marks are painted without it.
"""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from trayapp import resources

NAMES = (
    *("chevron", "check", "dash", "question", "warning", "critical", "busy", "waiting", "idle", "broken-line"),
    *("dots", "copy", "open-folder", "pause", "export", "more"),
)
GRID = 16


def paint(painter: QPainter, rect: QRectF, name: str, colour: QColor, *, turned: int = 0) -> None:
    """Paint an icon into a square, turned clockwise by so many degrees; raises KeyError for one that there is not."""
    from PySide6.QtSvg import QSvgRenderer

    if name not in NAMES:
        raise KeyError(f"no icon is called {name!r}")
    drawn = QSvgRenderer(QByteArray(_drawing(name).replace(b"currentColor", colour.name().encode())))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(rect.center())
    painter.rotate(turned)
    drawn.render(painter, QRectF(QPointF(-rect.width() / 2, -rect.height() / 2), rect.size()))
    painter.restore()


@lru_cache(maxsize=len(NAMES))
def _drawing(name: str) -> bytes:
    return resources.path("icons", f"{name}.svg").read_bytes()
