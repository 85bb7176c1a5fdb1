"""Pictures of the window's pages, called by tests/ui/screenshots.py (make screenshots).

By itself it draws all of them, small and empty windows too: `python -m tests.ui.screenshots_window FOLDER`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication, QScrollArea

from tests.ui import scene
from tests.ui.fake_backend import FakeBackend
from trayapp.model.access import Permission
from trayapp.model.incident import Account
from trayapp.model.snapshot import Snapshot
from trayapp.ui import tokens
from trayapp.ui.bridge import Bridge
from trayapp.ui.sidebar import PageName
from trayapp.ui.window import MainWindow

SMALLEST = QSize(880, 600)
_SCENE = scene.scene()


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


def _table(window: MainWindow) -> None:
    _overview(window)
    window.overview.chart.show_as_table(True)


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


def _policies(window: MainWindow) -> None:
    window.show_page(PageName.POLICIES)


def _trial(window: MainWindow) -> None:
    window.show_page(PageName.POLICIES)
    QApplication.processEvents()
    card = window.policies.own["idle-4h"]
    card.toggle()
    backend = window.policies._bridge.backend
    assert isinstance(backend, FakeBackend)
    assert card.trial is not None
    card.trial.begin()
    backend.swept.set_result(scene.sweep())


def _heap(window: MainWindow) -> None:
    window.show_page(PageName.OVERVIEW)
    window.overview.chart.show_view("heap")
    window.overview.view.select_group(scene.LEDGER)


def _heap_session(window: MainWindow) -> None:
    window.show_session(scene.INGEST)


def _incident(window: MainWindow) -> None:
    window.show_page(PageName.JOURNAL)
    QApplication.processEvents()
    for entry in window.journal.entries[:2]:
        entry.head.setChecked(True)


def _settings_below(share: float, window: MainWindow) -> None:
    window.show_page(PageName.SETTINGS)
    QApplication.processEvents()
    bar = max((area.verticalScrollBar() for area in window.findChildren(QScrollArea)), key=lambda each: each.maximum())
    bar.setValue(round(bar.maximum() * share))


PAGES: dict[str, Callable[[MainWindow], None]] = {
    "overview": _overview,
    "session": _session,
    "next-to-go": _next,
    "journal": _journal,
    "settings": _settings,
}
HEAP_PAGES: dict[str, Callable[[MainWindow], None]] = {
    "heap": _heap,
    "heap-session": _heap_session,
    "incident": _incident,
}
HOSTED_PAGES: dict[str, Callable[[MainWindow], None]] = {
    "hosted-session": lambda window: window.show_session(scene.SUPPORT),
    "hosted-settings": _settings,
    "hosted-journal": _journal,
}
POLICY_PAGES: dict[str, Callable[[MainWindow], None]] = {
    "kept": _next,
    "policies": _policies,
    "trial": _trial,
}
BELOW: dict[str, Callable[[MainWindow], None]] = {
    "settings-2": partial(_settings_below, 0.5),
    "settings-3": partial(_settings_below, 1.0),  # and not About, which names the machine
}
MORE: dict[str, Callable[[MainWindow], None]] = {"by-session": _by_session, "refused": _refused, "table": _table}


def draw(folder: Path, look: str, *, all_of_them: bool = False) -> None:
    """Draw every page in one look; with `all_of_them` also small, empty, silent and first windows."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        raise TypeError("draw() needs a QApplication")
    tokens.appearance().choose(look)
    pictures = [*_of_scene(app, look, PAGES | BELOW | (MORE if all_of_them else {}))]
    pictures += _of_scene(
        app, look, HEAP_PAGES, snapshot=scene.heap_scene(), accounts=(scene.account(scene.incident()),)
    )
    pictures += _of_scene(app, look, HOSTED_PAGES, snapshot=scene.hosted_scene(), hosted=True)
    pictures += _of_scene(app, look, POLICY_PAGES, snapshot=scene.kept_scene(), policies=True)
    if all_of_them:
        pictures += _of_scene(
            app, f"small-{look}", HOSTED_PAGES, size=SMALLEST, snapshot=scene.hosted_scene(), hosted=True
        )
        pictures += _of_scene(app, f"small-{look}", HEAP_PAGES, size=SMALLEST, snapshot=scene.heap_scene())
        pictures += _of_scene(
            app, f"small-{look}", POLICY_PAGES, size=SMALLEST, snapshot=scene.kept_scene(), policies=True
        )
        nothing: dict[str, Callable[[MainWindow], None]] = {"overview": lambda window: None}
        pictures += _of_scene(app, f"small-{look}", PAGES, size=SMALLEST)
        for name, snapshot in (("empty", scene.empty()), ("stale", scene.stale()), ("before", None)):
            pictures += _of_scene(app, f"{name}-{look}", nothing, snapshot=snapshot)
    for name, picture in pictures:
        picture.save(str(folder / f"{name}.png"))


def pages(app: QApplication, look: str) -> Iterator[tuple[str, QPixmap]]:
    """Draw each page once in one look, as the golden pictures keep it."""
    yield from _of_scene(app, look, PAGES | {"by-session": _by_session, "policies": _policies})


def set_policies(backend: FakeBackend) -> None:
    """Let sessions be kept and policies be there, one of which is about to act."""
    backend.kept, backend.rules, backend.tried = scene.KEEPS, (scene.IDLE_POLICY, scene.ORPHAN_POLICY), scene.dry_runs()
    backend.why_off = {
        scene.ORPHAN_POLICY.name: "Language server runs again 12 s after it was ended, started by an editor."
        " End what starts it, then switch the policy on again."
    }
    backend.announced = (scene.notice(due_epoch_s=time.time() + 48.9),)


def _of_scene(
    app: QApplication,
    look: str,
    pages: dict[str, Callable[[MainWindow], None]],
    *,
    size: QSize | None = None,
    snapshot: Snapshot | None = _SCENE,
    accounts: tuple[Account, ...] = (),
    hosted: bool = False,
    policies: bool = False,
) -> Iterator[tuple[str, QPixmap]]:
    backend = FakeBackend(snapshot)
    backend.accounts = accounts
    if hosted:
        backend.offers = scene.CONSENTS
        backend.journal = (scene.hosted_receipt(), *backend.journal)
        backend.permit("codex", Permission.READ_SECRET, allowed=True)
    if policies:
        set_policies(backend)
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
    for shown in ("light", "dark"):
        draw(Path(sys.argv[1]), shown, all_of_them=True)
