"""Drive a real Cline CLI: terminals and the hub that they share, in a scene's HOME.

It knows the host's files and switches (November 2026, 3.0.65). It must not know the product under test.
"""

from __future__ import annotations

import json
from typing import Any

from tests.live import proc
from tests.live.proc import SLOW_S, Entry, wait_until
from tests.live.terminal_host import Running, TerminalHost

HOST = "cline"
PROMPT = "❯ "
PROVIDER = "openai-compatible"


class Cline(TerminalHost):
    """An installation in one scene."""

    HOST = HOST
    READY = PROMPT
    WORKING = "esc to cancel"
    QUESTION = "Approve tool call?"
    PROGRAMS = frozenset({"cline"})
    FREE = ("-i",)
    ASKING = ("-i", "--auto-approve", "false")

    def configure(self) -> None:
        provider = {"provider": PROVIDER, "apiKey": "fake", "model": "m1", "baseUrl": self.scene.server.address + "/v1"}
        known = {PROVIDER: {"settings": provider, "updatedAt": "2026-11-30T12:00:00.000Z", "tokenSource": "manual"}}
        providers = {"version": 1, "lastUsedProvider": PROVIDER, "modes": {}, "providers": known}
        servers = {
            name: {"transport": {"type": "stdio", "command": command, "args": arguments}}
            for name, (command, arguments) in self.helpers().items()
        }
        # offers that cover the first prompt of a home and eat its first keys
        offers = {"cline-cli-cline-pass-intro": True, "cline-cli-desktop-launch": True}
        self.write(".cline/data/settings/providers.json", providers)
        self.write(".cline/data/settings/cline_mcp_settings.json", {"mcpServers": servers})
        self.write(".cline/data/settings/cli-notices.json", {"shown": offers})

    def command(self, *arguments: str) -> str:
        """Run one of its own commands."""
        done = self.scene.run([self.executable, *arguments], env=self.environment())
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def environment(self, *, asks: bool = False) -> dict[str, str]:
        return self.scene.environment()

    def await_prompt(self, running: Running) -> None:
        """Wait until a typed letter shows: it draws its prompt before it takes keys."""
        running.terminal.wait_for(self.READY)

        def shows() -> bool:
            running.terminal.press("x")
            return PROMPT + "x" in running.terminal.screen()

        def empty() -> bool:
            running.terminal.press("BSpace")
            return PROMPT + "x" not in running.terminal.screen()

        wait_until(shows, f"a letter in the prompt of {running.folder}", timeout_s=SLOW_S, every_s=0.5)
        wait_until(empty, f"an empty prompt in {running.folder}", timeout_s=SLOW_S)

    def session_id(self, running: Running) -> str:
        (found,) = (record["session_id"] for record in self.records() if record.get("cwd") == str(running.folder))
        return str(found)

    def records(self) -> list[dict[str, Any]]:
        paths = (self.scene.home / ".cline" / "data" / "sessions").glob("*/*.json")
        return [json.loads(path.read_text()) for path in paths if path.stem == path.parent.name]

    def processes(self, running: Running) -> list[Entry]:
        """Leave out the hub, which is a child of the first terminal and serves all."""
        serves_all = {entry.pid for entry in self.below_hub()}
        return [entry for entry in proc.tree(running.pid) if entry.pid not in serves_all]

    def agents(self, running: Running) -> list[Entry]:
        """Return the terminal, and the hub in which its session runs."""
        hub = self.hub()
        return [entry for entry in running.processes() if self.is_agent(entry)] + ([hub] if hub is not None else [])

    def children(self, running: Running) -> list[Entry]:
        return running.processes() + self.below_hub()

    def below_hub(self) -> list[Entry]:
        """Return the hub and everything that it started."""
        hub = self.hub()
        return proc.tree(hub.pid) if hub is not None else []

    def hub(self) -> Entry | None:
        """Return the process that all but the first session of a home run in."""
        return next(filter(self._is_hub, self.programs()), None)

    def close(self) -> None:
        """Close the terminals first: they would start their hub again."""
        self.scene.tmux("kill-server")
        wait_until(lambda: all(map(self._is_hub, self.programs())), "its terminals closed", timeout_s=SLOW_S)
        self.command("hub", "stop")
        wait_until(lambda: not self.programs(), "its hub gone", timeout_s=SLOW_S)

    def programs(self) -> list[Entry]:
        return [entry for entry in self.scene.processes() if self.is_agent(entry)]

    @staticmethod
    def _is_hub(entry: Entry) -> bool:
        return "--cline-hub-daemon" in entry.argv
