"""Start at login: what is written, where, and that it can be taken back."""

from __future__ import annotations

import plistlib
import shlex
import sys
from pathlib import Path

import pytest

from trayapp.desktop import start_at_login
from trayapp.desktop.start_at_login import ByFile, ByRegistry

COMMAND = ("/opt/agent ring/bin/python", "-m", "trayapp")


def test_the_launch_agent_starts_it_at_login_in_the_desktop_session_unthrottled() -> None:
    plist = plistlib.loads(start_at_login.launch_agent(COMMAND))
    assert plist["ProgramArguments"] == list(COMMAND)
    assert plist["RunAtLoad"] is True
    assert plist["ProcessType"] == "Interactive"
    assert plist["LimitLoadToSessionType"] == "Aqua"
    assert plist["AssociatedBundleIdentifiers"] == [plist["Label"]]
    assert "KeepAlive" not in plist


def test_the_autostart_file_names_the_command_quoted() -> None:
    entry = start_at_login.autostart_entry(COMMAND)
    lines = dict(line.split("=", 1) for line in entry.splitlines() if "=" in line)
    assert entry.startswith("[Desktop Entry]\n")
    assert lines["Type"] == "Application"
    assert lines["Exec"] == '"/opt/agent ring/bin/python" -m trayapp'
    assert shlex.split(lines["Exec"]) == list(COMMAND)


@pytest.mark.parametrize(
    ("argument", "written"),
    [
        ("plain", "plain"),
        ("100%", "100%%"),
        ("a b", '"a b"'),
        ('say "hi"', '"say \\\\"hi\\\\""'),
        ("$HOME", '"\\\\$HOME"'),
        ("", '""'),
    ],
)
def test_arguments_are_quoted_as_the_desktop_entry_specification_asks(argument: str, written: str) -> None:
    assert f"Exec={written}\n" in start_at_login.autostart_entry([argument])


def test_the_run_value_is_a_windows_command_line() -> None:
    assert start_at_login.run_value(COMMAND) == '"/opt/agent ring/bin/python" -m trayapp'


def test_every_system_has_its_own_way(tmp_path: Path) -> None:
    assert start_at_login.chosen("darwin", tmp_path, {}) == ByFile(
        tmp_path / "Library" / "LaunchAgents" / "dev.agentring.AgentRing.plist", is_launch_agent=True
    )
    assert start_at_login.chosen("linux", tmp_path, {}) == ByFile(
        tmp_path / ".config" / "autostart" / "agentring.desktop"
    )
    elsewhere = {"XDG_CONFIG_HOME": str(tmp_path / "x")}
    assert start_at_login.chosen("linux", tmp_path, elsewhere) == ByFile(
        tmp_path / "x" / "autostart" / "agentring.desktop"
    )
    assert isinstance(start_at_login.chosen("win32", tmp_path, {}), ByRegistry)


@pytest.mark.parametrize("platform", ["darwin", "linux"])
def test_it_can_be_turned_on_and_off_again(platform: str, tmp_path: Path) -> None:
    way = start_at_login.chosen(platform, tmp_path, {})
    assert not way.is_on()
    way.turn_on(COMMAND)
    way.turn_on(COMMAND)
    assert way.is_on()
    assert not list(tmp_path.rglob("*.part"))
    way.turn_off()
    way.turn_off()
    assert not way.is_on()


def test_the_frozen_app_starts_itself_and_an_installed_one_its_module(monkeypatch: pytest.MonkeyPatch) -> None:
    assert start_at_login.command_to_run() == (sys.executable, "-m", "trayapp")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert start_at_login.command_to_run() == (sys.executable,)
