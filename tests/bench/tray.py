"""Memory and start of the tray app whose popover was never opened, against a bare PySide6 tray on the same X server.

A start is over when the tray has taken the icon in: the X server tells that a window was given a new parent. Processes
are fresh each time and take turns.
"""

from __future__ import annotations

import ctypes
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.crowd import rss_bytes
from tests.bench.figures import CHECKOUT, MIB, Effort, Figure, figure, lacking, missing, ratio, scratch
from tests.bench.minute import cpu_s, desk_with_tray, environment_of, private_dirty_bytes
from tests.x11.desk import Desk

SETTLE_S = {"app": 8.0, "bare": 2.0}
"""By then the app has looked four times and made what it makes ahead."""
DEADLINE_S = 30.0
APP, BARE = "app", "bare"
COMMANDS = {APP: ["-m", "trayapp"], BARE: [str(Path(__file__).with_name("bare_tray.py"))]}

_SUBSTRUCTURE_NOTIFY_MASK = 1 << 19  # X11/X.h
_REPARENT_NOTIFY = 21


def measure(effort: Effort) -> Iterator[Figure]:
    names = ("tray_private_dirty_over_bare_tray", "tray_resident_over_bare_tray", "start_to_tray_over_bare_tray")
    why = lacking("Xvfb", "trayer", "xdotool")
    if why:
        for name in names:
            yield missing(name, "ratio", why)
        return
    rounds = effort.pick(7, 3)
    rows: dict[str, dict[str, list[float]]] = {way: {} for way in COMMANDS}
    with scratch() as root, desk_with_tray() as desk, _watching(desk) as icons:
        for number in range(rounds + 1):
            for way in (APP, BARE) if number % 2 else (BARE, APP):
                (root / f"{way}-{number}").mkdir()
                seen = _trial(way, desk, icons, root / f"{way}-{number}")
                for name, value in seen.items() if number else ():  # the first of each warms the page cache
                    rows[way].setdefault(name, []).append(value)
    ours, bare = rows[APP], rows[BARE]
    yield ratio("tray_private_dirty_over_bare_tray", ours["private_dirty"], bare["private_dirty"], "no session runs")
    yield ratio("tray_resident_over_bare_tray", ours["resident"], bare["resident"], "no session runs")
    yield ratio("start_to_tray_over_bare_tray", ours["start_ms"], bare["start_ms"], "elapsed time")
    yield ratio("start_to_tray_cpu_over_bare_tray", ours["start_cpu_ms"], bare["start_cpu_ms"], "CPU until then")
    for name, unit in (("private_dirty", "MiB"), ("resident", "MiB"), ("start_ms", "ms"), ("start_cpu_ms", "ms")):
        yield figure(f"tray_{name}", ours[name], unit)
        yield figure(f"bare_tray_{name}", bare[name], unit)


def _trial(way: str, desk: Desk, icons: _Icons, root: Path) -> dict[str, float]:
    """Start one of them, and tell of it in milliseconds and MiB."""
    environment = environment_of(desk, root, None)
    icons.forget()
    began_s = time.monotonic()
    with (root / "log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, *COMMANDS[way]], cwd=CHECKOUT, env=environment, stdout=log, stderr=log
        )
        try:
            icons.wait()
            start_s, start_cpu_s = time.monotonic() - began_s, cpu_s(process.pid)
            time.sleep(SETTLE_S[way])
            if process.poll() is not None:
                raise RuntimeError(f"{way} ended: {(root / 'log').read_text()}")
            return {
                "start_ms": start_s * 1000,
                "start_cpu_ms": start_cpu_s * 1000,
                "private_dirty": private_dirty_bytes(process.pid) / MIB,
                "resident": rss_bytes(process.pid) / MIB,
            }
        finally:
            process.terminate()
            process.wait(20)


class _Icons:
    """Hear when the tray takes an icon in."""

    def __init__(self, x11: ctypes.CDLL, display: ctypes.c_void_p) -> None:
        self._x11, self._display = x11, display
        self._root = x11.XDefaultRootWindow(display)
        x11.XSelectInput(display, ctypes.c_ulong(self._root), ctypes.c_long(_SUBSTRUCTURE_NOTIFY_MASK))
        x11.XSync(display, 0)

    def forget(self) -> None:
        self._x11.XSync(self._display, 1)

    def wait(self) -> None:
        event = ctypes.create_string_buffer(192)  # an XEvent is a union of 24 longs
        deadline_s = time.monotonic() + DEADLINE_S
        while time.monotonic() < deadline_s:
            if not self._x11.XPending(self._display):
                select.select([self._x11.XConnectionNumber(self._display)], [], [], 1.0)
                continue
            self._x11.XNextEvent(self._display, event)
            kind = ctypes.c_int.from_buffer(event).value
            parent = ctypes.c_ulong.from_buffer(event, 6 * ctypes.sizeof(ctypes.c_ulong)).value  # XReparentEvent
            if kind == _REPARENT_NOTIFY and parent != self._root:
                return
        raise TimeoutError("no icon came into the tray")


@contextmanager
def _watching(desk: Desk) -> Iterator[_Icons]:
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XDefaultRootWindow.restype = ctypes.c_ulong
    display = ctypes.c_void_p(x11.XOpenDisplay(desk.display.encode()))
    x11.XDefaultRootWindow.argtypes = x11.XPending.argtypes = x11.XConnectionNumber.argtypes = [ctypes.c_void_p]
    try:
        yield _Icons(x11, display)
    finally:
        x11.XCloseDisplay(display)
