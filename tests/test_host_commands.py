"""`agentring hosts list|allow|forbid` and `agentring resume` against a scripted core."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.fake_core import RELEASABLE, FakeCore, group, outcome, receipt, snapshot
from trayapp.cli import main
from trayapp.hosts.base import CallResult
from trayapp.model.access import HostAccess, Permission
from trayapp.model.plan import Action
from trayapp.model.receipt import Fate, Outcome, Target
from trayapp.model.session import ResumeTicket
from trayapp.model.setup import HostSetup

SECRET = "hunter2-of-the-host"
OFFER = HostSetup(
    key="secret",
    host="beta-server",
    title="Read the password of Beta Server",
    steps=("read BETA_PASSWORD from the environment of process 4711", "sign in to http://127.0.0.1:3000 with it"),
    says=("It is kept in memory only",),
    undo="agentring hosts forbid beta-server read-secret",
    permits=Permission.READ_SECRET,
)
BY_HOST = ResumeTicket(call="resume", given=(("conversation", "c-1"), ("folder", "/home/alex/shop")))
BY_COMMAND = ResumeTicket(argv=("alpha", "--resume", "s2"), cwd="/home/alex/my shop")

Call = Callable[..., int]


@pytest.fixture
def core() -> FakeCore:
    made = FakeCore(snapshot())
    made.offers = [OFFER]
    return made


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


def released(session_id: str, ticket: ResumeTicket | None, fate: Fate = Fate.RELEASED, host: str = "alpha") -> Outcome:
    target = Target(
        group_key=f"{host}:{session_id}",
        action=Action.RELEASE,
        members=(group(session_id, pid=100).members[0].process.identity,),
        title=f"Title of {session_id}",
        host=host,
        expected_bytes=0,
    )
    return replace(outcome(target, fate, "Not released: a turn has started"), resume=ticket)


# -- what is allowed --------------------------------------------------------------------------------------------------


def test_what_it_means_is_said_before_it_is_asked(
    call: Call, core: FakeCore, answers: Callable[[str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    answers("n\n")
    assert call("hosts", "allow", "beta-server", "read-secret") == 1
    said = capsys.readouterr().err
    assert "This will\n  - read BETA_PASSWORD from the environment of process 4711\n" in said
    assert "It is kept in memory only.\n" in said
    assert said.index("This will") < said.index("Allow read-secret with Beta Server?")
    assert core.settings.hosts == {}


def test_who_agrees_has_it_allowed_and_hears_the_way_back(
    call: Call, core: FakeCore, answers: Callable[[str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    answers("y\n")
    assert call("hosts", "allow", "Beta Server", "read-secret") == 0
    assert core.settings.access("beta-server").allowed == {Permission.READ_SECRET}
    assert "`agentring hosts forbid beta-server read-secret` takes it back" in capsys.readouterr().out


def test_where_the_host_says_nothing_itself_it_is_said_in_general_words(
    call: Call, core: FakeCore, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("hosts", "allow", "alpha", "close-helpers", "--yes") == 0
    assert "ask Alpha to close the helpers of a session that is released" in capsys.readouterr().err
    assert core.settings.access("alpha").allowed == {Permission.CLOSE_HELPERS}


def test_nobody_to_ask_is_a_bad_call_and_allows_nothing(
    call: Call, core: FakeCore, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("hosts", "allow", "alpha", "read-secret") == 2
    assert "--yes answers" in capsys.readouterr().err.splitlines()[-1]
    assert core.settings.hosts == {}


def test_an_offer_that_cannot_be_taken_is_told_with_its_mend(
    call: Call, core: FakeCore, capsys: pytest.CaptureFixture[str]
) -> None:
    core.offers = [replace(OFFER, steps=(), fault="Beta Server belongs to another user. Run Agent Ring as that user")]
    assert call("hosts", "allow", "beta-server", "read-secret", "--yes") == 1
    assert capsys.readouterr().err == "agentring: Beta Server belongs to another user. Run Agent Ring as that user\n"
    assert core.settings.hosts == {}


def test_allowing_twice_and_forbidding_what_is_not_allowed_do_nothing(
    call: Call, core: FakeCore, capsys: pytest.CaptureFixture[str]
) -> None:
    core.settings = core.settings.with_permission("alpha", Permission.READ_SECRET, True)
    before = core.settings
    assert call("hosts", "allow", "alpha", "read-secret") == 0
    assert call("hosts", "forbid", "alpha", "close-helpers") == 0
    assert capsys.readouterr().out.count("nothing to do") == 2
    assert core.settings is before


def test_what_was_allowed_is_taken_back_without_a_question(call: Call, core: FakeCore) -> None:
    core.settings = core.settings.with_permission("alpha", Permission.READ_SECRET, True)
    assert call("hosts", "forbid", "alpha", "read-secret") == 0
    assert core.settings.hosts == {}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("allow", "gamma", "read-secret"), "The hosts are alpha, beta-server"),
        (("forbid", "gamma", "read-secret"), "The hosts are alpha, beta-server"),
        (("allow", "alpha", "fly"), "There is read-secret, close-helpers"),
        (("forbid", "alpha", "fly"), "There is read-secret, close-helpers"),
        (("allow", "alpha"), "PERMISSION"),
    ],
)
def test_a_call_that_names_nothing_known_is_one_line_with_what_there_is(
    call: Call, arguments: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("hosts", *arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert told in line


def test_the_list_shows_what_is_allowed_and_what_could_be_and_no_secret(
    call: Call, core: FakeCore, capsys: pytest.CaptureFixture[str]
) -> None:
    core.settings = core.settings.with_access(
        "alpha", HostAccess(user="ada-of-alpha", secret=SECRET, allowed=frozenset({Permission.CLOSE_HELPERS}))
    )
    core.offers = [OFFER, replace(OFFER, key="plugin", title="Profile “web”", permits=None)]
    assert call("hosts", "list") == 0
    text = capsys.readouterr().out
    assert "close-helpers, user set, secret set" in text
    assert "read-secret, Profile “web”" in text
    assert call("hosts", "list", "--json") == 0
    told = json.loads(shown := capsys.readouterr().out)
    assert told["hosts"][0] == {
        "host": "alpha",
        "title": "Alpha",
        "allowed": ["close-helpers"],
        "could_allow": [],
        "could_install": [],
        "user_set": True,
        "secret_set": True,
    }
    assert told["hosts"][1]["could_allow"] == [
        {"permission": "read-secret", "title": "Read the password of Beta Server"}
    ]
    assert told["hosts"][1]["could_install"] == ["Profile “web”"]
    assert SECRET not in text + shown
    assert "ada-of-alpha" not in text + shown


# -- bringing back ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["s1-abcdef", "alpha:s1-abcdef", "s1-ab", "r-2026-1", "r-2026"])
def test_a_session_comes_back_through_its_host(
    call: Call, core: FakeCore, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    core.journal = [receipt(released("s1-abcdef", BY_HOST), receipt_id="r-2026-1")]
    assert call("resume", name) == 0
    assert core.resumed == [("alpha", BY_HOST)]
    assert capsys.readouterr().out == "Title of s1-abcdef: It is back in the window “work”\n"


def test_where_there_is_only_a_command_it_is_printed_for_a_terminal(
    call: Call, core: FakeCore, capsys: pytest.CaptureFixture[str]
) -> None:
    core.journal = [receipt(released("s2-abcdef", BY_COMMAND))]
    assert call("resume", "s2-abcdef") == 0
    assert capsys.readouterr().out == "cd '/home/alex/my shop' && alpha --resume s2\n"
    assert core.resumed == []
    assert core.looks == 0


def test_a_whole_receipt_comes_back_and_what_was_refused_is_left_out(
    call: Call, core: FakeCore, capsys: pytest.CaptureFixture[str]
) -> None:
    core.journal = [
        receipt(
            released("s1-abcdef", BY_HOST),
            released("s2-abcdef", BY_COMMAND),
            released("s3-abcdef", BY_HOST, Fate.REFUSED),
            receipt_id="whole",
        )
    ]
    assert call("resume", "whole", "--json") == 0
    told = json.loads(capsys.readouterr().out)["resumed"]
    assert [(each["key"], each["ok"]) for each in told] == [("alpha:s1-abcdef", True), ("alpha:s2-abcdef", True)]
    assert told[1]["command"] == "cd '/home/alex/my shop' && alpha --resume s2"
    assert "given" not in json.dumps(told)
    assert core.resumed == [("alpha", BY_HOST)]


def test_the_newest_release_of_a_session_counts(call: Call, core: FakeCore) -> None:
    older = replace(BY_HOST, given=(("conversation", "c-0"),))
    core.journal = [
        receipt(released("s1-abcdef", BY_HOST), receipt_id="new"),
        receipt(released("s1-abcdef", older), receipt_id="old"),
    ]
    assert call("resume", "s1-abcdef") == 0
    assert core.resumed == [("alpha", BY_HOST)]
    assert call("resume", "old") == 0
    assert core.resumed[1:] == [("alpha", older)]


def test_a_session_that_runs_already_is_not_started_twice(
    call: Call, core: FakeCore, capsys: pytest.CaptureFixture[str]
) -> None:
    core.seen = snapshot(group("s1-abcdef", RELEASABLE, pid=100))
    core.journal = [receipt(released("s1-abcdef", BY_HOST))]
    assert call("resume", "s1-abcdef") == 0
    assert "runs already" in capsys.readouterr().out
    assert core.resumed == []


def test_a_host_that_does_not_bring_it_back_is_told_on_one_line(
    call: Call, core: FakeCore, capsys: pytest.CaptureFixture[str]
) -> None:
    core.answer = CallResult(ok=False, message="Alpha does not run. Start it and try again")
    core.journal = [receipt(released("s1-abcdef", BY_HOST))]
    assert call("resume", "s1-abcdef") == 1
    shown = capsys.readouterr()
    assert shown.err == "agentring: Title of s1-abcdef: Alpha does not run. Start it and try again\n"
    assert shown.out == ""


@pytest.mark.parametrize(
    ("ticket", "told"),
    [(None, "does not tell how to resume"), (ResumeTicket(note="Open it in the app"), "Open it in the app")],
)
def test_what_cannot_be_brought_back_says_why(
    call: Call, core: FakeCore, ticket: ResumeTicket | None, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    core.journal = [receipt(released("s1-abcdef", ticket))]
    assert call("resume", "s1-abcdef") == 1
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("nothing-such", "Nothing in the journal is called 'nothing-such'"),
        ("s1-", "Nothing in the journal is called 's1-'"),
        ("s1-ab", "can be alpha:s1-abcdef, beta:s1-abxyz"),
        ("refused", "released nothing"),
    ],
)
def test_a_name_that_is_not_clear_is_a_bad_call(
    call: Call, core: FakeCore, name: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    core.journal = [
        receipt(released("s1-abcdef", BY_HOST), released("s1-abxyz", BY_COMMAND, host="beta"), receipt_id="first"),
        receipt(released("s9-abcdef", BY_HOST, Fate.REFUSED), receipt_id="refused"),
    ]
    assert call("resume", name) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert told in line
    assert core.resumed == []
