"""What an agent's log says for and against idleness, for every host that runs this agent.

Pure: a Transcript and the times of the process and of the host's own status in, evidence out. Must not read a file,
and must not know which host asks.
"""

from __future__ import annotations

import time
from dataclasses import replace

from trayapp.hosts.anthropic_transcript import QUESTION_TOOLS, SUBAGENT_TOOLS, Transcript, Turn
from trayapp.model.session import Evidence, EvidenceKind, Speaks

RACE_S = 2.0
"""A log record this much newer than the status was written while the status was about to change."""


def log_evidence(
    log: Transcript,
    *,
    began_epoch_s: float,
    now_epoch_s: float,
    status_epoch_s: float | None = None,
    status_is_busy: bool = False,
) -> list[Evidence]:
    """Say what a log speaks for.

    `began_epoch_s` is the start of the process that serves the session now. `status_epoch_s` is since when the host
    itself gives a live status, the better witness: what the log said before it is told only. One that says busy does
    not tell at what: a subagent that the log knows of is then the nearer word.
    """

    def superseded(at_epoch_s: float | None, *, agrees: bool = False) -> bool:
        return is_superseded(at_epoch_s, status_epoch_s, agrees=agrees)

    found: list[Evidence] = []
    turn = _turn_evidence(log, began_epoch_s)
    if turn is not None:
        agrees = status_is_busy and turn.kind is EvidenceKind.SUBAGENT
        silent = superseded(turn.at_epoch_s, agrees=agrees)
        found.append(replace(turn, speaks_for=Speaks.NOTHING) if silent else turn)
    if log.notice is not None and (log.notice_epoch_s is None or log.notice_epoch_s >= began_epoch_s - RACE_S):
        asks = log.notice in ("permission_prompt", "elicitation_dialog")
        found.append(
            _told(
                EvidenceKind.QUESTION if asks else EvidenceKind.RECORD,
                Speaks.WAITING if asks and not superseded(log.notice_epoch_s) else Speaks.NOTHING,
                "It asks for a permission" if asks else f"Its notice: {log.notice[:40].replace('_', ' ')}",
                log.notice_epoch_s,
            )
        )
    found.extend(_wakeup_evidence(log, began_epoch_s, now_epoch_s))
    return found


def is_superseded(at_epoch_s: float | None, status_epoch_s: float | None, *, agrees: bool) -> bool:
    """Say whether the host's status is the newer word; one that agrees only outdates what was there before it."""
    if status_epoch_s is None:
        return False
    return (at_epoch_s or 0.0) <= status_epoch_s + (-RACE_S if agrees else RACE_S)


def _told(kind: EvidenceKind, speaks_for: Speaks, fact: str, at: float | None) -> Evidence:
    return Evidence(kind=kind, speaks_for=speaks_for, fact=fact, source="transcript", at_epoch_s=at)


def _turn_evidence(log: Transcript, began_epoch_s: float) -> Evidence | None:
    """Say whose turn it is; a turn older than the process was left open by one that was killed (case 028)."""
    at = log.turn_epoch_s
    abandoned = at is not None and at < began_epoch_s - RACE_S

    def turn(speaks_for: Speaks, fact: str, kind: EvidenceKind = EvidenceKind.TURN) -> Evidence:
        return _told(kind, speaks_for, fact, at)

    if log.turn is Turn.ENDED:
        return turn(Speaks.IDLE, "The turn ended")
    if log.turn in (Turn.OPEN, Turn.CALLING) and abandoned:
        return turn(Speaks.IDLE, "The last turn was cut off before this process began")
    if log.turn is Turn.OPEN:
        return turn(Speaks.BUSY, "A turn is open: nothing came after the last message or tool result")
    if log.turn is Turn.CALLING:
        tools = {call.tool for call in log.open_calls}
        if tools & SUBAGENT_TOOLS:
            return turn(Speaks.BUSY, "A subagent has not answered yet", EvidenceKind.SUBAGENT)
        if tools & QUESTION_TOOLS:
            return turn(Speaks.WAITING, "It asks you a question", EvidenceKind.QUESTION)
        # busy only together with a work process (PRECEDENCE A10), which is for the verdict to see
        return turn(Speaks.BUSY, "A tool call has no result yet", EvidenceKind.TOOL_CALL)
    if log.turn is Turn.UNCLEAR:
        return turn(Speaks.NOTHING, "The log does not tell whether the turn ended")
    return None


def _wakeup_evidence(log: Transcript, began_epoch_s: float, now_epoch_s: float) -> list[Evidence]:
    """Tell of planned wake-ups. That of a loop ends with its process; jobs are taken up again with the log."""
    found = []
    for call in log.wakeups:
        lost = call.tool == "ScheduleWakeup" and (call.at_epoch_s or began_epoch_s) < began_epoch_s - RACE_S
        over = call.due_epoch_s is not None and call.due_epoch_s < now_epoch_s - RACE_S
        if not lost and not over:
            due = time.strftime(" at %H:%M", time.localtime(call.due_epoch_s)) if call.due_epoch_s is not None else ""
            fact = f"It will wake up by itself{due}"
            found.append(_told(EvidenceKind.WAKEUP, Speaks.PROTECTS, fact, call.at_epoch_s))
    return found
