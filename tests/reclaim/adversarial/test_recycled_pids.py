"""A pid that was listed belongs to an innocent program by now: really, in a PID namespace of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.reclaim.adversarial.host import StageHost
from tests.reclaim.adversarial.recycled import SCENES
from tests.reclaim.adversarial.stage import Part, Stage
from tests.trees import CHECKOUT

pytestmark = [
    pytest.mark.linux,
    pytest.mark.skipif(sys.platform != "linux", reason="PID namespaces are of Linux"),
    pytest.mark.skipif(sys.platform == "linux" and os.geteuid() != 0, reason="only root can choose pids"),
]
APART = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]


@pytest.mark.parametrize("scene", SCENES)
def test_a_recycled_pid_gets_no_signal(tmp_path: Path, actor: Path, scene: str) -> None:
    if shutil.which("unshare") is None or subprocess.run([*APART, "true"], capture_output=True).returncode:
        pytest.skip("no PID namespace can be made here")
    outer = Stage(tmp_path / "outer", actor, StageHost(), {"first": FIRST, "player": player(tmp_path, actor, scene)})
    ran = subprocess.run(
        [*APART, str(outer.root / FIRST.program)],
        env={"PATH": os.environ["PATH"], "ACTOR": str(outer.root / "parts" / "first")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    told = tmp_path / "told"
    assert (told.read_text() if told.exists() else ran.stderr) == "played"


FIRST = Part(program="bin/first", children=("player",), ends_with_child=True, alone=True)


def player(tmp_path: Path, actor: Path, scene: str) -> Part:
    """Return what plays the scene below the first process of the namespace."""
    return Part(
        program=sys.executable,
        argv=(
            sys.executable,
            "-m",
            "tests.reclaim.adversarial.recycled",
            str(tmp_path / "scene"),
            str(actor),
            scene,
        ),
        environment={"PYTHONPATH": os.pathsep.join([str(CHECKOUT), *sys.path]), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=str(CHECKOUT),
    )
