"""A host's heap on every face: its gauge, its card, releases inside of it, its chart, and what is put into a host."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.ui import scene
from tests.ui.fake_backend import FakeBackend
from tests.ui.screenshots_window import NoLogin
from trayapp.model.incident import IncidentKind
from trayapp.model.process import Identity, Pressure
from trayapp.model.receipt import Progress
from trayapp.model.series import Layer, Series, SeriesQuery
from trayapp.model.setup import HostSetup
from trayapp.model.snapshot import Snapshot
from trayapp.targets import Offer, decision_of, target_of
from trayapp.ui import chart_data, glance, heap_view, icon, ring, row_view
from trayapp.ui.bridge import Bridge
from trayapp.ui.controls import Text
from trayapp.ui.fullness import Fullness, fullness
from trayapp.ui.glance import HEAP, MACHINE
from trayapp.ui.icon import IconKey, IconState, Tone
from trayapp.ui.incident_entry import IncidentEntry
from trayapp.ui.journal_page import Kept
from trayapp.ui.popover import Popover
from trayapp.ui.review import ReviewDialog
from trayapp.ui.setup_dialog import SetupDialog
from trayapp.ui.sidebar import PageName
from trayapp.ui.tree import Column
from trayapp.ui.window import MainWindow

THIN = "\u202f"
GB = scene.GB
TONE = Tone.LIGHT_BAR
COLLECTION = "Waiting for the heap's next full collection"


@pytest.fixture
def backend() -> FakeBackend:
    """Return a scripted core that has published the scene of a heap host."""
    return FakeBackend(scene.heap_scene())


@pytest.fixture
def popover(qtbot: QtBot, bridge: Bridge) -> Iterator[Popover]:
    made = Popover(bridge)
    qtbot.addWidget(made)
    made.show_at(QRect(600, 0, 22, 24))
    QApplication.processEvents()
    yield made
    made.hide()


@pytest.fixture
def window(qtbot: QtBot, bridge: Bridge, backend: FakeBackend) -> MainWindow:
    made = MainWindow(backend, bridge, login=NoLogin())
    qtbot.addWidget(made)
    made.show()
    QApplication.processEvents()
    return made


@pytest.fixture
def publish(qtbot: QtBot, bridge: Bridge, backend: FakeBackend) -> Callable[[Snapshot], None]:
    def send(snapshot: Snapshot) -> None:
        with qtbot.waitSignal(bridge.snapshot_changed):
            backend.publish(snapshot)

    return send


def texts(widget: QWidget) -> list[str]:
    return [text.text() for text in widget.findChildren(Text) if text.isVisible()]


def waits_for_collection(waited_s: float = 12.0) -> Progress:
    return Progress(
        done=4, total=4, title=COLLECTION, label=COLLECTION, waited_s=waited_s, wait_s=60.0, came_back_bytes=0
    )


def nobody_waits(snapshot: Snapshot) -> Snapshot:
    return scene.without(snapshot, scene.MIGRATE)


# ---- the tray


@pytest.mark.parametrize(
    ("used_gb", "growth_mb_per_h", "expected"),
    [
        (6.3, 420, Fullness.FINE),
        (7.0, 0, Fullness.WARNING),
        (7.8, 0, Fullness.CRITICAL),
        (6.3, 2200, Fullness.WARNING),
        (6.3, 1800, Fullness.FINE),
    ],
)
def test_a_heap_warns_from_85_percent_or_when_full_within_an_hour(
    used_gb: float, growth_mb_per_h: float, expected: Fullness
) -> None:
    assert fullness(scene.heap_use(used_gb=used_gb, growth_mb_per_h=growth_mb_per_h)) is expected


def test_a_heap_that_is_nearly_full_shows_in_the_tray_whatever_was_chosen() -> None:
    warning = glance.icon_key(scene.heap_scene(used_gb=7.2), paused=False, tone=TONE, shows=MACHINE)
    assert (warning.state, warning.gauge, warning.stays) == (IconState.WARNING, True, 324)
    critical = glance.icon_key(scene.heap_scene(used_gb=7.95), paused=False, tone=TONE, shows=MACHINE)
    assert critical.state is IconState.CRITICAL


def test_memory_that_runs_shorter_than_a_heap_goes_first() -> None:
    short = scene.heap_scene(used_gb=6.3, pressure=Pressure.WARNING)
    key = glance.icon_key(short, paused=False, tone=TONE, shows=HEAP)
    assert (key.state, key.gauge) == (IconState.WARNING, False)


def test_the_ring_shows_the_fullest_heap_when_that_was_chosen() -> None:
    seen = nobody_waits(scene.heap_scene())
    chosen = glance.icon_key(seen, paused=False, tone=TONE, shows=HEAP)
    assert chosen.state is IconState.HEAP
    assert (chosen.stays + chosen.can_go, chosen.can_go) == (270, 144)
    assert glance.icon_key(seen, paused=False, tone=TONE, shows=MACHINE).state is IconState.RELEASABLE
    waiting = glance.icon_key(scene.heap_scene(), paused=False, tone=TONE, shows=HEAP)
    assert (waiting.state, waiting.gauge) == (IconState.NEEDS_YOU, True)


def test_without_a_heap_that_is_told_of_the_ring_is_of_memory() -> None:
    key = glance.icon_key(scene.heap_scene(plugin=False), paused=False, tone=TONE, shows=HEAP)
    assert (key.state, key.gauge) == (IconState.NEEDS_YOU, False)


def test_the_tooltip_tells_of_the_heap_in_the_same_line() -> None:
    assert f"heap of DSH 6.3{THIN}GB of 8.2{THIN}GB (77{THIN}%)" in glance.spoken(scene.heap_scene())
    full = glance.spoken(scene.heap_scene(used_gb=7.95))
    assert f"heap of DSH 8.0{THIN}GB of 8.2{THIN}GB (97{THIN}%), full in 36{THIN}min" in full
    assert "\n" not in full


@pytest.mark.parametrize("size", icon.ICON_SIZES)
@pytest.mark.parametrize("state", [IconState.HEAP, IconState.NEEDS_YOU, IconState.PAUSED])
def test_a_gauge_is_open_at_the_bottom_in_every_state(size: int, state: IconState, qtbot: QtBot) -> None:
    key = IconKey(state=state, tone=TONE, stays=200, can_go=100, gauge=True)
    image = icon.tray_pixmap(size, key).toImage()
    column = [image.pixelColor(size // 2, y).alpha() for y in range(size - max(4, size // 4), size)]
    assert max(column) == 0
    assert image.pixelColor(size // 2, max(1, round(size * 2.4 / 18))).alpha() > 60


def test_the_gauge_comes_back_after_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "icon.txt"
    key = IconKey(state=IconState.NEEDS_YOU, tone=TONE, stays=200, can_go=30, gauge=True)
    icon.write_key(file, key)
    assert icon.read_key(file) == replace(key, old=True)


# ---- the gauge


def test_a_heap_is_cut_into_what_is_shared_what_stays_and_what_can_go() -> None:
    heap = scene.heap_use()
    parts = ring.heap_parts(heap, scene.heap_scene())
    assert sum(part.size_bytes for part in parts) == heap.used_bytes
    assert sum(part.size_bytes for part in parts if part.releasable) == heap.releasable_bytes
    assert [part.key for part in parts][:2] == [ring.SHARED_HEAP, scene.LEDGER]
    assert [part.key for part in parts][-4:] == list(scene.DSH_RELEASABLE)


def test_estimates_beyond_what_is_used_are_drawn_smaller() -> None:
    parts = ring.heap_parts(replace(scene.heap_use(), used_bytes=2 * GB), scene.heap_scene())
    assert sum(part.size_bytes for part in parts) == pytest.approx(2 * GB, abs=20)


def test_a_gauge_runs_from_the_bottom_left_to_its_limit() -> None:
    heap = scene.heap_use()
    laid = ring.segments(ring.heap_parts(heap, scene.heap_scene()), heap.limit_bytes or 0, gauge=True)
    assert laid[0].start == -135
    assert laid[-1].end == pytest.approx(-135 + 270 * (heap.share or 0))


# ---- the popover


def test_the_card_tells_of_the_heap_and_offers_only_its_sessions(popover: Popover, qtbot: QtBot) -> None:
    (card,) = popover.heaps.cards
    assert texts(card) == [
        "Heap of DSH",
        f"6.3{THIN}GB of 8.2{THIN}GB (77{THIN}%)",
        f"≈4.1{THIN}GB in sessions, ≈3.2{THIN}GB can be released now",
        f"Grows 0.4{THIN}GB an hour, full in 4{THIN}h 37{THIN}min",
    ]
    assert card.button.text() == f"Release 4 sessions, ≈3.2{THIN}GB heap…"
    with qtbot.waitSignal(popover.heap_review_asked) as asked:
        card.button.click()
    assert asked.args == [scene.DSH_HOST]


@pytest.mark.parametrize(
    ("used_gb", "title"), [(7.2, "The heap of DSH fills up"), (7.95, "The heap of DSH is nearly full")]
)
def test_the_card_says_first_that_the_heap_fills_up(
    used_gb: float, title: str, popover: Popover, publish: Callable[[Snapshot], None]
) -> None:
    publish(scene.heap_scene(used_gb=used_gb))
    assert popover.heaps.cards[0].title.text() == title
    assert popover.heaps.cards[0].accessibleName().startswith(title)


def test_what_a_heap_holds_is_in_no_sum_of_memory(popover: Popover) -> None:
    assert popover.block.title.text() == f"3.2{THIN}GB can be released now"
    assert popover.block.second.text() == "2 idle sessions"
    assert popover.ring.accessibleName().startswith(f"Agent Ring, 14.0 of 32{THIN}GB held")


def test_with_nothing_but_heap_to_release_the_block_says_so(
    popover: Popover, publish: Callable[[Snapshot], None]
) -> None:
    publish(scene.without(scene.heap_scene(), scene.REFACTOR, scene.PARSER))
    assert popover.block.title.text() == f"≈3.2{THIN}GB of heap can be released now"
    assert popover.block.second.text() == "4 idle sessions"
    assert popover.block.button.isVisible()


def test_sessions_in_a_heap_stand_among_the_others_by_what_they_hold(popover: Popover) -> None:
    shown = [(r.view.title, r.view.memory) for r in map(popover.rows.row, popover.rows.keys)]
    assert shown[3:6] == [
        ("Write parser benchmarks", f"1.3{THIN}GB"),
        ("Rework the ingest pipeline", f"≈1.3{THIN}GB heap"),
        ("Compare vector stores", f"≈0.9{THIN}GB heap"),
    ]
    assert popover.rows.row(scene.LEDGER).view.offer is Offer.NONE
    assert popover.rows.row(scene.TERMINAL).view.offer is Offer.WHY


def test_a_session_with_processes_of_its_own_tells_both() -> None:
    fix = scene.heap_scene().group(scene.FIX)
    assert fix is not None
    both = replace(fix, heap_of=scene.DSH_HOST, retained_bytes=120 * scene.MB)
    assert heap_view.held_words(both) == f"2.3{THIN}GB + ≈0.1{THIN}GB heap"


def test_the_pointer_on_a_segment_of_the_heap_marks_its_row(popover: Popover) -> None:
    (card,) = popover.heaps.cards
    card.gauge.pointed.emit(scene.INGEST)
    assert popover.rows.row(scene.INGEST)._marked
    popover.rows.row(scene.LEDGER).pointed.emit(scene.LEDGER)
    assert card.gauge.marked == scene.LEDGER


def test_a_segment_opens_its_session_and_the_shared_part_nothing(popover: Popover, qtbot: QtBot) -> None:
    (card,) = popover.heaps.cards
    with qtbot.waitSignal(popover.session_asked) as asked:
        card.gauge.chosen.emit(scene.INGEST)
    assert asked.args == [scene.INGEST]
    with qtbot.assertNotEmitted(popover.session_asked):
        card.gauge.chosen.emit(ring.SHARED_HEAP)


def test_without_the_plugin_the_card_says_what_is_missing(
    popover: Popover, publish: Callable[[Snapshot], None], qtbot: QtBot
) -> None:
    publish(scene.heap_scene(plugin=False))
    assert not popover.heaps.cards
    (card,) = popover.heaps.silent
    assert texts(card)[0] == "11 sessions in the heap of DSH"
    assert texts(card)[1].startswith(f"7.1{THIN}GB of RSS, at most 8.2{THIN}GB of heap. How full it is")
    assert popover.rows.row(scene.INGEST).view.memory == "–"
    with qtbot.waitSignal(popover.setup_asked) as asked:
        card.button.click()
    assert asked.args == ["dsh"]


def test_more_heaps_than_there_is_room_for_are_counted(popover: Popover, publish: Callable[[Snapshot], None]) -> None:
    seen = scene.heap_scene()
    (heap,) = seen.heaps
    more = tuple(replace(heap, identity=Identity(6000 + n, 1), used_bytes=GB) for n in range(3))
    publish(replace(seen, heaps=(*more, heap)))
    assert len(popover.heaps.cards) == 2
    assert popover.heaps.cards[0].title.text() == "Heap of DSH"
    assert f"6.3{THIN}GB" in popover.heaps.cards[0].used.text()
    assert "2 more heaps, in the window" in texts(popover.heaps)
    publish(scene.scene())
    assert not popover.heaps.isVisible()


# ---- review, progress, receipt


@pytest.fixture
def review(qtbot: QtBot, bridge: Bridge) -> ReviewDialog:
    made = ReviewDialog(bridge, scene.heap_scene(), heap=scene.DSH_HOST)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(made)
    made.show()
    return made


def test_the_review_of_a_heap_lists_only_its_sessions(review: ReviewDialog) -> None:
    items = review.list_page.items
    assert {item.group.host for item in items} == {"dsh"}
    assert [item.group.key for item in items if item.box.isChecked()] == list(scene.DSH_RELEASABLE)
    said = texts(review)
    assert f"Release ≈3.2{THIN}GB of heap?" in said
    assert "In the heap of DSH" in said
    assert "its host would refuse: a terminal is open in it" in said
    assert review.list_page.agree.text() == f"Release ≈3.2{THIN}GB of heap"


def test_the_review_of_all_keeps_memory_and_heap_apart(qtbot: QtBot, bridge: Bridge) -> None:
    dialog = ReviewDialog(bridge, scene.heap_scene())
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    dialog.show()
    assert f"Release 3.2{THIN}GB and ≈3.2{THIN}GB of heap?" in texts(dialog)
    assert dialog.list_page.agree.accessibleName() == f"Release 6, about 3.2{THIN}GB and ≈3.2{THIN}GB of heap"


def test_the_wait_for_the_collection_is_told_and_can_be_stopped(
    review: ReviewDialog, backend: FakeBackend, qtbot: QtBot
) -> None:
    review.list_page.agree.click()
    backend.report(waits_for_collection())
    page = review.running_page
    qtbot.waitUntil(lambda: page.title.text() == "Released, the heap follows")
    assert page.label.text() == f"{COLLECTION}, 12{THIN}s of 1{THIN}min"
    assert page.bar.value() == 200
    assert (page.stop.text(), page.stop.isVisible()) == ("Stop waiting", True)
    page.stop.click()
    assert backend.stopped_after_current == 1
    backend.finish()


@pytest.mark.parametrize(
    ("collected", "words", "title"),
    [
        (True, f"DSH: heap 6.3{THIN}GB → 3.2{THIN}GB", f"3.1{THIN}GB of heap came back"),
        (
            False,
            f"DSH: heap 6.3{THIN}GB → 5.9{THIN}GB; its next full collection has not come within 1{THIN}min,"
            " more comes back then",
            f"0.4{THIN}GB of heap came back",
        ),
    ],
)
def test_the_receipt_tells_of_the_heap_before_and_after(
    collected: bool, words: str, title: str, review: ReviewDialog, backend: FakeBackend, qtbot: QtBot
) -> None:
    review.list_page.agree.click()
    asked = {target.group_key: target for target in backend.asked[0][0]}
    receipt = scene.heap_receipt(collected=collected)
    outcomes = [o for o in receipt.outcomes if o.target.group_key in asked]
    backend.finish(replace(receipt, outcomes=tuple(replace(o, target=asked[o.target.group_key]) for o in outcomes)))
    qtbot.waitUntil(lambda: review.receipt_page is not None)
    said = texts(review)
    assert title in said
    assert words in said
    assert any("resident memory follows late" in text for text in said)
    assert f"≈1.3{THIN}GB" in said


def test_a_row_says_that_it_waits_for_the_heap_and_what_it_gave_up(
    popover: Popover, backend: FakeBackend, qtbot: QtBot
) -> None:
    row = popover.rows.row(scene.INGEST)
    row.button.click()
    backend.report(waits_for_collection())
    qtbot.waitUntil(lambda: row.view.words == f"Heap is awaited, 12{THIN}s of 1{THIN}min")
    assert row.view.share == pytest.approx(0.2)
    backend.finish(replace(scene.heap_receipt(), outcomes=scene.heap_receipt().outcomes[:1]))
    qtbot.waitUntil(lambda: row.view.words == f"Released, ≈1.3{THIN}GB of heap")


def test_an_action_that_waits_ends_the_wait_for_a_heap(bridge: Bridge, backend: FakeBackend, qtbot: QtBot) -> None:
    first, second = (backend.latest.group(key) for key in scene.DSH_RELEASABLE[:2]) if backend.latest else (None, None)
    assert first is not None
    assert second is not None
    targets = [target_of(group, decision) for group in (first, second) if (decision := decision_of(group))]
    bridge.reclaim(targets[:1], "menu bar")
    with qtbot.waitSignal(bridge.progress_changed):
        backend.report(waits_for_collection())
    assert backend.stopped_after_current == 0
    bridge.reclaim(targets[1:], "menu bar")
    assert backend.stopped_after_current == 1
    backend.finish()
    qtbot.waitUntil(lambda: len(backend.asked) == 2)
    assert backend.stopped_after_current == 1
    backend.finish()


def test_the_bar_of_the_window_tells_it_too(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    found = scene.heap_scene().group(scene.INGEST)
    assert found is not None
    decision = decision_of(found)
    assert decision is not None
    window.act(found, decision)
    backend.report(waits_for_collection())
    qtbot.waitUntil(lambda: window.bar.words[0] == "Released, the heap follows")
    assert window.bar.stop.isVisible()
    assert window.bar.stop.text() == "Stop waiting"
    backend.finish(replace(scene.heap_receipt(), outcomes=scene.heap_receipt().outcomes[:1]))
    qtbot.waitUntil(lambda: window.bar.words[0] == f"3.1{THIN}GB of heap came back")
    assert f"Heap 6.3{THIN}GB → 3.2{THIN}GB" in window.bar.words[1]


# ---- putting something into a host


@pytest.fixture
def setup(qtbot: QtBot, bridge: Bridge) -> SetupDialog:
    made = SetupDialog(bridge, "dsh", "DSH")
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: bool(made.offers))
    return made


def test_everything_that_would_be_written_is_listed_before_anything_is(
    setup: SetupDialog, backend: FakeBackend
) -> None:
    said = [text.replace("\u200b", "") for text in texts(setup)]
    assert "Put the plugin into DSH?" in said
    for step in scene.host_setups("dsh")[0].steps:
        assert step in said
    assert "~/.dsh/profiles/desktop/cordis.patch.yml is left alone: line 4 is no list" in said
    assert setup.focusWidget() is setup.cancel
    assert backend.set_ups == []


def test_what_was_agreed_to_is_done_and_the_way_back_is_told(
    setup: SetupDialog, backend: FakeBackend, qtbot: QtBot
) -> None:
    setup.agree.click()
    qtbot.waitUntil(lambda: setup.cancel.text() == "Done")
    assert backend.set_ups == ["web"]
    assert setup.offers[0].undo.isVisible()
    assert setup.offers[0].undo.text == "agentring hosts dsh remove-plugin --profile web"
    assert not setup.agree.isVisible()


def test_with_nothing_ticked_there_is_nothing_to_agree_to(setup: SetupDialog) -> None:
    setup.offers[0].box.click()
    assert not setup.agree.isEnabled()


def test_what_could_not_be_done_is_told(setup: SetupDialog, backend: FakeBackend, qtbot: QtBot) -> None:
    failed: Future[None] = Future()
    failed.set_exception(OSError("~/.dsh is read-only"))
    backend.set_up = lambda offer: failed  # type: ignore[method-assign]
    setup.agree.click()
    qtbot.waitUntil(lambda: "~/.dsh is read-only" in texts(setup))
    assert not setup.offers[0].undo.isVisible()


def test_where_nothing_can_be_put_it_says_so(qtbot: QtBot, bridge: Bridge) -> None:
    dialog = SetupDialog(bridge, "codex", "Codex")
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: any(text.startswith("Nothing was found") for text in texts(dialog)))
    assert not dialog.agree.isEnabled()


def test_what_is_there_already_needs_no_agreement(qtbot: QtBot, bridge: Bridge, backend: FakeBackend) -> None:
    there: Future[tuple[HostSetup, ...]] = Future()
    there.set_result((HostSetup(key="web", host="dsh", title="Profile “web”"),))
    backend.host_setups = lambda _host: there  # type: ignore[method-assign,assignment,return-value]
    dialog = SetupDialog(bridge, "dsh", "DSH")
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: "It is there already" in texts(dialog))
    assert not dialog.agree.isEnabled()


# ---- the window


def test_the_chart_shows_the_heap_above_and_resident_memory_below(
    window: MainWindow, backend: FakeBackend, qtbot: QtBot
) -> None:
    card = window.overview.chart
    assert card.view.isVisible()
    card.show_view("heap")
    qtbot.waitUntil(lambda: card.heap_chart.series is not None)
    assert len(backend.heap_queries) == 1
    shown = card.heap_chart.series
    assert shown is not None
    (layer,) = shown.layers
    assert layer.memory_bytes[-1] == 6.3 * GB
    assert layer.cpu_percent[-1] == 7.1 * GB
    assert card.heap_chart.overlay.limit_bytes == scene.DSH_LIMIT
    assert not card.stack.isVisible()
    card.heap_chart.show_crosshair(scene.NOW_EPOCH_S)
    assert not card.heap_chart.grab().isNull()
    card.show_view("memory")
    assert card.chart.isVisible()
    assert not card.heap_chart.isVisible()


def test_a_range_that_was_moved_to_stays_when_the_heap_is_shown(
    window: MainWindow, backend: FakeBackend, qtbot: QtBot
) -> None:
    card = window.overview.chart
    qtbot.waitUntil(lambda: card.chart.series is not None)
    since, until = scene.NOW_EPOCH_S - 9000, scene.NOW_EPOCH_S - 5400
    card.chart.show_series(scene.series(SeriesQuery(since_epoch_s=since, until_epoch_s=until)), since, until)
    card.chart.range_moved.emit(since, until)
    card.show_view("heap")
    assert (backend.heap_queries[-1].since_epoch_s, backend.heap_queries[-1].until_epoch_s) == (since, until)


def test_without_a_heap_there_is_no_choice_of_charts(qtbot: QtBot) -> None:
    backend = FakeBackend(scene.scene())
    bridge = Bridge(backend)
    window = MainWindow(backend, bridge, login=NoLogin())
    qtbot.addWidget(window)
    window.show()
    assert not window.overview.chart.view.isVisible()
    assert window.overview.view.isColumnHidden(Column.HEAP)
    window.close()
    bridge.close()
    bridge.deleteLater()


def test_an_incident_stands_in_the_chart_by_its_first_clause(window: MainWindow, qtbot: QtBot) -> None:
    card = window.overview.chart
    card.show_view("heap")
    qtbot.waitUntil(lambda: card.heap_chart.series is not None)
    assert card.heap_chart.overlay.mark_words() == (f"\u22121.6{THIN}GB", "DSH ended with its heap full")


def layer(key: str, *values: float | None) -> Layer:
    return Layer(key=key, host="dsh", title=key, memory_bytes=values, cpu_percent=(None,) * len(values))


def test_a_host_that_was_started_anew_goes_on_in_the_same_layer() -> None:
    first, second = layer("heap:1:1", 5, 6, None), layer("heap:2:2", None, 1, 2)
    resident = (layer("rss:1:1", 7, 8, None), layer("rss:2:2", None, 3, 3))
    at = Series(times_epoch_s=(0.0, 60.0, 120.0), column_s=60.0, layers=(second, first, *resident))
    (made,) = chart_data.heap_over_rss(at).layers
    assert list(made.memory_bytes) == [5, 6, 2]
    assert list(made.cpu_percent) == [7, 8, 3]
    other = replace(second, key="heap:3:3", host="another")
    assert len(chart_data.heap_over_rss(replace(at, layers=(first, other))).layers) == 2


def test_a_limit_is_drawn_unless_heaps_stand_on_each_other() -> None:
    before, after = layer("heap:1:1", 5, 5, None, None), layer("heap:2:2", None, None, 3, 3)
    limit = layer("limit:1:1", 8, 8, None, None)
    at = Series(times_epoch_s=(0.0, 60.0, 120.0, 180.0), column_s=60.0, layers=(before, limit, after))
    assert chart_data.heap_limit(at) == 8
    beside = replace(at, layers=(before, limit, layer("heap:3:3", 4, 4, 4, 4)))
    assert chart_data.heap_limit(beside) is None
    assert chart_data.heap_limit(replace(at, layers=())) is None


def test_a_heap_whose_resident_memory_is_not_known_has_none() -> None:
    at = Series(times_epoch_s=(0.0, 60.0), column_s=60.0, layers=(layer("heap:1:1", 5, 6),))
    (made,) = chart_data.heap_over_rss(at).layers
    assert made.cpu_percent == (None, None)


def test_the_tree_has_a_column_for_heaps(window: MainWindow) -> None:
    view, tree = window.overview.view, window.overview.tree
    assert not view.isColumnHidden(Column.HEAP)
    row = tree.index_of_group(scene.INGEST)
    assert row.siblingAtColumn(Column.HEAP).data() == f"≈1.3{THIN}GB"
    assert row.siblingAtColumn(Column.MEMORY).data() == "–"
    name = row.data(Qt.ItemDataRole.AccessibleTextRole)
    assert name == f"Rework the ingest pipeline, DSH, Idle 4{THIN}h 18{THIN}min, ≈1.3{THIN}GB of heap"
    button = row.siblingAtColumn(Column.BUTTON).data(Qt.ItemDataRole.AccessibleTextRole)
    assert button == f"Release Rework the ingest pipeline, about ≈1.3{THIN}GB of heap"
    inside = [tree.node(tree.index(n, 0, row.parent())).key for n in range(12)]
    assert inside[:6] == [scene.DSH_INFRA, *scene.DSH_RELEASABLE, scene.LEDGER]
    assert tree.index_of_group(scene.DSH_INFRA).data() == "DSH itself"


def test_names_keep_their_room_in_a_small_window(window: MainWindow) -> None:
    window.resize(880, 600)
    QApplication.processEvents()
    assert window.overview.view.isColumnHidden(Column.CPU)
    assert window.overview.view.columnWidth(Column.NAME) > 140


def test_the_page_of_a_session_in_a_heap_tells_where_it_lives(
    window: MainWindow, backend: FakeBackend, qtbot: QtBot
) -> None:
    window.show_session(scene.INGEST)
    page = window.session
    qtbot.waitUntil(lambda: page.chart.series is not None)
    said = texts(page)
    assert "DSH, ~/work, in the heap of process 5200" in said
    assert f"Heap of DSH, 6{THIN}h" in said
    assert f"≈1.3{THIN}GB of it" in said
    assert page.release.text() == f"Release ≈1.3{THIN}GB of heap"
    assert page.steps.step_words == (
        "DSH is asked to unload it.",
        "No process ends, and nothing else is touched.",
        f"≈1.3{THIN}GB of heap comes back with its next full collection; resident memory follows late.",
    )
    assert not page.table.isVisible()
    window.show_session(scene.REFACTOR)
    qtbot.waitUntil(lambda: backend.queries[-1].session == scene.REFACTOR)
    assert page.chart.overlay.limit_bytes is None
    assert page.table.isVisible()


def test_the_page_of_a_session_offers_the_plugin_that_it_needs(
    window: MainWindow, publish: Callable[[Snapshot], None], qtbot: QtBot
) -> None:
    publish(scene.heap_scene(plugin=False))
    window.show_session(scene.INGEST)
    assert window.session.install.isVisible()
    assert not window.session.release.isVisible()
    assert "needs the plugin" in window.session.steps.refusal
    window.session.install.click()
    dialog = window.findChild(SetupDialog)
    assert isinstance(dialog, SetupDialog)
    qtbot.waitUntil(lambda: bool(dialog.offers))
    dialog.reject()


def test_what_goes_next_says_of_each_what_it_gives_back_and_where(window: MainWindow) -> None:
    window.show_page(PageName.NEXT)
    sizes = {line.title: line.size for line in window.next_page.order.lines}
    assert sizes["Write parser benchmarks"] == f"1.3{THIN}GB"
    assert sizes["Rework the ingest pipeline"] == f"≈1.3{THIN}GB heap"


def test_with_nothing_but_heap_to_release_the_button_names_it(
    window: MainWindow, publish: Callable[[Snapshot], None]
) -> None:
    publish(scene.without(scene.heap_scene(), scene.REFACTOR, scene.PARSER))
    assert window.overview.release.text() == f"Release ≈3.2{THIN}GB of heap…"


# ---- the journal


def test_the_journal_tells_of_the_heap_apart_from_memory(
    window: MainWindow, backend: FakeBackend, qtbot: QtBot
) -> None:
    backend.journal = (scene.heap_receipt(),)
    window.show_page(PageName.JOURNAL)
    qtbot.waitUntil(lambda: len(window.journal.entries) == 1)
    (entry,) = window.journal.entries
    assert entry.head.words == (
        "Released 4 sessions",
        f"You, from the menu bar. Heap 6.3{THIN}GB → 3.2{THIN}GB, 1 refused.",
        f"3.1{THIN}GB of heap",
        f"of ≈3.2{THIN}GB of heap expected",
    )
    # what is laid into a visible widget is shown by a queued call, later than the entry is there
    said = f"1 action, 0{THIN}MB and 3.1{THIN}GB of heap came back"
    qtbot.waitUntil(lambda: said in texts(window.journal))
    entry.head.click()
    qtbot.waitUntil(lambda: f"DSH: heap 6.3{THIN}GB → 3.2{THIN}GB" in texts(entry))
    assert f"≈1.3{THIN}GB" in texts(entry)


@pytest.fixture
def incident(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> IncidentEntry:
    backend.accounts = (scene.account(scene.incident()),)
    window.show_page(PageName.JOURNAL)
    qtbot.waitUntil(lambda: len(window.journal.entries) == 6)
    return next(entry for entry in window.journal.entries if isinstance(entry, IncidentEntry))


def test_incidents_stand_in_the_journal_by_their_time(window: MainWindow, incident: IncidentEntry) -> None:
    assert window.journal.entries.index(incident) == 1
    assert incident.head.words == (
        "DSH ended with its heap full; 1 turn was open",
        "DSH 0.2.1, pid 5188, 4 sessions live",
        "1 turn lost",
        f"noticed within 2{THIN}s",
    )
    window.journal.filter.set_current(Kept.INCIDENTS)
    window.journal.filter.chosen.emit(Kept.INCIDENTS)
    assert [entry.key for entry in window.journal.entries] == [incident.key]
    window.journal.filter.set_current(Kept.REFUSED)
    window.journal.filter.chosen.emit(Kept.REFUSED)
    assert not any(isinstance(entry, IncidentEntry) for entry in window.journal.entries)


def test_an_open_incident_tells_evidence_sessions_and_how_memory_went(incident: IncidentEntry, qtbot: QtBot) -> None:
    incident.head.click()
    qtbot.waitUntil(lambda: incident.course.isVisible())
    said = texts(incident)
    assert "The kernel log could not be read: only the administrator may" in said
    assert "Its turn was lost" in said
    assert f"≈1.3{THIN}GB heap" in said
    course = f"Heap 6.0{THIN}GB → 8.1{THIN}GB, resident memory 6.9{THIN}GB → 8.5{THIN}GB"
    assert incident.course.text().startswith(course)


def test_an_incident_is_written_to_the_file_that_was_chosen(
    window: MainWindow, incident: IncidentEntry, backend: FakeBackend, tmp_path: Path, qtbot: QtBot
) -> None:
    asked: list[str] = []

    def choose(name: str) -> str:
        asked.append(name)
        return str(tmp_path / name)

    window.journal.choose_file = choose
    incident.head.click()
    incident.export.click()
    qtbot.waitUntil(lambda: incident.export.text() == "Exported")
    assert backend.incident_files == [(incident.key, tmp_path / asked[0])]


def test_no_file_chosen_writes_nothing(window: MainWindow, incident: IncidentEntry, backend: FakeBackend) -> None:
    window.journal.choose_file = lambda _name: ""
    incident.head.click()
    incident.export.click()
    assert backend.incident_files == []


def test_a_failed_export_is_told(
    window: MainWindow, incident: IncidentEntry, backend: FakeBackend, qtbot: QtBot
) -> None:
    failed: Future[None] = Future()
    failed.set_exception(OSError("No space left on device"))
    backend.export_incident = lambda incident_id, path: failed  # type: ignore[method-assign]
    window.journal.choose_file = lambda name: f"/{name}"
    incident.head.click()
    incident.export.click()
    qtbot.waitUntil(lambda: window.journal.note.words[1] == "No space left on device")


def test_a_warning_of_a_full_heap_lost_no_turn(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    backend.accounts = (scene.account(scene.incident(IncidentKind.HEAP_FULL)),)
    window.show_page(PageName.JOURNAL)
    qtbot.waitUntil(lambda: len(window.journal.entries) == 6)
    entry = next(entry for entry in window.journal.entries if isinstance(entry, IncidentEntry))
    assert entry.head.words[2:] == ("", "")
    entry.head.click()
    qtbot.waitUntil(lambda: "A turn was open" in texts(entry))


def test_without_incidents_the_journal_says_what_would_stand_there(window: MainWindow, qtbot: QtBot) -> None:
    window.show_page(PageName.JOURNAL)
    qtbot.waitUntil(lambda: len(window.journal.entries) == 5)
    window.journal.filter.set_current(Kept.INCIDENTS)
    window.journal.filter.chosen.emit(Kept.INCIDENTS)
    assert window.journal.empty.words[0] == "No incident is kept"


# ---- looks


def test_everything_about_heaps_can_be_painted_in_both_looks(look: str, qtbot: QtBot) -> None:
    for snapshot in (
        scene.heap_scene(),
        scene.heap_scene(used_gb=7.2),
        scene.heap_scene(used_gb=7.95),
        scene.heap_scene(plugin=False),
    ):
        bridge = Bridge(FakeBackend(snapshot))
        popover = Popover(bridge)
        qtbot.addWidget(popover)
        popover.show_at(QRect(600, 0, 22, 24))
        QApplication.processEvents()
        assert not popover.grab().isNull()
        popover.hide()
        bridge.close()
        bridge.deleteLater()


def test_arrow_keys_go_round_the_segments_of_a_heap(popover: Popover) -> None:
    gauge = popover.heaps.cards[0].gauge
    QTest.keyClick(gauge, Qt.Key.Key_Right)
    assert gauge.marked == ring.SHARED_HEAP
    QTest.keyClick(gauge, Qt.Key.Key_Left)
    assert gauge.marked == scene.DSH_RELEASABLE[-1]
    assert "Rework the ingest pipeline, ≈1.3" in gauge.accessibleDescription()


def test_a_refusal_is_shown_in_the_words_of_the_host() -> None:
    found = scene.heap_scene().group(scene.TERMINAL)
    assert found is not None
    view = row_view.session_view(found, scene.heap_scene())
    assert view.offer is Offer.WHY


def test_sessions_inside_a_process_that_has_no_heap_to_tell_of_ask_for_no_plugin() -> None:
    made = scene.heap_scene(plugin=False)
    plain = replace(made, instances=tuple(replace(i, has_heap=False, heap_limit_bytes=None) for i in made.instances))
    inside = next(group for group in plain.groups if group.heap_of is not None)
    assert heap_view.has_heap(inside, made)
    assert not heap_view.has_heap(inside, plain)
    assert len(heap_view.silent_heaps(made)) == 1
    assert heap_view.silent_heaps(plain) == ()
