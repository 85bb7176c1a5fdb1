"""What Agent Ring is made of, what it costs now, and where its files lie; all of it can be copied for a report.

What is copied names no user: the home folder is written as "~", and of hosts there is only whether they are found.
"""

from __future__ import annotations

import platform
import sqlite3
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QLocale, qVersion
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from trayapp import __version__
from trayapp.model.snapshot import OwnCost, Snapshot
from trayapp.own_files import OwnFile
from trayapp.say import noted, say
from trayapp.ui import numbers
from trayapp.ui.bridge import Bridge
from trayapp.ui.controls import Button, Hairline
from trayapp.ui.page import Page
from trayapp.ui.reveal import reveal
from trayapp.ui.topic_card import TopicRow, add_card, one_column, value
from trayapp.wording import ABSENT, THIN_SPACE

FILES = {
    "settings": noted("Settings"),
    "history": noted("History"),
    "journal": noted("Journal"),
    "keeps": noted("What you keep"),
    "lineage": noted("Who started whom"),
    "incidents": noted("Incidents"),
    "window": noted("The window's place and columns"),
}
"""What people call each file, in the order of the page."""


def versions() -> tuple[tuple[str, str], ...]:
    """Return what Agent Ring is made of: a name and a version each. Names are no words of a language."""
    return (
        ("Agent Ring", __version__),
        ("Python", platform.python_version()),
        ("Qt", qVersion()),
        ("SQLite", sqlite3.sqlite_version),
        (say("System"), f"{platform.system()} {platform.release()}, {platform.machine()}"),
    )


def cost_words(own: OwnCost | None) -> tuple[str, str, str]:
    """Say memory, CPU, and the CPU time of the last look."""
    if own is None:
        return ABSENT, ABSENT, ABSENT
    held = own.footprint_bytes if own.footprint_bytes is not None else own.rss_bytes
    tick = ABSENT if own.tick_ms is None else f"{QLocale().toString(own.tick_ms, 'f', 1)}{THIN_SPACE}ms"
    return numbers.memory(held), numbers.percent(own.cpu_percent), tick


def short_path(path: Path) -> str:
    """Write a path with "~" for the user's home, as a report and a page can show it."""
    try:
        return str(Path("~") / path.relative_to(Path.home()))
    except ValueError:
        return str(path)


def details(snapshot: Snapshot | None, files: Sequence[OwnFile]) -> str:
    """Return the page as lines of English text for a report, without names, titles and folders of the user."""
    memory, cpu, tick = cost_words(snapshot.own if snapshot is not None else None)
    lines = [f"{name} {version}" for name, version in versions()]
    if snapshot is not None:
        lines.append(f"memory measured as {snapshot.footprint_metric or 'rss'}")
        for instance in snapshot.instances:
            state = "does not answer" if instance.error is not None else "answers"
            lines.append(f"host {instance.host} {instance.version or 'of unknown version'}: {state}")
    lines.append(f"own cost: {memory}, CPU {cpu}, last look {tick}")
    for file in files:
        size = "none yet" if file.size_bytes is None else f"{file.size_bytes} bytes"
        lines.append(f"{file.name}: {short_path(file.path)}, {size}")
    return "\n".join(lines).replace(THIN_SPACE, " ") + "\n"


class AboutPage(Page):
    """Show versions, cost and files; they are asked for when the page is shown."""

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(say("About"), scrolls=True, parent=parent)
        self._bridge = bridge
        self._files: tuple[OwnFile, ...] = ()
        self.copy = Button(say("Copy details"))
        self.copy.setToolTip(say("For a report, without titles and names of yours"))
        self.copy.clicked.connect(self._copy)
        self.head.addWidget(self.copy)
        self.reveals: dict[str, Button] = {}
        self._memory, self._cpu, self._tick, self._metric = (value() for _ in range(4))
        column = QVBoxLayout()
        made_of = [TopicRow(name, "", value(version)) for name, version in versions()]
        add_card(
            column,
            say("Versions"),
            [
                *made_of,
                TopicRow(say("Memory is measured as"), "", self._metric),
            ],
        )
        add_card(
            column,
            say("What Agent Ring itself costs now"),
            [
                TopicRow(say("Memory"), say("Told apart, and not in the ring's total"), self._memory),
                TopicRow(say("CPU"), say("100 % is one core"), self._cpu),
                TopicRow(say("Last look"), say("CPU time to measure and judge everything once"), self._tick),
            ],
        )
        self._file_card = add_card(column, say("Files"), [])
        add_card(
            column,
            say("Licences"),
            [
                TopicRow(
                    say("Agent Ring is under the MIT licence"),
                    say("It is built with Python (PSF), Qt and PySide6 (LGPL 3), SQLite (public domain), and others."),
                )
            ],
        )
        one_column(self.body, column)
        bridge.snapshot_changed.connect(self._take)
        self.show_snapshot(bridge.snapshot)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.copy.setText(say("Copy details"))
        self.copy.updateGeometry()
        self.show_snapshot(self._bridge.snapshot)
        self._bridge.when_done(self._bridge.backend.files(), self._show_files, lambda _sentence: None)

    def _take(self, snapshot: Snapshot) -> None:
        if self.isVisible():
            self.show_snapshot(snapshot)

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        """Show what it costs now, and how memory is measured here."""
        cost = cost_words(snapshot.own if snapshot is not None else None)
        for text, words in zip((self._memory, self._cpu, self._tick), cost, strict=True):
            text.setText(words)
        self._metric.setText(numbers.metric_name(snapshot) if snapshot is not None else ABSENT)

    def _show_files(self, files: Sequence[OwnFile]) -> None:
        if tuple(files) == self._files:
            return
        self._files = tuple(files)
        inner = self._file_card.layout()
        assert isinstance(inner, QVBoxLayout)
        while (item := inner.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self.reveals = {}
        for file in sorted(files, key=lambda each: list(FILES).index(each.name) if each.name in FILES else len(FILES)):
            if self.reveals:
                inner.addWidget(Hairline())
            inner.addWidget(self._file_row(file))

    def _file_row(self, file: OwnFile) -> TopicRow:
        name = say(FILES[file.name]) if file.name in FILES else file.name
        button = self.reveals[file.name] = Button(say("Reveal"), height=25)
        button.setAccessibleName(say("Reveal {name} in its folder", name=name))
        button.clicked.connect(partial(self._reveal, file.path))
        size = say("None yet") if file.size_bytes is None else numbers.memory(file.size_bytes)
        return TopicRow(name, short_path(file.path), value(size), button)

    def _reveal(self, path: Path, _checked: bool = False) -> None:
        reveal(path)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(details(self._bridge.snapshot, self._files))
        self.copy.setText(say("Copied"))
        self.copy.updateGeometry()
