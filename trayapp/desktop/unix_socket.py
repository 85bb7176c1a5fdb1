"""The socket of the one running app, where there are Unix sockets: a file that only this user may open.

By the standard library and a notifier of Qt's event loop: Qt's own local sockets bring all of its networking along,
some 3 MB for six bytes.
"""

from __future__ import annotations

import os
import socket
import tempfile
from contextlib import suppress

from PySide6.QtCore import QObject, QSocketNotifier, Signal

_WAIT_S = 1.5
_READ_S = 0.2
"""A second start writes right after it has connected; a stranger who does not is not waited for."""
_MAX_BYTES = 64
_WAITING = 8


def _path(name: str) -> str:
    """Return where the socket lies; a bare name is one in the folder for temporary files."""
    return os.path.join(tempfile.gettempdir(), name)


def send(name: str, words: bytes) -> bool:
    """Say something to whoever listens there; False where nobody does."""
    with socket.socket(socket.AF_UNIX) as speaker:
        speaker.settimeout(_WAIT_S)
        try:
            speaker.connect(_path(name))
        except OSError:
            return False
        with suppress(OSError):  # somebody is there all the same
            speaker.sendall(words)
        return True


class Listener(QObject):
    """Hear what other starts say. Lives in the UI thread."""

    # Emitted in the UI thread; payload: bytes, the first that somebody said.
    heard = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._socket: socket.socket | None = None
        self._notifier: QSocketNotifier | None = None
        self._path = ""

    @property
    def is_listening(self) -> bool:
        return self._socket is not None

    def listen(self, name: str) -> bool:
        """Listen from now on; False where that name is taken or cannot be used."""
        listening = socket.socket(socket.AF_UNIX)
        try:
            listening.bind(_path(name))
            os.chmod(_path(name), 0o600)  # before listen(): until then nobody gets in
            listening.listen(_WAITING)
        except OSError:
            listening.close()
            return False
        listening.setblocking(False)
        self._socket, self._path = listening, _path(name)
        self._notifier = QSocketNotifier(listening.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._take_connections)
        return True

    def close(self) -> None:
        """Listen no more and take the file away."""
        if self._socket is None or self._notifier is None:
            return
        self._notifier.setEnabled(False)
        self._socket.close()
        self._socket = self._notifier = None
        remove(self._path)

    def _take_connections(self) -> None:
        while self._socket is not None:
            try:
                speaker, _ = self._socket.accept()
            except OSError:  # nobody waits any more, or who did is gone
                return
            with speaker:
                speaker.settimeout(_READ_S)
                try:
                    said = speaker.recv(_MAX_BYTES)
                except OSError:
                    continue
            self.heard.emit(said)


def remove(name: str) -> None:
    """Take away a socket that nobody listens on."""
    try:
        os.unlink(_path(name))
    except OSError:
        return  # gone already, or not ours to take
