"""The chart: memory and CPU over time, stacked, on one time axis.

pyqtgraph does zoom and pan; it is imported when the first chart is shown, never before. The layers are one item, made
once and fed with new data (case 112), see chart_stack.py. Everything else (grid, labels, gaps, marks, crosshair) is
painted by an overlay, chart_overlay.py. Knows nothing of where its series comes from; chart_card.py does that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import tzinfo
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QColor,
    QFocusEvent,
    QHideEvent,
    QKeyEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QApplication, QWidget

from trayapp.model.series import Layer, Series
from trayapp.say import say
from trayapp.ui import chart_data, tokens
from trayapp.ui.chart_overlay import CPU, ChartOverlay, Lower, Scale

FAINT = 0.4
"""What is left of the colours of all other layers while some are pointed at."""
STEP, LEAP = 0.1, 0.5
"""Shares of the range by which keys move it."""
HEADROOM = 18
CAPTION_HEIGHT = 31
TIME_AXIS = 22
LEFT_AXIS = 52
RIGHT_FREE = 24
GB = 1024.0**3
CORE_SHARES = (1.0, 5.0, 25.0, 100.0)
"""Per cent of one core: where the axis of CPU may end. Few steps, so that it stays where it is from look to look."""

ColourOf = Callable[[Layer], QColor]


class _Plot:
    """Draw stacked layers in one pyqtgraph view, which brings zoom and pan; the layers are one item in it."""

    def __init__(self, parent: QWidget, *, moves: bool) -> None:
        import pyqtgraph

        from trayapp.ui.chart_stack import StackItem

        self.widget = pyqtgraph.GraphicsView(parent, background=None)  # a PlotWidget would bring axes and menus along
        self.widget.setFrameShape(self.widget.Shape.NoFrame)
        self.widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.widget.setAntialiasing(False)
        self.view: Any = pyqtgraph.ViewBox(enableMenu=False, defaultPadding=0.0)
        self.widget.setCentralItem(self.view)
        self.view.setMouseEnabled(x=moves, y=False)
        self.view.disableAutoRange()
        self.stack = StackItem()
        self.view.addItem(self.stack, ignoreBounds=True)

    def show_layers(
        self,
        times: Sequence[float],
        rows: Sequence[Sequence[float | None]],
        pieces: Sequence[tuple[int, int]],
        colours: Sequence[tuple[QColor, QColor]],
        unit: float,
        top: float = 0.0,
    ) -> Scale:
        """Show the layers, and return the value axis; `colours` holds line and fill per layer.

        A layer that is absent somewhere adds nothing there; `pieces` are the columns to draw through. The axis reaches
        to `top` at the least.
        """
        import numpy

        if not pieces:
            self.stack.clear()
            return Scale(chart_data.grid(top, unit=unit, least=_least(unit, 0.0)), ())
        tops = numpy.cumsum(numpy.nan_to_num(numpy.array(rows, dtype=float)), axis=0)
        columns = numpy.concatenate([numpy.arange(first, after) for first, after in pieces])
        peak = max(top, float(tops[-1, columns].max()))
        grid = chart_data.grid(peak, unit=unit, least=_least(unit, peak))
        self.stack.show_layers(times, tops, pieces, colours, chart_data.THIN_SHARE * grid[-1])
        self.view.setYRange(0, grid[-1], padding=0)
        return Scale(grid, tuple(float(top) for top in tops[:, pieces[-1][1] - 1]))


class Chart(QWidget):
    """Show one Series. Wheel zooms, dragging pans; arrow keys move the crosshair, Home and End jump.

    Plus and minus zoom; Shift with an arrow key, Page Up and Page Down move the range, 0 goes back to now.

    With `moves` False the range stays as it is fed, and the wheel scrolls what the chart stands in.

    `with_cpu` False leaves the lower plot out (the small chart of a session page). The `lower` plot shows what its
    layers hold as CPU, or another figure that is kept there.
    """

    # In the UI thread, 150 ms after the user moved the visible range; epoch seconds.
    range_moved = Signal(float, float)
    # In the UI thread, when the crosshair moved: a chart_data.Reading, or None when it is gone.
    crosshair_moved = Signal(object)
    # In the UI thread, when the pointer came over another layer of the upper plot; payload: its key, "" for none.
    layer_pointed = Signal(str)
    # In the UI thread, when a key asks for the present.
    now_asked = Signal()
    # In the UI thread, after another series is shown.
    series_changed = Signal()

    def __init__(
        self,
        colour_of: ColourOf,
        *,
        with_cpu: bool = True,
        moves: bool = True,
        lower: Lower = CPU,
        zone: tzinfo | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # figures and time run that way everywhere
        self._colour_of = colour_of
        self._with_cpu = with_cpu
        self._moves = moves
        self._lower = lower
        self._limit_bytes: float | None = None
        self._plots: list[_Plot] = []
        self._series: Series | None = None
        self._layers: tuple[Layer, ...] = ()
        self._base_epoch_s = 0.0
        self._range = (0.0, 1.0)
        self._newest_epoch_s = 0.0
        self._placing = False
        self._pointed = ""
        self._highlighted: frozenset[str] = frozenset()
        self._overlay = ChartOverlay(self, zone=zone, with_cpu=with_cpu, lower=lower)
        self._settle = QTimer(self, singleShot=True, interval=150)
        self._settle.timeout.connect(lambda: self.range_moved.emit(*self._range))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._name = ""
        self._tell_name()
        self.setMinimumHeight(tokens.px(120))
        tokens.appearance().changed.connect(self._recolour)

    @property
    def overlay(self) -> ChartOverlay:
        return self._overlay

    @property
    def visible_range(self) -> tuple[float, float]:
        """Return the shown range in epoch seconds."""
        return self._range

    @property
    def series(self) -> Series | None:
        return self._series

    def plot_viewports(self) -> tuple[QWidget, ...]:
        """Return the widgets that take the pointer; none before the first show."""
        return tuple(plot.widget.viewport() for plot in self._plots)

    def set_name(self, name: str) -> None:
        """Say what the chart is of, for a screen reader."""
        self._name = name
        self._tell_name()

    def _tell_name(self) -> None:
        usual = say("Memory and CPU over time") if self._with_cpu else say("Memory over time")
        self.setAccessibleName(self._name or usual)

    def set_lower(self, lower: Lower) -> None:
        """Let the lower plot show another figure, from the next series on."""
        if lower is not self._lower:
            self._lower = lower
            self._overlay.set_lower(lower)
            self._place()

    @property
    def layers(self) -> tuple[Layer, ...]:
        """Return the layers that are drawn."""
        return self._layers

    # Data.

    def show_series(self, series: Series, since_epoch_s: float, until_epoch_s: float) -> None:
        """Show a series over that range; keeps the crosshair at its moment."""
        cursor = self._overlay.reading
        self._series, self._layers = series, chart_data.limited(series)
        self._newest_epoch_s = max(self._newest_epoch_s, until_epoch_s)
        self._range = (since_epoch_s, until_epoch_s)
        self._feed()
        if cursor is not None:
            self.show_crosshair(cursor.at_epoch_s)
        self.series_changed.emit()

    def set_limit(self, limit_bytes: float | None) -> None:
        """Draw a line at a limit of the upper plot with the next series; None = there is none."""
        self._limit_bytes = limit_bytes
        self._overlay.limit_bytes = limit_bytes

    def clear(self) -> None:
        """Show nothing, until the next series."""
        self._series, self._layers = None, ()
        for plot in self._plots:
            plot.show_layers((), (), (), (), 1.0)
        self._overlay.clear()

    def _feed(self) -> None:
        series = self._series
        if series is None or not self._plots:
            return
        if not self._base_epoch_s:
            self._base_epoch_s = self._range[0]  # keeps x small: floats stay exact, pixels sharp
        times = [at - self._base_epoch_s for at in series.times_epoch_s]
        colours = self._colours()
        scales = []
        for plot, unit, rows in self._rows():
            pieces = chart_data.segments(series, rows)
            top = (self._limit_bytes or 0.0) if plot is self._plots[0] else 0.0
            scales.append(plot.show_layers(times, rows, pieces, colours, unit, top))
        self._apply_range()
        self._overlay.show_data(series, self._layers, scales, self._range)

    def _colours(self) -> list[tuple[QColor, QColor]]:
        """Return line and fill of each layer; while some are pointed at, all others are faint."""
        theme = tokens.theme()
        card, some = theme.card, any(layer.key in self._highlighted for layer in self._layers)
        made = []
        for layer in self._layers:
            colour = self._colour_of(layer)
            share = FAINT if some and layer.key not in self._highlighted else 1.0
            made.append((tokens.blend(card, colour, share), tokens.blend(card, colour, theme.layer_fill * share)))
        return made

    def highlight(self, keys: Iterable[str]) -> None:
        """Let these layers stand out, until others do; keys without a layer count for nothing."""
        wanted = frozenset(keys)
        if wanted == self._highlighted:
            return
        self._highlighted = wanted
        self._overlay.highlighted = wanted
        if self._series is not None:
            colours = self._colours()
            for plot in self._plots:
                plot.stack.recolour(colours)
            self._overlay.update()

    @property
    def highlighted(self) -> frozenset[str]:
        return self._highlighted

    def _rows(self) -> list[tuple[_Plot, float, list[Sequence[float | None]]]]:
        memory: list[Sequence[float | None]] = [layer.memory_bytes for layer in self._layers]
        cpu: list[Sequence[float | None]] = [layer.cpu_percent for layer in self._layers]
        units = ((GB, memory), (self._lower.unit, cpu))
        return [(plot, unit, rows) for plot, (unit, rows) in zip(self._plots, units, strict=False)]

    def _recolour(self) -> None:
        self._feed()
        self._overlay.update()

    # Range.

    def _apply_range(self) -> None:
        since, until = self._range
        self._placing = True
        view = self._plots[0].view
        view.setLimits(
            xMax=self._newest_epoch_s - self._base_epoch_s,
            minXRange=60.0,
            maxXRange=max(2592000.0 * 1.01, until - since),
        )
        view.setXRange(since - self._base_epoch_s, until - self._base_epoch_s, padding=0)
        self._placing = False

    def _view_moved(self, _view: object, shown: tuple[float, float]) -> None:
        """Follow zoom and pan of the pointer."""
        if self._placing:
            return
        self._range = (shown[0] + self._base_epoch_s, shown[1] + self._base_epoch_s)
        self._overlay.set_range(self._range)
        self._settle.start()

    def zoom(self, factor: float) -> None:
        """Narrow (below 1) or widen the range around the crosshair, or around the right end."""
        if not self._plots or not self._moves:
            return
        since, until = self._range
        reading = self._overlay.reading
        centre = until if reading is None else reading.at_epoch_s
        self._plots[0].view.setXRange(
            centre - (centre - since) * factor - self._base_epoch_s,
            centre + (until - centre) * factor - self._base_epoch_s,
            padding=0,
        )

    def pan(self, share: float) -> None:
        """Move the range by a share of its length; below 0 into the past."""
        if not self._plots or not self._moves:
            return
        since, until = self._range
        by_s = min((until - since) * share, self._newest_epoch_s - until) if share > 0 else (until - since) * share
        self._plots[0].view.setXRange(since + by_s - self._base_epoch_s, until + by_s - self._base_epoch_s, padding=0)

    # Crosshair.

    def show_crosshair(self, at_epoch_s: float | None) -> None:
        """Put the crosshair on the column nearest to a moment; None takes it away."""
        index = (
            None if at_epoch_s is None or self._series is None else chart_data.nearest_column(self._series, at_epoch_s)
        )
        self._show_column(index)

    def _show_column(self, index: int | None) -> None:
        reading = None
        if index is not None and self._series is not None:
            reading = chart_data.reading_at(self._series, self._layers, index)
            if reading.memory_bytes is None and reading.cpu_percent is None:
                reading = None
        if reading != self._overlay.reading:
            self._overlay.show_reading(reading)
            self.crosshair_moved.emit(reading)

    def _tell_reading(self) -> None:
        """Let a screen reader say what the crosshair shows."""
        words = self._overlay.reading_words()
        self.setAccessibleDescription(words)
        if words and QAccessible.isActive() and self.hasFocus():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))

    def event(self, event: QEvent) -> bool:
        asks = event.type() is QEvent.Type.ShortcutOverride and self._overlay.reading is not None
        if asks and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()  # takes the crosshair away, before the window's own Esc
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        series, reading = self._series, self._overlay.reading
        key = Qt.Key(event.key())
        if series is None or not series.times_epoch_s:
            super().keyPressEvent(event)
            return
        first, last = self._visible_columns(series)
        at = last if reading is None else reading.index
        shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        match key:
            case Qt.Key.Key_Left | Qt.Key.Key_Right if shifted:
                self.pan(STEP if key is Qt.Key.Key_Right else -STEP)
            case Qt.Key.Key_PageUp | Qt.Key.Key_PageDown:
                self.pan(LEAP if key is Qt.Key.Key_PageDown else -LEAP)
            case Qt.Key.Key_0:
                self.now_asked.emit()
            case Qt.Key.Key_Left | Qt.Key.Key_Right:
                step = 1 if key is Qt.Key.Key_Right else -1
                self._show_column(at if reading is None else self._next_known(at, step))
            case Qt.Key.Key_Home:
                self._show_column(self._next_known(first - 1, 1))
            case Qt.Key.Key_End:
                self._show_column(self._next_known(last + 1, -1))
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                self.zoom(0.5)
            case Qt.Key.Key_Minus:
                self.zoom(2.0)
            case Qt.Key.Key_Escape if reading is not None:
                self._show_column(None)
            case _:
                super().keyPressEvent(event)
                return
        self._tell_reading()

    def _visible_columns(self, series: Series) -> tuple[int, int]:
        first = chart_data.nearest_column(series, self._range[0])
        last = chart_data.nearest_column(series, self._range[1])
        return first or 0, last or 0

    def _next_known(self, at: int, step: int) -> int | None:
        """Return the next column with a value in that direction, jumping over gaps; the same one at the end."""
        columns = 0 if self._series is None else len(self._series.times_epoch_s)
        following = at + step
        while 0 <= following < columns:
            if any(layer.memory_bytes[following] is not None for layer in self._layers):
                return following
            following += step
        return at if 0 <= at < columns else None

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._overlay.outlined = False
        self._overlay.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._overlay.outlined = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self._overlay.update()

    def _pointer_at(self, at: QPointF) -> None:
        plot = self._overlay.memory_rect
        since, until = self._range
        if plot.width() > 0:
            self.show_crosshair(since + (at.x() - plot.left()) / plot.width() * (until - since))
            self._point(self._layer_at(at.y()))

    def _layer_at(self, y: float) -> str:
        """Return the layer of the crosshair's column at a height of the upper plot; "" = none is there."""
        reading, plot, top = self._overlay.reading, self._overlay.memory_rect, self._overlay.memory_top
        if reading is None or not plot.top() <= y <= plot.bottom():
            return ""
        layer = chart_data.layer_at(reading, (plot.bottom() - y) / plot.height() * top)
        return "" if layer is None else layer.key

    def _point(self, key: str) -> None:
        if key != self._pointed and not QApplication.mouseButtons():  # a drag points at nothing
            self._pointed = key
            self.layer_pointed.emit(key)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Leave:
            self._show_column(None)
            self._point("")
        return super().eventFilter(watched, event)

    # Making and placing.

    def _build(self) -> None:
        """Make the plots; this is where pyqtgraph comes in."""
        for _ in range(2 if self._with_cpu else 1):
            plot = _Plot(self, moves=self._moves)
            plot.widget.viewport().installEventFilter(self)
            plot.widget.scene().sigMouseMoved.connect(
                lambda at, widget=plot.widget: self._pointer_at(QPointF(widget.pos()) + QPointF(at))
            )
            plot.widget.show()
            self._plots.append(plot)
        if self._with_cpu:
            self._plots[1].view.setXLink(self._plots[0].view)
        self._plots[0].view.sigXRangeChanged.connect(self._view_moved)
        self._overlay.raise_()
        self._place()

    def _place(self) -> None:
        self._overlay.setGeometry(self.rect())
        left, right = tokens.px(LEFT_AXIS), tokens.px(RIGHT_FREE if self._with_cpu else 12)
        width, top = max(0, self.width() - left - right), tokens.px(HEADROOM)
        axis = tokens.px(TIME_AXIS)
        caption = tokens.px(CAPTION_HEIGHT) if self._with_cpu else 0
        room = max(0, self.height() - top - caption - axis)
        cpu = min(tokens.px(self._lower.height - CAPTION_HEIGHT), room // 2) if self._with_cpu else 0
        memory = room - cpu
        rects = [QRectF(left, top, width, memory), QRectF(left, top + memory + caption, width, cpu)]
        for plot, rect in zip(self._plots, rects, strict=False):
            plot.widget.setGeometry(rect.toRect())
        self._overlay.place(rects[0], rects[1] if self._with_cpu else None)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._plots:
            self._build()
            self._feed()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._settle.stop()
        for plot in self._plots:
            plot.stack.forget_picture()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()


def _least(unit: float, peak: float) -> float:
    """Return the smallest top of a value axis: 1 GB, or that share of a core that holds all of it."""
    if unit == GB:
        return GB
    return next((share for share in CORE_SHARES if peak <= share), CORE_SHARES[-1]) if peak > 0 else CORE_SHARES[-1]
