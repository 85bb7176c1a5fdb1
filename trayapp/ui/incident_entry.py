"""One incident in the journal: what happened, by which evidence, what was live, how memory went, and its export."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from trayapp.model.incident import Account, Incident, IncidentKind, Sample, SessionThen
from trayapp.model.session import State
from trayapp.model.snapshot import Snapshot
from trayapp.say import noted, say, say_n, told
from trayapp.ui import heap_view, numbers, tokens
from trayapp.ui.controls import Button, Hairline, Panel, Text
from trayapp.ui.journal_head import EntryHead, HeadWords
from trayapp.ui.marks import SHARED, HostMark, Mark, MarkKind, StateShape, paint_state_mark
from trayapp.ui.tokens import MEDIUM, SEMIBOLD, px
from trayapp.wording import duration

ROW = 40

_STATES = {
    State.BUSY: noted("Busy"),
    State.WAITING: noted("Waiting"),
    State.IDLE: noted("Idle"),
    State.UNKNOWN: noted("Unknown"),
    State.ENDED: noted("Ended"),
}


def head_words(incident: Incident) -> HeadWords:
    """Return the first line of an incident's entry."""
    parts = [" ".join(part for part in (incident.host_title, incident.version) if part), f"pid {incident.identity.pid}"]
    if incident.sessions:
        parts.append(say_n("{n} session live", "{n} sessions live", len(incident.sessions)))
    turns = say_n("{n} turn lost", "{n} turns lost", incident.lost_turns) if incident.lost_turns else ""
    seen = "" if incident.kind is IncidentKind.HEAP_FULL else span_words(incident)
    return HeadWords(
        at_epoch_s=incident.at_epoch_s,
        title=told(incident.sentence),
        second=", ".join(parts),
        figure=turns,
        note=seen,
        warns=True,
    )


def span_words(incident: Incident) -> str:
    """Say how exactly the moment is known."""
    within_s = max(1.0, incident.missed_epoch_s - incident.last_seen_epoch_s)
    return say("noticed within {time}", time=duration(within_s))


def course_words(samples: Sequence[Sample]) -> str:
    """Say how memory went over the time that is kept: "Heap 6.0 GB → 8.1 GB in the last 59 min"."""
    said = []
    for words, values in (
        (noted("heap {before} → {after}"), [s.heap_used_bytes for s in samples]),
        (noted("resident memory {before} → {after}"), [s.rss_bytes for s in samples]),
        (noted("free on this computer {before} → {after}"), [s.available_bytes for s in samples]),
    ):
        known = [value for value in values if value is not None]
        if known:
            said.append(say(words, before=numbers.memory(known[0]), after=numbers.memory(known[-1])))
    if not said:
        return ""
    time = duration(samples[-1].at_epoch_s - samples[0].at_epoch_s)
    course = say("{courses} in the last {time}", courses=", ".join(said), time=time)
    return course[:1].upper() + course[1:]


class _Dash(QWidget):
    """Show the sign before a piece of evidence."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedSize(px(16), px(16))

    def paintEvent(self, event: QPaintEvent) -> None:
        box = QRectF(px(2), px(4), px(8), px(8))
        paint_state_mark(QPainter(self), box, StateShape.GONE, tokens.theme().sec)


class IncidentEntry(Panel):
    """Show one incident; what is below its first line is made when it is opened for the first time."""

    # In the UI thread, when it was opened for the first time; payload: the incident's id.
    opened = Signal(str)
    # In the UI thread, on "Export…"; payload: the incident's id.
    export_asked = Signal(str)

    def __init__(self, incident: Incident, snapshot: Snapshot | None, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.incident = incident
        self._snapshot = snapshot
        self.head = EntryHead(head_words(incident))
        self._rows: QWidget | None = None
        self.course = Text(size=tokens.SECOND, tone="sec", wrap=True)
        self.course.hide()
        self.export = Button(say("Export…"), height=25)
        self.export.setAccessibleName(say("Export: {what}", what=told(incident.sentence)))
        self.export.clicked.connect(lambda: self.export_asked.emit(incident.incident_id))
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self.head)
        for kept in (self.course, self.export):
            kept.setParent(self)
            kept.hide()
        self.head.toggled.connect(self._toggle)

    @property
    def key(self) -> str:
        return self.incident.incident_id

    def show_account(self, account: Account | None) -> None:
        """Show how memory went before it."""
        words = course_words(account.samples) if account is not None else ""
        self.course.setText(words)
        self.course.setVisible(bool(words))

    def say_exported(self, words: str) -> None:
        self.export.setText(words)
        self.export.updateGeometry()

    def _toggle(self, is_open: bool) -> None:
        if self._rows is None and is_open:
            self._rows = self._make_rows()
            self._column.addWidget(self._rows)
            self.opened.emit(self.incident.incident_id)
        if self._rows is not None:
            self._rows.setVisible(is_open)

    def _make_rows(self) -> QWidget:
        rows = QWidget()
        column = QVBoxLayout(rows)
        column.setContentsMargins(px(92), 0, px(20), px(12))
        column.setSpacing(px(4))
        column.addWidget(Hairline())
        column.addSpacing(px(6))
        for fact in self.incident.evidence:
            line = QHBoxLayout()
            line.setSpacing(px(4))
            line.addWidget(_Dash(), 0, Qt.AlignmentFlag.AlignTop)
            line.addWidget(Text(told(fact), size=tokens.SECOND, wrap=True), 1)
            column.addLayout(line)
        line = QHBoxLayout()
        line.setContentsMargins(px(20), 0, 0, 0)
        line.addWidget(self.course)
        column.addLayout(line)
        column.addSpacing(px(4))
        for session in self.incident.sessions:
            column.addWidget(Hairline())
            column.addWidget(self._session(session))
        foot = QHBoxLayout()
        foot.setContentsMargins(0, px(6), 0, 0)
        what = say("One file to hand on, without titles, folders and names")
        foot.addWidget(Text(what, size=tokens.SECOND, tone="ter", wrap=True), 1)
        foot.addWidget(self.export)
        self.export.show()
        column.addLayout(foot)
        return rows

    def _session(self, session: SessionThen) -> QWidget:
        row = QWidget()
        row.setMinimumHeight(px(ROW))
        line = QHBoxLayout(row)
        line.setContentsMargins(0, px(3), 0, px(3))
        line.setSpacing(px(10))
        label = self._snapshot.label(session.session.host) if self._snapshot is not None else None
        line.addWidget(HostMark(Mark(MarkKind.HOST, label) if label is not None else SHARED, 22))
        line.addWidget(Text(session.title or session.session.session_id, weight=MEDIUM), 1)
        if session.open_turn:
            lost = say("A turn was open") if self.incident.kind is IncidentKind.HEAP_FULL else say("Its turn was lost")
            line.addWidget(Text(lost, size=tokens.SECOND, tone="amber", weight=MEDIUM))
        else:
            line.addWidget(Text(say(_STATES[session.state]), size=tokens.SECOND, tone="sec"))
        line.addWidget(Text(_held(session), weight=SEMIBOLD, align=Qt.AlignmentFlag.AlignRight))
        return row


def _held(session: SessionThen) -> str:
    if session.retained_bytes is None:
        return numbers.memory(session.held_bytes)
    heap = say("{size} heap", size=heap_view.estimate(session.retained_bytes))
    return f"{numbers.memory(session.held_bytes)} + {heap}" if session.held_bytes else heap
