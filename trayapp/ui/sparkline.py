"""Small drawings of rows: the sparkline of the last hour, and the chevron that opens and closes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from trayapp.ui.tokens import Theme


def paint_sparkline(painter: QPainter, rect: QRectF, values: Sequence[float | None], theme: Theme) -> None:
    """Paint the course of a value over its own scale, which does not begin at 0; nothing is drawn across a gap."""
    known = [value for value in values if value is not None]
    if len(known) < 2:
        return
    low = min(known) * 0.6
    span = max(known) * 1.05 - low or 1.0
    step = (rect.width() - 2) / (len(values) - 1)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(theme.sec, 1)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    end: QPointF | None = None
    for first, piece in _pieces(values):
        points = [
            QPointF(
                rect.left() + (first + number) * step, rect.bottom() - 1 - (value - low) / span * (rect.height() - 3)
            )
            for number, value in enumerate(piece)
        ]
        foot = [QPointF(points[-1].x(), rect.bottom()), QPointF(points[0].x(), rect.bottom())]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.tint)
        painter.drawPolygon(QPolygonF([*points, *foot]))
        painter.setPen(pen)
        painter.drawPolyline(QPolygonF(points))
        end = points[-1]
    if end is not None and values[-1] is not None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.sec)
        painter.drawEllipse(end, 1.8, 1.8)
    painter.restore()


def _pieces(values: Sequence[float | None]) -> list[tuple[int, list[float]]]:
    """Cut a series into its known stretches: where each begins, and its values."""
    pieces: list[tuple[int, list[float]]] = []
    before: float | None = None
    for number, value in enumerate(values):
        if value is not None:
            if before is None:
                pieces.append((number, []))
            pieces[-1][1].append(value)
        before = value
    return pieces


def paint_chevron(painter: QPainter, rect: QRectF, colour: QColor, *, degrees: float) -> None:
    """Paint a chevron into a square: 0 points right (closed), 90 down (open), -90 up, 180 left (back)."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(colour, 1.5)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.translate(rect.center())
    painter.rotate(degrees)
    side = rect.width()
    painter.drawPolyline(
        QPolygonF([QPointF(-side * 0.22, -side * 0.44), QPointF(side * 0.22, 0), QPointF(-side * 0.22, side * 0.44)])
    )
    painter.restore()
