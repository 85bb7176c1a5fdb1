"""Where each host was looked for, and what of it is on this computer, whether it runs or not.

For the doctor alone: reads names, links and package files, never starts a program. What is not found is told together
with where it was looked for.
"""

from __future__ import annotations

import os
import re
import shutil
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from trayapp import resources
from trayapp.hosts.base import Host, Surroundings
from trayapp.hosts.described_form import Description
from trayapp.hosts.files import read_whole
from trayapp.model.finding import Finding, Standing
from trayapp.say import noted

_MORE_FOLDERS = ("~/.local/bin", "~/bin", "/opt/homebrew/bin", "/usr/local/bin", "~/.bun/bin", "~/.cargo/bin")
"""Where programs are, besides the PATH: an app started by a click has a short one."""
_PACKAGE_BYTES = 1024 * 1024
_LEVELS = 4
_VERSION = re.compile(r"v?\d+\.\d+(\.\d+)?[\w.+-]*", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Say where a host is to be looked for; `note` is what a person should know of it.

    `variable` moves the first of its folders.
    """

    commands: tuple[str, ...] = ()
    variable: str | None = None
    folders: tuple[str, ...] = ()
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Whereabouts:
    """Tell what of a host is here.

    Attributes:
        program, version: the first of its commands that is there, and what its files say of its version.
        data: folders of it that are there.
        looked_for: what was looked for, as people write it.
        unreadable: folders of it that cannot be read, and why.
    """

    program: str | None = None
    version: str | None = None
    data: tuple[str, ...] = ()
    looked_for: tuple[str, ...] = ()
    unreadable: tuple[tuple[str, str], ...] = ()
    note: str | None = None
    has_programs: bool = True

    @property
    def is_here(self) -> bool:
        return self.program is not None or bool(self.data)

    @property
    def said(self) -> str:
        """Say it in one line, without a full stop."""
        if not self.is_here:
            return noted("not found: no {places}").format(places=", no ".join(self.looked_for))
        data = ", ".join(self.data)
        if self.program is None:
            return noted("none of its programs is on the PATH, data in {data}").format(data=data)
        which = _SAID[self.version is not None, bool(data)]
        return which.format(program=self.program, version=self.version, data=data)

    @property
    def said_of_one_that_rests(self) -> str:
        """Say the same of a host of which nothing runs."""
        return noted("does not run now: {where}").format(where=self.said) if self.is_here else self.said


_SAID = {
    (True, True): noted("{program}, version {version}, data in {data}"),
    (True, False): noted("{program}, version {version}, no data yet"),
    (False, True): noted("{program}, whose files tell no version, data in {data}"),
    (False, False): noted("{program}, whose files tell no version, no data yet"),
}


def look(host: Host, around: Surroundings) -> Whereabouts | None:
    """Look for a host on this computer; None for one of which nobody knows where to look (a plug-in)."""
    places = places_of(host)
    if places is None:
        return None
    program, looked_for = _program(places, around)
    moved = around.environ.get(places.variable or "")
    folders = [_expanded(folder, around.home) for folder in places.folders]
    folders[:1] = [Path(moved)] if moved else folders[:1]
    data, unreadable = [], []
    for folder in folders:
        shown = _shown(folder, around.home)
        try:
            if folder.is_dir():
                os.scandir(folder).close()
                data.append(shown)
            elif folder.exists():
                unreadable.append((shown, "it is no folder"))
        except OSError as fault:
            unreadable.append((shown, fault.strerror or "it cannot be looked at"))
        looked_for.append(shown)
    return Whereabouts(
        program=_shown(program, around.home) if program is not None else None,
        version=version_of(program) if program is not None else None,
        data=tuple(data),
        looked_for=tuple(looked_for),
        unreadable=tuple(unreadable),
        note=places.note,
        has_programs=bool(places.commands),
    )


def more_about(title: str, found: Whereabouts) -> Iterator[Finding]:
    """Yield what a person should know of a host, what could not be read of it, and what that means."""
    if found.note is not None and (found.is_here or not found.has_programs):
        yield Finding(topic=title, standing=Standing.ABSENT, what=found.note)
    for folder, why in found.unreadable:
        what = noted("{folder} cannot be read ({why}): its memory is counted, its titles and states are not known")
        mend = noted("Check what it is and its permissions")
        yield Finding(topic=title, standing=Standing.TROUBLE, what=what.format(folder=folder, why=why), mend=mend)


def places_of(host: Host) -> Places | None:
    """Return where a host is to be looked for: as its description says, or as the shipped list says."""
    description = getattr(host, "description", None)
    if isinstance(description, Description):
        agents = [each for each in description.programs if each.role in ("backend", "adapter") and not each.below]
        named = [name for program in agents or description.programs for name in program.names]
        home = description.home_folder
        folders = [] if home is None else [home]
        folders += [folder.replace("{home}", home or "~") for folder in description.look_in]
        return Places(
            commands=tuple(dict.fromkeys(named)),
            variable=description.home_variable,
            folders=tuple(dict.fromkeys(folders)),
            note=description.note,
        )
    told = _listed().get(host.label.host)
    if told is None:
        return None
    return Places(
        commands=tuple(told.get("commands", ())),
        variable=told.get("variable"),
        folders=tuple(told.get("folders", ())),
    )


@lru_cache(maxsize=1)
def _listed() -> Mapping[str, Any]:
    return tomllib.loads(resources.path("places.toml").read_text(encoding="utf-8"))


def _program(places: Places, around: Surroundings) -> tuple[Path | None, list[str]]:
    folders = [around.environ.get("PATH", ""), *(str(_expanded(each, around.home)) for each in _MORE_FOLDERS)]
    path = os.pathsep.join(folder for folder in folders if folder)
    for command in places.commands:
        found = shutil.which(command, path=path)
        if found is not None:
            return Path(found), [f"“{command}” on the PATH"]
    return None, [f"“{command}” on the PATH" for command in places.commands]


def version_of(program: Path) -> str | None:
    """Return the version that a program's path or the package around it tells; it is not run."""
    try:
        real = program.resolve()
    except (OSError, RuntimeError):
        return None
    for above in list(real.parents)[:_LEVELS]:
        try:
            package = msgspec.json.decode(read_whole(above / "package.json", limit_bytes=_PACKAGE_BYTES))
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            continue
        version = package.get("version") if isinstance(package, dict) else None
        if isinstance(version, str) and _VERSION.fullmatch(version):
            return version
    return next((part for part in reversed(real.parts) if _VERSION.fullmatch(part)), None)


def _expanded(folder: str, home: Path) -> Path:
    text = folder.replace("{user}", str(home))
    return home / text[2:] if text.startswith("~/") else Path(text)


def _shown(path: Path, home: Path) -> str:
    try:
        return f"~/{path.relative_to(home).as_posix()}"
    except ValueError:
        return str(path)
