"""The palette keeps the contrast that the design states, and the theme follows the system."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import pytest
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from trayapp.model.session import HostLabel, Hue
from trayapp.ui import tokens
from trayapp.ui.tokens import DARK, LIGHT, Theme, contrast

STATED = [
    # token, ground, light, dark; the figures stand in the design's table of colours
    ("ink", "card", 16.8, 13.8),
    ("on_ink", "ink", 16.8, 15.4),
    ("sec", "card", 6.7, 7.5),
    ("ter", "card", 5.3, 6.4),
    ("amber", "amber_bg", 5.7, 7.1),
    ("amber", "card", 6.2, 8.3),
    ("red", "red_bg", 5.7, 6.3),
    ("red", "card", 6.5, 6.8),
    ("neutral", "card", 3.6, 3.2),
    ("neutral", "win", 3.3, 3.5),
    ("ink", "win", 15.4, 15.4),
]
HUES = {
    # light: on card, on win; dark: on card, on win; letters light, dark
    Hue.RUST: (5.5, 5.1, 4.6, 5.1, "white", "ink"),
    Hue.TEAL: (5.3, 4.8, 5.9, 6.5, "white", "ink"),
    Hue.BLUE: (3.6, 3.3, 6.3, 7.0, "ink", "ink"),
    Hue.VIOLET: (7.1, 6.5, 3.5, 3.9, "white", "white"),
    Hue.WINE: (9.0, 8.3, 9.3, 10.3, "white", "ink"),
    Hue.OLIVE: (3.3, 3.0, 7.7, 8.5, "ink", "ink"),
}
LETTERS = {"white": QColor("#FFFFFF"), "ink": QColor("#16161A")}


@pytest.mark.parametrize(("token", "ground", "light", "dark"), STATED)
def test_a_token_has_the_contrast_that_the_design_states(token: str, ground: str, light: float, dark: float) -> None:
    assert contrast(LIGHT.colour(token), LIGHT.colour(ground)) == pytest.approx(light, abs=0.06)
    assert contrast(DARK.colour(token), DARK.colour(ground)) == pytest.approx(dark, abs=0.06)


def test_captions_can_be_read_on_the_sidebar_and_on_a_selected_row() -> None:
    assert contrast(LIGHT.ter, LIGHT.side) == pytest.approx(4.6, abs=0.06)
    assert contrast(DARK.ter, DARK.sel) == pytest.approx(4.7, abs=0.06)


@pytest.mark.parametrize("hue", list(Hue))
def test_a_host_colour_has_its_contrast_and_its_letters(hue: Hue) -> None:
    light_card, light_win, dark_card, dark_win, light_letters, dark_letters = HUES[hue]
    assert contrast(LIGHT.hues[hue], LIGHT.card) == pytest.approx(light_card, abs=0.06)
    assert contrast(LIGHT.hues[hue], LIGHT.win) == pytest.approx(light_win, abs=0.06)
    assert contrast(DARK.hues[hue], DARK.card) == pytest.approx(dark_card, abs=0.06)
    assert contrast(DARK.hues[hue], DARK.win) == pytest.approx(dark_win, abs=0.06)
    assert tokens.letters_on(LIGHT.hues[hue]) == LETTERS[light_letters]
    assert tokens.letters_on(DARK.hues[hue]) == LETTERS[dark_letters]


@pytest.mark.parametrize("shown", [LIGHT, DARK], ids=["light", "dark"])
def test_every_text_reaches_4_5_on_every_ground_that_it_can_stand_on(shown: Theme) -> None:
    for text in ("ink", "sec", "ter"):
        for ground in ("card", "win", "side", "tint", "sel"):
            assert contrast(shown.colour(text), shown.colour(ground)) >= 4.5, (text, ground)


def test_the_tray_colours_can_be_told_from_their_bars() -> None:
    stated = [
        (LIGHT.tray_amber, "#FFFFFF", 4.1),
        (LIGHT.tray_amber, "#ECECEE", 3.5),
        (LIGHT.tray_red, "#FFFFFF", 4.6),
        (LIGHT.tray_red, "#ECECEE", 3.9),
        (DARK.tray_amber, "#26262A", 7.2),
        (DARK.tray_red, "#26262A", 5.4),
    ]
    for colour, bar, ratio in stated:
        assert contrast(colour, QColor(bar)) == pytest.approx(ratio, abs=0.06)


_MACHADO = {
    # Machado, Oliveira and Fernandes 2009, severity 1.0, on linear light
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
}
# https://bottosson.github.io/posts/oklab
_LMS = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_LAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)


def _times(matrix: Sequence[Sequence[float]], vector: Sequence[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def _oklab(colour: QColor, sight: str) -> list[float]:
    channels = (colour.redF(), colour.greenF(), colour.blueF())
    light = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    seen = [min(1.0, max(0.0, c)) for c in _times(_MACHADO[sight], light)]
    return _times(_LAB, [math.cbrt(c) for c in _times(_LMS, seen)])


@pytest.mark.parametrize(
    ("sight", "light", "dark"), [("normal", 13.5, 13.9), ("protanopia", 8.3, 9.4), ("deuteranopia", 9.2, 11.5)]
)
def test_the_eight_colours_can_be_told_apart_with_every_sight(sight: str, light: float, dark: float) -> None:
    for shown, stated in ((LIGHT, light), (DARK, dark)):
        seen = [_oklab(colour, sight) for colour in (*shown.hues.values(), shown.neutral, shown.ink)]
        nearest = min(math.dist(one, other) for one, other in combinations(seen, 2))
        assert 100 * nearest == pytest.approx(stated, abs=0.06)


CONTRAST_THEMES = {"white on black": ("#000000", "#FFFFFF"), "black on white": ("#FFFFFF", "#000000")}


@pytest.mark.parametrize("ground_text", CONTRAST_THEMES.values(), ids=CONTRAST_THEMES)
def test_high_contrast_takes_the_systems_colours_and_leaves_out_fills(ground_text: tuple[str, str]) -> None:
    ground, text = map(QColor, ground_text)
    system = QPalette()
    system.setColor(QPalette.ColorRole.Window, ground)
    system.setColor(QPalette.ColorRole.WindowText, text)
    shown = tokens.high_contrast(system)
    assert shown.is_dark is (ground == QColor("#000000"))
    for token in ("ink", "sec", "ter", "line", "line2"):
        assert shown.colour(token) == text
    for token in ("card", "win", "side"):
        assert shown.colour(token) == ground
    assert (shown.zone_fill, shown.layer_fill) == (0, 0)
    assert contrast(shown.ink, shown.tint) >= 7
    for colour in (*shown.hues.values(), shown.neutral):
        assert contrast(colour, ground) >= 3
    for colour in (shown.amber, shown.red):
        assert contrast(colour, ground) >= 4.5


def test_the_appearance_follows_the_systems_wish_for_contrast(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    appearance = tokens.appearance()
    monkeypatch.setattr(tokens.Appearance, "wants_contrast", lambda self: True)
    appearance.choose("dark")
    assert appearance.theme.name == "high-contrast"
    assert qapp.palette().color(QPalette.ColorRole.Window) == appearance.theme.card
    monkeypatch.undo()
    appearance.choose("light")
    assert tokens.theme() is LIGHT
    assert qapp.palette().color(QPalette.ColorRole.WindowText) == LIGHT.ink


def test_a_host_from_outside_always_gets_the_same_of_the_six_colours_and_a_hollow_mark() -> None:
    label = HostLabel(host="zed-agents", title="Zed", letters="Ze")
    first, again = LIGHT.host(label), LIGHT.host(label)
    assert first == again
    assert first.hollow
    assert first.fill in LIGHT.hues.values()
    assert first.letters == LIGHT.ink


def test_the_appearance_sets_the_palette_and_tells(qapp: QApplication) -> None:
    told: list[str] = []
    appearance = tokens.appearance()

    def note() -> None:
        told.append(appearance.theme.name)

    appearance.changed.connect(note)
    try:
        appearance.choose("dark")
        appearance.choose("dark")
        assert qapp.palette().color(QPalette.ColorRole.WindowText) == DARK.ink
        appearance.choose("light")
    finally:
        appearance.changed.disconnect(note)
    assert told == ["dark", "light"]
    assert qapp.palette().color(QPalette.ColorRole.WindowText) == LIGHT.ink


def test_text_grows_with_the_users_text_size_but_not_for_a_small_difference(qapp: QApplication) -> None:
    font = qapp.font()
    for pixels, scale in ((13, 1.0), (15, 1.0), (19, 19 / 13), (40, 2.0)):
        font.setPixelSize(pixels)
        qapp.setFont(font)
        assert tokens.text_scale() == pytest.approx(scale)


def test_an_unknown_token_is_refused() -> None:
    with pytest.raises(TypeError):
        LIGHT.colour("name")
