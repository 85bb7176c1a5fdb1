"""`pytest tests/cases --cases DIR`: other folders, several of them, and a choice by name."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.cases.conftest import OWN

ROOT = Path(__file__).resolve().parents[2]


def run(*arguments: str) -> str:
    command = [sys.executable, "-m", "pytest", "tests/cases", "-n", "0", "-p", "no:cacheprovider", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    return done.stdout


def test_other_folders_can_be_given_more_than_once_and_chosen_from(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for folder, number in ((one, "011"), (other, "037")):
        folder.mkdir()
        shutil.copy(next(OWN.glob(f"{number}-*.yaml")), folder)
    listed = run("--cases", str(one), "--cases", str(other), "-k", "test_cases and (actions or groups)", "-v")
    ran = set(re.findall(r"test_(groups|actions)\[(\d+)-[^\]]*\] PASSED", listed))
    assert ran == {(aspect, number) for aspect in ("groups", "actions") for number in ("011", "037")}


def test_a_wrong_answer_fails(tmp_path: Path) -> None:
    text = next(OWN.glob("011-*.yaml")).read_text(encoding="utf-8")
    (tmp_path / "011-changed.yaml").write_text(text.replace("kind: orphan-agent", "kind: session"), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "tests/cases/test_cases.py", "-p", "no:cacheprovider", "-q"]
    done = subprocess.run(
        [*command, "--cases", str(tmp_path), "-k", "groups"], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 1
    assert "1 failed" in done.stdout
