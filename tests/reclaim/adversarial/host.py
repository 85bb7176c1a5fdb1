"""The host of a scene: it knows the scene's agents, and answers, claims and does in between what the scene says."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from tests.trees import FakeAgentHost
from trayapp.hosts.base import CallResult, Surroundings
from trayapp.model.process import Identity, Process, ProcessTable
from trayapp.model.session import Claim, ClaimKind, EndsBy, LadderStep, Observation, Role, SessionFact, StepKind

TERM_STEP = LadderStep(kind=StepKind.SIGTERM, label="Asked to end", wait_s=0.4)
KILL_STEP = LadderStep(kind=StepKind.SIGKILL, label="Ended at once", wait_s=0.8)
CALL_STEP = LadderStep(kind=StepKind.HOST_CALL, label="Its host ends it", wait_s=0.4, call="stop")


class StageHost(FakeAgentHost):
    """Know the agents of a scene; what it answers, claims and does in between is the scene's."""

    def __init__(self, ladder: tuple[LadderStep, ...] = (TERM_STEP, KILL_STEP)) -> None:
        super().__init__(ladder=ladder)
        self.claims: list[Callable[[ProcessTable], Claim | None]] = []
        self.during_observe: Callable[[int], None] = lambda _number: None
        self.observed = 0
        self.refusal: str | None = None
        self.shares: set[str] = set()

    def recognise(self, process: Process) -> Claim | None:
        if self.root is not None and str(self.root) not in f"{process.exe} {process.argv}":
            return None
        known, self.root = self.root, None
        try:
            return super().recognise(process)
        finally:
            self.root = known

    async def observe(self, table: ProcessTable, recognised: Sequence[Claim], around: Surroundings) -> Observation:
        self.observed += 1
        self.during_observe(self.observed)
        told = await super().observe(table, recognised, around)
        more = tuple(claim for make in self.claims if (claim := make(table)) is not None)
        return Observation(
            host=told.host, read_epoch_s=told.read_epoch_s, sessions=told.sessions, claims=(*told.claims, *more)
        )

    def answers(self, call: Callable[[SessionFact], Awaitable[CallResult]]) -> None:
        """Have this done when the host is called."""
        self._call = call

    def vouch(
        self,
        identity: Identity,
        *,
        session: str | None,
        role: Role = Role.HELPER,
        kind: ClaimKind = ClaimKind.REGISTRY,
        **more: Any,
    ) -> None:
        """Claim a process for as long as it is there."""
        claim = Claim(
            identity=identity,
            host=self.label.host,
            role=role,
            kind=kind,
            source="the scene",
            session=self.key(session) if session is not None else None,
            **more,
        )
        self.claims.append(lambda table: claim if table.get(identity) is not None else None)

    def keep(self, identity: Identity, *, session: str, ends_by: EndsBy) -> None:
        """Claim a helper that must not get a signal."""
        self.vouch(identity, session=session, kind=ClaimKind.ENVIRONMENT, ends_by=ends_by)
