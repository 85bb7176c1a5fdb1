"""Sentences are English until a face hands in a translator, and plural forms are the translator's to choose."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from trayapp.say import noted, say, say_n, speak

_GERMAN = {
    ("Idle {time}", None): "Untätig seit {time}",
    ("{n} orphans", 1): "{n} Waise",
    ("{n} orphans", 2): "{n} Waisen",
}


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    yield
    speak(None)


def test_without_a_translator_a_sentence_is_english() -> None:
    assert say("Idle {time}", time="2 h") == "Idle 2 h"
    assert say("100 % is one core {as it stands}") == "100 % is one core {as it stands}"


def test_english_has_two_forms() -> None:
    assert [say_n("{n} orphan", "{n} orphans", n) for n in (0, 1, 2)] == ["0 orphans", "1 orphan", "2 orphans"]


def test_a_translator_is_asked_with_the_number_and_gives_the_form() -> None:
    speak(lambda text, n: _GERMAN.get((text, n), text))
    assert say("Idle {time}", time="2 h") == "Untätig seit 2 h"
    assert say_n("{n} orphan", "{n} orphans", 1) == "1 Waise"
    assert say_n("{n} orphan", "{n} orphans", 2) == "2 Waisen"


def test_what_has_no_translation_stays_english() -> None:
    speak(lambda text, n: _GERMAN.get((text, n), text))
    assert say("Busy") == "Busy"


def test_a_noted_sentence_is_said_later() -> None:
    sentence = noted("Idle {time}")
    speak(lambda text, n: _GERMAN.get((text, n), text))
    assert say(sentence, time="1 d") == "Untätig seit 1 d"
