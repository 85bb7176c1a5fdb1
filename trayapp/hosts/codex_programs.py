"""Which programs are Codex's, and what their arguments say.

Knows the native program, the npm shim that starts it, the app-server with its managed daemon, the desktop apps and the
variables that tools inherit, and to which home (`~/.codex` or $CODEX_HOME) a program belongs. Everything is pure and
looks at one process alone; helpers (MCP servers) inherit nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from trayapp.hosts.base import claim_on, role_of_child
from trayapp.model.process import Process
from trayapp.model.session import Claim, ClaimKind, HostLabel, Hue, Role
from trayapp.programs import argv_value, basename, elements

HOST = "codex"
claim_of = partial(claim_on, host=HOST)
LABEL = HostLabel(host=HOST, title="Codex", letters="Cx", hue=Hue.TEAL, rank=2)
ENVIRONMENT_NAMES = ("CODEX_SESSION_ID", "CODEX_THREAD_ID", "CODEX_TOOL_CALL_ID", "CODEX_HOME")
WORDS: frozenset[str] = frozenset()

DAEMON = "the daemon for all terminals"
ADAPTER = "an adapter for editors"
CONTROL_SOCKET = Path("app-server-control") / "app-server-control.sock"
_RELEASES = ("packages", "app-server-daemon", "releases")
_RELEASE_VERSION = re.compile(r"(\d+\.\d+\.\d+(?:-(?:alpha|beta|rc)[.\d]*)?)")
_VALUE_FLAGS = frozenset(
    (
        "-c --config -m --model -p --profile -C --cd -s --sandbox -a --ask-for-approval -i --image --add-dir --enable "
        "--disable --remote --remote-auth-token-env --local-provider --output-schema --color -o --output-last-message "
        "--listen --startup-client-info --cloud-skills-snapshot --code-mode-host"
    ).split()
)
_SHORT_COMMANDS = frozenset(
    (
        "mcp login logout completion debug apply a sandbox features update doctor cloud delete archive unarchive app "
        "plugin responses-api-proxy stdio-to-uds execpolicy queue migrate-rollouts migrate-nfs-db remote-control help"
    ).split()
)
_FOR_OTHERS = frozenset({"mcp-server", "exec-server"})
"""Commands that serve another program: what they are is for that program's host to say."""
_LOOKS = frozenset({"agents"})
"""Commands that only show what a daemon runs."""
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
            return claim_of(process, Role.INFRA, ClaimKind.PROGRAM, ADAPTER)
        if name in _COMPANIONS or name.startswith("SkyComputerUse"):
            return claim_of(process, Role.WRAPPER, ClaimKind.PROGRAM, "a part of it")
        if _is_app(path):
            is_part = any(argument.startswith("--type=") for argument in argv[1:])
            return None if is_part else claim_of(process, Role.APP, ClaimKind.PROGRAM, "its desktop app")
    if basename(first) in ("node", "bun"):
        at = next((at for at, argument in enumerate(argv) if at and not argument.startswith("-")), 0)
        script = basename(argv[at]) if at else ""
        if script in ("codex.js", "codex"):
            serves = _words(argv[at:])[:1] in tuple((word,) for word in _FOR_OTHERS)
            return None if serves else claim_of(process, Role.WRAPPER, ClaimKind.PROGRAM, "starts its program")
        if script in ("codex-acp", "codex-acp.js"):
            return claim_of(process, Role.INFRA, ClaimKind.PROGRAM, ADAPTER)
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
    if command in _FOR_OTHERS:
        return None
    if command in _SHORT_COMMANDS:
        return claim_of(process, Role.INFRA, ClaimKind.PROGRAM, "a command of the host")
    if command in _LOOKS or argv_value(process.argv or (), "--remote") is not None:
        return claim_of(process, Role.CLIENT, ClaimKind.PROGRAM, "a view on a server")
    session_id = resumed_id(process.argv or ())
    if session_id is None:
        return claim_of(process, Role.BACKEND, ClaimKind.PROGRAM, "its program")
    return claim_of(process, Role.BACKEND, ClaimKind.ARGV, "resume in its arguments", session_id)


def _app_server(process: Process, command: str) -> Claim:
    """Tell a server for one client, the daemon that all terminals share, and what only leads to either apart."""
    if command:
        return claim_of(process, Role.INFRA, ClaimKind.PROGRAM, "part of the host")
    if is_daemon(process):
        return claim_of(process, Role.INFRA, ClaimKind.PROGRAM, DAEMON, serves_many=True)
    return claim_of(process, Role.BACKEND, ClaimKind.PROGRAM, "its server for one client", serves_many=True)


def _words(argv: Sequence[str]) -> tuple[str, ...]:
    """Return the arguments that are neither flags nor their values."""
    found: list[str] = []
    skip = False
    for argument in argv[1:]:
        if skip:
            skip = False
        elif argument in _VALUE_FLAGS:
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


def is_daemon(process: Process) -> bool:
    """Say whether an app-server listens on a socket for all who come, instead of serving the one who started it."""
    argv = process.argv or ()
    listens = argv_value(argv, "--listen") or ""
    return "--managed-daemon" in argv or listens.startswith("unix:")


def home_of(process: Process, environ: Mapping[str, str], home: Path) -> Path:
    """Return the Codex home of a program: its variable's, for a daemon the one it was installed to, else the user's."""
    given = process.env.get("CODEX_HOME")
    if given and os.path.isabs(given):
        return Path(given)
    for program in ((process.argv or ("",))[0], process.exe or ""):
        parts = Path(program).parts
        for at in range(1, len(parts) - len(_RELEASES)):
            if parts[at : at + len(_RELEASES)] == _RELEASES:
                return Path(*parts[:at])
    own = environ.get("CODEX_HOME")
    return Path(own) if own and os.path.isabs(own) else home / ".codex"


def socket_of(process: Process, home: Path) -> Path:
    """Return the socket on which a daemon is asked: the one in its arguments, else that of its home."""
    given = (argv_value(process.argv or (), "--listen") or "").removeprefix("unix://")
    return Path(given) if os.path.isabs(given) else home / CONTROL_SOCKET


def version_of(process: Process) -> str | None:
    """Return the version that a program's own path tells."""
    for program in (process.exe or "", (process.argv or ("",))[0]):
        parts = elements(program)
        if "releases" in parts[:-1]:
            found = _RELEASE_VERSION.match(parts[parts.index("releases") + 1])
            if found is not None:
                return found[1]
    return None


def is_self_contained(process: Process) -> bool:
    """Say whether a run cannot be a mere view on the shared daemon: it says so, or runs without a screen."""
    argv = process.argv or ()
    words = _words(argv)
    overrides = any(a in ("-c", "--config", "--no-daemon") or a.startswith(("-c=", "--config=")) for a in argv[1:])
    return overrides or words[:1] in (("exec",), ("e",), ("review",))


def _environment_claim(process: Process) -> Claim | None:
    """Claim what carries the session variable, which tools get and helpers do not."""
    session_id = process.env.get("CODEX_SESSION_ID") or process.env.get("CODEX_THREAD_ID")
    if not session_id:
        return None
    return claim_of(
        process, role_of_child(process), ClaimKind.ENVIRONMENT, "the session variable that it inherited", session_id
    )
