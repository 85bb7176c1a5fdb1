"""Frames of the charts: our window chart against bare pyqtgraph on the same columns, the popover, the sparklines.

Drawn by Qt's raster engine without a screen, in a process of its own for each scale, by CPU time. A pan is a drag with
the mouse by three pixels at a time; bare pyqtgraph gets the same drag, the same size and the same lines: one plot for
memory and one for CPU, 600 columns aggregated beforehand, cosmetic pens of width 1, nothing else.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tests.bench.figures import CHECKOUT, Effort, Figure, figure, ratio

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from trayapp.model.series import Series

SERIES, COLUMNS, SPAN_S, UNTIL_EPOCH_S = 50, 600, 86_400.0, 1_796_055_600.0
WIDTH, HEIGHT, CPU_SHARE = 1200, 600, 0.25
STEP_PX, STROKE = 3, 20
"""A drag goes so many steps to one side and then back."""
WARM_UP = 2
"""Frames that do not count; with the first of them the pointer has not moved far enough for a drag."""


def measure(effort: Effort) -> Iterator[Figure]:
    frames = effort.pick(60, 20)
    for scale in (1, 2):
        suffix = "" if scale == 1 else f"_{scale}x"
        ms = _in_a_process(scale, frames)
        name = f"frame_pan_24h_50_over_bare_pyqtgraph{suffix}"
        yield ratio(name, ms["pan_ours"], ms["pan_bare"], f"memory and CPU, at {scale}x")
        yield ratio(f"frame_pan_memory_only_over_bare{suffix}", ms["pan_ours_memory"], ms["pan_bare_memory"])
        for way in ms:
            yield figure(f"frame_{way}_ms{suffix}", ms[way], "ms", _HOW.get(way, ""))


_HOW = {
    "pan_ours": "memory and CPU of 50 sessions over 24 h",
    "feed_ours": "a new series shown, as when a column is over",
    "popover": "all of the popover drawn anew, 50 sessions",
    "popover_tick": "a new snapshot, 5 of 50 sessions changed",
    "sparklines": "50 sparklines of 60 columns",
}


def _in_a_process(scale: int, frames: int) -> dict[str, list[float]]:
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": str(scale)}
    command = [sys.executable, "-m", "tests.bench.frames", str(frames)]
    done = subprocess.run(command, cwd=CHECKOUT, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    ms: dict[str, list[float]] = json.loads(done.stdout)
    return ms


# ---- in that process


def main() -> None:
    from tests.ui.conftest import pin_look
    from trayapp.ui import application

    frames = int(sys.argv[1])
    app = application.make_application()
    pin_look(app)
    ms: dict[str, list[float]] = {}
    series = _series()
    for names, with_cpu in ((("pan_ours", "pan_bare"), True), (("pan_ours_memory", "pan_bare_memory"), False)):
        ways = dict(zip(names, (_Ours(series, with_cpu), _Bare(series, with_cpu)), strict=True))
        ms |= _in_turns({name: way.pan for name, way in ways.items()}, frames)
        if with_cpu:
            ours = ways[names[0]]
            ms |= _in_turns({"feed_ours": ours.feed}, max(5, frames // 4))
        for way in ways.values():
            way.close()
    ms |= _popover(frames)
    sys.stdout.write(json.dumps(ms))


def _in_turns(ways: dict[str, Callable[[int], object]], frames: int) -> dict[str, list[float]]:
    """Let the ways draw in turns, after a few frames that do not count."""
    spent: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(frames + WARM_UP):
        for name, draw in ways.items():
            began_s = time.process_time()
            draw(number)
            if number >= WARM_UP:
                spent[name].append((time.process_time() - began_s) * 1000)
    return spent


def _series() -> Series:
    """Make a day of 50 sessions: plateaus, steps, a little noise, and a spike now and then."""
    from trayapp.model.series import Layer, Series

    chance = random.Random(1)
    step_s = SPAN_S / COLUMNS
    layers = []
    for number in range(SERIES):
        level, memory, cpu = 300.0 + 10 * number, [], []
        for _ in range(COLUMNS):
            if chance.random() < 0.02:
                level = chance.uniform(150, 900)
            spike = 400.0 if chance.random() < 0.05 else 0.0
            memory.append((level + chance.gauss(0, 2) + spike) * 1e6)
            cpu.append(chance.uniform(20, 120) if spike else chance.uniform(0, 2))
        key = f"claude-code:{number:04}"
        layers.append(Layer(key=key, host="claude-code", title=key, memory_bytes=tuple(memory), cpu_percent=tuple(cpu)))
    times = tuple(UNTIL_EPOCH_S - SPAN_S + step_s * (number + 0.5) for number in range(COLUMNS))
    return Series(times_epoch_s=times, column_s=step_s, layers=tuple(layers), memory_metric="pss")


class _Panned:
    """Drag a plot with the mouse, and see that each step is drawn."""

    def __init__(self, top: QWidget, viewport: QWidget) -> None:
        import pyqtgraph  # loaded by both; without its limit of 100 moves a second
        from PySide6.QtCore import QEvent, QObject
        from PySide6.QtWidgets import QApplication

        pyqtgraph.setConfigOption("mouseRateLimit", -1)
        self._top, self._viewport, self._process_events = top, viewport, QApplication.processEvents
        self._paints = 0

        class Counter(QObject):
            def eventFilter(_self, _watched: QObject, event: QEvent) -> bool:
                self._paints += event.type() is QEvent.Type.Paint
                return False

        self._counter = Counter()
        viewport.installEventFilter(self._counter)
        self._x = viewport.width() / 2
        self._mouse(QEvent.Type.MouseButtonPress)
        self._process_events()

    def _mouse(self, kind: Any) -> None:
        from PySide6.QtCore import QEvent, QPointF, Qt
        from PySide6.QtGui import QMouseEvent
        from PySide6.QtWidgets import QApplication

        left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
        at = QPointF(self._x, self._viewport.height() / 2)
        button = none if kind is QEvent.Type.MouseMove else left
        event = QMouseEvent(kind, at, self._viewport.mapToGlobal(at), button, left, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(self._viewport, event)

    def pan(self, number: int) -> None:
        """Move the range by one step and draw it."""
        from PySide6.QtCore import QEvent

        self._x += STEP_PX if number // STROKE % 2 == 0 else -STEP_PX
        before = self._paints
        self._mouse(QEvent.Type.MouseMove)
        self._process_events()
        if self._paints == before and number >= WARM_UP:
            raise AssertionError(f"step {number} was not drawn")

    def feed(self, number: int) -> None:
        raise NotImplementedError

    def close(self) -> None:
        self._top.close()
        self._top.deleteLater()
        self._process_events()


class _Ours(_Panned):
    """The chart of the window."""

    def __init__(self, series: Series, with_cpu: bool) -> None:
        from PySide6.QtGui import QColor
        from PySide6.QtWidgets import QApplication

        from trayapp.ui.chart import Chart

        self._chart = Chart(lambda layer: QColor.fromHsv(hash(layer.key) % 360, 200, 200), with_cpu=with_cpu)
        self._chart.resize(WIDTH, HEIGHT)
        self._chart.show()
        QApplication.processEvents()
        self._series = series
        self._chart.show_series(series, UNTIL_EPOCH_S - SPAN_S, UNTIL_EPOCH_S)
        QApplication.processEvents()
        super().__init__(self._chart, self._chart.plot_viewports()[0])

    def feed(self, number: int) -> None:
        self._chart.show_series(self._series, UNTIL_EPOCH_S - SPAN_S - number, UNTIL_EPOCH_S - number)
        self._process_events()


class _Bare(_Panned):
    """Nothing but plots and curves."""

    def __init__(self, series: Series, with_cpu: bool) -> None:
        import numpy
        import pyqtgraph
        from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

        top = QWidget()
        column = QVBoxLayout(top)
        rows: list[list[Sequence[float | None]]] = [[layer.memory_bytes for layer in series.layers]]
        if with_cpu:
            rows.append([layer.cpu_percent for layer in series.layers])
        times = numpy.array(series.times_epoch_s) - series.times_epoch_s[0]
        self._plots = []
        for number, lines in enumerate(rows):
            plot = pyqtgraph.PlotWidget()
            plot.setMouseEnabled(x=True, y=False)
            plot.hideButtons()
            tops = numpy.cumsum(numpy.array(lines, dtype=float), axis=0)
            for at, line in enumerate(tops):
                plot.plot(times, line, pen=pyqtgraph.mkPen(pyqtgraph.intColor(at, SERIES), width=1))
            plot.disableAutoRange()
            plot.setXRange(0, SPAN_S, padding=0)
            plot.setYRange(0, float(tops.max()), padding=0)
            column.addWidget(plot, 1 if number else round(1 / CPU_SHARE) - 1)
            self._plots.append(plot)
        if with_cpu:
            self._plots[1].setXLink(self._plots[0])
        top.resize(WIDTH, HEIGHT)
        top.show()
        QApplication.processEvents()
        super().__init__(top, self._plots[0].viewport())


def _popover(frames: int) -> dict[str, list[float]]:
    from dataclasses import replace

    from PySide6.QtCore import QRect, QRectF
    from PySide6.QtGui import QPainter, QPixmap
    from PySide6.QtWidgets import QApplication

    from tests.ui import scene
    from tests.ui.fake_backend import FakeBackend
    from tests.ui.test_tree import many
    from trayapp.ui import tokens
    from trayapp.ui.bridge import Bridge
    from trayapp.ui.popover import Popover
    from trayapp.ui.sparkline import paint_sparkline

    snapshots = [many(SERIES, 4), many(SERIES, 4, heavier_ones=frozenset({3, 11, 27, 38, 49}))]
    backend = FakeBackend(snapshots[0])
    bridge = Bridge(backend)
    popover = Popover(bridge)
    popover.show_at(QRect(600, 0, 22, 24))
    QApplication.processEvents()

    def tick(number: int) -> None:
        backend.publish(replace(snapshots[number % 2], monotonic_s=float(number)))
        for _ in range(3):  # to the bridge, to the popover, onto the screen
            QApplication.processEvents()

    values = next(iter(scene.sparklines(60).values()))
    picture = QPixmap(80, 20)

    def sparklines(_number: int) -> None:
        painter = QPainter(picture)
        for _ in range(SERIES):
            paint_sparkline(painter, QRectF(0, 0, 80, 20), values, tokens.theme())
        painter.end()

    ms = _in_turns({"popover": lambda _number: popover.grab(), "sparklines": sparklines}, frames)
    ms |= _in_turns({"popover_tick": tick}, frames)
    popover.hide()
    bridge.close()
    popover.deleteLater()
    QApplication.processEvents()
    return ms


if __name__ == "__main__":
    main()
