"""Scenes for live tests, the choice of hosts by $HOSTS, and the table of hosts by checks at the end.

A failed install is an error of every test of that host, never a skip: a run that tested nothing must not be green.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from tests.live.install import PACKAGES, cache_dir, ensure
from tests.live.model_server import ModelServer
from tests.live.scene import Scene

HERE = Path(__file__).parent
_RESULTS = pytest.StashKey[dict[tuple[str, str], str]]()
_CHECK = pytest.StashKey[tuple[str, str, str]]()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "check(what, result='works'): one row of the table of hosts by checks")
    config.stash[_RESULTS] = {}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the hosts that $HOSTS does not name; note what each test checks."""
    wanted = os.environ.get("HOSTS", " ".join(PACKAGES)).split()
    unknown = [host for host in wanted if host not in PACKAGES]
    if unknown:
        raise pytest.UsageError(f"HOSTS names {', '.join(unknown)}; known are {', '.join(PACKAGES)}")
    left_out: list[pytest.Item] = []
    for item in list(items):
        host = getattr(getattr(item, "module", None), "HOST", None) if HERE in item.path.parents else None
        if host is None:
            continue
        if host not in wanted:
            items.remove(item)
            left_out.append(item)
            continue
        mark = item.get_closest_marker("check")
        if mark is not None:
            item.stash[_CHECK] = (host, str(mark.args[0]), str(mark.kwargs.get("result", "works")))
            config.stash[_RESULTS].setdefault((str(mark.args[0]), host), "not run")
    if left_out:
        config.hook.pytest_deselected(items=left_out)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    check = item.stash.get(_CHECK, None)
    if check is not None and (report.when == "call" or report.failed):
        host, what, result = check
        results = item.config.stash[_RESULTS]
        if report.failed:
            results[what, host] = "FAILS"
        elif results[what, host] != "FAILS":
            results[what, host] = result
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the table; what a host does not have is told as such."""
    results = config.stash[_RESULTS]
    if set(results.values()) <= {"not run"}:
        return
    hosts = sorted({host for _, host in results})
    checks = list(dict.fromkeys(check for check, _ in results))
    width = max(map(len, checks))
    terminalreporter.section("hosts by checks")
    terminalreporter.line(f"{'':{width}}  " + "  ".join(f"{host:17}" for host in hosts))
    for check in checks:
        cells = (results.get((check, host), "not possible here") for host in hosts)
        terminalreporter.line(f"{check:{width}}  " + "  ".join(f"{cell:17}" for cell in cells))


@pytest.fixture(scope="module")
def executable(request: pytest.FixtureRequest) -> Path:
    """Return the pinned host that the test module names in HOST, installed if need be."""
    return ensure(PACKAGES[request.module.HOST], cache_dir())


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """Give an empty HOME with a scripted model; whatever is started in it is ended afterwards."""
    with ModelServer() as server:
        scene = Scene(root=tmp_path_factory.mktemp("live"), server=server)
        try:
            yield scene
        finally:
            scene.close()
