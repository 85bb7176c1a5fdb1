"""What is looked for on this computer, what was found and what was not, in one list; the same as `agentring doctor`."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from trayapp.model.finding import Finding, Standing
from trayapp.say import noted, say, told
from trayapp.ui import tokens
from trayapp.ui.controls import Button, Hairline, Kind, Scroll, Text
from trayapp.ui.fit import height_of
from trayapp.ui.marks import StateShape, paint_state_mark, paint_warning
from trayapp.ui.tokens import MEDIUM, SEMIBOLD, px, theme

WIDTH = 480
SIDE = 22
SCREEN_SHARE = 0.8
WORDS = {
    Standing.GOOD: noted("good"),
    Standing.ABSENT: noted("not there"),
    Standing.TROUBLE: noted("trouble"),
}


class _Sign(QWidget):
    """Show a check, a short line or the warning triangle."""

    def __init__(self, standing: Standing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._standing = standing
        self.setFixedSize(px(18), px(18))
        self.setAccessibleName(say(WORDS[standing]))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, shown, rect = QPainter(self), theme(), QRectF(self.rect())
        if self._standing is Standing.TROUBLE:
            paint_warning(painter, rect.adjusted(1, 1, -1, -1), shown.amber, shown.card)
        else:
            shape = StateShape.CHECK if self._standing is Standing.GOOD else StateShape.GONE
            paint_state_mark(painter, rect.adjusted(4, 4, -4, -4), shape, shown.ink)


class FindingsDialog(QDialog):
    """List the findings; holds no question and asks for nothing."""

    def __init__(self, findings: Sequence[Finding], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Agent Ring")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self.setFixedWidth(px(WIDTH))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, px(22), 0, 0)
        column.setSpacing(px(10))
        title = Text(say("What is looked for"), size=tokens.TITLE_PAGE, weight=SEMIBOLD, tracked=True)
        title.setContentsMargins(0, 0, 0, 0)
        head = QHBoxLayout()
        head.setContentsMargins(px(SIDE), 0, px(SIDE), 0)
        head.addWidget(title)
        column.addLayout(head)
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(px(SIDE), 0, px(SIDE), 0)
        rows.setSpacing(px(8))
        for finding in findings:
            rows.addLayout(_row(finding))
        scroll = Scroll(content)
        column.addWidget(scroll)
        column.addWidget(Hairline())
        foot = QHBoxLayout()
        foot.setContentsMargins(px(SIDE), px(4), px(SIDE), px(14))
        foot.addStretch()
        self.done_button = Button(say("Done"), Kind.PRIMARY, height=32, min_width=84)
        self.done_button.clicked.connect(self.accept)
        foot.addWidget(self.done_button)
        column.addLayout(foot)
        most = int(self.screen().availableGeometry().height() * SCREEN_SHARE)
        scroll.setFixedHeight(min(height_of(rows, px(WIDTH)), max(px(120), most - px(130))))
        self.setFixedHeight(height_of(column, px(WIDTH)))

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().card)


def _row(finding: Finding) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(px(10))
    row.addWidget(_Sign(finding.standing), 0, Qt.AlignmentFlag.AlignTop)
    words = QVBoxLayout()
    words.setSpacing(0)
    words.addWidget(Text(finding.topic, weight=MEDIUM))
    tone = "amber" if finding.standing is Standing.TROUBLE else "sec"
    words.addWidget(Text(told(finding.what), size=tokens.SECOND, tone=tone, wrap=True))
    if finding.mend:
        words.addWidget(Text(told(finding.mend), size=tokens.SECOND, tone="sec", wrap=True))
    row.addLayout(words, 1)
    return row
