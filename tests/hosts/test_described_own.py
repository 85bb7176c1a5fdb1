"""Descriptions of the user's own: read at start, refused with their lines, and tried on what runs."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.hosts.described_hosts import description
from tests.hosts.homes import NOW_EPOCH_S, iso, process, surroundings, table
from tests.hosts.test_described import EXAMPLE, HEAD, LOG, SESSION
from trayapp.cli import main
from trayapp.hosts import described_own
from trayapp.hosts.described_check import Report, check
from trayapp.hosts.registry import load_hosts
from trayapp.model.process import Process
from trayapp.model.session import Role

OTHERS, _ = load_hosts([])


def put(folder: Path, name: str, text: str | bytes) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def checked(text: str, home: Path, *processes: Process) -> Report:
    return asyncio.run(check(description(text), table(processes), OTHERS, surroundings(home)))


# -- at start ---------------------------------------------------------------------------------------------------------


def test_a_description_in_the_settings_folder_is_a_host(tmp_path: Path) -> None:
    put(tmp_path / "hosts", "acme.toml", EXAMPLE)
    hosts, problems = load_hosts([], folder=tmp_path / "hosts")
    assert problems == ()
    (acme,) = [host for host in hosts if host.label.host == "acme"]
    claim = acme.recognise(process(10, "acme", "--resume", "a-1"))
    assert claim is not None
    assert (claim.role, str(claim.session)) == (Role.BACKEND, "acme:a-1")
    assert acme.recognise(process(10, "vim")) is None
    tool = acme.recognise(process(11, "make", env={"ACME_PARENT_SESSION": "a-1"}))
    assert tool is not None
    assert tool.role is Role.WORK


def test_a_broken_description_is_told_and_stops_no_other(tmp_path: Path) -> None:
    folder = tmp_path / "hosts"
    put(folder, "a.toml", "id = ")
    put(folder, "b.toml", b'id = "b"\n# \xff\n')
    put(folder, "c.toml", EXAMPLE)
    put(folder, "d.toml", HEAD.replace('"acme"\ntitle', '"delta"\ntitle').replace('["acme"]', '["delta"]'))
    put(folder, "notes.txt", "no description")
    (folder / "e.toml").mkdir()
    hosts, problems = load_hosts([], folder=folder)
    assert {"acme", "delta"} < {host.label.host for host in hosts}
    assert [problem.where for problem in problems] == [
        f"{folder}/a.toml, line 1",
        f"{folder}/b.toml, line 2",
        f"{folder}/e.toml",
    ]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (HEAD.replace('id = "acme"', 'id = "kiro"'), 2, "there is a host “kiro” already"),
        (HEAD.replace('["acme"]', '["acme", "claude"]'), 9, "“claude” is a program of Claude Code already"),
        (HEAD.replace('["acme"]', '["goose"]'), 9, "“goose” is a program of Goose already"),
        (HEAD.replace('names = ["acme"]', 'packages = ["@factory/cli"]'), 9, "“@factory/cli” is a program of Droid"),
        (HEAD.replace('names = ["acme"]', 'scripts = ["bin/codex.js"]'), 9, "“bin/codex.js” is a program of Codex"),
    ],
)
def test_what_another_host_has_is_refused(tmp_path: Path, text: str, line: int, said: str) -> None:
    path = put(tmp_path / "hosts", "mine.toml", text)
    hosts, problems = load_hosts([], folder=tmp_path / "hosts")
    assert len(hosts) == len(OTHERS)
    assert [(problem.where, said in problem.what) for problem in problems] == [(f"{path}, line {line}", True)]


def test_a_file_with_several_faults_is_one_problem(tmp_path: Path) -> None:
    path = put(tmp_path / "hosts", "a.toml", HEAD + '[release]\nsignal = "HUP"\nwait_s = 0\n')
    _, problems = load_hosts([], folder=tmp_path / "hosts")
    assert [problem.where for problem in problems] == [f"{path}, line 11"]
    assert problems[0].what.endswith("is not known, and 1 more")
    assert f"`agentring hosts check {path}` tells all" in problems[0].mend


def test_of_two_files_with_one_name_the_first_counts(tmp_path: Path) -> None:
    put(tmp_path / "hosts", "a.toml", HEAD)
    put(tmp_path / "hosts", "b.toml", HEAD.replace('["acme"]', '["other"]'))
    hosts, problems = load_hosts([], folder=tmp_path / "hosts")
    assert [host.label.host for host in hosts].count("acme") == 1
    assert [problem.where for problem in problems] == [f"{tmp_path}/hosts/b.toml, line 2"]


def test_without_a_folder_there_is_nothing_to_tell(tmp_path: Path) -> None:
    assert load_hosts([], folder=tmp_path / "hosts")[1] == ()


@pytest.mark.linux
def test_a_folder_that_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(self: Path) -> object:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "iterdir", denied)
    hosts, problems = described_own.users_own(tmp_path, [])
    assert (hosts, [problem.where for problem in problems]) == ([], [str(tmp_path)])


def test_more_files_than_anybody_needs_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(described_own, "FILES_LIMIT", 1)
    put(tmp_path / "hosts", "a.toml", HEAD)
    put(tmp_path / "hosts", "b.toml", "id = ")
    hosts, problems = described_own.users_own(tmp_path / "hosts", [])
    assert len(hosts) == 1
    assert ["more than 1" in problem.what for problem in problems] == [True]


# -- tried on what runs -----------------------------------------------------------------------------------------------


def test_a_check_tells_whom_it_claims_and_what_they_do(tmp_path: Path) -> None:
    log = tmp_path / ".acme/logs/s1.jsonl"
    log.parent.mkdir(parents=True)
    log.write_text(json.dumps({"type": "end", "at": iso(60)}) + "\n")
    rows = [process(10, "acme", "--resume", "s1", age_s=100), process(11, "acme", age_s=100), process(12, "vim")]
    found = checked(HEAD + SESSION + LOG, tmp_path, *rows)
    assert [(each.pid, each.name, each.role, each.session) for each in found.claimed] == [
        (10, "acme", "backend", "s1"),
        (11, "acme", "backend", None),
    ]
    (session,) = found.sessions
    assert (session.session, session.state, session.at_epoch_s) == ("s1", "The turn ended (log)", NOW_EPOCH_S - 60)
    assert found.refused == ()
    assert "of 2 agents 1 have no session" in found.lacks[0]
    assert any("[release]" in lack for lack in found.lacks)
    assert any("[resume]" in lack for lack in found.lacks)


def test_a_check_tells_what_is_not_seen_and_what_comes_near(tmp_path: Path) -> None:
    rows = [process(10, "acme", "--version"), process(11, "node", "/x/@acme/cli/bin.js")]
    found = checked(EXAMPLE, tmp_path, *rows)
    assert [each.pid for each in found.claimed] == [11]
    assert found.near == ("process 10 (acme)",)
    assert [unseen.partition(" (")[0] for unseen in found.unseen] == ["program 1", "program 2"]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (process(10, "claude", exe="/opt/acme"), "which Claude Code knows as its own"),
        (process(10, "tmux", exe="/opt/acme"), "which is a multiplexer"),
        (process(10, "/usr/bin/systemd", exe="/opt/acme"), "which is a service manager"),
        (process(10, "code", exe="/opt/acme"), "which is an editor"),
        (process(99, "acme"), "which is Agent Ring itself"),
    ],
)
def test_what_is_too_wide_is_refused(tmp_path: Path, row: Process, said: str) -> None:
    found = checked(HEAD, tmp_path, row)
    assert [line for line in found.refused if said in line], found.refused


def test_a_bystander_is_never_claimed_whatever_a_description_says(tmp_path: Path) -> None:
    assert checked(HEAD, tmp_path, process(10, "tmux", exe="/opt/acme")).claimed == ()


def test_what_is_not_understood_is_told_with_its_field(tmp_path: Path) -> None:
    log = tmp_path / ".acme/logs/s1.jsonl"
    log.parent.mkdir(parents=True)
    log.write_text('{"type": "end"}\n')
    (session,) = checked(HEAD + SESSION + LOG, tmp_path, process(10, "acme", "--resume", "s1")).sessions
    assert session.state.startswith("not understood")
    assert "“at”" in session.state


# -- the command ------------------------------------------------------------------------------------------------------


def call(*arguments: str) -> int:
    return main(arguments, make_core=lambda: pytest.fail("no core is needed"), run_tray=lambda: pytest.fail("no tray"))


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [process(10, "acme", "--resume", "s1", age_s=100), process(11, "acme", "a secret prompt", age_s=9)]
    seen = replace(table(rows), own_pid=os.getpid())
    monkeypatch.setattr("trayapp.probe.Probe.scan", lambda _self, *, whole=True: seen)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)


def test_the_command_says_it_in_lines(runs: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = put(tmp_path / "x", "acme.toml", HEAD + SESSION)
    assert call("hosts", "check", str(path)) == 0
    said = capsys.readouterr().out
    assert said.splitlines()[:2] == [
        "Acme: 2 processes, 1 session",
        "  10 acme: backend, session s1 (its arguments)",
    ]
    assert "secret" not in said


def test_the_command_says_it_as_json(runs: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = put(tmp_path / "x", "acme.toml", HEAD + SESSION)
    assert call("hosts", "check", "--json", str(path)) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["usable"], told["faults"]) == (True, [])
    assert [each["pid"] for each in told["claimed"]] == [10, 11]


def test_a_file_with_faults_ends_the_command_with_each_of_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = put(tmp_path / "x", "acme.toml", HEAD.replace('"Ac"', '"Acme"') + '[release]\nsignal = "HUP"\n')
    assert call("hosts", "check", str(path)) == 1
    lines = capsys.readouterr().err.splitlines()
    assert [f"{path}, line {line}:" in said for line, said in zip((4, 11), lines, strict=True)] == [True, True]
    assert call("hosts", "check", "--json", str(path)) == 1
    assert len(json.loads(capsys.readouterr().out)["faults"]) == 2
    assert call("hosts", "check", str(tmp_path / "none.toml")) == 1


def test_a_file_in_its_place_is_no_other_host_and_its_neighbours_are(
    runs: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = put(tmp_path / "hosts", "acme.toml", HEAD)
    assert call("hosts", "check", str(path)) == 0
    put(tmp_path / "hosts", "b.toml", HEAD.replace('["acme"]', '["other"]'))
    assert call("hosts", "check", str(path)) == 1
    assert "there is a host “acme” already" in capsys.readouterr().err


# -- a process that really runs ---------------------------------------------------------------------------------------


@pytest.mark.linux
def test_a_described_agent_that_really_runs_is_found_by_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "bin" / "acme-of-this-test"
    program.parent.mkdir()
    program.symlink_to(sys.executable)
    text = HEAD.replace('["acme"]', f'["{program.name}"]') + SESSION + LOG
    path = put(tmp_path / "x", "acme.toml", text)
    log = tmp_path / ".acme/logs/s1.jsonl"
    log.parent.mkdir(parents=True)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    sleep = "import sys, time; print(flush=True); time.sleep(60)"
    argv = [str(program), "-c", sleep, "--resume", "s1"]
    with subprocess.Popen(argv, stdout=subprocess.PIPE) as agent:
        try:
            assert agent.stdout is not None
            agent.stdout.readline()
            log.write_text(json.dumps({"type": "user", "at": datetime.now(UTC).isoformat()}) + "\n")
            assert call("hosts", "check", "--json", str(path)) == 0
        finally:
            agent.kill()
    told = json.loads(capsys.readouterr().out)
    assert [(each["pid"], each["session"]) for each in told["claimed"]] == [(agent.pid, "s1")]
    assert [(each["session"], each["state"]) for each in told["sessions"]] == [("s1", "A turn is open (log)")]
