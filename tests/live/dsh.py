"""Drive a real DSH host: `dsh web` with sessions over its wire, and the plugin's own listener.

It knows the host's files, switches and API (November 2026, 0.2.1-rc.2). It must not know the product under test: the
plugin is asked as any program of this user could ask it.
"""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.live import proc
from tests.live.proc import SLOW_S, Entry, wait_until
from tests.live.scene import Detached, Scene

HOST = "dsh"
COLLECTOR = Path(__file__).with_name("dsh_collect.mjs")
LAUNCH_URL = re.compile(r"http://(127\.0\.0\.1:\d+)/\?token=\S+")

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dsh:
    """An installation in one scene, with one DSH home."""

    scene: Scene
    executable: Path

    @property
    def home(self) -> Path:
        return self.scene.home / "dsh"

    @property
    def patch_path(self) -> Path:
        return self.home / "profiles" / "web" / "cordis.patch.yml"

    @property
    def environment(self) -> dict[str, str]:
        return self.scene.environment(
            {
                "DSH_HOME": str(self.home),
                "DSH_TELEMETRY_MODE": "DISABLED",
                "DSH_TELEMETRY_DISABLED": "1",
                "DSH_PERMISSION_MODE": "danger-full-access",
                "FAKE_KEY": "fake",
            }
        )

    def serve(self, log: str = "dsh.log") -> Server:
        """Start `dsh web` on a free port and sign in by the address that it prints."""
        if not self.patch_path.exists():
            self.patch_path.parent.mkdir(parents=True)
            self.patch_path.write_text(self._rows())
        # Colours would stand between the address and its end.
        environment = self.environment | {"NO_COLOR": "1"}
        process = self.scene.start([self.executable, "web", "--no-open", "--port", "0"], env=environment, log=log)
        path = self.scene.log_path(log)
        found = wait_until(lambda: LAUNCH_URL.search(path.read_text()), "the address of dsh web", timeout_s=SLOW_S)
        client = httpx.Client(base_url=f"http://{found[1]}", timeout=60, follow_redirects=True)
        client.get(found[0])
        return Server(host=self, process=process, client=client)

    def _rows(self) -> str:
        """Return the patch file: the scripted model, and a row that collects garbage when the test asks."""
        return f"""\
- id: llm-pi-ai
  config:
    providers:
      fake:
        apiKeyEnv: FAKE_KEY
        api: openai-completions
        baseURL: '{self.scene.server.address}/v1'
        models: [{{id: m1}}]
- id: agent-default-model
  config: {{provider: fake, model: m1}}
- insert:
    - id: collector
      name: '{COLLECTOR}'
"""

    def presence_path(self, pid: int) -> Path:
        """Return the file in which the plugin tells where it listens."""
        return self.home / "agentring" / f"{pid}.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A running `dsh web` and a client that is signed in."""

    host: Dsh
    process: Detached
    client: httpx.Client

    @property
    def pid(self) -> int:
        return self.process.pid

    def call(self, method: str, **arguments: object) -> Any:
        """Call one method of the host's wire and return its value."""
        body = {
            "type": "client-request",
            "rpcId": uuid.uuid4().hex,
            "method": method,
            "payload": {"args": arguments},
        }
        answer = self.client.post(f"/api/{method}", json=body).raise_for_status().json()
        result = answer["result"]
        assert result["ok"], f"{method}: {result}"
        return result.get("value")

    def new_session(self, folder: Path | None = None) -> str:
        cwd = str(folder or self.host.scene.work)
        return str(self.call("session/create", request={"cwd": cwd})["sessionId"])

    def prompt(self, session_id: str, text: str) -> None:
        """Send a prompt and return at once."""
        content = [{"type": "text", "text": text}]
        request = {"requestId": uuid.uuid4().hex, "sessionId": session_id, "mode": "queue", "content": content}
        self.call("session/prompt", request=request)

    def complete_turn(self, session_id: str, text: str = "SAY hello") -> None:
        """Run one turn to its end."""
        before = self.turns(session_id)
        self.prompt(session_id, text)
        wait_until(
            lambda: self.turns(session_id) > before and not self.rows()[session_id]["running"],
            f"the end of a turn in {session_id}",
            timeout_s=SLOW_S,
        )

    def turns(self, session_id: str) -> int:
        row = self.rows()[session_id]
        return int(row["projections"]["values"].get("sessionStats", {}).get("turns", 0))

    def rows(self) -> dict[str, Json]:
        """Return the host's own list of sessions by id."""
        return {row["sessionId"]: row for row in self.call("session/list", _request={})["items"]}

    def page(self, session_id: str) -> list[Json]:
        """Return the newest part of a session's log; does not wake it."""
        through = self.rows()[session_id]["projections"]["asOfSeq"]
        address = {"kind": "session", "sessionId": session_id}
        found: list[Json] = self.call("session/page", request={"address": address, "throughSeq": through})["records"]
        return found

    def open_terminal(self, session_id: str) -> str:
        """Open a shell of the person's own beside a session."""
        identity = uuid.uuid4().hex
        self.call("terminal/create", agentId=session_id, request={"id": identity, "cols": 80, "rows": 24})
        return identity

    def close_terminal(self, session_id: str, terminal_id: str) -> None:
        self.call("terminal/close", agentId=session_id, id=terminal_id)

    def warm_up(self) -> None:
        """Use everything once in one small session: what the host loads with it stays loaded."""
        session_id = self.new_session()
        self.complete_turn(session_id, "SHELL true")
        self.complete_turn(session_id, "BG true")
        self.close_terminal(session_id, self.open_terminal(session_id))
        with self.view(session_id):
            self.complete_turn(session_id)

    @contextmanager
    def view(self, session_id: str) -> Iterator[None]:
        """Look at a session as the host's own page does."""
        address = f"ws://{self.client.base_url.netloc.decode()}/api/remote.mux"
        cookies = "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())
        arguments = {"request": {"address": {"kind": "session", "sessionId": session_id}}}
        opening = {
            "type": "open",
            "streamId": "s1",
            "endpoint": "session/follow",
            "payload": {"args": arguments},
        }
        origin = Origin(str(self.client.base_url).rstrip("/"))
        with connect(address, additional_headers={"Cookie": cookies}, origin=origin, max_size=None) as connection:
            connection.send(json.dumps(opening))
            first = json.loads(connection.recv(timeout=SLOW_S))
            assert first["type"] == "item", first
            yield

    def listening(self) -> set[int]:
        """Return the ports that the host listens on, by /proc."""
        inodes = {_target(path) for path in Path(f"/proc/{self.pid}/fd").iterdir()}
        ports = set()
        for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and f"socket:[{fields[9]}]" in inodes:
                ports.add(int(fields[1].split(":")[1], 16))
        return ports

    def children(self, session_id: str) -> list[Entry]:
        """Return live processes that carry the session's id in their environment, wherever their parent is."""
        found = (entry for entry in self.host.scene.processes() if entry.pid != self.pid)
        return [entry for entry in found if proc.environ(entry.pid).get("DSH_SESSION_ID") == session_id]

    def plugin(self) -> Plugin:
        """Wait until the plugin tells where it listens."""
        path = self.host.presence_path(self.pid)
        wait_until(path.exists, f"{path} with the plugin's address", timeout_s=20)
        told: Json = json.loads(path.read_text())
        return Plugin(server=self, told=told)

    def collected_heap(self) -> int:
        """Return the bytes in use on the heap after full collections, by the test's own row in the host."""
        path = self.host.home / "collected.json"
        before = path.stat().st_mtime_ns if path.exists() else 0
        os.kill(self.pid, signal.SIGUSR2)
        wait_until(lambda: path.exists() and path.stat().st_mtime_ns > before, "a full collection", timeout_s=60)
        return int(json.loads(path.read_text())["used_bytes"])

    def locked(self) -> set[str]:
        """Return the ids of sessions whose lock file the host holds open."""
        targets = map(_target, Path(f"/proc/{self.pid}/fd").iterdir())
        return {Path(target).parent.name for target in targets if target.endswith("/session.lock")}

    def end(self, sig: signal.Signals = signal.SIGTERM) -> None:
        """Send the host a signal and wait for its end."""
        os.kill(self.pid, sig)
        wait_until(lambda: not proc.is_alive(self.process.entry), "the end of the host", timeout_s=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """The plugin's listener, by what its file tells."""

    server: Server
    told: Json

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.told['port']}"

    def ask(self, method: str, path: str, headers: Mapping[str, str] | None = None) -> httpx.Response:
        """Send one request, with the token if no headers are given."""
        known = {"Authorization": f"Bearer {self.told['token']}"} if headers is None else headers
        return httpx.request(method, self.address + path, headers=dict(known), timeout=60)

    def get(self, path: str) -> Json:
        found: Json = self.ask("GET", path).raise_for_status().json()
        return found

    def sessions(self) -> dict[str, Json]:
        return {row["id"]: row for row in self.get("/v1/sessions")["sessions"]}

    def release(self, session_id: str) -> Json:
        found: Json = self.ask("POST", f"/v1/sessions/{session_id}/release").raise_for_status().json()
        return found

    def collect(self) -> Json:
        found: Json = self.ask("POST", "/v1/collect").raise_for_status().json()
        return found

    def send(self, data: bytes, *, half: bool = False) -> bytes:
        """Send bytes as they are and return all that comes until the other side closes; `half` closes ours at once."""
        with socket.create_connection(("127.0.0.1", self.told["port"]), timeout=10) as connection:
            try:
                connection.sendall(data)
                if half:
                    connection.shutdown(socket.SHUT_WR)
                return b"".join(iter(lambda: connection.recv(65536), b""))
            except ConnectionError:
                return b""


def _target(path: Path) -> str:
    try:
        return os.readlink(path)
    except FileNotFoundError:
        return ""


def cpu_s(pid: int) -> float:
    """Return the CPU seconds of all threads of a process, to the nanosecond (a tick would be 10 ms)."""
    total = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            total += int((task / "schedstat").read_text().split()[0])
        except (FileNotFoundError, ProcessLookupError):
            continue
    return total / 1e9
