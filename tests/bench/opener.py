"""Run the real app, and once its window is open let the chart show one layer for each session.

Used as `python -m tests.bench.opener ROOT LAYERS`; how many layers are shown is told in ROOT/window.txt. The only thing
added to the product is a timer, which ends once there are so many.
"""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QTimer

from trayapp import app
from trayapp.model.series import StackBy
from trayapp.ui import application


def main() -> int:
    told, wanted = Path(sys.argv[1]) / "window.txt", int(sys.argv[2])
    told.write_text("0 layers")
    qt = application.make_application()
    timer = QTimer(qt)

    def look() -> None:
        from trayapp.ui.window import MainWindow

        windows = [w for w in qt.topLevelWidgets() if isinstance(w, MainWindow) and w.isVisible()]
        if not windows:
            return
        from trayapp.ui.chart_card import ChartCard

        cards = [card for card in windows[0].findChildren(ChartCard) if card.isVisible()]
        series = cards[0].chart.series if cards else None
        if cards and cards[0].stack.current != StackBy.SESSION:
            cards[0].stack_by(StackBy.SESSION)
        elif series is not None:
            told.write_text(f"{len(series.layers)} layers")
            if len(series.layers) >= wanted:
                timer.stop()

    timer.timeout.connect(look)
    timer.start(500)
    return app.run_tray()


if __name__ == "__main__":
    sys.exit(main())
