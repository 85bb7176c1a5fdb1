"""Which servers of Codeman's run here, and what they say now.

Finds them by the address that they hand down to agents, by command line and by listening socket. An address may be
stale and a port another program's by now, so nothing is believed before an answer is Codeman's own, and nobody but a
process that is known to listen there gets a password. Asks gently: the server calls tmux and ps while everybody waits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from trayapp.hosts.base import Surroundings
from trayapp.hosts.codeman_api import Client, Credentials, Reading, ServerUnusable, Trouble, address_of, port_of
from trayapp.hosts.codeman_disk import CERTIFICATE, MuxSession, data_folders
from trayapp.hosts.codeman_owners import Held
from trayapp.hosts.codeman_programs import (
    ADDRESS,
    HOST,
    TITLE,
    data_folder,
    default_socket,
    is_named_server,
    is_server,
    is_tmux,
    session_id_of,
    sockets_of,
    speaks_https,
)
from trayapp.model.access import Permission
from trayapp.model.finding import Finding, Standing
from trayapp.model.process import Identity, Process, ProcessTable
from trayapp.model.session import Claim, HostInstance, Problem
from trayapp.programs import basename

ASK_INTERVAL_S = 5.0
SECOND_LOOK_S = 0.9
"""After the first answer, since idleness is only believed when it is read twice."""
MUX_INTERVAL_S = 15.0
STALE_S = 30.0
"""How long the last word of a server that hangs still counts."""
_RETRY_S = 10.0
_PORTS_KEPT_S = 60.0
_SERVERS_LIMIT = 8
_USER = "admin"


@dataclass(slots=True, kw_only=True)
class Server:
    """One server, with what is kept of it between looks; `identity` is None where its process is not known."""

    client: Client
    identity: Identity | None
    folder: Path
    named: bool
    start_epoch_s: float | None = None
    reading: Reading | None = None
    mux: tuple[MuxSession, ...] | None = None
    mux_epoch_s: float | None = None
    approvals: frozenset[str] = frozenset()
    fault: ServerUnusable | None = None
    asked_epoch_s: float | None = None
    answers: int = 0
    unread_secret: bool = False
    read_credentials: Credentials | None = None

    @property
    def port(self) -> int:
        return port_of(self.client.address)

    @property
    def reading_epoch_s(self) -> float | None:
        return self.reading.read_epoch_s if self.reading is not None else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What of a process table concerns Codeman.

    Attributes:
        addresses: named by processes, with the data folder of whoever names them.
        stale: addresses of which no server was found; filled by looking.
    """

    servers: tuple[Process, ...]
    related: tuple[Process, ...]
    addresses: Mapping[str, Path]
    elsewhere: frozenset[str]
    sockets: Mapping[str, str | None]
    folders: tuple[Path, ...]


class Servers:
    """Keep the servers with their sign-in between looks.

    Attributes:
        by_port: all that may be one; `kept` are those that are.
        stale: addresses that agents remember and at which nobody of Codeman's answers.
        elsewhere: addresses on other computers, which are never asked.
    """

    def __init__(self) -> None:
        self.by_port: dict[int, Server] = {}
        self.kept: tuple[Server, ...] = ()
        self.stale: set[str] = set()
        self.elsewhere: frozenset[str] = frozenset()
        self._strangers: dict[int, Identity | None] = {}
        self._ports: dict[Identity, tuple[float, tuple[int, ...]]] = {}

    async def look(self, scene: Scene, table: ProcessTable, around: Surroundings, now_epoch_s: float) -> list[Server]:
        """Find the servers and ask each for its sessions; one that cannot be used says why."""
        self.elsewhere = scene.elsewhere
        servers = await self._find_servers(scene, table, around, now_epoch_s)
        await asyncio.gather(*(self._ask(server, around, now_epoch_s) for server in servers))
        self.kept = tuple(self._without_strangers(servers))
        return list(self.kept)

    def ask_again(self) -> None:
        """Have the next look ask every server anew, since something was done."""
        for server in self.by_port.values():
            server.asked_epoch_s = None

    async def _find_servers(
        self, scene: Scene, table: ProcessTable, around: Surroundings, now_epoch_s: float
    ) -> list[Server]:
        """Return the servers that may be asked, those known before as they were; none is asked here."""
        ports = await asyncio.to_thread(self._listening, scene.servers, around, now_epoch_s)
        wanted: dict[int, tuple[str, Process | None, Path]] = {}
        for process, listening in ports:
            for port in listening:
                scheme = "https" if speaks_https(process) else "http"
                folder = data_folder(process.env, around.home)
                wanted.setdefault(port, (f"{scheme}://127.0.0.1:{port}", process, folder))
        for address, folder in scene.addresses.items():
            port = port_of(address)
            _, known, own = wanted.get(port, ("", None, folder))
            if known is None:
                wanted.setdefault(port, (address, None, folder))
            elif speaks_https(known) == address.startswith("https:"):
                wanted[port] = (address, known, own)
        # a server that was refused must not be asked anew because its socket could not be seen for a moment
        lasting = {port: s for port, s in self.by_port.items() if s.identity is not None and table.get(s.identity)}
        found: dict[int, Server] = dict(lasting)
        for port, (address, of, folder) in list(wanted.items())[:_SERVERS_LIMIT]:
            identity = of.identity if of is not None else None
            server = self.by_port.get(port)
            if port in lasting and identity in (None, lasting[port].identity):
                continue
            if server is None or server.identity != identity:
                server = Server(
                    client=Client(address, folder / CERTIFICATE),
                    identity=identity,
                    folder=folder,
                    named=of is not None and is_named_server(of),
                    start_epoch_s=start_epoch_s(table, of) if of is not None else None,
                )
            found[port] = server
        self.by_port = found
        return list(found.values())

    def _listening(
        self, processes: Sequence[Process], around: Surroundings, now_epoch_s: float
    ) -> list[tuple[Process, tuple[int, ...]]]:
        """Return on which ports each process listens; read again when a port that was known is silent."""
        found = []
        for process in processes:
            read, ports = self._ports.get(process.identity, (None, ()))
            silent = any(
                server is not None and server.fault is not None and server.fault.trouble is Trouble.GONE
                for server in map(self.by_port.get, ports)
            )
            if read is None or not ports or silent or not 0 <= now_epoch_s - read < _PORTS_KEPT_S:
                ports = around.processes.listening_ports(process.identity) or ports
                self._ports[process.identity] = (now_epoch_s, ports)
            found.append((process, ports))
        self._ports = {p.identity: self._ports[p.identity] for p in processes}
        return found

    async def _ask(self, server: Server, around: Surroundings, now_epoch_s: float) -> None:
        """Ask one server what it tells of its sessions, unless it has just been asked."""
        age_s = now_epoch_s - server.asked_epoch_s if server.asked_epoch_s is not None else None
        rest_s = ASK_INTERVAL_S if server.answers > 1 else SECOND_LOOK_S
        rest_s = rest_s if server.fault is None else _RETRY_S
        # another password may mend a refusal at once, and asking a server that refused sends nothing otherwise
        refused = server.fault is not None and server.fault.trouble is Trouble.SIGN_IN
        if age_s is not None and 0 <= age_s < rest_s and not refused:
            return
        server.asked_epoch_s = now_epoch_s
        server.client.sign_in_as(self._credentials(server, around))
        try:
            server.reading = await self._status(server, now_epoch_s)
            server.fault = None
            server.answers += 1
            if server.start_epoch_s is None:
                server.start_epoch_s = await server.client.started_epoch_s(now_epoch_s)
            if server.reading.enveloped:
                server.approvals = await server.client.approvals(now_epoch_s)
        except ServerUnusable as fault:
            server.fault = fault
            last = server.reading
            if fault.trouble is not Trouble.SILENT or last is None or now_epoch_s - last.read_epoch_s > STALE_S:
                server.reading = None

    async def _status(self, server: Server, now_epoch_s: float) -> Reading:
        """Ask for the status; a process that listens and gives no HTTP answer may speak HTTPS."""
        try:
            return await server.client.status(now_epoch_s)
        except ServerUnusable as fault:
            plain = server.client.address.startswith("http:")
            if fault.trouble is not Trouble.GONE or server.identity is None or not plain:
                raise
            client = Client("https:" + server.client.address[len("http:") :], server.client.certificate)
            if not client.certificate.exists():
                raise
        client.sign_in_as(server.client.credentials)
        reading = await client.status(now_epoch_s)
        server.client = client
        return reading

    def _credentials(self, server: Server, around: Surroundings) -> Credentials | None:
        """Return who signs in to a server: as the settings say, else, once allowed, as its own environment says.

        Only to a process of the user's that is known to listen there: another program on that port gets no password.
        """
        server.unread_secret = False
        if server.identity is None:
            return None
        access = around.access(HOST)
        if access.secret:
            return Credentials(access.user or _USER, access.secret)
        if Permission.READ_SECRET not in access.allowed:
            server.read_credentials = None
            return None
        if server.read_credentials is not None:
            return server.read_credentials
        secret = around.processes.variable(server.identity, "CODEMAN_PASSWORD")
        server.unread_secret = secret is None
        if not secret:
            return None
        user = around.processes.variable(server.identity, "CODEMAN_USERNAME")
        server.read_credentials = Credentials(access.user or user or _USER, secret)
        return server.read_credentials

    def _without_strangers(self, servers: Sequence[Server]) -> list[Server]:
        """Leave out what is no Codeman: other programs on a port that an agent remembers, and look-alikes."""
        kept: list[Server] = []
        self.stale = set()
        for server in servers:
            trouble = server.fault.trouble if server.fault is not None else None
            if server.identity is None and trouble in (
                Trouble.GONE,
                Trouble.STRANGE,
                Trouble.SILENT,
                Trouble.CERTIFICATE,
            ):
                self.stale.add(server.client.address)
            elif trouble in (Trouble.STRANGE, Trouble.GONE, Trouble.FORBIDDEN) and not server.named:
                self._strangers[server.port] = server.identity
            else:
                self._strangers.pop(server.port, None)
                kept.append(server)
        return kept

    def is_stranger(self, claim: Claim, table: ProcessTable) -> bool:
        """Say whether a process only looks like a server: nothing that it listens on answers as Codeman does."""
        process = table.get(claim.identity)
        if process is None or not is_server(process) or is_named_server(process):
            return False
        _, ports = self._ports.get(claim.identity, (0.0, ()))
        known = {server.identity for server in self.by_port.values() if server.port not in self._strangers}
        return claim.identity not in known or not ports

    def identities(self, scene: Scene, servers: Sequence[Server]) -> frozenset[Identity]:
        named = (process.identity for process in scene.servers if is_named_server(process))
        return frozenset({*named, *(server.identity for server in servers if server.identity is not None)})

    async def ask_mux(self, server: Server, now_epoch_s: float) -> None:
        if server.mux_epoch_s is not None and 0 <= now_epoch_s - server.mux_epoch_s < MUX_INTERVAL_S:
            return
        try:
            server.mux, server.mux_epoch_s = await server.client.mux_sessions(now_epoch_s), now_epoch_s
        except ServerUnusable:
            # told by the next question for the sessions; until then nothing follows from the silence
            server.mux, server.mux_epoch_s = None, now_epoch_s


# -------------------------------------------------------------------------------------------------- small questions


def scene_of(table: ProcessTable, recognised: Iterable[Claim], around: Surroundings) -> Scene:
    """Find what of a table concerns Codeman: its servers, addresses, sockets and data folders."""
    related = [process for claim in recognised if (process := table.get(claim.identity)) is not None]
    servers = {process.identity: process for process in related if is_server(process)}
    parents = {p.identity: p for child in related if (p := table.parent(child)) is not None}
    for process in related:
        # a server that was started in another way shows as what started a client of its tmux
        parent = table.parent(process)
        if is_tmux(process) and parent is not None and basename((parent.argv or ("",))[0]) in ("node", "bun"):
            servers.setdefault(parent.identity, parent)
    addresses: dict[str, Path] = {}
    elsewhere: set[str] = set()
    sockets: dict[str, str | None] = {}
    folders: dict[Path, None] = dict.fromkeys(data_folders(around.home))
    wrappers = [p for p in parents.values() if "TMUX" in p.env or is_tmux(p)]
    for process in (*related, *wrappers):
        told = process.env.get(ADDRESS)
        address = address_of(told) if told else None
        if address is not None:
            addresses.setdefault(address, data_folder(process.env, around.home))
        elif told:
            elsewhere.add(told[:80])
        folders[data_folder(process.env, around.home)] = None
        for path in sockets_of(process, table.own_uid) if session_id_of(process) or is_tmux(process) else ():
            server = _tmux_server(process, table)
            sockets[path] = sockets.get(path) or (server.exe if server is not None else None)
    if servers and table.own_uid is not None:
        # its checks of other agents run in sessions on the default socket
        sockets.setdefault(default_socket(around.environ, table.own_uid), None)
    return Scene(
        servers=tuple(servers.values()),
        related=tuple(related),
        addresses=addresses,
        elsewhere=frozenset(elsewhere),
        sockets=sockets,
        folders=tuple(folders),
    )


def _tmux_server(process: Process, table: ProcessTable) -> Process | None:
    """Return the tmux server in whose pane a process runs, by its variable TMUX (socket,pid,session)."""
    if is_tmux(process):
        return process
    parts = process.env.get("TMUX", "").split(",")
    found = table.processes.get(int(parts[1])) if len(parts) == 3 and parts[1].isdecimal() else None
    return found if found is not None and is_tmux(found) else None


def may_own(server: Server, held: Held) -> bool:
    """Say whether a session may be this server's: by its data folder where that is told, else also by its address.

    An address alone can be stale, and another instance's server may have taken that port since.
    """
    for process in held.carriers:
        secret = process.env.get("CODEMAN_HOOK_SECRET_FILE")
        if secret and server.identity is not None:
            return Path(secret).parent == server.folder
    addresses = (address_of(process.env.get(ADDRESS, "")) for process in held.carriers)
    ports = {port_of(address) for address in addresses if address is not None}
    instance = any(process.env.get("CODEMAN_INSTANCE") for process in held.carriers)
    usual = server.identity is not None and server.folder.name == ".codeman" and not instance
    return server.port in ports or usual


def start_epoch_s(table: ProcessTable, process: Process) -> float:
    """Return when a process began, by the wall clock."""
    return table.taken_at.timestamp() - table.age_s(process)


def instance_of(server: Server) -> HostInstance:
    """Say what is shown of a server."""
    fault = server.fault
    return HostInstance(
        host=HOST,
        identity=server.identity,
        version=server.reading.version if server.reading is not None else None,
        address=server.client.address,
        error=str(fault) if fault is not None else None,
    )


def strange_problems(servers: Iterable[Server]) -> list[Problem]:
    """Say which servers tell of sessions that are not understood."""
    return [
        Problem(
            where=server.client.address,
            what=f"{server.reading.strange} of its sessions are not understood",
            mend="Update Agent Ring; they are left alone",
        )
        for server in servers
        if server.reading is not None and server.reading.strange
    ]


def finding_about(server: Server) -> Finding | None:
    """Say how a server stands: its dialect and how this program is signed in, or why it is not read."""
    topic = TITLE
    if server.fault is not None:
        if server.identity is None and server.fault.trouble is not Trouble.SIGN_IN:
            return None
        what = f"the server at {server.client.address} is not read: {server.fault.what}"
        if server.unread_secret:
            what += "; the password in its environment cannot be read"
        return Finding(topic=topic, standing=Standing.TROUBLE, what=what, mend=server.fault.mend)
    if server.reading is None:
        return None
    dialect = "envelopes" if server.reading.enveloped else "bare answers"
    signed_in = server.client.signed_in or "without a password"
    count = len(server.reading.records)
    what = (
        f"server {server.reading.version} at {server.client.address} ({dialect}), signed in {signed_in}, "
        f"{count} session{'s' if count != 1 else ''}"
    )
    return Finding(topic=topic, standing=Standing.GOOD, what=what)
