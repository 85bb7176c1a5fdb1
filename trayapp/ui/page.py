"""What every page of the window has: a head with its title and controls, and below it the body.

Knows nothing of what a page shows.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from trayapp.say import say
from trayapp.ui import tokens
from trayapp.ui.controls import Panel, Scroll, Text
from trayapp.ui.marks import paint_warning
from trayapp.ui.scrollbar import WIDTH as SCROLLBAR
from trayapp.ui.scrollbar import SlimScrollBar
from trayapp.ui.tokens import MEDIUM, SEMIBOLD, px

HEAD_HEIGHT = 64


def scroll_page(content: QWidget) -> Scroll:
    """Scroll a page's content; the room of the bar is always kept, so that nothing shifts."""
    scroll = Scroll(content)
    scroll.setVerticalScrollBar(SlimScrollBar())
    scroll.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
    return scroll


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
        head_row = QWidget()
        head_row.setFixedHeight(px(HEAD_HEIGHT))
        head_row.setLayout(top)
        self.body = QVBoxLayout()
        self.body.setSpacing(px(tokens.CARD_GAP))
        margin = px(tokens.PAGE_PADDING)
        self.body.setContentsMargins(margin, 0, margin, margin)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head_row)
        if scrolls:
            content = QWidget()
            content.setLayout(self.body)
            self.body.setContentsMargins(margin, 0, margin - px(SCROLLBAR), margin)
            column.addWidget(scroll_page(content), 1)
        else:
            column.addLayout(self.body, 1)


class Note(Panel):
    """Say in amber that something is wrong: a title and one line of what it means."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("amber_bg", outline=None, parent=parent)
        self._title = Text("", weight=SEMIBOLD, tone="ink")
        self._line = Text("", size=tokens.SECOND, tone="sec", wrap=True)
        column = QVBoxLayout(self)
        tokens.set_margins(column, px(44), px(10), px(16), px(10))
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
        column = QVBoxLayout(self)
        column.setContentsMargins(px(24), px(32), px(24), px(32))
        column.setSpacing(px(8))
        column.addStretch(1)
        for widget in (self._title, self._line):
            column.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)

    def show_words(self, title: str, line: str) -> None:
        self._title.setText(title)
        self._title.setFixedWidth(round(tokens.text_width(title, self._title.font())) + 4)
        self._line.setText(line)
        self._line.setFixedHeight(self._line.heightForWidth(self._line.width()))

    @property
    def words(self) -> tuple[str, str]:
        return self._title.text(), self._line.text()


class Command(Panel):
    """Show a command in fixed width; elides, with all that is copied as tooltip and for a screen reader."""

    def __init__(self, *, height: int = 32, parent: QWidget | None = None) -> None:
        super().__init__("tint", outline=None, radius=tokens.RADIUS_BUTTON, parent=parent)
        self.setFixedHeight(px(height))
        self._text = Text("", size=tokens.SECOND)
        self._text.setFont(tokens.mono_font(tokens.SMALL))
        row = QHBoxLayout(self)
        row.setContentsMargins(px(10), 0, px(10), 0)
        row.addWidget(self._text)

    @property
    def text(self) -> str:
        return self._text.text()

    def wanted_width(self, most: int) -> int:
        """Return the width at which the command is whole, but not more than `most`."""
        return min(most, round(tokens.text_width(self.text, self._text.font())) + px(20) + 2)

    def set_command(self, shown: str, copied: str) -> None:
        """Show the command; `copied` is the same with the folder to run it in."""
        self._text.setText(shown)
        self.setToolTip(copied)
        self.setAccessibleName(say("Command: {command}", command=copied))


class ColumnHead(QWidget):
    """Show the heads of a list whose rows place their cells at the same x."""

    def __init__(self, heads: list[tuple[str, int, Qt.AlignmentFlag]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(px(28))
        self._heads: dict[str, Text] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(px(tokens.TABLE_PADDING), 0, px(tokens.TABLE_PADDING), 0)
        row.setSpacing(px(tokens.MARK_GAP))
        for text, width, align in heads:
            head = Text(text, size=tokens.SMALL, weight=MEDIUM, tone="sec", align=align)
            self._heads[text] = head
            if width:
                head.setFixedWidth(px(width))
                row.addWidget(head)
            else:
                row.addWidget(head, 1)

    def set_width(self, text: str, width: int) -> None:
        """Change the width of one head, if it is there."""
        if text in self._heads:
            self._heads[text].setFixedWidth(px(width))
