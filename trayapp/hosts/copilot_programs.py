"""Which programs are Copilot CLI's, and what their arguments and variables say.

Knows its native program, the npm loader that starts it, and the variable that its children carry. Its name in the
process table is "MainThread" on Linux, so only paths and arguments count. Another company's tool is called copilot as
well. Everything is pure and looks at one process alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from trayapp.hosts.base import UUID, claim_on, role_of_child
from trayapp.hosts.interpreters import is_interpreter, script_at
from trayapp.model.process import Process
from trayapp.model.session import Claim, ClaimKind, HostLabel, Role
from trayapp.programs import argv_value, basename, elements

HOST = "copilot"
claim_of = partial(claim_on, host=HOST)
LABEL = HostLabel(host=HOST, title="Copilot CLI", letters="Co", rank=8)
SESSION_VARIABLE = "COPILOT_AGENT_SESSION_ID"
ENVIRONMENT_NAMES = (SESSION_VARIABLE,)

_OTHERS_COMMANDS = frozenset("app env svc job task pipeline storage secret deploy docs run".split())
"""What the tool of the same name for a cloud's containers is told to do."""
_SHORT_COMMANDS = frozenset("help login logout update version mcp plugin plugins completion init config".split())
_ONLY_TELLS = frozenset({"--help", "-h", "--version", "-v"})
_SERVES = frozenset({"--server", "--headless", "--acp"})
WORDS = frozenset(
    {"copilot", "npm-loader.js", "index.js", "@github", *_OTHERS_COMMANDS, *_SHORT_COMMANDS, *_ONLY_TELLS, *_SERVES}
)


def recognise(process: Process) -> Claim | None:
    """Say what a process is to Copilot CLI, or None."""
    if process.is_zombie:
        return None
    argv = process.argv or ()
    rest = told(process)
    if rest is None:
        return _environment_claim(process)
    if basename(argv[1] if len(argv) > 1 else "") == "npm-loader.js":
        return claim_of(process, Role.WRAPPER, ClaimKind.PROGRAM, "starts its program")
    word = rest[0] if rest else ""
    if word in _OTHERS_COMMANDS:
        return None
    if word in _SHORT_COMMANDS or word in _ONLY_TELLS:
        return claim_of(process, Role.INFRA, ClaimKind.PROGRAM, "a command of the host")
    many = not _SERVES.isdisjoint(rest)
    for flag in ("--resume", "--session-id"):
        session_id = argv_value(rest, flag)
        if session_id is not None and UUID.fullmatch(session_id):
            source = f"{flag} in its arguments"
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
    if at is None or not parts:
        return None
    of_package = HOST in parts and "@github" in parts
    if parts[-1] == HOST or (of_package and parts[-1] in ("npm-loader.js", "index.js")):
        return argv[at + 1 :]
    return None


def _environment_claim(process: Process) -> Claim | None:
    """Claim what carries the session variable: MCP servers and tools alike."""
    session_id = process.env.get(SESSION_VARIABLE)
    if not session_id:
        return None
    return claim_of(
        process, role_of_child(process), ClaimKind.ENVIRONMENT, "the session variable that it inherited", session_id
    )
