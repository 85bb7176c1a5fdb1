"""The button that brings a session back: through its host where that can, else in the user's terminal.

Where no terminal can be opened, the command goes to the clipboard, and that is said.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from trayapp import targets
from trayapp.say import noted, say, told
from trayapp.ui.bridge import Bridge
from trayapp.ui.controls import Button, Text

if TYPE_CHECKING:
    from trayapp.model.process import Identity
    from trayapp.model.session import ResumeTicket
    from trayapp.model.snapshot import Snapshot

SHOWN_MS = 2000
WORD = noted("Resume")
COPY = noted("Copy resume command")


_WORDS = {None: noted("Resuming"), True: noted("Resumed"), False: WORD}


def can_resume(ticket: ResumeTicket | None) -> bool:
    """Say whether there is a way back: a call of the host, or a command."""
    return ticket is not None and (ticket.call is not None or targets.resume_command(ticket) is not None)


def by_host(ticket: ResumeTicket | None, host: str | None) -> bool:
    """Say whether the host itself brings it back."""
    return ticket is not None and ticket.call is not None and host is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """Tell what became of a click: the word for the button, and a sentence where it went another way."""

    word: str
    sentence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Name a session, and the processes of it that are known to be gone although a snapshot may still show them."""

    group_key: str
    gone: tuple[Identity, ...] = ()


def _runs_again(snapshot: Snapshot | None, known: Known) -> bool:
    group = snapshot.group(known.group_key) if snapshot is not None else None
    return group is not None and any(member.process.identity not in known.gone for member in group.members)


def open_session(bridge: Bridge, ticket: ResumeTicket, known: Known | None) -> Opened:
    """Run the command in the user's terminal, unless the session runs again; copy it where that cannot be."""
    from trayapp.desktop import terminal

    if known is not None and _runs_again(bridge.snapshot, known):
        return Opened(word=say("Runs again"), sentence=say("It runs already. Nothing was started."))
    try:
        terminal.open_in_terminal(ticket.argv, ticket.cwd)
    except terminal.CannotOpen as error:
        copy_command(ticket)
        return Opened(word=say("Copied"), sentence=say("{why}. The command was copied instead.", why=told(str(error))))
    return Opened(word=say("Opened"))


def copy_command(ticket: ResumeTicket | None) -> None:
    """Put the command into the clipboard, with the folder to run it in."""
    QGuiApplication.clipboard().setText(targets.resume_command(ticket) or "")


class ResumeButton(Button):
    """Bring one session back; `answer`, where given, shows what its host said, or why no terminal was opened.

    `known` is the session, to see if it runs again.
    """

    # Emitted in the UI thread when `answer` says something else.
    answered = Signal()

    def __init__(
        self,
        bridge: Bridge,
        ticket: ResumeTicket,
        *,
        host: str | None,
        title: str,
        known: Known | None = None,
        answer: Text | None = None,
        height: int = 25,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(say(WORD), height=height, min_width=68, parent=parent)
        self._bridge, self._ticket, self._host, self._answer = bridge, ticket, host, answer
        self._known = known
        asks = by_host(ticket, host)
        here = say("Resume {title}", title=title)
        self.setAccessibleName(here if asks else say("Resume {title}, in a terminal", title=title))
        self.setToolTip("" if asks else targets.resume_command(ticket) or "")
        self.clicked.connect(self._ask if asks else self._open)
        if asks:
            bridge.resume_changed.connect(self._follow)
            self.show_state()

    def _open(self) -> None:
        opened = open_session(self._bridge, self._ticket, self._known)
        self.setText(opened.word)
        self.updateGeometry()
        QTimer.singleShot(SHOWN_MS, self, partial(self.setText, say(WORD)))
        if self._answer is not None and opened.sentence:
            self._answer.set_tone("sec")
            self._answer.setText(opened.sentence)
            self._answer.show()
            self.answered.emit()

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
        self.setText(say(_WORDS[state.ok]))
        self.setEnabled(state.ok is False)
        self.setToolTip(state.message)
        self.updateGeometry()
        if self._answer is not None and state.message:
            self._answer.set_tone("sec" if state.ok else "amber")
            self._answer.setText(state.message)
            self._answer.show()
        if state.ok is not None:
            self.answered.emit()
