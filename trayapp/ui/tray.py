"""The tray icon: shows the ring, opens the popover, holds the menu.

Knows how the platforms differ about clicks and menus. Knows nothing of what the popover shows.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QRect, QTimer, Signal
from PySide6.QtGui import QAction, QCursor, QGuiApplication
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from trayapp import targets
from trayapp.ui import ring, tokens
from trayapp.ui.bridge import Bridge
from trayapp.ui.popover import Popover
from trayapp.ui.ring import IconKey, Tone

REOPEN_GUARD_S = 0.25
"""A click on the icon takes the focus from the popover, which hides, before the click itself arrives."""
LOOK_FOR_TRAY_MS = 5000
PARKED_AFTER_MS = 2000

Reason = QSystemTrayIcon.ActivationReason


def is_parked(icon: QRect, screens: Sequence[QRect]) -> bool:
    """Say whether the system keeps the icon where nobody sees it (macOS parks hidden items below the screen)."""
    return not icon.isNull() and not any(screen.intersects(icon) for screen in screens)


def tone_of(setting: str, *, platform: str, is_dark: bool) -> Tone:
    """Return the tone to paint in: the user's choice of glyph, else what the platform's bars look like."""
    if setting in ("light", "dark"):
        return Tone.DARK_BAR if setting == "light" else Tone.LIGHT_BAR
    if platform == "darwin":
        return Tone.TEMPLATE
    return Tone.DARK_BAR if is_dark else Tone.LIGHT_BAR


def anchor_of(geometry: QRect) -> QRect:
    """Return what the popover hangs on: the icon, or the pointer where the host does not tell where the icon is."""
    if not geometry.isNull():
        return geometry
    at = QCursor.pos()
    return QRect(at.x(), at.y(), 1, 1)


class Tray(QObject):
    """Keep the icon, its tooltip and its menu up to date, and turn clicks into what the user wants.

    Attributes:
        is_shown: the icon is in a tray.
        menu: the plain menu, with four entries.
    """

    # Emitted in the UI thread; the application does what is asked.
    window_asked = Signal()
    review_asked = Signal()
    quit_asked = Signal()
    # Emitted in the UI thread when a tray appeared that was not there at the start.
    appeared = Signal()
    # Emitted in the UI thread when the icon is where nobody can see it; payload: one sentence.
    hidden_by_system = Signal(str)

    def __init__(
        self,
        bridge: Bridge,
        popover: Popover,
        *,
        platform: str = sys.platform,
        is_available: Callable[[], bool] = QSystemTrayIcon.isSystemTrayAvailable,
        clock_s: Callable[[], float] = time.monotonic,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bridge, self._popover = bridge, popover
        self._platform, self._is_available, self._clock_s = platform, is_available, clock_s
        self._cache = ring.IconCache()
        self._key: IconKey | None = None
        self._tooltip = ""
        self._last_trigger_s = float("-inf")
        self.is_shown = False
        self.icon = QSystemTrayIcon(self)
        self.menu = self._build_menu()
        if platform != "darwin":
            # on macOS AppKit would pop the menu on either button, so there it is shown by hand
            self.icon.setContextMenu(self.menu)
        self.icon.activated.connect(self._take_click)
        bridge.snapshot_changed.connect(lambda _snapshot: self.refresh())
        bridge.paused_changed.connect(lambda _paused: self.refresh())
        tokens.appearance().changed.connect(self.refresh)
        self._look_again = QTimer(self)
        self._look_again.setInterval(LOOK_FOR_TRAY_MS)
        self._look_again.timeout.connect(self._look_for_tray)
        self.refresh()

    # ---- being there

    def show(self) -> bool:
        """Show the icon; False when there is no tray, which is looked for again from then on."""
        if not self._is_available():
            self._look_again.start()
            return False
        self._show_icon()
        return True

    def _show_icon(self) -> None:
        self.is_shown = True
        self.icon.show()
        if self._platform == "darwin":
            QTimer.singleShot(PARKED_AFTER_MS, self, self._tell_when_parked)

    def _look_for_tray(self) -> None:
        if self._is_available():
            self._look_again.stop()
            self._show_icon()
            self.appeared.emit()

    def _tell_when_parked(self) -> None:
        screens = [screen.geometry() for screen in QGuiApplication.screens()]
        if is_parked(self.icon.geometry(), screens):
            self.hidden_by_system.emit(
                "The system hides the icon. Allow Agent Ring under System Settings, Menu Bar; starting it again"
                " opens this window."
            )

    def close(self) -> None:
        """Take the icon away and stop looking."""
        self._look_again.stop()
        self.icon.hide()
        self.is_shown = False
        self.menu.deleteLater()

    # ---- looks

    @property
    def key(self) -> IconKey | None:
        return self._key

    def refresh(self) -> None:
        """Bring icon and tooltip up to date; the icon is set only when it would look different."""
        bridge = self._bridge
        tone = tone_of(bridge.backend.settings.tray_tone, platform=self._platform, is_dark=tokens.theme().is_dark)
        key = ring.icon_key(bridge.snapshot, paused=bridge.backend.paused, tone=tone)
        if key != self._key:
            self._key = key
            self.icon.setIcon(self._cache.icon(key))
        tooltip = ring.spoken(bridge.snapshot, paused=bridge.backend.paused)
        if tooltip != self._tooltip:
            self._tooltip = tooltip
            self.icon.setToolTip(tooltip)

    # ---- clicks

    def _take_click(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason is Reason.Context:
            if self._platform == "darwin":
                self.menu.popup(QCursor.pos())
        elif reason is Reason.DoubleClick:
            # its first click has been a Trigger already
            if self._clock_s() - self._last_trigger_s > QGuiApplication.styleHints().mouseDoubleClickInterval() / 1000:
                self.toggle()
        elif reason in (Reason.Trigger, Reason.Unknown):
            self._last_trigger_s = self._clock_s()
            self.toggle()

    def toggle(self) -> None:
        """Open the popover, or close it."""
        if self._popover.isVisible():
            self._popover.hide()
        elif self._clock_s() - self._popover.hidden_at_s >= REOPEN_GUARD_S:
            self._popover.show_at(anchor_of(self.icon.geometry()))

    # ---- menu

    def _build_menu(self) -> QMenu:
        menu = QMenu()
        menu.addAction("Open").triggered.connect(self.window_asked)
        self._pause = menu.addAction("Pause")
        self._pause.triggered.connect(self._toggle_pause)
        self._release = menu.addAction("Release idle…")
        self._release.triggered.connect(self.review_asked)
        quit_action = menu.addAction("Quit")
        quit_action.setMenuRole(QAction.MenuRole.NoRole)
        quit_action.triggered.connect(self.quit_asked)
        menu.aboutToShow.connect(self._update_menu)
        return menu

    def _update_menu(self) -> None:
        snapshot = self._bridge.snapshot
        self._pause.setText("Measure again" if self._bridge.backend.paused else "Pause")
        self._release.setEnabled(snapshot is not None and bool(targets.reclaimable(snapshot)))

    def _toggle_pause(self) -> None:
        self._bridge.set_paused(not self._bridge.backend.paused)
