"""Whether what was released or ended stayed gone, seen by looking again a while later.

Pure. That something runs again is told, whoever started it: a supervisor, its host, or a person.
"""

from __future__ import annotations

from datetime import datetime

from trayapp.model.process import Process, ProcessTable
from trayapp.model.receipt import Fate, Outcome, Receipt, Return
from trayapp.model.session import Role
from trayapp.model.snapshot import Group, Snapshot

LOOK_AFTER_S = 20.0
"""The slowest supervisor that was measured had its worker back within 15 s."""


def returns(receipt: Receipt, snapshot: Snapshot, table: ProcessTable, *, now: datetime) -> tuple[Return, ...]:
    """Return what runs again of that which this action ended."""
    after_s = (now - receipt.finished_at).total_seconds()
    found = []
    for outcome in receipt.outcomes:
        group = snapshot.group(outcome.target.group_key) if _is_gone(outcome) else None
        new = _began_since(outcome, group) if group is not None else ()
        if new:
            found.append(
                Return(
                    receipt_id=receipt.receipt_id,
                    group_key=outcome.target.group_key,
                    title=outcome.target.title,
                    at=now,
                    after_s=after_s,
                    by=_starter(new[0], table),
                    members=tuple(process.identity for process in new),
                )
            )
    return tuple(found)


def _is_gone(outcome: Outcome) -> bool:
    return outcome.fate in (Fate.RELEASED, Fate.ENDED) and bool(outcome.gone)


def _began_since(outcome: Outcome, group: Group) -> tuple[Process, ...]:
    """Return the backends that were not there when the action began."""
    before = {*outcome.target.members, *outcome.gone}
    oldest = max(outcome.gone, key=lambda identity: identity.start).start
    backends = (m.process for m in group.members if m.role is Role.BACKEND)
    return tuple(p for p in backends if p.identity not in before and p.identity.start > oldest)


def _starter(process: Process, table: ProcessTable) -> str | None:
    parent = table.parent(process)
    if parent is None or parent.pid in table.reaper_pids:
        return None
    return f"{parent.name} ({parent.pid})"
