"""Drive a real Qwen Code: terminals in a scene's HOME.

It knows the host's files and switches (November 2026, 0.24.4). It must not know the product under test.
"""

from __future__ import annotations

import json
from typing import Any

from tests.live.terminal_host import Running, TerminalHost

HOST = "qwen"


class Qwen(TerminalHost):
    """An installation in one scene."""

    HOST = HOST
    READY = "Type your message"
    WORKING = "esc to cancel"
    QUESTION = "Waiting for user confirmation"
    FREE = ("-y",)

    def configure(self) -> None:
        servers = {
            name: {"command": command, "args": arguments} for name, (command, arguments) in self.helpers().items()
        }
        settings = {
            "security": {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": False}},
            "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
            # else it asks the model behind each turn what to remember
            "memory": {"enableManagedAutoMemory": False, "enableManagedAutoDream": False},
            "mcpServers": servers,
        }
        self.write(".qwen/settings.json", settings)

    def environment(self, *, asks: bool = False) -> dict[str, str]:
        return self.scene.environment(
            {
                "OPENAI_API_KEY": "fake",
                "OPENAI_BASE_URL": self.scene.server.address + "/v1",
                "OPENAI_MODEL": "m1",
                "QWEN_CODE_SUPPRESS_YOLO_WARNING": "1",
            }
        )

    def session_id(self, running: Running) -> str:
        return str(self.record(running)["sessionId"])

    def record(self, running: Running) -> dict[str, Any]:
        """Return sessions/<pid>.json of the innermost process."""
        pids = {entry.pid for entry in running.processes()}
        paths = (self.scene.home / ".qwen" / "sessions").glob("[0-9]*.json")
        (found,) = (json.loads(path.read_text()) for path in paths if int(path.stem) in pids)
        record: dict[str, Any] = found
        return record
