"""A Codeman as 0.4.3 and 1.2.2 were seen to be, for tests: a real server process over a real tmux on a private socket.

`running()` starts one in a short folder of its own (a tmux socket's path may have 104 bytes on macOS) and leaves no
process behind. Needs the `tmux` program, and `openssl` for HTTPS. What is faked: the agents, and how the server came to
know; the shapes of its answers are the recorded ones. Where the runs left something open:

- A tmux session that was killed from outside is still in `/mux-sessions` until `reconcile`. A delete before that ends
  the agent by its remembered pid; after it, it says success and kills nothing, as seen.
- 0.4.3 uses the user's default tmux server, as recorded; here that is the one below the private TMUX_TMPDIR.
- A session reads idle 0.1 s after the prompt sign, not 2 s. Memory is about 10 MB an agent, or what a test asks for.
- 0.4.3 listens on 127.0.0.1 only.
"""

from __future__ import annotations

import base64
import http.client
import json
import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import psutil

from tests.hosts.leftovers import RUN_MARK

ROOT = Path(__file__).resolve().parents[2]
Version = Literal["0.4.3", "1.2.2"]
VERSIONS: tuple[Version, ...] = ("0.4.3", "1.2.2")
PATIENCE_S = 20.0
CLOCK_ERROR_S = 5.0
"""By which the start of a process may be told too early."""
TRANSCRIPT_BYTES = 5000


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Hold a reply as it came."""

    status: int
    text: str
    headers: Mapping[str, str]
    took_s: float

    @property
    def body(self) -> Any:
        """Return what was said, whatever the dialect."""
        said = json.loads(self.text)
        return said["data"] if isinstance(said, dict) and {"success", "data"} <= said.keys() else said


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """Know a session that runs in tmux.

    Attributes:
        pane_pid: what `/mux-sessions` tells: the agent, or the bash around a resumed one, or the shell.
        pid: the agent's, 0 for a shell.
    """

    session_id: str
    mux_name: str
    pane_pid: int
    pid: int


@dataclass(slots=True)
class FakeCodeman:
    """Script a fake server; all calls wait until what they ask for is done.

    Attributes:
        root: the short folder that holds everything: home, tmux socket, programs.
        environ: what the server was started with; HOME and TMUX_TMPDIR are what an adapter needs of it.
    """

    version: Version
    root: Path
    port: int
    password: str = ""
    https: bool = False
    process: subprocess.Popen[bytes] | None = None
    environ: dict[str, str] = field(default_factory=dict)
    born_s: float = field(default_factory=time.time)

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def data(self) -> Path:
        return self.home / ".codeman"

    @property
    def control(self) -> Path:
        return self.root / "c"

    @property
    def certificate(self) -> Path:
        """Return the server's own certificate, which serves as CA."""
        return self.data / "certs" / "server.crt"

    @property
    def url(self) -> str:
        """Return the address as agents have it in CODEMAN_API_URL."""
        name = "localhost" if self.version == "0.4.3" else "127.0.0.1"
        return f"{'https' if self.https else 'http'}://{name}:{self.port}"

    @property
    def pid(self) -> int:
        assert self.process is not None, "the server does not run"
        return self.process.pid

    @property
    def tmux_socket(self) -> Path:
        name = "default" if self.version == "0.4.3" else "codeman"
        return self.root / "t" / f"tmux-{os.getuid()}" / name

    # ---------------------------------------------------------------------------------------------- the server

    def start(self) -> None:
        """Start the server and wait until it answers."""
        (self.control / "server.sock").unlink(missing_ok=True)
        options = ["--port", str(self.port), *(["--https"] if self.https else [])]
        script = "dist/index.js" if self.version == "0.4.3" else str(self.root / "home" / ".local/bin/codeman")
        # a test that fails shows what the server said
        self.process = subprocess.Popen(
            ["node", script, "web", *options],
            executable=str(self.root / "bin" / "node"),
            cwd=self.root / "app",
            env=self.environ,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.wait_for("the server to answer", lambda: (self.control / "server.sock").exists() or self._fallen())

    def _fallen(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, "the fake server ended by itself"
        return False

    def end(self, which: signal.Signals = signal.SIGTERM) -> None:
        """End the server only; what runs in tmux lives on."""
        if self.process is not None:
            self.process.send_signal(which)
            self.process.wait(PATIENCE_S)
            self.process = None

    def restart(
        self, *, which: signal.Signals = signal.SIGKILL, elsewhere: bool = False, forgets: bool = False
    ) -> None:
        """End the server and start it again; `elsewhere` = on another port, `forgets` = without its files."""
        self.end(which)
        if forgets:
            (self.data / "mux-sessions.json").unlink(missing_ok=True)
            (self.data / "state.json").unlink(missing_ok=True)
        if elsewhere:
            self.port = _free_port()
        self.start()

    def behave(self, **how: Any) -> None:
        """Let the server misbehave from now on: see Behaviour in codeman_fake_server; nothing = behave well."""
        self._order("server", {"do": "behave", "how": how})

    def lay_over(self, session_id: str, **fields: Any) -> None:
        """Change fields of a session's record, e.g. `ralphLoop`, `paneExit`, `docker`, `lastActivityAt`."""
        self._order("server", {"do": "change", "id": session_id, "fields": fields})

    def tell(self, **what: Any) -> None:
        """Set what the server tells of `subagents` and `scheduledRuns`."""
        self._order("server", {"do": "tell", "what": what})

    def asked(self) -> list[dict[str, Any]]:
        """Return every request since the server's start: method, target, and the headers that matter."""
        asked: list[dict[str, Any]] = self._order("server", {"do": "asked"})
        return asked

    def forget_answers(self) -> None:
        """Empty the cache of a second that `/status` and `/sessions` have."""
        self._order("server", {"do": "forget-answers"})

    # ---------------------------------------------------------------------------------------------- the API

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        headers: Mapping[str, str] | None = None,
        login: bool = True,
        timeout_s: float = PATIENCE_S,
    ) -> Answer:
        """Ask the server; paths begin with /api; a password is sent along unless `login` is off."""
        sent = dict(headers or {})
        if self.password and login:
            sent.setdefault("authorization", basic(self.password))
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            sent["content-type"] = "application/json"
        connection: http.client.HTTPConnection
        if self.https:
            context = ssl.create_default_context(cafile=str(self.certificate))
            connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=timeout_s, context=context)
        else:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout_s)
        began_s = time.monotonic()
        try:
            connection.request(method, path, body=data, headers=sent)
            reply = connection.getresponse()
            text = reply.read().decode()
            heads = {name.lower(): value for name, value in reply.getheaders()}
            return Answer(status=reply.status, text=text, headers=heads, took_s=time.monotonic() - began_s)
        finally:
            connection.close()

    def create(self, name: str, *, resumes: str = "", mode: str = "claude", folder: Path | None = None) -> str:
        """Create a session without starting it; return its id. `resumes` = the id of a conversation."""
        if folder is None:
            folder = self.home / "projects" / name
            folder.mkdir(parents=True, exist_ok=True)
        told = {"workingDir": str(folder), "name": name}
        told |= {"resumeSessionId": resumes} if resumes else {}
        told |= {"mode": mode} if mode != "claude" else {}
        made = self.call("POST", "/api/sessions", told).body["session"]["id"]
        assert isinstance(made, str)
        return made

    def interactive(self, session_id: str) -> Agent:
        """Start a session's agent; wait until it runs and has said its prompt."""
        answer = self.call("POST", f"/api/sessions/{session_id}/interactive")
        assert answer.status == 200, answer.text
        assert json.loads(answer.text)["success"], answer.text
        return self.agent(session_id)

    def session(self, name: str, *, resumes: str = "", mode: str = "claude", folder: Path | None = None) -> Agent:
        """Create a session and start it; wait until it is idle."""
        agent = self.interactive(self.create(name, resumes=resumes, mode=mode, folder=folder))
        if agent.pid:
            self.wait_for_status(agent.session_id, "idle")
        return agent

    def agent(self, session_id: str) -> Agent:
        """Return what runs for a session; wait until its agent can be told what to do."""
        (entry,) = [
            e for e in json.loads((self.data / "mux-sessions.json").read_text()) if e["sessionId"] == session_id
        ]
        pid, pane = 0, int(entry["pid"])
        if entry["mode"] != "shell":
            found: list[int] = []

            def up() -> bool:
                own = [pane, *(child.pid for child in _children(pane))]
                found[:] = [pid for pid in own if (self.control / f"{pid}.sock").exists()]
                return bool(found)

            self.wait_for(f"the agent of {entry['muxName']}", up)
            pid = found[0]
        return Agent(session_id=session_id, mux_name=entry["muxName"], pane_pid=pane, pid=pid)

    def record(self, session_id: str) -> dict[str, Any]:
        """Return a session's record as it is now, past the cache."""
        found: dict[str, Any] = self.call("GET", f"/api/sessions/{session_id}").body
        return found

    def wait_for_status(self, session_id: str, status: str) -> None:
        self.wait_for(f"{session_id} to read {status}", lambda: self.record(session_id)["status"] == status)
        self.forget_answers()

    def wait_for_client(self, agent: Agent, *, attached: bool) -> None:
        """Wait until the server is attached to a session, or is not: the `pid` of its record."""
        self.wait_for("the client", lambda: (self.record(agent.session_id)["pid"] is not None) is attached)
        self.forget_answers()

    def transcript(self, conversation: str, *, folder: str = "-home-user-projects-alpha") -> Path:
        """Write a conversation that can be resumed."""
        path = self.home / ".claude" / "projects" / folder / f"{conversation}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        said = {"type": "user", "cwd": str(self.home), "message": {"role": "user", "content": "hello " * 20}}
        lines = [json.dumps(said)] * (TRANSCRIPT_BYTES // len(json.dumps(said)) + 1)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    # ---------------------------------------------------------------------------------------------- the agents

    def busy(self, agent: Agent) -> None:
        """Let an agent work: it paints its spinner ten times a second until `idle`."""
        self._order(str(agent.pid), {"do": "busy"})
        self.wait_for_status(agent.session_id, "busy")

    def idle(self, agent: Agent) -> None:
        self._order(str(agent.pid), {"do": "idle"})
        self.wait_for_status(agent.session_id, "idle")

    def latch(self, agent: Agent) -> None:
        """Let an agent fall idle in such a way that the server believes it busy for ever."""
        self._order(str(agent.pid), {"do": "latch"})
        self.wait_for_status(agent.session_id, "busy")

    def print(self, agent: Agent, text: str = "\r\nhello\r\n") -> None:
        """Let an agent write to its terminal, which moves the window's activity."""
        self._order(str(agent.pid), {"do": "print", "text": text})

    def hold(self, agent: Agent, mb: int) -> None:
        """Let an agent hold so much more memory."""
        self._order(str(agent.pid), {"do": "hold", "mb": mb})

    def grandchild(self, agent: Agent, mb: int = 99) -> int:
        """Start a shell below an agent, and below that a process that is `mb` large; return its pid."""
        _, pid = self._order(str(agent.pid), {"do": "grandchild", "mb": mb})["pids"]
        assert isinstance(pid, int)
        return pid

    def spawn(self, agent: Agent, *argv: str, setsid: bool = False, twice: bool = False) -> int:
        """Start a program below an agent; `twice` = forked once more, so that it is init's child at once."""
        (pid,) = self._order(str(agent.pid), {"do": "spawn", "argv": argv, "setsid": setsid, "twice": twice})["pids"]
        assert isinstance(pid, int)
        return pid

    def stubborn(self, agent: Agent) -> None:
        """Let an agent ignore SIGTERM from now on."""
        self._order(str(agent.pid), {"do": "stubborn"})

    def exit(self, agent: Agent, code: int = 0) -> None:
        """Let an agent exit; its pane stays, dead."""
        self._order(str(agent.pid), {"do": "exit", "code": code})
        self.wait_gone(agent.pid)
        self.wait_for("the pane to be dead", lambda: self.pane(agent)["dead"] == "1")

    def signal(self, agent: Agent, which: signal.Signals) -> None:
        """Signal an agent straight, and wait until it is gone."""
        os.kill(agent.pid, which)
        self.wait_gone(agent.pid)
        self.wait_for("the pane to be dead", lambda: self.pane(agent)["dead"] == "1")

    def agents_are(self, **told: Any) -> None:
        """Say how agents are that start from now on: `helpers`, `hold_mb`, `stubborn`."""
        (self.control / "agent.json").write_text(json.dumps(told), encoding="utf-8")

    # ---------------------------------------------------------------------------------------------- tmux

    def tmux(self, *words: str, check: bool = True) -> str:
        socket_ = [] if self.version == "0.4.3" else ["-L", "codeman"]
        done = subprocess.run(
            ["tmux", *socket_, *words],
            env=self.environ,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_S,
        )
        assert not check or done.returncode == 0, done.stderr
        return done.stdout

    def pane(self, agent: Agent) -> dict[str, str]:
        """Return what tmux tells of a session's pane."""
        names = ("pane_pid", "pane_dead", "pane_dead_status", "window_activity")
        told = self.tmux("list-panes", "-t", agent.mux_name, "-F", ",".join(f"#{{{name}}}" for name in names))
        return dict(zip(("pid", "dead", "status", "activity"), told.strip().split(","), strict=True))

    def idle_check(self) -> int:
        """Start what the respawn feature asks about a session: on the default socket, and without any session's id."""
        name = "codeman-aicheck-1"
        environ = {**self.environ, "CODEMAN_API_URL": self.url}
        made = ["tmux", "new-session", "-d", "-P", "-F", "#{pane_pid}", "-s", name, "sleep", "36004"]
        done = subprocess.run(made, env=environ, capture_output=True, text=True, check=True)
        pid = int(done.stdout)
        self.wait_for("the check to run", lambda: psutil.Process(pid).name() == "sleep")
        return pid

    def kill_tmux_session(self, agent: Agent, *, reconcile: bool = True) -> None:
        """Kill a tmux session behind the server's back: the agent ignores SIGHUP and lives on without a terminal.

        With `reconcile` the server notices, and a delete from then on says success and kills nothing.
        """
        self.tmux("kill-session", "-t", agent.mux_name)
        if self.process is None:
            return
        self.wait_for_client(agent, attached=False)
        if reconcile:
            self.call("POST", "/api/mux-sessions/reconcile")

    # ---------------------------------------------------------------------------------------------- processes

    def processes(self) -> list[psutil.Process]:
        """Return every process of this fake: all of them carry its TMUX_TMPDIR."""
        return self._carrying("TMUX_TMPDIR", self.environ["TMUX_TMPDIR"])

    def of_session(self, session_id: str) -> list[psutil.Process]:
        """Return the processes that carry a session's id, wherever they hang."""
        return self._carrying("CODEMAN_SESSION_ID", session_id)

    def _carrying(self, name: str, value: str) -> list[psutil.Process]:
        # what is older than the fake is not asked: a machine may run a thousand processes
        young = [p for p in psutil.process_iter() if p.create_time() > self.born_s - CLOCK_ERROR_S]
        return [process for process in young if _carries(process, name, value)]

    def tmux_server(self) -> psutil.Process:
        return psutil.Process(int(self.tmux("display-message", "-p", "#{pid}")))

    def wait_gone(self, *pids: int) -> None:
        self.wait_for(f"{pids} to end", lambda: not any(alive(pid) for pid in pids))

    def close(self) -> None:
        """End everything that this fake started; a process that takes part in it carries its TMUX_TMPDIR."""
        self.end(signal.SIGKILL)
        self._end_others()
        shutil.rmtree(self.root, ignore_errors=True)

    def reset(self) -> None:
        """End all but the server, which forgets everything: as new, and four times as fast."""
        if self.process is None:
            self.start()
        self._end_others()
        shutil.rmtree(self.home / ".claude", ignore_errors=True)
        (self.control / "agent.json").unlink(missing_ok=True)
        self._order("server", {"do": "clear"})

    def _end_others(self) -> None:
        killed: set[psutil.Process] = set()

        def ended() -> bool:
            left = [p for p in self.processes() if self.process is None or p.pid != self.process.pid]
            for process in left:
                with suppress(psutil.NoSuchProcess):
                    process.kill()
            killed.update(left)
            # while it exits its variables cannot be read any more, and its sockets are still open
            return not left and not any(alive(process.pid) for process in killed)

        self.wait_for("all to end", ended)

    # ---------------------------------------------------------------------------------------------- below

    def _order(self, name: str, told: dict[str, Any]) -> Any:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(PATIENCE_S)
            connection.connect(str(self.control / f"{name}.sock"))
            connection.sendall(json.dumps(told).encode() + b"\n")
            return json.loads(connection.makefile().readline())

    @staticmethod
    def wait_for(what: str, done: Callable[[], bool]) -> None:
        deadline_s = time.monotonic() + PATIENCE_S
        while not done():
            assert time.monotonic() < deadline_s, f"waited in vain for {what}"
            time.sleep(0.02)


@contextmanager
def running(version: Version = "1.2.2", *, password: str = "", https: bool = False) -> Iterator[FakeCodeman]:
    """Run a fake server, and end all that came of it."""
    fake = prepare(version, password=password, https=https)
    try:
        fake.start()
        yield fake
    finally:
        fake.close()


def prepare(version: Version = "1.2.2", *, password: str = "", https: bool = False) -> FakeCodeman:
    """Make the folder and the programs of a fake server, and start nothing."""
    # short, whatever TMPDIR says: on macOS it takes half of the 104 bytes
    root = Path(tempfile.mkdtemp(prefix="cm", dir="/tmp")).resolve()
    fake = FakeCodeman(version=version, root=root, port=_free_port(), password=password, https=https)
    for folder in ("bin", "c", "t", "app/dist", "home/.local/bin", "home/projects"):
        (root / folder).mkdir(parents=True)
    (root / "bin" / "node").symlink_to(sys.executable)
    program = f"import sys\n\nsys.path.insert(0, {str(ROOT)!r})\nsys.pycache_prefix = {sys.pycache_prefix!r}\n"
    program += f"from tests.hosts.codeman_fake_server import main\n\nmain({version!r}, {str(fake.control)!r})\n"
    for script in (root / "app" / "dist" / "index.js", root / "home" / ".local" / "bin" / "codeman"):
        script.write_text(program, encoding="utf-8")
    claude = root / "bin" / "claude"
    claude.write_text(
        f"#!{os.path.realpath(sys.executable)} -IS\n"
        f"import sys\n\nsys.path.insert(0, {str(ROOT)!r})\nsys.pycache_prefix = {sys.pycache_prefix!r}\n"
        f"from tests.hosts.codeman_fake_agent import main\n\nmain({str(fake.control)!r})\n",
        encoding="utf-8",
    )
    claude.chmod(0o755)
    fake.environ = {
        "HOME": str(fake.home),
        "PATH": os.pathsep.join([str(root / "bin"), os.environ["PATH"]]),
        "TMUX_TMPDIR": str(root / "t"),
        "TERM": "xterm",
        "LANG": "C.UTF-8",  # tmux shows the prompt sign only to a client that speaks UTF-8
        "SHELL": "/bin/sh",
    }
    if password:
        fake.environ["CODEMAN_PASSWORD"] = password
    if RUN_MARK in os.environ:
        fake.environ[RUN_MARK] = os.environ[RUN_MARK]
    return fake


def basic(password: str, *, user: str = "admin") -> str:
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


def alive(pid: int) -> bool:
    """Tell whether a process runs; one that nobody has waited for yet does not."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _children(pid: int) -> list[psutil.Process]:
    try:
        return psutil.Process(pid).children()
    except psutil.NoSuchProcess:
        return []


def _carries(process: psutil.Process, name: str, value: str) -> bool:
    try:
        if psutil.LINUX:  # a tenth of what it costs to make a dictionary
            carried = Path(f"/proc/{process.pid}/environ").read_bytes().split(b"\0")
            return f"{name}={value}".encode() in carried
        return process.environ().get(name) == value
    except (psutil.Error, OSError):
        return False


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port
