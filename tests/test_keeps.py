"""What the user keeps, on disk: whole or not at all, shared by several programs, never lost without a word."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from trayapp.file_lock import locked
from trayapp.keeps import KeepError, KeepFile
from trayapp.model.keep import Keep
from trayapp.model.session import Problem

NOW = 1_796_047_560.0
HOUR = 3600.0
UPLOAD, PARSER = "alpha:5f0a91c2", "beta:88bb0000"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "keeps.json"


@pytest.fixture
def file(path: Path) -> KeepFile:
    return KeepFile(path)


def problem_of(file: KeepFile) -> Problem | None:
    return file.problem


def written(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_without_a_file_nothing_is_kept_and_none_is_made(file: KeepFile, path: Path) -> None:
    assert file.kept(NOW) == frozenset()
    assert problem_of(file) is None
    assert not path.parent.exists()


def test_what_is_kept_is_kept_until_it_is_over(file: KeepFile) -> None:
    file.keep(UPLOAD, NOW + HOUR, now_epoch_s=NOW)
    file.keep(PARSER, None, now_epoch_s=NOW)
    assert file.kept(NOW + HOUR - 0.1) == {UPLOAD, PARSER}
    assert file.kept(NOW + HOUR) == {PARSER}
    assert file.kept(NOW + 1e9) == {PARSER}


def test_what_ends_first_is_told_first(file: KeepFile) -> None:
    file.keep("alpha:always", None, now_epoch_s=NOW)
    file.keep("alpha:long", NOW + 8 * HOUR, now_epoch_s=NOW)
    file.keep("alpha:short", NOW + HOUR, now_epoch_s=NOW)
    assert file.all(NOW) == (
        Keep(group_key="alpha:short", until_epoch_s=NOW + HOUR),
        Keep(group_key="alpha:long", until_epoch_s=NOW + 8 * HOUR),
        Keep(group_key="alpha:always"),
    )


def test_keeping_again_replaces_the_time(file: KeepFile) -> None:
    file.keep(UPLOAD, None, now_epoch_s=NOW)
    file.keep(UPLOAD, NOW + HOUR, now_epoch_s=NOW)
    assert file.all(NOW) == (Keep(group_key=UPLOAD, until_epoch_s=NOW + HOUR),)


def test_what_is_taken_back_is_kept_no_more(file: KeepFile) -> None:
    file.keep(UPLOAD, None, now_epoch_s=NOW)
    assert file.unkeep(UPLOAD, now_epoch_s=NOW)
    assert file.kept(NOW) == frozenset()
    assert not file.unkeep(UPLOAD, now_epoch_s=NOW)


def test_what_is_over_cannot_be_taken_back_and_leaves_the_file_with_the_next_change(file: KeepFile, path: Path) -> None:
    file.keep(UPLOAD, NOW + HOUR, now_epoch_s=NOW)
    assert not file.unkeep(UPLOAD, now_epoch_s=NOW + HOUR)
    file.keep(PARSER, None, now_epoch_s=NOW + HOUR)
    assert json.loads(path.read_bytes()) == {"schema": 1, "keeps": [{"group_key": PARSER, "until_epoch_s": None}]}


def test_the_same_object_is_returned_while_nothing_changed(file: KeepFile) -> None:
    file.keep(UPLOAD, NOW + HOUR, now_epoch_s=NOW)
    first = file.kept(NOW)
    assert file.kept(NOW + 1) is first


@pytest.mark.parametrize(("key", "until"), [("", None), (UPLOAD, float("inf")), (UPLOAD, float("nan"))])
def test_a_keep_without_a_name_or_a_real_time_is_refused(
    file: KeepFile, path: Path, key: str, until: float | None
) -> None:
    with pytest.raises(ValueError, match="cannot keep"):
        file.keep(key, until, now_epoch_s=NOW)
    assert not path.exists()


def test_only_this_user_can_read_it_and_nothing_else_is_left_beside_it(file: KeepFile, path: Path) -> None:
    file.keep(UPLOAD, None, now_epoch_s=NOW)
    assert sorted(p.name for p in path.parent.iterdir()) == [".keeps.json.lock", "keeps.json"]
    if sys.platform != "win32":
        assert path.stat().st_mode & 0o077 == 0


# -- several programs -------------------------------------------------------------------------------------------------


def test_what_another_program_keeps_holds_here_at_once(file: KeepFile, path: Path) -> None:
    other = KeepFile(path)
    assert file.kept(NOW) == other.kept(NOW) == frozenset()
    other.keep(UPLOAD, None, now_epoch_s=NOW)
    assert file.kept(NOW) == {UPLOAD}
    file.keep(PARSER, None, now_epoch_s=NOW)
    assert other.kept(NOW) == {UPLOAD, PARSER}
    other.unkeep(UPLOAD, now_epoch_s=NOW)
    assert file.kept(NOW) == {PARSER}


def test_a_file_that_the_user_deleted_keeps_nothing(file: KeepFile, path: Path) -> None:
    file.keep(UPLOAD, None, now_epoch_s=NOW)
    path.unlink()
    assert file.kept(NOW) == frozenset()
    assert problem_of(file) is None


def test_many_that_keep_at_the_same_time_lose_nothing(path: Path) -> None:
    def keep(number: int) -> None:
        KeepFile(path).keep(f"alpha:{number}", None, now_epoch_s=NOW)

    threads = [threading.Thread(target=keep, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert KeepFile(path).kept(NOW) == {f"alpha:{number}" for number in range(20)}


def test_a_program_that_crashes_in_the_middle_leaves_no_lock(file: KeepFile, path: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from trayapp.file_lock import locked\n"
        "with locked(Path(sys.argv[1])): os._exit(9)"
    )
    lock = path.with_name(".keeps.json.lock")
    done = subprocess.run([sys.executable, "-c", code, str(lock)], check=False, cwd=Path(__file__).parents[1])
    assert done.returncode == 9
    file.keep(UPLOAD, None, now_epoch_s=NOW)
    assert file.kept(NOW) == {UPLOAD}


def test_a_lock_that_is_not_let_go_is_told_with_its_file(tmp_path: Path) -> None:
    now_s = [0.0]

    def sleep(seconds: float) -> None:
        now_s[0] += seconds

    lock = tmp_path / "a.lock"
    with (
        locked(lock),
        pytest.raises(TimeoutError, match="another program holds it for longer than 2 s") as raised,
        locked(lock, wait_s=2.0, clock_s=lambda: now_s[0], sleep=sleep),
    ):
        pytest.fail("two held it at once")
    assert raised.value.filename == str(lock)
    assert now_s[0] >= 2.0
    with locked(lock, wait_s=0.0):
        pass


# -- files that cannot be used ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"keeps": []}',
        '{"schema": 1}',
        '{"schema": 1, "keeps": [{"until_epoch_s": 5}]}',
        '{"schema": 1, "keeps": [{"group_key": "a", "until_epoch_s": "soon"}]}',
    ],
)
def test_a_damaged_file_is_set_aside_and_told(file: KeepFile, path: Path, text: str) -> None:
    written(path, text)
    assert file.kept(NOW) == frozenset()
    assert file.problem is not None
    assert file.problem.where == str(path)
    assert "it was set aside as keeps.set-aside.json" in file.problem.what
    assert path.with_name("keeps.set-aside.json").read_text(encoding="utf-8") == text
    assert not path.exists()


def test_bytes_that_are_no_text_are_set_aside_too(file: KeepFile, path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b'{"schema": 1, "keeps": [{"group_key": "\xff"}]}')
    assert file.kept(NOW) == frozenset()
    assert file.problem is not None


def test_damage_loses_nothing_that_was_known(file: KeepFile, path: Path) -> None:
    file.keep(UPLOAD, NOW + HOUR, now_epoch_s=NOW)
    path.write_text("{", encoding="utf-8")
    assert file.kept(NOW) == {UPLOAD}
    assert file.kept(NOW) == {UPLOAD}
    assert file.problem is not None
    file.keep(PARSER, None, now_epoch_s=NOW)
    assert problem_of(file) is None
    assert KeepFile(path).kept(NOW) == {UPLOAD, PARSER}


def test_damage_that_another_program_set_aside_loses_nothing_here(file: KeepFile, path: Path) -> None:
    file.keep(UPLOAD, None, now_epoch_s=NOW)
    written(path, "{")
    assert KeepFile(path).kept(NOW) == frozenset()
    assert file.kept(NOW) == {UPLOAD}
    assert file.problem is not None
    assert "it was damaged; it was set aside as keeps.set-aside.json" in file.problem.what


def test_an_old_file_that_was_set_aside_is_no_reason_to_keep_what_the_user_deleted(file: KeepFile, path: Path) -> None:
    written(path, "{")
    file.kept(NOW)
    past_ns = path.with_name("keeps.set-aside.json").stat().st_mtime_ns - 1_000_000_000
    os.utime(path.with_name("keeps.set-aside.json"), ns=(past_ns, past_ns))
    file.keep(UPLOAD, None, now_epoch_s=NOW)
    path.unlink()
    assert file.kept(NOW) == frozenset()
    assert problem_of(file) is None


def test_a_second_damaged_file_does_not_replace_the_first(file: KeepFile, path: Path) -> None:
    for text in ("first", "second"):
        written(path, text)
        file.kept(NOW)
    told = sorted(p.read_text() for p in path.parent.glob("keeps.set-aside*.json"))
    assert told == ["first", "second"]


def test_a_good_file_written_since_the_damaged_one_was_read_is_not_set_aside(
    file: KeepFile, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(path, "{")
    read_really = Path.read_bytes
    reads: list[bytes] = []

    def read_bytes(self: Path) -> bytes:
        reads.append(read_really(self))
        if len(reads) == 1:
            written(path, '{"schema": 1, "keeps": [{"group_key": "alpha:5f0a91c2"}]}')
        return reads[-1]

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    assert file.kept(NOW) == {UPLOAD}
    assert reads[0] == b"{"
    assert problem_of(file) is None
    assert path.exists()


def test_a_file_of_a_newer_version_is_left_alone_and_cannot_be_changed(file: KeepFile, path: Path) -> None:
    text = '{"schema": 2, "keeps": {"alpha:1": "for ever"}}'
    file.keep(UPLOAD, None, now_epoch_s=NOW)
    written(path, text)
    assert file.kept(NOW) == {UPLOAD}
    assert file.problem is not None
    assert "newer version (schema 2)" in file.problem.what
    for change in (
        lambda: file.keep(PARSER, None, now_epoch_s=NOW),
        lambda: file.unkeep(UPLOAD, now_epoch_s=NOW),
    ):
        with pytest.raises(KeepError, match="newer version"):
            change()
    assert path.read_text(encoding="utf-8") == text


def test_what_cannot_be_read_now_still_holds_and_is_read_again_later(
    file: KeepFile, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.keep(UPLOAD, None, now_epoch_s=NOW)
    KeepFile(path).keep(PARSER, None, now_epoch_s=NOW)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", _refuse(PermissionError(13, "Permission denied", str(path))))
        assert file.kept(NOW) == {UPLOAD}
        assert file.problem is not None
        assert "it cannot be read (Permission denied)" in file.problem.what
        with pytest.raises(KeepError, match="Allow this user to read it"):
            file.keep("alpha:9", None, now_epoch_s=NOW)
    assert file.kept(NOW) == {UPLOAD, PARSER}
    assert problem_of(file) is None


def test_a_full_disk_is_told_and_changes_nothing(file: KeepFile, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.keep(UPLOAD, None, now_epoch_s=NOW)
    before = path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr("trayapp.keeps.os.fsync", _refuse(OSError(28, "No space left on device")))
        with pytest.raises(KeepError, match=r"could not be written \(No space left on device\)\. Make room") as raised:
            file.keep(PARSER, None, now_epoch_s=NOW)
    assert raised.value.problem.where == str(path)
    assert path.read_bytes() == before
    assert file.kept(NOW) == {UPLOAD}
    assert sorted(p.name for p in path.parent.iterdir()) == [".keeps.json.lock", "keeps.json"]


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file, where the folder should be")
    with pytest.raises(KeepError, match="Make room, or let this user write there"):
        KeepFile(tmp_path / "data" / "keeps.json").keep(UPLOAD, None, now_epoch_s=NOW)


def _refuse(error: OSError) -> Callable[..., None]:
    def refuse(*_: object, **__: object) -> None:
        raise error

    return refuse
