"""Sentences for people, in the language of the face that shows them; English wherever nobody set another.

`say` takes its English sentence as a literal, so that `scripts/translations.py` finds it; a table that is made before
the language is known marks its sentences by `noted` and says them later. The command line stays English: only the tray
app hands in a translator (`ui/language.py`), once, before its first sentence.
"""

from __future__ import annotations

from collections.abc import Callable

Translator = Callable[[str, int | None], str]
"""Return the sentence in the user's language, for a number where there is one; the English one where it has none."""

_translator: Translator | None = None


def speak(translator: Translator | None) -> None:
    """Let all sentences be said by this translator from now on; None = English again. Any thread may say."""
    global _translator
    _translator = translator


def noted(text: str) -> str:
    """Mark a sentence that is said later."""
    return text


def say(text: str, /, **values: object) -> str:
    """Say a sentence; `{name}` in it stands for a value."""
    said = text if _translator is None else _translator(text, None)
    return said.format(**values) if values else said


def say_n(one: str, many: str, n: int, /, **values: object) -> str:
    """Say a sentence about `n` things, `{n}` in it; the language of the face chooses its own plural form of `many`."""
    said = many if _translator is None else _translator(many, n)
    if n == 1 and said == many:  # English, or a sentence that the language has not got
        said = one
    return said.format(n=n, **values)
