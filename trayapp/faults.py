"""What may be said of an error whose words may hold what a program signed in with: its kind, and where it came from."""

from __future__ import annotations

import traceback
from pathlib import PurePath

from trayapp.say import noted


def kind_and_place(fault: BaseException) -> str:
    """Return the kind of an error and the line that raised it: "KeyError in host.py, line 40"."""
    frames = traceback.extract_tb(fault.__traceback__)
    if not frames:
        return type(fault).__name__
    file, line = PurePath(frames[-1].filename).name, frames[-1].lineno
    return noted("{kind} in {file}, line {line}").format(kind=type(fault).__name__, file=file, line=line)


def without_words(fault: BaseException) -> str:
    """Return the way that an error took, for a log."""
    return f"{type(fault).__name__}\n{''.join(traceback.format_tb(fault.__traceback__))}"
