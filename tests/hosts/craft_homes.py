"""Homes and process tables of Craft Agents, written down for tests or taken from what was recorded."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.hosts.homes import NOW_EPOCH_S, UPTIME_S, iso, process, recorded, table
from trayapp.model.process import Identity, Process, ProcessTable

SERVER_ARGV = ("bun", "run", "packages/server/src/index.ts")
CHECKOUT = "/home/user/craft-agents-oss"
PI_ARGV = (
    "/home/user/.bun/bin/bun",
    "--require",
    f"{CHECKOUT}/packages/shared/src/unified-network-interceptor.ts",
    f"{CHECKOUT}/packages/pi-agent-server/dist/index.js",
)
CLAUDE = f"{CHECKOUT}/node_modules/@anthropic-ai/claude-agent-sdk-linux-x64/claude"
DOCS = '{"mcpServers":{"craft-agents-docs":{"type":"http","url":"https://agents.craft.do/docs/mcp"}}}'
_STREAM = (CLAUDE, "--output-format", "stream-json", "--verbose", "--input-format", "stream-json")
QUESTION_ARGV = (*_STREAM, "--thinking", "disabled", "--max-turns", "1", "--model", "m", "--permission-mode", "default")
HELPER_ARGV = ("node", "/home/user/run/fake_mcp_helper.mjs", "--stay")


def claude_argv(resume: str | None = None, *more: str) -> tuple[str, ...]:
    """Return the command line of a Claude backend, as it was recorded."""
    resumed = ("--resume", resume) if resume is not None else ()
    return (*_STREAM, "--thinking", "adaptive", *resumed, *more, "--tools", "default", "--mcp-config", DOCS)


@dataclass(slots=True)
class CraftHome:
    """Write a config folder below a home, as the server does."""

    home: Path
    name: str = ".craft-agent"
    workspaces: list[dict[str, Any]] = field(default_factory=list)
    more: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.config.mkdir(parents=True, exist_ok=True)
        self.add_workspace("demo-space")

    @property
    def config(self) -> Path:
        return self.home / self.name

    def root(self, slug: str = "demo-space") -> Path:
        return self.config / "workspaces" / slug

    def folder(self, session_id: str, slug: str = "demo-space") -> Path:
        return self.root(slug) / "sessions" / session_id

    def add_workspace(self, slug: str, **more: Any) -> None:
        root = f"~/{self.name}/workspaces/{slug}"
        self.workspaces.append({"id": f"id-of-{slug}", "name": slug, "slug": slug, "rootPath": root} | more)
        (self.root(slug) / "sessions").mkdir(parents=True, exist_ok=True)
        self.write_config()

    def write_config(self) -> None:
        connections = [
            {"slug": "pi-local", "providerType": "pi_compat"},
            {"slug": "claude-local", "providerType": "anthropic"},
        ]
        told = {"workspaces": self.workspaces, "llmConnections": connections} | self.more
        (self.config / "config.json").write_text(json.dumps(told), encoding="utf-8")

    def lock(self, pid: int, *, age_s: float = 100.0) -> None:
        told = {"pid": pid, "startedAt": (NOW_EPOCH_S - age_s) * 1000}
        (self.config / ".server.lock").write_text(json.dumps(told), encoding="utf-8")

    def session(
        self,
        session_id: str,
        *,
        pi: bool = False,
        slug: str = "demo-space",
        age_s: float = 3600.0,
        created_s: float = 7200.0,
        role: str | None = "assistant",
        sent_s: Iterable[float] = (),
        **header: Any,
    ) -> str:
        """Write a session whose last message is `age_s` old; return its folder."""
        folder = self.folder(session_id, slug)
        folder.mkdir(parents=True, exist_ok=True)
        told: dict[str, Any] = {
            "id": session_id,
            "name": session_id.replace("-", " "),
            "sdkCwd": str(folder),
            "createdAt": (NOW_EPOCH_S - created_s) * 1000,
            "lastUsedAt": NOW_EPOCH_S * 1000,
            "lastMessageAt": (NOW_EPOCH_S - age_s) * 1000,
            "lastMessageRole": role,
            "enabledSourceSlugs": [],
            "llmConnection": "pi-local" if pi else "claude-local",
            "model": "fake-model",
        }
        lines = [told | header]
        lines += [{"id": "m", "type": "user", "timestamp": (NOW_EPOCH_S - at) * 1000, "content": "x"} for at in sent_s]
        (folder / "session.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        if pi:
            (folder / ".pi-sessions").mkdir(exist_ok=True)
        return str(folder)

    def source(self, slug: str, *argv: str, workspace: str = "demo-space") -> None:
        path = self.root(workspace) / "sources" / slug / "config.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        mcp = {"transport": "stdio", "command": argv[0], "args": list(argv[1:])}
        path.write_text(json.dumps({"slug": slug, "type": "mcp", "mcp": mcp}), encoding="utf-8")

    def claude_log(self, sdk_id: str, cwd: str, *records: Mapping[str, Any]) -> Path:
        folder = "".join(c if c.isascii() and c.isalnum() else "-" for c in cwd)
        path = self.home / ".claude" / "projects" / folder / f"{sdk_id}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
        return path

    def pi_log(self, session_id: str, sdk_id: str, *records: Mapping[str, Any]) -> Path:
        path = self.folder(session_id) / ".pi-sessions" / f"2026-11-30T11-40-29-902Z_{sdk_id}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
        return path


def said(age_s: float, stop: str | None = "end_turn", role: str = "assistant", **more: Any) -> dict[str, Any]:
    """Return a record of a Claude backend's log."""
    message: dict[str, Any] = {"role": role, "content": more.pop("content", []), "stop_reason": stop}
    return {"type": role, "timestamp": iso(age_s), "message": message} | more


def pi_said(age_s: float, role: str, stop: str | None = None, **more: Any) -> dict[str, Any]:
    """Return a record of a Pi backend's log."""
    message = {"role": role, "timestamp": (NOW_EPOCH_S - age_s) * 1000, "stopReason": stop} | more
    return {"type": "message", "id": "x", "timestamp": iso(age_s), "message": message}


def server(pid: int = 10, *, age_s: float = 9000.0, **more: Any) -> Process:
    return process(pid, *SERVER_ARGV, age_s=age_s, **more)


def child(pid: int, *argv: str, folder: str | None = None, ppid: int = 10, **more: Any) -> Process:
    """Make a child of the server whose variable names a session's folder."""
    env = {"CRAFT_SESSION_DIR": folder} if folder is not None else {}
    return process(pid, *argv, ppid=ppid, env=env | more.pop("env", {}), **more)


def recorded_table(name: str, home: Path, *, after_s: float = 30.0) -> tuple[ProcessTable, dict[int, Process]]:
    """Return a recorded process table as it was `after_s` after its youngest process began, moved to this home."""
    told = json.loads(recorded(f"craft/{name}").replace("/home/user", str(home)))["processes"]
    now = max(p["create_time"] for p in told) + after_s
    found = {}
    for p in told:
        start_s = UPTIME_S - (now - p["create_time"])
        found[p["pid"]] = Process(
            identity=Identity(p["pid"], round(start_s * 100)),
            ppid=p["ppid"],
            name=p["name"],
            exe=p["exe"],
            argv=tuple(p["cmdline"]),
            cwd=p["cwd"],
            start_s=start_s,
            uid=1000,
            env={k: v for k, v in p["env"].items() if k.startswith("CRAFT_") and k != "CRAFT_SERVER_TOKEN"},
        )
    return table(found.values(), now_epoch_s=now), found


def recorded_home(home: Path) -> CraftHome:
    """Write what was recorded of the disk below a home: config, workspaces, source and sessions with their files."""
    layout = json.loads(recorded("craft/disk-layout.json").replace("/home/user", str(home)))
    made = CraftHome(home)
    (made.config / "config.json").write_text(json.dumps(layout["config.json"]), encoding="utf-8")
    (made.config / ".server.lock").write_text(json.dumps(layout["server.lock"]["content"]), encoding="utf-8")
    source = made.root() / "sources" / "fake-helper" / "config.json"
    source.parent.mkdir(parents=True)
    source.write_text(json.dumps(layout["source config.json"]), encoding="utf-8")
    for path, told in layout["sessions"].items():
        for name in told["files"]:
            (Path(path) / name).parent.mkdir(parents=True, exist_ok=True)
            (Path(path) / name).write_text("", encoding="utf-8")
        record = Path(path) / "session.jsonl"
        record.write_text(json.dumps(told["header"]) + "\n", encoding="utf-8")
    return made
