"""The user's policies and the suggested ones: each off until it is switched on, with what it would do now.

Asks the core what each would do while the page is seen. A change holds at once; what cannot be kept is said.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from trayapp.model.policy import DryRun, Policy, Trigger
from trayapp.reclaim.policy import dry_run, suggested
from trayapp.say import say, told
from trayapp.targets import Question
from trayapp.ui import tokens
from trayapp.ui.bridge import Bridge
from trayapp.ui.controls import Button, Panel, Text
from trayapp.ui.page import Note, Page
from trayapp.ui.policy_card import PolicyCard, by_name
from trayapp.ui.policy_editor import FIRST, TITLES, PolicyEditor
from trayapp.ui.question_dialog import QuestionDialog
from trayapp.ui.tokens import SEMIBOLD, px

LOOK_EVERY_MS = 10_000


class PoliciesPage(Page):
    """Show, change, add and delete policies."""

    # In the UI thread, when the core has taken over other policies.
    changed = Signal()

    def __init__(
        self,
        bridge: Bridge,
        *,
        suggested: Callable[[], tuple[Policy, ...]] = suggested,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(say("Policies"), scrolls=True, parent=parent)
        self._bridge, self._suggested = bridge, suggested
        self._dry_runs: dict[str, DryRun] = {}
        self.own: dict[str, PolicyCard] = {}
        self.suggestions: dict[str, PolicyCard] = {}
        self.editor: PolicyEditor | None = None
        self.add = Button(say("New policy…"), height=32)
        self.head.addWidget(self.add)
        self.note = Note()
        self.body.setSpacing(px(8))
        self.body.addWidget(self.note)
        self.body.addWidget(self._promise())
        self._own_box, self._own_column = self._section(say("Yours"))
        self._suggested_box, self._suggested_column = self._section(say("Suggested"))
        self.body.addStretch(1)
        self._look = QTimer(self)
        self._look.setInterval(LOOK_EVERY_MS)
        self._look.timeout.connect(self._ask)
        self.add.clicked.connect(lambda: self.new_menu().popup(self.add.mapToGlobal(self.add.rect().bottomLeft())))

    def _promise(self) -> Panel:
        panel = Panel()
        column = QVBoxLayout(panel)
        column.setContentsMargins(px(20), px(10), px(20), px(10))
        column.setSpacing(0)
        self.promise = Text(say("Nothing is released by itself unless you switch it on"), weight=SEMIBOLD)
        words = say(
            "A policy takes only what could be released without a question, tells you before, and writes a receipt."
            " What is busy, waits for you, is kept or cannot be told stays."
        )
        column.addWidget(self.promise)
        column.addWidget(Text(words, size=tokens.SECOND, tone="sec", wrap=True))
        return panel

    def _section(self, title: str) -> tuple[QWidget, QVBoxLayout]:
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(0, px(8), 0, 0)
        column.setSpacing(px(8))
        column.addWidget(Text(title, weight=SEMIBOLD))
        self.body.addWidget(box)
        box.hide()
        return box, column

    # ---- what is shown

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.show_policies()
        self._ask()
        self._look.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._look.stop()

    def show_policies(self) -> None:
        """Show the policies as they stand."""
        own = self._bridge.backend.policies()
        names = {policy.name for policy in own}
        suggested = [policy for policy in self._suggested() if policy.name not in names]
        self._show_in(self.own, self._own_column, own, is_own=True)
        self._show_in(self.suggestions, self._suggested_column, suggested, is_own=False)
        self._own_box.setVisible(bool(own))
        self._suggested_box.setVisible(bool(suggested))

    def _show_in(
        self, cards: dict[str, PolicyCard], column: QVBoxLayout, policies: Sequence[Policy], *, is_own: bool
    ) -> None:
        wanted = {policy.name: policy for policy in policies}
        for name in [name for name, card in cards.items() if _is_other(card, wanted.get(name))]:
            card = cards.pop(name)
            column.removeWidget(card)
            card.hide()
            card.deleteLater()
        why_off = self._bridge.backend.switched_off()
        for at, (name, policy) in enumerate(wanted.items(), 1):
            if name not in cards:
                cards[name] = self._card(policy, is_own=is_own)
            column.insertWidget(at, cards[name])
            cards[name].show_policy(policy, why_off.get(name) if is_own else None)
            cards[name].show_dry_run(self._dry_runs.get(name), self._bridge.snapshot)
        for name in wanted:
            cards[name] = cards.pop(name)  # in the order that is shown

    def _card(self, policy: Policy, *, is_own: bool) -> PolicyCard:
        card = PolicyCard(self._bridge, policy, is_own=is_own)
        card.changed.connect(self._keep)
        card.edit_wanted.connect(lambda: self.edit(card.policy))
        card.delete_wanted.connect(lambda: self._ask_to_delete(card.policy))
        return card

    def _ask(self) -> None:
        if self.isVisible():
            self._bridge.when_done(self._bridge.backend.dry_runs(), self._take_dry_runs, self._refused)

    def _take_dry_runs(self, dry_runs: Sequence[DryRun]) -> None:
        self._dry_runs = self._with_suggested(by_name(dry_runs))
        for name, card in (*self.own.items(), *self.suggestions.items()):
            card.show_dry_run(self._dry_runs.get(name), self._bridge.snapshot)

    def _with_suggested(self, dry_runs: dict[str, DryRun]) -> dict[str, DryRun]:
        """Add what suggested policies would do, by the same rules, where the core does not tell."""
        snapshot = self._bridge.snapshot
        if snapshot is None:
            return dry_runs
        at = snapshot.taken_at
        missing = [card.policy for name, card in self.suggestions.items() if name not in dry_runs]
        looks = [dry_run(each, snapshot, now_epoch_s=at.timestamp(), local=at.astimezone()) for each in missing]
        return dry_runs | by_name(looks)

    # ---- what is changed

    def new_menu(self) -> QMenu:
        """Make the menu of what a new policy can be about."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for trigger, title in TITLES.items():
            menu.addAction(say(title)).triggered.connect(partial(self._new, trigger))
        return menu

    def _new(self, trigger: Trigger, _checked: bool = False) -> None:
        names = {policy.name for policy in self._bridge.backend.policies()}
        first, number = FIRST[trigger], 2
        name = first.name
        while name in names:
            name, number = f"{first.name} {number}", number + 1
        self.edit(replace(first, name=name), is_new=True)

    def edit(self, policy: Policy, *, is_new: bool = False) -> PolicyEditor:
        """Open the form for a policy; a suggested one becomes the user's when it is kept."""
        others = {each.name for each in self._bridge.backend.policies()} - {policy.name}
        editor = PolicyEditor(policy, taken=others, is_new=is_new, parent=self.window())
        self.editor = editor
        editor.agreed.connect(lambda made: self._keep(made, instead_of=policy.name, editor=editor))
        editor.finished.connect(lambda _result: setattr(self, "editor", None))
        editor.open()
        return editor

    def _keep(self, policy: Policy, *, instead_of: str | None = None, editor: PolicyEditor | None = None) -> None:
        name = instead_of if instead_of is not None else policy.name
        own = self._bridge.backend.policies()
        known = any(each.name == name for each in own)
        wanted = tuple(policy if each.name == name else each for each in own) if known else (*own, policy)
        self._update(wanted, editor)

    def _update(self, wanted: tuple[Policy, ...], editor: PolicyEditor | None = None) -> None:
        future = self._bridge.backend.update_policies(wanted)
        self._bridge.when_done(future, partial(self._kept, editor), partial(self._not_kept, editor))

    def _kept(self, editor: PolicyEditor | None, _none: None) -> None:
        if editor is not None:
            editor.accept()
        self.note.show_words("", "")
        self.show_policies()
        self._ask()
        self.changed.emit()

    def _not_kept(self, editor: PolicyEditor | None, sentence: str) -> None:
        if editor is not None:
            editor.refuse(sentence)
        else:
            self._refused(sentence)

    def _refused(self, sentence: str) -> None:
        self.note.show_words(say("The policies could not be kept"), told(sentence))
        self.show_policies()

    def _ask_to_delete(self, policy: Policy) -> None:
        loss = say(
            "Its figures and exceptions are forgotten. What it has released can still be resumed from the journal."
        )
        title = say("Delete the policy “{name}”?", name=policy.name)
        question = Question(title=title, loss=loss, verb=say("Delete"), danger=True)
        dialog = QuestionDialog(question, self.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self._delete(policy.name))
        dialog.open()

    def _delete(self, name: str) -> None:
        self._update(tuple(each for each in self._bridge.backend.policies() if each.name != name))


def _is_other(card: PolicyCard, policy: Policy | None) -> bool:
    """Say whether a card cannot show that policy: it is gone, or is about something else by now."""
    return policy is None or policy.trigger is not card.policy.trigger
