"""Codex: terminal runs, app-servers of editors and apps, and the daemon that all terminals share.

Knows which daemons run and asks each for its threads; all else is told by the rollout files that processes hold open.
Programs are told apart in codex_programs.py, files are read in codex_logs.py and codex_rollout.py, a daemon is asked in
codex_rpc.py, and codex_look.py puts an observation together. Must not decide what a session is doing.

A daemon's process is the host's own, with the MCP servers that it started, which carry nothing that tells whose they
are. Its threads are rows without a process that are released inside of it (`heap_of`); what a thread started carries
its id and belongs to its row. A run of its own and a server for one client are the thread that they hold.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from trayapp.hosts import codex_rpc
from trayapp.hosts.base import CallResult, Surroundings, handing_on
from trayapp.hosts.codex_logs import Logs
from trayapp.hosts.codex_look import RELEASE, Daemon, Look
from trayapp.hosts.codex_programs import (
    ENVIRONMENT_NAMES,
    HOST,
    LABEL,
    WORDS,
    home_of,
    is_daemon,
    recognise,
    socket_of,
    version_of,
)
from trayapp.hosts.codex_rpc import DaemonUnusable, Door, Told
from trayapp.model.finding import Finding, Standing
from trayapp.model.process import Identity, Process, ProcessTable
from trayapp.model.session import Claim, Observation, Problem, Role, SessionFact, SessionKey
from trayapp.say import noted

_ASK_AFTER_S = 1.0
"""A daemon is not asked more often than this."""
_LET_BE_S = 15.0
"""How long a daemon that did not answer is not asked again."""
_DAEMONS_LIMIT = 8


class Codex:
    """The adapter. Keeps what it read between observations; files that did not change are not read again."""

    label = LABEL
    environment_names: tuple[str, ...] = ENVIRONMENT_NAMES
    words = WORDS

    def __init__(self, *, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._clock_s = clock_s
        self._logs = Logs()
        self._answers: dict[Identity, tuple[float, float, Told | DaemonUnusable]] = {}
        self._daemons: tuple[Daemon, ...] = ()
        self._where: dict[SessionKey, Daemon] = {}
        self._last: Observation | None = None
        self._looking = threading.Lock()

    def recognise(self, process: Process) -> Claim | None:
        """Say what a process is to Codex, by program and arguments. Pure."""
        return recognise(process)

    async def observe(self, table: ProcessTable, recognised: Sequence[Claim], around: Surroundings) -> Observation:
        """Ask the daemons for their threads, and read which rollouts processes hold open and what their ends say."""
        daemons = _daemons(table, recognised, around)
        self._answers = {
            daemon.identity: self._answers[daemon.identity] for daemon in daemons if daemon.identity in self._answers
        }
        now_epoch_s = around.now_epoch_s()
        answers = await asyncio.gather(*(self._ask(daemon, now_epoch_s) for daemon in daemons))
        told = tuple(replace(one, answer=answer) for one, (_, answer) in zip(daemons, answers, strict=True))
        read_epoch_s = min((asked for asked, _ in answers), default=now_epoch_s)
        return await asyncio.to_thread(self._observe, table, tuple(recognised), around, told, read_epoch_s)

    async def _ask(self, daemon: Daemon, now_epoch_s: float) -> tuple[float, Told | DaemonUnusable | None]:
        """Return what a daemon says and when it said that; None where it has no socket."""
        if not await asyncio.to_thread(codex_rpc.is_there, daemon.door):
            self._answers.pop(daemon.identity, None)
            return now_epoch_s, None
        kept = self._answers.get(daemon.identity)
        if kept is not None:
            silent = isinstance(kept[2], DaemonUnusable) and kept[2].silent
            if 0 <= self._clock_s() - kept[0] < (_LET_BE_S if silent else _ASK_AFTER_S):
                return kept[1], kept[2]
        answer: Told | DaemonUnusable
        try:
            before = kept[2] if kept is not None and isinstance(kept[2], Told) else None
            answer = await codex_rpc.ask(daemon.door, before, now_s=self._clock_s())
        except DaemonUnusable as fault:
            answer = fault
        self._answers[daemon.identity] = (self._clock_s(), now_epoch_s, answer)
        return now_epoch_s, answer

    def _observe(
        self,
        table: ProcessTable,
        recognised: tuple[Claim, ...],
        around: Surroundings,
        daemons: tuple[Daemon, ...],
        read_epoch_s: float,
    ) -> Observation:
        if not self._looking.acquire(blocking=False):
            held_up = Problem(
                where=str(around.home / ".codex"),
                what=noted("reading it takes longer than one look"),
                mend=noted("Check the disk or network folder it lies on"),
            )
            return Observation(host=HOST, read_epoch_s=read_epoch_s, claims=recognised, problems=(held_up,))
        try:
            self._logs.begin(around.now_epoch_s())
            look = Look(self._logs, table, recognised, around, daemons)
            found = look.observation(read_epoch_s)
            if self._last is not None:
                found = handing_on(self._last, found)
            self._logs.forget_unused()
            self._last, self._daemons, self._where = found, daemons, look.released_by
            return found
        finally:
            self._looking.release()

    async def call(self, name: str, session: SessionFact, around: Surroundings) -> CallResult:
        """Carry out "release": its daemon unloads the thread, which stays listed and can be resumed."""
        daemon = self._where.get(session.key)
        if name != RELEASE or daemon is None:
            return CallResult(ok=False, message=noted("Codex offers no “{name}” for this session").format(name=name))
        try:
            return CallResult(ok=True, message=await codex_rpc.release(daemon.door, session.key.session_id))
        except DaemonUnusable as fault:
            return CallResult(ok=False, message=f"{fault.what}. {fault.mend}")
        finally:
            self._answers.pop(daemon.identity, None)

    def findings(self, around: Surroundings) -> Sequence[Finding]:
        """Tell of each daemon whether it answers, and what it holds."""
        return [_about(daemon) for daemon in self._daemons]


def _daemons(table: ProcessTable, recognised: Sequence[Claim], around: Surroundings) -> tuple[Daemon, ...]:
    found = []
    for claim in recognised:
        process = table.get(claim.identity)
        if process is None or claim.role is not Role.INFRA or not claim.serves_many or not is_daemon(process):
            continue
        if table.is_anothers(process):
            continue
        home = home_of(process, around.environ, around.home)
        door = Door(path=socket_of(process, home), pid=process.pid)
        found.append(Daemon(process=process, claim=claim, home=home, door=door, version=version_of(process)))
    return tuple(found[:_DAEMONS_LIMIT])


def _about(daemon: Daemon) -> Finding:
    topic = noted("Codex daemon {pid}").format(pid=daemon.process.pid)
    answer = daemon.answer
    if isinstance(answer, DaemonUnusable):
        return Finding(topic=topic, standing=Standing.TROUBLE, what=answer.what, mend=answer.mend)
    if answer is None:
        what = noted("it has no socket at {path}, so its threads are told by their logs").format(path=daemon.door.path)
        return Finding(topic=topic, standing=Standing.ABSENT, what=what)
    version = answer.version or daemon.version or "?"
    what = noted("version {version} answers: {threads} threads, {servers} connections to MCP servers").format(
        version=version,
        threads=len(answer.threads) + answer.unasked,
        servers=round(answer.gauges.get("mcp.connections.live", 0)),
    )
    return Finding(topic=topic, standing=Standing.GOOD, what=what)
