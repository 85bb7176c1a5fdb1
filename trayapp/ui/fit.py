"""How tall something wants to be, and where the popover may stand on a screen: pure geometry, no widget of its own."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLayout


def place(anchor: QRect, size: QSize, screen: QRect, *, margin: int = 8) -> QPoint:
    """Return where the popover stands: beside the icon, away from the edge that the panel lies on, whole on the screen.

    The panel lies on the edge that the icon is nearest to; in a corner it is taken to lie above or below.
    """
    off = {
        "top": anchor.top() - screen.top(),
        "bottom": screen.bottom() - anchor.bottom(),
        "left": anchor.left() - screen.left(),
        "right": screen.right() - anchor.right(),
    }
    edge = min(off, key=lambda name: (off[name], list(off).index(name)))
    left = anchor.center().x() - size.width() // 2
    top = anchor.center().y() - size.height() // 2
    if edge == "top":
        top = anchor.bottom() + 1 + margin
    elif edge == "bottom":
        top = anchor.top() - margin - size.height()
    elif edge == "left":
        left = anchor.right() + 1 + margin
    else:
        left = anchor.left() - margin - size.width()
    most_left, most_top = screen.right() + 1 - margin - size.width(), screen.bottom() + 1 - margin - size.height()
    return QPoint(max(screen.left() + margin, min(left, most_left)), max(screen.top() + margin, min(top, most_top)))


def height_of(layout: QLayout, width: int) -> int:
    """Return the height that a layout wants at that width."""
    return layout.totalHeightForWidth(width) if layout.hasHeightForWidth() else layout.totalSizeHint().height()


def blends() -> bool:
    """Say whether this platform can show a window with round corners."""
    return QGuiApplication.platformName() not in ("xcb", "vnc", "linuxfb")
