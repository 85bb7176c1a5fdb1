"""The one question before something may be lost, in a dialog of its own. It names the loss."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from trayapp.say import say
from trayapp.targets import Question
from trayapp.ui import tokens
from trayapp.ui.controls import Button, Kind, Text
from trayapp.ui.tokens import SEMIBOLD, px

WIDTH = 400


class QuestionDialog(QDialog):
    """Ask; accepted() means yes. The focus starts on Cancel."""

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Agent Ring")
        self.setFixedWidth(px(WIDTH))
        self.no = Button(say("Cancel"))
        self.yes = Button(question.verb, Kind.DANGER if question.danger else Kind.PRIMARY)
        self.yes.setAccessibleDescription(question.loss)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(0, px(16), 0, 0)
        buttons.setSpacing(px(8))
        buttons.addStretch(1)
        buttons.addWidget(self.no)
        buttons.addWidget(self.yes)
        column = QVBoxLayout(self)
        padding = px(tokens.CARD_PADDING)
        column.setContentsMargins(padding, padding, padding, padding)
        column.setSpacing(px(6))
        column.addWidget(Text(question.title, size=tokens.TITLE_CARD, weight=SEMIBOLD, wrap=True))
        column.addWidget(Text(question.loss, tone="sec", wrap=True))
        column.addLayout(buttons)
        self.setAccessibleName(f"{question.title} {question.loss}")
        self.no.clicked.connect(self.reject)
        self.yes.clicked.connect(self.accept)
        self.setFixedHeight(column.totalHeightForWidth(self.width()))
        self.no.setFocus()
