"""`agentring next`, `release --next`, `keep` and `unkeep` against a scripted core: what is shown, asked, kept."""

from __future__ import annotations

import io
import json
import re
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
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
    TAKEN,
    FakeCore,
    decision,
    group,
    snapshot,
)
from trayapp.cli import main
from trayapp.keeps import KeepError
from trayapp.model.plan import Action, Allowed, Reason
from trayapp.model.process import Identity
from trayapp.model.session import Problem, State
from trayapp.model.snapshot import Group, GroupKind
from trayapp.next_commands import until

NOW = TAKEN.timestamp()
HOUR = 3600.0


def idle(made: Group, seconds: float) -> Group:
    assert made.verdict is not None
    return replace(made, verdict=replace(made.verdict, idle_s=seconds))


UPLOAD = idle(group("5f0a91c2-1111", RELEASABLE, pid=100, title="Fix flaky upload tests"), 1800.0)
SETTINGS = idle(group("5f0a91c2-2222", RELEASABLE, pid=200, title="Refactor settings page", gigabytes=0.5), 7200.0)
WAITS = group("77aa0000-3333", ASKS, pid=300, title="Write the changelog", state=State.WAITING)
WORKS = group("88bb0000-4444", BUSY, pid=400, title="Port the parser", state=State.BUSY, gigabytes=3.0)
HELPER = group("orphan-500", ORPHAN, pid=500, kind=GroupKind.ORPHAN_HELPER, gigabytes=0.25)
BUILD = group("orphan-600", ORPHAN_WORK, pid=600, kind=GroupKind.ORPHAN_WORK)
INFRA = group("infra", (decision(Action.KILL, Allowed.REFUSE, Reason.PROTECTED_APP),), pid=700, kind=GroupKind.INFRA)
EVERYTHING = (UPLOAD, SETTINGS, WAITS, WORKS, HELPER, BUILD, INFRA)

Call = Callable[..., int]


def doubled() -> Group:
    """Return an idle session with an old backend of 0.5 GB beside its current one of 1.5 GB."""
    old = group("99cc0000-5555", pid=801, gigabytes=0.5).members[0]
    one = group("99cc0000-5555", pid=802, gigabytes=1.5, title="Tidy the docs")
    old = replace(old, process=replace(old.process, identity=Identity(801, 7)))
    return replace(
        one,
        members=(old, *one.members),
        flags=("duplicates",),
        rss_bytes=2 * GB,
        footprint_bytes=2 * GB,
        decisions=(
            decision(Action.RELEASE, Allowed.ALLOW),
            decision(Action.END_DUPLICATE, Allowed.ALLOW, Reason.DUPLICATE_BACKEND),
        ),
    )


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


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: NOW)


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Put a person at a terminal who types these lines."""

    def typed(lines: str) -> None:
        keyboard = io.StringIO(lines)
        monkeypatch.setattr(keyboard, "isatty", lambda: True)
        monkeypatch.setattr(sys, "stdin", keyboard)
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)

    return typed


Out = pytest.CaptureFixture[str]


def told_json(capsys: Out) -> Any:
    return json.loads(capsys.readouterr().out)


# ---------------------------------------------------------------------------------------------------------------- next


def test_what_goes_next_is_in_the_order_in_which_it_would_go_each_with_why(call: Call, capsys: Out) -> None:
    assert call("next") == 0
    told = capsys.readouterr().out
    assert told.startswith("2.2\u202fGB can go now, in this order")
    offered, _, _rest = told.partition("Not offered")
    rows = [re.sub(r"\s{2,}", "|", line.replace("\u202f", "~").strip()) for line in offered.splitlines()[2:] if line]
    assert rows == [
        "node|1|Alpha|end-orphan|0.2~GB|Its session is gone, so nobody can miss it|500",
        "Refactor settings page|2|Alpha|release|0.5~GB|Idle for 2~h; the longest goes first|5f0a91c2-2",
        "Fix flaky upload tests|3|Alpha|release|1.5~GB|Idle for 30~min; the longest goes first|5f0a91c2-1",
    ]


def test_below_stands_what_is_not_offered_and_why(call: Call, capsys: Out) -> None:
    call("next")
    rest = capsys.readouterr().out.partition("Not offered")[2]
    assert re.search(r"Port the parser +Alpha +Busy.* A turn is running +88bb0000", rest)
    assert re.search(r"Write the changelog .* It waits for your answer +77aa0000", rest)
    assert re.search(r"node .* A job its session left running +600", rest)
    assert "Alpha itself" not in rest
    assert "Fix flaky" not in rest


def test_the_list_as_json(call: Call, capsys: Out) -> None:
    assert call("next", "--json") == 0
    told = told_json(capsys)
    assert (told["schema"], told["taken_at"]) == (1, "2026-11-30T14:06:00.123Z")
    assert told["expected_bytes"] == int(2.25 * GB)
    assert [(each["place"], each["key"]) for each in told["next"]] == [
        (1, HELPER.key),
        (2, SETTINGS.key),
        (3, UPLOAD.key),
    ]
    assert told["next"][1] == {
        "place": 2,
        "key": SETTINGS.key,
        "kind": "session",
        "host": "alpha",
        "title": "Refactor settings page",
        "session_id": "5f0a91c2-2222",
        "action": "release",
        "reason": "idle-confirmed",
        "sentence": "Idle, confirmed twice",
        "why": "Idle for 2\u202fh; the longest goes first",
        "expected_bytes": int(0.5 * GB),
        "pids": [200],
    }
    assert [(each["key"], each["reason"]) for each in told["not_offered"]] == [
        (WORKS.key, "open-turn"),
        (WAITS.key, "waiting-permission"),
        (BUILD.key, "orphan-work"),
    ]
    assert told["not_offered"][0] == {
        "key": WORKS.key,
        "kind": "session",
        "host": "alpha",
        "title": "Port the parser",
        "session_id": "88bb0000-4444",
        "held_bytes": 3 * GB,
        "state": "busy",
        "action": "release",
        "allowed": "refuse",
        "reason": "open-turn",
        "sentence": "A turn is running",
    }


def test_every_field_of_the_json_is_documented(call: Call, core: FakeCore, capsys: Out) -> None:
    early = replace(decision(Action.RELEASE, Allowed.CONFIRM), eligible_in_s=12.0)
    lives = replace(UPLOAD, heap_of=Identity(9, 9), retained_bytes=GB)
    core.seen = snapshot(lives, replace(SETTINGS, decisions=(early,)), WORKS)
    core.kept = {SETTINGS.key: NOW + HOUR, UPLOAD.key: None}
    pages = (Path(__file__).parents[1] / "docs" / "next.md").read_text(encoding="utf-8")
    documented = {name.split(".")[-1].removesuffix("[]") for name in re.findall(r"`([a-z_.\[\]]+)`", pages)}
    for arguments in (("next", "--json"), ("keep", "--list", "--json")):
        call(*arguments)
        assert names(told_json(capsys)) - documented == set()


def names(document: Any) -> set[str]:
    if isinstance(document, list):
        return {name for each in document for name in names(each)}
    if not isinstance(document, dict):
        return set()
    return set(document) | {name for each in document.values() for name in names(each)}


def test_nothing_to_release_is_said_and_why_not(capsys: Out) -> None:
    core = FakeCore(snapshot(WORKS))
    assert main(["next"], make_core=lambda: core, run_tray=lambda: 0) == 0
    told = capsys.readouterr().out
    assert told.startswith("Nothing can go now.")
    assert "A turn is running" in told


def test_with_nothing_running_there_is_no_second_list(capsys: Out) -> None:
    core = FakeCore(snapshot())
    assert main(["next"], make_core=lambda: core, run_tray=lambda: 0) == 0
    assert capsys.readouterr().out == "Nothing can go now.\n"


def test_surplus_backends_and_their_session_stand_twice_but_count_once(capsys: Out) -> None:
    core = FakeCore(snapshot(doubled()))
    assert main(["next", "--json"], make_core=lambda: core, run_tray=lambda: 0) == 0
    told = told_json(capsys)
    assert [(e["action"], e["expected_bytes"], e["pids"]) for e in told["next"]] == [
        ("end-duplicate", GB // 2, [801]),
        ("release", 2 * GB, [801, 802]),
    ]
    assert told["expected_bytes"] == 2 * GB


def test_what_a_heap_gives_back_is_in_no_sum_of_memory(capsys: Out) -> None:
    lives = replace(UPLOAD, heap_of=Identity(9, 9), retained_bytes=GB)
    core = FakeCore(snapshot(lives))
    main(["next"], make_core=lambda: core, run_tray=lambda: 0)
    assert capsys.readouterr().out.startswith("1.5\u202fGB + ≈1.0\u202fGB heap can go now")
    main(["next", "--json"], make_core=lambda: core, run_tray=lambda: 0)
    told = told_json(capsys)
    assert (told["expected_bytes"], told["expected_heap_bytes"]) == (int(1.5 * GB), GB)
    assert told["next"][0]["expected_heap_bytes"] == GB


def test_what_is_kept_says_until_when(call: Call, core: FakeCore, capsys: Out) -> None:
    kept = replace(UPLOAD, decisions=(decision(Action.RELEASE, Allowed.CONFIRM, Reason.KEPT),))
    core.seen = snapshot(kept, WORKS)
    core.kept = {kept.key: NOW + 2 * HOUR, WORKS.key: None}
    call("next")
    told = capsys.readouterr().out
    at = datetime.fromtimestamp(NOW + 2 * HOUR).strftime("%H:%M")
    assert re.search(rf"Fix flaky.* You want to keep it, until (\S+ )?{at} \(2\u202fh\)", told)
    assert re.search(r"Port the parser.* A turn is running; kept until you take it back", told)
    call("next", "--json")
    assert [each["kept"] for each in told_json(capsys)["not_offered"]] == [
        {"until": None},
        {"until": "2026-11-30T16:06:00.123Z"},
    ]


# ------------------------------------------------------------------------------------------------------- release --next


def test_release_next_shows_the_first_and_asks(
    call: Call, core: FakeCore, capsys: Out, answers: Callable[[str], None]
) -> None:
    core.seen = snapshot(UPLOAD, SETTINGS, WORKS)
    answers("n\n")
    assert call("release", "--next") == 1
    assert core.reclaimed == []
    asked = capsys.readouterr().err
    assert "Idle for 2" in asked
    assert "Release Refactor settings page, about 0.5\u202fGB?" in asked
    assert "Fix flaky" not in asked
    answers("y\n")
    assert call("release", "--next") == 0
    assert [(t.group_key, t.action, t.confirmed) for t in core.reclaimed] == [(SETTINGS.key, Action.RELEASE, False)]


def test_release_next_takes_one_and_only_the_first(call: Call, core: FakeCore, capsys: Out) -> None:
    assert call("release", "--next", "--yes", "--json") == 0
    assert [(t.group_key, t.action) for t in core.reclaimed] == [(HELPER.key, Action.END_ORPHAN)]
    assert told_json(capsys)["receipt"]["complete"] is True


def test_where_nobody_can_be_asked_release_next_needs_a_yes(call: Call, core: FakeCore, capsys: Out) -> None:
    assert call("release", "--next") == 2
    told = capsys.readouterr().err
    assert "End node, about 0.2 GB? Nobody can be asked here. --yes answers" in told
    assert core.reclaimed == []


def test_surplus_backends_are_named_in_the_question(
    core: FakeCore, call: Call, capsys: Out, answers: Callable[[str], None]
) -> None:
    core.seen = snapshot(doubled())
    answers("n\n")
    assert call("release", "--next") == 1
    assert "End the surplus backends of Tidy the docs, about 0.5\u202fGB?" in capsys.readouterr().err


def test_a_dry_run_of_release_next_does_nothing(call: Call, core: FakeCore, capsys: Out) -> None:
    assert call("release", "--next", "--dry-run") == 0
    assert "Its session is gone" in capsys.readouterr().out
    assert call("release", "--next", "--dry-run", "--json") == 0
    assert [each["key"] for each in told_json(capsys)["would"]] == [HELPER.key]
    assert core.reclaimed == []


def test_with_nothing_to_go_release_next_says_where_the_reasons_stand(capsys: Out) -> None:
    core = FakeCore(snapshot(WORKS))
    assert main(["release", "--next"], make_core=lambda: core, run_tray=lambda: 0) == 0
    assert capsys.readouterr().out == "Nothing to release. `agentring next` says why.\n"
    assert main(["release", "--next", "--yes", "--json"], make_core=lambda: core, run_tray=lambda: 0) == 0
    assert told_json(capsys) == {"schema": 1, "receipt": None}
    assert core.reclaimed == []


def test_the_least_idle_time_reaches_the_plan_of_release_next(call: Call, core: FakeCore) -> None:
    call("release", "--next", "--min-idle", "15m", "--yes")
    assert core.idle_after_s == 900.0


@pytest.mark.parametrize("arguments", [("--next", "--idle"), ("--next", "5f0a91c2-1111"), ()])
def test_release_takes_one_way_of_choosing(call: Call, core: FakeCore, capsys: Out, arguments: tuple[str, ...]) -> None:
    assert call("release", *arguments, "--yes") == 2
    assert "needs one of: sessions, --idle, --next" in capsys.readouterr().err
    assert core.reclaimed == []


# -------------------------------------------------------------------------------------------------------- keep, unkeep


@pytest.mark.parametrize("name", ["5f0a91c2-1111", "5f0a91c2-1", "alpha:5f0a91c2-1111", "100"])
def test_a_session_is_kept_by_any_of_its_names(call: Call, core: FakeCore, capsys: Out, name: str) -> None:
    assert call("keep", name) == 0
    assert core.kept == {UPLOAD.key: None}
    assert capsys.readouterr().out == (
        "Fix flaky upload tests: kept until you take it back. Only a release that you confirm yourself ends it\n"
    )


def test_a_session_is_kept_for_a_while(call: Call, core: FakeCore, capsys: Out) -> None:
    assert call("keep", "5f0a91c2-1", "88bb", "--for", "8h") == 0
    assert core.kept == {UPLOAD.key: NOW + 8 * HOUR, WORKS.key: NOW + 8 * HOUR}
    assert re.search(r"Port the parser: kept until (\S+ )?\d\d:\d\d \(8\u202fh\)", capsys.readouterr().out)


def test_today_ends_at_the_next_local_midnight(monkeypatch: pytest.MonkeyPatch) -> None:
    midnight = datetime(2026, 12, 1).timestamp()
    assert until("today", now_epoch_s=datetime(2026, 11, 30, 0, 0, 0).timestamp()) == midnight
    assert until("today", now_epoch_s=datetime(2026, 11, 30, 23, 59, 59).timestamp()) == midnight


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot change the time zone of one program")
def test_today_is_25_hours_long_where_summer_time_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    try:
        morning = datetime(2026, 10, 25).timestamp()
        assert until("today", now_epoch_s=morning) == morning + 25 * HOUR
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize("length", ["soon", "0h", "100000d", "-1h", "99999999999999999999999999d", ""])
def test_a_length_that_is_none_keeps_nothing(call: Call, core: FakeCore, capsys: Out, length: str) -> None:
    assert call("keep", "5f0a91c2-1", f"--for={length}") == 2
    assert "--for" in capsys.readouterr().err
    assert core.kept == {}


@pytest.mark.parametrize(
    "arguments", [(), ("--list", "5f0a91c2-1"), ("--list", "--for", "1h"), ("nobody",), ("5f0a91c2",), ("700",)]
)
def test_keep_refuses_what_it_does_not_understand(
    call: Call, core: FakeCore, capsys: Out, arguments: tuple[str, ...]
) -> None:
    assert call("keep", *arguments) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert core.kept == {}


def test_a_bad_name_among_good_ones_keeps_nothing(call: Call, core: FakeCore) -> None:
    assert call("keep", "5f0a91c2-1", "nobody") == 2
    assert core.kept == {}


def test_what_is_kept_is_listed(call: Call, core: FakeCore, capsys: Out) -> None:
    core.kept = {UPLOAD.key: NOW + HOUR, "beta:gone": None}
    assert call("keep", "--list") == 0
    told = capsys.readouterr().out
    assert re.search(r"Fix flaky upload tests +Idle .* until (\S+ )?\d\d:\d\d \(1\u202fh\) +alpha:5f0a91c2-1111", told)
    assert re.search(r"beta:gone +Not running +until you take it back +beta:gone", told)
    assert call("keep", "--list", "--json") == 0
    assert told_json(capsys) == {
        "schema": 1,
        "keeps": [
            {
                "key": UPLOAD.key,
                "until": "2026-11-30T15:06:00.123Z",
                "running": True,
                "title": "Fix flaky upload tests",
                "host": "alpha",
            },
            {"key": "beta:gone", "until": None, "running": False},
        ],
    }


def test_with_nothing_kept_the_list_says_how(call: Call, capsys: Out) -> None:
    assert call("keep", "--list") == 0
    assert capsys.readouterr().out == "Nothing is kept. `agentring keep SESSION` keeps one.\n"


def test_keeping_prints_the_list_as_json_too(call: Call, capsys: Out) -> None:
    assert call("keep", "5f0a91c2-1", "--json") == 0
    assert [each["key"] for each in told_json(capsys)["keeps"]] == [UPLOAD.key]


@pytest.mark.parametrize("name", ["5f0a91c2-1111", "5f0a", "alpha:5f0a91c2-1111", "100"])
def test_a_session_is_kept_no_more(call: Call, core: FakeCore, capsys: Out, name: str) -> None:
    core.kept = {UPLOAD.key: None}
    assert call("unkeep", name) == 0
    assert core.kept == {}
    assert capsys.readouterr().out == "Fix flaky upload tests: not kept any more\n"


def test_what_does_not_run_any_more_can_be_let_go(call: Call, core: FakeCore, capsys: Out) -> None:
    core.kept = {"beta:31415926": None}
    assert call("unkeep", "3141") == 0
    assert core.kept == {}
    assert capsys.readouterr().out == "beta:31415926: not kept any more\n"


def test_what_was_not_kept_is_said(call: Call, core: FakeCore, capsys: Out) -> None:
    core.kept = {WORKS.key: None}
    assert call("unkeep", "5f0a91c2-1") == 0
    assert core.kept == {WORKS.key: None}
    assert capsys.readouterr().out == "5f0a91c2-1: was not kept\n"


def test_a_beginning_that_two_share_is_refused(call: Call, core: FakeCore, capsys: Out) -> None:
    core.kept = {UPLOAD.key: None, SETTINGS.key: None}
    assert call("unkeep", "5f0a91c2") == 2
    assert f"can be {UPLOAD.key}, {SETTINGS.key}" in capsys.readouterr().err
    assert len(core.kept) == 2


def test_unkeep_as_json_lists_what_is_still_kept(call: Call, core: FakeCore, capsys: Out) -> None:
    core.kept = {UPLOAD.key: None, WORKS.key: None}
    assert call("unkeep", "5f0a", "--json") == 0
    assert [each["key"] for each in told_json(capsys)["keeps"]] == [WORKS.key]


def test_a_file_that_cannot_be_written_is_one_clear_line(call: Call, core: FakeCore, capsys: Out) -> None:
    core.cannot_keep = KeepError(Problem(where="~/keeps.json", what="it cannot be written", mend="Make room"))
    assert call("keep", "5f0a91c2-1") == 1
    assert capsys.readouterr().err == "agentring: ~/keeps.json: it cannot be written. Make room\n"
