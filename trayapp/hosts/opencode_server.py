"""The HTTP server of OpenCode, as one monitor may use it: on loopback, with short limits, read and dispose only.

Knows the addresses and reply shapes of 1.18. No password is ever read or sent: a server that asks for one is told as
not readable. Status is asked only for folders in which a session was used since the server began, as asking for another
one makes the server load it. `DELETE` is never sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import msgspec

if TYPE_CHECKING:
    import httpx

_T = TypeVar("_T")

ANSWER_TIMEOUT_S = 2.0
LOOK_TIMEOUT_S = 4.0
DISPOSE_TIMEOUT_S = 8.0
REPLY_LIMIT_BYTES = 4 * 1024 * 1024
_FOLDERS_LIMIT = 8
_LISTS_ALL_FOLDERS = (1, 18)
"""Older servers pass an address that they do not know on to the maker's web site, so it is not tried there."""
_PORTS_LIMIT = 4


class ServerUnreadable(Exception):
    """The server cannot be used; the text says why, as a sentence without a full stop."""


class _Health(msgspec.Struct):
    healthy: bool = False
    version: str | None = None


class _Time(msgspec.Struct):
    updated: float
    created: float | None = None


class _Model(msgspec.Struct):
    id: str | None = None


class _Session(msgspec.Struct):
    id: str
    time: _Time
    directory: str = ""
    title: str | None = None
    parent_id: str | None = msgspec.field(default=None, name="parentID")
    model: _Model | None = None


class _Status(msgspec.Struct):
    type: str = ""


class _Asked(msgspec.Struct):
    session_id: str = msgspec.field(name="sessionID")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSession:
    """One session that was used since the server began.

    `status` is the server's own word ("busy", "retry"); None = it lists no running turn. `asks` is "permission" or
    "question" while it waits for the user.
    """

    session_id: str
    directory: str
    updated_epoch_s: float
    title: str | None = None
    parent_id: str | None = None
    model: str | None = None
    status: str | None = None
    asks: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerReading:
    """Hold what one server told."""

    address: str
    version: str | None
    sessions: tuple[ServerSession, ...]


async def look(
    ports: Collection[int],
    *,
    since_epoch_s: float,
    not_ids: Collection[str] = (),
    not_folders: Collection[str] = (),
) -> ServerReading:
    """Ask the server behind one of `ports` for the sessions used since then. Raises ServerUnreadable within seconds.

    Left out, and not asked for, are sessions that other processes have open: by id, or by the folder that they run in.
    """
    if not ports:
        raise ServerUnreadable("it listens on no port that could be found")
    try:
        async with asyncio.timeout(LOOK_TIMEOUT_S), _client() as client:
            address, version = await _find(client, sorted(ports)[:_PORTS_LIMIT])
            sessions = [
                session
                for session in await _sessions(client, address, version, since_epoch_s)
                if session.id not in not_ids and session.directory not in not_folders
            ]
            folders = list(dict.fromkeys(s.directory for s in sessions))[:_FOLDERS_LIMIT]
            statuses: dict[str, str] = {}
            asks: dict[str, str] = {}
            for folder in folders:
                query = {"directory": folder}
                status = await _get(client, f"{address}/session/status", dict[str, _Status], query)
                statuses |= {session_id: said.type for session_id, said in (status or {}).items()}
                for what in ("permission", "question"):
                    asked = await _get(client, f"{address}/{what}", list[_Asked], query)
                    asks |= {one.session_id: what for one in asked or ()}
    except TimeoutError:
        raise ServerUnreadable("its server does not answer") from None
    return ServerReading(
        address=address,
        version=version,
        sessions=tuple(
            ServerSession(
                session_id=session.id,
                directory=session.directory,
                updated_epoch_s=session.time.updated / 1000,
                title=session.title,
                parent_id=session.parent_id,
                model=session.model.id if session.model is not None else None,
                status=None if (said := statuses.get(session.id)) == "idle" else said,
                asks=asks.get(session.id),
            )
            for session in sessions
        ),
    )


async def dispose(address: str, *, directory: str | None) -> str:
    """Ask the server to end its helpers, of one folder or of all; sessions stay. Return its answer in words.

    Raises ServerUnreadable.
    """
    import httpx

    path = "/global/dispose" if directory is None else "/instance/dispose"
    query = {} if directory is None else {"directory": directory}
    try:
        async with asyncio.timeout(DISPOSE_TIMEOUT_S), _client(DISPOSE_TIMEOUT_S) as client:
            response = await client.post(address + path, params=query)
    except (TimeoutError, httpx.TimeoutException):
        raise ServerUnreadable("its server does not answer") from None
    except httpx.HTTPError as fault:
        raise ServerUnreadable(f"its server cannot be reached ({type(fault).__name__})") from fault
    if response.status_code != 200:
        raise ServerUnreadable(f"its server answered {response.status_code}")
    return "its helpers are being ended"


def _client(timeout_s: float = ANSWER_TIMEOUT_S) -> httpx.AsyncClient:
    import httpx  # 12 MB and 0.15 s, only where such a server runs

    # trust_env: a proxy from the environment must not see requests to this machine
    return httpx.AsyncClient(timeout=httpx.Timeout(timeout_s, connect=1.0), trust_env=False, follow_redirects=False)


async def _find(client: httpx.AsyncClient, ports: Collection[int]) -> tuple[str, str | None]:
    """Return the address and version of the first port that answers as OpenCode does."""
    fault: ServerUnreadable | None = None
    for port in ports:
        address = f"http://127.0.0.1:{port}"
        try:
            health = await _get(client, f"{address}/global/health", _Health)
        except ServerUnreadable as unreadable:
            fault = fault or unreadable
            continue
        if health is not None and health.healthy:
            return address, health.version
        fault = fault or ServerUnreadable("its server does not say that it is healthy")
    assert fault is not None
    raise fault


async def _sessions(
    client: httpx.AsyncClient, address: str, version: str | None, since_epoch_s: float
) -> list[_Session]:
    """Return sessions updated since then: of all folders where the server can tell, else of its own."""
    found = None
    if _at_least(version, _LISTS_ALL_FOLDERS):
        found = await _get(client, f"{address}/experimental/session", list[_Session], {"limit": "100"})
    if found is None:
        found = await _get(client, f"{address}/session", list[_Session]) or []
    return [session for session in found if session.time.updated / 1000 >= since_epoch_s]


def _at_least(version: str | None, wanted: tuple[int, int]) -> bool:
    parts = (version or "").split(".")[:2]
    return len(parts) == 2 and all(part.isdigit() for part in parts) and tuple(map(int, parts)) >= wanted


async def _get(client: httpx.AsyncClient, url: str, kind: type[_T], query: dict[str, str] | None = None) -> _T | None:
    """Return a decoded reply, None for an address that this version does not have."""
    import httpx

    try:
        async with client.stream("GET", url, params=query) as response:
            if response.status_code in (401, 403):
                raise ServerUnreadable("its server asks for a password, so its sessions cannot be read")
            if response.status_code == 404:
                return None
            body = b""
            async for part in response.aiter_bytes():
                body += part
                if len(body) > REPLY_LIMIT_BYTES:
                    raise ServerUnreadable("its server sends more than can be read")
            if response.status_code != 200:
                raise ServerUnreadable(f"its server answers with {response.status_code}")
    except httpx.TimeoutException:
        raise ServerUnreadable("its server does not answer") from None
    except httpx.HTTPError as fault:
        raise ServerUnreadable(f"its server cannot be reached ({type(fault).__name__})") from fault
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise ServerUnreadable("its server answers something that is not known here") from None
