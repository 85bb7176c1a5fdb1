"""What programs are, told by executable, script and arguments, whichever host started them.

Knows shells, package runners, MCP servers and language servers by the elements of their paths and by whole arguments.
Must not know any host, and must not look for words inside a joined command line: an argument can hold a whole task
text. Everything is pure.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from trayapp.model.process import Process

_SHELLS = frozenset(
    {
        "sh",
        "bash",
        "zsh",
        "dash",
        "ash",
        "ksh",
        "mksh",
        "fish",
        "csh",
        "tcsh",
        "nu",
        "busybox",
        "cmd",
        "powershell",
        "pwsh",
    }
)
_SHELL_FLAGS_WITH_VALUE = frozenset({"-o", "+o", "-O", "+O", "--init-file", "--rcfile", "-WorkingDirectory"})
_POWERSHELL_COMMANDS = frozenset({"-command", "-c", "-encodedcommand", "-e", "-ec", "-file", "-f"})

_VALUE_FLAGS: dict[str, frozenset[str]] = {
    "node": frozenset({"-r", "--require", "--import", "--loader", "--experimental-loader", "--env-file", "-C"}),
    "bun": frozenset({"--cwd", "--config", "--env-file", "-r", "--preload"}),
    "deno": frozenset({"--config", "--import-map", "--lock"}),
    "python": frozenset({"-W", "-X", "--check-hash-based-pycs"}),
    "uv": frozenset(
        {"--directory", "--project", "--with", "--from", "--python", "-p", "--package", "--env-file", "--index-url"}
    ),
    "npx": frozenset({"-p", "--package", "--prefix", "--registry", "--cache"}),
    "docker": frozenset(
        {"-e", "--env", "-v", "--volume", "--name", "--network", "--mount", "-p", "-u", "-w", "--env-file"}
    ),
}
"""Flags that take the next argument, so that their value is not taken for the script."""

_INLINE_CODE = frozenset({"-e", "--eval", "-p", "--print", "-c", "-pe"})
_RUNNERS = frozenset({"npx", "uvx", "bunx", "pnpx"})
_RUN_WORDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "npm": (("exec",), ("x",)),
    "pnpm": (("dlx",), ("exec",)),
    "yarn": (("dlx",), ("exec",)),
    "bun": (("x",), ("run",)),
    "uv": (("tool", "run"), ("run",)),
    "pipx": (("run",),),
    "deno": (("run",),),
    "docker": (("run",),),
    "podman": (("run",),),
}
_FETCHES_AND_RUNS: frozenset[tuple[str, ...]] = frozenset(
    {
        ("npm", "exec"),
        ("npm", "x"),
        ("pnpm", "dlx"),
        ("yarn", "dlx"),
        ("bun", "x"),
        ("uv", "tool", "run"),
        ("uv", "run"),
        ("pipx", "run"),
    }
)
_INTERPRETERS = frozenset(
    {"node", "bun", "deno", "python", "ruby", "perl", "php", "java", "dotnet", "tsx", "ts-node", "electron"}
)

_LANGUAGE_SERVERS = frozenset(
    {
        "tsserver", "typingsinstaller", "vtsls", "gopls", "rust-analyzer", "jdtls", "clangd", "ccls", "zls", "nixd",
        "marksman", "metals", "pylsp", "pyright-langserver", "basedpyright-langserver", "eslintserver", "sourcekit-lsp",
        "ruby-lsp", "solargraph", "omnisharp", "intelephense", "terraform-ls", "elixir-ls", "kotlin-lsp",
        "langserver.index",
    }
)  # fmt: skip
_LANGUAGE_SERVER_ENDS = ("-language-server", "-langserver", "-lsp", "_language_server", "-language-server.bin")
_SCRIPT_ENDS = re.compile(r"\.(?:exe|cmd|bat|ps1|sh|m?js|cjs|m?ts|cts|py|pyz|jar|rb|php|dll)$")
_VERSION = re.compile(r"(?<=.)@[^@/\\]*$")
_LONGEST_KEPT = 512
"""An argument can be a whole prompt, which is not worth remembering how to split."""
_MODULE_ROOTS = frozenset({"node_modules", "site-packages", "dist-packages", ".venv", "venv"})
_TAKES_FILE_NAMES = frozenset(
    (
        "cat ls cd less more tail head grep egrep rg ag find fd vi vim nvim nano emacs code cursor git make gmake "
        "ninja just task rm cp mv mkdir touch diff tar zip unzip du stat wc sed awk sort tree watch man which echo "
        "pytest tsc cargo go gradle mvn npm pnpm yarn chmod chown ln ssh scp rsync"
    ).split()
)
"""Programs whose first argument may well be a file or target that is called mcp."""


def basename(path: str) -> str:
    """Return the last element of a path with either separator, without `.exe` and without a login shell's dash."""
    return _split(path)[0] if len(path) <= _LONGEST_KEPT else _split.__wrapped__(path)[0]


def elements(path: str) -> tuple[str, ...]:
    """Return the elements of a path with either separator."""
    return _split(path)[1] if len(path) <= _LONGEST_KEPT else _split.__wrapped__(path)[1]


@lru_cache(maxsize=4096)
def _split(path: str) -> tuple[str, tuple[str, ...]]:
    parts = tuple(element for element in re.split(r"[/\\]", path) if element)
    name = parts[-1] if parts else ""
    if name.lower().endswith(".exe"):
        name = name[:-4]
    return name[1:] if name.startswith("-") else name, parts


def words(process: Process) -> tuple[str, ...]:
    """Return the arguments as they were meant; empty where they could not be read.

    npm writes its whole command into its first argument ("npm exec some-mcp@latest", padded), which is undone here.
    """
    argv = process.argv or ()
    if not argv:
        return ()
    first = argv[0].strip()
    if first.split(" ", 1)[0] in ("npm", "pnpm", "yarn", "npx") and " " in first and not any(argv[1:]):
        return tuple(first.split())
    return argv


def argv_value(argv: Sequence[str], flag: str) -> str | None:
    """Return the value given to `flag`, as the next argument or after "="; None without one."""
    for position, argument in enumerate(argv):
        if argument.startswith(flag + "="):
            return argument[len(flag) + 1 :] or None
        if argument == flag:
            following = argv[position + 1] if position + 1 < len(argv) else None
            return following if following and not following.startswith("-") else None
    return None


def program(process: Process) -> str:
    """Return the base name of what was started, by argv[0] and else by the executable; "" where neither is known."""
    argv = words(process)
    if argv and argv[0].strip():
        return basename(argv[0])
    return basename(process.exe) if process.exe else ""


def is_shell(process: Process) -> bool:
    """Say whether this is a shell, interactive or not."""
    return _family(program(process)) in _SHELLS


def shell_command(process: Process) -> str | None:
    """Return what a shell was told to run (`-c` text or script with arguments); None = interactive, or no shell."""
    argv = words(process)
    if not argv or not is_shell(process):
        return None
    return _command_of_shell(argv)


def is_wrapper(process: Process) -> bool:
    """Say whether this only starts another program and waits for it: npx, npm exec, uvx, `sh -c <one command>`."""
    argv = words(process)
    if not argv:
        return False
    if _runner_words(argv) in _FETCHES_AND_RUNS or _family(basename(argv[0])) in _RUNNERS or _is_script_runner(argv):
        return True
    return _simple_command(argv) is not None


class Started(NamedTuple):
    """Say what a command line starts, and with which arguments.

    `is_fetched` = a package that a runner (npx, uvx) fetches and runs.
    """

    target: str
    args: tuple[str, ...]
    is_fetched: bool


def started_by(argv: Sequence[str]) -> Started | None:
    """Return the script, module, package or program that is started; None for inline code or nothing to start."""
    found = _started(argv)
    if found is None:
        return None
    position, target = found
    is_fetched = _family(basename(argv[0])) in _RUNNERS or _runner_words(argv) in _FETCHES_AND_RUNS
    if _is_script_runner(argv):
        plain = [n for n, a in enumerate(argv) if n > 1 and a and not a.startswith("-") and a not in ("exec", "x")]
        if not plain:
            return None
        position, target, is_fetched = plain[0], argv[plain[0]], True
    args = tuple(argv[position + 1 :])
    return Started(
        target, args[1:] if args[:1] == ("--",) else args, is_fetched and _family(basename(target)) not in _INTERPRETERS
    )


def looks_like_helper(process: Process) -> bool:
    """Say whether this is an MCP server or a language server (or what starts one).

    Looks at the elements of the program's, script's, module's or package's path and at a subcommand `mcp`, never at the
    rest of the arguments.
    """
    return _is_helper_command(words(process) or ((process.exe,) if process.exe else ()))


def _is_helper_command(argv: Sequence[str], depth: int = 0) -> bool:
    if not argv or depth > 3:
        return False
    if _family(basename(argv[0])) in _SHELLS:
        inner = _simple_command(argv)
        return inner is not None and _is_helper_command(inner, depth + 1)
    family = _family(basename(argv[0]))
    started = _started(argv)
    if started is None:
        return family not in _INTERPRETERS and _is_helper_path(argv[0])
    position, target = started
    if position == 0:
        return _is_helper_path(target) or (_is_mcp_word(argv, 1) and family not in _TAKES_FILE_NAMES)
    if _runner_words(argv) == ("uv", "run") and _family(basename(target)) in _INTERPRETERS | {"mcp"}:
        return _is_helper_command(argv[position:], depth + 1)
    return _is_helper_path(target) or _is_mcp_word(argv, position + 1) or _is_jdtls(family, argv)


def _family(name: str) -> str:
    """Return the program's plain name: "python3.12" -> "python"."""
    name = name.lower()
    return "python" if re.fullmatch(r"python[\d.]*w?|pypy[\d.]*", name) else name


def _started(argv: Sequence[str]) -> tuple[int, str] | None:
    """Return where in argv the started thing stands, and its name; None for inline code or nothing to start."""
    family = _family(basename(argv[0]))
    runner = _runner_words(argv)
    if not runner and family not in _INTERPRETERS and family not in _RUNNERS:
        return 0, argv[0]
    flags_of = {
        "npm": "npx",
        "pnpm": "npx",
        "yarn": "npx",
        "bunx": "npx",
        "pnpx": "npx",
        "uvx": "uv",
        "podman": "docker",
    }
    value_flags = _VALUE_FLAGS.get(flags_of.get(family, family), frozenset())
    position, past_runner = 1, runner[1:]
    while position < len(argv):
        argument = argv[position]
        if past_runner and argument == past_runner[0]:
            past_runner = past_runner[1:]
        elif (family, argument) in (("python", "-m"), ("java", "-jar")):
            return (position + 1, argv[position + 1]) if position + 1 < len(argv) else None
        elif family in _INTERPRETERS and argument in _INLINE_CODE and argument not in value_flags:
            return None
        elif argument in value_flags:
            position += 1
        elif not argument.startswith("-") and argument:
            return position, argument
        position += 1
    return None


def _runner_words(argv: Sequence[str]) -> tuple[str, ...]:
    """Return ("npm", "exec"), ("uv", "tool", "run") and the like when argv begins so, flags in between left out."""
    family = _family(basename(argv[0]))
    plain: list[str] = []
    skip = False
    for argument in argv[1:]:
        if skip:
            skip = False
        elif argument in _VALUE_FLAGS.get(family, frozenset()):
            skip = True
        elif not argument.startswith("-"):
            plain.append(argument)
            if len(plain) == 2:
                break
    for run_words in _RUN_WORDS.get(family, ()):
        if tuple(plain[: len(run_words)]) == run_words:
            return (family, *run_words)
    return ()


def _is_script_runner(argv: Sequence[str]) -> bool:
    """Say whether node runs npx-cli.js or npm-cli.js exec, as npm's own shims do."""
    if _family(basename(argv[0])) != "node" or len(argv) < 2:
        return False
    script = basename(argv[1])
    return script in ("npx", "npx-cli.js") or (script in ("npm", "npm-cli.js") and "exec" in argv[2:4])


def _command_of_shell(argv: Sequence[str]) -> str | None:
    family = _family(basename(argv[0]))
    skip = False
    for position, argument in enumerate(argv[1:], start=1):
        rest = argv[position + 1 :]
        if skip:
            skip = False
        elif family == "cmd":
            if argument.lower().startswith(("/c", "/k")):
                return " ".join((argument[2:], *rest)).strip() or None
        elif family in ("powershell", "pwsh"):
            if argument.lower() in _POWERSHELL_COMMANDS:
                return " ".join(rest) or None
            if not argument.startswith("-"):
                return " ".join((argument, *rest))
        elif argument in _SHELL_FLAGS_WITH_VALUE:
            skip = True
        elif argument.startswith("-") and not argument.startswith("--") and "c" in argument:
            return rest[0] if rest else None
        elif argument and not argument.startswith(("-", "+")):
            return " ".join((argument, *rest))
    return None


def _simple_command(argv: Sequence[str]) -> tuple[str, ...] | None:
    """Return the words of `sh -c <one plain command>` (or `cmd /c`); None where the shell itself has work to do."""
    family = _family(basename(argv[0]))
    if family not in _SHELLS:
        return None
    if family == "cmd":
        command = _command_of_shell(argv)
        return tuple(command.split()) or None if command and not re.search(r"[&|<>]", command) else None
    if not any(a.startswith("-") and not a.startswith("--") and "c" in a for a in argv[1:3]):
        return None
    command = _command_of_shell(argv)
    if not command or len(command) > 4096 or re.search(r"[;&|<>`\n]|\$\(", command):
        return None
    try:
        parts = shlex.split(command)
    except ValueError:
        return None
    while parts and (parts[0] in ("exec", "env", "command") or re.match(r"\w+=", parts[0])):
        parts.pop(0)
    if not parts or parts[0] in (
        "source",
        ".",
        "eval",
        "while",
        "for",
        "if",
        "until",
        "case",
        "cd",
        "sleep",
        "read",
        "{",
        "(",
    ):
        return None
    return tuple(parts)


def _is_mcp_word(argv: Sequence[str], position: int) -> bool:
    return position < len(argv) and argv[position].lower() in ("mcp", "mcp-server", "mcp-serve", "mcp_server")


def _is_jdtls(family: str, argv: Sequence[str]) -> bool:
    return family == "java" and any(a.startswith("-Declipse.application=org.eclipse.jdt.ls") for a in argv)


def _is_helper_path(path: str) -> bool:
    return any(_is_helper_name(name) for name in _names(path))


def _names(path: str) -> Iterator[str]:
    """Yield the plain names in a path that tell what it is: those below the last package folder, without versions.

    What lies above `node_modules` or a virtual environment is the user's project: a test runner in a project that is
    called something-mcp is not a server.
    """
    parts = elements(path)
    roots = [position for position, part in enumerate(parts) if part.lower() in _MODULE_ROOTS]
    if roots:
        parts = parts[roots[-1] + 1 :]
    for part in parts:
        name = _SCRIPT_ENDS.sub("", _VERSION.sub("", part.lower()))
        yield name


def _is_helper_name(name: str) -> bool:
    if name in ("mcp", "@modelcontextprotocol", "mcp-servers", "mcp_servers"):
        return True
    if name.startswith(("mcp-", "mcp_", "mcp.")) or name.endswith(("-mcp", "_mcp", ".mcp")):
        return True
    if re.search(r"[-_.]mcp[-_.]|^mcp[-_]server|[-_]mcp[-_]?server$", name):
        return True
    return name in _LANGUAGE_SERVERS or name.endswith(_LANGUAGE_SERVER_ENDS)


def is_helper_name(element: str) -> bool:
    """Say whether one element of a path is enough to make its program an MCP or language server."""
    return any(_is_helper_name(name) for name in _names(element))


WORDS = frozenset(
    {
        *_SHELLS, *_SHELL_FLAGS_WITH_VALUE, *_POWERSHELL_COMMANDS, *_INLINE_CODE, *_RUNNERS, *_INTERPRETERS,
        *_LANGUAGE_SERVERS, *_MODULE_ROOTS, *_TAKES_FILE_NAMES, *_RUN_WORDS, *_VALUE_FLAGS,
        *(flag for flags in _VALUE_FLAGS.values() for flag in flags),
        *(word for ways in _RUN_WORDS.values() for way in ways for word in way),
        "exec", "env", "command", "source", ".", "eval", "while", "for", "if", "until", "case", "cd", "sleep", "read",
        "{", "(", "npx-cli.js", "npm-cli.js", "mcp", "mcp-server", "mcp-serve", "mcp_server", "mcp-servers",
        "mcp_servers", "@modelcontextprotocol", "modelcontextprotocol",
    }
)  # fmt: skip
"""Every whole word that the questions above look for: a redacted capture keeps these."""
