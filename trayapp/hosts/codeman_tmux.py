"""What tmux itself says of the panes in which Codeman runs its agents; works with Codeman's server down.

Asks one socket with one `list-panes`, with a time limit and never through a shell. Changes nothing in tmux, and starts
no tmux server.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import stat
from collections.abc import Mapping
from dataclasses import dataclass

ANSWER_TIMEOUT_S = 2.0
_ANSWER_LIMIT_BYTES = 1024 * 1024
_FIELDS = ("pane_pid", "pane_dead", "pane_dead_status", "pane_dead_time", "window_activity", "session_name")
_FORMAT = "|".join(f"#{{{name}}}" for name in _FIELDS)
"""The session's name comes last: it alone may hold the separator."""


class TmuxSilent(Exception):
    """tmux cannot be asked; the text says why, as a sentence without a full stop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pane:
    """One pane.

    Attributes:
        mux_name: the tmux session that it is in.
        pid: of what runs in it, or ran when it is `dead`.
        exit_status: of a dead one; None = not told.
        activity_epoch_s: when its window last changed; moves with output, unlike the session's own.
    """

    mux_name: str
    pid: int
    dead: bool
    activity_epoch_s: float | None
    exit_status: int | None = None
    died_epoch_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Panes:
    """What one socket said, when; None = it could not be asked."""

    panes: tuple[Pane, ...] | None
    read_epoch_s: float
    fault: str | None = None


async def panes_on(path: str, exe: str | None, now_epoch_s: float) -> Panes:
    """Ask one socket; what it cannot tell becomes a fault. `exe` is the server's own program, where that is known."""
    program = program_for(exe, os.environ)
    if program is None:
        return Panes(panes=None, read_epoch_s=now_epoch_s, fault="there is no tmux to ask")
    try:
        return Panes(panes=await list_panes(path, program), read_epoch_s=now_epoch_s)
    except TmuxSilent as fault:
        return Panes(panes=None, read_epoch_s=now_epoch_s, fault=str(fault))


async def list_panes(socket_path: str, program: str) -> tuple[Pane, ...]:
    """Return all panes of the tmux server on that socket; none where there is no server. Raises TmuxSilent."""
    if not _is_own_socket(socket_path):
        return ()
    environ = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    try:
        process = await asyncio.create_subprocess_exec(
            *(program, "-S", socket_path, "list-panes", "-a", "-F", _FORMAT),
            env=environ,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
    except OSError as fault:
        raise TmuxSilent(f"tmux could not be started ({fault.strerror or fault})") from fault
    try:
        output, complaint = await asyncio.wait_for(process.communicate(), ANSWER_TIMEOUT_S)
    except TimeoutError:
        raise TmuxSilent(f"tmux did not answer within {ANSWER_TIMEOUT_S:.0f} s") from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    said = complaint.decode(errors="replace").strip()
    if process.returncode != 0:
        if "no server running" in said or "error connecting" in said:
            return ()
        raise TmuxSilent(f"tmux answered: {said[:120] or f'exit {process.returncode}'}")
    return parse(output[:_ANSWER_LIMIT_BYTES].decode(errors="replace"))


def parse(text: str) -> tuple[Pane, ...]:
    """Return the panes that an answer tells of; lines of another shape are left out."""
    panes = []
    for line in text.splitlines():
        parts = line.split("|", len(_FIELDS) - 1)
        pid = _number(parts[0])
        if len(parts) != len(_FIELDS) or pid is None:
            continue
        status, died, activity = _number(parts[2]), _number(parts[3]), _number(parts[4])
        panes.append(
            Pane(
                mux_name=parts[5],
                pid=pid,
                dead=parts[1] == "1",
                exit_status=status,
                died_epoch_s=float(died) if died else None,
                activity_epoch_s=float(activity) if activity else None,
            )
        )
    return tuple(panes)


def program_for(exe: str | None, environ: Mapping[str, str]) -> str | None:
    """Return the tmux to ask with: the very one that serves, where that is known, since versions do not mix."""
    if exe is not None and os.path.basename(exe) == "tmux" and os.access(exe, os.X_OK):
        return exe
    return shutil.which("tmux", path=environ.get("PATH"))


def _is_own_socket(path: str) -> bool:
    """Say whether there is a socket that no other user could have put there."""
    try:
        found = os.stat(path)
    except OSError:
        return False
    return stat.S_ISSOCK(found.st_mode) and (not hasattr(os, "getuid") or found.st_uid == os.getuid())


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() else None
