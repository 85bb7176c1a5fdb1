"""The table of hosts by checks: written between marks, joined with what stood there, read again as it was."""

from __future__ import annotations

import pytest

from tests.live.table import BEGIN, END, Table, read, written

PAGE = f"# Hosts\n\n{BEGIN}\n{END}\n\n## After\n"


def table_of(host: str, *, alone: str = "") -> Table:
    results = {("right state", host): "works", ("busy refused", host): "refuses rightly"}
    if alone:
        results[alone, host] = "works"
    return Table(results=results, versions={"apple": "1.2", "pear": "3.0"})


def test_a_page_keeps_what_stands_around_the_table() -> None:
    page = written(PAGE, table_of("apple"))
    assert page.startswith(f"# Hosts\n\n{BEGIN}\n")
    assert page.endswith(f"{END}\n\n## After\n")
    assert "| right state | works |" in page or "| right state | apple | works |" in page


def test_a_run_of_one_host_leaves_the_columns_of_the_others() -> None:
    first = written(PAGE, table_of("apple"))
    pear = table_of("pear")
    pear.reasons["waits", "pear"] = "it never asks"
    second = written(first, pear)
    assert "| Check | apple 1.2 | pear 3.0 |" in second
    assert "| right state | works | works |" in second
    assert "| waits | pear | it never asks |" in second


def test_a_check_that_went_away_is_not_kept() -> None:
    first = written(PAGE, table_of("apple", alone="wakes up"))
    assert "| wakes up | apple | works |" in first
    assert "wakes up" not in written(first, table_of("apple"))


def test_what_is_written_is_read_again() -> None:
    table = table_of("apple", alone="wakes up")
    table.results |= table_of("pear").results
    table.reasons["waits", "pear"] = "it never asks"
    again = read(written(PAGE, table))
    assert (again.results, again.reasons, again.versions) == (table.results, table.reasons, table.versions)
    assert again.lines() == table.lines()


def test_a_page_without_the_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="should hold the lines"):
        written("# Hosts\n", table_of("apple"))
