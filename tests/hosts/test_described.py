"""A described host at work: programs, sessions, what logs and records say, and what is wrong with them."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.hosts.described_hosts import described, description
from tests.hosts.homes import (
    NOW_EPOCH_S,
    claim_on,
    fact_of,
    iso,
    observe,
    observe_on,
    process,
    surroundings,
    table,
    telling,
)
from trayapp.hosts.described import Described
from trayapp.model.process import Process
from trayapp.model.session import ClaimKind, EvidenceKind, Observation, Role, Speaks, StepKind

PAGE = Path(__file__).resolve().parents[2] / "docs" / "own-host.md"
EXAMPLE = re.findall(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[0]
HEAD = """
id = "acme"
title = "Acme"
letters = "Ac"
[home]
folder = "~/.acme"
[[programs]]
role = "backend"
names = ["acme"]
"""
SESSION = '[session]\narguments = ["--resume"]\n'
LOG = """
[log]
path = "{home}/logs/{session}.jsonl"
time = "at"
cwd = "cwd"
open = [{ type = "user" }]
finished = [{ type = "end" }]
waiting = [{ type = "ask" }]
"""


@pytest.fixture
def acme() -> Described:
    return described(EXAMPLE)


def write(path: Path, *records: Any, written_age_s: float = 0.0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    os.utime(path, (NOW_EPOCH_S - written_age_s,) * 2)
    return path


def looked(home: Path, text: str, *processes: Process) -> Observation:
    return observe(described(text), processes, surroundings(home))


def resumed(pid: int = 10, session: str = "s1", **more: Any) -> Process:
    return process(pid, "acme", "--resume", session, **more)


# -- programs ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("argv", "role"),
    [
        (("acme",), Role.BACKEND),
        (("/opt/acme/bin/acme", "--model", "serve", "fix the login"), Role.BACKEND),
        (("acme", "serve", "--port", "1"), Role.INFRA),
        (("acme", "--dir", "/x", "serve"), Role.INFRA),
        (("acme", "login"), Role.INFRA),
        (("acme", "--version"), None),
        (("node", "/usr/lib/node_modules/@acme/cli/bin.js"), Role.BACKEND),
        (("node", "--no-warnings", "-r", "x.js", "/opt/acme/dist/main.js", "serve"), Role.BACKEND),
        (("node", "-e", "acme"), None),
        (("node", "/srv/acme/src/main.js"), None),
        (("vim", "/usr/lib/node_modules/@acme/cli/bin.js"), None),
        (("grep", "-r", "acme"), None),
        (("timeout", "60", "acme"), None),
        (("sh", "-c", "acme --resume a-1"), None),
        (("acme-notes",), None),
        (("acme", "--", "--version"), Role.BACKEND),
    ],
)
def test_a_program_is_told_by_whole_elements(acme: Described, argv: tuple[str, ...], role: Role | None) -> None:
    claim = acme.recognise(process(10, *argv))
    assert (claim.role if claim is not None else None) is role


def test_a_rewritten_name_is_told_by_the_executable(acme: Described) -> None:
    assert acme.recognise(process(10, "MainThread", exe="/opt/acme/bin/acme")) is not None
    assert acme.recognise(process(10, "acme      ", exe="/usr/bin/node")) is not None


@pytest.mark.parametrize(
    ("argv", "session"),
    [
        (("acme", "--resume", "a-1"), "a-1"),
        (("acme", "--resume=a-1"), "a-1"),
        (("acme", "chat", "resume", "a-2"), "a-2"),
        (("node", "/x/@acme/cli/bin.js", "chat", "resume", "a-2"), "a-2"),
        (("acme", "--resume", "last"), None),
        (("acme", "--resume", "a-../../x"), None),
        (("acme", "--resume", "a-*"), None),
        (("acme", "talk about", "chat", "resume", "a-3", "please"), None),
    ],
)
def test_a_session_is_named_by_its_arguments(acme: Described, argv: tuple[str, ...], session: str | None) -> None:
    claim = acme.recognise(process(10, *argv))
    assert claim is not None
    assert (claim.session.session_id if claim.session is not None else None) == session


def test_a_session_is_named_by_a_variable_and_inherited_by_tools(acme: Described) -> None:
    agent = acme.recognise(process(10, "acme", env={"ACME_SESSION": "a-5"}))
    tool = acme.recognise(process(11, "make", "test", env={"ACME_PARENT_SESSION": "a-5"}))
    helper = acme.recognise(process(12, "node", "/x/notes-mcp", env={"ACME_PARENT_SESSION": "a-5"}))
    shell = acme.recognise(process(13, "bash", env={"ACME_PARENT_SESSION": "a-5"}))
    told = [(c.role, c.kind, str(c.session)) for c in (agent, tool, helper, shell) if c is not None]
    assert told == [
        (role, ClaimKind.ENVIRONMENT, "acme:a-5") for role in (Role.BACKEND, Role.WORK, Role.HELPER, Role.SHELL)
    ]


# -- the whole example ------------------------------------------------------------------------------------------------


def test_the_example_of_the_page_tells_all_of_a_session(acme: Described, tmp_path: Path) -> None:
    write(
        tmp_path / ".acme/live/10.json",
        {"sessionId": "a-9", "title": "Fix the login", "folder": "/w/shop", "startedAt": (NOW_EPOCH_S - 90) * 1000},
    )
    write(
        tmp_path / ".acme/sessions/2026/a-9.jsonl",
        {"type": "user", "timestamp": iso(80)},
        {
            "type": "assistant",
            "stop": "end_turn",
            "timestamp": iso(60),
            "message": {"model": "m1"},
            "usage": {"input": 100, "output": 20},
        },
    )
    seen = observe(acme, [process(10, "acme", age_s=100, cwd="/w")], surroundings(tmp_path))
    fact = fact_of(seen, "a-9")
    assert (fact.title, fact.cwd, fact.model, fact.tokens) == ("Fix the login", "/w/shop", "m1", 120)
    assert [(e.kind, e.speaks_for, e.at_epoch_s) for e in telling(fact)] == [
        (EvidenceKind.TURN, Speaks.IDLE, NOW_EPOCH_S - 60)
    ]
    assert fact.resume is not None
    assert fact.resume.argv == ("acme", "--resume", "a-9")
    assert [step.kind for step in fact.ladder] == [StepKind.HOST_CALL, StepKind.SIGTERM, StepKind.SIGKILL]
    assert seen.problems == ()


# -- states -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("records", "told"),
    [
        ([("user", 50)], (Speaks.BUSY, 50)),
        ([("user", 50), ("text", 20)], (Speaks.BUSY, 20)),
        ([("user", 50), ("ask", 40)], (Speaks.WAITING, 40)),
        ([("user", 50), ("ask", 40), ("user", 30)], (Speaks.BUSY, 30)),
        ([("user", 50), ("end", 40)], (Speaks.IDLE, 40)),
        ([("user", 50), ("end", 40), ("title", 10)], (Speaks.IDLE, 40)),
        ([("user", 500)], (Speaks.IDLE, 500)),
        ([("ask", 500)], (Speaks.IDLE, 500)),
        ([("title", 50)], None),
    ],
)
def test_the_last_record_that_tells_counts(
    tmp_path: Path, records: list[tuple[str, float]], told: tuple[Speaks, float] | None
) -> None:
    write(tmp_path / ".acme/logs/s1.jsonl", *({"type": kind, "at": iso(age)} for kind, age in records))
    fact = fact_of(looked(tmp_path, HEAD + SESSION + LOG, resumed(age_s=100)), "s1")
    found = [(e.speaks_for, e.at_epoch_s) for e in telling(fact)]
    assert found == ([] if told is None else [(told[0], NOW_EPOCH_S - told[1])])
    assert fact.drift is None


def test_a_record_is_the_nearer_word(tmp_path: Path) -> None:
    record = """
[record]
path = "{home}/live/{pid}.json"
session = "id"
time = "since"
open = [{ status = "busy" }]
finished = [{ status = "idle" }]
"""
    write(tmp_path / ".acme/logs/s1.jsonl", {"type": "user", "at": iso(10)})
    write(tmp_path / ".acme/live/10.json", {"id": "s1", "status": "idle", "since": iso(20)})
    seen = looked(tmp_path, HEAD + record + LOG, process(10, "acme", age_s=100))
    (evidence,) = telling(fact_of(seen, "s1"))
    assert (evidence.kind, evidence.speaks_for) == (EvidenceKind.HOST_STATUS, Speaks.IDLE)
    claim = seen.claims[0]
    assert (claim.kind, claim.role) == (ClaimKind.REGISTRY, Role.BACKEND)


@pytest.mark.parametrize(
    ("record", "field"),
    [
        ({"id": "s1", "status": "napping", "since": iso(20)}, "status"),
        ({"id": "s1", "since": iso(20)}, "status"),
        ({"id": "s1", "status": "idle"}, "since"),
        ({"id": "s1", "status": "idle", "since": "yesterday"}, "since"),
    ],
)
def test_a_record_of_another_shape_is_not_understood(tmp_path: Path, record: dict[str, str], field: str) -> None:
    form = """
[record]
path = "{home}/live/{pid}.json"
session = "id"
time = "since"
finished = [{ status = "idle" }]
"""
    write(tmp_path / ".acme/live/10.json", record)
    fact = fact_of(looked(tmp_path, HEAD + form, process(10, "acme", age_s=100)), "s1")
    assert fact.drift is not None
    assert fact.drift.field == field
    assert telling(fact) == []


def test_a_log_without_its_times_is_not_understood(tmp_path: Path) -> None:
    write(tmp_path / ".acme/logs/s1.jsonl", {"type": "end", "when": iso(5)})
    fact = fact_of(looked(tmp_path, HEAD + SESSION + LOG, resumed()), "s1")
    assert fact.drift is not None
    assert fact.drift.field == "at"


def test_a_record_without_its_session_is_a_problem(tmp_path: Path) -> None:
    form = '[record]\npath = "{home}/live/{pid}.json"\nsession = "id"\n'
    write(tmp_path / ".acme/live/10.json", {"key": "s1"})
    seen = looked(tmp_path, HEAD + form, process(10, "acme", age_s=100))
    assert seen.sessions == ()
    assert [problem.where for problem in seen.problems] == [str(tmp_path / ".acme/live/10.json")]


@pytest.mark.parametrize(("written_age_s", "started_age_s"), [(500, 90), (0, 500)])
def test_a_record_of_an_earlier_process_is_none(
    acme: Described, tmp_path: Path, written_age_s: float, started_age_s: float
) -> None:
    record = {"sessionId": "a-1", "startedAt": NOW_EPOCH_S - started_age_s}
    write(tmp_path / ".acme/live/10.json", record, written_age_s=written_age_s)
    assert observe(acme, [process(10, "acme", age_s=100)], surroundings(tmp_path)).sessions == ()


# -- the log that began with it ---------------------------------------------------------------------------------------


def test_the_one_log_that_began_in_its_folder_is_its_own(tmp_path: Path) -> None:
    text = HEAD + LOG + "newest = true\n"
    logs = tmp_path / ".acme/logs"
    write(logs / "old.jsonl", {"type": "user", "at": iso(900), "cwd": "/w"})
    write(logs / "other.jsonl", {"type": "user", "at": iso(50), "cwd": "/elsewhere"})
    write(logs / "mine.jsonl", {"type": "user", "at": iso(50), "cwd": "/w"}, {"type": "end", "at": iso(40)})
    seen = looked(tmp_path, text, process(10, "acme", age_s=100, cwd="/w"))
    assert [fact.key.session_id for fact in seen.sessions] == ["mine"]
    assert seen.claims[0].kind is ClaimKind.START_AND_CWD
    write(logs / "second.jsonl", {"type": "user", "at": iso(30), "cwd": "/w"})
    assert looked(tmp_path, text, process(10, "acme", age_s=100, cwd="/w")).sessions == ()


def test_two_agents_in_one_folder_get_no_log(tmp_path: Path) -> None:
    write(tmp_path / ".acme/logs/mine.jsonl", {"type": "user", "at": iso(50), "cwd": "/w"})
    rows = [process(pid, "acme", age_s=100, cwd="/w") for pid in (10, 11)]
    assert looked(tmp_path, HEAD + LOG + "newest = true\n", *rows).sessions == ()


# -- chains, adapters, servers ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("pair", "agent"), [("inner", 11), ("outer", 10)])
def test_one_of_a_chain_is_the_agent(tmp_path: Path, pair: str, agent: int) -> None:
    rows = [resumed(10), resumed(11, ppid=10, age_s=3000)]
    seen = looked(tmp_path, HEAD + SESSION + f'[release]\npair = "{pair}"\nsignal = "TERM"\n', *rows)
    roles = {claim.identity.pid: claim.role for claim in seen.claims}
    assert roles == {agent: Role.BACKEND, 21 - agent: Role.WRAPPER}


@pytest.mark.parametrize(
    ("below", "role"), [((), Role.INFRA), (("claude",), Role.WRAPPER), (("claude", "claude"), Role.INFRA)]
)
def test_an_adapter_is_part_of_the_one_agent_that_it_leads_to(
    tmp_path: Path, below: tuple[str, ...], role: Role
) -> None:
    text = HEAD.replace("backend", "adapter")
    rows = [process(10, "acme"), *(process(20 + i, name, ppid=10, age_s=9) for i, name in enumerate(below))]
    rows.append(process(30, "node", "/x/notes-mcp", ppid=10, age_s=9))
    assert claim_on(looked(tmp_path, text, *rows), rows[0]).role is role


SERVER = """
[server]
pid_file = "{home}/acme.pid"
pid = "pid"
[children]
variable = "ACME_AGENT"
agents = true
[release]
command = ["acme", "archive", "{session}"]
"""


def test_a_server_is_told_by_its_file_and_runs_other_hosts_agents(tmp_path: Path) -> None:
    write(tmp_path / ".acme/acme.pid", {"pid": 5})
    server = process(5, "node", "/x/worker.js", age_s=100)
    worker = process(6, "node", "/x/inner.js", ppid=5, age_s=99)
    agent = process(10, "claude", "--resume", "u1", ppid=6, age_s=50, env={"ACME_AGENT": "g1"})
    tool = process(11, "make", ppid=10, age_s=9, env={"ACME_AGENT": "g1"})
    seen = looked(tmp_path, HEAD + SERVER, server, worker, agent, tool)
    assert claim_on(seen, server).role is Role.INFRA
    found = claim_on(seen, agent)
    assert (found.role, found.embedded, str(found.session)) == (Role.BACKEND, True, "acme:g1")
    assert tool.identity not in {claim.identity for claim in seen.claims}
    assert [step.kind for step in fact_of(seen, "g1").ladder] == [StepKind.HOST_CALL]


def test_without_its_server_other_hosts_agents_are_their_own(tmp_path: Path) -> None:
    agent = process(10, "claude", ppid=6, env={"ACME_AGENT": "g1"})
    assert looked(tmp_path, HEAD + SERVER, agent).claims == ()


@pytest.mark.parametrize(
    ("file", "age_s"), [({"pid": 5}, 500.0), ({"pid": "5"}, 0.0), ({}, 0.0), ([], 0.0), ({"pid": True}, 0.0)]
)
def test_a_file_that_names_no_living_server_claims_nothing(tmp_path: Path, file: Any, age_s: float) -> None:
    write(tmp_path / ".acme/acme.pid", file, written_age_s=age_s)
    rows = [process(5, "node", "/x/worker.js", age_s=100), process(9, "acme", age_s=9)]
    assert [claim.identity.pid for claim in looked(tmp_path, HEAD + SERVER, *rows).claims] == [9]


def test_a_file_that_names_a_terminal_claims_nothing(tmp_path: Path) -> None:
    write(tmp_path / ".acme/acme.pid", {"pid": 5})
    rows = [process(5, "tmux", age_s=100), process(9, "acme", age_s=9)]
    assert [claim.identity.pid for claim in looked(tmp_path, HEAD + SERVER, *rows).claims] == [9]


# -- release ----------------------------------------------------------------------------------------------------------


def test_a_command_is_run_without_a_shell(tmp_path: Path) -> None:
    program = tmp_path / "acme-stop"
    program.write_text(f"#!{sys.executable}\nimport os, sys\nprint(sys.argv[1:], os.environ['ACME_HOME'])\n")
    program.chmod(0o755)
    text = HEAD.replace("[home]", '[home]\nvariable = "ACME_HOME"') + SESSION
    text += f'[release]\ncommand = ["{program}", "end", "{{session}}; rm x", "{{cwd}}"]\n'
    host, around = described(text), surroundings(tmp_path)
    fact = fact_of(observe(host, [resumed(cwd="/w", env={"ACME_HOME": "/srv/a"})], around), "s1")
    done = asyncio.run(host.call("command", fact, around))
    assert (done.ok, done.message) == (True, "['end', 's1; rm x', '/w'] /srv/a")


def test_a_command_that_is_not_there_is_told(tmp_path: Path) -> None:
    host, around = (
        described(HEAD + SESSION + '[release]\ncommand = ["acme-gone", "{session}"]\n'),
        surroundings(tmp_path),
    )
    fact = fact_of(observe(host, [resumed()], around), "s1")
    assert not asyncio.run(host.call("other", fact, around)).ok
    done = asyncio.run(host.call("command", fact, around))
    assert not done.ok
    assert "acme-gone could not be started" in done.message


def test_without_a_release_there_is_no_ladder_and_a_refusal_is_said(tmp_path: Path) -> None:
    assert fact_of(looked(tmp_path, HEAD + SESSION, resumed()), "s1").ladder == ()
    fact = fact_of(looked(tmp_path, HEAD + SESSION + '[release]\nrefuse = "It serves others"\n', resumed()), "s1")
    assert (fact.ladder, fact.refusal) == ((), "It serves others")


# -- files that are not as they should be -----------------------------------------------------------------------------


def test_only_the_end_of_a_log_is_read(tmp_path: Path) -> None:
    path = write(tmp_path / ".acme/logs/s1.jsonl", {"type": "user", "at": iso(90), "cwd": "/first"})
    with path.open("ab") as file:
        file.truncate(2 * 1024**3)  # a hole
        file.seek(0, os.SEEK_END)
        file.write(b"\n" + json.dumps({"type": "end", "at": iso(40)}).encode() + b"\n")
    fact = fact_of(looked(tmp_path, HEAD + SESSION + LOG, resumed(age_s=100)), "s1")
    assert [e.speaks_for for e in telling(fact)] == [Speaks.IDLE]
    assert fact.cwd == "/first"


@pytest.mark.linux
@pytest.mark.parametrize("kind", ["fifo", "loop", "folder"])
def test_what_is_no_file_is_told_and_stalls_nothing(tmp_path: Path, kind: str) -> None:
    path = tmp_path / ".acme/logs/s1.jsonl"
    path.parent.mkdir(parents=True)
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "loop":
        path.symlink_to(path)
    else:
        path.mkdir()
    seen = looked(tmp_path, HEAD + SESSION + LOG, resumed())
    assert str(path) in seen.problems[0].where
    assert [fact.key.session_id for fact in seen.sessions] == ["s1"]
    assert not any(e.speaks_for is Speaks.IDLE for e in fact_of(seen, "s1").evidence)


def test_damaged_lines_are_left_out(tmp_path: Path) -> None:
    path = write(tmp_path / ".acme/logs/s1.jsonl", {"type": "user", "at": iso(50)}, [1], "x")
    with path.open("ab") as file:
        file.write(b'\xff\xfe{"type"\n' + json.dumps({"type": "end", "at": iso(40)}).encode() + b"\n{half")
    fact = fact_of(looked(tmp_path, HEAD + SESSION + LOG, resumed(age_s=100)), "s1")
    assert [e.speaks_for for e in telling(fact)] == [Speaks.IDLE]


# -- cost -------------------------------------------------------------------------------------------------------------


def test_the_very_same_is_told_while_nothing_changed(tmp_path: Path) -> None:
    path = write(tmp_path / ".acme/logs/s1.jsonl", {"type": "user", "at": iso(50)}, written_age_s=30)
    os.utime(path.parent, (NOW_EPOCH_S - 30,) * 2)
    host, around, rows = described(HEAD + SESSION + LOG), surroundings(tmp_path), table([resumed(age_s=100)])

    def look() -> Observation:
        return asyncio.run(observe_on(host, rows, around))

    first, second = look(), look()
    assert (first.sessions, first.claims) == (second.sessions, second.claims)
    assert first.sessions is second.sessions
    assert first.claims is second.claims
    write(path, {"type": "end", "at": iso(20)}, written_age_s=10)
    assert [e.speaks_for for e in telling(fact_of(look(), "s1"))] == [Speaks.IDLE]


def test_nothing_is_read_while_nothing_of_it_runs(tmp_path: Path) -> None:
    (tmp_path / ".acme").write_text("no folder")
    seen = looked(tmp_path, EXAMPLE, process(10, "vim"))
    assert (seen.sessions, seen.claims, seen.problems) == ((), (), ())


def test_dead_sessions_are_not_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    logs = tmp_path / ".acme/sessions/2026"
    for number in range(300):
        write(logs / f"a-{number}.jsonl", {"type": "user", "timestamp": iso(50)}, written_age_s=30)
    os.utime(logs, (NOW_EPOCH_S - 30,) * 2)
    os.utime(logs.parent, (NOW_EPOCH_S - 30,) * 2)
    host, around, rows = described(EXAMPLE), surroundings(tmp_path), table([process(10, "acme", "--resume", "a-7")])
    asyncio.run(observe_on(host, rows, around))
    asked: list[object] = []
    stat = os.stat

    def counted(path: Any, *args: Any, **more: Any) -> Any:
        asked.append(path)
        return stat(path, *args, **more)

    monkeypatch.setattr(os, "stat", counted)
    asyncio.run(observe_on(host, rows, around))
    assert len([path for path in asked if str(path).startswith(str(tmp_path))]) < 6


def test_the_example_reads_the_variables_that_it_names() -> None:
    assert description(EXAMPLE).environment_names == ("ACME_HOME", "ACME_SESSION", "ACME_PARENT_SESSION")
