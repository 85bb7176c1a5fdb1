"""One row of the popover's list: paints what its value says, and holds its button and the way to its menu.

Knows nothing of order, nor of what a click does.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QEnterEvent,
    QFocusEvent,
    QFont,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from trayapp.say import say
from trayapp.targets import Offer, Question
from trayapp.ui import tokens
from trayapp.ui.controls import Button, Kind, Panel, Text
from trayapp.ui.keeping import paint_kept
from trayapp.ui.marks import StateShape, paint_host_mark, paint_state_mark
from trayapp.ui.row_view import BY_KEY, RowView
from trayapp.ui.sparkline import paint_sparkline
from trayapp.ui.tokens import MEDIUM, REGULAR, SEMIBOLD, px, theme

SIDE = 6
"""How far a row's ground reaches beyond its content on both sides."""
SPARK_LEFT = 196
"""Where the sparkline begins, from the row's end: the CPU below the memory needs 16 more than the design's picture."""


class SessionRow(QWidget):
    """Paint a row and hold its button; its buttons are made when they are first needed (60 rows, 120 buttons)."""

    HEIGHT = 47

    # Emitted in the UI thread; payload: the row's key.
    opened = Signal(str)
    pressed = Signal(str)
    # Emitted in the UI thread when the row's menu is asked for; payload: the row's key, QPoint on the screen.
    menu_asked = Signal(str, object)
    # Emitted in the UI thread when the pointer or the focus comes (key) or goes ("").
    pointed = Signal(str)

    def __init__(self, view: RowView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = view
        self._marked = False
        self._last = False
        self._focus_by_key = False
        self._confirmed: tuple[str, str] | None = None
        self._button: Button | None = None
        self._more: Button | None = None
        self.setFixedHeight(px(self.HEIGHT))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._apply()

    @property
    def button(self) -> Button:
        """Return the row's button; hidden where nothing is offered."""
        if self._button is None:
            self._button = made = Button("", height=25, min_width=68, parent=self)
            made.clicked.connect(lambda: self.pressed.emit(self.view.key))
            made.hide()
            self._adopt(made)
        return self._button

    @property
    def more(self) -> Button:
        """Return the way to the menu; shown while the row is pointed at or has the focus."""
        if self._more is None:
            self._more = made = Button("•••", Kind.QUIET, height=25, parent=self)
            made.clicked.connect(lambda: self._ask_menu(made.mapToGlobal(made.rect().bottomLeft())))
            made.hide()
            self._adopt(made)
        return self._more

    def _adopt(self, made: Button) -> None:
        """Take a button into the order of Tab: the row, the way to its menu, its button."""
        made.installEventFilter(self)
        self._name_buttons()
        if self._more is not None:
            self.setTabOrder(self, self._more)
        if self._button is not None:
            self.setTabOrder(self._more or self, self._button)

    def tab_after(self, before: QWidget) -> None:
        """Come after another widget in the order of Tab."""
        self.setTabOrder(before, self)
        for one, following in ((self, self._more), (self._more or self, self._button)):
            if following is not None:
                self.setTabOrder(one, following)

    @property
    def last_in_tab_order(self) -> QWidget:
        return self._button or self._more or self

    @property
    def has_focus_inside(self) -> bool:
        """Say whether the row or one of its buttons has the keyboard focus."""
        return self.hasFocus() or any(each is not None and each.hasFocus() for each in (self._more, self._button))

    def show_view(self, view: RowView) -> None:
        """Show another value; nothing is repainted when it is the same."""
        if view != self.view:
            self.view = view
            self._confirmed = None
            self._apply()

    def set_last(self, last: bool) -> None:
        if last != self._last:
            self._last = last
            self.update()

    def mark(self, marked: bool) -> None:
        """Give the row its ground, as when its segment of the ring is under the pointer."""
        if marked != self._marked:
            self._marked = marked
            self.update()

    def confirm(self, word: str, sentence: str = "") -> None:
        """Tell in the button what became of a click, and in the second line why where it went another way."""
        self._confirmed = (word, sentence)
        self.button.setText(word or self.view.button)
        self.button.setToolTip(sentence)
        self._place_button()
        self.update()

    @property
    def said(self) -> str:
        """Return the second line."""
        return self._confirmed[1] if self._confirmed is not None and self._confirmed[1] else self.view.said

    def _apply(self) -> None:
        view = self.view
        self.setAccessibleName(view.spoken)
        offered = view.offer is not Offer.NONE
        if offered:
            self.button.setText(view.button)
            self.button.setToolTip(view.why)
            self.button.setAccessibleDescription(view.why)
        if self._button is not None:
            self._button.setEnabled(True)
            self._button.setVisible(offered)
        self._name_buttons()
        self._show_more()
        self._place_button()
        self.update()

    def _name_buttons(self) -> None:
        if self._button is not None:
            self._button.setAccessibleName(self.view.button_spoken)
        if self._more is not None:
            self._more.setAccessibleName(say("More for {title}", title=self.view.title))

    def _show_more(self) -> None:
        """Show the way to the menu in place of the sparkline, while the row is pointed at or has the focus."""
        own = self.hasFocus() and self._focus_by_key
        child = any(each is not None and each.hasFocus() for each in (self._more, self._button))
        wanted = self.view.has_menu and (self.underMouse() or own or child)
        if not wanted and self._more is None:
            return
        if self.more.isHidden() is wanted:
            self.more.setVisible(wanted)
            self._place_button()
            self.update()

    def _ask_menu(self, at: QPoint) -> None:
        if self.view.has_menu:
            self.menu_asked.emit(self.view.key, at)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        self._ask_menu(self.mapToGlobal(QPoint(px(34), self.height() - 4)) if by_key else event.globalPos())

    # ---- geometry

    def sizeHint(self) -> QSize:
        return QSize(px(380) + 2 * SIDE, px(self.HEIGHT))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_button()

    def _place_button(self) -> None:
        right, middle = self.width() - SIDE, self.height() // 2
        if self._button is not None:
            wide, high = self._button.sizeHint().width(), self._button.height()
            self._button.setGeometry(self._place(right - wide, middle - high // 2, wide, high).toRect())
        if self._more is not None:
            side = max(px(36), self._more.sizeHint().width())
            left = min(right - px(SPARK_LEFT), self._left_of_figure() - side - 4)
            high = self._more.height()
            self._more.setGeometry(self._place(left, middle - high // 2, side, high).toRect())

    def _left_of_button(self) -> int:
        """Return where the button begins, counted in reading order as all places here."""
        if self._button is None:
            return self.width() - SIDE
        return round(tokens.mirrored(QRectF(self._button.geometry()), self).left())

    def _more_shows(self) -> bool:
        return self._more is not None and not self._more.isHidden()

    def _right_of_text(self) -> int:
        """Return where the text column ends."""
        right = self.width() - SIDE
        if self._more is not None and self._more_shows():
            return round(tokens.mirrored(QRectF(self._more.geometry()), self).left()) - 4
        if self._spark_fits():
            return right - px(SPARK_LEFT + 6)
        if self.view.memory:
            return self._left_of_figure()
        return self._left_of_button() - 8 if self.view.offer is not Offer.NONE else right

    def _right_of_figure(self) -> int:
        """Return where the figure ends: in one column, unless a wide button stands there."""
        column = self.width() - SIDE - px(80)
        return column if self.view.offer is Offer.NONE else min(column, self._left_of_button() - 8)

    def _left_of_figure(self) -> int:
        wide = tokens.text_width(self.view.memory, tokens.font(tokens.BODY, SEMIBOLD))
        if self.view.cpu:
            wide = max(wide, tokens.text_width(self.view.cpu, tokens.font(tokens.SMALL)))
        return self._right_of_figure() - round(wide) - 8

    def _spark_fits(self) -> bool:
        """Say whether the sparkline leaves room for the state; a figure is never cut for it."""
        if not self.view.spark:
            return False
        room = self.width() - 2 * SIDE - px(SPARK_LEFT + 6 + 34 + 14)
        if self._left_of_figure() < self.width() - SIDE - px(SPARK_LEFT - 40):
            return False
        return tokens.text_width(self.said, self._words_font()) <= room

    # ---- events

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.pointed.emit(self.view.key if event.type() is QEvent.Type.FocusIn else "")
            self._show_more()
        return False

    def enterEvent(self, event: QEnterEvent) -> None:
        self.pointed.emit(self.view.key)
        super().enterEvent(event)
        self._show_more()

    def leaveEvent(self, event: QEvent) -> None:
        self.pointed.emit("")
        super().leaveEvent(event)
        self._show_more()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._focus_by_key = event.reason() is not Qt.FocusReason.MouseFocusReason
        self.pointed.emit(self.view.key)
        self._show_more()
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.pointed.emit("")
        self._show_more()
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.opened.emit(self.view.key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit(self.view.key)
        elif event.key() == Qt.Key.Key_R and self.view.offer in BY_KEY:
            self.pressed.emit(self.view.key)
        else:
            super().keyPressEvent(event)

    def cut_text(self) -> str:
        """Return what does not fit, in full."""
        room = self._right_of_text() - SIDE - px(34)
        texts = []
        if tokens.text_width(self.view.title, tokens.font(tokens.BODY, MEDIUM)) > room:
            texts.append(self.view.title)
        if tokens.text_width(self.said, self._words_font()) > room - px(14):
            texts.append(self.said)
        return "\n".join(texts)

    def _words_font(self) -> QFont:
        return tokens.font(tokens.SECOND, SEMIBOLD if self.view.strong else REGULAR)

    # ---- paint

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shown = theme()
        if self._marked or self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(shown.tint)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0, 0, 0, -1), 8, 8)
        mark = px(22)
        top = (self.height() - mark) / 2
        paint_host_mark(painter, self._place(SIDE, top, mark, mark), self.view.mark, shown)
        self._paint_text(painter)
        self._paint_figures(painter)
        self._paint_foot(painter)
        if self.hasFocus() and self._focus_by_key:
            painter.setPen(QPen(shown.ink, tokens.FOCUS_WIDTH))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -2), 8, 8)

    def _place(self, left: float, top: float, width: float, height: float) -> QRectF:
        return tokens.mirrored(QRectF(left, top, width, height), self)

    def _write(self, painter: QPainter, left: float, baseline: int, text: str) -> None:
        place = self._place(left, 0, painter.fontMetrics().horizontalAdvance(text), 0)
        painter.drawText(round(place.left()), baseline, text)

    def _paint_text(self, painter: QPainter) -> None:
        shown = theme()
        left, right = SIDE + px(34), self._right_of_text()
        middle = self.height() / 2
        painter.setFont(tokens.font(tokens.BODY, MEDIUM))
        painter.setPen(shown.ink)
        room = right - left - (px(15) if self.view.kept else 0)
        title = painter.fontMetrics().elidedText(self.view.title, Qt.TextElideMode.ElideRight, room)
        self._write(painter, left, round(middle - px(4)), title)
        if self.view.kept:
            at = left + tokens.text_width(title, painter.font()) + px(7)
            paint_kept(painter, self._place(at, middle - px(13.5), px(7), px(10)), shown.ink)
        baseline = round(middle - px(4)) + px(17)
        if self.view.shape is not None:
            colour = shown.ink if self.view.shape in (StateShape.BUSY, StateShape.WAITING) else shown.ter
            side = px(8)
            rect = self._place(left, baseline - px(8.5), side, side)
            paint_state_mark(painter, rect, self.view.shape, colour)
            left += px(14)
        painter.setFont(self._words_font())
        painter.setPen(shown.colour(self.view.tone))
        words = painter.fontMetrics().elidedText(self.said, Qt.TextElideMode.ElideRight, right - left)
        self._write(painter, left, baseline, words)

    def _paint_figures(self, painter: QPainter) -> None:
        right = self.width() - SIDE
        if self._spark_fits() and not self._more_shows():
            height = px(18)
            rect = self._place(right - px(SPARK_LEFT), (self.height() - height) / 2 - 1, px(40), height)
            paint_sparkline(painter, rect, self.view.spark, theme())
        painter.setFont(tokens.font(tokens.BODY, SEMIBOLD))
        painter.setPen(theme().ink)
        end = self._right_of_figure()
        if not self.view.cpu:
            area = self._place(0, 0, end, self.height())
            painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self.view.memory)
            return
        baseline = round(self.height() / 2 - px(4))
        self._write(
            painter, end - painter.fontMetrics().horizontalAdvance(self.view.memory), baseline, self.view.memory
        )
        painter.setFont(tokens.font(tokens.SMALL))
        painter.setPen(theme().ter)
        wide = painter.fontMetrics().horizontalAdvance(self.view.cpu)
        self._write(painter, end - wide, baseline + px(17), self.view.cpu)

    def _paint_foot(self, painter: QPainter) -> None:
        left, right = SIDE + px(34), self.width() - SIDE
        if self.view.share is not None:
            share = min(1.0, max(0.0, self.view.share))
            painter.fillRect(self._place(left, self.height() - 3, right - left, 2), theme().track)
            painter.fillRect(self._place(left, self.height() - 3, (right - left) * share, 2), theme().ink)
        elif not self._last:
            painter.fillRect(self._place(left, self.height() - 1, right - left, 1), theme().line)


class QuestionPanel(Panel):
    """Ask the one question before something may be lost, in place."""

    # Emitted in the UI thread when the user said yes, or no.
    answered = Signal(bool)

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__("tint", outline=None, parent=parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(14), px(12), px(14), px(12))
        column.setSpacing(px(4))
        title = Text(question.title, weight=SEMIBOLD, wrap=True)
        loss = Text(question.loss, size=tokens.SECOND, tone="sec", wrap=True)
        self.no = Button(say("Cancel"), height=28)
        self.yes = Button(question.verb, Kind.DANGER if question.danger else Kind.PLAIN, height=28)
        self.yes.setAccessibleDescription(question.loss)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(0, px(6), 0, 0)
        buttons.setSpacing(px(tokens.MARK_GAP))
        buttons.addStretch()
        buttons.addWidget(self.no)
        buttons.addWidget(self.yes)
        column.addWidget(title)
        column.addWidget(loss)
        column.addLayout(buttons)
        self.setAccessibleName(f"{question.title} {question.loss}")
        self.no.clicked.connect(lambda: self.answered.emit(False))
        self.yes.clicked.connect(lambda: self.answered.emit(True))
