"""Drive a real pi: terminals in a scene's HOME.

It knows the host's files and switches (November 2026, 0.74.2). It must not know the product under test.
"""

from __future__ import annotations

import json
from pathlib import Path

from tests.live.terminal_host import Running, TerminalHost

HOST = "pi"


class Pi(TerminalHost):
    """An installation in one scene."""

    HOST = HOST
    READY = "(auto)"
    WORKING = "Working..."
    PROGRAMS = frozenset({"pi"})

    def configure(self) -> None:
        model = {"id": "m1", "name": "m1", "contextWindow": 128000, "maxTokens": 4096}
        provider = {
            "baseUrl": self.scene.server.address + "/v1",
            "api": "openai-completions",
            "apiKey": "fake",
            "models": [model],
        }
        self.write(".pi/agent/models.json", {"providers": {"mock": provider}})
        self.write(".pi/agent/settings.json", {"defaultProvider": "mock", "defaultModel": "m1"})

    def environment(self, *, asks: bool = False) -> dict[str, str]:
        return self.scene.environment({"PI_OFFLINE": "1"})

    def session_id(self, running: Running) -> str:
        (log,) = self.logs(running.folder)
        return str(json.loads(log.read_text().splitlines()[0])["id"])

    def logs(self, folder: Path) -> list[Path]:
        """Return the session logs of a folder, oldest first."""
        logs = sorted((self.scene.home / ".pi" / "agent" / "sessions").glob("*/*.jsonl"))
        return [log for log in logs if json.loads(log.read_text().splitlines()[0])["cwd"] == str(folder)]
