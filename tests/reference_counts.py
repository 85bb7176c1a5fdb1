"""Count references to None and True around calls into Qt; run in a process of its own (tests/test_house.py).

PySide6 6.12.0 on Python 3.11 loses one reference to None with every bound call that returns nothing, and one to True
with every emission, until the interpreter aborts. Prints the drift over COUNT of each as JSON.
"""

from __future__ import annotations

import json
import os
import sys

os.environ["QT_QPA_PLATFORM"] = "offscreen"

COUNT = 300
SPARE = [None, True] * 20_000
"""References that may be lost, so that a faulty version is measured and does not abort."""


def main() -> None:
    """Print by how much the counts moved."""
    from PySide6.QtCore import QObject, QTimer, Signal
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QApplication

    class Emitter(QObject):
        happened = Signal(int)

    application = QApplication([])
    timer, action, emitter = QTimer(), QAction(), Emitter()
    emitter.happened.connect(int)

    def void_calls() -> None:
        for interval_ms in range(COUNT):
            timer.setInterval(interval_ms)
            action.setText("text")

    def emissions() -> None:
        for number in range(COUNT):
            emitter.happened.emit(number)

    def drift(of: object, during: object) -> int:
        assert callable(during)
        during()  # whatever is cached at first use is cached now
        before = sys.getrefcount(of)
        during()
        return sys.getrefcount(of) - before

    figures = {
        "none_over_void_calls": drift(None, void_calls),
        "true_over_void_calls": drift(True, void_calls),
        "none_over_emissions": drift(None, emissions),
        "true_over_emissions": drift(True, emissions),
    }
    print(json.dumps(figures), flush=True)
    del application
    os._exit(0)  # a faulty version may abort while it ends; the figures are told already


if __name__ == "__main__":
    main()
