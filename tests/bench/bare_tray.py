"""The least that a tray app in PySide6 can be: an application, an icon painted once, a menu."""

from __future__ import annotations

import sys

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QApplication, QMenu, QSystemTrayIcon


def main() -> int:
    app = QApplication([sys.argv[0]])
    app.setQuitOnLastWindowClosed(False)
    picture = QPixmap(22, 22)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(40, 40, 40), 2))
    painter.drawEllipse(3, 3, 16, 16)
    painter.end()
    menu = QMenu()
    for words in ("Open", "Pause", "Release", "Quit"):
        menu.addAction(words)
    tray = QSystemTrayIcon(QIcon(picture))
    tray.setContextMenu(menu)
    tray.show()
    return app.exec()


if __name__ == "__main__":
    sys.exit(main())
