"""What of ours can be put into a host so that it tells and releases more, and what that would write where."""

from __future__ import annotations

from dataclasses import dataclass

from trayapp.model.access import Permission


@dataclass(frozen=True, slots=True, kw_only=True)
class HostSetup:
    """Offer to put something into a host; nothing is done before a person has read the steps and agreed.

    Attributes:
        key: names it to whoever made the offer.
        title: what it is for: "Profile “web”".
        steps: what will be written where, as the rest of "This will ..."; empty = it is there already.
        says: what is to be known besides, a sentence each.
        undo: the command that takes it out again.
        fault: why it cannot be done, with the mend; the steps are empty then.
        permits: a consent that is kept in the settings; nothing is written anywhere else then.
    """

    key: str
    host: str
    title: str
    steps: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    undo: str | None = None
    fault: str | None = None
    permits: Permission | None = None
