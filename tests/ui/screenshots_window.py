"""Pictures of the window's pages, light and dark: `shots(app)` yields a name and a picture each.

Run by tests/ui/screenshots.py (make screenshots); by itself it writes them to the folder given as argument.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication

from tests.ui import scene
from tests.ui.fake_backend import FakeBackend
from trayapp.ui import tokens
from trayapp.ui.bridge import Bridge
from trayapp.ui.sidebar import PageName
from trayapp.ui.window import MainWindow

SMALLEST = QSize(880, 600)


class NoLogin:
    """A start at login that is off and stays so."""

    def is_on(self) -> bool:
        return False

    def turn_on(self, command: object) -> None:
        """Nothing."""

    def turn_off(self) -> None:
        """Nothing."""


def _overview(window: MainWindow) -> None:
    key = scene.REFACTOR
    window.show_page(PageName.OVERVIEW)
    view = window.overview.view
    view.collapseAll()
    view.expand(window.overview.tree.index_of_group(key).parent())
    view.expand(window.overview.tree.index_of_group(key))
    view.select_group(key)
    window.overview.chart.chart.show_crosshair(scene.NOW_EPOCH_S - 4500)


def _by_session(window: MainWindow) -> None:
    _overview(window)
    window.overview.chart.stack_by("session")


def _session(window: MainWindow) -> None:
    window.show_session(scene.REFACTOR)


def _refused(window: MainWindow) -> None:
    window.show_session(scene.FIX)


def _journal(window: MainWindow) -> None:
    window.show_page(PageName.JOURNAL)
    QApplication.processEvents()
    window.journal.entries[0].head.setChecked(True)


def _settings(window: MainWindow) -> None:
    window.show_page(PageName.SETTINGS)


def _next(window: MainWindow) -> None:
    window.show_page(PageName.NEXT)


PAGES: dict[str, Callable[[MainWindow], None]] = {
    "overview": _overview,
    "session": _session,
    "next-to-go": _next,
    "journal": _journal,
    "settings": _settings,
}
MORE: dict[str, Callable[[MainWindow], None]] = {"by-session": _by_session, "refused": _refused}


def shots(app: QApplication, *, all_of_them: bool = False) -> Iterator[tuple[str, QPixmap]]:
    """Yield "window-overview-light" and its picture, and so on; with `all_of_them` also small and empty windows."""
    for look in ("light", "dark"):
        tokens.appearance().choose(look)
        yield from _of_scene(app, look, PAGES | (MORE if all_of_them else {}), None)
        if all_of_them and look == "light":
            yield from _of_scene(app, "small", PAGES, SMALLEST)
            yield from _of_scene(app, "empty", {"overview": lambda window: None}, None, FakeBackend(scene.empty()))
            yield from _of_scene(app, "stale", {"overview": lambda window: None}, None, FakeBackend(scene.stale()))
            yield from _of_scene(app, "before", {"overview": lambda window: None}, None, FakeBackend(None))
    tokens.appearance().choose("light")


def _of_scene(
    app: QApplication,
    look: str,
    pages: dict[str, Callable[[MainWindow], None]],
    size: QSize | None,
    backend: FakeBackend | None = None,
) -> Iterator[tuple[str, QPixmap]]:
    backend = backend or FakeBackend(scene.scene())
    bridge = Bridge(backend)
    window = MainWindow(backend, bridge, login=NoLogin())
    if size is not None:
        window.resize(size)
    window.show()
    for name, prepare in pages.items():
        for _ in range(3):
            app.processEvents()
        prepare(window)
        for _ in range(6):
            app.processEvents()
        if focused := app.focusWidget():
            focused.clearFocus()
        app.processEvents()
        yield f"window-{name}-{look}", window.grab()
    window.close()
    bridge.close()
    window.deleteLater()
    bridge.deleteLater()
    app.processEvents()


if __name__ == "__main__":
    from tests.ui.conftest import pin_look

    made = QApplication([])
    pin_look(made)
    for title, picture in shots(made, all_of_them=True):
        picture.save(str(Path(sys.argv[1]) / f"{title}.png"))
