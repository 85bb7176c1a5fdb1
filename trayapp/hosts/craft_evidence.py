"""What speaks for and against the idleness of one session of Craft Agents.

Pure: its record, what its server said, the log of its agent and the logs of its subagents in, evidence out. A record's
`lastMessageAt` is set at a message; the time at which its file was written, or its `lastUsedAt`, is set by a look at
it, and counts for nothing. A server says "not processing" although background agents of a session still work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from trayapp.hosts.anthropic_evidence import RACE_S, log_evidence
from trayapp.hosts.anthropic_transcript import Transcript, Turn
from trayapp.hosts.craft_disk import Stored
from trayapp.hosts.craft_rpc import Told
from trayapp.model.session import Evidence, EvidenceKind, Speaks

LOG_WANTED_S = 86_400.0
"""How long after its last message a session is not idle without its log."""
RECORD, SERVER, LOG, SUBAGENT_LOG = "session record", "its server", "transcript", "subagent log"


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """Hold all that is known of one session's doings.

    Attributes:
        stored: its record; None where no folder of it is known.
        gone: its folder was deleted.
        told, told_epoch_s: what its server said, and when.
        log: of its agent; `log_fault` where it cannot be read.
        wants_log: its agent writes a log beside which background agents have theirs.
        subagents: logs of its subagents that were written since its agent began.
        began_epoch_s: when its newest backend began; None without one.
    """

    stored: Stored | None = None
    gone: bool = False
    told: Told | None = None
    told_epoch_s: float | None = None
    log: Transcript | None = None
    log_fault: str | None = None
    wants_log: bool = False
    subagents: Sequence[Transcript] = ()
    began_epoch_s: float | None = None

    @property
    def last_message_epoch_s(self) -> float | None:
        """Return when the last message was sent or finally answered."""
        known = [s.last_message_epoch_s for s in (self.stored, self.told) if s is not None]
        return max((at for at in known if at is not None), default=None)

    @property
    def last_activity_epoch_s(self) -> float | None:
        logs = [log.last_activity_epoch_s for log in (self.log, *self.subagents) if log is not None]
        return max((at for at in (self.last_message_epoch_s, *logs) if at is not None), default=None)


class _Add(Protocol):
    """Take in one piece of evidence; `at` is its record's own time, `read` when it was asked, if not now."""

    def __call__(
        self,
        kind: EvidenceKind,
        speaks_for: Speaks,
        fact: str,
        source: str,
        at: float | None = None,
        read: float | None = None,
    ) -> None: ...


def evidence_of(signs: Signs, *, now_epoch_s: float) -> tuple[Evidence, ...]:
    """Return what speaks for what, each with its time and where it comes from."""
    found: list[Evidence] = []

    def add(
        kind: EvidenceKind,
        speaks_for: Speaks,
        fact: str,
        source: str,
        at: float | None = None,
        read: float | None = None,
    ) -> None:
        read_epoch_s = read if read is not None else now_epoch_s
        found.append(
            Evidence(
                kind=kind, speaks_for=speaks_for, fact=fact, source=source, at_epoch_s=at, read_epoch_s=read_epoch_s
            )
        )

    if signs.gone:
        add(EvidenceKind.RECORD, Speaks.UNREADABLE, "Its session folder was deleted", RECORD)
    elif signs.stored is not None and signs.stored.fault is not None:
        add(EvidenceKind.RECORD, Speaks.UNREADABLE, f"Its session record {signs.stored.fault}", RECORD)
    if signs.log_fault is not None:
        add(EvidenceKind.RECORD, Speaks.UNREADABLE, "Its agent's log cannot be read", LOG)
    if signs.began_epoch_s is None:
        _without_backend(signs, add)
        return tuple(found)
    _from_server(signs, add)
    if signs.wants_log and signs.log is None and signs.log_fault is None and _is_recent(signs, now_epoch_s):
        fact = "Its agent's log is not found, so that background agents could not be seen"
        add(EvidenceKind.RECORD, Speaks.UNREADABLE, fact, LOG)
    if signs.log is not None:
        found.extend(log_evidence(signs.log, began_epoch_s=signs.began_epoch_s, now_epoch_s=now_epoch_s))
    _from_subagents(signs, add)
    _from_record(signs, found, add)
    return tuple(found)


def _is_recent(signs: Signs, now_epoch_s: float) -> bool:
    """Say whether something may still go on; logs are cleared away after weeks, and their sessions rest."""
    last = signs.last_activity_epoch_s
    return last is None or now_epoch_s - last < LOG_WANTED_S


def _without_backend(signs: Signs, add: _Add) -> None:
    """Say what is known of a session of which only helpers are left: no turn can run without a backend."""
    if signs.told is not None and signs.told.is_processing:
        add(
            EvidenceKind.HOST_STATUS,
            Speaks.BUSY,
            "Its server says that a turn runs",
            SERVER,
            signs.last_message_epoch_s,
            signs.told_epoch_s,
        )
    elif signs.last_activity_epoch_s is not None:
        fact = "No backend of it runs; this was its last message"
        add(EvidenceKind.RECORD, Speaks.IDLE, fact, RECORD, signs.last_activity_epoch_s)


def _from_server(signs: Signs, add: _Add) -> None:
    told = signs.told
    if told is None:
        return
    at, read = told.last_message_epoch_s, signs.told_epoch_s
    if told.is_processing:
        # a turn that waits for a permission is one that runs, for the server
        add(EvidenceKind.HOST_STATUS, Speaks.BUSY, "Its server says that a turn runs", SERVER, at, read)
    elif _is_newer_than_answer(signs):
        add(
            EvidenceKind.HOST_STATUS, Speaks.NOTHING, "Its server said that no turn runs, before that", SERVER, at, read
        )
    else:
        add(EvidenceKind.HOST_STATUS, Speaks.IDLE, "Its server says that no turn runs", SERVER, at, read)


def _is_newer_than_answer(signs: Signs) -> bool:
    """Say whether a message was recorded after the server was last asked."""
    last = signs.stored.last_message_epoch_s if signs.stored is not None else None
    return last is not None and signs.told_epoch_s is not None and last > signs.told_epoch_s - RACE_S


def _from_subagents(signs: Signs, add: _Add) -> None:
    """Tell of agents that work in the background, which the server does not see (its turn is over)."""
    began = (signs.began_epoch_s or 0.0) - RACE_S
    for agent in signs.subagents:
        at = agent.last_activity_epoch_s
        if at is not None and at >= began and agent.turn not in (Turn.ENDED, None):
            add(EvidenceKind.SUBAGENT, Speaks.BUSY, "A subagent is at work", SUBAGENT_LOG, at)


def _from_record(signs: Signs, found: list[Evidence], add: _Add) -> None:
    """Say what the record's last message tells; the agent's log and the server are the better witnesses."""
    stored, began = signs.stored, signs.began_epoch_s or 0.0
    at = stored.last_message_epoch_s if stored is not None and stored.fault is None else None
    if stored is None or at is None:
        return
    # asked after that message, or logged after it: somebody knows how it went on
    known = any(
        e.speaks_for is Speaks.IDLE
        and (
            (e.source == SERVER and (e.read_epoch_s or 0.0) > at + RACE_S)
            or (e.source == LOG and e.kind is EvidenceKind.TURN and (e.at_epoch_s or 0.0) >= at - RACE_S)
        )
        for e in found
    )
    if stored.last_role != "user" or known:
        add(EvidenceKind.RECORD, Speaks.IDLE, "This was its last message", RECORD, at)
    elif at < began - RACE_S:
        add(EvidenceKind.TURN, Speaks.IDLE, "Its last message was cut off before this backend began", RECORD, at)
    else:
        add(EvidenceKind.TURN, Speaks.BUSY, "Its last message has no answer yet", RECORD, at)
