"""A line of text to type into, in the house look, and a word that can be exchanged for another from a menu."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QLineEdit, QMenu, QWidget

from trayapp.ui import tokens
from trayapp.ui.controls import Button
from trayapp.ui.tokens import px


class Field(QLineEdit):
    """Let a short text be typed; `set_wrong` gives it the outline of something that cannot be used."""

    def __init__(self, name: str, *, width: int = 0, hint: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wrong = False
        self.setAccessibleName(name)
        self.setPlaceholderText(hint)
        self.setFont(tokens.font(tokens.BODY))
        self.setFrame(False)
        self.setFixedHeight(px(28))
        self.setTextMargins(px(8), 0, px(8), 0)
        if width:
            self.setFixedWidth(px(width))
        palette = QPalette()
        palette.setColor(QPalette.ColorRole.Base, Qt.GlobalColor.transparent)
        self.setPalette(palette)  # the ground is painted below, in the look that holds then
        self.textEdited.connect(lambda _text: self.set_wrong(False))

    @property
    def is_wrong(self) -> bool:
        return self._wrong

    def set_wrong(self, wrong: bool) -> None:
        if wrong != self._wrong:
            self._wrong = wrong
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), tokens.theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        loud = self.hasFocus() or self._wrong
        width = tokens.FOCUS_WIDTH if loud else 1
        painter.setPen(QPen(theme.amber if self._wrong else theme.ink if loud else theme.ter, width))
        painter.setBrush(theme.card)
        half = width / 2
        rect = QRectF(self.rect()).adjusted(half, half, -half, -half)
        painter.drawRoundedRect(rect, tokens.RADIUS_BUTTON_SMALL, tokens.RADIUS_BUTTON_SMALL)
        painter.end()
        super().paintEvent(event)


class Chooser(Button):
    """Show the chosen one of a few words; a click opens the others."""

    # Emitted in the UI thread when another one was chosen; payload: its key.
    chosen = Signal(str)

    def __init__(
        self, name: str, choices: Sequence[tuple[str, str]], current: str, parent: QWidget | None = None
    ) -> None:
        super().__init__("", height=28, parent=parent)
        self._name, self._texts, self._current = name, dict(choices), current
        self.clicked.connect(lambda: self.menu_here().popup(self.mapToGlobal(self.rect().bottomLeft())))
        self._show()

    @property
    def current(self) -> str:
        return self._current

    def set_current(self, key: str) -> None:
        """Choose without telling."""
        self._current = key
        self._show()

    def _show(self) -> None:
        self.setText(f"{self._texts[self._current]}  \u25be")
        self.setAccessibleName(f"{self._name}: {self._texts[self._current]}")
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        font = tokens.font(tokens.BODY)
        widest = max(tokens.text_width(f"{text}  \u25be", font) for text in self._texts.values())
        return QSize(round(widest) + px(28), px(28))

    def menu_here(self) -> QMenu:
        """Make the menu of the choices."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for key, text in self._texts.items():
            menu.addAction(text).triggered.connect(partial(self._choose, key))
        return menu

    def _choose(self, key: str, _checked: bool = False) -> None:
        if key != self._current:
            self.set_current(key)
            self.chosen.emit(key)
