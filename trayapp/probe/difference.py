"""What is different from one scan of a probe to the next, and the table that says so."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import fields
from operator import attrgetter
from typing import Any

from trayapp.model.process import Changes, Process, ProcessTable

FIGURES = ("rss_bytes", "footprint_bytes", "cpu_s", "children_cpu_s", "tty_input_epoch_s")
"""What moves without a process looking different; its status is one too, for as long as it runs."""

_figures = attrgetter(*FIGURES, "status")
_looks = attrgetter(*(f.name for f in fields(Process) if f.name not in (*FIGURES, "status")), "is_zombie")


def first_table(processes: Mapping[int, Process], **values: Any) -> ProcessTable:
    """Return the table of the first scan of a probe, ordered by pid."""
    return ProcessTable(processes=dict(sorted(processes.items())), changes=None, **values)


def next_table(
    last: ProcessTable, read: Mapping[int, Process], gone_pids: Collection[int], **values: Any
) -> ProcessTable:
    """Return the table of the next scan.

    `read` holds who was read anew, by pid; those that are equal to what they were should be the same objects. A pid
    in both `read` and `gone_pids` was given to another process. All others are taken over. Where nothing at all is
    different the new table holds the very same mapping.
    """
    before = last.processes
    appeared, gone, changed, moved = set(), set(), set(), set()
    replaced: dict[int, Process] = {}
    for pid, process in read.items():
        earlier = before.get(pid)
        if earlier is process:
            continue
        replaced[pid] = process
        if earlier is None or earlier.identity != process.identity:
            appeared.add(process.identity)
            if earlier is not None:
                gone.add(earlier.identity)
            continue
        if _looks(earlier) != _looks(process):
            changed.add(process.identity)
        if _figures(earlier) != _figures(process):
            moved.add(process.identity)
    left = [pid for pid in gone_pids if pid not in read and pid in before]
    gone.update(before[pid].identity for pid in left)
    changes = Changes(
        since=last.serial,
        appeared=frozenset(appeared),
        gone=frozenset(gone),
        changed=frozenset(changed),
        moved=frozenset(moved),
    )
    processes = before
    if replaced or left:
        processes = {**before, **replaced}
        for pid in left:
            del processes[pid]
        if any(pid not in before for pid in replaced):
            processes = dict(sorted(processes.items()))
    return last.followed_by(processes, changes, **values)
