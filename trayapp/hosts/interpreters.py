"""Scripts behind interpreters: which programs run them, and where in the arguments the script stands. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

_INTERPRETERS = frozenset("node nodejs bun deno electron tsx ts-node python ruby perl php java dotnet".split())
_VALUE_FLAGS = frozenset(
    "-r --require --import --loader --experimental-loader --env-file -C --conditions -W -X --preload".split()
)
_INLINE = frozenset({"-e", "--eval", "-p", "--print", "-c", "-pe"})
_PYTHON = re.compile(r"python[\d.]*w?|pypy[\d.]*")


def is_interpreter(name: str, more: Sequence[str] = ()) -> bool:
    """Say whether a program of that name runs scripts."""
    return name in _INTERPRETERS or name in more or _PYTHON.fullmatch(name.lower()) is not None


def script_at(argv: Sequence[str]) -> int | None:
    """Return where in an interpreter's arguments the script (or module) stands; None for code in an argument."""
    skip = False
    for position, argument in enumerate(argv[1:], start=1):
        if skip:
            skip = False
        elif argument == "-m":
            return position + 1 if position + 1 < len(argv) else None
        elif argument in _VALUE_FLAGS:
            skip = True
        elif argument in _INLINE:
            return None
        elif argument and not argument.startswith("-") and not (position == 1 and argument == "run"):
            return position
    return None
