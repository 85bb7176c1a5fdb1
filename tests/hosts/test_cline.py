"""Cline: terminals, the hub that outlives them, and whose each session is."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.hosts.agent_homes import around, at, look, only, process, put, roles, said
from tests.hosts.homes import recorded
from trayapp.hosts.cline import Cline
from trayapp.model.process import Process
from trayapp.model.session import Role

EXE = "/home/alex/lib/node_modules/@cline/cli-linux-x64/bin/cline"
BIN = "/home/alex/lib/node_modules/.bin/cline"
FIRST, ASKING, RUNNING = "1796087719935_5a6cu", "1796087730665_waze2", "1796087739553_60929"
TERMINALS = {"idle": (30205, "01:15:15"), "asking": (31219, "01:15:28"), "in_tool": (32307, "01:15:37")}
HUB = 30998


def terminal(name: str, *argv: str) -> Process:
    pid, began = TERMINALS[name]
    return process(pid, BIN, "-i", *argv, exe=EXE, cwd=f"/home/alex/work/{name}", age_s=at(began))


def hub(*, ppid: int = 30205) -> Process:
    told = ("--cline-hub-daemon", "--cwd", "/home/alex/work/idle", "--host", "127.0.0.1", "--port", "25463")
    return process(HUB, EXE, *told, exe=EXE, ppid=ppid, age_s=at("01:15:26"))


def session(home: Path, session_id: str, name: str, updated: str | None = None, /, **changes: object) -> Path:
    folder = home / ".cline" / "data" / "sessions" / session_id
    given = json.loads(recorded(f"cline/{name}.json")) | changes
    if updated is not None:
        messages = {"version": 1, "updated_at": f"2026-12-01T{updated}Z", "messages": []}
        put(folder / f"{session_id}.messages.json", json.dumps(messages, indent=2))
    return put(folder / f"{session_id}.json", json.dumps(given))


def home_of_three(home: Path) -> None:
    session(home, FIRST, "idle", "01:15:21.825")
    session(home, ASKING, "asking", "01:15:32.422")
    session(home, RUNNING, "running", "01:15:41.642")


@pytest.mark.parametrize(
    ("argv", "exe", "role"),
    [
        ((BIN, "-i"), EXE, Role.BACKEND),
        (("cline", "fix it"), None, Role.BACKEND),
        ((EXE, "--cline-hub-daemon", "--port", "1"), EXE, Role.INFRA),
        (("node", "/usr/local/bin/cline", "-i"), "/usr/bin/node", Role.BACKEND),
        (("cline", "hub", "stop"), EXE, Role.INFRA),
        (("cline", "mcp", "add", "x"), EXE, Role.INFRA),
    ],
)
def test_each_program_is_what_it_is(argv: tuple[str, ...], exe: str | None, role: Role) -> None:
    claim = Cline().recognise(process(10, *argv, exe=exe))
    assert claim is not None
    assert (claim.role, claim.serves_many) == (role, "--cline-hub-daemon" in argv)


@pytest.mark.parametrize(
    "argv",
    [
        ("grep", "cline"),
        ("vim", "cline.md"),
        ("code", "--install-extension", "saoudrizwan.claude-dev"),
        ("node", "/srv/cline/server.js"),
        ("bash", "-c", "cline -i"),
        ("tmux", "new-session", "cline"),
    ],
)
def test_what_is_not_its_program_is_not_claimed(argv: tuple[str, ...]) -> None:
    assert Cline().recognise(process(10, *argv, exe=f"/usr/bin/{argv[0]}")) is None


def test_the_first_terminal_runs_its_session_and_later_ones_have_theirs_in_the_hub(tmp_path: Path) -> None:
    home_of_three(tmp_path)
    seen = look(Cline(), [hub(), *map(terminal, TERMINALS)], around(tmp_path))
    assert roles(seen) == {
        HUB: (Role.INFRA, None),
        30205: (Role.BACKEND, FIRST),
        31219: (Role.BACKEND, ASKING),
        32307: (Role.BACKEND, RUNNING),
    }
    facts = {fact.key.session_id: fact for fact in seen.sessions}
    assert {i: said(fact) for i, fact in facts.items()} == {
        FIRST: [("host-status", "idle")],
        ASKING: [("host-status", "waiting")],
        RUNNING: [("host-status", "busy")],
    }
    assert {fact.shares_backend for fact in seen.sessions} == {False}
    first = facts[FIRST]
    assert (first.title, first.model, first.tokens, first.cwd) == ("idle", "m1", 110, "/home/alex/work/idle")
    assert first.last_activity_epoch_s == pytest.approx(1796087721.825)
    assert first.resume is not None
    assert first.resume.argv == ("cline", "-i", "--id", FIRST)


def test_a_session_of_the_hub_that_no_terminal_can_own_is_a_row_without_processes(tmp_path: Path) -> None:
    home_of_three(tmp_path)
    seen = look(Cline(), [hub(ppid=1), terminal("asking")], around(tmp_path))
    facts = {fact.key.session_id: (fact.shares_backend, len(fact.ladder)) for fact in seen.sessions}
    assert facts == {ASKING: (False, 2), RUNNING: (True, 0)}


def test_two_terminals_of_one_folder_are_not_mixed_up(tmp_path: Path) -> None:
    session(tmp_path, ASKING, "asking", cwd="/home/alex/work/in_tool", pid=HUB)
    session(tmp_path, RUNNING, "running")
    early = process(31219, BIN, "-i", exe=EXE, cwd="/home/alex/work/in_tool", age_s=at("01:15:28"))
    both = look(Cline(), [hub(), early, terminal("in_tool")], around(tmp_path))
    assert roles(both)[31219] == (Role.BACKEND, ASKING)
    assert roles(both)[32307] == (Role.BACKEND, RUNNING)
    late = process(31219, BIN, "-i", exe=EXE, cwd="/home/alex/work/in_tool", age_s=at("01:16:00"))
    one_only = look(Cline(), [hub(), late, terminal("in_tool")], around(tmp_path))
    assert roles(one_only)[31219] == (Role.BACKEND, None)


def test_what_is_over_or_of_an_earlier_process_of_that_number_does_not_live(tmp_path: Path) -> None:
    session(tmp_path, RUNNING, "running", status="cancelled", ended_at="2026-12-01T01:18:00Z")
    old = session(tmp_path, ASKING, "asking")
    os.utime(old, (1_796_000_000, 1_796_000_000))
    seen = look(Cline(), [hub(), terminal("asking"), terminal("in_tool")], around(tmp_path))
    assert seen.sessions == ()


def test_a_session_that_was_taken_up_again_is_told_by_its_argument_until_its_file_knows(tmp_path: Path) -> None:
    session(tmp_path, FIRST, "idle", status="cancelled", pid=4)
    again = terminal("idle", "--id", FIRST)
    seen = look(Cline(), [again], around(tmp_path))
    assert (roles(seen)[30205], only(seen).evidence) == ((Role.BACKEND, FIRST), ())
    session(tmp_path, FIRST, "idle", "01:20:00")
    assert said(only(look(Cline(), [again], around(tmp_path)))) == [("host-status", "idle")]


def test_a_session_that_the_hub_goes_on_with_keeps_the_pid_of_its_first_terminal(tmp_path: Path) -> None:
    session(tmp_path, FIRST, "idle", "01:20:00", pid=4, status="running")
    again = terminal("idle", "--id", FIRST)
    seen = look(Cline(), [hub(ppid=1), again], around(tmp_path))
    assert roles(seen)[30205] == (Role.BACKEND, FIRST)
    assert said(only(seen)) == [("host-status", "busy")]


def test_an_old_session_that_the_hub_took_up_is_found_though_its_name_is_old(tmp_path: Path) -> None:
    old = "1790000000000_aaaaa"
    session(tmp_path, old, "running", session_id=old, started_at="2026-09-21T00:00:00Z")
    seen = look(Cline(), [hub()], around(tmp_path))
    assert [fact.key.session_id for fact in seen.sessions] == [old]


def test_a_title_that_is_not_a_piece_of_the_prompt_is_kept(tmp_path: Path) -> None:
    session(tmp_path, FIRST, "idle", metadata={"title": "The shop's till"})
    assert only(look(Cline(), [terminal("idle")], around(tmp_path))).title == "The shop's till"


@pytest.mark.parametrize(
    ("changes", "field"), [({"status": "dreaming"}, "status"), ({"status": 3}, "status"), ({"pid": "x"}, "pid")]
)
def test_a_file_of_another_shape_is_told_and_its_session_is_not_understood(
    tmp_path: Path, changes: dict[str, object], field: str
) -> None:
    path = session(tmp_path, FIRST, "idle", **changes)
    seen = look(Cline(), [terminal("idle", "--id", FIRST)], around(tmp_path))
    fact = only(seen)
    assert fact.drift is not None
    assert (fact.drift.field, fact.evidence) == (field, ())
    assert {problem.where for problem in seen.problems} == {str(path)}


def test_the_hubs_token_is_not_read(tmp_path: Path) -> None:
    home_of_three(tmp_path)
    put(tmp_path / ".cline" / "data" / "locks" / "hub" / "production.json", '{"authToken": "a-secret"}')
    assert "a-secret" not in repr(look(Cline(), [hub(), terminal("idle")], around(tmp_path)))
