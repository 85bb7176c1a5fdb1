"""Codex's daemon: its threads by its own word, their release, and every way in which it may fail to answer."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.hosts import codex_fake as fake
from tests.hosts.codex_fake import ARGUMENTS, BELOW, ONE, RELEASE, TWO, Answers, FakeDaemon, rollout
from tests.hosts.homes import NOW_EPOCH_S, claim_on, fact_of, observe, process, surroundings, telling
from trayapp.hosts import codex_rpc
from trayapp.hosts.base import CallResult
from trayapp.hosts.codex import Codex
from trayapp.model.finding import Standing
from trayapp.model.process import Process
from trayapp.model.session import ClaimKind, EvidenceKind, Observation, Role, SessionFact, Speaks, StepKind

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the socket is a Unix one")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    made = tmp_path / ".codex"
    made.mkdir()
    return made


@pytest.fixture
def answers(home: Path) -> Answers:
    """Hold two threads at rest, as a daemon has them."""
    made = Answers()
    for each in (ONE, TWO):
        made.add(each, path=rollout(home, each))
    return made


@pytest.fixture
def daemon(home: Path, answers: Answers) -> Iterator[FakeDaemon]:
    with FakeDaemon(home, answers) as made:
        yield made


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codex_rpc, "_RELOAD_S", 0.1)
    monkeypatch.setattr(codex_rpc, "_LOOK_S", 0.02)


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def program(home: Path, pid: int = os.getpid(), **fields: Any) -> Process:
    """Make the daemon's process: this one, as the fake answers from here."""
    return process(pid, str(home / RELEASE), *ARGUMENTS, **fields)


def look(
    home: Path, *others: Process, adapter: Codex | None = None, files: dict[int, tuple[str, ...]] | None = None
) -> Observation:
    around = surroundings(home.parent, files=files or {})
    return observe(adapter or Codex(), [program(home), *others], around)


def states(seen: Observation) -> dict[str, list[tuple[EvidenceKind, Speaks]]]:
    return {f.key.session_id: [(e.kind, e.speaks_for) for e in telling(f)] for f in seen.sessions}


# -- what it says -------------------------------------------------------------------------------------------------


def test_threads_are_rows_in_the_daemon_that_it_alone_can_release(home: Path, daemon: FakeDaemon) -> None:
    seen = look(home)
    fact = fact_of(seen, ONE)
    assert {f.key.session_id for f in seen.sessions} == {ONE, TWO}
    assert (fact.shares_backend, fact.heap_of, fact.retained_bytes) == (True, program(home).identity, None)
    assert [(step.kind, step.call) for step in fact.ladder] == [(StepKind.HOST_CALL, "release")]
    assert (fact.refusal, fact.drift, seen.problems) == (None, None, ())
    assert "counted with the daemon" in next(e.fact for e in fact.evidence if e.speaks_for is Speaks.NOTHING)
    assert {(c.role, c.kind, c.session and c.session.session_id, c.serves_many) for c in seen.claims} == {
        (Role.INFRA, ClaimKind.PROGRAM, None, True),
        (Role.INFRA, ClaimKind.REGISTRY, ONE, True),
        (Role.INFRA, ClaimKind.REGISTRY, TWO, True),
    }
    assert [(i.version, i.error) for i in seen.instances] == [("0.171.0", None)]


def test_a_thread_is_told_with_its_name_folder_model_tokens_and_last_word(home: Path, daemon: FakeDaemon) -> None:
    fact = fact_of(look(home), ONE)
    assert (fact.title, fact.cwd, fact.model, fact.tokens) == ("SAY hello", "/home/alex/shop", "m1", 210)
    assert fact.last_activity_epoch_s == NOW_EPOCH_S - 400
    assert fact.resume is not None
    assert (fact.resume.argv, fact.resume.cwd, fact.resume.note) == (("codex", "resume", ONE), "/home/alex/shop", None)


@pytest.mark.parametrize(
    ("loaded", "commands", "expected"),
    [
        ({}, [], [(EvidenceKind.HOST_STATUS, Speaks.IDLE)]),
        ({"status": "active"}, [], [(EvidenceKind.TURN, Speaks.BUSY)]),
        (
            {"status": "active", "flags": ("waitingOnApproval",)},
            [],
            [(EvidenceKind.HOST_STATUS, Speaks.WAITING)],
        ),
        ({"status": "active", "flags": ("something new",)}, [], [(EvidenceKind.HOST_STATUS, Speaks.WAITING)]),
        ({"status": "systemError"}, [], [(EvidenceKind.HOST_STATUS, Speaks.UNREADABLE)]),
        ({}, ["sleep 300"], [(EvidenceKind.BACKGROUND_TASK, Speaks.BUSY)]),
    ],
)
def test_the_state_is_the_daemons_word(
    home: Path,
    answers: Answers,
    daemon: FakeDaemon,
    loaded: dict[str, Any],
    commands: list[str],
    expected: list[tuple[EvidenceKind, Speaks]],
) -> None:
    answers.add(ONE, path=fake.rollout_path(home, ONE), **loaded)
    answers.commands[ONE] = commands
    assert states(look(home))[ONE] == expected


def test_idle_is_idle_whatever_a_log_was_left_with(home: Path, answers: Answers, daemon: FakeDaemon) -> None:
    answers.add(ONE, path=rollout(home, ONE, ended_age_s=None))
    (evidence,) = telling(fact_of(look(home), ONE))
    assert (evidence.speaks_for, evidence.at_epoch_s) == (Speaks.IDLE, NOW_EPOCH_S - 500)


def test_what_it_loads_for_itself_and_what_has_not_begun_is_no_row(
    home: Path, answers: Answers, daemon: FakeDaemon
) -> None:
    answers.threads["01a22f15-ebfe-76f2-abc2-ca099ac07b40"] = fake.REPLIES["thread/read (title)"]["thread"]
    answers.add("01a22f15-ebff-76f2-abc2-ca099ac07b41", preview="", name=None)
    assert {f.key.session_id for f in look(home).sessions} == {ONE, TWO}


def test_a_subagent_counts_for_the_thread_that_started_it(home: Path, answers: Answers, daemon: FakeDaemon) -> None:
    answers.add(BELOW, path=rollout(home, BELOW), status="active", parentThreadId=ONE)
    seen = states(look(home))
    assert set(seen) == {ONE, TWO}
    assert (EvidenceKind.SUBAGENT, Speaks.BUSY) in seen[ONE]


def test_threads_that_are_each_others_subagents_do_not_hang_the_look(
    home: Path, answers: Answers, daemon: FakeDaemon
) -> None:
    answers.add(ONE, parentThreadId=TWO)
    answers.add(TWO, parentThreadId=ONE)
    assert len(look(home).sessions) == 1


def test_a_terminal_in_its_folder_or_with_its_id_would_load_it_again(home: Path, daemon: FakeDaemon) -> None:
    named = process(20, "codex", "resume", TWO)
    beside = process(21, "codex", cwd="/home/alex/shop")
    led_there = process(23, "codex", "-C", "/home/alex/shop", cwd="/tmp")
    elsewhere = process(22, "codex", cwd="/tmp")

    def protected(*terminals: Process) -> set[str]:
        seen = look(home, *terminals, files={p.pid: () for p in terminals})
        roles = {claim_on(seen, p).role for p in terminals}
        assert roles <= {Role.CLIENT}
        return {i for i, evidence in states(seen).items() if (EvidenceKind.VIEW, Speaks.PROTECTS) in evidence}

    assert protected(elsewhere) == set()
    assert protected(named) == {TWO}
    assert protected(beside) == protected(led_there) == {ONE, TWO}


def test_what_carries_a_threads_id_is_its_own_and_mcp_servers_are_the_daemons(home: Path, daemon: FakeDaemon) -> None:
    own: dict[str, Any] = {"ppid": os.getpid(), "age_s": 100.0}
    tool = process(30, "sleep", "300", env={"CODEX_THREAD_ID": ONE}, pgid=30, sid=30, **own)
    server = process(31, "something", pgid=31, sid=os.getpid(), **own)
    unread = process(32, "something", pgid=32, sid=os.getpid(), unreadable=frozenset({"env"}), **own)
    editor = process(33, "vim", pgid=os.getpid(), sid=os.getpid(), **own)
    home_of_all = program(home, sid=os.getpid(), pgid=os.getpid())
    seen = observe(Codex(), [home_of_all, tool, server, unread, editor], surroundings(home.parent))
    told = {c.identity.pid: (c.role, c.session and c.session.session_id) for c in seen.claims if c.identity.pid < 40}
    assert told == {30: (Role.WORK, ONE), 31: (Role.HELPER, None)}


def test_each_home_has_its_own_daemon(tmp_path: Path, home: Path, daemon: FakeDaemon) -> None:
    other = tmp_path / "other"
    other.mkdir()
    second = process(40, "/opt/bin/codex", *ARGUMENTS, env={"CODEX_HOME": str(other)})
    path = rollout(other, BELOW)
    seen = look(home, second, files={40: (str(path),)})
    assert {f.key.session_id: f.heap_of for f in seen.sessions} == {
        ONE: program(home).identity,
        TWO: program(home).identity,
        BELOW: second.identity,
    }
    resume = fact_of(seen, BELOW).resume
    assert resume is not None
    assert resume.note == f"with CODEX_HOME={other}"


# -- how it is asked ------------------------------------------------------------------------------------------------


def test_it_is_not_asked_more_often_than_once_a_second(home: Path, answers: Answers, daemon: FakeDaemon) -> None:
    clock = Clock()
    adapter = Codex(clock_s=clock)
    first = look(home, adapter=adapter)
    asked = len(answers.asked)
    again = look(home, adapter=adapter)
    assert len(answers.asked) == asked
    assert again.sessions is first.sessions
    clock.now_s += 1.0
    look(home, adapter=adapter)
    assert len(answers.asked) > asked


def test_what_rests_is_read_again_when_its_log_was_written_or_a_turn_more_is_counted_or_after_a_while(
    home: Path, answers: Answers, daemon: FakeDaemon
) -> None:
    clock = Clock()
    adapter = Codex(clock_s=clock)

    def read() -> int:
        """Look a second later; return how many threads were read for that."""
        clock.now_s += 1.0
        before = answers.asked.count("thread/read")
        look(home, adapter=adapter)
        return answers.asked.count("thread/read") - before

    # the log of a thread is known by its first reply alone, so that it is read twice
    assert [read(), read(), read(), read()] == [2, 2, 0, 0]
    with fake.rollout_path(home, ONE).open("a") as log:
        log.write("\n")
    assert [read(), read()] == [1, 0]
    answers.threads[TWO]["status"] = {"type": "active", "activeFlags": []}
    assert [read(), states(look(home, adapter=adapter))[TWO], read()] == [2, [(EvidenceKind.TURN, Speaks.BUSY)], 1]
    answers.threads[TWO]["status"] = {"type": "idle"}
    assert [read(), read()] == [1, 0]
    clock.now_s += codex_rpc.REREAD_S
    assert read() == 2
    answers.unknown = frozenset({"server/diagnostics"})
    assert [read(), read()] == [2, 2]


def test_a_look_that_finds_nothing_new_hands_on_the_very_same(home: Path, daemon: FakeDaemon) -> None:
    clock = Clock()
    adapter = Codex(clock_s=clock)
    first = look(home, adapter=adapter)
    clock.now_s += 5.0
    second = look(home, adapter=adapter)
    assert second.sessions is first.sessions
    assert second.claims is first.claims


def test_nothing_is_loaded_to_speak_to_a_socket_that_is_not_there(home: Path) -> None:
    script = (
        "import sys, tests.hosts.test_codex_daemon as t, pathlib;"
        f"t.look(pathlib.Path({str(home)!r}));"
        "print('websockets' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split() == ["False"]


def test_a_daemon_of_many_threads_is_shown_in_part(
    home: Path, answers: Answers, daemon: FakeDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(codex_rpc, "THREADS_LIMIT", 1)
    answers.more = True
    seen = look(home)
    assert len(seen.sessions) == 1
    assert [problem.what for problem in seen.problems] == ["it holds 2 loaded threads, of which 1 are shown"]


# -- when it does not answer ------------------------------------------------------------------------------------------


def _mute(answers: Answers) -> None:
    answers.mute = True


def _garbage(answers: Answers) -> None:
    answers.garbage = True


def _dies(answers: Answers) -> None:
    answers.dies_after = "thread/loaded/list"


def _another_pid(answers: Answers) -> None:
    answers.says_pid = 1


@pytest.mark.parametrize("misbehave", [_mute, _garbage, _dies, _another_pid])
def test_threads_of_a_daemon_that_cannot_be_asked_are_told_by_their_open_logs(
    home: Path,
    answers: Answers,
    daemon: FakeDaemon,
    misbehave: Callable[[Answers], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(codex_rpc, "ANSWER_TIMEOUT_S", 0.4)
    misbehave(answers)
    seen = look(home, files={os.getpid(): (str(fake.rollout_path(home, ONE)),)})
    fact = fact_of(seen, ONE)
    assert (fact.shares_backend, fact.ladder) == (True, ())
    assert fact.refusal is not None
    assert fact.refusal.startswith("Its daemon cannot be asked to release it: ")
    assert len(seen.problems) == 1
    assert [i.error for i in seen.instances] == [seen.problems[0].what]


def test_a_silent_daemon_is_let_be_for_a_while(
    home: Path, answers: Answers, daemon: FakeDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(codex_rpc, "ANSWER_TIMEOUT_S", 0.2)
    clock = Clock()
    adapter = Codex(clock_s=clock)
    answers.mute = True
    look(home, adapter=adapter)
    answers.mute = False
    clock.now_s += 10.0
    look(home, adapter=adapter)
    assert answers.asked == []
    clock.now_s += 10.0
    assert len(look(home, adapter=adapter).sessions) == 2


def test_what_is_no_socket_is_not_spoken_to(home: Path) -> None:
    there = home / fake.SOCKET
    there.parent.mkdir()
    there.write_text("no socket")
    assert look(home).problems == ()
    door = codex_rpc.Door(path=there, pid=os.getpid())
    with pytest.raises(codex_rpc.DaemonUnusable, match="what should be its socket is none"):
        asyncio.run(codex_rpc.ask(door))


def test_what_hangs_up_is_no_daemon(home: Path) -> None:
    with fake.not_a_daemon(home):
        (problem,) = look(home).problems
    assert "cannot be reached" in problem.what or "closed" in problem.what


def test_a_socket_on_which_another_process_listens_is_not_asked(home: Path, answers: Answers) -> None:
    with FakeDaemon(home, answers):
        other = program(home, pid=1)
        seen = observe(Codex(), [other], surroundings(home.parent))
    assert [problem.what for problem in seen.problems] == ["another process than this daemon listens on its socket"]
    assert answers.asked == []


def test_a_socket_of_another_user_is_not_asked(
    home: Path, answers: Answers, daemon: FakeDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 4242)
    assert [problem.what for problem in look(home).problems] == ["its socket is another user's"]
    assert answers.asked == []


def test_a_daemon_of_another_user_is_left_alone(home: Path, answers: Answers, daemon: FakeDaemon) -> None:
    seen = observe(Codex(), [program(home, uid=4242)], surroundings(home.parent))
    assert (answers.asked, seen.sessions, seen.problems) == ([], (), ())


def test_without_a_socket_the_logs_tell_and_a_lock_alone_proves_nothing(home: Path) -> None:
    path = rollout(home, ONE)
    lock = home / "thread-writer-locks" / f"{TWO}.lock"
    seen = look(home, files={os.getpid(): (str(path), str(lock))})
    assert states(seen) == {ONE: [(EvidenceKind.TURN, Speaks.IDLE)]}
    refusal = seen.sessions[0].refusal or ""
    assert refusal.startswith("Its daemon cannot be asked to release it: it has no socket at ")


# -- when it speaks in another way ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("misfit", "field", "where"),
    [
        ({"without": frozenset({"status"})}, "thread.status", "thread/read"),
        ({"renamed": {"idle": "resting"}}, "thread.status.type", "thread/read"),
        ({"unknown": frozenset({"thread/read"})}, "thread/read", "thread/read"),
        ({"misshapes": {"thread/read": {"thread": {"id": 7}}}}, "thread.id", "thread/read"),
        (
            {"misshapes": {"thread/backgroundTerminals/list": {"data": None}}},
            "data",
            "thread/backgroundTerminals/list",
        ),
        (
            {"unknown": frozenset({"thread/backgroundTerminals/list"})},
            "thread/backgroundTerminals/list",
            "thread/backgroundTerminals/list",
        ),
    ],
)
def test_a_reply_of_another_shape_names_its_field_and_nothing_follows_from_it(
    home: Path, answers: Answers, daemon: FakeDaemon, misfit: dict[str, Any], field: str, where: str
) -> None:
    for attribute, value in misfit.items():
        setattr(answers, attribute, value)
    fact = fact_of(look(home), ONE)
    assert fact.drift is not None
    assert (fact.drift.version, fact.drift.where, fact.drift.field) == ("0.171.0", where, field)
    assert not any(e.speaks_for is Speaks.IDLE for e in fact.evidence) or where != "thread/read"


def test_a_list_that_is_not_there_any_more_is_drift_of_all_its_threads(
    home: Path, answers: Answers, daemon: FakeDaemon
) -> None:
    answers.unknown = frozenset({"thread/loaded/list"})
    seen = look(home, files={os.getpid(): (str(fake.rollout_path(home, ONE)),)})
    drift = fact_of(seen, ONE).drift
    assert drift is not None
    assert (drift.where, drift.field) == ("thread/loaded/list", "thread/loaded/list")
    assert "thread/loaded/list" in seen.problems[0].what


def test_a_list_of_another_shape_is_not_understood(home: Path, answers: Answers, daemon: FakeDaemon) -> None:
    answers.misshapes["thread/loaded/list"] = {"threads": []}
    assert [problem.what for problem in look(home).problems] == [
        "it does not speak as is known: “data” in thread/loaded/list"
    ]


def test_diagnostics_only_add_to_the_rest(home: Path, answers: Answers, daemon: FakeDaemon) -> None:
    answers.misshapes["server/diagnostics"] = {"process": None}
    assert look(home).problems == ()
    answers.unknown = frozenset({"server/diagnostics"})
    assert look(home).problems == ()


# -- release ----------------------------------------------------------------------------------------------------------


def released(home: Path, thread_id: str = ONE) -> tuple[CallResult, Observation, Observation]:
    """Look, release, look again; return what was said and both looks."""
    adapter = Codex()
    around = surroundings(home.parent)
    before = look(home, adapter=adapter)
    said = asyncio.run(adapter.call("release", fact_of(before, thread_id), around))
    return said, before, look(home, adapter=adapter)


def test_a_thread_is_unloaded_and_kept_and_the_others_stay(home: Path, answers: Answers, daemon: FakeDaemon) -> None:
    said, _, after = released(home)
    assert said == CallResult(ok=True, message="unloaded and kept")
    assert {f.key.session_id for f in after.sessions} == {TWO}
    assert fake.rollout_path(home, ONE).exists()
    assert not answers.archived
    assert "thread/delete" not in answers.asked


def test_its_subagents_are_brought_back_with_it(home: Path, answers: Answers, daemon: FakeDaemon) -> None:
    answers.add(BELOW, path=rollout(home, BELOW), parentThreadId=ONE)
    assert released(home)[0].ok
    assert not answers.archived
    assert fake.rollout_path(home, BELOW).exists()


@pytest.mark.parametrize(
    ("status", "flags", "commands", "why"),
    [
        ("active", (), [], "a turn is running in it"),
        ("active", ("waitingOnUserInput",), [], "it waits for you"),
        ("systemError", (), [], "its daemon does not say that it is idle"),
        ("idle", (), ["sleep 300"], "a command of it runs in the background: sleep"),
        ("idle", (), ["KEY='a' /bin/curl -H 'Key: b'"], "a command of it runs in the background: curl"),
    ],
)
def test_what_has_begun_since_the_look_is_not_archived(
    home: Path,
    answers: Answers,
    daemon: FakeDaemon,
    status: str,
    flags: tuple[str, ...],
    commands: list[str],
    why: str,
) -> None:
    adapter = Codex()
    fact = fact_of(look(home, adapter=adapter), ONE)
    answers.add(ONE, status=status, flags=flags)
    answers.commands[ONE] = commands
    said = asyncio.run(adapter.call("release", fact, surroundings(home.parent)))
    assert not said.ok
    assert said.message.startswith(why)
    assert "thread/archive" not in answers.asked


def test_a_subagent_at_work_holds_a_release_up(home: Path, answers: Answers, daemon: FakeDaemon) -> None:
    answers.add(BELOW, status="active", parentThreadId=ONE)
    said, _, _ = released(home)
    assert (said.ok, "thread/archive" in answers.asked) == (False, False)


def test_a_thread_that_is_gone_already_is_released(home: Path, answers: Answers, daemon: FakeDaemon) -> None:
    adapter = Codex()
    fact = fact_of(look(home, adapter=adapter), ONE)
    del answers.threads[ONE]
    said = asyncio.run(adapter.call("release", fact, surroundings(home.parent)))
    assert said == CallResult(ok=True, message="already released")


def test_a_thread_that_a_terminal_loads_again_is_not_said_to_be_released(
    home: Path, answers: Answers, daemon: FakeDaemon
) -> None:
    answers.reloads = True
    said, _, after = released(home)
    assert not said.ok
    assert "loaded it again" in said.message
    assert {f.key.session_id for f in after.sessions} == {ONE, TWO}


def test_a_daemon_that_only_says_that_it_archived_is_not_believed(
    home: Path, answers: Answers, daemon: FakeDaemon
) -> None:
    answers.lies = True
    said, _, after = released(home)
    assert not said.ok
    assert ONE in {f.key.session_id for f in after.sessions}


@pytest.mark.parametrize("fails", [1, 4])
def test_a_thread_is_brought_back_at_the_second_try_or_over_a_second_connection(
    home: Path, answers: Answers, daemon: FakeDaemon, fails: int
) -> None:
    answers.fails_to_bring_back = fails
    assert released(home)[0].ok
    assert not answers.archived


def test_one_that_stays_archived_is_told_with_the_command_that_brings_it_back(
    home: Path, answers: Answers, daemon: FakeDaemon
) -> None:
    answers.fails_to_bring_back = 100
    said, _, _ = released(home)
    assert not said.ok
    assert said.message.endswith(f"and it may be archived now. `codex unarchive {ONE}` brings it back")


def test_a_daemon_that_dies_in_the_middle_is_told_with_that_command_too(
    home: Path, answers: Answers, daemon: FakeDaemon
) -> None:
    answers.dies_after = "thread/archive"
    said, _, _ = released(home)
    assert not said.ok
    assert f"`codex unarchive {ONE}`" in said.message


def test_an_archive_that_is_not_answered_is_undone_all_the_same(
    home: Path, answers: Answers, daemon: FakeDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(codex_rpc, "RELEASE_TIMEOUT_S", 0.5)
    answers.swallows = "thread/archive"
    said, _, _ = released(home)
    assert said.message.startswith("it does not answer within 0.5 s")
    assert not answers.archived


def test_a_daemon_that_goes_after_it_brought_a_thread_back_has_released_it(
    home: Path, answers: Answers, daemon: FakeDaemon
) -> None:
    answers.dies_after = "thread/unarchive"
    assert released(home)[0] == CallResult(ok=True, message="unloaded and kept")


def test_a_thread_whose_daemon_is_not_understood_is_not_archived(
    home: Path, answers: Answers, daemon: FakeDaemon
) -> None:
    adapter = Codex()
    fact = fact_of(look(home, adapter=adapter), ONE)
    answers.without = frozenset({"status"})
    said = asyncio.run(adapter.call("release", fact, surroundings(home.parent)))
    assert said.message == "it does not speak as is known: “thread.status” in thread/read. Update Agent Ring"
    assert "thread/archive" not in answers.asked


def test_a_release_that_nobody_waits_for_any_more_still_comes_to_its_end(
    home: Path, answers: Answers, daemon: FakeDaemon
) -> None:
    async def give_up(adapter: Codex, fact: SessionFact) -> None:
        answers.slow_s = 0.1
        task = asyncio.create_task(adapter.call("release", fact, surroundings(home.parent)))
        while "thread/archive" not in answers.asked:
            await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await asyncio.gather(*codex_rpc._under_way)

    adapter = Codex()
    asyncio.run(give_up(adapter, fact_of(look(home, adapter=adapter), ONE)))
    assert not answers.archived
    assert ONE not in answers.threads


def test_what_is_not_a_daemons_is_not_released_by_a_call(home: Path, tmp_path: Path) -> None:
    adapter = Codex()
    path = rollout(home, ONE)
    run = process(10, "codex")
    fact = fact_of(observe(adapter, [run], surroundings(tmp_path, files={10: (str(path),)})), ONE)
    said = asyncio.run(adapter.call("release", fact, surroundings(tmp_path)))
    assert said == CallResult(ok=False, message="Codex offers no “release” for this session")


# -- doctor -----------------------------------------------------------------------------------------------------------


def test_the_doctor_tells_whether_a_daemon_answers(
    home: Path, answers: Answers, daemon: FakeDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    adapter = Codex(clock_s=clock)

    def found() -> tuple[Standing, str]:
        look(home, adapter=adapter)
        (finding,) = adapter.findings(surroundings(home.parent))
        clock.now_s += 60
        return finding.standing, finding.what

    assert found() == (Standing.GOOD, "version 0.171.0 answers: 2 threads, 2 connections to MCP servers")
    monkeypatch.setattr(codex_rpc, "ANSWER_TIMEOUT_S", 0.2)
    answers.mute = True
    assert found() == (Standing.TROUBLE, "it does not answer within 0.2 s")
    daemon.link.unlink()
    standing, what = found()
    assert (standing, "its threads are told by their logs" in what) == (Standing.ABSENT, True)
