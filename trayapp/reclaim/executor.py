"""How an action is carried out: look again, ask the plan again, climb the ladder, watch, write the receipt.

Knows no host: what a rung does is data, host calls go to the adapter by name, signals go through the guard. What a
person saw in a list is only a wish; what is done is decided by a fresh look just before (cases 054, 056).
"""

from __future__ import annotations

import asyncio
import signal
import time
import uuid
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol

from trayapp.hosts.base import CallResult, Host, Surroundings
from trayapp.model.plan import SENTENCES, Action, Allowed, Decision, Reason
from trayapp.model.process import Identity, Machine, Process, ProcessStatus, ProcessTable
from trayapp.model.receipt import Fate, Outcome, Progress, Receipt, Survivor, Target
from trayapp.model.session import LadderStep, Role, SessionFact, SessionKey, StepKind
from trayapp.model.snapshot import Group, Member, Snapshot
from trayapp.reclaim.guard import Delivered, Delivery, Guard
from trayapp.reclaim.journal import Intent, Journal

POLL_S = 0.05
CALL_TIMEOUT_S = 15.0
HELPER_GRACE_S = 2.0
"""How long helpers get to end by themselves (end of their input) before they are asked to."""

_TERM = LadderStep(kind=StepKind.SIGTERM, label="Asked to end", wait_s=5.0)
_KILL = LadderStep(kind=StepKind.SIGKILL, label="Ended at once", wait_s=3.0)
_LEFT_OVER = LadderStep(kind=StepKind.SIGTERM, label="Its helpers are asked to end", wait_s=3.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """Hold what one fresh look found."""

    snapshot: Snapshot
    table: ProcessTable
    facts: Mapping[SessionKey, SessionFact]


class Measures(Protocol):
    """Measure memory; a Probe is one."""

    def footprints(self, identities: Collection[Identity], budget_s: float | None) -> Mapping[Identity, int]: ...

    def machine(self) -> Machine: ...

    def scan(self) -> ProcessTable: ...


@dataclass(slots=True)
class _Run:
    """Follow one target while it is carried out."""

    target: Target
    group: Group
    fact: SessionFact | None
    bytes_before: Mapping[Identity, int]
    began_s: float
    came_back_before: int
    position: tuple[int, int]
    progress: Callable[[Progress], None]
    steps: list[str] = field(default_factory=list)

    @property
    def members(self) -> tuple[Member, ...]:
        return self.group.members


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
    ) -> None:
        self._look = look
        self._guard = guard
        self._measures = measures
        self._journal = journal
        self._hosts = hosts
        self._around = around
        self._clock_s = clock_s
        self._one_at_a_time = asyncio.Lock()
        self.stop_after_current = False

    async def carry_out(self, targets: Sequence[Target], origin: str, progress: Callable[[Progress], None]) -> Receipt:
        """Carry out all targets and return the receipt, which is in the journal by then."""
        async with self._one_at_a_time:
            self.stop_after_current = False
            receipt_id = uuid.uuid4().hex
            started_at = datetime.now(UTC)
            self._journal.write_intent(
                Intent(receipt_id=receipt_id, started_at=started_at, origin=origin, targets=tuple(targets))
            )
            before = self._measures.machine()
            outcomes: list[Outcome] = []
            for number, target in enumerate(targets):
                if self.stop_after_current:
                    outcomes.append(_refused(target, None, "Not begun: stopped by you"))
                    continue
                came_back = sum(outcome.came_back_bytes for outcome in outcomes)
                outcomes.append(await self._one(target, (number, len(targets)), came_back, progress))
            receipt = Receipt(
                receipt_id=receipt_id,
                started_at=started_at,
                finished_at=datetime.now(UTC),
                origin=origin,
                outcomes=tuple(outcomes),
                available_before_bytes=before.memory_available_bytes,
                available_after_bytes=self._measures.machine().memory_available_bytes,
            )
            self._journal.write_receipt(receipt)
            return receipt

    async def _one(
        self, target: Target, position: tuple[int, int], came_back: int, progress: Callable[[Progress], None]
    ) -> Outcome:
        began_s = self._clock_s()
        look = await self._look()
        group = look.snapshot.group(target.group_key)
        refusal = self._changed(target, group) or self._forbidden(target, group)
        if refusal is not None:
            return refusal
        assert group is not None
        identities = [member.process.identity for member in group.members]
        run = _Run(
            target=target,
            group=group,
            fact=look.facts.get(group.session) if group.session is not None else None,
            bytes_before=self._measures.footprints(identities, None),
            began_s=began_s,
            came_back_before=came_back,
            position=position,
            progress=progress,
        )
        await self._climb(run)
        return self._outcome(run)

    # -- may it still be done? ------------------------------------------------------------------------------------

    def _changed(self, target: Target, group: Group | None) -> Outcome | None:
        """Refuse what is no longer what the person saw."""
        alive = self._guard.alive(target.members)
        if not alive:
            return Outcome(target=target, fate=Fate.ALREADY_GONE, sentence="Already gone", reason=Reason.ALREADY_ENDED)
        if group is None or not {m.process.identity for m in group.members} & alive:
            return _refused(target, Reason.IDENTITY_CHANGED, "Not done: its processes belong elsewhere now")
        backends = {m.process.identity for m in group.members if m.role is Role.BACKEND}
        if backends - set(target.members):
            return _refused(
                target, Reason.IDENTITY_CHANGED, "Not done: it runs in a new process since the list was made"
            )
        return None

    def _forbidden(self, target: Target, group: Group | None) -> Outcome | None:
        decision = group.decision(target.action) if group is not None else None
        if decision is None:
            return _refused(target, Reason.NOT_OURS, "Not done: this cannot be asked of it")
        if decision.allowed is Allowed.REFUSE:
            return _refused(target, decision.reason, _not_done(target.action, decision))
        if decision.allowed is Allowed.CONFIRM and not target.confirmed:
            return _refused(target, decision.reason, _not_done(target.action, decision))
        return None

    # -- the ladder -----------------------------------------------------------------------------------------------

    async def _climb(self, run: _Run) -> None:
        for step in self._ladder(run):
            if not self._left(run):
                return
            if step.kind is StepKind.HOST_CALL:
                await self._call(run, step)
            else:
                await self._signal(run, step, self._recipients(run, step))
        if run.target.action is Action.RELEASE:
            await self._end_left_overs(run)

    def _ladder(self, run: _Run) -> tuple[LadderStep, ...]:
        steps = run.group.ladder if run.target.action is Action.RELEASE else (_TERM, _KILL)
        return tuple(step for step in steps if step.kind is not StepKind.SIGKILL or run.target.force)

    def _recipients(self, run: _Run, step: LadderStep) -> list[Process]:
        """Choose who gets a signal, leaves before roots.

        A release asks the backend alone, which ends its own; a surplus backend goes alone; all else goes as a tree.
        """
        members = run.members
        if run.target.action is Action.RELEASE and step.kind is StepKind.SIGTERM:
            members = tuple(m for m in members if m.role is Role.BACKEND) or members
        if run.target.action is Action.END_DUPLICATE:
            members = _surplus_backends(members)
        left = self._left(run)
        table = self._measures.scan()
        chosen = [m.process for m in members if m.process.identity in left]
        return sorted(chosen, key=lambda p: sum(1 for _ in table.ancestors(p)), reverse=True)

    async def _call(self, run: _Run, step: LadderStep) -> None:
        host = self._hosts.get(run.group.host or "")
        if host is None or run.fact is None or step.call is None:
            run.steps.append(f"{step.label}: not possible, the host is not known any more")
            return
        self._report(run, step, 0.0)
        try:
            answer = await asyncio.wait_for(host.call(step.call, run.fact, self._around), CALL_TIMEOUT_S)
        except TimeoutError:
            answer = CallResult(ok=False, message=f"no answer within {CALL_TIMEOUT_S:.0f} s")
        run.steps.append(f"{step.label}: {'done' if answer.ok else 'failed'}, {answer.message}")
        if answer.ok:
            await self._wait(run, step, self._identities(run) if step.frees_processes else frozenset())

    async def _signal(self, run: _Run, step: LadderStep, recipients: Sequence[Process]) -> None:
        which = signal.SIGTERM if step.kind is StepKind.SIGTERM else getattr(signal, "SIGKILL", signal.SIGTERM)
        delivered = self._guard.send(recipients, which)
        run.steps.extend(_told(each, which) for each in delivered if each.delivery is not Delivery.GONE)
        if any(each.delivery is Delivery.SENT for each in delivered):
            await self._wait(run, step, frozenset(process.identity for process in recipients))

    async def _end_left_overs(self, run: _Run) -> None:
        """End the helpers that a released session left behind; never work, which may have begun meanwhile."""
        left = self._left(run)
        if not left or any(m.role is Role.BACKEND and m.process.identity in left for m in run.members):
            return
        await self._wait(
            run, LadderStep(kind=StepKind.SIGTERM, label="Waiting for its helpers", wait_s=HELPER_GRACE_S), left
        )
        helpers = {m.process.identity for m in run.members if m.role in (Role.HELPER, Role.WRAPPER)} & self._left(run)
        if helpers:
            chosen = [p for p in self._recipients(run, _KILL) if p.identity in helpers]
            await self._signal(run, _LEFT_OVER, chosen)

    async def _wait(self, run: _Run, step: LadderStep, for_whom: frozenset[Identity]) -> None:
        """Watch until all of `for_whom` are gone or the rung's time is over; with nobody named wait the time out."""
        began_s = self._clock_s()
        while (waited_s := self._clock_s() - began_s) < step.wait_s:
            self._report(run, step, waited_s)
            if for_whom and not self._guard.alive(for_whom):
                return
            await asyncio.sleep(POLL_S)

    # -- what is left, what came back -----------------------------------------------------------------------------

    def _identities(self, run: _Run) -> frozenset[Identity]:
        return frozenset(member.process.identity for member in run.members)

    def _wanted(self, run: _Run) -> frozenset[Identity]:
        if run.target.action is Action.END_DUPLICATE:
            return frozenset(m.process.identity for m in _surplus_backends(run.members))
        return self._identities(run)

    def _left(self, run: _Run) -> frozenset[Identity]:
        return self._guard.alive(self._wanted(run))

    def _outcome(self, run: _Run) -> Outcome:
        wanted, left = self._wanted(run), self._left(run)
        table = self._measures.scan()
        gone = [m.process for m in run.members if m.process.identity in wanted - left]
        survivors = tuple(_survivor(m.process, table) for m in run.members if m.process.identity in left)
        sentence = f"{len(gone)} process{'es' if len(gone) != 1 else ''} gone"
        if survivors:
            sentence = f"{len(survivors)} still run{'s' if len(survivors) == 1 else ''}, {sentence}"
        done = Fate.RELEASED if run.target.action is Action.RELEASE else Fate.ENDED
        return Outcome(
            target=run.target,
            fate=Fate.SURVIVED if survivors else done,
            sentence=sentence,
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


def _surplus_backends(members: Sequence[Member]) -> tuple[Member, ...]:
    """Return all backends but the current one: the newest (PRECEDENCE A14)."""
    backends = sorted((m for m in members if m.role is Role.BACKEND), key=lambda m: m.process.identity.start)
    return tuple(backends[:-1])


def _refused(target: Target, reason: Reason | None, sentence: str) -> Outcome:
    return Outcome(target=target, fate=Fate.REFUSED, sentence=sentence, reason=reason)


def _not_done(action: Action, decision: Decision) -> str:
    verb = "released" if action is Action.RELEASE else "ended"
    text = decision.detail or SENTENCES[decision.reason]
    return f"Not {verb}: {text[:1].lower()}{text[1:]}"


def _told(each: Delivered, which: signal.Signals) -> str:
    who = f"{each.process.name} ({each.process.pid})"
    if each.delivery is Delivery.SENT:
        return f"{which.name} to {who}"
    if each.reason is not None:
        return f"{which.name} to {who} withheld: {SENTENCES[each.reason]}"
    return f"{which.name} to {who} not permitted by the system"


def _survivor(process: Process, table: ProcessTable) -> Survivor:
    now = table.get(process.identity)
    notes = {
        ProcessStatus.STOPPED: "stopped, does not react until it is continued",
        ProcessStatus.UNINTERRUPTIBLE: "waits for the system and cannot react",
    }
    note = notes.get(now.status, "still runs") if now is not None else "ended just now"
    return Survivor(identity=process.identity, name=process.name, note=note)
