"""How numbers and states are said to people, the same in every face.

Knows the number formats and the words of the design (memory in units of 1024, two largest units of a duration, a narrow
no-break space before a unit, the true minus sign). Knows no locale: a face that has one hands in its decimal point.
CSV and JSON never go through here.
"""

from __future__ import annotations

from datetime import datetime

from trayapp.model.plan import SENTENCES, Decision, Reason
from trayapp.model.receipt import HeapChange
from trayapp.model.session import Drift, State
from trayapp.model.snapshot import Group, GroupKind, HeapUse
from trayapp.say import noted, say

ABSENT = "–"
"""What is shown where nothing is known; never 0."""

ABOUT = "≈"
"""Stands before an estimate."""

THIN_SPACE = "\u202f"
MINUS = "\u2212"

_MB = 1024**2
_GB = 1024**3

_WITHOUT_VERDICT: dict[GroupKind, str] = {
    GroupKind.SESSION: noted("Cannot tell"),
    GroupKind.ORPHAN_HELPER: SENTENCES[Reason.ORPHAN_CONFIRMED],
    GroupKind.ORPHAN_AGENT: SENTENCES[Reason.ORPHAN_CONFIRMED],
    GroupKind.ORPHAN_WORK: SENTENCES[Reason.ORPHAN_WORK],
    GroupKind.SHARED_HELPER: noted("Used by several sessions"),
    GroupKind.INFRA: noted("Its host's own"),
    GroupKind.NOT_OURS: SENTENCES[Reason.NOT_OURS],
    GroupKind.UNRELATED: SENTENCES[Reason.NOT_OURS],
    GroupKind.ZOMBIE: SENTENCES[Reason.ZOMBIE],
    GroupKind.MONITOR: noted("Agent Ring itself"),
}

_LAST_SEEN: dict[State, str] = {
    State.BUSY: noted("Cannot tell, last seen busy"),
    State.WAITING: noted("Cannot tell, last seen waiting"),
    State.IDLE: noted("Cannot tell, last seen idle"),
    State.ENDED: noted("Cannot tell, last seen ended"),
}


def memory_parts(size_bytes: int, *, decimal_point: str = ".") -> tuple[str, str]:
    """Split a size into its number and its unit, for faces that set them in different type.

    1 GB = 1024³ bytes. One decimal from 0.1 GB to 99.9 GB, none from 100 GB, whole MB below 0.1 GB.
    """
    sign, size = (MINUS, -size_bytes) if size_bytes < 0 else ("", size_bytes)
    if size >= 99.95 * _GB:
        return f"{sign}{size / _GB:.0f}", "GB"
    if size >= 0.1 * _GB:
        return sign + f"{size / _GB:.1f}".replace(".", decimal_point), "GB"
    if 0 < size < 0.5 * _MB:
        return f"{sign}<1", "MB"
    return f"{sign if size else ''}{size / _MB:.0f}", "MB"


def memory(size_bytes: int | None, *, decimal_point: str = ".") -> str:
    """Say a size: "1.2 GB", "58 MB", "−2.6 GB"; "–" where it is not known."""
    if size_bytes is None:
        return ABSENT
    return THIN_SPACE.join(memory_parts(size_bytes, decimal_point=decimal_point))


def percent(cpu_percent: float | None, *, decimal_point: str = ".") -> str:
    """Say a CPU figure (100 = one core): "84.4 %", "0.3 %", "240 %"; "–" where there is none."""
    if cpu_percent is None:
        return ABSENT
    digits = 0 if cpu_percent >= 99.95 else 1
    return f"{cpu_percent:.{digits}f}".replace(".", decimal_point) + THIN_SPACE + "%"


def duration(seconds: float | None) -> str:
    """Say a length of time by its two largest units: "40 s", "12 min", "2 h 14 min", "1 d 3 h"; rounded down."""
    if seconds is None:
        return ABSENT
    whole = max(0, int(seconds))
    if whole < 60:
        return say("{n}\u202fs", n=whole)
    if whole < 3600:
        return say("{n}\u202fmin", n=whole // 60)
    large, small = (whole // 3600, whole % 3600 // 60) if whole < 86400 else (whole // 86400, whole % 86400 // 3600)
    if whole < 86400:
        first, second = say("{n}\u202fh", n=large), say("{n}\u202fmin", n=small)
    else:
        first, second = say("{n}\u202fd", n=large), say("{n}\u202fh", n=small)
    return f"{first} {second}" if small else first


def clock_time(epoch_s: float, *, now_epoch_s: float | None = None) -> str:
    """Say a moment in local time: "14:06", with its date ("2026-11-29 14:06") when `now_epoch_s` is another day."""
    moment = datetime.fromtimestamp(epoch_s)
    if now_epoch_s is not None and moment.date() != datetime.fromtimestamp(now_epoch_s).date():
        return moment.strftime("%Y-%m-%d %H:%M")
    return moment.strftime("%H:%M")


def state_words(group: Group, *, now_epoch_s: float) -> str:
    """Say what a group is doing, as its row shows it; `now_epoch_s` is the wall clock of the snapshot."""
    verdict = group.verdict
    if group.drift is not None and verdict is not None and verdict.state is not State.ENDED:
        return not_understood_words(group.drift)
    if verdict is None or group.kind is not GroupKind.SESSION:
        if "leftover" in group.flags:
            return say(SENTENCES[Reason.LEFT_OVER])
        return say(_WITHOUT_VERDICT[group.kind])
    if verdict.stale_s is not None and verdict.state is not State.UNKNOWN:
        return say(_LAST_SEEN[verdict.state])
    since = verdict.since_epoch_s
    length = None if since is None else duration(now_epoch_s - since)
    match verdict.state:
        case State.BUSY:
            return say("Busy, turn of {time}", time=length) if length else say("Busy")
        case State.WAITING:
            return say("Waiting for you, {time}", time=length) if length else say("Waiting for you")
        case State.IDLE:
            return say("Idle") if verdict.idle_s is None else say("Idle {time}", time=duration(verdict.idle_s))
        case State.ENDED:
            if since is None:
                return say("Ended")
            return say("Ended {time}", time=clock_time(since, now_epoch_s=now_epoch_s))
        case State.UNKNOWN:
            return say("Cannot tell")


def not_understood_words(drift: Drift) -> str:
    """Say that a host is known and what it says is not: "Recognised, not understood (version 2.4)"."""
    if drift.version is None:
        return say("Recognised, not understood")
    return say("Recognised, not understood (version {version})", version=drift.version)


def heap_words(heap: HeapUse, *, decimal_point: str = ".") -> str:
    """Say how full a heap is: "6.3 GB of 8.2 GB (77 %)"; without a limit only what is used."""
    used = memory(heap.used_bytes, decimal_point=decimal_point)
    if heap.share is None:
        return used
    limit = memory(heap.limit_bytes, decimal_point=decimal_point)
    share = f"{heap.share * 100:.0f}{THIN_SPACE}%"
    return say("{used} of {limit} ({share})", used=used, limit=limit, share=share)


def heap_content_words(heap: HeapUse, *, decimal_point: str = ".") -> str:
    """Say what is in a heap: "≈4.1 GB in sessions, ≈3.2 GB can be released now"."""
    sessions, can_go = (
        ABOUT + memory(size, decimal_point=decimal_point) for size in (heap.sessions_bytes, heap.releasable_bytes)
    )
    if not heap.releasable_bytes:
        return say("{size} in sessions", size=sessions)
    return say("{size} in sessions, {can_go} can be released now", size=sessions, can_go=can_go)


def heap_growth_words(heap: HeapUse, *, decimal_point: str = ".") -> str | None:
    """Say how fast a heap fills: "grows 420 MB an hour, full in 5 h"; None where it does not or nothing is known."""
    if heap.growth_bytes_per_h is None or heap.growth_bytes_per_h < _MB:
        return None
    size = memory(round(heap.growth_bytes_per_h), decimal_point=decimal_point)
    if heap.full_in_s is None:
        return say("grows {size} an hour", size=size)
    return say("grows {size} an hour, full in {time}", size=size, time=duration(heap.full_in_s))


def heap_change_words(change: HeapChange, *, decimal_point: str = ".") -> str:
    """Say what a release did to a heap: "Heap 6.3 GB → 1.1 GB", or that its next full collection is still to come."""
    before, after = (memory(size, decimal_point=decimal_point) for size in (change.before_bytes, change.after_bytes))
    if change.collected:
        return say("Heap {before} → {after}", before=before, after=after)
    return say(
        "Heap {before} → {after}; its next full collection has not come within {time}, more comes back then",
        before=before,
        after=after,
        time=duration(change.awaited_s),
    )


def held_in_heap(group: Group, *, decimal_point: str = ".") -> str | None:
    """Say what a session holds in its host's heap, by estimate: "≈120 MB"; None where it lives in none."""
    if group.heap_of is None or group.retained_bytes is None:
        return None
    return ABOUT + memory(group.retained_bytes, decimal_point=decimal_point)


def decision_words(decision: Decision) -> str:
    """Say why something may be done or not, and in how long the answer can change by itself."""
    if decision.eligible_in_s is None:
        return decision.sentence
    sentence, time = decision.sentence, duration(decision.eligible_in_s)
    return say("{sentence}, can be judged in {time}", sentence=sentence, time=time)
