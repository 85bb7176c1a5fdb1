"""Which servers and desktop apps of Craft Agents run, and which config folder each has.

Told by their programs, by the lock in a config folder, and by the backends that they started. A lock that a killed host
left behind, or whose number belongs to another program by now, names nobody. Reads small files; called from one thread
at a time.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from trayapp.hosts.craft_disk import DEFAULT_FOLDER, Disk, Lock, Shelf, read_lock
from trayapp.hosts.craft_programs import (
    CONFIG_DIR,
    SESSION_DIR,
    WORKSPACE_PATH,
    Kind,
    is_agent,
    is_runtime,
    kind_of,
    resumed_id,
    script_of,
)
from trayapp.hosts.files import names_in, read_whole
from trayapp.model.process import Identity, Process, ProcessTable
from trayapp.model.session import Claim, Role
from trayapp.programs import elements

_LOCKED_WITHIN_S = 600.0
"""A lock is written by its process soon after it starts; a later start is another process of the same number."""
_CLOCK_SLACK_S = 5.0
_YOUNG_S = 6.0
"""What began so lately may belong to a session whose record is read again only now and then."""
_FOLDERS_KEPT_S = 15.0
_SERVERS_LIMIT = 16
_NAMES_LIMIT = 5_000
_PACKAGE_BYTES = 256 * 1024
_SERVER_DEPTH = 4
"""How far above its entry script a checkout's folder is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """Hold one server or desktop app, and what its config folder tells.

    `is_another` says that its script only has the same name: the project it lies in is not Craft Agents.
    """

    process: Process
    kind: Kind
    shelf: Shelf
    version: str | None = None
    is_another: bool = False

    @property
    def title(self) -> str:
        return f"craft-agents {self.process.pid}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """Hold all that runs and all that the config folders tell."""

    running: tuple[Running, ...] = ()
    shelves: tuple[Shelf, ...] = ()


class Finder:
    """Find what runs; keeps which config folders there are, and the version of each server."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._usual: tuple[float, tuple[Path, ...]] = (float("-inf"), ())
        self._versions: dict[Identity, tuple[str | None, bool]] = {}
        self._looked_for: frozenset[str] = frozenset()

    def find(
        self,
        table: ProcessTable,
        recognised: Sequence[Claim],
        *,
        home: Path,
        own_folder: str | None,
        live: Collection[str],
    ) -> Seen:
        """Return what there is. `live` are session folders to look at besides those that processes name."""
        traced = [p for p in table.processes.values() if p.env.get(SESSION_DIR)]
        if not recognised and not traced:
            return Seen()
        folders = self._folders(table, recognised, traced, home, own_folder)
        servers = _servers(table, recognised, [lock for folder in folders if (lock := read_lock(folder)) is not None])
        given = {_config_folder(process, home) for process, _ in servers}
        folders = tuple(dict.fromkeys((*folders, *sorted(f for f in given if f is not None and f.is_dir()))))
        named = {p.env[SESSION_DIR] for p in traced}
        resumed = {sdk_id for p in table.processes.values() if is_agent(p) and (sdk_id := resumed_id(p)) is not None}
        # an id that no look has seen yet, or a source that was just switched on, may stand in a record written since
        begun = any(table.age_s(child) < _YOUNG_S for process, _ in servers for child in table.children(process.pid))
        anew = begun or not resumed <= self._looked_for
        self._looked_for = frozenset(resumed)
        shelves = tuple(
            self._disk.read(folder, home=home, now_s=table.monotonic_s, live={*named, *live}, anew=anew)
            for folder in folders
        )
        alive = {process.identity for process, _ in servers}
        self._versions = {identity: known for identity, known in self._versions.items() if identity in alive}
        running = tuple(self._running(process, kind, shelves, table, home) for process, kind in servers)
        return Seen(running=running, shelves=shelves)

    def _folders(
        self,
        table: ProcessTable,
        recognised: Sequence[Claim],
        traced: Sequence[Process],
        home: Path,
        own_folder: str | None,
    ) -> tuple[Path, ...]:
        checked_s, _ = self._usual
        if table.monotonic_s - checked_s >= _FOLDERS_KEPT_S or table.monotonic_s < checked_s:
            names = sorted(name for name in _names(home) if _is_usual(name))
            self._usual = (table.monotonic_s, tuple(home / name for name in names))
        given: list[Path | None] = [Path(own_folder)] if own_folder and os.path.isabs(own_folder) else []
        processes = [p for claim in recognised if (p := table.get(claim.identity)) is not None]
        given += [_config_folder(process, home) for process in (*processes, *traced) if process.env.get(CONFIG_DIR)]
        for process in traced:
            workspace = Path(process.env.get(WORKSPACE_PATH) or os.sep)
            if workspace.parent.name == "workspaces":
                given.append(workspace.parent.parent)
        found = dict.fromkeys(folder for folder in (*given, *self._usual[1]) if folder is not None)
        return tuple(folder for folder in found if folder.is_dir())

    def _running(
        self, process: Process, kind: Kind, shelves: Sequence[Shelf], table: ProcessTable, home: Path
    ) -> Running:
        holder = {shelf.folder: _holder(shelf, table) for shelf in shelves}
        locked = next((shelf for shelf in shelves if holder[shelf.folder] == process.identity), None)
        folder = _config_folder(process, home)
        shelf = locked
        if locked is None or process.env.get(CONFIG_DIR):
            folder = _folder_of_children(process, table) or folder if not process.env.get(CONFIG_DIR) else folder
            shelf = next((shelf for shelf in shelves if shelf.folder == folder), None)
            if shelf is not None and holder[shelf.folder] not in (None, process.identity):
                shelf = None  # there is one host for each config folder: this one has another, which is not known
        if process.identity not in self._versions:
            another = kind is Kind.SERVER and _is_another_project(process)
            self._versions[process.identity] = (_version(process, kind), another)
        version, another = self._versions[process.identity]
        return Running(
            process=process,
            kind=kind,
            shelf=shelf if shelf is not None else Shelf(folder=folder or home / DEFAULT_FOLDER),
            version=version,
            is_another=another and locked is None,
        )


def _servers(
    table: ProcessTable, recognised: Iterable[Claim], locks: Iterable[Lock]
) -> tuple[tuple[Process, Kind], ...]:
    """Return who serves: what is recognised as such, what a lock names, and what started backends."""
    found: dict[Identity, tuple[Process, Kind]] = {}
    for claim in recognised:
        process = table.get(claim.identity)
        if process is None or table.is_anothers(process):
            continue
        kind = kind_of(process)
        if claim.role in (Role.INFRA, Role.APP) and kind in (Kind.SERVER, Kind.APP):
            found[process.identity] = (process, kind)
        elif kind in (Kind.PI, Kind.CLAUDE):
            above = table.parent(process)
            if above is not None and above.pid not in table.reaper_pids and is_runtime(above):
                found.setdefault(above.identity, (above, kind_of(above) or Kind.SERVER))
    for lock in locks:
        process = table.processes.get(lock.pid)
        if process is None or not is_runtime(process) or kind_of(process) is not None:
            continue
        if lock.started_epoch_s is not None and _is_held_by(lock, process, table):
            found.setdefault(process.identity, (process, Kind.SERVER))
    return tuple(found[identity] for identity in sorted(found))[:_SERVERS_LIMIT]


def _holder(shelf: Shelf, table: ProcessTable) -> Identity | None:
    """Return which process holds a config folder, if it runs."""
    process = table.processes.get(shelf.lock.pid) if shelf.lock is not None else None
    if process is None or shelf.lock is None or process.is_zombie or not _is_held_by(shelf.lock, process, table):
        return None
    return process.identity


def _folder_of_children(process: Process, table: ProcessTable) -> Path | None:
    """Return the config folder in which the workspaces of a server's children lie."""
    for child in table.children(process.pid):
        workspace = Path(child.env.get(WORKSPACE_PATH) or os.sep)
        if workspace.parent.name == "workspaces":
            return workspace.parent.parent
    return None


def _is_held_by(lock: Lock, process: Process, table: ProcessTable) -> bool:
    """Say whether a lock is this very process's: it began shortly before the lock was written."""
    if lock.pid != process.pid:
        return False
    if lock.started_epoch_s is None:
        return True
    began_epoch_s = table.taken_at.timestamp() - table.age_s(process)
    return -_CLOCK_SLACK_S <= lock.started_epoch_s - began_epoch_s <= _LOCKED_WITHIN_S


def _config_folder(process: Process, home: Path) -> Path | None:
    """Return the config folder that a process's variable names, else the usual one; None where it was not read."""
    given = process.env.get(CONFIG_DIR)
    if given:
        given = str(home) + given[1:] if given == "~" or given.startswith("~/") else given
        return Path(given) if os.path.isabs(given) else None
    return None if "env" in process.unreadable else home / DEFAULT_FOLDER


def _is_usual(name: str) -> bool:
    number = name.removeprefix(f"{DEFAULT_FOLDER}-")
    return name == DEFAULT_FOLDER or (number != name and number.isdigit())


def _checkout(process: Process) -> Path | None:
    """Return the folder of the project whose script a server runs."""
    script = script_of(process.argv or ()) or ""
    path = Path(script) if os.path.isabs(script) else Path(process.cwd or "") / script
    parents = path.parents
    if len(elements(script)) < _SERVER_DEPTH or len(parents) < _SERVER_DEPTH or not path.is_absolute():
        return None
    return parents[_SERVER_DEPTH - 1]


def _is_another_project(process: Process) -> bool:
    """Say whether a script of the same name lies in another project: many are laid out like this one."""
    root = _checkout(process)
    return root is not None and (root / "packages" / "server").is_dir() and not _has_pi(root)


def _has_pi(root: Path) -> bool:
    return (root / "packages" / "pi-agent-server").is_dir() or (root / "packages" / "server-core").is_dir()


class _Package(msgspec.Struct):
    version: str | None = None


def _version(process: Process, kind: Kind) -> str | None:
    """Return the version that the server's or the app's own package says; None where that cannot be read."""
    if kind is Kind.SERVER:
        root = _checkout(process)
        path = root / "package.json" if root is not None else None
    else:
        folder = Path(process.exe or (process.argv or ("",))[0]).parent
        resources = folder.parent / "Resources" if folder.name == "MacOS" else folder / "resources"
        path = resources / "app" / "package.json"
    try:
        if path is None:
            return None
        return msgspec.json.decode(read_whole(path, limit_bytes=_PACKAGE_BYTES), type=_Package).version
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None


def _names(folder: Path) -> list[str]:
    try:
        return names_in(folder, limit=_NAMES_LIMIT)
    except OSError:
        return []
