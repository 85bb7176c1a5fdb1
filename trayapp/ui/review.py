"""The review before several things go, the view while it runs, and the receipt.

The list is frozen when it opens: what is not on it is never touched, and the core checks each item again. Knows nothing
of how a release works.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from trayapp import targets, wording
from trayapp.model.plan import Allowed, Decision
from trayapp.model.process import Identity
from trayapp.model.receipt import Fate, Outcome, Progress, Receipt, Target
from trayapp.model.session import ResumeTicket
from trayapp.model.snapshot import Group, Snapshot
from trayapp.say import noted, say, say_n, told
from trayapp.targets import Offer
from trayapp.ui import heap_view, numbers, receipt_words, tokens
from trayapp.ui.bridge import Bridge
from trayapp.ui.controls import Button, CheckBox, Hairline, Kind, Panel, Scroll, ScrollBar, Text
from trayapp.ui.controls import Progress as ProgressBar
from trayapp.ui.fit import height_of
from trayapp.ui.heap_panel import HeapPanel
from trayapp.ui.marks import (
    ORPHAN,
    SHARED,
    HostMark,
    Mark,
    MarkKind,
    StateShape,
    mark_of,
    paint_check,
    paint_state_mark,
    paint_warning,
    state_shape,
)
from trayapp.ui.resume_button import Known, ResumeButton, by_host, can_resume
from trayapp.ui.session_row import QuestionPanel
from trayapp.ui.tokens import MEDIUM, SEMIBOLD, px, theme

WIDTH = 480
SIDE = 22
SCREEN_SHARE = 0.8
LOOK_AGAIN_MS = 25_000
"""The core looks 20 s after an action whether what it ended came back."""
RECENT = 20

_FATES = {
    Fate.RELEASED: noted("Released"),
    Fate.ENDED: noted("Ended"),
    Fate.SURVIVED: noted("Survived"),
    Fate.REFUSED: noted("Refused"),
    Fate.ALREADY_GONE: noted("Already gone"),
}


class Item(QWidget):
    """Show one thing on the list: tick box, mark, title and second line, memory."""

    toggled = Signal()

    def __init__(self, group: Group, decision: Decision, snapshot: Snapshot, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.group, self.decision = group, decision
        self.asks = decision.allowed is Allowed.CONFIRM
        self.clears = targets.offer_of(group) is Offer.CLEAR
        line = _line(self)
        size = heap_view.held_words(group) if group.members or not self.clears else ""
        self.box = CheckBox(f"{group.name}, {size}" if size else group.name)
        self.box.setChecked(not self.asks)
        self.box.toggled.connect(self.toggled)
        line.addWidget(self.box)
        line.addWidget(HostMark(mark_of(group, snapshot), 22))
        second = targets.question_of(group, decision).loss if self.asks else _why(group, snapshot)
        line.addLayout(_two_lines(group.name, second, wrap=self.asks), 1)
        line.addWidget(_figure(size))

    def target(self) -> Target:
        """Freeze it as it stood on the list; a tick on an item that asks is the answer."""
        return targets.target_of(self.group, self.decision, confirmed=self.asks)


def _why(group: Group, snapshot: Snapshot) -> str:
    if targets.is_orphan(group):
        label = snapshot.label(group.host)
        host = label.title if label is not None else None
        if group.owner_hint:
            return told(group.owner_hint)
        return say("{host}, its session is gone", host=host) if host else say("Its session is gone")
    state = wording.state_words(group, now_epoch_s=snapshot.taken_at.timestamp())
    return say("{state}, no work running", state=state)


def _line(row: QWidget) -> QHBoxLayout:
    row.setMinimumHeight(px(47))
    line = QHBoxLayout(row)
    line.setContentsMargins(0, px(4), 0, px(4))
    line.setSpacing(px(10))
    return line


def _two_lines(title: str, second: str | Text, *, tone: str = "sec", wrap: bool = False) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setSpacing(0)
    column.addStretch()
    column.addWidget(Text(title, weight=MEDIUM))
    strong = SEMIBOLD if tone == "amber" else tokens.REGULAR
    words = Text(second, size=tokens.SECOND, tone=tone, weight=strong, wrap=wrap) if isinstance(second, str) else second
    column.addWidget(words)
    column.addStretch()
    return column


def _figure_line(label: str, words: str) -> QHBoxLayout:
    line = QHBoxLayout()
    line.addWidget(Text(label, size=tokens.SECOND, tone="sec"), 1)
    line.addWidget(Text(words, size=tokens.SECOND, weight=MEDIUM, align=Qt.AlignmentFlag.AlignRight))
    return line


def _figure(words: str) -> Text:
    text = Text(words, weight=SEMIBOLD, align=Qt.AlignmentFlag.AlignRight)
    text.setMinimumWidth(px(56))
    return text


class _Sign(QWidget):
    """Show a state sign, a check or the warning triangle at the head of a line."""

    def __init__(self, shape: StateShape | None, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shape = shape
        self.setFixedSize(px(18), px(18))
        self.setAccessibleName(name)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, shown, rect = QPainter(self), theme(), QRectF(self.rect())
        if self._shape is None:
            paint_warning(painter, rect.adjusted(1, 1, -1, -1), shown.amber, shown.card)
        elif self._shape is StateShape.CHECK:
            paint_check(painter, rect.adjusted(4, 4, -4, -4), shown.ink, 1.8)
        else:
            ink = self._shape in (StateShape.BUSY, StateShape.WAITING)
            side = px(8)
            square = QRectF(0, (rect.height() - side) / 2, side, side)
            paint_state_mark(painter, square, self._shape, shown.ink if ink else shown.ter)


class _LongPage(QWidget):
    """Hold a list that scrolls in the middle of a page; `_column` is the list, `_page_column` the whole page."""

    _scroll: Scroll
    _column: QVBoxLayout
    _page_column: QVBoxLayout

    def fit(self, width: int, most: int) -> int:
        """Return the height for that width; a long list scrolls."""
        wanted = height_of(self._column, width)
        self._scroll.setFixedHeight(wanted)
        height = height_of(self._page_column, width)
        room = ScrollBar.WIDTH if height > most else 0
        self._column.setContentsMargins(px(SIDE), 0, px(SIDE) - room, 0)
        if height > most:
            self._scroll.setFixedHeight(max(px(120), wanted - (height - most)))
            height = height_of(self._page_column, width)
        return height


@dataclass(frozen=True, slots=True, kw_only=True)
class _Verb:
    """Hold what the button that agrees says: a word alone, with a size, of so many, and to a screen reader."""

    word: str
    size: str
    these: str
    spoken: str


_RELEASE = _Verb(
    word=noted("Release"),
    size=noted("Release {size}"),
    these=noted("Release these {n}"),
    spoken=noted("Release {n}, about {size}"),
)
_END = _Verb(
    word=noted("End"), size=noted("End {size}"), these=noted("End these {n}"), spoken=noted("End {n}, about {size}")
)
_CLEAR = _Verb(
    word=noted("Clear"), size=noted("Clear {size}"), these=noted("Clear these {n}"), spoken=noted("Clear {n}")
)


class ListPage(_LongPage):
    """Ask what shall go."""

    cancelled = Signal()
    # Emitted in the UI thread; payload: tuple of Target.
    agreed = Signal(object)

    def __init__(
        self,
        snapshot: Snapshot,
        *,
        orphans_only: bool,
        heap: Identity | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._orphans_only, self._heap = orphans_only, heap
        self.items = self._make_items(snapshot)
        self._title = Text(size=tokens.TITLE_PAGE, weight=SEMIBOLD, tracked=True)
        self._selected = Text(size=tokens.SECOND, tone="sec")
        self.cancel = Button(say("Cancel"), height=32, min_width=84)
        self.agree = Button("", Kind.PRIMARY, height=32, min_width=150)
        self._build(snapshot)
        self.cancel.clicked.connect(self.cancelled)
        self.agree.clicked.connect(lambda: self.agreed.emit(tuple(i.target() for i in self.items if i.box.isChecked())))
        for item in self.items:
            item.toggled.connect(self._count)
        self._count()

    @property
    def asks(self) -> bool:
        """Say whether something on the list may lose work."""
        return any(item.asks for item in self.items)

    def first_focus(self) -> QWidget:
        return self.cancel if self.asks or not self.items else self.agree

    def _make_items(self, snapshot: Snapshot) -> list[Item]:
        items = []
        for group in (*targets.sessions(snapshot), *targets.orphans(snapshot)):
            if self._heap is not None and group.heap_of != self._heap:
                continue
            decision = targets.decision_of(group)
            if decision is None or targets.offer_of(group) not in (Offer.RELEASE, Offer.ASK, Offer.END, Offer.CLEAR):
                continue
            if targets.is_orphan(group) or not self._orphans_only:
                items.append(Item(group, decision, snapshot))
        return sorted(items, key=lambda item: (item.asks, -targets.weight(item.group)))

    def _build(self, snapshot: Snapshot) -> None:
        self._page_column = column = QVBoxLayout(self)
        column.setContentsMargins(0, px(22), 0, 0)
        column.setSpacing(0)
        at = numbers.clock_time(snapshot.taken_at, seconds=True)
        head = _margins(QVBoxLayout())
        head.setSpacing(px(4))
        head.addWidget(self._title)
        checked = say("List as of {time}. Each item is checked again just before it goes.", time=at)
        head.addWidget(Text(checked, size=tokens.SECOND, tone="sec", wrap=True))
        column.addLayout(head)
        column.addSpacing(px(14))
        self._scroll = Scroll(self._build_list(snapshot))
        column.addWidget(self._scroll)
        column.addSpacing(px(18))
        column.addWidget(Hairline())
        foot = QHBoxLayout()
        foot.setContentsMargins(px(SIDE), px(14), px(SIDE), px(14))
        foot.setSpacing(px(tokens.MARK_GAP))
        foot.addWidget(self._selected, 1)
        foot.addWidget(self.cancel)
        foot.addWidget(self.agree)
        column.addLayout(foot)

    def _build_list(self, snapshot: Snapshot) -> QWidget:
        content = QWidget()
        column = _margins(QVBoxLayout(content))
        column.setSpacing(0)
        alone = [i for i in self.items if not targets.is_orphan(i.group) and not heap_view.in_heap(i.group)]
        sessions = [item for item in alone if not item.clears]
        ended = [item for item in alone if item.clears]
        orphans = [item for item in self.items if targets.is_orphan(item.group)]
        _add_section(column, say("Idle sessions"), say("released by their host, can be resumed"), sessions)
        for host, items in _by_heap(self.items):
            title = heap_view.title_of(host, snapshot)
            inside = say("Inside {host}", host=title)
            if heap_view.has_heap(items[0].group, snapshot):
                inside = say("In the heap of {host}", host=title)
            _add_section(column, inside, say("unloaded by it, no process ends"), items)
        _add_section(column, say("Ended sessions"), say("still listed by their host, which clears them"), ended)
        _add_section(column, say("Orphans"), say("their session is gone, ended by signal"), orphans)
        stay = [] if self._orphans_only else self._staying(snapshot)
        if stay:
            column.addSpacing(px(14))
            column.addWidget(_StayPanel(stay))
        self._column = column
        return content

    def _staying(self, snapshot: Snapshot) -> list[Group]:
        listed = {item.group.key for item in self.items}
        found = targets.sessions(snapshot) if self._heap is None else heap_view.of_heap(snapshot, self._heap)
        return [group for group in found if group.key not in listed]

    def _count(self) -> None:
        chosen = [item for item in self.items if item.box.isChecked()]
        groups = [item.group for item in chosen]
        size = heap_view.both_words(targets.total_bytes(groups), heap_view.retained(groups))
        verb = _END if self._orphans_only else _RELEASE
        if self._orphans_only:
            self._title.setText(say_n("End {n} orphan?", "End {n} orphans?", len(self.items)))
        else:
            estimated = bool(heap_view.retained(groups))  # "≈" says it already
            about = say("Release {size}?", size=size) if estimated else say("Release about {size}?", size=size)
            self._title.setText(about if chosen else say("Release nothing?"))
        if chosen and all(item.clears for item in chosen):
            self._title.setText(say_n("Clear {n} ended session?", "Clear {n} ended sessions?", len(chosen)))
            verb, size = _CLEAR, str(len(chosen))
        both = bool(heap_view.retained(groups) and targets.total_bytes(groups))
        values = {"size": size, "n": len(chosen)}
        self.agree.setText(say(verb.these if both else verb.size if chosen else verb.word, **values))
        self.agree.updateGeometry()
        self.agree.setAccessibleName(say(verb.spoken, **values))
        self.agree.setEnabled(bool(chosen))
        self._selected.setText(say("{n} of {all} selected", n=len(chosen), all=len(self.items)))


def _margins(layout: QVBoxLayout) -> QVBoxLayout:
    layout.setContentsMargins(px(SIDE), 0, px(SIDE), 0)
    return layout


def _by_heap(items: Sequence[Item]) -> Iterator[tuple[str, list[Item]]]:
    """Yield the host of each heap with its items, in the order of the list."""
    heaps = dict.fromkeys(item.group.heap_of for item in items if item.group.heap_of is not None)
    for identity in heaps:
        found = [item for item in items if item.group.heap_of == identity]
        yield found[0].group.host or "", found


def _add_section(column: QVBoxLayout, name: str, note: str, items: Sequence[Item]) -> None:
    if not items:
        return
    head = QHBoxLayout()
    head.setContentsMargins(0, px(10), 0, px(4))
    head.setSpacing(px(8))
    head.addWidget(Text(name, size=tokens.SECOND, weight=SEMIBOLD, tone="sec"))
    head.addWidget(Text(note, size=tokens.SECOND, tone="sec"), 1)
    groups = [item.group for item in items]
    holds = bool(targets.total_bytes(groups) or heap_view.retained(groups))
    size = heap_view.both_words(targets.total_bytes(groups), heap_view.retained(groups)).removesuffix(" of heap")
    size = size if holds else ""
    total = Text(size, size=tokens.SECOND, weight=SEMIBOLD, tone="sec", align=Qt.AlignmentFlag.AlignRight)
    head.addWidget(total)
    column.addLayout(head)
    for item in items:
        column.addWidget(item)
        _add_hairline(column)


def _add_hairline(column: QVBoxLayout, indent: int = 18 + 10 + 22 + 10) -> None:
    line = QHBoxLayout()
    line.setContentsMargins(px(indent), 0, 0, 0)
    line.addWidget(Hairline())
    column.addLayout(line)


class _StayPanel(Panel):
    """List what stays, with the reason."""

    def __init__(self, stay: Sequence[Group], parent: QWidget | None = None) -> None:
        super().__init__("tint", outline=None, parent=parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(14), px(10), px(14), px(10))
        column.setSpacing(px(2))
        column.addWidget(Text(say("These stay"), size=tokens.SECOND, weight=SEMIBOLD, tone="sec"))
        for group in stay:
            line = QHBoxLayout()
            line.setSpacing(0)
            line.addWidget(_Sign(state_shape(group), ""))
            line.addWidget(Text(group.name, size=tokens.SECOND, weight=MEDIUM), 1)
            reason = targets.reason_to_stay(group)
            line.addWidget(Text(reason, size=tokens.SECOND, tone="sec", align=Qt.AlignmentFlag.AlignRight))
            column.addLayout(line)


class RunningPage(QWidget):
    """Tell how far it is."""

    stop_asked = Signal()
    # Emitted in the UI thread when it needs another height.
    grown = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(px(SIDE), px(22), px(SIDE), px(20))
        column.setSpacing(0)
        self.title = Text(size=tokens.TITLE_PAGE, weight=SEMIBOLD, tracked=True)
        self.back = Text(size=tokens.SECOND, tone="sec", wrap=True)
        self.bar = ProgressBar(height=6)
        self.label = Text(size=tokens.SECOND, tone="sec", wrap=True)
        self.stop = Button(say("Stop after this one"), height=32)
        self._awaits_heap = False
        self.stop.clicked.connect(self._stop)
        for widget, space in ((self.title, 4), (self.back, 14), (self.bar, 12)):
            column.addWidget(widget)
            column.addSpacing(px(space))
        line = QHBoxLayout()
        line.addWidget(self.label, 1)
        line.addWidget(self.stop)
        column.addLayout(line)

    def begin(self, chosen: Sequence[Target]) -> None:
        """Show that nothing has come back yet."""
        self._awaits_heap = False
        self.stop.setText(say("Stop after this one"))
        self.stop.setEnabled(True)
        self.stop.setVisible(len(chosen) > 1)
        self.title.setText(say("Releasing {n} of {all}", n=1, all=len(chosen)))
        self.back.setText(say("Nothing came back so far."))
        self.label.setText(say("{name} is looked at once more", name=chosen[0].title))
        self.bar.set_share(0)

    def fit(self, width: int, _most: int) -> int:
        """Return the height for that width."""
        return height_of(self._column, width)

    def show_progress(self, progress: Progress) -> None:
        if heap_view.is_collecting(progress):
            self._show_collection(progress)
            return
        at = min(progress.done + 1, progress.total)
        self.title.setText(say("Releasing {n} of {all}", n=at, all=progress.total))
        back = say("{size} came back so far.", size=numbers.memory(progress.came_back_bytes))
        self.back.setText(back if progress.came_back_bytes else say("Nothing came back so far."))
        share = progress.waited_s / progress.wait_s if progress.wait_s else 0.0
        self.bar.set_share((progress.done + min(1.0, share)) / max(1, progress.total))
        self.label.setText(_waited(progress) if progress.wait_s else told(progress.label))

    def _show_collection(self, progress: Progress) -> None:
        """Show that all is released and the heap is still to be collected; that can be left to its host."""
        if not self._awaits_heap:
            self._awaits_heap = True
            self.title.setText(say("Released, the heap follows"))
            self.back.setText(say("A heap gives back what was released when its host next collects it as a whole."))
            self.stop.setText(say("Stop waiting"))
            self.stop.updateGeometry()
            self.stop.setEnabled(True)
            self.stop.show()
            self.grown.emit()
        self.bar.set_share(progress.waited_s / progress.wait_s)
        self.label.setText(_waited(progress))

    def _stop(self) -> None:
        self.stop.setEnabled(False)
        self.stop_asked.emit()


def _waited(progress: Progress) -> str:
    waited, most = wording.duration(progress.waited_s), wording.duration(progress.wait_s)
    return say("{what}, {waited} of {most}", what=told(progress.label), waited=waited, most=most)


class ReceiptPage(_LongPage):
    """Show what really happened, measured."""

    done = Signal()
    journal_asked = Signal()
    # Emitted in the UI thread; payload: the Outcome whose survivor shall be ended.
    end_asked = Signal(object)
    # Emitted in the UI thread when it needs another height.
    grown = Signal()

    def __init__(self, bridge: Bridge, receipt: Receipt, listed: Snapshot, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self.receipt = receipt
        self._listed = listed
        self._rows: dict[str, QWidget] = {}
        self._said: dict[str, Text] = {}
        self.resume_buttons: list[ResumeButton] = []
        self.end_buttons: list[Button] = []
        self._page_column = column = QVBoxLayout(self)
        column.setContentsMargins(0, px(22), 0, 0)
        column.setSpacing(0)
        column.addLayout(self._build_head())
        column.addSpacing(px(8))
        self._scroll = Scroll(self._build_rows())
        column.addWidget(self._scroll)
        column.addSpacing(px(16))
        column.addWidget(Hairline())
        foot = QHBoxLayout()
        foot.setContentsMargins(px(SIDE), px(14), px(SIDE), px(14))
        foot.setSpacing(px(tokens.MARK_GAP))
        self.journal = Button(say("Open journal"), height=32)
        self.close_button = Button(say("Done"), Kind.PRIMARY, height=32, min_width=84)
        self.journal.clicked.connect(self.journal_asked)
        self.close_button.clicked.connect(self.done)
        foot.addWidget(self.journal)
        foot.addStretch()
        foot.addWidget(self.close_button)
        column.addLayout(foot)
        QTimer.singleShot(LOOK_AGAIN_MS, self, self.look_again)

    def look_again(self) -> None:
        """See whether it stayed gone; that is known a while after the receipt was written."""
        self._bridge.when_done(self._bridge.backend.receipts(RECENT), self._take_returns, lambda _sentence: None)

    def _take_returns(self, receipts: Sequence[Receipt]) -> None:
        newer = next((each for each in receipts if each.receipt_id == self.receipt.receipt_id), None)
        if newer is None or newer.returns == self.receipt.returns:
            return
        self.receipt = newer
        for outcome in newer.outcomes:
            said = self._said.get(outcome.target.group_key)
            if said is not None and newer.returned(outcome) is not None:
                said.setText(receipt_words.outcome_words(newer, outcome))
                said.set_tone("amber")
        self.grown.emit()

    def _build_head(self) -> QVBoxLayout:
        receipt = self.receipt
        head = _margins(QVBoxLayout())
        head.setSpacing(0)
        title = heap_view.came_back_words(receipt)
        head.addWidget(Text(title, size=tokens.TITLE_PAGE, weight=SEMIBOLD, tracked=True))
        head.addSpacing(px(4))
        first = numbers.clock_time(receipt.started_at, seconds=True)
        last = numbers.clock_time(receipt.finished_at, seconds=True)
        wanted = heap_view.expected_words(receipt)
        values = {"metric": receipt_words.metric(receipt), "since": first, "until": last}
        measured = say("Measured as {metric} from {since} to {until}.", **values)
        if wanted:
            measured = say("{measured} Expected {size}.", measured=measured, size=wanted)
        head.addWidget(Text(measured, size=tokens.SECOND, tone="sec", wrap=True))
        head.addSpacing(px(12))
        bar = ProgressBar(height=10, outlined=True)
        bar.setAccessibleName(say("{title}, expected {size}", title=title, size=wanted or numbers.memory(0)))
        bar.set_share(heap_view.share_back(receipt))
        head.addWidget(bar)
        head.addSpacing(px(6))
        head.addLayout(_figure_line(say("Free on this computer"), receipt_words.free_words(receipt)))
        if rss := receipt_words.rss_words(receipt):
            head.addSpacing(px(2))
            head.addLayout(_figure_line(say("By resident memory (RSS)"), rss))
        for change in receipt.heaps:
            head.addSpacing(px(10))
            head.addWidget(HeapPanel(change, self._listed))
        return head

    def _build_rows(self) -> QWidget:
        content = QWidget()
        column = _margins(QVBoxLayout(content))
        column.setSpacing(0)
        ended = [o for o in self.receipt.outcomes if o.fate is Fate.ENDED]
        together = len(ended) > 1
        for outcome in self.receipt.outcomes:
            if not (together and outcome.fate is Fate.ENDED):
                row = self._rows[outcome.target.group_key] = self._row(outcome)
                column.addWidget(row)
                _add_hairline(column)
        if together:
            column.addWidget(self._ended_row(ended))
            _add_hairline(column)
        if self.resume_buttons:
            column.addSpacing(px(14))
            column.addWidget(self._resume_panel())
        self._column = column
        return content

    def _row(self, outcome: Outcome) -> QWidget:
        row = QWidget()
        line = _line(row)
        survived = outcome.fate is Fate.SURVIVED
        shapes = {Fate.SURVIVED: None, Fate.REFUSED: StateShape.GONE, Fate.ALREADY_GONE: StateShape.GONE}
        line.addWidget(_Sign(shapes.get(outcome.fate, StateShape.CHECK), say(_FATES[outcome.fate])))
        line.addWidget(HostMark(self._mark(outcome.target), 22))
        sentence = receipt_words.outcome_words(self.receipt, outcome)
        note = outcome.resume.note if outcome.resume is not None else None
        if note is not None and outcome.fate is Fate.RELEASED:
            sentence = f"{sentence.rstrip('.')}. {told(note)}"
        tone = receipt_words.tone(self.receipt, outcome)
        weight = SEMIBOLD if survived else tokens.REGULAR
        # what its host answers, why no terminal opened, or that it runs again may need more lines
        second = Text(sentence, size=tokens.SECOND, tone=tone, weight=weight, wrap=True)
        self._said[outcome.target.group_key] = second
        line.addLayout(_two_lines(outcome.target.title, second), 1)
        if survived:
            line.addWidget(self._end_button(outcome))
        elif self._offers_resume(outcome) and outcome.resume is not None:
            line.addWidget(self._resume_button(outcome, outcome.resume, second))
        line.addWidget(_figure(heap_view.outcome_size(outcome)))
        return row

    def _offers_resume(self, outcome: Outcome) -> bool:
        gone = outcome.fate is Fate.RELEASED and self.receipt.returned(outcome) is None
        return gone and can_resume(outcome.resume)

    def _ended_row(self, ended: Sequence[Outcome]) -> QWidget:
        row = QWidget()
        line = _line(row)
        line.addWidget(_Sign(StateShape.CHECK, say(_FATES[Fate.ENDED])))
        line.addWidget(HostMark(ORPHAN, 22))
        gone = sum(len(outcome.gone) for outcome in ended)
        sentence = say_n("{n} process gone", "{n} processes gone", gone)
        line.addLayout(_two_lines(say_n("{n} orphan", "{n} orphans", len(ended)), sentence), 1)
        line.addWidget(_figure(numbers.memory(sum(outcome.came_back_bytes for outcome in ended))))
        return row

    def _mark(self, target: Target) -> Mark:
        group = self._listed.group(target.group_key)
        if group is not None:
            return mark_of(group, self._listed)
        label = self._listed.label(target.host)
        return Mark(MarkKind.HOST, label) if label is not None else SHARED

    def _resume_button(self, outcome: Outcome, ticket: ResumeTicket, answer: Text) -> ResumeButton:
        target = outcome.target
        known = Known(group_key=target.group_key, gone=outcome.gone)
        button = ResumeButton(self._bridge, ticket, host=target.host, title=target.title, known=known, answer=answer)
        button.answered.connect(self.grown)
        self.resume_buttons.append(button)
        return button

    def _resume_panel(self) -> Panel:
        called = [by_host(o.resume, o.target.host) for o in self.receipt.outcomes if can_resume(o.resume)]
        opens = say("Resume opens it in your terminal; the journal keeps the command.")
        asks = say("Resume asks the host to bring it back; the journal offers it too.")
        both = say("Resume asks the host to bring it back; the journal offers it too. Others open in your terminal.")
        words = asks if all(called) else opens if not any(called) else both
        panel = Panel("tint", outline=None)
        column = QVBoxLayout(panel)
        column.setContentsMargins(px(14), px(10), px(14), px(10))
        column.setSpacing(px(2))
        column.addWidget(Text(say("Resume at any time"), weight=SEMIBOLD))
        column.addWidget(Text(words, size=tokens.SECOND, tone="sec", wrap=True))
        return panel

    def _end_button(self, outcome: Outcome) -> Button:
        button = Button(Offer.END_IT.word, height=25, min_width=68)
        button.setAccessibleName(say("End what is left of {name}", name=outcome.target.title))
        button.clicked.connect(lambda: self.end_asked.emit(outcome))
        self.end_buttons.append(button)
        return button

    @property
    def is_asking(self) -> bool:
        """Say whether a second question is open; there is never more than one."""
        return any(panel.isVisible() for panel in self.findChildren(QuestionPanel))

    def ask(self, outcome: Outcome, panel: QuestionPanel) -> None:
        """Show the second question under its row, in sight."""
        row = self._rows[outcome.target.group_key]
        self._column.insertWidget(self._column.indexOf(row) + 2, panel)  # after the row's hairline
        panel.show()
        QTimer.singleShot(0, panel, lambda: self._scroll.ensureWidgetVisible(panel))


class ReviewDialog(QDialog):
    """Show the list, then how far it is, then the receipt, in one window.

    Closing it while an action runs does not stop the action; its receipt is in the journal.
    """

    # Emitted in the UI thread when the journal shall be shown.
    journal_asked = Signal()

    def __init__(
        self,
        bridge: Bridge,
        snapshot: Snapshot,
        *,
        origin: str = "menu bar",
        orphans_only: bool = False,
        heap: Identity | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """Ask about all that can go, about `orphans_only`, or about the sessions in one host's `heap` only."""
        super().__init__(parent)
        self._bridge, self._origin, self._snapshot = bridge, origin, snapshot
        self._chosen: tuple[Target, ...] = ()
        self.setWindowTitle("Agent Ring")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self.setFixedWidth(px(WIDTH))
        self.list_page = ListPage(snapshot, orphans_only=orphans_only, heap=heap)
        self.running_page = RunningPage()
        self.receipt_page: ReceiptPage | None = None
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.list_page)
        self._stack.addWidget(self.running_page)
        self.list_page.cancelled.connect(self.reject)
        self.list_page.agreed.connect(self._begin)
        self.running_page.grown.connect(self._fit)
        self.running_page.stop_asked.connect(bridge.backend.stop_after_current)
        bridge.progress_changed.connect(self._take_progress)
        bridge.action_finished.connect(self._take_receipt)
        bridge.failed.connect(self._broke_off)
        self._fit()
        self.list_page.first_focus().setFocus(Qt.FocusReason.PopupFocusReason)

    @property
    def page(self) -> QWidget | None:
        return self._stack.currentWidget()

    def _begin(self, chosen: Sequence[Target]) -> None:
        if not chosen:
            return
        self._chosen = tuple(chosen)
        self.running_page.begin(self._chosen)
        self._show(self.running_page)
        self.setFocus(Qt.FocusReason.PopupFocusReason)
        self._bridge.reclaim(self._chosen, self._origin)

    def _take_progress(self, progress: Progress) -> None:
        if self._bridge.running == self._chosen:
            self.running_page.show_progress(progress)

    def _take_receipt(self, receipt: Receipt) -> None:
        if not self._chosen or {outcome.target for outcome in receipt.outcomes} != set(self._chosen):
            return
        self._chosen = ()
        page = ReceiptPage(self._bridge, receipt, self._snapshot)
        page.grown.connect(self._fit)
        page.done.connect(self.accept)
        page.journal_asked.connect(self._open_journal)
        page.end_asked.connect(self._ask_to_end)
        if self.receipt_page is not None:
            self._stack.removeWidget(self.receipt_page)
            self.receipt_page.deleteLater()
        self.receipt_page = page
        self._stack.addWidget(page)
        self._show(page)
        page.close_button.setFocus(Qt.FocusReason.PopupFocusReason)

    def _broke_off(self, sentence: str) -> None:
        if self._chosen:
            self._chosen = ()
            self.running_page.title.setText(say("The action broke off"))
            self.running_page.label.setText(sentence)
            self.running_page.stop.hide()
            self._fit()

    def _ask_to_end(self, outcome: Outcome) -> None:
        found = targets.survivors_target(outcome, self._bridge.snapshot)
        page = self.receipt_page
        if page is None or page.is_asking:
            return
        if found is None:
            for button in page.end_buttons:
                button.setEnabled(False)
                button.setText(say("Gone"))
            return
        target, question = found
        panel = QuestionPanel(question)
        panel.answered.connect(partial(self._answer, panel, target))
        page.ask(outcome, panel)
        self._fit()
        panel.no.setFocus(Qt.FocusReason.OtherFocusReason)

    def _answer(self, panel: QuestionPanel, target: Target, yes: bool) -> None:
        panel.hide()
        panel.deleteLater()
        if yes:
            self._begin((target,))
        self._fit()

    def _open_journal(self) -> None:
        self.journal_asked.emit()
        self.accept()

    # ---- size

    def _show(self, page: QWidget) -> None:
        self._stack.setCurrentWidget(page)
        self._fit()

    def _fit(self) -> None:
        area = self.screen().availableGeometry()
        most = int(area.height() * SCREEN_SHARE)
        page = self.page
        height = page.fit(self.width(), most) if isinstance(page, (ListPage, RunningPage, ReceiptPage)) else most
        self.setFixedHeight(height)
        self._stack.setFixedSize(QSize(self.width(), height))
        if not self.isVisible():
            self.move(area.center().x() - self.width() // 2, area.top() + (area.height() - height) // 3)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().card)
