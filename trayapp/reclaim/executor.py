"""How an action is carried out: look again, ask the plan again, climb the ladder, watch, write the receipt.

Knows no host: what a rung does is data, host calls go to the adapter by name, signals go through the guard. What a
person saw in a list is only a wish; what is done is decided by a fresh look just before (cases 054, 056).
"""

from __future__ import annotations

import asyncio
import logging
import signal
import time
import uuid
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Protocol

from trayapp.faults import kind_and_place, without_words
from trayapp.hosts.base import CallResult, Heaped, Host, Surroundings
from trayapp.model.plan import SENTENCES, Action, Allowed, Decision, Reason
from trayapp.model.process import Identity, Machine, Process, ProcessStatus, ProcessTable
from trayapp.model.receipt import Fate, HeapChange, Outcome, Progress, Receipt, Survivor, Target, program_mark
from trayapp.model.session import EndsBy, EvidenceKind, Heap, LadderStep, Role, SessionFact, Speaks, State, StepKind
from trayapp.model.snapshot import Group, GroupKind, HeapUse, Look, Member, Snapshot
from trayapp.reclaim.collections import WAIT_S, Expected, await_collections
from trayapp.reclaim.guard import Delivered, Delivery, Guard
from trayapp.reclaim.journal import Intent, Journal
from trayapp.reclaim.resolve import is_abandoned, resolve
from trayapp.reclaim.turn import NotNow, turn, turn_file
from trayapp.say import say_n

log = logging.getLogger(__name__)

POLL_S = 0.05
LOOK_FOR_NEW_S = 0.5
"""How often it is looked for what the processes that are to go start meanwhile."""
CALL_TIMEOUT_S = 15.0

_TERM = LadderStep(kind=StepKind.SIGTERM, label="Asked to end", wait_s=5.0)
_KILL = LadderStep(kind=StepKind.SIGKILL, label="Ended at once", wait_s=3.0)
_LEFT_OVER = LadderStep(kind=StepKind.SIGTERM, label="Its helpers are asked to end", wait_s=3.0)
_GRACE = LadderStep(kind=StepKind.SIGTERM, label="Waiting for its helpers", wait_s=2.0)
"""How long helpers get to end by themselves (end of their input) before they are asked to."""

_COLLECTION = "Waiting for the heap's next full collection"
LOOK_AGAIN_S = 1.0
"""Between looks at a host that releases inside of its own process."""

_BACKENDS = frozenset({Role.BACKEND})
_SERVING = frozenset({Role.HELPER, Role.WRAPPER})


class Measures(Protocol):
    """Measure memory; a Probe is one."""

    def footprints(self, identities: Collection[Identity], budget_s: float | None) -> Mapping[Identity, int]: ...

    def machine(self) -> Machine: ...

    def scan(self, *, whole: bool = True) -> ProcessTable: ...


@dataclass(slots=True)
class _Run:
    """Follow one target while it is carried out."""

    target: Target
    group: Group
    fact: SessionFact | None
    bytes_before: dict[Identity, int]
    began_s: float
    came_back_before: int
    position: tuple[int, int]
    progress: Callable[[Progress], None]
    there: Collection[Identity] = frozenset()
    """Who ran when it began."""
    new: dict[Identity, Process] = field(default_factory=dict)
    """What its processes started meanwhile, as far as that was seen."""
    steps: list[str] = field(default_factory=list)
    stopped_by: Decision | None = None
    said_no: str | None = None
    left_heap: bool = False

    @property
    def members(self) -> tuple[Member, ...]:
        return self.group.members

    def note_new(self, table: ProcessTable) -> None:
        """Note what began below its processes, and what lost such a parent since: that one's process group tells."""
        members = {member.process.identity: member.process for member in self.members}
        pgids = {process.pgid for process in members.values() if process.pgid is not None}
        for process in table.processes.values():
            if process.identity in self.there or process.identity in members:
                continue
            above = any(a.identity in members or a.identity in self.new for a in table.ancestors(process))
            if above or (process.ppid in table.reaper_pids and process.pgid in pgids):
                self.new[process.identity] = process

    @property
    def inside(self) -> bool:
        """Say whether the host releases the session inside of its own process, which goes on."""
        lives_there = self.group.heap_of is not None or _is_remnant(self.group)
        return lives_there and self.target.action is Action.RELEASE


class Executor:
    """Carry out targets one after the other. Lives on the worker thread's asyncio loop.

    Actions wait for each other, so two clicks on one target do it once: the second one finds it already gone.
    """

    def __init__(
        self,
        *,
        look: Callable[[], Awaitable[Look]],
        guard: Guard,
        measures: Measures,
        journal: Journal,
        hosts: Mapping[str, Host],
        around: Surroundings,
        clock_s: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._look = look
        self._guard = guard
        self._measures = measures
        self._journal = journal
        self._hosts = hosts
        self._around = around
        self._clock_s = clock_s
        self._sleep = sleep
        self._one_at_a_time = asyncio.Lock()
        self._footprint_metric: str | None = None
        self._heaps_before: dict[Identity, HeapUse] = {}
        self.stop_after_current = False

    async def carry_out(self, targets: Sequence[Target], origin: str, progress: Callable[[Progress], None]) -> Receipt:
        """Carry out all targets and return the receipt, which is in the journal by then."""
        async with self._one_at_a_time:
            self.stop_after_current = False
            receipt_id = uuid.uuid4().hex
            started_at = datetime.now(UTC)
            before = self._measures.machine()
            intent = Intent(receipt_id=receipt_id, started_at=started_at, origin=origin, targets=tuple(targets))
            async with AsyncExitStack() as acting:
                not_begun = await self._begin(intent, acting)
                if not_begun is None:
                    outcomes = await self._each(targets, progress)
                else:
                    outcomes = [_refused(target, None, f"Not begun: {not_begun}") for target in targets]
            heaps_before, self._heaps_before = self._heaps_before, {}
        heaps = await self._collections(heaps_before, outcomes, progress)
        async with self._one_at_a_time:
            receipt = Receipt(
                receipt_id=receipt_id,
                started_at=started_at,
                finished_at=datetime.now(UTC),
                origin=origin,
                outcomes=tuple(outcomes),
                available_before_bytes=before.memory_available_bytes,
                available_after_bytes=self._measures.machine().memory_available_bytes,
                footprint_metric=self._footprint_metric,
                heaps=heaps,
            )
            try:
                self._journal.write_receipt(receipt)
            except OSError as error:
                # What was done is done; that it could not be written down is one of the journal's problems.
                log.warning("the receipt could not be written to %s: %s", self._journal.path, error)
            return receipt

    async def _begin(self, intent: Intent, acting: AsyncExitStack) -> str | None:
        """Wait for this program's turn and write down what is about to happen; returns why it must not begin."""
        try:
            await acting.enter_async_context(turn(turn_file(self._journal.path), sleep=self._sleep))
            self.resolve_abandoned()
            self._journal.write_intent(replace(intent, actor=self._own_identity()))
        except NotNow:
            return "another Agent Ring on this computer has been acting for a minute"
        except OSError as error:
            return f"the journal cannot be written ({error.strerror or error})"
        return None

    def resolve_abandoned(self) -> tuple[Receipt, ...]:
        """Write the receipts of actions in the middle of which their program ended. Raises OSError."""
        abandoned = self._journal.open_intents()
        if not abandoned:
            return ()
        table, available_bytes = self._measures.scan(), self._measures.machine().memory_available_bytes
        found = tuple(
            resolve(intent, table, now=datetime.now(UTC), available_bytes=available_bytes)
            for intent in abandoned
            if is_abandoned(intent, table)
        )
        for receipt in found:
            self._journal.write_receipt(receipt)
        return found

    def _own_identity(self) -> Identity | None:
        table = self._measures.scan(whole=False)
        own = table.processes.get(table.own_pid)
        return own.identity if own is not None else None

    async def _each(self, targets: Sequence[Target], progress: Callable[[Progress], None]) -> list[Outcome]:
        outcomes: list[Outcome] = []
        for number, target in enumerate(targets):
            if self.stop_after_current:
                outcomes.append(_refused(target, None, "Not begun: stopped by you"))
                continue
            came_back = sum(outcome.came_back_bytes for outcome in outcomes)
            outcomes.append(await self._one(target, (number, len(targets)), came_back, progress))
        return outcomes

    async def _one(
        self, target: Target, position: tuple[int, int], came_back: int, progress: Callable[[Progress], None]
    ) -> Outcome:
        began_s = self._clock_s()
        self._guard.doubt(target.members)
        look = await self._look()
        self._footprint_metric = look.snapshot.footprint_metric
        group = look.snapshot.group(target.group_key)
        refusal = self._changed(target, group) or _forbidden(target, group)
        if refusal is not None or group is None:
            return refusal or _refused(target, Reason.NOT_OURS, "Not done: it is not there any more")
        group = _as_listed(group, target, look.table)
        run = _Run(
            target=target,
            group=group,
            fact=look.facts.get(group.session) if group.session is not None else None,
            bytes_before=dict(self._measures.footprints([m.process.identity for m in group.members], None)),
            began_s=began_s,
            came_back_before=came_back,
            position=position,
            progress=progress,
            there=frozenset(process.identity for process in look.table.processes.values()),
        )
        if run.inside:
            self._heaps_before = {heap.identity: heap for heap in look.snapshot.heaps} | self._heaps_before
            await self._release_inside(run)
        else:
            await self._climb(run)
        return self._outcome(run)

    # -- may it still be done? ------------------------------------------------------------------------------------

    def _changed(self, target: Target, group: Group | None) -> Outcome | None:
        """Refuse what is no longer what the person saw."""
        if group is None and (target.heap_of is not None or not target.members):
            return Outcome(target=target, fate=Fate.ALREADY_GONE, sentence="Already gone", reason=Reason.ALREADY_ENDED)
        if target.heap_of is not None and group is not None and group.heap_of not in (None, target.heap_of):
            sentence = "Not done: its host was started anew since the list was made"
            return _refused(target, Reason.IDENTITY_CHANGED, sentence)
        if not target.members:
            return None
        alive = self._guard.alive(target.members)
        if not alive:
            return Outcome(target=target, fate=Fate.ALREADY_GONE, sentence="Already gone", reason=Reason.ALREADY_ENDED)
        members = {m.process.identity: m for m in group.members} if group is not None else {}
        if not members.keys() & alive:
            return _refused(target, Reason.IDENTITY_CHANGED, "Not done: its processes belong elsewhere now")
        for identity, program in zip(target.members, target.programs, strict=False):
            if identity in alive and identity in members and program_mark(members[identity].process) != program:
                sentence = f"Not done: process {identity.pid} runs another program since the list was made"
                return _refused(target, Reason.IDENTITY_CHANGED, sentence)
        backends = {identity for identity, m in members.items() if m.role is Role.BACKEND}
        if target.action is not Action.KILL and backends - set(target.members):
            return _refused(
                target, Reason.IDENTITY_CHANGED, "Not done: it runs in a new process since the list was made"
            )
        return None

    # -- the ladder -----------------------------------------------------------------------------------------------

    async def _climb(self, run: _Run) -> None:
        for number, step in enumerate(_ladder(run)):
            if not self._left(run):
                return
            if (number or self._has_begun_something(run)) and not await self._still_to_be_done(run):
                return
            if step.kind is StepKind.HOST_CALL:
                await self._call(run, step)
            else:
                # A release asks the backend alone, which ends its own; all else goes as a tree.
                release = run.target.action is Action.RELEASE
                await self._signal(run, step, self._recipients(run, _BACKENDS if release else frozenset(Role)))
        if run.target.action is Action.RELEASE:
            await self._end_left_overs(run)

    async def _release_inside(self, run: _Run) -> None:
        """Let the host release the session in its own process, and look until it is not live there any more."""
        step = next((step for step in _ladder(run) if step.kind is StepKind.HOST_CALL), None)
        host = self._hosts.get(run.group.host or "")
        if step is None or step.call is None or host is None or run.fact is None:
            run.said_no = "its host offers no release"
            return
        self._report(run, step, 0.0)
        answer = await self._answer(host, step.call, run.fact)
        run.steps.append(f"{step.label}: {'done' if answer.ok else 'refused'}, {answer.message}")
        if not answer.ok:
            run.said_no = answer.message
            return
        began_s = self._clock_s()
        while True:
            group = (await self._look()).snapshot.group(run.group.key)
            run.left_heap = group is None or (group.heap_of is None and not _is_remnant(group))
            waited_s = self._clock_s() - began_s
            if run.left_heap or waited_s >= step.wait_s:
                return
            self._report(run, step, waited_s)
            await self._sleep(LOOK_AGAIN_S)

    async def _collections(
        self, before: Mapping[Identity, HeapUse], outcomes: Sequence[Outcome], progress: Callable[[Progress], None]
    ) -> tuple[HeapChange, ...]:
        """Wait for the heaps in which sessions were released; the user may stop that."""
        expected: dict[Identity, Expected] = {}
        for outcome in outcomes:
            heap_of = outcome.target.heap_of
            if heap_of is not None and heap_of in before and outcome.fate is Fate.RELEASED:
                so_far = expected[heap_of].expected_bytes if heap_of in expected else 0
                expected[heap_of] = Expected(
                    before=before[heap_of], expected_bytes=so_far + outcome.target.expected_heap_bytes
                )

        def waiting(waited_s: float) -> bool:
            progress(
                Progress(
                    done=len(outcomes),
                    total=len(outcomes),
                    title=_COLLECTION,
                    label=_COLLECTION,
                    waited_s=waited_s,
                    wait_s=WAIT_S,
                    came_back_bytes=sum(outcome.came_back_bytes for outcome in outcomes),
                )
            )
            return not self.stop_after_current

        return await await_collections(
            expected, self._heap_now, self._collect, clock_s=self._clock_s, sleep=self._sleep, waiting=waiting
        )

    async def _collect(self, name: str, identity: Identity) -> bool:
        host: object = self._hosts.get(name)
        return isinstance(host, Heaped) and await host.collect(identity, self._around)

    async def _heap_now(self, name: str, identity: Identity) -> tuple[Heap, int | None] | None:
        """Ask the host itself where it can be asked, else look at everything."""
        host: object = self._hosts.get(name)
        if isinstance(host, Heaped):
            return await host.heap(identity, self._around)
        snapshot = (await self._look()).snapshot
        heaps = (instance.heap for instance in snapshot.instances if instance.identity == identity)
        heap = next((heap for heap in heaps if heap is not None), None)
        return (heap, None) if heap is not None else None

    def _has_begun_something(self, run: _Run) -> bool:
        """Say whether anything began below its processes since the look that the action rests on."""
        run.note_new(self._measures.scan(whole=False))
        return bool(run.new)

    async def _still_to_be_done(self, run: _Run) -> bool:
        """Look anew between two rungs: a session that works by now is left alone; what began below it belongs to it."""
        look = await self._look()
        group = look.snapshot.group(run.group.key)
        run.group = replace(run.group, members=_as_they_stand(run.members, look.snapshot, run.group.key))
        if group is None:
            return True
        works = group.verdict is not None and group.verdict.state is State.BUSY and run.target.action is Action.RELEASE
        for decision in (group.decision(run.target.action), _typed_in(run.target, group)):
            if decision is not None and (works or _is_another_question(run.target, decision)):
                run.stopped_by = decision
                return False
        known = self._identities(run)
        began = [m for m in _as_listed(group, run.target, look.table).members if m.process.identity not in known]
        since = [m for m in group.members if m.process.identity not in known and m.process.identity not in run.there]
        if any(member.role is Role.BACKEND for member in since):
            run.stopped_by = Decision(
                action=run.target.action,
                allowed=Allowed.REFUSE,
                reason=Reason.IDENTITY_CHANGED,
                detail="It runs again in a new process",
            )
            return False
        if began:
            run.bytes_before |= self._measures.footprints([m.process.identity for m in began], None)
            run.group = replace(run.group, members=(*run.members, *began))
        return True

    def _recipients(self, run: _Run, roles: Collection[Role]) -> list[Process]:
        """Choose who gets a signal, leaves before roots."""
        left = self._left(run)
        table = self._measures.scan()
        by_signal = [m for m in run.members if m.role in roles and m.ends_by is EndsBy.SIGNAL]
        chosen = [m.process for m in by_signal if m.process.identity in left]
        return sorted(chosen, key=lambda p: sum(1 for _ in table.ancestors(p)), reverse=True)

    async def _call(self, run: _Run, step: LadderStep) -> None:
        host = self._hosts.get(run.group.host or "")
        if host is None or run.fact is None or step.call is None:
            run.steps.append(f"{step.label}: not possible, the host is not known any more")
            return
        self._report(run, step, 0.0)
        answer = await self._answer(host, step.call, run.fact)
        run.steps.append(f"{step.label}: {'done' if answer.ok else 'failed'}, {answer.message}")
        if answer.ok:
            helpers = _identities_of(run, frozenset({Role.HELPER}))
            await self._wait(run, step, self._freed(run) if step.frees_processes else helpers)

    async def _answer(self, host: Host, call: str, fact: SessionFact) -> CallResult:
        """Let the adapter carry out a call; one that fails or hangs is an answer too, and the ladder goes on."""
        task = asyncio.ensure_future(host.call(call, fact, self._around))
        try:
            await asyncio.wait({task}, timeout=CALL_TIMEOUT_S)
        finally:
            task.cancel()
        if not task.done():
            return CallResult(ok=False, message=f"no answer within {CALL_TIMEOUT_S:.0f} s")
        fault = task.exception()
        if fault is not None:
            log.error("the adapter of %s failed in %s: %s", host.label.host, call, without_words(fault))
            return CallResult(ok=False, message=f"its adapter failed: {kind_and_place(fault)}")
        return task.result()

    async def _signal(self, run: _Run, step: LadderStep, recipients: Sequence[Process]) -> None:
        which = signal.SIGTERM if step.kind is StepKind.SIGTERM else getattr(signal, "SIGKILL", signal.SIGTERM)
        delivered = self._guard.send(recipients, which)
        run.steps.extend(_told(each, which) for each in delivered if each.delivery is not Delivery.GONE)
        if any(each.delivery is Delivery.SENT for each in delivered):
            await self._wait(run, step, frozenset(process.identity for process in recipients))

    async def _end_left_overs(self, run: _Run) -> None:
        """End the helpers that a released session left behind; never work, which may have begun meanwhile."""
        if not await self._still_to_be_done(run):
            return
        left = self._left(run)
        if any(m.role is Role.BACKEND and m.process.identity in left for m in run.members):
            return
        helpers = frozenset(p.identity for p in self._recipients(run, _SERVING))
        if helpers:
            await self._wait(run, _GRACE, helpers)
        for step in (_LEFT_OVER, _KILL) if run.target.force else (_LEFT_OVER,):
            await self._signal(run, step, self._recipients(run, _SERVING))

    async def _wait(self, run: _Run, step: LadderStep, for_whom: frozenset[Identity]) -> None:
        """Watch until all of `for_whom` are gone or the rung's time is over."""
        began_s = looked_s = self._clock_s()
        while (waited_s := self._clock_s() - began_s) < step.wait_s:
            self._report(run, step, waited_s)
            if not self._guard.alive(for_whom):
                return
            await self._sleep(POLL_S)
            if self._clock_s() - looked_s >= LOOK_FOR_NEW_S:
                looked_s = self._clock_s()
                run.note_new(self._measures.scan(whole=False))

    # -- what is left, what came back -----------------------------------------------------------------------------

    def _identities(self, run: _Run) -> frozenset[Identity]:
        return frozenset(member.process.identity for member in run.members)

    def _freed(self, run: _Run) -> frozenset[Identity]:
        """Return whose end shows that a host's call worked: the backend's, whose helpers then follow."""
        return _identities_of(run, _BACKENDS) or self._identities(run)

    def _wanted(self, run: _Run) -> frozenset[Identity]:
        if run.target.action is Action.END_DUPLICATE:
            return frozenset(m.process.identity for m in run.group.surplus)
        return self._identities(run)

    def _left(self, run: _Run) -> frozenset[Identity]:
        return self._guard.alive(self._wanted(run))

    def _outcome(self, run: _Run) -> Outcome:
        wanted, left = self._wanted(run), self._left(run)
        table = self._measures.scan()
        run.note_new(table)
        gone = [m.process for m in run.members if m.process.identity in wanted - left]
        survivors = (
            *(_survivor(m.process, table) for m in run.members if m.process.identity in left),
            *(_began_meanwhile(p) for p in run.new.values() if (now := table.get(p.identity)) and not now.is_zombie),
        )
        done = Fate.RELEASED if run.target.action is Action.RELEASE else Fate.ENDED
        fate = Fate.SURVIVED if survivors else done
        sentence = _told_of(len(gone), len(survivors), skipped=len(set(run.target.members) - self._identities(run)))
        if run.stopped_by is not None:
            sentence = f"{_not_done(run.target.action, run.stopped_by)}; {sentence}"
            fate = fate if gone else Fate.REFUSED
        if run.inside:
            fate, sentence = _told_inside(run, fate, sentence if run.members else None)
        return Outcome(
            target=run.target,
            fate=fate,
            sentence=sentence,
            reason=run.stopped_by.reason if run.stopped_by is not None else None,
            gone=tuple(process.identity for process in gone),
            survived=survivors,
            came_back_bytes=sum(run.bytes_before.get(p.identity, p.rss_bytes or 0) for p in gone),
            rss_came_back_bytes=sum(p.rss_bytes or 0 for p in gone),
            took_s=self._clock_s() - run.began_s,
            steps=tuple(run.steps),
            resume=run.group.resume,
        )

    def _report(self, run: _Run, step: LadderStep, waited_s: float) -> None:
        number, total = run.position
        run.progress(
            Progress(
                done=number,
                total=total,
                title=run.target.title,
                label=step.label,
                waited_s=waited_s,
                wait_s=step.wait_s,
                came_back_bytes=run.came_back_before,
            )
        )


def _told_inside(run: _Run, fate: Fate, of_processes: str | None) -> tuple[Fate, str]:
    """Say what became of a session in its host's heap; the host's "released" alone is no proof."""
    rest = f"; {of_processes}" if of_processes is not None else ""
    remnant = _is_remnant(run.group)
    if run.said_no is not None:
        said_no = f"{run.said_no}{rest}"
        return Fate.REFUSED, f"Not cleared: {said_no}" if remnant else f"Not released: {said_no}"
    if not run.left_heap and remnant:
        return Fate.SURVIVED, "Its host says that it is cleared, but still lists it"
    if not run.left_heap:
        return Fate.SURVIVED, f"Its host says that it is released, but still holds it{rest}"
    return fate, "Cleared; nothing of it ran" if remnant else f"Released inside its host, which goes on{rest}"


def _is_remnant(group: Group) -> bool:
    return "remnant" in group.flags


def _identities_of(run: _Run, roles: Collection[Role]) -> frozenset[Identity]:
    return frozenset(member.process.identity for member in run.members if member.role in roles)


def _forbidden(target: Target, group: Group | None) -> Outcome | None:
    """Refuse what the plan does not allow, or allows only after a question that was not answered."""
    decision = group.decision(target.action) if group is not None else None
    if group is None or decision is None:
        return _refused(target, Reason.NOT_OURS, "Not done: this cannot be asked of it")
    if target.unattended:
        return _forbidden_without_a_person(target, group, decision)
    if decision.allowed is Allowed.REFUSE or (decision.allowed is Allowed.CONFIRM and not target.confirmed):
        return _refused(target, decision.reason, _not_done(target.action, decision))
    if decision.allowed is Allowed.CONFIRM and target.asked not in (None, decision.reason):
        return _refused(
            target, decision.reason, f"{_not_done(target.action, decision)}, which you were not asked about"
        )
    return None


_OTHERS_KINDS = frozenset({GroupKind.SESSION, GroupKind.INFRA, GroupKind.SHARED_HELPER, GroupKind.MONITOR})


def _as_they_stand(members: Sequence[Member], snapshot: Snapshot, key: str) -> tuple[Member, ...]:
    """Take members as they are by now; one that another session or its host has since is not this action's any more.

    What lost its backend by this action stays in it, as an orphan or as what nobody counts.
    """
    now = {m.process.identity: (each, m) for each in snapshot.groups for m in each.members}
    standing = []
    for member in members:
        each, fresh = now.get(member.process.identity, (None, member))
        if each is None or each.key == key:
            standing.append(replace(fresh, process=member.process))
        elif each.kind not in _OTHERS_KINDS:
            standing.append(replace(member, claim=fresh.claim))
    return tuple(member for member in standing if not member.stays)


_SAID_MEANWHILE = frozenset(
    {
        Reason.OPEN_TURN,
        Reason.BUSY_SUBAGENT,
        Reason.BUSY_BACKGROUND_TASK,
        Reason.WAITING_PERMISSION,
        Reason.ATTACHED_TERMINAL,
        Reason.PENDING_WAKEUP,
        Reason.KEPT,
    }
)
"""Reasons that an action under way does not bring about by itself."""


def _typed_in(target: Target, group: Group) -> Decision | None:
    """Return what a key press in its terminal says, whatever else is known of the session by now."""
    for evidence in group.verdict.evidence if group.verdict is not None else ():
        if evidence.kind is EvidenceKind.TERMINAL_INPUT and evidence.speaks_for is Speaks.PROTECTS:
            reason = Reason.ATTACHED_TERMINAL
            return Decision(action=target.action, allowed=Allowed.CONFIRM, reason=reason, detail=evidence.fact)
    return None


def _is_another_question(target: Target, decision: Decision) -> bool:
    """Say whether between two rungs something speaks against the action that the person was not asked about."""
    if target.action is Action.KILL or decision.allowed is Allowed.ALLOW or decision.reason not in _SAID_MEANWHILE:
        return False
    was_asked = target.confirmed and not target.unattended and target.asked in (None, decision.reason)
    return decision.allowed is Allowed.REFUSE or not was_asked


def _forbidden_without_a_person(target: Target, group: Group, decision: Decision) -> Outcome | None:
    """Refuse what the plan does not allow without a question, or does not allow a policy at all."""
    for each in (decision, group.decision(Action.AUTO_CLEAN)):
        if each is None or each.allowed is not Allowed.ALLOW:
            reason = each.reason if each is not None else Reason.NOT_OURS
            return _refused(target, reason, _not_done(target.action, each or decision))
    return None


def _as_listed(group: Group, target: Target, table: ProcessTable) -> Group:
    """Cut a group down to the processes that were shown and what runs below them."""
    listed = frozenset(target.members)
    members = tuple(
        member
        for member in group.leaving
        if member.process.identity in listed or any(a.identity in listed for a in table.ancestors(member.process))
    )
    return replace(group, members=members)


def _ladder(run: _Run) -> tuple[LadderStep, ...]:
    """Return the rungs: the host's own for a release where it has some, else SIGTERM; SIGKILL only with force."""
    steps = run.group.ladder if run.target.action is Action.RELEASE and run.group.ladder else (_TERM, _KILL)
    return tuple(step for step in steps if step.kind is not StepKind.SIGKILL or run.target.force)


def _refused(target: Target, reason: Reason | None, sentence: str) -> Outcome:
    return Outcome(target=target, fate=Fate.REFUSED, sentence=sentence, reason=reason)


def _not_done(action: Action, decision: Decision) -> str:
    text = decision.detail or SENTENCES[decision.reason]
    reason = f"{text[:1].lower()}{text[1:]}"
    return f"Not released: {reason}" if action is Action.RELEASE else f"Not ended: {reason}"


def _told_of(gone: int, survivors: int, *, skipped: int) -> str:
    sentence = say_n("{n} process gone", "{n} processes gone", gone)
    if survivors:
        sentence = say_n("{n} still runs, {gone}", "{n} still run, {gone}", survivors, gone=sentence)
    if skipped:
        sentence = say_n(
            "{gone}, {n} of those shown had ended before or belongs elsewhere now",
            "{gone}, {n} of those shown had ended before or belong elsewhere now",
            skipped,
            gone=sentence,
        )
    return sentence


def _told(each: Delivered, which: signal.Signals) -> str:
    who = f"{each.process.name} ({each.process.pid})"
    if each.delivery is Delivery.SENT:
        return f"{which.name} to {who}"
    if each.reason is not None:
        return f"{which.name} to {who} withheld: {SENTENCES[each.reason]}"
    return f"{which.name} to {who} not permitted by the system"


def _began_meanwhile(process: Process) -> Survivor:
    return Survivor(identity=process.identity, name=process.name, note="began meanwhile")


def _survivor(process: Process, table: ProcessTable) -> Survivor:
    now = table.get(process.identity)
    notes = {
        ProcessStatus.STOPPED: "stopped, does not react until it is continued",
        ProcessStatus.UNINTERRUPTIBLE: "waits for the system and cannot react",
    }
    note = notes.get(now.status, "still runs") if now is not None else "ended just now"
    return Survivor(identity=process.identity, name=process.name, note=note)
