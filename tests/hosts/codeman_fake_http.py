"""The little of HTTP that the Codeman fake needs: requests with a body, replies, keep-alive, streams of events.

Standard library only: it runs in the fake server's process, which has nothing else.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs, urlsplit

JSON = "application/json; charset=utf-8"
PLAIN = "text/plain; charset=utf-8"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Hold one request; header names are in small letters."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def path(self) -> str:
        return urlsplit(self.target).path

    def query(self, name: str) -> str:
        return parse_qs(urlsplit(self.target).query).get(name, [""])[0]

    def json(self) -> dict[str, Any]:
        """Return the body as an object; empty when there is none or it is something else."""
        try:
            said = json.loads(self.body or b"{}")
        except ValueError:
            return {}
        return said if isinstance(said, dict) else {}

    def cookie(self, name: str) -> str:
        for part in self.headers.get("cookie", "").split(";"):
            key, _, value = part.strip().partition("=")
            if key == name:
                return value
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """Hold one reply; `events` = an endless stream that is written from this queue instead of a body."""

    status: int
    body: bytes = b""
    content_type: str = JSON
    headers: dict[str, str] = field(default_factory=dict)
    events: asyncio.Queue[bytes] | None = None


def said(payload: Any, *, status: int = 200) -> Reply:
    return Reply(status=status, body=json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode())


def plain(status: int, text: str, **headers: str) -> Reply:
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status=status, body=text.encode(), content_type=PLAIN, headers=names)


Answer = Callable[[Request], Awaitable[Reply | None]]
"""None = the connection is closed without a word."""


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answer: Answer) -> None:
    """Answer what comes on one connection until it is closed."""
    with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, ValueError, TimeoutError):
        while (request := await _read(reader)) is not None:
            reply = await answer(request)
            if reply is None:
                break
            writer.write(_head(reply))
            if reply.events is not None:
                while True:
                    writer.write(await reply.events.get())
                    await writer.drain()
            writer.write(reply.body)
            await writer.drain()
            if request.headers.get("connection", "").lower() == "close":
                break
    with contextlib.suppress(ConnectionError, RuntimeError):
        writer.close()


async def _read(reader: asyncio.StreamReader) -> Request | None:
    line = (await reader.readline()).decode("latin-1")
    if not line:
        return None
    method, target, _ = line.split(" ", 2)
    headers: dict[str, str] = {}
    while text := (await reader.readline()).decode("latin-1").strip():
        name, _, value = text.partition(":")
        headers[name.lower()] = value.strip()
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Request(method=method, target=target, headers=headers, body=body)


def _head(reply: Reply) -> bytes:
    lines = [f"HTTP/1.1 {reply.status} {HTTPStatus(reply.status).phrase}"]
    lines += [f"{name}: {value}" for name, value in reply.headers.items()]
    if reply.events is not None:
        lines += ["content-type: text/event-stream", "cache-control: no-cache", "connection: close"]
    else:
        lines += [f"content-type: {reply.content_type}", f"content-length: {len(reply.body)}"]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
