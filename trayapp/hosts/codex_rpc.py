"""Codex's daemon, as this program speaks to it: JSON-RPC over a WebSocket on its control socket, with short limits.

Knows the handshake, the few methods that are asked, and how a thread is released: archived, which unloads it and ends
its MCP servers, and brought back at once, which leaves it as it was on disk. `thread/delete` is never called, as it
destroys, and neither is anything that loads a thread. The daemon itself refuses no archive: a turn or a question would
be cut off by it, so that the state is asked right before. The socket is spoken to only where it is our user's, and only
when the process that listens on it is the daemon that was recognised.
"""

from __future__ import annotations

import asyncio
import os
import re
import socket
import stat
import struct
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from trayapp.hosts.files import Stamp, stamp
from trayapp.programs import basename
from trayapp.say import noted

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

_T = TypeVar("_T")

ANSWER_TIMEOUT_S = 4.0
RELEASE_TIMEOUT_S = 6.0
THREADS_LIMIT = 200
"""More loaded threads than these are counted and not asked about."""
REREAD_S = 60.0
"""A thread at rest is read again after this, or as soon as its log was written: one read takes a daemon 9 ms."""
_RELOAD_S = 1.2
"""How long a terminal that shows a thread takes at most to load it again."""
_LOOK_S = 0.2
_TRIES = 3
_REPLY_LIMIT_BYTES = 16 * 1024 * 1024
_BAD_REQUEST, _NO_METHOD = -32600, -32601
_NOT_LOADED = "thread not loaded"
_VERSION = re.compile(r"/(\d+[\w.+-]*)")
_LOCAL_PEERPID = 2
"""LOCAL_PEERPID of macOS's <sys/un.h>; its level SOL_LOCAL is 0."""

LIST, READ, TERMINALS = "thread/loaded/list", "thread/read", "thread/backgroundTerminals/list"
DIAGNOSTICS, ARCHIVE, UNARCHIVE = "server/diagnostics", "thread/archive", "thread/unarchive"
IDLE, ACTIVE, FAILED, NOT_LOADED = "idle", "active", "systemError", "notLoaded"
WAITS_FOR = {
    "waitingOnApproval": noted("It asks for your permission"),
    "waitingOnUserInput": noted("It asks you a question"),
}

_RESTART = noted("If this stays, `codex app-server daemon restart` when nothing runs")
_UPDATE = noted("Update Agent Ring")
_under_way: set[asyncio.Task[str]] = set()
"""Releases that have begun and must come to their end, whoever stops waiting for them."""


class DaemonUnusable(Exception):
    """The daemon cannot be asked; `what` says why, as a sentence without a full stop, and `mend` what helps.

    Attributes:
        silent: it did not answer in time, and is better let be for a while.
        field: what is missing in `where`, or of another shape, when it speaks in another way than is known.
    """

    def __init__(
        self, what: str, mend: str, *, silent: bool = False, where: str | None = None, field: str | None = None
    ) -> None:
        super().__init__(what)
        self.what = what
        self.mend = mend
        self.silent = silent
        self.where = where
        self.field = field


class _Broken(DaemonUnusable):
    """The connection broke or went silent in the middle of something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """Say where a daemon is asked, and which process it must be."""

    path: Path
    pid: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """What a daemon says of one loaded thread.

    Attributes:
        state: of the words above; None = its reply was not understood, see `field`.
        flags: what an active one waits for.
        commands: of its background terminals; None = not told.
        parent: the thread that started it as its sub-agent.
        where, field: what was not understood.
        read_s, written: when it was read, and which version of its log there was before that; None = not known.
    """

    id: str
    state: str | None = None
    flags: tuple[str, ...] = ()
    commands: tuple[str, ...] | None = None
    name: str | None = None
    preview: str = ""
    cwd: str | None = None
    model: str | None = None
    path: str | None = None
    ephemeral: bool = False
    parent: str | None = None
    updated_epoch_s: float | None = None
    where: str = READ
    field: str | None = None
    read_s: float = 0.0
    written: Stamp | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a daemon says of itself and of its threads.

    Attributes:
        gauges: its own counters, such as "mcp.connections.live".
        unasked: how many loaded threads were not asked about.
    """

    version: str | None
    threads: tuple[Thread, ...]
    gauges: Mapping[str, float]
    unasked: int = 0


# -------------------------------------------------------------------------------------------------- what it says


class _Fault(msgspec.Struct):
    code: int = 0
    message: str = ""


class _Params(msgspec.Struct, rename="camel"):
    thread_id: str | None = None


class _Frame(msgspec.Struct):
    id: int | str | None = None
    method: str | None = None
    params: msgspec.Raw = msgspec.Raw()
    result: msgspec.Raw = msgspec.Raw()
    error: _Fault | None = None


class _Hello(msgspec.Struct, rename="camel"):
    user_agent: str = ""


class _Ids(msgspec.Struct, rename="camel"):
    data: list[str]
    next_cursor: str | None = None


class _Status(msgspec.Struct, rename="camel"):
    type: str
    active_flags: list[str] = []


class _Thread(msgspec.Struct, rename="camel"):
    id: str
    status: _Status
    ephemeral: bool
    cwd: str | None = None
    name: str | None = None
    preview: str = ""
    model: str | None = None
    path: str | None = None
    parent_thread_id: str | None = None
    updated_at: float | None = None


class _Read(msgspec.Struct):
    thread: _Thread


class _Terminal(msgspec.Struct):
    command: str = ""


class _Terminals(msgspec.Struct, rename="camel"):
    data: list[_Terminal]
    next_cursor: str | None = None


class _Gauge(msgspec.Struct):
    name: str
    value: float


class _Own(msgspec.Struct):
    id: int


class _Diagnostics(msgspec.Struct):
    process: _Own
    gauges: list[_Gauge] = []


_FRAMES = msgspec.json.Decoder(_Frame)
_TURNS = "core.turns.active"
_STATES = frozenset({IDLE, ACTIVE, FAILED, NOT_LOADED})


# -------------------------------------------------------------------------------------------------- asking


def is_there(door: Door) -> bool:
    """Say whether there is a socket at all; nothing is loaded to speak to none."""
    try:
        return stat.S_ISSOCK(door.path.stat().st_mode)
    except OSError:
        return False


async def ask(door: Door, before: Told | None = None, *, now_s: float = 0.0) -> Told:
    """Ask a daemon for its threads and their states. Raises DaemonUnusable within seconds.

    Of threads that were at rest `before`, and whose logs were not written since, only what runs in the background is
    asked: as long as the daemon counts no turn besides those of the others, nothing of them is new.
    """
    known = {thread.id: thread for thread in before.threads} if before is not None else {}
    written = await asyncio.to_thread(_written, [(thread.id, thread.path) for thread in known.values()])
    async with _Link(door, ANSWER_TIMEOUT_S) as link:
        loaded, diagnostics = await link.ask((LIST, {"limit": THREADS_LIMIT}), (DIAGNOSTICS, {}))
        ids = _decoded(loaded, LIST, _Ids)
        own = _optional(diagnostics, _Diagnostics)
        if own is not None and own.process.id != door.pid:
            raise _another()
        gauges = {gauge.name: gauge.value for gauge in own.gauges} if own is not None else {}
        wanted = ids.data[:THREADS_LIMIT]
        active = gauges.get(_TURNS)
        rests = {
            one: known[one]
            for one in wanted
            if active is not None and one in known and _still_rests(known[one], written.get(one), now_s)
        }
        read = await _read(link, [one for one in wanted if one not in rests], written, now_s)
        if active is not None and active > sum(thread.state == ACTIVE for thread in read.values()):
            read |= await _read(link, [one for one, thread in rests.items() if not thread.ephemeral], written, now_s)
        found = rests | read
        told = [found[one] for one in wanted if one in found]
        asked = [thread for thread in told if thread.state == IDLE and not thread.ephemeral]
        listed = await link.ask(*((TERMINALS, {"threadId": thread.id}) for thread in asked))
        commands = {thread.id: _with_terminals(thread, reply) for thread, reply in zip(asked, listed, strict=True)}
        total = int(gauges.get("core.threads.live", 0)) if ids.next_cursor else 0
        return Told(
            version=link.version,
            threads=tuple(commands.get(thread.id, thread) for thread in told),
            gauges=gauges,
            unasked=max(total - len(wanted), len(ids.data) - len(wanted)),
        )


async def _read(
    link: _Link, ids: Sequence[str], written: Mapping[str, Stamp | None], now_s: float
) -> dict[str, Thread]:
    replies = await link.ask(*((READ, {"threadId": one}) for one in ids))
    threads = (_thread(one, reply) for one, reply in zip(ids, replies, strict=True))
    return {
        thread.id: replace(thread, read_s=now_s, written=written.get(thread.id))
        for thread in threads
        if thread is not None
    }


def _still_rests(thread: Thread, written: Stamp | None, now_s: float) -> bool:
    if thread.ephemeral:
        return True  # what a daemon started for itself is of no interest, whatever it does
    if thread.state != IDLE or thread.field is not None or thread.written is None or thread.written != written:
        return False
    return 0 <= now_s - thread.read_s < REREAD_S


def _written(logs: Iterable[tuple[str, str | None]]) -> dict[str, Stamp | None]:
    found: dict[str, Stamp | None] = {}
    for thread_id, path in logs:
        with suppress(OSError):
            found[thread_id] = stamp(Path(path)) if path is not None else None
    return found


async def release(door: Door, thread_id: str) -> str:
    """Have a daemon unload one thread, and keep it as it is; return what is to be said about that.

    Looks right before whether it works, waits, or has a command in the background. Once it has begun it comes to its
    end even if nobody waits for it any more, since an archived thread is hidden until it is brought back. Raises
    DaemonUnusable: nothing was done then, or what was done is said.
    """
    task = asyncio.create_task(_release(door, thread_id), name="codex-release")
    _under_way.add(task)
    task.add_done_callback(_under_way.discard)
    return await asyncio.shield(task)


async def _release(door: Door, thread_id: str) -> str:
    async with _Link(door, RELEASE_TIMEOUT_S) as link:
        below = await _look_before(link, thread_id)
        if below is None:
            return noted("already released")
        try:
            (reply,) = await link.ask((ARCHIVE, {"threadId": thread_id}))
        except DaemonUnusable as fault:
            # whether it was archived is not known; what is not hidden is not brought back
            await _bring_back_anew(door, (thread_id, *below), fault)
            raise
        if reply.error is not None:
            words = reply.error.message[:120]
            raise DaemonUnusable(noted("its daemon does not archive it: {words}").format(words=words), _RESTART)
        hidden = tuple(dict.fromkeys((thread_id, *link.archived, *below)))
        try:
            await _bring_back(link, hidden)
        except _Broken as fault:
            await _bring_back_anew(door, hidden, fault)
        else:
            with suppress(_Broken):  # it is brought back, whatever becomes of the daemon now
                await _look_after(link, thread_id)
        return noted("unloaded and kept")


async def _look_before(link: _Link, thread_id: str) -> tuple[str, ...] | None:
    """Return the sub-agents of a thread that is at rest; None where it is not loaded. Raises DaemonUnusable."""
    loaded, read, terminals = await link.ask(
        (LIST, {"limit": THREADS_LIMIT}), (READ, {"threadId": thread_id}), (TERMINALS, {"threadId": thread_id})
    )
    thread = _thread(thread_id, read)
    if thread is None or thread.state == NOT_LOADED:
        return None
    thread = _with_terminals(thread, terminals)
    if thread.field is not None:
        raise _not_understood(thread.where, thread.field)
    _refuse_at_work(thread, noted("a turn is running in it"))
    others = [one for one in _decoded(loaded, LIST, _Ids).data if one != thread_id]
    replies = await link.ask(*((READ, {"threadId": one}) for one in others))
    known = {one: _thread(one, reply) for one, reply in zip(others, replies, strict=True)}
    parents = {one: found.parent for one, found in known.items() if found is not None}
    below = tuple(one for one in parents if thread_id in _line_above(one, parents))
    for one in below:
        found = known[one]
        if found is not None:
            _refuse_at_work(found, noted("a subagent of it is at work"))
    return below


def _refuse_at_work(thread: Thread, works: str) -> None:
    if thread.state == ACTIVE:
        raise DaemonUnusable(noted("it waits for you") if thread.flags else works, noted("Look again when it is done"))
    if thread.state != IDLE:
        raise DaemonUnusable(noted("its daemon does not say that it is idle"), _RESTART)
    if thread.commands:
        raise DaemonUnusable(
            noted("a command of it runs in the background: {command}").format(command=program_in(thread.commands[0])),
            noted("Stop it in Codex first: /stop"),
        )


async def _bring_back(link: _Link, hidden: Iterable[str]) -> None:
    """Bring archived threads back. Raises DaemonUnusable."""
    left = list(hidden)
    for _ in range(_TRIES):
        replies = await link.ask(*((UNARCHIVE, {"threadId": one}) for one in left))
        left = [one for one, reply in zip(left, replies, strict=True) if _stays_hidden(reply)]
        if not left:
            return
        await asyncio.sleep(_LOOK_S)
    raise _Broken(noted("its daemon does not bring it back"), _RESTART)


def _stays_hidden(reply: _Frame) -> bool:
    return reply.error is not None and "no archived rollout" not in reply.error.message


async def _bring_back_anew(door: Door, hidden: Sequence[str], before: DaemonUnusable) -> None:
    """Bring threads back over a new connection; raise with the command that does it where that fails as well."""
    try:
        async with _Link(door, ANSWER_TIMEOUT_S) as link:
            await _bring_back(link, hidden)
    except DaemonUnusable:
        what = noted("{what}, and it may be archived now").format(what=before.what)
        mend = noted("`codex unarchive {id}` brings it back").format(id=hidden[0])
        raise DaemonUnusable(what, mend) from None


async def _look_after(link: _Link, thread_id: str) -> None:
    """See that it stays unloaded for a moment. Raises DaemonUnusable where a terminal has loaded it again."""
    loop = asyncio.get_running_loop()
    until_s = loop.time() + _RELOAD_S
    while loop.time() < until_s:
        (reply,) = await link.ask((LIST, {"limit": THREADS_LIMIT}))
        if thread_id in _decoded(reply, LIST, _Ids).data:
            raise DaemonUnusable(
                noted("a terminal that shows it has loaded it again"), noted("Close it there first, then release it")
            )
        await asyncio.sleep(_LOOK_S)


def _line_above(thread_id: str, parents: Mapping[str, str | None]) -> list[str]:
    line: list[str] = []
    above = parents.get(thread_id)
    while above is not None and above not in line:
        line.append(above)
        above = parents.get(above)
    return line


# -------------------------------------------------------------------------------------------------- replies


def program_in(command: str) -> str:
    """Return the program that a command line starts, and no more of it: arguments and variables can hold keys."""
    started = next((word for word in command.split() if "=" not in word), "?")
    return basename(started.strip("\"'"))[:40] or "?"


def _thread(thread_id: str, reply: _Frame) -> Thread | None:
    """Return what a reply says of a thread; None where it went meanwhile."""
    if reply.error is not None:
        if reply.error.message.startswith(_NOT_LOADED):
            return None
        return Thread(id=thread_id, field=_field_of_error(reply.error, READ))
    try:
        found = msgspec.json.decode(reply.result, type=_Read).thread
    except msgspec.MsgspecError as fault:
        return Thread(id=thread_id, field=_field(fault))
    known = found.status.type in _STATES
    return Thread(
        id=thread_id,
        state=found.status.type if known else None,
        flags=tuple(found.status.active_flags),
        name=found.name,
        preview=found.preview,
        cwd=found.cwd,
        model=found.model,
        path=found.path,
        ephemeral=found.ephemeral,
        parent=found.parent_thread_id,
        updated_epoch_s=found.updated_at,
        field=None if known else "thread.status.type",
    )


def _with_terminals(thread: Thread, reply: _Frame) -> Thread:
    if thread.field is not None:
        return thread
    field: str | None = None
    commands: tuple[str, ...] | None = None
    if reply.error is not None:
        field = None if reply.error.message.startswith(_NOT_LOADED) else _field_of_error(reply.error, TERMINALS)
        commands = ()
    else:
        try:
            listed = msgspec.json.decode(reply.result, type=_Terminals).data
            commands = tuple(terminal.command or "?" for terminal in listed)
        except msgspec.MsgspecError as fault:
            field = _field(fault)
    where = thread.where if field is None else TERMINALS
    return replace(thread, commands=commands if field is None else None, field=field, where=where)


def _decoded(reply: _Frame, method: str, shape: type[_T]) -> _T:
    if reply.error is not None:
        raise _not_understood(method, _field_of_error(reply.error, method))
    try:
        return msgspec.json.decode(reply.result, type=shape)
    except msgspec.MsgspecError as fault:
        raise _not_understood(method, _field(fault)) from None


def _optional(reply: _Frame, shape: type[_T]) -> _T | None:
    """Return what only adds to the rest, where it is told."""
    try:
        return msgspec.json.decode(reply.result, type=shape) if reply.error is None else None
    except msgspec.MsgspecError:
        return None


def _field(fault: Exception) -> str:
    """Return the field that an error is about: "thread.status" of "... missing required field `status` - at ..."."""
    words = str(fault)
    at = re.search(r"at `\$\.?([^`]*)`", words)
    missing = re.search(r"missing required field `([^`]*)`", words)
    return ".".join(part for part in (at[1] if at else "", missing[1] if missing else "") if part) or "result"


def _field_of_error(error: _Fault, method: str) -> str:
    """Return what of a request is not known there any more."""
    return method if error.code in (_BAD_REQUEST, _NO_METHOD) else f"error {error.code}"


# -------------------------------------------------------------------------------------------------- the connection


class _Link:
    """Hold one connection for a few questions; everything within its time, however the daemon behaves."""

    def __init__(self, door: Door, timeout_s: float) -> None:
        self._door = door
        self._timeout_s = timeout_s
        self._connection: ClientConnection | None = None
        self._last_id = 0
        self._until_s = 0.0
        self.version: str | None = None
        self.archived: list[str] = []

    async def __aenter__(self) -> _Link:
        from websockets.asyncio.client import connect
        from websockets.exceptions import InvalidHandshake

        loop = asyncio.get_running_loop()
        self._until_s = loop.time() + self._timeout_s
        plain, address = await asyncio.to_thread(_open, self._door)
        try:
            async with asyncio.timeout_at(self._until_s):
                await loop.sock_connect(plain, address)
                _check_peer(plain, self._door)
                self._connection = await connect(
                    "ws://localhost/",
                    sock=plain,
                    proxy=None,
                    compression=None,
                    max_size=_REPLY_LIMIT_BYTES,
                    ping_interval=None,
                    close_timeout=0.5,
                )
        except BaseException as fault:
            plain.close()
            if isinstance(fault, TimeoutError):
                raise _silent(self._timeout_s) from None
            if isinstance(fault, (OSError, EOFError, InvalidHandshake, ValueError)):
                what = noted("its socket cannot be reached ({kind})").format(kind=type(fault).__name__)
                raise DaemonUnusable(what, _RESTART, silent=True) from None
            raise
        try:
            await self._shake_hands()
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._connection is not None:
            connection, self._connection = self._connection, None
            await connection.close()
            await connection.wait_closed()

    async def _shake_hands(self) -> None:
        from trayapp import __version__

        hello = {
            "clientInfo": {"name": "agentring", "title": "Agent Ring", "version": __version__},
            "capabilities": {"experimentalApi": True},
        }
        (reply,) = await self.ask(("initialize", hello))
        found = _VERSION.search(_decoded(reply, "initialize", _Hello).user_agent)
        self.version = found[1] if found is not None else None
        await self._send({"method": "initialized"})

    async def ask(self, *requests: tuple[str, Mapping[str, Any]]) -> list[_Frame]:
        """Send requests together and return their replies in that order. Raises DaemonUnusable."""
        from websockets.exceptions import ConnectionClosed

        replies: dict[int | str | None, _Frame] = {}
        try:
            async with asyncio.timeout_at(self._until_s):
                ids = [await self._request(method, params) for method, params in requests]
                while len(replies) < len(ids):
                    frame = await self._next()
                    if frame.method is not None:
                        self._note(frame)
                    elif frame.id in ids:
                        replies[frame.id] = frame
        except TimeoutError:
            raise _silent(self._timeout_s) from None
        except (ConnectionClosed, OSError):
            raise _Broken(noted("it closed the connection"), _RESTART, silent=True) from None
        return [replies[one] for one in ids]

    async def _request(self, method: str, params: Mapping[str, Any]) -> int:
        self._last_id += 1
        await self._send({"id": self._last_id, "method": method, "params": params})
        return self._last_id

    async def _send(self, message: Mapping[str, Any]) -> None:
        if self._connection is None:
            raise OSError("closed")
        await self._connection.send(msgspec.json.encode(message).decode())

    async def _next(self) -> _Frame:
        if self._connection is None:
            raise OSError("closed")
        try:
            return _FRAMES.decode(await self._connection.recv())
        except (msgspec.MsgspecError, UnicodeDecodeError) as fault:
            raise _not_understood("JSON-RPC", _field(fault)) from None

    def _note(self, frame: _Frame) -> None:
        """Note which threads an archive took along: the sub-agents of the one that was asked for."""
        if frame.method == "thread/archived":
            try:
                archived = msgspec.json.decode(frame.params, type=_Params).thread_id
            except msgspec.MsgspecError:
                return
            if archived is not None:
                self.archived.append(archived)


def _open(door: Door) -> tuple[socket.socket, str]:
    """Return an unconnected socket and its address, for a door that is our user's; raise DaemonUnusable for another.

    What stands in the home is a link, as an address may only be short.
    """
    family = getattr(socket, "AF_UNIX", None)
    if family is None:
        raise DaemonUnusable(noted("its socket cannot be used on this system"), _UPDATE)
    try:
        found = door.path.stat()
    except OSError as fault:
        what = noted("its socket is not there ({error})").format(error=fault.strerror)
        raise DaemonUnusable(what, _RESTART) from None
    if not stat.S_ISSOCK(found.st_mode):
        raise DaemonUnusable(noted("what should be its socket is none"), _RESTART)
    if found.st_uid != os.getuid():
        raise DaemonUnusable(
            noted("its socket is another user's"), noted("Nothing is asked there; look who put it there")
        )
    plain = socket.socket(family, socket.SOCK_STREAM)
    plain.setblocking(False)
    return plain, os.path.realpath(door.path)


def _check_peer(plain: socket.socket, door: Door) -> None:
    """Raise DaemonUnusable where another process than the daemon listens."""
    pid = _peer_pid(plain)
    if pid is not None and pid != door.pid:
        raise _another()


def _peer_pid(plain: socket.socket) -> int | None:
    """Return who listens at the other end (unix(7), SO_PEERCRED; LOCAL_PEERPID on macOS); None = not told."""
    system: str = sys.platform
    try:
        if system == "linux":
            return int(struct.unpack("3i", plain.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0])
        if system == "darwin":
            return plain.getsockopt(0, _LOCAL_PEERPID)
    except OSError:
        return None
    return None


def _another() -> DaemonUnusable:
    return DaemonUnusable(noted("another process than this daemon listens on its socket"), _RESTART)


def _silent(timeout_s: float) -> _Broken:
    what = noted("it does not answer within {seconds} s").format(seconds=f"{timeout_s:g}")
    return _Broken(what, _RESTART, silent=True)


def _not_understood(where: str, field: str) -> DaemonUnusable:
    what = noted("it does not speak as is known: “{field}” in {where}").format(field=field, where=where)
    return DaemonUnusable(what, _UPDATE, where=where, field=field)
