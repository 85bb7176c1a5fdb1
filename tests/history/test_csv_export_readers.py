"""The CSV in the hands of others: the csv module, DuckDB and LibreOffice read the same values out of it."""

from __future__ import annotations

import csv
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.history.snapshots import MB, START_S, group, snapshot
from trayapp.history.csv_export import HEADER, export, plain
from trayapp.history.store import HistoryStore
from trayapp.model.session import State
from trayapp.model.snapshot import GroupKind

TITLES = (
    "Fix flaky upload tests",
    "päätteet, 日本語, 🚀 and a tab\tinside",
    'He said "stop", then\nleft; "twice"',
    '=HYPERLINK("http://example.com";"x")',
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "-2+3",
    "'=already quoted",
    "semicolon; and, comma",
    " spaces around ",
    "half a pair \ud83d is no letter",
    '"',
)

NUMBERS = ("processes", "rss_bytes", "footprint_bytes", "cpu_percent", "cpu_seconds_total", "interval_s", "gap")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Export a short history in which every kind of cell occurs."""
    folder = tmp_path_factory.mktemp("readers")
    history = HistoryStore(folder / "history.sqlite3", now_epoch_s=lambda: START_S)
    for number in range(6):
        history.append(
            snapshot(
                2 * number,
                *(
                    group(
                        f"s{at}",
                        host="alpha" if at % 2 else "beta",
                        title=title,
                        rss=(9_000 + at) * MB + 4096 * number,
                        footprint=None if at == 3 and number == 2 else (8_000 + at) * MB,
                        cpu=None if number == 0 else 33.33 * at,
                        cpu_s=1_234_567.891 + number,
                        state=State.BUSY if number % 2 else State.IDLE,
                    )
                    for at, title in enumerate(TITLES)
                ),
                group("helper", host=None, kind=GroupKind.SHARED_HELPER, cpu_s=None),
                interval_s=2.001 if number else None,
            )
        )
    history.close()
    assert history.problems == ()
    out = folder / "out.csv"
    export(
        folder / "history.sqlite3",
        out,
        since_epoch_s=START_S,
        until_epoch_s=START_S + 100,
        progress=lambda done, total: None,
        cancelled=lambda: False,
    )
    return out


@pytest.fixture(scope="module")
def rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, strict=True))


def test_titles_come_back_and_none_looks_like_a_formula(rows: list[dict[str, str]]) -> None:
    cells = {row["title"] for row in rows if row["kind"] == "session"}
    assert {plain(cell) for cell in cells} == {title.encode("utf-8", "replace").decode() for title in TITLES}
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]


def test_duckdb_reads_the_same_texts(file: Path, rows: list[dict[str, str]]) -> None:
    import duckdb

    read = duckdb.connect().execute("SELECT * FROM read_csv(?, all_varchar = true)", [str(file)])
    assert tuple(column[0] for column in read.description or ()) == HEADER
    found = [["" if cell is None else cell for cell in row] for row in read.fetchall()]
    assert found == [list(row.values()) for row in rows]


def test_duckdb_sees_times_and_numbers_without_being_told(file: Path, rows: list[dict[str, str]]) -> None:
    import duckdb

    connection = duckdb.connect()
    types = dict(
        connection.execute("SELECT column_name, column_type FROM (DESCRIBE FROM read_csv(?))", [str(file)]).fetchall()
    )
    assert types["time_utc"].startswith("TIMESTAMP")
    for column in NUMBERS:
        assert types[column] in ("BIGINT", "DOUBLE"), column
        (added,) = connection.execute(f"SELECT sum({column}) FROM read_csv(?)", [str(file)]).fetchone() or (None,)
        assert added == pytest.approx(sum(float(row[column]) for row in rows if row[column]), rel=1e-12)


def test_in_duckdb_totals_are_the_sums_of_the_sessions(file: Path) -> None:
    import duckdb

    wrong = duckdb.connect().execute(
        """
        SELECT time_utc FROM read_csv(?) GROUP BY time_utc
        HAVING sum(rss_bytes) FILTER (kind = 'total') <> sum(rss_bytes) FILTER (kind NOT IN ('total', 'host'))
            OR count(*) FILTER (kind = 'total') <> 1
        """,
        [str(file)],
    )
    assert wrong.fetchall() == []


# ------------------------------------------------------------------------------------------------------- LibreOffice

SOFFICE = shutil.which("soffice")
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"


@pytest.mark.skipif(SOFFICE is None, reason="LibreOffice (soffice) is not installed here")
def test_libreoffice_reads_the_same_values_and_runs_nothing(file: Path, rows: list[dict[str, str]]) -> None:
    # comma, ", UTF-8, from line 1; title (5) as text; English; detect numbers; last: evaluate formulas, the worst case
    filter_options = "44,34,76,1,5/2,1033,false,true,false,false,false,-1,true"
    subprocess.run(
        [
            str(SOFFICE),
            "--headless",
            f"-env:UserInstallation={(file.parent / 'profile').as_uri()}",
            f"--infilter=CSV:{filter_options}",
            *("--convert-to", "fods", "--outdir", str(file.parent), str(file)),
        ],
        check=True,
        capture_output=True,
        timeout=120,
    )
    sheet = ElementTree.parse(file.with_suffix(".fods")).getroot()
    assert not [cell for cell in sheet.iter(f"{TABLE}table-cell") if f"{TABLE}formula" in cell.attrib]
    header, *found = [read for row in sheet.iter(f"{TABLE}table-row") if any(read := _cells(row))]
    assert header == list(HEADER)
    assert len(found) == len(rows)
    for read, row in zip(found, rows, strict=True):
        for cell, (column, text) in zip(read, row.items(), strict=True):
            if column in NUMBERS and text:
                assert float(cell) == float(text), column
            elif column == "time_utc":
                assert cell.rstrip("Z") == text.rstrip("Z")
            else:
                assert cell == text, column


def _cells(row: ElementTree.Element) -> list[str]:
    """Return as many cells as the header has: a number or a date as it is stored, a text with its lines."""
    read: list[str] = []
    for cell in row.iter(f"{TABLE}table-cell"):
        value = cell.get(f"{OFFICE}value") or cell.get(f"{OFFICE}date-value") or "\n".join(map(_text, cell))
        repeated = int(cell.get(f"{TABLE}number-columns-repeated", "1"))
        read += [value] * min(repeated, len(HEADER) - len(read))
    return read


def _text(paragraph: ElementTree.Element) -> str:
    """Return the text of a paragraph; blanks and tabs are elements there."""
    marks = {f"{TEXT}s": " ", f"{TEXT}tab": "\t"}
    parts = [paragraph.text or ""]
    for child in paragraph:
        mark = marks.get(child.tag)
        parts += [mark * int(child.get(f"{TEXT}c", "1")) if mark else _text(child), child.tail or ""]
    return "".join(parts)
