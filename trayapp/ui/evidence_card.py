"""Why a session counts as idle, busy, waiting or unknown: the verdict, and each piece of evidence with its age."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from trayapp import why
from trayapp.model.snapshot import Group
from trayapp.say import say
from trayapp.ui import numbers, tokens
from trayapp.ui.controls import Hairline, Panel, Text
from trayapp.ui.marks import StateShape, paint_check, paint_state_mark, state_shape
from trayapp.ui.tokens import MEDIUM, SEMIBOLD, px
from trayapp.why import Bearing, Line

WIDTH = 432
ROW = 47


class BearingMark(QWidget):
    """Show the sign of one row: check, dash, ? or !."""

    def __init__(self, shown: Bearing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bearing = shown
        self.setFixedSize(px(16), px(16))
        self.setAccessibleName(shown.spoken)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), tokens.theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(px(3), px(3), -px(3), -px(3))
        if self.bearing is Bearing.FOR:
            paint_check(painter, box, theme.ink, 1.6)
        elif self.bearing is Bearing.TOLD:
            painter.fillRect(QRectF(box.left(), box.center().y() - 0.75, box.width(), 1.5), theme.ter)
        else:
            painter.setFont(tokens.font(tokens.BODY, SEMIBOLD))
            against = self.bearing is Bearing.AGAINST
            painter.setPen(theme.amber if against else theme.sec)
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, "!" if against else "?")


class VerdictMark(QWidget):
    """Show the sign of a state, 8 wide."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shape = StateShape.UNKNOWN
        self.setFixedSize(px(10), px(10))

    def show_group(self, group: Group) -> None:
        self._shape = state_shape(group)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        loud = self._shape in (StateShape.BUSY, StateShape.WAITING)
        colour = tokens.theme().ink if loud else tokens.theme().sec
        paint_state_mark(QPainter(self), QRectF(self.rect()).adjusted(1, 1, -1, -1), self._shape, colour)


class _Row(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(px(ROW))
        self._mark = BearingMark(Bearing.TOLD)
        self._fact = Text("", weight=MEDIUM)
        self._source = Text("", size=tokens.SECOND, tone="sec")
        self._age = Text("", size=tokens.SECOND, tone="sec", align=Qt.AlignmentFlag.AlignRight)
        words = QVBoxLayout()
        words.setContentsMargins(0, px(5), 0, 0)
        words.setSpacing(0)
        words.addWidget(self._fact)
        words.addWidget(self._source)
        words.addStretch(1)
        age = QVBoxLayout()
        age.setContentsMargins(0, px(6), 0, 0)
        age.addWidget(self._age)
        age.addStretch(1)
        line = QHBoxLayout()
        line.addLayout(words, 1)
        line.addLayout(age)
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addWidget(Hairline())
        right.addLayout(line, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(px(12))
        row.addWidget(self._mark)
        row.addLayout(right, 1)

    def show_line(self, line: Line) -> None:
        self._mark.bearing = line.bearing
        self._mark.update()
        self._fact.setText(line.fact)
        self._source.setText(line.source)
        self._age.setText(line.age)
        parts = (line.fact, line.bearing.spoken, line.source, line.age)
        self.setAccessibleName(", ".join(part for part in parts if part))


class EvidenceCard(Panel):
    """Show the verdict on one group and what it rests on; rows are kept and refilled."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._title = Text("", size=tokens.TITLE_CARD, weight=SEMIBOLD)
        self._mark = VerdictMark()
        self._verdict = Text("")
        self._rows: list[_Row] = []
        self._list = QVBoxLayout()
        self._list.setSpacing(0)
        self._unused = Text("", size=tokens.SECOND, tone="sec", wrap=True)
        verdict = QHBoxLayout()
        verdict.setSpacing(px(8))
        verdict.addWidget(self._mark)
        verdict.addWidget(self._verdict, 1)
        column = QVBoxLayout(self)
        padding = px(tokens.CARD_PADDING)
        column.setContentsMargins(padding, px(16), padding, px(14))
        column.setSpacing(px(8))
        column.addWidget(self._title)
        column.addLayout(verdict)
        column.addLayout(self._list)
        column.addStretch(1)
        column.addWidget(self._unused)

    @property
    def words(self) -> tuple[str, str]:
        return self._title.text(), self._verdict.text()

    @property
    def row_words(self) -> tuple[str, ...]:
        return tuple(row.accessibleName() for row in self._rows if not row.isHidden())

    def show_group(self, group: Group, now_epoch_s: float) -> None:
        self._title.setText(why.question(group))
        self._mark.show_group(group)
        self._verdict.setText(why.verdict_words(group, now_epoch_s))
        lines = why.lines(group, now_epoch_s)
        while len(self._rows) < len(lines):
            self._rows.append(_Row())
            self._list.addWidget(self._rows[-1])
        for row, line in zip(self._rows, lines, strict=False):
            row.show_line(line)
        for number, row in enumerate(self._rows):
            row.setVisible(number < len(lines))
        if group.cpu_percent is None:
            unused = say("CPU and file dates are not used as proof.")
        else:
            cpu = numbers.percent(group.cpu_percent)
            unused = say("CPU of {cpu} and file dates are not used as proof.", cpu=cpu)
        self._unused.setText(unused)
        self._unused.setVisible(group.verdict is not None)
