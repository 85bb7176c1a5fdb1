"""Where the files lie that are shipped beside the code: icons, translations, host descriptions.

In an installed package they are in `_resources`; in a checkout the folder `resources` lies beside the package.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def path(*names: str) -> Path:
    """Return where a file or folder lies, such as path("icons", "check.svg"); it may be missing."""
    installed = _PACKAGE / "_resources"
    folder = installed if installed.is_dir() else _PACKAGE.parent / "resources"
    return folder.joinpath(*names)
