"""A Codeman server as 0.4.3 and 1.2.2 were seen to be: routes, both dialects, login, guard, events.

A program; `codeman_fake` puts a launcher in front of it whose path is that of the real one. Needs the standard library
and the `tmux` and `openssl` programs. A test tells it to misbehave over a socket in the control folder.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import contextlib
import json
import os
import secrets
import signal
import ssl
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from tests.hosts.codeman_fake_http import Reply, Request, plain, said, serve
from tests.hosts.codeman_fake_sessions import DIALECTS, GRACE_S, Dialect, Refused, Sessions, now_ms

COOKIE = "codeman_session"
MAX_COOKIES = 100
MAX_FAILURES = 10
CACHE_S = 1.0
MAX_EVENT_CLIENTS = 100


@dataclass(slots=True)
class Login:
    """Keep who may come in: HTTP Basic once, then a cookie; ten failures lock everybody on an address out.

    Only 0.4.3 also refuses right credentials then.
    """

    dialect: Dialect
    https: bool
    cookies: dict[str, None] = field(default_factory=dict)
    failures: dict[str, int] = field(default_factory=dict)

    def check(self, request: Request, address: str, hook_secret: str) -> tuple[Reply | None, dict[str, str]]:
        """Return the refusal if there is one, and the headers that a reply has to carry."""
        password = os.environ.get("CODEMAN_PASSWORD", "")
        if not password:
            return None, {}
        if request.method == "POST" and request.path == "/api/hook-event":
            if self.dialect.bare or request.headers.get("x-codeman-hook-secret") == hook_secret:
                return None, {}
            return plain(401, "Unauthorized: hook secret required"), {}
        if self.dialect.bare and self._locked(address):
            return self._locked_out(), {}
        cookie = request.cookie(COOKIE)
        if cookie in self.cookies:
            return None, {} if self.dialect.bare else self._hand_out(cookie)
        right = f"{os.environ.get('CODEMAN_USERNAME') or 'admin'}:{password}"
        if request.headers.get("authorization") == "Basic " + base64.b64encode(right.encode()).decode():
            if len(self.cookies) >= MAX_COOKIES:
                del self.cookies[next(iter(self.cookies))]
            cookie = secrets.token_hex(32)
            self.cookies[cookie] = None
            self.failures.pop(address, None)
            return None, self._hand_out(cookie)
        if self._locked(address):
            return self._locked_out(), {}
        self.failures[address] = self.failures.get(address, 0) + 1
        return plain(401, "Unauthorized", www_authenticate='Basic realm="Codeman"'), {}

    def _locked(self, address: str) -> bool:
        return self.failures.get(address, 0) >= MAX_FAILURES

    def _locked_out(self) -> Reply:
        headers = {} if self.dialect.bare else {"retry_after": "900"}
        return plain(429, "Too Many Requests — try again later", **headers)

    def _hand_out(self, cookie: str) -> dict[str, str]:
        secure = "; Secure" if self.https else ""
        return {"set-cookie": f"{COOKIE}={cookie}; Max-Age=86400; Path=/; HttpOnly{secure}; SameSite=Lax"}


@dataclass(slots=True)
class Behaviour:
    """Say how the server misbehaves, for the requests whose "METHOD /path" begins with `only`.

    Attributes:
        slow_s: before each answer.
        hangs: takes the request and never answers.
        drops: closes the connection without a word.
        lies: a DELETE says success at once, and nothing is killed or forgotten.
        status, text: answered instead, e.g. a proxy's page.
        kill_s: between SIGTERM and SIGKILL of a tree; whole calls took 0.1 to 2.9 s in the runs.
    """

    only: str = ""
    slow_s: float = 0.0
    hangs: bool = False
    drops: bool = False
    lies: bool = False
    status: int = 0
    text: str = ""
    kill_s: float = GRACE_S


class Server:
    """Answer requests.

    Attributes:
        told: what a test laid over the answers: "subagents", "scheduledRuns".
        asked: every request, for tests to look at.
    """

    def __init__(self, dialect: Dialect, *, data: Path, https: bool) -> None:
        self.dialect = dialect
        self.data = data
        self.sessions = Sessions(dialect, data, self._tell)
        self.login = Login(dialect, https)
        self.behaviour = Behaviour()
        self.told: dict[str, Any] = {"subagents": [], "scheduledRuns": []}
        self.asked: list[dict[str, Any]] = []
        self.listeners: dict[asyncio.Queue[bytes], set[str]] = {}
        self.born_s = time.time()
        self.hook_secret = secrets.token_hex(32)
        self._cached: dict[str, tuple[float, Any]] = {}

    # ---------------------------------------------------------------------------------------------- every request

    async def answer(self, request: Request, address: str) -> Reply | None:
        kept = ("authorization", "cookie", "content-type", "host", "origin")
        heads = {name: request.headers[name] for name in kept if name in request.headers}
        self.asked.append({"method": request.method, "target": request.target, "headers": heads})
        behaves = self.behaviour
        if f"{request.method} {request.path}".startswith(behaves.only):
            await asyncio.sleep(behaves.slow_s)
            if behaves.hangs:
                await asyncio.sleep(3600)
            if behaves.drops:
                return None
            if behaves.lies and request.method == "DELETE":
                return said(self._success())
            if behaves.status:
                return plain(behaves.status, behaves.text)
        if not self.dialect.bare and (refusal := _guard(request)) is not None:
            return refusal
        refusal, headers = self.login.check(request, address, self.hook_secret)
        if refusal is not None:
            return refusal
        reply = await self._routed(request)
        return Reply(
            status=reply.status,
            body=reply.body,
            content_type=reply.content_type,
            headers={**reply.headers, **headers},
            events=reply.events,
        )

    async def _routed(self, request: Request) -> Reply:
        path = request.path
        if not self.dialect.bare and path.startswith("/api/v1/"):
            path = "/api/" + path.removeprefix("/api/v1/")
        try:
            if request.headers.get("content-type", "").startswith("application/json") and not request.body:
                error = "Body cannot be empty when content-type is set to 'application/json'"
                return said({"success": False, "error": error, "errorCode": "OPERATION_FAILED"}, status=400)
            found = self._route(request.method, [unquote(part) for part in path.split("/")[1:]], request)
            reply = None if found is None else await found
        except Refused as refused:
            status = 200 if self.dialect.bare else refused.status
            body = {"success": False, "error": refused.error, "errorCode": refused.code}
            return said(body, status=status)
        if reply is not None:
            return reply
        missing = f"Route {request.method}:{request.target} not found"
        if self.dialect.bare:
            return said({"message": missing, "error": "Not Found", "statusCode": 404}, status=404)
        return said({"success": False, "error": missing, "errorCode": "NOT_FOUND"}, status=404)

    def _route(self, method: str, parts: list[str], request: Request) -> Awaitable[Reply] | None:
        if parts[:1] != ["api"]:
            return None
        gets: dict[str, Callable[[], Any]] = {
            "status": lambda: self._cache("status", self._status),
            "mux-sessions": lambda: {"sessions": self.sessions.mux_records(), "muxAvailable": True},
            "system/stats": self._system,
            "debug/memory": self._memory,
            "history/sessions": lambda: {"sessions": self._history()},
        }
        succeeds: dict[str, Callable[[], Any]] = {
            "stats": self._stats,
            "config": self._config,
            "session-lifecycle": lambda: {"entries": self._lifecycle(request)},
        }
        name = "/".join(parts[1:])
        match method, parts[1:]:
            case "GET", ["sessions"]:
                return self._say(self._cache("sessions", self.sessions.records))
            case "GET", _ if name in gets:
                return self._say(gets[name]())
            case "GET", _ if name in succeeds:
                return self._say(self._success(succeeds[name]()))
            case "GET", ["subagents"]:
                return self._say({"success": True, "data": self.told["subagents"]})
            case "GET", ["events"]:
                return self._events(request)
            case "POST", ["sessions"]:
                return self._create(request)
            case "DELETE", ["sessions"]:
                return self._delete_all()
            case "POST", ["mux-sessions", "reconcile"]:
                return self._say(self._reconcile())
            case "DELETE", ["mux-sessions", session_id]:
                return self._kill_mux(session_id)
            case "DELETE", ["subagents", agent_id]:
                return self._kill_subagent(agent_id)
            case "POST", ["hook-event"]:
                return self._hook(request)
            case "POST", ["run"]:
                return self._run(request)
            case _, ["sessions", session_id, *rest]:
                return self._of_session(method, session_id, rest, request)
        return None

    def _of_session(self, method: str, session_id: str, rest: list[str], request: Request) -> Awaitable[Reply] | None:
        match method, rest:
            case "GET", []:
                missing = "Session not found" if self.dialect.bare else f"Session {session_id} not found"
                return self._say(self.sessions.find(session_id, error=missing).told())
            case "DELETE", []:
                return self._delete(session_id, kill=request.query("killMux") != "false")
            case "POST", ["interactive" | "shell" as kind]:
                return self._start(session_id, shell=kind == "shell")
            case "GET", ["respawn"]:
                return self._say(self._respawn(session_id))
            case "POST", ["respawn", "start"]:
                return self._respawn_start(session_id)
            case "POST", ["respawn", "stop"]:
                return self._respawn_stop(session_id)
            case "GET", ["subagents"]:
                own = [agent for agent in self.told["subagents"] if agent["sessionId"] == session_id]
                return self._say({"success": True, "data": own})
            case "GET", ["cpu-limit"]:
                self.sessions.find(session_id)
                return self._say(self._success(_without_success(self.dialect.recorded("cpu_limit"))))
        return None

    async def _say(self, payload: Any) -> Reply:
        """Answer in the envelope of the dialect; what has `success` already is answered as it is."""
        if self.dialect.bare or (isinstance(payload, dict) and "success" in payload):
            return said(payload)
        return said({"success": True, "data": payload})

    def _success(self, data: dict[str, Any] | None = None) -> dict[str, Any]:
        return {"success": True, **(data or {})} if self.dialect.bare else {"success": True, "data": data or {}}

    def _cache(self, name: str, make: Callable[[], Any]) -> Any:
        """Answer the same for a second, as the real one does."""
        now = time.monotonic()
        if name not in self._cached or now - self._cached[name][0] >= CACHE_S:
            self._cached[name] = (now, json.loads(json.dumps(make())))
        return self._cached[name][1]

    def _changed(self, *, deleted: bool = False) -> None:
        # RUN 0.4.3: a deleted session is shown for up to a second while nobody listens to the events
        if not (deleted and self.dialect.bare and not self.listeners):
            self._cached.clear()

    # ---------------------------------------------------------------------------------------------- what is read

    def _status(self) -> dict[str, Any]:
        totals = {"totalInputTokens": 0, "totalOutputTokens": 0, "totalCost": 0}
        totals |= {"totalSessionsCreated": self.sessions.created, "activeSessionsCount": len(self.sessions.all)}
        status = dict(self.dialect.recorded("status"))
        respawns = {s.id: s.respawn for s in self.sessions.all.values() if s.respawn is not None}
        return {
            **status,
            "sessions": self.sessions.records(),
            "scheduledRuns": self.told["scheduledRuns"],
            "respawnStatus": respawns,
            "globalStats": totals,
            "subagents": self.told["subagents"],
            "timestamp": now_ms(),
        }

    def _system(self) -> dict[str, Any]:
        total_mb = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 1024**2
        share = min(100, round(os.getloadavg()[0] / (os.cpu_count() or 1) * 100))
        return {"cpu": share, "memory": {"usedMB": total_mb // 16, "totalMB": total_mb, "percent": 6}}

    def _memory(self) -> dict[str, Any]:
        said_: dict[str, Any] = json.loads(json.dumps(self.dialect.recorded("debug_memory")))
        listed = subprocess.run(
            ["ps", "-o", "rss=", "-p", str(os.getpid())], capture_output=True, text=True, check=True
        )
        rss = int(listed.stdout) * 1024
        said_["memory"] |= {"rss": rss, "rssMB": round(rss / 1024**2 + 0.05, 1)}
        said_["mapSizes"]["server"]["sessions"] = len(self.sessions.all)
        up_s = round(time.time() - self.born_s)
        said_["uptime"] = {"seconds": up_s, "formatted": f"{up_s}s"}
        return {**said_, "timestamp": now_ms()}

    def _stats(self) -> dict[str, Any]:
        counted = dict(_without_success(self.dialect.recorded("stats")))
        counted["stats"] = {**counted["stats"], "totalSessionsCreated": self.sessions.created}
        counted["stats"]["activeSessionsCount"] = len(self.sessions.all)
        return counted

    def _config(self) -> dict[str, Any]:
        config = json.loads(json.dumps(_without_success(self.dialect.recorded("config"))))
        config["config"]["stateFilePath"] = str(self.data / "state.json")
        return dict(config)

    def _lifecycle(self, request: Request) -> list[dict[str, Any]]:
        path = self.data / "session-lifecycle.jsonl"
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for name, key in (("sessionId", "sessionId"), ("event", "event")):
            if wanted := request.query(name):
                lines = [line for line in lines if line[key] == wanted]
        since = int(request.query("since") or 0)
        return [line for line in reversed(lines) if line["ts"] >= since][: int(request.query("limit") or 100)]

    def _history(self) -> list[dict[str, Any]]:
        files = Path(os.environ["HOME"]).glob(".claude/projects/*/*.jsonl")
        found = [(path.stat(), path) for path in files]
        found = sorted((pair for pair in found if pair[0].st_size >= 4096), key=lambda pair: -pair[0].st_mtime)
        told = []
        for stat, path in found[:50]:
            moment = datetime.fromtimestamp(stat.st_mtime, UTC).isoformat(timespec="milliseconds")
            entry: dict[str, Any] = {
                "sessionId": path.stem,
                "workingDir": path.parent.name.replace("-", "/"),
                "projectKey": path.parent.name,
                "sizeBytes": stat.st_size,
                "lastModified": moment.replace("+00:00", "Z"),
            }
            for line in path.read_text(encoding="utf-8").splitlines():
                record = json.loads(line)
                entry["workingDir"] = record.get("cwd", entry["workingDir"])
                if record.get("type") == "user" and isinstance(record["message"]["content"], str):
                    entry["firstPrompt"] = record["message"]["content"][:120]
                    break
            told.append(entry)
        return told

    # ---------------------------------------------------------------------------------------------- what is done

    async def _create(self, request: Request) -> Reply:
        session = self.sessions.create(request.json())
        self._changed()
        return said(self._success({"session": session.told()}))

    async def _start(self, session_id: str, *, shell: bool) -> Reply:
        self.sessions.start(session_id, shell=shell)
        self._changed()
        return said(self._success())

    async def _delete(self, session_id: str, *, kill: bool) -> Reply:
        await self.sessions.delete(session_id, kill=kill)
        self._changed(deleted=True)
        return said(self._success())

    async def _delete_all(self) -> Reply:
        ids = list(self.sessions.all)
        for session_id in ids:
            await self.sessions.delete(session_id, kill=True)
        self._changed(deleted=True)
        return said({"success": True, "data": {"killed": len(ids)}})

    async def _kill_mux(self, session_id: str) -> Reply:
        killed = await self.sessions.kill_mux(session_id)
        self._changed()
        return said({"success": killed} if self.dialect.bare else {"success": True, "data": {"killed": killed}})

    def _reconcile(self) -> dict[str, Any]:
        found = self.sessions.reconcile()
        self._changed()
        return found

    async def _kill_subagent(self, agent_id: str) -> Reply:
        # SRC: SIGTERM only when it is a separate process, which a fake one never is
        if agent_id not in [agent["agentId"] for agent in self.told["subagents"]]:
            raise Refused(404, "NOT_FOUND", "Subagent not found or no PID available")
        raise Refused(422, "OPERATION_FAILED", "Subagent not found or no PID available")

    async def _run(self, request: Request) -> Reply:
        session_id, process = self.sessions.run_once(request.json())
        while process.poll() is None:
            await asyncio.sleep(0.05)
        return said(self._success({"sessionId": session_id, "output": ""}))

    def _respawn(self, session_id: str) -> dict[str, Any]:
        session = self.sessions.all.get(session_id)
        if session is None or session.respawn is None:
            return {"enabled": False, "status": None}
        quiet_ms = now_ms() - session.record["lastActivityAt"]
        return {**self.dialect.recorded("session_respawn_on"), "timeSinceActivity": quiet_ms}

    async def _respawn_start(self, session_id: str) -> Reply:
        session = self.sessions.find(session_id)
        told = _without_success(self.dialect.recorded("respawn_start"))
        session.respawn = told["status"]
        session.record |= {"respawnEnabled": True, "respawnConfig": told["status"].get("config", told.get("config"))}
        if self.dialect.bare and session_id in self.sessions.mux:
            self.sessions.mux[session_id]["respawnConfig"] = session.record["respawnConfig"]
            self.sessions.save_mux()
        self.sessions.save_state()
        self._changed()
        return said(self._success(told))

    async def _respawn_stop(self, session_id: str) -> Reply:
        session = self.sessions.find(session_id)
        if session.respawn is None:
            raise Refused(404, "NOT_FOUND", "Respawn controller not found")
        session.respawn = None
        session.record |= {"respawnEnabled": False, "respawnConfig": None, "respawn": None}
        self._changed()
        return said(self._success())

    async def _hook(self, request: Request) -> Reply:
        told = request.json()
        session = self.sessions.find(str(told.get("sessionId", "")))
        self._tell(f"hook:{told['event']}", {"sessionId": session.id, **told.get("data", {})})
        return said(self._success())

    # ---------------------------------------------------------------------------------------------- events

    async def _events(self, request: Request) -> Reply:
        if len(self.listeners) >= MAX_EVENT_CLIENTS:
            return plain(503, "Too many SSE clients")
        queue: asyncio.Queue[bytes] = asyncio.Queue()
        queue.put_nowait(_event("init", self._status()))
        self.listeners[queue] = {part for part in request.query("sessions").split(",") if part}
        return Reply(status=200, events=queue)

    def _tell(self, event: str, data: Any) -> None:
        of = ""
        if isinstance(data, dict):
            of = data.get("id") or data.get("sessionId") or data.get("session", {}).get("id", "")
        for queue, wanted in self.listeners.items():
            # the filter also hides that other sessions come and go
            if not wanted or not of or of in wanted:
                queue.put_nowait(_event(event, data))

    # ---------------------------------------------------------------------------------------------- what tests say

    def obey(self, told: dict[str, Any]) -> Any:
        """Do what a test tells; nothing of this exists in a real server."""
        match told["do"]:
            case "behave":
                self.behaviour = Behaviour(**told["how"])
                self.sessions.grace_s = self.behaviour.kill_s
            case "change":
                self.sessions.all[told["id"]].laid_over |= told["fields"]
                self._cached.clear()
            case "tell":
                self.told |= told["what"]
                self._cached.clear()
            case "asked":
                return self.asked
            case "forget-answers":
                self._cached.clear()
            case "clear":
                self._clear()
            case other:
                raise ValueError(other)
        return None

    def _clear(self) -> None:
        """Be as after a start in an empty home; what ran in tmux was ended by the test."""
        self.told = {"subagents": [], "scheduledRuns": []}
        self.behaviour = Behaviour()
        self.asked.clear()
        self.login = Login(self.dialect, self.login.https)
        for name in ("mux-sessions.json", "state.json", "session-lifecycle.jsonl"):
            (self.data / name).unlink(missing_ok=True)
        self.sessions.all.clear()  # the end of its clients may still have to be noticed, and concerns nobody
        self.sessions = Sessions(self.dialect, self.data, self._tell)
        self.sessions.recover()
        self._cached.clear()


def _guard(request: Request) -> Reply | None:
    """Refuse names that a web page could have bound to this machine (0.9.5 and later)."""
    host = request.headers.get("host", "").rsplit(":", 1)[0]
    if host not in {"127.0.0.1", "localhost", "[::1]"}:
        return plain(403, "Forbidden: host not allowed")
    origin = request.headers.get("origin")
    if origin is not None and request.method not in {"GET", "HEAD", "OPTIONS"}:
        name = origin.split("://")[-1].rsplit(":", 1)[0]
        if name not in {"127.0.0.1", "localhost", "[::1]"}:
            return plain(403, "Forbidden: cross-site request blocked")
    return None


def _without_success(payload: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in payload.items() if key != "success"}


def _event(name: str, data: Any) -> bytes:
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def _certificate(folder: Path) -> ssl.SSLContext:
    """Make the server's own certificate when there is none yet; it serves as its own CA."""
    folder.mkdir(exist_ok=True)
    key, certificate = folder / "server.key", folder / "server.crt"
    if not certificate.exists():
        made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "365", "-subj", "/CN=localhost"]
        made += ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)]
        subprocess.run(made, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context


def _arguments(dialect: Dialect) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("web")
    parser.add_argument("-p", "--port", type=int, default=int(os.environ.get("CODEMAN_PORT", "3000")))
    parser.add_argument("--https", action="store_true")
    if not dialect.bare:
        parser.add_argument("-H", "--host", default="127.0.0.1")
    return parser.parse_args()


def main(version: str, control: str) -> None:
    """Serve until SIGTERM."""
    dialect = DIALECTS[version]
    arguments = _arguments(dialect)
    # the real 0.4.3 binds every address; a test's server has no business there
    asyncio.run(_live(dialect, arguments, Path(control)))


async def _live(dialect: Dialect, arguments: argparse.Namespace, control: Path) -> None:
    data = Path(os.environ.get("CODEMAN_DATA_DIR") or Path(os.environ["HOME"]) / ".codeman")
    data.mkdir(exist_ok=True)
    server = Server(dialect, data=data, https=arguments.https)
    (data / "settings.json").write_text("{}", encoding="utf-8")
    if not dialect.bare:
        (data / "hook-secret").write_text(server.hook_secret, encoding="ascii")
        (data / "hook-secret").chmod(0o600)
    scheme = "https" if arguments.https else "http"
    context = _certificate(data / "certs") if arguments.https else None
    # after the start, so that the environment in the process table does not have it
    os.environ["CODEMAN_API_URL"] = f"{scheme}://{dialect.host}:{arguments.port}"
    server.sessions.recover()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        address = writer.get_extra_info("peername")[0]
        await serve(reader, writer, lambda request: server.answer(request, address))

    async def told(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = await reader.readline()
        with contextlib.suppress(ConnectionError):
            writer.write(json.dumps(server.obey(json.loads(line))).encode() + b"\n")
            await writer.drain()
            writer.close()

    ends = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ends.set)
    await asyncio.start_server(connected, "127.0.0.1", arguments.port, ssl=context)
    path = control / "server.sock"
    path.unlink(missing_ok=True)
    await asyncio.start_unix_server(told, control / "server.fresh")
    (control / "server.fresh").rename(path)
    await ends.wait()
    for process in server.sessions.direct:
        process.terminate()
    server.sessions.save_state()
    sys.stdout.flush()
    os._exit(0)  # as the real one: open connections and clients are not waited for
