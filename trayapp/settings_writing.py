"""Write the settings back into their file: what differs changes, comments, order and what is not known stay.

A file that cannot be parsed is set aside under another name first.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from trayapp.model.access import HostAccess
from trayapp.model.policy import Policy
from trayapp.model.session import Problem
from trayapp.settings import (
    HOSTS,
    PERMISSIONS,
    POLICIES,
    SCHEMA,
    Broken,
    Settings,
    access_in,
    holds_secret,
    kinds,
    parsed,
    read_policies,
    tables_of_hosts,
    unwrapped,
)

if TYPE_CHECKING:
    import tomlkit  # loaded with the first change

_HEAD = "Settings of Agent Ring. Comments stay; a line that is missing has its default."


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
        document = _edited(_with_plain_tables(parsed(target) or _new(), path), settings)
        _check(document, settings, path)
    except Broken as broken:
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
    _replace(target, tomlkit.dumps(document), private=holds_secret(document))
    return problem


def _new() -> tomlkit.TOMLDocument:
    import tomlkit

    document = tomlkit.document()
    document.add(tomlkit.comment(_HEAD))
    document.add("schema", tomlkit.item(SCHEMA))
    return document


def _edited(document: tomlkit.TOMLDocument, settings: Settings) -> tomlkit.TOMLDocument:
    """Change a document so that it says that."""
    for name, kind in kinds().items():
        value = getattr(settings, name)
        if value != _effective(document, name, kind):
            document[name] = value
    for name in sorted({*tables_of_hosts(document), *settings.hosts}):
        _write_host(document, name, settings.access(name))
    _write_policies(document, settings)
    return document


def _effective(document: tomlkit.TOMLDocument, name: str, kind: Any) -> Any:
    """Return what `load` makes of the file: a wrong value stays in it until another one is chosen."""
    try:
        return msgspec.convert(unwrapped(document[name]), kind)
    except (KeyError, msgspec.ValidationError):
        return getattr(Settings(), name)


def _with_plain_tables(document: tomlkit.TOMLDocument, path: Path) -> tomlkit.TOMLDocument:
    """Return the document with `hosts.<name>.<key> = ...` at its top written as tables at its end.

    tomlkit loses its place when it edits such keys. Raises Broken where that cannot be done without loss.
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
        left = tables_of_hosts(plain)
        moved = {name: table for name, table in tables_of_hosts(document).items() if name not in left}
        ended = rest if rest.endswith("\n") or not rest else f"{rest}\n"
        plain = tomlkit.parse(f"{ended}\n{tomlkit.dumps({HOSTS: moved})}" if moved else ended)
        same = plain.unwrap() == document.unwrap()
    except TOMLKitError:
        same = False
    if not same:
        raise _uneditable(path)
    return plain


def _check(document: tomlkit.TOMLDocument, settings: Settings, path: Path) -> None:
    """See that what was edited says that, as text too; raises Broken where tomlkit lost its place."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        written = tomlkit.parse(tomlkit.dumps(document)).unwrap()
        tables = tables_of_hosts(written)
    except TOMLKitError as error:
        raise _uneditable(path) from error
    if any(access_in(tables.get(name, {}))[0] != settings.access(name) for name in settings.hosts):
        raise _uneditable(path)
    read = [each for each in read_policies(written) if each.policy is not None]
    if tuple(each.policy for each in read) != settings.policies or any(
        each.off_because != settings.stopped.get(each.policy.name) for each in read if each.policy is not None
    ):
        raise _uneditable(path, of=POLICIES, mend="Write them as tables, [[policies]]")


def _uneditable(path: Path, *, of: str = HOSTS, mend: str = "Write it as tables, [hosts.NAME]") -> Broken:
    what = f"what the settings say about {of} is written in a way that cannot be edited"
    return Broken(Problem(where=str(path), what=what, mend=mend))


def _write_host(document: tomlkit.TOMLDocument, name: str, wanted: HostAccess) -> None:
    """Make one host's table say that; what says it already, what is not known and comments stay."""
    import tomlkit

    there = tables_of_hosts(document).get(name)
    if wanted == access_in(there if there is not None else {})[0]:
        return
    if not isinstance(unwrapped(document.get(HOSTS, {})), dict):
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
    before = access_in(there)[0]
    for key in ("user", "secret"):
        value = getattr(wanted, key)
        if value is not None and value != getattr(before, key):
            table[key] = value
        elif value is None and getattr(before, key) is not None:
            del table[key]
    if wanted.allowed != before.allowed:
        words = [word for word in there.get("allowed", ()) if word not in PERMISSIONS] if before.allowed else []
        if wanted.allowed or words:
            table["allowed"] = [*sorted(wanted.allowed), *words]
        else:
            del table["allowed"]
    if isinstance(table, tomlkit.items.Table) and not table and not table.as_string().strip():
        del hosts[name]


def _write_policies(document: tomlkit.TOMLDocument, settings: Settings) -> None:
    """Make the tables of policies say that; tables that say it already, or are broken, stay as they are."""
    import tomlkit

    read = read_policies(document)
    there = {each.policy.name: (at, each) for at, each in enumerate(read) if each.policy is not None}
    said = [(each.policy, each.off_because) for each in read if each.policy is not None]
    wanted = [(policy, settings.stopped.get(policy.name)) for policy in settings.policies]
    if said == wanted:
        return
    from trayapp.policy_words import table_of

    if isinstance(unwrapped(document.get(POLICIES)), list):
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
    said = policy_in(unwrapped(table), expand=os.path.expanduser)
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
