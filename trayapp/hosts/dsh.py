"""DSH: hosts that keep all their sessions in one heap, and the plugin of ours that tells and releases them.

Knows which sessions a host holds (the locks that it holds open, or the plugin), what the disk and the plugin say of
them, and whose a process below it is. Programs are told apart in dsh_programs.py, the disk is read in dsh_disk.py, the
plugin is asked in dsh_client.py and put in place by dsh_install.py. Must not decide what a session is doing. Nobody
signs in to a host here, no log is read, and no view is opened on a session, which alone would load it.

A host's process is the host's own: its sessions are rows without a process (`shares_backend`), each in the heap of that
process (`heap_of`). What a session started carries its id and belongs to its row; MCP servers are the host's. A program
that runs for one client (a task, an editor) is the one session that it holds. Subagents live in the heap as sessions of
their own and are told with their parent's.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from trayapp.hosts import dsh_client
from trayapp.hosts.base import CallResult, Surroundings, signal_ladder
from trayapp.hosts.dsh_client import HeapReply, Mount, PluginUnusable, SessionReply, Told
from trayapp.hosts.dsh_disk import Cache, Record, holds_no_locks, locks_in, version_of
from trayapp.hosts.dsh_programs import (
    ENVIRONMENT_NAMES,
    HOST,
    LABEL,
    WORDS,
    Kind,
    Program,
    claim_of,
    heap_flag_bytes,
    home_of,
    program_of,
    recognise,
)
from trayapp.model.finding import Finding, Standing
from trayapp.model.process import Identity, Process, ProcessTable
from trayapp.model.session import (
    Claim,
    ClaimKind,
    Evidence,
    EvidenceKind,
    Heap,
    HostInstance,
    LadderStep,
    Observation,
    Problem,
    ResumeTicket,
    Role,
    SessionFact,
    SessionKey,
    Speaks,
    StepKind,
)
from trayapp.model.setup import HostSetup
from trayapp.programs import argv_value, basename
from trayapp.wording import memory

if TYPE_CHECKING:
    from trayapp.hosts.dsh_install import Installer

_T = TypeVar("_T")

SESSIONS_LIMIT = 500
"""More live sessions than these are counted and not shown: rows by the thousand help nobody."""
_HOSTS_LIMIT = 16
_PORTS_KEPT_S = 30.0
_LET_BE_S = 15.0
"""How long a plugin that did not answer is not asked again."""
_DEFAULT_PORT = 3080
_PLUGIN, _CACHE = "the plugin in its host", "its host's cache on disk"

INSTALL = "agentring hosts dsh install-plugin"
_NEEDS_PLUGIN = f"It needs the plugin to be released: `{INSTALL}` puts it into its host"
_CAN_BE_RELEASED = (
    LadderStep(kind=StepKind.HOST_CALL, label="Its host is asked to unload it", wait_s=3.0, call="release"),
)
_ENDS_WITH_ITS_PROGRAM = signal_ladder("DSH")

_REFUSED = {
    "turn-running": "a turn is running in it",
    "job-running": "a background job of it runs",
    "subagent-running": "a subagent of it is at work",
    "schedule-active": "it has a schedule that is still to run",
    "terminal-open": "a terminal of it is open, which would be killed",
    "view-attached": "it is open in a view, which would hold its memory",
    "pending-input": "input waits in it that it has not taken up",
    "unsupported-host": "this version of the host offers the plugin no way to unload it",
}
"""Why a host does not release a session, in the plugin's words and in ours."""
_WORK = frozenset({"turn-running", "job-running", "subagent-running"})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """One host's process, as the system and its files tell of it.

    Attributes:
        live: the sessions whose locks it holds; None = that cannot be told.
        mount: where its plugin is asked; `fault` says why a plugin that left its file is not.
    """

    process: Process
    program: Program
    home: Path
    ports: tuple[int, ...]
    live: tuple[str, ...] | None
    version: str | None
    mount: Mount | None = None
    fault: PluginUnusable | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Host:
    """One host with all that is known of it now; `told` is the plugin's word, where it gave one."""

    seen: _Seen
    told: Told | None
    fault: PluginUnusable | None
    records: Mapping[str, Record]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Where:
    """Where a session can be released."""

    home: Path
    identity: Identity
    start: int | None
    start_epoch_s: float


class Dsh:
    """The adapter. Keeps versions, ports and records between observations, and where each session can be released."""

    label = LABEL
    environment_names: tuple[str, ...] = ENVIRONMENT_NAMES
    words = WORDS

    def __init__(self, installer: Installer | None = None) -> None:
        self._installer = installer
        self._cache = Cache()
        self._versions: dict[Identity, str | None] = {}
        self._ports: dict[Identity, tuple[float, tuple[int, ...] | None]] = {}
        self._heaps: dict[Identity, Heap] = {}
        self._let_be: dict[Identity, tuple[float, PluginUnusable]] = {}
        self._where: dict[SessionKey, _Where] = {}
        self._hosts: tuple[_Host, ...] = ()
        self._looking = threading.Lock()

    def recognise(self, process: Process) -> Claim | None:
        """Say what a process is to DSH, by its arguments and variables. Pure."""
        return recognise(process)

    async def observe(self, table: ProcessTable, recognised: Sequence[Claim], around: Surroundings) -> Observation:
        """Read what hosts hold open and what the disk says of it, and ask those plugins that are mounted."""
        running = _running(table, recognised)
        seen = await asyncio.to_thread(self._see, running, table, around)
        if seen is None:
            return _held_up(recognised, around)
        told = await asyncio.gather(*(self._ask(one, table) for one in seen))
        hosts = await asyncio.to_thread(self._read_records, seen, told)
        look = _Look(hosts, recognised, table, around, self._heaps)
        observation = look.result()
        self._hosts, self._heaps = hosts, look.heaps
        self._where = {
            fact.key: _where(host, table) for host in hosts for fact in look.facts_of[host.seen.process.identity]
        }
        return observation

    async def call(self, name: str, session: SessionFact, around: Surroundings) -> CallResult:
        """Carry out "release": the host unloads the session, which stays listed and can be resumed."""
        where = self._where.get(session.key)
        if name != "release" or where is None:
            return CallResult(ok=False, message=f"DSH offers no “{name}” for this session")
        try:
            mount = await asyncio.to_thread(_mount_now, where, around)
            reply = await dsh_client.release(mount, session.key.session_id)
        except PluginUnusable as fault:
            return CallResult(ok=False, message=f"{fault.what}. {fault.mend}")
        if reply.result == "released":
            return CallResult(ok=True, message=_said_of_release(reply.took_ms, reply.heap))
        if reply.result == "not-live":
            return CallResult(ok=True, message="already released")
        reasons = [_REFUSED.get(code, code) for code in reply.refusals or [reply.result]]
        return CallResult(ok=False, message=f"its host refuses: {' and '.join(reasons)}")

    async def heap(self, host: Identity, around: Surroundings) -> tuple[Heap, int | None] | None:
        """Return the heap of a host now and how many full collections it has seen; None without its plugin.

        What a release freed shows after the next full collection.
        """
        where = next((w for w in self._where.values() if w.identity == host), None)
        if where is None:
            return None
        try:
            mount = await asyncio.to_thread(_mount_now, where, around)
            reply = await dsh_client.heap(mount)
        except PluginUnusable:
            return None
        return _heap(reply, around.now_epoch_s()), reply.full_collections

    async def collect(self, host: Identity, around: Surroundings) -> bool:
        """Let V8 collect the whole heap now; False where the plugin is gone or its host is at work.

        An idle host does not collect by itself, so that what was released would stay.
        """
        where = next((w for w in self._where.values() if w.identity == host), None)
        if where is None:
            return False
        try:
            mount = await asyncio.to_thread(_mount_now, where, around)
            return (await dsh_client.collect(mount)).result == "collected"
        except PluginUnusable:
            return False

    def findings(self, around: Surroundings) -> Sequence[Finding]:
        """Tell for each home and profile whether the plugin is installed, and for each host whether it is mounted."""
        return [*self._about_profiles(around), *(_about_mount(host) for host in self._hosts if _can_mount(host))]

    def setups(self, around: Surroundings) -> Sequence[HostSetup]:
        """Offer the plugin for the profiles of hosts that run, else for those of the usual home; writes nothing."""
        installer = self._installer_here(around)
        return [_offer(installer, home, profile, around) for home, profile in self._profiles(around)]

    def set_up(self, offer: HostSetup, around: Surroundings) -> None:
        """Put the plugin in as it was offered. Raises SetUpFailed, also when it would now write something else."""
        from trayapp.hosts.dsh_install import InstallError

        installer = self._installer_here(around)
        for home, profile in self._profiles(around):
            if _key_of(home, profile) == offer.key:
                plan = installer.plan_install(home, profile)
                if not set(plan.steps) <= set(offer.steps):
                    raise InstallError("It would write something else by now. Look again before you agree")
                plan.carry_out()
                return
        raise InstallError("That profile is not there any more. Look again")

    def _profiles(self, around: Surroundings) -> list[tuple[Path, str]]:
        running = [(h.seen.home, h.seen.program.profile or "") for h in self._hosts if _can_mount(h)]
        usual = [(around.home / ".dsh", profile) for profile in ("web", "desktop")]
        there = [(home, profile) for home, profile in usual if (home / "profiles" / profile).is_dir()]
        return list(dict.fromkeys(running or there))

    def _installer_here(self, around: Surroundings) -> Installer:
        if self._installer is not None:
            return self._installer
        from trayapp.hosts.dsh_install import Installer, find_tools

        return Installer(tools=find_tools(around.environ))

    # -- reading, in a worker thread ------------------------------------------------------------------------------

    def _see(
        self, running: Sequence[tuple[Process, Program]], table: ProcessTable, around: Surroundings
    ) -> tuple[_Seen, ...] | None:
        """Return what the system and the files tell of each host; None while an earlier look still reads."""
        if not self._looking.acquire(blocking=False):
            return None
        try:
            alive = {process.identity for process, _ in running}
            self._versions = {i: version for i, version in self._versions.items() if i in alive}
            self._ports = {i: ports for i, ports in self._ports.items() if i in alive}
            self._let_be = {i: let_be for i, let_be in self._let_be.items() if i in alive}
            return tuple(self._see_one(process, program, table, around) for process, program in running)
        finally:
            self._looking.release()

    def _see_one(self, process: Process, program: Program, table: ProcessTable, around: Surroundings) -> _Seen:
        identity = process.identity
        if identity not in self._versions:
            self._versions[identity] = version_of(program, process)
        version = self._versions[identity]
        held = around.processes.open_files(identity)
        locks = locks_in(held or ())
        told_home = home_of(process) or (locks[0].home if locks else None)
        home = Path(told_home) if told_home is not None else around.home / ".dsh"
        live: tuple[str, ...] | None = tuple(dict.fromkeys(lock.session_id for lock in locks))
        if held is None or (not live and (table.machine.platform == "windows" or holds_no_locks(home, version))):
            live = None
        mount, fault = self._mount(process, home, table, around)
        return _Seen(
            process=process,
            program=program,
            home=home,
            ports=self._ports_of(identity, table, around) or (),
            live=live,
            version=version,
            mount=mount,
            fault=fault,
        )

    def _mount(
        self, process: Process, home: Path, table: ProcessTable, around: Surroundings
    ) -> tuple[Mount | None, PluginUnusable | None]:
        try:
            start = process.identity.start if table.machine.platform == "linux" else None
            start_epoch_s = _start_epoch_s(table, process)
            mount = dsh_client.read_mount(home, process.pid, start=start, start_epoch_s=start_epoch_s)
            if mount is None:
                return None, None
            if mount.port not in (self._ports_of(process.identity, table, around) or (mount.port,)):
                self._ports.pop(process.identity)
                _refuse_foreign(mount, self._ports_of(process.identity, table, around))
        except PluginUnusable as fault:
            return None, fault
        return mount, None

    def _ports_of(self, identity: Identity, table: ProcessTable, around: Surroundings) -> tuple[int, ...] | None:
        kept = self._ports.get(identity)
        if kept is None or table.monotonic_s - kept[0] >= _PORTS_KEPT_S:
            kept = self._ports[identity] = (table.monotonic_s, around.processes.listening_ports(identity))
        return kept[1]

    async def _ask(self, seen: _Seen, table: ProcessTable) -> Told | PluginUnusable | None:
        """Ask one plugin; one that was silent is let be for a while."""
        if seen.mount is None:
            return seen.fault
        let_be = self._let_be.get(seen.process.identity)
        if let_be is not None and table.monotonic_s - let_be[0] < _LET_BE_S:
            return let_be[1]
        try:
            told = await dsh_client.ask(seen.mount)
        except PluginUnusable as fault:
            if fault.silent:
                self._let_be[seen.process.identity] = (table.monotonic_s, fault)
            return fault
        self._let_be.pop(seen.process.identity, None)
        return told

    def _read_records(self, seen: Sequence[_Seen], told: Sequence[Told | PluginUnusable | None]) -> tuple[_Host, ...]:
        """Add what the disk says of the live sessions; nothing while an earlier look still reads."""
        mine = self._looking.acquire(blocking=False)
        try:
            hosts = []
            read: set[str] = set()
            for one, said in zip(seen, told, strict=True):
                answer = said if isinstance(said, Told) else None
                ids = [s.id for s in _largest(answer.sessions)] if answer is not None else list(one.live or ())
                ids = ids[: 2 * SESSIONS_LIMIT]
                read.update(ids)
                fault = said if isinstance(said, PluginUnusable) else None
                records = self._cache.read(one.home, ids) if mine else {}
                hosts.append(_Host(seen=one, told=answer, fault=fault, records=records))
            if mine:
                self._cache.forget_all_but(read)
            return tuple(hosts)
        finally:
            if mine:
                self._looking.release()

    # -- doctor ---------------------------------------------------------------------------------------------------

    def _about_profiles(self, around: Surroundings) -> list[Finding]:
        homes = dict.fromkeys([host.seen.home for host in self._hosts] + [around.home / ".dsh"])
        from trayapp.hosts.dsh_install import Installer  # only the doctor and the commands need it

        installer = self._installer or Installer()
        return [finding for home in homes for finding in installer.findings(home)]


class _Look:
    """Put one observation together from what was read; no input or output in here."""

    def __init__(
        self,
        hosts: Sequence[_Host],
        recognised: Sequence[Claim],
        table: ProcessTable,
        around: Surroundings,
        heaps: Mapping[Identity, Heap],
    ) -> None:
        self._hosts = hosts
        self._table = table
        self._now_epoch_s = around.now_epoch_s()
        self._known_heaps = heaps
        self._claims: dict[Identity, list[Claim]] = {claim.identity: [claim] for claim in recognised}
        self._roots: dict[str, str] = {}
        self._problems: list[Problem] = []
        self.heaps: dict[Identity, Heap] = {}
        self.facts_of: dict[Identity, tuple[SessionFact, ...]] = {}

    def result(self) -> Observation:
        """Return the observation."""
        instances = [self._instance(host) for host in self._hosts]
        for host in self._hosts:
            facts = self._facts(host)
            self.facts_of[host.seen.process.identity] = facts
            self._claim_host(host, facts)
            self._claim_helpers(host)
            if host.fault is not None:
                where = str(dsh_client.mount_path(host.seen.home, host.seen.process.pid))
                self._problems.append(Problem(where=where, what=host.fault.what, mend=host.fault.mend))
        self._claim_children()
        return Observation(
            host=HOST,
            read_epoch_s=self._now_epoch_s,
            instances=tuple(instances),
            sessions=tuple(fact for facts in self.facts_of.values() for fact in facts),
            claims=tuple(claim for claims in self._claims.values() for claim in claims),
            problems=tuple(self._problems),
        )

    # -- the host -------------------------------------------------------------------------------------------------

    def _instance(self, host: _Host) -> HostInstance:
        seen, told = host.seen, host.told
        identity = seen.process.identity
        heap = _heap(told.host.heap, self._now_epoch_s) if told is not None else self._known_heaps.get(identity)
        if heap is not None and seen.mount is not None:
            self.heaps[identity] = heap
        return HostInstance(
            host=HOST,
            identity=identity,
            version=(told.host.host_version if told is not None else None) or seen.version,
            address=_address(seen),
            heap=self.heaps.get(identity),
            heap_limit_bytes=heap_flag_bytes(seen.process),
            has_heap=True,
            error=_unknown_sessions(host),
        )

    def _claim_host(self, host: _Host, facts: Sequence[SessionFact]) -> None:
        """Name the sessions that live in a host's process, so that what they started finds its row."""
        process = host.seen.process
        (claim, *_) = self._claims[process.identity]
        source = "its log's lock, which it holds open" if host.told is None else "its host's own list"
        kind = ClaimKind.OPEN_FILE if host.told is None else ClaimKind.REGISTRY
        serves_many = len(facts) > 1 or claim.role is Role.INFRA
        named = [
            claim_of(process, claim.role, kind, source, fact.key.session_id, serves_many=serves_many) for fact in facts
        ]
        self._claims[process.identity] = [replace(claim, serves_many=serves_many), *named]

    def _claim_helpers(self, host: _Host) -> None:
        """Take the host's children that no session started for its helpers: MCP servers, which all sessions share."""
        process = host.seen.process
        for child in self._table.children(process.pid):
            own_group = child.pgid is not None and process.pgid is not None and child.pgid != process.pgid
            if child.identity in self._claims or own_group or child.env.get("DSH_SHELL"):
                continue
            source = "started by its host for all sessions"
            self._claims[child.identity] = [claim_of(child, Role.HELPER, ClaimKind.DESCENT, source)]

    def _claim_children(self) -> None:
        """Give what a subagent started to the session that it works for."""
        for identity, claims in self._claims.items():
            for position, claim in enumerate(claims):
                if claim.kind is ClaimKind.ENVIRONMENT and claim.session is not None:
                    root = self._roots.get(claim.session.session_id)
                    if root is not None and root != claim.session.session_id:
                        self._claims[identity][position] = replace(claim, session=SessionKey(HOST, root))

    # -- sessions -------------------------------------------------------------------------------------------------

    def _facts(self, host: _Host) -> tuple[SessionFact, ...]:
        facts = self._told_facts(host, host.told) if host.told is not None else self._read_facts(host)
        if not host.seen.program.serves_one_client or len(facts) != 1:
            return facts
        # the program is the session, and ends with it in order
        (fact,) = facts
        attached = self._evidence(
            EvidenceKind.VIEW, Speaks.PROTECTS, "The program that started it is attached to it", "its arguments"
        )
        return (
            replace(
                fact,
                shares_backend=False,
                heap_of=None,
                ladder=_ENDS_WITH_ITS_PROGRAM,
                refusal=None,
                evidence=(*fact.evidence, attached),
                resume=ResumeTicket(argv=(), cwd=fact.cwd, note="Its history is on disk, DSH lists it"),
            ),
        )

    def _told_facts(self, host: _Host, told: Told) -> tuple[SessionFact, ...]:
        """Make the rows of a host whose plugin tells."""
        by_id = {session.id: session for session in told.sessions}
        parents = {session.id: session.parent for session in told.sessions if session.parent in by_id}
        below: dict[str, list[SessionReply]] = {}
        for session in told.sessions:
            root = _root_by(session.id, parents)
            self._roots[session.id] = root
            below.setdefault(root, [])
            if root != session.id:
                below[root].append(session)
        roots = self._bounded(host, _largest([by_id[root] for root in below]))
        return tuple(self._told_fact(host, told, root, below[root.id]) for root in roots)

    def _told_fact(self, host: _Host, told: Told, session: SessionReply, below: Sequence[SessionReply]) -> SessionFact:
        record = host.records.get(session.id)
        asks = record is not None and record.asks and session.open_turn
        evidence = self._told_evidence(session, below, asks=asks)
        blocked = [code for code in session.refusals if asks or code not in _WORK]
        last_s = max((_last_epoch_s(s) or 0.0 for s in (session, *below)), default=0.0)
        refusal = None
        if not told.host.release_supported:
            refusal = "This version of its host offers the plugin no way to release it"
            if told.host.unsupported_reason:
                refusal += f": {told.host.unsupported_reason}"
        elif blocked and (asks or not any(e.speaks_for is Speaks.BUSY for e in evidence)):
            refusal = f"Its host would refuse: {_REFUSED.get(blocked[0], blocked[0])}"
        cwd = session.cwd or (record.cwd if record is not None else None)
        return SessionFact(
            key=SessionKey(HOST, session.id),
            title=_title(session.title or (record.title if record is not None else None), cwd),
            cwd=cwd,
            model=record.model if record is not None else None,
            evidence=tuple(evidence),
            last_activity_epoch_s=last_s or None,
            resume=_resume(host.seen, cwd),
            ladder=_CAN_BE_RELEASED if told.host.release_supported else (),
            refusal=refusal,
            shares_backend=True,
            heap_of=host.seen.process.identity,
            retained_bytes=sum(max(0, s.retained_bytes) for s in (session, *below)),
        )

    def _told_evidence(self, session: SessionReply, below: Sequence[SessionReply], *, asks: bool) -> list[Evidence]:
        """Say what the plugin tells of one session in the words of the rules."""
        at_s = _last_epoch_s(session)
        found: list[Evidence] = []

        def add(kind: EvidenceKind, speaks_for: Speaks, fact: str, at_epoch_s: float | None = None) -> None:
            found.append(self._evidence(kind, speaks_for, fact, _PLUGIN, at_epoch_s))

        refusals = set(session.refusals)
        if asks:
            # a question keeps its turn open, which is all that the plugin sees of it
            found.append(self._evidence(EvidenceKind.QUESTION, Speaks.WAITING, "It asks you a question", _CACHE, at_s))
        if session.status != "idle" or session.open_turn or "turn-running" in refusals:
            add(EvidenceKind.TURN, Speaks.BUSY, "A turn is open: its host says that it runs", at_s)
        working = [s for s in below if s.status != "idle" or s.open_turn or s.jobs]
        if working or "subagent-running" in refusals:
            many = f"{len(working)} subagents are at work" if len(working) > 1 else "A subagent is at work"
            add(EvidenceKind.SUBAGENT, Speaks.BUSY, many)
        if session.jobs or "job-running" in refusals:
            label = next((job.label for job in session.jobs if job.label), None)
            what = f"A background job runs: {label[:60]}" if label else "A background job runs"
            add(EvidenceKind.BACKGROUND_TASK, Speaks.BUSY, what)
        if session.schedules or "schedule-active" in refusals:
            add(EvidenceKind.WAKEUP, Speaks.PROTECTS, "A schedule of it is still to run")
        if session.terminals or "terminal-open" in refusals:
            add(EvidenceKind.VIEW, Speaks.PROTECTS, "A terminal of it is open in its host")
        if session.views or "view-attached" in refusals:
            add(EvidenceKind.VIEW, Speaks.PROTECTS, "It is open in a view of its host")
        if session.pending_input or "pending-input" in refusals:
            add(EvidenceKind.HOST_STATUS, Speaks.PROTECTS, "Input waits in it that it has not taken up")
        if not any(evidence.speaks_for is Speaks.BUSY for evidence in found):
            add(EvidenceKind.HOST_STATUS, Speaks.IDLE, "Its host says that it is idle", at_s)
        return found

    def _read_facts(self, host: _Host) -> tuple[SessionFact, ...]:
        """Make the rows of a host whose plugin does not tell, from its locks and from the disk."""
        live = host.seen.live or ()
        parents = {child: parent for parent, record in host.records.items() for child in record.children}
        for session_id in live:
            self._roots[session_id] = _root_by(session_id, parents)
        # a subagent's id is bare; one whose parent is not known belongs to no row
        roots = [i for i in live if i not in parents and i.startswith("session-")]
        return tuple(self._read_fact(host, root, live) for root in self._bounded(host, roots))

    def _read_fact(self, host: _Host, session_id: str, live: Sequence[str]) -> SessionFact:
        record = host.records.get(session_id)
        below = [host.records.get(i) for i in live if i != session_id and self._roots.get(i) == session_id]
        cwd = record.cwd if record is not None else None
        refusal = _NEEDS_PLUGIN if host.fault is None else f"The plugin cannot be asked: {host.fault.what}"
        return SessionFact(
            key=SessionKey(HOST, session_id),
            title=_title(record.title if record is not None else None, cwd),
            cwd=cwd,
            model=record.model if record is not None else None,
            evidence=tuple(self._read_evidence(host, record, [r for r in below if r is not None])),
            last_activity_epoch_s=record.last_epoch_s if record is not None else None,
            resume=_resume(host.seen, cwd),
            refusal=refusal,
            shares_backend=True,
            heap_of=host.seen.process.identity,
        )

    def _read_evidence(self, host: _Host, record: Record | None, below: Sequence[Record]) -> list[Evidence]:
        if host.fault is not None:
            fact = f"The plugin cannot be asked: {host.fault.what}"
            return [self._evidence(EvidenceKind.HOST_STATUS, Speaks.UNREADABLE, fact, _PLUGIN)]
        if record is None:
            fact = "Nothing on disk tells what it is doing"
            return [self._evidence(EvidenceKind.RECORD, Speaks.UNREADABLE, fact, _CACHE)]
        found: list[Evidence] = []
        if record.asks:
            asked = "It asks you a question"
            found.append(self._evidence(EvidenceKind.QUESTION, Speaks.WAITING, asked, _CACHE, record.last_epoch_s))
        elif record.turn_open:
            at_s = record.last_prompt_epoch_s
            found.append(self._evidence(EvidenceKind.TURN, Speaks.BUSY, "A turn is open", _CACHE, at_s))
        if any(one.turn_open for one in below):
            found.append(self._evidence(EvidenceKind.SUBAGENT, Speaks.BUSY, "A subagent is at work", _CACHE))
        if not found:
            fact = "No prompt was sent to it yet" if record.blank else "The turn ended"
            found.append(self._evidence(EvidenceKind.TURN, Speaks.IDLE, fact, _CACHE, record.last_epoch_s))
        return found

    # -- small things ---------------------------------------------------------------------------------------------

    def _bounded(self, host: _Host, sessions: Sequence[_T]) -> Sequence[_T]:
        if len(sessions) > SESSIONS_LIMIT:
            self._problems.append(
                Problem(
                    where=f"DSH ({host.seen.process.pid})",
                    what=f"it holds {len(sessions)} live sessions, of which {SESSIONS_LIMIT} are shown",
                    mend="Release some, or restart it when nothing runs",
                )
            )
        return sessions[:SESSIONS_LIMIT]

    def _evidence(
        self, kind: EvidenceKind, speaks_for: Speaks, fact: str, source: str, at_epoch_s: float | None = None
    ) -> Evidence:
        return Evidence(
            kind=kind,
            speaks_for=speaks_for,
            fact=fact,
            source=source,
            at_epoch_s=at_epoch_s,
            read_epoch_s=self._now_epoch_s,
        )


# -------------------------------------------------------------------------------------------------- hosts


def _running(table: ProcessTable, recognised: Iterable[Claim]) -> tuple[tuple[Process, Program], ...]:
    """Return the hosts that run, without short commands and children."""
    found = []
    for claim in recognised:
        process = table.get(claim.identity)
        if process is None or claim.kind is not ClaimKind.PROGRAM or claim.role is Role.APP:
            continue
        program = program_of(process)
        if program is not None and program.profile is not None:
            found.append((process, program))
    return tuple(found[:_HOSTS_LIMIT])


def _held_up(recognised: Sequence[Claim], around: Surroundings) -> Observation:
    problem = Problem(
        where=str(around.home / ".dsh"),
        what="reading it takes longer than one look",
        mend="Check the disk or network folder it lies on",
    )
    return Observation(host=HOST, read_epoch_s=around.now_epoch_s(), claims=tuple(recognised), problems=(problem,))


def _address(seen: _Seen) -> str | None:
    """Return where its pages are: the port that it was told, the usual one, or the first that is not the plugin's."""
    ports = [port for port in seen.ports if seen.mount is None or port != seen.mount.port]
    given = argv_value(seen.process.argv or (), "--port") or ""
    wanted = [int(given)] if given.isdigit() else []
    port = next((p for p in (*wanted, _DEFAULT_PORT) if p in ports), ports[0] if ports else None)
    return f"http://127.0.0.1:{port}" if port is not None else None


def _unknown_sessions(host: _Host) -> str | None:
    """Say why it is not known which sessions a host holds."""
    if host.told is not None or host.seen.live is not None:
        return None
    version = f" of version {host.seen.version}" if host.seen.version else ""
    return f"a host{version} does not show which sessions it holds without the plugin"


def _start_epoch_s(table: ProcessTable, process: Process) -> float:
    return table.taken_at.timestamp() - table.age_s(process)


def _heap(reply: HeapReply, at_epoch_s: float) -> Heap:
    return Heap(
        used_bytes=reply.used_bytes,
        limit_bytes=reply.limit_bytes,
        external_bytes=reply.external_bytes,
        at_epoch_s=at_epoch_s,
    )


def _where(host: _Host, table: ProcessTable) -> _Where:
    process = host.seen.process
    return _Where(
        home=host.seen.home,
        identity=process.identity,
        start=process.identity.start if table.machine.platform == "linux" else None,
        start_epoch_s=_start_epoch_s(table, process),
    )


def _mount_now(where: _Where, around: Surroundings) -> Mount:
    """Read anew where the plugin is asked, just before it is asked to act. Raises PluginUnusable."""
    pid = where.identity.pid
    mount = dsh_client.read_mount(where.home, pid, start=where.start, start_epoch_s=where.start_epoch_s)
    if mount is None:
        raise PluginUnusable("the plugin is not mounted any more", f"`{INSTALL}` puts it into its host")
    _refuse_foreign(mount, around.processes.listening_ports(where.identity))
    return mount


def _refuse_foreign(mount: Mount, ports: Sequence[int] | None) -> None:
    """Raise where another program listens on the plugin's port: the token must not go there."""
    if ports is not None and mount.port not in ports:
        raise PluginUnusable(
            f"its token file names port {mount.port}, on which its host does not listen",
            "If this stays, restart DSH, or install the plugin again",
        )


def _said_of_release(took_ms: float | None, heap: HeapReply | None) -> str:
    took = f"released in {took_ms:.0f} ms" if took_ms is not None else "released"
    if heap is None:
        return took
    return f"{took}; its heap holds {memory(heap.used_bytes)} until its next full collection"


# -------------------------------------------------------------------------------------------------- sessions


def _largest(sessions: Iterable[SessionReply]) -> list[SessionReply]:
    """Return sessions that work first, then the largest: what is cut off is small and idle."""
    return sorted(sessions, key=lambda s: (s.status == "idle", -s.retained_bytes, s.id))


def _root_by(session_id: str, parents: Mapping[str, str | None]) -> str:
    if session_id not in parents:
        return session_id
    seen: set[str] = set()
    above: str | None = session_id
    while above is not None and above not in seen:
        session_id = above
        seen.add(above)
        above = parents.get(above)
    return session_id


def _last_epoch_s(session: SessionReply) -> float | None:
    at_ms = session.last_event_at_ms if session.last_event_at_ms is not None else session.created_at_ms
    return at_ms / 1000 if at_ms is not None else None


def _title(title: str | None, cwd: str | None) -> str | None:
    return title or (basename(cwd) or cwd if cwd else None)


def _resume(seen: _Seen, cwd: str | None) -> ResumeTicket:
    """Say how a released session comes back: its host does that by itself, so there is no command."""
    address = _address(seen)
    place = f" at {address}" if address is not None and seen.program.kind is not Kind.DESKTOP else ""
    return ResumeTicket(argv=(), cwd=cwd, note=f"It stays listed in DSH{place}; opening it or its next prompt wakes it")


# -------------------------------------------------------------------------------------------------- doctor


def _can_mount(host: _Host) -> bool:
    return not host.seen.program.serves_one_client


def _about_mount(host: _Host) -> Finding:
    """Say whether the plugin is mounted in one host, of which version, and what caps the host's heap."""
    process = host.seen.process
    topic = f"DSH {process.pid}"
    cap = heap_flag_bytes(process)
    capped = f"; heap capped at {memory(cap)} by its flags" if cap is not None else ""
    if host.fault is not None:
        return Finding(topic=topic, standing=Standing.TROUBLE, what=host.fault.what + capped, mend=host.fault.mend)
    if host.told is None:
        what = f"the plugin is not mounted in it{capped}"
        return Finding(topic=topic, standing=Standing.ABSENT, what=what, mend=f"`{INSTALL}` puts it there")
    said = host.told.host
    heap = f"heap {memory(said.heap.used_bytes)} of {memory(said.heap.limit_bytes)}"
    what = f"the plugin {said.plugin or 'of unknown version'} is mounted, {heap}"
    if not said.release_supported:
        why = said.unsupported_reason or "it does not say why"
        return Finding(topic=topic, standing=Standing.TROUBLE, what=f"{what}; it cannot release here: {why}")
    return Finding(topic=topic, standing=Standing.GOOD, what=what)


# -------------------------------------------------------------------------------------------------- setting up


def _key_of(home: Path, profile: str) -> str:
    return str(home / "profiles" / profile)


def _offer(installer: Installer, home: Path, profile: str, around: Surroundings) -> HostSetup:
    from trayapp.hosts.dsh_install import InstallError

    usual = home == around.home / ".dsh"
    offer = HostSetup(
        key=_key_of(home, profile),
        host=HOST,
        title=f"Profile “{profile}”" if usual else f"Profile “{profile}” in {home}",
        undo=f"agentring hosts dsh remove-plugin --profile {profile}" + ("" if usual else f" --home {home}"),
    )
    try:
        plan = installer.plan_install(home, profile)
    except InstallError as error:
        return replace(offer, fault=str(error))
    return replace(offer, steps=plan.steps, says=plan.says)
