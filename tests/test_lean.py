"""msgspec comes without typing_extensions and does all that it does here; each in a program of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

ALONE = """
import sys
from trayapp import lean
lean.import_msgspec()
assert "typing_extensions" not in sys.modules
from typing import Annotated
import msgspec
class Told(msgspec.Struct, rename="camel"):
    how_many: Annotated[int, msgspec.Meta(ge=1)] | None = None
    rest: dict[str, list[str]] = {}
print(msgspec.json.decode(b'{"howMany": 3, "rest": {"a": ["b"]}}', type=Told))
print(msgspec.convert({"a": 1.5}, dict[str, float]))
try:
    msgspec.json.decode(b'{"howMany": 0}', type=Told)
except msgspec.ValidationError as error:
    print(error)
"""


def run(script: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, check=True, capture_output=True, text=True, timeout=60
    )
    return done.stdout.splitlines()


def test_msgspec_reads_and_checks_without_it() -> None:
    assert run(ALONE) == [
        "Told(how_many=3, rest={'a': ['b']})",
        "{'a': 1.5}",
        "Expected `int` >= 1 - at `$.howMany`",
    ]


def test_others_get_typing_extensions_as_ever() -> None:
    script = f"{ALONE}\nimport typing_extensions\nprint(typing_extensions.__name__)"
    assert run(script)[-1] == "typing_extensions"


def test_whoever_has_it_already_keeps_it() -> None:
    script = "import typing_extensions\nfrom trayapp import lean\nlean.import_msgspec()\nimport msgspec\nprint('both')"
    assert run(script) == ["both"]
