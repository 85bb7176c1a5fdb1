"""What the user wants to keep: its words, its small sign, and the entries of a row's menu.

Knows the clock of this computer, as "for today" ends with the local day. Keeps nothing itself: the core does.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from datetime import time as daytime
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QMenu, QWidget

from trayapp.model.snapshot import ORPHAN_KINDS, Group, GroupKind
from trayapp.say import noted, say
from trayapp.ui import tokens
from trayapp.ui.tokens import px
from trayapp.wording import clock_time, duration

if TYPE_CHECKING:
    from trayapp.model.keep import Keep
    from trayapp.ui.bridge import Bridge

HOUR_S = 3600.0
KEEP = noted("Keep this one")
LET_GO = noted("Do not keep")
NOT_NOW_TODAY = noted("Not now, for today")
SIGN = QSize(7, 10)


def end_of_day(now_epoch_s: float) -> float:
    """Return when the local day is over; a day of 23 or 25 hours too."""
    tomorrow = datetime.fromtimestamp(now_epoch_s).date() + timedelta(days=1)
    return datetime.combine(tomorrow, daytime.min).timestamp()


def can_be_kept(group: Group | None) -> bool:
    """Say whether a row's menu offers to keep it: sessions, and orphans too."""
    return group is not None and (group.kind is GroupKind.SESSION or group.kind in ORPHAN_KINDS)


def keep_words(keep: Keep | None, *, now_epoch_s: float) -> str:
    """Say until when something is kept: "kept", "kept until 18:00", "kept for today"; "" where it is not."""
    if keep is None:
        return ""
    until = keep.until_epoch_s
    if until is None:
        return say("kept")
    if until == end_of_day(now_epoch_s):
        return say("kept for today")
    return say("kept until {time}", time=clock_time(until, now_epoch_s=now_epoch_s))


def all_keep_words(keeps: Mapping[str, Keep], *, now_epoch_s: float) -> dict[str, str]:
    """Return the words of everything that is kept, by group key."""
    return {key: keep_words(keep, now_epoch_s=now_epoch_s) for key, keep in keeps.items()}


def add_entries(menu: QMenu, bridge: Bridge, key: str, *, clock_s: Callable[[], float] = time.time) -> None:
    """Add what keeps a session, or lets it go again."""
    kept = bridge.keeps.get(key)
    if kept is None or kept.until_epoch_s is not None:
        menu.addAction(say(KEEP)).triggered.connect(partial(_keep, bridge, key, None))
    if kept is None:
        now = clock_s()
        hour = say("Not now, for {time}", time=duration(HOUR_S))
        menu.addAction(hour).triggered.connect(partial(_keep, bridge, key, now + HOUR_S))
        menu.addAction(say(NOT_NOW_TODAY)).triggered.connect(partial(_keep, bridge, key, end_of_day(now)))
    else:
        menu.addAction(say(LET_GO)).triggered.connect(partial(_let_go, bridge, key))


def _keep(bridge: Bridge, key: str, until_epoch_s: float | None, _checked: bool = False) -> None:
    bridge.keep(key, until_epoch_s)


def _let_go(bridge: Bridge, key: str, _checked: bool = False) -> None:
    bridge.unkeep(key)


def paint_kept(painter: QPainter, rect: QRectF, colour: QColor) -> None:
    """Paint the sign of something that is kept: a bookmark that fills the rectangle."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    notch = QPointF(rect.center().x(), rect.bottom() - rect.height() * 0.3)
    painter.drawPolygon(QPolygonF([rect.topLeft(), rect.topRight(), rect.bottomRight(), notch, rect.bottomLeft()]))
    painter.restore()


class KeptSign(QWidget):
    """Show the sign beside words that say it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedSize(px(SIGN.width() + 4), px(SIGN.height()))

    def paintEvent(self, event: QPaintEvent) -> None:
        rect = QRectF(0, 0, px(SIGN.width()), px(SIGN.height()))
        paint_kept(QPainter(self), rect, tokens.theme().ink)
