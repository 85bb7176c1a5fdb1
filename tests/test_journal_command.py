"""`agentring journal`: who asked for what, what was refused, what did not stay gone, what is open, each way back."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.fake_core import GB, TAKEN, FakeCore, outcome, receipt, snapshot
from trayapp.cli import main
from trayapp.model.plan import Action
from trayapp.model.process import Identity
from trayapp.model.receipt import Fate, Outcome, Receipt, Return, Target
from trayapp.model.session import ResumeTicket
from trayapp.reclaim.journal import Intent

Out = pytest.CaptureFixture[str]

RECEIPT_ID = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
CALLED = ResumeTicket(argv=(), cwd=None, call="resume", given=(("id", "x7"),))


def target(name: str = "5f0a91c2", **more: Any) -> Target:
    given: dict[str, Any] = {
        "group_key": f"alpha:{name}",
        "action": Action.RELEASE,
        "members": (Identity(100, 77),),
        "title": "Fix flaky upload tests",
        "host": "alpha",
        "expected_bytes": GB,
    }
    return Target(**(given | more))


def done(*outcomes: Outcome, **more: Any) -> Receipt:
    return replace(receipt(*outcomes, receipt_id=RECEIPT_ID), **more)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: TAKEN.timestamp() + 60.0)


def text(capsys: Out, *receipts: Receipt, begun: tuple[Intent, ...] = ()) -> str:
    core = FakeCore(snapshot())
    core.journal, core.begun = list(receipts), list(begun)
    assert main(["journal"], make_core=lambda: core, run_tray=lambda: 0) == 0
    return capsys.readouterr().out


def document(capsys: Out, *receipts: Receipt, begun: tuple[Intent, ...] = ()) -> Any:
    core = FakeCore(snapshot())
    core.journal, core.begun = list(receipts), list(begun)
    assert main(["journal", "--json"], make_core=lambda: core, run_tray=lambda: 0) == 0
    return json.loads(capsys.readouterr().out)


def test_an_entry_says_from_where_it_was_asked_and_by_which_id_it_is_resumed(capsys: Out) -> None:
    told = text(capsys, done(outcome(target(), Fate.RELEASED, "1 process gone"), origin="menu bar"))
    assert ", from the menu bar, receipt 0f1e2d3c\n" in told
    assert "  Fix flaky upload tests: 1 process gone\n" in told
    assert "    resume: cd '/home/alex/my shop' && alpha --resume x\n" in told


def test_what_a_policy_did_is_told_apart(capsys: Out) -> None:
    by_policy = done(outcome(target(unattended=True), Fate.RELEASED, "1 process gone"), origin="policy idle-4h")
    assert ", by policy idle-4h, receipt" in text(capsys, by_policy)
    assert document(capsys, by_policy)["receipts"][0]["outcomes"][0]["unattended"] is True


def test_a_refusal_stands_there_with_its_reason_and_no_way_back(capsys: Out) -> None:
    refused = outcome(target(), Fate.REFUSED, "Not released: a turn has started")
    told = text(capsys, done(replace(refused, resume=CALLED)))
    assert "Nothing was done\n  Fix flaky upload tests: Not released: a turn has started\n" in told
    assert "resume:" not in told


@pytest.mark.parametrize("gone", [(Identity(100, 77),), ()])
def test_what_only_its_host_brings_back_names_the_call_for_it(capsys: Out, gone: tuple[Identity, ...]) -> None:
    released = replace(outcome(target(), Fate.RELEASED, "Released"), resume=CALLED, gone=gone)
    assert "    resume: agentring resume alpha:5f0a91c2\n" in text(capsys, done(released))


def test_the_call_can_be_pasted_whatever_the_id_holds(capsys: Out) -> None:
    released = replace(outcome(target("a b; rm x"), Fate.RELEASED, "Released"), resume=CALLED)
    assert "    resume: agentring resume 'alpha:a b; rm x'\n" in text(capsys, done(released))


def test_where_a_host_only_tells_how_its_words_stand_there(capsys: Out) -> None:
    ticket = ResumeTicket(argv=(), cwd=None, note="Open it in the app")
    released = replace(outcome(target(), Fate.RELEASED, "Released"), resume=ticket)
    assert "    resume: Open it in the app\n" in text(capsys, done(released))


def test_a_session_that_only_lost_surplus_backends_needs_no_way_back(capsys: Out) -> None:
    ended = outcome(target(action=Action.END_DUPLICATE), Fate.ENDED, "1 process gone")
    assert ended.resume is not None
    assert "resume:" not in text(capsys, done(ended))


def test_what_runs_again_is_told_with_who_started_it(capsys: Out) -> None:
    returned = Return(
        receipt_id=RECEIPT_ID,
        group_key="alpha:5f0a91c2",
        title="Fix flaky upload tests",
        at=TAKEN + timedelta(seconds=24),
        after_s=20.04,
        by="launchd (1)",
        members=(Identity(901, 99),),
    )
    other = outcome(target("77aa0000", title="Write the changelog"), Fate.RELEASED, "1 process gone")
    back = done(outcome(target(), Fate.RELEASED, "1 process gone"), other, returns=(returned,))
    told = text(capsys, back)
    assert "1 process gone\n    It runs again, seen 20 s later, started by launchd (1)\n" in told
    assert told.count("runs again") == 1
    assert document(capsys, back)["receipts"][0]["returns"] == [
        {
            "key": "alpha:5f0a91c2",
            "title": "Fix flaky upload tests",
            "at": "2026-11-30T14:06:24.123Z",
            "after_s": 20.0,
            "pids": [901],
            "by": "launchd (1)",
        }
    ]


def test_what_was_begun_and_has_no_outcome_stands_first(capsys: Out) -> None:
    begun = Intent(
        receipt_id="9" * 32,
        started_at=TAKEN,
        origin="window",
        targets=(target(), target("orphan", action=Action.END_ORPHAN, title="node", host=None)),
        actor=Identity(4711, 5),
    )
    earlier = done(outcome(target(), Fate.RELEASED, "1 process gone"))
    first = text(capsys, earlier, begun=(begun,)).splitlines()[0]
    what = "release Fix flaky upload tests, end-orphan node"
    assert first.endswith(f", from the window: begun in process 4711, no outcome: {what}")
    assert document(capsys, begun=(begun,)) == {
        "schema": 1,
        "open": [
            {
                "receipt_id": "9" * 32,
                "started_at": "2026-11-30T14:06:00.123Z",
                "origin": "window",
                "targets": [
                    {
                        "key": "alpha:5f0a91c2",
                        "host": "alpha",
                        "title": "Fix flaky upload tests",
                        "action": "release",
                    },
                    {"key": "alpha:orphan", "host": None, "title": "node", "action": "end-orphan"},
                ],
                "pid": 4711,
            }
        ],
        "receipts": [],
    }


def test_an_empty_journal_says_so_also_below_what_was_begun(capsys: Out) -> None:
    assert text(capsys) == "Nothing has been released or ended yet.\n"
    begun = Intent(receipt_id="9" * 32, started_at=TAKEN, origin="menu bar", targets=(target(),))
    lines = text(capsys, begun=(begun,)).splitlines()
    assert lines[0].endswith("from the menu bar: begun, no outcome: release Fix flaky upload tests")
    assert lines[1] == "Nothing has been released or ended yet."


def test_titles_cannot_steer_the_terminal(capsys: Out) -> None:
    begun = Intent(receipt_id="9", started_at=TAKEN, origin="menu bar", targets=(target(title="\x1b[2Jevil"),))
    assert "\x1b" not in text(capsys, begun=(begun,))
