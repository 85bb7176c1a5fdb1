"""The tray application: makes the pieces, says which opens which, and takes them down in order.

Knows every face and no detail of any. The window is imported when it is first opened, the charts when it shows one.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QRect, QSocketNotifier
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from trayapp.desktop import macos_policy
from trayapp.desktop.single_instance import SingleInstance
from trayapp.model.finding import Finding
from trayapp.model.snapshot import Snapshot
from trayapp.ui import ring, tokens
from trayapp.ui.backend import Backend
from trayapp.ui.bridge import Bridge
from trayapp.ui.findings import FindingsDialog
from trayapp.ui.popover import Popover
from trayapp.ui.review import ReviewDialog
from trayapp.ui.tray import Tray

if TYPE_CHECKING:
    from trayapp.ui.window import MainWindow

NO_TRAY = (
    "This desktop shows no tray, so Agent Ring lives in this window; closing it quits. On GNOME the AppIndicator"
    " extension brings the tray back."
)


class TrayApplication(QObject):
    """Hold the pieces of the running app and connect them.

    Attributes:
        window: made at first use.
    """

    def __init__(self, app: QApplication, backend: Backend) -> None:
        super().__init__(app)
        self._app = app
        self.bridge = Bridge(backend)
        self.popover = Popover(self.bridge)
        self.tray = Tray(self.bridge, self.popover, parent=self)
        self.window: MainWindow | None = None
        self.review: ReviewDialog | None = None
        self.findings: FindingsDialog | None = None
        self._activity = macos_policy.Activity()
        self._connect()

    def _connect(self) -> None:
        popover, tray = self.popover, self.tray
        for asked in (popover.window_asked, tray.window_asked):
            asked.connect(lambda: self.open_window())
        for asked in (popover.quit_asked, tray.quit_asked):
            asked.connect(self._app.quit)
        popover.settings_asked.connect(lambda: self.open_window("settings"))
        popover.findings_asked.connect(self.open_findings)
        popover.session_asked.connect(self.open_session)
        popover.review_asked.connect(self.open_review)
        tray.review_asked.connect(lambda: self.open_review(False))
        tray.appeared.connect(self._move_to_tray)
        tray.hidden_by_system.connect(lambda sentence: self.open_window(notice=sentence))
        self.bridge.detail_changed.connect(self._hold_off_nap)

    def start(self) -> None:
        """Show the icon, or the window where there is no tray (case 106)."""
        in_tray = self.tray.show()
        self._app.setQuitOnLastWindowClosed(not in_tray)
        if not in_tray:
            self.open_window(notice=NO_TRAY)
        self.bridge.snapshot_changed.connect(self._warm_up)

    def _warm_up(self, _snapshot: Snapshot) -> None:
        """Make the popover's rows with the first snapshot, so that the first click is as quick as the next."""
        self.bridge.snapshot_changed.disconnect(self._warm_up)
        self.popover.refresh()

    def _hold_off_nap(self, view_is_open: bool) -> None:
        (self._activity.hold if view_is_open else self._activity.let_go)()

    def _move_to_tray(self) -> None:
        self._app.setQuitOnLastWindowClosed(False)

    # ---- what opens what

    def main_window(self) -> MainWindow:
        """Return the window; makes it at the first call."""
        if self.window is None:
            from trayapp.ui.window import MainWindow

            self.window = MainWindow(self.bridge.backend, self.bridge)
            self.window.settings_changed.connect(lambda _settings: self.tray.refresh())
            QShortcut(QKeySequence(QKeySequence.StandardKey.Quit), self.window, self._app.quit)
        return self.window

    def open_window(self, page: str = "overview", *, notice: str = "") -> None:
        """Bring the window to the front."""
        self.popover.hide()
        window = self.main_window()
        window.show_page(page)
        if notice:
            window.show_notice(notice)
        window.show()
        window.raise_()
        window.activateWindow()

    def open_session(self, key: str) -> None:
        """Bring the window to the front, at one session."""
        self.open_window()
        self.main_window().show_session(key)

    def open_review(self, orphans_only: bool) -> None:
        """Ask what shall go; an open review comes to the front instead."""
        snapshot = self.bridge.snapshot
        self.popover.hide()
        if self.review is None and snapshot is not None:
            self.review = ReviewDialog(self.bridge, snapshot, orphans_only=orphans_only)
            self.review.journal_asked.connect(lambda: self.open_window("journal"))
            self.review.finished.connect(self._forget_review)
        if self.review is not None:
            self.review.show()
            self.review.raise_()
            self.review.activateWindow()

    def open_findings(self) -> None:
        """Show what is looked for, once the core has looked."""
        self.bridge.when_done(self.bridge.backend.findings(), self._show_findings)

    def _show_findings(self, findings: Sequence[Finding]) -> None:
        self.popover.hide()
        self.findings = FindingsDialog(findings)
        self.findings.show()
        self.findings.raise_()
        self.findings.activateWindow()

    def _forget_review(self) -> None:
        self.review = None

    # ---- the end

    def close(self) -> None:
        """Take everything down: first what can ask the core, then what hears from it."""
        self._app.setQuitOnLastWindowClosed(False)  # or closing the window would quit a loop that has ended
        self.popover.hide()
        for dialog in (self.review, self.findings):
            if dialog is not None and isValid(dialog):
                dialog.close()
        if self.window is not None:
            self.window.close()
            self.window.deleteLater()
            self.window = None
        self.tray.close()
        self.bridge.close()
        self._activity.let_go()
        self.popover.deleteLater()


def run(open_backend: Callable[[], AbstractContextManager[Backend]]) -> int:
    """Run the tray app until the user quits; returns the exit code.

    A second start asks the first one to open its window and returns 0, before a core is even begun. SIGINT and SIGTERM
    quit as the menu does.
    """
    app = make_application()
    instance = SingleInstance(parent=app)
    if not instance.claim():
        return 0
    macos_policy.become_accessory()
    with open_backend() as backend:
        pieces = TrayApplication(app, backend)
        instance.open_asked.connect(lambda: pieces.open_window())
        with _quit_on_signals(app):
            pieces.start()
            code = app.exec()
        instance.close()
        pieces.close()
    # quitting closes the windows, and the last window asks to quit once more: nobody is left to hear it
    QCoreApplication.removePostedEvents(app, QEvent.Type.Quit.value)
    app.processEvents()
    return code


def make_application() -> QApplication:
    """Return the QApplication with the house's style, fonts and palette."""
    found = QApplication.instance()
    app = found if isinstance(found, QApplication) else QApplication([sys.argv[0]])
    app.setApplicationName("Agent Ring")
    app.setApplicationDisplayName("Agent Ring")
    app.setDesktopFileName("agentring")
    app.setStyle("Fusion")
    app.setQuitOnLastWindowClosed(False)
    tokens.appearance()
    return app


@contextmanager
def _quit_on_signals(app: QApplication) -> Iterator[None]:
    """Quit on SIGINT and SIGTERM, at once although the event loop sleeps in C: a socket wakes it up."""
    if os.name == "nt":
        yield
        return
    reader, writer = socket.socketpair()
    reader.setblocking(False)
    writer.setblocking(False)
    notifier = QSocketNotifier(reader.fileno(), QSocketNotifier.Type.Read)

    def wake() -> None:
        reader.recv(16)
        app.quit()

    notifier.activated.connect(wake)
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, lambda *_: None) for number in numbers}
    before_wakeup = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(before_wakeup)
        for number, handler in before.items():
            signal.signal(number, handler)
        notifier.setEnabled(False)
        reader.close()
        writer.close()


def self_test(backend: Backend, snapshot: Snapshot | None = None) -> dict[str, object]:
    """Show icon, popover, window and a chart once and tell what was seen; for the packaged app, which prints it."""
    app = make_application()
    pieces = TrayApplication(app, backend)
    if snapshot is not None:
        pieces.bridge.snapshot = snapshot
    pieces.tray.refresh()
    pixmap = pieces.tray.icon.icon().pixmap(22, 22)
    pieces.popover.show_at(QRect(0, 0, 22, 22))
    app.processEvents()
    popover = pieces.popover.grab()
    pieces.open_window()
    app.processEvents()
    window = pieces.main_window().grab()
    seen: dict[str, object] = {
        "tray_icon_px": pixmap.width(),
        "tray_state": pieces.tray.key.state.value if pieces.tray.key is not None else None,
        "popover_px": [popover.width(), popover.height()],
        "window_px": [window.width(), window.height()],
        "charts_loaded": "pyqtgraph" in sys.modules,
        "icon_sizes": list(ring.ICON_SIZES),
    }
    pieces.close()
    app.processEvents()
    return seen


def print_self_test(backend: Backend) -> int:
    """Print what self_test saw as JSON; 0 when everything showed."""
    seen = self_test(backend)
    sys.stdout.write(json.dumps(seen) + "\n")
    return 0
