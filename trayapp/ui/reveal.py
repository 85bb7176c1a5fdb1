"""Show where a file lies, in the file manager of the desktop."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices


def reveal(path: Path) -> bool:
    """Open the folder of a file, or the nearest one above it that is there; say whether something opens it."""
    folder = next((each for each in path.parents if each.is_dir()), Path.home())
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))
