"""How the log of an agent is followed: nothing is read twice, nothing half is taken, nothing strange is believed."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from tests.hosts.test_contract import counting
from trayapp.hosts import agent_log
from trayapp.hosts.agent_folder import Owners, Run
from trayapp.hosts.agent_log import Follower, Log, Logs, Turn, epoch_s, evidence_of, one_line
from trayapp.hosts.files import Witness
from trayapp.model.process import Identity
from trayapp.model.session import Speaks


class Record(msgspec.Struct):
    said: str
    at: float
    used: int = 0


class Made(Follower[Record]):
    """Follow a made-up log."""

    decoder = msgspec.json.Decoder(Record)

    def time_of(self, record: Record) -> float | None:
        return epoch_s(record.at)

    def take(self, record: Record) -> bool:
        turns = {"ask": Turn.OPEN, "answer": Turn.ENDED}
        if record.said == "model":
            self.model = "m"
            return True
        if record.said not in turns:
            return False
        self.add_tokens(record.used)
        self.note(turns[record.said], self.time_of(record))
        return True


def line(said: str, at: float = 100.0, used: int = 1) -> str:
    return f'{{"said":"{said}","at":{at},"used":{used}}}\n'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.jsonl"


def read(logs: Logs, path: Path) -> Log:
    found = logs.read(path, Made, Witness())
    assert found is not None
    return found


def add(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as log:
        log.write(text)


def test_only_what_was_added_is_read(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    logs = Logs()
    path.write_text(line("ask") + line("answer", 110) + " " * 10_000 + "\n", encoding="utf-8")
    assert read(logs, path).turn is Turn.ENDED
    calls: Counter[str] = counting(monkeypatch, tmp_path)
    assert read(logs, path).turn is Turn.ENDED
    assert calls["bytes"] == 0
    more = line("ask", 120)
    add(path, more)
    found = read(logs, path)
    assert (found.turn, found.tokens, calls["bytes"]) == (Turn.OPEN, 3, len(more))


def test_a_half_written_record_counts_when_it_is_whole(path: Path) -> None:
    logs = Logs()
    path.write_text(line("ask") + '{"said":"ans', encoding="utf-8")
    assert (read(logs, path).turn, read(logs, path).damaged_lines) == (Turn.OPEN, 0)
    add(path, 'wer","at":130}')  # whole, but for the end of the line
    assert read(logs, path).turn is Turn.ENDED
    add(path, "\n" + line("ask", 140))
    found = read(logs, path)
    assert (found.turn, found.turn_epoch_s, found.damaged_lines) == (Turn.OPEN, 140.0, 0)


@pytest.mark.parametrize("how", ["replaced", "cut", "written over"])
def test_a_log_that_is_another_one_now_is_read_anew(path: Path, how: str) -> None:
    logs = Logs()
    path.write_text(line("ask") + line("answer"), encoding="utf-8")
    assert read(logs, path).tokens == 2
    if how == "replaced":
        other = path.with_name("other")
        other.write_text(line("ask", 150) * 3, encoding="utf-8")
        other.rename(path)
    elif how == "cut":
        path.write_text(line("ask", 150), encoding="utf-8")
    else:
        text = path.read_text(encoding="utf-8").replace("answer", "ask   ").replace("ask   ", "answer")
        path.write_text(text.replace('"ask"', '"xyz"'), encoding="utf-8")
        os.utime(path, (1, 1))
    found = read(logs, path)
    assert found.tokens == {"replaced": 3, "cut": 1, "written over": 1}[how]


def test_of_a_long_log_the_ends_tell_all_but_the_total(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent_log, "WHOLE_BYTES", 40_000)
    monkeypatch.setattr(agent_log, "TAIL_BYTES", 1_000)
    noise = (line("other")[:-1] + " " * 900 + "\n") * 60
    path.write_text(line("model", 50) + line("answer", 60) + noise + line("ask", 70) + noise, encoding="utf-8")
    found = read(Logs(), path)
    assert (found.model, found.began_epoch_s, found.turn, found.turn_epoch_s) == ("m", 50.0, Turn.OPEN, 70.0)
    assert found.tokens is None


@pytest.mark.parametrize(
    ("text", "strange"),
    [
        ("", None),
        ("no JSON\n" * 3, "JSON lines"),
        ('{"said":7,"at":1}\n', "said"),
        ('{"at":1}\n', "said"),
        (line("ask") + '{"said":"answer","at":"late"}\n', "at"),
        ('{"said":"answer","at":"late"}\n' + line("ask"), None),
        (line("ask", -1) * 2, "timestamp"),
        (line("dance") * 8, "type"),
        (line("dance") * 7, None),
    ],
)
def test_what_is_not_of_the_known_shape_is_named(path: Path, text: str, strange: str | None) -> None:
    path.write_text(text, encoding="utf-8")
    found = read(Logs(), path)
    assert found.strange == strange
    if strange is not None:
        assert evidence_of(found, began_epoch_s=0.0) == []


def test_a_log_that_nobody_asks_for_is_forgotten(path: Path) -> None:
    logs = Logs()
    path.write_text(line("ask"), encoding="utf-8")
    first = read(logs, path)
    logs.forget_unused()
    assert read(logs, path) is first
    logs.forget_unused()
    logs.forget_unused()
    assert read(logs, path) is not first


@pytest.mark.parametrize(
    ("turn", "at", "speaks_for"),
    [
        (Turn.NEW, 50.0, Speaks.IDLE),
        (Turn.ENDED, 50.0, Speaks.IDLE),
        (Turn.OPEN, 150.0, Speaks.BUSY),
        (Turn.CALLING, 150.0, Speaks.BUSY),
        (Turn.ASKS, 150.0, Speaks.WAITING),
        (Turn.OPEN, 50.0, Speaks.IDLE),
        (Turn.ASKS, 50.0, Speaks.IDLE),
        (Turn.OPEN, 99.0, Speaks.BUSY),  # clocks differ by a moment
    ],
)
def test_a_turn_from_before_the_process_began_was_cut_off(turn: Turn, at: float, speaks_for: Speaks) -> None:
    (told,) = evidence_of(Log(turn=turn, turn_epoch_s=at), began_epoch_s=100.0)
    assert (told.speaks_for, told.at_epoch_s) == (speaks_for, at)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("2026-12-01T01:12:23.786Z", 1796087543.786),
        ("2026-12-01T01:12:23.786", None),
        (1796087543786, 1796087543.786),
        (1796087543.5, 1796087543.5),
        (True, None),
        (1e300, None),
        (-5, None),
        ("soon", None),
        (None, None),
    ],
)
def test_times_are_read_as_hosts_write_them(value: object, seconds: float | None) -> None:
    assert epoch_s(value) == (None if seconds is None else pytest.approx(seconds))


def test_a_text_is_shown_as_one_line() -> None:
    assert one_line("a\n\tb\x00\x1b[31m") == "a b[31m"
    assert one_line(" \n") is None
    assert len(one_line("x" * 1000) or "") == 200


# -- whose log is whose -----------------------------------------------------------------------------------------------

A, B = (Run(identity=Identity(pid, pid), began_epoch_s=at) for pid, at in ((1, 100.0), (2, 200.0)))
ONE, TWO, THREE = Path("one"), Path("two"), Path("three")


def log_of(began: float, last: float | None = None) -> Log:
    return Log(began_epoch_s=began, last_activity_epoch_s=last or began)


def test_one_that_is_alone_has_the_one_log_that_began_with_it() -> None:
    assert Owners().settle([A], {ONE: log_of(99.0), TWO: log_of(50.0, 120.0)}, 300.0) == {A.identity: ONE}
    assert Owners().settle([A], {TWO: log_of(50.0, 120.0)}, 300.0) == {A.identity: TWO}
    assert Owners().settle([A], {TWO: log_of(50.0, 60.0)}, 300.0) == {}
    assert Owners().settle([A], {ONE: log_of(110.0), TWO: log_of(120.0)}, 300.0) == {}


def test_one_that_is_alone_is_followed_to_the_only_log_that_goes_on() -> None:
    owners = Owners()
    assert owners.settle([A], {ONE: log_of(110.0)}, 300.0) == {A.identity: ONE}
    both = {ONE: log_of(110.0), TWO: log_of(310.0)}
    assert owners.settle([A], both, 320.0) == {A.identity: TWO}
    assert owners.settle([A], {**both, ONE: log_of(110.0, 330.0), THREE: log_of(331.0)}, 340.0) == {A.identity: TWO}


def test_two_have_the_logs_that_began_after_each_and_keep_them() -> None:
    owners = Owners()
    found = {A.identity: ONE, B.identity: TWO}
    assert owners.settle([B, A], {ONE: log_of(110.0), TWO: log_of(210.0)}, 300.0) == found
    assert owners.settle([A, B], {ONE: log_of(110.0), TWO: log_of(210.0), THREE: log_of(310.0)}, 320.0) == found
    owners.keep({B.identity})
    assert owners.settle([B], {TWO: log_of(210.0), THREE: log_of(310.0)}, 330.0) == {B.identity: TWO}


def test_where_logs_and_agents_do_not_match_none_is_given() -> None:
    assert Owners().settle([A, B], {ONE: log_of(210.0), TWO: log_of(220.0)}, 300.0) == {}
    assert Owners().settle([A, B], {ONE: log_of(110.0)}, 300.0) == {}


def test_one_begun_with_a_log_keeps_it_beside_another() -> None:
    owners = Owners()
    owners.begin_with(A.identity, TWO)
    logs = {ONE: log_of(210.0), TWO: log_of(10.0, 120.0)}
    assert owners.settle([A, B], logs, 300.0) == {A.identity: TWO, B.identity: ONE}
