"""Marks: what says host and state without a word, painted at any size.

Knows shapes and which group wears which mark. Takes colours from the theme and names from the snapshot's labels.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from trayapp.model.session import HostLabel, State
from trayapp.model.snapshot import ORPHAN_KINDS, Group, GroupKind, Snapshot
from trayapp.say import say
from trayapp.ui import tokens
from trayapp.ui.tokens import SEMIBOLD, Theme


class MarkKind(Enum):
    """What the square shows: a host's two letters, three dots, or a broken line."""

    HOST = auto()
    SHARED = auto()
    ORPHAN = auto()


@dataclass(frozen=True, slots=True)
class Mark:
    """Name a host mark; `label` is set for MarkKind.HOST only."""

    kind: MarkKind
    label: HostLabel | None = None

    @property
    def name(self) -> str:
        """Return what a screen reader says."""
        if self.kind is MarkKind.HOST and self.label is not None:
            return self.label.title
        return say("Orphans") if self.kind is MarkKind.ORPHAN else say("Shared helpers")

    def colour(self, theme: Theme) -> QColor:
        """Return the colour that stands for it on the ring and in charts."""
        if self.kind is MarkKind.ORPHAN:
            return theme.ink
        return theme.host(self.label).fill


SHARED = Mark(MarkKind.SHARED)
ORPHAN = Mark(MarkKind.ORPHAN)


def mark_of(group: Group, snapshot: Snapshot) -> Mark:
    """Return the mark that a group wears: what is a host's wears its mark, orphans the broken line, the rest dots."""
    if group.kind in ORPHAN_KINDS:
        return ORPHAN
    if group.kind not in (GroupKind.SESSION, GroupKind.INFRA) or group.host is None:
        return SHARED
    label = snapshot.label(group.host)
    if label is None:
        label = HostLabel(host=group.host, title=group.host, letters=group.host[:2].capitalize())
    return Mark(MarkKind.HOST, label)


class StateShape(Enum):
    """The small sign before a state's words."""

    BUSY = auto()
    WAITING = auto()
    IDLE = auto()
    UNKNOWN = auto()
    GONE = auto()
    CHECK = auto()


STATE_SHAPES = {
    State.BUSY: StateShape.BUSY,
    State.WAITING: StateShape.WAITING,
    State.IDLE: StateShape.IDLE,
    State.UNKNOWN: StateShape.UNKNOWN,
    State.ENDED: StateShape.GONE,
}


def state_shape(group: Group) -> StateShape:
    """Return the sign of a group's state; a session without a verdict is unknown, anything else is gone."""
    if group.kind is not GroupKind.SESSION:
        return StateShape.GONE
    return STATE_SHAPES[group.verdict.state] if group.verdict is not None else StateShape.UNKNOWN


def paint_host_mark(painter: QPainter, rect: QRectF, mark: Mark, theme: Theme) -> None:
    """Paint a mark into a square of any size."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    side = rect.width()
    radius = side * tokens.MARK_RADIUS_SHARE
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(mark.colour(theme))
    if mark.kind is MarkKind.HOST and mark.label is not None:
        _paint_letters(painter, rect, mark.label, theme, radius)
    else:
        painter.drawRoundedRect(rect, radius, radius)
        if mark.kind is MarkKind.ORPHAN:
            _paint_broken_line(painter, rect, theme.on_ink)
        else:
            _paint_dots(painter, rect, tokens.letters_on(theme.neutral))
    painter.restore()


def _paint_letters(painter: QPainter, rect: QRectF, label: HostLabel, theme: Theme, radius: float) -> None:
    colour = theme.host(label)
    if colour.hollow:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(colour.fill, 1.5))
        painter.drawRoundedRect(rect.adjusted(0.75, 0.75, -0.75, -0.75), radius, radius)
    else:
        painter.drawRoundedRect(rect, radius, radius)
    letters = QFont(tokens.font(tokens.BODY, SEMIBOLD))
    letters.setPixelSize(max(6, round(rect.width() * 0.5)))
    painter.setFont(letters)
    painter.setPen(colour.letters)
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, label.letters)


def _paint_dots(painter: QPainter, rect: QRectF, colour: QColor) -> None:
    painter.setBrush(colour)
    radius = rect.width() * 0.065
    for offset in (-0.2, 0.0, 0.2):
        painter.drawEllipse(rect.center() + QPointF(rect.width() * offset, 0), radius, radius)


def _paint_broken_line(painter: QPainter, rect: QRectF, colour: QColor) -> None:
    pen = QPen(colour, rect.width() * 0.09)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    at = rect.topLeft()
    side = rect.width()
    painter.drawLine(at + QPointF(side * 0.26, side * 0.58), at + QPointF(side * 0.42, side * 0.58))
    painter.drawLine(at + QPointF(side * 0.58, side * 0.42), at + QPointF(side * 0.74, side * 0.42))


def paint_state_mark(painter: QPainter, rect: QRectF, shape: StateShape, colour: QColor) -> None:
    """Paint a state sign into a square of 8."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    side = rect.width()
    at = rect.topLeft()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    if shape is StateShape.BUSY:
        points = [QPointF(side * 0.1, 0), QPointF(side, side * 0.5), QPointF(side * 0.1, side)]
        painter.drawPolygon(QPolygonF([at + point for point in points]))
    elif shape is StateShape.WAITING:
        painter.drawEllipse(rect)
    elif shape is StateShape.IDLE:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(colour, side * 0.175))
        inset = side * 0.0875
        painter.drawEllipse(rect.adjusted(inset, inset, -inset, -inset))
    elif shape is StateShape.UNKNOWN:
        question = QFont(tokens.font(tokens.SECOND, QFont.Weight.Bold))
        question.setPixelSize(round(side * 1.4))
        painter.setFont(question)
        painter.setPen(colour)
        painter.drawText(rect.adjusted(-4, -4, 4, 4), Qt.AlignmentFlag.AlignCenter, "?")
    elif shape is StateShape.GONE:
        painter.drawRoundedRect(QRectF(at + QPointF(0, side * 0.42), at + QPointF(side, side * 0.6)), 0.7, 0.7)
    else:
        _paint_check(painter, rect, colour, side * 0.2)
    painter.restore()


def paint_check(painter: QPainter, rect: QRectF, colour: QColor, width: float) -> None:
    """Paint a check mark that fills the square."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _paint_check(painter, rect, colour, width)
    painter.restore()


def _paint_check(painter: QPainter, rect: QRectF, colour: QColor, width: float) -> None:
    pen = QPen(colour, width)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    at, side = rect.topLeft(), rect.width()
    line = [QPointF(side * 0.06, side * 0.54), QPointF(side * 0.36, side * 0.84), QPointF(side * 0.94, side * 0.2)]
    painter.drawPolyline(QPolygonF([at + point for point in line]))


def paint_warning(painter: QPainter, rect: QRectF, colour: QColor, ground: QColor) -> None:
    """Paint the warning triangle with its "!" in the ground's colour."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    side = rect.width()
    pen = QPen(colour, side * 0.12)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(colour)
    corners = [QPointF(side * 0.5, side * 0.12), QPointF(side * 0.94, side * 0.88), QPointF(side * 0.06, side * 0.88)]
    painter.drawPolygon(QPolygonF([rect.topLeft() + corner for corner in corners]))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ground)
    _paint_exclamation(painter, rect, top=0.36, bar=0.28, dot_top=0.72)
    painter.restore()


def paint_critical(painter: QPainter, rect: QRectF, colour: QColor, ground: QColor) -> None:
    """Paint the critical disc with its "!" in the ground's colour."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawEllipse(rect)
    painter.setBrush(ground)
    _paint_exclamation(painter, rect, top=0.22, bar=0.34, dot_top=0.66)
    painter.restore()


def _paint_exclamation(painter: QPainter, rect: QRectF, *, top: float, bar: float, dot_top: float) -> None:
    side = rect.width()
    left = rect.left() + side * 0.44
    painter.drawRoundedRect(QRectF(left, rect.top() + side * top, side * 0.12, side * bar), side * 0.05, side * 0.05)
    painter.drawEllipse(QRectF(left, rect.top() + side * dot_top, side * 0.12, side * 0.12))


def paint_releasable(painter: QPainter, rect: QRectF, theme: Theme) -> None:
    """Paint the small outlined bar that stands for "can be released now"."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.ink, 1.5))
    painter.setBrush(tokens.with_alpha(theme.ink, 0.15))
    painter.drawRoundedRect(rect.adjusted(0.75, 0.75, -0.75, -0.75), 2.5, 2.5)
    painter.restore()


class HostMark(QWidget):
    """Show a host mark; sizes in use are 14, 18, 22 and 32."""

    def __init__(self, mark: Mark, size: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._size = tokens.px(size)
        self._mark = mark
        self.setFixedSize(self._size, self._size)
        self.set_mark(mark)

    def set_mark(self, mark: Mark) -> None:
        self._mark = mark
        self.setAccessibleName(mark.name)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._size, self._size)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_host_mark(painter, QRectF(self.rect()), self._mark, tokens.theme())
