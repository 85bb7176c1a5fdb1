"""Codex: what each of its programs is, which thread a process serves, and what the end of a rollout says."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.hosts.homes import NOW_EPOCH_S, fact_of, iso, observe, process, recorded, surroundings, telling
from trayapp.hosts.codex import Codex
from trayapp.hosts.codex_programs import home_of, version_of
from trayapp.hosts.codex_rollout import id_of, read_beginning, read_rollout
from trayapp.model.session import ClaimKind, EvidenceKind, Role, Speaks

ONE = "01a22c55-624d-7022-9efb-0542a9c7710c"
TWO = "01a22c55-0000-4000-8000-000000000002"
RELEASE = "/home/alex/.codex/packages/app-server-daemon/releases/0.171.0/bin/codex"


@pytest.mark.parametrize(
    ("argv", "role"),
    [
        (("codex",), Role.BACKEND),
        (("codex", "exec", "fix it"), Role.BACKEND),
        (("/x/vendor/aarch64-apple-darwin/bin/codex", "-c", "a=b", "app-server", "--listen", "stdio://"), Role.BACKEND),
        (("/Applications/ChatGPT.app/Contents/Resources/codex", "app-server"), Role.BACKEND),
        (("codex.exe", "app-server"), Role.BACKEND),
        (("node", "/x/node_modules/@openai/codex/bin/codex.js", "app-server"), Role.WRAPPER),
        ((RELEASE, "app-server", "--listen", "unix://", "--managed-daemon"), Role.INFRA),
        ((RELEASE, "app-server", "daemon", "pid-update-loop"), Role.INFRA),
        (("codex", "app-server", "proxy"), Role.INFRA),
        (("codex", "login"), Role.INFRA),
        (("codex", "queue", ONE, "go on"), Role.INFRA),
        (("codex", "--remote", "unix:///tmp/x.sock"), Role.CLIENT),
        (("codex", "agents"), Role.CLIENT),
        (("codex", "--no-daemon"), Role.BACKEND),
        (("node", "/x/node_modules/.bin/codex", "--no-daemon"), Role.WRAPPER),
        (("codex-acp",), Role.INFRA),
        (("node", "/x/codex-acp.js"), Role.INFRA),
        (("/Applications/Codex.app/Contents/MacOS/Codex",), Role.APP),
        (("/Applications/ChatGPT.app/Contents/MacOS/ChatGPT",), Role.APP),
        (("/x/codex-code-mode-host",), Role.WRAPPER),
    ],
)
def test_each_program_is_what_it_is(argv: tuple[str, ...], role: Role) -> None:
    claim = Codex().recognise(process(10, *argv))
    assert claim is not None
    assert claim.role is role
    assert claim.serves_many is ("app-server" in argv and role is not Role.WRAPPER and argv[-1] not in _LEADS)


_LEADS = ("pid-update-loop", "proxy")


@pytest.mark.parametrize(
    "argv",
    [
        ("grep", "codex"),
        ("vim", "codex.js"),
        ("codex", "mcp-server"),
        ("codex", "-c", "model=x", "mcp-server"),
        ("node", "/x/node_modules/.bin/codex", "mcp-server"),
        ("node", "/srv/codexes/server.js"),
        ("/Applications/Codex.app/Contents/Frameworks/Codex Helper (Renderer)", "--type=renderer"),
        ("/Applications/Codex.app/Contents/MacOS/Codex", "--type=gpu-process"),
        (),
    ],
)
def test_what_is_not_its_program_is_not_claimed(argv: tuple[str, ...]) -> None:
    assert Codex().recognise(process(10, *argv)) is None


def test_tools_are_claimed_by_their_variable_and_helpers_by_none() -> None:
    given = {"CODEX_THREAD_ID": ONE}
    roles = [
        claim.role
        for argv in (("make",), ("bash", "-i"), ("node", "/x/notes-mcp"))
        if (claim := Codex().recognise(process(10, *argv, env=given))) is not None
    ]
    assert roles == [Role.WORK, Role.SHELL, Role.HELPER]


def test_resume_tells_the_thread_and_fork_does_not() -> None:
    resumed = Codex().recognise(process(10, "codex", "--model", "m", "resume", ONE))
    forked = Codex().recognise(process(10, "codex", "fork", ONE))
    in_exec = Codex().recognise(process(10, "codex", "exec", "resume", ONE))
    assert [c.session.session_id if c and c.session else None for c in (resumed, forked, in_exec)] == [ONE, None, ONE]


@pytest.mark.parametrize(
    ("argv", "env", "expected"),
    [
        (("codex",), {}, "/home/alex/.codex"),
        (("codex",), {"CODEX_HOME": "/data/cx"}, "/data/cx"),
        (("codex",), {"CODEX_HOME": "relative"}, "/home/alex/.codex"),
        ((RELEASE.replace("alex/.codex", "sam/cx"), "app-server"), {}, "/home/sam/cx"),
    ],
)
def test_a_programs_home_is_told_by_its_variable_or_by_where_it_was_installed(
    argv: tuple[str, ...], env: dict[str, str], expected: str
) -> None:
    assert home_of(process(10, *argv, env=env), {}, Path("/home/alex")) == Path(expected)
    assert version_of(process(10, RELEASE)) == "0.171.0"


# -- threads ----------------------------------------------------------------------------------------------------------


def rollout(home: Path, session_id: str, *records: dict[str, Any], age_s: float = 0.0) -> Path:
    path = home / ".codex" / "sessions" / "2026" / "11" / "30" / f"rollout-2026-11-30T12-02-02-{session_id}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    os.utime(path, (NOW_EPOCH_S - age_s, NOW_EPOCH_S - age_s))
    return path


def meta(age_s: float, cwd: str = "/home/alex/shop", **payload: Any) -> dict[str, Any]:
    return {"timestamp": iso(age_s), "type": "session_meta", "payload": {"cwd": cwd, **payload}}


def event(kind: str, age_s: float) -> dict[str, Any]:
    return {"timestamp": iso(age_s), "type": "event_msg", "payload": {"type": kind}}


def item(kind: str, age_s: float, name: str | None = None) -> dict[str, Any]:
    return {"timestamp": iso(age_s), "type": "response_item", "payload": {"type": kind, "call_id": "c", "name": name}}


ASKED = [meta(600), event("task_started", 500)]


@pytest.mark.parametrize(
    ("records", "kind", "speaks_for"),
    [
        ([*ASKED, event("task_complete", 400)], EvidenceKind.TURN, Speaks.IDLE),
        ([*ASKED, event("turn_aborted", 400)], EvidenceKind.TURN, Speaks.IDLE),
        (ASKED, EvidenceKind.TURN, Speaks.BUSY),
        ([*ASKED, item("function_call", 400, "exec_command")], EvidenceKind.TOOL_CALL, Speaks.BUSY),
        ([*ASKED, item("function_call", 400), item("function_call_output", 300)], EvidenceKind.TURN, Speaks.BUSY),
        ([*ASKED, item("function_call", 400, "spawn_agent")], EvidenceKind.SUBAGENT, Speaks.BUSY),
        ([*ASKED, event("exec_approval_request", 400)], EvidenceKind.QUESTION, Speaks.WAITING),
        ([meta(9000), event("task_started", 9000)], EvidenceKind.TURN, Speaks.IDLE),
    ],
)
def test_the_end_of_the_rollout_says_whose_turn_it_is(
    tmp_path: Path, records: list[dict[str, Any]], kind: EvidenceKind, speaks_for: Speaks
) -> None:
    path = rollout(tmp_path, ONE, *records)
    run = process(10, "codex")
    seen = observe(Codex(), [run], surroundings(tmp_path, files={10: (str(path), "/dev/null")}))
    (evidence,) = telling(fact_of(seen, ONE))
    assert (evidence.kind, evidence.speaks_for) == (kind, speaks_for)


def test_bookkeeping_is_no_activity(tmp_path: Path) -> None:
    path = rollout(tmp_path, ONE, *ASKED, event("task_complete", 400), event("token_count", 5))
    seen = observe(Codex(), [process(10, "codex")], surroundings(tmp_path, files={10: (str(path),)}))
    assert fact_of(seen, ONE).last_activity_epoch_s == NOW_EPOCH_S - 400


def test_a_recorded_rollout_is_read(tmp_path: Path) -> None:
    path = tmp_path / f"rollout-2026-11-30T12-02-02-{ONE}.jsonl"
    path.write_text(recorded("codex-rollout.trimmed.jsonl"), encoding="utf-8")
    log = read_rollout(path)
    assert (id_of(path), log.session_id, log.cwd, log.model) == (ONE, ONE, "/home/user/work/cx", "mock-1")
    assert (log.turn_open, log.open_calls, log.broken_lines) == (False, {}, 0)
    assert read_beginning(path).cwd == "/home/user/work/cx"


def test_a_long_rollout_is_read_at_both_ends(tmp_path: Path) -> None:
    noise = {"timestamp": iso(450), "type": "event_msg", "payload": {"type": "token_count", "info": "x" * 1000}}
    path = rollout(tmp_path, ONE, *ASKED, *([noise] * 600))
    log = read_rollout(path)
    assert (log.cwd, log.turn_open) == ("/home/alex/shop", True)
    path.write_text(path.read_text(encoding="utf-8") + "no record\n" + '{"type": "event', encoding="utf-8")
    assert read_rollout(path).broken_lines == 1


def test_a_run_of_its_own_can_be_ended_and_resumed(tmp_path: Path) -> None:
    path = rollout(tmp_path, ONE, *ASKED)
    run = process(10, "codex", cwd="/home/alex/shop")
    seen = observe(Codex(), [run], surroundings(tmp_path, files={10: (str(path),)}))
    fact = fact_of(seen, ONE)
    assert [step.kind.value for step in fact.ladder] == ["sigterm", "sigkill"]
    assert (fact.title, fact.resume and fact.resume.argv) == ("shop", ("codex", "resume", ONE))
    assert {(c.kind, c.session and c.session.session_id) for c in seen.claims} == {
        (ClaimKind.PROGRAM, None),
        (ClaimKind.OPEN_FILE, ONE),
    }


def test_threads_of_one_server_share_it_and_one_alone_ends_with_it_after_a_question(tmp_path: Path) -> None:
    held = tuple(str(rollout(tmp_path, each, *ASKED)) for each in (ONE, TWO))
    server = process(10, "codex", "app-server")
    seen = observe(Codex(), [server], surroundings(tmp_path, files={10: held}))
    assert {(fact.shares_backend, fact.ladder) for fact in seen.sessions} == {(True, ())}
    assert len(seen.sessions) == 2
    alone = observe(Codex(), [server], surroundings(tmp_path, files={10: held[:1]}))
    (fact,) = alone.sessions
    assert (fact.shares_backend, [step.kind.value for step in fact.ladder]) == (False, ["sigterm", "sigkill"])
    assert [instance.identity for instance in alone.instances] == [server.identity]


def test_a_subagents_log_counts_for_its_thread(tmp_path: Path) -> None:
    own = rollout(tmp_path, ONE, meta(600), event("task_started", 500), event("task_complete", 400))
    below = rollout(tmp_path, TWO, meta(300, session_id=ONE, id=TWO), event("task_started", 300))
    seen = observe(Codex(), [process(10, "codex")], surroundings(tmp_path, files={10: (str(own), str(below))}))
    assert [fact.key.session_id for fact in seen.sessions] == [ONE]
    assert [e.kind for e in telling(seen.sessions[0])] == [EvidenceKind.TURN, EvidenceKind.SUBAGENT]


def test_a_terminal_beside_the_daemon_is_a_view_unless_it_runs_by_itself(tmp_path: Path) -> None:
    release = RELEASE.replace("/home/alex", str(tmp_path))
    daemon = process(9, release, "app-server", "--listen", "unix://", "--managed-daemon")
    view, own = process(10, "codex"), process(11, "codex", "-c", "model=x")
    seen = observe(Codex(), [daemon, view, own], surroundings(tmp_path, files={10: (), 11: ()}))
    roles = {claim.identity.pid: claim.role for claim in seen.claims}
    assert roles == {9: Role.INFRA, 10: Role.CLIENT, 11: Role.BACKEND}


def test_a_resumed_threads_log_is_found_by_its_id(tmp_path: Path) -> None:
    rollout(tmp_path, ONE, *ASKED, event("task_complete", 400))
    adapter = Codex()
    run, named = process(10, "codex", "resume", ONE), process(11, "codex", "resume", "my-thread")
    for _ in range(2):
        seen = observe(adapter, [run, named], surroundings(tmp_path))
        assert [e.speaks_for for e in telling(fact_of(seen, ONE))] == [Speaks.IDLE]
        assert {c.session.session_id if c.session else None for c in seen.claims} == {ONE, None}


def test_a_fresh_run_is_given_the_one_log_begun_since_in_its_folder(tmp_path: Path) -> None:
    rollout(tmp_path, ONE, *ASKED)
    rollout(tmp_path, "01a22c55-0000-4000-8000-000000000003", meta(600, "/elsewhere"), event("task_started", 500))
    rollout(tmp_path, "01a22c55-0000-4000-8000-000000000004", meta(9000), event("task_started", 8000), age_s=7000)
    run = process(10, "codex", cwd="/home/alex/shop")
    (claim,) = observe(Codex(), [run], surroundings(tmp_path)).claims
    assert (claim.kind, claim.session and claim.session.session_id) == (ClaimKind.START_AND_CWD, ONE)
    rollout(tmp_path, TWO, *ASKED)
    (claim,) = observe(Codex(), [run], surroundings(tmp_path)).claims
    assert claim.session is None


def test_where_open_files_cannot_be_read_the_tools_tell_the_thread(tmp_path: Path) -> None:
    rollout(tmp_path, ONE, *ASKED, item("function_call", 400, "exec_command"))
    run = process(10, "codex")
    tool = process(11, "bash", "-c", "make", ppid=10, age_s=300, env={"CODEX_SESSION_ID": ONE})
    seen = observe(Codex(), [run, tool], surroundings(tmp_path))
    named = [c for c in seen.claims if c.identity == run.identity and c.session is not None]
    assert [(c.kind, c.role) for c in named] == [(ClaimKind.ENVIRONMENT, Role.BACKEND)]
    assert [e.kind for e in telling(fact_of(seen, ONE))] == [EvidenceKind.TOOL_CALL]


def test_a_thread_has_the_name_of_the_index_and_the_tokens_of_its_newest_record(tmp_path: Path) -> None:
    def used(kind: str, payload: dict[str, Any]) -> dict[str, Any]:
        return {"timestamp": iso(300), "type": kind, "payload": payload}

    first = used("token_usage_record", {"thread_token_usage": {"total_tokens": 105}})
    later = used("event_msg", {"type": "token_count", "info": {"total_token_usage": {"total_tokens": 210}}})
    unknown = used("event_msg", {"type": "token_count", "info": None})
    path = rollout(tmp_path, ONE, *ASKED, first, later)
    names = [{"id": ONE, "thread_name": name} for name in ("first", "Mend the shop\nnow")]
    index = tmp_path / ".codex" / "session_index.jsonl"
    index.write_text("\n".join((json.dumps(names[0]), "no record", json.dumps(names[1]), "")), encoding="utf-8")
    around = surroundings(tmp_path, files={10: (str(path),)})
    adapter = Codex()
    fact = fact_of(observe(adapter, [process(10, "codex")], around), ONE)
    assert (fact.title, fact.tokens) == ("Mend the shop", 210)
    rollout(tmp_path, ONE, *ASKED, first, unknown)
    assert read_rollout(path).tokens is None


def test_a_run_that_holds_several_threads_is_the_one_used_last_and_works_while_any_does(tmp_path: Path) -> None:
    before = rollout(tmp_path, ONE, *ASKED)
    now = rollout(tmp_path, TWO, meta(300), event("task_started", 300), event("task_complete", 200))
    run = process(10, "codex", "resume", ONE)
    seen = observe(Codex(), [run], surroundings(tmp_path, files={10: (str(before), str(now))}))
    assert [(f.key.session_id, f.shares_backend, bool(f.ladder)) for f in seen.sessions] == [(TWO, False, True)]
    assert [e.speaks_for for e in telling(seen.sessions[0])] == [Speaks.IDLE, Speaks.BUSY]
    assert {c.session.session_id for c in seen.claims if c.session is not None} == {TWO}


def test_a_lock_that_is_held_open_tells_the_thread_and_one_that_only_lies_there_does_not(tmp_path: Path) -> None:
    rollout(tmp_path, ONE, *ASKED)
    lock = tmp_path / ".codex" / "thread-writer-locks" / f"{ONE}.lock"
    lock.parent.mkdir()
    lock.touch()
    run = process(10, "codex", cwd="/home/alex/shop")
    held = observe(Codex(), [run], surroundings(tmp_path, files={10: (str(lock),)}))
    assert [f.key.session_id for f in held.sessions] == [ONE]
    lying = observe(Codex(), [run], surroundings(tmp_path, files={10: ()}))
    assert lying.sessions == ()


def test_a_server_of_an_editor_is_asked_about_and_the_editor_is_named(tmp_path: Path) -> None:
    path = rollout(tmp_path, ONE, *ASKED, event("task_complete", 400))
    editor = process(9, "code", ppid=1)
    shim = process(10, "node", "/x/bin/codex.js", "app-server", ppid=9, age_s=500)
    server = process(11, "codex", "app-server", ppid=10, age_s=499)
    seen = observe(Codex(), [editor, shim, server], surroundings(tmp_path, files={11: (str(path),)}))
    assert [e.fact for e in fact_of(seen, ONE).evidence if e.speaks_for is Speaks.PROTECTS] == [
        "code, which started it, is attached to it"
    ]


def test_an_adapter_for_editors_that_runs_threads_itself_is_their_backend(tmp_path: Path) -> None:
    path = rollout(tmp_path, ONE, *ASKED)
    adapter = process(10, "codex-acp")
    seen = observe(Codex(), [adapter], surroundings(tmp_path, files={10: (str(path),)}))
    assert {c.role for c in seen.claims} == {Role.BACKEND}
    leading = observe(Codex(), [adapter], surroundings(tmp_path, files={10: ()}))
    assert [(c.role, c.session) for c in leading.claims] == [(Role.INFRA, None)]


# -- what is on disk --------------------------------------------------------------------------------------------------


NOISE = [{"timestamp": iso(450), "type": "another", "payload": {}} for _ in range(9)]


@pytest.mark.parametrize(
    ("records", "field"),
    [
        ([{"id": ONE, "timestamp": iso(600)}, event("task_started", 500)], "session_meta"),
        ([meta(600), *NOISE], "type"),
        ([{**record, "timestamp": "yesterday"} for record in ASKED], "timestamp"),
        ([meta(600), *[{"timestamp": iso(5), "type": "event_msg", "payload": {"kind": "x"}}] * 9], "payload.type"),
        ([{"type": 7, "timestamp": iso(5)}], "type"),
        ([meta(600), event("task_started", 500), *NOISE], None),
    ],
)
def test_a_log_of_another_shape_names_its_field_and_says_nothing_else(
    tmp_path: Path, records: list[dict[str, Any]], field: str | None
) -> None:
    path = rollout(tmp_path, ONE, *records)
    fact = fact_of(observe(Codex(), [process(10, "codex")], surroundings(tmp_path, files={10: (str(path),)})), ONE)
    assert (fact.drift and (fact.drift.where, fact.drift.field)) == (field and (str(path), field))
    if field is not None:
        assert telling(fact) == []


def test_of_a_log_of_two_gigabytes_only_the_ends_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = rollout(tmp_path, ONE, *ASKED)
    with path.open("r+b") as log:
        log.seek(2 * 1024**3)
        log.write(b"\n" + json.dumps(event("task_complete", 60)).encode() + b"\n")
    read = 0
    whole_read = os.read

    def counting(descriptor: int, size: int) -> bytes:
        nonlocal read
        data = whole_read(descriptor, size)
        read += len(data)
        return data

    monkeypatch.setattr(os, "read", counting)
    log_said = read_rollout(path)
    assert (log_said.turn_open, log_said.cwd) == (False, "/home/alex/shop")
    assert read < 1024**2


def test_what_did_not_change_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = rollout(tmp_path, ONE, *ASKED)
    around = surroundings(tmp_path, files={10: (str(path),)})
    runs = [process(10, "codex"), process(11, "codex", "resume", ONE)]
    adapter = Codex()
    first = observe(adapter, runs, around)
    opened: list[str] = []
    monkeypatch.setattr(os, "open", lambda name, *_: opened.append(str(name)))
    monkeypatch.setattr(os, "scandir", lambda name: opened.append(str(name)))
    second = observe(adapter, runs, around)
    assert opened == []
    assert second.sessions is first.sessions
    assert second.claims is first.claims


def test_where_a_log_lies_is_told_by_its_id_without_a_walk_through_the_years(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for year in range(2015, 2026):
        for month in range(1, 13):
            (tmp_path / ".codex" / "sessions" / f"{year}" / f"{month:02}" / "01").mkdir(parents=True)
    rollout(tmp_path, ONE, *ASKED)
    looked: list[str] = []
    walk = os.scandir

    def noted(name: Any) -> Any:
        looked.append(str(name))
        return walk(name)

    monkeypatch.setattr(os, "scandir", noted)
    adapter, run = Codex(), process(10, "codex", "resume", ONE)
    assert observe(adapter, [run], surroundings(tmp_path)).sessions[0].title == "shop"
    assert len(looked) <= 3
    unknown = process(11, "codex", "resume", "01a22c55-0000-7000-8000-00000000ffff")
    looked.clear()
    observe(adapter, [unknown], surroundings(tmp_path))
    observe(adapter, [unknown], surroundings(tmp_path))
    assert len(looked) == 3


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
def test_fifos_and_loops_of_links_in_the_logs_hold_nothing_up(tmp_path: Path) -> None:
    day = rollout(tmp_path, ONE, *ASKED).parent
    (day / f"rollout-2026-11-30T12-02-03-{TWO}.jsonl").symlink_to(day / f"rollout-2026-11-30T12-02-03-{TWO}.jsonl")
    os.mkfifo(day / "rollout-2026-11-30T12-02-04-01a22c55-0000-4000-8000-000000000009.jsonl")
    os.mkfifo(tmp_path / ".codex" / "session_index.jsonl")
    run = process(10, "codex", cwd="/home/alex/shop")
    seen = observe(Codex(), [run], surroundings(tmp_path))
    assert [f.key.session_id for f in seen.sessions] == [ONE]
    assert {Path(problem.where).name for problem in seen.problems} >= {"session_index.jsonl"}


def test_a_log_that_cannot_be_read_makes_the_thread_unknown(tmp_path: Path) -> None:
    gone = tmp_path / f"rollout-2026-11-30T12-02-02-{ONE}.jsonl"
    gone.mkdir()
    seen = observe(Codex(), [process(10, "codex")], surroundings(tmp_path, files={10: (str(gone),)}))
    assert [e.speaks_for for e in telling(fact_of(seen, ONE))] == [Speaks.UNREADABLE]
    assert len(seen.problems) == 1
