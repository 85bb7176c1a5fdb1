"""OpenCode: servers that answer, refuse, hang and die; the database of terminal UIs; whose children are whose."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.hosts.fake_opencode import FakeServer, running
from tests.hosts.homes import (
    NOW_EPOCH_S,
    claim_on,
    fact_of,
    observe,
    observe_on,
    process,
    recorded_lines,
    surroundings,
    table,
    telling,
)
from trayapp.hosts import opencode_server
from trayapp.hosts.opencode import OpenCode
from trayapp.model.process import Process
from trayapp.model.session import ClaimKind, Drift, EvidenceKind, Observation, Role, SessionKey, Speaks, StepKind

ONE, TWO = "ses_dd3ae2f73ffe0ij7eLecpkdoZA", "ses_dd31b4378ffeuX7PhYPpk04q7L"
WORK, OTHER = "/home/user/work/oc", "/home/user/work/other"
SERVER = process(4000, "opencode", "serve", "--port", "0", cwd=WORK)
SCHEMA = """
CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, slug text NOT NULL,
  directory text NOT NULL, title text NOT NULL, model text, time_created integer NOT NULL,
  time_updated integer NOT NULL, time_archived integer);
CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL,
  time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL,
  time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
"""


# --- programs --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("argv", "role", "session_id"),
    [
        (("opencode",), Role.BACKEND, None),
        (("/x/node_modules/.bin/opencode", "-s", ONE), Role.BACKEND, ONE),
        (("opencode.exe", "--session", ONE), Role.BACKEND, ONE),
        (("opencode", "run", "fix it -s ses_x"), Role.BACKEND, None),
        (("opencode", "acp"), Role.BACKEND, None),
        (("opencode", "serve", "--port", "4096"), Role.INFRA, None),
        (("opencode", "web"), Role.INFRA, None),
        (("opencode", "attach", "http://127.0.0.1:4096"), Role.CLIENT, None),
        (("opencode", "upgrade"), Role.INFRA, None),
        (("node", "/usr/lib/node_modules/opencode-ai/bin/opencode"), Role.WRAPPER, None),
    ],
)
def test_each_way_to_run_it_is_told_apart(argv: tuple[str, ...], role: Role, session_id: str | None) -> None:
    claim = OpenCode().recognise(process(1, *argv))
    assert claim is not None
    assert (claim.role, claim.session.session_id if claim.session else None) == (role, session_id)


@pytest.mark.parametrize("argv", [("tmux", "new-session", "opencode"), ("vim", "opencode.json"), ("crush",), ()])
def test_what_only_names_it_is_not_its(argv: tuple[str, ...]) -> None:
    assert OpenCode().recognise(process(1, *argv)) is None


def test_no_secret_variable_is_asked_for() -> None:
    assert not [name for name in OpenCode.environment_names if "PASSWORD" in name or "KEY" in name]


# --- servers ---------------------------------------------------------------------------------------------------------


def ask(
    server: FakeServer,
    home: Path,
    *processes: Process,
    host: OpenCode | None = None,
    then: Callable[[OpenCode, Observation, Any], Awaitable[Any]] | None = None,
) -> Any:
    """Observe a table with SERVER in it once; return the observation, or what `then` makes of it."""

    async def run() -> Any:
        async with running(server):
            adapter = host or OpenCode()
            around = surroundings(home, ports={SERVER.pid: (server.port,)})
            seen = await observe_on(adapter, table([SERVER, *processes]), around)
            return seen if then is None else await then(adapter, seen, around)

    return asyncio.run(run())


@pytest.fixture
def server() -> FakeServer:
    return FakeServer()


def test_a_server_with_one_session_is_that_sessions_backend(server: FakeServer, tmp_path: Path) -> None:
    server.session(ONE, WORK, NOW_EPOCH_S - 1200)
    server.session(TWO, WORK, NOW_EPOCH_S - 90_000)
    seen = ask(server, tmp_path)
    claim = claim_on(seen, SERVER)
    assert (claim.role, claim.kind, claim.session) == (Role.BACKEND, ClaimKind.REGISTRY, SessionKey("opencode", ONE))
    (fact,) = seen.sessions
    assert (fact.title, fact.model, fact.cwd, fact.shares_backend) == ("demo one", "m1", WORK, False)
    assert [(e.kind, e.speaks_for) for e in fact.evidence] == [(EvidenceKind.HOST_STATUS, Speaks.IDLE)]
    assert fact.last_activity_epoch_s == NOW_EPOCH_S - 1200
    assert fact.resume is not None
    assert (fact.resume.argv, fact.resume.cwd) == (("opencode", "-s", ONE), WORK)
    assert [(s.kind, s.call, s.frees_processes) for s in fact.ladder][:2] == [
        (StepKind.HOST_CALL, "dispose", False),
        (StepKind.SIGTERM, None, True),
    ]
    (instance,) = seen.instances
    assert (instance.version, instance.address, instance.error) == ("1.18.33", f"http://127.0.0.1:{server.port}", None)


def test_a_server_with_several_sessions_is_the_hosts_and_they_share_it(server: FakeServer, tmp_path: Path) -> None:
    server.session(ONE, WORK, NOW_EPOCH_S - 1200)
    server.session(TWO, OTHER, NOW_EPOCH_S - 20)
    server.busy = {TWO: "busy"}
    seen = ask(server, tmp_path)
    assert claim_on(seen, SERVER).role is Role.INFRA
    assert [fact.shares_backend for fact in seen.sessions] == [True, True]
    assert [e.speaks_for for e in fact_of(seen, ONE).evidence] == [Speaks.IDLE]
    assert [(e.kind, e.speaks_for) for e in fact_of(seen, TWO).evidence] == [(EvidenceKind.TURN, Speaks.BUSY)]
    assert [step.call for step in fact_of(seen, ONE).ladder] == ["dispose-folder"]


@pytest.mark.parametrize("kind", ["busy", "retry"])
def test_a_running_turn_and_a_retry_are_busy(server: FakeServer, tmp_path: Path, kind: str) -> None:
    server.session(ONE, WORK, NOW_EPOCH_S - 5)
    server.busy = {ONE: kind}
    assert [e.speaks_for for e in fact_of(ask(server, tmp_path), ONE).evidence] == [Speaks.BUSY]


@pytest.mark.parametrize("what", ["permission", "question"])
def test_a_question_waits_although_the_turn_counts_as_running(server: FakeServer, tmp_path: Path, what: str) -> None:
    server.session(ONE, WORK, NOW_EPOCH_S - 5)
    server.busy, server.asking = {ONE: "busy"}, {ONE: what}
    assert [e.speaks_for for e in fact_of(ask(server, tmp_path), ONE).evidence] == [Speaks.WAITING]


def test_a_busy_subagent_speaks_for_the_session_above_it(server: FakeServer, tmp_path: Path) -> None:
    server.session(ONE, WORK, NOW_EPOCH_S - 50)
    server.session(TWO, WORK, NOW_EPOCH_S - 5, parentID=ONE)
    server.busy = {TWO: "busy"}
    seen = ask(server, tmp_path)
    (fact,) = seen.sessions
    assert [(e.kind, e.speaks_for) for e in fact.evidence] == [(EvidenceKind.SUBAGENT, Speaks.BUSY)]
    assert fact.last_activity_epoch_s == NOW_EPOCH_S - 5


def test_a_folder_is_not_asked_for_when_its_session_is_another_process(server: FakeServer, tmp_path: Path) -> None:
    """Asking for a folder makes the real server load it."""
    server.session(ONE, WORK, NOW_EPOCH_S - 50)
    server.session(TWO, OTHER, NOW_EPOCH_S - 5)
    server.session("ses_old", "/home/user/work/old", NOW_EPOCH_S - 90_000)
    seen = ask(server, tmp_path, process(4100, "opencode", cwd=OTHER))
    assert [fact.key.session_id for fact in seen.sessions] == [ONE]
    assert not [asked for asked in server.asked if "other" in asked or "old" in asked]
    assert {asked.split()[0] for asked in server.asked} == {"GET"}


@pytest.mark.parametrize(
    ("mood", "error"),
    [
        ("password", "asks for a password"),
        ("nonsense", "not known here"),
        ("page", "not known here"),
        ("dies", "cannot be reached"),
        ("silent", "does not answer"),
    ],
)
def test_a_server_that_cannot_be_read_says_why_within_seconds(
    server: FakeServer, tmp_path: Path, mood: str, error: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opencode_server, "LOOK_TIMEOUT_S", 0.5)
    server.mood = mood
    began_s = time.monotonic()
    seen = ask(server, tmp_path)
    assert time.monotonic() - began_s < 10
    (instance,) = seen.instances
    assert error in (instance.error or "")
    assert (claim_on(seen, SERVER).role, seen.sessions) == (Role.INFRA, ())


def test_a_server_that_stops_answering_keeps_its_row_without_being_called_idle(
    server: FakeServer, tmp_path: Path
) -> None:
    server.session(ONE, WORK, NOW_EPOCH_S - 1200)

    async def again(host: OpenCode, _seen: Observation, around: Any) -> Observation:
        server.mood = "dies"
        return await observe_on(host, table([SERVER]), around)

    seen = ask(server, tmp_path, then=again)
    assert claim_on(seen, SERVER).session == SessionKey("opencode", ONE)
    assert [e.speaks_for for e in fact_of(seen, ONE).evidence] == [Speaks.UNREADABLE]


def test_a_server_without_a_port_is_told_so(tmp_path: Path) -> None:
    (instance,) = observe(OpenCode(), [SERVER], surroundings(tmp_path)).instances
    assert instance.error == "it listens on no port that could be found"


def test_dispose_ends_helpers_of_all_or_of_one_folder_and_deletes_nothing(server: FakeServer, tmp_path: Path) -> None:
    server.session(ONE, WORK, NOW_EPOCH_S - 1200)

    async def call(host: OpenCode, seen: Observation, around: Any) -> Any:
        fact = fact_of(seen, ONE)
        return [await host.call(name, fact, around) for name in ("dispose", "dispose-folder", "delete")]

    answers = ask(server, tmp_path, then=call)
    assert [answer.ok for answer in answers] == [True, True, False]
    posts = [asked for asked in server.asked if not asked.startswith("GET")]
    assert posts[0] == "POST /global/dispose"
    assert posts[1].startswith("POST /instance/dispose?directory=")
    assert len(posts) == 2


# --- terminal UIs ----------------------------------------------------------------------------------------------------


class Database:
    """A database with the real one's tables, open for writing as a running host has it."""

    def __init__(self, home: Path) -> None:
        self.path = home / ".local" / "share" / "opencode" / "opencode.db"
        self.path.parent.mkdir(parents=True)
        self.connection = sqlite3.connect(self.path)
        self.connection.execute("PRAGMA journal_mode=WAL")
        self.connection.executescript(SCHEMA)

    def session(self, session_id: str, directory: str, age_s: float, *, parent: str | None = None) -> None:
        at = int((NOW_EPOCH_S - age_s) * 1000)
        row = (session_id, "global", parent, "calm-moon", directory, "demo one", '{"id":"m1"}', at, at, None)
        self._insert("session", row)

    def message(self, session_id: str, age_s: float, *, open_: bool = False, **data: Any) -> str:
        at = int((NOW_EPOCH_S - age_s) * 1000)
        (sample,) = [
            line["body"] for line in recorded_lines("opencode-http.jsonl") if "aborted turn" in line.get("db", "")
        ]
        body = {k: v for k, v in sample.items() if k != "error"} | {"time": {"created": at}} | data
        if not open_:
            body["time"] = {"created": at, "completed": at}
        message_id = f"msg_{session_id}_{age_s}"
        self._insert("message", (message_id, session_id, at, at, json.dumps(body)))
        return message_id

    def tool(self, message_id: str, tool: str) -> None:
        (sample,) = [
            line["body"] for line in recorded_lines("opencode-http.jsonl") if "aborted tool" in line.get("db", "")
        ]
        body = sample | {"tool": tool, "state": {"status": "running", "input": {}}}
        self._insert("part", (f"prt_{message_id}", message_id, "", 0, 0, json.dumps(body)))

    def _insert(self, name: str, row: tuple[Any, ...]) -> None:
        self.connection.execute(f"INSERT INTO {name} VALUES ({', '.join('?' * len(row))})", row)
        self.connection.commit()


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = Database(tmp_path)
    with closing(made.connection):
        yield made


TERMINAL = process(5000, "opencode", cwd=WORK)


def look(home: Path, *processes: Process) -> Observation:
    return observe(OpenCode(), processes, surroundings(home))


def test_a_terminal_alone_in_its_folder_has_the_session_last_used_there(database: Database, tmp_path: Path) -> None:
    database.session(ONE, WORK, 1200)
    database.session(TWO, WORK, 90_000)
    database.message(ONE, 1200, finish="stop")
    seen = look(tmp_path, TERMINAL)
    claim = claim_on(seen, TERMINAL)
    assert (claim.kind, claim.session) == (ClaimKind.START_AND_CWD, SessionKey("opencode", ONE))
    fact = fact_of(seen, ONE)
    assert (fact.title, fact.model, fact.last_activity_epoch_s) == ("demo one", "m1", NOW_EPOCH_S - 1200)
    assert [(e.kind, e.speaks_for, e.at_epoch_s) for e in fact.evidence] == [
        (EvidenceKind.TURN, Speaks.IDLE, NOW_EPOCH_S - 1200)
    ]
    assert [step.kind for step in fact.ladder] == [StepKind.SIGTERM, StepKind.SIGTERM, StepKind.SIGKILL]


def test_two_terminals_in_one_folder_are_not_guessed_between(database: Database, tmp_path: Path) -> None:
    database.session(ONE, WORK, 1200)
    second = process(5001, "opencode", cwd=WORK)
    seen = look(tmp_path, TERMINAL, second)
    assert [claim_on(seen, p).session for p in (TERMINAL, second)] == [None, None]


def test_an_id_in_the_arguments_is_taken_however_old(database: Database, tmp_path: Path) -> None:
    database.session(ONE, WORK, 90_000)
    resumed = process(5000, "opencode", "-s", ONE, cwd=WORK)
    seen = look(tmp_path, resumed)
    assert claim_on(seen, resumed).kind is ClaimKind.ARGV
    assert fact_of(seen, ONE).title == "demo one"


@pytest.mark.parametrize(
    ("tool", "kind", "speaks_for"),
    [
        (None, EvidenceKind.TURN, Speaks.BUSY),
        ("bash", EvidenceKind.TURN, Speaks.BUSY),
        ("task", EvidenceKind.SUBAGENT, Speaks.BUSY),
        ("question", EvidenceKind.QUESTION, Speaks.WAITING),
    ],
)
def test_an_open_message_is_an_open_turn(
    database: Database, tmp_path: Path, tool: str | None, kind: EvidenceKind, speaks_for: Speaks
) -> None:
    database.session(ONE, WORK, 30)
    message = database.message(ONE, 30, open_=True)
    if tool is not None:
        database.tool(message, tool)
    (evidence,) = fact_of(look(tmp_path, TERMINAL), ONE).evidence
    assert (evidence.kind, evidence.speaks_for) == (kind, speaks_for)


def test_an_unanswered_prompt_and_a_step_between_tools_are_open_turns(database: Database, tmp_path: Path) -> None:
    database.session(ONE, WORK, 30)
    database.message(ONE, 40, role="user", open_=True)
    assert [e.speaks_for for e in fact_of(look(tmp_path, TERMINAL), ONE).evidence] == [Speaks.BUSY]
    database.message(ONE, 20, finish="tool-calls")
    assert [e.speaks_for for e in fact_of(look(tmp_path, TERMINAL), ONE).evidence] == [Speaks.BUSY]


def test_an_aborted_turn_has_ended(database: Database, tmp_path: Path) -> None:
    database.session(ONE, WORK, 30)
    database.message(ONE, 30, error={"name": "MessageAbortedError"})
    assert [e.speaks_for for e in fact_of(look(tmp_path, TERMINAL), ONE).evidence] == [Speaks.IDLE]


def test_what_a_killed_process_left_open_is_no_turn_of_the_next_one(database: Database, tmp_path: Path) -> None:
    database.session(ONE, WORK, 5000)
    database.message(ONE, 5000, open_=True)
    resumed = process(5000, "opencode", "-s", ONE, cwd=WORK)
    assert [e.speaks_for for e in fact_of(look(tmp_path, resumed), ONE).evidence] == [Speaks.IDLE]


def test_a_turn_in_another_session_of_the_folder_protects_the_terminal(database: Database, tmp_path: Path) -> None:
    """A terminal can go on to a new session; its arguments keep the old id."""
    database.session(ONE, WORK, 900)
    database.message(ONE, 900, finish="stop")
    database.session(TWO, WORK, 20)
    database.message(TWO, 20, open_=True)
    resumed = process(5000, "opencode", "-s", ONE, cwd=WORK)
    fact = fact_of(look(tmp_path, resumed), ONE)
    assert {e.speaks_for for e in telling(fact)} == {Speaks.IDLE, Speaks.BUSY}
    assert fact.last_activity_epoch_s == NOW_EPOCH_S - 20


def test_reading_leaves_no_file_behind(database: Database, tmp_path: Path) -> None:
    database.session(ONE, WORK, 30)
    database.connection.close()
    before = sorted(database.path.parent.iterdir())
    assert look(tmp_path, TERMINAL).problems == ()
    assert sorted(database.path.parent.iterdir()) == before == [database.path]


@pytest.mark.parametrize("content", [b"this is no database", b"SQLite format 3\x00" + b"\x00" * 4000, b""])
def test_what_is_no_database_is_named_and_its_sessions_are_unknown(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / ".local" / "share" / "opencode" / "opencode.db"
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    resumed = process(5000, "opencode", "-s", ONE, cwd=WORK)
    seen = look(tmp_path, resumed)
    (problem,) = seen.problems
    assert problem.where == str(path)
    assert [e.speaks_for for e in fact_of(seen, ONE).evidence] == [Speaks.UNREADABLE]
    assert path.read_bytes() == content


def test_a_database_of_another_shape_is_not_understood_and_says_which_column(tmp_path: Path) -> None:
    path = tmp_path / ".local" / "share" / "opencode" / "opencode.db"
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE session (id text, directory text)")
    resumed = process(5001, "opencode", "-s", ONE, cwd=WORK)
    seen = look(tmp_path, TERMINAL, resumed)
    drift = Drift(version=None, where=str(path), field="session.time_updated")
    assert {fact.key.session_id: fact.drift for fact in seen.sessions} == {"process 5000": drift, ONE: drift}
    assert claim_on(seen, resumed).kind is ClaimKind.ARGV


def test_tokens_are_added_up_over_what_the_database_counts(database: Database, tmp_path: Path) -> None:
    database.session(ONE, WORK, 30)
    database.message(ONE, 40)
    database.connection.execute("ALTER TABLE session ADD COLUMN tokens_input integer")
    database.connection.execute("ALTER TABLE session ADD COLUMN tokens_output integer")
    database.connection.execute("UPDATE session SET tokens_input = 1200, tokens_output = 34")
    database.connection.commit()
    assert fact_of(look(tmp_path, TERMINAL), ONE).tokens == 1234


def test_no_database_is_no_problem(tmp_path: Path) -> None:
    seen = look(tmp_path, TERMINAL)
    assert (seen.problems, seen.sessions) == ((), ())


# --- children --------------------------------------------------------------------------------------------------------


def test_children_belong_to_the_session_of_the_process_that_they_name(database: Database, tmp_path: Path) -> None:
    database.session(ONE, WORK, 30)
    env = {"OPENCODE": "1", "OPENCODE_PID": "5000"}
    server = process(5001, "python3", "/srv/x.py", ppid=5000, env=env, stdio_piped=True, age_s=100)
    below = process(5002, "node", "/srv/y.js", ppid=5001, env=env, stdio_piped=True, age_s=99)
    command = process(5003, "sleep", "25", ppid=5000, env=env, stdio_piped=False, age_s=20)
    pipeline = process(5004, "sort", ppid=5003, env=env, stdio_piped=True, age_s=20)
    seen = look(tmp_path, TERMINAL, server, below, command, pipeline)
    roles = [claim_on(seen, p).role for p in (server, below, command, pipeline)]
    assert roles == [Role.HELPER, Role.HELPER, Role.WORK, Role.WORK]
    assert {claim_on(seen, p).session for p in (server, below, command, pipeline)} == {SessionKey("opencode", ONE)}


def test_a_configured_server_is_a_helper_however_it_is_called_and_plumbed(database: Database, tmp_path: Path) -> None:
    database.session(ONE, WORK, 30)
    config = tmp_path / ".config" / "opencode" / "opencode.json"
    config.parent.mkdir(parents=True)
    config.write_text('{"mcp": {"notes": {"type": "local", "command": ["python3", "/srv/x.py"]}}, /* own */}')
    env = {"OPENCODE": "1", "OPENCODE_PID": "5000"}
    server = process(5001, "python3", "/srv/x.py", ppid=5000, env=env, stdio_piped=False, age_s=100)
    other = process(5002, "python3", "/srv/z.py", ppid=5000, env=env, stdio_piped=False, age_s=100)
    seen = look(tmp_path, TERMINAL, server, other)
    assert [claim_on(seen, p).role for p in (server, other)] == [Role.HELPER, Role.WORK]
    assert claim_on(seen, server).source == "its arguments are those of the configured server “notes”"
    config.write_text("{")
    problems = look(tmp_path, TERMINAL, server, other).problems
    assert [p.where for p in problems] == [str(config)]


def test_children_of_a_gone_process_keep_its_number_as_their_owner(tmp_path: Path) -> None:
    orphan = process(5001, "x-mcp", ppid=1, env={"OPENCODE_PID": "4999"})
    assert claim_on(look(tmp_path, orphan), orphan).session == SessionKey("opencode", "process-4999")


def test_a_younger_process_with_that_number_is_not_the_owner(database: Database, tmp_path: Path) -> None:
    database.session(ONE, WORK, 30)
    orphan = process(5001, "x-mcp", ppid=1, age_s=9000, env={"OPENCODE_PID": "5000"})
    assert claim_on(look(tmp_path, TERMINAL, orphan), orphan).session == SessionKey("opencode", "process-5000")
