"""One policy on its page: a switch, what it does, what it would do now, and a trial on the recorded days.

Shows values that it is handed and says what was asked for; carries nothing out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from trayapp import policy_words
from trayapp.model.policy import Choice, DryRun, Policy, Trigger
from trayapp.model.snapshot import Snapshot
from trayapp.say import say, told
from trayapp.ui import numbers, tokens
from trayapp.ui.bridge import Bridge
from trayapp.ui.controls import Button, Hairline, Panel, Text
from trayapp.ui.marks import SHARED, HostMark, Mark, MarkKind, mark_of
from trayapp.ui.policy_plot import TrialPanel
from trayapp.ui.switch import Switch
from trayapp.ui.tokens import MEDIUM, SEMIBOLD, px
from trayapp.wording import duration

MOST = 6


def limits(policy: Policy) -> str:
    """Say what holds a policy back: "At most 4 an hour, 60 s notice, not 22:00-07:00, never the folder ~/work"."""
    parts = [
        say("At most {n} an hour", n=policy.most_an_hour),
        say("{time} notice before each", time=duration(policy.grace_s)),
    ]
    parts += [say("not {hours}", hours=policy_words.written_quiet(quiet)) for quiet in policy.quiet]
    parts += [say("only {what}", what=policy_words.said_of(match)) for match in policy.only]
    parts += [say("never {what}", what=policy_words.said_of(match)) for match in policy.never]
    if policy.sigkill:
        parts.append(say("ends by SIGKILL what does not end when asked"))
    return ", ".join(parts)


class PolicyCard(Panel):
    """Show one policy; details are made when they are asked for."""

    # Emitted in the UI thread; payload: what the policy shall be.
    changed = Signal(object)
    # Emitted in the UI thread when the form, or the question before it is deleted, shall open.
    edit_wanted = Signal()
    delete_wanted = Signal()

    def __init__(self, bridge: Bridge, policy: Policy, *, is_own: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._bridge, self._is_own = bridge, is_own
        self.policy = policy
        self._dry: DryRun | None = None
        self._shown_dry: tuple[DryRun | None, bool] | None = None
        self.switch = Switch(policy.name)
        self.name = Text("", weight=SEMIBOLD)
        self.does = Text("", size=tokens.SECOND, tone="sec", wrap=True)
        self.off = Text("", size=tokens.SECOND, weight=SEMIBOLD, tone="amber", wrap=True)
        self.figure = Text("", weight=SEMIBOLD, align=Qt.AlignmentFlag.AlignRight)
        self.now = Text("", size=tokens.SECOND, tone="sec", align=Qt.AlignmentFlag.AlignRight)
        self.edit = Button(say("Edit…"), height=28)
        self.more = Button(say("Details"), height=28)
        self.trial: TrialPanel | None = None
        self.delete: Button | None = None
        self._details: QWidget | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(px(20), px(12), px(20), px(12))
        self._column.setSpacing(px(8))
        self._column.addLayout(self._head())
        self.switch.clicked.connect(self._switched)
        self.edit.clicked.connect(self.edit_wanted)
        self.more.clicked.connect(self.toggle)
        self.show_policy(policy, None)

    def _head(self) -> QHBoxLayout:
        words = QVBoxLayout()
        words.setSpacing(px(1))
        for text in (self.name, self.does, self.off):
            words.addWidget(text)
        figures = QVBoxLayout()
        figures.setSpacing(px(1))
        figures.addWidget(self.figure)
        figures.addWidget(self.now)
        figures.addStretch(1)
        for text in (self.figure, self.now):
            text.setMinimumWidth(px(124))
        head = QHBoxLayout()
        head.setSpacing(px(12))
        head.addWidget(self.switch, 0, Qt.AlignmentFlag.AlignTop)
        head.addLayout(words, 1)
        head.addLayout(figures)
        head.addWidget(self.edit, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self.more, 0, Qt.AlignmentFlag.AlignTop)
        return head

    # ---- what is shown

    def show_policy(self, policy: Policy, off_because: str | None) -> None:
        """Show the policy as it stands; `off_because` is why it has switched itself off."""
        self.policy = policy
        self.name.setText(policy.name)
        self.does.setText(f"{policy_words.said(policy)}." + (f" {limits(policy)}." if self._is_own else ""))
        self.off.setText(
            say("It switched itself off: {why}", why=told(off_because)) if off_because and not policy.on else ""
        )
        self.off.setVisible(bool(self.off.text()))
        self.switch.setChecked(policy.on)
        self.switch.setAccessibleName(f"{policy.name}: {policy_words.said(policy)}")
        self.edit.setAccessibleName(say("Edit {name}", name=policy.name))
        self._name_more()
        if self.trial is not None:
            self.trial.show_policy(policy)

    def show_dry_run(self, dry: DryRun | None, snapshot: Snapshot | None) -> None:
        """Show what it would do now."""
        self._dry = dry
        choices = dry.choices if dry is not None and dry.triggered else ()
        self.figure.setText(numbers.memory(sum(choice.bytes for choice in choices)) if choices else "")
        self.figure.setVisible(bool(choices))
        some = say("{n} would go now", n=len(choices))
        self.now.setText(some if choices else say("Nothing now") if dry is not None else "")
        if self._details is not None and self._details.isVisibleTo(self):
            self._show_details(snapshot)

    def toggle(self) -> None:
        """Open or close the details."""
        if self._details is None:
            self._make_details().show()
            self._show_details(self._bridge.snapshot)
        elif self._details.isHidden():
            self._show_details(self._bridge.snapshot)
            self._details.show()
        else:
            self._details.hide()
        self._name_more()

    @property
    def is_open(self) -> bool:
        return self._details is not None and not self._details.isHidden()

    def _name_more(self) -> None:
        self.more.setText(say("Less") if self.is_open else say("Details"))
        self.more.updateGeometry()
        name = self.policy.name
        spoken = say("Hide details of {name}", name=name) if self.is_open else say("Show details of {name}", name=name)
        self.more.setAccessibleName(spoken)

    def _make_details(self) -> QWidget:
        self._details = details = QWidget()
        column = QVBoxLayout(details)
        tokens.set_margins(column, px(44), 0, 0, px(4))
        column.setSpacing(px(10))
        column.addWidget(Hairline())
        self._list = QVBoxLayout()
        self._list.setSpacing(px(4))
        self._content: QWidget | None = None
        column.addLayout(self._list)
        if self.policy.trigger is Trigger.IDLE:
            column.addWidget(Hairline())
            self.trial = TrialPanel(self._bridge)
            self.trial.show_policy(self.policy)
            self.trial.threshold_wanted.connect(self._use_threshold)
            column.addWidget(self.trial)
        if self._is_own:
            self.delete = Button(say("Delete…"), height=28)
            self.delete.setAccessibleName(say("Delete {name}", name=self.policy.name))
            self.delete.clicked.connect(self.delete_wanted)
            line = QHBoxLayout()
            line.addStretch(1)
            line.addWidget(self.delete)
            column.addLayout(line)
        self._column.addWidget(details)
        return details

    def _show_details(self, snapshot: Snapshot | None) -> None:
        if self._shown_dry == (self._dry, True):
            return
        self._shown_dry = (self._dry, True)
        if self._content is not None:
            self._list.removeWidget(self._content)
            self._content.hide()
            self._content.deleteLater()
        self._content = _told(self._dry, snapshot)
        self._list.addWidget(self._content)
        self._content.show()

    # ---- what is asked for

    def _switched(self) -> None:
        wanted = self.switch.isChecked()
        self.switch.setChecked(self.policy.on)  # until the core has taken it over
        self.changed.emit(replace(self.policy, on=wanted))

    def _use_threshold(self, threshold_s: float) -> None:
        self.changed.emit(replace(self.policy, after_s=threshold_s))


def _told(dry: DryRun | None, snapshot: Snapshot | None) -> QWidget:
    """Make the lists of what would go and what would stay."""
    content = QWidget()
    column = QVBoxLayout(content)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(px(4))
    column.addWidget(Text(say("What it would do now"), size=tokens.SECOND, weight=SEMIBOLD, tone="sec"))
    if dry is None:
        column.addWidget(Text(say("Is looked at."), size=tokens.SECOND, tone="sec"))
        return content
    column.addWidget(Text(_sentence(told(dry.why)), size=tokens.SECOND, wrap=True))
    for choice in dry.choices[:MOST]:
        column.addWidget(_choice_row(choice, snapshot))
    _add_rest(column, len(dry.choices) - MOST)
    if dry.spared:
        column.addSpacing(px(4))
        column.addWidget(Text(say("These stay"), size=tokens.SECOND, weight=SEMIBOLD, tone="sec"))
        for key, reason in dry.spared[:MOST]:
            column.addWidget(_spared_row(key, reason, snapshot))
        _add_rest(column, len(dry.spared) - MOST)
    return content


def _sentence(text: str) -> str:
    return f"{text.rstrip('.')}." if text else ""


def _add_rest(column: QVBoxLayout, more: int) -> None:
    if more > 0:
        column.addWidget(Text(say("And {n} more", n=more), size=tokens.SECOND, tone="sec"))


def _row(mark: Mark, title: str, words: str, figure: str) -> QWidget:
    row = QWidget()
    row.setMinimumHeight(px(26))
    line = QHBoxLayout(row)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(px(8))
    line.addWidget(HostMark(mark, 18))
    name = Text(title, size=tokens.SECOND, weight=MEDIUM)
    line.addWidget(name, 2)
    line.addWidget(Text(words, size=tokens.SECOND, tone="sec"), 3)
    size = Text(figure, size=tokens.SECOND, weight=SEMIBOLD, align=Qt.AlignmentFlag.AlignRight)
    size.setFixedWidth(px(72))
    line.addWidget(size)
    row.setAccessibleName(", ".join(part for part in (title, words, figure) if part))
    return row


def _choice_row(choice: Choice, snapshot: Snapshot | None) -> QWidget:
    mark = _mark(choice.group_key, choice.host, snapshot)
    return _row(mark, choice.title, told(choice.why), numbers.memory(choice.bytes))


def _spared_row(key: str, reason: str, snapshot: Snapshot | None) -> QWidget:
    group = snapshot.group(key) if snapshot is not None else None
    title = group.name if group is not None else key
    return _row(_mark(key, group.host if group is not None else None, snapshot), title, told(reason), "")


def _mark(key: str, host: str | None, snapshot: Snapshot | None) -> Mark:
    group = snapshot.group(key) if snapshot is not None else None
    if group is not None and snapshot is not None:
        return mark_of(group, snapshot)
    label = snapshot.label(host) if snapshot is not None else None
    return SHARED if label is None else Mark(MarkKind.HOST, label)


def by_name(dry_runs: Sequence[DryRun]) -> dict[str, DryRun]:
    """Return dry runs by the name of their policy."""
    return {dry.policy: dry for dry in dry_runs}
