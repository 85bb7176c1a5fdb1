"""Claude Code: its programs, its live registry, its logs, its daemon; homes are laid out from recorded samples."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.hosts.homes import (
    NOW_EPOCH_S,
    claim_on,
    fact_of,
    iso,
    observe,
    observe_on,
    process,
    recorded,
    recorded_lines,
    surroundings,
    table,
    telling,
)
from trayapp.attribution import attribute
from trayapp.hosts import files
from trayapp.hosts.claude_code import ClaudeCode
from trayapp.model.plan import Allowed
from trayapp.model.process import Process
from trayapp.model.session import (
    ClaimKind,
    Drift,
    EvidenceKind,
    Observation,
    Role,
    SessionFact,
    SessionKey,
    Speaks,
    StepKind,
)
from trayapp.model.snapshot import Group, GroupKind
from trayapp.pipeline import Inputs, Memory, conclude
from trayapp.reclaim.plan import Rules
from trayapp.wording import state_words

ID = "b87712d5-f973-47f5-b978-42e6cbeef2d6"
OTHER_ID = "325ef21d-29df-47b0-b7bb-c48176274a20"
CWD = "/home/user/work/proj.a_b"


class Home:
    """A `~/.claude` that tests fill."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.config = root / ".claude"
        (self.config / "sessions").mkdir(parents=True)

    def record(self, process: Process, **fields: Any) -> Path:
        """Write the recorded registry file for `process`, with other values where given."""
        sample = recorded_lines("claude-sessions-pid-json.jsonl")[0]
        sample |= {"pid": process.pid, "procStart": str(process.identity.start), "sessionId": ID}
        sample |= {"statusUpdatedAt": (NOW_EPOCH_S - 1200) * 1000, "startedAt": (NOW_EPOCH_S - 3599) * 1000}
        path = self.config / "sessions" / f"{process.pid}.json"
        path.write_text(json.dumps(sample | fields))
        return path

    def log(self, session_id: str, *records: dict[str, Any], folder: str = "-home-user-work-proj-a-b") -> Path:
        path = self.config / "projects" / folder / f"{session_id}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        return path


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@pytest.fixture
def look(home: Home) -> Callable[..., Any]:
    host = ClaudeCode()
    return lambda *processes, **how: observe(host, processes, surroundings(home.root), **how)


def user(age_s: float, text: str = "do it", **fields: Any) -> dict[str, Any]:
    return {"type": "user", "timestamp": iso(age_s), "message": {"role": "user", "content": text}, "cwd": CWD} | fields


def ended(age_s: float) -> dict[str, Any]:
    content = [{"type": "text", "text": "Done."}]
    message = {"role": "assistant", "model": "claude-sonnet-5-5", "content": content, "stop_reason": "end_turn"}
    return {"type": "assistant", "timestamp": iso(age_s), "message": message}


def calls(age_s: float, tool: str = "Bash", **given: Any) -> dict[str, Any]:
    block = {"type": "tool_use", "id": "toolu_1", "name": tool, "input": given}
    message = {"role": "assistant", "model": "claude-sonnet-5-5", "content": [block], "stop_reason": "tool_use"}
    return {"type": "assistant", "timestamp": iso(age_s), "message": message}


def result(age_s: float) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "ok"}
    return {"type": "user", "timestamp": iso(age_s), "message": {"role": "user", "content": [block]}}


# --- programs --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "argv",
    [
        ("claude",),
        ("/home/alex/.local/share/claude/versions/2.1.212", "--mcp-config", "x"),
        ("C:\\npm\\node_modules\\@anthropic-ai\\claude-code\\bin\\claude.exe",),
        ("node", "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js", "-p", "hi"),
        (
            "/home/a/.vscode/extensions/anthropic.claude-code-2.1.1-linux-x64/resources/native-binary/claude",
            "--verbose",
        ),
        ("/Users/a/Library/Application Support/Claude/claude-code/2.1.2/claude.app/Contents/MacOS/claude", "--verbose"),
        ("/Applications/Claude.app/Contents/Helpers/claude-code",),
    ],
    ids=lambda argv: argv[-1][-40:],
)
def test_every_build_is_an_agent_whatever_its_process_is_called(argv: tuple[str, ...]) -> None:
    claim = ClaudeCode().recognise(process(1, *argv, name="2.1.212"))
    assert claim is not None
    assert (claim.role, claim.kind, claim.session) == (Role.BACKEND, ClaimKind.PROGRAM, None)


@pytest.mark.parametrize(
    ("argv", "role"),
    [
        (("claude", "daemon", "run", "--origin", "transient"), Role.INFRA),
        (("claude", "bg-pty-host", "--bg-pty-host", "/x.sock", "200", "50", "--", "/usr/bin/claude"), Role.INFRA),
        (("/home/a/.local/share/claude/versions/2.1.200", "--bg-pty-host", "/tmp/p.sock"), Role.INFRA),
        (("claude", "agents"), Role.INFRA),
        (("claude", "update"), Role.INFRA),
        (("claude", "bg-spare", "--bg-spare", "/x.claim.sock"), Role.SPARE),
        (("/Applications/Claude.app/Contents/MacOS/Claude",), Role.APP),
        (("claude-app.exe", "NodeService"), Role.APP),
        (("claude", "--resume", "x", "--disallowedTools", "Bash,Read,Write,Edit,Glob"), Role.HELPER),
    ],
)
def test_what_is_part_of_the_host_is_no_session(argv: tuple[str, ...], role: Role) -> None:
    claim = ClaudeCode().recognise(process(1, *argv))
    assert claim is not None
    assert (claim.role, claim.session) == (role, None)


@pytest.mark.parametrize(
    "argv",
    [
        ("claude", "mcp", "serve"),
        ("grep", "claude", "/home/a/.claude/projects/x.jsonl"),
        ("vim", "CLAUDE.md"),
        ("tmux", "new-session", "-d", "claude"),
        ("bash", "-c", "source /home/a/.claude/shell-snapshots/s.sh && eval 'claude'"),
        ("npm", "exec", "@anthropic-ai/claude-code"),
        ("/Applications/Claude.app/Contents/Frameworks/Claude Helper.app/Contents/MacOS/Claude Helper (Renderer)",),
        ("node", "server.js"),
        (),
    ],
    ids=lambda argv: " ".join(argv)[-40:],
)
def test_what_only_names_it_is_not_its(argv: tuple[str, ...]) -> None:
    assert ClaudeCode().recognise(process(1, *argv, name="claude")) is None


@pytest.mark.parametrize(
    ("argv", "session_id"),
    [
        (("claude", "--resume", ID), ID),
        (("claude", f"--resume={ID}"), ID),
        (("claude", "--resume", f"/home/a/.claude/projects/-x/{ID}.jsonl"), ID),
        (("claude", "--session-id", ID, "--settings", "{}"), ID),
        (("claude", "--resume", OTHER_ID, "--fork-session", "--session-id", ID), ID),
        (("claude", "--resume", OTHER_ID, "--fork-session"), None),
        (("claude", "-p", f"say --resume {ID}"), None),
    ],
)
def test_arguments_tell_the_session_but_not_a_forks_parent(argv: tuple[str, ...], session_id: str | None) -> None:
    claim = ClaudeCode().recognise(process(1, *argv))
    assert claim is not None
    assert (claim.session.session_id if claim.session is not None else None) == session_id


@pytest.mark.parametrize(
    ("argv", "env", "role"),
    [
        (("python", "-m", "browser_harness.daemon"), {"AI_AGENT": "claude-code_2.1.250_harness"}, Role.HELPER),
        (("npx", "some-mcp"), {"AI_AGENT": "claude-code_2.1.250_agent", "CLAUDE_PID": "5"}, Role.WORK),
        (("node", "/opt/mcp/server.js"), {}, Role.HELPER),
        (("grep", "-o", "x"), {}, Role.WORK),
        (("zsh",), {"CLAUDE_PID": "5"}, Role.SHELL),
    ],
)
def test_the_session_variable_claims_other_programs(argv: tuple[str, ...], env: dict[str, str], role: Role) -> None:
    claim = ClaudeCode().recognise(process(1, *argv, env={"CLAUDE_CODE_SESSION_ID": ID} | env))
    assert claim is not None
    assert (claim.role, claim.kind, claim.session) == (role, ClaimKind.ENVIRONMENT, SessionKey("claude-code", ID))


def test_a_nested_agents_own_id_is_never_taken_from_its_environment() -> None:
    claim = ClaudeCode().recognise(process(1, "claude", env={"CLAUDE_CODE_SESSION_ID": ID}))
    assert claim is not None
    assert claim.session is None


# --- what is not understood ------------------------------------------------------------------------------------------


def test_a_status_that_is_not_known_is_told_with_its_version(home: Home, look: Callable[..., Any]) -> None:
    agent = process(28720, "claude", cwd=CWD)
    home.record(agent, status="dreaming", version="9.0.0")
    fact = fact_of(look(agent), ID)
    assert fact.drift == Drift(version="9.0.0", where="session record of process 28720", field="status")
    assert telling(fact) == []


@pytest.mark.parametrize(
    ("fields", "field"),
    [({"sessionId": 7}, "sessionId"), ({"status": {"now": "idle"}}, "status"), ({"cwd": ["/a"]}, "cwd")],
)
def test_a_record_of_another_shape_names_its_field(
    home: Home, look: Callable[..., Any], fields: dict[str, Any], field: str
) -> None:
    agent = process(28720, "claude", "--resume", ID, cwd=CWD)
    home.record(agent, version="9.0.0", **fields)
    assert fact_of(look(agent), ID).drift == Drift(
        version="9.0.0", where="session record of process 28720", field=field
    )


def test_a_process_of_which_nothing_is_understood_still_has_its_row(home: Home, look: Callable[..., Any]) -> None:
    agent = process(28720, "claude", cwd=CWD)
    path = home.record(agent)
    record = json.loads(path.read_text())
    path.write_text(json.dumps({"identity": record["sessionId"], "version": "9.0.0"}))
    seen = look(agent)
    fact = fact_of(seen, "process 28720")
    assert fact.drift == Drift(version="9.0.0", where="session record of process 28720", field="pid")
    row = row_of(seen, agent, fact)
    assert state_words(row, now_epoch_s=NOW_EPOCH_S) == "Recognised, not understood (version 9.0.0)"
    assert {d.allowed for d in row.decisions} == {Allowed.REFUSE, Allowed.CONFIRM}
    assert row.releasable is None
    path.write_text("[]")
    assert fact_of(look(agent), "process 28720").drift == Drift(
        version=None, where="session record of process 28720", field="session record"
    )


def row_of(seen: Observation, agent: Process, fact: SessionFact) -> Group:
    """Return the row of a session as a tick would show it."""
    inputs = Inputs(
        table=table([agent]), observations=(seen,), labels=(ClaudeCode.label,), rules=Rules(), now_epoch_s=NOW_EPOCH_S
    )
    found = conclude(inputs, Memory(), lambda _: {}).snapshot.group(str(fact.key))
    assert found is not None
    return found


# --- teams -----------------------------------------------------------------------------------------------------------

TOOL_OF_MATE = {"CLAUDE_CODE_SESSION_ID": OTHER_ID, "AI_AGENT": "claude-code_2-1-332_agent"}
TMUX = process(40, "tmux", "-L", "claude-swarm-7", "new-session", "claude --agent-id x", ppid=1)


def mate(pid: int, name: str, *, lead: str = ID) -> Process:
    argv = ("claude", "--agent-id", f"{name}@team", "--agent-name", name, "--parent-session-id", lead)
    return process(pid, *argv, ppid=TMUX.pid, cwd=CWD, age_s=600)


def test_a_team_is_one_row_with_its_lead_and_each_mates_tools_are_its_work(
    home: Home, look: Callable[..., Any]
) -> None:
    lead, helper = process(28720, "claude", cwd=CWD), mate(28730, "rex")
    home.record(lead)
    home.record(helper, sessionId=OTHER_ID, status="idle")
    job = process(28740, "pytest", ppid=helper.pid, age_s=60, env=TOOL_OF_MATE)
    seen = look(lead, TMUX, helper, job)
    claim = claim_on(seen, helper)
    assert (claim.role, claim.session) == (Role.HELPER, SessionKey("claude-code", ID))
    assert [fact.key.session_id for fact in seen.sessions] == [ID]
    assert {e.fact for e in telling(fact_of(seen, ID))} == {"Claude Code says it is idle"}
    at = table([lead, TMUX, helper, job])
    places = attribute(at, (seen,), {}).places
    assert {places[p.identity].key for p in (lead, helper, job)} == {f"claude-code:{ID}"}
    assert places[job.identity].role is Role.WORK
    assert places[TMUX.identity].kind is not GroupKind.SESSION


@pytest.mark.parametrize(
    ("status", "fact", "speaks_for"),
    [
        ("busy", "The team-mate rex works", Speaks.BUSY),
        ("shell", "The team-mate rex works", Speaks.BUSY),
        ("waiting", "The team-mate rex waits for you", Speaks.WAITING),
        ("dreaming", "What the team-mate rex does cannot be told", Speaks.UNREADABLE),
    ],
)
def test_a_lead_is_not_idle_while_its_mates_are_not(
    home: Home, look: Callable[..., Any], status: str, fact: str, speaks_for: Speaks
) -> None:
    lead, helper = process(28720, "claude", cwd=CWD), mate(28730, "rex")
    home.record(lead)
    home.record(helper, sessionId=OTHER_ID, status=status)
    assert (fact, speaks_for) in {(e.fact, e.speaks_for) for e in fact_of(look(lead, TMUX, helper), ID).evidence}


def test_a_mate_whose_lead_is_gone_is_a_session_of_its_own(home: Home, look: Callable[..., Any]) -> None:
    alone = mate(28730, "rex")
    home.record(alone, sessionId=OTHER_ID)
    seen = look(TMUX, alone)
    claim = claim_on(seen, alone)
    assert (claim.role, claim.session) == (Role.BACKEND, SessionKey("claude-code", OTHER_ID))


# --- registry --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "more", "kind", "speaks_for"),
    [
        ("idle", {}, EvidenceKind.HOST_STATUS, Speaks.IDLE),
        ("busy", {}, EvidenceKind.TURN, Speaks.BUSY),
        ("waiting", {"waitingFor": "permission prompt"}, EvidenceKind.HOST_STATUS, Speaks.WAITING),
        ("shell", {}, EvidenceKind.BACKGROUND_TASK, Speaks.BUSY),
    ],
)
def test_each_status_is_told_with_its_time(
    home: Home, look: Callable[..., Any], status: str, more: dict[str, Any], kind: EvidenceKind, speaks_for: Speaks
) -> None:
    agent = process(28720, "claude", cwd=CWD)
    home.record(agent, status=status, **more)
    seen = look(agent)
    (evidence,) = telling(fact_of(seen, ID))
    assert (evidence.kind, evidence.speaks_for) == (kind, speaks_for)
    assert evidence.at_epoch_s == NOW_EPOCH_S - 1200
    assert evidence.read_epoch_s is None
    assert seen.read_epoch_s == NOW_EPOCH_S
    claim = claim_on(seen, agent)
    assert (claim.kind, claim.role) == (ClaimKind.REGISTRY, Role.BACKEND)


def test_a_fact_carries_name_folder_ladder_and_the_way_back(home: Home, look: Callable[..., Any]) -> None:
    agent = process(28720, "claude", cwd="/elsewhere")
    home.record(agent)
    fact = fact_of(look(agent), ID)
    assert (fact.title, fact.cwd) == ("demo", CWD)
    assert fact.resume is not None
    assert (fact.resume.argv, fact.resume.cwd) == (("claude", "--resume", ID), CWD)
    assert [step.kind for step in fact.ladder] == [StepKind.SIGTERM, StepKind.SIGKILL]


def test_a_derived_name_yields_to_the_folder(home: Home, look: Callable[..., Any]) -> None:
    agent = process(28720, "claude", cwd=CWD)
    home.record(agent, name="proj-a-b-7f", nameSource="derived")
    assert fact_of(look(agent), ID).title == "proj.a_b"


def test_records_of_gone_and_recycled_pids_are_ignored_without_a_word(home: Home, look: Callable[..., Any]) -> None:
    earlier = process(28720, "claude", age_s=9000)
    home.record(earlier, status="busy")
    home.record(process(4242, "claude"))
    (home.config / "sessions" / "pid-28720.json").write_text('{"pid": 28720, "alive": true}')
    now = process(28720, "claude", age_s=60)
    seen = look(now)
    assert seen.sessions == ()
    assert seen.problems == ()
    assert claim_on(seen, now).kind is ClaimKind.PROGRAM


def test_a_recycled_pid_that_is_another_program_is_not_claimed(home: Home, look: Callable[..., Any]) -> None:
    home.record(process(28720, "claude", age_s=9000), procStart=None)
    assert look(process(28720, "vim", "notes.txt", age_s=60)).claims == ()


@pytest.mark.parametrize(("age_s", "counts"), [(3600.0, True), (60.0, False)])
def test_a_record_without_a_start_counts_only_for_a_process_as_old(
    home: Home, look: Callable[..., Any], age_s: float, counts: bool
) -> None:
    agent = process(28720, "claude", age_s=age_s)
    home.record(agent, procStart=None)
    assert bool(look(agent).sessions) is counts


@pytest.mark.parametrize("form", ["epoch", "text"])
def test_starts_are_compared_in_the_forms_of_other_systems(home: Home, look: Callable[..., Any], form: str) -> None:
    began = NOW_EPOCH_S - 3600
    agent = process(28720, "claude")
    written = int(began) if form == "epoch" else time.strftime("%a %b %e %H:%M:%S %Y", time.localtime(began))
    home.record(agent, procStart=written)
    assert len(look(agent, platform="macos").sessions) == 1
    home.record(agent, procStart=int(began) - 500 if form == "epoch" else "Mon Jan  1 00:00:00 2024")
    assert look(agent, platform="macos").sessions == ()


def test_a_half_written_record_is_tried_again_before_it_is_a_problem(home: Home, look: Callable[..., Any]) -> None:
    agent = process(28720, "claude", cwd=CWD)
    path = home.record(agent)
    whole = path.read_text()
    assert len(look(agent).sessions) == 1
    path.write_text(whole[: len(whole) // 2])
    first, second = look(agent), look(agent)
    assert first.problems == ()
    (problem,) = second.problems
    assert problem.where == str(path)
    for seen in (first, second):
        assert [e.speaks_for for e in fact_of(seen, ID).evidence] == [Speaks.UNREADABLE]
        assert claim_on(seen, agent).session == SessionKey("claude-code", ID)
    path.write_text(whole)
    assert [e.speaks_for for e in telling(fact_of(look(agent), ID))] == [Speaks.IDLE]


def test_a_process_whose_record_was_never_whole_stays_a_session_without_an_id(
    home: Home, look: Callable[..., Any]
) -> None:
    agent = process(28720, "claude")
    (home.config / "sessions" / "28720.json").write_text('{"pid": 287')
    look(agent)
    seen = look(agent)
    assert len(seen.problems) == 1
    assert (claim_on(seen, agent).role, claim_on(seen, agent).session) == (Role.BACKEND, None)


def test_two_processes_with_one_id_are_two_backends_of_one_session(home: Home, look: Callable[..., Any]) -> None:
    first, second = process(28720, "claude", "--resume", ID), process(28999, "claude", "--resume", ID, age_s=60)
    home.record(first, status="idle")
    home.record(second, status="busy")
    seen = look(first, second)
    assert {claim_on(seen, p).session for p in (first, second)} == {SessionKey("claude-code", ID)}
    assert {e.speaks_for for e in telling(fact_of(seen, ID))} == {Speaks.IDLE, Speaks.BUSY}


def test_only_records_of_live_processes_are_opened(
    home: Home, look: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    agents = [process(40_000 + i, "claude", cwd=CWD) for i in range(3)]
    sessions = home.config / "sessions"
    for pid in range(100_000, 120_000):
        (sessions / f"{pid}.json").touch()
    for i, agent in enumerate(agents):
        home.record(agent, sessionId=f"{i}{ID[1:]}")
    opened: list[str] = []
    really_open = os.open

    def counting(path: Any, *rest: Any, **more: Any) -> int:
        opened.append(str(path))
        return really_open(path, *rest, **more)

    monkeypatch.setattr(os, "open", counting)
    seen = look(*agents)
    assert len(seen.sessions) == 3
    assert sorted(path for path in opened if "/sessions/" in path) == sorted(
        str(sessions / f"{agent.pid}.json") for agent in agents
    )


def test_another_config_folder_is_found_through_its_processes(home: Home, tmp_path: Path) -> None:
    elsewhere = Home(tmp_path / "elsewhere")
    agent = process(28720, "claude", cwd=CWD, env={"CLAUDE_CONFIG_DIR": str(elsewhere.config)})
    elsewhere.record(agent)
    fact = fact_of(observe(ClaudeCode(), [agent], surroundings(home.root)), ID)
    assert fact.resume is not None
    assert fact.resume.note == f"with CLAUDE_CONFIG_DIR={elsewhere.config}"


def test_key_files_are_never_opened(home: Home, look: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    agent = process(28720, "claude", cwd=CWD)
    home.record(agent)
    (home.config / "sessions" / "28720.abc.key").write_text("secret")
    really_open = os.open

    def guarding(path: Any, *rest: Any, **more: Any) -> int:
        assert not str(path).endswith(".key")
        return really_open(path, *rest, **more)

    monkeypatch.setattr(os, "open", guarding)
    assert look(agent).sessions


# --- daemon ----------------------------------------------------------------------------------------------------------


def test_spares_are_spares_until_a_session_claims_them(home: Home, look: Callable[..., Any]) -> None:
    free = process(5001, "claude", "bg-spare", "--bg-spare", "/s/1.claim.sock")
    taken = process(5002, "claude", "bg-spare", "--bg-spare", "/s/2.claim.sock", age_s=9000)
    home.record(taken, kind="bg", jobId="b87712d5")
    seen = look(free, taken)
    assert claim_on(seen, free).role is Role.SPARE
    assert claim_on(seen, taken).role is Role.BACKEND
    (step,) = fact_of(seen, ID).ladder
    assert (step.kind, step.call) == (StepKind.HOST_CALL, "stop")


def test_the_roster_tells_worker_and_terminal_of_a_background_session(home: Home, look: Callable[..., Any]) -> None:
    roster = json.loads(recorded("claude-daemon-roster.json"))
    worker = roster["workers"]["c70f3a29"]
    daemon = process(2052, "claude", "daemon", "run", ppid=1)
    pty = process(2089, "claude", "bg-pty-host", "--bg-pty-host", "/p", ppid=2052)
    backend = process(2127, "claude", "--session-id", worker["sessionId"], ppid=2089)
    worker |= {"procStart": str(pty.identity.start), "replProcStart": str(backend.identity.start)}
    (home.config / "daemon").mkdir()
    (home.config / "daemon" / "roster.json").write_text(json.dumps(roster))
    seen = look(daemon, pty, backend)
    key = SessionKey("claude-code", worker["sessionId"])
    assert (claim_on(seen, backend).kind, claim_on(seen, backend).session) == (ClaimKind.REGISTRY, key)
    assert (claim_on(seen, pty).role, claim_on(seen, pty).session) == (Role.WRAPPER, key)
    assert claim_on(seen, daemon).role is Role.INFRA
    assert [instance.identity for instance in seen.instances] == [daemon.identity]


def test_a_roster_of_an_earlier_boot_claims_nothing(home: Home, look: Callable[..., Any]) -> None:
    (home.config / "daemon").mkdir()
    (home.config / "daemon" / "roster.json").write_text(recorded("claude-daemon-roster.json"))
    agent = process(2127, "claude")
    assert claim_on(look(agent), agent).session is None


def test_a_pty_host_belongs_to_the_one_worker_below_it(home: Home, look: Callable[..., Any]) -> None:
    pty = process(71000, "/Users/alex/.local/share/claude/versions/2.1.200", "--bg-pty-host", "/p0.sock")
    worker = process(71001, "/Users/alex/.local/share/claude/versions/2.1.200", "--resume", ID, ppid=71000)
    seen = look(pty, worker)
    assert (claim_on(seen, pty).role, claim_on(seen, pty).session) == (Role.WRAPPER, SessionKey("claude-code", ID))
    assert [step.kind for step in fact_of(seen, ID).ladder] == [StepKind.HOST_CALL]


def test_handed_over_shells_stay_work_of_their_session(home: Home, look: Callable[..., Any]) -> None:
    job = home.config / "jobs" / "e29268f2"
    job.mkdir(parents=True)
    (job / "state.json").write_text(recorded("claude-job-state.json"))
    shell = process(27455, "python3", "-c", "import time; time.sleep(301)", ppid=1)
    adopted = json.loads(recorded("claude-job-adopt.json"))
    adopted["shells"][0] |= {"procStart": str(shell.identity.start), "startTimeTicks": shell.identity.start}
    (job / "adopt.json").write_text(json.dumps(adopted))
    claim = claim_on(look(shell), shell)
    assert (claim.role, claim.kind) == (Role.WORK, ClaimKind.REGISTRY)
    assert claim.session == SessionKey("claude-code", "e29268f2-2cb3-425a-b7de-b19384aad8fe")


def test_a_recycled_pid_is_no_handed_over_shell(home: Home, look: Callable[..., Any]) -> None:
    job = home.config / "jobs" / "e29268f2"
    job.mkdir(parents=True)
    (job / "state.json").write_text(recorded("claude-job-state.json"))
    (job / "adopt.json").write_text(recorded("claude-job-adopt.json"))
    assert look(process(27455, "vim")).claims == ()


def test_stop_runs_the_sessions_own_program_without_a_shell(home: Home, tmp_path: Path) -> None:
    program = tmp_path / "bin" / "claude"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$@" HOME=$HOME > {tmp_path}/called\necho stopped\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    worker = process(5002, str(program), "bg-spare", "--bg-spare", "/s/2.claim.sock")
    home.record(worker, kind="bg", jobId="b87712d5")
    host = ClaudeCode()
    around = surroundings(home.root, environ={"PATH": os.environ["PATH"]})

    async def run() -> Any:
        seen = await observe_on(host, table([worker]), around)
        return await host.call("stop", fact_of(seen, ID), around)

    answer = asyncio.run(run())
    assert (answer.ok, answer.message) == (True, "stopped")
    assert (tmp_path / "called").read_text() == f"stop b87712d5 HOME={home.root}\n"


def test_terminal_sessions_offer_no_call(home: Home, look: Callable[..., Any]) -> None:
    agent = process(28720, "claude")
    home.record(agent)
    answer = asyncio.run(ClaudeCode().call("stop", fact_of(look(agent), ID), surroundings(home.root)))
    assert not answer.ok


# --- logs ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("records", "kind", "speaks_for"),
    [
        ([user(900)], EvidenceKind.TURN, Speaks.BUSY),
        ([calls(930), result(900)], EvidenceKind.TURN, Speaks.BUSY),
        ([user(900), ended(800)], EvidenceKind.TURN, Speaks.IDLE),
        ([calls(900, "Bash", command="make")], EvidenceKind.TOOL_CALL, Speaks.BUSY),
        ([calls(900, "Agent")], EvidenceKind.SUBAGENT, Speaks.BUSY),
        ([calls(900, "AskUserQuestion")], EvidenceKind.QUESTION, Speaks.WAITING),
        ([calls(7200, "Bash", command="sleep 300")], EvidenceKind.TURN, Speaks.IDLE),
        ([user(900), user(800, "[Request interrupted by user]")], EvidenceKind.TURN, Speaks.IDLE),
        ([ended(900), user(10, "<local-command-caveat>", isMeta=True)], EvidenceKind.TURN, Speaks.IDLE),
        (
            [
                ended(900),
                user(10, "<command-name>/cost</command-name>"),
                user(10, "<local-command-stdout>1</local-command-stdout>"),
            ],
            EvidenceKind.TURN,
            Speaks.IDLE,
        ),
        ([ended(900), user(10, "<task-notification>done</task-notification>")], EvidenceKind.TURN, Speaks.BUSY),
    ],
)
def test_without_a_status_the_log_tells_whose_turn_it_is(
    home: Home, look: Callable[..., Any], records: list[dict[str, Any]], kind: EvidenceKind, speaks_for: Speaks
) -> None:
    home.log(ID, *records)
    (evidence,) = telling(fact_of(look(process(1, "claude", "--resume", ID, cwd=CWD)), ID))
    assert (evidence.kind, evidence.speaks_for, evidence.source) == (kind, speaks_for, "transcript")
    assert evidence.at_epoch_s is not None


def test_a_command_that_may_have_started_a_turn_is_not_called_idle(home: Home, look: Callable[..., Any]) -> None:
    home.log(ID, ended(900), user(10, "<command-message>review</command-message>"))
    assert telling(fact_of(look(process(1, "claude", "--resume", ID, cwd=CWD)), ID)) == []


def test_the_live_status_is_believed_over_an_older_log(home: Home, look: Callable[..., Any]) -> None:
    agent = process(28720, "claude", cwd=CWD)
    home.record(agent, status="idle")
    home.log(ID, calls(1300))
    assert {e.speaks_for for e in fact_of(look(agent), ID).evidence} == {Speaks.IDLE, Speaks.NOTHING}
    home.log(ID, user(3))
    assert {e.speaks_for for e in fact_of(look(agent), ID).evidence} == {Speaks.IDLE, Speaks.BUSY}


def test_a_permission_notice_waits_and_a_later_record_takes_it_back(home: Home, look: Callable[..., Any]) -> None:
    agent = process(1, "claude", "--resume", ID, cwd=CWD)
    notice = {"type": "hook:Notification", "timestamp": iso(39), "notification_type": "permission_prompt"}
    home.log(ID, calls(41, "Edit"), notice)
    assert Speaks.WAITING in {e.speaks_for for e in fact_of(look(agent), ID).evidence}
    home.log(ID, calls(41, "Edit"), notice, result(20), ended(10))
    assert {e.speaks_for for e in fact_of(look(agent), ID).evidence} == {Speaks.IDLE}


def test_last_activity_leaves_out_bookkeeping_and_file_times(home: Home, look: Callable[..., Any]) -> None:
    home.log(
        ID,
        ended(28440),
        {"type": "session_incident", "timestamp": iso(10080), "server": "issues"},
        {"type": "queue-operation", "timestamp": iso(50), "operation": "enqueue"},
        {"type": "last-prompt", "lastPrompt": "x"},
        {"type": "mode", "mode": "default"},
    )
    fact = fact_of(look(process(1, "claude", "--resume", ID, cwd=CWD, age_s=9000)), ID)
    assert fact.last_activity_epoch_s == pytest.approx(NOW_EPOCH_S - 28440)


def test_the_recorded_log_is_read_whole(home: Home, look: Callable[..., Any]) -> None:
    path = home.log(ID)
    path.write_text(recorded("claude-transcript.trimmed.jsonl"))
    fact = fact_of(look(process(1, "claude", "--resume", ID, cwd=CWD, age_s=100)), ID)
    assert (fact.title, fact.model) == ("demo", "claude-sonnet-5-5")
    assert [(e.kind, e.speaks_for) for e in fact.evidence] == [(EvidenceKind.TURN, Speaks.IDLE)]


def test_prompts_never_become_titles(home: Home, look: Callable[..., Any]) -> None:
    home.log(ID, user(900, "my secret plan"), {"type": "last-prompt", "lastPrompt": "my secret plan"}, ended(800))
    seen = look(process(1, "claude", "--resume", ID, cwd=CWD))
    assert fact_of(seen, ID).title == "proj.a_b"
    assert "secret" not in repr(seen)


def test_cut_and_half_written_lines_cost_only_themselves(home: Home, look: Callable[..., Any]) -> None:
    path = home.log(ID, user(900))
    with path.open("a") as file:
        file.write('{"type": "assistant", "timest\n' + json.dumps(ended(800)) + "\n" + '{"type": "user", "tim')
    seen = look(process(1, "claude", "--resume", ID, cwd=CWD))
    assert [e.speaks_for for e in fact_of(seen, ID).evidence] == [Speaks.IDLE]
    (problem,) = seen.problems
    assert problem.where == str(path)
    assert problem.what.startswith("1 line")


def test_a_long_log_is_read_from_its_end_and_past_one_huge_result(home: Home, look: Callable[..., Any]) -> None:
    huge = result(850) | {"toolUseResult": "x" * 600_000}
    path = home.log(ID, *[user(5000 + i) for i in range(5000)], ended(900), huge, {"type": "mode", "mode": "x"})
    assert path.stat().st_size > 1_000_000
    (evidence,) = fact_of(look(process(1, "claude", "--resume", ID, cwd=CWD)), ID).evidence
    assert evidence.speaks_for is Speaks.BUSY
    assert evidence.at_epoch_s == pytest.approx(NOW_EPOCH_S - 850)


def test_a_log_that_did_not_change_is_not_read_again(
    home: Home, look: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = process(1, "claude", "--resume", ID, cwd=CWD)
    home.log(ID, ended(900))
    before = look(agent)
    really_open = os.open

    def guarding(path: Any, *rest: Any, **more: Any) -> int:
        assert not str(path).endswith(".jsonl"), "opened again"
        return really_open(path, *rest, **more)

    monkeypatch.setattr(os, "open", guarding)
    assert fact_of(look(agent), ID).evidence == fact_of(before, ID).evidence


def test_fifos_loops_and_unreadable_logs_stall_nothing(home: Home, look: Callable[..., Any]) -> None:
    ids = [f"{i}{ID[1:]}" for i in range(3)]
    folder = home.log(ID, ended(900)).parent
    os.mkfifo(folder / f"{ids[0]}.jsonl")
    (folder / f"{ids[1]}.jsonl").symlink_to(folder / f"{ids[1]}.jsonl")
    (folder / f"{ids[2]}.jsonl").mkdir()
    agents = [process(i + 1, "claude", "--resume", each, cwd=CWD) for i, each in enumerate([*ids, ID])]
    seen = look(*agents)
    assert [e.speaks_for for e in fact_of(seen, ID).evidence] == [Speaks.IDLE]
    assert [e.speaks_for for e in fact_of(seen, ids[0]).evidence] == [Speaks.UNREADABLE]
    assert {p.where for p in seen.problems} >= {str(folder / f"{ids[i]}.jsonl") for i in (0, 1, 2)}


def test_a_denied_log_is_told_as_unreadable(
    home: Home, look: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = home.log(ID, ended(900))
    really_open = os.open

    def denying(name: Any, *rest: Any, **more: Any) -> int:
        if str(name) == str(path):
            raise PermissionError(13, "Permission denied", str(name))
        return really_open(name, *rest, **more)

    monkeypatch.setattr(os, "open", denying)
    seen = look(process(1, "claude", "--resume", ID, cwd=CWD))
    assert [e.speaks_for for e in fact_of(seen, ID).evidence] == [Speaks.UNREADABLE]
    assert "Permission denied" in seen.problems[0].what


@pytest.mark.parametrize("mark", [{}, {"isSidechain": True}])
def test_growing_subagent_logs_speak_for_work(home: Home, look: Callable[..., Any], mark: dict[str, Any]) -> None:
    agent = process(1, "claude", "--resume", ID, cwd=CWD)
    log = home.log(ID, ended(2100))
    folder = log.with_suffix("") / "subagents"
    folder.mkdir(parents=True)
    (folder / "agent-1.jsonl").write_text(json.dumps(calls(12) | mark) + "\n")
    (folder / "agent-2.jsonl").write_text(json.dumps(ended(41) | mark) + "\n")
    (found,) = [e for e in fact_of(look(agent), ID).evidence if e.kind is EvidenceKind.SUBAGENT]
    assert found.speaks_for is Speaks.BUSY
    assert found.at_epoch_s == pytest.approx(NOW_EPOCH_S - 12)


@pytest.mark.parametrize(("worked_s", "speaks_for"), [(1201, Speaks.BUSY), (1100, Speaks.BUSY), (1300, Speaks.NOTHING)])
def test_a_subagent_tells_at_what_a_busy_session_works(
    home: Home, look: Callable[..., Any], worked_s: float, speaks_for: Speaks
) -> None:
    """The status is from 1200 s ago; it is written at about the time of the subagent's first record."""
    agent = process(1, "claude", cwd=CWD)
    home.record(agent, status="busy")
    log = home.log(ID, user(1201), ended(1199))
    folder = log.with_suffix("") / "subagents"
    folder.mkdir(parents=True)
    (folder / "agent-1.jsonl").write_text(json.dumps(user(worked_s, isSidechain=True)) + "\n")
    (found,) = [e for e in fact_of(look(agent), ID).evidence if e.kind is EvidenceKind.SUBAGENT]
    assert found.speaks_for is speaks_for


def test_a_busy_session_that_waits_for_its_subagent_says_so(home: Home, look: Callable[..., Any]) -> None:
    agent = process(1, "claude", cwd=CWD)
    home.record(agent, status="busy")
    home.log(ID, user(1201), calls(1200, "Agent", prompt="look around"))
    (found,) = [e for e in fact_of(look(agent), ID).evidence if e.kind is EvidenceKind.SUBAGENT]
    assert (found.speaks_for, found.fact) == (Speaks.BUSY, "A subagent has not answered yet")


@pytest.mark.parametrize(("delay_s", "protects"), [(1800, True), (60, False)])
def test_a_planned_wakeup_protects_until_it_is_due(
    home: Home, look: Callable[..., Any], delay_s: int, protects: bool
) -> None:
    home.log(ID, calls(650, "ScheduleWakeup", delaySeconds=delay_s), result(649), ended(642))
    evidence = fact_of(look(process(1, "claude", "--resume", ID, cwd=CWD)), ID).evidence
    assert any(e.kind is EvidenceKind.WAKEUP and e.speaks_for is Speaks.PROTECTS for e in evidence) is protects


def test_a_wakeup_of_an_earlier_process_is_lost(home: Home, look: Callable[..., Any]) -> None:
    home.log(ID, calls(650, "ScheduleWakeup", delaySeconds=1800), result(649), ended(642))
    evidence = fact_of(look(process(1, "claude", "--resume", ID, cwd=CWD, age_s=100)), ID).evidence
    assert {e.kind for e in evidence} == {EvidenceKind.TURN}


def planned(home: Home, look: Callable[..., Any], *records: dict[str, Any]) -> list[str]:
    """Return what is said of the wake-ups of a session with this log."""
    home.log(ID, *records, ended(100))
    evidence = fact_of(look(process(1, "claude", "--resume", ID, cwd=CWD)), ID).evidence
    assert all(e.speaks_for is Speaks.PROTECTS for e in evidence if e.kind is EvidenceKind.WAKEUP)
    return [e.fact for e in evidence if e.kind is EvidenceKind.WAKEUP]


def answered(age_s: float, answer: object, *, failed: bool = False) -> dict[str, Any]:
    """Return a tool's result as it stands in real logs: what the tool itself answered lies beside the message."""
    record = result(age_s) | {"toolUseResult": answer}
    record["message"]["content"][0] |= {"is_error": True} if failed else {}
    return record


def ms(age_s: float) -> int:
    return int((NOW_EPOCH_S - age_s) * 1000)


IN_A_LOOP = {"clampedDelaySeconds": 600, "wasClamped": False}
EVERY_SEVEN = {"id": "44765544", "recurring": True, "durable": False, "nextFireAt": ms(-100)}


def test_a_wakeup_is_due_when_the_tool_says_so(home: Home, look: Callable[..., Any]) -> None:
    """It comes on the full minute after the delay that was asked for."""
    asks = calls(640, "ScheduleWakeup", delaySeconds=600)
    assert planned(home, look, asks, answered(639, IN_A_LOOP | {"scheduledFor": ms(-10)})) != []
    assert planned(home, look, asks, answered(639, IN_A_LOOP | {"scheduledFor": ms(30)})) == []


def test_a_wakeup_that_was_called_off_is_none(home: Home, look: Callable[..., Any]) -> None:
    first = (calls(300, "ScheduleWakeup", delaySeconds=900), answered(299, IN_A_LOOP | {"scheduledFor": ms(-600)}))
    stop = (calls(200, "ScheduleWakeup", stop=True), answered(199, IN_A_LOOP | {"scheduledFor": 0, "stopped": True}))
    assert len(planned(home, look, *first)) == 1
    assert planned(home, look, *first, *stop) == []
    assert planned(home, look, *first, stop[0], result(199)) == []


def test_a_wakeup_that_was_refused_leaves_what_was_planned_before(home: Home, look: Callable[..., Any]) -> None:
    refused = (calls(200, "ScheduleWakeup", delaySeconds=900), answered(199, "Error: no", failed=True))
    assert planned(home, look, *refused) == []
    first = (calls(300, "ScheduleWakeup", delaySeconds=900), answered(299, IN_A_LOOP | {"scheduledFor": ms(-600)}))
    assert len(planned(home, look, *first, *refused)) == 1
    assert planned(home, look, calls(200, "CronCreate", cron="bad"), answered(199, "Error: no", failed=True)) == []


def test_a_job_protects_while_it_will_come_again(home: Home, look: Callable[..., Any]) -> None:
    create = calls(300, "CronCreate", cron="*/7 * * * *")
    once = EVERY_SEVEN | {"recurring": False}
    assert planned(home, look, create, answered(299, EVERY_SEVEN | {"nextFireAt": ms(150)})) != []
    assert planned(home, look, create, answered(299, once)) != []
    assert planned(home, look, create, answered(299, once | {"nextFireAt": ms(150)})) == []
    made = (create, answered(299, EVERY_SEVEN))
    assert planned(home, look, *made, calls(200, "CronDelete", id="another"), result(199)) != []
    assert planned(home, look, *made, calls(200, "CronDelete", id="44765544"), result(199)) == []


def test_a_job_is_taken_up_again_by_the_process_that_resumes_the_session(home: Home, look: Callable[..., Any]) -> None:
    home.log(ID, calls(650, "CronCreate", cron="*/7 * * * *"), answered(649, EVERY_SEVEN), ended(642))
    evidence = fact_of(look(process(1, "claude", "--resume", ID, cwd=CWD, age_s=100)), ID).evidence
    assert EvidenceKind.WAKEUP in {e.kind for e in evidence}


def test_wakeups_are_known_whose_planning_lies_further_up_than_is_read(home: Home, look: Callable[..., Any]) -> None:
    assert planned(home, look, answered(299, IN_A_LOOP | {"scheduledFor": ms(-600)})) != []
    assert planned(home, look, answered(299, EVERY_SEVEN)) != []
    fire = {"type": "system", "subtype": "scheduled_task_fire", "timestamp": iso(300), "taskId": "44765544"}
    assert planned(home, look, fire) != []
    assert planned(home, look, answered(400, EVERY_SEVEN | {"recurring": False, "nextFireAt": ms(300)}), fire) == []
    assert planned(home, look, answered(299, {"id": 5, "file": "x"}), answered(298, ["text"])) == []


def test_a_turn_that_a_wakeup_begins_is_a_turn(home: Home, look: Callable[..., Any]) -> None:
    home.log(ID, ended(300), user(60, "Go on", isMeta=True, promptSource="system", turnOrigin="scheduled"))
    (turn,) = [
        e
        for e in fact_of(look(process(1, "claude", "--resume", ID, cwd=CWD)), ID).evidence
        if e.kind is EvidenceKind.TURN
    ]
    assert turn.speaks_for is Speaks.BUSY


def test_a_name_given_to_resume_is_not_taken_for_an_id(home: Home, look: Callable[..., Any]) -> None:
    agent = process(1, "claude", "--resume", "my demo", cwd=CWD)
    assert claim_on(look(agent), agent).session is None


# --- ids that the registry does not have -----------------------------------------------------------------------------


def test_a_newer_own_log_is_followed_after_clear(home: Home, look: Callable[..., Any]) -> None:
    agent = process(8801, "claude", cwd=CWD, age_s=14400)
    home.record(agent, status=None, statusUpdatedAt=None)
    home.log(ID, user(9000, "/clear"))
    home.log(OTHER_ID, user(8990), result(15))
    claim = claim_on(look(agent), agent)
    assert claim.session == SessionKey("claude-code", OTHER_ID)


def test_a_record_with_a_status_needs_no_such_guess(home: Home, look: Callable[..., Any]) -> None:
    agent = process(8801, "claude", cwd=CWD, age_s=14400)
    home.record(agent)
    home.log(ID, ended(9000))
    home.log(OTHER_ID, user(100), ended(90))
    assert claim_on(look(agent), agent).session == SessionKey("claude-code", ID)


def test_two_newer_logs_are_not_guessed_between(home: Home, look: Callable[..., Any]) -> None:
    agent = process(8801, "claude", cwd=CWD, age_s=14400)
    home.record(agent, status=None, statusUpdatedAt=None)
    home.log(ID, user(9000, "/clear"))
    home.log(OTHER_ID, user(8990), result(15))
    home.log("9" + ID[1:], user(8000), result(5))
    assert claim_on(look(agent), agent).session is None


def test_without_a_record_the_one_log_begun_since_is_taken(home: Home, look: Callable[..., Any]) -> None:
    agent = process(8801, "claude", cwd=CWD)
    home.log(OTHER_ID, user(9000), ended(8000))
    home.log(ID, user(3000), ended(2000))
    claim = claim_on(look(agent), agent)
    assert (claim.kind, claim.session) == (ClaimKind.START_AND_CWD, SessionKey("claude-code", ID))


def test_helpers_stay_with_their_live_process_after_clear(home: Home, look: Callable[..., Any]) -> None:
    agent = process(8801, "claude", cwd=CWD)
    env = {"CLAUDE_CODE_SESSION_ID": OTHER_ID, "AI_AGENT": "claude-code_2.1.332_harness"}
    helper = process(8802, "python3", "/opt/mcp/x.py", ppid=8801, env=env)
    job = process(8803, "make", ppid=8801, env={"CLAUDE_CODE_SESSION_ID": OTHER_ID, "CLAUDE_PID": "8801"})
    home.record(agent)
    seen = look(agent, helper, job)
    assert claim_on(seen, helper).session == SessionKey("claude-code", ID)
    assert claim_on(seen, job).session == SessionKey("claude-code", OTHER_ID)


def test_a_home_without_the_host_is_nothing_to_talk_about(tmp_path: Path) -> None:
    seen = observe(ClaudeCode(), [process(1, "vim")], surroundings(tmp_path))
    assert (seen.sessions, seen.claims, seen.problems, seen.instances) == ((), (), (), ())


# --- what is taken over from the look before --------------------------------------------------------------------------


def settled(home: Home) -> None:
    """Let everything in the home be a minute old: what was written just now is read again anyway."""
    for path in (home.config, *home.config.rglob("*")):
        os.utime(path, (time.time() - 60, time.time() - 60))


def test_a_host_of_which_nothing_changed_says_the_very_same(home: Home, look: Callable[..., Any]) -> None:
    agent = process(28720, "claude", cwd=CWD)
    home.record(agent, status="idle")
    home.log(ID, user(600), ended(590))
    settled(home)
    first, second = look(agent), look(agent)
    assert second.sessions is first.sessions
    assert second.claims is first.claims


@pytest.mark.parametrize("change", ["status", "log", "another session", "process"])
def test_whatever_changes_is_read_in_the_next_look(home: Home, look: Callable[..., Any], change: str) -> None:
    agent, other = process(28720, "claude", cwd=CWD), process(28721, "claude", cwd=CWD)
    home.record(agent, status="idle")
    home.log(ID, user(600), ended(590))
    settled(home)
    first = look(agent)
    if change == "status":
        home.record(agent, status="busy")
        assert [e.kind for e in telling(fact_of(look(agent), ID)) if e.speaks_for is Speaks.BUSY] == [EvidenceKind.TURN]
    elif change == "log":
        home.log(ID, user(600), ended(590), user(5))
        assert fact_of(look(agent), ID).last_activity_epoch_s == NOW_EPOCH_S - 5
    elif change == "another session":
        home.record(other, sessionId=OTHER_ID)
        assert len(look(agent, other).sessions) == 2
    else:
        moved = replace(agent, argv=("claude", "--resume", ID), cwd="/elsewhere")
        assert look(moved).sessions is not first.sessions


def test_the_registry_is_listed_again_only_when_it_changed(
    home: Home, look: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    agent, later = process(28720, "claude", cwd=CWD), process(28730, "claude", cwd=CWD)
    for dead in range(50_000, 50_200):
        (home.config / "sessions" / f"{dead}.json").write_text("{}")
    path = home.record(agent)
    folder = home.config / "sessions"
    os.utime(folder, (NOW_EPOCH_S - 60, NOW_EPOCH_S - 60))
    listed: list[Path] = []
    really = files.names_in

    def count(folder: Path, *, limit: int) -> list[str]:
        listed.append(folder)
        return really(folder, limit=limit)

    monkeypatch.setattr(files, "names_in", count)
    assert [fact.key.session_id for fact in look(agent).sessions] == [ID]
    path.write_text(path.read_text().replace("idle", "busy"))
    assert telling(fact_of(look(agent), ID))[0].kind is EvidenceKind.TURN
    assert listed.count(folder) == 1
    home.record(later, sessionId=OTHER_ID)
    os.utime(folder, (NOW_EPOCH_S - 30, NOW_EPOCH_S - 30))
    assert {fact.key.session_id for fact in look(agent, later).sessions} == {ID, OTHER_ID}
    assert listed.count(folder) == 2
