"""Small wrong changes to a module's source, one at a time: what a slip of the hand would do to a rule.

Swapped comparisons, and/or, a dropped condition, case of a table or operand, another member of an enum, another answer.
Not changed: annotations, imports, docstrings, sentences for people.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from enum import EnumType
from typing import TypeVar

from trayapp.model import plan, process, session, snapshot

_ENUMS = {
    name: [member.name for member in kind]
    for module in (plan, process, session, snapshot)
    for name, kind in inspect.getmembers(module, lambda each: isinstance(each, EnumType))
}
_COMPARISONS: dict[type[ast.cmpop], tuple[ast.cmpop, ...]] = {
    ast.Is: (ast.IsNot(),),
    ast.IsNot: (ast.Is(),),
    ast.Eq: (ast.NotEq(),),
    ast.NotEq: (ast.Eq(),),
    ast.In: (ast.NotIn(),),
    ast.NotIn: (ast.In(),),
    ast.Lt: (ast.LtE(), ast.GtE()),
    ast.LtE: (ast.Lt(), ast.Gt()),
    ast.Gt: (ast.GtE(), ast.LtE()),
    ast.GtE: (ast.Gt(), ast.Lt()),
}
_OPERATORS: dict[type[ast.operator], ast.operator] = {ast.Add: ast.Sub(), ast.Sub: ast.Add(), ast.Mult: ast.Div()}
_OTHER_FUNCTION = {"any": "all", "all": "any", "min": "max", "max": "min", "_refuse": "_confirm", "_confirm": "_refuse"}
T = TypeVar("T")

_UNTOUCHED = frozenset({"annotation", "returns", "decorator_list", "type_params", "bases"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """Hold a changed module: `text` is its whole source, `change` tells people what was changed."""

    module: str
    line: int
    change: str
    text: str

    def __str__(self) -> str:
        return f"{self.module}:{self.line}: {self.change}"


def mutants(module: str, text: str) -> Iterator[Mutant]:
    """Yield every mutant of a module, one change each, in the order of its lines as far as the tree has them."""
    statements = ast.parse(text).body
    texts = [ast.unparse(statement) for statement in statements]
    for at, statement in enumerate(statements):
        for parent, field, index, node in list(_places(statement)):
            for variant in _variants(node):
                line = getattr(node, "lineno", getattr(parent, "lineno", statement.lineno))
                change = f"{ast.unparse(node).splitlines()[0]}  ->  {ast.unparse(variant).splitlines()[0]}"
                _put(parent, field, index, variant)
                changed = ast.unparse(ast.fix_missing_locations(statement))
                _put(parent, field, index, node)
                whole = "\n".join([*texts[:at], changed, *texts[at + 1 :]])
                yield Mutant(module=module, line=line, change=change, text=whole)


def _places(parent: ast.AST) -> Iterator[tuple[ast.AST, str, int | None, ast.AST]]:
    for field, value in ast.iter_fields(parent):
        if field in _UNTOUCHED:
            continue
        for index, node in enumerate(value) if isinstance(value, list) else ((None, value),):
            if not isinstance(node, ast.AST) or isinstance(node, (ast.Import, ast.ImportFrom, ast.JoinedStr)):
                continue
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                continue
            yield parent, field, index, node
            yield from _places(node)


def _put(parent: ast.AST, field: str, index: int | None, node: ast.AST) -> None:
    if index is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[index] = node


def _variants(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Compare():
            for at, operator in enumerate(node.ops):
                for other in _COMPARISONS[type(operator)]:
                    yield _with(node, ops=[*node.ops[:at], other, *node.ops[at + 1 :]])
        case ast.BoolOp():
            yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
            yield from (_with(node, values=rest) if len(rest) > 1 else rest[0] for rest in _without_one(node.values))
        case ast.UnaryOp(op=ast.Not()):
            yield node.operand
        case ast.If() | ast.IfExp():
            yield from (_with(node, test=ast.Constant(always)) for always in (True, False))
        case ast.comprehension():
            yield from (_with(node, ifs=rest) for rest in _without_one(node.ifs))
        case ast.Tuple() | ast.List() | ast.Set():
            yield from (_with(node, elts=rest) for rest in _without_one(node.elts))
        case ast.Dict():
            for at in range(len(node.keys)):
                yield _with(
                    node, keys=node.keys[:at] + node.keys[at + 1 :], values=node.values[:at] + node.values[at + 1 :]
                )
        case ast.BinOp() if type(node.op) in _OPERATORS:
            yield _with(node, op=_OPERATORS[type(node.op)])
        case ast.Constant():
            yield from (ast.Constant(value) for value in _other_constants(node.value))
        case ast.Attribute(value=ast.Name(id=enum)) if enum in _ENUMS:
            yield from (_with(node, attr=member) for member in _other_members(enum, node.attr))
        case ast.Call(func=ast.Name(id=name)) if name in _OTHER_FUNCTION:
            yield _with(node, func=ast.Name(_OTHER_FUNCTION[name], ast.Load()))
        case ast.Return(value=ast.expr()) if ast.unparse(node) != "return None":
            yield _with(node, value=ast.Constant(None))
        case ast.Expr():
            yield ast.Pass()


def _with(node: ast.AST, **fields: object) -> ast.AST:
    changed = deepcopy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _without_one(values: list[T]) -> Iterator[list[T]]:
    return (values[:at] + values[at + 1 :] for at in range(len(values)))


def _other_constants(value: object) -> Iterator[bool | float | str]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, (int, float)):
        yield from (value + 1, value - 1)
    elif isinstance(value, str) and value and " " not in value:
        yield f"not-{value}"


def _other_members(enum: str, member: str) -> Iterator[str]:
    """Name the neighbour of an enum's member; of the three answers to a plan, both others."""
    members = _ENUMS[enum]
    at = members.index(member) if member in members else 0
    others = members[at + 1 :] + members[:at]
    yield from others if enum == "Allowed" else others[:1]
