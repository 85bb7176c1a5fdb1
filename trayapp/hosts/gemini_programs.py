"""Which programs are Gemini CLI's, and what their arguments and variables say.

A node starts itself again with more memory: the outer one ignores signals, the inner one does the work. What the inner
one starts carries a variable that tells no session. Everything is pure and looks at one process alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

from trayapp.hosts.base import UUID, claim_on, role_of_child
from trayapp.hosts.interpreters import is_interpreter, script_at
from trayapp.model.process import Process
from trayapp.model.session import Claim, ClaimKind, HostLabel, Role
from trayapp.programs import argv_value, basename, elements

HOST = "gemini"
claim_of = partial(claim_on, host=HOST)
LABEL = HostLabel(host=HOST, title="Gemini CLI", letters="Ge", rank=9)
CHILD_VARIABLE = "GEMINI_CLI"
ENVIRONMENT_NAMES = (CHILD_VARIABLE,)

_PACKAGE = "gemini-cli"
_SHORT_COMMANDS = frozenset("mcp extensions extension skills skill hooks hook gemma".split())
_ONLY_TELLS = frozenset({"--help", "-h", "--version", "-v", "--list-sessions", "--list-extensions", "-l"})
_SERVES = frozenset({"--acp", "--experimental-acp"})
_ASKS_NOTHING = frozenset({"-y", "--yolo", "--approval-mode=yolo"})
WORDS = frozenset(
    {
        "gemini", "gemini.js", "index.js", "@google", _PACKAGE, "yolo", "--approval-mode", *_SHORT_COMMANDS,
        *_ONLY_TELLS, *_SERVES, *_ASKS_NOTHING,
    }
)  # fmt: skip


def recognise(process: Process) -> Claim | None:
    """Say what a process is to Gemini CLI, or None; which of a pair does the work is not seen on one alone."""
    if process.is_zombie:
        return None
    rest = told(process)
    if rest is None:
        return _child_claim(process)
    word = rest[0] if rest else ""
    if word in _SHORT_COMMANDS or not _ONLY_TELLS.isdisjoint(rest[:1]):
        return claim_of(process, Role.INFRA, ClaimKind.PROGRAM, "a command of the host")
    many = not _SERVES.isdisjoint(rest)
    for flag in ("--session-id", "--resume", "-r"):
        session_id = argv_value(rest, flag)
        if session_id is not None and UUID.fullmatch(session_id):
            source = f"{flag} in its arguments"
            return claim_of(process, Role.BACKEND, ClaimKind.ARGV, source, session_id, serves_many=many)
    return claim_of(process, Role.BACKEND, ClaimKind.PROGRAM, "its program", serves_many=many)


def told(process: Process) -> Sequence[str] | None:
    """Return what its script was told; None for another program."""
    argv = process.argv or ()
    if not argv or not is_interpreter(basename(argv[0])):
        return None
    at = script_at(argv)
    parts = elements(argv[at]) if at is not None else ()
    if at is None or not parts:
        return None
    of_package = _PACKAGE in parts and "@google" in parts
    return argv[at + 1 :] if parts[-1] == HOST or (of_package and parts[-1] in ("gemini.js", "index.js")) else None


def asks_nothing(process: Process) -> bool:
    """Say whether it was started to run its tools without asking."""
    argv = process.argv or ()
    return not _ASKS_NOTHING.isdisjoint(argv) or ("--approval-mode", "yolo") in pairwise(argv)


def _child_claim(process: Process) -> Claim | None:
    """Claim what some Gemini CLI started; whose it is, is not told."""
    if process.env.get(CHILD_VARIABLE) != "1":
        return None
    return claim_of(process, role_of_child(process), ClaimKind.ENVIRONMENT, "the variable that its children carry")
