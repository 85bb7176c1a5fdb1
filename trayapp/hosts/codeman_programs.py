"""Which processes are Codeman's, told by arguments and by the variables that it hands down to its agents.

Knows its server's command line, its tmux servers and clients, and what of an environment names a session. Everything is
pure. An agent here is any program in a pane of Codeman's; whose program it is otherwise does not matter.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from trayapp.hosts.base import claim_on
from trayapp.model.process import Process
from trayapp.model.session import Claim, ClaimKind, HostLabel, Hue, Role
from trayapp.programs import argv_value, basename, elements, is_shell, shell_command

HOST, TITLE = "codeman", "Codeman"
claim_of = partial(claim_on, host=HOST, embedded=True)
"""Embedded: its agents are other hosts' programs, in sessions of Codeman's own."""
LABEL = HostLabel(host=HOST, title=TITLE, letters="Cm", hue=Hue.WINE, rank=6)

SESSION, MUX_NAME, ADDRESS = "CODEMAN_SESSION_ID", "CODEMAN_MUX_NAME", "CODEMAN_API_URL"
ENVIRONMENT_NAMES = (
    SESSION,
    MUX_NAME,
    ADDRESS,
    # the path of a file that is never opened: its folder is the data folder
    "CODEMAN_HOOK_SECRET_FILE",
    "CODEMAN_INSTANCE",
    "CODEMAN_DATA_DIR",
    "TMUX",
    "TMUX_TMPDIR",
    "CLAUDE_CONFIG_DIR",
)

_SERVER_NAMES = frozenset({"codeman", "aicodeman"})
_OWN_CHECKS = ("codeman-aicheck-", "codeman-plancheck-")
_AGENTS = frozenset({"claude", "codex", "opencode", "gemini", "copilot", "qwen", "aider", "cursor-agent", "amp"})
_INTERPRETERS = frozenset({"node", "bun", "deno", "python", "python3"})
_ID = re.compile(r"[\w.-]{1,128}", re.ASCII)
_MUX_NAME = re.compile(r"codeman-[\w.-]{1,64}", re.ASCII)

WORDS = frozenset(
    {*_SERVER_NAMES, "dist", "index.js", "web", "tmux", "-L", "-S", "-t", "-s", "-ds", "new-session", "attach-session",
     "attach", "--https", "--port", "-p"}
)  # fmt: skip
"""Words by which its programs are recognised; none of them is anybody's own."""


def recognise(process: Process) -> Claim | None:
    """Say what a process is to Codeman, looking at it alone, or None."""
    if process.is_zombie:
        return None
    if is_server(process):
        return claim_of(process, Role.INFRA, ClaimKind.PROGRAM, "its server")
    if is_tmux(process):
        if is_own_tmux_server(process):
            return claim_of(process, Role.INFRA, ClaimKind.PROGRAM, "its tmux server")
        if is_own_client(process):
            return claim_of(process, Role.CLIENT, ClaimKind.PROGRAM, "a view on a session of its own")
        return None
    session_id = session_id_of(process)
    if session_id is None:
        return None
    return claim_of(process, Role.UNKNOWN, ClaimKind.ENVIRONMENT, "the session variable that it inherited", session_id)


def is_server(process: Process) -> bool:
    """Say whether the arguments are those of its web server; an answer over HTTP has to confirm it."""
    argv = process.argv or ()
    if argv and basename(argv[0]) in _SERVER_NAMES:
        return "web" in argv[1:]
    if not argv or basename(argv[0]) not in _INTERPRETERS:
        return False
    for position, argument in enumerate(argv[1:6], start=1):
        named = basename(argument) in _SERVER_NAMES and ("/" in argument or "\\" in argument)
        if named or elements(argument)[-2:] == ("dist", "index.js"):
            return "web" in argv[position + 1 :]
    return False


def is_named_server(process: Process) -> bool:
    """Say whether the program itself bears the name; `dist/index.js` may be anybody's."""
    argv = process.argv or ()
    return any(basename(argument) in _SERVER_NAMES for argument in argv[:6])


def speaks_https(process: Process) -> bool:
    """Say whether the server was told to speak HTTPS."""
    return "--https" in (process.argv or ())


def data_folder(env: Mapping[str, str], home: Path) -> Path:
    """Return the data folder that a server (or what it started) with these variables uses."""
    given = env.get("CODEMAN_DATA_DIR")
    if given and os.path.isabs(given):
        return Path(given)
    secret = env.get("CODEMAN_HOOK_SECRET_FILE")
    if secret and os.path.isabs(secret):
        return Path(secret).parent
    instance = env.get("CODEMAN_INSTANCE")
    return home / (f".codeman-{instance}" if instance and _ID.fullmatch(instance) else ".codeman")


# -------------------------------------------------------------------------------------------------- tmux


def is_tmux(process: Process) -> bool:
    """Say whether this is tmux, server or client."""
    argv = process.argv or ()
    return process.name.startswith("tmux: ") or basename(argv[0] if argv else process.exe or "") == "tmux"


def is_own_tmux_server(process: Process) -> bool:
    """Say whether a tmux server is Codeman's alone.

    It is on a socket of its own since 0.6.12. On the default socket private sessions live beside its own: that one is
    the user's. Its arguments name only the first session ever made, so no session is read from them.
    """
    argv = process.argv or ()
    given = argv_value(argv, "-S") or argv_value(argv, "-L")
    if given is None or basename(given) == "default" or "new-session" not in argv:
        return False
    name = argv_value(argv, "-ds") or argv_value(argv, "-s") or ""
    return basename(given).startswith("codeman") or name.startswith("codeman-")


def is_own_client(process: Process) -> bool:
    """Say whether a client of tmux shows one of Codeman's sessions: by its name, or by Codeman's own socket."""
    argv = process.argv or ()
    given = argv_value(argv, "-S") or argv_value(argv, "-L") or ""
    attaches = not {"attach-session", "attach"}.isdisjoint(argv)
    return attaches and (attached_to(process) is not None or basename(given).startswith("codeman"))


def attached_to(process: Process) -> str | None:
    """Return the tmux session that a client of tmux was told to show, where that is one of Codeman's."""
    argv = process.argv or ()
    if not {"attach-session", "attach"} & set(argv):
        return None
    name = (argv_value(argv, "-t") or "").lstrip("=")
    return name if _MUX_NAME.fullmatch(name) else None


def sockets_of(process: Process, uid: int | None) -> list[str]:
    """Return the paths of the tmux sockets that a process tells of, by its variable or its arguments."""
    told = process.env.get("TMUX", "").split(",")[0]
    if os.path.isabs(told):
        return [told]
    argv = process.argv or ()
    if not is_tmux(process):
        return []
    given = argv_value(argv, "-S")
    if given is not None:
        return [given] if os.path.isabs(given) else []
    return [default_socket(process.env, uid, argv_value(argv, "-L") or "default")] if uid is not None else []


def default_socket(env: Mapping[str, str], uid: int, name: str = "default") -> str:
    """Return where tmux puts a socket of that name (tmux(1), TMUX_TMPDIR)."""
    return os.path.join(env.get("TMUX_TMPDIR") or "/tmp", f"tmux-{uid}", name)


def is_own_check(mux_name: str) -> bool:
    """Say whether a tmux session is one in which Codeman asks an agent whether another one is idle."""
    return mux_name.startswith(_OWN_CHECKS)


# -------------------------------------------------------------------------------------------------- agents


def session_id_of(process: Process) -> str | None:
    """Return the session that the environment names."""
    given = process.env.get(SESSION)
    return given if given and _ID.fullmatch(given) else None


def mux_name_of(process: Process) -> str | None:
    """Return the tmux session that the environment names."""
    given = process.env.get(MUX_NAME)
    return given if given and _MUX_NAME.fullmatch(given) else None


def mux_name_for(session_id: str) -> str:
    """Return the tmux session of a session: an adopted one is called after it, any other after its first 8 digits."""
    return f"codeman-{session_id.removeprefix('restored-')[:8]}"


def is_agent_program(process: Process) -> bool:
    """Say whether the program is an agent, whichever host's."""
    argv = process.argv or ()
    names = {basename(argv[0]) if argv else "", basename(process.exe or "")}
    if names & _AGENTS:
        return True
    script = next((argument for argument in argv[1:] if not argument.startswith("-")), "")
    return bool(names & _INTERPRETERS) and basename(script) in _AGENTS


def is_start_shell(process: Process) -> bool:
    """Say whether this is a shell that was given a command, as the one is that stays above a resumed agent."""
    return is_shell(process) and shell_command(process) is not None
