"""The form in which a host is described: a TOML text in, a Description or what is wrong with each line out.

Pure. docs/own-host.md tells the form to people. A text of which anything is wrong describes nothing: what a person
meant is not guessed, and a half-read description could claim what it should not.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from trayapp import bystanders, programs
from trayapp.model.session import HostLabel, Hue, Role

SCHEMA = 1
LIMIT_BYTES = 256 * 1024
ADAPTER = "adapter"
"""A role of the form alone: what leads to one agent is part of it, what leads to several or none is overhead."""
ROLES = (Role.BACKEND, Role.WRAPPER, ADAPTER, Role.INFRA, Role.CLIENT, Role.HELPER, Role.APP, Role.SPARE)
PAIRS = ("inner", "outer")
PATH_WORDS = ("home", "user", "session", "pid", "cwd-dashes", "cwd-slug", "cwd-md5")
COMMAND_WORDS = ("session", "cwd", "pid", "home")
GENERIC_SCRIPTS = frozenset(
    (
        "index.js index.mjs index.cjs index.ts main.js main.mjs main.ts main.py cli.js cli.mjs cli.ts cli.py app.js "
        "app.py server.js server.ts server.py run.js run.py start.js bin.js __main__.py worker.js dist bin lib src "
        "build out versions node_modules"
    ).split()
)
"""Elements of paths that many programs have; alone they tell nothing."""

_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_LETTERS = re.compile(r"[^\W\d_][^\W_]?")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_NAME = re.compile(r"[^/\\*?\[\]\x00-\x1f]{1,100}")
_BRACES = re.compile(r"\{([^{}]*)\}")
_LINE_TOLD = re.compile(r"at line (\d+)")
_NOBODYS_NAMES = bystanders.NAMES | programs.WORDS

Condition = tuple[tuple[tuple[str, ...], tuple[Any, ...]], ...]
"""Fields (as paths into a record) and the values of which each must have one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Say what is wrong on which line (from 1), and the mend."""

    line: int
    what: str
    mend: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """Say by what one of the host's programs is recognised; all that is given must hold.

    Attributes:
        role: a Role, or ADAPTER.
        names: base names of argv[0] or of the executable.
        scripts: how the path of an interpreter's script ends, element by element; "*" in an element stands for any.
        packages: elements that follow each other somewhere in the script's path.
        words: what the first plain argument may be; "" = there is none. None = it does not matter.
        arguments: patterns, each of which some whole argument must match.
        without: patterns that no whole argument may match.
        variables: names of variables that must be set.
        below: counts only below another program of this host.
    """

    role: str
    names: tuple[str, ...] = ()
    scripts: tuple[tuple[str, ...], ...] = ()
    packages: tuple[tuple[str, ...], ...] = ()
    words: tuple[str, ...] | None = None
    arguments: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    serves_many: bool = False
    below: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """Say where in a file of JSON what stands, as paths into a record; None = not told there.

    `open`, `finished` and `waiting` say which records mean that the turn is open, has ended, or asks the user.
    """

    path: str
    session: tuple[str, ...] | None = None
    title: tuple[str, ...] | None = None
    cwd: tuple[str, ...] | None = None
    model: tuple[str, ...] | None = None
    version: tuple[str, ...] | None = None
    tokens: tuple[tuple[str, ...], ...] = ()
    time: tuple[str, ...] | None = None
    started: tuple[str, ...] | None = None
    open: tuple[Condition, ...] = ()
    finished: tuple[Condition, ...] = ()
    waiting: tuple[Condition, ...] = ()
    newest: bool = False

    @property
    def tells_state(self) -> bool:
        return bool(self.open or self.finished or self.waiting)


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """Say how a session ends in order; nothing of it given = the host offers none.

    Attributes:
        pair: which process of a chain of the same program is the agent and gets the signal.
        signal: ask by SIGTERM (after the command, where there is one).
        command: run without a shell.
        refuse: why it must not be ended at all.
    """

    pair: str | None = None
    signal: bool = False
    command: tuple[str, ...] = ()
    refuse: str | None = None
    wait_s: float = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """Hold what a file says of one host.

    Attributes:
        home_variable, home_folder: where it keeps its data.
        value_flags: flags whose next argument is their value.
        session_arguments: flags (or words) after which a session's id stands; `session_variable` holds it.
        id_pattern: what an id looks like; others are none.
        child_variable: what its tools and helpers inherit, with the session's id in it.
        child_agents: what carries that variable right below its server is another host's agent that it runs.
        server_file, server_pid: a file that names the process of its server, and where in it.
        look_in: folders that show that it is installed.
        note: what a person should know, told by the doctor.
    """

    label: HostLabel
    home_variable: str | None = None
    home_folder: str | None = None
    programs: tuple[Program, ...] = ()
    interpreters: tuple[str, ...] = ()
    value_flags: tuple[str, ...] = ()
    session_arguments: tuple[str, ...] = ()
    session_variable: str | None = None
    id_pattern: str | None = None
    child_variable: str | None = None
    child_agents: bool = False
    server_file: str | None = None
    server_pid: tuple[str, ...] | None = None
    record: Fields | None = None
    log: Fields | None = None
    release: Release = field(default_factory=Release)
    resume: tuple[str, ...] = ()
    resume_note: str | None = None
    look_in: tuple[str, ...] = ()
    note: str | None = None

    @property
    def environment_names(self) -> tuple[str, ...]:
        """Return the variables that are read from processes."""
        named = [self.home_variable, self.session_variable, self.child_variable]
        named += [name for program in self.programs for name in program.variables]
        return tuple(dict.fromkeys(name for name in named if name is not None))

    @property
    def wakes(self) -> frozenset[str]:
        """Return names of which every process of this host has one.

        Base names, elements of script paths, and "$NAME" for the variable that children inherit.
        """
        found = {f"${self.child_variable}"} if self.child_variable is not None else set()
        for program in self.programs:
            if not program.below:
                found |= {*program.names, *(anchor_of(each) for each in (*program.scripts, *program.packages))}
        return frozenset(found)

    @property
    def words(self) -> frozenset[str]:
        """Return the words by which its programs are recognised, which a capture keeps."""
        found = {*self.value_flags, *self.interpreters}
        found |= {word for given in self.session_arguments for word in given.split()}
        for program in self.programs:
            found |= {*program.names, *(program.words or ()), *program.arguments, *program.without}
            found |= {element for pattern in (*program.scripts, *program.packages) for element in pattern}
        return frozenset(word for word in found if word and "*" not in word and "?" not in word)


def anchor_of(pattern: Sequence[str]) -> str:
    """Return the element that tells most: the longest that is no pattern and that not every program has."""
    plain = [element for element in pattern if not _is_pattern(element)]
    telling = [element for element in plain if element not in GENERIC_SCRIPTS] or plain or [""]
    return max(telling, key=lambda element: (len(element), element))


def read(text: str) -> tuple[Description | None, tuple[Fault, ...]]:
    """Read a description. Raises nothing, whatever the text is."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        told = _LINE_TOLD.search(str(error))
        line = int(told[1]) if told is not None else max(1, len(text.splitlines()))
        return None, (Fault(line=line, what=f"is no TOML: {_plain(str(error))}", mend="Correct that line"),)
    except (RecursionError, ValueError) as error:
        return None, (Fault(line=1, what=f"is no TOML: {_plain(str(error))}", mend="Write it as in docs/own-host.md"),)
    reader = _Reader(lines_of(text))
    description = reader.description(document)
    faults = tuple(sorted(reader.faults, key=lambda fault: fault.line))
    return (description, ()) if not faults else (None, faults)


# ------------------------------------------------------------------------------------------------------- checking


class _Reader:
    """Take the tables of one text apart, noting what is wrong and on which line."""

    def __init__(self, lines: Mapping[tuple[str | int, ...], int]) -> None:
        self._lines = lines
        self.faults: list[Fault] = []

    def description(self, document: dict[str, Any]) -> Description | None:
        top = _Table(self, document, ())
        schema = top.number("schema", default=SCHEMA)
        if schema != SCHEMA:
            top.fault("schema", f"schema {schema} is not known", f"This version knows schema {SCHEMA}")
        label = self._label(top)
        home, session = top.table("home"), top.table("session")
        children, server = top.table("children"), top.table("server")
        release, resume = top.table("release"), top.table("resume")
        found = Description(
            label=label,
            home_variable=home.text("variable", _VARIABLE, "a name of a variable"),
            home_folder=home.path("folder", allowed=("user",)),
            programs=tuple(self._program(table) for table in top.tables("programs")),
            interpreters=top.texts("interpreters", _NAME, "a name of a program"),
            value_flags=top.texts("value_flags"),
            session_arguments=session.texts("arguments"),
            session_variable=session.text("variable", _VARIABLE, "a name of a variable"),
            id_pattern=session.text("id"),
            child_variable=children.text("variable", _VARIABLE, "a name of a variable"),
            child_agents=children.flag("agents"),
            server_file=server.path("pid_file", allowed=("home", "user")),
            server_pid=server.field("pid"),
            record=self._fields(top.table("record")),
            log=self._fields(top.table("log"), is_log=True),
            release=self._release(release),
            resume=resume.command("command"),
            resume_note=resume.text("note"),
            look_in=tuple(p for p in top.paths("look_in", allowed=("home", "user"))),
            note=top.text("note"),
        )
        self._agree(found, top)
        for table in (home, session, children, server, release, resume, top):
            table.refuse_others()
        return found

    def _label(self, top: _Table) -> HostLabel:
        host = top.text("id", _ID, "small letters, digits and dashes", needed=True) or ""
        title = top.text("title", needed=True) or host
        letters = top.text("letters", _LETTERS, "one or two letters", needed=True) or "?"
        hue = top.choice("hue", tuple(Hue))
        rank = top.number("rank", default=100)
        return HostLabel(host=host, title=title, letters=letters, hue=Hue(hue) if hue else None, rank=int(rank))

    def _program(self, table: _Table) -> Program:
        found = Program(
            role=table.choice("role", ROLES, needed=True) or Role.INFRA,
            names=table.texts("names", _NAME, "a name without a folder or a pattern"),
            scripts=table.path_ends("scripts"),
            packages=table.path_ends("packages"),
            words=table.texts("words") if "words" in table else None,
            arguments=table.texts("arguments"),
            without=table.texts("without"),
            variables=table.texts("variables", _VARIABLE, "a name of a variable"),
            serves_many=table.flag("serves_many"),
            below=table.flag("below"),
        )
        if not (found.names or found.scripts or found.packages):
            table.fault(None, "nothing tells this program", "Give it names, scripts or packages")
        for name in found.names:
            if name in _NOBODYS_NAMES:
                table.fault("names", f"“{name}” is too wide: other programs have that name", "Name the host's own")
        for pattern in (*found.scripts, *found.packages):
            if anchor_of(pattern) in GENERIC_SCRIPTS | {""} and not found.below:
                what = f"“{'/'.join(pattern)}” is too wide: many programs have such a script"
                key = "scripts" if pattern in found.scripts else "packages"
                table.fault(key, what, "Give more elements of its path, one of them the host's own")
        if any(_is_too_wide(pattern) for pattern in found.without):
            table.fault("without", "a pattern of “without” matches everything", "Then nothing is ever recognised")
        table.refuse_others()
        return found

    def _fields(self, table: _Table, *, is_log: bool = False) -> Fields | None:
        if not table.is_there:
            return None
        tokens = table.texts("tokens") if table.is_list("tokens") else tuple(filter(None, (table.text("tokens"),)))
        found = Fields(
            path=table.path("path", allowed=PATH_WORDS, needed=True) or "",
            session=table.field("session"),
            title=table.field("title"),
            cwd=table.field("cwd"),
            model=table.field("model"),
            version=table.field("version"),
            tokens=tuple(tuple(each.split(".")) for each in tokens),
            time=table.field("time"),
            started=None if is_log else table.field("started"),
            open=table.conditions("open"),
            finished=table.conditions("finished"),
            waiting=table.conditions("waiting"),
            newest=is_log and table.flag("newest"),
        )
        named = set(_BRACES.findall(found.path))
        if not is_log and found.path and "pid" not in named and "session" not in named:
            table.fault("path", "neither {pid} nor {session} stands in it", "One of them says whose record it is")
        if not is_log and "session" not in named and "pid" in named and found.session is None:
            table.fault("path", "nothing tells the session", 'Say in which field its id stands: session = "sessionId"')
        if is_log and found.path and "session" not in named and "pid" not in named:
            table.fault("path", "neither {session} nor {pid} stands in it", "One of them says whose log it is")
        if found.tells_state and found.time is None:
            table.fault(None, "no time is told", 'Name the field of the time: time = "timestamp"; idle needs one')
        if found.newest and "session" not in named:
            table.fault("newest", "newest needs {session} in the path", "The name of the file tells the session then")
        table.refuse_others()
        return found

    def _release(self, table: _Table) -> Release:
        found = Release(
            pair=table.choice("pair", PAIRS),
            signal=table.choice("signal", ("TERM",)) is not None,
            command=table.command("command"),
            refuse=table.text("refuse"),
            wait_s=float(table.number("wait_s", default=5.0, least=0.5, most=60.0)),
        )
        if found.refuse is not None and (found.signal or found.command):
            table.fault("refuse", "it is refused and offered at once", "Keep either refuse or signal and command")
        if found.command and not any("{session}" in word for word in found.command):
            mend = "It would end more than the session: put {session} into it"
            table.fault("command", "the command does not name the session", mend)
        return found

    def _agree(self, found: Description, top: _Table) -> None:
        """Check what one table says against the others."""
        if not found.programs and found.note is None:
            top.fault(None, "no programs are described", "Add [[programs]] with a role and names")
        read_from = [fields.path for fields in (found.record, found.log) if fields is not None]
        if found.home_folder is None and any("{home}" in path for path in (*read_from, found.server_file or "")):
            top.fault(None, "{home} is used and no home is told", 'Add [home] with folder = "~/.name"')
        if found.child_agents and found.child_variable is None:
            top.fault("children", "agents needs a variable", "Name the variable that holds the session's id")


class _Table:
    """Read the keys of one table; a key that is of no use is a fault of its own line."""

    def __init__(self, reader: _Reader, values: Any, at: tuple[str | int, ...]) -> None:
        self._reader, self._at = reader, at
        self.is_there = values is not None
        if values is not None and not isinstance(values, dict):
            self.fault(None, f"{at[-1] if at else 'it'} is no table", f"Write it as [{at[-1] if at else ''}]")
        self._values: dict[str, Any] = values if isinstance(values, dict) else {}
        self._known: set[str] = set()

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def fault(self, key: str | None, what: str, mend: str) -> None:
        at = self._at if key is None else (*self._at, key)
        while at and at not in self._reader._lines:
            at = at[:-1]
        self._reader.faults.append(Fault(line=self._reader._lines.get(at, 1), what=_plain(what), mend=mend))

    def refuse_others(self) -> None:
        for key in self._values:
            if key not in self._known:
                known = ", ".join(sorted(self._known))
                self.fault(key, f"“{key}” is not known here", f"There is {known}")

    def table(self, key: str) -> _Table:
        return _Table(self._reader, self._take(key), (*self._at, key))

    def tables(self, key: str) -> list[_Table]:
        given = self._take(key)
        if given is None:
            return []
        if not isinstance(given, list):
            self.fault(key, f"{key} is no list of tables", f"Write each as [[{key}]]")
            return []
        return [_Table(self._reader, each, (*self._at, key, number)) for number, each in enumerate(given)]

    def is_list(self, key: str) -> bool:
        return isinstance(self._values.get(key), list)

    def text(
        self, key: str, form: re.Pattern[str] | None = None, said: str = "text", *, needed: bool = False
    ) -> str | None:
        given = self._take(key)
        if given is None:
            if needed:
                self.fault(None, f"{key} is missing", f"Add {key} = …, {said}")
            return None
        return given if self._is_text(key, given, form, said) else None

    def texts(self, key: str, form: re.Pattern[str] | None = None, said: str = "text") -> tuple[str, ...]:
        given = self._take(key)
        if given is None:
            return ()
        if not isinstance(given, list):
            self.fault(key, f"{key} is no list", f'Write {key} = ["…"]')
            return ()
        may_be_empty = key == "words"
        kept = [each for each in given if (may_be_empty and each == "") or self._is_text(key, each, form, said)]
        return tuple(kept)

    def flag(self, key: str) -> bool:
        given = self._take(key)
        if given is not None and not isinstance(given, bool):
            self.fault(key, f"{key} is neither true nor false", f"Write {key} = true or leave it out")
        return given is True

    def number(self, key: str, *, default: float, least: float = 0.0, most: float = 10_000.0) -> float:
        given = self._take(key)
        if given is None:
            return default
        if isinstance(given, bool) or not isinstance(given, (int, float)) or not least <= given <= most:
            self.fault(key, f"{key} is no number from {least:g} to {most:g}", f"Write {key} = {default:g}")
            return default
        return given

    def choice(self, key: str, among: Iterable[str], *, needed: bool = False) -> str | None:
        words = [str(word) for word in among]
        given = self.text(key, said=" or ".join(words), needed=needed)
        if given is not None and given not in words:
            self.fault(key, f"{key} “{given}” is not known", f"There is {', '.join(words)}")
            return None
        return given

    def field(self, key: str) -> tuple[str, ...] | None:
        """Return a path into a record: `usage.total` is `total` in `usage`."""
        given = self.text(key, said="a name of a field, such as usage.total")
        return tuple(given.split(".")) if given else None

    def path(self, key: str, *, allowed: Sequence[str], needed: bool = False) -> str | None:
        given = self.text(key, said="a path", needed=needed)
        return given if given is not None and self._is_path(key, given, allowed) else None

    def paths(self, key: str, *, allowed: Sequence[str]) -> tuple[str, ...]:
        return tuple(given for given in self.texts(key, said="a path") if self._is_path(key, given, allowed))

    def path_ends(self, key: str) -> tuple[tuple[str, ...], ...]:
        found = []
        for given in self.texts(key, said="a part of a path"):
            parts = tuple(part for part in re.split(r"[/\\]", given) if part)
            if not parts or ".." in parts:
                self.fault(key, f"“{given}” is no part of a path", "Write its last elements, as in pkg/dist/cli.js")
            else:
                found.append(parts)
        return tuple(found)

    def command(self, key: str) -> tuple[str, ...]:
        given = self.texts(key)
        for word in given:
            for name in _BRACES.findall(word):
                if name not in COMMAND_WORDS:
                    known = ", ".join(f"{{{each}}}" for each in COMMAND_WORDS)
                    self.fault(key, f"{{{name}}} is not known in a command", f"There is {known}")
        if given and (programs.basename(given[0]) in _NOBODYS_NAMES or "{" in given[0]):
            mend = "Name the host's own program; nothing is run through a shell"
            self.fault(key, f"“{given[0]}” runs anything", mend)
        return given

    def conditions(self, key: str) -> tuple[Condition, ...]:
        """Return which records are meant: each table says which fields must have which values."""
        found: list[Condition] = []
        for table in self.tables(key):
            pairs = []
            for name, wanted in table._values.items():
                table._known.add(name)
                values = tuple(wanted) if isinstance(wanted, list) else (wanted,)
                if not values or not all(isinstance(value, (str, int, float, bool)) for value in values):
                    table.fault(
                        name, f"{name} has no value to compare", 'Write { type = "x" } or { type = ["x", "y"] }'
                    )
                pairs.append((tuple(name.split(".")), values))
            if not pairs:
                table.fault(None, f"an entry of {key} names no field", 'Write { type = "turn_end" }')
            found.append(tuple(pairs))
        return tuple(found)

    def _take(self, key: str) -> Any:
        self._known.add(key)
        return self._values.get(key)

    def _is_text(self, key: str, given: Any, form: re.Pattern[str] | None, said: str) -> bool:
        is_text = isinstance(given, str) and 0 < len(given) <= 2000 and "\0" not in given
        if not is_text or (form is not None and not form.fullmatch(given)):
            shown = f"“{given[:60]}”" if isinstance(given, str) else "that"
            self.fault(key, f"{key}: {shown} cannot be used", f"It takes {said}")
            return False
        return True

    def _is_path(self, key: str, given: str, allowed: Sequence[str]) -> bool:
        unknown = [name for name in _BRACES.findall(given) if name not in allowed]
        if unknown:
            known = ", ".join(f"{{{name}}}" for name in allowed)
            self.fault(key, f"{{{unknown[0]}}} is not known in this path", f"There is {known}")
            return False
        begins = given.startswith(("~/", "/", "{home}", "{user}")) or re.match(r"[A-Za-z]:[/\\]", given) is not None
        if not begins or ".." in re.split(r"[/\\]", given) or "**" in given:
            mend = "Begin it with ~/ or {home}; no “..” and no “**”"
            self.fault(key, f"“{given[:80]}” is no path that can be used", mend)
            return False
        return True


def _flat(values: Mapping[str, Any], depth: int = 0) -> Iterable[tuple[str, Any]]:
    """Yield fields with their values; `{ message.role = "x" }` and `{ "message.role" = "x" }` are the same."""
    for name, value in values.items():
        if isinstance(value, dict) and value and depth < 8:
            yield from ((f"{name}.{below}", wanted) for below, wanted in _flat(value, depth + 1))
        else:
            yield name, value


def _is_pattern(element: str) -> bool:
    return any(sign in element for sign in "*?[")


def _is_too_wide(pattern: str) -> bool:
    return not pattern.strip("*?")


def _plain(text: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in text)


# ----------------------------------------------------------------------------------------------------------- lines


def lines_of(text: str) -> dict[tuple[str | int, ...], int]:
    """Return on which line each table and key of a TOML text stands; tables of a list are told by their number.

    For texts that are TOML; of others it tells something and raises nothing.
    """
    found: dict[tuple[str | int, ...], int] = {}
    counts: dict[tuple[str, ...], int] = {}
    current: tuple[str | int, ...] = ()
    state = _Inside()
    for number, line in enumerate(text.split("\n"), start=1):
        begins = state.is_outside
        stripped = line.strip()
        if begins and stripped.startswith("[["):
            name = _keys(stripped[2:].partition("]]")[0])
            counts[name] = counts.get(name, -1) + 1
            current = (*name, counts[name])
            found.setdefault(name, number)
            found[current] = number
        elif begins and stripped.startswith("["):
            current = _keys(stripped[1:].partition("]")[0])
            found.setdefault(current, number)
        elif begins and "=" in stripped and not stripped.startswith("#"):
            key = _keys(_before_equals(stripped))
            for length in range(1, len(key) + 1):
                found.setdefault((*current, *key[:length]), number)
            state.take(stripped[len(_before_equals(stripped)) + 1 :])
        elif not begins:
            state.take(line)
    return found


def _before_equals(text: str) -> str:
    quote = ""
    for position, sign in enumerate(text):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        elif sign == "=":
            return text[:position]
    return text.partition("=")[0]


def _keys(text: str) -> tuple[str, ...]:
    parts = re.findall(r"""\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*\.?""", text)
    return tuple(next((part for part in each if part), "") for each in parts)


class _Inside:
    """Follow over lines whether a value goes on: an open bracket or a text of several lines."""

    def __init__(self) -> None:
        self._depth = 0
        self._quote = ""

    @property
    def is_outside(self) -> bool:
        return self._depth <= 0 and not self._quote

    def take(self, text: str) -> None:
        position = 0
        while position < len(text):
            if self._quote:
                if text[position] == "\\" and self._quote[0] == '"':
                    position += 2
                    continue
                if text.startswith(self._quote, position):
                    position += len(self._quote)
                    self._quote = ""
                    continue
            elif text.startswith(('"""', "'''"), position):
                self._quote = text[position : position + 3]
                position += 3
                continue
            elif text[position] in "\"'":
                self._quote = text[position]
            elif text[position] == "#":
                break
            else:
                self._depth += (text[position] in "[{") - (text[position] in "]}")
            position += 1
        if len(self._quote) == 1:
            self._quote = ""  # a text of one line ends with it
