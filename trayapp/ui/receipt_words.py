"""What a receipt says besides its sums: who asked, what survived, what runs again, in which figure it was measured.

Pure, but for the locale of numbers.
"""

from __future__ import annotations

from trayapp.model.receipt import Fate, Outcome, Receipt
from trayapp.reclaim.policy import ORIGIN
from trayapp.say import noted, say, told
from trayapp.ui import numbers

_ORIGINS = {
    "menu bar": noted("You, from the menu bar"),
    "window": noted("You, from the window"),
    "journal": noted("You, from the journal"),
    "command line": noted("You, from the command line"),
}


def asked_by(receipt: Receipt) -> str:
    """Say who asked and from where: "You, from the menu bar", "By the policy “idle-4h”"."""
    if receipt.origin.startswith(ORIGIN):
        return say("By the policy “{name}”", name=receipt.origin.removeprefix(ORIGIN))
    if receipt.origin in _ORIGINS:
        return say(_ORIGINS[receipt.origin])
    return say("You, from the {place}", place=receipt.origin)


def outcome_words(receipt: Receipt, outcome: Outcome) -> str:
    """Say what became of one target: its sentence, the names of what survived, and if it runs again."""
    parts = [told(outcome.sentence)]
    if outcome.survived:
        named = [f"{survivor.name} ({survivor.identity.pid})" for survivor in outcome.survived]
        parts.append(say("Left: {names}", names=", ".join(named)))
    if (returned := receipt.returned(outcome)) is not None:
        parts.append(told(returned.sentence))
    if len(parts) == 1:
        return parts[0]
    return " ".join(f"{part.rstrip('.')}." for part in parts)


def tone(receipt: Receipt, outcome: Outcome) -> str:
    """Return the colour token of those words: amber where it is not as it should be."""
    wrong = outcome.fate is Fate.SURVIVED or receipt.returned(outcome) is not None
    return "amber" if wrong else "sec"


def metric(receipt: Receipt) -> str:
    """Name the figure that was measured: "physical footprint"."""
    return numbers.metric_words(receipt.footprint_metric)


def rss_words(receipt: Receipt) -> str:
    """Say what came back by resident memory, an upper bound; "" where that is the figure anyway, or nothing did."""
    size = sum(outcome.rss_came_back_bytes for outcome in receipt.outcomes)
    if not size or receipt.footprint_metric is None:
        return ""
    return f"≤\u202f{numbers.memory(size)}"


def free_words(receipt: Receipt) -> str:
    """Say what was free on this computer before and after."""
    before, after = map(numbers.memory, (receipt.available_before_bytes, receipt.available_after_bytes))
    return say("{before} before, {after} after", before=before, after=after)
