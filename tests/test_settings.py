"""The settings file: what is wrong is told with its line, the rest holds, nothing of the user's is lost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from trayapp.settings import Settings, load, save


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config" / "settings.toml"


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode())
    return path


def test_without_a_file_everything_has_its_default(path: Path) -> None:
    assert load(path) == (Settings(), ())
    assert not path.exists()


def test_what_is_saved_is_loaded(path: Path) -> None:
    wanted = Settings(
        interval_s=1.0, idle_after_s=60.0, keep_days=7, record=False, tray_tone="dark", cpu_of_machine=True
    )
    assert save(path, wanted) is None
    assert load(path) == (wanted, ())
    assert path.read_text().startswith("# Settings of Agent Ring.")
    assert list(path.parent.iterdir()) == [path]


def test_only_what_differs_is_written_so_that_later_defaults_reach_the_user(path: Path) -> None:
    save(path, Settings(keep_days=7))
    assert "keep_days = 7" in path.read_text()
    assert "interval_s" not in path.read_text()
    save(path, Settings())
    assert load(path)[0] == Settings()


def test_comments_order_and_line_ends_stay(path: Path) -> None:
    text = "# mine\r\nkeep_days = 30 # a month\r\n\r\ninterval_s = 5\r\n"
    written(path, text)
    save(path, replace(load(path)[0], keep_days=31))
    assert path.read_bytes().decode() == text.replace("30 #", "31 #")


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("interval_s = 'fast'", "interval_s"),
        ("interval_s = 0", "interval_s"),
        ("interval_s = nan", "interval_s"),
        ("interval_s = inf", "interval_s"),
        ("interval_s = true", "interval_s"),
        ("keep_days = 1.5", "keep_days"),
        ("keep_days = -1", "keep_days"),
        ("record = 1", "record"),
        ("tray_tone = 'pink'", "tray_tone"),
        ("tray_tone = 2026-11-30", "tray_tone"),
        ("cpu_of_machine = []", "cpu_of_machine"),
    ],
)
def test_a_wrong_value_is_told_with_its_line_and_the_rest_holds(path: Path, line: str, name: str) -> None:
    written(path, f"# comment\nidle_after_s = 60\n{line}\n")
    loaded, (problem,) = load(path)
    assert loaded == Settings(idle_after_s=60.0)
    assert problem.where == f"{path}, line 3"
    assert name in problem.what
    assert "\n" not in str(problem)


def test_a_wrong_value_stays_in_the_file_until_another_is_chosen(path: Path) -> None:
    written(path, "interval_s = 'fast'\nkeep_days = 7\n")
    save(path, replace(load(path)[0], keep_days=8))
    assert path.read_text() == "interval_s = 'fast'\nkeep_days = 8\n"
    save(path, replace(load(path)[0], interval_s=1.0))
    assert path.read_text() == "interval_s = 1.0\nkeep_days = 8\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a.b = 1\n[a]\nc = 1\n", 3),
        ("[a]\nb.c = 1\n[a.b]\nd = 1\n", 1),  # of these two tomlkit does not tell the line
        ("[a]\nb = 1\n[[a.b]]\n", 1),
        ("keep_days = 7\nrecord =\n", 2),
        ("keep_days = 7\n\nkeep_days = 8\n", 3),
        ("keep_days = 7\n[half\n", 2),
        ("no equals sign\n", 1),
        ("keep_days = 7\nx = [\n", 2),
    ],
)
def test_a_broken_file_is_one_problem_with_its_line_and_is_not_touched(path: Path, text: str, line: int) -> None:
    written(path, text)
    loaded, (problem,) = load(path)
    assert loaded == Settings()
    assert problem.where == f"{path}, line {line}"
    assert path.read_text() == text


def test_bytes_that_are_no_text_are_one_problem(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"keep_days = 7\ntray_tone = '\xff\xfe'\n")
    loaded, (problem,) = load(path)
    assert loaded == Settings()
    assert problem.where == f"{path}, line 2"
    assert "UTF-8" in problem.what


def test_saving_over_a_broken_file_sets_it_aside_and_says_so(path: Path) -> None:
    for number, name in enumerate(["settings.set-aside.toml", "settings.set-aside-2.toml"]):
        broken = f"keep_days = [{number}"
        written(path, broken)
        problem = save(path, Settings(keep_days=9))
        assert problem is not None
        assert name in problem.what
        assert (path.parent / name).read_text() == broken
        assert load(path) == (Settings(keep_days=9), ())


def test_unknown_keys_are_kept_and_mentioned_once(path: Path) -> None:
    text = "keep_days = 7\nintervall_s = 3\n\n[plugin]\ncolour = 'red'\n"
    written(path, text)
    loaded, (problem,) = load(path)
    assert loaded == Settings(keep_days=7)
    assert problem.where == f"{path}, line 2"
    assert "intervall_s, plugin" in problem.what
    save(path, replace(loaded, record=False))
    after = path.read_text()
    assert load(path)[0] == Settings(keep_days=7, record=False)
    assert "intervall_s = 3\n" in after
    assert "[plugin]\ncolour = 'red'\n" in after


def test_settings_of_a_newer_program_hold_as_far_as_they_are_understood(path: Path) -> None:
    written(path, "schema = 2\nkeep_days = 7\n")
    loaded, (problem,) = load(path)
    assert loaded == Settings(keep_days=7)
    assert "version 2" in problem.what
    save(path, Settings(keep_days=8))
    assert path.read_text() == "schema = 2\nkeep_days = 8\n"


def test_a_folder_in_the_place_of_the_file_is_a_problem_and_not_an_error(path: Path) -> None:
    path.mkdir(parents=True)
    loaded, (problem,) = load(path)
    assert loaded == Settings()
    assert "cannot be read" in problem.what


def test_a_symbolic_link_stays_one(path: Path, tmp_path: Path) -> None:
    real = written(tmp_path / "dotfiles" / "ring.toml", "keep_days = 7\n")
    path.parent.mkdir()
    path.symlink_to(real)
    save(path, Settings(keep_days=8))
    assert path.is_symlink()
    assert real.read_text() == "keep_days = 8\n"


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary() | st.text().map(str.encode))
@example(content=b"a.b = 1\na.b.c = 2\n")
@example(content=b'"two\\nlines" = 1\n')
@example(content=b"[record]\nx = 1\n")
@example(content=b"\xef\xbb\xbfkeep_days = 7\n")
def test_no_content_whatever_raises_and_saving_loses_nothing(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = tmp_path_factory.mktemp("settings") / "settings.toml"
    path.write_bytes(content)
    _, problems = load(path)
    assert path.read_bytes() == content
    assert all("\n" not in str(problem) for problem in problems)
    if save(path, Settings(keep_days=11)) is not None:
        assert (path.parent / "settings.set-aside.toml").read_bytes() == content
    assert load(path)[0].keep_days == 11
