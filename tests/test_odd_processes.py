"""Processes that are hard to judge, for real: taken by a subreaper, renamed, recycled, and gone while one looks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.trees import (
    AGENT,
    CHECKOUT,
    DEADLINE_S,
    SESSION_VARIABLE,
    FakeAgentHost,
    Part,
    Tree,
    act,
    planted,
    running_core,
    target_of,
    until,
)
from trayapp.attribution import attribute
from trayapp.core import Core
from trayapp.measure import gather
from trayapp.model.plan import Action, Reason
from trayapp.model.process import Process, ProcessTable
from trayapp.model.receipt import Fate
from trayapp.model.session import Observation, Role, State
from trayapp.model.snapshot import Group, Snapshot
from trayapp.probe import Probe

pytestmark = [
    pytest.mark.linux,
    pytest.mark.skipif(sys.platform != "linux", reason="starts processes by the rules of Linux"),
]

S1 = "fake-agent:s1"


@contextmanager
def playing(root: Path, *below_agent: str, **more: Part) -> Iterator[tuple[Tree, Core]]:
    """Yield a terminal, below it a program that inherits orphans, below that an agent; and the product beside them."""
    parts = {
        "terminal": Part(program="bin/shell.py", detached=True, setsid=True, children=("keeper",)),
        "keeper": Part(program="bin/session-manager.py", subreaper=True, children=("agent", "agent2")),
        "agent": Part(program=AGENT, session_id="s1", children=below_agent),
        "agent2": Part(program=AGENT, session_id="s2"),
    }
    with ExitStack() as stack:
        tree = stack.enter_context(planted(root, **(parts | more)))
        tree.start("terminal")
        yield tree, stack.enter_context(running_core(root))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "tree"


def roles(tree: Tree, snapshot: Snapshot, key: str = S1) -> dict[str, Role]:
    group = snapshot.group(key)
    assert group is not None, [g.key for g in snapshot.groups]
    names = tree.names()
    return {names[member.process.identity]: member.role for member in group.members}


def groups_of(tree: Tree, snapshot: Snapshot, name: str) -> list[Group]:
    identity = tree.identity(name)
    return [group for group in snapshot.groups if identity in {member.process.identity for member in group.members}]


# -- subreapers -------------------------------------------------------------------------------------------------------

BETWEEN = Part(program="mcp-server-starter/server.py", children=("left",))
LEFT = Part(program="mcp-server-left/server.py")


def orphan(tree: Tree, *, by: str, parent: str) -> None:
    """End a part and wait until the other has taken over what it left."""
    tree.tell(by, "stop")
    stat = Path(f"/proc/{tree.pid('left')}/stat")
    until(lambda: int(stat.read_text().rpartition(")")[2].split()[1]) == tree.pid(parent), f"{parent} does not inherit")


def test_a_helper_that_a_subreaper_takes_keeps_the_owner_it_was_seen_with(root: Path) -> None:
    with playing(root, "between", between=BETWEEN, left=LEFT) as (tree, core):
        assert roles(tree, core.look(0.0))["left"] is Role.HELPER
        orphan(tree, by="between", parent="keeper")
        for _ in range(2):
            assert roles(tree, core.look(0.0))["left"] is Role.HELPER


def test_a_helper_that_a_subreaper_took_before_anyone_looked_is_given_to_nobody(root: Path) -> None:
    with playing(root, "between", between=BETWEEN, left=LEFT) as (tree, core):
        orphan(tree, by="between", parent="keeper")
        snapshot = core.look(0.0)
        assert groups_of(tree, snapshot, "left") == []
        assert "left" not in roles(tree, snapshot) | roles(tree, snapshot, "fake-agent:s2")


def test_a_helper_that_a_subreaper_took_is_its_sessions_by_the_variable_it_inherited(root: Path) -> None:
    between = Part(program="bin/starter.py", environment={SESSION_VARIABLE: "s1"}, children=("left",))
    with playing(root, "between", between=between, left=LEFT) as (tree, core):
        orphan(tree, by="between", parent="keeper")
        assert roles(tree, core.look(0.0))["left"] is Role.HELPER


# -- names and arguments ----------------------------------------------------------------------------------------------


def test_a_program_that_wears_an_agents_name_by_exec_a_is_no_agent(root: Path) -> None:
    command = ("bash", "-c", "exec -a 'fake-agent --resume s2' sleep 600")
    masked, stray = Part(command=command), Part(command=command)
    with playing(root, "masked", masked=masked, stray=stray) as (tree, core):
        tree.tell("terminal", "spawn", "stray")
        tree.wait_for("stray")
        probe = Probe()
        for name in ("masked", "stray"):
            until(lambda name=name: probe.scan().processes[tree.pid(name)].name == "sleep", "bash does not exec")  # type: ignore[misc]
        snapshot = core.look(0.0)
        assert roles(tree, snapshot)["masked"] is Role.WORK
        assert groups_of(tree, snapshot, "stray") == []


def test_a_program_with_a_whole_prompt_in_its_arguments_is_work_of_its_own_session(root: Path) -> None:
    text = "do it\nfake-agent --resume s2\n\udcff\udcfe " + "mcp-server-files/server.py "
    prompt = text + "x" * (131_071 - len(text))  # MAX_ARG_STRLEN with its NUL
    worker = Part(program="bin/task.py", arguments=("--prompt", prompt))
    with playing(root, "worker", worker=worker) as (tree, core):
        snapshot = core.look(0.0)
        assert roles(tree, snapshot) == {"agent": Role.BACKEND, "worker": Role.WORK}
        (member,) = (m for m in groups_of(tree, snapshot, "worker")[0].members if m.role is Role.WORK)
        assert member.process.argv is not None
        assert member.process.argv[-1].startswith("do it\nfake-agent --resume s2\n\ufffd\ufffd mcp-server-files")


def test_an_agent_that_rewrites_its_title_keeps_its_session_and_is_released_by_its_new_one(root: Path) -> None:
    with playing(root) as (tree, core):
        listed = target_of(core.look(0.05), S1, Action.RELEASE)
        tree.tell("agent", "retitle", "fake: 3 messages")
        probe = Probe()
        until(lambda: probe.scan().processes[tree.pid("agent")].argv == ("fake: 3 messages",), "no new title")
        assert roles(tree, core.look(0.05)) == {"agent": Role.BACKEND}
        # by what can be read it may be another script of the same interpreter
        outcome = act(core, listed).outcomes[0]
        assert (outcome.fate, outcome.reason) == (Fate.REFUSED, Reason.IDENTITY_CHANGED)
        assert act(core, target_of(core.look(0.05), S1, Action.RELEASE)).outcomes[0].fate is Fate.RELEASED


def test_a_helper_whose_new_title_says_nothing_counts_as_work_and_protects(root: Path) -> None:
    with playing(root, "left", left=LEFT) as (tree, core):
        assert roles(tree, core.look(0.0))["left"] is Role.HELPER
        tree.tell("left", "retitle", "pool 3")
        until(lambda: roles(tree, core.look(0.0))["left"] is Role.WORK, "the new title is not seen")
        session = core.look(0.0).group(S1)
        assert session is not None
        assert session.verdict is not None
        assert session.verdict.state is State.BUSY


# -- one pid, two processes -------------------------------------------------------------------------------------------

RECYCLE = """
import subprocess, os, time
from trayapp.attribution import Lineage, attribute, remember
from trayapp.model.session import Claim, ClaimKind, Observation, Role, SessionKey
from trayapp.probe import Probe

probe, key = Probe(), SessionKey("fake-agent", "s1")
first = subprocess.Popen(["sleep", "600"])
before = probe.scan().processes[first.pid]
first.kill()
first.wait()
while os.sysconf("SC_CLK_TCK") * time.clock_gettime(time.CLOCK_BOOTTIME) < before.identity.start + 2:
    pass
with open("/proc/sys/kernel/ns_last_pid", "w") as last:
    last.write(str(first.pid - 1))
second = subprocess.Popen(["sleep", "600"])
try:
    table = probe.scan()
    after = table.processes[second.pid]
    claim = Claim(
        identity=before.identity, host="fake-agent", role=Role.BACKEND, kind=ClaimKind.REGISTRY, source="r", session=key
    )
    lineage = {before.identity: Lineage(session=key, host="fake-agent", role=Role.HELPER)}
    ownership = attribute(table, [Observation(host="fake-agent", read_epoch_s=0.0, claims=(claim,))], lineage)
    print(
        after.pid == before.pid,
        after.identity == before.identity,
        table.get(before.identity),
        ownership.places[after.identity].session,
        remember(ownership, lineage, table),
    )
finally:
    second.kill()
    second.wait()
"""


def test_a_recycled_pid_inherits_neither_claim_nor_lineage(tmp_path: Path) -> None:
    unshare = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]
    if shutil.which("unshare") is None or subprocess.run([*unshare, "true"], capture_output=True).returncode:
        pytest.skip("no right to make a PID namespace")
    program = tmp_path / "recycle.py"
    program.write_text(RECYCLE)
    ran = subprocess.run(
        [*unshare, sys.executable, str(program)],
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        check=False,
    )
    assert ran.stdout == "True False None None {}\n", ran.stderr


# -- come and gone ----------------------------------------------------------------------------------------------------

SWARM = """
import os, sys, time
from pathlib import Path

def play(number):
    if number % 3 == 0:
        os.execv("/bin/true", ["true"])
    if number % 3 == 1:
        os.setsid()
        if os.fork():
            os._exit(0)
    time.sleep(0.1)
    os._exit(0)

running = []
for number in range(2000):
    child = os.fork()
    if child == 0:
        play(number)
    running.append(child)
    if len(running) == 60:
        os.waitpid(running.pop(0), 0)
for child in running:
    os.waitpid(child, 0)
Path(sys.argv[1]).touch()
"""


def test_two_thousand_processes_that_come_and_go_leave_every_table_whole(root: Path) -> None:
    done, host, probe = root / "done", FakeAgentHost(), Probe(environment_names=(SESSION_VARIABLE,))
    swarm = Part(command=(sys.executable, "-I", "-S", "-c", SWARM, str(done)))
    with playing(root, swarm=swarm) as (tree, core):
        host.root = root
        tree.tell("agent", "spawn", "swarm")
        tree.wait_for("swarm")
        tables: list[ProcessTable] = []
        end_s = time.monotonic() + 3 * DEADLINE_S
        while not done.exists():
            assert time.monotonic() < end_s, "the swarm does not end"
            tables.append(probe.scan())
            every_process_once(tables[-1], host)
            assert [group.key for group in groups_of(tree, core.look(0.0), "agent")] == [S1]
        met = {process.identity for table in tables for process in swarming(table, tree)}
        assert len(tables) > 3
        assert len(met) > 200
        until(lambda: all(process.is_zombie for process in swarming(probe.scan(), tree)), "the swarm is not gone")
        assert roles(tree, core.look(0.0)) == {"agent": Role.BACKEND}


def every_process_once(table: ProcessTable, host: FakeAgentHost) -> None:
    claims = [claim for process in table.processes.values() if (claim := host.recognise(process)) is not None]
    ownership = attribute(table, [Observation(host="fake-agent", read_epoch_s=0.0, claims=tuple(claims))], {})
    members = [member.process.identity for group in gather(table, ownership, {}, {}) for member in group.members]
    assert sorted(members) == sorted(process.identity for process in table.processes.values())


def swarming(table: ProcessTable, tree: Tree) -> list[Process]:
    """Return what the swarm started: all below the subreaper, which also takes those that let their parent go."""
    known = tree.names()
    return [process for process in table.descendants(tree.pid("keeper")) if process.identity not in known]
