"""Whose installation of a host a program belongs to, told by the variable that names the host's data home. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from trayapp.model.process import Process
from trayapp.model.session import Scope


def scope_of(process: Process, variable: str, environ: Mapping[str, str]) -> Scope:
    """Compare a program's data home with that of the user's own environment.

    Without one of its own (`variable` not set in `environ`) the user has no scope narrower than all that runs as them.
    A program that was read and has no such variable uses the default home, which then is another one.
    """
    own = environ.get(variable)
    if not own:
        return Scope.OWN
    given = process.env.get(variable)
    if given is not None:
        return Scope.OWN if given.rstrip("/\\") == own.rstrip("/\\") else Scope.OTHER
    return Scope.UNVERIFIED if "env" in process.unreadable else Scope.OTHER
