"""Walk over a face as somebody without a mouse, or without sight, would: what has the focus, what it is called."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QScrollArea,
    QScrollBar,
    QWidget,
)

from trayapp.ui import tokens

INTERACTIVE = (QAbstractButton, QAbstractItemView, QAbstractSpinBox, QAbstractSlider, QComboBox, QLineEdit)
_SILENT = {QAccessible.Role.NoRole, QAccessible.Role.Client, QAccessible.Role.Window}


def interactive(face: QWidget) -> Iterator[QWidget]:
    """Yield what a person can do something with: Qt's own controls, and all that takes the focus."""
    for widget in face.findChildren(QWidget):
        if not widget.isVisible() or not widget.isEnabled() or isinstance(widget, QScrollBar):
            continue
        if widget.focusProxy() is not None or isinstance(widget.parentWidget(), QComboBox | QAbstractSpinBox):
            continue
        if isinstance(widget, QHeaderView):  # what a click on it does stands in the menu of its view
            continue
        if isinstance(widget, INTERACTIVE) or _takes_focus(widget):
            yield widget


def _takes_focus(widget: QWidget) -> bool:
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.focusProxy() is None


def by_tab(face: QWidget) -> list[QWidget]:
    """Return what Tab leads to, in its order; of buttons that exclude each other the chosen one, arrows do the rest."""
    found = []
    at = face.nextInFocusChain()
    while at is not None and at is not face:
        if at.isVisible() and at.isEnabled() and _takes_focus(at):
            found.append(at)
        at = at.nextInFocusChain()
    return found


def name(widget: QWidget) -> str:
    """Return what a screen reader calls it."""
    return str(QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name))


def role(widget: QWidget) -> QAccessible.Role:
    return QAccessible.queryAccessibleInterface(widget).role()


def path(widget: QWidget) -> str:
    """Return where it is, for people who mend it."""
    names: list[str] = []
    at: QWidget | None = widget
    while at is not None and len(names) < 3:
        names.append(at.objectName() or type(at).__name__)
        at = at.parentWidget()
    return " in ".join(names)


def faults_of(face: QWidget) -> list[str]:
    """Say what somebody without a mouse, without sight or with unsteady hands would miss."""
    faults = []
    reached = by_tab(face)
    for widget in interactive(face):
        where = f"{path(widget)} ({name(widget)!r})"
        if not name(widget).strip():
            faults.append(f"{path(widget)} has no accessible name")
        if role(widget) in _SILENT:
            faults.append(f"{where} has the role {role(widget).name}")
        if widget not in reached and not _by_arrows(widget):
            faults.append(f"{where} is not reached by Tab")
        if widget.height() < tokens.MIN_TARGET:
            faults.append(f"{where} is {widget.height()} high")
    return faults


def _by_arrows(widget: QWidget) -> bool:
    """Say whether arrow keys lead to it, as its class tells by `BY_ARROWS`, or as Qt does among exclusive buttons."""
    if isinstance(widget, QAbstractButton) and widget.autoExclusive():
        return True
    at: QWidget | None = widget
    while at is not None:
        if getattr(type(at), "BY_ARROWS", False):
            return True
        at = at.parentWidget()
    return False


def focus_faults_of(face: QWidget, seen: set[str] | None = None) -> list[str]:
    """Say which controls do not show that they have the keyboard focus; the face has to be the active window.

    Of those that stand in `seen` already, by class and place, no further one is looked at.
    """
    faults = []
    seen = set() if seen is None else seen
    face.window().setAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)  # as the first Tab does
    for widget in by_tab(face):
        if path(widget) in seen or not widget.isVisible():
            continue
        seen.add(path(widget))
        _scroll_to(widget)
        before = face.focusWidget()
        if before is not None:
            before.clearFocus()
        QApplication.processEvents()
        room = QRect(widget.mapTo(face, QPoint(0, 0)), widget.size()).adjusted(-8, -8, 8, 8) & face.rect()
        without = face.grab(room).toImage()
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        QApplication.processEvents()
        if not widget.hasFocus():
            faults.append(f"{path(widget)} ({name(widget)!r}) does not take the focus")
        elif face.grab(room).toImage() == without:
            faults.append(f"{path(widget)} ({name(widget)!r}) does not show that it has the focus")
    return faults


def _scroll_to(widget: QWidget) -> None:
    """Bring it into sight, as Tab does."""
    at = widget.parentWidget()
    while at is not None:
        if isinstance(at, QScrollArea):
            at.ensureWidgetVisible(widget)
        at = at.parentWidget()
    QApplication.processEvents()
