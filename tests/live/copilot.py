"""Drive a real Copilot CLI: terminals in a scene's HOME.

It knows the host's files and switches (November 2026, 1.0.102). It must not know the product under test.
"""

from __future__ import annotations

from pathlib import Path

from tests.live.terminal_host import Running, TerminalHost

HOST = "copilot"


class Copilot(TerminalHost):
    """An installation in one scene."""

    HOST = HOST
    READY = "? help"
    WORKING = "Working"
    QUESTION = "Do you want to run this command?"
    PROGRAMS = frozenset({"node", "copilot"})

    def configure(self) -> None:
        folders = [str(self.scene.work)]
        self.write(".copilot/config.json", {"trustedFolders": folders, "banner": "never"})
        servers = {
            name: {"type": "local", "command": command, "args": arguments, "tools": ["*"]}
            for name, (command, arguments) in self.helpers().items()
        }
        self.write(".copilot/mcp-config.json", {"mcpServers": servers})

    def environment(self, *, asks: bool = False) -> dict[str, str]:
        return self.scene.environment(
            {
                "COPILOT_PROVIDER_BASE_URL": self.scene.server.address + "/v1",
                "COPILOT_PROVIDER_API_KEY": "fake",
                "COPILOT_MODEL": "m1",
                "COPILOT_OFFLINE": "true",
                "COPILOT_AUTO_UPDATE": "false",
            }
            | ({} if asks else {"COPILOT_ALLOW_ALL": "true"})
        )

    def session_id(self, running: Running) -> str:
        pids = {entry.pid for entry in running.processes()}
        (lock,) = (path for path in self.state().glob("*/inuse.*.lock") if int(path.name.split(".")[1]) in pids)
        return lock.parent.name

    def state(self) -> Path:
        return self.scene.home / ".copilot" / "session-state"
