"""A DSH host as 0.2.1-rc.2 was seen to be: its home, its locks and cache, the plugin in it, and a real process.

`FakePlugin` answers in the test's own process and misbehaves in each way that something on its port may. `FakeHost`
starts a real program with the arguments, variables, locks, children and listening ports of a host, plugin included.
"""

from __future__ import annotations

import asyncio
import http.server
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.hosts.homes import RECORDED, recorded

SCRIPT = ("node_modules", "@deepseek-ai", "dsh", "lib", "bin.js")
RUNTIME = "deepseek-harness-sdk-runtime-linux-x64"
TOKEN = "0123456789abcdef" * 4
REPLIES: dict[str, Any] = json.loads(recorded("dsh-plugin.json"))
CACHED: dict[str, Any] = json.loads(recorded("dsh-projection-cache.json"))["0.2.1-rc.2"]
IDLE, IN_A_TURN, PARENT, SUBAGENT = CACHED
WITH_TURN, WITH_JOB, WITH_SUBAGENT, ITS_SUBAGENT, AT_REST = (s["id"] for s in REPLIES["GET /v1/sessions"]["sessions"])


def told(session_id: str, **changed: Any) -> dict[str, Any]:
    """Return a session as the plugin tells it: idle and empty but for what is changed."""
    at_rest = REPLIES["GET /v1/sessions"]["sessions"][-1]
    return {**at_rest, "id": session_id, **changed}


# -------------------------------------------------------------------------------------------------- a home on disk


def make_home(home: Path, *, profile: str = "web") -> Path:
    """Make a home with one profile, as the host leaves it."""
    shutil.copytree(RECORDED / "dsh-profile-web", home / "profiles" / profile)
    (home / "storages").mkdir()
    return home


def lock(home: Path, session_id: str) -> str:
    """Make a session's folder with its lock; return the lock's path, which a host that holds the session has open."""
    folder = home / "sessions" / "--home-user-project--" / session_id
    folder.mkdir(parents=True)
    (folder / "session.lock").touch()
    return str(folder / "session.lock")


def cache(home: Path, session_id: str, record: Any = None) -> Path:
    """Write a session's record into the cache: a recorded one, else the text or the object that is given."""
    path = home / "storages" / "session_projcache" / "sessions" / f"{session_id}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    content = CACHED[session_id] if record is None else record
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def mount(home: Path, pid: int, port: int, /, *, mode: int = 0o600, **changed: Any) -> Path:
    """Write the file by which a mounted plugin is found."""
    path = home / "agentring" / f"{pid}.json"
    path.parent.mkdir(mode=0o700, exist_ok=True)
    said = {"schema": 1, "plugin": "0.1.0", "pid": pid, "start": None, "port": port, "token": TOKEN, "profile": "web"}
    path.write_text(json.dumps({**said, **changed}), encoding="utf-8")
    path.chmod(mode)
    return path


# -------------------------------------------------------------------------------------------------- the plugin


@dataclass(slots=True)
class Answers:
    """Hold what the plugin knows and says; the same behind both fakes.

    Attributes:
        sessions: as `GET /v1/sessions` tells them.
        host: changes to the recorded `GET /v1/host`.
        schema: of every answer.
        released: ids, in the order of their release.
    """

    pid: int = 0
    sessions: list[dict[str, Any]] = field(default_factory=lambda: [*REPLIES["GET /v1/sessions"]["sessions"]])
    host: dict[str, Any] = field(default_factory=dict)
    schema: int = 1
    released: list[str] = field(default_factory=list)

    def reply(self, method: str, path: str, token: str | None) -> tuple[int, Any]:
        if token != f"Bearer {TOKEN}":
            return 401, {"error": "unauthorized"}
        known = {**REPLIES["GET /v1/host"], "pid": self.pid, "live_sessions": len(self.sessions), **self.host}
        if (method, path) == ("GET", "/v1/host"):
            return 200, {**known, "schema": self.schema}
        if (method, path) == ("GET", "/v1/sessions"):
            return 200, {"schema": self.schema, "sessions": self.sessions}
        parts = path.split("/")
        if method == "POST" and parts[:3] == ["", "v1", "sessions"] and parts[4:] == ["release"]:
            return 200, {"schema": self.schema, "took_ms": 12, "heap": known["heap"], **self._release(parts[3])}
        if (method, path) == ("POST", "/v1/collect"):
            turns = any(session["status"] == "running" for session in self.sessions)
            return 200, {"schema": self.schema, "result": "turn-running" if turns else "collected", "took_ms": 150}
        return 404, {"error": "not found"}

    def _release(self, session_id: str) -> dict[str, Any]:
        found = next((s for s in self.sessions if s["id"] == session_id), None)
        if found is None:
            return {"result": "not-live", "refusals": []}
        if found["refusals"]:
            return {"result": found["refusals"][0], "refusals": found["refusals"]}
        self.sessions.remove(found)
        self.released.append(session_id)
        return {"result": "released", "refusals": []}


@dataclass(slots=True)
class FakePlugin:
    """Listen as the plugin does.

    `mood`: "well", "page" (another program's HTML), "another" (answers, and is no plugin), "half" (an answer that is
    cut off), "silent" (takes the request and never answers), "dies", "nonsense", "gibberish" (no HTTP), "endless".
    """

    answers: Answers = field(default_factory=Answers)
    mood: str = "well"
    port: int = 0
    asked: list[tuple[str, str | None]] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            method, path, _ = (await reader.readline()).decode().split(" ", 2)
            headers = {}
            while line := (await reader.readline()).decode().strip():
                name, _, value = line.partition(":")
                headers[name.lower()] = value.strip()
            self.asked.append((f"{method} {path}", headers.get("authorization")))
            await self._answer(method, path, headers.get("authorization"), writer)
            await writer.drain()
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _answer(self, method: str, path: str, token: str | None, writer: asyncio.StreamWriter) -> None:
        if self.mood == "silent":
            await asyncio.sleep(60)
        if self.mood == "dies":
            return
        if self.mood == "gibberish":
            writer.write(b"SSH-2.0-OpenSSH_9.6\r\n\r\n" + bytes(range(256)) * 10)
            return
        status, said = self.answers.reply(method, path, token)
        if self.mood == "another":
            status, said = 200, {"hello": "I am a web server"}
        body = json.dumps(said).encode()
        body = {"page": b"<!doctype html><title>hi</title>", "nonsense": b'{"schema": 1, "pi'}.get(self.mood, body)
        length = "" if self.mood == "endless" else f"content-length: {len(body)}\r\n"
        writer.write(f"HTTP/1.1 {status} X\r\n{length}connection: close\r\n\r\n".encode())
        if self.mood == "endless":
            while True:
                writer.write(b" " * 1_000_000)
                await writer.drain()
        writer.write(body[: len(body) // 2] if self.mood == "half" else body)


@asynccontextmanager
async def listening(plugin: FakePlugin) -> AsyncIterator[FakePlugin]:
    tasks: set[asyncio.Task[None]] = set()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(plugin.serve(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    plugin.port = server.sockets[0].getsockname()[1]
    try:
        yield plugin
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


# -------------------------------------------------------------------------------------------------- a real process


@dataclass(slots=True)
class FakeHost:
    """Know a running fake host: its process, and how to wait for what it does."""

    process: subprocess.Popen[bytes]
    home: Path

    @property
    def pid(self) -> int:
        return self.process.pid

    def children(self) -> dict[str, int]:
        """Return the pids of what it started, by what that is: "mcp", "job"."""
        path = _children(self.home, self.pid)
        pids: dict[str, int] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        return pids

    def end(self, which: signal.Signals = signal.SIGTERM) -> None:
        if self.process.poll() is None:
            self.process.send_signal(which)
        self.process.wait(10)


@contextmanager
def running(home: Path, folder: Path, *, plugin: bool = True, job_of: str = WITH_JOB) -> Iterator[FakeHost]:
    """Run a host on a home, with a job of one session and an MCP server of its own; all of it is ended afterwards.

    `folder` takes a copy of the package's path, so that the process has a host's arguments. The host holds the locks of
    all sessions that have one in the home.
    """
    script = folder.joinpath(*SCRIPT)
    script.parent.mkdir(parents=True, exist_ok=True)
    script.write_text("from tests.hosts.dsh_fake import live\n\nlive()\n", encoding="utf-8")
    (script.parent.parent / "package.json").write_text('{"version": "0.2.1-rc.2"}', encoding="utf-8")
    node = folder / "node"
    if not node.exists():
        node.symlink_to(sys.executable)
    root = Path(__file__).parent.parent.parent
    environ = {"PATH": os.environ["PATH"], "DSH_HOME": str(home), "PYTHONPATH": os.pathsep.join([str(root), *sys.path])}
    environ |= {
        "FAKE_JOB_OF": job_of,
        "FAKE_PLUGIN": "1" if plugin else "",
        "NODE_OPTIONS": "--max-old-space-size=2048",
    }
    process = subprocess.Popen([node, script, "web", "--no-open", "--port", "0"], env=environ, start_new_session=True)
    host = FakeHost(process=process, home=home)
    try:
        _wait_for(_children(home, host.pid), process)
        yield host
    finally:
        host.end(signal.SIGKILL)
        for pid in host.children().values():
            _kill(pid)


def _children(home: Path, pid: int) -> Path:
    return home / f"children-{pid}.json"


def _wait_for(path: Path, process: subprocess.Popen[bytes]) -> None:
    deadline_s = time.monotonic() + 30
    while not path.exists():
        assert process.poll() is None, "the fake host ended"
        assert time.monotonic() < deadline_s, "the fake host did not come up"
        time.sleep(0.02)


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def live() -> None:
    """Be a host until SIGTERM: hold locks, listen, serve the plugin, have children."""
    home = Path(os.environ["DSH_HOME"])
    held = [path.open() for path in sorted(home.glob("sessions/*/*/session.lock"))]
    pages = socket.create_server(("127.0.0.1", 0))
    ends = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ends.set())
    own = {"PATH": os.environ["PATH"]}
    of_session = {**own, "DSH_SESSION_ID": os.environ["FAKE_JOB_OF"], "DSH_SHELL": "1", "DSH_HOME": str(home)}
    mcp = subprocess.Popen(["/bin/sh", "-c", "read line; :"], stdin=subprocess.PIPE, env=own)
    job = subprocess.Popen(["sleep", "400"], env=of_session, start_new_session=True)
    answers = Answers(pid=os.getpid())
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _handler(answers))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    if os.environ["FAKE_PLUGIN"]:
        start = Path("/proc/self/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()[19]
        mount(home, os.getpid(), server.server_address[1], start=start)
    fresh = home / f"children-{os.getpid()}.fresh"
    fresh.write_text(json.dumps({"mcp": mcp.pid, "job": job.pid}), encoding="utf-8")
    fresh.rename(_children(home, os.getpid()))
    ends.wait()
    pages.close()
    for child in (mcp, job):
        child.terminate()
        child.wait()
    (home / "agentring" / f"{os.getpid()}.json").unlink(missing_ok=True)
    for file in held:
        file.close()


def _handler(answers: Answers) -> type[http.server.BaseHTTPRequestHandler]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

        def _say(self) -> None:
            status, said = answers.reply(self.command, self.path, self.headers["authorization"])
            body = json.dumps(said).encode()
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = _say

    return Handler
