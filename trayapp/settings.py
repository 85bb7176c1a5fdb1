"""The user's settings: a TOML file, checked on load; settings_writing.py writes it back with its comments kept.

A file that cannot be used is never overwritten: what is wrong in it is told with its line, everything else holds. What
it holds about single hosts (`[hosts.<name>]`) can be secret: it is in no message, and the file is its user's alone.
"""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import msgspec
from msgspec import Meta

from trayapp.model.access import HostAccess, Permission
from trayapp.model.policy import Policy
from trayapp.model.session import Problem

if TYPE_CHECKING:
    import tomlkit  # loaded only where there is a file to read or to write

    from trayapp.policy_words import Read

SCHEMA = 1
"""Stands in the file as `schema`; a file without it is of this version."""

HOSTS = "hosts"
"""The table that holds a table for each host."""

POLICIES = "policies"
"""The list that holds a table for each policy."""

_STOPPED = "stopped"
_TABLES = (HOSTS, POLICIES, _STOPPED)
"""Fields that are no single values in the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Hold every setting with its default.

    Attributes:
        interval_s: seconds between ticks while a view is open or an agent runs; 0.5 to 60.
        idle_after_s: how long a session must be idle before it counts as releasable; 0 to 7 days.
        keep_days: how long quarters of an hour are kept (single samples 2 hours, minutes 7 days); 1 to 3650.
        record: write measurements to the history.
        tray_tone: "auto", "light" or "dark" glyph.
        ring: what the ring in the tray shows: "machine" (agents in this computer's memory), "pressure" (how much of
            this computer's memory is in use), or "heap" (the fullest heap of a host).
        alert_memory_gb: tell when agents hold more than that; 0 = never.
        alert_heap_share: tell when the heap of a host is fuller than that (0 to 1); 0 = never.
        alert_pressure, alert_orphans, alert_policies, alert_not_held, alert_waiting: tell when memory runs short,
            orphans appear, a policy is about to act or has acted, what was released comes back, a session waits.
        muted_until_epoch_s: tell nothing until then (UTC); what is told in the popover stays.
        appearance: "system" (as it says), "light" or "dark".
        language: "auto" (the system's), "en", "de" or "zh_CN".
        motion: "auto" (as the system says), "on" or "off".
        welcomed: the first-run page has been seen.
        hosts: what the user allowed with a host, and how to sign in there, by its name; read-only.
        policies: the user's policies that hold together, in their order.
        stopped: why a policy switched itself off, by its name; read-only.
    """

    interval_s: Annotated[float, Meta(ge=0.5, le=60.0)] = 2.0
    idle_after_s: Annotated[float, Meta(ge=0.0, le=604_800.0)] = 900.0
    keep_days: Annotated[int, Meta(ge=1, le=3650)] = 365
    record: bool = True
    tray_tone: Annotated[str, Meta(pattern="^(auto|light|dark)$")] = "auto"
    ring: Annotated[str, Meta(pattern="^(machine|pressure|heap)$")] = "machine"
    alert_memory_gb: Annotated[float, Meta(ge=0.0, le=4096.0)] = 0.0
    alert_heap_share: Annotated[float, Meta(ge=0.0, le=1.0)] = 0.85
    alert_pressure: bool = True
    alert_orphans: bool = True
    alert_policies: bool = True
    alert_not_held: bool = True
    alert_waiting: bool = False
    muted_until_epoch_s: Annotated[float, Meta(ge=0.0)] = 0.0
    appearance: Annotated[str, Meta(pattern="^(system|light|dark)$")] = "system"
    language: Annotated[str, Meta(pattern="^(auto|en|de|zh_CN)$")] = "auto"
    motion: Annotated[str, Meta(pattern="^(auto|on|off)$")] = "auto"
    welcomed: bool = False
    hosts: Mapping[str, HostAccess] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    policies: tuple[Policy, ...] = ()
    stopped: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), hash=False)

    def reset(self) -> Settings:
        """Return the defaults; what is allowed with hosts and the policies stay, and so does the welcome behind one."""
        return Settings(hosts=self.hosts, policies=self.policies, stopped=self.stopped, welcomed=self.welcomed)

    def access(self, host: str) -> HostAccess:
        """Return what is set about a host; without any, nothing is allowed."""
        return self.hosts.get(host, HostAccess())

    def with_access(self, host: str, access: HostAccess) -> Settings:
        """Return the settings with that said about a host."""
        others = {name: each for name, each in self.hosts.items() if name != host}
        wanted = {**others, host: access} if access != HostAccess() else others
        return replace(self, hosts=MappingProxyType(wanted))

    def with_permission(self, host: str, permission: Permission, allowed: bool) -> Settings:
        """Return the settings with one thing allowed with a host, or not any more."""
        access = self.access(host)
        those = access.allowed | {permission} if allowed else access.allowed - {permission}
        return self.with_access(host, replace(access, allowed=those))

    def with_policies(self, policies: Sequence[Policy]) -> Settings:
        """Return the settings with these policies. Raises ValueError, in a sentence, for what does not hold together.

        Why a policy switched itself off is forgotten when it is on again or no more there.
        """
        from trayapp.policy_words import fault_of

        for policy in policies:
            fault = fault_of(policy)
            if fault is not None:
                raise ValueError(f"The policy “{policy.name}” cannot be used: {fault}")
        names = [policy.name for policy in policies]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"Two policies are called “{twice}”. Give one of them another name")
        off = {policy.name for policy in policies if not policy.on}
        stopped = {name: why for name, why in self.stopped.items() if name in off}
        return replace(self, policies=tuple(policies), stopped=MappingProxyType(stopped))

    def with_policy_stopped(self, name: str, why: str) -> Settings:
        """Return the settings with a policy that has switched itself off, and why."""
        policies = tuple(replace(p, on=False) if p.name == name else p for p in self.policies)
        return replace(self, policies=policies, stopped=MappingProxyType({**self.stopped, name: why}))


def load(path: Path, *, before: Settings | None = None) -> tuple[Settings, tuple[Problem, ...]]:
    """Read the settings; without a file all have their defaults.

    What cannot be used becomes a Problem with its line and keeps its default. A file of which nothing can be used
    leaves all as it was `before`, where that is given. Reads only, raises nothing for bad files.
    """
    try:
        read = _read(path)
    except Broken as broken:
        if before is None:
            return Settings(), (broken.problem,)
        mend = broken.problem.mend.replace("all settings have their defaults", "all settings are as they were")
        return before, (replace(broken.problem, mend=mend),)
    if read is None:
        return Settings(), ()
    document, text = read
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    for name, kind in kinds().items():
        if name not in document:
            continue
        try:
            values[name] = msgspec.convert(unwrapped(document[name]), kind)
        except msgspec.ValidationError as error:
            import tomlkit

            default = getattr(Settings(), name)
            problems.append(
                Problem(
                    where=f"{path}, line {_line_of(name, text)}",
                    what=f"{name} cannot be used ({error})",
                    mend=f"Correct that line; until then it is {tomlkit.item(default).as_string()}",
                )
            )
    hosts, about_hosts = _hosts_in(path, document, text)
    policies, stopped, about_policies = _policies_in(path, document, text)
    problems.extend((*about_hosts, *about_policies, *_about_the_rest(path, document, text)))
    loaded = Settings(**values, hosts=MappingProxyType(hosts), policies=policies, stopped=MappingProxyType(stopped))
    return loaded, tuple(problems)


class Broken(Exception):
    """The file cannot be read at all."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


def _read(path: Path) -> tuple[Mapping[str, Any], str] | None:
    """Return what the file says and its text, None when there is none.

    The standard library reads it, which takes a sixth of the memory; what it refuses is told by tomlkit, with its line.
    """
    try:
        text = path.read_bytes().decode("utf-8")
        return tomllib.loads(text), text
    except (OSError, ValueError, RecursionError):
        document = parsed(path)
        return None if document is None else (document.unwrap(), document.as_string())


def parsed(path: Path) -> tomlkit.TOMLDocument | None:
    """Return the parsed file with its comments, None when there is none."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Broken(
            Problem(
                where=str(path),
                what=f"the settings cannot be read ({error.strerror})",
                mend="Allow reading it; until then all settings have their defaults",
            )
        ) from error
    import tomlkit
    from tomlkit.exceptions import ParseError, TOMLKitError

    try:
        document = tomlkit.parse(content.decode("utf-8"))
        document.unwrap()  # what contradicts itself is only found now
        return document
    except UnicodeDecodeError as error:
        line, why = content.count(b"\n", 0, error.start) + 1, "not UTF-8 text"
    except ParseError as error:
        line, why = error.line, re.sub(r" at line \d+ col \d+$", "", str(error)).replace("'\\x00'", "end of file")
    except TOMLKitError as error:
        line, why = 1, str(error)
    raise Broken(
        Problem(
            where=f"{path}, line {line}",
            what=f"the settings are not valid TOML ({why})",
            mend="Correct that line; until then all settings have their defaults",
        )
    )


def kinds() -> dict[str, Any]:
    """Return the type of each setting that is a single value in the file, by its name."""
    hints = get_type_hints(Settings, include_extras=True)
    return {each.name: hints[each.name] for each in fields(Settings) if each.name not in _TABLES}


def unwrapped(item: Any) -> Any:
    """Return a plain value for one of tomlkit's."""
    return item.unwrap() if hasattr(item, "unwrap") else item


def _about_the_rest(path: Path, document: Mapping[str, Any], text: str) -> list[Problem]:
    """Tell once of all keys that are not known, and of a file from a newer program."""
    told: list[Problem] = []
    unknown = [key for key in document if key not in kinds() and key not in ("schema", HOSTS, POLICIES)]
    if unknown:
        names = ", ".join(key if key.isprintable() else ascii(key) for key in unknown)
        told.append(
            Problem(
                where=f"{path}, line {_line_of(unknown[0], text)}",
                what=f"settings that are not known: {names}",
                mend="They are kept and have no effect; check their spelling",
            )
        )
    schema = unwrapped(document.get("schema", SCHEMA))
    if schema != SCHEMA:
        told.append(
            Problem(
                where=f"{path}, line {_line_of('schema', text)}",
                what=f"the settings have version {schema}, this Agent Ring knows {SCHEMA}",
                mend="What it understands holds, the rest is kept; update Agent Ring",
            )
        )
    return told


# ---- what is set about single hosts

_Text = Annotated[str, Meta(min_length=1)]
PERMISSIONS = {str(permission): permission for permission in Permission}
_WORDS = ", ".join(PERMISSIONS)


def tables_of_hosts(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what stands under each host's name; nothing where `hosts` is no table."""
    hosts = unwrapped(document.get(HOSTS, {}))
    return hosts if isinstance(hosts, dict) else {}


def holds_secret(document: Mapping[str, Any]) -> bool:
    """Say whether the file holds a secret, so that it has to be its user's alone."""
    return any(isinstance(table, dict) and "secret" in table for table in tables_of_hosts(document).values())


def _hosts_in(path: Path, document: Mapping[str, Any], text: str) -> tuple[dict[str, HostAccess], list[Problem]]:
    """Return what the file says about hosts, and what of it cannot be used."""
    told: list[Problem] = []
    if HOSTS in document and not isinstance(unwrapped(document[HOSTS]), dict):
        told.append(
            Problem(
                where=f"{path}, line {_line_of(HOSTS, text)}",
                what="hosts is no table",
                mend="Write [hosts.NAME] and below it user, secret or allowed",
            )
        )
    found: dict[str, HostAccess] = {}
    for name, table in tables_of_hosts(document).items():
        access, faults = access_in(table)
        if access != HostAccess():
            found[name] = access
        for key, what, mend in faults:
            where = f"{path}, line {_line_in_host(name, key, text)}"
            told.append(Problem(where=where, what=f"{_host_title(name)}: {what}", mend=mend))
    if holds_secret(document) and (told_mode := _readable_by_others(path)):
        told.append(
            Problem(
                where=str(path),
                what=f"the settings hold a secret and others on this computer can read them ({told_mode})",
                mend=f"chmod 600 {path}",
            )
        )
    return found, told


def _host_title(name: str) -> str:
    return f"{HOSTS}.{name if name.isprintable() else ascii(name)}"


def _readable_by_others(path: Path) -> str | None:
    """Return the mode of a file that others than its owner may read; None = nobody, or not told by this system."""
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
    except OSError:
        return None
    return f"mode {mode:04o}" if os.name == "posix" and mode & 0o044 else None


def access_in(table: object) -> tuple[HostAccess, list[tuple[str | None, str, str]]]:
    """Return what one table says, and its faults as key, what and mend. No value of it stands in them."""
    if not isinstance(table, dict):
        return HostAccess(), [(None, "is no table", "Write it as a table with user, secret or allowed")]
    values: dict[str, Any] = {}
    faults: list[tuple[str | None, str, str]] = []
    for key in ("user", "secret"):
        if key not in table:
            continue
        try:
            values[key] = msgspec.convert(table[key], _Text)
        except msgspec.ValidationError as error:
            faults.append((key, f"{key} cannot be used ({error})", "Correct that line; until then it is not set"))
    if "allowed" in table:
        words = table["allowed"]
        if isinstance(words, list) and all(isinstance(word, str) for word in words):
            values["allowed"] = frozenset(PERMISSIONS[word] for word in words if word in PERMISSIONS)
            unknown = [word for word in words if word not in PERMISSIONS]
        else:
            unknown = []
            faults.append(("allowed", "allowed is no list of words", f"Nothing is allowed there; the words: {_WORDS}"))
        if unknown:
            what = f"what is allowed is not known: {_listed(unknown)}"
            faults.append(("allowed", what, f"It has no effect; the words are {_WORDS}"))
    others = [key for key in table if key not in ("user", "secret", "allowed")]
    if others:
        mend = "They are kept and have no effect; check their spelling"
        faults.append((others[0], f"settings that are not known: {_listed(others)}", mend))
    return HostAccess(**values), faults


def _listed(names: list[str]) -> str:
    return ", ".join(name if name.isprintable() else ascii(name) for name in names)


def _line_in_host(name: str, key: str | None, text: str) -> int:
    """Return the line of a key in the table of a host, or the nearest line that can be told."""
    quoted = rf"""["']?{re.escape(name)}["']?"""
    header = re.compile(rf"^\s*\[\s*{HOSTS}\s*\.\s*{quoted}\s*\]")
    entry = re.compile(rf"""^\s*["']?{re.escape(key or "")}["']?\s*[=.]""")
    lines = text.splitlines()
    at = next((number for number, line in enumerate(lines) if header.match(line)), None)
    if at is None:
        dotted = re.compile(rf"^\s*(?:{HOSTS}\s*\.\s*)?{quoted}\s*[=.]")
        of_name = [number for number, line in enumerate(lines, start=1) if dotted.match(line)]
        of_key = [number for number in of_name if key is not None and key in lines[number - 1]]
        return (of_key or of_name or [_line_of(HOSTS, text)])[0]
    for number, line in enumerate(lines[at + 1 :], start=at + 2):
        if line.lstrip().startswith("["):
            break
        if key is not None and entry.match(line):
            return number
    return at + 1


def _line_of(key: str, text: str) -> int:
    """Return the line on which a key or the table of that name stands; tomlkit itself does not tell."""
    pattern = re.compile(rf"""^\s*\[*\s*["']?{re.escape(key)}["']?\s*(=|\.|\])""")
    return next((number for number, line in enumerate(text.splitlines(), start=1) if pattern.match(line)), 1)


# ---- policies


def tables_of_policies(document: Mapping[str, Any]) -> list[Any]:
    """Return the tables of policies; none where `policies` is no list."""
    listed = unwrapped(document.get(POLICIES, []))
    return listed if isinstance(listed, list) else []


def read_policies(document: Mapping[str, Any]) -> list[Read]:
    """Return what each table says; of two with one name the second does nothing."""
    if POLICIES not in document:
        return []  # what reads policies is only loaded where there are some
    from trayapp.policy_words import Read, policy_in

    read: list[Read] = []
    names: set[str] = set()
    for table in tables_of_policies(document):
        each = policy_in(table, expand=os.path.expanduser)
        if each.policy is not None and each.policy.name in names:
            mend = "Give it another name; until then it does nothing"
            each = Read(policy=None, faults=(("name", "another policy has this name", mend),))
        elif each.policy is not None:
            names.add(each.policy.name)
        read.append(each)
    return read


def _policies_in(
    path: Path, document: Mapping[str, Any], text: str
) -> tuple[tuple[Policy, ...], dict[str, str], list[Problem]]:
    """Return the policies that hold together, why those that are off switched themselves off, and what is wrong."""
    told: list[Problem] = []
    if POLICIES in document and not isinstance(unwrapped(document[POLICIES]), list):
        where = f"{path}, line {_line_of(POLICIES, text)}"
        mend = "Write [[policies]] and below it name, trigger and what it needs; until then there are none"
        told.append(Problem(where=where, what="policies is no list of tables", mend=mend))
    read = read_policies(document)
    tables = tables_of_policies(document)
    for number, each in enumerate(read):
        name = tables[number].get("name") if isinstance(tables[number], dict) else None
        title = f"policy {_listed([name])}" if isinstance(name, str) else f"policy number {number + 1}"
        told.extend(
            Problem(
                where=f"{path}, line {_line_in_policy(number, key, text)}",
                what=f"{title}: {_listed([what])}",
                mend=mend,
            )
            for key, what, mend in each.faults
        )
    policies = tuple(each.policy for each in read if each.policy is not None)
    stopped = {r.policy.name: r.off_because for r in read if r.policy is not None and r.off_because is not None}
    return policies, stopped, told


def _line_in_policy(number: int, key: str | None, text: str) -> int:
    """Return the line of a key in the table of a policy, or the nearest line that can be told."""
    header = re.compile(rf"""^\s*\[\[\s*["']?{POLICIES}["']?\s*\]\]""")
    entry = re.compile(rf"""^\s*["']?{re.escape(key or "")}["']?\s*[=.]""")
    lines = text.splitlines()
    heads = [at for at, line in enumerate(lines) if header.match(line)]
    if number >= len(heads):
        return _line_of(POLICIES, text)
    for at, line in enumerate(lines[heads[number] + 1 :], start=heads[number] + 2):
        if line.lstrip().startswith("["):
            break
        if key is not None and entry.match(line):
            return at
    return heads[number] + 1
