"""Real process trees for tests, a host that knows them, and the product run beside or inside them.

A tree stands beside the test, not below it: its first process lets its parent go, because the monitor counts everything
below itself as its own. Each process enrols with pid and start; `Tree.end` ends exactly those, by pidfd, and waits
until they are gone.
"""

from __future__ import annotations

import asyncio
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from trayapp.core import Core, Places
from trayapp.hosts.base import CallResult, Surroundings
from trayapp.model.plan import Action
from trayapp.model.process import Identity, Process, ProcessTable
from trayapp.model.receipt import Receipt, Target, program_mark
from trayapp.model.session import (
    Claim,
    ClaimKind,
    Evidence,
    EvidenceKind,
    HostLabel,
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
from trayapp.model.snapshot import Snapshot
from trayapp.probe import Probe
from trayapp.programs import elements, is_shell, looks_like_helper, shell_command
from trayapp.settings import Settings

DEADLINE_S = 20.0
CHECKOUT = Path(__file__).resolve().parents[1]
SESSION_VARIABLE = "FAKE_AGENT_SESSION"
AGENT = "fake-agent/agent.py"


@dataclass(frozen=True, kw_only=True)
class Part:
    """Say what one process of a tree does.

    Attributes:
        program: where the actor's script lies, below the tree's folder; by this it is recognised.
        arguments: further arguments, seen in argv and not read.
        command: run this instead of the actor; it enrols through its parent.
        children: parts that it starts.
        detached: it lets its parent go (double fork); setsid: it begins a session of its own.
        records_signals: it writes the name of each signal that it gets to a file, and goes on.
        ends_with_its_input: it ends when its standard input ends, as MCP servers do; with its child: as wrappers do.
        session_id, status, quiet_s, title: what it writes into its host's record.
        uid: it becomes this user once it runs; subreaper: it inherits what its descendants leave behind.
    """

    program: str = "bin/part.py"
    arguments: tuple[str, ...] = ()
    command: tuple[str, ...] | None = None
    children: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    cwd: str | None = None
    detached: bool = False
    setsid: bool = False
    records_signals: bool = False
    ignores_term: bool = False
    ends_with_its_input: bool = False
    ends_with_its_child: bool = False
    leaves_zombie: bool = False
    burns: bool = False
    holds_bytes: int = 0
    uid: int | None = None
    subreaper: bool = False
    session_id: str | None = None
    status: str = "idle"
    quiet_s: float = 3600.0
    title: str | None = None


class Tree:
    """Start the parts of a tree, tell who plays what, and end them all."""

    def __init__(self, root: Path, **parts: Part) -> None:
        self.root = root
        self.home = root / "home"
        for folder in ("roll", "signals", "control", "parts", "home/.fake-agent/sessions"):
            (root / folder).mkdir(parents=True)
        self.parts = {name.replace("_", "-"): part for name, part in parts.items()}
        for name, part in self.parts.items():
            (root / "parts" / f"{name}.json").write_text(json.dumps(asdict(part)))
            self.program(part.program)

    def program(self, path: str) -> Path:
        """Put the actor under this name."""
        script = self.root / path
        script.parent.mkdir(exist_ok=True)
        return Path(shutil.copy(CHECKOUT / "tests" / "actor.py", script))

    def start(self, name: str) -> None:
        """Start a part beside this process and wait until it and all below it play."""
        part = self.parts[name]
        assert part.detached, "the first part lets its parent go, or it would stand below the monitor"
        environment = {k: v for k, v in os.environ.items() if k != SESSION_VARIABLE and not k.startswith("COV")}
        subprocess.run(
            [sys.executable, "-I", "-S", str(self.root / part.program), name],
            check=True,
            stdin=subprocess.DEVNULL,
            env=environment,
            timeout=DEADLINE_S,
        )
        self.wait_for(*self._expected(name))

    def _expected(self, name: str) -> Iterator[str]:
        yield name
        if self.parts[name].leaves_zombie:
            yield f"{name}-zombie"
        for child in self.parts[name].children:
            yield from self._expected(child)

    def wait_for(self, *names: str) -> None:
        """Wait until these parts play."""
        until(lambda: all((self.root / "roll" / name).exists() for name in names), f"{names} do not play")

    def tell(self, name: str, *words: str) -> None:
        """Tell a part: "stop", "spawn NAME", "become PROGRAM NAME" or "retitle TITLE"."""
        with (self.root / "control" / name).open("w") as control:
            control.write(" ".join(words))

    def set_status(self, name: str, status: str, *, quiet_s: float = 3600.0) -> None:
        """Change what the host's record says of the session that this part runs."""
        path = self.home / ".fake-agent" / "sessions" / f"{name}.json"
        record = json.loads(path.read_text()) | {"status": status, "since_epoch_s": time.time() - quiet_s}
        path.write_text(json.dumps(record))

    def identity(self, name: str) -> Identity:
        pid, start = (self.root / "roll" / name).read_text().split()
        return Identity(int(pid), int(start))

    def pid(self, name: str) -> int:
        return self.identity(name).pid

    def names(self) -> dict[Identity, str]:
        """Return who plays what, for all that ever played."""
        return {self.identity(p.name): p.name for p in (self.root / "roll").iterdir() if not p.name.startswith(".")}

    def runs(self, name: str) -> bool:
        """Say whether a part still runs; a zombie does not."""
        return _runs(self.identity(name))

    def running(self) -> set[str]:
        return {name for identity, name in self.names().items() if _runs(identity)}

    def signals(self, name: str) -> list[str]:
        """Return the signals that a recording part got."""
        return (self.root / "signals" / name).read_text().split()

    def end(self) -> None:
        """End every process that enrolled and no other, and wait until they are gone."""
        for _ in range(3):  # one that was just being started enrols a moment later
            for identity in self.names():
                _end(identity)
            if not self.running():
                return


def _runs(identity: Identity) -> bool:
    try:
        fields = Path(f"/proc/{identity.pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return int(fields[19]) == identity.start and fields[0] not in "ZX"


def _end(identity: Identity) -> None:
    try:
        descriptor = os.pidfd_open(identity.pid)
    except ProcessLookupError:
        return
    try:
        if _runs(identity):
            signal.pidfd_send_signal(descriptor, signal.SIGKILL)
            gone = select.poll()
            gone.register(descriptor, select.POLLIN)
            assert gone.poll(DEADLINE_S * 1000), f"process {identity} does not end"
    finally:
        os.close(descriptor)


@contextmanager
def planted(root: Path, **parts: Part) -> Iterator[Tree]:
    """Yield a tree whose processes are all gone afterwards; underscores in names become dashes."""
    tree = Tree(root, **parts)
    try:
        yield tree
    finally:
        tree.end()


def until(holds: Callable[[], bool], otherwise: str, deadline_s: float = DEADLINE_S) -> None:
    """Wait for something that another process does."""
    end_s = time.monotonic() + deadline_s
    while not holds():
        assert time.monotonic() < end_s, otherwise
        time.sleep(0.005)


# -- the host that knows these trees ----------------------------------------------------------------------------------

TERM_STEP = LadderStep(kind=StepKind.SIGTERM, label="Fake Agent is asked to end", wait_s=1.0)
KILL_STEP = LadderStep(kind=StepKind.SIGKILL, label="Fake Agent is ended at once", wait_s=1.0)
STOP_CALL = LadderStep(kind=StepKind.HOST_CALL, label="Fake Agent ends the session", wait_s=1.0, call="stop")

Call = Callable[[SessionFact], Awaitable[CallResult]]


class FakeAgentHost:
    """Know `fake-agent`: found by its script, its sessions by records with pid and start, jobs by a variable.

    With a `root` only the programs of that tree: another run of these tests may play beside this one.
    """

    label = HostLabel(host="fake-agent", title="Fake Agent", letters="FA")
    environment_names: tuple[str, ...] = (SESSION_VARIABLE,)

    def __init__(self, *, ladder: tuple[LadderStep, ...] = (TERM_STEP, KILL_STEP), call: Call | None = None) -> None:
        self.ladder = ladder
        self.called: list[str] = []
        self.root: Path | None = None
        self._call = call

    def recognise(self, process: Process) -> Claim | None:
        if self.root is not None and not any(a.startswith(str(self.root)) for a in process.argv or ()):
            return None
        script = next((argument for argument in (process.argv or ())[1:] if not argument.startswith("-")), "")
        if "fake-agent" in (*elements(process.exe or ""), *elements(script)):
            return self._claim(process, Role.BACKEND, ClaimKind.PROGRAM, "its program")
        session_id = process.env.get(SESSION_VARIABLE)
        if not session_id:
            return None
        role = Role.HELPER if looks_like_helper(process) else Role.WORK
        if is_shell(process) and shell_command(process) is None:
            role = Role.UNKNOWN
        return self._claim(process, role, ClaimKind.ENVIRONMENT, "the session variable that it inherited", session_id)

    def _claim(
        self, process: Process, role: Role, kind: ClaimKind, source: str, session_id: str | None = None
    ) -> Claim:
        return Claim(
            identity=process.identity,
            host=self.label.host,
            role=role,
            kind=kind,
            source=source,
            session=self.key(session_id) if session_id is not None else None,
        )

    def key(self, session_id: str) -> SessionKey:
        return SessionKey(self.label.host, session_id)

    async def observe(self, table: ProcessTable, recognised: Sequence[Claim], around: Surroundings) -> Observation:
        now_s = around.now_epoch_s()
        facts: list[SessionFact] = []
        claims = list(recognised)
        problems: list[Problem] = []
        for path in sorted((around.home / ".fake-agent" / "sessions").glob("[!.]*.json")):
            try:
                record = json.loads(path.read_text())
            except json.JSONDecodeError as error:
                problems.append(Problem(where=str(path), what=f"not JSON ({error})", mend="It is passed over."))
                continue
            process = table.get(Identity(record["pid"], record["start"]))
            if process is None:
                continue
            session_id = record["session_id"]
            claims.append(self._claim(process, Role.BACKEND, ClaimKind.REGISTRY, "session record", session_id))
            facts.append(self._fact(record, process, now_s))
        return Observation(
            host=self.label.host,
            read_epoch_s=now_s,
            sessions=tuple(facts),
            claims=tuple(claims),
            problems=tuple(problems),
        )

    def _fact(self, record: dict[str, Any], process: Process, now_s: float) -> SessionFact:
        speaks = {"busy": Speaks.BUSY, "waiting": Speaks.WAITING, "idle": Speaks.IDLE}.get(record["status"])
        told = Evidence(
            kind=EvidenceKind.HOST_STATUS,
            speaks_for=speaks or Speaks.NOTHING,
            fact=f"Its record says {record['status']}",
            source="session record",
            at_epoch_s=record["since_epoch_s"],
            read_epoch_s=now_s,
        )
        return SessionFact(
            key=self.key(record["session_id"]),
            title=record["title"],
            cwd=process.cwd,
            evidence=(told,),
            last_activity_epoch_s=record["since_epoch_s"],
            resume=ResumeTicket(argv=("fake-agent", "--resume", record["session_id"]), cwd=process.cwd),
            ladder=self.ladder,
        )

    async def call(self, name: str, session: SessionFact, around: Surroundings) -> CallResult:
        self.called.append(name)
        if self._call is not None:
            return await self._call(session)
        for path in (around.home / ".fake-agent" / "sessions").glob("[!.]*.json"):
            record = json.loads(path.read_text())
            if record["session_id"] == session.key.session_id:
                await asyncio.to_thread(Path(record["control"]).write_text, "stop")
                return CallResult(ok=True, message="stopping")
        return CallResult(ok=False, message="no such session")


# -- the product beside or inside a tree ------------------------------------------------------------------------------


def core_for(
    tree_root: Path, *hosts: FakeAgentHost, settings: Settings | None = None, lineage: Path | None = None
) -> Core:
    """Put the product together with the real probe, and a fake host whose home is the tree's."""
    chosen = hosts or (FakeAgentHost(),)
    for host in chosen:
        host.root = tree_root
    probe = Probe(environment_names={name for host in chosen for name in host.environment_names})
    return Core(
        probe=probe,
        hosts=chosen,
        around=Surroundings(home=tree_root / "home", environ={}, now_epoch_s=time.time, processes=probe),
        places=Places(
            settings=tree_root / "settings.toml",
            history=tree_root / "history.sqlite",
            journal=tree_root / "journal.jsonl",
            incidents=tree_root / "incidents",
            keeps=tree_root / "keeps.json",
            lineage=lineage,
        ),
        settings=settings or Settings(),
    )


@contextmanager
def running_core(tree_root: Path, *hosts: FakeAgentHost) -> Iterator[Core]:
    """Yield the product, started without ticks of its own."""
    core = core_for(tree_root, *hosts)
    core.start()
    try:
        yield core
    finally:
        core.stop()


def target_of(snapshot: Snapshot, key: str, action: Action, *, confirmed: bool = False, force: bool = False) -> Target:
    """Freeze a group as a person sees it on the list."""
    group = snapshot.group(key)
    assert group is not None, f"no group {key} among {[g.key for g in snapshot.groups]}"
    return Target(
        group_key=key,
        action=action,
        members=tuple(member.process.identity for member in group.members),
        title=group.name,
        host=group.host,
        expected_bytes=group.held_bytes,
        confirmed=confirmed,
        force=force,
        programs=tuple(program_mark(member.process) for member in group.members),
    )


def act(core: Core, *targets: Target) -> Receipt:
    """Carry targets out and wait for the receipt."""
    return core.reclaim(targets, "test", lambda _progress: None).result(60)


def _kill_from_inside(root: Path, key: str) -> None:
    """Ask for the end of the very session that this process runs in, and write down what came of it."""
    with running_core(root) as core:
        snapshot = core.look(0.05)
        group = snapshot.group(key)
        assert group is not None
        told = {str(d.action): [str(d.allowed), str(d.reason)] for d in group.decisions}
        outcome = act(core, target_of(snapshot, key, Action.KILL, confirmed=True, force=True)).outcomes[0]
    answer = {"decisions": told, "fate": str(outcome.fate), "reason": str(outcome.reason), "steps": outcome.steps}
    (root / "answer.tmp").write_text(json.dumps(answer))
    (root / "answer.tmp").rename(root / "answer.json")


if __name__ == "__main__":
    _kill_from_inside(Path(sys.argv[1]), sys.argv[2])
