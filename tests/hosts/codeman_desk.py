"""A desk with a fake Codeman on it: the adapter, the real probe, a clock that can be put forward, and what is allowed.

Other tests may run fakes of their own at the same time, so only what belongs to this one is recognised.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.hosts.codeman_fake import FakeCodeman
from tests.hosts.homes import fact_of
from trayapp.core import Core, Places
from trayapp.hosts.base import Surroundings
from trayapp.hosts.claude_code import ClaudeCode
from trayapp.hosts.codeman import Codeman
from trayapp.model.access import HostAccess, Permission
from trayapp.model.process import Process, ProcessTable
from trayapp.model.receipt import Outcome
from trayapp.model.session import Claim, Observation, SessionFact
from trayapp.model.snapshot import Group, Snapshot
from trayapp.probe import Probe
from trayapp.settings import Settings
from trayapp.targets import target_of

NAMES = {*Codeman.environment_names, *ClaudeCode.environment_names}


class OwnCodeman(Codeman):
    """Recognise what belongs to one fake."""

    def __init__(self, fake: FakeCodeman) -> None:
        super().__init__()
        self.fake = fake

    def recognise(self, process: Process) -> Claim | None:
        """Say what a process is; all of the fake's carry its TMUX_TMPDIR."""
        if process.env.get("TMUX_TMPDIR") != self.fake.environ["TMUX_TMPDIR"]:
            return None
        return super().recognise(process)


@dataclass(slots=True)
class Desk:
    """Look at one fake as the monitor does.

    Attributes:
        later_s: how far the clock is put forward.
        access: what the settings say.
    """

    fake: FakeCodeman
    probe: Probe
    adapter: OwnCodeman
    later_s: float = 0.0
    access: HostAccess = field(default_factory=HostAccess)
    table: ProcessTable | None = None

    @property
    def around(self) -> Surroundings:
        return Surroundings(
            home=self.fake.home,
            environ={"TMUX_TMPDIR": self.fake.environ["TMUX_TMPDIR"], "PATH": self.fake.environ["PATH"]},
            now_epoch_s=lambda: time.time() + self.later_s,
            processes=self.probe,
            access=lambda _host: self.access,
        )

    def look(self, *, later_s: float = 0.0) -> Observation:
        """Scan this machine and observe, `later_s` after the last look."""
        self.later_s += later_s
        self.table = self.probe.scan(whole=True)
        claims = [c for p in self.table.processes.values() if (c := self.adapter.recognise(p)) is not None]
        return asyncio.run(self.adapter.observe(self.table, claims, self.around))

    def fact(self, session_id: str, *, later_s: float = 0.0) -> SessionFact:
        return fact_of(self.look(later_s=later_s), session_id)

    def targets(self, method: str = "") -> list[str]:
        """Return what was asked of the server, by the adapter and by the test: "GET /api/status"."""
        asked = [f"{each['method']} {each['target']}" for each in self.fake.asked()]
        return [each for each in asked if each.startswith(method)]

    def allow_reading(self) -> None:
        self.access = HostAccess(allowed=frozenset({Permission.READ_SECRET}))


@contextmanager
def desk_for(fake: FakeCodeman) -> Iterator[Desk]:
    """Yield a desk and close its probe."""
    probe = Probe(environment_names=NAMES)
    try:
        yield Desk(fake=fake, probe=probe, adapter=OwnCodeman(fake))
    finally:
        probe.close()


@contextmanager
def core_on(fake: FakeCodeman, root: Path, *, later_s: float = 1200.0) -> Iterator[Core]:
    """Yield the product over the fake and the real probe, with the agent's own host beside it, 20 minutes later."""
    probe = Probe(environment_names=NAMES)
    core = Core(
        probe=probe,
        hosts=(OwnCodeman(fake), ClaudeCode()),
        around=Surroundings(
            home=fake.home,
            environ={"TMUX_TMPDIR": fake.environ["TMUX_TMPDIR"], "PATH": fake.environ["PATH"]},
            now_epoch_s=lambda: time.time() + later_s,
            processes=probe,
        ),
        places=Places(settings=root / "settings.toml", history=root / "history.sqlite", journal=root / "journal.jsonl"),
        settings=Settings(record=False),
    )
    core.start()
    try:
        yield core
    finally:
        core.stop()


def group_of(snapshot: Snapshot, session_id: str) -> Group:
    group = snapshot.group(f"codeman:{session_id}")
    assert group is not None, f"no {session_id} among {[g.key for g in snapshot.groups]}"
    return group


def act_on(core: Core, group: Group, action: str, *, confirmed: bool = False) -> Outcome:
    """Ask for one action on a group as it is shown, and return what became of it."""
    decision = next(each for each in group.decisions if each.action == action)
    target = target_of(group, decision, confirmed=confirmed)
    return core.reclaim([target], "test", lambda _progress: None).result(60).outcomes[0]
