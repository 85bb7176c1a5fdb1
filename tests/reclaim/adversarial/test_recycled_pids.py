"""A pid that was listed belongs to an innocent program by now: really, in a PID namespace of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hosts.leftovers import left_over
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


FIRST = Part(program="bin/first", children=("player",), ends_with_child=True, alone=True)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory, actor: Path) -> Path:
    """Play all scenes in one namespace; returns the folder that says what came of each."""
    if shutil.which("unshare") is None or subprocess.run([*APART, "true"], capture_output=True).returncode:
        pytest.skip("no PID namespace can be made here")
    folder = tmp_path_factory.mktemp("recycled")
    player = Part(
        program=sys.executable,
        argv=(sys.executable, "-m", "tests.reclaim.adversarial.recycled", str(folder), str(actor)),
        environment={"PYTHONPATH": os.pathsep.join([str(CHECKOUT), *sys.path]), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=str(CHECKOUT),
    )
    outer = Stage(folder / "outer", actor, StageHost(), {"first": FIRST, "player": player})
    ran = subprocess.run(
        [*APART, str(outer.root / FIRST.program)],
        env={"PATH": os.environ["PATH"], "ACTOR": str(outer.root / "parts" / "first")},
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.stderr == ""
    assert left_over("nobody's", folder) == []
    return folder


@pytest.mark.parametrize("scene", SCENES)
def test_a_recycled_pid_gets_no_signal(told: Path, scene: str) -> None:
    assert (told / scene).read_text() == "played"
