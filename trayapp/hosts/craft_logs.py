"""Where the agents of Craft Agents write what they do, and what stands there; read again only when a file changed.

The logs are appended to, message by message: those of the other host's agent lie where that agent's own lie
(`~/.claude` or $CLAUDE_CONFIG_DIR), those of Pi in the session's folder.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from trayapp.hosts.anthropic_evidence import RACE_S
from trayapp.hosts.anthropic_transcript import (
    Transcript,
    first_record_epoch_s,
    folder_name,
    read_transcript,
)
from trayapp.hosts.craft_disk import Stored, pi_log
from trayapp.hosts.craft_pi import read_pi_log
from trayapp.hosts.craft_programs import CLAUDE_CONFIG_DIR
from trayapp.hosts.files import Stamp, names_in, stamp
from trayapp.model.process import Process

_FOLDERS_LIMIT = 5_000
_SUBAGENTS_LIMIT = 16
_MISS_KEPT_S = 30.0


class Logs:
    """Keep what logs say, and where they lie. Called from one thread at a time."""

    def __init__(self) -> None:
        self._read: dict[Path, tuple[Stamp, Transcript]] = {}
        self._paths: dict[str, Path] = {}
        self._missed_s: dict[str, float] = {}
        self._born: dict[Path, float] = {}
        self._used: set[Path] = set()

    def begin(self) -> None:
        """Begin a look; what it does not use is forgotten at its end."""
        self._used = set()

    def end(self) -> None:
        """Forget what was not used."""
        self._read = {path: kept for path, kept in self._read.items() if path in self._used}
        self._paths = {known: path for known, path in self._paths.items() if path in self._used}
        self._born = {path: at for path, at in self._born.items() if path in self._used}

    def path_of(
        self,
        sdk_id: str,
        cwd: str | None,
        process: Process | None,
        *,
        home: Path,
        environ: Mapping[str, str],
        now_s: float,
    ) -> Path | None:
        """Return the agent's log of an id: in the folder of its cwd, else in any project folder; None without one."""
        if os.path.basename(sdk_id) != sdk_id or sdk_id in ("", ".", ".."):
            return None
        known = self._paths.get(sdk_id)
        if known is None:
            given = (process.env.get(CLAUDE_CONFIG_DIR) if process is not None else None) or environ.get(
                CLAUDE_CONFIG_DIR
            )
            config = Path(given) if given and os.path.isabs(given) else home / ".claude"
            known = self._find(config / "projects", sdk_id, cwd, now_s)
            if known is not None:
                self._paths[sdk_id] = known
        if known is not None:
            self._used.add(known)
        return known

    def read(self, path: Path) -> Transcript | None:
        """Return what an agent's log says; None where it is not there. Raises OSError."""
        return self._kept(path, read_transcript)

    def read_pi(self, stored: Stored) -> Transcript | None:
        """Return what the log of a Pi session says; None where it has none yet. Raises OSError."""
        path = pi_log(stored)
        return self._kept(path, read_pi_log) if path is not None else None

    def born_epoch_s(self, path: Path) -> float | None:
        """Return when a log begins; None where that cannot be told."""
        self._used.add(path)
        if path not in self._born:
            try:
                at = first_record_epoch_s(path)
            except OSError:
                return None
            if at is None:
                return None
            self._born[path] = at
        return self._born[path]

    def subagents(self, log: Path, *, began_epoch_s: float) -> tuple[Transcript, ...]:
        """Return what the logs of the subagents say that were written since their agent began, newest first."""
        folder = log.with_suffix("") / "subagents"
        written: list[tuple[int, Path]] = []
        try:
            for name in names_in(folder, limit=_FOLDERS_LIMIT):
                if name.startswith("agent-") and name.endswith(".jsonl"):
                    now = stamp(folder / name)
                    if now is not None and now.mtime_ns / 1e9 >= began_epoch_s - RACE_S:
                        written.append((now.mtime_ns, folder / name))
            newest = [
                self._kept(path, partial(read_transcript, of_subagent=True))
                for _, path in sorted(written, reverse=True)[:_SUBAGENTS_LIMIT]
            ]
        except OSError:
            return ()
        return tuple(agent for agent in newest if agent is not None)

    def _kept(self, path: Path, reader: Callable[[Path], Transcript]) -> Transcript | None:
        self._used.add(path)
        now = stamp(path)
        if now is None:
            return None
        kept = self._read.get(path)
        if kept is None or kept[0] != now:
            kept = self._read[path] = (now, reader(path))
        return kept[1]

    def _find(self, projects: Path, sdk_id: str, cwd: str | None, now_s: float) -> Path | None:
        try:
            for folder in {folder_name(cwd), folder_name(os.path.realpath(cwd))} if cwd else ():
                if stamp(projects / folder / f"{sdk_id}.jsonl") is not None:
                    return projects / folder / f"{sdk_id}.jsonl"
            missed_s = self._missed_s.get(sdk_id)
            if missed_s is not None and now_s - missed_s < _MISS_KEPT_S:
                return None
            for folder in names_in(projects, limit=_FOLDERS_LIMIT):
                if stamp(projects / folder / f"{sdk_id}.jsonl") is not None:
                    return projects / folder / f"{sdk_id}.jsonl"
        except OSError:
            return None
        self._missed_s[sdk_id] = now_s
        return None
