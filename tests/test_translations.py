"""Sentences are found where they are said, translations are kept, and what is missing or wrong is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import translations
from scripts.translations import Sentence, Translation, faults_of, found_in, read, written

SAID = """
from trayapp.say import noted, say, say_n

TABLE = {"idle": noted("Idle"), "busy": noted("Busy")}

def words(x, n):
    return [say("A " "turn of {time}", time=x), say(TABLE[x]), say_n("{n} orphan", "{n} orphans", n), say("Idle")]

def later(x):
    return noted("{name} has ended").format(name=x)
"""


def test_a_sentence_is_found_once_where_it_is_said_or_noted() -> None:
    found = found_in([("words.py", SAID)])
    assert found.faults == ()
    assert found.sentences == (
        Sentence(text="Idle"),
        Sentence(text="Busy"),
        Sentence(text="A turn of {time}"),
        Sentence(text="{n} orphans", one="{n} orphan"),
        Sentence(text="{name} has ended"),
    )


@pytest.mark.parametrize(
    "line",
    [
        'say(f"Idle {x}")',
        'say("Idle " + x)',
        "noted(x)",
        'say_n("one", many, 3)',
        "say()",
    ],
)
def test_a_sentence_that_is_put_together_cannot_be_translated(line: str) -> None:
    found = found_in([("words.py", f"def words(x):\n    return {line}\n")])
    assert len(found.faults) == 1
    assert found.faults[0].startswith("words.py:2: ")


@pytest.mark.parametrize(
    "line", ['TITLE = say("Idle")', "def words(x=say('Idle')): pass", "class A:\n    t = say('Idle')"]
)
def test_nothing_is_said_at_import(line: str) -> None:
    assert "at import" in found_in([("words.py", line)]).faults[0]


def test_a_lambda_says_later() -> None:
    assert found_in([("words.py", "TITLE = lambda: say('Idle')")]).faults == ()


SENTENCES = (Sentence(text="Idle <{time}> & more"), Sentence(text="{n} orphans", one="{n} orphan"))
GERMAN = {
    "Idle <{time}> & more": Translation(("Untätig <{time}> & mehr",)),
    "{n} orphans": Translation(("{n} Waise", "{n} Waisen")),
}


def test_translations_are_read_as_they_were_written() -> None:
    text = written("de", SENTENCES, GERMAN)
    assert read(text) == (GERMAN, SENTENCES)
    assert faults_of("de", SENTENCES, text) == []


def test_a_draft_is_kept_and_told() -> None:
    draft = GERMAN | {"{n} orphans": Translation(("", "{n} Waisen"), finished=False)}
    text = written("de", SENTENCES, draft)
    assert read(text)[0] == draft
    assert faults_of("de", SENTENCES, text) == ["de: not translated: '{n} orphans'"]


def test_what_is_new_and_what_nobody_says_any_more_is_told() -> None:
    text = written("de", SENTENCES[:1], GERMAN)
    assert faults_of("de", SENTENCES[1:], text) == [
        "de: nobody says it any more, run `make translations`: 'Idle <{time}> & more'",
        "de: new, run `make translations`: '{n} orphans'",
    ]


def test_the_places_in_braces_have_to_be_the_same() -> None:
    wrong = GERMAN | {"Idle <{time}> & more": Translation(("Untätig <{zeit}>",))}
    assert "braces differ" in faults_of("de", SENTENCES, written("de", SENTENCES, wrong))[0]


def test_a_form_for_one_thing_may_leave_the_number_out() -> None:
    one = GERMAN | {"{n} orphans": Translation(("ein Waise", "{n} Waisen"))}
    assert faults_of("de", SENTENCES, written("de", SENTENCES, one)) == []


def test_an_update_keeps_what_is_translated_and_makes_the_files_of_qt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(translations, "FOLDER", tmp_path)
    (tmp_path / "agentring_de.ts").write_text(written("de", SENTENCES, GERMAN), encoding="utf-8")
    translations.update(SENTENCES)
    assert read((tmp_path / "agentring_de.ts").read_text(encoding="utf-8"))[0] == GERMAN
    assert [fault for fault in translations.check(SENTENCES) if not fault.startswith("zh_CN")] == []
    assert "agentring_de.ts: 2 sentences, not translated 0 and 0 of the core" in capsys.readouterr().out
    (tmp_path / "agentring_de.ts").write_text(written("de", SENTENCES, {}), encoding="utf-8")
    assert "agentring_de.qm is older than agentring_de.ts: run `make translations`" in translations.check(SENTENCES)


CORE = '''
"""Not this docstring."""

_WORDS = "cat"

def fact(pid, evidence, held):
    log.warning("not this line either")
    if held < 0:
        raise ValueError("nor a fault of our own")
    return Evidence(
        fact=f"Process {pid} runs {evidence.count:.1f} of {size(held)} and {size(held)}", source="its session record"
    )
'''


def test_what_the_core_makes_in_english_is_found_as_it_stands() -> None:
    found = found_in([("trayapp/hosts/some.py", CORE), ("trayapp/cli.py", CORE)])
    told = [sentence.text for sentence in found.sentences if sentence.told]
    assert told == [
        "Process {pid} runs {count} of {held} and {held2}",
        "its session record",
    ]


def test_a_language_may_leave_what_the_core_makes_in_english() -> None:
    told = (Sentence(text="its session record", told=True),)
    assert faults_of("de", told, written("de", told, {})) == []


def test_every_sentence_of_the_face_is_translated() -> None:
    found = found_in(translations.project_files())
    assert found.faults == ()
    assert translations.check(found.sentences) == []
