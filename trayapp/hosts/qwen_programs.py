"""Which programs are Qwen Code's, and what their arguments and variables say.

A launcher starts a node that starts itself again with more memory: three processes, of which the innermost does the
work. What it starts carries the session's id. Everything is pure and looks at one process alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from trayapp.hosts.base import UUID, claim_on, role_of_child
from trayapp.hosts.interpreters import is_interpreter, script_at
from trayapp.model.process import Process
from trayapp.model.session import Claim, ClaimKind, HostLabel, Role
from trayapp.programs import argv_value, basename, elements

HOST = "qwen"
claim_of = partial(claim_on, host=HOST)
LABEL = HostLabel(host=HOST, title="Qwen Code", letters="Qw", rank=10)
SESSION_VARIABLE = "QWEN_CODE_SESSION_ID"
ENVIRONMENT_NAMES = (SESSION_VARIABLE,)

_PACKAGE = "qwen-code"
_SCRIPTS = frozenset({"cli.js", "cli-entry.js", "index.js"})
_SERVERS = frozenset({"serve", "channel"})
_SHORT_COMMANDS = frozenset("mcp extensions extension auth hooks hook sessions export update doctor".split())
_ONLY_TELLS = frozenset({"--help", "-h", "--version", "-v"})
_SERVES = frozenset({"--acp", "--experimental-acp"})
WORDS = frozenset({"qwen", "@qwen-code", _PACKAGE, *_SCRIPTS, *_SERVERS, *_SHORT_COMMANDS, *_ONLY_TELLS, *_SERVES})


def recognise(process: Process) -> Claim | None:
    """Say what a process is to Qwen Code, or None; which of the three does the work is not seen on one alone."""
    if process.is_zombie:
        return None
    rest = told(process)
    if rest is None:
        return _environment_claim(process)
    word = rest[0] if rest else ""
    if word in _SERVERS:
        return claim_of(process, Role.INFRA, ClaimKind.PROGRAM, "its server", serves_many=True)
    if word in _SHORT_COMMANDS or word in _ONLY_TELLS:
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
    of_package = _PACKAGE in parts and "@qwen-code" in parts
    return argv[at + 1 :] if parts[-1] == HOST or (of_package and parts[-1] in _SCRIPTS) else None


def _environment_claim(process: Process) -> Claim | None:
    """Claim what carries the session variable: MCP servers and tools alike."""
    session_id = process.env.get(SESSION_VARIABLE)
    if not session_id:
        return None
    return claim_of(
        process, role_of_child(process), ClaimKind.ENVIRONMENT, "the session variable that it inherited", session_id
    )
