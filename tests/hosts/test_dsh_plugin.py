"""The DSH plugin's files: they parse, agree with each other, and hold out in a host that is not as expected.

What the plugin does in a real host is tested in tests/live. Here it runs in Node with a made-up host that lacks things
or fails.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

PLUGIN = Path(__file__).parents[2] / "trayapp" / "hosts" / "dsh_plugin"
MADE_UP = Path(__file__).with_name("dsh_made_up_host.mjs")
MODULES = sorted(PLUGIN.glob("*.js"))


@pytest.fixture(scope="module")
def node() -> str:
    """Return a Node that knows what the plugin uses."""
    found = shutil.which("node")
    if found is None:
        pytest.skip("Node.js is not installed: the plugin's JavaScript is not checked here")
    version = subprocess.run([found, "--version"], capture_output=True, text=True, timeout=60).stdout
    if int(version.lstrip("v").split(".")[0]) < 20:
        pytest.skip(f"Node.js {version.strip()} is too old: the plugin's JavaScript is not checked here")
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_each_module_parses(node: str, path: Path) -> None:
    done = subprocess.run([node, "--check", path], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_the_package_names_what_is_there() -> None:
    package = json.loads((PLUGIN / "package.json").read_text())
    assert (PLUGIN / package["main"]).is_file()
    assert package["exports"]["."] == f"./{package['main']}"
    assert package["keywords"] == ["dsh-plugin"]
    assert f"VERSION = '{package['version']}'" in (PLUGIN / "version.js").read_text()
    (row,) = yaml.safe_load((PLUGIN / package["dsh"]["bundle"]["patch"]).read_text())
    assert row == {"insert": [{"id": "agentring", "name": package["name"]}]}


def test_it_needs_nothing_but_node_and_its_own_files() -> None:
    names = {path.name for path in MODULES}
    for path in MODULES:
        for source in re.findall(r"^import .*? from '([^']+)'$", path.read_text(), re.MULTILINE | re.DOTALL):
            assert source.startswith("node:") or source.removeprefix("./") in names, f"{path.name} imports {source}"


@pytest.fixture(scope="module")
def seen(node: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Run the plugin in made-up hosts; return what was seen by case."""
    home = tmp_path_factory.mktemp("dsh-home")
    done = subprocess.run([node, MADE_UP, PLUGIN, home], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_an_idle_session_is_released_by_the_hosts_own_teardown_once(seen: dict[str, Any]) -> None:
    case = seen["plain"]
    assert case["sessions"]["s1"]["refusals"] == []
    assert case["releases"] == ["released", "not-live"]
    assert case["torn_down"] == ["s1"]


def test_two_releases_at_once_run_one_after_the_other(seen: dict[str, Any]) -> None:
    case = seen["at once"]
    assert sorted(case["releases"]) == ["not-live", "released"]
    assert case["torn_down"] == ["s1"]


@pytest.mark.parametrize(
    ("case", "reason"),
    [
        ("no hook", "unsupported-host"),
        ("activity fails", "unsupported-host"),
        ("upkeep", "turn-running"),
        ("turn begins", "turn-running"),
        ("input comes", "pending-input"),
    ],
)
def test_nothing_is_torn_down_in_doubt(seen: dict[str, Any], case: str, reason: str) -> None:
    assert seen[case]["releases"] == [reason, reason]
    assert seen[case]["torn_down"] == []


def test_a_host_without_the_hook_is_told_as_such(seen: dict[str, Any]) -> None:
    assert seen["plain"]["host"]["release_supported"] is True
    host = seen["no hook"]["host"]
    assert (host["release_supported"], host["attached_views"]) == (False, None)
    assert "lifecycle" in host["unsupported_reason"]


def test_what_a_host_does_not_have_is_null(seen: dict[str, Any]) -> None:
    session = seen["bare"]["sessions"]["s1"]
    missing = ("title", "terminals", "schedules", "pending_input", "views", "last_event_at_ms")
    assert {name: session[name] for name in missing} == dict.fromkeys(missing)


def test_a_teardown_that_fails_is_told_and_the_host_lives(seen: dict[str, Any]) -> None:
    case = seen["teardown fails"]
    assert case["statuses"] == [500, 500]
    assert "no way" in case["host"]["last_error"]


def test_a_collection_is_brought_about_but_not_while_a_session_works(seen: dict[str, Any]) -> None:
    assert seen["collect"] == {"results": ["collected", "turn-running"], "counted": True}


def test_an_unwritable_home_leaves_no_listener(seen: dict[str, Any]) -> None:
    assert seen["no home"] == {"file": False, "started": 11, "listening": 0, "threw": False}


def test_stale_files_go_and_files_of_others_stay(seen: dict[str, Any]) -> None:
    assert seen["files"] == {
        "dead": False,
        "reused": False,
        "alive": True,
        "foreign": True,
        "own": True,
        "after": False,
    }


def test_whatever_is_two_bytes_a_character_counts_twice(seen: dict[str, Any]) -> None:
    sizes = seen["sizes"]
    assert sizes["ascii"] == pytest.approx(1_000_000, rel=0.01)
    assert sizes["latin"] == pytest.approx(1_000_000, rel=0.01)
    assert sizes["chinese"] == pytest.approx(2_000_000, rel=0.01)


def test_unmounted_nothing_is_left(seen: dict[str, Any]) -> None:
    assert seen["left"] == {"follow": True, "listening": 0, "unhandled": []}
