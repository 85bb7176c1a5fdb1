"""`pytest tests/cases --cases DIR` runs the reports of any folder through the real pipeline.

Default: our own copy of the real reports, and a case for each rule that none of these shows.
"""

from __future__ import annotations

from pathlib import Path

import pytest

OWN = Path(__file__).parent / "reports"
RULES = Path(__file__).parent / "rules"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--cases", action="append", default=[], metavar="DIR", help="folder of case files; repeatable")


def folders(config: pytest.Config) -> list[Path]:
    """Return the folders to read. The option is unknown where this file was not loaded at start."""
    given = config.getoption("--cases", default=[])
    return [Path(folder) for folder in given] or [OWN, RULES]
