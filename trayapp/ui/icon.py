"""The tray icon: what it tells as a key, painted at every size.

Angles are degrees clockwise from 12 o'clock. Loaded before anything else that is shown, so it brings no widget, no core
and none of the model along.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPen, QPixmap

from trayapp.ui import tokens


def arc_path(
    centre: QPointF, inner: float, outer: float, start: float, end: float, *, gap: float = 0.0
) -> QPainterPath:
    """Return a piece of a ring with flat ends; `gap` is taken off in equal width along both ends, half on each side."""
    off_outer = math.degrees(math.asin(min(1.0, gap / 2 / outer)))
    off_inner = math.degrees(math.asin(min(1.0, gap / 2 / inner)))
    path = QPainterPath()
    outside = QRectF(centre.x() - outer, centre.y() - outer, outer * 2, outer * 2)
    inside = QRectF(centre.x() - inner, centre.y() - inner, inner * 2, inner * 2)
    first, last = start + off_outer, end - off_outer
    path.arcMoveTo(outside, 90 - first)
    path.arcTo(outside, 90 - first, first - last)
    first, last = start + off_inner, end - off_inner
    path.arcTo(inside, 90 - last, last - first)
    path.closeSubpath()
    return path


ICON_SIZES = (16, 18, 20, 22, 24, 32, 36, 44, 48)
STEP = 0.05
MIN_DEGREES = 8
GAUGE_DEGREES = 270.0
"""How much of the circle the gauge of a heap takes; it is open at the bottom."""


class IconState(StrEnum):
    """What the tray icon tells, strongest first."""

    NO_DATA = "no-data"
    PAUSED = "paused"
    CRITICAL = "critical"
    WARNING = "warning"
    NEEDS_YOU = "needs-you"
    RELEASABLE = "releasable"
    NORMAL = "normal"
    HEAP = "heap"


class Tone(StrEnum):
    """The ground that the icon stands on; TEMPLATE leaves the colour to the menu bar of macOS."""

    LIGHT_BAR = "light-bar"
    DARK_BAR = "dark-bar"
    TEMPLATE = "template"


@dataclass(frozen=True, slots=True, kw_only=True)
class IconKey:
    """Name one picture: equal keys look the same, so the icon is set only when its key changes.

    `stays` and `can_go` are whole degrees of the full circle; `old` greys a last snapshot that was read at start.
    `gauge` says that they are of a host's heap, whose shape is open at the bottom.
    """

    state: IconState
    tone: Tone
    stays: int = 0
    can_go: int = 0
    old: bool = False
    gauge: bool = False

    @property
    def is_mask(self) -> bool:
        return self.tone is Tone.TEMPLATE and self.state not in (IconState.WARNING, IconState.CRITICAL)


def quantised(share: float) -> int:
    """Return a share of the circle in degrees, in steps of 5 %; what is above 0 never gets less than 8 degrees."""
    if share <= 0:
        return 0
    return min(360, max(MIN_DEGREES, round(round(share / STEP) * STEP * 360)))


_CENTRE = QPointF(9, 9)
_RADIUS, _WIDTH = 6.6, 3.4
_LEAST = 6
"""Degrees that stay of the narrowest part when the gap between the zones is taken off."""


def paint_tray(painter: QPainter, size: int, key: IconKey) -> None:
    """Paint the icon into a square of `size` device pixels; all lengths are those of the design's grid of 18."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(size / 18, size / 18)
    painter.setOpacity(0.5 if key.old else 1.0)
    colour = _glyph_colour(key)
    if key.state is IconState.NO_DATA:
        _paint_dashes(painter, colour)
    elif key.state is IconState.CRITICAL:
        _paint_disc(painter, colour)
    elif key.state is IconState.PAUSED:
        painter.setOpacity(painter.opacity() / 2)
        _paint_ring(painter, colour, key, size)
        painter.setOpacity(painter.opacity() * 2)
        _bars(painter, colour)
    else:
        _paint_ring(painter, colour, key, size)
        if key.state is IconState.NEEDS_YOU:
            painter.setBrush(colour)
            painter.drawEllipse(_CENTRE, 2.5, 2.5)
        elif key.state is IconState.WARNING:
            painter.setBrush(colour)
            painter.drawRoundedRect(QRectF(8, 5, 2, 5), 0.6, 0.6)
            painter.drawRoundedRect(QRectF(8, 11, 2, 2), 0.6, 0.6)


def _glyph_colour(key: IconKey) -> QColor:
    on_dark = key.tone is Tone.DARK_BAR
    theme = tokens.DARK if on_dark else tokens.LIGHT
    if key.state is IconState.WARNING:
        return theme.tray_amber
    if key.state is IconState.CRITICAL:
        return theme.tray_red
    return QColor("#FFFFFF" if on_dark else "#000000")


def _paint_ring(painter: QPainter, colour: QColor, key: IconKey, size: int) -> None:
    """Paint both zones on the full circle, or on the gauge of a heap."""
    gauge = key.gauge or key.state is IconState.HEAP
    start, whole = (-GAUGE_DEGREES / 2, GAUGE_DEGREES) if gauge else (0.0, 360.0)
    stays, can_go = key.stays * whole / 360, key.can_go * whole / 360
    painter.setPen(Qt.PenStyle.NoPen)
    end = start + stays + can_go
    first, last = (end + 7 if end > start else start), (start + whole - (0 if gauge or end == start else 6))
    if first < last:
        painter.setBrush(tokens.with_alpha(colour, 0.38))
        painter.drawPath(_grid_arc(first, last, 1.2))
    if stays:
        last = max(stays - 3, _LEAST) if can_go else stays
        painter.setBrush(colour)
        painter.drawPath(_grid_arc(start, start + last, _WIDTH))
    if not can_go:
        return
    border = start + stays
    if size < 27:
        painter.setBrush(tokens.with_alpha(colour, 0.5))
        painter.drawPath(_grid_arc(min(border + 4, end - _LEAST), end, _WIDTH))
        return
    first = min(border + 8, end - 8) if stays else start + 1
    outline = arc_path(_CENTRE, 5.4, 7.8, first, end - 1)
    painter.setBrush(tokens.with_alpha(colour, 0.16))
    painter.setPen(QPen(colour, 1.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap, Qt.PenJoinStyle.MiterJoin))
    painter.drawPath(outline)
    painter.setPen(Qt.PenStyle.NoPen)


def _grid_arc(start: float, end: float, width: float) -> QPainterPath:
    return arc_path(_CENTRE, _RADIUS - width / 2, _RADIUS + width / 2, start, end)


def _paint_dashes(painter: QPainter, colour: QColor) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(tokens.with_alpha(colour, 0.6))
    for dash in range(8):
        painter.drawPath(_grid_arc(dash * 45, dash * 45 + 27, 2.2))


def _paint_disc(painter: QPainter, colour: QColor) -> None:
    whole, cut = QPainterPath(), QPainterPath()
    whole.addEllipse(_CENTRE, 8, 8)
    cut.addRect(QRectF(8, 4, 2, 6))
    cut.addRoundedRect(QRectF(8, 12, 2, 2), 0.6, 0.6)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawPath(whole.subtracted(cut))


def _bars(painter: QPainter, colour: QColor) -> None:
    painter.setBrush(colour)
    for left in (6.6, 9.8):
        painter.drawRoundedRect(QRectF(left, 6.4, 1.6, 5.2), 0.4, 0.4)


def tray_pixmap(size: int, key: IconKey) -> QPixmap:
    """Return the icon at one size."""
    pixmap = QPixmap(size, size)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    paint_tray(painter, size, key)
    painter.end()
    return pixmap


class IconCache:
    """Make every icon once.

    A new QIcon for each update leaks about 2.5 KiB with an XEmbed tray, a reused one nothing; so none is thrown away.
    """

    def __init__(self) -> None:
        self._icons: dict[IconKey, QIcon] = {}

    def icon(self, key: IconKey) -> QIcon:
        """Return the icon of that key, with a pixmap for every size in use."""
        found = self._icons.get(key)
        if found is None:
            found = QIcon()
            for size in ICON_SIZES:
                found.addPixmap(tray_pixmap(size, key))
            found.setIsMask(key.is_mask)
            self._icons[key] = found
        return found

    def __len__(self) -> int:
        return len(self._icons)


# ------------------------------------------------------------------------------------------------- over a restart


def read_key(file: Path) -> IconKey | None:
    """Return what the icon showed when the app last ended, marked as old; None where that is not known."""
    try:
        state, tone, stays, can_go, *more = file.read_text(encoding="utf-8").split()
        return IconKey(
            state=IconState(state),
            tone=Tone(tone),
            stays=min(360, max(0, int(stays))),
            can_go=min(360, max(0, int(can_go))),
            old=True,
            gauge="gauge" in more,
        )
    except (OSError, ValueError):
        return None  # it is a picture that lasts a second, worth no message


def write_key(file: Path, key: IconKey) -> None:
    """Keep what the icon shows for the next start, in a line of words; what cannot be written is left out."""
    if key.state is IconState.NO_DATA or key.old:
        return
    words = [key.state.value, key.tone.value, str(key.stays), str(key.can_go), *(["gauge"] if key.gauge else [])]
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(" ".join(words) + "\n", encoding="utf-8")
    except OSError:
        return
