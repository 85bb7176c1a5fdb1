"""The settings while a program runs: those that hold now, also when their file is changed beside it.

A tray app and the command line use one file; what is allowed or forbidden by the one holds for the other at once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from trayapp.model.session import Problem
from trayapp.settings import Settings, load

_Seen = tuple[int, int, int]


class SettingsKeeper:
    """Hold the settings and write them; every method may be called from any thread.

    `on_reload` is called with the settings before and after, in the thread that found the file changed.
    """

    def __init__(
        self,
        path: Path,
        settings: Settings,
        *,
        problems: Sequence[Problem] = (),
        on_reload: Callable[[Settings, Settings], None],
    ) -> None:
        self._path, self._on_reload = path, on_reload
        self._lock = threading.Lock()
        self._settings = settings
        self._problems = tuple(problems)
        self._seen = self._look()
        self._unsaved = 0

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Return what is wrong in the file, as it was read last."""
        return self._problems

    @property
    def now(self) -> Settings:
        """Return the settings that hold; one look at the file, which is read again when it is another one."""
        with self._lock:
            before, seen = self._settings, self._look()
            if self._unsaved or seen == self._seen:
                return before
            self._seen = seen
            self._settings, self._problems = after, _ = load(self._path, before=before)
        if after != before:
            self._on_reload(before, after)
        return after

    def use(self, settings: Settings) -> None:
        """Let the settings hold from now on; `save` has to follow."""
        with self._lock:
            self._settings = settings
            self._unsaved += 1

    def save(self, settings: Settings) -> None:
        """Write the settings that were taken over by `use`. Raises OSError."""
        told: tuple[Problem, ...] = ()
        try:
            from trayapp.settings_writing import save  # a day may go by without any

            set_aside = save(self._path, settings)
            told = load(self._path)[1]
            if set_aside is not None:
                told = (set_aside, *told)
        finally:
            with self._lock:
                self._unsaved -= 1
                self._problems = told
                self._seen = self._look()

    def _look(self) -> _Seen | None:
        """Return what tells one file from another; None where there is none."""
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns
