"""Every face looks as it was last looked at by a person; `python -m tests.ui.pictures --renew` keeps new looks."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QFontDatabase, QImage, QPainter
from PySide6.QtWidgets import QApplication

from tests.ui import pictures


@pytest.fixture
def with_font(qapp: QApplication) -> None:
    if pictures.FONT not in QFontDatabase.families():
        pytest.skip(f"{pictures.FONT} is not installed (Debian: fonts-dejavu-core; scripts/set_up.py installs it)")
    if sys.platform != "linux":
        pytest.skip("the pictures were taken with FreeType; other systems draw letters in another way")


def test_every_face_looks_as_in_its_golden_picture(with_font: None, tmp_path: Path) -> None:
    found = pictures.FOUND
    found.mkdir(parents=True, exist_ok=True)
    for old in found.glob("*.png"):
        old.unlink()
    for scale in (1, 2):
        pictures.draw(found, scale)
    assert pictures.compare(found) == []


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    folder = tmp_path / "kept"
    folder.mkdir()
    page(QColor("#FFFFFF")).save(str(folder / "page.png"))
    return folder


def page(ground: QColor, word: int = 0) -> QImage:
    """Draw a page with one thing on it, as large as a short word; `word` moves it."""
    image = QImage(400, 300, QImage.Format.Format_RGB32)
    image.fill(ground)
    painter = QPainter(image)
    painter.fillRect(50 + word, 60, 30, 8, QColor("#1D1D20"))
    painter.end()
    return image


def test_a_word_that_moved_is_told_with_its_place_and_shown(kept: Path, tmp_path: Path) -> None:
    found = pictures.FOUND / "try"
    found.mkdir(parents=True, exist_ok=True)
    page(QColor("#FFFFFF"), word=12).save(str(found / "page.png"))
    (line,) = pictures.compare(found, kept)
    assert line.startswith("page.png: 0.16% of its pixels differ, x 50 to 91, y 60 to 67; see build/golden/try/")
    told = QImage(str(found / "difference-page.png"))
    assert told.pixelColor(55, 62) == QColor(179, 38, 30)
    assert told.pixelColor(200, 200) != QColor(179, 38, 30)
    for made in found.iterdir():
        made.unlink()


def test_a_shade_is_not_told_and_another_size_is(kept: Path, tmp_path: Path) -> None:
    found = tmp_path / "found"
    found.mkdir()
    page(QColor("#F8F8F8")).save(str(found / "page.png"))
    assert pictures.compare(found, kept) == []
    page(QColor("#FFFFFF")).scaled(401, 300).save(str(found / "page.png"))
    assert pictures.compare(found, kept) == ["page.png: was 400 x 300, is 401 x 300"]


def test_a_picture_that_is_new_or_missing_is_told(kept: Path, tmp_path: Path) -> None:
    found = tmp_path / "found"
    found.mkdir()
    page(QColor("#FFFFFF")).save(str(found / "other.png"))
    assert pictures.compare(found, kept) == ["other.png: is new", "page.png: was not drawn"]
