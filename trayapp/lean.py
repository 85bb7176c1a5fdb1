"""Libraries without what they only would like to have: the tray stands there all day and counts every megabyte."""

from __future__ import annotations

import sys
from typing import Any


def import_msgspec() -> None:
    """Import msgspec without typing_extensions, 0.8 MB of which it uses what Python 3.11 has itself.

    It falls back to `typing` where the import fails. Nothing where either is there already; afterwards everybody else
    gets typing_extensions as ever.
    """
    if "msgspec" in sys.modules or "typing_extensions" in sys.modules:
        return
    modules: dict[str, Any] = sys.modules
    modules["typing_extensions"] = None
    try:
        import msgspec  # noqa: F401
    finally:
        del modules["typing_extensions"]
