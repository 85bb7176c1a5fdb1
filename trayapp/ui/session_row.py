"""One row of the popover's list: a session or the orphans, with its state, its memory and its button.

What a row says is a value made by pure functions; the widget paints it. Knows nothing of order, nor of what a click
does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QEnterEvent,
    QFocusEvent,
    QFont,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolTip, QVBoxLayout, QWidget

from trayapp import targets, wording
from trayapp.model.receipt import Fate, Outcome, Progress
from trayapp.model.session import State
from trayapp.model.snapshot import Group, Snapshot
from trayapp.targets import Offer, Question
from trayapp.ui import heap_view, numbers, tokens
from trayapp.ui.controls import Button, Kind, Panel, Text
from trayapp.ui.keeping import paint_kept
from trayapp.ui.marks import (
    ORPHAN,
    Mark,
    StateShape,
    mark_of,
    paint_host_mark,
    paint_state_mark,
    state_shape,
)
from trayapp.ui.resume_button import can_resume
from trayapp.ui.sparkline import paint_sparkline
from trayapp.ui.tokens import MEDIUM, REGULAR, SEMIBOLD, px, theme

if TYPE_CHECKING:
    from trayapp.ui.bridge import Resume

ORPHANS_KEY = ORPHAN.name
SIDE = 6
"""How far a row's ground reaches beyond its content on both sides."""
SPARK_LEFT = 180
"""Where the sparkline begins, from the row's end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowView:
    """Hold all that a row shows.

    `share` is how far a release is, None where none runs. `tone` is the second line's colour token. `kept` says in
    words that the session is kept. A row with a menu shows "•••" while it is pointed at.
    """

    key: str
    mark: Mark
    title: str
    words: str
    shape: StateShape | None = None
    tone: str = "sec"
    strong: bool = False
    memory: str = ""
    offer: Offer = Offer.NONE
    share: float | None = None
    spark: Sequence[float | None] = field(default=())
    kept: str = ""
    has_menu: bool = False

    @property
    def said(self) -> str:
        """Return the second line."""
        return ", ".join(part for part in (self.words, self.kept) if part)

    @property
    def spoken(self) -> str:
        """Return title, host, state and memory for a screen reader."""
        parts = [self.title, self.mark.name, self.said, self.memory]
        return ", ".join(part for part in parts if part)


_BY_KEY = (Offer.RELEASE, Offer.ASK, Offer.END, Offer.END_IT, Offer.CLEAR)
"""What the key R presses."""


def session_view(group: Group, snapshot: Snapshot) -> RowView:
    """Return what the row of a session shows while nothing is done with it."""
    state = group.verdict.state if group.verdict is not None else State.UNKNOWN
    stale = group.verdict is not None and group.verdict.stale_s is not None
    return RowView(
        key=group.key,
        mark=mark_of(group, snapshot),
        title=group.name,
        words=wording.state_words(group, now_epoch_s=snapshot.taken_at.timestamp()),
        shape=StateShape.UNKNOWN if stale else state_shape(group),
        tone="ink" if state is State.WAITING and not stale else "sec",
        strong=state is State.WAITING and not stale,
        memory="" if "remnant" in group.flags and not group.members else heap_view.held_words(group),
        offer=targets.offer_of(group),
    )


def orphans_view(groups: Sequence[Group]) -> RowView:
    """Return what the row of the orphans shows."""
    one = groups[0] if len(groups) == 1 else None
    offered = any(targets.offer_of(group) is Offer.END for group in groups)
    return RowView(
        key=ORPHANS_KEY,
        mark=ORPHAN,
        title=one.name if one is not None else f"{len(groups)} orphans",
        words="Its session is gone" if one is not None else "Their sessions are gone",
        shape=StateShape.GONE,
        memory=numbers.memory(targets.total_bytes(groups)),
        offer=Offer.END if offered else Offer.NONE,
    )


def releasing_view(before: RowView, progress: Progress | None) -> RowView:
    """Return the row while its release runs, or waits for the one before it."""
    if progress is None:
        words, share = "Releasing, waits for the one before it", 0.0
    elif heap_view.is_collecting(progress):
        waited, wait = wording.duration(progress.waited_s), wording.duration(progress.wait_s)
        words, share = f"Heap is awaited, {waited} of {wait}", progress.waited_s / progress.wait_s
    else:
        waited, wait = wording.duration(progress.waited_s), wording.duration(progress.wait_s)
        words = f"Releasing, {waited} of {wait}" if progress.wait_s else "Releasing"
        share = progress.waited_s / progress.wait_s if progress.wait_s else 0.0
    return replace(_bare(before), words=words, memory=before.memory, share=share)


def outcome_view(before: RowView, outcome: Outcome, resume: Resume | None = None) -> RowView:
    """Return the row after an action: what came back, what survived, why nothing was done, or if it is resumed."""
    after = replace(_bare(before), words=outcome.sentence)
    if outcome.fate is Fate.REFUSED:
        return replace(after, shape=before.shape, tone="ink", strong=True, memory=before.memory)
    if outcome.fate is Fate.SURVIVED:
        return replace(after, tone="amber", strong=True, memory=before.memory, offer=Offer.END_IT)
    verb = "Released" if outcome.fate is Fate.RELEASED else "Ended"
    expected = outcome.target.expected_heap_bytes
    back = f"{verb}, {numbers.memory(outcome.came_back_bytes)} came back"
    if heap_view.inside(outcome):
        back = f"{verb}, {heap_view.estimate(expected)} of heap" if expected else verb
    if not outcome.target.members and not heap_view.inside(outcome):  # only listed by its host any more
        back = outcome.sentence
    words = "Already gone" if outcome.fate is Fate.ALREADY_GONE else back
    if resume is not None:
        return _resume_view(after, resume)
    offer = Offer.RESUME if can_resume(outcome.resume) else Offer.NONE
    return replace(after, words=words, shape=StateShape.CHECK, offer=offer)


def _resume_view(bare: RowView, resume: Resume) -> RowView:
    if resume.ok is None:
        return replace(bare, words="Its host is asked to bring it back")
    if resume.ok:
        return replace(bare, words=resume.message or "Resumed", shape=StateShape.CHECK)
    return replace(bare, words=resume.message, tone="amber", strong=True, offer=Offer.RESUME)


def gone_view(before: RowView) -> RowView:
    """Return the row of a session that ended while the order is frozen."""
    return replace(_bare(before), words="Ended", shape=StateShape.GONE)


def _bare(view: RowView) -> RowView:
    return RowView(key=view.key, mark=view.mark, title=view.title, words="")


class SessionRow(QWidget):
    """Paint a row and hold its button."""

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
        self.setFixedHeight(px(self.HEIGHT))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self.button = Button("", height=25, min_width=68, parent=self)
        self.button.clicked.connect(lambda: self.pressed.emit(self.view.key))
        self.more = Button("•••", Kind.QUIET, height=25, parent=self)
        self.more.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # by keyboard the menu key opens it, from the row
        self.more.clicked.connect(lambda: self._ask_menu(self.more.mapToGlobal(self.more.rect().bottomLeft())))
        self.more.hide()
        self._apply()

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
        self.button.setText(word)
        self.button.setToolTip(sentence)
        self._place_button()
        self.update()

    @property
    def said(self) -> str:
        """Return the second line."""
        return self._confirmed[1] if self._confirmed is not None and self._confirmed[1] else self.view.said

    def _apply(self) -> None:
        self.setAccessibleName(self.view.spoken)
        offer = self.view.offer
        self.button.setText(self._confirmed[0] if self._confirmed is not None else offer.word)
        self.button.setToolTip(self._confirmed[1] if self._confirmed is not None else "")
        about = f", about {self.view.memory}" if self.view.memory and offer is not Offer.WHY else ""
        self.button.setAccessibleName(f"{offer.word.rstrip('…?')} {self.view.title}{about}")
        self.button.setVisible(offer is not Offer.NONE)
        self.more.setAccessibleName(f"More for {self.view.title}")
        self._show_more()
        self._place_button()
        self.update()

    def _show_more(self) -> None:
        """Show the way to the menu in place of the sparkline, while the row is pointed at or has the focus."""
        pointed = self.underMouse() or (self.hasFocus() and self._focus_by_key)
        if self.more.isHidden() is (pointed and self.view.has_menu):
            self.more.setVisible(self.more.isHidden())
            self._place_button()

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
        wide = self.button.sizeHint().width()
        right = self.width() - SIDE
        self.button.setGeometry(right - wide, (self.height() - self.button.height()) // 2, wide, self.button.height())
        side = px(36)
        left = min(right - px(SPARK_LEFT), self._left_of_figure() - side - 4)
        self.more.setGeometry(left, (self.height() - self.more.height()) // 2, side, self.more.height())

    def _right_of_text(self) -> int:
        """Return where the text column ends."""
        right = self.width() - SIDE
        if not self.more.isHidden():
            return self.more.x() - 4
        if self._spark_fits():
            return right - px(SPARK_LEFT + 6)
        if self.view.memory:
            return self._left_of_figure()
        return self.button.x() - 8 if self.view.offer is not Offer.NONE else right

    def _right_of_figure(self) -> int:
        """Return where the figure ends: in one column, unless a wide button stands there."""
        column = self.width() - SIDE - px(80)
        return column if self.view.offer is Offer.NONE else min(column, self.button.x() - 8)

    def _left_of_figure(self) -> int:
        wide = round(tokens.text_width(self.view.memory, tokens.font(tokens.BODY, SEMIBOLD)))
        return self._right_of_figure() - wide - 8

    def _spark_fits(self) -> bool:
        """Say whether the sparkline leaves room for the state; a figure is never cut for it."""
        room = self.width() - 2 * SIDE - px(SPARK_LEFT + 6 + 34 + 14)
        if tokens.text_width(self.view.memory, tokens.font(tokens.BODY, SEMIBOLD)) > px(SPARK_LEFT - 40 - 80 - 4):
            return False
        return bool(self.view.spark) and tokens.text_width(self.said, self._words_font()) <= room

    # ---- events

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
        elif event.key() == Qt.Key.Key_R and self.view.offer in _BY_KEY:
            self.pressed.emit(self.view.key)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self._cut_text(), self)
            return True
        return super().event(event)

    def _cut_text(self) -> str:
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
        paint_host_mark(painter, QRectF(SIDE, top, mark, mark), self.view.mark, shown)
        self._paint_text(painter)
        self._paint_figures(painter)
        self._paint_foot(painter)
        if self.hasFocus() and self._focus_by_key:
            painter.setPen(QPen(shown.ink, tokens.FOCUS_WIDTH))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -2), 8, 8)

    def _paint_text(self, painter: QPainter) -> None:
        shown = theme()
        left, right = SIDE + px(34), self._right_of_text()
        middle = self.height() / 2
        painter.setFont(tokens.font(tokens.BODY, MEDIUM))
        painter.setPen(shown.ink)
        room = right - left - (px(15) if self.view.kept else 0)
        title = painter.fontMetrics().elidedText(self.view.title, Qt.TextElideMode.ElideRight, room)
        painter.drawText(left, round(middle - px(4)), title)
        if self.view.kept:
            at = left + tokens.text_width(title, painter.font()) + px(7)
            paint_kept(painter, QRectF(at, middle - px(13.5), px(7), px(10)), shown.ink)
        baseline = round(middle - px(4)) + px(17)
        if self.view.shape is not None:
            colour = shown.ink if self.view.shape in (StateShape.BUSY, StateShape.WAITING) else shown.ter
            side = px(8)
            rect = QRectF(left, baseline - px(8.5), side, side)
            paint_state_mark(painter, rect, self.view.shape, colour)
            left += px(14)
        painter.setFont(self._words_font())
        painter.setPen(shown.colour(self.view.tone))
        words = painter.fontMetrics().elidedText(self.said, Qt.TextElideMode.ElideRight, right - left)
        painter.drawText(left, baseline, words)

    def _paint_figures(self, painter: QPainter) -> None:
        right = self.width() - SIDE
        if self._spark_fits() and self.more.isHidden():
            height = px(18)
            rect = QRectF(right - px(SPARK_LEFT), (self.height() - height) / 2 - 1, px(40), height)
            paint_sparkline(painter, rect, self.view.spark, theme())
        painter.setFont(tokens.font(tokens.BODY, SEMIBOLD))
        painter.setPen(theme().ink)
        area = QRect(0, 0, self._right_of_figure(), self.height())
        painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self.view.memory)

    def _paint_foot(self, painter: QPainter) -> None:
        left, right = SIDE + px(34), self.width() - SIDE
        if self.view.share is not None:
            share = min(1.0, max(0.0, self.view.share))
            painter.fillRect(QRectF(left, self.height() - 3, right - left, 2), theme().track)
            painter.fillRect(QRectF(left, self.height() - 3, (right - left) * share, 2), theme().ink)
        elif not self._last:
            painter.fillRect(QRectF(left, self.height() - 1, right - left, 1), theme().line)


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
        self.no = Button("Cancel", height=28)
        self.yes = Button(question.verb, Kind.DANGER if question.verb == "End it now" else Kind.PLAIN, height=28)
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
