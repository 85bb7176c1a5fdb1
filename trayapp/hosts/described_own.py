"""Descriptions of hosts that the user wrote: read and checked at start, each file for itself.

A file of which anything is wrong describes nothing, is told with its lines, and stops no other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from trayapp.hosts.base import Host
from trayapp.hosts.described_form import LIMIT_BYTES, Description, Fault, Program, lines_of, read
from trayapp.hosts.described_programs import Door, asleep
from trayapp.hosts.files import read_whole
from trayapp.model.process import Identity, Process
from trayapp.model.session import Problem
from trayapp.programs import basename

FILES_LIMIT = 100


def users_own(folder: Path, taken: Collection[Host]) -> tuple[list[Host], list[Problem]]:
    """Read the user's descriptions; a file that cannot be used becomes a Problem with its first line that is wrong.

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
        problems.extend(_in_one(folder / name, found))
        if description is not None:
            hosts.append(host_of(description))
    if len(names) > FILES_LIMIT:
        what = f"more than {FILES_LIMIT} descriptions; the others are left out"
        problems.append(Problem(where=str(folder), what=what, mend="Move those that you do not need elsewhere"))
    return hosts, problems


def _in_one(path: Path, problems: list[Problem]) -> list[Problem]:
    """Return the first of a file's problems, which says how many more there are."""
    if len(problems) < 2:
        return problems
    more = f"{problems[0].what}, and {len(problems) - 1} more"
    mend = f"{problems[0].mend}; `agentring hosts check {path}` tells all"
    return [replace(problems[0], what=more, mend=mend)]


def read_file(path: Path, taken: Iterable[Host]) -> tuple[Description | None, list[Problem]]:
    """Read one description that a person wrote; nothing of it counts while anything of it is wrong."""
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
        found = sorted(set(_taken(description, text, taken)), key=lambda fault: (fault.line, fault.what))
        problems += [_problem(path, fault) for fault in found]
    return (None if problems else description), problems


def _taken(description: Description, text: str, taken: Iterable[Host]) -> Iterable[Fault]:
    """Yield what other hosts have already: the name, or a program that they know as their own."""
    lines = lines_of(text)
    for host in taken:
        label = host.label
        if label.host == description.label.host:
            what = f"there is a host “{label.host}” already"
            yield Fault(line=lines.get(("id",), 1), what=what, mend="Give yours another id")
            continue
        for number, program in enumerate(description.programs):
            if program.below:
                continue
            for key, shown, argv in _shapes(program):
                alone = Process(identity=Identity(0, 0), ppid=0, name=basename(argv[0]), argv=argv)
                if host.recognise(alone) is not None:
                    line = lines.get(("programs", number, key), 1)
                    what = f"“{shown}” is a program of {label.title} already"
                    yield Fault(line=line, what=what, mend="Take it out: one process is of one host")


def _shapes(program: Program) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield how a program may look when it runs: from which key, its name, its arguments."""
    words = next((word for word in program.words or () if word), None)
    more = () if words is None else (words,)
    for name in program.names:
        yield "names", name, (name, *more)
    for parts in program.scripts:
        path = "/".join(parts)
        yield "scripts", path, ("node", f"/opt/{path}", *more)
    for parts in program.packages:
        path = "/".join(parts)
        yield "packages", path, ("node", f"/opt/node_modules/{path}/index.js", *more)


def host_of(description: Description) -> Host:
    """Make the host of a description that was read."""
    door = Door(
        description.label,
        wakes=description.wakes,
        variables=description.environment_names,
        kept=lambda: description.words,
        read=lambda: description,
    )
    return asleep(door)


def _problem(path: Path, fault: Fault) -> Problem:
    return Problem(where=f"{path}, line {fault.line}", what=fault.what, mend=fault.mend)
