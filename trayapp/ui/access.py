"""What assistive technology is told of a widget that paints itself: its role; its name it says by itself.

Qt asks for it only where a screen reader or the like is there; nothing is loaded before.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QWidget

ROLES: Mapping[str, str] = {
    "RingWidget": "Chart",
    "Chart": "Chart",
    "PolicyPlot": "Chart",
    "RowList": "List",
    "SessionRow": "ListItem",
    "HostMark": "Graphic",
}
"""By class: one of the names in QAccessible.Role. Qt's own widgets and what is derived from them have theirs."""

_installed = False


def install() -> None:
    """Let Qt ask for the roles of our widgets; a second call does nothing."""
    global _installed
    if not _installed:
        _installed = True
        QAccessible.installFactory(_interface)


def _interface(key: str, asked: QObject) -> QAccessibleInterface | None:
    """Answer for one class of a widget; Qt asks for what it is derived from as well."""
    role = ROLES.get(key)
    if role is None or not isinstance(asked, QWidget):
        return None
    from PySide6.QtWidgets import QAccessibleWidget

    return QAccessibleWidget(asked, QAccessible.Role[role])
