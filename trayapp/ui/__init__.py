"""Qt, and with `desktop/` the only place with Qt: tray, ring, popover, window, charts."""

import builtins
import linecache

import PySide6.QtCore  # noqa: F401  the first import of it is what changes `__import__`

# PySide puts an import of its own in front of Python's, for `from __feature__ import ...`, which nobody here uses. It
# reads the source of every module that is imported afterwards, and all of it stays in linecache: 7 MB at the start.
builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
linecache.clearcache()
