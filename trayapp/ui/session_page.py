"""One session: why it counts as what it is, what it held over time, what a release does, and its processes."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QGuiApplication,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QHBoxLayout,
    QMenu,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from trayapp import targets
from trayapp.model.life import Life
from trayapp.model.plan import Action, Allowed
from trayapp.model.receipt import Receipt
from trayapp.model.series import Layer
from trayapp.model.session import ResumeTicket, Role, State
from trayapp.model.setup import HostSetup
from trayapp.model.snapshot import Group, Snapshot
from trayapp.say import noted, say, say_n, told
from trayapp.ui import heap_view, keeping, row_menu, tokens
from trayapp.ui.bridge import Bridge
from trayapp.ui.chart import Chart
from trayapp.ui.chart_card import Feed, HeapFeed, layer_mark, tell_table_button
from trayapp.ui.chart_overlay import CPU, RSS
from trayapp.ui.chart_table import ChartTableView
from trayapp.ui.controls import Button, FocusOutline, Kind, Panel, Text
from trayapp.ui.evidence_card import EvidenceCard
from trayapp.ui.life_card import LifeCard
from trayapp.ui.marks import SHARED, HostMark, mark_of
from trayapp.ui.page import Command, Note, scroll_page
from trayapp.ui.process_table import ProcessTableView
from trayapp.ui.resume_button import COPY, Known, ResumeButton, by_host, can_resume, copy_command
from trayapp.ui.reveal import reveal
from trayapp.ui.scrollbar import WIDTH as SCROLLBAR
from trayapp.ui.sparkline import paint_chevron
from trayapp.ui.tokens import MEDIUM, SEMIBOLD, px
from trayapp.ui.tree import RowAction, at_most, count_words, row_action
from trayapp.wording import clock_time

CHART_SPAN_S = 21600.0
CHART_HEIGHT = 276
LIFE_EVERY_S = 60.0
RECEIPTS = 500
"""So many of the newest receipts are looked through for those of one session."""
_SMALL_CPU = replace(CPU, height=76)
_SMALL_RSS = replace(RSS, height=90)
MAX_STEPS = 6
NARROW = 780


class BackLink(QAbstractButton):
    """Lead back to the page before."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(tokens.MIN_TARGET)
        self.lead_to(text)

    def lead_to(self, text: str) -> None:
        """Name the page that it leads to."""
        self.setText(text)
        self.setAccessibleName(say("Back to {page}", page=text))
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(round(tokens.text_width(self.text(), tokens.font(tokens.BODY))) + px(24), self.height())

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        FocusOutline.show_on(self, event, 4)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        FocusOutline.hide_on(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), tokens.theme()
        colour = theme.ink if self.underMouse() else theme.sec
        side = px(10)
        box = QRectF(0, (self.height() - side) / 2, side, side)
        paint_chevron(painter, box, colour, degrees=180)
        painter.setFont(tokens.font(tokens.BODY))
        painter.setPen(colour)
        painter.drawText(self.rect().adjusted(px(16), 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, self.text())


class ReleaseCard(Panel):
    """Say step by step what a release does, and how to get the session back."""

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._bridge = bridge
        self.resume: ResumeButton | None = None
        self._resume_of: ResumeTicket | None = None
        self._title = Text(say("What a release does"), size=tokens.TITLE_CARD, weight=SEMIBOLD)
        self._refusal = Text("", weight=MEDIUM, wrap=True)
        self._steps = [Text("", wrap=True) for _ in range(MAX_STEPS)]
        self._numbers = [Text(str(n + 1), weight=SEMIBOLD, tone="ter") for n in range(MAX_STEPS)]
        self.command = Command()
        self.copy = Button(say("Copy"), height=32)
        self._note = Text("", size=tokens.SECOND, tone="sec", wrap=True)
        column = QVBoxLayout(self)
        padding = px(tokens.CARD_PADDING)
        column.setContentsMargins(padding, px(14), padding, px(16))
        column.setSpacing(px(6))
        column.addWidget(self._title)
        column.addWidget(self._refusal)
        for number, step in zip(self._numbers, self._steps, strict=True):
            line = QHBoxLayout()
            line.setSpacing(px(10))
            number.setFixedWidth(px(10))
            line.addWidget(number, 0, Qt.AlignmentFlag.AlignTop)
            line.addWidget(step, 1)
            column.addLayout(line)
        column.addStretch(1)
        self._row = row = QHBoxLayout()
        row.setContentsMargins(0, px(6), 0, 0)
        row.setSpacing(px(8))
        row.addWidget(self.command, 1)
        row.addWidget(self.copy)
        column.addLayout(row)
        column.addWidget(self._note)
        self.copy.clicked.connect(self._copy)
        self._text = ""

    @property
    def refusal(self) -> str:
        return self._refusal.text()

    @property
    def step_words(self) -> tuple[str, ...]:
        return tuple(step.text() for step in self._steps if not step.isHidden())

    def show_group(self, group: Group, *, is_there: bool = True) -> None:
        """Show what a release of it does; of one that is not there any more, how it comes back."""
        orphan = targets.is_orphan(group)
        self._title.setText(say("What ending it does") if orphan else say("What a release does"))
        decision = targets.decision_of(group)
        refused = decision is not None and decision.allowed is Allowed.REFUSE
        stays = say("Not offered now: {reason}.", reason=targets.reason_to_stay(group))
        self._refusal.setText(stays if refused else "")
        self._refusal.setVisible(refused)
        words = release_steps(group)
        for at, (number, step) in enumerate(zip(self._numbers, self._steps, strict=True)):
            step.setText(words[at] if at < len(words) else "")
            for widget in (number, step):
                widget.setVisible(at < len(words))
        self._text = targets.resume_command(group.resume) or ""
        self.command.set_command(shlex.join(group.resume.argv) if group.resume is not None else "", self._text)
        for shown in (self.command, self.copy):
            shown.setVisible(bool(self._text))
        note = group.resume.note if group.resume is not None else None
        called = by_host(group.resume, group.host)
        self._show_resume(group if can_resume(group.resume) and not (is_there and group.members) else None)
        if called and note is None and not self._text:
            asked = say("Its host is asked to bring it back")
            later = say("Its host brings it back: “Resume” stands here and in the journal once it is released")
            note = asked if self.resume is not None else later
        nothing = say("Nothing to resume") if orphan else say("The host does not tell how to resume it")
        self._note.setText(note or ("" if self._text else nothing))
        if self.resume is not None:
            self.resume.show_state()
        self._note.setVisible(bool(self._note.text()))
        self.copy.setText(say("Copy"))

    def _show_resume(self, group: Group | None) -> None:
        """Offer to bring a session back that is gone, or only listed by its host any more."""
        ticket = group.resume if group is not None else None
        if ticket != self._resume_of and self.resume is not None:
            self._row.removeWidget(self.resume)
            self.resume.hide()
            self.resume.deleteLater()
            self.resume = None
        self._resume_of = ticket
        if self.resume is None and ticket is not None and group is not None:
            self.resume = ResumeButton(
                self._bridge,
                ticket,
                host=group.host,
                title=group.name,
                known=Known(group_key=group.key, gone=tuple(m.process.identity for m in group.members)),
                answer=self._note,
                height=32,
            )
            self._row.addWidget(self.resume, 0, Qt.AlignmentFlag.AlignLeft)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text)
        self.copy.setText(say("Copied"))


def release_steps(group: Group) -> list[str]:
    """Return what a release does, in order."""
    words = [say("{sentence}.", sentence=told(step.label)) for step in group.ladder[: MAX_STEPS - 2]]
    if group.leaving:
        words.append(say("{these}. Nothing else is touched.", these=members_in_words(group)))
        size = at_most(group.leaving_bytes, bounded=group.held_is_upper_bound)
        words.append(say("About {size} comes back.", size=size))
    elif heap_view.in_heap(group) and group.ladder:
        words.append(say("No process ends, and nothing else is touched."))
    if group.ladder and heap_view.retained([group]):
        size = heap_view.estimate(heap_view.retained([group]))
        words.append(
            say("{size} of heap comes back with its next full collection; resident memory follows late.", size=size)
        )
    return words


def members_in_words(group: Group) -> str:
    """Say who goes: "1 backend and 3 helpers go"."""
    counted = Counter(member.role if member.role in _COUNTED else None for member in group.leaving)
    parts = [_count(role, counted[role]) for role in (*_COUNTED, None) if counted[role]]
    joined = parts[0]
    if len(parts) > 1:
        joined = say("{some} and {last}", some=", ".join(parts[:-1]), last=parts[-1])
    return say_n("{these} goes", "{these} go", len(group.leaving), these=joined)


_COUNTED = (Role.BACKEND, Role.HELPER, Role.WORK, Role.WRAPPER)


def _count(role: Role | None, number: int) -> str:
    match role:
        case Role.BACKEND:
            return say_n("{n} backend", "{n} backends", number)
        case Role.HELPER:
            return say_n("{n} helper", "{n} helpers", number)
        case Role.WORK:
            return say_n("{n} work process", "{n} work processes", number)
        case Role.WRAPPER:
            return say_n("{n} wrapper", "{n} wrappers", number)
        case _:
            return say_n("{n} other process", "{n} other processes", number)


_SINCE = {
    State.BUSY: noted("busy since {time}"),
    State.WAITING: noted("waiting since {time}"),
    State.IDLE: noted("idle since {time}"),
    State.ENDED: noted("ended since {time}"),
    State.UNKNOWN: noted("unknown since {time}"),
}


class SessionPage(QWidget):
    """Show one group of the snapshot; stays, and says so, when the group is gone."""

    # In the UI thread: the way back was asked for.
    back = Signal()
    # In the UI thread: something is missing in a host; payload: the host.
    setup_wanted = Signal(str)
    # In the UI thread: the primary button, or "End with a signal…"; payload: Group, Decision.
    action_wanted = Signal(object, object)

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._key = ""
        self._group: Group | None = None
        self._snapshot: Snapshot | None = None
        self.back_link = BackLink(say("Overview"))
        self._mark = HostMark(SHARED, 32)
        self._title = Text("", size=tokens.TITLE_PAGE, weight=SEMIBOLD, tracked=True)
        self._second = Text("", tone="sec", size=tokens.SECOND)
        self._kept_sign = keeping.KeptSign()
        self._kept = Text("", weight=MEDIUM, size=tokens.SECOND)
        self.more = Button("•••", height=32)
        self.more.setAccessibleName(say("More actions"))
        self.folder = Button(say("Open folder"), height=32)
        self.install = Button(say("Install plugin…"), height=32)
        self.allow = Button(say("Allow…"), height=32)
        self.release = Button(say("Release"), Kind.PRIMARY, height=32)
        self.note = Note()
        self.evidence = EvidenceCard()
        self.steps = ReleaseCard(bridge)
        self.table = ProcessTableView()
        self.life = LifeCard()
        self._life = Life()
        self._receipts: Sequence[Receipt] = ()
        self._life_asked_epoch_s = 0.0
        self._chart_title = Text(say("Memory, 6\u202fh"), weight=SEMIBOLD)
        self._size = Text("", weight=SEMIBOLD, align=Qt.AlignmentFlag.AlignRight)
        self.chart = Chart(self._colour_of, moves=False, lower=_SMALL_CPU)
        self.chart_table = ChartTableView()
        self.table_button = Button("", height=25)
        tell_table_button(self.table_button, is_table=False)
        self._shown = QStackedWidget()
        self._memory_feed, self._heap_feed = Feed(bridge, self.chart, session=""), HeapFeed(bridge, self.chart)
        self._of_heap = False
        self._told = ""
        self._lay_out()
        self.chart.series_changed.connect(self._fill_table)
        self.table_button.clicked.connect(
            lambda: self.show_as_table(self._shown.currentWidget() is not self.chart_table)
        )
        self.back_link.clicked.connect(self.back)
        self.more.clicked.connect(self._open_menu)
        self.folder.clicked.connect(self._open_folder)
        self.release.clicked.connect(self._ask_release)
        self.install.clicked.connect(self._ask_setup)
        self.allow.clicked.connect(self._ask_setup)
        bridge.consents_changed.connect(self._show_consents)
        bridge.action_finished.connect(self._ask_life_again)
        tokens.appearance().changed.connect(self._show_life)

    @property
    def _feed(self) -> Feed:
        return self._heap_feed if self._of_heap else self._memory_feed

    @property
    def key(self) -> str:
        return self._key

    def _lay_out(self) -> None:
        names = QVBoxLayout()
        names.setSpacing(px(1))
        names.addWidget(self._title)
        second = QHBoxLayout()
        second.setSpacing(px(4))
        second.addWidget(self._kept_sign)
        second.addWidget(self._kept)
        second.addWidget(self._second, 1)
        names.addLayout(second)
        head = QHBoxLayout()
        head.setSpacing(px(8))
        head.addWidget(self._mark)
        head.addSpacing(px(4))
        head.addLayout(names, 1)
        for button in (self.more, self.folder, self.install, self.allow, self.release):
            head.addWidget(button)
        right = QVBoxLayout()
        right.setSpacing(px(tokens.CARD_GAP))
        right.addWidget(self._chart_panel())
        right.addWidget(self.steps, 1)
        self._cards = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._cards.setSpacing(px(tokens.CARD_GAP))
        self._cards.addWidget(self.evidence, 432)
        self._cards.addLayout(right, 424)
        self._table_card = table = Panel()
        inner = QVBoxLayout(table)
        inner.setContentsMargins(px(20), 1, px(20), px(6))
        inner.addWidget(self.table)
        content = QWidget()
        column = QVBoxLayout(content)
        margin = px(tokens.PAGE_PADDING)
        column.setContentsMargins(margin, px(16), margin - px(SCROLLBAR), margin)
        column.setSpacing(px(tokens.CARD_GAP))
        back = QHBoxLayout()
        back.addWidget(self.back_link)
        back.addStretch(1)
        column.addLayout(back)
        column.setSpacing(px(10))
        column.addLayout(head)
        column.addSpacing(px(6))
        column.addWidget(self.note)
        column.addLayout(self._cards)
        column.addSpacing(px(6))
        column.addWidget(table)
        column.addSpacing(px(6))
        column.addWidget(self.life)
        column.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(scroll_page(content))

    def _chart_panel(self) -> Panel:
        panel = Panel()
        panel.setFixedHeight(px(CHART_HEIGHT))
        head = QHBoxLayout()
        head.setSpacing(px(8))
        head.addWidget(self._chart_title, 1)
        head.addWidget(self.table_button)
        head.addWidget(self._size)
        column = QVBoxLayout(panel)
        column.setContentsMargins(px(20), px(12), px(8), px(6))
        column.setSpacing(px(4))
        row = QWidget()
        row.setLayout(head)
        head.setContentsMargins(0, 0, px(12), 0)
        column.addWidget(row)
        for widget in (self.chart, self.chart_table):
            self._shown.addWidget(widget)
        column.addWidget(self._shown, 1)
        return panel

    def show_as_table(self, wanted: bool) -> None:
        """Show the chart's figures in a table, or as a chart again."""
        self._shown.setCurrentWidget(self.chart_table if wanted else self.chart)
        tell_table_button(self.table_button, is_table=wanted)
        self._fill_table()

    def _fill_table(self) -> None:
        series = self.chart.series
        if series is not None and self._shown.currentWidget() is self.chart_table:
            lower = RSS if self._of_heap else CPU
            self.chart_table.table.show_series(series, self.chart.layers, self.chart.visible_range, lower)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the cards under each other where the evidence would not fit beside them."""
        super().resizeEvent(event)
        narrow = self.width() < px(NARROW)
        direction = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        self._cards.setDirection(direction)
        self._show_consents()

    # What is shown.

    def show_session(self, key: str) -> None:
        """Show the group of that key."""
        if key != self._key:
            self._key, self._group = key, None
            self._memory_feed.session = key
            self.chart.clear()
            self._life, self._receipts = Life(), ()
            self.life.hide()
            self._life_asked_epoch_s = 0.0
            self._told = ""
        if self._snapshot is not None:
            self.show_snapshot(self._snapshot)
        self._ask_series()
        self._ask_life()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        found = snapshot.group(self._key)
        self._show_note(is_gone=bool(self._key) and found is None)
        self.release.setVisible(found is not None)
        self.install.setVisible(False)
        if found is None:
            self.allow.setVisible(False)
            if self._group is not None:
                self.steps.show_group(self._group, is_there=False)
                self._ask_life()
            return
        self._group = found
        self._show_consents()
        self._show_head(found, snapshot)
        now_epoch_s = snapshot.taken_at.timestamp()
        self.evidence.show_group(found, now_epoch_s)
        self.steps.show_group(found)
        self.table.show_group(found)
        self._table_card.setVisible(bool(found.members))
        self._choose_chart(found, snapshot)
        size = heap_view.estimate(heap_view.retained([found])) if found.retained_bytes else ""
        of_it = say("{size} of it", size=size) if size else ""
        self._size.setText(of_it if self._of_heap else heap_view.held_words(found))
        self._show_notes(found, now_epoch_s)
        if self.isVisible() and self._feed.is_due(now_epoch_s, CHART_SPAN_S):
            self._ask_series()
        self._ask_life()

    def _offers(self) -> tuple[HostSetup, ...]:
        host = self._group.host if self._group is not None else None
        return self._bridge.consents.get(host or "", ())

    def _show_consents(self) -> None:
        """Offer what could be allowed with the host of this session."""
        offers = self._offers() if self._snapshot is not None and self._snapshot.group(self._key) is not None else ()
        self.allow.setVisible(bool(offers) and self.width() >= px(NARROW))  # in the menu it is always
        self.allow.setToolTip("; ".join(offer.title for offer in offers))
        self.allow.setAccessibleName(say("Allow: {what}", what=self.allow.toolTip()))

    def _choose_chart(self, group: Group, snapshot: Snapshot) -> None:
        """Chart the heap that a session without a process of its own lives in."""
        of_heap = group.heap_of is not None and not group.members and heap_view.has_heap(group, snapshot)
        title = heap_view.title_of(group.host or "", snapshot)
        words = say("Heap of {host}, 6\u202fh", host=title) if of_heap else say("Memory, 6\u202fh")
        self._chart_title.setText(words)
        self.chart.set_lower(_SMALL_RSS if of_heap else _SMALL_CPU)
        if of_heap != self._of_heap or (of_heap and self._heap_feed.only != group.heap_of):
            self._of_heap, self._heap_feed.only = of_heap, group.heap_of
            self.chart.set_limit(None)
            self.chart.clear()
            self._ask_series()

    def _show_head(self, group: Group, snapshot: Snapshot) -> None:
        self._mark.set_mark(mark_of(group, snapshot))
        self._mark.update()
        self._title.setText(group.name)
        label = snapshot.label(group.host)
        count = say_n("{n} process", "{n} processes", len(group.members))
        if group.heap_of is not None:
            if heap_view.has_heap(group, snapshot):
                within = say("in the heap of process {pid}", pid=group.heap_of.pid)
            else:
                within = say("in process {pid}", pid=group.heap_of.pid)
            count = f"{count}, {within}" if group.members else within
        tokens_used = say("{count} tokens", count=count_words(group.tokens)) if group.tokens else None
        parts = (label.title if label is not None else None, group.cwd, group.model, tokens_used, count)
        self._second.setText(", ".join(part for part in parts if part))
        self._show_kept(group, snapshot)
        self.folder.setVisible(bool(group.cwd))
        action = row_action(group)
        silent = {silent.identity for silent in heap_view.silent_heaps(snapshot)}
        self.install.setVisible(group.heap_of in silent)
        size = heap_view.both_words(group.held_bytes, heap_view.retained([group]))
        words = {
            RowAction.RELEASE: say("Release {size}", size=size),
            RowAction.RELEASE_ASK: say("Release {size}…", size=size),
            RowAction.END_ORPHAN: say("End…"),
            RowAction.CLEAR: say("Clear…"),
        }
        self.release.setText(words.get(action, "") if action is not None else "")
        self.release.setVisible(bool(self.release.text()))
        self.release.updateGeometry()

    def _show_kept(self, group: Group, snapshot: Snapshot) -> None:
        keep = self._bridge.keeps.get(group.key)
        words = keeping.keep_words(keep, now_epoch_s=snapshot.taken_at.timestamp())
        self._kept.setText(f"{words[:1].upper()}{words[1:]}.")
        self._kept.setFixedWidth(round(tokens.text_width(self._kept.text(), self._kept.font())) + px(4))
        for widget in (self._kept_sign, self._kept):
            widget.setVisible(bool(words))

    def _show_notes(self, group: Group, now_epoch_s: float) -> None:
        since = group.verdict.since_epoch_s if group.verdict is not None else None
        notes = []
        if since is not None and group.verdict is not None:
            time = clock_time(since, now_epoch_s=now_epoch_s)
            notes.append((since, say(_SINCE[group.verdict.state], time=time)))
        self.chart.overlay.notes = tuple(notes)

    def _colour_of(self, layer: Layer) -> QColor:
        return layer_mark(layer, self._snapshot).colour(tokens.theme())

    def _ask_series(self) -> None:
        if self._snapshot is not None and self._key and self.isVisible():
            until = self._snapshot.taken_at.timestamp()
            self._feed.ask(until - CHART_SPAN_S, until)

    def _ask_life_again(self, _receipt: object) -> None:
        self._life_asked_epoch_s = 0.0
        self._ask_life()

    def _ask_life(self) -> None:
        """Ask history and journal for what happened to this session, once a minute while it is seen."""
        now = self._snapshot.taken_at.timestamp() if self._snapshot is not None else 0.0
        if not self._key or not self.isVisible() or now - self._life_asked_epoch_s < LIFE_EVERY_S:
            return
        self._life_asked_epoch_s = now
        backend, key = self._bridge.backend, self._key
        self._bridge.when_done(backend.life(key), partial(self._take_life, key))
        self._bridge.when_done(backend.receipts(RECEIPTS), partial(self._take_receipts, key))

    def _take_life(self, key: str, life: Life) -> None:
        if key == self._key:
            self._life = life
            self._show_life()

    def _take_receipts(self, key: str, receipts: Sequence[Receipt]) -> None:
        if key == self._key:
            self._receipts = receipts
            self._show_life()

    def _show_life(self) -> None:
        group, snapshot = self._group, self._snapshot
        if group is not None and snapshot is not None and self.isVisible():
            colour = mark_of(group, snapshot).colour(tokens.theme())
            self.life.show_life(self._life, self._receipts, group, snapshot.taken_at.timestamp(), colour)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ask_series()
        self._ask_life()

    # What is asked for.

    def _ask_release(self) -> None:
        decision = targets.decision_of(self._group) if self._group is not None else None
        if decision is not None:
            self.action_wanted.emit(self._group, decision)

    def _ask_setup(self, _checked: bool = False) -> None:
        if self._group is not None and self._group.host is not None:
            self.setup_wanted.emit(self._group.host)

    def _open_folder(self) -> None:
        folder = row_menu.folder_of(self._group)
        if folder is not None:
            self._tell(reveal(Path(folder)))

    def _tell(self, sentence: str) -> None:
        """Say where a click led nowhere, until another session is shown; "" takes the sentence away."""
        self._told = sentence
        self._show_note(is_gone=self._snapshot is not None and self._snapshot.group(self._key) is None)

    def _show_note(self, *, is_gone: bool) -> None:
        if is_gone:
            self.note.show_words(
                say("This session holds nothing any more"),
                say("Its processes are gone. What is shown here is the last that was seen."),
            )
        else:
            self.note.show_words(self._told, "")

    def menu(self) -> QMenu:
        """Make the "•••" menu for the group as it is now."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        group = self._group
        kill = group.decision(Action.KILL) if group is not None else None
        end = menu.addAction(say("End with a signal…"))
        end.setEnabled(kill is not None and kill.allowed is not Allowed.REFUSE)
        end.triggered.connect(lambda _checked=False: self.action_wanted.emit(group, kill))
        if keeping.can_be_kept(group):
            keeping.add_entries(menu, self._bridge, self._key)
            menu.addSeparator()
        if self._offers():
            menu.addAction(say("Allow…")).triggered.connect(self._ask_setup)
        folder = row_menu.folder_of(group)
        if folder is not None:
            menu.addAction(say("Open terminal")).triggered.connect(partial(self._open_terminal, folder))
            menu.addAction(say("Reveal folder")).triggered.connect(lambda _checked=False: self._open_folder())
        if group is not None and targets.resume_command(group.resume) is not None:
            ticket = group.resume
            menu.addAction(say(COPY)).triggered.connect(lambda _checked=False: copy_command(ticket))
        copy = menu.addAction(say("Copy id"))
        session_id = group.session.session_id if group is not None and group.session is not None else self._key
        copy.triggered.connect(lambda _checked=False: QGuiApplication.clipboard().setText(session_id))
        return menu

    def _open_terminal(self, folder: str, _checked: bool = False) -> None:
        self._tell(row_menu.open_terminal(folder))

    def _open_menu(self) -> None:
        self.menu().popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))
