"""The large ring as a widget: paints segments, and is reached by pointer and keys.

Knows nothing of where it is shown or what a click does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from trayapp.model.snapshot import HeapUse, Snapshot
from trayapp.say import say
from trayapp.ui import heap_view, numbers, tokens
from trayapp.ui.glance import spoken
from trayapp.ui.icon import GAUGE_DEGREES, arc_path
from trayapp.ui.marks import Mark, paint_host_mark
from trayapp.ui.ring_parts import SHARED_HEAP as SHARED_HEAP
from trayapp.ui.ring_parts import Part as Part
from trayapp.ui.ring_parts import Segment, angle_of, between, look_of, segment_at, segment_name
from trayapp.ui.ring_parts import heap_parts as heap_parts
from trayapp.ui.ring_parts import host_mark as host_mark
from trayapp.ui.ring_parts import parts as parts
from trayapp.ui.ring_parts import ring_order as ring_order
from trayapp.ui.ring_parts import segments as segments
from trayapp.ui.tokens import SEMIBOLD
from trayapp.wording import THIN_SPACE

if TYPE_CHECKING:
    from trayapp.ui.motion import Move


@dataclass(frozen=True, slots=True, kw_only=True)
class RingSize:
    """Hold the measures of one large ring.

    With `ink_only` there is no host colour, no gap and no figure. A `gauge` is open at the bottom, for a host's heap.
    """

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
    gauge: bool = False


POPOVER = RingSize(
    diameter=152, width=17, gap=1.5, outline=1.6, track=3, figure=30, figure_down=3, caption=12, caption_down=21
)
FIRST_RUN = RingSize(
    diameter=192, width=22, gap=1.5, outline=1.6, track=3, figure=36, figure_down=5, caption=13, caption_down=27
)
HEAP = RingSize(
    diameter=96,
    width=11,
    gap=1.2,
    outline=1.4,
    track=2.5,
    figure=20,
    figure_down=3,
    caption=11,
    caption_down=17,
    gauge=True,
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
        self._drawn: tuple[Segment, ...] = ()
        self._moving: Move | None = None
        self.marked = ""
        self._held = "0"
        self._caption = ""
        self._held_before: tuple[object, ...] | None = None
        self._foot: Mark | None = None
        if not size.ink_only:
            self.setMouseTracking(True)
            self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def show_snapshot(self, snapshot: Snapshot | None, *, moves: bool = False) -> None:
        """Show a snapshot; nothing is repainted when nothing changed. With `moves` the zones move to their place."""
        held_now = None if snapshot is None else look_of(snapshot)
        if held_now is not None and held_now == self._held_before:
            return
        self._held_before = held_now
        if snapshot is None:
            shown: tuple[Segment, ...] = ()
            held, caption, name = "–", "", spoken(None)
        else:
            total = snapshot.machine.memory_total_bytes
            shown = segments(parts(snapshot), total)
            held, unit = numbers.memory_parts(snapshot.totals.held_bytes)
            whole, total_unit = numbers.round_total(total)
            held = "0" if snapshot.totals.held_bytes == 0 else held if unit == total_unit else f"{held}\u202f{unit}"
            caption = say("of {total}", total=f"{whole}{THIN_SPACE}{total_unit}")
            name = spoken(snapshot)
        self._show(shown, held, caption, name, moves=moves)

    def show_heap(self, heap: HeapUse, snapshot: Snapshot) -> None:
        """Show how full a heap is and what of; its host's mark stands in the opening."""
        self._held_before = None
        shown = segments(heap_parts(heap, snapshot), heap.limit_bytes or heap.used_bytes, gauge=True)
        figure = numbers.memory(heap.used_bytes) if heap.share is None else f"{heap.share * 100:.0f}{THIN_SPACE}%"
        limit, unit = numbers.round_total(heap.limit_bytes) if heap.limit_bytes else ("", "")
        self._foot = host_mark(heap.host, snapshot)
        said = heap_view.spoken(heap, snapshot)
        caption = say("of {total}", total=f"{limit}{THIN_SPACE}{unit}") if limit else say("heap")
        self._show(shown, figure, caption, said[:1].upper() + said[1:])

    def _show(self, shown: tuple[Segment, ...], held: str, caption: str, name: str, *, moves: bool = False) -> None:
        if (shown, held, caption) == (self.segments, self._held, self._caption):
            return
        before = self.segments
        self.segments, self._held, self._caption = shown, held, caption
        if not self._measures.ink_only:  # nothing to point at, nothing to stop at
            self.setFocusPolicy(Qt.FocusPolicy.TabFocus if shown else Qt.FocusPolicy.NoFocus)
        if moves and before:
            self._move_from(before)
        elif self._moving is None:
            self._drawn = shown
        if self.marked and self._marked_segment() is None:
            self.marked = ""
        self.setAccessibleName(name)
        self.setAccessibleDescription("; ".join(segment_name(segment) for segment in shown))
        self.update()

    def _move_from(self, before: tuple[Segment, ...]) -> None:
        from trayapp.ui import motion

        def step(share: float) -> None:
            self._drawn = between(before, self.segments, share) if share < 1 else self.segments
            self.update()

        def done() -> None:
            self._moving, self._drawn = None, self.segments
            self.update()

        if self._moving is None:
            self._moving = motion.run(self, step, done)

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
        angle = angle_of(point, centre)
        return segment_at(self.segments, angle - 360 if self._measures.gauge and angle > 180 else angle)

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
            for segment in self._drawn:
                self._paint_segment(painter, centre, inner, outer, segment)
            self._paint_marked(painter, centre, inner, outer)
            self._paint_figure(painter, centre)
            if self._foot is not None:
                side = tokens.px(16)
                at = QRectF(centre.x() - side / 2, centre.y() + outer - side, side, side)
                paint_host_mark(painter, at, self._foot, tokens.theme())

    def _paint_track(self, painter: QPainter, centre: QPointF, radius: float) -> None:
        gauge = self._measures.gauge
        start, whole = (-GAUGE_DEGREES / 2, GAUGE_DEGREES) if gauge else (0.0, 360.0)
        end = self._drawn[-1].end if self._drawn else start
        free = _TRACK_FREE if end > start else 0.0
        first, last = end + free, start + whole - (0.0 if gauge else free)
        if first >= last:
            return
        half = self._measures.track * self._scale / 2
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tokens.theme().track)
        painter.drawPath(arc_path(centre, radius - half, radius + half, first, last))

    def _paint_zones(self, painter: QPainter, centre: QPointF, inner: float, outer: float) -> None:
        """Paint the two zones in ink, as in the tray."""
        theme = tokens.theme()
        stays = max((s.end for s in self._drawn if not s.part.releasable), default=0.0)
        end = self._drawn[-1].end if self._drawn else 0.0
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
        theme, gauge = tokens.theme(), self._measures.gauge
        size = tokens.TITLE_CARD if gauge else tokens.FIGURE_SEGMENT
        painter.setPen(theme.ink)
        painter.setFont(tokens.font(size, SEMIBOLD, tracked=True))
        self._centred(painter, centre, (-3 if gauge else -6) * self._scale, segment.part.words)
        painter.setPen(theme.sec)
        painter.setFont(tokens.font(tokens.SMALL if gauge else tokens.SECOND))
        inner = self._measures.diameter / 2 - self._measures.width
        lines = two_lines(segment.part.title, (inner * 2 - (8 if gauge else 22)) * self._scale, painter)
        for row, line in enumerate(lines):
            self._centred(painter, centre, ((11 if gauge else 13) + row * (13 if gauge else 15)) * self._scale, line)

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
