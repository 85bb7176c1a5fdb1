"""The face speaks the language that is set, or the first one of the system's that there is; English loads nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QObject, QTimer, QTranslator
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.fake_backend import FakeBackend
from trayapp import resources
from trayapp.say import say, say_n
from trayapp.ui import application, language


def test_the_app_speaks_the_language_of_its_settings_while_it_runs(
    qtbot: QtBot, qapp: QApplication, backend: FakeBackend, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("trayapp.desktop.single_instance.own_socket_name", lambda: str(tmp_path / "ring"))
    backend.settings = replace(backend.settings, language="de")
    heard: list[str] = []
    timer = QTimer()  # again and again: a quit before the loop begins is lost

    def hear_and_quit() -> None:
        heard.append(say("Busy"))
        if heard[-1] != "Busy" or len(heard) > 50:
            qapp.quit()

    timer.timeout.connect(hear_and_quit)
    timer.start(100)
    assert application.run(lambda: nullcontext(backend)) == 0
    timer.stop()
    assert heard[-1] == "Beschäftigt"
    assert say("Busy") == "Busy"


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    language.hush()
    QCoreApplication.processEvents()


@pytest.mark.parametrize(
    ("setting", "wanted", "spoken"),
    [
        ("de", ["fr-FR"], "de"),
        ("en", ["de-DE", "de"], "en"),
        ("auto", ["de-Latn-CH", "de-CH", "de-Latn", "de"], "de"),
        ("auto", ["zh-Hans-CN", "zh-CN", "zh-Hans", "zh"], "zh_CN"),
        ("auto", ["zh-Hant-TW", "zh-TW", "zh-Hant", "zh"], "en"),
        ("auto", ["zh-Hant-TW", "zh-TW", "zh-Hant", "zh-Hans-CN", "zh-CN", "zh-Hans", "zh"], "zh_CN"),
        ("auto", ["fr-Latn-FR", "fr-FR", "fr", "de-Latn-DE", "de-DE", "de", "en-US", "en"], "de"),
        ("auto", ["en-Latn-GB", "en-GB", "en", "de"], "en"),
        ("auto", ["fr-FR", "fr"], "en"),
        ("auto", ["C"], "en"),
        ("auto", ["C", "de"], "en"),
    ],
)
def test_the_language_is_the_one_set_or_the_first_that_the_system_wants(
    setting: str, wanted: list[str], spoken: str
) -> None:
    assert language.language_of(setting, wanted) == spoken


def test_english_loads_nothing(qapp: QApplication) -> None:
    before = len(qapp.findChildren(QTranslator))
    assert language.speak("en") == "en"
    assert len(qapp.findChildren(QTranslator)) == before
    assert qapp.findChild(QObject, "agentring-language") is None


@pytest.mark.parametrize(("code", "busy", "cancel"), [("de", "Beschäftigt", "Abbrechen"), ("zh_CN", "忙碌", "取消")])
def test_a_language_says_our_sentences_and_those_of_qt(qapp: QApplication, code: str, busy: str, cancel: str) -> None:
    assert language.speak(code) == code
    assert say("Busy") == busy
    assert QCoreApplication.translate("QPlatformTheme", "Cancel") == cancel
    language.hush()
    QCoreApplication.sendPostedEvents(None, 0)
    QCoreApplication.processEvents()
    assert say("Busy") == "Busy"


def test_german_has_two_forms_and_chinese_one(qapp: QApplication) -> None:
    language.speak("de")
    one, two = (say_n("{n} session", "{n} sessions", n) for n in (1, 2))
    assert (one, two) == ("1 Sitzung", "2 Sitzungen")
    language.speak("zh_CN")
    assert [say_n("{n} session", "{n} sessions", n) for n in (1, 2)] == ["1 个会话", "2 个会话"]


def test_a_language_set_by_hand_brings_its_numbers_along(qapp: QApplication) -> None:
    language.speak("de")
    assert QLocale().decimalPoint() == ","


def test_what_a_language_does_not_know_stays_english(qapp: QApplication) -> None:
    language.speak("de")
    assert say("No file holds this sentence") == "No file holds this sentence"
    assert say_n("{n} unheard of", "{n} unheard ofs", 1) == "1 unheard of"


def test_every_language_has_its_file() -> None:
    for code in set(language.LANGUAGES) - {"en"}:
        assert resources.path("translations", f"agentring_{code}.qm").is_file()
