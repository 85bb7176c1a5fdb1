"""The tick: scan, observe, attribute, judge, plan, publish one frozen Snapshot.

Lives in one worker thread with an asyncio loop of its own. What is slow (files, HTTP) runs in tasks beside the tick,
one for each host; a host that hangs makes its own rows stale and nothing else slow. Knows no host by name and no face.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar

from trayapp.assess import LAG_S
from trayapp.attribution import Lineage
from trayapp.faults import kind_and_place, without_words
from trayapp.hosts.base import Host, Surroundings
from trayapp.model.process import Identity, Process, ProcessTable
from trayapp.model.receipt import Receipt
from trayapp.model.session import Claim, HostInstance, Observation, Problem, State
from trayapp.model.snapshot import Look, Snapshot
from trayapp.pipeline import Footprints, Inputs, Memory, after, conclude
from trayapp.reclaim.plan import Rules
from trayapp.verdict import CONFIRMATIONS_WANTED

log = logging.getLogger(__name__)

T = TypeVar("T")

OBSERVE_TIMEOUT_S = 8.0
"""A host that has not answered by then has not answered."""
PATIENCE_S = 0.4
"""How long a tick waits for observations under way, so that quick hosts are seen in the same tick."""
QUIET_INTERVAL_S = 10.0
"""Between ticks while no agent runs and no view is open."""
ASK_INTERVAL_S = 10.0
"""How old a host's word may be while no view is open; ticks in between measure, and judge only what changed."""
REST_INTERVAL_S = 30.0
"""The same of a host of which nothing works: whatever begins there needs CPU, which is seen at once."""
VIEW_INTERVAL_S = 6.0
"""The same while a view is open; what works is then asked at every tick."""
ABSENT_INTERVAL_S = 60.0
"""How old the word of a host may be of which nothing runs."""
CLOSED_LAG_S = 60.0
"""How far lengths of time ("idle for 12 min") may lag behind while no view is open to show them."""
WORKS_PERCENT = 1.0
"""A session that uses less of one core rests: timers and collections of garbage do not count."""
FOOTPRINT_BUDGET_S = 0.005
"""Per tick, for footprints that are dear to read, while no view is open (12 ms of CPU per resident GB on Linux)."""
FOOTPRINT_BUDGET_OPEN_S = 0.05
_NO_ANSWER = f"no answer within {OBSERVE_TIMEOUT_S:.0f} s"


class ProbeLike(Protocol):
    """Read the operating system; trayapp.probe.Probe is the real one."""

    def scan(self, *, whole: bool = True) -> ProcessTable: ...

    def follow(self, identities: Collection[Identity]) -> None: ...

    def footprints(self, identities: Collection[Identity], budget_s: float | None) -> Mapping[Identity, int]: ...

    def close(self) -> None: ...


@dataclass(slots=True)
class _Observer:
    """Keep the last observation of one host, and the task that makes the next.

    `failure` says why its last observation did not come; `defect` that its adapter cannot tell what a process is.
    """

    host: Host
    last: Observation | None = None
    started_s: float | None = None
    finished_s: float | None = None
    task: asyncio.Task[Observation] | None = None
    failure: str | None = None
    defect: str | None = None


@dataclass(slots=True)
class _Recognised:
    """Keep what hosts said of each process, by what it looked like, and all of it by host.

    `serial` is that of the table that it holds for; `told` is made anew when anything of it changes.
    """

    serial: int | None = None
    looks: dict[Identity, tuple[Any, ...]] = field(default_factory=dict)
    claims: dict[Identity, tuple[Claim, ...]] = field(default_factory=dict)
    told: Mapping[str, Sequence[Claim]] = field(default_factory=dict)


class Monitor:
    """Drive the ticks. `start` and `stop` from any thread; `tick` and `look` only on the worker's loop.

    Attributes:
        latest: the last snapshot, safe to read from any thread.
        detail: a view is open, so that readings may cost a little more.
        paused: no ticks but those that are asked for.
        on_inputs: called on the worker's loop with what a tick read and what was remembered before it, for a capture.
    """

    def __init__(
        self,
        *,
        probe: ProbeLike,
        hosts: Sequence[Host],
        around: Surroundings,
        rules: Rules,
        interval_s: float = 2.0,
        problems: Sequence[Problem] = (),
        on_snapshot: Callable[[Snapshot], None] | None = None,
        own_problems: Callable[[], Sequence[Problem]] = tuple,
        lineage: Mapping[Identity, Lineage] | None = None,
        kept: Callable[[], frozenset[str]] = frozenset,
    ) -> None:
        self._probe = probe
        self._kept = kept
        self._around = around
        self._observers = {host.label.host: _Observer(host) for host in hosts}
        self._problems = tuple(problems)
        self._own_problems = own_problems
        self._on_snapshot = on_snapshot
        self._memory = Memory(lineage=dict(lineage or {}))
        self._recognised = _Recognised()
        self._followed: Collection[Identity] = ()
        self._asked_about: Mapping[str, Sequence[Claim]] = {}
        self._fault: Problem | None = None
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._wake: asyncio.Event | None = None
        self._ready = threading.Event()
        self._tick_lock: asyncio.Lock | None = None
        self.rules = rules
        self.interval_s = interval_s
        self.latest: Snapshot | None = None
        self._detail = False
        self._was_opened = False
        self.on_inputs: Callable[[Inputs, Footprints, Memory], None] | None = None
        self._paused = False
        self._was_paused = False

    @property
    def paused(self) -> bool:
        return self._paused

    @paused.setter
    def paused(self, paused: bool) -> None:
        self._paused = paused
        # The look after a pause has to know of it, however short it was.
        self._was_paused = self._was_paused or paused

    @property
    def detail(self) -> bool:
        return self._detail

    @detail.setter
    def detail(self, detail: bool) -> None:
        # Who opens a view sees no old word for longer than a tick.
        self._was_opened = self._was_opened or (detail and not self._detail)
        self._detail = detail

    @property
    def lineage(self) -> Mapping[Identity, Lineage]:
        """Return what is remembered of who owned whom; never changed in place."""
        return self._memory.lineage

    # -- life -----------------------------------------------------------------------------------------------------

    def start(self, *, ticking: bool = True) -> None:
        """Start the worker thread; with `ticking` False it only does what it is asked for."""
        if self._thread is not None:
            return
        self._ready.clear()
        self._thread = threading.Thread(target=self._run, args=(ticking,), name="agentring-core", daemon=True)
        self._thread.start()
        self._ready.wait()

    def stop(self, timeout_s: float = 1.0) -> bool:
        """End the worker; True when it ended in time. Actions under way are not waited for."""
        thread, loop, stop = self._thread, self._loop, self._stop
        if thread is None or loop is None or stop is None:
            return True
        loop.call_soon_threadsafe(stop.set)
        thread.join(timeout_s)
        self._thread = None
        return not thread.is_alive()

    def submit(self, work: Callable[[], Awaitable[T]]) -> Future[T]:
        """Run a coroutine function on the worker's loop; callable from any thread."""
        if self._loop is None:
            raise RuntimeError("the core has not been started")

        async def run() -> T:
            return await work()

        return asyncio.run_coroutine_threadsafe(run(), self._loop)

    def wake(self) -> None:
        """Ask for a tick now; callable from any thread."""
        if self._loop is not None and self._wake is not None:
            self._loop.call_soon_threadsafe(self._wake.set)

    def _run(self, ticking: bool) -> None:
        loop = asyncio.new_event_loop()
        try:
            asyncio.set_event_loop(loop)
            self._loop = loop
            self._stop, self._wake, self._tick_lock = asyncio.Event(), asyncio.Event(), asyncio.Lock()
            self._ready.set()
            loop.run_until_complete(self._live(ticking))
        finally:
            self._cancel_tasks(loop)
            loop.run_until_complete(loop.shutdown_asyncgens())
            self._loop = None
            self._probe.close()
            loop.close()

    async def _live(self, ticking: bool) -> None:
        assert self._stop is not None
        ticks = asyncio.create_task(self._ticks()) if ticking else None
        stopped = asyncio.create_task(self._stop.wait())
        await asyncio.wait({stopped} | ({ticks} if ticks is not None else set()), return_when=asyncio.FIRST_COMPLETED)
        if ticks is not None and ticks.done():
            ticks.result()

    def _cancel_tasks(self, loop: asyncio.AbstractEventLoop) -> None:
        tasks = asyncio.all_tasks(loop)
        for task in tasks:
            task.cancel()
        if tasks:
            loop.run_until_complete(asyncio.wait(tasks, timeout=0.5))

    async def _ticks(self) -> None:
        assert self._wake is not None
        assert self._stop is not None
        # Asked for, because wait_for of Python 3.11 swallows a cancellation that comes together with a wake.
        while not self._stop.is_set():
            asked = self._wake.is_set()
            self._wake.clear()
            if asked or not self.paused:
                await self._tick_or_tell()
            try:
                await asyncio.wait_for(self._wake.wait(), self._pause_s())
            except TimeoutError:
                continue

    async def _tick_or_tell(self) -> None:
        """Take a tick; a fault in it costs that tick and not the ones to come, and the next snapshot tells of it."""
        try:
            await self.tick()
        except Exception as error:
            log.exception("a look failed")
            what = f"a look failed ({type(error).__name__}: {error})"
            self._fault = Problem(where="Agent Ring", what=what, mend="It goes on; what was shown before is older.")

    def _pause_s(self) -> float:
        quiet = self.latest is not None and not self.latest.totals.processes and not self.detail
        return max(self.interval_s, QUIET_INTERVAL_S) if quiet else self.interval_s

    # -- one tick -------------------------------------------------------------------------------------------------

    def note(self, receipt: Receipt) -> None:
        """Remember what an action did, for the ticks to come; on the worker's loop."""
        self._memory = after(receipt, self._memory)

    async def tick(self) -> Snapshot:
        """Take one snapshot and publish it."""
        look = await self.look(fresh=False)
        return look.snapshot

    async def look(self, *, fresh: bool = True) -> Look:
        """Take one snapshot and return it with what stands behind it.

        With `fresh` every host is asked anew and waited for, up to its timeout: an action must not rest on an old word.
        """
        assert self._tick_lock is not None
        async with self._tick_lock:
            began_cpu_s = time.thread_time()
            table = self._probe.scan(whole=fresh)
            claims = self._recognise(table)
            due = list(self._observers.values()) if fresh or self._was_opened else self._due(table, claims)
            thorough = fresh or self._was_opened
            self._asked_about, self._was_opened = claims, False
            if due:
                await self._observe(due, table, claims, fresh=fresh)
            else:
                self._collect(table)
            return self._publish(table, claims, began_cpu_s, fresh=fresh, thorough=thorough)

    def _due(self, table: ProcessTable, claims: Mapping[str, Sequence[Claim]]) -> list[_Observer]:
        """Return the hosts to be asked: whose word is old, and all that run where an agent came, went or changed."""
        news = claims is not self._asked_about
        beats = self._beats()
        due: list[_Observer] = []
        for host, observer in self._observers.items():
            told = observer.last
            runs = told is None or told.claims or told.sessions or told.instances or claims.get(host)
            rest_s = VIEW_INTERVAL_S if self.detail else REST_INTERVAL_S
            beat_s = beats.get(host, rest_s) if runs or observer.failure is not None else ABSENT_INTERVAL_S
            age_s = float("inf") if observer.started_s is None else table.monotonic_s - observer.started_s
            if age_s >= beat_s or (news and runs):
                due.append(observer)
        return due

    def _beats(self) -> dict[str, float]:
        """Return how old the word of those hosts may be of which something works, or was seen idle once only."""
        beats: dict[str, float] = {}
        for group in self.latest.groups if self.latest is not None else ():
            verdict = group.verdict
            if group.host is None or verdict is None:
                continue
            if verdict.state is State.IDLE and verdict.confirmations < CONFIRMATIONS_WANTED:
                beats[group.host] = 0.0
            elif verdict.state is State.BUSY or (group.cpu_percent or 0.0) >= WORKS_PERCENT:
                beats.setdefault(group.host, 0.0 if self.detail else ASK_INTERVAL_S)
        return beats

    def _recognise(self, table: ProcessTable) -> Mapping[str, Sequence[Claim]]:
        """Ask each host what each process is; asked again only when a process looks different than before."""
        known, changes = self._recognised, table.changes
        if changes is None or changes.since != known.serial:
            present = {process.identity: process for process in table.processes.values()}
            gone, to_ask = frozenset(known.looks.keys() - present.keys()), list(present.values())
        else:
            gone = changes.gone
            to_ask = [table.processes[identity.pid] for identity in (*changes.appeared, *changes.changed)]
        changed = self._forget_recognised(gone)
        for process in to_ask:
            looks = (process.name, process.exe, process.argv, len(process.env), process.is_zombie)
            if known.looks.get(process.identity) != looks:
                known.looks[process.identity] = looks
                claims = tuple(self._ask(process))
                if claims != known.claims.get(process.identity, ()):
                    known.claims[process.identity] = claims
                    changed = True
        if changed:
            told: dict[str, list[Claim]] = {}
            for _, claims in sorted(known.claims.items()):
                for claim in claims:
                    told.setdefault(claim.host, []).append(claim)
            known.told = told
        known.serial = table.serial
        return known.told

    def _forget_recognised(self, gone: Collection[Identity]) -> bool:
        """Forget processes that are not there any more; True when a host had recognised one of them."""
        known = self._recognised
        for identity in gone:
            known.looks.pop(identity, None)
        lost = [known.claims.pop(identity, ()) for identity in gone]
        return any(lost)

    def _ask(self, process: Process) -> list[Claim]:
        if process.is_zombie:
            return []
        claims = (_recognise(observer, process) for observer in self._observers.values())
        return [claim for claim in claims if claim is not None]

    async def _observe(
        self,
        due: Sequence[_Observer],
        table: ProcessTable,
        claims: Mapping[str, Sequence[Claim]],
        *,
        fresh: bool,
    ) -> None:
        """Begin an observation of every host that is due and has none under way, and wait a little for those begun.

        With `fresh` no older word will do: observations under way are waited for and made again, and a host that does
        not answer in time is stale from now on. One that has failed before is not waited for a second time.
        """
        if fresh:
            await self._settle(table)
        begun = [self._begin(observer, table, claims) for observer in due if observer.task is None]
        if begun:
            await asyncio.wait(begun, timeout=PATIENCE_S)
        if fresh:
            await self._settle(table)
            for observer in self._observers.values():
                if observer.task is not None:
                    observer.failure = _NO_ANSWER
        self._collect(table)

    def _begin(
        self, observer: _Observer, table: ProcessTable, claims: Mapping[str, Sequence[Claim]]
    ) -> asyncio.Task[Observation]:
        recognised = tuple(claims.get(observer.host.label.host, ()))
        observer.started_s = table.monotonic_s
        observer.task = asyncio.ensure_future(observer.host.observe(table, recognised, self._around))
        return observer.task

    async def _settle(self, table: ProcessTable) -> None:
        """Wait until all observations under way are done, but for those of hosts that have failed."""
        running = [o.task for o in self._observers.values() if o.task is not None and o.failure is None]
        if running:
            await asyncio.wait(running, timeout=OBSERVE_TIMEOUT_S)
        self._collect(table)

    def _collect(self, table: ProcessTable) -> None:
        """Take in the observations that are done; a failure is that host's problem alone."""
        for observer in self._observers.values():
            task, started_s = observer.task, observer.started_s
            if task is None or started_s is None:
                continue
            if not task.done():
                # It stays in its place even if it does not let itself be cancelled: never two of one host.
                if table.monotonic_s - started_s >= OBSERVE_TIMEOUT_S:
                    observer.failure = _NO_ANSWER
                    task.cancel()
                continue
            observer.task = None
            if task.cancelled():
                continue
            fault = task.exception()
            if fault is None:
                observer.last, observer.finished_s, observer.failure = task.result(), started_s, None
            else:
                log.error("the adapter of %s failed: %s", observer.host.label.host, without_words(fault))
                observer.failure = _failed(fault)

    def _publish(
        self,
        table: ProcessTable,
        claims: Mapping[str, Sequence[Claim]],
        began_cpu_s: float,
        *,
        fresh: bool,
        thorough: bool,
    ) -> Look:
        # a capture has to say the same without what was taken over from the tick before it
        inputs = self._inputs(table, claims, thorough=thorough or self.on_inputs is not None)
        budget_s = FOOTPRINT_BUDGET_OPEN_S if self.detail else FOOTPRINT_BUDGET_S
        allowed_s = None if fresh or self._memory.table is None else budget_s
        concluded = conclude(inputs, self._memory, lambda wanted: self._probe.footprints(wanted, allowed_s))
        if self.on_inputs is not None:
            self.on_inputs(inputs, concluded.footprints, self._memory)
        self._memory, self._was_paused = concluded.memory, self._paused
        if concluded.followed is not self._followed:
            before, self._followed = frozenset(self._followed), concluded.followed
            if before != frozenset(self._followed):
                self._probe.follow(self._followed)
        own = replace(concluded.snapshot.own, tick_ms=(time.thread_time() - began_cpu_s) * 1000)
        self.latest = snapshot = replace(concluded.snapshot, own=own)
        if self._on_snapshot is not None:
            self._on_snapshot(snapshot)
        return Look(snapshot=snapshot, table=table, facts=concluded.facts)

    def _inputs(self, table: ProcessTable, claims: Mapping[str, Sequence[Claim]], *, thorough: bool) -> Inputs:
        fault, self._fault = self._fault, None
        own = (fault,) if fault is not None else ()
        kept = self._kept()
        if kept != self.rules.kept:
            self.rules = replace(self.rules, kept=kept)
        return Inputs(
            table=table,
            observations=self._current(claims),
            labels=tuple(observer.host.label for observer in self._observers.values()),
            rules=self.rules,
            now_epoch_s=self._around.now_epoch_s(),
            stale_s=self._stale_hosts(table),
            silent=self._silent(),
            problems=(*own, *self._problems, *self._own_problems()),
            paused=self._was_paused,
            thorough=thorough,
            lag_s=LAG_S if self.detail else CLOSED_LAG_S,
        )

    def _current(self, claims: Mapping[str, Sequence[Claim]]) -> tuple[Observation, ...]:
        """Return the last word of each host; one that has not spoken yet is stood for by what was recognised."""
        current: list[Observation] = []
        for host, observer in self._observers.items():
            recognised = tuple(claims.get(host, ()))
            if observer.last is None:
                current.append(Observation(host=host, read_epoch_s=self._around.now_epoch_s(), claims=recognised))
                continue
            # Processes that appeared since the host was last observed are at least recognised.
            seen = {claim.identity for claim in observer.last.claims}
            new = tuple(claim for claim in recognised if claim.identity not in seen)
            current.append(replace(observer.last, claims=(*observer.last.claims, *new)) if new else observer.last)
        return tuple(current)

    def _stale_hosts(self, table: ProcessTable) -> dict[str, float]:
        """Return how old the last word of each host is that stopped answering."""
        return {
            host: table.monotonic_s - observer.finished_s if observer.finished_s is not None else float("inf")
            for host, observer in self._observers.items()
            if observer.failure is not None
        }

    def _silent(self) -> tuple[HostInstance, ...]:
        """Name the hosts that cannot be asked, with what is wrong."""
        errors = {host: observer.failure or observer.defect for host, observer in self._observers.items()}
        return tuple(HostInstance(host=host, error=error) for host, error in errors.items() if error is not None)


def _recognise(observer: _Observer, process: Process) -> Claim | None:
    """Ask one host what a process is; an adapter that fails at it is told, and the other hosts are asked on."""
    try:
        return observer.host.recognise(process)
    except Exception as error:  # noqa: BLE001  whatever it is, it is told and the other hosts go on
        if observer.defect is None:
            title, way = observer.host.label.host, without_words(error)
            log.error("the adapter of %s failed on process %s: %s", title, process.identity, way)  # noqa: TRY400
        observer.defect = _failed(error)
        return None


def _failed(fault: BaseException) -> str:
    return f"its adapter failed: {kind_and_place(fault)}"
