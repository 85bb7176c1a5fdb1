"""What moves, and whether anything may: the user's setting, else what the system says of reduced motion.

Nothing moves on a tick; who calls here says that a person did something. With reduced motion all happens at once. Qt's
animations are loaded with the first thing that moves.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

if TYPE_CHECKING:
    from PySide6.QtCore import QVariantAnimation

FADE_MS = 120
MOVE_MS = 200
_UNSEEN = ("offscreen", "minimal")


def wanted(setting: str, *, system_reduces: Callable[[], bool] | None = None) -> bool:
    """Say whether things may move, by the setting `motion` ("auto", "on" or "off")."""
    if setting != "auto":
        return setting == "on"
    return not (system_reduces or system_reduces_motion)()


def system_reduces_motion() -> bool:
    """Say whether the system asks for less motion.

    Of Qt's accessibility hints 6.11 has the contrast and not the motion, so the systems are asked themselves.
    """
    if QGuiApplication.platformName() in _UNSEEN:
        return True
    if sys.platform == "darwin":
        from trayapp.desktop import macos_policy

        return macos_policy.reduces_motion()
    if sys.platform == "win32":
        return not _windows_animates()
    return _desktop_is_still(Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"))


def _windows_animates() -> bool:
    """Return "Show animations in Windows" (SPI_GETCLIENTAREAANIMATION, winuser.h); True where it cannot be asked."""
    import ctypes

    user = getattr(getattr(ctypes, "windll", None), "user32", None)
    value = ctypes.c_int(1)
    asked = user is not None and user.SystemParametersInfoW(0x1042, 0, ctypes.byref(value), 0)
    return bool(value.value) if asked else True


def _desktop_is_still(config: Path) -> bool:
    """Say whether the files of a Linux desktop switch animations off: GTK's settings, and the speed of Plasma's."""
    lines = [*_lines(config / "gtk-4.0" / "settings.ini"), *_lines(config / "gtk-3.0" / "settings.ini")]
    if any(name == "gtk-enable-animations" and value.lower() in ("0", "false") for name, value in lines):
        return True
    plasma = [value for name, value in _lines(config / "kdeglobals") if name == "AnimationDurationFactor"]
    return any(value in ("0", "0.0") for value in plasma)


def _lines(file: Path) -> list[tuple[str, str]]:
    """Return name and value of each setting in a file; none where it is not there or cannot be read."""
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    pairs = (line.partition("=") for line in text.splitlines() if "=" in line)
    return [(name.strip(), value.strip()) for name, _, value in pairs]


def fade_in(window: QWidget, *, moves: bool) -> None:
    """Let a window appear within 120 ms."""
    if not moves:
        if window.windowOpacity() != 1.0:
            window.setWindowOpacity(1.0)
        return
    from PySide6.QtCore import QPropertyAnimation

    fade = window.findChild(QPropertyAnimation, "fade")
    if not isinstance(fade, QPropertyAnimation):
        fade = QPropertyAnimation(window, b"windowOpacity", window)
        fade.setObjectName("fade")
        fade.setDuration(FADE_MS)
        fade.setStartValue(0.0)
        fade.setEndValue(1.0)
    fade.stop()
    window.setWindowOpacity(0.0)
    fade.start()


def run(owner: QObject, step: Callable[[float], None], done: Callable[[], None]) -> QVariantAnimation:
    """Call `step` with 0 to 1 over 200 ms, ease-out, and `done` at its end; ends with its owner."""
    from PySide6.QtCore import QEasingCurve, QVariantAnimation

    moving = QVariantAnimation(owner)
    moving.setDuration(MOVE_MS)
    moving.setEasingCurve(QEasingCurve.Type.OutCubic)
    moving.setStartValue(0.0)
    moving.setEndValue(1.0)
    moving.valueChanged.connect(lambda value: step(float(value)) if isValid(owner) else None)
    moving.finished.connect(lambda: done() if isValid(owner) else None)
    moving.start(QVariantAnimation.DeletionPolicy.DeleteWhenStopped)
    return moving
