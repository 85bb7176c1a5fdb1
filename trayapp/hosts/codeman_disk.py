"""What Codeman leaves on disk: which sessions it runs in tmux, and where its agents' logs are.

Reads `mux-sessions.json` of a data folder (`state.json` beside it is stale and not read), the end of the log of what
became of sessions, and the end of an agent's log.
A file is read again only when it changed. Its shapes are declared unstable, so an entry that is not understood is left
out and counted.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from trayapp.hosts.anthropic_transcript import Transcript, folder_name, read_transcript
from trayapp.hosts.files import Stamp, names_in, read_tail, read_whole, stamp
from trayapp.model.session import Problem

MUX_FILE = "mux-sessions.json"
CERTIFICATE = Path("certs") / "server.crt"
LIFECYCLE_FILE = "session-lifecycle.jsonl"
_ENDS = frozenset({"deleted", "mux_died", "stale_cleaned"})
_TAIL_BYTES = 256 * 1024
_LIMIT_BYTES = 4 * 1024 * 1024
_FOLDERS_LIMIT = 5_000
_MISS_KEPT_S = 30.0


class MuxSession(msgspec.Struct, rename="camel", frozen=True):
    """One session as it runs in tmux; `pid` is what runs in its pane, or ran there."""

    session_id: str
    mux_name: str
    pid: int | None = None
    created_at: float | None = None
    working_dir: str | None = None
    mode: str | None = None
    name: str | None = None
    respawn_config: Any = None

    @property
    def respawns(self) -> bool:
        return isinstance(self.respawn_config, dict) and self.respawn_config.get("enabled") is True


def decode_mux_sessions(data: bytes | msgspec.Raw) -> tuple[tuple[MuxSession, ...], int]:
    """Return the entries of a list and how many were not understood. Raises MsgspecError for what is no list."""
    found: list[MuxSession] = []
    entries = msgspec.json.decode(data, type=list[msgspec.Raw])
    for entry in entries:
        try:
            found.append(msgspec.json.decode(entry, type=MuxSession))
        except (msgspec.MsgspecError, UnicodeDecodeError):
            continue
    return tuple(found), len(entries) - len(found)


@dataclass(frozen=True, slots=True)
class _Kept:
    stamp: Stamp
    sessions: tuple[MuxSession, ...]
    problem: Problem | None


@dataclass(frozen=True, slots=True)
class _Log:
    stamp: Stamp
    transcript: Transcript


class _Event(msgspec.Struct, rename="camel"):
    ts: float
    event: str
    session_id: str


class Disk:
    """Read and keep; called from one worker thread at a time."""

    def __init__(self) -> None:
        self._ends: dict[Path, tuple[Stamp, dict[str, float]]] = {}
        self._mux: dict[Path, _Kept] = {}
        self._paths: dict[tuple[Path, str], Path] = {}
        self._misses: dict[tuple[Path, str], float] = {}
        self._logs: dict[Path, _Log] = {}

    def mux_sessions(self, folder: Path) -> tuple[tuple[MuxSession, ...], Problem | None]:
        """Return what a data folder says runs in tmux; a broken file is a Problem and says nothing."""
        path = folder / MUX_FILE
        try:
            now = stamp(path)
            if now is None:
                self._mux.pop(path, None)
                return (), None
            kept = self._mux.get(path)
            if kept is None or kept.stamp != now:
                sessions, strange = decode_mux_sessions(read_whole(path, limit_bytes=_LIMIT_BYTES))
                problem = _problem(path, f"{strange} of its entries are not understood") if strange else None
                kept = self._mux[path] = _Kept(now, sessions, problem)
        except OSError as fault:
            return (), _problem(path, f"cannot be read ({fault.strerror or fault})", "Check its permissions")
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return (), _problem(path, "is no list of sessions")
        return kept.sessions, kept.problem

    def ended_epoch_s(self, folder: Path, session_id: str) -> float | None:
        """Return when a session went off the lists by the server's own log; None where the log does not tell."""
        path = folder / LIFECYCLE_FILE
        try:
            now = stamp(path)
            if now is None:
                return None
            kept = self._ends.get(path)
            if kept is None or kept[0] != now:
                kept = self._ends[path] = (now, _ends(read_tail(path, limit_bytes=_TAIL_BYTES).data))
        except OSError:
            # a hint only: without it the session is looked at twice
            return None
        return kept[1].get(session_id)

    def transcript(self, config: Path, session_id: str, cwd: str | None, now_epoch_s: float) -> Transcript | None:
        """Return what the end of an agent's log says; None where it has none. Raises OSError."""
        path = self._log_path(config, session_id, cwd, now_epoch_s)
        written = stamp(path) if path is not None else None
        if path is None or written is None:
            return None
        kept = self._logs.get(path)
        if kept is None or kept.stamp != written:
            kept = self._logs[path] = _Log(written, read_transcript(path))
        return kept.transcript

    def _log_path(self, config: Path, session_id: str, cwd: str | None, now_epoch_s: float) -> Path | None:
        if os.path.basename(session_id) != session_id or session_id in ("", ".", ".."):
            return None
        key = (config, session_id)
        if key in self._paths:
            return self._paths[key]
        projects, name = config / "projects", f"{session_id}.jsonl"
        likely = projects / folder_name(cwd) / name if cwd else None
        if likely is not None and stamp(likely) is not None:
            self._paths[key] = likely
            return likely
        if 0 <= now_epoch_s - self._misses.get(key, -_MISS_KEPT_S) < _MISS_KEPT_S:
            return None
        for folder in names_in(projects, limit=_FOLDERS_LIMIT):
            if stamp(projects / folder / name) is not None:
                self._paths[key] = projects / folder / name
                return self._paths[key]
        self._misses[key] = now_epoch_s
        return None


def _ends(data: bytes) -> dict[str, float]:
    """Return the sessions whose newest event is an end, and when that was."""
    found: dict[str, float] = {}
    for line in data.splitlines():
        try:
            event = msgspec.json.decode(line, type=_Event)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            continue  # the first may be cut, the last still being written
        found.pop(event.session_id, None)
        if event.event in _ENDS:
            found[event.session_id] = event.ts / 1000
    return found


def data_folders(home: Path) -> tuple[Path, ...]:
    """Return the data folders in a home: the usual one and those of named instances."""
    try:
        named = sorted(name for name in names_in(home, limit=_FOLDERS_LIMIT) if name.startswith(".codeman-"))
    except OSError:  # a home that cannot be listed: what is in its usual folder says more
        named = []
    return (home / ".codeman", *(home / name for name in named))


def _problem(path: Path, what: str, mend: str = "If this stays, restart Codeman, which writes it anew") -> Problem:
    return Problem(where=str(path), what=what, mend=mend)
