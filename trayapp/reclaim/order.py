"""In which order things would go, and why in that order; the same for every face and every policy.

Pure. First what nobody can miss (orphans), then surplus backends of sessions that keep one, then idle sessions, the
least recently used first. What is equal goes by what it gives back.
"""

from __future__ import annotations

from dataclasses import dataclass

from trayapp.model.plan import Action, Allowed, Decision
from trayapp.model.snapshot import ORPHAN_KINDS, Group, Snapshot
from trayapp.wording import duration


@dataclass(frozen=True, slots=True, kw_only=True)
class Next:
    """Hold one thing that can go now without a question.

    Attributes:
        decision: what would be done with it.
        bytes: what is expected to come back, here and in its host's heap.
        why: why it stands where it stands, in a sentence.
    """

    group: Group
    decision: Decision
    bytes: int
    why: str


def next_to_go(snapshot: Snapshot) -> tuple[Next, ...]:
    """Return what can go now without a question, first what would go first."""
    found = [each for group in snapshot.groups if group.counts for each in _offers(group)]
    return tuple(each for _, each in sorted(found, key=lambda f: f[0]))


def _offers(group: Group) -> list[tuple[tuple[int, float, int, str], Next]]:
    if group.kind in ORPHAN_KINDS:
        offers = [(0, Action.END_ORPHAN, "Its session is gone, so nobody can miss it")]
    else:
        idle_s = group.verdict.idle_s if group.verdict is not None else None
        last_used = f"Idle for {duration(idle_s)}; the longest goes first" if idle_s is not None else "Idle"
        offers = [(2, Action.RELEASE, last_used)]
    if group.surplus:
        surplus = "1 surplus backend" if len(group.surplus) == 1 else f"{len(group.surplus)} surplus backends"
        offers.insert(0, (1, Action.END_DUPLICATE, f"{surplus}; the session keeps its current one"))
    return [
        (
            (rank, -_idle_s(group), -_bytes(group, action), group.key),
            Next(group=group, decision=decision, bytes=_bytes(group, action), why=why),
        )
        for rank, action, why in offers
        if (decision := group.decision(action)) is not None and decision.allowed is Allowed.ALLOW
    ]


def _idle_s(group: Group) -> float:
    return (group.verdict.idle_s if group.verdict is not None else None) or 0.0


def _bytes(group: Group, action: Action) -> int:
    if action is not Action.END_DUPLICATE:
        return group.leaving_bytes + (group.retained_bytes or 0)
    bounded = group.footprint_bytes is None
    processes = [member.process for member in group.surplus]
    return sum((p.rss_bytes if bounded else p.footprint_bytes) or 0 for p in processes)
