"""The menu of a row: show it, go to its place, copy its command, keep it, or end it at once.

Opens folders and terminals on a person's click only; what cannot be opened is said in a sentence.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu, QWidget

from trayapp import targets
from trayapp.model.plan import Action, Allowed, Decision
from trayapp.say import say
from trayapp.ui import keeping
from trayapp.ui.resume_button import COPY, copy_command
from trayapp.ui.reveal import reveal

if TYPE_CHECKING:
    from trayapp.model.session import ResumeTicket
    from trayapp.model.snapshot import Group
    from trayapp.ui.bridge import Bridge

_NOTHING = ("cd",) if sys.platform == "win32" else ("true",)
"""A command that leaves a new terminal where it is: in the folder that it was opened for."""


def ends_now(group: Group | None) -> Decision | None:
    """Return the decision to end a session at once, None where that is refused."""
    decision = group.decision(Action.KILL) if group is not None else None
    return decision if decision is not None and decision.allowed is not Allowed.REFUSE else None


def folder_of(group: Group | None) -> str | None:
    """Return the folder that a session works in, if it is still there."""
    folder = os.path.expanduser(group.cwd) if group is not None and group.cwd else ""
    return folder if folder and Path(folder).is_dir() else None


def open_terminal(folder: str) -> str:
    """Open the user's terminal in a folder; returns why that could not be, else ""."""
    from trayapp.desktop import terminal

    try:
        terminal.open_in_terminal(_NOTHING, folder)
    except terminal.CannotOpen as error:
        return str(error)
    return ""


def make(
    parent: QWidget,
    bridge: Bridge,
    key: str,
    group: Group | None,
    ticket: ResumeTicket | None,
    *,
    show: Callable[[], None],
    tell: Callable[[str], None],
    end: Callable[[Group, Decision], None],
) -> QMenu:
    """Make the menu of a row; `tell` gets the sentence where a click led nowhere, `end` asks before it ends."""
    menu = QMenu(parent)
    menu.addAction(say("Show in window")).triggered.connect(lambda _checked=False: show())
    folder = folder_of(group)
    if folder is not None:
        menu.addAction(say("Open terminal")).triggered.connect(lambda _checked=False: tell(open_terminal(folder)))
        menu.addAction(say("Reveal folder")).triggered.connect(lambda _checked=False: tell(reveal(Path(folder))))
    if targets.resume_command(ticket) is not None:
        copy = menu.addAction(say(COPY))
        copy.triggered.connect(lambda _checked=False: copy_command(ticket))
    if keeping.can_be_kept(group):
        menu.addSeparator()
        keeping.add_entries(menu, bridge, key)
    decision = ends_now(group)
    if group is not None and decision is not None:
        menu.addSeparator()
        menu.addAction(say("End it now…")).triggered.connect(lambda _checked=False: end(group, decision))
    return menu
