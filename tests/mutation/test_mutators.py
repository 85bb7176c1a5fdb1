"""The mutants themselves: each kind of slip is made, and what cannot change an answer is left alone."""

from __future__ import annotations

import pytest

from tests.mutation.mutators import mutants


def changes(text: str) -> set[str]:
    return {mutant.change for mutant in mutants("rules.py", text)}


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("x = a is b", "a is b  ->  a is not b"),
        ("x = a < b", "a < b  ->  a >= b"),
        ("x = a in b", "a in b  ->  a not in b"),
        ("x = a and b", "a and b  ->  a or b"),
        ("x = a and b", "a and b  ->  b"),
        ("x = not a", "not a  ->  a"),
        ("x = (State.IDLE,)", "State.IDLE  ->  State.ENDED"),
        ("x = (a, b)", "(a, b)  ->  (b,)"),
        ("x = {a: 1}", "{a: 1}  ->  {}"),
        ("x = 900.0", "900.0  ->  901.0"),
        ("x = 'stale'", "'stale'  ->  'not-stale'"),
        ("x = any(a)", "any(a)  ->  all(a)"),
        ("def f():\n    if a:\n        b()", "if a:  ->  if False:"),
        ("def f():\n    b()", "b()  ->  pass"),
        ("def f():\n    return _refuse(a)", "_refuse(a)  ->  _confirm(a)"),
        ("def f():\n    return _refuse(a)", "return _refuse(a)  ->  return None"),
    ],
)
def test_each_kind_of_slip_is_made(text: str, change: str) -> None:
    assert change in changes(text)


def test_a_refusal_is_turned_into_both_other_answers() -> None:
    assert changes("x = Allowed.REFUSE") == {
        "Allowed.REFUSE  ->  Allowed.ALLOW",
        "Allowed.REFUSE  ->  Allowed.CONFIRM",
    }


def test_words_for_people_and_types_are_left_alone() -> None:
    assert changes('"""What this is."""\nfrom a import b\nx: tuple[int, ...] = y\nz = "A turn is running"') == set()


def test_a_mutant_differs_in_one_place_and_the_next_one_begins_from_the_original() -> None:
    first, second = mutants("rules.py", "x = a is b\ny = c is d")
    assert (first.text, second.text) == ("x = a is not b\ny = c is d", "x = a is b\ny = c is not d")
