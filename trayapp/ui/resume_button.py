"""The button that brings a session back: through its host where that can, else the command goes to the clipboard."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from trayapp import targets
from trayapp.ui.bridge import Bridge
from trayapp.ui.controls import Button, Text

if TYPE_CHECKING:
    from trayapp.model.session import ResumeTicket

COPIED_MS = 2000
WORD = "Resume"


def can_resume(ticket: ResumeTicket | None) -> bool:
    """Say whether there is a way back: a call of the host, or a command."""
    return ticket is not None and (ticket.call is not None or targets.resume_command(ticket) is not None)


def by_host(ticket: ResumeTicket | None, host: str | None) -> bool:
    """Say whether the host itself brings it back."""
    return ticket is not None and ticket.call is not None and host is not None


class ResumeButton(Button):
    """Bring one session back; `answer`, where given, shows what its host said."""

    # Emitted in the UI thread when the host has answered, and `answer` says so.
    answered = Signal()

    def __init__(
        self,
        bridge: Bridge,
        ticket: ResumeTicket,
        *,
        host: str | None,
        title: str,
        answer: Text | None = None,
        height: int = 25,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(WORD, height=height, min_width=68, parent=parent)
        self._bridge, self._ticket, self._host, self._answer = bridge, ticket, host, answer
        self._command = targets.resume_command(ticket) or ""
        asks = by_host(ticket, host)
        self.setAccessibleName(f"Resume {title}" + ("" if asks else ", copies the command"))
        self.setToolTip("" if asks else self._command)
        self.clicked.connect(self._ask if asks else self._copy)
        if asks:
            bridge.resume_changed.connect(self._follow)
            self.show_state()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._command)
        self.setText("Copied")
        QTimer.singleShot(COPIED_MS, self, partial(self.setText, WORD))

    def _ask(self) -> None:
        if self._host is not None:
            self._bridge.resume(self._host, self._ticket)

    def _follow(self, ticket: ResumeTicket) -> None:
        if ticket == self._ticket:
            self.show_state()

    def show_state(self) -> None:
        """Show how far it is, here and in the answer."""
        state = self._bridge.resume_of(self._ticket)
        if state is None:
            return
        self.setText({None: "Resuming", True: "Resumed", False: WORD}[state.ok])
        self.setEnabled(state.ok is False)
        self.setToolTip(state.message)
        self.updateGeometry()
        if self._answer is not None and state.message:
            self._answer.set_tone("sec" if state.ok else "amber")
            self._answer.setText(state.message)
            self._answer.show()
        if state.ok is not None:
            self.answered.emit()
