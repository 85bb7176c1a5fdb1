"""What `agentring doctor` finds: one line each, good or bad."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Standing(StrEnum):
    """How a finding stands: as it should be, not there (which may be fine), or in need of the mend."""

    GOOD = "good"
    ABSENT = "absent"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """State one fact about this installation.

    Attributes:
        topic: what it is about, in a word or two: "Python", "history", the title of a host.
        what: a sentence without a full stop: "found 2.1.4, 3 sessions".
        mend: what the user can do; None where nothing is to be done.
    """

    topic: str
    standing: Standing
    what: str
    mend: str | None = None
