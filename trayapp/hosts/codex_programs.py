"""Which programs are Codex's, and what their arguments say.

Knows the native program, the npm shim that starts it, the app-server with its managed daemon, the desktop apps and the
variables that tools inherit. Everything is pure and looks at one process alone; helpers (MCP servers) inherit nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from trayapp.hosts.base import claim_on
from trayapp.model.process import Process
from trayapp.model.session import Claim, ClaimKind, HostLabel, Hue, Role
from trayapp.programs import basename, elements, is_shell, looks_like_helper, shell_command

HOST = "codex"
claim_of = partial(claim_on, host=HOST)
LABEL = HostLabel(host=HOST, title="Codex", letters="Cx", hue=Hue.TEAL, rank=2)
ENVIRONMENT_NAMES = ("CODEX_SESSION_ID", "CODEX_THREAD_ID", "CODEX_TOOL_CALL_ID", "CODEX_HOME")
WORDS: frozenset[str] = frozenset()

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_VALUE_FLAGS = frozenset(
    (
        "-c --config -m --model -p --profile -C --cd -s --sandbox -a --ask-for-approval -i --image --add-dir --enable "
        "--disable --remote --local-provider --output-schema --color -o --output-last-message"
    ).split()
)
_SHORT_COMMANDS = frozenset(
    (
        "mcp login logout completion debug apply a sandbox features update doctor cloud delete archive unarchive app "
        "plugin responses-api-proxy stdio-to-uds execpolicy"
    ).split()
)
_COMPANIONS = frozenset({"codex-code-mode-host", "codex-voice-host", "cua_node", "node_repl"})
_APPS = frozenset({"Codex.app", "ChatGPT.app"})
_APP_PROGRAMS = frozenset({"Codex", "ChatGPT"})


def recognise(process: Process) -> Claim | None:
    """Say what a process is to Codex, or None."""
    if process.is_zombie:
        return None
    argv = process.argv or ()
    first = argv[0] if argv else ""
    for path in (first, process.exe or ""):
        name = basename(path)
        if name == "codex":
            return _agent(process)
        if name == "codex-acp":
            return claim_of(process, Role.INFRA, ClaimKind.PROGRAM, "an adapter for editors")
        if name in _COMPANIONS or name.startswith("SkyComputerUse"):
            return claim_of(process, Role.WRAPPER, ClaimKind.PROGRAM, "a part of it")
        if _is_app(path):
            is_part = any(argument.startswith("--type=") for argument in argv[1:])
            return None if is_part else claim_of(process, Role.APP, ClaimKind.PROGRAM, "its desktop app")
    if basename(first) in ("node", "bun"):
        script = next((argument for argument in argv[1:] if not argument.startswith("-")), "")
        if basename(script) in ("codex.js", "codex"):
            return claim_of(process, Role.WRAPPER, ClaimKind.PROGRAM, "starts its program")
        if basename(script) in ("codex-acp", "codex-acp.js"):
            return claim_of(process, Role.INFRA, ClaimKind.PROGRAM, "an adapter for editors")
    return _environment_claim(process)


def _is_app(path: str) -> bool:
    """Say whether a path is a desktop app's main program, not one of its renderers and helpers."""
    parts = elements(path)
    if basename(path) not in _APP_PROGRAMS:
        return False
    return bool(_APPS & set(parts)) or path.lower().endswith(".exe") or len(parts) == 1


def _agent(process: Process) -> Claim | None:
    words = _words(process.argv or ())
    command = words[0] if words else ""
    if command == "app-server":
        return _app_server(process, words[1] if len(words) > 1 else "")
    if command in ("mcp-server", "exec-server"):
        return None  # serves another program
    if command in _SHORT_COMMANDS:
        return claim_of(process, Role.INFRA, ClaimKind.PROGRAM, "a command of the host")
    session_id = resumed_id(process.argv or ())
    if session_id is None:
        return claim_of(process, Role.BACKEND, ClaimKind.PROGRAM, "its program")
    return claim_of(process, Role.BACKEND, ClaimKind.ARGV, "resume in its arguments", session_id)


def _app_server(process: Process, command: str) -> Claim:
    """Tell a server for one client, the daemon that all terminals share, and what only leads to either apart."""
    if command:
        return claim_of(process, Role.INFRA, ClaimKind.PROGRAM, "part of the host")
    argv = process.argv or ()
    if "--managed-daemon" in argv or any(argument.startswith("unix:") for argument in argv):
        return claim_of(process, Role.INFRA, ClaimKind.PROGRAM, "the daemon for all terminals", serves_many=True)
    return claim_of(process, Role.BACKEND, ClaimKind.PROGRAM, "its server for one client", serves_many=True)


def _words(argv: Sequence[str]) -> tuple[str, ...]:
    """Return the arguments that are neither flags nor their values."""
    found: list[str] = []
    skip = False
    for argument in argv[1:]:
        if skip:
            skip = False
        elif argument in _VALUE_FLAGS or argument == "--listen":
            skip = True
        elif not argument.startswith("-"):
            found.append(argument)
    return tuple(found)


def resumed_id(argv: Sequence[str]) -> str | None:
    """Return what `resume <id or name>` or `exec resume ...` names; `--last` names nothing, `fork` begins another."""
    words = _words(argv)
    if words[:1] in (("exec",), ("e",)):
        words = words[1:]
    return words[1] if words[:1] == ("resume",) and len(words) > 1 and "/" not in words[1] else None


def is_self_contained(process: Process) -> bool:
    """Say whether a run cannot be a mere view on the shared daemon: it overrides settings, or runs without a screen."""
    argv = process.argv or ()
    words = _words(argv)
    overrides = any(a in ("-c", "--config") or a.startswith(("-c=", "--config=")) for a in argv[1:])
    return overrides or words[:1] in (("exec",), ("e",), ("review",))


def _environment_claim(process: Process) -> Claim | None:
    """Claim what carries the session variable, which tools get and helpers do not."""
    session_id = process.env.get("CODEX_SESSION_ID") or process.env.get("CODEX_THREAD_ID")
    if not session_id:
        return None
    role = Role.HELPER if looks_like_helper(process) else Role.WORK
    if role is Role.WORK and is_shell(process) and shell_command(process) is None:
        role = Role.SHELL
    return claim_of(process, role, ClaimKind.ENVIRONMENT, "the session variable that it inherited", session_id)
