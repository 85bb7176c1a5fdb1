"""What it costs to look at 60 live sessions of five hosts among 20,000 that are over: the first look and a steady one.

The homes are laid out as these hosts leave them; every live session has a log of some 100 kB, dead ones are small.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.bench.figures import Effort, Figure, figure, ratio, scratch
from tests.hosts import contract_scenes as scenes
from tests.hosts.agent_homes import NOW_EPOCH_S, at, put, touch
from tests.hosts.homes import process, recorded
from trayapp.hosts.base import Host, Surroundings
from trayapp.hosts.registry import load_hosts
from trayapp.model.process import Process, ProcessTable
from trayapp.model.session import Claim

LIVE_EACH = 12
DEAD = 20_000
FEW = 200
GROWING_EACH = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Crowd:
    """The live sessions of one host: how one is laid out, and how many dead ones are put beside them.

    Attributes:
        live: lays out one in a home, by its number; returns its process and the file that grows.
    """

    host: str
    live: Callable[[Path, int], tuple[Process, Path]]
    dead: Callable[[Path, int], None]


def measure(effort: Effort) -> Iterator[Figure]:
    rounds = effort.pick(50, 10)
    first: dict[int, list[float]] = {FEW: [], DEAD: []}
    steady: dict[int, list[float]] = {}
    growing: dict[int, list[float]] = {}
    for dead in (FEW, DEAD):
        effort.say(f"  {LIVE_EACH * len(CROWDS)} live sessions among {dead} that are over")
        with scratch() as root, _an_hour_later(), asyncio.Runner() as runner:
            looks = [Looks(crowd, root, dead // len(CROWDS), runner) for crowd in CROWDS]
            for _ in range(effort.pick(5, 2)):
                for each in looks:
                    each.begin()
                first[dead].append(sum(each.cost_ms() for each in looks))
            for each in looks:
                each.cost_ms()
            steady[dead] = [sum(each.cost_ms() for each in looks) for _ in range(rounds)]
            growing[dead] = []
            for _ in range(rounds):
                for each in looks:
                    each.grow()
                growing[dead].append(sum(each.cost_ms() for each in looks))
    note = f"{LIVE_EACH * len(CROWDS)} live sessions of {len(CROWDS)} hosts among {DEAD:,} that are over"
    yield figure("dead_sessions_first_look_ms", first[DEAD], "ms", f"CPU of reading all of it, {note}")
    yield figure("dead_sessions_steady_look_ms", steady[DEAD], "ms", f"CPU, {note}")
    yield figure("dead_sessions_growing_look_ms", growing[DEAD], "ms", f"CPU, {len(CROWDS)} logs grow, {note}")
    yield ratio("dead_sessions_steady_growth", steady[DEAD], steady[FEW], f"over the same among {FEW}")
    yield ratio("dead_sessions_growing_growth", growing[DEAD], growing[FEW], f"over the same among {FEW}")


class Looks:
    """Look at the sessions of one host, as the monitor does, and count what that takes."""

    def __init__(self, crowd: Crowd, root: Path, dead: int, runner: asyncio.Runner) -> None:
        self._crowd, self._runner = crowd, runner
        home = root / crowd.host
        home.mkdir()
        made = [crowd.live(home, number) for number in range(LIVE_EACH)]
        crowd.dead(home, dead)
        self._logs = [log for _, log in made[:GROWING_EACH]]
        scene = scenes.Scene(host=crowd.host, processes=[process for process, _ in made])
        self._table: ProcessTable = scene.table()
        self._around: Surroundings = scene.around(home)
        _settle(home)
        self.begin()

    def begin(self) -> None:
        """Forget all that was read."""
        self._host: Host = next(host for host in load_hosts([])[0] if host.label.host == self._crowd.host)
        found = (self._host.recognise(each) for each in self._table.processes.values())
        self._claims: Sequence[Claim] = [claim for claim in found if claim is not None]

    def cost_ms(self) -> float:
        before_s = time.process_time()
        seen = self._runner.run(self._host.observe(self._table, self._claims, self._around))
        took_ms = (time.process_time() - before_s) * 1000
        assert len(seen.sessions) == LIVE_EACH, (self._crowd.host, len(seen.sessions))
        return took_ms

    def grow(self) -> None:
        """Add the last line of a log once more, or a blank to a file of one record."""
        for log in self._logs:
            last = log.read_bytes().splitlines(keepends=True)[-1] if log.suffix == ".jsonl" else b" "
            with log.open("ab") as file:
                file.write(last)
            touch(log)
            os.utime(log.parent, (NOW_EPOCH_S - 90, NOW_EPOCH_S - 90))


@contextmanager
def _an_hour_later() -> Iterator[None]:
    """Let files be old enough to be believed: one that was just written may change without a trace."""
    real = time.time_ns
    time.time_ns = lambda: round((NOW_EPOCH_S + 3600) * 1e9)
    try:
        yield
    finally:
        time.time_ns = real


def _settle(home: Path) -> None:
    for folder, _, _ in os.walk(home):
        os.utime(folder, (NOW_EPOCH_S - 90, NOW_EPOCH_S - 90))


def _id(number: int) -> str:
    return f"{number:08d}-aaaa-4000-8000-000000000001"


def _copilot(home: Path, number: int) -> tuple[Process, Path]:
    folder = home / ".copilot" / "session-state" / _id(number)
    log = put(folder / "events.jsonl", recorded("copilot/resumed.events.jsonl") * 8)
    put(folder / "workspace.yaml", recorded("copilot/resumed.workspace.yaml"))
    put(folder / f"inuse.{100 + number}.lock", "x")
    path = home / ".copilot" / "open-sessions-state.json"
    told = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    entry = {"working": False, "openedAt": "2026-12-01T01:12:50Z", "refreshedAt": "2026-12-01T01:12:55Z"}
    put(path, json.dumps(told | {_id(number): entry}))
    native = scenes.NATIVE
    return process(100 + number, native, exe=native, cwd=f"/w/{number}", age_s=at("01:12:48")), log


def _gemini(home: Path, number: int) -> tuple[Process, Path]:
    path = home / ".gemini" / "projects.json"
    told = json.loads(path.read_text(encoding="utf-8"))["projects"] if path.exists() else {}
    put(path, json.dumps({"projects": told | {f"/w/{number}": "idle" if number == 0 else f"p{number}"}}))
    chats = home / ".gemini" / "tmp" / ("idle" if number == 0 else f"p{number}") / "chats"
    more = recorded("gemini/bg.jsonl").split("\n", 1)[1] * 30
    text = recorded("gemini/idle.jsonl").replace(scenes.GEMINI, f"{number:08d}") + more
    log = put(chats / f"session-2026-12-01T00-56-{number:08d}.jsonl", text)
    return process(100 + number, "node", scenes.SCRIPT, "-y", cwd=f"/w/{number}", age_s=at("00:56:40")), log


def _qwen(home: Path, number: int) -> tuple[Process, Path]:
    run = process(100 + number, "node", "/home/alex/bin/qwen", "-y", cwd=f"/w/{number}", age_s=at("00:57:20"))
    record = json.loads(recorded("qwen/session-record.json")) | {
        "pid": run.pid,
        "procStart": f"boot:{run.identity.start}",
        "sessionId": _id(number),
        "cwd": f"/w/{number}",
    }
    put(home / ".qwen" / "sessions" / f"{run.pid}.json", json.dumps(record))
    folder = home / ".qwen" / "projects" / f"-w-{number}" / "chats"
    return run, put(folder / f"{_id(number)}.jsonl", recorded("qwen/bg.jsonl") * 15)


def _pi(home: Path, number: int) -> tuple[Process, Path]:
    cwd = scenes.IDLE if number == 0 else f"/w/{number}"
    folder = home / ".pi" / "agent" / "sessions" / f"--{cwd[1:].replace('/', '-')}--"
    log = put(folder / f"2026-12-01T01-11-41-118Z_{_id(number)}.jsonl", recorded("pi/idle.jsonl") * 60)
    return process(100 + number, "pi", "", exe="/usr/bin/node", cwd=cwd, age_s=at("01:11:40")), log


def _cline(home: Path, number: int) -> tuple[Process, Path]:
    session_id = f"{1796087719935 + number}_5a6cu"
    folder = home / ".cline" / "data" / "sessions" / session_id
    told = json.loads(recorded("cline/idle.json"))
    told |= {"session_id": session_id, "pid": 100 + number, "cwd": f"/w/{number}"}
    path = put(folder / f"{session_id}.json", json.dumps(told))
    put(folder / f"{session_id}.messages.json", '{\n "version": 1,\n "updated_at": "2026-12-01T01:15:21.825Z"\n}')
    run = process(100 + number, "cline", "-i", exe=scenes.CLINE_EXE, cwd=f"/w/{number}", age_s=at("01:15:15"))
    return run, path


CROWDS = tuple(
    Crowd(host=scene.host, live=live, dead=scene.dead)
    for host, live in (("copilot", _copilot), ("gemini", _gemini), ("qwen", _qwen), ("pi", _pi), ("cline", _cline))
    for scene in scenes.WITH_DEAD
    if scene.host == host and scene.dead is not None
)
