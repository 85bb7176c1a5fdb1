"""Agent Ring and a real Codex daemon: its threads as rows without processes, and one let go of while the other stays.

One stage: three terminals that share a daemon, one of them closed again, so that its thread is loaded and shown by
nobody. The tests run in this order.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.live import codex, proc
from tests.live.codex import ESCALATED, Codex, Run
from tests.live.proc import SLOW_S, wait_until
from tests.live.product import Product, decision, group_of, pids_of
from tests.live.scene import Scene

pytestmark = [pytest.mark.live, pytest.mark.linux]

HOST = codex.HOST


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """The terminals that are open, and the ids of threads by the names of their folders."""

    host: Codex
    product: Product
    runs: dict[str, Run]
    ids: dict[str, str]


@pytest.fixture(scope="module")
def stage(scene: Scene, executable: Path) -> Iterator[Stage]:
    host = Codex(scene, executable)
    runs = {}
    for name in ("alone", "shown", "working"):
        runs[name] = host.terminal(folder=scene.folder(name))
        runs[name].complete_turn()
    ids = {name: host.session_id(run.folder) for name, run in runs.items()}
    helpers = {"probe", "mule"}
    wait_until(
        lambda: len(host.helpers(host.daemon().pid)) == len(helpers) * len(runs), "all helpers", timeout_s=SLOW_S
    )
    closed = runs.pop("alone")
    os.kill(closed.native.pid, signal.SIGTERM)  # the terminal alone ends, its thread and the daemon it started stay
    wait_until(lambda: not closed.processes(), "the terminal closed", timeout_s=SLOW_S)
    runs["working"].complete_turn("BG tail -f /dev/null")
    yield Stage(host=host, product=Product(scene), runs=runs, ids=ids)
    host.close()


@pytest.mark.check("threads of a daemon are rows of their own")
def test_each_thread_of_the_daemon_is_a_row_without_the_daemons_memory(stage: Stage) -> None:
    snapshot = stage.product.snapshot()
    daemon = stage.host.daemon()
    rows = {name: group_of(snapshot, session_id) for name, session_id in stage.ids.items()}
    assert {name: row["state"] for name, row in rows.items()} == {"alone": "idle", "shown": "idle", "working": "busy"}
    assert not any(daemon.pid in pids_of(row) for row in rows.values())
    (home,) = (group for group in snapshot["groups"] if daemon.pid in pids_of(group))
    assert home["kind"] == "infra"
    # what carries a thread's id is the thread's, the rest cannot be told apart and is the daemon's
    assert [p["name"] for p in rows["working"]["processes"]] == ["tail"]
    assert not rows["alone"]["processes"]
    work = str(stage.host.scene.work)
    sessions = [group for group in snapshot["groups"] if group["kind"] == "session"]
    here = [group for group in sessions if (group.get("cwd") or "").startswith(work)]
    assert {group["session_id"] for group in here} == set(stage.ids.values())


@pytest.mark.check("background command of a daemon's thread refused", result="refuses rightly")
def test_a_thread_with_a_command_in_the_background_is_refused(stage: Stage) -> None:
    answer = stage.product.release(stage.ids["working"])
    assert (answer.code, answer.json["fate"]) == (1, "refused"), answer.words
    assert answer.json["reason"] == "busy-background-task"
    assert stage.ids["working"] in stage.host.loaded()


@pytest.mark.check("thread shown in a terminal asks first")
def test_a_thread_that_a_terminal_may_show_is_not_released_at_once(stage: Stage) -> None:
    release = decision(group_of(stage.product.snapshot(), stage.ids["shown"]), "release")
    assert (release["allowed"], release["reason"]) == ("confirm", "attached-terminal")


@pytest.mark.check("one thread of a daemon released, the others stay")
def test_one_thread_is_released_and_the_others_stay(stage: Stage) -> None:
    daemon, helpers = stage.host.daemon(), stage.host.helpers(stage.host.daemon().pid)
    assert stage.host.loaded() == set(stage.ids.values())

    answer = stage.product.release(stage.ids["alone"])

    assert answer.code == 0, answer.words
    assert answer.json["fate"] == "released"
    assert stage.host.loaded() == {stage.ids["shown"], stage.ids["working"]}
    assert proc.is_alive(daemon)
    # its own two, the stubborn one after a moment
    wait_until(lambda: sum(map(proc.is_alive, helpers)) <= len(helpers) - 2, "its helpers gone", timeout_s=SLOW_S)
    assert sum(map(proc.is_alive, helpers)) == len(helpers) - 2
    assert stage.host.rollout(stage.host.scene.folder("alone")).is_relative_to(stage.host.root / "sessions")


@pytest.mark.check("a thread that a terminal loads again is not called released")
def test_a_thread_that_its_terminal_loads_again_is_said_to_be_there(stage: Stage) -> None:
    answer = stage.product.release(stage.ids["shown"])
    assert answer.json["fate"] == "refused", answer.words
    assert "loaded it again" in answer.words
    wait_until(lambda: stage.ids["shown"] in stage.host.loaded(), "the thread loaded again", timeout_s=SLOW_S)


@pytest.mark.check("waiting for permission in a daemon is told")
def test_a_thread_that_waits_for_permission_is_waiting(stage: Stage) -> None:
    folder = stage.host.scene.folder("asking")
    window = stage.host.scene.open_terminal(
        [stage.host.executable, "-a", "on-request", "-s", "read-only"], env=stage.host.environment, cwd=folder
    )
    window.wait_for("Ask Codex")
    window.type(ESCALATED)
    window.wait_for("Would you like to run")
    session_id = stage.host.session_id(folder)
    group = group_of(stage.product.snapshot(), session_id)
    assert group["state"] == "waiting"
    assert decision(group, "release")["allowed"] == "confirm"


@pytest.mark.check("resumed in the daemon by the printed command")
def test_a_released_thread_goes_on_by_the_command_in_the_journal(stage: Stage) -> None:
    resume = stage.product.last_released()["resume"]
    run = stage.host.terminal(*resume["argv"][1:], folder=Path(resume["cwd"]))
    run.terminal.wait_for("hello")
    run.complete_turn("SAY here I am again")
    assert stage.ids["alone"] in stage.host.loaded()


@pytest.mark.check("daemon that answers nobody: nothing releasable", result="refuses rightly")
def test_threads_of_a_daemon_without_its_socket_are_told_and_not_released(stage: Stage) -> None:
    socket = stage.host.root / "app-server-control" / "app-server-control.sock"
    aside = socket.with_name("aside")
    socket.rename(aside)
    try:
        group = group_of(stage.product.snapshot(), stage.ids["shown"])
        assert decision(group, "release")["allowed"] == "refuse"
    finally:
        aside.rename(socket)
