"""Which described hosts there are, and which process wakes which: what is known of them without reading their files.

The shipped descriptions lie in resources/hosts; the table below says of each what it is called and by which names one
of its processes can be told at all. A file is read with the first process that has one of them. A test compares the
table with the files. Descriptions of the user's own are read at start, where there are any.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from trayapp import resources
from trayapp.hosts.asleep import Asleep
from trayapp.hosts.base import Host
from trayapp.model.process import Identity, Process
from trayapp.model.session import Claim, HostLabel, Problem
from trayapp.programs import basename, elements

if TYPE_CHECKING:
    from trayapp.hosts.described_form import Description, Fault

FILES_LIMIT = 100
_INTERPRETERS = frozenset("node nodejs bun deno electron tsx ts-node python ruby perl php java dotnet".split())
_PYTHON = re.compile(r"python[\d.]*w?|pypy[\d.]*")
_VALUE_FLAGS = frozenset(
    "-r --require --import --loader --experimental-loader --env-file -C --conditions -W -X --preload".split()
)
_INLINE = frozenset({"-e", "--eval", "-p", "--print", "-c", "-pe"})


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


def is_interpreter(name: str, more: Sequence[str] = ()) -> bool:
    """Say whether a program of that name runs scripts."""
    return name in _INTERPRETERS or name in more or _PYTHON.fullmatch(name.lower()) is not None


def script_at(argv: Sequence[str]) -> int | None:
    """Return where in an interpreter's arguments the script (or module) stands; None for code in an argument."""
    skip = False
    for position, argument in enumerate(argv[1:], start=1):
        if skip:
            skip = False
        elif argument == "-m":
            return position + 1 if position + 1 < len(argv) else None
        elif argument in _VALUE_FLAGS:
            skip = True
        elif argument in _INLINE:
            return None
        elif argument and not argument.startswith("-") and not (position == 1 and argument == "run"):
            return position
    return None


def marks_of(process: Process) -> Collection[str]:
    """Return the names by which a process can be told: of its program, and of its script's path with an interpreter.

    Which programs are interpreters is not known of every host, so the path of a first plain argument counts as well.
    """
    argv = process.argv or ()
    marks = {basename(argv[0].strip()) if argv else "", basename(process.exe or "")}
    at = script_at(argv)
    if at is not None and len(argv[at]) < 4096:
        marks.update(elements(argv[at]))
    return marks


class _Marks:
    """Keep the marks of the process that was asked about last: every host is asked about it, one after the other."""

    def __init__(self) -> None:
        self._of: Process | None = None
        self._marks: Collection[str] = ()

    def of(self, process: Process) -> Collection[str]:
        if self._of is not process:
            self._of, self._marks = process, marks_of(process)
        return self._marks


_marks = _Marks()


class Door:
    """What stands for a described host until one of its processes is seen; `Programs` for an `Asleep`."""

    def __init__(
        self,
        label: HostLabel,
        *,
        wakes: Collection[str],
        variables: tuple[str, ...],
        words: frozenset[str],
        read: Callable[[], Description],
    ) -> None:
        self.LABEL = label
        self.ENVIRONMENT_NAMES = variables
        self.WORDS = words
        self._wakes = frozenset(wakes)
        self._inherited = tuple(word[1:] for word in wakes if word.startswith("$"))
        self._read = read
        self._description: Description | None = None

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
        if not self._wakes.isdisjoint(_marks.of(process)):
            return True
        return bool(process.env) and any(name in process.env for name in self._inherited)


def shipped(entry: Entry) -> Host:
    """Make the host of a shipped description."""
    label = HostLabel(host=entry.host, title=entry.title, letters=entry.letters, rank=entry.rank)
    words = frozenset(word for word in (*entry.wakes.split(), *entry.words.split()) if not word.startswith("$"))
    variables = tuple(entry.variables.split())
    door = Door(
        label,
        wakes=entry.wakes.split(),
        variables=variables,
        words=words,
        read=lambda: _shipped_description(entry.host),
    )
    return _asleep(door)


def users_own(folder: Path, taken: Collection[Host]) -> tuple[list[Host], list[Problem]]:
    """Read the user's descriptions; a file that cannot be used becomes Problems with their lines.

    `taken` are the hosts that there are already: their names, and their programs, are not to be had.
    """
    try:
        names = sorted(path.name for path in folder.iterdir() if path.suffix == ".toml")
    except (FileNotFoundError, NotADirectoryError):
        return [], []
    except OSError as fault:
        what = f"the folder cannot be read ({fault.strerror})"
        return [], [Problem(where=str(folder), what=what, mend="Check its permissions; its hosts are not known now")]
    hosts: list[Host] = []
    problems: list[Problem] = []
    for name in names[:FILES_LIMIT]:
        description, found = read_file(folder / name, [*taken, *hosts])
        problems.extend(found)
        if description is not None:
            hosts.append(host_of(description))
    if len(names) > FILES_LIMIT:
        what = f"more than {FILES_LIMIT} descriptions; the others are left out"
        problems.append(Problem(where=str(folder), what=what, mend="Move those that you do not need elsewhere"))
    return hosts, problems


def read_file(path: Path, taken: Iterable[Host]) -> tuple[Description | None, list[Problem]]:
    """Read one description that a person wrote; nothing of it counts while anything of it is wrong."""
    from trayapp.hosts.described_form import LIMIT_BYTES, read
    from trayapp.hosts.files import read_whole

    try:
        text = read_whole(path, limit_bytes=LIMIT_BYTES).decode("utf-8-sig")
    except OSError as fault:
        what = f"cannot be read ({fault.strerror})"
        return None, [Problem(where=str(path), what=what, mend="Check its size and permissions")]
    except UnicodeDecodeError as fault:
        line = fault.object[: fault.start].count(b"\n") + 1
        return None, [Problem(where=f"{path}, line {line}", what="is no UTF-8", mend="Save it as UTF-8")]
    description, faults = read(text)
    problems = [_problem(path, fault) for fault in faults]
    if description is not None:
        problems += [_problem(path, fault) for fault in _taken(description, text, taken)]
    return (None if problems else description), problems


def _taken(description: Description, text: str, taken: Iterable[Host]) -> Iterable[Fault]:
    """Yield what other hosts have already: the name, or a program that they know as their own."""
    from trayapp.hosts.described_form import Fault, lines_of

    lines = lines_of(text)
    for host in taken:
        label = host.label
        if label.host == description.label.host:
            what = f"there is a host “{label.host}” already"
            yield Fault(line=lines.get(("id",), 1), what=what, mend="Give yours another id")
            continue
        for number, program in enumerate(description.programs):
            for name in program.names:
                alone = Process(identity=Identity(0, 0), ppid=0, name=name, argv=(name,))
                if host.recognise(alone) is not None:
                    line = lines.get(("programs", number, "names"), 1)
                    what = f"“{name}” is a program of {label.title} already"
                    yield Fault(line=line, what=what, mend="Take it out, or tell the programs apart by packages")


def host_of(description: Description) -> Host:
    """Make the host of a description that was read."""
    door = Door(
        description.label,
        wakes=description.wakes,
        variables=description.environment_names,
        words=description.words,
        read=lambda: description,
    )
    return _asleep(door)


def _asleep(door: Door) -> Host:
    def adapter() -> Host:
        from trayapp.hosts.described import Described

        return Described(door.description)

    return Asleep(door, adapter)


def _shipped_description(host: str) -> Description:
    from trayapp.hosts.described_form import read

    path = resources.path("hosts", f"{host}.toml")
    description, faults = read(path.read_text(encoding="utf-8"))
    if description is None:
        raise ValueError(f"{path}, line {faults[0].line}: {faults[0].what}")
    return description


def _problem(path: Path, fault: Fault) -> Problem:
    return Problem(where=f"{path}, line {fault.line}", what=fault.what, mend=fault.mend)
