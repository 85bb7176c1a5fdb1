"""Which described hosts there are, and which process wakes which: what is known of them without reading their files.

The shipped descriptions lie in resources/hosts; the table below says of each what it is called and by which names one
of its processes can be told at all. A file is read with the first process that has one of them. A test compares the
table with the files. Descriptions of the user's own are read in described_own.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from trayapp import resources
from trayapp.hosts.asleep import Asleep
from trayapp.hosts.base import Host
from trayapp.hosts.interpreters import script_at
from trayapp.model.process import Process
from trayapp.model.session import Claim, HostLabel
from trayapp.programs import basename, elements, words

if TYPE_CHECKING:
    from trayapp.hosts.described_form import Description


class Entry(NamedTuple):
    """Tell of one shipped description what is needed while none of its processes runs.

    `wakes` are base names of programs, elements of script paths, and "$NAME" for what children inherit; `words` are
    further ones that a capture keeps.
    """

    host: str
    title: str
    letters: str
    rank: int
    wakes: str
    variables: str
    words: str


SHIPPED: tuple[Entry, ...] = (
    Entry(
        host="cursor-cli",
        title="Cursor CLI",
        letters="Cu",
        rank=30,
        wakes="cursor-agent",
        variables="",
        words=(
            "--help --resume --version about help index.js login logout ls mcp models status update upgrade versions "
            "whoami worker-server"
        ),
    ),
    Entry(
        host="goose",
        title="Goose",
        letters="Go",
        rank=31,
        wakes="goose goosed",
        variables="",
        words=(
            "--help --id --name --path --recipe --session-id --version --with-builtin --with-extension -n acp bench "
            "completion configure export info list project projects recipe remove run s schedule session update web"
        ),
    ),
    Entry(
        host="amp",
        title="Amp",
        letters="Am",
        rank=32,
        wakes="@ampcode @sourcegraph amp",
        variables="",
        words="--help --version continue doctor list login logout mcp permissions threads tools top update usage",
    ),
    Entry(
        host="droid",
        title="Droid",
        letters="Dr",
        rank=33,
        wakes="@factory droid",
        variables="",
        words="--help --resume --session-id --version -r -s cli daemon help login logout mcp plugin update",
    ),
    Entry(
        host="crush",
        title="Crush",
        letters="Cs",
        rank=34,
        wakes="crush",
        variables="CRUSH_CLIENT_SERVER",
        words=(
            "--cwd --data-dir --help --model --session --version -D -c -m -s completion dirs help login logout logs "
            "models projects schema server session stats update-providers"
        ),
    ),
    Entry(
        host="aider",
        title="Aider",
        letters="Ai",
        rank=35,
        wakes="aider aider.exe",
        variables="",
        words="--help --version __main__.py",
    ),
    Entry(
        host="paseo",
        title="Paseo",
        letters="Pa",
        rank=36,
        wakes="$PASEO_AGENT_ID @getpaseo paseo",
        variables="PASEO_HOME PASEO_AGENT_ID",
        words="cli server",
    ),
    Entry(
        host="acp-adapters",
        title="Editor adapters",
        letters="Ed",
        rank=40,
        wakes="claude-agent-acp claude-code-acp",
        variables="",
        words="dist index.js",
    ),
    Entry(
        host="kiro",
        title="Kiro",
        letters="Ki",
        rank=60,
        wakes="kiro-cli kiro-cli-chat",
        variables="KIRO_HOME",
        words="--resume-id acp-server.js diagnostic doctor login logout mcp settings tui.js update version whoami",
    ),
    Entry(
        host="openhands",
        title="OpenHands",
        letters="Oh",
        rank=90,
        wakes="",
        variables="",
        words="",
    ),
)


def marks_of(process: Process) -> Collection[str]:
    """Return the names by which a process can be told: of its program, and of its script's path with an interpreter.

    Which programs are interpreters is not known of every host, so the path of a first plain argument counts as well.
    """
    argv = words(process)
    marks = {basename(argv[0].strip()) if argv else "", basename(process.exe or "")}
    at = script_at(argv)
    if at is not None and len(argv[at]) < 4096:
        marks.update(elements(argv[at]))
    return marks


class _Last:
    """Keep what woke whom for the process that was asked about last: every host is asked about it, one by one."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._of: Process | None = None
        self._marks: Collection[str] = ()
        self._woken: Collection[str] = ()
        self._by_mark: dict[str, list[str]] = {}
        for entry in entries:
            for mark in entry.wakes.split():
                self._by_mark.setdefault(mark, []).append(entry.host)
        self._inherited = [mark[1:] for mark in self._by_mark if mark.startswith("$")]

    def marks(self, process: Process) -> Collection[str]:
        if self._of is not process:
            self._look_at(process)
        return self._marks

    def woken(self, process: Process) -> Collection[str]:
        """Return the shipped hosts of which the process may be one."""
        if self._of is not process:
            self._look_at(process)
        return self._woken

    def _look_at(self, process: Process) -> None:
        marks = marks_of(process)
        found = self._by_mark.keys() & marks
        if process.env:
            found |= {f"${name}" for name in self._inherited if name in process.env}
        self._woken = [host for mark in found for host in self._by_mark[mark]] if found else ()
        self._of, self._marks = process, marks


_last = _Last(SHIPPED)


class Door:
    """What stands for a described host until one of its processes is seen; `Programs` for an `Asleep`.

    `wakes` is None for a shipped one: the table knows by what it is woken.
    """

    def __init__(
        self,
        label: HostLabel,
        *,
        wakes: frozenset[str] | None,
        variables: tuple[str, ...],
        kept: Callable[[], frozenset[str]],
        read: Callable[[], Description],
    ) -> None:
        self.LABEL = label
        self.ENVIRONMENT_NAMES = variables
        self._kept = kept
        self._wakes = wakes
        self._read = read
        self._description: Description | None = None

    @property
    def WORDS(self) -> frozenset[str]:
        """Return the words that a capture keeps."""
        return self._kept()

    @property
    def description(self) -> Description:
        """Return the description; reads its file at the first call."""
        if self._description is None:
            self._description = self._read()
        return self._description

    def recognise(self, process: Process) -> Claim | None:
        """Say what a process is to the host; those without any of its names cost next to nothing."""
        if process.is_zombie or not self._may_be_one(process):
            return None
        from trayapp.hosts import described_match

        return described_match.recognise(self.description, process)

    def _may_be_one(self, process: Process) -> bool:
        if self._wakes is None:
            return self.LABEL.host in _last.woken(process)
        if not self._wakes.isdisjoint(_last.marks(process)):
            return True
        return any(f"${name}" in self._wakes for name in process.env)


def shipped(entry: Entry) -> Host:
    """Make the host of a shipped description."""
    label = HostLabel(host=entry.host, title=entry.title, letters=entry.letters, rank=entry.rank)
    door = Door(
        label,
        wakes=None,
        variables=tuple(entry.variables.split()),
        kept=lambda: frozenset(w for w in (*entry.wakes.split(), *entry.words.split()) if not w.startswith("$")),
        read=lambda: _shipped_description(entry.host),
    )
    return asleep(door)


class _Resting(Asleep):
    """Stand for the adapter of a description, which has nothing besides what every adapter has: it is not woken."""

    def __init__(self, door: Door, make: Callable[[], Host]) -> None:
        super().__init__(door, make)
        self._door = door
        del self.words  # 1 kB each, only asked for by a capture

    def __getattr__(self, name: str) -> Any:
        if name in ("words", "description"):
            return self._door.WORDS if name == "words" else self._door.description
        raise AttributeError(name)


def asleep(door: Door) -> Host:
    """Make the host behind a door."""

    def adapter() -> Host:
        from trayapp.hosts.described import Described

        return Described(door.description)

    return _Resting(door, adapter)


def _shipped_description(host: str) -> Description:
    from trayapp.hosts.described_form import read

    path = resources.path("hosts", f"{host}.toml")
    description, faults = read(path.read_text(encoding="utf-8"))
    if description is None:
        raise ValueError(f"{path}, line {faults[0].line}: {faults[0].what}")
    return description
