"""A switch, on or off, in the house look."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from trayapp.ui import tokens
from trayapp.ui.controls import FocusOutline
from trayapp.ui.tokens import px


class Switch(QAbstractButton):
    """Switch something on or off; solid is on."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setAccessibleName(name)
        self.setFixedSize(px(32), max(px(24), tokens.MIN_TARGET))

    def show_on(self, is_on: bool) -> None:
        """Show it on or off without telling."""
        blocked = self.blockSignals(True)
        self.setChecked(is_on)
        self.blockSignals(blocked)
        self.update()

    def sizeHint(self) -> QSize:
        return self.size()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        FocusOutline.show_on(self, event, 12)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        FocusOutline.hide_on(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), tokens.theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        height = px(18)
        track = QRectF(0, (self.height() - height) / 2, self.width(), height)
        radius, knob = height / 2, height - px(6)
        if self.isChecked():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.ink)
            painter.drawRoundedRect(track, radius, radius)
        else:
            painter.setPen(QPen(theme.ter, 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(track.adjusted(0.75, 0.75, -0.75, -0.75), radius, radius)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.on_ink if self.isChecked() else theme.ter)
        left = track.right() - px(3) - knob if self.isChecked() else track.left() + px(3)
        painter.drawEllipse(QRectF(left, track.top() + px(3), knob, knob))
