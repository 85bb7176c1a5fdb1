"""Whose a process of Craft Agents is: processes and what the disk tells in, claims out.

Pure. No process says for sure whose helper it is: the session variable of agents and helpers names the session whose
agent the server made last. So each rule says how sure it is, in the claim's kind and in its words, and two sessions
that are as likely are both named. What only the sessions' files can tell about times is asked of `Times`, late.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from trayapp.hosts.craft_disk import Source, Stored, plain_path
from trayapp.hosts.craft_programs import (
    SESSION_DIR,
    Kind,
    claim_of,
    is_agent,
    is_bridge,
    is_called_agent,
    is_question,
    kind_of,
    pi_claim,
    question_claim,
    resumed_id,
)
from trayapp.model.process import Identity, Process, ProcessTable
from trayapp.model.session import Claim, ClaimKind, EndsBy, Role
from trayapp.programs import basename, is_shell, looks_like_helper, shell_command, words

BIRTH_S = 10.0
"""A transcript that begins so soon after its process is that process's."""
FIRST_MESSAGE_S = 120.0
"""A first message further away than this from an agent's start is not the one that started it."""
QUESTION_S = 1.0
"""A title is asked for this soon after the turn that it is for began."""
BEFORE_BACKEND_S = 2.0
"""Helpers of a session that begins start this long before its backend at most."""
SETTLED_S = 2.0
"""A session's record is written half a second after a change; younger helpers are not called leaked for want of one."""
_AROUND_MESSAGE_S = 5.0
_SLACK_S = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """Answer what only a session's files tell, in seconds since the epoch.

    Attributes:
        first_record: when the agent's own log of a session begins; None where there is none.
        messages: when the user's messages were sent, oldest first.
    """

    first_record: Callable[[Stored], float | None]
    messages: Callable[[Stored], Sequence[float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """Hold one server or desktop app with the sessions and sources of its config folder.

    Attributes:
        sessions: by folder.
        closes: sessions whose helpers the server may be asked to close, as the user allowed.
    """

    process: Process
    sessions: Mapping[str, Stored] = field(default_factory=dict)
    sources: Sequence[Source] = ()
    closes: Collection[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Remember whose a helper was while that could be seen, and how."""

    folder: str
    why: str


@dataclass(slots=True, kw_only=True)
class Attributed:
    """Hold what was found out.

    Attributes:
        claims: all of them, the servers' own ones too.
        backends: the backends of each session, by its key.
        helpers: the helpers of each session that are known to be its, with the sources that they serve.
        origins: what is to be remembered of helpers.
        unmatched: ids in arguments that no session on disk has.
    """

    claims: list[Claim] = field(default_factory=list)
    backends: dict[str, list[Process]] = field(default_factory=dict)
    helpers: dict[str, list[tuple[Process, str | None]]] = field(default_factory=dict)
    origins: dict[Identity, Origin] = field(default_factory=dict)
    unmatched: list[str] = field(default_factory=list)


class Attributor:
    """Go through the processes of all servers once, by the rules in their order."""

    def __init__(
        self,
        table: ProcessTable,
        servers: Sequence[Server],
        *,
        keys: Mapping[str, str],
        times: Times,
        known: Mapping[Identity, Origin],
        is_gone: Callable[[str], bool],
    ) -> None:
        self._table = table
        self._servers = servers
        self._keys = keys
        self._times = times
        self._known = known
        self._is_gone = is_gone
        self._found = Attributed()
        self._done: set[Identity] = set()
        self._sources: tuple[Source, ...] = ()
        self._folders = {plain_path(path): path for server in servers for path in server.sessions}
        self._began_epoch_s = table.taken_at.timestamp() - table.uptime_s

    def run(self, others: Iterable[Stored] = (), sources: Iterable[Source] = ()) -> Attributed:
        """Return the claims; `others` are sessions that no server is known for, `sources` those of all workspaces."""
        self._sources = tuple(sources)
        for server in self._servers:
            self._done.add(server.process.identity)
        for server in self._servers:
            _OneServer(self, server).run()
        self._left_behind({stored.folder: stored for stored in (*others, *self._all_sessions())})
        self._own_programs_below()
        return self._found

    def _all_sessions(self) -> Iterable[Stored]:
        return (stored for server in self._servers for stored in server.sessions.values())

    # -- shared with the rules for one server ---------------------------------------------------------------------

    def key(self, folder: str) -> str:
        """Return the id under which a session is known."""
        folder = self._folders.get(plain_path(folder), folder)
        return self._keys.get(folder) or basename(folder.rstrip("/\\"))

    def folder_of(self, process: Process) -> str | None:
        """Return the session folder that a process's variable names, as the disk writes it."""
        given = process.env.get(SESSION_DIR)
        if not given:
            return None
        return self._folders.get(plain_path(given), given)

    def start_epoch_s(self, process: Process) -> float:
        return self._began_epoch_s + process.start_s

    def is_done(self, process: Process) -> bool:
        return process.identity in self._done

    def take(self, process: Process, *claims: Claim) -> None:
        self._found.claims.extend(claims)
        self._done.add(process.identity)

    def backend(self, process: Process, claim: Claim) -> None:
        self.take(process, claim)
        if claim.session is not None:
            self._found.backends.setdefault(claim.session.session_id, []).append(process)

    def helper(self, process: Process, folder: str, claim: Claim, slug: str | None) -> None:
        self.take(process, claim)
        self._found.helpers.setdefault(self.key(folder), []).append((process, slug))

    # -- agents ---------------------------------------------------------------------------------------------------

    def claude(self, process: Process, sessions: Mapping[str, Stored]) -> None:
        """Claim an agent of the other kind: by the id that it resumes, else by folder, variable and times."""
        resumed = resumed_id(process)
        if resumed is not None:
            stored = next((s for s in sessions.values() if s.sdk_id == resumed), None)
            if stored is None:
                self._found.unmatched.append(resumed)
            session_id = self.key(stored.folder) if stored is not None else resumed
            told = "the id of its session's record: certain" if stored is not None else "no session on disk has that id"
            source = f"--resume in its arguments, {told}"
            self.backend(process, claim_of(process, Role.BACKEND, ClaimKind.ARGV, source, session_id, embedded=True))
            return
        claims = self._by_folder(process, sessions)
        if not claims:
            source = "started by its server; nothing tells for which session"
            claims = [claim_of(process, Role.BACKEND, ClaimKind.PROGRAM, source, embedded=True)]
        if len(claims) == 1:
            self.backend(process, claims[0])
        else:
            self.take(process, *claims)

    def _by_folder(self, process: Process, sessions: Mapping[str, Stored]) -> list[Claim]:
        """Choose among the sessions that run in a process's folder; two that are as likely are both returned."""

        def claim(stored: Stored, kind: ClaimKind, source: str) -> Claim:
            return claim_of(process, Role.BACKEND, kind, source, self.key(stored.folder), embedded=True)

        cwd = plain_path(process.cwd) if process.cwd else None
        fits = [s for s in sessions.values() if s.is_pi is not True and s.cwd and plain_path(s.cwd) == cwd]
        own = [s for s in fits if plain_path(s.folder) == cwd]
        if own:
            return [claim(own[0], ClaimKind.ENVIRONMENT, "it runs in its session's own folder: certain")]
        folder = self.folder_of(process)
        named = next((s for s in fits if s.folder == folder), None)
        if named is not None:
            source = f"{SESSION_DIR}, and it runs in that session's folder: nearly certain"
            return [claim(named, ClaimKind.ENVIRONMENT, source)]
        began = self.start_epoch_s(process)
        born = [s for s in fits if (at := self._times.first_record(s)) is not None and -1.0 <= at - began <= BIRTH_S]
        if len(born) == 1:
            source = "its folder, and its log begins with it: nearly certain"
            return [claim(born[0], ClaimKind.START_AND_CWD, source)]
        away = {s.folder: self._from_first_message_s(s, began) for s in born or fits}
        nearest = min(away.values(), default=FIRST_MESSAGE_S)
        if nearest >= FIRST_MESSAGE_S:
            return []
        likely = [s for s in born or fits if away[s.folder] <= nearest + _SLACK_S]
        source = "its folder, and the nearest first message: likely" + (", as with another" if len(likely) > 1 else "")
        return [claim(stored, ClaimKind.START_AND_CWD, source) for stored in likely]

    def _from_first_message_s(self, stored: Stored, began_epoch_s: float) -> float:
        first = next(iter(self._times.messages(stored)), stored.created_epoch_s)
        return abs(first - began_epoch_s) if first is not None else float("inf")

    def question(self, process: Process, agents: Sequence[Process]) -> None:
        """Give a title or summary to the agent that started just before it; otherwise it is the host's."""
        given = process.env.get(SESSION_DIR)
        near = [
            agent
            for agent in agents
            if -QUESTION_S <= process.start_s - agent.start_s <= QUESTION_S and agent.env.get(SESSION_DIR) == given
        ]
        claims = {c.session for c in self._found.claims for agent in near if c.identity == agent.identity and c.session}
        if given and len(claims) == 1:
            key = next(iter(claims)).session_id
            source = "a short question, begun together with its session's agent"
            claim = claim_of(process, Role.HELPER, ClaimKind.START_AND_CWD, source, key, embedded=True)
            self.take(process, claim)
            self._found.helpers.setdefault(key, []).append((process, None))
        else:
            self.take(process, question_claim(process))

    # -- what lost its server ---------------------------------------------------------------------------------------

    def _left_behind(self, sessions: Mapping[str, Stored]) -> None:
        """Claim what runs on although its server is gone: by now nothing can reach its helpers."""
        for process in self._table.processes.values():
            if process.is_zombie or self.is_done(process):
                continue
            lost = self._lost_its_parent(process)
            if not lost:
                if self._is_adrift(process):
                    self._left_helper(process)
                continue
            kind = kind_of(process)
            if kind is Kind.CLAUDE:
                self.claude(process, sessions)
            elif kind is Kind.PI:
                folder = self.folder_of(process)
                self.backend(process, pi_claim(process, self.key(folder) if folder else None))
            elif kind is Kind.QUESTION:
                self._left_question(process)
            elif kind is None and process.env.get(SESSION_DIR) and not is_called_agent(process):
                self._left_process(process)

    def _lost_its_parent(self, process: Process) -> bool:
        """Say whether a reaper took a process, or its parent is gone; in a cut of a table others may live outside."""
        table = self._table
        if process.ppid in table.reaper_pids:
            return True
        if table.parent(process) is not None:
            return False
        return table.complete or process.ppid in table.absent_pids or process.ppid in table.processes

    def _is_adrift(self, process: Process) -> bool:
        """Say whether what carries the session variable hangs below nobody of this host: not every reaper is known.

        What somebody runs in a terminal is theirs, also where an agent opened that terminal.
        """
        if not process.env.get(SESSION_DIR) or process.tty is not None:
            return False
        return not any(above.identity in self._done for above in self._table.ancestors(process))

    def _left_question(self, process: Process) -> None:
        folder = self.folder_of(process) or ""
        source = f"a short question; {SESSION_DIR} may name another session"
        self.take(
            process,
            claim_of(process, Role.HELPER, ClaimKind.START_AND_CWD, source, self.key(folder), embedded=True),
        )

    def _left_helper(self, process: Process) -> bool:
        """Claim a helper whose server is gone; False where it is none."""
        folder = self._known[process.identity].folder if process.identity in self._known else self.folder_of(process)
        matched = any(is_started_by(process, source) for source in self._sources)
        is_helper = matched or process.identity in self._known or is_bridge(process) or looks_like_helper(process)
        if folder is None or not is_helper:
            return False
        source = f"its server is gone; {SESSION_DIR} may name another session"
        claim = claim_of(process, Role.HELPER, ClaimKind.ENVIRONMENT, source, self.key(folder), leaked=True)
        self.take(process, claim)
        return True

    def _left_process(self, process: Process) -> None:
        folder = self.folder_of(process)
        if self._left_helper(process) or folder is None:
            return
        if "CLAUDE_CODE_SESSION_ID" not in process.env:
            # what the other kind of agent runs carries that one's own id, and this variable is not to be trusted there
            role = Role.SHELL if is_shell(process) and shell_command(process) is None else Role.WORK
            source = "the session variable that it inherited"
            self.take(process, claim_of(process, role, ClaimKind.ENVIRONMENT, source, self.key(folder)))

    def _own_programs_below(self) -> None:
        """Count what an agent runs under its own name, such as its file search, as work: it is no agent."""
        for backends in list(self._found.backends.values()):
            for backend in backends:
                for process in self._table.descendants(backend.pid):
                    if is_called_agent(process) and not is_agent(process) and not self.is_done(process):
                        source = "run by its session's agent under its own name"
                        self.take(process, claim_of(process, Role.WORK, ClaimKind.DESCENT, source, embedded=True))


class _OneServer:
    """Apply the rules to the children of one server."""

    def __init__(self, whole: Attributor, server: Server) -> None:
        self._whole = whole
        self._server = server
        self._children = [p for p in whole._table.children(server.process.pid) if not p.is_zombie]
        self._backends: dict[str, list[Process]] = {}
        self._server_began_epoch_s = whole.start_epoch_s(server.process)

    def run(self) -> None:
        agents = []
        for child in self._children:
            if kind_of(child) is Kind.PI:
                folder = self._whole.folder_of(child)
                self._whole.backend(child, pi_claim(child, self._whole.key(folder) if folder else None))
            elif is_agent(child) and not is_question(child):
                agents.append(child)
                self._whole.claude(child, self._server.sessions)
        for child in self._children:
            if is_agent(child) and is_question(child):
                self._whole.question(child, agents)
        self._note_backends()
        self._helpers()
        self._name_sessions_without_backend()

    def _note_backends(self) -> None:
        by_key = {self._whole.key(folder): folder for folder in self._server.sessions}
        for key, backends in self._whole._found.backends.items():
            if key in by_key:
                self._backends[by_key[key]] = backends

    def _name_sessions_without_backend(self) -> None:
        """Name, on the server, the sessions of which only helpers are left, so that these have a row."""
        mine = {child.identity for child in self._children}
        found = self._whole._found
        for key, helpers in found.helpers.items():
            if key not in found.backends and any(process.identity in mine for process, _ in helpers):
                source = "it started the helpers of this session"
                server = self._server.process
                found.claims.append(claim_of(server, Role.INFRA, ClaimKind.DESCENT, source, key, serves_many=True))

    # -- helpers --------------------------------------------------------------------------------------------------

    def _helpers(self) -> None:
        """Match the server's other children to the sources of its workspaces, and these to sessions."""
        served: dict[frozenset[Source], list[Process]] = {}
        for child in sorted(self._children, key=lambda p: p.identity.start):
            if self._whole.is_done(child) or kind_of(child) is not None:
                continue
            sources = frozenset(source for source in self._server.sources if is_started_by(child, source))
            if sources:
                served.setdefault(sources, []).append(child)
            elif is_bridge(child) or looks_like_helper(child):
                self._without_source(child)
        for sources, processes in served.items():
            self._of_sources(sources, processes)

    def _without_source(self, child: Process) -> None:
        """Leave a helper to its server that no source starts any more: its variable alone proves nothing."""
        source = "a helper of its server that no source of a workspace starts"
        self._whole.take(child, claim_of(child, Role.HELPER, ClaimKind.DESCENT, source, ends_by=EndsBy.NOT))

    def _of_sources(self, sources: frozenset[Source], processes: Sequence[Process]) -> None:
        slugs = {(source.root, source.slug) for source in sources}
        slug = min(source.slug for source in sources)
        candidates = {
            s.folder: s for s in self._server.sessions.values() if any((s.root, each) in slugs for each in s.sources)
        }
        left = []
        served: set[str] = set()
        for process in processes:
            origin = self._certain(process, candidates)
            if origin is None:
                left.append(process)
                continue
            self._whole._found.origins[process.identity] = origin
            if self._whole._is_gone(origin.folder):
                self._leaked(process, origin.folder, origin.why)
            else:
                served.add(origin.folder)
                self._claim(process, origin.folder, ClaimKind.ENVIRONMENT, f"source “{slug}”, {origin.why}", slug)
        left = self._by_variable(left, candidates, served, slug)
        for process in left:
            self._stale(process, candidates, served, slug, count=len(left))

    def _certain(self, process: Process, candidates: Mapping[str, Stored]) -> Origin | None:
        """Find the session with which a helper began: its variable names it, and its backend or message fits."""
        known = self._whole._known.get(process.identity)
        if known is not None:
            return known
        folder = self._whole.folder_of(process)
        if folder is None or folder not in candidates:
            return None
        after = [b.start_s - process.start_s for b in self._backends.get(folder, ())]
        if any(-_SLACK_S <= gap <= BEFORE_BACKEND_S for gap in after):
            return Origin(folder=folder, why=f"{SESSION_DIR}, and begun just before its backend: nearly certain")
        began = self._whole.start_epoch_s(process)
        messages = [at for at in self._whole._times.messages(candidates[folder]) if at >= self._server_began_epoch_s]
        if messages and abs(messages[0] - began) <= _AROUND_MESSAGE_S:
            return Origin(folder=folder, why=f"{SESSION_DIR}, and begun with its first message: nearly certain")
        return None

    def _by_variable(
        self, processes: Sequence[Process], candidates: Mapping[str, Stored], served: set[str], slug: str
    ) -> list[Process]:
        """Believe the variable alone where it names a session that uses the source and has no such helper yet."""
        left = []
        for process in processes:
            folder = self._whole.folder_of(process)
            if folder is not None and folder in candidates and folder not in served:
                served.add(folder)
                source = f"source “{slug}” and {SESSION_DIR} alone: likely"
                self._claim(process, folder, ClaimKind.START_AND_CWD, source, slug)
            else:
                left.append(process)
        return left

    def _stale(
        self, process: Process, candidates: Mapping[str, Stored], served: Collection[str], slug: str, *, count: int
    ) -> None:
        """Place a helper whose variable does not say the truth: it was started after another session's agent."""
        folder = self._whole.folder_of(process)
        without = sorted(f for f, s in candidates.items() if f not in served and self._was_awake(s))
        # what was switched on just now stands in no record yet
        settled = self._whole._table.age_s(process) >= SETTLED_S
        gone = folder is not None and settled and self._whole._is_gone(folder)
        if len(without) == 1 and count == 1:
            source = f"source “{slug}”, and no other session is without a helper of it: likely"
            self._claim(process, without[0], ClaimKind.START_AND_CWD, source, slug)
        elif without:
            also = [folder] if folder and folder in self._server.sessions and folder not in without else []
            self._between(process, [*without, *(also if len(without) == 1 else [])], slug)
        elif gone and folder is not None:
            self._leaked(process, folder, f"source “{slug}”, and every session that uses it has its own helper")
        else:
            # more helpers than sessions that use them: one is left over, and it cannot be told which
            self._between(
                process, sorted({*candidates, *({folder} & self._server.sessions.keys() if folder else ())}), slug
            )

    def _was_awake(self, stored: Stored) -> bool:
        """Say whether a session had an agent in this server: a message since its start, or a backend now."""
        last = stored.last_message_epoch_s
        return stored.folder in self._backends or last is None or last >= self._server_began_epoch_s - _SLACK_S

    def _between(self, process: Process, named: Sequence[str], slug: str) -> None:
        if not named:
            source = f"source “{slug}”, which no session has switched on: left over, from which cannot be told"
            self._whole.take(process, claim_of(process, Role.HELPER, ClaimKind.DESCENT, source, ends_by=EndsBy.NOT))
            return
        if len(named) == 1:
            source = f"source “{slug}”, which it alone uses; more of its helpers run than it needs"
            self._claim(process, named[0], ClaimKind.START_AND_CWD, source, slug)
            return
        source = f"source “{slug}”, which several sessions use; it cannot be told which: not certain"
        claims = [
            claim_of(process, Role.HELPER, ClaimKind.START_AND_CWD, source, self._whole.key(folder), ends_by=EndsBy.NOT)
            for folder in named
        ]
        self._whole.take(process, *claims)

    def _claim(self, process: Process, folder: str, kind: ClaimKind, source: str, slug: str) -> None:
        key = self._whole.key(folder)
        ends_by = EndsBy.HOST if folder in self._server.closes else EndsBy.NOT
        self._whole.helper(process, folder, claim_of(process, Role.HELPER, kind, source, key, ends_by=ends_by), slug)

    def _leaked(self, process: Process, folder: str, why: str) -> None:
        """Claim a helper of a deleted session: its server runs, and can close it no more."""
        source = f"its session was deleted; {why}"
        key = self._whole.key(folder)
        claim = claim_of(process, Role.HELPER, ClaimKind.ENVIRONMENT, source, key, leaked=True)
        self._whole.take(process, claim)


def is_started_by(process: Process, source: Source) -> bool:
    """Say whether a process is what a source's command and arguments start.

    A script is run by the program that its first line names, and npm writes its whole command into one word.
    """
    argv = words(process)
    if not argv:
        return False
    args = source.args
    name = basename(source.command)
    if basename(argv[0]) == name and argv[1:] == args:
        return True
    if len(argv) >= 2 and basename(argv[1]) in (name, f"{name}-cli.js") and argv[2:] == args:
        return True
    if name in ("npx", "npm") and argv[:2] == ("npm", "exec"):
        plain = tuple(a for a in args if a not in ("-y", "--yes", "exec", "x", "--"))
        return tuple(a for a in argv[2:] if a not in ("-y", "--yes", "--")) == plain
    return False


def with_keys(sessions: Iterable[Stored], before: Mapping[str, str]) -> dict[str, str]:
    """Return the id under which each session is known, by its folder: its own, which is short and the same for ever.

    Ids are unique in a workspace only. Where two are the same the older session keeps it, and the other is told apart
    by its workspace, or by its whole folder where that is not enough. Who has a name `before` keeps it.
    """
    named: dict[str, str] = {}
    taken: set[str] = set()
    ordered = sorted(sessions, key=lambda s: (s.folder not in before, s.created_epoch_s or float("inf"), s.folder))
    for stored in ordered:
        known = before.get(stored.folder)
        options = [known] if known is not None else []
        options += [stored.id, f"{stored.slug}/{stored.id}", stored.folder]
        key = next(option for option in options if option not in taken or option == stored.folder)
        taken.add(key)
        named[stored.folder] = key
    return named
