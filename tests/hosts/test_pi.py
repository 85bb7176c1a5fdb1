"""pi: which programs are it, whose log is whose without a pid in any file, and what the end of a log says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.hosts.agent_homes import around, at, look, only, process, put, put_recorded, roles, said
from trayapp.hosts.pi import Pi
from trayapp.model.process import Process
from trayapp.model.session import ClaimKind, Role

IDLE = "01a22f28-513e-7eef-807c-37ec399b97f3"
FOLDER = "/home/alex/work/idle"


def pi(pid: int, *, began: str = "01:11:40", cwd: str = FOLDER) -> Process:
    """Make one as it stands in the process table: its name over its arguments, in a node."""
    return process(pid, "pi", "", "", exe="/usr/bin/node", cwd=cwd, age_s=at(began))


def log(home: Path, name: str, *, cwd: str = FOLDER, begins: str = "2026-12-01T01-11-41-118Z", id_: str = IDLE) -> Path:
    folder = home / ".pi" / "agent" / "sessions" / f"--{cwd[1:].replace('/', '-')}--"
    return put_recorded(folder / f"{begins}_{id_}.jsonl", f"pi/{name}.jsonl")


@pytest.mark.parametrize(
    ("argv", "exe"),
    [
        (("pi", "", ""), "/usr/bin/node"),
        (("pi",), "/home/alex/.nvm/versions/node/v24.1.0/bin/node"),
        (("pi", ""), None),
        (("node", "/home/alex/.local/bin/../lib/node_modules/@earendil-works/pi-coding-agent/dist/cli.js"), None),
        (("node", "/x/node_modules/.bin/pi", "-p", "fix it"), "/usr/bin/node"),
        (("pi",), "/opt/pi-coding-agent/pi"),
    ],
)
def test_its_program_is_recognised_before_and_after_it_writes_its_name(argv: tuple[str, ...], exe: str | None) -> None:
    claim = Pi().recognise(process(10, *argv, exe=exe))
    assert claim is not None
    assert claim.role is Role.BACKEND


@pytest.mark.parametrize(
    ("argv", "exe"),
    [
        (("pi", "1000"), "/usr/bin/pi"),  # the one that computes digits
        (("pi", "1000"), None),
        (("pi",), "/home/pi/bin/pi"),
        (("/usr/bin/pi",), "/usr/bin/pi"),
        (("bash", "-c", "pi --session x"), "/usr/bin/bash"),
        (("node", "/srv/pi.js"), "/usr/bin/node"),
        (("node", "/home/pi/server/cli.js"), "/usr/bin/node"),
        (("node", "/x/pi-coding-agent/dist/cli.js", "update"), "/usr/bin/node"),
        (("grep", "pi"), "/usr/bin/grep"),
        ((), "/usr/bin/node"),
    ],
)
def test_other_programs_of_that_name_are_not_claimed(argv: tuple[str, ...], exe: str | None) -> None:
    assert Pi().recognise(process(10, *argv, exe=exe)) is None


@pytest.mark.parametrize(
    ("name", "told", "tokens"),
    [
        ("idle", ("turn", "idle"), 220),
        ("thinking", ("turn", "busy"), 110),
        ("in_tool", ("tool-call", "busy"), 220),
    ],
)
def test_the_end_of_its_log_says_whose_turn_it_is(
    tmp_path: Path, name: str, told: tuple[str, str], tokens: int
) -> None:
    log(tmp_path, name)
    seen = look(Pi(), [pi(10)], around(tmp_path))
    fact = only(seen)
    assert said(fact) == [told]
    assert (fact.model, fact.tokens, fact.key.session_id) == ("m1", tokens, IDLE)
    assert fact.resume is not None
    assert fact.resume.argv == ("pi", "--session", IDLE)
    assert [claim.kind for claim in seen.claims] == [ClaimKind.START_AND_CWD]
    assert [step.kind.value for step in fact.ladder] == ["sigterm", "sigkill"]


def test_one_that_has_not_answered_yet_has_no_log_and_is_shown_without_a_session(tmp_path: Path) -> None:
    seen = look(Pi(), [pi(10)], around(tmp_path))
    assert roles(seen) == {10: (Role.BACKEND, None)}
    assert seen.sessions == ()


def test_a_log_of_an_earlier_run_is_not_taken_for_its_own(tmp_path: Path) -> None:
    log(tmp_path, "idle")
    seen = look(Pi(), [pi(10, began="01:20:00")], around(tmp_path))
    assert seen.sessions == ()


def test_a_resumed_log_is_its_own_once_it_was_written_to(tmp_path: Path) -> None:
    """Its arguments are written over: `--session` cannot be seen."""
    log(tmp_path, "idle")  # begun at 01:11:41, went on at 01:12:00
    fact = only(look(Pi(), [pi(10, began="01:11:55")], around(tmp_path)))
    assert fact.key.session_id == IDLE


def test_two_in_one_folder_have_the_logs_that_began_after_each(tmp_path: Path) -> None:
    log(tmp_path, "idle")
    log(tmp_path, "in_tool", begins="2026-12-01T01-11-50-314Z", id_="second")
    seen = look(Pi(), [pi(10), pi(11, began="01:11:49")], around(tmp_path))
    assert roles(seen) == {10: (Role.BACKEND, IDLE), 11: (Role.BACKEND, "second")}


def test_of_two_logs_that_could_be_its_own_none_is_guessed(tmp_path: Path) -> None:
    log(tmp_path, "idle")
    log(tmp_path, "in_tool", begins="2026-12-01T01-11-50-314Z", id_="second")
    assert look(Pi(), [pi(10)], around(tmp_path)).sessions == ()


def test_it_is_followed_when_it_goes_on_to_another_session(tmp_path: Path) -> None:
    adapter, surrounded = Pi(), around(tmp_path)
    log(tmp_path, "idle")
    assert only(look(adapter, [pi(10)], surrounded)).key.session_id == IDLE
    path = log(tmp_path, "in_tool", begins="2026-12-01T01-29-50-314Z", id_="second")
    later = path.read_text(encoding="utf-8").replace("01:11:5", "01:30:1")
    put(path, later)
    assert only(look(adapter, [pi(10)], surrounded)).key.session_id == "second"


def test_an_open_turn_in_another_log_of_its_folder_speaks_against_ending_it(tmp_path: Path) -> None:
    adapter, surrounded = Pi(), around(tmp_path)
    log(tmp_path, "idle")
    look(adapter, [pi(10)], surrounded)
    log(tmp_path, "thinking", begins="2026-12-01T01-11-45-399Z", id_="second")  # not written since that look
    fact = only(look(adapter, [pi(10)], surrounded))
    assert fact.key.session_id == IDLE
    assert said(fact) == [("turn", "idle"), ("turn", "busy")]


def test_the_name_that_the_user_gave_is_its_title(tmp_path: Path) -> None:
    path = log(tmp_path, "in_tool")
    put(
        path,
        path.read_text(encoding="utf-8") + '{"type":"session_info","timestamp":"2026-12-01T01:20:01Z","name":"Shop"}\n',
    )
    fact = only(look(Pi(), [pi(10, began="01:11:40")], around(tmp_path)))
    assert (fact.title, said(fact)) == ("Shop", [("tool-call", "busy")])


@pytest.mark.parametrize(("cwd", "named"), [("/home/alex/work/other", True), (f"{FOLDER}/src", False), (None, False)])
def test_a_command_that_outlived_it_is_named_unless_a_living_one_may_have_begun_it(
    tmp_path: Path, cwd: str | None, named: bool
) -> None:
    left = process(20, "tail", "-f", "x", ppid=1, env={"PI_CODING_AGENT": "true"}, cwd=cwd, age_s=at("01:12:00"))
    assert roles(look(Pi(), [left], around(tmp_path))) == {20: (Role.WORK, "ended")}
    beside = roles(look(Pi(), [left, pi(10)], around(tmp_path)))
    assert beside.get(20) == ((Role.WORK, "ended") if named else None)
    later = roles(look(Pi(), [left, pi(10, began="01:20:00")], around(tmp_path)))
    assert later[20] == (Role.WORK, "ended")


def test_a_log_whose_records_have_another_shape_is_not_understood(tmp_path: Path) -> None:
    path = log(tmp_path, "idle")
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for record in records:
        record.get("message", {}).pop("stopReason", None)
    put(path, "".join(json.dumps(record) + "\n" for record in records))
    seen = look(Pi(), [pi(10)], around(tmp_path))
    fact = only(seen)
    assert fact.drift is not None
    assert (fact.drift.field, fact.evidence) == ("message.stopReason", ())
    assert [problem.where for problem in seen.problems] == [str(path)]


def test_a_call_of_a_tool_in_a_way_that_is_not_known_is_no_end_of_the_turn(tmp_path: Path) -> None:
    path = log(tmp_path, "in_tool")
    path.write_text(path.read_text().replace('"type":"toolCall"', '"type":"tool_call"'))
    assert '"type":"tool_call"' in path.read_text()
    fact = only(look(Pi(), [pi(10)], around(tmp_path)))
    assert fact.drift is not None
    assert (fact.drift.field, fact.evidence) == ("message.content", ())
