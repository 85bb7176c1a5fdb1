"""Put the plugin into a DSH profile and take it out again, saying beforehand what is written where.

Knows two ways: the host's own command (`dsh plugin`, which needs pnpm), and a row in the profile's `cordis.patch.yml`
(dsh_patch.py). Either way the plugin's files are copied to a folder of the user's data first, by version, so that they
stay where they are when this program is updated or moved. Nothing is done without a plan that a person has seen.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import resources
from pathlib import Path
from typing import Any

from trayapp.hosts.base import SetUpFailed
from trayapp.hosts.dsh_patch import Patch, PatchUneditable
from trayapp.hosts.files import read_whole
from trayapp.model.finding import Finding, Standing

PATCH_NAME = "cordis.patch.yml"
BACKUP_NAME = f"{PATCH_NAME}.before-agentring"
_LIST_NAME = "installed.json"
_PATCH_LIMIT_BYTES = 1024 * 1024
_COMMAND_TIMEOUT_S = 180.0
_VERSION_TIMEOUT_S = 20.0
_FILE_ENDS = frozenset({".js", ".mjs", ".cjs", ".json", ".yml", ".md"})
_PROFILE = re.compile(r"[A-Za-z0-9._-]+")

Run = Callable[..., "subprocess.CompletedProcess[str]"]


class InstallError(SetUpFailed):
    """It cannot be done; the text is one line with what is wrong and the mend."""


class Way(StrEnum):
    """How the plugin comes into a profile."""

    COMMAND = "command"
    PATCH = "patch"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """Name the plugin that this program brings."""

    name: str
    version: str
    entry: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """Say how the plugin is in a profile; `folder` is where its files lie."""

    way: Way
    folder: Path

    @property
    def version(self) -> str:
        """Return the version, which is the name of its folder."""
        return self.folder.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Hold what would be done: sentences for a person, and what carries them out.

    Attributes:
        steps: what will be written where; empty = there is nothing to do.
        says: what is to be known besides.
    """

    profile_folder: Path
    steps: tuple[str, ...]
    says: tuple[str, ...] = ()
    _do: Callable[[], None] = field(repr=False, default=lambda: None)

    def carry_out(self) -> None:
        """Do it. Raises InstallError."""
        try:
            self._do()
        except OSError as error:
            where = error.filename or self.profile_folder
            raise InstallError(f"{where}: {error.strerror or error}. Nothing else was changed") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """Hold the programs of the host's own way: `dsh` and the `pnpm` that it calls."""

    dsh: str
    environ: Mapping[str, str]


def data_folder() -> Path:
    """Return where the plugin's files are kept for this user."""
    import platformdirs

    return Path(platformdirs.user_data_dir("agentring")) / "dsh-plugin"


def bundled() -> Plugin:
    """Return what this program brings. Raises InstallError where its files are missing."""
    try:
        said = json.loads((resources.files("trayapp.hosts") / "dsh_plugin" / "package.json").read_text("utf-8"))
        return Plugin(name=said["name"], version=said["version"], entry=said["main"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InstallError("The plugin is missing from this installation. Install Agent Ring again") from error


def find_tools(environ: Mapping[str, str], *, run: Run = subprocess.run) -> Tools | None:
    """Return the host's own command where it and pnpm are on the PATH; another program is called `dsh` as well."""
    path = environ.get("PATH")
    dsh, pnpm = shutil.which("dsh", path=path), shutil.which("pnpm", path=path)
    if dsh is None or pnpm is None:
        return None
    try:
        said = run([dsh, "--version"], env=dict(environ), timeout=_VERSION_TIMEOUT_S, **_QUIET)
    except (OSError, subprocess.TimeoutExpired):
        return None
    known = said.returncode == 0 and re.fullmatch(r"\d+\.\d+\.\d+(-[\w.]+)?", said.stdout.strip())
    return Tools(dsh=dsh, environ=environ) if known else None


_QUIET: dict[str, Any] = {"capture_output": True, "text": True, "errors": "replace", "stdin": subprocess.DEVNULL}


class Installer:
    """Plan and look. `data` is where the plugin's files go, `tools` the host's own command where there is one."""

    def __init__(self, *, data: Path | None = None, tools: Tools | None = None, run: Run = subprocess.run) -> None:
        self._data = data if data is not None else data_folder()
        self._tools = tools
        self._run = run

    # -- looking --------------------------------------------------------------------------------------------------

    def installed(self, profile_folder: Path) -> Installed | None:
        """Return how the plugin is in that profile. Raises PatchUneditable, OSError."""
        text = _read_text(profile_folder / PATCH_NAME)
        row = Patch(text=text).row if text is not None else None
        if row is not None:
            return Installed(way=Way.PATCH, folder=Path(row).parent)
        spec = _dependency(profile_folder, bundled().name)
        return Installed(way=Way.COMMAND, folder=Path(spec.split(":", 1)[-1])) if spec is not None else None

    def findings(self, home: Path) -> list[Finding]:
        """Tell for each profile of a home whether the plugin is in it, of which version."""
        return [finding for folder in _profiles(home) if (finding := self._finding(folder)) is not None]

    def _finding(self, folder: Path) -> Finding | None:
        topic = f"DSH profile {folder.name}"
        command = f"`agentring hosts dsh install-plugin --profile {folder.name} --home {folder.parent.parent}`"
        try:
            own, found = bundled(), self.installed(folder)
        except (InstallError, PatchUneditable, OSError) as error:
            what = f"cannot tell whether the plugin is installed: {error}"
            return Finding(topic=topic, standing=Standing.TROUBLE, what=what, mend="See docs/hosts.md")
        if found is None:
            return Finding(
                topic=topic, standing=Standing.ABSENT, what=f"the plugin is not installed in {folder}", mend=command
            )
        if not (found.folder / own.entry).is_file():
            what = f"the plugin is installed, but {found.folder} is gone"
            return Finding(topic=topic, standing=Standing.TROUBLE, what=what, mend=command)
        what = f"the plugin {found.version} is installed by {_BY[found.way]} in {folder}"
        if found.version != own.version:
            what += f", this program brings {own.version}"
            return Finding(topic=topic, standing=Standing.TROUBLE, what=what, mend=command)
        return Finding(topic=topic, standing=Standing.GOOD, what=what)

    # -- planning -------------------------------------------------------------------------------------------------

    def plan_install(self, home: Path, profile: str, *, way: Way | None = None) -> Plan:
        """Plan to put the plugin into a profile; no steps where it is there already. Raises InstallError."""
        folder, own = _profile_folder(home, profile), bundled()
        found = self._found(folder)
        target = self._data / own.version
        if found is not None and way is None:
            way = found.way
        if way is None:
            way = Way.COMMAND if self._tools is not None else Way.PATCH
        if found is not None and found.way is not way:
            raise InstallError(f"The plugin is in {folder} by {_BY[found.way]} already. Remove it first")
        if found is not None and found.folder == target and _is_whole(target):
            return Plan(profile_folder=folder, steps=())
        copied = () if _is_whole(target) else (f"copy the plugin {own.version} to {target}",)
        if way is Way.COMMAND:
            return self._plan_command(folder, home, profile, copied, target)
        return self._plan_patch(folder, copied, target / own.entry, target)

    def plan_remove(self, home: Path, profile: str) -> Plan:
        """Plan to take the plugin out of a profile; no steps where it is not in it. Raises InstallError."""
        folder, own = _profile_folder(home, profile), bundled()
        found = self._found(folder)
        if found is None:
            return Plan(profile_folder=folder, steps=())
        left = [other for other in self._list() if other != str(folder)]
        cleaned = () if left else (f"delete the plugin's files in {self._data}",)
        if found.way is Way.COMMAND:
            line = self._line(home, profile, "remove", own.name)

            def remove() -> None:
                self._command(line, home)
                self._forget(folder)

            return Plan(profile_folder=folder, steps=(f"run `{' '.join(line)}`", *cleaned), _do=remove)
        path = folder / PATCH_NAME
        text = _read_text(path) or ""
        without = _restored(folder, text)

        def take_out() -> None:
            _replace(path, text, without)
            (folder / BACKUP_NAME).unlink(missing_ok=True)
            self._forget(folder)

        return Plan(
            profile_folder=folder, steps=(f"take our row out of {path}, nothing else of it", *cleaned), _do=take_out
        )

    def _plan_patch(self, folder: Path, copied: tuple[str, ...], module: Path, target: Path) -> Plan:
        path = folder / PATCH_NAME
        text = _read_text(path)
        before = Patch(text=text or "")
        try:
            with_row = before.with_row(str(module))
            pristine = before.row is None
        except PatchUneditable as error:
            raise InstallError(_left_alone(path, error)) from error
        backed_up = (f"keep a copy of {path} beside it as {BACKUP_NAME}",) if text is not None and pristine else ()

        def put_in() -> None:
            self._copy(target)
            if backed_up and text is not None:
                _write(folder / BACKUP_NAME, text)
            _replace(path, text, with_row.text)
            self._note(folder)

        return Plan(
            profile_folder=folder,
            steps=(*copied, *backed_up, f"write one row “agentring” into {path}, which names {module}"),
            says=("A DSH that runs takes it up within seconds; one older than 0.2 needs a restart",),
            _do=put_in,
        )

    def _plan_command(self, folder: Path, home: Path, profile: str, copied: tuple[str, ...], target: Path) -> Plan:
        line = self._line(home, profile, "add", str(target))

        def add() -> None:
            self._copy(target)
            self._command(line, home)
            self._note(folder)

        return Plan(
            profile_folder=folder,
            steps=(*copied, f"run `{' '.join(line)}`, which adds it to {folder / 'package.json'}"),
            says=("A DSH that runs takes it up within seconds; one older than 0.2 needs a restart",),
            _do=add,
        )

    def _found(self, folder: Path) -> Installed | None:
        try:
            return self.installed(folder)
        except PatchUneditable as error:
            raise InstallError(_left_alone(folder / PATCH_NAME, error)) from error
        except OSError as error:
            where = error.filename or folder
            raise InstallError(f"{where}: {error.strerror or error}. It is left alone") from error

    # -- doing ----------------------------------------------------------------------------------------------------

    def _line(self, home: Path, profile: str, verb: str, what: str) -> list[str]:
        if self._tools is None:
            raise InstallError("The host's own command was not found: `dsh` and `pnpm` must be on the PATH")
        return [self._tools.dsh, "plugin", "--profile", profile, verb, what]

    def _command(self, line: Sequence[str], home: Path) -> None:
        assert self._tools is not None
        environ = {**self._tools.environ, "DSH_HOME": str(home)}
        try:
            said = self._run(list(line), env=environ, timeout=_COMMAND_TIMEOUT_S, **_QUIET)
        except subprocess.TimeoutExpired:
            raise InstallError(f"`{' '.join(line)}` did not end within {_COMMAND_TIMEOUT_S:.0f} s") from None
        if said.returncode != 0:
            last = next((text for text in reversed((said.stderr or said.stdout).splitlines()) if text.strip()), "")
            raise InstallError(
                f"`{' '.join(line)}` failed: {last.strip()[:200]}. `--by patch` writes the row without it"
            )

    def _copy(self, target: Path) -> None:
        """Copy the plugin's files; the folder appears whole or not at all."""
        if _is_whole(target):
            return
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh = target.with_name(f".{target.name}.{os.getpid()}")
        shutil.rmtree(fresh, ignore_errors=True)
        with resources.as_file(resources.files("trayapp.hosts") / "dsh_plugin") as source:
            fresh.mkdir()
            for path in sorted(source.iterdir()):
                if path.is_file() and path.suffix in _FILE_ENDS:
                    shutil.copyfile(path, fresh / path.name)
        shutil.rmtree(target, ignore_errors=True)
        fresh.rename(target)

    # -- where it was installed -----------------------------------------------------------------------------------

    def _list(self) -> list[str]:
        try:
            said = json.loads((self._data / _LIST_NAME).read_text("utf-8"))
        except (OSError, ValueError):
            return []
        return [folder for folder in said if isinstance(folder, str)] if isinstance(said, list) else []

    def _note(self, folder: Path) -> None:
        _write(self._data / _LIST_NAME, json.dumps(sorted({*self._list(), str(folder)}), indent=1) + "\n")

    def _forget(self, folder: Path) -> None:
        """Delete the files when no profile uses them any more."""
        left = [other for other in self._list() if other != str(folder)]
        if left:
            _write(self._data / _LIST_NAME, json.dumps(left, indent=1) + "\n")
        else:
            shutil.rmtree(self._data, ignore_errors=True)


_BY = {Way.COMMAND: "its host's own command", Way.PATCH: f"a row in {PATCH_NAME}"}


def _left_alone(path: Path, why: object) -> str:
    return f"{path} is left alone: {why}. docs/hosts.md has the row to write by hand"


def _is_whole(target: Path) -> bool:
    """Say whether a folder holds exactly the plugin that this program brings."""
    source = resources.files("trayapp.hosts") / "dsh_plugin"
    try:
        return all(
            (target / entry.name).read_bytes() == entry.read_bytes()
            for entry in source.iterdir()
            if entry.is_file() and Path(entry.name).suffix in _FILE_ENDS
        )
    except OSError:
        return False


def _profile_folder(home: Path, profile: str) -> Path:
    if not _PROFILE.fullmatch(profile) or profile.strip(".") == "":
        raise InstallError(f"{profile!r} is no name of a profile")
    folder = home / "profiles" / profile
    if not folder.is_dir():
        there = ", ".join(each.name for each in _profiles(home))
        mend = f"There are {there}" if there else "Start DSH once, or name its home with --home"
        raise InstallError(f"There is no profile “{profile}” in {home}. {mend}")
    return folder


def _profiles(home: Path) -> list[Path]:
    try:
        return sorted(folder for folder in (home / "profiles").iterdir() if (folder / "package.json").is_file())[:50]
    except OSError:
        return []


def _dependency(folder: Path, name: str) -> str | None:
    try:
        said = json.loads(read_whole(folder / "package.json", limit_bytes=_PATCH_LIMIT_BYTES))
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
    known = said.get("dependencies") if isinstance(said, dict) else None
    spec = known.get(name) if isinstance(known, dict) else None
    return spec if isinstance(spec, str) else None


def _read_text(path: Path) -> str | None:
    """Return a text with its line ends as they are; None where there is none. Raises OSError, PatchUneditable."""
    try:
        return read_whole(path, limit_bytes=_PATCH_LIMIT_BYTES).decode("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise PatchUneditable("it is no UTF-8 text") from None


def _restored(folder: Path, text: str) -> str:
    """Return a patch file as it was before our row: from its copy where nothing else was changed since."""
    row = Patch(text=text).row
    try:
        kept = _read_text(folder / BACKUP_NAME)
        if kept is not None and row is not None and Patch(text=kept).with_row(row).text == text:
            return kept
    except (OSError, PatchUneditable):
        pass  # the copy is a convenience; without it our row is cut out
    try:
        return Patch(text=text).without_row().text
    except PatchUneditable as error:
        raise InstallError(_left_alone(folder / PATCH_NAME, error)) from error


def _replace(path: Path, expected: str | None, text: str) -> None:
    """Write a file whole, unless it was changed since it was read."""
    if _read_text(path) != expected:
        raise InstallError(f"{path} was changed meanwhile. Try again")
    if expected is not None and not path.stat().st_mode & 0o222:
        # a rename would replace it all the same
        raise InstallError(f"{path} is read-only and left alone. Make it writable first")
    _write(path.resolve(), text)


def _write(path: Path, text: str) -> None:
    """Write beside and rename, so that a reader sees the old file or the new one; its mode stays."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        mode = path.stat().st_mode & 0o777
    except FileNotFoundError:
        mode = 0o600
    try:
        fresh.write_bytes(text.encode("utf-8"))
        fresh.chmod(mode)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
