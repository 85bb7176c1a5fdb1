"""The server half of the fake craft-agents: its RPC, its sessions on disk, and the real processes that it starts.

Runs in a process of its own whose command line is a server's (tests/hosts/craft_fake.py starts it and tells it what to
do over a control socket, which no client sees). Behaves as 0.10.0 was seen to behave in the recordings of
recorded/craft/; where 0.11 differs, `keep_claude` decides. It never evicts a backend, as the real one.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import time
import uuid
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any, cast

from websockets.asyncio.server import Server as WebSocketServer
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from tests.hosts.craft_fake_child import append, become, opening

HERE = Path(__file__).parent
PROTOCOL = "1.0"
AUTH, VERSION, EARLY, BAD, LATE, FULL = 4005, 4004, 4003, 4002, 4001, 4008
MAX_CLIENTS = 50
SDK_VERSION = "0.2.123"
MCP_CONFIG = '{"mcpServers":{"craft-agents-docs":{"type":"http","url":"https://agents.craft.do/docs/mcp"}}}'
NO_TOKENS = {"inputTokens": 0, "outputTokens": 0, "totalTokens": 0, "contextTokens": 0, "costUsd": 0}
ADJECTIVES = "amber awake brave calm clear eager fresh gentle light neat quiet rapid smart steady warm young".split()
NOUNS = "brook cedar coral delta elm field grove harbor leaf maple ocean pebble ruby slate stone willow".split()
RPC_FIELDS = (
    "id workspaceRootPath sdkSessionId sdkCwd createdAt lastUsedAt lastMessageAt name isFlagged sessionStatus "
    "enabledSourceSlugs permissionMode workingDirectory model llmConnection connectionLocked thinkingLevel isArchived "
    "preview lastMessageRole tokenUsage messageCount lastFinalMessageId"
).split()
FOLDED = ("workspaceRootPath", "sdkCwd", "workingDirectory")
"""Paths that a header on disk tells with `~`."""

Json = Any


class HandlerError(Exception):
    """What a handler throws; the client gets HANDLER_ERROR with its text."""


# ------------------------------------------------------------------------------------------------- what lies on disk


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def registered_channels() -> list[str]:
    """Return the 210 channels that 0.10.0 registers, as recorded."""
    for line in (HERE / "recorded" / "craft" / "handshake.jsonl").read_text(encoding="utf-8").splitlines():
        frame = json.loads(line)["frame"]
        if isinstance(frame, dict) and frame.get("type") == "handshake_ack":
            return cast("list[str]", frame["registeredChannels"])
    raise ValueError("no handshake_ack was recorded")


def folded(path: str, home: str) -> str:
    return "~" + path[len(home) :] if path == home or path.startswith(home + "/") else path


def unfolded(path: str, home: str) -> str:
    return home + path[1:] if path == "~" or path.startswith("~/") else path


def new_session_id(taken: Callable[[str], bool]) -> str:
    """Make an id as the host does: date, adjective, noun, and a number if that is taken."""
    stem = time.strftime("%y%m%d") + f"-{random.choice(ADJECTIVES)}-{random.choice(NOUNS)}"
    return next(name for n in range(1, 1000) if not taken(name := stem if n == 1 else f"{stem}-{n}"))


def write_session(folder: Path, header: dict[str, Json], messages: list[dict[str, Json]], home: str) -> None:
    """Write `session.jsonl` as the host does: another file, the old one gone for a moment, then renamed."""
    shown = {name: folded(value, home) if name in FOLDED else value for name, value in header.items()}
    shown["messageCount"] = len(messages)
    first = next((message for message in messages if message["type"] == "user"), None)
    if first is not None:
        shown["preview"] = first["content"][:150]
    shown.setdefault("tokenUsage", NO_TOKENS)
    written = folder / "session.jsonl.tmp"
    written.write_text("".join(json.dumps(line) + "\n" for line in (shown, *messages)), encoding="utf-8")
    (folder / "session.jsonl").unlink(missing_ok=True)
    written.rename(folder / "session.jsonl")


def user_message(text: str, at_ms: int) -> dict[str, Json]:
    return {"id": message_id(at_ms), "type": "user", "content": text, "timestamp": at_ms, "attachments": []}


def answer_message(text: str, at_ms: int, turn_id: str) -> dict[str, Json]:
    said = {"id": message_id(at_ms), "type": "assistant", "content": text, "timestamp": at_ms}
    return {**said, "isIntermediate": False, "turnId": turn_id}


def message_id(at_ms: int) -> str:
    return f"msg-{at_ms}-" + "".join(random.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=6))


def claude_log(claude_config: str, cwd: str, sdk_id: str) -> str:
    return f"{claude_config}/projects/{re.sub('[^A-Za-z0-9]', '-', cwd)}/{sdk_id}.jsonl"


def claude_turn(
    sdk_id: str, cwd: str, model: str, text: str, answer: str, *, first: bool
) -> tuple[list[str], list[str]]:
    """Return the lines that a claude appends when a turn begins, and those that it appends when it ends."""
    asked, answered = str(uuid.uuid4()), str(uuid.uuid4())
    here = {"userType": "external", "entrypoint": "sdk-ts", "cwd": cwd, "sessionId": sdk_id, "version": "2.1.123"}
    queued = {"type": "queue-operation", "timestamp": "@NOW@", "sessionId": sdk_id}
    user = {"parentUuid": None, "isSidechain": False, "type": "user", "message": {"role": "user", "content": text}}
    message = {
        "id": "msg_fake",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [{"type": "text", "text": answer}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 5, "output_tokens": 3},
    }
    now: list[dict[str, Json]] = [
        {**queued, "operation": "enqueue", "content": text},
        {**queued, "operation": "dequeue"},
        {**user, "uuid": asked, "timestamp": "@NOW@", **here},
    ]
    if first:
        attached = {"parentUuid": asked, "isSidechain": False, "type": "attachment", "attachment": {"type": "hook"}}
        now.append({**attached, "uuid": str(uuid.uuid4()), "timestamp": "@NOW@", **here})
    said = {"parentUuid": asked, "isSidechain": False, "message": message, "type": "assistant", "uuid": answered}
    last = [{**said, "timestamp": "@NOW@", **here}, {"type": "last-prompt", "lastPrompt": text, "sessionId": sdk_id}]
    return [json.dumps(line) for line in now], [json.dumps(line) for line in last]


def shift_log(path: Path, by_s: float) -> None:
    """Make a log older: every time in its lines, and its own. It stays the same file."""

    def shifted(match: re.Match[str]) -> str:
        at_s = time_s(match[1]) - by_s
        return f'"timestamp": "{time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at_s))}.{int(at_s % 1 * 1000):03d}Z"'

    text = re.sub(r'"timestamp": "([^"]+)"', shifted, path.read_text(encoding="utf-8"))
    with path.open("r+", encoding="utf-8") as log:
        log.write(text)
        log.truncate()
    old_s = path.stat().st_mtime - by_s
    os.utime(path, (old_s, old_s))


def time_s(iso: str) -> float:
    from datetime import datetime

    return datetime.fromisoformat(iso).timestamp()


# -------------------------------------------------------------------------------------------------- its processes


@dataclass(slots=True, eq=False)
class Child:
    """Know one process that the server started.

    Attributes:
        session: folder of the session that it was really started for: what an adapter has to find out.
        done: set when the turn that runs in it is over, True, or when it ended, False.
    """

    process: subprocess.Popen[bytes]
    role: str
    session: str
    slug: str | None = None
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    done: asyncio.Future[bool] | None = None
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    tools: list[int] = field(default_factory=list)

    @property
    def pid(self) -> int:
        return self.process.pid

    def tell(self, word: str, *said: object) -> None:
        assert self.process.stdin is not None
        with suppress(OSError):
            self.process.stdin.write(repr((word, *said)).encode() + b"\n")

    def runs(self) -> bool:
        return not self.gone.is_set()


@dataclass(slots=True, eq=False)
class Session:
    """Hold one session.

    Attributes:
        header: its fields as RPC tells them, paths in full.
        agent: it was given a backend object, which stays for ever; backend: the process of that, if there is one.
        helpers: the connected sources; a helper that somebody ended stays here, as in the real pool.
        lost: backends that the server has no reference to any more.
    """

    workspace: dict[str, Json]
    folder: Path
    header: dict[str, Json]
    messages: list[dict[str, Json]] = field(default_factory=list)
    agent: bool = False
    backend: Child | None = None
    helpers: dict[str, Child] = field(default_factory=dict)
    lost: list[Child] = field(default_factory=list)
    turns: int = 0
    processing: bool = False
    silent: bool = False
    used_at: int = 0
    queue: list[str] = field(default_factory=list)
    turn: asyncio.Task[None] | None = None
    saving: asyncio.TimerHandle | None = None

    @property
    def id(self) -> str:
        return str(self.header["id"])


@dataclass(slots=True, eq=False)
class Client:
    """Hold one connection; `seq` counts the events that it was sent."""

    socket: ServerConnection
    id: str
    workspace_id: str | None
    seq: int = 0


class FakeServer:
    """Serve, as `settings` say (see craft_fake.Settings, whose fields these are, and `layout`, where things lie)."""

    def __init__(self, settings: dict[str, Json], root: Path) -> None:
        self.settings = settings
        self.root = root
        self.home = os.environ["HOME"]
        self.config = Path(os.environ.get("CRAFT_CONFIG_DIR", f"{self.home}/.craft-agent"))
        self.claude_config = os.environ.get("CLAUDE_CONFIG_DIR", f"{self.home}/.claude")
        self.checkout = os.getcwd()
        self.environ = dict(os.environ)
        self.began_s = time.monotonic()
        self.mood: dict[str, Json] = dict(settings["mood"])
        self.channels = [*registered_channels(), *settings["more_channels"]]
        self.clients: dict[str, Client] = {}
        self.known_clients: set[str] = set()
        self.workspaces: list[dict[str, Json]] = []
        self.connections: list[dict[str, Json]] = []
        self.sessions: dict[str, Session] = {}
        self.leaked: list[Child] = []
        self.children: dict[int, Child] = {}
        self.tasks: set[asyncio.Task[Json]] = set()
        self.ends = asyncio.Event()
        self.handlers: dict[str, Callable[..., Json]] = {
            "server:getStatus": self.get_status,
            "server:getHealth": self.get_health,
            "server:getWorkspaces": lambda: [
                {name: w[name] for name in ("name", "slug", "id")} for w in self.workspaces
            ],
            "workspaces:get": lambda: [
                {**{name: w[name] for name in ("name", "rootPath", "slug", "id", "createdAt")}} for w in self.workspaces
            ],
            "server:getActiveSessions": self.get_active_sessions,
            "server:homeDir": lambda: self.home,
            "system:versions": lambda: {"node": "26.3.0"},
            "server:createWorkspace": self.create_workspace,
            "sessions:getUnreadSummary": self.unread_summary,
            "sessions:create": self.create_session,
            "sessions:getMessages": self.get_messages,
            "sessions:sendMessage": self.send_message,
            "sessions:cancel": self.cancel,
            "sessions:delete": self.delete,
            "sessions:command": self.command,
            "LLM_Connection:list": lambda: self.connections,
            "LLM_Connection:listWithStatus": lambda: [
                {**c, "isAuthenticated": c["authType"] == "none", "isDefault": c["slug"] == self.default_connection}
                for c in self.connections
            ],
            "LLM_Connection:save": self.save_connection,
            "LLM_Connection:setDefault": self.set_default_connection,
        }
        for channel in settings["more_channels"]:
            self.handlers[channel] = self.release
        self.default_connection = "pi-local"

    # -------------------------------------------------------------------------------------------- starting, ending

    async def live(self) -> None:
        loop = asyncio.get_running_loop()
        self.load()
        self.write_lock()
        loop.add_signal_handler(signal.SIGTERM, self.ends.set)
        loop.add_signal_handler(signal.SIGINT, self.ends.set)
        control = await asyncio.start_unix_server(self.controlled, path="\0" + self.settings["control"], limit=2**24)
        host = self.environ.get("CRAFT_RPC_HOST", "127.0.0.1")
        async with serve(
            self.connected,
            host,
            self.settings["port"],
            ping_interval=30,
            ping_timeout=60,
            max_size=2**26,
            process_request=self.plain_request,
            compression=None,
        ) as server:
            health = await self.serve_health()
            self.note({"what": "up", "pid": os.getpid(), "start": start_of(os.getpid()), "port": port_of(server)})
            await self.ends.wait()
            if health is not None:
                health.close()
            self.broadcast("server:shuttingDown", {"reason": "shutdown", "graceMs": 2000, "timestamp": now_ms()})
            await asyncio.sleep(self.settings["grace_s"])
            for session in self.sessions.values():
                self.flush(session)
            (self.config / ".server.lock").unlink(missing_ok=True)
            control.close()
            os._exit(0)  # clients get no close frame, children the end of their input

    def load(self) -> None:
        """Read the config folder; sessions come without a backend, as after every start."""
        told = json.loads((self.config / "config.json").read_text(encoding="utf-8"))
        self.connections = told["llmConnections"]
        self.default_connection = told["defaultLlmConnection"]
        self.workspaces = [{**w, "rootPath": unfolded(w["rootPath"], self.home)} for w in told["workspaces"]]
        for workspace in self.workspaces:
            for path in sorted(Path(workspace["rootPath"]).glob("sessions/*/session.jsonl")):
                header, *messages = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
                for name in FOLDED:
                    if name in header:
                        header[name] = unfolded(header[name], self.home)
                header.setdefault("sessionStatus", "todo")
                session = Session(workspace=workspace, folder=path.parent, header=header, messages=messages)
                session.used_at = header["lastUsedAt"]
                self.sessions[str(path.parent)] = session

    def write_config(self) -> None:
        path = self.config / "config.json"
        told = json.loads(path.read_text(encoding="utf-8"))
        told["llmConnections"] = self.connections
        told["defaultLlmConnection"] = self.default_connection
        told["workspaces"] = [{**w, "rootPath": folded(w["rootPath"], self.home)} for w in self.workspaces]
        path.write_text(json.dumps(told, indent=2), encoding="utf-8")

    def write_lock(self) -> None:
        said = {"pid": os.getpid(), "startedAt": now_ms()}
        text = str(os.getpid()) if self.settings["bare_lock"] else json.dumps(said)
        (self.config / ".server.lock").write_text(text, encoding="utf-8")

    def note(self, line: dict[str, Json]) -> None:
        """Write down for the test what really is so."""
        with (self.root / "ledger.jsonl").open("a", encoding="utf-8") as ledger:
            ledger.write(json.dumps(line) + "\n")

    def task(self, work: Awaitable[Json]) -> asyncio.Task[Json]:
        task: asyncio.Task[Json] = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    # -------------------------------------------------------------------------------------------- the connection

    def plain_request(self, _: ServerConnection, request: Json) -> Json:
        return None if "Upgrade" in request.headers else self._upgrade_required()

    def _upgrade_required(self) -> Json:
        from websockets.datastructures import Headers
        from websockets.http11 import Response

        return Response(HTTPStatus.UPGRADE_REQUIRED, "Upgrade Required", Headers({"Content-Length": "0"}), b"")

    async def serve_health(self) -> asyncio.Server | None:
        """Answer GET /health without a token on every interface, if CRAFT_HEALTH_PORT is set."""
        port = self.environ.get("CRAFT_HEALTH_PORT")
        if not port:
            return None

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            line = await reader.readline()
            found = line.startswith(b"GET /health ")
            body = json.dumps(self.get_health()).encode() if found else b"Not found"
            status = "200 OK" if found else "404 Not Found"
            writer.write(f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode())
            writer.write(body)
            await writer.drain()
            writer.close()

        return await asyncio.start_server(answer, None, int(port))

    async def connected(self, socket_: ServerConnection) -> None:
        client: Client | None = None
        try:
            client = await self.handshake(socket_)
            if client is None:
                return
            async for frame in socket_:
                self.task(self.answer(client, frame))
        except ConnectionClosed:
            pass
        finally:
            if client is not None:
                self.clients.pop(client.id, None)

    async def handshake(self, socket_: ServerConnection) -> Client | None:
        if self.mood.get("hangs") == "handshake":
            await socket_.wait_closed()
            return None
        if len(self.clients) >= self.settings["max_clients"]:
            await socket_.close(FULL, "Server full")
            return None
        try:
            frame = await asyncio.wait_for(socket_.recv(), self.settings["handshake_s"])
        except TimeoutError:
            await socket_.close(LATE, "Handshake timeout")
            return None
        try:
            said = json.loads(frame)
        except ValueError:
            await socket_.close(BAD, "Invalid JSON")
            return None
        self.log_asked(said)
        if not isinstance(said, dict) or not isinstance(said.get("type"), str) or not isinstance(said.get("id"), str):
            await socket_.close(BAD, "Invalid message")
            return None
        if said["type"] != "handshake":
            await socket_.close(EARLY, "Expected handshake")
            return None
        refused = self.refusal(said)
        if refused is not None:
            code, message, close, reason = refused
            error = {"id": said["id"], "type": "error", "error": {"code": code, "message": message}}
            await socket_.send(json.dumps(error))
            await socket_.close(close, reason)
            return None
        client = Client(socket=socket_, id=str(uuid.uuid4()), workspace_id=said.get("workspaceId"))
        ack = {
            "id": said["id"],
            "type": "handshake_ack",
            "protocolVersion": PROTOCOL,
            "serverVersion": self.settings["version"],
            "clientId": client.id,
            "registeredChannels": self.channels,
        }
        if "reconnectClientId" in said:
            ack |= {"reconnected": True, "stale": said["reconnectClientId"] not in self.known_clients}
        self.clients[client.id] = client
        self.known_clients.add(client.id)
        await socket_.send(json.dumps(ack))
        return client

    def refusal(self, said: dict[str, Json]) -> tuple[str, str, int, str] | None:
        version = said.get("protocolVersion")
        unsupported = ("PROTOCOL_VERSION_UNSUPPORTED", VERSION, "Protocol version unsupported")
        if not isinstance(version, str):
            return unsupported[0], f"Missing protocolVersion. Server protocol {PROTOCOL}", *unsupported[1:]
        if version.split(".")[0] != PROTOCOL.split(".", maxsplit=1)[0]:
            return unsupported[0], f"Server protocol {PROTOCOL}, client {version}", *unsupported[1:]
        if not said.get("token"):
            return "AUTH_FAILED", "Token required", AUTH, "Auth failed"
        if said["token"] != self.settings["token"] or self.mood.get("refuses"):
            return "AUTH_FAILED", "Invalid token", AUTH, "Auth failed"
        return None

    def log_asked(self, said: Json) -> None:
        if isinstance(said, dict):
            kept = {name: said.get(name) for name in ("type", "channel", "args", "workspaceId") if name in said}
            with (self.root / "asked.jsonl").open("a", encoding="utf-8") as log:
                log.write(json.dumps(kept) + "\n")

    async def answer(self, client: Client, frame: str | bytes) -> None:
        try:
            said = json.loads(frame)
        except ValueError:
            await client.socket.close(BAD, "Invalid JSON")
            return
        if not isinstance(said, dict) or not isinstance(said.get("type"), str) or not isinstance(said.get("id"), str):
            await client.socket.close(BAD, "Invalid message")
            return
        if said["type"] != "request":
            return
        self.log_asked(said)
        channel, args = said["channel"], said.get("args", [])
        reply: dict[str, Json] = {"id": said["id"], "type": "response", "channel": channel}
        if self.mood.get("hangs") in ("requests", channel):
            return
        if self.mood.get("slow_s"):
            await asyncio.sleep(self.mood["slow_s"])
        if self.mood.get("drops") == channel:
            client.socket.transport.abort()
            return
        try:
            result = await self.call(channel, args, client)
            if result is not None:
                reply["result"] = result
        except KeyError as missing:
            code = "CHANNEL_NOT_FOUND" if missing.args == (channel,) else "HANDLER_ERROR"
            text = f"No handler for: {channel}" if missing.args == (channel,) else f"undefined: {missing}"
            reply["error"] = {"code": code, "message": text}
        except HandlerError as fault:
            reply["error"] = {"code": "HANDLER_ERROR", "message": str(fault)}
        if channel in self.mood.get("lies", {}):
            reply.pop("error", None)
            reply["result"] = self.mood["lies"][channel]
        text = "}{ not json" if self.mood.get("garbles") == channel else json.dumps(reply)
        with suppress(ConnectionClosed):
            await client.socket.send(text)

    async def call(self, channel: str, args: list[Json], client: Client | None = None) -> Json:
        if channel not in self.channels:
            raise KeyError(channel)
        if channel == "sessions:get":
            return self.get_sessions(client.workspace_id if client is not None else None)
        if channel not in self.handlers:
            raise HandlerError(f"The fake has nothing recorded for {channel}")
        result = self.handlers[channel](*args)
        return await result if asyncio.iscoroutine(result) else result

    def push(self, client: Client, channel: str, *args: Json) -> None:
        client.seq += 1
        server_id = self.settings["server_id"]
        event = {"id": str(uuid.uuid4()), "type": "event", "channel": channel, "args": list(args)}
        text = json.dumps({**event, "serverId": server_id, "seq": client.seq})

        async def send() -> None:
            with suppress(ConnectionClosed):
                await client.socket.send(text)

        self.task(send())

    def broadcast(self, channel: str, *args: Json) -> None:
        for client in self.clients.values():
            self.push(client, channel, *args)

    def tell(self, session: Session, kind: str, **more: Json) -> None:
        """Push an event of a session, which goes to the clients of its workspace only."""
        for client in self.clients.values():
            if client.workspace_id == session.workspace["id"]:
                self.push(client, "session:event", {"type": kind, "sessionId": session.id, **more})

    # -------------------------------------------------------------------------------------------- plain questions

    def get_status(self) -> Json:
        rss = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
        return {
            "serverId": self.settings["server_id"],
            "version": self.settings["version"],
            "uptime": int(time.monotonic() - self.began_s),
            "connectedClients": len(self.clients),
            "workspaces": [
                {
                    **{name: w[name] for name in ("id", "name", "slug")},
                    "activeSessions": sum(s.processing for s in self.sessions.values() if s.workspace is w),
                    "automationCount": 0,
                    "schedulerRunning": w is self.workspaces[0],
                }
                for w in self.workspaces
            ],
            "memory": {"heapUsed": rss // 4, "heapTotal": rss // 5, "rss": rss},
        }

    def get_health(self) -> Json:
        loaded = f"{len(self.workspaces)} workspace(s) loaded"
        checks = [
            {"name": "session_manager", "status": "pass", "message": loaded},
            {"name": "memory", "status": "pass", "message": "Heap: 0.05 GB"},
        ]
        return {"status": "ok", "checks": checks}

    def get_active_sessions(self) -> Json:
        return [
            {
                "sessionId": session.id,
                "workspaceId": session.workspace["id"],
                "workspaceName": session.workspace["name"],
                "title": session.header["name"],
                "status": "processing",
                "createdAt": session.header["lastMessageAt"],
            }
            for session in self.sessions.values()
            if session.processing
        ]

    def get_sessions(self, workspace_id: str | None) -> Json:
        chosen = [s for s in self.sessions.values() if workspace_id in (None, s.workspace["id"])]
        return [self.item(session) for session in sorted(chosen, key=lambda s: -s.header["lastMessageAt"])]

    def item(self, session: Session) -> dict[str, Json]:
        return {
            **{name: session.header[name] for name in RPC_FIELDS if name in session.header},
            "workspaceId": session.workspace["id"],
            "workspaceName": session.workspace["name"],
            "messages": [],
            "isProcessing": session.processing and not self.mood.get("hides_turns"),
            "sessionFolderPath": str(session.folder),
            "supportsBranching": True,
        }

    def get_messages(self, session_id: str) -> Json:
        session = self.find(session_id)
        self.note({"what": "transcript loaded", "session": str(session.folder)})
        return {**self.item(session), "messages": session.messages}

    def unread_summary(self) -> Json:
        ids = [w["id"] for w in self.workspaces]
        none = {"byWorkspace": dict.fromkeys(ids, 0), "hasUnreadByWorkspace": dict.fromkeys(ids, False)}
        return {"totalUnreadSessions": 0, **none}

    def find(self, session_id: str) -> Session:
        """Find by id, or by folder where an id stands in two workspaces."""
        for session in reversed(self.sessions.values()):
            if session_id in (session.id, str(session.folder)):
                return session
        raise HandlerError(f"Session not found: {session_id}")

    # -------------------------------------------------------------------------------------------- changing things

    def create_workspace(self, name: str) -> Json:
        workspace = make_workspace(self.config, name)
        self.workspaces.append(workspace)
        self.write_config()
        return {key: workspace[key] for key in ("name", "slug", "id")}

    def create_session(self, workspace_id: str, options: dict[str, Json]) -> Json:
        workspace = next((w for w in self.workspaces if w["id"] == workspace_id), None)
        if workspace is None:
            raise HandlerError(f"Workspace not found: {workspace_id}")
        root = Path(workspace["rootPath"])
        session_id = options.get("id") or new_session_id(lambda name: (root / "sessions" / name).exists())
        folder = root / "sessions" / session_id
        folder.mkdir(parents=True)
        slug = options.get("llmConnection", self.default_connection)
        connection = next(c for c in self.connections if c["slug"] == slug)
        header = new_header(session_id, folder, workspace, connection, options)
        session = Session(workspace=workspace, folder=folder, header=header, used_at=header["lastUsedAt"])
        self.sessions[str(folder)] = session
        self.flush(session)
        return self.item(session)

    def save_connection(self, connection: dict[str, Json]) -> Json:
        """Save; a changed provider makes every idle backend of the connection go, with its pool."""
        before = next((c for c in self.connections if c["slug"] == connection["slug"]), None)
        watched = ("piAuthProvider", "providerType", "authType", "slug")
        changed = before is not None and any(before.get(n) != connection.get(n) for n in watched)
        if before is not None:
            self.connections[self.connections.index(before)] = connection
        else:
            self.connections.append(connection)
        self.write_config()
        if changed:
            for session in self.sessions.values():
                if session.header["llmConnection"] == connection["slug"] and not session.processing:
                    self.task(self.dispose(session, with_pool=True))
        if before is not None:
            asyncio.get_running_loop().call_later(0.1, self.broadcast, "LLM_Connection:changed")
        return {"success": True}

    def set_default_connection(self, slug: str) -> Json:
        self.default_connection = slug
        self.write_config()
        return {"success": True}

    async def command(self, session_id: str, command: dict[str, Json]) -> None:
        session = self.find(session_id)
        kind = command.get("type")
        if kind in ("flag", "unflag"):
            session.header["isFlagged"] = kind == "flag"
        elif kind in ("archive", "unarchive"):
            session.header["isArchived"] = kind == "archive"
            self.tell(session, f"session_{kind}d")
            self.broadcast("sessions:unreadSummaryChanged", self.unread_summary())
        elif kind == "rename":
            session.header["name"] = command["name"]
        elif kind == "setSources":
            await self.set_sources(session, list(command["sourceSlugs"]))
        else:
            raise HandlerError(f"Unknown session command: {json.dumps(command, separators=(',', ':'))}")
        self.save(session)

    async def set_sources(self, session: Session, slugs: list[str]) -> None:
        session.header["enabledSourceSlugs"] = slugs
        for slug in [slug for slug in session.helpers if slug not in slugs]:
            await self.close_helper(session.helpers.pop(slug))
        if session.agent:
            await self.connect_sources(session)
        self.tell(session, "sources_changed", enabledSourceSlugs=slugs)

    async def cancel(self, session_id: str, _silent: bool = False) -> None:
        session = self.find(session_id)
        if session.processing and session.backend is not None:
            session.silent = True
            if session.backend.role == "claude":
                session.backend.process.terminate()
            else:
                session.backend.tell("end")
            if session.turn is not None:
                await session.turn

    async def delete(self, session_id: str) -> None:
        """Dispose the runtime and remove the folder; the helpers of a Pi session stay, and nothing reaches them."""
        try:
            session = self.find(session_id)
        except HandlerError:
            return
        del self.sessions[str(session.folder)]
        if session.saving is not None:
            session.saving.cancel()
        is_pi = self.kind_of(session) == "pi"
        if is_pi:
            self.leaked += session.helpers.values()
            for helper in session.helpers.values():
                if helper.runs():
                    self.note({"what": "leaked", "pid": helper.pid})
        await self.dispose(session, with_pool=not is_pi, wait=False)
        shutil.rmtree(session.folder)
        self.tell(session, "session_deleted")
        self.broadcast("sessions:unreadSummaryChanged", self.unread_summary())

    async def release(self, session_id: str) -> Json:
        """Be what a newer server may offer: end what one idle session holds and keep its data."""
        session = self.find(session_id)
        if session.processing:
            raise HandlerError(f"Session is processing: {session_id}")
        await self.dispose(session, with_pool=True)
        return {"released": True}

    async def dispose(self, session: Session, *, with_pool: bool, wait: bool = True) -> None:
        backend, session.backend, session.agent = session.backend, None, False
        session.silent = session.processing
        if backend is not None and backend.runs():
            backend.process.terminate()
            await backend.gone.wait()
        if with_pool:
            closing = [self.task(self.close_helper(helper)) for helper in session.helpers.values()]
            session.helpers = {}
            if wait and closing:
                await asyncio.wait(closing)

    # -------------------------------------------------------------------------------------------- turns

    async def send_message(self, session_id: str, text: str, *_: Json) -> Json:
        session = self.find(session_id)
        at_ms = now_ms()
        message = user_message(text, at_ms)
        session.messages.append(message)
        session.header |= {"lastMessageAt": at_ms, "lastMessageRole": "user"}
        shown = {"id": message["id"], "role": "user", "content": text, "timestamp": at_ms, "attachments": []}
        self.tell(session, "user_message", message=shown, status="accepted")
        self.save(session)
        if session.processing:
            session.queue.append(text)
        else:
            session.processing = True
            session.turn = self.task(self.run_turns(session, text))
        return {"accepted": True, "messageId": message["id"]}

    async def run_turns(self, session: Session, text: str) -> None:
        await self.run_turn(session, text)
        while session.queue:
            session.processing = True
            await self.run_turn(session, session.queue.pop(0))

    async def run_turn(self, session: Session, text: str) -> None:
        session.silent = False
        unnamed = not session.header.get("name")
        if unnamed:
            session.header["name"] = text[:50]
        if not session.agent:
            self.create_agent(session)
        await self.connect_sources(session)
        backend, began = await self.backend_for(session)
        if unnamed and self.kind_of(session) == "claude":
            self.start_mini(session)
        session.turns = session.turns + 1 if not began else 1
        turn_id = "msg_fake" if backend.role == "claude" else f"pi-turn-{session.turns}__m0"
        answer = self.answer_to(session, text)
        slow = re.search(r"SLOWREPLY(?: (\d+(?:\.\d+)?))?", text)
        seconds = self.settings["turn_s"] if slow is None else float(slow[1] or "inf")
        self.begin(session, backend, text, answer, seconds)
        head, tail = (answer[:5], answer[5:]) if slow else ("", answer)
        if head:
            self.tell(session, "text_delta", delta=head, turnId=turn_id)
        assert backend.done is not None
        finished = await backend.done
        if backend.role == "claude" and not self.keeps_claude:
            await backend.gone.wait()
        if finished:
            self.end_turn(session, tail, answer, turn_id)
        elif not session.silent:
            self.break_turn(session, backend)
        session.processing = False
        if str(session.folder) in self.sessions:
            self.save(session)
        if not backend.runs() and session.backend is backend:
            session.backend = None

    def begin(self, session: Session, backend: Child, text: str, answer: str, seconds: float) -> None:
        sdk_id, cwd, model = (session.header[name] for name in ("sdkSessionId", "sdkCwd", "model"))
        backend.done = asyncio.get_running_loop().create_future()
        if backend.role == "claude":
            log = claude_log(self.claude_config, cwd, sdk_id)
            first = not os.path.exists(log)
            now, last = claude_turn(sdk_id, cwd, model, text, answer, first=first)
        else:
            log = self.pi_log(session)
            now, last = [], pi_turn(sdk_id, cwd, text, answer, first=not os.path.exists(log))
        backend.tell("begin", Inf(seconds), [(log, line) for line in now], [(log, line) for line in last])

    def end_turn(self, session: Session, delta: str, answer: str, turn_id: str) -> None:
        at_ms = now_ms()
        message = answer_message(answer, at_ms, turn_id)
        session.messages.append(message)
        usage = {"inputTokens": 5} | ({"contextWindow": 200000} if turn_id == "msg_fake" and session.turns > 1 else {})
        self.tell(session, "text_delta", delta=delta, turnId=turn_id)
        said = {"text": answer, "isIntermediate": False, "turnId": turn_id, "timestamp": at_ms}
        self.tell(session, "text_complete", **said, messageId=message["id"])
        self.tell(session, "usage_update", tokenUsage=usage)
        before = session.header.get("tokenUsage", NO_TOKENS)
        output = before["outputTokens"] + 3
        tokens = {"inputTokens": 5, "outputTokens": output, "totalTokens": output + 5, "contextTokens": 0, "costUsd": 0}
        # lastMessageAt stays that of the user's message, as in every recording
        session.header |= {
            "lastMessageRole": "assistant",
            "lastFinalMessageId": message["id"],
            "tokenUsage": {**tokens, "cacheReadTokens": 0, "cacheCreationTokens": 0},
        }

    def break_turn(self, session: Session, backend: Child) -> None:
        """Tell of a backend that ended in a turn."""
        code = backend.process.returncode
        if backend.role == "claude":
            error = f"Claude Code process exited with code {code if code >= 0 else 128 - code}"
            self.tell(session, "typed_error", error=typed_error(error), timestamp=now_ms())
        else:
            how = f"signal {signal.Signals(-code).name}" if code < 0 else f"code {code}"
            self.tell(session, "error", error=f"Pi subprocess exited unexpectedly ({how})", timestamp=now_ms())

    def answer_to(self, session: Session, text: str) -> str:
        """Answer; `USE slug` calls that source, and tells what the pool says of it."""
        asked = re.search(r"USE (\S+)", text)
        if asked is None:
            return "Hello from fake"
        helper = session.helpers.get(asked[1])
        return "Hello from helper" if helper is not None and helper.runs() else "Not connected"

    # -------------------------------------------------------------------------------------------- processes

    def kind_of(self, session: Session) -> str:
        slug = session.header["llmConnection"]
        provider = next(c["providerType"] for c in self.connections if c["slug"] == slug)
        return "claude" if provider == "anthropic" else "pi"

    def create_agent(self, session: Session) -> None:
        """Make the backend object, which writes its session into the server's own environment."""
        session.agent = True
        session.header["connectionLocked"] = True
        self.environ["CRAFT_SESSION_DIR"] = str(session.folder)
        if self.kind_of(session) == "claude":
            connection = next(c for c in self.connections if c["slug"] == session.header["llmConnection"])
            self.environ["ANTHROPIC_BASE_URL"] = connection["baseUrl"]
            self.environ["ANTHROPIC_DEFAULT_HAIKU_MODEL"] = session.header["model"]
        slug = session.header["llmConnection"]
        self.tell(session, "connection_changed", connectionSlug=slug, supportsBranching=True)

    async def connect_sources(self, session: Session) -> None:
        """Start the helpers that the pool has not connected; one that ended is believed to be connected."""
        for slug in session.header["enabledSourceSlugs"]:
            if slug in session.helpers:
                continue
            path = Path(session.workspace["rootPath"]) / "sources" / slug / "config.json"
            mcp = json.loads(path.read_text(encoding="utf-8"))["mcp"]
            script = next(argument for argument in mcp["args"] if argument.startswith("/"))
            helper = self.start(
                "helper",
                [mcp["command"], *mcp["args"]],
                session,
                executable=f"{self.home}/bin/node",
                script=script,
                cwd=self.checkout,
                environ={**self.environ, **mcp["env"]},
                slug=slug,
                stays="--stay" in mcp["args"],
                deaf="--deaf" in mcp["args"],
                memory_mb=self.settings["helper_mb"],
            )
            session.helpers[slug] = helper
            await helper.ready.wait()

    async def close_helper(self, helper: Child) -> None:
        """Close as the pool does: end its input, wait, then SIGTERM, then SIGKILL."""
        assert helper.process.stdin is not None
        helper.process.stdin.close()
        for end in (helper.process.terminate, helper.process.kill):
            try:
                await asyncio.wait_for(helper.gone.wait(), self.settings["close_wait_s"])
                return
            except TimeoutError:
                end()
        await helper.gone.wait()

    async def backend_for(self, session: Session) -> tuple[Child, bool]:
        """Return the backend, and whether it was just started."""
        if session.backend is not None and session.backend.runs():
            return session.backend, False
        backend = self.start_claude(session) if self.kind_of(session) == "claude" else self.start_pi(session)
        session.backend = backend
        await backend.ready.wait()
        return backend, True

    def start_pi(self, session: Session) -> Child:
        session.header.setdefault("sdkSessionId", str(uuid.uuid4()))
        settings = session.folder / ".pi-agent" / "settings.json"
        settings.parent.mkdir(exist_ok=True)
        settings.write_text("{}", encoding="utf-8")
        bun = f"{self.home}/.bun/bin/bun"
        interceptor = f"{self.checkout}/packages/shared/src/unified-network-interceptor.ts"
        entry = f"{self.checkout}/packages/pi-agent-server/dist/index.js"
        if self.settings["desktop"]:
            bun = f"{self.checkout}/vendor/bun/bun"
            interceptor = f"{self.checkout}/dist/interceptor.cjs"
            entry = f"{self.checkout}/resources/pi-agent-server/index.js"
        with socket.create_server(("127.0.0.1", 0)) as listening:
            return self.start(
                "pi",
                [bun, "--require", interceptor, entry],
                session,
                executable=bun,
                script=entry,
                cwd=session.header.get("workingDirectory") or session.workspace["rootPath"],
                environ={
                    **self.environ,
                    **self.own_variables(session),
                    "CRAFT_SESSION_DIR": str(session.folder),
                    "ANTHROPIC_DEFAULT_HAIKU_MODEL": session.header["model"],
                },
                memory_mb=self.settings["backend_mb"],
                keeps=(listening.fileno(),),
            )

    def own_variables(self, session: Session) -> dict[str, str]:
        return {"CRAFT_WORKSPACE_PATH": session.workspace["rootPath"], "CRAFT_DEBUG": "0"}

    @property
    def claude(self) -> str:
        package = "claude-agent-sdk-binary" if self.settings["desktop"] else "claude-agent-sdk-linux-x64"
        return f"{self.checkout}/node_modules/@anthropic-ai/{package}/claude"

    def start_claude(self, session: Session) -> Child:
        """Start a claude; only one that goes on with what was said before is told the id."""
        resumed = session.header.get("sdkSessionId")
        session.header.setdefault("sdkSessionId", str(uuid.uuid4()))
        child = self.start(
            "claude",
            claude_argv(self.claude, session.header["model"], resumed),
            session,
            executable=self.claude,
            script=f"{self.root}/c",
            cwd=session.header["sdkCwd"],
            environ={**self.environ, **self.own_variables(session), "CLAUDE_CODE_ENTRYPOINT": "sdk-ts"},
            once=not self.keeps_claude,
            memory_mb=self.settings["backend_mb"],
        )
        self.environ["CLAUDE_AGENT_SDK_VERSION"] = SDK_VERSION
        return child

    @property
    def keeps_claude(self) -> bool:
        return bool(self.settings["keep_claude"]) and self.environ.get("CRAFT_KEEP_BG_AGENTS_ALIVE") != "0"

    def start_mini(self, session: Session, seconds: float | None = None) -> Child:
        """Ask for a title: one more claude, which ends by itself."""
        mini = self.start(
            "mini",
            mini_argv(self.claude, session.header["model"]),
            session,
            executable=self.claude,
            script=f"{self.root}/c",
            cwd=self.checkout,
            environ={**self.environ, **self.own_variables(session), "CLAUDE_CODE_ENTRYPOINT": "sdk-ts"},
            once=True,
        )
        seconds = self.settings["mini_s"] if seconds is None else seconds
        sdk_id, model = str(uuid.uuid4()), session.header["model"]
        log = claude_log(self.claude_config, self.checkout, sdk_id)
        now, last = claude_turn(sdk_id, self.checkout, model, "Give it a title", "A title", first=True)
        mini.tell("begin", Inf(seconds), [(log, line) for line in now], [(log, line) for line in last])
        return mini

    def start(
        self,
        role: str,
        argv: list[str],
        session: Session | None,
        *,
        executable: str,
        script: str,
        cwd: str,
        environ: dict[str, str],
        slug: str | None = None,
        memory_mb: float = 0,
        once: bool = False,
        stays: bool = False,
        deaf: bool = False,
        keeps: tuple[int, ...] = (),
    ) -> Child:
        process = subprocess.Popen(
            opening(argv, script),
            executable=executable,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            cwd=cwd,
            env=environ,
            pass_fds=keeps,
        )
        told = {
            "argv": argv,
            "role": "claude" if role == "mini" else role,
            "memory_bytes": int(memory_mb * 2**20),
            "cpu_share": self.settings["idle_cpu_share"] if role in ("pi", "claude") else 0,
            "once": once,
            "stays": stays,
            "deaf": deaf,
            "patience_s": self.settings["patience_s"],
        }
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(repr(told).encode() + b"\n")
        folder = str(session.folder) if session is not None else ""
        child = Child(process=process, role=role, session=folder, slug=slug)
        self.children[child.pid] = child
        self.note(
            {
                "what": "start",
                "pid": child.pid,
                "start": start_of(child.pid),
                "role": role,
                "session": folder,
                "slug": slug,
                "argv": argv,
            }
        )
        loop = asyncio.get_running_loop()
        os.set_blocking(process.stdout.fileno(), False)
        loop.add_reader(process.stdout.fileno(), self.heard, child)
        watch = os.pidfd_open(child.pid)
        loop.add_reader(watch, self.child_gone, child, watch)
        return child

    def heard(self, child: Child) -> None:
        assert child.process.stdout is not None
        try:
            got = os.read(child.process.stdout.fileno(), 4096)
        except BlockingIOError:
            return
        if not got:
            asyncio.get_running_loop().remove_reader(child.process.stdout.fileno())
        for line in got.decode().splitlines():
            word, _, more = line.partition(" ")
            if word == "ready":
                child.ready.set()
            elif word == "done" and child.done is not None and not child.done.done():
                child.done.set_result(True)
            elif word == "tool":
                child.tools.append(int(more))
                tool = {"what": "start", "pid": int(more), "start": start_of(int(more)), "role": "tool"}
                self.note({**tool, "session": child.session, "slug": None, "argv": []})

    def child_gone(self, child: Child, watch: int) -> None:
        loop = asyncio.get_running_loop()
        loop.remove_reader(watch)
        os.close(watch)
        self.heard(child)  # what it said last
        assert child.process.stdout is not None
        loop.remove_reader(child.process.stdout.fileno())
        child.process.stdout.close()
        self.note({"what": "end", "pid": child.pid, "code": child.process.wait()})
        child.ready.set()
        child.gone.set()
        if child.done is not None and not child.done.done():
            child.done.set_result(False)

    # -------------------------------------------------------------------------------------------- on disk

    def pi_log(self, session: Session) -> str:
        folder = session.folder / ".pi-sessions"
        sdk_id = session.header["sdkSessionId"]
        for found in folder.glob(f"*_{sdk_id}.jsonl"):
            return str(found)
        return str(folder / f"{time.strftime('%Y-%m-%dT%H-%M-%S', time.gmtime())}-000Z_{sdk_id}.jsonl")

    def save(self, session: Session) -> None:
        """Write the session in a moment: the host waits 500 ms for more to write."""
        session.used_at = now_ms()
        if session.saving is None:
            loop = asyncio.get_running_loop()
            session.saving = loop.call_later(self.settings["debounce_s"], self.flush, session)

    def flush(self, session: Session) -> None:
        if session.saving is not None:
            session.saving.cancel()
            session.saving = None
        header = {name: session.header[name] for name in RPC_FIELDS if name in session.header}
        write_session(session.folder, {**header, "lastUsedAt": session.used_at}, session.messages, self.home)

    # -------------------------------------------------------------------------------------------- told by a test

    async def controlled(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            said = json.loads(line)
            try:
                answer = {"result": await getattr(self, "do_" + said["op"])(**said["with"])}
            except (HandlerError, KeyError) as fault:
                answer = {"error": f"{type(fault).__name__}: {fault}"}
            writer.write(json.dumps(answer).encode() + b"\n")
            await writer.drain()

    async def do_call(self, channel: str, args: list[Json]) -> Json:
        return await self.call(channel, args)

    async def do_send(self, session: str, text: str) -> Json:
        """Send a message, and wait until the turn is over, or until it stays open."""
        found = self.find(session)
        await self.send_message(session, text)
        if "SLOWREPLY" not in text:
            assert found.turn is not None
            await found.turn
            return self.do_truth(found)
        while found.backend is None or found.backend.done is None or found.backend.done.done():
            await asyncio.sleep(0.005)
        return self.do_truth(found)

    async def do_finish(self, session: str) -> None:
        """Let an open turn come to its end."""
        found = self.find(session)
        if found.backend is not None and found.turn is not None:
            found.backend.tell("end")
            await found.turn

    async def do_age(self, session: str, days: float) -> None:
        """Make all records of a session older."""
        found = self.find(session)
        by_s = days * 86400
        for name in ("createdAt", "lastUsedAt", "lastMessageAt"):
            found.header[name] -= int(by_s * 1000)
        found.used_at -= int(by_s * 1000)
        for message in found.messages:
            message["timestamp"] -= int(by_s * 1000)
        self.flush(found)
        old_s = time.time() - by_s
        os.utime(found.folder / "session.jsonl", (old_s, old_s))
        sdk_id = found.header.get("sdkSessionId")
        if sdk_id is not None:
            logs = [Path(claude_log(self.claude_config, found.header["sdkCwd"], sdk_id)), Path(self.pi_log(found))]
            for log in logs:
                if log.exists():
                    shift_log(log, by_s)

    async def do_lose_agent(self, session: str) -> None:
        """Do what attemptAuthRetry does: forget the backend object without ending its process."""
        found = self.find(session)
        if found.backend is not None and found.backend.runs():
            found.lost.append(found.backend)
            self.note({"what": "surplus", "pid": found.backend.pid})
        found.backend, found.agent = None, False

    async def do_second_query(self, session: str) -> int:
        """Do what a slash command of 0.11 did: open a claude next to the open one, which the server then uses."""
        found = self.find(session)
        if found.backend is not None and found.backend.runs():
            found.lost.append(found.backend)
            self.note({"what": "surplus", "pid": found.backend.pid})
        found.backend = self.start_claude(found)
        await found.backend.ready.wait()
        return found.backend.pid

    async def do_mini(self, session: str, seconds: float) -> int:
        mini = self.start_mini(self.find(session), seconds)
        await mini.ready.wait()
        return mini.pid

    async def do_worker(self) -> int:
        """Start the worker of a messenger, which serves the host and no session."""
        script = f"{self.checkout}/packages/messaging-whatsapp-worker/dist/worker.cjs"
        worker = self.start(
            "worker",
            ["node", script],
            None,
            executable=f"{self.home}/bin/node",
            script=script,
            cwd=self.checkout,
            environ=self.environ,
        )
        await worker.ready.wait()
        return worker.pid

    async def do_zombie(self) -> int:
        """Leave a child that ended and that nobody waits for."""
        pid = os.fork()
        if pid == 0:
            os._exit(0)
        while Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z":
            await asyncio.sleep(0.001)
        return pid

    async def do_tool(self, session: str, argv: list[str], script: str | None) -> int:
        """Let the backend start a program, as its tools do."""
        backend = self.find(session).backend
        assert backend is not None
        known = len(backend.tools)
        backend.tell("tool", argv, script)
        while len(backend.tools) == known:
            await asyncio.sleep(0.005)
        return backend.tools[-1]

    async def do_background(self, session: str) -> str:
        """Let a background agent of the session write to its own log, while no turn is open."""
        found = self.find(session)
        sdk_id, cwd = found.header["sdkSessionId"], found.header["sdkCwd"]
        log = claude_log(self.claude_config, cwd, sdk_id).removesuffix(".jsonl") + "/subagents/agent-a1b2c3d.jsonl"
        message = {"role": "assistant", "content": [{"type": "text", "text": "still at it"}], "stop_reason": "tool_use"}
        line = {"type": "assistant", "isSidechain": True, "sessionId": sdk_id, "cwd": cwd, "timestamp": "@NOW@"}
        append([(log, json.dumps({**line, "message": message}))])
        return log

    async def do_mood(self, mood: dict[str, Json]) -> None:
        self.mood = mood

    async def do_set_variable(self, name: str, value: str) -> None:
        """Change what children inherit from now on; the server's own environment, as others read it, stays."""
        self.environ[name] = value

    async def do_drop_clients(self) -> None:
        for client in list(self.clients.values()):
            client.socket.transport.abort()

    async def do_flush(self) -> None:
        for session in self.sessions.values():
            self.flush(session)

    async def do_state(self) -> Json:
        return {
            "sessions": [self.do_truth(session) for session in self.sessions.values()],
            "leaked": [helper.pid for helper in self.leaked if helper.runs()],
            "clients": len(self.clients),
        }

    def do_truth(self, session: Session) -> Json:
        backend = session.backend
        return {
            "id": session.id,
            "folder": str(session.folder),
            "workspace_id": session.workspace["id"],
            "kind": self.kind_of(session),
            "sdk_id": session.header.get("sdkSessionId"),
            "processing": session.processing,
            "backend": backend.pid if backend is not None and backend.runs() else None,
            "surplus": [child.pid for child in session.lost if child.runs()],
            "helpers": {slug: child.pid for slug, child in session.helpers.items() if child.runs()},
            "answers": sum(message["type"] == "assistant" for message in session.messages),
        }


class Inf(float):
    """A number of seconds that a child can read, without end as well."""

    def __repr__(self) -> str:
        return "float('inf')" if self == float("inf") else float.__repr__(self)


def start_of(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return int(fields[19])


def port_of(server: WebSocketServer) -> int:
    return int(next(iter(server.sockets)).getsockname()[1])


def new_header(
    session_id: str,
    folder: Path,
    workspace: dict[str, Json],
    connection: dict[str, Json],
    options: dict[str, Json],
) -> dict[str, Json]:
    at_ms = now_ms()
    header: dict[str, Json] = {
        "id": session_id,
        "workspaceRootPath": workspace["rootPath"],
        "sdkCwd": options.get("workingDirectory") or str(folder),
        "createdAt": at_ms,
        "lastUsedAt": at_ms,
        "lastMessageAt": at_ms,
        "name": options.get("name", ""),
        "isFlagged": False,
        "enabledSourceSlugs": list(options.get("enabledSourceSlugs", ())),
        "permissionMode": options.get("permissionMode", "safe"),
        "model": connection["defaultModel"],
        "llmConnection": connection["slug"],
        "thinkingLevel": "medium",
    }
    if options.get("workingDirectory"):
        header["workingDirectory"] = options["workingDirectory"]
    return header


def make_workspace(config: Path, name: str) -> dict[str, Json]:
    """Make a workspace's folder; return its entry, paths in full."""
    slug = re.sub("[^a-z0-9]+", "-", name.lower()).strip("-")
    root = config / "workspaces" / slug
    (root / "sessions").mkdir(parents=True)
    at_ms = now_ms()
    told = {
        "id": f"ws_{uuid.uuid4().hex[:8]}",
        "name": name,
        "slug": slug,
        "defaults": {
            "permissionMode": "safe",
            "cyclablePermissionModes": ["safe", "allow-all"],
            "enabledSourceSlugs": [],
        },
        "localMcpServers": {"enabled": True},
        "createdAt": at_ms,
        "updatedAt": at_ms,
    }
    (root / "config.json").write_text(json.dumps(told, indent=2), encoding="utf-8")
    return {"name": name, "rootPath": str(root), "slug": slug, "id": str(uuid.uuid4()), "createdAt": at_ms}


def claude_argv(program: str, model: str, resumed: str | None) -> list[str]:
    return [
        *(program, "--output-format", "stream-json", "--verbose", "--input-format", "stream-json"),
        *("--thinking", "adaptive", "--effort", "medium", "--model", model, "--permission-prompt-tool", "stdio"),
        *(("--resume", resumed) if resumed else ()),
        *("--disallowedTools", "EnterPlanMode,ExitPlanMode,AskUserQuestion,Skill", "--tools", "default"),
        *("--mcp-config", MCP_CONFIG, "--permission-mode", "bypassPermissions"),
        *("--allow-dangerously-skip-permissions", "--include-partial-messages"),
    ]


def mini_argv(program: str, model: str) -> list[str]:
    return [
        *(program, "--output-format", "stream-json", "--verbose", "--input-format", "stream-json"),
        *("--thinking", "disabled", "--max-turns", "1", "--model", model, "--permission-mode", "default"),
    ]


def pi_turn(sdk_id: str, cwd: str, text: str, answer: str, *, first: bool) -> list[str]:
    """Return the lines that a Pi backend appends for a turn."""
    lines: list[dict[str, Json]] = []
    if first:
        lines.append({"type": "session", "version": 3, "id": sdk_id, "timestamp": "@NOW@", "cwd": cwd})
    for role, said in (("user", text), ("assistant", answer)):
        message = {"role": role, "content": [{"type": "text", "text": said}]}
        lines.append({"type": "message", "id": uuid.uuid4().hex[:8], "timestamp": "@NOW@", "message": message})
    return [json.dumps(line) for line in lines]


def typed_error(text: str) -> dict[str, Json]:
    """Return the error that tells of a claude that ended in a turn, as recorded."""
    backend = "The Craft Agents Backend service is experiencing issues. All credentials appear valid."
    return {
        "code": "service_unavailable",
        "title": "Service Unavailable",
        "message": f"{backend} Try again in a moment.",
        "actions": [
            {"key": "r", "label": "Retry", "action": "retry"},
            {"key": "s", "label": "Check settings", "command": "/settings", "action": "settings"},
        ],
        "canRetry": True,
        "details": ["\u2713 API error: None captured", f"Raw error: {text}"],
        "originalError": text,
    }


def let_parent_go() -> None:
    """Fork, let the first half end, begin a session: a server stands beside the tests, not below them."""
    first_half = os.getpid()
    if os.fork():
        os._exit(0)
    os.setsid()
    while os.getppid() == first_half:
        time.sleep(0.001)


def main(root: Path) -> None:
    """Be a server until SIGTERM."""
    settings = json.loads((root / "settings.json").read_text(encoding="utf-8"))
    let_parent_go()
    if settings["argv"][1:]:
        become(settings["argv"])
    asyncio.run(FakeServer(settings, root).live())
