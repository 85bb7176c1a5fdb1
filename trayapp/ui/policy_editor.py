"""The form for one policy: its figures, its limits, its exceptions. What cannot hold is said in a sentence.

Reads and writes texts as the settings file does (4h, 8 GB, 40%, 22:00-07:00). Keeps nothing: who opened it does.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from trayapp import policy_words
from trayapp.model.policy import Match, Policy, QuietHours, Trigger
from trayapp.policy_words import Unwritable
from trayapp.say import noted, say, told
from trayapp.ui import tokens
from trayapp.ui.controls import Button, Hairline, Kind, Scroll, ScrollBar, Text
from trayapp.ui.field import Chooser, Field
from trayapp.ui.fit import height_of
from trayapp.ui.switch import Switch
from trayapp.ui.tokens import MEDIUM, SEMIBOLD, px, theme

WIDTH = 560
SIDE = 22
FIELD = 120
SCREEN_SHARE = 0.8
KINDS = (
    ("folder", noted("Folder")),
    ("session", noted("Session")),
    ("host", noted("Host")),
    ("program", noted("Program")),
)

TITLES: dict[Trigger, str] = {
    Trigger.IDLE: noted("Sessions that are idle for long"),
    Trigger.MOST: noted("Too many idle sessions of a host"),
    Trigger.TOTAL: noted("Agents together hold too much"),
    Trigger.PRESSURE: noted("The computer is short of memory"),
    Trigger.HEAP: noted("A host's heap fills up"),
    Trigger.ORPHANS: noted("Helpers whose session is gone"),
    Trigger.DUPLICATES: noted("Surplus backends of idle sessions"),
}
"""What a policy is about, in the order of the menu."""

FIRST: dict[Trigger, Policy] = {
    Trigger.IDLE: Policy(name="Idle for long", trigger=Trigger.IDLE, after_s=14_400.0),
    Trigger.MOST: Policy(name="At most 5 idle of a host", trigger=Trigger.MOST, at_most=5),
    Trigger.TOTAL: Policy(name="Agents hold too much", trigger=Trigger.TOTAL, over_share=0.5),
    Trigger.PRESSURE: Policy(name="Memory runs short", trigger=Trigger.PRESSURE),
    Trigger.HEAP: Policy(name="Heap fills up", trigger=Trigger.HEAP, over_share=0.8),
    Trigger.ORPHANS: Policy(name="Orphans", trigger=Trigger.ORPHANS, after_s=3600.0),
    Trigger.DUPLICATES: Policy(name="Surplus backends", trigger=Trigger.DUPLICATES),
}
"""What a new policy begins with."""


class Wrong(ValueError):
    """A field holds what cannot be used; the message says how to write it."""

    def __init__(self, sentence: str, field: Field | None = None) -> None:
        super().__init__(sentence)
        self.field = field


@dataclass(frozen=True, slots=True, kw_only=True)
class _Figure:
    label: str
    hint: str
    field: Field
    read: Callable[[str], dict[str, object]]


class MatchRow(QWidget):
    """Let one exception be named: what kind, and which."""

    # Emitted in the UI thread when the row shall go; payload: the row.
    removed = Signal(object)

    def __init__(self, match: Match | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        found = [(kind, getattr(match, kind)) for kind, _ in KINDS if match is not None and getattr(match, kind)]
        kind, value = found[0] if found else ("folder", "")
        self.kind = Chooser(say("Kind of exception"), [(key, say(words)) for key, words in KINDS], kind)
        self.field = Field(say("Exception"), hint=say(_HINTS[kind]))
        self.field.setText(value)
        self.remove = Button(say("Remove"), Kind.QUIET, height=28)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(px(8))
        row.addWidget(self.kind)
        row.addWidget(self.field, 1)
        row.addWidget(self.remove)
        self.kind.chosen.connect(lambda key: self.field.setPlaceholderText(say(_HINTS[key])))
        self.remove.clicked.connect(lambda: self.removed.emit(self))

    def match(self) -> Match:
        """Return what is named; raises Wrong where nothing is."""
        value = self.field.text().strip()
        if not value:
            raise Wrong(say("An exception is empty. Name what it holds for, or remove it."), self.field)
        return Match(**{self.kind.current: value})


_HINTS = {
    "folder": noted("~/work"),
    "session": noted("its id"),
    "host": noted("its name"),
    "program": noted("a program's name"),
}


class MatchList(QWidget):
    """Hold exceptions of one kind: nothing but these, or not these."""

    # Emitted in the UI thread when rows came or went.
    resized = Signal()

    def __init__(self, title: str, help_words: str, matches: Sequence[Match], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: list[MatchRow] = []
        self.add = Button(say("Add"), height=28)
        self.add.setAccessibleName(say("Add to: {list}", list=title))
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, px(8), 0, px(8))
        self._column.setSpacing(px(6))
        self._column.addWidget(_labelled(title, help_words, self.add))
        for match in matches:
            self._append(match)
        self.add.clicked.connect(self._add)

    def _append(self, match: Match | None) -> MatchRow:
        row = MatchRow(match)
        row.removed.connect(self._remove)
        self.rows.append(row)
        self._column.addWidget(row)
        return row

    def _add(self) -> None:
        self._append(None).field.setFocus()
        self.resized.emit()

    def _remove(self, row: MatchRow) -> None:
        self.rows.remove(row)
        self._column.removeWidget(row)
        row.hide()
        row.deleteLater()
        self.add.setFocus()
        self.resized.emit()

    def matches(self) -> tuple[Match, ...]:
        return tuple(row.match() for row in self.rows)


class PolicyEditor(QDialog):
    """Change a policy. Emits `agreed` with what it would be; stays until told that this is kept."""

    # Emitted in the UI thread when the form holds and shall be kept; payload: Policy.
    agreed = Signal(object)

    def __init__(
        self, policy: Policy, *, taken: Collection[str] = (), is_new: bool = False, parent: QWidget | None = None
    ) -> None:
        """Show `policy`; `taken` are names that others have."""
        super().__init__(parent)
        self._policy, self._taken = policy, frozenset(taken)
        self.setWindowTitle("Agent Ring")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFixedWidth(px(WIDTH))
        self.name = Field(say("Name"), width=260)
        self.name.setText(policy.name)
        self._figures = _figures(policy)
        self.pressure = Switch(say("Only while memory is short"))
        self.pressure.setChecked(policy.only_under_pressure)
        self.most = Field(say("At most in an hour"), width=FIELD)
        self.most.setText(str(policy.most_an_hour))
        self.grace = Field(say("Notice before"), width=FIELD, hint="60s")
        self.grace.setText(policy_words.written_seconds(policy.grace_s))
        self.typed = Field(say("Not where somebody typed within"), width=FIELD, hint="15m")
        self.typed.setText(policy_words.written_seconds(policy.typed_s))
        self.quiet = Field(say("Quiet hours"), width=FIELD, hint="22:00-07:00")
        self.quiet.setText(", ".join(policy_words.written_quiet(quiet) for quiet in policy.quiet))
        self.sigkill = Switch(say("End what does not end when asked"))
        self.sigkill.setChecked(policy.sigkill)
        self.never = MatchList(say("Never these"), say("Whatever else holds, these stay"), policy.never)
        self.only = MatchList(say("Only these"), say("Where any are named, nothing else goes"), policy.only)
        self.wrong = Text("", size=tokens.SECOND, weight=SEMIBOLD, tone="amber", wrap=True)
        self.cancel = Button(say("Cancel"), height=32)
        self.save = Button(say("Add") if is_new else say("Save"), Kind.PRIMARY, height=32, min_width=84)
        self._lay_out(is_new)
        self.cancel.clicked.connect(self.reject)
        self.save.clicked.connect(self._agree)
        for each in (self.never, self.only):
            each.resized.connect(lambda: QTimer.singleShot(0, self, self._fit))
        self._fit()

    def figure(self, label: str) -> Field:
        """Return the field of a figure that this trigger needs."""
        return next(figure.field for figure in self._figures if figure.label == label)

    def _lay_out(self, is_new: bool) -> None:
        form = QWidget()
        self._form_column = column = QVBoxLayout(form)
        column.setContentsMargins(px(SIDE), 0, px(SIDE), px(8))
        column.setSpacing(0)
        column.addWidget(_labelled(say("Name"), "", self.name))
        for figure in self._figures:
            column.addWidget(Hairline())
            column.addWidget(_labelled(figure.label, figure.hint, figure.field))
        rows: list[tuple[str, str, QWidget]] = []
        if self._policy.trigger is not Trigger.PRESSURE:
            rows.append((say("Only while memory is short"), "", self.pressure))
        rows += [
            (say("At most in an hour"), say("Actions of this policy in any 60 minutes"), self.most),
            (say("Notice before"), say("So that you can keep it"), self.grace),
            (say("Not where somebody typed within"), say("In the session's own terminal"), self.typed),
            (say("Quiet hours"), say("Nothing is done then; several with commas"), self.quiet),
            (
                say("End what does not end when asked"),
                say("By SIGKILL, as the last step. What it is doing then is lost."),
                self.sigkill,
            ),
        ]
        for label, help_words, control in rows:
            column.addWidget(Hairline())
            column.addWidget(_labelled(label, help_words, control))
        for exceptions in (self.never, self.only):
            column.addWidget(Hairline())
            column.addWidget(exceptions)
        self._scroll = Scroll(form)
        self._whole = whole = QVBoxLayout(self)
        whole.setContentsMargins(0, px(22), 0, 0)
        whole.setSpacing(0)
        whole.addLayout(self._head(is_new))
        whole.addSpacing(px(8))
        whole.addWidget(self._scroll, 1)
        whole.addWidget(Hairline())
        whole.addLayout(self._foot())

    def _head(self, is_new: bool) -> QVBoxLayout:
        head = QVBoxLayout()
        head.setContentsMargins(px(SIDE), 0, px(SIDE), 0)
        head.setSpacing(px(4))
        title = say("New policy") if is_new else say("Policy")
        head.addWidget(Text(title, size=tokens.TITLE_PAGE, weight=SEMIBOLD, tracked=True))
        about = say(TITLES[self._policy.trigger])
        off = say("{about}. It stays off until you switch it on.", about=about)
        words = off if not self._policy.on else say("{about}. It is on: a change holds at once.", about=about)
        head.addWidget(Text(words, size=tokens.SECOND, tone="sec", wrap=True))
        return head

    def _foot(self) -> QVBoxLayout:
        buttons = QHBoxLayout()
        buttons.setSpacing(px(tokens.MARK_GAP))
        buttons.addStretch(1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.save)
        foot = QVBoxLayout()
        foot.setContentsMargins(px(SIDE), px(12), px(SIDE), px(14))
        foot.setSpacing(px(8))
        foot.addWidget(self.wrong)
        foot.addLayout(buttons)
        self.wrong.hide()
        return foot

    # ---- what it would be

    def policy(self) -> Policy:
        """Return what the form says; raises Wrong where that cannot hold."""
        values: dict[str, object] = {}
        for figure in self._figures:
            values |= _read(figure.field, figure.read)
        values |= _read(self.most, lambda text: {"most_an_hour": _whole(text)})
        values |= _read(self.grace, lambda text: {"grace_s": policy_words.seconds_of(text)})
        values |= _read(self.typed, lambda text: {"typed_s": policy_words.seconds_of(text)})
        values |= _read(self.quiet, lambda text: {"quiet": _quiet(text)})
        made = replace(
            self._policy,
            name=self.name.text().strip(),
            only_under_pressure=self.pressure.isChecked(),
            sigkill=self.sigkill.isChecked(),
            never=self.never.matches(),
            only=self.only.matches(),
            **values,  # type: ignore[arg-type]
        )
        if made.name in self._taken:
            raise Wrong(
                say("Another policy is called “{name}”. Give this one a name of its own.", name=made.name), self.name
            )
        if (fault := policy_words.fault_of(made)) is not None:
            raise Wrong(f"{told(fault)}.", self.name if not made.name else None)
        return made

    def _agree(self) -> None:
        try:
            made = self.policy()
        except Wrong as wrong:
            self.refuse(str(wrong))
            if wrong.field is not None:
                wrong.field.set_wrong(True)
                wrong.field.setFocus()
                self._scroll.ensureWidgetVisible(wrong.field)
            return
        self.save.setEnabled(False)
        self.agreed.emit(made)

    def refuse(self, sentence: str) -> None:
        """Say why it cannot be kept; the form stays open."""
        self.wrong.setText(sentence)
        self.wrong.setVisible(bool(sentence))
        self.save.setEnabled(True)
        self.save.setAccessibleDescription(sentence)
        self._fit()

    def _fit(self) -> None:
        area = self.screen().availableGeometry()
        wanted = height_of(self._form_column, self.width())
        self._scroll.setFixedHeight(wanted)
        height = height_of(self._whole, self.width())
        most = int(area.height() * SCREEN_SHARE)
        room = ScrollBar.WIDTH if height > most else 0
        self._form_column.setContentsMargins(px(SIDE), 0, px(SIDE) - room, px(8))
        self._scroll.setFixedHeight(max(px(120), wanted - max(0, height - most)))
        self.setFixedHeight(min(height, most))

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().card)


def _labelled(label: str, help_words: str, control: QWidget) -> QWidget:
    row = QWidget()
    line = QHBoxLayout(row)
    line.setContentsMargins(0, px(8), 0, px(8))
    line.setSpacing(px(16))
    words = QVBoxLayout()
    words.setSpacing(0)
    words.addWidget(Text(label, weight=MEDIUM, wrap=True))
    if help_words:
        words.addWidget(Text(help_words, size=tokens.SECOND, tone="sec", wrap=True))
    line.addLayout(words, 1)
    line.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter)
    return row


def _figures(policy: Policy) -> tuple[_Figure, ...]:
    """Return the fields that a trigger needs, filled in."""

    def figure(label: str, hint: str, text: str, read: Callable[[str], dict[str, object]]) -> _Figure:
        field = Field(label, width=FIELD)
        field.setText(text)
        return _Figure(label=label, hint=hint, field=field, read=read)

    def seconds(text: str) -> dict[str, object]:
        return {"after_s": policy_words.seconds_of(text)}

    def share(text: str) -> dict[str, object]:
        return {"over_share": policy_words.share_of(text)}

    after = "" if policy.after_s is None else policy_words.written_seconds(policy.after_s)
    match policy.trigger:
        case Trigger.IDLE:
            return (figure(say("Idle for longer than"), say("Such as 30m, 4h or 1d"), after, seconds),)
        case Trigger.ORPHANS:
            return (figure(say("Gone for longer than"), say("Such as 30m, 4h or 1d"), after, seconds),)
        case Trigger.MOST:
            most = "" if policy.at_most is None else str(policy.at_most)
            return (figure(say("Idle sessions of each host"), say("At most so many stay"), most, _read_most),)
        case Trigger.TOTAL:
            return (
                figure(
                    say("Together more than"), say("A size, a share, or both: 8 GB, 40%"), _over(policy), _read_over
                ),
            )
        case Trigger.HEAP:
            return (figure(say("Heap fuller than"), say("A share of its cap, such as 80%"), _over(policy), share),)
        case Trigger.PRESSURE | Trigger.DUPLICATES:
            return ()


def _read_most(text: str) -> dict[str, object]:
    return {"at_most": _whole(text)}


def _over(policy: Policy) -> str:
    texts = [] if policy.over_bytes is None else [policy_words.written_bytes(policy.over_bytes)]
    texts += [] if policy.over_share is None else [policy_words.written_share(policy.over_share)]
    return ", ".join(texts)


def _read_over(text: str) -> dict[str, object]:
    """Read a size, a share, or one of each."""
    found: dict[str, object] = {"over_bytes": None, "over_share": None}
    for part in filter(None, map(str.strip, text.split(","))):
        if part.endswith("%"):
            found["over_share"] = policy_words.share_of(part)
        else:
            found["over_bytes"] = policy_words.bytes_of(part)
    if not any(found.values()):
        raise Unwritable(say("It needs a size or a share. Write it as 8 GB or 40%"))
    return found


def _quiet(text: str) -> tuple[QuietHours, ...]:
    return tuple(policy_words.quiet_of(part) for part in text.split(",") if part.strip())


def _whole(text: str) -> int:
    if not text.strip().isascii() or not text.strip().isdigit():
        raise Unwritable(say("'{text}' is no whole number", text=text.strip()))
    return int(text)


def _read(field: Field, read: Callable[[str], dict[str, object]]) -> dict[str, object]:
    try:
        return read(field.text())
    except Unwritable as error:
        raise Wrong(say("{field}: {fault}.", field=field.accessibleName(), fault=told(str(error))), field) from None
