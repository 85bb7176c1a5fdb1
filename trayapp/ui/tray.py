"""The tray icon: shows the ring, opens the popover, holds the menu.

Is there before the core is: until `serve` it shows what the last run left, or the empty ring. Knows how the platforms
differ about clicks and menus. Knows nothing of what the popover shows, which is made by the first click.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QRect, QTimer, Signal
from PySide6.QtGui import QAction, QCursor, QGuiApplication
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from trayapp.say import say
from trayapp.ui import tokens
from trayapp.ui.icon import IconCache, IconKey, IconState, Tone

if TYPE_CHECKING:
    from trayapp.ui.bridge import Bridge
    from trayapp.ui.popover import Popover

REOPEN_GUARD_S = 0.25
"""A click on the icon takes the focus from the popover, which hides, before the click itself arrives."""
LOOK_FOR_TRAY_MS = 5000
PARKED_AFTER_MS = 2000
LIKELY_PX, NEAR_PX = 28, 40
"""How large an icon is likely to be, and how far the middle of one is from its edge of the screen at most."""

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
    """Return what the popover hangs on: the icon, or what is likely to be it where the panel does not tell (D-Bus).

    Then the icon is under the pointer, and the panel between it and an edge of the screen that is near.
    """
    if not geometry.isNull():
        return geometry
    at = QCursor.pos()
    screen = QGuiApplication.screenAt(at) or QGuiApplication.primaryScreen()
    return likely_icon(at, screen.geometry())


def likely_icon(at: QPoint, screen: QRect) -> QRect:
    """Return the place of an icon around the pointer, grown to the edges of the screen that are near."""
    icon = QRect(at.x() - LIKELY_PX // 2, at.y() - LIKELY_PX // 2, LIKELY_PX, LIKELY_PX)
    if at.y() - screen.top() < NEAR_PX:
        icon.setTop(screen.top())
    elif screen.bottom() - at.y() < NEAR_PX:
        icon.setBottom(screen.bottom())
    if at.x() - screen.left() < NEAR_PX:
        icon.setLeft(screen.left())
    elif screen.right() - at.x() < NEAR_PX:
        icon.setRight(screen.right())
    return icon


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
        *,
        last: IconKey | None = None,
        platform: str = sys.platform,
        is_available: Callable[[], bool] = QSystemTrayIcon.isSystemTrayAvailable,
        shows_messages: Callable[[], bool] = QSystemTrayIcon.supportsMessages,
        clock_s: Callable[[], float] = time.monotonic,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._platform, self._is_available, self._clock_s = platform, is_available, clock_s
        self._shows_messages = shows_messages
        self._bridge: Bridge | None = None
        self._popover_here: Callable[[], Popover] | None = None
        self._clicked_early = False
        self._cache = IconCache()
        self._key = last or IconKey(state=IconState.NO_DATA, tone=self._tone("auto"))
        self._tooltip = "Agent Ring"
        self._last_trigger_s = float("-inf")
        self.is_shown = False
        self.icon = QSystemTrayIcon(self._cache.icon(self._key), self)
        self.icon.setToolTip(self._tooltip)
        self.menu = self._build_menu()
        if platform != "darwin":
            # on macOS AppKit would pop the menu on either button, so there it is shown by hand
            self.icon.setContextMenu(self.menu)
        self.icon.activated.connect(self._take_click)
        self.icon.messageClicked.connect(self._open_for_message)
        self._look_again = QTimer(self)
        self._look_again.setInterval(LOOK_FOR_TRAY_MS)
        self._look_again.timeout.connect(self._look_for_tray)

    def serve(self, bridge: Bridge, popover: Callable[[], Popover]) -> None:
        """Show what the core says from now on; `popover` makes the popover when it is first asked for."""
        self._bridge, self._popover_here = bridge, popover
        bridge.snapshot_changed.connect(self.refresh)
        bridge.paused_changed.connect(self.refresh)
        tokens.appearance().changed.connect(self.refresh)
        self._word_menu()
        self.refresh()
        if self._clicked_early:
            self._clicked_early = False
            QTimer.singleShot(0, self, self.toggle)

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
                say(
                    "The system hides the icon. Allow Agent Ring under System Settings, Menu Bar; starting it again"
                    " opens this window."
                )
            )

    def close(self) -> None:
        """Take the icon away and stop looking."""
        self._look_again.stop()
        self.icon.hide()
        self.is_shown = False
        self.menu.deleteLater()

    # ---- looks

    @property
    def key(self) -> IconKey:
        return self._key

    def refresh(self, _what: object = None) -> None:
        """Bring icon and tooltip up to date; each is set only when it would look different."""
        bridge = self._bridge
        if bridge is None:
            return
        from trayapp.ui import glance  # not loaded before there is something to look at

        paused, snapshot = bridge.backend.paused, bridge.snapshot
        settings = bridge.backend.settings
        tone = self._tone(settings.tray_tone)
        bar = Tone.DARK_BAR if tokens.theme().is_dark else Tone.LIGHT_BAR
        shows = glance.ring_of(settings)
        key = glance.icon_key(snapshot, paused=paused, tone=tone, loud_tone=bar, shows=shows)
        if key != self._key and (snapshot is not None or not self._key.old):
            self._key = key
            self.icon.setIcon(self._cache.icon(key))
        tooltip = glance.spoken(snapshot, paused=paused, shows=shows)
        if tooltip != self._tooltip:
            self._tooltip = tooltip
            self.icon.setToolTip(tooltip)

    def _tone(self, setting: str) -> Tone:
        return tone_of(setting, platform=self._platform, is_dark=tokens.theme().is_dark)

    # ---- messages

    def show_message(self, title: str, sentence: str, shown_ms: int) -> None:
        """Show a message beside the icon, where the desktop shows those of icons."""
        if self.is_shown and self._shows_messages():
            self.icon.showMessage(title, sentence, QSystemTrayIcon.MessageIcon.NoIcon, shown_ms)

    def _open_for_message(self) -> None:
        """Open the popover, where it can be kept; a click on the message never closes it."""
        if self._popover_here is not None and not (popover := self._popover_here()).isVisible():
            popover.show_at(anchor_of(self.icon.geometry()))

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
        """Open the popover, or close it; before there is a core it is remembered."""
        if self._popover_here is None:
            self._clicked_early = True
            return
        popover = self._popover_here()
        if popover.isVisible():
            popover.hide()
        elif self._clock_s() - popover.hidden_at_s >= REOPEN_GUARD_S:
            popover.show_at(anchor_of(self.icon.geometry()))

    # ---- menu

    def _build_menu(self) -> QMenu:
        menu = QMenu()
        self._open, self._pause, self._release, self._quit = (menu.addAction("") for _ in range(4))
        self._open.triggered.connect(self.window_asked)
        self._pause.triggered.connect(self._toggle_pause)
        self._release.triggered.connect(self.review_asked)
        self._quit.setMenuRole(QAction.MenuRole.NoRole)
        self._quit.triggered.connect(self.quit_asked)
        self._word_menu()
        menu.aboutToShow.connect(self._update_menu)
        return menu

    def _word_menu(self) -> None:
        """Say the entries; the language is known only once there is a core."""
        self._open.setText(say("Open"))
        self._pause.setText(say("Measure again") if self._is_paused else say("Pause"))
        self._release.setText(say("Release idle…"))
        self._quit.setText(say("Quit"))

    @property
    def _is_paused(self) -> bool:
        return self._bridge is not None and self._bridge.backend.paused

    def _update_menu(self) -> None:
        bridge = self._bridge
        for action in (self._open, self._pause, self._release):
            action.setEnabled(bridge is not None)
        self._word_menu()
        if bridge is not None:
            from trayapp import targets

            self._release.setEnabled(bridge.snapshot is not None and bool(targets.reclaimable(bridge.snapshot)))

    def _toggle_pause(self) -> None:
        if self._bridge is not None:
            self._bridge.set_paused(not self._bridge.backend.paused)
