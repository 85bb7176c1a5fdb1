"""What the window was like when it was last used: its columns, their order, its range and its place on the screen.

A small file of its own, apart from the settings: nobody writes it by hand, and losing it loses nothing but habits.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from trayapp.say import say

VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class UiState:
    """Hold what is remembered; names that this version does not know are passed over.

    Attributes:
        columns: by name, whether the user wants it; what is not in it is as usual.
        sort: name of the column that the tree is sorted by, "" = as usual.
        range_s: length of the range of the chart.
        stack_by: what a layer of the chart stands for, "" = as usual.
        place: x, y, width and height of the window, in device-independent pixels.
    """

    version: int = VERSION
    columns: Mapping[str, bool] = field(default_factory=dict)
    sort: str = ""
    descending: bool = True
    range_s: float | None = None
    stack_by: str = ""
    place: tuple[int, int, int, int] | None = None
    maximized: bool = False


class UiStateFile:
    """Remember the state of the window in a file; without a path for as long as the app runs.

    Attributes:
        fault: one sentence on what could not be read or written, "" while all is well.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self.fault = ""
        self.now = UiState() if path is None else self._load(path)

    def _load(self, path: Path) -> UiState:
        import msgspec

        try:
            found = msgspec.json.decode(path.read_bytes(), type=UiState)
        except FileNotFoundError:
            return UiState()
        except (OSError, msgspec.MsgspecError) as fault:
            self.fault = say(
                "{file} cannot be read: {fault}. The window starts as new, and the file is written anew.",
                file=path,
                fault=fault,
            )
            return UiState()
        if found.version > VERSION:  # of a newer Agent Ring: left as it is
            self._path = None
            self.fault = say(
                "{file} is from a newer Agent Ring. The window starts as new, and remembers nothing.", file=path
            )
            return UiState()
        return found

    def remember(self, **changes: Any) -> None:
        """Change some of it, and write the file if that is another state than before."""
        wanted = replace(self.now, **changes)
        if wanted == self.now:
            return
        self.now = wanted
        if self._path is not None:
            self._save(self._path)

    def _save(self, path: Path) -> None:
        import msgspec

        beside = path.with_name(path.name + ".new")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            beside.write_bytes(msgspec.json.encode(self.now))
            os.replace(beside, path)
        except OSError as fault:
            self.fault = say(
                "{file} cannot be written: {fault}. The window forgets its columns.", file=path, fault=fault
            )
