"""Craft Agents: its server, and the agents of another host that it runs for its sessions.

Knows the server by its entry script, and that its children with `--resume <id>` serve its session of that id; their
logs lie where that agent's own lie (`~/.claude` or $CLAUDE_CONFIG_DIR). Must not decide what a session is doing. What
the server itself tells (sessions by name, pending questions, agents of its other kind) is not read yet: such processes
are counted as the server's, and a backend without an id as a session of which nothing is known.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

from trayapp.hosts.anthropic_evidence import log_evidence
from trayapp.hosts.anthropic_transcript import Transcript, folder_name, read_transcript
from trayapp.hosts.base import CallResult, Surroundings, claim_on, signal_ladder
from trayapp.hosts.files import names_in, stamp
from trayapp.model.process import Process, ProcessTable
from trayapp.model.session import (
    Claim,
    ClaimKind,
    Evidence,
    EvidenceKind,
    HostInstance,
    HostLabel,
    Hue,
    Observation,
    Problem,
    Role,
    SessionFact,
    SessionKey,
    Speaks,
)
from trayapp.programs import argv_value, basename, elements

HOST = "craft-agents"

_ENTRY = ("packages", "server", "src", "index.ts")
_FOLDERS_LIMIT = 5_000
_LADDER = signal_ladder("The session's agent")


class CraftAgents:
    """The adapter; keeps which log belongs to which id between observations."""

    label = HostLabel(host=HOST, title="craft-agents", letters="Cr", hue=Hue.VIOLET, rank=4)
    environment_names: tuple[str, ...] = ("CRAFT_SESSION_DIR", "CLAUDE_CONFIG_DIR")

    def __init__(self) -> None:
        self._logs: dict[str, Path] = {}

    def recognise(self, process: Process) -> Claim | None:
        """Recognise the server by its script; its agents are told by their parent, in observe(). Pure."""
        argv = process.argv or ()
        if process.is_zombie or not argv or basename(argv[0]) not in ("bun", "node"):
            return None
        script = next((argument for argument in argv[1:] if "/" in argument or "\\" in argument), "")
        if elements(script)[-len(_ENTRY) :] != _ENTRY:
            return None
        return _claim(process, Role.INFRA, ClaimKind.PROGRAM, "its server")

    async def observe(self, table: ProcessTable, recognised: Sequence[Claim], around: Surroundings) -> Observation:
        """Claim the agents below the server and read their logs, in one worker thread."""
        return await asyncio.to_thread(self._observe, table, tuple(recognised), around)

    def _observe(self, table: ProcessTable, recognised: tuple[Claim, ...], around: Surroundings) -> Observation:
        problems: list[Problem] = []
        claims = list(recognised)
        served: dict[SessionKey, list[Process]] = {}
        for server in recognised:
            for child in table.children(server.identity.pid):
                if not _is_agent(child):
                    continue
                claim = _agent_claim(child)
                claims.append(claim)
                if claim.session is not None:
                    served.setdefault(claim.session, []).append(child)
        self._logs = {known: path for known, path in self._logs.items() if SessionKey(HOST, known) in served}
        return Observation(
            host=HOST,
            read_epoch_s=around.now_epoch_s(),
            instances=tuple(HostInstance(host=HOST, identity=claim.identity) for claim in recognised),
            sessions=tuple(self._fact(key, backends, table, around, problems) for key, backends in served.items()),
            claims=tuple(claims),
            problems=tuple(problems),
        )

    async def call(self, name: str, session: SessionFact, around: Surroundings) -> CallResult:
        """Offer nothing: its sessions are released by ending their agents, which it starts again when needed."""
        return CallResult(ok=False, message=f"Craft Agents offers no “{name}”")

    def _fact(
        self,
        key: SessionKey,
        backends: Sequence[Process],
        table: ProcessTable,
        around: Surroundings,
        problems: list[Problem],
    ) -> SessionFact:
        newest = max(backends, key=lambda process: process.identity.start)
        now_epoch_s = around.now_epoch_s()
        evidence: tuple[Evidence, ...] = ()
        log: Transcript | None = None
        try:
            path = self._log_path(key.session_id, newest, around)
            if path is not None:
                log = read_transcript(path)
        except OSError as fault:
            problems.append(
                Problem(
                    where=f"the log of {key.session_id}",
                    what=f"cannot be read ({fault.strerror})",
                    mend="Check its permissions",
                )
            )
            unreadable = "Its log cannot be read"
            evidence = (
                Evidence(kind=EvidenceKind.RECORD, speaks_for=Speaks.UNREADABLE, fact=unreadable, source="log"),
            )
        if log is not None:
            began_epoch_s = table.taken_at.timestamp() - table.age_s(newest)
            evidence = tuple(log_evidence(log, began_epoch_s=began_epoch_s, now_epoch_s=now_epoch_s))
        cwd = newest.cwd or (log.cwd if log is not None else None)
        return SessionFact(
            key=key,
            title=(log.title if log is not None else None) or (basename(cwd) if cwd else None),
            cwd=cwd,
            model=log.model if log is not None else None,
            evidence=evidence,
            last_activity_epoch_s=log.last_activity_epoch_s if log is not None else None,
            ladder=_LADDER,
        )

    def _log_path(self, session_id: str, process: Process, around: Surroundings) -> Path | None:
        if basename(session_id) != session_id:
            return None
        if session_id not in self._logs:
            given = process.env.get("CLAUDE_CONFIG_DIR") or around.environ.get("CLAUDE_CONFIG_DIR")
            config = Path(given) if given and os.path.isabs(given) else around.home / ".claude"
            projects = config / "projects"
            likely = [folder_name(process.cwd)] if process.cwd else []
            for folder in (*likely, *names_in(projects, limit=_FOLDERS_LIMIT)):
                if stamp(projects / folder / f"{session_id}.jsonl") is not None:
                    self._logs[session_id] = projects / folder / f"{session_id}.jsonl"
                    break
        return self._logs.get(session_id)


def _is_agent(process: Process) -> bool:
    argv = process.argv or ()
    names = {basename(argv[0]) if argv else "", basename(process.exe or "")}
    return not process.is_zombie and "claude" in names and argv_value(argv, "--output-format") == "stream-json"


def _agent_claim(process: Process) -> Claim:
    argv = process.argv or ()
    resumed = argv_value(argv, "--resume")
    if resumed is not None:
        return _claim(process, Role.BACKEND, ClaimKind.ARGV, "--resume in its arguments, below its server", resumed)
    if argv_value(argv, "--max-turns") == "1":
        # a title or a summary: over in seconds, and nobody's session
        return _claim(process, Role.INFRA, ClaimKind.PROGRAM, "a short question of its server", embedded=True)
    return _claim(process, Role.BACKEND, ClaimKind.PROGRAM, "started by its server", embedded=True)


def _claim(
    process: Process,
    role: Role,
    kind: ClaimKind,
    source: str,
    session_id: str | None = None,
    *,
    embedded: bool = False,
) -> Claim:
    embedded = embedded or session_id is not None
    return claim_on(process, role, kind, source, session_id, host=HOST, embedded=embedded)
