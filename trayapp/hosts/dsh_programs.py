"""Which programs are DSH's, and what their arguments and variables say.

Knows the shapes in which a host runs (npm package, PyPI runtime, source checkout, the desktop app's child), its
profiles, and the variable that its tools inherit. A process is never told by its name, which is `MainThread` on Linux.
Everything is pure and looks at one process alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from trayapp.hosts.base import claim_on, role_of_child
from trayapp.model.process import Process
from trayapp.model.session import Claim, ClaimKind, HostLabel, Hue, Role
from trayapp.programs import argv_value, basename, elements

HOST = "dsh"
claim_of = partial(claim_on, host=HOST)
LABEL = HostLabel(host=HOST, title="DSH", letters="Ds", hue=Hue.OLIVE, rank=5)

SESSION_VARIABLE = "DSH_SESSION_ID"
ENVIRONMENT_NAMES = (SESSION_VARIABLE, "DSH_HOME", "DSH_SHELL", "NODE_OPTIONS", "ELECTRON_RUN_AS_NODE")

_RUNTIME = re.compile(r"deepseek-harness-sdk-runtime-[a-z0-9]+-[a-z0-9_]+(-musl)?", re.IGNORECASE)
"""Its bundled search program has one word more in its name, and is none."""
_PACKAGE_SCRIPT = ("@deepseek-ai", "dsh", "lib", "bin.js")
_DESKTOP_SCRIPT = ("@deepseek-ai", "dsh-desktop-host", "lib", "index.js")
_CHECKOUT_SCRIPTS = (("apps", "cli", "src", "bin.ts"), ("apps", "cli", "lib", "bin.js"))
_CHECKOUT_FOLDER = "deepseek-harness"
_APP_PROGRAM = "DeepSeek Harness"
_NODE_PROGRAMS = frozenset({"node", "nodejs", "bun", "electron"})
_NODE_VALUE_FLAGS = frozenset(
    "-r --require --import --loader --experimental-loader --env-file -C --conditions --max-old-space-size".split()
)
_SHORT_FLAGS = frozenset("-h --help -V --version --dump-config --dump-default-config".split())
_ARCHS = ("x64", "arm64")
_ONE_CLIENT = frozenset({"headless", "sdk", "sdk-minimal", "acp"})
_HEAP_FLAGS = ("--max-old-space-size", "--max_old_space_size")

WORDS = frozenset(
    {
        *_PACKAGE_SCRIPT, *_DESKTOP_SCRIPT, *(word for script in _CHECKOUT_SCRIPTS for word in script),
        *_SHORT_FLAGS, *_ONE_CLIENT, *_NODE_PROGRAMS, *_NODE_VALUE_FLAGS, *_HEAP_FLAGS, *ENVIRONMENT_NAMES,
        *(f"deepseek-harness-sdk-runtime-{system}-{arch}" for system in ("linux", "macos", "win") for arch in _ARCHS),
        "deepseek_harness_runtime", "runtime", "DeepSeek", "Harness", _CHECKOUT_FOLDER, _APP_PROGRAM,
        f"{_APP_PROGRAM}.app", "web", "plugin", "desktop", "tui", "--profile", "--patch", "tsx", "esm", "--no-open",
        "--port", "--expose-internals", "profiles",
    }
)  # fmt: skip
"""Words that a capture keeps, so that a program of this host is recognised in it."""


class Kind(StrEnum):
    """In which shape a host was installed."""

    PACKAGE = "npm package"
    RUNTIME = "PyPI runtime"
    CHECKOUT = "source checkout"
    DESKTOP = "desktop app"


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """Say how a host's process was started.

    Attributes:
        profile: the profile that it boots; None = a short command (`plugin`, `--version`).
        script: what node runs; None where the program holds node itself.
    """

    kind: Kind
    profile: str | None
    script: str | None = None

    @property
    def serves_one_client(self) -> bool:
        """Say whether it runs for one client (a task, an editor, a program) and ends with it."""
        return self.profile in _ONE_CLIENT


def recognise(process: Process) -> Claim | None:
    """Say what a process is to DSH, or None."""
    if process.is_zombie:
        return None
    program = program_of(process)
    if program is None:
        return _app(process) or _child(process)
    if program.profile is None:
        return claim_of(process, Role.INFRA, ClaimKind.PROGRAM, "a command of the host")
    if program.serves_one_client:
        source = f"its {program.profile} program"
        return claim_of(process, Role.BACKEND, ClaimKind.PROGRAM, source, serves_many=True)
    source = "its host, a child of the desktop app" if program.kind is Kind.DESKTOP else "its host"
    return claim_of(process, Role.INFRA, ClaimKind.PROGRAM, source, serves_many=True)


def program_of(process: Process) -> Program | None:
    """Return how a host was started; None for any other process."""
    argv = process.argv or ()
    first = argv[0] if argv else process.exe or ""
    if _RUNTIME.fullmatch(basename(first)):
        return Program(kind=Kind.RUNTIME, profile=_profile(argv[1:]))
    if basename(first) == _APP_PROGRAM and "--expose-internals" in argv[1:]:
        # the app's own program in the role of node
        return Program(kind=Kind.DESKTOP, profile="desktop")
    script_at = _script_at(argv)
    if script_at is None:
        return None
    script = argv[script_at]
    parts, rest = elements(script), argv[script_at + 1 :]
    if _ends(parts, _DESKTOP_SCRIPT):
        return Program(kind=Kind.DESKTOP, profile="desktop", script=script)
    if basename(first).lower() not in _NODE_PROGRAMS:
        return None
    if _ends(parts, _PACKAGE_SCRIPT) or (parts and parts[-1] == "dsh"):
        return Program(kind=Kind.PACKAGE, profile=_profile(rest), script=script)
    if any(_ends(parts, ending) for ending in _CHECKOUT_SCRIPTS) and _is_in_checkout(process, parts):
        return Program(kind=Kind.CHECKOUT, profile=_profile(rest), script=script)
    return None


def heap_flag_bytes(process: Process) -> int | None:
    """Return the cap that was put on V8's old generation by an argument or NODE_OPTIONS; the arguments win."""
    for words in (process.argv or (), process.env.get("NODE_OPTIONS", "").split()):
        for flag in _HEAP_FLAGS:
            value = argv_value(words, flag)
            if value is not None and value.isdigit():
                return int(value) * 1024 * 1024
    return None


def home_of(process: Process) -> str | None:
    """Return the DSH home that its variables or, for a desktop host, its profile folder tell; None = not told."""
    given = process.env.get("DSH_HOME")
    if given:
        return given
    program = program_of(process)
    if program is not None and program.kind is Kind.DESKTOP:
        for path in (*(process.argv or ()), process.cwd or ""):
            parts = elements(path)
            if len(parts) > 2 and parts[-2] == "profiles":
                separator = "\\" if "\\" in path and "/" not in path else "/"
                return path.rstrip("/\\").rsplit(separator, 2)[0]
    return None


def _script_at(argv: Sequence[str]) -> int | None:
    """Return where in argv the script stands: the first argument that is neither a flag nor a flag's value."""
    skip = False
    for position, argument in enumerate(argv[1:], start=1):
        if skip:
            skip = False
        elif argument in _NODE_VALUE_FLAGS:
            skip = True
        elif not argument.startswith("-"):
            return position
    return None


def _profile(words: Sequence[str]) -> str | None:
    """Return the profile that the launcher's words name: `--profile NAME`, or the first plain word."""
    flags, plain = _launcher_words(words)
    if plain == "plugin" or any(flag in _SHORT_FLAGS for flag in flags):
        return None
    return argv_value(words, "--profile") or plain


def _launcher_words(words: Sequence[str]) -> tuple[list[str], str | None]:
    """Return the flags of the launcher and the first plain word; flags behind `web` are still read by it."""
    flags: list[str] = []
    plain: str | None = None
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word in ("--profile", "--patch"):
            skip = True
        elif word.startswith("-"):
            flags.append(word)
        elif plain is None:
            plain = word
            if word != "web":
                break
        else:
            break
    return flags, plain


def _ends(parts: Sequence[str], ending: Sequence[str]) -> bool:
    return tuple(parts[-len(ending) :]) == tuple(ending)


def _is_in_checkout(process: Process, script: Sequence[str]) -> bool:
    """Say whether a script that many projects could have is DSH's own: by the folder's name or by its variable."""
    return _CHECKOUT_FOLDER in (*script, *elements(process.cwd or "")) or bool(process.env.get("DSH_HOME"))


def _app(process: Process) -> Claim | None:
    """Claim the desktop app's main program, by its path; its renderers and helpers are not it."""
    argv = process.argv or ()
    path = argv[0] if argv else process.exe or ""
    if basename(path) != _APP_PROGRAM or any(argument.startswith("--type=") for argument in argv[1:]):
        return None
    if process.env.get("ELECTRON_RUN_AS_NODE"):
        return None
    return claim_of(process, Role.APP, ClaimKind.PROGRAM, "its desktop app")


def _child(process: Process) -> Claim | None:
    """Claim what carries the session variable, which commands, background jobs and terminals of a session get."""
    session_id = process.env.get(SESSION_VARIABLE)
    if not session_id:
        return None
    return claim_of(
        process, role_of_child(process), ClaimKind.ENVIRONMENT, "the session variable that it inherited", session_id
    )
