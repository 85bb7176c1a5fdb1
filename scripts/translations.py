"""Keep the translations: find every sentence that trayapp says, write Qt's .ts files, make .qm files of them.

    python -m scripts.translations            bring the .ts files up to date and make .qm files of them
    python -m scripts.translations --check    change nothing; tell what is missing, and exit 1

A sentence is the literal first argument of `say` and `noted`, or the second one of `say_n`. Besides, whatever the core
and the adapters make in English and the face says again (`told`) is found as it stands there, values as {names}; of
those a language may leave out what is too rare. What nobody says any more is dropped. docs/translating.md says how to
translate.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "translations"
CONTEXT = "agentring"
FORMS: Mapping[str, int] = {"de": 2, "zh_CN": 1}
"""Each language, and how many forms a number gives its sentences; Qt's lrelease decides, this must agree with it."""

PLACEHOLDER = re.compile(r"\{(\w+)[^{}]*\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """Hold what is translated; `one` is the English form for one thing, of a sentence with a number.

    `told` = made in English by the core, and said again by the face; it may stay English.
    """

    text: str
    one: str | None = None
    told: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Found:
    """Hold the sentences of some files in the order in which they stand there, and what cannot be translated."""

    sentences: tuple[Sentence, ...]
    faults: tuple[str, ...]


# ---- what is said


def found_in(files: Iterable[tuple[str, str]]) -> Found:
    """Find the sentences of files, given by name and text."""
    sentences: dict[str, Sentence] = {}
    faults: list[str] = []
    trees = [(name, ast.parse(text)) for name, text in files]
    finders: list[_Finder | _ToldFinder] = []
    for kind in (_Finder, _ToldFinder):  # what is said counts before what is only told
        for name, tree in trees:
            if kind is _Finder or _is_told_by(name):
                finders.append(kind(name))
                finders[-1].visit(tree)
    for finder in finders:
        name = finder.name
        faults += finder.faults
        for sentence in finder.sentences:
            before = sentences.setdefault(sentence.text, sentence)
            if before != sentence and not sentence.told:
                faults.append(f"{name}: {sentence.text!r} is said with a number here and without, or for another one")
    return Found(tuple(sentences.values()), tuple(faults))


class _Finder(ast.NodeVisitor):
    def __init__(self, name: str) -> None:
        self.name = name
        self._depth = 0
        self.sentences: list[Sentence] = []
        self.faults: list[str] = []

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for outside in (*node.decorator_list, node.args):
            self.visit(outside)
        self._inside(node.body)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_FunctionDef(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self.visit(node.args)
        self._inside([node.body])

    def _inside(self, nodes: Sequence[ast.AST]) -> None:
        self._depth += 1
        for node in nodes:
            self.visit(node)
        self._depth -= 1

    def visit_Call(self, node: ast.Call) -> None:
        called = node.func.id if isinstance(node.func, ast.Name) else None
        if called in ("say", "say_n", "noted"):
            self._take(called, node)
        self.generic_visit(node)

    def _take(self, called: str, node: ast.Call) -> None:
        where = f"{self.name}:{node.lineno}"
        if called != "noted" and self._depth == 0:
            self.faults.append(f"{where}: {called} is called at import; mark it by noted and say it later")
        texts = [a.value for a in node.args[:2] if isinstance(a, ast.Constant) and isinstance(a.value, str)]
        if called == "say_n":
            if len(texts) != 2:
                self.faults.append(f"{where}: say_n needs both forms as plain strings")
            else:
                self.sentences.append(Sentence(text=texts[1], one=texts[0]))
        elif texts:
            self.sentences.append(Sentence(text=texts[0]))
        elif called == "noted" or not _may_be_noted(node.args[0] if node.args else None):
            self.faults.append(f"{where}: {called} needs a plain string, or what a table of noted ones holds")


def _may_be_noted(argument: ast.expr | None) -> bool:
    """Say whether an expression can hand on a noted sentence: a name, a look-up, a choice between such."""
    if isinstance(argument, ast.IfExp):
        return all(isinstance(one, ast.Constant) or _may_be_noted(one) for one in (argument.body, argument.orelse))
    if isinstance(argument, ast.Call):
        return isinstance(argument.func, ast.Attribute) and argument.func.attr == "get"
    return isinstance(argument, ast.Name | ast.Attribute | ast.Subscript)


# ---- what the core makes in English

NOT_TOLD = re.compile(
    r"trayapp/(ui|probe|service)/|_commands\.py$|history/(schema|rollup|packing)"
    r"|/(commands|cli|report|say|app|recording|redaction|resources|bystanders|programs|start_at_login)\.py$"
    # what only who writes or installs something reads, at the command line
    r"|described_(form|check)|_(patch|rpc|client|tmux)\.py$"
)
"""Files whose texts no face says again."""

_OWN_FAULTS = {"ValueError", "TypeError", "RuntimeError", "AssertionError", "KeyError", "NotImplementedError"}
_NOT_FOR_PEOPLE = re.compile(r"(^|\.)_?(log|LOG|logger|re)\.|\.(execute|executemany|executescript|compile)$")
_LOOKS_LIKE_WORDS = re.compile(r"[A-Za-z]{2,}[,;:]? [a-z{(“]")
_CODE = re.compile(r"[\\^$|]|[a-z]=|\b(SELECT|FROM|CASE|WHEN)\b|--|^[a-z_]+, [a-z_]+,")
_FEWEST_LETTERS = 6


def _is_told_by(name: str) -> bool:
    return NOT_TOLD.search(name) is None


class _ToldFinder(ast.NodeVisitor):
    """Find texts that look like words for people, outside of docstrings, logs and faults of our own."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.sentences: list[Sentence] = []
        self.faults: list[str] = []

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        if not (isinstance(node.exc, ast.Call) and ast.unparse(node.exc.func) in _OWN_FAULTS):
            self.generic_visit(node)

    def visit_Assert(self, node: ast.Assert) -> None:
        """Leave out what a check says."""

    def visit_Call(self, node: ast.Call) -> None:
        called = ast.unparse(node.func)
        listed = isinstance(node.func, ast.Attribute) and node.func.attr == "split"  # "cat ls cd".split()
        if not listed and called not in ("say", "say_n", "noted") and not _NOT_FOR_PEOPLE.search(called):
            self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str) and "{" not in node.value:
            self._take(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        text = ""
        counted: dict[str, int] = {}
        for part in node.values:
            if isinstance(part, ast.Constant):
                text += str(part.value)
            elif isinstance(part, ast.FormattedValue):
                name = _name_of(part.value)
                counted[name] = counted.get(name, 0) + 1
                text += "{" + name + (str(counted[name]) if counted[name] > 1 else "") + "}"
        self._take(text)

    def _take(self, text: str) -> None:
        own = PLACEHOLDER.sub("", text)
        enough = sum(character.isalpha() for character in own) >= _FEWEST_LETTERS
        if enough and text == text.strip() and _LOOKS_LIKE_WORDS.search(text) and not _CODE.search(own):
            self.sentences.append(Sentence(text=text, told=True))


def _name_of(value: ast.expr) -> str:
    """Name a place in a text by what is put there."""
    if isinstance(value, ast.Call) and value.args:
        return _name_of(value.args[0])
    name = value.id if isinstance(value, ast.Name) else value.attr if isinstance(value, ast.Attribute) else "value"
    return name.strip("_").lower() or "value"


def project_files() -> Iterator[tuple[str, str]]:
    """Yield every module of trayapp."""
    for path in sorted((ROOT / "trayapp").rglob("*.py")):
        yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


# ---- Qt's files


@dataclass(frozen=True, slots=True)
class Translation:
    """Hold a sentence's forms in another language; one that is not finished is a draft."""

    forms: tuple[str, ...]
    finished: bool = True


def read(text: str) -> tuple[dict[str, Translation], tuple[Sentence, ...]]:
    """Return the translations of a .ts file by their English sentence, and all sentences that it knows of."""
    translations = {}
    known = []
    for message in ElementTree.fromstring(text).iter("message"):
        source = message.findtext("source") or ""
        numbered = message.get("numerus") == "yes"
        known.append(Sentence(text=source, one=(message.findtext("extracomment") or "") if numbered else None))
        found = message.find("translation")
        if found is not None:
            forms = [form.text or "" for form in found.iter("numerusform")] if numbered else [found.text or ""]
            translations[source] = Translation(tuple(forms), finished=found.get("type") is None)
    return translations, tuple(known)


def written(language: str, sentences: Sequence[Sentence], translations: Mapping[str, Translation]) -> str:
    """Return a .ts file; what has no translation stands there as unfinished."""
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        "<!DOCTYPE TS>",
        f'<TS version="2.1" language="{language}" sourcelanguage="en">',
        "<context>",
        f"    <name>{CONTEXT}</name>",
    ]
    for sentence in sentences:
        found = translations.get(sentence.text)
        if found is None or len(found.forms) != forms_of(sentence, language):
            found = Translation(("",) * forms_of(sentence, language), finished=False)
        numerus = "" if sentence.one is None else ' numerus="yes"'
        lines += [f"    <message{numerus}>", f"        <source>{escape(sentence.text)}</source>"]
        if sentence.one is None:
            shown = escape(found.forms[0])
        else:
            lines.append(f"        <extracomment>{escape(sentence.one)}</extracomment>")
            shown = "".join(f"\n            <numerusform>{escape(form)}</numerusform>" for form in found.forms)
            shown += "\n        "
        state = "" if found.finished else ' type="unfinished"'
        lines += [f"        <translation{state}>{shown}</translation>", "    </message>"]
    return "\n".join([*lines, "</context>", "</TS>", ""])


def forms_of(sentence: Sentence, language: str) -> int:
    """Return how many forms a sentence has in a language."""
    return 1 if sentence.one is None else FORMS[language]


def faults_of(language: str, sentences: Sequence[Sentence], text: str) -> list[str]:
    """Say what keeps a .ts file from being complete."""
    translations, known = read(text)
    said, written_down = set(sentences), set(known)
    gone = [sentence for sentence in known if sentence not in said]
    faults = [f"{language}: nobody says it any more, run `make translations`: {one.text!r}" for one in gone]
    for sentence in sentences:
        found = translations.get(sentence.text)
        if sentence not in written_down or found is None:
            faults.append(f"{language}: new, run `make translations`: {sentence.text!r}")
        elif not found.finished or not all(found.forms) or len(found.forms) != forms_of(sentence, language):
            if sentence.told:
                continue
            faults.append(f"{language}: not translated: {sentence.text!r}")
        else:
            faults += [
                f"{language}: the places in braces differ: {sentence.text!r} and {form!r}"
                for form in found.forms
                if not _same_places(sentence, form)
            ]
    return faults


def _same_places(sentence: Sentence, form: str) -> bool:
    wanted, given = (set(PLACEHOLDER.findall(text)) for text in (sentence.text, form))
    # a form of a sentence with a number may tell it or not
    return given == wanted or (sentence.one is not None and given - {"n"} == wanted - {"n"})


def released(source: Path, target: Path) -> None:
    """Make the .qm file of a .ts file; raises CalledProcessError."""
    program = Path(sys.executable).with_name("pyside6-lrelease")
    subprocess.run(
        [str(program), "-silent", "-nounfinished", str(source), "-qm", str(target)], check=True, capture_output=True
    )


# ---- the two ways to call it


def update(sentences: Sequence[Sentence]) -> None:
    """Bring all files up to date."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for language in FORMS:
        path = FOLDER / f"{CONTEXT}_{language}.ts"
        before = read(path.read_text(encoding="utf-8"))[0] if path.exists() else {}
        path.write_text(written(language, sentences, before), encoding="utf-8")
        released(path, path.with_suffix(".qm"))
        missing = [s for s in sentences if s.text not in before or not before[s.text].finished]
        said = sum(not s.told for s in missing)
        print(f"{path.name}: {len(sentences)} sentences, not translated {said} and {len(missing) - said} of the core")


def check(sentences: Sequence[Sentence]) -> list[str]:
    """Say what is not up to date."""
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as scratch:
        for language in FORMS:
            path = FOLDER / f"{CONTEXT}_{language}.ts"
            faults += faults_of(language, sentences, path.read_text(encoding="utf-8"))
            made = Path(scratch) / f"{language}.qm"
            released(path, made)
            if made.read_bytes() != path.with_suffix(".qm").read_bytes():
                faults.append(f"{path.with_suffix('.qm').name} is older than {path.name}: run `make translations`")
    return faults


def main(arguments: Sequence[str]) -> int:
    """Do what is asked for; 0 when there is nothing to complain about."""
    if list(arguments) not in ([], ["--check"]):
        print("usage: translations.py [--check]", file=sys.stderr)
        return 2
    found = found_in(project_files())
    faults = list(found.faults)
    if arguments:
        faults += check(found.sentences)
    else:
        update(found.sentences)
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
