"""What Craft Agents keeps on disk: read again only on change, over the moment without a file, and without secrets."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.hosts.craft_homes import HELPER_ARGV, CraftHome, pi_said, recorded_home
from tests.hosts.homes import NOW_EPOCH_S
from trayapp.hosts import craft_disk
from trayapp.hosts.anthropic_transcript import Turn
from trayapp.hosts.craft_disk import SWEEP_S, Disk, Lock, Shelf, is_gone, read_lock, read_server_token
from trayapp.hosts.craft_pi import parse_pi_log
from trayapp.hosts.files import read_head


@pytest.fixture
def craft(tmp_path: Path) -> CraftHome:
    return CraftHome(tmp_path)


def read(disk: Disk, craft: CraftHome, now_s: float = 0.0, *live: str) -> Shelf:
    return disk.read(craft.config, home=craft.home, now_s=now_s, live=live)


def test_the_recorded_layout_is_read_whole(tmp_path: Path) -> None:
    craft = recorded_home(tmp_path)
    shelf = read(Disk(), craft)
    assert shelf.problems == ()
    assert shelf.lock == Lock(pid=600, started_epoch_s=1796039367.574)
    assert shelf.config is not None
    assert [w.slug for w in shelf.config.workspaces] == ["demo-space", "second-space"]
    (source,) = shelf.sources
    assert (source.slug, source.command, source.args[1:]) == ("fake-helper", "node", ("--stay",))
    sessions = {stored.id: stored for stored in shelf.sessions.values()}
    assert set(sessions) == {"261130-light-amber", "261130-neat-elm", "261130-smart-slate"}
    pi, claude = sessions["261130-light-amber"], sessions["261130-neat-elm"]
    assert (pi.is_pi, pi.cwd, pi.title) == (True, f"{tmp_path}/proj-a", "Pi B")
    assert (claude.is_pi, claude.cwd, claude.last_role) == (False, claude.folder, "user")
    assert claude.last_message_epoch_s == 1796039272.031
    assert sessions["261130-smart-slate"].sources == {"fake-helper"}


def test_the_sessions_own_folder_is_written_out(craft: CraftHome) -> None:
    folder = craft.session("s1", sdkCwd="{{SESSION_PATH}}/work", workingDirectory="~/shop")
    stored = read(Disk(), craft).sessions[folder]
    assert (stored.cwd, stored.working_folder) == (f"{folder}/work", f"{craft.home}/shop")


def test_a_record_is_read_again_only_when_it_changed(craft: CraftHome, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = [craft.session(f"s{n}") for n in range(20)]
    disk, opened = Disk(), list[Path]()

    def counted(path: Path, *, limit_bytes: int) -> bytes:
        opened.append(path)
        return read_head(path, limit_bytes=limit_bytes)

    monkeypatch.setattr(craft_disk, "read_head", counted)
    read(disk, craft)
    assert len(opened) == 20
    for second in range(1, 40):
        read(disk, craft, float(second), folders[0])
    assert len(opened) == 20
    craft.session("s0", name="another")
    assert read(disk, craft, 40.0, folders[0]).sessions[folders[0]].title == "another"
    assert len(opened) == 21


def test_sessions_at_rest_are_looked_at_now_and_then(craft: CraftHome) -> None:
    disk, folder = Disk(), craft.session("s1")
    read(disk, craft)
    craft.session("s1", sdkSessionId="made-since")
    assert read(disk, craft, 1.0).sessions[folder].sdk_id is None
    assert read(disk, craft, SWEEP_S + 1.0).sessions[folder].sdk_id == "made-since"


def test_a_new_session_is_seen_at_once(craft: CraftHome) -> None:
    disk = Disk()
    read(disk, craft)
    folder = craft.session("new")
    assert folder in read(disk, craft, 0.1).sessions


def test_the_moment_without_a_file_is_no_loss(craft: CraftHome) -> None:
    """The record is written beside, the old one unlinked, the new one renamed."""
    disk, folder = Disk(), craft.session("s1")
    read(disk, craft, 0.0, folder)
    record = Path(folder) / "session.jsonl"
    aside = record.rename(record.with_suffix(".tmp"))
    stored = read(disk, craft, 1.0, folder).sessions[folder]
    assert (stored.title, stored.fault) == ("s1", None)
    assert read(disk, craft, 30.0, folder).sessions[folder].fault == "is not there"
    aside.rename(record)
    assert read(disk, craft, 31.0, folder).sessions[folder].fault is None


def test_a_deleted_session_is_gone_at_once(craft: CraftHome) -> None:
    disk, folder = Disk(), craft.session("s1")
    read(disk, craft, 0.0, folder)
    shutil.rmtree(folder)
    assert read(disk, craft, 1.0, folder).sessions == {}
    assert is_gone(folder)
    assert not is_gone("/mnt/disk-that-is-away/sessions/s1")


def test_a_record_that_cannot_be_understood_says_so(craft: CraftHome) -> None:
    folder = craft.session("s1")
    for content in (b"", b"not json\n", b'{"lastMessageAt": "yesterday"}\n', b"\xff\xfe\n"):
        (Path(folder) / "session.jsonl").write_bytes(content)
        stored = read(Disk(), craft).sessions[folder]
        assert stored.fault is not None, content
        assert stored.last_message_epoch_s is None


def test_a_broken_config_is_one_problem_with_its_file(craft: CraftHome) -> None:
    (craft.config / "config.json").write_text("{", encoding="utf-8")
    shelf = read(Disk(), craft)
    assert [problem.where for problem in shelf.problems] == [str(craft.config / "config.json")]


def test_a_source_that_cannot_be_read_is_a_problem_with_its_file(craft: CraftHome) -> None:
    craft.source("mine", *HELPER_ARGV)
    broken = craft.root() / "sources" / "broken" / "config.json"
    broken.parent.mkdir()
    broken.write_text("{", encoding="utf-8")
    disk = Disk()
    for now_s in (0.0, 1.0):
        shelf = read(disk, craft, now_s)
        assert [source.slug for source in shelf.sources] == ["mine"]
        assert [problem.where for problem in shelf.problems] == [str(broken)]


def test_a_workspace_may_lie_anywhere(craft: CraftHome, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere"
    (other / "sessions" / "s9").mkdir(parents=True)
    (other / "sessions" / "s9" / "session.jsonl").write_text('{"id":"s9","name":"Nine"}\n', encoding="utf-8")
    craft.add_workspace("third", rootPath=str(other))
    assert read(Disk(), craft).sessions[str(other / "sessions" / "s9")].title == "Nine"


def test_no_secret_is_read_with_the_config(craft: CraftHome) -> None:
    craft.more = {"serverConfig": {"enabled": True, "port": 9107, "token": "TOKEN-OF-THIS-APP-1"}}
    craft.add_workspace("far", remoteServer={"url": "ws://far:9100", "token": "TOKEN-OF-ANOTHER-MACHINE"})
    shelf = read(Disk(), craft)
    assert shelf.config is not None
    assert (shelf.config.server_mode, shelf.config.port) == (True, 9107)
    assert "TOKEN" not in repr(shelf)
    assert read_server_token(craft.config) == "TOKEN-OF-THIS-APP-1"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('{"pid": 600, "startedAt": 1796039367574}', Lock(pid=600, started_epoch_s=1796039367.574)),
        ("600\n", Lock(pid=600)),
        ("", None),
        ("{}", None),
        ("nobody", None),
    ],
)
def test_a_lock_is_read_in_both_its_shapes(craft: CraftHome, content: str, expected: Lock | None) -> None:
    (craft.config / ".server.lock").write_text(content, encoding="utf-8")
    assert read_lock(craft.config) == expected


def test_a_pipe_in_place_of_a_record_holds_nothing_up(craft: CraftHome) -> None:
    folder = craft.session("s1")
    (Path(folder) / "session.jsonl").unlink()
    os.mkfifo(Path(folder) / "session.jsonl")
    assert read(Disk(), craft).sessions[folder].fault is not None


def test_when_messages_were_sent_is_read_from_the_record(craft: CraftHome) -> None:
    folder = craft.session("s1", sent_s=(500, 100))
    assert Disk().message_times_s(folder) == (NOW_EPOCH_S - 500, NOW_EPOCH_S - 100)


def test_only_servers_of_stdio_are_sources(craft: CraftHome) -> None:
    craft.source("mine", *HELPER_ARGV)
    for slug, told in {
        "far": {"type": "mcp", "mcp": {"transport": "http", "url": "https://x.dev"}},
        "api": {"type": "api"},
        "broken": {"type": "mcp", "mcp": {"transport": "stdio"}},
    }.items():
        path = craft.root() / "sources" / slug / "config.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(told), encoding="utf-8")
    assert [source.slug for source in read(Disk(), craft).sources] == ["mine"]


# ------------------------------------------------------------------------------------------ the log of a Pi backend


def log_of(*records: dict[str, object]) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def test_whose_turn_it_is_stands_in_the_log_of_a_pi_backend() -> None:
    asked = pi_said(50, "user")
    calls = pi_said(40, "assistant", "toolUse", content=[{"type": "toolCall", "id": "c1", "name": "bash"}])
    result = pi_said(30, "toolResult", toolCallId="c1")
    ended = pi_said(20, "assistant", "stop", model="fake-model")
    assert [
        parse_pi_log(log_of(*records)).turn
        for records in (
            (asked,),
            (asked, calls),
            (asked, calls, result),
            (asked, calls, result, ended),
            (asked, calls, pi_said(20, "assistant", "aborted")),
            (asked, pi_said(20, "assistant")),
            ({"type": "session", "cwd": "/home/sam"},),
        )
    ] == [Turn.OPEN, Turn.CALLING, Turn.OPEN, Turn.ENDED, Turn.ENDED, Turn.UNCLEAR, None]
    whole = parse_pi_log(log_of(asked, calls, result, ended))
    assert (whole.last_activity_epoch_s, whole.model, whole.open_calls) == (NOW_EPOCH_S - 20, "fake-model", ())


def test_a_log_that_is_still_written_is_read_as_far_as_it_goes() -> None:
    data = log_of(pi_said(50, "user"), pi_said(20, "assistant", "stop"))
    told = parse_pi_log(b'cut"}\n' + data + b'{"type":"mess', cut_at_start=True)
    assert (told.turn, told.broken_lines) == (Turn.ENDED, 0)
    assert parse_pi_log(b"no json\n" + data).broken_lines == 1
