"""The first level of every list: hosts, shared helpers, orphans, with their sums.

Knows which group is counted where, so that sidebar, tree and chart show the same numbers and these add up to the
total. Paints nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from trayapp.model.snapshot import ORPHAN_KINDS, Group, GroupKind, Snapshot
from trayapp.say import say
from trayapp.ui.marks import ORPHAN, SHARED, Mark, MarkKind

SHARED_KEY = "shared"
ORPHANS_KEY = "orphans"


def host_key(host: str) -> str:
    """Return the key of a host's branch."""
    return f"host:{host}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """Hold the groups that are counted under one head.

    `host` is None for shared helpers and orphans. `cpu_percent` sums what is known; None = nothing is known.
    `held_is_upper_bound`: at least one group tells RSS only.
    """

    key: str
    title: str
    host: str | None
    groups: tuple[Group, ...]
    held_bytes: int
    held_is_upper_bound: bool
    rss_bytes: int
    cpu_percent: float | None
    processes: int


def branch_key(group: Group) -> str | None:
    """Return the key of the branch that counts this group; None = it is not part of the total."""
    if not group.counts:
        return None
    if group.kind in (GroupKind.SESSION, GroupKind.INFRA) and group.host is not None:
        return host_key(group.host)
    return ORPHANS_KEY if group.kind in ORPHAN_KINDS else SHARED_KEY


_last: tuple[Snapshot | None, tuple[Branch, ...]] = (None, ())
"""Of the snapshot that was asked for last: sidebar and tree ask one after the other. In the UI thread only."""


def branches(snapshot: Snapshot) -> tuple[Branch, ...]:
    """Return the branches that hold something: hosts by rank, shared helpers, orphans."""
    global _last
    if _last[0] is not snapshot:
        _last = (snapshot, _branches(snapshot))
    return _last[1]


def _branches(snapshot: Snapshot) -> tuple[Branch, ...]:
    grouped: dict[str, list[Group]] = {}
    for group in snapshot.groups:
        key = branch_key(group)
        if key is not None:
            grouped.setdefault(key, []).append(group)
    ranked = sorted(snapshot.labels, key=lambda label: (label.rank, label.host))
    known = [(host_key(label.host), label.title, label.host) for label in ranked]
    names = {key for key, _, _ in known}
    foreign = sorted(key for key in grouped if key.startswith("host:") and key not in names)
    heads: list[tuple[str, str, str | None]] = [*known, *((key, key[5:], key[5:]) for key in foreign)]
    heads += [(SHARED_KEY, say("Shared helpers"), None), (ORPHANS_KEY, say("Orphans"), None)]
    return tuple(_branch(key, title, host, grouped[key]) for key, title, host in heads if key in grouped)


def _branch(key: str, title: str, host: str | None, groups: Iterable[Group]) -> Branch:
    held = tuple(groups)
    cpu = [group.cpu_percent for group in held if group.cpu_percent is not None]
    return Branch(
        key=key,
        title=title,
        host=host,
        groups=held,
        held_bytes=sum(group.held_bytes for group in held),
        held_is_upper_bound=any(group.held_is_upper_bound and len(group.members) > 1 for group in held),
        rss_bytes=sum(group.rss_bytes for group in held),
        cpu_percent=sum(cpu) if cpu else None,
        processes=sum(len(group.members) for group in held),
    )


def branch_mark(branch: Branch, snapshot: Snapshot | None) -> Mark:
    """Return the mark of a branch."""
    label = None if snapshot is None else snapshot.label(branch.host)
    if branch.host is not None and label is not None:
        return Mark(MarkKind.HOST, label)
    return ORPHAN if branch.key == ORPHANS_KEY else SHARED
