"""Setting up is quick and silent the second time, and says what to do when it cannot go on."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from scripts import set_up


@pytest.fixture
def checkout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return a checkout with two lock files and no environment as yet."""
    (tmp_path / "requirements").mkdir()
    for name in ("run.txt", "dev.txt"):
        (tmp_path / "requirements" / name).write_text("psutil==7.2.2\n")
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "agentring"\n')
    monkeypatch.setattr(set_up, "ROOT", tmp_path)
    monkeypatch.setattr(set_up, "VENV", tmp_path / ".venv")
    return tmp_path


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch, checkout: Path) -> list[tuple[str, ...]]:
    """Return the commands that set-up would have run."""
    asked: list[tuple[str, ...]] = []

    def record(*command: str | Path, quiet: bool = False) -> None:
        asked.append(tuple(map(str, command)))
        (checkout / ".venv").mkdir(exist_ok=True)

    monkeypatch.setattr(set_up, "run", record)
    return asked


def debian(monkeypatch: pytest.MonkeyPatch, folder: Path, *, installed: str, root: bool) -> None:
    """Put a dpkg-query and an apt-get on PATH, as on a Debian where `installed` is there."""
    folder.mkdir()
    lines = "".join(f"echo '{name} installed'\n" for name in installed.split())
    for name, body in {"dpkg-query": lines, "apt-get": "exit 1\n"}.items():
        (folder / name).write_text(f"#!/bin/sh\n{body}")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr(os, "geteuid", lambda: 0 if root else 1000)


def test_the_first_set_up_makes_the_environment_and_installs_by_hash(
    commands: list[tuple[str, ...]], checkout: Path
) -> None:
    set_up.ensure_packages("run.txt")
    made, locked, project = commands
    assert made[1:3] == ("-m", "venv")
    assert "--require-hashes" in locked
    assert str(checkout / "requirements" / "run.txt") in locked
    assert {"--no-deps", "--no-build-isolation", "--no-index"} <= set(project)


def test_the_second_set_up_does_nothing(commands: list[tuple[str, ...]]) -> None:
    set_up.ensure_packages("run.txt")
    commands.clear()
    set_up.ensure_packages("run.txt")
    assert commands == []


def test_what_is_set_up_for_development_is_set_up_for_running(commands: list[tuple[str, ...]]) -> None:
    set_up.ensure_packages("dev.txt")
    commands.clear()
    set_up.ensure_packages("run.txt")
    assert commands == []


def test_a_changed_lock_is_installed_again(commands: list[tuple[str, ...]], checkout: Path) -> None:
    set_up.ensure_packages("run.txt")
    commands.clear()
    (checkout / "requirements" / "run.txt").write_text("psutil==7.2.3\n")
    set_up.ensure_packages("run.txt")
    assert any("--require-hashes" in command for command in commands)


def test_an_old_python_is_refused_with_the_mend(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 18))
    assert set_up.main(["run"]) == 1
    assert "Python 3.11 or later is needed" in (said := capsys.readouterr().err)
    assert "make PYTHON=" in said


def test_nothing_is_asked_of_apt_when_all_is_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, commands: list[tuple[str, ...]]
) -> None:
    debian(monkeypatch, tmp_path / "bin", installed=" ".join(set_up.PROFILES["dev"].system_packages), root=True)
    monkeypatch.setattr(sys, "platform", "linux")
    set_up.ensure_system_packages(set_up.PROFILES["dev"])
    assert commands == []


def test_root_on_debian_gets_what_is_missing_and_only_that(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, commands: list[tuple[str, ...]]
) -> None:
    there = [name for name in set_up.PROFILES["dev"].system_packages if name not in ("xvfb", "trayer")]
    debian(monkeypatch, tmp_path / "bin", installed=" ".join(there), root=True)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(os, "environ", os.environ.copy())
    set_up.ensure_system_packages(set_up.PROFILES["dev"])
    assert commands[-1] == ("apt-get", "install", "-y", "--no-install-recommends", "xvfb", "trayer")


def test_others_are_told_what_to_install_and_go_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, commands: list[tuple[str, ...]], capsys: pytest.CaptureFixture[str]
) -> None:
    debian(monkeypatch, tmp_path / "bin", installed="", root=False)
    monkeypatch.setattr(sys, "platform", "linux")
    set_up.ensure_system_packages(set_up.PROFILES["run"])
    assert commands == []
    assert "sudo apt-get install" in capsys.readouterr().out


def test_a_failing_command_is_named_with_its_last_words(checkout: Path) -> None:
    with pytest.raises(set_up.SetUpError, match=r"(?s)failed with exit code 3\.\nno such wheel"):
        set_up.run(sys.executable, "-c", "print('no such wheel'); raise SystemExit(3)", quiet=True)
