"""The user's settings: a TOML file, checked on load, written back with its comments kept.

A file that cannot be used is never overwritten: what is wrong in it is told with its line, everything else holds.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import msgspec
from msgspec import Meta

from trayapp.model.session import Problem

if TYPE_CHECKING:
    import tomlkit  # loaded only where there is a file to read or to write

SCHEMA = 1
"""Stands in the file as `schema`; a file without it is of this version."""

_HEAD = "Settings of Agent Ring. Comments stay; a line that is missing has its default."


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Hold every setting with its default.

    Attributes:
        interval_s: seconds between ticks while a view is open or an agent runs; 0.5 to 60.
        idle_after_s: how long a session must be idle before it counts as releasable; 0 to 7 days.
        keep_days: how long quarters of an hour are kept (single samples 2 hours, minutes 7 days); 1 to 3650.
        record: write measurements to the history.
        tray_tone: "auto", "light" or "dark" glyph.
        ring: "machine" or "heap": the ring in the tray is of this computer's memory, or of the fullest heap of a host.
        cpu_of_machine: show CPU as share of the whole machine instead of 100 % = one core.
    """

    interval_s: Annotated[float, Meta(ge=0.5, le=60.0)] = 2.0
    idle_after_s: Annotated[float, Meta(ge=0.0, le=604_800.0)] = 900.0
    keep_days: Annotated[int, Meta(ge=1, le=3650)] = 365
    record: bool = True
    tray_tone: Annotated[str, Meta(pattern="^(auto|light|dark)$")] = "auto"
    ring: Annotated[str, Meta(pattern="^(machine|heap)$")] = "machine"
    cpu_of_machine: bool = False


def load(path: Path) -> tuple[Settings, tuple[Problem, ...]]:
    """Read the settings; without a file all have their defaults.

    What cannot be used becomes a Problem with its line and keeps its default. Reads only, raises nothing for bad files.
    """
    try:
        document = _parsed(path)
    except _Broken as broken:
        return Settings(), (broken.problem,)
    if document is None:
        return Settings(), ()
    import tomlkit

    text = document.as_string()
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    for name, kind in _kinds().items():
        if name not in document:
            continue
        try:
            values[name] = msgspec.convert(_unwrapped(document[name]), kind)
        except msgspec.ValidationError as error:
            default = getattr(Settings(), name)
            problems.append(
                Problem(
                    where=f"{path}, line {_line_of(name, text)}",
                    what=f"{name} cannot be used ({error})",
                    mend=f"Correct that line; until then it is {tomlkit.item(default).as_string()}",
                )
            )
    problems.extend(_about_the_rest(path, document, text))
    return Settings(**values), tuple(problems)


def save(path: Path, settings: Settings) -> Problem | None:
    """Write the settings that differ from what the file says; comments, order and unknown keys stay.

    A file that cannot be parsed is set aside under another name first, and the returned Problem says so. The file is
    replaced whole, also behind a symbolic link. Raises OSError.
    """
    import tomlkit

    target = path.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    problem: Problem | None = None
    try:
        document = _parsed(target)
    except _Broken as broken:
        aside = _free_name(target.with_name(f"{target.stem}.set-aside{target.suffix}"))
        target.rename(aside)
        problem = Problem(
            where=str(path),
            what=f"{broken.problem.what}; the file was set aside as {aside.name}",
            mend="New settings were written; move what you want to keep over from the old file",
        )
        document = None
    if document is None:
        document = tomlkit.document()
        document.add(tomlkit.comment(_HEAD))
        document.add("schema", tomlkit.item(SCHEMA))
    for name, kind in _kinds().items():
        value = getattr(settings, name)
        if value != _effective(document, name, kind):
            document[name] = value
    _replace(target, tomlkit.dumps(document))
    return problem


class _Broken(Exception):
    """The file cannot be read at all."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


def _parsed(path: Path) -> tomlkit.TOMLDocument | None:
    """Return the parsed file, None when there is none."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _Broken(
            Problem(
                where=str(path),
                what=f"the settings cannot be read ({error.strerror})",
                mend="Allow reading it; until then all settings have their defaults",
            )
        ) from error
    import tomlkit
    from tomlkit.exceptions import ParseError, TOMLKitError

    try:
        return tomlkit.parse(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        line, why = content.count(b"\n", 0, error.start) + 1, "not UTF-8 text"
    except ParseError as error:
        line, why = error.line, re.sub(r" at line \d+ col \d+$", "", str(error)).replace("'\\x00'", "end of file")
    except TOMLKitError as error:
        line, why = 1, str(error)
    raise _Broken(
        Problem(
            where=f"{path}, line {line}",
            what=f"the settings are not valid TOML ({why})",
            mend="Correct that line; until then all settings have their defaults",
        )
    )


def _kinds() -> dict[str, Any]:
    hints = get_type_hints(Settings, include_extras=True)
    return {field.name: hints[field.name] for field in fields(Settings)}


def _unwrapped(item: Any) -> Any:
    return item.unwrap() if hasattr(item, "unwrap") else item


def _effective(document: tomlkit.TOMLDocument, name: str, kind: Any) -> Any:
    """Return what `load` makes of the file: a wrong value stays in it until another one is chosen."""
    try:
        return msgspec.convert(_unwrapped(document[name]), kind)
    except (KeyError, msgspec.ValidationError):
        return getattr(Settings(), name)


def _about_the_rest(path: Path, document: tomlkit.TOMLDocument, text: str) -> list[Problem]:
    """Tell once of all keys that are not known, and of a file from a newer program."""
    told: list[Problem] = []
    unknown = [key for key in document if key not in _kinds() and key != "schema"]
    if unknown:
        names = ", ".join(key if key.isprintable() else ascii(key) for key in unknown)
        told.append(
            Problem(
                where=f"{path}, line {_line_of(unknown[0], text)}",
                what=f"settings that are not known: {names}",
                mend="They are kept and have no effect; check their spelling",
            )
        )
    schema = _unwrapped(document.get("schema", SCHEMA))
    if schema != SCHEMA:
        told.append(
            Problem(
                where=f"{path}, line {_line_of('schema', text)}",
                what=f"the settings have version {schema}, this Agent Ring knows {SCHEMA}",
                mend="What it understands holds, the rest is kept; update Agent Ring",
            )
        )
    return told


def _line_of(key: str, text: str) -> int:
    """Return the line on which a key or the table of that name stands; tomlkit itself does not tell."""
    pattern = re.compile(rf"""^\s*\[*\s*["']?{re.escape(key)}["']?\s*(=|\.|\])""")
    return next((number for number, line in enumerate(text.splitlines(), start=1) if pattern.match(line)), 1)


def _replace(path: Path, text: str) -> None:
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    part = Path(name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, part)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _free_name(wanted: Path) -> Path:
    """Return a path that does not exist: the one wanted, or one with a number."""
    path, number = wanted, 1
    while path.exists():
        number += 1
        path = wanted.with_stem(f"{wanted.stem}-{number}")
    return path
