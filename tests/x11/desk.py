"""A desk for tests: an X server of its own, a tray, a mouse, and the application as a user would start it."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from tests.trees import CHECKOUT, until

SCREEN = (1280, 900)
Rect = tuple[int, int, int, int]
STAYS_S = 0.3
"""Three looks of the runner."""


class _ClientMessage(ctypes.Structure):
    """XClientMessageEvent of Xlib.h."""

    _fields_ = (
        ("type", ctypes.c_int),
        ("serial", ctypes.c_ulong),
        ("send_event", ctypes.c_int),
        ("display", ctypes.c_void_p),
        ("window", ctypes.c_ulong),
        ("message_type", ctypes.c_ulong),
        ("format", ctypes.c_int),
        ("data", ctypes.c_long * 5),
    )


@dataclass
class Desk:
    """Know the display, and move its mouse; `bus` is the session bus of who sits here."""

    display: str
    bus: str = "disabled:"

    def environment(self, root: Path) -> dict[str, str]:
        """Return the environment of a user who sits at this desk; home and socket lie below `root`."""
        runtime = root / "runtime"
        runtime.mkdir(mode=0o700, exist_ok=True)
        kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH") if name in os.environ}
        return kept | {
            "DISPLAY": self.display,
            "QT_QPA_PLATFORM": "xcb",
            "HOME": str(root / "home"),
            "XDG_RUNTIME_DIR": str(runtime),
            "DBUS_SESSION_BUS_ADDRESS": self.bus,
            "LANG": "C.UTF-8",
        }

    def xdotool(self, *words: str) -> str:
        environment = os.environ | {"DISPLAY": self.display}
        done = subprocess.run(
            ["xdotool", *words], env=environment, check=True, capture_output=True, text=True, timeout=20
        )
        return done.stdout

    def click(self, at: Rect, button: int = 1) -> None:
        """Click into the middle of a rectangle."""
        x, y = at[0] + at[2] // 2, at[1] + at[3] // 2
        self.xdotool("mousemove", str(x), str(y), "click", str(button))

    def point_away(self) -> None:
        """Move the pointer to where nothing is."""
        self.xdotool("mousemove", "5", str(SCREEN[1] - 5))

    def press(self, *keys: str) -> None:
        self.xdotool("key", *keys)

    def close_window(self, title: str) -> None:
        """Do what a window manager does when the cross of a window is clicked (ICCCM 4.2.8.1)."""
        window = int(self.xdotool("search", "--onlyvisible", "--name", f"^{title}$").split()[0])
        x11 = ctypes.CDLL("libX11.so.6")
        x11.XOpenDisplay.restype = ctypes.c_void_p
        x11.XInternAtom.restype = ctypes.c_ulong
        display = ctypes.c_void_p(x11.XOpenDisplay(self.display.encode()))
        protocols, delete = (x11.XInternAtom(display, name, 0) for name in (b"WM_PROTOCOLS", b"WM_DELETE_WINDOW"))
        message = _ClientMessage(33, 0, 1, display, window, protocols, 32, (ctypes.c_long * 5)(delete, 0, 0, 0, 0))
        room = ctypes.create_string_buffer(bytes(message), 192)  # an XEvent is a union of 24 longs
        x11.XSendEvent(display, ctypes.c_ulong(window), 0, ctypes.c_long(0), room)
        x11.XCloseDisplay(display)

    def picture(self, path: Path) -> Path:
        """Take a picture of the whole screen."""
        environment = os.environ | {"DISPLAY": self.display}
        subprocess.run(["import", "-window", "root", str(path)], env=environment, check=True, timeout=20)
        return path


class App:
    """Watch the running application."""

    def __init__(self, desk: Desk, root: Path, process: subprocess.Popen[str]) -> None:
        self.desk, self.root, self.process = desk, root, process

    def faces(self) -> dict[str, list[dict[str, object]]]:
        path = self.root / "faces.json"
        loaded: dict[str, list[dict[str, object]]] = json.loads(path.read_text()) if path.exists() else {}
        return {kind: loaded.get(kind, []) for kind in ("windows", "buttons", "entries", "tray", "focus", "texts")}

    def window(self, kind: str) -> Rect | None:
        """Return where a visible window of that class stands."""
        return next((_rect(w["at"]) for w in self.faces()["windows"] if w["kind"] == kind), None)

    def wait_for_window(self, kind: str) -> Rect:
        until(lambda: self.window(kind) is not None, f"no {kind} is shown: {self.faces()['windows']}")
        found = self.window(kind)
        assert found is not None
        return found

    def wait_until_gone(self, kind: str) -> None:
        until(lambda: self.window(kind) is None, f"{kind} is still shown")

    def button(self, window: str, name: str) -> Rect | None:
        """Return where a button stands whose accessible name begins like this."""
        found = (b for b in self.faces()["buttons"] if b["window"] == window and str(b["name"]).startswith(name))
        return next((_rect(b["at"]) for b in found), None)

    def wait_for_button(self, window: str, name: str) -> Rect:
        until(lambda: self.button(window, name) is not None, f"no button {name!r}: {self.faces()['buttons']}")
        found = self.button(window, name)
        assert found is not None
        return found

    def is_in_tray(self) -> bool:
        """Say whether the icon stands in a tray; it is made in the screen's corner and then taken into it."""
        return any(_rect(each["at"])[0] > 0 and _rect(each["at"])[1] > 0 for each in self.faces()["tray"])

    def icon(self) -> Rect:
        """Return where the icon stands in the tray, once it stays there: a tray grows when it takes an icon in."""
        seen: list[tuple[float, Rect | None]] = []

        def stays() -> bool:
            at = _rect(self.faces()["tray"][0]["at"]) if self.is_in_tray() else None
            if not seen or seen[-1][1] != at:
                seen.append((time.monotonic(), at))
            return at is not None and time.monotonic() - seen[-1][0] > STAYS_S

        until(stays, "the icon is not in the tray")
        return _rect(self.faces()["tray"][0]["at"])

    @property
    def tooltip(self) -> str:
        return next((str(each["tooltip"]) for each in self.faces()["tray"]), "")

    @property
    def focus(self) -> str:
        """Return the accessible name of what has the keyboard."""
        return next((str(each["name"]) for each in self.faces()["focus"]), "")

    def texts(self, window: str) -> list[str]:
        """Return what can be read in a window."""
        return [str(each["text"]) for each in self.faces()["texts"] if each["window"] == window]

    def tab_to(self, name: str) -> None:
        """Press Tab until what has the keyboard is called like this."""
        for _ in range(40):
            if self.focus.startswith(name):
                return
            before = self.focus
            self.desk.press("Tab")
            until(lambda before=before: self.focus != before, f"Tab does not leave {before!r}")  # type: ignore[misc]
        raise AssertionError(f"Tab does not come to {name!r}")

    def entry(self, text: str) -> Rect:
        """Return where an entry of the open menu stands."""
        until(lambda: any(e["text"] == text for e in self.faces()["entries"]), f"no entry {text!r}")
        return next(_rect(e["at"]) for e in self.faces()["entries"] if e["text"] == text)

    def start_again(self) -> int:
        """Start the application a second time, as somebody does who does not see it; returns its exit code."""
        return start(self.desk, self.root, output=subprocess.DEVNULL).wait(30)

    def exit_code(self) -> int:
        """Wait for the end."""
        return self.process.wait(20)


def colours(picture: Path, at: Rect) -> set[int]:
    """Return the colours in a part of a picture of the screen."""
    from PySide6.QtGui import QImage  # not for whoever wants nothing but a screen

    image = QImage(str(picture)).copy(*at)
    return {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}


def _rect(value: object) -> Rect:
    assert isinstance(value, list)
    left, top, width, height = (int(each) for each in value)
    return left, top, width, height


TRAY_ATTEMPTS, TRAY_S = 3, 10.0


@contextmanager
def desk_with(*, tray: bool) -> Iterator[Desk]:
    """Yield a desk of its own; everything that was started for it has ended afterwards."""
    reader, writer = os.pipe()
    command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", f"{SCREEN[0]}x{SCREEN[1]}x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=(writer,), stderr=subprocess.DEVNULL)
    os.close(writer)
    try:
        with os.fdopen(reader) as told:
            number = told.readline().strip()
        assert number, "Xvfb did not start"
        desk = Desk(display=f":{number}")
        with trayer(desk) if tray else nullcontext():
            yield desk
    finally:
        end(server)


@contextmanager
def trayer(desk: Desk, *, edge: str = "top", align: str = "right") -> Iterator[None]:
    """Let there be a tray at an edge of the screen; it dies afterwards, as one does that crashes."""
    place = f"--edge {edge} --align {align} --widthtype request --height 28 --expand false".split()
    environment = os.environ | {"DISPLAY": desk.display}

    def begun() -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            ["trayer", *place], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def is_up() -> bool:
        search = ["xdotool", "search", "--class", "trayer"]
        return subprocess.run(search, env=environment, capture_output=True, timeout=20).returncode == 0

    process = begun()
    try:
        for attempt in range(TRAY_ATTEMPTS):
            try:
                until(is_up, "trayer did not start", deadline_s=TRAY_S)
                break
            except AssertionError:  # it gives up where the one before it has not quite gone
                if attempt == TRAY_ATTEMPTS - 1:
                    raise
                end(process)
                process = begun()
        yield
    finally:
        process.kill()
        process.wait(20)


@contextmanager
def session_bus(home: Path) -> Iterator[str]:
    """Yield the address of a session bus of its own; the services that it starts find that home."""
    runtime = home / "runtime"
    runtime.mkdir(mode=0o700, parents=True)
    reader, writer = os.pipe()
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "XDG_RUNTIME_DIR": str(runtime)}
    command = ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--nosyslog", f"--print-address={writer}"]
    daemon = subprocess.Popen(command, pass_fds=(writer,), env=environment, stderr=subprocess.DEVNULL)
    os.close(writer)
    try:
        with os.fdopen(reader) as told:
            address = told.readline().strip()
        assert address, "dbus-daemon did not start"
        yield address
    finally:
        end(daemon)


def end(process: subprocess.Popen[bytes]) -> None:
    """Ask a process to end, and wait until it has."""
    process.terminate()
    process.wait(20)


@contextmanager
def app_on(desk: Desk, root: Path) -> Iterator[App]:
    """Start the application at that desk; it has ended afterwards, and Qt had nothing to complain about."""
    log = root / "app.log"
    (root / "faces.json").unlink(missing_ok=True)  # of an earlier run
    with log.open("w") as output:
        process = start(desk, root, output=output.fileno())
        try:
            yield App(desk, root, process)
        finally:
            if process.poll() is None:
                process.terminate()
            process.wait(20)
    complaints = [line for line in log.read_text().splitlines() if line.strip()]
    assert not complaints, "\n".join(complaints)


def start(desk: Desk, root: Path, *, output: int) -> subprocess.Popen[str]:
    """Start the application as a process."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.x11.runner", str(root)],
        cwd=CHECKOUT,
        env=desk.environment(root),
        stdout=output,
        stderr=output,
        text=True,
    )
