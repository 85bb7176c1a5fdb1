"""Drive a real OpenCode: `opencode serve` with sessions over HTTP, and its terminal UI.

It knows the host's files, switches and API (November 2026, 1.18.33). It must not know the product under test.
"""

from __future__ import annotations

import contextlib
import json
import socket
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from tests.live.proc import SLOW_S, wait_until
from tests.live.scene import Scene, Terminal

HOST = "opencode"
ASKED_FOR = "touch"
"""The one command that waits for a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A running `opencode serve`."""

    host: OpenCode
    pid: int
    address: str

    def new_session(self) -> str:
        return str(self._post("/session", {}).json()["id"])

    def permissions(self) -> list[dict[str, Any]]:
        """Return what it waits for a person to allow."""
        found: list[dict[str, Any]] = self.get("/permission")
        return found

    def prompt(self, session_id: str, text: str) -> None:
        """Send a prompt and return at once."""
        self._post(f"/session/{session_id}/prompt_async", {"parts": [{"type": "text", "text": text}]})

    def complete_turn(self, session_id: str, text: str = "SAY hello") -> None:
        """Run one turn to its end."""
        self.prompt(session_id, text)
        wait_until(lambda: self._answered(session_id), f"an answer in {session_id}", timeout_s=SLOW_S)
        wait_until(lambda: session_id not in self.status(), f"{session_id} idle", timeout_s=SLOW_S)

    def _answered(self, session_id: str) -> bool:
        messages = self.get(f"/session/{session_id}/message")
        return bool(messages) and "completed" in messages[-1]["info"].get("time", {})

    def status(self) -> dict[str, Any]:
        found: dict[str, Any] = self.get("/session/status")
        return found

    def get(self, path: str) -> Any:
        return httpx.get(self.address + path, timeout=SLOW_S).raise_for_status().json()

    def _post(self, path: str, body: dict[str, Any]) -> httpx.Response:
        return httpx.post(self.address + path, json=body, timeout=60).raise_for_status()


@dataclass(slots=True)
class OpenCode:
    """An installation in one scene."""

    scene: Scene
    executable: Path

    def __post_init__(self) -> None:
        config = {
            "autoupdate": False,
            "share": "disabled",
            "model": "mock/m1",
            "small_model": "mock/m1",
            "enabled_providers": ["mock"],
            "permission": {"bash": {"*": "allow", f"{ASKED_FOR} *": "ask"}},
            "provider": {
                "mock": {
                    "npm": "@ai-sdk/openai-compatible",
                    "name": "Mock",
                    "options": {"baseURL": self.scene.server.address + "/v1", "apiKey": "fake"},
                    "models": {"m1": {"name": "m1", "limit": {"context": 200000, "output": 8192}}},
                }
            },
            "mcp": {
                "probe": self._server(stubborn=False),
                "mule": self._server(stubborn=True),
            },
        }
        folder = self.scene.home / ".config" / "opencode"
        folder.mkdir(parents=True)
        (folder / "opencode.json").write_text(json.dumps(config))

    def _server(self, *, stubborn: bool) -> dict[str, Any]:
        return {"type": "local", "command": self.scene.helper_command(stubborn=stubborn), "enabled": True}

    @property
    def environment(self) -> dict[str, str]:
        return self.scene.environment(
            {
                "OPENCODE_DISABLE_MODELS_FETCH": "1",
                "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
                "OPENCODE_DISABLE_AUTOUPDATE": "1",
                "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
                # It installs its plugin package into ~/.config/opencode behind the first session. Answered with 404 by
                # the model server that fails at once; while it runs, a SIGTERM is swallowed (npm's own handler).
                "npm_config_registry": self.scene.server.address,
            }
        )

    def serve(self, folder: Path | None = None) -> Server:
        """Start `opencode serve` on a free port; `--port 0` would take 4096 whenever that is free."""
        port = _free_port()
        argv = [str(self.executable), "serve", "--port", str(port), "--hostname", "127.0.0.1"]
        process = self.scene.start(argv, env=self.environment, log=f"serve-{port}.log", cwd=folder)
        address = f"http://127.0.0.1:{port}"
        wait_until(
            lambda: address in self.scene.log_path(f"serve-{port}.log").read_text(),
            "the address of opencode serve",
            timeout_s=SLOW_S,
        )
        return Server(host=self, pid=process.pid, address=address)

    def terminal(self, *arguments: str, folder: Path | None = None) -> Terminal:
        """Start the terminal UI and wait for its prompt."""
        window = self.scene.open_terminal([self.executable, *arguments], env=self.environment, cwd=folder)
        window.wait_for("Ask anything", timeout_s=SLOW_S)
        return window

    def resume(self, argv: list[str], prompt: str, *, cwd: Path) -> list[dict[str, Any]]:
        """Carry a printed resume command (`opencode -s ID`) on with one prompt and no terminal; return its events."""
        assert Path(argv[0]).stem == "opencode"
        command = [str(self.executable), "run", "--format", "json", *argv[1:], prompt]
        done = self.scene.run(command, env=self.environment, cwd=cwd, timeout_s=SLOW_S)
        assert done.returncode == 0, done.stdout + done.stderr
        return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]

    def sessions(self, folder: Path) -> list[str]:
        """Return the ids that its database holds for a folder, newest first."""
        path = self.scene.home / ".local" / "share" / "opencode" / "opencode.db"
        if not path.exists():
            return []
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            rows = database.execute(
                "select id from session where directory = ? order by time_created desc", (str(folder),)
            ).fetchall()
        return [str(row[0]) for row in rows]

    def wait_settled(self, folders: int) -> None:
        """Wait until its plugin install has failed in so many instances: before that it swallows a SIGTERM."""
        log = self.scene.server.log
        log.wait_for(lambda a: a.path.startswith("/@opencode-ai"), timeout_s=SLOW_S, count=folders)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
