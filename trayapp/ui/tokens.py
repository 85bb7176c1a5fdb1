"""Design tokens: the one place for spacing, radii, type sizes and colours, light and dark.

Knows the palette and which of the two is shown now. Knows no widget and no snapshot. Painted widgets ask `theme()`
while they paint; a change sets the application's palette, so Qt repaints every widget by itself.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontInfo, QFontMetricsF, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QLayout, QWidget
from shiboken6 import isValid

if TYPE_CHECKING:
    from trayapp.model.session import HostLabel

GRID = 4
PAGE_PADDING = 24
CARD_PADDING = 20
TABLE_PADDING = 16
CARD_GAP = 16
MARK_GAP = 12
RADIUS_PART = 10
RADIUS_POPOVER = 12
RADIUS_BUTTON = 8
RADIUS_BUTTON_SMALL = 7
MARK_RADIUS_SHARE = 0.27
FOCUS_WIDTH = 2
FOCUS_OFFSET = 3
MIN_TARGET = 24

FIGURE = 30
FIGURE_FIRST_RUN = 36
FIGURE_SEGMENT = 20
TITLE_FIRST_RUN = 24
TITLE_PAGE = 20
TITLE_CARD = 15
BODY = 13
SECOND = 12
SMALL = 11

REGULAR = QFont.Weight.Normal
MEDIUM = QFont.Weight.Medium
SEMIBOLD = QFont.Weight.DemiBold
TRACKING_PERCENT = 98.2

LINE_HEIGHTS: Mapping[int, int] = {24: 30, 20: 26, 15: 20, 13: 18, 12: 16, 11: 14}

LAYER_FILL = 0.42

LETTERS_DARK = "#16161A"
LETTERS_LIGHT = "#FFFFFF"


@dataclass(frozen=True, slots=True, kw_only=True)
class HostColour:
    """Say how a host's mark is painted; a hollow one has an outline in `fill` and letters in text colour."""

    fill: QColor
    letters: QColor
    hollow: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """Hold every colour of one appearance; names are those of the design's table.

    `tray_amber` and `tray_red` stand on a bar of this tone; `zone_fill` is the alpha of what can be released and
    `layer_fill` that of a chart's layers; `hues` is by the values of model.session.Hue, which is not loaded for the
    tray alone.
    """

    name: str
    is_dark: bool
    card: QColor
    win: QColor
    side: QColor
    ink: QColor
    on_ink: QColor
    sec: QColor
    ter: QColor
    line: QColor
    line2: QColor
    track: QColor
    tint: QColor
    sel: QColor
    amber: QColor
    amber_bg: QColor
    red: QColor
    red_bg: QColor
    neutral: QColor
    tray_amber: QColor
    tray_red: QColor
    zone_fill: float
    layer_fill: float
    hues: Mapping[str, QColor]

    def colour(self, token: str) -> QColor:
        """Return the colour of a token by name, for widgets that are told which one to use."""
        value = getattr(self, token)
        if not isinstance(value, QColor):
            raise TypeError(f"{token} is not a colour token")
        return value

    def host(self, label: HostLabel | None) -> HostColour:
        """Return the colours of a host; one of unknown hue always gets the same of the six, and a hollow mark."""
        if label is None:
            return HostColour(fill=self.neutral, letters=letters_on(self.neutral))
        if label.hue is not None:
            fill = self.hues[label.hue]
            return HostColour(fill=fill, letters=letters_on(fill))
        hue = tuple(self.hues)[zlib.crc32(label.host.encode()) % len(self.hues)]
        return HostColour(fill=self.hues[hue], letters=self.ink, hollow=True)


def _theme(name: str, colours: str, hues: str, *, zone_fill: float) -> Theme:
    fields = {token: QColor(value) for token, value in (pair.split("=") for pair in colours.split())}
    pairs = (pair.split("=") for pair in hues.split())
    return Theme(
        name=name,
        is_dark=name == "dark",
        zone_fill=zone_fill,
        layer_fill=LAYER_FILL,
        hues={hue: QColor(value) for hue, value in pairs},
        **fields,
    )


LIGHT = _theme(
    "light",
    "card=#FFFFFF win=#F5F5F6 side=#EEEEF0 ink=#1D1D20 on_ink=#FFFFFF sec=#5B5B63 ter=#6B6B73 line=#E4E4E8"
    " line2=#D2D2D8 track=#D9D9DF tint=#F0F0F3 sel=#FFFFFF amber=#8F5200 amber_bg=#FFF3DF red=#B3261E"
    " red_bg=#FDECEA neutral=#87878F tray_amber=#B86A00 tray_red=#D93A30",
    "rust=#AE4A0C teal=#0C7A66 blue=#4288E2 violet=#6A44A3 wine=#7E2B47 olive=#9A9026",
    zone_fill=0.20,
)
DARK = _theme(
    "dark",
    "card=#242428 win=#1B1B1E side=#202023 ink=#F2F2F4 on_ink=#1B1B1E sec=#B4B4BC ter=#A6A6AF line=#343439"
    " line2=#48484F track=#45454C tint=#2E2E33 sel=#3A3A40 amber=#F0B35A amber_bg=#3A2E1A red=#FF8A80"
    " red_bg=#40211F neutral=#70707A tray_amber=#F2A33A tray_red=#FF6B5E",
    "rust=#D0733E teal=#32B29B blue=#78A6F8 violet=#7F67CC wine=#F5B8CC olive=#D0B638",
    zone_fill=0.26,
)


def contrast(one: QColor, other: QColor) -> float:
    """Return the contrast ratio by WCAG 2.2, 1 to 21 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio)."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: QColor) -> float:
    def linear(channel: int) -> float:
        share = channel / 255
        return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)

    return 0.2126 * linear(colour.red()) + 0.7152 * linear(colour.green()) + 0.0722 * linear(colour.blue())


def letters_on(fill: QColor) -> QColor:
    """Return white where it reaches 4.5 on `fill`, else the better of white and near-black."""
    white, dark = QColor(LETTERS_LIGHT), QColor(LETTERS_DARK)
    if contrast(white, fill) >= 4.5:
        return white
    return max(white, dark, key=lambda letters: contrast(letters, fill))


def with_alpha(colour: QColor, alpha: float) -> QColor:
    """Return the colour at that opacity, 0 to 1."""
    faded = QColor(colour)
    faded.setAlphaF(alpha)
    return faded


def blend(ground: QColor, colour: QColor, alpha: float) -> QColor:
    """Return what `colour` at that opacity looks like on `ground`, as an opaque colour."""
    return QColor.fromRgbF(
        ground.redF() + (colour.redF() - ground.redF()) * alpha,
        ground.greenF() + (colour.greenF() - ground.greenF()) * alpha,
        ground.blueF() + (colour.blueF() - ground.blueF()) * alpha,
    )


def high_contrast(system: QPalette) -> Theme:
    """Return a theme of the system's own colours: hairlines as strong as text, no fills, colours that can be told."""
    ground, text = system.color(QPalette.ColorRole.Window), system.color(QPalette.ColorRole.WindowText)
    like = DARK if _luminance(ground) < _luminance(text) else LIGHT
    return replace(
        like,
        name="high-contrast",
        **dict.fromkeys(("card", "win", "side", "on_ink", "sel", "amber_bg", "red_bg"), ground),  # type: ignore[arg-type]
        **dict.fromkeys(("ink", "sec", "ter", "line", "line2"), text),  # type: ignore[arg-type]
        amber=_strong(like.amber, ground, text, 4.5),
        red=_strong(like.red, ground, text, 4.5),
        neutral=_strong(like.neutral, ground, text, 3.0),
        track=blend(ground, text, 0.3),
        tint=blend(ground, text, 0.12),
        zone_fill=0.0,
        layer_fill=0.0,
        hues={hue: _strong(colour, ground, text, 3.0) for hue, colour in like.hues.items()},
    )


def _strong(colour: QColor, ground: QColor, text: QColor, least: float) -> QColor:
    """Return the colour, moved towards that of the text until it has that contrast on the ground."""
    steps = (blend(colour, text, step / 10) for step in range(11))
    return next((mixed for mixed in steps if contrast(mixed, ground) >= least), text)


class Appearance(QObject):
    """Choose between light and dark: the system's scheme, or the one that the user picked.

    Where the system asks for high contrast its own palette counts, whatever was picked.
    """

    # Emitted in the UI thread after the theme has changed and the palette is set; no payload.
    changed = Signal()

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._choice = "system"
        self.theme = LIGHT
        # both are kept: where Python forgets the one, it takes the other for deleted
        self._hints = app.styleHints()
        self._wishes = self._hints.accessibility()
        self._hints.colorSchemeChanged.connect(self._follow)
        self._wishes.contrastPreferenceChanged.connect(self._follow)
        self._follow()

    def choose(self, choice: str) -> None:
        """Set "system", "light" or "dark"."""
        self._choice = choice
        self._follow()

    def wants_contrast(self) -> bool:
        """Say whether the system asks for high contrast."""
        return self._wishes.contrastPreference() is Qt.ContrastPreference.HighContrast

    def _follow(self) -> None:
        if self.wants_contrast():
            self._app.setPalette(QPalette())  # back to the system's own
            self.theme = high_contrast(self._app.palette())
            self.changed.emit()
            return
        dark = self._choice == "dark"
        if self._choice == "system":
            dark = self._app.styleHints().colorScheme() is Qt.ColorScheme.Dark
        wanted = DARK if dark else LIGHT
        palette = _palette(wanted)
        if wanted is self.theme and self._app.palette() == palette:
            return
        self.theme = wanted
        self._app.setPalette(palette)
        self.changed.emit()


_appearances: dict[int, Appearance] = {}
"""By the address of their QApplication: looked up at every stroke, so not through Qt."""


def appearance() -> Appearance:
    """Return the application's one Appearance; makes it at first call, which needs a QApplication."""
    app = QApplication.instance()
    found = _appearances.get(id(app))
    if found is not None and isValid(found):
        return found
    if not isinstance(app, QApplication):
        raise TypeError("appearance() needs a QApplication")
    _appearances.clear()
    _appearances[id(app)] = made = Appearance(app)
    return made


def theme() -> Theme:
    """Return the theme that is shown now."""
    return appearance().theme


def _palette(shown: Theme) -> QPalette:
    palette = QPalette()
    roles = {
        QPalette.ColorRole.Window: shown.card,
        QPalette.ColorRole.Base: shown.card,
        QPalette.ColorRole.AlternateBase: shown.tint,
        QPalette.ColorRole.Button: shown.card,
        QPalette.ColorRole.WindowText: shown.ink,
        QPalette.ColorRole.Text: shown.ink,
        QPalette.ColorRole.ButtonText: shown.ink,
        QPalette.ColorRole.Highlight: shown.ink,
        QPalette.ColorRole.Accent: shown.ink,
        QPalette.ColorRole.HighlightedText: shown.on_ink,
        QPalette.ColorRole.PlaceholderText: shown.ter,
        QPalette.ColorRole.ToolTipBase: shown.card,
        QPalette.ColorRole.ToolTipText: shown.ink,
        QPalette.ColorRole.Light: shown.sel,
        QPalette.ColorRole.Midlight: shown.tint,
        QPalette.ColorRole.Mid: shown.line2,
        QPalette.ColorRole.Dark: shown.line2,
        QPalette.ColorRole.Shadow: shown.line,
    }
    for role, colour in roles.items():
        palette.setColor(role, colour)
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, shown.ter)
    return palette


class _UsersFont:
    """Hold what was worked out for the application's font, until that is another one: asked for at every stroke."""

    def __init__(self) -> None:
        self._font: QFont | None = None
        self._scale = 1.0
        self._made: dict[tuple[int, QFont.Weight, bool], QFont] = {}

    def _look(self) -> None:
        now = QGuiApplication.font()
        if now != self._font:
            scale = QFontInfo(now).pixelSize() / BODY
            self._font, self._scale = now, 1.0 if scale < 1.2 else min(scale, 2.0)
            self._made.clear()

    def scale(self) -> float:
        self._look()
        return self._scale

    def made(self, size: int, weight: QFont.Weight, tracked: bool) -> QFont:
        self._look()
        found = self._made.get((size, weight, tracked))
        if found is None:
            family = self._font.family() if self._font is not None else ""
            found = self._made[size, weight, tracked] = _font(family, round(size * self._scale), weight, tracked)
        return found


_users_font = _UsersFont()


def text_scale() -> float:
    """Return how much larger than the design's 13 the user's own text is; small differences count as none."""
    return _users_font.scale()


def px(points: float) -> int:
    """Return a length of the design in device-independent pixels at the user's text size."""
    return round(points * text_scale())


def font(size: int, weight: QFont.Weight = REGULAR, *, tracked: bool = False) -> QFont:
    """Return the system's font with tabular figures; `tracked` sets titles and large figures tighter."""
    return QFont(_users_font.made(size, weight, tracked))


def _font(family: str, pixels: int, weight: QFont.Weight, tracked: bool) -> QFont:
    made = QFont(family)
    made.setPixelSize(pixels)
    made.setWeight(weight)
    made.setFeature(QFont.Tag("tnum"), 1)
    if tracked:
        made.setLetterSpacing(QFont.SpacingType.PercentageSpacing, TRACKING_PERCENT)
    return made


def mono_font(size: int) -> QFont:
    """Return a fixed-width font, for commands only."""
    from PySide6.QtGui import QFontDatabase

    made = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    made.setPixelSize(px(size))
    return made


def mirrored(rect: QRectF, inside: QWidget) -> QRectF:
    """Return where a place of a painted row lies for this reader: the other way round from right to left.

    Text that is aligned left or right in it is turned by Qt.
    """
    if inside.layoutDirection() is not Qt.LayoutDirection.RightToLeft:
        return rect
    return QRectF(inside.width() - rect.right(), rect.top(), rect.width(), rect.height())


def set_margins(layout: QLayout, left: int, top: int, right: int, bottom: int) -> None:
    """Set what a layout leaves free, left and right in reading order; Qt would leave the sides as they are."""
    if QGuiApplication.layoutDirection() is Qt.LayoutDirection.RightToLeft:
        left, right = right, left
    layout.setContentsMargins(left, top, right, bottom)


def text_width(text: str, shown_in: QFont) -> float:
    """Return the advance of `text` in device-independent pixels."""
    return QFontMetricsF(shown_in).horizontalAdvance(text)
