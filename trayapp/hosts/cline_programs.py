"""Which programs are Cline's, and what their arguments say.

One native program is terminal, one-shot run and hub. The hub serves all terminals of a home but the first and stays
when they end, so it is the host's own. Everything is pure and looks at one process alone; children carry nothing that
tells whose they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from trayapp.hosts.base import claim_on
from trayapp.hosts.interpreters import is_interpreter, script_at
from trayapp.model.process import Process
from trayapp.model.session import Claim, ClaimKind, HostLabel, Role
from trayapp.programs import argv_value, basename, elements

HOST = "cline"
claim_of = partial(claim_on, host=HOST)
LABEL = HostLabel(host=HOST, title="Cline", letters="Ci", rank=11)
ENVIRONMENT_NAMES: tuple[str, ...] = ()

SESSION_ID = re.compile(r"(?P<ms>\d{13})_[\w-]{1,40}", re.ASCII)
_HUB = "--cline-hub-daemon"
_SHORT_COMMANDS = frozenset(
    "auth mcp hub config history version update doctor connect schedule kanban rpc dev hook hooks list logs".split()
)
_ONLY_TELLS = frozenset({"--help", "-h", "--version", "-v", "-V"})
WORDS = frozenset({"cline", _HUB, "--acp", *_SHORT_COMMANDS, *_ONLY_TELLS})


def recognise(process: Process) -> Claim | None:
    """Say what a process is to Cline, or None."""
    rest = None if process.is_zombie else told(process)
    if rest is None:
        return None
    if _HUB in rest:
        return claim_of(process, Role.INFRA, ClaimKind.PROGRAM, "the hub for all terminals", serves_many=True)
    word = rest[0] if rest else ""
    if word in _SHORT_COMMANDS or word in _ONLY_TELLS:
        return claim_of(process, Role.INFRA, ClaimKind.PROGRAM, "a command of the host")
    session_id = argv_value(rest, "--id")
    many = "--acp" in rest
    if session_id is not None and SESSION_ID.fullmatch(session_id):
        source = "--id in its arguments"
        return claim_of(process, Role.BACKEND, ClaimKind.ARGV, source, session_id, serves_many=many)
    return claim_of(process, Role.BACKEND, ClaimKind.PROGRAM, "its program", serves_many=many)


def told(process: Process) -> Sequence[str] | None:
    """Return what its program was told; None for another program."""
    argv, exe = process.argv or (), process.exe or ""
    first = argv[0] if argv else ""
    if basename(first) == HOST or (basename(exe) == HOST and not is_interpreter(basename(first))):
        return argv[1:]
    if not is_interpreter(basename(first)):
        return None
    at = script_at(argv)
    parts = elements(argv[at]) if at is not None else ()
    return argv[at + 1 :] if at is not None and parts and parts[-1] == HOST else None
