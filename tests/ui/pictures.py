"""Golden pictures: how every face looks, kept in tests/ui/golden and compared with a small tolerance.

    python -m tests.ui.pictures [--renew] [NAME ...]

Drawn offscreen in a process of its own for each scale, with DejaVu Sans, the scene of the UI tests, English and UTC.
A pixel counts as different when one of its channels is further off than PIXEL_OFF (another build of FreeType moves the
edges of letters by less), and a picture when more than SHARE of its pixels are: a moved line, a changed word or another
colour of one mark is more than that, in the largest picture too. Shades of the palette are the business of test_tokens.
The page About is left out: it tells the versions of this machine.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
KEPT = CHECKOUT / "tests" / "ui" / "golden"
FOUND = CHECKOUT / "build" / "golden"
FONT = "DejaVu Sans"
LOOKS = ("light", "dark")
PIXEL_OFF, SHARE = 48, 0.0008
SCREEN = {"name": "screen", "x": 0, "y": 0, "width": 1440, "height": 1000, "logicalDpi": 96}
TWICE = ("popover-light", "popover-dark")
"""Kept at 2x as well; the icon is drawn at every one of its sizes, and the pages would be four times as large."""


def faces() -> Iterator[tuple[str, object]]:
    """Yield each picture with its name, drawn in this process."""
    from PySide6.QtCore import QRect

    from tests.ui import scene, screenshots, screenshots_window
    from tests.ui.conftest import pin_look
    from tests.ui.faces import come_to_rest
    from tests.ui.fake_backend import FakeBackend
    from trayapp.model.process import Pressure
    from trayapp.ui import application, tokens
    from trayapp.ui.bridge import Bridge
    from trayapp.ui.first_run import FirstRun
    from trayapp.ui.popover import Popover

    app = application.make_application()
    pin_look(app)
    yield "tray-states", screenshots.tray_states()
    snapshots = {
        "popover": scene.scene(),
        "popover-short": scene.scene(pressure=Pressure.WARNING),
        "popover-empty": scene.empty(),
        "popover-stale": scene.stale(),
    }
    for look in LOOKS:
        tokens.appearance().choose(look)
        for name, snapshot in snapshots.items():
            bridge = Bridge(FakeBackend(snapshot))
            popover = Popover(bridge)
            popover.show_at(QRect(1000, 0, 24, 24))
            come_to_rest()
            yield f"{name}-{look}", popover.grab().toImage()
            popover.hide()
            popover.deleteLater()
            bridge.close()
            bridge.deleteLater()
        bridge = Bridge(FakeBackend(scene.scene()))
        welcome = FirstRun(bridge, screenshots_window.NoLogin())
        welcome.show()
        come_to_rest()
        yield f"first-run-{look}", welcome.grab().toImage()
        welcome.close()
        bridge.close()
        bridge.deleteLater()
        for name, picture in screenshots_window.pages(app, look):
            yield name, picture.toImage()
        come_to_rest()


def draw(folder: Path, scale: int) -> None:
    """Draw what is kept at that scale into a folder, in a process of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        config = Path(scratch) / "screen.json"
        config.write_text(json.dumps({"screens": [SCREEN | {"width": 1440 * scale, "height": 1000 * scale}]}))
        environment = os.environ | {
            "QT_QPA_PLATFORM": f"offscreen:configfile={config}",
            "QT_SCALE_FACTOR": str(scale),
            "QT_LOGGING_RULES": "qt.qpa.fonts.warning=false",
            "TZ": "UTC",
            "HOME": "/home/ada",
            "LANGUAGE": "en",
            "LC_ALL": "C.UTF-8",
        }
        command = [sys.executable, "-m", "tests.ui.pictures", "--draw", str(folder), "--scale", str(scale)]
        subprocess.run(command, cwd=CHECKOUT, env=environment, check=True, capture_output=True, text=True)


def _draw_here(folder: Path, scale: int) -> None:
    from PySide6.QtGui import QImage

    time.tzset()
    for name, picture in faces():
        if scale == 1 or name in TWICE:
            assert isinstance(picture, QImage)
            flat = picture.convertToFormat(QImage.Format.Format_RGB888)
            flat.save(str(folder / f"{file_name(name, scale)}.png"), quality=0)  # packed as small as it gets


def file_name(name: str, scale: int) -> str:
    return name if scale == 1 else f"{name}@{scale}x"


def difference(kept: Path, found: Path, told: Path) -> str:
    """Say how two pictures differ, "" where they do not; where they do, a third one shows it."""
    import numpy
    from PySide6.QtGui import QImage

    before, now = (QImage(str(path)).convertToFormat(QImage.Format.Format_RGB32) for path in (kept, found))
    if before.size() != now.size():
        return f"was {before.width()} x {before.height()}, is {now.width()} x {now.height()}"
    pixels = []
    for image in (before, now):
        flat = numpy.frombuffer(image.constBits(), dtype=numpy.uint8)
        pixels.append(flat.reshape(image.height(), image.bytesPerLine() // 4, 4)[:, : image.width(), :3].astype(int))
    off = numpy.abs(pixels[0] - pixels[1]).max(axis=2) > PIXEL_OFF
    share = float(off.mean())
    if share <= SHARE:
        return ""
    shown = (pixels[1] // 3 + 160).astype(numpy.uint8)
    shown[off] = (30, 38, 179)  # blue, green, red
    padded = numpy.dstack([shown, numpy.full(shown.shape[:2], 255, dtype=numpy.uint8)]).copy()
    QImage(padded.data, now.width(), now.height(), now.width() * 4, QImage.Format.Format_RGB32).save(str(told))
    rows, columns = off.any(axis=1).nonzero()[0], off.any(axis=0).nonzero()[0]
    where = f"x {columns[0]} to {columns[-1]}, y {rows[0]} to {rows[-1]}"
    return f"{share:.2%} of its pixels differ, {where}; see {told.relative_to(CHECKOUT)} and {found.name} beside it"


def compare(found: Path, kept: Path = KEPT) -> list[str]:
    """Return what differs, one line for each picture."""
    names = sorted({path.name for folder in (kept, found) for path in folder.glob("*.png")})
    lines = []
    for name in names:
        if name.startswith("difference-"):
            continue
        if not (kept / name).exists():
            lines.append(f"{name}: is new")
        elif not (found / name).exists():
            lines.append(f"{name}: was not drawn")
        elif words := difference(kept / name, found / name, found / f"difference-{name}"):
            lines.append(f"{name}: {words}")
    return lines


def main(arguments: Sequence[str]) -> int:
    """Draw anew and compare, or renew what is kept."""
    parser = argparse.ArgumentParser(prog="python -m tests.ui.pictures")
    parser.add_argument("--renew", action="store_true", help="keep the pictures as they are now")
    parser.add_argument("--draw", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--scale", type=int, default=1, help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.draw is not None:
        _draw_here(chosen.draw, chosen.scale)
        return 0
    folder = KEPT if chosen.renew else FOUND
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.png"):
        old.unlink()
    for scale in (1, 2):
        draw(folder, scale)
    lines = [] if chosen.renew else compare(FOUND)
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
