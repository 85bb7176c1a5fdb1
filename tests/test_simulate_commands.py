"""`agentring simulate`: a policy over the recorded days, in a table and in JSON."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.fake_core import FakeCore, snapshot
from tests.history.snapshots import MB, group
from tests.history.snapshots import snapshot as look
from trayapp.cli import main
from trayapp.history.store import HistoryStore
from trayapp.model.policy import Match, Policy, Trigger
from trayapp.model.session import State
from trayapp.model.snapshot import Snapshot
from trayapp.reclaim.simulate import THRESHOLDS_S, Simulation, Sweep, Terms, simulate_history, sweep_history

Call = Callable[..., int]
GB = 1024 * MB

LENGTH_MIN = 300
SCRIPTS: Mapping[str, Sequence[tuple[State, int]]] = {
    "soon": [(State.BUSY, 10), (State.IDLE, 100), (State.BUSY, 190)],
    "later": [(State.BUSY, 10), (State.IDLE, 200), (State.BUSY, 90)],
    "never": [(State.BUSY, 10), (State.IDLE, 290)],
}


class HistoryCore(FakeCore):
    """Answer from a history as the real core does."""

    def __init__(self, path: Path) -> None:
        super().__init__(snapshot())
        self.path = path
        self.asked: list[tuple[tuple[Policy, ...], float, Terms | None]] = []

    def simulate(
        self, policies: Sequence[Policy], since_epoch_s: float, until_epoch_s: float, terms: Terms
    ) -> Future[Sequence[Simulation]]:
        assert self.running
        self.asked.append((tuple(policies), until_epoch_s - since_epoch_s, terms))
        future: Future[Sequence[Simulation]] = Future()
        future.set_result(simulate_history(self.path, since_epoch_s, until_epoch_s, policies, terms))
        return future

    def sweep(self, policy: Policy, since_epoch_s: float, terms: Terms | None = None) -> Future[Sweep]:
        assert self.running
        self.asked.append(((policy,), time.time() - since_epoch_s, terms))
        future: Future[Sweep] = Future()
        future.set_result(sweep_history(self.path, since_epoch_s, time.time(), policy, terms or Terms()))
        return future


def looks() -> Iterator[Snapshot]:
    """Yield a look a minute for five hours that end now."""
    since_s = time.time() - LENGTH_MIN * 60
    words = {name: [state for state, count in script for _ in range(count)] for name, script in SCRIPTS.items()}
    for minute in range(LENGTH_MIN):
        groups = [
            group(name, state=told[minute], footprint=GB, rss=GB, cpu=0.0, title=f"Task\x1b[31m {name}")
            for name, told in words.items()
        ]
        taken_at = datetime.fromtimestamp(since_s + minute * 60, UTC)
        yield replace(look(minute * 60, *groups, interval_s=60.0), taken_at=taken_at)


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("history") / "history.sqlite"
    now_s = time.time()
    store = HistoryStore(path, now_epoch_s=lambda: now_s)
    for each in looks():
        store.append(each)
    store.close()
    assert store.problems == ()
    return path


@pytest.fixture
def core(history: Path) -> HistoryCore:
    return HistoryCore(history)


@pytest.fixture
def call(core: HistoryCore) -> Call:
    return lambda *arguments: main(
        arguments, make_core=lambda: core, run_tray=lambda: pytest.fail("the tray was started")
    )


def document(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert told["schema"] == 1
    return told


def test_without_a_policy_it_tries_idle_times(
    core: HistoryCore, call: Call, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("simulate") == 0
    shown = capsys.readouterr().out
    assert "by how long they were idle" in shown
    rows = [line.split() for line in shown.splitlines() if "GB·h" in line]
    # idle time, sessions, releases, wrong ones
    assert [row[:5] for row in rows[3:5]] == [["1", "h", "3", "3", "0"], ["2", "h", "2", "2", "0"]]
    assert "Wrong is a release after which the session worked again within 30\u202fmin." in shown.replace("\n", " ")
    assert "Note: The history does not hold what protects an idle session" in shown
    ((policy,), length_s, terms) = core.asked[0]
    assert (policy.trigger, round(length_s)) == (Trigger.IDLE, 7 * 86_400)
    assert terms == Terms(soon_s=1800.0, idle_after_s=900.0)


def test_a_policy_of_the_call_is_told_release_by_release(call: Call, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("simulate", "--since", "1d", "--after", "80m") == 0
    shown = capsys.readouterr().out
    assert "Releases sessions that are idle for longer than 1\u202fh 20\u202fmin" in shown
    assert "Of the last 1\u202fd, 4\u202fh 59\u202fmin were measured." in shown
    assert "wrong: worked again after 19\u202fmin" in shown
    assert "worked again after 1\u202fh 59\u202fmin" in shown
    assert "not used again" in shown
    assert "It would have released 3 sessions: " in shown
    assert "3.0\u202fGB at most at one moment. 1 release would have been wrong" in shown
    assert "\x1b" not in shown


def test_soon_can_be_another_time(call: Call, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("simulate", "--after", "80m", "--soon", "10m") == 0
    assert "None of them worked again within 10\u202fmin." in capsys.readouterr().out


def test_the_policies_of_the_settings_are_replayed_where_there_are_some(
    core: HistoryCore, call: Call, capsys: pytest.CaptureFixture[str]
) -> None:
    core.settings = core.settings.with_policies(
        (
            Policy(name="idle-80", trigger=Trigger.IDLE, after_s=4800.0, never=(Match(session="never"),)),
            Policy(name="orphans", trigger=Trigger.ORPHANS, after_s=600.0),
        )
    )
    assert call("simulate", "--json") == 0
    first, second = document(capsys)["simulations"]
    assert first["policy"]["name"] == "idle-80"
    assert first["policy"]["says"].startswith("Releases sessions")
    assert (first["touched"], first["wrong_releases"]) == (2, 1)
    assert [release["came"] for release in first["releases"]] == ["later", "wrong"]
    later, wrong = first["releases"]
    assert wrong["worked_again_after_seconds"] == pytest.approx(19 * 60, abs=120)
    assert (wrong["group"], wrong["session_id"], wrong["kind"], wrong["bytes"]) == ("alpha:soon", "soon", "session", GB)
    assert first["freed_byte_hours"] == pytest.approx(sum(r["freed_byte_hours"] for r in (wrong, later)), abs=2)
    assert sum(day["releases"] for day in first["days"]) == 2
    assert first["peak_freed_bytes"] == 2 * GB
    assert first["soon_seconds"] == 1800.0
    assert second["releases"] == []
    # for people too, and a sweep of them where it is asked for
    assert call("simulate") == 0
    assert "It would have released nothing." in capsys.readouterr().out
    assert call("simulate", "--sweep", "--json") == 0
    assert [sweep["policy"]["name"] for sweep in document(capsys)["sweeps"]] == ["idle-80", "orphans"]


def test_the_json_of_a_sweep(call: Call, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("simulate", "--json") == 0
    (sweep,) = document(capsys)["sweeps"]
    assert [point["threshold_seconds"] for point in sweep["points"]] == list(THRESHOLDS_S)
    two_hours = sweep["points"][4]
    assert (two_hours["touched"], two_hours["releases"]) == (2, 2)
    assert (two_hours["wrong"], two_hours["wrong_releases"]) == (0, 0)
    assert two_hours["freed_byte_hours"] > two_hours["peak_freed_bytes"] == 2 * GB
    assert sweep["covered_seconds"] == pytest.approx(LENGTH_MIN * 60, abs=120)
    assert sweep["since"].endswith("Z")


def test_a_file_has_its_policies_in_the_form_of_the_settings(
    core: HistoryCore, call: Call, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[[policies]]\nname = "mine"\ntrigger = "most"\nat_most = 1\n', encoding="utf-8")
    assert call("simulate", "--policy", str(file), "--json") == 0
    assert [each["policy"]["name"] for each in document(capsys)["simulations"]] == ["mine"]
    assert core.asked[0][0] == (Policy(name="mine", trigger=Trigger.MOST, at_most=1),)


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        (("--at-most", "1"), Policy(name="of this call", trigger=Trigger.MOST, at_most=1)),
        (("--over", "8 GB"), Policy(name="of this call", trigger=Trigger.TOTAL, over_bytes=8 * GB)),
        (("--trigger", "orphans", "--after", "1h"), Policy(name="of this call", trigger=Trigger.ORPHANS, after_s=3600)),
        (("--trigger", "pressure"), Policy(name="of this call", trigger=Trigger.PRESSURE)),
    ],
)
def test_a_figure_alone_tells_which_trigger_is_meant(
    core: HistoryCore, call: Call, options: tuple[str, ...], wanted: Policy
) -> None:
    assert call("simulate", *options) == 0
    assert core.asked[0][0] == (wanted,)
    assert core.looks == 0


def test_a_share_of_memory_is_one_of_this_machine(core: HistoryCore, call: Call) -> None:
    assert call("simulate", "--over", "40%") == 0
    assert core.asked[0][2] == Terms(memory_total_bytes=32 * GB)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--since", "soon"), "--since: 'soon' is no length of time"),
        (("--soon", "x"), "--soon: 'x' is no length of time"),
        (("--trigger", "whim"), "trigger cannot be used: there is idle, most, total"),
        (("--trigger", "idle"), "needs after"),
        (("--after", "4h", "--at-most", "3"), "no use for after"),
        (("--policy", "missing.toml"), "missing.toml: there is no such file"),
        (("--policy", "missing.toml", "--after", "4h"), "leave out --trigger"),
    ],
)
def test_a_bad_call_is_one_line(
    call: Call, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    assert call("simulate", *arguments) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert len(told.err.splitlines()) == 1
    assert told.out == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "there is no policy in it"),
        ('[[policies]]\nname = "x"\ntrigger = "idle"\n', "needs after"),
        ("[[policies", "not valid TOML"),
    ],
)
def test_a_bad_file_is_named_with_what_is_wrong(
    call: Call, capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, said: str
) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text, encoding="utf-8")
    assert call("simulate", "--policy", str(file)) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert said in told
    assert "bad.toml" in told


def test_an_empty_history_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    core = HistoryCore(tmp_path / "none.sqlite")
    assert main(["simulate"], make_core=lambda: core, run_tray=lambda: 9) == 0
    told = capsys.readouterr()
    assert "Nothing was recorded in that time" in told.err
    assert core.stops == 1


def test_what_cannot_be_replayed_is_not_said_to_have_released_nothing(
    call: Call, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("simulate", "--trigger", "pressure") == 0
    shown = capsys.readouterr().out
    assert "so this policy cannot be replayed" in shown
    assert "nothing" not in shown
    assert call("simulate", "--trigger", "pressure", "--json") == 0
    assert [each["replayed"] for each in document(capsys)["simulations"]] == [False]


def test_a_history_that_cannot_be_read_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "broken.sqlite"
    path.write_bytes(b"no history" * 1000)
    core = HistoryCore(path)
    assert main(["simulate", "--after", "4h"], make_core=lambda: core, run_tray=lambda: 9) == 1
    assert "the history cannot be read" in capsys.readouterr().err
