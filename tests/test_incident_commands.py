"""`agentring incidents`: the list, one in full, and the file that may be handed on."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.fake_core import FakeCore, snapshot
from tests.test_incident_store import ACCOUNT, INCIDENT
from trayapp.cli import main
from trayapp.incident_report import account_to_json, redacted
from trayapp.model.incident import IncidentKind

Call = Callable[..., int]
OTHER = replace(ACCOUNT, incident=replace(INCIDENT, incident_id="20261129T140600Z-acme-41-host-ended"))


@pytest.fixture
def core() -> FakeCore:
    core = FakeCore(snapshot())
    core.accounts = [ACCOUNT, OTHER]
    return core


@pytest.fixture
def call(core: FakeCore) -> Call:
    return lambda *arguments: main(
        arguments, make_core=lambda: core, run_tray=lambda: pytest.fail("the tray was started")
    )


def test_the_list_says_what_happened_and_the_ids(call: Call, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("incidents") == 0
    shown = capsys.readouterr().out
    assert "Acme ended with its heap at 96\u202f% of its limit" in shown
    assert INCIDENT.incident_id in shown
    assert "Rosa" not in shown


def test_without_any_it_says_what_would_be_one(core: FakeCore, call: Call, capsys: pytest.CaptureFixture[str]) -> None:
    core.accounts = []
    assert call("incidents") == 0
    assert "while it did not run" in " ".join(capsys.readouterr().out.split())


def test_one_is_named_by_the_beginning_of_its_id(call: Call, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("incidents", "20261130") == 0
    shown = capsys.readouterr().out
    for words in (
        "Missed at ",
        "2\u202fs after it was last seen",
        "Acme, 2.1.4, node, pid 41, http://127.0.0.1:4096, had run 2\u202fh 46\u202fmin",
        "Its heap held 7.7\u202fGB of 8.0\u202fGB",
        "Fix Rosa's login: busy, in a turn, ≈4.7\u202fGB",
        "heap: 7.4\u202fGB → 7.4\u202fGB, most 7.4\u202fGB",
        "available on the machine: 0.9\u202fGB → 0.9\u202fGB, least 0.9\u202fGB",
    ):
        assert words in shown


def test_a_warning_says_that_it_still_ran(core: FakeCore, call: Call, capsys: pytest.CaptureFixture[str]) -> None:
    core.accounts = [replace(ACCOUNT, incident=replace(INCIDENT, kind=IncidentKind.HEAP_FULL))]
    assert call("incidents", "2026") == 0
    assert "it still ran" in capsys.readouterr().out


def test_the_json_of_the_list_and_of_one(call: Call, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("incidents", "--json", "--limit", "1") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == 1
    (incident,) = document["incidents"]
    assert incident["cause"] == "heap-cap"
    assert incident["missed_at"] == "2026-11-30T00:53:22.500Z"
    assert incident["successor"] == {"pid": 90, "version": "2.1.5", "within_s": 6.0}
    assert "samples" not in incident
    assert call("incidents", INCIDENT.incident_id, "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["incident"] == incident
    assert [sample["gap"] for sample in document["samples"]] == [False, True]
    assert document["samples"][0]["pressure"] == "critical"
    assert "heap_external_bytes" not in document["samples"][0]
    assert document["incident"]["sessions"][0]["title"] == "Fix Rosa's login"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("incidents", "2026"), "Write more of the id"),
        (("incidents", "1999"), "No incident is called '1999'. The newest is 20261130T140600Z"),
        (("incidents", "--export", "x.json"), "--export needs the id"),
        (("incidents", "20261130", "--with-titles"), "--with-titles is about"),
    ],
)
def test_a_bad_call_is_one_line_and_exit_2(
    call: Call, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: str
) -> None:
    assert call(*arguments) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1


def test_one_whose_file_is_broken_is_told(
    core: FakeCore, call: Call, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    none = core.incident("nobody")
    monkeypatch.setattr(core, "incident", lambda _name: none)
    assert call("incidents", "20261130") == 2
    assert "cannot be read" in capsys.readouterr().err


def test_an_exported_file_holds_no_title_id_name_or_address_of_elsewhere(call: Call, tmp_path: Path) -> None:
    out = tmp_path / "incident.json"
    assert call("incidents", "20261130", "--export", str(out)) == 0
    text = out.read_text(encoding="utf-8")
    for private in ("Rosa", "5f0a91c2", "login"):
        assert private not in text
    document = json.loads(text)
    assert document["schema"] == 1
    assert document["incident"]["sentence"] == INCIDENT.sentence
    assert document["incident"]["process_name"] == "node"
    assert document["incident"]["address"] == "http://127.0.0.1:4096"
    assert re.fullmatch(r"x\d+", document["incident"]["sessions"][0]["title"])
    assert len(document["samples"]) == 2
    if sys.platform != "win32":
        assert out.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["incident.json"]


def test_titles_stay_only_where_they_are_asked_for(call: Call, tmp_path: Path) -> None:
    out = tmp_path / "incident.json"
    assert call("incidents", "20261130", "--export", str(out), "--with-titles") == 0
    text = out.read_text(encoding="utf-8")
    assert "Fix Rosa's login" in text
    assert "5f0a91c2" not in text


def test_an_export_to_where_nothing_can_be_written_is_one_line(
    call: Call, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("incidents", "20261130", "--export", str(tmp_path / "no" / "x.json")) == 1
    assert "No such file or directory" in capsys.readouterr().err


def test_whatever_a_host_tells_of_itself_is_redacted_too() -> None:
    told: dict[str, Any] = account_to_json(ACCOUNT)
    told["incident"] |= {"address": "http://build.corp.example:80/?token=abc", "version": "2-rosas-build"}
    told["incident"] |= {"process_name": "rosas-tool", "session_id": "rosas-session"}
    told["incident"]["successor"] = {"pid": 90, "version": "3-rosas-build"}
    text = json.dumps(redacted(told, names={"rosa"}, with_titles=False))
    for private in ("rosa", "corp", "token", "abc"):
        assert private not in text
