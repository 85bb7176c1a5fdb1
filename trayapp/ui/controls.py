"""Controls in the house look: real Qt widgets that paint themselves from the tokens.

Knows no snapshot. Every control is at least 24 high, can be reached by keyboard and shows the focus outline when it
was.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import Enum, auto
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFont, QKeyEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QScrollBar,
    QSizePolicy,
    QStyle,
    QWidget,
)

from trayapp.ui import tokens
from trayapp.ui.marks import paint_check
from trayapp.ui.tokens import MEDIUM, REGULAR, SEMIBOLD, px, theme

_KEYBOARD = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
    Qt.FocusReason.OtherFocusReason,
)


class FocusOutline(QWidget):
    """Draw the outline around the control that has the keyboard focus; one per parent, moved along with the control."""

    _ROOM = tokens.FOCUS_OFFSET + tokens.FOCUS_WIDTH

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._around: QWidget | None = None
        self._radius = 0.0
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    @classmethod
    def show_on(cls, control: QWidget, event: QFocusEvent, radius: float) -> None:
        """Call from focusInEvent; the outline shows when the focus came by keyboard, as the browsers do it."""
        parent = control.parentWidget()
        if parent is None or event.reason() not in _KEYBOARD:
            return
        found = parent.findChild(cls, options=Qt.FindChildOption.FindDirectChildrenOnly)
        outline = found if isinstance(found, cls) else cls(parent)
        outline._follow(control, radius)

    @classmethod
    def hide_on(cls, control: QWidget) -> None:
        """Call from focusOutEvent."""
        parent = control.parentWidget()
        found = parent.findChild(cls, options=Qt.FindChildOption.FindDirectChildrenOnly) if parent else None
        if isinstance(found, cls):
            found._leave()

    def _follow(self, control: QWidget, radius: float) -> None:
        self._leave()
        self._around, self._radius = control, radius
        control.installEventFilter(self)
        self._place()
        self.raise_()
        self.show()

    def _leave(self) -> None:
        if self._around is not None:
            self._around.removeEventFilter(self)
            self._around = None
        self.hide()

    def _place(self) -> None:
        if self._around is not None:
            room = self._ROOM
            self.setGeometry(self._around.geometry().adjusted(-room, -room, room, room))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Move, QEvent.Type.Resize):
            self._place()
        elif event.type() is QEvent.Type.Hide:
            self._leave()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme().ink, tokens.FOCUS_WIDTH))
        radius = self._radius + tokens.FOCUS_OFFSET
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), radius, radius)


class Kind(Enum):
    """How much a button asks for attention: one primary per view, the rest plain; quiet has no outline."""

    PRIMARY = auto()
    PLAIN = auto()
    DANGER = auto()
    QUIET = auto()


class Button(QPushButton):
    """Show a button: `height` 32 to 36 in blocks and footers, 25 in rows; grows to its text.

    `icon` is one of ui/icons.py, before the text or alone; without a text give it an accessible name. `opens_menu` puts
    a chevron behind it.
    """

    _ICON = 16
    _ICON_GAP = 6
    _CHEVRON = 12

    def __init__(
        self,
        text: str,
        kind: Kind = Kind.PLAIN,
        *,
        height: int = 32,
        min_width: int = 0,
        icon: str = "",
        opens_menu: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, parent)
        self._kind = kind
        self._icon, self._opens_menu = icon, opens_menu
        self.outlined: QWidget = self
        """What the focus outline goes around: a parent where the button fills all of it."""
        self._min_width = px(min_width)
        self._size = tokens.SECOND if height <= 26 else tokens.BODY
        self._radius = tokens.RADIUS_BUTTON_SMALL if height <= 26 else tokens.RADIUS_BUTTON
        self._side = px(8 if kind is Kind.QUIET else 10 if height <= 26 else 16)
        self.setFixedHeight(max(px(height), tokens.MIN_TARGET))
        self.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setAutoDefault(False)

    def _font(self) -> QFont:
        return tokens.font(self._size, SEMIBOLD if self._kind is Kind.PRIMARY else MEDIUM)

    def sizeHint(self) -> QSize:
        wanted = math.ceil(self._content_width()) + 2 * self._side
        return QSize(max(wanted, self._min_width), self.height())

    def _content_width(self) -> float:
        text = tokens.text_width(self.text(), self._font())
        gap = px(self._ICON_GAP) if text else 0
        return text + (px(self._ICON) + gap if self._icon else 0) + (px(self._CHEVRON) + gap if self._opens_menu else 0)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        FocusOutline.show_on(self.outlined, event, self._radius)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        FocusOutline.hide_on(self.outlined)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shown = theme()
        rect = QRectF(self.rect())
        text = shown.red if self._kind is Kind.DANGER else shown.ink
        if self._kind is Kind.PRIMARY:
            text = shown.on_ink
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._primary_ground(shown))
            painter.drawRoundedRect(rect, self._radius, self._radius)
        else:
            pressed = self.isDown() or self.isChecked() or (self.underMouse() and self.isEnabled())
            ground = shown.tint if pressed else shown.tint if shown.is_dark else shown.card
            painter.setPen(QPen(shown.line2, 1) if self._kind is not Kind.QUIET else Qt.PenStyle.NoPen)
            painter.setBrush(ground if self._kind is not Kind.QUIET or pressed else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), self._radius, self._radius)
            if not self.isEnabled():
                text = shown.ter
        painter.setFont(self._font())
        painter.setPen(text)
        if self._icon or self._opens_menu:
            self._paint_parts(painter, text)
        else:
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())

    def _paint_parts(self, painter: QPainter, colour: QColor) -> None:
        """Paint icon, text and chevron side by side in the middle, in reading order."""
        from trayapp.ui import icons

        text = tokens.text_width(self.text(), self._font())
        gap = px(self._ICON_GAP) if text else 0
        at = (self.width() - self._content_width()) / 2

        def place(width: float, height: float) -> QRectF:
            nonlocal at
            left = at if self.layoutDirection() is not Qt.LayoutDirection.RightToLeft else self.width() - at - width
            at += width + gap
            return QRectF(left, (self.height() - height) / 2, width, height)

        if self._icon:
            icons.paint(painter, place(px(self._ICON), px(self._ICON)), self._icon, colour)
        if text:
            painter.drawText(place(text + 1, self.height()), Qt.AlignmentFlag.AlignCenter, self.text())
        if self._opens_menu:
            icons.paint(painter, place(px(self._CHEVRON), px(self._CHEVRON)), "chevron", colour, turned=90)

    def _primary_ground(self, shown: tokens.Theme) -> QColor:
        if not self.isEnabled():
            return shown.ter
        strength = 0.75 if self.isDown() else 0.88 if self.underMouse() else 1.0
        return tokens.with_alpha(shown.ink, strength)


class Text(QLabel):
    """Show text in one of the type sizes; elides at the end with the whole text as tooltip, or wraps when told so.

    `tone` is a colour token.
    """

    def __init__(
        self,
        text: str = "",
        *,
        size: int = tokens.BODY,
        weight: QFont.Weight = REGULAR,
        tone: str = "ink",
        wrap: bool = False,
        align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
        tracked: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, parent)
        self._tone = tone
        self._line = px(tokens.LINE_HEIGHTS.get(size, round(size * 1.25)))
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setFont(tokens.font(size, weight, tracked=tracked))
        self.setAlignment(align | Qt.AlignmentFlag.AlignVCenter)
        self.setWordWrap(wrap)
        if not wrap:
            self.setFixedHeight(self._line)

    def set_tone(self, tone: str) -> None:
        if tone != self._tone:
            self._tone = tone
            self.update()

    def setText(self, text: str) -> None:
        if text != self.text():
            super().setText(text)
            self._tell_what_is_cut()

    def minimumSizeHint(self) -> QSize:
        if self.wordWrap() or self.alignment() & Qt.AlignmentFlag.AlignRight:
            return super().minimumSizeHint()
        return QSize(px(24), self._line)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tell_what_is_cut()

    def _tell_what_is_cut(self) -> None:
        cut = not self.wordWrap() and self._shown() != self.text()
        self.setToolTip(self.text() if cut else "")

    def _shown(self) -> str:
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(theme().colour(self._tone))
        painter.setFont(self.font())
        painter.setLayoutDirection(self.layoutDirection())
        flags = QStyle.visualAlignment(self.layoutDirection(), self.alignment())
        if self.wordWrap():
            painter.drawText(self.rect(), flags | Qt.TextFlag.TextWordWrap, self.text())
            return
        painter.drawText(self.rect(), flags, self._shown())


class Hairline(QWidget):
    """Show a line of 1 in the colour of hairlines."""

    def __init__(self, parent: QWidget | None = None, *, vertical: bool = False, tone: str = "line") -> None:
        super().__init__(parent)
        self._tone = tone
        if vertical:
            self.setFixedWidth(1)
        else:
            self.setFixedHeight(1)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().colour(self._tone))


class Panel(QFrame):
    """Show a rounded ground for other widgets: a card (outlined) or a quiet block."""

    def __init__(
        self,
        ground: str = "card",
        *,
        outline: str | None = "line",
        radius: float = tokens.RADIUS_PART,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._ground, self._outline, self._radius = ground, outline, radius

    def set_ground(self, ground: str) -> None:
        if ground != self._ground:
            self._ground = ground
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shown = theme()
        painter.setPen(QPen(shown.colour(self._outline), 1) if self._outline else Qt.PenStyle.NoPen)
        painter.setBrush(shown.colour(self._ground))
        half = 0.5 if self._outline else 0.0
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(half, half, -half, -half), self._radius, self._radius)


class Pill(QLabel):
    """Show a short text in an outlined capsule."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setFont(tokens.font(tokens.SECOND, MEDIUM))
        self.setTextFormat(Qt.TextFormat.PlainText)

    def sizeHint(self) -> QSize:
        return QSize(round(tokens.text_width(self.text(), self.font())) + px(18), px(21))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self.font())
        paint_pill(painter, QRectF(self.rect()), self.text())


def paint_pill(painter: QPainter, rect: QRectF, text: str) -> None:
    """Paint a pill with the painter's font, for charts that paint their own."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme().line2, 1))
    painter.setBrush(theme().card)
    inner = rect.adjusted(0.5, 0.5, -0.5, -0.5)
    painter.drawRoundedRect(inner, inner.height() / 2, inner.height() / 2)
    painter.setPen(theme().ink)
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)
    painter.restore()


class CheckBox(QCheckBox):
    """Show a tick box of 18 with no text of its own; give it an accessible name."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFixedSize(max(px(18), 18), tokens.MIN_TARGET)

    def sizeHint(self) -> QSize:
        return QSize(px(18), tokens.MIN_TARGET)

    def hitButton(self, pos: QPoint) -> bool:
        return True

    def _box(self) -> QRectF:
        side = float(px(18))
        return QRectF(0, (self.height() - side) / 2, side, side)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        FocusOutline.show_on(self, event, 5)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        FocusOutline.hide_on(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box, shown = self._box(), theme()
        if self.isChecked():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(shown.ink if self.isEnabled() else shown.ter)
            painter.drawRoundedRect(box, 5, 5)
            inset = box.width() * 0.25
            paint_check(painter, box.adjusted(inset, inset, -inset, -inset), shown.on_ink, 1.8)
        else:
            painter.setPen(QPen(shown.ter, 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(0.75, 0.75, -0.75, -0.75), 4.5, 4.5)


class Progress(QProgressBar):
    """Show how far something is: `height` 6 alone, 2 in place of a row's hairline, 11 outlined in a receipt."""

    def __init__(self, *, height: int = 6, outlined: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._outlined = outlined
        self.setTextVisible(False)
        self.setRange(0, 1000)
        self.setFixedHeight(px(height))

    def set_share(self, share: float) -> None:
        """Set the filled part, 0 to 1."""
        self.setValue(round(min(1.0, max(0.0, share)) * 1000))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shown, rect = theme(), QRectF(self.rect())
        radius = rect.height() / 2
        if self._outlined:
            painter.setPen(QPen(shown.line2, 1))
            painter.setBrush(shown.card)
            painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(shown.track)
            painter.drawRoundedRect(rect, radius, radius)
        share = self.value() / self.maximum()
        if share > 0:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(shown.ink)
            filled = max(rect.width() * share, rect.height())
            if self.layoutDirection() is Qt.LayoutDirection.RightToLeft:
                rect.setLeft(rect.right() - filled)
            else:
                rect.setWidth(filled)
            painter.drawRoundedRect(rect, radius, radius)


class _Choice(QAbstractButton):
    """One segment of a segmented control."""

    def __init__(self, key: str, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.key = key
        self.setText(text)
        self.setAccessibleName(text)
        self.setCheckable(True)
        self.setAutoExclusive(True)

    def sizeHint(self) -> QSize:
        wide = tokens.text_width(self.text(), tokens.font(tokens.BODY, SEMIBOLD))
        return QSize(round(wide) + px(24), max(px(24), tokens.MIN_TARGET))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shown = theme()
        rect = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        if self.isChecked():
            painter.setPen(QPen(shown.line2, 1))
            painter.setBrush(shown.sel)
            painter.drawRoundedRect(rect, 6, 6)
        if self.hasFocus():
            painter.setPen(QPen(shown.ink, tokens.FOCUS_WIDTH))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.setFont(tokens.font(tokens.BODY, SEMIBOLD if self.isChecked() else REGULAR))
        painter.setPen(shown.ink if self.isChecked() else shown.sec)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())


class Segmented(QWidget):
    """Let one of a few be chosen; becomes a button with a menu where the segments do not fit."""

    # Emitted in the UI thread when the user chose another one; payload: its key.
    chosen = Signal(str)

    def __init__(self, choices: Sequence[tuple[str, str]], current: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._texts = dict(choices)
        self._current = current
        self._buttons: dict[str, _Choice] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(px(2), px(2), px(2), px(2))
        row.setSpacing(0)
        for key, text in choices:
            button = _Choice(key, text, self)
            button.setChecked(key == current)
            button.clicked.connect(partial(self._choose, key))
            self._buttons[key] = button
            row.addWidget(button)
        self._wide = sum(b.sizeHint().width() for b in self._buttons.values()) + px(4)
        self._compact = Button("", height=28, opens_menu=True, parent=self)
        self._compact.clicked.connect(self._open_menu)
        self._compact.outlined = self
        self._compact.hide()
        self._narrow = max(map(self._compact_width, self._texts.values()), default=0)
        self.setFixedHeight(px(28))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    @property
    def current(self) -> str:
        return self._current

    @property
    def keys(self) -> tuple[str, ...]:
        """Return the keys of all choices."""
        return tuple(self._buttons)

    def set_current(self, key: str) -> None:
        """Choose without telling."""
        self._current = key
        self._buttons[key].setChecked(True)
        self._compact.setText(self._texts[key])

    def _choose(self, key: str, _checked: bool = False) -> None:
        if key != self._current:
            self.set_current(key)
            self.chosen.emit(key)

    def _compact_width(self, text: str) -> int:
        self._compact.setText(text)
        return self._compact.sizeHint().width()

    def sizeHint(self) -> QSize:
        return QSize(self._wide, px(28))

    def minimumSizeHint(self) -> QSize:
        return QSize(min(self._wide, self._narrow), px(28))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        fits = self.width() >= self._wide
        for button in self._buttons.values():
            button.setVisible(fits)
        self._compact.setVisible(not fits)
        if not fits:
            self.set_current(self._current)
            self._compact.setGeometry(self.rect())

    def _open_menu(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for key, text in self._texts.items():
            menu.addAction(text).triggered.connect(partial(self._choose, key))
        menu.popup(self.mapToGlobal(QRect(self.rect()).bottomLeft()))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._compact.isVisible():
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme().line, 1))
        painter.setBrush(theme().tint)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)


class ScrollBar(QScrollBar):
    """Show a narrow bar without arrows or ground."""

    WIDTH = 8

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.setFixedWidth(self.WIDTH)

    def paintEvent(self, event: QPaintEvent) -> None:
        whole = self.maximum() - self.minimum() + self.pageStep()
        if whole <= self.pageStep():
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().ter if self.underMouse() or self.isSliderDown() else theme().track)
        room = self.height() - 4
        length = max(24.0, room * self.pageStep() / whole)
        top = 2 + (room - length) * (self.value() - self.minimum()) / (self.maximum() - self.minimum())
        painter.drawRoundedRect(QRectF(2, top, self.width() - 4, length), 2, 2)


class Scroll(QScrollArea):
    """Scroll one widget up and down, without a frame or a ground of its own."""

    def __init__(self, content: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setVerticalScrollBar(ScrollBar())
        self.viewport().setAutoFillBackground(False)
        content.setAutoFillBackground(False)
        self.setWidget(content)
        content.setAutoFillBackground(False)
