"""Write measurements to a CSV file: which range, how finely, which session, how many rows about, where to.

The core writes; this dialog asks, shows how far it is, and can stop it. The file appears whole or not at all.
"""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path
from threading import Event

from PySide6.QtCore import QDir, QStandardPaths, Qt, QUrl, Signal
from PySide6.QtGui import QCloseEvent, QDesktopServices
from PySide6.QtWidgets import QComboBox, QDialog, QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from trayapp.history.csv_export import ExportCancelled
from trayapp.model.series import KEPT_S, STEP_S, Tier
from trayapp.model.snapshot import GroupKind, Snapshot
from trayapp.ui import numbers, tokens
from trayapp.ui.bridge import Bridge
from trayapp.ui.chart_data import RANGES_S
from trayapp.ui.controls import Button, Kind, Progress, Segmented, Text
from trayapp.ui.tokens import SEMIBOLD, px
from trayapp.wording import THIN_SPACE, duration

WIDTH = 520
EVERYTHING = "All"
ALL_SESSIONS = "All sessions, with totals"
ROW_BYTES = 160
"""About what one row takes; for the preview."""

_TIERS = {
    Tier.AUTO: "Auto",
    Tier.RAW: "Every sample",
    Tier.MINUTE: f"1{THIN_SPACE}min",
    Tier.QUARTER: f"15{THIN_SPACE}min",
}

_DAY_S = 86_400.0


class ExportDialog(QDialog):
    """Ask for range and sessions, then write. `choose_path` is replaced in tests."""

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
        self.setWindowTitle("Export CSV")
        self.setFixedWidth(px(WIDTH))
        self.ranges = Segmented([*((words, words) for words in RANGES_S), (EVERYTHING, EVERYTHING)], range_words)
        self.ranges.setAccessibleName("Range")
        self.tiers = Segmented([(tier.value, words) for tier, words in _TIERS.items()], Tier.AUTO.value)
        self.tiers.setAccessibleName("One row for")
        self.sessions = QComboBox()
        self.sessions.setAccessibleName("Sessions")
        self.sessions.setMinimumHeight(px(28))
        self._fill_sessions()
        self.estimate = Text("", size=tokens.SECOND, tone="sec", wrap=True)
        self.said = Text("", wrap=True)
        self.bar = Progress()
        self.cancel = Button("Cancel")
        self.export = Button("Export…", Kind.PRIMARY)
        self.folder = Button("Open folder")
        self._lay_out()
        self.ranges.chosen.connect(lambda _words: self._estimate())
        self.tiers.chosen.connect(lambda _tier: self._estimate())
        self.sessions.currentIndexChanged.connect(lambda _at: self._estimate())
        self.cancel.clicked.connect(self._cancel)
        self.export.clicked.connect(self._go)
        self.folder.clicked.connect(self._open_folder)
        self._moved.connect(self._show_progress, Qt.ConnectionType.QueuedConnection)
        self._estimate()
        self.export.setFocus()

    def _fill_sessions(self) -> None:
        self.sessions.addItem(ALL_SESSIONS, None)
        groups = self._snapshot.groups if self._snapshot is not None else ()
        for group in groups:
            if group.kind is GroupKind.SESSION:
                self.sessions.addItem(group.name, group.key)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        padding = px(tokens.CARD_PADDING)
        column.setContentsMargins(padding, padding, padding, padding)
        column.setSpacing(px(10))
        column.addWidget(Text("Export measurements as CSV", size=tokens.TITLE_PAGE, weight=SEMIBOLD, tracked=True))
        column.addWidget(
            Text("One row per session and time, RFC 4180, dots as decimal marks.", size=tokens.SECOND, tone="sec")
        )
        column.addSpacing(px(4))
        for title, choice in (("Range", self.ranges), ("One row for", self.tiers)):
            column.addWidget(Text(title, weight=SEMIBOLD))
            line = QHBoxLayout()
            line.addWidget(choice)
            line.addStretch(1)
            column.addLayout(line)
        column.addWidget(Text("Sessions", weight=SEMIBOLD))
        column.addWidget(self.sessions)
        column.addWidget(self.estimate)
        column.addWidget(self.bar)
        column.addWidget(self.said)
        self.bar.hide()
        self.said.hide()
        self.folder.hide()
        buttons = QHBoxLayout()
        buttons.setContentsMargins(0, px(8), 0, 0)
        buttons.setSpacing(px(8))
        buttons.addWidget(self.folder)
        buttons.addStretch(1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.export)
        column.addLayout(buttons)

    # What is written.

    def _until_epoch_s(self) -> float:
        return self._snapshot.taken_at.timestamp() if self._snapshot is not None else 0.0

    def _since_epoch_s(self) -> float:
        return 0.0 if self.ranges.current == EVERYTHING else self._until_epoch_s() - RANGES_S[self.ranges.current]

    def _tier(self) -> Tier:
        """Return the tier chosen; what AUTO comes to is the store's to say, this is about."""
        chosen = Tier(self.tiers.current)
        if chosen is not Tier.AUTO:
            return chosen
        length_s = self._length_s()
        return next((tier for tier, kept_s in KEPT_S.items() if length_s <= kept_s), Tier.QUARTER)

    def _length_s(self) -> float:
        kept_s = self._bridge.backend.settings.keep_days * _DAY_S
        return min(kept_s, RANGES_S.get(self.ranges.current, kept_s))

    def _estimate(self) -> None:
        """Say about how much comes out: one row per group, host and total for each time of the tier that is kept."""
        tier = self._tier()
        kept_s = min(KEPT_S.get(tier, self._length_s()), self._length_s())
        step_s = STEP_S.get(tier, max(self._bridge.backend.settings.interval_s, 0.5))
        rows = round(kept_s / step_s) * (1 if self.sessions.currentData() else self._rows_per_tick())
        words = [
            "Every sample" if tier is Tier.RAW else f"One row for {duration(step_s)}",
            f": at most about {rows:,} rows, {numbers.memory(rows * ROW_BYTES)}; fewer where nothing was measured.",
        ]
        if kept_s < self._length_s():
            finer = "Single samples" if tier is Tier.RAW else "Minutes"
            words.append(f" {finer} are kept for {duration(kept_s)}; Auto has all of the range.")
        self.estimate.setText("".join(words))

    def _rows_per_tick(self) -> int:
        if self._snapshot is None:
            return 1
        counted = [group for group in self._snapshot.groups if group.counts]
        return len(counted) + len({group.host for group in counted} - {None}) + 1

    def choose_path(self) -> Path | None:
        """Ask where to; None = given up."""
        folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation) or QDir.homePath()
        proposed = str(Path(folder) / "agent-ring.csv")
        chosen, _ = QFileDialog.getSaveFileName(self, "Export CSV", proposed, "CSV (*.csv)")
        return Path(chosen) if chosen else None

    def _go(self) -> None:
        path = self.choose_path()
        if path is None:
            return
        self._path = path
        self._stopped.clear()
        self._set_running(True)
        self._running = self._bridge.backend.export_csv(
            path,
            since_epoch_s=self._since_epoch_s(),
            until_epoch_s=self._until_epoch_s(),
            session=self.sessions.currentData(),
            tier=Tier(self.tiers.current),
            progress=self._moved.emit,
            cancelled=self._stopped.is_set,
        )
        self._bridge.when_done(self._running, self._done, self._failed)

    def _set_running(self, running: bool) -> None:
        self.bar.setVisible(running)
        self.bar.set_share(0)
        self.said.setVisible(running)
        self.said.set_tone("ink")
        self.said.setText("Writing…" if running else "")
        self.export.setEnabled(not running)
        for widget in (self.ranges, self.tiers, self.sessions):
            widget.setEnabled(not running)
        if not running:
            self._running = None

    def _show_progress(self, done: int, total: int) -> None:
        if self._running is not None:
            self.bar.set_share(done / total if total else 0.0)
            self.said.setText(f"{done:,} of {total:,} rows" if total else f"{done:,} rows")

    def _done(self, rows: int) -> None:
        """Say what was written, also when that was whole before it could be stopped."""
        self._set_running(False)
        self.said.show()
        self.said.setText(f"{rows:,} {'row' if rows == 1 else 'rows'} written to {self._path}")
        self.folder.show()
        self.cancel.setText("Done")

    def _failed(self, sentence: str) -> None:
        fault = self._running.exception() if self._running is not None else None
        self._set_running(False)
        self.said.show()
        if isinstance(fault, ExportCancelled):
            self.said.setText("Stopped. No file was written.")
            return
        if isinstance(fault, OSError) and fault.strerror:
            sentence = f"{fault.filename or self._path}: {fault.strerror}. No file was written; choose another place."
        self.said.set_tone("amber")
        self.said.setText(sentence)

    def _cancel(self) -> None:
        """Stop what is being written; else close."""
        if self._running is not None:
            self._stopped.set()
            self.said.setText("Stopping…")
        else:
            self.reject()

    def reject(self) -> None:
        self._stopped.set()
        super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._stopped.set()
        super().closeEvent(event)

    def _open_folder(self) -> None:
        if self._path is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._path.parent)))
