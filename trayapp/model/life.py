"""The life of one session as far as it is recorded: when processes of it ran, and which."""

from __future__ import annotations

from dataclasses import dataclass

from trayapp.model.process import Identity


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Hold one stretch in which a session had processes without a break; the next one begins with a resume.

    Attributes:
        processes: all that were seen in it, the one that was there longest first.
    """

    since_epoch_s: float
    until_epoch_s: float
    processes: tuple[Identity, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """Hold what is recorded of a session (or of another group) over all its processes.

    Attributes:
        first_seen_epoch_s, last_seen_epoch_s: None = nothing is recorded of it.
        peak_bytes: the most that it ever held.
        runs: oldest first; shorter ones than a minute may be missing.
    """

    first_seen_epoch_s: float | None = None
    last_seen_epoch_s: float | None = None
    peak_bytes: int | None = None
    runs: tuple[Run, ...] = ()
