"""Gemini CLI: which of its pair does the work, whose log is whose, and what its silent log can and cannot say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.hosts.agent_homes import around, at, look, only, process, put, put_recorded, roles, said
from trayapp.hosts.gemini import Gemini
from trayapp.model.process import Process
from trayapp.model.session import Role

SCRIPT = "/home/alex/.npm/bin/gemini"
INNER = ("/usr/bin/node", "--max-old-space-size=4096", SCRIPT)
IDS = {"idle": "f473067a", "thinking": "9640d8cb", "tool": "ee68f0f3", "bg": "dce5091d", "asking": "cdd11bc0"}
BG = "dce5091d-feba-4d81-9a53-5f44e1f51b2a"
IDLE = "f473067a-22af-438d-bb61-9502882e2e33"


def gemini(name: str, *argv: str, pid: int = 11, began: str = "00:56:40") -> list[Process]:
    """Make a pair as it stands in the process table."""
    cwd = f"/home/alex/work/{name}"
    outer = process(pid - 1, "node", SCRIPT, *argv, cwd=cwd, age_s=at(began) + 1)
    return [outer, process(pid, *INNER, *argv, ppid=pid - 1, cwd=cwd, age_s=at(began))]


def log(home: Path, name: str, *, begins: str = "2026-12-01T00-56", recording: str | None = None) -> Path:
    put(home / ".gemini" / "projects.json", json.dumps({"projects": {f"/home/alex/work/{n}": n for n in IDS}}))
    chats = home / ".gemini" / "tmp" / name / "chats"
    return put_recorded(chats / f"session-{begins}-{IDS[recording or name]}.jsonl", f"gemini/{recording or name}.jsonl")


@pytest.mark.parametrize(
    ("argv", "role"),
    [
        (("node", SCRIPT), Role.BACKEND),
        (("/opt/homebrew/bin/node", "--max-old-space-size=8192", "/opt/homebrew/bin/gemini", "-p", "x"), Role.BACKEND),
        (("node", "/x/@google/gemini-cli/bundle/gemini.js", "--acp"), Role.BACKEND),
        (("node", SCRIPT, "mcp", "list"), Role.INFRA),
        (("node", SCRIPT, "--version"), Role.INFRA),
    ],
)
def test_each_program_is_what_it_is(argv: tuple[str, ...], role: Role) -> None:
    claim = Gemini().recognise(process(10, *argv))
    assert claim is not None
    assert (claim.role, claim.serves_many) == (role, "--acp" in argv)


@pytest.mark.parametrize(
    "argv",
    [
        ("grep", "gemini"),
        ("/Applications/Gemini 2.app/Contents/MacOS/Gemini 2",),
        ("gemini", "gemini://example.org"),  # a browser for the protocol
        ("node", "/srv/gemini/server.js"),
        ("node", "/x/@google/gemini-cli-a2a-server/dist/index.js"),
        ("bash", "-c", "gemini -y"),
        ("node", "-e", "gemini"),
    ],
)
def test_what_is_not_its_program_is_not_claimed(argv: tuple[str, ...]) -> None:
    assert Gemini().recognise(process(10, *argv)) is None


def test_the_inner_one_of_the_pair_is_the_agent_and_the_outer_one_that_ignores_signals_its_wrapper(
    tmp_path: Path,
) -> None:
    log(tmp_path, "idle")
    seen = look(Gemini(), gemini("idle", "-y"), around(tmp_path))
    assert roles(seen) == {10: (Role.WRAPPER, None), 11: (Role.BACKEND, IDLE)}
    assert [step.kind.value for step in only(seen).ladder] == ["sigterm", "sigkill"]


@pytest.mark.parametrize(
    ("name", "told", "tokens"),
    [
        ("idle", [("turn", "idle")], 110),
        ("thinking", [("turn", "busy")], 0),
        ("tool", [("tool-call", "busy")], 110),
        ("bg", [("turn", "idle")], 220),  # a message that is written twice is counted once
        ("asking", [("tool-call", "busy")], 110),
    ],
)
def test_the_end_of_its_log_says_whose_turn_it_is(
    tmp_path: Path, name: str, told: list[tuple[str, str]], tokens: int
) -> None:
    log(tmp_path, name)
    fact = only(look(Gemini(), gemini(name, "-y"), around(tmp_path)))
    assert said(fact) == told
    assert fact.key.session_id.startswith(IDS[name])
    assert (fact.tokens, fact.cwd) == (tokens, f"/home/alex/work/{name}")
    assert fact.resume is not None
    assert fact.resume.argv == ("gemini", "--resume", fact.key.session_id)


def test_an_answer_of_one_that_may_ask_protects_as_its_tools_are_written_down_only_when_they_are_done(
    tmp_path: Path,
) -> None:
    """ "I will run the tests" with a call that waits for a permission reads the same as the end of a turn."""
    log(tmp_path, "idle")
    fact = only(look(Gemini(), gemini("idle"), around(tmp_path)))
    assert said(fact) == [("turn", "idle"), ("question", "protects")]
    sure = only(look(Gemini(), gemini("idle", "--approval-mode", "yolo"), around(tmp_path)))
    assert said(sure) == [("turn", "idle")]


def test_a_session_with_a_helper_asks_first_whatever_it_may_do_as_the_helper_may_work_for_it(tmp_path: Path) -> None:
    log(tmp_path, "idle")
    pair = gemini("idle", "-y")
    helper = process(20, "python3", "/srv/mcp.py", ppid=pair[-1].pid, age_s=60)
    fact = only(look(Gemini(), [*pair, helper], around(tmp_path)))
    assert said(fact) == [("turn", "idle"), ("tool-call", "protects")]


def test_tools_that_the_user_cancelled_end_the_turn(tmp_path: Path) -> None:
    path = log(tmp_path, "bg")
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if '"toolCalls"' in line]
    put(path, '{"sessionId":"x","startTime":"2026-12-01T00:57:00.000Z"}\n' + lines[0].replace("success", "cancelled"))
    fact = only(look(Gemini(), gemini("bg", "-y"), around(tmp_path)))
    assert said(fact) == [("turn", "idle")]


def test_what_was_left_open_by_an_earlier_process_is_over(tmp_path: Path) -> None:
    path = log(tmp_path, "thinking")
    session_id = json.loads(path.read_text(encoding="utf-8").splitlines()[0])["sessionId"]
    pair = gemini("thinking", "-y", "--resume", session_id, began="01:20:00")
    fact = only(look(Gemini(), pair, around(tmp_path)))
    assert fact.evidence[0].fact == "The last turn was cut off before this process began"


def test_a_resumed_session_is_told_by_its_arguments_and_followed_to_the_next(tmp_path: Path) -> None:
    log(tmp_path, "bg")
    adapter, surrounded = Gemini(), around(tmp_path)
    pair = gemini("bg", "-y", "--resume", BG, began="00:58:00")
    assert roles(look(adapter, pair, surrounded))[11] == (Role.BACKEND, BG)
    path = log(tmp_path, "bg", begins="2026-12-01T01-29", recording="idle")
    put(path, path.read_text(encoding="utf-8").replace("T00:56", "T01:31"))
    assert roles(look(adapter, pair, surrounded))[11] == (Role.BACKEND, IDLE)


def test_a_subagent_at_work_speaks_for_its_session(tmp_path: Path) -> None:
    path = log(tmp_path, "idle")
    put_recorded(path.parent / IDLE / "sub.jsonl", "gemini/thinking.jsonl")
    fact = only(look(Gemini(), gemini("idle", "-y"), around(tmp_path)))
    assert said(fact) == [("turn", "idle"), ("subagent", "busy")]


def test_what_carries_its_variable_is_named_only_where_nobody_of_it_lives_that_could_own_it(tmp_path: Path) -> None:
    child = process(20, "tail", "-f", "x", ppid=1, env={"GEMINI_CLI": "1"}, age_s=at("00:57:00"))
    alone = look(Gemini(), [child], around(tmp_path))
    assert roles(alone) == {20: (Role.WORK, "ended")}
    beside = look(Gemini(), [child, *gemini("idle")], around(tmp_path))
    assert 20 not in roles(beside)
    later = look(Gemini(), [child, *gemini("idle", began="01:10:00")], around(tmp_path))
    assert roles(later)[20] == (Role.WORK, "ended")


@pytest.mark.parametrize(
    ("was", "now", "field"), [('"timestamp"', '"when"', "timestamp"), ('"type": "', '"kinds": "', "type")]
)
def test_a_log_of_another_shape_is_not_understood(tmp_path: Path, was: str, now: str, field: str) -> None:
    path = log(tmp_path, "bg")
    text = path.read_text(encoding="utf-8")
    head, _, rest = text.partition("\n")
    put(path, head + "\n" + rest.replace(was, now))
    fact = only(look(Gemini(), gemini("bg", "-y"), around(tmp_path)))
    assert fact.drift is not None
    assert (fact.drift.field, fact.evidence) == (field, ())


def test_a_list_of_projects_of_another_shape_is_told(tmp_path: Path) -> None:
    log(tmp_path, "idle")
    put(tmp_path / ".gemini" / "projects.json", '{"projects": ["/home/alex/work/idle"]}')
    seen = look(Gemini(), gemini("idle"), around(tmp_path))
    assert roles(seen)[11] == (Role.BACKEND, None)
    assert [problem.where.rsplit("/", 1)[-1] for problem in seen.problems] == ["projects.json"]
