"""Lineage on disk: a restart does not lose an owner, another boot or another process does not inherit one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.trees import Part, core_for, planted, until
from trayapp.attribution import Lineage
from trayapp.core import Core
from trayapp.lineage import SAVE_EVERY_S, LineageFile
from trayapp.model.process import Identity
from trayapp.model.session import Role, SessionKey
from trayapp.model.snapshot import Group
from trayapp.probe.boot import boot_id

OWNED = {
    Identity(500, 7): Lineage(session=SessionKey("alpha", "s1"), host="alpha", role=Role.HELPER),
    Identity(501, 9): Lineage(session=None, host="alpha", role=Role.WORK, released=True),
}


def written(path: Path, boot: str = "b1") -> LineageFile:
    file = LineageFile(path, boot_id=boot)
    file.save(OWNED, now_s=0.0)
    return file


def test_what_is_written_is_read(tmp_path: Path) -> None:
    assert written(tmp_path / "new" / "lineage.json").problem is None
    file = LineageFile(tmp_path / "new" / "lineage.json", boot_id="b1")
    assert file.load() == OWNED
    assert file.problem is None
    assert [p.name for p in (tmp_path / "new").iterdir()] == ["lineage.json"]


def test_another_boot_begins_anew(tmp_path: Path) -> None:
    written(tmp_path / "lineage.json")
    file = LineageFile(tmp_path / "lineage.json", boot_id="b2")
    assert file.load() == {}
    assert file.problem is None


def test_no_file_is_no_problem(tmp_path: Path) -> None:
    file = LineageFile(tmp_path / "lineage.json", boot_id="b1")
    assert file.load() == {}
    assert file.problem is None


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff\xfe", b"[]", b'{"schema":1}', b'{"schema":9,"boot_id":"b1","entries":[]}'],
)
def test_a_broken_file_is_set_aside_and_told_of_once(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "lineage.json"
    path.write_bytes(content)
    file = LineageFile(path, boot_id="b1")
    assert file.load() == {}
    assert file.problem is not None
    assert file.problem.where == str(path)
    assert "set aside as lineage.set-aside.json" in file.problem.what
    assert (tmp_path / "lineage.set-aside.json").read_bytes() == content
    file.save(OWNED, now_s=0.0)
    again = LineageFile(path, boot_id="b1")
    assert again.load() == OWNED
    assert again.problem is None


def test_it_is_written_at_a_slow_beat_and_only_when_it_changed(tmp_path: Path) -> None:
    file = LineageFile(tmp_path / "lineage.json", boot_id="b1")
    assert file.is_due(OWNED, now_s=100.0)
    file.save(OWNED, now_s=100.0)
    fewer = dict(list(OWNED.items())[:1])
    assert not file.is_due(fewer, now_s=100.0 + SAVE_EVERY_S - 0.1)
    assert file.is_due(fewer, now_s=100.0 + SAVE_EVERY_S)
    assert not file.is_due(OWNED, now_s=1000.0)
    before = (tmp_path / "lineage.json").stat()
    file.save(OWNED, now_s=1000.0)
    assert (tmp_path / "lineage.json").stat().st_ino == before.st_ino


def test_a_file_that_cannot_be_written_is_told_of_until_it_can(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    file = LineageFile(tmp_path / "data" / "lineage.json", boot_id="b1")
    file.save(OWNED, now_s=0.0)
    assert file.problem is not None
    assert "could not be written" in file.problem.what
    (tmp_path / "data").unlink()
    file.save(OWNED, now_s=SAVE_EVERY_S)
    assert file.problem is None


def test_a_file_that_cannot_be_read_is_left_where_it_is(tmp_path: Path) -> None:
    (tmp_path / "lineage.json").mkdir()
    file = LineageFile(tmp_path / "lineage.json", boot_id="b1")
    assert file.load() == {}
    assert file.problem is not None
    assert "cannot be read" in file.problem.what


def test_the_boot_has_an_id_that_stays() -> None:
    assert boot_id() == boot_id()


# -- with real processes ----------------------------------------------------------------------------------------------

PARTS = {
    "shell": Part(detached=True, setsid=True, children=("agent",)),
    "agent": Part(program="fake-agent/agent.py", session_id="s1", children=("wrapper",)),
    "wrapper": Part(program="bin/wrapper.py", children=("watcher",)),
    "watcher": Part(program="bin/watcher.py", environment={"FAKE_AGENT_SESSION": ""}),
}


def core_with_lineage(root: Path) -> Core:
    return core_for(root, lineage=root / "lineage.json")


def owner(core: Core, identity: Identity) -> Group | None:
    groups = core.look(0.01).groups
    return next((g for g in groups if any(m.process.identity == identity for m in g.members)), None)


def test_a_restart_does_not_lose_the_owner_of_a_process_whose_parent_is_gone(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    with planted(root, **PARTS) as tree:
        tree.start("shell")
        watcher = tree.identity("watcher")
        first = core_with_lineage(root)
        first.start(ticking=True)
        try:
            seen = owner(first, watcher)
        finally:
            first.stop()
        assert seen is not None
        assert str(seen.session) == "fake-agent:s1"
        entries = json.loads((root / "lineage.json").read_text())["entries"]
        assert list(watcher) in [identity for identity, _ in entries]

        tree.tell("wrapper", "stop")
        until(lambda: "wrapper" not in tree.running(), "the wrapper does not stop")

        second = core_with_lineage(root)
        second.start()
        try:
            again = owner(second, watcher)
        finally:
            second.stop()
        assert again is not None
        assert again.session == seen.session

        text = (root / "lineage.json").read_text()
        text = text.replace(f"[{watcher.pid},{watcher.start}]", f"[{watcher.pid},{watcher.start - 1}]")
        (root / "lineage.json").write_text(text)
        third = core_with_lineage(root)
        third.start()
        try:
            forgotten = owner(third, watcher)
        finally:
            third.stop()
        assert forgotten is None


def test_a_core_that_only_answers_one_call_writes_no_lineage(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    core = core_with_lineage(tmp_path / "tree")
    core.start()
    core.look(0.01)
    core.stop()
    assert not (tmp_path / "tree" / "lineage.json").exists()


def test_a_broken_file_is_one_problem_of_the_snapshot(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "lineage.json").write_text("{")
    core = core_with_lineage(tmp_path / "tree")
    core.start()
    try:
        problems = core.look(0.01).problems
    finally:
        core.stop()
    assert [p.where for p in problems] == [str(tmp_path / "tree" / "lineage.json")]
