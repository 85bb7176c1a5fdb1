"""What a policy would do now, and what it leaves alone; the same rules for a dry run and for the real thing.

Pure. A policy chooses only among what the plan allows without a person (release, end-orphan or end-duplicate allowed,
and auto-clean as well), in the one order of reclaim.order. Everything that is not known counts against an action.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from trayapp.model.plan import Action, Allowed, Reason
from trayapp.model.policy import Choice, DryRun, Match, Policy, QuietHours, Trigger
from trayapp.model.process import Identity, Pressure, Process
from trayapp.model.receipt import Receipt
from trayapp.model.session import State
from trayapp.model.snapshot import ORPHAN_KINDS, Group, GroupKind, HeapUse, Snapshot
from trayapp.policy_words import fault_of, said_of
from trayapp.reclaim.order import Next, next_to_go
from trayapp.verdict import CONFIRMATIONS_WANTED
from trayapp.wording import duration, memory

HOUR_S = 3600.0
BEAT_S = 60.0
"""After any policy's action memory pressure is given that long to fall."""
HEAP_BEAT_S = 600.0
"""A heap gives back at its next full collection: it is as full as before until then."""
ORIGIN = "policy "
"""Begins Receipt.origin of what a policy did; its name follows."""
MOST_BETWEEN_S = 150.0
"""Snapshots further apart than that are a gap, whatever they say: nobody was shown a notice meanwhile."""
CUT_AT = 15
"""Bytes of a process's name that Linux keeps."""
_SHORT = frozenset({Pressure.WARNING, Pressure.CRITICAL})


Order = Callable[[Snapshot], Sequence[Next]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """Say what a policy did, or tried to do, and when that ended."""

    at_epoch_s: float
    policy: str
    group_key: str
    host: str | None = None
    receipt_id: str = ""


def deeds_of(receipts: Iterable[Receipt]) -> tuple[Deed, ...]:
    """Return what policies did, of all that was done; refused attempts count as well."""
    return tuple(
        Deed(
            at_epoch_s=receipt.finished_at.timestamp(),
            policy=receipt.origin.removeprefix(ORIGIN),
            group_key=outcome.target.group_key,
            host=outcome.target.host,
            receipt_id=receipt.receipt_id,
        )
        for receipt in receipts
        if receipt.origin.startswith(ORIGIN)
        for outcome in receipt.outcomes
    )


def suggested() -> tuple[Policy, ...]:
    """Return policies that a person can add with one click; none of them is on."""
    return (
        Policy(name="idle-4h", trigger=Trigger.IDLE, after_s=4 * HOUR_S),
        Policy(name="most-4", trigger=Trigger.MOST, at_most=4),
        Policy(name="orphans-1h", trigger=Trigger.ORPHANS, after_s=HOUR_S),
        Policy(name="duplicates", trigger=Trigger.DUPLICATES),
        Policy(name="pressure", trigger=Trigger.PRESSURE),
        Policy(name="heap-80", trigger=Trigger.HEAP, over_share=0.8),
    )


def is_quiet(quiet: Sequence[QuietHours], local: datetime) -> QuietHours | None:
    """Return the quiet hours that a wall clock is in; hours that the clock skips are not, repeated ones are twice."""
    minute = local.hour * 60 + local.minute
    for each in quiet:
        over_midnight = each.since_min > each.until_min
        inside = (minute >= each.since_min, minute < each.until_min)
        if any(inside) if over_midnight else all(inside):
            return each
    return None


def dry_run(
    policy: Policy,
    snapshot: Snapshot,
    *,
    now_epoch_s: float,
    local: datetime,
    past: Sequence[Deed] = (),
    orphaned_s: Mapping[Identity, float] | None = None,
    order: Order = next_to_go,
) -> DryRun:
    """Tell what a policy would do now, whether it is on or not.

    `local` is the wall clock where the user lives. `past` is what all policies did in the last hour or longer.
    `orphaned_s` says for how long each process was watched without its session; None = nobody watched, and the age of
    the process stands for it. `order` is reclaim.order's; who tries several policies can keep its answer.
    """
    fault = fault_of(policy)
    if fault is not None:
        return DryRun(policy=policy.name, triggered=False, why=f"It does nothing: {fault}")
    if policy.only_under_pressure and snapshot.machine.pressure not in _SHORT:
        return DryRun(policy=policy.name, triggered=False, why=_no_pressure(snapshot))
    found = _find(policy, snapshot, now_epoch_s=now_epoch_s, past=past, orphaned_s=orphaned_s)
    if isinstance(found, str):
        return DryRun(policy=policy.name, triggered=False, why=found)
    wall = _wall(policy, now_epoch_s=now_epoch_s, local=local, past=past)
    return _chosen(policy, snapshot, found, wall, now_epoch_s=now_epoch_s, order=order)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """Hold one group that a trigger is about: why, and what of its mark an action on it would bring.

    `pool` is the mark that it counts for.
    """

    group: Group
    action: Action
    why: str
    pool: str = ""
    brings: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """Hold what a trigger is about, in any order; `needed` is how much of each pool has to come back (None = all)."""

    why: str
    wanted: tuple[_Wanted, ...]
    needed: Mapping[str, int] | None = None
    at_most: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wall:
    """Say how many actions are left, and why no more."""

    left: int
    why: str


# ---- limits of the policy itself


def _wall(policy: Policy, *, now_epoch_s: float, local: datetime, past: Sequence[Deed]) -> _Wall:
    quiet = is_quiet(policy.quiet, local)
    if quiet is not None:
        until = quiet.until_min % (24 * 60)
        return _Wall(left=0, why=f"Quiet hours until {until // 60:02}:{until % 60:02}")
    # A deed of the future is one from before the clock was set back.
    times = sorted(
        deed.at_epoch_s for deed in past if deed.policy == policy.name and deed.at_epoch_s > now_epoch_s - HOUR_S
    )
    left = max(0, policy.most_an_hour - len(times))
    if left:
        return _Wall(left=left, why=f"At most {policy.most_an_hour} an hour; they come later")
    next_s = times[-policy.most_an_hour] + HOUR_S - now_epoch_s
    return _Wall(left=0, why=f"At most {policy.most_an_hour} an hour; the next in {duration(next_s)}")


def _chosen(
    policy: Policy, snapshot: Snapshot, found: _Found, wall: _Wall, *, now_epoch_s: float, order: Order
) -> DryRun:
    can_go = {(each.group.key, each.decision.action): each for each in order(snapshot)} if wall.left else {}
    ranks = {key: rank for rank, key in enumerate(can_go)}
    wanted = sorted(
        found.wanted,
        key=lambda w: (ranks.get((w.group.key, w.action), len(ranks)), w.group.key, w.action.value),
    )
    choices: list[Choice] = []
    chosen: set[str] = set()
    spared: dict[str, str] = {}
    needed = dict(found.needed) if found.needed is not None else None
    most = found.at_most if found.at_most is not None else len(wanted)
    for each in wanted:
        if each.group.key in chosen:
            continue  # one thing at a time with each
        hindered = _hindered(policy, each, now_epoch_s=now_epoch_s)
        if hindered is not None:
            spared.setdefault(each.group.key, hindered)
            continue
        if len(choices) >= most or (needed is not None and needed.get(each.pool, 0) <= 0):
            continue  # not needed
        going = can_go.get((each.group.key, each.action))
        if len(choices) >= wall.left or going is None:
            spared.setdefault(each.group.key, wall.why)
            continue
        choices.append(_choice(policy, each, going))
        chosen.add(each.group.key)
        if needed is not None:
            # what nobody can estimate is enough for now: the next look tells what it brought
            needed[each.pool] = needed[each.pool] - each.brings if each.brings else 0
    return DryRun(
        policy=policy.name,
        triggered=True,
        why=found.why,
        choices=tuple(choices),
        spared=tuple((key, why) for key, why in spared.items() if key not in chosen),
    )


def _choice(policy: Policy, wanted: _Wanted, going: Next) -> Choice:
    return Choice(
        policy=policy.name,
        group_key=wanted.group.key,
        action=wanted.action,
        title=wanted.group.name,
        host=wanted.group.host,
        bytes=going.bytes,
        why=wanted.why,
    )


# ---- what it is about


def _find(
    policy: Policy,
    snapshot: Snapshot,
    *,
    now_epoch_s: float,
    past: Sequence[Deed],
    orphaned_s: Mapping[Identity, float] | None,
) -> _Found | str:
    """Return what the trigger is about, or in a sentence why it does not apply."""
    groups = [group for group in snapshot.groups if _is_ours(group) and is_meant(policy, group)]
    match policy.trigger:
        case Trigger.IDLE:
            return _idle(policy, groups)
        case Trigger.MOST:
            return _most(policy, groups)
        case Trigger.TOTAL:
            return _total(policy, snapshot, groups)
        case Trigger.PRESSURE:
            return _pressure(snapshot, groups, now_epoch_s=now_epoch_s, past=past)
        case Trigger.HEAP:
            return _heap(policy, snapshot, groups, now_epoch_s=now_epoch_s, past=past)
        case Trigger.ORPHANS:
            return _orphans(policy, snapshot, groups, orphaned_s)
        case Trigger.DUPLICATES:
            return _duplicates(groups)


def _is_ours(group: Group) -> bool:
    """Say whether a policy has anything to do with a group: sessions and orphans that run."""
    return (group.kind is GroupKind.SESSION or group.kind in ORPHAN_KINDS) and "remnant" not in group.flags


def is_meant(policy: Policy, group: Group) -> bool:
    """Say whether a policy that names what it is for is for this group."""
    return not policy.only or any(_matches(match, group, widely=False) for match in policy.only)


def _idle(policy: Policy, groups: Sequence[Group]) -> _Found | str:
    after_s = policy.after_s or 0.0
    long_idle = [(group, idle_s) for group in groups if (idle_s := _idle_s(group)) is not None and idle_s >= after_s]
    if not long_idle:
        return f"No session is idle for longer than {duration(after_s)}"
    return _Found(
        why=f"{_sessions(len(long_idle))} idle for longer than {duration(after_s)}",
        wanted=tuple(
            _Wanted(
                group=group, action=Action.RELEASE, why=f"Idle for {duration(idle_s)}, longer than {duration(after_s)}"
            )
            for group, idle_s in long_idle
        ),
    )


def _idle_s(group: Group) -> float | None:
    if group.kind is not GroupKind.SESSION or group.verdict is None or group.verdict.state is not State.IDLE:
        return None
    return group.verdict.idle_s


def _most(policy: Policy, groups: Sequence[Group]) -> _Found | str:
    """Of each host leave the most recently used; what must not go takes no place and is not replaced by another."""
    at_most = policy.at_most or 0
    wanted: list[_Wanted] = []
    most = 0
    for host in sorted({group.host or "" for group in groups}):
        idle = [g for g in groups if (g.host or "") == host and _is_live_idle(g)]
        idle.sort(key=lambda g: (-(_idle_s(g) or 0.0), -g.leaving_bytes, g.key))
        excepted = {g.key for g in idle if _is_kept(g) or exception_to(policy, g) is not None}
        countable = [g for g in idle if g.key not in excepted]
        beyond = {g.key for g in countable[: max(0, len(countable) - at_most)]}
        most = max(most, len(idle))
        wanted.extend(
            _Wanted(group=group, action=Action.RELEASE, why=_beyond(group, len(idle), at_most))
            for group in idle[: max(0, len(idle) - at_most)]
            if group.key in beyond | excepted
        )
    if not wanted:
        return f"No host has more than {at_most} idle sessions; the most are {most}"
    return _Found(why=f"{_sessions(len(wanted))} beyond the {at_most} of each host that stay", wanted=tuple(wanted))


def _is_live_idle(group: Group) -> bool:
    idle = group.kind is GroupKind.SESSION and group.verdict is not None and group.verdict.state is State.IDLE
    return idle and bool(group.members or group.heap_of is not None)


def _beyond(group: Group, idle: int, at_most: int) -> str:
    used = f"last used {duration(_idle_s(group))} ago" if _idle_s(group) is not None else "used longest ago"
    return f"{idle} sessions of its host are idle, {at_most} stay; this one was {used}"


def _total(policy: Policy, snapshot: Snapshot, groups: Sequence[Group]) -> _Found | str:
    held = snapshot.totals.held_bytes
    total = snapshot.machine.memory_total_bytes
    marks = [policy.over_bytes] if policy.over_bytes is not None else []
    marks += [int(policy.over_share * total)] if policy.over_share is not None and total > 0 else []
    if not marks:
        return "This system does not tell how much memory it has"
    mark = min(marks)
    holds = f"Agents hold {memory(held)}"
    if held <= mark:
        return f"{holds}, not more than {memory(mark)}"
    return _Found(
        why=f"{holds}, more than {memory(mark)}",
        # What a heap gives back does not make its process smaller, so it does not count here.
        wanted=tuple(w for w in _all_in_order(groups, f"{holds}, more than {memory(mark)}") if w.brings),
        needed={"": held - mark},
    )


def _pressure(snapshot: Snapshot, groups: Sequence[Group], *, now_epoch_s: float, past: Sequence[Deed]) -> _Found | str:
    if snapshot.machine.pressure not in _SHORT:
        return _no_pressure(snapshot)
    last_epoch_s = max((deed.at_epoch_s for deed in past), default=None)
    if last_epoch_s is not None and now_epoch_s - last_epoch_s < BEAT_S:
        return f"Memory is short; it waits {duration(BEAT_S)} to see what the last release brought"
    words = f"Memory is short ({snapshot.machine.pressure})"
    return _Found(why=words, wanted=_all_in_order(groups, words), at_most=1)


def _no_pressure(snapshot: Snapshot) -> str:
    if snapshot.machine.pressure is Pressure.UNKNOWN:
        return "This system does not tell if memory is short"
    return "Memory is not short"


def _all_in_order(groups: Sequence[Group], why: str) -> tuple[_Wanted, ...]:
    """Return all that could ever go; in which order tells reclaim.order."""
    wanted: list[_Wanted] = []
    for group in groups:
        if group.kind in ORPHAN_KINDS:
            wanted.append(_Wanted(group=group, action=Action.END_ORPHAN, why=why, brings=group.leaving_bytes))
            continue
        if group.surplus:
            bytes_ = sum(m.process.footprint_bytes or m.process.rss_bytes or 0 for m in group.surplus)
            wanted.append(_Wanted(group=group, action=Action.END_DUPLICATE, why=why, brings=bytes_))
        wanted.append(_Wanted(group=group, action=Action.RELEASE, why=why, brings=group.leaving_bytes))
    return tuple(wanted)


def _heap(
    policy: Policy, snapshot: Snapshot, groups: Sequence[Group], *, now_epoch_s: float, past: Sequence[Deed]
) -> _Found | str:
    share = policy.over_share or 1.0
    fullest = max((heap.share for heap in snapshot.heaps if heap.share is not None), default=None)
    if fullest is None:
        return "No host tells how full its heap is"
    full = [heap for heap in snapshot.heaps if heap.share is not None and heap.share > share]
    if not full:
        return f"No heap is fuller than {_percent(share)}; the fullest is at {_percent(fullest)}"
    waits = [heap for heap in full if _released_there(heap, past, now_epoch_s)]
    open_ = [heap for heap in full if heap not in waits]
    if not open_:
        return "Its heap is full; it waits for its next full collection to see what the last release brought"
    in_heap = {str(heap.identity): heap for heap in open_}
    return _Found(
        why=", ".join(f"The heap of {heap.host} is at {_percent(heap.share or 0)}" for heap in open_)
        + f", more than {_percent(share)}",
        wanted=tuple(
            _Wanted(
                group=group,
                action=Action.RELEASE,
                why=f"Its heap is at {_percent(in_heap[str(group.heap_of)].share or 0)}, more than {_percent(share)}",
                pool=str(group.heap_of),
                brings=group.retained_bytes,
            )
            for group in groups
            if str(group.heap_of) in in_heap
        ),
        needed={name: heap.used_bytes - int(share * (heap.limit_bytes or 0)) for name, heap in in_heap.items()},
    )


def _released_there(heap: HeapUse, past: Sequence[Deed], now_epoch_s: float) -> bool:
    return any(deed.host == heap.host and deed.at_epoch_s > now_epoch_s - HEAP_BEAT_S for deed in past)


def _percent(share: float) -> str:
    return f"{share * 100:.0f}\u202f%"


def _orphans(
    policy: Policy, snapshot: Snapshot, groups: Sequence[Group], orphaned_s: Mapping[Identity, float] | None
) -> _Found | str:
    after_s = policy.after_s or 0.0
    orphans = [group for group in groups if group.kind in ORPHAN_KINDS]
    if not orphans:
        return "There are no orphans"
    old: list[_Wanted] = []
    for group in orphans:
        for_s = _orphaned_s(group, snapshot, orphaned_s)
        if for_s is not None and for_s >= after_s:
            why = f"Its session is gone for {duration(for_s)}, longer than {duration(after_s)}"
            why = (
                f"It is an orphan and {duration(for_s)} old, older than {duration(after_s)}"
                if orphaned_s is None
                else why
            )
            old.append(_Wanted(group=group, action=Action.END_ORPHAN, why=why))
    if not old:
        return f"No orphan is older than {duration(after_s)}"
    return _Found(why=f"{_count(len(old), 'orphan')} older than {duration(after_s)}", wanted=tuple(old))


def _orphaned_s(group: Group, snapshot: Snapshot, orphaned_s: Mapping[Identity, float] | None) -> float | None:
    """Return for how long the last of a group's processes is an orphan, None where that is not known."""
    if not group.members or snapshot.uptime_s is None:
        return None
    age_s = min(snapshot.uptime_s - member.process.start_s for member in group.members)
    if orphaned_s is None:
        return age_s
    return min(age_s, *(orphaned_s.get(member.process.identity, 0.0) for member in group.members))


def _duplicates(groups: Sequence[Group]) -> _Found | str:
    surplus = [group for group in groups if group.surplus]
    if not surplus:
        return "No session has a surplus backend"
    return _Found(
        why=f"{_sessions(len(surplus))} with surplus backends",
        wanted=tuple(
            _Wanted(
                group=group,
                action=Action.END_DUPLICATE,
                why=f"{_count(len(group.surplus), 'surplus backend')}; the session keeps its current one",
            )
            for group in surplus
        ),
    )


def _sessions(count: int) -> str:
    return _count(count, "session")


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


# ---- what it must not do


def _hindered(policy: Policy, wanted: _Wanted, *, now_epoch_s: float) -> str | None:
    """Say in a sentence why a group stays although the trigger is about it; None = nothing hinders."""
    group = wanted.group
    excepted = exception_to(policy, group)
    if excepted is not None:
        return excepted
    for action in (wanted.action, Action.AUTO_CLEAN):
        decision = group.decision(action)
        if decision is None:
            return "Nothing of the kind is done without a person"
        if decision.allowed is not Allowed.ALLOW:
            return decision.sentence
    return _not_sure(group) or _typed(policy, group, now_epoch_s)


def _not_sure(group: Group) -> str | None:
    """Ask once more of the verdict itself what the plan has answered: this is where a mistake would cost most."""
    if "stale" in group.flags or "ambiguous" in group.flags or "unverified" in group.flags:
        return "What is known of it is old or not certain"
    verdict = group.verdict
    if group.kind in ORPHAN_KINDS:
        return None
    if verdict is None or verdict.state is not State.IDLE or verdict.stale_s is not None:
        return "It is not known to be idle"
    return "Idle, not yet confirmed by a second look" if verdict.confirmations < CONFIRMATIONS_WANTED else None


def _typed(policy: Policy, group: Group, now_epoch_s: float) -> str | None:
    if policy.typed_s <= 0:
        return None
    for member in group.members:
        process = member.process
        if process.tty is None and process.tty_input_epoch_s is None:
            continue
        if process.tty_input_epoch_s is None:
            return "Cannot tell when somebody typed in its terminal last"
        ago_s = now_epoch_s - process.tty_input_epoch_s
        if ago_s < policy.typed_s:
            return f"Somebody typed in its terminal {duration(ago_s)} ago"
    return None


def _is_kept(group: Group) -> bool:
    decision = group.decision(Action.AUTO_CLEAN)
    return decision is not None and decision.reason is Reason.KEPT


# ---- exceptions


def exception_to(policy: Policy, group: Group) -> str | None:
    """Say which exception of a policy holds for a group."""
    for match in policy.never:
        if match.folder is not None and not _folders(group):
            return "Its folder is not known, and the policy leaves a folder alone"
        if _matches(match, group, widely=True):
            return f"The policy leaves {said_of(match)} alone"
    return None


def _matches(match: Match, group: Group, *, widely: bool) -> bool:
    """Say whether a match names a group.

    `widely`, for what is to be left alone: in any case of letters, as some file systems have it, and by names that the
    kernel has cut. An exception that holds too often costs nothing, one that is meant to let things go must not.
    """
    fold = str.casefold if widely else str
    if match.session is not None:
        own = group.session.session_id if group.session is not None else group.owner_hint
        return match.session in (group.key, own, f"{group.host}:{own}")
    if match.host is not None:
        return match.host.casefold() == (group.host or "").casefold()
    if match.folder is not None:
        wanted = _parts(fold(match.folder))
        found = [_parts(fold(folder)) for folder in _folders(group)]
        return bool(wanted) and any(parts[: len(wanted)] == wanted for parts in found)
    program = fold(match.program or "")
    return any(
        program in map(fold, _programs(member.process, cut=program if widely else "")) for member in group.members
    )


def _folders(group: Group) -> tuple[str, ...]:
    """Return where a group works: as its host says, and where its processes really are."""
    return tuple(f for f in (group.cwd, *(member.process.cwd for member in group.members)) if f)


def _parts(path: str) -> list[str]:
    parts = ["/"] if path.startswith("/") else []
    return parts + [part for part in path.replace("\\", "/").split("/") if part not in ("", ".")]


def _programs(process: Process, *, cut: str) -> tuple[str, ...]:
    """Return the names that a process runs by, with `cut` where its name can be that one cut at 15 bytes."""
    argv = process.argv or ()
    names = [process.name, process.exe or "", *argv[: 2 if cut else 1]]  # the second can be a script, or anything
    if len(cut) > CUT_AT and cut[:CUT_AT] == process.name.casefold():
        names.append(cut)
    return tuple(name.replace("\\", "/").rpartition("/")[2] for name in names if name)
