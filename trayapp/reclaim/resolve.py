"""What became of an action whose program ended in the middle of it, found out by looking.

Pure. Nothing is done again and nothing is claimed that was not seen: which processes are gone, not who ended them.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from trayapp.model.plan import Action
from trayapp.model.process import Identity, ProcessTable
from trayapp.model.receipt import Fate, Outcome, Receipt, Survivor, Target
from trayapp.reclaim.journal import Intent
from trayapp.say import say_n

STEP = "Agent Ring ended in the middle of this; it was looked at afterwards"


def is_abandoned(intent: Intent, table: ProcessTable) -> bool:
    """Say whether the program that carried it out is gone."""
    if intent.actor is None:
        return True
    actor = table.get(intent.actor)
    return actor is None or actor.is_zombie


def resolve(intent: Intent, table: ProcessTable, *, now: datetime, available_bytes: int) -> Receipt:
    """Return the receipt for an action that nobody finished."""
    alive = frozenset(i for i in _members(intent) if (p := table.get(i)) is not None and not p.is_zombie)
    return Receipt(
        receipt_id=intent.receipt_id,
        started_at=intent.started_at,
        finished_at=now,
        origin=intent.origin,
        outcomes=tuple(_outcome(target, alive, table) for target in intent.targets),
        available_before_bytes=available_bytes,
        available_after_bytes=available_bytes,
    )


def _members(intent: Intent) -> frozenset[Identity]:
    return frozenset(identity for target in intent.targets for identity in target.members)


def _outcome(target: Target, alive: Collection[Identity], table: ProcessTable) -> Outcome:
    gone = tuple(identity for identity in target.members if identity not in alive)
    survived = tuple(
        Survivor(identity=i, name=table.processes[i.pid].name, note="still runs") for i in target.members if i in alive
    )
    if not target.members:
        fate, sentence = Fate.SURVIVED, "What became of it inside its host is not known"
    elif survived:
        fate, sentence = (
            Fate.SURVIVED,
            say_n("{n} still runs, {gone} gone", "{n} still run, {gone} gone", len(survived), gone=len(gone)),
        )
    else:
        fate = Fate.RELEASED if target.action is Action.RELEASE else Fate.ENDED
        sentence = say_n("{n} process gone", "{n} processes gone", len(gone))
    return Outcome(target=target, fate=fate, sentence=sentence, gone=gone, survived=survived, steps=(STEP,))
