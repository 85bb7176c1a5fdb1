"""Drive a real Codex: terminal runs of their own, and terminals that share a daemon.

It knows the host's files, switches and programs (November 2026, 0.171.0). It must not know the product under test.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.live import proc
from tests.live.proc import SLOW_S, Entry, wait_until
from tests.live.scene import Scene, Terminal

HOST = "codex"
EDITOR = """
import json, subprocess, sys
program, folder, prompt = {given!r}
server = subprocess.Popen([program, "app-server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
def call(number, method, params):
    server.stdin.write(json.dumps(dict(id=number, method=method, params=params)) + "\\n")
    for line in server.stdout:
        if json.loads(line).get("id") == number:
            return json.loads(line)["result"]
call(1, "initialize", dict(clientInfo=dict(name="editor", version="1")))
thread = call(2, "thread/start", dict(cwd=folder))["thread"]["id"]
call(3, "turn/start", dict(threadId=thread, input=[dict(type="text", text=prompt)]))
for line in server.stdout:
    pass
print("the server ended", flush=True)
sys.stdin.read()
"""
"""An editor that starts an app-server for itself, has one turn in it, and stays."""
ASK = ("-c", "approval_policy=on-request", "-c", "sandbox_mode=read-only")
"""With these it asks for what leaves its sandbox."""
ESCALATED = 'TOOL exec_command {"cmd":"touch x","sandbox_permissions":"require_escalated","justification":"please"}'


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One terminal, with the npm shim in front and the program below it. `folder` is its own: it tells its thread."""

    host: Codex
    terminal: Terminal
    folder: Path

    @property
    def pid(self) -> int:
        """Return the shim, which the terminal shows."""
        return self.terminal.pid

    @property
    def native(self) -> Entry:
        return next(entry for entry in proc.tree(self.pid) if "vendor" in Path(entry.argv[0]).parts)

    def say(self, text: str) -> None:
        """Send a prompt and return when the model was asked."""
        asked = self.host.times_asked(text)
        self.terminal.type(text)
        log = self.host.scene.server.log
        log.wait_for(lambda each: text in each.prompt and each.tools > 0, timeout_s=SLOW_S, count=asked + 1)

    def complete_turn(self, text: str = "SAY hello") -> None:
        """Run one turn to its end."""
        ended = self.host.turns_ended(self.folder)
        self.say(text)
        wait_until(lambda: self.host.turns_ended(self.folder) > ended, f"a turn in {self.folder}", timeout_s=SLOW_S)

    def processes(self) -> list[Entry]:
        return proc.tree(self.pid)

    def wait_child(self, program: str) -> Entry:
        return wait_until(
            lambda: next((e for e in self.processes() if e.argv and Path(e.argv[0]).name == program), None),
            f"{program} below {self.pid}",
            timeout_s=SLOW_S,
        )

    def wait_helpers(self) -> None:
        """Wait until both its MCP servers run."""
        wait_until(lambda: len(self.host.helpers(self.pid)) == 2, f"helpers of {self.pid}", timeout_s=SLOW_S)


@dataclass(slots=True)
class Codex:
    """An installation in one scene."""

    scene: Scene
    executable: Path

    def __post_init__(self) -> None:
        self.root.mkdir()
        helpers = "".join(
            f"[mcp_servers.{name}]\ncommand={json.dumps(command)}\nargs={json.dumps(arguments)}\n"
            for name, (command, *arguments) in (
                ("probe", self.scene.helper_command()),
                ("mule", self.scene.helper_command(stubborn=True)),
            )
        )
        (self.root / "config.toml").write_text(
            'model="m1"\nmodel_provider="mock"\napproval_policy="never"\nsandbox_mode="danger-full-access"\n'
            "check_for_update_on_startup=false\n[analytics]\nenabled=false\n[features]\nplugins=false\napps=false\n"
            f'[model_providers.mock]\nname="mock"\nbase_url="{self.scene.server.address}/v1"\n'
            f'wire_api="responses"\nenv_key="MOCK_KEY"\n{helpers}'
        )

    @property
    def root(self) -> Path:
        return self.scene.home / ".codex"

    @property
    def environment(self) -> dict[str, str]:
        return self.scene.environment({"MOCK_KEY": "fake"})

    def terminal(self, *arguments: str, folder: Path) -> Run:
        """Start a terminal and wait for its prompt; without `--no-daemon` it joins the daemon, or starts it."""
        window = self.scene.open_terminal([self.executable, *arguments], env=self.environment, cwd=folder)
        window.wait_for("Ask Codex")
        return Run(host=self, terminal=window, folder=folder)

    def alone(self, *arguments: str, folder: Path) -> Run:
        """Start a terminal run that needs no daemon."""
        return self.terminal("--no-daemon", *arguments, folder=folder)

    def editor(self, folder: Path) -> Terminal:
        """Start a program that has an app-server of its own, and wait until its first turn has ended."""
        given = (str(self.executable), str(folder), "SAY hello")
        argv = [sys.executable, "-c", EDITOR.format(given=given)]
        window = self.scene.open_terminal(argv, env=self.environment, cwd=folder)
        wait_until(lambda: self.turns_ended(folder) == 1, f"a turn in {folder}", timeout_s=SLOW_S)
        return window

    def rollout(self, folder: Path) -> Path:
        """Return the log of the one thread that began in a folder."""
        found = [path for path in (self.root / "sessions").rglob("rollout-*.jsonl") if _folder_of(path) == str(folder)]
        assert len(found) == 1, found
        return found[0]

    def session_id(self, folder: Path) -> str:
        return self.rollout(folder).stem[-36:]

    def records(self, folder: Path) -> list[dict[str, Any]]:
        lines = self.rollout(folder).read_text().splitlines(keepends=True)
        return [json.loads(line) for line in lines if line.endswith("\n")]

    def turns_ended(self, folder: Path) -> int:
        try:
            records = self.records(folder)
        except (AssertionError, OSError):
            return 0  # it begins with the first prompt, and moves while it is archived
        return sum(record["payload"].get("type") == "task_complete" for record in records)

    def times_asked(self, text: str) -> int:
        return len(self.scene.server.log.matching(lambda each: text in each.prompt and each.tools > 0))

    def helpers(self, root: int) -> list[Entry]:
        return [entry for entry in proc.tree(root) if any("mcp_helper" in argument for argument in entry.argv)]

    # -- the daemon -----------------------------------------------------------------------------------------------

    def daemon(self) -> Entry:
        (found,) = (entry for entry in self.scene.processes() if "--managed-daemon" in entry.argv)
        return found

    def loaded(self) -> set[str]:
        """Return the threads whose logs the daemon holds open."""
        folder = Path("/proc") / str(self.daemon().pid) / "fd"
        paths = (_link(folder / name) for name in os.listdir(folder))
        return {Path(path).stem[-36:] for path in paths if Path(path).name.startswith("rollout-")}

    def close(self) -> None:
        """Stop the daemon by its own command, and the update loop, which outlives it, by pid."""
        self.scene.run([self.executable, "app-server", "daemon", "stop"], env=self.environment, timeout_s=SLOW_S)
        for entry in self.scene.processes():
            if "pid-update-loop" in entry.argv and proc.is_alive(entry):
                os.kill(entry.pid, signal.SIGTERM)


def _link(path: Path) -> str:
    try:
        return os.readlink(path)
    except OSError:
        return ""


def _folder_of(path: Path) -> str | None:
    try:
        with path.open() as lines:
            folder: str = json.loads(lines.readline())["payload"]["cwd"]
    except (OSError, ValueError, KeyError):
        return None
    return folder
