"""Say in the user's language what was made in English: facts, reasons and lines of the journal.

The core makes its texts of known sentences with values in them. Here a text is held against those sentences; the one
that fits with the most of its own words is said instead, with the values put in again. Knows no Qt.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from trayapp.say import noted

_PLACE = re.compile(r"\{(\w+)[^{}]*\}")
_FEWEST_LETTERS = 4
"""A sentence with fewer letters of its own than that would fit nearly everything."""
SOURCES = (
    *(noted("transcript"), noted("rollout"), noted("terminal"), noted("registry"), noted("process table")),
    *(noted("its host"), noted("its variable"), noted("its program"), noted("its arguments")),
)
"""Where evidence comes from, in a word: too short to be found as a sentence where it is made."""
_FIGURE = r"(?:[≈−<–]?\d.*?|–)"
_FIGURES = {"time", "size", "pid", "length", "waited", "wait", "n", "share"}
"""Places that hold a figure: "Idle {time}" must not be found in "Idle for long"."""
_DEEPEST = 3
"""A value can be a sentence itself: "Cannot tell, last seen idle, confirmed twice"."""


@dataclass(frozen=True)
class Known:
    """Hold a sentence that texts are made of, as it stands in English; `of` is what is looked up.

    `numbered` = its form depends on the value of {n}; for one thing that may be left out.
    """

    english: str
    of: str
    numbered: bool = False

    @cached_property
    def own(self) -> tuple[str, ...]:
        """Return the words between the values."""
        return tuple(filter(None, re.split(r"\{\w+[^{}]*\}", self.english)))

    @cached_property
    def letters(self) -> int:
        return sum(character.isalpha() for part in self.own for character in part)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        parts: list[str] = []
        seen: set[str] = set()
        at = 0
        for place in _PLACE.finditer(self.english):
            name = place[1]
            value = _FIGURE if name in _FIGURES else ".*?"
            if name == "n" and self.numbered:
                value = r"\d+"
            parts += [re.escape(self.english[at : place.start()])]
            parts += [f"(?P={name})" if name in seen else f"(?P<{name}>{value})"]
            seen.add(name)
            at = place.end()
        return re.compile("".join(parts) + re.escape(self.english[at:]), re.DOTALL)


def sentences_in(file: Path) -> Iterator[Known]:
    """Yield the sentences of one of Qt's .ts files that are translated there."""
    import xml.etree.ElementTree as ElementTree

    for message in ElementTree.parse(file).iter("message"):
        translation = message.find("translation")
        if translation is None or translation.get("type") is not None:
            continue
        text, one = message.findtext("source") or "", message.findtext("extracomment")
        yield Known(text, text, numbered=one is not None)
        if one is not None:
            yield Known(one, text, numbered=True)


class Retelling:
    """Say texts again; `sentences` is asked at the first text that is no sentence as it stands.

    `translate` takes the English sentence, and a number where its form depends on one.
    """

    def __init__(self, sentences: Callable[[], Iterable[Known]], translate: Callable[[str, int | None], str]) -> None:
        self._sentences = sentences
        self._translate = translate
        self._made: tuple[Known, ...] | None = None
        self.told = lru_cache(maxsize=512)(self._told)

    def _told(self, text: str) -> str:
        """Return a text in the other language; what was made of no known sentence stays as it is."""
        return self._retold(text, _DEEPEST)

    def _retold(self, text: str, deep: int) -> str:
        said = self._translate(text, None)
        if said == text and text[:1].islower():  # a sentence that goes on after a colon
            whole = text[:1].upper() + text[1:]
            said = self._translate(whole, None)
            said = text if said == whole else said
        if said != text or not deep:
            return said
        for known in self._known():
            found = known.pattern.fullmatch(text) if all(part in text for part in known.own) else None
            if found is not None:
                values = {name: self._retold(value, deep - 1) for name, value in found.groupdict().items()}
                number = int(values.get("n", 1)) if known.numbered else None
                return self._translate(known.of, number).format(**{"n": 1} | values if known.numbered else values)
        return self._in_parts(text, deep - 1)

    def _in_parts(self, text: str, deep: int) -> str:
        """Say "A work process runs: pytest" by what stands before the colon, and a list if all of it is known."""
        head, colon, tail = text.partition(": ")
        if colon and (said := self._retold(head, deep)) != head:
            return f"{said}: {self._retold(tail, deep)}"
        parts = text.split(", ")
        said_parts = [self._retold(part, deep) for part in parts] if len(parts) > 1 else parts
        return ", ".join(said_parts) if all(map(str.__ne__, said_parts, parts)) else text

    def _known(self) -> tuple[Known, ...]:
        """Return what texts are made of, the most telling first; a sentence without values is looked up as it is."""
        if self._made is None:
            made = [each for each in self._sentences() if each.numbered or _PLACE.search(each.english)]
            telling = [each for each in made if each.letters >= _FEWEST_LETTERS]
            self._made = tuple(sorted(telling, key=lambda each: -each.letters))
        return self._made
