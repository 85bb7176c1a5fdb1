"""What the popover shows while no agent runs: the empty ring, what to do, and what agents held before."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from trayapp.say import say, say_n
from trayapp.ui import numbers, ring, tokens
from trayapp.ui.controls import Button, Text
from trayapp.ui.keeping import end_of_day
from trayapp.ui.tokens import SEMIBOLD, px

if TYPE_CHECKING:
    from trayapp.model.series import Series
    from trayapp.model.snapshot import Snapshot
    from trayapp.ui.bridge import Bridge

DAY_S = 86_400.0
COLUMNS = 96


class EmptyPage(QWidget):
    """Help where nothing runs."""

    # Emitted in the UI thread when it needs another height.
    resized = Signal()

    def __init__(self, bridge: Bridge, padding: int, alerts: QWidget, parent: QWidget | None = None) -> None:
        """With what was told unasked at its foot: the last session may just have gone."""
        super().__init__(parent)
        self._bridge = bridge
        middle = Qt.AlignmentFlag.AlignHCenter
        self.ring = ring.RingWidget(ring.POPOVER)
        self.title = Text(size=tokens.TITLE_CARD, weight=SEMIBOLD, align=middle)
        self.second = Text(tone="sec", wrap=True, align=middle)
        self.before = Text(tone="sec", wrap=True, align=middle)
        self.before.hide()
        self.findings = Button(say("What is looked for"), height=32)
        self.column = column = QVBoxLayout(self)
        column.setContentsMargins(px(padding), px(36), px(padding), px(28))
        column.setSpacing(0)
        column.addWidget(self.ring, 0, middle)
        column.addSpacing(px(22))
        column.addWidget(self.title)
        column.addSpacing(px(4))
        words = QVBoxLayout()
        words.setSpacing(px(8))
        words.addWidget(self.second)
        words.addWidget(self.before)
        line = QHBoxLayout()
        line.setContentsMargins(px(28), 0, px(28), 0)
        line.addLayout(words)
        column.addLayout(line)
        column.addSpacing(px(18))
        column.addWidget(self.findings, 0, middle)
        foot = QHBoxLayout()
        foot.setContentsMargins(0, px(20), 0, 0)
        foot.addWidget(alerts)
        column.addLayout(foot)

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        self.ring.show_snapshot(snapshot)
        if snapshot is None:
            self.title.setText(say("Nothing measured yet"))
            self.second.setText(say("The first figures are on their way."))
            return
        self.title.setText(say("No agent session is running"))
        names = ", ".join(label.title for label in sorted(snapshot.labels, key=lambda label: label.rank)[:3])
        within = max(1, round(self._bridge.backend.settings.interval_s))
        if not names:
            self.second.setText(say("No host of agents is known here."))
            return
        self.second.setText(
            say_n(
                "Start one in {hosts} or another host. It shows up here within {n} second.",
                "Start one in {hosts} or another host. It shows up here within {n} seconds.",
                within,
                hosts=names,
            )
        )

    def ask_history(self, now_epoch_s: float) -> None:
        """Ask what agents held yesterday and today; shown when it is known, nothing where it is not."""
        from trayapp.model.series import SeriesQuery

        today_s = end_of_day(now_epoch_s - DAY_S)
        query = SeriesQuery(since_epoch_s=today_s - DAY_S, until_epoch_s=now_epoch_s, columns=COLUMNS)
        asked = self._bridge.backend.series(query)
        self._bridge.when_done(asked, partial(self._take, today_s), self._no_history)

    def _take(self, today_s: float, series: Series) -> None:
        self._say(before_words(series, today_s))

    def _no_history(self, _sentence: str) -> None:
        self._say("")

    def _say(self, words: str) -> None:
        if words != self.before.text():
            self.before.setText(words)
            self.before.setVisible(bool(words))
            self.resized.emit()


def before_words(series: Series, today_epoch_s: float) -> str:
    """Say the most that agents held yesterday, else earlier today; "" where nothing is recorded."""
    if series.total is None:
        return ""
    moments = [
        (size, at)
        for at, size in zip(series.times_epoch_s, series.total.memory_bytes, strict=True)
        if size is not None and size > 0
    ]
    yesterday = max((moment for moment in moments if moment[1] < today_epoch_s), default=None)
    if yesterday is not None:
        size, at = numbers.memory(round(yesterday[0])), _time(yesterday[1])
        return say("Yesterday they held up to {size}, at {time}.", size=size, time=at)
    today = max(moments, default=None)
    if today is None:
        return ""
    size, at = numbers.memory(round(today[0])), _time(today[1])
    return say("Earlier today they held up to {size}, at {time}.", size=size, time=at)


def _time(epoch_s: float) -> str:
    return numbers.clock_time(datetime.fromtimestamp(epoch_s))
