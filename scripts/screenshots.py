"""Draw the pictures of the README: the real faces, showing the sample sessions of the UI tests.

    python -m scripts.screenshots FOLDER

Popover and window are drawn without a screen, at twice the size. The tray is a picture of a real X screen with a real
tray (tests/x11/desk.py); where Xvfb, trayer, xdotool and ImageMagick are missing it is left out, and that is said.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LOOKS = ("light", "dark")
NEEDED_FOR_TRAY = ("Xvfb", "trayer", "xdotool", "import", "convert")
SCREEN = {"name": "screen", "x": 0, "y": 0, "width": 2880, "height": 2000, "logicalDpi": 96}
SCALE = "2"
SETTLE_MS = 1500
DESKTOPS = {"light": "#C9CED6", "dark": "#3B4350"}
PANELS = {"light": "0xECECEE", "dark": "0x1B1B1E"}


def settle() -> None:
    """Let layouts, animations and the scripted core's answers come to rest."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    QTimer.singleShot(SETTLE_MS, loop.quit)
    loop.exec()


def draw_faces(folder: Path) -> None:
    """Draw popover and window in both looks."""
    from PySide6.QtCore import QRect

    from tests.ui import scene, screenshots
    from tests.ui.conftest import pin_look
    from tests.ui.fake_backend import FakeBackend
    from trayapp.ui import application, tokens

    app = application.make_application()
    pin_look(app)
    pieces = application.TrayApplication(app, FakeBackend(scene.scene()))
    for look in LOOKS:
        tokens.appearance().choose(look)
        pieces.popover.show_at(QRect(1000, 0, 24, 24))
        settle()
        pieces.popover.grab().save(str(folder / f"popover-{look}.png"))
        pieces.open_window()
        settle()
        pieces.main_window().grab().save(str(folder / f"window-{look}.png"))
        pieces.main_window().hide()
        screenshots.draw(folder, look)
    pieces.close()
    draw_languages(folder)


def draw_languages(folder: Path) -> None:
    """Draw popover and window in German and Chinese, where there are letters for them."""
    from PySide6.QtCore import QRect
    from PySide6.QtGui import QFontDatabase
    from PySide6.QtWidgets import QApplication

    from tests.ui import scene
    from tests.ui.fake_backend import FakeBackend
    from trayapp.ui import application, language, tokens

    app = QApplication.instance()
    assert isinstance(app, QApplication)
    tokens.appearance().choose("light")
    for code in ("de", "zh_CN"):
        if code == "zh_CN" and not QFontDatabase.families(QFontDatabase.WritingSystem.SimplifiedChinese):
            print("no pictures in Chinese: no font with its characters is installed")
            continue
        language.speak(code)
        pieces = application.TrayApplication(app, FakeBackend(scene.scene()))
        pieces.popover.show_at(QRect(1000, 0, 24, 24))
        settle()
        pieces.popover.grab().save(str(folder / f"popover-{code}.png"))
        pieces.open_window()
        settle()
        pieces.main_window().grab().save(str(folder / f"window-{code}.png"))
        pieces.close()
        language.hush()


def draw_tray(folder: Path, look: str) -> None:
    """Take a picture of the corner of the screen with the tray, the icon and the open popover."""
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QWidget

    from tests.ui import scene
    from tests.ui.conftest import pin_look
    from tests.ui.fake_backend import FakeBackend
    from trayapp.ui import application, tokens

    app = application.make_application()
    pin_look(app)
    tokens.appearance().choose(look)
    desktop = QWidget(None, Qt.WindowType.FramelessWindowHint)
    desktop.setStyleSheet(f"background: {DESKTOPS[look]}")
    desktop.setGeometry(app.primaryScreen().geometry())
    desktop.show()
    desktop.lower()
    pieces = application.TrayApplication(app, FakeBackend(scene.scene()))
    pieces.start()
    settle()
    pieces.tray.toggle()
    settle()
    picture = str(folder / f"tray-{look}.png")
    subprocess.run(["import", "-window", "root", picture], check=True, timeout=20)
    height = pieces.popover.geometry().bottom() + 20
    subprocess.run(
        ["convert", picture, "-gravity", "NorthEast", "-crop", f"480x{height}+0+0", "+repage", picture], check=True
    )
    pieces.close()
    desktop.close()


def draw_all(folder: Path) -> int:
    """Draw everything, each screen in a process of its own, since Qt chooses its platform once."""
    folder.mkdir(parents=True, exist_ok=True)
    again = [sys.executable, "-m", "scripts.screenshots", str(folder)]
    with tempfile.TemporaryDirectory() as scratch:
        config = Path(scratch) / "screen.json"
        config.write_text(json.dumps({"screens": [SCREEN]}))
        platform = {"QT_QPA_PLATFORM": f"offscreen:configfile={config}", "QT_SCALE_FACTOR": SCALE}
        subprocess.run([*again, "faces"], env=os.environ | platform, check=True)
    missing = [program for program in NEEDED_FOR_TRAY if shutil.which(program) is None]
    if missing:
        print(f"no picture of the tray: {', '.join(missing)} not found")
        return 0
    from tests.x11.desk import desk_with

    for look in LOOKS:
        with desk_with(tray=False) as desk:
            screen = os.environ | {"DISPLAY": desk.display, "QT_QPA_PLATFORM": "xcb"}
            panel = subprocess.Popen(panel_command(look), env=screen, stderr=subprocess.DEVNULL)
            try:
                subprocess.run([*again, look], env=screen, check=True)
            finally:
                panel.terminate()
                panel.wait(10)
    for picture in folder.glob("*.png"):  # flat colours: a palette holds them, in a third of the size
        subprocess.run(["convert", picture, "+dither", "-colors", "256", f"PNG8:{picture}"], check=True, timeout=60)
    return 0


def panel_command(look: str) -> list[str]:
    """Return how to start a tray along the top of the screen, in the colour of that look."""
    place = "--edge top --align right --widthtype percent --width 100 --height 28 --expand false".split()
    return ["trayer", *place, "--transparent", "true", "--alpha", "0", "--tint", PANELS[look]]


def main(arguments: list[str]) -> int:
    """Draw everything, or the part that the second argument names."""
    folder = Path(arguments[0])
    match arguments[1:]:
        case []:
            return draw_all(folder)
        case ["faces"]:
            draw_faces(folder)
        case [look]:
            draw_tray(folder, look)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
