"""The founding scene, through the whole product: what is seen, what a release gives back, and what it leaves alone.

    python -m tests.hosts.craft_demo [--close-helpers]

Sets up a server with 15 sessions, 23 backends and 20 helpers, idle for days by their records and one of them working
(tests/hosts/craft_scene.py), looks at it as the app does, releases what is idle, ends what is left over, and sends
every session a message. With --close-helpers the server is asked to close the helpers of what is released. The last
line is one JSON object with the figures. Nothing of it runs afterwards; other processes of this computer are only
looked at.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType

from tests.hosts.craft_fake import runs
from tests.hosts.craft_scene import Scene, founding_scene, held_bytes
from trayapp.core import Core, Places
from trayapp.hosts.base import Surroundings
from trayapp.hosts.registry import load_hosts
from trayapp.model.access import HostAccess, Permission
from trayapp.model.plan import Action, Allowed
from trayapp.model.receipt import Outcome, Receipt
from trayapp.model.session import Role
from trayapp.model.snapshot import Group, GroupKind, Snapshot
from trayapp.probe import Probe
from trayapp.settings import Settings
from trayapp.targets import target_of

HOST = "craft-agents"
SIGTERM_CODES = frozenset({-15, 143})
"""How a backend ends that was asked to: by the signal, or with the code that the agent gives for it."""
MB = 1024**2


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Hold what was seen and what came of it; bytes are proportional sets (PSS)."""

    sessions: int
    backends: int
    surplus: int
    surplus_are_the_right_ones: bool
    helpers: int
    helpers_with_owner: int
    owners_that_are_right: int
    helpers_leaked: int
    working: int
    idle_cpu_percent: float
    idle_bytes: int
    released: int
    backends_ended: int
    ended_by_sigterm_only: bool
    receipt_bytes: int
    proc_bytes: int
    receipt_off_percent: float
    working_backend_lives: bool
    server_lives: bool
    helpers_listed_after: int
    helpers_closed_by_server: int
    leaked_ended: int
    others_ended: int
    helpers_left: int
    sessions_that_answer_again: int
    seconds: float


@contextmanager
def core_of(scene: Scene, folder: Path, access: HostAccess) -> Iterator[Core]:
    """Run a core whose home is the scene's, with the real processes of this computer."""
    hosts, _ = load_hosts(plug_ins=())
    probe = Probe(environment_names={name for host in hosts for name in host.environment_names})
    around = Surroundings(home=scene.craft.home, environ={}, now_epoch_s=time.time, processes=probe)
    places = Places(
        settings=folder / "settings.toml", history=folder / "history.sqlite", journal=folder / "journal.jsonl"
    )
    settings = Settings(record=False, hosts=MappingProxyType({HOST: access}))
    core = Core(probe=probe, hosts=hosts, around=around, places=places, settings=settings)
    core.start()
    try:
        yield core
    finally:
        core.stop()


def of_scene(scene: Scene, snapshot: Snapshot) -> list[Group]:
    """Return the rows of this scene's processes, without those of anybody else's."""
    own = {(process.pid, process.start) for process in scene.craft.started()}
    return [g for g in snapshot.groups if any(tuple(m.process.identity) in own for m in g.members)]


def helpers_in(groups: Iterable[Group]) -> list[int]:
    return [m.process.pid for g in groups for m in g.members if m.role is Role.HELPER]


def reclaim(core: Core, groups: Sequence[Group], action: Action) -> Receipt:
    """Press the button of each of these rows."""
    decisions = [(group, group.decision(action)) for group in groups]
    targets = [target_of(group, decision) for group, decision in decisions if decision is not None]
    return core.reclaim(targets, "demo", lambda _progress: None).result(timeout=120)


def allowed(groups: Iterable[Group], action: Action) -> list[Group]:
    return [g for g in groups if (d := g.decision(action)) is not None and d.allowed is Allowed.ALLOW]


def show(scene: Scene, groups: Sequence[Group], say: Callable[[str], None]) -> None:
    """Print the rows as a table."""
    for group in sorted(groups, key=lambda g: (g.kind, -g.held_bytes)):
        state = group.verdict.state.value if group.verdict is not None else group.kind.value
        idle_s = group.verdict.idle_s if group.verdict is not None else None
        idle = f"{idle_s / 86400:5.1f} d" if idle_s is not None else "       "
        backends = sum(m.role is Role.BACKEND for m in group.members)
        helpers = len(helpers_in([group]))
        more = f"{len(group.surplus)} surplus" if group.surplus else ", ".join(group.flags)
        counted = f"{backends} backends {helpers} helpers"
        say(f"  {group.name[:24]:24} {state:14} {idle} {group.held_bytes / MB:6.1f} MB  {counted}  {more}")
    say(f"  server {scene.server.pid}, config in its own home")


def run(folder: Path, *, close_helpers: bool = False, say: Callable[[str], None] = lambda _line: None) -> Figures:
    """Play the scene once below a folder and return the figures. Some fifteen seconds."""
    began_s = time.monotonic()
    with founding_scene(folder / "scene") as scene:
        allow = frozenset({Permission.CLOSE_HELPERS}) if close_helpers else frozenset[Permission]()
        access = HostAccess(secret=scene.craft.token if close_helpers else None, allowed=allow)
        with core_of(scene, folder, access) as core:
            return _play(scene, core, close_helpers=close_helpers, say=say, began_s=began_s)


def _play(scene: Scene, core: Core, *, close_helpers: bool, say: Callable[[str], None], began_s: float) -> Figures:
    groups = of_scene(scene, core.look(2.0))
    say("What is seen:")
    show(scene, groups, say)
    sessions = [g for g in groups if g.kind is GroupKind.SESSION]
    leaked = [g for g in groups if g.kind is GroupKind.ORPHAN_HELPER]
    idle = allowed(sessions, Action.RELEASE)
    backends = [m for g in sessions for m in g.members if m.role is Role.BACKEND]
    seen_cpu = sum(m.cpu_percent or 0.0 for g in idle for m in g.members)
    idle_bytes = sum(g.held_bytes for g in idle)
    truly = {helper.pid: session for session, helpers in scene.helpers.items() for helper in helpers}
    told = {pid: g.session.session_id for g in sessions if g.session is not None for pid in helpers_in([g])}
    right_owners = sum(truly.get(pid) == session for pid, session in told.items())

    say("Release idle:")
    own_helpers = [h for session in scene.idle for h in scene.helpers[session]] if close_helpers else []
    independent = held_bytes([*scene.idle_backends, *own_helpers])
    receipt = reclaim(core, idle, Action.RELEASE)
    for outcome in receipt.outcomes:
        say(f"  {outcome.target.title[:24]:24} {outcome.fate.value}: {outcome.sentence}")
    ended = backends_ended(scene, receipt.outcomes)
    back = receipt.came_back_bytes
    steps = [step for outcome in receipt.outcomes for step in outcome.steps]

    after = of_scene(scene, core.look(1.0))
    say("What is left:")
    show(scene, after, say)
    listed = helpers_in(g for g in after if g.kind in (GroupKind.SESSION, GroupKind.ORPHAN_HELPER))
    closed = [h for hs in scene.helpers.values() for h in hs if not runs(h)]
    ends = reclaim(core, allowed(after, Action.END_ORPHAN), Action.END_ORPHAN)
    for outcome in ends.outcomes:
        say(f"  {outcome.target.title[:24]:24} {outcome.fate.value}: {outcome.sentence}")
    gone = {identity.pid for outcome in ends.outcomes for identity in outcome.gone}
    wanted = {process.pid for process in scene.leaked}
    fates = scene.craft.fates()
    working = scene.backends[scene.working][-1]
    lives, serves = runs(working), runs(scene.server)
    left = sum(runs(h) for hs in scene.helpers.values() for h in hs) + sum(runs(h) for h in scene.leaked)
    silent = scene.answers_again()
    return Figures(
        sessions=len(sessions),
        backends=len(backends),
        surplus=sum(len(g.surplus) for g in sessions),
        surplus_are_the_right_ones={m.process.pid for g in sessions for m in g.surplus}
        == {process.pid for process in scene.surplus},
        helpers=len(helpers_in([*sessions, *leaked])),
        helpers_with_owner=len(helpers_in(sessions)),
        owners_that_are_right=right_owners,
        helpers_leaked=len(helpers_in(leaked)),
        working=len(sessions) - len(idle),
        idle_cpu_percent=round(seen_cpu, 1),
        idle_bytes=idle_bytes,
        released=sum(o.fate.value == "released" for o in receipt.outcomes),
        backends_ended=len(ended),
        ended_by_sigterm_only=all(fates.get(p.pid) in SIGTERM_CODES for p in scene.idle_backends)
        and not any("SIGKILL" in step for step in steps),
        receipt_bytes=back,
        proc_bytes=independent,
        receipt_off_percent=round(100 * abs(back - independent) / independent, 2),
        working_backend_lives=lives,
        server_lives=serves,
        helpers_listed_after=len(listed),
        helpers_closed_by_server=len(closed),
        leaked_ended=len(gone & wanted),
        others_ended=len(gone - wanted),
        helpers_left=left,
        sessions_that_answer_again=len(scene.sessions) - len(silent),
        seconds=round(time.monotonic() - began_s, 1),
    )


def backends_ended(scene: Scene, outcomes: Iterable[Outcome]) -> set[int]:
    """Return the backends that the receipt says are gone, and that really are."""
    told = {identity.pid for outcome in outcomes for identity in outcome.gone}
    return {p.pid for p in scene.idle_backends if p.pid in told and not runs(p)}


def main(arguments: Sequence[str]) -> int:
    """Play the scene, say what happens, and print the figures as one JSON object."""
    with tempfile.TemporaryDirectory(prefix="agentring-demo-") as folder:
        figures = run(Path(folder), close_helpers="--close-helpers" in arguments, say=print)
    print(json.dumps(asdict(figures)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
