"""Find text that is cut off: whatever a face paints is noted while it paints, and measured against its room.

Painted text is seen where Python paints it, by QPainter.drawText; what Qt's own widgets paint is measured by their size
hints. A text that was shortened on purpose counts as whole where a tooltip tells all of it.

`python -m tests.ui.fitting LANGUAGE SCALE` looks at every face in a process of its own and prints what does not fit as
JSON; QT_SCALE_FACTOR=2 measures at the resolution of such a screen.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFont, QFontDatabase, QFontMetrics, QFontMetricsF, QHelpEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QScrollArea,
    QToolTip,
    QWidget,
)

from trayapp import say

ROOM = 1.5
"""Half a pixel of rounding at each side, and what hinting adds at another resolution."""
ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Painted:
    """Hold one call of drawText: on which widget, into which room (None = at a point), with which flags."""

    widget: QWidget
    room: QRectF
    flags: int
    text: str
    font: QFont
    free: bool = False


class Watch:
    """Note what is painted and what was shortened."""

    def __init__(self) -> None:
        self.painted: list[Painted] = []
        self.shortened: dict[str, set[str]] = {}

    @contextmanager
    def on(self) -> Iterator[None]:
        """Watch QPainter and the two classes that shorten."""
        painter_class: Any = QPainter
        draw = painter_class.drawText
        elide: dict[Any, Any] = {kind: kind.elidedText for kind in (QFontMetrics, QFontMetricsF)}

        def noted_draw(painter: QPainter, *arguments: Any) -> Any:
            self._note(painter, arguments)
            return draw(painter, *arguments)

        def noting(kind: Any) -> Any:
            def noted_elide(metrics: Any, text: str, *more: Any) -> str:
                short: str = elide[kind](metrics, text, *more)
                if short != text:
                    self.shortened.setdefault(short, set()).add(text)
                return short

            return noted_elide

        painter_class.drawText = noted_draw
        for kind in elide:
            kind.elidedText = noting(kind)
        try:
            yield
        finally:
            painter_class.drawText = draw
            for kind, whole in elide.items():
                kind.elidedText = whole

    def _note(self, painter: QPainter, arguments: tuple[Any, ...]) -> None:
        widget = painter.device()
        if not isinstance(widget, QWidget):
            return
        moved = painter.transform()
        if moved.isRotating():
            return
        match arguments:
            case (QRect() | QRectF() as room, flags, str(text), *_) if not isinstance(flags, str):
                there = QRectF(room).translated(moved.dx(), moved.dy())
                number = flags if isinstance(flags, int) else int(flags.value)
                self.painted.append(Painted(widget, there, number, text, painter.font()))
            case (int(x), int(y), int(width), int(height), flags, str(text), *_):
                there = QRectF(x, y, width, height).translated(moved.dx(), moved.dy())
                number = flags if isinstance(flags, int) else int(flags.value)
                self.painted.append(Painted(widget, there, number, text, painter.font()))
            case (QPoint() | QPointF() as point, str(text)):
                self._note_at(painter, QPointF(point), text, widget)
            case (int(x) | float(x), int(y) | float(y), str(text)):
                self._note_at(painter, QPointF(x, y), text, widget)

    def _note_at(self, painter: QPainter, point: QPointF, text: str, widget: QWidget) -> None:
        moved = painter.transform()
        metrics = QFontMetricsF(painter.font())
        there = QRectF(point.x(), point.y() - metrics.ascent(), metrics.horizontalAdvance(text), metrics.height())
        room = there.translated(moved.dx(), moved.dy())
        self.painted.append(Painted(widget, room, 0, text, painter.font(), free=True))


def faults_of(face: QWidget) -> list[str]:
    """Say which texts of a face are cut off."""
    watch = Watch()
    with watch.on():
        face.grab()
        for area in face.findChildren(QScrollArea):
            content = area.widget()
            if area.isVisible() and content is not None and content.isVisible():
                content.grab()
    found = [fault for painted in watch.painted if (fault := _painted_fault(painted, watch)) is not None]
    for widget in [face, *face.findChildren(QWidget)]:
        if widget.isVisible() and (fault := _widget_fault(widget)) is not None:
            found.append(fault)
    return list(dict.fromkeys(found))


def _name(widget: QWidget) -> str:
    names: list[str] = []
    at: QWidget | None = widget
    while at is not None and len(names) < 3:
        names.append(at.objectName() or type(at).__name__)
        at = at.parentWidget()
    return " in ".join(names)


def _painted_fault(painted: Painted, watch: Watch) -> str | None:
    widget, text = painted.widget, painted.text
    if not text.strip() or not widget.isVisible():
        return None
    metrics = QFontMetricsF(painted.font)
    room = painted.room
    where = f"{_name(widget)}: {text!r}"
    if painted.flags & int(Qt.TextFlag.TextWordWrap.value):
        needed = metrics.boundingRect(QRectF(0, 0, room.width(), 100_000), painted.flags, text)
        if needed.height() > room.height() + metrics.descent() or needed.width() > room.width() + ROOM:
            return f"{where} needs {needed.width():.0f} x {needed.height():.0f}, has {_size(room)}"
        return None
    needed_width = max(metrics.horizontalAdvance(line) for line in text.split("\n"))
    if not painted.free:
        if needed_width > room.width() + ROOM:
            return f"{where} needs {needed_width:.0f}, has {room.width():.0f}"
        ink = metrics.tightBoundingRect(text).height() * len(text.split("\n"))
        if ink > room.height() + ROOM:
            return f"{where} is {ink:.0f} high, has {room.height():.0f}"
    elif room.left() < -ROOM or room.right() > widget.width() + ROOM:
        return f"{where} goes over the edge: {room.left():.0f} to {room.right():.0f} of {widget.width()}"
    wholes = watch.shortened.get(text)
    if wholes and text.endswith(ELLIPSIS) and not any(_is_told(painted, whole) for whole in wholes):
        return f"{where} is shortened and no tooltip tells {max(wholes, key=len)!r}"
    return None


def _size(room: QRectF) -> str:
    return f"{room.width():.0f} x {room.height():.0f}"


def _is_told(painted: Painted, whole: str) -> bool:
    """Say whether a tooltip tells the whole text, there where it is shortened.

    A crosshair has none, since it stands at the pointer: it says all that it shows to whoever asks (`reading_words`).
    """
    widget = painted.widget
    words = getattr(widget, "reading_words", None)
    if words is not None and whole in words():
        return True
    at: QWidget | None = widget
    while at is not None and not at.isWindow():
        if _plain(whole) in _plain(at.toolTip()):
            return True
        at = at.parentWidget()
    for place in (painted.room.center(), painted.room.topLeft() + QPointF(4, 4)):
        point = place.toPoint()
        QToolTip.showText(QPoint(), "")
        QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, point, widget.mapToGlobal(point)))
        told = QToolTip.text()
        QToolTip.hideText()
        if _plain(whole) in _plain(told):
            return True
    return False


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", text))


def _widget_fault(widget: QWidget) -> str | None:
    """Measure what Qt paints itself, and text that reaches out of the widget that holds it."""
    text = ""
    if isinstance(widget, QLabel | QAbstractButton):
        text = widget.text()
    elif isinstance(widget, QComboBox):
        text = widget.currentText()
    elif isinstance(widget, QLineEdit):
        text = widget.text() or widget.placeholderText()
    if not text:
        return None
    where = f"{_name(widget)}: {text!r}"
    if isinstance(widget, QLabel) and not _paints_itself(widget.__class__):  # type: ignore[arg-type]  # stubs of PySide
        if widget.wordWrap() and widget.heightForWidth(widget.width()) > widget.height() + 1:
            return f"{where} needs the height {widget.heightForWidth(widget.width())}, has {widget.height()}"
        if not widget.wordWrap() and widget.sizeHint().width() > widget.width() + ROOM and not widget.toolTip():
            return f"{where} needs {widget.sizeHint().width()}, has {widget.width()}"
    elif isinstance(widget, QAbstractButton | QComboBox) and widget.sizeHint().width() > widget.width() + ROOM:
        return f"{where} needs {widget.sizeHint().width()}, has {widget.width()}"
    elif isinstance(widget, QLineEdit):
        needed = QFontMetricsF(widget.font()).horizontalAdvance(text)
        if needed + 8 > widget.width() and widget.toolTip() != text:
            return f"{where} needs {needed + 8:.0f}, has {widget.width()}"
    return _outside(widget, where)


@cache
def _paints_itself(kind: type) -> bool:
    return any("paintEvent" in vars(each) for each in kind.__mro__ if each.__module__.startswith("trayapp."))


def _outside(widget: QWidget, where: str) -> str | None:
    """Say whether a widget reaches out of one that holds it, up to what scrolls."""
    at, inner = widget, widget.rect()
    while (parent := at.parentWidget()) is not None and not at.isWindow():
        inner = inner.translated(at.pos())
        if isinstance(parent.parentWidget(), QAbstractScrollArea):
            return None
        if inner.left() < -1 or inner.right() > parent.width() + 1 or inner.bottom() > parent.height() + 1:
            return f"{where} reaches out of {_name(parent)}: {inner.getRect()} in {parent.width()} x {parent.height()}"
        at = parent
    return None


# ---- languages and sizes


def has_han() -> bool:
    """Say whether a font here has Chinese characters."""
    return bool(QFontDatabase.families(QFontDatabase.WritingSystem.SimplifiedChinese))


_WIDE = "W\u200b"
"""As wide as a Chinese character, and a line may end behind it as well."""
_HAN = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u3000-\u303f]")


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Speak a language; where no font has Chinese characters each is a W, which is as wide (0.99 of the size)."""
    from trayapp.ui import language

    language.speak(code)
    said, reteller = say._translator, say._reteller
    if code.startswith("zh") and said is not None and reteller is not None and not has_han():
        say.speak(lambda text, n: _HAN.sub(_WIDE, said(text, n)), lambda text: _HAN.sub(_WIDE, reteller(text)))
    try:
        yield
    finally:
        language.hush()


@contextmanager
def text_size(scale: float) -> Iterator[None]:
    """Let the system's text be that much larger."""
    before = QApplication.font()
    larger = QFont(before)
    larger.setPixelSize(round(before.pixelSize() * scale))
    QApplication.setFont(larger)
    try:
        yield
    finally:
        QApplication.setFont(before)


def all_faults(code: str, scale: float) -> dict[str, list[str]]:
    """Look at every face in a language and a text size; return what does not fit, by face."""
    from tests.ui import faces

    found = {}
    with text_size(scale), speaking(code):
        for name, face in faces.every_face():
            faults = faults_of(face)
            if faults:
                found[name] = faults
    return found


def main(arguments: list[str]) -> int:
    """Print what does not fit."""
    from tests.ui.conftest import pin_look
    from trayapp.ui import application

    app = application.make_application()
    pin_look(app)
    found = all_faults(arguments[0], float(arguments[1]))
    json.dump(found, sys.stdout, indent=1, ensure_ascii=False)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
