"""What may be loaded when: the icon comes before the core, and what nobody has asked to see stays on disk."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

WITH_THE_ICON = """
import json, sys
from contextlib import contextmanager
from PySide6.QtWidgets import QSystemTrayIcon
from trayapp.desktop import single_instance
from trayapp.ui import application
from trayapp.ui.tray import Tray

single_instance.own_socket_name = lambda: sys.argv[1]
Tray.show = Tray._show_icon  # as where there is a tray

@contextmanager
def opening():
    icons = [w for w in application.QApplication.instance().allWidgets()]
    print(json.dumps({"modules": sorted(sys.modules), "widgets": [type(w).__name__ for w in icons]}), flush=True)
    raise SystemExit(0)
    yield

application.run(opening)
"""

WITH_THE_CORE = """
import json, linecache, sys
from contextlib import contextmanager
from PySide6.QtCore import QTimer
from trayapp import app
from trayapp.desktop import single_instance
from trayapp.ui import application
from trayapp.ui.tray import Tray

single_instance.own_socket_name = lambda: sys.argv[1]
Tray.show = Tray._show_icon
made = application.TrayApplication.__init__

def told(self, *given, **more):
    made(self, *given, **more)
    qt = given[0]
    QTimer.singleShot(0, qt.quit)

@contextmanager
def running(core):
    core.start()  # without looking at this machine, where a host may run that is asked by HTTP
    yield core
    core.stop()

application.TrayApplication.__init__ = told
application.TrayApplication.open_first_run = lambda pieces: None  # as at every start but the first
app.running = running
code = app.run_tray()
print(json.dumps({"modules": sorted(sys.modules), "sources": sorted(linecache.cache), "code": code}))
"""

NOT_BEFORE_THE_ICON = (
    *("asyncio", "ssl", "sqlite3", "msgspec", "tomlkit", "httpx", "websockets", "watchfiles", "rich", "typer", "click"),
    *("psutil", "numpy", "pyqtgraph", "importlib.metadata", "concurrent.futures"),
    *("trayapp.core", "trayapp.monitor", "trayapp.hosts", "trayapp.history", "trayapp.probe", "trayapp.reclaim"),
    *("trayapp.model", "trayapp.settings", "trayapp.commands", "trayapp.recording", "trayapp.report"),
    *("trayapp.ui.bridge", "trayapp.ui.controls", "trayapp.ui.popover", "trayapp.ui.window", "trayapp.ui.review"),
)
NOT_WITHOUT_A_VIEW = (
    *("websockets", "watchfiles", "httpx", "rich", "typer", "click", "numpy", "pyqtgraph"),
    *("hashlib", "PySide6.QtNetwork", "ssl", "_ssl"),
    # no file with settings and no plug-in is there
    *("tomlkit", "importlib.metadata"),
    *("trayapp.commands", "trayapp.report", "trayapp.recording", "trayapp.redaction", "trayapp.history.csv_export"),
    *("trayapp.ui.controls", "trayapp.ui.popover", "trayapp.ui.window", "trayapp.ui.review", "trayapp.ui.chart"),
)


def run(script: str, tmp_path: Path) -> dict[str, list[str]]:
    homes = {name: str(tmp_path / name) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")}
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "socket")],
        cwd=ROOT,
        env=os.environ | homes | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.stdout, done.stderr
    seen: dict[str, list[str]] = json.loads(done.stdout.splitlines()[-1])
    return seen


def loaded(modules: list[str], unwanted: tuple[str, ...]) -> list[str]:
    return [name for name in unwanted if any(m == name or m.startswith(name + ".") for m in modules)]


def test_the_icon_is_shown_before_the_core_and_all_that_it_needs_are_loaded(tmp_path: Path) -> None:
    seen = run(WITH_THE_ICON, tmp_path)
    assert loaded(seen["modules"], NOT_BEFORE_THE_ICON) == []
    assert set(seen["widgets"]) == {"QMenu"}


def test_what_only_a_view_or_a_command_needs_is_not_loaded_while_the_app_sits_in_the_tray(tmp_path: Path) -> None:
    seen = run(WITH_THE_CORE, tmp_path)
    assert loaded(seen["modules"], NOT_WITHOUT_A_VIEW) == []


def test_the_sources_of_what_is_imported_are_not_kept(tmp_path: Path) -> None:
    kept = {Path(source).relative_to(ROOT).as_posix() for source in run(WITH_THE_CORE, tmp_path)["sources"]}
    assert kept <= {"trayapp/ui/__init__.py"}  # what ends it cannot keep itself out
