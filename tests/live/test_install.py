"""Installing hosts, without a network: a cache that fits is used, anything else is a clear error."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.live.install import InstallError, Package, ensure

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the npm of these tests is a shell script")

PACKAGE = Package(host="demo", name="@demo/agent", version="1.2.3", command="demo")


def put(path: Path, script: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def npm_that(path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Put an npm (and a node) before all others that does what the script says."""
    put(path / "npm", script)
    put(path / "node", "exit 0")
    monkeypatch.setenv("PATH", f"{path}:/usr/bin:/bin")


def test_a_cache_that_fits_needs_no_npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    executable = tmp_path / "demo" / "node_modules" / ".bin" / "demo"
    put(executable, "exit 0")
    (tmp_path / "demo" / "stamp").write_text("@demo/agent@1.2.3\n")
    assert ensure(PACKAGE, tmp_path) == executable


def test_without_npm_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(InstallError, match=r"npm or node is missing. Install Node\.js"):
        ensure(PACKAGE, tmp_path)


@pytest.mark.parametrize("said", ["v18.20.1", ""])
def test_a_host_is_refused_that_needs_a_newer_node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    put(tmp_path / "bin" / "node", f"echo {said}")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    needy = Package(host="demo", name="@demo/agent", version="1.2.3", command="demo", node=20)
    with pytest.raises(InstallError, match=f"demo needs Node.js 20 or later, here is {said}"):
        ensure(needy, tmp_path / "cache")


def test_a_failed_install_tells_what_npm_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    npm_that(tmp_path / "bin", monkeypatch, "echo no such registry >&2; exit 7")
    with pytest.raises(InstallError, match=r"exit 7(.|\n)*no such registry"):
        ensure(PACKAGE, tmp_path / "cache")
    assert not (tmp_path / "cache" / "demo" / "stamp").exists()


def test_an_install_that_ends_well_but_does_not_run_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    npm_that(tmp_path / "bin", monkeypatch, "exit 0")
    with pytest.raises(InstallError, match="was installed but does not start"):
        ensure(PACKAGE, tmp_path / "cache")


@pytest.mark.parametrize(("says", "fits"), [("1.2.3 Demo", True), ("1.3.0", False)])
def test_only_the_pinned_version_gets_a_stamp(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: str, fits: bool
) -> None:
    program = "node_modules/.bin/demo"
    script = f'mkdir -p node_modules/.bin; printf "#!/bin/sh\\necho {says}\\n" > {program}; chmod +x {program}'
    npm_that(tmp_path / "bin", monkeypatch, script)
    stamp = tmp_path / "cache" / "demo" / "stamp"
    if fits:
        assert ensure(PACKAGE, tmp_path / "cache").name == "demo"
        assert stamp.read_text() == "@demo/agent@1.2.3\n"
    else:
        with pytest.raises(InstallError, match=r"should say 1\.2\.3, it said: 1\.3\.0"):
            ensure(PACKAGE, tmp_path / "cache")
        assert not stamp.exists()
