"""The house keeps its own rules: pins, locks, names in their place, one guarded signal, tests that can fail."""

from __future__ import annotations

import ast
import importlib.metadata
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import trayapp

pytest_plugins = ["pytester"]

ROOT = Path(__file__).resolve().parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def modules() -> Iterator[tuple[str, str]]:
    """Yield the path and the text of every module of ours."""
    for path in sorted((ROOT / "trayapp").rglob("*.py")):
        yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def tracked_files() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()]


# --- Qt --------------------------------------------------------------------------------------------------------------


def test_qt_keeps_the_reference_counts_of_none_and_true() -> None:
    installed = importlib.metadata.version("PySide6-Essentials")
    pins = [Requirement(line) for line in PROJECT["project"]["dependencies"]]
    assert next(pin for pin in pins if pin.name == "PySide6-Essentials").specifier.contains(installed)
    if sys.version_info >= (3, 12):
        return  # None and True are immortal there and their counts say nothing
    script = ROOT / "tests" / "reference_counts.py"
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    # 6.12.0: -600 and -300
    assert all(abs(drift) <= 5 for drift in json.loads(done.stdout).values()), done.stdout


# --- locks -----------------------------------------------------------------------------------------------------------

PINNED = re.compile(r"[a-z0-9._-]+==[0-9a-z.+!]+( ; [a-zA-Z_0-9.'<>=! ()]+)? \\")
HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}( \\)?")


@pytest.mark.parametrize("name", ["run.txt", "dev.txt"])
def test_lock_files_hold_names_versions_markers_and_hashes_only(name: str) -> None:
    lines = (ROOT / "requirements" / name).read_text(encoding="utf-8").splitlines()
    strange = [line for line in lines if not PINNED.fullmatch(line) and not HASH.fullmatch(line)]
    assert lines
    assert not strange


def locked(name: str) -> dict[str, list[Requirement]]:
    """Return the pins of a lock file by package name; markers can make several of one."""
    pins: dict[str, list[Requirement]] = {}
    for line in (ROOT / "requirements" / name).read_text(encoding="utf-8").splitlines():
        if PINNED.fullmatch(line):
            pin = Requirement(line.removesuffix(" \\"))
            pins.setdefault(canonicalize_name(pin.name), []).append(pin)
    return pins


def group(name: str) -> list[str]:
    found: list[str] = []
    for entry in PROJECT["dependency-groups"][name]:
        found += [entry] if isinstance(entry, str) else group(entry["include-group"])
    return found


@pytest.mark.parametrize(
    ("name", "declared"),
    [
        ("run.txt", [*PROJECT["project"]["dependencies"], *group("build")]),
        (
            "dev.txt",
            [
                *PROJECT["project"]["dependencies"],
                *(line for lines in PROJECT["project"]["optional-dependencies"].values() for line in lines),
                *group("dev"),
            ],
        ),
    ],
)
def test_lock_files_cover_what_is_declared(name: str, declared: list[str]) -> None:
    pins = locked(name)
    for requirement in map(Requirement, declared):
        versions = [next(iter(pin.specifier)).version for pin in pins.get(canonicalize_name(requirement.name), [])]
        assert versions, f"{requirement.name} is declared but not in requirements/{name}: make lock"
        assert all(map(requirement.specifier.contains, versions)), f"{requirement} is not met: make lock"


def test_what_runs_is_locked_to_the_same_versions_as_what_is_tested() -> None:
    run, dev = locked("run.txt"), locked("dev.txt")
    assert {name: sorted(map(str, pins)) for name, pins in run.items()} == {
        name: sorted(map(str, dev.get(name, []))) for name in run
    }


# --- names in their place --------------------------------------------------------------------------------------------

HOST_NAMES = re.compile(
    r"(claude|opencode|codex|codeman|gemini|copilot|qwen|anthropic|kiro)|\b(craft|dsh|cline)\b", re.IGNORECASE
)
OWN_FILES = {
    "trayapp/hosts/claude_code": "claude|anthropic",
    "trayapp/hosts/opencode": "opencode",
    "trayapp/hosts/codex": "codex",
    # this host runs other hosts' agents
    "trayapp/hosts/codeman": "codeman|claude|anthropic|codex|opencode|gemini|copilot|qwen",
    # what stands for the files in resources/hosts while none of their programs runs
    "trayapp/hosts/described_programs.py": "kiro|claude",
    "trayapp/hosts/dsh": "dsh",
    # the commands that put a host's plugin in and out
    "trayapp/hosts_commands.py": "dsh",
    # this host runs another host's agent
    "trayapp/hosts/craft": "craft|claude|anthropic",
    # the log of an agent that several hosts run
    "trayapp/hosts/anthropic": "anthropic",
    # the list of built-in adapters
    "trayapp/hosts/registry.py": "claude|opencode|codex|craft|dsh|codeman|copilot|gemini|qwen|cline",
    "trayapp/hosts/copilot": "copilot",
    "trayapp/hosts/gemini": "gemini",
    "trayapp/hosts/qwen": "qwen",
    "trayapp/hosts/cline": "cline",
}


def test_a_hosts_name_stands_in_its_own_file_only() -> None:
    strange = []
    for path, text in modules():
        own = "|".join(names for prefix, names in OWN_FILES.items() if path.startswith(prefix))
        for number, line in enumerate(text.splitlines(), start=1):
            found = [match.group() for match in HOST_NAMES.finditer(line)]
            strange += [f"{path}:{number}: {name}" for name in found if not (own and re.search(own, name.lower()))]
    assert not strange


OWN_CHILDREN = {
    # a command of the host that the adapter started itself, still waits for, and that does not answer
    "trayapp/hosts/claude_code.py",
    # a command that a description names, started by the adapter itself, and that does not answer
    "trayapp/hosts/described.py",
    # a question to tmux that it started itself, and that tmux does not answer
    "trayapp/hosts/codeman_tmux.py",
}
SIGNALLING = {"kill", "killpg", "pidfd_send_signal", "pthread_kill", "send_signal", "terminate", "TerminateProcess"}


def test_signals_are_sent_from_one_module_only() -> None:
    strange = []
    for path, text in modules():
        if path == "trayapp/probe/signals.py":
            continue
        strange += [
            f"{path}:{node.lineno}: {node.func.attr}"
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in SIGNALLING
            if not (path in OWN_CHILDREN and ast.unparse(node.func) == "process.kill")
        ]
    assert not strange, "signals go through trayapp/reclaim/guard.py and nowhere else"


def test_every_module_opens_with_what_it_knows() -> None:
    bare = [path for path, text in modules() if text.strip() and ast.get_docstring(ast.parse(text)) is None]
    assert not bare


# --- what is said is true --------------------------------------------------------------------------------------------


def test_the_version_is_written_once() -> None:
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "trayapp/__init__.py"
    assert re.fullmatch(r"\d+\.\d+\.\d+", trayapp.__version__)


def makefile_targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):(?!=)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


@pytest.mark.parametrize("page", ["README.md", ".ci/run", "CHANGELOG.md"])
def test_every_make_target_that_is_named_exists(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    named = set(re.findall(r"(?:`|^|\s)make\s+([a-z-]+)(?=[`\s\"])", text, re.MULTILINE))
    assert {name for name in named if name not in makefile_targets()} - {"on"} == set()


def test_make_help_tells_about_every_target_that_people_call() -> None:
    told = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    inner = {"set-up", "set-up-run", "set-up-live"}
    assert set(re.findall(r"make ([a-z-]+)", told)) >= makefile_targets() - inner


def test_pages_link_to_files_that_exist() -> None:
    pages = [path for path in tracked_files() if path.suffix == ".md"]
    missing = [
        f"{page.relative_to(ROOT)}: {link}"
        for page in pages
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if not (page.parent / link).exists()
    ]
    assert not missing


# put together here, so that this file does not hold them itself
MACHINE_PATHS = re.compile("/" + r"work/(main|shared|\.library)\b|/" + r"root/\.")
REGISTRIES = re.compile(
    "|".join(("pypi" + r"\.org", "pythonhosted" + r"\.org", "registry" + r"\.npmjs", "deb" + r"\.debian"))
)


def test_no_tracked_file_holds_a_path_of_this_machine_or_an_address_of_a_registry() -> None:
    strange = []
    for path in tracked_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture
        for number, line in enumerate(text.splitlines(), start=1):
            if MACHINE_PATHS.search(line) or REGISTRIES.search(line):
                strange.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}")
    assert not strange


# --- tests that can fail ---------------------------------------------------------------------------------------------

LEAVES = """
import asyncio, logging, threading
import pytest
from PySide6.QtCore import QThread, QTimer, qWarning
from PySide6.QtWidgets import QWidget

kept = []
hold = threading.Event()

def test_logs_a_warning():
    logging.getLogger("trayapp.probe").warning("cannot read")

@pytest.mark.logs
def test_may_log():
    logging.getLogger("trayapp.probe").warning("cannot read")

def test_leaves_a_thread():
    threading.Thread(target=hold.wait).start()

def test_ends_its_thread():
    hold.set()

def test_leaves_a_task():
    async def wait():
        await asyncio.sleep(100)
    loop = asyncio.new_event_loop()
    kept.extend([loop, loop.create_task(wait())])
    loop.run_until_complete(asyncio.sleep(0))

def test_ends_its_tasks():
    asyncio.run(asyncio.sleep(0))

def test_leaves_a_timer(qapp):
    timer = QTimer()
    timer.start(1000)
    kept.append(timer)

def test_stops_its_timer(qapp):
    timer = QTimer()
    timer.start(1000)
    timer.stop()
    kept.append(timer)

def test_leaves_a_qthread(qapp):
    thread = QThread()
    thread.start()
    kept.append(thread)

def test_ends_its_qthread(qapp):
    kept[-1].quit()
    kept[-1].wait()

def test_leaves_a_widget(qapp):
    kept.append(QWidget())

def test_closes_its_widget(qtbot):
    qtbot.addWidget(QWidget())

def test_makes_qt_warn(qapp):
    qWarning("out of place")
"""


def test_tests_that_leave_something_behind_fail(pytester: pytest.Pytester) -> None:
    pytester.makeconftest((ROOT / "tests" / "conftest.py").read_text(encoding="utf-8"))
    pytester.makepyprojecttoml(
        """
        [tool.pytest.ini_options]
        markers = ["logs", "leaves"]
        qt_api = "pyside6"
        qt_log_level_fail = "WARNING"
        """
    )
    pytester.makepyfile(test_leaves=LEAVES)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    failed = set(re.findall(r"^(?:ERROR|FAILED) test_leaves\.py::test_(\w+)", result.stdout.str(), re.MULTILINE))
    assert failed == {
        "logs_a_warning",
        "leaves_a_thread",
        "leaves_a_task",
        "leaves_a_timer",
        "leaves_a_qthread",
        "leaves_a_widget",
        "makes_qt_warn",
    }
