"""Policies as they are written: units that are read back exactly, faults that name the key, sentences for people."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trayapp.model.policy import Match, Policy, QuietHours, Trigger
from trayapp.policy_words import (
    Unwritable,
    bytes_of,
    fault_of,
    policy_in,
    quiet_of,
    said,
    said_of,
    seconds_of,
    share_of,
    table_of,
    written_bytes,
    written_quiet,
    written_seconds,
    written_share,
)
from trayapp.wording import THIN_SPACE

GB = 1024**3
IDLE = Policy(name="idle", trigger=Trigger.IDLE, after_s=14400.0)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90s", 90.0),
        ("30m", 1800.0),
        ("30 min", 1800.0),
        ("4h", 14400.0),
        ("1d", 86400.0),
        ("1h 30m", 5400.0),
        ("0.5s", 0.5),
    ],
)
def test_lengths_of_time_are_read(text: str, seconds: float) -> None:
    assert seconds_of(text) == seconds


@pytest.mark.parametrize(
    ("text", "size"), [("8 GB", 8 * GB), ("512mb", 512 * 1024**2), ("1.5 GB", 3 * GB // 2), ("7 B", 7)]
)
def test_sizes_are_read_in_units_of_1024(text: str, size: int) -> None:
    assert bytes_of(text) == size


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (seconds_of, "4"),
        (seconds_of, "-4h"),
        (seconds_of, "4 hours or so"),
        (seconds_of, ""),
        (bytes_of, "8"),
        (bytes_of, "8 GiB or"),
        (share_of, "0.4"),
        (share_of, "-1%"),
        (quiet_of, "22-7"),
        (quiet_of, "24:00-07:00"),
        (quiet_of, "22:60-07:00"),
        (quiet_of, "22:00-25:00"),
    ],
)
def test_what_is_no_such_text_says_how_it_is_written(read: Any, text: str) -> None:
    with pytest.raises(Unwritable, match="Write it as"):
        read(text)


@given(st.floats(min_value=0, max_value=1e9, allow_nan=False))
def test_every_length_of_time_comes_back_exactly(seconds: float) -> None:
    assert seconds_of(written_seconds(seconds)) == seconds


@given(st.integers(min_value=0, max_value=2**50))
def test_every_size_comes_back_exactly(size: int) -> None:
    assert bytes_of(written_bytes(size)) == size


@given(st.floats(min_value=0, max_value=1, allow_nan=False))
def test_every_share_comes_back_exactly(share: float) -> None:
    assert share_of(written_share(share)) == share


@given(st.integers(0, 1439), st.integers(0, 1440))
def test_every_part_of_a_day_comes_back(since_min: int, until_min: int) -> None:
    quiet = QuietHours(since_min=since_min, until_min=until_min)
    assert quiet_of(written_quiet(quiet)) == quiet


names = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=12)
matches = st.one_of(*(st.builds(Match, **{kind: names}) for kind in ("session", "folder", "host", "program")))
shared = {
    "name": names,
    "on": st.booleans(),
    "only_under_pressure": st.booleans(),
    "only": st.lists(matches, max_size=2).map(tuple),
    "never": st.lists(matches, max_size=2).map(tuple),
    "most_an_hour": st.integers(1, 100),
    "quiet": st.lists(
        st.builds(QuietHours, since_min=st.integers(0, 1439), until_min=st.integers(0, 1440)).filter(
            lambda quiet: quiet.since_min != quiet.until_min
        ),
        max_size=2,
    ).map(tuple),
    "grace_s": st.integers(10, 7200).map(float),
    "sigkill": st.booleans(),
    "typed_s": st.integers(0, 7200).map(float),
}
times = st.floats(min_value=1.0, max_value=1e7, allow_nan=False)
shares = st.floats(min_value=0.01, max_value=1.0)
policies = st.one_of(
    st.builds(Policy, trigger=st.sampled_from([Trigger.IDLE, Trigger.ORPHANS]), after_s=times, **shared),
    st.builds(Policy, trigger=st.just(Trigger.MOST), at_most=st.integers(0, 50), **shared),
    st.builds(Policy, trigger=st.just(Trigger.TOTAL), over_bytes=st.integers(1, 2**45), **shared),
    st.builds(
        Policy,
        trigger=st.just(Trigger.TOTAL),
        over_share=shares,
        over_bytes=st.none() | st.integers(1, 2**45),
        **shared,
    ),
    st.builds(Policy, trigger=st.just(Trigger.HEAP), over_share=shares, **shared),
    st.builds(Policy, trigger=st.sampled_from([Trigger.PRESSURE, Trigger.DUPLICATES]), **shared),
)


@given(policies)
def test_every_policy_that_holds_together_comes_back_from_its_table(policy: Policy) -> None:
    assert fault_of(policy) is None
    read = policy_in(table_of(policy, off_because="it came back"))
    assert (read.policy, read.faults) == (policy, ())
    assert read.off_because == (None if policy.on else "it came back")
    assert said(policy)


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=2)
            | st.dictionaries(
                st.sampled_from(["name", "trigger", "after", "over", "never", "quiet", "on", "x\n"]), inner, max_size=4
            )
        ),
    )
)
def test_no_table_whatever_raises(table: object) -> None:
    read = policy_in(table)
    assert (read.policy is None) == bool(read.faults)


def test_what_has_its_default_is_not_written() -> None:
    assert table_of(IDLE) == {"name": "idle", "trigger": "idle", "on": False, "after": "4h"}


@pytest.mark.parametrize(
    ("extra", "key", "what"),
    [
        ({"nevr": []}, "nevr", "a key that is not known: nevr"),
        ({"on": 1}, "on", "on cannot be used: it has to be true or false"),
        ({"most_an_hour": "4"}, "most_an_hour", "most_an_hour cannot be used: it has to be a whole number"),
        ({"most_an_hour": True}, "most_an_hour", "most_an_hour cannot be used: it has to be a whole number"),
        ({"most_an_hour": 0}, "most_an_hour", "most_an_hour has to be 1 or more"),
        ({"after": 4}, "after", "after cannot be used: it has to be a text"),
        ({"after": "4"}, "after", "'4' is no length of time"),
        ({"after": "0s"}, "after", "after has to be longer than nothing"),
        ({"grace": "5s"}, "grace", "grace has to be 10s or longer"),
        ({"at_most": 3}, "at_most", "The trigger “idle” has no use for at_most"),
        ({"over": "8 GB"}, "over", "The trigger “idle” has no use for over"),
        ({"trigger": "soon"}, "trigger", "there is idle, most, total"),
        ({"trigger": "most", "after": None}, "after", "after cannot be used"),
        ({"never": {"folder": "/x"}}, "never", "it has to be a list"),
        ({"never": [{"folder": "/x", "host": "y"}]}, "never", "each names exactly one of session, folder"),
        ({"never": [{"path": "/x"}]}, "never", "each names exactly one of session, folder"),
        ({"never": ["/x"]}, "never", "each names exactly one of session, folder"),
        ({"only": [{"host": " "}]}, "only", "it has to be a text"),
        ({"quiet": "22:00-07:00"}, "quiet", "it has to be a list"),
        ({"quiet": ["22:00-22:00"]}, "quiet", "quiet has to go from one time of day to another"),
        ({"name": ""}, "name", "name cannot be used"),
    ],
)
def test_one_fault_and_it_does_nothing_and_the_key_is_named(extra: dict[str, Any], key: str, what: str) -> None:
    read = policy_in(table_of(IDLE) | extra)
    assert read.policy is None
    assert any(fault_key == key and what in told for fault_key, told, _ in read.faults)
    assert all("does nothing" in mend for _, _, mend in read.faults)


@pytest.mark.parametrize(
    ("table", "what"),
    [
        ({"trigger": "idle", "after": "4h"}, "it has no name"),
        ({"name": "idle", "after": "4h"}, "it has no trigger"),
        ({"name": "idle", "trigger": "idle"}, "The trigger “idle” needs after"),
        ({"name": "m", "trigger": "most"}, "The trigger “most” needs at_most"),
        ({"name": "m", "trigger": "most", "at_most": -1}, "at_most cannot be less than 0"),
        ({"name": "t", "trigger": "total"}, "The trigger “total” needs over"),
        ({"name": "t", "trigger": "total", "over": "0 GB"}, "over has to be more than nothing"),
        ({"name": "t", "trigger": "total", "over": "140%"}, "over has to be a share from 0 to 100 %"),
        ({"name": "t", "trigger": "total", "over": ["8 GB", "9 GB"]}, "it can name one size and one share"),
        ({"name": "h", "trigger": "heap", "over": "8 GB"}, "needs over as a share"),
        ({"name": "h", "trigger": "heap", "over": ["8 GB", "80%"]}, "has no use for a size in over"),
        ("policy", "is no table"),
    ],
)
def test_an_incomplete_policy_says_what_it_needs(table: object, what: str) -> None:
    read = policy_in(table)
    assert read.policy is None
    assert any(what in told for _, told, _ in read.faults)


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"name": "a\nb"}, "no name that can be shown"),
        ({"typed_s": -1.0}, "typed cannot be less than 0s"),
        ({"quiet": (QuietHours(since_min=-1, until_min=5),)}, "quiet has to go"),
        ({"never": (Match(),)}, "names exactly one of"),
        ({"only": (Match(host=" "),)}, "An exception is empty"),
    ],
)
def test_what_a_face_puts_together_is_looked_at_as_well(changed: dict[str, Any], what: str) -> None:
    assert what in (fault_of(replace(IDLE, **changed)) or "")


def test_a_folder_is_made_a_path_when_it_is_read() -> None:
    table = table_of(IDLE) | {"never": [{"folder": "~/work"}, {"host": "~"}], "only": [{"folder": "~"}]}
    read = policy_in(table, expand=lambda folder: folder.replace("~", "/home/ada"))
    assert read.policy is not None
    assert read.policy.never == (Match(folder="/home/ada/work"), Match(host="~"))
    assert read.policy.only == (Match(folder="/home/ada"),)


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        (IDLE, "Releases sessions that are idle for longer than 4 h"),
        (
            Policy(name="p", trigger=Trigger.MOST, at_most=4, only_under_pressure=True),
            "Keeps at most 4 idle sessions of each host, the most recently used ones, only while memory is short",
        ),
        (
            Policy(name="p", trigger=Trigger.TOTAL, over_bytes=8 * GB, over_share=0.4),
            "Releases what goes first while agents together hold more than 8.0 GB or 40 % of memory",
        ),
        (
            Policy(name="p", trigger=Trigger.HEAP, over_share=0.805),
            "Releases idle sessions in a host's heap that is fuller than 80.5 % of its cap",
        ),
        (
            Policy(name="p", trigger=Trigger.PRESSURE),
            "Releases what goes first, one by one, while the computer is short of memory",
        ),
        (
            Policy(name="p", trigger=Trigger.ORPHANS, after_s=3600.0),
            "Ends helpers whose session is gone for longer than 1 h",
        ),
        (Policy(name="p", trigger=Trigger.DUPLICATES), "Ends surplus backends of idle sessions"),
    ],
)
def test_each_says_what_it_does(policy: Policy, sentence: str) -> None:
    assert said(policy).replace(THIN_SPACE, " ") == sentence


def test_an_exception_says_what_it_is_for() -> None:
    assert said_of(Match(program="node")) == "the program node"
    assert said_of(Match()) == "the exception ?"
