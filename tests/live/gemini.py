"""Drive a real Gemini CLI: terminals in a scene's HOME.

It knows the host's files and switches (November 2026, 0.61.0). It must not know the product under test.
"""

from __future__ import annotations

import json
from pathlib import Path

from tests.live.terminal_host import Running, TerminalHost

HOST = "gemini"


class Gemini(TerminalHost):
    """An installation in one scene."""

    HOST = HOST
    READY = "Type your message"
    WORKING = "esc to cancel"
    QUESTION = "Allow execution of"
    FREE = ("-y",)

    def configure(self) -> None:
        servers = {
            name: {"command": command, "args": arguments} for name, (command, arguments) in self.helpers().items()
        }
        settings = {
            "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
            "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
            "model": {"name": "gemini-2.5-flash"},  # a fixed model: no request to choose one
            "mcpServers": servers,
        }
        self.write(".gemini/settings.json", settings)

    def environment(self, *, asks: bool = False) -> dict[str, str]:
        extra = {"GEMINI_API_KEY": "fake", "GOOGLE_GEMINI_BASE_URL": self.scene.server.address}
        return self.scene.environment(extra)

    def session_id(self, running: Running) -> str:
        (log,) = self.logs(running.folder)
        return str(json.loads(log.read_text().splitlines()[0])["sessionId"])

    def logs(self, folder: Path) -> list[Path]:
        """Return the chat logs of a folder, oldest first."""
        projects = json.loads((self.scene.home / ".gemini" / "projects.json").read_text())["projects"]
        return sorted((self.scene.home / ".gemini" / "tmp" / projects[str(folder)] / "chats").glob("session-*.jsonl"))
