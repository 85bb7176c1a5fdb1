"""What Agent Ring keeps on disk is told with its size; what is not there, as not there."""

from __future__ import annotations

from pathlib import Path

from trayapp.own_files import OwnFile, own_files


def test_a_file_has_its_size_and_a_missing_one_has_none(tmp_path: Path) -> None:
    there, missing = tmp_path / "settings.toml", tmp_path / "journal.jsonl"
    there.write_bytes(b"x" * 12)
    assert own_files({"settings": there, "journal": missing, "lineage": None}) == (
        OwnFile(name="settings", path=there, size_bytes=12),
        OwnFile(name="journal", path=missing, size_bytes=None),
    )


def test_what_sqlite_keeps_beside_a_history_belongs_to_its_size(tmp_path: Path) -> None:
    history = tmp_path / "history.sqlite"
    for name, size in (("history.sqlite", 100), ("history.sqlite-wal", 20), ("history.sqlite-shm", 3)):
        (tmp_path / name).write_bytes(b"x" * size)
    assert own_files({"history": history})[0].size_bytes == 123


def test_a_folder_counts_the_files_in_it(tmp_path: Path) -> None:
    folder = tmp_path / "incidents"
    folder.mkdir()
    assert own_files({"incidents": folder})[0].size_bytes == 0
    (folder / "one.json").write_bytes(b"x" * 30)
    (folder / "two.json").write_bytes(b"x" * 12)
    assert own_files({"incidents": folder})[0].size_bytes == 42
