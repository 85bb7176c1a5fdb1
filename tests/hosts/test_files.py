"""Files of other programs: which of them a look rested on, and whether they are still the same."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from trayapp.hosts.files import Witness


def written(path: Path, text: str, *, age_s: float = 60.0) -> Path:
    path.write_text(text)
    at_s = time.time() - age_s
    os.utime(path, (at_s, at_s))
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with two files, nothing of it new."""
    (tmp_path / "d").mkdir()
    for name in ("a", "b"):
        written(tmp_path / "d" / name, name)
    os.utime(tmp_path / "d", (time.time() - 60, time.time() - 60))
    return tmp_path / "d"


def looked(folder: Path) -> Witness:
    witness = Witness()
    assert sorted(witness.names_in(folder, limit=10)) == ["a", "b"]
    assert witness.read_whole(folder / "a", limit_bytes=10) == b"a"
    assert witness.stamp(folder / "c") is None
    return witness


def test_a_look_stands_while_nothing_that_it_read_has_changed(folder: Path) -> None:
    witness = looked(folder)
    written(folder / "b", "longer")  # only its name was looked at
    assert witness.stands()


@pytest.mark.parametrize("change", ["rewritten", "gone", "appeared", "added"])
def test_a_look_does_not_stand_after_a_change(folder: Path, change: str) -> None:
    witness = looked(folder)
    assert witness.stands()
    if change == "rewritten":
        written(folder / "a", "x", age_s=30.0)
    elif change == "gone":
        (folder / "a").unlink()
    elif change == "appeared":
        (folder / "c").write_text("new")
    else:
        (folder / "d").write_text("new")
    assert not witness.stands()


def test_what_was_written_a_moment_ago_may_change_without_a_trace(folder: Path) -> None:
    written(folder / "a", "a", age_s=0.0)
    assert not looked(folder).stands()


def test_what_cannot_be_looked_at_any_more_has_changed(folder: Path) -> None:
    witness = looked(folder)
    loop = folder.with_name("loop")
    folder.rename(folder.with_name("moved"))
    loop.symlink_to(loop)
    folder.symlink_to(loop)
    assert not witness.stands()
