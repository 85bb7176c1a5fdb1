"""The command line against a scripted core: what is chosen, asked, printed, and the exit code."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.fake_core import (
    ASKS,
    BUSY,
    GB,
    ORPHAN,
    ORPHAN_WORK,
    RELEASABLE,
    FakeCore,
    group,
    outcome,
    receipt,
    snapshot,
)
from trayapp import __version__
from trayapp.cli import main
from trayapp.history.csv_export import ExportCancelled
from trayapp.history.schema import NotAHistory
from trayapp.model.finding import Finding, Standing
from trayapp.model.plan import Action
from trayapp.model.receipt import Fate, Target, program_mark
from trayapp.model.series import Tier
from trayapp.model.session import Problem, State
from trayapp.model.snapshot import Group, GroupKind

UPLOAD = group("5f0a91c2-1111", RELEASABLE, pid=100, title="Fix flaky upload tests")
SETTINGS = group("5f0a91c2-2222", RELEASABLE, pid=200, title="Refactor settings page")
WAITS = group("77aa0000-3333", ASKS, pid=300, title="Write the changelog", state=State.WAITING)
WORKS = group("88bb0000-4444", BUSY, pid=400, title="Port the parser", state=State.BUSY)
HELPER = group("orphan-500", ORPHAN, pid=500, kind=GroupKind.ORPHAN_HELPER)
BUILD = group("orphan-600", ORPHAN_WORK, pid=600, kind=GroupKind.ORPHAN_WORK)
EVERYTHING = (UPLOAD, SETTINGS, WAITS, WORKS, HELPER, BUILD)

Call = Callable[..., int]


@pytest.fixture
def core() -> FakeCore:
    return FakeCore(snapshot(*EVERYTHING))


@pytest.fixture
def call(core: FakeCore) -> Call:
    def run(*arguments: str) -> int:
        code = main(arguments, make_core=lambda: core, run_tray=lambda: pytest.fail("the tray was started"))
        assert not core.running
        return code

    return run


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Put a person at a terminal who types these lines."""

    def typed(lines: str) -> None:
        keyboard = io.StringIO(lines)
        monkeypatch.setattr(keyboard, "isatty", lambda: True)
        monkeypatch.setattr(sys, "stdin", keyboard)
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)

    return typed


def keys(core: FakeCore) -> list[str]:
    return [target.group_key for target in core.reclaimed]


# ------------------------------------------------------------------------------------------------------ the call itself


def test_without_a_command_the_tray_app_runs() -> None:
    assert main([], make_core=lambda: pytest.fail("no core is needed"), run_tray=lambda: 7) == 7


def test_the_version_is_printed(call: Call, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("--version") == 0
    assert capsys.readouterr().out == f"agentring {__version__}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("snapshot", "--nonsense"),
        ("release",),
        ("release", "--idle", "5f0a91c2-1111"),
        ("release", "--idle", "--min-idle", "soon", "--yes"),
        ("kill",),
        ("export", "--since", "yesterday"),
        ("journal", "--limit", "0"),
        ("release", "nobody"),
        ("release", "5f0"),
        ("release", "5f0a91c2"),
        ("release", "alpha:orphan-500"),
        ("end-orphans", "5f0a91c2-1111"),
    ],
)
def test_a_bad_call_is_one_line_and_exit_2_and_does_nothing(
    call: Call, core: FakeCore, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    assert call(*arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert core.reclaimed == []


def test_help_names_every_command(call: Call, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("--help") == 0
    told = capsys.readouterr().out
    for command in ("snapshot", "watch", "release", "kill", "end-orphans", "export", "journal", "doctor"):
        assert command in told


def test_nothing_of_the_command_line_is_loaded_for_the_tray() -> None:
    code = (
        "import sys; from trayapp.cli import main; main([], make_core=None, run_tray=lambda: 0);"
        "sys.exit(any(name in sys.modules for name in ('typer', 'rich', 'sqlite3')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, cwd=Path(__file__).parents[1]).returncode == 0


# --------------------------------------------------------------------------------------------------------- snapshot


def test_a_snapshot_for_people_says_who_holds_what(call: Call, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("snapshot") == 0
    told = capsys.readouterr().out
    assert "9.0\u202fGB of 32.0\u202fGB held (pss), 4.5\u202fGB can be released now" in told
    row = next(line for line in told.splitlines() if "Fix flaky upload tests" in line)
    for part in ("Alpha", "Idle 2\u202fh 14\u202fmin", "1.5\u202fGB", "0.3\u202f%", "5f0a91c2-1"):
        assert part in row
    assert "sk-secret" not in told


def test_problems_are_lines_of_their_own_and_the_json_stays_clean(capsys: pytest.CaptureFixture[str]) -> None:
    core = FakeCore(snapshot(problems=(Problem(where="~/x.json", what="cut in\nthe middle", mend="Nothing is lost"),)))
    assert main(["snapshot", "--json"], make_core=lambda: core, run_tray=lambda: 0) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["groups"] == []
    assert captured.err == "agentring: ~/x.json: cut in the middle. Nothing is lost\n"


def test_with_nothing_running_it_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    core = FakeCore(snapshot(group("self", pid=1, kind=GroupKind.MONITOR)))
    assert main(["snapshot"], make_core=lambda: core, run_tray=lambda: 0) == 0
    assert "No agent session is running." in capsys.readouterr().out


def test_watching_ends_with_ctrl_c(core: FakeCore, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    look = core.look

    def three_times(seconds: float = 1.0, *, idle_after_s: float | None = None) -> Any:
        assert seconds == 5.0
        if core.looks == 3:
            raise KeyboardInterrupt
        return look(seconds)

    monkeypatch.setattr(core, "look", three_times)
    assert call("watch", "--interval", "5") == 0
    assert core.looks == 3


# ---------------------------------------------------------------------------------------------------------- release


@pytest.mark.parametrize("name", ["5f0a91c2-1111", "5f0a91c2-1", "alpha:5f0a91c2-1111", "alpha:5f0a91c2-1", "100"])
def test_one_session_that_may_go_is_released_at_once(
    call: Call, core: FakeCore, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    assert call("release", name) == 0
    (target,) = core.reclaimed
    assert target == Target(
        group_key=UPLOAD.key,
        action=Action.RELEASE,
        members=(UPLOAD.members[0].process.identity,),
        programs=(program_mark(UPLOAD.members[0].process),),
        title="Fix flaky upload tests",
        host="alpha",
        expected_bytes=int(1.5 * GB),
    )
    told = capsys.readouterr().out
    assert "1.5\u202fGB of 1.5\u202fGB came back in 4\u202fs" in told
    assert "resume: cd '/home/alex/my shop' && alpha --resume x" in told


def test_a_snapshot_of_one_session_says_why_it_stands_so(call: Call, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("snapshot", "5f0a91c2-1111") == 0
    told = capsys.readouterr().out
    assert told.startswith("Fix flaky upload tests, 1.5\u202fGB: Idle")
    assert re.search(r"release +yes +Idle, confirmed twice", told)
    assert re.search(r"100 +backend", told)
    assert "resume: cd '/home/alex/my shop' && alpha --resume 5f0a91c2-1111" in told
    assert "Refactor" not in told


def test_a_snapshot_of_one_session_as_json_holds_that_row_alone(call: Call, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("snapshot", "5f0a91c2-1111", "--json") == 0
    assert [g["session_id"] for g in json.loads(capsys.readouterr().out)["groups"]] == ["5f0a91c2-1111"]


def test_what_is_ambiguous_or_unknown_is_told_with_candidates(call: Call, capsys: pytest.CaptureFixture[str]) -> None:
    call("release", "5f0a91c2")
    told = capsys.readouterr().err
    assert "alpha:5f0a91c2-1111 (Fix flaky upload tests)" in told
    assert "alpha:5f0a91c2-2222 (Refactor settings page)" in told
    call("release", "5f0")
    assert "at least 4 characters" in capsys.readouterr().err


def test_what_the_plan_refuses_goes_to_the_journal_and_exits_1(
    call: Call, core: FakeCore, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("release", "88bb") == 1
    assert keys(core) == [WORKS.key]
    assert "Not released: a turn has started" in capsys.readouterr().out


def test_all_idle_needs_a_yes_where_nobody_can_be_asked(
    call: Call, core: FakeCore, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("release", "--idle") == 2
    assert "--yes" in capsys.readouterr().err
    assert core.reclaimed == []
    assert call("release", "--idle", "--yes") == 0
    assert keys(core) == [UPLOAD.key, SETTINGS.key]
    assert not any(target.confirmed or target.force for target in core.reclaimed)


def test_the_least_idle_time_reaches_the_plan(call: Call, core: FakeCore) -> None:
    call("release", "--idle", "--min-idle", "15m", "--yes")
    assert core.idle_after_s == 900.0
    call("release", "--idle", "--yes")
    assert core.idle_after_s is None


def test_nothing_to_release_is_no_failure(capsys: pytest.CaptureFixture[str]) -> None:
    core = FakeCore(snapshot(WORKS))
    assert main(["release", "--idle"], make_core=lambda: core, run_tray=lambda: 0) == 0
    assert capsys.readouterr().out == "Nothing to release.\n"
    assert main(["release", "--idle", "--json"], make_core=lambda: core, run_tray=lambda: 0) == 0
    assert json.loads(capsys.readouterr().out) == {"schema": 1, "receipt": None}


def test_a_person_sees_the_list_before_several_go(
    call: Call, core: FakeCore, capsys: pytest.CaptureFixture[str], answers: Callable[[str], None]
) -> None:
    answers("n\n")
    assert call("release", "--idle") == 1
    assert core.reclaimed == []
    asked = capsys.readouterr().err
    assert "Fix flaky upload tests" in asked
    assert "Idle, confirmed twice" in asked
    assert "Release 2 sessions, about 3.0\u202fGB?" in asked
    answers("y\n")
    assert call("release", "--idle") == 0
    assert keys(core) == [UPLOAD.key, SETTINGS.key]


def test_a_question_names_what_is_lost_and_yes_alone_does_not_answer_it(
    call: Call, core: FakeCore, capsys: pytest.CaptureFixture[str], answers: Callable[[str], None]
) -> None:
    assert call("release", "77aa", "--yes") == 1
    assert [target.confirmed for target in core.reclaimed] == [False]
    assert "--confirm" in capsys.readouterr().err
    core.reclaimed.clear()
    answers("n\n")
    assert call("release", "77aa", "--yes") == 1
    assert core.reclaimed == []
    assert "Release Write the changelog? It waits for your answer." in capsys.readouterr().err
    answers("y\n")
    assert call("release", "77aa") == 0
    assert [target.confirmed for target in core.reclaimed] == [True]


def test_confirm_answers_every_question(call: Call, core: FakeCore) -> None:
    assert call("release", "77aa", "5f0a91c2-1", "--confirm") == 0
    assert [(t.group_key, t.confirmed) for t in core.reclaimed] == [(WAITS.key, True), (UPLOAD.key, False)]


def test_a_dry_run_does_nothing_and_tells_all(call: Call, core: FakeCore, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("release", "--idle", "--dry-run") == 0
    assert "Refactor settings page" in capsys.readouterr().out
    assert call("release", "88bb", "--dry-run", "--json") == 1
    told = json.loads(capsys.readouterr().out)
    assert told == {
        "schema": 1,
        "would": [
            {
                "key": WORKS.key,
                "host": "alpha",
                "title": "Port the parser",
                "action": "release",
                "allowed": "refuse",
                "reason": "open-turn",
                "sentence": "A turn is running",
                "expected_bytes": int(1.5 * GB),
                "pids": [400],
            }
        ],
    }
    assert core.reclaimed == []


def test_a_survivor_is_told_and_exits_1(capsys: pytest.CaptureFixture[str]) -> None:
    core = FakeCore(snapshot(*EVERYTHING), survivors=[SETTINGS.key])
    assert main(["release", "--idle", "--yes"], make_core=lambda: core, run_tray=lambda: 0) == 1
    assert "still there: node (200), did not answer SIGTERM" in capsys.readouterr().out
    assert main(["release", "--idle", "--yes", "--json"], make_core=lambda: core, run_tray=lambda: 0) == 1
    told = json.loads(capsys.readouterr().out)["receipt"]
    assert [entry["fate"] for entry in told["outcomes"]] == ["released", "survived"]
    assert told["complete"] is False


def test_naming_one_twice_does_it_once(call: Call, core: FakeCore) -> None:
    assert call("release", "5f0a91c2-1", UPLOAD.key, "--yes") == 0
    assert keys(core) == [UPLOAD.key]


# ------------------------------------------------------------------------------------------------------ kill, orphans


@pytest.mark.parametrize("name", ["88bb0000-4444", "400"])
def test_ending_by_signal_always_asks_and_names_the_turn(
    call: Call, core: FakeCore, capsys: pytest.CaptureFixture[str], answers: Callable[[str], None], name: str
) -> None:
    answers("y\n")
    assert call("kill", name) == 0
    assert "End Port the parser now? A turn is running. The running turn is lost." in capsys.readouterr().err
    (target,) = core.reclaimed
    assert (target.action, target.confirmed, target.force) == (Action.KILL, True, False)


def test_without_a_person_ending_by_signal_needs_confirm(call: Call, core: FakeCore) -> None:
    assert call("kill", "88bb", "--yes") == 1
    assert [target.confirmed for target in core.reclaimed] == [False]
    core.reclaimed.clear()
    assert call("kill", "88bb", "--confirm") == 0
    assert [target.confirmed for target in core.reclaimed] == [True]


def test_force_needs_a_second_answer(
    call: Call, core: FakeCore, capsys: pytest.CaptureFixture[str], answers: Callable[[str], None]
) -> None:
    answers("y\nn\n")
    assert call("kill", "88bb", "--force") == 1
    assert core.reclaimed == []
    assert "End it now if it does not end when asked?" in capsys.readouterr().err
    answers("y\ny\n")
    assert call("kill", "88bb", "--force") == 0
    assert [target.force for target in core.reclaimed] == [True]


def test_force_without_a_person_needs_confirm(call: Call, core: FakeCore) -> None:
    assert call("kill", "88bb", "--force", "--yes") == 2
    assert core.reclaimed == []
    assert call("kill", "88bb", "--force", "--confirm") == 0
    assert [target.force for target in core.reclaimed] == [True]


def test_orphans_end_and_jobs_only_after_a_question(call: Call, core: FakeCore, answers: Callable[[str], None]) -> None:
    assert call("end-orphans", "--yes") == 0
    assert keys(core) == [HELPER.key]
    assert core.reclaimed[0].action is Action.END_ORPHAN
    core.reclaimed.clear()
    answers("y\ny\n")
    assert call("end-orphans") == 0
    assert [(t.group_key, t.confirmed) for t in core.reclaimed] == [(HELPER.key, False), (BUILD.key, True)]
    core.reclaimed.clear()
    assert call("end-orphans", "600", "--confirm") == 0
    assert keys(core) == [BUILD.key]


def test_titles_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str], answers: Callable[[str], None]) -> None:
    evil: Group = group("77aa0000-9999", ASKS, pid=900, title="\x1b[2J[red]evil\r\n", state=State.WAITING)
    core = FakeCore(snapshot(evil))
    answers("n\n")
    main(["release", "77aa"], make_core=lambda: core, run_tray=lambda: 0)
    main(["snapshot"], make_core=lambda: core, run_tray=lambda: 0)
    main(["release", "nobody"], make_core=lambda: core, run_tray=lambda: 0)
    captured = capsys.readouterr()
    assert "\x1b[2J" not in captured.out + captured.err
    assert "[red]evil" in captured.out


# --------------------------------------------------------------------------------------------- export, journal, doctor


def test_an_export_goes_to_the_file_that_was_named(call: Call, core: FakeCore, tmp_path: Path) -> None:
    core.csv = b"time_utc\r\n2025\r\n"
    out = tmp_path / "ring.csv"
    assert call("export", "--since", "2h", "--session", "5f0a", "--out", str(out)) == 0
    ((path, since, until, session, tier),) = core.exports
    assert (path, session, tier) == (out, ["5f0a"], Tier.AUTO)
    assert until - since == pytest.approx(7200)
    assert out.read_bytes() == core.csv


def test_an_export_may_be_of_several_sessions(call: Call, core: FakeCore, tmp_path: Path) -> None:
    out = str(tmp_path / "ring.csv")
    assert call("export", "--session", "5f0a", "--session", "codex:77", "--out", out) == 0
    assert call("export", "--out", out) == 0
    assert [session for _, _, _, session, _ in core.exports] == [["5f0a", "codex:77"], None]


def test_without_a_file_an_export_goes_to_standard_output(
    call: Call, core: FakeCore, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    core.csv = "time_utc\r\npäätteet\r\n".encode()
    assert call("export") == 0
    assert capfdbinary.readouterr().out == core.csv
    ((path, since, until, _, _),) = core.exports
    assert until - since == pytest.approx(86_400)
    assert not path.exists()


@pytest.mark.parametrize("tier", list(Tier))
def test_an_export_is_as_fine_as_was_asked_for(
    call: Call, core: FakeCore, capsys: pytest.CaptureFixture[str], tmp_path: Path, tier: Tier
) -> None:
    core.csv = b"time_utc\r\n2025\r\n"
    assert call("export", "--tier", tier.value, "--since", "1h", "--out", str(tmp_path / "x.csv")) == 0
    assert core.exports[0][4] is tier
    assert "are kept" not in capsys.readouterr().err


def test_a_tier_that_nobody_knows_is_a_bad_call(call: Call, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("export", "--tier", "hour") == 2
    told = capsys.readouterr().err
    assert "'hour'" in told
    assert "'quarter'" in told


def test_an_export_finer_than_what_is_kept_says_how_much_that_is(
    call: Call, core: FakeCore, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    core.csv = b"time_utc\r\n2025\r\n"
    assert call("export", "--tier", "raw", "--since", "24h", "--out", str(tmp_path / "x.csv")) == 0
    assert "the last 2 h are kept; --tier auto has all" in capsys.readouterr().err
    assert call("export", "--tier", "minute", "--since", "30d", "--out", str(tmp_path / "x.csv")) == 0
    assert "the last 7 d are kept" in capsys.readouterr().err


def test_an_export_without_rows_says_why(call: Call, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert call("export", "--out", str(tmp_path / "x.csv")) == 0
    assert "while the tray app runs" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (PermissionError(13, "Permission denied", "/root/x.csv"), "/root/x.csv: Permission denied"),
        (NotAHistory(Path("history.sqlite"), "malformed"), "history.sqlite: the history cannot be read (malformed)"),
    ],
)
def test_a_failed_export_is_one_line_and_exit_1(
    call: Call, core: FakeCore, capsys: pytest.CaptureFixture[str], fault: Exception, told: str
) -> None:
    core.csv = fault
    assert call("export", "--out", "/root/x.csv") == 1
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1


def test_an_interrupted_export_leaves_no_file_and_says_so(
    call: Call, core: FakeCore, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Interrupted:
        def __init__(self, cancelled: Callable[[], bool]) -> None:
            self.cancelled, self.asked = cancelled, 0

        def result(self) -> int:
            self.asked += 1
            if self.asked == 1:
                raise KeyboardInterrupt
            assert self.cancelled()
            raise ExportCancelled

    monkeypatch.setattr(core, "export_csv", lambda *args, **kw: Interrupted(kw["cancelled"]))
    assert call("export", "--out", str(tmp_path / "x.csv")) == 130
    assert "no file was written" in capsys.readouterr().err


def test_the_journal_tells_what_was_done_and_how_to_resume(
    call: Call, core: FakeCore, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("journal") == 0
    assert "Nothing has been released" in capsys.readouterr().out
    target = Target(
        group_key="alpha:1", action=Action.RELEASE, members=UPLOAD_IDS, title="Fix", host="alpha", expected_bytes=2 * GB
    )
    core.journal = [receipt(outcome(target, Fate.RELEASED, "1 process gone"), receipt_id=f"r{n}") for n in range(3)]
    assert call("journal") == 0
    told = capsys.readouterr().out
    assert "from the command line" in told
    assert "Fix: 1 process gone" in told
    assert "alpha --resume x" in told
    assert call("journal", "--json", "--limit", "2") == 0
    document = json.loads(capsys.readouterr().out)
    assert [entry["receipt_id"] for entry in document["receipts"]] == ["r0", "r1"]


UPLOAD_IDS = (UPLOAD.members[0].process.identity,)


def test_the_doctor_tells_findings_and_mends(call: Call, core: FakeCore, capsys: pytest.CaptureFixture[str]) -> None:
    core.findings = [
        Finding(topic="Python", standing=Standing.GOOD, what="3.11.7"),
        Finding(topic="Alpha", standing=Standing.TROUBLE, what="does not answer", mend="Restart it"),
    ]
    assert call("doctor") == 0
    told = capsys.readouterr().out
    assert "does not answer" in told
    assert "Restart it" in told
    assert call("doctor", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {
        "schema": 1,
        "findings": [
            {"topic": "Python", "standing": "good", "what": "3.11.7"},
            {"topic": "Alpha", "standing": "trouble", "what": "does not answer", "mend": "Restart it"},
        ],
    }


def test_the_core_is_stopped_whatever_happens(core: FakeCore, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> Any:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(core, "doctor", broken)
    with pytest.raises(RuntimeError, match="a fault of ours"):
        main(["doctor"], make_core=lambda: core, run_tray=lambda: 0)
    assert core.stops == 1
