"""The ring: its geometry as pure functions, the tray icon painted at every size, and the large ring as a widget.

Angles are degrees clockwise from 12 o'clock; the full circle is this computer's memory. Knows nothing of where it is
shown or what a click does.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QIcon,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QWidget

from trayapp.model.process import Pressure
from trayapp.model.session import State
from trayapp.model.snapshot import Snapshot
from trayapp.ui import numbers, tokens
from trayapp.ui.marks import Mark, MarkKind, mark_of
from trayapp.ui.tokens import SEMIBOLD

# ------------------------------------------------------------------------------------------------ what the ring is of


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Hold one piece of the ring before it has an angle: a session, the shared helpers, or the orphans."""

    key: str
    mark: Mark
    title: str
    size_bytes: int
    releasable: bool


def parts(snapshot: Snapshot) -> tuple[Part, ...]:
    """Cut a snapshot into parts in ring order: all that stays, then all that can go.

    Each zone has the hosts in their order, then the shared helpers, then the orphans. The sizes add up to
    totals.held_bytes. A part's key is its group's key, or "Shared helpers" and "Orphans".
    """
    made = []
    for group in snapshot.groups:
        if not group.counts or group.held_bytes <= 0:
            continue
        mark = mark_of(group, snapshot)
        own = mark.kind is MarkKind.HOST
        made.append(
            Part(
                key=group.key if own else mark.name,
                mark=mark,
                title=group.name if own else mark.name,
                size_bytes=group.held_bytes,
                releasable=group.releasable is not None,
            )
        )
    return tuple(_merged(sorted(made, key=ring_order)))


def ring_order(part: Part) -> tuple[bool, int, int, str, int, str]:
    """Return the sort key of a part: zone, hosts before helpers before orphans, the host's rank, then size."""
    kind = {MarkKind.HOST: 0, MarkKind.SHARED: 1, MarkKind.ORPHAN: 2}[part.mark.kind]
    label = part.mark.label
    rank, host = (label.rank, label.host) if label is not None else (0, "")
    return part.releasable, kind, rank, host, -part.size_bytes, part.key


def _merged(made: Iterable[Part]) -> list[Part]:
    """Join neighbours without a host into one part each: "Shared helpers" and "Orphans" are one segment per zone."""
    result: list[Part] = []
    for part in made:
        before = result[-1] if result else None
        if before is not None and (before.key, before.releasable) == (part.key, part.releasable):
            result[-1] = _joined(before, part, part.title)
        else:
            result.append(part)
    return result


def _joined(one: Part, other: Part, title: str) -> Part:
    return Part(
        key=one.key,
        mark=one.mark,
        title=title,
        size_bytes=one.size_bytes + other.size_bytes,
        releasable=one.releasable,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """Give a part its angles."""

    part: Part
    start: float
    span: float

    @property
    def end(self) -> float:
        return self.start + self.span


def segments(shown: Sequence[Part], total_bytes: int) -> tuple[Segment, ...]:
    """Lay parts around the circle, one after the other; those under 1 degree join into one of their zone."""
    if total_bytes <= 0:
        return ()
    held = sum(part.size_bytes for part in shown)
    per_byte = 360.0 / max(total_bytes, held)
    laid: list[Segment] = []
    at = 0.0
    for zone in (False, True):
        in_zone = [part for part in shown if part.releasable is zone]
        wide = [part for part in in_zone if part.size_bytes * per_byte >= 1.0]
        narrow = [part for part in in_zone if part.size_bytes * per_byte < 1.0]
        if narrow:
            small = narrow[0]
            for part in narrow[1:]:
                small = _joined(small, part, f"{len(narrow)} small ones")
            wide.append(small)
        for part in wide:
            span = part.size_bytes * per_byte
            laid.append(Segment(part=part, start=at, span=span))
            at += span
    return tuple(laid)


def segment_at(shown: Sequence[Segment], angle: float) -> Segment | None:
    """Return the segment under an angle."""
    return next((segment for segment in shown if segment.start <= angle < segment.end), None)


def angle_of(point: QPointF, centre: QPointF) -> float:
    """Return the angle of a point as seen from the centre, 0 to 360."""
    return math.degrees(math.atan2(point.x() - centre.x(), centre.y() - point.y())) % 360.0


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


# ----------------------------------------------------------------------------------------------------- the tray icon

ICON_SIZES = (16, 18, 20, 22, 24, 32, 36, 44, 48)
STEP = 0.05
MIN_DEGREES = 8


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

    `stays` and `can_go` are whole degrees; `old` greys a last snapshot that was read at start.
    """

    state: IconState
    tone: Tone
    stays: int = 0
    can_go: int = 0
    old: bool = False

    @property
    def is_mask(self) -> bool:
        return self.tone is Tone.TEMPLATE and self.state not in (IconState.WARNING, IconState.CRITICAL)


def quantised(share: float) -> int:
    """Return a share of the circle in degrees, in steps of 5 %; what is above 0 never gets less than 8 degrees."""
    if share <= 0:
        return 0
    return min(360, max(MIN_DEGREES, round(round(share / STEP) * STEP * 360)))


def icon_key(snapshot: Snapshot | None, *, paused: bool, tone: Tone, old: bool = False) -> IconKey:
    """Return the key of what a snapshot looks like in the tray."""
    if snapshot is None or snapshot.machine.memory_total_bytes <= 0:
        return IconKey(state=IconState.NO_DATA, tone=tone)
    total = snapshot.machine.memory_total_bytes
    held, free = snapshot.totals.held_bytes, snapshot.totals.reclaimable_bytes
    whole = quantised(held / total)
    can_go = min(quantised(free / total), whole)
    state = _icon_state(snapshot, paused=paused)
    if state is IconState.CRITICAL:
        return IconKey(state=state, tone=tone, old=old)
    if state in (IconState.NORMAL, IconState.WARNING, IconState.PAUSED):
        return IconKey(state=state, tone=tone, stays=whole, old=old)
    stays = whole - can_go
    if stays == 0 and held > free:
        stays = MIN_DEGREES
    return IconKey(state=state, tone=tone, stays=stays, can_go=can_go, old=old)


def _icon_state(snapshot: Snapshot, *, paused: bool) -> IconState:
    if paused:
        return IconState.PAUSED
    if snapshot.machine.pressure is Pressure.CRITICAL:
        return IconState.CRITICAL
    if snapshot.machine.pressure is Pressure.WARNING:
        return IconState.WARNING
    if any(g.verdict is not None and g.verdict.state is State.WAITING for g in snapshot.groups):
        return IconState.NEEDS_YOU
    return IconState.RELEASABLE if snapshot.totals.reclaimable_bytes > 0 else IconState.NORMAL


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
    elif key.state is IconState.HEAP:
        _paint_gauge(painter, colour, key.stays)
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
    painter.setPen(Qt.PenStyle.NoPen)
    end = key.stays + key.can_go
    _paint_track(painter, colour, end)
    if key.stays:
        last = max(key.stays - 3, _LEAST) if key.can_go else key.stays
        painter.setBrush(colour)
        painter.drawPath(_grid_arc(0, last, _WIDTH))
    if not key.can_go:
        return
    if size < 27:
        painter.setBrush(tokens.with_alpha(colour, 0.5))
        painter.drawPath(_grid_arc(min(key.stays + 4, end - _LEAST), end, _WIDTH))
        return
    first = min(key.stays + 8, end - 8) if key.stays else 1
    outline = arc_path(_CENTRE, 5.4, 7.8, first, end - 1)
    painter.setBrush(tokens.with_alpha(colour, 0.16))
    painter.setPen(QPen(colour, 1.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap, Qt.PenJoinStyle.MiterJoin))
    painter.drawPath(outline)
    painter.setPen(Qt.PenStyle.NoPen)


def _paint_track(painter: QPainter, colour: QColor, end: int) -> None:
    first, last = (end + 7, 354) if end else (0, 360)
    if first < last:
        painter.setBrush(tokens.with_alpha(colour, 0.38))
        painter.drawPath(_grid_arc(first, last, 1.2))


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


def _paint_gauge(painter: QPainter, colour: QColor, filled: int) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    end = -135 + filled * 270 / 360
    if end + 7 < 135:
        painter.setBrush(tokens.with_alpha(colour, 0.38))
        painter.drawPath(_grid_arc(end + 7, 135, 1.2))
    if filled:
        painter.setBrush(colour)
        painter.drawPath(_grid_arc(-135, end, _WIDTH))


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


# ----------------------------------------------------------------------------------------------------- the large ring


@dataclass(frozen=True, slots=True, kw_only=True)
class RingSize:
    """Hold the measures of one large ring; with `ink_only` there is no host colour, no gap and no figure."""

    diameter: float
    width: float
    gap: float
    outline: float
    track: float
    figure: int
    figure_down: float
    caption: int
    caption_down: float
    ink_only: bool = False


POPOVER = RingSize(
    diameter=152, width=17, gap=1.5, outline=1.6, track=3, figure=30, figure_down=3, caption=12, caption_down=21
)
FIRST_RUN = RingSize(
    diameter=192, width=22, gap=1.5, outline=1.6, track=3, figure=36, figure_down=5, caption=13, caption_down=27
)
SIDEBAR = RingSize(
    diameter=26,
    width=5,
    gap=0,
    outline=1.3,
    track=2,
    figure=0,
    figure_down=0,
    caption=0,
    caption_down=0,
    ink_only=True,
)

_FOCUS_ROOM = tokens.FOCUS_OFFSET + tokens.FOCUS_WIDTH
_TRACK_FREE = 2.2


class RingWidget(QWidget):
    """Show the large ring: segments, what they add up to, and the one under the pointer or the focus.

    Attributes:
        segments: what is shown now, in ring order.
        marked: key of the segment that is pointed at, here or in the list beside it.
    """

    # Emitted in the UI thread when the pointer or the arrow keys move to another segment; payload: its key or "".
    pointed = Signal(str)
    # Emitted in the UI thread on a click or Enter on a segment; payload: its key.
    chosen = Signal(str)

    def __init__(self, size: RingSize, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._measures = size
        self._scale = tokens.text_scale()
        self._room = 0.0 if size.ink_only else float(_FOCUS_ROOM)
        side = math.ceil(size.diameter * self._scale + 2 * self._room)
        self.setFixedSize(side, side)
        self.segments: tuple[Segment, ...] = ()
        self.marked = ""
        self._held = "0"
        self._caption = ""
        if not size.ink_only:
            self.setMouseTracking(True)
            self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        """Show a snapshot; nothing is repainted when nothing changed."""
        if snapshot is None:
            shown: tuple[Segment, ...] = ()
            held, caption, name = "–", "", "Agent Ring, nothing measured yet"
        else:
            total = snapshot.machine.memory_total_bytes
            shown = segments(parts(snapshot), total)
            held, unit = numbers.memory_parts(snapshot.totals.held_bytes)
            whole, total_unit = numbers.round_total(total)
            held = "0" if snapshot.totals.held_bytes == 0 else held if unit == total_unit else f"{held}\u202f{unit}"
            caption = f"of {whole}\u202f{total_unit}"
            name = spoken(snapshot)
        if (shown, held, caption) == (self.segments, self._held, self._caption):
            return
        self.segments, self._held, self._caption = shown, held, caption
        if self.marked and self._marked_segment() is None:
            self.marked = ""
        self.setAccessibleName(name)
        self.setAccessibleDescription("; ".join(segment_name(segment) for segment in shown))
        self.update()

    def mark(self, key: str) -> None:
        """Mark a segment from outside, as when its row is under the pointer; "" marks none."""
        if key != self.marked:
            self.marked = key
            self.update()

    def sizeHint(self) -> QSize:
        return self.size()

    # ---- pointer and keys

    def _marked_segment(self) -> Segment | None:
        return next((segment for segment in self.segments if segment.part.key == self.marked), None)

    def _segment_under(self, point: QPointF) -> Segment | None:
        centre = QRectF(self.rect()).center()
        off = point - centre
        outer = self._measures.diameter * self._scale / 2
        if not outer - self._measures.width * self._scale - 2 <= math.hypot(off.x(), off.y()) <= outer + 4:
            return None
        return segment_at(self.segments, angle_of(point, centre))

    def _point_at(self, key: str) -> None:
        if key != self.marked:
            self.mark(key)
            self.pointed.emit(key)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        segment = self._segment_under(event.position())
        self.setCursor(Qt.CursorShape.PointingHandCursor if segment else Qt.CursorShape.ArrowCursor)
        self._point_at(segment.part.key if segment else "")

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        segment = self._segment_under(event.position())
        if segment is not None and event.button() is Qt.MouseButton.LeftButton:
            self.chosen.emit(segment.part.key)

    def leaveEvent(self, event: QEvent) -> None:
        self._point_at("")
        super().leaveEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        by_key = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        if by_key and self.segments and not self.marked:
            self._point_at(self.segments[0].part.key)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._point_at("")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = [segment.part.key for segment in self.segments]
        step = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}.get(Qt.Key(event.key()))
        if step is not None and keys:
            at = keys.index(self.marked) if self.marked in keys else -step
            self._point_at(keys[(at + step) % len(keys)])
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.marked:
            self.chosen.emit(self.marked)
        else:
            super().keyPressEvent(event)

    # ---- paint

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        centre = QRectF(self.rect()).center()
        outer = self._measures.diameter * self._scale / 2
        inner = outer - self._measures.width * self._scale
        self._paint_track(painter, centre, (inner + outer) / 2)
        if self._measures.ink_only:
            self._paint_zones(painter, centre, inner, outer)
        else:
            for segment in self.segments:
                self._paint_segment(painter, centre, inner, outer, segment)
            self._paint_marked(painter, centre, inner, outer)
            self._paint_figure(painter, centre)

    def _paint_track(self, painter: QPainter, centre: QPointF, radius: float) -> None:
        end = self.segments[-1].end if self.segments else 0.0
        first, last = (end + _TRACK_FREE, 360 - _TRACK_FREE) if end else (0.0, 360.0)
        if first >= last:
            return
        half = self._measures.track * self._scale / 2
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tokens.theme().track)
        painter.drawPath(arc_path(centre, radius - half, radius + half, first, last))

    def _paint_zones(self, painter: QPainter, centre: QPointF, inner: float, outer: float) -> None:
        """Paint the two zones in ink, as in the tray."""
        theme = tokens.theme()
        stays = max((s.end for s in self.segments if not s.part.releasable), default=0.0)
        end = self.segments[-1].end if self.segments else 0.0
        painter.setPen(Qt.PenStyle.NoPen)
        if stays > 0:
            painter.setBrush(theme.ink)
            painter.drawPath(arc_path(centre, inner, outer, 0, stays - 3 if end > stays else stays))
        if end > stays:
            half = self._measures.outline / 2
            painter.setBrush(tokens.with_alpha(theme.ink, 0.15))
            painter.setPen(QPen(theme.ink, self._measures.outline))
            painter.drawPath(arc_path(centre, inner + half, outer - half, min(stays + 6, end - 4), end - 1))

    def _paint_segment(self, painter: QPainter, centre: QPointF, inner: float, outer: float, segment: Segment) -> None:
        theme, measures = tokens.theme(), self._measures
        colour = segment.part.mark.colour(theme)
        length = math.radians(segment.span) * (inner + outer) / 2
        gap = min(measures.gap, length / 2)
        if not segment.part.releasable:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawPath(arc_path(centre, inner, outer, segment.start, segment.end, gap=gap))
            return
        half = measures.outline / 2
        pen = QPen(colour, measures.outline)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.setBrush(tokens.with_alpha(colour, theme.zone_fill))
        inset = min(gap + measures.outline, max(length - 0.2, 0.1))
        painter.drawPath(arc_path(centre, inner + half, outer - half, segment.start, segment.end, gap=inset))

    def _paint_marked(self, painter: QPainter, centre: QPointF, inner: float, outer: float) -> None:
        segment = self._marked_segment()
        if segment is None:
            return
        off = tokens.FOCUS_OFFSET + tokens.FOCUS_WIDTH / 2
        off_degrees = math.degrees(off / ((inner + outer) / 2))
        pen = QPen(tokens.theme().ink, tokens.FOCUS_WIDTH)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        start, end = segment.start - off_degrees, segment.end + off_degrees
        painter.drawPath(arc_path(centre, inner - off, outer + off, start, end))

    def _paint_figure(self, painter: QPainter, centre: QPointF) -> None:
        theme, measures = tokens.theme(), self._measures
        segment = self._marked_segment()
        if segment is not None:
            self._paint_segment_name(painter, centre, segment)
            return
        painter.setPen(theme.ink)
        painter.setFont(tokens.font(measures.figure, SEMIBOLD, tracked=True))
        self._centred(painter, centre, measures.figure_down * self._scale, self._held)
        painter.setPen(theme.sec)
        painter.setFont(tokens.font(measures.caption))
        self._centred(painter, centre, measures.caption_down * self._scale, self._caption)

    def _paint_segment_name(self, painter: QPainter, centre: QPointF, segment: Segment) -> None:
        theme = tokens.theme()
        painter.setPen(theme.ink)
        painter.setFont(tokens.font(tokens.FIGURE_SEGMENT, SEMIBOLD, tracked=True))
        self._centred(painter, centre, -6 * self._scale, numbers.memory(segment.part.size_bytes))
        painter.setPen(theme.sec)
        painter.setFont(tokens.font(tokens.SECOND))
        inner = self._measures.diameter / 2 - self._measures.width
        for row, line in enumerate(two_lines(segment.part.title, (inner * 2 - 22) * self._scale, painter)):
            self._centred(painter, centre, (13 + row * 15) * self._scale, line)

    def _centred(self, painter: QPainter, centre: QPointF, down: float, text: str) -> None:
        width = painter.fontMetrics().horizontalAdvance(text)
        painter.drawText(QPointF(centre.x() - width / 2, centre.y() + down), text)


def two_lines(text: str, width: float, painter: QPainter) -> list[str]:
    """Break a name at a space so that it fits; what does not fit in two lines is elided."""
    metrics = painter.fontMetrics()
    if metrics.horizontalAdvance(text) <= width:
        return [text]
    words = text.split(" ")
    first = words.pop(0)
    while words and metrics.horizontalAdvance(f"{first} {words[0]}") <= width:
        first = f"{first} {words.pop(0)}"
    lines = [first, " ".join(words)] if words else [first]
    return [metrics.elidedText(line, Qt.TextElideMode.ElideRight, int(width)) for line in lines]


def segment_name(segment: Segment) -> str:
    """Return what a screen reader says: host, title, memory and whether it can be released."""
    part = segment.part
    words = [part.mark.name] if part.title == part.mark.name else [part.mark.name, part.title]
    words.append(numbers.memory(part.size_bytes))
    if part.releasable:
        words.append("can be released")
    return ", ".join(words)


def spoken(snapshot: Snapshot | None, *, paused: bool = False) -> str:
    """Return the ring in one line: the tray's tooltip and the accessible name of every ring."""
    if snapshot is None:
        return "Agent Ring, nothing measured yet"
    words = ["Agent Ring"]
    if paused:
        words.append("paused")
    words.append(f"{numbers.of_total(snapshot.totals.held_bytes, snapshot.machine.memory_total_bytes)} held")
    if snapshot.totals.reclaimable_bytes > 0:
        words.append(f"{numbers.memory(snapshot.totals.reclaimable_bytes)} can be released")
    waiting = sum(1 for g in snapshot.groups if g.verdict is not None and g.verdict.state is State.WAITING)
    if waiting:
        words.append(f"{numbers.count(waiting, 'session')} {'waits' if waiting == 1 else 'wait'} for you")
    return ", ".join(words)
