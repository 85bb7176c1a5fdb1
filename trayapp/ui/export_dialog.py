"""Write measurements to a CSV file: which range, how finely, which sessions, how much comes out, where to.

The core counts and writes; this dialog asks, shows how far it is, and can stop it. The file appears whole or not.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from concurrent.futures import Future
from datetime import datetime
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from PySide6.QtCore import QDir, QLocale, QStandardPaths, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from trayapp.history.csv_export import ExportCancelled
from trayapp.model.series import KEPT_S, STEP_S, SeriesQuery, StackBy, Tier
from trayapp.model.snapshot import GroupKind, Snapshot
from trayapp.say import noted, say, say_n
from trayapp.ui import numbers, tokens
from trayapp.ui.bridge import Bridge
from trayapp.ui.chart_data import RANGES_S
from trayapp.ui.controls import Button, CheckBox, Hairline, Kind, Panel, Progress, Scroll, Segmented, Text
from trayapp.ui.field import Field
from trayapp.ui.reveal import reveal
from trayapp.ui.tokens import SEMIBOLD, px
from trayapp.wording import duration

if TYPE_CHECKING:
    from trayapp.history.csv_export import Estimate
    from trayapp.model.series import Series

WIDTH = 560
LIST_ROWS = 6
ROW = 28
EVERYTHING, BETWEEN = "all", "between"
ALL, CHOSEN = "all", "chosen"
WAIT_MS = 150
"""How long the choices must rest before the core counts."""
WRITTEN_AS = "%Y-%m-%d %H:%M"

_TIERS = {
    Tier.AUTO: noted("Auto"),
    Tier.RAW: noted("Every sample"),
    Tier.MINUTE: noted("1\u202fmin"),
    Tier.QUARTER: noted("15\u202fmin"),
}

_DAY_S = 86_400.0


class NotATime(ValueError):
    """A field holds no time; the message says how one is written."""


class ExportDialog(QDialog):
    """Ask for range and sessions, then write. `choose_path` is replaced in tests.

    Attributes:
        ticks: the tick box of each session that could be chosen, by its key.
    """

    # Emitted in the worker thread while the core writes; payload: rows written, rows in all.
    _moved = Signal(int, int)

    def __init__(
        self, bridge: Bridge, snapshot: Snapshot | None, range_words: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._snapshot = snapshot
        self._stopped = Event()
        self._running: Future[int] | None = None
        self._path: Path | None = None
        self._asked = 0
        self.ticks: dict[str, CheckBox] = {}
        self.setWindowTitle(say("Export CSV"))
        self.setFixedWidth(px(WIDTH))
        ranges = [(words, say(words)) for words in RANGES_S]
        self.ranges = Segmented([*ranges, (EVERYTHING, say("All")), (BETWEEN, say("From, to"))], range_words)
        self.ranges.setAccessibleName(say("Range"))
        self.since, self.until = Field(say("From")), Field(say("To"))
        self.tiers = Segmented([(tier.value, say(words)) for tier, words in _TIERS.items()], Tier.AUTO.value)
        self.tiers.setAccessibleName(say("One row for"))
        self.which = Segmented([(ALL, say("All, with totals")), (CHOSEN, say("Only these"))], ALL)
        self.which.setAccessibleName(say("Sessions"))
        self.estimate = Text("", size=tokens.SECOND, tone="sec", wrap=True)
        self.said = Text("", wrap=True)
        self.where = Text("", size=tokens.SECOND, tone="sec")
        self.bar = Progress()
        self.bar.setAccessibleName(say("Progress"))
        self.cancel = Button(say("Cancel"))
        self.export = Button(say("Export…"), Kind.PRIMARY)
        self.reveal = Button(say("Reveal"))
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(WAIT_MS)
        self._lay_out()
        self._connect()
        self._write_times(self._now_epoch_s() - RANGES_S.get(range_words, _DAY_S), self._now_epoch_s())
        self._fill_sessions()
        self._choose()
        self.cancel.setFocus(Qt.FocusReason.PopupFocusReason)  # what writes is off until it is counted

    def _connect(self) -> None:
        self.ranges.chosen.connect(lambda _words: self._choose())
        self.tiers.chosen.connect(lambda _tier: self._choose())
        self.which.chosen.connect(lambda _which: self._choose())
        for field in (self.since, self.until):
            field.textEdited.connect(lambda _text: self._choose())
        self._wait.timeout.connect(self._ask)
        self.cancel.clicked.connect(self._cancel)
        self.export.clicked.connect(self._go)
        self.reveal.clicked.connect(self._reveal)
        self._moved.connect(self._show_progress, Qt.ConnectionType.QueuedConnection)

    # ---- layout

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, px(22), 0, 0)
        column.setSpacing(0)
        form = QVBoxLayout()
        form.setContentsMargins(px(22), 0, px(22), px(18))
        form.setSpacing(px(6))
        title = say("Export measurements as CSV")
        form.addWidget(Text(title, size=tokens.TITLE_PAGE, weight=SEMIBOLD, tracked=True))
        about = say("One row per session and time, as every spreadsheet reads it.")
        form.addWidget(Text(about, size=tokens.SECOND, tone="sec", wrap=True))
        for heading, control in ((say("Range"), self.ranges), (say("One row for"), self.tiers)):
            _add_choice(form, heading, control)
            if control is self.ranges:
                form.addWidget(self._times())
        _add_choice(form, say("Sessions"), self.which)
        form.addWidget(self._sessions())
        form.addSpacing(px(8))
        form.addWidget(self.estimate)
        form.addWidget(self.bar)
        form.addWidget(self.said)
        form.addWidget(self.where)
        for hidden in (self.bar, self.said, self.where, self.reveal):
            hidden.hide()
        column.addLayout(form)
        column.addWidget(Hairline())
        foot = QHBoxLayout()
        foot.setContentsMargins(px(22), px(14), px(22), px(14))
        foot.setSpacing(px(8))
        foot.addWidget(self.reveal)
        foot.addStretch(1)
        foot.addWidget(self.cancel)
        foot.addWidget(self.export)
        column.addLayout(foot)

    def _times(self) -> QWidget:
        """Make the two fields of a range that is typed."""
        self._between = QWidget()
        line = QHBoxLayout(self._between)
        line.setContentsMargins(0, px(2), 0, px(2))
        line.setSpacing(px(8))
        for words, field in ((say("From"), self.since), (say("to"), self.until)):
            line.addWidget(Text(words, size=tokens.SECOND, tone="sec"))
            field.setFixedWidth(px(152))
            line.addWidget(field)
        line.addStretch(1)
        return self._between

    def _sessions(self) -> QWidget:
        """Make the list of sessions to choose from."""
        self._box = Panel("tint", outline=None)
        inner = QVBoxLayout(self._box)
        inner.setContentsMargins(px(2), px(6), px(2), px(6))
        content = QWidget()
        self._list = QVBoxLayout(content)
        self._list.setContentsMargins(px(10), 0, px(10), 0)
        self._list.setSpacing(0)
        self._none = Text(say("No session was measured in this range."), size=tokens.SECOND, tone="sec")
        self._list.addWidget(self._none)
        self._scroll = Scroll(content)
        inner.addWidget(self._scroll)
        return self._box

    def _fit(self) -> None:
        rows = min(LIST_ROWS, max(1, len(self.ticks)))
        self._scroll.setFixedHeight(px(ROW) * rows)
        layout = self.layout()
        if layout is not None:
            self.setFixedHeight(layout.totalHeightForWidth(self.width()))

    # ---- which sessions

    def _fill_sessions(self) -> None:
        """List the sessions that run now; those of the range come when the history has told them."""
        groups = self._snapshot.groups if self._snapshot is not None else ()
        for group in groups:
            if group.kind is GroupKind.SESSION:
                self._add_session(group.key, group.name)

    def _add_session(self, key: str, title: str) -> None:
        if key in self.ticks:
            return
        row = QWidget()
        row.setFixedHeight(px(ROW))
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(px(10))
        box = self.ticks[key] = CheckBox(title)
        box.toggled.connect(lambda _on: self._choose())
        line.addWidget(box)
        line.addWidget(Text(title, size=tokens.SECOND), 1)
        self._list.addWidget(row)
        self._none.hide()

    def _ask_for_sessions(self) -> None:
        since, until = self._range()
        query = SeriesQuery(since_epoch_s=since, until_epoch_s=until, columns=2, stack_by=StackBy.SESSION)
        self._bridge.when_done(self._bridge.backend.series(query), self._take_sessions, lambda _sentence: None)

    def _take_sessions(self, series: Series) -> None:
        for layer in series.layers:
            if layer.host is not None and layer.key.partition(":")[0] == layer.host:
                self._add_session(layer.key, layer.title)
        self._fit()

    def _session(self) -> Collection[str] | None:
        """Return the keys that are chosen; None = all, with totals."""
        if self.which.current == ALL:
            return None
        return tuple(key for key, box in self.ticks.items() if box.isChecked())

    # ---- which range

    def _now_epoch_s(self) -> float:
        return self._snapshot.taken_at.timestamp() if self._snapshot is not None else 0.0

    def _write_times(self, since_epoch_s: float, until_epoch_s: float) -> None:
        for field, at in ((self.since, since_epoch_s), (self.until, until_epoch_s)):
            field.setText(datetime.fromtimestamp(at).strftime(WRITTEN_AS))

    def _range(self) -> tuple[float, float]:
        """Return the range that is chosen. Raises NotATime for one that was typed wrongly."""
        until = self._now_epoch_s()
        if self.ranges.current == EVERYTHING:
            return until - self._bridge.backend.settings.keep_days * _DAY_S, until
        if self.ranges.current != BETWEEN:
            return until - RANGES_S[self.ranges.current], until
        since, until = (_time_in(field) for field in (self.since, self.until))
        if since >= until:
            self.until.set_wrong(True)
            raise NotATime(say("The range ends before it begins."))
        return since, until

    # ---- how much comes out

    def _choose(self) -> None:
        """Follow the choices; the core counts when they have rested for a moment."""
        between = self.ranges.current == BETWEEN
        self._between.setVisible(between)
        self._box.setVisible(self.which.current == CHOSEN)
        self._asked += 1
        self.export.setEnabled(False)
        fault = self._fault()
        if fault:
            self._wait.stop()
            self.estimate.set_tone("amber")
            self.estimate.setText(fault)
        else:
            self.estimate.set_tone("sec")
            self.estimate.setText(say("Counting…"))
            self._wait.start()
            if self.which.current == CHOSEN:
                self._ask_for_sessions()
        self._fit()

    def _fault(self) -> str:
        """Say what keeps the choices from being written; "" = nothing."""
        try:
            self._range()
        except NotATime as fault:
            return str(fault)
        return say("Choose at least one session.") if self._session() == () and self.ticks else ""

    def _ask(self) -> None:
        self._asked += 1
        since, until = self._range()
        future = self._bridge.backend.estimate_csv(
            since_epoch_s=since, until_epoch_s=until, session=self._session(), tier=Tier(self.tiers.current)
        )
        self._bridge.when_done(future, partial(self._take_estimate, self._asked), partial(self._uncounted, self._asked))

    def _take_estimate(self, asked: int, estimate: Estimate) -> None:
        if asked != self._asked:
            return
        self.export.setEnabled(estimate.rows > 0 and self._running is None)
        if self.export.isEnabled() and self.cancel.hasFocus():
            self.export.setFocus(Qt.FocusReason.PopupFocusReason)
        chosen = Tier(self.tiers.current)
        wanted_s = self._length_s() if chosen is not Tier.AUTO else 0.0
        self.estimate.setText(_estimate_words(estimate, wanted_s))
        self._fit()

    def _uncounted(self, asked: int, sentence: str) -> None:
        if asked == self._asked:
            self.estimate.set_tone("amber")
            self.estimate.setText(sentence)
            self._fit()

    def _length_s(self) -> float:
        since, until = self._range()
        return until - since

    # ---- writing

    def choose_path(self) -> Path | None:
        """Ask where to; None = given up."""
        folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation) or QDir.homePath()
        proposed = str(Path(folder) / "agent-ring.csv")
        chosen, _ = QFileDialog.getSaveFileName(self, say("Export CSV"), proposed, "CSV (*.csv)")
        return Path(chosen) if chosen else None

    def _go(self) -> None:
        path = self.choose_path()
        if path is None:
            return
        self._path = path
        self._stopped.clear()
        self._set_running(True)
        since, until = self._range()
        self._running = self._bridge.backend.export_csv(
            path,
            since_epoch_s=since,
            until_epoch_s=until,
            session=self._session(),
            tier=Tier(self.tiers.current),
            progress=self._moved.emit,
            cancelled=self._stopped.is_set,
        )
        self._bridge.when_done(self._running, self._done, self._failed)

    def _controls(self) -> Sequence[QWidget]:
        return (self.ranges, self.since, self.until, self.tiers, self.which, *self.ticks.values())

    def _set_running(self, running: bool) -> None:
        self.bar.setVisible(running)
        self.bar.set_share(0)
        self.said.setVisible(running)
        self.said.set_tone("ink")
        self.said.setText(say("Writing…") if running else "")
        self.where.hide()
        self.reveal.hide()
        self.export.setEnabled(not running)
        for widget in self._controls():
            widget.setEnabled(not running)
        if not running:
            self._running = None
        self._fit()

    def _show_progress(self, done: int, total: int) -> None:
        if self._running is None or self._stopped.is_set():
            return
        self.bar.set_share(done / total if total else 0.0)
        self.said.setText(say("{done} of {all} rows", done=_counted(done), all=_counted(total)))

    def _done(self, rows: int) -> None:
        path = self._path
        self._set_running(False)
        self.said.show()
        size = _size_of(path)
        count = _counted(rows)
        words = say_n("{count} row written, {size}", "{count} rows written, {size}", rows, count=count, size=size)
        self.said.setText(words)
        self.where.setText(str(path))
        self.where.show()
        self.estimate.setText("")
        self.reveal.show()
        self.cancel.setText(say("Done"))
        self._fit()

    def _failed(self, sentence: str) -> None:
        fault = self._running.exception() if self._running is not None else None
        self._set_running(False)
        self.said.show()
        if isinstance(fault, ExportCancelled):
            self.said.setText(say("Stopped. No file was written."))
        else:
            if isinstance(fault, OSError) and fault.strerror:
                sentence = say(
                    "{path}: {fault}. No file was written; choose another place.",
                    path=fault.filename or self._path,
                    fault=fault.strerror,
                )
            self.said.set_tone("amber")
            self.said.setText(sentence)
        self._fit()

    # ---- the end

    def _cancel(self) -> None:
        """Stop what is being written; else close."""
        if self._running is not None:
            self._stopped.set()
            self.said.setText(say("Stopping…"))
        else:
            self.reject()

    def reject(self) -> None:
        self._stopped.set()
        super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._stopped.set()
        super().closeEvent(event)

    def _reveal(self) -> None:
        if self._path is not None and (why_not := reveal(self._path)):
            self.said.setText(why_not)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), tokens.theme().card)


def _add_choice(form: QVBoxLayout, heading: str, control: QWidget) -> None:
    form.addSpacing(px(8))
    form.addWidget(Text(heading, weight=SEMIBOLD))
    line = QHBoxLayout()
    line.addWidget(control)
    line.addStretch(1)
    form.addLayout(line)


def _time_in(field: Field) -> float:
    try:
        at = datetime.strptime(field.text().strip(), WRITTEN_AS).timestamp()
    except (ValueError, OverflowError, OSError):
        field.set_wrong(True)
        raise NotATime(say("A time is written as 2026-11-30 14:05.")) from None
    field.set_wrong(False)
    return at


def _counted(rows: int) -> str:
    return QLocale().toString(rows)


def _size_of(path: Path | None) -> str:
    try:
        return numbers.memory(path.stat().st_size) if path is not None else ""
    except OSError:
        return numbers.memory(None)


def _estimate_words(estimate: Estimate, wanted_s: float) -> str:
    """Say about how much comes out, and if the tier that was chosen has not got all of the time that is wanted."""
    if not estimate.rows:
        return say("Nothing was measured in this range.")
    finest = say("Every sample") if estimate.tier is Tier.RAW else ""
    step = finest or say("One row for {time}", time=duration(STEP_S.get(estimate.tier)))
    values = {"rows": _counted(estimate.rows), "size": numbers.memory(estimate.size_bytes)}
    kept_s = KEPT_S.get(estimate.tier)
    if kept_s is None or kept_s >= wanted_s:
        return say("{step}: about {rows} rows, {size}.", step=step, **values)
    kept = duration(kept_s)
    return say(
        "{step}: about {rows} rows, {size}. That fine it is kept for {kept}; Auto has all of the range.",
        step=step,
        kept=kept,
        **values,
    )
