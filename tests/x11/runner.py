"""Run the real application on the real core beside a planted tree, and tell the test what stands where on the screen.

Used as `python -m tests.x11.runner ROOT`. The only thing added to the product is a timer that writes the visible
windows, buttons and the icon's place to ROOT/faces.json, so that a test knows where to click.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, QTimer
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QSystemTrayIcon

from tests.trees import core_for
from trayapp.app import running
from trayapp.settings import Settings
from trayapp.ui import application


def faces(app: QApplication) -> dict[str, object]:
    """Describe what can be seen: rectangles are left, top, width, height on the screen."""
    windows, buttons, entries = [], [], []
    for window in app.topLevelWidgets():
        if not window.isVisible():
            continue
        windows.append({"kind": type(window).__name__, "title": window.windowTitle(), "at": _rect(window.geometry())})
        if isinstance(window, QMenu):
            for action in window.actions():
                at = window.actionGeometry(action).translated(window.pos())
                entries.append({"text": action.text(), "at": _rect(at)})
        for button in window.findChildren(QAbstractButton):
            if button.isVisible() and not button.visibleRegion().isEmpty():
                at = QRect(button.mapToGlobal(QPoint(0, 0)), button.size())
                name = button.accessibleName() or button.text()
                buttons.append({"window": type(window).__name__, "text": button.text(), "name": name, "at": _rect(at)})
    icons = [icon for icon in app.findChildren(QSystemTrayIcon) if icon.isVisible()]
    tray = [{"at": _rect(icon.geometry()), "tooltip": icon.toolTip()} for icon in icons]
    return {"windows": windows, "buttons": buttons, "entries": entries, "tray": tray}


def _rect(rect: QRect) -> list[int]:
    return [rect.x(), rect.y(), rect.width(), rect.height()]


def main() -> int:
    root = Path(sys.argv[1])
    app = application.make_application()
    timer = QTimer(app)

    def write() -> None:
        part = root / "faces.part"
        part.write_text(json.dumps(faces(app)))
        part.replace(root / "faces.json")

    timer.timeout.connect(write)
    timer.start(100)
    return application.run(lambda: running(core_for(root, settings=Settings(interval_s=0.5, welcomed=True))))


if __name__ == "__main__":
    sys.exit(main())
