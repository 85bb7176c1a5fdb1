"""Cline: terminals, one-shot runs, and the hub that serves the terminals.

Knows `~/.cline/data/sessions/<id>/<id>.json` (pid, status, folder, model, usage) and the time at the head of
`<id>.messages.json`. Programs are told apart in cline_programs.py. Must not decide what a session is doing. The hub's
own record holds a token and is not read.

The first terminal of a home runs its session itself and starts the hub below it; sessions of later ones run in the hub
and name its pid. Such a session is given to the one terminal of its folder that it can belong to. The hub is never
ended: terminals that are still open would start another one, and with it the open turn once more.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import msgspec

from trayapp.hosts import cline_programs
from trayapp.hosts.agent_folder import Owners, Run
from trayapp.hosts.agent_log import RACE_S, Log, epoch_s, one_line
from trayapp.hosts.agent_look import AgentHost, Look, newest, title_of, was_written_since
from trayapp.hosts.asleep import Programs
from trayapp.hosts.base import Surroundings, signal_ladder
from trayapp.hosts.cline_programs import SESSION_ID
from trayapp.hosts.files import read_head
from trayapp.model.process import Process, ProcessTable
from trayapp.model.session import (
    Claim,
    ClaimKind,
    Drift,
    Evidence,
    EvidenceKind,
    HostInstance,
    ResumeTicket,
    Role,
    SessionFact,
    SessionKey,
    Speaks,
)
from trayapp.say import noted

_LADDER = signal_ladder("Cline")
_STATUS = {
    "running": (Speaks.BUSY, noted("It says that a turn runs")),
    "starting": (Speaks.BUSY, noted("It says that a turn runs")),
    "stopping": (Speaks.BUSY, noted("It says that a turn runs")),
    "pending": (Speaks.WAITING, noted("It waits for your answer")),
    "idle": (Speaks.IDLE, noted("It says that it does nothing")),
}
_OVER = frozenset({"completed", "failed", "cancelled", "aborted", "error"})
_LATEST_LIMIT = 512
_REVIVED_LIMIT = 64
_DRIFTED_LIMIT = 16
_REVIVED_EVERY_S = 60.0
"""So often it is looked for old sessions that were taken up again without an argument that tells it."""
_OVERLAP_MS = 60_000
_HEAD_BYTES = 512
_UPDATED = re.compile(rb'"updated_at"\s*:\s*"(?P<at>[^"]{10,40})"')


class _Usage(msgspec.Struct, rename="camel"):
    input_tokens: int = 0
    """Cached ones are part of these."""
    output_tokens: int = 0


class _Origin(msgspec.Struct):
    version: str | None = None


class _Metadata(msgspec.Struct, rename="camel"):
    title: str | None = None
    usage: _Usage | None = None
    aggregate_usage: _Usage | None = None
    session_history_origin: _Origin | None = None


class _Session(msgspec.Struct):
    """What is used of a session's file; its prompt only to see that the title is not a piece of it."""

    session_id: str
    pid: int
    status: str
    started_at: str | None = None
    interactive: bool = True
    model: str | None = None
    cwd: str | None = None
    prompt: str | None = None
    metadata: _Metadata = msgspec.field(default_factory=_Metadata)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Live:
    """A session that its file gives to a process that runs."""

    session: _Session
    holder: Process
    path: Path
    updated_epoch_s: float | None

    @property
    def session_id(self) -> str:
        return self.session.session_id


class Cline(AgentHost):
    """The adapter. Remembers which sessions were live and up to which one all were looked at."""

    programs: ClassVar[Programs] = cline_programs

    def __init__(self) -> None:
        super().__init__()
        self.owners = Owners()
        self.live: frozenset[str] = frozenset()
        self.seen_ms = 0
        self.drifted: dict[str, Drift] = {}
        self.searched_epoch_s = float("-inf")

    def look(self, table: ProcessTable, recognised: tuple[Claim, ...], around: Surroundings) -> Look:
        return _ClineLook(self, table, recognised, around)


class _ClineLook(Look):
    adapter: Cline

    def run(self) -> None:
        self._folder = _data(self.around) / "sessions"
        self.keep_innermost(cline_programs.told)
        agents = self.agents()
        hubs = [
            p
            for c in self.claims.values()
            if c.serves_many and c.role is Role.INFRA and (p := self.table.get(c.identity))
        ]
        self._holders = {process.pid: process for process in (*hubs, *(process for process, _ in agents))}
        self._named = {claim.session.session_id: process for process, claim in agents if claim.session is not None}
        live = self._live_sessions() if self._holders else {}
        hub_pids = {hub.pid for hub in hubs}
        rest = {i: one for i, one in live.items() if one.holder.pid in hub_pids}
        without: list[tuple[Process, Claim]] = []
        for process, claim in agents:
            own = [one for one in live.values() if one.holder is process]
            if own:
                self._own(process, claim, own)
            elif claim.session is not None and claim.session.session_id in rest:
                self._tell(rest.pop(claim.session.session_id), process)
            else:
                without.append((process, claim))
        self._of_the_hub(without, rest)
        for one in sorted(rest.values(), key=lambda each: each.session_id, reverse=True)[:_REVIVED_LIMIT]:
            self._tell(one, None)
        for process, _ in without:
            self._without_session(process, self.claims[process.identity])
        self.adapter.owners.keep({process.identity for process, _ in agents})
        self.instances = [HostInstance(host=self.host, identity=hub.identity) for hub in hubs]

    # -- which sessions live ---------------------------------------------------------------------------------------

    def _live_sessions(self) -> dict[str, _Live]:
        """Find them without reading those that are over: by their start, by what lived before, by arguments."""
        adapter = self.adapter
        eldest_ms = int((min(map(self.began_epoch_s, self._holders.values())) - RACE_S) * 1000)
        latest = self.newest_names(self._folder, SESSION_ID, keep=_LATEST_LIMIT)
        since_ms = max(eldest_ms, adapter.seen_ms - _OVERLAP_MS)
        wanted = {name for name in latest if int(name[:13]) >= since_ms} | adapter.live | adapter.drifted.keys()
        wanted |= self._named.keys()
        if not 0 <= self.now_epoch_s - adapter.searched_epoch_s < _REVIVED_EVERY_S:
            wanted.update(self.written_since(self._folder, SESSION_ID, eldest_ms / 1000)[:_REVIVED_LIMIT])
            adapter.searched_epoch_s = self.now_epoch_s
        self.until_epoch_s = min(self.until_epoch_s, adapter.searched_epoch_s + _REVIVED_EVERY_S)
        drifted: dict[str, Drift] = {}
        found: dict[str, _Live] = {}
        for session_id in sorted(wanted):
            one = self._read(session_id)
            if isinstance(one, Drift):
                drifted[session_id] = one
            elif one is not None:
                found[session_id] = one
        adapter.live = frozenset(found)
        adapter.drifted = dict(sorted(drifted.items(), reverse=True)[:_DRIFTED_LIMIT])
        adapter.seen_ms = max([adapter.seen_ms, *(int(name[:13]) for name in latest[:1])])
        return found

    def _read(self, session_id: str) -> _Live | Drift | None:
        """Return a session that lives, by its file; one whose shape is not known is told as such while it may live."""
        path = self._folder / session_id / f"{session_id}.json"
        found = self.record(path, _Session)
        if found is None or isinstance(found, Drift):
            return found
        # one that was taken up again keeps the pid of its first terminal, while the hub goes on with it
        holder = self._holders.get(found.pid) or self._named.get(session_id)
        if found.status in _OVER or holder is None or found.session_id != session_id:
            return None
        if not was_written_since(self.stamp(path), self.began_epoch_s(holder)):
            return None  # of an earlier process of that number
        if found.status not in _STATUS:
            return self.drift(path, "status", _version(found))
        return _Live(session=found, holder=holder, path=path, updated_epoch_s=self._updated(path))

    def _updated(self, path: Path) -> float | None:
        """Return when the messages of a session were last written, as their own head says."""
        messages = path.with_name(f"{path.stem}.messages.json")
        if self.stamp(messages) is None:
            return None
        head = self.ask(messages, lambda: read_head(messages, limit_bytes=_HEAD_BYTES)) or b""
        found = _UPDATED.search(head)
        return epoch_s(found["at"].decode(errors="replace")) if found is not None else None

    # -- whose they are --------------------------------------------------------------------------------------------

    def _own(self, process: Process, claim: Claim, own: Sequence[_Live]) -> None:
        """Give a process the session that its own file names; of several, the one that was used last."""
        main = max(own, key=lambda one: (one.updated_epoch_s or 0.0, one.session_id))
        many = claim.serves_many or len(own) > 1
        if main.session.pid == process.pid or claim.session is None:
            self.claim(process, Role.BACKEND, ClaimKind.REGISTRY, "its session file", main.session_id, serves_many=many)
        self._tell(main, process)
        for one in own:
            if one is not main:
                self._tell(one, None)

    def _of_the_hub(self, terminals: list[tuple[Process, Claim]], rest: dict[str, _Live]) -> None:
        """Give a terminal the one session of its folder that the hub runs and that it can have begun."""
        folders: dict[str, list[tuple[Process, Claim]]] = {}
        for process, claim in terminals:
            if process.cwd is not None:
                folders.setdefault(process.cwd, []).append((process, claim))
        for cwd, here in folders.items():
            runs = [Run(identity=process.identity, began_epoch_s=self.began_epoch_s(process)) for process, _ in here]
            eldest = min(run.began_epoch_s for run in runs)
            logs = {
                one.path: Log(began_epoch_s=began, last_activity_epoch_s=newest([began, one.updated_epoch_s]))
                for one in rest.values()
                if one.session.cwd == cwd and one.session.interactive
                if (began := epoch_s(one.session.started_at)) is not None and began >= eldest - RACE_S
            }
            for identity, path in self.adapter.owners.settle(runs, logs, self.now_epoch_s).items():
                process = next(process for process, _ in here if process.identity == identity)
                one = rest.pop(path.stem)
                source = "the session of its folder that the hub runs"
                self.claim(process, Role.BACKEND, ClaimKind.START_AND_CWD, source, one.session_id)
                self._tell(one, process)

    def _without_session(self, process: Process, claim: Claim) -> None:
        """Say of a session that an argument names, and that no file knows as a live one, that it is not understood."""
        if claim.session is None or claim.session in self.facts:
            return
        drift = self.adapter.drifted.get(claim.session.session_id)
        cwd = process.cwd
        resume = _resume(claim.session.session_id, cwd)
        self.add(
            SessionFact(
                key=claim.session, title=title_of(None, cwd), cwd=cwd, resume=resume, ladder=_LADDER, drift=drift
            )
        )

    # -- what each does --------------------------------------------------------------------------------------------

    def _tell(self, one: _Live, process: Process | None) -> None:
        """Tell of a session; without a process of its own it is a row beside the hub's."""
        session, metadata = one.session, one.session.metadata
        speaks_for, fact = _STATUS[session.status]
        at = one.updated_epoch_s or epoch_s(session.started_at)
        usage = metadata.aggregate_usage or metadata.usage
        title = one_line(metadata.title)
        if title is not None and title in " ".join((session.prompt or "").split()):
            title = None  # what the user first wrote is not kept
        said = Evidence(
            kind=EvidenceKind.HOST_STATUS, speaks_for=speaks_for, fact=fact, source="session file", at_epoch_s=at
        )
        fact_of_it = SessionFact(
            key=SessionKey(self.host, one.session_id),
            title=title_of(title, session.cwd),
            cwd=session.cwd,
            model=one_line(session.model),
            tokens=usage.input_tokens + usage.output_tokens if usage is not None else None,
            evidence=(said,),
            last_activity_epoch_s=at,
            resume=_resume(one.session_id, session.cwd),
            ladder=_LADDER,
        )
        if process is None:
            fact_of_it = replace(fact_of_it, shares_backend=True, ladder=())
        self.add(fact_of_it)


def _resume(session_id: str, cwd: str | None) -> ResumeTicket:
    return ResumeTicket(argv=("cline", "-i", "--id", session_id), cwd=cwd)


def _version(session: _Session) -> str | None:
    origin = session.metadata.session_history_origin
    return origin.version if origin is not None else None


def _data(around: Surroundings) -> Path:
    moved = around.environ.get("CLINE_DATA_DIR")
    if moved and os.path.isabs(moved):
        return Path(moved)
    home = around.environ.get("CLINE_DIR")
    return (Path(home) if home and os.path.isabs(home) else around.home / ".cline") / "data"
