"""Nothing moves where the user, or the system, wants it still; what moves comes to rest by itself."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.ui import scene
from tests.ui.fake_backend import FakeBackend
from trayapp.settings import Settings
from trayapp.ui import motion, ring, ring_parts
from trayapp.ui.bridge import Bridge
from trayapp.ui.popover import Popover
from trayapp.ui.ring import RingWidget

ICON = QRect(600, 0, 22, 24)


@pytest.mark.parametrize(
    ("setting", "system_reduces", "moves"),
    [("auto", False, True), ("auto", True, False), ("on", True, True), ("off", False, False)],
)
def test_the_setting_counts_before_the_system(setting: str, system_reduces: bool, moves: bool) -> None:
    assert motion.wanted(setting, system_reduces=lambda: system_reduces) is moves


def test_what_nobody_sees_does_not_move(qapp: QApplication) -> None:
    assert motion.system_reduces_motion()


@pytest.mark.parametrize(
    ("file", "text", "still"),
    [
        ("gtk-3.0/settings.ini", "[Settings]\ngtk-enable-animations=false\n", True),
        ("gtk-4.0/settings.ini", "[Settings]\ngtk-enable-animations = 0\n", True),
        ("gtk-3.0/settings.ini", "[Settings]\ngtk-enable-animations=true\ngtk-theme-name=x\n", False),
        ("kdeglobals", "[KDE]\nAnimationDurationFactor=0\n", True),
        ("kdeglobals", "[KDE]\nAnimationDurationFactor=0.5\n", False),
        ("kdeglobals", "\x00not a settings file", False),
    ],
)
def test_a_linux_desktop_tells_in_its_files(file: str, text: str, still: bool, tmp_path: Path) -> None:
    assert not motion._desktop_is_still(tmp_path)
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text(text)
    assert motion._desktop_is_still(tmp_path) is still


@pytest.mark.qt_log_ignore("does not support setting window opacity")
def test_a_window_fades_in_and_is_there_at_the_end(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    motion.fade_in(window, moves=True)
    window.show()
    motion.fade_in(window, moves=True)
    qtbot.waitUntil(lambda: window.windowOpacity() == 1.0)
    motion.fade_in(window, moves=False)
    assert window.windowOpacity() == 1.0


def test_what_moves_ends_with_its_owner(qtbot: QtBot) -> None:
    seen: list[float] = []
    ended: list[bool] = []
    owner = QWidget()
    motion.run(owner, seen.append, lambda: ended.append(True))
    qtbot.waitUntil(lambda: bool(ended))
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
    motion.run(owner, seen.append, lambda: ended.append(True))
    owner.deleteLater()
    QApplication.processEvents()
    assert len(ended) == 1


# ---- the ring


def test_on_the_way_what_went_shrinks_and_what_came_grows_end_to_end() -> None:
    before = ring.segments(ring.parts(scene.scene()), 32 * scene.GB)
    after = ring.segments(ring.parts(scene.without(scene.scene(), scene.REFACTOR)), 32 * scene.GB)
    assert ring_parts.between(before, after, 0.0) == before
    there = ring_parts.between(before, after, 1.0)
    assert [segment.part.key for segment in there] == [segment.part.key for segment in after]
    assert [segment.start for segment in there] == pytest.approx([segment.start for segment in after])
    half = ring_parts.between(before, after, 0.5)
    spans = {s.part.key: s.span for s in half}
    assert spans[scene.REFACTOR] == pytest.approx(next(s.span for s in before if s.part.key == scene.REFACTOR) / 2)
    for one, following in pairwise(half):
        assert following.start == pytest.approx(one.end)


def test_the_ring_moves_after_an_action_only(qtbot: QtBot) -> None:
    widget = RingWidget(ring.POPOVER)
    qtbot.addWidget(widget)
    widget.show_snapshot(scene.scene())
    less = scene.without(scene.scene(), scene.REFACTOR)
    widget.show_snapshot(less)
    assert widget._drawn == widget.segments
    widget.show_snapshot(scene.scene(), moves=True)
    assert widget._drawn != widget.segments
    qtbot.waitUntil(lambda: widget._drawn == widget.segments)


# ---- the popover


def moving(popover: Popover) -> object:
    return popover.ring._moving


@pytest.mark.qt_log_ignore("does not support setting window opacity")
def test_a_tick_moves_nothing_and_the_row_of_an_action_closes_slowly(
    qtbot: QtBot, bridge: Bridge, backend: FakeBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    monkeypatch.setattr("trayapp.ui.row_list.time.monotonic", lambda: now[0])
    backend.settings = Settings(motion="on")
    backend.at_once = True
    popover = Popover(bridge)
    qtbot.addWidget(popover)
    popover.show_at(ICON)
    qtbot.waitUntil(lambda: popover.windowOpacity() == 1.0)
    with qtbot.waitSignal(bridge.snapshot_changed):
        backend.publish(scene.without(scene.scene(), scene.REPORT))
    assert moving(popover) is None
    with qtbot.waitSignal(bridge.action_finished):
        popover.rows.row(scene.PARSER).button.click()
    with qtbot.waitSignal(bridge.snapshot_changed):
        backend.publish(scene.without(scene.scene(), scene.REPORT, scene.PARSER))
    assert moving(popover) is not None
    qtbot.waitUntil(lambda: moving(popover) is None)
    row = popover.rows.row(scene.PARSER)
    height = row.height()
    gone: list[bool] = []
    row.destroyed.connect(lambda: gone.append(True))
    now[0] += 121
    popover.rows.refresh()
    assert scene.PARSER not in popover.rows.keys
    assert row.height() == height
    qtbot.waitUntil(lambda: bool(gone))
    popover.hide()
