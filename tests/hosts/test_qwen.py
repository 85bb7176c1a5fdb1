"""Qwen Code: which of its three processes runs the session, whose record is whose, and what its log says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.hosts.agent_homes import around, at, look, only, process, put, put_recorded, roles, said
from tests.hosts.homes import recorded
from trayapp.hosts.qwen import Qwen
from trayapp.model.process import Process
from trayapp.model.session import ClaimKind, Role

PACKAGE = "/home/alex/lib/node_modules/@qwen-code/qwen-code/cli.js"
IDS = {
    "idle": "166471d9-1ee4-4a13-af86-7c873f514d7d",
    "thinking": "4be4d07d-58d8-436b-8c9d-168622a2a196",
    "tool": "992473a5-0355-4a7b-95de-93bd9fdc935a",
    "bg": "166d18b4-cfeb-451d-b947-78de3d255102",
    "asking": "7f018a13-a995-4033-bd16-a1e25e824718",
}


def qwen(name: str, *argv: str, began: str = "00:57:20") -> list[Process]:
    """Make the three of them, the innermost with pid 12."""
    cwd, age_s = f"/home/alex/work/{name}", at(began)
    return [
        process(10, "node", "/home/alex/bin/qwen", *argv, cwd=cwd, age_s=age_s + 2),
        process(11, "/usr/bin/node", "--expose-gc", PACKAGE, *argv, ppid=10, cwd=cwd, age_s=age_s + 1),
        process(12, "/usr/bin/node", "--expose-gc", PACKAGE, *argv, ppid=11, cwd=cwd, age_s=age_s),
    ]


def record(home: Path, name: str, of: Process, **changes: object) -> Path:
    """Write the record of that process as Qwen Code does."""
    given = json.loads(recorded("qwen/session-record.json")) | {
        "pid": of.pid,
        "procStart": f"0b3c1d2e-boot:{of.identity.start}",
        "sessionId": IDS[name],
        "cwd": f"/home/alex/work/{name}",
    }
    return put(home / ".qwen" / "sessions" / f"{of.pid}.json", json.dumps(given | changes))


def log(home: Path, name: str) -> Path:
    folder = home / ".qwen" / "projects" / f"-home-alex-work-{name}" / "chats"
    return put_recorded(folder / f"{IDS[name]}.jsonl", f"qwen/{name}.jsonl")


@pytest.mark.parametrize(
    ("argv", "role"),
    [
        (("node", "/usr/local/bin/qwen"), Role.BACKEND),
        (("node", "--expose-gc", PACKAGE, "-p", "x"), Role.BACKEND),
        (("node", "/x/@qwen-code/qwen-code/dist/cli.js", "--acp"), Role.BACKEND),
        (("node", "/usr/local/bin/qwen", "serve", "--port", "4170"), Role.INFRA),
        (("node", "/usr/local/bin/qwen", "mcp", "list"), Role.INFRA),
    ],
)
def test_each_program_is_what_it_is(argv: tuple[str, ...], role: Role) -> None:
    claim = Qwen().recognise(process(10, *argv))
    assert claim is not None
    assert (claim.role, claim.serves_many) == (role, "serve" in argv or "--acp" in argv)


@pytest.mark.parametrize(
    "argv",
    [
        ("ollama", "run", "qwen"),
        ("python3", "serve.py", "--model", "qwen"),
        ("node", "/srv/qwen/server.js"),
        ("node", "/srv/app/cli.js"),
        ("vim", "qwen"),
        ("bash", "-c", "qwen -y"),
    ],
)
def test_what_is_not_its_program_is_not_claimed(argv: tuple[str, ...]) -> None:
    assert Qwen().recognise(process(10, *argv)) is None


def test_what_it_starts_carries_its_session() -> None:
    given = {"QWEN_CODE_SESSION_ID": IDS["idle"]}
    claims = [
        Qwen().recognise(process(10, *argv, env=given)) for argv in (("make",), ("bash",), ("uvx", "notes-mcp-server"))
    ]
    assert [claim.role for claim in claims if claim is not None] == [Role.WORK, Role.SHELL, Role.HELPER]


@pytest.mark.parametrize(
    ("name", "told", "tokens"),
    [
        ("idle", [("turn", "idle")], 110),
        ("thinking", [("turn", "busy")], 0),
        ("asking", [("tool-call", "busy")], 110),
        ("tool", [("turn", "idle")], 220),
        ("bg", [("turn", "idle")], 330),  # its background shell's end began a turn of its own, which ended
    ],
)
def test_the_innermost_runs_the_session_of_its_record(
    tmp_path: Path, name: str, told: list[tuple[str, str]], tokens: int
) -> None:
    chain = qwen(name)
    record(tmp_path, name, chain[-1])
    log(tmp_path, name)
    seen = look(Qwen(), chain, around(tmp_path))
    assert roles(seen) == {10: (Role.WRAPPER, None), 11: (Role.WRAPPER, None), 12: (Role.BACKEND, IDS[name])}
    fact = only(seen)
    assert said(fact) == told
    assert (fact.tokens, fact.cwd) == (tokens, f"/home/alex/work/{name}")
    assert fact.model == ("m1" if tokens else None)
    assert fact.resume is not None
    assert fact.resume.argv == ("qwen", "--resume", IDS[name])
    assert [claim.kind for claim in seen.claims if claim.session is not None] == [ClaimKind.REGISTRY]
    assert [instance.version for instance in seen.instances] == ["0.24.4"]


def test_a_record_that_a_killed_session_left_is_not_taken_for_the_next_process_of_that_number(tmp_path: Path) -> None:
    chain = qwen("idle")
    record(tmp_path, "idle", chain[-1], procStart="5b0c-boot:17")
    log(tmp_path, "idle")
    seen = look(Qwen(), chain, around(tmp_path))
    assert roles(seen)[12] == (Role.BACKEND, None)


def test_a_session_without_a_prompt_has_no_log_yet_and_rests(tmp_path: Path) -> None:
    chain = qwen("idle")
    record(tmp_path, "idle", chain[-1])
    fact = only(look(Qwen(), chain, around(tmp_path)))
    assert [(e.speaks_for.value, e.fact) for e in fact.evidence] == [("idle", "No turn has begun yet")]


def test_a_subagents_call_is_work(tmp_path: Path) -> None:
    chain = qwen("asking")
    record(tmp_path, "asking", chain[-1])
    path = log(tmp_path, "asking")
    put(path, path.read_text(encoding="utf-8").replace('"name": "run_shell_command"', '"name": "agent"'))
    assert said(only(look(Qwen(), chain, around(tmp_path)))) == [("tool-call", "busy"), ("subagent", "busy")]


def test_a_question_to_the_user_waits(tmp_path: Path) -> None:
    chain = qwen("asking")
    record(tmp_path, "asking", chain[-1])
    path = log(tmp_path, "asking")
    put(path, path.read_text(encoding="utf-8").replace('"name": "run_shell_command"', '"name": "ask_user_question"'))
    assert said(only(look(Qwen(), chain, around(tmp_path)))) == [("question", "waiting")]


def test_the_token_in_its_record_is_nowhere_in_what_is_told(tmp_path: Path) -> None:
    chain = qwen("idle")
    assert "a-secret" in record(tmp_path, "idle", chain[-1]).read_text(encoding="utf-8")
    log(tmp_path, "idle")
    assert "a-secret" not in repr(look(Qwen(), chain, around(tmp_path)))


def test_a_record_or_a_log_of_another_shape_is_not_understood(tmp_path: Path) -> None:
    chain = qwen("idle", "--resume", IDS["idle"])
    path = record(tmp_path, "idle", chain[-1], sessionId=7)
    seen = look(Qwen(), chain, around(tmp_path))
    fact = only(seen)
    assert fact.drift is not None
    assert (fact.drift.field, fact.drift.where, len(seen.problems)) == ("sessionId", str(path), 1)
    record(tmp_path, "idle", chain[-1])
    text = log(tmp_path, "idle").read_text(encoding="utf-8").replace('"message"', '"said"')
    put(log(tmp_path, "idle"), text)
    fact = only(look(Qwen(), chain, around(tmp_path)))
    assert fact.drift is not None
    assert (fact.drift.field, fact.drift.version, fact.evidence) == ("message", "0.24.4", ())
    text = log(tmp_path, "idle").read_text(encoding="utf-8").replace('"parts"', '"pieces"')
    put(log(tmp_path, "idle"), text)
    fact = only(look(Qwen(), chain, around(tmp_path)))
    assert fact.drift is not None
    assert (fact.drift.field, fact.evidence) == ("message.parts", ())


def test_a_half_written_record_is_tried_again_before_it_counts_as_another_shape(tmp_path: Path) -> None:
    chain, adapter, surrounded = qwen("idle"), Qwen(), around(tmp_path)
    path = record(tmp_path, "idle", chain[-1])
    whole = path.read_text(encoding="utf-8")
    put(path, whole[:40])
    assert look(adapter, chain, surrounded).problems == ()
    assert len(look(adapter, chain, surrounded).problems) == 1
    put(path, whole)
    seen = look(adapter, chain, surrounded)
    assert (seen.problems, roles(seen)[12]) == ((), (Role.BACKEND, IDS["idle"]))
