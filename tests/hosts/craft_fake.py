"""A craft-agents host for tests: a real server process with real children, as 0.10.0 and 0.11 were seen to behave.

    with running(tmp_path) as craft:                      # Settings(keep_claude=True) is how 0.11 behaves
        one = craft.create("Shop", kind="pi", sources=["notes"])
        craft.send(one)                                   # starts its helper, then its backend; waits for the answer
        craft.send(one, "SLOWREPLY")                      # a turn that stays open until craft.finish(one)
        craft.age(one, days=3)                            # all its records; a process cannot be made older
        craft.lose_agent(one); craft.send(one)            # a surplus backend
        craft.truth(one).backend, .surplus, .helpers      # what really is so: pids
        craft.started(), craft.fates()                    # every process that it ever started, and how each ended

The server stands beside the test and not below it. Its home is `craft.home`, its config folder `craft.config`, its
address `craft.port` with `craft.token`; `craft.rpc()` is a client. Nothing of it runs after the `with`. Command lines
are the real ones to the byte, and so are working directories and variables; only the names of folders differ. Times
are shorter than the real ones: see Settings. Linux only.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from tests.hosts import craft_fake_child, craft_fake_server
from tests.hosts.craft_fake_server import (
    answer_message,
    claude_log,
    claude_turn,
    folded,
    make_workspace,
    new_header,
    pi_turn,
    user_message,
    write_session,
)
from tests.hosts.leftovers import RUN_MARK

ROOT = Path(__file__).resolve().parents[2]
DEADLINE_S = 20.0
CONNECTIONS: dict[str, dict[str, Any]] = {
    "pi": {
        "slug": "pi-local",
        "name": "Pi local",
        "providerType": "pi_compat",
        "authType": "none",
        "baseUrl": "http://127.0.0.1:18080/v1",
        "customEndpoint": {"api": "openai-completions"},
        "models": ["fake-model"],
        "defaultModel": "fake-model",
        "createdAt": 1796038767714,
    },
    "claude": {
        "slug": "claude-local",
        "name": "Claude local",
        "providerType": "anthropic",
        "authType": "api_key",
        "baseUrl": "http://127.0.0.1:18080",
        "models": ["claude-sonnet-4-6"],
        "defaultModel": "claude-sonnet-4-6",
        "createdAt": 1796038767714,
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Say how a server behaves.

    Attributes:
        keep_claude: a claude stays between turns, as since 0.11; else one runs for each turn.
        desktop: the desktop app: other paths, a random port, and a token that stands nowhere.
        turn_s, mini_s: how long a turn and a title call last.
        patience_s: how long an open turn of a claude goes on without its server (seen: up to 34 s).
        close_wait_s: what the pool gives a helper to end by itself, and again after SIGTERM (really 2 s).
        grace_s: from the notice of the end to the end (really 2 s, and 2000 is what the notice says).
        debounce_s: how long the server waits before it writes a session (really 0.5 s).
        backend_mb, helper_mb: bytes that each backend and helper holds beside its own 9 MB.
        idle_cpu_share: of one core, that each idle backend takes (seen: 0.0045).
        more_channels: of a newer server; each ends what one idle session holds and keeps its data.
        variables: more of its environment: CRAFT_HEALTH_PORT, CRAFT_KEEP_BG_AGENTS_ALIVE, CRAFT_CONFIG_DIR, ...
        mood: see FakeCraft.behave.
    """

    token: str = "TEST-TOKEN-NOT-A-SECRET-000000"
    version: str = "0.10.0"
    keep_claude: bool = False
    desktop: bool = False
    turn_s: float = 0.01
    mini_s: float = 0.05
    patience_s: float = 0.5
    close_wait_s: float = 0.2
    grace_s: float = 0.1
    debounce_s: float = 0.05
    handshake_s: float = 5.0
    max_clients: int = 50
    backend_mb: float = 0
    helper_mb: float = 0
    idle_cpu_share: float = 0
    more_channels: tuple[str, ...] = ()
    bare_lock: bool = False
    variables: Mapping[str, str] = field(default_factory=dict)
    mood: Mapping[str, Any] = field(default_factory=dict)


class Started(NamedTuple):
    """Tell what one process is: what an adapter has to find out. `role`: server, pi, claude, mini, helper, tool."""

    pid: int
    start: int
    role: str
    session: str
    slug: str | None
    argv: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """Tell what the server really holds for one session; pids of what runs."""

    id: str
    folder: Path
    workspace_id: str
    kind: str
    sdk_id: str | None
    processing: bool
    backend: int | None
    surplus: list[int]
    helpers: dict[str, int]
    answers: int


class CraftError(Exception):
    """What the server answers when it was asked for something that it cannot do."""


class FakeCraft:
    """Install, start, script and end one fake host below a folder."""

    def __init__(self, root: Path, settings: Settings | None = None) -> None:
        self.root = root
        self.settings = settings or Settings()
        self.home = root / "home"
        self.config = Path(self.settings.variables.get("CRAFT_CONFIG_DIR", self.home / ".craft-agent"))
        self.claude_config = Path(self.settings.variables.get("CLAUDE_CONFIG_DIR", self.home / ".claude"))
        self.checkout = self.home / ("Craft-Agents/resources/app" if self.settings.desktop else "craft-agents-oss")
        self.port = 0
        self.pid = 0
        self._control = f"craft-fake-{uuid.uuid4()}"
        self.workspaces: dict[str, str] = {}
        self._install()

    @property
    def token(self) -> str:
        return self.settings.token

    @property
    def workspace(self) -> str:
        """Return the id of the first workspace, "Demo Space"."""
        return self.workspaces["Demo Space"]

    @property
    def workspace_root(self) -> Path:
        return self.config / "workspaces" / "demo-space"

    # -------------------------------------------------------------------------------------------- what is installed

    def _install(self) -> None:
        for folder in ("bin", ".bun/bin", "run", "proj-a", "proj-b"):
            (self.home / folder).mkdir(parents=True, exist_ok=True)
        package = "claude-agent-sdk-binary" if self.settings.desktop else "claude-agent-sdk-linux-x64"
        programs = [self.home / "bin/node", self.home / ".bun/bin/bun", self.checkout / "vendor/bun/bun"]
        programs.append(self.checkout / f"node_modules/@anthropic-ai/{package}/claude")
        for program in programs:
            program.parent.mkdir(parents=True, exist_ok=True)
            # a copy, so that the executable of the process has the right name as well
            shutil.copy(Path(sys.executable).resolve(), program)
        child = Path(craft_fake_child.__file__)
        entry = (
            "resources/pi-agent-server/index.js" if self.settings.desktop else "packages/pi-agent-server/dist/index.js"
        )
        worker = self.checkout / "packages/messaging-whatsapp-worker/dist/worker.cjs"
        for script in (self.checkout / entry, worker, self.root / "c"):
            script.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(child, script)
        start = self.checkout / "packages/server/src/index.ts"
        start.parent.mkdir(parents=True, exist_ok=True)
        start.write_text(
            _START.format(
                path=[str(ROOT), *sys.path],
                root=str(self.root),
                bytecode=(sys.dont_write_bytecode, sys.pycache_prefix),
            ),
            encoding="utf-8",
        )
        self.config.mkdir(parents=True, exist_ok=True)
        told = {
            "workspaces": [],
            "activeWorkspaceId": None,
            "activeSessionId": None,
            "llmConnections": list(CONNECTIONS.values()),
            "defaultLlmConnection": "pi-local",
            "migrationsApplied": ["opus-4-6-restored"],
        }
        (self.config / "config.json").write_text(json.dumps(told, indent=2), encoding="utf-8")
        self.add_workspace("Demo Space")
        self.add_source("fake-helper", "--stay")
        self.add_source("notes", "--stdio")

    def add_workspace(self, name: str) -> str:
        """Make a workspace on disk, before the start; return its id."""
        path = self.config / "config.json"
        told = json.loads(path.read_text(encoding="utf-8"))
        made = make_workspace(self.config, name)
        self.workspaces[name] = made["id"]
        told["workspaces"].append({**made, "rootPath": folded(made["rootPath"], str(self.home))})
        told["activeWorkspaceId"] = made["id"]
        path.write_text(json.dumps(told, indent=2), encoding="utf-8")
        return str(made["id"])

    def add_source(self, slug: str, *flags: str, workspace: str = "demo-space", script: str | None = None) -> list[str]:
        """Make a source whose helper is started with these flags; return its command line.

        `--stay`: it ignores the end of its input; `--deaf`: SIGTERM too; any other says nothing. Each source has a
        script of its own, `run/<slug>.mjs`, but for fake-helper, which has the recorded one; `script` names another.
        """
        at = Path(script) if script else self.home / "run" / f"{slug.replace('fake-helper', 'fake_mcp_helper')}.mjs"
        at.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(craft_fake_child.__file__, at)
        now_ms = craft_fake_server.now_ms()
        told = {
            "id": f"{slug}_00000001",
            "name": slug.replace("-", " ").title(),
            "slug": slug,
            "enabled": True,
            "provider": "fake",
            "type": "mcp",
            "mcp": {
                "transport": "stdio",
                "authType": "none",
                "command": "node",
                "args": [str(at), *flags],
                "env": {"FAKE_HELPER_MARK": "1"},
            },
            "isAuthenticated": True,
            "connectionStatus": "connected",
            "createdAt": now_ms,
            "updatedAt": now_ms,
        }
        path = self.config / "workspaces" / workspace / "sources" / slug / "config.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(told, indent=2), encoding="utf-8")
        return ["node", str(at), *flags]

    def remember(
        self,
        name: str,
        *,
        kind: str = "claude",
        cwd: str | None = None,
        sources: Sequence[str] = (),
        session_id: str | None = None,
        workspace: str = "Demo Space",
    ) -> str:
        """Leave on disk a session with one turn of an earlier server, before the start; return its id.

        Its backend goes on with what was said: a claude has `--resume` in its command line.
        """
        told = json.loads((self.config / "config.json").read_text(encoding="utf-8"))
        home = str(self.home)
        found = next(w for w in told["workspaces"] if w["name"] == workspace)
        entry = {**found, "rootPath": craft_fake_server.unfolded(found["rootPath"], home)}
        sessions = Path(entry["rootPath"]) / "sessions"
        session_id = session_id or craft_fake_server.new_session_id(lambda made: (sessions / made).exists())
        folder = sessions / session_id
        folder.mkdir(parents=True)
        options: dict[str, Any] = {"name": name, "enabledSourceSlugs": list(sources)}
        if cwd is not None:
            options["workingDirectory"] = str(self.home / cwd)
        header = new_header(session_id, folder, entry, CONNECTIONS[kind], options)
        at_ms, sdk_id = header["createdAt"], str(uuid.uuid4())
        header |= {"sdkSessionId": sdk_id, "connectionLocked": True, "lastMessageRole": "assistant"}
        messages = [user_message("hello there", at_ms), answer_message("Hello from fake", at_ms, "msg_fake")]
        write_session(folder, header, messages, home)
        if kind == "claude":
            log = claude_log(str(self.claude_config), header["sdkCwd"], sdk_id)
            now, last = claude_turn(sdk_id, header["sdkCwd"], header["model"], "hello there", "Hello", first=True)
            lines = [*now, *last]
        else:
            log = str(folder / ".pi-sessions" / f"2026-11-30T11-40-29-902Z_{sdk_id}.jsonl")
            lines = pi_turn(sdk_id, header["sdkCwd"], "hello there", "Hello", first=True)
        craft_fake_child.append([(log, line) for line in lines])
        return session_id

    # -------------------------------------------------------------------------------------------- start and end

    def start(self) -> None:
        """Start the server beside this process and wait until it listens; it reads the sessions that lie on disk."""
        self.port = 0 if self.settings.desktop else _free_port()
        bun = self.home / ".bun/bin/bun"
        argv, executable = ["bun", "run", "packages/server/src/index.ts"], str(bun)
        script = self.checkout / argv[-1]
        token = self.settings.token
        if self.settings.desktop:
            app = self.checkout.parents[1] / "craft-agents"
            shutil.copy(Path(sys.executable).resolve(), app)
            argv, executable, token = [str(app)], str(app), secrets.token_hex(16)
        told = asdict(self.settings) | {
            "server_id": "local" if self.settings.desktop else "headless",
            "control": self._control,
            "argv": argv,
            "port": self.port,
            "token": token,
        }
        (self.root / "settings.json").write_text(json.dumps(told), encoding="utf-8")
        before = len(self._ledger())
        with script.open("rb") as code, (self.root / "server.log").open("ab") as log:
            first_half = subprocess.Popen(
                argv if self.settings.desktop else craft_fake_child.opening(argv, argv[-1]),
                executable=executable,
                cwd=self.checkout,
                env=self._environment(),
                stdin=code if self.settings.desktop else subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
            assert first_half.wait(DEADLINE_S) == 0, self.log()
        until(lambda: any(line["what"] == "up" for line in self._ledger()[before:]), lambda: f"no start: {self.log()}")
        up = next(line for line in self._ledger()[before:] if line["what"] == "up")
        self.pid, self.port = up["pid"], up["port"]

    def _environment(self) -> dict[str, str]:
        of_headless = {"CRAFT_SERVER_TOKEN": self.settings.token, "CRAFT_RPC_PORT": str(self.port)}
        mark = {RUN_MARK: os.environ[RUN_MARK]} if RUN_MARK in os.environ else {}
        return {
            "HOME": str(self.home),
            "PATH": f"{self.home}/bin:{self.home}/.bun/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "CRAFT_DEBUG": "true",
            **({} if self.settings.desktop else of_headless),
            **self.settings.variables,
            **mark,
        }

    def log(self) -> str:
        """Return what the server wrote to its log: faults of the fake."""
        return (self.root / "server.log").read_text(encoding="utf-8")

    def stop(self, which: signal.Signals = signal.SIGTERM) -> None:
        """End the server alone, by SIGTERM or SIGKILL, and wait until it is gone."""
        server = self.server()
        _signal(server, which)
        until(lambda: not runs(server), lambda: "the server does not end")

    def server(self) -> Started:
        """Return the last server that was started."""
        return [process for process in self.started() if process.role == "server"][-1]

    def end(self) -> None:
        """End every process that it ever started and no other, and wait until they are gone."""
        while alive := [process for process in self.started() if runs(process)]:
            for process in sorted(alive, key=lambda process: process.role != "server"):
                _signal(process, signal.SIGKILL)
            until(lambda: not any(runs(p) for p in alive), lambda: f"they do not end: {alive}")

    # -------------------------------------------------------------------------------------------- what really is so

    def _ledger(self) -> list[dict[str, Any]]:
        path = self.root / "ledger.jsonl"
        if not path.exists():
            return []
        lines = path.read_text(encoding="utf-8").split("\n")
        return [json.loads(line) for line in lines[:-1]]

    def started(self, *roles: str, of: str | None = None) -> list[Started]:
        """Return every process that was ever started, of these roles, for the session of that id."""
        found = []
        for line in self._ledger():
            if line["what"] == "up":
                found.append(Started(line["pid"], line["start"], "server", "", None, []))
            elif line["what"] == "start":
                found.append(Started(*(line[name] for name in Started._fields)))
        if of is not None:
            found = [process for process in found if Path(process.session).name == of]
        return [process for process in found if not roles or process.role in roles]

    def running(self, *roles: str, of: str | None = None) -> list[Started]:
        return [process for process in self.started(*roles, of=of) if runs(process)]

    def fates(self) -> dict[int, int]:
        """Return the exit codes of what ended while its server lived, by pid; a signal's number is negative.

        An open claude that gets SIGTERM exits with 143, a Pi backend and a helper have -15.
        """
        return {line["pid"]: line["code"] for line in self._ledger() if line["what"] == "end"}

    def fate(self, pid: int | None) -> int:
        """Return the exit code of one process, waiting until its server has seen it."""
        until(lambda: pid in self.fates(), lambda: f"{pid} does not end")
        return self.fates()[pid or 0]

    def surplus(self) -> set[int]:
        """Return the pids of backends that were ever left behind for another."""
        return {line["pid"] for line in self._ledger() if line["what"] == "surplus"}

    def leaked(self) -> set[int]:
        """Return the pids of helpers that were ever left behind by the end of their session."""
        return {line["pid"] for line in self._ledger() if line["what"] == "leaked"}

    def transcripts_loaded(self) -> list[str]:
        """Return the folders of the sessions whose transcript a client made the server load."""
        return [line["session"] for line in self._ledger() if line["what"] == "transcript loaded"]

    def asked(self) -> list[tuple[str, list[Any]]]:
        """Return every request that came over RPC: channel and arguments; a handshake as ("handshake", [])."""
        path = self.root / "asked.jsonl"
        lines = path.read_text(encoding="utf-8").split("\n")[:-1] if path.exists() else []
        return [(said.get("channel", said["type"]), said.get("args", [])) for said in map(json.loads, lines)]

    def truth(self, session: str) -> Truth:
        """Return what the server holds for a session, by id or by folder."""
        return next(truth for truth in self.truths() if session in (truth.id, str(truth.folder)))

    def truths(self) -> list[Truth]:
        return [_truth(told) for told in self._do("state")["sessions"]]

    # -------------------------------------------------------------------------------------------- what it is told

    def _do(self, op: str, **more: Any) -> Any:
        with socket.socket(socket.AF_UNIX) as control:
            control.settimeout(DEADLINE_S)
            control.connect("\0" + self._control)
            control.sendall(json.dumps({"op": op, "with": more}).encode() + b"\n")
            with control.makefile("rb") as replies:
                reply = json.loads(replies.readline() or b'{"error": "the server is gone"}')
        if "error" in reply:
            raise CraftError(reply["error"])
        return reply.get("result")

    def call(self, channel: str, *args: Any) -> Any:
        """Call a channel without a connection."""
        return self._do("call", channel=channel, args=list(args))

    def create(
        self,
        name: str = "",
        *,
        kind: str = "pi",
        cwd: str | None = None,
        sources: Iterable[str] = (),
        workspace: str | None = None,
        session_id: str | None = None,
    ) -> str:
        """Create a session and return its id.

        `cwd` lies below the home; without one a claude runs in the session's own folder and a Pi backend in the
        workspace. Without a name its first message makes a title call, if it is of kind "claude".
        """
        options: dict[str, Any] = {"name": name, "permissionMode": "safe", "llmConnection": CONNECTIONS[kind]["slug"]}
        options["enabledSourceSlugs"] = list(sources)
        if cwd is not None:
            (self.home / cwd).mkdir(parents=True, exist_ok=True)
            options["workingDirectory"] = str(self.home / cwd)
        if session_id is not None:
            options["id"] = session_id
        return str(self.call("sessions:create", workspace or self.workspace, options)["id"])

    def send(self, session: str, text: str = "hello there") -> Truth:
        """Send a message and wait for the answer; return what is so then.

        "SLOWREPLY" in the text leaves the turn open, "SLOWREPLY 3" for three seconds; "USE slug" calls a source.
        """
        return _truth(self._do("send", session=session, text=text))

    def finish(self, session: str) -> None:
        """Let an open turn come to its end."""
        self._do("finish", session=session)

    def cancel(self, session: str) -> None:
        self.call("sessions:cancel", session)

    def set_sources(self, session: str, *slugs: str) -> None:
        self.call("sessions:command", session, {"type": "setSources", "sourceSlugs": list(slugs)})

    def delete(self, session: str) -> None:
        """Delete a session; the helpers of a Pi session are left behind."""
        self.call("sessions:delete", session)

    def age(self, session: str, *, days: float) -> None:
        """Make a session's records older: header, messages, transcripts and their times; its processes stay."""
        self._do("age", session=session, days=days)

    def lose_agent(self, session: str) -> None:
        """Leave the backend behind as attemptAuthRetry does: it runs on, and the next message starts another."""
        self._do("lose_agent", session=session)

    def second_query(self, session: str) -> int:
        """Open a second claude beside the open one, which is surplus then, as slash commands of 0.11 did; return it."""
        return int(self._do("second_query", session=session))

    def title_call(self, session: str, *, seconds: float) -> int:
        """Start a title call that lasts; return its pid."""
        return int(self._do("mini", session=session, seconds=seconds))

    def use_tool(self, session: str, *argv: str) -> int:
        """Let the backend start a program, whether a turn is open or not; return its pid."""
        return int(self._do("tool", session=session, argv=list(argv), script=None))

    def search(self, session: str) -> int:
        """Let a claude search: a child that is called claude as well, with ripgrep's arguments; return its pid."""
        program = self.started("claude")[-1].argv[0]
        argv = [program, "--no-config", "--files", "--hidden", "--no-ignore", "--sort", "path", "--glob", "!.git", "."]
        return int(self._do("tool", session=session, argv=argv, script=str(self.root / "c")))

    def start_worker(self) -> int:
        """Start the worker of a messenger, which belongs to the host; return its pid."""
        return int(self._do("worker"))

    def leave_zombie(self) -> int:
        """Leave below the server a child that ended and that nobody waits for; return its pid."""
        return int(self._do("zombie"))

    def work_in_background(self, session: str) -> Path:
        """Let a background agent of a claude session write to its log once; return that log."""
        return Path(self._do("background", session=session))

    def behave(self, **mood: Any) -> None:
        """Change how the server behaves towards clients; without arguments it is well again.

        slow_s: waits before each answer. refuses: knows no token. hangs: "handshake", "requests" or a channel that gets
        no answer. drops: a channel that ends the connection. garbles: one that is answered with no JSON. lies:
        {channel: result}. hides_turns: isProcessing is always false.
        """
        self._do("mood", mood=mood)

    def drop_clients(self) -> None:
        """Cut every connection."""
        self._do("drop_clients")

    def set_variable(self, name: str, value: str) -> None:
        """Change a variable that later children get."""
        self._do("set_variable", name=name, value=value)

    def flush(self) -> None:
        """Write all sessions now."""
        self._do("flush")

    # -------------------------------------------------------------------------------------------- a client

    @contextmanager
    def rpc(self, workspace_id: str | None = None, *, wait_s: float = DEADLINE_S, **handshake: Any) -> Iterator[Rpc]:
        """Connect as a client does; `handshake` changes what it says, None leaves it out."""
        from websockets.sync.client import connect

        with connect(f"ws://127.0.0.1:{self.port}", compression=None, close_timeout=0.2) as socket_:
            said = {"id": str(uuid.uuid4()), "type": "handshake", "protocolVersion": "1.0", "token": self.token}
            said |= {"workspaceId": workspace_id} if workspace_id else {}
            socket_.send(json.dumps({k: v for k, v in (said | handshake).items() if v is not None}))
            yield Rpc(socket_, json.loads(socket_.recv(wait_s)))


class Rpc:
    """Be a client: calls, and the events that came."""

    def __init__(self, socket_: Any, ack: dict[str, Any]) -> None:
        self.socket = socket_
        self.ack = ack
        self.events: list[dict[str, Any]] = []

    def frame(self, channel: str, *args: Any) -> dict[str, Any]:
        """Send a request; return the whole response."""
        asked = str(uuid.uuid4())
        self.socket.send(json.dumps({"id": asked, "type": "request", "channel": channel, "args": list(args)}))
        while True:
            said: dict[str, Any] = json.loads(self.socket.recv(DEADLINE_S))
            if said["id"] == asked:
                return said
            self.events.append(said)

    def call(self, channel: str, *args: Any) -> Any:
        """Return the result; CraftError with the code and the message of a failure."""
        said = self.frame(channel, *args)
        if "error" in said:
            raise CraftError(f"{said['error']['code']}: {said['error']['message']}")
        return said.get("result")

    def event(self, kind: str) -> dict[str, Any]:
        """Wait for an event, by its channel or by the type of a session's; return its frame."""
        while True:
            for said in self.events:
                first = said["args"][0] if said["args"] else {}
                if kind in (said["channel"], first.get("type") if said["channel"] == "session:event" else None):
                    return said
            self.events.append(json.loads(self.socket.recv(DEADLINE_S)))


@contextmanager
def running(
    root: Path | None = None, settings: Settings | None = None, *, craft: FakeCraft | None = None
) -> Iterator[FakeCraft]:
    """Run a fake host below a folder, or one that was made before; all that it started is gone afterwards."""
    if craft is None:
        assert root is not None, "a folder, or a host that was made in one"
        craft = FakeCraft(root, settings)
    try:
        craft.start()
        yield craft
    finally:
        craft.end()
    faults = craft.log()
    assert "Traceback" not in faults, faults


def runs(process: Started) -> bool:
    """Say whether it is still that process, and runs; a zombie does not."""
    try:
        fields = Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return int(fields[19]) == process.start and fields[0] not in "ZX"


def until(holds: Any, otherwise: Any, deadline_s: float = DEADLINE_S) -> None:
    """Wait for something that another process does."""
    end_s = time.monotonic() + deadline_s
    while not holds():
        assert time.monotonic() < end_s, otherwise()
        time.sleep(0.005)


def _signal(process: Started, which: signal.Signals) -> None:
    try:
        descriptor = os.pidfd_open(process.pid)
    except ProcessLookupError:
        return
    try:
        if runs(process):
            signal.pidfd_send_signal(descriptor, which)
    finally:
        os.close(descriptor)


def _truth(told: dict[str, Any]) -> Truth:
    return Truth(**(told | {"folder": Path(told["folder"])}))


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


_START = """\
import sys
sys.dont_write_bytecode, sys.pycache_prefix = {bytecode!r}
sys.path[:0] = {path!r}
from pathlib import Path
from tests.hosts.craft_fake_server import main
main(Path({root!r}))
"""

__all__ = ["CraftError", "FakeCraft", "Rpc", "Settings", "Started", "Truth", "running", "runs", "until"]
