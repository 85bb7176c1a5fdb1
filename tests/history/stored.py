"""Ask a history by SQL: its packs of samples are laid out as the table `raw`, a row for each span."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from trayapp.history.rollup import ID_BITS
from trayapp.history.spans import unpack_spans


@contextmanager
def asking(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a history; `raw` is there for this connection only."""
    with closing(sqlite3.connect(path)) as connection:
        lay_out(connection, "TEMP")
        yield connection


def lay_out(connection: sqlite3.Connection, where: str = "") -> None:
    """Make the table `raw` as version 2 had it."""
    connection.execute(
        f"CREATE {where} TABLE raw (k INTEGER PRIMARY KEY, lasts INTEGER NOT NULL, more INTEGER NOT NULL,"
        " rss INTEGER NOT NULL, held INTEGER NOT NULL, unknown INTEGER NOT NULL, cpu_used INTEGER, cpu_total INTEGER,"
        " processes INTEGER NOT NULL, state INTEGER)"
    )
    for (blob,) in connection.execute("SELECT pack FROM raw_packs").fetchall():
        connection.executemany(
            "INSERT INTO raw VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (first_s << ID_BITS | number, last_s - first_s, more, *figures)
                for number, (first_s, last_s, more, figures) in zip(*unpack_spans(blob), strict=True)
            ],
        )


def rows(path: Path, sql: str) -> list[tuple[Any, ...]]:
    """Return what a question finds."""
    if " raw" not in sql.replace(" raw_", " "):
        with closing(sqlite3.connect(path)) as connection:
            return connection.execute(sql).fetchall()
    with asking(path) as connection:
        return connection.execute(sql).fetchall()
