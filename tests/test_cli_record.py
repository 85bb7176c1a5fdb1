"""`agentring record` and `agentring replay`: what they ask of the core, what they print, and the exit code."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fake_core import FakeCore, snapshot
from tests.test_recording import Redacted, said, scene, sizes, write
from trayapp.cli import main

Call = Callable[..., int]


@pytest.fixture
def core() -> FakeCore:
    return FakeCore(snapshot())


@pytest.fixture
def call(core: FakeCore) -> Call:
    def run(*arguments: str) -> int:
        code = main(arguments, make_core=lambda: core, run_tray=lambda: pytest.fail("the tray was started"))
        assert not core.running
        return code

    return run


@pytest.fixture
def capture(tmp_path: Path) -> tuple[Path, Redacted]:
    path = tmp_path / "report.agentring.gz"
    return path, write(path, scene())


def test_record_asks_the_core_for_a_minute_by_default(core: FakeCore, call: Call, tmp_path: Path) -> None:
    assert call("record", str(tmp_path / "c.gz")) == 0
    assert core.recorded == [(tmp_path / "c.gz", 60.0, 2.0)]


@pytest.mark.parametrize(("text", "seconds"), [("60", 60.0), ("90s", 90.0), ("10m", 600.0), ("24h", 86400.0)])
def test_record_takes_seconds_or_a_length_of_time(core: FakeCore, call: Call, text: str, seconds: float) -> None:
    assert call("record", "c.gz", "--for", text, "--every", "5") == 0
    assert core.recorded == [(Path("c.gz"), seconds, 5.0)]


def test_record_says_what_was_written_and_how_to_look_at_it(
    call: Call, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("record", str(tmp_path / "c.gz"), "--for", "4") == 0
    told = capsys.readouterr()
    assert told.out == ""
    assert f"2 looks written to {tmp_path / 'c.gz'}, 8 KB" in told.err
    assert f"agentring replay {tmp_path / 'c.gz'}" in told.err


@pytest.mark.parametrize("bad", [("--for", "soon"), ("--for", "-3"), ("--every", "0.1")])
def test_record_refuses_a_length_that_is_none(core: FakeCore, call: Call, bad: tuple[str, str]) -> None:
    assert call("record", "c.gz", *bad) == 2
    assert core.recorded == []


def test_record_tells_where_it_cannot_write(core: FakeCore, call: Call, capsys: pytest.CaptureFixture[str]) -> None:
    core.cannot_record = PermissionError(13, "Permission denied", "/etc/c.gz")
    assert call("record", "/etc/c.gz") == 1
    assert capsys.readouterr().err == "agentring: /etc/c.gz: Permission denied. The call was given up there\n"


def test_replay_prints_every_look_as_one_line_of_the_documented_json(
    call: Call, capture: tuple[Path, Redacted], capsys: pytest.CaptureFixture[str]
) -> None:
    path, redacted = capture
    assert call("replay", str(path), "--json") == 0
    told = capsys.readouterr()
    expected = said(redacted.let_through, [sizes(inputs.table) for inputs in redacted.let_through], {})
    assert told.out.encode() == b"".join(line + b"\n" for line in expected)
    assert told.err == ""


def test_replay_shows_the_last_look_and_its_problems(
    core: FakeCore, call: Call, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "c.gz", scene()[:2])
    assert call("replay", str(tmp_path / "c.gz")) == 0
    told = capsys.readouterr()
    assert "2 looks; the last, at 2026-11-30T12:16:42.004Z:" in told.out
    assert "Alpha" in told.out
    assert "it is cut off" in told.err
    assert core.looks == 0


def test_replay_of_one_look_says_so(call: Call, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "c.gz", scene()[:1])
    assert call("replay", str(tmp_path / "c.gz")) == 0
    assert capsys.readouterr().out.startswith("1 look; the last, at ")


@pytest.mark.parametrize("option", [(), ("--json",)])
def test_replay_of_a_cut_file_is_one_clear_line_and_exit_code_2(
    call: Call, capture: tuple[Path, Redacted], capsys: pytest.CaptureFixture[str], option: tuple[str, ...]
) -> None:
    path, _ = capture
    path.write_bytes(path.read_bytes()[:-9])
    assert call("replay", str(path), *option) == 2
    assert capsys.readouterr().err == f"agentring: {path}: it is cut off or damaged. Record it again\n"


def test_replay_of_what_is_not_there_is_one_clear_line(
    call: Call, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("replay", str(tmp_path / "none.gz")) == 2
    told = capsys.readouterr().err
    assert told == (
        f"agentring: {tmp_path / 'none.gz'}: it cannot be read (No such file or directory). "
        "Name a file of `agentring record`\n"
    )


def test_replay_of_another_file_is_one_clear_line(
    call: Call, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.gz").write_bytes(gzip.compress(b"time_utc\r\n"))
    assert call("replay", str(tmp_path / "x.gz")) == 2
    assert "it is not a capture of Agent Ring. Name a file of `agentring record`" in capsys.readouterr().err
