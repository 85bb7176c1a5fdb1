"""The reports about tray, chart and CSV: each through the product's own functions, with the values of the report."""

from __future__ import annotations

import csv
import io
import locale
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication, QMenu, QSystemTrayIcon
from pytestqt.qtbot import QtBot

from tests.cases.conftest import OWN
from tests.cases.loading import Case, load
from tests.history.snapshots import START_S, group, snapshot
from tests.ui import scene
from tests.ui.fake_backend import FakeBackend
from tests.ui.test_chart import grow_by_updates, item_count, red
from trayapp.history import csv_export
from trayapp.history.store import HistoryStore
from trayapp.ui.application import TrayApplication
from trayapp.ui.bridge import Bridge
from trayapp.ui.chart import Chart
from trayapp.ui.chart_data import time_with_offset
from trayapp.ui.popover import Popover
from trayapp.ui.tray import Tray

SHORT_UPDATES = 60
"""Of the 10,000 updates of report 112: they take minutes; `make bench ONLY=window` runs them all."""


def report(number: str) -> Case:
    return load(next(OWN.glob(f"{number}-*.yaml")))


def wanted(case: Case) -> dict[str, Any]:
    values: dict[str, Any] = case.expected["values"]
    return values


@pytest.fixture
def backend() -> FakeBackend:
    return FakeBackend(scene.scene())


@pytest.fixture
def application(qtbot: QtBot, qapp: QApplication, backend: FakeBackend) -> Iterator[TrayApplication]:
    made = TrayApplication(qapp, backend)
    yield made
    made.close()
    made.deleteLater()


def test_every_report_of_another_kind_has_a_test_here() -> None:
    others = {case.text["id"] for path in OWN.glob("[0-9]*.yaml") if (case := load(path)).kind != "process-table"}
    text = Path(__file__).read_text(encoding="utf-8")
    assert {number for number in others if f'report("{number}")' not in text} == set()


def test_without_a_tray_there_is_a_window_and_a_way_out(
    qapp: QApplication, application: TrayApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = report("106")
    monkeypatch.setattr(application.tray, "_is_available", lambda: case.given["system_tray_available"])
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: case.given["system_tray_available"])
    notices: list[str] = []
    window = application.main_window()
    monkeypatch.setattr(window, "show_notice", notices.append)
    application.start()
    found = {
        "quit_on_last_window_closed": qapp.quitOnLastWindowClosed(),
        "window_opened_at_start": window.isVisible(),
        "notice_shown": len(notices),
    }
    assert found == wanted(case)
    assert application.tray.is_shown is case.given["tray_visible_after_show"]
    assert window.close() is case.given["user_closes_window"]


def test_on_macos_the_menu_is_plain_full_and_popped_by_hand(
    qtbot: QtBot, backend: FakeBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = report("108")
    bridge = Bridge(backend)
    popover = Popover(bridge)
    qtbot.addWidget(popover)
    tray = Tray(platform="darwin", is_available=lambda: True)
    tray.serve(bridge, lambda: popover)
    popped: list[QPoint] = []
    monkeypatch.setattr(tray.menu, "popup", popped.append)
    try:
        assert type(tray.menu) is QMenu
        assert [action.text() for action in tray.menu.actions()] == case.given["menu_actions_expected"]
        assert len(tray.menu.actions()) == wanted(case)["menu_actions"]
        assert (tray.icon.contextMenu() is not None) is case.given["menu_native"]
        tray.icon.activated.emit(QSystemTrayIcon.ActivationReason.Context)
        assert popped == [QCursor.pos()]
        # where even that shows nothing, a click is the way in: it opens the view, which leads to the window
        tray.icon.activated.emit(QSystemTrayIcon.ActivationReason.Trigger)
        assert popover.isVisible()
        with qtbot.waitSignal(tray.window_asked):
            tray.menu.actions()[0].trigger()
        assert wanted(case)["click_fallback"] == "open-window"
    finally:
        popover.hide()
        tray.close()
        bridge.close()
        bridge.deleteLater()


def test_each_point_is_labelled_in_the_local_time_of_its_own_moment() -> None:
    case = report("110")
    zone = ZoneInfo(case.given["tz"])
    moments = [epoch_s(point["t"]) for point in case.given["points"]]
    assert [time_with_offset(at, zone) for at in moments] == wanted(case)["labels"]


def epoch_s(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def test_updates_of_the_chart_make_items_once_and_do_not_let_memory_grow(qtbot: QtBot) -> None:
    case = report("112")
    assert (case.given["curves"], case.given["points_per_curve"]) == (30, 720)  # what grow_by_updates draws
    chart = Chart(red)
    qtbot.addWidget(chart)
    chart.resize(860, 320)
    with qtbot.waitExposed(chart):
        chart.show()
    grow_by_updates(chart, updates=15, warm_up=15)
    made = item_count(chart)
    grown = grow_by_updates(chart, updates=SHORT_UPDATES, warm_up=0)
    # all curves of a plot are one item
    assert item_count(chart) == made < wanted(case)["items_created"]
    # the report's bound is for all its updates; so few may not even take a share of it that would be noise
    assert grown < wanted(case)["rss_growth_bytes_max"] / 2


def test_numbers_have_a_full_stop_whatever_the_locale(tmp_path: Path) -> None:
    case = report("113")
    given = case.given["rows"][0]
    line = csv_line(
        given["session"], csv_export.thousandths(round(given["cpu_percent"] * 1000)), str(given["rss_bytes"])
    )
    assert line == wanted(case)["line"]
    assert len(next(csv.reader([line]))) == wanted(case)["fields"]
    with in_locale(case.given["locale"]):
        rows = exported(tmp_path, given["session"], cpu_percent=given["cpu_percent"], rss_bytes=given["rss_bytes"])
    assert {len(row) for row in rows} == {len(csv_export.HEADER)}
    row = next(dict(zip(rows[0], row, strict=True)) for row in rows[1:] if given["session"] in row)
    # the history keeps milliseconds of CPU (178 of 2 s) and whole KiB: no system counts finer
    kept = (given["session"], "8.9", str(round(given["rss_bytes"] / 1024) * 1024))
    assert csv_line(given["session"], row["cpu_percent"], row["rss_bytes"]) == csv_line(*kept)
    assert len(next(csv.reader([csv_line(*kept)]))) == wanted(case)["fields"]


def test_times_are_utc_and_say_so_in_utf_8(tmp_path: Path) -> None:
    case = report("115")
    given = case.given["rows"][0]
    assert csv_line(csv_export.rfc3339(given["t_epoch"]), given["session"]) == wanted(case)["line"]
    exported(tmp_path, given["session"])
    data = (tmp_path / "out.csv").read_bytes()
    assert given["session"].encode(wanted(case)["encoding"]) in data


def exported(folder: Path, title: str, **figures: float) -> list[list[str]]:
    """Store one session with that title and return the cells of its export, the header first."""
    history = HistoryStore(folder / "history.sqlite3", now_epoch_s=lambda: START_S)
    cpu, rss = figures.get("cpu_percent", 1.0), int(figures.get("rss_bytes", 1024))
    history.append(snapshot(0, group("s1", title=title, cpu=cpu, rss=rss)))
    history.close()
    csv_export.export(
        folder / "history.sqlite3",
        folder / "out.csv",
        since_epoch_s=START_S - 1,
        until_epoch_s=START_S + 1,
        progress=lambda done, total: None,
        cancelled=lambda: False,
    )
    with (folder / "out.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, strict=True))


@contextmanager
def in_locale(name: str) -> Iterator[None]:
    """Run in a locale; where the machine does not have it, in its own, which must make no difference either."""
    before = locale.setlocale(locale.LC_ALL)
    try:
        locale.setlocale(locale.LC_ALL, name)
    except locale.Error:
        locale.setlocale(locale.LC_ALL, "")
    try:
        yield
    finally:
        locale.setlocale(locale.LC_ALL, before)


def csv_line(*cells: str) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow(cells)
    return out.getvalue()
