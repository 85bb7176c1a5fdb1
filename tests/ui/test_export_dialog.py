"""The dialog says what would be written before it is, writes it, and can be stopped."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.ui import scene
from tests.ui.fake_backend import FakeBackend
from trayapp.history.csv_export import ExportCancelled
from trayapp.model.series import Tier
from trayapp.ui.bridge import Bridge
from trayapp.ui.controls import Segmented
from trayapp.ui.export_dialog import EVERYTHING, ExportDialog

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


def choose(choices: Segmented, key: str) -> None:
    choices.set_current(key)
    choices.chosen.emit(key)


def test_an_export_writes_the_chosen_range_and_says_where(
    qtbot: QtBot, backend: FakeBackend, tmp_path: Path, dialog_to: MakeDialog
) -> None:
    path = tmp_path / "ring.csv"
    dialog = dialog_to(path)
    dialog.export.click()
    qtbot.waitUntil(lambda: dialog.said.text() == f"100 rows written to {path}")
    assert backend.exports == [(path, scene.NOW_EPOCH_S - 21600, scene.NOW_EPOCH_S, None, Tier.AUTO)]
    assert path.exists()
    assert dialog.folder.isVisible()
    dialog.cancel.click()
    assert not dialog.isVisible()


def test_one_session_can_be_exported_alone(backend: FakeBackend, tmp_path: Path, dialog_to: MakeDialog) -> None:
    dialog = dialog_to(tmp_path / "one.csv")
    dialog.sessions.setCurrentIndex(dialog.sessions.findText("Refactor settings page"))
    assert dialog.estimate.text().startswith(f"One row for 1{THIN}min: at most about 360 rows")
    dialog.export.click()
    assert backend.exports[0][3] == scene.REFACTOR


@pytest.mark.parametrize("tier", list(Tier))
def test_the_tier_that_was_chosen_is_asked_for(
    backend: FakeBackend, tmp_path: Path, dialog_to: MakeDialog, tier: Tier
) -> None:
    dialog = dialog_to(tmp_path / "ring.csv")
    choose(dialog.tiers, tier.value)
    dialog.export.click()
    assert backend.exports[0][4] is tier


@pytest.mark.parametrize(
    ("range_words", "tier", "preview"),
    [
        # 15 rows each time: 11 groups, 3 hosts and the total in the scene
        (f"1{THIN}h", Tier.AUTO, "Every sample: at most about 27,000 rows"),
        (f"6{THIN}h", Tier.AUTO, f"One row for 1{THIN}min: at most about 5,400 rows"),
        (f"7{THIN}d", Tier.AUTO, f"One row for 1{THIN}min: at most about 151,200 rows"),
        (f"30{THIN}d", Tier.AUTO, f"One row for 15{THIN}min: at most about 43,200 rows"),
        (f"24{THIN}h", Tier.RAW, "Every sample: at most about 54,000 rows"),
        (EVERYTHING, Tier.MINUTE, f"One row for 1{THIN}min: at most about 151,200 rows"),
    ],
)
def test_the_preview_counts_what_is_kept_of_the_tier(
    dialog_to: MakeDialog, range_words: str, tier: Tier, preview: str
) -> None:
    dialog = dialog_to(None)
    choose(dialog.ranges, range_words)
    choose(dialog.tiers, tier.value)
    said = dialog.estimate.text()
    assert said.startswith(preview)
    assert f"{THIN}MB; fewer where nothing was measured." in said


def test_the_preview_says_when_the_range_is_longer_than_the_tier(dialog_to: MakeDialog) -> None:
    dialog = dialog_to(None)
    choose(dialog.ranges, f"24{THIN}h")
    choose(dialog.tiers, Tier.RAW.value)
    assert dialog.estimate.text().endswith(f"Single samples are kept for 2{THIN}h; Auto has all of the range.")
    choose(dialog.tiers, Tier.AUTO.value)
    assert "kept for" not in dialog.estimate.text()


def test_no_file_chosen_writes_nothing(backend: FakeBackend, dialog_to: MakeDialog) -> None:
    dialog_to(None).export.click()
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
    dialog.export.click()
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
    dialog.export.click()
    dialog.cancel.click()
    running[0].set_result(2000)
    qtbot.waitUntil(lambda: dialog.said.text() == f"2,000 rows written to {tmp_path / 'ring.csv'}")


def test_closing_the_dialog_stops_what_runs(tmp_path: Path, dialog_to: MakeDialog, running: Running) -> None:
    dialog = dialog_to(tmp_path / "ring.csv")
    dialog.export.click()
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
    dialog.export.click()
    running[0].set_exception(fault)
    qtbot.waitUntil(lambda: told in dialog.said.text())
    assert dialog.export.isEnabled()
