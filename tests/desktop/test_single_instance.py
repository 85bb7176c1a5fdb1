"""One app per user: the second start is heard by the first, and a socket left by a crash stops nobody."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path
from types import ModuleType

import pytest
from pytestqt.qtbot import QtBot

from trayapp.desktop import named_pipe, single_instance, unix_socket
from trayapp.desktop.single_instance import SingleInstance

DOORS = [named_pipe] if sys.platform == "win32" else [unix_socket, named_pipe]  # Qt has its pipes everywhere


@pytest.fixture(params=DOORS, ids=lambda door: door.__name__.rpartition(".")[2], autouse=True)
def door(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return what makes the socket; every sentence here holds for each."""
    made: ModuleType = request.param
    monkeypatch.setattr(single_instance, "door", made)
    return made


@pytest.fixture
def name(tmp_path: Path) -> str:
    return str(tmp_path / "ring")


def test_a_second_start_is_heard_by_the_first(qtbot: QtBot, name: str) -> None:
    first, second = SingleInstance(name), SingleInstance(name)
    assert first.claim()
    with qtbot.waitSignal(first.open_asked):
        assert not second.claim()
    assert not second.is_listening
    first.close()


def test_after_the_first_has_gone_another_may_run(qtbot: QtBot, name: str) -> None:
    first, second = SingleInstance(name), SingleInstance(name)
    assert first.claim()
    first.close()
    assert second.claim()
    assert second.is_listening
    second.close()


@pytest.mark.skipif(sys.platform == "win32", reason="named pipes leave nothing behind")
def test_a_socket_left_by_a_crash_is_replaced(qtbot: QtBot, name: str) -> None:
    left = socket.socket(socket.AF_UNIX)
    left.bind(name)
    left.close()
    assert os.path.exists(name)
    instance = SingleInstance(name)
    assert instance.claim()
    assert instance.is_listening
    instance.close()


def test_a_stranger_who_says_something_else_opens_nothing(qtbot: QtBot, name: str) -> None:
    first = SingleInstance(name)
    assert first.claim()
    told: list[bool] = []
    first.open_asked.connect(lambda: told.append(True))
    stranger = socket.socket(socket.AF_UNIX)
    stranger.connect(name)
    stranger.sendall(b"GET /\r\n")
    stranger.close()
    second = SingleInstance(name)
    with qtbot.waitSignal(first.open_asked):
        second.claim()
    assert told == [True]
    first.close()


@pytest.mark.skipif(sys.platform == "win32", reason="named pipes have no mode")
def test_only_the_user_may_speak_to_it(qtbot: QtBot, name: str) -> None:
    first = SingleInstance(name)
    assert first.claim()
    assert os.stat(name).st_mode & 0o077 == 0
    first.close()


def test_a_start_in_the_same_moment_finds_the_quicker_one(qtbot: QtBot, name: str, door: ModuleType) -> None:
    if door is named_pipe:
        pytest.skip("Qt's local sockets take a name over from whoever has it")
    first, second = SingleInstance(name), SingleInstance(name)
    real_send, asked = door.send, []

    def send(to: str, words: bytes) -> bool:
        asked.append(words)
        if len(asked) == 1:  # nobody answers yet; the other one begins to listen right after
            answered = bool(real_send(to, words))
            assert first.claim()
            return answered
        return bool(real_send(to, words))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(door, "send", send)
        with qtbot.waitSignal(first.open_asked):
            assert not second.claim()
    assert first.is_listening
    assert not second.is_listening
    first.close()


def test_the_name_is_one_per_user_and_screen_and_fits_a_socket(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    names = {single_instance.socket_name(user, screen) for user in ("ada", "bob") for screen in (":0", ":1", "")}
    assert len(names) == 6
    assert max(map(len, names)) < 40
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    assert Path(single_instance.own_socket_name()).parent == tmp_path
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "missing"))
    assert "/" not in single_instance.own_socket_name()


def test_a_folder_whose_path_is_too_long_for_a_socket_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = tmp_path / ("d" * 120)
    deep.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(deep))
    in_deep = single_instance.own_socket_name()
    assert not os.path.isabs(in_deep)
    other = tmp_path / ("e" * 120)
    other.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(other))
    assert single_instance.own_socket_name() != in_deep
