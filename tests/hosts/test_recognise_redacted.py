"""A capture is only worth something where each host still recognises its own programs in it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tables import process, table
from trayapp.hosts.base import words_of
from trayapp.hosts.registry import load_hosts
from trayapp.model.session import Claim
from trayapp.pipeline import Inputs
from trayapp.reclaim.plan import Rules
from trayapp.redaction import Redactor

HOSTS, _ = load_hosts(plug_ins=())
ID = "5f0a91c2-7d3e-4a51-9c8b-0a1b2c3d4e5f"
APPS = "/Applications"

COMMANDS: tuple[tuple[str, ...], ...] = (
    ("claude",),
    ("claude", "--resume", ID),
    ("node", "/home/sam/.nvm/v22.1.0/lib/node_modules/@anthropic-ai/claude-code/cli.js", "-r", ID),
    ("node", "/home/sam/lib/node_modules/@anthropic-ai/claude-code/cli-wrapper.cjs"),
    ("/home/sam/.local/share/claude/versions/2.1.4", "--bg-spare"),
    ("claude", "bg-pty-host", "x"),
    ("claude", "mcp", "serve"),
    ("claude", "remote-control"),
    ("claude", "setup-token"),
    ("claude", "-p", "mcp"),
    ("claude", "--disallowedTools", "Bash,Read,Write,Edit", "-p", "say hello"),
    ("claude", "--disallowedTools", "Bash", "Read", "Write", "Edit"),
    ("claude", "--disallowedTools", "Bash Read Write Edit"),
    ("claude", "--tools", ""),
    (f"{APPS}/Claude.app/Contents/MacOS/Claude",),
    (
        f"{APPS}/Claude.app/Contents/Frameworks/Claude Helper (Renderer).app/Contents/MacOS/Claude Helper (Renderer)",
        "--type=renderer",
    ),
    ("codex",),
    ("codex", "app-server"),
    ("codex", "app-server", "--listen", "unix:///home/sam/x.sock"),
    ("codex", "app-server", "proxy"),
    ("node", "/usr/lib/node_modules/@openai/codex/bin/codex.js", "resume", ID),
    ("codex", "exec", "resume", ID, "do it"),
    ("codex", "exec-server"),
    ("codex", "--cd", "/home/sam/shop", "mcp-server"),
    ("codex", "fork", ID),
    ("codex", "resume", "--last"),
    (f"{APPS}/Codex.app/Contents/MacOS/Codex",),
    ("codex-acp",),
    ("opencode",),
    ("opencode", "serve", "--port", "4096"),
    ("opencode", "-s", "ses_5f0a91c27d3e4a519c8b"),
    ("opencode", "attach", "http://127.0.0.1:4096"),
    ("opencode", "/home/sam/shop"),
    ("node", "/usr/lib/node_modules/opencode-ai/bin/opencode", "run", "fix it"),
    ("node", "/home/sam/.local/bin/codeman", "web", "--port", "5000"),
    ("node", "dist/index.js", "web"),
    ("tmux", "-L", "codeman", "new-session", "-ds", "codeman-5f0a91c2", "-c", "/home/sam/shop"),
    ("tmux", "-L", "codeman", "attach-session", "-t", "codeman-5f0a91c2"),
    ("bun", "run", "packages/server/src/index.ts"),
    ("bun", "/home/sam/craft/packages/server/src/index.ts"),
    ("claude", "--output-format", "stream-json", "--resume", ID, "--max-turns", "1"),
    ("kiro-cli", "chat", "--resume-id", ID),
    ("kiro-cli-chat", "acp"),
    ("bun", "/home/sam/.kiro/tui.js"),
    ("kiro-cli", "whoami"),
    ("/home/sam/.local/bin/agent", "/home/sam/.local/share/cursor-agent/versions/2026.07.23-e383d2b/index.js"),
    ("node", "/home/sam/.local/share/cursor-agent/versions/2026.07.23-e383d2b/index.js", "worker-server"),
    ("goose", "session", "--resume", "--session-id", "20251108_1"),
    ("goose", "-dir", "db", "postgres", "dsn", "up"),
    ("node", "/usr/lib/node_modules/@sourcegraph/amp/dist/main.js"),
    ("droid", "--resume", ID),
    ("crush", "server"),
    ("python3", "/home/sam/.local/bin/aider"),
    ("node", "/usr/lib/node_modules/@getpaseo/server/dist/supervisor.js"),
    ("node", "/home/sam/.local/share/zed/node_modules/@zed-industries/claude-code-acp/dist/index.js"),
)


def said_of(claim: Claim | None) -> Any:
    if claim is None:
        return None
    return claim.role, claim.kind, claim.session is None, claim.source, claim.scope, claim.serves_many


@pytest.mark.parametrize("argv", COMMANDS, ids=[" ".join(c)[-50:] for c in COMMANDS])
def test_a_program_is_the_same_to_every_host_when_it_is_redacted(argv: tuple[str, ...]) -> None:
    seen = process(300, argv=argv, exe=argv[0] if argv[0].startswith("/") else f"/usr/bin/{argv[0]}")
    redactor = Redactor(names={"sam"}, words={word for host in HOSTS for word in words_of(host)})
    inputs = Inputs(
        table=table(seen),
        observations=(),
        labels=tuple(host.label for host in HOSTS),
        rules=Rules(),
        now_epoch_s=0.0,
    )
    redacted = redactor.inputs(inputs).table.processes[300]
    assert [said_of(host.recognise(redacted)) for host in HOSTS] == [said_of(host.recognise(seen)) for host in HOSTS]
    assert "sam" not in str(redacted)
    assert ID not in str(redacted)
