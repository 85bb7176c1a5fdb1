"""Scenes with real processes that all write down every signal they get, and the product acting beside them.

A scene stands beside the test, not below it. Around its agents stand a terminal, a shell, an editor, a multiplexer, a
neighbour program and another session. When the scene is over, the signals that anybody got are compared with those that
were meant: nobody else may have got any, and everybody around must still run and answer.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tests.reclaim.adversarial.host import StageHost
from tests.reclaim.adversarial.product import Product
from tests.trees import target_of, until
from trayapp.model.plan import Action
from trayapp.model.process import Identity
from trayapp.model.receipt import Outcome, Receipt, Target
from trayapp.model.session import Role
from trayapp.model.snapshot import Group, Snapshot

DEADLINE_S = 15.0
HERE = Path(__file__).parent
AGENT = "fake-agent/agent"
MCP = "mcp-server-files/server"
S1, S2 = "fake-agent:s1", "fake-agent:s2"
ENV_S1, ENV_S2 = {"FAKE_AGENT_SESSION": "s1"}, {"FAKE_AGENT_SESSION": "s2"}


@dataclass(frozen=True, kw_only=True)
class Part:
    """Say what one process of a scene is.

    Attributes:
        program: where its executable lies, below the scene's folder, or the absolute path of a real program.
        argv: its arguments from argv[0] on, "ROOT" stands for the scene's folder; empty = its path alone.
        children: parts that it starts; a part that nobody starts, and that is not `later`, hangs below the shell.
        alone: it let its parent go before the scene began, in a session of its own.
        detached, new_session, new_group: how whoever starts it lets it go.
        stays: it goes on when it is asked to end; `ignores`: it ignores SIGTERM, and cannot record it.
        on_term: what it does when it is asked to end: "start NAME" and end, "linger NAME" (start it and go on), "stop",
            "become NAME".
        on_child: the part that it starts once when a child of its ended, as supervisors do.
        session, status, quiet_s: what its host's record says of it.
        later: it is started in the middle of the scene.
    """

    program: str = "bin/part"
    argv: tuple[str, ...] = ()
    children: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    cwd: str | None = None
    alone: bool = False
    detached: bool = False
    new_session: bool = False
    new_group: bool = False
    stays: bool = False
    ignores: bool = False
    on_term: str | None = None
    on_child: str | None = None
    ends_with_input: bool = False
    ends_with_child: bool = False
    keeps_zombies: bool = False
    uid: int | None = None
    session: str | None = None
    status: str = "idle"
    quiet_s: float = 3600.0
    later: bool = False


AROUND = {
    "terminal": Part(program="bin/kitty", alone=True, new_session=True, stays=True, children=("shell",)),
    "shell": Part(program="bin/bash", stays=True),
    "editor": Part(program="bin/vim", alone=True, new_session=True, stays=True),
    "multiplexer": Part(program="bin/tmux", alone=True, new_session=True, stays=True, children=("pane",)),
    "pane": Part(program="bin/zsh", stays=True),
    "neighbour": Part(program="bin/accounting", stays=True),
    "other": Part(program=AGENT, session="s2", status="busy", quiet_s=0.0, stays=True, children=("other-helper",)),
    "other-helper": Part(program=MCP, stays=True),
}
"""Who stands around in every scene and must never get a signal."""
LAST_WORDS = frozenset({"bye", "over", "end", "becomes"})


class Stage:
    """Hold a scene: its processes, what they wrote down, and the product beside them."""

    def __init__(self, root: Path, actor: Path, host: StageHost, parts: dict[str, Part]) -> None:
        self.root, self.actor, self.host, self.parts = root, actor, host, parts
        self.intended: dict[str, list[str]] = {}
        self.allowed: dict[str, list[str]] = {}
        self.bystanders = set(AROUND)
        for folder in ("roll", "log", "control", "parts", "home/.fake-agent/sessions"):
            (root / folder).mkdir(parents=True)
        started = {child for part in parts.values() for child in part.children}
        below_shell = tuple(n for n, p in parts.items() if not (n in started or p.alone or p.later or n == "shell"))
        for name, part in parts.items():
            self._write(name, part, below_shell if name == "shell" else part.children)
        self.product = Product(root, host)

    # -- processes ------------------------------------------------------------------------------------------------

    def _write(self, name: str, part: Part, children: Sequence[str]) -> None:
        program = Path(part.program)
        if not program.is_absolute():
            program = self.root / program
            program.parent.mkdir(exist_ok=True)
            if not program.exists():
                os.link(self.actor, program)
        lines = [f"program {program}"]
        argv = [str(self.root) if argument == "ROOT" else argument for argument in part.argv or (str(program),)]
        lines += [f"argv {argument}" for argument in argv]
        lines += [f"env {key}={value}" for key, value in part.environment.items()]
        lines += [f"child {child}" for child in children]
        lines += [
            f"{key} {value}"
            for key in ("cwd", "on_term", "on_child", "uid")
            if (value := getattr(part, key)) is not None
        ]
        lines += [
            key
            for key in (
                "detached new_session new_group stays ignores ends_with_input ends_with_child keeps_zombies".split()
            )
            if getattr(part, key)
        ]
        (self.root / "parts" / name).write_text("\n".join(lines) + "\n")

    def start(self) -> None:
        """Start all that does not come later, and wait until it plays."""
        for name, part in self.parts.items():
            if part.alone and not part.later:
                self.start_alone(name)
        self.wait_for(*(name for name, part in self.parts.items() if not part.later))
        for name, part in self.parts.items():
            if part.session is not None and not part.later:
                self.record(name)

    def start_alone(self, name: str) -> None:
        """Start a part that belongs to whoever takes orphans."""
        part = self.parts[name]
        program = self.root / part.program
        subprocess.run(
            part.argv or (str(program),),
            executable=program,
            check=True,
            stdin=subprocess.DEVNULL,
            env={
                "PATH": os.environ["PATH"],
                "ACTOR": str(self.root / "parts" / name),
                "ACTOR_ALONE": "1",
                **part.environment,
            },
            cwd=part.cwd,
            timeout=DEADLINE_S,
        )

    def wait_for(self, *names: str) -> None:
        """Wait until these parts play."""
        missing = set(names)

        def all_there() -> bool:
            missing.difference_update({name for name in missing if (self.root / "roll" / name).exists()})
            return not missing

        until(all_there, f"{sorted(names)} do not all play", DEADLINE_S)
        for name in names:
            uid = self.parts[name].uid if name in self.parts else None
            if uid is not None:
                until(lambda name=name, uid=uid: self.uid(name) == uid, f"{name} does not become {uid}")  # type: ignore[misc]

    def uid(self, name: str) -> int:
        return Path(f"/proc/{self.pid(name)}").stat().st_uid

    def tell(self, name: str, *lines: str) -> None:
        """Tell a part: "quit", "die", "start NAME", "become NAME", "zombie NAME", "retitle T", "stop", and so on."""
        _write(self.root / "control" / name, "".join(f"{line}\n" for line in lines))

    def begin(self, name: str, *, below: str) -> None:
        """Have a part start another one and wait until it plays; its session is on record at once."""
        self.tell(below, f"start {name}")
        self.wait_for(name)
        if self.parts[name].session is not None:
            self.record(name)

    def stop(self, name: str) -> None:
        """Have a part stop itself."""
        self.tell(name, "stop")
        until(lambda: self.state(name) == "T", f"{name} does not stop")

    def end(self, *names: str) -> None:
        """Have parts end by themselves."""
        for name in names:
            self.tell(name, "die")
        until(lambda: not any(self.runs(name) for name in names), f"{names} do not end")

    def become(self, name: str, other: str) -> None:
        """Have a part run another program under the same pid."""
        self.tell(name, f"become {other}")
        self.wait_for(other)
        assert self.identity(other) == self.identity(name)

    def record(self, name: str, *, status: str | None = None, quiet_s: float | None = None) -> None:
        """Write the host's record of the session that this part runs."""
        part, identity = self.parts[name], self.identity(name)
        written = {
            "session_id": part.session,
            "pid": identity.pid,
            "start": identity.start,
            "status": part.status if status is None else status,
            "since_epoch_s": time.time() - (part.quiet_s if quiet_s is None else quiet_s),
            "title": name,
            "control": str(self.root / "control" / name),
        }
        folder = self.root / "home" / ".fake-agent" / "sessions"
        (folder / f".{name}").write_text(json.dumps(written))
        (folder / f".{name}").rename(folder / f"{name}.json")

    def identity(self, name: str) -> Identity:
        pid, start = (self.root / "roll" / name).read_text().split()
        return Identity(int(pid), int(start))

    def pid(self, name: str) -> int:
        return self.identity(name).pid

    def names(self) -> dict[Identity, str]:
        return {self.identity(p.name): p.name for p in (self.root / "roll").iterdir() if not p.name.startswith(".")}

    def state(self, name: str) -> str:
        """Return the state letter of proc(5); "" when it is gone."""
        return _state(self.identity(name))

    def proc(self, name: str, file: str) -> str:
        """Return what /proc says of a part."""
        return Path(f"/proc/{self.pid(name)}/{file}").read_text()

    def runs(self, name: str) -> bool:
        return self.state(name) not in ("", "Z", "X")

    # -- what the product does ------------------------------------------------------------------------------------

    def look(self) -> Snapshot:
        """Look twice, as idleness wants."""
        return self.product.look()

    def key_of(self, name: str, snapshot: Snapshot | None = None) -> str:
        """Return the key of the group that holds a part."""
        return self.group_of(name, snapshot).key

    def group_of(self, name: str, snapshot: Snapshot | None = None) -> Group:
        groups = (snapshot or self.look()).groups
        found = [g for g in groups if self.identity(name) in {m.process.identity for m in g.members}]
        assert len(found) == 1, f"{name} is in {[g.key for g in found]} of {[g.key for g in groups]}"
        return found[0]

    def is_shown(self, name: str) -> bool:
        identity = self.identity(name)
        return any(identity in {m.process.identity for m in g.members} for g in self.look().groups)

    def roles(self, key: str = S1) -> dict[str, Role]:
        group = self.look().group(key)
        assert group is not None
        names = self.names()
        return {names[m.process.identity]: m.role for m in group.members}

    def target(self, action: Action, key: str = S1, *, confirmed: bool = True, **more: Any) -> Target:
        """Freeze a group as it is shown now."""
        return replace(target_of(self.look(), key, action, confirmed=confirmed), **more)

    def receipt(self, *targets: Target) -> Receipt:
        return self.product.begin(targets).result(60)

    def act(self, target: Target) -> Outcome:
        return self.receipt(target).outcomes[0]

    def release(self, **more: Any) -> Outcome:
        return self.act(self.target(Action.RELEASE, **more))

    def kill(self, **more: Any) -> Outcome:
        return self.act(self.target(Action.KILL, **more))

    # -- what came of it ------------------------------------------------------------------------------------------

    def intends(self, **signals: str) -> None:
        """Say who is to get which signals ("TERM KILL"); all others none. Underscores stand for dashes."""
        self.intended |= {name.replace("_", "-"): told.split() for name, told in signals.items()}

    def allows(self, **signals: str) -> None:
        """Say who may get these signals, or only the first of them, or none."""
        self.allowed |= {name.replace("_", "-"): told.split() for name, told in signals.items()}

    def received(self) -> dict[str, list[str]]:
        """Return the signals that anybody got: those written down, and KILL of who is gone without a last word."""
        found: dict[str, list[str]] = {}
        for log in sorted((self.root / "log").iterdir()):
            lines = log.read_text().splitlines()
            told = [_short(int(line.split()[1])) for line in lines if line.startswith("signal ")]
            if not self.runs(log.name) and not any(line.split()[0] in LAST_WORDS for line in lines):
                told.append("KILL")
            if told:
                found[log.name] = told
        return found

    def close(self) -> None:
        """Let everybody answer once more and end, end who does not, and wait until all are gone."""
        self.product.stop()
        left = {i: n for i, n in self.names().items() if _state(i) not in ("", "Z", "X")}
        for identity, name in left.items():
            control = self.root / "control" / name
            if control.exists() and _state(identity) != "T":
                _write(control, "quit\n")
        _await_end(left, 0.5)
        self.ended_by_us = {name for identity, name in left.items() if _end(identity)}
        for identity, name in self.names().items():  # what began meanwhile
            if _end(identity):
                self.ended_by_us.add(name)

    def check(self) -> None:
        """Compare the signals that anybody got with those that were meant; after `close`."""
        received = self.received()
        for name in self.ended_by_us:  # that SIGKILL is ours
            if "KILL" in received.get(name, []):
                received[name].remove("KILL")
        got = {n: told for n, told in received.items() if told and told != self.allowed.get(n, [])[: len(told)]}
        if got != self.intended:
            raise AssertionError(f"got signals: {got}, and that was meant: {self.intended}")
        silent = {n for n in self.bystanders if "bye" not in (self.root / "log" / n).read_text().split("\n")}
        if silent:
            raise AssertionError(f"did not live to the end: {sorted(silent)}")


def _write(control: Path, text: str) -> None:
    """Write into a part's pipe; opened for both ways, so that one that is gone by now neither blocks nor fails."""
    descriptor = os.open(control, os.O_RDWR | os.O_NONBLOCK)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def _short(number: int) -> str:
    return signal.Signals(number).name.removeprefix("SIG")


def _state(identity: Identity) -> str:
    try:
        fields = Path(f"/proc/{identity.pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return ""
    return fields[0] if int(fields[19]) == identity.start else ""


def _await_end(identities: Sequence[Identity] | dict[Identity, str], deadline_s: float) -> None:
    end_s = time.monotonic() + deadline_s
    while any(_state(identity) not in ("", "Z", "X", "T") for identity in identities) and time.monotonic() < end_s:
        time.sleep(0.002)


def _end(identity: Identity) -> bool:
    """End one process of ours; True when it still ran."""
    try:
        descriptor = os.pidfd_open(identity.pid)
    except ProcessLookupError:
        return False
    try:
        if _state(identity) in ("", "Z", "X"):
            return False
        signal.pidfd_send_signal(descriptor, signal.SIGKILL)
        gone = select.poll()
        gone.register(descriptor, select.POLLIN)
        assert gone.poll(DEADLINE_S * 1000), f"process {identity} does not end"
        return True
    finally:
        os.close(descriptor)


@contextmanager
def staged(root: Path, actor: Path, host: StageHost | None = None, /, **parts: Part) -> Iterator[Stage]:
    """Yield a scene that plays; afterwards nobody but the intended may have got a signal. "_" in names becomes "-"."""
    given = {name.replace("_", "-"): part for name, part in parts.items()}
    stage = Stage(root, actor, host or StageHost(), AROUND | given)
    try:
        stage.product.start()
        stage.start()
        yield stage
    finally:
        stage.close()
    stage.check()
