"""Copilot CLI: its programs, which process holds which session, and what log and list of open sessions say."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.hosts.agent_homes import around, at, look, only, process, put, put_recorded, roles, said
from tests.hosts.homes import recorded
from trayapp.hosts.agent_log import Logs, Turn
from trayapp.hosts.copilot import Copilot, CopilotLog
from trayapp.hosts.files import Witness
from trayapp.model.process import Process
from trayapp.model.session import ClaimKind, Role

NATIVE = "/home/alex/lib/node_modules/@github/copilot-linux-x64/copilot"
LOADER = ("node", "/home/alex/lib/node_modules/.bin/copilot")
IN_TOOL = "0c055fb0-c12f-436e-baf0-1e764d93e4d5"
WITH_SHELL = "09d5fd88-e588-41a5-b222-2b4a6c43bfea"
RESUMED = "3ced8380-29c5-4239-9915-e43a282bea61"
BEGAN = {IN_TOOL: "01:12:20", WITH_SHELL: "01:12:30", RESUMED: "01:12:48"}


def copilot(pid: int, session_id: str, *argv: str, **more: Any) -> Process:
    return process(pid, NATIVE, *argv, name="MainThread", exe=NATIVE, age_s=at(BEGAN[session_id]), **more)


def session(home: Path, session_id: str, pid: int, name: str) -> Path:
    """Put a recorded session there, held by that process."""
    folder = home / ".copilot" / "session-state" / session_id
    put_recorded(folder / "events.jsonl", f"copilot/{name}.events.jsonl")
    put_recorded(folder / "workspace.yaml", f"copilot/{name}.workspace.yaml")
    put(folder / f"inuse.{pid}.lock", f"{pid}\n")
    put_recorded(home / ".copilot" / "open-sessions-state.json", "copilot/open-sessions-state.json")
    return folder


@pytest.mark.parametrize(
    ("argv", "role"),
    [
        ((NATIVE,), Role.BACKEND),
        (("copilot", "-p", "fix it"), Role.BACKEND),
        (LOADER, Role.BACKEND),  # old versions are that script; with a native one below it is a wrapper
        (("node", "/x/@github/copilot/npm-loader.js"), Role.WRAPPER),
        (("node", "--no-warnings", "/x/@github/copilot/index.js", "--banner"), Role.BACKEND),
        (("copilot", "--server", "--stdio"), Role.BACKEND),
        (("copilot", "login"), Role.INFRA),
        (("copilot", "--version"), Role.INFRA),
    ],
)
def test_each_program_is_what_it_is(argv: tuple[str, ...], role: Role) -> None:
    claim = Copilot().recognise(process(10, *argv))
    assert claim is not None
    assert claim.role is role
    assert claim.serves_many is ("--server" in argv)


@pytest.mark.parametrize(
    "argv",
    [
        ("grep", "copilot"),
        ("vim", "copilot"),
        ("copilot", "svc", "logs", "--follow"),  # another company's, for containers
        ("copilot-language-server", "--stdio"),
        ("node", "/x/copilot/dist/language-server.js"),
        ("bash", "-c", "copilot --resume"),
        ("tmux", "new-session", "copilot"),
    ],
)
def test_what_is_not_its_program_is_not_claimed(argv: tuple[str, ...]) -> None:
    assert Copilot().recognise(process(10, *argv, exe=f"/usr/bin/{argv[0]}")) is None


def test_what_it_starts_carries_its_session() -> None:
    given = {"COPILOT_AGENT_SESSION_ID": IN_TOOL}
    claims = [
        Copilot().recognise(process(10, *argv, env=given))
        for argv in (("tail", "-f", "x"), ("bash", "-i"), ("npx", "notes-mcp"))
    ]
    assert [claim.role for claim in claims if claim is not None] == [Role.WORK, Role.SHELL, Role.HELPER]


@pytest.mark.parametrize(
    ("session_id", "name", "told", "tokens"),
    [
        (RESUMED, "resumed", [("turn", "idle"), ("host-status", "idle")], 220),
        (IN_TOOL, "in_tool", [("tool-call", "busy"), ("host-status", "busy")], 220),
    ],
)
def test_the_holder_of_the_lock_runs_the_session(
    tmp_path: Path, session_id: str, name: str, told: list[tuple[str, str]], tokens: int
) -> None:
    session(tmp_path, session_id, 11, name)
    loader = process(10, *LOADER, exe="/usr/bin/node", age_s=at(BEGAN[session_id]) + 1)
    seen = look(Copilot(), [loader, copilot(11, session_id, ppid=10)], around(tmp_path))
    assert roles(seen) == {10: (Role.WRAPPER, None), 11: (Role.BACKEND, session_id)}
    fact = only(seen)
    assert said(fact) == told
    assert (fact.model, fact.tokens) == ("m1", tokens)
    assert fact.resume is not None
    assert fact.resume.argv == ("copilot", f"--resume={session_id}")
    assert fact.cwd == fact.resume.cwd


def test_a_turns_end_after_a_tool_call_is_followed_by_the_next_and_a_background_shell_is_no_rest(
    tmp_path: Path,
) -> None:
    """Each call of the model is a turn of its own in the log; "working" stays until the background shell ends."""
    folder = session(tmp_path, WITH_SHELL, 11, "with_shell")
    lines = recorded("copilot/with_shell.events.jsonl").splitlines(keepends=True)
    ends = [number for number, line in enumerate(lines) if '"assistant.turn_end"' in line]
    turns = {}
    for upto in ends[1:3]:
        put(folder / "events.jsonl", "".join(lines[: upto + 1]))
        log = Logs().read(folder / "events.jsonl", CopilotLog, Witness())
        assert log is not None
        turns[upto] = log.turn
    assert list(turns.values()) == [Turn.OPEN, Turn.ENDED]
    fact = only(look(Copilot(), [copilot(11, WITH_SHELL)], around(tmp_path)))
    assert said(fact) == [("turn", "idle"), ("background-task", "busy")]


def test_a_permission_is_waited_for_until_it_is_answered(tmp_path: Path) -> None:
    lines = recorded("copilot/permission.events.jsonl").splitlines(keepends=True)
    asked = next(number for number, line in enumerate(lines) if '"permission.requested"' in line)
    path = tmp_path / "events.jsonl"
    turns = []
    for upto in (asked, asked + 1, len(lines)):
        put(path, "".join(lines[: upto + 1]))
        log = Logs().read(path, CopilotLog, Witness())
        assert log is not None
        turns.append(log.turn)
    assert turns == [Turn.ASKS, Turn.CALLING, Turn.ENDED]


def test_a_question_that_stands_protects_also_where_it_says_that_it_does_not_work(tmp_path: Path) -> None:
    folder = session(tmp_path, IN_TOOL, 11, "in_tool")
    moment = "2026-12-01T01:12:40.000Z"
    asked = {"type": "user_input.requested", "timestamp": moment, "data": {"requestId": "r1"}}
    path = folder / "events.jsonl"
    put(path, path.read_text(encoding="utf-8") + json.dumps(asked) + "\n")
    state = tmp_path / ".copilot" / "open-sessions-state.json"
    listed = json.loads(state.read_text(encoding="utf-8"))
    listed[IN_TOOL] |= {"working": False, "openedAt": "2026-12-01T01:12:30.000Z", "refreshedAt": moment}
    put(state, json.dumps(listed))
    fact = only(look(Copilot(), [copilot(11, IN_TOOL)], around(tmp_path)))
    assert said(fact) == [("question", "waiting"), ("host-status", "idle")]


def test_a_lock_that_was_left_by_an_earlier_process_of_that_number_counts_for_nothing(tmp_path: Path) -> None:
    folder = session(tmp_path, IN_TOOL, 11, "in_tool")
    before = 1_796_000_000
    os.utime(folder / "inuse.11.lock", (before, before))
    seen = look(Copilot(), [copilot(11, IN_TOOL)], around(tmp_path))
    assert roles(seen) == {11: (Role.BACKEND, None)}


def test_entries_of_sessions_that_are_over_stay_in_the_list_and_count_for_nothing(tmp_path: Path) -> None:
    """After a SIGKILL the list says "working" for ever; a process that resumes it opened it anew."""
    session(tmp_path, IN_TOOL, 11, "in_tool")
    later = process(11, NATIVE, f"--resume={IN_TOOL}", exe=NATIVE, age_s=at("01:20:00"))
    fact = only(look(Copilot(), [later], around(tmp_path)))
    assert said(fact) == [("turn", "idle")]
    assert fact.evidence[0].fact == "The last turn was cut off before this process began"


def test_without_the_list_a_session_is_found_by_the_folders_that_were_written_to(tmp_path: Path) -> None:
    session(tmp_path, IN_TOOL, 11, "in_tool")
    (tmp_path / ".copilot" / "open-sessions-state.json").unlink()
    adapter = Copilot()
    seen = look(adapter, [copilot(11, IN_TOOL)], around(tmp_path))
    assert roles(seen) == {11: (Role.BACKEND, IN_TOOL)}
    assert said(only(seen)) == [("tool-call", "busy")]


def test_two_sessions_in_one_process_are_one_row_with_processes_and_one_without(tmp_path: Path) -> None:
    session(tmp_path, RESUMED, 11, "resumed")
    session(tmp_path, IN_TOOL, 11, "in_tool")
    seen = look(Copilot(), [copilot(11, IN_TOOL)], around(tmp_path))
    facts = {fact.key.session_id: fact for fact in seen.sessions}
    assert roles(seen) == {11: (Role.BACKEND, RESUMED)}
    assert ("subagent", "busy") in said(facts[RESUMED])
    assert (facts[IN_TOOL].shares_backend, facts[IN_TOOL].ladder) == (True, ())


def test_it_is_followed_to_another_session_in_the_same_process(tmp_path: Path) -> None:
    adapter, surrounded = Copilot(), around(tmp_path)
    folder = session(tmp_path, IN_TOOL, 11, "in_tool")
    run = copilot(11, IN_TOOL)
    assert roles(look(adapter, [run], surrounded)) == {11: (Role.BACKEND, IN_TOOL)}
    (folder / "inuse.11.lock").unlink()
    session(tmp_path, RESUMED, 11, "resumed")
    assert roles(look(adapter, [run], surrounded)) == {11: (Role.BACKEND, RESUMED)}


def test_the_first_prompt_is_not_a_title_and_a_name_by_the_user_is(tmp_path: Path) -> None:
    folder = session(tmp_path, RESUMED, 11, "resumed")
    run, surrounded = copilot(11, RESUMED), around(tmp_path)
    assert only(look(Copilot(), [run], surrounded)).title == "idle"
    path = folder / "workspace.yaml"
    put(path, path.read_text(encoding="utf-8").replace("user_named: false", "user_named: true"))
    assert only(look(Copilot(), [run], surrounded)).title == "SAY hello from idle"


@pytest.mark.parametrize(("name", "field"), [("working", "working"), ("toolCallId", "data.toolCallId")])
def test_a_file_of_another_shape_is_told_and_nothing_follows_from_it(tmp_path: Path, name: str, field: str) -> None:
    folder = session(tmp_path, IN_TOOL, 11, "in_tool")
    path = folder / "events.jsonl" if name == "toolCallId" else tmp_path / ".copilot" / "open-sessions-state.json"
    put(path, path.read_text(encoding="utf-8").replace(f'"{name}"', '"else"').replace("toolRequests", "more"))
    seen = look(Copilot(), [copilot(11, IN_TOOL)], around(tmp_path))
    fact = only(seen)
    assert fact.drift is not None
    assert field in fact.drift.field
    assert [problem.where for problem in seen.problems] == [str(path)]


def test_claims_are_by_the_lock(tmp_path: Path) -> None:
    session(tmp_path, IN_TOOL, 11, "in_tool")
    (claim,) = look(Copilot(), [copilot(11, IN_TOOL)], around(tmp_path)).claims
    assert (claim.kind, claim.source) == (ClaimKind.REGISTRY, "its lock")
