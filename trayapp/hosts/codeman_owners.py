"""Whose process is whose: a process table and Codeman's lists in, claims out. Pure.

An agent is told by the variables in its environment and by the pane that it runs in, never by the `pid` in the list of
sessions, which is a tmux client of the server's. Everything below an agent inherits those variables, so only the
topmost carrier is the agent; what is below follows it by descent, and a carrier that lost its parent keeps its session
by the variable. A pid from a list or from tmux counts only while the process is one that tmux started.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from trayapp.hosts.codeman_api import Record
from trayapp.hosts.codeman_disk import MuxSession
from trayapp.hosts.codeman_programs import (
    attached_to,
    claim_of,
    is_agent_program,
    is_own_check,
    is_start_shell,
    is_tmux,
    mux_name_for,
    mux_name_of,
    session_id_of,
)
from trayapp.hosts.codeman_tmux import Pane
from trayapp.model.process import Identity, Process, ProcessTable
from trayapp.model.session import Claim, ClaimKind, Role

ADOPTED = "restored-"
"""How the id of a session begins that a server found in tmux without knowing it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Hold what Codeman and tmux say.

    Attributes:
        records: sessions of all servers that answer, by id.
        mux: sessions in tmux by id, as servers or their files tell.
        panes: by the path of the socket; None = that one could not be asked.
        servers: processes of its servers.
        gone: sessions that are in no list any more although their server answers.
    """

    records: Mapping[str, Record] = field(default_factory=dict)
    mux: Mapping[str, MuxSession] = field(default_factory=dict)
    panes: Mapping[str, Sequence[Pane] | None] = field(default_factory=dict)
    servers: frozenset[Identity] = frozenset()
    gone: frozenset[str] = frozenset()


@dataclass(slots=True, kw_only=True)
class Held:
    """Hold what runs for one session.

    Attributes:
        carried_id: the id in the environment, where that is another one: of an adopted session.
        backends: its agents, the newest last.
        wrapper: the shell that stays above a resumed agent.
        carriers: all that carry its id and have no parent that does.
        one_shot: a direct child of the server, outside of tmux.
        lone: its agent has lost its server or its pane, and nothing is above it.
        viewed: somebody looks at it with a tmux client of their own.
    """

    session_id: str
    carried_id: str
    mux_name: str | None = None
    backends: list[Process] = field(default_factory=list)
    wrapper: Process | None = None
    carriers: list[Process] = field(default_factory=list)
    one_shot: bool = False
    lone: bool = False
    viewed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """Hold what was found: claims by process, sessions by id, and their panes (None = could not be asked)."""

    claims: Mapping[Identity, Claim]
    sessions: Mapping[str, Held]
    panes: Mapping[str, tuple[Pane, ...]]
    tmux_answers: bool

    def panes_of(self, mux_name: str | None) -> tuple[Pane, ...] | None:
        """Return the panes of a session; None where a socket on which they may be could not be asked."""
        found = self.panes.get(mux_name or "", ())
        return found if found or self.tmux_answers else None


def hold(table: ProcessTable, recognised: Iterable[Claim], known: Known) -> Holding:
    """Say which process serves which session."""
    return _Holder(table, recognised, known).run()


class _Holder:
    """Hold what one pass needs."""

    def __init__(self, table: ProcessTable, recognised: Iterable[Claim], known: Known) -> None:
        self._table = table
        self._known = known
        self._claims = {claim.identity: claim for claim in recognised if table.get(claim.identity) is not None}
        carriers = (table.processes[identity.pid] for identity in self._claims)
        self._carriers = {
            process.identity: process
            for process in carriers
            if session_id_of(process) is not None and self._claims[process.identity].kind is ClaimKind.ENVIRONMENT
        }
        self._by_mux_name = {name: session_id for session_id, name in self._names().items()}
        self._sessions: dict[str, Held] = {}
        self._panes = _panes_by_name(known.panes)

    def run(self) -> Holding:
        for process in sorted(self._carriers.values(), key=lambda p: (p.identity.start, p.pid)):
            self._carrier(process)
        self._lone_agents()
        self._other_panes()
        self._views()
        self._own_checks()
        self._tmux_servers()
        for held in self._sessions.values():
            held.backends.sort(key=lambda process: process.identity.start)
        return Holding(
            claims=self._claims,
            sessions=self._sessions,
            panes=self._panes,
            tmux_answers=bool(self._known.panes) and all(panes is not None for panes in self._known.panes.values()),
        )

    def _names(self) -> dict[str, str]:
        """Return the tmux sessions of those that are listed: by their own word, else an adopted one's by its id."""
        names = {s: mux_name_for(s) for s in self._known.records if s.startswith(ADOPTED)}
        return {**names, **{entry.session_id: entry.mux_name for entry in self._known.mux.values()}}

    def _held(self, process: Process) -> Held:
        carried = session_id_of(process) or ""
        mux_name = mux_name_of(process)
        listed = carried in self._known.records or carried in self._known.mux
        session_id = carried if listed or mux_name is None else self._by_mux_name.get(mux_name, carried)
        held = self._sessions.setdefault(session_id, Held(session_id=session_id, carried_id=carried))
        held.mux_name = held.mux_name or mux_name
        return held

    # -- carriers of the variable ---------------------------------------------------------------------------------

    def _carrier(self, process: Process) -> None:
        """Find out what a carrier is: the agent itself, something that lost its parent, or something below."""
        parent = self._table.parent(process)
        if parent is not None and session_id_of(parent) == session_id_of(process):
            # an agent below an agent is a session of its own host; all else follows its parent
            del self._claims[process.identity]
            return
        held = self._held(process)
        held.carriers.append(process)
        if parent is not None and parent.identity in self._known.servers:
            held.one_shot = True
            self._backend(process, held, "started by its server for one task")
        elif parent is not None and is_tmux(parent):
            self._backend(process, held, "the agent's variables, in a pane of tmux")
        elif parent is not None and self._is_wrapper(parent):
            held.wrapper = parent
            kind = ClaimKind.REGISTRY if self._is_in_pane(parent, held) else ClaimKind.DESCENT
            self._claims[parent.identity] = claim_of(
                parent, Role.WRAPPER, kind, "starts the agent, and stays above it", held.session_id
            )
            self._backend(process, held, "the agent's variables, below the shell of a pane")
        else:
            self._claims[process.identity] = claim_of(
                process, Role.UNKNOWN, ClaimKind.ENVIRONMENT, "the session variable that it inherited", held.session_id
            )

    def _is_wrapper(self, parent: Process) -> bool:
        above = self._table.parent(parent)
        return session_id_of(parent) is None and is_start_shell(parent) and above is not None and is_tmux(above)

    def _backend(self, process: Process, held: Held, source: str) -> None:
        listed = self._is_in_pane(held.wrapper or process, held) or self._is_listed(held.wrapper or process, held)
        kind = ClaimKind.REGISTRY if listed else ClaimKind.ENVIRONMENT
        held.backends.append(process)
        self._claims[process.identity] = claim_of(
            process,
            Role.BACKEND,
            kind,
            source,
            held.session_id,
            leaked=held.session_id in self._known.gone and not held.one_shot,
        )

    def _is_in_pane(self, process: Process, held: Held) -> bool:
        return any(pane.pid == process.pid and not pane.dead for pane in self._panes.get(held.mux_name or "", ()))

    def _is_listed(self, process: Process, held: Held) -> bool:
        entry = self._known.mux.get(held.session_id)
        return entry is not None and entry.pid == process.pid

    def _lone_agents(self) -> None:
        """Take an agent that nothing is above for the backend of a session which has no other: its server was killed.

        An agent program whose session runs elsewhere was started by that one, and is a session of its own host.
        """
        for held in self._sessions.values():
            lone = [process for process in held.carriers if is_agent_program(process)]
            backends = {process.identity for process in held.backends}
            for process in lone:
                if process.identity in backends:
                    continue
                if backends:
                    del self._claims[process.identity]
                else:
                    held.lone = True
                    self._backend(process, held, "the agent's variables; nothing is above it any more")

    # -- panes ----------------------------------------------------------------------------------------------------

    def _other_panes(self) -> None:
        """Claim what runs in a session's panes without its variables, such as the second pane of a team."""
        names = {held.mux_name: held for held in self._sessions.values() if held.mux_name is not None}
        listed = {mux_name_for(session_id): session_id for session_id in self._known.records}
        listed |= self._by_mux_name
        for name, panes in self._panes.items():
            held = names.get(name)
            if held is None and name not in listed:
                continue
            for pane in panes:
                process = self._in_pane(pane)
                if process is None or process.identity in self._claims:
                    continue
                if held is None:
                    held = Held(session_id=listed[name], carried_id=listed[name], mux_name=name)
                    self._sessions[held.session_id] = held
                self._pane_process(process, held)

    def _pane_process(self, process: Process, held: Held) -> None:
        if held.backends:
            # one of a team's: while it runs, the session works
            role, source = Role.WORK, "a further pane of its tmux session"
        else:
            role, source = Role.BACKEND, "the pane of its tmux session"
            held.backends.append(process)
        self._claims[process.identity] = claim_of(process, role, ClaimKind.REGISTRY, source, held.session_id)

    def _in_pane(self, pane: Pane) -> Process | None:
        """Return the process that runs in a pane; a pid in use again is not one that tmux started."""
        process = None if pane.dead else self._table.processes.get(pane.pid)
        if process is None or process.is_zombie:
            return None
        parent = self._table.parent(process)
        return process if parent is not None and is_tmux(parent) else None

    def _views(self) -> None:
        names = {held.mux_name: held for held in self._sessions.values() if held.mux_name is not None}
        for identity, claim in list(self._claims.items()):
            if claim.role is not Role.CLIENT:
                continue
            client = self._table.processes[identity.pid]
            parent = self._table.parent(client)
            if parent is not None and parent.identity in self._known.servers:
                self._claims[identity] = claim_of(client, Role.INFRA, ClaimKind.PROGRAM, "its server's client of tmux")
            elif (held := names.get(attached_to(client) or "")) is not None:
                held.viewed = True

    def _own_checks(self) -> None:
        """Count the sessions in which Codeman asks an agent about another one to the host, with all below them."""
        for name, panes in self._panes.items():
            for pane in panes if is_own_check(name) else ():
                process = self._in_pane(pane)
                for each in (process, *self._table.descendants(process.pid)) if process is not None else ():
                    self._claims[each.identity] = claim_of(
                        each, Role.INFRA, ClaimKind.REGISTRY, "a check of its own, in a tmux session of its own"
                    )

    def _tmux_servers(self) -> None:
        """Count a tmux server to the host where all that runs in it is the host's; else it is the user's."""
        ours = {*self._by_mux_name, *(held.mux_name for held in self._sessions.values())}
        for process in {p.identity: p for p in map(self._table.parent, self._pane_roots()) if p is not None}.values():
            told = [
                panes
                for path, panes in self._known.panes.items()
                if panes and any(pane.pid in {c.pid for c in self._table.children(process.pid)} for pane in panes)
            ]
            if not is_tmux(process) or process.identity in self._claims or not told:
                continue
            if all(pane.mux_name in ours or is_own_check(pane.mux_name) for panes in told for pane in panes):
                self._claims[process.identity] = claim_of(
                    process, Role.INFRA, ClaimKind.REGISTRY, "a tmux server with nothing but its sessions"
                )

    def _pane_roots(self) -> list[Process]:
        return [held.wrapper or process for held in self._sessions.values() for process in held.backends]


def _panes_by_name(told: Mapping[str, Sequence[Pane] | None]) -> dict[str, tuple[Pane, ...]]:
    found: dict[str, list[Pane]] = {}
    for panes in told.values():
        for pane in panes or ():
            found.setdefault(pane.mux_name, []).append(pane)
    return {name: tuple(panes) for name, panes in found.items()}


def is_in(listed: Collection[MuxSession], held: Held) -> bool:
    """Say whether a list names a session, by either of its ids or by its tmux session."""
    ids = {held.session_id, held.carried_id}
    return any(each.session_id in ids or each.mux_name == held.mux_name for each in listed)
