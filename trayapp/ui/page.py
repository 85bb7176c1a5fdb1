"""What every page of the window has: a head with its title and controls, and below it the body.

Knows nothing of what a page shows.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from trayapp.ui import tokens
from trayapp.ui.controls import Button, Kind, Panel, Scroll, Text
from trayapp.ui.marks import paint_warning
from trayapp.ui.tokens import MEDIUM, SEMIBOLD, px

HEAD_HEIGHT = 64


class Page(QWidget):
    """Hold a head (title left, `head` right) and a `body`; with `scrolls` the body scrolls as a whole."""

    def __init__(self, title: str, *, scrolls: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = Text(title, size=tokens.TITLE_PAGE, weight=SEMIBOLD, tracked=True)
        self.title.setMinimumWidth(round(tokens.text_width(title, self.title.font())) + 2)
        self.head = QHBoxLayout()
        self.head.setSpacing(px(8))
        top = QHBoxLayout()
        top.setContentsMargins(px(tokens.PAGE_PADDING), 0, px(tokens.PAGE_PADDING), 0)
        top.setSpacing(px(16))
        top.addWidget(self.title)
        top.addStretch(1)
        top.addLayout(self.head)
        self._head_row = QWidget()
        self._head_row.setFixedHeight(px(HEAD_HEIGHT))
        self._head_row.setLayout(top)
        self.body = QVBoxLayout()
        self.body.setSpacing(px(tokens.CARD_GAP))
        margin = px(tokens.PAGE_PADDING)
        self.body.setContentsMargins(margin, 0, margin, margin)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head_row)
        if scrolls:
            content = QWidget()
            content.setLayout(self.body)
            column.addWidget(Scroll(content), 1)
        else:
            column.addLayout(self.body, 1)

    @property
    def head_row(self) -> QWidget:
        return self._head_row


class Note(Panel):
    """Say in amber that something is wrong: a title and one line of what it means."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("amber_bg", outline=None, parent=parent)
        self._title = Text("", weight=SEMIBOLD, tone="ink")
        self._line = Text("", size=tokens.SECOND, tone="sec", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(44), px(10), px(16), px(10))
        column.setSpacing(px(2))
        column.addWidget(self._title)
        column.addWidget(self._line)
        self.hide()

    def show_words(self, title: str, line: str) -> None:
        """Show the note; an empty title hides it."""
        self._title.setText(title)
        self._line.setText(line)
        self.setAccessibleName(f"{title}. {line}")
        self.setVisible(bool(title))

    @property
    def words(self) -> tuple[str, str]:
        return self._title.text(), self._line.text()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter, theme = QPainter(self), tokens.theme()
        side = px(16)
        box = self.rect().adjusted(px(16), px(12), 0, 0).toRectF()
        box.setSize(box.size().scaled(side, side, Qt.AspectRatioMode.IgnoreAspectRatio))
        paint_warning(painter, box, theme.amber, theme.amber_bg)


class EmptyState(QWidget):
    """Say that there is nothing to show, and what to do about it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = Text("", size=tokens.TITLE_CARD, weight=SEMIBOLD, align=Qt.AlignmentFlag.AlignHCenter)
        self._line = Text("", tone="sec", wrap=True, align=Qt.AlignmentFlag.AlignHCenter)
        self._line.setFixedWidth(px(400))
        self.button = Button("", Kind.PLAIN)
        self.button.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(px(24), px(32), px(24), px(32))
        column.setSpacing(px(8))
        column.addStretch(1)
        for widget in (self._title, self._line, self.button):
            column.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)

    def show_words(self, title: str, line: str) -> None:
        self._title.setText(title)
        self._title.setFixedWidth(round(tokens.text_width(title, self._title.font())) + 4)
        self._line.setText(line)

    @property
    def words(self) -> tuple[str, str]:
        return self._title.text(), self._line.text()


class Command(Panel):
    """Show a command in fixed width; elides, with the whole command as tooltip and for a screen reader."""

    def __init__(self, command: str, *, height: int = 32, parent: QWidget | None = None) -> None:
        super().__init__("tint", outline=None, radius=tokens.RADIUS_BUTTON, parent=parent)
        self.setFixedHeight(px(height))
        self._text = Text(command, size=tokens.SECOND)
        self._text.setFont(tokens.mono_font(tokens.SMALL))
        row = QHBoxLayout(self)
        row.setContentsMargins(px(10), 0, px(10), 0)
        row.addWidget(self._text)
        self.set_command(command)

    def set_command(self, command: str) -> None:
        self._text.setText(command)
        self.setToolTip(command)
        self.setAccessibleName(f"Command: {command}")


class ColumnHead(QWidget):
    """Show the heads of a list whose rows place their cells at the same x."""

    def __init__(self, heads: list[tuple[str, int, Qt.AlignmentFlag]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(px(28))
        row = QHBoxLayout(self)
        row.setContentsMargins(px(tokens.TABLE_PADDING), 0, px(tokens.TABLE_PADDING), 0)
        row.setSpacing(px(tokens.MARK_GAP))
        for text, width, align in heads:
            head = Text(text, size=tokens.SMALL, weight=MEDIUM, tone="sec", align=align)
            if width:
                head.setFixedWidth(px(width))
                row.addWidget(head)
            else:
                row.addWidget(head, 1)
