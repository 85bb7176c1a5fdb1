"""What files of a described host say, whatever stands in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.hosts.described_hosts import description
from tests.hosts.homes import NOW_EPOCH_S, iso
from tests.hosts.test_described import EXAMPLE
from trayapp.hosts import described_files as read
from trayapp.hosts.described_form import Fields
from trayapp.hosts.files import Witness

LOG = description(EXAMPLE).log
RECORD = Fields(
    path="~/{pid}.json",
    session=("id",),
    title=("title",),
    tokens=(("usage", "in"),),
    time=("at",),
    started=("began",),
    finished=(((("status",), ("idle",)),),),
)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=9)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from("id title at began status usage in type timestamp".split()), inner, max_size=4),
    ),
    max_leaves=8,
)
QUICK = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@QUICK
@given(st.lists(st.one_of(st.binary(max_size=60), JSON.map(lambda value: json.dumps(value).encode())), max_size=6))
def test_no_log_makes_it_fail(tmp_path: Path, lines: list[bytes]) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"\n".join(lines))
    assert LOG is not None
    told = read.read_log(path, LOG)
    assert told.tokens is None or told.tokens >= 0
    read.read_beginning(path, LOG)


@QUICK
@given(JSON)
def test_no_record_makes_it_fail(tmp_path: Path, value: object) -> None:
    path = tmp_path / "1.json"
    path.write_text(json.dumps(value))
    told = read.read_record(path, RECORD, Witness())
    assert told is not None
    if told.drift is None:
        assert told.speaks_for is not None
        assert told.state_epoch_s is not None
    read.pid_in(path.read_bytes(), ("id",))


@pytest.mark.parametrize("text", [b"", b"{", b"\xff", b"[" * 100_000])
def test_what_is_no_json_is_not_understood(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "1.json"
    path.write_bytes(text)
    told = read.read_record(path, RECORD, Witness())
    assert told is not None
    assert told.drift is not None
    assert told.drift.field == "JSON"


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (iso(60), NOW_EPOCH_S - 60),
        (NOW_EPOCH_S, NOW_EPOCH_S),
        (NOW_EPOCH_S * 1000, NOW_EPOCH_S),
        ("2026-11-30T12:00:00", None),
        ("soon", None),
        (True, None),
        (-5, None),
        (0, None),
        (10**30, None),
        (float("inf"), None),
        (float("nan"), None),
        (None, None),
    ],
)
def test_a_time_has_a_zone_or_is_a_number_of_our_days(value: object, told: float | None) -> None:
    found = read.time_at({"at": value}, ("at",))
    assert found == (pytest.approx(told) if told is not None else None)


@pytest.mark.parametrize(
    ("path", "pattern", "session"),
    [
        ("/h/logs/s1.jsonl", "{home}/logs/{session}.jsonl", "s1"),
        ("/h/logs/2026-11-30_s1.jsonl", "{home}/logs/*_{session}.jsonl", "s1"),
        ("/h/s1/log.jsonl", "{home}/{session}/log.jsonl", "s1"),
        ("/h/logs/s1.json", "{home}/logs/{session}.jsonl", None),
        ("/h/logs/a.jsonl", "{home}/logs/a.jsonl", None),
    ],
)
def test_a_session_stands_in_the_path_of_its_log(path: str, pattern: str, session: str | None) -> None:
    assert read.id_in_path(Path(path), pattern) == session


@pytest.mark.parametrize(
    ("file", "field", "pid"),
    [(b" 42\n", None, 42), (b"4x", None, None), (b'{"a":{"pid":7}}', ("a", "pid"), 7), (b'{"a":-1}', ("a",), None)],
)
def test_a_server_is_named_by_a_number(file: bytes, field: tuple[str, ...] | None, pid: int | None) -> None:
    assert read.pid_in(file, field) == pid


def test_a_folder_of_odd_names_is_no_pattern() -> None:
    assert read.words_of_cwd("/w/a*b") == {}
    assert read.words_of_cwd("/w/my shop") == {
        "cwd-dashes": "-w-my-shop",
        "cwd-slug": "w-my shop",
        "cwd-md5": "4f6a73b843618608c6788252d1499697",
    }
