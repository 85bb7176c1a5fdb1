"""One running app per user: the first start listens on a local socket, a second one asks it to show its window.

Knows nothing of windows, nor of how the socket is made: unix_socket.py and named_pipe.py do.
"""

from __future__ import annotations

import getpass
import os
import sys
import zlib

from PySide6.QtCore import QObject, Signal

if sys.platform == "win32":
    from trayapp.desktop import named_pipe as door
else:
    from trayapp.desktop import unix_socket as door

OPEN = b"open\n"
LONGEST_BYTES = 100
"""Of a socket's path; 104 on macOS and 108 on Linux with the zero at its end."""


def socket_name(user: str, display: str) -> str:
    """Return the socket's name: one per user and screen, short enough for a Unix socket's 108 bytes."""
    return f"agentring-{zlib.crc32(user.encode()):08x}{zlib.crc32(display.encode()):08x}"


def own_socket_name() -> str:
    """Return the name for this user on this screen (two X servers are two desks), in the user's own folder if any."""
    name = socket_name(getpass.getuser(), os.environ.get("WAYLAND_DISPLAY") or os.environ.get("DISPLAY", ""))
    folder = os.environ.get("XDG_RUNTIME_DIR", "")
    if not os.path.isdir(folder):
        return name
    path = os.path.join(folder, name)
    # a longer one cannot be bound (unix(7)); the folder for temporary files is short
    return path if len(os.fsencode(path)) <= LONGEST_BYTES else f"{name}-{zlib.crc32(os.fsencode(folder)):08x}"


class SingleInstance(QObject):
    """Hold the claim to be the one that runs.

    Lives in the UI thread and needs a QCoreApplication.
    """

    # Emitted in the UI thread of the first instance when another start asks it to show its window.
    open_asked = Signal()

    def __init__(self, name: str | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name = name or own_socket_name()
        self._listener = door.Listener(self)
        self._listener.heard.connect(self._hear)

    def claim(self) -> bool:
        """Become the one instance; False when another runs, which was asked to show its window.

        A socket that was left by a crash answers nobody and is replaced.
        """
        if door.send(self._name, OPEN):
            return False
        if self._listener.listen(self._name):
            return True
        if door.send(self._name, OPEN):  # another start was quicker
            return False
        door.remove(self._name)
        # without a socket the app still runs, only a second start cannot find it
        self._listener.listen(self._name)
        return True

    @property
    def is_listening(self) -> bool:
        return self._listener.is_listening

    def close(self) -> None:
        """Give the claim up."""
        self._listener.close()

    def _hear(self, said: bytes) -> None:
        if said.startswith(OPEN.strip()):
            self.open_asked.emit()
