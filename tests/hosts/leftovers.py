"""Find what a test run started and what still runs: by a variable that it inherited, or by the run's folder."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

RUN_MARK = "TRAYAPP_TEST_RUN"
"""The variable that says which test run a process belongs to; a fake that gives its own environment passes it on."""


def left_over(mark: str, folder: Path, *, deadline_s: float = 2.0) -> list[str]:
    """Return "pid argv" of each process of the run that does not end by itself until the deadline; Linux only."""
    end_s = time.monotonic() + deadline_s
    while (found := list(_of_run(mark, folder))) and time.monotonic() < end_s:
        time.sleep(0.05)
    return found


def _of_run(mark: str, folder: Path) -> Iterator[str]:
    variable, inside = f"{RUN_MARK}={mark}".encode(), os.fsencode(folder)
    for process in Path("/proc").glob("[0-9]*"):
        if process.name == str(os.getpid()):
            continue
        try:
            argv = (process / "cmdline").read_bytes()
            environ = (process / "environ").read_bytes()
            cwd = os.fsencode(os.readlink(process / "cwd"))
        except OSError:
            continue  # gone, a zombie, or another user's
        if variable in environ.split(b"\0") or any(f == inside or inside + b"/" in f for f in (argv, environ, cwd)):
            yield f"{process.name} {argv.replace(bytes(1), b' ').decode(errors='replace').strip()}"
