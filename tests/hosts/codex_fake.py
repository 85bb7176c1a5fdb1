"""A Codex daemon as 0.171.0 was seen to be: its home, its logs, its control socket, and a real process.

`FakeDaemon` answers in a thread of the test's own process and misbehaves in each way that something behind its socket
may. `running` starts a real program with a daemon's arguments, open logs, MCP servers and tools, that answers as well.
Replies are the recorded ones. Like the real one it refuses no archive: a turn would be cut off by it.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from tests.hosts.homes import NOW_EPOCH_S, iso, recorded

REPLIES: dict[str, Any] = json.loads(recorded("codex/rpc.json"))
RELEASE = Path("packages") / "app-server-daemon" / "releases" / "0.171.0-x86_64-unknown-linux-musl" / "bin" / "codex"
ARGUMENTS = ("app-server", "--listen", "unix://", "--analytics-default-enabled", "--managed-daemon")
SOCKET = Path("app-server-control") / "app-server-control.sock"
ONE = "01a22f15-e9e4-7802-91b1-9650df498fc0"
TWO = "01a22f15-eac0-74f0-aea1-fe9e9546069a"
BELOW = "01a22f15-f000-7000-8000-000000000003"
EXPERIMENTAL = frozenset({"thread/backgroundTerminals/list", "server/diagnostics"})
_REFUSED = -32600


# -------------------------------------------------------------------------------------------------- a home on disk


def rollout_path(home: Path, thread_id: str) -> Path:
    """Return where the log of a thread lies: by the time in its id."""
    began = datetime.fromtimestamp((int(thread_id.replace("-", ""), 16) >> 80) / 1000, UTC)
    return home / "sessions" / f"{began:%Y/%m/%d}" / f"rollout-{began:%Y-%m-%dT%H-%M-%S}-{thread_id}.jsonl"


def rollout(home: Path, thread_id: str, *, cwd: str = "/home/alex/shop", ended_age_s: float | None = 400.0) -> Path:
    """Write the log of a thread with one turn, which is open where it has not ended."""
    path = rollout_path(home, thread_id)
    path.parent.mkdir(parents=True, exist_ok=True)
    usage = {"total_tokens": 210, "input_tokens": 200, "output_tokens": 10}
    records: list[dict[str, Any]] = [
        {"type": "session_meta", "payload": {"id": thread_id, "cwd": cwd, "cli_version": "0.171.0"}},
        {"type": "event_msg", "payload": {"type": "task_started"}},
        {"type": "turn_context", "payload": {"cwd": cwd, "model": "m1"}},
        {"type": "token_usage_record", "payload": {"thread_token_usage": usage}},
    ]
    if ended_age_s is not None:
        records.append({"type": "event_msg", "payload": {"type": "task_complete"}})
    lines = [{"timestamp": iso(ended_age_s or 500.0), **record} for record in records]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def name(home: Path, thread_id: str, title: str) -> None:
    """Add a name to the index of a home."""
    with (home / "session_index.jsonl").open("a", encoding="utf-8") as index:
        index.write(json.dumps({"id": thread_id, "thread_name": title, "updated_at": iso(10)}) + "\n")


# -------------------------------------------------------------------------------------------------- the daemon


@dataclass(slots=True)
class Answers:
    """Hold what a daemon knows, and in which ways it misbehaves.

    Attributes:
        threads: the loaded ones, as `thread/read` tells them; archived ones wait in `archived`.
        commands: of background terminals, by thread.
        slow_s: before each reply.
        mute: never answers.
        garbage: answers with what is no JSON.
        unknown: methods that it has not got.
        without: fields that are missing in what it says of a thread, such as "status".
        renamed: what is said instead of a word, such as {"idle": "resting"}.
        says_pid: another pid than its own.
        lies: says that it archived, and does not.
        reloads: a terminal loads a thread again as soon as it is brought back.
        fails_to_bring_back: how often it does.
        dies_after: the method after whose reply it is gone.
        swallows: the method that it carries out and does not answer.
        misshapes: what it says to a method instead.
        more: ends its list of threads with a cursor.
    """

    pid: int = field(default_factory=os.getpid)
    threads: dict[str, dict[str, Any]] = field(default_factory=dict)
    archived: dict[str, dict[str, Any]] = field(default_factory=dict)
    commands: dict[str, list[str]] = field(default_factory=dict)
    slow_s: float = 0.0
    mute: bool = False
    garbage: bool = False
    unknown: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()
    renamed: dict[str, str] = field(default_factory=dict)
    says_pid: int | None = None
    lies: bool = False
    reloads: bool = False
    fails_to_bring_back: int = 0
    dies_after: str | None = None
    swallows: str | None = None
    misshapes: dict[str, Any] = field(default_factory=dict)
    more: bool = False
    asked: list[str] = field(default_factory=list)
    held: dict[str, IO[str]] = field(default_factory=dict)

    def add(
        self,
        thread_id: str,
        *,
        path: Path | None = None,
        status: str = "idle",
        flags: tuple[str, ...] = (),
        **changed: Any,
    ) -> None:
        """Load a thread: the recorded one but for what is changed."""
        said = {**REPLIES["thread/read"]["thread"], "id": thread_id, "sessionId": thread_id, **changed}
        said["status"] = {"type": status, **({"activeFlags": list(flags)} if status == "active" else {})}
        said["path"] = str(path) if path is not None else said["path"].replace(ONE, thread_id)
        said["updatedAt"] = changed.get("updatedAt", int(NOW_EPOCH_S - 300))
        self.threads[thread_id] = said

    def reply(self, method: str, params: dict[str, Any], *, experimental: bool) -> dict[str, Any]:
        """Return the result or the error of one request, and carry it out."""
        self.asked.append(method)
        if method in self.unknown:
            return _error("unknown", method=method)
        if method in self.misshapes:
            return {"result": self.misshapes[method]}
        if method in EXPERIMENTAL and not experimental:
            return _error("experimental", method=method)
        thread_id = params.get("threadId", "")
        match method:
            case "initialize":
                return {"result": REPLIES[method]}
            case "thread/loaded/list":
                ids = [*self.threads][: params.get("limit") or None]
                return {"result": {"data": ids, "nextCursor": ids[-1] if self.more else None}}
            case "server/diagnostics":
                return {"result": self._diagnostics()}
            case "thread/read":
                known = self.threads.get(thread_id)
                return {"result": {"thread": self._said(known)}} if known else _error("not loaded", id=thread_id)
            case "thread/backgroundTerminals/list":
                (pattern,) = REPLIES[method]["data"]
                data = [{**pattern, "command": command} for command in self.commands.get(thread_id, ())]
                return {"result": {"data": data, "nextCursor": None}}
            case "thread/archive":
                return self._archive(thread_id)
            case "thread/unarchive":
                return self._unarchive(thread_id)
        return _error("unknown", method=method)

    def _said(self, known: dict[str, Any]) -> dict[str, Any]:
        status = {**known["status"], "type": self.renamed.get(known["status"]["type"], known["status"]["type"])}
        said = {**known, "status": status}
        return {key: value for key, value in said.items() if key not in self.without}

    def _diagnostics(self) -> dict[str, Any]:
        active = sum(said["status"]["type"] == "active" for said in self.threads.values())
        gauges = [
            {**gauge, "value": active if gauge["name"] == "core.turns.active" else len(self.threads)}
            for gauge in REPLIES["server/diagnostics"]["gauges"]
        ]
        own = {**REPLIES["server/diagnostics"]["process"], "id": self.says_pid or self.pid}
        return {"process": own, "gauges": gauges}

    def _archive(self, thread_id: str) -> dict[str, Any]:
        if thread_id not in self.threads:
            return _error("no rollout", id=thread_id)
        if self.lies:
            return {"result": {}}
        below = [one for one, said in self.threads.items() if said["parentThreadId"] == thread_id]
        for one in (thread_id, *below):
            self.archived[one] = self.threads.pop(one)
            held = self.held.pop(one, None)
            if held is not None:
                held.close()
            path = Path(self.archived[one]["path"])
            if path.exists():
                hidden = _hidden(path)
                hidden.parent.mkdir(exist_ok=True)
                path.rename(hidden)
        return {"result": {}}

    def _unarchive(self, thread_id: str) -> dict[str, Any]:
        if thread_id not in self.archived:
            return _error("not archived", id=thread_id)
        if self.fails_to_bring_back > 0:
            self.fails_to_bring_back -= 1
            return {"error": {"code": -32603, "message": "database is locked"}}
        said = self.archived.pop(thread_id)
        path = Path(said["path"])
        if _hidden(path).exists():
            _hidden(path).rename(path)
        if self.reloads:
            self.threads[thread_id] = said
        return {"result": {"thread": {**said, "status": {"type": "notLoaded"}}}}


def _hidden(path: Path) -> Path:
    return path.parents[4] / "archived_sessions" / path.name


def _error(which: str, **values: str) -> dict[str, Any]:
    return {"error": {"code": _REFUSED, "message": REPLIES["errors"][which].format(**values)}}


class FakeDaemon:
    """Serve a home's control socket from a thread of its own; a context manager."""

    def __init__(self, home: Path, answers: Answers | None = None) -> None:
        self.answers = answers or Answers()
        self.link = home / SOCKET
        # as the real one: the socket lies in a short path, what stands in the home is a link
        self._folder = tempfile.TemporaryDirectory(prefix="codex-daemon-")
        self.path = Path(self._folder.name) / "socket"
        self._connections: set[Any] = set()

    def __enter__(self) -> FakeDaemon:
        from websockets.sync.server import unix_serve

        self.link.parent.mkdir(parents=True, exist_ok=True)
        self.link.unlink(missing_ok=True)
        self._server = unix_serve(self._serve, str(self.path), compression=None)
        self.link.symlink_to(self.path)
        self._thread = threading.Thread(target=self._server.serve_forever, name="codex-fake")
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        for connection in list(self._connections):
            connection.close_socket()
        self._thread.join()
        self.link.unlink(missing_ok=True)
        self._folder.cleanup()

    def _serve(self, connection: Any) -> None:
        from websockets.exceptions import ConnectionClosed

        self._connections.add(connection)
        experimental = False
        try:
            for message in connection:
                request = json.loads(message)
                if "id" not in request:
                    continue
                if self.answers.mute:
                    continue
                if self.answers.garbage:
                    connection.send("<html>")
                    continue
                time.sleep(self.answers.slow_s)
                params = request.get("params") or {}
                if request["method"] == "initialize":
                    experimental = bool((params.get("capabilities") or {}).get("experimentalApi"))
                said = self.answers.reply(request["method"], params, experimental=experimental)
                if request["method"] == "thread/archive" and "result" in said:
                    # the real one tells all who are connected, before it answers
                    note = {"method": "thread/archived", "params": {"threadId": params["threadId"]}}
                    connection.send(json.dumps(note))
                if request["method"] == self.answers.swallows:
                    continue
                connection.send(json.dumps({"id": request["id"], **said}))
                if request["method"] == self.answers.dies_after:
                    self.link.unlink()
                    self._server.socket.close()
                    connection.close_socket()
                    return
        except ConnectionClosed:
            return
        finally:
            self._connections.discard(connection)


@contextmanager
def not_a_daemon(home: Path) -> Iterator[None]:
    """Listen on the control socket, and hang up on everybody."""
    with tempfile.TemporaryDirectory(prefix="codex-daemon-") as folder:
        link = home / SOCKET
        link.parent.mkdir(parents=True, exist_ok=True)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(f"{folder}/socket")
        listener.listen()
        link.symlink_to(f"{folder}/socket")

        def hang_up() -> None:
            with suppress(OSError):
                while True:
                    listener.accept()[0].close()

        thread = threading.Thread(target=hang_up)
        thread.start()
        try:
            yield
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()
            listener.close()
            link.unlink()


# -------------------------------------------------------------------------------------------------- a real process


@dataclass(slots=True)
class Running:
    """Know a running fake: its process, and what it started, by what that is: "mcp", "tool"."""

    process: subprocess.Popen[bytes]
    started: dict[str, int]

    @property
    def pid(self) -> int:
        return self.process.pid


@contextmanager
def running(home: Path, folder: Path, threads: list[str]) -> Iterator[Running]:
    """Run a daemon on a home whose threads hold their logs open; all of it is ended afterwards.

    Its arguments are those of the real one: the interpreter takes the first of them for its script, which is there.
    """
    (folder / ARGUMENTS[0]).write_text("from tests.hosts.codex_fake import live\n\nlive()\n", encoding="utf-8")
    ready = folder / "ready.json"
    root = Path(__file__).parent.parent.parent
    mark = {key: value for key, value in os.environ.items() if key == "TRAYAPP_TEST_RUN"}
    environ = {
        **mark,
        "PATH": os.environ["PATH"],
        "PYTHONHOME": sys.base_prefix,
        "PYTHONPATH": os.pathsep.join([str(root), *filter(None, sys.path)]),
        "CODEX_HOME": str(home),
        "FAKE_THREADS": json.dumps(threads),
        "FAKE_READY": str(ready),
    }
    process = subprocess.Popen(
        [str(home / RELEASE), *ARGUMENTS], executable=sys.executable, env=environ, cwd=folder, start_new_session=True
    )
    started: dict[str, int] = {}
    try:
        deadline_s = time.monotonic() + 30
        while not ready.exists():
            assert process.poll() is None, "the fake daemon ended"
            assert time.monotonic() < deadline_s, "the fake daemon did not come up"
            time.sleep(0.02)
        started = json.loads(ready.read_text(encoding="utf-8"))
        yield Running(process=process, started=started)
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait(10)
        for pid in started.values():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def live() -> None:
    """Be a daemon until SIGTERM: hold logs, answer, have an MCP server and a tool of the first thread."""
    home = Path(os.environ["CODEX_HOME"])
    threads: list[str] = json.loads(os.environ["FAKE_THREADS"])
    ends = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ends.set())
    answers = Answers()
    for thread_id in threads:
        path = rollout_path(home, thread_id)
        answers.held[thread_id] = path.open(encoding="utf-8")
        answers.add(thread_id, path=path)
    answers.commands[threads[0]] = ["sleep 400"]
    own = {"PATH": os.environ["PATH"]} | {k: v for k, v in os.environ.items() if k == "TRAYAPP_TEST_RUN"}
    mcp = subprocess.Popen(["cat"], stdin=subprocess.PIPE, env=own, process_group=0)
    of_thread = {**own, "CODEX_THREAD_ID": threads[0], "CODEX_SESSION_ID": threads[0]}
    tool = subprocess.Popen(["sleep", "400"], env=of_thread, start_new_session=True)
    with FakeDaemon(home, answers):
        ready = Path(os.environ["FAKE_READY"])
        fresh = ready.with_suffix(".fresh")
        fresh.write_text(json.dumps({"mcp": mcp.pid, "tool": tool.pid}), encoding="utf-8")
        fresh.rename(ready)
        ends.wait()
    for child in (mcp, tool):
        child.terminate()
        child.wait()
