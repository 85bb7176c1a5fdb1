"""Which programs are pi's. Everything is pure and looks at one process alone.

It runs in node and writes its name over all of its arguments, so what it was asked to do cannot be seen; many programs
are called pi, so the name alone is no sign of it.
"""

from __future__ import annotations

from functools import partial

from trayapp.hosts.base import claim_on, role_of_child
from trayapp.hosts.interpreters import is_interpreter, script_at
from trayapp.model.process import Process
from trayapp.model.session import Claim, ClaimKind, HostLabel, Role
from trayapp.programs import basename, elements

HOST = "pi"
claim_of = partial(claim_on, host=HOST)
LABEL = HostLabel(host=HOST, title="pi", letters="Pi", rank=7)
CHILD_VARIABLE = "PI_CODING_AGENT"
ENVIRONMENT_NAMES = (CHILD_VARIABLE,)
WORDS = frozenset({"pi", "pi-coding-agent", "cli.js"})

_PACKAGE = "pi-coding-agent"
_SHORT_COMMANDS = frozenset({"install", "remove", "update", "list", "config"})


def recognise(process: Process) -> Claim | None:
    """Say what a process is to pi, or None."""
    if process.is_zombie:
        return None
    if _is_pi(process):
        return claim_of(process, Role.BACKEND, ClaimKind.PROGRAM, "its program")
    return _child_claim(process)


def _is_pi(process: Process) -> bool:
    argv = process.argv or ()
    if not argv:
        return False
    if argv[0].strip() == HOST:
        rest = any(argument.strip() for argument in argv[1:])
        exe = process.exe or ""
        if basename(exe) == HOST or not exe:
            # a native build; without its path only the padding tells it from other programs of that name
            return _PACKAGE in elements(exe) or (not exe and len(argv) > 1 and not rest)
        return is_interpreter(basename(exe)) and not rest
    if not is_interpreter(basename(argv[0])):
        return False
    at = script_at(argv)  # one that has only just begun
    if at is None or (at + 1 < len(argv) and argv[at + 1] in _SHORT_COMMANDS):
        return False
    parts = elements(argv[at])
    return bool(parts) and ((parts[-1] == "cli.js" and _PACKAGE in parts) or parts[-2:] == (".bin", HOST))


def _child_claim(process: Process) -> Claim | None:
    """Claim what some pi started; whose it is, is not told."""
    if process.env.get(CHILD_VARIABLE) != "true":
        return None
    return claim_of(process, role_of_child(process), ClaimKind.ENVIRONMENT, "the variable that its children carry")
