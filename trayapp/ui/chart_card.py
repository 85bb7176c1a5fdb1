"""The chart with its head, and what feeds it: asks the core for the shown range, again when there is something new.

At most one question is on its way; an answer to an older question is dropped. The UI thread never waits.
"""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QColor, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget
from shiboken6 import isValid

from trayapp.model.process import Identity
from trayapp.model.series import Layer, Series, SeriesQuery, StackBy
from trayapp.model.snapshot import Snapshot
from trayapp.say import say
from trayapp.ui import chart_data, heap_view, marks, numbers, tokens
from trayapp.ui.branches import ORPHANS_KEY, SHARED_KEY, branches
from trayapp.ui.bridge import Bridge
from trayapp.ui.chart import Chart
from trayapp.ui.chart_overlay import CPU, RSS
from trayapp.ui.chart_table import ChartTableView
from trayapp.ui.controls import Button, Panel, Segmented, Text
from trayapp.ui.tokens import SEMIBOLD, px

COLUMNS = 600
MEMORY, HEAP = "memory", "heap"
"""What the card can show: their names are those of its control."""
CARD_HEIGHT = 362
LEAST_HEIGHT = 240
LEAST_WAIT_S = 6.0
"""In the shortest range a column is 1.5 s; a whole picture for each would cost more than all else together."""
PATIENT_S = 60.0
"""So long two columns are waited for instead of one: two points at the right end for half of what a chart costs."""
_STATE_SIGNS = {state.value: shape for state, shape in marks.STATE_SHAPES.items()}
_STATE_STRENGTH = {"busy": 0.9, "waiting": 0.7, "unknown": 0.5, "idle": 0.35, "ended": 0.25}


class Feed:
    """Ask for series on behalf of one chart."""

    def __init__(self, bridge: Bridge, chart: Chart, *, session: str | None = None) -> None:
        self._bridge = bridge
        self._chart = chart
        self._number = 0
        self._waiting = False
        self._asked_until_epoch_s = 0.0
        self.session = session
        self.branch: str | None = None
        self.stack_by = StackBy.HOST if session is None else StackBy.SESSION

    def is_due(self, until_epoch_s: float, span_s: float) -> bool:
        """Say whether another look would show enough that is new: a column or two, and some seconds at the least."""
        passed_s, column_s = until_epoch_s - self._asked_until_epoch_s, span_s / COLUMNS
        return not self._waiting and passed_s >= max(column_s, min(2 * column_s, PATIENT_S), LEAST_WAIT_S)

    def ask(self, since_epoch_s: float, until_epoch_s: float) -> None:
        """Ask for a range; its answer is shown unless another question came meanwhile."""
        self._number += 1
        self._waiting = True
        self._asked_until_epoch_s = until_epoch_s
        query = SeriesQuery(
            since_epoch_s=since_epoch_s,
            until_epoch_s=until_epoch_s,
            columns=COLUMNS,
            stack_by=self.stack_by,
            session=self.session,
            branch=self.branch,
        )
        future = self._question(query)
        self._bridge.when_done(future, partial(self._show, self._number, query), self._break_off)

    def _question(self, query: SeriesQuery) -> Future[Series]:
        return self._bridge.backend.series(query)

    def _shown(self, series: Series) -> Series:
        """Return what the chart draws of an answer: alone, what a host runs beside its sessions has the host's name."""
        snapshot = self._bridge.snapshot
        branch = next((each for each in branches(snapshot) if each.key == self.branch), None) if snapshot else None
        if branch is None or branch.host is None:
            return series
        title = say("{host}, its own processes", host=branch.title)
        layers = (
            replace(layer, host=branch.host, title=title) if layer.key == SHARED_KEY else layer
            for layer in series.layers
        )
        return replace(series, layers=tuple(layers))

    def _show(self, number: int, query: SeriesQuery, series: Series) -> None:
        if number == self._number and isValid(self._chart):
            self._waiting = False
            self._chart.overlay.message = say("Nothing was held or measured in this time")
            series = self._shown(series)
            self._chart.show_series(series, query.since_epoch_s, query.until_epoch_s)

    def _break_off(self, sentence: str) -> None:
        self._waiting = False
        if isValid(self._chart):
            self._chart.overlay.message = sentence
            self._chart.overlay.update()


class HeapFeed(Feed):
    """Ask for heaps, and for the resident memory of the same processes; with `only`, for one of them."""

    def __init__(self, bridge: Bridge, chart: Chart, *, only: Identity | None = None) -> None:
        super().__init__(bridge, chart)
        self.only = only

    def _question(self, query: SeriesQuery) -> Future[Series]:
        return self._bridge.backend.heap_series(query)

    def _shown(self, series: Series) -> Series:
        if self.only is not None:
            series = chart_data.of_process(series, self.only.pid, self.only.start)
        self._chart.set_limit(chart_data.heap_limit(series))
        return chart_data.heap_over_rss(series)


class ChartCard(Panel):
    """Show memory and CPU over time, or a heap over the resident memory of its process; as a chart or as a table.

    Follows the present until the user moves the range.
    """

    # In the UI thread, when the pointer came over another layer; payload: its key, "" for none.
    layer_pointed = Signal(str)

    def __init__(self, bridge: Bridge, span_s: float, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._bridge = bridge
        self._snapshot: Snapshot | None = bridge.snapshot
        self._span_s = self._chosen_span_s = span_s
        self._following = True
        self._as_table = False
        self.chart = Chart(self._colour_of)
        self.heap_chart = Chart(self._heap_colour_of, lower=RSS)
        self.heap_chart.set_name(say("Heap and resident memory over time"))
        self.table = ChartTableView()
        self._memory_feed, self._heap_feed = Feed(bridge, self.chart), HeapFeed(bridge, self.heap_chart)
        self._metric = Text("", tone="sec", size=tokens.SECOND)
        stacks = [
            (StackBy.HOST.value, say("Host")),
            (StackBy.SESSION.value, say("Session")),
            (StackBy.STATE.value, say("State")),
        ]
        self.stack = Segmented(stacks, StackBy.HOST)
        self.stack.setAccessibleName(say("Stack by"))
        self.stack.chosen.connect(self.stack_by)
        self._title = Text(say("Memory held"), weight=SEMIBOLD)
        self._stack_words = Text(say("Stack by"), tone="sec", size=tokens.SECOND)
        self.view = Segmented([(MEMORY, say("Memory held")), (HEAP, say("Heap"))], MEMORY)
        self.view.setAccessibleName(say("Chart of"))
        self.view.hide()
        self.view.chosen.connect(self.show_view)
        self.back_to_now = Button(say("Back to now"), height=25)
        self.back_to_now.clicked.connect(self.follow_now)
        self.back_to_now.hide()
        self.table_button = Button("", height=25)
        self.table_button.clicked.connect(lambda: self.show_as_table(not self._as_table))
        self._lay_out()
        tell_table_button(self.table_button, is_table=False)
        for chart in (self.chart, self.heap_chart):
            chart.range_moved.connect(self._moved)
            chart.now_asked.connect(self.follow_now)
            chart.series_changed.connect(self._fill_table)
        self.chart.layer_pointed.connect(self.layer_pointed)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(px(8))
        head.addWidget(self._title)
        head.addWidget(self.view)
        head.addWidget(self._metric, 1)
        head.addWidget(self.back_to_now)
        head.addWidget(self.table_button)
        head.addWidget(self._stack_words)
        head.addWidget(self.stack)
        self._shown = QStackedWidget()
        for widget in (self.chart, self.heap_chart, self.table):
            self._shown.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(16), px(8), px(12), px(6))
        column.setSpacing(px(2))
        column.addLayout(head)
        column.addWidget(self._shown, 1)
        self.setMinimumHeight(px(LEAST_HEIGHT))
        self.setMaximumHeight(px(CARD_HEIGHT))

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), px(CARD_HEIGHT))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_head()

    def _fit_head(self) -> None:
        """Give the head's controls their room: first the words beside them go, then the segments become a menu."""
        heap, shown = self.view.current == HEAP, not self.back_to_now.isHidden()
        named = self.view if not self.view.isHidden() else self._title
        taken = named.sizeHint().width() + self.table_button.sizeHint().width() + px(28 + 60 + 24)
        taken += self.back_to_now.sizeHint().width() + px(8) if shown else 0
        room = self.width() - taken
        words = self._stack_words.sizeHint().width() + px(8)
        self._stack_words.setVisible(not heap and room >= words + self.stack.sizeHint().width())
        self.stack.setVisible(not heap)
        fit_segments(self.stack, room)

    @property
    def _feed(self) -> Feed:
        return self._heap_feed if self.view.current == HEAP else self._memory_feed

    @property
    def shown_chart(self) -> Chart:
        """Return the chart that is seen."""
        return self.heap_chart if self.view.current == HEAP else self.chart

    def show_view(self, key: str) -> None:
        """Show "memory" or "heap"; the range stays."""
        moved = None if self._following else self.shown_chart.visible_range
        self.view.set_current(key)
        self._show_chosen()
        self._fit_head()
        self._tell_metric()
        if moved is not None:
            self._feed.ask(*moved)
        else:
            self.refresh()

    def _show_chosen(self) -> None:
        self._shown.setCurrentWidget(self.table if self._as_table else self.shown_chart)

    # The table.

    @property
    def is_table(self) -> bool:
        return self._as_table

    def show_as_table(self, wanted: bool) -> None:
        """Show the same range as figures in a table, or as a chart again."""
        self._as_table = wanted
        tell_table_button(self.table_button, is_table=wanted)
        self._fill_table()
        self._show_chosen()

    def _fill_table(self) -> None:
        chart = self.shown_chart
        if self._as_table and chart.series is not None:
            lower = RSS if chart is self.heap_chart else CPU
            self.table.table.show_series(chart.series, chart.layers, chart.visible_range, lower)

    # One head alone, and what is pointed at.

    def set_branch(self, key: str) -> None:
        """Show what is counted under one head only, by the key of its branch; "" shows all."""
        self._memory_feed.branch = key or None
        self._tell_metric()
        self.refresh()

    @property
    def stacked_by(self) -> StackBy:
        return self._memory_feed.stack_by

    @property
    def holds_something(self) -> bool:
        """Say whether anything was held in the range that is shown."""
        series = self.shown_chart.series
        return series is not None and any(any(layer.memory_bytes) for layer in series.layers)

    # What is shown.

    def _tell_metric(self) -> None:
        snapshot = self._snapshot
        if snapshot is None:
            return
        if self.view.current == MEMORY:
            metric, key = numbers.metric_name(snapshot), self._memory_feed.branch
            only = next((branch.title for branch in branches(snapshot) if branch.key == key), None)
            self._metric.setText(metric if only is None else say("{metric}, only {host}", metric=metric, host=only))
            return
        told = [(heap_view.title_of(heap.host, snapshot), heap_view.used_words(heap)) for heap in snapshot.heaps]
        self._metric.setText("; ".join(f"{title}: {used}" for title, used in told))

    @property
    def span_s(self) -> float:
        return self._span_s

    def set_span(self, span_s: float) -> None:
        """Show the last `span_s` seconds and follow the present again."""
        self._span_s = self._chosen_span_s = span_s
        self._following = True
        self.back_to_now.hide()
        self._fit_head()
        self.refresh()

    def follow_now(self) -> None:
        """Go back to the range that was chosen, up to now."""
        self.set_span(self._chosen_span_s)

    @property
    def is_following(self) -> bool:
        return self._following

    def refresh(self) -> None:
        """Ask for the shown range now."""
        if not self.isVisible():
            return
        if self._following:
            until = self._now_epoch_s()
            if until is not None:
                self._feed.ask(until - self._span_s, until)
        else:
            self._feed.ask(*self.shown_chart.visible_range)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Take names and colours from a snapshot, and look again when there is something new to see."""
        self._snapshot = snapshot
        if snapshot.heaps and self.view.isHidden():
            self._title.hide()
            self.view.show()
            self._fit_head()
        self._tell_metric()
        if self.isVisible() and self._following and self._feed.is_due(snapshot.taken_at.timestamp(), self._span_s):
            self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _now_epoch_s(self) -> float | None:
        return None if self._snapshot is None else self._snapshot.taken_at.timestamp()

    def stack_by(self, key: str) -> None:
        """Show one layer per "host", "session" or "state"."""
        self.stack.set_current(key)
        self._memory_feed.stack_by = StackBy(key)
        self.refresh()

    def _moved(self, since_epoch_s: float, until_epoch_s: float) -> None:
        now = self._now_epoch_s()
        self._following = now is not None and until_epoch_s >= now - (until_epoch_s - since_epoch_s) / 100
        self._span_s = until_epoch_s - since_epoch_s
        self.back_to_now.show()
        self._fit_head()
        self._feed.ask(since_epoch_s, until_epoch_s)

    # Colours and marks of layers.

    def _mark_of(self, layer: Layer) -> marks.Mark | None:
        by_state = self._memory_feed.stack_by is StackBy.STATE and layer.key not in (SHARED_KEY, ORPHANS_KEY)
        return None if by_state else layer_mark(layer, self._snapshot)

    def _colour_of(self, layer: Layer) -> QColor:
        theme = tokens.theme()
        mark = self._mark_of(layer)
        self.chart.overlay.set_mark(layer.key, mark or _STATE_SIGNS.get(layer.key))
        if mark is not None:
            return mark.colour(theme)
        return tokens.blend(theme.card, theme.ink, _STATE_STRENGTH.get(layer.key, 0.15))

    def _heap_colour_of(self, layer: Layer) -> QColor:
        mark = layer_mark(layer, self._snapshot)
        self.heap_chart.overlay.set_mark(layer.key, mark)
        return mark.colour(tokens.theme())


def tell_table_button(button: Button, *, is_table: bool) -> None:
    """Let a button name what it leads to."""
    button.setText(say("Chart") if is_table else say("Table"))
    spoken = say("Show as chart") if is_table else say("Show as table")
    button.setAccessibleName(spoken)
    button.setToolTip(spoken)
    button.updateGeometry()


def fit_segments(control: Segmented, room: int) -> None:
    """Let a control show its segments side by side where they have room, else be a button with a menu."""
    whole = control.sizeHint().width()
    control.setFixedWidth(whole if room >= whole else control.minimumSizeHint().width())


def layer_mark(layer: Layer, snapshot: Snapshot | None) -> marks.Mark:
    """Return the mark of a layer: of its group if that still is there, of its host, or of what has no host."""
    group = None if snapshot is None else snapshot.group(layer.key)
    if group is not None and snapshot is not None:
        return marks.mark_of(group, snapshot)
    label = None if snapshot is None else snapshot.label(layer.host)
    if label is not None:
        return marks.Mark(marks.MarkKind.HOST, label)
    return marks.ORPHAN if layer.key.startswith(("orphan", ORPHANS_KEY)) else marks.SHARED
