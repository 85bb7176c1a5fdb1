"""Which MCP servers a host is told to start: its own configuration is the best word on what a process is for.

Knows the two ways in which hosts write a server down that runs as a process (`command` with `args`, and one list of
both), and how such a command looks once it runs: by a full path, behind an interpreter, in npm's own title. A server
that is reached by an address is nobody's process. Values of variables are never looked at: they hold keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from trayapp.hosts.base import claim_on
from trayapp.hosts.files import Witness
from trayapp.hosts.interpreters import is_interpreter
from trayapp.model.process import Identity, Process, ProcessTable
from trayapp.model.session import Claim, ClaimKind, Problem, Role
from trayapp.programs import basename, started_by, words

_MOST_SERVERS = 256
_MOST_BEFORE = 3
"""An interpreter and its flags may stand before what a script's first line names."""


@dataclass(frozen=True, slots=True)
class Server:
    """Hold one configured server: what it is called, and what is started."""

    name: str
    argv: tuple[str, ...]


def servers_in(told: object) -> tuple[Server, ...]:
    """Return the servers of a configuration's table by name; what is not a command, or switched off, is left out."""
    found: list[Server] = []
    for name, entry in told.items() if isinstance(told, Mapping) else ():
        if not isinstance(entry, Mapping) or entry.get("disabled") is True or entry.get("enabled") is False:
            continue
        argv = _command(entry.get("command"), entry.get("args"))
        if argv:
            found.append(Server(str(name), argv))
    return tuple(found[:_MOST_SERVERS])


def _command(command: Any, args: Any) -> tuple[str, ...]:
    parts = command if isinstance(command, list) else [command, *(args if isinstance(args, list) else ())]
    return tuple(parts) if all(isinstance(part, str) for part in parts) and parts[:1] != [""] else ()


def helper_claims(
    table: ProcessTable, configured: Configured, known: Mapping[Identity, Claim], *, host: str
) -> Iterator[Claim]:
    """Claim the processes that run one of these servers, below a program of the host or left by one.

    What stands alone is claimed only by a command that names a full path or a package: an orphan can be ended without
    a question, and a person's own program may well have the same short command.

    `known` holds the host's own claims. The claim names no session: that is told by where the process stands.
    """
    for process in _candidates(table, known) if configured else ():
        server = configured.find(process)
        if server is not None and (not _is_alone(table, process) or _is_unmistakable(server)):
            yield claim_on(process, Role.HELPER, ClaimKind.ARGV, source_of(server), host=host)


def _is_alone(table: ProcessTable, process: Process) -> bool:
    above = table.parent(process)
    return above is None or above.pid in table.reaper_pids


def _is_unmistakable(server: Server) -> bool:
    """Say whether a command means the same in every folder: "node server.js" may be anybody's own program."""
    return _package(server.argv) is not None or any(Path(part).is_absolute() for part in server.argv)


def source_of(server: Server) -> str:
    """Say by what a process is known to run a server."""
    return f"its arguments are those of the configured server “{server.name}”"


def _candidates(table: ProcessTable, known: Mapping[Identity, Claim]) -> Iterator[Process]:
    """Yield what stands below the host's programs, and what a reaper has taken over."""
    tops = {pid for pid in table.reaper_pids if pid in table.processes}
    tops |= {identity.pid for identity in known if table.get(identity) is not None}
    seen: set[Identity] = set()
    for pid in sorted(tops):
        below = table.children(pid) if pid in table.reaper_pids else table.descendants(pid)
        for process in below:
            if process.identity not in seen and process.identity not in known and not process.is_zombie:
                seen.add(process.identity)
                yield process


class Configured:
    """Find a configured server by the arguments of a process."""

    def __init__(self, servers: Iterable[Server] = ()) -> None:
        self._by_command: dict[tuple[str, tuple[str, ...]], Server] = {}
        self._by_package: dict[tuple[str, tuple[str, ...]], Server] = {}
        for server in servers:
            self._by_command.setdefault((basename(server.argv[0]), server.argv[1:]), server)
            package = _package(server.argv)
            if package is not None:
                self._by_package.setdefault(package, server)

    def __bool__(self) -> bool:
        return bool(self._by_command)

    def find(self, process: Process) -> Server | None:
        """Return the server that a process runs, or None."""
        argv = words(process)
        for position in range(min(len(argv), _MOST_BEFORE + 1)):
            if position and not _only_interprets(argv[:position]):
                break  # "make linter", "vim linter": a job on it, not the server
            server = self._by_command.get((basename(argv[position]), tuple(argv[position + 1 :])))
            if server is not None:
                return server
        package = _package(argv)
        return self._by_package.get(package) if package is not None else None


class ConfigFiles:
    """Read the servers of a host's configuration files, again only when one has changed; any one thread at a time.

    A JSON file may hold comments and commas at the end. `table` is the path of names to the servers' table.
    """

    def __init__(self, *table: str) -> None:
        self._table = table
        self._files: Witness | None = None
        self._paths: tuple[Path, ...] = ()
        self._found: tuple[Configured, tuple[Problem, ...]] = (Configured(), ())

    def read(self, paths: Iterable[Path]) -> tuple[Configured, tuple[Problem, ...]]:
        """Return all servers of these files, and what could not be read of them; a file that is not there is none."""
        wanted = tuple(dict.fromkeys(paths))
        if self._files is not None and wanted == self._paths and self._files.stands():
            return self._found
        self._files, self._paths = Witness(), wanted
        servers: list[Server] = []
        problems: list[Problem] = []
        for path in wanted:
            try:
                servers += self._servers_in(path, self._files)
            except (OSError, ValueError) as fault:
                why = fault.strerror if isinstance(fault, OSError) and fault.strerror else "it is not complete"
                mend = "Correct it; until then its helpers may count as work of their session, which protects it"
                problems.append(Problem(where=str(path), what=f"the configuration cannot be read ({why})", mend=mend))
        self._found = Configured(servers), tuple(problems)
        return self._found

    def _servers_in(self, path: Path, files: Witness) -> tuple[Server, ...]:
        if files.stamp(path) is None:
            return ()
        text = files.read_whole(path, limit_bytes=_LIMIT_BYTES).decode("utf-8")
        if path.suffix == ".toml":
            import tomllib

            told: object = tomllib.loads(text)
        else:
            told = msgspec.json.decode(_TRAILING.sub(_kept, _COMMENT.sub(_kept, text)))
        for name in self._table:
            told = told.get(name) if isinstance(told, dict) else None
        return servers_in(told)


_LIMIT_BYTES = 4 * 1024**2
_TEXT = r'("(?:\\.|[^"\\])*")'
_COMMENT = re.compile(_TEXT + r"|//[^\n]*|/\*.*?\*/", re.DOTALL)
_TRAILING = re.compile(_TEXT + r"|,(?=\s*[}\]])")


def _kept(match: re.Match[str]) -> str:
    return match[1] or ""


def _only_interprets(before: Sequence[str]) -> bool:
    """Say whether this is an interpreter with nothing but flags."""
    return is_interpreter(basename(before[0])) and all(each.startswith("-") for each in before[1:])


def _package(argv: Sequence[str]) -> tuple[str, tuple[str, ...]] | None:
    """Return what a runner such as npx or uvx is to fetch and run, with its arguments; None where there is no runner.

    The arguments count: the same package may be one server of many, or a tool that an agent calls.
    """
    started = started_by(argv) if argv else None
    return (started.target, started.args) if started is not None and started.is_fetched else None
