"""The first line of a journal's entry, which opens and closes it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from trayapp.ui import numbers, tokens
from trayapp.ui.marks import paint_warning
from trayapp.ui.sparkline import paint_chevron
from trayapp.ui.tokens import SEMIBOLD, px

KEYBOARD = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
    Qt.FocusReason.OtherFocusReason,
)
"""Ways in which the focus comes that show it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadWords:
    """Hold what it says: two lines at the left, a figure and a note at the right.

    `strong` figures are what came back; `warns` puts the warning sign before the title.
    """

    at_epoch_s: float
    title: str
    second: str
    figure: str
    note: str
    strong: bool = True
    warns: bool = False


class EntryHead(QAbstractButton):
    """Show the first line of an entry; opens and closes it."""

    def __init__(self, words: HeadWords, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setFixedHeight(px(56))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._time = numbers.clock_time(datetime.fromtimestamp(words.at_epoch_s, UTC))
        self._title, self._second = words.title, words.second
        self._figure, self._expected = words.figure, words.note
        self._strong, self._warns = words.strong, words.warns
        self._by_keyboard = False
        spoken = (self._time, self._title, self._second, self._figure, self._expected)
        self.setAccessibleName(", ".join(part for part in spoken if part))

    @property
    def words(self) -> tuple[str, str, str, str]:
        return self._title, self._second, self._figure, self._expected

    def sizeHint(self) -> QSize:
        return QSize(px(400), px(56))

    def _room(self) -> float:
        """Return the room of its two lines, left of the figure and the note."""
        bold, plain = tokens.font(tokens.BODY, SEMIBOLD), tokens.font(tokens.SECOND)
        widest = max(tokens.text_width(self._figure, bold), tokens.text_width(self._expected, plain))
        return self.width() - px(92) - px(20) - px(12) - widest

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        title = tokens.text_width(self._title, tokens.font(tokens.BODY, SEMIBOLD)) + (px(20) if self._warns else 0)
        second = tokens.text_width(self._second, tokens.font(tokens.SECOND))
        cut = max(title, second) > self._room()
        self.setToolTip(f"{self._title}\n{self._second}" if cut else "")

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._by_keyboard = event.reason() in KEYBOARD
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._by_keyboard = False
        self.update()

    def _paint_focus(self, painter: QPainter) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(tokens.theme().ink, tokens.FOCUS_WIDTH))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        inset = tokens.FOCUS_OFFSET + 1
        radius = tokens.RADIUS_PART - tokens.FOCUS_OFFSET
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), radius, radius)
        painter.restore()

    def _place(self, rect: QRectF) -> QRectF:
        return tokens.mirrored(rect, self)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), tokens.theme()
        if self._by_keyboard:  # inside: it fills its card, beyond which nothing is seen
            self._paint_focus(painter)
        flags = Qt.AlignmentFlag.AlignVCenter
        side = px(10)
        chevron = QRectF(px(17), (self.height() - side) / 2, side, side)
        closed = 180 if self.layoutDirection() is Qt.LayoutDirection.RightToLeft else 0
        paint_chevron(painter, tokens.mirrored(chevron, self), theme.sec, degrees=90 if self.isChecked() else closed)
        top, bottom = QRectF(0, px(10), self.width(), px(18)), QRectF(0, px(28), self.width(), px(16))
        painter.setFont(tokens.font(tokens.SECOND))
        painter.setPen(theme.sec)
        painter.drawText(self._place(top.adjusted(px(40), 0, 0, 0)), flags | Qt.AlignmentFlag.AlignLeft, self._time)
        right = px(20)
        painter.drawText(
            self._place(bottom.adjusted(0, 0, -right, 0)), flags | Qt.AlignmentFlag.AlignRight, self._expected
        )
        bold = tokens.font(tokens.BODY, SEMIBOLD)
        painter.setFont(bold if self._strong else tokens.font(tokens.BODY))
        painter.setPen(theme.ink if self._strong else theme.sec)
        painter.drawText(self._place(top.adjusted(0, 0, -right, 0)), flags | Qt.AlignmentFlag.AlignRight, self._figure)
        room = self._room()
        lead = px(20) if self._warns else 0
        if self._warns:
            side = px(14)
            box = QRectF(px(92), top.center().y() - side / 2, side, side)
            paint_warning(painter, self._place(box), theme.amber, theme.card)
        for line, text, font, colour, indent in (
            (top, self._title, bold, theme.ink, lead),
            (bottom, self._second, tokens.font(tokens.SECOND), theme.sec, 0),
        ):
            painter.setFont(font)
            painter.setPen(colour)
            elided = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(room) - indent)
            place = self._place(line.adjusted(px(92) + indent, 0, 0, 0))
            painter.drawText(place, flags | Qt.AlignmentFlag.AlignLeft, elided)
