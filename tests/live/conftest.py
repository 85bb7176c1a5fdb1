"""Scenes for live tests, the choice of hosts by $HOSTS, and the table of hosts by checks at the end.

A failed install is an error of every test of that host, never a skip: a run that tested nothing must not be green. With
`--docs` the table is written into docs/hosts.md as well; hosts that did not run keep their columns there.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from tests.live.install import PACKAGES, cache_dir, ensure
from tests.live.model_server import ModelServer
from tests.live.scene import Scene
from tests.live.table import FAILS, NOT_RUN, Table, called, not_here, written

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "hosts.md"
_TABLE = pytest.StashKey[Table]()
_CHECKS = pytest.StashKey[list[tuple[str, str, str]]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--docs", action="store_true", help="write the table of hosts by checks into docs/hosts.md")


def pytest_configure(config: pytest.Config) -> None:
    pytest.register_assert_rewrite("tests.live.checks", "tests.live.product")
    config.addinivalue_line("markers", "check(what, result='works'): one row of the table of hosts by checks")
    config.stash[_TABLE] = Table(versions={host: package.version for host, package in PACKAGES.items()})


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the hosts that $HOSTS does not name, and what is not possible with one; note what each test checks."""
    wanted = os.environ.get("HOSTS", " ".join(PACKAGES)).split()
    unknown = [host for host in wanted if host not in PACKAGES]
    if unknown:
        raise pytest.UsageError(f"HOSTS names {', '.join(unknown)}; known are {', '.join(PACKAGES)}")
    left_out: list[pytest.Item] = []
    for item in list(items):
        host = getattr(getattr(item, "module", None), "HOST", None) if HERE in item.path.parents else None
        if host is None:
            continue
        if host not in wanted or not _noted(config.stash[_TABLE], item, host):
            items.remove(item)
            left_out.append(item)
    if left_out:
        config.hook.pytest_deselected(items=left_out)


def _noted(table: Table, item: pytest.Item, host: str) -> bool:
    """Say whether a test can run with its host, and note its rows in the table."""
    module = getattr(item, "module", None)
    reasons = not_here(module)
    table.reasons |= {(check, host): why for check, why in reasons.items()}
    marks = {called(module, str(mark.args[0])): mark for mark in item.iter_markers("check")}
    possible = [check for check in marks if check not in reasons]
    item.stash[_CHECKS] = [(check, host, str(marks[check].kwargs.get("result", "works"))) for check in possible]
    for check in possible:
        table.results.setdefault((check, host), NOT_RUN)
    return bool(possible) or not marks


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call" or report.failed:
        results = item.config.stash[_TABLE].results
        for check, host, result in item.stash.get(_CHECKS, []):
            if report.failed:
                results[check, host] = FAILS
            elif report.passed and results[check, host] != FAILS:
                results[check, host] = result
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the table, and write it where that was asked for."""
    table = config.stash[_TABLE]
    if set(table.results.values()) <= {NOT_RUN}:
        return
    terminalreporter.section("hosts by checks")
    for line in table.lines():
        terminalreporter.line(line)
    if config.getoption("--docs"):
        PAGE.write_text(written(PAGE.read_text(), table))
        terminalreporter.line(f"written to {PAGE}")


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
