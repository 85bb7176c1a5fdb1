"""Thirty simulated days with 200 sessions: limits, grace and rules hold at every moment, and memory stays flat.

The world is written down here, with its own truth: who works, since when, where somebody typed, what is kept. What is
asked of reclaim is held against that truth, not against what the keeper saw. Time is injected; nothing waits.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import pytest

from tests.reclaim.policy_desk import receipt
from tests.reclaim.policy_scenes import DAY, GB, HOUR, LADDER, MIN, orphan, session
from tests.rows import MACHINE, NOW_EPOCH_S, UPTIME_S, evidence, table
from trayapp.model.policy import Match, Policy, QuietHours, Trigger
from trayapp.model.process import Pressure
from trayapp.model.receipt import Fate, Receipt, Target
from trayapp.model.session import EvidenceKind, SessionFact, Speaks, State
from trayapp.model.snapshot import Group, OwnCost, Snapshot, Totals, Verdict
from trayapp.policy_keeper import NOT_NOW_S, PolicyKeeper
from trayapp.reclaim.plan import MIN_AGE_S, Rules, plan
from trayapp.reclaim.policy import ORIGIN
from trayapp.settings import Settings

DAYS = 30
SESSIONS = 200
IDLE_STEP_S = HOUR
"""How coarse idle times are told; never longer than they are."""
NEVER = "/home/ada/never"

POLICIES = (
    Policy(
        name="idle",
        trigger=Trigger.IDLE,
        after_s=4 * HOUR,
        on=True,
        quiet=(QuietHours(since_min=22 * 60, until_min=7 * 60), QuietHours(since_min=12 * 60, until_min=13 * 60)),
        never=(Match(folder=NEVER),),
        most_an_hour=4,
        grace_s=60.0,
    ),
    Policy(
        name="most",
        trigger=Trigger.MOST,
        at_most=25,
        on=True,
        most_an_hour=2,
        grace_s=200.0,
        never=(Match(host="beta"),),
    ),
    Policy(name="pressure", trigger=Trigger.PRESSURE, on=True, most_an_hour=6, grace_s=30.0, typed_s=HOUR),
    Policy(name="orphans", trigger=Trigger.ORPHANS, after_s=HOUR, on=True, most_an_hour=3),
)


@dataclass
class Agent:
    """One session of the world, as it truly is."""

    name: str
    host: str
    cwd: str
    state: State
    since_s: float
    until_s: float
    born_s: float
    typed_s: float | None
    on_terminal: bool
    shown: tuple[object, ...] = ()
    group: Group | None = None

    @property
    def key(self) -> str:
        return f"{self.host}:{self.name}"


class World:
    """Hold the truth, let time pass, and hold every action against it."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.epoch_s, self.awake_s = NOW_EPOCH_S, UPTIME_S
        self.settings = Settings().with_policies(POLICIES)
        self.agents = [self._agent(number) for number in range(SESSIONS)]
        # some are open from the start, the others come
        self.gone = {agent.key: UPTIME_S + self.random.uniform(0, 20 * DAY) for agent in self.agents[70:]}
        self.orphans: dict[str, tuple[Group, float]] = {}
        self.kept: dict[str, float] = {}
        self.pressure_until_s = 0.0
        self.journal: deque[Receipt] = deque(maxlen=400)
        self.deeds: dict[str, deque[float]] = {policy.name: deque() for policy in POLICIES}
        self.shown_since: dict[str, tuple[str, float]] = {}
        self.not_now: dict[str, float] = {}
        self.begun: list[Callable[[], Awaitable[None]]] = []
        self.open: list[tuple[Target, str]] = []
        self.counts: Counter[str] = Counter()
        self.number = 0
        self.keeper = self._start()

    # -- the machine

    def local(self, epoch_s: float) -> datetime:
        """Return the wall clock: an hour back on the tenth day, an hour forth on the twentieth."""
        day = (epoch_s - NOW_EPOCH_S) / DAY
        return datetime.fromtimestamp(epoch_s, UTC) + timedelta(hours=1 if 10 <= day < 20 else 2)

    def pass_(self, seconds: float, *, asleep: bool = False) -> None:
        self.epoch_s += seconds
        self.awake_s += 0 if asleep else seconds

    def _agent(self, number: int) -> Agent:
        return Agent(
            name=f"s{number}",
            host="beta" if number % 5 == 0 else "acme",
            cwd=f"{NEVER}/x" if number % 9 == 0 else "/home/ada/shop",
            state=State.IDLE,
            since_s=UPTIME_S,
            until_s=UPTIME_S + self.random.uniform(0, 12 * HOUR),
            born_s=UPTIME_S,
            typed_s=None,
            on_terminal=number % 3 == 0,
        )

    def live(self) -> None:
        """Let what is due happen: turns begin and end, people type, keep and leave, sessions come back."""
        now_s, dice = self.awake_s, self.random
        for agent in self.agents:
            if agent.key in self.gone:
                if now_s >= self.gone[agent.key]:
                    del self.gone[agent.key]
                    agent.born_s, agent.group = now_s, None
                    self._turn(agent, State.BUSY, dice.uniform(1 * MIN, 20 * MIN))
                continue
            if agent.on_terminal and dice.random() < 0.003:
                agent.typed_s = self.epoch_s
            if now_s < agent.until_s:
                continue
            if agent.state is State.IDLE:
                self._turn(agent, State.BUSY, dice.uniform(2 * MIN, 40 * MIN))
            else:
                after = dice.choices([State.IDLE, State.WAITING, State.UNKNOWN], [12, 1, 1])[0]
                self._turn(
                    agent, after, dice.choice([20 * MIN, 2 * HOUR, 9 * HOUR, 30 * HOUR]) * dice.uniform(0.5, 1.5)
                )
        if dice.random() < 0.05:
            name = f"o{self.number}"
            self.number += 1
            left = orphan(name, age_s=DAY)
            self.orphans[left.key] = (plan(left, table(left.members[0].process), {}, Rules()), now_s)
        if dice.random() < 0.015:
            self.pressure_until_s = now_s + dice.uniform(5 * MIN, HOUR)
        if dice.random() < 0.05:
            kept = dice.choice(self.agents).key
            self.kept[kept] = now_s + dice.uniform(HOUR, DAY)
        self.kept = {key: until_s for key, until_s in self.kept.items() if until_s > now_s}

    def _turn(self, agent: Agent, state: State, for_s: float) -> None:
        agent.state, agent.since_s, agent.until_s = state, self.awake_s, self.awake_s + for_s
        if state is State.BUSY and agent.on_terminal:
            agent.typed_s = self.epoch_s

    # -- what is seen

    def snapshot(self, *, gap: bool) -> Snapshot:
        groups = [self._seen(agent) for agent in self.agents if agent.key not in self.gone]
        groups += [group for group, _ in self.orphans.values()]
        short = self.awake_s < self.pressure_until_s
        held = len(groups) * GB
        return Snapshot(
            taken_at=datetime.fromtimestamp(self.epoch_s, UTC),
            monotonic_s=self.awake_s,
            interval_s=None,
            gap=gap,
            machine=replace(MACHINE, pressure=Pressure.WARNING if short else Pressure.NORMAL),
            instances=(),
            labels=(),
            groups=tuple(groups),
            totals=Totals(
                processes=len(groups),
                sessions=len(groups),
                rss_bytes=held,
                footprint_bytes=held,
                held_bytes=held,
                cpu_percent=None,
                reclaimable_bytes=0,
            ),
            own=OwnCost(rss_bytes=None, footprint_bytes=None, cpu_percent=None),
            uptime_s=UPTIME_S,
        )

    def _seen(self, agent: Agent) -> Group:
        """Return its row with the plan's decisions; made anew only when it looks different."""
        idle_s = (self.awake_s - agent.since_s) // IDLE_STEP_S * IDLE_STEP_S if agent.state is State.IDLE else None
        young = self.awake_s - agent.born_s < MIN_AGE_S
        shown = (agent.state, idle_s, agent.typed_s, agent.key in self.kept, young)
        if agent.group is not None and agent.shown == shown:
            return agent.group
        members = agent.group.members if agent.group is not None else None
        about = session(agent.name, host=agent.host, cwd=agent.cwd, members=members)
        first = about.members[0]
        typed = {"tty": "pts/1", "tty_input_epoch_s": agent.typed_s or 0.0} if agent.on_terminal else {}
        start_s = UPTIME_S - (60.0 if young else DAY)
        process = replace(first.process, start_s=start_s, **typed)  # type: ignore[arg-type]
        told = () if agent.state is State.IDLE else (evidence(EvidenceKind.TURN, Speaks.BUSY),)
        group = replace(
            about,
            members=(replace(first, process=process),),
            verdict=Verdict(
                state=agent.state,
                idle_s=idle_s,
                confirmations=2 if self.awake_s - agent.since_s > 10 else 1,
                evidence=told if agent.state is State.BUSY else (),
            ),
        )
        assert group.session is not None
        facts = {group.session: SessionFact(key=group.session, ladder=LADDER)}
        kept = frozenset(self.kept) & {agent.key}
        agent.shown, agent.group = shown, plan(group, table(process), facts, Rules(kept=kept))
        return agent.group

    def look(self, *, gap: bool = False) -> None:
        self.seen_orphans, self.looked_epoch_s = len(self.orphans), self.epoch_s
        self.keeper.take(self.snapshot(gap=gap))
        assert self.keeper.problems == () or "failed" not in str(self.keeper.problems[0])
        announced = {(n.choice.group_key, n.choice.policy) for n in self.keeper.notices()}
        if gap:
            self.shown_since = {}
        before = self.shown_since
        beginning = {self._key_in_hand()} if self.begun else set()
        self.shown_since = {
            key: before[key] if key in before and before[key][0] == policy else (policy, self.awake_s)
            for key, policy in announced
        } | {key: before[key] for key in beginning if key in before}
        for notice in self.keeper.notices():
            assert notice.due_epoch_s >= self.epoch_s - 1
            assert self.not_now.get(notice.choice.group_key, 0.0) <= self.epoch_s
        self.counts["most announced"] = max(self.counts["most announced"], len(announced))

    def _key_in_hand(self) -> str:
        return self.keeper._acting or ""

    # -- the people

    def somebody_keeps(self) -> None:
        notices = self.keeper.notices()
        if notices and self.random.random() < 0.05:
            key = self.random.choice(notices).choice.group_key
            assert self.keeper.keep(key)
            self.not_now[key] = self.epoch_s + NOT_NOW_S
            self.counts["kept when announced"] += 1
            assert key not in {n.choice.group_key for n in self.keeper.notices()}
        self.not_now = {key: until_s for key, until_s in self.not_now.items() if until_s > self.epoch_s}

    def switch_on_again(self) -> None:
        off = [policy.name for policy in self.settings.policies if not policy.on]
        self.counts["switched itself off"] += len(off)
        assert set(off) == set(self.keeper.switched_off())
        self.settings = self.settings.with_policies(POLICIES)
        assert not self.keeper.problems

    # -- the keeper

    def _start(self) -> PolicyKeeper:
        self.begun, self.shown_since = [], {}
        return PolicyKeeper(
            settings=lambda: self.settings,
            update=self._use,
            reclaim=self._reclaim,
            submit=self.begun.append,
            receipts=lambda limit: list(self.journal)[-limit:][::-1],
            now_epoch_s=lambda: self.epoch_s,
            local=self.local,
        )

    def _use(self, settings: Settings) -> None:
        self.settings = settings

    def crash(self) -> None:
        """End in the middle of whatever runs, and start anew; what was open is resolved by looking."""
        self.counts["crashes"] += 1
        if self.begun and self.random.random() < 0.7:
            target, origin = self._judge_next()
            ends = self.random.random() < 0.6
            if ends:
                self._end(target)
            self.counts["crashes in an action"] += 1
            self._write(target, origin, Fate.RELEASED if ends else Fate.SURVIVED)
        self.not_now = {}  # it was said to the keeper alone
        self.keeper = self._start()

    def _judge_next(self) -> tuple[Target, str]:
        """Run what was begun up to its first signal, where this program ends."""
        self.killed = True
        with pytest.raises(KeyboardInterrupt):
            self.begun.pop(0)().__await__().__next__()
        self.killed = False
        return self.open[-1]

    killed = False
    seen_orphans = 0
    looked_epoch_s = 0.0

    async def _reclaim(self, targets: Sequence[Target], origin: str) -> Receipt:
        (target,) = targets
        self._judge(target, origin.removeprefix(ORIGIN))
        if self.killed:
            self.open = [(target, origin)]
            raise KeyboardInterrupt
        fate = self.random.choices([Fate.RELEASED, Fate.SURVIVED, Fate.REFUSED], [200, 1, 4])[0]
        self.pass_(self.random.uniform(0, 20))
        if fate is Fate.RELEASED:
            self._end(target)
        self.counts[fate] += 1
        return self._write(target, origin, fate)

    def _end(self, target: Target) -> None:
        if self.orphans.pop(target.group_key, None) is None:
            self.gone[target.group_key] = self.awake_s + self.random.choice([10 * MIN, 5 * HOUR, DAY, 3 * DAY])

    def _write(self, target: Target, origin: str, fate: Fate) -> Receipt:
        self.number += 1
        told = receipt(target, origin=origin, fate=fate, at_epoch_s=self.epoch_s, number=self.number)
        self.journal.append(told)
        return told

    def run_begun(self) -> None:
        while self.begun:
            with suppress(StopIteration):
                self.begun.pop(0)().__await__().__next__()
            if self.random.random() < 0.01 and self.journal:
                last = self.journal[-1]
                self.keeper.note_return(last.outcomes[0].target.group_key, last.origin.removeprefix(ORIGIN))

    # -- what must hold

    def _judge(self, target: Target, name: str) -> None:
        policy = next(policy for policy in POLICIES if policy.name == name)
        self.counts[name] += 1
        assert (target.unattended, target.force, target.confirmed) == (True, False, False)
        assert len(self.begun) == 0, "one at a time"
        assert next(each for each in self.settings.policies if each.name == name).on
        done = self.deeds[name]
        while done and done[0] <= self.epoch_s - HOUR:
            done.popleft()
        done.append(self.epoch_s)
        assert len(done) <= policy.most_an_hour
        minute = (wall := self.local(self.epoch_s)).hour * 60 + wall.minute
        assert name != "idle" or (7 * 60 <= minute < 22 * 60 and not 12 * 60 <= minute < 13 * 60)
        assert self.not_now.get(target.group_key, 0.0) <= self.epoch_s
        shown_by, since_s = self.shown_since[target.group_key]
        assert (shown_by, self.awake_s - since_s >= policy.grace_s) == (name, True)
        if target.group_key in self.orphans:
            assert name in ("orphans", "pressure")
            assert name == "pressure" or self.awake_s - self.orphans[target.group_key][1] >= HOUR
            return
        agent = next(agent for agent in self.agents if agent.key == target.group_key)
        assert agent.key not in self.gone
        assert agent.key not in self.kept
        assert agent.state is State.IDLE
        assert self.awake_s - agent.since_s >= 900.0
        assert self.awake_s - agent.born_s >= MIN_AGE_S
        assert agent.typed_s is None or self.epoch_s - agent.typed_s >= policy.typed_s
        if name == "idle":
            assert self.awake_s - agent.since_s >= 4 * HOUR
            assert not agent.cwd.startswith(NEVER)
        elif name == "most":
            assert agent.host != "beta"
            idle = [a for a in self.agents if a.host == agent.host and a.state is State.IDLE and a.key not in self.gone]
            assert len(idle) > 25
            assert sum(a.since_s >= agent.since_s - IDLE_STEP_S for a in idle) > 25
        else:
            assert name == "pressure"
            assert self.awake_s < self.pressure_until_s

    def assert_small(self) -> None:
        keeper = self.keeper
        an_hour = sum(policy.most_an_hour for policy in POLICIES)
        assert len(keeper._announced) <= an_hour
        assert len(keeper._deeds or ()) <= an_hour + 1
        assert len(keeper._learned) <= an_hour + 1
        if any(policy.on for policy in self.settings.policies):
            assert all(end_s > self.looked_epoch_s for end_s in keeper._not_now.values())
        assert len(keeper._orphans or ()) <= self.seen_orphans
        assert len(keeper._real) <= 2 * len(POLICIES)
        assert len(keeper._last) <= len(POLICIES)
        assert len(keeper._stopped) <= len(POLICIES)


def test_thirty_days_with_two_hundred_sessions_break_no_rule_and_grow_nothing() -> None:
    world = World(seed=7)
    world.look()
    while world.epoch_s < NOW_EPOCH_S + DAYS * DAY:
        night = 2 <= world.local(world.epoch_s).hour < 7
        asleep = (night and world.random.random() < 0.9) or world.random.random() < 0.003
        if asleep:
            world.counts["sleeps"] += 1
            world.pass_(world.random.uniform(10 * MIN, 5 * HOUR), asleep=True)
        # looks are close together while anything is announced; while nothing is, they need not be
        world.pass_(world.random.choice([20.0, *[145.0] * 5]) if world.keeper.notices() else 1200.0)
        world.live()
        world.look(gap=asleep and world.random.random() < 0.5)  # a sleep is seen by the clocks, too
        if asleep:
            world.shown_since = {key: (policy, world.awake_s) for key, (policy, _) in world.shown_since.items()}
        world.somebody_keeps()
        if world.random.random() < 0.01 or (world.begun and world.random.random() < 0.05):
            world.crash()
            world.switch_on_again() if world.random.random() < 0.3 else None
        world.run_begun()
        world.assert_small()
        if world.random.random() < 0.003:
            world.switch_on_again()
    counts = world.counts
    assert len(world.orphans) < 40
    assert all(counts[policy.name] > 20 for policy in POLICIES), counts
    assert min(counts[what] for what in ("sleeps", "crashes", "crashes in an action", "kept when announced")) > 10, (
        counts
    )
    assert min(counts[what] for what in ("switched itself off", Fate.REFUSED)) > 2, counts
