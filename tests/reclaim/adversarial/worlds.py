"""Random machines for the random scenes: who runs there, who owns whom, and what changes at every door.

A world is the truth. What the product reads of it is read through the doors (`scan`, `open`, `look`, `sleep`, a call of
the host), and at each of them the world may change first. The only signals are those that reach `Door.send`, where the
world itself says whether they may be; it knows whom each process belongs to because it made it so, not by the rules
under test.
"""

from __future__ import annotations

import signal
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from random import Random
from typing import Any

from tests.tables import BOOTED, MACHINE, OWN_NAMESPACE, OWN_PID, OWN_UID, process, table
from trayapp.model.process import Identity, Machine, Process, ProcessStatus, ProcessTable
from trayapp.model.session import (
    Claim,
    ClaimKind,
    EndsBy,
    Evidence,
    EvidenceKind,
    LadderStep,
    Observation,
    ResumeTicket,
    Role,
    SessionFact,
    SessionKey,
    Speaks,
    StepKind,
)
from trayapp.probe.signals import SendResult

HOST = "fake"
VARIABLE = "FAKE_SESSION"
UPTIME_S = 100_000.0
NOW_EPOCH_S = BOOTED.timestamp() + UPTIME_S
TERM = LadderStep(kind=StepKind.SIGTERM, label="Asked to end", wait_s=4.0)
KILL = LadderStep(kind=StepKind.SIGKILL, label="Ended at once", wait_s=2.0)
CALL = LadderStep(kind=StepKind.HOST_CALL, label="Its host ends it", wait_s=2.0, call="stop")
LADDERS = ((TERM,), (TERM, KILL), (CALL, TERM, KILL), (CALL, TERM), (CALL,))

BLANK = table(own_uid=OWN_UID)
AGENT = ("/opt/fake-agent", "--interactive")
HELPERS = (("node", "/srv/mcp-server-files/index.js"), ("gopls",), ("mcp-git", "--stdio"))
JOBS = (("make", "-j"), ("pytest", "-q"), ("sleep", "600"), ("bash", "-c", "while true; do make; done"))
BOOKS = ("/opt/accounting", "--post")
PERSONS = (("kitty",), ("tmux",), ("vim", "notes"), ("sshd-session",), ("bash",), ("-zsh",), BOOKS)


@dataclass
class Soul:
    """Say whose a process is and what it is for, whatever it looks like.

    Attributes:
        session: whose it is; None = a person's, or the system's.
        kind: "backend", "helper", "work", "shell", "wrapper", "orphan", or "innocent".
        keeps: its host keeps it, no signal may reach it.
        program: what it ran when it was last shown to the product.
        deaf: it does not end by SIGTERM.
    """

    session: str | None
    kind: str
    keeps: EndsBy = EndsBy.SIGNAL
    shown: Process | None = None
    deaf: bool = False


class Wrong(AssertionError):
    """A signal reached somebody whom it must not reach."""


@dataclass
class World:
    """Hold a machine and let it change."""

    chance: Random
    change: float = 0.0
    processes: dict[int, Process] = field(default_factory=dict)
    souls: dict[Identity, Soul] = field(default_factory=dict)
    states: dict[str, str] = field(default_factory=dict)
    quiet_s: dict[str, float] = field(default_factory=dict)
    ladders: dict[str, tuple[LadderStep, ...]] = field(default_factory=dict)
    registered: dict[Identity, str] = field(default_factory=dict)
    kept: frozenset[str] = frozenset()
    now_s: float = UPTIME_S
    next_pid: int = 200
    reapers: set[int] = field(default_factory=lambda: {1})
    sent: list[tuple[Identity, signal.Signals]] = field(default_factory=list)
    judge: Any = None

    # -- who runs ---------------------------------------------------------------------------------------------------

    def add(self, argv: tuple[str, ...], parent: int, soul: Soul, *, pid: int | None = None, **more: Any) -> Process:
        """Start a process."""
        if pid is None:
            pid, self.next_pid = self.next_pid, self.next_pid + 1
        start = int(self.now_s * 100) + len(self.souls)
        values: dict[str, Any] = {"start_s": start / 100, **more}
        made = process(pid, parent, start=start, argv=argv, **values)
        self.processes[pid] = made
        self.souls[made.identity] = soul
        return made

    def gone(self, pid: int) -> None:
        """End a process; whoever takes orphans takes its children."""
        self.processes.pop(pid, None)
        for child in [p for p in self.processes.values() if p.ppid == pid]:
            self.processes[child.pid] = replace(child, ppid=1)

    def populate(self) -> None:
        """Make a machine with people, sessions and orphans on it."""
        chance = self.chance
        self.now_s = UPTIME_S - chance.choice([50_000.0, 5_000.0, 60.0])
        innocent = Soul(None, "innocent")
        self.add(("/sbin/init",), 0, innocent, pid=1, uid=0)
        terminal = self.add(("kitty",), 1, innocent, pid=100)
        shell = self.add(("bash",), terminal.pid, innocent, pid=101)
        pane = self.add(("zsh",), self.add(("tmux",), 1, innocent, pid=102).pid, innocent, pid=103)
        self.add(BOOKS, shell.pid, innocent, pid=104)
        self.add(("vim", "notes"), pane.pid, innocent, pid=105)
        self.add(("systemd", "--user"), 1, innocent, pid=106)
        if chance.random() < 0.5:
            self.reapers.add(106)
        server = self.add(("/opt/fake-server",), 1, innocent, pid=107)
        for number in range(chance.choice([1, 1, 2, 3])):
            self.session(f"s{number + 1}", chance.choice([shell.pid, shell.pid, pane.pid, 1]), server.pid)
        for _ in range(chance.choice([0, 0, 1, 2])):
            self.add(
                chance.choice([*HELPERS, JOBS[0]]),
                chance.choice([1, 106]),
                Soul("dead", "orphan"),
                env={VARIABLE: "dead"},
            )
        agents = [p.pid for p in self.processes.values() if self.soul(p).kind == "backend"]
        inside = chance.random() < 0.1
        self.add(("agentring",), chance.choice(agents) if inside else shell.pid, innocent, pid=OWN_PID)
        for pid in list(self.processes):
            if pid >= 200:
                self.processes[pid] = self.marked(self.processes[pid])
        self.now_s = UPTIME_S

    def session(self, name: str, parent: int, server: int) -> None:
        """Start one session with what belongs to it."""
        chance = self.chance
        self.states[name] = chance.choice(["idle"] * 7 + ["busy", "waiting", "silent"])
        self.quiet_s[name] = chance.choice([3600.0, 3600.0, 3600.0, 30.0])
        self.ladders[name] = chance.choice(LADDERS)
        for _ in range(chance.choice([1, 1, 1, 2])):
            self.backend(name, parent)
        if chance.random() < 0.2:
            keeps = chance.choice(list(EndsBy))
            self.add(HELPERS[0], server, Soul(name, "helper", keeps=keeps), env={VARIABLE: name})

    def backend(self, name: str, parent: int) -> Process:
        """Start an agent with its helpers and work, perhaps below a wrapper or a program of somebody's own."""
        chance, env = self.chance, {VARIABLE: name}
        above = chance.random()
        if above < 0.15:
            parent = self.add(("npx", "fake-agent"), parent, Soul(name, "wrapper")).pid
        elif above < 0.25:
            parent = self.add(("python3", "bot.py"), parent, Soul(None, "innocent")).pid
        agent = self.add(AGENT, parent, Soul(name, "backend", deaf=chance.random() < 0.2))
        if chance.random() < 0.85:
            self.registered[agent.identity] = name
        for _ in range(chance.choice([0, 1, 1, 2])):
            keeps = chance.choice([EndsBy.SIGNAL] * 5 + [EndsBy.NOT, EndsBy.HOST])
            soul = Soul(name, "helper", keeps=keeps, deaf=chance.random() < 0.2)
            self.add(chance.choice(HELPERS), agent.pid, soul, env=env if chance.random() < 0.7 else {})
        if chance.random() < 0.15:
            self.add(chance.choice(JOBS), agent.pid, Soul(name, "work"), env=env if chance.random() < 0.7 else {})
        if chance.random() < 0.15:
            self.add(("bash",), agent.pid, Soul(name, "shell"), env=env)
        return agent

    def marked(self, made: Process) -> Process:
        """Make a few processes somebody else's, unreadable, stopped or dead."""
        luck = self.chance.random()
        if luck < 0.01:
            return replace(made, uid=1001)
        if luck < 0.02:
            return replace(made, unit="agent.service")
        if luck < 0.03:
            return replace(made, pid_namespace=OWN_NAMESPACE + 1)
        if luck < 0.05:
            return replace(made, status=ProcessStatus.ZOMBIE)
        if luck < 0.06:
            return replace(made, status=self.chance.choice([ProcessStatus.STOPPED, ProcessStatus.UNINTERRUPTIBLE]))
        if luck < 0.07:
            return replace(made, exe=None, argv=None, unreadable=frozenset({"exe", "argv"}))
        return made

    def soul(self, of: Process) -> Soul:
        return self.souls[of.identity]

    # -- what changes ------------------------------------------------------------------------------------------------

    def door(self) -> None:
        """Let something happen, perhaps."""
        while self.chance.random() < self.change:
            self.happen()

    def happen(self) -> None:
        """Let one thing happen to somebody."""
        chance = self.chance
        theirs = [p for p in self.processes.values() if p.pid >= 200]
        if not theirs:
            return
        whom = chance.choice(theirs)
        what = chance.randrange(13)
        if what == 0 and chance.random() < 0.5:  # exec
            self.processes[whom.pid] = replace(whom, argv=BOOKS, exe=BOOKS[0], name="accounting")
        elif what == 0:  # exec of the same interpreter with another script
            self.processes[whom.pid] = replace(whom, argv=((whom.argv or ("node",))[0], "/srv/post-the-books.js"))
        elif what == 1:  # a title
            self.processes[whom.pid] = replace(whom, argv=("thinking",))
        elif what in (2, 3):  # the pid is somebody else's
            self.gone(whom.pid)
            looks = chance.choice([*PERSONS, AGENT, HELPERS[0]])
            # what a person runs below a shell; a server that nobody is above of would be an orphan by its looks
            soul = Soul("stranger", "backend") if looks is AGENT else Soul(None, "innocent")
            self.add(looks, chance.choice([101, 103]), soul, pid=whom.pid)
        elif what == 4:
            self.gone(whom.pid)
        elif what == 5 and self.soul(whom).session is not None:  # a child
            name = self.soul(whom).session
            kind = chance.choice(["helper", "work"])
            looks = chance.choice(HELPERS if kind == "helper" else JOBS)
            env = {VARIABLE: name} if name is not None and kind == "work" else {}
            self.add(looks, whom.pid, Soul(name, kind), env=env)
        elif what == 6 and self.states:  # a session comes back
            name = chance.choice([*self.states, "dead"])
            self.states.setdefault(name, "idle")
            self.quiet_s.setdefault(name, 3600.0)
            self.ladders.setdefault(name, (TERM,))
            self.registered[self.backend(name, 101).identity] = name
        elif what in (7, 8) and self.states:
            self.states[chance.choice(list(self.states))] = chance.choice(["busy", "busy", "waiting", "silent"])
        elif what == 9:
            changed = chance.choice([{"uid": 1001}, {"unit": "x.service"}, {"pid_namespace": 1}])
            self.processes[whom.pid] = replace(whom, **changed)  # type: ignore[arg-type]
        elif what == 10:
            status = chance.choice([ProcessStatus.ZOMBIE, ProcessStatus.STOPPED])
            self.processes[whom.pid] = replace(whom, status=status)
        elif what == 11:
            self.processes[whom.pid] = replace(whom, name="tmux: server")
        elif what == 12 and self.states:
            self.kept = frozenset({f"{HOST}:{chance.choice(list(self.states))}"})

    # -- what is read of it ------------------------------------------------------------------------------------------

    def table(self) -> ProcessTable:
        """Return everything as it is now."""
        return replace(
            BLANK,
            processes=dict(self.processes),
            reaper_pids=frozenset(self.reapers),
            monotonic_s=self.now_s,
            uptime_s=self.now_s,
            taken_at=BOOTED + timedelta(seconds=self.now_s),
        )

    def observation(self) -> Observation:
        """Return what the host tells of its sessions now."""
        claims = [claim for each in self.processes.values() for claim in self.claims(each)]
        return Observation(
            host=HOST,
            read_epoch_s=self.epoch_s(),
            claims=tuple(claims),
            sessions=tuple(self.fact(name) for name in sorted(self.live())),
        )

    def own_line(self) -> set[int]:
        """Return the pids of the product and of all above it."""
        line, now = set[int](), self.processes.get(OWN_PID)
        while now is not None and now.pid not in line:
            line.add(now.pid)
            now = self.processes.get(now.ppid)
        return line

    def live(self) -> set[str]:
        """Return the sessions that are on record with a process that runs."""
        running = (each.identity for each in self.processes.values() if not each.is_zombie)
        return {self.registered[identity] for identity in running if identity in self.registered}

    def claims(self, of: Process) -> list[Claim]:
        """Return what the host says of one process."""
        soul, found = self.souls[of.identity], []
        if of.argv is not None and of.argv[:1] == AGENT[:1]:
            found.append(claim(of, None, Role.BACKEND, ClaimKind.PROGRAM))
        if of.argv is not None and of.argv[:1] == ("/opt/fake-server",):
            found.append(claim(of, None, Role.INFRA, ClaimKind.PROGRAM))
        if of.identity in self.registered:
            found.append(claim(of, self.registered[of.identity], Role.BACKEND, ClaimKind.REGISTRY))
        named = of.env.get(VARIABLE)
        if named:
            role = {"helper": Role.HELPER, "orphan": Role.UNKNOWN, "work": Role.WORK}.get(soul.kind, Role.UNKNOWN)
            found.append(claim(of, named, role, ClaimKind.ENVIRONMENT, ends_by=soul.keeps))
        elif soul.keeps is not EndsBy.SIGNAL:
            found.append(claim(of, soul.session, Role.HELPER, ClaimKind.ENVIRONMENT, ends_by=soul.keeps))
        return found

    def fact(self, name: str) -> SessionFact:
        """Return what the host tells of one session."""
        state = self.states[name]
        speaks = {"busy": Speaks.BUSY, "waiting": Speaks.WAITING, "idle": Speaks.IDLE}.get(state, Speaks.NOTHING)
        at_epoch_s = self.epoch_s() - (self.quiet_s[name] if state == "idle" else 0.0)
        told = Evidence(
            kind=EvidenceKind.HOST_STATUS,
            speaks_for=speaks,
            fact=state,
            source="record",
            at_epoch_s=at_epoch_s,
            read_epoch_s=self.epoch_s(),
        )
        return SessionFact(
            key=SessionKey(HOST, name),
            evidence=(told,),
            last_activity_epoch_s=at_epoch_s,
            resume=ResumeTicket(argv=("fake-agent", name)),
            ladder=self.ladders[name],
        )

    def epoch_s(self) -> float:
        return BOOTED.timestamp() + self.now_s


def claim(of: Process, session: str | None, role: Role, kind: ClaimKind, *, ends_by: EndsBy = EndsBy.SIGNAL) -> Claim:
    """Write down what the host says of a process."""
    key = SessionKey(HOST, session) if session is not None else None
    return Claim(identity=of.identity, host=HOST, role=role, kind=kind, source="world", session=key, ends_by=ends_by)


class WorldProbe:
    """Read a world, which may have changed just before."""

    def __init__(self, world: World) -> None:
        self.world = world

    def scan(self, *, whole: bool = True) -> ProcessTable:
        self.world.door()
        found = self.world.table()
        self.world.judge.noted(found)
        return found

    def footprints(self, identities: Collection[Identity], budget_s: float | None) -> Mapping[Identity, int]:
        return {}

    def machine(self) -> Machine:
        return MACHINE

    def forget(self, identities: Collection[Identity]) -> None:
        """Keep nothing that could be forgotten."""


class Door:
    """Hold one process of a world; the lowest door, through which signals go."""

    def __init__(self, world: World, identity: Identity) -> None:
        self.world, self.identity = world, identity

    def is_alive(self) -> bool:
        now = self.world.processes.get(self.identity.pid)
        return now is not None and now.identity == self.identity and not now.is_zombie

    def send(self, sig: signal.Signals) -> SendResult:
        world = self.world
        if not self.is_alive():
            return SendResult.GONE
        now = world.processes[self.identity.pid]
        world.judge.may(now, sig)
        world.sent.append((self.identity, sig))
        stopped = now.status in (ProcessStatus.STOPPED, ProcessStatus.UNINTERRUPTIBLE)
        if sig is signal.SIGKILL or not (world.soul(now).deaf or stopped):
            world.gone(self.identity.pid)
        return SendResult.SENT

    def close(self) -> None:
        """Hold nothing."""

    def __enter__(self) -> Door:
        return self

    def __exit__(self, *_why: object) -> None:
        self.close()


def opened(world: World, identity: Identity) -> Door | None:
    """Open a process of a world, as the system does."""
    world.door()
    door = Door(world, identity)
    return door if door.is_alive() else None
