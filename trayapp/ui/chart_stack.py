"""Stacked layers as one picture: fills and their upper edges, in device pixels, straight from the columns.

What a frame costs hangs on the pixels and hardly on the number of layers or the length of their strokes, as no stroke
is drawn: a pixel belongs to the layer whose top it lies below, and is an edge where its neighbour above or beside it
belongs to a higher one. Imported when the first chart is shown, as numpy is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import floor
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Rows = NDArray[numpy.intp]

_EDGE = 128
"""Added to a pixel's number of tops where it is an edge; so a chart holds at most 127 layers."""

_SLIVER = 0.5
"""Pixels: what is thinner is not told apart."""


@dataclass(frozen=True, slots=True)
class _Content:
    """Hold what is drawn: moments, the top of every layer at each, the stretches to draw, and the thinnest edge."""

    times: Any
    tops: Any
    pieces: tuple[tuple[int, int], ...]
    thin: float


@dataclass(frozen=True, slots=True)
class _Scale:
    """Say how moments and values become device pixels: `x` and `y` per unit, and the row of the value 0."""

    x: float
    y: float
    ground: float
    height: int


@dataclass(frozen=True, slots=True)
class _Picture:
    """Hold what was drawn last: at which scale, which pixel columns [left, right) counted from the moment 0.

    `pixels` are the numbers that the image has its colours by.
    """

    scale: _Scale
    left: int
    right: int
    pixels: Any
    image: QImage


class StackItem(QGraphicsItem):
    """Draw layers on top of each other, the lowest first, in a view of moments and values.

    The picture reaches beyond what is seen, so that a pan only moves it.
    """

    def __init__(self) -> None:
        super().__init__()
        self._content: _Content | None = None
        self._table: list[int] = []
        self._picture: _Picture | None = None

    def show_layers(
        self,
        times: Sequence[float],
        tops: Any,
        pieces: Sequence[tuple[int, int]],
        colours: Sequence[tuple[QColor, QColor]],
        thin: float,
    ) -> None:
        """Take new columns; `tops` has a row for each layer, `colours` their edge and fill, `thin` gets no edge."""
        import numpy

        self._content = _Content(numpy.array(times, dtype=float), tops, tuple(pieces), thin)
        self._table = _table(colours)
        self._picture = None
        self.update()

    def recolour(self, colours: Sequence[tuple[QColor, QColor]]) -> None:
        """Show the same layers in other colours, without working out again where they are."""
        self._table = _table(colours)
        if self._picture is not None:
            self._picture = replace(self._picture, image=self._image(self._picture.pixels))
        self.update()

    def forget_picture(self) -> None:
        """Give back what was drawn; it is drawn anew when it is seen again."""
        self._picture = None

    def clear(self) -> None:
        """Draw nothing."""
        self._content = self._picture = None
        self.update()

    def boundingRect(self) -> QRectF:
        return QRectF(-1e10, -1e15, 2e10, 2e15)  # wherever the view is moved to

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        content, ratio = self._content, painter.device().devicePixelRatioF()
        if content is None or widget is None or not content.pieces:
            return
        place = painter.worldTransform()
        scale = _Scale(place.m11() * ratio, place.m22() * ratio, place.dy() * ratio, round(widget.height() * ratio))
        width, seen_from = round(widget.width() * ratio), -round(place.dx() * ratio)
        picture = self._picture_of(content, scale, seen_from, width)
        if picture is None:
            return
        picture.image.setDevicePixelRatio(ratio)
        painter.save()
        painter.resetTransform()
        painter.drawImage(QPointF((picture.left - seen_from) / ratio, 0), picture.image)
        painter.restore()

    def _picture_of(self, content: _Content, scale: _Scale, seen_from: int, width: int) -> _Picture | None:
        """Return a picture that holds all that is seen; None when no column is."""
        first, last = content.pieces[0][0], content.pieces[-1][1] - 1
        begin, end = floor(content.times[first] * scale.x), floor(content.times[last] * scale.x) + 1
        left, right = max(begin, seen_from), min(end, seen_from + width)
        if left >= right:
            return None
        found = self._picture
        if found is None or found.scale != scale or found.left > left or found.right < right:
            left, right = max(begin, left - width), min(end, right + width)
            pixels = stacked_pixels(content, scale, left, right)
            found = self._picture = _Picture(scale, left, right, pixels, self._image(pixels))
        return found

    def _image(self, pixels: Any) -> QImage:
        height, length = pixels.shape
        numbers = QImage(pixels.data, length, height, length, QImage.Format.Format_Indexed8)
        numbers.setColorTable(self._table)
        return numbers.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)


def _table(colours: Sequence[tuple[QColor, QColor]]) -> list[int]:
    """Return the colours by number: of what lies below the layer with that many tops above it, and of its edge."""
    table = [0] * 256
    for number, (edge, fill) in enumerate(colours):
        table[len(colours) - number] = fill.rgba()
        table[_EDGE + len(colours) - number] = edge.rgba()
    return table


def stacked_pixels(content: _Content, scale: _Scale, left: int, right: int) -> Any:
    """Return a picture of numbers: 0 = nothing, else how many tops lie at or above the pixel, with _EDGE on edges."""
    import numpy

    # every row a multiple of 4 bytes, as QImage wants it
    pixels = numpy.zeros((scale.height, -(left - right) + (left - right) % 4), dtype=numpy.uint8)
    x_of = content.times * scale.x
    ground = min(scale.height, max(0, round(scale.ground)))
    for first, after in content.pieces:
        begin = floor(x_of[first])
        begin, end = max(left, begin), min(right, max(begin + 1, floor(x_of[after - 1]) + 1))
        if end > begin and ground > 0:
            tops = _at_pixels(x_of[first:after], content.tops[:, first:after], begin, end)
            rows = numpy.clip(numpy.rint(tops * scale.y + scale.ground), 0, ground).astype(numpy.intp)
            _swallow_slivers(rows, tops * -scale.y)
            pixels[:ground, begin - left : end - left] = _piece(rows, ground, -content.thin * scale.y)
    return pixels


def _swallow_slivers(rows: Rows, heights: Any) -> None:
    """Leave what is thinner than half a pixel to the layer below, or it would be a pixel here and there."""
    for number in range(len(rows) - 1, 0, -1):
        sliver = heights[number] - heights[number - 1] < _SLIVER
        rows[number - 1][sliver] = rows[number][sliver]


def _at_pixels(x_of: Any, tops: Any, left: int, right: int) -> Any:
    """Return the tops in every pixel column: between two columns on their line, of several in one the highest stack."""
    import numpy

    if len(x_of) > right - left:
        pixel = x_of.astype(numpy.intp)
        order = numpy.lexsort((tops[-1], pixel))
        kept = order[numpy.flatnonzero(numpy.diff(pixel[order], append=pixel[order[-1]] + 1))]
        x_of, tops = pixel[kept] + 0.5, tops[:, kept]
    at = numpy.arange(left, right) + 0.5
    after = numpy.clip(numpy.searchsorted(x_of, at), 1, max(1, len(x_of) - 1))
    if len(x_of) == 1:
        return numpy.repeat(tops, len(at), axis=1)
    before = after - 1
    share = numpy.clip((at - x_of[before]) / numpy.maximum(x_of[after] - x_of[before], 1e-9), 0.0, 1.0)
    return tops[:, before] + (tops[:, after] - tops[:, before]) * share


def _piece(rows: Rows, ground: int, thin: float) -> Any:
    """Return the pixels of one stretch; `rows` are the pixel rows of the tops, the lowest layer first."""
    import numpy

    layers, width = rows.shape
    across = numpy.arange(width)
    tops = numpy.zeros((ground + 1, width), dtype=numpy.uint8)
    for row in rows:
        tops[row, across] += 1
    count = numpy.cumsum(tops[:ground], axis=0, dtype=numpy.uint8)
    edge = numpy.empty(count.shape, dtype=bool)
    edge[0] = count[0] > 0
    numpy.greater(count[1:], count[:-1], out=edge[1:])
    edge[:, 1:] |= count[:, 1:] > count[:, :-1]
    edge[:, :-1] |= count[:, :-1] > count[:, 1:]
    thick = numpy.empty(rows.shape, dtype=bool)
    thick[0] = ground - rows[0] >= thin
    thick[1:] = rows[:-1] - rows[1:] >= thin
    at_row, at_column = numpy.nonzero(edge)
    found = count[at_row, at_column]
    kept = thick[layers - found.astype(numpy.intp), at_column]
    count[at_row[kept], at_column[kept]] = found[kept] + _EDGE
    return count
