"""Which hosts there are: the built-in ones and those of installed plug-ins.

A new host is one new file in this folder and one line here; hosts from outside come in through the entry point group
`agentring.hosts`, whose entries name a class (or function) that makes a Host without arguments.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from trayapp.hosts.base import Host
from trayapp.hosts.claude_code import ClaudeCode
from trayapp.hosts.codeman import Codeman
from trayapp.hosts.codex import Codex
from trayapp.hosts.craft import CraftAgents
from trayapp.hosts.dsh import Dsh
from trayapp.hosts.kiro import Kiro
from trayapp.hosts.opencode import OpenCode
from trayapp.model.session import HostLabel, Problem

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINT_GROUP = "agentring.hosts"
_BUILT_IN: tuple[Callable[[], Host], ...] = (ClaudeCode, Codex, OpenCode, CraftAgents, Kiro, Dsh, Codeman)
_METHODS = ("recognise", "observe", "call")


def load_hosts(plug_ins: Iterable[EntryPoint] | None = None) -> tuple[tuple[Host, ...], tuple[Problem, ...]]:
    """Make every host; a plug-in that cannot be used becomes a Problem, the others go on.

    `plug_ins` defaults to the installed entry points of ENTRY_POINT_GROUP. Hosts come in the order of their rank; the
    first to use a name keeps it.
    """
    hosts: dict[str, Host] = {host.label.host: host for host in (make() for make in _BUILT_IN)}
    problems: list[Problem] = []
    for entry in _installed() if plug_ins is None else plug_ins:
        made = _load(entry)
        if isinstance(made, Problem):
            problems.append(made)
        elif made.label.host in hosts:
            problems.append(_problem(entry, f"there is a host “{made.label.host}” already", "Remove one of the two"))
        else:
            hosts[made.label.host] = made
    in_order = sorted(hosts.values(), key=lambda host: (host.label.rank, host.label.host))
    return tuple(in_order), tuple(problems)


def _installed() -> Iterable[EntryPoint]:
    """Return the installed plug-ins; what reads them (2.5 MB) is loaded only where a package names the group."""
    named = (file for folder in sys.path for file in Path(folder).glob("*-info/entry_points.txt"))
    if not any(ENTRY_POINT_GROUP.encode() in file.read_bytes() for file in named):
        return ()
    from importlib.metadata import entry_points

    return entry_points(group=ENTRY_POINT_GROUP)


def _load(entry: EntryPoint) -> Host | Problem:
    try:
        host: Host = entry.load()()
    except Exception as fault:  # noqa: BLE001  whatever foreign code raises must not stop the other hosts
        return _problem(
            entry, f"could not be loaded: {type(fault).__name__}: {fault}", "Update or uninstall the plug-in"
        )
    missing = [name for name in _METHODS if not callable(getattr(host, name, None))]
    if missing or not isinstance(getattr(host, "label", None), HostLabel):
        return _problem(
            entry, f"is no host: it lacks {', '.join(missing or ['label'])}", "Update or uninstall the plug-in"
        )
    if not isinstance(getattr(host, "environment_names", None), tuple):
        return _problem(entry, "is no host: it lacks environment_names", "Update or uninstall the plug-in")
    return host


def _problem(entry: EntryPoint, what: str, mend: str) -> Problem:
    return Problem(where=f"plug-in {entry.name} ({entry.value})", what=what, mend=mend)
