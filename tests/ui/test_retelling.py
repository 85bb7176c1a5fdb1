"""What the core made in English is said again in the user's language, values and all."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from trayapp import say
from trayapp.ui import language
from trayapp.ui.retelling import Known, Retelling

_GERMAN = {
    ("A turn is running", None): "Ein Turn läuft",
    ("Released, {size} came back", None): "Freigegeben, {size} kamen zurück",
    ("{state}, confirmed twice", None): "{state}, zweimal bestätigt",
    ("Cannot tell, last seen idle", None): "Unklar, zuletzt untätig",
    ("{n} processes gone", 1): "{n} Prozess beendet",
    ("{n} processes gone", 3): "{n} Prozesse beendet",
    ("{size} in {name}", None): "{name}: {size}",
}
KNOWN = [Known(text, text) for text, n in _GERMAN if n is None]
KNOWN += [Known("{n} processes gone", "{n} processes gone", True), Known("1 process gone", "{n} processes gone", True)]


@pytest.fixture
def retelling() -> Retelling:
    return Retelling(lambda: KNOWN, lambda text, n: _GERMAN.get((text, n), text))


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("A turn is running", "Ein Turn läuft"),
        ("Released, 1.2 GB came back", "Freigegeben, 1.2 GB kamen zurück"),
        ("Cannot tell, last seen idle, confirmed twice", "Unklar, zuletzt untätig, zweimal bestätigt"),
        ("3 processes gone", "3 Prozesse beendet"),
        ("1 process gone", "1 Prozess beendet"),
        ("some processes gone", "some processes gone"),
        ("Fix the flaky upload test", "Fix the flaky upload test"),
        ("", ""),
    ],
)
def test_a_text_is_said_by_the_sentence_that_it_was_made_of(retelling: Retelling, english: str, german: str) -> None:
    assert retelling.told(english) == german


def test_a_sentence_of_values_alone_fits_nothing(retelling: Retelling) -> None:
    assert retelling.told("4 GB in use") == "4 GB in use"


def test_the_core_stays_english_while_the_face_speaks_german(qapp: QApplication) -> None:
    heard: list[str] = []
    language.speak("de")
    core = threading.Thread(target=lambda: heard.extend([say.say("Busy"), say.told("Busy")]))
    core.start()
    core.join()
    assert heard == ["Busy", "Busy"]
    assert say.told("Busy") == say.say("Busy") == "Beschäftigt"


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    language.hush()


def test_a_sentence_goes_on_small_after_a_colon(retelling: Retelling) -> None:
    known = [*KNOWN, Known("Not released: {reason}", "Not released: {reason}")]
    german = _GERMAN | {("Not released: {reason}", None): "Nicht freigegeben: {reason}"}
    made = Retelling(lambda: known, lambda text, n: german.get((text, n), text))
    assert made.told("Not released: a turn is running") == "Nicht freigegeben: Ein Turn läuft"


def test_a_figure_is_no_words() -> None:
    made = Retelling(
        lambda: [Known("Idle {time}", "Idle {time}")],
        lambda text, n: {"Idle {time}": "Untätig seit {time}"}.get(text, text),
    )
    assert made.told("Idle 2 h 14 min") == "Untätig seit 2 h 14 min"
    assert made.told("Idle for long") == "Idle for long"


def test_what_stands_before_a_colon_and_lists_of_what_is_known_are_said_in_parts() -> None:
    german = {"A work process runs": "Ein Arbeitsprozess läuft", "process table": "Prozessliste"}
    counted = {"{n} backend": "{n} Backend", "{n} helpers": "{n} Helfer"}
    made = Retelling(
        lambda: [Known(text, text, numbered=True) for text in counted],
        lambda text, n: counted.get(text, text) if n is not None else german.get(text, text),
    )
    assert made.told("A work process runs: pytest") == "Ein Arbeitsprozess läuft: pytest"
    assert made.told("process table: 1 backend, 2 helpers") == "Prozessliste: 1 Backend, 2 Helfer"
    assert made.told("Fix: the upload, the tests") == "Fix: the upload, the tests"
