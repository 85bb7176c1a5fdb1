"""Craft Agents' server, as this program speaks to it: one WebSocket, on this computer only.

Knows the handshake, the codes with which the server closes, and the few channels that are asked. What a server can do
is read from the channels that it names, never from its version. `sessions:getMessages` is never asked, as it would load
whole transcripts into the server's memory, and `sessions:delete` never, as it destroys the session and leaks its
helpers. The token goes to nobody but the process that it was given for: to a port on which that process listens, past
every proxy.
"""

from __future__ import annotations

import asyncio
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

PROTOCOL = "1.0"
ANSWER_TIMEOUT_S = 2.0
COMMAND_TIMEOUT_S = 8.0
"""Closing a stubborn helper takes the server 2 s and a signal."""
IDLE_S = 120.0
"""A connection that nobody has used for so long is closed."""
_REPLY_LIMIT_BYTES = 16 * 1024 * 1024
_REFUSED, _WRONG_PROTOCOL, _FULL = 4005, 4004, 4008

SESSIONS, COMMAND = "sessions:get", "sessions:command"
RELEASE_CHANNELS = ("sessions:release", "sessions:evict", "sessions:dispose")
"""Names under which a newer server may offer to let go of a session's backend; each channel of one session takes its id
first. Others that sound alike are told by `agentring doctor` and not tried."""
_SOUNDS_LIKE_RELEASE = re.compile(r"^sessions?:\w*(release|evict|dispose)", re.IGNORECASE)


class RpcUnusable(Exception):
    """The server cannot be asked; `what` says why, as a sentence without a full stop, and `mend` what helps.

    `lasting` says that asking again is of no use until the token or the server is another one.
    """

    def __init__(self, what: str, mend: str, *, lasting: bool = False) -> None:
        super().__init__(what)
        self.what = what
        self.mend = mend
        self.lasting = lasting


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Say where a server is asked; `cert` is its own certificate, where it has one. The token is not shown."""

    host: str
    port: int
    token: str = field(repr=False)
    cert: str | None = None

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'wss' if self.cert else 'ws'}://{host}:{self.port}"


class Told(msgspec.Struct, rename="camel"):
    """What `sessions:get` says of one session, as far as it is used."""

    id: str
    session_folder_path: str | None = None
    workspace_id: str | None = None
    is_processing: bool = False
    last_message_at: float | None = None
    enabled_source_slugs: list[str] | None = None
    sdk_session_id: str | None = None
    name: str | None = None

    @property
    def last_message_epoch_s(self) -> float | None:
        return self.last_message_at / 1000 if self.last_message_at is not None else None


class _Fault(msgspec.Struct):
    code: str = ""
    message: str = ""


class _Frame(msgspec.Struct, rename="camel"):
    """Any frame that the server sends; what is not used is left raw."""

    type: str = ""
    id: str | None = None
    channel: str | None = None
    result: msgspec.Raw = msgspec.Raw()
    error: _Fault | None = None
    server_version: str | None = None
    registered_channels: list[str] = []


_DECODER = msgspec.json.Decoder(_Frame)


class Link:
    """Hold one open connection; belongs to the loop in which it was made. A task of its own reads it, and closes it
    when nobody asks any more, when the server says that it ends, or when that task is cancelled."""

    def __init__(self, connection: ClientConnection, hello: _Frame, address: Address) -> None:
        self.address = address
        self.version = hello.server_version
        self.channels = frozenset(hello.registered_channels)
        self._connection = connection
        self._waiting: dict[str, asyncio.Future[_Frame]] = {}
        self._loop = asyncio.get_running_loop()
        self._used_s = self._loop.time()
        self._leaving = False
        self._reader = asyncio.create_task(self._read(), name="craft-rpc")

    @property
    def is_open(self) -> bool:
        """Say whether it stands, as far as is known."""
        return not self._leaving and not self._reader.done() and not self._loop.is_closed()

    @property
    def is_usable(self) -> bool:
        """Say whether it can be used in the loop that runs now."""
        return self.is_open and self._loop is asyncio.get_running_loop()

    @property
    def release_channel(self) -> str | None:
        """Return the channel by which this server lets go of a session, where it has one of a known name."""
        return next((name for name in RELEASE_CHANNELS if name in self.channels), None)

    @property
    def unknown_release_channels(self) -> tuple[str, ...]:
        """Return channels that sound as if they released a session, and are not known here."""
        return tuple(sorted(c for c in self.channels - {*RELEASE_CHANNELS} if _SOUNDS_LIKE_RELEASE.match(c)))

    async def sessions(self) -> tuple[Told, ...]:
        """Return what the server says of the sessions of all workspaces. Raises RpcUnusable within seconds."""
        result = await self._call(SESSIONS, timeout_s=ANSWER_TIMEOUT_S)
        try:
            return tuple(msgspec.json.decode(result or b"[]", type=list[Told]))
        except msgspec.MsgspecError:
            raise _another() from None

    async def close_helpers(self, session_id: str) -> None:
        """Have a session's sources switched off, which closes their helpers. Raises RpcUnusable."""
        off: Mapping[str, Any] = {"type": "setSources", "sourceSlugs": []}
        await self._call(COMMAND, session_id, off, timeout_s=COMMAND_TIMEOUT_S)

    async def release(self, channel: str, session_id: str) -> None:
        """Have the server itself let go of a session's backend. Raises RpcUnusable."""
        await self._call(channel, session_id, timeout_s=COMMAND_TIMEOUT_S)

    async def close(self) -> None:
        """Close the connection in order; returns when it is closed."""
        if not self.is_usable:
            return
        self._reader.cancel()
        await asyncio.gather(self._reader, return_exceptions=True)

    async def _call(self, channel: str, *args: Any, timeout_s: float) -> bytes:
        from websockets.exceptions import ConnectionClosed

        if channel not in self.channels:
            raise RpcUnusable(f"the server offers no {channel}", "Update Craft Agents", lasting=True)
        if not self.is_usable:
            raise _gone()
        request_id = str(uuid.uuid4())
        answer: asyncio.Future[_Frame] = self._loop.create_future()
        self._waiting[request_id] = answer
        self._used_s = self._loop.time()
        request = {"id": request_id, "type": "request", "channel": channel, "args": list(args)}
        try:
            async with asyncio.timeout(timeout_s):
                await self._connection.send(msgspec.json.encode(request).decode())
                frame = await answer
        except TimeoutError:
            raise RpcUnusable(f"the server does not answer within {timeout_s:.0f} s", "It is asked again") from None
        except (ConnectionClosed, OSError):
            raise _gone() from None
        finally:
            self._waiting.pop(request_id, None)
        if frame.error is not None:
            # the server's words may repeat what was asked, which is no secret: a channel and a session's id
            raise RpcUnusable(f"the server answers: {frame.error.message or frame.error.code}", "Look at its log")
        return bytes(frame.result)

    async def _read(self) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            while not self._leaving:
                try:
                    data = await asyncio.wait_for(self._connection.recv(), IDLE_S)
                except TimeoutError:
                    if self._loop.time() - self._used_s >= IDLE_S:
                        return
                    continue
                self._take(data)
        except ConnectionClosed:
            return
        finally:
            self._end_with(_gone())
            await _close(self._connection)

    def _end_with(self, fault: RpcUnusable) -> None:
        """Answer what still waits with a fault; the connection is not used any more."""
        self._leaving = True
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(fault)

    def _take(self, data: str | bytes) -> None:
        try:
            frame = _DECODER.decode(data)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            self._end_with(_another())
            return
        if frame.type == "event" and frame.channel == "server:shuttingDown":
            self._leaving = True
            return
        answer = self._waiting.get(frame.id or "")
        if answer is not None and not answer.done():
            answer.set_result(frame)


async def connect(address: Address) -> Link:
    """Open a connection and shake hands. Raises RpcUnusable within seconds; a refused token is lasting."""
    from websockets.asyncio.client import connect as open_connection
    from websockets.exceptions import ConnectionClosed, InvalidHandshake

    try:
        async with asyncio.timeout(ANSWER_TIMEOUT_S):
            connection = await open_connection(
                address.url,
                proxy=None,
                compression=None,
                ssl=_trusting(address.cert) if address.cert else None,
                max_size=_REPLY_LIMIT_BYTES,
                ping_interval=None,
                close_timeout=1.0,
            )
            try:
                return Link(connection, await _shake_hands(connection, address), address)
            except BaseException:
                await _close(connection)
                raise
    except TimeoutError:
        what = f"the server does not answer within {ANSWER_TIMEOUT_S:.0f} s"
        raise RpcUnusable(what, "It is asked again in a while") from None
    except ConnectionClosed as closed:
        raise _closed(closed.rcvd.code if closed.rcvd is not None else None) from None
    except (OSError, InvalidHandshake, ValueError) as fault:
        what = f"the server cannot be reached at {address.url} ({type(fault).__name__})"
        raise RpcUnusable(what, "It is asked again in a while") from None


async def _shake_hands(connection: ClientConnection, address: Address) -> _Frame:
    own = str(uuid.uuid4())
    hello = {"id": own, "type": "handshake", "protocolVersion": PROTOCOL, "token": address.token}
    await connection.send(msgspec.json.encode(hello).decode())
    while True:
        try:
            frame = _DECODER.decode(await connection.recv())
        except (msgspec.MsgspecError, UnicodeDecodeError):
            raise _another() from None
        if frame.type == "handshake_ack":
            return frame
        if frame.type == "error" and frame.error is not None:
            code = {"AUTH_FAILED": _REFUSED, "PROTOCOL_VERSION_UNSUPPORTED": _WRONG_PROTOCOL}.get(frame.error.code)
            raise _closed(code)


async def _close(connection: ClientConnection) -> None:
    """Close a connection and wait until its socket is closed as well."""
    await connection.close()
    await connection.wait_closed()


def _trusting(cert: str) -> Any:
    """Trust the server's own certificate and no other; it need not name this address."""
    import ssl

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.load_verify_locations(cert)
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    return context


def _closed(code: int | None) -> RpcUnusable:
    if code == _REFUSED:
        return RpcUnusable(
            "the server does not take the token",
            "Correct `secret` under [hosts.craft-agents] in the settings; it is not tried again until it is another",
            lasting=True,
        )
    if code == _WRONG_PROTOCOL:
        return RpcUnusable(f"the server does not speak protocol {PROTOCOL}", "Update Agent Ring", lasting=True)
    if code == _FULL:
        return RpcUnusable("the server takes no more connections", "Close some of its clients")
    return RpcUnusable(f"the server closed the connection (code {code})", "It is asked again in a while")


def _gone() -> RpcUnusable:
    return RpcUnusable("the connection to the server ended", "It is opened again")


def _another() -> RpcUnusable:
    return RpcUnusable("something answers in place of the server, or not as it does", "Look at what uses its port")
