"""Which programs are OpenCode's, and what their arguments and variables say.

Knows its server, its terminal UI, its short commands and the variables that its children carry. Everything is pure and
looks at one process alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from trayapp.hosts.base import claim_on, role_of_child
from trayapp.model.process import Process
from trayapp.model.session import Claim, ClaimKind, HostLabel, Hue, Role
from trayapp.programs import argv_value, basename, elements

HOST = "opencode"
claim_of = partial(claim_on, host=HOST)
LABEL = HostLabel(host=HOST, title="OpenCode", letters="Oc", hue=Hue.BLUE, rank=3)
ENVIRONMENT_NAMES = ("OPENCODE", "OPENCODE_PID", "XDG_DATA_HOME")
WORDS: frozenset[str] = frozenset()

SERVERS = frozenset({"serve", "web"})
_SHORT_COMMANDS = frozenset(
    (
        "auth providers models upgrade uninstall mcp agent github pr stats export import debug session db completion "
        "plugin"
    ).split()
)
_SESSION_FLAGS = ("-s", "--session")


def recognise(process: Process) -> Claim | None:
    """Say what a process is to OpenCode, or None."""
    if process.is_zombie:
        return None
    argv = process.argv or ()
    program = _program(process)
    if program is None:
        return _child_claim(process)
    if program is Role.WRAPPER:
        return claim_of(process, Role.WRAPPER, ClaimKind.PROGRAM, "starts its program")
    word = subcommand(argv)
    if word in SERVERS:
        return claim_of(process, Role.INFRA, ClaimKind.PROGRAM, "its server")
    if word == "attach":
        return claim_of(process, Role.CLIENT, ClaimKind.PROGRAM, "a view on a server")
    if word in _SHORT_COMMANDS:
        return claim_of(process, Role.INFRA, ClaimKind.PROGRAM, "a command of the host")
    for flag in _SESSION_FLAGS:
        session_id = argv_value(argv, flag)
        if session_id is not None and session_id.startswith("ses_"):
            return claim_of(process, Role.BACKEND, ClaimKind.ARGV, f"{flag} in its arguments", session_id)
    return claim_of(process, Role.BACKEND, ClaimKind.PROGRAM, "its program")


def _program(process: Process) -> Role | None:
    """Say whether this is OpenCode's own program (BACKEND), what starts it (WRAPPER), or another one (None)."""
    argv = process.argv or ()
    first = argv[0] if argv else ""
    if basename(first) in ("opencode", ".opencode") or (not argv and basename(process.exe or "") == "opencode"):
        return Role.BACKEND
    if basename(first) in ("node", "bun"):
        parts = elements(next((argument for argument in argv[1:] if not argument.startswith("-")), ""))
        if parts and parts[-1] in ("opencode", "opencode.js"):
            return Role.WRAPPER
    return None


def subcommand(argv: Sequence[str]) -> str:
    """Return the first argument, which names what it is to do; "" for its terminal UI."""
    return argv[1] if len(argv) > 1 else ""


def session_in_argv(process: Process) -> str | None:
    """Return the session that its arguments name."""
    given = next((i for flag in _SESSION_FLAGS if (i := argv_value(process.argv or (), flag)) is not None), None)
    return given if given is not None and given.startswith("ses_") else None


def _child_claim(process: Process) -> Claim | None:
    """Claim what carries OPENCODE_PID. MCP servers talk through pipes on both ends; a command's input is empty."""
    owner = process.env.get("OPENCODE_PID")
    if not owner:
        return None
    piped = process.stdio_piped is True and str(process.ppid) == owner
    role = Role.HELPER if piped else role_of_child(process)
    return claim_of(process, role, ClaimKind.ENVIRONMENT, "the variable that OpenCode's children carry")
