"""The sidebar: the ring and its total, the pages, the hosts as key and filter, and what Agent Ring itself costs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from trayapp.model.snapshot import Snapshot
from trayapp.reclaim.order import next_to_go
from trayapp.say import noted, say, say_n
from trayapp.ui import numbers, tokens
from trayapp.ui.branches import Branch, branch_mark, branches
from trayapp.ui.bridge import Bridge
from trayapp.ui.controls import FocusOutline, Hairline, Scroll, Text
from trayapp.ui.marks import Mark, paint_host_mark
from trayapp.ui.ring import SIDEBAR, RingWidget
from trayapp.ui.scrollbar import SlimScrollBar
from trayapp.ui.tokens import MEDIUM, REGULAR, SEMIBOLD, px
from trayapp.wording import THIN_SPACE, duration

WIDTH = 200
ITEM_HEIGHT = 30


class PageName(StrEnum):
    """Name the pages that the sidebar leads to."""

    OVERVIEW = "overview"
    NEXT = "next"
    POLICIES = "policies"
    JOURNAL = "journal"
    SETTINGS = "settings"
    ABOUT = "about"

    @property
    def words(self) -> str:
        """Return what people read."""
        return say(_WORDS[self])


_WORDS = {
    PageName.OVERVIEW: noted("Overview"),
    PageName.NEXT: noted("Next to go"),
    PageName.POLICIES: noted("Policies"),
    PageName.JOURNAL: noted("Journal"),
    PageName.SETTINGS: noted("Settings"),
    PageName.ABOUT: noted("About"),
}


class SideItem(QAbstractButton):
    """Show one line of the sidebar: a mark where there is one, a word, and a figure at the right."""

    def __init__(self, text: str, *, mark: Mark | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mark = mark
        self._figure = ""
        self.setText(text)
        self.setCheckable(True)
        self.setFixedHeight(max(px(ITEM_HEIGHT), tokens.MIN_TARGET))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(text)

    @property
    def figure(self) -> str:
        return self._figure

    def set_figure(self, figure: str, spoken: str) -> None:
        if (figure, spoken) != (self._figure, self.accessibleName()):
            self._figure = figure
            self.setAccessibleName(spoken)
            self.update()

    def tell_checked(self, checked: bool) -> None:
        """Say in words whether only this is shown, as its checked state alone may not be read out."""
        usual = say("Show only this in chart and tree; again to show all")
        self.setAccessibleDescription(say("Only this is shown; again to show all") if checked else usual)

    def sizeHint(self) -> QSize:
        return QSize(px(WIDTH - 20), self.height())

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        FocusOutline.show_on(self, event, tokens.RADIUS_BUTTON - tokens.FOCUS_OFFSET)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        FocusOutline.hide_on(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), tokens.theme()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.isChecked() or self.underMouse():
            painter.setPen(QPen(theme.line2, 1) if self.isChecked() else Qt.PenStyle.NoPen)
            painter.setBrush(theme.sel if self.isChecked() else tokens.with_alpha(theme.sel, 0.5))
            rect = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            painter.drawRoundedRect(rect, tokens.RADIUS_BUTTON, tokens.RADIUS_BUTTON)
        inner = QRectF(self.rect()).adjusted(px(14), 0, -px(14), 0)
        flags = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(tokens.font(tokens.BODY))
        painter.setPen(theme.sec)
        painter.drawText(inner, flags | Qt.AlignmentFlag.AlignRight, self._figure)
        inner.setRight(inner.right() - tokens.text_width(self._figure, painter.font()) - px(6))
        if self._mark is not None:
            side = px(18)
            box = QRectF(inner.left() - px(2), inner.center().y() - side / 2, side, side)
            paint_host_mark(painter, tokens.mirrored(box, self), self._mark, theme)
            inner.setLeft(inner.left() + side + px(6))
        weight = REGULAR if self._mark is not None else SEMIBOLD if self.isChecked() else MEDIUM
        font = tokens.font(tokens.BODY, weight)
        painter.setFont(font)
        painter.setPen(theme.ink)
        shown = QFontMetrics(font).elidedText(self.text(), Qt.TextElideMode.ElideRight, int(inner.width()))
        painter.drawText(tokens.mirrored(inner, self), flags | Qt.AlignmentFlag.AlignLeft, shown)


@dataclass(frozen=True, slots=True)
class _HostLine:
    key: str
    title: str
    mark: Mark
    figure: str
    spoken: str


class Sidebar(QWidget):
    """Lead to the pages, and show and filter by what each host holds."""

    # In the UI thread, when the user chose a page; payload: PageName.
    page_chosen = Signal(object)
    # In the UI thread, when the user chose a host to filter by; payload: its branch key, "" for all.
    filter_chosen = Signal(str)

    def __init__(
        self, bridge: Bridge, pages: Iterable[PageName] = tuple(PageName), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._items: dict[str, SideItem] = {}
        self._marks: dict[str, Mark] = {}
        self._filter = ""
        self.setFixedWidth(px(WIDTH))
        self.ring = RingWidget(SIDEBAR)
        self._total_line = Text("–", size=tokens.SECOND, tone="sec")
        self.pages = {name: SideItem(name.words) for name in pages}
        self._hosts = QVBoxLayout()
        self._hosts.setSpacing(0)
        self._total = Text("", weight=SEMIBOLD, align=Qt.AlignmentFlag.AlignRight)
        self._recording = Text("", size=tokens.SMALL, tone="ter")
        self._own = Text("", size=tokens.SMALL, tone="ter")
        self._lay_out()
        for name, item in self.pages.items():
            item.clicked.connect(lambda _checked=False, name=name: self.page_chosen.emit(name))
        bridge.paused_changed.connect(lambda _paused: self.show_recording())

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(px(10), px(18), px(10), px(14))
        column.setSpacing(0)
        column.addLayout(self._head())
        column.addSpacing(px(20))
        for item in self.pages.values():
            column.addWidget(item)
            column.addSpacing(px(2))
        column.addSpacing(px(8))
        caption = Text(say("Hosts"), size=tokens.SMALL, weight=SEMIBOLD, tone="sec")
        heading = QHBoxLayout()
        heading.setContentsMargins(px(14), 0, 0, px(4))
        heading.addWidget(caption)
        column.addLayout(heading)
        column.addWidget(self._host_list(), 1)
        foot = QVBoxLayout()
        foot.setContentsMargins(px(14), px(8), 0, 0)
        foot.setSpacing(px(4))
        foot.addWidget(self._recording)
        foot.addWidget(self._own)
        column.addLayout(foot)

    def _head(self) -> QHBoxLayout:
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(Text("Agent Ring", weight=SEMIBOLD))
        words.addWidget(self._total_line)
        head = QHBoxLayout()
        head.setContentsMargins(px(12), 0, px(4), 0)
        head.setSpacing(px(8))
        head.addWidget(self.ring)
        head.addLayout(words, 1)
        return head

    def _host_list(self) -> QWidget:
        total = QHBoxLayout()
        tokens.set_margins(total, px(38), 0, px(14), 0)
        total.addWidget(Text(say("Total"), weight=SEMIBOLD))
        total.addWidget(self._total, 1)
        line = QHBoxLayout()
        line.setContentsMargins(px(14), px(6), px(14), px(6))
        line.addWidget(Hairline(tone="line2"))
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._hosts)
        column.addLayout(line)
        column.addLayout(total)
        column.addStretch(1)
        scroll = Scroll(content)
        scroll.setVerticalScrollBar(SlimScrollBar())
        return scroll

    # What is shown.

    def show_page(self, name: PageName | None) -> None:
        """Mark a page as the one that is open; None (a session's page) marks the overview."""
        for each, item in self.pages.items():
            item.setChecked(each is (name or PageName.OVERVIEW))

    def show_snapshot(self, snapshot: Snapshot) -> None:
        self.ring.show_snapshot(snapshot)
        total = snapshot.machine.memory_total_bytes
        held = snapshot.totals.held_bytes
        nothing = say("0 of {total}", total=THIN_SPACE.join(numbers.round_total(total)))
        self._total_line.setText(numbers.of_total(held, total) if held else nothing)
        can_go = len(next_to_go(snapshot))
        self.pages[PageName.NEXT].set_figure(
            str(can_go) if can_go else "", say_n("Next to go, {n} can go", "Next to go, {n} can go", can_go)
        )
        self._show_hosts([_line(branch, snapshot) for branch in branches(snapshot)])
        self._total.setText(_figure(snapshot.totals.held_bytes))
        memory = snapshot.own.footprint_bytes if snapshot.own.footprint_bytes is not None else snapshot.own.rss_bytes
        self._own.setText(
            say(
                "Agent Ring: {memory}, {cpu}",
                memory=numbers.memory(memory),
                cpu=numbers.percent(snapshot.own.cpu_percent),
            )
        )
        self.show_recording()

    def show_recording(self) -> None:
        backend = self._bridge.backend
        interval_s = backend.settings.interval_s
        every = duration(interval_s) if interval_s >= 1 else say("under 1\u202fs")
        if backend.paused:
            words = say("Measuring is paused")
        elif backend.settings.record:
            words = say("Recording, every {every}", every=every)
        else:
            words = say("Not recording, every {every}", every=every)
        self._recording.setText(words)

    def set_filter(self, key: str) -> None:
        """Mark the host that is filtered by; "" for none."""
        self._filter = key
        for each, item in self._items.items():
            item.setChecked(each == key)
            item.tell_checked(each == key)

    def _show_hosts(self, lines: Sequence[_HostLine]) -> None:
        wanted = {line.key: line for line in lines}
        for key in [key for key in self._items if key not in wanted]:
            gone = self._items.pop(key)
            self._hosts.removeWidget(gone)
            gone.deleteLater()
            if key == self._filter:
                self._choose("")
        for at, line in enumerate(lines):
            if line.key not in self._items:
                self._items[line.key] = self._make_item(line)
                self._hosts.insertWidget(at, self._items[line.key])
            self._items[line.key].set_figure(line.figure, line.spoken)

    def _make_item(self, line: _HostLine) -> SideItem:
        item = SideItem(line.title, mark=line.mark)
        item.setToolTip("\n".join((line.title, say("Show only this in chart and tree; again to show all"))))
        item.tell_checked(False)
        item.clicked.connect(lambda _checked=False, key=line.key: self._choose("" if key == self._filter else key))
        return item

    def _choose(self, key: str) -> None:
        self.set_filter(key)
        self.filter_chosen.emit(key)

    @property
    def host_items(self) -> dict[str, SideItem]:
        return dict(self._items)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), tokens.theme()
        painter.fillRect(self.rect(), theme.side)
        painter.fillRect(self.width() - 1, 0, 1, self.height(), theme.line)


def _line(branch: Branch, snapshot: Snapshot) -> _HostLine:
    return _HostLine(
        branch.key,
        branch.title,
        branch_mark(branch, snapshot),
        _figure(branch.held_bytes),
        say("{host}, {memory}", host=branch.title, memory=numbers.memory(branch.held_bytes)),
    )


def _figure(size_bytes: int) -> str:
    """Say a size in GB without the unit, as the column is in GB; small sizes keep their unit."""
    number, unit = numbers.memory_parts(size_bytes)
    if size_bytes == 0:
        return "0"
    return number if unit == "GB" else numbers.memory(size_bytes)
