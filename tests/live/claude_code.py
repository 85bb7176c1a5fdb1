"""Drive a real Claude Code: terminals, stream-json runs and background sessions in a scene's HOME.

It knows the host's files and switches (November 2026, 2.1.332). It must not know the product under test.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.live import proc
from tests.live.model_server import Asked
from tests.live.proc import SLOW_S, Entry, wait_until
from tests.live.scene import Detached, Scene, Terminal

HOST = "claude-code"
KEY = "sk-fake"
NOTED_S = 3.0
"""By then Claude Code has noted that a turn has begun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """One live session: its process, the host's own id, and the terminal or pipe to speak to it."""

    host: ClaudeCode
    pid: int
    terminal: Terminal | None = None
    pipe: Detached | None = None

    def record(self) -> dict[str, Any]:
        """Return sessions/<pid>.json, empty while it is not there or half written."""
        return self.host.record(self.pid)

    @property
    def session_id(self) -> str:
        return str(self.record()["sessionId"])

    def say(self, text: str) -> None:
        if self.terminal is not None:
            self.terminal.type(text)
        else:
            assert self.pipe is not None
            message = {"type": "user", "message": {"role": "user", "content": text}}
            self.pipe.stdin.write(json.dumps(message) + "\n")

    def wait_status(self, status: str, *, since_epoch_s: float = 0.0) -> None:
        """Wait until the host gives that status, newly set at or after `since_epoch_s`."""

        def has_it() -> bool:
            record = self.record()
            # A turn that is over before Claude Code has noted its beginning leaves the status as it was.
            newly = record.get("statusUpdatedAt", 0) / 1000 >= since_epoch_s or time.time() >= since_epoch_s + NOTED_S
            return record.get("status") == status and newly

        wait_until(has_it, f"status {status!r} of {self.pid}", timeout_s=SLOW_S)

    def complete_turn(self, text: str = "SAY hello") -> None:
        """Run one turn to its end, so that there is a conversation to resume."""
        before = self.host.times_asked(text)
        self.say(text)
        self.wait_answered(text, nth=before + 1)

    def wait_answered(self, text: str, *, nth: int = 1) -> None:
        """Wait until the model was asked `text` for the nth time and the turn is over."""
        asked = self.host.scene.server.log.wait_for(_is_turn(text), timeout_s=SLOW_S, count=nth)
        self.wait_status("idle", since_epoch_s=asked.time_s)

    def last_answer(self) -> Any:
        """Return what the newest tool that ran in this session answered."""
        (log,) = self.host.logs().glob(f"*/{self.session_id}.jsonl")
        records = map(json.loads, log.read_text().rpartition("\n")[0].splitlines())
        return [record["toolUseResult"] for record in records if "toolUseResult" in record][-1]

    def wait_agent(self, prompt: str) -> list[dict[str, Any]]:
        """Return the log of this session's subagent once that has asked the model what it was told."""
        self.host.scene.server.log.wait_for(_is_turn(prompt), timeout_s=SLOW_S)

        def logs() -> list[Path]:
            return list(self.host.logs().glob(f"*/{self.session_id}/subagents/agent-*.jsonl"))

        (log,) = wait_until(logs, f"the log of a subagent of {self.session_id}", timeout_s=SLOW_S)
        # the line that is being written is not there yet
        return [json.loads(line) for line in log.read_text().rpartition("\n")[0].splitlines()]

    def wait_child(self, program: str) -> Entry:
        """Return the process that a tool runs below this session, once it is there."""

        def found() -> Entry | None:
            return next((e for e in proc.tree(self.pid) if e.argv and Path(e.argv[0]).name == program), None)

        return wait_until(found, f"{program} below {self.pid}", timeout_s=SLOW_S)

    @property
    def root_pid(self) -> int:
        """Return the top process that serves this session alone: for a background one that is its pty host."""
        entry = proc.read(self.pid)
        assert entry is not None
        return entry.ppid if self.record().get("kind") == "bg" else self.pid

    def processes(self) -> list[Entry]:
        return proc.tree(self.root_pid)


@dataclass(slots=True)
class ClaudeCode:
    """An installation in one scene."""

    scene: Scene
    executable: Path

    def __post_init__(self) -> None:
        config = {
            "hasCompletedOnboarding": True,
            "customApiKeyResponses": {"approved": [KEY]},
            "projects": {str(self.scene.work): {"hasTrustDialogAccepted": True}},
            "mcpServers": {
                "probe": self._server(stubborn=False),
                "mule": self._server(stubborn=True),
            },
        }
        (self.scene.home / ".claude.json").write_text(json.dumps(config))
        (self.scene.home / ".claude").mkdir()
        settings = {"theme": "dark", "skipDangerousModePermissionPrompt": True}
        (self.scene.home / ".claude" / "settings.json").write_text(json.dumps(settings))

    def _server(self, *, stubborn: bool) -> dict[str, Any]:
        command, *arguments = self.scene.helper_command(stubborn=stubborn)
        return {"type": "stdio", "command": command, "args": arguments}

    @property
    def environment(self) -> dict[str, str]:
        return self.scene.environment(
            {
                "ANTHROPIC_BASE_URL": self.scene.server.address,
                "ANTHROPIC_API_KEY": KEY,
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
                "CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL": "1",
                "DISABLE_AUTOUPDATER": "1",
                "IS_SANDBOX": "1",
            }
        )

    def terminal(self, *arguments: str, asks: bool = False, waits_for_agents: bool = False) -> Running:
        """Start a terminal session and wait until it is idle.

        With `asks` it waits for permission before tools; with `waits_for_agents` its subagents and shells work in the
        foreground, while the host would else have them all in the background.
        """
        mode = ["--permission-mode", "default"] if asks else ["--dangerously-skip-permissions"]
        foreground = {"CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1"} if waits_for_agents else {}
        window = self.scene.open_terminal([self.executable, *mode, *arguments], env=self.environment | foreground)
        running = Running(host=self, pid=window.pid, terminal=window)
        window.wait_for("? for shortcuts" if asks else "shift+tab to cycle")
        running.wait_status("idle")
        return running

    def stream(self) -> Running:
        """Start a `-p` run that reads messages from a pipe, as editors and SDKs do."""
        switches = "-p --input-format stream-json --output-format stream-json --verbose --dangerously-skip-permissions"
        pipe = self.scene.start([self.executable, *switches.split()], env=self.environment, log="stream.jsonl")
        return Running(host=self, pid=pipe.pid, pipe=pipe)

    def background(self, prompt: str) -> tuple[str, Running]:
        """Start a background session; return its job id and its worker once its first turn is over."""
        done = self.scene.run([self.executable, "--dangerously-skip-permissions", "--bg", prompt], env=self.environment)
        match = re.search(r"\b[0-9a-f]{8}\b", done.stdout)
        assert match, f"claude --bg printed no job id: {done.stdout}{done.stderr}"
        record = wait_until(lambda: self._job(match[0]), f"a worker of job {match[0]}", timeout_s=SLOW_S)
        running = Running(host=self, pid=record["pid"])
        running.wait_answered(prompt)
        return match[0], running

    def _job(self, job: str) -> dict[str, Any]:
        records = (self.record(int(path.stem)) for path in self._sessions().glob("[0-9]*.json"))
        return next((record for record in records if record.get("jobId") == job), {})

    def resume(self, argv: list[str], prompt: str) -> str:
        """Run a printed resume command in print mode with one prompt; return the session id that it answers with."""
        command = [str(self.executable) if word == "claude" else word for word in argv]
        done = self.scene.run([*command, "-p", "--output-format", "json", prompt], env=self.environment)
        assert done.returncode == 0, done.stdout + done.stderr
        return str(json.loads(done.stdout)["session_id"])

    def times_asked(self, text: str) -> int:
        return len(self.scene.server.log.matching(_is_turn(text)))

    def record(self, pid: int) -> dict[str, Any]:
        try:
            found: dict[str, Any] = json.loads((self._sessions() / f"{pid}.json").read_text())
        except (FileNotFoundError, json.JSONDecodeError):
            return {}
        return found

    def _sessions(self) -> Path:
        return self.scene.home / ".claude" / "sessions"

    def logs(self) -> Path:
        """Return the folder that holds a folder for each place of work."""
        return self.scene.home / ".claude" / "projects"

    def jobs(self) -> list[dict[str, Any]]:
        """Return what `claude agents --json` lists."""
        done = self.scene.run([self.executable, "agents", "--json", "--all"], env=self.environment)
        listed: list[dict[str, Any]] = json.loads(done.stdout)
        return listed

    def close(self) -> None:
        """Stop background sessions and their daemon by the host's own commands; the scene ends the rest."""
        if (self.scene.home / ".claude" / "daemon.lock").exists() or any(
            "daemon" in entry.argv for entry in self.scene.processes()
        ):
            self.scene.run([self.executable, "daemon", "stop", "--any"], env=self.environment)


def _is_turn(text: str) -> Callable[[Asked], bool]:
    """Return the test for a request that carries on a conversation with `text`; those without tools are titles."""
    return lambda asked: asked.prompt.endswith(text) and asked.tools > 0
