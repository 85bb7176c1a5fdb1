"""The tray application: makes the pieces, says which opens which, and takes them down in order.

Knows every face and no detail of any. What is not seen is not loaded: first comes the icon, then the core, and every
other face when it is first asked for (the window too, and the charts when it shows one).
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QRect, QSocketNotifier, Qt, Signal
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from trayapp.desktop.single_instance import SingleInstance
from trayapp.say import noted, say
from trayapp.ui import access, icon, language, tokens
from trayapp.ui.tray import Tray

if TYPE_CHECKING:
    from trayapp.model.finding import Finding
    from trayapp.model.process import Identity
    from trayapp.model.snapshot import Snapshot
    from trayapp.ui.backend import Backend
    from trayapp.ui.findings import FindingsDialog
    from trayapp.ui.first_run import FirstRun
    from trayapp.ui.popover import Popover
    from trayapp.ui.review import ReviewDialog
    from trayapp.ui.setup_dialog import SetupDialog
    from trayapp.ui.window import MainWindow

NO_TRAY = noted(
    "This desktop shows no tray, so Agent Ring lives in this window; closing it quits. On GNOME the AppIndicator"
    " extension brings the tray back."
)


class TrayApplication(QObject):
    """Hold the pieces of the running app and connect them; `tray` is the icon that is there already, if it is.

    `window_file` remembers what the window was like.

    Attributes:
        window: made at first use.
    """

    def __init__(
        self, app: QApplication, backend: Backend, tray: Tray | None = None, *, window_file: Path | None = None
    ) -> None:
        from trayapp.desktop import macos_policy
        from trayapp.ui.bridge import Bridge
        from trayapp.ui.notifier import Notifier

        super().__init__(app)
        self._app = app
        self._window_file = window_file
        self.bridge = Bridge(backend)
        self.tray = tray or Tray(parent=self)
        self._popover: Popover | None = None
        self.window: MainWindow | None = None
        self.review: ReviewDialog | None = None
        self.findings: FindingsDialog | None = None
        self.setup: SetupDialog | None = None
        self.welcome: FirstRun | None = None
        self._activity = macos_policy.Activity()
        self.notifier = Notifier(self.bridge, self.tray.show_message, parent=self)
        self.tray.serve(self.bridge, lambda: self.popover)
        self._connect()

    def _connect(self) -> None:
        tray = self.tray
        tray.window_asked.connect(lambda: self.open_window())
        tray.quit_asked.connect(self._app.quit)
        tray.review_asked.connect(lambda: self.open_review(False))
        tray.appeared.connect(self._move_to_tray)
        tray.hidden_by_system.connect(lambda sentence: self.open_window(notice=sentence))
        self.bridge.detail_changed.connect(self._hold_off_nap)

    @property
    def popover(self) -> Popover:
        """Return the popover; makes it at the first call."""
        if self._popover is None:
            from trayapp.ui.popover import Popover

            self._popover = popover = Popover(self.bridge, self.notifier)
            popover.window_asked.connect(lambda: self.open_window())
            popover.quit_asked.connect(self._app.quit)
            popover.settings_asked.connect(lambda: self.open_window("settings"))
            popover.findings_asked.connect(self.open_findings)
            popover.session_asked.connect(self.open_session)
            popover.review_asked.connect(self.open_review)
            popover.heap_review_asked.connect(lambda heap: self.open_review(False, heap=heap))
            popover.setup_asked.connect(self.open_setup)
        return self._popover

    def _hide_popover(self) -> None:
        if self._popover is not None:
            self._popover.hide()

    def start(self) -> None:
        """Show the icon, or the window where there is no tray (case 106)."""
        in_tray = self.tray.is_shown or self.tray.show()
        self._app.setQuitOnLastWindowClosed(not in_tray)
        if not in_tray:
            self.open_window(notice=say(NO_TRAY))

    def _hold_off_nap(self, view_is_open: bool) -> None:
        (self._activity.hold if view_is_open else self._activity.let_go)()

    def _move_to_tray(self) -> None:
        self._app.setQuitOnLastWindowClosed(False)

    # ---- what opens what

    def main_window(self) -> MainWindow:
        """Return the window; makes it at the first call."""
        if self.window is None:
            from PySide6.QtGui import QKeySequence, QShortcut

            from trayapp.ui.ui_state import UiStateFile
            from trayapp.ui.window import MainWindow

            self.window = MainWindow(self.bridge.backend, self.bridge, state=UiStateFile(self._window_file))
            self.window.settings_changed.connect(lambda _settings: self.tray.refresh())
            QShortcut(QKeySequence(QKeySequence.StandardKey.Quit), self.window, self._app.quit)
        return self.window

    def open_window(self, page: str = "overview", *, notice: str = "") -> None:
        """Bring the window to the front."""
        self._hide_popover()
        window = self.main_window()
        window.show_page(page)
        if notice:
            window.show_notice(notice)
        window.bring_to_front()

    def open_session(self, key: str) -> None:
        """Bring the window to the front, at one session."""
        self.open_window()
        self.main_window().show_session(key)

    def open_review(self, orphans_only: bool, *, heap: Identity | None = None) -> None:
        """Ask what shall go, of all or of one `heap`; an open review comes to the front instead."""
        snapshot = self.bridge.snapshot
        self._hide_popover()
        if self.review is None and snapshot is not None:
            from trayapp.ui.review import ReviewDialog

            self.review = ReviewDialog(self.bridge, snapshot, orphans_only=orphans_only, heap=heap)
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
        from trayapp.ui.findings import FindingsDialog

        self._hide_popover()
        self.findings = FindingsDialog(findings)
        self.findings.show()
        self.findings.raise_()
        self.findings.activateWindow()

    def open_setup(self, host: str) -> None:
        """Ask whether something of ours shall be put into a host."""
        from trayapp.ui.setup_dialog import SetupDialog

        self._hide_popover()
        snapshot = self.bridge.snapshot
        label = snapshot.label(host) if snapshot is not None else None
        self.setup = SetupDialog(self.bridge, host, label.title if label is not None else host)
        self.setup.show()
        self.setup.raise_()
        self.setup.activateWindow()

    def open_first_run(self) -> None:
        """Welcome, at the first start alone."""
        from trayapp.ui.first_run import FirstRun

        self.welcome = FirstRun(self.bridge)
        self.welcome.page_wanted.connect(self.open_window)
        self.welcome.show()
        self.welcome.raise_()
        self.welcome.activateWindow()

    def _forget_review(self) -> None:
        self.review = None

    # ---- the end

    def close(self) -> None:
        """Take everything down: first what can ask the core, then what hears from it."""
        self._app.setQuitOnLastWindowClosed(False)  # or closing the window would quit a loop that has ended
        self._hide_popover()
        for dialog in (self.review, self.findings, self.setup, self.welcome):
            if dialog is not None and isValid(dialog):
                dialog.close()
        if self.window is not None:
            self.window.close()
            self.window.deleteLater()
            self.window = None
        self.tray.close()
        self.bridge.close()
        self._activity.let_go()
        if self._popover is not None:
            self._popover.deleteLater()
            self._popover = None


class _Opening(QObject):
    """Open the core on a thread of its own, so that the icon answers meanwhile; close it where it was opened from."""

    # Emitted in the UI thread; payload: the core.
    opened = Signal(object)
    # Emitted in the UI thread when there will be none; the fault is in `fault`.
    failed = Signal()

    # Emitted in the thread that opens.
    _ended = Signal()

    def __init__(self, open_backend: Callable[[], AbstractContextManager[Backend]], parent: QObject) -> None:
        super().__init__(parent)
        self._open_backend = open_backend
        self._stack = ExitStack()
        self._backend: Backend | None = None
        self._closed = False
        self.fault: BaseException | None = None
        self._thread = threading.Thread(target=self._open, name="agentring-open", daemon=True)
        self._ended.connect(self._tell, Qt.ConnectionType.QueuedConnection)

    def start(self) -> None:
        self._thread.start()

    def _open(self) -> None:
        try:
            self._backend = self._stack.enter_context(self._open_backend())
        except BaseException as fault:  # noqa: BLE001  whatever it was is raised again in the UI thread
            self.fault = fault
        self._ended.emit()

    def _tell(self) -> None:
        if self._closed:
            return
        if self.fault is not None:
            self.failed.emit()
        else:
            self.opened.emit(self._backend)

    def close(self) -> None:
        """Wait for the core, and close it; raises what kept it from opening. Nobody is told any more."""
        self._closed = True
        self._thread.join()
        self._stack.close()
        if self.fault is not None:
            raise self.fault


class _Run(QObject):
    """Connect what is there first (icon, socket) with what comes once the core is open."""

    def __init__(
        self,
        app: QApplication,
        tray: Tray,
        instance: SingleInstance,
        opening: _Opening,
        window_file: Path | None = None,
    ) -> None:
        super().__init__(app)
        self._app, self._tray, self._window_file = app, tray, window_file
        self.pieces: TrayApplication | None = None
        self._open_asked = False
        instance.open_asked.connect(self._open)
        opening.opened.connect(self._begin)
        opening.failed.connect(app.quit)

    def _open(self) -> None:
        if self.pieces is None:
            self._open_asked = True
        else:
            self.pieces.open_window()

    def _begin(self, backend: Backend) -> None:
        language.speak(backend.settings.language)
        if backend.settings.appearance != "system":
            tokens.appearance().choose(backend.settings.appearance)
        self.pieces = TrayApplication(self._app, backend, self._tray, window_file=self._window_file)
        self.pieces.start()
        if self._open_asked:
            self.pieces.open_window()
        if not backend.settings.welcomed:
            self.pieces.open_first_run()

    def close(self) -> None:
        """Take down what there is."""
        if self.pieces is not None:
            self.pieces.close()
        else:
            self._tray.close()
        language.hush()


def run(
    open_backend: Callable[[], AbstractContextManager[Backend]],
    *,
    icon_file: Path | None = None,
    window_file: Path | None = None,
) -> int:
    """Run the tray app until the user quits; returns the exit code.

    The icon is shown before the core is opened, as it was left in `icon_file`; the window stands as it was left in
    `window_file`. A second start asks the first one to open its window and returns 0, before a core is even begun.
    SIGINT and SIGTERM quit as the menu does.
    """
    app = make_application()
    instance = SingleInstance(parent=app)
    if not instance.claim():
        return 0
    if sys.platform == "darwin":
        from trayapp.desktop import macos_policy

        macos_policy.become_accessory()
    tray = Tray(last=icon.read_key(icon_file) if icon_file is not None else None, parent=app)
    tray.show()
    app.processEvents()
    opening = _Opening(open_backend, app)
    running = _Run(app, tray, instance, opening, window_file)
    with _quit_on_signals(app):
        opening.start()
        code = app.exec()
    instance.close()
    running.close()
    if icon_file is not None:
        icon.write_key(icon_file, tray.key)
    opening.close()
    from PySide6.QtCore import QEvent

    # quitting closes the windows, and the last window asks to quit once more: nobody is left to hear it
    QCoreApplication.removePostedEvents(app, QEvent.Type.Quit.value)
    app.processEvents()
    return code


def make_application() -> QApplication:
    """Return the QApplication with the house's style, fonts and palette."""
    found = QApplication.instance()
    if isinstance(found, QApplication):
        app = found
        app.setStyle("Fusion")
    else:  # by its name: setStyle() hands back a QStyle, for which Python makes 700 names
        app = QApplication([sys.argv[0], "-style", "fusion"])
    app.setApplicationName("Agent Ring")
    app.setApplicationDisplayName("Agent Ring")
    app.setDesktopFileName("agentring")
    app.setQuitOnLastWindowClosed(False)
    tokens.appearance()
    access.install()
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
        "tray_state": pieces.tray.key.state.value,
        "popover_px": [popover.width(), popover.height()],
        "window_px": [window.width(), window.height()],
        "charts_loaded": "pyqtgraph" in sys.modules,
        "icon_sizes": list(icon.ICON_SIZES),
    }
    pieces.close()
    app.processEvents()
    return seen


def print_self_test(backend: Backend) -> int:
    """Print what self_test saw as JSON; 0 when everything showed."""
    import json

    seen = self_test(backend)
    sys.stdout.write(json.dumps(seen) + "\n")
    return 0
