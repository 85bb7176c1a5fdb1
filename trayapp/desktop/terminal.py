"""Open a command in the user's own terminal, in its folder, so that a session can be brought back by one click.

No part of a command ever becomes text of a shell: scripts are fixed, and what is run is handed to them as arguments
(macOS: quoted, in a file that only this user can read; Windows: refused where a character could mean something to
cmd). What is opened is nobody's child and gets a clean environment: not what Agent Ring, or an agent that started it,
was given. Called on a person's click only. Knows no host and no Qt.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

TERMINALS: Mapping[str, tuple[str, ...]] = {
    "x-terminal-emulator": ("-e",),  # Debian's policy: the rest of the line is the command
    "gnome-terminal": ("--",),
    "konsole": ("-e",),
    "xfce4-terminal": ("-x",),  # -e takes one text, which it splits itself
    "kitty": (),
    "alacritty": ("-e",),
    "wezterm": ("start", "--"),
    "foot": (),
    "xterm": ("-e",),
}
"""What stands between a terminal and the command that it runs, in the order in which they are looked for."""

KEPT = re.compile(
    "HOME|USER|LOGNAME|SHELL|PATH|LANG|LANGUAGE|LC_.*|TZ|TMPDIR|TERMINAL"
    "|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_.*|DBUS_SESSION_BUS_ADDRESS|DESKTOP_SESSION|KDE_.*|GTK_.*|SSH_AUTH_SOCK"
    "|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|USERPROFILE|USERNAME|USERDOMAIN|HOMEDRIVE|HOMEPATH|APPDATA"
    "|LOCALAPPDATA|PROGRAM(DATA|FILES.*|W6432)|TEMP|TMP|COMPUTERNAME|PROCESSOR_.*|NUMBER_OF_PROCESSORS|OS"
)
"""Variables that a desktop gives everything that it starts; all others stay behind."""

RUN = 'cd -- "$1" || exit 1; shift; "$@"; exec "$0" -l -i'
"""Runs its arguments in a folder, and then stays as a shell, so that what went wrong can be read."""

LEAVE_ALONE = '"$@" </dev/null >/dev/null 2>&1 &'
"""Starts its arguments and ends: they are nobody's child here, and leave no zombie behind."""

_POSIX_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "mksh"})
_PLAIN = re.compile(r"[A-Za-z0-9_./:\\@+,=~ -]*")
_START_S = 5.0


class CannotOpen(Exception):
    """No terminal can be opened; the message is one sentence for people."""


def _start(command: Sequence[str], cwd: str, environ: Mapping[str, str]) -> None:
    """Start a program that is not waited for; raises OSError."""
    if os.name == "nt":
        flags = getattr(subprocess, "CREATE_NEW_CONSOLE", 0)
        started = subprocess.Popen(list(command), cwd=cwd, env=dict(environ), creationflags=flags, close_fds=True)
        started.returncode = 0  # nobody waits for it, and there is nothing to reap
        return
    subprocess.run(
        ["/bin/sh", "-c", LEAVE_ALONE, "sh", *command],
        cwd=cwd,
        env=dict(environ),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        check=True,
        timeout=_START_S,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Desktop:
    """Hold what is asked of this computer, so that tests can stand in for it."""

    platform: str = sys.platform
    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    which: Callable[[str, str | None], str | None] = lambda name, path: shutil.which(name, path=path)
    start: Callable[[Sequence[str], str, Mapping[str, str]], None] = _start


def open_in_terminal(argv: Sequence[str], cwd: str | None, desktop: Desktop | None = None) -> str:
    """Run a command in a new window of the user's terminal; returns that terminal's name. Raises CannotOpen.

    A `cwd` of None is the home folder; a leading ~ is the user's.
    """
    here = desktop if desktop is not None else Desktop()
    if not argv or any("\0" in part for part in argv):
        raise CannotOpen("There is no command to run")
    folder = _folder(cwd, here)
    environ = {name: value for name, value in here.environ.items() if KEPT.fullmatch(name.upper())}
    try:
        if here.platform == "darwin":
            return _on_macos(argv, folder, environ, here)
        if here.platform == "win32":
            return _on_windows(argv, folder, environ, here)
        return _on_linux(argv, folder, environ, here)
    except (OSError, subprocess.SubprocessError) as error:
        raise CannotOpen(f"The terminal could not be started: {error}") from error


def _folder(cwd: str | None, here: Desktop) -> str:
    home = here.environ.get("HOME") or here.environ.get("USERPROFILE") or str(Path.home())
    folder = home if cwd is None else cwd
    if folder == "~" or folder.startswith("~/"):
        folder = home + folder[1:]
    if not Path(folder).is_dir():
        raise CannotOpen(f"Its folder is not there any more: {folder}")
    return folder


def in_shell(argv: Sequence[str], folder: str, environ: Mapping[str, str]) -> list[str]:
    """Return how the user's shell runs a command, with its PATH as in any other window, and stays afterwards."""
    shell = environ.get("SHELL") or "/bin/sh"
    if Path(shell).name in _POSIX_SHELLS:
        return [shell, "-l", "-i", "-c", RUN, shell, folder, *argv]
    # fish and the like have words of their own: they set the PATH, then sh runs the command
    if Path(shell).name == "fish":
        return [shell, "-l", "-i", "-c", "exec $argv", "/bin/sh", "-c", RUN, shell, folder, *argv]
    return ["/bin/sh", "-c", RUN, "/bin/sh", folder, *argv]


# ---- Linux


def find_terminal(here: Desktop) -> list[str]:
    """Return the terminal with what stands before its command: $TERMINAL, else the first that is found."""
    if not (here.environ.get("DISPLAY") or here.environ.get("WAYLAND_DISPLAY")):
        raise CannotOpen("There is no screen to open a terminal on")
    path = here.environ.get("PATH")
    wished = _words(here.environ.get("TERMINAL", ""))
    if wished and (found := here.which(wished[0], path)) is not None:
        before = TERMINALS.get(Path(wished[0]).name, ("-e",))
        return [found, *wished[1:], *before]
    for name, before in TERMINALS.items():
        if (found := here.which(name, path)) is not None:
            return [found, *before]
    raise CannotOpen("No terminal was found. Set TERMINAL to the one that you use")


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return []  # a quotation mark without its partner names no program


def _on_linux(argv: Sequence[str], folder: str, environ: Mapping[str, str], here: Desktop) -> str:
    terminal = find_terminal(here)
    here.start([*terminal, *in_shell(argv, folder, environ)], folder, environ)
    return Path(terminal[0]).name


# ---- macOS


def _on_macos(argv: Sequence[str], folder: str, environ: Mapping[str, str], here: Desktop) -> str:
    """Let the system open a file that runs the command, with whatever the user opens such files with."""
    shell = {"SHELL": "/bin/zsh", **environ}
    line = shlex.join(in_shell(argv, folder, shell))
    script = Path(tempfile.mkdtemp(prefix="agentring-")) / "resume.command"
    text = f'#!/bin/sh\nrm -f -- "$0"\nrmdir -- "${{0%/*}}"\nexec {line}\n'
    descriptor = os.open(script, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o700)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    here.start(["/usr/bin/open", str(script)], folder, environ)
    return "Terminal"


# ---- Windows


def _on_windows(argv: Sequence[str], folder: str, environ: Mapping[str, str], here: Desktop) -> str:
    """Run it below cmd, which finds programs and stays; cmd reads its line anew, so plain characters only."""
    if not all(_PLAIN.fullmatch(part) for part in (*argv, folder)):
        raise CannotOpen("The command holds a character that means something else to cmd")
    path = here.environ.get("PATH")
    shell = here.environ.get("COMSPEC") or here.which("cmd.exe", path) or "cmd.exe"
    run = [shell, "/k", *argv]
    if (windows_terminal := here.which("wt.exe", path)) is not None:
        here.start([windows_terminal, "-d", folder, *run], folder, environ)
        return "Windows Terminal"
    here.start(run, folder, environ)
    return "cmd"
