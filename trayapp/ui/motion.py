"""What moves, and whether anything may: the user's setting, else what the system says of reduced motion.

Nothing moves on a tick; who calls here says that a person did something. With reduced motion all happens at once.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimerEvent
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

FADE_MS = 120
MOVE_MS = 200
BEAT_MS = 16
_FADE = "fade"
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


class Move(QObject):
    """Call `step` with 0 to 1 over a while, ease-out, and `done` at its end; ends with its owner.

    Lets go of both when it is over, not when it is deleted: were they its owner's last reference, each would delete
    the other.
    """

    def __init__(self, owner: QObject, step: Callable[[float], object], done: Callable[[], object], ms: int) -> None:
        super().__init__(owner)
        self._step: Callable[[float], object] | None = step
        self._done: Callable[[], object] | None = done
        self._ms, self._began_s = ms, time.perf_counter()
        self._timer = self.startTimer(BEAT_MS)

    def timerEvent(self, event: QTimerEvent) -> None:
        step, done = self._step, self._done
        if step is None or done is None:
            return
        share = min(1.0, (time.perf_counter() - self._began_s) * 1000 / self._ms)
        step(1 - (1 - share) ** 3)
        if share >= 1:
            self.stop()
            done()

    def stop(self) -> None:
        """End it where it is; may be called twice."""
        if self._step is not None:
            self._step = self._done = None
            self.killTimer(self._timer)
            self.deleteLater()


def run(owner: QObject, step: Callable[[float], object], done: Callable[[], object], *, ms: int = MOVE_MS) -> Move:
    """Let something move; whoever keeps the Move forgets it in `done`."""
    return Move(owner, step, done, ms)


def fade_in(window: QWidget, *, moves: bool) -> None:
    """Let a window appear within 120 ms."""
    for child in window.children():
        if isinstance(child, Move) and child.objectName() == _FADE:
            child.stop()
    if moves:
        window.setWindowOpacity(0.0)
        run(window, window.setWindowOpacity, lambda: None, ms=FADE_MS).setObjectName(_FADE)
    elif window.windowOpacity() != 1.0:
        window.setWindowOpacity(1.0)
