"""The one place where the parts are put together.

The tray's icon comes first, so nothing of ours is loaded before the call that needs it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from trayapp.core import Core, Places

APP_NAME = "agentring"


_XDG = {
    "config": ("XDG_CONFIG_HOME", ".config"),
    "data": ("XDG_DATA_HOME", ".local/share"),
    "cache": ("XDG_CACHE_HOME", ".cache"),
}
"""Where files of a kind lie on Linux (https://specifications.freedesktop.org/basedir/0.8)."""


def folder(kind: Literal["config", "data", "cache"]) -> Path:
    """Return this user's folder for files of a kind, by the custom of the system; it may not exist yet."""
    if sys.platform != "linux":
        import platformdirs

        ways = {
            "config": platformdirs.user_config_dir,
            "data": platformdirs.user_data_dir,
            "cache": platformdirs.user_cache_dir,
        }
        return Path(ways[kind](APP_NAME))
    # one rule, for which platformdirs would load 350 kB
    variable, usual = _XDG[kind]
    told = os.environ.get(variable, "")
    return Path(told if os.path.isabs(told) else Path.home() / usual) / APP_NAME


def _window_file() -> Path:
    return folder("data") / "window.json"


def places() -> Places:
    """Return where this user's files lie."""
    from trayapp.core import Places

    data = folder("data")
    return Places(
        settings=folder("config") / "settings.toml",
        history=data / "history.sqlite",
        journal=data / "journal.jsonl",
        lineage=data / "lineage.json",
        incidents=data / "incidents",
        keeps=data / "keeps.json",
        window=_window_file(),
    )


def make_core(where: Places | None = None) -> Core:
    """Put a core together from this machine's processes, hosts and files."""
    import time

    from trayapp import late_tls, lean

    late_tls.postpone()  # before anything of ours imports asyncio
    lean.import_msgspec()
    from trayapp import settings
    from trayapp.core import Core
    from trayapp.hosts.base import Surroundings
    from trayapp.hosts.registry import load_hosts
    from trayapp.probe import Probe

    where = where or places()
    hosts, broken_plug_ins = load_hosts(folder=where.settings.parent / "hosts")
    chosen, broken_settings = settings.load(where.settings)
    probe = Probe(environment_names={name for host in hosts for name in host.environment_names})
    around = Surroundings(home=Path.home(), environ=dict(os.environ), now_epoch_s=time.time, processes=probe)
    return Core(
        probe=probe,
        hosts=hosts,
        around=around,
        places=where,
        settings=chosen,
        problems=broken_plug_ins,
        settings_problems=broken_settings,
    )


@contextmanager
def running(core: Core) -> Iterator[Core]:
    """Let a core measure and record by itself, and end it cleanly."""
    core.start(ticking=True)
    try:
        yield core
    finally:
        core.stop()


def run_tray() -> int:
    """Run the tray app until the user quits; a second start opens the window of the first."""
    from trayapp.ui import application  # Qt is only loaded where it is shown

    return application.run(
        lambda: running(make_core()),
        icon_file=folder("cache") / "icon.txt",
        window_file=_window_file(),
    )


def run_self_test() -> int:
    """Show every face once and print what was seen; how a packaged app is tried after its build."""
    from trayapp.ui import application

    with running(make_core()) as core:
        return application.print_self_test(core)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the `agentring` command."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments:
        return run_tray()
    if arguments == ["--self-test"]:
        return run_self_test()
    from trayapp import cli

    return cli.main(argv, make_core=make_core, run_tray=run_tray)


def main_tray() -> int:
    """Run the tray app; what the GUI script starts."""
    return run_tray()


if __name__ == "__main__":
    sys.exit(main())
