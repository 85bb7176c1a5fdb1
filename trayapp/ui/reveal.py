"""Show where a file or folder lies, in the file manager of the desktop."""

from __future__ import annotations

from pathlib import Path

from trayapp.say import say


def reveal(path: Path) -> str:
    """Open a folder, or the one that a file lies in, or the nearest above that is there; returns why not, else ""."""
    from PySide6.QtCore import QUrl
    from PySide6.QtGui import QDesktopServices

    folder = next((each for each in (path, *path.parents) if each.is_dir()), Path.home())
    if QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
        return ""
    return say("No program opens folders here. The folder is {folder}", folder=folder)
