"""The language of the face: which one it is, and the files that hold its sentences and Qt's own.

Knows the setting and what the system says. Loads nothing at all for English: the tray counts every megabyte. The
sentences of all of trayapp lie under one context of Qt's translation files; `trayapp.say` asks for them.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLocale

from trayapp import say

CONTEXT = "agentring"
"""The one context of Qt's files that all our sentences stand under."""

LANGUAGES = {"en": "English", "de": "Deutsch", "zh_CN": "简体中文"}
"""Each language that there is, by the code that settings and files use, in its own name."""

_OBJECT_NAME = "agentring-language"


def language_of(setting: str, wanted: Iterable[str]) -> str:
    """Return the code of the language to speak: the one set, else the first that the system wants and that there is.

    `wanted` is what QLocale.uiLanguages() tells, the best first: "de-Latn-CH", "de-CH", "de-Latn", "de".
    """
    if setting in LANGUAGES:
        return setting
    traditional = False
    for tag in wanted:
        first, *parts = tag.replace("_", "-").split("-")
        if first == "zh":
            # "zh" alone closes the list of a reader of traditional characters as well
            traditional = bool({"Hant", "TW", "HK", "MO"} & set(parts)) or (traditional and not parts)
            if not traditional:
                return "zh_CN"
        elif first in LANGUAGES:
            return first
        elif first == "C":
            break
    return "en"


def speak(setting: str) -> str:
    """Let the face speak the language of a setting ("auto" = the system's) from now on, and return its code.

    Call it in the UI thread, before the first sentence is said: what is shown already keeps its words. A language
    that was set by hand brings its numbers and times along, where the system's are those of another one.
    """
    hush()
    code = language_of(setting, QLocale.system().uiLanguages())
    if setting == code and QLocale.system().name().split("_")[0] != code.split("_")[0]:
        QLocale.setDefault(QLocale(code))
    if code != "en" and _install(code):
        from trayapp.ui.retelling import Retelling, sentences_in

        face = threading.get_ident()

        def said(text: str, n: int | None) -> str:
            if threading.get_ident() != face:  # the core: what it makes goes to files and to other programs as well
                return text
            return QCoreApplication.translate(CONTEXT, text, None, -1 if n is None else n)

        retelling = Retelling(lambda: sentences_in(_file(code, "ts")), said)
        say.speak(said, lambda text: retelling.told(text) if threading.get_ident() == face else text)
    return code


def hush() -> None:
    """Speak English again, and put the files away."""
    from PySide6.QtCore import QObject, QTranslator

    say.speak(None)
    app = QCoreApplication.instance()
    held = app.findChild(QObject, _OBJECT_NAME) if app is not None else None
    if app is None or held is None:
        return
    for translator in held.findChildren(QTranslator):
        app.removeTranslator(translator)
    held.setObjectName("")
    held.deleteLater()


def _install(code: str) -> bool:
    """Load the sentences and Qt's own (standard buttons, context menus); say whether ours are there."""
    from PySide6.QtCore import QLibraryInfo, QObject, QTranslator

    app = QCoreApplication.instance()
    if app is None:
        raise TypeError("a language needs a QApplication")
    held = QObject(app)
    held.setObjectName(_OBJECT_NAME)
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    for file in (f"{folder}/qtbase_{code}.qm", str(_file(code, "qm"))):
        translator = QTranslator(held)
        loaded = translator.load(file)
        if loaded:
            app.installTranslator(translator)
    return loaded


def _file(code: str, ending: str) -> Path:
    from trayapp import resources

    return resources.path("translations", f"{CONTEXT}_{code}.{ending}")
