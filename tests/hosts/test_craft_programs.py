"""Craft Agents' programs: what is one, and what only looks like one."""

from __future__ import annotations

from typing import Any

import pytest

from tests.hosts.craft_homes import CLAUDE, DOCS, PI_ARGV, QUESTION_ARGV, claude_argv
from tests.hosts.homes import process
from trayapp.hosts.craft_programs import ENVIRONMENT_NAMES, TOKEN, Kind, is_agent, kind_of, recognise, resumed_id
from trayapp.model.session import ClaimKind, Role

MAC = "/Applications/Craft Agents.app/Contents"
WINDOWS = r"C:\Users\sam\AppData\Local\Programs\craft-agents"
IN_SESSION = {"CRAFT_SESSION_DIR": "/home/sam/.craft-agent/workspaces/a/sessions/261130-calm-leaf"}


def kind(*argv: str, **more: Any) -> Kind | None:
    return kind_of(process(20, *argv, **more))


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (("bun", "run", "packages/server/src/index.ts"), Kind.SERVER),
        (("bun", "run", "/app/packages/server/src/index.ts"), Kind.SERVER),
        (("/home/sam/.bun/bin/bun", "--env-file", ".env", "run", "packages/server/src/index.ts"), Kind.SERVER),
        ((f"{MAC}/MacOS/Craft Agents",), Kind.APP),
        ((rf"{WINDOWS}\Craft Agents.exe",), Kind.APP),
        (("/tmp/.mount_Craft-a1b2c3/craft-agents",), Kind.APP),
        (("/tmp/.mount_Craft-a1b2c3/@craft-agentelectron",), Kind.APP),
        (PI_ARGV, Kind.PI),
        (
            (f"{MAC}/Resources/app/vendor/bun/bun", "--require", f"{MAC}/Resources/app/dist/interceptor.cjs")
            + (f"{MAC}/Resources/app/resources/pi-agent-server/index.js",),
            Kind.PI,
        ),
        (
            (rf"{WINDOWS}\resources\vendor\bun\bun.exe", "--require", rf"{WINDOWS}\resources\app\dist\interceptor.cjs")
            + (rf"{WINDOWS}\resources\app\resources\pi-agent-server\index.js",),
            Kind.PI,
        ),
        (claude_argv(), Kind.CLAUDE),
        (claude_argv("4d8a12d8"), Kind.CLAUDE),
        (("node", "/app/packages/messaging-whatsapp-worker/dist/worker.cjs"), Kind.WORKER),
    ],
)
def test_its_programs_are_told_by_what_they_are(argv: tuple[str, ...], expected: Kind) -> None:
    assert kind(*argv) is expected


@pytest.mark.parametrize(
    "argv",
    [
        ("bun", "run", "src/index.ts"),
        ("vim", "packages/server/src/index.ts"),
        ("node", "-e", "require('x')"),
        ("tail", "-f", "/x/pi-agent-server/dist/index.js"),
        ("bun", "--require", "/x/unified-network-interceptor.ts", "/x/bridge.ts"),
        (f"{MAC}/Frameworks/Craft Agents Helper.app/Contents/MacOS/Craft Agents Helper", "--type=renderer"),
        (f"{MAC}/MacOS/Craft Agents", "--type=gpu-process"),
        ("/home/sam/bin/craft-agent", "--help"),
        ("/Applications/Craft.app/Contents/MacOS/Craft",),
        # another program's agent, and one whose prompt only names the docs
        ("claude", "--output-format", "stream-json", "--input-format", "stream-json"),
        ("claude", "--output-format", "stream-json", "-p", f"what is {DOCS}"),
        ("claude", "--mcp-config", DOCS),
        ("claude", "--output-format", "stream-json", "--mcp-config", '{"mcpServers":{"notes":"craft-agents-docs"}}'),
        ("claude", "--output-format", "stream-json", "--mcp-config", "craft-agents-docs.json"),
        # the agent's own file search, which has its name
        (CLAUDE, "--no-config", "--files", "--hidden"),
    ],
)
def test_what_only_looks_like_it_is_not(argv: tuple[str, ...]) -> None:
    assert kind(*argv) is None
    assert recognise(process(20, *argv)) is None


def test_a_question_is_its_own_only_with_its_variable() -> None:
    assert kind(*QUESTION_ARGV) is None
    asked = process(20, *QUESTION_ARGV, env=IN_SESSION)
    assert kind_of(asked) is Kind.QUESTION
    claim = recognise(asked)
    assert claim is not None
    assert (claim.role, claim.session, claim.embedded) == (Role.INFRA, None, True)


def test_a_pi_backend_names_its_session_by_itself() -> None:
    claim = recognise(process(20, *PI_ARGV, env=IN_SESSION))
    assert claim is not None
    assert claim.session is not None
    assert (claim.kind, claim.session.session_id) == (ClaimKind.ENVIRONMENT, "261130-calm-leaf")
    unread = recognise(process(20, *PI_ARGV))
    assert unread is not None
    assert unread.session is None


def test_the_fork_of_a_session_is_not_that_session() -> None:
    assert resumed_id(process(20, *claude_argv("abc"))) == "abc"
    assert resumed_id(process(20, *claude_argv("abc", "--fork-session"))) is None


def test_a_name_that_is_a_version_number_does_not_hide_the_agent() -> None:
    assert is_agent(process(20, *claude_argv(), name="2.1.4"))


def test_its_token_is_never_among_the_variables_that_are_read() -> None:
    assert TOKEN not in ENVIRONMENT_NAMES
