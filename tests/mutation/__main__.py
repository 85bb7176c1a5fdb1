"""Try every mutant of the rules against their tests, two at a time, and show those that no test noticed.

    python -m tests.mutation [PART OF A MUTANT'S LINE ...]

A mutant lives in a forked process only; no file is changed. Of a survivor is told whether it lets anyone go further
than the real rules, over thousands of made-up sessions; if one does, the exit status is 1.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import signal
import sys
import time
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import pytest

from tests.mutation.answers import answers, looser
from tests.mutation.mutators import Mutant, mutants

ROOT = Path(__file__).resolve().parents[2]
MODULES = {"trayapp.reclaim.plan": "trayapp/reclaim/plan.py", "trayapp.verdict": "trayapp/verdict.py"}
TESTS = ("tests/test_plan.py", "tests/test_verdict.py", "tests/test_assess.py")
OPTIONS = f"""
    -c {os.devnull} --rootdir {ROOT} --import-mode=importlib --noconftest --assert=plain --tb=no -x -q
    -p no:cacheprovider -p no:logging -p no:faulthandler -p no:unraisableexception -p no:threadexception
    """.split()
"""Nothing but the tests themselves: each mutant waits for this."""
MOST_S = 60
SURVIVED, KILLED = "survived", "killed"


def main(wanted: list[str]) -> int:
    began_s = time.monotonic()
    all_mutants = [m for path in MODULES.values() for m in mutants(path, (ROOT / path).read_text(encoding="utf-8"))]
    chosen = [m for m in all_mutants if not wanted or any(part in str(m) for part in wanted)]
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    forks = multiprocessing.get_context("fork")
    with forks.Pool(2, maxtasksperchild=1) as pool:
        for module, path in MODULES.items():
            unchanged = Mutant(module=path, line=0, change="", text=(ROOT / path).read_text(encoding="utf-8"))
            assert pool.apply(try_out, (unchanged,)) == SURVIVED, f"the tests do not pass on {module} as it is"
        survivors = []
        for mutant, fate in zip(chosen, pool.imap(try_out, chosen), strict=True):
            if fate == SURVIVED:
                survivors.append(mutant)
                print(f"survived: {mutant}", flush=True)
        real = pool.apply(answers_with, (None,))
        looser_cases = [looser(found, real) for found in pool.map(answers_with, survivors, chunksize=1)]
    for mutant, cases in zip(survivors, looser_cases, strict=True):
        if cases:
            print(f"lets someone go further, as in cases {cases[:3]} of tests/mutation/answers.py: {mutant}")
    further = sum(map(bool, looser_cases))
    print(
        f"{len(chosen)} mutants, {len(chosen) - len(survivors)} killed, {len(survivors)} survived, "
        f"{further} of them let someone go further; {time.monotonic() - began_s:.0f} s"
    )
    return 1 if further else 0


def try_out(mutant: Mutant) -> str:
    """Run the tests of the rules against a mutant; call in a process of its own."""
    signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(MOST_S)
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    try:
        install(mutant)
        outcome = pytest.main([*OPTIONS, *(str(ROOT / path) for path in TESTS)])
    except (Exception, KeyboardInterrupt):  # noqa: BLE001  a mutant may break in any way, and then it is killed
        return KILLED
    return SURVIVED if outcome == pytest.ExitCode.OK else KILLED


def answers_with(mutant: Mutant | None) -> list[int]:
    """Return what the rules answer with a mutant (None: as they are); call in a process of its own."""
    if mutant is not None:
        install(mutant)
    verdict, plan = (importlib.import_module(name) for name in ("trayapp.verdict", "trayapp.reclaim.plan"))
    return answers(verdict, plan)


def install(mutant: Mutant) -> None:
    """Put a mutant in the place of its module, which nothing has imported yet in this process."""
    name = next(name for name, path in MODULES.items() if path == mutant.module)
    assert not set(MODULES) & set(sys.modules), "the rules are already there"
    module = ModuleType(name)
    module.__spec__ = ModuleSpec(name, None, origin=mutant.module)
    sys.modules[name] = module
    exec(compile(mutant.text, mutant.module, "exec"), vars(module))
    package, _, last = name.rpartition(".")
    setattr(importlib.import_module(package), last, module)


def _too_long(_number: int, _frame: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
