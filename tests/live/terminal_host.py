"""What driving a coding agent in a terminal takes, whichever it is.

It knows how to start one in a window, to wait for its turns by what the scripted model was asked, and to find its
processes. What differs between hosts (files, switches, marks on the screen) stands in the module of each.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from tests.live import proc
from tests.live.model_server import Asked
from tests.live.proc import SLOW_S, Entry, wait_until
from tests.live.scene import MCP_HELPER, Scene, Terminal

TAKES_KEYS_S = 8.0
"""By then a host that takes keys has shown or sent them."""
PASTE_S = 0.4
"""What comes closer to a text than this is part of it for some hosts."""

HELPERS = {"probe": False, "mule": True}
"""The MCP servers that every host is given, and which of them is stubborn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """One session in a terminal.

    Attributes:
        pid: the program that the terminal started.
        folder: where it works, which no other session of the scene does.
    """

    host: TerminalHost
    terminal: Terminal
    folder: Path

    @property
    def pid(self) -> int:
        return self.terminal.pid

    @property
    def session_id(self) -> str:
        return self.host.session_id(self)

    def say(self, text: str) -> None:
        """Type a prompt and send it; some draw their prompt before they take keys, so it is typed until it shows."""

        def typed() -> bool:
            self.terminal.press("C-u")
            self.terminal.send(text)
            try:
                self.terminal.wait_for(text, timeout_s=TAKES_KEYS_S)
            except AssertionError:
                return False
            return True

        wait_until(typed, f"{text!r} on the screen of {self.folder}", timeout_s=SLOW_S)
        time.sleep(PASTE_S)
        self.terminal.press("Enter")

    def begin_turn(self, text: str) -> Asked:
        """Send a prompt and return when the model was asked; Enter right behind a text may be taken for its part."""
        before = self.host.times_asked(text)
        self.say(text)
        for _ in range(int(SLOW_S / TAKES_KEYS_S)):
            try:
                return self.host.wait_asked(text, nth=before + 1, timeout_s=TAKES_KEYS_S)
            except TimeoutError:
                self.terminal.press("Enter")
        raise AssertionError(f"{text!r} was not sent. The screen shows:\n{self.terminal.screen()}")

    def complete_turn(self, text: str = "SAY hello") -> None:
        """Run one turn to its end, so that there is a conversation to resume."""
        self.begin_turn(text)
        answer = re.compile(rf"(?<!SAY ){re.escape(text.removeprefix('SAY '))}")
        wait_until(lambda: answer.search(self.terminal.screen()), f"an answer to {text!r}", timeout_s=SLOW_S)
        self.wait_rest()

    def wait_rest(self) -> None:
        """Wait until the host itself shows that no turn runs."""
        wait_until(lambda: not self.host.works(self), f"rest in {self.folder}", timeout_s=SLOW_S)

    def wait_child(self, program: str) -> Entry:
        """Return the process that a tool runs below this session, once it is there."""

        def found() -> Entry | None:
            return next((e for e in self.host.children(self) if e.argv and Path(e.argv[0]).name == program), None)

        return wait_until(found, f"{program} below {self.pid}", timeout_s=SLOW_S)

    def processes(self) -> list[Entry]:
        return self.host.processes(self)

    def agents(self) -> list[Entry]:
        """Return the host's own programs in this session, the outermost first."""
        return self.host.agents(self)

    def lasting(self) -> list[Entry]:
        """Return what does not come and go by itself: its programs, its helpers, the command of the script."""
        return [
            entry
            for entry in self.processes()
            if self.host.is_agent(entry) or entry.argv[1:2] == (str(MCP_HELPER),) or entry.argv[:1] == ("tail",)
        ]


@dataclass(slots=True)
class TerminalHost:
    """An installation in one scene; what a host needs is said by the class of its own."""

    scene: Scene
    executable: Path

    HOST: ClassVar[str]
    READY: ClassVar[str]
    """What its screen shows once it takes a prompt."""
    WORKING: ClassVar[str]
    """What its screen shows while a turn runs."""
    QUESTION: ClassVar[str] = ""
    """What its screen shows while it waits for permission."""
    PROGRAMS: ClassVar[frozenset[str]] = frozenset({"node"})
    """The file names of its own programs, or what they call themselves."""
    FREE: ClassVar[tuple[str, ...]] = ()
    """Switches with which it asks for no permission."""
    ASKING: ClassVar[tuple[str, ...]] = ()
    """Switches with which it does."""

    def __post_init__(self) -> None:
        self.configure()

    def configure(self) -> None:
        """Write the host's own files."""
        raise NotImplementedError

    def environment(self, *, asks: bool = False) -> dict[str, str]:
        raise NotImplementedError

    def session_id(self, running: Running) -> str:
        """Return the host's own id of the session in a terminal, read from its files."""
        raise NotImplementedError

    def terminal(self, *arguments: str, folder: Path, asks: bool = False) -> Running:
        """Start a session and wait until it takes a prompt."""
        switches = self.ASKING if asks else self.FREE
        argv = [str(self.executable), *switches, *arguments]
        window = self.scene.open_terminal(argv, env=self.environment(asks=asks), cwd=folder)
        running = Running(host=self, terminal=window, folder=folder)
        self.await_prompt(running)
        return running

    def resume(self, argv: Sequence[str], *, folder: Path) -> Running:
        """Run a printed resume command in a terminal of its own."""
        assert argv[0] == self.executable.name, argv
        window = self.scene.open_terminal([self.executable, *argv[1:]], env=self.environment(), cwd=folder)
        running = Running(host=self, terminal=window, folder=folder)
        self.await_prompt(running)
        return running

    def resumed_id(self, argv: Sequence[str]) -> str:
        """Return the session that a resume command names: what follows the last blank or equals sign."""
        return argv[-1].rpartition("=")[2]

    def is_agent(self, entry: Entry) -> bool:
        return bool(entry.argv) and Path(entry.argv[0]).name in self.PROGRAMS

    def processes(self, running: Running) -> list[Entry]:
        """Return what serves one session alone, from parent links."""
        return proc.tree(running.pid)

    def agents(self, running: Running) -> list[Entry]:
        return [entry for entry in running.processes() if self.is_agent(entry)]

    def children(self, running: Running) -> list[Entry]:
        """Return what a session started and what serves it, which one host has elsewhere."""
        return running.processes()

    def await_prompt(self, running: Running) -> None:
        running.terminal.wait_for(self.READY)

    def works(self, running: Running) -> bool:
        """Say whether the screen shows a running turn."""
        return self.WORKING in running.terminal.screen()

    def times_asked(self, text: str) -> int:
        return len(self.scene.server.log.matching(is_turn(text)))

    def wait_asked(self, text: str, *, nth: int = 1, timeout_s: float = SLOW_S) -> Asked:
        return self.scene.server.log.wait_for(is_turn(text), timeout_s=timeout_s, count=nth)

    def close(self) -> None:
        """End by the host's own commands what it leaves behind; the scene ends the rest."""

    def helpers(self) -> dict[str, tuple[str, list[str]]]:
        """Return command and arguments of the MCP servers by name."""
        commands = {name: self.scene.helper_command(stubborn=stubborn) for name, stubborn in HELPERS.items()}
        return {name: (command, arguments) for name, (command, *arguments) in commands.items()}

    def write(self, path: str, content: dict[str, Any]) -> None:
        """Write a JSON file below the home folder."""
        whole = self.scene.home / path
        whole.parent.mkdir(parents=True, exist_ok=True)
        whole.write_text(json.dumps(content))


def is_turn(text: str) -> Callable[[Asked], bool]:
    """Return the test for a request that carries on a conversation with `text`; those without tools are titles."""
    return lambda asked: text in asked.prompt and asked.tools > 0
