"""Run the real application on the real core beside a planted tree, and tell the test what stands where on the screen.

Used as `python -m tests.x11.runner ROOT`. The only thing added to the product is a timer that writes the visible
windows, buttons, texts, the icon's place and what has the keyboard to ROOT/faces.json, so that a test knows where to
click. The settings are those of ROOT/settings.toml, where a test has written one.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, QTimer
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QMenu, QSystemTrayIcon

from tests.trees import core_for
from trayapp.app import running
from trayapp.settings import Settings, load
from trayapp.ui import application


def faces(app: QApplication) -> dict[str, object]:
    """Describe what can be seen: rectangles are left, top, width, height on the screen."""
    windows, buttons, entries, texts = [], [], [], []
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
        for label in window.findChildren(QLabel):
            if label.isVisible():
                texts.append({"window": type(window).__name__, "text": label.text()})
    icons = [icon for icon in app.findChildren(QSystemTrayIcon) if icon.isVisible()]
    tray = [{"at": _rect(icon.geometry()), "tooltip": icon.toolTip()} for icon in icons]
    holds = app.focusWidget()
    focus = [{"name": holds.accessibleName() or getattr(holds, "text", str)()}] if holds is not None else []
    return {"windows": windows, "buttons": buttons, "entries": entries, "tray": tray, "focus": focus, "texts": texts}


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
    file = root / "settings.toml"
    settings = load(file)[0] if file.exists() else Settings(interval_s=0.5, welcomed=True)
    return application.run(lambda: running(core_for(root, settings=settings)))


if __name__ == "__main__":
    sys.exit(main())
