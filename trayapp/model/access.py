"""What a person allowed Agent Ring to do with one host, and what it needs for that."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Permission(StrEnum):
    """Name what needs a person's consent.

    READ_SECRET: take the token or password of a host from its process's environment; it is kept in memory only.
    CLOSE_HELPERS: have a host close the helpers of a session that is released, which changes the session's settings.
    """

    READ_SECRET = "read-secret"
    CLOSE_HELPERS = "close-helpers"


@dataclass(frozen=True, slots=True, kw_only=True)
class HostAccess:
    """Hold what the settings say about one host.

    Attributes:
        user, secret: to sign in with, as the user typed them; never logged, shown or exported.
        allowed: what the user agreed to.
    """

    user: str | None = None
    secret: str | None = field(default=None, repr=False)
    allowed: frozenset[Permission] = frozenset()
