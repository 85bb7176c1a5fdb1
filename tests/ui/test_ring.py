"""The ring's geometry, what its icon tells, and the large ring under pointer and keys."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPixmap
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.ui import scene
from trayapp.model.process import Pressure
from trayapp.model.session import State
from trayapp.model.snapshot import Snapshot
from trayapp.ui import glance, icon, ring, ring_parts
from trayapp.ui.icon import IconKey, IconState, Tone
from trayapp.ui.marks import ORPHAN, SHARED, Mark, MarkKind
from trayapp.ui.ring import Part, RingWidget
from trayapp.ui.tokens import LIGHT

GB = scene.GB
TOTAL = 32 * GB
CLAUDE = Mark(MarkKind.HOST, scene.CLAUDE)


def part(key: str, size_gb: float, *, releasable: bool = False, mark: Mark = CLAUDE) -> Part:
    return Part(key=key, mark=mark, title=key, size_bytes=round(size_gb * GB), releasable=releasable)


def nothing_waits(snapshot: Snapshot) -> Snapshot:
    return scene.without(snapshot, scene.MIGRATE)


# ---- parts and segments


def test_the_first_zone_is_what_stays_and_the_second_what_can_go_hosts_in_order() -> None:
    order = [(p.key, p.releasable) for p in ring.parts(scene.scene())]
    assert order == [
        (scene.FIX, False),
        (scene.MIGRATE, False),
        (scene.UPGRADE, False),
        ("Shared helpers", False),
        (scene.REFACTOR, True),
        (scene.PARSER, True),
        (scene.GUIDE, True),
        (scene.REPORT, True),
        ("Orphans", True),
    ]


def test_the_parts_add_up_to_the_total_that_is_shown() -> None:
    snapshot = scene.scene()
    assert sum(p.size_bytes for p in ring.parts(snapshot)) == snapshot.totals.held_bytes
    can_go = sum(p.size_bytes for p in ring.parts(snapshot) if p.releasable)
    assert can_go == snapshot.totals.reclaimable_bytes


def test_segments_lie_end_to_end_from_12_o_clock() -> None:
    laid = ring.segments(ring.parts(scene.scene()), TOTAL)
    assert laid[0].start == 0
    for one, following in pairwise(laid):
        assert following.start == pytest.approx(one.end)
    assert laid[-1].end == pytest.approx(360 * scene.scene().totals.held_bytes / TOTAL)


def test_parts_under_one_degree_join_into_one_of_their_zone() -> None:
    small = [part(f"s{n}", 0.03) for n in range(4)]
    laid = ring.segments([part("big", 4), *small, part("gone", 0.02, releasable=True)], TOTAL)
    assert [(s.part.title, s.part.releasable) for s in laid] == [
        ("big", False),
        ("4 small ones", False),
        ("gone", True),
    ]


@given(
    sizes=st.lists(st.tuples(st.floats(0.001, 12), st.booleans()), max_size=40),
    total_gb=st.floats(1, 512),
)
def test_no_segment_overlaps_another_and_none_goes_round_twice(
    sizes: list[tuple[float, bool]], total_gb: float
) -> None:
    laid = ring.segments(
        [part(str(n), size, releasable=go) for n, (size, go) in enumerate(sizes)], round(total_gb * GB)
    )
    for one, following in pairwise(laid):
        assert following.start >= one.end - 1e-6
    assert not laid or laid[-1].end <= 360 + 1e-6


def test_angles_run_clockwise_from_12_o_clock() -> None:
    centre = QPointF(50, 50)
    points = [QPointF(50, 0), QPointF(100, 50), QPointF(50, 100), QPointF(0, 50)]
    assert [ring_parts.angle_of(point, centre) for point in points] == pytest.approx([0, 90, 180, 270])


def test_an_arc_begins_at_12_o_clock_and_goes_right() -> None:
    quarter = icon.arc_path(QPointF(50, 50), 30, 40, 0, 90)
    assert quarter.contains(QPointF(50 + 25, 50 - 25))
    assert not quarter.contains(QPointF(50 - 25, 50 - 25))
    assert not quarter.contains(QPointF(50 + 25, 50 + 25))


# ---- the icon


def test_steps_are_5_percent_and_what_is_there_never_vanishes() -> None:
    assert [icon.quantised(share) for share in (0, 0.001, 0.02, 0.05, 0.39, 1.0, 1.7)] == [0, 8, 8, 18, 144, 360, 360]


@pytest.mark.parametrize(
    ("pressure", "paused", "state"),
    [
        (Pressure.CRITICAL, True, IconState.PAUSED),
        (Pressure.CRITICAL, False, IconState.CRITICAL),
        (Pressure.WARNING, False, IconState.WARNING),
        (Pressure.NORMAL, False, IconState.NEEDS_YOU),
    ],
)
def test_the_strongest_state_is_shown(pressure: Pressure, paused: bool, state: IconState) -> None:
    key = glance.icon_key(scene.scene(pressure=pressure), paused=paused, tone=Tone.DARK_BAR)
    assert key.state is state


def test_without_a_snapshot_there_is_no_data_whatever_else() -> None:
    assert glance.icon_key(None, paused=True, tone=Tone.LIGHT_BAR).state is IconState.NO_DATA


def test_with_nobody_waiting_the_icon_shows_both_zones() -> None:
    key = glance.icon_key(nothing_waits(scene.scene()), paused=False, tone=Tone.LIGHT_BAR)
    assert key.state is IconState.RELEASABLE
    assert (key.stays + key.can_go, key.can_go) == (126, 54)


def test_with_nothing_to_release_the_icon_is_one_arc() -> None:
    kept = scene.snapshot_of(tuple(replace(g, decisions=()) for g in nothing_waits(scene.scene()).groups))
    key = glance.icon_key(kept, paused=False, tone=Tone.LIGHT_BAR)
    assert (key.state, key.stays, key.can_go) == (IconState.NORMAL, 126, 0)


def test_a_small_change_does_not_change_the_key() -> None:
    snapshot = scene.scene()
    fix = snapshot.group(scene.FIX)
    assert fix is not None
    larger = scene.with_group(snapshot, replace(fix, footprint_bytes=fix.held_bytes + 50 * scene.MB))
    tone = Tone.LIGHT_BAR
    before, after = (glance.icon_key(s, paused=False, tone=tone) for s in (snapshot, larger))
    assert before == after


def test_only_warning_and_critical_leave_the_mask_of_macos() -> None:
    masks = {state for state in IconState if IconKey(state=state, tone=Tone.TEMPLATE).is_mask}
    assert masks == set(IconState) - {IconState.WARNING, IconState.CRITICAL}


def pixels(pixmap: QPixmap) -> dict[tuple[int, int], QColor]:
    image = pixmap.toImage()
    return {(x, y): image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())}


def key_of(state: IconState) -> IconKey:
    two_zones = state in (IconState.RELEASABLE, IconState.NEEDS_YOU)
    stays, can_go = (90, 54) if two_zones else (144, 0)
    return IconKey(state=state, tone=Tone.LIGHT_BAR, stays=stays, can_go=can_go)


@pytest.mark.parametrize("size", icon.ICON_SIZES)
def test_every_state_has_its_own_shape_without_colour(size: int, qtbot: QtBot) -> None:
    shapes = set()
    for state in IconState:
        shown = pixels(icon.tray_pixmap(size, key_of(state)))
        shapes.add(tuple(sorted(at for at, colour in shown.items() if colour.alpha() > 100)))
    assert len(shapes) == len(IconState)


@pytest.mark.parametrize("size", icon.ICON_SIZES)
def test_nothing_is_cut_off_at_the_edge_of_the_icon(size: int, qtbot: QtBot) -> None:
    for state in IconState:
        corners = [(0, 0), (size - 1, 0), (0, size - 1), (size - 1, size - 1)]
        shown = pixels(icon.tray_pixmap(size, key_of(state)))
        assert all(shown[corner].alpha() == 0 for corner in corners)


def test_the_releasable_zone_is_outlined_from_27_px_and_paler_below(qtbot: QtBot) -> None:
    large = pixels(icon.tray_pixmap(36, key_of(IconState.RELEASABLE)))
    middle = (18 + round(6.6 * 2 * 0.87), 18 + round(6.6 * 2 * 0.5))
    assert large[middle].alpha() < 80
    small = pixels(icon.tray_pixmap(18, key_of(IconState.RELEASABLE)))
    zone = small[(9 + 5, 9 + 3)]
    assert 80 < zone.alpha() < 170


def test_critical_is_a_disc_with_the_sign_cut_out(qtbot: QtBot) -> None:
    shown = pixels(icon.tray_pixmap(18, key_of(IconState.CRITICAL)))
    assert shown[(4, 9)] == QColor("#D93A30")
    assert shown[(8, 6)].alpha() == 0


def test_an_icon_is_made_once_per_key_with_all_sizes(qtbot: QtBot) -> None:
    cache = icon.IconCache()
    first = cache.icon(key_of(IconState.NORMAL))
    assert cache.icon(key_of(IconState.NORMAL)).cacheKey() == first.cacheKey()
    assert sorted(size.width() for size in first.availableSizes()) == list(icon.ICON_SIZES)
    assert len(cache) == 1


def test_a_narrow_zone_can_still_be_seen(qtbot: QtBot) -> None:
    key = IconKey(state=IconState.RELEASABLE, tone=Tone.LIGHT_BAR, stays=8, can_go=8)
    for size in icon.ICON_SIZES:
        shown = pixels(icon.tray_pixmap(size, key))
        top = [colour.alpha() for (x, y), colour in shown.items() if y < size / 3 and x >= size / 2]
        assert max(top) > 100


# ---- the large ring


@pytest.fixture
def widget(qtbot: QtBot) -> RingWidget:
    made = RingWidget(ring.POPOVER)
    qtbot.addWidget(made)
    made.show_snapshot(scene.scene())
    return made


def on_segment(widget: RingWidget, key: str) -> QPointF:
    """Return a point in the middle of a segment."""
    segment = next(s for s in widget.segments if s.part.key == key)
    angle = math.radians(segment.start + segment.span / 2)
    centre, radius = widget.rect().center(), 67.0
    return QPointF(centre.x() + radius * math.sin(angle), centre.y() - radius * math.cos(angle))


def test_the_pointer_on_a_segment_names_it(widget: RingWidget, qtbot: QtBot) -> None:
    told: list[str] = []
    widget.pointed.connect(told.append)
    widget.show()
    QTest.mouseMove(widget, on_segment(widget, scene.REFACTOR).toPoint())
    qtbot.waitUntil(lambda: told == [scene.REFACTOR])
    QTest.mouseMove(widget, widget.rect().center())
    qtbot.waitUntil(lambda: told == [scene.REFACTOR, ""])


def test_a_click_on_a_segment_chooses_it(widget: RingWidget, qtbot: QtBot) -> None:
    with qtbot.waitSignal(widget.chosen) as chosen:
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=on_segment(widget, scene.FIX).toPoint())
    assert chosen.args == [scene.FIX]


def test_arrow_keys_go_round_the_segments_and_enter_chooses(widget: RingWidget, qtbot: QtBot) -> None:
    QTest.keyClick(widget, Qt.Key.Key_Right)
    assert widget.marked == scene.FIX
    QTest.keyClick(widget, Qt.Key.Key_Left)
    assert widget.marked == "Orphans"
    with qtbot.waitSignal(widget.chosen) as chosen:
        QTest.keyClick(widget, Qt.Key.Key_Return)
    assert chosen.args == ["Orphans"]


def test_the_same_snapshot_repaints_nothing(widget: RingWidget, monkeypatch: pytest.MonkeyPatch) -> None:
    repainted: list[bool] = []
    monkeypatch.setattr(widget, "update", lambda: repainted.append(True))
    widget.show_snapshot(scene.scene())
    assert not repainted
    widget.show_snapshot(scene.without(scene.scene(), scene.FIX))
    assert repainted == [True]


def test_the_ring_can_be_heard(widget: RingWidget) -> None:
    said = "Agent Ring, 12.4 of 32\u202fGB held, 5.1\u202fGB can be released, 1 session waits for you"
    assert widget.accessibleName() == said
    assert "Claude Code, Refactor settings page, 1.9\u202fGB, can be released" in widget.accessibleDescription()
    assert "Shared helpers, 2.2\u202fGB" in widget.accessibleDescription()


def test_the_tooltip_counts_those_that_wait() -> None:
    snapshot = scene.scene()
    fix = snapshot.group(scene.FIX)
    assert fix is not None
    assert fix.verdict is not None
    two = scene.with_group(snapshot, replace(fix, verdict=replace(fix.verdict, state=State.WAITING)))
    assert glance.spoken(two).endswith("2 sessions wait for you")
    assert glance.spoken(scene.empty()) == "Agent Ring, 0 of 32\u202fGB held"
    assert glance.spoken(None) == "Agent Ring, nothing measured yet"


def test_every_ring_can_be_painted_in_both_looks(look: str, qtbot: QtBot) -> None:
    for size in (ring.POPOVER, ring.FIRST_RUN, ring.SIDEBAR):
        for snapshot in (scene.scene(), scene.empty(), None):
            made = RingWidget(size)
            qtbot.addWidget(made)
            made.show_snapshot(snapshot)
            assert not made.grab().isNull()


def test_shared_helpers_and_orphans_take_no_host_colour() -> None:
    assert SHARED.colour(LIGHT) == LIGHT.neutral
    assert ORPHAN.colour(LIGHT) == LIGHT.ink
