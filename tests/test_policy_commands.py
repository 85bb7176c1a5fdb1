"""`agentring policies`: what is listed, what is switched, what is told about it; nothing is ever released by it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.fake_core import GB, RELEASABLE, FakeCore, group, snapshot
from trayapp.cli import main
from trayapp.model.plan import Action
from trayapp.model.policy import Choice, DryRun, Match, Policy, QuietHours, Trigger
from trayapp.reclaim.policy import suggested
from trayapp.wording import THIN_SPACE

UPLOAD = group("5f0a91c2-1111", RELEASABLE, pid=100, title="Fix flaky upload tests")
IDLE = Policy(name="idle", trigger=Trigger.IDLE, after_s=14400.0, on=True)
HEAP = Policy(name="heap", trigger=Trigger.HEAP, over_share=0.8)
CHOICE = Choice(
    policy="idle",
    group_key=UPLOAD.key,
    action=Action.RELEASE,
    title="Fix flaky upload tests",
    host="alpha",
    bytes=GB,
    why="Idle for 5 h, longer than 4 h",
)
TRIED = DryRun(
    policy="idle",
    triggered=True,
    why="1 session idle for longer than 4 h",
    choices=(CHOICE,),
    spared=(("alpha:gone", "A turn is running"),),
)

Call = Callable[..., int]
Out = pytest.CaptureFixture[str]


@pytest.fixture
def core() -> FakeCore:
    made = FakeCore(snapshot(UPLOAD))
    made.settings = made.settings.with_policies((IDLE, HEAP))
    made.tried = [TRIED, DryRun(policy="heap", triggered=False, why="No host tells how full its heap is")]
    return made


@pytest.fixture
def call(core: FakeCore) -> Call:
    def run(*arguments: str) -> int:
        code = main(("policies", *arguments), make_core=lambda: core, run_tray=lambda: pytest.fail("not the tray"))
        assert not core.running
        assert core.reclaimed == []
        return code

    return run


def told(out: Out) -> str:
    return out.readouterr().out.replace(THIN_SPACE, " ")


def test_each_policy_says_what_it_would_do_now_and_what_it_spares(call: Call, core: FakeCore, capsys: Out) -> None:
    core.why_off = {"heap": "It has switched itself off: it came back"}
    assert call() == 0
    assert told(capsys).splitlines() == [
        "idle  on  Releases sessions that are idle for longer than 4 h",
        "  Now: 1 session idle for longer than 4 h",
        "  will release Fix flaky upload tests, 1.0 GB: Idle for 5 h, longer than 4 h (alpha:5f0a91c2-1111)",
        "  spares alpha:gone: A turn is running (alpha:gone)",
        "heap  off  Releases idle sessions in a host's heap that is fuller than 80 % of its cap",
        "  It has switched itself off: it came back",
        "  Now: No host tells how full its heap is",
    ]


def test_what_is_triggered_and_has_nothing_to_take_says_so(call: Call, core: FakeCore, capsys: Out) -> None:
    core.tried = [replace(TRIED, choices=())]
    call()
    assert "  Nothing would be released\n" in told(capsys)


def test_without_policies_it_says_how_to_add_one(call: Call, core: FakeCore, capsys: Out) -> None:
    core.settings = core.settings.with_policies(())
    assert call() == 0
    text = told(capsys)
    assert "nothing is ever released by itself" in text
    assert "`agentring policies add`" in text


def test_the_json_holds_the_same_and_all_of_it_is_documented(call: Call, core: FakeCore, capsys: Out) -> None:
    everything = replace(
        IDLE,
        only=(Match(session="a"), Match(host="alpha")),
        never=(Match(folder="/x"), Match(program="node")),
        only_under_pressure=True,
        most_an_hour=9,
        quiet=(QuietHours(since_min=1320, until_min=420),),
        grace_s=90.0,
        typed_s=60.0,
        sigkill=True,
    )
    total = Policy(name="total", trigger=Trigger.TOTAL, over_bytes=8 * GB, over_share=0.4)
    most = Policy(name="most", trigger=Trigger.MOST, at_most=4)
    core.settings = core.settings.with_policies((everything, total, most))
    core.why_off = {"most": "It came back"}
    assert call("--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["schema"], document["taken_at"]) == (1, "2026-11-30T14:06:00.123Z")
    first, second, third = document["policies"]
    assert first["now"]["choices"] == [
        {
            "group": UPLOAD.key,
            "action": "release",
            "title": "Fix flaky upload tests",
            "host": "alpha",
            "expected_bytes": GB,
            "why": "Idle for 5 h, longer than 4 h",
        }
    ]
    assert first["now"]["spared"] == [{"group": "alpha:gone", "title": "alpha:gone", "why": "A turn is running"}]
    assert (first["after"], first["grace"], first["quiet"]) == ("4h", "90s", ["22:00-07:00"])
    assert (second["over"], second["on"], third["off_because"]) == (["8 GB", "40%"], False, "It came back")
    page = (Path(__file__).parents[1] / "docs" / "policies.md").read_text(encoding="utf-8")
    documented = {name.split(".")[-1] for name in re.findall(r"`([a-z_.\[\]]+)`", page)}
    assert names(document) - documented == set()


def names(document: Any) -> set[str]:
    if isinstance(document, list):
        return {name for each in document for name in names(each)}
    if not isinstance(document, dict):
        return set()
    return set(document) | {name for each in document.values() for name in names(each)}


def test_switching_one_on_says_what_it_would_do_and_who_does_it(call: Call, core: FakeCore, capsys: Out) -> None:
    core.settings = core.settings.with_policies((replace(IDLE, on=False), HEAP))
    assert call("on", "Idle") == 0
    assert [policy.on for policy in core.settings.policies] == [True, False]
    text = told(capsys)
    assert text.startswith("The policy idle is on now.\n")
    assert "will release Fix flaky upload tests" in text
    assert "The tray app carries it out" in text


def test_switching_one_off_is_quick_and_doing_it_twice_is_no_fault(call: Call, core: FakeCore, capsys: Out) -> None:
    assert call("off", "idle") == 0
    assert not core.settings.policies[0].on
    assert core.looks == 0
    assert call("off", "idle") == 0
    assert told(capsys) == "The policy idle is off now.\nThe policy idle is off already; nothing to do.\n"


def test_suggestions_are_listed_and_added_switched_off(call: Call, core: FakeCore, capsys: Out) -> None:
    assert call("add") == 0
    listed = told(capsys)
    assert all(policy.name in listed for policy in suggested())
    assert call("add", "pressure") == 0
    assert [(policy.name, policy.on) for policy in core.settings.policies][-1] == ("pressure", False)
    assert "`agentring policies on pressure` switches it on." in told(capsys)
    assert call("add", "pressure") == 0
    assert "There is a policy pressure already" in told(capsys)
    assert len(core.settings.policies) == 3


def test_one_can_be_removed(call: Call, core: FakeCore, capsys: Out) -> None:
    assert call("remove", "heap") == 0
    assert core.settings.policies == (IDLE,)
    assert told(capsys) == "The policy heap is removed.\n"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("on", "nobody"), "No policy is called 'nobody'. There is idle, heap"),
        (("add", "nobody"), "Nothing suggested is called 'nobody'. There is idle-4h"),
        (("--json", "off", "idle"), "--json belongs to `agentring policies` alone"),
        (("on",), "Missing argument 'NAME'"),
    ],
)
def test_a_bad_call_is_one_line_and_changes_nothing(
    call: Call, core: FakeCore, capsys: Out, arguments: Sequence[str], line: str
) -> None:
    assert call(*arguments) == 2
    out = capsys.readouterr()
    assert (out.out, line in out.err, out.err.count("\n")) == ("", True, 1)
    assert core.settings.policies == (IDLE, HEAP)


def test_what_the_settings_do_not_take_is_a_bad_call(call: Call, core: FakeCore, capsys: Out) -> None:
    def refuses(_policies: object) -> None:
        raise ValueError("Two policies are called “idle”. Give one of them another name")

    core.update_policies = refuses  # type: ignore[method-assign,assignment]
    assert call("off", "idle") == 2
    assert "Two policies are called “idle”" in capsys.readouterr().err


def test_without_any_a_name_says_how_to_add_one(call: Call, core: FakeCore, capsys: Out) -> None:
    core.settings = core.settings.with_policies(())
    assert call("on", "idle") == 2
    assert "There is none; `agentring policies add` adds one" in capsys.readouterr().err
