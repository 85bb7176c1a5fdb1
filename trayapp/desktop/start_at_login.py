"""Start at login: a LaunchAgent on macOS, an XDG autostart file on Linux, a Run value on Windows.

What is written comes from pure functions; where it is written is chosen in one place. Knows no settings: the file (or
value) itself says whether it is on.
"""

from __future__ import annotations

import os
import plistlib
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

LABEL = "dev.agentring.AgentRing"
NAME = "Agent Ring"
_RUN_KEY = r"Software\Microsoft\Windows\CurrentVersion\Run"


def command_to_run() -> tuple[str, ...]:
    """Return what starts this app: the frozen program itself, else this Python with the module."""
    if getattr(sys, "frozen", False):
        return (sys.executable,)
    return (sys.executable, "-m", "trayapp")


def launch_agent(command: Sequence[str]) -> bytes:
    """Return the LaunchAgent's plist (launchd.plist(5)): at login, in the desktop session, not throttled, not kept."""
    return plistlib.dumps(
        {
            "Label": LABEL,
            "ProgramArguments": list(command),
            "RunAtLoad": True,
            "ProcessType": "Interactive",
            "LimitLoadToSessionType": "Aqua",
            "AssociatedBundleIdentifiers": [LABEL],
        }
    )


def autostart_entry(command: Sequence[str]) -> str:
    """Return the desktop file for $XDG_CONFIG_HOME/autostart (Desktop Entry Specification 1.5)."""
    return (
        "[Desktop Entry]\n"
        "Type=Application\n"
        f"Name={NAME}\n"
        "Comment=What AI-agent sessions hold of this computer's memory\n"
        f"Exec={' '.join(_quoted(argument) for argument in command)}\n"
        "Icon=agentring\n"
        "Terminal=false\n"
        "X-GNOME-Autostart-enabled=true\n"
    )


def _quoted(argument: str) -> str:
    """Quote an argument for the Exec key: in double quotes, with \\ before reserved characters, % doubled."""
    text = argument.replace("%", "%%")
    if text and not set(text) & set(" \t\n\"'\\><~|&;$*?#()`"):
        return text
    escaped = "".join("\\" + each if each in '"`$\\' else each for each in text)
    # the value of a key is unescaped once before the quoting is read
    return '"' + escaped.replace("\\", "\\\\") + '"'


def run_value(command: Sequence[str]) -> str:
    """Return the command line for the Run key of the registry."""
    return subprocess.list2cmdline(command)


class StartAtLogin(Protocol):
    """Switch the start at login on and off."""

    def is_on(self) -> bool: ...

    def turn_on(self, command: Sequence[str]) -> None: ...

    def turn_off(self) -> None: ...


@dataclass(frozen=True, slots=True)
class ByFile:
    """Keep the start at login as one file."""

    path: Path
    is_launch_agent: bool = False

    def is_on(self) -> bool:
        return self.path.exists()

    def turn_on(self, command: Sequence[str]) -> None:
        """Write the file; takes effect at the next login."""
        content = launch_agent(command) if self.is_launch_agent else autostart_entry(command).encode()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        part = self.path.with_name(self.path.name + ".part")
        part.write_bytes(content)
        part.replace(self.path)

    def turn_off(self) -> None:
        self.path.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class ByRegistry:
    """Keep the start at login as a value of the user's Run key; Windows only."""

    def is_on(self) -> bool:
        import winreg

        try:
            with winreg.OpenKey(winreg.HKEY_CURRENT_USER, _RUN_KEY) as key:  # type: ignore[attr-defined,unused-ignore]
                winreg.QueryValueEx(key, NAME)  # type: ignore[attr-defined,unused-ignore]
        except FileNotFoundError:
            return False
        return True

    def turn_on(self, command: Sequence[str]) -> None:
        import winreg

        with winreg.CreateKey(winreg.HKEY_CURRENT_USER, _RUN_KEY) as key:  # type: ignore[attr-defined,unused-ignore]
            winreg.SetValueEx(key, NAME, 0, winreg.REG_SZ, run_value(command))  # type: ignore[attr-defined,unused-ignore]

    def turn_off(self) -> None:
        import winreg

        if self.is_on():
            access = winreg.KEY_SET_VALUE  # type: ignore[attr-defined,unused-ignore]
            with winreg.OpenKey(winreg.HKEY_CURRENT_USER, _RUN_KEY, 0, access) as key:  # type: ignore[attr-defined,unused-ignore]
                winreg.DeleteValue(key, NAME)  # type: ignore[attr-defined,unused-ignore]


def chosen(platform: str, home: Path, environ: Mapping[str, str]) -> StartAtLogin:
    """Return the way of this system."""
    if platform == "darwin":
        return ByFile(home / "Library" / "LaunchAgents" / f"{LABEL}.plist", is_launch_agent=True)
    if platform == "win32":
        return ByRegistry()
    config = Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
    return ByFile(config / "autostart" / "agentring.desktop")


def for_this_user() -> StartAtLogin:
    """Return the way of this system for the user who runs the app."""
    return chosen(sys.platform, Path.home(), os.environ)
