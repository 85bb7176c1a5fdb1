"""What the doctor and the settings say of Craft Agents: what is found, what may be allowed, what helps. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from trayapp.hosts.craft_lines import Line
from trayapp.hosts.craft_programs import HOST, KEEP_ALIVE, TOKEN, Kind
from trayapp.hosts.craft_servers import Running
from trayapp.model.access import HostAccess, Permission
from trayapp.model.finding import Finding, Standing
from trayapp.model.setup import HostSetup

_ALLOW = f"`agentring hosts allow {HOST} {{}}`"
_FORBID = f"agentring hosts forbid {HOST} {{}}"
_FIRST_THAT_KEEPS = (0, 11)


def findings_of(
    servers: Sequence[tuple[Running, Line]], access: HostAccess, *, keeping: Collection[int]
) -> Iterator[Finding]:
    """Yield what is found of each server. `keeping` are the pids of those whose agents stay between turns."""
    for running, line in servers:
        yield _about_server(running, line, access)
        if running.process.pid in keeping or (_keeps(running, line) and running.process.env.get(KEEP_ALIVE) != "0"):
            what = "it keeps the agents of its Claude sessions between turns, each about 200 MB"
            mend = f"{KEEP_ALIVE}=0 in the environment of the server goes back to one process for each turn"
            yield Finding(topic=running.title, standing=Standing.TROUBLE, what=what, mend=mend)
        link = line.link
        if link is not None and line.in_use:
            if link.release_channel is not None:
                what = f"it offers {link.release_channel}, which is used first to release a session"
                yield Finding(topic=running.title, standing=Standing.GOOD, what=what)
            for channel in link.unknown_release_channels:
                what = f"it offers {channel}, which this version of Agent Ring does not know and does not use"
                yield Finding(topic=running.title, standing=Standing.ABSENT, what=what, mend="Update Agent Ring")


def _about_server(running: Running, line: Line, access: HostAccess) -> Finding:
    version = version_of(running, line)
    name = "desktop app" if running.kind is Kind.APP else "server"
    found = f"{name} {version or 'of unknown version'}, config in {running.shelf.folder}"
    if line.in_use and line.link is not None:
        return Finding(
            topic=running.title,
            standing=Standing.GOOD,
            what=f"{found}; asked at {line.link.address.url}",
        )
    if line.fault is not None:
        return Finding(
            topic=running.title, standing=Standing.TROUBLE, what=f"{found}; {line.fault.what}", mend=line.fault.mend
        )
    why = line.why_not or "not asked yet"
    offers = running.kind is Kind.SERVER and Permission.READ_SECRET not in access.allowed and not access.secret
    mend = f"{_ALLOW.format(Permission.READ_SECRET.value)} lets Agent Ring ask it" if offers else None
    what = f"{found}; not asked, {why}: sessions are known from processes and disk"
    return Finding(topic=running.title, standing=Standing.ABSENT, what=what, mend=mend)


def version_of(running: Running, line: Line) -> str | None:
    """Return the version that the server itself told, else that of its package."""
    told = line.link.version if line.link is not None else None
    return told or running.version


def _keeps(running: Running, line: Line) -> bool:
    """Say whether this version keeps agents between turns unless it is told not to."""
    parts = (version_of(running, line) or "").split(".")[:2]
    if len(parts) != 2 or not all(part.isdigit() for part in parts):
        return False
    return (int(parts[0]), int(parts[1])) >= _FIRST_THAT_KEEPS


def offers_of(servers: Sequence[tuple[Running, Line]], access: HostAccess) -> Iterator[HostSetup]:
    """Yield the consents that are not given yet and would help now."""
    with_token = [r for r, _ in servers if r.kind is Kind.SERVER or _in_server_mode(r)]
    if with_token and not access.secret and Permission.READ_SECRET not in access.allowed:
        yield _read_secret(with_token)
    if any(line.in_use for _, line in servers) and Permission.CLOSE_HELPERS not in access.allowed:
        yield HostSetup(
            key=Permission.CLOSE_HELPERS.value,
            host=HOST,
            title="Close the helpers of released sessions",
            steps=(
                "ask the server, when you release a session, to switch off all sources of that session, "
                "which closes their MCP servers",
            ),
            says=(
                "The session's list of sources changes, visibly and for good: switch them on again in the session.",
                "Without this, helpers stay with the server; ended by a signal they would be missed until it restarts.",
            ),
            undo=_FORBID.format(Permission.CLOSE_HELPERS.value),
            permits=Permission.CLOSE_HELPERS,
        )


def _in_server_mode(running: Running) -> bool:
    return running.shelf.config is not None and running.shelf.config.server_mode


def _read_secret(servers: Sequence[Running]) -> HostSetup:
    steps = []
    for running in servers:
        if running.kind is Kind.SERVER:
            steps.append(f"read {TOKEN} from the environment of the server (process {running.process.pid})")
        else:
            steps.append(f"read serverConfig.token from {running.shelf.folder / 'config.json'}")
    return HostSetup(
        key=Permission.READ_SECRET.value,
        host=HOST,
        title="Ask the server which sessions work",
        steps=(
            *steps,
            "sign in to that server with it, on this computer, and ask for the list of sessions every 10 s at most",
        ),
        says=(
            "The token stays in memory: it is not stored, shown, logged or exported.",
            "It would let its holder do all that you can do there. Agent Ring reads no message and deletes nothing.",
        ),
        undo=_FORBID.format(Permission.READ_SECRET.value),
        permits=Permission.READ_SECRET,
    )
