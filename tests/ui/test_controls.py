"""Controls: reachable by keyboard, high enough, painted from the tokens, and true to their state."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from trayapp.ui import tokens
from trayapp.ui.controls import (
    Button,
    CheckBox,
    FocusOutline,
    Hairline,
    Kind,
    Panel,
    Pill,
    Progress,
    Scroll,
    Segmented,
    Text,
)


def panel_with(qtbot: QtBot, *widgets: QWidget) -> QWidget:
    panel = QWidget()
    layout = QHBoxLayout(panel)
    layout.setContentsMargins(20, 20, 20, 20)
    for widget in widgets:
        layout.addWidget(widget)
    qtbot.addWidget(panel)
    with qtbot.waitActive(panel):
        panel.show()
        panel.activateWindow()
    return panel


def colour_at(pixmap: QPixmap, x: int, y: int) -> str:
    return pixmap.toImage().pixelColor(x, y).name()


@pytest.mark.parametrize("height", [20, 25, 32])
def test_a_button_is_never_lower_than_24(height: int, qtbot: QtBot) -> None:
    button = Button("Release", height=height)
    qtbot.addWidget(button)
    assert button.height() == max(24, height)


def test_a_button_grows_to_its_text(qtbot: QtBot) -> None:
    short, long = Button("Open", min_width=68), Button("Lange Beschriftung freigeben", min_width=68)
    for button in (short, long):
        qtbot.addWidget(button)
    assert short.sizeHint().width() == 68
    assert long.sizeHint().width() > tokens.text_width(long.text(), tokens.font(tokens.BODY, tokens.MEDIUM))


@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return])
def test_space_and_enter_press_a_button(key: Qt.Key, qtbot: QtBot) -> None:
    button = Button("Release")
    _panel = panel_with(qtbot, button)
    with qtbot.waitSignal(button.clicked):
        QTest.keyClick(button, key)


def test_the_primary_button_is_ink_in_both_looks(look: str, qtbot: QtBot) -> None:
    button = Button("Release", Kind.PRIMARY, min_width=120)
    qtbot.addWidget(button)
    button.resize(120, 32)
    assert colour_at(button.grab(), 6, 16) == tokens.theme().ink.name()


def test_keyboard_focus_draws_an_outline_3_outside_and_the_mouse_does_not(qtbot: QtBot) -> None:
    first, second = Button("First"), Button("Second")
    panel = panel_with(qtbot, first, second)
    second.setFocus(Qt.FocusReason.MouseFocusReason)
    assert not any(outline.isVisible() for outline in panel.findChildren(FocusOutline))
    first.setFocus(Qt.FocusReason.TabFocusReason)
    outlines = [outline for outline in panel.findChildren(FocusOutline) if outline.isVisible()]
    assert [outline.geometry() for outline in outlines] == [first.geometry().adjusted(-5, -5, 5, 5)]
    first.move(first.x() + 7, first.y())
    assert outlines[0].geometry() == first.geometry().adjusted(-5, -5, 5, 5)
    second.setFocus(Qt.FocusReason.MouseFocusReason)
    assert not outlines[0].isVisible()


def test_a_text_that_does_not_fit_is_cut_at_its_end_and_told_by_the_tooltip(qtbot: QtBot) -> None:
    text = Text("Write parser benchmarks for the new grammar")
    qtbot.addWidget(text)
    text.resize(80, 18)
    text.show()
    assert text.toolTip() == text.text()
    text.resize(600, 18)
    assert text.toolTip() == ""


def test_a_text_takes_its_colour_from_the_token(look: str, qtbot: QtBot) -> None:
    text = Text("██", tone="amber")
    qtbot.addWidget(text)
    text.resize(40, 18)
    assert colour_at(text.grab(), 8, 9) == tokens.theme().amber.name()
    text.set_tone("red")
    assert colour_at(text.grab(), 8, 9) == tokens.theme().red.name()


def test_a_tick_box_is_ticked_by_space_and_click_and_speaks(qtbot: QtBot) -> None:
    box = CheckBox("Refactor settings page, 1.9 GB")
    _panel = panel_with(qtbot, box)
    QTest.keyClick(box, Qt.Key.Key_Space)
    assert box.isChecked()
    QTest.mouseClick(box, Qt.MouseButton.LeftButton)
    assert not box.isChecked()
    assert box.accessibleName() == "Refactor settings page, 1.9 GB"
    assert box.height() >= 24


def test_progress_fills_its_share(look: str, qtbot: QtBot) -> None:
    bar = Progress()
    qtbot.addWidget(bar)
    bar.resize(100, 6)
    bar.set_share(0.42)
    shown = bar.grab()
    assert colour_at(shown, 20, 3) == tokens.theme().ink.name()
    assert colour_at(shown, 80, 3) == tokens.theme().track.name()
    bar.set_share(7)
    assert bar.value() == bar.maximum()


CHOICES = (("1h", "1 h"), ("6h", "6 h"), ("24h", "24 h"))


def test_a_segmented_control_tells_the_choice_once(qtbot: QtBot) -> None:
    control = Segmented(CHOICES, "6h")
    _panel = panel_with(qtbot, control)
    told: list[str] = []
    control.chosen.connect(told.append)
    buttons = [b for b in control.children() if getattr(b, "key", None) == "24h"]
    assert isinstance(buttons[0], QWidget)
    QTest.mouseClick(buttons[0], Qt.MouseButton.LeftButton)
    QTest.mouseClick(buttons[0], Qt.MouseButton.LeftButton)
    assert told == ["24h"]
    assert control.current == "24h"


@pytest.mark.qt_log_ignore("does not support grabbing the keyboard")
def test_a_segmented_control_without_room_becomes_a_menu(qtbot: QtBot) -> None:
    control = Segmented(CHOICES, "6h")
    panel = panel_with(qtbot, control)
    panel.setFixedWidth(120)
    compact = control.findChild(Button)
    assert isinstance(compact, Button)
    qtbot.waitUntil(compact.isVisible)
    assert compact.text().startswith("6 h")
    QTest.mouseClick(compact, Qt.MouseButton.LeftButton)
    menu = control.findChild(QMenu)
    assert isinstance(menu, QMenu)
    assert [action.text() for action in menu.actions()] == ["1 h", "6 h", "24 h"]
    menu.actions()[2].trigger()
    menu.close()
    assert control.current == "24h"


def test_everything_paints_in_both_looks(look: str, qtbot: QtBot) -> None:
    content = QWidget()
    QVBoxLayout(content).addWidget(Text("wraps", wrap=True))
    widgets = (
        Hairline(),
        Hairline(vertical=True),
        Pill("−2.6 GB"),
        Panel(),
        Panel("tint", outline=None),
        Scroll(content),
    )
    for kind in Kind:
        widgets += (Button("Button", kind),)  # type: ignore[assignment]
    panel = panel_with(qtbot, *widgets)
    assert not panel.grab().isNull()


def test_a_button_shows_its_icon_beside_its_text_and_grows_for_it(qtbot: QtBot) -> None:
    plain, copy, alone = Button("Copy"), Button("Copy", icon="copy"), Button("", icon="more")
    for button in (plain, copy, alone):
        qtbot.addWidget(button)
        button.resize(button.sizeHint())
    assert copy.sizeHint().width() == plain.sizeHint().width() + 22
    assert alone.sizeHint().width() == 16 + 32
    assert [x for x in dark_columns(copy) if 16 <= x < 32]
    assert dark_columns(alone)


def dark_columns(widget: QWidget) -> list[int]:
    shown = widget.grab().toImage()
    return [
        x for x in range(shown.width()) if any(shown.pixelColor(x, y).lightness() < 100 for y in range(shown.height()))
    ]


def test_where_one_reads_from_right_to_left_text_and_progress_begin_at_the_right(qtbot: QtBot) -> None:
    text, bar = Text("Agents"), Progress()
    bar.set_share(0.25)
    for widget in (text, bar):
        qtbot.addWidget(widget)
        widget.resize(200, widget.height())
        assert max(dark_columns(widget)) < 100
        widget.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        assert min(dark_columns(widget)) > 100


def test_an_icon_stands_before_its_text_in_reading_order(qtbot: QtBot) -> None:
    button = Button("", icon="check", opens_menu=True, min_width=160)
    qtbot.addWidget(button)
    button.resize(160, 32)
    left_to_right = button.grab().toImage()
    button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    assert button.grab().toImage() != left_to_right


def test_a_segmented_control_holds_its_longest_choice_also_as_a_menu(qtbot: QtBot) -> None:
    control = Segmented((("a", "Kurz"), ("b", "Eine sehr lange Beschriftung"), ("c", "Noch eine lange")), "a")
    qtbot.addWidget(control)
    least = control.minimumSizeHint().width()
    assert tokens.text_width("Eine sehr lange Beschriftung", tokens.font(tokens.BODY)) < least
    assert least < control.sizeHint().width()
