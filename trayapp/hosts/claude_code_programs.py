"""Which programs are Claude Code's, and what their arguments say.

Knows the paths of its native, npm, editor and desktop builds, its subcommands and the variables that it hands down to
tools and MCP servers. Everything is pure and looks at one process alone. A process's name is never trusted: on macOS it
is a bare version number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import pairwise

from trayapp.hosts.base import claim_on
from trayapp.model.process import Process
from trayapp.model.session import Claim, ClaimKind, HostLabel, Hue, Role
from trayapp.programs import argv_value, basename, elements, is_shell, looks_like_helper, shell_command

HOST = "claude-code"
claim_of = partial(claim_on, host=HOST)
LABEL = HostLabel(host=HOST, title="Claude Code", letters="Cl", hue=Hue.RUST, rank=1)
ENVIRONMENT_NAMES = (
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_PID",
    "CLAUDE_CONFIG_DIR",
    "CLAUDECODE",
    "AI_AGENT",
    "CLAUDE_CODE_ENTRYPOINT",
)

_INFRA_WORDS = frozenset({"daemon", "bg-pty-host", "agents", "attach", "remote-control", "rc"})
_SHORT_COMMANDS = frozenset(
    {
        "mcp", "stop", "rm", "respawn", "logs", "kill", "update", "upgrade", "doctor", "install", "config", "plugin",
        "plugins", "setup-token", "auth", "login", "logout", "auto-mode", "purge", "migrate-installer",
    }
)  # fmt: skip
_ALL_TOOLS_OFF = frozenset({"Bash", "Read", "Write", "Edit"})
WORDS = frozenset(
    {
        *_INFRA_WORDS, *_SHORT_COMMANDS, *_ALL_TOOLS_OFF, "bg-spare", "--bg-spare", "@anthropic-ai", "AnthropicClaude",
        "Claude.app", "claude-app", "claude-code", "ccd-cli", "cli-wrapper.cjs", "cli.js", "chrome-native-host",
    }
)  # fmt: skip
"""Words by which its programs are recognised; none of them is anybody's own."""


def recognise(process: Process) -> Claim | None:
    """Say what a process is to Claude Code, or None."""
    if process.is_zombie:
        return None
    kind = _program_kind(process)
    if kind is None:
        return _environment_claim(process)
    if kind is not Role.BACKEND:
        return claim_of(process, kind, ClaimKind.PROGRAM, "its program") if kind is not Role.UNKNOWN else None
    role, source = _session_role(process.argv or ())
    if role is not Role.BACKEND:
        return claim_of(process, role, ClaimKind.PROGRAM, source) if role is not Role.UNKNOWN else None
    session_id, source = _session_id_in(process.argv or ())
    if session_id is None:
        return claim_of(process, role, ClaimKind.PROGRAM, source)
    return claim_of(process, role, ClaimKind.ARGV, source, session_id)


def _program_kind(process: Process) -> Role | None:
    """Say which of Claude Code's programs this is: BACKEND = the agent, UNKNOWN = a part of the app, None = another."""
    argv = process.argv or ()
    first = argv[0] if argv else ""
    if any(argument.startswith("--type=") for argument in argv[1:]) and _is_app_path(first or process.exe or ""):
        return Role.UNKNOWN
    for path in (first, process.exe or ""):
        kind = _kind_of_path(path)
        if kind is not None:
            return kind
    if basename(first) in ("node", "bun", "deno"):
        script = next((argument for argument in argv[1:] if not argument.startswith("-")), "")
        return _kind_of_script(script)
    return None


@lru_cache(maxsize=4096)
def _kind_of_path(path: str) -> Role | None:
    name = basename(path)
    parts = elements(path)
    if _is_app_path(path):
        return Role.APP if name in ("Claude", "claude", "claude-app") else Role.UNKNOWN
    if name.startswith("Claude Helper") or name in ("chrome-native-host", "disclaimer"):
        return Role.UNKNOWN
    if name in ("claude", "ccd-cli", "claude-code"):
        return Role.BACKEND
    if len(parts) >= 3 and parts[-2] == "versions" and parts[-3] == "claude":
        return Role.BACKEND
    return None


def _is_app_path(path: str) -> bool:
    """Say whether a path is the desktop app's own program, which is not the agent that it carries."""
    parts = elements(path)
    if basename(path) == "claude-app":
        return True
    if "AnthropicClaude" in parts:
        return True
    return "Claude.app" in parts and basename(path) not in ("claude", "claude-code")


def _kind_of_script(script: str) -> Role | None:
    parts = elements(script)
    if "claude-code" in parts and parts[-1] == "cli-wrapper.cjs":
        return Role.WRAPPER
    if ("@anthropic-ai" in parts and "claude-code" in parts and parts[-1] in ("cli.js", "claude")) or parts[-1:] == (
        "claude",
    ):
        return Role.BACKEND
    return None


def subcommand(argv: Sequence[str]) -> str:
    """Return the subcommand position: the first argument after the program (or after node's script)."""
    position = 2 if argv and basename(argv[0]) in ("node", "bun", "deno") else 1
    return argv[position] if len(argv) > position else ""


def _session_role(argv: Sequence[str]) -> tuple[Role, str]:
    """Say what a run of the agent's program is, by its subcommand; UNKNOWN = nothing that is counted as the host."""
    word = subcommand(argv)
    if word == "bg-spare" or "--bg-spare" in argv[1:3]:
        return Role.SPARE, "kept ready for the next background session"
    if word in _INFRA_WORDS or "--bg-pty-host" in argv[1:3]:
        return Role.INFRA, "its program, run as part of the host"
    if word == "mcp":
        return Role.UNKNOWN, "an MCP server for another program"
    if word in _SHORT_COMMANDS:
        return Role.INFRA, "a command of the host"
    if _all_tools_are_off(argv):
        return Role.HELPER, "its program with all tools off"
    return Role.BACKEND, "its program"


def _all_tools_are_off(argv: Sequence[str]) -> bool:
    """Say whether an agent may use no tool: it answers questions of another program and is no session of a person."""
    for flag in ("--disallowedTools", "--disallowed-tools"):
        off: set[str] = set()
        for position, argument in enumerate(argv):
            if argument.startswith(flag + "="):
                off.update(re.split(r"[,\s]+", argument[len(flag) + 1 :]))
            elif argument == flag:
                for following in argv[position + 1 :]:
                    if following.startswith("-"):
                        break
                    off.update(re.split(r"[,\s]+", following))
        if "*" in off or off >= _ALL_TOOLS_OFF:
            return True
    return any(flag == "--tools" and value == "" for flag, value in pairwise(argv))


def _session_id_in(argv: Sequence[str]) -> tuple[str | None, str]:
    """Return the id that the arguments give, and where; a forked session's `--resume` names its parent."""
    given = argv_value(argv, "--session-id")
    if given is not None:
        return given, "--session-id in its arguments"
    if "--fork-session" in argv:
        return None, "its program, forked from another session"
    for flag in ("--resume", "-r"):
        resumed = argv_value(argv, flag)
        if resumed is not None:
            name = elements(resumed)[-1] if elements(resumed) else resumed
            return name.removesuffix(".jsonl"), f"{flag} in its arguments"
    return None, "its program"


def _environment_claim(process: Process) -> Claim | None:
    """Claim what carries the session variable. MCP servers get another AI_AGENT than tools, and no CLAUDE_PID."""
    session_id = process.env.get("CLAUDE_CODE_SESSION_ID")
    if not session_id:
        return None
    agent = process.env.get("AI_AGENT", "")
    if agent.endswith("_harness"):
        role = Role.HELPER
    elif agent.endswith("_agent") or "CLAUDE_PID" in process.env:
        role = Role.WORK
    else:
        role = Role.HELPER if looks_like_helper(process) else Role.WORK
    if role is Role.WORK and is_shell(process) and shell_command(process) is None:
        role = Role.SHELL
    return claim_of(process, role, ClaimKind.ENVIRONMENT, "the session variable that it inherited", session_id)


def is_pty_host(process: Process) -> bool:
    """Say whether this holds the terminal of a background session."""
    argv = process.argv or ()
    return _program_kind(process) is Role.BACKEND and (
        subcommand(argv) == "bg-pty-host" or "--bg-pty-host" in argv[1:3]
    )


def is_spare(process: Process) -> bool:
    """Say whether this was started as a spare, whatever became of it."""
    argv = process.argv or ()
    return _program_kind(process) is Role.BACKEND and (subcommand(argv) == "bg-spare" or "--bg-spare" in argv[1:3])
