"""Make the icon files that the systems want out of the one drawing in resources/icons.

    python packaging/icons.py FOLDER      writes agentring.icns, agentring.ico and agentring-<size>.png

Both containers hold plain PNG images, so no image library is needed beside Qt.
"""

from __future__ import annotations

import os
import struct
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DRAWING = ROOT / "resources" / "icons" / "agentring.svg"

ICNS_TYPES = {16: b"icp4", 32: b"icp5", 64: b"icp6", 128: b"ic07", 256: b"ic08", 512: b"ic09", 1024: b"ic10"}
"""Type codes of PNG elements by edge in pixels (Apple's icns format, since 10.7)."""

ICO_SIZES = (16, 24, 32, 48, 64, 128, 256)
PNG_SIZES = (48, 128, 256, 512)


def render(size: int) -> bytes:
    """Return the drawing as a PNG of that edge in pixels."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    renderer = QSvgRenderer(str(DRAWING))
    if not renderer.isValid():
        raise ValueError(f"{DRAWING} is not a drawing that Qt can read")
    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    painter = QPainter(image)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not image.save(buffer, "PNG"):  # type: ignore[call-overload]  # the stub knows file names only
        raise ValueError(f"{DRAWING} could not be written as PNG")
    return bytes(data.data())


def icns(images: dict[int, bytes]) -> bytes:
    """Pack PNG images, by edge in pixels, for macOS."""
    elements = b"".join(
        ICNS_TYPES[size] + struct.pack(">I", len(png) + 8) + png for size, png in sorted(images.items())
    )
    return b"icns" + struct.pack(">I", len(elements) + 8) + elements


def ico(images: dict[int, bytes]) -> bytes:
    """Pack PNG images, by edge in pixels, for Windows; an edge of 256 is written as 0."""
    header = struct.pack("<HHH", 0, 1, len(images))
    offset = len(header) + 16 * len(images)
    entries, payload = b"", b""
    for size, png in sorted(images.items()):
        entries += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(png), offset + len(payload))
        payload += png
    return header + entries + payload


def write(folder: Path) -> list[Path]:
    """Write all icon files into `folder` and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    images = {size: render(size) for size in sorted({*ICNS_TYPES, *ICO_SIZES, *PNG_SIZES})}
    files = {
        folder / "agentring.icns": icns({size: images[size] for size in ICNS_TYPES}),
        folder / "agentring.ico": ico({size: images[size] for size in ICO_SIZES}),
        **{folder / f"agentring-{size}.png": images[size] for size in PNG_SIZES},
    }
    for path, content in files.items():
        path.write_bytes(content)
    return list(files)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
