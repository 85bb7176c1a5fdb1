"""Which programs are Craft Agents', and what their arguments and variables say.

Knows the shapes in which its server runs (a checkout's entry script, the desktop app), its two kinds of backend, its
short questions and its message worker. Everything is pure and looks at one process alone; what a process is only by
whose child it is, is told in craft_attribution.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from functools import partial
from typing import Any

import msgspec

from trayapp.hosts.base import claim_on
from trayapp.model.process import Process
from trayapp.model.session import Claim, ClaimKind, HostLabel, Hue, Role
from trayapp.programs import argv_value, basename, elements

HOST = "craft-agents"
claim_of = partial(claim_on, host=HOST)
LABEL = HostLabel(host=HOST, title="craft-agents", letters="Cr", hue=Hue.VIOLET, rank=4)

SESSION_DIR = "CRAFT_SESSION_DIR"
WORKSPACE_PATH = "CRAFT_WORKSPACE_PATH"
CONFIG_DIR = "CRAFT_CONFIG_DIR"
RPC_HOST, RPC_PORT, RPC_CERT = "CRAFT_RPC_HOST", "CRAFT_RPC_PORT", "CRAFT_RPC_TLS_CERT"
HEALTH_PORT = "CRAFT_HEALTH_PORT"
KEEP_ALIVE = "CRAFT_KEEP_BG_AGENTS_ALIVE"
CLAUDE_CONFIG_DIR = "CLAUDE_CONFIG_DIR"
TOKEN = "CRAFT_SERVER_TOKEN"
"""A secret: never one of `environment_names`, read only after the user agreed."""
ENVIRONMENT_NAMES = (
    SESSION_DIR, WORKSPACE_PATH, CONFIG_DIR, RPC_HOST, RPC_PORT, RPC_CERT, HEALTH_PORT, KEEP_ALIVE, CLAUDE_CONFIG_DIR,
)  # fmt: skip

_SERVER_SCRIPT = ("packages", "server", "src", "index.ts")
_PI_SCRIPTS = (("pi-agent-server", "dist", "index.js"), ("pi-agent-server", "index.js"))
_WORKER_SCRIPT = ("messaging-whatsapp-worker", "dist", "worker.cjs")
_BRIDGES = frozenset({"session-mcp-server", "bridge-mcp-server"})
_RUNTIMES = frozenset({"bun", "node", "nodejs"})
_VALUE_FLAGS = frozenset("-r --require --preload --cwd --config --env-file --import --loader".split())
_APP_PROGRAMS = frozenset({"Craft Agents", "craft-agents", "craft-agent", "@craft-agentelectron"})
"""The app's main program by system: its product name on macOS and Windows, its package's name in an AppImage."""
_APP_BUNDLE = "Craft Agents.app"
_FINGERPRINT = "craft-agents-docs"
_AGENT = "claude"

WORDS = frozenset(
    {
        *_SERVER_SCRIPT, *(word for script in _PI_SCRIPTS for word in script), *_WORKER_SCRIPT, *_BRIDGES, *_RUNTIMES,
        *_VALUE_FLAGS, *_APP_PROGRAMS, _APP_BUNDLE, _FINGERPRINT, "run", "stream-json", "--output-format",
        "--input-format", "--max-turns", "--mcp-config", "unified-network-interceptor.ts", "interceptor.cjs", "MacOS",
        *ENVIRONMENT_NAMES,
    }
)  # fmt: skip
"""Words that a capture keeps, so that a program of this host is recognised in it."""


class Kind(StrEnum):
    """What a program is to Craft Agents; QUESTION is a title or a summary, over in seconds."""

    SERVER = "server"
    APP = "desktop app"
    PI = "Pi backend"
    CLAUDE = "Claude backend"
    QUESTION = "short question"
    WORKER = "message worker"


def recognise(process: Process) -> Claim | None:
    """Say what a process is to Craft Agents by what it is alone, or None."""
    kind = kind_of(process)
    if kind is Kind.SERVER:
        return claim_of(process, Role.INFRA, ClaimKind.PROGRAM, "its server")
    if kind is Kind.APP:
        return claim_of(process, Role.APP, ClaimKind.PROGRAM, "its desktop app")
    if kind is Kind.WORKER:
        return claim_of(process, Role.INFRA, ClaimKind.PROGRAM, "its message worker")
    if kind is Kind.PI:
        return pi_claim(process, folder_id(process))
    if kind is Kind.CLAUDE:
        source = "its agent, by the docs that it is given"
        return claim_of(process, Role.BACKEND, ClaimKind.PROGRAM, source, embedded=True)
    if kind is Kind.QUESTION:
        return question_claim(process)
    return None


def kind_of(process: Process) -> Kind | None:
    """Return what a process is by its program, arguments and variables; None for any other."""
    argv = process.argv or ()
    if process.is_zombie or not (argv or process.exe):
        return None
    if _is_app(process):
        return Kind.APP
    if is_agent(process):
        if is_question(process):
            return Kind.QUESTION if process.env.get(SESSION_DIR) else None
        return Kind.CLAUDE if _is_given_docs(argv) else None
    script = script_of(argv)
    parts = elements(script) if script is not None else ()
    if _ends(parts, _SERVER_SCRIPT) and basename(argv[0]).lower() in ("bun", "node"):
        return Kind.SERVER
    if any(_ends(parts, ending) for ending in _PI_SCRIPTS):
        return Kind.PI
    if _ends(parts, _WORKER_SCRIPT):
        return Kind.WORKER
    return None


def script_of(argv: Sequence[str]) -> str | None:
    """Return what bun or node runs; None for another program or for no script."""
    if not argv or basename(argv[0]).lower() not in _RUNTIMES:
        return None
    skip = False
    for argument in argv[1:]:
        if skip:
            skip = False
        elif argument in _VALUE_FLAGS:
            skip = True
        elif not argument.startswith("-") and argument != "run":
            return argument
    return None


def is_runtime(process: Process) -> bool:
    """Say whether this could be a server under another name: what runs scripts, or the desktop app's runtime."""
    argv = process.argv or ()
    name = basename(argv[0]) if argv else basename(process.exe or "")
    return name.lower() in _RUNTIMES | {"electron"} or name in _APP_PROGRAMS


def is_agent(process: Process) -> bool:
    """Say whether this is the other host's agent as a program drives it; its search program has the same name."""
    return is_called_agent(process) and argv_value(process.argv or (), "--output-format") == "stream-json"


def is_called_agent(process: Process) -> bool:
    """Say whether a process has the agent's name, whatever it is."""
    argv = process.argv or ()
    return not process.is_zombie and _AGENT in {basename(argv[0]) if argv else "", basename(process.exe or "")}


def is_question(process: Process) -> bool:
    """Say whether an agent was started for one answer: a title, a summary."""
    return argv_value(process.argv or (), "--max-turns") == "1"


def is_bridge(process: Process) -> bool:
    """Say whether this is one of the host's own MCP servers, which older versions start."""
    script = script_of(process.argv or ())
    return script is not None and not _BRIDGES.isdisjoint(elements(script))


def resumed_id(process: Process) -> str | None:
    """Return the id that `--resume` names, unless it is only the parent of a fork."""
    argv = process.argv or ()
    return None if "--fork-session" in argv else argv_value(argv, "--resume")


def folder_id(process: Process) -> str | None:
    """Return the name of the session folder that its variable names."""
    parts = elements(process.env.get(SESSION_DIR, ""))
    return parts[-1] if parts else None


def pi_claim(process: Process, session_id: str | None) -> Claim:
    """Claim a Pi backend; its server sets the variable for each one of its own."""
    if session_id is None:
        return claim_of(process, Role.BACKEND, ClaimKind.PROGRAM, "its Pi backend; no variable names its session")
    source = f"{SESSION_DIR}, set for this backend alone: certain"
    return claim_of(process, Role.BACKEND, ClaimKind.ENVIRONMENT, source, session_id)


def question_claim(process: Process) -> Claim:
    """Claim a title or summary of which it is not known for whom it is asked: nobody's session."""
    return claim_of(process, Role.INFRA, ClaimKind.PROGRAM, "a short question of its server", embedded=True)


def _is_app(process: Process) -> bool:
    """Say whether this is the desktop app's main program; its renderers and its parts have a `--type`."""
    argv = process.argv or ()
    if any(argument.startswith("--type=") for argument in argv[1:]):
        return False
    path = process.exe or (argv[0] if argv else "")
    name, parts = basename(path), elements(path)
    if name == "Craft Agents":
        return _APP_BUNDLE not in parts or parts[-2:-1] == ("MacOS",)
    # other programs may be called like the package, so the image's own mount or folder has to say so as well
    return name in _APP_PROGRAMS and any(part.lower().startswith((".mount_craft", "craft")) for part in parts[:-1])


def _is_given_docs(argv: Sequence[str]) -> bool:
    """Say whether --mcp-config names the docs server of Craft Agents; a prompt that names it does not."""
    given = argv_value(argv, "--mcp-config")
    if given is None or _FINGERPRINT not in given:
        return False
    try:
        servers: Any = msgspec.json.decode(given, type=dict[str, Any]).get("mcpServers")
    except msgspec.MsgspecError:
        return False
    return isinstance(servers, dict) and _FINGERPRINT in servers


def _ends(parts: Sequence[str], ending: Sequence[str]) -> bool:
    return tuple(parts[-len(ending) :]) == tuple(ending)
