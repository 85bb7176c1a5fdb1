"""A policy keeper on a desk with an injected clock: settings, journal and reclaim are written down, nothing waits."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime

from tests.reclaim.policy_scenes import scene
from tests.rows import NOW_EPOCH_S, UPTIME_S
from trayapp.model.plan import Reason
from trayapp.model.policy import Policy
from trayapp.model.process import Pressure
from trayapp.model.receipt import Fate, Outcome, Receipt, Survivor, Target
from trayapp.model.snapshot import Group, Snapshot
from trayapp.policy_keeper import PolicyKeeper
from trayapp.settings import Settings

GONE = Fate.RELEASED


class Desk:
    """Hold a keeper and what it is given; `act` lets what it has begun end.

    Attributes:
        asked: the targets with their origins, as they were handed to reclaim.
        fate: what becomes of the next ones; an exception is raised.
        held_back: why nothing must be done.
    """

    def __init__(self, *policies: Policy, journal: Sequence[Receipt] = ()) -> None:
        self.epoch_s, self.monotonic_s, self.uptime_s = NOW_EPOCH_S, UPTIME_S, UPTIME_S
        self.settings = Settings().with_policies(policies)
        self.journal = list(journal)
        self.written = True
        self.held_back: str | None = None
        self.begun: list[Callable[[], Awaitable[None]]] = []
        self.asked: list[tuple[Target, str]] = []
        self.fate: Fate | Exception = Fate.RELEASED
        self.updates = 0
        self.reads = 0
        self.local: Callable[[float], datetime] = lambda epoch_s: datetime.fromtimestamp(epoch_s, UTC)
        self.keeper = self.another()

    def another(self) -> PolicyKeeper:
        """Start anew: another keeper on the same files."""
        self.begun = []
        self.keeper = PolicyKeeper(
            settings=lambda: self.settings,
            update=self._use,
            reclaim=self._reclaim,
            submit=self.begun.append,
            receipts=self._receipts,
            now_epoch_s=lambda: self.epoch_s,
            held_back=lambda: self.held_back,
            local=lambda epoch_s: self.local(epoch_s),
        )
        return self.keeper

    def pass_(self, seconds: float, *, asleep: bool = False) -> None:
        """Let time pass; while the machine sleeps, the monotonic clock stands."""
        self.epoch_s += seconds
        self.uptime_s += seconds
        self.monotonic_s += 0.0 if asleep else seconds

    def see(
        self,
        *groups: Group,
        gap: bool = False,
        pressure: Pressure = Pressure.NORMAL,
        kept: frozenset[str] = frozenset(),
    ) -> Snapshot:
        """Take a look and hand it in."""
        seen = scene(
            *groups,
            gap=gap,
            pressure=pressure,
            kept=kept,
            now_epoch_s=self.epoch_s,
            monotonic_s=self.monotonic_s,
            uptime_s=UPTIME_S,
        )
        self.keeper.take(seen)
        return seen

    def watch(self, *groups: Group, for_s: float, every_s: float = 2.0, pressure: Pressure = Pressure.NORMAL) -> None:
        """Look now and then for a while."""
        left_s = for_s
        while left_s > 0:
            self.pass_(min(every_s, left_s))
            left_s -= every_s
            self.see(*groups, pressure=pressure)

    def act(self) -> None:
        """Let what was begun end."""
        while self.begun:
            work = self.begun.pop(0)()
            try:
                work.__await__().__next__()
            except StopIteration:
                continue
            raise AssertionError("it waits for something")

    @property
    def announced(self) -> list[str]:
        return [notice.choice.group_key.partition(":")[2] for notice in self.keeper.notices()]

    @property
    def released(self) -> list[str]:
        return [target.group_key.partition(":")[2] for target, _ in self.asked]

    @property
    def told(self) -> str:
        return "\n".join(map(str, self.keeper.problems))

    def _use(self, settings: Settings) -> None:
        self.updates += 1
        self.settings = settings

    def _receipts(self, limit: int) -> list[Receipt]:
        self.reads += 1
        return sorted(self.journal, key=lambda r: r.finished_at, reverse=True)[:limit]

    async def _reclaim(self, targets: Sequence[Target], origin: str) -> Receipt:
        self.asked.extend((target, origin) for target in targets)
        if isinstance(self.fate, Exception):
            raise self.fate
        told = receipt(*targets, origin=origin, fate=self.fate, at_epoch_s=self.epoch_s, number=len(self.asked))
        if self.written:
            self.journal.append(told)
        return told


def receipt(*targets: Target, origin: str, fate: Fate, at_epoch_s: float, number: int) -> Receipt:
    at = datetime.fromtimestamp(at_epoch_s, UTC)
    left = tuple(Survivor(identity=i, name="agent", note="still runs") for target in targets for i in target.members)
    return Receipt(
        receipt_id=f"{origin}-{number}-{at_epoch_s}",
        started_at=at,
        finished_at=at,
        origin=origin,
        outcomes=tuple(
            Outcome(
                target=target,
                fate=fate,
                sentence="1 still runs" if fate is Fate.SURVIVED else "1 process gone",
                reason=Reason.OPEN_TURN if fate is Fate.REFUSED else None,
                gone=() if fate in (Fate.SURVIVED, Fate.REFUSED) else target.members,
                survived=left if fate is Fate.SURVIVED else (),
            )
            for target in targets
        ),
        available_before_bytes=1,
        available_after_bytes=1,
    )
