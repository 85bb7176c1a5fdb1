"""Replay a policy over the recorded past: what it would have released when, and what it would have released wrongly.

Pure but for the two doors at the end, which read the history for it. The clock of a replay runs only while something
was measured: sleep is not idleness, and what nobody saw counts for nothing. A release holds until the session works
again in the record; until then what the record says that it held counts as free, so never more than that.

It knows less than a policy does: the history has states, sizes and times, not why a session is idle or what protects
it. What that leaves out is told in `not_simulated`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from heapq import merge
from pathlib import Path

from trayapp.history.queries import heap_series
from trayapp.history.timeline import WORKED_PERCENT, Past, Spell, Track, read_past
from trayapp.model.policy import Policy, Trigger
from trayapp.model.series import GapKind, SeriesQuery
from trayapp.model.session import SessionKey, State
from trayapp.model.snapshot import Group, GroupKind
from trayapp.policy_words import fault_of
from trayapp.reclaim.plan import MIN_AGE_S
from trayapp.reclaim.policy import HOUR_S, MOST_BETWEEN_S, exception_to, is_meant, is_quiet
from trayapp.wording import duration

SOON_S = 1800.0
"""A session that works again within this much time should not have been released."""

THRESHOLDS_S = (300.0, 900.0, 1800.0, 3600.0, 7200.0, 14_400.0, 28_800.0, 86_400.0)

LEAD_S = 86_400.0
"""So much before the range is read too: what was idle when it began may have been so for long."""

UNSEEN_S = 300.0
"""After a longer time without measurements, sleep aside, idleness begins anew: nobody saw what was done in it."""

_JUMP = 3.0
"""So many times the CPU of before makes work of a bucket that ended idle."""

_LEAST_BEAT_S, _MOST_BEAT_S, _BEATS = 60.0, 300.0, 20_000
_HEAP_COLUMNS = 2_000


_MISSING = {
    Trigger.PRESSURE: "memory pressure",
    Trigger.HEAP: "what a session holds inside its host's heap, nor in which heap it lives",
    Trigger.DUPLICATES: "which processes of a session are surplus backends",
}
"""What the history does not hold of what some policies go by."""


class Came(StrEnum):
    """What the record says happened after a release.

    WRONG: it worked again soon. LATER: it worked again, but not soon. ENDED: it ended by itself first, so that nobody
    missed it. RESTED: it did not work again. UNDECIDED: neither, but the record ends too soon to tell.
    """

    WRONG = "wrong"
    LATER = "later"
    ENDED = "ended"
    RESTED = "rested"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """Hold one thing that a policy would have released.

    Attributes:
        bytes: what it held then.
        worked_again_s: how much measured time later it worked again; None = it did not.
        freed_byte_hours: what it would have freed, while it would have.
    """

    at_epoch_s: float
    key: str
    kind: GroupKind
    session_id: str | None
    title: str
    host: str | None
    bytes: int
    worked_again_s: float | None
    freed_byte_hours: float
    came: Came


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """Sum up one day of the local calendar; releases count to the day on which they would have been."""

    day: date
    freed_byte_hours: float
    releases: int
    wrong: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulation:
    """Tell what a policy would have done.

    Attributes:
        covered_s: how much of the range was measured.
        soon_s: within which measured time working again makes a release wrong.
        releases: by time.
        peak_freed_bytes: the most that would have been free at one moment.
        not_simulated: what the history does not hold, each in a sentence that says what follows.
    """

    policy: Policy
    since_epoch_s: float
    until_epoch_s: float
    covered_s: float
    soon_s: float
    releases: tuple[Release, ...]
    peak_freed_bytes: int
    days: tuple[Day, ...]
    not_simulated: tuple[str, ...] = ()

    @property
    def replayed(self) -> bool:
        """Tell whether the history holds what the policy goes by; else there are no releases, and that says nothing."""
        return self.policy.trigger not in _MISSING and fault_of(self.policy) is None

    @property
    def freed_byte_hours(self) -> float:
        return sum(release.freed_byte_hours for release in self.releases)

    @property
    def wrong(self) -> tuple[Release, ...]:
        """Return the releases of what worked again soon."""
        return tuple(release for release in self.releases if release.came is Came.WRONG)

    @property
    def touched(self) -> int:
        """Return how many sessions (or orphans) would have been released, once or more."""
        return len({release.key for release in self.releases})


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepPoint:
    """Tell what a policy would have done with one threshold.

    Attributes:
        threshold_s: the idle time from which it would have released.
        releases, wrong_releases: how many there would have been, and how many of these wrongly.
        touched, wrong: how many sessions that were.
    """

    threshold_s: float
    freed_byte_hours: float
    peak_freed_bytes: int
    releases: int
    wrong_releases: int
    touched: int
    wrong: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """Hold what a policy would have done with several thresholds, by rising threshold."""

    policy: Policy
    since_epoch_s: float
    until_epoch_s: float
    covered_s: float
    soon_s: float
    points: tuple[SweepPoint, ...]
    not_simulated: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Hold what a replay depends on besides the policy.

    Attributes:
        soon_s: as in Simulation.
        idle_after_s: how long a session must be idle to be released at all, as the user's settings say.
        memory_total_bytes: of the machine, for a policy over a share of it; None = not known.
    """

    soon_s: float = SOON_S
    idle_after_s: float = 900.0
    memory_total_bytes: int | None = None


_DEFAULT = Terms()


def simulate(past: Past, policy: Policy, terms: Terms = _DEFAULT) -> Simulation:
    """Replay one policy, whether it is switched on or not, over the part of the past that was asked for."""
    (found,) = _replay(past, [(policy, terms)])
    return found


def sweep(past: Past, policy: Policy, thresholds_s: Sequence[float] = THRESHOLDS_S, terms: Terms = _DEFAULT) -> Sweep:
    """Replay a policy with each of some idle times: its own `after_s`, or the settings' where it has none."""
    rising_s = sorted(thresholds_s)
    has_own = policy.trigger in (Trigger.IDLE, Trigger.ORPHANS)
    runs = _replay(
        past,
        [
            (replace(policy, after_s=each), terms) if has_own else (policy, replace(terms, idle_after_s=each))
            for each in rising_s
        ],
    )
    points = tuple(
        SweepPoint(
            threshold_s=threshold_s,
            freed_byte_hours=run.freed_byte_hours,
            peak_freed_bytes=run.peak_freed_bytes,
            releases=len(run.releases),
            wrong_releases=len(run.wrong),
            touched=run.touched,
            wrong=len({release.key for release in run.wrong}),
        )
        for threshold_s, run in zip(rising_s, runs, strict=True)
    )
    told = list(runs[0].not_simulated) if runs else []
    if policy.trigger is Trigger.IDLE and any(each < terms.idle_after_s for each in rising_s):
        least = duration(terms.idle_after_s)
        told.append(f"The setting idle_after_s is {least}: nothing that is idle for less is released.")
    return Sweep(
        policy=policy,
        since_epoch_s=past.since_epoch_s,
        until_epoch_s=past.until_epoch_s,
        covered_s=_covered_s(past),
        soon_s=terms.soon_s,
        points=points,
        not_simulated=tuple(told),
    )


# ------------------------------------------------------------------------------------------------------- the doors


def simulate_history(
    path: Path, since_epoch_s: float, until_epoch_s: float, policies: Sequence[Policy], terms: Terms = _DEFAULT
) -> tuple[Simulation, ...]:
    """Replay policies over the history at `path`, each as if it were the only one.

    Takes seconds for a week: call it from a thread of a pool. Raises HistoryError.
    """
    longest_s = max([LEAD_S, *(policy.after_s or 0.0 for policy in policies)])
    past = _read(path, since_epoch_s, until_epoch_s, longest_s)
    found = _replay(past, [(policy, terms) for policy in policies])
    return tuple([_with_heaps(path, each) for each in found])


def sweep_history(
    path: Path,
    since_epoch_s: float,
    until_epoch_s: float,
    policy: Policy,
    terms: Terms = _DEFAULT,
    *,
    thresholds_s: Sequence[float] = THRESHOLDS_S,
) -> Sweep:
    """Replay a policy with several idle times over the history at `path`; as simulate_history."""
    past = _read(path, since_epoch_s, until_epoch_s, max([LEAD_S, *thresholds_s]))
    return sweep(past, policy, thresholds_s, terms)


def _read(path: Path, since_epoch_s: float, until_epoch_s: float, lead_s: float) -> Past:
    past = read_past(path, since_epoch_s - lead_s, until_epoch_s)
    return replace(past, since_epoch_s=since_epoch_s)


def _with_heaps(path: Path, found: Simulation) -> Simulation:
    """Say of a policy on heaps, which cannot be replayed, how long it would have had a reason."""
    share = found.policy.over_share
    if found.policy.trigger is not Trigger.HEAP or share is None:
        return found
    heaps = heap_series(
        path,
        SeriesQuery(since_epoch_s=found.since_epoch_s, until_epoch_s=found.until_epoch_s, columns=_HEAP_COLUMNS),
    )
    above = 0
    for used, limit in zip(heaps.layers[::3], heaps.layers[1::3], strict=True):
        pairs = zip(used.memory_bytes, limit.memory_bytes, strict=True)
        above += sum(1 for size, most in pairs if size is not None and most and size > share * most)
    sentence = f"No heap was fuller than {share:.0%} of its limit."
    if above:
        lasted = duration(above * heaps.column_s)
        sentence = f"Heaps were fuller than {share:.0%} of their limit for {lasted}, all of them added up."
    return replace(found, not_simulated=(*found.not_simulated, sentence))


# ------------------------------------------------------------------------------------------------- what is not held


def _not_held(policy: Policy, past: Past, terms: Terms) -> tuple[str, ...]:
    """Say what the history does not hold of what this policy goes by, and what follows."""
    told: list[str] = []
    fault = fault_of(policy)
    if fault is not None:
        return (f"It does nothing: {fault}.",)
    missing = _MISSING.get(policy.trigger)
    if missing is not None:
        return (f"The history does not hold {missing}, so this policy cannot be replayed.",)
    if policy.only_under_pressure:
        told.append("The history does not hold memory pressure: it counts as if there had always been some.")
    if policy.over_share is not None and terms.memory_total_bytes is None:
        told.append("How much memory the machine has is not known here, so a share of it counts as never reached.")
    if any(match.program is not None for match in (*policy.only, *policy.never)):
        told.append("The history does not hold the programs of a session: what names a program matches nothing.")
    if policy.trigger is not Trigger.ORPHANS:
        told.append(
            "The history does not hold what protects an idle session: a scheduled wake-up, an attached view, a key "
            "press in its terminal, a question only its host knows, or that you keep it. The policy would spare these."
        )
    if past.measured and past.measured[0][0] < past.samples_since_s:
        told.append(
            "A turn that began and ended within one minute, and before the last 7 days within 15 minutes, is only "
            "seen where it used enough CPU."
        )
    return tuple(told)


# ------------------------------------------------------------------------------------------------------- the replay

_WORKING = frozenset({State.BUSY, State.WAITING})


def _replay(past: Past, policies: Sequence[tuple[Policy, Terms]]) -> list[Simulation]:
    """Replay policies side by side, none knowing of the others."""
    world = _World(past)
    runs = [_Run(policy, world, terms) for policy, terms in policies]
    world.watch(runs)
    length_s = past.until_epoch_s - past.since_epoch_s
    beat_s = min(_MOST_BEAT_S, max(_LEAST_BEAT_S, length_s / _BEATS))
    next_day_s = before_s = -1.0
    for moment_s in world.beats(beat_s):
        if moment_s - before_s > beat_s + MOST_BETWEEN_S:
            for run in runs:
                run.come_back()
        before_s = moment_s
        if moment_s >= next_day_s:
            day = datetime.fromtimestamp(moment_s).date()
            next_day_s = datetime.combine(day + timedelta(days=1), datetime.min.time()).timestamp()
            for run in runs:
                run.turn_to(day)
        if past.since_epoch_s <= moment_s <= past.until_epoch_s:
            for run in runs:
                run.step(moment_s)
    covered_s = _covered_s(past)
    return [
        Simulation(
            policy=run.policy,
            since_epoch_s=past.since_epoch_s,
            until_epoch_s=past.until_epoch_s,
            covered_s=covered_s,
            soon_s=run.terms.soon_s,
            releases=run.end(),
            peak_freed_bytes=run.peak_kib << 10,
            days=run.days(),
            not_simulated=_not_held(run.policy, past, run.terms),
        )
        for run in runs
    ]


def _covered_s(past: Past) -> float:
    return sum(
        max(0.0, min(until_s, past.until_epoch_s) - max(since_s, past.since_epoch_s))
        for since_s, until_s in past.measured
    )


class _World:
    """Play the record: what every group is like at a moment, whatever a policy would have done.

    Attributes:
        awake_s: the clock, which runs only while something is measured.
        resting: the sessions that have been idle since, longest first; None of their state is known in between.
        can_go: those of them whose state is idle right now.
        orphans: the orphans that can be ended, and since when they are seen.
        born: since when a group is there.
    """

    def __init__(self, past: Past) -> None:
        self.tracks = past.tracks
        self.awake_s = 0.0
        self.resting: dict[int, float] = {}
        self.can_go: set[int] = set()
        self.orphans: dict[int, float] = {}
        self.born: dict[int, float] = {}
        self.held_kib = [0] * len(past.tracks)
        self.total_kib = 0
        self._past = past
        self._cpu: dict[int, float] = {}
        self._runs: Sequence[_Run] = ()
        end_s = past.measured[-1][1] if past.measured else 0.0
        self._events = merge(*(_events(index, track, end_s) for index, track in enumerate(past.tracks)))
        self._next = next(self._events, None)

    def watch(self, runs: Sequence[_Run]) -> None:
        """Tell these of everything that happens."""
        self._runs = runs

    def beats(self, beat_s: float) -> Iterator[float]:
        """Play on to one moment after the other, while something was measured, and yield it."""
        unseen = {
            gap.until_epoch_s
            for gap in self._past.gaps
            if gap.kind is not GapKind.SLEEP and gap.until_epoch_s - gap.since_epoch_s > UNSEEN_S
        }
        for since_s, until_s in self._past.measured:
            began_s = self.awake_s
            self._play(since_s, since_s, began_s)
            if since_s in unseen:
                # the order stays: who was idle for longest was so before too
                self.resting = dict.fromkeys(self.resting, began_s)
            moment_s = since_s
            while moment_s < until_s:
                moment_s = min(until_s, moment_s + beat_s)
                self._play(moment_s, since_s, began_s)
                yield moment_s

    def _play(self, until_s: float, since_s: float, began_s: float) -> None:
        """Let everything up to a moment happen; the clock stood at `began_s` when the stretch began."""
        while self._next is not None and self._next[0] <= until_s:
            at_s, index, spell = self._next
            self.awake_s = began_s + max(0.0, at_s - since_s)
            if spell is None:
                self._goes(index)
            else:
                self._is(index, spell)
            self._next = next(self._events, None)
        self.awake_s = began_s + until_s - since_s

    def _goes(self, index: int) -> None:
        for run in self._runs:
            run.gone(index)
        self.total_kib -= self.held_kib[index]
        self.held_kib[index] = 0
        self.resting.pop(index, None)
        self.can_go.discard(index)
        self.orphans.pop(index, None)
        self.born.pop(index, None)

    def _is(self, index: int, spell: Spell) -> None:
        kind = self.tracks[index].kind
        self.born.setdefault(index, self.awake_s)
        if kind is GroupKind.SESSION:
            self._session_is(index, spell)
        elif kind is GroupKind.ORPHAN_HELPER:
            self.orphans.setdefault(index, self.awake_s)
        before_kib, now_kib = self.held_kib[index], spell.held_bytes >> 10
        for run in self._runs:
            run.holds(index, before_kib, now_kib)
        self.held_kib[index] = now_kib
        self.total_kib += now_kib - before_kib

    def _session_is(self, index: int, spell: Spell) -> None:
        idle = spell.state is State.IDLE
        if spell.state in _WORKING or (idle and self._jumped(index, spell)):
            self.resting.pop(index, None)
            for run in self._runs:
                run.works(index)
        if idle:
            self.resting.setdefault(index, self.awake_s)
            self.can_go.add(index)
            self._cpu[index] = spell.cpu_percent or 0.0
            return
        self.can_go.discard(index)
        self._cpu.pop(index, None)
        if spell.state is State.ENDED:
            self.resting.pop(index, None)

    def _jumped(self, index: int, spell: Spell) -> bool:
        """Tell whether a bucket that ended idle, as the one before it, had a turn inside."""
        before = self._cpu.get(index)
        used = spell.cpu_percent
        if before is None or used is None or spell.since_s >= self._past.samples_since_s:
            return False
        return used >= WORKED_PERCENT and used > _JUMP * before


_Event = tuple[int, int, Spell | None]
"""When, which track, and what it is like from then on; None = it is gone."""


def _events(index: int, track: Track, end_s: float) -> Iterator[_Event]:
    """Yield what happens to a track; what is there when the record ends is not gone."""
    until_s: int | None = None
    for spell in track.spells:
        if until_s is not None and spell.since_s > until_s:
            yield until_s, index, None
        yield spell.since_s, index, spell
        until_s = spell.until_s
    if until_s is not None and until_s < end_s:
        yield until_s, index, None


@dataclass(slots=True)
class _Out:
    """Hold one release that still holds; `kib_s` is what it has freed up to `told_s`."""

    at_epoch_s: float
    at_awake_s: float
    held_kib: int
    bytes: int
    told_s: float
    kib_s: float = 0.0


@dataclass(slots=True, eq=False)
class _Run:
    """Let one policy act on the record.

    Attributes:
        out: what is released now, by track.
        acted: when it acted in the last hour.
        due: what was announced, and when it goes.
    """

    policy: Policy
    world: _World
    terms: Terms
    out: dict[int, _Out] = field(default_factory=dict)
    peak_kib: int = 0
    _freed_kib: int = 0
    _acted: deque[float] = field(default_factory=deque)
    _due: dict[int, float] = field(default_factory=dict)
    _done: list[Release] = field(default_factory=list)
    _days: dict[date, float] = field(default_factory=dict)
    _day: date = date.min
    _may: list[bool] = field(default_factory=list)
    _holds: bool = True

    def __post_init__(self) -> None:
        self._holds = fault_of(self.policy) is None
        self._may = [_may_touch(self.policy, track) for track in self.world.tracks]

    # ---- what happens in the record

    def works(self, index: int) -> None:
        """Take it that a session works: had it been released, it would have been resumed."""
        if index in self.out:
            self._close(index, worked=True, ended=False)

    def gone(self, index: int) -> None:
        """Take it that a group is gone by itself."""
        if index in self.out:
            self._close(index, worked=False, ended=True)

    def holds(self, index: int, before_kib: int, now_kib: int) -> None:
        """Take it that a group holds as much from now on."""
        out = self.out.get(index)
        if out is not None:
            self._settle(out)
            out.held_kib = now_kib
            self._freed_kib += now_kib - before_kib
            self.peak_kib = max(self.peak_kib, self._freed_kib)

    def turn_to(self, day: date) -> None:
        """Begin a day of the calendar."""
        for out in self.out.values():
            self._settle(out)
        self._day = day
        self._days.setdefault(day, 0.0)

    # ---- what the policy does

    def come_back(self) -> None:
        """Forget what was announced, after a break."""
        self._due.clear()

    def step(self, moment_s: float) -> None:
        """Do what the policy does at a moment."""
        if self.policy.quiet and is_quiet(self.policy.quiet, datetime.fromtimestamp(moment_s)) is not None:
            self._due.clear()
            return
        wanted = self._wanted()
        if not wanted:
            self._due.clear()
            return
        if self._due:
            self._due = {index: due_s for index, due_s in self._due.items() if index in wanted}
        while self._acted and self._acted[0] <= moment_s - HOUR_S:
            self._acted.popleft()
        for index in wanted:
            if index not in self._due and len(self._acted) + len(self._due) >= self.policy.most_an_hour:
                continue
            if self._due.setdefault(index, moment_s + self.policy.grace_s) <= moment_s:
                del self._due[index]
                self._acted.append(moment_s)
                self._release(index, moment_s)

    def _release(self, index: int, moment_s: float) -> None:
        world = self.world
        held_kib = world.held_kib[index]
        self.out[index] = _Out(moment_s, world.awake_s, held_kib, held_kib << 10, world.awake_s)
        self._freed_kib += held_kib
        self.peak_kib = max(self.peak_kib, self._freed_kib)

    def _wanted(self) -> Sequence[int]:
        """Return what the policy would have go now, in order."""
        if not self._holds:
            return ()
        match self.policy.trigger:
            case Trigger.IDLE:
                return self._idle()
            case Trigger.ORPHANS:
                return self._old_orphans()
            case Trigger.MOST:
                return self._beyond(self.policy.at_most or 0)
            case Trigger.TOTAL:
                return self._above()
            case Trigger.PRESSURE | Trigger.HEAP | Trigger.DUPLICATES:
                return ()

    def _idle(self) -> list[int]:
        """Return the sessions that are idle for long enough, the longest first, then by what they hold."""
        world, out, may = self.world, self.out, self._may
        latest_s = world.awake_s - max(self.policy.after_s or 0.0, self.terms.idle_after_s)
        found: list[tuple[float, int, str, int]] = []
        for index, since_s in world.resting.items():
            if since_s > latest_s:
                break
            if index not in out and may[index] and index in world.can_go and self._is_old_enough(index):
                found.append((since_s, -world.held_kib[index], world.tracks[index].key, index))
        return [index for *_, index in sorted(found)]

    def _old_orphans(self) -> list[int]:
        world = self.world
        latest_s = world.awake_s - (self.policy.after_s or 0.0)
        found = [
            (since_s, -world.held_kib[index], world.tracks[index].key, index)
            for index, since_s in world.orphans.items()
            if since_s <= latest_s and index not in self.out and self._may[index] and self._is_old_enough(index)
        ]
        return [index for *_, index in sorted(found)]

    def _is_old_enough(self, index: int) -> bool:
        return self.world.awake_s - self.world.born[index] >= MIN_AGE_S

    def _beyond(self, at_most: int) -> list[int]:
        """Return the sessions beyond so many live idle ones of each host; exceptions take no place."""
        world = self.world
        live: dict[str | None, int] = {}
        for index in world.can_go:
            if index not in self.out and self._may[index]:
                host = world.tracks[index].host
                live[host] = live.get(host, 0) + 1
        found: list[int] = []
        for index in self._idle() if any(count > at_most for count in live.values()) else ():
            host = world.tracks[index].host
            if live[host] > at_most:
                live[host] -= 1
                found.append(index)
        return found

    def _above(self) -> list[int]:
        """Return what has to go until all together hold less than they may: orphans first."""
        world, policy, total_bytes = self.world, self.policy, self.terms.memory_total_bytes
        limits = [policy.over_bytes] if policy.over_bytes is not None else []
        if policy.over_share is not None and total_bytes is not None:
            limits.append(int(policy.over_share * total_bytes))
        left_kib = world.total_kib - self._freed_kib
        found: list[int] = []
        if limits and left_kib << 10 > min(limits):
            for index in (*self._old_orphans(), *self._idle()):
                if left_kib << 10 <= min(limits):
                    break
                if world.held_kib[index]:
                    left_kib -= world.held_kib[index]
                    found.append(index)
        return found

    # ---- what comes of it

    def _settle(self, out: _Out) -> None:
        kib_s = out.held_kib * (self.world.awake_s - out.told_s)
        out.kib_s += kib_s
        out.told_s = self.world.awake_s
        self._days[self._day] += kib_s

    def _close(self, index: int, *, worked: bool, ended: bool) -> None:
        out = self.out.pop(index)
        self._settle(out)
        self._freed_kib -= out.held_kib
        track = self.world.tracks[index]
        after_s = self.world.awake_s - out.at_awake_s
        soon = after_s <= self.terms.soon_s
        if worked:
            came = Came.WRONG if soon else Came.LATER
        elif ended or track.kind is not GroupKind.SESSION:
            came = Came.ENDED if ended else Came.RESTED
        else:
            came = Came.UNDECIDED if soon else Came.RESTED
        self._done.append(
            Release(
                at_epoch_s=out.at_epoch_s,
                key=track.key,
                kind=track.kind,
                session_id=track.session_id,
                title=track.title,
                host=track.host,
                bytes=out.bytes,
                worked_again_s=after_s if worked else None,
                freed_byte_hours=_byte_hours(out.kib_s),
                came=came,
            )
        )

    def end(self) -> tuple[Release, ...]:
        """Return all releases; those that still hold end with the record."""
        for index in list(self.out):
            self._close(index, worked=False, ended=False)
        return tuple(sorted(self._done, key=lambda release: (release.at_epoch_s, release.key)))

    def days(self) -> tuple[Day, ...]:
        """Sum up by day, when all is over."""
        of_day: dict[date, list[Release]] = {}
        for release in self._done:
            of_day.setdefault(datetime.fromtimestamp(release.at_epoch_s).date(), []).append(release)
        return tuple(
            Day(
                day=day,
                freed_byte_hours=_byte_hours(kib_s),
                releases=len(of_day.get(day, ())),
                wrong=sum(release.came is Came.WRONG for release in of_day.get(day, ())),
            )
            for day, kib_s in sorted(self._days.items())
        )


def _byte_hours(kib_s: float) -> float:
    return kib_s * 1024 / HOUR_S


# ------------------------------------------------------------------------------------------------------- exceptions


def _may_touch(policy: Policy, track: Track) -> bool:
    """Ask the policy's own rules; the history knows no processes, and so no programs."""
    group = Group(
        key=track.key,
        kind=track.kind,
        host=track.host,
        members=(),
        session=SessionKey(track.host, track.session_id) if track.host and track.session_id else None,
        cwd=track.folder,
    )
    return is_meant(policy, group) and exception_to(policy, group) is None
