"""What is kept of Codeman while something of it runs, and what is asked of it: observations, calls, findings.

Loaded with the first process of Codeman's and forgotten with the last. Finds its servers by what they hand down to
agents, by command line and by listening socket, and asks them on this computer only.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from trayapp.hosts.base import CallResult, Surroundings
from trayapp.hosts.codeman_api import Client, Record, Refused, ServerUnusable, Trouble, address_of
from trayapp.hosts.codeman_disk import CERTIFICATE, Disk, MuxSession
from trayapp.hosts.codeman_judge import judge, wrote_since
from trayapp.hosts.codeman_look import TWICE_S, Kept, Look, Where, with_log
from trayapp.hosts.codeman_owners import Held, Known, hold, is_in
from trayapp.hosts.codeman_programs import HOST, TITLE
from trayapp.hosts.codeman_servers import (
    Scene,
    Server,
    Servers,
    finding_about,
    instance_of,
    may_own,
    scene_of,
    strange_problems,
)
from trayapp.hosts.codeman_tmux import Pane, Panes, panes_on
from trayapp.model.access import Permission
from trayapp.model.finding import Finding, Standing
from trayapp.model.process import Identity, ProcessTable
from trayapp.model.session import (
    Claim,
    Observation,
    Problem,
    ResumeTicket,
    SessionFact,
    SessionKey,
)
from trayapp.model.setup import HostSetup

TMUX_INTERVAL_S = 10.0
_SOCKETS_LIMIT = 8
_SETUP_KEY = "read-secret"


class Watch:
    """Keep servers with their sign-in, tmux's last word and what was missed once."""

    def __init__(self) -> None:
        self._servers = Servers()
        self._tmux: dict[str, Panes] = {}
        self._disk = Disk()
        self._kept = Kept()
        self._missed: dict[str, float] = {}
        self._gone: set[str] = set()
        self._where: dict[SessionKey, Where] = {}
        self._left_alone = 0
        self._reading = threading.Lock()

    # ------------------------------------------------------------------------------------------------ observation

    async def observe(self, table: ProcessTable, recognised: Sequence[Claim], around: Surroundings) -> Observation:
        """Ask servers and tmux, read what the disk says, and tell whose processes are whose."""
        now_epoch_s = around.now_epoch_s()
        scene = await asyncio.to_thread(scene_of, table, recognised, around)
        servers = await self._servers.look(scene, table, around, now_epoch_s)
        panes, (mux, problems) = await asyncio.gather(
            self._ask_tmux(scene, now_epoch_s), asyncio.to_thread(self._read_files, scene, servers)
        )
        claims = [claim for claim in recognised if not self._servers.is_stranger(claim, table)]
        known = _known(servers, mux, panes, self._servers.identities(scene, servers))
        await self._settle_missed(hold(table, claims, known).sessions, servers, known, mux, now_epoch_s)
        known = replace(_known(servers, mux, panes, known.servers), gone=frozenset(self._gone))
        holding = hold(table, claims, known)
        look = Look(self._disk, self._kept, panes, table, around, now_epoch_s, servers, known, holding)
        if not await asyncio.to_thread(self._read_logs, look):
            problems = (*problems, _held_up(around))
        sessions = look.facts()
        self._where, self._left_alone = look.where, look.left_alone
        return Observation(
            host=HOST,
            read_epoch_s=now_epoch_s,
            instances=tuple(instance_of(server) for server in servers),
            sessions=sessions,
            claims=tuple(holding.claims.values()),
            problems=(
                *problems,
                *strange_problems(servers),
                *(_tmux_problem(path, each) for path, each in panes.items() if each.fault),
            ),
        )

    # -- tmux and the disk ----------------------------------------------------------------------------------------

    async def _ask_tmux(self, scene: Scene, now_epoch_s: float) -> dict[str, Panes]:
        """Ask each socket for its panes, at most every 10 s."""
        wanted = dict(list(scene.sockets.items())[:_SOCKETS_LIMIT])
        due = [
            path
            for path in wanted
            if (kept := self._tmux.get(path)) is None or not 0 <= now_epoch_s - kept.read_epoch_s < TMUX_INTERVAL_S
        ]
        answers = await asyncio.gather(*(panes_on(path, wanted[path], now_epoch_s) for path in due))
        self._tmux = {path: self._tmux[path] for path in wanted if path in self._tmux}
        self._tmux |= dict(zip(due, answers, strict=True))
        return self._tmux

    def _read_files(self, scene: Scene, servers: Sequence[Server]) -> tuple[dict[str, MuxSession], tuple[Problem, ...]]:
        """Read which sessions run in tmux, in a worker thread."""
        if not self._reading.acquire(blocking=False):
            return {}, ()
        try:
            found: dict[str, MuxSession] = {}
            problems: list[Problem] = []
            for folder in dict.fromkeys((*scene.folders, *(server.folder for server in servers))):
                sessions, problem = self._disk.mux_sessions(folder)
                found |= {each.session_id: each for each in sessions}
                problems += [problem] if problem is not None else []
            return found, tuple(problems)
        finally:
            self._reading.release()

    def _read_logs(self, look: Look) -> bool:
        """Read the agents' logs, in a worker thread; False while an earlier look still reads."""
        if not self._reading.acquire(blocking=False):
            return False
        try:
            look.read_logs()
            return True
        finally:
            self._reading.release()

    async def _settle_missed(
        self,
        sessions: Mapping[str, Held],
        servers: Sequence[Server],
        known: Known,
        on_disk: Mapping[str, MuxSession],
        now_epoch_s: float,
    ) -> None:
        """Find the sessions that are in neither list of a server which answers: twice, at least 10 s apart.

        That the server wrote down their end counts as once.

        Only then is the second list asked for, and at most every 15 s: the server starts `ps` for it.
        """
        missed: dict[str, float] = {}
        for session_id, held in sessions.items():
            if held.one_shot or session_id in known.records or not held.backends:
                continue
            owners = [server for server in servers if may_own(server, held)]
            if not owners or any(server.fault is not None or server.reading is None for server in owners):
                continue
            ended = [
                at
                for server in owners
                if (at := await asyncio.to_thread(self._disk.ended_epoch_s, server.folder, held.carried_id)) is not None
            ]
            first = min([self._missed.get(session_id, now_epoch_s), *ended])
            missed[session_id] = first
            if now_epoch_s - first < TWICE_S:
                continue
            if session_id not in self._gone:
                await asyncio.gather(*(self._servers.ask_mux(server, now_epoch_s) for server in owners))
            lists = [server.mux for server in owners]
            on_its_disk = [each for each in on_disk.values() if each.session_id == session_id]
            if on_its_disk or any(each is not None and is_in(each, held) for each in lists):
                # kept in tmux without being a session: its server has let go of it
                self._gone.discard(session_id)
                continue
            reads = [each for server in owners for each in (server.reading_epoch_s, server.mux_epoch_s)]
            if None not in lists and all(read is not None and read - first >= TWICE_S for read in reads):
                self._gone.add(session_id)
        self._missed = missed
        self._gone &= {*missed}

    # ------------------------------------------------------------------------------------------------ calls

    async def call(self, name: str, session: SessionFact, around: Surroundings) -> CallResult:
        """Carry out "delete": the server ends the agent and closes the session; its log stays.

        The server refuses nothing, not even in the middle of a turn, so the session is looked at once more just before.
        Its "success" is no proof either; who called has to see the processes go.
        """
        where = self._where.get(session.key)
        if name != "delete" or where is None:
            return CallResult(ok=False, message=f"Codeman offers no “{name}” for this session")
        now_epoch_s = around.now_epoch_s()
        client = where.server.client
        try:
            record = await client.session(where.session_id, now_epoch_s)
            if record is None and not where.only_in_tmux:
                return CallResult(ok=True, message="already gone")
            works = await self._works_by_now(where, record, now_epoch_s)
            if works is not None:
                return CallResult(ok=False, message=works)
            message = await client.delete(where.session_id, now_epoch_s, only_in_tmux=where.only_in_tmux)
        except Refused as refused:
            return CallResult(ok=False, message=f"Codeman did not close it: {refused.what}. Close it in Codeman")
        except ServerUnusable as fault:
            return CallResult(ok=False, message=str(fault))
        self._servers.ask_again()
        self._tmux = {}
        return CallResult(ok=True, message=message)

    async def _works_by_now(self, where: Where, record: Record | None, now_epoch_s: float) -> str | None:
        """Say what speaks against ending a session now; None = nothing does."""
        panes: tuple[Pane, ...] | None = None
        if where.socket is not None:
            answer = await panes_on(where.socket, None, now_epoch_s)
            if answer.panes is not None:
                panes = tuple(pane for pane in answer.panes if pane.mux_name == where.mux_name)
        if where.remnant:
            alive = any(not pane.dead for pane in panes or ())
            return "It runs again by now" if alive else None
        said = replace(where.said, now_epoch_s=now_epoch_s, record=record, panes=panes)
        if where.conversation is not None:
            try:
                log = await asyncio.to_thread(
                    self._disk.transcript, where.config, where.conversation, where.cwd, now_epoch_s
                )
            except OSError as fault:
                return f"Its log cannot be read any more ({fault.strerror or fault})"
            said = with_log(said, log)
        judged = judge(said)
        if judged.works is not None:
            return f"It works by now: {judged.works}"
        if wrote_since(where.said, said):
            return "Something was written in its terminal since it was looked at. Look again"
        return None

    async def resume(self, ticket: ResumeTicket, around: Surroundings) -> CallResult:
        """Have Codeman make a session with the conversation of a released one, and start its agent."""
        given = dict(ticket.given)
        if ticket.call != "resume" or "workingDir" not in given:
            return CallResult(ok=False, message="Codeman can do nothing with this. Start the session again in Codeman")
        now_epoch_s = around.now_epoch_s()
        server = self._server_for(given.get("address", ""))
        if server is None:
            return CallResult(ok=False, message="No Codeman server was found. Start Codeman, then try again")
        wanted = {name: given[name] for name in ("workingDir", "name", "resumeSessionId") if given.get(name)}
        try:
            made = await server.create(wanted, now_epoch_s)
        except Refused as refused:
            mend = "Make the folder again" if not os.path.isdir(wanted["workingDir"]) else "Start it in Codeman"
            return CallResult(ok=False, message=f"Codeman made no session: {refused.what}. {mend}")
        except ServerUnusable as fault:
            return CallResult(ok=False, message=str(fault))
        name = made.name or given.get("name") or made.id
        try:
            await server.start(made.id, now_epoch_s)
        except (Refused, ServerUnusable) as fault:
            what = fault.what
            return CallResult(
                ok=False, message=f"Codeman made “{name}” ({made.id}) and did not start it: {what}. Start it in Codeman"
            )
        self._servers.ask_again()
        return CallResult(ok=True, message=f"It runs again in Codeman as “{name}” ({made.id})")

    def _server_for(self, address: str) -> Client | None:
        """Return the server that a ticket names, else the only one there is; it may have come back on another port."""
        clients = [server.client for server in self._servers.by_port.values() if server.reading is not None]
        named = [client for client in clients if client.address == address]
        if named or len(clients) == 1:
            return (named or clients)[0]
        own = address_of(address)
        return Client(own, Path(CERTIFICATE)) if own is not None and own.startswith("http:") and not clients else None

    # ------------------------------------------------------------------------------------------------ what to set up

    def setups(self, around: Surroundings) -> Sequence[HostSetup]:
        """Offer to read the password of servers that ask for one, while it would help; writes nothing."""
        access = around.access(HOST)
        if access.secret or Permission.READ_SECRET in access.allowed:
            return ()
        asking = [
            server.identity.pid
            for server in self._servers.by_port.values()
            if server.identity is not None and server.fault is not None and server.fault.trouble is Trouble.SIGN_IN
        ]
        if not asking:
            return ()
        processes = ", ".join(map(str, asking))
        return (
            HostSetup(
                key=_SETUP_KEY,
                host=HOST,
                title="Password of Codeman's server",
                steps=(
                    "read CODEMAN_PASSWORD and CODEMAN_USERNAME from the environment of Codeman's server "
                    f"(process {processes}) whenever Agent Ring has to sign in",
                    "sign in to that server once, and use its cookie from then on",
                ),
                says=(
                    "The password stays in memory and is never written, shown or sent anywhere else",
                    "You can also enter it in the settings of Agent Ring instead",
                ),
                undo=f"agentring hosts forbid {HOST} {Permission.READ_SECRET.value}",
                permits=Permission.READ_SECRET,
            ),
        )

    def findings(self) -> Sequence[Finding]:
        """Tell which servers were found, in which dialect, how Agent Ring is signed in, and what is not known."""
        told = map(finding_about, self._servers.kept)
        found = [finding for finding in told if finding is not None]
        topic = TITLE
        found += [
            Finding(
                topic=topic, standing=Standing.ABSENT, what=f"nobody answers at {address}, which its agents remember"
            )
            for address in sorted(self._servers.stale)
        ]
        found += [
            Finding(topic=topic, standing=Standing.ABSENT, what=f"{address} is another computer and is not asked")
            for address in sorted(self._servers.elsewhere)
        ]
        found += [
            Finding(
                topic=topic,
                standing=Standing.TROUBLE,
                what=f"the panes on {path} are not known: {kept.fault}",
                mend="Install tmux, or check its socket; idle sessions are not released meanwhile",
            )
            for path, kept in self._tmux.items()
            if kept.fault is not None
        ]
        if self._left_alone:
            what = f"{self._left_alone} of its sessions run elsewhere (ssh, container, another user) and are left alone"
            found.append(Finding(topic=topic, standing=Standing.GOOD, what=what))
        return found


# -------------------------------------------------------------------------------------------------- small questions


def _known(
    servers: Iterable[Server],
    on_disk: Mapping[str, MuxSession],
    panes: Mapping[str, Panes],
    identities: frozenset[Identity],
) -> Known:
    """Join what the servers, their files and tmux say; a server's own word goes before its file."""
    records: dict[str, Record] = {}
    listed = dict(on_disk)
    for server in servers:
        records |= server.reading.records if server.reading is not None else {}
        listed |= {entry.session_id: entry for entry in server.mux or ()}
    return Known(
        records=records,
        mux=listed,
        panes={path: kept.panes for path, kept in panes.items()},
        servers=identities,
    )


def _tmux_problem(path: str, kept: Panes) -> Problem:
    return Problem(
        where=path,
        what=f"its panes are not known ({kept.fault})",
        mend="Install tmux, or check the socket; its sessions are not released meanwhile",
    )


def _held_up(around: Surroundings) -> Problem:
    return Problem(
        where=str(around.home / ".codeman"),
        what="reading it takes longer than one look",
        mend="Check the disk or network folder it lies on",
    )
