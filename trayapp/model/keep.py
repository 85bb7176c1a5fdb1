"""What the user wants to keep for now."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Keep:
    """Say that a session stays: nothing but a person's own, confirmed release of it ends it.

    Attributes:
        group_key: as in Group.key.
        until_epoch_s: for how long; None = until it is taken back.
    """

    group_key: str
    until_epoch_s: float | None = None
