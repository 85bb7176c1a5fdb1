"""The whole way on real processes: found, attributed, released or refused, and nothing else touched."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.trees import (
    AGENT,
    CHECKOUT,
    DEADLINE_S,
    SESSION_VARIABLE,
    STOP_CALL,
    TERM_STEP,
    FakeAgentHost,
    Part,
    Tree,
    act,
    planted,
    running_core,
    target_of,
    until,
)
from trayapp.core import Core
from trayapp.hosts.base import CallResult
from trayapp.model.plan import Action, Allowed, Decision, Reason
from trayapp.model.receipt import Fate
from trayapp.model.session import Role, SessionFact, State
from trayapp.model.snapshot import Group, GroupKind, Snapshot
from trayapp.reclaim import executor

pytestmark = [
    pytest.mark.linux,
    pytest.mark.skipif(sys.platform != "linux", reason="starts processes by the rules of Linux"),
]

S1 = "fake-agent:s1"
S2 = "fake-agent:s2"
IN_S1 = {SESSION_VARIABLE: "s1"}
HELPER = "mcp-server-files/server.py"


def scene(root: Path, *below_agent: str, **more: Part) -> dict[str, Part]:
    """Return a terminal with a wrapped agent, a busy second agent, and two processes that have nothing to do with them.

    The neighbour shares the process group of all; the loner has let its parent go and stands under init.
    """
    parts = {
        "terminal": Part(
            program="bin/shell.py", detached=True, setsid=True, children=("wrapper", "agent2", "neighbour", "loner")
        ),
        "wrapper": Part(
            program="bin/launch.py", arguments=(str(root / AGENT),), children=("agent",), ends_with_its_child=True
        ),
        "agent": Part(program=AGENT, session_id="s1", title="First", children=below_agent, holds_bytes=16 << 20),
        "agent2": Part(program=AGENT, session_id="s2", status="busy", quiet_s=1.0, records_signals=True),
        "neighbour": Part(program="bin/editor.py", records_signals=True),
        "loner": Part(program="bin/backup.py", records_signals=True, detached=True, setsid=True),
        "helper": Part(program=HELPER, environment=IN_S1, ends_with_its_input=True),
        "stubborn": Part(program="mcp-server-stubborn/server.py", environment=IN_S1, ignores_term=True),
        "apart": Part(program="mcp-server-apart/server.py", setsid=True),
        "daemon": Part(program="mcp-server-daemon/server.py", environment=IN_S1, detached=True, setsid=True),
        "worker": Part(program="bin/build.py", environment=IN_S1, burns=True),
    }
    return parts | more


BYSTANDERS = ("agent2", "neighbour", "loner")


@contextmanager
def playing(
    root: Path, *below_agent: str, host: FakeAgentHost | None = None, **more: Part
) -> Iterator[tuple[Tree, Core]]:
    """Yield a running scene and the product beside it; afterwards no bystander may have got any signal."""
    with ExitStack() as stack:
        tree = stack.enter_context(planted(root, **scene(root, *below_agent, **more)))
        tree.start("terminal")
        core = stack.enter_context(running_core(root, *((host,) if host is not None else ())))
        yield tree, core
        assert {name: tree.signals(name) for name in BYSTANDERS} == {name: [] for name in BYSTANDERS}
        assert set(BYSTANDERS) | {"terminal"} <= tree.running()


def group_of(snapshot: Snapshot, key: str) -> Group:
    group = snapshot.group(key)
    assert group is not None, [g.key for g in snapshot.groups]
    return group


def decision(snapshot: Snapshot, key: str, action: Action) -> Decision:
    found = group_of(snapshot, key).decision(action)
    assert found is not None
    return found


def roles(tree: Tree, group: Group) -> dict[str, Role]:
    names = tree.names()
    return {names[member.process.identity]: member.role for member in group.members}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "tree"


# -- attribution ------------------------------------------------------------------------------------------------------


def test_every_process_of_a_real_tree_is_in_the_right_group_and_role(root: Path) -> None:
    below = ("helper", "stubborn", "apart", "daemon", "worker")
    agent = replace(scene(root, *below)["agent"], leaves_zombie=True)
    with playing(root, *below, agent=agent) as (tree, core):
        snapshot = core.look(0.2)

        session = group_of(snapshot, S1)
        assert roles(tree, session) == {
            "wrapper": Role.WRAPPER,
            "agent": Role.BACKEND,
            "helper": Role.HELPER,
            "stubborn": Role.HELPER,
            "apart": Role.HELPER,
            "daemon": Role.HELPER,
            "worker": Role.WORK,
        }
        assert session.kind is GroupKind.SESSION
        assert session.title == "First"
        assert session.verdict is not None
        assert session.verdict.state is State.BUSY
        assert roles(tree, group_of(snapshot, S2)) == {"agent2": Role.BACKEND}
        zombies = group_of(snapshot, f"zombie:{tree.pid('agent')}")
        assert list(roles(tree, zombies)) == ["agent-zombie"]
        counted = [tree.names().get(m.process.identity) for g in snapshot.groups for m in g.members]
        assert "neighbour" not in counted
        assert "loner" not in counted


def test_the_bytes_of_a_session_are_the_sum_over_proc(root: Path) -> None:
    with playing(root, "helper", "apart", "daemon") as (tree, core):
        session = group_of(core.look(0.05), S1)
        named = ("wrapper", "agent", "helper", "apart", "daemon")
        # Since Linux 6.16 statm sums the counters of all CPUs, which stat only estimates (fs/proc/task_mmu.c).
        assert session.rss_bytes == pytest.approx(sum(rss_in_statm(tree.pid(name)) for name in named), rel=0.02)
        assert session.footprint_metric == "pss"
        assert session.footprint_bytes is not None
        assert 16 << 20 < session.footprint_bytes < session.rss_bytes


def rss_in_statm(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_a_burning_worker_shows_about_one_core_and_sleepers_show_none(root: Path) -> None:
    with playing(root, "helper", "worker") as (tree, core):
        session = group_of(core.look(1.0), S1)
        cpu = {tree.names()[m.process.identity]: m.cpu_percent for m in session.members}
        assert cpu["helper"] == 0.0
        assert cpu["worker"] is not None
        assert 5.0 < cpu["worker"] <= 105.0  # nice, on a machine that others use too


def test_a_helper_that_loses_its_parent_keeps_its_owner_while_the_monitor_watched(root: Path) -> None:
    go_between = Part(program="mcp-server-starter/server.py", children=("left",))
    left = Part(program="bin/indexer.py")
    with playing(root, "between", between=go_between, left=left) as (tree, core):
        core.look(0.05)
        tree.tell("between", "stop")
        until(lambda: not tree.runs("between"), "the helper does not stop")
        session = group_of(core.look(0.05), S1)
        assert "left" in roles(tree, session)


# -- release ----------------------------------------------------------------------------------------------------------


def test_releasing_an_idle_session_ends_its_whole_tree_and_nothing_else(root: Path) -> None:
    with playing(root, "helper", "apart", "daemon") as (tree, core):
        snapshot = core.look(0.05)
        session = group_of(snapshot, S1)
        assert decision(snapshot, S1, Action.RELEASE).allowed is Allowed.ALLOW

        receipt = act(core, target_of(snapshot, S1, Action.RELEASE))

        (outcome,) = receipt.outcomes
        assert outcome.fate is Fate.RELEASED
        assert outcome.survived == ()
        assert set(outcome.gone) == {member.process.identity for member in session.members}
        assert not tree.running() & {"wrapper", "agent", "helper", "apart", "daemon"}
        assert outcome.rss_came_back_bytes == session.rss_bytes
        assert outcome.came_back_bytes == pytest.approx(session.footprint_bytes, rel=0.05)
        assert outcome.resume is not None
        assert outcome.resume.argv == ("fake-agent", "--resume", "s1")
        assert receipt.footprint_metric == "pss"
        assert core.journal.receipts(1) == (receipt,)
        assert core.latest is not None
        assert core.latest.group(S1) is None


def test_the_host_ends_its_session_itself_where_it_can_and_no_signal_is_sent(root: Path) -> None:
    host = FakeAgentHost(ladder=(STOP_CALL, TERM_STEP))
    with playing(root, "helper", host=host) as (tree, core):
        outcome = act(core, target_of(core.look(0.05), S1, Action.RELEASE)).outcomes[0]
        assert host.called == ["stop"]
        assert not tree.runs("agent")
        assert not tree.runs("helper")
        assert outcome.steps == ("Fake Agent ends the session: done, stopping",)


def test_a_host_that_says_ok_and_does_nothing_is_not_believed(root: Path) -> None:
    async def say_ok(_session: SessionFact) -> CallResult:
        return CallResult(ok=True, message="session ended")

    host = FakeAgentHost(ladder=(replace(STOP_CALL, wait_s=0.2),), call=say_ok)
    with playing(root, host=host) as (tree, core):
        outcome = act(core, target_of(core.look(0.05), S1, Action.RELEASE)).outcomes[0]
        assert outcome.fate is Fate.SURVIVED
        assert tree.identity("agent") in {survivor.identity for survivor in outcome.survived}
        assert outcome.came_back_bytes == 0
        assert tree.runs("agent")


def test_a_session_that_works_is_not_released_and_the_reason_is_told(root: Path) -> None:
    with playing(root, "helper", "worker") as (tree, core):
        snapshot = core.look(0.05)
        found = decision(snapshot, S1, Action.RELEASE)
        assert (found.allowed, found.reason) == (Allowed.REFUSE, Reason.BUSY_BACKGROUND_TASK)

        outcome = act(core, target_of(snapshot, S1, Action.RELEASE, confirmed=True, force=True)).outcomes[0]

        assert (outcome.fate, outcome.reason) == (Fate.REFUSED, Reason.BUSY_BACKGROUND_TASK)
        assert tree.running() >= {"agent", "helper", "worker"}


def test_a_turn_that_begins_between_the_list_and_the_click_stops_the_release(root: Path) -> None:
    with playing(root) as (tree, core):
        target = target_of(core.look(0.05), S1, Action.RELEASE)
        tree.set_status("agent", "busy", quiet_s=0.0)
        outcome = act(core, target).outcomes[0]
        assert (outcome.fate, outcome.reason) == (Fate.REFUSED, Reason.OPEN_TURN)
        assert tree.runs("agent")


def test_a_session_seen_idle_once_is_not_released_yet(root: Path) -> None:
    with playing(root) as (tree, core):
        tree.set_status("agent", "busy", quiet_s=0.0)
        target = target_of(core.look(0.05), S1, Action.RELEASE)
        tree.set_status("agent", "idle")
        outcome = act(core, target).outcomes[0]
        assert (outcome.fate, outcome.reason) == (Fate.REFUSED, Reason.UNKNOWN_STATE)
        assert tree.runs("agent")


def test_work_that_outlives_its_released_session_is_left_alone(root: Path) -> None:
    """The session was idle when looked at; what it started while it was being released is named, not ended."""
    job = Part(program="bin/build.py", environment=IN_S1, detached=True, setsid=True, records_signals=True)

    async def stop_and_leave_a_job(_session: SessionFact) -> CallResult:
        tree.tell("agent", "spawn", "job")
        tree.wait_for("job")
        tree.tell("agent", "stop")
        return CallResult(ok=True, message="stopping")

    host = FakeAgentHost(ladder=(STOP_CALL,), call=stop_and_leave_a_job)
    with playing(root, "helper", host=host, job=job) as (tree, core):
        outcome = act(core, target_of(core.look(0.05), S1, Action.RELEASE)).outcomes[0]
        assert outcome.fate is Fate.RELEASED
        assert tree.runs("job")
        assert tree.signals("job") == []


# -- kill -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executor, "_TERM", replace(executor._TERM, wait_s=0.5))
    monkeypatch.setattr(executor, "_LEFT_OVER", replace(executor._LEFT_OVER, wait_s=0.5))
    monkeypatch.setattr(executor, "_GRACE", replace(executor._GRACE, wait_s=0.2))


@pytest.mark.usefixtures("short_waits")
def test_kill_without_force_says_who_survived(root: Path) -> None:
    with playing(root, "helper", "stubborn") as (tree, core):
        outcome = act(core, target_of(core.look(0.05), S1, Action.KILL, confirmed=True)).outcomes[0]
        assert outcome.fate is Fate.SURVIVED
        assert [survivor.identity for survivor in outcome.survived] == [tree.identity("stubborn")]
        assert tree.runs("stubborn")
        assert not tree.runs("agent")
        assert not any(step.startswith("SIGKILL") for step in outcome.steps)


@pytest.mark.usefixtures("short_waits")
def test_kill_with_force_ends_a_stubborn_process_after_it_was_asked(root: Path) -> None:
    with playing(root, "stubborn") as (tree, core):
        outcome = act(core, target_of(core.look(0.05), S1, Action.KILL, confirmed=True, force=True)).outcomes[0]
        assert outcome.fate is Fate.ENDED
        assert not tree.runs("stubborn")
        to_stubborn = [step.split()[0] for step in outcome.steps if f"({tree.pid('stubborn')})" in step]
        assert to_stubborn == ["SIGTERM", "SIGKILL"]


def test_kill_without_an_answer_to_the_question_does_nothing(root: Path) -> None:
    with playing(root) as (tree, core):
        outcome = act(core, target_of(core.look(0.05), S1, Action.KILL)).outcomes[0]
        assert outcome.fate is Fate.REFUSED
        assert tree.runs("agent")


@pytest.mark.usefixtures("short_waits")
def test_a_release_with_force_asks_a_stubborn_helper_before_it_ends_it(root: Path) -> None:
    with playing(root, "stubborn") as (tree, core):
        outcome = act(core, target_of(core.look(0.05), S1, Action.RELEASE, force=True)).outcomes[0]
        assert outcome.fate is Fate.RELEASED
        to_stubborn = [step.split()[0] for step in outcome.steps if f"({tree.pid('stubborn')})" in step]
        assert to_stubborn == ["SIGTERM", "SIGKILL"]


@pytest.mark.usefixtures("short_waits")
def test_a_release_without_force_leaves_a_stubborn_helper_and_names_it(root: Path) -> None:
    with playing(root, "stubborn") as (tree, core):
        outcome = act(core, target_of(core.look(0.05), S1, Action.RELEASE)).outcomes[0]
        assert outcome.fate is Fate.SURVIVED
        assert [survivor.identity for survivor in outcome.survived] == [tree.identity("stubborn")]
        assert tree.runs("stubborn")


# -- who is it --------------------------------------------------------------------------------------------------------


def test_a_process_that_became_another_program_since_the_list_is_refused(root: Path) -> None:
    with playing(root) as (tree, core):
        target = target_of(core.look(0.05), S1, Action.KILL, confirmed=True, force=True)
        tree.program("bin/accounting.py")
        (root / "parts" / "accounting.json").write_text((root / "parts" / "neighbour.json").read_text())
        tree.tell("agent", "become", "bin/accounting.py", "accounting")
        tree.wait_for("accounting")
        assert tree.identity("accounting") == tree.identity("agent")

        outcome = act(core, target).outcomes[0]

        assert (outcome.fate, outcome.reason) == (Fate.REFUSED, Reason.IDENTITY_CHANGED)
        assert tree.runs("accounting")
        assert tree.signals("accounting") == []


def test_a_target_that_is_already_gone_is_told_so(root: Path) -> None:
    with playing(root) as (tree, core):
        target = target_of(core.look(0.05), S1, Action.KILL, confirmed=True)
        tree.tell("agent", "stop")
        until(lambda: not tree.running() & {"agent", "wrapper"}, "the agent does not stop")
        outcome = act(core, target).outcomes[0]
        assert (outcome.fate, outcome.reason) == (Fate.ALREADY_GONE, Reason.ALREADY_ENDED)
        assert outcome.came_back_bytes == 0


def test_a_new_backend_under_the_same_session_is_not_what_was_shown(root: Path) -> None:
    again = replace(scene(root)["agent"])
    with playing(root, again=again) as (tree, core):
        target = target_of(core.look(0.05), S1, Action.RELEASE)
        tree.tell("terminal", "spawn", "again")
        tree.wait_for("again")
        outcome = act(core, target).outcomes[0]
        assert (outcome.fate, outcome.reason) == (Fate.REFUSED, Reason.IDENTITY_CHANGED)
        assert tree.running() >= {"agent", "again"}


def test_two_clicks_on_one_session_end_it_once(root: Path) -> None:
    with playing(root) as (tree, core):
        target = target_of(core.look(0.05), S1, Action.RELEASE)
        first = core.reclaim([target], "menu bar", lambda _progress: None)
        second = core.reclaim([target], "window", lambda _progress: None)
        fates = sorted(future.result(30).outcomes[0].fate for future in (first, second))
        assert fates == sorted([Fate.RELEASED, Fate.ALREADY_GONE])
        assert not tree.runs("agent")


def test_the_agent_that_the_product_runs_in_is_never_ended(root: Path) -> None:
    command = (sys.executable, "-m", "tests.trees", str(root), S1)
    inside = Part(command=command, cwd=str(CHECKOUT), environment={"PYTHONPATH": os.pathsep.join(sys.path)})
    with planted(root, **scene(root, "inside", inside=inside)) as tree:
        tree.start("terminal")
        until((root / "answer.json").exists, "the product inside the tree does not answer", 60.0)
        answer = json.loads((root / "answer.json").read_text())
        assert answer["decisions"]["release"] == ["refuse", "self-or-ancestor"]
        assert answer["decisions"]["kill"] == ["refuse", "self-or-ancestor"]
        assert (answer["fate"], answer["reason"], answer["steps"]) == ("refused", "self-or-ancestor", [])
        assert tree.running() >= {"terminal", "wrapper", "agent", "neighbour"}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can start a process of another user")
@pytest.mark.usefixtures("short_waits")
def test_a_process_of_another_user_gets_no_signal(root: Path) -> None:
    theirs = Part(program="mcp-server-theirs/server.py", uid=65534, records_signals=True)
    with playing(root, "theirs", theirs=theirs) as (tree, core):
        snapshot = core.look(0.05)
        act(core, target_of(snapshot, S1, Action.KILL, confirmed=True, force=True))
        assert tree.runs("theirs")
        assert tree.signals("theirs") == []


RECYCLE = """
import os, signal, subprocess, sys, time
from trayapp.probe import Probe
from trayapp.reclaim.guard import Guard

def start():
    return subprocess.Popen(["sleep", "600"])

probe = Probe()
guard = Guard(probe)
first = start()
seen = probe.scan().processes[first.pid]
first.kill()
first.wait()
began = int(open("/proc/self/stat").read().rpartition(")")[2].split()[19])
while os.sysconf("SC_CLK_TCK") * time.clock_gettime(time.CLOCK_BOOTTIME) < seen.identity.start + 2:
    pass
with open("/proc/sys/kernel/ns_last_pid", "w") as last:
    last.write(str(first.pid - 1))
second = start()
assert second.pid == first.pid, (second.pid, first.pid)
(told,) = guard.send([seen], signal.SIGKILL)
print(told.delivery, told.reason, seen.identity in guard.alive([seen.identity]), second.poll())
second.kill()
second.wait()
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a PID namespace in which pids can be chosen")
def test_a_recycled_pid_gets_no_signal(tmp_path: Path) -> None:
    program = tmp_path / "recycle.py"
    program.write_text(RECYCLE)
    unshare = shutil.which("unshare")
    if unshare is None or subprocess.run([unshare, "--pid", "--fork", "--mount-proc", "true"], check=False).returncode:
        pytest.skip("no PID namespace can be made here")
    ran = subprocess.run(
        [unshare, "--pid", "--fork", "--mount-proc", "--kill-child", sys.executable, str(program)],
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        check=False,
    )
    assert ran.stdout.split() == ["refused", "identity-changed", "False", "None"], ran.stderr


def test_a_signal_reaches_its_process_alone_though_others_share_the_group(root: Path) -> None:
    with playing(root, "helper") as (tree, core):
        groups = {os.getpgid(tree.pid(name)) for name in ("wrapper", "agent", "helper", "neighbour", "agent2")}
        assert len(groups) == 1
        outcome = act(core, target_of(core.look(0.05), S1, Action.KILL, confirmed=True, force=True)).outcomes[0]
        assert outcome.fate is Fate.ENDED
        # `playing` asserts that neighbour and agent2 got nothing.


# -- orphans ----------------------------------------------------------------------------------------------------------


def test_helpers_of_a_dead_session_are_orphans_and_only_those_shown_are_ended(root: Path) -> None:
    old = Part(program="mcp-server-old/server.py", environment={SESSION_VARIABLE: "dead"}, detached=True, setsid=True)
    newer = replace(old, records_signals=True)
    with playing(root, "old", old=old, newer=newer) as (tree, core):
        snapshot = core.look(0.05)
        key = next(g.key for g in snapshot.groups if tree.identity("old") in {m.process.identity for m in g.members})
        assert decision(snapshot, key, Action.END_ORPHAN).allowed is Allowed.ALLOW
        target = target_of(snapshot, key, Action.END_ORPHAN)
        tree.tell("terminal", "spawn", "newer")
        tree.wait_for("newer")

        outcome = act(core, target).outcomes[0]

        assert outcome.fate is Fate.ENDED
        assert outcome.gone == (tree.identity("old"),)
        assert tree.runs("newer")
        assert tree.signals("newer") == []
