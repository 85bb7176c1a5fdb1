"""What `agentring doctor` tells: what is found, what is not and why, what cannot be read here, what it all costs."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from trayapp import __version__
from trayapp.hosts import whereabouts
from trayapp.hosts.base import Examined, Host, Surroundings
from trayapp.model.finding import Finding, Standing
from trayapp.model.snapshot import GroupKind, Snapshot

if TYPE_CHECKING:
    from trayapp.hosts.whereabouts import Whereabouts
    from trayapp.reclaim.journal import Intent


def examine(
    snapshot: Snapshot,
    *,
    hosts: Sequence[Host],
    around: Surroundings,
    took_s: float,
    files: Mapping[str, Path],
    unfinished: Sequence[Intent],
) -> list[Finding]:
    """Return all findings after a look that took so long; reads files, and asks adapters for what they can add.

    `files` are the app's own by what they are, `unfinished` actions that were begun and have no receipt.
    """
    where = {host.label.host: whereabouts.look(host, around) for host in hosts}
    looked = [(host.label.title, found) for host in hosts if (found := where[host.label.host]) is not None]
    return [
        Finding(
            topic="Agent Ring",
            standing=Standing.GOOD,
            what=f"{__version__} on Python {platform.python_version()}, {snapshot.machine.platform}",
        ),
        *(finding for host in hosts for finding in _about_host(host, snapshot, where[host.label.host])),
        *(finding for title, found in looked for finding in whereabouts.more_about(title, found)),
        *(finding for host in hosts if isinstance(host, Examined) for finding in host.findings(around)),
        _about_memory(snapshot),
        *(_about_file(topic, path) for topic, path in files.items()),
        *(_about_intent(intent) for intent in unfinished),
        Finding(
            topic="own cost",
            standing=Standing.GOOD,
            what=f"{snapshot.own.tick_ms or 0:.1f} ms CPU for the last look, two looks took {took_s:.1f} s",
        ),
        *(
            Finding(topic=problem.where, standing=Standing.TROUBLE, what=problem.what, mend=problem.mend)
            for problem in snapshot.problems
        ),
    ]


def _about_host(host: Host, snapshot: Snapshot, where: Whereabouts | None) -> Iterator[Finding]:
    """Yield what runs of a host, and what of it is there."""
    label = host.label
    sessions = [g for g in snapshot.groups if g.host == label.host and g.kind is GroupKind.SESSION]
    instances = [i for i in snapshot.instances if i.host == label.host]
    errors = [i.error for i in instances if i.error is not None]
    versions = sorted({i.version for i in instances if i.version is not None})
    if not sessions and not instances:
        what = "does not run now" if where is None else where.said_of_one_that_rests
        yield Finding(topic=label.title, standing=Standing.ABSENT, what=what)
        return
    if errors:
        yield Finding(
            topic=label.title,
            standing=Standing.TROUBLE,
            what=errors[0],
            mend="Its memory is counted, its states are not known; nothing of it is released.",
        )
    else:
        count = f"{len(sessions)} session{'s' if len(sessions) != 1 else ''}"
        found = f"found {', '.join(versions)}, {count}" if versions else f"found, {count}"
        yield Finding(topic=label.title, standing=Standing.GOOD, what=found)
    if where is not None:
        yield Finding(topic=label.title, standing=Standing.GOOD, what=where.said)


def _about_memory(snapshot: Snapshot) -> Finding:
    held = [g for g in snapshot.groups if g.counts]
    unread = sum(g.footprint_bytes is None for g in held)
    if snapshot.footprint_metric is None:
        return Finding(
            topic="memory",
            standing=Standing.TROUBLE,
            what="this system tells resident sizes only",
            mend="Sums are upper bounds and are marked so.",
        )
    if unread:
        return Finding(
            topic="memory",
            standing=Standing.TROUBLE,
            what=f"the {snapshot.footprint_metric} of {unread} of {len(held)} groups could not be read",
            mend="Their resident size is shown instead, as an upper bound.",
        )
    return Finding(topic="memory", standing=Standing.GOOD, what=f"measured as {snapshot.footprint_metric}")


def _about_file(topic: str, path: Path) -> Finding:
    if not path.exists():
        return Finding(topic=topic, standing=Standing.ABSENT, what=f"{path} does not exist yet")
    return Finding(topic=topic, standing=Standing.GOOD, what=f"{path} ({path.stat().st_size} bytes)")


def _about_intent(intent: Intent) -> Finding:
    return Finding(
        topic="journal",
        standing=Standing.TROUBLE,
        what=f"an action of {intent.started_at:%Y-%m-%d %H:%M} UTC was begun and has no receipt: "
        + ", ".join(target.title for target in intent.targets),
        mend="Agent Ring ended in the middle of it; what it was to end may still run, see the sessions.",
    )
