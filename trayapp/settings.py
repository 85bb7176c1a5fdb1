"""The user's settings: a TOML file, checked on load, written back with its comments kept.

A file that cannot be used is never overwritten: what is wrong in it is told with its line, everything else holds. What
it holds about single hosts (`[hosts.<name>]`) can be secret: it is in no message, and the file is its user's alone.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
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
    except _Broken as broken:
        if before is None:
            return Settings(), (broken.problem,)
        mend = broken.problem.mend.replace("all settings have their defaults", "all settings are as they were")
        return before, (replace(broken.problem, mend=mend),)
    if read is None:
        return Settings(), ()
    document, text = read
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    for name, kind in _kinds().items():
        if name not in document:
            continue
        try:
            values[name] = msgspec.convert(_unwrapped(document[name]), kind)
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


def save(path: Path, settings: Settings) -> Problem | None:
    """Write the settings that differ from what the file says; comments, order and unknown keys stay.

    A file that cannot be parsed is set aside under another name first, and the returned Problem says so. The file is
    replaced whole, also behind a symbolic link; with a secret in it, it is its user's alone. Raises OSError.
    """
    import tomlkit

    target = path.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    problem: Problem | None = None
    try:
        document = _edited(_with_plain_tables(_parsed(target) or _new(), path), settings)
        _check(document, settings, path)
    except _Broken as broken:
        aside = _free_name(target.with_name(f"{target.stem}.set-aside{target.suffix}"))
        if b"secret" in target.read_bytes():
            target.chmod(0o600)
        target.rename(aside)
        problem = Problem(
            where=str(path),
            what=f"{broken.problem.what}; the file was set aside as {aside.name}",
            mend="New settings were written; move what you want to keep over from the old file",
        )
        document = _edited(_new(), settings)
    _replace(target, tomlkit.dumps(document), private=_holds_secret(document))
    return problem


def _new() -> tomlkit.TOMLDocument:
    import tomlkit

    document = tomlkit.document()
    document.add(tomlkit.comment(_HEAD))
    document.add("schema", tomlkit.item(SCHEMA))
    return document


def _edited(document: tomlkit.TOMLDocument, settings: Settings) -> tomlkit.TOMLDocument:
    """Change a document so that it says that."""
    for name, kind in _kinds().items():
        value = getattr(settings, name)
        if value != _effective(document, name, kind):
            document[name] = value
    for name in sorted({*_tables_of_hosts(document), *settings.hosts}):
        _write_host(document, name, settings.access(name))
    _write_policies(document, settings)
    return document


class _Broken(Exception):
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
        document = _parsed(path)
        return None if document is None else (document.unwrap(), document.as_string())


def _parsed(path: Path) -> tomlkit.TOMLDocument | None:
    """Return the parsed file with its comments, None when there is none."""
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
        document = tomlkit.parse(content.decode("utf-8"))
        document.unwrap()  # what contradicts itself is only found now
        return document
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
    return {each.name: hints[each.name] for each in fields(Settings) if each.name not in _TABLES}


def _unwrapped(item: Any) -> Any:
    return item.unwrap() if hasattr(item, "unwrap") else item


def _effective(document: tomlkit.TOMLDocument, name: str, kind: Any) -> Any:
    """Return what `load` makes of the file: a wrong value stays in it until another one is chosen."""
    try:
        return msgspec.convert(_unwrapped(document[name]), kind)
    except (KeyError, msgspec.ValidationError):
        return getattr(Settings(), name)


def _about_the_rest(path: Path, document: Mapping[str, Any], text: str) -> list[Problem]:
    """Tell once of all keys that are not known, and of a file from a newer program."""
    told: list[Problem] = []
    unknown = [key for key in document if key not in _kinds() and key not in ("schema", HOSTS, POLICIES)]
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


# ---- what is set about single hosts

_Text = Annotated[str, Meta(min_length=1)]
_PERMISSIONS = {str(permission): permission for permission in Permission}
_WORDS = ", ".join(_PERMISSIONS)


def _with_plain_tables(document: tomlkit.TOMLDocument, path: Path) -> tomlkit.TOMLDocument:
    """Return the document with `hosts.<name>.<key> = ...` at its top written as tables at its end.

    tomlkit loses its place when it edits such keys. Raises _Broken where that cannot be done without loss.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    lines = tomlkit.dumps(document).splitlines(keepends=True)
    dotted = re.compile(rf"""\s*["']?{HOSTS}["']?\s*\.""")
    others = [line for line in lines if not dotted.match(line)]
    if len(others) == len(lines):
        return document
    rest = "".join(others)
    try:
        plain = tomlkit.parse(rest)
        left = _tables_of_hosts(plain)
        moved = {name: table for name, table in _tables_of_hosts(document).items() if name not in left}
        ended = rest if rest.endswith("\n") or not rest else f"{rest}\n"
        plain = tomlkit.parse(f"{ended}\n{tomlkit.dumps({HOSTS: moved})}" if moved else ended)
        same = plain.unwrap() == document.unwrap()
    except TOMLKitError:
        same = False
    if not same:
        raise _uneditable(path)
    return plain


def _check(document: tomlkit.TOMLDocument, settings: Settings, path: Path) -> None:
    """See that what was edited says that, as text too; raises _Broken where tomlkit lost its place."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        written = tomlkit.parse(tomlkit.dumps(document)).unwrap()
        tables = _tables_of_hosts(written)
    except TOMLKitError as error:
        raise _uneditable(path) from error
    if any(_access_in(tables.get(name, {}))[0] != settings.access(name) for name in settings.hosts):
        raise _uneditable(path)
    read = [each for each in _read_policies(written) if each.policy is not None]
    if tuple(each.policy for each in read) != settings.policies or any(
        each.off_because != settings.stopped.get(each.policy.name) for each in read if each.policy is not None
    ):
        raise _uneditable(path, of=POLICIES, mend="Write them as tables, [[policies]]")


def _uneditable(path: Path, *, of: str = HOSTS, mend: str = "Write it as tables, [hosts.NAME]") -> _Broken:
    what = f"what the settings say about {of} is written in a way that cannot be edited"
    return _Broken(Problem(where=str(path), what=what, mend=mend))


def _tables_of_hosts(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what stands under each host's name; nothing where `hosts` is no table."""
    hosts = _unwrapped(document.get(HOSTS, {}))
    return hosts if isinstance(hosts, dict) else {}


def _holds_secret(document: Mapping[str, Any]) -> bool:
    return any(isinstance(table, dict) and "secret" in table for table in _tables_of_hosts(document).values())


def _hosts_in(path: Path, document: Mapping[str, Any], text: str) -> tuple[dict[str, HostAccess], list[Problem]]:
    """Return what the file says about hosts, and what of it cannot be used."""
    told: list[Problem] = []
    if HOSTS in document and not isinstance(_unwrapped(document[HOSTS]), dict):
        told.append(
            Problem(
                where=f"{path}, line {_line_of(HOSTS, text)}",
                what="hosts is no table",
                mend="Write [hosts.NAME] and below it user, secret or allowed",
            )
        )
    found: dict[str, HostAccess] = {}
    for name, table in _tables_of_hosts(document).items():
        access, faults = _access_in(table)
        if access != HostAccess():
            found[name] = access
        for key, what, mend in faults:
            where = f"{path}, line {_line_in_host(name, key, text)}"
            told.append(Problem(where=where, what=f"{_host_title(name)}: {what}", mend=mend))
    if _holds_secret(document) and (told_mode := _readable_by_others(path)):
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


def _access_in(table: object) -> tuple[HostAccess, list[tuple[str | None, str, str]]]:
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
            values["allowed"] = frozenset(_PERMISSIONS[word] for word in words if word in _PERMISSIONS)
            unknown = [word for word in words if word not in _PERMISSIONS]
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


def _write_host(document: tomlkit.TOMLDocument, name: str, wanted: HostAccess) -> None:
    """Make one host's table say that; what says it already, what is not known and comments stay."""
    import tomlkit

    there = _tables_of_hosts(document).get(name)
    if wanted == _access_in(there if there is not None else {})[0]:
        return
    if not isinstance(_unwrapped(document.get(HOSTS, {})), dict):
        document.remove(HOSTS)
    if HOSTS not in document:
        document.add(HOSTS, tomlkit.table(is_super_table=True))
    hosts: Any = document[HOSTS]
    if not isinstance(there, dict):
        hosts[name] = tomlkit.inline_table() if isinstance(hosts, tomlkit.items.InlineTable) else tomlkit.table()
        there = {}
    if isinstance(hosts[name], tomlkit.items.Table) and hosts[name].is_super_table():
        del hosts[name]  # written as name.key = ..., from which tomlkit cannot take single keys
        hosts[name] = tomlkit.item(there)
    table: Any = hosts[name]
    before = _access_in(there)[0]
    for key in ("user", "secret"):
        value = getattr(wanted, key)
        if value is not None and value != getattr(before, key):
            table[key] = value
        elif value is None and getattr(before, key) is not None:
            del table[key]
    if wanted.allowed != before.allowed:
        words = [word for word in there.get("allowed", ()) if word not in _PERMISSIONS] if before.allowed else []
        if wanted.allowed or words:
            table["allowed"] = [*sorted(wanted.allowed), *words]
        else:
            del table["allowed"]
    if isinstance(table, tomlkit.items.Table) and not table and not table.as_string().strip():
        del hosts[name]


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


def _tables_of_policies(document: Mapping[str, Any]) -> list[Any]:
    """Return the tables of policies; none where `policies` is no list."""
    listed = _unwrapped(document.get(POLICIES, []))
    return listed if isinstance(listed, list) else []


def _read_policies(document: Mapping[str, Any]) -> list[Read]:
    """Return what each table says; of two with one name the second does nothing."""
    if POLICIES not in document:
        return []  # what reads policies is only loaded where there are some
    from trayapp.policy_words import Read, policy_in

    read: list[Read] = []
    names: set[str] = set()
    for table in _tables_of_policies(document):
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
    if POLICIES in document and not isinstance(_unwrapped(document[POLICIES]), list):
        where = f"{path}, line {_line_of(POLICIES, text)}"
        mend = "Write [[policies]] and below it name, trigger and what it needs; until then there are none"
        told.append(Problem(where=where, what="policies is no list of tables", mend=mend))
    read = _read_policies(document)
    tables = _tables_of_policies(document)
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


def _write_policies(document: tomlkit.TOMLDocument, settings: Settings) -> None:
    """Make the tables of policies say that; tables that say it already, or are broken, stay as they are."""
    import tomlkit

    read = _read_policies(document)
    there = {each.policy.name: (at, each) for at, each in enumerate(read) if each.policy is not None}
    said = [(each.policy, each.off_because) for each in read if each.policy is not None]
    wanted = [(policy, settings.stopped.get(policy.name)) for policy in settings.policies]
    if said == wanted:
        return
    from trayapp.policy_words import table_of

    if isinstance(_unwrapped(document.get(POLICIES)), list):
        tables: list[Any] = list(document[POLICIES])
        inline = not isinstance(document[POLICIES], tomlkit.items.AoT)
    else:
        if POLICIES in document:
            document.remove(POLICIES)
        tables, inline = [], False
    kept: list[Any] = []
    for policy, off_because in wanted:
        at, before = there.get(policy.name, (None, None))
        if at is None or before is None:
            kept.append(_table(table_of(policy, off_because=off_because), inline=inline))
            continue
        if (before.policy, before.off_because) != (policy, off_because):
            _edit_policy(tables[at], policy, off_because)
        kept.append(tables[at])
    for at, each in enumerate(read):
        if each.policy is None:  # stays behind the one that it stood behind
            before_it = [number for number, table in enumerate(kept) if at and table is tables[at - 1]]
            kept.insert(before_it[0] + 1 if before_it else len(kept) if at else 0, tables[at])
    if [id(table) for table in kept] == [id(table) for table in tables]:
        return
    _put_policies(document, kept, inline=inline)


def _table(values: Mapping[str, Any], *, inline: bool) -> Any:
    import tomlkit

    table: Any = tomlkit.inline_table() if inline else tomlkit.table()
    for key, value in values.items():
        table[key] = _item(value)
    return table


def _item(value: Any) -> Any:
    """Return a value as it stands in the file: exceptions on one line each `{folder = "~/work"}`."""
    import tomlkit

    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        return value
    array = tomlkit.array()
    for each in value:
        inner = tomlkit.inline_table()
        inner.update(each)
        array.append(inner)
    return array


def _edit_policy(table: Any, policy: Policy, off_because: str | None) -> None:
    """Change the keys whose meaning differs; how the others are written stays."""
    from trayapp.policy_words import policy_in, table_of

    wanted = table_of(policy, off_because=off_because)
    said = policy_in(_unwrapped(table), expand=os.path.expanduser)
    before = table_of(said.policy, off_because=said.off_because) if said.policy is not None else {}
    for key in [key for key in table if key not in wanted and (key in before or key == "off_because")]:
        del table[key]
    tail = _without_tail(table)
    for key, value in wanted.items():
        if value != before.get(key):
            table[key] = _item(value)
    for each in tail:
        table.value.append(None, each)


def _without_tail(table: Any) -> list[Any]:
    """Take the comments and blank lines below the last key out of a table, so that new keys come before them.

    They are read as its own, and often are about what follows.
    """
    import tomlkit

    tail: list[Any] = []
    if isinstance(table, tomlkit.items.Table):
        body = table.value.body
        while body and body[-1][0] is None:
            tail.insert(0, body.pop()[1])
    return tail


def _put_policies(document: tomlkit.TOMLDocument, tables: list[Any], *, inline: bool) -> None:
    import tomlkit

    if not tables:
        document.remove(POLICIES)
        return
    listed: Any = tomlkit.array() if inline else tomlkit.aot()
    for table in tables:
        listed.append(table)
    if POLICIES in document:
        document[POLICIES] = listed
    else:
        document.add(POLICIES, listed)


def _replace(path: Path, text: str, *, private: bool) -> None:
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    part = Path(name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if path.exists() and not private:  # a temporary file is its user's alone
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
