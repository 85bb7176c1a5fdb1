"""One running app per user: the first start listens on a local socket, a second one asks it to show its window.

Knows Qt's local sockets (a file only this user may open, a named pipe on Windows). Knows nothing of windows.
"""

from __future__ import annotations

import getpass
import hashlib
import os

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

OPEN = b"open\n"
_WAIT_MS = 1500
_READ_MS = 200
"""A second start writes right after it has connected; a stranger who does not is not waited for."""
_MAX_BYTES = 64


def socket_name(user: str, display: str) -> str:
    """Return the socket's name: one per user and screen, short enough for a Unix socket's 108 bytes."""
    return "agentring-" + hashlib.sha256(f"{user}\n{display}".encode()).hexdigest()[:16]


def own_socket_name() -> str:
    """Return the name for this user on this screen (two X servers are two desks), in the user's own folder if any."""
    name = socket_name(getpass.getuser(), os.environ.get("WAYLAND_DISPLAY") or os.environ.get("DISPLAY", ""))
    folder = os.environ.get("XDG_RUNTIME_DIR", "")
    return os.path.join(folder, name) if os.path.isdir(folder) else name


class SingleInstance(QObject):
    """Hold the claim to be the one that runs.

    Lives in the UI thread and needs a QCoreApplication.
    """

    # Emitted in the UI thread of the first instance when another start asks it to show its window.
    open_asked = Signal()

    def __init__(self, name: str | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name = name or own_socket_name()
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._take_connections)

    def claim(self) -> bool:
        """Become the one instance; False when another runs, which was asked to show its window.

        A socket that was left by a crash answers nobody and is replaced.
        """
        if self._ask_other():
            return False
        if self._server.listen(self._name):
            return True
        QLocalServer.removeServer(self._name)
        # without a socket the app still runs, only a second start cannot find it
        self._server.listen(self._name)
        return True

    @property
    def is_listening(self) -> bool:
        return self._server.isListening()

    def close(self) -> None:
        """Give the claim up."""
        self._server.close()

    def _ask_other(self) -> bool:
        socket = QLocalSocket()
        socket.connectToServer(self._name)
        if not socket.waitForConnected(_WAIT_MS):
            return False
        socket.write(OPEN)
        socket.waitForBytesWritten(_WAIT_MS)
        socket.disconnectFromServer()
        if socket.state() is not QLocalSocket.LocalSocketState.UnconnectedState:
            socket.waitForDisconnected(_WAIT_MS)
        return True

    def _take_connections(self) -> None:
        while self._server.hasPendingConnections():
            socket = self._server.nextPendingConnection()
            socket.setReadBufferSize(_MAX_BYTES)
            if socket.bytesAvailable() or socket.waitForReadyRead(_READ_MS):
                self._hear(socket)
            socket.close()
            socket.deleteLater()

    def _hear(self, socket: QLocalSocket) -> None:
        if bytes(socket.readAll().data()).startswith(OPEN.strip()):
            self.open_asked.emit()
