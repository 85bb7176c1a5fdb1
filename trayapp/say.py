"""Sentences for people, in the language of the face that shows them; English wherever nobody set another.

`say` takes its English sentence as a literal, so that `scripts/translations.py` finds it; a table that is made before
the language is known marks its sentences by `noted` and says them later. The command line stays English, and so does
the core: only the tray app hands in a translator (`ui/language.py`), which speaks in the UI thread alone. What the core
made of `noted("{name} has ended").format(name=...)` the face says by `told`.
"""

from __future__ import annotations

from collections.abc import Callable

Translator = Callable[[str, int | None], str]
"""Return the sentence in the user's language, for a number where there is one; the English one where it has none."""

_translator: Translator | None = None
_reteller: Callable[[str], str] | None = None


def speak(translator: Translator | None, reteller: Callable[[str], str] | None = None) -> None:
    """Let all sentences be said by this translator from now on; None = English again.

    `reteller` says what was already made in English. Any thread may say; in which threads that is another language than
    English is theirs to decide.
    """
    global _translator, _reteller
    _translator, _reteller = translator, reteller


def noted(text: str) -> str:
    """Mark a sentence that is said later."""
    return text


def say(text: str, /, **values: object) -> str:
    """Say a sentence; `{name}` in it stands for a value."""
    said = text if _translator is None else _translator(text, None)
    return said.format(**values) if values else said


def told(text: str) -> str:
    """Say what the core has made in English: a fact, a reason, a line of the journal.

    The core and all that it writes stay English, for files and other programs. What a text was made of is found out
    from the sentences that are known; one that was made of none stays as it is.
    """
    return text if _reteller is None else _reteller(text)


def continued(sentence: str) -> str:
    """Return a sentence that goes on after a colon: English goes on small."""
    return sentence if _translator is not None else sentence[:1].lower() + sentence[1:]


def say_n(one: str, many: str, n: int, /, **values: object) -> str:
    """Say a sentence about `n` things, `{n}` in it; the language of the face chooses its own plural form of `many`."""
    said = many if _translator is None else _translator(many, n)
    if n == 1 and said == many:  # English, or a sentence that the language has not got
        said = one
    return said.format(n=n, **values)
