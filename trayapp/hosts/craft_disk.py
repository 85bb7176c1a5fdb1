"""What Craft Agents keeps on disk: its lock, its workspaces, their sources, and the first line of each session.

A record is read again only when its file changed, and its modification time says nothing else: the whole file is
written anew by a flag, a rename or a look at it. It is written beside and renamed, so that there is a moment without a
file. No message is kept, and `config.json` is read without its secrets: those of other machines never, the server's own
token only by `read_server_token`, which is called after the user agreed.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from trayapp.hosts.craft_pi import FOLDER as PI_FOLDER
from trayapp.hosts.files import Stamp, names_in, read_head, read_tail, read_whole, stamp
from trayapp.model.session import Problem

_T = TypeVar("_T")

DEFAULT_FOLDER = ".craft-agent"
LOCK, CONFIG, RECORD = ".server.lock", "config.json", "session.jsonl"
DEFAULT_PORT = 9100
SWEEP_S = 15.0
"""How often sessions without a process are looked at again; those with one are at every look."""
_ABSENT_FOR_S = 5.0
"""How long a session's record may be away while it is written anew."""
_FOLDERS_LIMIT = 5_000
_HEADER_BYTES = 64 * 1024
_MESSAGES_BYTES = 1024 * 1024
_CONFIG_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Hold one MCP server that a workspace may switch on, and how it is started."""

    root: str
    slug: str
    command: str
    args: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """Name one workspace."""

    root: Path
    slug: str
    id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Hold what a config folder's `config.json` tells, but for secrets.

    Attributes:
        providers: the provider of each connection, by its slug.
        server_mode: the desktop app listens for others, on `port`.
    """

    workspaces: tuple[Workspace, ...] = ()
    providers: Mapping[str, str] = field(default_factory=dict)
    server_mode: bool = False
    port: int | None = None
    cert: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """Hold which process says that it is the host of a config folder."""

    pid: int
    started_epoch_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """Hold what the first line of a session's record says; None = not told.

    Attributes:
        folder: the session's own folder, by which it is known.
        root, slug: its workspace.
        cwd: where its agent runs.
        is_pi: which of the two kinds of backend it has.
        fault: why its record could not be read; all else is then as it was before, if it ever was.
    """

    folder: str
    root: str
    slug: str
    id: str
    title: str | None = None
    sdk_id: str | None = None
    cwd: str | None = None
    working_folder: str | None = None
    created_epoch_s: float | None = None
    last_message_epoch_s: float | None = None
    last_role: str | None = None
    sources: frozenset[str] = frozenset()
    model: str | None = None
    is_pi: bool | None = None
    fault: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """Hold all that one config folder tells."""

    folder: Path
    lock: Lock | None = None
    config: Config | None = None
    sessions: Mapping[str, Stored] = field(default_factory=dict)
    sources: tuple[Source, ...] = ()
    problems: tuple[Problem, ...] = ()


# -------------------------------------------------------------------------------------------------- shapes on disk


class _WorkspaceEntry(msgspec.Struct, rename="camel"):
    root_path: str | None = None
    slug: str | None = None
    id: str | None = None


class _Connection(msgspec.Struct, rename="camel"):
    slug: str = ""
    provider_type: str | None = None


class _ServerConfig(msgspec.Struct, rename="camel"):
    enabled: bool = False
    port: int | None = None
    tls_cert_path: str | None = None


class _ConfigFile(msgspec.Struct, rename="camel"):
    workspaces: list[_WorkspaceEntry] = []
    llm_connections: list[_Connection] = []
    server_config: _ServerConfig | None = None


class _Secret(msgspec.Struct):
    token: str | None = None


class _SecretFile(msgspec.Struct, rename="camel"):
    server_config: _Secret | None = None


class _LockFile(msgspec.Struct, rename="camel"):
    pid: int
    started_at: float | None = None


class _Stdio(msgspec.Struct):
    transport: str | None = None
    command: str | None = None
    args: list[str] = []


class _SourceFile(msgspec.Struct):
    type: str | None = None
    mcp: _Stdio | None = None


class _Header(msgspec.Struct, rename="camel"):
    id: str | None = None
    name: str | None = None
    sdk_session_id: str | None = None
    sdk_cwd: str | None = None
    working_directory: str | None = None
    created_at: float | None = None
    last_message_at: float | None = None
    last_message_role: str | None = None
    enabled_source_slugs: list[str] | None = None
    llm_connection: str | None = None
    model: str | None = None


class _Message(msgspec.Struct):
    type: str | None = None
    role: str | None = None
    timestamp: float | None = None


# -------------------------------------------------------------------------------------------------- reading


@dataclass(slots=True)
class _Kept:
    """Hold one session's record as it was read; `absent_s` since when it is away."""

    stamp: Stamp | None
    header: _Header | None
    is_pi: bool | None
    fault: str | None = None
    absent_s: float | None = None
    stored: Stored | None = None
    of_config: Config | None = None


class Disk:
    """Read config folders and keep what has not changed. Called from one thread at a time."""

    def __init__(self) -> None:
        self._configs: dict[Path, tuple[Stamp, Config | None, str | None]] = {}
        self._records: dict[str, _Kept] = {}
        self._listed: dict[Path, tuple[Stamp, tuple[str, ...]]] = {}
        self._sources: dict[Path, tuple[Stamp, Source | None]] = {}
        self._swept: dict[Path, float] = {}
        self._shelved: dict[Path, tuple[tuple[Source, ...], tuple[Problem, ...]]] = {}
        self._messages: dict[str, tuple[Stamp, tuple[float, ...]]] = {}

    def read(self, folder: Path, *, home: Path, now_s: float, live: Collection[str] = (), anew: bool = False) -> Shelf:
        """Return what a config folder tells.

        `live` are session folders with processes, which are looked at each time; `anew` looks at all. `now_s` is a
        clock of which only differences count.
        """
        problems: list[Problem] = []
        config = self._config(folder, home, problems)
        sessions: dict[str, Stored] = {}
        sources: list[Source] = []
        for workspace in config.workspaces if config is not None else ():
            due = anew or now_s - self._swept.get(workspace.root, float("-inf")) >= SWEEP_S
            if due:
                self._swept[workspace.root] = now_s
                self._shelved[workspace.root] = self._read_sources(workspace.root)
            sources.extend(self._shelved[workspace.root][0])
            problems.extend(self._shelved[workspace.root][1])
            folder_of_all = workspace.root / "sessions"
            beginning = f"{folder_of_all}{os.sep}"
            for name in self._names(folder_of_all, problems):
                path = beginning + name
                if due or path in live or path not in self._records:
                    self._look_at(path, now_s)
                stored = self._stored(path, workspace, config, home)
                if stored is not None:
                    sessions[path] = stored
        for path in live:
            if path not in sessions and _is_below(path, folder):
                self._look_at(path, now_s)
                stored = self._stored(path, _workspace_of(path), config, home)
                if stored is not None:
                    sessions[path] = stored
        return Shelf(
            folder=folder,
            lock=read_lock(folder),
            config=config,
            sessions=sessions,
            sources=tuple(sources),
            problems=tuple(problems),
        )

    def outside(self, path: str, *, home: Path, now_s: float) -> Stored | None:
        """Return a session in a folder that no config folder names; None where there is none."""
        self._look_at(path, now_s)
        return self._stored(path, _workspace_of(path), None, home)

    def message_times_s(self, folder: str) -> tuple[float, ...]:
        """Return when the user's messages were sent, the first and the newest ones of a long session; oldest first."""
        path = Path(folder) / RECORD
        try:
            now = stamp(path)
            if now is None:
                return self._messages.get(folder, (None, ()))[1]
            kept = self._messages.get(folder)
            if kept is None or kept[0] != now:
                head = read_head(path, limit_bytes=_HEADER_BYTES)
                tail = read_tail(path, limit_bytes=_MESSAGES_BYTES)
                lines = head.split(b"\n")[1:-1] if tail.offset else []
                rest = tail.data.split(b"\n")[1:]
                times = {at for line in (*lines, *rest) if (at := _user_message_epoch_s(line)) is not None}
                kept = self._messages[folder] = (now, tuple(sorted(times)))
            return kept[1]
        except OSError:
            return ()

    def forget_all_but(self, folders: Collection[str]) -> None:
        """Drop what is kept of sessions that are not there any more."""
        for known in [path for path in self._records if path not in folders]:
            del self._records[known]
        for known in [path for path in self._messages if path not in folders]:
            del self._messages[known]

    # -- one session ----------------------------------------------------------------------------------------------

    def _look_at(self, path: str, now_s: float) -> None:
        """Read a session's record anew if it changed; one that is away for a moment is taken as it was."""
        record = Path(path) / RECORD
        kept = self._records.get(path)
        try:
            now = stamp(record)
            if now is None:
                self._note_absent(path, kept, now_s)
                return
            if kept is None or kept.stamp != now or kept.fault is not None:
                line = read_head(record, limit_bytes=_HEADER_BYTES).split(b"\n", 1)[0]
                header = msgspec.json.decode(line, type=_Header)
                self._records[path] = _Kept(now, header, _has_pi_log(path))
            kept = self._records[path]
            kept.absent_s = None
        except FileNotFoundError:
            self._note_absent(path, kept, now_s)
        except OSError as fault:
            self._note_fault(path, kept, f"cannot be read ({fault.strerror or type(fault).__name__})")
        except (msgspec.MsgspecError, UnicodeDecodeError):
            self._note_fault(path, kept, "has a first line that is no session's header")

    def _note_absent(self, path: str, kept: _Kept | None, now_s: float) -> None:
        if not os.path.isdir(path):
            self._records.pop(path, None)
            return
        if kept is None:
            kept = self._records[path] = _Kept(None, None, _has_pi_log(path))
        if kept.absent_s is None:
            kept.absent_s = now_s
        if now_s - kept.absent_s >= _ABSENT_FOR_S or kept.header is None:
            kept.fault = "is not there"

    def _note_fault(self, path: str, kept: _Kept | None, fault: str) -> None:
        if kept is None:
            kept = self._records[path] = _Kept(None, None, _has_pi_log(path))
        kept.fault = fault

    def _stored(self, path: str, workspace: Workspace, config: Config | None, home: Path) -> Stored | None:
        kept = self._records.get(path)
        if kept is None:
            return None
        if kept.stored is None or kept.of_config is not config or kept.stored.fault != kept.fault:
            kept.stored, kept.of_config = self._told(kept, path, workspace, config, home), config
        return kept.stored

    def _told(self, kept: _Kept, path: str, workspace: Workspace, config: Config | None, home: Path) -> Stored:
        header = kept.header or _Header()
        provider = (config.providers if config is not None else {}).get(header.llm_connection or "")
        return Stored(
            folder=path,
            root=str(workspace.root),
            slug=workspace.slug,
            id=os.path.basename(path),
            title=header.name or None,
            sdk_id=header.sdk_session_id,
            cwd=_expanded(header.sdk_cwd or header.working_directory, home, path),
            working_folder=_expanded(header.working_directory, home, path),
            created_epoch_s=_seconds(header.created_at),
            last_message_epoch_s=_seconds(header.last_message_at),
            last_role=header.last_message_role,
            sources=frozenset(header.enabled_source_slugs or ()),
            model=header.model,
            is_pi=provider.startswith("pi") if provider is not None else (True if kept.is_pi else None),
            fault=kept.fault,
        )

    # -- config and folders ---------------------------------------------------------------------------------------

    def _config(self, folder: Path, home: Path, problems: list[Problem]) -> Config | None:
        path = folder / CONFIG
        try:
            now = stamp(path)
        except OSError as fault:
            problems.append(_unreadable(path, fault.strerror or type(fault).__name__))
            return None
        kept = self._configs.get(folder)
        if now is None:
            # written beside and renamed as well: for a moment there is none
            return kept[1] if kept is not None and folder.is_dir() else None
        if kept is None or kept[0] != now:
            try:
                said = msgspec.json.decode(read_whole(path, limit_bytes=_CONFIG_BYTES), type=_ConfigFile)
                kept = (now, _config(said, folder, home), None)
            except OSError as fault:
                kept = (now, None, f"cannot be read ({fault.strerror or type(fault).__name__})")
            except (msgspec.MsgspecError, UnicodeDecodeError):
                kept = (now, None, "is no JSON of the kind that Craft Agents writes")
            self._configs[folder] = kept
        if kept[2] is not None:
            problems.append(_unreadable(path, kept[2]))
        return kept[1]

    def _names(self, folder: Path, problems: list[Problem]) -> tuple[str, ...]:
        """Return the names in a folder, newest first by their dates; listed again only when one came or went."""
        try:
            now = stamp(folder)
            kept = self._listed.get(folder)
            if now is None:
                return ()
            if kept is None or kept[0] != now:
                names = sorted(names_in(folder, limit=_FOLDERS_LIMIT), reverse=True)
                kept = self._listed[folder] = (now, tuple(names))
            return kept[1]
        except OSError as fault:
            problems.append(_unreadable(folder, f"cannot be read ({fault.strerror or type(fault).__name__})"))
            return ()

    def _read_sources(self, root: Path) -> tuple[tuple[Source, ...], tuple[Problem, ...]]:
        found: list[Source] = []
        problems: list[Problem] = []
        for slug in self._names(root / "sources", problems):
            path = root / "sources" / slug / CONFIG
            try:
                now = stamp(path)
                kept = self._sources.get(path)
                if now is None:
                    continue
                if kept is None or kept[0] != now:
                    said = msgspec.json.decode(read_whole(path, limit_bytes=_CONFIG_BYTES), type=_SourceFile)
                    kept = self._sources[path] = (now, _source(said, root, slug))
            except (FileNotFoundError, NotADirectoryError):
                continue
            except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as fault:
                what = f"the source cannot be read ({type(fault).__name__})"
                mend = "Its helpers are counted with the server; save the source anew in Craft Agents"
                problems.append(Problem(where=str(path), what=what, mend=mend))
                continue
            if kept[1] is not None:
                found.append(kept[1])
        return tuple(found), tuple(problems)


def read_lock(folder: Path) -> Lock | None:
    """Return who says that it is the host of a config folder; None where nobody does. Older ones write a bare pid."""
    try:
        data = read_whole(folder / LOCK, limit_bytes=4096)
        text = data.decode("utf-8").strip()
        if text.isdigit():
            return Lock(pid=int(text))
        said = msgspec.json.decode(data, type=_LockFile)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return Lock(pid=said.pid, started_epoch_s=_seconds(said.started_at))


def read_server_token(folder: Path) -> str | None:
    """Return the token of the app's server mode. A secret: only after the user agreed, and never kept on disk."""
    try:
        data = read_whole(folder / CONFIG, limit_bytes=_CONFIG_BYTES)
        said = msgspec.json.decode(data, type=_SecretFile)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return said.server_config.token if said.server_config is not None else None


def is_gone(folder: str) -> bool:
    """Say whether a session's folder was deleted: it is not there, and the folder that held it is."""
    return not os.path.lexists(folder) and os.path.isdir(os.path.dirname(folder))


def pi_log(stored: Stored) -> Path | None:
    """Return the log of a Pi session: the one that ends in its id, else the newest by name."""
    folder = Path(stored.folder) / PI_FOLDER
    try:
        names = sorted(name for name in names_in(folder, limit=_FOLDERS_LIMIT) if name.endswith(".jsonl"))
    except OSError:
        return None
    own = [name for name in names if stored.sdk_id and name.endswith(f"_{stored.sdk_id}.jsonl")]
    chosen = (own or names)[-1:]
    return folder / chosen[0] if chosen else None


@lru_cache(maxsize=16384)
def plain_path(path: str) -> str:
    """Return a path in the one form in which two of them are compared, links resolved."""
    return os.path.realpath(path)


def _config(said: _ConfigFile, folder: Path, home: Path) -> Config:
    workspaces = []
    for entry in said.workspaces:
        slug = entry.slug or os.path.basename((entry.root_path or "").rstrip("/\\")) or "?"
        root = _expanded(entry.root_path, home, "") or str(folder / "workspaces" / slug)
        workspaces.append(Workspace(root=Path(root), slug=slug, id=entry.id))
    server = said.server_config or _ServerConfig()
    return Config(
        workspaces=tuple(workspaces),
        providers={c.slug: c.provider_type for c in said.llm_connections if c.provider_type},
        server_mode=server.enabled,
        port=server.port,
        cert=_expanded(server.tls_cert_path, home, ""),
    )


def _source(said: _SourceFile, root: Path, slug: str) -> Source | None:
    if said.type != "mcp" or said.mcp is None or not said.mcp.command or said.mcp.transport not in ("stdio", None):
        return None
    return Source(root=str(root), slug=slug, command=said.mcp.command, args=tuple(said.mcp.args))


def _expanded(path: str | None, home: Path, session: str) -> str | None:
    """Return a path with its `~` and its mark for the session's folder written out."""
    if not path:
        return None
    path = path.replace("{{SESSION_PATH}}", session)
    if path == "~" or path.startswith(("~/", "~\\")):
        path = str(home) + path[1:]
    return path


def _workspace_of(session: str) -> Workspace:
    root = Path(session).parent.parent
    return Workspace(root=root, slug=root.name)


def _is_below(path: str, folder: Path) -> bool:
    return folder in Path(path).parents


def _has_pi_log(path: str) -> bool | None:
    return True if any(os.path.isdir(os.path.join(path, name)) for name in (PI_FOLDER, ".pi-agent")) else None


def _user_message_epoch_s(line: bytes) -> float | None:
    if b'"user"' not in line:
        return None
    try:
        said = msgspec.json.decode(line, type=_Message)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return _seconds(said.timestamp) if "user" in (said.type, said.role) else None


def _seconds(milliseconds: Any) -> float | None:
    return milliseconds / 1000 if isinstance(milliseconds, int | float) else None


def _unreadable(path: Path, what: str) -> Problem:
    return Problem(where=str(path), what=what, mend="Its sessions are still known from their processes; open the app")


def folders_of(shelves: Iterable[Shelf]) -> dict[str, Stored]:
    """Return all sessions by their folders."""
    return {path: stored for shelf in shelves for path, stored in shelf.sessions.items()}
