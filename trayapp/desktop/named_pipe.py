"""The socket of the one running app on Windows: a named pipe that only this user may open, by Qt's local sockets."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

_WAIT_MS = 1500
_READ_MS = 200
"""A second start writes right after it has connected; a stranger who does not is not waited for."""
_MAX_BYTES = 64


def send(name: str, words: bytes) -> bool:
    """Say something to whoever listens there; False where nobody does."""
    speaker = QLocalSocket()
    speaker.connectToServer(name)
    if not speaker.waitForConnected(_WAIT_MS):
        return False
    speaker.write(words)
    speaker.waitForBytesWritten(_WAIT_MS)
    speaker.disconnectFromServer()
    if speaker.state() is not QLocalSocket.LocalSocketState.UnconnectedState:
        speaker.waitForDisconnected(_WAIT_MS)
    return True


class Listener(QObject):
    """Hear what other starts say. Lives in the UI thread and needs a QCoreApplication."""

    # Emitted in the UI thread; payload: bytes, the first that somebody said.
    heard = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._take_connections)

    @property
    def is_listening(self) -> bool:
        return self._server.isListening()

    def listen(self, name: str) -> bool:
        """Listen from now on; False where that name is taken or cannot be used."""
        return self._server.listen(name)

    def close(self) -> None:
        """Listen no more."""
        self._server.close()

    def _take_connections(self) -> None:
        while self._server.hasPendingConnections():
            speaker = self._server.nextPendingConnection()
            speaker.setReadBufferSize(_MAX_BYTES)
            if speaker.bytesAvailable() or speaker.waitForReadyRead(_READ_MS):
                self.heard.emit(bytes(speaker.readAll().data()))
            speaker.close()
            speaker.deleteLater()


def remove(name: str) -> None:
    """Take away what a crash left; of a pipe nothing stays."""
    QLocalServer.removeServer(name)
