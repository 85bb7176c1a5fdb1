"""The plugin that we put into a DSH host, as this program speaks to it: on loopback, with short limits.

Knows where the plugin leaves its address and token, when such a file is to be believed, and the shapes of its answers.
The token is sent to nobody but the very process that wrote it: its file must be private, its pid and start must be
those of a host that runs, and the port must be one on which that process listens.
"""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from trayapp.hosts.files import read_whole

_T = TypeVar("_T", "HostReply", "_Sessions", "ReleaseReply", "CollectReply")

SCHEMA = 1
FOLDER = "agentring"
ANSWER_TIMEOUT_S = 2.0
RELEASE_TIMEOUT_S = 12.0
REPLY_LIMIT_BYTES = 16 * 1024 * 1024
_FILE_LIMIT_BYTES = 4096
_START_SLACK_S = 120.0
"""Where the plugin cannot tell the kernel's start value, its start by the clock must be as near as this."""

_REINSTALL = "Install it again: `agentring hosts dsh install-plugin`"
_RESTART = "If this stays, restart DSH, or install the plugin again"


class PluginUnusable(Exception):
    """The plugin cannot be used; `what` says why, as a sentence without a full stop, and `mend` what helps."""

    def __init__(self, what: str, mend: str, *, silent: bool = False) -> None:
        super().__init__(what)
        self.what = what
        self.mend = mend
        self.silent = silent


# -------------------------------------------------------------------------------------------------- what it says


class Space(msgspec.Struct):
    """One space of the heap."""

    name: str
    used_bytes: int
    size_bytes: int


class HeapReply(msgspec.Struct):
    """V8's own figures."""

    used_bytes: int
    limit_bytes: int | None = None
    total_bytes: int | None = None
    external_bytes: int | None = None
    rss_bytes: int | None = None
    full_collections: int | None = None
    spaces: list[Space] = []


class HostReply(msgspec.Struct):
    """What is said of the host."""

    schema: int
    pid: int
    heap: HeapReply
    plugin: str | None = None
    host_version: str | None = None
    live_sessions: int | None = None
    attached_views: int | None = None
    release_supported: bool = False
    unsupported_reason: str | None = None


class Job(msgspec.Struct):
    """One background job."""

    id: str
    label: str | None = None


class SessionReply(msgspec.Struct):
    """What is said of one live session; None = the host does not tell."""

    id: str
    parent: str | None = None
    origin: str | None = None
    cwd: str | None = None
    created_at_ms: float | None = None
    title: str | None = None
    status: str = "idle"
    events: int | None = None
    retained_bytes: int = 0
    last_event_at_ms: float | None = None
    open_turn: bool = False
    jobs: list[Job] = []
    subagents: list[str] = []
    terminals: list[str] | None = None
    schedules: int | None = None
    pending_input: bool | None = None
    views: int | None = None
    refusals: list[str] = []


class _Sessions(msgspec.Struct):
    schema: int
    sessions: list[SessionReply]


class ReleaseReply(msgspec.Struct):
    """What came of a release."""

    schema: int
    result: str
    refusals: list[str] = []
    took_ms: float | None = None
    heap: HeapReply | None = None


class CollectReply(msgspec.Struct):
    """What came of a request to collect."""

    schema: int
    result: str
    heap: HeapReply | None = None


class _MountFile(msgspec.Struct):
    schema: int
    pid: int
    port: int
    token: str
    plugin: str | None = None
    start: str | int | None = None
    started_at: float | None = None
    profile: str | None = None


class _Schema(msgspec.Struct):
    schema: int | None = None
    plugin: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mount:
    """Hold where a mounted plugin is asked; the token is not shown."""

    pid: int
    port: int
    version: str | None
    token: str

    def __repr__(self) -> str:
        return f"Mount(pid={self.pid}, port={self.port}, version={self.version!r})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """Hold one answer of a plugin, whole."""

    host: HostReply
    sessions: tuple[SessionReply, ...]


# -------------------------------------------------------------------------------------------------- its file


def mount_path(home: Path, pid: int) -> Path:
    """Return where the plugin of that process leaves its address."""
    return home / FOLDER / f"{pid}.json"


def read_mount(home: Path, pid: int, *, start: int | None, start_epoch_s: float | None) -> Mount | None:
    """Return where the plugin of a host that runs is asked; None where none is mounted.

    `start` is the kernel's own start value of the process, as on Linux. Raises PluginUnusable for a file that must not
    be believed.
    """
    path = mount_path(home, pid)
    try:
        _refuse_unless_private(path)
        data = read_whole(path, limit_bytes=_FILE_LIMIT_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise PluginUnusable(f"its token file cannot be read ({error.strerror or error})", _RESTART) from error
    try:
        said = msgspec.json.decode(data, type=_Schema)
        _refuse_unless_known(said)
        found = msgspec.json.decode(data, type=_MountFile)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise PluginUnusable("its token file is damaged", _RESTART) from None
    if found.pid != pid or not 0 < found.port < 65536 or not found.token.isalnum():
        raise PluginUnusable("its token file names another process or no port", _RESTART)
    if _is_stale(found, start=start, start_epoch_s=start_epoch_s):
        raise PluginUnusable("its token file is left over from an earlier process of the same number", _REINSTALL)
    return Mount(pid=pid, port=found.port, version=found.plugin, token=found.token)


def _refuse_unless_private(path: Path) -> None:
    """Raise for a file that others could have written or can read; raises OSError where there is none."""
    found = path.lstat()
    if not stat.S_ISREG(found.st_mode):
        raise PluginUnusable("its token file is no plain file", _RESTART)
    if hasattr(os, "getuid") and (found.st_uid != os.getuid() or found.st_mode & 0o077):
        raise PluginUnusable("its token file can be read by others, so it is not used", _RESTART)


def _refuse_unless_known(said: _Schema) -> None:
    name = f"the plugin {said.plugin}" if said.plugin else "the plugin"
    if said.schema is None or said.schema < SCHEMA:
        raise PluginUnusable(f"{name} is older than this program understands", _REINSTALL)
    if said.schema > SCHEMA:
        raise PluginUnusable(f"{name} is newer than this program understands", "Update Agent Ring")


def _is_stale(found: _MountFile, *, start: int | None, start_epoch_s: float | None) -> bool:
    if found.start is not None and start is not None:
        return str(found.start) != str(start)
    if found.started_at is None or start_epoch_s is None:
        return False
    return abs(found.started_at / 1000 - start_epoch_s) > _START_SLACK_S


# -------------------------------------------------------------------------------------------------- asking it


async def ask(mount: Mount) -> Told:
    """Return what the plugin tells of its host and of the live sessions. Raises PluginUnusable within seconds."""
    try:
        async with asyncio.timeout(ANSWER_TIMEOUT_S):
            host = await _call(mount, "GET", "/v1/host", HostReply)
            _refuse_another(host, mount)
            sessions = await _call(mount, "GET", "/v1/sessions", _Sessions)
    except TimeoutError:
        raise _silent(ANSWER_TIMEOUT_S) from None
    return Told(host=host, sessions=tuple(sessions.sessions))


async def heap(mount: Mount) -> HeapReply:
    """Return the heap's figures of now. Raises PluginUnusable."""
    try:
        async with asyncio.timeout(ANSWER_TIMEOUT_S):
            host = await _call(mount, "GET", "/v1/host", HostReply)
    except TimeoutError:
        raise _silent(ANSWER_TIMEOUT_S) from None
    _refuse_another(host, mount)
    return host.heap


async def collect(mount: Mount) -> CollectReply:
    """Ask for a full collection, which stops the host's loop while it lasts. Raises PluginUnusable."""
    try:
        async with asyncio.timeout(RELEASE_TIMEOUT_S):
            return await _call(mount, "POST", "/v1/collect", CollectReply)
    except TimeoutError:
        raise _silent(RELEASE_TIMEOUT_S) from None


async def release(mount: Mount, session_id: str) -> ReleaseReply:
    """Ask for the release of one session and wait for the answer. Raises PluginUnusable."""
    from urllib.parse import quote

    try:
        async with asyncio.timeout(RELEASE_TIMEOUT_S):
            return await _call(mount, "POST", f"/v1/sessions/{quote(session_id, safe='')}/release", ReleaseReply)
    except TimeoutError:
        raise _silent(RELEASE_TIMEOUT_S) from None


def _refuse_another(host: HostReply, mount: Mount) -> None:
    if host.pid != mount.pid:
        raise PluginUnusable(f"process {host.pid} answers in place of process {mount.pid}", _RESTART)


def _silent(after_s: float) -> PluginUnusable:
    return PluginUnusable(f"the plugin does not answer within {after_s:.0f} s", _RESTART, silent=True)


def _another() -> PluginUnusable:
    return PluginUnusable("something answers in place of the plugin, or not as it does", _REINSTALL)


async def _call(mount: Mount, method: str, path: str, kind: type[_T]) -> _T:
    try:
        status, body = await _exchange(mount, method, path)
    except OSError as fault:
        raise PluginUnusable(f"the plugin cannot be reached ({type(fault).__name__})", _RESTART) from fault
    except asyncio.IncompleteReadError as fault:
        raise PluginUnusable("the plugin's answer breaks off", _RESTART) from fault
    except (asyncio.LimitOverrunError, ValueError):
        raise _another() from None
    if status in (401, 403):
        raise PluginUnusable("the plugin does not take the token of its own file", _REINSTALL)
    if status != 200:
        raise PluginUnusable(f"the plugin answers with {status}", _REINSTALL)
    try:
        said = msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        _refuse_unless_known(_schema_of(body))
        raise _another() from None
    _refuse_unless_known(_Schema(schema=said.schema))
    return said


def _schema_of(body: bytes) -> _Schema:
    """Return the schema of an answer that is not understood otherwise: it may be of another version."""
    try:
        return msgspec.json.decode(body, type=_Schema)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise _another() from None


async def _exchange(mount: Mount, method: str, path: str) -> tuple[int, bytes]:
    """Send one request and return the status and the body of its answer (RFC 9112, one for each connection).

    Written out as it is asked every few seconds: a whole HTTP library takes 12 MB and five times as long for this, and
    would ask the environment for a proxy, which must not see the token. Raises OSError, IncompleteReadError for an
    answer that breaks off, LimitOverrunError and ValueError for what is no such answer.
    """
    request = (
        f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{mount.port}\r\nauthorization: Bearer {mount.token}\r\n"
        "accept: application/json\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
    )
    reader, writer = await asyncio.open_connection("127.0.0.1", mount.port)
    try:
        writer.write(request.encode("ascii"))
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").rstrip().split("\r\n")
        version, status = first.split(" ", 2)[:2]
        if version not in ("HTTP/1.1", "HTTP/1.0"):
            raise ValueError(version)
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        return int(status), await _body(reader, headers)
    finally:
        writer.close()


async def _body(reader: asyncio.StreamReader, headers: Mapping[str, str]) -> bytes:
    length = headers.get("content-length")
    if length is not None and int(length) > REPLY_LIMIT_BYTES:
        raise _too_much()
    if length is not None:
        return await reader.readexactly(int(length))
    body = bytearray()
    while part := await reader.read(1 << 16):
        body += part
        if len(body) > REPLY_LIMIT_BYTES:
            raise _too_much()
    return bytes(body)


def _too_much() -> PluginUnusable:
    return PluginUnusable("the plugin sends more than can be read", _RESTART)
