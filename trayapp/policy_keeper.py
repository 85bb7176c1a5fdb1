"""The user's policies at work: announce what they choose, wait, look again, act, and stop at the first doubt.

    keeper = PolicyKeeper(
        settings=lambda: core.settings, update=core.update_settings, reclaim=..., submit=monitor.submit,
        receipts=journal.receipts, now_epoch_s=around.now_epoch_s, held_back=...,
    )
    core.subscribe(keeper.take)               # only in a core that ticks by itself
    keeper.notices(), keeper.dry_runs(snapshot), keeper.problems, keeper.switched_off()   # any thread
    keeper.keep(group_key)                    # any thread: "keep it", "not now"
    keeper.note_return(group_key, name)       # worker thread: what policy NAME ended is there again

`take` and what it starts run on the worker thread. One action at a time. Any fault of its own ends all policies for
this run and is told; nothing is ever done because something could not be read.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from trayapp.model.policy import Choice, DryRun, Match, Notice, Policy
from trayapp.model.process import Identity
from trayapp.model.receipt import Fate, Receipt, Target
from trayapp.model.session import Problem
from trayapp.model.snapshot import ORPHAN_KINDS, Snapshot
from trayapp.settings import Settings

if TYPE_CHECKING:
    from trayapp.reclaim.order import Next
    from trayapp.reclaim.policy import Deed

log = logging.getLogger(__name__)

NOT_NOW_S = 3600.0
"""How long nothing is done with what somebody kept when it was announced."""
AFTER_REFUSAL_S = 600.0
"""How long nothing is done with what was refused at the last moment."""
STALE_S = 30.0
"""A snapshot older than that, or a wall clock that moved that far by itself, starts every grace anew."""
MOST_RECEIPTS = 1000
"""Of the journal, the newest; more cannot lie within an hour of one-by-one actions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Announced:
    """Hold what a policy chose, the policy as it was then, and since when it is announced on the monotonic clock."""

    policy: Policy
    choice: Choice
    since_s: float

    @property
    def due_s(self) -> float:
        return self.since_s + self.policy.grace_s


class PolicyKeeper:
    """Carry out the user's policies; does nothing but dry runs until snapshots are handed to `take`.

    `settings` tells those that hold; `update` uses and writes others (any thread).
    `reclaim` carries targets out under an origin, awaited on the worker's loop; `submit` runs a coroutine there.
    `receipts` returns the newest receipts of the journal, newest first, as many as asked for.
    `local` is the wall clock where the user lives, for a time since the epoch.
    `held_back` says in a sentence why nothing must be done now (another program measures, keeps cannot be read).
    """

    def __init__(
        self,
        *,
        settings: Callable[[], Settings],
        update: Callable[[Settings], object],
        reclaim: Callable[[Sequence[Target], str], Awaitable[Receipt]],
        submit: Callable[[Callable[[], Awaitable[None]]], object],
        receipts: Callable[[int], Sequence[Receipt]],
        now_epoch_s: Callable[[], float],
        held_back: Callable[[], str | None] = lambda: None,
        local: Callable[[float], datetime] = datetime.fromtimestamp,
    ) -> None:
        self._settings, self._update = settings, update
        self._reclaim, self._submit, self._receipts = reclaim, submit, receipts
        self._now_epoch_s, self._held_back, self._local = now_epoch_s, held_back, local
        self._lock = threading.Lock()
        self._announced: dict[str, _Announced] = {}
        self._notices: tuple[Notice, ...] = ()
        self._not_now: dict[str, float] = {}
        self._acting: str | None = None
        self._last: Mapping[str, str] = {}
        self._stopped: dict[str, str] = {}
        self._failed: Problem | None = None
        self._deeds: tuple[Deed, ...] | None = None
        self._learned: set[str] = set()
        self._orphans: Mapping[Identity, float] | None = None
        self._monotonic_s: float | None = None
        self._wall_ahead_s: float | None = None
        self._real: Mapping[Policy, Policy] = {}
        self._ordered: tuple[Snapshot, Sequence[Next]] | None = None

    # -- for faces, from any thread -------------------------------------------------------------------------------

    def notices(self) -> tuple[Notice, ...]:
        """Return what is about to be done, what is due first in front."""
        return self._notices

    def keep(self, group_key: str, *, for_s: float = NOT_NOW_S) -> bool:
        """Withdraw what is announced for a group and leave it alone for that long; False when it has begun already."""
        with self._lock:
            self._not_now[group_key] = self._now_epoch_s() + for_s
            self._announced.pop(group_key, None)
            self._notices = tuple(n for n in self._notices if n.choice.group_key != group_key)
            return self._acting != group_key

    def dry_runs(self, snapshot: Snapshot) -> tuple[DryRun, ...]:
        """Return what each of the user's policies would do now, on or off."""
        return tuple(self._dry_run_or_tell(policy, snapshot) for policy in self._settings().policies)

    def switched_off(self) -> Mapping[str, str]:
        """Return by name why policies have switched themselves off."""
        settings = self._settings()
        there = {policy.name for policy in settings.policies}
        return {name: why for name, why in {**settings.stopped, **self._stopped}.items() if name in there}

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Return why policies do nothing that the user has switched on."""
        stopped = tuple(
            Problem(where=f"policy {name}", what=why, mend=f"Switch it on again, or `agentring policies on {name}`")
            for name, why in self.switched_off().items()
        )
        return (self._failed, *stopped) if self._failed is not None else stopped

    # -- with each snapshot, on the worker thread -----------------------------------------------------------------

    def take(self, snapshot: Snapshot) -> None:
        """Take in the next snapshot: announce, withdraw, and begin what is due."""
        if self._failed is not None:
            return
        try:
            self._take(snapshot)
        except Exception as error:
            log.exception("policies failed")
            self._fail(error)

    def note_return(self, group_key: str, name: str) -> None:
        """Switch a policy off because what it ended is there again."""
        title = self._last.get(name, group_key)
        self._stop(name, f"It has switched itself off: what it released came back ({title})")

    def _take(self, snapshot: Snapshot) -> None:
        settings = self._settings()
        self._forget_stopped(settings)
        if not settings.policies:
            self._announce({})
            self._orphans = None
            return
        now_epoch_s = self._now_epoch_s()
        if self._was_away(snapshot, now_epoch_s):
            self._announced = {}
        self._watch_orphans(snapshot)
        if not any(policy.on for policy in settings.policies) or self._held_back() is not None:
            self._announce({})
            return
        if self._deeds is None:
            self._read_journal(now_epoch_s)
            settings = self._settings()
        active = [p for p in settings.policies if p.on and p.name not in self._stopped]
        self._announce(self._chosen(active, snapshot, now_epoch_s), snapshot=snapshot, now_epoch_s=now_epoch_s)
        self._begin_one(snapshot, now_epoch_s)

    def _was_away(self, snapshot: Snapshot, now_epoch_s: float) -> bool:
        """Say whether anything was not seen since the snapshot before: sleep, a pause, a clock that was set."""
        from trayapp.reclaim.policy import MOST_BETWEEN_S

        before_s, ahead_before_s = self._monotonic_s, self._wall_ahead_s
        self._monotonic_s = snapshot.monotonic_s
        self._wall_ahead_s = ahead_s = now_epoch_s - snapshot.monotonic_s
        if snapshot.gap or before_s is None or ahead_before_s is None:
            return True
        if not 0 <= snapshot.monotonic_s - before_s <= MOST_BETWEEN_S:
            return True
        return abs(ahead_s - ahead_before_s) > STALE_S or abs(now_epoch_s - snapshot.taken_at.timestamp()) > STALE_S

    def _watch_orphans(self, snapshot: Snapshot) -> None:
        """Remember since when each process that has no session was seen; only those that are there."""
        known = self._orphans or {}
        self._orphans = {
            member.process.identity: known.get(member.process.identity, snapshot.monotonic_s)
            for group in snapshot.groups
            if group.kind in ORPHAN_KINDS
            for member in group.members
        }

    def _chosen(
        self, policies: Sequence[Policy], snapshot: Snapshot, now_epoch_s: float
    ) -> dict[str, dict[str, tuple[Policy, Choice]]]:
        """Return by group and policy what is chosen now; what somebody kept is left out."""
        with self._lock:
            self._not_now = {key: end_s for key, end_s in self._not_now.items() if end_s > now_epoch_s}
            not_now = frozenset(self._not_now)
        chosen: dict[str, dict[str, tuple[Policy, Choice]]] = {}
        for policy in policies:
            for choice in self._dry_run(policy, snapshot, now_epoch_s).choices:
                if choice.group_key not in not_now:
                    chosen.setdefault(choice.group_key, {})[policy.name] = (policy, choice)
        return chosen

    def _announce(
        self,
        chosen: Mapping[str, Mapping[str, tuple[Policy, Choice]]],
        *,
        snapshot: Snapshot | None = None,
        now_epoch_s: float = 0.0,
    ) -> None:
        """Withdraw what is not chosen any more; announce what is new. A policy that was changed begins anew."""
        now_s = snapshot.monotonic_s if snapshot is not None else 0.0
        with self._lock:
            announced: dict[str, _Announced] = {}
            for key, by_policy in chosen.items():
                before = self._announced.get(key)
                policy, choice = by_policy.get(before.policy.name if before is not None else "", (None, None))
                same = before is not None and policy == before.policy and choice is not None
                if before is not None and choice is not None and same and choice.action is before.choice.action:
                    announced[key] = replace(before, choice=choice)
                else:
                    policy, choice = next(iter(by_policy.values()))
                    announced[key] = _Announced(policy=policy, choice=choice, since_s=now_s)
                if key in self._not_now or key == self._acting:
                    del announced[key]
            self._announced = announced
            self._notices = tuple(
                Notice(choice=each.choice, due_epoch_s=now_epoch_s + max(0.0, each.due_s - now_s))
                for each in sorted(announced.values(), key=lambda each: each.due_s)
            )

    # -- acting ---------------------------------------------------------------------------------------------------

    def _begin_one(self, snapshot: Snapshot, now_epoch_s: float) -> None:
        """Begin the first that is due and still stands; the others wait for a look after it."""
        if self._acting is not None:
            return
        due = [each for each in self._announced.values() if snapshot.monotonic_s >= each.due_s]
        if not due:
            return
        self._read_journal(now_epoch_s)  # another program may have acted under the same policy
        for each in sorted(due, key=lambda each: each.due_s):
            if self._announced.get(each.choice.group_key) is not each:
                continue  # kept, or its policy was stopped
            fresh = self._dry_run(each.policy, snapshot, now_epoch_s).choices
            if each.choice not in fresh:
                continue
            target = self._target(each, snapshot)
            with self._lock:
                if each.choice.group_key in self._not_now or target is None:
                    continue
                self._acting = each.choice.group_key
                del self._announced[each.choice.group_key]
                self._notices = tuple(n for n in self._notices if n.choice.group_key != each.choice.group_key)
            self._submit(partial(self._act, each, target))
            return

    def _target(self, each: _Announced, snapshot: Snapshot) -> Target | None:
        from trayapp.targets import target_of

        group = snapshot.group(each.choice.group_key)
        decision = group.decision(each.choice.action) if group is not None else None
        if group is None or decision is None:
            return None
        return replace(target_of(group, decision, force=each.policy.sigkill), unattended=True)

    async def _act(self, each: _Announced, target: Target) -> None:
        from trayapp.reclaim.policy import ORIGIN

        try:
            receipt = await self._reclaim((target,), f"{ORIGIN}{each.policy.name}")
            self._learn(receipt)
        except Exception as error:
            log.exception("the action of a policy failed")
            self._fail(error)
        finally:
            self._acting = None

    def _learn(self, receipt: Receipt) -> None:
        """Count what was done, once, and stop a policy whose action did not do what it should."""
        from trayapp.reclaim.policy import HOUR_S, ORIGIN, deeds_of

        name = receipt.origin.removeprefix(ORIGIN)
        if receipt.receipt_id not in self._learned:
            self._deeds = (*(self._deeds or ()), *deeds_of((receipt,)))
        self._learned.add(receipt.receipt_id)
        for outcome in receipt.outcomes:
            key = outcome.target.group_key
            self._last = {**self._last, name: outcome.target.title}
            if outcome.fate is Fate.SURVIVED:
                sentence = f"{outcome.target.title}: {outcome.sentence}"
                self._stop(name, f"It has switched itself off: what it released is still there ({sentence})")
            elif outcome.fate is Fate.REFUSED:
                with self._lock:
                    end_s = self._now_epoch_s() + AFTER_REFUSAL_S
                    self._not_now[key] = max(self._not_now.get(key, 0.0), end_s)
        newest_s = self._now_epoch_s()
        self._deeds = tuple(deed for deed in self._deeds or () if deed.at_epoch_s > newest_s - HOUR_S)
        self._learned &= {deed.receipt_id for deed in self._deeds}

    def _read_journal(self, now_epoch_s: float) -> None:
        """Take over what policies did in the last hour, in earlier runs and in other programs."""
        from trayapp.reclaim.policy import HOUR_S, ORIGIN, deeds_of

        recent = [
            receipt
            for receipt in self._receipts(MOST_RECEIPTS)
            if receipt.origin.startswith(ORIGIN) and receipt.finished_at.timestamp() > now_epoch_s - HOUR_S
        ]
        own = [deed for deed in self._deeds or () if deed.at_epoch_s > now_epoch_s - HOUR_S]
        written = {receipt.receipt_id for receipt in recent}
        first, new = self._deeds is None, [r for r in reversed(recent) if r.receipt_id not in self._learned]
        self._deeds = (*deeds_of(recent), *(deed for deed in own if deed.receipt_id not in written))
        self._learned = {deed.receipt_id for deed in self._deeds}
        if first:  # of what was before this run, only how each policy ended counts
            new = list({receipt.origin: receipt for receipt in new}.values())
        for receipt in new:
            self._learn(receipt)

    # -- stopping -------------------------------------------------------------------------------------------------

    def _stop(self, name: str, why: str) -> None:
        """Let a policy do nothing more until the user switches it on again."""
        self._stopped[name] = why
        with self._lock:
            self._announced = {key: each for key, each in self._announced.items() if each.policy.name != name}
            self._notices = tuple(n for n in self._notices if n.choice.policy != name)
        settings = self._settings()
        if any(policy.name == name for policy in settings.policies):
            self._update(settings.with_policy_stopped(name, why))
        self._forget_stopped(self._settings())

    def _forget_stopped(self, settings: Settings) -> None:
        """Leave it to the settings what is off, once they say so; then the user can switch it on again."""
        said = {policy.name for policy in settings.policies if policy.on}
        self._stopped = {name: why for name, why in self._stopped.items() if name in said}

    def _fail(self, error: Exception) -> None:
        self._failed = Problem(
            where="policies",
            what=f"working them out failed ({type(error).__name__}); none of them does anything until the next start",
            mend="Start Agent Ring anew, and report it if it comes again (`agentring record`)",
        )
        with self._lock:
            self._announced, self._notices = {}, ()

    # -- dry runs -------------------------------------------------------------------------------------------------

    def _dry_run_or_tell(self, policy: Policy, snapshot: Snapshot) -> DryRun:
        try:
            return self._dry_run(policy, snapshot, self._now_epoch_s())
        except Exception as error:
            log.exception("a dry run failed")
            why = f"It does nothing: what it would do could not be worked out ({type(error).__name__})"
            return DryRun(policy=policy.name, triggered=False, why=why)

    def _dry_run(self, policy: Policy, snapshot: Snapshot, now_epoch_s: float) -> DryRun:
        from trayapp.reclaim.policy import deeds_of, dry_run

        orphans, deeds = self._orphans, self._deeds
        return dry_run(
            self._with_real_folders(policy),
            snapshot,
            now_epoch_s=now_epoch_s,
            local=self._local(now_epoch_s),
            past=deeds if deeds is not None else deeds_of(self._receipts(MOST_RECEIPTS)),
            order=self._order,
            orphaned_s=None
            if orphans is None
            else {i: snapshot.monotonic_s - since_s for i, since_s in orphans.items()},
        )

    def _order(self, snapshot: Snapshot) -> Sequence[Next]:
        """Return in which order things would go, worked out once for all policies."""
        from trayapp.reclaim.order import next_to_go

        kept = self._ordered
        if kept is None or kept[0] is not snapshot:
            self._ordered = kept = (snapshot, next_to_go(snapshot))
        return kept[1]

    def _with_real_folders(self, policy: Policy) -> Policy:
        """Let an exception for a folder hold for where its links lead as well; links are followed once per policy."""
        real = self._real.get(policy)
        if real is None:
            real = replace(policy, only=_and_real(policy.only), never=_and_real(policy.never))
            current = self._settings().policies
            self._real = {**{p: r for p, r in self._real.items() if p in current}, policy: real}
        return real


def _and_real(matches: Sequence[Match]) -> tuple[Match, ...]:
    real = tuple(Match(folder=os.path.realpath(each.folder)) for each in matches if each.folder is not None)
    return (*matches, *(each for each in real if each not in matches))
