"""A slim scroll bar: a round handle and nothing else, invisible where there is nothing to scroll."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QScrollBar, QStyle, QStyleOptionSlider, QWidget

from trayapp.ui import tokens
from trayapp.ui.tokens import px

WIDTH = 10


class SlimScrollBar(QScrollBar):
    """Scroll up and down; 10 wide, so that it can be hit, with a handle of 6."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.setFixedWidth(px(WIDTH))

    def sizeHint(self) -> QSize:
        return QSize(px(WIDTH), px(60))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.maximum() <= self.minimum():
            return
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        control, handle = QStyle.ComplexControl.CC_ScrollBar, QStyle.SubControl.SC_ScrollBarSlider
        rect = QRectF(self.style().subControlRect(control, option, handle, self))
        painter, theme = QPainter(self), tokens.theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.ter if self.underMouse() or self.isSliderDown() else theme.track)
        inner = rect.adjusted(px(2), px(2), -px(2), -px(2))
        painter.drawRoundedRect(inner, inner.width() / 2, inner.width() / 2)
