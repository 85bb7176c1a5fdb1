"""The dialog says what would be written before it is, writes it, and can be stopped."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.ui import scene
from tests.ui.fake_backend import FakeBackend
from trayapp.history.csv_export import Estimate, ExportCancelled
from trayapp.model.series import Tier
from trayapp.ui import export_dialog
from trayapp.ui.bridge import Bridge
from trayapp.ui.controls import Segmented
from trayapp.ui.export_dialog import BETWEEN, CHOSEN, ExportDialog
from trayapp.ui.field import Field

THIN = "\u202f"
SIX_HOURS = f"6{THIN}h"

MakeDialog = Callable[[Path | None], ExportDialog]
Running = tuple[Future[int], list[Callable[[], bool]]]


@pytest.fixture
def dialog_to(qtbot: QtBot, bridge: Bridge, monkeypatch: pytest.MonkeyPatch) -> MakeDialog:
    """Return a maker of the dialog that finds its file name chosen already."""

    def make(path: Path | None) -> ExportDialog:
        monkeypatch.setattr(ExportDialog, "choose_path", lambda _dialog: path)
        dialog = ExportDialog(bridge, scene.scene(), SIX_HOURS)
        qtbot.addWidget(dialog)
        with qtbot.waitExposed(dialog):
            dialog.show()
        return dialog

    return make


def counted(qtbot: QtBot, dialog: ExportDialog) -> ExportDialog:
    """Wait until the core has counted what comes out."""
    qtbot.waitUntil(dialog.export.isEnabled)
    return dialog


def type_into(field: Field, text: str) -> None:
    field.setText(text)
    field.textEdited.emit(text)


def choose(choices: Segmented, key: str) -> None:
    choices.set_current(key)
    choices.chosen.emit(key)


def test_an_export_writes_the_chosen_range_and_says_where(
    qtbot: QtBot, backend: FakeBackend, tmp_path: Path, dialog_to: MakeDialog, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ring.csv"
    dialog = dialog_to(path)
    counted(qtbot, dialog).export.click()
    qtbot.waitUntil(lambda: dialog.said.text() == f"100 rows written, <1{THIN}MB")
    assert dialog.where.text() == str(path)
    assert backend.exports == [(path, scene.NOW_EPOCH_S - 21600, scene.NOW_EPOCH_S, None, Tier.AUTO)]
    assert path.exists()
    opened: list[Path] = []
    monkeypatch.setattr(export_dialog, "reveal", opened.append)
    dialog.reveal.click()
    assert opened == [path]
    dialog.cancel.click()
    assert not dialog.isVisible()


def test_chosen_sessions_are_exported_without_the_others(
    qtbot: QtBot, backend: FakeBackend, tmp_path: Path, dialog_to: MakeDialog
) -> None:
    dialog = dialog_to(tmp_path / "some.csv")
    choose(dialog.which, CHOSEN)
    assert dialog.estimate.text() == "Choose at least one session."
    assert not dialog.export.isEnabled()
    for key in (scene.REFACTOR, scene.PARSER):
        dialog.ticks[key].click()
    counted(qtbot, dialog).export.click()
    assert set(backend.estimates[-1][2] or ()) == {scene.REFACTOR, scene.PARSER}
    assert set(backend.exports[0][3] or ()) == {scene.REFACTOR, scene.PARSER}


def test_sessions_that_ended_in_the_range_can_be_chosen_too(
    qtbot: QtBot, bridge: Bridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = ExportDialog(bridge, scene.empty(), SIX_HOURS)
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.ticks == {}
    choose(dialog.which, CHOSEN)
    qtbot.waitUntil(lambda: scene.REFACTOR in dialog.ticks)
    assert not any(key.startswith(("shared", "orphan")) for key in dialog.ticks)


def test_a_typed_range_is_exported(qtbot: QtBot, backend: FakeBackend, tmp_path: Path, dialog_to: MakeDialog) -> None:
    dialog = dialog_to(tmp_path / "range.csv")
    assert not dialog.since.isVisible()
    choose(dialog.ranges, BETWEEN)
    assert (dialog.since.text(), dialog.until.text()) == ("2026-11-30 10:20", "2026-11-30 16:20")
    type_into(dialog.since, "2026-11-29 08:00")
    type_into(dialog.until, "2026-11-29 12:30")
    qtbot.waitUntil(dialog.export.isEnabled)
    counted(qtbot, dialog).export.click()
    since, until = (datetime(2026, 11, 29, hour, minute, tzinfo=UTC).timestamp() for hour, minute in ((8, 0), (12, 30)))
    assert backend.exports[0][1:3] == (since, until)


@pytest.mark.parametrize(
    ("since", "until", "told"),
    [
        ("yesterday", "2026-11-30 12:00", "A time is written as 2026-11-30 14:05."),
        ("2026-11-30 12:00", "", "A time is written as 2026-11-30 14:05."),
        ("2026-11-30 12:00", "2026-11-30 11:00", "The range ends before it begins."),
    ],
)
def test_a_range_that_cannot_be_is_said_and_not_written(
    dialog_to: MakeDialog, since: str, until: str, told: str
) -> None:
    dialog = dialog_to(None)
    choose(dialog.ranges, BETWEEN)
    type_into(dialog.since, since)
    type_into(dialog.until, until)
    assert dialog.estimate.text() == told
    assert dialog.since.is_wrong or dialog.until.is_wrong
    assert not dialog.export.isEnabled()


@pytest.mark.parametrize("tier", list(Tier))
def test_the_tier_that_was_chosen_is_asked_for(
    qtbot: QtBot, backend: FakeBackend, tmp_path: Path, dialog_to: MakeDialog, tier: Tier
) -> None:
    dialog = dialog_to(tmp_path / "ring.csv")
    choose(dialog.tiers, tier.value)
    counted(qtbot, dialog).export.click()
    assert backend.exports[0][4] is tier


@pytest.mark.parametrize(
    ("estimate", "chosen", "range_words", "told"),
    [
        (
            Estimate(rows=27_000, size_bytes=4 * scene.MB, tier=Tier.RAW),
            Tier.AUTO,
            f"1{THIN}h",
            "Every sample: about 27,000 rows, 4",
        ),
        (
            Estimate(rows=5_400, size_bytes=400_000, tier=Tier.MINUTE),
            Tier.MINUTE,
            f"6{THIN}h",
            f"One row for 1{THIN}min: about 5,400 rows, <1{THIN}MB.",
        ),
        (
            Estimate(rows=21, size_bytes=4_000, tier=Tier.RAW),
            Tier.AUTO,
            f"6{THIN}h",
            f"Every sample: about 21 rows, <1{THIN}MB.",
        ),
        (
            Estimate(rows=9_000, size_bytes=2 * scene.MB, tier=Tier.RAW),
            Tier.RAW,
            f"24{THIN}h",
            f"Every sample: about 9,000 rows, 2{THIN}MB. That fine it is kept for 2{THIN}h; Auto has all of the range.",
        ),
        (Estimate(rows=0, size_bytes=0, tier=Tier.AUTO), Tier.AUTO, f"6{THIN}h", "Nothing was measured in this range."),
    ],
)
def test_what_comes_out_is_counted_before_it_is_written(
    qtbot: QtBot,
    backend: FakeBackend,
    dialog_to: MakeDialog,
    estimate: Estimate,
    chosen: Tier,
    range_words: str,
    told: str,
) -> None:
    backend.estimated = estimate
    dialog = dialog_to(None)
    choose(dialog.tiers, chosen.value)
    choose(dialog.ranges, range_words)
    assert dialog.estimate.text() == "Counting…"
    qtbot.waitUntil(lambda: dialog.estimate.text() != "Counting…")
    assert dialog.estimate.text().startswith(told)
    assert not told.endswith(".") or dialog.estimate.text() == told
    assert dialog.export.isEnabled() is (estimate.rows > 0)


def test_the_core_counts_once_when_the_choices_rest(qtbot: QtBot, backend: FakeBackend, dialog_to: MakeDialog) -> None:
    dialog = dialog_to(None)
    for range_words in (f"1{THIN}h", f"24{THIN}h", f"7{THIN}d"):
        choose(dialog.ranges, range_words)
    qtbot.waitUntil(dialog.export.isEnabled)
    assert [asked[0] for asked in backend.estimates] == [scene.NOW_EPOCH_S - 604_800]


def test_a_history_that_cannot_be_counted_is_said(
    qtbot: QtBot, backend: FakeBackend, dialog_to: MakeDialog, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken: Future[Estimate] = Future()
    broken.set_exception(ValueError("the history cannot be read"))
    monkeypatch.setattr(backend, "estimate_csv", lambda **_: broken)
    dialog = dialog_to(None)
    qtbot.waitUntil(lambda: "the history cannot be read" in dialog.estimate.text())
    assert not dialog.export.isEnabled()


def test_no_file_chosen_writes_nothing(qtbot: QtBot, backend: FakeBackend, dialog_to: MakeDialog) -> None:
    counted(qtbot, dialog_to(None)).export.click()
    assert backend.exports == []


@pytest.fixture
def running(backend: FakeBackend, monkeypatch: pytest.MonkeyPatch) -> Running:
    """Return an export under way and what it asks to learn whether it shall stop."""
    under_way: Future[int] = Future()
    asked: list[Callable[[], bool]] = []

    def slow(
        path: Path, *, progress: Callable[[int, int], None], cancelled: Callable[[], bool], **_: object
    ) -> Future[int]:
        progress(1000, 2000)
        asked.append(cancelled)
        return under_way

    monkeypatch.setattr(backend, "export_csv", slow)
    return under_way, asked


def test_a_running_export_shows_how_far_it_is_and_can_be_stopped(
    qtbot: QtBot, tmp_path: Path, dialog_to: MakeDialog, running: Running
) -> None:
    under_way, asked = running
    dialog = dialog_to(tmp_path / "ring.csv")
    counted(qtbot, dialog).export.click()
    qtbot.waitUntil(lambda: dialog.said.text() == "1,000 of 2,000 rows")
    assert dialog.bar.isVisible()
    assert not dialog.export.isEnabled()
    assert not dialog.tiers.isEnabled()
    assert not asked[0]()
    dialog.cancel.click()
    assert asked[0]()
    under_way.set_exception(ExportCancelled())
    qtbot.waitUntil(lambda: dialog.said.text() == "Stopped. No file was written.")
    assert not dialog.bar.isVisible()
    assert dialog.export.isEnabled()


def test_an_export_that_was_whole_before_it_could_be_stopped_says_that_it_is_there(
    qtbot: QtBot, tmp_path: Path, dialog_to: MakeDialog, running: Running
) -> None:
    dialog = dialog_to(tmp_path / "ring.csv")
    counted(qtbot, dialog).export.click()
    dialog.cancel.click()
    running[0].set_result(2000)
    qtbot.waitUntil(lambda: dialog.said.text() == "2,000 rows written, –")


def test_closing_the_dialog_stops_what_runs(
    qtbot: QtBot, tmp_path: Path, dialog_to: MakeDialog, running: Running
) -> None:
    dialog = dialog_to(tmp_path / "ring.csv")
    counted(qtbot, dialog).export.click()
    dialog.close()
    assert running[1][0]()


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (OSError(28, "No space left", "/media/full/ring.csv"), "/media/full/ring.csv: No space left. No file was"),
        (OSError(28, "No space left on device"), "ring.csv: No space left on device. No file was written"),
        (ValueError("the history cannot be read"), "the history cannot be read"),
    ],
)
def test_a_failed_export_says_why(
    qtbot: QtBot, tmp_path: Path, dialog_to: MakeDialog, running: Running, fault: Exception, told: str
) -> None:
    dialog = dialog_to(tmp_path / "ring.csv")
    counted(qtbot, dialog).export.click()
    running[0].set_exception(fault)
    qtbot.waitUntil(lambda: told in dialog.said.text())
    assert dialog.export.isEnabled()
