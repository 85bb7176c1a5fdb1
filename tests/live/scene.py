"""A scene: an empty HOME, a work folder, a clean environment, and everything that was started in it.

It knows how to start programs with and without a terminal and how to be sure that none of them is left. It must not
know any host; the modules claude_code and opencode do.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from tests.live import proc
from tests.live.model_server import ModelServer
from tests.live.proc import SLOW_S, Entry, wait_until

MCP_HELPER = Path(__file__).with_name("mcp_helper.py")
COLUMNS, ROWS = 140, 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Detached:
    """A program without a terminal and without a parent of its own, and the pipe to its standard input."""

    entry: Entry
    stdin: IO[str]

    @property
    def pid(self) -> int:
        return self.entry.pid


@dataclass(slots=True)
class Terminal:
    """One window of the scene's own tmux server. `pid` is the program itself: `env -i` has replaced itself with it."""

    scene: Scene
    name: str
    pid: int

    def screen(self) -> str:
        return self.scene.tmux("capture-pane", "-p", "-t", self.name)

    def wait_for(self, mark: str, *, timeout_s: float = SLOW_S) -> None:
        try:
            wait_until(lambda: mark in self.screen(), f"{mark!r} on the screen of {self.name}", timeout_s=timeout_s)
        except (TimeoutError, subprocess.CalledProcessError) as error:
            raise AssertionError(f"{error}. The screen shows:\n{self._last_screen()}") from error

    def type(self, text: str) -> None:
        """Type `text`, see it on the screen, then press Enter as a write of its own (in one write it is a paste)."""
        self.send(text)
        self.wait_for(text)
        self.press("Enter")

    def send(self, text: str) -> None:
        self.scene.tmux("send-keys", "-t", self.name, "-l", text)

    def press(self, key: str) -> None:
        self.scene.tmux("send-keys", "-t", self.name, key)

    def _last_screen(self) -> str:
        try:
            return self.screen()
        except subprocess.CalledProcessError:
            return "(the window is closed)"


@dataclass(slots=True)
class Scene:
    """Hold one HOME and end everything that lives in it.

    Attributes:
        root: folder of the scene; an absolute real path, as hosts compare it with what they see.
        server: the model that all hosts of the scene talk to.
    """

    root: Path
    server: ModelServer
    home: Path = field(init=False)
    work: Path = field(init=False)
    _detached: list[Detached] = field(default_factory=list)
    _terminals: int = 0

    def __post_init__(self) -> None:
        self.root = self.root.resolve()
        self.home = self.root / "home"
        self.work = self.root / "work"
        self.home.mkdir(parents=True)
        self.work.mkdir()

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return a clean environment: a developer's own API keys and agent variables change what hosts do."""
        base = {"HOME": str(self.home), "PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        return base | dict(extra or {})

    def helper_command(self, *, stubborn: bool = False) -> list[str]:
        return [sys.executable, str(MCP_HELPER), *(["--stubborn"] if stubborn else [])]

    def folder(self, name: str) -> Path:
        """Return a work folder of its own, for hosts that tell sessions apart by their folder."""
        path = self.work / name
        path.mkdir(exist_ok=True)
        return path

    def run(
        self, argv: Sequence[str | Path], *, env: Mapping[str, str], cwd: Path | None = None, timeout_s: float = SLOW_S
    ) -> subprocess.CompletedProcess[str]:
        """Run a command to its end, in the work folder if not told otherwise."""
        return subprocess.run(
            argv,
            cwd=cwd or self.work,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout_s,
        )

    def start(
        self, argv: Sequence[str | Path], *, env: Mapping[str, str], log: str, cwd: Path | None = None
    ) -> Detached:
        """Start a program without a terminal, that reads from a pipe and writes to the file `log` of the scene.

        Its launcher ends at once: a child of the test run would have the runner above it, and so above the product too.
        """
        pipe = self.root / f"{log}.in"
        os.mkfifo(pipe)
        # Opened for both ends, or the opening itself would wait for the other side.
        stdin = os.fdopen(os.open(pipe, os.O_RDWR), "w", buffering=1)
        before = {entry.pid for entry in self.processes()}
        with self.log_path(log).open("w") as out:
            subprocess.run(
                ["setsid", "--fork", *argv],
                cwd=cwd or self.work,
                env=dict(env),
                stdin=stdin,
                stdout=out,
                stderr=subprocess.STDOUT,
                check=True,
                timeout=SLOW_S,
            )

        def found() -> Entry | None:
            fresh = (entry for entry in self.processes() if entry.pid not in before)
            return next((entry for entry in fresh if entry.argv[1:] == tuple(map(str, argv[1:]))), None)

        detached = Detached(entry=wait_until(found, f"{argv[0]} started", timeout_s=SLOW_S), stdin=stdin)
        self._detached.append(detached)
        return detached

    def log_path(self, log: str) -> Path:
        return self.root / log

    def open_terminal(self, argv: Sequence[str | Path], *, env: Mapping[str, str], cwd: Path | None = None) -> Terminal:
        """Start a program in a new window of the scene's tmux server."""
        self._terminals += 1
        name = f"t{self._terminals}"
        assignments = [f"{key}={value}" for key, value in env.items()]
        self.tmux(
            *("new-session", "-d", "-s", name, "-x", str(COLUMNS), "-y", str(ROWS), "-c", str(cwd or self.work)),
            *("env", "-i", *assignments, *map(str, argv)),
        )
        return Terminal(self, name, int(self.tmux("display-message", "-p", "-t", name, "#{pane_pid}")))

    def tmux(self, *arguments: str) -> str:
        """Speak to a tmux server of this scene alone: own socket folder, no configuration."""
        command = [shutil.which("tmux") or "tmux", "-L", "live", "-f", "/dev/null", *arguments]
        env = self.environment({"TMUX_TMPDIR": str(self.root)})
        done = subprocess.run(command, env=env, check=True, capture_output=True, text=True, timeout=SLOW_S)
        return done.stdout.strip("\n")

    def processes(self) -> list[Entry]:
        return proc.living_in(self.home)

    def close(self) -> None:
        """End what is left, one process after the other, and fail if anything outlives that.

        Hosts are ended by their own commands before; what remains here are tmux, stubborn helpers and whatever a failed
        test left behind. SIGTERM first; each pid is looked up again before each signal.
        """
        for sig, patience_s in ((signal.SIGTERM, 3.0), (signal.SIGKILL, 5.0)):
            for entry in self.processes():
                if proc.is_alive(entry):
                    _send(entry.pid, sig)
            try:
                wait_until(lambda: not self.processes(), "an empty scene", timeout_s=patience_s)
                break
            except TimeoutError:
                continue
        for detached in self._detached:
            detached.stdin.close()
        left = self.processes()
        assert not left, f"still running in {self.home}: {left}"


def _send(pid: int, sig: signal.Signals) -> None:
    try:
        os.kill(pid, sig)
    except ProcessLookupError:
        return
