"""The files of Codex homes, kept between looks: what is not changed is not read again.

Knows where logs lie (`<home>/sessions/Y/M/D/`), that an id of today's form holds the day of its thread, and how to find
the one log that began in a folder since a process did. Runs in the worker thread of one look at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import TypeVar
from uuid import UUID

from trayapp.hosts.codex_rollout import INDEX, Rollout, id_of, read_beginning, read_names, read_rollout
from trayapp.hosts.files import Stamp, names_in, stamp
from trayapp.model.session import Problem
from trayapp.say import noted

_T = TypeVar("_T")

_MISS_KEPT_S = 15.0
_DAYS_LIMIT = 400
_RECENT_DAYS = 3
_NAMES_LIMIT = 20_000
_CANDIDATES_LIMIT = 32
_WITH_TIME = 7
"""The version of ids that begin with the time, in milliseconds."""


class Logs:
    """Hold what was read, and what of it was used since `begin`; `problems` is what could not be read since then."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self._logs: dict[Path, tuple[Stamp, Rollout]] = {}
        self._firsts: dict[Path, tuple[int, Rollout]] = {}
        self._names: dict[Path, tuple[Stamp, dict[str, str]]] = {}
        self._paths: dict[str, Path] = {}
        self._missed: dict[str, float] = {}
        self._used: set[Path | str] = set()
        self._now_epoch_s = 0.0

    def begin(self, now_epoch_s: float) -> None:
        """Begin a look."""
        self.problems = []
        self._used = set()
        self._now_epoch_s = now_epoch_s

    def forget_unused(self) -> None:
        """Drop what the look that ends now did not ask for."""
        used = self._used
        self._logs = {path: kept for path, kept in self._logs.items() if path in used}
        self._firsts = {path: kept for path, kept in self._firsts.items() if path in used}
        self._names = {path: kept for path, kept in self._names.items() if path in used}
        self._paths = {known: path for known, path in self._paths.items() if known in used}
        self._missed = {known: at for known, at in self._missed.items() if known in used}

    def rollout(self, path: Path) -> Rollout | None:
        """Return what a log says; None where it is not there or cannot be read, which is then a problem."""
        kept = self._read(self._logs, path, read_rollout, noted("the log cannot be read ({error})"))
        if kept is not None and kept.broken_lines:
            self._problem(
                path, noted("damaged lines are left out"), noted("The rest is used; nothing needs to be done")
            )
        return kept

    def name_of(self, home: Path, session_id: str) -> str | None:
        """Return the name of a thread in the index of its home."""
        names = self._read(self._names, home / INDEX, read_names, noted("the index cannot be read ({error})"))
        return names.get(session_id) if names is not None else None

    def path_of(self, session_id: str, home: Path) -> Path | None:
        """Return where the log of a thread lies; a miss is kept for a while."""
        self._used.add(session_id)
        known = self._paths.get(session_id)
        if known is not None or 0 <= self._now_epoch_s - self._missed.get(session_id, -_MISS_KEPT_S) < _MISS_KEPT_S:
            return known
        days = _days_of(session_id, home / "sessions")
        for day in days if days is not None else islice(self._days(home), _DAYS_LIMIT):
            for name in self._names_in(day):
                if id_of(name) == session_id:
                    self._paths[session_id] = day / name
                    return day / name
        self._missed[session_id] = self._now_epoch_s
        return None

    def begun_since(self, began_epoch_s: float, cwd: str, home: Path) -> list[Path]:
        """Return the logs of the newest days that began in a folder at that time or later."""
        days = list(islice(self._days(home), _RECENT_DAYS))
        names = [day / name for day in days for name in sorted(self._names_in(day), reverse=True) if id_of(name)]
        found = []
        for path in names[:_CANDIDATES_LIMIT]:
            written = self._stamp(path)
            # a file cannot hold a record newer than its own last change; the change itself proves nothing
            if written is None or written.mtime_ns / 1e9 < began_epoch_s:
                continue
            first = self._first(path, written)
            if first is not None and first.cwd == cwd and (first.began_epoch_s or 0.0) >= began_epoch_s:
                found.append(path)
        return found

    # -- reading --------------------------------------------------------------------------------------------------

    def _read(
        self, kept: dict[Path, tuple[Stamp, _T]], path: Path, read: Callable[[Path], _T], trouble: str
    ) -> _T | None:
        self._used.add(path)
        written = self._stamp(path)
        if written is None:
            return None
        known = kept.get(path)
        if known is None or known[0] != written:
            try:
                known = kept[path] = (written, read(path))
            except OSError as fault:
                self._problem(path, trouble.format(error=fault.strerror), noted("Check its permissions"))
                return None
        return known[1]

    def _first(self, path: Path, written: Stamp) -> Rollout | None:
        """Return what the first record says, which stays as it is once it is whole."""
        self._used.add(path)
        known = self._firsts.get(path)
        if known is None or known[0] != written.inode or known[1].began_epoch_s is None:
            try:
                known = self._firsts[path] = (written.inode, read_beginning(path))
            except OSError:
                return None
        return known[1]

    def _days(self, home: Path) -> Iterable[Path]:
        """Yield the folders of days, newest first."""
        for year in self._numbers(home / "sessions"):
            for month in self._numbers(year):
                yield from self._numbers(month)

    def _numbers(self, folder: Path) -> list[Path]:
        return [folder / name for name in sorted((n for n in self._names_in(folder) if n.isdecimal()), reverse=True)]

    def _stamp(self, path: Path) -> Stamp | None:
        try:
            return stamp(path)
        except OSError as fault:
            what = noted("cannot be looked at ({error})").format(error=fault.strerror)
            self._problem(path, what, noted("Check its permissions"))
            return None

    def _names_in(self, folder: Path) -> list[str]:
        try:
            return names_in(folder, limit=_NAMES_LIMIT)
        except OSError as fault:
            what = noted("the folder cannot be read ({error})").format(error=fault.strerror)
            self._problem(folder, what, noted("Check its permissions"))
            return []

    def _problem(self, path: Path, what: str, mend: str) -> None:
        problem = Problem(where=str(path), what=what, mend=mend)
        if problem not in self.problems:
            self.problems.append(problem)


def _days_of(session_id: str, sessions: Path) -> Iterator[Path] | None:
    """Return the folders in which a thread's log can lie, by the time in its id; None where it holds none."""
    try:
        given = UUID(session_id)
        if given.version != _WITH_TIME:
            return None
        began = datetime.fromtimestamp((given.int >> 80) / 1000, UTC)
        # folders are named in the local time of the one who began it
        days = [began + timedelta(days=shift) for shift in (0, -1, 1)]
    except (ValueError, OverflowError, OSError):
        return None
    return (sessions / f"{day:%Y}" / f"{day:%m}" / f"{day:%d}" for day in days)
