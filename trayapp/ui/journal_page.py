"""What was done, refused and given back, by day, with the command that brings each session back."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, timedelta
from enum import StrEnum
from itertools import groupby
from pathlib import Path

from PySide6.QtCore import QDate, QLocale, QRectF, QSaveFile, QStandardPaths, Qt
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from trayapp import targets
from trayapp.model.incident import Account, Incident
from trayapp.model.receipt import Fate, Outcome, Receipt
from trayapp.model.session import ResumeTicket
from trayapp.model.snapshot import Snapshot
from trayapp.say import noted, say, say_n, told
from trayapp.ui import heap_view, numbers, receipt_words, tokens
from trayapp.ui.bridge import Bridge
from trayapp.ui.controls import Button, Hairline, Panel, Segmented, Text
from trayapp.ui.heap_panel import HeapPanel
from trayapp.ui.incident_entry import IncidentEntry
from trayapp.ui.journal_head import EntryHead, HeadWords
from trayapp.ui.marks import ORPHAN, SHARED, HostMark, Mark, MarkKind, paint_warning
from trayapp.ui.page import Command, EmptyState, Note, Page
from trayapp.ui.resume_button import Known, ResumeButton, by_host
from trayapp.ui.tokens import MEDIUM, SEMIBOLD, px

SHOWN = 200
ROW = 47
COMMAND = 200
NARROW = 740
"""Narrower than that a row has no room for its command; it is copied all the same."""

Happening = Receipt | Incident
"""What the journal tells of: what was asked for here, and what happened by itself."""


class Kept(StrEnum):
    """Say which receipts are shown."""

    ALL = "All"
    RELEASED = "Released"
    ENDED = "Ended"
    REFUSED = "Refused"
    INCIDENTS = "Incidents"


_KEPT = {
    Kept.ALL: noted("All"),
    Kept.RELEASED: noted("Released"),
    Kept.ENDED: noted("Ended"),
    Kept.REFUSED: noted("Refused"),
    Kept.INCIDENTS: noted("Incidents"),
}

_FATES = {
    Kept.RELEASED: frozenset({Fate.RELEASED}),
    Kept.ENDED: frozenset({Fate.ENDED, Fate.SURVIVED}),
    Kept.REFUSED: frozenset({Fate.REFUSED}),
}


def kept(receipts: Sequence[Receipt], wanted: Kept) -> tuple[Receipt, ...]:
    """Return the receipts in which at least one target had that end."""
    if wanted is Kept.ALL:
        return tuple(receipts)
    if wanted is Kept.INCIDENTS:
        return ()
    return tuple(r for r in receipts if any(o.fate in _FATES[wanted] for o in r.outcomes))


def day_words(day: date, today: date) -> str:
    """Say a day: "Today", "Yesterday", else its date as the locale writes it."""
    if day == today:
        return say("Today")
    if day == today - timedelta(days=1):
        return say("Yesterday")
    return QLocale().toString(QDate(day.year, day.month, day.day), QLocale.FormatType.LongFormat)


def headline(receipt: Receipt) -> str:
    """Say what a receipt did: "Released 4 sessions, ended 2 orphans", "Refused: Fix flaky upload tests"."""
    done = [o for o in receipt.outcomes if o.fate is not Fate.REFUSED]
    if not done:
        return say("Refused: {names}", names=_names(receipt.outcomes))
    ended = [o for o in done if o.fate is Fate.ENDED or o.target.group_key.startswith("orphan")]
    released = [o for o in done if o not in ended]
    if len(done) == 1:
        name = done[0].target.title
        return say("Ended {name}", name=name) if ended else say("Released {name}", name=name)
    if not released:
        return say_n("Ended {n} orphan", "Ended {n} orphans", len(ended))
    first = say_n("Released {n} session", "Released {n} sessions", len(released))
    then = say_n("ended {n} orphan", "ended {n} orphans", len(ended))
    return say("{first}, {then}", first=first, then=then) if ended else first


def byline(receipt: Receipt) -> str:
    """Say from where it was asked, and what did not go as it should."""
    words = receipt_words.asked_by(receipt)
    survived = sum(len(o.survived) for o in receipt.outcomes)
    refused = [o for o in receipt.outcomes if o.fate is Fate.REFUSED]
    if refused and len(refused) == len(receipt.outcomes):
        return told(refused[0].sentence)
    notes = [heap_view.change_words(change) for change in receipt.heaps]
    if survived:
        notes.append(say_n("{n} process survived", "{n} processes survived", survived))
    if receipt.returns:
        notes.append(say_n("{n} runs again", "{n} run again", len(receipt.returns)))
    if refused:
        notes.append(say_n("{n} refused", "{n} are refused", len(refused)))
    return say("{words}. {notes}.", words=words, notes=", ".join(notes)) if notes else words


def _names(outcomes: Sequence[Outcome]) -> str:
    first = outcomes[0].target.title if outcomes else ""
    return first if len(outcomes) <= 1 else say("{name} and {n} more", name=first, n=len(outcomes) - 1)


class _Warning(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedSize(px(14), px(14))
        self.setAccessibleName(say("Not as it should be"))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = tokens.theme()
        paint_warning(QPainter(self), QRectF(self.rect()), theme.amber, theme.card)


def head_words(receipt: Receipt) -> HeadWords:
    """Return the first line of a receipt's entry."""
    done = any(outcome.fate is not Fate.REFUSED for outcome in receipt.outcomes)
    expected = heap_view.expected_words(receipt) or numbers.memory(0)
    return HeadWords(
        at_epoch_s=receipt.started_at.timestamp(),
        title=headline(receipt),
        second=byline(receipt),
        figure=_came_back(receipt) if done else say("Nothing done"),
        note=say("of {size} expected", size=expected) if done else "",
        strong=done,
    )


class Entry(Panel):
    """Show one receipt; its targets are made when it is opened for the first time."""

    def __init__(
        self, bridge: Bridge, receipt: Receipt, snapshot: Snapshot | None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent=parent)
        self._bridge = bridge
        self.receipt = receipt
        self.key = receipt.receipt_id
        self._snapshot = snapshot
        self.head = EntryHead(head_words(receipt))
        self._rows: QWidget | None = None
        self.copies: list[Button] = []
        self._commands: list[Command] = []
        self.resumes: list[ResumeButton] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self.head)
        self.head.toggled.connect(self._toggle)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_commands()

    def _show_commands(self) -> None:
        """Show the commands where there is room for them; else the buttons tell what they copy."""
        for command in self._commands:
            command.setVisible(self.width() >= px(NARROW))

    def _toggle(self, is_open: bool) -> None:
        if self._rows is None and is_open:
            self._rows = self._make_rows()
            self._column.addWidget(self._rows)
            self._show_commands()
        if self._rows is not None:
            self._rows.setVisible(is_open)

    def _make_rows(self) -> QWidget:
        rows = QWidget()
        column = QVBoxLayout(rows)
        column.setContentsMargins(px(92), 0, px(20), px(8))
        column.setSpacing(0)
        column.addWidget(Text(_measured(self.receipt), size=tokens.SECOND, tone="sec", wrap=True))
        column.addSpacing(px(8))
        for change in self.receipt.heaps:
            column.addWidget(HeapPanel(change, self._snapshot))
            column.addSpacing(px(8))
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
        words = receipt_words.outcome_words(self.receipt, outcome)
        tone = "amber" if _is_wrong(outcome) else receipt_words.tone(self.receipt, outcome)
        answer = Text(words, size=tokens.SECOND, tone=tone, wrap=True)
        line.addLayout(_words(outcome, answer, warns=tone == "amber"), 1)
        ticket, target = outcome.resume, outcome.target
        command = targets.resume_command(ticket)
        gone = outcome.fate is not Fate.REFUSED and self.receipt.returned(outcome) is None
        if ticket is not None and by_host(ticket, target.host) and gone:
            line.addWidget(self._resume_button(ticket, outcome, answer))
        elif command is not None and ticket is not None:
            shown = Command(height=26)
            shown.set_command(shlex.join(ticket.argv), command)
            shown.setFixedWidth(shown.wanted_width(px(COMMAND)))
            self._commands.append(shown)
            line.addWidget(shown)
            line.addWidget(self._copy_button(command))
            if gone:
                line.addWidget(self._resume_button(ticket, outcome, answer))
        else:
            line.addWidget(Text(_no_resume(outcome), size=tokens.SECOND, tone="sec", align=Qt.AlignmentFlag.AlignRight))
        figure = Text(_figure(outcome), weight=SEMIBOLD, align=Qt.AlignmentFlag.AlignRight)
        figure.setMinimumWidth(px(56))
        line.addWidget(figure)
        return row

    def _resume_button(self, ticket: ResumeTicket, outcome: Outcome, answer: Text) -> ResumeButton:
        target = outcome.target
        known = Known(group_key=target.group_key, gone=outcome.gone)
        button = ResumeButton(self._bridge, ticket, host=target.host, title=target.title, known=known, answer=answer)
        self.resumes.append(button)
        return button

    def _copy_button(self, command: str) -> Button:
        button = Button(say("Copy"), height=25)
        button.setAccessibleName(say("Copy {command}", command=command))
        button.setToolTip(command)

        def copy() -> None:
            QGuiApplication.clipboard().setText(command)
            button.setText(say("Copied"))
            button.updateGeometry()

        button.clicked.connect(copy)
        self.copies.append(button)
        return button


def _measured(receipt: Receipt) -> str:
    """Say in which figure, and what was free before and after."""
    metric, free = receipt_words.metric(receipt), receipt_words.free_words(receipt)
    if rss := receipt_words.rss_words(receipt):
        return say(
            "Measured as {metric}, by resident memory (RSS) {rss}. Free on this computer: {free}.",
            metric=metric,
            rss=rss,
            free=free,
        )
    return say("Measured as {metric}. Free on this computer: {free}.", metric=metric, free=free)


def _came_back(receipt: Receipt) -> str:
    """Say what came back; of a heap where no process ended."""
    heap_bytes = heap_view.heap_came_back(receipt)
    if receipt.came_back_bytes or not heap_bytes:
        return numbers.memory(receipt.came_back_bytes)
    return say("{size} of heap", size=numbers.memory(heap_bytes))


def _figure(outcome: Outcome) -> str:
    return heap_view.outcome_size(outcome) if heap_view.inside(outcome) else numbers.memory(outcome.came_back_bytes)


def _is_wrong(outcome: Outcome) -> bool:
    return outcome.fate in (Fate.SURVIVED, Fate.REFUSED)


def _words(outcome: Outcome, sentence: Text, *, warns: bool) -> QVBoxLayout:
    """Say what became of one target, under its title."""
    second = QHBoxLayout()
    second.setSpacing(px(6))
    if warns:
        second.addWidget(_Warning(), 0, Qt.AlignmentFlag.AlignTop)
    second.addWidget(sentence, 1)
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
        return told(outcome.resume.note)
    return say("Still there") if outcome.fate is Fate.REFUSED else say("Nothing to resume")


def ordered(receipts: Sequence[Receipt], incidents: Sequence[Incident]) -> Iterator[tuple[date, list[Happening]]]:
    """Yield each local day with what was done and what happened, newest first."""
    every: list[Happening] = [*receipts, *incidents]
    every.sort(key=_at_epoch_s, reverse=True)
    for day, found in groupby(every, key=lambda item: datetime.fromtimestamp(_at_epoch_s(item)).date()):
        yield day, list(found)


def _at_epoch_s(item: Happening) -> float:
    return item.started_at.timestamp() if isinstance(item, Receipt) else item.at_epoch_s


def _item_of(entry: Entry | IncidentEntry) -> Happening:
    return entry.receipt if isinstance(entry, Entry) else entry.incident


class JournalPage(Page):
    """Show the newest receipts and incidents; reads them anew when shown and after every action."""

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(say("Journal"), scrolls=True, parent=parent)
        self._bridge = bridge
        self._receipts: tuple[Receipt, ...] = ()
        self._incidents: tuple[Incident, ...] = ()
        self.entries: list[Entry | IncidentEntry] = []
        self.choose_file: Callable[[str], str] = self._ask_for_file
        self.filter = Segmented([(kind, say(words)) for kind, words in _KEPT.items()], Kept.ALL)
        self.filter.setAccessibleName(say("Show"))
        self.head.addWidget(self.filter)
        self.export = Button(say("Export…"))
        self.export.setAccessibleName(say("Export the journal as it is shown"))
        self.head.addWidget(self.export)
        self.note = Note()
        self.body.addWidget(self.note)
        self._list = QVBoxLayout()
        self._list.setSpacing(px(8))
        self._content: QWidget | None = None
        self.empty = EmptyState()
        self.body.addWidget(self.empty)
        self.body.addLayout(self._list)
        self.body.addStretch(1)
        self.filter.chosen.connect(lambda _word: self._show())
        self.export.clicked.connect(self._export_journal)
        bridge.action_finished.connect(lambda _receipt: self.refresh())
        self.empty.hide()

    def refresh(self) -> None:
        """Read the journal."""
        if self.isVisible():
            self._bridge.when_done(self._bridge.backend.receipts(SHOWN), self._take)
            self._bridge.when_done(self._bridge.backend.incidents(SHOWN), self._take_incidents)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _take(self, receipts: Sequence[Receipt]) -> None:
        if tuple(receipts) != self._receipts or not self._receipts:
            self._receipts = tuple(receipts)
            self._show()

    def _take_incidents(self, incidents: Sequence[Incident]) -> None:
        if tuple(incidents) != self._incidents:
            self._incidents = tuple(incidents)
            self._show()

    def _show(self) -> None:
        before = {entry.key: entry for entry in self.entries}
        if self._content is not None:
            self._content.hide()
            self._content.deleteLater()
        self._content = QWidget()
        column = QVBoxLayout(self._content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(8))
        self._list.addWidget(self._content)
        self.entries = []
        wanted = Kept(self.filter.current)
        found = kept(self._receipts, wanted)
        incidents = self._incidents if wanted in (Kept.ALL, Kept.INCIDENTS) else ()
        snapshot = self._bridge.snapshot
        today = snapshot.taken_at.astimezone().date() if snapshot is not None else date.today()
        for day, items in ordered(found, incidents):
            column.addLayout(_day_head(day_words(day, today), items))
            for item in items:
                old = before.get(item.receipt_id if isinstance(item, Receipt) else item.incident_id)
                # what is the same stays as it is, open or closed
                entry = old if old is not None and _item_of(old) == item else self._entry(item, snapshot)
                self.entries.append(entry)
                column.addWidget(entry)
                entry.show()
                if old is not None:
                    entry.head.setChecked(old.head.isChecked())
            column.addSpacing(px(8))
        if not self.entries:
            title, line = _NOTHING[wanted]
            self.empty.show_words(say(title), say(line))
        self._content.show()  # now: a layout would show it a turn of the event loop later
        self.empty.setVisible(not self.entries)
        self.export.setEnabled(bool(found))

    def _entry(self, item: Happening, snapshot: Snapshot | None) -> Entry | IncidentEntry:
        if isinstance(item, Receipt):
            return Entry(self._bridge, item, snapshot)
        entry = IncidentEntry(item, snapshot)
        entry.opened.connect(self._ask_account)
        entry.export_asked.connect(self._export)
        return entry

    # Incidents.

    def _ask_account(self, incident_id: str) -> None:
        self._bridge.when_done(self._bridge.backend.incident(incident_id), self._show_account)

    def _show_account(self, account: Account | None) -> None:
        if account is not None and (entry := self._incident_entry(account.incident.incident_id)) is not None:
            entry.show_account(account)

    def _incident_entry(self, incident_id: str) -> IncidentEntry | None:
        found = (entry for entry in self.entries if isinstance(entry, IncidentEntry) and entry.key == incident_id)
        return next(found, None)

    def _export(self, incident_id: str) -> None:
        chosen = self.choose_file(f"incident-{incident_id}.json")
        if chosen:
            future = self._bridge.backend.export_incident(incident_id, Path(chosen))
            self._bridge.when_done(future, lambda _none: self._exported(incident_id), self._not_exported)

    def _exported(self, incident_id: str) -> None:
        self.note.show_words("", "")
        if (entry := self._incident_entry(incident_id)) is not None:
            entry.say_exported(say("Exported"))

    def _not_exported(self, sentence: str) -> None:
        self.note.show_words(say("The incident could not be exported"), sentence)

    # The journal as a file.

    def _export_journal(self) -> None:
        """Write the receipts that are shown, newest first, as one JSON file; whole or not at all."""
        chosen = self.choose_file("agent-ring-journal.json")
        if not chosen:
            return
        from trayapp.report import receipt_to_json  # only an export needs it

        receipts = kept(self._receipts, Kept(self.filter.current))
        text = json.dumps([receipt_to_json(receipt) for receipt in receipts], ensure_ascii=False, indent=2)
        file = QSaveFile(chosen)
        if not file.open(QSaveFile.OpenModeFlag.WriteOnly) or file.write(text.encode()) < 0 or not file.commit():
            self.note.show_words(say("The journal could not be exported"), f"{chosen}: {file.errorString()}")
            return
        self.note.show_words("", "")
        self.export.setText(say("Exported"))
        self.export.updateGeometry()

    def _ask_for_file(self, name: str) -> str:
        folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        return QFileDialog.getSaveFileName(self, say("Export"), str(Path(folder) / name), "JSON (*.json)")[0]


_EVERY_ACTION = noted("Every action is written here with what it gave back and how to resume.")
_NOTHING = {
    Kept.ALL: (noted("Nothing was released or ended yet"), _EVERY_ACTION),
    Kept.RELEASED: (noted("Nothing was released yet"), _EVERY_ACTION),
    Kept.ENDED: (noted("Nothing was ended yet"), _EVERY_ACTION),
    Kept.REFUSED: (
        noted("Nothing was refused"),
        noted("What is found busy, changed or waiting just before it goes is left alone, and written here."),
    ),
    Kept.INCIDENTS: (
        noted("No incident is kept"),
        noted("When a host ends unasked, fills its heap or loses a turn while Agent Ring runs, it is written here."),
    ),
}


def _day_head(words: str, items: Sequence[Happening]) -> QHBoxLayout:
    receipts = [item for item in items if isinstance(item, Receipt)]
    happened = len(items) - len(receipts)
    line = QHBoxLayout()
    line.addWidget(Text(words, weight=SEMIBOLD), 1)
    back = numbers.memory(sum(receipt.came_back_bytes for receipt in receipts))
    heap_bytes = sum(heap_view.heap_came_back(receipt) for receipt in receipts)
    if heap_bytes:
        back = say("{size} and {heap} of heap", size=back, heap=numbers.memory(heap_bytes))
    acted = sum(any(o.fate is not Fate.REFUSED for o in r.outcomes) for r in receipts)
    said = say_n("{n} action, {size} came back", "{n} actions, {size} came back", acted, size=back)
    if not acted:
        said = say("no action")
    if happened:
        incidents = say_n("{n} incident", "{n} incidents", happened)
        said = say("{incidents}, {actions}", incidents=incidents, actions=said) if receipts else incidents
    line.addWidget(Text(said, size=tokens.SECOND, tone="sec", align=Qt.AlignmentFlag.AlignRight))
    return line
