"""Cards of rows, one card per topic: a label, one line of help, and a control at the right. For settings and the like.

Knows no setting.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from trayapp.ui import tokens
from trayapp.ui.controls import Hairline, Panel, Text
from trayapp.ui.tokens import MEDIUM, SEMIBOLD, px

WIDTH = 640


class TopicRow(QWidget):
    """Show a label and its help, and what belongs to it at the right; the control is named by the label."""

    def __init__(self, label: str, help_words: str, *controls: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = Text(label, weight=MEDIUM, wrap=True)
        self.help = Text(help_words, size=tokens.SECOND, tone="sec", wrap=True)
        self.help.setVisible(bool(help_words))
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addStretch(1)
        words.addWidget(self.label)
        words.addWidget(self.help)
        words.addStretch(1)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, px(8), 0, px(8))
        line.setSpacing(px(8))
        line.addLayout(words, 1)
        line.addSpacing(px(8))
        for control in controls:
            line.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter)
            if not control.accessibleName():
                control.setAccessibleName(label)
        self.setMinimumHeight(px(40))

    def set_help(self, words: str) -> None:
        """Change the line of help; an empty one goes."""
        self.help.setText(words)
        self.help.setVisible(bool(words))


def value(words: str = "") -> Text:
    """Return words that stand where a control would; whole, never cut."""
    text = Text(words, tone="sec", align=Qt.AlignmentFlag.AlignRight)
    text.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
    return text


def add_card(column: QVBoxLayout, title: str, rows: Sequence[QWidget]) -> Panel:
    """Add a card with its heading to a column, and return it."""
    column.addWidget(Text(title, weight=SEMIBOLD))
    card = Panel()
    inner = QVBoxLayout(card)
    inner.setContentsMargins(px(20), px(4), px(20), px(4))
    inner.setSpacing(0)
    for number, row in enumerate(rows):
        if number:
            inner.addWidget(Hairline())
        inner.addWidget(row)
    column.addWidget(card)
    column.addSpacing(px(10))
    return card


def one_column(body: QVBoxLayout, column: QVBoxLayout) -> None:
    """Put a column of cards into a page's body, as wide as it reads well."""
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(px(8))
    box = QWidget()
    box.setMaximumWidth(px(WIDTH))
    box.setLayout(column)
    row = QHBoxLayout()
    row.addWidget(box, WIDTH)
    row.addStretch(1)
    body.addLayout(row)
    body.addStretch(1)
