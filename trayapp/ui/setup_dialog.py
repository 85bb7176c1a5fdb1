"""Ask before something of ours is put into a host, or something is allowed with it: what it means stands there first.

Knows no host; what can be put where, and how, the core says.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget
from shiboken6 import isValid

from trayapp.model.setup import HostSetup
from trayapp.say import noted, say, told
from trayapp.ui import tokens
from trayapp.ui.bridge import Bridge
from trayapp.ui.controls import Button, CheckBox, Hairline, Kind, Panel, Scroll, Text
from trayapp.ui.fit import height_of
from trayapp.ui.page import Command
from trayapp.ui.tokens import MEDIUM, SEMIBOLD, px, theme

WIDTH = 520
SIDE = 22
SCREEN_SHARE = 0.8
INSTALL, ALLOW, AGREE = noted("Install"), noted("Allow"), noted("Agree")
WORKING = {INSTALL: noted("Installing"), ALLOW: noted("Allowing"), AGREE: noted("Working")}


class _Offer(Panel):
    """Show one offer with its steps; a consent beside other offers has to be ticked first."""

    def __init__(self, offer: HostSetup, *, ticked: bool, parent: QWidget | None = None) -> None:
        super().__init__("tint", outline=None, parent=parent)
        self.offer = offer
        self.box = CheckBox(f"{told(offer.title)}: {'; '.join(map(told, offer.steps))}")
        self.box.setChecked(bool(offer.steps) and ticked)
        self.box.setVisible(bool(offer.steps))
        head = QHBoxLayout()
        head.setSpacing(px(10))
        head.addWidget(self.box)
        head.addWidget(Text(told(offer.title), weight=SEMIBOLD), 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(14), px(10), px(14), px(12))
        column.setSpacing(px(4))
        column.addLayout(head)
        if offer.fault is not None:
            column.addWidget(Text(told(offer.fault), size=tokens.SECOND, tone="amber", wrap=True))
        elif not offer.steps:
            column.addWidget(Text(say("It is there already"), size=tokens.SECOND, tone="sec"))
        else:
            column.addWidget(Text(say("This will"), size=tokens.SECOND, weight=MEDIUM, tone="sec"))
        numbered = len(offer.steps) > 1
        for number, step in enumerate(offer.steps, 1):
            line = QHBoxLayout()
            line.setSpacing(px(8))
            figure = Text(str(number), size=tokens.SECOND, weight=SEMIBOLD, tone="ter")
            figure.setFixedWidth(px(10))
            if numbered:
                line.addWidget(figure, 0, Qt.AlignmentFlag.AlignTop)
            line.addWidget(Text(_breakable(told(step)), size=tokens.SECOND, wrap=True), 1)
            column.addLayout(line)
        for sentence in offer.says:
            column.addWidget(Text(f"{told(sentence)}.", size=tokens.SECOND, tone="sec", wrap=True))
        self.result = Text(size=tokens.SECOND, weight=MEDIUM, wrap=True)
        self.result.hide()
        column.addWidget(self.result)
        self.undo = Command(height=26)
        self.undo.set_command(offer.undo or "", offer.undo or "")
        self.undo.hide()
        column.addWidget(self.undo)

    def tell(self, sentence: str, *, tone: str, undo: bool) -> None:
        """Say what became of it."""
        self.box.setEnabled(False)
        self.result.set_tone(tone)
        self.result.setText(sentence)
        self.result.show()
        self.undo.setVisible(undo and bool(self.undo.text))


def _breakable(step: str) -> str:
    """Let a long path be broken after its slashes."""
    return step.replace("/", "/\u200b")


class SetupDialog(QDialog):
    """Ask for the offers, show them, carry out what is agreed to, and tell what became of it."""

    def __init__(self, bridge: Bridge, host: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bridge, self._host_title = bridge, title
        self._open = 0
        self._verb = INSTALL
        self.offers: list[_Offer] = []
        self.setWindowTitle("Agent Ring")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self.setFixedWidth(px(WIDTH))
        self.title = Text(size=tokens.TITLE_PAGE, weight=SEMIBOLD, tracked=True)
        self.second = Text(size=tokens.SECOND, tone="sec", wrap=True)
        self.cancel = Button(say("Cancel"), height=32, min_width=84)
        self.agree = Button(say(INSTALL), Kind.PRIMARY, height=32, min_width=84)
        self.agree.setEnabled(False)
        self._content = QWidget()
        self._list = QVBoxLayout(self._content)
        self._list.setContentsMargins(px(SIDE), 0, px(SIDE), 0)
        self._list.setSpacing(px(8))
        self._scroll = Scroll(self._content)
        self._build()
        self.cancel.clicked.connect(self.reject)
        self.agree.clicked.connect(self._begin)
        self._name(())
        bridge.when_done(bridge.backend.host_setups(host), self._show, self._cannot)
        self._fit()
        self.cancel.setFocus()

    def _build(self) -> None:
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, px(22), 0, 0)
        column.setSpacing(px(12))
        head = QVBoxLayout()
        head.setContentsMargins(px(SIDE), 0, px(SIDE), 0)
        head.setSpacing(px(4))
        head.addWidget(self.title)
        head.addWidget(self.second)
        column.addLayout(head)
        column.addWidget(self._scroll)
        column.addWidget(Hairline())
        foot = QHBoxLayout()
        foot.setContentsMargins(px(SIDE), px(2), px(SIDE), px(14))
        foot.setSpacing(px(tokens.MARK_GAP))
        foot.addStretch()
        foot.addWidget(self.cancel)
        foot.addWidget(self.agree)
        column.addLayout(foot)

    def _name(self, offers: Sequence[HostSetup]) -> None:
        """Say what is asked: to put something into the host, to allow something with it, or both."""
        title = self._host_title
        if not offers:
            self.title.setText(say("Look at {host}", host=title))
            self.second.setText(
                say("What could be put into it or allowed with it stands here. Nothing is done by itself.")
            )
        elif all(offer.permits is not None for offer in offers):
            self.title.setText(say("Allow this with {host}?", host=title))
            self.second.setText(
                say(
                    "Nothing of it is done until you agree. What you allow is kept in the settings of Agent Ring, and"
                    " can be taken back there at any time."
                )
            )
        else:
            self.title.setText(say("Put the plugin into {host}?", host=title))
            self.second.setText(
                say(
                    "It tells how full the heap of {host} is and what each session holds in it, and releases idle ones."
                    " It listens on this computer only. Nothing is written until you agree.",
                    host=title,
                )
            )

    def _show(self, offers: Sequence[HostSetup]) -> None:
        self._name(offers)
        for offer in offers:
            shown = _Offer(offer, ticked=offer.permits is None or len(offers) == 1)
            shown.box.toggled.connect(self._count)
            self.offers.append(shown)
            self._list.addWidget(shown)
            shown.show()  # at once: what is not shown yet has no height
        if not offers:
            self._cannot(say("Nothing was found that could be put into it or allowed with it now."))
        self._count()
        self._fit()

    def _cannot(self, sentence: str) -> None:
        text = Text(sentence, tone="amber", wrap=True)
        self._list.addWidget(text)
        text.show()
        self._fit()

    def _chosen(self) -> list[_Offer]:
        return [shown for shown in self.offers if shown.offer.steps and shown.box.isChecked()]

    def _count(self) -> None:
        chosen = self._chosen()
        kinds = {offer.offer.permits is not None for offer in chosen or self.offers}
        self._verb = ALLOW if kinds == {True} else INSTALL if kinds <= {False} else AGREE
        self.agree.setText(say(self._verb))
        self.agree.setEnabled(bool(chosen))

    def _begin(self) -> None:
        chosen = self._chosen()
        self._open = len(chosen)
        self.agree.setEnabled(False)
        self.agree.setText(say(WORKING[self._verb]))
        for shown in chosen:
            shown.box.setEnabled(False)
            future = self._bridge.backend.set_up(shown.offer)
            self._bridge.when_done(future, partial(self._done, shown), partial(self._failed, shown))

    def _done(self, shown: _Offer, _none: None) -> None:
        if not isValid(self):
            return
        if shown.offer.permits is not None:
            undo = say("Allowed. The settings take it back, and so does:")
            said = undo if shown.offer.undo else say("Allowed. The settings take it back.")
        else:
            said = say("Done. To take it out again:") if shown.offer.undo else say("Done.")
        shown.tell(said, tone="ink", undo=True)
        self._one_less()

    def _failed(self, shown: _Offer, sentence: str) -> None:
        if not isValid(self):
            return
        shown.tell(told(sentence), tone="amber", undo=False)
        self._one_less()

    def _one_less(self) -> None:
        self._open -= 1
        if not self._open:
            self.agree.hide()
            self.cancel.setText(say("Done"))
            self.cancel.setFocus()
            self._bridge.backend.refresh()
            self._bridge.ask_consents()
        self._fit()

    def _fit(self) -> None:
        """Take the height of the content; a long list scrolls."""
        most = int(self.screen().availableGeometry().height() * SCREEN_SHARE)
        wanted = height_of(self._list, px(WIDTH)) if self._list.count() else px(24)
        self._scroll.setFixedHeight(wanted)
        height = height_of(self._column, px(WIDTH))
        if height > most:
            self._scroll.setFixedHeight(max(px(120), wanted - (height - most)))
            height = most
        self.setFixedHeight(height)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().card)
