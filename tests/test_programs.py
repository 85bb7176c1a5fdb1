"""Programs are told by what they are: the command lines are those of real reports."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.hosts.homes import process
from trayapp.model.process import Identity, Process
from trayapp.programs import (
    argv_value,
    basename,
    is_shell,
    is_wrapper,
    looks_like_helper,
    shell_command,
)

HELPERS = [
    ("node", "/Users/alex/.npm/_npx/c1/node_modules/.bin/context7-mcp"),
    ("npm", "exec", "@dollhousemcp/mcp-server"),
    ("npm exec @playwright/mcp@latest                    ",),
    ("node", "/Users/alex/.npm/_npx/d/mcp-server"),
    ("C:\\nodejs\\node.exe", "C:\\mcp\\server.js"),
    ("C:\\Python313\\python.exe", "-m", "mcp_srv"),
    ("npx", "mcp-remote", "https://mcp.example.com/sse"),
    ("npx", "-y", "@modelcontextprotocol/server-filesystem", "/srv"),
    ("cmd.exe", "/c", "npx", "-y", "some-mcp"),
    ("sh", "-c", "npx -y some-mcp"),
    ("uv", "run", "notes-mcp"),
    ("uv", "--directory", "/srv/weather-mcp", "run", "mcp", "run", "server.py"),
    ("uvx", "--from", "git+https://example.com/x", "mcp-server-git"),
    ("python", "-m", "notes_mcp"),
    ("/home/alex/.cache/uv/bin/python", "/home/alex/.cache/uv/bin/chroma-mcp", "--data-dir", "/home/alex/db"),
    ("chrome-devtools-mcp",),
    ("node", "codegraph", "mcp"),
    ("docker", "run", "-i", "--rm", "-e", "TOKEN", "ghcr.io/github/github-mcp-server"),
    ("node", "/opt/x/node_modules/typescript/lib/tsserver.js", "--useInferredProjectPerProjectRoot"),
    ("node", "/opt/x/node_modules/pyright/langserver.index.js", "--stdio"),
    ("typescript-language-server", "--stdio"),
    ("/home/alex/go/bin/gopls", "serve"),
    ("rust-analyzer",),
    ("java", "-Declipse.application=org.eclipse.jdt.ls.core.id1", "-jar", "/opt/jdtls/plugins/launcher.jar"),
]

NOT_HELPERS = [
    ("claude",),
    ("claude", "-p", "build an mcp server in /srv/mcp and start it with npx some-mcp"),
    ("vim", "mcp"),
    ("make", "mcp"),
    ("grep", "-r", "mcp-server", "/srv/mcp"),
    ("node", "/home/alex/weather-mcp/node_modules/.bin/vitest", "run"),
    ("/home/alex/weather-mcp/.venv/bin/pytest", "-q"),
    ("python", "-c", "import mcp_srv"),
    ("node", "-e", "require('mcp-server')"),
    ("node", "drive.mjs"),
    ("/bin/zsh", "-c", "node drive.mjs > mcp-run.log"),
    ("bash", "-c", "source /home/alex/.claude/shell-snapshots/s.sh && eval 'npx some-mcp'"),
    ("python", "-m", "browser_harness.daemon"),
    (),
]


@pytest.mark.parametrize("argv", HELPERS, ids=" ".join)
def test_servers_of_real_reports_are_helpers(argv: tuple[str, ...]) -> None:
    assert looks_like_helper(process(1, *argv))


@pytest.mark.parametrize("argv", NOT_HELPERS, ids=" ".join)
def test_work_and_texts_that_only_name_a_server_are_not(argv: tuple[str, ...]) -> None:
    assert not looks_like_helper(process(1, *argv))


def test_the_executable_counts_where_arguments_cannot_be_read() -> None:
    assert looks_like_helper(process(1, exe="/usr/local/bin/mcp-server-git"))


@pytest.mark.parametrize(
    "argv",
    [
        ("npm", "exec", "x"),
        ("npm exec some-mcp",),
        ("npx", "-y", "x"),
        ("uvx", "x"),
        ("uv", "tool", "run", "x"),
        ("node", "/usr/lib/node_modules/npm/bin/npx-cli.js", "x"),
        ("sh", "-c", "python3 server.py"),
        ("sh", "-c", "exec node /srv/x.js --port 1"),
        ("cmd", "/c", "npx", "x"),
    ],
    ids=" ".join,
)
def test_what_only_starts_one_other_program_is_a_wrapper(argv: tuple[str, ...]) -> None:
    assert is_wrapper(process(1, *argv))


@pytest.mark.parametrize(
    "argv",
    [
        ("bash",),
        ("bash", "-c", "a; b"),
        ("bash", "-c", "a | b"),
        ("bash", "-c", "while :; do :; done"),
        ("bash", "build.sh"),
        ("npm", "run", "build"),
        ("node", "server.js"),
        (),
    ],
    ids=" ".join,
)
def test_shells_with_work_of_their_own_are_no_wrappers(argv: tuple[str, ...]) -> None:
    assert not is_wrapper(process(1, *argv))


@pytest.mark.parametrize(
    ("argv", "command"),
    [
        (("-bash",), None),
        (("/bin/zsh", "-l", "-i"), None),
        (("powershell.exe", "-NoLogo"), None),
        (("/bin/bash", "-c", "make -j"), "make -j"),
        (("/bin/bash", "-lc", "make"), "make"),
        (("bash", "-o", "pipefail", "-c", "make"), "make"),
        (("bash", "build.sh", "all"), "build.sh all"),
        (("cmd.exe", "/c", "npx", "x"), "npx x"),
        (("pwsh", "-Command", "Get-Item"), "Get-Item"),
    ],
)
def test_a_shell_tells_its_command_and_an_interactive_one_none(argv: tuple[str, ...], command: str | None) -> None:
    assert is_shell(process(1, *argv))
    assert shell_command(process(1, *argv)) == command


def test_flags_give_their_value_in_both_forms() -> None:
    assert argv_value(("x", "--resume", "a b"), "--resume") == "a b"
    assert argv_value(("x", "--resume=a"), "--resume") == "a"
    assert argv_value(("x", "--resume", "--print"), "--resume") is None
    assert argv_value(("x", "--resume"), "--resume") is None
    assert argv_value(("x", "say --resume a"), "--resume") is None


def test_base_names_know_both_separators() -> None:
    assert basename("C:\\Users\\alex\\claude.exe") == "claude"
    assert basename("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome") == "Google Chrome"
    assert basename("-zsh") == "zsh"


def test_a_shell_whose_arguments_could_not_be_read_tells_no_command() -> None:
    unread = Process(identity=Identity(1, 1), ppid=0, name="bash", exe="/bin/bash", argv=None)
    assert is_shell(unread)
    assert shell_command(unread) is None
    assert shell_command(replace(unread, argv=())) is None
