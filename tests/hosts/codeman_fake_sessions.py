"""The sessions of the fake Codeman: records, tmux, attached clients, and how a session is started and killed.

Runs in the fake server's process with the standard library only. The records are the recorded ones with their values
changed, so that no key can be missing.
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
import fcntl
import json
import os
import pty
import re
import shlex
import signal
import struct
import subprocess
import termios
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

RECORDED = Path(__file__).parent / "recorded" / "codeman"
SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
PROMPT = "❯"
GRACE_S = 0.2
"""Between SIGTERM and SIGKILL of an agent's tree."""
IDLE_AFTER_S = 0.1
"""From the prompt sign until a session reads idle; the real one waits 2 s."""

NOT_IN_UPDATES = {"planVersion", "planHistoryLength", "maxTodos", "todoExpirationMinutes"}

Tell = Callable[[str, Any], None]
"""Broadcast an event of a kind to whom it may concern."""


def now_ms() -> int:
    return int(time.time() * 1000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """Say how a version of Codeman differs from the others.

    Attributes:
        bare: bodies without envelope, HTTP 200 for errors.
        socket: arguments that name the tmux socket.
        reattaches: attaches by itself to what it finds after a restart.
    """

    version: str
    prefix: str
    bare: bool
    socket: tuple[str, ...]
    host: str
    reattaches: bool

    def recorded(self, name: str) -> Any:
        """Return the payload of a recorded reply."""
        reply = json.loads((RECORDED / f"{self.prefix}_{name}.json").read_text(encoding="utf-8"))
        body = reply["body"]
        return body if self.bare or not isinstance(body, dict) or "data" not in body else body["data"]


DIALECTS = {
    "0.4.3": Dialect(version="0.4.3", prefix="v043", bare=True, socket=(), host="localhost", reattaches=False),
    "1.2.2": Dialect(
        version="1.2.2", prefix="v122", bare=False, socket=("-L", "codeman"), host="127.0.0.1", reattaches=True
    ),
}


@dataclass(slots=True)
class Client:
    """Know a `tmux attach-session` that this server started: its process and the terminal that it writes to."""

    process: subprocess.Popen[bytes]
    master: int


@dataclass(slots=True, eq=False)
class Session:
    """Hold a session's record and, while the server is attached, the client.

    Attributes:
        record: as `/api/sessions` tells it, but for what a test lays over it.
        laid_over: fields that a test set.
        deleting: a first call to delete is still killing.
        respawn: the status that `respawn/start` answered with.
    """

    record: dict[str, Any]
    client: Client | None = None
    laid_over: dict[str, Any] = field(default_factory=dict)
    deleting: bool = False
    respawn: dict[str, Any] | None = None
    turning_idle: asyncio.TimerHandle | None = None

    @property
    def id(self) -> str:
        return str(self.record["id"])

    def told(self) -> dict[str, Any]:
        return {**self.record, **self.laid_over}


class Refused(Exception):
    """Say why a call cannot be done, in the words and the codes of the API."""

    def __init__(self, status: int, code: str, error: str) -> None:
        super().__init__(error)
        self.status, self.code, self.error = status, code, error


@dataclass(slots=True)
class Sessions:
    """Keep the sessions of one server.

    Attributes:
        all: by id, in the order of their creation.
        mux: what runs in tmux, by session id, as `mux-sessions.json` tells it.
    """

    dialect: Dialect
    data: Path
    tell: Tell
    all: dict[str, Session] = field(default_factory=dict)
    mux: dict[str, dict[str, Any]] = field(default_factory=dict)
    created: int = 0
    direct: list[subprocess.Popen[bytes]] = field(default_factory=list)
    grace_s: float = GRACE_S

    # ---------------------------------------------------------------------------------------------- what is known

    def find(self, session_id: str, *, error: str = "Session not found") -> Session:
        session = self.all.get(session_id)
        if session is None:
            raise Refused(404, "NOT_FOUND", error)
        return session

    def records(self) -> list[dict[str, Any]]:
        return [session.told() for session in self.all.values()]

    def mux_records(self) -> list[dict[str, Any]]:
        """Tell what runs in tmux, with memory as Codeman counts it: the pane's process and its direct children."""
        below = {entry["pid"]: _children(entry["pid"]) for entry in self.mux.values()}
        figures = _figures([*below, *(child for children in below.values() for child in children)])
        told = []
        for entry in self.mux.values():
            pane: int = entry["pid"]
            counted = [figures[pid] for pid in (pane, *below[pane]) if pid in figures]
            stats = {
                "memoryMB": round(sum(rss_kb for rss_kb, _ in counted) / 1024, 1),
                "cpuPercent": figures[pane][1] if pane in figures else 0,
                "childCount": len(below[pane]),
                "updatedAt": now_ms(),
            }
            told.append({**entry, "stats": stats})
        return told

    def log(self, event: str, session_id: str, **more: Any) -> None:
        line = {"ts": now_ms(), "event": event, "sessionId": session_id, **more}
        with (self.data / "session-lifecycle.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def save_mux(self) -> None:
        self._write("mux-sessions.json", list(self.mux.values()))

    def save_state(self) -> None:
        """Write state.json; called so rarely that it is stale, as in the runs."""
        dropped = {"claudeSessionId", "messageCount", "isWorking", "lastPromptTime"}
        kept = json.loads((RECORDED / f"{self.dialect.prefix}_file_state.json").read_text(encoding="utf-8"))["trimmed"]
        sessions = {s.id: {k: v for k, v in s.record.items() if k not in dropped} for s in self.all.values()}
        self._write("state.json", {**kept, "sessions": sessions})

    def _write(self, name: str, content: Any) -> None:
        fresh = self.data / f"{name}.tmp"
        fresh.write_text(json.dumps(content, indent=2), encoding="utf-8")
        fresh.rename(self.data / name)

    # ---------------------------------------------------------------------------------------------- start

    def create(self, told: dict[str, Any]) -> Session:
        folder = told.get("workingDir", "")
        if not folder or not Path(folder).is_dir():
            raise Refused(400, "INVALID_INPUT", "workingDir does not exist")
        session = self._make(
            str(uuid.uuid4()), told.get("name", ""), folder, told.get("mode", "claude"), told.get("resumeSessionId", "")
        )
        self.created += 1
        self.log("created", session.id, name=session.record["name"])
        self.save_state()
        self.tell("session:created", session.told())
        return session

    def _make(self, session_id: str, name: str, folder: str, mode: str, resumed: str = "") -> Session:
        record = copy.deepcopy(self.dialect.recorded("create_session")["session"])
        now = now_ms()
        record |= {"id": session_id, "claudeSessionId": resumed or session_id, "name": name, "workingDir": folder}
        record |= {"mode": mode, "createdAt": now, "lastActivityAt": now}
        record["ralphLoop"]["lastActivity"] = now
        if resumed:
            record["resumeSessionId"] = resumed
        self.all[session_id] = Session(record)
        return self.all[session_id]

    def start(self, session_id: str, *, shell: bool = False) -> None:
        """Start the agent in tmux, or take up what runs there already, and attach to it."""
        session = self.find(session_id)
        if session.record["status"] == "busy":
            raise Refused(409, "SESSION_BUSY", "Session is busy")
        if session.client is not None:
            raise Refused(422, "OPERATION_FAILED", "Session already has a running process")
        record = session.record
        if shell:
            record["mode"] = "shell"
        if session_id not in self.mux:
            self._into_tmux(session)
        if record["mode"] != "shell":
            record["status"] = "busy"
        self.attach(session)
        self.log("started", session_id, name=record["name"], mode=record["mode"])
        self.tell("session:interactive", {"id": session_id})
        self.tell("session:updated", {"session": session.told()})

    def _into_tmux(self, session: Session) -> None:
        record, name = session.record, f"codeman-{session.id[:8]}"
        folder = record["workingDir"]
        if self.dialect.bare:
            self._new_in_tmux("new-session", "-ds", name, "-c", folder, "-x", "120", "-y", "40", cwd=folder)
        else:
            self._new_in_tmux("new-session", "-ds", name, "-c", "/tmp", cwd="/tmp")
        told = {"CODEMAN_MUX": "1", "CODEMAN_SESSION_ID": session.id, "CODEMAN_MUX_NAME": name}
        told["CODEMAN_API_URL"] = os.environ["CODEMAN_API_URL"]
        if not self.dialect.bare:
            told["CODEMAN_HOOK_SECRET_FILE"] = str(self.data / "hook-secret")
        exports = " ".join(f"{key}={shlex.quote(value)}" for key, value in told.items())
        begin = f"cd {shlex.quote(folder)} && export {exports} && "
        fresh = f"claude --session-id {session.id}"
        resumed = record.get("resumeSessionId", "")
        if record["mode"] == "shell":
            command = f"{begin}exec /bin/bash"
        elif resumed:
            # "resume or new" needs the shell, which therefore stays and has none of the variables
            command = f"{begin}claude --resume {resumed} || {fresh}"
        else:
            command = f"{begin}exec {fresh}"
        said = self.tmux(
            *("set-option", "-t", name, "remain-on-exit", "on", ";"),
            *("set-option", "-t", name, "status", "off", ";"),
            *("respawn-pane", "-k", "-t", name, "-c", folder, "--", "bash", "-c", command, ";"),
            *("display-message", "-p", "-t", name, "#{pane_pid}"),
        )
        entry = {
            "sessionId": session.id,
            "muxName": name,
            "pid": int(said),
            "createdAt": now_ms(),
            "workingDir": folder,
            "mode": record["mode"],
            "attached": False,
            "name": record["name"],
        }
        self.mux[session.id] = entry
        self.save_mux()
        self.tell("mux:created", entry)

    def _new_in_tmux(self, *words: str, cwd: str) -> None:
        """Make a tmux session; a tmux server that is just exiting with its last one is tried again."""
        for _ in range(20):
            try:
                self.tmux(*words, cwd=cwd)
            except Refused as refused:
                if "server" not in refused.error:  # "server exited unexpectedly", "lost server"
                    raise
                time.sleep(0.05)
            else:
                return
        raise Refused(422, "OPERATION_FAILED", "tmux does not start")

    def attach(self, session: Session) -> None:
        """Run `tmux attach-session` on a terminal of its own: the process whose pid the API calls the session's."""
        name = self.mux[session.id]["muxName"]
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        process = subprocess.Popen(
            ["tmux", *self.dialect.socket, "attach-session", "-t", name],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=session.record["workingDir"],
            env={**os.environ, "TERM": "xterm-256color", "CLAUDECODE": "undefined"},
            start_new_session=True,
            preexec_fn=_take_terminal,
        )
        os.close(slave)
        session.client = Client(process, master)
        session.record["pid"] = process.pid
        asyncio.get_running_loop().add_reader(master, self._output, session, session.client)

    def run_once(self, told: dict[str, Any]) -> tuple[str, subprocess.Popen[bytes]]:
        """Start an agent as a direct child of the server, on a terminal, and in no list."""
        session_id = str(uuid.uuid4())
        _, slave = pty.openpty()
        process = subprocess.Popen(
            ["claude", "-p", str(told.get("prompt", "")), "--session-id", session_id],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=told.get("workingDir") or os.getcwd(),
            env={**os.environ, "CLAUDECODE": "undefined", "CODEMAN_SESSION_ID": session_id},
            start_new_session=True,
            preexec_fn=_take_terminal,
        )
        os.close(slave)
        self.direct.append(process)
        return session_id, process

    # ---------------------------------------------------------------------------------------------- what it says

    def _output(self, session: Session, client: Client) -> None:
        try:
            chunk = os.read(client.master, 65536)
        except OSError:  # Linux: the other end is closed
            chunk = b""
        if not chunk:
            self._client_gone(session, client)
            return
        text = chunk.decode("utf-8", "replace")
        record = session.record
        record["lastActivityAt"] = now_ms()
        record["bufferStats"]["terminalBufferSize"] += len(text)
        self.tell("session:terminal", {"id": session.id, "data": text})
        if record["mode"] != "claude":
            return
        record.setdefault("cliVersion", "2.1.99")
        if any(sign in text for sign in SPINNER):
            if session.turning_idle is not None:
                session.turning_idle.cancel()
            if not record["isWorking"]:
                record |= {"status": "busy", "isWorking": True}
                self.tell("session:working", {"id": session.id})
        elif PROMPT in text or "Pane is dead" in text:  # a dead agent also reads idle
            if session.turning_idle is not None:
                session.turning_idle.cancel()
            loop = asyncio.get_running_loop()
            session.turning_idle = loop.call_later(IDLE_AFTER_S, self._turn_idle, session)

    def _turn_idle(self, session: Session) -> None:
        session.record |= {"status": "idle", "isWorking": False, "lastPromptTime": now_ms()}
        self.tell("session:idle", {"id": session.id})

    def _client_gone(self, session: Session, client: Client) -> None:
        """Forget a client that has ended: not attached any more, and whatever it was doing reads idle."""
        self._let_go(client)
        if session.client is not client:
            return
        session.client = None
        session.record |= {"pid": None, "status": "idle", "isWorking": False}
        if session.id in self.all:
            self.tell("session:exit", {"id": session.id, "code": 0})
            self.tell("session:updated", session.told())

    def _let_go(self, client: Client) -> None:
        asyncio.get_running_loop().remove_reader(client.master)
        with contextlib.suppress(OSError):
            os.close(client.master)
        with contextlib.suppress(subprocess.TimeoutExpired):
            client.process.wait(2)

    # ---------------------------------------------------------------------------------------------- end

    async def delete(self, session_id: str, *, kill: bool) -> None:
        """End a session and forget it; kills nothing when tmux is believed not to have it."""
        session = self.find(session_id)
        if session.deleting:
            return  # RUN 1.2.2: the second of two says success while the first still kills
        session.deleting = True
        loop = {k: v for k, v in session.record["ralphLoop"].items() if k not in NOT_IN_UPDATES}
        self.tell("session:ralphLoopUpdate", {"sessionId": session_id, "state": {**loop, "lastActivity": now_ms()}})
        todos = {"sessionId": session_id, "todos": [], "stats": session.record["ralphTodoStats"]}
        self.tell("session:ralphTodoUpdate", todos)
        if session.turning_idle is not None:
            session.turning_idle.cancel()
        if kill:
            await self.kill_mux(session_id)
            if session.client is not None:
                session.client.process.terminate()
        # without kill the client is leaked: nobody remembers it, and it lives as long as the server
        del self.all[session_id]
        self.log("deleted", session_id, name=session.record["name"], reason="user_delete")
        self.save_state()
        self.tell("session:deleted", {"id": session_id})

    async def kill_mux(self, session_id: str) -> bool:
        """End an agent's tree, its process group and its tmux session; return whether there was one."""
        entry = self.mux.get(session_id)
        if entry is None:
            return False
        pane: int = entry["pid"]
        tree = _tree(pane)
        for pid in tree:
            _signal(pid, signal.SIGTERM)
        await asyncio.sleep(self.grace_s)
        for pid in {*tree, *_tree(pane)}:
            _signal(pid, signal.SIGKILL)
        if tree:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(pane, signal.SIGKILL)
        self.tmux("kill-session", "-t", entry["muxName"], check=False)
        self.mux.pop(session_id, None)
        self.save_mux()
        self.tell("mux:killed", {"sessionId": session_id})
        return True

    def reconcile(self) -> dict[str, list[Any]]:
        """Compare what is remembered with tmux, and forget what tmux no longer has."""
        there = self._list_tmux()
        alive = [entry["sessionId"] for entry in self.mux.values() if entry["muxName"] in there]
        dead = [key for key in self.mux if key not in alive]
        for session_id in dead:
            del self.mux[session_id]
            self.log("mux_died", session_id)
            self.tell("mux:died", {"sessionId": session_id})
        self.save_mux()
        return {"alive": alive, "dead": dead, "discovered": self._adopt(there)}

    def recover(self) -> None:
        """Find again what runs in tmux, as after a restart; all times are those of the restart."""
        path = self.data / "mux-sessions.json"
        entries = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
        self.log("server_started", "*")
        there = self._list_tmux()
        for entry in entries:
            if entry["muxName"] not in there:
                self.log("stale_cleaned", entry["sessionId"], name=entry["name"])
                continue
            self.mux[entry["sessionId"]] = entry
            # 1.2.2 forgets the id of the conversation that was resumed
            self._make(entry["sessionId"], entry["name"], entry["workingDir"], entry["mode"])
            self.log("recovered", entry["sessionId"], name=entry["name"])
        self._adopt(there)
        self.save_mux()
        if self.dialect.reattaches:
            for session in self.all.values():
                self.attach(session)

    def _adopt(self, there: dict[str, int]) -> list[str]:
        """Take in tmux sessions that nothing is remembered of: under a made-up id, in the server's own folder."""
        known = {entry["muxName"] for entry in self.mux.values()}
        adopted = []
        for name, pid in there.items():
            if name in known or not re.fullmatch(r"codeman-[0-9a-f]{8}", name):
                continue
            session_id, folder = f"restored-{name.removeprefix('codeman-')}", os.getcwd()
            called = f"Restored: {name}"
            self.mux[session_id] = {
                "sessionId": session_id,
                "muxName": name,
                "pid": pid,
                "createdAt": now_ms(),
                "workingDir": folder,
                "mode": "claude",
                "attached": False,
                "name": called,
            }
            if session_id not in self.all:
                self._make(session_id, called, folder, "claude")
            self.log("recovered", session_id, name=called)
            adopted.append(session_id)
        return adopted

    # ---------------------------------------------------------------------------------------------- tmux

    def tmux(self, *words: str, cwd: str | None = None, check: bool = True) -> str:
        """Run tmux and wait, as the real server does: nothing else is answered meanwhile."""
        done = subprocess.run(
            ["tmux", *self.dialect.socket, *words], cwd=cwd, capture_output=True, text=True, check=False
        )
        if check and done.returncode != 0:
            raise Refused(422, "OPERATION_FAILED", done.stderr.strip())
        return done.stdout

    def _list_panes(self) -> list[str]:
        return self.tmux("list-panes", "-a", "-F", "#{session_name} #{pane_pid} #{pane_dead}", check=False).splitlines()

    def _list_tmux(self) -> dict[str, int]:
        return {line.split()[0]: int(line.split()[1]) for line in self._list_panes()}


def _take_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _children(pid: int) -> list[int]:
    """Return the direct children of a process, for less than it costs to list all processes."""
    if not Path("/proc/self").exists():
        listed = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False).stdout
        return [int(word) for word in listed.split()]
    found: list[int] = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            found += [int(word) for word in path.read_text(encoding="ascii").split()]
    return found


def _figures(pids: list[int]) -> dict[int, tuple[int, float]]:
    """Return resident kB and the CPU share since the start of those of the processes that live."""
    if not pids:
        return {}
    asked = ["ps", "-o", "pid=,rss=,pcpu=,stat=", "-p", ",".join(map(str, pids))]
    listed = subprocess.run(asked, capture_output=True, text=True, check=False)  # 1 = none of them lives
    rows = [line.split() for line in listed.stdout.splitlines()]
    return {int(pid): (int(rss_kb), float(share)) for pid, rss_kb, share, state in rows if not state.startswith("Z")}


def _tree(root: int) -> list[int]:
    """Return a process and what descends from it, deepest last; nothing when it is dead."""
    try:
        os.kill(root, 0)
    except ProcessLookupError:
        return []
    tree = [root]
    for pid in tree:
        tree += _children(pid)
    return tree


def _signal(pid: int, which: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, which)
