"""Which process is what to a host that is described by a file. Pure.

A program is told by its name, its script and its whole arguments, never by a word somewhere in the command line. What a
host's tools and helpers inherit tells whose they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from trayapp.bystanders import bystander
from trayapp.hosts.base import claim_on, role_of_child
from trayapp.hosts.described_form import ADAPTER, Description, Program
from trayapp.hosts.interpreters import is_interpreter, script_at
from trayapp.model.process import Process
from trayapp.model.session import Claim, ClaimKind, Role
from trayapp.programs import argv_value, basename, elements, words

LONGEST_ID = 200
_SAID = {
    Role.BACKEND: "its program",
    Role.WRAPPER: "starts its program",
    Role.INFRA: "part of the host",
    Role.CLIENT: "a view on its server",
    Role.HELPER: "a helper of the host",
    Role.APP: "its desktop app",
    Role.SPARE: "kept ready for the next session",
}


def recognise(description: Description, process: Process) -> Claim | None:
    """Say what a process is to the described host, or None."""
    if process.is_zombie:
        return None
    found = program_of(description, process)
    if found is None:
        return _child_claim(description, process)
    # a terminal or an editor is nobody's, whatever a description says
    return claim_of(description, found, process) if bystander(process) is None else None


def program_of(description: Description, process: Process, *, below: bool = False) -> Program | None:
    """Return the first of the described programs that this process is; `below` asks for those of that kind alone."""
    argv = words(process)
    names = {basename(argv[0].strip()) if argv else "", basename(process.exe or "")} - {""}
    at = script_at(argv) if any(is_interpreter(name, description.interpreters) for name in names) else None
    script = elements(argv[at]) if at is not None else ()
    for program in description.programs:
        if program.below is not below:
            continue
        by_script = bool(script) and _is_script(program, script)
        if not by_script and names.isdisjoint(program.names):
            continue
        rest = argv[at + 1 :] if by_script and at is not None else argv[1:]
        if _fits(program, rest, process, description.value_flags):
            return program
    return None


def claim_of(description: Description, program: Program, process: Process) -> Claim:
    """Claim a process as that program; of an agent its arguments or its own variable may tell the session."""
    host = description.label.host
    role = Role.WRAPPER if program.role == ADAPTER else Role(program.role)
    if role is Role.BACKEND:
        session_id, source = session_in(description, process)
        if session_id is not None:
            kind = ClaimKind.ARGV if session_id == session_in_argv(description, process) else ClaimKind.ENVIRONMENT
            many = program.serves_many
            return claim_on(process, role, kind, source, session_id, host=host, serves_many=many)
    # a helper is told by what it stands below; alone it is nobody's
    kind = ClaimKind.DESCENT if role is Role.HELPER else ClaimKind.PROGRAM
    return claim_on(process, role, kind, _SAID[role], host=host, serves_many=program.serves_many)


def session_in(description: Description, process: Process) -> tuple[str | None, str]:
    """Return the session that a program's arguments or its own variable name, and where."""
    given = session_in_argv(description, process)
    if given is not None:
        return given, "its arguments"
    name = description.session_variable
    if name is not None and is_id(description, process.env.get(name)):
        return process.env[name], f"{name} in its environment"
    return None, "its program"


def session_in_argv(description: Description, process: Process) -> str | None:
    """Return the session that the arguments name: the value of a flag, or what stands behind words."""
    argv = process.argv or ()
    for given in description.session_arguments:
        if given.startswith("-"):
            value = argv_value(argv, given)
            if is_id(description, value):
                return value
            continue
        wanted = given.split()
        plain = plain_words(_behind_program(description, process), description.value_flags)
        if plain[: len(wanted)] == wanted and len(plain) > len(wanted) and is_id(description, plain[len(wanted)]):
            return plain[len(wanted)]
    return None


def _behind_program(description: Description, process: Process) -> Sequence[str]:
    """Return the arguments behind the program, or behind an interpreter's script."""
    argv = words(process)
    names = {basename(argv[0].strip()) if argv else "", basename(process.exe or "")}
    at = script_at(argv) if any(is_interpreter(name, description.interpreters) for name in names) else None
    return argv[(at or 0) + 1 :]


def is_id(description: Description, given: str | None) -> bool:
    """Say whether a text can be a session's id: it becomes a part of paths and commands."""
    if not given or len(given) > LONGEST_ID or not given.isprintable() or given.startswith("-"):
        return False
    if given in (".", "..") or any(sign in given for sign in "/\\ *?[]{}"):
        return False
    return description.id_pattern is None or fnmatchcase(given, description.id_pattern)


def plain_words(rest: Sequence[str], value_flags: Sequence[str]) -> list[str]:
    """Return the arguments that are neither flags nor the values of known ones."""
    found: list[str] = []
    skip = False
    for argument in rest:
        if skip:
            skip = False
        elif argument in value_flags:
            skip = True
        elif argument and not argument.startswith("-"):
            found.append(argument)
    return found


def _is_script(program: Program, script: Sequence[str]) -> bool:
    if any(_ends(script, pattern) for pattern in program.scripts):
        return True
    return any(
        all(fnmatchcase(script[start + i], element) for i, element in enumerate(pattern))
        for pattern in program.packages
        for start in range(len(script) - len(pattern) + 1)
    )


def _ends(script: Sequence[str], pattern: Sequence[str]) -> bool:
    tail = script[-len(pattern) :]
    return len(tail) == len(pattern) and all(map(fnmatchcase, tail, pattern))


def _fits(program: Program, rest: Sequence[str], process: Process, value_flags: Sequence[str]) -> bool:
    if any(not process.env.get(name) for name in program.variables):
        return False
    if program.words is not None:
        first = next(iter(plain_words(rest, value_flags)), "")
        if first not in program.words:
            return False
    given = rest[: rest.index("--")] if "--" in rest else rest
    if any(fnmatchcase(argument, pattern) for pattern in program.without for argument in given):
        return False
    return all(any(fnmatchcase(argument, pattern) for argument in given) for pattern in program.arguments)


def _child_claim(description: Description, process: Process) -> Claim | None:
    """Claim what inherited the variable of a session."""
    name = description.child_variable
    session_id = process.env.get(name) if name is not None else None
    if session_id is None or not is_id(description, session_id):
        return None
    source = "the variable that it inherited"
    return claim_on(
        process, role_of_child(process), ClaimKind.ENVIRONMENT, source, session_id, host=description.label.host
    )
