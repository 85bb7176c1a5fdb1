"""The form of a described host: what is taken, and on which line what is wrong; no text makes it fail."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.hosts.described_hosts import description, files
from trayapp.hosts.described_form import ADAPTER, lines_of, read
from trayapp.hosts.described_programs import SHIPPED
from trayapp.model.session import Role

SMALL = """
schema = 1
id = "acme"
title = "Acme"
letters = "Ac"

[[programs]]
role = "backend"
names = ["acme"]
"""


def with_lines(*lines: str) -> str:
    return SMALL + "\n".join(lines)


def test_the_smallest_description_is_a_name_and_a_program() -> None:
    found = description(SMALL)
    assert (found.label.host, found.label.title, found.label.letters) == ("acme", "Acme", "Ac")
    assert [(program.role, program.names) for program in found.programs] == [(Role.BACKEND, ("acme",))]
    assert not found.release.signal
    assert found.environment_names == ()
    assert found.wakes == {"acme"}


# the text, the line that is named, and words of what is said of it
FAULTS = [
    ("id = ", 1, "is no TOML"),
    ('id = "acme"\nid = "x"', 2, "is no TOML"),
    ("", 1, "id is missing"),
    (SMALL.replace('"acme"\ntitle', '"Acme!"\ntitle'), 3, "id: “Acme!” cannot be used"),
    (SMALL.replace("schema = 1", "schema = 2"), 2, "schema 2 is not known"),
    (SMALL.replace('"Ac"', '"Acm"'), 5, "letters"),
    (with_lines('colour = "red"'), 10, "“colour” is not known here"),
    (with_lines('[[programs]]\nrole = "server"\nnames = ["b"]'), 11, "role “server” is not known"),
    (with_lines('[[programs]]\nrole = "infra"'), 10, "nothing tells this program"),
    (with_lines('[[programs]]\nrole = "infra"\nnames = ["bash"]'), 12, "“bash” is too wide"),
    (with_lines('[[programs]]\nrole = "infra"\nnames = ["node"]'), 12, "“node” is too wide"),
    (with_lines('[[programs]]\nrole = "infra"\nnames = ["systemd"]'), 12, "“systemd” is too wide"),
    (with_lines('[[programs]]\nrole = "infra"\nnames = ["zed"]'), 12, "“zed” is too wide"),
    (with_lines('[[programs]]\nrole = "infra"\nnames = ["a*"]'), 12, "“a*” cannot be used"),
    (with_lines('[[programs]]\nrole = "infra"\nscripts = ["dist/index.js"]'), 12, "too wide"),
    (with_lines('[[programs]]\nrole = "infra"\nscripts = ["*"]'), 12, "too wide"),
    (with_lines('[[programs]]\nrole = "infra"\nscripts = ["../x"]'), 12, "no part of a path"),
    (with_lines('[[programs]]\nrole = "infra"\nnames = ["b"]\nwithout = ["*"]'), 13, "matches everything"),
    (with_lines("[session]", 'arguments = "--resume"'), 11, "arguments is no list"),
    (with_lines("[session]", 'variable = "A B"'), 11, "variable"),
    (with_lines("[record]", 'path = "~/x.json"', 'session = "id"'), 11, "neither {pid} nor {session}"),
    (with_lines("[record]", 'path = "~/{pid}.json"'), 11, "nothing tells the session"),
    (with_lines("[record]", 'path = "sessions/{pid}.json"', 'session = "id"'), 11, "no path that can be used"),
    (with_lines("[record]", 'path = "~/../{pid}.json"', 'session = "id"'), 11, "no path that can be used"),
    (with_lines("[record]", 'path = "~/{what}/{pid}.json"', 'session = "id"'), 11, "{what} is not known"),
    (with_lines("[log]", 'path = "{home}/{session}.jsonl"'), 1, "{home} is used and no home is told"),
    (with_lines("[log]", 'path = "~/{session}.jsonl"', 'open = [{ type = "user" }]'), 10, "no time is told"),
    (with_lines("[log]", 'path = "~/{session}.jsonl"', "open = [{}]", 'time = "t"'), 12, "names no field"),
    (with_lines("[log]", 'path = "~/{session}.jsonl"', "open = [{ a = [] }]", 'time = "t"'), 12, "no value to compare"),
    (with_lines("[release]", 'signal = "KILL"'), 11, "signal “KILL” is not known"),
    (with_lines("[release]", 'command = ["acme", "stop"]'), 11, "does not name the session"),
    (with_lines("[release]", 'command = ["sh", "-c", "acme stop {session}"]'), 11, "“sh” runs anything"),
    (with_lines("[release]", 'command = ["{session}"]'), 11, "runs anything"),
    (with_lines("[release]", 'command = ["acme", "stop", "{session}", "{secret}"]'), 11, "{secret} is not known"),
    (with_lines("[release]", 'signal = "TERM"', 'refuse = "No"'), 12, "refused and offered"),
    (with_lines("[release]", "wait_s = 1000"), 11, "wait_s is no number from 0.5 to 60"),
    (with_lines("[children]", "agents = true"), 10, "agents needs a variable"),
    (SMALL.partition("[[")[0], 1, "no programs are described"),
    (SMALL.replace("[[programs]]", "[programs]"), 7, "programs is no list of tables"),
]


@pytest.mark.parametrize(("text", "line", "said"), FAULTS, ids=[said for _, _, said in FAULTS])
def test_what_is_wrong_is_told_with_its_line(text: str, line: int, said: str) -> None:
    found, faults = read(text)
    assert found is None
    assert (line, True) in [(fault.line, said in fault.what) for fault in faults], faults
    assert all(fault.mend for fault in faults)


def test_several_faults_are_told_at_once_in_the_order_of_their_lines() -> None:
    _, faults = read(with_lines("[release]", 'signal = "KILL"', "[session]", 'variable = "A B"'))
    assert [fault.line for fault in faults] == [11, 13]


def test_lines_are_told_behind_texts_and_lists_of_several_lines() -> None:
    text = '''
id = """
[not]
a = 1
"""
words = [
  "x", # a comment with "
  "]",
]
[log]
open = [
  { type = "a" },
]
[[programs]]
role = "a"
[[programs]]
"quoted = key" = 2
'''
    lines = lines_of(text)
    assert lines["id",] == 2
    assert lines["words",] == 6
    assert lines["log", "open"] == 11
    assert lines["programs", 0, "role"] == 15
    assert lines["programs", 1] == 16
    assert lines["programs", 1, "quoted = key"] == 17
    assert ("not",) not in lines


@given(st.text(max_size=400))
def test_no_text_makes_it_fail(text: str) -> None:
    found, faults = read(text)
    assert (found is None) == bool(faults)
    lines_of(text)


VALUES = st.recursive(
    st.one_of(st.text(max_size=12), st.integers(-5, 5), st.booleans(), st.floats(allow_nan=False)),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=4,
)
KEYS = st.sampled_from(
    (
        "id title letters hue rank schema interpreters value_flags look_in note home session children server record "
        "log release resume programs role names scripts packages words arguments without variables below path time "
        "open finished waiting newest signal command refuse pair wait_s tokens started agents pid pid_file nonsense"
    ).split()
)
TABLES = (
    "",
    "[home]",
    "[session]",
    "[children]",
    "[server]",
    "[record]",
    "[log]",
    "[release]",
    "[resume]",
    "[[programs]]",
)


def as_toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return (
            '"'
            + "".join(sign if (sign.isascii() and sign.isalnum()) or sign in " {}*/-~." else "?" for sign in value)
            + '"'
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(as_toml, value)) + "]"
    return str(value)


@given(st.lists(st.tuples(st.sampled_from(TABLES), st.dictionaries(KEYS, VALUES, max_size=5)), max_size=5))
def test_no_table_makes_it_fail(tables: list[tuple[str, dict[str, object]]]) -> None:
    lines: list[str] = []
    for head, values in tables:
        lines += [head.strip("-"), *(f"{key} = {as_toml(value)}" for key, value in values.items())]
    found, faults = read("\n".join(lines))
    assert (found is None) == bool(faults)
    assert all(1 <= fault.line <= max(1, len(lines)) for fault in faults)


@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_a_shipped_description_is_whole_and_its_line_in_the_table_says_the_same(path: object) -> None:
    text = path.read_text(encoding="utf-8")  # type: ignore[attr-defined]
    found = description(text)
    (entry,) = [entry for entry in SHIPPED if entry.host == path.stem]  # type: ignore[attr-defined]
    label = found.label
    assert (label.host, label.title, label.letters, label.rank) == entry[:4]
    assert label.hue is None
    assert frozenset(entry.wakes.split()) == found.wakes
    assert tuple(entry.variables.split()) == found.environment_names
    said = {word for word in (*entry.wakes.split(), *entry.words.split()) if not word.startswith("$")}
    assert said == found.words
    assert all(program.role == ADAPTER or program.role in set(Role) for program in found.programs)


def test_every_line_of_the_table_has_its_file() -> None:
    assert [path.stem for path in files()] == sorted(entry.host for entry in SHIPPED)
