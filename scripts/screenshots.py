"""Draw the pictures of the README: the real popover, window and tray icon, showing the sample sessions of the UI tests.

    python -m scripts.screenshots FOLDER

Popover and window are drawn without a screen at twice the size. The tray is a picture of a real X screen with a real tray
(Xvfb, trayer and ImageMagick's import are needed; elsewhere it is left out and said so).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LOOKS = ("light", "dark")
NEEDED_FOR_TRAY = ("Xvfb", "trayer", "xdotool", "import")
DEADLINE_S = 20.0


def draw_faces(folder: Path) -> None:
    """Draw popover and window in both looks; runs in a process of its own, since Qt reads its scale once."""
    from PySide6.QtCore import QRect
    from PySide6.QtWidgets import QApplication

    from tests.ui import scene
    from tests.ui.conftest import pin_look
    from tests.ui.fake_backend import FakeBackend
    from trayapp.ui import tokens
    from trayapp.ui.bridge import Bridge
    from trayapp.ui.popover import Popover

    application = QApplication([])
    pin_look(application)
    for look in LOOKS:
        tokens.appearance().choose(look)
        bridge = Bridge(FakeBackend(scene.scene()))
        popover = Popover(bridge)
        popover.show_at(QRect(700, 0, 24, 24))
        settle(application)
        popover.grab().save(str(folder / f"popover-{look}.png"))
        popover.close()
        bridge.close()


def settle(application: object) -> None:
    """Let layouts, animations and answers from the scripted core come to rest."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    QTimer.singleShot(600, loop.quit)
    loop.exec()


if __name__ == "__main__":
    draw_faces(Path(sys.argv[1]))
