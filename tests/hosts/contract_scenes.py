"""A running session of every built-in host, laid out in a home as that host leaves it, for the contract of adapters."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.hosts import agent_homes, homes
from tests.hosts.agent_homes import put, put_recorded
from tests.hosts.homes import iso, process, recorded, recorded_lines, surroundings, table
from trayapp.hosts.base import Surroundings
from trayapp.model.process import Process, ProcessTable

CLAUDE = "b87712d5-f973-47f5-b978-42e6cbeef2d6"
CODEX = "01a22c55-624d-7022-9efb-0542a9c7710c"
COPILOT = "3ced8380-29c5-4239-9915-e43a282bea61"
GEMINI = "f473067a"
QWEN = "166471d9-1ee4-4a13-af86-7c873f514d7d"
CLINE = "1796087719935_5a6cu"
OPENCODE = "ses_dd3ae2f73ffe0ij7eLecpkdoZA"
IDLE = "/home/alex/work/idle"
LATE_S = agent_homes.NOW_EPOCH_S


SHELL = process(900, "-bash", ppid=1, age_s=9_900)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One host with a session that rests.

    Attributes:
        lay_out: puts its files into a home.
        log: where in the home the log of the session is, if it has one of lines.
        dead: puts that many sessions there that are over.
        maps: files whose first level are names and not fields.
    """

    host: str
    processes: Sequence[Process]
    now_epoch_s: float = LATE_S
    lay_out: Callable[[Path], None] = lambda _home: None
    log: Callable[[Path], Path] | None = None
    dead: Callable[[Path, int], None] | None = None
    files: dict[int, Callable[[Path], tuple[str, ...]]] = field(default_factory=dict)
    maps: frozenset[str] = frozenset()

    def around(self, home: Path) -> Surroundings:
        files = {pid: of(home) for pid, of in self.files.items()}
        return replace(surroundings(home, files=files), now_epoch_s=lambda: self.now_epoch_s)

    def table(self) -> ProcessTable:
        return table((SHELL, *self.processes), now_epoch_s=self.now_epoch_s)


def _links(source: Path, names: Iterator[Path]) -> None:
    """Put the same small file under many names; one file is enough for those that nobody may open."""
    folders = set()
    for name in names:
        name.parent.mkdir(parents=True, exist_ok=True)
        os.link(source, name)
        folders |= {name.parent, name.parent.parent}
    for folder in folders:
        os.utime(folder, (homes.NOW_EPOCH_S - 86_400, homes.NOW_EPOCH_S - 86_400))


def _old(home: Path, text: str) -> Path:
    path = home / "elsewhere" / "old"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    os.utime(path, (1_790_000_000, 1_790_000_000))
    return path


# -- Claude Code ------------------------------------------------------------------------------------------------------


CLAUDE_RUN = process(28720, "claude", cwd=IDLE)
CLAUDE_FOLDER = "-home-alex-work-idle"


def _claude(home: Path) -> None:
    record = recorded_lines("claude-sessions-pid-json.jsonl")[0] | {
        "procStart": str(CLAUDE_RUN.identity.start),
        "cwd": IDLE,
        "statusUpdatedAt": (homes.NOW_EPOCH_S - 1200) * 1000,
        "startedAt": (homes.NOW_EPOCH_S - 3599) * 1000,
    }
    put(home / ".claude" / "sessions" / "28720.json", json.dumps(record))
    ended = {"role": "assistant", "content": [], "stop_reason": "end_turn", "model": "m"}
    lines = [
        {"type": "user", "timestamp": iso(1300), "cwd": IDLE, "message": {"role": "user", "content": "do it"}},
        {"type": "assistant", "timestamp": iso(1250), "cwd": IDLE, "message": ended},
    ]
    put(_claude_log(home), "".join(json.dumps(line) + "\n" for line in lines))


def _claude_log(home: Path) -> Path:
    return home / ".claude" / "projects" / CLAUDE_FOLDER / f"{CLAUDE}.jsonl"


def _claude_dead(home: Path, number: int) -> None:
    names = (_claude_log(home).with_name(f"0000dead-0000-4000-8000-{n:012d}.jsonl") for n in range(number))
    _links(_old(home, '{"type":"user"}\n'), names)


# -- Codex ------------------------------------------------------------------------------------------------------------


def _codex(home: Path) -> None:
    lines = [
        {
            "timestamp": iso(600),
            "type": "session_meta",
            "payload": {"id": CODEX, "cwd": IDLE, "cli_version": "0.171.0"},
        },
        {"timestamp": iso(500), "type": "event_msg", "payload": {"type": "task_started"}},
        {"timestamp": iso(400), "type": "event_msg", "payload": {"type": "task_complete"}},
    ]
    put(_codex_log(home), "".join(json.dumps(line) + "\n" for line in lines))


def _codex_log(home: Path) -> Path:
    day = home / ".codex" / "sessions" / "2026" / "11" / "30"
    return day / f"rollout-2026-11-30T12-02-02-{CODEX}.jsonl"


def _codex_dead(home: Path, number: int) -> None:
    begins = "rollout-2026-11-30T01-00-00-0000dead-0000-4000-8000-"
    names = (_codex_log(home).with_name(f"{begins}{n:012d}.jsonl") for n in range(number))
    _links(_old(home, "{}\n"), names)


# -- OpenCode ---------------------------------------------------------------------------------------------------------


def _opencode(home: Path) -> None:
    path = home / ".local" / "share" / "opencode" / "opencode.db"
    path.parent.mkdir(parents=True)
    now_ms = homes.NOW_EPOCH_S * 1000
    with closing(sqlite3.connect(path)) as base, base:
        base.executescript(
            "CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text NOT NULL, title text NOT NULL, "
            "model text, time_created integer NOT NULL, time_updated integer NOT NULL);"
            "CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, "
            "time_updated integer NOT NULL, data text NOT NULL);"
            "CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, "
            "time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);"
        )
        row = (OPENCODE, None, IDLE, "Shop", None, now_ms - 900_000, now_ms - 600_000)
        base.execute("INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        data = json.dumps({"role": "assistant", "time": {"completed": now_ms - 600_000}, "finish": "stop"})
        base.execute("INSERT INTO message VALUES (?, ?, ?, ?, ?)", ("m", OPENCODE, now_ms, now_ms, data))


# -- Copilot ----------------------------------------------------------------------------------------------------------

NATIVE = "/home/alex/lib/node_modules/@github/copilot-linux-x64/copilot"


def _copilot(home: Path) -> None:
    folder = home / ".copilot" / "session-state" / COPILOT
    put_recorded(folder / "events.jsonl", "copilot/resumed.events.jsonl")
    put_recorded(folder / "workspace.yaml", "copilot/resumed.workspace.yaml")
    put(folder / "inuse.11.lock", "11\n")
    told = json.loads(recorded("copilot/open-sessions-state.json"))
    put(home / ".copilot" / "open-sessions-state.json", json.dumps({COPILOT: told[COPILOT]}))


def _copilot_dead(home: Path, number: int) -> None:
    folder = home / ".copilot" / "session-state"
    names = (folder / f"0000dead-0000-4000-8000-{n:012d}" / "events.jsonl" for n in range(number))
    _links(_old(home, "{}\n"), names)


# -- Gemini -----------------------------------------------------------------------------------------------------------

SCRIPT = "/home/alex/.npm/bin/gemini"


def _gemini(home: Path) -> None:
    put(home / ".gemini" / "projects.json", json.dumps({"projects": {IDLE: "idle"}}))
    put_recorded(_gemini_log(home), "gemini/idle.jsonl")


def _gemini_log(home: Path) -> Path:
    return home / ".gemini" / "tmp" / "idle" / "chats" / f"session-2026-12-01T00-56-{GEMINI}.jsonl"


def _gemini_dead(home: Path, number: int) -> None:
    names = (_gemini_log(home).with_name(f"session-2026-11-01T00-56-{n:08d}.jsonl") for n in range(number))
    _links(_old(home, "{}\n"), names)


# -- Qwen -------------------------------------------------------------------------------------------------------------

QWEN_RUN = process(12, "node", "/home/alex/bin/qwen", "-y", cwd=IDLE, age_s=agent_homes.at("00:57:20"))


def _qwen(home: Path) -> None:
    record = json.loads(recorded("qwen/session-record.json")) | {
        "pid": 12,
        "procStart": f"boot:{QWEN_RUN.identity.start}",
        "sessionId": QWEN,
    }
    put(home / ".qwen" / "sessions" / "12.json", json.dumps(record))
    put_recorded(_qwen_log(home), "qwen/idle.jsonl")


def _qwen_log(home: Path) -> Path:
    return home / ".qwen" / "projects" / "-home-alex-work-idle" / "chats" / f"{QWEN}.jsonl"


def _qwen_dead(home: Path, number: int) -> None:
    names = (_qwen_log(home).with_name(f"0000dead-0000-4000-8000-{n:012d}.jsonl") for n in range(number))
    _links(_old(home, "{}\n"), names)
    _links(_old(home, "{}\n"), (home / ".qwen" / "sessions" / f"{100_000 + n}.json" for n in range(number)))


# -- pi ---------------------------------------------------------------------------------------------------------------


def _pi(home: Path) -> None:
    put_recorded(_pi_log(home), "pi/idle.jsonl")


def _pi_log(home: Path) -> Path:
    folder = home / ".pi" / "agent" / "sessions" / "--home-alex-work-idle--"
    return folder / "2026-12-01T01-11-41-118Z_01a22f28-513e-7eef-807c-37ec399b97f3.jsonl"


def _pi_dead(home: Path, number: int) -> None:
    names = (_pi_log(home).with_name(f"2026-11-01T01-11-41-118Z_dead{n:08d}.jsonl") for n in range(number))
    _links(_old(home, "{}\n"), names)


# -- Cline ------------------------------------------------------------------------------------------------------------

CLINE_EXE = "/home/alex/lib/node_modules/@cline/cli-linux-x64/bin/cline"


def _cline(home: Path) -> None:
    folder = home / ".cline" / "data" / "sessions" / CLINE
    put_recorded(folder / f"{CLINE}.json", "cline/idle.json")
    messages = '{\n "version": 1,\n "updated_at": "2026-12-01T01:15:21.825Z",\n "messages": []\n}\n'
    put(folder / f"{CLINE}.messages.json", messages)


def _cline_dead(home: Path, number: int) -> None:
    ids = [f"{1_780_000_000_000 + n}_dead0" for n in range(number)]
    folder = home / ".cline" / "data" / "sessions"
    told = json.dumps({"session_id": ids[0], "pid": 30998, "status": "completed", "ended_at": "2026-07-01T00:00:00Z"})
    _links(_old(home, told), (folder / i / f"{i}.json" for i in ids))


# -- those without files ----------------------------------------------------------------------------------------------


def _craft(home: Path) -> None:
    told = {"type": "assistant", "timestamp": iso(500), "cwd": IDLE}
    message = {"role": "assistant", "content": [], "stop_reason": "end_turn"}
    put(home / ".claude" / "projects" / CLAUDE_FOLDER / "sdk1.jsonl", json.dumps({**told, "message": message}) + "\n")


_CRAFT_AGENT = (
    "/x/claude-agent-sdk-linux-x64/claude",
    "--output-format",
    "stream-json",
    "--input-format",
    "stream-json",
)
_DESCRIBED: dict[str, tuple[tuple[str, ...], ...]] = {
    "kiro": (("kiro-cli", "chat", "--resume-id", "k1"), ("kiro-cli-chat", "chat", "--resume-id", "k1")),
    "cursor-cli": (("/home/alex/.local/share/cursor-agent/versions/1/node", "/x/cursor-agent/versions/1/index.js"),),
    "goose": (("goose", "session"),),
    "amp": (("node", "/usr/lib/node_modules/@sourcegraph/amp/dist/main.js"),),
    "droid": (("droid", "--resume", QWEN),),
    "crush": (("crush",), ("crush", "server")),
    "aider": (("python3", "/home/alex/.local/bin/aider"),),
    "paseo": (("node", "/usr/lib/node_modules/@getpaseo/server/dist/supervisor.js"),),
    "acp-adapters": (("node", "/x/@zed-industries/claude-code-acp/dist/index.js"),),
}

SCENES = (
    Scene(
        host="claude-code",
        processes=(CLAUDE_RUN,),
        now_epoch_s=homes.NOW_EPOCH_S,
        lay_out=_claude,
        log=_claude_log,
        dead=_claude_dead,
    ),
    Scene(
        host="codex",
        processes=(process(10, "codex", cwd=IDLE),),
        now_epoch_s=homes.NOW_EPOCH_S,
        lay_out=_codex,
        log=_codex_log,
        dead=_codex_dead,
        files={10: lambda home: (str(_codex_log(home)),)},
    ),
    Scene(
        host="opencode",
        processes=(process(10, "opencode", "-s", OPENCODE, cwd=IDLE),),
        now_epoch_s=homes.NOW_EPOCH_S,
        lay_out=_opencode,
    ),
    Scene(
        host="craft-agents",
        processes=(
            process(10, "bun", "run", "packages/server/src/index.ts", age_s=9000),
            process(11, *_CRAFT_AGENT, "--resume", "sdk1", ppid=10, age_s=800, cwd=IDLE),
        ),
        now_epoch_s=homes.NOW_EPOCH_S,
        lay_out=_craft,
    ),
    Scene(
        host="dsh",
        processes=(process(10, "node", "/usr/lib/node_modules/@deepseek-ai/dsh/lib/bin.js", "web", "--port", "9"),),
    ),
    Scene(host="codeman", processes=(process(10, "node", "/home/alex/.local/bin/codeman", "web", "--port", "9"),)),
    Scene(
        host="copilot",
        processes=(process(11, NATIVE, exe=NATIVE, name="MainThread", cwd=IDLE, age_s=agent_homes.at("01:12:48")),),
        lay_out=_copilot,
        log=lambda home: home / ".copilot" / "session-state" / COPILOT / "events.jsonl",
        dead=_copilot_dead,
        maps=frozenset({"open-sessions-state.json"}),
    ),
    Scene(
        host="gemini",
        processes=(
            process(10, "node", SCRIPT, "-y", cwd=IDLE, age_s=agent_homes.at("00:56:40") + 1),
            process(11, "node", "--x=1", SCRIPT, "-y", ppid=10, cwd=IDLE, age_s=agent_homes.at("00:56:40")),
        ),
        lay_out=_gemini,
        log=_gemini_log,
        dead=_gemini_dead,
    ),
    Scene(host="qwen", processes=(QWEN_RUN,), lay_out=_qwen, log=_qwen_log, dead=_qwen_dead),
    Scene(
        host="pi",
        processes=(process(10, "pi", "", exe="/usr/bin/node", cwd=IDLE, age_s=agent_homes.at("01:11:40")),),
        lay_out=_pi,
        log=_pi_log,
        dead=_pi_dead,
    ),
    Scene(
        host="cline",
        processes=(
            process(30205, "cline", "-i", exe=CLINE_EXE, cwd=IDLE, age_s=agent_homes.at("01:15:15")),
            process(30998, "cline", "--cline-hub-daemon", exe=CLINE_EXE, age_s=agent_homes.at("01:15:26")),
        ),
        lay_out=_cline,
        dead=_cline_dead,
    ),
    *(
        Scene(
            host=host,
            processes=tuple(
                process(10 + n, *argv, ppid=9 + n, cwd=IDLE, age_s=500 - n, exe=argv[0]) for n, argv in enumerate(argvs)
            ),
        )
        for host, argvs in _DESCRIBED.items()
    ),
)
WITH_LOGS = tuple(scene for scene in SCENES if scene.log is not None)
WITH_DEAD = tuple(scene for scene in SCENES if scene.dead is not None)
