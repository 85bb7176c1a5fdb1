"""A crowd of sleeping processes: agent sessions that the app really recognises, and others.

A session is a backend with the program name, arguments, registry record and log of Claude Code, and below it MCP
servers and, where it is busy, a shell. All stand beside the bench and not below it. They sleep: what is measured is the
cost of looking, not theirs.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tests.bench.figures import compiled
from trayapp.hosts.anthropic_transcript import folder_name
from trayapp.probe.linux import YOUNG_S

SEPARATOR = "\x1f"
DEADLINE_S = 60.0
BUSY_EACH = 5
"""Every so manyth session is busy."""

_Program = tuple[str, list[str], dict[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Burn:
    """Let the shell of a session run commands of `command_s` CPU seconds for `all_s`; see crowd.c."""

    command_s: float
    all_s: float
    told: Path

    def begin(self) -> None:
        self.told.with_name(self.told.name + ".go").touch()

    def true_cpu_s(self) -> float | None:
        """Return what it really took, once it is over."""
        return float(self.told.read_text()) if self.told.exists() else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Crowd:
    """Know who was started.

    Attributes:
        backends, others: pids.
        session_ids: in the order of the backends.
        home: the home folder with the sessions' records.
    """

    backends: tuple[int, ...]
    others: tuple[int, ...]
    session_ids: tuple[str, ...]
    home: Path

    def tracked(self) -> list[int]:
        """Return the pids of all processes of all sessions."""
        return [pid for backend in self.backends for pid in (backend, *children(backend))]


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@contextmanager
def crowd(
    root: Path, *, others: int, sessions: int, each: int = 4, holds_mb: int = 0, burns: tuple[Burn, ...] = ()
) -> Iterator[Crowd]:
    """Start a crowd; exactly that has ended afterwards.

    Args:
        root: an empty folder; the home of the sessions is in it.
        others: processes that belong to no session.
        sessions, each: sessions, and processes of each.
        holds_mb: what each backend holds.
        burns: the first sessions are busy ones whose shells burn CPU like this.
    """
    home = root / "home"
    (home / ".claude" / "sessions").mkdir(parents=True)
    programs = {name: _named(root, name) for name in ("claude", "node", "bash", "worker")}
    made = [
        _session(number, each, programs, holds_mb, burns[number] if number < len(burns) else None)
        for number in range(sessions)
    ]
    wanted = [*made, *(_other(number, programs["worker"]) for number in range(others))]
    plan = root / "crowd.json"
    plan.write_text(json.dumps(wanted))
    spawner = subprocess.Popen(
        [sys.executable, "-I", "-S", str(Path(__file__).with_name("spawner.py")), str(plan)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert spawner.stdin is not None
    assert spawner.stdout is not None
    try:
        spawner.wait(DEADLINE_S)
        pids: list[int] = json.loads(spawner.stdout.readline())
        backends = tuple(pids[:sessions])
        _await(lambda: all(len(children(pid)) == each - 1 for pid in backends), "the sessions did not start")
        _await(lambda: all(_name(c) != "claude" for pid in backends for c in children(pid)), "their children did not")
        for number, pid in enumerate(backends):
            _write_records(home / ".claude", number, pid, is_busy=_is_busy(number, len(burns)))
        ids = tuple(_session_id(number) for number in range(sessions))
        yield Crowd(backends=backends, others=tuple(pids[sessions:]), session_ids=ids, home=home)
    finally:
        spawner.stdin.close()
        spawner.stdout.read()  # ends when all of them are gone
        spawner.stdout.close()


def settle(began_s: float) -> None:
    """Wait until processes that were started by then count as settled: the young ones are read again at each scan."""
    time.sleep(max(0.0, began_s + YOUNG_S + 0.5 - time.monotonic()))


def _named(root: Path, name: str) -> str:
    """Put the stand-in under the name of a program."""
    (root / "bin").mkdir(exist_ok=True)
    return str(shutil.copy(compiled("crowd.c"), root / "bin" / name))


def _is_busy(number: int, burning: int) -> bool:
    return number < burning or number % BUSY_EACH == BUSY_EACH - 1


def _session_id(number: int) -> str:
    """Return an id that no crowd of another run has."""
    return f"{number:08x}-7c1e-4b7a-9d52-{os.getpid():012x}"


def _cwd(number: int) -> str:
    return f"/home/dev/projects/app-{number}"


def _environment(number: int) -> dict[str, str]:
    """Return about as many variables as a developer's shell has."""
    filling = {f"npm_config_variable_{n}": f"value-{n}-{'x' * 20}" for n in range(36)}
    return filling | {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": "/home/dev",
        "LANG": "C.UTF-8",
        "SHELL": "/bin/bash",
        "LS_COLORS": "rs=0:di=01;34:ln=01;36:" * 40,
        "PWD": _cwd(number),
    }


def _session(number: int, each: int, programs: dict[str, str], holds_mb: int, burn: Burn | None) -> _Program:
    servers = [
        ["node", "/usr/lib/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js", _cwd(number)],
        ["node", "/usr/lib/node_modules/@playwright/mcp/cli.js", "--headless"],
        ["node", "/usr/lib/node_modules/@modelcontextprotocol/server-memory/dist/index.js"],
        ["node", "/usr/lib/node_modules/@upstash/context7-mcp/dist/index.js"],
    ]
    belongs = [f"CLAUDE_CODE_SESSION_ID={_session_id(number)}", "CLAUDECODE=1"]
    below = [
        [programs["node"], *belongs, "AI_AGENT=claude-code_2-1-332_harness", "--", *servers[n % len(servers)]]
        for n in range(each - 1)
    ]
    if burn is not None or _is_busy(number, 0):
        how = [f"CROWD_BURN={burn.command_s} {burn.all_s} {burn.told}"] if burn is not None else []
        agent = ["AI_AGENT=claude-code_2-1-332_agent"]
        below[-1] = [programs["bash"], *belongs, *agent, *how, "--", "/bin/bash", "-c", "npm test"]
    argv = ["claude", "--session-id", _session_id(number), "--model", "large", "--permission-mode", "acceptEdits"]
    variables = {f"CROWD_CHILD_{n}": SEPARATOR.join(child) for n, child in enumerate(below)}
    if holds_mb:
        variables["CROWD_HOLDS_MB"] = str(holds_mb)
    return programs["claude"], argv, _environment(number) | variables


def _other(number: int, program: str) -> _Program:
    argv = ["python3", "/srv/app/worker.py", "--queue", f"queue-{number}", "--config", "/etc/app/" + "worker/" * 25]
    return program, argv, _environment(number)


def _write_records(config: Path, number: int, pid: int, *, is_busy: bool) -> None:
    """Write what the host writes of a session: its record in the registry, and its log."""
    now_s = time.time()
    quiet_s = 3.0 if is_busy else 1200.0
    start = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    record = {
        "pid": pid,
        "sessionId": _session_id(number),
        "cwd": _cwd(number),
        "startedAt": round(now_s * 1000),
        "procStart": start,
        "version": "2.1.332",
        "kind": "interactive",
        "entrypoint": "cli",
        "name": f"Task {number}",
        "nameSource": "user",
        "status": "busy" if is_busy else "idle",
        "updatedAt": round((now_s - quiet_s) * 1000),
        "statusUpdatedAt": round((now_s - quiet_s) * 1000),
    }
    (config / "sessions" / f"{pid}.json").write_text(json.dumps(record))
    log = config / "projects" / folder_name(_cwd(number)) / f"{_session_id(number)}.jsonl"
    log.parent.mkdir(parents=True)
    log.write_text("".join(json.dumps(line) + "\n" for line in _log(number, now_s - quiet_s, is_busy=is_busy)))


def _log(number: int, until_s: float, *, is_busy: bool) -> Iterator[dict[str, object]]:
    turns = 40
    for turn in range(turns):
        at = datetime.fromtimestamp(until_s - 60 * (turns - 1 - turn), UTC).isoformat().replace("+00:00", "Z")
        asked = {"role": "user", "content": f"Please look at part {turn}. " + "It fails now and then. " * 20}
        yield {"type": "user", "timestamp": at, "cwd": _cwd(number), "message": asked}
        works = is_busy and turn == turns - 1
        call = {"type": "tool_use", "id": f"toolu_{turn}", "name": "Bash", "input": {"command": "npm test"}}
        said = {"type": "text", "text": "Done. " * 60}
        message = {
            "role": "assistant",
            "model": "claude-sonnet-5-5",
            "content": [call if works else said],
            "stop_reason": "tool_use" if works else "end_turn",
        }
        yield {"type": "assistant", "timestamp": at, "message": message}


def _name(pid: int) -> str:
    return Path(f"/proc/{pid}/comm").read_text().strip()


def _await(condition: object, otherwise: str) -> None:
    assert callable(condition)
    deadline_s = time.monotonic() + DEADLINE_S
    while not condition():
        if time.monotonic() > deadline_s:
            raise TimeoutError(otherwise)
        time.sleep(0.02)


def rss_bytes(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
