"""What a minute costs: the tray app, and its window, beside top, htop and btop on the same processes at the same time.

All of them look every two seconds. CPU is that of the process tree with the children that it has reaped, over the same
windows for all. The app is the real one under an X server with a tray; its sessions are those of the crowd.
"""

from __future__ import annotations

import fcntl
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.bench.crowd import Crowd, children, crowd, rss_bytes
from tests.bench.figures import CHECKOUT, MIB, Effort, Figure, figure, lacking, missing, ratio, scratch
from tests.bench.past import write_past
from tests.x11.desk import Desk, desk_with

OTHERS, SESSIONS, EACH = 500, 50, 4
WARM_UP_S = 25
PAST_H = 6.0
"""How much the window shows when it opens."""
ROWS, COLUMNS = 50, 160

APP, WINDOW = "app", "app_window_open"
PEERS = {"top": ["top", "-d", "2"], "htop": ["htop", "-d", "20"], "btop": ["btop"]}
BTOP_SETTINGS = "update_ms = 2000\ncheck_temp = False\nshow_battery = False\n"

_TICKS_PER_S = os.sysconf("SC_CLK_TCK")


def measure(effort: Effort) -> Iterator[Figure]:
    why = lacking("Xvfb", "trayer", "xdotool")
    if why:
        for name in ("minute_cpu_vs_btop", "minute_cpu_vs_top", "minute_cpu_window_open_vs_btop"):
            yield missing(name, "ratio", why)
        return
    used, memory = _minutes(effort)
    for name, values in sorted(used.items()):
        yield figure(f"minute_cpu_s_{name}", values, "CPU-s/min", f"{memory[name]:.1f} MiB private dirty at the end")
    for ours, peer, name in (
        (APP, "btop", "minute_cpu_vs_btop"),
        (APP, "top", "minute_cpu_vs_top"),
        (APP, "htop", "minute_cpu_vs_htop"),
        (WINDOW, "btop", "minute_cpu_window_open_vs_btop"),
    ):
        if peer in used:
            yield ratio(name, used[ours], used[peer])
        else:
            yield missing(name, "ratio", lacking(*PEERS[peer][:1]))


def _minutes(effort: Effort) -> tuple[dict[str, list[float]], dict[str, float]]:
    """Return CPU seconds per minute for each program and window of time, and its memory at the end."""
    windows, length_s = effort.pick(3, 1), effort.pick(60, 30)
    with scratch() as root, ExitStack() as stack:
        (root / "crowd").mkdir()
        made = stack.enter_context(crowd(root / "crowd", others=OTHERS, sessions=SESSIONS, each=EACH))
        desk = stack.enter_context(desk_with_tray())
        running = {APP: stack.enter_context(tray_app(desk, root / APP, made))}
        (root / WINDOW).mkdir()
        history = root / WINDOW / "home" / ".local" / "share" / "agentring" / "history.sqlite"
        write_past(history, made.session_ids, hours=PAST_H)
        running[WINDOW] = stack.enter_context(tray_app(desk, root / WINDOW, made, opener=True))
        home = root / "peers"
        (home / ".config" / "btop").mkdir(parents=True)
        (home / ".config" / "btop" / "btop.conf").write_text(BTOP_SETTINGS)
        for name, command in PEERS.items():
            if not lacking(command[0]):
                running[name] = stack.enter_context(_on_terminal(command, home))
        effort.say(f"{OTHERS} others, {SESSIONS} sessions of {EACH}; {', '.join(running)}; {windows} x {length_s} s")
        time.sleep(WARM_UP_S / 2)
        open_window(desk, root / WINDOW)
        time.sleep(WARM_UP_S / 2)
        used: dict[str, list[float]] = {name: [] for name in running}
        for _ in range(windows):
            before = {name: (cpu_s(pid), time.monotonic()) for name, pid in running.items()}
            time.sleep(length_s)
            for name, pid in running.items():
                cpu, at_s = before[name]
                used[name].append((cpu_s(pid) - cpu) * 60 / (time.monotonic() - at_s))
        memory = {name: private_dirty_bytes(pid) / MIB for name, pid in running.items()}
        told = (root / WINDOW / "window.txt").read_text()
        if int(told.split()[0]) < SESSIONS:
            raise AssertionError(f"the chart does not show {SESSIONS} sessions but {told}")
    return used, memory


# ---- the app


@contextmanager
def desk_with_tray() -> Iterator[Desk]:
    """Yield an X server with a tray; on a machine under load the tray does not come up each time."""
    with ExitStack() as stack:
        for attempt in range(3):
            try:
                desk = stack.enter_context(desk_with(tray=True))
                break
            except AssertionError:
                if attempt == 2:
                    raise
        yield desk


def environment_of(desk: Desk, root: Path, made: Crowd | None) -> Mapping[str, str]:
    """Return the environment of a user with a home of his own; the sessions' records are those of the crowd.

    The user has been welcomed, as at every start but the first.
    """
    settings = root / "home" / ".config" / "agentring" / "settings.toml"
    if not settings.exists():
        settings.parent.mkdir(parents=True)
        settings.write_text("welcomed = true\n", encoding="utf-8")
    if made is not None and not (root / "home" / ".claude").exists():
        (root / "home" / ".claude").symlink_to(made.home / ".claude")
    return desk.environment(root)


@contextmanager
def tray_app(desk: Desk, root: Path, made: Crowd | None, *, opener: bool = False) -> Iterator[int]:
    """Start the app as a user would, and yield its pid; with `opener` one that can also show the window's chart."""
    module = ["tests.bench.opener", str(root), str(SESSIONS)] if opener else ["trayapp"]
    environment = environment_of(desk, root, made)
    with (root / "app.log").open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", *module], cwd=CHECKOUT, env=environment, stdout=output, stderr=output
        )
        try:
            yield process.pid
            if process.poll() is not None:
                raise RuntimeError(f"the app ended: {(root / 'app.log').read_text()}")
        finally:
            process.terminate()
            process.wait(20)


def open_window(desk: Desk, root: Path) -> None:
    """Start the app once more, which makes the first one open its window."""
    subprocess.run(
        [sys.executable, "-m", "trayapp"], cwd=CHECKOUT, env=environment_of(desk, root, None), check=True, timeout=30
    )


# ---- others


@contextmanager
def _on_terminal(command: list[str], home: Path) -> Iterator[int]:
    """Run a program on a terminal of 160 x 50 that somebody reads, and yield its pid."""
    environment = {name: os.environ[name] for name in ("PATH",)}
    environment |= {"HOME": str(home), "TERM": "xterm-256color", "LANG": "C.UTF-8"}
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    process = subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, env=environment, cwd=home, start_new_session=True
    )
    os.close(slave)
    screen = _Screen(master)
    reader = threading.Thread(target=screen.read, daemon=True)
    reader.start()
    try:
        yield process.pid
        if process.poll() is not None:
            raise RuntimeError(f"{command[0]} ended: {screen.last[-300:]!r}")
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(5)
        reader.join(5)
        os.close(master)


@dataclass(slots=True)
class _Screen:
    """Read what a program draws."""

    master: int
    last: bytes = b""

    def read(self) -> None:
        try:
            while drawn := os.read(self.master, 65536):
                self.last = (self.last + drawn)[-4096:]
        except OSError:  # EIO: the program has closed its side (pty(7))
            return


# ---- figures of a process


def cpu_s(root: int) -> float:
    """Return the CPU seconds of a process tree so far, with the children that each process has reaped."""
    total, waiting = 0.0, [root]
    while waiting:
        pid = waiting.pop()
        try:
            # the clock of another process, to the nanosecond and with threads that have ended (clock_getcpuclockid(3))
            total += time.clock_gettime((~pid << 3) | 2)
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            waiting += children(pid)
        except (OSError, ProcessLookupError):
            if pid == root:
                raise
            continue
        total += (int(fields[13]) + int(fields[14])) / _TICKS_PER_S
    return total


def private_dirty_bytes(pid: int) -> int:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Private_Dirty:"))


__all__ = ["cpu_s", "environment_of", "measure", "private_dirty_bytes", "rss_bytes", "tray_app"]
