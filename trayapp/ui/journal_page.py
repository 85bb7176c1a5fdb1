"""What was done, refused and given back, by day, with the command that brings each session back."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from enum import StrEnum
from itertools import groupby

from PySide6.QtCore import QDate, QLocale, QRectF, QSize, Qt
from PySide6.QtGui import QFocusEvent, QGuiApplication, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from trayapp import targets
from trayapp.model.receipt import Fate, Outcome, Receipt
from trayapp.model.snapshot import Snapshot
from trayapp.ui import numbers, tokens
from trayapp.ui.bridge import Bridge
from trayapp.ui.controls import Button, FocusOutline, Hairline, Panel, Segmented, Text
from trayapp.ui.marks import ORPHAN, SHARED, HostMark, Mark, MarkKind, paint_warning
from trayapp.ui.page import Command, EmptyState, Page
from trayapp.ui.sparkline import paint_chevron
from trayapp.ui.tokens import MEDIUM, SEMIBOLD, px

SHOWN = 200
ROW = 47
COMMAND = 250


class Kept(StrEnum):
    """Say which receipts are shown; the value is the word on the control."""

    ALL = "All"
    RELEASED = "Released"
    ENDED = "Ended"
    REFUSED = "Refused"


_FATES = {
    Kept.RELEASED: frozenset({Fate.RELEASED}),
    Kept.ENDED: frozenset({Fate.ENDED, Fate.SURVIVED}),
    Kept.REFUSED: frozenset({Fate.REFUSED}),
}


def kept(receipts: Sequence[Receipt], wanted: Kept) -> tuple[Receipt, ...]:
    """Return the receipts in which at least one target had that end."""
    if wanted is Kept.ALL:
        return tuple(receipts)
    return tuple(r for r in receipts if any(o.fate in _FATES[wanted] for o in r.outcomes))


def by_day(receipts: Sequence[Receipt]) -> Iterator[tuple[date, tuple[Receipt, ...]]]:
    """Yield each local day with its receipts, newest first."""
    ordered = sorted(receipts, key=lambda receipt: receipt.started_at, reverse=True)
    for day, found in groupby(ordered, key=lambda receipt: receipt.started_at.astimezone().date()):
        yield day, tuple(found)


def day_words(day: date, today: date) -> str:
    """Say a day: "Today", "Yesterday", else its date as the locale writes it."""
    if day == today:
        return "Today"
    if day == today - timedelta(days=1):
        return "Yesterday"
    return QLocale().toString(QDate(day.year, day.month, day.day), QLocale.FormatType.LongFormat)


def headline(receipt: Receipt) -> str:
    """Say what a receipt did: "Released 4 sessions, ended 2 orphans", "Refused: Fix flaky upload tests"."""
    done = [o for o in receipt.outcomes if o.fate is not Fate.REFUSED]
    if not done:
        return f"Refused: {_names(receipt.outcomes)}"
    ended = [o for o in done if o.fate is Fate.ENDED or o.target.group_key.startswith("orphan")]
    released = [o for o in done if o not in ended]
    parts = []
    for word, found, noun in (("released", released, "session"), ("ended", ended, "orphan")):
        if len(found) == 1 and len(done) == 1:
            parts.append(f"{word} {found[0].target.title}")
        elif found:
            parts.append(f"{word} {numbers.count(len(found), noun)}")
    joined = ", ".join(parts)
    return joined[:1].upper() + joined[1:]


def byline(receipt: Receipt) -> str:
    """Say from where it was asked, and what did not go as it should."""
    words = f"You, from the {receipt.origin}"
    survived = sum(len(o.survived) for o in receipt.outcomes)
    refused = [o for o in receipt.outcomes if o.fate is Fate.REFUSED]
    if refused and len(refused) == len(receipt.outcomes):
        return refused[0].sentence
    notes = []
    if survived:
        notes.append(f"{numbers.count(survived, 'process', 'processes')} survived")
    if refused:
        notes.append(f"{len(refused)} refused")
    return f"{words}. {', '.join(notes)}." if notes else words


def _names(outcomes: Sequence[Outcome]) -> str:
    first = outcomes[0].target.title if outcomes else ""
    return first if len(outcomes) <= 1 else f"{first} and {len(outcomes) - 1} more"


class _Head(QAbstractButton):
    """Show the first line of an entry; opens and closes it."""

    def __init__(self, receipt: Receipt, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setFixedHeight(px(56))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._time = numbers.clock_time(receipt.started_at)
        self._title, self._second = headline(receipt), byline(receipt)
        done = any(outcome.fate is not Fate.REFUSED for outcome in receipt.outcomes)
        self._figure = numbers.memory(receipt.came_back_bytes) if done else "Nothing done"
        self._expected = f"of {numbers.memory(receipt.expected_bytes)} expected" if done else ""
        self._strong = done
        spoken = (self._time, self._title, self._second, self._figure, self._expected)
        self.setAccessibleName(", ".join(part for part in spoken if part))

    @property
    def words(self) -> tuple[str, str, str, str]:
        return self._title, self._second, self._figure, self._expected

    def sizeHint(self) -> QSize:
        return QSize(px(400), px(56))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        FocusOutline.show_on(self, event, tokens.RADIUS_PART - tokens.FOCUS_OFFSET)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        FocusOutline.hide_on(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), tokens.theme()
        flags = Qt.AlignmentFlag.AlignVCenter
        side = px(10)
        chevron = QRectF(px(17), (self.height() - side) / 2, side, side)
        paint_chevron(painter, chevron, theme.sec, degrees=90 if self.isChecked() else 0)
        top, bottom = QRectF(0, px(10), self.width(), px(18)), QRectF(0, px(28), self.width(), px(16))
        painter.setFont(tokens.font(tokens.SECOND))
        painter.setPen(theme.sec)
        painter.drawText(top.adjusted(px(40), 0, 0, 0), flags | Qt.AlignmentFlag.AlignLeft, self._time)
        right = px(20)
        painter.drawText(bottom.adjusted(0, 0, -right, 0), flags | Qt.AlignmentFlag.AlignRight, self._expected)
        bold = tokens.font(tokens.BODY, SEMIBOLD)
        painter.setFont(bold if self._strong else tokens.font(tokens.BODY))
        painter.setPen(theme.ink if self._strong else theme.sec)
        painter.drawText(top.adjusted(0, 0, -right, 0), flags | Qt.AlignmentFlag.AlignRight, self._figure)
        widest = max(
            tokens.text_width(self._figure, bold), tokens.text_width(self._expected, tokens.font(tokens.SECOND))
        )
        room = self.width() - px(92) - right - px(12) - widest
        for line, text, font, colour in (
            (top, self._title, bold, theme.ink),
            (bottom, self._second, tokens.font(tokens.SECOND), theme.sec),
        ):
            painter.setFont(font)
            painter.setPen(colour)
            elided = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(room))
            painter.drawText(line.adjusted(px(92), 0, 0, 0), flags | Qt.AlignmentFlag.AlignLeft, elided)


class _Warning(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedSize(px(14), px(14))
        self.setAccessibleName("Not as it should be")

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = tokens.theme()
        paint_warning(QPainter(self), QRectF(self.rect()), theme.amber, theme.card)


class Entry(Panel):
    """Show one receipt; its targets are made when it is opened for the first time."""

    def __init__(self, receipt: Receipt, snapshot: Snapshot | None, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.receipt = receipt
        self._snapshot = snapshot
        self.head = _Head(receipt)
        self._rows: QWidget | None = None
        self.copies: list[Button] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self.head)
        self.head.toggled.connect(self._toggle)

    def _toggle(self, is_open: bool) -> None:
        if self._rows is None and is_open:
            self._rows = self._make_rows()
            self._column.addWidget(self._rows)
        if self._rows is not None:
            self._rows.setVisible(is_open)

    def _make_rows(self) -> QWidget:
        rows = QWidget()
        column = QVBoxLayout(rows)
        column.setContentsMargins(px(92), 0, px(20), px(8))
        column.setSpacing(0)
        for outcome in self.receipt.outcomes:
            column.addWidget(Hairline())
            column.addWidget(self._row(outcome))
        return rows

    def _row(self, outcome: Outcome) -> QWidget:
        row = QWidget()
        row.setMinimumHeight(px(ROW))
        line = QHBoxLayout(row)
        line.setContentsMargins(0, px(5), 0, px(5))
        line.setSpacing(px(10))
        line.addWidget(HostMark(_mark(outcome, self._snapshot), 22))
        line.addLayout(_words(outcome), 1)
        command = targets.resume_command(outcome.resume)
        if command is not None and outcome.resume is not None:
            shown = Command(height=26)
            shown.set_command(shlex.join(outcome.resume.argv), command)
            shown.setFixedWidth(shown.wanted_width(px(COMMAND)))
            line.addWidget(shown)
            line.addWidget(self._copy_button(command))
        else:
            line.addWidget(Text(_no_resume(outcome), size=tokens.SECOND, tone="sec", align=Qt.AlignmentFlag.AlignRight))
        figure = Text(numbers.memory(outcome.came_back_bytes), weight=SEMIBOLD, align=Qt.AlignmentFlag.AlignRight)
        figure.setMinimumWidth(px(56))
        line.addWidget(figure)
        return row

    def _copy_button(self, command: str) -> Button:
        button = Button("Copy", height=25)
        button.setAccessibleName(f"Copy {command}")

        def copy() -> None:
            QGuiApplication.clipboard().setText(command)
            button.setText("Copied")
            button.updateGeometry()

        button.clicked.connect(copy)
        self.copies.append(button)
        return button


def _words(outcome: Outcome) -> QVBoxLayout:
    """Say what became of one target, under its title."""
    bad = outcome.fate in (Fate.SURVIVED, Fate.REFUSED)
    second = QHBoxLayout()
    second.setSpacing(px(6))
    if bad:
        second.addWidget(_Warning())
    second.addWidget(Text(outcome.sentence, size=tokens.SECOND, tone="amber" if bad else "sec", wrap=True), 1)
    words = QVBoxLayout()
    words.setSpacing(0)
    words.addStretch(1)
    words.addWidget(Text(outcome.target.title, weight=MEDIUM))
    words.addLayout(second)
    words.addStretch(1)
    return words


def _mark(outcome: Outcome, snapshot: Snapshot | None) -> Mark:
    if outcome.target.group_key.startswith("orphan"):
        return ORPHAN
    label = snapshot.label(outcome.target.host) if snapshot is not None else None
    return SHARED if label is None else Mark(MarkKind.HOST, label)


def _no_resume(outcome: Outcome) -> str:
    if outcome.resume is not None and outcome.resume.note:
        return outcome.resume.note
    return "Still there" if outcome.fate is Fate.REFUSED else "Nothing to resume"


class JournalPage(Page):
    """Show the newest receipts; reads them anew when shown and after every action."""

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__("Journal", scrolls=True, parent=parent)
        self._bridge = bridge
        self._receipts: tuple[Receipt, ...] = ()
        self.entries: list[Entry] = []
        self.filter = Segmented([(word, word) for word in Kept], Kept.ALL)
        self.filter.setAccessibleName("Show")
        self.head.addWidget(self.filter)
        self._list = QVBoxLayout()
        self._list.setSpacing(px(8))
        self._content: QWidget | None = None
        self.empty = EmptyState()
        self.body.addWidget(self.empty)
        self.body.addLayout(self._list)
        self.body.addStretch(1)
        self.filter.chosen.connect(lambda _word: self._show())
        bridge.action_finished.connect(lambda _receipt: self.refresh())
        self.empty.hide()

    def refresh(self) -> None:
        """Read the journal."""
        if self.isVisible():
            self._bridge.when_done(self._bridge.backend.receipts(SHOWN), self._take)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _take(self, receipts: Sequence[Receipt]) -> None:
        if tuple(receipts) != self._receipts or not self._receipts:
            self._receipts = tuple(receipts)
            self._show()

    def _show(self) -> None:
        opened = {entry.receipt.receipt_id for entry in self.entries if entry.head.isChecked()}
        if self._content is not None:
            self._content.deleteLater()
        self._content = QWidget()
        column = QVBoxLayout(self._content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(8))
        self._list.addWidget(self._content)
        self.entries = []
        wanted = Kept(self.filter.current)
        found = kept(self._receipts, wanted)
        snapshot = self._bridge.snapshot
        today = snapshot.taken_at.astimezone().date() if snapshot is not None else date.today()
        for day, receipts in by_day(found):
            column.addLayout(_day_head(day_words(day, today), receipts))
            for receipt in receipts:
                entry = Entry(receipt, snapshot)
                entry.head.setChecked(receipt.receipt_id in opened)
                self.entries.append(entry)
                column.addWidget(entry)
            column.addSpacing(px(8))
        if not found:
            all_of_it = wanted is Kept.ALL
            self.empty.show_words(
                "Nothing was released or ended yet" if all_of_it else f"Nothing was {str(wanted).lower()}",
                "Every action is written here with what it gave back and how to resume.",
            )
        self.empty.setVisible(not found)


def _day_head(words: str, receipts: Sequence[Receipt]) -> QHBoxLayout:
    line = QHBoxLayout()
    line.addWidget(Text(words, weight=SEMIBOLD), 1)
    back = numbers.memory(sum(receipt.came_back_bytes for receipt in receipts))
    acted = sum(any(o.fate is not Fate.REFUSED for o in r.outcomes) for r in receipts)
    said = f"{numbers.count(acted, 'action')}, {back} came back" if acted else "no action"
    line.addWidget(Text(said, size=tokens.SECOND, tone="sec", align=Qt.AlignmentFlag.AlignRight))
    return line
