"""What speaks for and against idleness in one session of Codeman's. Pure.

Codeman's own `status` is a guess from terminal output: it has read idle in the middle of a turn and busy for ever, so
it can keep a session busy but never make one idle. A session is idle only when two sources with times of their own say
so and no third one disagrees: the activity of its tmux window, the last output that the server saw, the agent's log,
the agent's hooks. A working agent repaints about once a second, a resting one is silent.

A status that is stuck on busy stops counting when two such sources have been silent for half an hour.

A server that comes back writes the time of its start over all that it finds again. Such a stamp is no activity; it only
tells that nothing came since, and that only while the server is attached.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from trayapp.hosts.anthropic_transcript import epoch_s
from trayapp.hosts.codeman_api import Hooks, Record
from trayapp.hosts.codeman_tmux import Pane
from trayapp.model.session import Evidence, EvidenceKind, Speaks

QUIET_S = 60.0
"""Younger output may be a turn under way."""
STUCK_S = 1800.0
"""Silence after which a status that says busy is taken for stuck."""
RESET_SLACK_S = 10.0
"""How long after its start a server still writes the time of its start into its sessions."""
RESTORE_S = 60.0
"""How long a server may take to find its sessions again."""
HOOK_SLACK_S = 5.0
"""What is written later than this after a hook is a new turn, of which the hook says nothing."""
SOURCES_WANTED = 2

SERVER, TMUX, LOG = "Codeman", "tmux", "transcript"


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Hold all that is known of one session.

    Attributes:
        record: the server's word; None = it gives none now.
        panes: its panes; None = tmux could not be asked.
        log_evidence, log_epoch_s: what the agent's log says, and its newest record.
        hooks: when the agent's hooks said that it is done.
        server_start_epoch_s: when the server began; stamps from that moment are not activity.
        began_epoch_s: when the agent began; what began after the server was not found again by it.
        subagents, scheduled: what the server tells of those, of all sessions.
        asks: it waits for an approval.
        shell: no agent but a shell of the user's runs in it.
        record_read_epoch_s, panes_read_epoch_s: when those were read.
    """

    now_epoch_s: float
    record: Record | None = None
    panes: Sequence[Pane] | None = None
    log_evidence: Sequence[Evidence] = ()
    log_epoch_s: float | None = None
    hooks: Hooks | None = None
    server_start_epoch_s: float | None = None
    began_epoch_s: float | None = None
    subagents: Sequence[Mapping[str, Any]] = ()
    scheduled: Sequence[Mapping[str, Any]] = ()
    asks: bool = False
    shell: bool = False
    viewed: bool = False
    respawns: bool = False
    record_read_epoch_s: float | None = None
    panes_read_epoch_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What follows: evidence, and the newest time at which something happened."""

    evidence: tuple[Evidence, ...]
    last_activity_epoch_s: float | None

    @property
    def works(self) -> str | None:
        """Return what speaks for work, for people; None = nothing does."""
        return next((e.fact for e in self.evidence if e.speaks_for is Speaks.BUSY), None)


def judge(said: Said) -> Judged:
    """Say what speaks for work and what for idleness."""
    silent = _silent_since(said)
    quiet = _all_silent_for(silent, QUIET_S, said.now_epoch_s)
    told = [s.evidence if quiet else replace(s.evidence, speaks_for=Speaks.NOTHING) for s in silent]
    told += [
        e if quiet or e.speaks_for is not Speaks.IDLE else replace(e, speaks_for=Speaks.NOTHING)
        for e in said.log_evidence
    ]
    evidence = (*_status(said, silent), *told, *_vetoes(said))
    times = [s.evidence.at_epoch_s for s in silent if s.evidence.at_epoch_s is not None]
    return Judged(evidence=evidence, last_activity_epoch_s=max(times, default=None))


def wrote_since(before: Said, now: Said) -> bool:
    """Say whether something was written in a session's terminal between two looks.

    By tmux where it was asked both times, to the second: the server's stamp also moves when it only paints anew.
    """
    then, since = _window_activity(before), _window_activity(now)
    if then is not None and since is not None:
        return since > then
    stamps = [said.record.last_activity_at for said in (before, now) if said.record is not None]
    return len(stamps) == 2 and None not in stamps and (stamps[1] or 0.0) > (stamps[0] or 0.0)


def is_reset(at_epoch_s: float, created_epoch_s: float | None, server_start_epoch_s: float | None) -> bool:
    """Say whether a stamp is the time at which a server came back, which it writes over all that it finds again."""
    if server_start_epoch_s is None:
        return False
    made = created_epoch_s if created_epoch_s is not None else server_start_epoch_s
    found_again = min(max(made, server_start_epoch_s), server_start_epoch_s + RESTORE_S)
    return at_epoch_s <= found_again + RESET_SLACK_S


@dataclass(frozen=True, slots=True)
class _Source:
    """One source and since when it has seen nothing; its evidence carries no time where that is no activity."""

    evidence: Evidence
    silent_since_epoch_s: float


def _all_silent_for(sources: Sequence[_Source], span_s: float, now_epoch_s: float) -> bool:
    return len(sources) >= SOURCES_WANTED and all(now_epoch_s - s.silent_since_epoch_s >= span_s for s in sources)


def _silent_since(said: Said) -> list[_Source]:
    """Return since when each source with a time of its own has seen nothing; one that cannot tell is left out."""
    found: list[_Source] = []

    def silent(
        at: float | None, fact: str, source: str, read: float | None, kind: EvidenceKind, *, is_activity: bool = True
    ) -> None:
        if at is not None:
            evidence = Evidence(
                kind=kind,
                speaks_for=Speaks.IDLE,
                fact=fact,
                source=source,
                at_epoch_s=at if is_activity else None,
                read_epoch_s=read,
            )
            found.append(_Source(evidence, at))

    silent(
        _window_activity(said),
        "Nothing was written in its terminal since",
        TMUX,
        said.panes_read_epoch_s,
        EvidenceKind.RECORD,
    )
    output, is_activity = _last_output(said)
    fact = "The server saw no output since" if is_activity else "The server saw no output since it came back"
    silent(output, fact, SERVER, said.record_read_epoch_s, EvidenceKind.RECORD, is_activity=is_activity)
    if any(e.speaks_for is Speaks.IDLE for e in said.log_evidence):
        silent(said.log_epoch_s, "Nothing came into its log since", LOG, said.now_epoch_s, EvidenceKind.RECORD)
    hooks = said.hooks or Hooks()
    done = max((at for at in (hooks.stop_epoch_s, hooks.idle_epoch_s) if at is not None), default=None)
    newest = max((s.evidence.at_epoch_s for s in found if s.evidence.at_epoch_s is not None), default=None)
    if done is not None and newest is not None and done >= newest - HOOK_SLACK_S:
        silent(done, "The agent's hook said that it is done", SERVER, said.record_read_epoch_s, EvidenceKind.TURN)
    return found


def _window_activity(said: Said) -> float | None:
    live = (pane.activity_epoch_s for pane in said.panes or () if not pane.dead)
    return max((at for at in live if at is not None), default=None)


def _last_output(said: Said) -> tuple[float | None, bool]:
    """Return since when the server has seen no output, and whether something happened then.

    None while it is not attached: its stamp does not move then, whatever the agent does.
    """
    record, start = said.record, said.server_start_epoch_s
    if record is None or record.pid is None or record.last_activity_at is None:
        return None, False
    at = record.last_activity_at / 1000
    created = record.created_at / 1000 if record.created_at is not None else None
    own = start is not None and said.began_epoch_s is not None and said.began_epoch_s >= start
    return at, own or not is_reset(at, created, start)


def _status(said: Said, silent: Sequence[_Source]) -> list[Evidence]:
    """Say what the status speaks for: work, nothing while it is idle, and nothing once it is stuck."""
    record = said.record
    if record is None:
        return []
    word = record.status or "unknown"
    if word != "busy" and not record.is_working:
        fact = "Codeman says idle, which alone proves nothing" if word == "idle" else f"Codeman says {word[:20]}"
        return [_told(said, EvidenceKind.HOST_STATUS, Speaks.NOTHING, fact)]
    if _all_silent_for(silent, STUCK_S, said.now_epoch_s):
        fact = "Codeman says busy, but for half an hour nothing was written: its status is stuck"
        return [_told(said, EvidenceKind.HOST_STATUS, Speaks.NOTHING, fact)]
    return [_told(said, EvidenceKind.HOST_STATUS, Speaks.BUSY, "Codeman says busy")]


def _vetoes(said: Said) -> list[Evidence]:
    """Return what keeps a session from being released, whatever its terminal says."""
    found: list[Evidence] = []
    record = said.record

    def veto(kind: EvidenceKind, speaks_for: Speaks, fact: str) -> None:
        found.append(_told(said, kind, speaks_for, fact))

    if said.shell:
        veto(EvidenceKind.VIEW, Speaks.PROTECTS, "It is a shell, in which somebody may be at work")
    if said.viewed:
        veto(EvidenceKind.VIEW, Speaks.PROTECTS, "It is open in a terminal besides Codeman's own")
    if said.asks:
        veto(EvidenceKind.QUESTION, Speaks.WAITING, "It waits for your approval in Codeman")
    if said.respawns or (record is not None and record.respawn_enabled):
        veto(EvidenceKind.WAKEUP, Speaks.PROTECTS, "Codeman gives it new work by itself (respawn is on)")
    if record is None:
        return found
    if record.ralph_loop is not None and record.ralph_loop.active:
        veto(EvidenceKind.WAKEUP, Speaks.PROTECTS, "It goes on by itself (a Ralph loop is active)")
    running = record.task_stats.running if record.task_stats is not None else 0
    if running > 0:
        fact = "A task of it is running" if running == 1 else f"{running} tasks of it are running"
        veto(EvidenceKind.BACKGROUND_TASK, Speaks.BUSY, fact)
    if record.current_task_id is not None:
        veto(EvidenceKind.BACKGROUND_TASK, Speaks.BUSY, "It works on a task of Codeman's queue")
    names = {record.id, record.claude_session_id} - {None}
    active = [agent for agent in said.subagents if agent.get("sessionId") in names and agent.get("status") == "active"]
    if active:
        fact = "A subagent is at work" if len(active) == 1 else f"{len(active)} subagents are at work"
        at = max((at for agent in active if (at := _time(agent.get("lastActivityAt"))) is not None), default=None)
        found.append(replace(_told(said, EvidenceKind.SUBAGENT, Speaks.BUSY, fact), at_epoch_s=at))
    for run in said.scheduled:
        if run.get("status", "running") != "running":
            continue
        if run.get("sessionId") == record.id:
            veto(EvidenceKind.BACKGROUND_TASK, Speaks.BUSY, "A scheduled run of Codeman uses it")
        elif not run.get("sessionId") and run.get("workingDir") == record.working_dir:
            veto(EvidenceKind.BACKGROUND_TASK, Speaks.PROTECTS, "A scheduled run of Codeman is at work in its folder")
    return found


def _told(said: Said, kind: EvidenceKind, speaks_for: Speaks, fact: str) -> Evidence:
    read = said.record_read_epoch_s or said.now_epoch_s
    return Evidence(kind=kind, speaks_for=speaks_for, fact=fact, source=SERVER, read_epoch_s=read)


def _time(value: object) -> float | None:
    return epoch_s(value) if isinstance(value, (str, int, float)) and not isinstance(value, bool) else None
