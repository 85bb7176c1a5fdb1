"""A server that answers as `opencode serve` 1.18.33 was seen to, and that misbehaves in each way that servers do."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.hosts.homes import recorded_lines

REPLIES = {line["GET"]: line["body"] for line in recorded_lines("opencode-http.jsonl") if "GET" in line}


@dataclass(slots=True)
class FakeServer:
    """Hold what the server knows. As with the real one, status is told for one folder only.

    Attributes:
        mood: "well", "password" (401), "nonsense", "page" (HTML with 200), "silent" (never answers), "dies".
        asked: every request, as "GET /path?query".
    """

    sessions: list[dict[str, Any]] = field(default_factory=list)
    busy: dict[str, str] = field(default_factory=dict)
    asking: dict[str, str] = field(default_factory=dict)
    mood: str = "well"
    asked: list[str] = field(default_factory=list)
    port: int = 0

    def session(self, session_id: str, directory: str, updated_epoch_s: float, **more: Any) -> None:
        sample = json.loads(json.dumps(REPLIES["/session"][0]))
        sample |= {"id": session_id, "directory": directory}
        sample["time"] = {"created": updated_epoch_s * 1000, "updated": updated_epoch_s * 1000}
        self.sessions.append(sample | more)

    def _reply(self, method: str, target: str) -> tuple[int, Any]:
        url = urlsplit(target)
        folder = parse_qs(url.query).get("directory", [""])[0]
        here = {s["id"] for s in self.sessions if s["directory"] == folder}
        if (method, url.path) == ("GET", "/global/health"):
            return 200, REPLIES["/global/health"]
        if (method, url.path) == ("GET", "/experimental/session"):
            return 200, self.sessions
        if (method, url.path) == ("GET", "/session/status"):
            return 200, {i: {"type": kind} for i, kind in self.busy.items() if i in here}
        if method == "GET" and url.path in ("/permission", "/question"):
            what = url.path[1:]
            return 200, [
                {"id": "per_1", "sessionID": i} for i, kind in self.asking.items() if kind == what and i in here
            ]
        if method == "POST" and url.path in ("/global/dispose", "/instance/dispose"):
            return 200, True
        return 404, {"name": "NotFoundError"}

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                method, target, _ = line.decode().split(" ", 2)
                while (await reader.readline()).strip():
                    pass
                self.asked.append(f"{method} {target}")
                if self.mood == "silent":
                    await asyncio.sleep(60)
                if self.mood == "dies":
                    return
                status, body = self._reply(method, target)
                if self.mood == "password":
                    status, body = 401, {"error": "Unauthorized"}
                text = {"nonsense": b'{"healthy": tru', "page": b"<!doctype html><title>hello</title>"}.get(
                    self.mood, json.dumps(body).encode()
                )
                writer.write(f"HTTP/1.1 {status} X\r\ncontent-length: {len(text)}\r\n\r\n".encode() + text)
                await writer.drain()
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def running(server: FakeServer) -> AsyncIterator[FakeServer]:
    connections: set[asyncio.Task[None]] = set()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(server._serve(reader, writer))
        connections.add(task)
        task.add_done_callback(connections.discard)

    listening = await asyncio.start_server(connected, "127.0.0.1", 0)
    server.port = listening.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listening.close()
        for task in list(connections):
            task.cancel()
        await asyncio.gather(*connections, return_exceptions=True)
