"""What is told of each session: the rows of one observation, made of servers, tmux, files and logs.

Reads the agents' logs and nothing else; everything besides is handed in. Must not decide what a session is doing: that
is said by evidence from codeman_judge.py.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from trayapp.hosts.anthropic_evidence import log_evidence
from trayapp.hosts.anthropic_transcript import Transcript
from trayapp.hosts.base import Surroundings, signal_ladder
from trayapp.hosts.codeman_api import Hooks, Record, address_of
from trayapp.hosts.codeman_disk import Disk, MuxSession
from trayapp.hosts.codeman_judge import Judged, Said, judge
from trayapp.hosts.codeman_owners import ADOPTED, Held, Holding, Known, is_in
from trayapp.hosts.codeman_programs import ADDRESS, HOST, mux_name_for
from trayapp.hosts.codeman_servers import Server, may_own, start_epoch_s
from trayapp.hosts.codeman_tmux import Pane, Panes
from trayapp.model.process import Process, ProcessTable
from trayapp.model.session import (
    Evidence,
    EvidenceKind,
    LadderStep,
    ResumeTicket,
    SessionFact,
    SessionKey,
    Speaks,
    StepKind,
)
from trayapp.programs import argv_value, basename, is_shell, shell_command

TWICE_S = 10.0
"""Between the two looks that make an orphan, or a remnant, of what is in no list."""
_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_RESUMES = re.compile(rf"--resume[ =]['\"]?({_UUID})")

_DELETE = LadderStep(kind=StepKind.HOST_CALL, label="Codeman is asked to close the session", wait_s=15.0, call="delete")
_CLEAR = LadderStep(
    kind=StepKind.HOST_CALL, label="Codeman is asked to take it off its list", wait_s=15.0, call="delete"
)
_SIGNALS = signal_ladder("The agent (Codeman, which does not run, will list the session until it is closed there)")
_RESUMED_NOTE = "Codeman starts it again, as a new session with the same conversation"
_NOT_FOUND_NOTE = "Codeman starts it again; no log of its conversation was found, so it may begin anew"


@dataclass(slots=True)
class Kept:
    """Keep between looks what one look needs of those before: what was missed once, and which conversation is whose."""

    bare: dict[str, float] = field(default_factory=dict)
    conversations: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """How a session is released, and what was said of it at the last look.

    Attributes:
        only_in_tmux: it is in no list of sessions any more.
        socket: where tmux has it; None = not known.
        remnant: nothing of it runs.
    """

    server: Server
    session_id: str
    only_in_tmux: bool
    mux_name: str
    socket: str | None
    said: Said
    remnant: bool
    config: Path
    conversation: str | None
    cwd: str | None


@dataclass(slots=True)
class Row:
    """What is put together for one session."""

    session_id: str
    held: Held | None
    record: Record | None
    entry: MuxSession | None
    server: Server | None
    log: Transcript | None = None
    log_fault: str | None = None
    conversation: str | None = None

    @property
    def backend(self) -> Process | None:
        return self.held.backends[-1] if self.held is not None and self.held.backends else None

    @property
    def mux_name(self) -> str:
        given = self.entry.mux_name if self.entry is not None else self.held.mux_name if self.held is not None else None
        return given or mux_name_for(self.session_id)

    @property
    def is_adopted(self) -> bool:
        return self.session_id.startswith(ADOPTED)


class Look:
    """Put the sessions of one observation together."""

    def __init__(
        self,
        disk: Disk,
        kept: Kept,
        tmux: Mapping[str, Panes],
        table: ProcessTable,
        around: Surroundings,
        now_epoch_s: float,
        servers: Sequence[Server],
        known: Known,
        holding: Holding,
    ) -> None:
        self._disk = disk
        self._kept = kept
        self._tmux = tmux
        self._table = table
        self._around = around
        self._now_epoch_s = now_epoch_s
        self._servers = servers
        self._known = known
        self._holding = holding
        self.where: dict[SessionKey, Where] = {}
        self.left_alone = 0
        self._rows = [
            self._row(session_id)
            for session_id in dict.fromkeys((*holding.sessions, *known.records))
            if session_id not in known.gone
        ]

    def _row(self, session_id: str) -> Row:
        listing = [s for s in self._servers if s.reading is not None and session_id in s.reading.records]
        server = listing[0] if listing else None
        return Row(
            session_id=session_id,
            held=self._holding.sessions.get(session_id),
            record=server.reading.records[session_id] if server is not None and server.reading is not None else None,
            entry=self._known.mux.get(session_id),
            server=server,
        )

    # -- logs -----------------------------------------------------------------------------------------------------

    def read_logs(self) -> None:
        """Read the logs of the agents that keep one; in a worker thread."""
        for row in self._rows:
            if self._mode(row) == "claude":
                self._read_log(row)

    def _read_log(self, row: Row) -> None:
        candidates = self._conversations(row)
        row.conversation = candidates[0] if candidates else None
        for conversation in candidates:
            try:
                log = self._disk.transcript(self._config(row), conversation, self._cwd(row), self._now_epoch_s)
            except OSError as fault:
                row.log_fault = fault.strerror or type(fault).__name__
                continue
            if log is not None:
                row.log, row.conversation, row.log_fault = log, conversation, None
                break
        if row.conversation is not None and row.conversation != row.session_id:
            self._kept.conversations[row.session_id] = row.conversation

    def _conversations(self, row: Row) -> list[str]:
        """Return the ids under which the conversation may be, the surest first.

        A resumed session keeps the id of what it resumed; 1.2.2 forgets that when it restarts, but the shell above the
        agent still has it in its arguments.
        """
        found: list[str | None] = []
        record, held = row.record, row.held
        if record is not None and record.claude_session_id not in (None, record.id):
            found.append(record.claude_session_id)
        for process in (held.wrapper, row.backend) if held is not None else ():
            argv = process.argv or () if process is not None else ()
            found.append(argv_value(argv, "--resume"))
            match = _RESUMES.search(shell_command(process) or "") if process is not None else None
            found.append(match.group(1) if match is not None else None)
        found.append(self._kept.conversations.get(row.session_id))
        found.append(held.carried_id if held is not None else None)
        found.append(None if row.is_adopted else row.session_id)
        return list(dict.fromkeys(each for each in found if each))

    def _config(self, row: Row) -> Path:
        given = row.backend.env.get("CLAUDE_CONFIG_DIR") if row.backend is not None else None
        given = given or self._around.environ.get("CLAUDE_CONFIG_DIR")
        return Path(given) if given and os.path.isabs(given) else self._around.home / ".claude"

    # -- what a session is ----------------------------------------------------------------------------------------

    def _mode(self, row: Row) -> str:
        """Return what runs in it; an adopted session is always said to be an agent's, whatever it is."""
        if row.backend is not None and is_shell(row.backend) and shell_command(row.backend) is None:
            return "shell"
        if row.is_adopted and row.backend is not None:
            return _program(row.backend)
        told = row.record.mode if row.record is not None else row.entry.mode if row.entry is not None else None
        return told or (_program(row.backend) if row.backend is not None else "claude")

    def _cwd(self, row: Row) -> str | None:
        """Return its folder; what is said of an adopted session's is the server's own."""
        told = row.record.working_dir if row.record is not None else None
        told = told or (row.entry.working_dir if row.entry is not None else None)
        own = row.backend.cwd if row.backend is not None else None
        return own or (None if row.is_adopted else told) if row.is_adopted else told or own

    def _refusal(self, row: Row) -> str | None:
        record = row.record
        if record is None:
            return None
        if record.remote:
            return "Its agent runs on another computer, so Agent Ring leaves it alone"
        if record.docker:
            return "Its agent runs in a container, so Agent Ring leaves it alone"
        if record.owner and record.owner != (self._around.access(HOST).user or None):
            return "It belongs to another user of Codeman, so Agent Ring leaves it alone"
        return None

    # -- facts ----------------------------------------------------------------------------------------------------

    def facts(self) -> tuple[SessionFact, ...]:
        """Return the sessions that run, and those of which only the list is left."""
        found: list[SessionFact] = []
        bare: dict[str, float] = {}
        for row in self._rows:
            if row.held is not None and row.held.backends:
                self.left_alone += self._refusal(row) is not None
                found.append(self._live(row))
            elif row.record is not None:
                if self._refusal(row) is not None:
                    self.left_alone += 1
                    continue
                bare[row.session_id] = self._kept.bare.get(row.session_id, self._now_epoch_s)
                remnant = self._remnant(row, bare[row.session_id])
                found += [remnant] if remnant is not None else []
        self._kept.bare = bare
        living = {row.session_id for row in self._rows}
        kept = self._kept.conversations
        self._kept.conversations = {key: value for key, value in kept.items() if key in living}
        return tuple(found)

    def _live(self, row: Row) -> SessionFact:
        assert row.held is not None
        key = SessionKey(HOST, row.session_id)
        said = self._said(row)
        judged = judge(said)
        ladder, told = self._ladder(row)
        if row.log_fault is not None:
            told = (*told, self._told(Speaks.UNREADABLE, f"Its log cannot be read ({row.log_fault})", "transcript"))
        log_title = row.log.title if row.log is not None else None
        name = (row.record.name if row.record is not None else None) or (row.entry.name if row.entry else None)
        cwd = self._cwd(row)
        fact = SessionFact(
            key=key,
            title=name or log_title or (basename(cwd) if cwd else None),
            cwd=cwd,
            model=(row.log.model if row.log is not None else None)
            or (row.record.cli_model if row.record is not None else None),
            evidence=(*judged.evidence, *told),
            last_activity_epoch_s=self._last_activity(row, judged),
            resume=self._resume(row),
            ladder=ladder,
            refusal=self._refusal(row),
        )
        if _DELETE in ladder:
            self._note_where(row, said, remnant=False)
        return fact

    def _said(self, row: Row) -> Said:
        server, panes = row.server, self._panes(row)
        reading = server.reading if server is not None else None
        reads = [kept.read_epoch_s for kept in self._tmux.values() if kept.panes is not None]
        backend = row.backend
        said = Said(
            now_epoch_s=self._now_epoch_s,
            record=row.record,
            panes=panes,
            hooks=reading.hooks.get(row.session_id, Hooks()) if reading is not None else None,
            server_start_epoch_s=server.start_epoch_s if server is not None else None,
            subagents=reading.subagents if reading is not None else (),
            scheduled=reading.scheduled if reading is not None else (),
            asks=server is not None and row.session_id in server.approvals,
            shell=self._mode(row) == "shell",
            viewed=row.held.viewed if row.held is not None else False,
            respawns=row.record is None and row.entry is not None and row.entry.respawns,
            began_epoch_s=start_epoch_s(self._table, backend) if backend is not None else None,
            record_read_epoch_s=reading.read_epoch_s if reading is not None else None,
            panes_read_epoch_s=min(reads, default=None),
        )
        return with_log(said, row.log)

    def _panes(self, row: Row) -> tuple[Pane, ...] | None:
        """Return its panes; None where tmux has not been asked since its agent began."""
        panes = self._holding.panes_of(row.mux_name)
        if panes or row.backend is None:
            return panes
        asked = [kept.read_epoch_s for kept in self._tmux.values() if kept.panes is not None]
        is_new = start_epoch_s(self._table, row.backend) >= min(asked, default=float("inf")) - 1.0
        return None if is_new or not asked else panes

    def _last_activity(self, row: Row, judged: Judged) -> float | None:
        log = row.log.last_activity_epoch_s if row.log is not None else None
        times = [at for at in (judged.last_activity_epoch_s, log) if at is not None]
        return max(times, default=None)

    def _told(self, speaks_for: Speaks, fact: str, source: str = "Codeman") -> Evidence:
        return Evidence(
            kind=EvidenceKind.RECORD,
            speaks_for=speaks_for,
            fact=fact,
            source=source,
            read_epoch_s=self._now_epoch_s,
        )

    def _ladder(self, row: Row) -> tuple[tuple[LadderStep, ...], tuple[Evidence, ...]]:
        """Return how a session that runs is released, and what is to be said about that."""
        held = row.held
        assert held is not None
        if held.one_shot:
            one_shot = replace(
                self._told(Speaks.BUSY, "Codeman runs it for one task and waits for its answer"),
                kind=EvidenceKind.BACKGROUND_TASK,
            )
            return (), (one_shot,)
        if held.lone and row.record is None:
            return (), (self._told(Speaks.NOTHING, "What started it is gone, and nothing can reach it any more"),)
        if row.record is not None and row.server is not None:
            if row.server.fault is not None:
                return (), (self._told(Speaks.UNREADABLE, f"What Codeman says is old: {row.server.fault.what}"),)
            if self._panes(row) == ():
                lost = self._told(Speaks.NOTHING, "Its pane is gone, so Codeman cannot reach its agent any more")
                return (_DELETE,), (lost,)
            return (_DELETE,), ()
        owners = [server for server in self._servers if may_own(server, held)]
        unusable = [server.fault for server in owners if server.fault is not None]
        if unusable:
            return (), (self._told(Speaks.UNREADABLE, f"What Codeman says of it is not known: {unusable[0].what}"),)
        detached = next((s for s in owners if is_in(s.mux or (), held)), None)
        if detached is not None:
            row.server = detached
            return (_DELETE,), (self._told(Speaks.NOTHING, "Codeman has let go of it and still keeps it in tmux"),)
        if owners:
            return (), (self._told(Speaks.UNREADABLE, "Codeman does not list it; that is looked at once more"),)
        return self._without_server(row, held)

    def _without_server(self, row: Row, held: Held) -> tuple[tuple[LadderStep, ...], tuple[Evidence, ...]]:
        """Say what is safe while no server runs.

        An agent ends in order on SIGTERM and leaves a dead pane, which Codeman lists until it is closed there. The
        shell above a resumed agent would start another one ("resume or new"); a shell of the user's does not end so.
        """
        down = "Codeman's server does not run; the session lives on in tmux"
        if held.wrapper is not None:
            fact = f"{down}, and a shell there would start its agent again. Start Codeman to release it"
            return (), (self._told(Speaks.NOTHING, fact),)
        if self._mode(row) == "shell":
            return (), (self._told(Speaks.NOTHING, f"{down}. Start Codeman to release it"),)
        return _SIGNALS, (self._told(Speaks.NOTHING, down),)

    def _remnant(self, row: Row, bare_since_epoch_s: float) -> SessionFact | None:
        """Return a session of which nothing runs; None while it may only just be starting."""
        record, server = row.record, row.server
        assert record is not None
        panes = self._holding.panes_of(row.mux_name)
        dead = [pane for pane in panes or () if pane.dead]
        if any(not pane.dead for pane in panes or ()):
            return None
        ended_by_itself = bool(dead) or record.pane_exit is not None
        if not ended_by_itself and self._now_epoch_s - bare_since_epoch_s < TWICE_S:
            return None
        died = max((pane.died_epoch_s for pane in dead if pane.died_epoch_s is not None), default=None)
        status = next((pane.exit_status for pane in dead if pane.exit_status is not None), None)
        word = f" (exit {status})" if status is not None else ""
        fact = f"Its program has ended{word}; Codeman still lists it"
        fact = fact if ended_by_itself else "Nothing runs in it; Codeman lists it"
        ended = replace(
            self._told(Speaks.ENDED, fact, "tmux" if dead else "process table"),
            kind=EvidenceKind.HOST_STATUS,
            at_epoch_s=died,
        )
        usable = server is not None and server.fault is None
        if usable:
            self._note_where(row, self._said(row), remnant=True)
        return SessionFact(
            key=SessionKey(HOST, row.session_id),
            title=record.name or None,
            cwd=self._cwd(row),
            evidence=(ended,),
            last_activity_epoch_s=died,
            resume=self._resume(row),
            ladder=(_CLEAR,) if usable else (),
            remnant=True,
        )

    def _note_where(self, row: Row, said: Said, *, remnant: bool) -> None:
        assert row.server is not None
        self.where[SessionKey(HOST, row.session_id)] = Where(
            server=row.server,
            session_id=row.session_id,
            only_in_tmux=row.record is None,
            mux_name=row.mux_name,
            socket=self._socket(row),
            said=said,
            remnant=remnant,
            config=self._config(row),
            conversation=row.conversation if row.log is not None else None,
            cwd=self._cwd(row),
        )

    def _socket(self, row: Row) -> str | None:
        for path, kept in self._tmux.items():
            if any(pane.mux_name == row.mux_name for pane in kept.panes or ()):
                return path
        return None

    def _resume(self, row: Row) -> ResumeTicket | None:
        cwd, mode = self._cwd(row), self._mode(row)
        if mode == "shell" or cwd is None or (row.held is not None and row.held.one_shot):
            return None
        if mode != "claude":
            return ResumeTicket(cwd=cwd, note="Start it again in Codeman, in this folder")
        name = (row.record.name if row.record is not None else None) or (row.entry.name if row.entry else None)
        conversation = row.conversation or (row.held.carried_id if row.held is not None else row.session_id)
        address = row.server.client.address if row.server is not None else self._address(row)
        given = {"workingDir": cwd, "name": name, "resumeSessionId": conversation, "address": address}
        return ResumeTicket(
            cwd=cwd,
            note=_RESUMED_NOTE if row.log is not None else _NOT_FOUND_NOTE,
            call="resume",
            given=tuple((key, value) for key, value in given.items() if value),
        )

    def _address(self, row: Row) -> str | None:
        return address_of(row.backend.env.get(ADDRESS, "")) if row.backend is not None else None


def with_log(said: Said, log: Transcript | None) -> Said:
    """Add what an agent's log says; a turn without a time may be any run's, and says nothing."""
    if log is None or said.began_epoch_s is None:
        return said
    evidence = log_evidence(log, began_epoch_s=said.began_epoch_s, now_epoch_s=said.now_epoch_s)
    timed = (e if e.at_epoch_s is not None else replace(e, speaks_for=Speaks.NOTHING) for e in evidence)
    return replace(said, log_evidence=tuple(timed), log_epoch_s=log.last_activity_epoch_s or log.turn_epoch_s)


def _program(process: Process) -> str:
    argv = process.argv or ()
    script = next((argument for argument in argv[1:] if not argument.startswith("-")), "")
    name = basename(argv[0] if argv else process.exe or "")
    return basename(script) if name in ("node", "bun", "deno") and script else name
