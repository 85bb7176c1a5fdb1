"""Which hosts there are: the built-in ones and those of installed plug-ins.

A new host is one new file in this folder and one line here; one whose adapter is large tells its programs in a file of
their own, and the rest is loaded when one of them runs. One that needs no code is a description in resources/hosts, and
a user can add such files of their own. Hosts from outside come in through the entry point group `agentring.hosts`,
whose entries name a class (or function) that makes a Host without arguments.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from trayapp import late_tls
from trayapp.hosts import (
    claude_code_programs,
    cline_programs,
    codeman_programs,
    codex_programs,
    copilot_programs,
    craft_programs,
    described_programs,
    dsh_programs,
    gemini_programs,
    opencode_programs,
    pi_programs,
    qwen_programs,
)
from trayapp.hosts.asleep import Asleep
from trayapp.hosts.base import Host
from trayapp.model.session import HostLabel, Problem

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINT_GROUP = "agentring.hosts"


def _claude_code() -> Host:
    from trayapp.hosts.claude_code import ClaudeCode

    return ClaudeCode()


def _cline() -> Host:
    from trayapp.hosts.cline import Cline

    return Cline()


def _codeman() -> Host:
    from trayapp.hosts.codeman import Codeman

    late_tls.allow()
    return Codeman()


def _codex() -> Host:
    from trayapp.hosts.codex import Codex

    return Codex()


def _copilot() -> Host:
    from trayapp.hosts.copilot import Copilot

    return Copilot()


def _craft() -> Host:
    from trayapp.hosts.craft import CraftAgents

    late_tls.allow()
    return CraftAgents()


def _dsh() -> Host:
    from trayapp.hosts.dsh import Dsh

    return Dsh()


def _gemini() -> Host:
    from trayapp.hosts.gemini import Gemini

    return Gemini()


def _opencode() -> Host:
    from trayapp.hosts.opencode import OpenCode

    return OpenCode()


def _pi() -> Host:
    from trayapp.hosts.pi import Pi

    return Pi()


def _qwen() -> Host:
    from trayapp.hosts.qwen import Qwen

    return Qwen()


_BUILT_IN: tuple[Callable[[], Host], ...] = (
    lambda: Asleep(claude_code_programs, _claude_code),
    lambda: Asleep(codex_programs, _codex),
    lambda: Asleep(opencode_programs, _opencode),
    lambda: Asleep(craft_programs, _craft),
    lambda: Asleep(dsh_programs, _dsh),
    lambda: Asleep(codeman_programs, _codeman),
    lambda: Asleep(pi_programs, _pi),
    lambda: Asleep(copilot_programs, _copilot),
    lambda: Asleep(gemini_programs, _gemini),
    lambda: Asleep(qwen_programs, _qwen),
    lambda: Asleep(cline_programs, _cline),
    *(partial(described_programs.shipped, entry) for entry in described_programs.SHIPPED),
)
_METHODS = ("recognise", "observe", "call")


def load_hosts(
    plug_ins: Iterable[EntryPoint] | None = None, *, folder: Path | None = None
) -> tuple[tuple[Host, ...], tuple[Problem, ...]]:
    """Make every host; a plug-in or a description that cannot be used becomes a Problem, the others go on.

    `plug_ins` defaults to the installed entry points of ENTRY_POINT_GROUP; `folder` holds the user's descriptions.
    Hosts come in the order of their rank; the first to use a name keeps it.
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
    if folder is not None and folder.is_dir():
        from trayapp.hosts import described_own

        own, faults = described_own.users_own(folder, list(hosts.values()))
        hosts.update((host.label.host, host) for host in own)
        problems.extend(faults)
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
    late_tls.allow()  # nobody knows what it speaks
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
