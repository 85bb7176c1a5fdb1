"""What one row of the popover's list says: a session or the orphans, as values made by pure functions.

Knows no widget, no order, and not what a click does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from trayapp import targets, wording
from trayapp.model.receipt import Fate, Outcome, Progress
from trayapp.model.session import State
from trayapp.model.snapshot import Group, Snapshot
from trayapp.say import say, say_n, told
from trayapp.targets import Offer
from trayapp.ui import heap_view, numbers
from trayapp.ui.marks import ORPHAN, Mark, StateShape, mark_of, state_shape
from trayapp.ui.resume_button import can_resume

if TYPE_CHECKING:
    from trayapp.ui.bridge import Resume

ORPHANS_KEY = "Orphans"
"""The key of the row of all orphans, and of their segment of the ring; the same in every language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowView:
    """Hold all that a row shows.

    `word` stands on the button in place of the offer's own; `why` says why nothing better is offered. `share` is how
    far a release is, None where none runs. `tone` is the second line's colour token. `kept` says in words that the
    session is kept. A row with a menu shows "•••" while it is pointed at.
    """

    key: str
    mark: Mark
    title: str
    words: str
    shape: StateShape | None = None
    tone: str = "sec"
    strong: bool = False
    memory: str = ""
    cpu: str = ""
    offer: Offer = Offer.NONE
    word: str = ""
    why: str = ""
    share: float | None = None
    spark: Sequence[float | None] = field(default=())
    kept: str = ""
    has_menu: bool = False

    @property
    def said(self) -> str:
        """Return the second line."""
        return ", ".join(part for part in (self.words, self.kept) if part)

    @property
    def button(self) -> str:
        """Return the word on the button, "" where there is none."""
        return self.word or self.offer.word

    @property
    def spoken(self) -> str:
        """Return title, host, state, memory and CPU for a screen reader."""
        parts = [self.title, self.mark.name, self.said, self.memory, self.cpu]
        return ", ".join(part for part in parts if part)

    @property
    def button_spoken(self) -> str:
        """Return what the button does, to what, and how much comes back."""
        if self.offer in (Offer.WHY, Offer.OPEN, Offer.STOP) or not self.memory:
            return say("{verb} {title}", verb=self.button.rstrip("…?"), title=self.title)
        return say("{verb} {title}, about {size}", verb=self.button.rstrip("…"), title=self.title, size=self.memory)


WORTH_TELLING_PERCENT = 1.0
"""What orphans use of a core is only told from here on: the row is narrow, and they mostly sleep."""

BY_KEY = (Offer.RELEASE, Offer.ASK, Offer.END, Offer.END_IT, Offer.CLEAR)
"""What the key R presses."""


def session_view(group: Group, snapshot: Snapshot) -> RowView:
    """Return what the row of a session shows while nothing is done with it."""
    state = group.verdict.state if group.verdict is not None else State.UNKNOWN
    stale = group.verdict is not None and group.verdict.stale_s is not None
    waits = state is State.WAITING and not stale
    offer = targets.offer_of(group)
    remnant = "remnant" in group.flags and not group.members
    return RowView(
        key=group.key,
        mark=mark_of(group, snapshot),
        title=group.name,
        words=wording.state_words(group, now_epoch_s=snapshot.taken_at.timestamp()),
        shape=StateShape.UNKNOWN if stale else state_shape(group),
        tone="ink" if waits else "sec",
        strong=waits,
        memory="" if remnant else heap_view.held_words(group),
        cpu=_cpu_words(group.cpu_percent) if group.members else "",
        offer=Offer.OPEN if waits and offer is Offer.NONE else offer,
        why=_reason(group) if offer is Offer.WHY else "",
    )


def _cpu_words(cpu_percent: float | None) -> str:
    return say("{share} CPU", share=numbers.percent(cpu_percent))


def _reason(group: Group) -> str:
    decision = targets.decision_of(group)
    return wording.decision_words(decision) if decision is not None else ""


def orphans_view(groups: Sequence[Group]) -> RowView:
    """Return what the row of the orphans shows: what they are, and how many can be ended."""
    can_end = sum(targets.offer_of(group) is Offer.END for group in groups)
    used = sum(group.cpu_percent or 0.0 for group in groups)
    leaked = sum(any(m.claim is not None and m.claim.leaked for m in group.members) for group in groups)
    return RowView(
        key=ORPHANS_KEY,
        mark=ORPHAN,
        title=", ".join(dict.fromkeys(group.name for group in groups)),
        words=_gone_words(len(groups) - leaked, leaked),
        shape=StateShape.GONE,
        memory=numbers.memory(targets.total_bytes(groups)),
        cpu=_cpu_words(used) if used >= WORTH_TELLING_PERCENT else "",
        offer=Offer.END if can_end else Offer.NONE,
        word=say_n("End {n} orphan…", "End {n} orphans…", can_end) if can_end else "",
    )


def _gone_words(gone: int, leaked: int) -> str:
    if not leaked:
        return say_n("Its session is gone", "Their sessions are gone", gone)
    if not gone:
        return say_n("Nothing can reach it any more", "Nothing can reach them any more", leaked)
    return say("{gone} without a session, {leaked} that nothing can reach", gone=gone, leaked=leaked)


def releasing_view(before: RowView, progress: Progress | None) -> RowView:
    """Return the row while its release runs, or waits for the one before it."""
    row = replace(_bare(before), memory=before.memory, share=0.0)
    if progress is None:
        return replace(row, words=say("Releasing, waits for the one before it"))
    waited, wait = wording.duration(progress.waited_s), wording.duration(progress.wait_s)
    share = progress.waited_s / progress.wait_s if progress.wait_s else 0.0
    if heap_view.is_collecting(progress):
        words = say("Heap is awaited, {waited} of {wait}", waited=waited, wait=wait)
        return replace(row, words=words, share=share, offer=Offer.STOP)
    words = say("Releasing, {waited} of {wait}", waited=waited, wait=wait) if progress.wait_s else say("Releasing")
    return replace(row, words=words, share=share)


def outcome_view(before: RowView, outcome: Outcome, resume: Resume | None = None, *, policy: str = "") -> RowView:
    """Return the row after an action: what came back, what survived, why nothing was done, or if it is resumed.

    `policy` names the policy that acted, "" where a person did.
    """
    after = replace(_bare(before), words=told(outcome.sentence))
    if outcome.fate is Fate.REFUSED:
        return replace(after, shape=before.shape, tone="ink", strong=True, memory=before.memory)
    if outcome.fate is Fate.SURVIVED:
        return replace(after, tone="amber", strong=True, memory=before.memory, offer=Offer.END_IT)
    if resume is not None:
        return _resume_view(after, resume)
    offer = Offer.RESUME if can_resume(outcome.resume) else Offer.NONE
    return replace(after, words=_back_words(outcome, policy), shape=StateShape.CHECK, offer=offer)


def _back_words(outcome: Outcome, policy: str) -> str:
    released = outcome.fate is Fate.RELEASED
    if outcome.fate is Fate.ALREADY_GONE:
        return say("Already gone")
    if heap_view.inside(outcome):
        size = heap_view.estimate(outcome.target.expected_heap_bytes)
        if not outcome.target.expected_heap_bytes:
            return say("Released") if released else say("Ended")
        return say("Released, {size} of heap", size=size) if released else say("Ended, {size} of heap", size=size)
    if not outcome.target.members:  # only listed by its host any more
        return told(outcome.sentence)
    size = numbers.memory(outcome.came_back_bytes)
    if policy:
        by = {"policy": policy, "size": size}
        return say("Released by “{policy}”, {size}", **by) if released else say("Ended by “{policy}”, {size}", **by)
    return say("Released, {size} came back", size=size) if released else say("Ended, {size} came back", size=size)


def _resume_view(bare: RowView, resume: Resume) -> RowView:
    if resume.ok is None:
        return replace(bare, words=say("Its host is asked to bring it back"))
    if resume.ok:
        return replace(bare, words=resume.message or say("Resumed"), shape=StateShape.CHECK)
    return replace(bare, words=resume.message, tone="amber", strong=True, offer=Offer.RESUME)


def gone_view(before: RowView) -> RowView:
    """Return the row of a session that ended while the order is frozen."""
    return replace(_bare(before), words=say("Ended"), shape=StateShape.GONE)


def _bare(view: RowView) -> RowView:
    return RowView(key=view.key, mark=view.mark, title=view.title, words="")
