"""The connections to those servers of Craft Agents whose token is known: one to each, kept while it is used.

Knows where a token may come from, when a server is asked, and when it is let be. A server is asked for its sessions
every ten seconds at most. A token that was refused is not tried again until it is another one. Tokens stay in memory,
and are sent only to a port on which the very server listens.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from trayapp.hosts.base import Surroundings
from trayapp.hosts.craft_disk import DEFAULT_PORT, plain_path, read_server_token
from trayapp.hosts.craft_programs import HEALTH_PORT, HOST, RPC_CERT, RPC_HOST, RPC_PORT, TOKEN, Kind
from trayapp.hosts.craft_rpc import Address, Link, RpcUnusable, Told, connect
from trayapp.hosts.craft_servers import Running
from trayapp.model.access import Permission
from trayapp.model.process import Identity
from trayapp.model.session import Problem

POLL_S = 10.0
_LET_BE_S = 15.0
"""How long a server that did not answer is not asked again."""
_PORTS_KEPT_S = 30.0
_ANYWHERE = ("", "0.0.0.0", "::", "localhost")


@dataclass(slots=True, kw_only=True)
class Line:
    """Keep the connection to one server and what it said last.

    Attributes:
        told: by session folder; empty while nothing is known.
        fault: why it cannot be asked, `why_not` why it is not asked at all.
    """

    link: Link | None = None
    told: Mapping[str, Told] = field(default_factory=dict)
    told_epoch_s: float | None = None
    fault: RpcUnusable | None = None
    why_not: str | None = None
    asked_s: float = float("-inf")
    faulted_s: float = float("-inf")
    refused: str | None = field(default=None, repr=False)
    token: str | None = field(default=None, repr=False)
    ports: tuple[float, tuple[int, ...] | None] | None = None

    @property
    def in_use(self) -> bool:
        """Say whether the server answered when it was last asked."""
        return self.link is not None and self.told_epoch_s is not None and self.fault is None

    def problem(self, running: Running) -> Problem | None:
        """Return what the user should know of it; an app without a token is no fault."""
        if self.fault is None:
            return None
        return Problem(where=running.title, what=self.fault.what, mend=self.fault.mend)


class Lines:
    """Hold all connections; used in one loop at a time."""

    def __init__(self) -> None:
        self._lines: dict[Identity, Line] = {}

    def of(self, identity: Identity) -> Line:
        """Return the line to a server; a new one knows nothing."""
        return self._lines.setdefault(identity, Line())

    async def keep_only(self, identities: frozenset[Identity]) -> None:
        """Close the connections to servers that are gone."""
        for identity in [identity for identity in self._lines if identity not in identities]:
            line = self._lines.pop(identity)
            if line.link is not None:
                await line.link.close()

    async def ask(self, running: Running, around: Surroundings, *, now_s: float) -> None:
        """Ask one server for its sessions, if that is due. Returns within seconds, whatever comes of it."""
        line = self.of(running.process.identity)
        token = self._token(running, line, around)
        if line.token != token:
            # allowed, forbidden or typed anew: what was known of the old one counts no more
            if line.link is not None:
                await line.link.close()
            ports = line.ports
            line = self._lines[running.process.identity] = Line(token=token, ports=ports, why_not=line.why_not)
        if token is None or (line.refused == token):
            return
        waiting = line.fault is not None and 0 <= now_s - line.faulted_s < _LET_BE_S
        fresh = line.in_use and line.link is not None and line.link.is_usable
        if waiting or (fresh and 0 <= now_s - line.asked_s < POLL_S):
            return
        try:
            address = self._address(running, line, token, around, now_s)
            if line.link is None or not line.link.is_usable:
                line.link = await connect(address)
            line.asked_s = now_s
            answer = await line.link.sessions()
        except RpcUnusable as fault:
            line.fault, line.faulted_s = fault, now_s
            line.told, line.told_epoch_s = {}, None
            if fault.lasting:
                line.refused = token
            return
        line.fault = None
        line.told = {plain_path(s.session_folder_path): s for s in answer if s.session_folder_path}
        line.told_epoch_s = around.now_epoch_s()

    def _token(self, running: Running, line: Line, around: Surroundings) -> str | None:
        """Return the token that may be used: the one that the user typed, else, after consent, the server's own."""
        access = around.access(HOST)
        line.why_not = None
        app_alone = running.kind is Kind.APP and not (
            running.shelf.config is not None and running.shelf.config.server_mode
        )
        if app_alone:
            line.why_not = "the desktop app keeps its token to itself"
            return None
        if access.secret:
            return access.secret
        if Permission.READ_SECRET not in access.allowed:
            line.why_not = "no token is known"
            return None
        if line.token is not None and line.refused != line.token:
            return line.token
        if running.kind is Kind.APP:
            found = read_server_token(running.shelf.folder)
        else:
            found = around.processes.variable(running.process.identity, TOKEN)
        if not found:
            line.why_not = "its token cannot be read"
            return None
        return found

    def _address(self, running: Running, line: Line, token: str, around: Surroundings, now_s: float) -> Address:
        """Return where a server is asked. Raises RpcUnusable where another program, or nobody, listens there."""
        process, config = running.process, running.shelf.config
        if line.ports is None or not 0 <= now_s - line.ports[0] < _PORTS_KEPT_S or line.fault is not None:
            line.ports = (now_s, around.processes.listening_ports(process.identity))
        listening = line.ports[1]
        if running.kind is Kind.APP:
            wanted = (config.port if config is not None else None) or DEFAULT_PORT
        else:
            given = process.env.get(RPC_PORT, "")
            wanted = int(given) if given.isdigit() else DEFAULT_PORT
        if wanted == 0 and listening is not None:
            others = {process.env.get(HEALTH_PORT, "")}
            free = [port for port in listening if str(port) not in others]
            wanted = free[0] if len(free) == 1 else 0
        if wanted == 0 or (listening is not None and wanted not in listening):
            what = (
                f"the server does not listen on port {wanted}" if wanted else "it is not told on which port it listens"
            )
            raise RpcUnusable(what, "Set CRAFT_RPC_PORT for the server, or wait until it has started")
        host = process.env.get(RPC_HOST, "") if running.kind is Kind.SERVER else ""
        cert = process.env.get(RPC_CERT) or (config.cert if config is not None else None)
        return Address(host="127.0.0.1" if host in _ANYWHERE else host, port=wanted, token=token, cert=cert or None)
